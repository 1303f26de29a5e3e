/*-------------------------------------------------------------------------
 *
 * ldiversity.c
 *		The l-diversity of the groups of a relation.
 *
 * With distinct values and with entropy, as in A. Machanavajjhala, D. Kifer, J. Gehrke,
 * M. Venkitasubramaniam, "l-diversity: privacy beyond k-anonymity" (2007).
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "kernel/groups/entropy.h"
#include "measure/groups/ldiversity.h"
#include "relation/read/groupcount.h"

/* The least diverse groups so far. */
typedef struct Diversity
{
	bool		any;			/* there is a group */
	uint64		distinct;		/* values */
	double		entropy;
	double		most;
} Diversity;

/* judge_group is the SdcGroupValues that looks for the least diversity. */
static void
judge_group(void *arg, const SdcGroupCounts *counts)
{
	Diversity  *least = arg;
	double		entropy = sdc_entropy_of_counts(counts->count, counts->values);

	if (!least->any || counts->values < least->distinct)
		least->distinct = counts->values;
	for (uint64 i = 0; i < counts->values; i++)
		least->most = fmax(least->most, (double) counts->count[i] / (double) counts->size);
	if (!least->any || entropy < least->entropy)
		least->entropy = entropy;
	least->any = true;
}

/* sdc_ldiversity_measure looks at every group. */
void
sdc_ldiversity_measure(Oid relid, List *qi, const char *sensitive, List *unit, SdcLDiversity *result)
{
	Diversity	least = {0};

	sdc_groupcount_values(relid, qi, sensitive, unit, judge_group, &least);
	result->any = least.any;
	result->distinct = least.distinct;
	result->entropy = exp(least.entropy);
	result->most = least.most;
}
