/*-------------------------------------------------------------------------
 *
 * itemsplits.c
 *		The associations between the two sides of all splits of itemsets.
 *
 * The counts of both sides are found in the store, item by item: what both sides have of the first items is found
 * once for all splits that agree in them.
 *
 * Time: two to the power of the items, for each itemset. Memory: a path in the store, and an itemset with its
 * sides. Deterministic: nothing to choose.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/itemsets/itemsplits.h"

/* Itemsets after which it is told how far the run is. */
#define ADVANCE 256

/* Where a run over itemsets is. */
typedef struct Splitting
{
	const SdcItemsplits *splits;
	uint32	   *path;			/* number of the prefix of each length, from [1] on, of the itemset at hand */
	SdcItem    *item;			/* its items */
	int			items;
	uint64		count;			/* of the itemset */
	SdcItem    *antecedent;
	SdcItem    *consequent;
	uint32		credit;
} Splitting;

/* sdc_itemsplits_memory: see itemsplits.h. */
uint64
sdc_itemsplits_memory(int attributes)
{
	return ((uint64) attributes + 1) * (sizeof(uint32) + 3 * sizeof(SdcItem));
}

/* take_split takes the split of the itemset whose sides have these numbers. */
static bool
take_split(Splitting *run, uint32 antecedent, uint32 consequent, int antecedent_items)
{
	const SdcItemsplits *splits = run->splits;
	SdcRule		rule;

	if (antecedent_items == 0 || antecedent_items == run->items)
		return true;
	rule.antecedent = run->antecedent;
	rule.antecedent_items = antecedent_items;
	rule.consequent = run->consequent;
	rule.consequent_items = run->items - antecedent_items;
	rule.antecedent_count = splits->store->entry[antecedent].count;
	rule.consequent_count = splits->store->entry[consequent].count;
	rule.both_count = run->count;
	if ((double) rule.both_count / (double) rule.antecedent_count < splits->min_confidence)
		return true;
	return splits->take(splits->arg, &rule);
}

/*
 * split_items puts each of the items from position on onto either side, on which there are
 * already the itemsets with these numbers.
 */
static bool
split_items(Splitting *run, int position, uint32 antecedent, uint32 consequent,
			int antecedent_items)
{
	const SdcItemstore *store = run->splits->store;
	SdcItem		item;

	sdc_interrupts_spend(&run->credit, 1);
	if (position == run->items)
		return take_split(run, antecedent, consequent, antecedent_items);
	item = run->item[position];
	run->antecedent[antecedent_items] = item;
	if (!split_items(run, position + 1, sdc_itemstore_find(store, antecedent, item),
					 consequent, antecedent_items + 1))
		return false;
	run->consequent[position - antecedent_items] = item;
	return split_items(run, position + 1, antecedent,
					   sdc_itemstore_find(store, consequent, item), antecedent_items);
}

/* find_path makes an itemset the one at hand. */
static void
find_path(Splitting *run, uint32 number)
{
	const SdcItemstoreEntry *entry = run->splits->store->entry;
	int			place;

	run->items = 0;
	for (uint32 i = number; i != SDC_ITEMSTORE_EMPTY; i = entry[i].prefix)
		run->items++;
	place = run->items;
	for (uint32 i = number; i != SDC_ITEMSTORE_EMPTY; i = entry[i].prefix)
	{
		run->path[place] = i;
		run->item[--place] = entry[i].item;
	}
	run->path[0] = SDC_ITEMSTORE_EMPTY;
}

/* go_on makes the next itemset the one at hand: its prefix is one of those on the path to the one before. */
static void
go_on(Splitting *run, uint32 number)
{
	const SdcItemstoreEntry *entry = &run->splits->store->entry[number];

	while (run->path[run->items] != entry->prefix)
		run->items--;
	run->item[run->items++] = entry->item;
	run->path[run->items] = number;
	run->count = entry->count;
}

/* has_sensitive says whether the itemset at hand has a sensitive item. */
static bool
has_sensitive(const Splitting *run)
{
	bool		sensitive = false;

	for (int k = 0; k < run->items; k++)
		sensitive |= run->splits->sensitive[run->item[k].attribute];
	return sensitive;
}

/* advance tells that so many more itemsets are done. */
static inline void
advance(const SdcItemsplits *splits, uint32 itemsets)
{
	if (splits->advance != NULL && itemsets > 0)
		splits->advance(splits->advance_arg, itemsets);
}

/* sdc_itemsplits_run: see itemsplits.h. */
bool
sdc_itemsplits_run(const SdcItemsplits *splits, uint32 begin, uint32 end)
{
	Size		length = (Size) splits->attributes + 1;
	Splitting	run = {.splits = splits};
	uint32		told = begin;
	bool		complete = true;

	SDC_ASSERT(begin <= end && end <= splits->store->n);
	run.path = sdc_alloc_array(uint32, length);
	run.item = sdc_alloc_matrix(SdcItem, 3, length);
	run.antecedent = run.item + length;
	run.consequent = run.antecedent + length;
	find_path(&run, begin < end ? splits->store->entry[begin].prefix : SDC_ITEMSTORE_EMPTY);
	for (uint32 i = begin; i < end && complete; i++)
	{
		sdc_interrupts_spend(&run.credit, 1);
		go_on(&run, i);
		if (has_sensitive(&run) && run.items > 1)
			complete = split_items(&run, 0, SDC_ITEMSTORE_EMPTY, SDC_ITEMSTORE_EMPTY, 0);
		if (i - told == ADVANCE)
		{
			advance(splits, i - told);
			told = i;
		}
	}
	advance(splits, end - told);
	sdc_free(run.item);
	sdc_free(run.path);
	return complete;
}
