/*-------------------------------------------------------------------------
 *
 * nightjobs.c
 *		The columns of a night, ordered by parallel workers while the session goes on.
 *
 * Of what a night does with a column, the sort is what needs nothing but its values.  So workers sort the columns one
 * after the other, and the session, which has everything else to do with each, finds the next one sorted; it sorts
 * those itself that nobody has taken when it comes to them.  Which of them sorts a column makes no difference to it.
 *
 * The values lie in the spool's temporary file, and the order of each column comes into the piece of memory that the
 * processes share: 5 bytes a value.  Which columns are shared is as in columnjobs.c, and so is the secret: the key of
 * the streams comes into no file.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "method/columnjobs.h"
#include "method/nightjobs.h"
#include "miscadmin.h"
#include "relation/largearray.h"
#include "relation/memory.h"
#include "relation/workers.h"
#include "storage/latch.h"
#include "utils/builtins.h"
#include "utils/guc.h"
#include "utils/wait_event.h"

/* An order that a worker is about to finish is looked for after so many milliseconds. */
#define WAIT_MS 1

/* Who has a task. */
#define TASK_FREE 0
#define TASK_SESSION 1
#define TASK_WORKER 2
#define TASK_DONE 3				/* by a worker */

/* A column in the memory that processes share; offsets (relation/workers.h). */
typedef struct PackedOrder
{
	pg_atomic_uint32 state;
	NameData	name;
	uint64		places;
	uint64		count;			/* values */
	uint64		order;			/* the order, which a worker writes */
	uint64		tied;
	uint64		start;
} PackedOrder;

typedef struct Packed
{
	SdcSpoolFile file;
	uint64		strata;
	uint64		publication;
	uint64		stratum;
	int			columns;
	uint64		column;
} Packed;

/* A task as the session knows it. */
typedef struct Job
{
	int			packed;			/* its number among those that are shared, -1: it is not */
	SdcColumnPlaces *places;
	Size		places_bytes;
	SdcOrdering ordering;		/* when a worker has made it */
} Job;

struct SdcNightJobs
{
	const SdcOrderingTask *tasks;
	int			count;
	int			shared;			/* of them */
	Job		   *job;
	SdcSpool   *spool;
	SdcColumnPlaces *stratum;	/* of that column, or NULL, */
	Size		stratum_bytes;
	SdcWorkers *workers;
};

PGDLLEXPORT void sdc_nightjobs_worker(dsm_segment *segment, shm_toc *toc);

/* strata_of is how many strata the order of a task has. */
static inline uint32
strata_of(uint64 strata, bool has_strata)
{
	return has_strata ? Max(1, (uint32) strata) : 1;
}

/* values_of is how many values a task orders. */
static inline uint64
values_of(const SdcOrderingTask *task)
{
	return sdc_column_count(task->column) - sdc_column_null_count(task->column);
}

/* is_enough tells whether the share of each of so many workers will do for every column that is shared. */
static bool
is_enough(const SdcNightJobs *jobs, int workers)
{
	for (int i = 0; i < jobs->count; i++)
	{
		uint64		needed = sdc_ordering_memory(&jobs->tasks[i]);

		/* for a single one the rest of what it needs is in a file */
		if (jobs->job[i].packed >= 0 && needed > sdc_workers_share(workers) &&
			(workers > 1 || needed > sdc_memory_budget()))
			return false;
	}
	return true;
}

/* fits_files tells whether temp_file_limit has room for columns and orders beside what the call needs in any case. */
static bool
fits_files(const SdcNightJobs *jobs, uint64 records)
{
	uint64		value = sizeof(Datum) + sizeof(uint32) + sizeof(bool);
	uint64		bytes = records * (value * (uint64) jobs->shared + sizeof(Datum));

	return sdc_largearray_spares(bytes);
}

/* workers_wanted is how many workers help. */
static int
workers_wanted(const SdcNightJobs *jobs)
{
	uint64		records = sdc_column_count(jobs->tasks[0].column);
	int			wanted = sdc_workers_wanted(records * (uint64) jobs->shared / SDC_COLUMNJOBS_VALUES_OF_STEP);

	wanted = Min(wanted, jobs->shared);
	if (wanted <= 0 || !sdc_workers_keep_secrets() || !fits_files(jobs, records))
		return 0;
	for (int i = 0; i < jobs->count; i++)
		if (!sdc_columnjobs_is_own_code(jobs->tasks[i].type))
			return 0;
	while (wanted > 0 && !is_enough(jobs, wanted))
		wanted--;
	return wanted;
}

/* share_columns moves what is shared to the file. */
static void
share_columns(SdcNightJobs *jobs)
{
	SdcColumn  *stratum = jobs->tasks[0].stratum;

	for (int i = 0; i < jobs->count; i++)
	{
		Job		   *job = &jobs->job[i];

		if (job->packed < 0)
			continue;
		sdc_column_spill(jobs->tasks[i].column);
		job->places = sdc_column_places(jobs->tasks[i].column, &job->places_bytes);
	}
	if (stratum == NULL)
		return;
	sdc_column_spill(stratum);
	jobs->stratum = sdc_column_places(stratum, &jobs->stratum_bytes);
}

/* pack_order packs a column, and makes room for its order. */
static void
pack_order(SdcWorkers *workers, const SdcOrderingTask *task, const Job *job, PackedOrder *column)
{
	pg_atomic_init_u32(&column->state, TASK_FREE);
	namestrcpy(&column->name, task->attribute);
	column->places = sdc_workers_put(workers, job->places, job->places_bytes);
	column->count = values_of(task);
	column->order = sdc_workers_put(workers, NULL, column->count * sizeof(uint32));
	column->tied = sdc_workers_put(workers, NULL, column->count * sizeof(bool));
	column->start = sdc_workers_put(workers, NULL,
									((uint64) strata_of(task->strata, task->stratum != NULL) + 1) * sizeof(uint32));
}

/* pack packs the work: SdcWorkersPack. */
static uint64
pack(SdcWorkers *workers, const void *arg)
{
	const SdcNightJobs *jobs = arg;
	PackedOrder *column = palloc0(sizeof(PackedOrder) * jobs->shared);
	Packed		packed = {.strata = jobs->tasks[0].strata, .publication = jobs->tasks[0].publication,
	.columns = jobs->shared};

	for (int i = 0; i < jobs->count; i++)
		if (jobs->job[i].packed >= 0)
			pack_order(workers, &jobs->tasks[i], &jobs->job[i], &column[jobs->job[i].packed]);
	packed.column = sdc_workers_put(workers, column, sizeof(PackedOrder) * jobs->shared);
	if (jobs->stratum != NULL)
		packed.stratum = sdc_workers_put(workers, jobs->stratum, jobs->stratum_bytes);
	sdc_spool_file(jobs->spool, &packed.file);
	pfree(column);
	return sdc_workers_put(workers, &packed, sizeof(Packed));
}

/* take has a process take a task, unless another one has. */
static bool
take(PackedOrder *column, uint32 taker)
{
	uint32		expected = TASK_FREE;

	return pg_atomic_compare_exchange_u32(&column->state, &expected, taker);
}

/* order_column orders a column of the leader's file. */
static void
order_column(const SdcWorkers *workers, PackedOrder *column, SdcOrderingTask *task, SdcSpool *spool)
{
	const SdcColumnPlaces *places = sdc_workers_at(workers, column->places);
	SdcType		type;
	SdcOrdering *ordering;

	sdc_type_lookup(&type, places->typid, InvalidOid);
	task->type = &type;
	task->attribute = NameStr(column->name);
	task->column = sdc_column_attach(spool, places);
	sdc_arena_reserve(task->arena, sdc_ordering_memory(task));
	ordering = sdc_ordering_build(task, NULL);
	Assert(ordering->count == column->count && ordering->tied != NULL);
	sdc_workers_copy(sdc_workers_at(workers, column->order), ordering->order,
					 sizeof(uint32) * (uint64) ordering->count);
	sdc_workers_copy(sdc_workers_at(workers, column->tied), ordering->tied, sizeof(bool) * (uint64) ordering->count);
	sdc_workers_copy(sdc_workers_at(workers, column->start), ordering->start,
					 sizeof(uint32) * ((uint64) ordering->strata + 1));
	sdc_column_destroy(task->column);
	pg_write_barrier();
	pg_atomic_write_u32(&column->state, TASK_DONE);
}

/* sdc_nightjobs_worker is what a worker does. */
void
sdc_nightjobs_worker(dsm_segment *segment pg_attribute_unused(), shm_toc *toc)
{
	SdcWorkers *workers = sdc_workers_attach(toc);
	const Packed *packed = sdc_workers_at(workers, workers->shared->root);
	PackedOrder *column = sdc_workers_at(workers, packed->column);
	SdcSpool   *spool = sdc_spool_attach(&packed->file, sdc_memory_budget() / 4);
	SdcArena	arena = {0};
	SdcOrderingTask task = {.strata = packed->strata, .publication = packed->publication, .ties = true,
	.arena = &arena};

	task.random = sdc_random_attach(sdc_workers_secret(toc));
	if (packed->stratum != 0)
		task.stratum = sdc_column_attach(spool, sdc_workers_at(workers, packed->stratum));
	for (int i = 0; i < packed->columns; i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (take(&column[i], TASK_WORKER))
			order_column(workers, &column[i], &task, spool);
	}
	sdc_arena_free(&arena);
	sdc_spool_destroy(spool);
}

/* sdc_nightjobs_begin: see nightjobs.h. */
SdcNightJobs *
sdc_nightjobs_begin(const SdcOrderingTask *tasks, int count, SdcSpool *spool)
{
	SdcNightJobs *jobs = palloc0(sizeof(SdcNightJobs));
	SdcRandomShare secret;
	int			wanted;

	jobs->tasks = tasks;
	jobs->count = count;
	jobs->job = palloc0(sizeof(Job) * Max(count, 1));
	jobs->spool = spool;
	for (int i = 0; i < count; i++)
		jobs->job[i].packed = i > 0 && sdc_columnjobs_can_share(tasks[i].type, tasks[i].column) ? jobs->shared++ : -1;
	wanted = jobs->shared == 0 ? 0 : workers_wanted(jobs);
	if (wanted == 0)
	{
		pfree(jobs->job);
		pfree(jobs);
		return NULL;
	}
	share_columns(jobs);
	sdc_random_share(tasks[0].random, &secret);
	jobs->workers = sdc_workers_start_secret("sdc_nightjobs_worker", wanted, pack, jobs, &secret, sizeof(secret));
	explicit_bzero(&secret, sizeof(secret));
	return jobs;
}

/* wait_for waits until a worker has finished a task.  An error of the worker is one of the call. */
static void
wait_for(PackedOrder *column)
{
	while (pg_atomic_read_u32(&column->state) != TASK_DONE)
	{
		CHECK_FOR_INTERRUPTS();
		(void) WaitLatch(MyLatch, WL_LATCH_SET | WL_TIMEOUT | WL_EXIT_ON_PM_DEATH, WAIT_MS, WAIT_EVENT_PARALLEL_FINISH);
		ResetLatch(MyLatch);
	}
	pg_read_barrier();
}

/* sdc_nightjobs_order: see nightjobs.h. */
SdcOrdering *
sdc_nightjobs_order(SdcNightJobs *jobs, int task)
{
	Job		   *job = jobs == NULL ? NULL : &jobs->job[task];
	const SdcOrderingTask *what;
	const Packed *packed;
	PackedOrder *column;

	if (job == NULL || job->packed < 0)
		return NULL;
	what = &jobs->tasks[task];
	packed = sdc_workers_at(jobs->workers, jobs->workers->shared->root);
	column = (PackedOrder *) sdc_workers_at(jobs->workers, packed->column) + job->packed;
	if (take(column, TASK_SESSION) || pg_atomic_read_u32(&column->state) == TASK_SESSION)
		return NULL;
	wait_for(column);
	job->ordering.count = (uint32) column->count;
	job->ordering.order = sdc_workers_at(jobs->workers, column->order);
	job->ordering.tied = sdc_workers_at(jobs->workers, column->tied);
	job->ordering.start = sdc_workers_at(jobs->workers, column->start);
	job->ordering.strata = strata_of(what->strata, what->stratum != NULL);
	job->ordering.longest = 0;
	for (uint32 s = 0; s < job->ordering.strata; s++)
	{
		sdc_interrupts_step(s);
		job->ordering.longest = Max(job->ordering.longest, job->ordering.start[s + 1] - job->ordering.start[s]);
	}
	return &job->ordering;
}

/* sdc_nightjobs_end: see nightjobs.h. */
void
sdc_nightjobs_end(SdcNightJobs *jobs)
{
	if (jobs == NULL)
		return;
	sdc_workers_finish(jobs->workers);
	sdc_workers_destroy(jobs->workers);
}
