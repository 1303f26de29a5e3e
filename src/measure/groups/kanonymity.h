/*-------------------------------------------------------------------------
 *
 * kanonymity.h
 *		The k-anonymity of the groups of a relation, and of its units as a whole.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_MEASURE_KANONYMITY_H
#define SDC_MEASURE_KANONYMITY_H

#include "kernel/base/codedfile.h"
#include "kernel/groups/unitgroups.h"
#include "nodes/pg_list.h"

/*
 * sdc_kanonymity_measure looks at the groups of records that agree in some columns, a list of char *, in which NULLs
 * agree.  unit, from sdc_unitcolumns_find (unitcolumns.h), says what is counted; NIL: each record is a unit.
 * wild, unless NULL, gets the least number of records that one is like when NULL is like every value; 0: that is not
 * known, of units, and of types without an order.
 */
extern void sdc_kanonymity_measure(Oid relid, List *qi, List *unit, SdcUnitGroups *result, uint64 *wild);

/*
 * sdc_kanonymity_of_records does so with records that were read: by their codes in some columns, the first ones, and by
 * the unit of each, 0 .. units - 1.
 */
extern void sdc_kanonymity_of_records(const SdcCodedFile *coded, int columns, const uint32 *unit, uint32 units,
									  SdcUnitGroups *result);

#endif							/* SDC_MEASURE_KANONYMITY_H */
