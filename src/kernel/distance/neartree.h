/*-------------------------------------------------------------------------
 *
 * neartree.h
 *		A tree over points that tells which of them can be near a query.
 *
 * The tree filters: for a query and a limit it reports a superset of the points
 * whose measure (metricspace.h) is at most the limit, nearer parts of space first.  The
 * caller computes the measures, and lowers the limit with every better one.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_NEARTREE_H
#define SDC_KERNEL_NEARTREE_H

#include "kernel/base/team.h"
#include "kernel/distance/metricspace.h"

typedef struct SdcNeartree SdcNeartree;

/* Points of a leaf: code that orders points for a tree ends its ranges at multiples. */
#define SDC_NEARTREE_LEAF 16

/* Children of a node. */
#define SDC_NEARTREE_FANOUT 8

/* Bytes that a tree takes at most. */
extern uint64 sdc_neartree_memory(uint32 points, int dimensions);

/*
 * sdc_neartree_create makes a tree of the points start .. start + count - 1.
 *
 *	point		the coordinates, point by point, in all dimensions of the space; not kept
 *	dimension	the dimensions, ascending, that the points have
 *	dimensions	their number
 *	partial		some points lack some of these: they are NaN.  It costs time
 *	team		all of its members have the points, and search in the same tree
 *
 * Points should be ordered so that leaves, and then aligned groups of FANOUT leaves,
 * and so on, are neighbours in space.  Time and memory O(count dimensions).
 */
extern SdcNeartree *sdc_neartree_create(const SdcMetricSpace *space,
										const double *point, const int *dimension,
										int dimensions, uint32 start, uint32 count,
										bool partial, SdcTeam *team);
extern void sdc_neartree_destroy(SdcNeartree *tree);

/* Called with the index of a point, may lower limits; returns the task's high, or less. */
typedef int (*SdcNeartreeVisit) (void *arg, uint32 point);

/*
 * A search is for several prefixes at once: the points near by the first low, low + 1, ...
 * high dimensions of the space.
 *
 *	limit	limit[c - low] of the measure by the first c dimensions, infinite perhaps, or
 *			below 0: no point is asked for
 *	fall	after so many steps (NULL: any number) the search becomes one for low .. fall;
 *			below low it ends.  A step looks at eight nodes, or the points of a leaf
 */
typedef struct SdcNeartreeTask
{
	int			low;
	int			high;
	double	   *limit;
	int			fall;
	uint32	   *steps;			/* those that are left; 0 means any number */
	SdcNeartreeVisit visit;
	void	   *arg;
} SdcNeartreeTask;

/*
 * sdc_neartree_search visits every point whose measure to the query (a point of the
 * space) is at most the limit by one of the prefixes, each of them once, and a few others.
 * It returns the greatest prefix that it has searched for to the end, below low if there is
 * none.  A tree does one search at a time.
 */
extern int	sdc_neartree_search(SdcNeartree *tree, const double *query,
								const SdcNeartreeTask *task);

/* The same without special instructions: it makes the same calls, with less speed. */
extern int	sdc_neartree_search_portable(SdcNeartree *tree, const double *query,
										 const SdcNeartreeTask *task);

#endif							/* SDC_KERNEL_NEARTREE_H */
