/*-------------------------------------------------------------------------
 *
 * cuts.h
 *		Mondrian along hierarchies: sets of records that are cut into the children of their nodes.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_CUTS_H
#define SDC_KERNEL_CUTS_H

#include "kernel/partition/lattice.h"

typedef struct SdcCutsTask
{
	const SdcLatticeColumn *column;	/* levels 0: it has no hierarchy, and is cut at its median */
	int			columns;
	const uint32 *record;		/* the records to group, ascending; NULL: all */
	uint32		records;		/* their number */
	uint32		k;				/* records of every group at least */
	SdcGroupCondition condition;	/* of every group */
} SdcCutsTask;

/*
 * sdc_cuts writes the number of its group, from first on, to group[r] of every record r of the task and returns the
 * number of groups.  All records together must satisfy k and the condition.
 */
extern uint32 sdc_cuts(const SdcCutsTask *task, uint32 first, uint32 *group);

#endif							/* SDC_KERNEL_CUTS_H */
