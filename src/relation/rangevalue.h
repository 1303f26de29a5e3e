/*-------------------------------------------------------------------------
 *
 * rangevalue.h
 *		Values as ends of ranges: the types of ranges that columns are generalized to.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_RANGEVALUE_H
#define SDC_RELATION_RANGEVALUE_H

/* sdc_rangevalue_type returns the type of ranges that a type is generalized to, or invalid. */
extern Oid	sdc_rangevalue_type(Oid base);

/* sdc_rangevalue_fits tells whether values of a type can be ends of ranges over another one. */
extern bool sdc_rangevalue_fits(Oid base, Oid subtype);

/* sdc_rangevalue_of turns a value into one of the type over which the ranges are. */
extern Datum sdc_rangevalue_of(Oid base, Datum value, Oid subtype);

#endif							/* SDC_RELATION_RANGEVALUE_H */
