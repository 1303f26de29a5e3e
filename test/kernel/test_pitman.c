/*-------------------------------------------------------------------------
 *
 * test_pitman.c
 *		The Pitman model, against a search of the likelihood itself and against what must hold.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <math.h>

#include "kernel/groups/pitman.h"

#include "random.h"
#include "tap.h"

#define MOST 400

static uint64 size[MOST];
static uint64 classes[MOST];
static SdcClassSizes sizes = {0, size, classes};

/* likelihood is the logarithm of the likelihood, term by term. */
static double
likelihood(double theta, double alpha)
{
	long double sum = 0;
	uint64		n = 0;
	uint64		u = 0;

	for (uint32 s = 0; s < sizes.sizes; s++)
	{
		for (uint64 k = 1; k < size[s]; k++)
			sum += (long double) classes[s] * logl(k - (long double) alpha);
		n += size[s] * classes[s];
		u += classes[s];
	}
	for (uint64 i = 1; i < u; i++)
		sum += logl(theta + i * (long double) alpha);
	for (uint64 k = 1; k < n; k++)
		sum -= logl(theta + (long double) k);
	return (double) sum;
}

/* draw_sizes makes classes: of a few sizes, many of them small. */
static void
draw_sizes(void)
{
	uint64		last = 0;

	sizes.sizes = 1 + pick(8);
	for (uint32 s = 0; s < sizes.sizes; s++)
	{
		last += 1 + pick(1 + pick(1 + s * 4));
		size[s] = last;
		classes[s] = 1 + pick(1 + 40 / (uint32) last);
	}
}

/* No other parameters are more likely, near or far. */
static void
nothing_is_more_likely(void)
{
	for (uint32 round = 0; round < 400; round++)
	{
		SdcPitman	got;
		double		best;

		random_state = round;
		draw_sizes();
		if (!sdc_pitman_fit(&sizes, &got))
			continue;
		CHECK(got.alpha >= 0 && got.alpha < 1 && got.theta > -got.alpha);
		best = likelihood(got.theta, got.alpha);
		for (int other = 0; other < 300; other++)
		{
			double		width = pow(10, -(double) pick(7));
			double		alpha = got.alpha + width * ((double) pick(2001) / 1000 - 1);
			double		away = (got.theta + got.alpha) * exp(8 * width * ((double) pick(2001) / 1000 - 1));

			alpha = alpha < 0 ? 0 : alpha > 0.999999 ? 0.999999 : alpha;
			CHECKF(likelihood(away - alpha, alpha) <= best + 1e-9 * fmax(1, fabs(best)),
				   "round %u: theta %g alpha %g, other %g %g", round, got.theta, got.alpha, away - alpha, alpha);
		}
	}
}

/* At the maximum both derivatives are 0, or that by alpha is negative at 0: by differences of the likelihood. */
static void
maximum_is_flat(void)
{
	for (uint32 round = 0; round < 200; round++)
	{
		SdcPitman	got;
		double		h = 1e-4;
		double		slope;

		random_state = 1000 + round;
		draw_sizes();
		if (!sdc_pitman_fit(&sizes, &got) || got.theta + got.alpha < 0.01 || got.alpha > 0.99)
			continue;
		slope = likelihood(got.theta * (1 + h), got.alpha) - likelihood(got.theta * (1 - h), got.alpha);
		CHECKF(fabs(slope) < 1e-5, "round %u: by theta %g", round, slope);
		if (got.alpha > h)
			slope = likelihood(got.theta, got.alpha + h) - likelihood(got.theta, got.alpha - h);
		else
			slope = fmax(0, likelihood(got.theta, got.alpha + h) - likelihood(got.theta, got.alpha));
		CHECKF(fabs(slope) < 1e-5, "round %u: by alpha %g", round, slope);
	}
}

/* The expectation, as a product of ratios where people is a whole number. */
static void
expectation_is_a_product(void)
{
	for (uint32 round = 0; round < 500; round++)
	{
		SdcPitman	pitman;
		uint32		people;
		long double want;

		random_state = round;
		pitman.alpha = pick(5) == 0 ? 0 : (double) pick(1000) / 1000;
		pitman.theta = exp(12 * (double) pick(1000) / 1000 - 4) - pitman.alpha;
		people = 1 + pick(1 + pick(100000));
		/* one more person: N / (N - 1) (theta + alpha + N - 2) / (theta + N - 1) as many */
		want = 1;
		for (uint32 n = 2; n <= people; n++)
			want *= (long double) n / (n - 1) * (pitman.theta + pitman.alpha + n - 2) /
				((long double) pitman.theta + n - 1);
		CHECKF(fabs((double) (sdc_pitman_uniques(&pitman, people) / want - 1)) < 1e-11, "round %u: %g %Lg",
			   round, sdc_pitman_uniques(&pitman, people), want);
	}
}

/* What has no maximum. */
static void
ends_are_defined(void)
{
	SdcPitman	got;

	sizes.sizes = 0;
	CHECK(!sdc_pitman_fit(&sizes, &got));
	sizes.sizes = 1;
	size[0] = 1;
	classes[0] = 7;
	CHECK(!sdc_pitman_fit(&sizes, &got));
	size[0] = 9;
	classes[0] = 1;
	CHECK(!sdc_pitman_fit(&sizes, &got));
	/* two classes of two: the least that has one */
	size[0] = classes[0] = 2;
	CHECK(sdc_pitman_fit(&sizes, &got) && got.alpha == 0 && got.theta > 0);
}

/* A million classes: the sums of many terms are as exact. */
static void
large_samples_work(void)
{
	SdcPitman	got;
	double		best;

	sizes.sizes = 3;
	size[0] = 1;
	classes[0] = 900000;
	size[1] = 2;
	classes[1] = 40000;
	size[2] = 5000;
	classes[2] = 3;
	CHECK(sdc_pitman_fit(&sizes, &got));
	best = likelihood(got.theta, got.alpha);
	for (int step = 0; step < 8; step++)
	{
		double		shift = step % 2 == 0 ? 1e-4 : -1e-4;
		double		alpha = got.alpha + (step & 2 ? shift : 0);
		double		theta = got.theta * (1 + (step & 4 ? shift : 0));

		CHECKF(likelihood(theta, alpha) <= best + 1e-6, "theta %g alpha %g: %g", got.theta, got.alpha,
			   likelihood(theta, alpha) - best);
	}
}

int
main(void)
{
	RUN(nothing_is_more_likely);
	RUN(maximum_is_flat);
	RUN(expectation_is_a_product);
	RUN(ends_are_defined);
	RUN(large_samples_work);
	return tap_done();
}
