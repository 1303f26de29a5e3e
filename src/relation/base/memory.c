/*-------------------------------------------------------------------------
 *
 * memory.c
 *		The memory budget of one call, and sizes that cannot overflow.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "relation/base/largearray.h"
#include "relation/base/memory.h"
#include "utils/guc.h"

/* The blocks of small pieces that are kept are at least and at most so large, unless a piece is larger. */
#define KEPT_FIRST ((uint64) 64 * 1024)
#define KEPT_MOST ((uint64) 8 * 1024 * 1024)

/* sdc_memory_require raises an error when needed bytes exceed the budget. */
void
sdc_memory_require(uint64 needed, const char *what)
{
	uint64		budget = sdc_memory_budget();

	if (needed <= budget)
		return;
	ereport(ERROR,
			(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
			 errmsg("%s needs " UINT64_FORMAT " MB of memory, and " UINT64_FORMAT " MB are allowed",
					what, needed / (1024 * 1024) + 1, budget / (1024 * 1024)),
			 errhint("Increase maintenance_work_mem.")));
}

/* sdc_memory_allowed: see memory.h. */
uint64
sdc_memory_allowed(void)
{
	uint64		most = sdc_memory_budget() + (uint64) Max(temp_file_limit, 0) * 1024;

	return temp_file_limit < 0 ? PG_INT64_MAX : most - Min(most, sdc_memory_held());
}

/* sdc_memory_grow: see memory.h. */
void *
sdc_memory_grow(MemoryContext context, void *array, uint64 count, uint64 space, Size size)
{
	void	   *grown;

	if (array != NULL && space <= count && sdc_largearray_shrink(array, space * size))
		return array;
	grown = sdc_memory_array_in(context, space, size);
	if (array != NULL)
	{
		memcpy(grown, array, Min(count, space) * size);
		sdc_free(array);
	}
	return grown;
}

/* sdc_memory_trim: see memory.h. */
void
sdc_memory_trim(void)
{
#ifdef __GLIBC__
	(void) malloc_trim(0);
#endif
}

/* sdc_arena_free gives the arena's memory back. */
void
sdc_arena_free(SdcArena *arena)
{
	if (arena->base != NULL)
		sdc_free(arena->base);
	memset(arena, 0, sizeof(SdcArena));
}

/* sdc_memory_keep: see memory.h. */
void *
sdc_memory_keep(SdcKept *kept, const void *data, Size size)
{
	char	   *place;

	if (MAXALIGN(size) > kept->room)
	{
		kept->room = Max(MAXALIGN(size), Min(KEPT_MOST, Max(KEPT_FIRST, kept->bytes / 4)));
		kept->block = sdc_memory_array(kept->room, 1);
		kept->bytes += kept->room;
	}
	place = kept->block;
	memcpy(place, data, size);
	kept->block += MAXALIGN(size);
	kept->room -= MAXALIGN(size);
	return place;
}

/* sdc_arena_reserve empties the arena and makes it at least size bytes large. */
void
sdc_arena_reserve(SdcArena *arena, uint64 size)
{
	arena->used = 0;
	if (size <= arena->size)
		return;
	sdc_arena_free(arena);
	arena->base = sdc_memory_array(size, 1);
	arena->size = size;
}

/* sdc_arena_take returns a part of the arena; giving it back is setting used. */
void *
sdc_arena_take(SdcArena *arena, uint64 count, Size size)
{
	uint64		bytes = sdc_arena_bytes(count, size);
	void	   *part = arena->base + arena->used;

	if (bytes > arena->size - arena->used)
		elog(ERROR, "memory for sorting was not reserved");
	arena->used += bytes;
	return part;
}
