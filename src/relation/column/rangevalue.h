/*-------------------------------------------------------------------------
 *
 * rangevalue.h
 *		Values as ends of ranges: the types of ranges that columns are generalized to.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_RANGEVALUE_H
#define SDC_RELATION_RANGEVALUE_H

#include "utils/rangetypes.h"

/* sdc_rangevalue_fits tells whether values of a type can be ends of ranges over another one. */
extern bool sdc_rangevalue_fits(Oid base, Oid subtype);

/* sdc_rangevalue_of turns a value into one of the type over which the ranges are. */
extern Datum sdc_rangevalue_of(Oid base, Datum value, Oid subtype);

/* sdc_rangevalue_own does so for the ranges that its type is generalized to. */
extern Datum sdc_rangevalue_own(Oid base, Datum value);

/* sdc_rangevalue_is_last tells whether no value of a type comes after one, so that no range ends before a next one. */
extern bool sdc_rangevalue_is_last(Oid base, Datum value);

/* sdc_rangevalue_compare compares two ends of such ranges: below 0, 0, above 0. */
extern int	sdc_rangevalue_compare(Oid base, Datum a, Datum b);

/* sdc_rangevalue_range returns the range from one value of a type to another, with both, in a type of ranges. */
extern RangeType *sdc_rangevalue_range(TypeCacheEntry *range, Oid base, Datum least, Datum greatest);

#endif							/* SDC_RELATION_RANGEVALUE_H */
