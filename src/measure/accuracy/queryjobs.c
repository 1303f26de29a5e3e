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
#include "relation/base/memory.h"
#include "relation/base/workers.h"

#define PURPOSE "workload"

/* What is packed into the memory that processes share; offsets (relation/base/workers.h). */
typedef struct PackedAttribute
{
	SdcQueryAttribute attribute;
	uint64		original;
	uint64		protected;
	uint64		set;
	uint64		element;
} PackedAttribute;

typedef struct Packed
{
	SdcQueryTask task;
	uint64		qi;
	uint64		sensitive;
	uint64		group;
	uint64		result;
} Packed;

/* One process, with its own source of randomness. */
typedef struct Process
{
	SdcQueryTask task;
	SdcRandom  *random;
	SdcQueryErrors *result;
	SdcQueryRun *run;			/* NULL before the first task */
	SdcWorkers *workers;		/* or NULL: alone, with */
	uint64		asked;
} Process;

PGDLLEXPORT void sdc_queryjobs_worker(dsm_segment *segment, shm_toc *toc);

/* start_stream starts the stream of the queries with so many attributes; arg is the Process. */
static SdcStream *
start_stream(void *arg, int attributes)
{
	Process    *process = arg;

	return sdc_random_start(process->random, "", PURPOSE, (uint64) attributes);
}

/* tell_asked tells others how many queries are asked; arg is the SdcQueryTask. */
static void
tell_asked(void *arg, uint64 asked)
{
	const SdcQueryTask *task = arg;

	SDC_REPORT(asked, (uint64) task->queries * sdc_queries_numbers(task));
}

/* count_asked counts the queries that are asked, by all processes; arg is the Process. */
static void
count_asked(void *arg, uint64 queries)
{
	Process    *process = arg;

	if (process->workers == NULL)
		process->asked += queries;
	else
		process->asked = pg_atomic_add_fetch_u64(&process->workers->shared->done, queries);
	tell_asked(&process->task, process->asked);
}

/* start_process makes a process ready to ask; taken is what is taken of the memory budget. */
static void
start_process(Process *process, uint64 taken)
{
	process->task.stream = start_stream;
	process->task.advance = count_asked;
	process->task.arg = process;
	process->task.memory = sdc_memory_share(taken);
	process->run = NULL;
}

/* ask asks the queries with so many attributes. */
static void
ask(Process *process, int number)
{
	if (process->run == NULL)
		process->run = sdc_queries_create(&process->task);
	sdc_queries_number(process->run, number, &process->result[number - 1]);
	sdc_random_verify(process->random);
}

/* pack_attributes packs the codes of attributes. */
static uint64
pack_attributes(SdcWorkers *workers, const SdcQueryAttribute *attribute, int count, const SdcQueryTask *task)
{
	PackedAttribute *packed = palloc0(sizeof(PackedAttribute) * Max(count, 1));
	uint32		records = task->records;

	for (int i = 0; i < count; i++)
	{
		packed[i].attribute = attribute[i];
		packed[i].original = sdc_workers_put_array(workers, attribute[i].original, records, sizeof(uint32));
		packed[i].protected = sdc_workers_put_array(workers, attribute[i].protected, records, sizeof(uint32));
		packed[i].set = sdc_workers_put_array(workers, attribute[i].set, task->groups, sizeof(SdcQuerySet));
		packed[i].element = sdc_workers_put_array(workers, attribute[i].element, attribute[i].elements,
												  sizeof(uint32));
	}
	return sdc_workers_put(workers, packed, sizeof(PackedAttribute) * count);
}

/* pack packs the work: SdcWorkersPack. */
static uint64
pack(SdcWorkers *workers, const void *arg)
{
	const SdcQueryTask *task = arg;
	int			numbers = sdc_queries_numbers(task);
	Packed		packed = {.task = *task};

	packed.qi = pack_attributes(workers, task->qi, task->attributes, task);
	packed.sensitive = pack_attributes(workers, task->sensitive, task->sensitives, task);
	packed.group = sdc_workers_put_array(workers, task->group, task->records, sizeof(uint32));
	packed.result = sdc_workers_put(workers, NULL, sizeof(SdcQueryErrors) * numbers);
	return sdc_workers_put(workers, &packed, sizeof(Packed));
}

/* unpack_attributes makes attributes of what is packed. */
static SdcQueryAttribute *
unpack_attributes(const SdcWorkers *workers, uint64 offset, int count)
{
	const PackedAttribute *packed = sdc_workers_at(workers, offset);
	SdcQueryAttribute *attribute = palloc(sizeof(SdcQueryAttribute) * Max(count, 1));

	for (int i = 0; i < count; i++)
	{
		attribute[i] = packed[i].attribute;
		attribute[i].original = sdc_workers_at(workers, packed[i].original);
		attribute[i].protected = sdc_workers_at(workers, packed[i].protected);
		attribute[i].set = sdc_workers_at(workers, packed[i].set);
		attribute[i].element = sdc_workers_at(workers, packed[i].element);
	}
	return attribute;
}

/*
 * take_tasks does what one process does: of what is left the queries with the most attributes, which may take
 * longest.
 */
static SdcQueryErrors *
take_tasks(SdcWorkers *workers, SdcRandom *random, uint64 taken)
{
	const Packed *packed = sdc_workers_at(workers, workers->shared->root);
	Process		process = {.task = packed->task, .random = random, .workers = workers};
	int			numbers = sdc_queries_numbers(&packed->task);
	uint32		task;

	process.task.qi = unpack_attributes(workers, packed->qi, packed->task.attributes);
	process.task.sensitive = unpack_attributes(workers, packed->sensitive, packed->task.sensitives);
	process.task.group = sdc_workers_at(workers, packed->group);
	process.result = sdc_workers_at(workers, packed->result);
	start_process(&process, taken);
	while (sdc_workers_next(workers, (uint32) numbers, &task))
		ask(&process, numbers - (int) task);
	return process.result;
}

/* sdc_queryjobs_worker is what a worker does. */
void
sdc_queryjobs_worker(dsm_segment *segment pg_attribute_unused(), shm_toc *toc)
{
	(void) take_tasks(sdc_workers_attach(toc), sdc_random_attach(sdc_workers_secret(toc)), 0);
}

/* run_alone asks all queries in this process. */
static void
run_alone(const SdcQueryTask *task, SdcRandom *random, uint64 taken, SdcQueryErrors *result)
{
	Process		process = {.task = *task, .random = random, .result = result};

	start_process(&process, taken);
	sdc_queries_run(&process.task, result);
	sdc_random_verify(process.random);
}

/* run_shared asks them with workers. */
static void
run_shared(const SdcQueryTask *task, SdcRandom *random, int wanted, uint64 taken, SdcQueryErrors *result)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "sdc queries", ALLOCSET_DEFAULT_SIZES);
	MemoryContext old = MemoryContextSwitchTo(context);
	SdcRandomShare secret;
	SdcWorkers *workers;
	const SdcQueryErrors *found;

	sdc_random_share(random, &secret);
	workers = sdc_workers_start_secret("sdc_queryjobs_worker", wanted, pack, task, &secret, sizeof(secret));
	explicit_bzero(&secret, sizeof(secret));
	sdc_workers_tell(workers, tell_asked, unconstify(SdcQueryTask *, task));
	found = take_tasks(workers, random, taken);
	sdc_workers_finish(workers);
	memcpy(result, found, sizeof(SdcQueryErrors) * sdc_queries_numbers(task));
	sdc_queries_finish(task, result);
	sdc_workers_destroy(workers);
	MemoryContextSwitchTo(old);
	MemoryContextDelete(context);
}

/* sdc_queryjobs_run: see queryjobs.h. */
void
sdc_queryjobs_run(const SdcQueryTask *task, SdcRandom *random, uint64 taken, SdcQueryErrors *result)
{
	int			numbers = sdc_queries_numbers(task);
	uint64		batches = task->queries / SDC_QUERIES_AT_ONCE + 1;
	int			wanted = sdc_workers_wanted((uint64) task->records * (task->attributes + task->sensitives) *
											numbers * batches / SDC_QUERIES_AT_ONCE);

	wanted = Min(wanted, numbers - 1);
	if (wanted <= 0 || !sdc_workers_keep_secrets())
		run_alone(task, random, taken, result);
	else
		run_shared(task, random, wanted, taken, result);
}
