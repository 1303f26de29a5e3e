/*-------------------------------------------------------------------------
 *
 * condition.h
 *		A condition on records, given as text, and how many records fulfil it.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_CONDITION_H
#define SDC_RELATION_CONDITION_H

/*
 * sdc_condition_counts counts the records of two relations that fulfil a condition, under one
 * snapshot and with the rights of the caller.  The condition is an expression on columns that
 * both relations have; argument is the argument that it comes from.  Of what is in neither an
 * error says that the second relation does not have it.
 */
extern void sdc_condition_counts(const char *condition, const char *argument,
								 const Oid relids[2], int64 counts[2]);

#endif							/* SDC_RELATION_CONDITION_H */
