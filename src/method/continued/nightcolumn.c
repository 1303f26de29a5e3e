/*-------------------------------------------------------------------------
 *
 * nightcolumn.c
 *		One night of a column that a rank swapping step continues.
 *
 *	1. the mates of the state, by tonight's numbers; who is gone leaves a widow
 *	2. lots, on the sorted original values, unless none is full
 *	3. a cell that has another mate, or whose mate has another value, gets the original value of its mate; all others
 *	   have what they had in the release
 *
 * The first night is the method itself, and its swaps become the mates.
 *
 * All this needs nothing but arrays and columns, so that a worker can do it as well as the session (nightjobs.c): it
 * reads no relation, nor the state.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "method/continued/nightcolumn.h"
#include "method/continued/nightmarks.h"
#include "method/continued/nightplan.h"
#include "miscadmin.h"
#include "relation/base/memory.h"
#include "relation/base/progress.h"
#include "relation/column/types.h"
#include "utils/guc.h"

/* Beyond so many times the percentage a pair counts as far. */
#define BEYOND_FACTOR 1.05

/* join_records notes the records that join. */
static void
join_records(SdcNightCells *cells)
{
	const SdcContinuedPlan *plan = &cells->night->plan;
	SdcColumnReader *reader;
	Datum		value;

	if (plan->records == cells->night->members - plan->departed)
		return;
	reader = sdc_column_null_count(cells->original) == 0 ? NULL : sdc_column_open(cells->original);
	for (uint32 r = 0; r < cells->records; r++)
	{
		bool		valid = reader == NULL || sdc_column_next(reader, &value);

		if (plan->member[r] == SDC_CONTINUED_NOBODY)
			sdc_continued_join(&cells->cells, r, valid);
	}
	if (reader != NULL)
		sdc_column_close(reader);
}

/* reserve_arena empties the arena, and makes it large enough. */
static void
reserve_arena(SdcNightCells *cells, uint64 bytes)
{
	MemoryContext before = MemoryContextSwitchTo(cells->arena_context);

	sdc_arena_reserve(cells->arena, bytes);
	MemoryContextSwitchTo(before);
}

/* sdc_nightcolumn_scratch: see nightcolumn.h. */
void *
sdc_nightcolumn_scratch(SdcNightCells *cells, uint64 count, Size size)
{
	reserve_arena(cells, sdc_arena_bytes(count, size));
	return sdc_arena_take(cells->arena, count, size);
}

/* carry_over takes the cells of the state over to tonight's records. */
static void
carry_over(SdcNightCells *cells)
{
	sdc_continued_clear(&cells->cells);
	if (!sdc_continued_unpack(&cells->mates, cells->night->plan.number, &cells->cells))
		sdc_night_refuse(cells->night, "The state pairs records that cannot be pairs.");
	sdc_nightmarks_take(cells->night, cells->marks, cells->column->marks, &cells->cells);
	for (uint32 i = 0; i < cells->change_count; i++)
		sdc_continued_change(&cells->cells, cells->changes[i].record, cells->changes[i].change);
	join_records(cells);
}

/* far_window is beyond which a pair is far: SdcContinuedRules. */
static uint32
far_window(void *arg, uint32 positions)
{
	const SdcNightCells *cells = arg;

	return cells->method->window(positions, cells->method->parameters);
}

/* start_lot starts the stream of a lot: SdcContinuedRules. */
static SdcStream *
start_lot(void *arg, SdcContinuedLot lot)
{
	const SdcNightCells *cells = arg;

	return sdc_random_restart(cells->random, NameStr(cells->attribute->name), sdc_continued_purpose(lot),
								  cells->stratum, cells->night->publication);
}

/* swap_lot swaps a lot: SdcContinuedRules. */
static void
swap_lot(void *arg, const SdcSwapRun *run, const SdcSwapLot *lot)
{
	const SdcNightCells *cells = arg;

	cells->method->run_lot(run, lot, cells->method->parameters);
	sdc_random_verify(cells->random);
}

/* task_of is the ordering of the originals. */
static SdcOrderingTask
task_of(const SdcNightCells *cells, SdcColumn *column)
{
	SdcOrderingTask task = {0};

	task.column = column;
	task.type = &cells->attribute->type;
	task.stratum = cells->source->stratum;
	task.strata = cells->source->strata_found;
	task.random = cells->random;
	task.attribute = NameStr(cells->attribute->name);
	task.publication = cells->column->begins ? 0 : cells->night->publication;
	task.ties = true;
	task.arena = cells->arena;
	return task;
}

/* find_ties marks the places of a stratum that have the value of the one before. */
static void
find_ties(const SdcNightCells *cells, const uint32 *order, uint32 count, bool *tied)
{
	for (uint32 i = 0; i < count; i++)
	{
		if (i % 65536 == 0)
			CHECK_FOR_INTERRUPTS();
		tied[i] = i > 0 && sdc_type_equal(&cells->attribute->type, cells->values[order[i - 1]],
										  cells->values[order[i]]);
	}
}

/* add_night adds what has come of a stratum to what is reported of the column. */
static void
add_night(SdcNightCells *cells, const SdcContinuedNight *night, uint64 *counted, uint64 *beyond, uint64 *redrawn)
{
	SdcContinuation   *continuation = &cells->attribute->continuation;

	for (int lot = 0; lot < (int) lengthof(night->lot); lot++)
		continuation->drawn += night->lot[lot];
	continuation->pending += night->pending;
	continuation->widows += night->widows;
	continuation->largest = Max(continuation->largest, night->largest);
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
erases(const SdcNightCells *cells, uint32 s)
{
	return cells->due || (cells->step->continuing->erase_within != NULL && cells->counts != NULL &&
						  cells->counts[s].recent >= cells->counts[s].departures);
}

/* make_work makes what lots work with: in the arena behind the ordering, or beside one that values are in. */
static SdcContinuedWork *
make_work(SdcNightCells *cells)
{
	uint64		bytes = sdc_continued_work_memory(cells->records);

	if (cells->values == NULL)
		return sdc_continued_work_place(sdc_arena_take(cells->arena, bytes, 1), cells->records);
	return sdc_continued_work_create(cells->records);
}

/* draw_lots draws the lots of every stratum, of sorted values. */
static void
draw_lots(SdcNightCells *cells, const SdcOrdering *ordering, bool draw)
{
	SdcContinuedWork *work = make_work(cells);
	bool	   *found = ordering->tied == NULL ? sdc_memory_array(Max(ordering->longest, 1), sizeof(bool)) : NULL;
	uint64		counted = 0;
	uint64		beyond = 0;
	uint64		redrawn = 0;

	sdc_continued_work_begin(work, &cells->cells);
	for (uint32 s = 0; s < ordering->strata; s++)
	{
		SdcContinuedOrder order = {ordering->start[s + 1] - ordering->start[s], ordering->order + ordering->start[s],
		found != NULL ? found : ordering->tied + ordering->start[s]};
		SdcContinuedRules rules = {.least_new = draw ? cells->step->lot.changes : PG_UINT32_MAX,
			.least_widows = draw ? cells->counts[s].departures : PG_UINT32_MAX, .erase = erases(cells, s),
			.settle = draw && cells->night->plan.stratum[s].settle,
			.unit = cells->night->units == NULL ? NULL : cells->night->units->of, .arg = cells, .window = far_window,
			.start = start_lot, .pair = swap_lot};
		SdcContinuedNight night;

		CHECK_FOR_INTERRUPTS();
		cells->stratum = s;
		if (cells->due && cells->counts[s].recent < cells->step->lot.changes)
			cells->attribute->continuation.erased += cells->counts[s].widows;
		if (found != NULL)
			find_ties(cells, order.record, order.count, found);
		sdc_continued_lots(&cells->cells, &order, &rules, BEYOND_FACTOR * cells->method->percent, work, &night);
		add_night(cells, &night, &counted, &beyond, &redrawn);
	}
	if (found != NULL)
		sdc_free(found);
	cells->column->beyond = counted == 0 ? 0.0 : 100.0 * beyond / counted;
	cells->column->largest = cells->attribute->continuation.largest;
	cells->column->redrawn = counted == 0 ? 0.0 : (double) redrawn / counted;
}

/* count_cell counts a cell. */
static inline void
count_cell(const SdcContinued *cells, uint32 record, SdcNightCount *count)
{
	count->members++;
	count->pending += cells->mate[record] == SDC_CONTINUED_PENDING;
	count->widows += cells->mate[record] == SDC_CONTINUED_WIDOW;
	count->recent += (cells->flags[record] & SDC_CONTINUED_NEW) != 0;
	count->waiting = count->pending;
}

/* count_all counts the cells of all records. */
static SdcNightCount
count_all(const SdcContinued *cells)
{
	SdcNightCount		count = {0};

	for (uint32 r = 0; r < cells->records; r++)
		count_cell(cells, r, &count);
	return count;
}

/* count_once counts a unit, unless it was the last one that was counted. */
static inline void
count_once(uint32 unit, uint32 *last, uint32 *count)
{
	*count += *last != unit;
	*last = unit;
}

/* count_units counts the cells in every stratum, and the units that they are of. */
static void
count_units(SdcNightCells *cells)
{
	const SdcNight *night = cells->night;
	SdcNightCount *last = palloc(sizeof(SdcNightCount) * night->strata);

	memset(last, 0xFF, sizeof(SdcNightCount) * night->strata);
	for (uint32 i = 0; i < cells->records; i++)
	{
		uint32		r = night->units->member[i];
		uint32		unit = night->units->of[r];
		uint32		s = night->stratum == NULL ? 0 : night->stratum[r];
		SdcNightCount *count = &cells->counts[s];

		sdc_interrupts_step(i);
		count_once(unit, &last[s].members, &count->members);
		count->widows += cells->cells.mate[r] == SDC_CONTINUED_WIDOW;
		if (cells->cells.mate[r] == SDC_CONTINUED_PENDING)
		{
			count->pending++;
			count_once(unit, &last[s].waiting, &count->waiting);
		}
		if ((cells->cells.flags[r] & SDC_CONTINUED_NEW) != 0)
			count_once(unit, &last[s].recent, &count->recent);
	}
	pfree(last);
}

/* count_cells counts what waits in every stratum. */
static void
count_cells(SdcNightCells *cells)
{
	const SdcNight *night = cells->night;
	SdcContinuation   *continuation = &cells->attribute->continuation;

	cells->counts = palloc0(sizeof(SdcNightCount) * night->strata);
	if (night->units != NULL)
		count_units(cells);
	else if (night->stratum == NULL)
		cells->counts[0] = count_all(&cells->cells);
	for (uint32 r = 0; night->units == NULL && night->stratum != NULL && r < cells->records; r++)
		count_cell(&cells->cells, r, &cells->counts[night->stratum[r]]);
	for (uint32 s = 0; s < night->strata; s++)
	{
		cells->counts[s].departures = sdc_nightplan_departures(cells->step, cells->counts[s].members);
		continuation->pending += cells->counts[s].pending;
		continuation->widows += cells->counts[s].widows;
	}
}

/* has_lot tells whether a lot of some stratum is full. */
static bool
has_lot(const SdcNightCells *cells)
{
	const SdcLots *lots = &cells->step->lot;

	for (uint32 s = 0; s < cells->night->strata; s++)
	{
		const SdcNightCount *count = &cells->counts[s];

		if ((count->waiting > 0 && count->waiting >= lots->changes) ||
			(count->widows > 0 && (cells->due || count->recent >= count->departures)) ||
			cells->night->plan.stratum[s].settle)
			return true;
	}
	return false;
}

/* load_originals loads the originals to the arena, which has room for more behind them. */
static void
load_originals(SdcNightCells *cells, uint64 more)
{
	uint64		size = sdc_column_loaded_size(cells->original);

	reserve_arena(cells, sdc_arena_bytes(size, 1) + more);
	cells->values = sdc_column_load(cells->original, sdc_arena_take(cells->arena, size, 1));
}

/* take_swaps makes the swaps of the first night mates. */
static void
take_swaps(SdcNightCells *cells, const uint32 *donor)
{
	sdc_continued_clear(&cells->cells);
	for (uint32 r = 0; r < cells->records; r++)
	{
		if (donor[r] > r)
			sdc_continued_swap(&cells->cells, r, donor[r]);
		cells->first_drawn += donor[r] != r;
	}
}

/* lots_memory returns the bytes of the arena that an ordering takes with what lots work with behind it. */
static uint64
lots_memory(const SdcNightCells *cells, const SdcOrderingTask *task)
{
	return sdc_ordering_result_memory(task) + sdc_arena_bytes(sdc_continued_work_memory(cells->records), 1);
}

/*
 * sort_originals orders the originals, and swaps them on the first night.  What has no sort key is loaded for it; all
 * others are when the sort has given its memory back, if they are needed.
 */
static SdcOrdering *
sort_originals(SdcNightCells *cells)
{
	SdcOrderingTask task = task_of(cells, cells->original);
	bool		by_key = task.type->key != SDC_KEY_NONE;
	uint64		needed = cells->column->begins ? sdc_swap_donors_memory(&task) : sdc_ordering_memory(&task);
	SdcOrdering *ordering;

	if (by_key)
		reserve_arena(cells, Max(needed, lots_memory(cells, &task)));
	else
		load_originals(cells, needed);
	if (cells->column->begins)
		take_swaps(cells, sdc_swap_donors(&task, cells->values, cells->method, &ordering));
	else
		ordering = sdc_ordering_build(&task, cells->values);
	if (by_key)
		cells->arena->used = sdc_ordering_result_memory(&task);
	return ordering;
}

/* sort_and_draw draws the lots of the column, or on the first night swaps it. */
static void
sort_and_draw(SdcNightCells *cells, bool draw)
{
	SdcOrdering *ordering = sort_originals(cells);

	draw_lots(cells, ordering, draw);
}

/* begin_swaps makes the column of the first night. */
static void
begin_swaps(SdcNightCells *cells)
{
	cells->original = cells->attribute->column;
	cells->attribute->column = NULL;
	sort_and_draw(cells, false);
	if (cells->values == NULL)
		load_originals(cells, 0);
	cells->attribute->continuation.drawn = cells->first_drawn;
	cells->column->first_beyond = cells->attribute->continuation.beyond = cells->column->beyond;
}

/* needs_values tells whether some cell gets another original value. */
static bool
needs_values(const SdcNightCells *cells)
{
	for (uint32 r = 0; r < cells->records; r++)
		if (cells->cells.moved[r] && cells->cells.mate[r] != SDC_CONTINUED_PENDING)
			return true;
	return false;
}

/* continue_swaps makes that of a later night. */
static void
continue_swaps(SdcNightCells *cells)
{
	SdcContinuation   *continuation = &cells->attribute->continuation;
	uint64		widows;
	bool		lot;

	carry_over(cells);
	count_cells(cells);
	lot = has_lot(cells);
	widows = continuation->widows;
	if (lot)
	{
		continuation->pending = continuation->widows = 0;
		sort_and_draw(cells, true);
	}
	if (cells->values == NULL && needs_values(cells))
		load_originals(cells, 0);
	continuation->largest = cells->column->largest;
	continuation->beyond = cells->column->beyond;
	/* one widow that may not stay gets its own value, and draws nothing */
	cells->differs = continuation->drawn > 0 || cells->change_count > 0 || continuation->widows != widows;
}

/* Original values of mates lie at random places, and are fetched this many records ahead of their use. */
#define PREFETCH_RECORDS 24

/* value_ahead is where the value lies that a record some places ahead gets, to be prefetched, or another one. */
static inline const Datum *
value_ahead(const SdcContinued *cells, uint32 record, const Datum *values)
{
	uint32		ahead = cells->records - record > PREFETCH_RECORDS ? record + PREFETCH_RECORDS : record;

	return &values[cells->moved[ahead] && sdc_continued_paired(cells->mate[ahead]) ? cells->mate[ahead] : record];
}

/* What is released of a column, being made. */
typedef struct Releasing
{
	SdcColumnReader *original;	/* NULL: all have a value, and are loaded */
	SdcColumnReader *before;	/* what the release had; NULL on the first night */
	uint32		next;			/* member that comes next in it */
	SdcColumn  *result;
	SdcChecksum sum;			/* of what is released */
	uint64		changed;		/* cells that do not have their own values */
	uint64		stayed;			/* cells that have what they had */
} Releasing;

/* refuse_values raises the error about cells that have, or lack, a value in spite of what the state says. */
sdc_noreturn static void
refuse_values(const SdcNightCells *cells)
{
	sdc_night_refuse(cells->night, "The state pairs records without values.");
}

/* released_value tells what a record has in the release that has another value there tonight. */
static bool
released_value(const SdcNightCells *cells, uint32 record, bool own_valid, Datum own, Datum *value)
{
	uint32		mate = cells->cells.mate[record];

	*value = sdc_continued_paired(mate) ? cells->values[mate] : own;
	return own_valid && mate != SDC_CONTINUED_PENDING;
}

/* release_cell releases a cell. */
static inline void
release_cell(const SdcNightCells *cells, Releasing *releasing, uint32 record)
{
	uint32		mate = cells->cells.mate[record];
	uint32		member = releasing->before == NULL ? SDC_CONTINUED_NOBODY : cells->night->plan.member[record];
	Datum		own;
	Datum		value = (Datum) 0;
	bool		own_valid = true;
	bool		valid = false;

	if (releasing->original == NULL)
		own = cells->values[record];
	else
		own_valid = sdc_column_next(releasing->original, &own);
	for (; member != SDC_CONTINUED_NOBODY && releasing->next <= member; releasing->next++)
		valid = sdc_column_next(releasing->before, &value);
	if (member == SDC_CONTINUED_NOBODY || (cells->cells.moved[record] && mate != SDC_CONTINUED_WIDOW))
	{
		Datum		old = value;
		bool		old_valid = valid;

		valid = released_value(cells, record, own_valid, own, &value);
		releasing->stayed += member != SDC_CONTINUED_NOBODY &&
			!sdc_night_differ(cells->attribute, valid, value, old_valid, old);
	}
	else
		releasing->stayed++;
	if (mate != SDC_CONTINUED_ALONE && (!own_valid || valid == (mate == SDC_CONTINUED_PENDING)))
		refuse_values(cells);
	sdc_column_append(releasing->result, value, !valid);
	sdc_type_checksum(&cells->attribute->type, &releasing->sum, value, !valid);
	releasing->changed += sdc_night_differ(cells->attribute, valid, value, own_valid, own);
	if (mate == SDC_CONTINUED_WIDOW || mate == SDC_CONTINUED_PENDING)
		sdc_column_append(cells->kept, own, false);
}

/*
 * release_same releases the cells from a record on that have what they had, as most do, if their values are numbers of
 * so many bytes that lie at hand.  It returns how many there are.
 */
static pg_attribute_always_inline uint32
release_same(const SdcNightCells *cells, Releasing *releasing, uint32 record, int16 bytes)
{
	SdcType    *type = &cells->attribute->type;
	const uint32 *member = cells->night->plan.member + record;
	const uint32 *mate = cells->cells.mate + record;
	const bool *moved = cells->cells.moved + record;
	SdcColumnReader *original = releasing->original;
	const char *owns = original == NULL ? NULL : original->next;
	const char *values = releasing->before->next;
	char	   *place = releasing->result->place;
	SdcChecksum sum = releasing->sum;
	uint32		most = Min(Min(original == NULL ? UINT32_MAX : original->plain, releasing->before->plain),
						   Min(releasing->result->room, cells->records - record));
	uint64		changed = 0;
	uint32		i;

	for (i = 0; i < most && member[i] == releasing->next + i && !moved[i] && sdc_continued_paired(mate[i]); i++)
	{
		Datum		value = fetch_att(values + (Size) i * bytes, true, bytes);
		Datum		own;

		if (cells->values != NULL)
			__builtin_prefetch(value_ahead(&cells->cells, record + i, cells->values));
		store_att_byval(place + (Size) i * bytes, value, bytes);
		sdc_checksum_word(&sum, (uint64) value);	/* a number of so many bytes is its word */
		own = original == NULL ? cells->values[record + i] : fetch_att(owns + (Size) i * bytes, true, bytes);
		changed += !sdc_type_equal(type, value, own);
	}
	releasing->sum = sum;
	releasing->changed += changed;
	releasing->stayed += i;
	releasing->next += i;
	if (original != NULL)
		sdc_column_read_plain(original, i);
	sdc_column_read_plain(releasing->before, i);
	sdc_column_wrote_plain(releasing->result, i);
	return i;
}

/* release_many releases cells from a record on of which many are alike, and returns how many. */
static uint32
release_many(const SdcNightCells *cells, Releasing *releasing, uint32 record)
{
	/* known sizes, which the loop is compiled for */
	switch (releasing->before == NULL ? 0 : sdc_type_plain_bytes(&cells->attribute->type))
	{
		case sizeof(int32):
			return release_same(cells, releasing, record, sizeof(int32));
		case sizeof(int64):
			return release_same(cells, releasing, record, sizeof(int64));
		default:
			return 0;
	}
}

/* release_cells makes the column of the release, and that of the originals that it does not tell. */
static void
release_cells(SdcNightCells *cells)
{
	SdcAttribute *attribute = cells->attribute;
	bool		loaded = cells->values != NULL && sdc_column_null_count(cells->original) == 0;
	Releasing	releasing = {.original = loaded ? NULL : sdc_column_open(cells->original),
		.result = sdc_column_successor(cells->original, cells->spool, attribute->type.typid),
	.sum = {SDC_CHECKSUM_INIT}};
	int			nest = sdc_type_pin_settings();
	uint32		told = 0;

	cells->kept = sdc_column_create(cells->spool, attribute->type.typid);
	if (cells->before != NULL)
		releasing.before = sdc_column_open(cells->before);
	for (uint32 r = 0; r < cells->records; r++)
	{
		if (r >= told)
		{
			CHECK_FOR_INTERRUPTS();
			sdc_progress_records(r);
			told = r + 4096;
		}
		r += release_many(cells, &releasing, r);
		if (r == cells->records)
			break;
		if (cells->values != NULL)
			__builtin_prefetch(value_ahead(&cells->cells, r, cells->values));
		release_cell(cells, &releasing, r);
	}
	sdc_column_finish(releasing.result);
	sdc_column_finish(cells->kept);
	if (!loaded)
		sdc_column_close(releasing.original);
	AtEOXact_GUC(true, nest);
	if (cells->before != NULL)
	{
		sdc_column_close(releasing.before);
		sdc_column_destroy(cells->before);
	}
	cells->column->summed = true;
	cells->column->sum = releasing.sum.state;
	attribute->changed = releasing.changed;
	attribute->continuation.kept = releasing.stayed;
	attribute->column = releasing.result;
}

/* count_within counts the records that are swapped with another one of their unit. */
static void
count_within(SdcNightCells *cells)
{
	const uint32 *unit = cells->night->units->of;
	uint64		within = 0;

	for (uint32 r = 0; r < cells->records; r++)
	{
		uint32		mate = cells->cells.mate[r];

		sdc_interrupts_step(r);
		within += sdc_continued_paired(mate) && unit[mate] == unit[r];
	}
	cells->attribute->counted_within = true;
	cells->attribute->within_unit = within;
}

/* sdc_nightcolumn_protect: see nightcolumn.h. */
void
sdc_nightcolumn_protect(SdcNightCells *cells)
{
	memset(&cells->attribute->continuation, 0, sizeof(SdcContinuation));
	if (cells->column->begins)
		begin_swaps(cells);
	else
		continue_swaps(cells);
	Assert(sdc_continued_check(&cells->cells));
	release_cells(cells);
	if (cells->night->units != NULL)
		count_within(cells);
	sdc_column_destroy(cells->original);
	cells->packed = sdc_continued_pack(cells->cells.mate, cells->records);
}

/* sdc_nightcolumn_memory: see nightcolumn.h.  In the arena, and beside it. */
uint64
sdc_nightcolumn_memory(const SdcNightCells *cells)
{
	SdcOrderingTask task = task_of(cells, cells->original == NULL ? cells->attribute->column : cells->original);
	uint64		ordering = cells->column->begins ? sdc_swap_donors_memory(&task) : sdc_ordering_memory(&task);
	uint64		values = sdc_column_loaded_size(task.column);
	uint64		marks = sdc_nightmarks_words(cells->column) * sizeof(uint32);
	uint64		most = task.type->key != SDC_KEY_NONE ? Max(Max(ordering, values), lots_memory(cells, &task)) :
		values + ordering + sdc_continued_work_memory(cells->records) + sdc_column_count(task.column) * sizeof(bool);

	if (!cells->column->begins)
		most = Max(most, sdc_continued_unpack_memory(cells->night->members) + marks);
	return Max(most, cells->arena->size) + cells->taken;
}
