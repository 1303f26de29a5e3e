/*-------------------------------------------------------------------------
 *
 * groupmethods.c
 *		sdc_generalize, sdc_permute and sdc_microaggregate.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "fmgr.h"
#include "method/generalize.h"
#include "method/microaggregate.h"
#include "method/permute.h"
#include "sql/args.h"
#include "sql/forms.h"
#include "sql/stepargs.h"

/* The arguments in front of those that all methods have. */
enum
{
	ARG_QI = 1, ARG_SENSITIVE, ARG_L
};
enum
{
	ARG_K = ARG_L + 1, ARG_GENERALIZE_COMMON
};
enum
{
	ARG_GROUPING_METHOD = ARG_L + 1, ARG_FORCE, ARG_PERMUTE_COMMON
};

/* read_l reads l; 0 for NULL. */
static double
read_l(FunctionCallInfo fcinfo)
{
	double		l;

	if (PG_ARGISNULL(ARG_L))
		return 0;
	l = PG_GETARG_FLOAT8(ARG_L);
	if (isnan(l) || isinf(l) || l < 1)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("argument \"l\" is out of range"),
				 errhint("It is how many values of the sensitive attribute every group has at least: at least 1.")));
	return l;
}

/* sdc_generalize_read reads the arguments of sdc_generalize. */
void
sdc_generalize_read(FunctionCallInfo fcinfo, SdcMethodStep *step)
{
	SdcPartitionRequest *request = palloc0(sizeof(SdcPartitionRequest));

	request->kind = SDC_PARTITION_MONDRIAN;
	request->qi = sdc_args_qi(fcinfo, ARG_QI);
	request->sensitive = sdc_args_sensitive(fcinfo, ARG_SENSITIVE);
	request->l = read_l(fcinfo);
	if (!PG_ARGISNULL(ARG_K))
	{
		if (PG_GETARG_INT32(ARG_K) < 1)
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("argument \"k\" is out of range"),
					 errhint("It is how many records every group has at least: at least 1.")));
		request->k = (uint32) PG_GETARG_INT32(ARG_K);
	}
	if (request->l == 0 && request->k == 0)
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("one of the arguments \"k\" and \"l\" must be given"),
				 errhint("With k every group has at least k records: at least 1; usual are 3 to 20.  With l, which needs \"sensitive\", it has the entropy of l values: at least 1; usual are 2 to 10.  Larger ones protect more.")));
	if (request->l > 0 && request->sensitive == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("argument \"l\" needs argument \"sensitive\""),
				 errhint("Name the column whose values must be diverse in every group.")));
	sdc_generalize_prepare(step, request);
}

/*
 * sdc_generalize(relation text, qi name[], sensitive name[], l float8, k int, target text,
 *				  key name[], strata name[], omit name[], keep name[], replace boolean)
 * sdc_generalize(relation regclass, ...)
 *		RETURNS TABLE (release regclass, attribute name, action text,
 *					   method text, records bigint, changed bigint,
 *					   changed_percent float8)
 *
 * The types change, so there is no form for the row type.
 */
SDC_FORMS_TABLE(sdc_generalize, sdc_generalize_read, ARG_GENERALIZE_COMMON, false);

/* How groups are made. */
static const char *const grouping_methods[] = {
	[SDC_PARTITION_MONDRIAN] = "mondrian",
	[SDC_PARTITION_ANATOMY] = "anatomy",
	NULL
};

/* sdc_permute_read reads the arguments of sdc_permute. */
void
sdc_permute_read(FunctionCallInfo fcinfo, SdcMethodStep *step)
{
	SdcPartitionRequest *request = palloc0(sizeof(SdcPartitionRequest));

	request->kind = (SdcPartitionKind) sdc_args_word(fcinfo, ARG_GROUPING_METHOD, "grouping_method",
													 grouping_methods);
	request->qi = sdc_args_qi(fcinfo, ARG_QI);
	sdc_args_require(fcinfo, ARG_SENSITIVE, "sensitive");
	request->sensitive = sdc_args_sensitive(fcinfo, ARG_SENSITIVE);
	sdc_args_choose(PG_ARGISNULL(ARG_L), "l",
					"It is how many values of the sensitive column every group has at least: at least 1.  Usual are 2 to 10; a larger l protects more.");
	request->l = read_l(fcinfo);
	if (request->kind == SDC_PARTITION_ANATOMY && request->l != floor(request->l))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("argument \"l\" is not a whole number"),
				 errhint("With grouping_method => 'anatomy' every group has l records with different values.")));
	sdc_args_require(fcinfo, ARG_FORCE, "force");
	request->force = PG_GETARG_BOOL(ARG_FORCE);
	sdc_permute_prepare(step, request);
}

/*
 * sdc_permute(relation text, qi name[], sensitive name[], l float8, grouping_method text, force boolean,
 *			   target text, key name[], strata name[], omit name[], keep name[], seed "any",
 *			   replace boolean)
 * sdc_permute(relation regclass, ...)
 *		RETURNS TABLE (release regclass, attribute name, action text,
 *					   method text, records bigint, changed bigint,
 *					   changed_percent float8)
 * sdc_permute(row_type anyelement, qi name[], sensitive name[], l float8, grouping_method text,
 *			   force boolean, key name[], strata name[], omit name[], keep name[], seed "any") RETURNS SETOF anyelement
 */
SDC_FORMS_ALL(sdc_permute, sdc_permute_read, ARG_PERMUTE_COMMON);

/* The arguments of microaggregation. */
enum
{
	ARG_AVERAGE_K = 1, ARG_COLUMNS, ARG_SCHEME, ARG_CENTRE, ARG_SMALL, ARG_AVERAGE_COMMON
};

/* Whose groups are made, what their records get, and what becomes of records that are like too few. */
static const char *const schemes[] = {"joint", "each", NULL};
static const char *const centres[] = {"mean", "median", NULL};
static const char *const small_words[] = {"suppress", NULL};

/* sdc_microaggregate_read reads the arguments of sdc_microaggregate. */
void
sdc_microaggregate_read(FunctionCallInfo fcinfo, SdcMethodStep *step)
{
	SdcMicroaggregation *request = palloc0(sizeof(SdcMicroaggregation));

	sdc_args_choose(PG_ARGISNULL(ARG_AVERAGE_K), SDC_PARAMETER_K,
					"It is how many records every group has at least: at least 2.  Usual are 3 to 10; a larger k protects more.");
	if (PG_GETARG_INT32(ARG_AVERAGE_K) < 2)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("argument \"k\" is out of range"),
				 errhint("It is how many records every group has at least: at least 2.")));
	request->k = (uint32) PG_GETARG_INT32(ARG_AVERAGE_K);
	step->columns_given = sdc_args_names(fcinfo, ARG_COLUMNS, SDC_MEMBER_COLUMNS, &step->columns);
	request->each = sdc_args_word(fcinfo, ARG_SCHEME, SDC_PARAMETER_SCHEME, schemes) == 1;
	request->median = sdc_args_word(fcinfo, ARG_CENTRE, SDC_PARAMETER_CENTRE, centres) == 1;
	if (!PG_ARGISNULL(ARG_SMALL))
		request->suppress = sdc_args_word(fcinfo, ARG_SMALL, SDC_PARAMETER_SMALL, small_words) == 0;
	sdc_microaggregate_prepare(step, request);
}

/*
 * sdc_microaggregate(relation text, k int, columns name[], scheme text, centre text, small text, target text,
 *					  key name[], strata name[], omit name[], keep name[], replace boolean)
 * sdc_microaggregate(relation regclass, ...)
 *		RETURNS TABLE (release regclass, attribute name, action text, method text, records bigint, changed bigint,
 *					   changed_percent float8, ..., groups bigint, sse_percent float8, suppressed bigint)
 * sdc_microaggregate(row_type anyelement, k int, columns name[], scheme text, centre text, small text,
 *					  key name[], strata name[], omit name[], keep name[]) RETURNS SETOF anyelement
 */
SDC_FORMS_TABLE(sdc_microaggregate, sdc_microaggregate_read, ARG_AVERAGE_COMMON, false);
SDC_FORMS_RETURN(sdc_microaggregate);
