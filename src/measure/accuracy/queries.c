/*-------------------------------------------------------------------------
 *
 * queries.c
 *		How far random counts on a release are from those on its source.
 *
 * The relative error is that of W. Yang, S. Qiao, "A novel anonymization algorithm: privacy protection
 * and knowledge preservation", Expert Systems with Applications 37 (2010).  Of methods that keep the
 * schema of the source, the count on the release is the estimate.
 *
 * The queries are asked by this process or shared with parallel workers.  A task is the queries with one number of
 * attributes, which are drawn from a stream of their own.  The key of these streams may be that of a release with the
 * same seed: it is a secret of the call, and comes into no file.  Each process makes the rows of bits that it looks up
 * by itself.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "measure/accuracy/queries.h"
#include "relation/base/jobs.h"
#include "relation/base/memory.h"
#include "relation/base/random.h"

#define METHOD "query_errors"
#define PURPOSE "workload"

typedef struct Work
{
	SdcQueryTask task;
	SdcQueryErrors *result;
} Work;

PGDLLEXPORT void sdc_queries_process(SdcJobs *jobs, void *arg);

/* share_attributes shares the codes of attributes. */
static void
share_attributes(SdcJobs *jobs, const SdcQueryAttribute **attributes, int count, const SdcQueryTask *task)
{
	SdcQueryAttribute *attribute = sdc_jobs_copy(jobs, attributes, (uint64) count, sizeof(SdcQueryAttribute));

	for (int i = 0; i < count; i++)
	{
		sdc_jobs_share(jobs, &attribute[i].original, task->records, sizeof(uint32));
		sdc_jobs_share(jobs, &attribute[i].protected, task->records, sizeof(uint32));
		sdc_jobs_share(jobs, &attribute[i].set, task->groups, sizeof(SdcQuerySet));
		sdc_jobs_share(jobs, &attribute[i].element, attribute[i].elements, sizeof(uint32));
	}
}

/* share says what there is: SdcJobsKind. */
static void
share(SdcJobs *jobs, void *arg)
{
	Work	   *work = arg;
	SdcQueryTask *task = &work->task;

	share_attributes(jobs, &task->qi, task->attributes, task);
	share_attributes(jobs, &task->sensitive, task->sensitives, task);
	sdc_jobs_share(jobs, &task->group, task->records, sizeof(uint32));
	for (int file = 0; file < 2; file++)
		sdc_jobs_share(jobs, &task->weight[file], task->records, sizeof(double));
	sdc_jobs_result(jobs, &work->result, (uint64) sdc_queries_numbers(task), sizeof(SdcQueryErrors));
}

/* start_stream starts the stream of the queries with so many attributes. */
static SdcStream *
start_stream(void *arg, int attributes)
{
	const SdcJobs *jobs = arg;

	return sdc_random_start(jobs->random, "", PURPOSE, (uint64) attributes);
}

/* count_asked counts the queries that are asked, by all processes. */
static void
count_asked(void *arg, uint64 queries)
{
	sdc_jobs_count(arg, queries);
}

/* tell_asked tells others how many queries are asked: SdcJobsKind. */
static void
tell_asked(void *arg, uint64 asked)
{
	const Work *work = arg;

	SDC_REPORT(asked, (uint64) work->task.queries * sdc_queries_numbers(&work->task));
}

/* sdc_queries_process is what one process does: SdcJobsKind. */
void
sdc_queries_process(SdcJobs *jobs, void *arg)
{
	Work	   *work = arg;
	int			numbers = sdc_queries_numbers(&work->task);
	SdcQueryRun *run = NULL;
	uint32		task;

	work->task.stream = start_stream;
	work->task.advance = count_asked;
	work->task.arg = jobs;
	work->task.memory = sdc_memory_share(sdc_memory_held());
	while (sdc_jobs_next(jobs, (uint32) numbers, &task))
	{
		int			number = numbers - (int) task;

		if (run == NULL)
			run = sdc_queries_create(&work->task);
		sdc_queries_number(run, number, &work->result[number - 1]);
		sdc_random_verify(jobs->random);
	}
	if (run != NULL)
		sdc_queries_destroy(run);
}

/* run_queries asks the queries of a task, which are drawn from random; its stream and memory are set here. */
static void
run_queries(const SdcQueryTask *task, SdcRandom *random, SdcQueryErrors *result)
{
	static const SdcJobsKind kind = {.process = sdc_queries_process, .name = "sdc_queries_process",
	.share = share, .size = sizeof(Work), .tell = tell_asked};
	int			numbers = sdc_queries_numbers(task);
	uint64		batches = task->queries / SDC_QUERIES_AT_ONCE + 1;
	int			wanted = sdc_workers_wanted((uint64) task->records * (task->attributes + task->sensitives) *
											numbers * batches / SDC_QUERIES_AT_ONCE);
	Work		work = {.task = *task, .result = result};

	sdc_jobs_run(&kind, &work, Min(wanted, numbers - 1), random);
	sdc_queries_finish(task, result);
}

/* query_attributes describes columns to the kernel. */
static SdcQueryAttribute *
query_attributes(const SdcComparedColumn *column, int count)
{
	SdcQueryAttribute *attribute = palloc0(sizeof(SdcQueryAttribute) * Max(count, 1));

	for (int i = 0; i < count; i++)
	{
		attribute[i].original = column[i].pair.original;
		attribute[i].protected = column[i].pair.protected;
		attribute[i].codes = column[i].pair.codes;
		attribute[i].range = column[i].kind != SDC_VALUE_NOMINAL;
		attribute[i].set = column[i].set;
		attribute[i].element = column[i].element;
		attribute[i].elements = column[i].elements;
	}
	return attribute;
}

/* sdc_queries_measure reads a release and asks the queries; the errors are in workload->context. */
void
sdc_queries_measure(SdcWorkload *workload)
{
	SdcCodedRelease *coded = sdc_codedrelease_open(&workload->release);
	SdcQueryTask task = {0};

	task.records = coded->records;
	task.kind = coded->kind;
	task.attributes = coded->qi_count;
	task.qi = query_attributes(coded->qi, coded->qi_count);
	task.sensitives = coded->sensitive_count;
	task.sensitive = query_attributes(coded->sensitive, coded->sensitive_count);
	task.group = coded->group;
	task.groups = coded->groups;
	for (int file = 0; file < 2; file++)
		task.weight[file] = coded->weights.of[file];
	task.queries = workload->queries;
	task.most = workload->most;
	workload->numbers = sdc_queries_numbers(&task);
	workload->errors = MemoryContextAlloc(workload->context,
										  sizeof(SdcWorkloadErrors) * workload->numbers);
	run_queries(&task, sdc_random_create(workload->seed, METHOD), workload->errors);
	sdc_codedrelease_close(coded);
}
