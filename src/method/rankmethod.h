/*-------------------------------------------------------------------------
 *
 * rankmethod.h
 *		The three rank swapping methods.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_METHOD_RANKMETHOD_H
#define SDC_METHOD_RANKMETHOD_H

#include "method/swaptable.h"

/* sdc_rankmethod_prepare fills in what a protection by a method is. */
extern void sdc_rankmethod_prepare(SdcMethodStep *step, SdcRankKind kind,
								   const SdcRankParameters *parameters);

#endif							/* SDC_METHOD_RANKMETHOD_H */
