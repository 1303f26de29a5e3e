/*-------------------------------------------------------------------------
 *
 * pointparts.h
 *		How a tree of points lies in memory.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_POINTPARTS_H
#define SDC_KERNEL_POINTPARTS_H

#include "kernel/releases/pointtree.h"

/* Points in a leaf, and leaves in a bunch. */
#define SDC_POINT_LEAF 16
#define SDC_POINT_BUNCH (SDC_POINT_LEAF * SDC_POINT_LEAF)

/* How many of these are looked at at a time. */
#define SDC_POINT_LANES 8

/* Bits of a word of a bitmap of classes. */
#define SDC_POINT_WORD_BITS 64

/* A percentage as a float is this near to what it stands for. */
#define SDC_POINT_ROUNDING 1e-5

typedef struct SdcPointNode
{
	uint32		start;			/* places */
	uint32		end;
	uint32		right;			/* the node behind those of the left half; 0: a bunch of leaves */
	uint32		bunch;			/* its number */
	bool		alike;			/* all points are */
} SdcPointNode;

/* sdc_pointparts_mean returns the means of a place. */
static inline const double *
sdc_pointparts_mean(const SdcPointTree *tree, uint32 place)
{
	return tree->mean + (uint64) place * (uint64) tree->columns;
}

/* sdc_pointparts_lane returns where a column of a place is, in leaves. */
static inline uint64
sdc_pointparts_lane(const SdcPointTree *tree, uint32 place, int column)
{
	return ((uint64) (place / SDC_POINT_LEAF) * (uint64) tree->columns + (uint64) column) * SDC_POINT_LEAF +
		place % SDC_POINT_LEAF;
}

/* Parts of the reach of a node, each of the tree's width: how far its boxes reach at most, and all of them. */
#define SDC_POINT_OUTER 0
#define SDC_POINT_INNER 2
#define SDC_POINT_REACH 4

/* sdc_pointparts_box returns the box of a place in a column. */
static inline SdcInterval
sdc_pointparts_box(const SdcPointTree *tree, uint32 place, int column)
{
	uint64		at = sdc_pointparts_lane(tree, place, column);

	if (tree->first[at] == UINT32_MAX)
		return (SdcInterval) {1, 0};
	return (SdcInterval) {tree->first[at], tree->first[at] + tree->size[at]};
}

#endif							/* SDC_KERNEL_POINTPARTS_H */
