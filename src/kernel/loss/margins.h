/*-------------------------------------------------------------------------
 *
 * margins.h
 *		How far the distributions of one column in two files are apart, and what describes one.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_MARGINS_H
#define SDC_KERNEL_MARGINS_H

#include "kernel/base/kernel_env.h"
#include "kernel/base/pairs.h"

/* NaN if one of the files has no records. */
typedef struct SdcMargins
{
	double		kolmogorov;		/* greatest difference of the distribution functions */
	double		hellinger;		/* sqrt(1 - sum of sqrt(p p')) */
} SdcMargins;

/*
 * sdc_margins_compare compares a column: codes are common to both files and have the order of the
 * values, and SDC_CODE_NULL is a value that comes last.  Linear; equal margins have exactly 0.
 */
extern void sdc_margins_compare(const uint32 *original, uint32 originals, const uint32 *released,
								uint32 releases, uint32 codes, SdcMargins *result);

/* The finite ones of some values. */
typedef struct SdcMarginsSpread
{
	uint32		values;
	double		mean;			/* NaN without values */
	double		deviation;		/* standard deviation, / (values - 1); NaN with less than two */
} SdcMarginsSpread;

extern void sdc_margins_spread(const double *value, uint32 records, SdcMarginsSpread *spread);

/*
 * sdc_margins_quantiles writes the quantiles (type 7 of R. Hyndman and Y. Fan, 1996) of the finite ones of some values:
 * quantile[q] for the share 0 <= share[q] <= 1, NaN without values.  O(records).
 */
extern void sdc_margins_quantiles(const double *value, uint32 records, const double *share,
								  int shares, double *quantile);

#endif							/* SDC_KERNEL_MARGINS_H */
