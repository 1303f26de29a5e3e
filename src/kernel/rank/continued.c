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

#include "kernel/rank/continued.h"

/* Records whose memory is asked for ahead: they come in the order of values. */
#define PREFETCH_RECORDS 24

/* Where a value is, of a record that the call has in its order. */
typedef struct Place
{
	uint32		call;			/* the stratum that knows the others */
	uint32		start;			/* the first position with its value */
	uint32		end;			/* behind the last of them */
} Place;

/* For all records of a column. */
struct SdcContinuedWork
{
	uint32		records;
	uint32		call;			/* number of the stratum at work, from 1 on */
	uint32	   *position;		/* by position: the record */
	uint32	   *group;			/* by position */
	uint32	   *lot;			/* positions of a lot, ascending */
	Place	   *place;			/* by record */
	bool	   *far;			/* by record; false between calls */
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
	uint32	   *record;			/* of each position */
	uint32	   *group;			/* of each position */
	uint32	   *lot;			/* the positions of a lot, ascending */
	uint32		count;			/* their number */
	uint32		widows;			/* that there are, */
	uint32		recent;			/* and since their last lot */
	uint32		left_out;		/* the record that tonight's lot of pending cells left alone */
	uint32		drawn;			/* cells of the lot that have a partner */
} Lots;

/* fetch_mate asks for the memory that an array has for the mate of a record some places ahead. */
static inline void
fetch_mate(const SdcContinued *column, uint32 record, const uint32 *array)
{
	uint32		mate;

	if (column->records - record <= PREFETCH_RECORDS)
		return;
	mate = column->mate[record + PREFETCH_RECORDS];
	if (mate < column->records)
		__builtin_prefetch(&array[mate]);
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
	SDC_ASSERT(records <= SDC_CONTINUED_MOST);
	column->records = records;
	column->mate = sdc_alloc_array(uint32, records);
	column->flags = sdc_alloc_zeros(uint8, records);
	column->redrawn = sdc_alloc_zeros(uint8, records);
	column->moved = sdc_alloc_zeros(bool, records);
	for (uint32 r = 0; r < records; r++)
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

/* sdc_continued_carry: see continued.h. */
void
sdc_continued_carry(const SdcContinued *before, const uint32 *number, SdcContinued *column)
{
	for (uint32 r = 0; r < before->records; r++)
	{
		uint32		record = number[r];
		uint32		mate = before->mate[r];

		sdc_interrupts_step(r);
		fetch_mate(before, r, number);
		if (record == SDC_CONTINUED_NOBODY)
			continue;
		SDC_ASSERT(record < column->records);
		column->mate[record] = mate;
		column->flags[record] = before->flags[r];
		column->redrawn[record] = before->redrawn[r];
		if (!sdc_continued_paired(mate))
			continue;
		column->mate[record] = number[mate];
		if (number[mate] == SDC_CONTINUED_NOBODY)
		{
			column->mate[record] = SDC_CONTINUED_WIDOW;
			column->flags[record] = SDC_CONTINUED_NEW;
		}
	}
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
	return sizeof(SdcContinuedWork) + (uint64) records * (3 * sizeof(uint32) + sizeof(Place) + sizeof(bool)) +
		sdc_rankswap_memory(records);
}

/* sdc_continued_work_create: see continued.h. */
SdcContinuedWork *
sdc_continued_work_create(uint32 records)
{
	SdcContinuedWork *work = sdc_alloc(sizeof(SdcContinuedWork));

	work->records = records;
	work->call = 0;
	work->position = sdc_alloc_array(uint32, records);
	work->group = sdc_alloc_array(uint32, records);
	work->lot = sdc_alloc_array(uint32, records);
	work->place = sdc_alloc_zeros(Place, records);
	work->far = sdc_alloc_zeros(bool, records);
	return work;
}

/* sdc_continued_work_destroy: see continued.h. */
void
sdc_continued_work_destroy(SdcContinuedWork *work)
{
	sdc_free(work->position);
	sdc_free(work->group);
	sdc_free(work->lot);
	sdc_free(work->place);
	sdc_free(work->far);
	sdc_free(work);
}

/* ahead is the record some places behind one in the order of values; near the end it is the last. */
static inline uint32
ahead(const uint32 *record, uint32 i, uint32 count, uint32 places)
{
	return record[count - i > places ? i + places : count - 1];
}

/*
 * publish_positions lists the records of the values that are published; pending ones are if
 * they are drawn tonight.  It counts the widows, which no lot of pending cells makes or ends.
 */
static void
publish_positions(Lots *lots, bool pending)
{
	const SdcContinuedOrder *order = lots->order;

	lots->positions = 0;
	lots->widows = 0;
	lots->recent = 0;
	for (uint32 i = 0; i < order->count; i++)
	{
		uint32		record = order->record[i];
		uint32		mate = lots->column->mate[record];

		sdc_interrupts_step(i);
		SDC_ASSERT(i == 0 || order->group[i - 1] <= order->group[i]);
		__builtin_prefetch(&lots->column->mate[ahead(order->record, i, order->count, PREFETCH_RECORDS)]);
		if (!pending && mate == SDC_CONTINUED_PENDING)
			continue;
		if (mate == SDC_CONTINUED_WIDOW)
		{
			lots->widows++;
			lots->recent += (lots->column->flags[record] & SDC_CONTINUED_NEW) != 0;
		}
		lots->record[lots->positions] = record;
		lots->group[lots->positions++] = order->group[i];
	}
}

/* number_groups notes for the record at each position which positions have the same value. */
static void
number_groups(const Lots *lots)
{
	SdcContinuedWork *work = lots->work;
	uint32		next;

	for (uint32 first = 0; first < lots->positions; first = next)
	{
		next = first + 1;
		while (next < lots->positions && lots->group[next] == lots->group[first])
			next++;
		for (uint32 i = first; i < next; i++)
		{
			sdc_interrupts_step(i);
			__builtin_prefetch(&work->place[ahead(lots->record, i, lots->positions, PREFETCH_RECORDS)], 1);
			work->place[lots->record[i]] = (Place) {work->call, first, next};
		}
	}
}

/* is_touched tells whether a pair has a cell whose value has changed since. */
static bool
is_touched(const SdcContinued *column, uint32 record)
{
	uint32		mate = column->mate[record];

	return sdc_continued_paired(mate) &&
		((column->flags[record] | column->flags[mate]) & SDC_CONTINUED_TOUCHED) != 0;
}

/* positions_apart is the distance of the tie groups of two records in positions. */
static uint32
positions_apart(const SdcContinuedWork *work, uint32 a, uint32 b)
{
	const Place *p = &work->place[a];
	const Place *q = &work->place[b];

	if (p->start == q->start)
		return 0;
	return p->start < q->start ? q->start - (p->end - 1) : p->start - (q->end - 1);
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
	window = lots->rules->window(lots->rules->arg, lots->positions);
	for (uint32 i = 0; i < lots->positions; i++)
	{
		uint32		record = lots->record[i];
		uint32		mate = lots->column->mate[record];

		sdc_interrupts_step(i);
		if (!is_touched(lots->column, record) || work->place[mate].call != work->call ||
			positions_apart(work, record, mate) <= window)
			continue;
		work->far[record] = true;
		count++;
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
	for (uint32 i = 0; i < lots->positions; i++)
	{
		sdc_interrupts_step(i);
		if (lots->column->mate[lots->record[i]] == SDC_CONTINUED_PENDING)
			lots->lot[lots->count++] = i;
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
 * afterwards none is.  Where old values must end, whoever is left out gets his own.
 */
static void
draw_widows(Lots *lots)
{
	SdcContinued *column = lots->column;
	uint32		left_out;

	if (lots->widows == 0 || (lots->recent < lots->rules->least_widows && !lots->rules->erase))
		return;
	lots->count = 0;
	for (uint32 i = 0; i < lots->positions; i++)
	{
		uint32		record = lots->record[i];
		uint32		mate = column->mate[record];

		sdc_interrupts_step(i);
		if (mate == SDC_CONTINUED_WIDOW ||
			(mate == SDC_CONTINUED_ALONE && record != lots->left_out))
			lots->lot[lots->count++] = i;
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

/* add_distance counts a pair, unless one of its records has gone to another stratum. */
static void
add_distance(const Lots *lots, uint32 a, uint32 b, double limit)
{
	const Place *p = &lots->work->place[a];
	const Place *q = &lots->work->place[b];
	uint64		twice_a = (uint64) p->start + p->end;
	uint64		twice_b = (uint64) q->start + q->end;
	double		distance;

	if (q->call != lots->work->call)
		return;
	distance = (double) (twice_a < twice_b ? twice_b - twice_a : twice_a - twice_b) * 50.0 / lots->positions;
	lots->night->beyond += distance > limit ? 2 : 0;
	lots->night->largest = distance > lots->night->largest ? distance : lots->night->largest;
}

/* sum_up counts what the night has come to; whoever has no position still waits. */
static void
sum_up(const Lots *lots, double limit)
{
	const uint32 *mates = lots->column->mate;
	SdcContinuedNight *night = lots->night;

	night->positions = lots->positions;
	night->pending = lots->order->count - lots->positions;
	for (uint32 i = 0; i < lots->positions; i++)
	{
		uint32		record = lots->record[i];
		uint32		mate = mates[record];
		uint32		far = ahead(lots->record, i, lots->positions, 2 * PREFETCH_RECORDS);
		uint32		near = mates[ahead(lots->record, i, lots->positions, PREFETCH_RECORDS)];

		sdc_interrupts_step(i);
		__builtin_prefetch(&mates[far]);
		__builtin_prefetch(&lots->column->redrawn[far]);
		if (sdc_continued_paired(near))
			__builtin_prefetch(&lots->work->place[near]);
		night->widows += mate == SDC_CONTINUED_WIDOW;
		night->redrawn += lots->column->redrawn[record];
		if (!sdc_continued_paired(mate))
			continue;
		night->paired++;
		/* of each pair once, and both cells */
		if (record < mate)
			add_distance(lots, record, mate, limit);
	}
}

/* sdc_continued_lots: see continued.h. */
void
sdc_continued_lots(SdcContinued *column, const SdcContinuedOrder *order,
				   const SdcContinuedRules *rules, double limit, SdcContinuedWork *work,
				   SdcContinuedNight *night)
{
	Lots		lots = {.work = work, .column = column, .order = order, .rules = rules,
		.night = night, .record = work->position, .group = work->group, .lot = work->lot,
	.left_out = SDC_CONTINUED_NOBODY};
	uint32		pending;
	uint32		far = 0;

	SDC_ASSERT(order->count <= work->records && work->records == column->records);
	memset(night, 0, sizeof(*night));
	work->call++;
	publish_positions(&lots, false);
	pending = order->count - lots.positions;
	if (rules->settle)
	{
		number_groups(&lots);
		far = mark_far(&lots);
	}
	if (pending > 0 && pending >= rules->least_new)
	{
		publish_positions(&lots, true);
		draw_pending(&lots);
	}
	draw_widows(&lots);
	if (far > 0)
		draw_far(&lots, far >= rules->least_new);
	number_groups(&lots);
	sum_up(&lots, limit);
}

/* sdc_continued_check: see continued.h. */
bool
sdc_continued_check(const SdcContinued *column)
{
	for (uint32 r = 0; r < column->records; r++)
	{
		uint32		mate = column->mate[r];
		uint8		flags = column->flags[r];

		sdc_interrupts_step(r);
		fetch_mate(column, r, column->mate);
		if (sdc_continued_paired(mate) &&
			(mate >= column->records || mate == r || column->mate[mate] != r))
			return false;
		if (mate == SDC_CONTINUED_MOST ||
			(flags & ~(SDC_CONTINUED_NEW | SDC_CONTINUED_TOUCHED)) != 0 ||
			((flags & SDC_CONTINUED_NEW) != 0 && mate != SDC_CONTINUED_WIDOW) ||
			((flags & SDC_CONTINUED_TOUCHED) != 0 && !sdc_continued_paired(mate)) ||
			(mate == SDC_CONTINUED_PENDING && column->redrawn[r] != 0))
			return false;
	}
	return true;
}
