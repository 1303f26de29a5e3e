/*-------------------------------------------------------------------------
 *
 * groupcondition.c
 *		What a group of records must satisfy: size, diversity, closeness to the source.
 *
 * Entropy l-diversity and t-closeness, as in mondrian.c and groupprivacy.c.  Neither depends on the order of anything:
 * sums are of whole numbers, or sorted.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <math.h>

#include "kernel/groups/entropy.h"
#include "kernel/partition/groupcondition.h"

/* What conditions on an entropy and a distance allow for rounding. */
#define TOLERANCE 1e-12

/* distance is how far the sensitive values of so many records are from those of the source. */
static double
distance(const SdcGroupCondition *condition, const uint64 *count, uint64 records)
{
	uint64		source = 0;
	uint32		values = 0;
	uint64		above = 0;
	uint64		own = 0;
	uint64		all = 0;
	double		sum = 0;

	for (uint32 s = 0; s < condition->sensitive->codes; s++)
	{
		source += condition->total[s];
		values += condition->total[s] > 0;
	}
	for (uint32 s = 0; s < condition->sensitive->codes; s++)
	{
		uint64		observed = count[s] * source;
		uint64		expected = condition->total[s] * records;

		sdc_interrupts_step(s);
		above += observed > expected ? observed - expected : 0;
		own += observed;
		all += expected;
		/* a code that no record has is no value */
		if (condition->total[s] > 0)
			sum += (double) (own > all ? own - all : all - own);
	}
	if (!condition->ordered)
		return (double) above / (double) (records * source);
	return values < 2 ? 0 : sum / ((double) records * (double) source) / (values - 1);
}

/* sdc_groupcondition_holds: see groupcondition.h. */
bool
sdc_groupcondition_holds(const SdcGroupCondition *condition, const uint64 *count, uint64 records)
{
	if (condition->l > 0 &&
		sdc_entropy_of_counts(count, condition->sensitive->codes) < log(condition->l) - TOLERANCE)
		return false;
	return condition->t < 0 || distance(condition, count, records) <= condition->t + TOLERANCE;
}

/* sdc_groupcondition_least: see groupcondition.h. */
uint32
sdc_groupcondition_least(const SdcGroupCondition *condition, uint32 least, uint32 most)
{
	/* fewer records have a lower entropy */
	while (condition->l > 0 && least < most && log(least) < log(condition->l) - TOLERANCE)
		least++;
	return least;
}
