/*-------------------------------------------------------------------------
 *
 * nightjobs.c
 *		The columns of a night, shared with parallel workers.
 *
 * As in columnjobs.c a task is a column, which lies in the spool's temporary file, and the column of the release takes
 * its place there.  A night needs more: what the release had, in the file of another spool; and what the state says of
 * the cells, which the session reads into the piece of memory that the processes share when the workers have begun.
 * There they leave what the next state says.  The session keeps some columns and does these meanwhile; then it does
 * those that no worker has begun.  Who does a column makes no difference to it.
 *
 * Which columns can be shared is as in columnjobs.c, and so is the secret: the key of the streams comes into no file.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "method/columnjobs.h"
#include "method/continued/nightjobs.h"
#include "method/continued/nightmarks.h"
#include "method/continued/nightoriginals.h"
#include "method/swaptable.h"
#include "relation/base/largearray.h"
#include "relation/base/workers.h"
#include "storage/latch.h"
#include "utils/builtins.h"
#include "utils/wait_event.h"

/* A worker that is about to finish a column is looked for after so many milliseconds, */
#define WAIT_MS 1

/* and a worker looks for what the state says after so many microseconds. */
#define NAP 100

/* What has become of a task. */
#define TASK_UNREAD 0			/* the session has not read what the state says */
#define TASK_FREE 1
#define TASK_SESSION 2
#define TASK_WORKER 3
#define TASK_DONE 4				/* by a worker */

/* A column in the memory that processes share; offsets (relation/base/workers.h). */
typedef struct PackedColumn
{
	pg_atomic_uint32 state;
	NameData	name;
	SdcNightColumn known;		/* the session's; its pointers mean nothing elsewhere */
	uint64		original;		/* where the columns are */
	uint64		before;
	uint32		mate_count;
	uint64		mates;			/* packed: those of the state, later those of the next one */
	uint64		marks;
	uint32		change_count;
	uint64		changes;
	bool		due;

	/* what a worker finds */
	uint32		packed;			/* mates */
	uint64		flags;
	uint64		redrawn;
	uint32		kept_most;
	uint32		kept_count;
	uint64		kept;			/* original values that the release does not tell */
	uint64		nulls;			/* in the release */
	uint64		changed;
	SdcAgain	again;
	bool		relieved;
	bool		differs;
} PackedColumn;

typedef struct Packed
{
	NameData	method;
	SdcRankParameters parameters;
	SdcContinuing continuing;
	Interval	erase_within;
	uint32		default_lot;
	SdcLots		lot;
	SdcSpoolFile file;
	SdcSpoolFile released_file;
	uint64		stratum;		/* that column, or 0, */
	uint64		strata_found;
	uint64		strata_of;		/* and its values */
	Oid			release;
	uint32		strata;
	uint64		publication;
	uint32		members;
	uint32		departed;
	uint32		records;
	uint64		number;			/* of the plan */
	uint64		strata_plan;
	int			columns;
	uint64		column;
} Packed;

/* A task as the session knows it. */
typedef struct Job
{
	SdcNightCells *cells;
	bool		can_share;
	int			packed;			/* its number among those that are shared, -1: it is not */
	SdcColumnPlaces *original;
	Size		original_bytes;
	SdcColumnPlaces *before;
	Size		before_bytes;
} Job;

struct SdcNightJobs
{
	int			count;
	int			can_share;		/* of them */
	int			shared;
	Job		   *job;
	SdcColumnPlaces *stratum;	/* of that column, or NULL, */
	Size		stratum_bytes;
	SdcWorkers *workers;
};

/* What a worker has for one column after the other. */
typedef struct Worker
{
	SdcWorkers *workers;
	const Packed *packed;
	SdcNight	night;
	SdcSource	source;
	SdcMethodStep step;
	SdcContinuing continuing;
	SdcSwapMethod method;
	SdcSpool   *released_spool;
	SdcArena	arena;
	SdcNightCells common;
} Worker;

PGDLLEXPORT void sdc_nightjobs_worker(dsm_segment *segment, shm_toc *toc);

/* is_enough tells whether the share of each of so many workers will do for every column that can be shared. */
static bool
is_enough(const SdcNightJobs *jobs, int workers)
{
	uint64		share = sdc_workers_share(workers);

	for (int i = 0; i < jobs->count; i++)
	{
		uint64		needed = sdc_nightcolumn_memory(jobs->job[i].cells);

		/* for a single one the rest of what it needs is in a file */
		if (jobs->job[i].can_share && needed > share &&
			(workers > 1 || needed > sdc_memory_budget() || !sdc_largearray_spares(2 * (needed - share))))
			return false;
	}
	return true;
}

/* fits_files tells whether temp_file_limit has room for what is shared beside what the call needs in any case. */
static bool
fits_files(const SdcNightJobs *jobs)
{
	uint64		records = jobs->job[0].cells->records;
	uint64		value = 2 * sizeof(Datum) + sizeof(uint32) + 2 * sizeof(uint8);
	uint64		common = sizeof(Datum) + 2 * sizeof(uint32);

	return sdc_largearray_spares(records * (value * (uint64) jobs->can_share + common));
}

/* workers_wanted is how many workers help. */
static int
workers_wanted(const SdcNightJobs *jobs)
{
	uint64		records = jobs->job[0].cells->records;
	int			wanted = sdc_workers_wanted(records * (uint64) jobs->can_share / SDC_COLUMNJOBS_VALUES_OF_STEP);

	wanted = Min(wanted, Min(jobs->can_share, jobs->count - 1));
	if (wanted <= 0 || !sdc_workers_keep_secrets() || !fits_files(jobs))
		return 0;
	for (int i = 0; i < jobs->count; i++)
		if (!sdc_columnjobs_is_own_code(&jobs->job[i].cells->attribute->type))
			return 0;
	while (wanted > 0 && !is_enough(jobs, wanted))
		wanted--;
	return wanted;
}

/* share_columns decides which columns are shared, and moves them to the files, where the first ones are most likely. */
static void
share_columns(SdcNightJobs *jobs, int workers)
{
	/* the session has to read and write the state besides, so that it begins with less than its share of the work */
	int			own = Max(1, jobs->count / (workers + 1) - 1);
	int			left = jobs->can_share - Max(0, own - (jobs->count - jobs->can_share));
	SdcColumn  *stratum = jobs->job[0].cells->source->stratum;

	for (int i = 0; i < jobs->count && jobs->shared < left; i++)
	{
		Job		   *job = &jobs->job[i];

		if (!job->can_share)
			continue;
		sdc_column_spill(job->cells->original);
		sdc_column_spill(job->cells->before);
		job->original = sdc_column_places(job->cells->original, &job->original_bytes);
		job->before = sdc_column_places(job->cells->before, &job->before_bytes);
		job->packed = jobs->shared++;
		job->cells->shared = true;
	}
	if (stratum == NULL)
		return;
	sdc_column_spill(stratum);
	jobs->stratum = sdc_column_places(stratum, &jobs->stratum_bytes);
}

/* most_kept is how many original values the release does not tell tonight at most: no lot makes any. */
static uint32
most_kept(const SdcNightCells *cells)
{
	const SdcNight *night = cells->night;
	uint64		was = sdc_privatestate_count(night->state, cells->column->stream + SDC_NIGHTSWAP_ORIGINAL);
	uint64		joined = cells->records - (night->members - night->plan.departed);

	return (uint32) Min(was + night->plan.departed + joined + cells->change_count, cells->records);
}

/* pack_column packs a column, and makes room for what is found. */
static void
pack_column(SdcWorkers *workers, const Job *job, PackedColumn *column)
{
	const SdcNightCells *cells = job->cells;

	pg_atomic_init_u32(&column->state, TASK_UNREAD);
	column->name = cells->attribute->name;
	column->known = *cells->column;
	column->due = cells->due;
	column->original = sdc_workers_put(workers, job->original, job->original_bytes);
	column->before = sdc_workers_put(workers, job->before, job->before_bytes);
	column->mate_count = (uint32) sdc_nightoriginals_mate_count(cells->night, cells->column);
	column->mates = sdc_workers_put(workers, NULL, sizeof(uint32) * (uint64) Max(column->mate_count, cells->records));
	column->marks = sdc_workers_put(workers, NULL, sizeof(uint32) * sdc_nightmarks_words(cells->column));
	column->change_count = cells->change_count;
	column->changes = sdc_workers_put(workers, cells->changes, sizeof(SdcNightChange) * (uint64) cells->change_count);
	column->flags = sdc_workers_put(workers, NULL, cells->records);
	column->redrawn = sdc_workers_put(workers, NULL, cells->records);
	column->kept_most = most_kept(cells);
	column->kept = sdc_workers_put(workers, NULL, sizeof(Datum) * (uint64) column->kept_most);
}

/* pack_step packs what the step says. */
static void
pack_step(const SdcMethodStep *step, Packed *packed)
{
	const SdcSwapMethod *method = step->arguments;

	namestrcpy(&packed->method, method->name);
	packed->parameters = *(const SdcRankParameters *) method->parameters;
	packed->continuing = *step->continuing;
	if (step->continuing->erase_within != NULL)
		packed->erase_within = *step->continuing->erase_within;
	packed->default_lot = step->default_lot;
	packed->lot = step->lot;
}

/* pack_night packs what is the same for all columns. */
static void
pack_night(SdcWorkers *workers, const SdcNight *night, Packed *packed)
{
	packed->release = night->before;
	packed->strata = night->strata;
	packed->publication = night->publication;
	packed->members = night->members;
	packed->departed = night->plan.departed;
	packed->records = night->plan.records;
	packed->number = sdc_workers_put(workers, night->plan.number, sizeof(uint32) * (uint64) night->members);
	packed->strata_plan = sdc_workers_put(workers, night->plan.stratum, sizeof(SdcContinuedStratum) * night->strata);
	if (night->stratum != NULL)
		packed->strata_of = sdc_workers_put(workers, night->stratum, sizeof(uint32) * (uint64) night->plan.records);
}

/* pack packs the work: SdcWorkersPack. */
static uint64
pack(SdcWorkers *workers, const void *arg)
{
	const SdcNightJobs *jobs = arg;
	const SdcNightCells *cells = jobs->job[0].cells;
	PackedColumn *column = palloc0(sizeof(PackedColumn) * jobs->shared);
	Packed		packed = {.columns = jobs->shared, .strata_found = cells->source->strata_found};

	for (int i = 0; i < jobs->count; i++)
		if (jobs->job[i].packed >= 0)
			pack_column(workers, &jobs->job[i], &column[jobs->job[i].packed]);
	packed.column = sdc_workers_put(workers, column, sizeof(PackedColumn) * jobs->shared);
	pack_step(cells->step, &packed);
	pack_night(workers, cells->night, &packed);
	if (jobs->stratum != NULL)
		packed.stratum = sdc_workers_put(workers, jobs->stratum, jobs->stratum_bytes);
	sdc_spool_file(cells->spool, &packed.file);
	sdc_spool_file(cells->night->released_spool, &packed.released_file);
	pfree(column);
	return sdc_workers_put(workers, &packed, sizeof(Packed));
}

/* take has a process take a task, unless another one has. */
static bool
take(PackedColumn *column, uint32 taker)
{
	uint32		expected = TASK_FREE;

	return pg_atomic_compare_exchange_u32(&column->state, &expected, taker);
}

/*
 * What a worker does
 */

/* find_members finds the member that each record is, if it is one. */
static void
find_members(SdcNight *night)
{
	SdcContinuedPlan *plan = &night->plan;

	plan->member = sdc_memory_array(plan->records, sizeof(uint32));
	for (uint32 r = 0; r < plan->records; r++)
	{
		sdc_interrupts_step(r);
		plan->member[r] = SDC_CONTINUED_NOBODY;
	}
	for (uint32 m = 0; m < night->members; m++)
	{
		sdc_interrupts_step(m);
		if (plan->number[m] != SDC_CONTINUED_NOBODY)
			plan->member[plan->number[m]] = m;
	}
}

/* begin_night fills in what a worker knows of the night and the step. */
static void
begin_night(Worker *work)
{
	const Packed *packed = work->packed;
	SdcNight   *night = &work->night;

	night->before = packed->release;
	night->strata = packed->strata;
	night->publication = packed->publication;
	night->members = packed->members;
	night->plan.departed = packed->departed;
	night->plan.records = packed->records;
	night->plan.number = sdc_workers_at(work->workers, packed->number);
	find_members(night);
	night->plan.stratum = sdc_workers_at(work->workers, packed->strata_plan);
	night->stratum = sdc_workers_at(work->workers, packed->strata_of);
	work->method = sdc_swaptable_find(NameStr(packed->method), &packed->parameters);
	work->continuing = packed->continuing;
	if (work->continuing.erase_within != NULL)
		work->continuing.erase_within = unconstify(Interval *, &packed->erase_within);
	work->step.continuing = &work->continuing;
	work->step.default_lot = packed->default_lot;
	work->step.lot = packed->lot;
}

/* begin_work fills in what all columns of a worker have in common. */
static void
begin_work(Worker *work, shm_toc *toc)
{
	const Packed *packed;
	SdcNightCells *common = &work->common;

	work->workers = sdc_workers_attach(toc);
	work->packed = packed = sdc_workers_at(work->workers, work->workers->shared->root);
	begin_night(work);
	common->spool = sdc_spool_attach(&packed->file, sdc_memory_budget() / 4);
	work->released_spool = sdc_spool_attach(&packed->released_file, sdc_memory_budget() / 4);
	work->source.strata_found = packed->strata_found;
	if (packed->stratum != 0)
		work->source.stratum = sdc_column_attach(common->spool, sdc_workers_at(work->workers, packed->stratum));
	common->step = &work->step;
	common->method = &work->method;
	common->night = &work->night;
	common->source = &work->source;
	common->random = sdc_random_attach(sdc_workers_secret(toc));
	common->arena = &work->arena;
	common->arena_context = CurrentMemoryContext;
	common->records = packed->records;
	common->taken = sdc_continued_memory(packed->records) + sizeof(uint32) * (uint64) packed->records;
	common->shared = true;
	sdc_continued_create(&common->cells, packed->records);
}

/* leave_kept leaves the original values that the release does not tell, and forgets them. */
static void
leave_kept(const Worker *work, PackedColumn *column, SdcColumn *kept)
{
	Datum	   *value = sdc_workers_at(work->workers, column->kept);
	SdcColumnReader *reader = sdc_column_open(kept);

	column->kept_count = (uint32) sdc_column_count(kept);
	if (column->kept_count > column->kept_most)
		elog(ERROR, "column keeps more values than it can");
	for (uint32 i = 0; i < column->kept_count; i++)
		(void) sdc_column_next(reader, &value[i]);
	sdc_column_close(reader);
	sdc_column_destroy(kept);
}

/* leave_cells leaves what is found of a column. */
static void
leave_cells(const Worker *work, PackedColumn *column, const SdcNightCells *cells)
{
	column->packed = cells->packed;
	sdc_workers_copy(sdc_workers_at(work->workers, column->mates), cells->cells.mate,
					 sizeof(uint32) * (uint64) cells->packed);
	sdc_workers_copy(sdc_workers_at(work->workers, column->flags), cells->cells.flags, cells->records);
	sdc_workers_copy(sdc_workers_at(work->workers, column->redrawn), cells->cells.redrawn, cells->records);
	leave_kept(work, column, cells->kept);
	column->nulls = sdc_column_null_count(cells->attribute->column);
	column->changed = cells->attribute->changed;
	column->again = cells->attribute->again;
	column->relieved = cells->relieved;
	column->differs = cells->differs;
}

/* work_on continues a column of the session's files, where the new one stays. */
static void
work_on(const Worker *work, PackedColumn *column)
{
	const SdcColumnPlaces *original = sdc_workers_at(work->workers, column->original);
	SdcAttribute attribute = {.name = column->name};
	SdcNightCells cells = work->common;

	sdc_type_lookup(&attribute.type, original->typid, InvalidOid);
	cells.attribute = &attribute;
	cells.column = &column->known;
	cells.original = sdc_column_attach(cells.spool, original);
	cells.before = sdc_column_attach(work->released_spool, sdc_workers_at(work->workers, column->before));
	cells.mates = (SdcContinuedPacked) {work->night.members, sdc_workers_at(work->workers, column->mates),
	column->mate_count};
	cells.marks = sdc_workers_at(work->workers, column->marks);
	cells.changes = sdc_workers_at(work->workers, column->changes);
	cells.change_count = column->change_count;
	cells.due = column->due;
	sdc_nightcolumn_protect(&cells);
	leave_cells(work, column, &cells);
	sdc_column_destroy(attribute.column);
	pg_write_barrier();
	pg_atomic_write_u32(&column->state, TASK_DONE);
}

/* wait_to_read waits until the session has read what the state says of a column. */
static void
wait_to_read(PackedColumn *column)
{
	while (pg_atomic_read_u32(&column->state) == TASK_UNREAD)
	{
		CHECK_FOR_INTERRUPTS();
		pg_usleep(NAP);
	}
	pg_read_barrier();
}

/* sdc_nightjobs_worker is what a worker does. */
void
sdc_nightjobs_worker(dsm_segment *segment pg_attribute_unused(), shm_toc *toc)
{
	Worker	   *work = palloc0(sizeof(Worker));
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "sdc night", ALLOCSET_DEFAULT_SIZES);
	PackedColumn *column;

	begin_work(work, toc);
	column = sdc_workers_at(work->workers, work->packed->column);
	for (int i = 0; i < work->packed->columns; i++)
	{
		MemoryContext old = MemoryContextSwitchTo(context);

		CHECK_FOR_INTERRUPTS();
		wait_to_read(&column[i]);
		if (take(&column[i], TASK_WORKER))
			work_on(work, &column[i]);
		MemoryContextSwitchTo(old);
		MemoryContextReset(context);
	}
	sdc_continued_destroy(&work->common.cells);
	sdc_free(work->night.plan.member);
	sdc_arena_free(&work->arena);
	sdc_spool_destroy(work->released_spool);
	sdc_spool_destroy(work->common.spool);
}

/*
 * What the session does
 */

/* column_of returns what is shared of a column. */
static PackedColumn *
column_of(const SdcNightJobs *jobs, int place)
{
	const Packed *packed = sdc_workers_at(jobs->workers, jobs->workers->shared->root);

	return (PackedColumn *) sdc_workers_at(jobs->workers, packed->column) + jobs->job[place].packed;
}

/* read_states reads what the state says of every column that is shared. */
static void
read_states(SdcNightJobs *jobs)
{
	for (int i = 0; i < jobs->count; i++)
	{
		SdcNightCells *cells = jobs->job[i].cells;
		PackedColumn *column;
		uint32	   *mates;
		uint32	   *marks;

		if (!cells->shared)
			continue;
		column = column_of(jobs, i);
		mates = sdc_workers_at(jobs->workers, column->mates);
		marks = sdc_workers_at(jobs->workers, column->marks);
		sdc_nightoriginals_read(cells->night, cells->column, mates, marks, cells->attribute->type.typid, cells->spool);
		cells->mates = (SdcContinuedPacked) {cells->night->members, mates, column->mate_count};
		cells->marks = marks;
		pg_write_barrier();
		pg_atomic_write_u32(&column->state, TASK_FREE);
	}
}

/* sdc_nightjobs_begin: see nightjobs.h. */
SdcNightJobs *
sdc_nightjobs_begin(SdcNightCells *const *columns, int count)
{
	SdcNightJobs *jobs = palloc0(sizeof(SdcNightJobs));
	SdcRandomShare secret;
	int			wanted;

	jobs->count = count;
	jobs->job = palloc0(sizeof(Job) * count);
	for (int i = 0; i < count; i++)
	{
		SdcNightCells *cells = columns[i];

		jobs->job[i] = (Job) {.cells = cells, .packed = -1};
		jobs->job[i].can_share = sdc_columnjobs_can_share(&cells->attribute->type, cells->original) &&
			sdc_column_can_share(cells->before);
		jobs->can_share += jobs->job[i].can_share;
	}
	wanted = workers_wanted(jobs);
	if (wanted == 0)
	{
		pfree(jobs->job);
		pfree(jobs);
		return NULL;
	}
	share_columns(jobs, wanted);
	sdc_random_share(columns[0]->random, &secret);
	jobs->workers = sdc_workers_start_secret("sdc_nightjobs_worker", wanted, pack, jobs, &secret, sizeof(secret));
	explicit_bzero(&secret, sizeof(secret));
	read_states(jobs);
	return jobs;
}

/* sdc_nightjobs_take: see nightjobs.h. */
bool
sdc_nightjobs_take(SdcNightJobs *jobs, int place)
{
	return take(column_of(jobs, place), TASK_SESSION);
}

/* sdc_nightjobs_wait: see nightjobs.h.  An error of the worker is one of the call. */
void
sdc_nightjobs_wait(SdcNightJobs *jobs, int place)
{
	SdcNightCells *cells = jobs->job[place].cells;
	PackedColumn *column = column_of(jobs, place);
	const Datum *value = sdc_workers_at(jobs->workers, column->kept);

	while (pg_atomic_read_u32(&column->state) != TASK_DONE)
	{
		CHECK_FOR_INTERRUPTS();
		(void) WaitLatch(MyLatch, WL_LATCH_SET | WL_TIMEOUT | WL_EXIT_ON_PM_DEATH, WAIT_MS, WAIT_EVENT_PARALLEL_FINISH);
		ResetLatch(MyLatch);
	}
	pg_read_barrier();
	*cells->column = column->known;
	cells->attribute->column = cells->original;
	sdc_column_replaced(cells->original, column->nulls);
	sdc_column_destroy(cells->before);
	cells->attribute->changed = column->changed;
	cells->attribute->again = column->again;
	cells->relieved = column->relieved;
	cells->differs = column->differs;
	cells->packed = column->packed;
	cells->cells.mate = sdc_workers_at(jobs->workers, column->mates);
	cells->cells.flags = sdc_workers_at(jobs->workers, column->flags);
	cells->cells.redrawn = sdc_workers_at(jobs->workers, column->redrawn);
	cells->kept = sdc_column_create(cells->spool, cells->attribute->type.typid);
	for (uint32 i = 0; i < column->kept_count; i++)
		sdc_column_append(cells->kept, value[i], false);
	sdc_column_finish(cells->kept);
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
