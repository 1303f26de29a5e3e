/*-------------------------------------------------------------------------
 *
 * pram.h
 *		PRAM by matrices.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_METHOD_PRAM_H
#define SDC_METHOD_PRAM_H

#include "method/step.h"

/* What sdc_pram is asked for with matrices. */
typedef struct SdcPramming
{
	List	   *matrices;		/* SdcMatrix *, one for every column */
	const char *argument;		/* the same as it was given */
} SdcPramming;

/* sdc_pram_prepare fills in what a protection by matrices is; the request must stay. */
extern void sdc_pram_prepare(SdcMethodStep *step, const SdcPramming *pramming);

#endif							/* SDC_METHOD_PRAM_H */
