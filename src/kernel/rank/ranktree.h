/*-------------------------------------------------------------------------
 *
 * ranktree.h
 *		Protected records by their codes, in a tree.
 *
 * A tree of the protected records for a number of known attributes, for ranksearch.h.
 * Records with the same codes are one point.  Points lie in kd order (kdorder.h).  A
 * node has SDC_RANKLEVEL_FAN children, the last one of a level perhaps fewer; the
 * children of a node are a block, which is tested at once.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_RANKTREE_H
#define SDC_KERNEL_RANKTREE_H

#include "kernel/distance/metricspace.h"
#include "kernel/rank/ranklevel.h"

typedef struct SdcRankTree
{
	int			attributes;		/* known ones, 1 .. 64 */
	const SdcMetricSpace *space;	/* of these attributes */
	bool		plain;			/* all coordinates are numbers that are not missing */
	bool		distinct;		/* every point is one record */
	bool		vectors;		/* use the vector unit of this machine, if it has one */

	/* by point, in kd order */
	uint32	   *start;			/* records of point p: record[start[p]] .. record[start[p + 1] - 1]; NULL: one each */
	uint32	   *record;			/* ascending within a point */
	double	   *coordinate;		/* dimensions of the space */

	/* points, their parents, and so on up to a level of one block */
	int			levels;
	SdcRankLevel level[SDC_RANKLEVEL_MOST];

	SdcTeam    *team;			/* that made it, */
	uint64		mark;			/* and where its memory began */
} SdcRankTree;

/* Bytes at most, and those of them that all members of a team see.  A team has one tree. */
extern uint64 sdc_ranktree_memory(uint32 records, int attributes);
extern uint64 sdc_ranktree_team_memory(uint32 records, int attributes);
extern SdcRankTree *sdc_ranktree_create(const SdcPairs *pairs, const int *known,
										int attributes, const SdcMetricSpace *space, SdcTeam *team);
extern void sdc_ranktree_destroy(SdcRankTree *tree);

/* sdc_ranktree_start is where the records of a point begin, or, after the last point, where they end. */
static inline uint32
sdc_ranktree_start(const SdcRankTree *tree, uint32 point)
{
	return tree->start != NULL ? tree->start[point] : point;
}

/* sdc_ranktree_first is the first record of a point. */
static inline uint32
sdc_ranktree_first(const SdcRankTree *tree, uint32 point)
{
	return tree->record[sdc_ranktree_start(tree, point)];
}

#ifdef SDC_CHECKS
extern bool sdc_ranktree_check(const SdcRankTree *tree, const SdcPairs *pairs, const int *known);
#endif

#endif							/* SDC_KERNEL_RANKTREE_H */
