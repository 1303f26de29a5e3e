/*-------------------------------------------------------------------------
 *
 * memory.h
 *		The memory budget of one call, and sizes that cannot overflow.
 *
 * A call may use maintenance_work_mem.  What does not fit goes to temporary files: columns through their spool
 * (column.h), sorts through tuplesort, and every large array to a file that is mapped (largearray.h), unless
 * temp_file_limit does not allow it, which is an error of the allocation.  So an array whose size grows with the
 * records, groups or distinct values is allocated here, or by a kernel, and never by palloc; and it is freed by
 * sdc_free, or with its context.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_MEMORY_H
#define SDC_RELATION_MEMORY_H

#include "kernel/base/kernel_env.h"
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

/* What a kernel that does with any amount may take beside so many bytes, which may be in files: at least half. */
static inline uint64
sdc_memory_share(uint64 used)
{
	return Max(sdc_memory_left(used), sdc_memory_budget() / 2);
}

/* sdc_memory_held is how many bytes all large arrays of this process take, in memory and in temporary files. */
extern uint64 sdc_memory_held(void);

/* sdc_memory_allowed is what may be taken besides, in memory and in temporary files. */
extern uint64 sdc_memory_allowed(void);

/* A workMem argument for tuplesort, in kB, of a share of the budget. */
static inline int
sdc_memory_sort_share(int parts)
{
	return Max(64, maintenance_work_mem / parts);
}

/* count * size bytes, of any size the machine can have; freed by sdc_free. */
static inline void *
sdc_memory_array(uint64 count, Size size)
{
	if (count > (uint64) MaxAllocHugeSize / Max(size, 1))
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("an array of " UINT64_FORMAT " elements of %zu bytes is too large",
						count, size)));
	return sdc_alloc(count * size);
}

/* sdc_memory_array_in allocates an array in a context. */
static inline void *
sdc_memory_array_in(MemoryContext context, uint64 count, Size size)
{
	MemoryContext old = MemoryContextSwitchTo(context);
	void	   *array = sdc_memory_array(count, size);

	MemoryContextSwitchTo(old);
	return array;
}

/* sdc_memory_zeros allocates an array of zero bytes. */
static inline void *
sdc_memory_zeros(uint64 count, Size size)
{
	return memset(sdc_memory_array(count, size), 0, count * size);
}

/* sdc_memory_grow returns an array with room for more, or fewer, in place of one that has so many, or of NULL. */
extern void *sdc_memory_grow(MemoryContext context, void *array, uint64 count, uint64 space, Size size);

/* sdc_memory_trim gives back to the operating system what was freed in small pieces, if the C library can do that. */
extern void sdc_memory_trim(void);

/*
 * Small pieces that are kept, one for every group or distinct value: they lie together in large arrays, each a quarter
 * as large as all before, which belong to the memory context of the call that made them.  Zeros are an empty one.
 */
typedef struct SdcKept
{
	char	   *block;			/* where the next one goes */
	uint64		room;			/* bytes left there */
	uint64		bytes;			/* of all blocks */
} SdcKept;

/* sdc_memory_keep copies some bytes to what is kept, aligned for anything, and returns the copy. */
extern void *sdc_memory_keep(SdcKept *kept, const void *data, Size size);

/* sdc_memory_require raises an error when needed bytes exceed the budget: what cannot be in large arrays. */
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
