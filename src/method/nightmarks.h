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
#include "method/night.h"

/* sdc_nightmarks_read reads the marks of the members for the cells that were taken over. */
extern void sdc_nightmarks_read(const SdcNight *night, const SdcNightColumn *column, SdcContinued *cells);

/* sdc_nightmarks_keep writes those of tonight's cells. */
extern void sdc_nightmarks_keep(SdcNight *night, SdcNightColumn *column, const SdcContinued *cells);

#endif							/* SDC_METHOD_NIGHTMARKS_H */
