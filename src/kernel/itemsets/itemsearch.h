/*-------------------------------------------------------------------------
 *
 * itemsearch.h
 *		The search for frequent itemsets that itemsets and rules are made of.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_ITEMSEARCH_H
#define SDC_KERNEL_ITEMSEARCH_H

#include "kernel/base/codedfile.h"

/*
 * Takes an itemset, how many records have it, and how many have it without its last item.
 * Returns whether to go on.
 */
typedef bool (*SdcItemsearchEmit) (void *arg, const SdcItem *item, int items, uint64 count,
								   uint64 prefix_count);

/*
 * Without final attributes: all itemsets with min_count, in lexicographic order of items, prefixes
 * first.
 *
 * With final attributes: itemsets that consist of at least one item of other attributes,
 * which together have min_count, and then one item of a final attribute, with which they have
 * final_min_count.  In lexicographic order of the other items, prefixes first, then of the final one.
 */
typedef struct SdcItemsearch
{
	const SdcCodedFile *coded;
	const bool *final;			/* of each attribute; NULL: none */
	uint64		min_count;		/* at least 1 */
	uint64		final_min_count;
	int			max_length;		/* at most so many items that are not final, at least 1 */
	SdcItemsearchEmit emit;
	void	   *arg;
} SdcItemsearch;

/* An upper bound of the bytes that the search takes, from the counts of the values. */
extern uint64 sdc_itemsearch_memory(const SdcItemsearch *search);

/* sdc_itemsearch_run returns false if emit did. */
extern bool sdc_itemsearch_run(const SdcItemsearch *search);

#endif							/* SDC_KERNEL_ITEMSEARCH_H */
