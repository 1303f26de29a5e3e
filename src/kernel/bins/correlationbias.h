/*-------------------------------------------------------------------------
 *
 * correlationbias.h
 *		The correlation bias of swapping within bins: measured, and expected before it is done.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_CORRELATIONBIAS_H
#define SDC_KERNEL_CORRELATIONBIAS_H

#include "kernel/base/kernel_env.h"

typedef struct SdcBiasTask
{
	const double *const *value; /* of each attribute, by record; NaN: missing */
	int			attributes;
	uint32		records;
	const bool *swapped;		/* attributes that move jointly */
	const uint32 *bin;			/* of each record; UINT32_MAX: the record stays as it is */
	uint32		bins;
	bool		bias_only;		/* the deviation is not wanted: it is NaN */
} SdcBiasTask;

typedef struct SdcExpectedBias
{
	double		bias;			/* expected mean of |rho - rho'| over all pairs of attributes; NaN
								 * without a pair */
	double		deviation;		/* standard deviation of that of one run, as far as it is known in
								 * closed form; NaN without a pair */
	int			pairs;			/* pairs of attributes that are not constant */
} SdcExpectedBias;

/*
 * sdc_correlationbias_expected computes in closed form what swapping within bins does to
 * correlations.
 */
extern void sdc_correlationbias_expected(const SdcBiasTask *task, SdcExpectedBias *result);

/* What is found of the records of a task once, for any number of ways to put them into bins. */
typedef struct SdcBiasPairs SdcBiasPairs;

/*
 * sdc_correlationbias_begin finds it; the bins of the task are not looked at.  sdc_correlationbias_of does then what
 * sdc_correlationbias_expected does, with these bins.
 */
extern SdcBiasPairs *sdc_correlationbias_begin(const SdcBiasTask *task);
extern void sdc_correlationbias_of(SdcBiasPairs *pairs, const uint32 *bin, uint32 bins, SdcExpectedBias *result);
extern void sdc_correlationbias_end(SdcBiasPairs *pairs);

/*
 * sdc_correlationbias_measured returns the mean of |rho - rho'| over pairs of attributes of two
 * files; NaN without a pair.  A record counts for a pair if it has both values in both files; a
 * pair with a constant in one of them is left out.
 */
extern double sdc_correlationbias_measured(const double *const *original,
										   const double *const *protected,
										   int attributes, uint32 records);

/*
 * sdc_correlationbias_pairs does the same, and says what each correlation is: rho[0] and rho[1],
 * of attributes (attributes + 1) / 2 numbers, take those of the two files, that of i > j at
 * i (i + 1) / 2 + j.  What has none is NaN in both.
 */
extern double sdc_correlationbias_pairs(const double *const *original,
										const double *const *protected,
										int attributes, uint32 records, double *const rho[2]);

#endif							/* SDC_KERNEL_CORRELATIONBIAS_H */
