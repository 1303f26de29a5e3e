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

/* A column in one file. */
typedef struct SdcMarginsFile
{
	const uint32 *code;			/* by record */
	const double *weight;		/* by record, or NULL */
	uint32		records;
} SdcMarginsFile;

/*
 * sdc_margins_compare compares a column: codes are common to both files and have the order of the
 * values, and SDC_CODE_NULL is a value that comes last.  Linear; equal margins have exactly 0.
 */
extern void sdc_margins_compare(const SdcMarginsFile *original, const SdcMarginsFile *released, uint32 codes,
								SdcMargins *result);

/* The finite ones of some values. */
typedef struct SdcMarginsSpread
{
	uint32		values;
	double		mass;			/* the sum of their weights; values without */
	double		squares;		/* of the weights */
	double		mean;			/* NaN without values */
	double		deviation;		/* standard deviation, / (values - 1), or with weights / mass; NaN where that is 0 */
	double		error;			/* standard error of the mean (clusters.h); NaN with less than two */
} SdcMarginsSpread;

/* What values are of. */
typedef struct SdcMarginsRecords
{
	uint32		records;
	const uint32 *unit;			/* of every record, for the errors of weighted means; or NULL: each is one */
	uint32		units;
} SdcMarginsRecords;

/* sdc_margins_spread describes values, which have weights unless these are NULL. */
extern void sdc_margins_spread(const double *value, const double *weight, const SdcMarginsRecords *of,
							   SdcMarginsSpread *spread);

/*
 * sdc_margins_quantiles writes the quantiles (type 7 of R. Hyndman and Y. Fan, 1996) of the finite ones of some values:
 * quantile[q] for the share 0 <= share[q] <= 1, NaN without values.  O(records).
 */
extern void sdc_margins_quantiles(const double *value, uint32 records, const double *share,
								  int shares, double *quantile);

/*
 * sdc_margins_weighted_quantiles writes the least values at which the cumulated weight reaches a share of all, for
 * ascending shares: value is the number of every code, in their order; those that are not finite are left out.
 */
extern void sdc_margins_weighted_quantiles(const SdcMarginsFile *file, const double *value, uint32 codes,
										   const double *share, int shares, double *quantile);

#endif							/* SDC_KERNEL_MARGINS_H */
