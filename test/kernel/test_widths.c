/*-------------------------------------------------------------------------
 *
 * test_widths.c
 *		The admissible widths, against a partitioning between all breakpoints, and privacy.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <float.h>

#include "kernel/bins/equiwidth.h"
#include "kernel/bins/widths.h"

#include "memory.h"
#include "random.h"
#include "tap.h"

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))
#define MAX_RECORDS 500
#define MAX_ATTRIBUTES 4
#define MAX_BREAKPOINTS 2000000

/* Breakpoints this near to each other, relatively, may be taken together. */
#define NEAR 0x1p-38

static double value[MAX_ATTRIBUTES][MAX_RECORDS];
static const double *column[MAX_ATTRIBUTES];
static double low[MAX_ATTRIBUTES];
static double range[MAX_ATTRIBUTES];
static uint32 bin[MAX_RECORDS];
static uint32 size[MAX_RECORDS];
static double breakpoint[MAX_BREAKPOINTS];
static uint32 breakpoints;

/* kind_value draws a value of one of several kinds of attribute. */
static double
kind_value(int kind)
{
	switch (kind)
	{
		case 0:
			return uniform();
		case 1:
			return pick(5);
		case 2:
			return 7;
		case 3:
			return exp(6 * uniform());
		case 4:
			return pick(100) == 0 ? 1e6 : uniform();
		case 5:
			return (uniform() - 0.5) * 1.7e308;
		case 6:
			return (double) pick(1000) * 5e-324;
		case 7:
			return 0.1 + pick(20) / 10.0;
		default:
			return uniform() + uniform() + uniform();
	}
}

/* measure finds low and range. */
static void
measure(SdcWidthTask *task)
{
	for (int a = 0; a < task->attributes; a++)
	{
		double		high = -DBL_MAX;

		low[a] = DBL_MAX;
		for (uint32 r = 0; r < task->records; r++)
		{
			low[a] = fmin(low[a], value[a][r]);
			high = fmax(high, value[a][r]);
		}
		range[a] = task->records > 0 ? high - low[a] : 0;
		column[a] = value[a];
	}
	task->value = column;
}

/* make_task makes a random file, with or without extreme numbers. */
static void
make_task(SdcWidthTask *task, uint32 records, int attributes, bool extreme)
{
	memset(task, 0, sizeof(*task));
	task->records = records;
	task->attributes = attributes;
	for (int a = 0; a < attributes; a++)
	{
		int			kind = (int) pick(9);

		if (!extreme && (kind == 5 || kind == 6))
			kind = 8;
		for (uint32 r = 0; r < records; r++)
			value[a][r] = kind_value(kind);
	}
	measure(task);
	task->memory = 1 << 30;
	task->share_least = 0.02;
	task->share_most = 0.3;
	task->intervals_most = 40;
}

/* partition_at partitions with a share of the range, or a number of intervals, and finds degree and depth. */
static void
partition_at(const SdcWidthTask *task, double share, uint32 intervals, uint64 *degree,
			 uint64 *depth)
{
	double		width[MAX_ATTRIBUTES];
	SdcEquiwidthTask grid = {0};

	for (int a = 0; a < task->attributes; a++)
		width[a] = range[a] > 0 ? share * range[a] : 1;
	grid.value = column;
	grid.attributes = task->attributes;
	grid.records = task->records;
	grid.low = low;
	grid.range = range;
	grid.intervals = intervals;
	grid.width = width;
	*degree = sdc_equiwidth(&grid, 0, bin);
	memset(size, 0, sizeof(size));
	for (uint32 r = 0; r < task->records; r++)
		size[bin[r]]++;
	*depth = *degree > 0 ? UINT64_MAX : 0;
	for (uint64 b = 0; b < *degree; b++)
		*depth = size[b] < *depth ? size[b] : *depth;
}

/* check_representatives checks that the widest one of each depth from 2 on is marked. */
static void
check_representatives(const SdcWidthCandidate *candidate, uint64 count, const char *what)
{
	for (uint64 i = 0; i < count; i++)
	{
		bool		before = false;

		for (uint64 j = 0; j < i && !before; j++)
			before = candidate[j].depth == candidate[i].depth;
		CHECKF(candidate[i].representative == (candidate[i].depth >= 2 && !before), "%llu: %s",
			   (unsigned long long) i, what);
		CHECKF(i == 0 || candidate[i].share < candidate[i - 1].share, "%s", what);
	}
}

/* check_privacy compares the privacy with that of the representatives of a list. */
static void
check_privacy(const SdcWidthTask *task, const SdcWidthCandidate *candidate, uint64 count,
			  const char *what)
{
	static double tuple[MAX_RECORDS];
	SdcSwapPrivacy privacy;
	double		most = 0;
	double		minimal = 0;
	double		harmonic = 0;
	uint64		q = 0;

	CHECK(sdc_widths_privacy(task, &privacy) == SDC_OK);
	memset(tuple, 0, sizeof(tuple));
	for (uint64 i = 0; i < count; i++)
	{
		uint64		degree;
		uint64		depth;

		if (!candidate[i].representative)
			continue;
		partition_at(task, candidate[i].share, task->grid == SDC_WIDTH_INTERVALS ?
					 (uint32) (1 / candidate[i].share + 0.5) : 0, &degree, &depth);
		for (uint32 r = 0; r < task->records; r++)
			tuple[r] += 1.0 / size[bin[r]];
		minimal += 1.0 / (double) depth;
		harmonic += 1.0 / (double) ++q;
	}
	for (uint32 r = 0; r < task->records; r++)
		most = fmax(most, tuple[r]);
	CHECKF(privacy.candidates == q, "%s", what);
	CHECKF(privacy.tuple <= privacy.minimal_depth && privacy.minimal_depth <= privacy.closed &&
		   privacy.closed <= 1, "%.17g %.17g %.17g: %s", privacy.tuple, privacy.minimal_depth,
		   privacy.closed, what);
	if (q == 0)
	{
		CHECKF(privacy.tuple == 1 && privacy.minimal_depth == 1 && privacy.closed == 1, "%s", what);
		return;
	}
	CHECKF(fabs(privacy.tuple - most / (double) q) < 1e-14, "%s", what);
	CHECKF(fabs(privacy.minimal_depth - minimal / (double) q) < 1e-14, "%s", what);
	CHECKF(fabs(privacy.closed - harmonic / (double) q) < 1e-14, "%s", what);
}

/* intervals tries numbers of intervals. */
static void
intervals(void)
{
	static const double shares[] = {1, 0.5, 1.0 / 3, 0.3, 0.1, 0.03, 0.02, 1e-9};
	static const uint32 firsts[] = {1, 2, 3, 4, 10, 34, 50, 1000000000};

	for (int seed = 0; seed < 200; seed++)
	{
		SdcWidthTask task;
		SdcWidthCandidate *candidate;
		uint64		count;
		uint32		kind = pick(LENGTH(shares));
		char		what[100];

		random_state = (uint64) seed * 7 + 3;
		make_task(&task, pick(MAX_RECORDS), 1 + (int) pick(MAX_ATTRIBUTES), true);
		task.grid = SDC_WIDTH_INTERVALS;
		task.share_most = shares[kind];
		task.intervals_most = 1 + pick(60);
		snprintf(what, sizeof(what), "seed %d, %u records, %d attributes", seed, task.records,
				 task.attributes);
		CHECK(sdc_widths_find(&task, &candidate, &count) == SDC_OK);
		CHECKF(count == (firsts[kind] <= task.intervals_most ?
						 task.intervals_most - firsts[kind] + 1 : 0), "%s", what);
		for (uint64 i = 0; i < count; i++)
		{
			uint64		degree;
			uint64		depth;
			uint32		m = firsts[kind] + (uint32) i;

			partition_at(&task, 0, m, &degree, &depth);
			CHECKF(candidate[i].share == 1.0 / m, "%s", what);
			CHECKF(candidate[i].degree == degree && candidate[i].depth == depth, "%u intervals: %s",
				   m, what);
		}
		check_representatives(candidate, count, what);
		check_privacy(&task, candidate, count, what);
		sdc_free(candidate);
	}
}

/* compare_doubles is for qsort, descending. */
static int
compare_doubles(const void *a, const void *b)
{
	double		x = *(const double *) a;
	double		y = *(const double *) b;

	return x > y ? -1 : x < y;
}

/* find_breakpoints lists the bounds and what is between them, in descending order. */
static void
find_breakpoints(const SdcWidthTask *task)
{
	breakpoints = 0;
	breakpoint[breakpoints++] = task->share_most;
	breakpoint[breakpoints++] = task->share_least;
	for (int a = 0; a < task->attributes; a++)
		for (uint32 r = 0; r < task->records; r++)
		{
			double		u = range[a] > 0 ? (value[a][r] - low[a]) / range[a] : 0;

			for (double j = floor(u / task->share_most); u / j >= task->share_least; j++)
				if (j > 0 && u / j < task->share_most && breakpoints < MAX_BREAKPOINTS)
					breakpoint[breakpoints++] = u / j;
		}
	qsort(breakpoint, breakpoints, sizeof(double), compare_doubles);
}

/* check_continuous compares a list with partitionings in the middle between all breakpoints. */
static void
check_continuous(const SdcWidthTask *task, const SdcWidthCandidate *candidate, uint64 count,
				 const char *what)
{
	uint64		at = 0;
	uint64		degree;
	uint64		depth;

	CHECKF(count > 0 && candidate[0].share == task->share_most, "%s", what);
	for (uint64 i = 0; i < count; i++)
	{
		partition_at(task, candidate[i].share, 0, &degree, &depth);
		CHECKF(candidate[i].degree == degree && candidate[i].depth == depth,
			   "%.17g: degree %llu, depth %llu: %s", candidate[i].share,
			   (unsigned long long) candidate[i].degree, (unsigned long long) candidate[i].depth, what);
		CHECKF(candidate[i].share >= task->share_least, "%s", what);
		CHECKF(i == 0 || candidate[i].depth != candidate[i - 1].depth, "%s", what);
		if (i > 0)
		{
			/* the piece reaches up to where the one before begins; nothing is said of what is above the bound */
			partition_at(task, fmin(candidate[i].share * (1 + 0x1p-39), task->share_most), 0, &degree, &depth);
			CHECKF(depth == candidate[i - 1].depth, "%.17g: %s", candidate[i].share, what);
		}
		CHECKF(i < 2 || candidate[i].share < candidate[i - 1].share * (1 - 0x1p-42), "%s", what);
	}
	find_breakpoints(task);
	for (uint32 i = 0; i + 1 < breakpoints; i++)
	{
		double		middle = (breakpoint[i] + breakpoint[i + 1]) / 2;

		if (breakpoint[i] - breakpoint[i + 1] < NEAR * middle)
			continue;
		while (at + 1 < count && candidate[at + 1].share >= middle)
			at++;
		partition_at(task, middle, 0, &degree, &depth);
		CHECKF(depth == candidate[at].depth, "%.17g has depth %llu, not %llu: %s", middle,
			   (unsigned long long) depth, (unsigned long long) candidate[at].depth, what);
	}
}

/* continuous tries all widths. */
static void
continuous(void)
{
	for (int seed = 0; seed < 120; seed++)
	{
		SdcWidthTask task;
		SdcWidthCandidate *candidate;
		uint64		count;
		uint32		records;
		char		what[100];

		random_state = (uint64) seed * 11 + 3;
		records = pick(4) == 0 ? pick(200) : pick(40);
		make_task(&task, records, 1 + (int) pick(3), false);
		task.grid = SDC_WIDTH_CONTINUOUS;
		task.share_most = pick(2) == 0 ? 1.0 / (1 + pick(12)) : 0.05 + 0.95 * uniform();
		task.share_least = pick(8) == 0 ? task.share_most :
			task.share_most / (1 + 20 * uniform());
		snprintf(what, sizeof(what), "seed %d, %u records, %d attributes, %g to %g", seed,
				 task.records, task.attributes, task.share_least, task.share_most);
		CHECK(sdc_widths_find(&task, &candidate, &count) == SDC_OK);
		check_continuous(&task, candidate, count, what);
		check_representatives(candidate, count, what);
		check_privacy(&task, candidate, count, what);
		sdc_free(candidate);
	}
}

/* long_walk has several slabs, and drops empty bins. */
static void
long_walk(void)
{
	SdcWidthTask task;
	SdcWidthCandidate *candidate;
	uint64		count;

	random_state = 99;
	make_task(&task, 12, 2, false);
	for (uint32 r = 0; r < task.records; r++)
	{
		value[0][r] = r / 11.0;
		value[1][r] = uniform();
	}
	measure(&task);
	task.grid = SDC_WIDTH_CONTINUOUS;
	task.share_most = 1;
	task.share_least = 1.0 / 3000;
	CHECK(sdc_widths_find(&task, &candidate, &count) == SDC_OK);
	check_continuous(&task, candidate, count, "long walk");
	check_representatives(candidate, count, "long walk");
	sdc_free(candidate);
	/* nearly all values have all the breakpoints there can be */
	make_task(&task, 200, 1, false);
	for (uint32 r = 0; r < task.records; r++)
		value[0][r] = r > 0;
	measure(&task);
	task.grid = SDC_WIDTH_CONTINUOUS;
	task.share_most = 1;
	task.share_least = 1.0 / 1000;
	CHECK(sdc_widths_find(&task, &candidate, &count) == SDC_OK);
	check_continuous(&task, candidate, count, "full slabs");
	sdc_free(candidate);
}

/* walk_by_hand: 0, 1, 2, 3 have depths that are known. */
static void
walk_by_hand(void)
{
	static const double shares[] = {1, 1, 2.0 / 3, 0.5};
	static const uint64 depths[] = {4, 1, 2, 1};
	static const uint64 degrees[] = {1, 2, 2, 3};
	SdcWidthTask task;
	SdcWidthCandidate *candidate;
	SdcSwapPrivacy privacy;
	uint64		count;

	make_task(&task, 4, 1, false);
	for (uint32 r = 0; r < 4; r++)
		value[0][r] = r;
	measure(&task);
	task.grid = SDC_WIDTH_CONTINUOUS;
	task.share_most = 1;
	task.share_least = 0.4;
	CHECK(sdc_widths_find(&task, &candidate, &count) == SDC_OK);
	CHECKF(count == 4, "%llu", (unsigned long long) count);
	for (uint32 i = 0; i < 4 && i < count; i++)
	{
		CHECKF(fabs(candidate[i].share - shares[i]) < 1e-11, "%u", i);
		CHECKF(candidate[i].depth == depths[i] && candidate[i].degree == degrees[i], "%u", i);
		CHECKF(candidate[i].representative == (i % 2 == 0), "%u", i);
	}
	sdc_free(candidate);
	CHECK(sdc_widths_privacy(&task, &privacy) == SDC_OK);
	CHECK(privacy.candidates == 2);
	CHECK(privacy.tuple == 0.375 && privacy.minimal_depth == 0.375 && privacy.closed == 0.75);
}

/*
 * many_cells: so many that a word has no room for more than a factor of two between breakpoints.  They are those by
 * hand, with many more records at 0, and the same in all attributes.
 */
static void
many_cells(void)
{
	enum {ATTRIBUTES = 64, RECORDS = (1 << 23) / ATTRIBUTES + 1};
	static const double shares[] = {1, 1, 2.0 / 3, 0.5};
	static const uint64 depths[] = {RECORDS, 1, 2, 1};
	static const uint64 degrees[] = {1, 2, 2, 3};
	static double same[RECORDS];
	const double *all[ATTRIBUTES];
	SdcWidthTask task = {.value = all, .attributes = ATTRIBUTES, .records = RECORDS, .grid = SDC_WIDTH_CONTINUOUS,
	.share_least = 0.4, .share_most = 1, .memory = UINT64_C(1) << 32};
	SdcWidthCandidate *candidate;
	uint64		count;

	for (int a = 0; a < ATTRIBUTES; a++)
		all[a] = same;
	for (uint32 r = 0; r < 4; r++)
		same[r * (RECORDS / 5)] = r;
	CHECK(sdc_widths_find(&task, &candidate, &count) == SDC_OK);
	CHECKF(count == 4, "%llu", (unsigned long long) count);
	for (uint32 i = 0; i < 4 && i < count; i++)
	{
		CHECKF(fabs(candidate[i].share - shares[i]) < 1e-11, "%u: %g", i, candidate[i].share);
		CHECKF(candidate[i].depth == depths[i] && candidate[i].degree == degrees[i], "%u", i);
	}
	sdc_free(candidate);
}

/* near_breakpoints: what happens between two that differ by rounding only is not listed. */
static void
near_breakpoints(void)
{
	static const double values[] = {0, 0, 0.5, 0.5, 1, 1, 1};
	SdcWidthTask task;
	SdcWidthCandidate *candidate;
	uint64		count;

	make_task(&task, LENGTH(values), 1, false);
	for (uint32 r = 0; r < LENGTH(values); r++)
		value[0][r] = values[r];
	value[0][2] = nextafter(0.5, 0);
	measure(&task);
	task.grid = SDC_WIDTH_CONTINUOUS;
	task.share_most = 0.6;
	task.share_least = 0.45;
	CHECK(sdc_widths_find(&task, &candidate, &count) == SDC_OK);
	CHECKF(count == 2, "%llu", (unsigned long long) count);
	CHECK(candidate[0].depth == 3 && candidate[0].degree == 2 && candidate[0].share == 0.6);
	CHECK(candidate[count - 1].depth == 2 && candidate[count - 1].degree == 3);
	CHECK(fabs(candidate[count - 1].share - 0.5) < 0x1p-40);
	sdc_free(candidate);
}

/*
 * check_units compares the lists of the same file in several units, in which ranges are as large as
 * doubles go or denormal.
 */
static void
check_units(double share_most)
{
	static const double unit[] = {5e-324, 0x1p-1000, 0x1p1017};
	SdcWidthTask task;
	SdcWidthCandidate *plain = NULL;
	uint64		plain_count = 0;

	for (uint32 u = 0; u <= LENGTH(unit); u++)
	{
		SdcWidthCandidate *candidate;
		uint64		count;

		random_state = 21;
		make_task(&task, 300, 1, false);
		for (uint32 r = 0; r < 300; r++)
			value[0][r] = (pick(100) + 1) * (u > 0 ? unit[u - 1] : 1);
		measure(&task);
		task.grid = SDC_WIDTH_CONTINUOUS;
		task.share_most = share_most;
		task.share_least = 0.01;
		CHECK(sdc_widths_find(&task, &candidate, &count) == SDC_OK);
		if (u == 0)
		{
			plain = candidate;
			plain_count = count;
			continue;
		}
		CHECKF(count == plain_count, "%llu, not %llu: unit %g", (unsigned long long) count,
			   (unsigned long long) plain_count, unit[u - 1]);
		for (uint64 i = 0; i < count && i < plain_count; i++)
			CHECKF(fabs(candidate[i].share / plain[i].share - 1) < 1e-9 &&
				   candidate[i].degree == plain[i].degree && candidate[i].depth == plain[i].depth,
				   "%llu: unit %g", (unsigned long long) i, unit[u - 1]);
		sdc_free(candidate);
	}
	if (plain != NULL)
		sdc_free(plain);
}

/* units do not matter, nor where a width in them would have few digits. */
static void
units(void)
{
	check_units(0.7);
	check_units(0.0137);
}

/* edges: no records, one, constants, extreme numbers. */
static void
edges(void)
{
	for (int grid = 0; grid < 2; grid++)
		for (int kind = 0; kind < 5; kind++)
		{
			SdcWidthTask task;
			SdcWidthCandidate *candidate;
			SdcSwapPrivacy privacy;
			uint64		count;
			uint64		depth;

			random_state = 5;
			make_task(&task, kind == 0 ? 0 : kind == 1 ? 1 : 100, 2, false);
			for (uint32 r = 0; r < task.records; r++)
			{
				value[0][r] = kind == 2 ? 7 : kind == 3 ? (uniform() - 0.5) * 3.5e307 * 10 :
					pick(1000) * 5e-324;
				value[1][r] = kind == 2 ? -1 : kind == 3 ? uniform() : 3;
			}
			measure(&task);
			task.grid = grid == 0 ? SDC_WIDTH_INTERVALS : SDC_WIDTH_CONTINUOUS;
			CHECK(sdc_widths_find(&task, &candidate, &count) == SDC_OK);
			CHECK(sdc_widths_privacy(&task, &privacy) == SDC_OK);
			CHECK(count > 0);
			depth = kind < 3 ? task.records : candidate[0].depth;
			CHECKF(candidate[0].depth == depth && candidate[0].degree >= (task.records > 0), "%d", kind);
			CHECKF(kind >= 2 || privacy.candidates == 0, "%d", kind);
			CHECKF(kind != 2 || (privacy.candidates == 1 && privacy.tuple == 0.01 &&
								 privacy.closed == 1), "%d", kind);
			CHECK(privacy.tuple <= privacy.minimal_depth && privacy.minimal_depth <= privacy.closed);
			sdc_free(candidate);
		}
}

/* memory is asked for before it is taken, and the list stays within it. */
static void
memory(void)
{
	SdcWidthTask task;
	SdcWidthCandidate *candidate;
	SdcSwapPrivacy privacy;
	uint64		count;

	random_state = 1;
	make_task(&task, 500, 2, false);
	for (uint32 r = 0; r < 500; r++)
	{
		value[0][r] = uniform();
		value[1][r] = value[0][r] + 0.001 * uniform();
	}
	measure(&task);
	for (int grid = 0; grid < 2; grid++)
	{
		task.grid = grid == 0 ? SDC_WIDTH_INTERVALS : SDC_WIDTH_CONTINUOUS;
		task.share_least = 0.01;
		for (uint64 bytes = 0; bytes < 20000; bytes += 1000)
		{
			task.memory = bytes;
			CHECK(sdc_widths_find(&task, &candidate, &count) == SDC_ERROR_MEMORY);
			CHECK(candidate == NULL && count == 0);
			CHECK(sdc_widths_privacy(&task, &privacy) == SDC_ERROR_MEMORY);
		}
		task.memory = 1 << 24;
		CHECK(sdc_widths_find(&task, &candidate, &count) == SDC_OK);
		sdc_free(candidate);
	}
	/* what the walk needs and little more: a long list does not fit */
	task.share_most = 1;
	task.share_least = 0.002;
	for (task.memory = 10000; sdc_widths_privacy(&task, &privacy) != SDC_OK;)
		task.memory += 1000;
	CHECK(sdc_widths_find(&task, &candidate, &count) == SDC_ERROR_MEMORY);
	task.memory = 1 << 24;
	CHECK(sdc_widths_find(&task, &candidate, &count) == SDC_OK);
	CHECKF(count > 64, "%llu candidates", (unsigned long long) count);
	sdc_free(candidate);
	task.share_least = 1e-10;
	CHECK(sdc_widths_find(&task, &candidate, &count) == SDC_ERROR_MEMORY);
	task.grid = SDC_WIDTH_INTERVALS;
	task.intervals_most = UINT32_MAX;
	CHECK(sdc_widths_find(&task, &candidate, &count) == SDC_ERROR_MEMORY);
}

/* memory_is_kept measures what is taken of little more than is needed. */
static void
memory_is_kept(void)
{
	for (int round = 0; round < 40; round++)
	{
		SdcWidthTask task;
		SdcWidthCandidate *candidate;
		SdcStatus	status = SDC_ERROR_MEMORY;
		uint64		count;

		random_state = (uint64) round;
		make_task(&task, pick(MAX_RECORDS), 1 + (int) pick(MAX_ATTRIBUTES), false);
		task.grid = round % 2 == 0 ? SDC_WIDTH_INTERVALS : SDC_WIDTH_CONTINUOUS;
		for (task.memory = 1000; status != SDC_OK && memory_begin(); task.memory += 1 + task.memory / 50)
		{
			status = sdc_widths_find(&task, &candidate, &count);
			CHECKF(memory_most <= (int64) task.memory, "round %d: %lld of %lld bytes", round, (long long) memory_most,
				   (long long) task.memory);
			if (candidate != NULL)
				sdc_free(candidate);
		}
	}
}

/* privacy_of_depths checks equi-depth swapping. */
static void
privacy_of_depths(void)
{
	static const uint32 most[] = {2, 3, 4, 10, 65536, 65537, 65538, 1000000, UINT32_MAX};
	SdcSwapPrivacy privacy;
	long double harmonic = 0;
	uint32		summed = 0;

	for (uint32 m = 0; m < 2; m++)
	{
		sdc_widths_privacy_depths(m, &privacy);
		CHECK(privacy.candidates == 0 && privacy.tuple == 1 && privacy.minimal_depth == 1 &&
			  privacy.closed == 1);
	}
	for (uint32 i = 0; i < LENGTH(most); i++)
	{
		uint32		q = most[i] - 1;

		sdc_widths_privacy_depths(most[i], &privacy);
		CHECK(privacy.candidates == q);
		CHECKF(privacy.tuple <= privacy.minimal_depth && privacy.minimal_depth <= privacy.closed &&
			   privacy.closed <= 1, "%u", q);
		if (q > 1000000)
			continue;
		while (summed < q)
			harmonic += 1.0L / ++summed;
		CHECKF(fabsl(privacy.closed - harmonic / q) < 1e-15L, "%u: %.17g", q, privacy.closed);
		CHECKF(fabsl(privacy.minimal_depth - (harmonic + 1.0L / (q + 1) - 1) / q) < 1e-15L, "%u", q);
	}
	sdc_widths_privacy_depths(2, &privacy);
	CHECK(privacy.tuple == 0.5 && privacy.closed == 1);
	sdc_widths_privacy_depths(3, &privacy);
	CHECK(fabs(privacy.tuple - 5.0 / 12) < 1e-15 && privacy.closed == 0.75);
}

/* main runs the tests. */
int
main(void)
{
	RUN(walk_by_hand);
	RUN(intervals);
	RUN(continuous);
	RUN(long_walk);
	RUN(many_cells);
	RUN(near_breakpoints);
	RUN(units);
	RUN(edges);
	RUN(memory);
	RUN(memory_is_kept);
	RUN(privacy_of_depths);
	return tap_done();
}
