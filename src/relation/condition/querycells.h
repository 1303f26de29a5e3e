/*-------------------------------------------------------------------------
 *
 * querycells.h
 *		What one query, given as text, says of two relations, cell by cell.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_QUERYCELLS_H
#define SDC_RELATION_QUERYCELLS_H

#include "relation/condition/condition.h"

typedef struct SdcQueryCells
{
	Oid			relids[2];
	const SdcCondition *aggregate;	/* both checked on the relations */
	const SdcCondition *condition;	/* or NULL */
	List	   *by;				/* columns (char *) of both, with the same types; NIL: one cell of all records */
} SdcQueryCells;

/*
 * sdc_querycells_run asks both relations under one snapshot, and emits the cells that either has, in the order of
 * their values: the cell as jsonb, and the aggregate in each, NaN where it is NULL or no finite number.  In a
 * relation without the cell a count is 0, and every other aggregate NaN.
 */
typedef void (*SdcQueryCellsEmit) (void *arg, Datum cell, const double value[2]);

extern void sdc_querycells_run(const SdcQueryCells *query, SdcQueryCellsEmit emit, void *arg);

#endif							/* SDC_RELATION_QUERYCELLS_H */
