/*-------------------------------------------------------------------------
 *
 * distinct.h
 *		Whether nearly all values of a column are different.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_DISTINCT_H
#define SDC_RELATION_DISTINCT_H

#include "relation/column/column.h"

typedef struct SdcDistinct SdcDistinct;

/*
 * sdc_distinct_begin begins to count the different values of a finished column, with so many bytes of
 * memory, but 32 kB at least.  It returns NULL where that says nothing: so few values can
 * all be different by chance.
 */
extern SdcDistinct *sdc_distinct_begin(const SdcColumn *column, uint64 memory);

/* sdc_distinct_add counts a value that is not missing; false: not nearly all are different. */
extern bool sdc_distinct_add(SdcDistinct *distinct, Datum value);

/*
 * sdc_distinct_percent returns how many percent of the values are different, rounded down, when all
 * are counted; 0 where it is not nearly all.
 */
extern int	sdc_distinct_percent(const SdcDistinct *distinct);
extern void sdc_distinct_destroy(SdcDistinct *distinct);

#endif							/* SDC_RELATION_DISTINCT_H */
