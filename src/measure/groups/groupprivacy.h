/*-------------------------------------------------------------------------
 *
 * groupprivacy.h
 *		What the groups of a relation keep to themselves about a sensitive column.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_MEASURE_GROUPPRIVACY_H
#define SDC_MEASURE_GROUPPRIVACY_H

#include "kernel/groups/groupprivacy.h"
#include "nodes/pg_list.h"

/*
 * sdc_groupprivacy_of looks at the groups of records that agree in some columns, a list of char *.  NULL is a
 * value, of the sensitive column the last one; l is that of c.  With unit, from sdc_unitcolumns_find (unitcolumns.h),
 * the frequencies of values are of units, each once for every value that it has in a group, and k counts units.
 */
extern void sdc_groupprivacy_of(Oid relid, List *qi, const char *sensitive, List *unit, int l,
								SdcGroupPrivacy *result);

#endif							/* SDC_MEASURE_GROUPPRIVACY_H */
