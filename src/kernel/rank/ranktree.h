/*-------------------------------------------------------------------------
 *
 * ranktree.h
 *		Protected records by their codes, in a tree.
 *
 * A tree of the protected records for a number of known attributes, for ranksearch.h.
 * Records with the same codes are one point.  Points lie in kd order (kdorder.h).  A
 * node has SDC_RANKTREE_FAN children, the last one of a level perhaps fewer; the
 * children of a node are a block, which is tested at once.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_RANKTREE_H
#define SDC_KERNEL_RANKTREE_H

#include "kernel/distance/metricspace.h"

/* Children of a node: four vectors of eight codes. */
#define SDC_RANKTREE_BITS 5
#define SDC_RANKTREE_FAN (1 << SDC_RANKTREE_BITS)

/* Levels of 32 for 2^32 points. */
#define SDC_RANKTREE_LEVELS 7

/* A code with its sign bit turned: its order without sign is theirs with it. */
static inline int32
sdc_ranktree_signed(uint32 code)
{
	return (int32) (code ^ (UINT32_C(1) << 31));
}

/*
 * One level of the tree: points, or nodes.  Node n of level l has the nodes n * 32 ..
 * n * 32 + 31 of level l - 1 as children.
 */
typedef struct SdcRankLevel
{
	uint32		count;
	int32	   *low;			/* by block, attribute and place in it: the least signed code */
	int32	   *high;			/* and the greatest; of points the same array */
	double	   *corner;			/* by node and dimension: the least and the greatest
								 * coordinate; not of points */
	uint32	   *least;			/* by node: the smallest record; not of points */
} SdcRankLevel;

typedef struct SdcRankTree
{
	int			attributes;		/* known ones, 1 .. 64 */
	const SdcMetricSpace *space;	/* of these attributes */
	bool		plain;			/* all coordinates are numbers that are not missing */
	bool		distinct;		/* every point is one record */
	bool		vectors;		/* use the vector unit of this machine, if it has one */

	/* by point, in kd order */
	uint32	   *start;			/* records of point p: record[start[p]] .. record[start[p + 1] - 1] */
	uint32	   *record;			/* ascending within a point */
	double	   *coordinate;		/* dimensions of the space */

	/* points, their parents, and so on up to a level of one block */
	int			levels;
	SdcRankLevel level[SDC_RANKTREE_LEVELS];
} SdcRankTree;

extern uint64 sdc_ranktree_memory(uint32 records, int attributes);
extern SdcRankTree *sdc_ranktree_create(const SdcPairs *pairs, const int *known,
										int attributes, const SdcMetricSpace *space);
extern void sdc_ranktree_destroy(SdcRankTree *tree);

/*
 * Codes in a byte: bins are numbered in the order of the codes, so that a code inside a
 * window is in a bin from that of its first code to that of its last.  Up to
 * SDC_RANKTREE_MISSING codes have bins of their own.
 */
#define SDC_RANKTREE_MISSING 255	/* the bin of a missing code; no code has it */

typedef struct SdcRankBins
{
	int			attributes;
	uint8	  **of_code;		/* by attribute and code */
	uint8	   *of_point;		/* by point of a tree, and attribute */
} SdcRankBins;

extern SdcRankBins *sdc_ranktree_bins(const SdcRankTree *tree, const SdcPairs *pairs,
									  const int *known);
extern void sdc_ranktree_unbin(SdcRankBins *bins);

/*
 * The points of a tree again, in another tree: nodes know some of the attributes only, and
 * so are small in these.  Points have bins of all of them, those of the nodes first.
 */
typedef struct SdcRankGroup
{
	uint64		member;			/* attributes of nodes, as a set: perhaps none */
	int			attributes;		/* their number */
	int			stored;			/* of points */
	int			attribute[64];	/* by place in a block: which attribute of the tree */
	uint32	   *point;			/* by place in the order of the group: the tree's */
	uint8	   *bin;			/* by block of points, attribute and place in it */
	int			levels;
	SdcRankLevel level[SDC_RANKTREE_LEVELS];	/* no corners; of points the count */
} SdcRankGroup;

extern SdcRankGroup *sdc_ranktree_group(const SdcRankTree *tree, const SdcRankBins *bins,
										const SdcPairs *pairs, const int *known, uint64 member);
extern void sdc_ranktree_ungroup(SdcRankGroup *group);

/* Bytes for bins, a plan, and a group beside what building a tree takes. */
extern uint64 sdc_ranktree_group_memory(uint32 records, int attributes);

/* Groups of a stage, at most. */
#define SDC_RANKTREE_GROUPS 32

/*
 * Sets of attributes for the originals of the levels level .. top, which are numbers of
 * windows: whoever is inside so many windows is inside all of one of the sets.  Who is
 * inside more than reach of a set is so of one of the sets before it.
 */
typedef struct SdcRankStage
{
	int			level;
	int			top;
	int			groups;
	uint64		member[SDC_RANKTREE_GROUPS];
	int			reach[SDC_RANKTREE_GROUPS];
} SdcRankStage;

/* What a plan is made from. */
typedef struct SdcRankCensus
{
	int			attributes;
	uint32		points;
	const uint64 *hit;			/* windows that records are in, of some pairs */
	uint32		hits;			/* their number, not 0 */
	uint32		originals[65];	/* by level */
	double		cost[65];		/* of one of them without groups, in blocks */
	bool		free;			/* to build groups costs nothing */
} SdcRankCensus;

/* sdc_ranktree_plan writes the stages, from the top down; it returns how many there are. */
extern int	sdc_ranktree_plan(const SdcRankCensus *census, SdcRankStage stage[64]);

#endif							/* SDC_KERNEL_RANKTREE_H */
