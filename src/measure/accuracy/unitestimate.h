/*-------------------------------------------------------------------------
 *
 * unitestimate.h
 *		Estimates from a randomized table whose records were drawn together, as units.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_MEASURE_UNITESTIMATE_H
#define SDC_MEASURE_UNITESTIMATE_H

#include "kernel/queries/estimatecells.h"
#include "nodes/pg_list.h"
#include "relation/condition/conditiongroups.h"

/* So many cells are estimated one by one, at most. */
#define SDC_UNITESTIMATE_CELLS 1000

typedef struct SdcUnitEstimateTask
{
	/* as for records; of its columns those that are drawn have codes in the groups */
	const SdcEstimateCellsTask *records;
	const SdcConditionGroups *groups;
	int			unit;			/* the first column of the groups that names units: the last ones do, */
	int			units;			/* so many */
	uint32		class_units;	/* units were drawn in classes by size, of so many at least; 0: whatever their size */
} SdcUnitEstimateTask;

/* sdc_unitestimate_together tells whether no unit has two values of a drawn column: its records were drawn as one. */
extern bool sdc_unitestimate_together(const SdcUnitEstimateTask *task);

/*
 * sdc_unitestimate_run emits the cells that the groups have, as sdc_estimatecells_run does.  A measure is none, or was
 * not drawn.
 */
extern void sdc_unitestimate_run(const SdcUnitEstimateTask *task, SdcEstimateCellsEmit emit, void *arg);

#endif							/* SDC_MEASURE_UNITESTIMATE_H */
