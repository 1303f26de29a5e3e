/*-------------------------------------------------------------------------
 *
 * randomize.h
 *		Random anonymization of a relation.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_METHOD_RANDOMIZE_H
#define SDC_METHOD_RANDOMIZE_H

#include "method/randomdraws.h"

/* sdc_randomize_prepare fills in what a protection by random anonymization is; the request must stay. */
extern void sdc_randomize_prepare(SdcMethodStep *step, const SdcRandomizing *randomizing);

/* sdc_randomize_prepare_pram does so for PRAM: retain is set, and qi names the columns. */
extern void sdc_randomize_prepare_pram(SdcMethodStep *step, const SdcRandomizing *randomizing);

/*
 * sdc_randomize_each protects the columns of a step one by one by what its draw makes of them, from a stream of each,
 * or continues their release.
 */
extern void sdc_randomize_each(SdcMethodStep *step, SdcSource *source, SdcSpool *spool, SdcRandom *random);

#endif							/* SDC_METHOD_RANDOMIZE_H */
