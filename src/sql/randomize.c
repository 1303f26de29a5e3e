/*-------------------------------------------------------------------------
 *
 * randomize.c
 *		sdc_randomize.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"
#include "method/randomdraws.h"
#include "method/randomize.h"
#include "sql/args.h"
#include "sql/forms.h"
#include "sql/stepargs.h"

/* The arguments in front of those that all methods have. */
enum
{
	ARG_QI = 1, ARG_DRAWS, ARG_PROBABILITIES, ARG_COMMON
};

/* sdc_randomize_read reads what is asked for. */
void
sdc_randomize_read(FunctionCallInfo fcinfo, SdcMethodStep *step)
{
	SdcRandomizing *randomizing = palloc0(sizeof(SdcRandomizing));

	randomizing->qi = sdc_args_qi(fcinfo, ARG_QI);
	randomizing->draws = sdc_args_draws(fcinfo, ARG_DRAWS, list_length(randomizing->qi));
	randomizing->probability = sdc_args_probabilities(fcinfo, ARG_PROBABILITIES,
													  list_length(randomizing->qi));
	if (randomizing->draws > 0 && randomizing->probability != NULL)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("arguments \"draws\" and \"probabilities\" cannot be used together"),
				 errhint("With \"draws\" all sets of so many attributes are equally likely.")));
	sdc_randomize_prepare(step, randomizing);
}

/*
 * sdc_randomize(relation text, qi name[], draws int, probabilities float8[], target text, key name[],
 *				 strata name[], omit name[], keep name[], seed "any", replace boolean, continued boolean)
 * sdc_randomize(relation regclass, ...)
 *		RETURNS TABLE (release regclass, attribute name, action text,
 *					   method text, records bigint, changed bigint,
 *					   changed_percent float8, kept bigint, drawn bigint, waiting bigint, widows bigint,
 *					   beyond float8, largest float8)
 * sdc_randomize(row_type anyelement, qi name[], draws int, probabilities float8[], key name[],
 *				 strata name[], omit name[], keep name[], seed "any") RETURNS SETOF anyelement
 */
SDC_FORMS_CONTINUED(sdc_randomize, sdc_randomize_read, ARG_COMMON);
