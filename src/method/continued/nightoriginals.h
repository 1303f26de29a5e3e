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
#include "method/continued/night.h"

/* The streams of a column, from its own on. */
enum
{
	SDC_NIGHTSWAP_ORIGINAL,		/* of cells that are pending or widows: all others can be told from the release */
	SDC_NIGHTSWAP_MATE,			/* packed */
	SDC_NIGHTSWAP_MARKS			/* of cells that have some: record, flags and how often they were drawn again */
};

/* sdc_nightoriginals_mate_count returns how many words the packed mates of the members of a column are. */
extern uint64 sdc_nightoriginals_mate_count(const SdcNight *night, const SdcNightColumn *column);

/*
 * sdc_nightoriginals_read reads the mates of the members of a column, and their marks (nightmarks.h), and insists that
 * the state has the original value, of a type, of every cell whose one the release does not tell.
 */
extern void sdc_nightoriginals_read(const SdcNight *night, const SdcNightColumn *column, uint32 *mates,
									uint32 *marks, Oid typid, SdcSpool *spool);

/* sdc_nightoriginals_recall is SdcMethodStep's recall. */
extern void sdc_nightoriginals_recall(const SdcNight *night, SdcAttribute *attribute, SdcNightColumn *column,
									  const bool *some, SdcSpool *spool, SdcTakeOriginal take, void *arg);

/*
 * sdc_nightoriginals_patch makes the column of tonight's original values: what the source has, but for members whose
 * values stay as they were.
 */
extern SdcColumn *sdc_nightoriginals_patch(const SdcNight *night, const SdcNightColumn *column, SdcColumn *source,
										   SdcSpool *spool);

#endif							/* SDC_METHOD_NIGHTORIGINALS_H */
