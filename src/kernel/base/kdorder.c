/*-------------------------------------------------------------------------
 *
 * kdorder.c
 *		Order points so that neighbours in space are neighbours in memory.
 *
 * The kd-tree of J. H. Friedman, J. L. Bentley and R. A. Finkel ("An algorithm for
 * finding best matches in logarithmic expected time", ACM Transactions on
 * Mathematical Software 3, 1977): split where the points spread furthest.  It
 * differs in where it splits: not at the median but at the multiple of the leaf size
 * next to it, so that nearly all leaves are full.  And in which dimension: the spread of a
 * range in a dimension is measured only if that of a greater range that it is a part
 * of leaves it open whether it is the widest, more or less.
 *
 * The split is found by C. A. R. Hoare's selection (1961), with pivots from samples (R. W.
 * Floyd and R. L. Rivest, 1975).  If these turn out to be bad, the middle between the least
 * and the greatest coordinate, as bit patterns, takes their place: that is through
 * after 64 rounds, whatever the points are.
 *
 * Ranges that fit into a small buffer are copied there, coordinates and all, and
 * are ordered in the cache.
 *
 * Complexity: see kdorder.h.  Memory: the buffer, and a recursion as deep as the
 * tree.  Determinism: no random choices; points of equal coordinates come in an
 * order that the input determines.  Limits: count below 2^32.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <float.h>
#include <math.h>

#include "kernel/base/kdorder.h"

/* Rounds of a selection with pivots that are guessed. */
#define GUESSED_ROUNDS 40

/* A pivot comes from so large a sample if the range is so large. */
#define SAMPLE 31
#define SAMPLED_RANGE 512

/* Points in the buffer: with 10 dimensions 80 kB, which the second level cache holds. */
#define BUFFER_POINTS 1024

/* How much less than the widest dimension spreads the one that is split, at least. */
#define NEARLY 0.75

/* Levels of the recursion: a range has at most 2^32 leaves, and no part more than half. */
#define MAX_DEPTH 36

/* What a dimension spreads where some points have no coordinate, and the others are equal: the least double above 0. */
#define LEAST_SPREAD 0x1p-1074

/* The sort key of NaN: that of minus infinity is the next one. */
#define KEY_MISSING UINT64_C(0x000FFFFFFFFFFFFE)

typedef struct Builder
{
	/* set once */
	const double *const *coordinate;
	int			dimensions;
	uint32		leaf;

	/* the buffer: coordinates of the points of a small range */
	double	   *buffer;			/* BUFFER_POINTS of each dimension */
	const double **column;		/* its dimensions, a view as coordinate is one */
	uint32	   *place;			/* the order within the buffer */
	uint32	   *name;			/* what the points are called outside */
	double	   *bound;			/* how far ranges spread, for each level of the recursion */
	uint32		credit;			/* steps until the next interrupt check */
} Builder;

/* sort_key maps a coordinate to an integer of the same order, NaN to the least. */
static inline uint64
sort_key(double coordinate)
{
	uint64		bits;

	if (coordinate != coordinate)
		return KEY_MISSING;
	coordinate += 0.0;			/* -0 is 0 */
	memcpy(&bits, &coordinate, sizeof(bits));
	return bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
}

/* key_coordinate is the number with a sort key; there is one between those of two numbers. */
static inline double
key_coordinate(uint64 key)
{
	uint64		bits = key >> 63 ? key & ~(UINT64_C(1) << 63) : ~key;
	double		coordinate;

	memcpy(&coordinate, &bits, sizeof(coordinate));
	return key == KEY_MISSING ? NAN : coordinate;
}

/* median_of is the median of three keys. */
static inline uint64
median_of(uint64 a, uint64 b, uint64 c)
{
	uint64		low = a < b ? a : b;
	uint64		high = a < b ? b : a;

	return c < low ? low : c > high ? high : c;
}

/* guess_pivot takes the median of three medians of three, spread over [start, end). */
static double
guess_pivot(const double *column, const uint32 *order, uint32 start, uint32 end)
{
	uint32		step = (end - start - 1) / 8;
	uint64		median[3];

	for (uint32 i = 0; i < 3; i++)
	{
		const uint32 *from = order + start + 3 * i * step;

		median[i] = median_of(sort_key(column[from[0]]), sort_key(column[from[step]]),
							  sort_key(column[from[2 * step]]));
	}
	return key_coordinate(median_of(median[0], median[1], median[2]));
}

/*
 * sampled_pivot takes from a sample of [start, end) what stands where middle does in the
 * range: with a large range most of it is done with then.
 */
static double
sampled_pivot(const double *column, const uint32 *order, uint32 start, uint32 end,
			  uint32 middle)
{
	uint64		sample[SAMPLE];
	uint32		step = (end - start) / SAMPLE;
	uint32		wanted = (uint32) ((uint64) (middle - start) * SAMPLE / (end - start));

	for (uint32 i = 0; i < SAMPLE; i++)
	{
		uint64		key = sort_key(column[order[start + i * step]]);
		uint32		place = i;

		for (; place > 0 && sample[place - 1] > key; place--)
			sample[place] = sample[place - 1];
		sample[place] = key;
	}
	return key_coordinate(sample[wanted]);
}

/*
 * middle_pivot takes the middle of the least and the greatest key of [start, end); false
 * if all are equal.
 */
static bool
middle_pivot(Builder *builder, const double *column, const uint32 *order,
			 uint32 start, uint32 end, double *pivot)
{
	uint64		least = UINT64_MAX;
	uint64		most = 0;

	for (uint32 i = start; i < end; i++)
	{
		uint64		key = sort_key(column[order[i]]);

		least = key < least ? key : least;
		most = key > most ? key : most;
		sdc_interrupts_spend(&builder->credit, 1);
	}

	/* above the least: what is below it gets the least ones out of the way */
	*pivot = key_coordinate(least + (most - least + 1) / 2);
	return least < most;
}

/*
 * divide_below moves coordinates below the pivot to the front of [start, end) and returns
 * where they end.  It does not branch on coordinates: no processor could foresee them.
 */
static uint32
divide_below(Builder *builder, const double *column, uint32 *order, uint32 start,
			 uint32 end, double pivot)
{
	uint32		left = start;

	if (pivot != pivot)
		return start;
	for (uint32 from = start, to; from < end; from = to)
	{
		to = sdc_interrupts_piece(from, end);
		sdc_interrupts_spend(&builder->credit, to - from);
		for (uint32 i = from; i < to; i++)
		{
			uint32		point = order[i];

			order[i] = order[left];
			order[left] = point;
			left += !(column[point] >= pivot);	/* NaN is below */
		}
	}
	return left;
}

/*
 * divide_equal does the same with coordinates that equal the pivot, in a range that has
 * none below it.
 */
static uint32
divide_equal(Builder *builder, const double *column, uint32 *order, uint32 start,
			 uint32 end, double pivot)
{
	uint32		left = start;
	bool		missing = pivot != pivot;

	for (uint32 i = start; i < end; i++)
	{
		uint32		point = order[i];
		double		x = column[point];

		order[i] = order[left];
		order[left] = point;
		left += missing ? x != x : x == pivot;
		sdc_interrupts_spend(&builder->credit, 1);
	}
	return left;
}

/*
 * select_point orders [start, end) in one dimension so far that no point before
 * middle is above one behind it.
 */
static void
select_point(Builder *builder, const double *column, uint32 *order, uint32 start,
			 uint32 end, uint32 middle)
{
	for (int round = 0; start < middle && middle < end; round++)
	{
		double		pivot;
		uint32		left;

		if (round >= GUESSED_ROUNDS || end - start <= 8)
		{
			if (!middle_pivot(builder, column, order, start, end, &pivot))
				return;
		}
		else if (end - start >= SAMPLED_RANGE)
			pivot = sampled_pivot(column, order, start, end, middle);
		else
			pivot = guess_pivot(column, order, start, end);
		left = divide_below(builder, column, order, start, end, pivot);
		if (left >= middle)
		{
			end = left;
			continue;
		}

		/* many equal coordinates are taken out at once; few wait for their turn */
		if (left - start <= (end - start) / 8)
			left = divide_equal(builder, column, order, left, end, pivot);
		start = left;
	}
}

/*
 * measure_spread is how far the numbers of a range spread.  If they spread nowhere, but some
 * points have none, it is the least positive number: these can be split too.
 */
static double
measure_spread(Builder *builder, const double *column, const uint32 *order, uint32 start,
			   uint32 end)
{
	double		low = INFINITY;
	double		high = -INFINITY;
	uint32		missing = 0;

	for (uint32 from = start, to; from < end; from = to)
	{
		to = sdc_interrupts_piece(from, end);
		sdc_interrupts_spend(&builder->credit, to - from);
		for (uint32 i = from; i < to; i++)
		{
			double		x = column[order[i]];

			low = x < low ? x : low;
			high = x > high ? x : high;
			missing += x != x;
		}
	}
	if (low < high)
		return high - low;
	return missing == 0 || missing == end - start ? 0 : LEAST_SPREAD;
}

/*
 * wide_dimension chooses a dimension in which a range spreads nearly as far as in any other;
 * -1 if all its points are equal.  On entry bound[] says how far it can spread at most,
 * since it is part of a greater range; it is made exact as far as need be.
 */
static int
wide_dimension(Builder *builder, const double *const *coordinate, const uint32 *order,
			   uint32 start, uint32 end, double *bound)
{
	for (;;)
	{
		int			widest = 0;
		double		others = 0;

		for (int d = 1; d < builder->dimensions; d++)
			if (bound[d] > bound[widest])
				widest = d;
		if (bound[widest] == 0)
			return -1;
		bound[widest] = measure_spread(builder, coordinate[widest], order, start, end);
		for (int d = 0; d < builder->dimensions; d++)
			if (d != widest && bound[d] > others)
				others = bound[d];
		if (bound[widest] > 0 && bound[widest] >= NEARLY * others)
			return widest;
	}
}

/*
 * order_range splits a range, and its parts, down to the leaves.  bound[] is for this
 * range; behind it there is room for those of its parts.
 */
static void
order_range(Builder *builder, const double *const *coordinate, uint32 *order,
			uint32 start, uint32 end, double *bound)
{
	double	   *part = bound + builder->dimensions;

	while (end - start > builder->leaf)
	{
		uint32		middle = sdc_kdorder_middle(start, end, builder->leaf);
		int			d = wide_dimension(builder, coordinate, order, start, end, bound);

		if (d < 0)
			return;
		select_point(builder, coordinate[d], order, start, end, middle);
		memcpy(part, bound, builder->dimensions * sizeof(double));
		order_range(builder, coordinate, order, start, middle, part);
		start = middle;
	}
}

/* order_buffered copies a small range into the buffer, orders it there, and names it. */
static void
order_buffered(Builder *builder, uint32 *order, uint32 count, double *bound)
{
	for (int d = 0; d < builder->dimensions; d++)
	{
		double	   *to = builder->buffer + (Size) d * BUFFER_POINTS;
		const double *from = builder->coordinate[d];

		for (uint32 i = 0; i < count; i++)
			to[i] = from[order[i]];
	}
	for (uint32 i = 0; i < count; i++)
	{
		builder->place[i] = i;
		builder->name[i] = order[i];
	}
	order_range(builder, builder->column, builder->place, 0, count, bound);
	for (uint32 i = 0; i < count; i++)
		order[i] = builder->name[builder->place[i]];
}

/* order_large does what order_range does until parts fit into the buffer. */
static void
order_large(Builder *builder, uint32 *order, uint32 start, uint32 end, double *bound)
{
	double	   *part = bound + builder->dimensions;

	while (end - start > BUFFER_POINTS && end - start > builder->leaf)
	{
		uint32		middle = sdc_kdorder_middle(start, end, builder->leaf);
		int			d = wide_dimension(builder, builder->coordinate, order, start, end, bound);

		if (d < 0)
			return;
		select_point(builder, builder->coordinate[d], order, start, end, middle);
		memcpy(part, bound, builder->dimensions * sizeof(double));
		order_large(builder, order, start, middle, part);
		start = middle;
	}
	if (end - start > builder->leaf)
		order_buffered(builder, order + start, end - start, bound);
}

/* sdc_kdorder_memory: the buffer, and the bounds. */
uint64
sdc_kdorder_memory(int dimensions)
{
	return (uint64) dimensions *
		((BUFFER_POINTS + MAX_DEPTH) * sizeof(double) + sizeof(double *)) +
		2 * BUFFER_POINTS * sizeof(uint32);
}

/* sdc_kdorder_build: see kdorder.h.  The parts of a range depend on its size alone. */
void
sdc_kdorder_build(const double *const *coordinate, int dimensions, uint32 *order,
				  uint32 count, uint32 leaf)
{
	Builder		builder = {.coordinate = coordinate, .dimensions = dimensions, .leaf = leaf,
	.credit = SDC_INTERRUPT_STEPS};

	SDC_ASSERT(leaf > 0);
	if (count <= leaf || dimensions == 0)
		return;
	builder.buffer = sdc_alloc_matrix(double, dimensions, BUFFER_POINTS);
	builder.column = sdc_alloc_array(const double *, dimensions);
	builder.place = sdc_alloc_matrix(uint32, 2, BUFFER_POINTS);
	builder.name = builder.place + BUFFER_POINTS;
	builder.bound = sdc_alloc_matrix(double, dimensions, MAX_DEPTH);
	for (int d = 0; d < dimensions; d++)
		builder.column[d] = builder.buffer + (Size) d * BUFFER_POINTS;

	for (int d = 0; d < dimensions; d++)
		builder.bound[d] = INFINITY;

	order_large(&builder, order, 0, count, builder.bound);

	sdc_free(builder.bound);
	sdc_free(builder.place);
	sdc_free(builder.column);
	sdc_free(builder.buffer);
}
