/*-------------------------------------------------------------------------
 *
 * ranklink.h
 *		Rank swapping record linkage: intersection and annotated union.
 *
 * The intruder knows how far rank swapping moves a value.  For an original record
 * and a known attribute the window (window.h) contains every protected record that the
 * record can have become, as far as that attribute tells.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_RANKLINK_H
#define SDC_KERNEL_RANKLINK_H

#include "kernel/distance/metricspace.h"
#include "kernel/rank/rankwindow.h"

typedef enum SdcRankMode
{
	SDC_RANK_INTERSECTION,		/* inside the windows of all known attributes */
	SDC_RANK_UNION				/* inside the windows of as many as possible */
} SdcRankMode;

typedef struct SdcRankTask
{
	const SdcPairs *pairs;
	const int  *known;			/* indexes of the known attributes */
	int			count;			/* their number, 1 .. 64 */
	const SdcInterval *const *interval;	/* of each known attribute, by the original's code; or for rankprefix.h */
	const uint32 *width;		/* that of the windows of each, in positions */
	const SdcMetricSpace *space;	/* euclidean, of the known attributes: which is the nearest */
	int			groups;			/* union: of attributes, also where that takes longer; 0: as many as is quick */
} SdcRankTask;

/* A link, and in how many windows the best records are. */
typedef struct SdcRankLink
{
	SdcLink		link;
	uint32		inside;			/* known attributes whose window they are in; 0: no link */
} SdcRankLink;


/*
 * sdc_ranklink_run links originals (record and count as for sdc_nearest_run).
 *
 * Intersection: candidates = |B|, the protected records inside all windows; the
 * best are the nearest of B, within the tie of the space.  inside = count, or 0 when B is
 * empty.  A missing value has no window: B is empty.
 *
 * Union: candidates = the protected records that are inside as many windows as
 * any is; the best are the nearest of these.  Where none is inside any window there is
 * no link.
 *
 * candidates is exact up to UINT32_MAX.  No walk over all pairs.
 */
extern void sdc_ranklink_run(const SdcRankTask *task, SdcRankMode mode, const uint32 *record,
							 uint32 count, SdcRankLink *link);

#endif							/* SDC_KERNEL_RANKLINK_H */
