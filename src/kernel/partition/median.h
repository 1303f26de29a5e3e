/*-------------------------------------------------------------------------
 *
 * median.h
 *		The median of some whole numbers, and how many are less.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_MEDIAN_H
#define SDC_KERNEL_MEDIAN_H

#include "kernel/base/kernel_env.h"

typedef struct SdcMedian
{
	uint32		value;
	uint32		less;			/* how many numbers are less */
	uint32		equal;			/* and how many are equal */
} SdcMedian;

/*
 * sdc_median_find finds the element number (n - 1) / 2 of n sorted numbers, n > 0, none of which
 * is greater than span.  spare has n words, its contents are lost; credit is that of
 * sdc_interrupts_spend.  O(n), whatever the numbers are.
 */
extern void sdc_median_find(const uint32 *value, uint32 n, uint32 span, uint32 *spare,
							uint32 *credit, SdcMedian *median);

#endif							/* SDC_KERNEL_MEDIAN_H */
