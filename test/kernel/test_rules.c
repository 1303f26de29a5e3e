/*-------------------------------------------------------------------------
 *
 * test_rules.c
 *		Associations and their recall against counting each combination record by record.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <math.h>

#include "kernel/itemsets/itemstore.h"
#include "kernel/itemsets/keylist.h"
#include "kernel/itemsets/rules.h"

#include "random.h"
#include "tap.h"

#define MAX_ATTRIBUTES 7

#define NO_LIMIT ((uint64) 1 << 40)

/* A rule with items of its own. */
typedef struct Kept
{
	SdcItem		antecedent[MAX_ATTRIBUTES];
	SdcItem		consequent[MAX_ATTRIBUTES];
	SdcRule		rule;
} Kept;

typedef struct KeptList
{
	Kept	   *kept;
	uint32		n;
	uint32		size;
} KeptList;

/* A file of random records. */
typedef struct Table
{
	SdcCodedFile coded;
	SdcCodedColumn column[MAX_ATTRIBUTES];
	uint32	   *code[MAX_ATTRIBUTES];
} Table;

static KeptList found;
static KeptList wanted;
static KeptList wanted_release;

/* keep appends a rule to a list. */
static void
keep(void *arg, const SdcRule *rule)
{
	KeptList   *list = arg;
	Kept	   *kept;

	if (list->n == list->size)
	{
		list->size = list->size * 2 + 64;
		list->kept = realloc(list->kept, list->size * sizeof(Kept));
	}
	kept = &list->kept[list->n++];
	memset(kept, 0, sizeof(Kept));
	kept->rule = *rule;
	memcpy(kept->antecedent, rule->antecedent,
		   (Size) rule->antecedent_items * sizeof(SdcItem));
	memcpy(kept->consequent, rule->consequent,
		   (Size) rule->consequent_items * sizeof(SdcItem));
}

/* same_items says whether two rules are between the same items. */
static bool
same_items(const Kept *a, const Kept *b)
{
	return a->rule.antecedent_items == b->rule.antecedent_items &&
		a->rule.consequent_items == b->rule.consequent_items &&
		memcmp(a->antecedent, b->antecedent, sizeof(a->antecedent)) == 0 &&
		memcmp(a->consequent, b->consequent, sizeof(a->consequent)) == 0;
}

/* random_table makes a table whose attributes after the first follow it more or less. */
static void
random_table(Table *table, uint32 records, int attributes, uint32 codes)
{
	table->coded.records = records;
	table->coded.attributes = attributes;
	table->coded.column = table->column;
	for (int j = 0; j < attributes; j++)
	{
		uint32		nulls = pick(4) == 0 ? pick(17) : 0;
		uint32		noise = pick(17);

		table->column[j].codes = 1 + pick(codes);
		table->code[j] = malloc((Size) records * sizeof(uint32) + 1);
		table->column[j].code = table->code[j];
		for (uint32 i = 0; i < records; i++)
		{
			uint32		code = pick(table->column[j].codes);

			if (j > 0 && pick(16) >= noise && table->code[0][i] != SDC_CODE_NULL)
				code = table->code[0][i] % table->column[j].codes;
			table->code[j][i] = pick(16) < nulls ? SDC_CODE_NULL : code;
		}
	}
}

/* change_table replaces some values by those of other records. */
static void
change_table(Table *table, uint32 changes)
{
	for (int j = 0; j < table->coded.attributes; j++)
		for (uint32 i = 0; i < table->coded.records; i++)
			if (pick(16) < changes)
				table->code[j][i] = table->code[j][pick(table->coded.records)];
}

/* free_table frees the codes. */
static void
free_table(Table *table)
{
	for (int j = 0; j < table->coded.attributes; j++)
		free(table->code[j]);
}

/* count_records counts the records with all items. */
static uint64
count_records(const SdcCodedFile *coded, const SdcItem *item, int items)
{
	uint64		count = 0;

	for (uint32 i = 0; i < coded->records; i++)
	{
		bool		has = true;

		for (int k = 0; k < items; k++)
			has &= coded->column[item[k].attribute].code[i] == item[k].code;
		count += has;
	}
	return count;
}

/* consider keeps a rule if it has the confidence, and the other counts are right already. */
static void
consider(const SdcRuleTask *task, KeptList *to, const SdcItem *antecedent, int antecedent_items,
		 const SdcItem *consequent, int consequent_items)
{
	SdcItem		both[2 * MAX_ATTRIBUTES];
	SdcRule		rule;

	memcpy(both, antecedent, (Size) antecedent_items * sizeof(SdcItem));
	memcpy(both + antecedent_items, consequent, (Size) consequent_items * sizeof(SdcItem));
	rule.antecedent = antecedent;
	rule.antecedent_items = antecedent_items;
	rule.consequent = consequent;
	rule.consequent_items = consequent_items;
	rule.antecedent_count = count_records(task->coded, antecedent, antecedent_items);
	rule.consequent_count = count_records(task->coded, consequent, consequent_items);
	rule.both_count = count_records(task->coded, both, antecedent_items + consequent_items);
	if (rule.both_count < (task->reading == SDC_RULE_ANTECEDENT ? 1 : task->min_count) ||
		(double) rule.both_count / (double) rule.antecedent_count < task->min_confidence)
		return;
	keep(to, &rule);
}

/* consequents considers all sensitive items for an antecedent. */
static void
consequents(const SdcRuleTask *task, KeptList *to, const SdcItem *item, int items)
{
	for (int j = 0; j < task->coded->attributes; j++)
	{
		for (uint32 code = 0; task->sensitive[j] && code < task->coded->column[j].codes; code++)
		{
			SdcItem		consequent = {(uint32) j, code};

			consider(task, to, item, items, &consequent, 1);
		}
	}
}

/* splits considers all splits of an itemset, if it has a sensitive item. */
static void
splits(const SdcRuleTask *task, KeptList *to, const SdcItem *item, int items)
{
	bool		sensitive = false;

	for (int k = 0; k < items; k++)
		sensitive |= task->sensitive[item[k].attribute];
	for (uint32 set = (UINT32_C(1) << items) - 2; sensitive && set > 0; set--)
	{
		SdcItem		side[2][MAX_ATTRIBUTES];
		int			n[2] = {0, 0};

		for (int k = 0; k < items; k++)
		{
			int			consequent = (set >> (items - 1 - k) & 1) == 0;

			side[consequent][n[consequent]++] = item[k];
		}
		consider(task, to, side[0], n[0], side[1], n[1]);
	}
}

/* enumerate goes through frequent itemsets that begin with the items. */
static void
enumerate(const SdcRuleTask *task, KeptList *to, SdcItem *item, int items)
{
	int			first = items > 0 ? (int) item[items - 1].attribute + 1 : 0;

	if (items == task->max_length)
		return;
	for (int j = first; j < task->coded->attributes; j++)
	{
		if (task->reading != SDC_RULE_ANY && task->sensitive[j])
			continue;
		for (uint32 code = 0; code < task->coded->column[j].codes; code++)
		{
			item[items].attribute = (uint32) j;
			item[items].code = code;
			if (count_records(task->coded, item, items + 1) < task->min_count)
				continue;
			if (task->reading == SDC_RULE_ANY)
				splits(task, to, item, items + 1);
			else
				consequents(task, to, item, items + 1);
			enumerate(task, to, item, items + 1);
		}
	}
}

/* expect fills in the rules that are wanted. */
static void
expect(const SdcRuleTask *task, KeptList *to)
{
	SdcItem		item[MAX_ATTRIBUTES];

	to->n = 0;
	enumerate(task, to, item, 0);
}

/* compare compares the rules found with those wanted, in order. */
static void
compare(const SdcRuleTask *task)
{
	CHECKF(found.n == wanted.n, "%u rules, not %u, of reading %d", found.n, wanted.n,
		   (int) task->reading);
	for (uint32 i = 0; i < found.n && i < wanted.n; i++)
	{
		const SdcRule *a = &found.kept[i].rule;
		const SdcRule *b = &wanted.kept[i].rule;

		CHECKF(same_items(&found.kept[i], &wanted.kept[i]) &&
			   a->antecedent_count == b->antecedent_count &&
			   a->consequent_count == b->consequent_count && a->both_count == b->both_count,
			   "rule %u of %u of reading %d", i, found.n, (int) task->reading);
	}
}

/* random_task makes a task for a table, without memory limit. */
static SdcRuleTask
random_task(const Table *table, bool *sensitive)
{
	static const double confidences[] = {0, 0.15, 1.0 / 3, 0.5, 0.9, 1};
	SdcRuleTask task = {
		.coded = &table->coded,
		.sensitive = sensitive,
		.reading = (SdcRuleReading) pick(3),
		.min_count = 1 + pick(table->coded.records / 6 + 1),
		.min_confidence = confidences[pick(6)],
		.max_length = 1 + (int) pick(MAX_ATTRIBUTES),
		.memory = NO_LIMIT,
		.emit = keep,
		.arg = &found,
	};

	for (int j = 0; j < table->coded.attributes; j++)
		sensitive[j] = pick(3) == 0;
	if (pick(4) > 0)
		sensitive[pick((uint32) table->coded.attributes)] = true;
	return task;
}

/* What was searched and split by others. */
static uint32 searched;
static uint32 split_up;

/* search_in_parts is an SdcItemsearchRunner: two searches take turns. */
static bool
search_in_parts(const SdcItemsearch *search)
{
	SdcItemrun *run[2];
	bool		complete = true;

	for (int i = 0; i < 2; i++)
		run[i] = sdc_itemsearch_open(search);
	for (uint32 part = 0; complete && part < sdc_itemsearch_parts(run[0]); part++)
		complete = sdc_itemsearch_part(run[part % 2], part);
	for (int i = 0; i < 2; i++)
		sdc_itemsearch_close(run[i]);
	searched++;
	return complete;
}

/* split_in_ranges is an SdcItemsplitsRunner: of any number of itemsets at a time. */
static bool
split_in_ranges(const SdcItemsplits *splits)
{
	uint32		n = splits->store->n;
	bool		complete = true;

	for (uint32 begin = 0; complete && begin < n;)
	{
		uint32		end = begin + pick(n - begin < 7 ? n - begin + 1 : 7);

		complete = sdc_itemsplits_run(splits, begin, end);
		split_up += end > begin && begin > 0;
		begin = end;
	}
	return complete;
}

/* random_rules compares rules of all readings. */
static void
random_rules(void)
{
	static const uint32 sizes[] = {0, 1, 2, 20, 63, 64, 65, 100, 128, 130, 200};
	uint32		rules[3] = {0, 0, 0};

	for (int seed = 0; seed < 550; seed++)
	{
		bool		sensitive[MAX_ATTRIBUTES];
		Table		table;
		SdcRuleTask task;
		uint32		codes;
		int			attributes;

		random_state = (uint64) seed;
		/* one after the other, so that they are the same on every machine */
		codes = 1 + pick(seed % 7 == 0 ? 30 : 5);
		attributes = 1 + (int) pick(5);
		random_table(&table, sizes[seed % 11], attributes, codes);
		task = random_task(&table, sensitive);
		found.n = 0;
		CHECK(sdc_rules(&task) == SDC_OK);
		expect(&task, &wanted);
		compare(&task);
		rules[task.reading] += found.n;
		task.search = search_in_parts;
		task.split = split_in_ranges;
		found.n = 0;
		CHECK(sdc_rules(&task) == SDC_OK);
		compare(&task);
		free_table(&table);
	}
	for (int reading = 0; reading < 3; reading++)
		CHECKF(rules[reading] > 1000, "only %u of reading %d", rules[reading], reading);
	CHECKF(searched > 550 && split_up > 500, "%u, %u", searched, split_up);
}

/* confidence_at_limit has a rule whose confidence is the one asked for, as doubles are divided. */
static void
confidence_at_limit(void)
{
	for (uint32 n = 3; n < 120; n++)
	{
		for (uint32 both = 1; both < n; both += 1 + n / 9)
		{
			bool		sensitive[2] = {true, false};
			Table		table;
			SdcRuleTask task;

			random_state = 1;
			random_table(&table, n, 2, 1);
			task = random_task(&table, sensitive);
			sensitive[0] = true;
			sensitive[1] = false;
			table.column[0].codes = 2;
			table.column[1].codes = 1;
			for (uint32 i = 0; i < n; i++)
			{
				table.code[0][i] = i < both ? 0 : 1;
				table.code[1][i] = 0;
			}
			task.reading = SDC_RULE_ANTECEDENT;
			task.min_count = n;
			for (int k = -1; k <= 1; k++)
			{
				double		share = (double) both / n;

				task.min_confidence = k == 0 ? share : nextafter(share, k < 0 ? 0 : 1);
				found.n = 0;
				CHECK(sdc_rules(&task) == SDC_OK);
				expect(&task, &wanted);
				compare(&task);
				CHECK(k > 0 || (found.n > 0 && found.kept[0].rule.both_count == both));
			}
			free_table(&table);
		}
	}
}

/* expect_recall computes the recall of the rules wanted of both files. */
static void
expect_recall(SdcRuleReading reading, SdcRecall *recall)
{
	memset(recall, 0, (MAX_ATTRIBUTES + 1) * sizeof(SdcRecall));
	for (int release = 0; release < 2; release++)
	{
		const KeptList *list = release ? &wanted_release : &wanted;
		const KeptList *other = release ? &wanted : &wanted_release;

		for (uint32 i = 0; i < list->n; i++)
		{
			const SdcRule *rule = &list->kept[i].rule;
			int			length = rule->antecedent_items;
			bool		both = false;

			if (reading == SDC_RULE_ANY)
				length += rule->consequent_items;
			for (uint32 k = 0; k < other->n && !both; k++)
				both = same_items(&list->kept[i], &other->kept[k]);
			for (int k = 0; k <= length; k += length)
			{
				if (release)
					recall[k].artificial += !both;
				else
				{
					recall[k].original++;
					recall[k].recovered += both;
				}
			}
		}
	}
}

/* same_recall compares all lengths. */
static bool
same_recall(const SdcRecall *a, const SdcRecall *b, int attributes)
{
	bool		same = true;

	for (int k = 0; k <= attributes; k++)
		same &= a[k].original == b[k].original && a[k].recovered == b[k].recovered &&
			a[k].artificial == b[k].artificial;
	return same;
}

/* random_recall compares recall; the release may have fewer records, other codes, and other sizes. */
static void
random_recall(void)
{
	uint64		recovered = 0;
	uint64		lost = 0;
	uint64		artificial = 0;

	for (int seed = 0; seed < 300; seed++)
	{
		bool		sensitive[MAX_ATTRIBUTES];
		uint32		records = 30 + (uint32) seed % 150;
		uint32		changes = (uint32) seed % 12;
		Table		tables[2];
		SdcRuleTask task;
		SdcRuleTask release;
		SdcRecall	recall[MAX_ATTRIBUTES + 1];
		SdcRecall	want[MAX_ATTRIBUTES + 1];

		for (int k = 0; k < 2; k++)
		{
			random_state = (uint64) seed + 9000;
			random_table(&tables[k], records, 2 + seed % 5, 1 + (uint32) seed % 7);
		}
		task = random_task(&tables[0], sensitive);
		change_table(&tables[1], changes);
		if (seed % 10 == 0)
			tables[1].coded.records = records / 2;
		if (seed % 9 == 0)
		{
			tables[1].column[0].codes += 3;
			for (uint32 i = 0; i < records; i += 2)
				tables[1].code[0][i] = tables[1].column[0].codes - 1 - i % 3;
		}
		release = task;
		release.coded = &tables[1].coded;
		CHECK(sdc_rules_recall(&task, &release, recall) == SDC_OK);
		expect(&task, &wanted);
		expect(&release, &wanted_release);
		expect_recall(task.reading, want);
		CHECKF(same_recall(recall, want, task.coded->attributes), "seed %d, reading %d", seed,
			   (int) task.reading);
		recovered += want[0].recovered;
		lost += want[0].original - want[0].recovered;
		artificial += want[0].artificial;
		free_table(&tables[0]);
		free_table(&tables[1]);
	}
	CHECKF(recovered > 1000 && lost > 1000 && artificial > 1000, "%llu, %llu, %llu",
		   (unsigned long long) recovered, (unsigned long long) lost,
		   (unsigned long long) artificial);
}

/*
 * grained tells whether a rule holds by its counts, each rounded to the grain and moved by so many grains against it.
 */
static bool
grained(const SdcRuleTask *task, const SdcRule *rule, int against)
{
	double		grain = task->grain;
	double		antecedent = floor((double) rule->antecedent_count / grain + 0.5) * grain;
	double		both = floor((double) rule->both_count / grain + 0.5) * grain - against * grain;
	double		support = task->reading == SDC_RULE_ANTECEDENT ? antecedent - against * grain : both;
	double		covered = antecedent + against * grain;

	return support >= (double) task->min_count && both >= 1 && (covered <= 0 || both / covered >= task->min_confidence);
}

/*
 * expect_grained keeps of all combinations the rules of the rounded counts, and counts those that one step makes or
 * breaks.
 */
static void
expect_grained(const SdcRuleTask *task, SdcRecall *recall)
{
	SdcRuleTask all = *task;
	uint32		n = 0;

	memset(recall, 0, (MAX_ATTRIBUTES + 1) * sizeof(SdcRecall));
	all.min_count = 1;
	all.min_confidence = 0;
	expect(&all, &wanted);
	for (uint32 i = 0; i < wanted.n; i++)
	{
		const SdcRule *rule = &wanted.kept[i].rule;
		int			length = rule->antecedent_items + (task->reading == SDC_RULE_ANY ? rule->consequent_items : 0);

		for (int k = 0; k <= length; k += length)
		{
			recall[k].firm += grained(task, rule, 1);
			recall[k].fragile += grained(task, rule, -1) && !grained(task, rule, 1);
		}
		if (grained(task, rule, 0))
			wanted.kept[n++] = wanted.kept[i];
	}
	wanted.n = n;
}

/* With a grain the rules of the original are those of its rounded counts. */
static void
grained_recall(void)
{
	uint64		rules = 0;
	uint64		fragile = 0;

	for (int seed = 0; seed < 200; seed++)
	{
		bool		sensitive[MAX_ATTRIBUTES];
		Table		tables[2];
		SdcRuleTask task;
		SdcRuleTask release;
		SdcRecall	recall[MAX_ATTRIBUTES + 1];
		SdcRecall	want[MAX_ATTRIBUTES + 1];
		SdcRecall	other[MAX_ATTRIBUTES + 1];

		for (int k = 0; k < 2; k++)
		{
			random_state = (uint64) seed + 500;
			random_table(&tables[k], 60 + (uint32) seed, 2 + seed % 4, 1 + (uint32) seed % 6);
		}
		task = random_task(&tables[0], sensitive);
		task.grain = 5;
		task.min_count = 20 + pick(20);
		change_table(&tables[1], (uint32) seed % 12);
		release = task;
		release.coded = &tables[1].coded;
		CHECK(sdc_rules_recall(&task, &release, recall) == SDC_OK);
		expect_grained(&task, want);
		expect(&release, &wanted_release);
		expect_recall(task.reading, other);
		CHECKF(same_recall(recall, other, task.coded->attributes), "seed %d, reading %d", seed, (int) task.reading);
		for (int k = 0; k <= task.coded->attributes; k++)
			CHECKF(recall[k].firm == want[k].firm && recall[k].fragile == want[k].fragile, "seed %d, length %d", seed, k);
		rules += other[0].original;
		fragile += want[0].fragile;
		free_table(&tables[0]);
		free_table(&tables[1]);
	}
	CHECKF(rules > 1000 && fragile > 1000, "%llu, %llu", (unsigned long long) rules, (unsigned long long) fragile);
}

/* One record that is replaced changes shares of the rules by no more than the fragile ones can. */
static void
records_do_not_show(void)
{
	uint32		moved = 0;

	for (int seed = 0; seed < 40; seed++)
	{
		bool		sensitive[3] = {false, false, true};
		Table		tables[2];
		SdcRuleTask task;
		SdcRuleTask release;
		SdcRecall	before[MAX_ATTRIBUTES + 1];

		for (int k = 0; k < 2; k++)
		{
			random_state = (uint64) seed + 70;
			random_table(&tables[k], 150, 3, 4);
		}
		task = random_task(&tables[0], sensitive);
		sensitive[0] = sensitive[1] = false;
		sensitive[2] = true;
		task.reading = SDC_RULE_ANTECEDENT;
		task.max_length = 2;
		task.grain = 5;
		task.min_count = 20;
		change_table(&tables[1], 4);
		release = task;
		release.coded = &tables[1].coded;
		CHECK(sdc_rules_recall(&task, &release, before) == SDC_OK);
		for (uint32 i = 0; i < 150; i++)
		{
			uint32		own[3];
			SdcRecall	after[MAX_ATTRIBUTES + 1];

			for (int j = 0; j < 3; j++)
			{
				own[j] = tables[0].code[j][i];
				tables[0].code[j][i] = pick(9) == 0 ? SDC_CODE_NULL : pick(tables[0].column[j].codes);
			}
			CHECK(sdc_rules_recall(&task, &release, after) == SDC_OK);
			for (int k = 0; k < 3; k++)
			{
				double		kept[2] = {(double) before[k].recovered / (double) before[k].original,
				(double) after[k].recovered / (double) after[k].original};
				double		new[2] = {(double) before[k].artificial / (double) before[k].original,
				(double) after[k].artificial / (double) after[k].original};
				double		move = (double) before[k].fragile / (double) before[k].firm;

				if (before[k].firm == 0 || after[k].firm == 0)
					continue;
				CHECKF(fabs(kept[0] - kept[1]) <= move + 1e-12, "seed %d, record %u, length %d", seed, i, k);
				CHECKF(fabs(new[0] - new[1]) <= move * (1 + new[0]) + 1e-12, "seed %d, record %u, length %d", seed, i, k);
				moved += kept[0] != kept[1];
			}
			for (int j = 0; j < 3; j++)
				tables[0].code[j][i] = own[j];
		}
		free_table(&tables[0]);
		free_table(&tables[1]);
	}
	CHECKF(moved > 20, "%u", moved);
}

/* count_itemset counts an itemset. */
static void
count_itemset(void *arg, const SdcItem *item, int items, uint64 count)
{
	(void) item;
	(void) items;
	(void) count;
	++*(uint64 *) arg;
}

/* memory_limits never gives wrong rules, whatever the limit. */
static void
memory_limits(void)
{
	for (int reading = 0; reading < 3; reading++)
	{
		bool		sensitive[MAX_ATTRIBUTES];
		Table		table;
		SdcRuleTask task;
		SdcRecall	all[MAX_ATTRIBUTES + 1];
		SdcRecall	recall[MAX_ATTRIBUTES + 1];
		SdcItemsetTask all_itemsets = {.coded = &table.coded, .min_count = 2, .max_length = MAX_ATTRIBUTES,
		.emit = count_itemset};
		uint64		itemsets = 0;
		uint32		n;
		int			rules_failed = 0;
		int			recall_failed = 0;
		bool		done = false;

		random_state = 31;
		random_table(&table, 200, 7, 12);
		task = random_task(&table, sensitive);
		sensitive[5] = true;
		task.reading = (SdcRuleReading) reading;
		task.min_count = 2;
		task.min_confidence = 0;
		task.max_length = MAX_ATTRIBUTES;
		found.n = 0;
		CHECK(sdc_rules(&task) == SDC_OK);
		n = found.n;
		all_itemsets.arg = &itemsets;
		sdc_itemsets(&all_itemsets);
		CHECKF(n > 300, "%u", n);
		CHECK(sdc_rules_recall(&task, &task, all) == SDC_OK);
		CHECK(all[0].original == n && all[0].recovered == n && all[0].artificial == 0);
		for (task.memory = 0; !done; task.memory += 50 + task.memory / 100)
		{
			SdcStatus	status;

			found.n = 0;
			status = sdc_rules(&task);
			rules_failed += status != SDC_OK;
			CHECKF(status == SDC_OK ? found.n == n : status == SDC_ERROR_MEMORY && found.n == 0,
				   "%llu bytes", (unsigned long long) task.memory);
			CHECK(status == SDC_OK || recall_failed == rules_failed - 1);
			status = sdc_rules_recall(&task, &task, recall);
			recall_failed += status != SDC_OK;
			CHECKF(status == SDC_OK ? same_recall(recall, all, 7) : status == SDC_ERROR_MEMORY,
				   "%llu bytes", (unsigned long long) task.memory);
			CHECK(status != SDC_OK || reading != SDC_RULE_ANY ||
				  task.memory >= sdc_itemstore_memory(itemsets));
			done = status == SDC_OK && task.memory > 100000;
		}
		CHECK(rules_failed > 5);
		CHECK(recall_failed > rules_failed);
		free_table(&table);
	}
}

/* least_memory is the least memory that the rules of a task need. */
static uint64
least_memory(SdcRuleTask task)
{
	uint64		high = NO_LIMIT;

	for (uint64 low = 0; low < high;)
	{
		task.memory = low + (high - low) / 2;
		found.n = 0;
		if (sdc_rules(&task) == SDC_OK)
			high = task.memory;
		else
			low = task.memory + 1;
	}
	return high;
}

/* kept_rules_count: the rules of the original take memory while those of the release are looked for. */
static void
kept_rules_count(void)
{
	for (int reading = 0; reading < 3; reading++)
	{
		bool		sensitive[MAX_ATTRIBUTES];
		Table		original;
		Table		release;
		SdcRuleTask task;
		SdcRuleTask other;
		SdcRecall	recall[MAX_ATTRIBUTES + 1];
		uint64		fixed = (7 + 15) * sizeof(uint64) + sdc_keylist_memory(15);

		random_state = 32;
		random_table(&original, 20, 7, 4);
		random_table(&release, 3000, 7, 9);
		task = random_task(&original, sensitive);
		memset(sensitive, 0, sizeof(sensitive));
		sensitive[3] = true;
		task.reading = (SdcRuleReading) reading;
		task.min_count = 3;
		task.min_confidence = 0.1;
		task.max_length = MAX_ATTRIBUTES;
		other = task;
		other.coded = &release.coded;
		task.memory = least_memory(other) + fixed;
		CHECK(sdc_rules_recall(&task, &other, recall) == SDC_ERROR_MEMORY);
		CHECK(recall[0].original > 0 && recall[0].artificial == 0);
		task.memory += sdc_keylist_memory(15) + 100000;
		CHECK(sdc_rules_recall(&task, &other, recall) == SDC_OK);
		CHECK(recall[0].original > 0 && recall[0].artificial > 0);
		other.memory = 1000;	/* the lower one counts */
		CHECK(sdc_rules_recall(&task, &other, recall) == SDC_ERROR_MEMORY);
		free_table(&original);
		free_table(&release);
	}
}

#define KEYS 3000

/* keys_come_back writes random keys and reads them. */
static void
keys_come_back(void)
{
	static uint64 key[KEYS][12];
	static uint32 length[KEYS];
	SdcKeylist *list = sdc_keylist_create(12);
	uint32		n = 0;
	uint32		k;
	const uint64 *next;

	CHECK(sdc_keylist_used(list) == sdc_keylist_memory(12));
	random_state = 8;

	/* ascending, with numbers of all sizes: a number of the key before is raised, others follow */
	while (n < KEYS)
	{
		uint32		from = n > 0 ? pick(length[n - 1]) : 0;

		if (n > 0)
			memcpy(key[n], key[n - 1], sizeof(key[n]));
		if (n > 0 && key[n][from] > UINT64_MAX / 2)
			continue;
		key[n][from] += 1 + (random64() >> (20 + pick(44)));
		length[n] = from + 1 + pick(12 - from);
		for (uint32 i = from + 1; i < length[n]; i++)
			key[n][i] = random64() >> pick(64);
		CHECK(sdc_keylist_append(list, key[n], length[n], NO_LIMIT) == SDC_OK);
		n++;
	}
	sdc_keylist_rewind(list);
	for (uint32 i = 0; i < KEYS; i++)
	{
		next = sdc_keylist_next(list, &k);
		CHECKF(next != NULL && sdc_keylist_compare(next, k, key[i], length[i]) == 0, "key %u", i);
		if (i > 0)
			CHECK(sdc_keylist_compare(key[i - 1], length[i - 1], key[i], length[i]) < 0 &&
				  sdc_keylist_compare(key[i], length[i], key[i - 1], length[i - 1]) > 0);
	}
	sdc_keylist_destroy(list);
	sdc_keylist_destroy(NULL);
}

/* keys_within_memory fills lists up to their limits. */
static void
keys_within_memory(void)
{
	for (uint64 memory = 0; memory < 20000; memory += 777)
	{
		SdcKeylist *list = sdc_keylist_create(3);
		uint64		key[3] = {1, 2, 3};
		uint64		n = 0;
		uint32		length;

		while (sdc_keylist_append(list, key, 3, memory) == SDC_OK)
		{
			n++;
			key[pick(3)] += 1 + pick(1000);
		}
		CHECK(sdc_keylist_used(list) <= memory || n == 0);
		CHECK(memory < 1000 || n * 7 > memory / 3);
		sdc_keylist_rewind(list);
		while (sdc_keylist_next(list, &length) != NULL)
			n--;
		CHECK(n == 0);
		sdc_keylist_destroy(list);
	}
}

/* itemsets_are_found stores a tree of itemsets. */
static void
itemsets_are_found(void)
{
	static const uint32 sizes[] = {1, 2, 10, 11, 1000, 43691};

	for (int s = 0; s < 6; s++)
	{
		uint32		n = sizes[s];
		SdcItemstore *store = sdc_itemstore_create(n);

		for (uint32 i = 0; i < n; i++)
		{
			SdcItem		item = {i % 5, i / 5};

			CHECK(sdc_itemstore_add(store, i == 0 ? SDC_ITEMSTORE_EMPTY : i / 3, item, i * 2) == i);
		}
		for (uint32 i = 0; i < n; i++)
		{
			SdcItem		item = {i % 5, i / 5};

			CHECK(sdc_itemstore_find(store, i == 0 ? SDC_ITEMSTORE_EMPTY : i / 3, item) == i);
			CHECK(store->entry[i].count == i * 2);
		}
		CHECK(store->places * 2 / 3 >= n);
		CHECK(sdc_itemstore_memory(n) <= 200 + 28 * (uint64) n);
		sdc_itemstore_destroy(store);
	}
	sdc_itemstore_destroy(NULL);
	CHECK(sdc_itemstore_memory(UINT32_MAX) == UINT64_MAX);
}

/* main runs the tests. */
int
main(void)
{
	RUN(itemsets_are_found);
	RUN(keys_come_back);
	RUN(keys_within_memory);
	RUN(random_rules);
	RUN(confidence_at_limit);
	RUN(random_recall);
	RUN(grained_recall);
	RUN(records_do_not_show);
	RUN(memory_limits);
	RUN(kept_rules_count);
	free(found.kept);
	free(wanted.kept);
	free(wanted_release.kept);
	return tap_done();
}
