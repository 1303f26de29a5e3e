/*-------------------------------------------------------------------------
 *
 * randomizeexternal.h
 *		Random anonymization of more records than fit the memory budget.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_METHOD_RANDOMIZEEXTERNAL_H
#define SDC_METHOD_RANDOMIZEEXTERNAL_H

#include "method/randomize.h"

/*
 * sdc_randomize_external randomizes the attributes of a step, as sdc_randomdraws_attributes lists them.  probability is
 * that of each, NULL where all sets are as likely; dictionaries is what theirs take.
 */
extern void sdc_randomize_external(const SdcMethodStep *step, SdcSource *source, SdcSpool *spool, SdcRandom *random,
								   const int *index, const double *probability, uint64 dictionaries);

#endif							/* SDC_METHOD_RANDOMIZEEXTERNAL_H */
