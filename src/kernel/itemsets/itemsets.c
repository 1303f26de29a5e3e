/*-------------------------------------------------------------------------
 *
 * itemsets.c
 *		Frequent itemsets: combinations of values that many records have.
 *
 * The itemsets of R. Agrawal and R. Srikant ("Fast algorithms for mining association
 * rules", VLDB 1994), found depth first on bitmaps (itemsearch.c).  Items of the
 * same attribute never stand together, and a missing value is no item.
 *
 * Memory, work and determinism: see itemsearch.c.  There can be up to 2^attributes
 * itemsets for each record; nothing but a cancel or a higher support ends that earlier.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/itemsets/itemsearch.h"
#include "kernel/itemsets/itemsets.h"

/*
 * sdc_itemsets_min_count starts below the product, which rounding can put a little off the
 * count whose quotient, as it is rounded, is compared.
 */
uint64
sdc_itemsets_min_count(double share, uint64 records)
{
	uint64		count;

	SDC_ASSERT(share <= 1 && records <= UINT64_C(1) << 50);
	if (!(share > 0) || records == 0)
		return 1;
	count = (uint64) (share * (double) records);
	count = count > 1 ? count - 1 : 1;
	while ((double) count / (double) records < share)
		count++;
	return count;
}

/* emit_itemset passes an itemset on. */
static bool
emit_itemset(void *arg, const SdcItem *item, int items, uint64 count, uint64 prefix_count)
{
	const SdcItemsetTask *task = arg;

	(void) prefix_count;
	task->emit(task->arg, item, items, count);
	return true;
}

/* make_search says in terms of the search what is searched for. */
static SdcItemsearch
make_search(const SdcItemsetTask *task)
{
	SdcItemsearch search = {
		.coded = task->coded,
		.min_count = task->min_count,
		.max_length = task->max_length,
		.emit = emit_itemset,
		.arg = (void *) task,
	};

	return search;
}

/* sdc_itemsets: see itemsets.h. */
void
sdc_itemsets(const SdcItemsetTask *task)
{
	SdcItemsearch search = make_search(task);

	if (task->search != NULL)
		(void) task->search(&search);
	else
		(void) sdc_itemsearch_run(&search);
}
