/*-------------------------------------------------------------------------
 *
 * queryjobs.c
 *		Random queries, asked by this process or shared with parallel workers.
 *
 * A task is the queries with one number of attributes, which are drawn from a stream of their own.  The key of these
 * streams may be that of a release with the same seed: it is a secret of the call, and comes into no file.  Each
 * process makes the rows of bits that it looks up by itself.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "measure/accuracy/queryjobs.h"
#include "relation/base/jobs.h"
#include "relation/base/memory.h"

#define PURPOSE "workload"

typedef struct Work
{
	SdcQueryTask task;
	SdcQueryErrors *result;
} Work;

PGDLLEXPORT void sdc_queryjobs_process(SdcJobs *jobs, void *arg);

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

/* sdc_queryjobs_process is what one process does: SdcJobsKind. */
void
sdc_queryjobs_process(SdcJobs *jobs, void *arg)
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

/* sdc_queryjobs_run: see queryjobs.h. */
void
sdc_queryjobs_run(const SdcQueryTask *task, SdcRandom *random, SdcQueryErrors *result)
{
	static const SdcJobsKind kind = {.process = sdc_queryjobs_process, .name = "sdc_queryjobs_process",
	.share = share, .size = sizeof(Work), .tell = tell_asked};
	int			numbers = sdc_queries_numbers(task);
	uint64		batches = task->queries / SDC_QUERIES_AT_ONCE + 1;
	int			wanted = sdc_workers_wanted((uint64) task->records * (task->attributes + task->sensitives) *
											numbers * batches / SDC_QUERIES_AT_ONCE);
	Work		work = {.task = *task, .result = result};

	sdc_jobs_run(&kind, &work, Min(wanted, numbers - 1), random);
	sdc_queries_finish(task, result);
}
