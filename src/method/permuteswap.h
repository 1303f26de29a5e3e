/*-------------------------------------------------------------------------
 *
 * permuteswap.h
 *		Permutation swapping of a relation.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_METHOD_PERMUTESWAP_H
#define SDC_METHOD_PERMUTESWAP_H

#include "method/step.h"

/* What is asked for. */
typedef struct SdcPermuteSwapRequest
{
	double		rate;			/* percent of the units that are selected, above 0 and below 100 */
	bool		any_size;		/* units of different sizes are in a stratum, too */
} SdcPermuteSwapRequest;

/* sdc_permuteswap_prepare fills in what a protection by it is, whose columns are there; the request must stay. */
extern void sdc_permuteswap_prepare(SdcMethodStep *step, const SdcPermuteSwapRequest *request);

#endif							/* SDC_METHOD_PERMUTESWAP_H */
