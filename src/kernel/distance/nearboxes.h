/*-------------------------------------------------------------------------
 *
 * nearboxes.h
 *		How the tree of neartree.c lies in memory.  For that file and its check only.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_NEARBOXES_H
#define SDC_KERNEL_NEARBOXES_H

#include "kernel/distance/neartree.h"

#define FANOUT SDC_NEARTREE_FANOUT

/* Levels of nodes: 8^10 leaves of 32 are more than 2^32 points. */
#define MAX_LEVELS 10

/* Eight numbers, and eight truth values. */
typedef float Vector __attribute__((vector_size(32)));
typedef int32 Mask __attribute__((vector_size(32)));

/*
 * The boxes of the children of a node in one dimension.  While the tree is built, low and
 * high; then center and half the width, which are quicker to compare with.
 */
typedef struct BoxRow
{
	float		center[FANOUT];
	float		half[FANOUT];
} BoxRow;

struct SdcNeartree
{
	/* what it is about */
	uint32		start;			/* the first point */
	uint32		count;
	int			total;			/* dimensions of the space */
	int			rows;			/* dimensions of the tree */
	bool		squared;
	bool		partial;
	double		unit;			/* of single precision */
	float		weight;			/* contribution of a nominal dimension in that unit */

	/* by row */
	int		   *dimension;		/* of the space, ascending */
	bool	   *nominal;
	double	   *middle;			/* between the least and the greatest coordinate */
	double	   *reach;			/* no coordinate is farther from it, in units */

	/* points and boxes */
	uint32		leaves;
	float	   *leaf;			/* LEAF points, row by row, of each leaf */
	int			levels;			/* of nodes; the last one has a single node */
	BoxRow	   *box[MAX_LEVELS];	/* all rows of each node of a level */
	uint32		children[MAX_LEVELS];	/* nodes of the level below (or leaves) */

	SdcTeam    *team;
	void	   *memory;			/* leaf and box, not aligned: of the team */

	/* of the running search: the rows that the query has */
	bool		query_plain;	/* all are numbers, and no dimension is missing */
	int		   *query_row;
	bool	   *query_nominal;
	float	   *query;

	/* and by prefix, from the least that is asked for on */
	int		   *prefix_rows;	/* of the query that are in the prefix */
	double	   *limit;			/* as the caller sees it */
	double	   *error;			/* of a distance (the root of a squared one) */
	float	   *point_limit;	/* single precision sums above it are too far */
	float	   *node_limit;		/* the same for nodes */
	float	   *point_most;		/* the greatest of point_limit from here on */
	float	   *node_most;
	float	   *bound;			/* FANOUT for each prefix, of the children of the node that
								 * was last looked at, level by level */
	int			bounds[MAX_LEVELS];	/* prefixes that have bounds */
	uint32		changes[MAX_LEVELS];	/* of limits until then */
};

/* sdc_nearboxes_coordinate converts a coordinate.  Codes have no unit. */
static inline float
sdc_nearboxes_coordinate(const SdcNeartree *tree, int row, double coordinate)
{
	double		x = coordinate - tree->middle[row];

	return (float) (tree->nominal[row] ? x : x * tree->unit);
}

#ifdef SDC_CHECKS
/* sdc_nearboxes_check: point as for sdc_neartree_create. */
extern bool sdc_nearboxes_check(const SdcNeartree *tree, const double *point);
#endif

#endif							/* SDC_KERNEL_NEARBOXES_H */
