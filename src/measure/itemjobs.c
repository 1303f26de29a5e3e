/*-------------------------------------------------------------------------
 *
 * itemjobs.c
 *		The search for frequent itemsets, by this process or shared with parallel workers.
 *
 * A task is the itemsets with one first item (a part of kernel/itemsets/itemsearch.h; some parts where there are very
 * many). Each process finds the frequent items by itself, and writes what a task emits to a log in the memory that
 * they share. When all tasks are done the leader reads these logs in the order of the tasks, and passes on what it
 * would have found alone.
 *
 * How many itemsets there are is known to nobody before. So the logs have room for some, in chunks that processes take
 * as they need them. A process that gets none gives its task up, and no task is begun any more: the leader passes on
 * what there is, does the first part that is missing by itself, and begins again with those behind it.
 *
 * Memory: that of the search, for each process; the codes, and a quarter of maintenance_work_mem for the logs, in the
 * temporary file that processes share.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "kernel/itemsets/itemlog.h"
#include "measure/itemjobs.h"
#include "relation/memory.h"
#include "relation/workers.h"
#include "utils/guc.h"

/* Most tasks. */
#define TASKS 16384

/* Most bytes of all logs: some million itemsets, for which another start of workers takes no time. */
#define LOG_BYTES (UINT64CONST(64) * 1024 * 1024)

/* Bytes of a chunk, of which each process has many. */
#define CHUNK_BYTES 65536
#define CHUNKS 32

/* So many itemsets are counted together. */
#define COUNTED 1024

/* A piece of logs, one after the other. */
typedef struct Chunk
{
	uint64		next;			/* where the log goes on; offset (relation/workers.h) */
	uint8		data[FLEXIBLE_ARRAY_MEMBER];
} Chunk;

/* What a task has found. */
typedef struct Found
{
	uint64		chunk;			/* where its log begins; offset */
	uint32		begin;			/* of the bytes of this chunk */
	bool		done;
	uint64		itemsets;
} Found;

/* What is packed into the memory that processes share; offsets. */
typedef struct Packed
{
	SdcItemsearch search;
	uint32		records;
	int			attributes;
	uint64		column;			/* PackedColumn */
	uint64		final;
	uint32		first;			/* part, of the first task */
	uint32		parts;			/* of the search, */
	uint32		parts_at_once;	/* and of a task */
	uint32		tasks;
	uint64		found;			/* Found, of each task */
	uint64		log;
	uint64		log_bytes;
	uint32		chunk_bytes;
	uint64		most;			/* itemsets that are looked for; 0: all */
	pg_atomic_uint64 log_used;
	pg_atomic_uint64 itemsets;	/* found by all */
	pg_atomic_uint32 stopped;	/* no task is begun any more */
} Packed;

typedef struct PackedColumn
{
	uint64		code;
	uint32		codes;
} PackedColumn;

/* A place in the logs. */
typedef struct Place
{
	const SdcWorkers *workers;
	Packed	   *packed;
	Chunk	   *chunk;			/* NULL: not begun */
} Place;

/* One process. */
typedef struct Process
{
	SdcItemsearch search;		/* emits to the log, or what the caller wants */
	SdcItemrun *run;
	Place		place;			/* where it writes */
	SdcItemlog *log;
	uint64		itemsets;		/* of the task at hand */
	uint32		uncounted;		/* of those found */
} Process;

/* The work of the leader. */
typedef struct Jobs
{
	const SdcItemsearch *search;
	Process		process;
	uint32		parts;
	uint32		first;			/* part that is emitted next */
	uint64		emitted;		/* itemsets */
	int			wanted;			/* workers */
} Jobs;

PGDLLEXPORT void sdc_itemjobs_worker(dsm_segment *segment, shm_toc *toc);

/* go_to makes a chunk the one at hand. */
static void
go_to(Place *place, uint64 chunk, uint8 **at, uint8 **end)
{
	place->chunk = sdc_workers_at(place->workers, chunk);
	*at = place->chunk->data;
	*end = (uint8 *) place->chunk + place->packed->chunk_bytes;
}

/* take_chunk takes a chunk to write to: SdcItemlogPiece. */
static bool
take_chunk(void *arg, uint8 **at, uint8 **end)
{
	Place	   *place = arg;
	Packed	   *packed = place->packed;
	uint64		used = pg_atomic_fetch_add_u64(&packed->log_used, packed->chunk_bytes);

	if (used + packed->chunk_bytes > packed->log_bytes)
		return false;
	if (place->chunk != NULL)
		place->chunk->next = packed->log + used;
	go_to(place, packed->log + used, at, end);
	return true;
}

/* follow_chunk goes to the next chunk to read: SdcItemlogPiece. */
static bool
follow_chunk(void *arg, uint8 **at, uint8 **end)
{
	Place	   *place = arg;

	if (place->chunk->next == 0)
		return false;
	go_to(place, place->chunk->next, at, end);
	return true;
}

/* log_itemset writes an itemset to the log: SdcItemsearchEmit. */
static bool
log_itemset(void *arg, const SdcItem *item, int items, uint64 count, uint64 prefix_count)
{
	Process    *process = arg;
	Packed	   *packed = process->place.packed;

	process->itemsets++;
	if (++process->uncounted == COUNTED)
	{
		process->uncounted = 0;
		if (pg_atomic_add_fetch_u64(&packed->itemsets, COUNTED) > packed->most && packed->most > 0)
			return false;
	}
	return sdc_itemlog_write(process->log, item, items, count, prefix_count);
}

/* run_task writes what a task emits; false: not all of it. */
static bool
run_task(Process *process, uint32 task)
{
	const Packed *packed = process->place.packed;
	Found	   *found = (Found *) sdc_workers_at(process->place.workers, packed->found) + task;
	uint32		part = packed->first + task * packed->parts_at_once;
	uint32		end = part + Min(packed->parts_at_once, packed->parts - part);

	if (process->place.chunk == NULL && !take_chunk(&process->place, &process->log->at, &process->log->end))
		return false;
	sdc_itemlog_begin(process->log, process->log->at, process->log->end);
	found->chunk = (char *) process->place.chunk - process->place.workers->base;
	found->begin = (uint32) (process->log->at - process->place.chunk->data);
	process->itemsets = 0;
	for (; part < end; part++)
		if (!sdc_itemsearch_part(process->run, part))
			return false;
	found->itemsets = process->itemsets;
	found->done = true;
	return true;
}

/* take_tasks does what one process does. */
static void
take_tasks(Process *process, SdcWorkers *workers)
{
	Packed	   *packed = sdc_workers_at(workers, workers->shared->root);
	uint32		task;

	process->place = (Place) {workers, packed, NULL};
	process->search.emit = log_itemset;
	process->search.arg = process;
	while (pg_atomic_read_u32(&packed->stopped) == 0 && sdc_workers_next(workers, packed->tasks, &task))
		if (!run_task(process, task))
			pg_atomic_write_u32(&packed->stopped, 1);
}

/* unpack makes of what is packed the search of a worker. */
static void
unpack(const SdcWorkers *workers, SdcItemsearch *search)
{
	const Packed *packed = sdc_workers_at(workers, workers->shared->root);
	const PackedColumn *from = sdc_workers_at(workers, packed->column);
	SdcCodedColumn *column = palloc(sizeof(SdcCodedColumn) * Max(packed->attributes, 1));
	SdcCodedFile *coded = palloc(sizeof(SdcCodedFile));

	for (int j = 0; j < packed->attributes; j++)
		column[j] = (SdcCodedColumn) {sdc_workers_at(workers, from[j].code), from[j].codes};
	*coded = (SdcCodedFile) {packed->records, packed->attributes, column};
	*search = packed->search;
	search->coded = coded;
	search->final = sdc_workers_at(workers, packed->final);
}

/* begin_process opens the search of a process. */
static void
begin_process(Process *process)
{
	process->run = sdc_itemsearch_open(&process->search);
	process->log = sdc_itemlog_create(process->search.coded->attributes, take_chunk, &process->place);
}

/* sdc_itemjobs_worker is what a worker does. */
void
sdc_itemjobs_worker(dsm_segment *segment pg_attribute_unused(), shm_toc *toc)
{
	SdcWorkers *workers = sdc_workers_attach(toc);
	Process		process = {0};

	unpack(workers, &process.search);
	begin_process(&process);
	take_tasks(&process, workers);
}

/* pack_columns packs the codes. */
static uint64
pack_columns(SdcWorkers *workers, const SdcCodedFile *coded)
{
	PackedColumn *column = palloc0(sizeof(PackedColumn) * Max(coded->attributes, 1));

	for (int j = 0; j < coded->attributes; j++)
	{
		column[j].code = sdc_workers_put_array(workers, coded->column[j].code, coded->records, sizeof(uint32));
		column[j].codes = coded->column[j].codes;
	}
	return sdc_workers_put(workers, column, sizeof(PackedColumn) * coded->attributes);
}

/* log_bytes is the room for all logs. */
static uint64
log_bytes(void)
{
	return Min(sdc_memory_budget() / 4, LOG_BYTES);
}

/* pack packs the work that is left: SdcWorkersPack. */
static uint64
pack(SdcWorkers *workers, const void *arg)
{
	const Jobs *jobs = arg;
	const SdcItemsearch *search = jobs->search;
	const SdcCodedFile *coded = search->coded;
	uint32		parts = jobs->parts - jobs->first;
	Packed		packed = {.search = *search, .records = coded->records, .attributes = coded->attributes,
	.first = jobs->first, .parts = jobs->parts, .log_bytes = log_bytes()};
	uint64		root;

	packed.column = pack_columns(workers, coded);
	packed.final = sdc_workers_put_array(workers, search->final, coded->attributes, sizeof(bool));
	packed.parts_at_once = (parts - 1) / TASKS + 1;
	packed.tasks = (parts - 1) / packed.parts_at_once + 1;
	packed.found = sdc_workers_put(workers, NULL, sizeof(Found) * packed.tasks);
	packed.log = sdc_workers_put(workers, NULL, packed.log_bytes);
	packed.chunk_bytes = (uint32) Min(packed.log_bytes / (CHUNKS * (jobs->wanted + 1)), CHUNK_BYTES);
	packed.chunk_bytes = TYPEALIGN_DOWN(sizeof(Chunk), Max(packed.chunk_bytes, 2 * sizeof(Chunk)));
	packed.most = search->most == 0 ? 0 : search->most - Min(jobs->emitted, search->most - 1);
	root = sdc_workers_put(workers, &packed, sizeof(Packed));
	if (workers->base != NULL)
	{
		Packed	   *shared = sdc_workers_at(workers, root);

		pg_atomic_init_u64(&shared->log_used, 0);
		pg_atomic_init_u64(&shared->itemsets, 0);
		pg_atomic_init_u32(&shared->stopped, 0);
	}
	return root;
}

/* emit passes an itemset on: SdcItemsearchEmit. */
static bool
emit(void *arg, const SdcItem *item, int items, uint64 count, uint64 prefix_count)
{
	Jobs	   *jobs = arg;

	jobs->emitted++;
	return jobs->search->emit(jobs->search->arg, item, items, count, prefix_count);
}

/* emit_found passes on what a task has found. */
static bool
emit_found(Jobs *jobs, SdcItemlog *log, Place *place, const Found *found)
{
	uint8	   *at;
	uint8	   *end;

	go_to(place, found->chunk, &at, &end);
	sdc_itemlog_begin(log, at + found->begin, end);
	for (uint64 i = 0; i < found->itemsets; i++)
	{
		uint64		count;
		uint64		prefix_count;

		sdc_interrupts_step(i);
		if (!sdc_itemlog_read(log, &count, &prefix_count))
			elog(ERROR, "log of itemsets ends too soon");
		if (!emit(jobs, log->item, log->items, count, prefix_count))
			return false;
	}
	return true;
}

/* emit_all passes on what tasks have found, up to the first that is not done. */
static bool
emit_all(Jobs *jobs, const SdcWorkers *workers)
{
	Packed	   *packed = sdc_workers_at(workers, workers->shared->root);
	const Found *found = sdc_workers_at(workers, packed->found);
	Place		place = {workers, packed, NULL};
	SdcItemlog *log = sdc_itemlog_create(packed->attributes, follow_chunk, &place);
	bool		complete = true;

	for (uint32 task = 0; complete && task < packed->tasks && found[task].done; task++)
	{
		complete = emit_found(jobs, log, &place, &found[task]);
		jobs->first += Min(packed->parts_at_once, packed->parts - jobs->first);
	}
	/* with more than are looked for, what is left ends soon */
	if (packed->most > 0 && pg_atomic_read_u64(&packed->itemsets) > packed->most)
		jobs->wanted = 0;
	sdc_itemlog_destroy(log);
	return complete;
}

/* run_alone emits the next part. */
static bool
run_alone(Jobs *jobs)
{
	jobs->process.search.emit = emit;
	jobs->process.search.arg = jobs;
	return sdc_itemsearch_part(jobs->process.run, jobs->first++);
}

/*
 * run_shared searches with workers until all parts are done or there is no room, and emits what is found.  The caller's
 * memory context is the one in which it is told.
 */
static bool
run_shared(Jobs *jobs)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "sdc itemset workers", ALLOCSET_DEFAULT_SIZES);
	MemoryContext old = MemoryContextSwitchTo(context);
	int			wanted = (int) Min((uint32) jobs->wanted, jobs->parts - jobs->first - 1);
	SdcWorkers *workers = sdc_workers_start("sdc_itemjobs_worker", wanted, pack, jobs);
	bool		complete;

	MemoryContextSwitchTo(old);
	take_tasks(&jobs->process, workers);
	sdc_workers_finish(workers);
	complete = emit_all(jobs, workers);
	sdc_workers_destroy(workers);
	MemoryContextDelete(context);
	return complete;
}

/* workers_wanted is how many workers help: none where temp_file_limit is in the way. */
static int
workers_wanted(const SdcItemrun *run, const SdcCodedFile *coded)
{
	int			wanted = sdc_workers_wanted(sdc_itemsearch_steps(run));
	uint64		bytes = (uint64) coded->records * coded->attributes * sizeof(uint32) + TASKS * sizeof(Found) +
		log_bytes();

	if (temp_file_limit >= 0 && (bytes > (uint64) temp_file_limit * 1024 / 2 ||
								 sdc_itemsearch_bound(run) > sdc_workers_share(wanted)))
		return 0;
	return wanted;
}

/* sdc_itemjobs_search: see itemjobs.h. */
bool
sdc_itemjobs_search(void *arg pg_attribute_unused(), const SdcItemsearch *search)
{
	Jobs		jobs = {.search = search, .process.search = *search};
	bool		complete = true;

	begin_process(&jobs.process);
	jobs.parts = sdc_itemsearch_parts(jobs.process.run);
	jobs.wanted = workers_wanted(jobs.process.run, search->coded);
	while (complete && jobs.first < jobs.parts)
	{
		if (jobs.wanted > 0 && jobs.parts - jobs.first > 1)
			complete = run_shared(&jobs);
		if (complete && jobs.first < jobs.parts)
			complete = run_alone(&jobs);
	}
	sdc_itemlog_destroy(jobs.process.log);
	sdc_itemsearch_close(jobs.process.run);
	return complete;
}
