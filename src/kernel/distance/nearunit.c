/*-------------------------------------------------------------------------
 *
 * nearunit.c
 *		The unit in which the tree of neartree.c has its coordinates.
 *
 * The tree has single precision: numbers are taken from the middle of a dimension, in a unit by which no square is too
 * large.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <math.h>

#include "kernel/distance/nearunit.h"

/* Coordinates up to this have squares that can be added in single precision. */
#define FLOAT_COORDINATE_MAX 1e15

/* Points from which on a team measures them together: it has more memory for their tree than for that. */
#define TOGETHER 4096

/* measure_part finds the least and the greatest coordinates, row by row, of a part of the points. */
static void
measure_part(const SdcNeartree *tree, const double *point, SdcTeamPart part, double *low, double *high)
{
	for (int row = 0; row < tree->rows; row++)
	{
		low[row] = INFINITY;
		high[row] = -INFINITY;
	}
	for (uint32 i = part.start; i < part.end; i++)
	{
		const double *from = point + (Size) i * tree->total;

		sdc_interrupts_step(i);
		for (int row = 0; row < tree->rows; row++)
		{
			double		x = from[tree->dimension[row]];

			low[row] = x < low[row] ? x : low[row];
			high[row] = x > high[row] ? x : high[row];
		}
	}
}

/* sdc_nearunit_choose: see nearunit.h. */
void
sdc_nearunit_choose(SdcNeartree *tree, const double *point)
{
	SdcTeam    *team = tree->count < TOGETHER ? NULL : tree->team;
	int			members = team == NULL ? 1 : team->members;
	Size		own = team == NULL ? 0 : 2 * (Size) team->member;
	uint64		mark = sdc_team_mark(team);
	double	   *range = sdc_team_matrix(team, double, 2 * members, tree->rows);
	double		greatest = 0;

	measure_part(tree, point, sdc_team_part(team, tree->count, SDC_NEARTREE_LEAF), range + own * tree->rows,
				 range + (own + 1) * tree->rows);
	sdc_team_barrier(team);
	for (int row = 0; row < tree->rows; row++)
	{
		double		low = INFINITY;
		double		high = -INFINITY;

		for (int i = 0; i < members; i++)
		{
			low = fmin(low, range[(Size) 2 * i * tree->rows + row]);
			high = fmax(high, range[(Size) (2 * i + 1) * tree->rows + row]);
		}
		tree->middle[row] = low <= high ? low / 2 + high / 2 : 0;
		tree->reach[row] = low <= high ? fmax(high - tree->middle[row],
											  tree->middle[row] - low) : 0;
		if (!tree->nominal[row])
			greatest = fmax(greatest, tree->reach[row]);
	}
	sdc_team_free(team, range);
	sdc_team_release(team, mark);
	tree->unit = 1;
	while (greatest * tree->unit > FLOAT_COORDINATE_MAX)
		tree->unit /= 2;
	for (int row = 0; row < tree->rows; row++)
		tree->reach[row] *= tree->unit;
	tree->weight = (float) (tree->squared ? tree->unit * tree->unit : tree->unit);
}
