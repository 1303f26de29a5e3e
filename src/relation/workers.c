/*-------------------------------------------------------------------------
 *
 * workers.c
 *		Work that the server's parallel workers share with the session that has it.
 *
 * The piece of memory is a temporary file, and not dynamic shared memory: that is often small (/dev/shm of a container
 * has 64 MB), cannot be paged out to a disk, and its lack would be an error in the middle. The leader keeps the file
 * open, so that it counts for temp_file_limit and is deleted with the transaction or by the server that starts again;
 * a worker opens it by its name. What the parallel context itself carries is this name.
 *
 * Each worker has an equal share of maintenance_work_mem, as one that builds an index has.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <fcntl.h>
#include <sys/mman.h>

#include "access/xact.h"
#include "miscadmin.h"
#include "optimizer/paths.h"
#include "relation/largearray.h"
#include "relation/workers.h"

#define LIBRARY "$libdir/sdc"
#define KEY_PLACE UINT64CONST(0x5344430000000001)

/* So many steps of work are worth a worker. */
#define STEPS_LEAST 200000

/* Where the piece of memory is. */
typedef struct Place
{
	uint64		bytes;
	int			processes;		/* that share the budget */
	char		path[MAXPGPATH];
} Place;

/* sdc_workers_wanted: see workers.h. */
int
sdc_workers_wanted(uint64 steps)
{
	if (max_parallel_maintenance_workers <= 0 || IsInParallelMode() || IsParallelWorker() || !IsUnderPostmaster)
		return 0;
	/* as for scans of the server: no size is too small when this is 0 */
	if (steps < STEPS_LEAST && min_parallel_table_scan_size > 0)
		return 0;
	return Min(max_parallel_maintenance_workers, max_parallel_workers);
}

/* unmap gives up the piece of memory: also the callback of the context of who uses it. */
static void
unmap(void *arg)
{
	SdcWorkers *workers = arg;

	if (workers->base != NULL)
		(void) munmap(workers->base, workers->bytes);
	workers->base = NULL;
}

/* map maps the piece of memory for as long as the memory context lives. */
static void
map(SdcWorkers *workers, int file)
{
	workers->base = sdc_largearray_map(file, workers->bytes);
	workers->shared = (SdcWorkersShared *) workers->base;
	workers->callback.func = unmap;
	workers->callback.arg = workers;
	MemoryContextRegisterResetCallback(CurrentMemoryContext, &workers->callback);
}

/* sdc_workers_create: see workers.h. */
SdcWorkers *
sdc_workers_create(const char *entry, int wanted, uint64 bytes)
{
	SdcWorkers *workers = palloc0(sizeof(SdcWorkers));

	workers->entry = entry;
	workers->wanted = wanted;
	workers->bytes = sdc_workers_bytes(sizeof(SdcWorkersShared)) + bytes;
	workers->file = sdc_largearray_file(workers->bytes);
	map(workers, FileGetRawDesc(workers->file));
	workers->used = sdc_workers_bytes(sizeof(SdcWorkersShared));
	pg_atomic_init_u32(&workers->shared->next, 0);
	pg_atomic_init_u64(&workers->shared->done, 0);
	SpinLockInit(&workers->shared->lock);
	return workers;
}

/* sdc_workers_reserve: see workers.h. */
uint64
sdc_workers_reserve(SdcWorkers *workers, uint64 bytes)
{
	uint64		offset = workers->used;

	if (sdc_workers_bytes(bytes) > workers->bytes - offset)
		elog(ERROR, "memory for workers was not reserved");
	workers->used += sdc_workers_bytes(bytes);
	return offset;
}

/* sdc_workers_put: see workers.h. */
uint64
sdc_workers_put(SdcWorkers *workers, const void *data, uint64 bytes)
{
	uint64		offset = sdc_workers_reserve(workers, bytes);

	memcpy(workers->base + offset, data, bytes);
	return offset;
}

/* sdc_workers_launch: see workers.h. */
void
sdc_workers_launch(SdcWorkers *workers, uint64 root)
{
	Place	   *place;

	workers->shared->root = root;
	EnterParallelMode();
	workers->context = CreateParallelContext(LIBRARY, workers->entry, workers->wanted);
	shm_toc_estimate_chunk(&workers->context->estimator, sizeof(Place));
	shm_toc_estimate_keys(&workers->context->estimator, 1);
	InitializeParallelDSM(workers->context);
	place = shm_toc_allocate(workers->context->toc, sizeof(Place));
	place->bytes = workers->bytes;
	place->processes = workers->wanted + 1;
	snprintf(place->path, sizeof(place->path), "%s", FilePathName(workers->file));
	shm_toc_insert(workers->context->toc, KEY_PLACE, place);
	LaunchParallelWorkers(workers->context);
}

/* sdc_workers_next: see workers.h. */
bool
sdc_workers_next(SdcWorkers *workers, uint32 tasks, uint32 *task)
{
	CHECK_FOR_INTERRUPTS();
	*task = pg_atomic_fetch_add_u32(&workers->shared->next, 1);
	return *task < tasks;
}

/* sdc_workers_finish: see workers.h. */
void
sdc_workers_finish(SdcWorkers *workers)
{
	WaitForParallelWorkersToFinish(workers->context);
	DestroyParallelContext(workers->context);
	ExitParallelMode();
	workers->context = NULL;
}

/* sdc_workers_destroy: see workers.h. */
void
sdc_workers_destroy(SdcWorkers *workers)
{
	unmap(workers);
	FileClose(workers->file);
}

/* sdc_workers_attach: see workers.h. */
SdcWorkers *
sdc_workers_attach(shm_toc *toc)
{
	const Place *place = shm_toc_lookup(toc, KEY_PLACE, false);
	SdcWorkers *workers = palloc0(sizeof(SdcWorkers));
	int			file = OpenTransientFile(place->path, O_RDWR | PG_BINARY);

	if (file < 0)
		ereport(ERROR,
				(errcode_for_file_access(),
				 errmsg("could not open file \"%s\": %m", place->path)));
	workers->bytes = place->bytes;
	map(workers, file);
	(void) CloseTransientFile(file);
	maintenance_work_mem = Max(maintenance_work_mem / place->processes, 1024);
	return workers;
}
