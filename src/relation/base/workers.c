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

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "access/xact.h"
#include "miscadmin.h"
#include "optimizer/paths.h"
#include "relation/base/api.h"
#include "relation/base/largearray.h"
#include "relation/base/workers.h"
#include "storage/dsm_impl.h"
#include "storage/latch.h"
#include "utils/wait_event.h"

#define LIBRARY "$libdir/sdc"
#define KEY_PLACE UINT64CONST(0x5344430000000001)
#define KEY_SECRET UINT64CONST(0x5344430000000002)
#define KEY_BUILD UINT64CONST(0x5344430000000003)

/* So many steps of work are worth a worker. */
#define STEPS_LEAST 200000

/* How often a process looks again at once for what others do, and how long it sleeps then, in microseconds. */
#define LOOKS 200
#define NAP 100

/* So many bytes are copied between two looks for a cancel. */
#define COPY_BYTES (UINT64CONST(8) * 1024 * 1024)

/* How often it is told what workers have done that are waited for, and looked for a flag, in milliseconds. */
#define TELL_MS 100
#define FLAG_MS 1

/* Where the piece of memory is. */
typedef struct Place
{
	uint64		bytes;
	int			workers;		/* that share the budget with the leader */
	char		path[MAXPGPATH];
} Place;

/* What no file may have. */
typedef struct Secret
{
	Size		bytes;
	uint8		data[FLEXIBLE_ARRAY_MEMBER];
} Secret;

/* Which file a library is: also those of later versions tell it so. */
typedef struct Build
{
	uint64		device;
	uint64		file;
	uint64		size;
	uint64		seconds;
} Build;

/* The file that this process has loaded. */
static Build loaded;

/* find_build finds the file that lies now where the library was loaded from; zeros: there is none. */
static Build
find_build(void)
{
	Build		found = {0};
	Dl_info		library;
	struct stat file;

	if (dladdr(&loaded, &library) != 0 && stat(library.dli_fname, &file) == 0)
	{
		found.device = (uint64) file.st_dev;
		found.file = (uint64) file.st_ino;
		found.size = (uint64) file.st_size;
		found.seconds = (uint64) file.st_mtime;
	}
	return found;
}

/* is_loaded tells whether a file is the one that this process has loaded. */
static bool
is_loaded(const Build *build)
{
	return memcmp(build, &loaded, sizeof(Build)) == 0;
}

/* sdc_workers_init: see workers.h. */
void
sdc_workers_init(void)
{
	loaded = find_build();
}

/* is_replaced tells whether a worker would load another library than this process has, one that was installed since. */
static bool
is_replaced(void)
{
	Build		now;

	if (sdc_api_preloaded)
		return false;
	now = find_build();
	return !is_loaded(&now);
}

/* sdc_workers_wanted: see workers.h. */
int
sdc_workers_wanted(uint64 steps)
{
	if (max_parallel_maintenance_workers <= 0 || IsInParallelMode() || IsParallelWorker() || !IsUnderPostmaster)
		return 0;
	/* as for scans of the server: no size is too small when this is 0 */
	if (steps < STEPS_LEAST && min_parallel_table_scan_size > 0)
		return 0;
	if (is_replaced())
		return 0;
	return Min(max_parallel_maintenance_workers, max_parallel_workers);
}

/* share is what each of so many workers takes of maintenance_work_mem, in kB. */
static int
share(int workers)
{
	return Max(maintenance_work_mem / (workers + 1), 1024);
}

/* sdc_workers_share: see workers.h. */
uint64
sdc_workers_share(int workers)
{
	return (uint64) share(workers) * 1024;
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

/* sdc_workers_copy: see workers.h. */
void
sdc_workers_copy(void *to, const void *from, uint64 bytes)
{
	for (uint64 done = 0; done < bytes; done += COPY_BYTES)
	{
		CHECK_FOR_INTERRUPTS();
		memcpy((char *) to + done, (const char *) from + done, Min(bytes - done, COPY_BYTES));
	}
}

/* sdc_workers_create: see workers.h. */
SdcWorkers *
sdc_workers_create(uint64 bytes)
{
	SdcWorkers *workers = palloc0(sizeof(SdcWorkers));

	workers->bytes = bytes;
	if (bytes > 0)
	{
		workers->file = sdc_largearray_file(bytes);
		map(workers, FileGetRawDesc(workers->file));
	}
	else
		workers->shared = palloc0(sizeof(SdcWorkersShared));
	pg_atomic_init_u32(&workers->shared->next, 0);
	pg_atomic_init_u64(&workers->shared->done, 0);
	pg_atomic_init_u32(&workers->shared->members, 0);
	pg_atomic_init_u64(&workers->shared->met, 0);
	SpinLockInit(&workers->shared->lock);
	return workers;
}

/* wipe wipes a secret: also the callback of the segment that it is in. */
static void
wipe(dsm_segment *segment pg_attribute_unused(), Datum arg)
{
	Secret	   *secret = (Secret *) DatumGetPointer(arg);

	explicit_bzero(secret->data, secret->bytes);
}

/* tell_secret puts a secret where workers find it, if there can be any. */
static void
tell_secret(ParallelContext *context, const void *data, Size bytes)
{
	Secret	   *secret;

	if (data == NULL || context->seg == NULL)
		return;
	secret = shm_toc_allocate(context->toc, offsetof(Secret, data) + bytes);
	secret->bytes = bytes;
	on_dsm_detach(context->seg, wipe, PointerGetDatum(secret));
	memcpy(secret->data, data, bytes);
	shm_toc_insert(context->toc, KEY_SECRET, secret);
}

/* sdc_workers_launch: see workers.h. */
void
sdc_workers_launch(SdcWorkers *workers, const char *entry, int wanted, const void *secret, Size bytes)
{
	Place	   *place;
	Build	   *build;

	EnterParallelMode();
	workers->context = CreateParallelContext(LIBRARY, entry, wanted);
	shm_toc_estimate_chunk(&workers->context->estimator, sizeof(Place));
	shm_toc_estimate_chunk(&workers->context->estimator, offsetof(Secret, data) + bytes);
	shm_toc_estimate_chunk(&workers->context->estimator, sizeof(Build));
	shm_toc_estimate_keys(&workers->context->estimator, 3);
	InitializeParallelDSM(workers->context);
	build = shm_toc_allocate(workers->context->toc, sizeof(Build));
	*build = loaded;
	shm_toc_insert(workers->context->toc, KEY_BUILD, build);
	place = shm_toc_allocate(workers->context->toc, sizeof(Place));
	place->bytes = workers->bytes;
	place->workers = wanted;
	snprintf(place->path, sizeof(place->path), "%s", FilePathName(workers->file));
	shm_toc_insert(workers->context->toc, KEY_PLACE, place);
	tell_secret(workers->context, secret, bytes);
	LaunchParallelWorkers(workers->context);
}

/* sdc_workers_secret: see workers.h. */
const void *
sdc_workers_secret(shm_toc *toc)
{
	return ((Secret *) shm_toc_lookup(toc, KEY_SECRET, false))->data;
}

/* sdc_workers_keep_secrets: see workers.h. */
bool
sdc_workers_keep_secrets(void)
{
	return dynamic_shared_memory_type != DSM_IMPL_MMAP;
}

/* sdc_workers_next: see workers.h. */
bool
sdc_workers_next(SdcWorkers *workers, uint32 tasks, uint32 *task)
{
	CHECK_FOR_INTERRUPTS();
	*task = pg_atomic_fetch_add_u32(&workers->shared->next, 1);
	return *task < tasks;
}

/* A team of these processes. */
typedef struct Team
{
	SdcTeam		team;
	SdcWorkersShared *shared;
	uint64		meetings;		/* so far */
} Team;

/* look_again waits a little for others; one that has failed has told the leader, who looks for that here. */
static void
look_again(int looks)
{
	CHECK_FOR_INTERRUPTS();
	if (looks < LOOKS)
		SPIN_DELAY();
	else
		pg_usleep(NAP);
}

/* barrier waits until all members have come there: SdcTeam.barrier. */
static void
barrier(SdcTeam *of)
{
	Team	   *team = (Team *) of;
	uint64		all = ++team->meetings * (uint64) team->team.members;

	(void) pg_atomic_fetch_add_u64(&team->shared->met, 1);
	for (int looks = 0; pg_atomic_read_u64(&team->shared->met) < all; looks++)
		look_again(looks);
	pg_memory_barrier();
}

/* count_members tells how many processes there are: the leader knows it when all of them are there. */
static int
count_members(SdcWorkers *workers)
{
	SdcWorkersShared *shared = workers->shared;

	if (workers->base == NULL)
		return 1;
	if (!IsParallelWorker())
	{
		WaitForParallelWorkersToAttach(workers->context);
		pg_atomic_write_u32(&shared->members, (uint32) workers->context->nworkers_launched + 1);
	}
	for (int looks = 0; pg_atomic_read_u32(&shared->members) == 0; looks++)
		look_again(looks);
	return (int) pg_atomic_read_u32(&shared->members);
}

/* ask_large asks for large pages, which some file systems have: what a team makes is visited in random order. */
static void
ask_large(char *memory, uint64 bytes)
{
#ifdef MADV_HUGEPAGE
	uint64		page = (uint64) sysconf(_SC_PAGESIZE);
	char	   *start = (char *) TYPEALIGN64(page, memory);

	if (start < memory + bytes)
		(void) madvise(start, memory + bytes - start, MADV_HUGEPAGE);
#else
	(void) memory;
	(void) bytes;
#endif
}

/* sdc_workers_team: see workers.h. */
SdcTeam *
sdc_workers_team(SdcWorkers *workers, uint64 memory, uint64 bytes)
{
	Team	   *team = palloc0(sizeof(Team));

	team->shared = workers->shared;
	team->team.members = count_members(workers);
	/* those that were launched are the first ones */
	team->team.member = IsParallelWorker() ? ParallelWorkerNumber + 1 : 0;
	team->team.memory = sdc_workers_at(workers, memory);
	team->team.bytes = bytes;
	team->team.barrier = barrier;
	if (bytes > 0)
		ask_large(team->team.memory, bytes);
	return &team->team;
}

/* sdc_workers_tell: see workers.h. */
void
sdc_workers_tell(SdcWorkers *workers, void (*tell) (void *arg, uint64 done), void *arg)
{
	workers->tell = tell;
	workers->tell_arg = arg;
}

/* any_works tells whether a worker has not come to its end yet, nor failed to begin. */
static bool
any_works(const ParallelContext *context)
{
	for (int i = 0; i < context->nworkers_launched; i++)
	{
		const ParallelWorkerInfo *worker = &context->worker[i];
		pid_t		pid;

		if (worker->error_mqh != NULL && worker->bgwhandle != NULL &&
			GetBackgroundWorkerPid(worker->bgwhandle, &pid) != BGWH_STOPPED)
			return true;
	}
	return false;
}

/* sdc_workers_wait: see workers.h. */
bool
sdc_workers_wait(SdcWorkers *workers, pg_atomic_uint32 *flag)
{
	while (pg_atomic_read_u32(flag) == 0 && workers->context != NULL && any_works(workers->context))
	{
		CHECK_FOR_INTERRUPTS();
		(void) WaitLatch(MyLatch, WL_LATCH_SET | WL_TIMEOUT | WL_EXIT_ON_PM_DEATH, FLAG_MS, WAIT_EVENT_PARALLEL_FINISH);
		ResetLatch(MyLatch);
	}
	if (pg_atomic_read_u32(flag) == 0)
		return false;
	pg_read_barrier();
	return true;
}

/* watch_workers tells others what workers have done while they work; their errors end the call here. */
static void
watch_workers(SdcWorkers *workers)
{
	while (any_works(workers->context))
	{
		CHECK_FOR_INTERRUPTS();
		workers->tell(workers->tell_arg, pg_atomic_read_u64(&workers->shared->done));
		(void) WaitLatch(MyLatch, WL_LATCH_SET | WL_TIMEOUT | WL_EXIT_ON_PM_DEATH, TELL_MS, WAIT_EVENT_PARALLEL_FINISH);
		ResetLatch(MyLatch);
	}
	workers->tell(workers->tell_arg, pg_atomic_read_u64(&workers->shared->done));
}

/* sdc_workers_finish: see workers.h. */
void
sdc_workers_finish(SdcWorkers *workers)
{
	if (workers->context == NULL)
		return;
	if (workers->tell != NULL)
		watch_workers(workers);
	WaitForParallelWorkersToFinish(workers->context);
	DestroyParallelContext(workers->context);
	ExitParallelMode();
	workers->context = NULL;
}

/* sdc_workers_destroy: see workers.h. */
void
sdc_workers_destroy(SdcWorkers *workers)
{
	if (workers->base == NULL)
		return;
	unmap(workers);
	FileClose(workers->file);
}

/* require_same has a worker read only what its own library has written: another one may have come at this moment. */
static void
require_same(shm_toc *toc)
{
	const Build *build = shm_toc_lookup(toc, KEY_BUILD, true);

	if (build == NULL || !is_loaded(build))
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("the library of extension sdc was replaced when this call began"),
				 errhint("Call it again.")));
}

/* sdc_workers_attach: see workers.h. */
SdcWorkers *
sdc_workers_attach(shm_toc *toc)
{
	SdcWorkers *workers = palloc0(sizeof(SdcWorkers));
	const Place *place;
	int			file;

	require_same(toc);
	place = shm_toc_lookup(toc, KEY_PLACE, false);
	file = OpenTransientFile(place->path, O_RDWR | PG_BINARY);
	if (file < 0)
		ereport(ERROR,
				(errcode_for_file_access(),
				 errmsg("could not open file \"%s\": %m", place->path)));
	workers->bytes = place->bytes;
	map(workers, file);
	(void) CloseTransientFile(file);
	maintenance_work_mem = share(place->workers);
	return workers;
}
