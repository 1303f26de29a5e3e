/*-------------------------------------------------------------------------
 *
 * test_microaggregate.c
 *		Optimal runs against all ways to cut and to group, groups of near records against a plain twin, and which
 *		released values can be those of an original one.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/candidates/candidates.h"
#include "kernel/partition/mdav.h"
#include "kernel/partition/optimalruns.h"

#include "random.h"
#include "tap.h"

/* A common multiple of all lengths of runs up to 9: costs times that are whole numbers. */
#define MULTIPLE 2520

#define MOST 12
#define ATTRIBUTES 4

/* whole_within is the cost of a run of whole numbers, times MULTIPLE. */
static int64
whole_within(const int64 *value, uint32 length)
{
	int64		sum = 0;
	int64		squares = 0;

	for (uint32 i = 0; i < length; i++)
	{
		sum += value[i];
		squares += value[i] * value[i];
	}
	return MULTIPLE * squares - MULTIPLE / length * sum * sum;
}

/* whole_runs is the twin: exact costs, and of equal ones the shorter last run. */
static int64
whole_runs(const int64 *value, uint32 n, uint32 k, uint32 *last)
{
	int64		cost[MOST + 1] = {0};

	for (uint32 end = 1; end <= n; end++)
	{
		cost[end] = -1;
		for (uint32 length = k; length < 2 * k && length <= end; length++)
		{
			int64		all;

			if (cost[end - length] < 0)
				continue;
			all = cost[end - length] + whole_within(value + end - length, length);
			if (cost[end] >= 0 && all >= cost[end])
				continue;
			cost[end] = all;
			last[end] = length;
		}
	}
	return cost[n];
}

/* least_groups is the least cost of any groups of at least k numbers: record i goes to every group, or a new one. */
static double
least_groups(const int64 *value, uint32 n, uint32 k, uint32 i, uint32 groups, uint32 *group)
{
	double		least = INFINITY;

	if (i < n)
	{
		for (uint32 g = 0; g <= groups; g++)
		{
			group[i] = g;
			least = fmin(least, least_groups(value, n, k, i + 1, groups + (g == groups), group));
		}
		return least;
	}
	least = 0;
	for (uint32 g = 0; g < groups; g++)
	{
		double		sum = 0;
		double		squares = 0;
		uint32		count = 0;

		for (uint32 r = 0; r < n; r++)
			if (group[r] == g)
			{
				sum += (double) value[r];
				squares += (double) (value[r] * value[r]);
				count++;
			}
		if (count < k)
			return INFINITY;
		least += squares - sum * sum / count;
	}
	return least;
}

/* draw_sorted draws ascending whole numbers, many of them equal. */
static void
draw_sorted(int64 *value, double *number, uint32 n)
{
	int64		at = 0;

	for (uint32 i = 0; i < n; i++)
	{
		at += pick(4) == 0 ? pick(6) : pick(2);
		value[i] = at;
		/* far from 0, where squares of the numbers themselves would lose them */
		number[i] = (double) at + 1e9;
	}
}

/* runs_are_cut_as_defined compares with exact costs. */
static void
runs_are_cut_as_defined(void)
{
	for (int round = 0; round < 20000; round++)
	{
		uint32		k = 1 + pick(5);
		uint32		n = k + pick(MOST + 1 - k);
		int64		value[MOST];
		double		number[MOST];
		uint32		run[MOST];
		uint32		last[MOST + 1];
		double		within;
		double		squares;
		int64		least;
		uint32		runs;

		draw_sorted(value, number, n);
		runs = sdc_optimalruns(number, n, k, run, &within, &squares);
		least = whole_runs(value, n, k, last);
		CHECKF(fabs(within - (double) least / MULTIPLE) < 1e-6, "%g %g", within, (double) least / MULTIPLE);
		for (uint32 end = n; end > 0; end -= last[end])
		{
			runs--;
			for (uint32 i = end - last[end]; i < end; i++)
				CHECKF(run[i] == runs, "n %u k %u: %u in %u and not %u", n, k, i, run[i], runs);
		}
		CHECK(runs == 0);
	}
}

/* runs_are_best compares with all ways to make groups, sorted or not. */
static void
runs_are_best(void)
{
	for (int round = 0; round < 60; round++)
	{
		uint32		k = 2 + pick(2);
		uint32		n = k + pick(9 - k);
		int64		value[MOST];
		double		number[MOST];
		uint32		run[MOST];
		uint32		group[MOST];
		double		within;
		double		squares;
		double		least;

		draw_sorted(value, number, n);
		sdc_optimalruns(number, n, k, run, &within, &squares);
		least = least_groups(value, n, k, 0, 0, group);
		CHECKF(fabs(within - least) < 1e-6, "%g %g", within, least);
	}
}

/* runs_of_many have lengths from k to 2 k - 1, and the sums that their numbers have. */
static void
runs_of_many(void)
{
	uint32		n = 20000;
	uint32		k = 7;
	double	   *number = sdc_alloc_array(double, n);
	uint32	   *run = sdc_alloc_array(uint32, n);
	long double sum = 0;
	long double all = 0;
	double		within;
	double		squares;
	uint32		runs;

	for (uint32 i = 0; i < n; i++)
		number[i] = (i == 0 ? 1e6 : number[i - 1]) + uniform() * uniform();
	runs = sdc_optimalruns(number, n, k, run, &within, &squares);
	for (uint32 start = 0, end; start < n; start = end)
	{
		long double mean = 0;

		for (end = start; end < n && run[end] == run[start]; end++)
			mean += number[end];
		CHECK(end - start >= k && end - start < 2 * k);
		CHECK(run[start] == (start == 0 ? 0 : run[start - 1] + 1));
		mean /= end - start;
		for (uint32 i = start; i < end; i++)
			sum += (number[i] - mean) * (number[i] - mean);
	}
	CHECK(runs == run[n - 1] + 1);
	CHECKF(fabsl(sum - within) <= 1e-12L * sum, "%Lg %g", sum, within);
	sum = 0;
	for (uint32 i = 0; i < n; i++)
		sum += number[i];
	for (uint32 i = 0; i < n; i++)
		all += (number[i] - sum / n) * (number[i] - sum / n);
	CHECK(fabsl(all - squares) <= 1e-12L * all);
	sdc_free(run);
	sdc_free(number);
}

/* edges are the smallest tables. */
static void
edges(void)
{
	const double equal[] = {3, 3, 3, 3, 3, 3, 3};
	uint32		run[7];
	uint32		group[7];
	double		within;
	double		squares;
	const double *const column[] = {equal, equal};
	SdcMdavTask task = {7, 2, column, 3};

	/* all cuts cost nothing: the last run is the shortest, and so on */
	CHECK(sdc_optimalruns(equal, 7, 3, run, &within, &squares) == 2 && run[3] == 0 && run[4] == 1);
	CHECK(within == 0 && squares == 0);
	CHECK(sdc_optimalruns(equal, 1, 1, run, &within, &squares) == 1 && run[0] == 0);
	CHECK(sdc_optimalruns(equal, 5, 5, run, &within, &squares) == 1 && run[4] == 0);
	CHECK(sdc_mdav(&task, group, &within, &squares) == 2 && within == 0 && squares == 0);
	for (int i = 0; i < 7; i++)
		CHECK(group[i] == (i < 3 ? 0 : 1));
	task.records = 5;
	CHECK(sdc_mdav(&task, group, &within, &squares) == 1 && group[4] == 0);
	task.records = task.k = 1;
	CHECK(sdc_mdav(&task, group, &within, &squares) == 1 && group[0] == 0);
}

/* ------------------------------------------------------------------------
 * Groups of near records
 * ------------------------------------------------------------------------
 */

/* A table as the twin has it, row by row. */
typedef struct Table
{
	uint32		n;
	int			m;
	double	   *row;			/* measured */
	bool	   *taken;
} Table;

/* apart is the square of a distance. */
static double
apart(const Table *table, uint32 i, const double *from)
{
	double		sum = 0;

	for (int j = 0; j < table->m; j++)
		sum += (table->row[i * table->m + j] - from[j]) * (table->row[i * table->m + j] - from[j]);
	return sum;
}

/* best is the farthest, or nearest, record that is left. */
static uint32
best(const Table *table, const double *from, bool far)
{
	uint32		found = UINT32_MAX;

	for (uint32 i = 0; i < table->n; i++)
		if (!table->taken[i] && (found == UINT32_MAX ||
								 (far ? apart(table, i, from) > apart(table, found, from) :
								  apart(table, i, from) < apart(table, found, from))))
			found = i;
	return found;
}

/* take_group takes a record and its nearest ones. */
static uint32
take_group(Table *table, uint32 first, uint32 k, uint32 number, uint32 *group)
{
	uint32		next = first;

	for (uint32 c = 0; c < k; c++)
	{
		table->taken[next] = true;
		group[next] = number;
		next = best(table, table->row + first * table->m, false);
	}
	return first;
}

/* centre is that of the records that are left. */
static void
centre(const Table *table, uint32 left, double *point)
{
	for (int j = 0; j < table->m; j++)
	{
		long double sum = 0;

		for (uint32 i = 0; i < table->n; i++)
			if (!table->taken[i])
				sum += table->row[i * table->m + j];
		point[j] = (double) sum / left;
	}
}

/* plain_groups makes groups as the definition says. */
static uint32
plain_groups(Table *table, uint32 k, uint32 *group)
{
	uint32		left = table->n;
	uint32		groups = 0;
	double		point[ATTRIBUTES];

	while (left >= 2 * k)
	{
		uint32		r;

		centre(table, left, point);
		r = take_group(table, best(table, point, true), k, groups++, group);
		left -= k;
		if (left < 2 * k)
			break;
		take_group(table, best(table, table->row + r * table->m, true), k, groups++, group);
		left -= k;
	}
	for (uint32 i = 0; i < table->n; i++)
		if (!table->taken[i])
			group[i] = groups;
	return groups + (left > 0);
}

/* measure_column fills in a column of the twin's table. */
static void
measure_column(Table *table, int j, const double *value)
{
	long double mean = 0;
	long double squares = 0;

	for (uint32 i = 0; i < table->n; i++)
		mean += value[i];
	mean = (double) mean / table->n;
	for (uint32 i = 0; i < table->n; i++)
		squares += (value[i] - (double) mean) * (value[i] - (double) mean);
	for (uint32 i = 0; i < table->n; i++)
		table->row[i * table->m + j] = squares == 0 ? 0 :
			(value[i] - (double) mean) / sqrt((double) squares / (table->n - 1));
}

/* compare_groups compares one table with the twin; few values: many distances are equal. */
static void
compare_groups(uint32 n, int m, uint32 k, uint32 values)
{
	double	   *column[ATTRIBUTES];
	uint32	   *group = sdc_alloc_array(uint32, n);
	uint32	   *expected = sdc_alloc_array(uint32, n);
	Table		table = {n, m, sdc_alloc_array(double, n * m), sdc_alloc_zeros(bool, n)};
	SdcMdavTask task = {n, m, (const double *const *) column, k};
	double		within;
	double		squares;

	for (int j = 0; j < m; j++)
	{
		column[j] = sdc_alloc_array(double, n);
		for (uint32 i = 0; i < n; i++)
			column[j][i] = values > 0 ? (double) pick(values) : 1e5 + uniform() * (j + 1);
		measure_column(&table, j, column[j]);
	}
	CHECK(sdc_mdav(&task, group, &within, &squares) == plain_groups(&table, k, expected));
	for (uint32 i = 0; i < n; i++)
		CHECKF(group[i] == expected[i], "n %u m %d k %u values %u: record %u is in %u, not %u", n, m, k, values, i,
			   group[i], expected[i]);
	CHECK(within >= 0 && within <= squares * (1 + 1e-12));
	for (int j = 0; j < m; j++)
		sdc_free(column[j]);
	sdc_free(table.taken);
	sdc_free(table.row);
	sdc_free(expected);
	sdc_free(group);
}

/* groups_are_made_as_defined compares many tables with the twin. */
static void
groups_are_made_as_defined(void)
{
	for (int round = 0; round < 400; round++)
	{
		uint32		k = 1 + pick(6);

		compare_groups(k + pick(80), 1 + (int) pick(ATTRIBUTES), k, pick(3) == 0 ? 0 : 1 + pick(5));
	}
	compare_groups(900, 3, 4, 0);
	compare_groups(900, 2, 40, 12);
}

/* squares_by_hand: two groups of (0, 1, 2) and (10, 11, 12), measured in their standard deviation. */
static void
squares_by_hand(void)
{
	const double value[] = {0, 11, 2, 10, 1, 12};
	const double *const column[] = {value};
	SdcMdavTask task = {6, 1, column, 3};
	uint32		group[6];
	double		within;
	double		squares;

	CHECK(sdc_mdav(&task, group, &within, &squares) == 2);
	CHECK(group[0] == group[2] && group[0] == group[4] && group[1] == group[3] && group[1] == group[5]);
	/* 4 of 154, and n - 1 = 5 of the column */
	CHECK(fabs(within - 5 * 4 / 154.0) < 1e-14 && squares == 5);
}

/* is_between tells whether another released value of the stratum is strictly between an original and a released one. */
static bool
is_between(const SdcCandidatesTask *task, const SdcCandidatesColumn *column, uint32 i, uint32 l)
{
	uint32		x = column->original[i];
	uint32		y = column->protected[l];

	for (uint32 o = 0; o < task->records; o++)
	{
		uint32		other = column->protected[o];

		if (other != SDC_CODE_NULL && task->stratum[o] == task->stratum[i] && !isnan(column->value[other]) &&
			((x < other && other < y) || (y < other && other < x)))
			return true;
	}
	return false;
}

/* neighbours_are_as_defined looks at every pair of a stratum: codes of infinity are the first and the last. */
static void
neighbours_are_as_defined(void)
{
	for (int round = 0; round < 3000; round++)
	{
		uint32		n = 1 + pick(12);
		uint32		codes = 3 + pick(9);
		uint32		original[MOST];
		uint32		protected[MOST];
		uint32		stratum[MOST];
		double		value[MOST];
		SdcInterval window[MOST];
		SdcCandidatesColumn column = {.kind = SDC_CANDIDATES_WINDOW, .original = original, .protected = protected,
		.codes = codes, .value = value};
		SdcCandidatesTask task = {.records = n, .count = 1, .column = &column, .stratum = stratum, .strata = 2};

		for (uint32 c = 0; c < codes; c++)
			value[c] = c == 0 || c == codes - 1 ? NAN : c;
		for (uint32 i = 0; i < n; i++)
		{
			original[i] = pick(8) == 0 ? SDC_CODE_NULL : pick(codes);
			protected[i] = pick(8) == 0 ? SDC_CODE_NULL : pick(codes);
			stratum[i] = round % 3 == 0 ? 0 : pick(2);
		}
		if (round % 6 == 0)
			task.stratum = NULL;
		sdc_candidates_neighbours(&task, &column, window);
		task.stratum = stratum;
		for (uint32 i = 0; i < n; i++)
			for (uint32 l = 0; l < n; l++)
			{
				bool		inside = window[i].first <= protected[l] && protected[l] <= window[i].last;
				bool		other = original[i] == SDC_CODE_NULL || isnan(value[original[i]]);

				if (protected[l] == SDC_CODE_NULL || stratum[i] != stratum[l])
					continue;
				if (other || isnan(value[protected[l]]))
					CHECK(inside == (original[i] != SDC_CODE_NULL && original[i] == protected[l]));
				else
					CHECK(inside == !is_between(&task, &column, i, l));
			}
	}
}

int
main(void)
{
	RUN(runs_are_cut_as_defined);
	RUN(runs_are_best);
	RUN(runs_of_many);
	RUN(edges);
	RUN(groups_are_made_as_defined);
	RUN(squares_by_hand);
	RUN(neighbours_are_as_defined);
	return tap_done();
}
