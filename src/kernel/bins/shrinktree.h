/*-------------------------------------------------------------------------
 *
 * shrinktree.h
 *		A kd-tree over points that only leave it: farthest and nearest ones.
 *
 * The distance of two points is d2, the sum over the dimensions, in their order, of the
 * squared differences, in double precision.  Its bounds for boxes are made of the
 * same operations in the same order; as rounding is monotonous they hold for the rounded
 * d2 too, and code that compares with them needs no tolerance.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_SHRINKTREE_H
#define SDC_KERNEL_SHRINKTREE_H

#include "kernel/base/kernel_env.h"

/* No point, no node. */
#define SDC_SHRINKTREE_NONE UINT32_MAX

/* Points of a leaf at most. */
#define SDC_SHRINKTREE_LEAF 16

/* The root; the children of a node are child and child + 1. */
#define SDC_SHRINKTREE_ROOT 0

/* A point and a measure of it: of equal measures the smaller point comes first. */
typedef struct SdcShrinkPoint
{
	double		measure;
	uint32		point;
} SdcShrinkPoint;

typedef struct SdcShrinkNode
{
	/* set when the tree is built */
	uint32		child;			/* 0: a leaf */
	uint32		parent;
	uint32		slot;			/* of a leaf: where its points begin */

	/* changed as points leave */
	uint32		count;			/* points that are left */
	uint32		first;			/* the smallest of them, or NONE */
} SdcShrinkNode;

typedef struct SdcShrinktree
{
	/* set once */
	int			dimensions;
	uint32		capacity;
	const double *const *coordinate;	/* of each dimension, by point; not owned */

	/* set when the tree is built */
	uint32		nodes;
	SdcShrinkNode *node;
	uint32	   *leaf_node;		/* by leaf; leaf l has the slots from l * LEAF on */

	/* changed as points leave */
	double	   *box;			/* of each node: the least coordinates, then the greatest */
	double	   *place;			/* coordinates by leaf, dimension and slot */
	uint32	   *point;			/* by slot; a leaf's are at its beginning */
	uint32	   *slot;			/* by point; NONE if it has left */

	/* of the running search */
	double	   *query;			/* coordinates */
	uint32		credit;			/* steps until the next interrupt check */
} SdcShrinktree;

extern uint64 sdc_shrinktree_memory(uint32 points, int dimensions);

/*
 * sdc_shrinktree_create makes a tree of the points 0 .. points - 1, at least one;
 * sdc_shrinktree_rebuild makes a new one of those that are left.  O(points log points).
 */
extern SdcShrinktree *sdc_shrinktree_create(const double *const *coordinate, int dimensions,
											uint32 points);
extern void sdc_shrinktree_rebuild(SdcShrinktree *tree);
extern void sdc_shrinktree_destroy(SdcShrinktree *tree);

/* sdc_shrinktree_left is the number of points that are left. */
static inline uint32
sdc_shrinktree_left(const SdcShrinktree *tree)
{
	return tree->node[SDC_SHRINKTREE_ROOT].count;
}

/* sdc_shrinktree_has tells whether a point is left. */
static inline bool
sdc_shrinktree_has(const SdcShrinktree *tree, uint32 point)
{
	return tree->slot[point] != SDC_SHRINKTREE_NONE;
}

/* sdc_shrinktree_remove takes out a point that is left, and makes the boxes tight again. */
extern void sdc_shrinktree_remove(SdcShrinktree *tree, uint32 point);

/*
 * sdc_shrinktree_farthest finds, of the points left but "of" itself, which may have left or
 * not, the one with the greatest d2 to it, of equals the smallest.  There is one.
 */
extern SdcShrinkPoint sdc_shrinktree_farthest(SdcShrinktree *tree, uint32 of);

/*
 * sdc_shrinktree_nearest finds the count points left with the least d2 to a point that has
 * left, of equals the smallest ones, and writes them to nearest[] in no particular order.  There
 * are that many.
 */
extern void sdc_shrinktree_nearest(SdcShrinktree *tree, uint32 to, uint32 count,
								   SdcShrinkPoint *nearest);

/*
 * sdc_shrinktree_reach bounds d2 between the points of a node, which is not empty, and a
 * point.  sdc_shrinktree_bound returns the greatest reach of a node to a point that is left,
 * and that point as its witness; or a reach that is at least enough, if there is one.
 */
extern double sdc_shrinktree_reach(const SdcShrinktree *tree, uint32 of, uint32 point);
extern double sdc_shrinktree_bound(SdcShrinktree *tree, uint32 of, double enough,
								   uint32 *witness);

#ifdef SDC_CHECKS
extern bool sdc_shrinktree_check(const SdcShrinktree *tree);
#endif

#endif							/* SDC_KERNEL_SHRINKTREE_H */
