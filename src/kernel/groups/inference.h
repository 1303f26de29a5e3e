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

/* The sets of attributes that the combinations of the release are looked at by are at most so many. */
#define SDC_INFERENCE_GROUPINGS (UINT32_C(1) << 14)

typedef struct SdcInferenceTask
{
	const SdcPairs *pairs;
	int			draws;			/* attributes drawn for a record, at least 1 */
	const double *probability;	/* of each attribute to be drawn, where it is one; otherwise all are as likely */
	const uint32 *stratum;		/* of each record, 0 .. strata - 1: donors are of the same; NULL: of all */
	uint32		strata;
} SdcInferenceTask;

typedef struct SdcInference
{
	double		mean;			/* of the maximal inference probability over the records */
	double		maximum;
	double		bound_mean;		/* of the corrected bound on it */
	double		bound_maximum;
	double		amplification_mean; /* heaviest over lightest candidate; NaN: not known with more than one draw */
	double		amplification_maximum;
	double		hits;			/* records that the best guess gets right: a sum of shares, 1 / c of a
								 * record one of whose c heaviest candidates is the right one */
	double		true_mean;		/* of the probability of the true original over the records */
	double		anonymity;		/* 1 / its geometric mean; infinite: one is 0 */
	double		gamma_mean;		/* of the largest over the smallest probability of becoming the record */
	double		gamma_maximum;
	uint64		unchanged;		/* records whose combination is the original one */
	uint64		impossible;		/* records that no original can have become: in no mean or maximum */
} SdcInference;

/*
 * sdc_inference_groupings returns by how many sets of attributes the combinations of a release have to be looked at, or
 * SDC_INFERENCE_GROUPINGS + 1 where they are too many.
 */
extern uint32 sdc_inference_groupings(int attributes, int draws);

/*
 * sdc_inference_measure looks at a release of RA 1 or RA 2, whose groupings are not too many.  A missing value is a
 * value that is never replaced nor donated.  Without records all is 0.
 */
extern void sdc_inference_measure(const SdcInferenceTask *task, SdcInference *result);

#endif							/* SDC_KERNEL_INFERENCE_H */
