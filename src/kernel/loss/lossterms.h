/*-------------------------------------------------------------------------
 *
 * lossterms.h
 *		The measures of information loss that follow from moments.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_LOSSTERMS_H
#define SDC_KERNEL_LOSSTERMS_H

#include "kernel/base/moments.h"
#include "kernel/loss/loss.h"

/* The terms of a mean. */
typedef struct SdcLossterms
{
	SdcMomentsSum sum;
	uint64		terms;
	uint64		left_out;
} SdcLossterms;

/* sdc_lossterms_add adds a term, or leaves it out if it is not a finite number. */
extern void sdc_lossterms_add(SdcLossterms *terms, double term);

/*
 * sdc_lossterms_add_pil adds the term of the probabilistic measure for a statistic that
 * changed by so many standard errors.
 */
extern void sdc_lossterms_add_pil(SdcLossterms *terms, double standard_errors);

/*
 * sdc_lossterms_measure fills everything in loss from a table, which has the products
 * of order four if with_pil.  quantiles: the terms of that part, or NULL.
 */
extern void sdc_lossterms_measure(const SdcMomentsTable *table, bool with_pil,
								  const SdcLossterms *quantiles, SdcLoss *loss);

#endif							/* SDC_KERNEL_LOSSTERMS_H */
