/*-------------------------------------------------------------------------
 *
 * itemjobs.c
 *		Frequent itemsets and associations, found by this process or shared with parallel workers.
 *
 * The work comes in parts: of a search the itemsets with one first item (kernel/itemsets/itemsearch.h), of splits
 * those of some stored itemsets.  A task is a part, or some where there are very many.  Each process finds the frequent
 * items by itself; the store is one for all.  What a task emits a process writes to a log of its own in the memory that
 * they share, until this is full.  Then the session reads the logs in the order of the tasks, and passes on what it
 * would have found alone; a task that no log had room for it does by itself.
 *
 * How far it is, is told in twice the steps of all parts: each is found, and passed on.
 *
 * Memory: that of the search, for each process; the codes or the store once more, and a quarter of maintenance_work_mem
 * for the logs, in the temporary file that processes share.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "kernel/itemsets/itemlog.h"
#include "measure/accuracy/itemjobs.h"
#include "relation/base/jobs.h"
#include "relation/base/memory.h"
#include "relation/base/progress.h"
#include "utils/guc.h"

/* Most tasks, and parts of splits. */
#define TASKS 16384

/* Most bytes of all logs: some million itemsets. */
#define LOG_BYTES (UINT64CONST(64) * 1024 * 1024)

/* Steps of splitting an itemset: few have fewer than three items. */
#define SPLIT_STEPS 8

/* What a task has found. */
typedef struct Found
{
	bool		done;
	uint64		place;			/* in the logs */
	uint64		count;			/* itemsets, or associations */
	uint64		steps;			/* that were told of it */
} Found;

typedef struct Work
{
	struct Work *session;		/* as the session knows it, for itself */
	bool		splits_only;	/* there is no search */
	SdcItemsearch search;
	SdcItemsplits splits;
	uint32		parts;
	uint32		parts_at_once;	/* of a task */
	uint32		tasks;
	uint64		steps;			/* of all parts */
	uint8	   *logs;
	uint64		log_bytes;		/* of each process */
	int			processes;
	Found	   *found;			/* by task */

	/* of a process */
	const SdcItemsearch *asked; /* session: the one, or the other, that it is asked for */
	const SdcItemsplits *asked_splits;
	SdcJobs    *jobs;
	SdcItemrun *run;
	SdcItem    *side;			/* the items of an association */
	SdcItemlog *log;
	Found	   *at_hand;
	bool		complete;		/* session: nobody has ended it */
} Work;

PGDLLEXPORT void sdc_itemjobs_process(SdcJobs *jobs, void *arg);

/* share says what there is: SdcJobsKind. */
static void
share(SdcJobs *jobs, void *arg)
{
	Work	   *work = arg;
	SdcCodedFile *coded = sdc_jobs_copy(jobs, &work->search.coded, 1, sizeof(SdcCodedFile));
	SdcItemstore *store = sdc_jobs_copy(jobs, &work->splits.store, 1, sizeof(SdcItemstore));

	if (coded != NULL)
	{
		uint64		attributes = (uint64) coded->attributes;
		SdcCodedColumn *column = sdc_jobs_copy(jobs, &coded->column, attributes, sizeof(SdcCodedColumn));

		for (int j = 0; j < coded->attributes; j++)
			sdc_jobs_share(jobs, &column[j].code, coded->records, sizeof(uint32));
		(void) sdc_jobs_copy(jobs, &work->search.final, attributes, sizeof(bool));
	}
	if (store != NULL)
	{
		sdc_jobs_share(jobs, &store->entry, store->n, sizeof(SdcItemstoreEntry));
		sdc_jobs_share(jobs, &store->place, store->places, sizeof(uint32));
		(void) sdc_jobs_copy(jobs, &work->splits.sensitive, (uint64) work->splits.attributes, sizeof(bool));
	}
	sdc_jobs_room(jobs, &work->found, work->tasks, sizeof(Found));
	sdc_jobs_room(jobs, &work->logs, work->log_bytes, (Size) work->processes);
}

/* no_piece tells that the log is full: SdcItemlogPiece. */
static bool
no_piece(void *arg pg_attribute_unused(), uint8 **at pg_attribute_unused(), uint8 **end pg_attribute_unused())
{
	return false;
}

/* open_work makes a process ready. */
static void
open_work(Work *work)
{
	int			attributes = work->splits_only ? work->splits.attributes : work->search.coded->attributes;

	if (!work->splits_only)
		work->run = sdc_itemsearch_open(&work->search);
	work->side = sdc_alloc_array(SdcItem, attributes);
	work->log = sdc_itemlog_create(attributes, no_piece, NULL);
}

/* close_work gives up what this takes. */
static void
close_work(Work *work)
{
	sdc_itemlog_destroy(work->log);
	sdc_free(work->side);
	if (work->run != NULL)
		sdc_itemsearch_close(work->run);
}

/* count_steps counts steps of a task: SdcItemsearchAdvance. */
static void
count_steps(void *arg, uint64 steps)
{
	Work	   *work = arg;

	work->at_hand->steps += steps;
	sdc_jobs_count(work->jobs, steps);
}

/* pass_steps counts steps of what is passed on as it is found: SdcItemsearchAdvance. */
static void
pass_steps(void *arg, uint64 steps)
{
	Work	   *work = arg;

	sdc_jobs_count(work->jobs, 2 * steps);
}

/* tell_steps tells others how far the work is; what was begun and given up counts more than once: SdcJobsKind. */
static void
tell_steps(void *arg, uint64 done)
{
	const Work *work = arg;

	SDC_REPORT(Min(done, 2 * work->steps), 2 * work->steps);
}

/* log_itemset writes an itemset to the log: SdcItemsearchEmit. */
static bool
log_itemset(void *arg, const SdcItem *item, int items, uint64 count, uint64 prefix_count)
{
	Work	   *work = arg;

	work->at_hand->count++;
	return sdc_itemlog_write(work->log, item, items, count, prefix_count);
}

/*
 * log_rule writes an association to the log, as an itemset whose attributes tell the sides too, with the counts of
 * these, and the count of both: SdcRuleTake.
 */
static bool
log_rule(void *arg, const SdcRule *rule)
{
	Work	   *work = arg;
	int			items = rule->antecedent_items + rule->consequent_items;
	int			a = 0;

	for (int i = 0; i < items; i++)
	{
		bool		antecedent = i - a == rule->consequent_items ||
			(a < rule->antecedent_items && rule->antecedent[a].attribute < rule->consequent[i - a].attribute);
		const SdcItem *item = antecedent ? &rule->antecedent[a] : &rule->consequent[i - a];

		work->side[i] = (SdcItem) {2 * item->attribute + antecedent, item->code};
		a += antecedent;
	}
	work->at_hand->count++;
	return sdc_itemlog_write(work->log, work->side, items, rule->antecedent_count, rule->consequent_count) &&
		sdc_itemlog_put(work->log, rule->both_count);
}

/* run_task runs the parts of a task; false if what it finds is not wanted. */
static bool
run_task(Work *work, uint32 task)
{
	uint32		part = task * work->parts_at_once;
	uint32		end = part + Min(work->parts_at_once, work->parts - part);
	uint64		entries = work->splits_only ? work->splits.store->n : 0;

	for (; part < end && work->run != NULL; part++)
		if (!sdc_itemsearch_part(work->run, part))
			return false;
	return work->run != NULL || sdc_itemsplits_run(&work->splits, (uint32) (entries * part / work->parts),
												   (uint32) (entries * end / work->parts));
}

/* sdc_itemjobs_process is what one process does, unless it is alone: it fills its log.  SdcJobsKind. */
void
sdc_itemjobs_process(SdcJobs *jobs, void *arg)
{
	Work	   *shared = arg;
	Work	   *work = IsParallelWorker() ? shared : shared->session;
	uint8	   *at = shared->logs + shared->log_bytes * (uint64) (IsParallelWorker() ? ParallelWorkerNumber + 1 : 0);
	uint8	   *end = at + shared->log_bytes;
	uint32		task;

	if (!sdc_jobs_shared(jobs))
		return;
	if (IsParallelWorker())
		open_work(work);
	work->jobs = jobs;
	work->search.emit = log_itemset;
	work->splits.take = log_rule;
	work->search.advance = work->splits.advance = count_steps;
	work->search.arg = work->splits.arg = work->search.advance_arg = work->splits.advance_arg = work;
	while (sdc_jobs_next(jobs, shared->tasks, &task))
	{
		work->at_hand = &shared->found[task];
		work->at_hand->place = (uint64) (at - shared->logs);
		sdc_itemlog_begin(work->log, at, end);
		if (!run_task(work, task))
			break;
		at = work->log->at;
		work->at_hand->done = true;
	}
	if (IsParallelWorker())
		close_work(work);
}

/* emit_rule passes an association on that was read from a log. */
static bool
emit_rule(const Work *work, const SdcItemlog *log, uint64 antecedent_count, uint64 consequent_count, uint64 both_count)
{
	SdcItem    *side = work->side;
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
	return work->splits.take(work->splits.arg, &rule);
}

/* emit_next passes on what a log has next. */
static bool
emit_next(Work *work)
{
	SdcItemlog *log = work->log;
	uint64		count;
	uint64		other_count;
	uint64		both_count = 0;

	if (!sdc_itemlog_read(log, &count, &other_count) || (work->splits_only && !sdc_itemlog_get(log, &both_count)))
		elog(ERROR, "log of itemsets ends too soon");
	if (work->splits_only)
		return emit_rule(work, log, count, other_count, both_count);
	return work->search.emit(work->search.arg, log->item, log->items, count, other_count);
}

/* emit_found passes on what a task has found. */
static bool
emit_found(Work *work, const Work *shared, const Found *found)
{
	uint8	   *end = shared->logs + shared->log_bytes * (uint64) shared->processes;

	sdc_itemlog_begin(work->log, shared->logs + found->place, end);
	for (uint64 i = 0; i < found->count; i++)
	{
		sdc_interrupts_step(i);
		if (!emit_next(work))
			return false;
	}
	sdc_jobs_count(work->jobs, found->steps);
	return true;
}

/* emit_all passes on what there is, in the order of the tasks: SdcJobsKind's merge. */
static void
emit_all(SdcJobs *jobs, void *arg)
{
	const Work *shared = arg;
	Work	   *work = shared->session;

	work->jobs = jobs;
	work->complete = true;
	if (work->splits_only)
		work->splits = *work->asked_splits;
	else
		work->search = *work->asked;
	work->search.advance = work->splits.advance = pass_steps;
	work->search.advance_arg = work->splits.advance_arg = work;
	for (uint32 task = 0; task < work->tasks && work->complete; task++)
		if (sdc_jobs_shared(jobs) && shared->found[task].done)
			work->complete = emit_found(work, shared, &shared->found[task]);
		else
			work->complete = run_task(work, task);
}

/*
 * run runs what is open, with as many workers as help with so many steps.  None where temp_file_limit may be in the
 * way, when the memory of each does not hold so many bytes.
 */
static bool
run(Work *work, uint64 steps, uint64 bytes)
{
	static const SdcJobsKind kind = {.process = sdc_itemjobs_process, .name = "sdc_itemjobs_process", .share = share,
	.size = sizeof(Work), .merge = emit_all, .tell = tell_steps};
	int			wanted = sdc_workers_wanted(steps);

	if (temp_file_limit >= 0 && bytes > sdc_workers_share(wanted))
		wanted = 0;
	work->parts_at_once = work->parts / TASKS + 1;
	work->tasks = (work->parts + work->parts_at_once - 1) / work->parts_at_once;
	work->processes = (int) Min((uint32) wanted + 1, Max(work->tasks, 1));
	work->log_bytes = Min(sdc_memory_budget() / 4, LOG_BYTES) / (uint64) work->processes;
	work->session = work;
	sdc_jobs_run(&kind, work, work->processes - 1, NULL);
	close_work(work);
	sdc_progress_next_part();
	return work->complete;
}

/* sdc_itemjobs_search: see itemjobs.h. */
bool
sdc_itemjobs_search(const SdcItemsearch *search)
{
	Work		work = {.search = *search, .asked = search};

	open_work(&work);
	work.parts = sdc_itemsearch_parts(work.run);
	work.steps = sdc_itemsearch_weight(work.run);
	return run(&work, sdc_itemsearch_steps(work.run), sdc_itemsearch_bound(work.run));
}

/* sdc_itemjobs_split: see itemjobs.h. */
bool
sdc_itemjobs_split(const SdcItemsplits *splits)
{
	Work		work = {.splits = *splits, .asked_splits = splits, .splits_only = true};

	open_work(&work);
	work.parts = Min(splits->store->n, TASKS);
	work.steps = splits->store->n;
	return run(&work, (uint64) splits->store->n * SPLIT_STEPS, 0);
}
