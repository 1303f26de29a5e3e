/*-------------------------------------------------------------------------
 *
 * samplerisk.c
 *		What a sample tells of the population that it was drawn from.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "kernel/groups/attackerrisk.h"
#include "kernel/groups/pitman.h"
#include "measure/groups/samplerisk.h"
#include "relation/read/groupcount.h"

/* classes_of is how many classes have so many records. */
static uint64
classes_of(const SdcGroupHistogram *histogram, uint64 size)
{
	for (uint32 i = 0; i < histogram->sizes && histogram->size[i] <= size; i++)
		if (histogram->size[i] == size)
			return histogram->groups[i];
	return 0;
}

/* sdc_samplerisk_of: see samplerisk.h. */
void
sdc_samplerisk_of(Oid relid, List *qi, List *unit, double fraction, SdcSampleRisk *result)
{
	SdcGroupHistogram histogram;
	SdcClassSizes sizes;
	SdcPitman	pitman;

	sdc_groupcount_histogram(relid, qi, unit, &histogram);
	result->uniques = classes_of(&histogram, 1);
	result->pairs = classes_of(&histogram, 2);
	result->match = sdc_attackerrisk_match(result->uniques, result->pairs, fraction);
	sizes.sizes = histogram.sizes;
	sizes.size = histogram.size;
	sizes.classes = histogram.groups;
	result->population = result->population_k = NAN;
	if (sdc_pitman_fit(&sizes, &pitman))
		result->population = sdc_pitman_uniques(&pitman, (double) histogram.records / fraction);
}

/* sdc_samplerisk_weighted: see samplerisk.h. */
void
sdc_samplerisk_weighted(Oid relid, List *qi, List *unit, const char *weight, SdcSampleRisk *result)
{
	SdcGroupMasses masses;

	sdc_groupcount_masses(relid, qi, unit, weight, &masses);
	result->uniques = masses.uniques;
	result->pairs = masses.pairs;
	result->match = masses.uniques + masses.pairs == 0 ? NAN :
		(double) masses.uniques / ((double) masses.uniques + masses.others);
	result->population_k = masses.least;
	result->population = NAN;
}
