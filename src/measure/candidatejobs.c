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

#include "measure/candidatejobs.h"
#include "relation/memory.h"

/* Records are dealt to shares in blocks of so many. */
#define BLOCK 64

/* A sample of less than one in so many is not divided (attackjobs.c). */
#define SAMPLE_LEAST 4

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

/* An array that is packed; without workers yet, its size is counted only. */
typedef struct Array
{
	const void *data;
	uint64		offset;
} Array;

typedef struct Packing
{
	SdcWorkers *workers;		/* NULL: bytes are counted */
	uint64		bytes;
	Array	   *array;
	int			arrays;
	int			space;
} Packing;

PGDLLEXPORT void sdc_candidatejobs_worker(dsm_segment *segment, shm_toc *toc);

/* put packs bytes, or zeros for data NULL, and returns their offset. */
static uint64
put(Packing *packing, const void *data, uint64 bytes)
{
	packing->bytes += sdc_workers_bytes(bytes);
	if (packing->workers == NULL)
		return 1;
	return data == NULL ? sdc_workers_reserve(packing->workers, bytes) : sdc_workers_put(packing->workers, data, bytes);
}

/* put_array packs an array once, however often it is named. */
static uint64
put_array(Packing *packing, const void *data, uint64 count, Size size)
{
	if (data == NULL)
		return 0;
	for (int i = 0; i < packing->arrays; i++)
		if (packing->array[i].data == data)
			return packing->array[i].offset;
	CHECK_FOR_INTERRUPTS();
	if (packing->arrays == packing->space)
	{
		packing->space = Max(2 * packing->space, 32);
		packing->array = packing->array == NULL ? palloc(sizeof(Array) * packing->space) :
			repalloc(packing->array, sizeof(Array) * packing->space);
	}
	packing->array[packing->arrays].data = data;
	packing->array[packing->arrays].offset = put(packing, data, count * size);
	return packing->array[packing->arrays++].offset;
}

/* pack_column packs what a column's kind says that there is. */
static void
pack_column(Packing *packing, const SdcCandidatesTask *task, const SdcCandidatesColumn *column, PackedColumn *packed)
{
	SdcCandidatesKind kind = column->kind;

	packed->column = *column;
	packed->original = put_array(packing, column->original, task->records, sizeof(uint32));
	if (kind != SDC_CANDIDATES_RANGE && kind != SDC_CANDIDATES_SET)
		packed->protected = put_array(packing, column->protected, task->records, sizeof(uint32));
	if (kind == SDC_CANDIDATES_WINDOW || kind == SDC_CANDIDATES_UNKNOWN)
		packed->value = put_array(packing, column->value, column->codes, sizeof(double));
	if (kind == SDC_CANDIDATES_WINDOW)
	{
		packed->window = put_array(packing, column->window, task->records, sizeof(SdcInterval));
		packed->wide = put_array(packing, column->wide, task->records, sizeof(SdcInterval));
	}
	if (kind == SDC_CANDIDATES_RANDOMIZED)
		packed->share = put_array(packing, column->share, column->codes, sizeof(double));
	if (kind == SDC_CANDIDATES_RANGE)
		packed->range = put_array(packing, column->range, task->groups, sizeof(SdcInterval));
	if (kind == SDC_CANDIDATES_SET)
	{
		packed->start = put_array(packing, column->start, (uint64) task->groups + 1, sizeof(uint64));
		packed->element = put_array(packing, column->element, column->start[task->groups], sizeof(uint32));
	}
}

/* pack_job packs a job. */
static void
pack_job(Packing *packing, const SdcCandidatesJob *job, uint32 count, PackedJob *packed)
{
	const SdcCandidatesTask *task = job->task;
	PackedColumn *column = palloc0(sizeof(PackedColumn) * task->count);
	PackedJoint *joint = palloc0(sizeof(PackedJoint) * Max(task->joints, 1));

	packed->task = *task;
	packed->attack = job->attack;
	for (int j = 0; j < task->count; j++)
		pack_column(packing, task, &task->column[j], &column[j]);
	for (int j = 0; j < task->joints; j++)
	{
		joint[j].bin = put_array(packing, task->joint[j].bin, task->records, sizeof(uint32));
		joint[j].bins = task->joint[j].bins;
	}
	packed->column = put(packing, column, sizeof(PackedColumn) * task->count);
	packed->joint = put(packing, joint, sizeof(PackedJoint) * Max(task->joints, 1));
	packed->stratum = put_array(packing, task->stratum, task->records, sizeof(uint32));
	packed->group = put_array(packing, task->group, task->records, sizeof(uint32));
	packed->draw = put_array(packing, task->draw, Max(task->draws, 1), sizeof(SdcCandidatesDraw));
	packed->link = put(packing, NULL, (uint64) count * sizeof(SdcCandidatesLink));
}

/* pack packs the work; without workers it counts the bytes. */
static uint64
pack(Packing *packing, const SdcCandidatesWork *work, uint32 shares)
{
	const SdcEvaluation *evaluation = work->evaluation;
	Packed		packed = {.count = evaluation->count, .jobs = work->jobs, .shares = shares};
	PackedJob  *job = palloc0(sizeof(PackedJob) * work->jobs);

	for (int j = 0; j < work->jobs; j++)
		pack_job(packing, &work->job[j], evaluation->count, &job[j]);
	packed.record = put_array(packing, evaluation->record, evaluation->count, sizeof(uint32));
	packed.job = put(packing, job, sizeof(PackedJob) * work->jobs);
	return put(packing, &packed, sizeof(Packed));
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
	task->group = sdc_workers_at(workers, job->group);
	task->draw = sdc_workers_at(workers, job->draw);
}

/* run_share attacks a share of the records. */
static void
run_share(const SdcWorkers *workers, const Packed *packed, const PackedJob *job, uint32 share)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "sdc attack", ALLOCSET_DEFAULT_SIZES);
	MemoryContext old = MemoryContextSwitchTo(context);
	const uint32 *all = sdc_workers_at(workers, packed->record);
	SdcCandidatesLink *link = sdc_workers_at(workers, job->link);
	uint64		most = packed->count / packed->shares + BLOCK;
	uint32	   *place = sdc_memory_array(most, sizeof(uint32));
	uint32	   *record = sdc_memory_array(most, sizeof(uint32));
	SdcCandidatesLink *found = sdc_memory_array(most, sizeof(SdcCandidatesLink));
	uint32		count = 0;
	SdcCandidatesTask task;

	for (uint64 start = (uint64) share * BLOCK; start < packed->count; start += (uint64) packed->shares * BLOCK)
		for (uint64 i = start; i < Min(start + BLOCK, packed->count); i++)
		{
			place[count] = (uint32) i;
			record[count++] = all == NULL ? (uint32) i : all[i];
		}
	unpack_task(workers, job, &task);
	sdc_candidates_run(&task, job->attack, record, count, found);
	for (uint32 i = 0; i < count; i++)
		link[place[i]] = found[i];
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
	Packing		packing = {0};
	uint32		shares = 1;
	int			wanted = 0;

	work->workers = NULL;
	if (work->jobs > 0)
		wanted = sdc_workers_wanted((uint64) evaluation->count * work->job[0].task->count * work->jobs);
	if (work->jobs > 0 && evaluation->count >= work->job[0].task->records / SAMPLE_LEAST)
		shares = (uint32) wanted + 1;
	wanted = Min(wanted, (int) shares * work->jobs);
	if (wanted == 0)
		return;
	(void) pack(&packing, work, shares);
	work->workers = packing.workers = sdc_workers_create("sdc_candidatejobs_worker", wanted, packing.bytes);
	packing.arrays = 0;
	sdc_workers_launch(work->workers, pack(&packing, work, shares));
}

/* sdc_candidatejobs_finish: see candidatejobs.h. */
void
sdc_candidatejobs_finish(SdcCandidatesWork *work)
{
	const SdcEvaluation *evaluation = work->evaluation;
	const Packed *packed;
	const PackedJob *job;

	if (work->workers == NULL)
	{
		for (int j = 0; j < work->jobs; j++)
			sdc_candidates_run(work->job[j].task, work->job[j].attack, evaluation->record, evaluation->count,
							   work->job[j].link);
		return;
	}
	take_tasks(work->workers);
	sdc_workers_finish(work->workers);
	packed = sdc_workers_at(work->workers, work->workers->shared->root);
	job = sdc_workers_at(work->workers, packed->job);
	for (int j = 0; j < work->jobs; j++)
		memcpy(work->job[j].link, sdc_workers_at(work->workers, job[j].link),
			   (Size) evaluation->count * sizeof(SdcCandidatesLink));
	sdc_workers_destroy(work->workers);
}
