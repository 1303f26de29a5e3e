/*-------------------------------------------------------------------------
 *
 * nightoriginals.h
 *		The original values of a column that is swapped.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_METHOD_NIGHTORIGINALS_H
#define SDC_METHOD_NIGHTORIGINALS_H

#include "kernel/rank/continued.h"
#include "method/night.h"

/* The streams of a column, from its own on. */
enum
{
	SDC_NIGHTSWAP_ORIGINAL,		/* of cells that are pending or widows: all others can be told from the release */
	SDC_NIGHTSWAP_MATE,			/* packed */
	SDC_NIGHTSWAP_MARKS			/* of cells that have some: record, flags and how often they were drawn again */
};

/* sdc_nightoriginals_mates reads the mates of the members of a column, to be unpacked. */
extern void sdc_nightoriginals_mates(const SdcNight *night, const SdcNightColumn *column, SdcContinuedPacked *packed);

/* sdc_nightoriginals_count counts the cells whose original value the state has, among mates, packed or not. */
extern uint64 sdc_nightoriginals_count(const uint32 *mate, uint32 count);

/* sdc_nightoriginals_recall is SdcMethodStep's recall. */
extern void sdc_nightoriginals_recall(SdcMethodStep *step, SdcAttribute *attribute, SdcNightColumn *column,
									  const bool *some, SdcSpool *spool, SdcTakeOriginal take, void *arg);

/*
 * sdc_nightoriginals_patch makes the column of tonight's original values: what the source has, but for members whose
 * values stay as they were.
 */
extern SdcColumn *sdc_nightoriginals_patch(const SdcNight *night, const SdcNightColumn *column, SdcColumn *source,
										   SdcSpool *spool);

#endif							/* SDC_METHOD_NIGHTORIGINALS_H */
