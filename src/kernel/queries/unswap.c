/*-------------------------------------------------------------------------
 *
 * unswap.c
 *		Between which numbers a count of the original is, by a release whose columns were swapped one by one.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <math.h>

#include "kernel/queries/unswap.h"

/* Steps to the best table, steps with each push, and how often the margins are fitted in a step, and behind these. */
#define BEST_STEPS 200
#define PUSH_STEPS 25
#define FIT_STEPS 3
#define LAST_FIT_STEPS 20

/* The first push, by how much it grows, and the largest one; and what is left of a cell in a step at least. */
#define PUSH_FIRST 0.002
#define PUSH_GROWTH 1.25
#define PUSH_LARGEST 3.0
#define LEFT_LEAST 0.5

/* What a standard normal number is below in 95 of 100. */
#define NORMAL_95 1.6448536269514722

/* Halvings of the way to a corner, how many times too far it may be, and what is told of cells, as measured. */
#define REACH_HALVES 10
#define REACH_FAR 4
#define TOLD_FACTOR 1.7

/* An expected count is never taken to be less. */
#define EXPECTED_LEAST 1e-9

typedef struct Unswapping
{
	const SdcUnswapTask *task;
	uint32		cells;
	uint32		length[SDC_UNSWAP_COLUMNS + 1]; /* of each axis, the layers first, */
	uint32		stride[SDC_UNSWAP_COLUMNS + 1];	/* and how far its neighbours are from each other */
	double	   *margin[SDC_UNSWAP_COLUMNS + 1];
	double	   *sum;			/* of the lines of an axis */
	uint32	   *place[SDC_UNSWAP_COLUMNS + 1]; /* of each cell on each axis */
	bool	   *counts;			/* the cells that count */
	double	   *expected;		/* by a table, */
	double	   *ratio;			/* what was released by that, mixed back */
	double	   *scratch;
} Unswapping;

/* sdc_unswap_cells: see unswap.h. */
uint32
sdc_unswap_cells(const SdcUnswapTask *task)
{
	uint32		cells = (uint32) task->layers;

	for (int j = 0; j < task->columns; j++)
		cells *= task->column[j].bins;
	return cells;
}

/* mix_axis mixes along a column: to[b] = sum over a of from[a] mix[a][b], or with back of from[a] mix[b][a]. */
static void
mix_axis(const Unswapping *unswapping, int column, bool back, const double *from, double *to)
{
	const SdcUnswapColumn *of = &unswapping->task->column[column];
	uint32		stride = unswapping->stride[column + 1];
	uint32		block = stride * of->bins;

	for (uint32 i = 0; i < unswapping->cells; i++)
		to[i] = 0;
	for (uint32 start = 0; start < unswapping->cells; start += block)
		for (uint32 a = 0; a < of->bins; a++)
			for (uint32 b = 0; b < of->bins; b++)
			{
				double		share = back ? of->mix[b * of->bins + a] : of->mix[a * of->bins + b];

				for (uint32 i = 0; i < stride && share > 0; i++)
					to[start + b * stride + i] += share * from[start + a * stride + i];
			}
}

/* mix mixes a table along all columns. */
static void
mix(const Unswapping *unswapping, bool back, const double *table, double *to)
{
	int			columns = unswapping->task->columns;

	for (int j = 0; j < columns; j++)
	{
		double	   *next = (columns - j) % 2 == 1 ? to : unswapping->scratch;

		mix_axis(unswapping, j, back, table, next);
		table = next;
	}
}

/* fit fits the margins of a table: those of the columns, and how many records each layer has. */
static void
fit(const Unswapping *unswapping, double *table)
{
	for (int axis = unswapping->task->columns; axis >= 0; axis--)
	{
		if (axis > 0 && unswapping->task->column[axis - 1].free)
			continue;
		for (uint32 i = 0; i < unswapping->length[axis]; i++)
			unswapping->sum[i] = 0;
		for (uint32 i = 0; i < unswapping->cells; i++)
			unswapping->sum[unswapping->place[axis][i]] += table[i];
		for (uint32 i = 0; i < unswapping->cells; i++)
		{
			uint32		at = unswapping->place[axis][i];

			table[i] *= unswapping->sum[at] > 0 ? unswapping->margin[axis][at] / unswapping->sum[at] : 0;
		}
	}
}

/* step makes a table better, with a push for the cells that count. */
static void
step(Unswapping *unswapping, double push, double *table)
{
	double	   *expected = unswapping->expected;

	SDC_CHECK_INTERRUPTS();
	mix(unswapping, false, table, expected);
	for (uint32 i = 0; i < unswapping->cells; i++)
		expected[i] = unswapping->task->count[i] / fmax(expected[i], EXPECTED_LEAST);
	mix(unswapping, true, expected, unswapping->ratio);
	for (uint32 i = 0; i < unswapping->cells; i++)
		table[i] *= fmax(unswapping->ratio[i] + (unswapping->counts[i] ? push : 0), LEFT_LEAST);
	for (int i = 0; i < FIT_STEPS; i++)
		fit(unswapping, table);
}

/* deviance returns how badly a table explains the released one. */
static double
deviance(Unswapping *unswapping, const double *table)
{
	const double *count = unswapping->task->count;
	double		sum = 0;

	mix(unswapping, false, table, unswapping->expected);
	for (uint32 i = 0; i < unswapping->cells; i++)
		if (count[i] > 0)
			sum += count[i] * log(count[i] / fmax(unswapping->expected[i], EXPECTED_LEAST));
	return 2 * sum;
}

/* total returns the records of a table that count. */
static double
total(const Unswapping *unswapping, const double *table)
{
	double		sum = 0;

	for (uint32 i = 0; i < unswapping->cells; i++)
		if (unswapping->counts[i])
			sum += table[i];
	return sum;
}

/* find_end pushes a table up or down as far as it explains the released one well enough. */
static double
find_end(Unswapping *unswapping, double direction, double limit, double *table)
{
	double		push = PUSH_FIRST;

	do
	{
		for (int i = 0; i < PUSH_STEPS; i++)
			step(unswapping, direction * push, table);
		for (int i = 0; i < LAST_FIT_STEPS; i++)
			fit(unswapping, table);
		push *= PUSH_GROWTH;
	} while (push <= PUSH_LARGEST && deviance(unswapping, table) < limit);
	return total(unswapping, table);
}

/* set_out prepares axes, margins and the cells that count. */
static void
set_out(Unswapping *unswapping)
{
	const SdcUnswapTask *task = unswapping->task;
	uint32		longest = (uint32) task->layers;
	uint32		stride = 1;

	for (int axis = task->columns; axis >= 0; axis--)
	{
		unswapping->length[axis] = axis == 0 ? (uint32) task->layers : task->column[axis - 1].bins;
		unswapping->stride[axis] = stride;
		stride *= unswapping->length[axis];
		if (unswapping->length[axis] > longest)
			longest = unswapping->length[axis];
		unswapping->margin[axis] = sdc_alloc_array(double, unswapping->length[axis]);
		unswapping->place[axis] = sdc_alloc_array(uint32, unswapping->cells);
		for (uint32 i = 0; i < unswapping->length[axis]; i++)
			unswapping->margin[axis][i] = axis == 0 ? 0 : task->column[axis - 1].margin[i];
	}
	unswapping->sum = sdc_alloc_array(double, longest);
	for (int axis = 0; axis <= task->columns; axis++)
		for (uint32 i = 0; i < unswapping->cells; i++)
			unswapping->place[axis][i] = i / unswapping->stride[axis] % unswapping->length[axis];
	for (uint32 i = 0; i < unswapping->cells; i++)
	{
		unswapping->margin[0][unswapping->place[0][i]] += task->count[i];
		unswapping->counts[i] = unswapping->place[0][i] == unswapping->length[0] - 1;
		for (int j = 0; j < task->columns; j++)
			unswapping->counts[i] = unswapping->counts[i] && task->column[j].holds[unswapping->place[j + 1][i]];
	}
}

/* begin_table starts with columns that have nothing to do with each other. */
static void
begin_table(const Unswapping *unswapping, double *table)
{
	double		records = 0;

	for (uint32 i = 0; i < unswapping->cells; i++)
		records += unswapping->task->count[i];
	for (uint32 i = 0; i < unswapping->cells; i++)
	{
		table[i] = records;
		for (int axis = 0; axis <= unswapping->task->columns; axis++)
			table[i] *= unswapping->margin[axis][unswapping->place[axis][i]] / records;
	}
}

/* satisfies tells whether a place on an axis satisfies its condition; so do all where its records are not known. */
static bool
satisfies(const Unswapping *unswapping, int axis, uint32 place)
{
	return axis == 0 ? place == unswapping->length[0] - 1 :
		unswapping->task->column[axis - 1].free || unswapping->task->column[axis - 1].holds[place];
}

/* fails returns how many of these conditions a cell does not satisfy. */
static int
fails(const Unswapping *unswapping, uint32 cell)
{
	int			failing = 0;

	for (int axis = 0; axis <= unswapping->task->columns; axis++)
		failing += !satisfies(unswapping, axis, unswapping->place[axis][cell]);
	return failing;
}

/*
 * Where one condition follows from another, the original is at a corner of what the numbers of records for each
 * condition allow: as many records as for the rarest, or as few as can be.
 */
typedef struct Corner
{
	double		total;			/* records that count */
	bool		most;			/* as many as can be */
	int			rarest;			/* axis with the rarest condition */
} Corner;

/* is_empty tells whether a cell has no record in a corner. */
static bool
is_empty(const Unswapping *unswapping, const Corner *corner, uint32 cell)
{
	if (corner->most)
		return satisfies(unswapping, corner->rarest, unswapping->place[corner->rarest][cell]) &&
			fails(unswapping, cell) > 0;
	return corner->total > 0 ? fails(unswapping, cell) > 1 : unswapping->counts[cell];
}

/* find_corner finds the corner with most records, or with fewest. */
static Corner
find_corner(const Unswapping *unswapping, bool most)
{
	Corner		corner = {0, most, 0};
	double		all = 0;
	double		least = INFINITY;
	double		missing = 0;

	for (uint32 i = 0; i < unswapping->length[0]; i++)
		all += unswapping->margin[0][i];
	for (int axis = 0; axis <= unswapping->task->columns; axis++)
	{
		double		records = 0;

		for (uint32 i = 0; i < unswapping->length[axis]; i++)
			records += satisfies(unswapping, axis, i) ? unswapping->margin[axis][i] : 0;
		missing += all - records;
		if (records < least)
		{
			least = records;
			corner.rarest = axis;
		}
	}
	corner.total = most ? least : fmax(all - missing, 0);
	return corner;
}

/*
 * told returns how much of a cell the released table tells: most where its records stay, little where they are spread.
 * It is the chance that two of them are released in the same cell.
 */
static double
told(const Unswapping *unswapping, uint32 cell)
{
	double		chance = 1;

	for (int j = 0; j < unswapping->task->columns; j++)
	{
		const SdcUnswapColumn *of = &unswapping->task->column[j];
		const double *row = of->mix + (Size) unswapping->place[j + 1][cell] * of->bins;
		double		sum = 0;

		for (uint32 b = 0; b < of->bins; b++)
			sum += row[b] * row[b];
		chance *= sum;
	}
	return chance;
}

/* chance_of returns how much more than that of the best table a deviance likely is where so many cells are empty. */
static double
chance_of(const Unswapping *unswapping, double empty)
{
	double		share = 2 / (9 * empty);

	return unswapping->task->dispersion * empty * pow(1 - share + NORMAL_95 * sqrt(share), 3);
}

/* corner_table makes the best table of a corner, and returns how much is told of the cells that are empty there. */
static double
corner_table(Unswapping *unswapping, const Corner *corner, double *table)
{
	double		empty = 0;

	begin_table(unswapping, table);
	for (uint32 i = 0; i < unswapping->cells; i++)
		if (table[i] > 0 && is_empty(unswapping, corner, i))
		{
			table[i] = 0;
			empty += TOLD_FACTOR * told(unswapping, i);
		}
	for (int i = 0; i < LAST_FIT_STEPS; i++)
		fit(unswapping, table);
	for (int i = 0; i < BEST_STEPS; i++)
		step(unswapping, 0, table);
	return empty;
}

/*
 * reach returns how far on the way from the best table to a corner the released table is explained well enough: 1 in
 * the corner, 0 where it is far away.
 */
static double
reach(Unswapping *unswapping, const Corner *corner, const double *best, double *table)
{
	double	   *between = sdc_alloc_array(double, unswapping->cells);
	double		empty = corner_table(unswapping, corner, table);
	double		least = deviance(unswapping, best);
	double		limit = empty <= 0 ? -1 : chance_of(unswapping, empty);
	double		above = deviance(unswapping, table) - least;
	double		within = above <= limit ? 1 : 0;
	double		beyond = 1;

	for (int i = 0; i < REACH_HALVES && within < 1 && above <= REACH_FAR * limit; i++)
	{
		double		middle = (within + beyond) / 2;

		for (uint32 c = 0; c < unswapping->cells; c++)
			between[c] = best[c] + middle * (table[c] - best[c]);
		*(deviance(unswapping, between) - least <= limit ? &within : &beyond) = middle;
	}
	sdc_free(between);
	return within;
}

/* widen has a result reach towards the corners: near them the best table fits chance, and so explains too much. */
static void
widen(Unswapping *unswapping, const double *best, double *table, SdcUnswapResult *result)
{
	const Corner fewest = find_corner(unswapping, false);
	const Corner most = find_corner(unswapping, true);
	double		down = result->estimate - fewest.total;
	double		up = most.total - result->estimate;

	if (fewest.total < result->low)
		result->low = fmin(result->low, result->estimate - down * reach(unswapping, &fewest, best, table));
	if (most.total > result->high)
		result->high = fmax(result->high, result->estimate + up * reach(unswapping, &most, best, table));
}

/* sdc_unswap_run: see unswap.h. */
void
sdc_unswap_run(const SdcUnswapTask *task, SdcUnswapResult *result)
{
	uint32		cells = sdc_unswap_cells(task);
	Unswapping	unswapping = {.task = task, .cells = cells, .counts = sdc_alloc_array(bool, cells),
		.expected = sdc_alloc_array(double, cells), .ratio = sdc_alloc_array(double, cells),
		.scratch = sdc_alloc_array(double, cells)
	};
	double	   *best = sdc_alloc_array(double, cells);
	double	   *pushed = sdc_alloc_array(double, cells);
	double		limit;

	SDC_ASSERT(task->columns > 0 && task->columns <= SDC_UNSWAP_COLUMNS && task->threshold > 0);
	set_out(&unswapping);
	begin_table(&unswapping, best);
	for (int i = 0; i < BEST_STEPS; i++)
		step(&unswapping, 0, best);
	limit = deviance(&unswapping, best) + task->threshold;
	result->estimate = total(&unswapping, best);
	memcpy(pushed, best, sizeof(double) * cells);
	result->low = fmin(find_end(&unswapping, -1, limit, pushed), result->estimate);
	memcpy(pushed, best, sizeof(double) * cells);
	result->high = fmax(find_end(&unswapping, 1, limit, pushed), result->estimate);
	widen(&unswapping, best, pushed, result);
	for (int axis = 0; axis <= task->columns; axis++)
	{
		sdc_free(unswapping.margin[axis]);
		sdc_free(unswapping.place[axis]);
	}
	sdc_free(unswapping.sum);
	sdc_free(unswapping.counts);
	sdc_free(unswapping.expected);
	sdc_free(unswapping.ratio);
	sdc_free(unswapping.scratch);
	sdc_free(best);
	sdc_free(pushed);
}
