/*-------------------------------------------------------------------------
 *
 * rankgroup.h
 *		The points of a tree again, in trees of a few attributes.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_RANKGROUP_H
#define SDC_KERNEL_RANKGROUP_H

#include "kernel/rank/ranktree.h"

/*
 * Codes in a byte: bins are numbered in the order of the codes, so that a code inside a
 * window is in a bin from that of its first code to that of its last.  Up to
 * SDC_RANKGROUP_MISSING codes have bins of their own.
 */
#define SDC_RANKGROUP_MISSING 255	/* the bin of a missing code; no code has it */

typedef struct SdcRankBins
{
	int			attributes;
	uint8	  **of_code;		/* by attribute and code */
	uint8	   *of_point;		/* by point of a tree, and attribute */
} SdcRankBins;

extern SdcRankBins *sdc_rankgroup_bins(const SdcRankTree *tree, const SdcPairs *pairs,
									   const int *known);
extern void sdc_rankgroup_unbin(SdcRankBins *bins);

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
	SdcRankLevel level[SDC_RANKLEVEL_MOST];	/* no corners; of points the count */
} SdcRankGroup;

extern SdcRankGroup *sdc_rankgroup_create(const SdcRankTree *tree, const SdcRankBins *bins,
										  const SdcPairs *pairs, const int *known, uint64 member);
extern void sdc_rankgroup_destroy(SdcRankGroup *group);

#ifdef SDC_CHECKS
extern bool sdc_rankgroup_check(const SdcRankGroup *group, const SdcRankTree *tree,
								const SdcRankBins *bins);
#endif

#endif							/* SDC_KERNEL_RANKGROUP_H */
