/*-------------------------------------------------------------------------
 *
 * nightswap.c
 *		One night of the columns that a rank swapping step continues.
 *
 * What the session does for every column: it finds the original values, reads the state, and writes the next one.
 *
 * The original values are those of members as they were last published or, where a lot of changed ones is full, as
 * they are; and those of records that join, as they are.  They are the column of the source, but for the few values of
 * members that wait to be shown.
 *
 * What comes of a column (nightcolumn.c) is found by the session or by a worker (nightjobs.c).
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "method/continued/nightchanges.h"
#include "method/continued/nightcolumn.h"
#include "method/continued/nightjobs.h"
#include "method/continued/nightmarks.h"
#include "method/continued/nightoriginals.h"
#include "method/continued/nightswap.h"
#include "relation/base/memory.h"
#include "relation/base/progress.h"
#include "utils/fmgrprotos.h"

/* A column of the step. */
typedef struct Column
{
	SdcNightCells cells;
	uint32		change_space;
	MemoryContext context;		/* of its own */
} Column;

/* note_change notes that the original value of a record changes. */
static void
note_change(Column *column, uint32 record, SdcContinuedChange change)
{
	SdcNightCells *cells = &column->cells;

	if (cells->change_count == column->change_space)
	{
		column->change_space = Max(64, 2 * column->change_space);
		cells->changes = cells->changes == NULL ? palloc(sizeof(SdcNightChange) * column->change_space) :
			repalloc_huge(cells->changes, sizeof(SdcNightChange) * (Size) column->change_space);
	}
	cells->changes[cells->change_count++] = (SdcNightChange) {record, change};
}

/* note_changes notes which changes are shown tonight, and tells whether any values stay that the source has not. */
static bool
note_changes(Column *column)
{
	const SdcNight *night = column->cells.night;
	SdcColumn  *changes = column->cells.column->changes;
	uint64		count = sdc_column_count(changes);
	SdcColumnReader *reader = sdc_column_open(changes);

	for (uint64 i = 0; i < count; i++)
	{
		Datum		change;
		uint32		record;

		(void) sdc_column_next(reader, &change);
		record = night->plan.number[sdc_nightchange_member(change)];
		if (sdc_nightchange_kind(change) != SDC_NIGHT_OTHER_BYTES && sdc_night_settles(night, record))
			note_change(column, record, (SdcContinuedChange) sdc_nightchange_kind(change));
	}
	sdc_column_close(reader);
	return column->cells.change_count < count;
}

/* find_originals finds tonight's original values. */
static void
find_originals(Column *column)
{
	SdcNightCells *cells = &column->cells;
	SdcNightColumn *known = cells->column;

	cells->original = cells->attribute->column;
	if (known->changes != NULL)
	{
		if (note_changes(column))
		{
			cells->original = sdc_nightoriginals_patch(cells->night, known, cells->attribute->column, cells->spool);
			sdc_column_destroy(cells->attribute->column);
		}
		sdc_column_destroy(known->changes);
		sdc_column_destroy(known->was);
		known->changes = known->was = NULL;
	}
	cells->attribute->column = NULL;
}

/* is_due tells whether old values have stayed long enough. */
static bool
is_due(const SdcNightCells *cells)
{
	const Interval *within = cells->step->continuing->erase_within;

	return within != NULL && cells->column->widows_since != 0 &&
		DatumGetTimestampTz(DirectFunctionCall2(timestamptz_pl_interval,
												TimestampTzGetDatum(cells->column->widows_since),
												IntervalPGetDatum(within))) <= cells->night->now;
}

/* prepare finds what a column needs on a later night, but for what the state says of each cell. */
static void
prepare(Column *column)
{
	SdcNightCells *cells = &column->cells;
	SdcAttribute *released = sdc_night_released(cells->night, cells->column);

	find_originals(column);
	cells->before = released->column;
	released->column = NULL;
	cells->due = is_due(cells);
}

/* read_state reads what the state says of the cells. */
static void
read_state(SdcNightCells *cells)
{
	uint64		mates = sdc_nightoriginals_mate_count(cells->night, cells->column);
	uint64		marks = sdc_nightmarks_words(cells->column);
	uint32	   *words = sdc_nightcolumn_scratch(cells, mates + marks, sizeof(uint32));

	sdc_nightoriginals_read(cells->night, cells->column, words, words + mates, cells->attribute->type.typid,
							cells->spool);
	cells->mates = (SdcContinuedPacked) {cells->night->members, words, (uint32) mates};
	cells->marks = words + mates;
}

/* keep_state writes the state of the column. */
static void
keep_state(SdcNightCells *cells)
{
	SdcNight   *night = cells->night;
	SdcNightColumn *column = cells->column;
	SdcContinuation   *continuation = &cells->attribute->continuation;

	cells->attribute->continued = true;
	night->differs |= cells->differs;
	sdc_privatestate_put_column(night->next, column->stream + SDC_NIGHTSWAP_ORIGINAL, cells->kept);
	sdc_column_destroy(cells->kept);
	column->marks = sdc_nightmarks_count(&cells->cells);
	sdc_nightmarks_keep(night, column, &cells->cells,
						sdc_nightcolumn_scratch(cells, sdc_nightmarks_words(column), sizeof(uint32)));
	sdc_privatestate_put_words(night->next, column->stream + SDC_NIGHTSWAP_MATE, cells->cells.mate, cells->packed,
							   cells->records);
	if (continuation->pending == 0)
		column->pending_since = 0;
	else if (column->pending_since == 0)
		column->pending_since = night->now;
	if (continuation->widows == 0 || cells->relieved)
		column->widows_since = 0;
	if (continuation->widows > 0 && column->widows_since == 0)
		column->widows_since = night->now;
	continuation->waiting = continuation->pending + night->arrived;
	sdc_progress_next();
}

/* limit_spools gives what a column leaves of the memory to the values of others, in the source and the release. */
static void
limit_spools(const SdcNightCells *cells)
{
	uint64		left = Max(sdc_memory_budget() / 16, sdc_memory_left(sdc_nightcolumn_memory(cells)) / 2);

	sdc_spool_set_limit(cells->spool, left);
	if (cells->night->released_spool != NULL)
		sdc_spool_set_limit(cells->night->released_spool, left);
}

/* protect_column continues a column in this process. */
static void
protect_column(Column *column)
{
	MemoryContext old = MemoryContextSwitchTo(column->context);
	SdcNightCells *cells = &column->cells;

	limit_spools(cells);
	if (!cells->column->begins && !cells->shared)
		read_state(cells);
	sdc_nightcolumn_protect(cells);
	keep_state(cells);
	MemoryContextSwitchTo(old);
	MemoryContextReset(column->context);
}

/* take_column takes what a worker has made of a column. */
static void
take_column(SdcNightJobs *jobs, int place, Column *column)
{
	MemoryContext old = MemoryContextSwitchTo(column->context);

	sdc_nightjobs_wait(jobs, place);
	keep_state(&column->cells);
	MemoryContextSwitchTo(old);
	MemoryContextReset(column->context);
}

/* collect_columns lists the columns of a step, each with a memory context of its own. */
static int
collect_columns(Column *columns, const SdcNightCells *common, SdcSource *source)
{
	SdcNight   *night = common->night;
	int			count = 0;

	for (int i = 0; i < source->attribute_count; i++)
	{
		SdcAttribute *attribute = &source->attributes[i];
		Column	   *column = &columns[count];

		if (!sdc_step_is_of(common->step, attribute))
			continue;
		*column = (Column) {.cells = *common};
		column->cells.attribute = attribute;
		column->cells.column = &night->column[i];
		column->context = AllocSetContextCreate(CurrentMemoryContext, "sdc night", ALLOCSET_DEFAULT_SIZES);
		count++;
	}
	return count;
}

/* prepare_columns prepares all columns on a later night, and has workers do some, if lots are drawn for sure. */
static SdcNightJobs *
prepare_columns(Column *columns, int count)
{
	const SdcNight *night = columns[0].cells.night;
	SdcNightCells **cells = palloc(sizeof(SdcNightCells *) * count);
	bool		draws = false;

	if (night->first)
		return NULL;
	for (int i = 0; i < count; i++)
	{
		MemoryContext old = MemoryContextSwitchTo(columns[i].context);

		if (!columns[i].cells.column->begins)
			prepare(&columns[i]);
		cells[i] = &columns[i].cells;
		MemoryContextSwitchTo(old);
	}
	for (uint32 s = 0; s < night->strata; s++)
		draws |= night->plan.stratum[s].settle || night->plan.stratum[s].join;
	return draws ? sdc_nightjobs_begin(cells, count) : NULL;
}

/* protect_columns continues all columns: first those that no worker has. */
static void
protect_columns(Column *columns, int count)
{
	SdcNightJobs *jobs = prepare_columns(columns, count);
	bool	   *done = palloc0(sizeof(bool) * count);

	for (int i = 0; i < count; i++)
		if (!columns[i].cells.shared)
		{
			protect_column(&columns[i]);
			done[i] = true;
		}
	/* the last ones: workers begin with the first */
	for (int i = count - 1; i >= 0; i--)
		if (!done[i] && sdc_nightjobs_take(jobs, i))
		{
			protect_column(&columns[i]);
			done[i] = true;
		}
	for (int i = 0; i < count; i++)
		if (!done[i])
			take_column(jobs, i, &columns[i]);
	sdc_nightjobs_end(jobs);
}

/* sdc_nightswap_protect: see nightswap.h. */
void
sdc_nightswap_protect(SdcMethodStep *step, SdcSource *source, SdcSpool *spool, SdcRandom *random)
{
	SdcArena	arena = {0};
	SdcNightCells common = {.step = step, .method = step->arguments, .night = step->night, .source = source,
		.spool = spool, .random = random, .arena = &arena, .records = (uint32) source->records,
	.arena_context = CurrentMemoryContext};
	Column	   *columns = palloc(sizeof(Column) * Max(source->attribute_count, 1));
	int			count;

	common.taken = step->night->memory + sdc_continued_memory(common.records);
	sdc_continued_create(&common.cells, common.records);
	count = collect_columns(columns, &common, source);
	if (count > 0)
		protect_columns(columns, count);
	for (int i = 0; i < count; i++)
		MemoryContextDelete(columns[i].context);
	sdc_continued_destroy(&common.cells);
	sdc_arena_free(&arena);
}
