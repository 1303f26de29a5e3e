/*-------------------------------------------------------------------------
 *
 * memory.h
 *		The memory budget of one call, and sizes that cannot overflow.
 *
 * A call may use maintenance_work_mem.  Whoever wants a large array asks the
 * budget first; what does not fit goes through tuplesort and temporary files,
 * or is an error that names the memory needed and the memory allowed.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_MEMORY_H
#define SDC_RELATION_MEMORY_H

#include "miscadmin.h"
#include "utils/memutils.h"

/* Bytes that one call may use: maintenance_work_mem. */
static inline uint64
sdc_memory_budget(void)
{
	return (uint64) maintenance_work_mem * 1024;
}

/* What is left of them when so many are used. */
static inline uint64
sdc_memory_left(uint64 used)
{
	uint64		budget = sdc_memory_budget();

	return budget - Min(budget, used);
}

/* A workMem argument for tuplesort, in kB, of a share of the budget. */
static inline int
sdc_memory_sort_share(int parts)
{
	return Max(64, maintenance_work_mem / parts);
}

/* count * size bytes, of any size the machine can have. */
static inline void *
sdc_memory_array(uint64 count, Size size)
{
	if (count > (uint64) MaxAllocHugeSize / Max(size, 1))
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("an array of " UINT64_FORMAT " elements of %zu bytes is too large",
						count, size)));
	return MemoryContextAllocHuge(CurrentMemoryContext, Max(count * size, 1));
}

extern void sdc_memory_require(uint64 needed, const char *what);

/*
 * An arena: one piece of memory that is taken and given back like a stack, and used
 * again for attribute after attribute.  Fresh memory from the operating system
 * costs about as much as the sort that it is for.
 */
typedef struct SdcArena
{
	char	   *base;
	uint64		size;
	uint64		used;
} SdcArena;

/* sdc_arena_reserve empties the arena and makes it at least size bytes large. */
extern void sdc_arena_reserve(SdcArena *arena, uint64 size);

/* sdc_arena_free gives the arena's memory back. */
extern void sdc_arena_free(SdcArena *arena);

/* sdc_arena_take returns count * size bytes, which must have been reserved. */
extern void *sdc_arena_take(SdcArena *arena, uint64 count, Size size);

/* sdc_arena_bytes is what an array takes of an arena. */
static inline uint64
sdc_arena_bytes(uint64 count, Size size)
{
	return MAXALIGN64(count * size);
}

#endif							/* SDC_RELATION_MEMORY_H */
