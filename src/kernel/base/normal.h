/*-------------------------------------------------------------------------
 *
 * normal.h
 *		The normal distribution, and the laws of noise that follows it.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_NORMAL_H
#define SDC_KERNEL_NORMAL_H

#include "kernel/base/kernel_env.h"

/* 97.5 percent of the distribution are below: the number that the documents name, in all intervals. */
#define SDC_NORMAL_975 1.959964

/* Of narrower intervals the mass follows from the density in the middle. */
#define SDC_NORMAL_NARROW 1e-3

/* sdc_normal_below is the probability that a standard normal is below z. */
extern double sdc_normal_below(double z);

/* sdc_normal_quantile is the z with sdc_normal_below(z) = p, 0 < p < 1, to about one part in 10^16. */
extern double sdc_normal_quantile(double p);

/* sdc_normal_log_mass is the logarithm of the probability of low < z < high, also far out. */
extern double sdc_normal_log_mass(double low, double high);

/* ------------------------------------------------------------------------
 * How likely noise makes a released number from an original one
 * ------------------------------------------------------------------------
 */

typedef enum SdcNoiseKind
{
	SDC_NOISE_NONE,
	SDC_NOISE_ADDED,			/* y = x + s z */
	SDC_NOISE_SHRUNK,			/* y = mean + (x + s z - mean) / shrink */
	SDC_NOISE_SCALED			/* y = x exp(s z - s^2 / 2): of the same sign; 0 stays */
} SdcNoiseKind;

/* A law; y is cut to low .. high, which contain x, and rounded then. */
typedef struct SdcNoiseLaw
{
	SdcNoiseKind kind;
	double		scale;			/* s, above 0 */
	double		mean;			/* SHRUNK */
	double		shrink;
	double		low;			/* or -INFINITY */
	double		high;			/* or INFINITY */
	double		unit;			/* multiples of it are released; 0: any number */
	double		spread;			/* about the standard deviation of the released column */
} SdcNoiseLaw;

/* What is the same of a number and of all that a law makes of it.  What is rounded to 0 has lost its sign. */
typedef enum SdcNoiseClass
{
	SDC_NOISE_FINITE = 1,
	SDC_NOISE_POSITIVE,
	SDC_NOISE_NEGATIVE,
	SDC_NOISE_ZERO,
	SDC_NOISE_INFINITE,
	SDC_NOISE_NAN
} SdcNoiseClass;

/* sdc_noiselaw_class is the class of a number. */
extern SdcNoiseClass sdc_noiselaw_class(const SdcNoiseLaw *law, double x);

/* sdc_noiselaw_draw is the released number that a uniform u makes of x, before it is rounded. */
extern double sdc_noiselaw_draw(const SdcNoiseLaw *law, double x, double u);

/* sdc_noiselaw_below is the probability that the number drawn for x is below y, where the law has no bounds. */
extern double sdc_noiselaw_below(const SdcNoiseLaw *law, double x, double y);

/*
 * sdc_noiselaw_log is the logarithm of the density of y given x, or of the mass of what is rounded to y.  What is not
 * finite stays as it is.
 */
extern double sdc_noiselaw_log(const SdcNoiseLaw *law, double x, double y);

/*
 * sdc_noiselaw_bound is at least sdc_noiselaw_log of all numbers from low to high, but for rounding.  NaN is above all
 * others.  Between two numbers that are possible all are.
 */
extern double sdc_noiselaw_bound(const SdcNoiseLaw *law, double x, double low, double high);

#endif							/* SDC_KERNEL_NORMAL_H */
