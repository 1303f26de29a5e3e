/*-------------------------------------------------------------------------
 *
 * nearboxes.c
 *		Looks whether the boxes of neartree.c are around their points.
 *
 * There is nothing here but with assertions.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <math.h>

#include "kernel/distance/nearboxes.h"

#ifdef SDC_CHECKS

#define LEAF SDC_NEARTREE_LEAF

/* is_inside tells whether a number is in one of the boxes of a row: a missing one is everywhere. */
static bool
is_inside(const BoxRow *box, uint32 place, float x)
{
	if (x != x)
		return box->half[place] == INFINITY;
	return fabs((double) x - (double) box->center[place]) <= (double) box->half[place];
}

/* check_point: a point has its coordinates, and is in the box of its leaf and all above. */
static bool
check_point(const SdcNeartree *tree, const double *point, uint32 p)
{
	for (int row = 0; row < tree->rows; row++)
	{
		double		x = point[(Size) (tree->start + p) * tree->total + tree->dimension[row]];
		float		want = sdc_nearboxes_coordinate(tree, row, x);
		float		have = tree->leaf[((Size) (p / LEAF) * tree->rows + row) * LEAF + p % LEAF];
		uint32		child = p / LEAF;

		if (!(have == want || (have != have && want != want)))
			return false;
		for (int level = 0; level < tree->levels; level++)
		{
			const BoxRow *box = tree->box[level] + (Size) (child / FANOUT) * tree->rows + row;

			if (child >= tree->children[level] || !is_inside(box, child % FANOUT, have))
				return false;
			child /= FANOUT;
		}
		if (child != 0)
			return false;
	}
	return true;
}

/* sdc_nearboxes_check: points are where they were, in boxes that are large enough. */
bool
sdc_nearboxes_check(const SdcNeartree *tree, const double *point)
{
	for (uint32 p = 0; p < tree->count; p++)
		if (!check_point(tree, point, p))
			return false;
	for (uint32 p = tree->count; p < tree->leaves * LEAF; p++)
		for (int row = 0; row < tree->rows; row++)
			if (!isnan(tree->leaf[((Size) (p / LEAF) * tree->rows + row) * LEAF + p % LEAF]))
				return false;
	return true;
}

#endif							/* SDC_CHECKS */
