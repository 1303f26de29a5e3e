/*-------------------------------------------------------------------------
 *
 * permutationdistance.h
 *		How far records were permuted, as a person can see in the release, and as chance would have it.
 *
 * The gap of an original value and a released one is the number of positions between the values equal to
 * the one and those equal to the other in the sorted released column (sdc_rankwindow_distance). Missing
 * values have gap 0 to each other, and are infinitely far from values.  The gap of two records is the
 * greatest of their columns.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_PERMUTATIONDISTANCE_H
#define SDC_KERNEL_PERMUTATIONDISTANCE_H

#include "kernel/base/pairs.h"

/* Infinite: no released record has its missing values where the original one has them. */
#define SDC_PERMUTATION_INFINITE UINT32_MAX

/* With more records the expected gap of one can be wrong by one in a thousand, their mean by one in 10,000. */
#define SDC_PERMUTATION_EXACT 10000

/* A column; codes are common to original and released values, and have their order. */
typedef struct SdcPermutationColumn
{
	const uint32 *original;		/* of each query, or SDC_CODE_NULL */
	const uint32 *released;		/* of each released record */
	uint32		codes;
	const double *value;		/* the number of each code, NaN where it is not finite;
								 * NULL: the column has no numbers, and no variance */
} SdcPermutationColumn;

/* Originals, the queries, and a release.  A person has one query, and does not know his own record. */
typedef struct SdcPermutationTask
{
	uint32		records;		/* of the release */
	int			attributes;
	const SdcPermutationColumn *column;
	uint32		queries;
	const uint32 *own;			/* the released record of each query; NULL: not known */
	bool		chance;			/* fill in chance and expected, which costs time */
} SdcPermutationTask;

/* What is found for a query. */
typedef struct SdcPermutationRecord
{
	uint32		distance;		/* least gap to a released record, d */
	uint32		ties;			/* released records at this gap; 0: infinite */
	uint32		shift;			/* gap to his own, at least d; infinite if it is not known */
	bool		own;			/* his own is among the nearest */
	double		chance;			/* probability of a least gap of at most d under random permutations; 1
								 * if infinite */
	double		expected;		/* the mean of the least gap then; an infinite one counts as records */
} SdcPermutationRecord;

/*
 * sdc_permutationdistance_find fills result[q] for every query.  A tree of the released records is searched:
 * O(log records) a query where d is small, O(records) where it is not.  expected takes O(records attributes)
 * a query at worst, less where values are frequent, and with more than SDC_PERMUTATION_EXACT records
 * O(attributes).
 */
extern void sdc_permutationdistance_find(const SdcPermutationTask *task,
										 SdcPermutationRecord *result);

#endif							/* SDC_KERNEL_PERMUTATIONDISTANCE_H */
