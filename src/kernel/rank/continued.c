/*-------------------------------------------------------------------------
 *
 * continued.c
 *		A swapped column that is released again and again: one night of it.
 *
 * The rules are ours, and so are the lots.  That an unchanged answer is given again instead of a
 * fresh draw is the permanent response of U. Erlingsson, V. Pihur, A. Korolova, "RAPPOR:
 * randomized aggregatable privacy-preserving ordinal response", CCS 2014; that a value once released
 * keeps company with the same values is m-invariance (X. Xiao, Y. Tao, "m-invariance:
 * towards privacy preserving re-publication of dynamic datasets", SIGMOD 2007).
 *
 * Newcomers and widows are never mixed in a lot: what has come and what has gone shows in the
 * difference of two releases as two sets of values, and a pair of one of each would name itself.
 *
 * Positions are those of all values of the column that are published, so that a lot swaps by the
 * windows of the column.  Pairs that a changed value has moved apart are told by the positions
 * without the cells that wait; they are found before any lot is drawn.
 *
 * Determinism: the marks, the order and the streams decide alone.  Draws of a lot: one below(cells) if
 * their number is odd, then those of the method.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/base/ordered.h"
#include "kernel/rank/continued.h"

/* Records whose memory is asked for ahead: they come in the order of values. */
#define PREFETCH_RECORDS 24

/*
 * For all records of a column.  Positions are counted through all strata, so that a number tells of which stratum it
 * is: of one that was looked at before the numbers are smaller, of one that was not they are 0.
 */
struct SdcContinuedWork
{
	uint32		records;
	uint32		before;			/* positions of the strata that were looked at before */
	uint64	   *single;			/* a bit for every record that is in no pair */
	uint32	   *position;		/* by position: the record */
	uint32	   *first;			/* by position: the first one with the same value, where some cells have none */
	uint32	   *lot;			/* positions of a lot, ascending */
	uint32	   *cell;			/* positions of records that are in no pair, ascending */
	uint32	   *twice;			/* by record: twice the middle of the positions with its value, and one */
	bool	   *far;			/* by record; false between calls, from the first one on that needs it */
	bool		has_far;		/* there was one */
};

/* The work of sdc_continued_lots. */
typedef struct Lots
{
	SdcContinuedWork *work;
	SdcContinued *column;
	const SdcContinuedOrder *order;
	const SdcContinuedRules *rules;
	SdcContinuedNight *night;
	uint32		positions;
	const uint32 *record;		/* of each position */
	bool		all;			/* those of the order, so that its ties are theirs; else work has the first of each */
	uint32	   *lot;			/* the positions of a lot, ascending */
	uint32		cells;			/* positions of records that were in no pair */
	uint32		count;			/* their number */
	uint32		widows;			/* that there are, */
	uint32		recent;			/* and since their last lot */
	uint32		pending;		/* cells that wait and have a position */
	uint32		left_out;		/* the record that tonight's lot of pending cells left alone */
	uint32		drawn;			/* cells of the lot that have a partner */
} Lots;

/*
 * mate_ahead is what an array has for the mate of a record some places ahead, to be prefetched.  (A function that did
 * no more than that would be taken for one that does nothing.)
 */
static inline const uint32 *
mate_ahead(const SdcContinued *column, uint32 record, const uint32 *array)
{
	uint32		mate = column->mate[column->records - record > PREFETCH_RECORDS ? record + PREFETCH_RECORDS : record];

	return &array[mate < column->records ? mate : record];
}

/* single_bytes returns how many bytes a bit for every record takes. */
static inline uint64
single_bytes(uint32 records)
{
	return ((uint64) records / 64 + 1) * sizeof(uint64);
}

/* sdc_continued_memory: mates, flags, numbers of lots, and what has moved. */
uint64
sdc_continued_memory(uint32 records)
{
	return (uint64) records * (sizeof(uint32) + 2 * sizeof(uint8) + sizeof(bool));
}

/* sdc_continued_create: see continued.h. */
void
sdc_continued_create(SdcContinued *column, uint32 records)
{
	SDC_ASSERT(records <= SDC_CONTINUED_RECORDS);
	column->records = records;
	column->mate = sdc_alloc_array(uint32, records);
	column->flags = sdc_alloc_array(uint8, records);
	column->redrawn = sdc_alloc_array(uint8, records);
	column->moved = sdc_alloc_array(bool, records);
	sdc_continued_clear(column);
}

/* sdc_continued_clear: see continued.h. */
void
sdc_continued_clear(SdcContinued *column)
{
	memset(column->flags, 0, column->records);
	memset(column->redrawn, 0, column->records);
	memset(column->moved, 0, column->records);
	for (uint32 r = 0; r < column->records; r++)
	{
		sdc_interrupts_step(r);
		column->mate[r] = SDC_CONTINUED_ALONE;
	}
}

/* sdc_continued_destroy: see continued.h. */
void
sdc_continued_destroy(SdcContinued *column)
{
	sdc_free(column->mate);
	sdc_free(column->flags);
	sdc_free(column->redrawn);
	sdc_free(column->moved);
}

/* sdc_continued_swap: see continued.h. */
void
sdc_continued_swap(SdcContinued *column, uint32 a, uint32 b)
{
	SDC_ASSERT(a != b && a < column->records && b < column->records);
	column->mate[a] = b;
	column->mate[b] = a;
	column->flags[a] = 0;
	column->flags[b] = 0;
	column->moved[a] = true;
	column->moved[b] = true;
}

/* sdc_continued_mark: see continued.h. */
bool
sdc_continued_mark(SdcContinued *column, uint32 record, uint8 flags, uint8 redrawn)
{
	uint32		mate = column->mate[record];
	bool		widowed = mate == SDC_CONTINUED_WIDOW && column->flags[record] == SDC_CONTINUED_NEW;

	column->redrawn[record] = redrawn;
	if ((flags & ~(SDC_CONTINUED_NEW | SDC_CONTINUED_TOUCHED)) != 0 ||
		(mate == SDC_CONTINUED_PENDING && redrawn != 0) ||
		((flags & SDC_CONTINUED_NEW) != 0 && mate != SDC_CONTINUED_WIDOW) ||
		((flags & SDC_CONTINUED_TOUCHED) != 0 && !sdc_continued_paired(mate) && !widowed))
		return false;
	if (!widowed)
		column->flags[record] = flags;
	return true;
}

/* sdc_continued_change: see continued.h. */
void
sdc_continued_change(SdcContinued *column, uint32 record, SdcContinuedChange change)
{
	uint32		mate = column->mate[record];

	switch (change)
	{
		case SDC_CONTINUED_APPEARED:
			column->mate[record] = SDC_CONTINUED_PENDING;
			column->flags[record] = 0;
			column->redrawn[record] = 0;
			break;
		case SDC_CONTINUED_VANISHED:
			if (sdc_continued_paired(mate))
			{
				column->mate[mate] = SDC_CONTINUED_WIDOW;
				column->flags[mate] = SDC_CONTINUED_NEW;
			}
			column->mate[record] = SDC_CONTINUED_ALONE;
			column->flags[record] = 0;
			column->redrawn[record] = 0;
			column->moved[record] = true;
			break;
		case SDC_CONTINUED_DIFFERS:
			if (sdc_continued_paired(mate))
			{
				column->flags[record] |= SDC_CONTINUED_TOUCHED;
				column->moved[mate] = true;
			}
			else if (mate == SDC_CONTINUED_ALONE)
				column->moved[record] = true;
			break;
	}
}

/* sdc_continued_join: see continued.h. */
void
sdc_continued_join(SdcContinued *column, uint32 record, bool has_value)
{
	column->mate[record] = has_value ? SDC_CONTINUED_PENDING : SDC_CONTINUED_ALONE;
	column->flags[record] = 0;
	column->redrawn[record] = 0;
	column->moved[record] = true;
}

/* sdc_continued_purpose: see continued.h. */
const char *
sdc_continued_purpose(SdcContinuedLot lot)
{
	static const char *const purposes[] = {"lot-new", "lot-widow", "lot-far"};

	return purposes[lot];
}

/* sdc_continued_work_memory: the arrays, and the set of a lot. */
uint64
sdc_continued_work_memory(uint32 records)
{
	return sizeof(SdcContinuedWork) + (uint64) records * (5 * sizeof(uint32) + sizeof(bool)) + single_bytes(records) +
		sdc_rankswap_memory(records);
}

/* sdc_continued_work_place: see continued.h.  Words come first, so that all are where they may be. */
SdcContinuedWork *
sdc_continued_work_place(void *space, uint32 records)
{
	SdcContinuedWork *work = space;
	uint32	   *words;

	SDC_ASSERT(records <= SDC_CONTINUED_RECORDS);
	work->records = records;
	work->before = 0;
	work->single = (uint64 *) (work + 1);
	words = (uint32 *) ((char *) work->single + single_bytes(records));
	work->position = words;
	work->first = words + records;
	work->lot = words + 2 * (Size) records;
	work->cell = words + 3 * (Size) records;
	work->twice = words + 4 * (Size) records;
	work->far = (bool *) (words + 5 * (Size) records);
	return work;
}

/* sdc_continued_work_create: see continued.h. */
SdcContinuedWork *
sdc_continued_work_create(uint32 records)
{
	return sdc_continued_work_place(sdc_alloc(sdc_continued_work_memory(records)), records);
}

/* sdc_continued_work_begin: see continued.h. */
void
sdc_continued_work_begin(SdcContinuedWork *work, const SdcContinued *column)
{
	SDC_ASSERT(work->records == column->records);
	work->before = 0;
	work->has_far = false;
	memset(work->single, 0, single_bytes(work->records));
	memset(work->twice, 0, (Size) work->records * sizeof(uint32));
	for (uint32 r = 0; r < column->records; r++)
	{
		sdc_interrupts_step(r);
		work->single[r / 64] |= (uint64) !sdc_continued_paired(column->mate[r]) << (r % 64);
	}
}

/* sdc_continued_work_destroy: see continued.h. */
void
sdc_continued_work_destroy(SdcContinuedWork *work)
{
	sdc_free(work);
}

/* ahead is the record some places behind one in the order of values; near the end it is the last. */
static inline uint32
ahead(const uint32 *record, uint32 i, uint32 count, uint32 places)
{
	return record[count - i > places ? i + places : count - 1];
}

/* is_single tells whether a record is in no pair. */
static inline bool
is_single(const SdcContinuedWork *work, uint32 record)
{
	return (work->single[record / 64] >> (record % 64) & 1) != 0;
}

/*
 * look_at_cells counts what the cells are that are in no pair; no lot of pending cells makes or ends a widow.  Their
 * records come in the order of values.
 */
static void
look_at_cells(Lots *lots)
{
	const SdcContinued *column = lots->column;
	const uint32 *cell = lots->work->cell;

	lots->widows = lots->recent = lots->pending = 0;
	for (uint32 i = 0; i < lots->cells; i++)
	{
		uint32		record = lots->record[cell[i]];
		uint32		next = lots->record[ahead(cell, i, lots->cells, PREFETCH_RECORDS)];
		uint32		mate = column->mate[record];

		sdc_interrupts_step(i);
		__builtin_prefetch(&column->mate[next]);
		__builtin_prefetch(&column->flags[next]);
		lots->widows += mate == SDC_CONTINUED_WIDOW;
		lots->recent += (mate == SDC_CONTINUED_WIDOW) & ((column->flags[record] & SDC_CONTINUED_NEW) != 0);
		lots->pending += mate == SDC_CONTINUED_PENDING;
	}
}

/* waits_for tells whether a record's cell waits for a lot of a kind. */
static inline bool
waits_for(const Lots *lots, uint32 record, SdcContinuedLot kind)
{
	const SdcContinued *column = lots->column;

	switch (kind)
	{
		case SDC_LOT_NEW:
			return column->mate[record] == SDC_CONTINUED_PENDING;
		case SDC_LOT_WIDOW:
			return column->mate[record] == SDC_CONTINUED_WIDOW && (column->flags[record] & SDC_CONTINUED_NEW) != 0;
		case SDC_LOT_FAR:
			return lots->work->far[record];
	}
	return false;
}

/* count_units counts the units of the cells that wait for a lot; what lots are drawn in is free between two of them. */
static uint32
count_units(const Lots *lots, SdcContinuedLot kind)
{
	const uint32 *unit = lots->rules->unit;
	uint32	   *counted = lots->work->lot;
	uint32		units = 0;

	for (uint32 i = 0; i < lots->order->count; i++)
		counted[unit[lots->order->record[i]]] = 0;
	for (uint32 i = 0; i < lots->order->count; i++)
	{
		uint32		record = lots->order->record[i];

		sdc_interrupts_step(i);
		if (!waits_for(lots, record, kind) || counted[unit[record]] != 0)
			continue;
		counted[unit[record]] = 1;
		units++;
	}
	return units;
}

/* is_full tells whether so many cells that wait for a lot are enough: each of another unit, where there are units. */
static bool
is_full(const Lots *lots, SdcContinuedLot kind, uint32 cells, uint32 least)
{
	return cells >= least && (lots->rules->unit == NULL || count_units(lots, kind) >= least);
}

/* publish_values lists the records of the values that are published: not of cells that wait. */
static void
publish_values(Lots *lots)
{
	const SdcContinuedOrder *order = lots->order;
	uint32	   *record = lots->work->position;
	uint32		positions = 0;
	uint32		first = 0;
	bool		same = false;

	for (uint32 i = 0; i < order->count; i++)
	{
		sdc_interrupts_step(i);
		same = same && order->tied[i];
		if (is_single(lots->work, order->record[i]) &&
			lots->column->mate[order->record[i]] == SDC_CONTINUED_PENDING)
			continue;
		first = same ? first : positions;
		same = true;
		record[positions] = order->record[i];
		lots->work->first[positions++] = first;
	}
	lots->record = record;
	lots->positions = positions;
	lots->all = false;
}

/* publish_all has the values of all cells be published, those that wait too. */
static void
publish_all(Lots *lots)
{
	lots->record = lots->order->record;
	lots->positions = lots->order->count;
	lots->all = true;
}

/* group_end returns the position behind the values that are the same as that at a first one. */
static inline uint32
group_end(const Lots *lots, uint32 first)
{
	uint32		next = first + 1;

	if (lots->all)
		while (next < lots->positions && lots->order->tied[next])
			next++;
	else
		while (next < lots->positions && lots->work->first[next] == first)
			next++;
	return next;
}

/*
 * number_places notes for the record at each position which positions have the same value, and lists those in no pair.
 */
static void
number_places(Lots *lots)
{
	uint32	   *twice = lots->work->twice;
	uint32	   *cell = lots->work->cell;
	uint32		cells = 0;
	uint32		next;

	for (uint32 first = 0; first < lots->positions; first = next)
	{
		next = group_end(lots, first);
		for (uint32 i = first; i < next; i++)
		{
			uint32		record = lots->record[i];

			sdc_interrupts_step(i);
			__builtin_prefetch(&twice[ahead(lots->record, i, lots->positions, PREFETCH_RECORDS)], 1);
			twice[record] = 2 * lots->work->before + first + next;
			cell[cells] = i;
			cells += is_single(lots->work, record);
		}
	}
	lots->cells = cells;
	look_at_cells(lots);
}

/* forget_pending takes the places of cells that wait away from them: number_places begins anew without them. */
static void
forget_pending(Lots *lots)
{
	for (uint32 i = 0; i < lots->cells; i++)
	{
		uint32		record = lots->record[lots->work->cell[i]];

		sdc_interrupts_step(i);
		if (lots->column->mate[record] == SDC_CONTINUED_PENDING)
			lots->work->twice[record] = 0;
	}
}

/* has_place tells whether a record has a position in the stratum at work. */
static inline bool
has_place(const SdcContinuedWork *work, uint32 record)
{
	return work->twice[record] > 2 * work->before;
}

/* find_place finds the first position with the value of a record that has one, and the last. */
static void
find_place(const SdcContinuedWork *work, uint32 record, uint32 *first, uint32 *last)
{
	uint32		twice = work->twice[record] - 2 * work->before;

	*first = work->first[(twice - 1) / 2];
	*last = twice - *first - 1;
}

/* positions_apart is the distance of the tie groups of two records in positions. */
static uint32
positions_apart(const SdcContinuedWork *work, uint32 a, uint32 b)
{
	uint32		first[2];
	uint32		last[2];

	find_place(work, a, &first[0], &last[0]);
	find_place(work, b, &first[1], &last[1]);
	if (first[0] == first[1])
		return 0;
	return first[0] < first[1] ? first[1] - last[0] : first[0] - last[1];
}

/*
 * mark_far notes the records of touched pairs whose tie groups are more than the window
 * apart, and returns how many there are.  The positions have no cell that waits.
 */
static uint32
mark_far(const Lots *lots)
{
	SdcContinuedWork *work = lots->work;
	uint32		count = 0;
	uint32		window;

	if (lots->positions == 0)
		return 0;
	if (!work->has_far)
		memset(work->far, 0, (Size) work->records * sizeof(bool));
	work->has_far = true;
	window = lots->rules->window(lots->rules->arg, lots->positions);
	for (uint32 i = 0; i < lots->positions; i++)
	{
		uint32		record = lots->record[i];
		uint32		mate;

		sdc_interrupts_step(i);
		if ((lots->column->flags[record] & SDC_CONTINUED_TOUCHED) == 0)
			continue;
		mate = lots->column->mate[record];
		if (!sdc_continued_paired(mate) || !has_place(work, mate) || positions_apart(work, record, mate) <= window)
			continue;
		/* both may be touched */
		count += !work->far[record];
		count += !work->far[mate];
		work->far[record] = work->far[mate] = true;
	}
	return count;
}

/* add_pair is the SdcSwapEmit of a lot. */
static void
add_pair(void *arg, uint32 a, uint32 b)
{
	Lots	   *lots = arg;

	sdc_continued_swap(lots->column, lots->record[lots->lot[a]], lots->record[lots->lot[b]]);
	lots->drawn += 2;
}

/*
 * draw_lot leaves one cell out if their number is odd, and swaps the others.  There is one at least.  It returns the
 * record that was left out, or SDC_CONTINUED_NOBODY.
 */
static uint32
draw_lot(Lots *lots, SdcContinuedLot kind)
{
	const SdcContinuedRules *rules = lots->rules;
	SdcSwapRun	run = {.emit = add_pair, .arg = lots};
	SdcSwapLot	lot = {.position = lots->lot, .positions = lots->positions};
	uint32		left_out = SDC_CONTINUED_NOBODY;

	SDC_ASSERT(lots->count > 0);
	run.stream = rules->start(rules->arg, kind);
	if (lots->count % 2 != 0)
	{
		uint32		place = sdc_stream_below(run.stream, lots->count);

		left_out = lots->record[lots->lot[place]];
		memmove(lots->lot + place, lots->lot + place + 1,
				(Size) (--lots->count - place) * sizeof(uint32));
	}
	run.n = lots->count;
	lots->drawn = 0;
	if (run.n > 0)
	{
		run.unswapped = sdc_positionset_create(run.n);
		rules->pair(rules->arg, &run, &lot);
		sdc_positionset_destroy(run.unswapped);
	}
	SDC_ASSERT(lots->drawn == run.n);
	lots->night->lot[kind] = lots->drawn;
	return left_out;
}

/* set_alone has a cell that is left out of a lot keep its own value. */
static void
set_alone(SdcContinued *column, uint32 record)
{
	column->mate[record] = SDC_CONTINUED_ALONE;
	column->moved[record] = true;
}

/* draw_pending draws the lot of all cells that wait. */
static void
draw_pending(Lots *lots)
{
	lots->count = 0;
	for (uint32 i = 0; i < lots->cells; i++)
	{
		uint32		position = lots->work->cell[i];

		sdc_interrupts_step(i);
		if (lots->column->mate[lots->record[position]] == SDC_CONTINUED_PENDING)
			lots->lot[lots->count++] = position;
	}
	lots->left_out = draw_lot(lots, SDC_LOT_NEW);
	if (lots->left_out != SDC_CONTINUED_NOBODY)
		set_alone(lots->column, lots->left_out);
}

/* count_redrawn notes that the cells of a lot of widows have been through one more. */
static void
count_redrawn(const Lots *lots)
{
	for (uint32 i = 0; i < lots->count; i++)
	{
		uint8	   *redrawn = &lots->column->redrawn[lots->record[lots->lot[i]]];

		sdc_interrupts_step(i);
		if (*redrawn < UINT8_MAX)
			(*redrawn)++;
	}
}

/*
 * draw_widows draws the lot of all widows and cells that are alone, if enough widows are new;
 * afterwards none is.  Where old values must end, a record that is left out gets its own.
 */
static void
draw_widows(Lots *lots)
{
	SdcContinued *column = lots->column;
	uint32		left_out;

	if (lots->widows == 0 ||
		(!lots->rules->erase && !is_full(lots, SDC_LOT_WIDOW, lots->recent, lots->rules->least_widows)))
		return;
	lots->count = 0;
	for (uint32 i = 0; i < lots->cells; i++)
	{
		uint32		position = lots->work->cell[i];
		uint32		record = lots->record[position];
		uint32		mate = column->mate[record];

		sdc_interrupts_step(i);
		if (mate == SDC_CONTINUED_WIDOW ||
			(mate == SDC_CONTINUED_ALONE && record != lots->left_out))
			lots->lot[lots->count++] = position;
	}
	left_out = draw_lot(lots, SDC_LOT_WIDOW);
	count_redrawn(lots);
	if (left_out == SDC_CONTINUED_NOBODY)
		return;
	column->flags[left_out] = 0;
	if (lots->rules->erase)
		set_alone(column, left_out);
}

/* draw_far draws the lot of the pairs that are far, if it is one, and forgets which they are. */
static void
draw_far(Lots *lots, bool enough)
{
	lots->count = 0;
	for (uint32 i = 0; i < lots->positions; i++)
	{
		uint32		record = lots->record[i];

		sdc_interrupts_step(i);
		if (!lots->work->far[record])
			continue;
		lots->work->far[record] = false;
		lots->lot[lots->count++] = i;
	}
	if (enough)
		draw_lot(lots, SDC_LOT_FAR);
}

/* What is summed up of cells. */
typedef struct Sums
{
	uint32		least;			/* the least distance that is beyond */
	uint32		beyond;			/* halves of pairs, in twice the positions, */
	uint32		largest;		/* and the largest distance */
	uint32		widows;
	uint32		paired;
	uint64		redrawn;
} Sums;

/* percent_apart makes twice a distance a percentage of the positions. */
static double
percent_apart(const Lots *lots, uint32 twice)
{
	return (double) twice * 50.0 / lots->positions;
}

/* least_beyond finds twice the least distance that is beyond a limit in percent; there may be none as large. */
static uint32
least_beyond(const Lots *lots, double limit)
{
	uint32		low = 0;
	uint32		high = 2 * lots->positions;

	SDC_BISECT(low, high, middle, !(percent_apart(lots, middle) > limit));
	return low;
}

/*
 * add_cell counts a cell, if it has a position.  A pair is counted by both of its cells, unless one of them has gone to
 * another stratum.  Half of the pairs come the other way round, so that nothing branches.
 */
static inline void
add_cell(const Lots *lots, uint32 record, Sums *sums)
{
	const uint32 *twice = lots->work->twice;
	uint32		before = 2 * lots->work->before;
	uint32		mate = lots->column->mate[record];
	uint32		here = twice[record];
	bool		placed = here > before;
	bool		paired = placed & sdc_continued_paired(mate);
	uint32		there = twice[paired ? mate : record];
	bool		counts = paired & (there > before);
	uint32		apart = (uint32) llabs((int64) here - (int64) there) & -(uint32) counts;

	sums->widows += placed & (mate == SDC_CONTINUED_WIDOW);
	sums->redrawn += placed ? lots->column->redrawn[record] : 0;
	sums->paired += paired;
	sums->beyond += counts & (apart >= sums->least);
	sums->largest = apart > sums->largest ? apart : sums->largest;
}

/*
 * sum_cells sums up.  A stratum with many of the records goes through all of them, whose memory then lies in a row but
 * for the mates.
 */
static void
sum_cells(const Lots *lots, Sums *sums)
{
	const SdcContinued *column = lots->column;

	if (lots->positions < column->records / 4)
	{
		for (uint32 i = 0; i < lots->positions; i++)
		{
			sdc_interrupts_step(i);
			__builtin_prefetch(&column->mate[ahead(lots->record, i, lots->positions, PREFETCH_RECORDS)]);
			add_cell(lots, lots->record[i], sums);
		}
		return;
	}
	for (uint32 r = 0; r < column->records; r++)
	{
		sdc_interrupts_step(r);
		__builtin_prefetch(mate_ahead(column, r, lots->work->twice));
		add_cell(lots, r, sums);
	}
}

/* sum_up counts the outcome of the night; a record that has no position still waits. */
static void
sum_up(const Lots *lots, double limit)
{
	SdcContinuedNight *night = lots->night;
	Sums		sums = {.least = least_beyond(lots, limit)};

	sum_cells(lots, &sums);
	night->positions = lots->positions;
	night->pending = lots->order->count - lots->positions;
	night->widows = sums.widows;
	night->paired = sums.paired;
	night->beyond = sums.beyond;
	night->redrawn = sums.redrawn;
	if (sums.largest > 0)
		night->largest = percent_apart(lots, sums.largest);
}

/*
 * publish numbers the positions of the night, whose pending cells are among them if they are a lot.  Where changed
 * values are taken over, it marks before the pairs that are far without them, and returns how many records these have.
 */
static uint32
publish(Lots *lots)
{
	uint32		least = lots->rules->least_new;
	uint32		far = 0;

	if (lots->rules->settle)
	{
		publish_values(lots);
		number_places(lots);
		far = mark_far(lots);
		if (lots->positions == lots->order->count ||
			!is_full(lots, SDC_LOT_NEW, lots->order->count - lots->positions, least))
			return far;
	}
	publish_all(lots);
	number_places(lots);
	if (lots->pending > 0 && !is_full(lots, SDC_LOT_NEW, lots->pending, least))
	{
		forget_pending(lots);
		publish_values(lots);
		number_places(lots);
	}
	return far;
}

/* sdc_continued_lots: see continued.h. */
void
sdc_continued_lots(SdcContinued *column, const SdcContinuedOrder *order,
				   const SdcContinuedRules *rules, double limit, SdcContinuedWork *work,
				   SdcContinuedNight *night)
{
	Lots		lots = {.work = work, .column = column, .order = order, .rules = rules,
		.night = night, .lot = work->lot, .left_out = SDC_CONTINUED_NOBODY};
	uint32		far;

	SDC_ASSERT(order->count <= work->records - work->before && work->records == column->records);
	memset(night, 0, sizeof(*night));
	far = publish(&lots);
	if (lots.pending > 0)
		draw_pending(&lots);
	draw_widows(&lots);
	if (far > 0)
		draw_far(&lots, is_full(&lots, SDC_LOT_FAR, far, rules->least_new));
	sum_up(&lots, limit);
	work->before += order->count;
}

/* mix_pair makes a number of two in which every bit depends on all of them. */
static inline uint64
mix_pair(uint32 a, uint32 b)
{
	uint64		word = (uint64) a << 32 | b;

	word = (word ^ word >> 32) * UINT64_C(0xD6E8FEB86659FD93);
	word = (word ^ word >> 32) * UINT64_C(0xD6E8FEB86659FD93);
	return word ^ word >> 32;
}

/*
 * sdc_continued_check: see continued.h.  What the lower record of a pair adds the upper one takes away, so that the
 * sum is 0 for every involution, and for others as seldom as 64 random bits are.  No mate is visited for it.
 */
bool
sdc_continued_check(const SdcContinued *column)
{
	uint64		sum = 0;

	for (uint32 r = 0; r < column->records; r++)
	{
		uint32		mate = column->mate[r];
		uint8		flags = column->flags[r];

		sdc_interrupts_step(r);
		if (sdc_continued_paired(mate))
		{
			if (mate >= column->records || mate == r)
				return false;
			sum += r < mate ? mix_pair(r, mate) : -mix_pair(mate, r);
		}
		if (mate == SDC_CONTINUED_MOST ||
			(flags & ~(SDC_CONTINUED_NEW | SDC_CONTINUED_TOUCHED)) != 0 ||
			((flags & SDC_CONTINUED_NEW) != 0 && mate != SDC_CONTINUED_WIDOW) ||
			((flags & SDC_CONTINUED_TOUCHED) != 0 && !sdc_continued_paired(mate)) ||
			(mate == SDC_CONTINUED_PENDING && column->redrawn[r] != 0))
			return false;
	}
	return sum == 0;
}
