/*-------------------------------------------------------------------------
 *
 * rules.c
 *		Associations between combinations of values and sensitive values, and their recall.
 *
 * Associations are those of R. Agrawal and R. Srikant ("Fast algorithms for mining
 * association rules", VLDB 1994).  What W. Yang and S. Qiao ("A novel anonymization algorithm:
 * privacy protection and knowledge preservation", Expert Systems with Applications 37,
 * 2010) count as quasi-sensitive associations can be read in three ways; see rules.h.
 *
 *	- With a sensitive consequent the search for itemsets has the sensitive attributes as
 *	  final ones: what it emits is the antecedent, and then the consequent.  Counts of rules that miss
 *	  the confidence with the least support of an antecedent miss it with every other, so that
 *	  the search need not go there.
 *	- For all splits of an itemset the counts of all its subsets are needed.  The
 *	  itemsets are counted first, to know what a store of them takes, and stored then.
 *
 * Order: with a sensitive consequent by antecedents, in lexicographic order of items with prefixes
 * first, then by consequents.  Splits by itemsets, in the same order, then by the
 * first item that is on different sides, the antecedent being first.
 *
 * Rules of two files are compared by merging: the rules of the original are kept in a compact list in this order,
 * with which those of the release are met one by one.  With a grain the counts of the original are rounded, so that no
 * record of it shows; rules that one step of a rounded count makes or breaks are counted, as they say how coarse the
 * comparison is.
 *
 * Memory: that of the search (itemsearch.c); splits take 22 to 28 bytes for each frequent itemset
 * in addition, recall a few bytes for each rule of the original.  What exceeds the memory
 * allowed is an error before it is allocated.  An itemset of n items has 2^n - 2 splits.
 * Deterministic: nothing to choose.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/base/grain.h"
#include "kernel/itemsets/itemsearch.h"
#include "kernel/itemsets/itemstore.h"
#include "kernel/itemsets/keylist.h"
#include "kernel/itemsets/rules.h"

/* One run over the rules of a file. */
typedef struct RuleRun
{
	/* set once */
	const SdcRuleTask *task;
	SdcRuleTake take;
	void	   *arg;
	uint64		memory;			/* allowed, */
	uint64	   *left;			/* and what is left of it when the first rule is taken */
	uint32	  **item_count;		/* sensitive consequents: of each sensitive attribute and code */

	/* splits */
	SdcItemstore *store;
	uint64		itemsets;		/* counted, */
	uint64		max_itemsets;	/* and how many there is memory for */
	uint32	   *path;			/* number of the last itemset of each length, from [1] on */
} RuleRun;

/* ------------------------------------------------------------------------
 * Rules with a sensitive consequent
 * ------------------------------------------------------------------------
 */

/* search_items runs a search. */
static bool
search_items(const RuleRun *run, const SdcItemsearch *search)
{
	return run->task->search != NULL ? run->task->search(search) : sdc_itemsearch_run(search);
}

/* take_final takes an antecedent followed by a consequent. */
static bool
take_final(void *arg, const SdcItem *item, int items, uint64 count, uint64 prefix_count)
{
	const RuleRun *run = arg;
	const SdcItem *last = &item[items - 1];
	SdcRule		rule;

	rule.antecedent = item;
	rule.antecedent_items = items - 1;
	rule.consequent = last;
	rule.consequent_items = 1;
	rule.antecedent_count = prefix_count;
	rule.consequent_count = run->item_count[last->attribute][last->code];
	rule.both_count = count;
	return run->take(run->arg, &rule);
}

/* item_count_memory is what the counts of sensitive items take. */
static uint64
item_count_memory(const SdcRuleTask *task)
{
	uint64		bytes = (uint64) task->coded->attributes * sizeof(uint32 *);

	for (int j = 0; j < task->coded->attributes; j++)
		if (task->sensitive[j])
			bytes += ((uint64) task->coded->column[j].codes + 1) * sizeof(uint32);
	return bytes;
}

/* count_items counts the records with each sensitive item. */
static uint32 **
count_items(const SdcRuleTask *task)
{
	const SdcCodedFile *coded = task->coded;
	uint32	  **count = sdc_alloc_array(uint32 *, coded->attributes);

	for (int j = 0; j < coded->attributes; j++)
	{
		const SdcCodedColumn *column = &coded->column[j];

		count[j] = NULL;
		if (!task->sensitive[j])
			continue;
		count[j] = sdc_alloc_zeros(uint32, (Size) column->codes + 1);
		for (uint32 i = 0; i < coded->records; i++)
		{
			sdc_interrupts_step(i);
			if (column->code[i] != SDC_CODE_NULL)
				count[j][column->code[i]]++;
		}
	}
	return count;
}

/*
 * run_final runs over rules with a sensitive consequent.  An antecedent has min_count records or more;
 * so where fewer than final_min_count have the consequent too, the confidence is too low.
 */
static SdcStatus
run_final(RuleRun *run)
{
	const SdcRuleTask *task = run->task;
	SdcItemsearch search = {
		.coded = task->coded,
		.final = task->sensitive,
		.min_count = task->min_count,
		.final_min_share = task->min_confidence,
		.max_length = task->max_length,
		.emit = take_final,
		.arg = run,
	};
	uint64		memory = item_count_memory(task);
	uint64		most;

	search.final_min_count = task->reading == SDC_RULE_RULE ? task->min_count :
		sdc_itemsets_min_count(task->min_confidence, task->min_count);
	most = sdc_itemsearch_memory(&search);
	if (memory > run->memory || most > run->memory - memory)
		return SDC_ERROR_MEMORY;
	*run->left = run->memory - memory - most;
	run->item_count = count_items(task);
	(void) search_items(run, &search);
	for (int j = 0; j < task->coded->attributes; j++)
		if (run->item_count[j] != NULL)
			sdc_free(run->item_count[j]);
	sdc_free(run->item_count);
	return SDC_OK;
}

/* ------------------------------------------------------------------------
 * All splits of itemsets
 * ------------------------------------------------------------------------
 */

/* count_itemset counts an itemset; false when there are too many. */
static bool
count_itemset(void *arg, const SdcItem *item, int items, uint64 count, uint64 prefix_count)
{
	RuleRun    *run = arg;

	(void) item;
	(void) items;
	(void) count;
	(void) prefix_count;
	return ++run->itemsets <= run->max_itemsets;
}

/* store_itemset stores an itemset, whose prefix is the last one of its length. */
static bool
store_itemset(void *arg, const SdcItem *item, int items, uint64 count, uint64 prefix_count)
{
	RuleRun    *run = arg;

	(void) prefix_count;
	run->path[items] = sdc_itemstore_add(run->store, run->path[items - 1], item[items - 1],
										 (uint32) count);
	return true;
}

/* most_itemsets is the highest number of itemsets, up to n, whose store takes no more memory. */
static uint64
most_itemsets(uint64 memory, uint64 n)
{
	uint64		low = 0;

	if (sdc_itemstore_memory(0) > memory)
		return 0;
	while (low < n)
	{
		uint64		middle = low + (n - low + 1) / 2;

		if (sdc_itemstore_memory(middle) <= memory)
			low = middle;
		else
			n = middle - 1;
	}
	return low;
}

/* split_itemsets takes the splits of all stored itemsets that have a sensitive item. */
static void
split_itemsets(const RuleRun *run)
{
	const SdcRuleTask *task = run->task;
	SdcItemsplits splits = {
		.store = run->store,
		.attributes = task->coded->attributes,
		.sensitive = task->sensitive,
		.min_confidence = task->min_confidence,
		.take = run->take,
		.arg = run->arg,
	};

	if (task->split != NULL)
		(void) task->split(&splits);
	else
		(void) sdc_itemsplits_run(&splits, 0, run->store->n);
}

/* run_splits runs over the splits of itemsets. */
static SdcStatus
run_splits(RuleRun *run)
{
	const SdcRuleTask *task = run->task;
	SdcItemsearch search = {
		.coded = task->coded,
		.min_count = task->min_count,
		.max_length = task->max_length,
		.emit = count_itemset,
		.arg = run,
	};
	uint64		memory = sdc_itemsearch_memory(&search);
	uint64		paths = sdc_itemsplits_memory(task->coded->attributes);

	if (memory > run->memory || paths + sdc_itemstore_memory(0) > run->memory - memory)
		return SDC_ERROR_MEMORY;
	run->itemsets = 0;
	*run->left = run->memory - memory - paths;
	run->max_itemsets = most_itemsets(*run->left, SDC_ITEMSTORE_EMPTY - 1);
	if (!search_items(run, &search))
		return SDC_ERROR_MEMORY;
	*run->left -= sdc_itemstore_memory(run->itemsets);

	run->path = sdc_alloc_array(uint32, (Size) task->coded->attributes + 1);
	run->path[0] = SDC_ITEMSTORE_EMPTY;
	run->store = sdc_itemstore_create((uint32) run->itemsets);
	search.emit = store_itemset;
	(void) search_items(run, &search);
	sdc_free(run->path);
	split_itemsets(run);
	sdc_itemstore_destroy(run->store);
	return SDC_OK;
}

/*
 * run_rules gives all rules of a task to take, until that returns false.  *left is written before
 * the first one.
 */
static SdcStatus
run_rules(const SdcRuleTask *task, uint64 memory, uint64 *left, SdcRuleTake take, void *arg)
{
	RuleRun		run;

	SDC_ASSERT(task->max_length >= 1 && task->min_count >= 1);
	memset(&run, 0, sizeof(RuleRun));
	run.task = task;
	run.take = take;
	run.arg = arg;
	run.memory = memory;
	run.left = left;
	return task->reading == SDC_RULE_ANY ? run_splits(&run) : run_final(&run);
}

/* emit_rule passes a rule on. */
static bool
emit_rule(void *arg, const SdcRule *rule)
{
	const SdcRuleTask *task = arg;

	task->emit(task->arg, rule);
	return true;
}

/* sdc_rules: see rules.h. */
SdcStatus
sdc_rules(const SdcRuleTask *task)
{
	uint64		left;

	return run_rules(task, task->memory, &left, emit_rule, (void *) task);
}

/* ------------------------------------------------------------------------
 * Recall
 * ------------------------------------------------------------------------
 */

/* The rules of the original, and where the merge is. */
typedef struct RuleMerge
{
	/* set once */
	SdcRuleReading reading;
	const SdcRuleTask *task;	/* of the original */
	const uint64 *first;		/* of each attribute: the number of its first item in keys */
	SdcKeylist *list;			/* of the original's rules, */
	uint64		left;			/* for which there is so much memory besides */
	SdcRecall  *recall;
	uint64		used;			/* by the list while it was empty */

	/* changes */
	uint64	   *key;			/* of the rule at hand */
	uint32		key_length;
	SdcStatus	status;
	const uint64 *original;		/* the first rule of the original that is not passed, or NULL */
	uint32		original_length;
} RuleMerge;

/* number_items numbers items, from 1 on: of a consequent that stands last, before all others. */
static void
number_items(const SdcRuleTask *original, const SdcRuleTask *release, uint64 *first)
{
	uint64		next = 1;

	for (int final = 1; final >= 0; final--)
	{
		for (int j = 0; j < original->coded->attributes; j++)
		{
			uint32		codes = original->coded->column[j].codes;

			if (release->coded->column[j].codes > codes)
				codes = release->coded->column[j].codes;
			if ((original->reading != SDC_RULE_ANY && original->sensitive[j]) == (final == 1))
			{
				first[j] = next;
				next += codes;
			}
		}
	}
}

/*
 * make_key makes a key whose order is that of the run: the antecedent, and the consequent, which comes
 * before all that could follow instead.  Of a split: the itemset, a 0, which comes before all items,
 * and the side of each item.  Returns the length of the rule.
 */
static int
make_key(RuleMerge *merge, const SdcRule *rule)
{
	const SdcItem *a = rule->antecedent;
	const SdcItem *b = rule->consequent;
	const SdcItem *a_end = a + rule->antecedent_items;
	const SdcItem *b_end = b + rule->consequent_items;
	int			items = rule->antecedent_items + rule->consequent_items;
	uint64	   *key = merge->key;

	if (merge->reading != SDC_RULE_ANY)
	{
		for (; a < a_end; a++)
			*key++ = merge->first[a->attribute] + a->code;
		*key = merge->first[b->attribute] + b->code;
		merge->key_length = (uint32) items;
		return rule->antecedent_items;
	}
	for (int i = 0; i < items; i++)
	{
		bool		antecedent = b == b_end || (a < a_end && a->attribute < b->attribute);
		const SdcItem *item = antecedent ? a++ : b++;

		key[i] = merge->first[item->attribute] + item->code;
		key[items + 1 + i] = antecedent ? 0 : 1;
	}
	key[items] = 0;
	merge->key_length = 2 * (uint32) items + 1;
	return items;
}

/*
 * holds tells whether a rule is one by its rounded counts, when they move by so much: for the rule, or, if it is
 * negative, against it.
 */
static bool
holds(const SdcRuleTask *task, const SdcRule *rule, int64 move)
{
	int64		antecedent = (int64) sdc_grain_count(rule->antecedent_count, task->grain);
	int64		both = (int64) sdc_grain_count(rule->both_count, task->grain) + move;
	int64		support = task->reading == SDC_RULE_ANTECEDENT ? antecedent + move : both;
	int64		covered = antecedent - move;

	return support >= (int64) task->min_count && both > 0 &&
		(covered <= 0 || (uint64) both >= sdc_itemsets_min_count(task->min_confidence, (uint64) covered));
}

/* note_grain notes whether a rule of the original stays when its counts move, and returns whether it is one. */
static bool
note_grain(RuleMerge *merge, const SdcRule *rule, int length)
{
	const SdcRuleTask *task = merge->task;
	bool		firm = holds(task, rule, -(int64) task->grain);
	bool		fragile = !firm && holds(task, rule, task->grain);

	merge->recall[0].firm += firm;
	merge->recall[length].firm += firm;
	merge->recall[0].fragile += fragile;
	merge->recall[length].fragile += fragile;
	return holds(task, rule, 0);
}

/* keep_rule keeps a rule of the original. */
static bool
keep_rule(void *arg, const SdcRule *rule)
{
	RuleMerge  *merge = arg;
	int			length = make_key(merge, rule);

	if (merge->task->grain > 0 && !note_grain(merge, rule, length))
		return true;
	merge->recall[0].original++;
	merge->recall[length].original++;
	merge->status = sdc_keylist_append(merge->list, merge->key, merge->key_length,
									   merge->used + merge->left);
	return merge->status == SDC_OK;
}

/* intersect_rule looks for a rule of the release among those of the original. */
static bool
intersect_rule(void *arg, const SdcRule *rule)
{
	RuleMerge  *merge = arg;
	int			length = make_key(merge, rule);
	int			order = 1;
	uint32		credit = SDC_INTERRUPT_STEPS;

	while (merge->original != NULL)
	{
		sdc_interrupts_spend(&credit, 1);
		order = sdc_keylist_compare(merge->original, merge->original_length,
									merge->key, merge->key_length);
		if (order >= 0)
			break;
		merge->original = sdc_keylist_next(merge->list, &merge->original_length);
	}
	if (merge->original != NULL && order == 0)
	{
		merge->recall[0].recovered++;
		merge->recall[length].recovered++;
	}
	else
	{
		merge->recall[0].artificial++;
		merge->recall[length].artificial++;
	}
	return true;
}

/*
 * loosened returns the task that finds all rules that hold when their rounded counts move by the grain: each of these
 * is then one and a half grains at most from what it is.
 */
static SdcRuleTask
loosened(const SdcRuleTask *task)
{
	SdcRuleTask loose = *task;
	uint64		most = task->grain + task->grain / 2 + 1;

	if (task->grain == 0)
		return loose;
	SDC_ASSERT(task->min_count >= 4 * (uint64) task->grain);
	loose.min_count -= most;
	loose.min_confidence -= (double) most * (1 + task->min_confidence) / (double) loose.min_count;
	loose.min_confidence = loose.min_confidence > 0 ? loose.min_confidence : 0;
	return loose;
}

/* merge_rules compares the rules of two files with memory bytes for runs and the filled list. */
static SdcStatus
merge_rules(RuleMerge *merge, const SdcRuleTask *original, const SdcRuleTask *release,
			uint64 memory)
{
	SdcRuleTask loose = loosened(original);
	uint64		left;
	SdcStatus	status;

	merge->status = SDC_OK;
	merge->used = sdc_keylist_used(merge->list);
	status = run_rules(&loose, memory, &merge->left, keep_rule, merge);
	if (status == SDC_OK)
		status = merge->status;
	if (status != SDC_OK)
		return status;
	memory -= sdc_keylist_used(merge->list) - merge->used;
	sdc_keylist_rewind(merge->list);
	merge->original = sdc_keylist_next(merge->list, &merge->original_length);
	return run_rules(release, memory, &left, intersect_rule, merge);
}

/* sdc_rules_recall: see rules.h.  The lower one of the two memory limits holds for both together. */
SdcStatus
sdc_rules_recall(const SdcRuleTask *original, const SdcRuleTask *release, SdcRecall *recall)
{
	Size		attributes = (Size) original->coded->attributes;
	uint32		max_key = 2 * (uint32) attributes + 1;
	uint64		memory = original->memory < release->memory ? original->memory : release->memory;
	uint64		fixed = (attributes + max_key) * sizeof(uint64) + sdc_keylist_memory(max_key);
	uint64	   *first;
	RuleMerge	merge;
	SdcStatus	status;

	SDC_ASSERT(original->reading == release->reading);
	SDC_ASSERT(original->coded->attributes == release->coded->attributes);
	memset(recall, 0, (attributes + 1) * sizeof(SdcRecall));
	if (fixed > memory)
		return SDC_ERROR_MEMORY;
	first = sdc_alloc_array(uint64, attributes);
	number_items(original, release, first);
	memset(&merge, 0, sizeof(RuleMerge));
	merge.reading = original->reading;
	merge.task = original;
	merge.first = first;
	merge.recall = recall;
	merge.key = sdc_alloc_array(uint64, max_key);
	merge.list = sdc_keylist_create(max_key);
	status = merge_rules(&merge, original, release, memory - fixed);
	sdc_keylist_destroy(merge.list);
	sdc_free(merge.key);
	sdc_free(first);
	return status;
}
