/*-------------------------------------------------------------------------
 *
 * unpram.h
 *		Counts of the original, estimated from those of a release whose categories were drawn by matrices.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_UNPRAM_H
#define SDC_KERNEL_UNPRAM_H

#include "kernel/base/kernel_env.h"

/* A column of a table of counts.  Its first codes were drawn by a matrix; the others stay, such as missing values. */
typedef struct SdcUnpramAxis
{
	uint32		codes;
	uint32		drawn;			/* so many of them */
	const double *inverse;		/* of the transposed matrix, row by row */
} SdcUnpramAxis;

/*
 * sdc_unpram_invert inverts the transposed of a matrix whose rows sum to 1, and returns its condition: the sum of the
 * absolute values of a column of the inverse at most; infinity: there is none.  O(count^3).
 */
extern double sdc_unpram_invert(const double *matrix, uint32 count, double *inverse);

/*
 * sdc_unpram_cells estimates the counts of the cells of all axes, the last one fastest, and their standard errors
 * given the original.
 */
extern void sdc_unpram_cells(const SdcUnpramAxis *axis, int axes, const uint64 *records, double *estimate,
							 double *error);

#endif							/* SDC_KERNEL_UNPRAM_H */
