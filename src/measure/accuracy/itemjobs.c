/*-------------------------------------------------------------------------
 *
 * itemjobs.c
 *		Frequent itemsets and associations, found by this process or shared with parallel workers.
 *
 * The work comes in parts: of a search the itemsets with one first item (kernel/itemsets/itemsearch.h), of splits
 * those of some stored itemsets. A task is a part, or some where there are very many. Each process finds the frequent
 * items by itself; the store is one for all. What a task emits a process writes to a log in the memory that they share.
 * When all tasks are done the leader reads these logs in the order of the tasks, and passes on what it would have found
 * alone.
 *
 * How much is found is known to nobody before. So the logs have room for some of it, in chunks that processes take
 * as they need them. A process that gets none gives its task up, and no task is begun any more: the leader passes on
 * what there is, does the first part that is missing by itself, and begins again with those behind it.
 *
 * How far it is, is told in twice the steps of all parts: each is found, and passed on. What has to be found once more
 * counts when it is, and until it is nothing is told.
 *
 * Memory: that of the search, for each process; the codes or the store once more, and a quarter of maintenance_work_mem
 * for the logs, in the temporary file that processes share.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "kernel/itemsets/itemlog.h"
#include "measure/accuracy/itemjobs.h"
#include "relation/base/largearray.h"
#include "relation/base/memory.h"
#include "relation/base/progress.h"
#include "relation/base/workers.h"
#include "utils/guc.h"

/* Most tasks, and parts of splits. */
#define TASKS 16384

/* Most bytes of all logs: some million itemsets, for which another start of workers takes no time. */
#define LOG_BYTES (UINT64CONST(64) * 1024 * 1024)

/* Bytes of a chunk, of which each process has many. */
#define CHUNK_BYTES 65536
#define CHUNKS 32

/* So many itemsets are counted together. */
#define COUNTED 1024

/* Steps of splitting an itemset: few have fewer than three items. */
#define SPLIT_STEPS 8

/* A piece of logs, one after the other. */
typedef struct Chunk
{
	uint64		next;			/* where the log goes on; offset (relation/base/workers.h) */
	uint8		data[FLEXIBLE_ARRAY_MEMBER];
} Chunk;

/* What a task has found. */
typedef struct Found
{
	uint64		chunk;			/* where its log begins; offset */
	uint32		begin;			/* of the bytes of this chunk */
	bool		done;
	uint64		count;			/* itemsets, or associations */
	uint64		steps;			/* that were told of it */
} Found;

/* The work of a search, as it is packed into the memory that processes share; offsets. */
typedef struct PackedColumn
{
	uint64		code;
	uint32		codes;
} PackedColumn;

typedef struct PackedSearch
{
	SdcItemsearch search;
	uint32		records;
	int			attributes;
	uint64		column;			/* PackedColumn */
	uint64		final;
} PackedSearch;

/* That of splits. */
typedef struct PackedSplits
{
	SdcItemsplits splits;
	SdcItemstore store;
	uint64		entry;
	uint64		place;
	uint64		sensitive;
} PackedSplits;

/* Of both, how it is divided. */
typedef struct Packed
{
	uint64		search;			/* PackedSearch, or 0 */
	uint64		splits;			/* PackedSplits, or 0 */
	uint32		first;			/* part, of the first task */
	uint32		parts;			/* of all, */
	uint32		parts_at_once;	/* and of a task */
	uint32		tasks;
	uint64		found;			/* Found, of each task */
	uint64		log;
	uint64		log_bytes;
	uint32		chunk_bytes;
	uint64		most;			/* itemsets that are looked for; 0: all */
	pg_atomic_uint64 log_used;
	pg_atomic_uint64 counted;	/* found by all */
	pg_atomic_uint32 stopped;	/* no task is begun any more */
} Packed;

/* A place in the logs. */
typedef struct Place
{
	const SdcWorkers *workers;
	Packed	   *packed;
	Chunk	   *chunk;			/* NULL: not begun */
} Place;

struct Jobs;

/* One process: either it searches, run, or it splits. */
typedef struct Process
{
	struct Jobs *jobs;			/* leader */
	SdcItemsearch search;		/* emits to the log, or what the caller wants */
	SdcItemrun *run;			/* NULL: it splits */
	SdcItemsplits splits;
	uint32		parts;
	SdcItem    *side;			/* the items of an association */
	Place		place;			/* where it writes */
	SdcItemlog *log;
	uint64		count;			/* found by the task at hand */
	uint32		uncounted;		/* of those found by all */
	uint64		steps;			/* told of the task at hand */
} Process;

/* The work of the leader. */
typedef struct Jobs
{
	const SdcItemsearch *search;	/* this one, */
	const SdcItemsplits *splits;	/* or this one; the other is NULL */
	Process		process;
	uint32		first;			/* part that is emitted next */
	uint64		emitted;
	int			wanted;			/* workers */
	uint64		steps;			/* of all parts, */
	uint64		done;			/* and twice those of the parts that are passed on */
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

/* count_found counts what is written; false: more is not looked for. */
static bool
count_found(Process *process)
{
	Packed	   *packed = process->place.packed;

	process->count++;
	if (++process->uncounted < COUNTED)
		return true;
	process->uncounted = 0;
	return pg_atomic_add_fetch_u64(&packed->counted, COUNTED) <= packed->most || packed->most == 0;
}

/* log_itemset writes an itemset to the log: SdcItemsearchEmit. */
static bool
log_itemset(void *arg, const SdcItem *item, int items, uint64 count, uint64 prefix_count)
{
	Process    *process = arg;

	return count_found(process) && sdc_itemlog_write(process->log, item, items, count, prefix_count);
}

/*
 * log_rule writes an association to the log, as an itemset whose attributes tell the sides too, with the counts of
 * these, and the count of both: SdcRuleTake.
 */
static bool
log_rule(void *arg, const SdcRule *rule)
{
	Process    *process = arg;
	int			items = rule->antecedent_items + rule->consequent_items;
	int			a = 0;

	for (int i = 0; i < items; i++)
	{
		bool		antecedent = i - a == rule->consequent_items ||
			(a < rule->antecedent_items && rule->antecedent[a].attribute < rule->consequent[i - a].attribute);
		const SdcItem *item = antecedent ? &rule->antecedent[a] : &rule->consequent[i - a];

		process->side[i] = (SdcItem) {2 * item->attribute + antecedent, item->code};
		a += antecedent;
	}
	return count_found(process) &&
		sdc_itemlog_write(process->log, process->side, items, rule->antecedent_count, rule->consequent_count) &&
		sdc_itemlog_put(process->log, rule->both_count);
}

/* run_part runs a part; false if what it finds is not wanted. */
static bool
run_part(Process *process, uint32 part)
{
	uint64		entries;

	if (process->run != NULL)
		return sdc_itemsearch_part(process->run, part);
	entries = process->splits.store->n;
	return sdc_itemsplits_run(&process->splits, (uint32) (entries * part / process->parts),
							  (uint32) (entries * (part + 1) / process->parts));
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
	process->count = 0;
	process->steps = 0;
	for (; part < end; part++)
		if (!run_part(process, part))
			return false;
	found->count = process->count;
	found->steps = process->steps;
	found->done = true;
	return true;
}

/* tell_found tells others how far the work is, with so many steps found that are not passed on: sdc_workers_tell. */
static void
tell_found(void *arg, uint64 found)
{
	const Jobs *jobs = arg;

	SDC_REPORT(jobs->done + found, 2 * jobs->steps);
}

/* count_steps counts steps of this process among those of all: SdcItemsearchAdvance. */
static void
count_steps(void *arg, uint64 steps)
{
	Process    *process = arg;
	uint64		found = pg_atomic_add_fetch_u64(&process->place.workers->shared->done, steps);

	process->steps += steps;
	if (process->jobs != NULL)
		tell_found(process->jobs, found);
}

/* pass_steps counts steps of what the leader passes on as it finds it: SdcItemsearchAdvance. */
static void
pass_steps(void *arg, uint64 steps)
{
	Jobs	   *jobs = arg;

	jobs->done += 2 * steps;
	tell_found(jobs, 0);
}

/* take_tasks does what one process does. */
static void
take_tasks(Process *process, SdcWorkers *workers)
{
	Packed	   *packed = sdc_workers_at(workers, workers->shared->root);
	uint32		task;

	process->place = (Place) {workers, packed, NULL};
	process->search.emit = log_itemset;
	process->splits.take = log_rule;
	process->search.arg = process->splits.arg = process;
	process->search.advance = process->splits.advance = count_steps;
	process->search.advance_arg = process->splits.advance_arg = process;
	while (pg_atomic_read_u32(&packed->stopped) == 0 && sdc_workers_next(workers, packed->tasks, &task))
		if (!run_task(process, task))
			pg_atomic_write_u32(&packed->stopped, 1);
}

/* begin_search makes a process ready to search. */
static void
begin_search(Process *process)
{
	process->run = sdc_itemsearch_open(&process->search);
	process->parts = sdc_itemsearch_parts(process->run);
	process->log = sdc_itemlog_create(process->search.coded->attributes, take_chunk, &process->place);
}

/* begin_splits makes a process ready to split. */
static void
begin_splits(Process *process)
{
	process->parts = Min(process->splits.store->n, TASKS);
	process->side = sdc_alloc_array(SdcItem, process->splits.attributes);
	process->log = sdc_itemlog_create(process->splits.attributes, take_chunk, &process->place);
}

/* unpack_search makes of what is packed the search of a worker. */
static void
unpack_search(const SdcWorkers *workers, const PackedSearch *packed, SdcItemsearch *search)
{
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

/* unpack_splits makes of what is packed the splits of a worker. */
static void
unpack_splits(const SdcWorkers *workers, const PackedSplits *packed, SdcItemsplits *splits)
{
	SdcItemstore *store = palloc(sizeof(SdcItemstore));

	*store = packed->store;
	store->entry = sdc_workers_at(workers, packed->entry);
	store->place = sdc_workers_at(workers, packed->place);
	*splits = packed->splits;
	splits->store = store;
	splits->sensitive = sdc_workers_at(workers, packed->sensitive);
}

/* sdc_itemjobs_worker is what a worker does. */
void
sdc_itemjobs_worker(dsm_segment *segment pg_attribute_unused(), shm_toc *toc)
{
	SdcWorkers *workers = sdc_workers_attach(toc);
	const Packed *packed = sdc_workers_at(workers, workers->shared->root);
	Process		process = {0};

	if (packed->search != 0)
	{
		unpack_search(workers, sdc_workers_at(workers, packed->search), &process.search);
		begin_search(&process);
	}
	else
	{
		unpack_splits(workers, sdc_workers_at(workers, packed->splits), &process.splits);
		begin_splits(&process);
	}
	take_tasks(&process, workers);
}

/* pack_search packs the codes that are searched. */
static uint64
pack_search(SdcWorkers *workers, const SdcItemsearch *search)
{
	const SdcCodedFile *coded = search->coded;
	PackedSearch packed = {.search = *search, .records = coded->records, .attributes = coded->attributes};
	PackedColumn *column = palloc0(sizeof(PackedColumn) * Max(coded->attributes, 1));

	for (int j = 0; j < coded->attributes; j++)
	{
		column[j].code = sdc_workers_put_array(workers, coded->column[j].code, coded->records, sizeof(uint32));
		column[j].codes = coded->column[j].codes;
	}
	packed.column = sdc_workers_put(workers, column, sizeof(PackedColumn) * coded->attributes);
	packed.final = sdc_workers_put_array(workers, search->final, coded->attributes, sizeof(bool));
	return sdc_workers_put(workers, &packed, sizeof(packed));
}

/* pack_splits packs the store of the itemsets that are split. */
static uint64
pack_splits(SdcWorkers *workers, const SdcItemsplits *splits)
{
	const SdcItemstore *store = splits->store;
	PackedSplits packed = {.splits = *splits, .store = *store};

	packed.entry = sdc_workers_put_array(workers, store->entry, store->n, sizeof(SdcItemstoreEntry));
	packed.place = sdc_workers_put_array(workers, store->place, store->places, sizeof(uint32));
	packed.sensitive = sdc_workers_put_array(workers, splits->sensitive, splits->attributes, sizeof(bool));
	return sdc_workers_put(workers, &packed, sizeof(packed));
}

/* bytes_packed is about what this takes. */
static uint64
bytes_packed(const Jobs *jobs)
{
	const SdcItemstore *store;

	if (jobs->search != NULL)
		return (uint64) jobs->search->coded->records * jobs->search->coded->attributes * sizeof(uint32);
	store = jobs->splits->store;
	return store->n * sizeof(SdcItemstoreEntry) + store->places * sizeof(uint32);
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
	uint64		most = jobs->search != NULL ? jobs->search->most : 0;
	uint32		parts = jobs->process.parts - jobs->first;
	Packed		packed = {.first = jobs->first, .parts = jobs->process.parts, .log_bytes = log_bytes()};
	uint64		root;

	packed.search = jobs->search != NULL ? pack_search(workers, jobs->search) : 0;
	packed.splits = jobs->splits != NULL ? pack_splits(workers, jobs->splits) : 0;
	packed.parts_at_once = (parts - 1) / TASKS + 1;
	packed.tasks = (parts - 1) / packed.parts_at_once + 1;
	packed.found = sdc_workers_put(workers, NULL, sizeof(Found) * packed.tasks);
	packed.log = sdc_workers_put(workers, NULL, packed.log_bytes);
	packed.chunk_bytes = (uint32) Min(packed.log_bytes / (CHUNKS * (jobs->wanted + 1)), CHUNK_BYTES);
	packed.chunk_bytes = TYPEALIGN_DOWN(sizeof(Chunk), Max(packed.chunk_bytes, 2 * sizeof(Chunk)));
	packed.most = most == 0 ? 0 : most - Min(jobs->emitted, most - 1);
	root = sdc_workers_put(workers, &packed, sizeof(Packed));
	if (workers->base != NULL)
	{
		Packed	   *shared = sdc_workers_at(workers, root);

		pg_atomic_init_u64(&shared->log_used, 0);
		pg_atomic_init_u64(&shared->counted, 0);
		pg_atomic_init_u32(&shared->stopped, 0);
	}
	return root;
}

/* emit_itemset passes an itemset on: SdcItemsearchEmit. */
static bool
emit_itemset(void *arg, const SdcItem *item, int items, uint64 count, uint64 prefix_count)
{
	Jobs	   *jobs = arg;

	jobs->emitted++;
	return jobs->search->emit(jobs->search->arg, item, items, count, prefix_count);
}

/* emit_rule passes an association on that was read from a log. */
static bool
emit_rule(const Jobs *jobs, const SdcItemlog *log, uint64 antecedent_count, uint64 consequent_count, uint64 both_count)
{
	SdcItem    *side = jobs->process.side;
	SdcRule		rule = {.antecedent = side, .antecedent_count = antecedent_count,
	.consequent_count = consequent_count, .both_count = both_count};
	int			a = 0;
	int			c = 0;

	for (int i = 0; i < log->items; i++)
		rule.antecedent_items += log->item[i].attribute % 2;
	rule.consequent = side + rule.antecedent_items;
	rule.consequent_items = log->items - rule.antecedent_items;
	for (int i = 0; i < log->items; i++)
	{
		SdcItem		item = {log->item[i].attribute / 2, log->item[i].code};

		if (log->item[i].attribute % 2 == 1)
			side[a++] = item;
		else
			side[rule.antecedent_items + c++] = item;
	}
	return jobs->splits->take(jobs->splits->arg, &rule);
}

/* emit_next passes on what a log has next. */
static bool
emit_next(Jobs *jobs, SdcItemlog *log)
{
	uint64		count;
	uint64		other_count;
	uint64		both_count = 0;

	if (!sdc_itemlog_read(log, &count, &other_count) || (jobs->splits != NULL && !sdc_itemlog_get(log, &both_count)))
		elog(ERROR, "log of itemsets ends too soon");
	if (jobs->splits != NULL)
		return emit_rule(jobs, log, count, other_count, both_count);
	return emit_itemset(jobs, log->item, log->items, count, other_count);
}

/* emit_found passes on what a task has found. */
static bool
emit_found(Jobs *jobs, SdcItemlog *log, Place *place, const Found *found)
{
	uint8	   *at;
	uint8	   *end;

	go_to(place, found->chunk, &at, &end);
	sdc_itemlog_begin(log, at + found->begin, end);
	for (uint64 i = 0; i < found->count; i++)
	{
		sdc_interrupts_step(i);
		if (!emit_next(jobs, log))
			return false;
	}
	return true;
}

/* attributes_of is how many items there can be. */
static int
attributes_of(const Jobs *jobs)
{
	return jobs->search != NULL ? jobs->search->coded->attributes : jobs->splits->attributes;
}

/* emit_all passes on what tasks have found, up to the first that is not done. */
static bool
emit_all(Jobs *jobs, const SdcWorkers *workers)
{
	Packed	   *packed = sdc_workers_at(workers, workers->shared->root);
	const Found *found = sdc_workers_at(workers, packed->found);
	Place		place = {workers, packed, NULL};
	SdcItemlog *log = sdc_itemlog_create(attributes_of(jobs), follow_chunk, &place);
	uint64		all_found = pg_atomic_read_u64(&workers->shared->done);
	uint64		passed = 0;
	bool		complete = true;

	for (uint32 task = 0; complete && task < packed->tasks && found[task].done; task++)
	{
		complete = emit_found(jobs, log, &place, &found[task]);
		passed += found[task].steps;
		tell_found(jobs, all_found + passed);
		jobs->first += Min(packed->parts_at_once, packed->parts - jobs->first);
	}
	jobs->done += 2 * passed;
	/* with more than are looked for, what is left ends soon */
	if (packed->most > 0 && pg_atomic_read_u64(&packed->counted) > packed->most)
		jobs->wanted = 0;
	sdc_itemlog_destroy(log);
	return complete;
}

/* run_alone emits the next part. */
static bool
run_alone(Jobs *jobs)
{
	Process    *process = &jobs->process;

	process->search.emit = emit_itemset;
	process->search.arg = jobs;
	process->search.advance = pass_steps;
	process->search.advance_arg = jobs;
	if (jobs->splits != NULL)
		process->splits = *jobs->splits;
	process->splits.advance = pass_steps;
	process->splits.advance_arg = jobs;
	return run_part(process, jobs->first++);
}

/*
 * run_shared works with workers until all parts are done or there is no room, and emits what is found, in the caller's
 * memory context.
 */
static bool
run_shared(Jobs *jobs)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "sdc itemset workers", ALLOCSET_DEFAULT_SIZES);
	MemoryContext old = MemoryContextSwitchTo(context);
	int			wanted = (int) Min((uint32) jobs->wanted, jobs->process.parts - jobs->first - 1);
	SdcWorkers *workers = sdc_workers_start("sdc_itemjobs_worker", wanted, pack, jobs);
	bool		complete;

	MemoryContextSwitchTo(old);
	sdc_workers_tell(workers, tell_found, jobs);
	take_tasks(&jobs->process, workers);
	sdc_workers_finish(workers);
	complete = emit_all(jobs, workers);
	sdc_workers_destroy(workers);
	MemoryContextDelete(context);
	return complete;
}

/* run_all runs all parts, with workers where some are wanted. */
static bool
run_all(Jobs *jobs)
{
	bool		complete = true;

	while (complete && jobs->first < jobs->process.parts)
	{
		if (jobs->wanted > 0 && jobs->process.parts - jobs->first > 1)
			complete = run_shared(jobs);
		if (complete && jobs->first < jobs->process.parts)
			complete = run_alone(jobs);
	}
	sdc_itemlog_destroy(jobs->process.log);
	return complete;
}

/*
 * workers_wanted is how many workers help with so many steps.  None where temp_file_limit is in the way, which may be
 * so when the memory of each does not hold so many bytes.
 */
static int
workers_wanted(const Jobs *jobs, uint64 steps, uint64 bytes)
{
	int			wanted = sdc_workers_wanted(steps);
	uint64		packed = bytes_packed(jobs) + TASKS * sizeof(Found) + log_bytes();

	if (temp_file_limit >= 0 &&
		(!sdc_largearray_spares(packed) || bytes > sdc_workers_share(wanted)))
		return 0;
	return wanted;
}

/* sdc_itemjobs_search: see itemjobs.h. */
bool
sdc_itemjobs_search(const SdcItemsearch *search)
{
	Jobs		jobs = {.search = search, .process.search = *search};
	bool		complete;

	jobs.process.jobs = &jobs;
	begin_search(&jobs.process);
	jobs.steps = sdc_itemsearch_weight(jobs.process.run);
	jobs.wanted = workers_wanted(&jobs, sdc_itemsearch_steps(jobs.process.run), sdc_itemsearch_bound(jobs.process.run));
	complete = run_all(&jobs);
	sdc_itemsearch_close(jobs.process.run);
	sdc_progress_next_part();
	return complete;
}

/* sdc_itemjobs_split: see itemjobs.h. */
bool
sdc_itemjobs_split(const SdcItemsplits *splits)
{
	Jobs		jobs = {.splits = splits, .process.splits = *splits};
	bool		complete;

	jobs.process.jobs = &jobs;
	jobs.steps = splits->store->n;
	begin_splits(&jobs.process);
	jobs.wanted = workers_wanted(&jobs, (uint64) splits->store->n * SPLIT_STEPS, 0);
	complete = run_all(&jobs);
	sdc_free(jobs.process.side);
	sdc_progress_next_part();
	return complete;
}
