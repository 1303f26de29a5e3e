/*-------------------------------------------------------------------------
 *
 * nightmarks.h
 *		What cells of a swapped column have besides their mates, in the private state.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_METHOD_NIGHTMARKS_H
#define SDC_METHOD_NIGHTMARKS_H

#include "kernel/rank/continued.h"
#include "method/continued/night.h"

/* sdc_nightmarks_words returns how many words the marks of the members are, and sdc_nightmarks_read reads them. */
extern uint64 sdc_nightmarks_words(const SdcNightColumn *column);
extern void sdc_nightmarks_read(const SdcNight *night, const SdcNightColumn *column, uint32 *words);

/* sdc_nightmarks_take gives the cells that were taken over the marks of so many members. */
extern void sdc_nightmarks_take(const SdcNight *night, const uint32 *words, uint32 count, SdcContinued *cells);

/* sdc_nightmarks_count counts those of tonight's cells, and sdc_nightmarks_keep writes them by way of their words. */
extern uint32 sdc_nightmarks_count(const SdcContinued *cells);
extern void sdc_nightmarks_keep(SdcNight *night, const SdcNightColumn *column, const SdcContinued *cells,
								uint32 *words);

#endif							/* SDC_METHOD_NIGHTMARKS_H */
