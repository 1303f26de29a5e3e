/*-------------------------------------------------------------------------
 *
 * turnover.h
 *		How the records of a source differ from those of a release, and those of two releases.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_TURNOVER_H
#define SDC_RELATION_TURNOVER_H

#include "relation/catalog/catalog.h"
#include "relation/read/source.h"

/* How the records of a source differ from those of the release that comes before. */
typedef struct SdcTurnover
{
	bool		known;
	uint64		stay;
	uint64		gone;
	uint64		arrived;
} SdcTurnover;

/*
 * Two draws tell of mostly the same people if both have more than half of those of the smaller one: a person in it is
 * told of twice, however many others the other one has.
 */
#define SDC_TURNOVER_MOSTLY_SAME(turnover) ((turnover).stay > Min((turnover).gone, (turnover).arrived))

/*
 * sdc_turnover_find compares a source that was read with a release, which is read for its keys.  Without a key that
 * both have, the numbers of records tell.
 */
extern void sdc_turnover_find(const SdcReleaseRow *row, const SdcSource *source, SdcTurnover *turnover);

/* sdc_turnover_mostly_same reads two releases for their keys; without keys they are taken for the same people's. */
extern bool sdc_turnover_mostly_same(const SdcReleaseRow *before, const SdcReleaseRow *after);

#endif							/* SDC_RELATION_TURNOVER_H */
