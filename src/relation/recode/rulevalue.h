/*-------------------------------------------------------------------------
 *
 * rulevalue.h
 *		What a rule makes of a value.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_RULEVALUE_H
#define SDC_RELATION_RULEVALUE_H

#include "relation/read/source.h"
#include "relation/recode/rule.h"

/* sdc_rulevalue_is_finite tells whether a value is a number, a date or a time: no infinity, and not NaN. */
extern bool sdc_rulevalue_is_finite(const SdcType *type, Datum value);

/*
 * sdc_rulevalue_of returns what a rule makes of a value at a level, from 0, in the current memory context: of its
 * release_type, or the column's own.  What has no label becomes NULL.  same tells whether it is the value itself, or
 * the range of a NaN or an infinity alone.
 */
extern Datum sdc_rulevalue_of(const SdcRule *rule, int level, Datum value, bool *isnull, bool *same);

/* sdc_rulevalue_text writes a value of the column of a rule, whatever the settings. */
extern char *sdc_rulevalue_text(const SdcRule *rule, Datum value);

/*
 * sdc_rulevalue_level returns what a hierarchy makes of a value: on level 0 the value itself as a range or label, on
 * others what its rule does at the level before.  A missing code stays what it is, unless a table has it.
 * sdc_rulevalue_everything is what it makes of all.
 */
extern Datum sdc_rulevalue_level(const SdcRule *rule, uint32 level, Datum value, bool coded, bool *same);
extern Datum sdc_rulevalue_everything(const SdcRule *rule);

/* sdc_rulevalue_is_everything tells whether a value of the type of a hierarchy is that. */
extern bool sdc_rulevalue_is_everything(const SdcRule *rule, Datum value);

/*
 * sdc_rulevalue_column makes a column of what a rule makes of the values of an attribute, NULL of NULL, at its only
 * level, and counts the values that are not the same.  The attribute's own column stays.
 */
extern SdcColumn *sdc_rulevalue_column(const SdcRule *rule, SdcAttribute *attribute, SdcSpool *spool, uint64 *changed);

/* sdc_rulevalue_count counts these values of an attribute that was recoded and still has those before. */
extern uint64 sdc_rulevalue_count(SdcAttribute *attribute);

/* sdc_rulevalue_type has an attribute have the type that a rule makes of its values; InvalidOid: its own. */
extern void sdc_rulevalue_type(SdcAttribute *attribute, Oid type);

/*
 * sdc_rulevalue_recode has an attribute have what a rule makes of its values, with their type and missing codes; the
 * values are kept as those before.
 */
extern void sdc_rulevalue_recode(const SdcRule *rule, SdcAttribute *attribute, SdcSpool *spool);

#endif							/* SDC_RELATION_RULEVALUE_H */
