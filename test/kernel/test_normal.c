/*-------------------------------------------------------------------------
 *
 * test_normal.c
 *		Laws of noise: published numbers, sums and integrals that are 1, draws that follow them.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <math.h>

#include "kernel/base/normal.h"

#include "random.h"
#include "tap.h"

/* law makes a law without bounds and rounding. */
static SdcNoiseLaw
law_of(SdcNoiseKind kind, double scale)
{
	return (SdcNoiseLaw) {kind, scale, 0, 1, -INFINITY, INFINITY, 0, 1};
}

/* near compares two numbers by ten digits. */
static bool
near(double a, double b)
{
	return fabs(a - b) < 5e-11;
}

/* Numbers that were computed elsewhere. */
static void
numbers_are_right(void)
{
	SdcNoiseLaw law = law_of(SDC_NOISE_ADDED, 2);

	law.unit = 1;
	CHECK(near(exp(sdc_noiselaw_log(&law, 2.5, 3)), .1914624613));
	law.low = 0;
	law.high = 9;
	CHECK(near(exp(sdc_noiselaw_log(&law, 8.2, 9)), .1461762142));
	law.high = 10;
	law.unit = 0;
	CHECK(near(exp(sdc_noiselaw_log(&law, .5, 0)), .3229202341));
	law = law_of(SDC_NOISE_SCALED, sqrt(log(1.09)));
	CHECK(near(exp(sdc_noiselaw_log(&law, 5, 4)), .2814898453));
	CHECK(near(exp(sdc_noiselaw_log(&law, -5, -4)), .2814898453));
	/* quantiles of tables: 0.975, 0.999, 10^-10 */
	CHECK(fabs(sdc_normal_quantile(0.975) - 1.959963984540054) < 1e-14);
	CHECK(fabs(sdc_normal_quantile(0.999) - 3.090232306167813) < 1e-14);
	CHECK(fabs(sdc_normal_quantile(1e-10) + 6.361340902404056) < 1e-13);
	/* far out: the tails of 10 and 40 deviations, of tables */
	CHECK(fabs(sdc_normal_log_mass(10, INFINITY) + 53.231285150512) < 1e-9);
	CHECK(fabs(sdc_normal_log_mass(-INFINITY, -40) + 804.608442014) < 1e-8);
	CHECK(fabs(sdc_normal_log_mass(25.9, 26.2) - sdc_normal_log_mass(-26.2, -25.9)) < 1e-12);
	/* narrow intervals, beside two halves of them */
	for (double z = -8; z < 8; z += 0.37)
	{
		double		whole = exp(sdc_normal_log_mass(z, z + 0.0016));
		double		halves = exp(sdc_normal_log_mass(z, z + 0.0008)) + exp(sdc_normal_log_mass(z + 0.0008, z + 0.0016));

		CHECKF(fabs(whole / halves - 1) < 1e-9, "%g: %g %g", z, whole, halves);
	}
}

/* The distribution is that which is drawn from; a number below 0 is the lower, the larger its factor. */
static void
distribution_is_drawn(void)
{
	static const SdcNoiseKind kinds[] = {SDC_NOISE_ADDED, SDC_NOISE_SHRUNK, SDC_NOISE_SCALED};
	SdcNoiseLaw law = law_of(SDC_NOISE_ADDED, 2);

	CHECK(near(sdc_noiselaw_below(&law, 1, 1 + 2 * 1.959963984540054), 0.975));
	for (int k = 0; k < 3; k++)
		for (double u = 0.05; u < 1; u += 0.1)
		{
			law = law_of(kinds[k], 0.4);
			law.mean = 1;
			law.shrink = 1.25;
			CHECK(fabs(sdc_noiselaw_below(&law, 3, sdc_noiselaw_draw(&law, 3, u)) - u) < 1e-12);
			CHECK(fabs(sdc_noiselaw_below(&law, -3, sdc_noiselaw_draw(&law, -3, u)) -
					   (kinds[k] == SDC_NOISE_SCALED ? 1 - u : u)) < 1e-12);
		}
	CHECK(sdc_noiselaw_below(&law, 2, -1) == 0 && sdc_noiselaw_below(&law, -2, 1) == 1);
	CHECK(sdc_noiselaw_below(&law, 0, 0) == 0 && sdc_noiselaw_below(&law, 0, 0.1) == 1);
}

/* What cannot be, and what stays. */
static void
some_is_impossible(void)
{
	SdcNoiseLaw law = law_of(SDC_NOISE_SCALED, 0.3);

	CHECK(sdc_noiselaw_log(&law, 0, 0) == 0 && sdc_noiselaw_log(&law, 0, 1) == -INFINITY);
	CHECK(sdc_noiselaw_log(&law, 2, -1) == -INFINITY && sdc_noiselaw_log(&law, 2, 0) == -INFINITY);
	law.unit = 1;
	CHECK(isfinite(sdc_noiselaw_log(&law, 2, 0)) && sdc_noiselaw_log(&law, 2, -1) == -INFINITY);
	CHECK(isfinite(sdc_noiselaw_log(&law, -2, 0)));
	law = law_of(SDC_NOISE_ADDED, 2);
	CHECK(sdc_noiselaw_log(&law, NAN, NAN) == 0 && sdc_noiselaw_log(&law, NAN, 1) == -INFINITY &&
		  sdc_noiselaw_log(&law, INFINITY, INFINITY) == 0 && sdc_noiselaw_log(&law, 1, -INFINITY) == -INFINITY);
	CHECK(isfinite(sdc_noiselaw_log(&law, 0, 1e6)));
	law.unit = 1;
	CHECK(isfinite(sdc_noiselaw_log(&law, 0, 1e6)));
	law.high = 3;
	CHECK(sdc_noiselaw_log(&law, 0, 4) == -INFINITY);
}

/* Units that doubles of the size of the numbers cannot tell apart have the mass that their width says. */
static void
small_units_have_mass(void)
{
	for (int kind = SDC_NOISE_ADDED; kind <= SDC_NOISE_SCALED; kind++)
		for (int size = -6; size < 12; size++)
			for (int sign = -1; sign <= 1; sign += 2)
			{
				double		y = sign * pow(10, size);
				SdcNoiseLaw law = law_of((SdcNoiseKind) kind, kind == SDC_NOISE_SCALED ? 0.2 : 0.3 * fabs(y));
				double		log_coarse;

				law.shrink = 1.1;
				law.mean = 0.9 * y;
				law.unit = 2e-3 * fabs(y);
				log_coarse = sdc_noiselaw_log(&law, 1.1 * y, y);
				for (int digits = 3; digits < 40; digits++)
				{
					double		found;

					law.unit = fabs(y) * pow(10, -digits);
					found = sdc_noiselaw_log(&law, 1.1 * y, y) - log_coarse;
					CHECKF(fabs(found + (digits - 3 + log10(2)) * log(10)) < 1e-4, "kind %d, %g, unit %g: %g", kind, y,
						   law.unit, found);
				}
				law.low = fmin(y, 3 * y);
				law.high = fmax(y, 3 * y);
				CHECK(isfinite(sdc_noiselaw_log(&law, 1.1 * y, y)));
				CHECK(sdc_noiselaw_log(&law, 1.1 * y, 0.9 * y) == -INFINITY);
			}
}

/* draw_law draws a law, and an x that it is for. */
static SdcNoiseLaw
draw_law(double *x)
{
	SdcNoiseLaw law = law_of((SdcNoiseKind) (1 + pick(3)), 0.2 + pick(20) / 10.0);

	*x = (double) pick(7) - 3;
	if (law.kind == SDC_NOISE_SCALED)
	{
		law.scale /= 4;
		*x = *x == 0 ? 4 : *x;
	}
	law.mean = pick(5);
	law.shrink = 1 + pick(3) / 4.0;
	if (law.kind != SDC_NOISE_SHRUNK && pick(2) == 0)
		law.low = *x - pick(3);
	if (law.kind != SDC_NOISE_SHRUNK && pick(2) == 0)
		law.high = *x + pick(3) + (law.low == *x);
	law.unit = pick(2) == 0 ? 1 : 0;
	return law;
}

/* No number between two ends has more than the bound, and all are possible if both ends are. */
static void
bounds_hold(void)
{
	random_state = 12;
	for (int design = 0; design < ROUNDS(3000); design++)
	{
		double		x;
		SdcNoiseLaw law = draw_law(&x);
		double		unit = law.unit > 0 ? law.unit : 0.25;
		double		low = unit * ((double) pick(40) - 20);
		double		high = low + unit * pick(30);
		double		bound;
		double		most = -INFINITY;
		double		least = INFINITY;

		if (pick(20) == 0)
			x = law.kind == SDC_NOISE_SCALED ? 0 : INFINITY;
		if (pick(20) == 0)
			high = pick(2) == 0 ? INFINITY : NAN;
		bound = sdc_noiselaw_bound(&law, x, low, high);
		for (double y = low; !(y > high) && y < 40; y += unit)
		{
			most = fmax(most, sdc_noiselaw_log(&law, x, y));
			least = fmin(least, sdc_noiselaw_log(&law, x, y));
		}
		CHECKF(most <= bound + 1e-9, "design %d: %g, bound %g", design, most, bound);
		if (isfinite(high) && sdc_noiselaw_log(&law, x, low) > -INFINITY && sdc_noiselaw_log(&law, x, high) > -INFINITY)
			CHECKF(least > -INFINITY, "design %d", design);
		if (most > -INFINITY && law.low == -INFINITY && law.high == INFINITY)
			CHECKF(bound < most + 8, "design %d: %g, bound %g", design, most, bound);
	}
}

/* All masses sum to 1, and densities to 1 over a fine grid; of 20,000 draws as many are in each cell (chi-square). */
static void
draws_follow_the_law(void)
{
	random_state = 11;
	for (int design = 0; design < 60; design++)
	{
		double		x;
		SdcNoiseLaw law = draw_law(&x);
		double		total = 0;
		double		mass[200] = {0};
		int			drawn[200] = {0};
		double		square = 0;
		int			cells = 0;

		for (int cell = 0; cell < 200; cell++)
		{
			double		y = cell - 100;

			if (law.unit > 0)
				mass[cell] = exp(sdc_noiselaw_log(&law, x, y));
			else
				/* in the middle of 1,000 parts, where there is nothing but the density */
				for (int part = 0; part < 1000; part++)
				{
					double		density = exp(sdc_noiselaw_log(&law, x, y - 0.5 + (part + 0.5) / 1000));

					mass[cell] += density / 1000;
				}
			total += mass[cell];
		}
		CHECKF(fabs(total - 1) < (law.unit > 0 ? 1e-9 : 2e-3), "design %d: %.10g", design, total);
		for (int i = 0; i < 20000; i++)
		{
			double		y = sdc_noiselaw_draw(&law, x, uniform());

			CHECK(y >= law.low && y <= law.high && (law.kind != SDC_NOISE_SCALED || y * x >= 0));
			drawn[(int) (round(y) + 100)]++;
		}
		for (int cell = 0; cell < 200; cell++)
			if (mass[cell] * 20000 >= 5)
			{
				double		expected = mass[cell] * 20000 / total;

				square += (drawn[cell] - expected) * (drawn[cell] - expected) / expected;
				cells++;
			}
		/* far beyond what chance makes of so many cells */
		CHECKF(square < cells + 6 * sqrt(2 * cells) + 12, "design %d: chi-square %g of %d", design, square, cells);
	}
}

int
main(void)
{
	RUN(numbers_are_right);
	RUN(distribution_is_drawn);
	RUN(some_is_impossible);
	RUN(small_units_have_mass);
	RUN(bounds_hold);
	RUN(draws_follow_the_law);
	return tap_done();
}
