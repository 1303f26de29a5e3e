/*-------------------------------------------------------------------------
 *
 * test_unswap.c
 *		Between which numbers a count of the original is: tables of counts that can be solved by hand.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <math.h>

#include "kernel/queries/unswap.h"

#include "tap.h"

static const bool second[] = {false, true};

/* deviance_of is the definition for two bins, of whose released records inside are in the layer that counts. */
static double
deviance_of(const double *mix, const double *margin, const double *inside, double truth)
{
	double		layer = inside[0] + inside[1];
	double		sum = 0;

	for (int b = 0; b < 2; b++)
	{
		double		expected = (layer - truth) * mix[b] + truth * mix[2 + b];
		double		other = margin[0] * mix[b] + margin[1] * mix[2 + b] - expected;

		sum += inside[b] * log(inside[b] / expected) + (margin[b] - inside[b]) * log((margin[b] - inside[b]) / other);
	}
	return 2 * sum;
}

/* end_of finds where the deviance is more than that of the best truth by a threshold, by small steps. */
static double
end_of(const double *mix, const double *margin, const double *inside, double best, double step, double threshold)
{
	double		limit = deviance_of(mix, margin, inside, best) + threshold;

	while (deviance_of(mix, margin, inside, best + step) < limit)
		best += step;
	return best;
}

/* One swapped column of two bins and two layers: the best table is the inverse of the mixing. */
static void
two_bins(void)
{
	static const double mix[] = {0.8, 0.2, 0.1, 0.9};
	static const double margin[] = {1000, 2000};
	static const double count[] = {700, 1400, 300, 600};
	static const double inside[] = {300, 600};
	/* 300 = 0.8 (900 - t) + 0.1 t */
	double		truth = (0.8 * 900 - 300) / 0.7;
	SdcUnswapTask task = {.layers = 2, .columns = 1, .column = {{2, mix, margin, second}},
		.count = count, .threshold = 1
	};
	SdcUnswapResult result;
	double		low = end_of(mix, margin, inside, truth, -0.01, 1);
	double		high = end_of(mix, margin, inside, truth, 0.01, 1);

	CHECK(sdc_unswap_cells(&task) == 4);
	sdc_unswap_run(&task, &result);
	CHECK(fabs(result.estimate - truth) < 0.1);
	/* the push grows by a quarter at a time */
	CHECK(result.low <= low + 0.5 && result.low >= low - 0.5 * (truth - low));
	CHECK(result.high >= high - 0.5 && result.high <= high + 0.5 * (high - truth));
}

/* The same column with noise, alone: the original can have had another margin than what was released. */
static void
free_margin(void)
{
	static const double mix[] = {0.8, 0.2, 0.1, 0.9};
	static const double count[] = {300, 600};
	SdcUnswapTask task = {.layers = 1, .columns = 1, .column = {{2, mix, count, second, true}}, .count = count,
	.threshold = 1};
	SdcUnswapResult result;

	sdc_unswap_run(&task, &result);
	/* 600 = 0.2 (900 - t) + 0.9 t; a deviance of 1 is sqrt(300 * 600 / 900) = 14.1 released records, over 0.7 */
	CHECK(fabs(result.estimate - 600) < 0.5);
	CHECK(result.low < 580 && result.low > 560);
	CHECK(result.high > 620 && result.high < 640);
}

/* Nothing is mixed: the table is that of the original, but for what chance could do. */
static void
unmixed(void)
{
	static const double mix[] = {1, 0, 0, 1};
	static const double margin[2][2] = {{40, 60}, {30, 70}};
	static const double count[] = {20, 20, 10, 50};
	SdcUnswapTask task = {.layers = 1, .columns = 2,
		.column = {{2, mix, margin[0], second}, {2, mix, margin[1], second}}, .count = count, .threshold = 1e-9
	};
	SdcUnswapResult result;

	sdc_unswap_run(&task, &result);
	CHECK(fabs(result.estimate - 50) < 1e-6);
	CHECK(result.low <= 50 && result.high >= 50);
	/* the margins leave 30 .. 60 */
	CHECK(result.low >= 30 - 1e-6 && result.high <= 60 + 1e-6);
}

/* All is mixed: only the margins are known. */
static void
all_mixed(void)
{
	static const double mix[] = {0.4, 0.6, 0.4, 0.6};
	static const double margin[] = {40, 60};
	static const double count[] = {16, 24, 24, 36};
	SdcUnswapTask task = {.layers = 1, .columns = 2, .column = {{2, mix, margin, second}, {2, mix, margin, second}},
		.count = count, .threshold = 1
	};
	SdcUnswapResult result;

	sdc_unswap_run(&task, &result);
	/* of 60 and 60 of 100, at least 20 are in both */
	CHECK(fabs(result.low - 20) < 0.5);
	CHECK(fabs(result.high - 60) < 0.5);
}

/* No records in a bin, and none at all in a layer. */
static void
empty(void)
{
	static const double mix[] = {1, 0, 0, 1};
	static const double margin[] = {0, 5};
	static const double count[] = {0, 5, 0, 0};
	SdcUnswapTask task = {.layers = 2, .columns = 1, .column = {{2, mix, margin, second}},
		.count = count, .threshold = 1
	};
	SdcUnswapResult result;

	sdc_unswap_run(&task, &result);
	CHECK(result.estimate == 0 && result.low == 0 && result.high == 0);
}

int
main(void)
{
	RUN(two_bins);
	RUN(free_margin);
	RUN(unmixed);
	RUN(all_mixed);
	RUN(empty);
	return tap_done();
}
