/*-------------------------------------------------------------------------
 *
 * nightswap.h
 *		One night of the columns that a rank swapping step continues.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_METHOD_NIGHTSWAP_H
#define SDC_METHOD_NIGHTSWAP_H

#include "method/continued/night.h"
#include "method/swap.h"

/* sdc_nightswap_protect continues the columns of a step, whose arguments are an SdcSwapMethod. */
extern void sdc_nightswap_protect(SdcMethodStep *step, SdcSource *source, SdcSpool *spool, SdcRandom *random);

#endif							/* SDC_METHOD_NIGHTSWAP_H */
