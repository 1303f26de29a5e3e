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

/* Told that so many more of all steps are done (sdc_itemsearch_weight), now and then. */
typedef void (*SdcItemsearchAdvance) (void *arg, uint64 steps);

/*
 * Without final attributes: all itemsets with min_count, in lexicographic order of items, prefixes
 * first.
 *
 * With final attributes: itemsets that consist of at least one item of other attributes,
 * which together have min_count, and then one item of a final attribute, with which they have
 * final_min_count, and a share of final_min_share of the records without it.  In lexicographic order
 * of the other items, prefixes first, then of the final one.
 */
typedef struct SdcItemsearch
{
	const SdcCodedFile *coded;
	const bool *final;			/* of each attribute; NULL: none */
	uint64		min_count;		/* at least 1 */
	uint64		final_min_count;
	double		final_min_share;
	int			max_length;		/* at most so many items that are not final, at least 1 */
	SdcItemsearchEmit emit;
	void	   *arg;
	SdcItemsearchAdvance advance;	/* or NULL */
	void	   *advance_arg;
} SdcItemsearch;

/* An upper bound of the bytes that the search takes, from the counts of the values. */
extern uint64 sdc_itemsearch_memory(const SdcItemsearch *search);

/* sdc_itemsearch_run returns false if emit did. */
extern bool sdc_itemsearch_run(const SdcItemsearch *search);

/* Runs a search, as sdc_itemsearch_run does or with the help of others. */
typedef bool (*SdcItemsearchRunner) (const SdcItemsearch *search);

/*
 * A search in parts, by the first items of itemsets, and by the attribute of the second one where most records have
 * the first.  All parts emit, one after the other, what the search emits.  They are the same whoever
 * opens the search, and each can be run by somebody else, or once more; ascending numbers are fastest.  The
 * search stays where it is until it is closed.
 */
typedef struct SdcItemrun SdcItemrun;

extern SdcItemrun *sdc_itemsearch_open(const SdcItemsearch *search);
extern uint32 sdc_itemsearch_parts(const SdcItemrun *run);

/* sdc_itemsearch_part returns false if emit did. */
extern bool sdc_itemsearch_part(SdcItemrun *run, uint32 part);

/*
 * How far the search is is counted in pairs of items, and in items that can be first ones: sdc_itemsearch_weight is how
 * many there are, and what advance is told for all parts together, if each is run once.
 */
extern uint64 sdc_itemsearch_weight(const SdcItemrun *run);
extern void sdc_itemsearch_close(SdcItemrun *run);

#endif							/* SDC_KERNEL_ITEMSEARCH_H */
