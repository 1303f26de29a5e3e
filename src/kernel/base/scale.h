/*-------------------------------------------------------------------------
 *
 * scale.h
 *		Values of an attribute measured from its smallest one, in units of about its range.
 *
 * Scaled values are 0 to 2, so that no sum or product of them overflows or vanishes, and what tells
 * values apart that are far from 0 is not lost in their mean.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_SCALE_H
#define SDC_KERNEL_SCALE_H

#include "kernel/base/kernel_env.h"
#include "kernel/base/moments.h"

typedef struct SdcScale
{
	double		half;			/* 1, or 1/2 for values whose difference may overflow */
	double		low;			/* the smallest, times half */
	double		unit;			/* a power of 2, about 1 / (half range) */
	bool		constant;		/* no two values differ, or there are none */
	bool		missing;		/* there are missing values */
} SdcScale;

/*
 * sdc_scale_limits finds the smallest and the largest value that is not missing, and returns how
 * many there are; without any, low is above high.
 */
extern uint32 sdc_scale_limits(const double *value, uint32 records, double *low, double *high);

/* sdc_scale_find finds the scale of an attribute. */
extern void sdc_scale_find(const double *value, uint32 records, SdcScale *scale);

/* sdc_scale_value is a value on its scale; what is missing is NaN. */
static inline double
sdc_scale_value(const SdcScale *scale, double value)
{
	if (!sdc_moments_present(value))
		return NAN;
	return (value * scale->half - scale->low) * scale->unit;
}

/* Sums of products that are made at the same time. */
#define SDC_SCALE_LANES 4
typedef double SdcScaleLanes
__attribute__((vector_size(SDC_SCALE_LANES * sizeof(double)), aligned(8), may_alias));

/* sdc_scale_product is the sum of the products of two arrays. */
static inline double
sdc_scale_product(const double *x, const double *y, uint32 n)
{
	SdcScaleLanes sum = {0};
	uint32		i = 0;

	for (; n - i >= SDC_SCALE_LANES; i += SDC_SCALE_LANES)
		sum += *(const SdcScaleLanes *) (x + i) * *(const SdcScaleLanes *) (y + i);
	for (; i < n; i++)
		sum[0] += x[i] * y[i];
	return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

#endif							/* SDC_KERNEL_SCALE_H */
