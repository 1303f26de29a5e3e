/*-------------------------------------------------------------------------
 *
 * histogramdistance.h
 *		How far the joint histogram of a protected file is from that of the original one.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_HISTOGRAMDISTANCE_H
#define SDC_KERNEL_HISTOGRAMDISTANCE_H

#include "kernel/base/kernel_env.h"


/*
 * sdc_histogramdistance_variation returns the total variation between the joint histograms of two
 * files on a grid of intervals equal intervals of the original ranges: 0 .. 1.  Values outside
 * count to the outer intervals, missing ones are an interval of their own.  At most 2^31 - 1
 * records.
 */
extern double sdc_histogramdistance_variation(const double *const *original,
											  const double *const *protected,
											  int attributes, uint32 records, uint32 intervals);

#endif							/* SDC_KERNEL_HISTOGRAMDISTANCE_H */
