/*-------------------------------------------------------------------------
 *
 * randomize.c
 *		sdc_randomize.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"
#include "method/randomize.h"
#include "sql/args.h"
#include "sql/forms.h"

/* The arguments in front of those that all methods have. */
enum
{
	ARG_QI = 1, ARG_K, ARG_PROBABILITIES, ARG_COMMON
};

/* read_parameters reads what is asked for. */
static void
read_parameters(FunctionCallInfo fcinfo, SdcProtection *protection)
{
	SdcRandomizing *randomizing = palloc0(sizeof(SdcRandomizing));

	randomizing->qi = sdc_args_qi(fcinfo, ARG_QI);
	randomizing->k = sdc_args_attributes_drawn(fcinfo, ARG_K, list_length(randomizing->qi));
	randomizing->probability = sdc_args_probabilities(fcinfo, ARG_PROBABILITIES,
													  list_length(randomizing->qi));
	if (randomizing->k > 0 && randomizing->probability != NULL)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("arguments \"k\" and \"probabilities\" cannot be used together"),
				 errhint("With \"k\" all sets of k attributes are equally likely.")));
	sdc_randomize_prepare(protection, randomizing);
}

/*
 * sdc_randomize(relation text, qi name[], k int, probabilities float8[], target text, key name[],
 *				 strata name[], omit name[], keep name[], seed "any", replace boolean)
 * sdc_randomize(relation regclass, ...)
 *		RETURNS TABLE (release regclass, attribute name, action text,
 *					   method text, records bigint, changed bigint,
 *					   changed_percent float8)
 * sdc_randomize(row_type anyelement, qi name[], k int, probabilities float8[], key name[],
 *				 strata name[], omit name[], keep name[], seed "any") RETURNS SETOF anyelement
 */
SDC_FORMS_ALL(sdc_randomize, read_parameters, ARG_COMMON);
