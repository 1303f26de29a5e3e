/*-------------------------------------------------------------------------
 *
 * kdorder.h
 *		Order points so that neighbours in space are neighbours in memory.
 *
 * A balanced kd-tree without nodes: the points of a range [start, end) with more
 * than leaf points are split at the position that sdc_kdorder_middle gives, so
 * that in one dimension no point before it is above one behind it.  What a
 * tree needs beyond that (boxes, counts) belongs to the code that walks it.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_KDORDER_H
#define SDC_KERNEL_KDORDER_H

#include "kernel/base/kernel_env.h"

/* sdc_kdorder_middle is where a range of more than leaf points is split. */
static inline uint32
sdc_kdorder_middle(uint32 start, uint32 end, uint32 leaf)
{
	uint32		leaves = (uint32) (((uint64) end - start + leaf - 1) / leaf);

	/* whole leaves on the left: all leaves but the last are full */
	return start + (leaves + 1) / 2 * leaf;
}

/*
 * sdc_kdorder_build permutes order[0 .. count-1], which holds indexes of points.
 * coordinate[d][order[i]] is a coordinate; a NaN counts as below all numbers.  A range is
 * split in a dimension where its points spread nearly as far as in any other.  Time O(count
 * log count) after O(count dimensions), seldom O(count log count dimensions); memory
 * sdc_kdorder_memory(dimensions).  The result is determined by the input.
 */
extern void sdc_kdorder_build(const double *const *coordinate, int dimensions,
							  uint32 *order, uint32 count, uint32 leaf);

/* Bytes that sdc_kdorder_build takes, for any number of points. */
extern uint64 sdc_kdorder_memory(int dimensions);

#endif							/* SDC_KERNEL_KDORDER_H */
