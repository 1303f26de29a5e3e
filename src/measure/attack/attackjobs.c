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
#include "relation/base/largearray.h"
#include "relation/base/memory.h"
#include "relation/base/progress.h"
#include "relation/base/workers.h"

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
	pg_atomic_uint64 *done;
	uint64		tried;			/* records that are not in done yet */
} Task;

/* What is packed into the memory that processes share; offsets (relation/base/workers.h). */
typedef struct PackedColumn
{
	uint64		original;
	uint64		protected;
	uint64		value;
	uint32		codes;
} PackedColumn;

typedef struct PackedJob
{
	SdcAttackJob job;
	uint64		sum[SDC_ATTACK_RESULTS];
	uint64		ties[SDC_ATTACK_RESULTS];
	uint64		candidates;
	uint64		link;
} PackedJob;

typedef struct Packed
{
	uint32		records;
	int			attributes;
	uint64		column;
	uint32		count;
	uint64		record;
	uint64		reach;
	uint64		known;
	int			known_max;
	uint64		job;
	int			jobs;
	bool		divided;		/* each job, among all processes */
	uint64		team;			/* memory for what they make together, or 0 */
	uint64		team_bytes;
} Packed;

PGDLLEXPORT void sdc_attackjobs_worker(dsm_segment *segment, shm_toc *toc);

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
	uint64		done = pg_atomic_add_fetch_u64(task->done, task->tried);

	task->tried = 0;
	if (!IsParallelWorker())
		sdc_progress_records(done);
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

/* run_prefixes runs a job for c = 1 .. known_max attributes; lock guards what its shares have in common. */
static void
run_prefixes(Task *task, slock_t *lock)
{
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
	sdc_progress_span(pg_atomic_read_u64(task->done), evaluation->count);
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
run_task(Task *task, slock_t *lock)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "sdc attack", ALLOCSET_DEFAULT_SIZES);
	MemoryContext old = MemoryContextSwitchTo(context);

	sdc_evaluation_share(&task->work->evaluation, task->share, task->shares, &task->evaluation);
	if (is_prefix(task->job))
		run_prefixes(task, lock);
	else
		run_links(task);
	count_tried(task);
	MemoryContextSwitchTo(old);
	MemoryContextDelete(context);
}

/* run_alone runs all in this process. */
static void
run_alone(const SdcAttackWork *work)
{
	pg_atomic_uint64 done;
	slock_t		lock;

	pg_atomic_init_u64(&done, 0);
	SpinLockInit(&lock);
	for (int j = 0; j < work->jobs; j++)
	{
		Task		task = {.work = work, .job = &work->job[j], .shares = 1, .done = &done};

		run_task(&task, &lock);
	}
}

/* The work, and how it is divided, as it is packed. */
typedef struct Packing
{
	const SdcAttackWork *work;
	bool		divided;
	uint64		team_bytes;
} Packing;

/* pack_columns packs the pairing. */
static uint64
pack_columns(SdcWorkers *workers, const SdcPairs *pairs)
{
	PackedColumn *column = palloc0(sizeof(PackedColumn) * pairs->attributes);

	for (int j = 0; j < pairs->attributes; j++)
	{
		const SdcPairColumn *from = &pairs->column[j];

		column[j].original = sdc_workers_put_array(workers, from->original, pairs->records, sizeof(uint32));
		column[j].protected = sdc_workers_put_array(workers, from->protected, pairs->records, sizeof(uint32));
		column[j].value = sdc_workers_put_array(workers, from->value, from->codes, sizeof(double));
		column[j].codes = from->codes;
	}
	return sdc_workers_put(workers, column, sizeof(PackedColumn) * pairs->attributes);
}

/* room_for makes room for a result that is wanted. */
static uint64
room_for(SdcWorkers *workers, const void *wanted, uint64 bytes)
{
	return wanted == NULL ? 0 : sdc_workers_put(workers, NULL, bytes);
}

/* pack_job makes room for the results of a job. */
static void
pack_job(SdcWorkers *workers, const SdcAttackWork *work, const SdcAttackJob *job, PackedJob *packed)
{
	uint64		words = work->evaluation.count * sizeof(uint32);

	packed->job = *job;
	for (int r = 0; r < SDC_ATTACK_RESULTS; r++)
	{
		packed->sum[r] = room_for(workers, job->sum[r], sizeof(SdcShareSum) * work->known_max);
		packed->ties[r] = room_for(workers, job->ties[r], words);
	}
	packed->candidates = room_for(workers, job->candidates, words);
	packed->link = room_for(workers, job->link, work->evaluation.count * link_size(job));
}

/* pack packs the work: SdcWorkersPack. */
static uint64
pack(SdcWorkers *workers, const void *arg)
{
	const Packing *packing = arg;
	const SdcAttackWork *work = packing->work;
	const SdcEvaluation *evaluation = &work->evaluation;
	const SdcPairs *pairs = &evaluation->paired->pairs;
	Packed		packed = {.records = pairs->records, .attributes = pairs->attributes, .count = evaluation->count,
	.known_max = work->known_max, .jobs = work->jobs, .divided = packing->divided,
	.team_bytes = packing->team_bytes};
	PackedJob  *job = palloc0(sizeof(PackedJob) * work->jobs);

	packed.column = pack_columns(workers, pairs);
	packed.record = sdc_workers_put_array(workers, evaluation->record, evaluation->count, sizeof(uint32));
	packed.reach = sdc_workers_put_array(workers, work->reach, pairs->attributes, sizeof(SdcAttackReach));
	packed.known = sdc_workers_put(workers, work->known, sizeof(int) * work->known_max);
	for (int j = 0; j < work->jobs; j++)
		pack_job(workers, work, &work->job[j], &job[j]);
	packed.job = sdc_workers_put(workers, job, sizeof(PackedJob) * work->jobs);
	packed.team = packing->team_bytes == 0 ? 0 : sdc_workers_put(workers, NULL, packing->team_bytes);
	return sdc_workers_put(workers, &packed, sizeof(Packed));
}

/* unpack_job makes a job of it that writes there. */
static void
unpack_job(const SdcWorkers *workers, const PackedJob *packed, SdcAttackJob *job)
{
	*job = packed->job;
	for (int r = 0; r < SDC_ATTACK_RESULTS; r++)
	{
		job->sum[r] = sdc_workers_at(workers, packed->sum[r]);
		job->ties[r] = sdc_workers_at(workers, packed->ties[r]);
	}
	job->candidates = sdc_workers_at(workers, packed->candidates);
	job->link = sdc_workers_at(workers, packed->link);
}

/* copy_result copies a result that is wanted. */
static void
copy_result(void *to, const void *from, uint64 bytes)
{
	if (to != NULL)
		sdc_workers_copy(to, from, bytes);
}

/* copy_job copies the results of a job to where they are wanted. */
static void
copy_job(const SdcAttackWork *work, const SdcAttackJob *from, SdcAttackJob *to)
{
	uint64		words = work->evaluation.count * sizeof(uint32);

	for (int r = 0; r < SDC_ATTACK_RESULTS; r++)
	{
		copy_result(to->sum[r], from->sum[r], sizeof(SdcShareSum) * work->known_max);
		copy_result(to->ties[r], from->ties[r], words);
	}
	copy_result(to->candidates, from->candidates, words);
	copy_result(to->link, from->link, work->evaluation.count * link_size(to));
}

/* unpack makes of it what a process works on. */
static void
unpack(const SdcWorkers *workers, const Packed *packed, SdcAttackWork *work)
{
	const PackedColumn *from = sdc_workers_at(workers, packed->column);
	const PackedJob *job = sdc_workers_at(workers, packed->job);
	SdcPairColumn *column = palloc0(sizeof(SdcPairColumn) * packed->attributes);

	memset(work, 0, sizeof(SdcAttackWork));
	for (int j = 0; j < packed->attributes; j++)
		column[j] = (SdcPairColumn) {sdc_workers_at(workers, from[j].original),
		sdc_workers_at(workers, from[j].protected), from[j].codes, sdc_workers_at(workers, from[j].value)};
	work->evaluation.paired = palloc0(sizeof(SdcPairedRelease));
	work->evaluation.paired->pairs = (SdcPairs) {packed->records, packed->attributes, column};
	work->evaluation.record = sdc_workers_at(workers, packed->record);
	work->evaluation.count = packed->count;
	work->reach = sdc_workers_at(workers, packed->reach);
	work->known = sdc_workers_at(workers, packed->known);
	work->known_max = packed->known_max;
	work->jobs = packed->jobs;
	work->job = palloc(sizeof(SdcAttackJob) * packed->jobs);
	for (int j = 0; j < packed->jobs; j++)
		unpack_job(workers, &job[j], &work->job[j]);
}

/* take_jobs takes jobs until there are none left. */
static void
take_jobs(SdcWorkers *workers, const SdcAttackWork *work)
{
	uint32		job;

	while (sdc_workers_next(workers, (uint32) work->jobs, &job))
	{
		Task		task = {.work = work, .job = &work->job[job], .shares = 1, .done = &workers->shared->done};

		run_task(&task, &workers->shared->lock);
	}
}

/* take_shares takes a share of every job. */
static void
take_shares(SdcWorkers *workers, const Packed *packed, const SdcAttackWork *work)
{
	SdcTeam    *team = sdc_workers_team(workers, packed->team, packed->team_bytes);
	bool		together = packed->team_bytes > 0 && team->members > 1;

	for (int j = 0; j < work->jobs; j++)
	{
		Task		task = {.work = work, .job = &work->job[j], .share = (uint32) team->member,
		.shares = (uint32) team->members, .team = together ? team : NULL, .done = &workers->shared->done};

		run_task(&task, &workers->shared->lock);
	}
}

/* take_tasks does what one process does. */
static void
take_tasks(SdcWorkers *workers, SdcAttackWork *work)
{
	const Packed *packed = sdc_workers_at(workers, workers->shared->root);

	unpack(workers, packed, work);
	if (packed->divided)
		take_shares(workers, packed, work);
	else
		take_jobs(workers, work);
}

/* sdc_attackjobs_worker is what a worker does. */
void
sdc_attackjobs_worker(dsm_segment *segment pg_attribute_unused(), shm_toc *toc)
{
	SdcAttackWork work;

	take_tasks(sdc_workers_attach(toc), &work);
}

/* tell_tried tells others how many records are attacked: sdc_workers_tell. */
static void
tell_tried(void *arg, uint64 done)
{
	(void) arg;
	sdc_progress_records(done);
}

/* run_shared runs all with workers. */
static void
run_shared(const SdcAttackWork *work, int wanted, const Packing *packing)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "sdc attacks", ALLOCSET_DEFAULT_SIZES);
	MemoryContext old = MemoryContextSwitchTo(context);
	SdcWorkers *workers = sdc_workers_start("sdc_attackjobs_worker", wanted, pack, packing);
	SdcAttackWork mapped;

	sdc_workers_tell(workers, tell_tried, NULL);
	take_tasks(workers, &mapped);
	sdc_workers_finish(workers);
	for (int j = 0; j < work->jobs; j++)
		copy_job(work, &mapped.job[j], &work->job[j]);
	sdc_workers_destroy(workers);
	MemoryContextSwitchTo(old);
	MemoryContextDelete(context);
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
	bytes += TEAM_LEAST;
	return sdc_largearray_spares(bytes) ? bytes : 0;
}

/* sdc_attackjobs_run: see attackjobs.h. */
void
sdc_attackjobs_run(const SdcAttackWork *work)
{
	const SdcEvaluation *evaluation = &work->evaluation;
	int			wanted = sdc_workers_wanted((uint64) evaluation->count * work->known_max);
	bool		divided = sdc_evaluation_shares(evaluation, evaluation->paired->pairs.records, wanted + 1) > 1;
	Packing		packing = {work, divided, 0};

	if (!divided)
		wanted = Min(wanted, work->jobs - 1);
	if (wanted == 0)
	{
		run_alone(work);
		return;
	}
	packing.team_bytes = divided ? team_bytes(work) : 0;
	run_shared(work, wanted, &packing);
}
