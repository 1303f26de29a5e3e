/*-------------------------------------------------------------------------
 *
 * guarantee.h
 *		What the methods of a release promise of two sources with the same invariants.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_MEASURE_GUARANTEE_H
#define SDC_MEASURE_GUARANTEE_H

#include "nodes/pg_list.h"

/*
 * The probabilities of any set of releases of two sources with the same invariants, which differ in d units, have a
 * ratio of exp(epsilon d) at most.  NaN is what is not known, or what a release has several of.
 */
typedef struct SdcGuarantee
{
	double		epsilon;		/* NaN: there is no such bound */
	double		attained;		/* the epsilon of the worst case without equal values */
	double		largest_stratum;	/* units of the largest stratum with two different values */
	double		strata;
	double		single_strata;	/* of one unit, which stays */
	double		selected_percent;	/* of the units, on average */
	double		moved_percent;	/* of the units, that have other values */
	List	   *invariants;		/* texts */
} SdcGuarantee;

/* sdc_guarantee_find finds what a release promises that the caller may know of. */
extern void sdc_guarantee_find(Oid catalog_schema, Oid release, SdcGuarantee *guarantee);

#endif							/* SDC_MEASURE_GUARANTEE_H */
