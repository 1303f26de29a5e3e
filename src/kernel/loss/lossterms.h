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
	double		terms;			/* sum of their weights, 1 without */
	double		undefined;		/* of what should be terms, and are no numbers */
	uint64		left_out;		/* these, and terms with lost values */
	SdcMomentsSum shares;		/* of the values that are lost, of what is undefined */
} SdcLossterms;

/*
 * sdc_lossterms_add adds a term, which is undefined if it is not a finite number.  lost: the share of its
 * values that is lost.
 */
extern void sdc_lossterms_add(SdcLossterms *terms, double term, double lost);

/*
 * sdc_lossterms_add_pil adds the term of the probabilistic measure for a statistic that
 * changed by so many standard errors.
 */
extern void sdc_lossterms_add_pil(SdcLossterms *terms, double standard_errors, double lost);

/*
 * sdc_lossterms_measure fills everything in loss from a table, which has the products
 * of order four if with_pil.  quantiles: the terms of that part, or NULL.
 * deviation: of every attribute the standard deviation without weights, NULL where there are none.
 */
extern void sdc_lossterms_measure(const SdcMomentsTable *table, bool with_pil,
								  const SdcLossterms *quantiles, const double *deviation, SdcLoss *loss);

#endif							/* SDC_KERNEL_LOSSTERMS_H */
