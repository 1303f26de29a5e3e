/*-------------------------------------------------------------------------
 *
 * rankswap.c
 *		sdc_rankswap, sdc_rankswap_distribution, sdc_rankswap_buckets.
 *
 * Each has a form that takes a table's name, one that takes its OID, and one that
 * takes its row type.  The first two write a release and return what
 * happened to every column; the third returns the protected rows.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"
#include "method/rankmethod.h"
#include "sql/args.h"
#include "sql/forms.h"

PG_FUNCTION_INFO_V1(sdc_rankswap_text);
PG_FUNCTION_INFO_V1(sdc_rankswap_regclass);
PG_FUNCTION_INFO_V1(sdc_rankswap_rows);
PG_FUNCTION_INFO_V1(sdc_rankswap_distribution_text);
PG_FUNCTION_INFO_V1(sdc_rankswap_distribution_regclass);
PG_FUNCTION_INFO_V1(sdc_rankswap_distribution_rows);
PG_FUNCTION_INFO_V1(sdc_rankswap_buckets_text);
PG_FUNCTION_INFO_V1(sdc_rankswap_buckets_regclass);
PG_FUNCTION_INFO_V1(sdc_rankswap_buckets_rows);

/* Where the parameter of the method is among the arguments. */
#define ARG_PARAMETER 1

/* read_parameters reads what the method is asked for. */
static void
read_parameters(FunctionCallInfo fcinfo, SdcProtection *protection, SdcRankKind kind)
{
	SdcRankParameters parameters = {0};

	if (kind == SDC_RANK_BUCKETS)
		parameters.buckets = sdc_args_check_buckets(PG_GETARG_DATUM(ARG_PARAMETER),
													PG_ARGISNULL(ARG_PARAMETER));
	else
		parameters.percent = sdc_args_check_percent(PG_GETARG_DATUM(ARG_PARAMETER),
													PG_ARGISNULL(ARG_PARAMETER), "p");
	sdc_rankmethod_prepare(protection, kind, &parameters);
	protection->request.columns_given = sdc_args_names(fcinfo, ARG_PARAMETER + 1, "columns",
													   &protection->request.columns);
}

/* write_release does the work of the forms that write a release. */
static Datum
write_release(FunctionCallInfo fcinfo, SdcRankKind kind, Oid relid)
{
	SdcProtection protection = {0};

	sdc_protection_begin(fcinfo, &protection, relid);
	read_parameters(fcinfo, &protection, kind);
	return sdc_protection_to_table(fcinfo, &protection, ARG_PARAMETER + 2);
}

/* return_rows does the work of the row type form. */
static Datum
return_rows(FunctionCallInfo fcinfo, SdcRankKind kind)
{
	SdcProtection protection = {0};

	sdc_protection_begin_rows(fcinfo, &protection);
	read_parameters(fcinfo, &protection, kind);
	return sdc_protection_to_rows(fcinfo, &protection, ARG_PARAMETER + 2);
}

/*
 * sdc_rankswap(relation text, p float8, columns name[], target text, key name[],
 *				strata name[], omit name[], seed "any", replace boolean)
 *		RETURNS TABLE (release regclass, attribute name, action text,
 *					   records bigint, changed bigint)
 */
Datum
sdc_rankswap_text(PG_FUNCTION_ARGS)
{
	return write_release(fcinfo, SDC_RANK_STANDARD, sdc_args_relation_text(fcinfo, 0));
}

/* sdc_rankswap(relation regclass, ...): the same for a table's OID */
Datum
sdc_rankswap_regclass(PG_FUNCTION_ARGS)
{
	return write_release(fcinfo, SDC_RANK_STANDARD,
						 sdc_args_relation(fcinfo, 0, "relation"));
}

/*
 * sdc_rankswap(row_type anyelement, p float8, columns name[], key name[],
 *				strata name[], omit name[], seed "any") RETURNS SETOF anyelement
 */
Datum
sdc_rankswap_rows(PG_FUNCTION_ARGS)
{
	return return_rows(fcinfo, SDC_RANK_STANDARD);
}

/* sdc_rankswap_distribution(relation text, ...): as sdc_rankswap */
Datum
sdc_rankswap_distribution_text(PG_FUNCTION_ARGS)
{
	return write_release(fcinfo, SDC_RANK_DISTRIBUTION,
						 sdc_args_relation_text(fcinfo, 0));
}

/* sdc_rankswap_distribution(relation regclass, ...) */
Datum
sdc_rankswap_distribution_regclass(PG_FUNCTION_ARGS)
{
	return write_release(fcinfo, SDC_RANK_DISTRIBUTION,
						 sdc_args_relation(fcinfo, 0, "relation"));
}

/* sdc_rankswap_distribution(row_type anyelement, ...) */
Datum
sdc_rankswap_distribution_rows(PG_FUNCTION_ARGS)
{
	return return_rows(fcinfo, SDC_RANK_DISTRIBUTION);
}

/* sdc_rankswap_buckets(relation text, buckets int, ...): as sdc_rankswap */
Datum
sdc_rankswap_buckets_text(PG_FUNCTION_ARGS)
{
	return write_release(fcinfo, SDC_RANK_BUCKETS, sdc_args_relation_text(fcinfo, 0));
}

/* sdc_rankswap_buckets(relation regclass, ...) */
Datum
sdc_rankswap_buckets_regclass(PG_FUNCTION_ARGS)
{
	return write_release(fcinfo, SDC_RANK_BUCKETS,
						 sdc_args_relation(fcinfo, 0, "relation"));
}

/* sdc_rankswap_buckets(row_type anyelement, ...) */
Datum
sdc_rankswap_buckets_rows(PG_FUNCTION_ARGS)
{
	return return_rows(fcinfo, SDC_RANK_BUCKETS);
}
