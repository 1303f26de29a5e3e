/*-------------------------------------------------------------------------
 *
 * rules.h
 *		Associations between combinations of values and sensitive values, and their recall.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_RULES_H
#define SDC_KERNEL_RULES_H

#include "kernel/itemsets/itemsets.h"
#include "kernel/itemsets/itemsplits.h"

typedef enum SdcRuleReading
{
	SDC_RULE_ANTECEDENT,		/* q -> s: q of attributes that are not sensitive has min_support */
	SDC_RULE_RULE,				/* q -> s: q and s together have min_support */
	SDC_RULE_ANY				/* A -> B: both together have min_support, and a sensitive item */
} SdcRuleReading;

typedef void (*SdcRuleEmit) (void *arg, const SdcRule *rule);

typedef struct SdcRuleTask
{
	const SdcCodedFile *coded;
	const bool *sensitive;		/* of each attribute */
	SdcRuleReading reading;
	uint64		min_count;		/* see sdc_itemsets_min_count */
	double		min_confidence; /* both_count / antecedent_count >= this, 0 .. 1; and both_count >= 1 */
	int			max_length;		/* of the antecedent; with SDC_RULE_ANY of both together */
	uint32		grain;			/* of the original of a recall: its counts are rounded to multiples; 0: they are not */
	uint64		memory;			/* bytes that may be used at most */
	SdcRuleEmit emit;
	void	   *arg;
	SdcItemsearchRunner search; /* NULL: sdc_itemsearch_run */
	SdcItemsplitsRunner split;	/* NULL: sdc_itemsplits_run of all */
} SdcRuleTask;

/* sdc_rules emits every association once, in a fixed order.  SDC_ERROR_MEMORY: it needs more than allowed. */
extern SdcStatus sdc_rules(const SdcRuleTask *task);

/* Rules by length (as max_length counts it), 1 .. lengths - 1; [0] is the total. */
typedef struct SdcRecall
{
	uint64		original;		/* rules of the original file, */
	uint64		recovered;		/* of these also in the release, */
	uint64		artificial;		/* and rules of the release only */
	/* with a grain */
	uint64		firm;			/* rules of the original that stay when every count moves by it */
	uint64		fragile;		/* those that come or go then */
} SdcRecall;

/*
 * sdc_rules_recall compares the rules of two files with common codes; emit and arg of the tasks are not
 * used, and recall has attributes + 1 elements.  With a grain (base/grain.h) the rules of the original are those of its
 * rounded counts; its min_count must be at least four grains.
 */
extern SdcStatus sdc_rules_recall(const SdcRuleTask *original, const SdcRuleTask *release,
								  SdcRecall *recall);

#endif							/* SDC_KERNEL_RULES_H */
