/*-------------------------------------------------------------------------
 *
 * candidatejobs.c
 *		Attacks by all that is known of a release, run by this process or shared with parallel workers.
 *
 * As in attackjobs.c a task is a share of the records for one attack, and every process makes the trees and bitmaps
 * that it needs by itself. What several attacks know in common is shared once.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "measure/attack/candidatejobs.h"
#include "relation/base/memory.h"
#include "relation/base/progress.h"

PGDLLEXPORT void sdc_candidatejobs_process(SdcJobs *jobs, void *arg);

/* share_column shares a column; some kinds have codes and numbers that nobody looks at. */
static void
share_column(SdcJobs *jobs, const SdcCandidatesTask *task, SdcCandidatesColumn *column)
{
	SdcCandidatesKind kind = column->kind;
	uint64		elements = kind == SDC_CANDIDATES_SET ? column->start[task->groups] : 0;

	if (kind == SDC_CANDIDATES_RANGE || kind == SDC_CANDIDATES_SET)
		column->protected = NULL;
	if (kind != SDC_CANDIDATES_WINDOW && kind != SDC_CANDIDATES_UNKNOWN && kind != SDC_CANDIDATES_RANDOMIZED)
		column->value = NULL;
	sdc_jobs_share(jobs, &column->original, task->records, sizeof(uint32));
	sdc_jobs_share(jobs, &column->protected, task->records, sizeof(uint32));
	sdc_jobs_share(jobs, &column->value, column->codes, sizeof(double));
	sdc_jobs_share(jobs, &column->window, task->records, sizeof(SdcInterval));
	sdc_jobs_share(jobs, &column->wide, task->records, sizeof(SdcInterval));
	sdc_jobs_share(jobs, &column->share, column->codes, sizeof(double));
	sdc_jobs_share(jobs, &column->law, (uint64) column->codes * column->codes, sizeof(double));
	sdc_jobs_share(jobs, &column->range, task->groups, sizeof(SdcInterval));
	sdc_jobs_share(jobs, &column->start, (uint64) task->groups + 1, sizeof(uint64));
	sdc_jobs_share(jobs, &column->element, elements, sizeof(uint32));
}

/* share_task shares what is known. */
static void
share_task(SdcJobs *jobs, SdcCandidatesTask *task)
{
	SdcCandidatesColumn *column = sdc_jobs_copy(jobs, &task->column, (uint64) task->count, sizeof(SdcCandidatesColumn));
	SdcCandidatesJoint *joint = sdc_jobs_copy(jobs, &task->joint, (uint64) task->joints, sizeof(SdcCandidatesJoint));

	for (int j = 0; j < task->count; j++)
		share_column(jobs, task, &column[j]);
	for (int j = 0; j < task->joints; j++)
		sdc_jobs_share(jobs, &joint[j].bin, task->records, sizeof(uint32));
	(void) sdc_jobs_copy(jobs, &task->draw, (uint64) task->draws, sizeof(SdcCandidatesDraw));
	sdc_jobs_share(jobs, &task->stratum, task->records, sizeof(uint32));
	sdc_jobs_share(jobs, &task->astray, task->records, sizeof(bool));
	sdc_jobs_share(jobs, &task->group, task->records, sizeof(uint32));
}

/* share_units shares what is known of units, and of their records. */
static void
share_units(SdcJobs *jobs, SdcUnitLinksTask *task)
{
	SdcUnits   *units = sdc_jobs_copy(jobs, &task->units, 1, sizeof(SdcUnits));
	SdcUnitWhole *whole = sdc_jobs_copy(jobs, &task->whole, (uint64) task->wholes, sizeof(SdcUnitWhole));

	for (int w = 0; w < task->wholes; w++)
	{
		sdc_jobs_share(jobs, &whole[w].original, units->count, sizeof(uint32));
		sdc_jobs_share(jobs, &whole[w].protected, units->count, sizeof(uint32));
		sdc_jobs_share(jobs, &whole[w].window, units->count, sizeof(SdcInterval));
		sdc_jobs_share(jobs, &whole[w].wide, units->count, sizeof(SdcInterval));
	}
	share_task(jobs, &task->records);
	sdc_jobs_share(jobs, &units->of, units->records, sizeof(uint32));
	sdc_jobs_share(jobs, &units->start, (uint64) units->count + 1, sizeof(uint32));
	sdc_jobs_share(jobs, &units->member, units->records, sizeof(uint32));
}

/* share says what there is: SdcJobsKind. */
static void
share(SdcJobs *jobs, void *arg)
{
	SdcCandidatesWork *work = arg;
	SdcEvaluation *evaluation = sdc_jobs_copy(jobs, &work->evaluation, 1, sizeof(SdcEvaluation));
	SdcCandidatesJob *job = sdc_jobs_copy(jobs, &work->job, (uint64) work->jobs, sizeof(SdcCandidatesJob));

	*evaluation = (SdcEvaluation) {.record = evaluation->record, .count = evaluation->count};
	sdc_jobs_share(jobs, &evaluation->record, evaluation->count, sizeof(uint32));
	for (int j = 0; j < work->jobs; j++)
	{
		if (job[j].units != NULL)
			share_units(jobs, sdc_jobs_copy(jobs, &job[j].units, 1, sizeof(SdcUnitLinksTask)));
		else
			share_task(jobs, sdc_jobs_copy(jobs, &job[j].task, 1, sizeof(SdcCandidatesTask)));
		sdc_jobs_result(jobs, &job[j].link, evaluation->count, sizeof(SdcCandidatesLink));
	}
}

/* run_share attacks a share of the records. */
static void
run_share(SdcJobs *jobs, const SdcCandidatesWork *work, const SdcCandidatesJob *job, uint32 share)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "sdc attack", ALLOCSET_DEFAULT_SIZES);
	MemoryContext old = MemoryContextSwitchTo(context);
	SdcCandidatesLink *found = job->link;
	SdcEvaluation part;

	sdc_evaluation_share(work->evaluation, share, work->shares, &part);
	sdc_progress_span(sdc_jobs_done(jobs), part.count);
	if (work->shares > 1)
		found = sdc_memory_array(part.count, sizeof(SdcCandidatesLink));
	if (job->units != NULL)
		sdc_unitlinks_run(job->units, job->attack, part.record, part.count, found);
	else
		sdc_candidates_run(job->task, job->attack, part.record, part.count, found);
	for (uint32 i = 0; i < part.count && work->shares > 1; i++)
	{
		sdc_interrupts_step(i);
		job->link[sdc_evaluation_place(share, work->shares, i)] = found[i];
	}
	sdc_jobs_count(jobs, part.count);
	MemoryContextSwitchTo(old);
	MemoryContextDelete(context);
}

/* sdc_candidatejobs_process is what one process does: SdcJobsKind. */
void
sdc_candidatejobs_process(SdcJobs *jobs, void *arg)
{
	const SdcCandidatesWork *work = arg;
	uint32		task;

	while (sdc_jobs_next(jobs, (uint32) work->jobs * work->shares, &task))
		run_share(jobs, work, &work->job[task / work->shares], task % work->shares);
}

/* tell_done tells others how many records are attacked: SdcJobsKind. */
static void
tell_done(void *arg pg_attribute_unused(), uint64 done)
{
	sdc_progress_records(done);
}

/* sdc_candidatejobs_begin: see candidatejobs.h. */
SdcJobs *
sdc_candidatejobs_begin(SdcCandidatesWork *work)
{
	static const SdcJobsKind kind = {.process = sdc_candidatejobs_process, .name = "sdc_candidatejobs_process",
	.share = share, .size = sizeof(SdcCandidatesWork), .tell = tell_done};
	const SdcEvaluation *evaluation = work->evaluation;
	int			wanted = 0;

	work->shares = 1;
	if (work->jobs > 0)
	{
		const SdcUnitLinksTask *units = work->job[0].units;
		const SdcCandidatesTask *task = units != NULL ? &units->records : work->job[0].task;

		wanted = sdc_workers_wanted((uint64) evaluation->count * (uint64) task->count * (uint64) work->jobs);
		work->shares = sdc_evaluation_shares(evaluation, units != NULL ? units->units->count : task->records,
											 wanted + 1);
	}
	return sdc_jobs_begin(&kind, work, Min(wanted, (int) work->shares * work->jobs), NULL, 0);
}

/* sdc_candidatejobs_finish: see candidatejobs.h. */
void
sdc_candidatejobs_finish(SdcJobs *jobs, const SdcCandidatesWork *work)
{
	sdc_progress_evaluating(work->evaluation->count, work->jobs);
	sdc_jobs_finish(jobs);
}
