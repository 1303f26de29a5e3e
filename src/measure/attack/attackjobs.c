/*-------------------------------------------------------------------------
 *
 * attackjobs.c
 *		Attacks on a release, run by this process or shared with parallel workers.
 *
 * A task is a share of a job (evaluation.h), of which each process has one: they make the trees that the attacks
 * search, and count the patterns of all pairs, together (kernel/base/team.h), one attack after the other.  Where
 * temp_file_limit has no room for these trees each process makes its own.  Of a small sample a task is a job, and
 * processes take jobs until there are none left.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "kernel/distance/nearprefix.h"
#include "measure/attack/attackjobs.h"
#include "relation/base/jobs.h"
#include "relation/base/memory.h"
#include "relation/base/progress.h"

/* What members of a team tell each other beside trees: numbers, and patterns where there are few. */
#define TEAM_LEAST ((uint64) 1024 * 1024)

/* One task. */
typedef struct Task
{
	const SdcAttackWork *work;
	const SdcAttackJob *job;
	uint32		share;			/* its number, */
	uint32		shares;			/* and how many there are of the job */
	SdcTeam    *team;			/* of those that have them, or NULL */
	SdcEvaluation evaluation;	/* the records of this share */
	SdcShareSum *sum[SDC_ATTACK_RESULTS];	/* of these */
	SdcRankPrefix *windows[SDC_ATTACK_RESULTS]; /* DISTANCES: searches by windows, or NULL */
	SdcJobs    *jobs;
	uint64		tried;			/* records that are not counted yet */
} Task;

PGDLLEXPORT void sdc_attackjobs_process(SdcJobs *jobs, void *arg);

/* is_prefix tells whether a job is for 1, 2, ... attributes. */
static inline bool
is_prefix(const SdcAttackJob *job)
{
	return job->kind <= SDC_ATTACK_AGREEMENTS;
}

/* link_size is the size of the links of a job. */
static inline Size
link_size(const SdcAttackJob *job)
{
	return job->kind == SDC_ATTACK_WINDOW ? sizeof(SdcRankLink) : sizeof(SdcLink);
}

/* place_of is where a record of a share is among all that are attacked. */
static inline uint32
place_of(const Task *task, uint32 index)
{
	return sdc_evaluation_place(task->share, task->shares, index);
}

/* count_tried lets other sessions see how far the attacks are. */
static void
count_tried(Task *task)
{
	sdc_jobs_count(task->jobs, task->tried);
	task->tried = 0;
}

/* add sums a share with so many attributes known, and keeps the last. */
static void
add(Task *task, SdcAttackResult result, int known, uint32 index, uint32 ties)
{
	sdc_sharesum_add(&task->sum[result][known - 1], ties);
	if (task->job->ties[result] != NULL && known == task->work->known_max)
		task->job->ties[result][place_of(task, index)] = ties;
	if (++task->tried == SDC_INTERRUPT_STEPS)
		count_tried(task);
}

/* add_agreement is the SdcFellegiSunterResult. */
static void
add_agreement(void *arg, int known, uint32 index, const SdcLink *link)
{
	add(arg, SDC_ATTACK_OWN, known, index, link->correct ? link->ties : 0);
}

/* add_distance is the SdcNearprefixResult, which tells the attacks by windows. */
static void
add_distance(void *arg, int known, uint32 index, const SdcLink *link)
{
	Task	   *task = arg;

	add(task, SDC_ATTACK_OWN, known, index, link->correct ? link->ties : 0);
	for (int r = SDC_ATTACK_METHOD; r < SDC_ATTACK_RESULTS; r++)
		if (task->windows[r] != NULL)
			sdc_rankprefix_take(task->windows[r], known, index, link);
}

/* add_method is the SdcRankPrefixResult of the reach of the method, and add_sound that of sound windows. */
static void
add_method(void *arg, int known, uint32 index, uint32 ties)
{
	add(arg, SDC_ATTACK_METHOD, known, index, ties);
}

static void
add_sound(void *arg, int known, uint32 index, uint32 ties)
{
	add(arg, SDC_ATTACK_SOUND, known, index, ties);
}

/* make_spaces makes the spaces of the first c = 1 .. known_max attributes. */
static const SdcMetricSpace **
make_spaces(const SdcAttackWork *work)
{
	const SdcMetricSpace **spaces = palloc(sizeof(SdcMetricSpace *) * work->known_max);
	const SdcMetricSpace *full = sdc_metricspace_create(&work->evaluation.paired->pairs, work->known, work->known_max,
														SDC_METRIC_EUCLIDEAN);

	for (int c = 1; c < work->known_max; c++)
		spaces[c - 1] = sdc_metricspace_first(full, work->known, c);
	spaces[work->known_max - 1] = full;
	return spaces;
}

/* run_agreements links by agreement for c = 1 .. known_max attributes. */
static void
run_agreements(Task *task)
{
	const SdcAttackWork *work = task->work;
	const SdcPairedRelease *paired = work->evaluation.paired;
	SdcAgreement *agreement = sdc_attack_agreement(paired, work->known, work->known_max);
	SdcLinkModel *models = palloc(sizeof(SdcLinkModel) * work->known_max);

	sdc_attack_models(agreement, task->team, true, models);
	sdc_fellegisunter_prefixes(agreement, models, task->evaluation.record, task->evaluation.count, add_agreement, task);
	sdc_agreement_destroy(agreement);
}

/* run_distances links by distance for c = 1 .. known_max attributes, and by windows. */
static void
run_distances(Task *task)
{
	static const SdcRankPrefixResult result[SDC_ATTACK_RESULTS] = {NULL, add_method, add_sound};
	const SdcAttackWork *work = task->work;
	const SdcEvaluation *evaluation = &task->evaluation;
	const SdcMetricSpace **spaces = make_spaces(work);
	bool		whole = task->shares == 1 || task->job->candidates == NULL;
	uint32	   *candidates = whole ? task->job->candidates : sdc_memory_array(evaluation->count, sizeof(uint32));

	for (int r = SDC_ATTACK_METHOD; r < SDC_ATTACK_RESULTS; r++)
		if (task->sum[r] != NULL)
			task->windows[r] = sdc_rankprefix_create(sdc_attack_prefix_task(evaluation->paired, work->reach,
																			work->known, work->known_max,
																			r == SDC_ATTACK_SOUND,
																			spaces[work->known_max - 1]),
													 spaces, evaluation->record, evaluation->count, result[r], task);
	sdc_nearprefix_run(spaces, work->known_max, evaluation->record, evaluation->count, task->team, add_distance, task);
	for (int r = SDC_ATTACK_METHOD; r < SDC_ATTACK_RESULTS; r++)
		if (task->windows[r] != NULL)
		{
			sdc_rankprefix_finish(task->windows[r], task->team, r == SDC_ATTACK_METHOD ? candidates : NULL);
			sdc_rankprefix_destroy(task->windows[r]);
		}
	for (uint32 i = 0; !whole && i < evaluation->count; i++)
	{
		sdc_interrupts_step(i);
		task->job->candidates[place_of(task, i)] = candidates[i];
	}
}

/* run_prefixes runs a job for c = 1 .. known_max attributes. */
static void
run_prefixes(Task *task)
{
	slock_t    *lock = &task->jobs->workers->shared->lock;
	int			known_max = task->work->known_max;

	for (int r = 0; r < SDC_ATTACK_RESULTS; r++)
		if (task->job->sum[r] != NULL)
			task->sum[r] = palloc0(sizeof(SdcShareSum) * known_max);
	if (task->job->kind == SDC_ATTACK_AGREEMENTS)
		run_agreements(task);
	else
		run_distances(task);
	SpinLockAcquire(lock);
	for (int r = 0; r < SDC_ATTACK_RESULTS; r++)
		for (int c = 0; c < known_max && task->sum[r] != NULL; c++)
			sdc_sharesum_merge(&task->job->sum[r][c], &task->sum[r][c]);
	SpinLockRelease(lock);
}

/* run_links runs a job for all known attributes. */
static void
run_links(Task *task)
{
	const SdcAttackWork *work = task->work;
	const SdcAttackJob *job = task->job;
	const SdcEvaluation *evaluation = &task->evaluation;
	const char *link;

	/* what workers have done is before what this process does */
	sdc_progress_span(sdc_jobs_done(task->jobs), evaluation->count);
	if (job->kind == SDC_ATTACK_DISTANCE)
		link = (const char *) sdc_attack_distance(evaluation, task->team, work->known, work->known_max, job->metric);
	else if (job->kind == SDC_ATTACK_AGREEMENT)
		link = (const char *) sdc_attack_probabilistic(evaluation, task->team, work->known, work->known_max, false,
													   true);
	else
		link = (const char *) sdc_attack_rankswap(evaluation, work->reach, work->known, work->known_max, job->mode);
	for (uint32 i = 0; i < evaluation->count; i++)
	{
		sdc_interrupts_step(i);
		memcpy((char *) job->link + place_of(task, i) * link_size(job), link + i * link_size(job), link_size(job));
	}
	task->tried += evaluation->count;
}

/* run_task runs a task in a memory context of its own. */
static void
run_task(Task *task)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "sdc attack", ALLOCSET_DEFAULT_SIZES);
	MemoryContext old = MemoryContextSwitchTo(context);

	sdc_evaluation_share(&task->work->evaluation, task->share, task->shares, &task->evaluation);
	if (is_prefix(task->job))
		run_prefixes(task);
	else
		run_links(task);
	count_tried(task);
	MemoryContextSwitchTo(old);
	MemoryContextDelete(context);
}

/* share_pairs shares the pairing. */
static void
share_pairs(SdcJobs *jobs, SdcPairs *pairs)
{
	SdcPairColumn *column = sdc_jobs_copy(jobs, &pairs->column, (uint64) pairs->attributes, sizeof(SdcPairColumn));

	for (int j = 0; j < pairs->attributes; j++)
	{
		sdc_jobs_share(jobs, &column[j].original, pairs->records, sizeof(uint32));
		sdc_jobs_share(jobs, &column[j].protected, pairs->records, sizeof(uint32));
		sdc_jobs_share(jobs, &column[j].value, column[j].codes, sizeof(double));
	}
}

/* share_job makes room for the results of a job. */
static void
share_job(SdcJobs *jobs, const SdcAttackWork *work, SdcAttackJob *job)
{
	uint64		count = work->evaluation.count;

	for (int r = 0; r < SDC_ATTACK_RESULTS; r++)
	{
		sdc_jobs_result(jobs, &job->sum[r], (uint64) work->known_max, sizeof(SdcShareSum));
		sdc_jobs_result(jobs, &job->ties[r], count, sizeof(uint32));
	}
	sdc_jobs_result(jobs, &job->candidates, count, sizeof(uint32));
	sdc_jobs_result(jobs, &job->link, count, link_size(job));
}

/* share says what there is: SdcJobsKind. */
static void
share(SdcJobs *jobs, void *arg)
{
	SdcAttackWork *work = arg;
	SdcEvaluation *evaluation = &work->evaluation;
	SdcPairedRelease *paired = sdc_jobs_copy(jobs, &evaluation->paired, 1, sizeof(SdcPairedRelease));
	SdcAttackJob *job = sdc_jobs_copy(jobs, &work->job, (uint64) work->jobs, sizeof(SdcAttackJob));

	*paired = (SdcPairedRelease) {.pairs = paired->pairs};
	share_pairs(jobs, &paired->pairs);
	sdc_jobs_share(jobs, &evaluation->record, evaluation->count, sizeof(uint32));
	(void) sdc_jobs_copy(jobs, &work->reach, (uint64) paired->pairs.attributes, sizeof(SdcStepReach));
	(void) sdc_jobs_copy(jobs, &work->known, (uint64) work->known_max, sizeof(int));
	for (int j = 0; j < work->jobs; j++)
		share_job(jobs, work, &job[j]);
}

/* take_jobs takes jobs until there are none left. */
static void
take_jobs(SdcJobs *jobs, const SdcAttackWork *work)
{
	uint32		job;

	while (sdc_jobs_next(jobs, (uint32) work->jobs, &job))
	{
		Task		task = {.work = work, .job = &work->job[job], .shares = 1, .jobs = jobs};

		run_task(&task);
	}
}

/* take_shares takes a share of every job. */
static void
take_shares(SdcJobs *jobs, const SdcAttackWork *work)
{
	SdcTeam    *team = sdc_jobs_team(jobs);
	bool		together = team->bytes > 0 && team->members > 1;

	for (int j = 0; j < work->jobs; j++)
	{
		Task		task = {.work = work, .job = &work->job[j], .share = (uint32) team->member,
		.shares = (uint32) team->members, .team = together ? team : NULL, .jobs = jobs};

		run_task(&task);
	}
}

/* is_divided tells whether each job is divided among so many processes. */
static bool
is_divided(const SdcAttackWork *work, int processes)
{
	return sdc_evaluation_shares(&work->evaluation, work->evaluation.paired->pairs.records, processes) > 1;
}

/* sdc_attackjobs_process is what one process does: SdcJobsKind. */
void
sdc_attackjobs_process(SdcJobs *jobs, void *arg)
{
	const SdcAttackWork *work = arg;

	if (is_divided(work, 2))
		take_shares(jobs, work);
	else
		take_jobs(jobs, work);
}

/* tell_tried tells others how many records are attacked: SdcJobsKind. */
static void
tell_tried(void *arg pg_attribute_unused(), uint64 done)
{
	sdc_progress_records(done);
}

/* team_bytes is the memory for what processes make together, of one job after the other. */
static uint64
team_bytes(const SdcAttackWork *work)
{
	uint32		records = work->evaluation.paired->pairs.records;
	uint64		bytes = sdc_nearprefix_team_memory(records, work->known_max);

	for (int j = 0; j < work->jobs; j++)
		if (work->job[j].sum[SDC_ATTACK_METHOD] != NULL || work->job[j].sum[SDC_ATTACK_SOUND] != NULL)
			bytes = Max(bytes, sdc_rankprefix_team_memory(records, work->known_max));
	return bytes + TEAM_LEAST;
}

/* sdc_attackjobs_run: see attackjobs.h. */
void
sdc_attackjobs_run(SdcAttackWork *work)
{
	static const SdcJobsKind kind = {.process = sdc_attackjobs_process, .name = "sdc_attackjobs_process",
	.share = share, .size = sizeof(SdcAttackWork), .tell = tell_tried};
	int			wanted = sdc_workers_wanted((uint64) work->evaluation.count * (uint64) work->known_max);
	bool		divided = is_divided(work, wanted + 1);

	if (!divided)
		wanted = Min(wanted, work->jobs - 1);
	sdc_jobs_finish(sdc_jobs_begin(&kind, work, wanted, NULL, divided ? team_bytes(work) : 0));
}
