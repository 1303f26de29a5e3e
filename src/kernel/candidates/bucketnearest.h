/*-------------------------------------------------------------------------
 *
 * bucketnearest.h
 *		The nearest records of a bucket, where distance is all there is to tell them apart.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_BUCKETNEAREST_H
#define SDC_KERNEL_BUCKETNEAREST_H

#include "kernel/candidates/conditions.h"


/*
 * sdc_bucketnearest_run links originals of one bucket, which has a single cell: record[i] is linked
 * to link[i].  There are no windows, nothing is randomized, and there is a dimension.
 */
extern void sdc_bucketnearest_run(SdcConditions *conditions, uint32 bucket, const uint32 *record,
								  uint32 count, SdcCandidatesLink *link);

#endif							/* SDC_KERNEL_BUCKETNEAREST_H */
