/*-------------------------------------------------------------------------
 *
 * coarsecorrelation.h
 *		How much a release changes the correlations of columns, and no record's value.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_COARSECORRELATION_H
#define SDC_KERNEL_COARSECORRELATION_H

#include "kernel/base/grain.h"

/* A column by classes: of each record -span, 2 - span, ..., span, for the lowest to the highest class; missing: 0. */
typedef struct SdcCoarseScores
{
	const int8 *original;
	const int8 *released;
	int			span;			/* classes less one: at least 1 */
} SdcCoarseScores;

/*
 * sdc_coarsecorrelation_change writes how much the correlation of two columns changes, as it is, and how much one
 * record can move that: figures of several pairs are rounded together.  NaN: it has none in one of the files.
 */
extern void sdc_coarsecorrelation_change(const SdcCoarseScores *x, const SdcCoarseScores *y, uint32 records,
										 uint32 grain, double *change, double *move);

#endif							/* SDC_KERNEL_COARSECORRELATION_H */
