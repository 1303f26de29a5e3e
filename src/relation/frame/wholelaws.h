/*-------------------------------------------------------------------------
 *
 * wholelaws.h
 *		Columns that were drawn by a law: how likely a value becomes another one.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_WHOLELAWS_H
#define SDC_RELATION_WHOLELAWS_H

#include "relation/frame/wholecolumns.h"

/* sdc_wholelaws_find finds the law of a column, by the parameters of its step; false: these do not tell. */
extern bool sdc_wholelaws_find(SdcKnownColumn *known);

/* sdc_wholelaws_has tells whether it has one. */
static inline bool
sdc_wholelaws_has(const SdcKnownColumn *known)
{
	return known->matrix != NULL || known->noise.kind != SDC_NOISE_NONE;
}

/* sdc_wholelaws_code gives both files common codes as sdc_openrelease_codes does, and notes the rows of a matrix. */
extern void sdc_wholelaws_code(SdcOpenRelease *opened, SdcKnownColumn *known, SdcArena *arena, SdcPairColumn *pair,
							   SdcPairColumn *state);

/* sdc_wholelaws_fill writes the law of a column for the kernel. */
extern void sdc_wholelaws_fill(const SdcKnownColumn *known, SdcCandidatesColumn *column);

#endif							/* SDC_RELATION_WHOLELAWS_H */
