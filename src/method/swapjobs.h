/*-------------------------------------------------------------------------
 *
 * swapjobs.h
 *		The columns of a step, swapped by this process or shared with parallel workers.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_METHOD_SWAPJOBS_H
#define SDC_METHOD_SWAPJOBS_H

#include "method/pipeline.h"

/* sdc_swapjobs_protect is SdcMethodStep's protect; its arguments are a method of rankmethod.h. */
extern void sdc_swapjobs_protect(SdcMethodStep *step, SdcSource *source, SdcSpool *spool, SdcRandom *random);

#endif							/* SDC_METHOD_SWAPJOBS_H */
