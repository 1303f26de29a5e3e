/*-------------------------------------------------------------------------
 *
 * permuteswap.h
 *		Permutation swapping: some units of every stratum exchange values, by a derangement; and its epsilon.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_PERMUTESWAP_H
#define SDC_KERNEL_PERMUTESWAP_H

#include "kernel/base/kernel_env.h"
#include "kernel/base/stream.h"

typedef struct SdcPermuteSwapTask
{
	uint32		units;
	const uint32 *stratum;		/* of each unit, 0 .. strata - 1; some strata may have no unit */
	uint32		strata;
	const uint32 *value;		/* of each unit: a number that is the same for equal values */
	double		share;			/* of the units that are selected, above 0 and below 1 */
} SdcPermuteSwapTask;

typedef struct SdcPermuteSwapResult
{
	uint32		strata;			/* that have units */
	uint32		single;			/* that have one, which stays */
	uint32		largest;		/* units of the largest stratum with two different values; 0: there is none */
	uint32		selected;		/* units */
	uint32		moved;			/* units that get another value */
	double		expected;		/* units that are selected, on average */
} SdcPermuteSwapResult;

/*
 * sdc_permuteswap_donors draws which units are selected, and writes whose value each gets: its own, or that of another
 * unit of its stratum.  O(units + strata), on average.
 */
extern void sdc_permuteswap_donors(const SdcPermuteSwapTask *task, SdcStream *stream, uint32 *donor,
								   SdcPermuteSwapResult *result);

/*
 * sdc_permuteswap_derange writes a derangement of 0 .. count - 1, all being equally likely; count is not 1.  O(count),
 * on average.
 */
extern void sdc_permuteswap_derange(SdcStream *stream, uint32 count, uint32 *donor);

/* sdc_permuteswap_selected is the share of the units of a stratum that is selected, on average. */
extern double sdc_permuteswap_selected(uint32 units, double share);

/*
 * sdc_permuteswap_epsilon bounds the logarithm of the ratio of the probabilities of a release, for each unit in which
 * two files with the same invariants differ; largest is that of the result.  0 where it is.
 */
extern double sdc_permuteswap_epsilon(uint32 largest, double share);

/* sdc_permuteswap_attained is what this logarithm is at worst, without equal values; NaN where no formula is known. */
extern double sdc_permuteswap_attained(uint32 largest, double share);

#endif							/* SDC_KERNEL_PERMUTESWAP_H */
