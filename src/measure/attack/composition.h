/*-------------------------------------------------------------------------
 *
 * composition.h
 *		What a release tells together with those before it, in two numbers.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_MEASURE_COMPOSITION_H
#define SDC_MEASURE_COMPOSITION_H

#include "relation/frame/evaluation.h"
#include "relation/frame/releasehistory.h"

/* Percentages; NaN where there is nobody to find, or nothing to learn. */
typedef struct SdcComposition
{
	double		people_found;	/* the upper end where it is an interval */
	double		exposed;
} SdcComposition;

/*
 * sdc_composition_measure attacks the last of several releases.  A person counts with what the best attack on his
 * record finds (historylinks.h), by the windows of the methods, too, where those are not sound.  A value counts if
 * movements over all releases expose it, or if the difference of the last two does: as that of a newcomer, or
 * of a partner of one who came or went.
 */
extern void sdc_composition_measure(const SdcHistoryRequest *request, const SdcSampleRequest *sample,
									SdcComposition *result);

#endif							/* SDC_MEASURE_COMPOSITION_H */
