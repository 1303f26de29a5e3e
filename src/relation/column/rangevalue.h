/*-------------------------------------------------------------------------
 *
 * rangevalue.h
 *		Values as ends of ranges: the types of ranges that columns are generalized to.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_RANGEVALUE_H
#define SDC_RELATION_RANGEVALUE_H

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

#endif							/* SDC_RELATION_RANGEVALUE_H */
