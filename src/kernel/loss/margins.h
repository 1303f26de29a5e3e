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

/* A column in one file: codes have the order of the values, and SDC_CODE_NULL is a value that comes last. */
typedef struct SdcMarginsFile
{
	const uint32 *code;			/* by record */
	const double *weight;		/* by record, or NULL */
	uint32		records;
	double	   *count;			/* the weight of the records with each value: sdc_margins_count */
	uint64		room;			/* for counts */
	double		mass;			/* of all records */
} SdcMarginsFile;

/*
 * sdc_margins_count counts the records with each value, in the place of what was counted before in another column;
 * sdc_margins_end frees what that took.  O(records + codes).
 */
extern void sdc_margins_count(SdcMarginsFile *file, uint32 codes);
extern void sdc_margins_end(SdcMarginsFile *file);

/* sdc_margins_compare compares a column in two files with common codes.  O(codes); equal margins have exactly 0. */
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
 * sdc_margins_quantiles writes the quantiles of a file for ascending shares from 0 to 1, NaN without values: those of
 * type 7 of R. Hyndman and Y. Fan (1996), with weights the least values at which the cumulated weight reaches a share
 * of all.  value is the number of every code; those that are not finite are left out.  O(codes).
 */
extern void sdc_margins_quantiles(const SdcMarginsFile *file, const double *value, uint32 codes, const double *share,
								  int shares, double *quantile);

#endif							/* SDC_KERNEL_MARGINS_H */
