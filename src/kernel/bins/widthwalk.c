/*-------------------------------------------------------------------------
 *
 * widthwalk.c
 *		The candidates among all real widths: a walk down those at which the bins change.
 *
 * With values u on the scale from 0 to 1, the interval of u at width t is floor(u / t).  As t falls
 * it becomes j at t = u / j, and is j already there, as intervals are closed below.  So between
 * the breakpoints u / j the bins are the same, and a piece contains its upper end: (next
 * breakpoint, breakpoint].  The walk (Walk) goes down the breakpoints and moves one record by one
 * interval at each, and keeps the sizes of all bins up to date.  The closed last interval of
 * widths that divide the range makes a difference at such a width only, a single point of the
 * walk, not on the list but for share_most.
 *
 * Breakpoints that ought to be equal differ by rounding, of the data too: 0.3 - 0.1 is not 0.2.
 * So those that are not further apart than 2^-40 of their value are taken together, and what
 * happens only between them is not listed.  A piece is named by a width 2^-42 or so below the
 * breakpoint it begins at: then no rounding of t range or (x - low) / (t range) moves a record.
 *
 * Breakpoints are made and sorted by slabs of t, so that memory depends on the file alone, and
 * not on their number, which is about records attributes / (2 share_least).
 *
 * Time: O(breakpoints attributes), about a second for 10^7.  Memory: 90 bytes a record and
 * attribute and 50 a record or so.  It is computed before it is taken.  Determined by the values
 * alone.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <math.h>

#include "kernel/base/bitset.h"
#include "kernel/base/checksum.h"
#include "kernel/base/wordsort.h"
#include "kernel/bins/equiwidth.h"
#include "kernel/bins/widthwalk.h"

/* Widths below are refused: numbers of intervals have 32 bits. */
#define SHARE_MIN 0x1p-31

/* Shares of ranges between these are normal numbers. */
#define RANGE_MIN 0x1p-900
#define RANGE_MAX 0x1p900

/* A breakpoint is looked at without its last bits: in units of 2^-40 of it, or half of that. */
#define UNIT_BITS 12

/* Breakpoints of a slab for which there is room at least. */
#define SLAB_LEAST 16384

/* The bin of a record is asked for so many steps ahead. */
#define FETCH_STEPS 8

/* Room for candidates at first. */
#define LIST_FIRST 64

/*
 * The walk down the breakpoints.  A step takes a cell, one attribute of one record, to the next
 * interval; it is a word with the breakpoint above and the cell below.  A bin has a vector of
 * intervals; bins that have lost their records stay until the room is needed.
 */
typedef struct Walk
{
	/* set once */
	SdcWidthList *list;
	uint32		records;
	int			attributes;		/* those that are not constant */
	int		   *attribute;		/* which ones */
	double	   *value;			/* [attribute][record], from 0 to 1 */
	int			cell_bits;		/* of a step: attribute times records plus record */
	uint64		slab_steps;		/* how many steps a slab has at most */
	uint64		slab_reciprocal;	/* how far the reciprocal of the width goes in a slab */
	uint64		bin_room;
	uint64		slots;			/* of the hash table, a power of 2 above bin_room */
	/* changes */
	uint32	   *taken;			/* [attribute][record]: the interval that steps lead to so far */
	uint64		bins;			/* with those that are empty */
	uint64	   *hash;			/* of each bin */
	uint32	   *vector;			/* [bin][attribute] */
	uint32	   *slot;			/* bin + 1, or 0 */
	uint32	   *with_size;		/* number of bins with so many records */
	uint64	   *sizes;			/* bit s: there are bins with s records */
	SdcWidthPartition	now;
	uint64	   *step;			/* those of the slab: slab_steps words, and as many again */
	uint64		last;			/* the unit of the last breakpoint that was passed */
	bool		pending;		/* the partitioning after it has not been noted yet */
} Walk;

/* unit_of is a width without its last bits: units have the order of the widths. */
static inline uint64
unit_of(double width)
{
	uint64		bits;

	memcpy(&bits, &width, sizeof(bits));
	return bits >> UNIT_BITS;
}

/* width_below is a width at the beginning of a unit, or so many bits below. */
static inline double
width_below(uint64 unit, uint64 below)
{
	uint64		bits = (unit << UNIT_BITS) - below;
	double		width;

	memcpy(&width, &bits, sizeof(width));
	return width;
}

/* walk_slot finds the slot of a vector, or the free one where it belongs. */
static uint64
walk_slot(const Walk *walk, uint64 hash, const uint32 *vector)
{
	uint64		place = hash & (walk->slots - 1);
	Size		length = walk->attributes * sizeof(uint32);

	for (; walk->slot[place] != 0; place = (place + 1) & (walk->slots - 1))
	{
		uint32		bin = walk->slot[place] - 1;

		if (walk->hash[bin] == hash &&
			memcmp(walk->vector + (uint64) bin * walk->attributes, vector, length) == 0)
			break;
	}
	return place;
}

/*
 * drop_empty_bins makes room for new bins: there are never more with records than records.  The new
 * numbers of bins are in the hash table for a while.
 */
static void
drop_empty_bins(Walk *walk)
{
	Size		length = walk->attributes * sizeof(uint32);
	uint32	   *number = walk->slot;
	uint64		kept = 0;

	for (uint64 b = 0; b < walk->bins; b++)
	{
		sdc_interrupts_step(b);
		number[b] = (uint32) kept;
		if (walk->now.size[b] == 0)
			continue;
		walk->now.size[kept] = walk->now.size[b];
		walk->hash[kept] = walk->hash[b];
		memmove(walk->vector + kept * walk->attributes,
				walk->vector + b * walk->attributes, length);
		kept++;
	}
	for (uint32 r = 0; r < walk->records; r++)
	{
		sdc_interrupts_step(r);
		walk->now.bin[r] = number[walk->now.bin[r]];
	}
	walk->bins = kept;
	memset(walk->slot, 0, walk->slots * sizeof(uint32));
	for (uint64 b = 0; b < kept; b++)
	{
		sdc_interrupts_step(b);
		walk->slot[walk_slot(walk, walk->hash[b], walk->vector + b * walk->attributes)] =
			(uint32) b + 1;
	}
}

/*
 * find_bin returns the bin whose vector has been written behind that of the last bin; a new one
 * if there is none with it.
 */
static uint32
find_bin(Walk *walk, uint64 hash)
{
	uint64		place = walk_slot(walk, hash, walk->vector + walk->bins * walk->attributes);

	if (walk->slot[place] == 0)
	{
		walk->hash[walk->bins] = hash;
		walk->now.size[walk->bins] = 0;
		walk->slot[place] = (uint32) ++walk->bins;
	}
	return walk->slot[place] - 1;
}

/* resize_bin changes the number of records of a bin by one. */
static void
resize_bin(Walk *walk, uint32 bin, int change)
{
	uint32		before = walk->now.size[bin];
	uint32		after = before + (uint32) change;

	walk->now.size[bin] = after;
	if (before == 0)
		walk->now.degree++;
	else if (--walk->with_size[before] == 0)
		sdc_bitset_remove(walk->sizes, before);
	if (after == 0)
		walk->now.degree--;
	else if (walk->with_size[after]++ == 0)
		sdc_bitset_add(walk->sizes, after);
}

/* take_step moves a record to the next interval of an attribute. */
static void
take_step(Walk *walk, uint32 record, int attribute)
{
	Size		length = walk->attributes * sizeof(uint32);
	uint32		from;
	uint32		to;
	uint32	   *vector;
	uint64		hash;

	if (walk->bins == walk->bin_room)
		drop_empty_bins(walk);
	from = walk->now.bin[record];
	vector = walk->vector + walk->bins * walk->attributes;
	memcpy(vector, walk->vector + (uint64) from * walk->attributes, length);
	hash = walk->hash[from] - sdc_checksum_pair((uint32) attribute, vector[attribute]);
	vector[attribute]++;
	hash += sdc_checksum_pair((uint32) attribute, vector[attribute]);
	to = find_bin(walk, hash);
	resize_bin(walk, from, -1);
	resize_bin(walk, to, 1);
	walk->now.bin[record] = to;
}

/* note_now notes the partitioning as it is. */
static bool
note_now(Walk *walk, double share)
{
	uint64		word = 0;

	while (word < sdc_widthlist_words(walk->records) && walk->sizes[word] == 0)
		word++;
	walk->now.depth = walk->records == 0 ? 0 :
		word * 64 + (uint64) __builtin_ctzll(walk->sizes[word]);
	return sdc_widthlist_note(walk->list, share, &walk->now);
}

/* note_pending notes the partitioning below the breakpoints passed last, if it is above the bound. */
static bool
note_pending(Walk *walk)
{
	double		share = width_below(walk->last, UINT64_C(1) << (UNIT_BITS - 1));

	if (!walk->pending || share < walk->list->task->share_least)
		return true;
	walk->pending = false;
	return note_now(walk, share);
}

/*
 * collect_steps writes the steps at breakpoints down to a unit, as units below the top of the slab, and
 * returns how many there are.
 */
static uint64
collect_steps(Walk *walk, uint64 top, uint64 bottom)
{
	double		least = fmax(width_below(bottom, 0), walk->list->task->share_least);
	uint64		steps = 0;

	for (int a = 0; a < walk->attributes; a++)
	{
		uint64		first = (uint64) a * walk->records;
		const double *value = walk->value + first;
		uint32	   *taken = walk->taken + first;

		for (uint32 r = 0; r < walk->records; r++)
		{
			double		breakpoint;

			sdc_interrupts_step(r);
			while ((breakpoint = value[r] / ((double) taken[r] + 1)) >= least)
			{
				uint64		unit = unit_of(breakpoint);

				SDC_ASSERT(steps < walk->slab_steps);
				walk->step[steps++] = (top > unit ? top - unit : 0) << walk->cell_bits | (first + r);
				taken[r]++;
			}
		}
	}
	return steps;
}

/* walk_slab passes the breakpoints from a unit to another.  False: the list has become too long. */
static bool
walk_slab(Walk *walk, uint64 top, uint64 bottom)
{
	int			bits = walk->cell_bits;
	uint64		mask = (UINT64_C(1) << bits) - 1;
	uint64		steps = collect_steps(walk, top, bottom);
	const uint64 *step = sdc_wordsort(walk->step, walk->step + walk->slab_steps, steps, bits,
									  sdc_wordsort_width(top - bottom));

	for (uint64 i = 0; i < steps; i++)
	{
		uint64		unit = top - (step[i] >> bits);
		uint64		cell = step[i] & mask;

		/* records come in any order, and their bins are not in the cache */
		if (i + FETCH_STEPS < steps)
			__builtin_prefetch(&walk->now.bin[(step[i + FETCH_STEPS] & mask) % walk->records]);
		sdc_interrupts_step(i);
		if (unit + 1 < walk->last && !note_pending(walk))
			return false;
		take_step(walk, (uint32) (cell % walk->records), (int) (cell / walk->records));
		walk->last = unit;
		walk->pending = true;
	}
	return true;
}

/* walk_down passes all breakpoints from share_most to share_least. */
static SdcStatus
walk_down(Walk *walk)
{
	const SdcWidthTask *task = walk->list->task;
	uint64		end = unit_of(task->share_least);
	uint64		longest = ~UINT64_C(0) >> walk->cell_bits;
	uint64		top = unit_of(task->share_most);

	walk->last = top;
	if (!note_now(walk, task->share_most))
		return SDC_ERROR_MEMORY;
	for (bool more = walk->records > 0 && walk->attributes > 0; more;)
	{
		double		reciprocal = 1.0 / width_below(top, 0) +
			(double) walk->slab_reciprocal;
		uint64		bottom = unit_of(1.0 / reciprocal);

		/* what a step has room for; and down by a unit at least */
		if (top - bottom > longest)
			bottom = top - longest;
		if (bottom >= top)
			bottom = top - 1;
		if (bottom < end)
			bottom = end;
		if (!walk_slab(walk, top, bottom))
			return SDC_ERROR_MEMORY;
		more = bottom > end;
		top = bottom;
	}
	return note_pending(walk) ? SDC_OK : SDC_ERROR_MEMORY;
}

/*
 * fill_values puts an attribute on the scale from 0 to 1.  A range that overflows ends at the largest
 * double, as that of the grid does.
 */
static void
fill_values(const Walk *walk, int a)
{
	const SdcWidthList *list = walk->list;
	int			attribute = walk->attribute[a];
	const double *x = list->task->value[attribute];
	double	   *value = walk->value + (uint64) a * walk->records;
	double		low = list->low[attribute];
	double		range = list->range[attribute];
	bool		halve = isinf(range);

	if (halve)
		range = __DBL_MAX__ / 2 - low / 2;
	for (uint32 start = 0, end; start < walk->records; start = end)
	{
		end = sdc_interrupts_block(start, walk->records);
		for (uint32 r = start; r < end; r++)
			value[r] = (halve ? x[r] / 2 - low / 2 : x[r] - low) / range;
	}
}

/*
 * fill_intervals finds the intervals of an attribute at share_most: those of the grid with that
 * width, and where the width could overflow or lose digits the same on the scale from 0 to 1.
 */
static void
fill_intervals(const Walk *walk, int a)
{
	const SdcWidthList *list = walk->list;
	int			attribute = walk->attribute[a];
	const double *value = list->task->value[attribute];
	uint32	   *taken = walk->taken + (uint64) a * walk->records;
	double		low = list->low[attribute];
	double		range = list->range[attribute];
	double		width;
	SdcEquiwidthTask grid = {0};

	if (range < RANGE_MIN || range > RANGE_MAX)
	{
		value = walk->value + (uint64) a * walk->records;
		low = 0;
		range = 1;
	}
	width = list->task->share_most * range;
	grid.value = &value;
	grid.attributes = 1;
	grid.records = walk->records;
	grid.low = &low;
	grid.range = &range;
	grid.width = &width;
	(void) sdc_equiwidth_indices(&grid, 0, walk->step);
	for (uint32 start = 0, end; start < walk->records; start = end)
	{
		end = sdc_interrupts_block(start, walk->records);
		for (uint32 r = start; r < end; r++)
			taken[r] = (uint32) walk->step[r];
	}
}

/* fill_bins puts the records into bins. */
static void
fill_bins(Walk *walk)
{
	walk->bins = 0;
	walk->now.degree = 0;
	memset(walk->slot, 0, walk->slots * sizeof(uint32));
	memset(walk->with_size, 0, ((Size) walk->records + 1) * sizeof(uint32));
	memset(walk->sizes, 0, sdc_widthlist_words(walk->records) * sizeof(uint64));
	for (uint32 r = 0; r < walk->records; r++)
	{
		uint32	   *vector = walk->vector + walk->bins * walk->attributes;
		uint64		hash = 0;

		sdc_interrupts_step(r);
		for (int a = 0; a < walk->attributes; a++)
		{
			vector[a] = walk->taken[(uint64) a * walk->records + r];
			hash += sdc_checksum_pair((uint32) a, vector[a]);
		}
		walk->now.bin[r] = find_bin(walk, hash);
		resize_bin(walk, walk->now.bin[r], 1);
	}
}

/*
 * walk_measure computes the sizes of all parts, and the bytes they take.
 *
 * A record has at most one step for each whole number that u / t passes: while 1 / t grows by g,
 * g + 1 at most, and one more is for rounding.
 */
static uint64
walk_measure(Walk *walk)
{
	uint64		n = walk->records;
	uint64		cells = n * (uint64) walk->attributes;
	uint64		each = cells > 0 && SLAB_LEAST / cells > 4 ? SLAB_LEAST / cells : 4;

	walk->slab_reciprocal = each - 2;
	walk->slab_steps = cells > 0 ? each * cells : 1;
	walk->cell_bits = cells > 0 ? sdc_wordsort_width(cells - 1) : 0;
	walk->bin_room = 2 * n + 16;
	walk->slots = 64;
	while (walk->slots < 2 * walk->bin_room)
		walk->slots *= 2;
	return cells * (sizeof(double) + sizeof(uint32)) + n * sizeof(uint32) +
		(walk->bin_room + 1) * (sizeof(uint64) + sizeof(uint32) +
								walk->attributes * sizeof(uint32)) +
		walk->slots * sizeof(uint32) + (n + 1) * sizeof(uint32) +
		sdc_widthlist_words(n) * sizeof(uint64) + 2 * walk->slab_steps * sizeof(uint64);
}

/* walk_begin takes the memory and stands at share_most. */
static void
walk_begin(Walk *walk)
{
	uint64		n = walk->records;
	uint64		cells = n * (uint64) walk->attributes;

	walk->value = sdc_alloc_array(double, cells);
	walk->taken = sdc_alloc_array(uint32, cells);
	walk->hash = sdc_alloc_array(uint64, walk->bin_room + 1);
	walk->vector = sdc_alloc_matrix(uint32, walk->bin_room + 1, walk->attributes);
	walk->slot = sdc_alloc_array(uint32, walk->slots);
	walk->with_size = sdc_alloc_array(uint32, n + 1);
	walk->sizes = sdc_alloc_array(uint64, sdc_widthlist_words(n));
	walk->now.bin = sdc_alloc_array(uint32, n);
	walk->now.size = sdc_alloc_array(uint32, walk->bin_room + 1);
	walk->step = sdc_alloc_matrix(uint64, 2, walk->slab_steps);
	for (int a = 0; a < walk->attributes; a++)
	{
		fill_values(walk, a);
		fill_intervals(walk, a);
	}
	fill_bins(walk);
}

/* walk_end frees the memory. */
static void
walk_end(Walk *walk)
{
	sdc_free(walk->step);
	sdc_free(walk->now.size);
	sdc_free(walk->now.bin);
	sdc_free(walk->sizes);
	sdc_free(walk->with_size);
	sdc_free(walk->slot);
	sdc_free(walk->vector);
	sdc_free(walk->hash);
	sdc_free(walk->taken);
	sdc_free(walk->value);
}

/* sdc_widthwalk_run: see widthwalk.h. */
SdcStatus
sdc_widthwalk_run(SdcWidthList *list)
{
	const SdcWidthTask *task = list->task;
	Walk		walk = {0};
	SdcStatus	status = SDC_ERROR_MEMORY;

	SDC_ASSERT(task->share_least > 0 && task->share_least <= task->share_most);
	if (task->share_least < SHARE_MIN)
		return SDC_ERROR_MEMORY;
	walk.list = list;
	walk.records = task->records;
	walk.attribute = sdc_alloc_array(int, task->attributes);
	for (int a = 0; a < task->attributes; a++)
		if (list->range[a] > 0)
			walk.attribute[walk.attributes++] = a;
	list->fixed += walk_measure(&walk);
	if (list->fixed <= task->memory &&
		(!list->listing || sdc_widthlist_reserve(list, LIST_FIRST)))
	{
		walk_begin(&walk);
		status = walk_down(&walk);
		walk_end(&walk);
	}
	sdc_free(walk.attribute);
	return status;
}
