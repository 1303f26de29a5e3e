/*-------------------------------------------------------------------------
 *
 * windowswap.c
 *		Rank swapping of the values of one partition of a window.
 *
 * The partition is collected once, in order: a random access costs its distance as
 * soon as the partition is spilled.
 *
 * Partitions must not share their draws, and a window function does not know
 * which partition it is in.  So the stream is named by a checksum of the
 * partition's values.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "method/swaptable.h"
#include "method/windowswap.h"
#include "miscadmin.h"
#include "relation/base/memory.h"
#include "utils/guc.h"
#include "utils/memutils.h"

/* What memory is asked for. */
#define USE "a partition of a window function"

/* The budget is looked at, and a cancel, once in this many rows. */
#define CHECK_ROWS 256

/*
 * collect_values collects the values of all rows.  The server evaluates a value in the
 * current context, and leaves there whatever it needed.
 */
static SdcColumn *
collect_values(const SdcWindowSwap *window, SdcSpool *spool)
{
	const SdcType *type = window->type;
	SdcColumn  *column = sdc_column_create(spool, type->typid);
	MemoryContext scratch = AllocSetContextCreate(CurrentMemoryContext, "sdc window argument",
												  ALLOCSET_DEFAULT_SIZES);
	MemoryContext old = MemoryContextSwitchTo(scratch);

	if (window->rows > PG_INT32_MAX)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("a partition has more than %d rows", PG_INT32_MAX)));
	for (int64 i = 0; i < window->rows; i++)
	{
		bool		isnull;
		Datum		value = window->value(window->arg, (int) i, &isnull);

		if (!isnull && type->typlen == -1)
			value = PointerGetDatum(PG_DETOAST_DATUM_PACKED(value));
		sdc_column_append(column, value, isnull);
		MemoryContextReset(scratch);
		if (i % CHECK_ROWS == 0)
		{
			CHECK_FOR_INTERRUPTS();
			sdc_memory_require(sdc_spool_memory(spool), USE);
		}
	}
	sdc_column_finish(column);
	MemoryContextSwitchTo(old);
	MemoryContextDelete(scratch);
	return column;
}

/* values_checksum returns a checksum of the values. */
static uint64
values_checksum(SdcColumn *column, SdcType *type)
{
	SdcChecksum sum = {SDC_CHECKSUM_INIT};
	SdcColumnReader *reader = sdc_column_open(column);
	int			nest = type->sum == SDC_SUM_TEXT ? sdc_type_pin_settings() : 0;

	for (uint64 r = 0; r < sdc_column_count(column); r++)
	{
		Datum		value;
		bool		valid = sdc_column_next(reader, &value);

		sdc_type_checksum(type, &sum, value, !valid);
	}
	if (type->sum == SDC_SUM_TEXT)
		AtEOXact_GUC(true, nest);
	sdc_column_close(reader);
	return sum.state;
}

/* sdc_windowswap_open protects a partition. */
SdcColumnReader *
sdc_windowswap_open(const SdcWindowSwap *window)
{
	SdcSpool   *spool = sdc_spool_create(UINT64_MAX, 2);
	SdcSwapMethod method = sdc_swaptable_get(window->kind, &window->parameters);
	SdcOrderingTask task = {0};
	SdcArena	arena = {0};
	SdcColumnReader *reader;
	char		name[32];
	uint64		changed;

	task.column = collect_values(window, spool);
	task.type = window->type;
	task.random = sdc_random_create(window->seed(window->arg), method.name);
	snprintf(name, sizeof(name), "window " UINT64_FORMAT,
			 values_checksum(task.column, window->type));
	task.attribute = name;
	task.arena = &arena;
	sdc_memory_require(sdc_swap_memory(&task) + 2 * sdc_spool_memory(spool), USE);
	reader = sdc_column_open(sdc_swap_in_memory(&task, spool, &method, &changed));
	sdc_arena_free(&arena);
	return reader;
}
