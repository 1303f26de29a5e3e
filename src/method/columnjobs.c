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
#include "method/columnjobs.h"
#include "relation/base/largearray.h"
#include "relation/base/progress.h"
#include "relation/base/workers.h"
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
	SdcColumnPlaces *places;	/* of one that is shared, */
	Size		places_bytes;
} Job;

/* All columns. */
typedef struct Jobs
{
	const SdcColumnMethod *method;
	SdcColumnWork work;
	int			count;
	int			can_share;		/* of them */
	int			shared;
	Job		   *job;
	SdcColumnPlaces *stratum;	/* of that column, or NULL, */
	Size		stratum_bytes;
} Jobs;

/* What is packed into the memory that processes share; offsets (relation/base/workers.h). */
typedef struct PackedColumn
{
	NameData	name;
	uint64		places;
	bool		in_memory;
	bool		done;			/* by a worker, which sets */
	uint64		changed;
	uint64		bins;
	uint64		single_bins;
} PackedColumn;

typedef struct Packed
{
	uint64		parameters;
	SdcSpoolFile file;
	uint64		strata;
	uint64		stratum;
	int			columns;
	uint64		column;
} Packed;

/* protect_column protects a column of this process. */
static void
protect_column(Jobs *jobs, const Job *job)
{
	jobs->method->protect(&jobs->work, job->index);
	sdc_progress_next();
}

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
		if (job->needed <= sdc_memory_budget() ? workers > 1 : job->least > share)
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
	if (jobs->work.source->stratum == NULL)
		return;
	sdc_column_spill(jobs->work.source->stratum);
	jobs->stratum = sdc_column_places(jobs->work.source->stratum, &jobs->stratum_bytes);
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

/* pack packs the work: SdcWorkersPack. */
static uint64
pack(SdcWorkers *workers, const void *arg)
{
	const Jobs *jobs = arg;
	PackedColumn *column = palloc0(sizeof(PackedColumn) * jobs->shared);
	Packed		packed = {.strata = jobs->work.source->strata_found, .columns = jobs->shared};

	for (int i = 0; i < jobs->shared; i++)
	{
		const Job  *job = shared_job(jobs, (uint32) i);

		column[i].name = job->attribute->name;
		column[i].places = sdc_workers_put(workers, job->places, job->places_bytes);
		column[i].in_memory = job->needed <= sdc_memory_budget();
	}
	packed.column = sdc_workers_put(workers, column, sizeof(PackedColumn) * jobs->shared);
	if (jobs->stratum != NULL)
		packed.stratum = sdc_workers_put(workers, jobs->stratum, jobs->stratum_bytes);
	packed.parameters = sdc_workers_put(workers, jobs->method->parameters, jobs->method->parameters_bytes);
	sdc_spool_file(jobs->work.spool, &packed.file);
	return sdc_workers_put(workers, &packed, sizeof(Packed));
}

/* work_on protects a column of the leader's file, where it stays. */
static void
work_on(const SdcWorkers *workers, PackedColumn *column, const SdcColumnMethod *method, SdcColumnWork *work)
{
	const SdcColumnPlaces *places = sdc_workers_at(workers, column->places);
	SdcAttribute *attribute = &work->source->attributes[0];

	*attribute = (SdcAttribute) {.name = column->name};
	sdc_type_lookup(&attribute->type, places->typid, InvalidOid);
	attribute->column = sdc_column_attach(work->spool, places);
	work->source->records = places->count;
	work->in_memory = column->in_memory;
	method->protect(work, 0);
	sdc_column_destroy(attribute->column);
	column->changed = attribute->changed;
	column->bins = attribute->bins;
	column->single_bins = attribute->single_bins;
	column->done = true;
}

/* sdc_columnjobs_work: see columnjobs.h. */
void
sdc_columnjobs_work(const SdcColumnMethod *method, shm_toc *toc)
{
	SdcWorkers *workers = sdc_workers_attach(toc);
	const Packed *packed = sdc_workers_at(workers, workers->shared->root);
	PackedColumn *column = sdc_workers_at(workers, packed->column);
	SdcAttribute attribute;
	SdcSource	source = {.attribute_count = 1, .attributes = &attribute, .strata_found = packed->strata};
	SdcColumnWork work = {.source = &source, .in_worker = true};
	uint32		number;

	work.parameters = sdc_workers_at(workers, packed->parameters);
	work.spool = sdc_spool_attach(&packed->file, sdc_memory_budget() / 4);
	work.random = sdc_random_attach(sdc_workers_secret(toc));
	if (packed->stratum != 0)
		source.stratum = sdc_column_attach(work.spool, sdc_workers_at(workers, packed->stratum));
	while (sdc_workers_next(workers, (uint32) packed->columns, &number))
	{
		work_on(workers, &column[number], method, &work);
		(void) pg_atomic_add_fetch_u64(&workers->shared->done, 1);
	}
	sdc_arena_free(&work.arena);
	sdc_spool_destroy(work.spool);
}

/* tell_columns reports the columns that workers have protected since it was called before: sdc_workers_tell. */
static void
tell_columns(void *arg, uint64 done)
{
	uint64	   *told = arg;

	for (; *told < done; (*told)++)
		sdc_progress_next();
}

/* take_result notes what a worker found. */
static void
take_result(SdcAttribute *attribute, const PackedColumn *column)
{
	attribute->changed = column->changed;
	attribute->bins = column->bins;
	attribute->single_bins = column->single_bins;
}

/* work_with protects what is the leader's part, and waits for the others. */
static void
work_with(Jobs *jobs, SdcWorkers *workers)
{
	const Packed *packed = sdc_workers_at(workers, workers->shared->root);
	const PackedColumn *column = sdc_workers_at(workers, packed->column);
	uint64		told = 0;
	uint32		number;

	for (int i = 0; i < jobs->count; i++)
		if (!jobs->job[i].shared)
		{
			protect_column(jobs, &jobs->job[i]);
			tell_columns(&told, pg_atomic_read_u64(&workers->shared->done));
		}
	while (sdc_workers_next(workers, (uint32) jobs->shared, &number))
		protect_column(jobs, shared_job(jobs, number));
	sdc_workers_tell(workers, tell_columns, &told);
	sdc_workers_finish(workers);
	for (int i = 0; i < jobs->shared; i++)
		if (column[i].done)
			take_result(shared_job(jobs, (uint32) i)->attribute, &column[i]);
}

/* protect_with_workers protects all columns with so many workers. */
static void
protect_with_workers(Jobs *jobs, int wanted)
{
	SdcRandomShare secret;
	SdcWorkers *workers;

	share_columns(jobs, wanted);
	sdc_random_share(jobs->work.random, &secret);
	workers = sdc_workers_start_secret(jobs->method->entry, wanted, pack, jobs, &secret, sizeof(secret));
	explicit_bzero(&secret, sizeof(secret));
	work_with(jobs, workers);
	sdc_workers_destroy(workers);
}

/* sdc_columnjobs_protect: see columnjobs.h. */
void
sdc_columnjobs_protect(const SdcColumnMethod *method, const int *attribute, int attributes, SdcSource *source,
					   SdcSpool *spool, SdcRandom *random)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "sdc columns", ALLOCSET_DEFAULT_SIZES);
	MemoryContext old = MemoryContextSwitchTo(context);
	Jobs		jobs = {.method = method};
	int			wanted;

	jobs.work = (SdcColumnWork) {.parameters = method->parameters, .source = source, .spool = spool, .random = random};
	collect_jobs(&jobs, attribute, attributes);
	wanted = workers_wanted(&jobs);
	if (wanted > 0)
		protect_with_workers(&jobs, wanted);
	else
		for (int i = 0; i < jobs.count; i++)
			protect_column(&jobs, &jobs.job[i]);
	sdc_arena_free(&jobs.work.arena);
	MemoryContextSwitchTo(old);
	MemoryContextDelete(context);
}
