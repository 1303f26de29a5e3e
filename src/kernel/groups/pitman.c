/*-------------------------------------------------------------------------
 *
 * pitman.c
 *		How many people are unique in a population, by a model of the sizes of the classes of a sample.
 *
 * The Pitman model: N. Hoshino, "Applying Pitman's sampling formula to microdata disclosure risk assessment",
 * Journal of Official Statistics 17 (2001).  With u classes of n records, m_k of them of more than k records, the
 * logarithm of the likelihood is, but for a constant,
 *
 *		sum over i = 1 .. u - 1 of ln(theta + i alpha) - sum over k = 1 .. n - 1 of ln(theta + k)
 *		+ sum over k of m_k ln(k - alpha)
 *
 * Its derivatives are sums of reciprocals of equal steps, which take constant time.  For every alpha the derivative
 * by theta has one root; with theta there, the derivative by alpha falls from 0 to 1, and the maximum is at its root,
 * or at 0 if it is negative all over.  Both are found by bisection, to the last bit.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <math.h>

#include "kernel/base/moments.h"
#include "kernel/groups/pitman.h"

/* From here on series of 1/x are exact. */
#define FAR 24

/* Below this slope the terms of a sum differ too little to be told from their difference to a constant. */
#define FLAT 1e-3

/* Bisections end when nothing lies between, long before. */
#define STEPS 2000

/* A sample. */
typedef struct Sample
{
	const SdcClassSizes *sizes;
	double		classes;		/* u */
	double		records;		/* n */
} Sample;

/* sum_reciprocals is the sum of 1 / (x + k), k = 0 .. count - 1, x > 0. */
static double
sum_reciprocals(double x, double count)
{
	double		sum = 0;
	double		a;
	double		b;

	for (; x < FAR && count > 0; x++, count--)
		sum += 1 / x;
	if (count <= 0)
		return sum;
	/* the difference of digamma functions */
	a = 1 / x;
	b = 1 / (x + count);
	sum += log1p(count / x) + (a - b) / 2;
	a *= a;
	b *= b;
	return sum + (a - b) / 12 - (a * a - b * b) / 120 + (a * a * a - b * b * b) / 252 -
		(a * a * a * a - b * b * b * b) / 240;
}

/* sum_first is the sum of 1 / (theta + i alpha), i = 1 .. u - 1. */
static double
sum_first(const Sample *sample, double theta, double alpha)
{
	if (alpha == 0)
		return (sample->classes - 1) / theta;
	return sum_reciprocals(theta / alpha + 1, sample->classes - 1) / alpha;
}

/* by_theta is the derivative by theta. */
static double
by_theta(const Sample *sample, double theta, double alpha)
{
	return sum_first(sample, theta, alpha) - sum_reciprocals(theta + 1, sample->records - 1);
}

/* best_theta is the theta that is best for an alpha. */
static double
best_theta(const Sample *sample, double alpha)
{
	double		low = 0;		/* of theta + alpha */
	double		high = 1;

	while (by_theta(sample, high - alpha, alpha) > 0)
	{
		low = high;
		high *= 2;
	}
	/* low may be 0, where the derivative is infinite; near it all lengths are possible */
	for (int step = 0; step < STEPS; step++)
	{
		double		middle = low == 0 && high > 1e-300 ? high / 1024 : low + (high - low) / 2;

		if (middle <= low || middle >= high)
			break;
		if (by_theta(sample, middle - alpha, alpha) > 0)
			low = middle;
		else
			high = middle;
	}
	return high - alpha;
}

/* sum_weighted is the sum of i / (theta + i alpha), i = 1 .. u - 1. */
static double
sum_weighted(const Sample *sample, double theta, double alpha)
{
	SdcMomentsSum sum = {0, 0};

	if (theta > 0 && alpha * sample->classes < FLAT * theta)
	{
		for (uint64 i = 1; i < (uint64) sample->classes; i++)
		{
			sdc_interrupts_step(i);
			sdc_moments_add(&sum, (double) i / (theta + (double) i * alpha));
		}
		return sdc_moments_total(&sum);
	}
	return (sample->classes - 1 - theta * sum_first(sample, theta, alpha)) / alpha;
}

/* by_alpha is the derivative by alpha. */
static double
by_alpha(const Sample *sample, double theta, double alpha)
{
	const SdcClassSizes *sizes = sample->sizes;
	SdcMomentsSum sum = {0, 0};
	double		larger = sample->classes;	/* classes of more than k records */
	double		from = 1;

	for (uint32 s = 0; s < sizes->sizes; s++)
	{
		sdc_interrupts_step(s);
		/* k = from .. size - 1 */
		sdc_moments_add(&sum, larger * sum_reciprocals(from - alpha, (double) sizes->size[s] - from));
		from = (double) sizes->size[s];
		larger -= (double) sizes->classes[s];
	}
	return sum_weighted(sample, theta, alpha) - sdc_moments_total(&sum);
}

/* sdc_pitman_fit: see pitman.h. */
bool
sdc_pitman_fit(const SdcClassSizes *sizes, SdcPitman *pitman)
{
	Sample		sample = {sizes, 0, 0};
	double		low = 0;
	double		high = 1;

	for (uint32 s = 0; s < sizes->sizes; s++)
	{
		sample.classes += (double) sizes->classes[s];
		sample.records += (double) sizes->classes[s] * (double) sizes->size[s];
	}
	if (sample.classes < 2 || sample.classes == sample.records)
		return false;
	pitman->alpha = 0;
	pitman->theta = best_theta(&sample, 0);
	if (by_alpha(&sample, pitman->theta, 0) <= 0)
		return true;
	for (int step = 0; step < STEPS; step++)
	{
		double		middle = low + (high - low) / 2;

		SDC_CHECK_INTERRUPTS();
		if (middle <= low || middle >= high)
			break;
		pitman->alpha = middle;
		pitman->theta = best_theta(&sample, middle);
		if (by_alpha(&sample, pitman->theta, middle) > 0)
			low = middle;
		else
			high = middle;
	}
	return true;
}

/* log_ratio is lnGamma(x + step) - lnGamma(x), -1 <= step <= 0 < x + step. */
static double
log_ratio(double x, double step)
{
	double		sum = 0;
	double		a;
	double		b;

	for (; x < FAR; x++)
		sum -= log1p(step / x);
	/* the difference of Stirling's series */
	a = 1 / (x + step);
	b = 1 / x;
	sum += (x - 0.5) * log1p(step / x) + step * log(x + step) - step;
	sum += (a - b) / 12 - (a * a * a - b * b * b) / 360;
	a *= a * a * a * a;
	b *= b * b * b * b;
	return sum + (a - b) / 1260;
}

/* sdc_pitman_uniques: N Gamma(theta + 1) Gamma(theta + alpha + N - 1) / (Gamma(theta + alpha) Gamma(theta + N)). */
double
sdc_pitman_uniques(const SdcPitman *pitman, double people)
{
	double		step = pitman->alpha - 1;

	return people * exp(log_ratio(pitman->theta + people, step) - log_ratio(pitman->theta + 1, step));
}
