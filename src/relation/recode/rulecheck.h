/*-------------------------------------------------------------------------
 *
 * rulecheck.h
 *		Whether a hierarchy is one, for the values that a column has.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_RULECHECK_H
#define SDC_RELATION_RULECHECK_H

#include "relation/column/column.h"
#include "relation/column/dictionary.h"
#include "relation/recode/rule.h"

/* The different values of a column, in their order, and how many records have each. */
typedef struct SdcRuleValues
{
	const SdcDictionary *dictionary;
	const SdcDictionaryCodes *coding;
	uint64	   *records;		/* by code */
} SdcRuleValues;

/* sdc_rulecheck_values counts the records of every value. */
extern SdcRuleValues sdc_rulecheck_values(const SdcDictionary *dictionary, const SdcDictionaryCodes *coding,
										  const uint32 *code, uint64 records);

/* sdc_rulecheck_value returns the value with a code. */
static inline Datum
sdc_rulecheck_value(const SdcRuleValues *values, uint32 code)
{
	return sdc_dictionary_value(values->dictionary, values->coding->number[code]);
}

/* What there is to say of a level. */
typedef struct SdcRuleLevel
{
	uint32		labels;			/* different ones that the values have */
	uint32		values_without; /* values of the column that the table does not have, */
	uint64		records_without;	/* and their records */
	uint32		twice;			/* values of the table that stand in several rows */
	uint32		nulls;			/* rows of the table without a label */
	uint32		parents;		/* labels whose values have several labels on the level above */
	uint32		ambiguous;		/* labels that stand for other values on another level */
} SdcRuleLevel;

/* sdc_rulecheck_levels looks at all levels of a rule that is bound, and whose table was read; from level 1 on. */
extern SdcRuleLevel *sdc_rulecheck_levels(const SdcRule *rule, const SdcRuleValues *values);

/* sdc_rulecheck_rows counts what is wrong with the values of the table of a rule: what is not of one level. */
extern void sdc_rulecheck_rows(const SdcRule *rule, const SdcRuleValues *values, SdcRuleLevel *result);

/* sdc_rulecheck_nulls counts the rows of the table of a rule that have no label on a level, from 0. */
extern uint32 sdc_rulecheck_nulls(const SdcRule *rule, int level);

/* sdc_rulecheck_stars insists on values that do not mean everything, of text; sdc_rulecheck_column in a column. */
extern void sdc_rulecheck_stars(const SdcRule *rule, const SdcRuleValues *values);
extern void sdc_rulecheck_column(const SdcRule *rule, SdcColumn *column);

#endif							/* SDC_RELATION_RULECHECK_H */
