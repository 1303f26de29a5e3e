/*-------------------------------------------------------------------------
 *
 * rulelevels.h
 *		What the values of a column become at every level of a hierarchy, numbered.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_RULELEVELS_H
#define SDC_RELATION_RULELEVELS_H

#include "relation/column/dictionary.h"
#include "relation/recode/rule.h"

/* The levels below everything; level 0 has the values themselves.  A missing value has the last code, if any. */
typedef struct SdcRuleLevels
{
	uint32		levels;			/* without those at the end that have one label for all values */
	uint32		codes;
	uint32	  **node;			/* by level and code, from 0 */
} SdcRuleLevels;

/*
 * sdc_rulelevels_number numbers them, of a rule that is bound and whose table was read, in the current memory context;
 * without a rule there are none.
 * What is no hierarchy for the values of the column is an error with counts, and with mixed a label that stands for
 * other values on another level, too.  The codes are of the records.
 */
extern void sdc_rulelevels_number(const SdcRule *rule, const SdcCodeList *list, const SdcDictionaryCodes *coding,
								  bool mixed, SdcRuleLevels *result);

#endif							/* SDC_RELATION_RULELEVELS_H */
