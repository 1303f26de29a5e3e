/*-------------------------------------------------------------------------
 *
 * unitlevels.c
 *		Whether the records of a unit agree in a column, and how much they do.
 *
 * The records are put in the order of their units, and those of a unit in the order of their codes: so the sums are
 * made in one order, whatever that of the records is.  Deviations are summed in a second pass, from means that are
 * known, with compensation.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <math.h>

#include "kernel/base/codesort.h"
#include "kernel/base/moments.h"
#include "kernel/groups/unitlevels.h"

/* The values of a unit: those of the records at order[start] .. order[end - 1], the missing ones last. */
typedef struct Piece
{
	uint32		start;
	uint32		end;
	uint32		values;			/* that are not missing */
} Piece;

/* order_records orders the records by unit, and those of a unit by code. */
static uint32 *
order_records(const SdcUnitLevelTask *task)
{
	const SdcCodesort by_unit = {task->unit, 1, task->units, NULL};
	const SdcCodesort by_code = {task->column.code, 1, task->column.codes, NULL};

	return sdc_codesort_two(&by_unit, &by_code, task->records);
}

/* next_piece finds the values of the unit behind a piece; false: there is none. */
static bool
next_piece(const SdcUnitLevelTask *task, const uint32 *order, Piece *piece)
{
	piece->start = piece->end;
	piece->values = 0;
	if (piece->start == task->records)
		return false;
	do
	{
		sdc_interrupts_step(piece->end);
		piece->values += task->column.code[order[piece->end]] != SDC_CODE_NULL;
		piece->end++;
	} while (piece->end < task->records && task->unit[order[piece->end]] == task->unit[order[piece->start]]);
	return true;
}

/* mean_of returns the mean of some values, whose sum is added to another one. */
static double
mean_of(const SdcUnitLevelTask *task, const uint32 *order, const Piece *piece, SdcMomentsSum *all)
{
	SdcMomentsSum sum = {0, 0};

	for (uint32 i = 0; i < piece->values; i++)
	{
		double		value = task->number[task->column.code[order[piece->start + i]]];

		sdc_interrupts_step(i);
		sdc_moments_add(&sum, value);
		sdc_moments_add(all, value);
	}
	return sdc_moments_total(&sum) / piece->values;
}

/* share_of_variance is the icc. */
static double
share_of_variance(const SdcUnitLevelTask *task, const uint32 *order)
{
	SdcMomentsSum all = {0, 0};
	SdcMomentsSum between = {0, 0};
	SdcMomentsSum within = {0, 0};
	double		g = 0;
	double		n = 0;
	double		squares = 0;	/* of the numbers of values: whole, and exact up to 2^53 */
	Piece		piece = {0, 0, 0};
	double		mean;
	double		msb;
	double		msw;

	while (next_piece(task, order, &piece))
	{
		if (piece.values < 2)
			continue;
		(void) mean_of(task, order, &piece, &all);
		g++;
		n += piece.values;
		squares += (double) piece.values * piece.values;
	}
	if (g < 2)
		return NAN;
	mean = sdc_moments_total(&all) / n;
	piece.end = 0;
	while (next_piece(task, order, &piece))
	{
		double		own;

		if (piece.values < 2)
			continue;
		own = mean_of(task, order, &piece, &all);
		sdc_moments_add(&between, piece.values * (own - mean) * (own - mean));
		for (uint32 i = 0; i < piece.values; i++)
		{
			double		deviation = task->number[task->column.code[order[piece.start + i]]] - own;

			sdc_interrupts_step(i);
			sdc_moments_add(&within, deviation * deviation);
		}
	}
	msb = sdc_moments_total(&between) / (g - 1);
	msw = sdc_moments_total(&within) / (n - g);
	return (msb - msw) / (msb + ((n - squares / n) / (g - 1) - 1) * msw);
}

/* count_alone counts the units whose value no other one has, of a column in which the records of each agree. */
static uint32
count_alone(const SdcUnitLevelTask *task, const uint32 *order)
{
	uint32	   *units = sdc_alloc_zeros(uint32, (uint64) task->column.codes + 1);
	Piece		piece = {0, 0, 0};
	uint32		alone = 0;

	while (next_piece(task, order, &piece))
		units[piece.values > 0 ? task->column.code[order[piece.start]] : task->column.codes]++;
	for (uint32 code = 0; code <= task->column.codes; code++)
	{
		sdc_interrupts_step(code);
		alone += units[code] == 1;
	}
	sdc_free(units);
	return alone;
}

/* sdc_unitlevels_measure: see unitlevels.h. */
void
sdc_unitlevels_measure(const SdcUnitLevelTask *task, SdcUnitLevel *result)
{
	uint32	   *order = order_records(task);
	Piece		piece = {0, 0, 0};

	memset(result, 0, sizeof(*result));
	result->icc = NAN;
	while (next_piece(task, order, &piece))
		if (task->column.code[order[piece.start]] != task->column.code[order[piece.end - 1]])
			result->differing++;
	if (result->differing == 0)
		result->alone = count_alone(task, order);
	else if (task->number != NULL)
		result->icc = share_of_variance(task, order);
	sdc_free(order);
}
