/*-------------------------------------------------------------------------
 *
 * chisquare.h
 *		Chi-square of every two columns of a relation.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_MEASURE_CHISQUARE_H
#define SDC_MEASURE_CHISQUARE_H

#include "nodes/pg_list.h"

/* What two columns tell of each other. */
typedef struct SdcChiSquare
{
	const char *first;			/* their names */
	const char *second;
	uint64		records;		/* that have both values; 0: nothing else is defined */
	bool		varied;			/* both have two values at least: cramers_v is defined */
	double		chi_square;
	double		chi_square_n;	/* a record */
	double		cramers_v;
} SdcChiSquare;

typedef void (*SdcChiSquareEmit) (void *arg, const SdcChiSquare *pair);

/* sdc_chisquare_measure calls emit for every two of some columns, a list of char *. */
extern void sdc_chisquare_measure(Oid relid, List *names, SdcChiSquareEmit emit, void *arg);

#endif							/* SDC_MEASURE_CHISQUARE_H */
