/*-------------------------------------------------------------------------
 *
 * unitgroups.h
 *		How well units, each of one or several records, are hidden in the groups of these.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_UNITGROUPS_H
#define SDC_KERNEL_UNITGROUPS_H

#include "kernel/base/kernel_env.h"

/* The file, as cells: the records that a unit has in a group.  No two cells have both in common. */
typedef struct SdcUnitGroupsTask
{
	uint32		cells;
	const uint32 *group;		/* of each cell, 0 .. groups - 1 */
	uint32		groups;			/* each has a cell */
	const uint32 *unit;			/* of each cell, 0 .. units - 1 */
	uint32		units;			/* each has a cell */
	const uint64 *count;		/* its records, not 0 */
} SdcUnitGroupsTask;

/* Without cells all is 0. */
typedef struct SdcUnitGroups
{
	uint64		groups;
	uint64		k;				/* units of the group with the fewest */
	uint64		single;			/* groups of one unit */
	uint64		k_rows;			/* records of the group with the fewest */
	double		share;			/* greatest share of a group's records that is one unit's */
	uint64		k_whole;		/* least number of units with the same records in the same groups */
	uint64		whole_unique;	/* units that have theirs alone */
} SdcUnitGroups;

/*
 * sdc_unitgroups_measure looks at all groups, and at all units.  O(cells + groups + units), expected; the result does
 * not depend on the order of the cells, nor on how groups and units are numbered.
 */
extern void sdc_unitgroups_measure(const SdcUnitGroupsTask *task, SdcUnitGroups *result);

#endif							/* SDC_KERNEL_UNITGROUPS_H */
