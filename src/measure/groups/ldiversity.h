/*-------------------------------------------------------------------------
 *
 * ldiversity.h
 *		The l-diversity of the groups of a relation.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_MEASURE_LDIVERSITY_H
#define SDC_MEASURE_LDIVERSITY_H

#include "nodes/pg_list.h"

/* The least diverse groups of a relation. */
typedef struct SdcLDiversity
{
	bool		any;			/* there is a group; otherwise nothing is defined */
	uint64		distinct;		/* values */
	double		entropy;		/* its exponential: so many equally frequent values */
	double		most;			/* the greatest share of a group that has one value */
} SdcLDiversity;

/*
 * sdc_ldiversity_measure looks for the least diversity of a sensitive column in the groups of records
 * that agree in some columns, a list of char *.  NULL is a value.  With unit, from sdc_unitcolumns_find
 * (unitcolumns.h), units are counted in place of records: in a group each of them once for every value that it has.
 */
extern void sdc_ldiversity_measure(Oid relid, List *qi, const char *sensitive, List *unit,
								   SdcLDiversity *result);

#endif							/* SDC_MEASURE_LDIVERSITY_H */
