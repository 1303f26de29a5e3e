/*-------------------------------------------------------------------------
 *
 * verifyrecord.h
 *		What somebody finds of himself in a release, who has nothing but his record.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_MEASURE_VERIFYRECORD_H
#define SDC_MEASURE_VERIFYRECORD_H

#include "kernel/rank/permutationsummary.h"

/* What somebody finds of himself in a relation, in one column; NaN: not defined. */
typedef struct SdcVerifiedColumn
{
	const char *attribute;
	uint32		distance;		/* the same in all columns */
	double		variance;
	double		frequency;
} SdcVerifiedColumn;

typedef void (*SdcVerifyEmit) (void *arg, const SdcVerifiedColumn *column);

/*
 * sdc_verifyrecord_find looks for a record, an object of values by column, in a relation that need not be known
 * to the catalog; a row for each of these columns, in the order of the relation.
 */
extern void sdc_verifyrecord_find(Oid relid, Datum record, SdcVerifyEmit emit, void *arg);

#endif							/* SDC_MEASURE_VERIFYRECORD_H */
