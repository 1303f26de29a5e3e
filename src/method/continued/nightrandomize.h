/*-------------------------------------------------------------------------
 *
 * nightrandomize.h
 *		One night of the columns that a step of random anonymization continues.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_METHOD_NIGHTRANDOMIZE_H
#define SDC_METHOD_NIGHTRANDOMIZE_H

#include "method/continued/night.h"
#include "method/randomdraws.h"

/* sdc_nightrandomize_protect continues the columns of a step, whose arguments are an SdcRandomizing. */
extern void sdc_nightrandomize_protect(SdcMethodStep *step, SdcSource *source, SdcSpool *spool, SdcRandom *random);

#endif							/* SDC_METHOD_NIGHTRANDOMIZE_H */
