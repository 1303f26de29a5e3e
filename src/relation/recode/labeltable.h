/*-------------------------------------------------------------------------
 *
 * labeltable.h
 *		The labels that a table has for the values of a column.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_LABELTABLE_H
#define SDC_RELATION_LABELTABLE_H

#include "relation/recode/rule.h"

/* Rows in the order of their values, of the type of the rule's column. */
typedef struct SdcLabelTable
{
	Oid			relid;
	const char *value_name;		/* of the column with the values, */
	int			levels;
	const char **name;			/* and of those with the labels, by level */
	/* when it was read */
	uint32		rows;
	Datum	   *value;
	bool	   *valid;			/* whether a row has a value */
	text	  **label;			/* by row and level; NULL: there is none */
} SdcLabelTable;

/* sdc_labeltable_plan finds the table of a rule that was bound, and how many levels it has, without reading it. */
extern void sdc_labeltable_plan(SdcRule *rule);

/* sdc_labeltable_read reads it with the rights of the caller, in the current memory context. */
extern void sdc_labeltable_read(SdcRule *rule);

/* sdc_labeltable_find returns the first row of a value, rows if there is none. */
extern uint32 sdc_labeltable_find(const SdcRule *rule, Datum value);

/* sdc_labeltable_label returns the label of a row at a level, from 0; NULL: there is none. */
static inline text *
sdc_labeltable_label(const SdcLabelTable *table, uint32 row, int level)
{
	return table->label[(uint64) row * table->levels + level];
}

/*
 * sdc_labeltable_describe writes the rows as JSON, an array of arrays of the text of a value and its labels; and
 * sdc_labeltable_restore reads them again.
 */
extern void sdc_labeltable_describe(SdcRule *rule, StringInfo json);
extern void sdc_labeltable_restore(SdcRule *rule, JsonbContainer *rows);

#endif							/* SDC_RELATION_LABELTABLE_H */
