/*-------------------------------------------------------------------------
 *
 * coarsemargins.h
 *		How far the distribution of a column is from that of its source, and no record's value.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_COARSEMARGINS_H
#define SDC_KERNEL_COARSEMARGINS_H

#include "kernel/base/grain.h"

/*
 * sdc_coarsemargins_spread compares the mean and the standard deviation of two files of one column; NaN and infinity
 * are missing.  Errors are relative to the release, and numbers of the source beyond those of the release count as its
 * ends. A release without two different numbers withholds both.
 */
extern void sdc_coarsemargins_spread(const double *original, const double *released, uint32 records, uint32 grain,
									 SdcFigure *mean, SdcFigure *deviation);

/*
 * sdc_coarsemargins_distances compares the numbers of records in the classes of a column: the greatest difference of
 * the distribution functions, and Hellinger's distance.  Less than two classes withhold both.
 */
extern void sdc_coarsemargins_distances(const uint32 *original, const uint32 *released, uint32 classes, uint32 records,
										uint32 grain, SdcFigure *kolmogorov, SdcFigure *hellinger);

#endif							/* SDC_KERNEL_COARSEMARGINS_H */
