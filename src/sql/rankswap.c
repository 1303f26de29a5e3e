/*-------------------------------------------------------------------------
 *
 * rankswap.c
 *		sdc_rankswap, sdc_rankswap_distribution, sdc_rankswap_buckets.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"
#include "method/rankmethod.h"
#include "method/swaptable.h"
#include "sql/args.h"
#include "sql/forms.h"
#include "sql/stepargs.h"

/* The arguments in front of those that all methods have. */
enum
{
	ARG_PARAMETER = 1, ARG_COLUMNS, ARG_COMMON
};

/* read_parameters reads what the method is asked for. */
static void
read_parameters(FunctionCallInfo fcinfo, SdcMethodStep *step, SdcRankKind kind)
{
	SdcRankParameters parameters = {0};

	if (kind == SDC_RANK_BUCKETS)
		parameters.buckets = sdc_args_check_buckets(PG_GETARG_DATUM(ARG_PARAMETER),
													PG_ARGISNULL(ARG_PARAMETER));
	else
		parameters.percent = sdc_args_check_percent(PG_GETARG_DATUM(ARG_PARAMETER),
													PG_ARGISNULL(ARG_PARAMETER));
	sdc_rankmethod_prepare(step, kind, &parameters);
	step->columns_given = sdc_args_names(fcinfo, ARG_COLUMNS, "columns",
													   &step->columns);
}

/* sdc_rankswap_read reads the arguments of sdc_rankswap. */
void
sdc_rankswap_read(FunctionCallInfo fcinfo, SdcMethodStep *step)
{
	read_parameters(fcinfo, step, SDC_RANK_STANDARD);
}

/* sdc_rankswap_distribution_read reads the arguments of sdc_rankswap_distribution. */
void
sdc_rankswap_distribution_read(FunctionCallInfo fcinfo, SdcMethodStep *step)
{
	read_parameters(fcinfo, step, SDC_RANK_DISTRIBUTION);
}

/* sdc_rankswap_buckets_read reads the arguments of sdc_rankswap_buckets. */
void
sdc_rankswap_buckets_read(FunctionCallInfo fcinfo, SdcMethodStep *step)
{
	read_parameters(fcinfo, step, SDC_RANK_BUCKETS);
}

/*
 * sdc_rankswap(relation text, p float8, columns name[], target text, key name[],
 *				strata name[], omit name[], keep name[], seed "any", replace boolean,
 *				continued boolean, min_changes int, min_departures int, erase_within interval)
 * sdc_rankswap(relation regclass, ...)
 *		RETURNS TABLE (release regclass, attribute name, action text,
 *					   method text, records bigint, changed bigint, changed_percent float8,
 *					   kept bigint, drawn bigint, waiting bigint, widows bigint,
 *					   beyond float8, largest float8)
 * sdc_rankswap(row_type anyelement, p float8, columns name[], key name[],
 *				strata name[], omit name[], keep name[], seed "any") RETURNS SETOF anyelement
 */
SDC_FORMS_CONTINUED(sdc_rankswap, sdc_rankswap_read, ARG_COMMON);

/* sdc_rankswap_distribution(relation text, p float8, ...) and so on: as sdc_rankswap */
SDC_FORMS_CONTINUED(sdc_rankswap_distribution, sdc_rankswap_distribution_read, ARG_COMMON);

/* sdc_rankswap_buckets(relation text, buckets int, ...) and so on: as sdc_rankswap */
SDC_FORMS_CONTINUED(sdc_rankswap_buckets, sdc_rankswap_buckets_read, ARG_COMMON);
