/*-------------------------------------------------------------------------
 *
 * ranksearch.h
 *		Who is inside the most windows, and who is nearest of these.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_RANKSEARCH_H
#define SDC_KERNEL_RANKSEARCH_H

#include "kernel/rank/rankgroup.h"
#include "kernel/rank/ranklanes.h"
#include "kernel/rank/rankwindow.h"

/* Steps between interrupt checks that a block counts for. */
#define SDC_RANKSEARCH_CREDIT 8

/* What is asked of a tree, and what it answers. */
typedef struct SdcRankQuery
{
	/* in */
	const SdcInterval *window;	/* of each attribute; first > last: empty */
	const double *point;		/* the original's coordinates */
	const SdcMetricSpace *space;	/* NULL: that of the tree and all of its attributes, */
	int			attributes;		/* or so many first ones, and their space, whose dimensions its space begins with */
	uint32		capacity;		/* of list, in points */
	double		enough;			/* nearest: a measure that is less than tied with this ends the search; 0: none does */

	/* in and out */
	int			outside;		/* windows that candidates are not in, at most / exactly */
	double		best;			/* a measure that a candidate has / the least one */

	/* out */
	uint32		candidates;		/* records */
	uint32		listed;			/* points; more than capacity: the list is not complete */
	uint32	   *list;			/* of the caller */
	uint32		ties;			/* records up to the tie above the best */
	uint32		linked;			/* the smallest of them, or none */
	uint64		steps;			/* blocks looked at so far: what it cost */
} SdcRankQuery;

/*
 * sdc_ranksearch_count finds the candidates: the records outside the fewest windows, if these
 * are not more than query->outside.  It sets outside (if there are any), candidates, and the list.
 */
extern void sdc_ranksearch_count(const SdcRankTree *tree, SdcRankQuery *query);

/*
 * sdc_ranksearch_nearest finds the nearest of the candidates, after sdc_ranksearch_count.
 * query->best is the measure of one of them, or infinite.  Candidates without a
 * distance have the measure infinity, and are the nearest if all are such.  If best * SDC_METRICSPACE_TIE is
 * below enough afterwards, some candidate is that near, and best, ties and linked tell no more than that.
 */
extern void sdc_ranksearch_nearest(const SdcRankTree *tree, SdcRankQuery *query);

/*
 * sdc_ranksearch_inside does the same among the records that are inside all windows, which need not have been
 * counted.
 */
extern void sdc_ranksearch_inside(const SdcRankTree *tree, SdcRankQuery *query);

/* What is known of an original's candidates after some groups. */
typedef struct SdcRankStand
{
	int			inside;			/* windows that they are in; before there are any, that a
								 * record is in that will be found */
	int			level;			/* of the caller */
	bool		vague;			/* ties have to be counted again: some of them are none */
	uint32		candidates;		/* records */
	uint32		ties;			/* records up to the tie above the best */
	uint32		linked;			/* the smallest of them, or none */
	double		best;			/* the least measure */
	double		tied;			/* the greatest measure of the ties */
} SdcRankStand;

/* sdc_ranksearch_range is the range of the bins of a window. */
extern SdcRankRange sdc_ranksearch_range(const uint8 *bin, const SdcInterval *window);

/*
 * sdc_ranksearch_group adds to a stand the candidates that are inside the windows of all
 * attributes of a group and of at least so many attributes of the tree.  Those are left out that
 * are inside all windows of one of the sets before: they are in the stand.  range is that of each
 * window.  It sets steps.
 */
extern void sdc_ranksearch_group(const SdcRankTree *tree, const SdcRankGroup *group,
								 const uint64 *before, int sets, int least,
								 const SdcRankRange *range, SdcRankQuery *query, SdcRankStand *stand);

#endif							/* SDC_KERNEL_RANKSEARCH_H */
