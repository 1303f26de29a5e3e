/*-------------------------------------------------------------------------
 *
 * microaggregate.h
 *		Microaggregation: groups of near records have the mean of their values.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_METHOD_MICROAGGREGATE_H
#define SDC_METHOD_MICROAGGREGATE_H

#include "method/step.h"

/* What is asked for. */
typedef struct SdcMicroaggregation
{
	uint32		k;				/* records of a group, at least */
	bool		each;			/* every column has groups of its own; else all have the same */
	bool		median;			/* the lower median in the place of the mean */
	bool		suppress;		/* records that too few are like lose what they have; else that is an error */
	StringInfo	found;			/* what there is to say of the columns, as members of an object */
} SdcMicroaggregation;

/* sdc_microaggregate_prepare fills in what a protection by microaggregation is; the request must stay. */
extern void sdc_microaggregate_prepare(SdcMethodStep *step, SdcMicroaggregation *request);

#endif							/* SDC_METHOD_MICROAGGREGATE_H */
