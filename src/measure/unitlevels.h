/*-------------------------------------------------------------------------
 *
 * unitlevels.h
 *		Which columns of a relation belong to its units, and which to their records.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_MEASURE_UNITLEVELS_H
#define SDC_MEASURE_UNITLEVELS_H

#include "kernel/groups/unitlevels.h"
#include "nodes/pg_list.h"

/* What is found of a column. */
typedef struct SdcColumnLevel
{
	const char *name;
	bool		known;			/* the caller can read it, and its values can be compared; otherwise nothing is known */
	SdcUnitLevel found;
	uint32		units;			/* of the relation */
} SdcColumnLevel;

typedef void (*SdcColumnLevelTake) (void *arg, const SdcColumnLevel *level);

/*
 * sdc_unitlevels_of calls a function for every column of a relation, in their order, but those that name its units:
 * unit, from sdc_unitcolumns_find (unitcolumns.h); NIL: each record is a unit.
 */
extern void sdc_unitlevels_of(Oid relid, List *unit, SdcColumnLevelTake take, void *arg);

#endif							/* SDC_MEASURE_UNITLEVELS_H */
