/*-------------------------------------------------------------------------
 *
 * permutationsummary.h
 *		What is around records in a permuted release, and the distances summed up.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_PERMUTATIONSUMMARY_H
#define SDC_KERNEL_PERMUTATIONSUMMARY_H

#include "kernel/rank/permutationdistance.h"

/* What is found for all of them; the first three are of those that are not infinite, 0 without any. */
typedef struct SdcPermutationSummary
{
	uint32		minimum;
	double		median;
	double		mean;
	uint32		infinite;		/* how many are */
	double		own;			/* queries whose own record is nearest: the sum of 1 / ties */
	double		near_share;		/* of the queries: chance is at most 0.05 */
	double		expected;		/* mean over the queries */
} SdcPermutationSummary;

/*
 * sdc_permutationsummary_around tells what is within d of each query in one column: variance[q], the variance
 * of the released values there over that of the column (NaN for a column without numbers or with one number,
 * for a missing value and an infinite d), and frequency[q], the share of the most frequent value (NaN for a
 * missing value and an infinite d).  O(log codes) a query.
 */
extern void sdc_permutationsummary_around(const SdcPermutationTask *task, int attribute,
										  const SdcPermutationRecord *result,
										  double *variance, double *frequency);

/* sdc_permutationsummary_make needs chance and expected. */
extern void sdc_permutationsummary_make(const SdcPermutationRecord *result, uint32 queries,
										SdcPermutationSummary *summary);

#endif							/* SDC_KERNEL_PERMUTATIONSUMMARY_H */
