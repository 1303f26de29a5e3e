/*-------------------------------------------------------------------------
 *
 * rulelaw.h
 *		Rules as the catalog has them: with all that somebody needs who wants to know what they make of a value.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_RULELAW_H
#define SDC_RELATION_RULELAW_H

#include "relation/catalog/parameters.h"
#include "relation/recode/rule.h"

/* sdc_rulelaw_value reads a value of the column of a rule that was bound. */
extern Datum sdc_rulelaw_value(const SdcRule *rule, const char *text);

/* sdc_rulelaw_thresholds reads the thresholds that a rule is given, and insists on values that make sense. */
extern void sdc_rulelaw_thresholds(SdcRule *rule);

/* sdc_rulelaw_check_order insists on a bottom that is not above the top, when both are known. */
extern void sdc_rulelaw_check_order(const SdcRule *rule);

/* sdc_rulelaw_describe writes the parameters of a recoding by some rules, which are in the text of an argument. */
extern char *sdc_rulelaw_describe(List *rules, const char *argument);

/* sdc_rulelaw_append_tables appends the rows of the tables of rules as a member of their parameters. */
extern void sdc_rulelaw_append_tables(StringInfo json, List *rules);

/*
 * sdc_rulelaw_same_rule tells whether two objects have one rule for a column, of which each has a name of its own.
 * sdc_rulelaw_same tells whether the parameters of two recodings make the same of all its values, as far as they tell.
 */
extern bool sdc_rulelaw_same_rule(SdcParameters *rules, const char *column, SdcParameters *others, const char *other);
extern bool sdc_rulelaw_same(SdcParameters *parameters, const char *column, SdcParameters *others, const char *other);

/* sdc_rulelaw_continue has a rule that was bound go on as another one that is ready to be used. */
extern void sdc_rulelaw_continue(SdcRule *rule, const SdcRule *before);

/*
 * sdc_rulelaw_of returns the rule of a column of a type by which it was recoded, or its hierarchy, ready to be used, in
 * the current memory context; NULL if the parameters do not tell.
 */
extern SdcRule *sdc_rulelaw_of(SdcParameters *parameters, const char *column, Oid typid, int32 typmod, Oid collation);

#endif							/* SDC_RELATION_RULELAW_H */
