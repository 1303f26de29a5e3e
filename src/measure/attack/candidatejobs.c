/*-------------------------------------------------------------------------
 *
 * candidatejobs.c
 *		Attacks by all that is known of a release, run by this process or shared with parallel workers.
 *
 * As in attackjobs.c a task is a share of the records for one attack, and every process makes the trees and bitmaps
 * that it needs by itself. What several attacks know in common is packed once.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "measure/attack/candidatejobs.h"
#include "relation/base/memory.h"
#include "relation/base/progress.h"

/* The arrays of a column: offsets in the memory that processes share. */
typedef struct PackedColumn
{
	SdcCandidatesColumn column;
	uint64		original;
	uint64		protected;
	uint64		value;
	uint64		window;
	uint64		wide;
	uint64		share;
	uint64		range;
	uint64		start;
	uint64		element;
} PackedColumn;

typedef struct PackedJoint
{
	uint64		bin;
	uint32		bins;
} PackedJoint;

typedef struct PackedJob
{
	SdcCandidatesTask task;
	SdcCandidatesAttack attack;
	uint64		column;
	uint64		stratum;
	uint64		astray;
	uint64		group;
	uint64		draw;
	uint64		joint;
	uint64		link;
} PackedJob;

typedef struct Packed
{
	uint32		count;
	uint64		record;
	uint64		job;
	int			jobs;
	uint32		shares;
} Packed;

/* The work, and how it is divided, as it is packed. */
typedef struct Packing
{
	const SdcCandidatesWork *work;
	uint32		shares;
} Packing;

PGDLLEXPORT void sdc_candidatejobs_worker(dsm_segment *segment, shm_toc *toc);

/* pack_column packs what a column's kind says that there is. */
static void
pack_column(SdcWorkers *workers, const SdcCandidatesTask *task, const SdcCandidatesColumn *column, PackedColumn *packed)
{
	SdcCandidatesKind kind = column->kind;

	packed->column = *column;
	packed->original = sdc_workers_put_array(workers, column->original, task->records, sizeof(uint32));
	if (kind != SDC_CANDIDATES_RANGE && kind != SDC_CANDIDATES_SET)
		packed->protected = sdc_workers_put_array(workers, column->protected, task->records, sizeof(uint32));
	if (kind == SDC_CANDIDATES_WINDOW || kind == SDC_CANDIDATES_UNKNOWN)
		packed->value = sdc_workers_put_array(workers, column->value, column->codes, sizeof(double));
	if (kind == SDC_CANDIDATES_WINDOW)
	{
		packed->window = sdc_workers_put_array(workers, column->window, task->records, sizeof(SdcInterval));
		packed->wide = sdc_workers_put_array(workers, column->wide, task->records, sizeof(SdcInterval));
	}
	if (kind == SDC_CANDIDATES_RANDOMIZED)
		packed->share = sdc_workers_put_array(workers, column->share, column->codes, sizeof(double));
	if (kind == SDC_CANDIDATES_RANGE)
		packed->range = sdc_workers_put_array(workers, column->range, task->groups, sizeof(SdcInterval));
	if (kind == SDC_CANDIDATES_SET)
	{
		packed->start = sdc_workers_put_array(workers, column->start, (uint64) task->groups + 1, sizeof(uint64));
		packed->element = sdc_workers_put_array(workers, column->element, column->start[task->groups], sizeof(uint32));
	}
}

/* pack_job packs a job. */
static void
pack_job(SdcWorkers *workers, const SdcCandidatesJob *job, uint32 count, PackedJob *packed)
{
	const SdcCandidatesTask *task = job->task;
	PackedColumn *column = palloc0(sizeof(PackedColumn) * task->count);
	PackedJoint *joint = palloc0(sizeof(PackedJoint) * Max(task->joints, 1));

	packed->task = *task;
	packed->attack = job->attack;
	for (int j = 0; j < task->count; j++)
		pack_column(workers, task, &task->column[j], &column[j]);
	for (int j = 0; j < task->joints; j++)
	{
		joint[j].bin = sdc_workers_put_array(workers, task->joint[j].bin, task->records, sizeof(uint32));
		joint[j].bins = task->joint[j].bins;
	}
	packed->column = sdc_workers_put(workers, column, sizeof(PackedColumn) * task->count);
	packed->joint = sdc_workers_put(workers, joint, sizeof(PackedJoint) * Max(task->joints, 1));
	packed->stratum = sdc_workers_put_array(workers, task->stratum, task->records, sizeof(uint32));
	packed->astray = sdc_workers_put_array(workers, task->astray, task->records, sizeof(bool));
	packed->group = sdc_workers_put_array(workers, task->group, task->records, sizeof(uint32));
	packed->draw = sdc_workers_put_array(workers, task->draw, Max(task->draws, 1), sizeof(SdcCandidatesDraw));
	packed->link = sdc_workers_put(workers, NULL, (uint64) count * sizeof(SdcCandidatesLink));
}

/* pack packs the work: SdcWorkersPack. */
static uint64
pack(SdcWorkers *workers, const void *arg)
{
	const Packing *packing = arg;
	const SdcCandidatesWork *work = packing->work;
	const SdcEvaluation *evaluation = work->evaluation;
	Packed		packed = {.count = evaluation->count, .jobs = work->jobs, .shares = packing->shares};
	PackedJob  *job = palloc0(sizeof(PackedJob) * work->jobs);

	for (int j = 0; j < work->jobs; j++)
		pack_job(workers, &work->job[j], evaluation->count, &job[j]);
	packed.record = sdc_workers_put_array(workers, evaluation->record, evaluation->count, sizeof(uint32));
	packed.job = sdc_workers_put(workers, job, sizeof(PackedJob) * work->jobs);
	return sdc_workers_put(workers, &packed, sizeof(Packed));
}

/* unpack_task makes a task of what is packed. */
static void
unpack_task(const SdcWorkers *workers, const PackedJob *job, SdcCandidatesTask *task)
{
	const PackedColumn *from = sdc_workers_at(workers, job->column);
	const PackedJoint *joint = sdc_workers_at(workers, job->joint);
	SdcCandidatesColumn *column = palloc0(sizeof(SdcCandidatesColumn) * job->task.count);
	SdcCandidatesJoint *joints = palloc0(sizeof(SdcCandidatesJoint) * Max(job->task.joints, 1));

	*task = job->task;
	for (int j = 0; j < task->count; j++)
	{
		column[j] = from[j].column;
		column[j].original = sdc_workers_at(workers, from[j].original);
		column[j].protected = sdc_workers_at(workers, from[j].protected);
		column[j].value = sdc_workers_at(workers, from[j].value);
		column[j].window = sdc_workers_at(workers, from[j].window);
		column[j].wide = sdc_workers_at(workers, from[j].wide);
		column[j].share = sdc_workers_at(workers, from[j].share);
		column[j].range = sdc_workers_at(workers, from[j].range);
		column[j].start = sdc_workers_at(workers, from[j].start);
		column[j].element = sdc_workers_at(workers, from[j].element);
	}
	for (int j = 0; j < task->joints; j++)
		joints[j] = (SdcCandidatesJoint) {sdc_workers_at(workers, joint[j].bin), joint[j].bins};
	task->column = column;
	task->joint = joints;
	task->stratum = sdc_workers_at(workers, job->stratum);
	task->astray = sdc_workers_at(workers, job->astray);
	task->group = sdc_workers_at(workers, job->group);
	task->draw = sdc_workers_at(workers, job->draw);
}

/* run_share attacks a share of the records. */
static void
run_share(const SdcWorkers *workers, const Packed *packed, const PackedJob *job, uint32 share)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "sdc attack", ALLOCSET_DEFAULT_SIZES);
	MemoryContext old = MemoryContextSwitchTo(context);
	const SdcEvaluation all = {.record = sdc_workers_at(workers, packed->record), .count = packed->count};
	SdcCandidatesLink *link = sdc_workers_at(workers, job->link);
	SdcCandidatesLink *found;
	SdcEvaluation part;
	SdcCandidatesTask task;

	sdc_evaluation_share(&all, share, packed->shares, &part);
	sdc_progress_span(pg_atomic_read_u64(&workers->shared->done), part.count);
	found = sdc_memory_array(part.count, sizeof(SdcCandidatesLink));
	unpack_task(workers, job, &task);
	sdc_candidates_run(&task, job->attack, part.record, part.count, found);
	for (uint32 i = 0; i < part.count; i++)
	{
		sdc_interrupts_step(i);
		link[sdc_evaluation_place(share, packed->shares, i)] = found[i];
	}
	(void) pg_atomic_add_fetch_u64(&workers->shared->done, part.count);
	MemoryContextSwitchTo(old);
	MemoryContextDelete(context);
}

/* take_tasks does what one process does. */
static void
take_tasks(SdcWorkers *workers)
{
	const Packed *packed = sdc_workers_at(workers, workers->shared->root);
	const PackedJob *job = sdc_workers_at(workers, packed->job);
	uint32		task;

	while (sdc_workers_next(workers, (uint32) packed->jobs * packed->shares, &task))
		run_share(workers, packed, &job[task / packed->shares], task % packed->shares);
}

/* sdc_candidatejobs_worker is what a worker does. */
void
sdc_candidatejobs_worker(dsm_segment *segment pg_attribute_unused(), shm_toc *toc)
{
	take_tasks(sdc_workers_attach(toc));
}

/* sdc_candidatejobs_begin: see candidatejobs.h. */
void
sdc_candidatejobs_begin(SdcCandidatesWork *work)
{
	const SdcEvaluation *evaluation = work->evaluation;
	const SdcCandidatesTask *task;
	Packing		packing = {.work = work};
	int			wanted;

	work->workers = NULL;
	if (work->jobs == 0)
		return;
	task = work->job[0].task;
	wanted = sdc_workers_wanted((uint64) evaluation->count * task->count * work->jobs);
	packing.shares = sdc_evaluation_shares(evaluation, task->records, wanted + 1);
	wanted = Min(wanted, (int) packing.shares * work->jobs);
	if (wanted > 0)
		work->workers = sdc_workers_start("sdc_candidatejobs_worker", wanted, pack, &packing);
}

/* tell_done tells others how many records are attacked: sdc_workers_tell. */
static void
tell_done(void *arg, uint64 done)
{
	(void) arg;
	sdc_progress_records(done);
}

/* sdc_candidatejobs_finish: see candidatejobs.h. */
void
sdc_candidatejobs_finish(SdcCandidatesWork *work)
{
	const SdcEvaluation *evaluation = work->evaluation;
	const Packed *packed;
	const PackedJob *job;

	sdc_progress_evaluating(evaluation->count, work->jobs);
	if (work->workers == NULL)
	{
		for (int j = 0; j < work->jobs; j++)
		{
			sdc_candidates_run(work->job[j].task, work->job[j].attack, evaluation->record, evaluation->count,
							   work->job[j].link);
			sdc_progress_next_part();
		}
		return;
	}
	sdc_workers_tell(work->workers, tell_done, NULL);
	take_tasks(work->workers);
	sdc_workers_finish(work->workers);
	packed = sdc_workers_at(work->workers, work->workers->shared->root);
	job = sdc_workers_at(work->workers, packed->job);
	for (int j = 0; j < work->jobs; j++)
		sdc_workers_copy(work->job[j].link, sdc_workers_at(work->workers, job[j].link),
						 (uint64) evaluation->count * sizeof(SdcCandidatesLink));
	sdc_workers_destroy(work->workers);
}
