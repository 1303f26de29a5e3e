/*-------------------------------------------------------------------------
 *
 * kanonymity.h
 *		The k-anonymity of the groups of a relation, and of its units as a whole.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_MEASURE_KANONYMITY_H
#define SDC_MEASURE_KANONYMITY_H

#include "kernel/groups/unitgroups.h"
#include "nodes/pg_list.h"

/*
 * sdc_kanonymity_measure looks at the groups of records that agree in some columns, a list of char *, in which NULLs
 * agree.  unit, from sdc_unitcolumns_find (unitcolumns.h), says what is counted; NIL: each record is a unit.
 */
extern void sdc_kanonymity_measure(Oid relid, List *qi, List *unit, SdcUnitGroups *result);

#endif							/* SDC_MEASURE_KANONYMITY_H */
