/*-------------------------------------------------------------------------
 *
 * groupspan.h
 *		How many of a column's values the ranges and sets of its groups have.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_GROUPSPAN_H
#define SDC_KERNEL_GROUPSPAN_H

#include "kernel/base/pairs.h"

/* A column, and its groups. */
typedef struct SdcGroupSpanTask
{
	uint32		records;
	const uint32 *code;			/* of each record: 0 .. codes - 1 in the order of the values, or SDC_CODE_NULL */
	uint32		codes;			/* all occur */
	const uint32 *group;		/* of each record, 0 .. groups - 1 */
	uint32		groups;
	bool		ranges;			/* a group is released as a range, otherwise as a set of values */
} SdcGroupSpanTask;

/*
 * The span of a group is the number of different values of the column that its range or set has; a missing value is one
 * of a set.  It is 0 if all records of the group have the same value, and all of the column where a range is missing.
 */
typedef struct SdcGroupSpan
{
	uint64		sum;			/* of the spans of the records' groups */
	uint64		all;			/* what it would be in one group; 0 if the column has no more than one value */
} SdcGroupSpan;

/* sdc_groupspan_measure adds up the spans; O(records + codes + groups). */
extern SdcGroupSpan sdc_groupspan_measure(const SdcGroupSpanTask *task);

/* sdc_groupspan_percent is the mean over the records, in percent of the values, rounded down; 0 without any. */
static inline int
sdc_groupspan_percent(SdcGroupSpan span)
{
	int			percent;

	if (span.sum == span.all)
		return span.all > 0 ? 100 : 0;
	/* a share such as 0.29 is not to become 28.999 */
	percent = (int) ((double) span.sum / (double) span.all * 100.0 + 1e-9);
	return percent < 100 ? percent : 99;
}

#endif							/* SDC_KERNEL_GROUPSPAN_H */
