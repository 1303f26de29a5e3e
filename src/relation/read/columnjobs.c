/*-------------------------------------------------------------------------
 *
 * columnjobs.c
 *		Columns that are protected one by one, by this process or shared with parallel workers.
 *
 * A task is a column. Those that are shared lie in the spool's temporary file, where many of them are in any case; a
 * worker reads its column there and writes the new values in the place of the old ones, block by block. So nothing
 * is copied on the way back. The leader keeps the other columns, protects these first, and then helps with the rest.
 *
 * Only numbers, dates and the like are shared, whose order is that of a 64-bit key: texts stay with the leader. What a
 * column gets depends on the streams of its name alone, and not on who protects it. The key of the streams is a secret
 * of the call, and comes into no file.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/transam.h"
#include "catalog/pg_type.h"
#include "relation/base/largearray.h"
#include "relation/base/progress.h"
#include "relation/read/columnjobs.h"
#include "utils/builtins.h"
#include "utils/guc.h"
#include "utils/lsyscache.h"

/* A column that no worker can have takes about as long as so many others. */
#define OTHERS_OF_SLOW 4

/* One column. */
typedef struct Job
{
	int			index;			/* of the attribute */
	SdcAttribute *attribute;
	bool		can_share;
	bool		shared;
	uint64		needed;			/* bytes to protect it in memory, */
	uint64		least;			/* and those that no file can have */
	bool		in_memory;		/* the session has so many */
	SdcColumnPlaces *places;	/* of one that is shared, */
	Size		places_bytes;
} Job;

/* What a worker finds of a column. */
typedef struct Found
{
	bool		done;
	uint64		changed;
	uint64		bins;
	uint64		single_bins;
	double		largest_move;
} Found;

/* All columns. */
typedef struct Jobs
{
	struct Jobs *session;		/* as the session knows them, for itself */
	const SdcColumnMethod *method;
	SdcColumnWork work;
	int			count;
	int			can_share;		/* of them */
	int			shared;
	Job		   *job;
	Found	   *found;			/* of those that are shared */
	uint64		told;			/* columns, to sdc_progress */
	uint64		strata;
	SdcColumnPlaces *stratum;	/* of that column, or NULL, */
	Size		stratum_bytes;
	SdcSpoolFile file;
} Jobs;

/* sdc_columnjobs_can_share: see columnjobs.h. */
bool
sdc_columnjobs_can_share(const SdcType *type, const SdcColumn *column)
{
	return type->key != SDC_KEY_NONE && sdc_column_can_share(column);
}

/* collect_jobs lists the columns. */
static void
collect_jobs(Jobs *jobs, const int *attribute, int attributes)
{
	jobs->job = palloc0(sizeof(Job) * Max(attributes, 1));
	for (int i = 0; i < attributes; i++)
	{
		Job		   *job = &jobs->job[jobs->count++];

		job->index = attribute[i];
		job->attribute = &jobs->work.source->attributes[attribute[i]];
		job->can_share = job->attribute->dictionary == NULL &&
			sdc_columnjobs_can_share(&job->attribute->type, job->attribute->column);
		job->needed = jobs->method->memory(&jobs->work, attribute[i]);
		job->least = jobs->method->least(&jobs->work, attribute[i]);
		job->in_memory = job->needed <= sdc_memory_budget();
		jobs->can_share += job->can_share;
	}
}

/* sdc_columnjobs_is_own_code: see columnjobs.h.  Any type can have an operator class of anybody, an enum too. */
bool
sdc_columnjobs_is_own_code(const SdcType *type)
{
	char		kind = get_typtype(type->base);

	if (type->compare.fn_oid >= FirstNormalObjectId || type->equal.fn_oid >= FirstNormalObjectId)
		return false;
	return kind == TYPTYPE_ENUM ||
		(kind == TYPTYPE_BASE && type->base < FirstNormalObjectId && !type_is_array(type->base));
}

/* is_enough tells whether the share of each of so many workers will do for every column. */
static bool
is_enough(const Jobs *jobs, int workers)
{
	uint64		share = sdc_workers_share(workers);

	for (int i = 0; i < jobs->count; i++)
	{
		const Job  *job = &jobs->job[i];

		if (!job->can_share || job->needed <= share)
			continue;
		/* for a single one the rest of what it needs is in a file; otherwise this is what has to be in memory */
		if (job->in_memory ? workers > 1 : job->least > share)
			return false;
	}
	return true;
}

/* fits_files tells whether temp_file_limit has room for the columns beside what the call needs in any case. */
static bool
fits_files(const Jobs *jobs)
{
	uint64		bytes = jobs->work.source->records * sizeof(Datum) * ((uint64) jobs->can_share + 1);

	return sdc_largearray_spares(bytes);
}

/* workers_wanted is how many workers help. */
static int
workers_wanted(const Jobs *jobs)
{
	int			wanted = sdc_workers_wanted(jobs->work.source->records * (uint64) jobs->can_share /
										SDC_COLUMNJOBS_VALUES_OF_STEP);

	wanted = Min(wanted, Min(jobs->can_share, jobs->count - 1));
	if (wanted <= 0 || jobs->method->entry == NULL || !sdc_workers_keep_secrets() || !fits_files(jobs))
		return 0;
	for (int i = 0; i < jobs->count; i++)
		if (!sdc_columnjobs_is_own_code(&jobs->job[i].attribute->type))
			return 0;
	while (wanted > 0 && !is_enough(jobs, wanted))
		wanted--;
	return wanted;
}

/* share_columns decides which columns are shared, and moves them to the file, where the first ones are most likely. */
static void
share_columns(Jobs *jobs, int workers)
{
	int			others = jobs->count - jobs->can_share;
	int			all = jobs->can_share + others * OTHERS_OF_SLOW;

	/* the leader begins with its share of the work, and what no worker can do is part of it */
	jobs->shared = jobs->can_share - Max(0, all / (workers + 1) - others * OTHERS_OF_SLOW);
	for (int i = 0, left = jobs->shared; i < jobs->count && left > 0; i++)
	{
		Job		   *job = &jobs->job[i];

		if (!job->can_share)
			continue;
		sdc_column_spill(job->attribute->column);
		job->places = sdc_column_places(job->attribute->column, &job->places_bytes);
		job->shared = true;
		left--;
	}
	jobs->strata = jobs->work.source->strata_found;
	if (jobs->work.source->stratum != NULL)
	{
		sdc_column_spill(jobs->work.source->stratum);
		jobs->stratum = sdc_column_places(jobs->work.source->stratum, &jobs->stratum_bytes);
	}
	sdc_spool_file(jobs->work.spool, &jobs->file);
}

/* shared_job returns the job of a task. */
static Job *
shared_job(const Jobs *jobs, uint32 task)
{
	for (int i = 0; i < jobs->count; i++)
		if (jobs->job[i].shared && task-- == 0)
			return &jobs->job[i];
	elog(ERROR, "there is no such task");
}

/* share says what there is: SdcJobsKind. */
static void
share(SdcJobs *jobs, void *arg)
{
	Jobs	   *columns = arg;
	Job		   *job = sdc_jobs_copy(jobs, &columns->job, (uint64) columns->count, sizeof(Job));

	for (int i = 0; i < columns->count; i++)
	{
		(void) sdc_jobs_copy(jobs, &job[i].attribute, 1, sizeof(SdcAttribute));
		(void) sdc_jobs_copy(jobs, &job[i].places, job[i].places_bytes, 1);
	}
	(void) sdc_jobs_copy(jobs, &columns->stratum, columns->stratum_bytes, 1);
	(void) sdc_jobs_copy(jobs, &columns->work.parameters, columns->method->parameters_bytes, 1);
	sdc_jobs_room(jobs, &columns->found, (uint64) columns->shared, sizeof(Found));
}

/* work_on protects a column of the session's file, where it stays. */
static void
work_on(const Job *job, const SdcColumnMethod *method, SdcColumnWork *work, Found *found)
{
	SdcAttribute *attribute = &work->source->attributes[0];

	*attribute = (SdcAttribute) {.name = job->attribute->name};
	sdc_type_lookup(&attribute->type, job->places->typid, InvalidOid);
	attribute->column = sdc_column_attach(work->spool, job->places);
	work->source->records = job->places->count;
	work->in_memory = job->in_memory;
	method->protect(work, 0);
	sdc_column_destroy(attribute->column);
	*found = (Found) {true, attribute->changed, attribute->bins, attribute->single_bins,
	attribute->largest_move};
}

/* work_in_worker is what a worker does. */
static void
work_in_worker(SdcJobs *jobs, const Jobs *columns, const SdcColumnMethod *method)
{
	SdcAttribute attribute;
	SdcSource	source = {.attribute_count = 1, .attributes = &attribute, .strata_found = columns->strata};
	SdcColumnWork work = {.parameters = columns->work.parameters, .source = &source, .in_worker = true};
	uint32		number;

	work.spool = sdc_spool_attach(&columns->file, sdc_memory_budget() / 4);
	work.random = jobs->random;
	if (columns->stratum != NULL)
		source.stratum = sdc_column_attach(work.spool, columns->stratum);
	while (sdc_jobs_next(jobs, (uint32) columns->shared, &number))
	{
		work_on(shared_job(columns, number), method, &work, &columns->found[number]);
		sdc_jobs_count(jobs, 1);
	}
	sdc_arena_free(&work.arena);
	sdc_spool_destroy(work.spool);
}

/* protect_column protects a column of the session. */
static void
protect_column(SdcJobs *jobs, Jobs *session, const Job *job)
{
	session->method->protect(&session->work, job->index);
	sdc_jobs_count(jobs, 1);
}

/* work_in_session protects what is the session's part, and then what no worker has begun. */
static void
work_in_session(SdcJobs *jobs, Jobs *session)
{
	uint32		number;

	for (int i = 0; i < session->count; i++)
		if (!session->job[i].shared)
			protect_column(jobs, session, &session->job[i]);
	while (sdc_jobs_next(jobs, (uint32) session->shared, &number))
		protect_column(jobs, session, shared_job(session, number));
	sdc_arena_free(&session->work.arena);
}

/* sdc_columnjobs_process: see columnjobs.h. */
void
sdc_columnjobs_process(const SdcColumnMethod *method, SdcJobs *jobs, void *arg)
{
	Jobs	   *columns = arg;

	if (IsParallelWorker())
		work_in_worker(jobs, columns, method);
	else
		work_in_session(jobs, columns->session);
}

/* tell_columns reports the columns that were protected since it was called before: SdcJobsKind. */
static void
tell_columns(void *arg, uint64 done)
{
	Jobs	   *columns = arg;

	for (; columns->told < done; columns->told++)
		sdc_progress_next();
}

/* take_results notes what workers found: SdcJobsKind. */
static void
take_results(SdcJobs *jobs pg_attribute_unused(), void *arg)
{
	const Jobs *columns = arg;

	for (int i = 0; i < columns->shared; i++)
		if (columns->found[i].done)
		{
			SdcAttribute *attribute = shared_job(columns->session, (uint32) i)->attribute;

			attribute->changed = columns->found[i].changed;
			attribute->bins = columns->found[i].bins;
			attribute->single_bins = columns->found[i].single_bins;
			attribute->largest_move = columns->found[i].largest_move;
		}
}

/* sdc_columnjobs_protect: see columnjobs.h. */
void
sdc_columnjobs_protect(const SdcColumnMethod *method, const int *attribute, int attributes, SdcSource *source,
					   SdcSpool *spool, SdcRandom *random)
{
	SdcJobsKind kind = {.process = method->process, .name = method->entry, .share = share, .size = sizeof(Jobs),
	.merge = take_results, .tell = tell_columns};
	Jobs		jobs = {.session = &jobs, .method = method};
	int			wanted;

	jobs.work = (SdcColumnWork) {.parameters = method->parameters, .source = source, .spool = spool, .random = random};
	collect_jobs(&jobs, attribute, attributes);
	wanted = workers_wanted(&jobs);
	if (wanted > 0)
		share_columns(&jobs, wanted);
	sdc_jobs_run(&kind, &jobs, wanted, random);
	pfree(jobs.job);
}
