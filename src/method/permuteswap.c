/*-------------------------------------------------------------------------
 *
 * permuteswap.c
 *		Permutation swapping of a relation.
 *
 * Some units of every stratum exchange the values of the columns, jointly (kernel/groups/permuteswap.c).  What its
 * guarantee follows from is kept with the parameters of the release.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "kernel/groups/permuteswap.h"
#include "method/permuteswap.h"
#include "method/unitswap.h"
#include "relation/base/memory.h"
#include "relation/base/shortest.h"
#include "relation/catalog/methods.h"
#include "utils/memutils.h"

#define PURPOSE_DERANGEMENT "derangement"

/* check_plan insists on columns that can be compared. */
static void
check_plan(SdcMethodStep *step, SdcSource *source, Oid catalog_schema, SdcTarget *target)
{
	(void) catalog_schema;
	(void) target;
	sdc_unitswap_check(source, step->columns, SDC_MEMBER_COLUMNS);
}

/* find_strata makes the strata of the task: those of the source, and in each a stratum for every size. */
static void
find_strata(const SdcUnitSwap *swap, bool any_size, SdcPermuteSwapTask *task)
{
	uint32	   *stratum = swap->stratum;

	task->strata = swap->strata;
	if (any_size && stratum == NULL)
		stratum = sdc_memory_zeros(swap->units->count, sizeof(uint32));
	else if (!any_size)
	{
		stratum = sdc_memory_array(swap->units->count, sizeof(uint32));
		task->strata = sdc_units_size_classes(swap->units, swap->stratum, swap->strata, 1, stratum);
	}
	task->stratum = stratum;
}

/* describe_request writes the parameters that were asked for, without the end of the object. */
static StringInfo
describe_request(const SdcPermuteSwapRequest *request)
{
	StringInfo	json = makeStringInfo();

	appendStringInfo(json, "{\"" SDC_PARAMETER_RATE "\": %s, \"" SDC_PARAMETER_ANY_SIZE "\": %s",
					 sdc_shortest_text(request->rate), request->any_size ? "true" : "false");
	return json;
}

/* describe_result adds what was found. */
static char *
describe_result(const SdcPermuteSwapRequest *request, const SdcPermuteSwapResult *result, uint32 units)
{
	StringInfo	json = describe_request(request);
	double		all = Max(units, 1);

	appendStringInfo(json, ", \"" SDC_PARAMETER_LARGEST_STRATUM "\": %u, \"" SDC_PARAMETER_STRATA_FOUND
					 "\": %u, \"" SDC_PARAMETER_SINGLE_STRATA "\": %u", result->largest, result->strata, result->single);
	appendStringInfo(json, ", \"" SDC_PARAMETER_SELECTED_PERCENT "\": %s, ", sdc_shortest_text(100 * result->expected / all));
	appendStringInfo(json, "\"" SDC_PARAMETER_MOVED_PERCENT "\": %s}", sdc_shortest_text(100.0 * result->moved / all));
	return json->data;
}

/* protect has units exchange the values of the columns. */
static void
protect(SdcMethodStep *step, SdcSource *source, SdcSpool *spool, SdcRandom *random)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "sdc permutation swapping",
												  ALLOCSET_DEFAULT_SIZES);
	MemoryContext old = MemoryContextSwitchTo(context);
	const SdcPermuteSwapRequest *request = step->arguments;
	SdcPermuteSwapTask task = {.share = request->rate / 100};
	SdcPermuteSwapResult result;
	SdcUnitSwap swap;
	uint32	   *value;
	uint32	   *donor;

	sdc_unitswap_begin(&swap, source, spool);
	task.units = swap.units->count;
	value = sdc_memory_array(task.units, sizeof(uint32));
	donor = sdc_memory_array(task.units, sizeof(uint32));
	(void) sdc_unitswap_number(&swap, sdc_unitswap_unit_codes(&swap, step->columns, SDC_MEMBER_COLUMNS),
							   list_length(step->columns), value);
	task.value = value;
	find_strata(&swap, request->any_size, &task);
	sdc_permuteswap_donors(&task, sdc_random_start(random, "", PURPOSE_DERANGEMENT, 0), donor, &result);
	sdc_random_verify(random);
	sdc_unitswap_exchange(&swap, step, donor);
	MemoryContextSwitchTo(old);
	step->parameters = describe_result(request, &result, task.units);
	MemoryContextDelete(context);
}

/* sdc_permuteswap_prepare: see permuteswap.h. */
void
sdc_permuteswap_prepare(SdcMethodStep *step, const SdcPermuteSwapRequest *request)
{
	StringInfo	json = describe_request(request);

	appendStringInfoChar(json, '}');
	step->method = sdc_methods_find(SDC_METHOD_PERMUTATION_SWAP);
	step->arguments = request;
	step->parameters = json->data;
	step->check_plan = check_plan;
	step->protect = protect;
	step->unit_size = request->any_size ? SDC_UNIT_SIZE_ANY : SDC_UNIT_SIZE_EQUAL;
	step->changes = SDC_CHANGES_GROUPED;
	step->unchanged_hint = "Use a larger rate or larger strata.";
}
