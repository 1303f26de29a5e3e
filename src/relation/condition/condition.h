/*-------------------------------------------------------------------------
 *
 * condition.h
 *		A condition on records, or an aggregate of them, given as text.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_CONDITION_H
#define SDC_RELATION_CONDITION_H

#include "nodes/pg_list.h"
#include "relation/condition/conditionform.h"

/* The name that a relation has in a text, and in the statements that it is put into. */
#define SDC_CONDITION_ALIAS "release"

typedef struct SdcCondition
{
	const char *text;
	const char *argument;		/* that it comes from, for messages */
	bool		aggregate;		/* a number made of aggregates, in place of a condition */
	List	   *by;				/* of an aggregate: the columns (char *) that its records agree in */
	List	   *without_values; /* columns of the last relation that have something else in place of values */
	bool		split;			/* conjuncts are wanted */
	bool		trusted;		/* the owners of all parts of the relation must be trusted, where it is one, too */
	/* set by sdc_condition_check */
	List	   *columns;		/* that it uses, char *, in the order in which it does */
	bool		counts;			/* an aggregate: it is a count, 0 of no records */
	List	   *conjuncts;		/* of the conditions that AND joins in it: texts (char *) that mean the same */
	SdcConditionForm form;		/* of the last of them */
} SdcCondition;

/*
 * sdc_condition_check insists that a text is one expression on columns that all of one or two relations have, and
 * nothing else, and that the caller trusts all whose code may run when he evaluates it: then (text, a new line, and
 * the closing parenthesis) can stand in a statement on SDC_CONDITION_ALIAS; of one relation where that has the values
 * only, if sdc_trust_values has another reader than the caller.  Of what neither relation has an error
 * says that the last one does not have it.
 */
extern void sdc_condition_check(SdcCondition *condition, const Oid *relids, int relations);

/*
 * While texts of the caller's are evaluated the transaction only reads: sdc_condition_begin returns what
 * sdc_condition_end takes back.  After an error the end of the (sub)transaction does it.
 */
extern bool sdc_condition_begin(void);
extern void sdc_condition_end(bool before);

#endif							/* SDC_RELATION_CONDITION_H */
