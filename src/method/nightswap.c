/*-------------------------------------------------------------------------
 *
 * nightswap.c
 *		One night of the columns that a rank swapping step continues.
 *
 *	1. the original values: of members as they were last published, or, where a lot of changed ones is full, as
 *	   they are; of records that join, as they are
 *	2. the mates of the state, by tonight's numbers; who is gone leaves a widow
 *	3. the cells of widows are taken from the release
 *	4. lots, on the sorted original values, unless none is full
 *	5. every cell gets the original value of its mate; a widow keeps what it had
 *
 * The first night is the method itself, and its swaps become the mates.
 *
 * The state has no value that the release tells: the original value of a record is what its mate has there.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "method/nightswap.h"
#include "relation/memory.h"
#include "relation/progress.h"
#include "relation/types.h"
#include "utils/fmgrprotos.h"

#define USE "continuing a release"

/* The streams of a column, from its own on. */
enum
{
	STREAM_ORIGINAL,			/* of cells that are pending or widows: all others can be told from the release */
	STREAM_MATE,
	STREAM_MARKS				/* of cells that have some: record, flags and how often they were drawn again */
};

/* A mark is two words. */
#define MARK_WORDS 2
#define MARK_FLAGS_SHIFT 8

/* Beyond so many times the percentage a pair counts as far. */
#define BEYOND_FACTOR 1.05

/* A cell whose original value has changed. */
typedef struct Change
{
	uint32		record;
	SdcContinuedChange change;
} Change;

/* What the cells of a stratum are, before any lot. */
typedef struct Count
{
	uint32		records;
	uint32		pending;
	uint32		widows;
	uint32		recent;			/* widows since their last lot */
	uint32		departures;		/* so many of them are a lot */
} Count;

/* A column at work. */
typedef struct Cells
{
	SdcMethodStep *step;
	const SdcSwapMethod *method;
	SdcNight   *night;
	SdcSource  *source;
	SdcSpool   *spool;
	SdcRandom  *random;
	SdcArena   *arena;
	SdcAttribute *attribute;
	SdcNightColumn *column;
	uint32		records;
	SdcContinued cells;
	SdcColumn  *original;		/* of every record */
	SdcColumn  *held;			/* what those had who were widows before any lot; NULL on the first night */
	bool	   *was_widow;
	Change	   *changes;
	uint32		change_count;
	uint32		change_space;
	Datum	   *values;			/* the originals, loaded */
	bool		due;			/* old values have stayed long enough */
	Count	   *counts;			/* of every stratum; NULL on the first night */
	uint64		taken;			/* bytes that the plan and the mates take */
	uint64		first_drawn;	/* cells that the first night has swapped */
	bool		relieved;		/* the widows of all records have had a lot tonight */
	uint32		stratum;		/* at work */
} Cells;

/* note_change notes that the original value of a record changes. */
static void
note_change(Cells *cells, uint32 record, SdcContinuedChange change)
{
	if (cells->change_count == cells->change_space)
	{
		cells->change_space = Max(64, 2 * cells->change_space);
		cells->changes = cells->changes == NULL ? palloc(sizeof(Change) * cells->change_space) :
			repalloc_huge(cells->changes, sizeof(Change) * (Size) cells->change_space);
	}
	cells->changes[cells->change_count++] = (Change) {record, change};
}

/* take_original notes what has become of the original value of a record: SdcNightTake. */
static void
take_original(void *arg, uint32 record, const SdcNightOriginal *original)
{
	if (original->shown)
		note_change(arg, record, !original->was_valid ? SDC_CONTINUED_APPEARED :
					!original->is_valid ? SDC_CONTINUED_VANISHED : SDC_CONTINUED_DIFFERS);
}

/* read_marks reads the marks of the members. */
static void
read_marks(const SdcNight *night, const SdcNightColumn *column, SdcContinued *before)
{
	uint32	   *words = sdc_memory_array((uint64) column->marks * MARK_WORDS, sizeof(uint32));

	sdc_privatestate_words(night->state, column->stream + STREAM_MARKS, words, (uint64) column->marks * MARK_WORDS);
	for (uint32 i = 0; i < column->marks; i++)
	{
		uint32		record = words[i * MARK_WORDS];
		uint32		mark = words[i * MARK_WORDS + 1];

		if (record >= before->records)
			sdc_night_refuse(night, "The state marks records that there are not.");
		before->flags[record] = (uint8) (mark >> MARK_FLAGS_SHIFT);
		before->redrawn[record] = (uint8) mark;
	}
	pfree(words);
}

/* read_mates reads the mates of the members. */
static void
read_mates(const SdcNight *night, const SdcNightColumn *column, SdcContinued *before)
{
	sdc_continued_create(before, night->members);
	sdc_privatestate_words(night->state, column->stream + STREAM_MATE, before->mate, night->members);
	read_marks(night, column, before);
	if (!sdc_continued_check(before))
		sdc_night_refuse(night, "The state pairs records that cannot be pairs.");
}

/* Values of mates lie at random places, and are fetched this many records ahead of their use. */
#define PREFETCH_RECORDS 24

/* fetch_mate asks for the value of the mate of a record some places ahead. */
static inline void
fetch_mate(const SdcContinued *cells, uint32 record, const Datum *values)
{
	if (cells->records - record > PREFETCH_RECORDS && sdc_continued_paired(cells->mate[record + PREFETCH_RECORDS]))
		__builtin_prefetch(&values[cells->mate[record + PREFETCH_RECORDS]]);
}

/* What is known of the members of a column before tonight. */
typedef struct Members
{
	const SdcNight *night;
	SdcContinued before;
	SdcColumnReader *own;		/* what the release has */
	SdcColumnReader *kept;		/* what the state has */
	const Datum *released;		/* what the release has, loaded */
	const bool *missing;		/* where it has nothing; NULL: nowhere */
} Members;

/* original_of tells the original value of the next member, if it has one. */
static bool
original_of(const Members *members, uint32 member, Datum *value)
{
	uint32		mate = members->before.mate[member];
	bool		valid = sdc_column_next(members->own, value);

	if (mate == SDC_CONTINUED_ALONE)
		return valid;
	if (sdc_continued_paired(mate))
	{
		if (!valid || (members->missing != NULL && members->missing[mate]))
			sdc_night_refuse(members->night, "The state pairs records without values.");
		*value = members->released[mate];
		return true;
	}
	if (valid != (mate == SDC_CONTINUED_WIDOW) || !sdc_column_next(members->kept, value))
		sdc_night_refuse(members->night, "The state lacks a value.");
	return true;
}

/* find_missing marks the values that a column does not have; NULL: it has all. */
static bool *
find_missing(SdcColumn *column)
{
	uint64		count = sdc_column_count(column);
	SdcColumnReader *reader;
	bool	   *missing;
	Datum		value;

	if (sdc_column_null_count(column) == 0)
		return NULL;
	missing = sdc_memory_array(count, sizeof(bool));
	reader = sdc_column_open(column);
	for (uint64 r = 0; r < count; r++)
		missing[r] = !sdc_column_next(reader, &value);
	sdc_column_close(reader);
	return missing;
}

/* recall_all makes the column of original values of all members. */
static SdcColumn *
recall_all(Members *members, const SdcAttribute *attribute, SdcSpool *spool)
{
	SdcColumn  *result = sdc_column_create(spool, attribute->type.typid);

	for (uint32 m = 0; m < members->night->members; m++)
	{
		Datum		value;
		bool		valid;

		if (m % 4096 == 0)
			CHECK_FOR_INTERRUPTS();
		fetch_mate(&members->before, m, members->released);
		valid = original_of(members, m, &value);
		sdc_column_append(result, valid ? value : (Datum) 0, !valid);
	}
	sdc_column_finish(result);
	return result;
}

/* count_kept counts the cells whose original value the state has. */
static uint64
count_kept(const SdcContinued *cells)
{
	uint64		count = 0;

	for (uint32 r = 0; r < cells->records; r++)
		count += cells->mate[r] == SDC_CONTINUED_WIDOW || cells->mate[r] == SDC_CONTINUED_PENDING;
	return count;
}

/* sdc_nightswap_recall: see nightswap.h. */
SdcColumn *
sdc_nightswap_recall(SdcMethodStep *step, SdcAttribute *attribute, SdcNightColumn *column, SdcSpool *spool)
{
	SdcNight   *night = step->night;
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "sdc recall", ALLOCSET_DEFAULT_SIZES);
	MemoryContext before = MemoryContextSwitchTo(context);
	SdcColumn  *released = sdc_night_released(night, column)->column;
	SdcColumn  *kept = sdc_privatestate_column(night->state, column->stream + STREAM_ORIGINAL,
											   attribute->type.typid, spool);
	Members		members = {.night = night, .own = sdc_column_open(released), .kept = sdc_column_open(kept)};
	SdcColumn  *result;

	sdc_memory_require(sdc_column_loaded_size(released) + sdc_continued_memory(night->members) +
					   night->members * (sizeof(uint32) + 3 * sizeof(bool)), USE);
	members.missing = find_missing(released);
	members.released = sdc_column_load(released, sdc_memory_array(sdc_column_loaded_size(released), 1));
	read_mates(night, column, &members.before);
	if (count_kept(&members.before) != sdc_column_count(kept))
		sdc_night_refuse(night, "The state has values of cells that have none.");
	result = recall_all(&members, attribute, spool);
	sdc_column_close(members.own);
	sdc_column_close(members.kept);
	sdc_column_destroy(kept);
	MemoryContextSwitchTo(before);
	MemoryContextDelete(context);
	return result;
}

/* join_records notes the records that join. */
static void
join_records(Cells *cells)
{
	const SdcContinuedPlan *plan = &cells->night->plan;
	SdcColumnReader *reader = sdc_column_open(cells->original);
	Datum		value;

	for (uint32 r = 0; r < cells->records; r++)
	{
		bool		valid = sdc_column_next(reader, &value);

		if (plan->member[r] == SDC_CONTINUED_NOBODY)
			sdc_continued_join(&cells->cells, r, valid);
	}
	sdc_column_close(reader);
}

/* hold_widows takes from the release what widows have in it. */
static void
hold_widows(Cells *cells)
{
	const SdcContinuedPlan *plan = &cells->night->plan;
	SdcColumnReader *reader = sdc_column_open(sdc_night_released(cells->night, cells->column)->column);
	uint32		next = 0;

	cells->held = sdc_column_create(cells->spool, cells->attribute->type.typid);
	cells->was_widow = sdc_memory_array(cells->records, sizeof(bool));
	for (uint32 r = 0; r < cells->records; r++)
	{
		Datum		value = (Datum) 0;
		bool		valid = false;

		if (r % 4096 == 0)
			CHECK_FOR_INTERRUPTS();
		cells->was_widow[r] = cells->cells.mate[r] == SDC_CONTINUED_WIDOW;
		if (!cells->was_widow[r])
			continue;
		for (; next <= plan->member[r]; next++)
			valid = sdc_column_next(reader, &value);
		sdc_column_append(cells->held, value, !valid);
	}
	sdc_column_finish(cells->held);
	sdc_column_close(reader);
}

/* carry_over takes the cells of the state over to tonight's records. */
static void
carry_over(Cells *cells)
{
	SdcContinued before;

	sdc_memory_require(cells->taken + sdc_continued_memory(cells->night->members), USE);
	cells->original = sdc_night_originals(cells->night, cells->attribute, cells->column, cells->spool, take_original,
										  cells);
	sdc_column_destroy(cells->column->original);
	cells->column->original = NULL;
	read_mates(cells->night, cells->column, &before);
	sdc_continued_create(&cells->cells, cells->records);
	sdc_continued_carry(&before, cells->night->plan.number, &cells->cells);
	for (uint32 i = 0; i < cells->change_count; i++)
		sdc_continued_change(&cells->cells, cells->changes[i].record, cells->changes[i].change);
	join_records(cells);
	sdc_continued_destroy(&before);
	hold_widows(cells);
}

/* far_window is beyond which a pair is far: SdcContinuedRules. */
static uint32
far_window(void *arg, uint32 positions)
{
	const Cells *cells = arg;

	return cells->method->window(positions, cells->method->parameters);
}

/* start_lot starts the stream of a lot: SdcContinuedRules. */
static SdcStream *
start_lot(void *arg, SdcContinuedLot lot)
{
	const Cells *cells = arg;

	return sdc_random_start_again(cells->random, NameStr(cells->attribute->name), sdc_continued_purpose(lot),
								  cells->stratum, cells->night->publication);
}

/* swap_lot swaps a lot: SdcContinuedRules. */
static void
swap_lot(void *arg, const SdcSwapRun *run, const SdcSwapLot *lot)
{
	const Cells *cells = arg;

	cells->method->run_lot(run, lot, cells->method->parameters);
	sdc_random_verify(cells->random);
}

/* task_of is the ordering of the originals. */
static SdcOrderingTask
task_of(const Cells *cells)
{
	SdcOrderingTask task = {0};

	task.column = cells->original;
	task.type = &cells->attribute->type;
	task.stratum = cells->source->stratum;
	task.strata = cells->source->strata_found;
	task.random = cells->random;
	task.attribute = NameStr(cells->attribute->name);
	task.publication = cells->night->first ? 0 : cells->night->publication;
	task.arena = cells->arena;
	return task;
}

/* number_values gives each position of a stratum a number that equal values share. */
static void
number_values(const Cells *cells, const uint32 *order, uint32 count, uint32 *group)
{
	for (uint32 i = 0; i < count; i++)
		group[i] = i == 0 ? 0 : group[i - 1] +
			!sdc_type_equal(&cells->attribute->type, cells->values[order[i - 1]], cells->values[order[i]]);
}

/* add_night adds what has come of a stratum to what is reported of the column. */
static void
add_night(Cells *cells, const SdcContinuedNight *night, uint64 *counted, uint64 *beyond, uint64 *redrawn)
{
	SdcAgain   *again = &cells->attribute->again;

	for (int lot = 0; lot < (int) lengthof(night->lot); lot++)
		again->drawn += night->lot[lot];
	again->pending += night->pending;
	again->widows += night->widows;
	again->largest = Max(again->largest, night->largest);
	cells->relieved = cells->night->strata == 1 && night->lot[SDC_LOT_WIDOW] > 0;
	*counted += night->positions;
	*beyond += night->beyond;
	*redrawn += night->redrawn;
}

/*
 * erases tells whether no widow of a stratum may stay: its values have stayed long enough, or a lot is drawn where
 * they may not stay for ever.
 */
static bool
erases(const Cells *cells, uint32 s)
{
	return cells->due || (cells->step->continuing->erase_within != NULL && cells->counts != NULL &&
						  cells->counts[s].recent >= cells->counts[s].departures);
}

/* draw_lots draws the lots of every stratum, of sorted values. */
static void
draw_lots(Cells *cells, const SdcOrdering *ordering, bool draw)
{
	uint32	   *group;
	SdcContinuedWork *work;
	uint64		counted = 0;
	uint64		beyond = 0;
	uint64		redrawn = 0;

	sdc_memory_require(cells->arena->size + cells->taken + sdc_continued_work_memory(cells->records) +
					   2 * (uint64) ordering->count * sizeof(uint32), USE);
	group = sdc_memory_array(Max(ordering->longest, 1), sizeof(uint32));
	work = sdc_continued_work_create(cells->records);
	for (uint32 s = 0; s < ordering->strata; s++)
	{
		SdcContinuedOrder order = {ordering->start[s + 1] - ordering->start[s], ordering->order + ordering->start[s],
		group};
		SdcContinuedRules rules = {.least_new = draw ? cells->step->lot.changes : PG_UINT32_MAX,
			.least_widows = draw ? cells->counts[s].departures : PG_UINT32_MAX, .erase = erases(cells, s),
			.settle = draw && cells->night->plan.stratum[s].settle, .arg = cells, .window = far_window,
			.start = start_lot, .pair = swap_lot};
		SdcContinuedNight night;

		CHECK_FOR_INTERRUPTS();
		cells->stratum = s;
		if (cells->due && cells->counts[s].recent < cells->step->lot.changes)
			cells->attribute->again.erased += cells->counts[s].widows;
		number_values(cells, order.record, order.count, group);
		sdc_continued_lots(&cells->cells, &order, &rules, BEYOND_FACTOR * cells->method->percent, work, &night);
		add_night(cells, &night, &counted, &beyond, &redrawn);
	}
	sdc_continued_work_destroy(work);
	pfree(group);
	cells->column->beyond = counted == 0 ? 0.0 : 100.0 * beyond / counted;
	cells->column->largest = cells->attribute->again.largest;
	cells->column->redrawn = counted == 0 ? 0.0 : (double) redrawn / counted;
}

/* count_cells counts what waits in every stratum. */
static void
count_cells(Cells *cells)
{
	const SdcNight *night = cells->night;
	SdcAgain   *again = &cells->attribute->again;

	cells->counts = palloc0(sizeof(Count) * night->strata);
	for (uint32 r = 0; r < cells->records; r++)
	{
		Count	   *count = &cells->counts[night->stratum == NULL ? 0 : night->stratum[r]];

		count->records++;
		count->pending += cells->cells.mate[r] == SDC_CONTINUED_PENDING;
		count->widows += cells->cells.mate[r] == SDC_CONTINUED_WIDOW;
		count->recent += (cells->cells.flags[r] & SDC_CONTINUED_NEW) != 0;
	}
	for (uint32 s = 0; s < night->strata; s++)
	{
		cells->counts[s].departures = sdc_night_departures(cells->step, cells->counts[s].records);
		again->pending += cells->counts[s].pending;
		again->widows += cells->counts[s].widows;
	}
}

/* has_lot tells whether a lot of some stratum is full. */
static bool
has_lot(const Cells *cells)
{
	const SdcLots *lots = &cells->step->lot;

	for (uint32 s = 0; s < cells->night->strata; s++)
	{
		const Count *count = &cells->counts[s];

		if ((count->pending > 0 && count->pending >= lots->changes) ||
			(count->widows > 0 && (cells->due || count->recent >= count->departures)) ||
			cells->night->plan.stratum[s].settle)
			return true;
	}
	return false;
}

/* load_originals loads the originals to the arena, which has room for more behind them. */
static void
load_originals(Cells *cells, uint64 more)
{
	uint64		size = sdc_column_loaded_size(cells->original);
	uint64		bytes = sdc_arena_bytes(size, 1) + more;

	sdc_memory_require(bytes + cells->taken, USE);
	sdc_arena_reserve(cells->arena, bytes);
	cells->values = sdc_column_load(cells->original, sdc_arena_take(cells->arena, size, 1));
}

/* copy_ordering copies an ordering out of the arena. */
static SdcOrdering *
copy_ordering(const SdcOrdering *ordering)
{
	SdcOrdering *copy = palloc(sizeof(SdcOrdering));

	*copy = *ordering;
	copy->order = sdc_memory_array(ordering->count, sizeof(uint32));
	copy->start = sdc_memory_array((uint64) ordering->strata + 1, sizeof(uint32));
	memcpy(copy->order, ordering->order, sizeof(uint32) * (Size) ordering->count);
	memcpy(copy->start, ordering->start, sizeof(uint32) * ((Size) ordering->strata + 1));
	return copy;
}

/* take_swaps makes the swaps of the first night mates. */
static void
take_swaps(Cells *cells, const uint32 *donor)
{
	sdc_continued_create(&cells->cells, cells->records);
	for (uint32 r = 0; r < cells->records; r++)
	{
		if (donor[r] > r)
			sdc_continued_swap(&cells->cells, r, donor[r]);
		cells->first_drawn += donor[r] != r;
	}
}

/*
 * sort_originals orders the originals, swaps them on the first night, and loads them.  What has a sort key is loaded
 * when the sort has given its memory back.
 */
static SdcOrdering *
sort_originals(Cells *cells)
{
	SdcOrderingTask task = task_of(cells);
	bool		by_key = task.type->key != SDC_KEY_NONE;
	uint64		needed = cells->night->first ? sdc_swap_donors_memory(&task) : sdc_ordering_memory(&task);
	SdcOrdering *ordering;

	if (by_key)
	{
		sdc_memory_require(needed + cells->taken, USE);
		sdc_arena_reserve(cells->arena, needed);
	}
	else
		load_originals(cells, needed);
	if (cells->night->first)
		take_swaps(cells, sdc_swap_donors(&task, cells->values, cells->method, &ordering));
	else
		ordering = sdc_ordering_build(&task, cells->values);
	if (!by_key)
		return ordering;
	ordering = copy_ordering(ordering);
	sdc_arena_free(cells->arena);
	load_originals(cells, 0);
	return ordering;
}

/* begin_swaps makes the column of the first night. */
static void
begin_swaps(Cells *cells)
{
	cells->original = cells->attribute->column;
	cells->attribute->column = NULL;
	draw_lots(cells, sort_originals(cells), false);
	cells->attribute->again.drawn = cells->first_drawn;
	cells->column->first_beyond = cells->attribute->again.beyond = cells->column->beyond;
}

/* is_due tells whether old values have stayed long enough. */
static bool
is_due(const Cells *cells)
{
	const Interval *within = cells->step->continuing->erase_within;

	return within != NULL && cells->column->widows_since != 0 &&
		DatumGetTimestampTz(DirectFunctionCall2(timestamptz_pl_interval,
												TimestampTzGetDatum(cells->column->widows_since),
												IntervalPGetDatum(within))) <= cells->night->now;
}

/* continue_swaps makes that of a later night. */
static void
continue_swaps(Cells *cells)
{
	SdcAgain   *again = &cells->attribute->again;
	uint64		widows;
	bool		lot;

	carry_over(cells);
	sdc_column_destroy(cells->attribute->column);
	cells->attribute->column = NULL;
	cells->due = is_due(cells);
	count_cells(cells);
	lot = has_lot(cells);
	widows = again->widows;
	if (lot)
	{
		again->pending = again->widows = 0;
		draw_lots(cells, sort_originals(cells), true);
	}
	else
		load_originals(cells, 0);
	again->largest = cells->column->largest;
	again->beyond = cells->column->beyond;
	/* one widow that may not stay gets its own value, and draws nothing */
	cells->night->differs |= again->drawn > 0 || cells->change_count > 0 || again->widows != widows;
}

/* released_value tells what a record has in the release; held is what it had as a widow. */
static bool
released_value(const Cells *cells, uint32 record, bool valid, bool held_valid, Datum held, Datum *value)
{
	uint32		mate = cells->cells.mate[record];

	if (mate == SDC_CONTINUED_PENDING)
		return false;
	if (mate == SDC_CONTINUED_WIDOW)
	{
		*value = held;
		return held_valid;
	}
	*value = cells->values[sdc_continued_paired(mate) ? mate : record];
	return valid;
}

/* What was released of a record before. */
typedef struct Before
{
	SdcColumnReader *reader;	/* NULL: nothing */
	uint32		next;			/* member that comes next */
} Before;

/* is_kept tells whether a record had the same in the release before; records come in their order. */
static bool
is_kept(const Cells *cells, Before *before, uint32 record, bool valid, Datum value)
{
	uint32		member = before->reader == NULL ? SDC_CONTINUED_NOBODY : cells->night->plan.member[record];
	Datum		old = (Datum) 0;
	bool		old_valid = false;

	if (member == SDC_CONTINUED_NOBODY)
		return false;
	for (; before->next <= member; before->next++)
		old_valid = sdc_column_next(before->reader, &old);
	return !sdc_night_differ(cells->attribute, valid, value, old_valid, old);
}

/* release_cells makes the column of the release. */
static void
release_cells(Cells *cells)
{
	SdcAttribute *attribute = cells->attribute;
	SdcColumnReader *originals = sdc_column_open(cells->original);
	SdcColumnReader *held = cells->held == NULL ? NULL : sdc_column_open(cells->held);
	Before		before = {0};
	SdcColumn  *result = sdc_column_create(cells->spool, attribute->type.typid);

	attribute->changed = 0;
	if (cells->held != NULL)
		before.reader = sdc_column_open(sdc_night_released(cells->night, cells->column)->column);
	for (uint32 r = 0; r < cells->records; r++)
	{
		Datum		own;
		Datum		kept = (Datum) 0;
		Datum		value = (Datum) 0;
		bool		own_valid = sdc_column_next(originals, &own);
		bool		kept_valid = cells->was_widow != NULL && cells->was_widow[r] && sdc_column_next(held, &kept);
		bool		valid;

		fetch_mate(&cells->cells, r, cells->values);
		valid = released_value(cells, r, own_valid, kept_valid, kept, &value);
		sdc_column_append(result, value, !valid);
		attribute->changed += sdc_night_differ(attribute, valid, value, own_valid, own);
		attribute->again.kept += is_kept(cells, &before, r, valid, value);
		if (r % 4096 == 0)
		{
			CHECK_FOR_INTERRUPTS();
			sdc_progress_records(r);
		}
	}
	sdc_column_finish(result);
	sdc_column_close(originals);
	if (held != NULL)
		sdc_column_close(held);
	if (before.reader != NULL)
		sdc_column_close(before.reader);
	attribute->column = result;
}

/* keep_originals writes the original values that the release does not tell. */
static void
keep_originals(const Cells *cells)
{
	SdcColumnReader *reader = sdc_column_open(cells->original);
	SdcColumn  *kept = sdc_column_create(cells->spool, cells->attribute->type.typid);

	for (uint32 r = 0; r < cells->records; r++)
	{
		uint32		mate = cells->cells.mate[r];
		Datum		value;
		bool		valid = sdc_column_next(reader, &value);

		if (r % 4096 == 0)
			CHECK_FOR_INTERRUPTS();
		if (mate == SDC_CONTINUED_WIDOW || mate == SDC_CONTINUED_PENDING)
			sdc_column_append(kept, value, !valid);
	}
	sdc_column_finish(kept);
	sdc_column_close(reader);
	sdc_privatestate_put_column(cells->night->next, cells->column->stream + STREAM_ORIGINAL, kept);
	sdc_column_destroy(kept);
}

/* keep_marks writes the marks. */
static void
keep_marks(const Cells *cells)
{
	const SdcContinued *column = &cells->cells;
	uint32	   *words;
	uint32		count = 0;

	for (uint32 r = 0; r < column->records; r++)
		count += column->flags[r] != 0 || column->redrawn[r] != 0;
	words = sdc_memory_array((uint64) count * MARK_WORDS, sizeof(uint32));
	cells->column->marks = count;
	count = 0;
	for (uint32 r = 0; r < column->records; r++)
	{
		if (column->flags[r] == 0 && column->redrawn[r] == 0)
			continue;
		words[count++] = r;
		words[count++] = (uint32) column->flags[r] << MARK_FLAGS_SHIFT | column->redrawn[r];
	}
	sdc_privatestate_put_words(cells->night->next, cells->column->stream + STREAM_MARKS, words, count);
	pfree(words);
}

/* keep_state writes the state of the column. */
static void
keep_state(Cells *cells)
{
	SdcNight   *night = cells->night;
	SdcNightColumn *column = cells->column;
	SdcAgain   *again = &cells->attribute->again;

	keep_originals(cells);
	keep_marks(cells);
	sdc_privatestate_put_words(night->next, column->stream + STREAM_MATE, cells->cells.mate, cells->records);
	column->pending_since = again->pending == 0 ? 0 : column->pending_since != 0 ? column->pending_since : night->now;
	if (again->widows == 0 || cells->relieved)
		column->widows_since = 0;
	if (again->widows > 0 && column->widows_since == 0)
		column->widows_since = night->now;
	again->waiting = again->pending + night->arrived;
}

/* protect_column continues a column. */
static void
protect_column(Cells *cells)
{
	cells->attribute->continued = true;
	memset(&cells->attribute->again, 0, sizeof(SdcAgain));
	if (cells->night->first)
		begin_swaps(cells);
	else
		continue_swaps(cells);
	Assert(sdc_continued_check(&cells->cells));
	release_cells(cells);
	keep_state(cells);
	sdc_continued_destroy(&cells->cells);
	sdc_column_destroy(cells->original);
	if (cells->held != NULL)
		sdc_column_destroy(cells->held);
}

/* sdc_nightswap_protect: see nightswap.h. */
void
sdc_nightswap_protect(SdcMethodStep *step, SdcSource *source, SdcSpool *spool, SdcRandom *random)
{
	SdcArena	arena = {0};

	/* sorts and mates take the memory */
	sdc_spool_set_limit(spool, sdc_memory_budget() / 16);
	for (int i = 0; i < source->attribute_count; i++)
	{
		Cells		cells = {.step = step, .method = step->arguments, .night = step->night, .source = source,
			.spool = spool, .random = random, .arena = &arena, .attribute = &source->attributes[i],
		.column = &step->night->column[i], .records = (uint32) source->records};
		MemoryContext context;
		MemoryContext before;

		if (!sdc_pipeline_is_of(step, cells.attribute))
			continue;
		cells.taken = step->night->memory + sdc_continued_memory(cells.records);
		context = AllocSetContextCreate(CurrentMemoryContext, "sdc night", ALLOCSET_DEFAULT_SIZES);
		before = MemoryContextSwitchTo(context);
		protect_column(&cells);
		sdc_arena_free(&arena);
		MemoryContextSwitchTo(before);
		MemoryContextDelete(context);
		sdc_progress_next();
	}
}
