/*-------------------------------------------------------------------------
 *
 * suppress.c
 *		sdc_suppress.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"
#include "method/groups/suppress.h"
#include "sql/args.h"
#include "sql/forms.h"
#include "sql/stepargs.h"

/* The arguments in front of those that all methods have. */
enum
{
	ARG_QI = 1, ARG_K, ARG_IMPORTANCE, ARG_COMBINATIONS, ARG_COMMON
};

/* sdc_suppress_read reads what is asked for. */
void
sdc_suppress_read(FunctionCallInfo fcinfo, SdcMethodStep *step)
{
	SdcSuppressionRequest *request = palloc0(sizeof(SdcSuppressionRequest));

	request->qi = sdc_args_qi(fcinfo, ARG_QI);
	sdc_args_choose(PG_ARGISNULL(ARG_K), "k",
					"It is how many records are alike at least, each one included: at least 1; usual are 3 to 20.  A larger k protects more.");
	if (PG_GETARG_INT32(ARG_K) < 1)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("argument \"k\" is out of range"),
				 errhint("It is how many records are alike at least: at least 1.")));
	request->k = (uint32) PG_GETARG_INT32(ARG_K);
	request->importance = sdc_args_importance(fcinfo, ARG_IMPORTANCE, list_length(request->qi),
											  "what a value of the column costs");
	if (!PG_ARGISNULL(ARG_COMBINATIONS))
		request->sets = PG_GETARG_JSONB_P(ARG_COMBINATIONS);
	sdc_suppress_prepare(step, request);
}

/*
 * sdc_suppress(relation text, qi name[], k int, importance float8[], combinations jsonb, target text, key name[],
 *				strata name[], omit name[], keep name[], replace boolean, ...)
 * sdc_suppress(relation regclass, ...)
 *		RETURNS TABLE (release regclass, attribute name, action text, method text,
 *					   records bigint, changed bigint, changed_percent float8, ...)
 * sdc_suppress(row_type anyelement, qi name[], k int, importance float8[], combinations jsonb, key name[],
 *				strata name[], omit name[], keep name[], ...) RETURNS SETOF anyelement
 */
SDC_FORMS_TABLE(sdc_suppress, sdc_suppress_read, ARG_COMMON, false, false);
SDC_FORMS_RETURN(sdc_suppress);
