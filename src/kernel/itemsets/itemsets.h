/*-------------------------------------------------------------------------
 *
 * itemsets.h
 *		Frequent itemsets: combinations of values that many records have.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_ITEMSETS_H
#define SDC_KERNEL_ITEMSETS_H

#include "kernel/itemsets/itemsearch.h"

/* Takes an itemset: items of different attributes in ascending order, and how many records have them all. */
typedef void (*SdcItemsetEmit) (void *arg, const SdcItem *item, int items, uint64 count);

typedef struct SdcItemsetTask
{
	const SdcCodedFile *coded;
	uint64		min_count;		/* at least 1 */
	int			max_length;		/* at most so many items, at least 1 */
	SdcItemsetEmit emit;
	void	   *arg;
	SdcItemsearchRunner search; /* NULL: sdc_itemsearch_run */
} SdcItemsetTask;

/* sdc_itemsets_min_count returns the smallest count, at least 1, with count / records >= share (0 .. 1). */
extern uint64 sdc_itemsets_min_count(double share, uint64 records);

/* sdc_itemsets emits every frequent itemset once, in lexicographic order of items, prefixes first. */
extern void sdc_itemsets(const SdcItemsetTask *task);

#endif							/* SDC_KERNEL_ITEMSETS_H */
