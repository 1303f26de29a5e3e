/*-------------------------------------------------------------------------
 *
 * rankcandidates.h
 *		What the attacks by windows have in common: originals, their windows, one search.
 *
 * For ranklink.c and rankunion.c only.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_RANKCANDIDATES_H
#define SDC_KERNEL_RANKCANDIDATES_H

#include "kernel/rank/ranklink.h"
#include "kernel/rank/ranksearch.h"

/* What the functions share. */
typedef struct SdcRankCandidates
{
	const SdcRankTask *task;
	const uint32 *record;		/* originals to link, or NULL */
	uint32		count;
	uint32	   *order;			/* indexes of them in the order of their codes */
	int		   *shared;			/* by place in order: how many leading codes are those before */

	/* by known attribute */
	const uint32 **original;
	const uint32 **protected;

	/* the originals at work */
	SdcInterval *window;		/* of each attribute */
	const SdcMetricSpace *full;	/* the space of all attributes: others have its first dimensions */
	double	   *point;			/* coordinates of an original in it */
	uint32		point_of;		/* of which */
	double	   *own;			/* and of an own protected record */
	uint32		own_of;
	SdcRankQuery query;
	uint32		credit;			/* steps until the next interrupt check */
} SdcRankCandidates;

/*
 * sdc_rankcandidates_inside tells whether a code is in a window; a missing one never is.  Both
 * sides are always compared: which of many codes are inside cannot be guessed.
 */
static inline bool
sdc_rankcandidates_inside(const SdcInterval *window, uint32 code)
{
	return (code >= window->first) & (code <= window->last);
}

/* sdc_rankcandidates_start prepares what both attacks need, with lists of so many points. */
extern void sdc_rankcandidates_start(SdcRankCandidates *finder, const SdcRankTask *task,
									 const SdcMetricSpace *full, const uint32 *record, uint32 count,
									 uint32 capacity);

/* sdc_rankcandidates_end frees what sdc_rankcandidates_start allocated. */
extern void sdc_rankcandidates_end(SdcRankCandidates *finder);

/* sdc_rankcandidates_windows looks up the windows of an original in the first attributes. */
extern void sdc_rankcandidates_windows(SdcRankCandidates *finder, uint32 original, int attributes);

/* sdc_rankcandidates_outside is how many of the windows a protected record is outside of. */
extern int		sdc_rankcandidates_outside(const SdcRankCandidates *finder, uint32 record,
										   int attributes);

/* sdc_rankcandidates_take computes the coordinates of an original, unless they are there. */
extern void sdc_rankcandidates_take(SdcRankCandidates *finder, uint32 original);

/*
 * sdc_rankcandidates_run_end is the end of a run of originals that share so many codes, places
 * [place, end).
 */
extern uint32	sdc_rankcandidates_run_end(const SdcRankCandidates *finder, uint32 place,
										   uint32 end,
									 int attributes);

/*
 * sdc_rankcandidates_search finds the candidates of the originals at places [place, end), which
 * are equal, among records outside of at most so many windows.  It leaves to find the nearest.
 */
extern void sdc_rankcandidates_search(SdcRankCandidates *finder, const SdcRankTree *tree,
									  uint32 place, uint32 end, int outside);

/*
 * sdc_rankcandidates_spend looks for a cancel after enough searches: one alone may be too short
 * to do so.
 */
extern void sdc_rankcandidates_spend(SdcRankCandidates *finder, uint64 blocks);

/*
 * sdc_rankcandidates_write makes the links of the originals at places [place, end) from the
 * query.
 */
extern void sdc_rankcandidates_write(SdcRankCandidates *finder, uint32 place, uint32 end,
									 SdcRankLink *link);

/* sdc_rankcandidates_link searches the tree for equal originals, and writes their links. */
extern void sdc_rankcandidates_link(SdcRankCandidates *finder, const SdcRankTree *tree,
									uint32 place, uint32 end, int outside, SdcRankLink *link);

#endif							/* SDC_KERNEL_RANKCANDIDATES_H */
