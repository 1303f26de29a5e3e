/*-------------------------------------------------------------------------
 *
 * equiwidth.c
 *		Equi-width partitioning: the non-empty boxes of a grid.
 *
 * With m intervals an attribute that reaches from low over range has the interval least(floor((x
 * - low) * m / range), m - 1), with a width t the interval least(floor((x - low) / t), ceil(range
 * / t) - 1): half open, but for the last one of a width that divides the range.  The operations
 * on doubles are these, in this order, so that the same expression in SQL finds the same
 * interval; on the border between two intervals their rounding decides.
 *
 * Where an operation could overflow, all is computed in units of 2^128, which changes the
 * exponents of the numbers and no other bit.  A range that overflows itself is not known; its
 * grid ends at the largest double.
 *
 * Beyond 2^53 widths from the low end doubles are at least a width apart, so that no two different
 * differences x - low can share an interval (see equiwidth.h).
 *
 * Time: O(records attributes).  Memory: that of boxes.c.  Determined by the values: neither the
 * order of the records nor memory has an influence.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <math.h>

#include "kernel/base/boxes.h"
#include "kernel/bins/equiwidth.h"

/* Magnitudes up to here can be multiplied by a number of intervals. */
#define LARGE 0x1p900

/* The unit of larger ones, and its reciprocal. */
#define LARGE_UNIT 0x1p128
#define LARGE_SCALE 0x1p-128

/* Quotients from here on are whole numbers, and neighbouring doubles a width apart. */
#define WHOLE 0x1p53

/* Set in the index of a value that has an interval of its own: above all quotients. */
#define INDEX_OWN UINT64_C(0x8000000000000000)

/* One attribute of the grid. */
typedef struct Axis
{
	double		unit;			/* in which low and range are measured, 1 or LARGE_UNIT */
	double		scale;			/* its reciprocal */
	double		low;
	double		range;			/* 0: constant */
	double		intervals;		/* or 0: a width is given */
	double		width;			/* not in units */
	double		last;			/* the last interval; WHOLE: too many to count */
} Axis;

/* own_index is the number of a difference that has an interval of its own: the order of its bits. */
static inline uint64
own_index(double difference)
{
	uint64		bits;

	memcpy(&bits, &difference, sizeof(bits));
	return bits | INDEX_OWN;
}

/* make_axis prepares an attribute. */
static void
make_axis(const SdcEquiwidthTask *task, int attribute, Axis *axis)
{
	double		low = task->low[attribute];
	double		range = task->range[attribute];
	bool		large = fabs(low) > LARGE || range > LARGE;

	axis->unit = large ? LARGE_UNIT : 1;
	axis->scale = large ? LARGE_SCALE : 1;
	axis->low = low * axis->scale;
	axis->range = isinf(range) ? __DBL_MAX__ * axis->scale - axis->low : range * axis->scale;
	axis->intervals = task->intervals;
	axis->width = task->intervals > 0 ? 0 : task->width[attribute];
	if (!(axis->range > 0))
		axis->last = axis->range = 0;
	else if (task->intervals > 0)
		axis->last = axis->intervals - 1;
	else
	{
		SDC_ASSERT(axis->width > 0);
		axis->last = ceil(axis->range / axis->width * axis->unit) - 1;
		axis->last = fmin(fmax(axis->last, 0), WHOLE);
	}
}

/* axis_most is the largest number of an interval. */
static inline uint64
axis_most(const Axis *axis)
{
	return axis->last < WHOLE ? (uint64) axis->last : own_index(axis->range);
}

/* interval_of finds the interval of a value where their number is given; last > 0. */
static inline uint64
interval_of(const Axis *axis, double value)
{
	double		quotient = (value * axis->scale - axis->low) * axis->intervals / axis->range;

	if (!(quotient > 0))
		return 0;
	return (uint64) (int64) (quotient < axis->last ? quotient : axis->last);
}

/* step_of finds the interval of a value where their width is given; last > 0. */
static inline uint64
step_of(const Axis *axis, double value)
{
	double		difference = value * axis->scale - axis->low;
	double		quotient;

	if (!(difference > 0))
		return 0;
	quotient = difference / axis->width * axis->unit;
	if (quotient < WHOLE)
		return (uint64) (int64) (quotient < axis->last ? quotient : axis->last);
	if (axis->last < WHOLE)
		return (uint64) (int64) axis->last;
	return own_index(fmin(difference, axis->range));
}

/* index_of finds the interval of a value. */
static inline uint64
index_of(const Axis *axis, double value)
{
	if (axis->last == 0)
		return 0;
	return axis->intervals > 0 ? interval_of(axis, value) : step_of(axis, value);
}

/* sdc_equiwidth_index: see equiwidth.h. */
uint64
sdc_equiwidth_index(const SdcEquiwidthTask *task, int attribute, double value)
{
	Axis		axis;

	make_axis(task, attribute, &axis);
	return index_of(&axis, value);
}

/* fill_indices fills the intervals of an attribute; those of missing values are wrong yet. */
static void
fill_indices(const SdcEquiwidthTask *task, const Axis *axis, const double *value, uint64 *index)
{
	for (uint32 start = 0, end; start < task->records; start = end)
	{
		end = sdc_interrupts_block(start, task->records);
		if (axis->last == 0)
			memset(index + start, 0, (end - start) * sizeof(uint64));
		else if (task->record != NULL)
			for (uint32 i = start; i < end; i++)
				index[i] = index_of(axis, value[task->record[i]]);
		else if (axis->intervals > 0)
			for (uint32 i = start; i < end; i++)
				index[i] = interval_of(axis, value[i]);
		else
			for (uint32 i = start; i < end; i++)
				index[i] = step_of(axis, value[i]);
	}
}

/* sdc_equiwidth_indices gives missing values the interval after the last. */
uint64
sdc_equiwidth_indices(const SdcEquiwidthTask *task, int attribute, uint64 *index)
{
	const double *value = task->value[attribute];
	Axis		axis;
	uint64		most;

	make_axis(task, attribute, &axis);
	most = axis_most(&axis) + 1;
	fill_indices(task, &axis, value, index);
	for (uint32 i = 0; i < task->records; i++)
	{
		double		x = value[task->record == NULL ? i : task->record[i]];

		sdc_interrupts_step(i);
		if (x != x)
			index[i] = most;
	}
	return most;
}

/* sdc_equiwidth_memory: see boxes.c. */
uint64
sdc_equiwidth_memory(uint32 records, int attributes)
{
	(void) attributes;
	return sdc_boxes_memory(records);
}

/* sdc_equiwidth: see equiwidth.h. */
uint32
sdc_equiwidth(const SdcEquiwidthTask *task, uint32 first, uint32 *bin)
{
	SdcBoxes   *boxes = sdc_boxes_create(task->records);
	uint32		bins;

	for (int i = 0; i < task->attributes; i++)
	{
		Axis		axis;

		make_axis(task, i, &axis);
		if (axis.last == 0)
			continue;			/* tells no two records apart */
		fill_indices(task, &axis, task->value[i], sdc_boxes_column(boxes));
		sdc_boxes_add(boxes, axis_most(&axis));
	}
	bins = sdc_boxes_number(boxes, task->record, first, bin);
	sdc_boxes_destroy(boxes);
	return bins;
}
