/*-------------------------------------------------------------------------
 *
 * largearray.c
 *		Large arrays: in memory as long as the budget lasts, then in temporary files.
 *
 * A file is preallocated before it is mapped, so that a full disk is an error of the allocation, and not a
 * signal when the array is used.  It is closed, and so deleted, as soon as it is mapped: a mapping keeps its
 * blocks, and whatever ends the process frees them.  Nothing is left by a crash.  temp_file_limit, which the
 * server counts by open files, is looked at here once more for that reason.
 *
 * Making a file, its first use page by page, and deleting it cost far more than the work on a small array.  So the
 * mappings of small arrays that were freed are kept for the next ones, as long as any array is mapped: with the last
 * of these they go too, however it ends.
 *
 * Memory comes from the memory context, but for large pieces from the operating system at once, which has them back
 * as soon as they are freed: what the C library keeps of arrays between others would add up to half of what is in use.
 * It is asked for large pages, if it has them: visits in random order take less time then.
 *
 * A callback of the memory context frees arrays that are left to it, also after an error.  Callbacks cannot be taken
 * back, so what describes an array that was freed is kept for the next one in the same context.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "commands/tablespace.h"
#include "miscadmin.h"
#include "relation/base/largearray.h"
#include "relation/base/memory.h"
#include "storage/fd.h"
#include "utils/guc.h"
#include "utils/wait_event.h"

/* A file is preallocated in so large steps, with a look for a cancel between them. */
#define STEP ((uint64) 64 * 1024 * 1024)

/* Mappings that are kept: so large at most, so many; and no larger than so many times what is asked for. */
#define KEPT_BYTES ((uint64) 1024 * 1024)
#define KEPT_MOST 32
#define KEPT_TIMES 4

/* A file takes whole blocks. */
#define BLOCK ((uint64) 4096)

/* So large an array in memory is a mapping of its own. */
#define OWN_BYTES ((uint64) 256 * 1024)

/* What the operating system has as a large page. */
#define LARGE_PAGE ((uint64) 2 * 1024 * 1024)

/* Arrays begin at different places of a page: those of one loop would otherwise meet in the same lines of a cache. */
#define LINE 64
#define LINES 32

/* What arrays lie in. */
typedef enum Place
{
	IN_CONTEXT,					/* memory of the context */
	IN_MAPPING,					/* of the operating system */
	IN_FILE						/* that is mapped */
} Place;

/* An array. */
typedef struct LargeArray
{
	char	   *start;			/* what its user has, NULL: it is freed */
	char	   *memory;			/* what it lies in */
	uint64		bytes;			/* of that */
	Place		in;
	uint32		place;			/* in the list of all */
	MemoryContext context;
	struct LargeArray *next;	/* of those that were freed */
	MemoryContextCallback callback;
} LargeArray;

/* All that there are, in the order of their allocation but for gaps that were filled by the last. */
static LargeArray **arrays = NULL;
static uint32 array_space = 0;

/* Those that were freed, the last one first. */
static LargeArray *spare = NULL;

/* Mappings that no array has, the last one that was given up last. */
static struct
{
	char	   *memory;
	uint64		bytes;
}			kept[KEPT_MOST];
static int	kept_count = 0;

uint32		sdc_large_arrays = 0;
static uint64 held = 0;
static uint64 mapped = 0;		/* with those that are kept */
static uint32 mapped_arrays = 0;

/* drop_mapping gives a mapping back, and with it its file. */
static void
drop_mapping(char *memory, uint64 bytes)
{
	(void) munmap(memory, bytes);
	mapped -= bytes;
}

/* drop_kept gives back all mappings that are kept. */
static void
drop_kept(void)
{
	while (kept_count > 0)
	{
		kept_count--;
		drop_mapping(kept[kept_count].memory, kept[kept_count].bytes);
	}
}

/* keep_mapping keeps the mapping of an array, or gives it back: with the last array it gives back all. */
static void
keep_mapping(char *memory, uint64 bytes)
{
	mapped_arrays--;
	if (bytes > KEPT_BYTES || mapped_arrays == 0)
		drop_mapping(memory, bytes);
	else
	{
		if (kept_count == KEPT_MOST)
		{
			drop_mapping(kept[0].memory, kept[0].bytes);
			memmove(&kept[0], &kept[1], sizeof(kept[0]) * --kept_count);
		}
		kept[kept_count].memory = memory;
		kept[kept_count++].bytes = bytes;
	}
	if (mapped_arrays == 0)
		drop_kept();
}

/* take_kept takes the smallest mapping that is kept and large enough, and tells whether there is one. */
static bool
take_kept(LargeArray *array, uint64 bytes)
{
	int			best = -1;

	for (int i = 0; i < kept_count; i++)
		if (kept[i].bytes >= bytes && kept[i].bytes <= KEPT_TIMES * bytes &&
			(best < 0 || kept[i].bytes < kept[best].bytes))
			best = i;
	if (best < 0)
		return false;
	array->memory = kept[best].memory;
	array->bytes = kept[best].bytes;
	kept_count--;
	memmove(&kept[best], &kept[best + 1], sizeof(kept[0]) * (kept_count - best));
	return true;
}

/* release gives up the memory of an array that is on the list, unless the context does that by itself. */
static void
release(LargeArray *array, bool with_context)
{
	if (array->in == IN_FILE)
		keep_mapping(array->memory, array->bytes);
	else
		held -= array->bytes;
	if (array->in == IN_MAPPING)
		(void) munmap(array->memory, array->bytes);
	else if (array->in == IN_CONTEXT && !with_context)
		pfree(array->memory);
	sdc_large_arrays--;
	arrays[array->place] = arrays[sdc_large_arrays];
	arrays[array->place]->place = array->place;
	array->start = NULL;
}

/* forget takes an array that was freed off the list of these. */
static void
forget(LargeArray *array)
{
	LargeArray **link = &spare;

	while (*link != array)
		link = &(*link)->next;
	*link = array->next;
}

/* release_with_context is the callback of the context that an array was allocated in. */
static void
release_with_context(void *arg)
{
	LargeArray *array = arg;

	if (array->start != NULL)
		release(array, true);
	else
		forget(array);
}

/* describe returns what is to describe an array in the current memory context. */
static LargeArray *
describe(void)
{
	LargeArray *array = spare;

	while (array != NULL && array->context != CurrentMemoryContext)
		array = array->next;
	if (array != NULL)
		return array;
	array = MemoryContextAllocZero(CurrentMemoryContext, sizeof(LargeArray));
	array->context = CurrentMemoryContext;
	array->callback.func = release_with_context;
	array->callback.arg = array;
	array->next = spare;
	spare = array;
	MemoryContextRegisterResetCallback(CurrentMemoryContext, &array->callback);
	return array;
}

/* refuse_file raises the error that a temporary file cannot be made. */
static void
refuse_file(int error, uint64 bytes)
{
	errno = error;
	ereport(ERROR,
			(errcode_for_file_access(),
			 errmsg("could not make a temporary file of " UINT64_FORMAT " MB: %m", bytes / (1024 * 1024) + 1),
			 errdetail("Data beyond maintenance_work_mem are kept in temporary files."),
			 errhint("Increase maintenance_work_mem, or have temp_tablespaces name a place with room.")));
}

/* check_limit insists on temp_file_limit for all arrays together; what is kept must not be what exceeds it. */
static void
check_limit(uint64 bytes)
{
	uint64		limit = (uint64) temp_file_limit * 1024;

	if (temp_file_limit < 0 || mapped + bytes <= limit)
		return;
	drop_kept();
	if (mapped + bytes <= limit)
		return;
	ereport(ERROR,
			(errcode(ERRCODE_CONFIGURATION_LIMIT_EXCEEDED),
			 errmsg("temporary files of " UINT64_FORMAT " kB exceed temp_file_limit (%d kB)",
					(mapped + bytes) / 1024, temp_file_limit),
			 errhint("Increase maintenance_work_mem or temp_file_limit.")));
}

/* sdc_memory_held: see memory.h. */
uint64
sdc_memory_held(void)
{
	return held + mapped;
}

/* sdc_largearray_spares: see largearray.h. */
bool
sdc_largearray_spares(uint64 bytes)
{
	return temp_file_limit < 0 || bytes <= (uint64) temp_file_limit * 1024 / 2;
}

/* preallocate has the file system reserve every block of a file. */
static void
preallocate(int file, uint64 bytes)
{
	for (uint64 at = 0; at < bytes; at += STEP)
	{
		int			error;

		CHECK_FOR_INTERRUPTS();
		do
			error = posix_fallocate(file, (off_t) at, (off_t) Min(STEP, bytes - at));
		while (error == EINTR && !INTERRUPTS_PENDING_CONDITION());
		if (error == EINTR)
			at -= STEP;			/* once more, unless that was a cancel */
		else if (error != 0)
			refuse_file(error, bytes);
	}
}

/* sdc_largearray_file: see largearray.h. */
File
sdc_largearray_file(uint64 bytes)
{
	File		file;
	char		zero = 0;

	check_limit(bytes);
	PrepareTempTablespaces();
	file = OpenTemporaryFile(false);
	/* tells the server how large it is, for its own limit */
	if (FileWrite(file, &zero, 1, (off_t) bytes - 1, WAIT_EVENT_BUFFILE_WRITE) != 1)
		refuse_file(errno != 0 ? errno : ENOSPC, bytes);
	preallocate(FileGetRawDesc(file), bytes);
	return file;
}

/* sdc_largearray_map: see largearray.h. */
char *
sdc_largearray_map(int file, uint64 bytes)
{
	void	   *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);

	if (memory == MAP_FAILED)
		refuse_file(errno, bytes);
	return memory;
}

/* map_aligned maps private memory that begins at a large page, or returns NULL. */
static char *
map_aligned(uint64 bytes)
{
	uint64		page = (uint64) sysconf(_SC_PAGESIZE);
	uint64		whole = TYPEALIGN64(page, bytes);
	char	   *memory = mmap(NULL, whole + LARGE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char	   *start = (char *) TYPEALIGN64(LARGE_PAGE, memory);

	if (memory == MAP_FAILED)
		return NULL;
	if (start > memory)
		(void) munmap(memory, start - memory);
	(void) munmap(start + whole, memory + LARGE_PAGE - start);
#ifdef MADV_HUGEPAGE
	/* not the last one, unless it is full: it would be shared with the next array, which may not be used */
	(void) madvise(start, whole - whole % LARGE_PAGE, MADV_HUGEPAGE);
#endif
	return start;
}

/* take_memory gives an array memory: of the operating system, if it is large and there are mappings left. */
static void
take_memory(LargeArray *array, uint64 bytes)
{
	void	   *memory = NULL;

	if (bytes >= LARGE_PAGE)
		memory = map_aligned(bytes);
	else if (bytes >= OWN_BYTES)
	{
		memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		memory = memory == MAP_FAILED ? NULL : memory;
	}
	array->in = memory == NULL ? IN_CONTEXT : IN_MAPPING;
	array->memory = memory == NULL ? MemoryContextAllocHuge(CurrentMemoryContext, bytes) : memory;
	array->bytes = bytes;
}

/* map_array gives an array a mapping: one that is kept, or a new file. */
static void
map_array(LargeArray *array, uint64 bytes)
{
	File		file;

	array->in = IN_FILE;
	if (take_kept(array, bytes))
		return;
	array->bytes = TYPEALIGN64(BLOCK, bytes);
	file = sdc_largearray_file(array->bytes);
	array->memory = sdc_largearray_map(FileGetRawDesc(file), array->bytes);
	FileClose(file);
	mapped += array->bytes;
}

/* fits tells whether there is room for an array in the budget. */
static bool
fits(uint64 bytes)
{
#ifdef SDC_TEST_POINTS
	/* at the least budget that there is the tests want arrays of both kinds, however little there is */
	if (maintenance_work_mem <= 1024)
		return held + bytes <= sdc_memory_budget() / 64;
#endif
	return held + bytes <= sdc_memory_budget();
}

/* reserve makes room for one more array on the list. */
static void
reserve(void)
{
	uint32		space = Max(2 * array_space, 64);

	if (sdc_large_arrays < array_space)
		return;
	if (arrays == NULL)
		arrays = MemoryContextAlloc(TopMemoryContext, space * sizeof(LargeArray *));
	else
		arrays = repalloc(arrays, space * sizeof(LargeArray *));
	array_space = space;
}

/* sdc_large_alloc allocates a large array in the current memory context. */
void *
sdc_large_alloc(uint64 size)
{
	LargeArray *array;
	uint64		skip = LINE * (uint64) (sdc_large_arrays % LINES + 1);

	if (size > MaxAllocHugeSize / 2)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("an array of " UINT64_FORMAT " bytes is too large", size)));
	reserve();
	array = describe();
	if (fits(size))
		take_memory(array, size + skip);
	else
		map_array(array, size + skip);
	forget(array);
	array->start = array->memory + skip;
	array->place = sdc_large_arrays;
	arrays[sdc_large_arrays++] = array;
	if (array->in == IN_FILE)
		mapped_arrays++;
	else
		held += array->bytes;
	return array->start;
}

/* sdc_large_free frees an array, if it is a large one; what is freed soon was mostly allocated late. */
bool
sdc_large_free(void *start)
{
	for (uint32 i = sdc_large_arrays; i-- > 0;)
		if (arrays[i]->start == start)
		{
			LargeArray *array = arrays[i];

			release(array, false);
			array->next = spare;
			spare = array;
			return true;
		}
	return false;
}

/* sdc_largearray_shrink: see largearray.h. */
bool
sdc_largearray_shrink(void *start, uint64 size)
{
	uint64		page = (uint64) sysconf(_SC_PAGESIZE);

	for (uint32 i = sdc_large_arrays; i-- > 0;)
	{
		LargeArray *array = arrays[i];
		uint64		bytes = size + ((char *) start - array->memory);

		if (array->start != start)
			continue;
		if (array->in != IN_MAPPING || bytes > array->bytes)
			return false;
		if (TYPEALIGN64(page, array->bytes) > TYPEALIGN64(page, bytes))
			(void) munmap(array->memory + TYPEALIGN64(page, bytes),
						  TYPEALIGN64(page, array->bytes) - TYPEALIGN64(page, bytes));
		held -= array->bytes - bytes;
		array->bytes = bytes;
		return true;
	}
	return false;
}
