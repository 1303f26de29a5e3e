/*-------------------------------------------------------------------------
 *
 * test_ranklot.c
 *		Swapping a lot of a column: against its definition, and against the method itself.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/rank/rankswap.h"
#include "lottwin.h"
#include "random.h"
#include "tap.h"

#define MOST 3000
#define LENGTH(array) ((int) (sizeof(array) / sizeof((array)[0])))

static SdcStream *stream;
static uint8 master[SDC_MASTER_KEY_BYTES];

static uint32 position[MOST];
static uint32 got[MOST];
static uint32 expected[MOST];

static const LotSetting settings[] = {
	{LOT_STANDARD, 0.1, 0}, {LOT_STANDARD, 1, 0}, {LOT_STANDARD, 5, 0}, {LOT_STANDARD, 20, 0},
	{LOT_STANDARD, 100, 0}, {LOT_DISTRIBUTION, 0.5, 0}, {LOT_DISTRIBUTION, 5, 0},
	{LOT_DISTRIBUTION, 20, 0}, {LOT_DISTRIBUTION, 100, 0}, {LOT_BUCKETS, 0, 1},
	{LOT_BUCKETS, 0, 2}, {LOT_BUCKETS, 0, 5}, {LOT_BUCKETS, 0, 20}, {LOT_BUCKETS, 0, 200}
};

/* start places the stream; the number is the seed of a test. */
static void
start(uint64 number)
{
	CHECK(sdc_stream_restart(stream, master, "test", "column", "lot-new", 0, number) == SDC_OK);
}

/* collect is the emit function. */
static void
collect(void *arg, uint32 a, uint32 b)
{
	uint32		n = *(uint32 *) arg;

	CHECK(a < b && b < n && got[a] == LOT_NOBODY && got[b] == LOT_NOBODY);
	if (b >= n)
		return;
	got[a] = b;
	got[b] = a;
}

/* run_lot runs the kernel; without a lot on a column of n positions. */
static void
run_lot(const LotSetting *s, uint32 n, const SdcSwapLot *lot, uint64 number)
{
	SdcSwapRun	run = {.n = n, .stream = stream, .emit = collect, .arg = &n};

	for (uint32 i = 0; i < n; i++)
		got[i] = LOT_NOBODY;
	run.unswapped = sdc_positionset_create(n);
	start(number);
	lot_run(s, &run, lot);
	sdc_positionset_destroy(run.unswapped);
}

/* take_positions draws n of a column's positions, ascending; it returns how many it took. */
static uint32
take_positions(uint32 n, uint32 positions)
{
	uint32		taken = 0;

	for (uint32 i = 0; i < positions && taken < n; i++)
	{
		if (pick(positions - i) < n - taken)
			position[taken++] = i;
	}
	return taken;
}

/* lots_and_twin compares lots of all sizes with the definition. */
static void
lots_and_twin(void)
{
	static const uint32 size[] = {0, 1, 2, 3, 4, 7, 20, 65, 100, 260};

	for (int i = 0; i < LENGTH(settings); i++)
	{
		for (int j = 0; j < LENGTH(size); j++)
		{
			for (uint32 round = 0; round < 6; round++)
			{
				uint32		positions = size[j] + pick(round % 2 ? 5 : 700) + (size[j] == 0);
				uint32		n = take_positions(size[j], positions);
				SdcSwapLot	lot = {position, positions};
				uint32		alone = 0;

				run_lot(&settings[i], n, &lot, round);
				start(round);
				lot_twin(&settings[i], stream, position, n, positions, true, expected);
				CHECKF(memcmp(got, expected, n * sizeof(uint32)) == 0,
					   "setting %d, %u of %u positions", i, n, positions);
				for (uint32 e = 0; e < n; e++)
					alone += got[e] == LOT_NOBODY;
				CHECKF(alone == n % 2, "setting %d, %u of %u: %u alone", i, n, positions, alone);
			}
		}
	}
}

/*
 * whole_is_method: a lot of all positions is the method.  But the standard method leaves whoever
 * finds nobody alone, so that both agree up to the first such one.
 */
static void
whole_is_method(void)
{
	static const uint32 size[] = {2, 3, 10, 64, 200, 1000, MOST};

	for (uint32 e = 0; e < MOST; e++)
		position[e] = e;
	for (int i = 0; i < LENGTH(settings); i++)
	{
		for (int j = 0; j < LENGTH(size); j++)
		{
			SdcSwapLot	lot = {position, size[j]};

			run_lot(&settings[i], size[j], NULL, 1);
			memcpy(expected, got, size[j] * sizeof(uint32));
			run_lot(&settings[i], size[j], &lot, 1);
			for (uint32 e = 0; e < size[j]; e++)
			{
				if (settings[i].method == LOT_STANDARD && expected[e] == LOT_NOBODY)
					break;
				CHECKF(got[e] == expected[e], "setting %d, %u positions, %u", i, size[j], e);
			}
		}
	}
}

/*
 * distances_stay: in a lot of 500 / p of a column the swaps go nearly as far as in a fresh draw: the
 * Kolmogorov-Smirnov distance is well below the 0.21 of windows of the lot's own ranks.
 */
static void
distances_stay(void)
{
	static const LotSetting standard = {LOT_STANDARD, 5, 0};
	static uint32 far[151];
	static uint32 fresh[151];
	uint32		far_count = 0;
	uint32		fresh_count = 0;
	uint32		sums[2] = {0, 0};
	double		largest = 0;

	for (uint32 round = 0; round < 60; round++)
	{
		SdcSwapLot	lot = {position, MOST};
		uint32		n = take_positions(100, MOST);

		run_lot(&standard, n, &lot, round);
		for (uint32 e = 0; e < n; e++)
		{
			uint32		apart = position[got[e]] - position[e];

			if (got[e] > e)
				far[apart > 150 ? 150 : apart - 1]++, far_count++;
		}
		if (round >= 4)
			continue;
		run_lot(&standard, MOST, NULL, 1000 + round);
		for (uint32 e = 0; e < MOST; e++)
		{
			if (got[e] != LOT_NOBODY && got[e] > e)
				fresh[got[e] - e - 1]++, fresh_count++;
		}
	}
	for (int d = 0; d < 150; d++)
	{
		sums[0] += far[d];
		sums[1] += fresh[d];
		largest = fmax(largest, fabs((double) sums[0] / far_count - (double) sums[1] / fresh_count));
	}
	CHECKF(largest < 0.06, "distance %g", largest);
	CHECKF(far[150] < 0.04 * far_count, "%u of %u outside the window", far[150], far_count);
}

/* numbers_separate: other publications draw otherwise, and one without a number does too. */
static void
numbers_separate(void)
{
	uint64		first[4];

	for (int i = 0; i < 3; i++)
	{
		start((uint64) i);
		first[i] = sdc_stream_next64(stream);
	}
	CHECK(sdc_stream_start(stream, master, "test", "column", "lot-new", 0) == SDC_OK);
	first[3] = sdc_stream_next64(stream);
	for (int i = 0; i < 4; i++)
	{
		for (int j = 0; j < i; j++)
			CHECK(first[i] != first[j]);
	}
}

int
main(void)
{
	CHECK(sdc_stream_create(&stream) == SDC_OK);
	CHECK(sdc_stream_master_from_seed("lots", 4, master) == SDC_OK);
	RUN(lots_and_twin);
	RUN(whole_is_method);
	RUN(distances_stay);
	RUN(numbers_separate);
	sdc_stream_destroy(stream);
	return tap_done();
}
