/*-------------------------------------------------------------------------
 *
 * wholelaws.h
 *		Columns that were drawn by a law: how likely a value becomes another one.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_MEASURE_WHOLELAWS_H
#define SDC_MEASURE_WHOLELAWS_H

#include "measure/attack/wholecolumns.h"

/* sdc_wholelaws_find finds the law of a column, by the parameters of its step; it may have none. */
extern void sdc_wholelaws_find(SdcKnownColumn *known);

/* sdc_wholelaws_code gives both files common codes as sdc_openrelease_codes does, and notes what the law needs of them. */
extern void sdc_wholelaws_code(SdcOpenRelease *opened, SdcKnownColumn *known, SdcArena *arena, SdcPairColumn *pair,
							   SdcPairColumn *state);

/* sdc_wholelaws_fill writes the law of a column for the kernel. */
extern void sdc_wholelaws_fill(const SdcKnownColumn *known, SdcCandidatesColumn *column);

#endif							/* SDC_MEASURE_WHOLELAWS_H */
