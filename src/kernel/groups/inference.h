/*-------------------------------------------------------------------------
 *
 * inference.h
 *		What an intruder who knows the original frequencies infers from random anonymization.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_INFERENCE_H
#define SDC_KERNEL_INFERENCE_H

#include "kernel/base/pairs.h"

typedef struct SdcInference
{
	double		mean;			/* of the maximal inference probability over the records */
	double		maximum;
	double		bound_mean;		/* of the corrected bound on it */
	double		bound_maximum;
	double		amplification_mean; /* heaviest over lightest candidate */
	double		amplification_maximum;
	double		hits;			/* records that the best guess gets right: a sum of shares, 1 / c of a
								 * record one of whose c heaviest candidates is the right one */
	uint64		unchanged;		/* records whose combination is the original one */
	uint64		impossible;		/* records that no original can have become: in no mean or maximum */
} SdcInference;


/*
 * sdc_inference_risk looks at a release of RA 1 by the probabilities that attributes were drawn
 * with.  A missing value is a value that is never replaced nor donated.  Without records all is 0.
 */
extern void sdc_inference_measure(const SdcPairs *pairs, const double *probability,
								  SdcInference *result);

#endif							/* SDC_KERNEL_INFERENCE_H */
