/*-------------------------------------------------------------------------
 *
 * meanvalue.h
 *		The mean of values, as a value of their type.
 *
 * The sum is exact.  Means of whole numbers, dates and times are rounded, halves away from zero, and so are those of
 * decimal numbers, to the decimals that their column has, or that the value with the most of them has.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_MEANVALUE_H
#define SDC_RELATION_MEANVALUE_H

#include "kernel/base/moments.h"
#include "relation/column/types.h"

/* The decimals of a type that does not say how many there are. */
#define SDC_MEANVALUE_ANY_SCALE PG_INT32_MIN

/* A mean in the making: of values that are finite. */
typedef struct SdcMeanValue
{
	const SdcType *type;
	int			scale;			/* of the column, or SDC_MEANVALUE_ANY_SCALE */
	int			most;			/* the most decimals that a value has */
	uint64		count;
	SdcMomentsSum binary;		/* by type: one of these is the sum */
	int128		whole;
	Datum		decimal;
} SdcMeanValue;

/* sdc_meanvalue_scale returns the decimals that a column of a type has, or SDC_MEANVALUE_ANY_SCALE. */
extern int	sdc_meanvalue_scale(const SdcType *type, int32 typmod);

/* sdc_meanvalue_is_for tells whether values of a type have means: numbers, dates, times. */
extern bool sdc_meanvalue_is_for(const SdcType *type);

/* sdc_meanvalue_begin begins a mean; sdc_meanvalue_add adds so many equal values, in the current memory context. */
extern void sdc_meanvalue_begin(SdcMeanValue *mean, const SdcType *type, int32 typmod);
extern void sdc_meanvalue_add(SdcMeanValue *mean, Datum value, uint64 records);

/* sdc_meanvalue_end returns the mean; false: the sum is out of the range of its type. */
extern bool sdc_meanvalue_end(const SdcMeanValue *mean, Datum *value);

#endif							/* SDC_RELATION_MEANVALUE_H */
