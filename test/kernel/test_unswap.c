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
#include "kernel/rank/rankswap.h"

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

/* What the tests of corners have: positions that are swapped by buckets, which are the bins. */
#define BINS 10
#define BIN_RECORDS 40
#define MIX_RUNS 400
#define DRAWS 100

static uint8 master[SDC_MASTER_KEY_BYTES];
static SdcStream *stream;

/* take notes a swap. */
static void
take(void *arg, uint32 a, uint32 b)
{
	uint32	   *partner = arg;

	partner[a] = b;
	partner[b] = a;
}

/* swap swaps the positions: who has the value of each then. */
static void
swap(const char *purpose, int number, uint32 *partner)
{
	SdcSwapRun	run = {.n = BINS * BIN_RECORDS, .stream = stream, .emit = take, .arg = partner};

	for (uint32 r = 0; r < run.n; r++)
		partner[r] = r;
	CHECK(sdc_stream_start(stream, master, "test", "column", purpose, (uint64) number) == SDC_OK);
	run.unswapped = sdc_positionset_create(run.n);
	sdc_rankswap_by_buckets(&run, BINS, &sdc_rankswap_halving);
	sdc_positionset_destroy(run.unswapped);
}

/* find_mix counts how values move. */
static void
find_mix(double *mix)
{
	uint32		partner[BINS * BIN_RECORDS];

	memset(mix, 0, sizeof(double) * BINS * BINS);
	for (int i = 0; i < MIX_RUNS; i++)
	{
		swap("mix", i, partner);
		for (uint32 r = 0; r < BINS * BIN_RECORDS; r++)
			mix[r / BIN_RECORDS * BINS + partner[r] / BIN_RECORDS] += 1.0 / (MIX_RUNS * BIN_RECORDS);
	}
}

/*
 * covers returns in how many draws an interval has the truth, where the first records of each bin are in the layer that
 * counts, and the condition holds from a bin on; width is the mean width.
 */
static int
covers(const double *mix, const uint32 *layer, int from, double *width)
{
	double		margin[BINS];
	bool		holds[BINS];
	double		count[2 * BINS];
	SdcUnswapTask task = {.layers = 2, .columns = 1, .column = {{BINS, mix, margin, holds}}, .count = count,
	.threshold = 3.84, .dispersion = 1};
	SdcUnswapResult result;
	double		truth = 0;
	int			covered = 0;

	*width = 0;
	for (int a = 0; a < BINS; a++)
	{
		margin[a] = BIN_RECORDS;
		holds[a] = a >= from;
		truth += holds[a] ? layer[a] : 0;
	}
	for (int draw = 0; draw < DRAWS; draw++)
	{
		uint32		partner[BINS * BIN_RECORDS];

		swap("release", draw, partner);
		memset(count, 0, sizeof(count));
		for (uint32 r = 0; r < BINS * BIN_RECORDS; r++)
			count[(r % BIN_RECORDS < layer[r / BIN_RECORDS] ? BINS : 0) + partner[r] / BIN_RECORDS]++;
		sdc_unswap_run(&task, &result);
		covered += result.low <= truth + 0.5 && result.high >= truth - 0.5;
		*width += (result.high - result.low) / DRAWS;
	}
	return covered;
}

/*
 * A layer that follows from the bins, as who is retired from an age: the truth is a corner for the same bound and for
 * one beyond it, and near one with exceptions.  A layer that has nothing to do with the bins is told as narrowly as
 * before.
 */
static void
corners(void)
{
	static const uint32 retired[BINS] = {0, 0, 0, 0, 0, 0, BIN_RECORDS, BIN_RECORDS, BIN_RECORDS, BIN_RECORDS};
	static const uint32 mostly[BINS] = {2, 2, 2, 2, 2, 2, 38, 38, 38, 38};
	static const uint32 any[BINS] = {16, 16, 16, 16, 16, 16, 16, 16, 16, 16};
	double		mix[BINS * BINS];
	double		width;

	CHECK(sdc_stream_create(&stream) == SDC_OK);
	CHECK(sdc_stream_master_from_seed("test_unswap", 11, master) == SDC_OK);
	find_mix(mix);
	CHECK(covers(mix, retired, 6, &width) >= 90 && width < 20);
	CHECK(covers(mix, retired, 7, &width) >= 90 && width < 15);
	CHECK(covers(mix, mostly, 6, &width) >= 90 && width < 30);
	CHECK(covers(mix, any, 6, &width) >= 90 && width < 40);
	sdc_stream_destroy(stream);
}

int
main(void)
{
	RUN(two_bins);
	RUN(free_margin);
	RUN(unmixed);
	RUN(all_mixed);
	RUN(empty);
	RUN(corners);
	return tap_done();
}
