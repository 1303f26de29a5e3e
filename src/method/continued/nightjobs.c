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

#include "method/continued/nightjobs.h"
#include "method/continued/nightmarks.h"
#include "method/continued/nightoriginals.h"
#include "method/swaptable.h"
#include "relation/base/jobs.h"
#include "relation/base/largearray.h"
#include "relation/read/columnjobs.h"
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

/* What has become of a column, and what a worker finds; zeros at first. */
typedef struct Found
{
	pg_atomic_uint32 state;
	SdcNightColumn known;		/* the session's; its pointers mean nothing elsewhere */
	uint32		packed;			/* mates */
	uint32		kept_count;
	uint64		nulls;			/* in the release */
	uint64		changed;
	SdcContinuation	continuation;
	uint64		within_unit;
	bool		relieved;
	bool		differs;
} Found;

/* A column that is shared. */
typedef struct Task
{
	NameData	name;
	SdcNightColumn known;
	SdcColumnPlaces *original;	/* where the columns are */
	Size		original_bytes;
	SdcColumnPlaces *before;
	Size		before_bytes;
	uint32		mate_count;
	uint32	   *mates;			/* packed: those of the state, later those of the next one */
	uint32	   *marks;
	uint32		change_count;
	SdcNightChange *changes;
	bool		due;
	uint8	   *flags;
	uint8	   *redrawn;
	uint32		kept_most;
	Datum	   *kept;			/* original values that the release does not tell */
	Found	   *found;
} Task;

/* The work of a night.  A worker has of the night and the step what is used there. */
typedef struct Work
{
	SdcNight   *night;
	const SdcMethodStep *step;
	NameData	name;			/* of the method, */
	const SdcRankParameters *parameters;
	SdcSpoolFile file;
	SdcSpoolFile released_file;
	SdcColumnPlaces *stratum;	/* of that column, or NULL, */
	Size		stratum_bytes;
	uint64		strata_found;
	uint32		records;
	int			tasks;
	Task	   *task;
} Work;

/* A column as the session knows it. */
typedef struct Job
{
	SdcNightCells *cells;
	bool		can_share;
	int			task;			/* its number among those that are shared */
} Job;

struct SdcNightJobs
{
	int			count;
	int			can_share;		/* of them */
	Job		   *job;
	SdcJobs    *jobs;
};

/* What a worker has for one column after the other. */
typedef struct Worker
{
	SdcSource	source;
	SdcSwapMethod method;
	SdcSpool   *released_spool;
	SdcArena	arena;
	SdcNightCells common;
} Worker;

PGDLLEXPORT void sdc_nightjobs_process(SdcJobs *jobs, void *arg);

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

/* most_kept is how many original values the release does not tell tonight at most: no lot makes any. */
static uint32
most_kept(const SdcNightCells *cells)
{
	const SdcNight *night = cells->night;
	uint64		was = sdc_privatestate_count(night->state, cells->column->stream + SDC_NIGHTSWAP_ORIGINAL);
	uint64		joined = cells->records - (night->members - night->plan.departed);

	return (uint32) Min(was + night->plan.departed + joined + cells->change_count, cells->records);
}

/* fill_task moves a column to the files, and tells what a worker has to know of it. */
static void
fill_task(Task *task, const SdcNightCells *cells)
{
	sdc_column_spill(cells->original);
	sdc_column_spill(cells->before);
	task->original = sdc_column_places(cells->original, &task->original_bytes);
	task->before = sdc_column_places(cells->before, &task->before_bytes);
	task->name = cells->attribute->name;
	task->known = *cells->column;
	task->mate_count = (uint32) sdc_nightoriginals_mate_count(cells->night, cells->column);
	task->change_count = cells->change_count;
	task->changes = cells->changes;
	task->due = cells->due;
	task->kept_most = most_kept(cells);
}

/* fill_tasks decides which columns are shared, where the first ones are in the files most likely. */
static void
fill_tasks(SdcNightJobs *jobs, int workers, Work *work)
{
	/* the session has to read and write the state besides, so that it begins with less than its share of the work */
	int			own = Max(1, jobs->count / (workers + 1) - 1);
	int			left = jobs->can_share - Max(0, own - (jobs->count - jobs->can_share));

	work->task = palloc0(sizeof(Task) * jobs->count);
	for (int i = 0; i < jobs->count && work->tasks < left; i++)
	{
		Job		   *job = &jobs->job[i];

		if (!job->can_share)
			continue;
		job->task = work->tasks++;
		job->cells->shared = true;
		fill_task(&work->task[job->task], job->cells);
	}
}

/* fill_work tells what is the same for all columns. */
static void
fill_work(const SdcNightCells *cells, Work *work)
{
	const SdcSwapMethod *method = cells->step->arguments;
	SdcColumn  *stratum = cells->source->stratum;

	work->night = cells->night;
	work->step = cells->step;
	namestrcpy(&work->name, method->name);
	work->parameters = method->parameters;
	work->strata_found = cells->source->strata_found;
	work->records = cells->records;
	if (stratum != NULL)
	{
		sdc_column_spill(stratum);
		work->stratum = sdc_column_places(stratum, &work->stratum_bytes);
	}
	sdc_spool_file(cells->spool, &work->file);
	sdc_spool_file(cells->night->released_spool, &work->released_file);
}

/* share_task shares a column, and makes room for what is found. */
static void
share_task(SdcJobs *jobs, Task *task, uint64 records)
{
	(void) sdc_jobs_copy(jobs, &task->original, task->original_bytes, 1);
	(void) sdc_jobs_copy(jobs, &task->before, task->before_bytes, 1);
	sdc_jobs_room(jobs, &task->mates, Max(task->mate_count, records), sizeof(uint32));
	sdc_jobs_room(jobs, &task->marks, sdc_nightmarks_words(&task->known), sizeof(uint32));
	sdc_jobs_share(jobs, &task->changes, task->change_count, sizeof(SdcNightChange));
	sdc_jobs_room(jobs, &task->flags, records, 1);
	sdc_jobs_room(jobs, &task->redrawn, records, 1);
	sdc_jobs_room(jobs, &task->kept, task->kept_most, sizeof(Datum));
	sdc_jobs_room(jobs, &task->found, 1, sizeof(Found));
}

/* share_step shares what the step says. */
static void
share_step(SdcJobs *jobs, SdcMethodStep *step)
{
	SdcContinuing *continuing = sdc_jobs_copy(jobs, &step->continuing, 1, sizeof(SdcContinuing));

	*step = (SdcMethodStep) {.continuing = step->continuing, .default_lot = step->default_lot, .lot = step->lot};
	(void) sdc_jobs_copy(jobs, &continuing->erase_within, 1, sizeof(Interval));
}

/* share_night shares the plan of the night. */
static void
share_night(SdcJobs *jobs, SdcNight *night)
{
	SdcContinuedPlan plan = {.departed = night->plan.departed, .records = night->plan.records,
	.number = night->plan.number, .stratum = night->plan.stratum};
	SdcUnits   *units;

	*night = (SdcNight) {.before = night->before, .strata = night->strata, .publication = night->publication,
	.members = night->members, .stratum = night->stratum, .units = night->units, .plan = plan};
	units = sdc_jobs_copy(jobs, &night->units, 1, sizeof(SdcUnits));
	if (units != NULL)
	{
		units->start = NULL;
		sdc_jobs_share(jobs, &units->of, units->records, sizeof(uint32));
		sdc_jobs_share(jobs, &units->member, units->records, sizeof(uint32));
	}
	sdc_jobs_share(jobs, &night->plan.number, night->members, sizeof(uint32));
	sdc_jobs_share(jobs, &night->plan.stratum, night->strata, sizeof(SdcContinuedStratum));
	sdc_jobs_share(jobs, &night->stratum, night->plan.records, sizeof(uint32));
}

/* share says what there is: SdcJobsKind. */
static void
share(SdcJobs *jobs, void *arg)
{
	Work	   *work = arg;
	Task	   *task = sdc_jobs_copy(jobs, &work->task, (uint64) work->tasks, sizeof(Task));

	share_night(jobs, sdc_jobs_copy(jobs, &work->night, 1, sizeof(SdcNight)));
	share_step(jobs, sdc_jobs_copy(jobs, &work->step, 1, sizeof(SdcMethodStep)));
	(void) sdc_jobs_copy(jobs, &work->parameters, 1, sizeof(SdcRankParameters));
	(void) sdc_jobs_copy(jobs, &work->stratum, work->stratum_bytes, 1);
	for (int i = 0; i < work->tasks; i++)
		share_task(jobs, &task[i], work->records);
}

/* take has a process take a task, unless another one has. */
static bool
take(const Task *task, uint32 taker)
{
	uint32		expected = TASK_FREE;

	return pg_atomic_compare_exchange_u32(&task->found->state, &expected, taker);
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

/* begin_work fills in what all columns of a worker have in common. */
static void
begin_work(Worker *worker, SdcJobs *jobs, const Work *work)
{
	SdcNightCells *common = &worker->common;

	find_members(work->night);
	worker->method = sdc_swaptable_find(NameStr(work->name), work->parameters);
	common->spool = sdc_spool_attach(&work->file, sdc_memory_budget() / 4);
	worker->released_spool = sdc_spool_attach(&work->released_file, sdc_memory_budget() / 4);
	worker->source.strata_found = work->strata_found;
	if (work->stratum != NULL)
		worker->source.stratum = sdc_column_attach(common->spool, work->stratum);
	common->step = work->step;
	common->method = &worker->method;
	common->night = work->night;
	common->source = &worker->source;
	common->random = jobs->random;
	common->arena = &worker->arena;
	common->arena_context = CurrentMemoryContext;
	common->records = work->records;
	common->taken = sdc_continued_memory(work->records) + sizeof(uint32) * (uint64) work->records;
	common->shared = true;
	sdc_continued_create(&common->cells, work->records);
}

/* leave_kept leaves the original values that the release does not tell, and forgets them. */
static void
leave_kept(const Task *task, SdcColumn *kept)
{
	uint32		count = (uint32) sdc_column_count(kept);
	SdcColumnReader *reader = sdc_column_open(kept);

	if (count > task->kept_most)
		elog(ERROR, "column keeps more values than it can");
	for (uint32 i = 0; i < count; i++)
		(void) sdc_column_next(reader, &task->kept[i]);
	task->found->kept_count = count;
	sdc_column_close(reader);
	sdc_column_destroy(kept);
}

/* leave_cells leaves what is found of a column. */
static void
leave_cells(const Task *task, const SdcNightCells *cells)
{
	Found	   *found = task->found;

	found->known = task->known;
	found->packed = cells->packed;
	sdc_workers_copy(task->mates, cells->cells.mate, sizeof(uint32) * (uint64) cells->packed);
	sdc_workers_copy(task->flags, cells->cells.flags, cells->records);
	sdc_workers_copy(task->redrawn, cells->cells.redrawn, cells->records);
	leave_kept(task, cells->kept);
	found->nulls = sdc_column_null_count(cells->attribute->column);
	found->changed = cells->attribute->changed;
	found->continuation = cells->attribute->continuation;
	found->within_unit = cells->attribute->within_unit;
	found->relieved = cells->relieved;
	found->differs = cells->differs;
}

/* work_on continues a column of the session's files, where the new one stays. */
static void
work_on(const Worker *worker, Task *task)
{
	SdcAttribute attribute = {.name = task->name};
	SdcNightCells cells = worker->common;

	sdc_type_lookup(&attribute.type, task->original->typid, InvalidOid);
	cells.attribute = &attribute;
	cells.column = &task->known;
	cells.original = sdc_column_attach(cells.spool, task->original);
	cells.before = sdc_column_attach(worker->released_spool, task->before);
	cells.mates = (SdcContinuedPacked) {cells.night->members, task->mates, task->mate_count};
	cells.marks = task->marks;
	cells.changes = task->changes;
	cells.change_count = task->change_count;
	cells.due = task->due;
	sdc_nightcolumn_protect(&cells);
	leave_cells(task, &cells);
	sdc_column_destroy(attribute.column);
	pg_write_barrier();
	pg_atomic_write_u32(&task->found->state, TASK_DONE);
}

/* wait_to_read waits until the session has read what the state says of a column. */
static void
wait_to_read(const Task *task)
{
	while (pg_atomic_read_u32(&task->found->state) == TASK_UNREAD)
	{
		CHECK_FOR_INTERRUPTS();
		pg_usleep(NAP);
	}
	pg_read_barrier();
}

/* sdc_nightjobs_process is what a worker does, and not the session (below): SdcJobsKind. */
void
sdc_nightjobs_process(SdcJobs *jobs, void *arg)
{
	Work	   *work = arg;
	Worker	   *worker;
	MemoryContext context;

	if (!IsParallelWorker())
		return;
	worker = palloc0(sizeof(Worker));
	context = AllocSetContextCreate(CurrentMemoryContext, "sdc night", ALLOCSET_DEFAULT_SIZES);
	begin_work(worker, jobs, work);
	for (int i = 0; i < work->tasks; i++)
	{
		MemoryContext old = MemoryContextSwitchTo(context);

		CHECK_FOR_INTERRUPTS();
		wait_to_read(&work->task[i]);
		if (take(&work->task[i], TASK_WORKER))
			work_on(worker, &work->task[i]);
		MemoryContextSwitchTo(old);
		MemoryContextReset(context);
	}
	sdc_continued_destroy(&worker->common.cells);
	sdc_free(work->night->plan.member);
	sdc_arena_free(&worker->arena);
	sdc_spool_destroy(worker->released_spool);
	sdc_spool_destroy(worker->common.spool);
}

/*
 * What the session does
 */

/* task_of returns what is shared of a column. */
static Task *
task_of(const SdcNightJobs *jobs, int place)
{
	return &((Work *) jobs->jobs->work)->task[jobs->job[place].task];
}

/* read_states reads what the state says of every column that is shared. */
static void
read_states(SdcNightJobs *jobs)
{
	for (int i = 0; i < jobs->count; i++)
	{
		SdcNightCells *cells = jobs->job[i].cells;
		Task	   *task;

		if (!cells->shared)
			continue;
		task = task_of(jobs, i);
		sdc_nightoriginals_read(cells->night, cells->column, task->mates, task->marks, cells->attribute->type.typid,
								cells->spool);
		cells->mates = (SdcContinuedPacked) {cells->night->members, task->mates, task->mate_count};
		cells->marks = task->marks;
		pg_write_barrier();
		pg_atomic_write_u32(&task->found->state, TASK_FREE);
	}
}

/* sdc_nightjobs_begin: see nightjobs.h. */
SdcNightJobs *
sdc_nightjobs_begin(SdcNightCells *const *columns, int count)
{
	static const SdcJobsKind kind = {.process = sdc_nightjobs_process, .name = "sdc_nightjobs_process", .share = share,
	.size = sizeof(Work)};
	SdcNightJobs *jobs = palloc0(sizeof(SdcNightJobs));
	Work		work = {.night = NULL};
	int			wanted;

	jobs->count = count;
	jobs->job = palloc0(sizeof(Job) * count);
	for (int i = 0; i < count; i++)
	{
		SdcNightCells *cells = columns[i];

		jobs->job[i] = (Job) {.cells = cells};
		jobs->job[i].can_share = !cells->column->begins &&
			sdc_columnjobs_can_share(&cells->attribute->type, cells->original) && sdc_column_can_share(cells->before);
		jobs->can_share += jobs->job[i].can_share;
	}
	wanted = workers_wanted(jobs);
	if (wanted == 0)
		return NULL;
	fill_tasks(jobs, wanted, &work);
	fill_work(columns[0], &work);
	jobs->jobs = sdc_jobs_begin(&kind, &work, wanted, columns[0]->random, 0);
	if (sdc_jobs_shared(jobs->jobs))
	{
		read_states(jobs);
		return jobs;
	}
	for (int i = 0; i < count; i++)
		columns[i]->shared = false;
	sdc_jobs_finish(jobs->jobs);
	return NULL;
}

/* sdc_nightjobs_take: see nightjobs.h. */
bool
sdc_nightjobs_take(SdcNightJobs *jobs, int place)
{
	return take(task_of(jobs, place), TASK_SESSION);
}

/* sdc_nightjobs_wait: see nightjobs.h.  An error of the worker is one of the call. */
void
sdc_nightjobs_wait(SdcNightJobs *jobs, int place)
{
	SdcNightCells *cells = jobs->job[place].cells;
	const Task *task = task_of(jobs, place);
	const Found *found = task->found;

	while (pg_atomic_read_u32(&task->found->state) != TASK_DONE)
	{
		CHECK_FOR_INTERRUPTS();
		(void) WaitLatch(MyLatch, WL_LATCH_SET | WL_TIMEOUT | WL_EXIT_ON_PM_DEATH, WAIT_MS, WAIT_EVENT_PARALLEL_FINISH);
		ResetLatch(MyLatch);
	}
	pg_read_barrier();
	*cells->column = found->known;
	cells->attribute->column = cells->original;
	sdc_column_replaced(cells->original, found->nulls);
	sdc_column_destroy(cells->before);
	cells->attribute->changed = found->changed;
	cells->attribute->continuation = found->continuation;
	cells->attribute->within_unit = found->within_unit;
	cells->attribute->counted_within = cells->night->units != NULL;
	cells->relieved = found->relieved;
	cells->differs = found->differs;
	cells->packed = found->packed;
	cells->cells.mate = task->mates;
	cells->cells.flags = task->flags;
	cells->cells.redrawn = task->redrawn;
	cells->kept = sdc_column_create(cells->spool, cells->attribute->type.typid);
	for (uint32 i = 0; i < found->kept_count; i++)
		sdc_column_append(cells->kept, task->kept[i], false);
	sdc_column_finish(cells->kept);
}

/* sdc_nightjobs_end: see nightjobs.h. */
void
sdc_nightjobs_end(SdcNightJobs *jobs)
{
	if (jobs != NULL)
		sdc_jobs_finish(jobs->jobs);
}
