/*-------------------------------------------------------------------------
 *
 * sample.h
 *		Simple random samples of records, and what a rate in one tells.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_SAMPLE_H
#define SDC_KERNEL_SAMPLE_H

#include "kernel/base/kernel_env.h"
#include "kernel/base/stream.h"

/*
 * sdc_sample_draw writes count of the records 0 .. records - 1, drawn without replacement,
 * to record in ascending order; count <= records.  O(records).
 */
extern void sdc_sample_draw(SdcStream *stream, uint32 records, uint32 count, uint32 *record);

/* sdc_sample_shuffle permutes an array uniformly. */
extern void sdc_sample_shuffle(SdcStream *stream, uint32 *element, uint32 count);

/*
 * sdc_sample_interval writes the 95 % confidence interval of the rate of a population of
 * records in count of which, a simple random sample, hits were seen.  hits may be a sum of shares
 * between 0 and 1, for which the interval is wide enough too.  count = 0: 0 to 1.
 */
extern void sdc_sample_interval(double hits, uint64 count, uint64 records,
								double *low, double *high);

#endif							/* SDC_KERNEL_SAMPLE_H */
