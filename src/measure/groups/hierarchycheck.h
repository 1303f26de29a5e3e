/*-------------------------------------------------------------------------
 *
 * hierarchycheck.h
 *		Whether hierarchies are some, for the columns of a relation.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_MEASURE_HIERARCHYCHECK_H
#define SDC_MEASURE_HIERARCHYCHECK_H

#include "relation/recode/rulecheck.h"

/* Called for every level of every column, from level 1 on. */
typedef void (*SdcHierarchyLevel) (void *arg, const char *column, int number, const SdcRuleLevel *level);

/* sdc_hierarchycheck_of looks at hierarchies, a list of SdcRule *, of columns of a relation. */
extern void sdc_hierarchycheck_of(Oid relid, List *hierarchies, SdcHierarchyLevel found, void *arg);

#endif							/* SDC_MEASURE_HIERARCHYCHECK_H */
