/*-------------------------------------------------------------------------
 *
 * compare.c
 *		What the functions that compare a release and its source have in common.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "sql/args.h"
#include "relation/memory.h"
#include "relation/progress.h"
#include "measure/compare.h"

/* sdc_compare_request reads the arguments that say what is compared. */
void
sdc_compare_request(FunctionCallInfo fcinfo, int qi, int sensitive, SdcComparisonRequest *request)
{
	memset(request, 0, sizeof(SdcComparisonRequest));
	request->catalog_schema = sdc_args_extension_schema(fcinfo);
	request->release = sdc_args_relation(fcinfo, 0, "release");
	if (qi > 0 && !PG_ARGISNULL(qi))
	{
		request->qi_given = true;
		request->qi = sdc_args_qi(fcinfo, qi);
	}
	if (sensitive > 0)
		request->sensitive_given = sdc_args_names(fcinfo, sensitive, "sensitive",
												  &request->sensitive);
}

/* sdc_compare_begin loads a comparison. */
void
sdc_compare_begin(SdcCompare *compare, const SdcComparisonRequest *request)
{
	compare->context = AllocSetContextCreate(CurrentMemoryContext, "sdc compare",
											 ALLOCSET_DEFAULT_SIZES);
	compare->before = MemoryContextSwitchTo(compare->context);
	compare->comparison = sdc_comparison_load(request);
	sdc_progress_phase(SDC_PHASE_EVALUATING, compare->comparison->records);
}

/* sdc_compare_end frees everything. */
void
sdc_compare_end(SdcCompare *compare)
{
	sdc_progress_end();
	MemoryContextSwitchTo(compare->before);
	MemoryContextDelete(compare->context);
}

/* sdc_compare_rest returns what is left of the budget. */
uint64
sdc_compare_rest(const SdcCompare *compare)
{
	uint64		budget = sdc_memory_budget();

	return budget - Min(budget, compare->comparison->memory);
}
