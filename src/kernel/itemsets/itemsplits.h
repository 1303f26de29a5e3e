/*-------------------------------------------------------------------------
 *
 * itemsplits.h
 *		The associations between the two sides of all splits of itemsets.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_ITEMSPLITS_H
#define SDC_KERNEL_ITEMSPLITS_H

#include "kernel/itemsets/itemsearch.h"
#include "kernel/itemsets/itemstore.h"

typedef struct SdcRule
{
	const SdcItem *antecedent;	/* ascending */
	int			antecedent_items;
	const SdcItem *consequent;
	int			consequent_items;
	uint64		antecedent_count;	/* records that have the antecedent, */
	uint64		consequent_count;	/* the consequent, */
	uint64		both_count;		/* and both */
} SdcRule;

/* Takes a rule, and returns whether to go on. */
typedef bool (*SdcRuleTake) (void *arg, const SdcRule *rule);

/*
 * The splits of the itemsets of a store that have a sensitive item, in the order of the store, then by the
 * first item that is on different sides, the antecedent being first.
 */
typedef struct SdcItemsplits
{
	const SdcItemstore *store;	/* in the order of a search */
	int			attributes;
	const bool *sensitive;		/* of each attribute */
	double		min_confidence; /* both_count / antecedent_count >= this */
	SdcRuleTake take;
	void	   *arg;
	SdcItemsearchAdvance advance;	/* told that so many more itemsets are done, or NULL */
	void	   *advance_arg;
} SdcItemsplits;

/* What splitting takes. */
extern uint64 sdc_itemsplits_memory(int attributes);

/* sdc_itemsplits_run splits the itemsets begin .. end - 1; it returns false if take did. */
extern bool sdc_itemsplits_run(const SdcItemsplits *splits, uint32 begin, uint32 end);

/* Runs over all itemsets, as sdc_itemsplits_run does or with the help of others. */
typedef bool (*SdcItemsplitsRunner) (const SdcItemsplits *splits);

#endif							/* SDC_KERNEL_ITEMSPLITS_H */
