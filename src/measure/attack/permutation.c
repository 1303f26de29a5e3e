/*-------------------------------------------------------------------------
 *
 * permutation.c
 *		How far the records of a release were permuted, and whether chance does as much.
 *
 * The reverse mapping of J. Domingo-Ferrer and K. Muralidhar (2016) takes whatever a method did for a
 * permutation and noise that keeps ranks; here ranks are all that is looked at, so that it need not be made.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "measure/attack/permutation.h"
#include "relation/base/memory.h"

/* describe_columns makes columns of pairs. */
static SdcPermutationColumn *
describe_columns(const SdcPairs *pairs)
{
	SdcPermutationColumn *column = palloc0(sizeof(SdcPermutationColumn) * Max(pairs->attributes, 1));

	for (int j = 0; j < pairs->attributes; j++)
	{
		column[j].original = pairs->column[j].original;
		column[j].released = pairs->column[j].protected;
		column[j].codes = pairs->column[j].codes;
		column[j].value = pairs->column[j].value;
	}
	return column;
}

/* find_all runs the kernel for all records of a release, every one of which is its own. */
static SdcPermutationRecord *
find_all(const SdcPairedRelease *paired, bool chance)
{
	SdcPermutationTask task = {.chance = chance};
	SdcPermutationRecord *result;
	uint32	   *own;

	task.records = task.queries = paired->pairs.records;
	task.attributes = paired->pairs.attributes;
	task.column = describe_columns(&paired->pairs);
	result = sdc_memory_array(task.records, sizeof(SdcPermutationRecord));
	own = sdc_memory_array(task.records, sizeof(uint32));
	for (uint32 i = 0; i < task.records; i++)
	{
		own[i] = i;
		sdc_interrupts_step(i);
	}
	task.own = own;
	sdc_permutationdistance_find(&task, result);
	sdc_free(own);
	return result;
}

/* sdc_permutation_distances: see permutation.h. */
void
sdc_permutation_distances(const SdcEvaluation *evaluation, SdcPermutationEmit emit, void *arg)
{
	SdcPairedRelease *paired = evaluation->paired;
	SdcPermutationRecord *found = find_all(paired, false);
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "sdc row",
												  ALLOCSET_SMALL_SIZES);
	MemoryContext old = MemoryContextSwitchTo(context);

	for (uint32 i = 0; i < paired->pairs.records; i++)
	{
		emit(arg, sdc_pairedrelease_key(paired, i), found[i].distance, found[i].shift, found[i].ties);
		MemoryContextReset(context);
		if (i % 1024 == 0)
			CHECK_FOR_INTERRUPTS();
	}
	MemoryContextSwitchTo(old);
}

/* sdc_permutation_summary: see permutation.h. */
void
sdc_permutation_summary(const SdcEvaluation *evaluation, SdcPermutationSummary *summary)
{
	sdc_permutationsummary_make(find_all(evaluation->paired, true),
									  evaluation->paired->pairs.records, summary);
}
