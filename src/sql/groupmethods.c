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
#include "method/groups/fulldomain.h"
#include "method/groups/generalize.h"
#include "method/groups/microaggregate.h"
#include "method/groups/permute.h"
#include "relation/catalog/methods.h"
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

/*
 * The arguments of sdc_generalize behind all others, from the first of them on.  Objects of before pass as many as they
 * had: a function with more of them has a symbol, and a count, of its own.
 */
enum
{
	ARG_HIERARCHIES, ARG_LEVEL_SCHEME, ARG_SUPPRESS_PERCENT, ARG_T, ARG_T_DISTANCE, ARG_COMBINATIONS, ARG_IMPORTANCE,
	ARGS_BEHIND
};

/* How values are generalized along hierarchies, and how far sensitive values are apart. */
static const char *const level_schemes[] = {"cuts", "lattice", NULL};
static const char *const distances[] = {"equal", "ordered", NULL};

/* refuse_scheme raises the errors for what the scheme that is asked for does not have. */
static void
refuse_scheme(FunctionCallInfo fcinfo, int first)
{
	bool		lattice = !PG_ARGISNULL(first + ARG_LEVEL_SCHEME) &&
		sdc_args_word(fcinfo, first + ARG_LEVEL_SCHEME, "scheme", level_schemes) == 1;

	if (!lattice && (PG_GETARG_FLOAT8(first + ARG_SUPPRESS_PERCENT) > 0 || !PG_ARGISNULL(first + ARG_COMBINATIONS)))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("scheme \"cuts\" suppresses nothing, and knows no combinations"),
				 errhint("Leave arguments \"suppress_percent\" and \"combinations\" out, or use scheme => 'lattice'.")));
	if (!lattice && !PG_ARGISNULL(first + ARG_IMPORTANCE))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("argument \"importance\" is for scheme \"lattice\""),
				 errhint("Cuts go by the widest column.")));
}

/* read_combinations reads which sets of quasi-identifiers k is of. */
static void
read_combinations(FunctionCallInfo fcinfo, int number, const SdcPartitionRequest *request, SdcFullDomainRequest *domain)
{
	if (PG_ARGISNULL(number))
		return;
	if (request->k == 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("argument \"combinations\" needs argument \"k\""),
				 errhint("It is how many records at least have the same values in each of these sets of columns.")));
	domain->sets = PG_GETARG_JSONB_P(number);
	sdc_combinations_read(domain->sets, request->qi, request->k, list_length(request->qi), &domain->combinations);
}

/* read_domain reads what is said of hierarchies; NULL: nothing. */
static SdcFullDomainRequest *
read_domain(FunctionCallInfo fcinfo, const SdcPartitionRequest *request)
{
	int			first = PG_NARGS() - ARGS_BEHIND;
	SdcFullDomainRequest *domain = palloc0(sizeof(SdcFullDomainRequest));

	sdc_args_require(fcinfo, first + ARG_SUPPRESS_PERCENT, SDC_PARAMETER_SUPPRESS_PERCENT);
	domain->suppress_percent = PG_GETARG_FLOAT8(first + ARG_SUPPRESS_PERCENT);
	if (!(domain->suppress_percent >= 0 && domain->suppress_percent <= 100))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("argument \"suppress_percent\" is out of range"),
				 errhint("It is how many percent of the records can be suppressed: between 0 and 100.")));
	domain->ordered = sdc_args_word(fcinfo, first + ARG_T_DISTANCE, SDC_PARAMETER_T_DISTANCE, distances) == 1;
	domain->t = PG_ARGISNULL(first + ARG_T) ? -1 : PG_GETARG_FLOAT8(first + ARG_T);
	if (!PG_ARGISNULL(first + ARG_T) && !(domain->t >= 0 && domain->t <= 1))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("argument \"t\" is out of range"),
				 errhint("It is how far the sensitive values of a group are from those of all records at most: between 0 and 1; usual are 0.1 to 0.5.")));
	refuse_scheme(fcinfo, first);
	domain->cuts = PG_ARGISNULL(first + ARG_LEVEL_SCHEME) ||
		sdc_args_word(fcinfo, first + ARG_LEVEL_SCHEME, "scheme", level_schemes) == 0;
	/* Mondrian without either is as ever */
	if (domain->cuts && PG_ARGISNULL(first + ARG_HIERARCHIES) && PG_ARGISNULL(first + ARG_T))
		return NULL;
	domain->argument = "{}";
	if (!PG_ARGISNULL(first + ARG_HIERARCHIES))
	{
		Jsonb	   *hierarchies = PG_GETARG_JSONB_P(first + ARG_HIERARCHIES);

		domain->hierarchies = sdc_rule_read(&hierarchies->root, true, SDC_PARAMETER_HIERARCHIES);
		domain->argument = JsonbToCString(NULL, &hierarchies->root, -1);
	}
	domain->importance = sdc_args_importance(fcinfo, first + ARG_IMPORTANCE, list_length(request->qi),
											 "the weight of the loss of a column");
	read_combinations(fcinfo, first + ARG_COMBINATIONS, request, domain);
	return domain;
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
	request->domain = read_domain(fcinfo, request);
	if (request->l == 0 && request->k == 0 && (request->domain == NULL || request->domain->t < 0))
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("one of the arguments \"k\" and \"l\" must be given"),
				 errhint("With k every group has at least k records: at least 1; usual are 3 to 20.  With l, which needs \"sensitive\", it has the entropy of l values: at least 1; usual are 2 to 10.  Larger ones protect more.")));
	if (request->l > 0 && request->sensitive == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("argument \"l\" needs argument \"sensitive\""),
				 errhint("Name the column whose values must be diverse in every group.")));
	if (request->domain != NULL && request->domain->t >= 0 && request->sensitive == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("argument \"t\" needs argument \"sensitive\""),
				 errhint("Name the column whose values must be as those of all records in every group.")));
	sdc_generalize_prepare(step, request);
}

/*
 * sdc_generalize(relation text, qi name[], sensitive name[], l float8, k int, target text,
 *				  key name[], strata name[], omit name[], keep name[], replace boolean, ..., hierarchies jsonb,
 *				  scheme text, suppress_percent float8, t float8, t_distance text, combinations jsonb,
 *				  importance float8[])
 * sdc_generalize(relation regclass, ...)
 *		RETURNS TABLE (release regclass, attribute name, action text,
 *					   method text, records bigint, changed bigint,
 *					   changed_percent float8)
 *
 * The types change, so there is no form for the row type.
 */
static const SdcForms sdc_generalize_forms = {sdc_generalize_read, ARG_GENERALIZE_COMMON, false, false, NULL,
ARGS_BEHIND};
SDC_FORMS_WRITE(sdc_generalize);

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
 *					   changed_percent float8, ..., groups bigint, sse_percent float8, suppressed bigint,
 *					   total_change float8)
 * sdc_microaggregate(row_type anyelement, k int, columns name[], scheme text, centre text, small text,
 *					  key name[], strata name[], omit name[], keep name[]) RETURNS SETOF anyelement
 */
SDC_FORMS_TABLE(sdc_microaggregate, sdc_microaggregate_read, ARG_AVERAGE_COMMON, false, false);
SDC_FORMS_RETURN(sdc_microaggregate);
