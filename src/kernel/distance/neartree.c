/*-------------------------------------------------------------------------
 *
 * neartree.c
 *		A tree over points that tells which of them can be near a query.
 *
 * A static tree of bounding boxes with eight children per node (as the packed R-tree of
 * I. Kamel and C. Faloutsos, "On packing R-trees", CIKM 1993, on the points in kd order),
 * laid out for vector arithmetic: the boxes of the children of a node, and the points of a
 * leaf, are stored dimension by dimension, so that eight of them are looked at
 * at once.
 *
 * All of it is in single precision, which halves the memory traffic and doubles the
 * points per instruction.  It decides nothing but what is certainly too far.  With c the
 * middle of the points, a coordinate becomes float((x - c) * unit); unit is
 * 1, unless the numbers are so great that their squares need a smaller one.  Let u =
 * 2^-24.  A difference of two such coordinates is wrong by at most u (|q| + |p|), one from a
 * box by less than 4 u (|q| + |p|).  By the triangle inequality the computed distance is
 * above the true one by at most the norm of these errors, besides the relative rounding
 * of the sum.  Limits are widened by both.  Codes of nominal attributes are rounded
 * monotonously: where floats differ codes do.
 *
 * Missing values: a dimension that the query lacks is skipped; it is the same for
 * all points.  In a partial tree a box in which a point lacks a dimension is unbounded
 * there, and a leaf counts common dimensions point by point.
 *
 * Complexity: a search that ends near takes O(log count) steps; in high dimensions it
 * takes O(count).  Memory: see sdc_neartree_memory.  Determinism: the order of
 * visits is determined by the input and the same with all instruction sets, which
 * round alike.  Limits: count below 2^32.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <float.h>
#include <math.h>

#include "kernel/distance/nearboxes.h"
#include "kernel/distance/nearunit.h"

#define LEAF SDC_NEARTREE_LEAF
#define LEAF_VECTORS (LEAF / FANOUT)

/* A way down leaves at most FANOUT - 1 nodes per level behind. */
#define MAX_STACK (FANOUT * (MAX_LEVELS + 1))

/* The unit roundoff of single precision. */
#define ROUNDOFF 0x1p-24

/* Vectors begin at multiples of this, and rows of boxes fill one cache line. */
#define ALIGNMENT 64

/* A node or leaf that waits. */
typedef struct Waiting
{
	float		bound;			/* nearer ones come first */
	int			level;			/* of the node; -1 is a leaf */
	uint32		index;
} Waiting;

typedef struct Search
{
	SdcNeartree *tree;
	const SdcNeartreeTask *task;
	int			prefixes;		/* that are still asked for */
	uint32		credit;			/* points until the next interrupt check */
	uint32		changes;		/* of limits so far */
	int			waiting;
	Waiting		stack[MAX_STACK];
} Search;

/* round_up divides, up. */
static inline uint64
round_up(uint64 n, uint64 by)
{
	return (n + by - 1) / by;
}

/* block_bytes is the size of leaves and boxes, and what aligning takes. */
static uint64
block_bytes(uint32 points, int rows)
{
	uint64		nodes = round_up(points, LEAF);
	uint64		bytes = nodes * LEAF * sizeof(float) * rows + ALIGNMENT;

	do
	{
		nodes = round_up(nodes, FANOUT);
		bytes += nodes * sizeof(BoxRow) * rows;
	} while (nodes > 1);
	return bytes;
}

/* bound_bytes is the size of the bounds of a search. */
static inline uint64
bound_bytes(uint32 points, int dimensions)
{
	uint64		nodes = round_up(points, LEAF);
	uint64		levels = 0;

	do
	{
		nodes = round_up(nodes, FANOUT);
		levels++;
	} while (nodes > 1);
	return levels * dimensions * FANOUT * sizeof(float);
}

/* sdc_neartree_memory adds everything up. */
uint64
sdc_neartree_memory(uint32 points, int dimensions)
{
	return sizeof(SdcNeartree) + block_bytes(points, dimensions) +
		bound_bytes(points, dimensions) + 4 * sizeof(float) +
		(uint64) dimensions * (3 * sizeof(int) + 2 * sizeof(bool) + 4 * sizeof(double) +
							   5 * sizeof(float));
}

/* fill_leaves converts the points; what the last leaf has too much is NaN. */
static void
fill_leaves(SdcNeartree *tree, const double *point)
{
	SdcTeamPart part = sdc_team_part(tree->team, tree->leaves, FANOUT);

	for (uint32 leaf = part.start; leaf < part.end; leaf++)
	{
		float	   *to = tree->leaf + (Size) leaf * LEAF * tree->rows;
		uint32		first = leaf * LEAF;
		uint32		points = tree->count - first < LEAF ? tree->count - first : LEAF;

		if (leaf % (SDC_INTERRUPT_STEPS / LEAF) == 0)
			SDC_CHECK_INTERRUPTS();
		for (int row = 0; row < tree->rows; row++, to += LEAF)
		{
			const double *from = point + (Size) first * tree->total + tree->dimension[row];

			for (uint32 i = 0; i < points; i++)
				to[i] = sdc_nearboxes_coordinate(tree, row, from[(Size) i * tree->total]);
			for (uint32 i = points; i < LEAF; i++)
				to[i] = NAN;
		}
	}
}

/*
 * leaf_box finds the box of a leaf in one row.  A partial tree has no bound where a
 * point lacks the coordinate.
 */
static void
leaf_box(const SdcNeartree *tree, uint32 leaf, int row, float *low, float *high)
{
	const float *x = tree->leaf + ((Size) leaf * tree->rows + row) * LEAF;
	uint32		points = tree->count - leaf * LEAF < LEAF ? tree->count - leaf * LEAF : LEAF;
	bool		missing = false;

	*low = INFINITY;
	*high = -INFINITY;
	for (uint32 i = 0; i < points; i++)
	{
		*low = x[i] < *low ? x[i] : *low;
		*high = x[i] > *high ? x[i] : *high;
		missing = missing || x[i] != x[i];
	}
	if (missing)
	{
		*low = -INFINITY;
		*high = INFINITY;
	}
}

/* node_box finds the box of a node of a level in one row, around those of its children. */
static void
node_box(const SdcNeartree *tree, int level, uint32 node, int row, float *low, float *high)
{
	const BoxRow *box = tree->box[level] + (Size) node * tree->rows + row;
	uint32		children = tree->children[level] - node * FANOUT;

	*low = INFINITY;
	*high = -INFINITY;
	for (uint32 i = 0; i < FANOUT && i < children; i++)
	{
		*low = box->center[i] < *low ? box->center[i] : *low;
		*high = box->half[i] > *high ? box->half[i] : *high;
	}
}

/* bound_children fills a part of a level: low and high of its nodes' children. */
static void
bound_children(SdcNeartree *tree, int level, SdcTeamPart part)
{
	for (uint32 child = part.start; child < part.end; child++)
	{
		BoxRow	   *box = tree->box[level] + (Size) (child / FANOUT) * tree->rows;
		uint32		place = child % FANOUT;

		if (child % (SDC_INTERRUPT_STEPS / LEAF) == 0)
			SDC_CHECK_INTERRUPTS();
		for (int row = 0; row < tree->rows; row++)
		{
			if (level == 0)
				leaf_box(tree, child, row, &box[row].center[place], &box[row].half[place]);
			else
				node_box(tree, level - 1, child, row, &box[row].center[place],
						 &box[row].half[place]);
		}
	}
}

/* center_boxes turns low and high of a part of a level into center and half the width, rounded up. */
static void
center_boxes(SdcNeartree *tree, int level, SdcTeamPart part)
{
	uint64		end = round_up(part.end, FANOUT) * tree->rows;

	for (uint64 i = (uint64) part.start / FANOUT * tree->rows; i < end; i++)
	{
		BoxRow	   *box = &tree->box[level][i];

		sdc_interrupts_step(i);
		for (int place = 0; place < FANOUT; place++)
		{
			float		low = box->center[place];
			float		high = box->half[place];
			bool		bounded = low > -INFINITY && high < INFINITY;
			float		center = bounded ? low / 2 + high / 2 : 0;
			float		half = fmaxf(high - center, center - low);

			box->center[place] = center;
			box->half[place] = bounded ? half * (1 + 2 * FLT_EPSILON) : INFINITY;
		}
	}
}

/*
 * bound_boxes bounds all nodes, a level after those below it, and then centers the boxes.  Only the lowest level is
 * worth to be divided.
 */
static void
bound_boxes(SdcNeartree *tree)
{
	SdcTeamPart part = sdc_team_part(tree->team, tree->children[0], FANOUT);

	/* the leaves of this part are of this process */
	bound_children(tree, 0, part);
	sdc_team_barrier(tree->team);
	for (int level = 1; level < tree->levels && sdc_team_first(tree->team); level++)
		bound_children(tree, level, sdc_team_part(NULL, tree->children[level], FANOUT));
	sdc_team_barrier(tree->team);
	center_boxes(tree, 0, part);
	for (int level = 1; level < tree->levels && sdc_team_first(tree->team); level++)
		center_boxes(tree, level, sdc_team_part(NULL, tree->children[level], FANOUT));
	sdc_team_barrier(tree->team);
}

/* lay_out allocates leaves and boxes, and aligns them. */
static void
lay_out(SdcNeartree *tree)
{
	uint64		bytes = block_bytes(tree->count, tree->rows);
	uint32		nodes = tree->leaves;
	char	   *place;

	tree->memory = sdc_team_alloc(tree->team, bytes);
	place = (char *) tree->memory + (-(uintptr_t) tree->memory & (ALIGNMENT - 1));
	tree->leaf = (float *) place;
	place += (Size) tree->leaves * LEAF * tree->rows * sizeof(float);
	tree->levels = 0;
	do
	{
		Size		rows = round_up(nodes, FANOUT) * tree->rows;

		tree->children[tree->levels] = nodes;
		tree->box[tree->levels] = (BoxRow *) place;
		/* places without a child are never looked at, but calculated with */
		if (sdc_team_first(tree->team))
			memset(place, 0, rows * sizeof(BoxRow));
		place += rows * sizeof(BoxRow);
		nodes = (uint32) round_up(nodes, FANOUT);
		tree->levels++;
	} while (nodes > 1);
	SDC_ASSERT(tree->levels <= MAX_LEVELS);
	SDC_ASSERT(place <= (char *) tree->memory + bytes);
}

/* allocate_rows allocates what there is by row or prefix. */
static void
allocate_rows(SdcNeartree *tree)
{
	Size		rows = tree->rows;
	Size		total = tree->total;

	tree->dimension = sdc_alloc_array(int, rows);
	tree->nominal = sdc_alloc_array(bool, rows);
	tree->middle = sdc_alloc_array(double, rows);
	tree->reach = sdc_alloc_array(double, rows);
	tree->query_row = sdc_alloc_array(int, rows);
	tree->query_nominal = sdc_alloc_array(bool, rows);
	tree->query = sdc_alloc_array(float, rows);
	tree->prefix_rows = sdc_alloc_array(int, total);
	tree->limit = sdc_alloc_array(double, total);
	tree->error = sdc_alloc_array(double, total);
	tree->point_limit = sdc_alloc_array(float, total);
	tree->node_limit = sdc_alloc_array(float, total);
	tree->point_most = sdc_alloc_array(float, total);
	tree->node_most = sdc_alloc_array(float, total);
	tree->bound = sdc_alloc(bound_bytes(tree->count, tree->total));
}

/* sdc_neartree_create: see neartree.h. */
SdcNeartree *
sdc_neartree_create(const SdcMetricSpace *space, const double *point, const int *dimension,
					int dimensions, uint32 start, uint32 count, bool partial, SdcTeam *team)
{
	SdcNeartree *tree = sdc_alloc(sizeof(SdcNeartree));

	SDC_ASSERT(count > 0 && dimensions > 0);
	tree->start = start;
	tree->count = count;
	tree->total = space->dimensions;
	tree->squared = space->squared;
	tree->partial = partial;
	tree->team = team;
	tree->rows = dimensions;
	tree->leaves = (uint32) round_up(count, LEAF);
	allocate_rows(tree);
	for (int row = 0; row < dimensions; row++)
	{
		tree->dimension[row] = dimension[row];
		tree->nominal[row] = space->nominal[dimension[row]];
	}
	sdc_nearunit_choose(tree, point + (Size) start * tree->total);
	lay_out(tree);
	sdc_team_barrier(team);
	fill_leaves(tree, point + (Size) start * tree->total);
	bound_boxes(tree);
	SDC_ASSERT(sdc_nearboxes_check(tree, point));
	return tree;
}

/* sdc_neartree_destroy accepts NULL. */
void
sdc_neartree_destroy(SdcNeartree *tree)
{
	if (tree == NULL)
		return;
	sdc_team_free(tree->team, tree->memory);
	sdc_free(tree->bound);
	sdc_free(tree->node_most);
	sdc_free(tree->point_most);
	sdc_free(tree->node_limit);
	sdc_free(tree->point_limit);
	sdc_free(tree->error);
	sdc_free(tree->limit);
	sdc_free(tree->prefix_rows);
	sdc_free(tree->query);
	sdc_free(tree->query_nominal);
	sdc_free(tree->query_row);
	sdc_free(tree->reach);
	sdc_free(tree->middle);
	sdc_free(tree->nominal);
	sdc_free(tree->dimension);
	sdc_free(tree);
}

/* float_above is a float not below x >= 0. */
static inline float
float_above(double x)
{
	return x < FLT_MAX / 2 ? (float) (x * (1 + 4 * ROUNDOFF)) : INFINITY;
}

/*
 * set_limit widens the limit of a prefix by all errors of single precision.  The last term is
 * for sums so small that they have no relative precision.
 */
static void
set_limit(const Search *search, int prefix, double limit)
{
	SdcNeartree *tree = search->tree;
	int			rows = tree->prefix_rows[prefix];
	double		share = (double) rows / (search->task->low + prefix);
	double		relative = 1 + 2 * (rows + 8) * ROUNDOFF;
	double		error = tree->error[prefix];
	double		sum = limit * (tree->partial ? 1 : share);

	tree->limit[prefix] = limit;
	if (tree->squared)
	{
		sum = sqrt(sum) * tree->unit + error;
		sum *= sum;
	}
	else
		sum = sum * tree->unit + error;
	tree->point_limit[prefix] = float_above(sum * relative + 1e-36);
	tree->node_limit[prefix] = float_above((tree->partial ? sum * share : sum) * relative +
										   1e-36);

	/* nothing has a distance by a prefix without common dimensions */
	if (rows == 0 || limit < 0)
		tree->point_limit[prefix] = tree->node_limit[prefix] = -1;
}

/* set_limits takes over all limits of the caller that have changed. */
static void
set_limits(Search *search, bool always)
{
	SdcNeartree *tree = search->tree;
	const double *limit = search->task->limit;
	int			last = search->prefixes - 1;
	bool		changed = always;

	for (int prefix = 0; prefix <= last; prefix++)
		if (always || limit[prefix] < tree->limit[prefix])
		{
			set_limit(search, prefix, limit[prefix]);
			changed = true;
		}
	if (!changed || last < 0)
		return;
	search->changes++;
	tree->point_most[last] = tree->point_limit[last];
	tree->node_most[last] = tree->node_limit[last];
	for (int prefix = last - 1; prefix >= 0; prefix--)
	{
		tree->point_most[prefix] = tree->point_limit[prefix] > tree->point_most[prefix + 1] ?
			tree->point_limit[prefix] : tree->point_most[prefix + 1];
		tree->node_most[prefix] = tree->node_limit[prefix] > tree->node_most[prefix + 1] ?
			tree->node_limit[prefix] : tree->node_most[prefix + 1];
	}
}

/*
 * set_query converts the query and adds up its errors; false if it has nothing in common
 * with the points.
 */
static bool
set_query(Search *search, const double *query)
{
	SdcNeartree *tree = search->tree;
	int			low = search->task->low;
	int			high = search->task->high;
	int			rows = 0;
	int			row = 0;
	bool		plain = tree->squared;
	double		sum = 0;

	for (int prefix = 1; prefix <= high; prefix++)
	{
		for (; row < tree->rows && tree->dimension[row] < prefix; row++)
		{
			double		x = query[tree->dimension[row]];

			if (x != x)
				continue;
			tree->query_row[rows] = row;
			tree->query_nominal[rows] = tree->nominal[row];
			plain = plain && !tree->nominal[row];
			tree->query[rows] = sdc_nearboxes_coordinate(tree, row, x);
			if (!tree->nominal[row])
			{
				double		error = 4 * ROUNDOFF * (fabs((double) tree->query[rows]) +
													tree->reach[row]);

				sum += tree->squared ? error * error : error;
			}
			rows++;
		}
		if (prefix < low)
			continue;
		tree->prefix_rows[prefix - low] = rows;
		tree->error[prefix - low] = tree->squared ? sqrt(sum) : sum;

		/* a point with one common dimension: the error counts in full, the limit only once */
		if (tree->partial)
			tree->error[prefix - low] *= tree->squared ? sqrt(prefix) : prefix;
	}
	tree->query_plain = plain && rows == high;
	return rows > 0;
}

/* MAGNITUDE clears signs.  (Macros: functions do not take vectors the same way everywhere.) */
#define MAGNITUDE(x) ((Vector) ((Mask) (x) & 0x7FFFFFFF))

/* WHERE keeps the numbers at which the mask is set and makes the others 0. */
#define WHERE(mask, x) ((Vector) ((mask) & (Mask) (x)))

/* lanes_set has bit i set where truth value i is. */
static inline __attribute__((always_inline)) uint32
lanes_set(const Mask *mask)
{
#if defined(__x86_64__) && defined(__GNUC__)
	typedef float Half __attribute__((vector_size(16), may_alias));
	const Half *half = (const Half *) mask;

	return (uint32) __builtin_ia32_movmskps(half[0]) |
		(uint32) __builtin_ia32_movmskps(half[1]) << 4;
#else
	uint32		bits = 0;

	for (int i = 0; i < FANOUT; i++)
		bits |= (uint32) ((*mask)[i] & 1) << i;
	return bits;
#endif
}

/* add_box adds how near the points of eight children can be in a row of the query. */
static inline __attribute__((always_inline)) void
add_box(const SdcNeartree *tree, const BoxRow *node, int k, const bool squared,
		const bool plain, Vector *sum)
{
	const BoxRow *box = &node[plain ? k : tree->query_row[k]];
	Vector		x = MAGNITUDE(tree->query[k] - *(const Vector *) box->center) -
		*(const Vector *) box->half;

	if (!plain && tree->query_nominal[k])
		x = WHERE(x > 0, tree->weight - (Vector) {0});
	else
	{
		x = WHERE(x > 0, x);
		x = squared ? x * x : x;
	}
	*sum += x;
}

/*
 * near_children computes how near the points of the children of a node can be, for all
 * prefixes, and has a bit set for each child that is near enough by one of them.
 */
static inline __attribute__((always_inline)) uint32
near_children(Search *search, int level, uint32 node, const bool squared, const bool plain,
			  float *last)
{
	SdcNeartree *tree = search->tree;
	const BoxRow *boxes = tree->box[level] + (Size) node * tree->rows;
	float	   *bound = tree->bound + (Size) level * tree->total * FANOUT;
	Vector		sum = {0};
	Mask		near = {0};
	int			k = 0;
	int			prefix = 0;

	for (;;)
	{
		int			rows = plain ? search->task->low + prefix : tree->prefix_rows[prefix];
		Mask		open;

		for (; k < rows; k++)
			add_box(tree, boxes, k, squared, plain, &sum);
		near |= sum <= tree->node_limit[prefix];
		memcpy(bound + prefix * FANOUT, &sum, sizeof(sum));
		if (++prefix >= search->prefixes)
			break;
		open = near | (sum <= tree->node_most[prefix]);
		if (lanes_set(&open) == 0)
			break;
	}
	tree->bounds[level] = prefix;
	tree->changes[level] = search->changes;
	memcpy(last, &sum, sizeof(sum));
	return lanes_set(&near);
}

/* push_children puts the children that are near enough on the stack, the nearest on top. */
static inline __attribute__((always_inline)) void
push_children(Search *search, int level, uint32 node, const bool squared, const bool plain)
{
	uint32		children = search->tree->children[level] - node * FANOUT;
	int			bottom = search->waiting;
	float		bounds[FANOUT];
	uint32		near = near_children(search, level, node, squared, plain, bounds);

	if (children < FANOUT)
		near &= (1u << children) - 1;
	while (near != 0)
	{
		uint32		i = (uint32) __builtin_ctz(near);
		Waiting		child = {bounds[i], level - 1, node * FANOUT + i};
		int			place = search->waiting++;

		near &= near - 1;
		for (; place > bottom && search->stack[place - 1].bound < child.bound; place--)
			search->stack[place] = search->stack[place - 1];
		search->stack[place] = child;
	}
}

/* is_near compares the bounds of a child that waited with the limits of now. */
static bool
is_near(const Search *search, const Waiting *child)
{
	const SdcNeartree *tree = search->tree;
	int			level = child->level + 1;
	const float *bound = tree->bound + (Size) level * tree->total * FANOUT + child->index % FANOUT;
	int			prefixes = tree->bounds[level] < search->prefixes ? tree->bounds[level] :
		search->prefixes;

	for (int prefix = 0; prefix < prefixes; prefix++)
		if (bound[prefix * FANOUT] <= tree->node_limit[prefix])
			return true;
	return false;
}

/* still_near tells whether a child that waited is near enough by the limits of now. */
static inline bool
still_near(const Search *search, const Waiting *child)
{
	const SdcNeartree *tree = search->tree;
	int			level = child->level + 1;

	/* most limits are low from the beginning */
	if (tree->changes[level] == search->changes)
		return true;
	return is_near(search, child);
}

/* ask_less gives up prefixes beyond so many dimensions. */
static void
ask_less(Search *search, int high)
{
	int			prefixes = high - search->task->low + 1;

	if (prefixes >= search->prefixes)
		return;
	search->prefixes = prefixes > 0 ? prefixes : 0;
	if (search->prefixes == 0)
		search->waiting = 0;
	set_limits(search, true);
}

/* visit_lanes visits points of a leaf. */
static void
visit_lanes(Search *search, uint32 first, uint32 lanes)
{
	while (lanes != 0 && search->prefixes > 0)
	{
		uint32		i = first + (uint32) __builtin_ctz(lanes);
		int			high;

		lanes &= lanes - 1;
		if (i >= search->tree->count)
			return;
		high = search->task->visit(search->task->arg, search->tree->start + i);
		set_limits(search, false);
		ask_less(search, high);
	}
}

/* scan_leaf looks at the points of a leaf that all have the dimensions of the tree. */
static inline __attribute__((always_inline)) void
scan_leaf(Search *search, uint32 leaf, const bool squared, const bool plain)
{
	const SdcNeartree *tree = search->tree;
	const float *points = tree->leaf + (Size) leaf * LEAF * tree->rows;
	Vector		sum[LEAF_VECTORS] = {{0}};
	Vector		weight = tree->weight - sum[0];
	Mask		near[LEAF_VECTORS] = {{0}};
	int			k = 0;
	int			prefix = 0;

	for (;;)
	{
		int			rows = plain ? search->task->low + prefix : tree->prefix_rows[prefix];
		Mask		open = {0};

		for (; k < rows; k++)
		{
			const Vector *x = (const Vector *) (points + (plain ? k : tree->query_row[k]) * LEAF);

			for (int v = 0; v < LEAF_VECTORS; v++)
			{
				Vector		difference = tree->query[k] - x[v];

				if (!plain && tree->query_nominal[k])
					sum[v] += WHERE(difference != 0, weight);
				else
					sum[v] += squared ? difference * difference : MAGNITUDE(difference);
			}
		}
		for (int v = 0; v < LEAF_VECTORS; v++)
			near[v] |= sum[v] <= tree->point_limit[prefix];
		if (++prefix >= search->prefixes)
			break;
		for (int v = 0; v < LEAF_VECTORS; v++)
			open |= near[v] | (sum[v] <= tree->point_most[prefix]);
		if (lanes_set(&open) == 0)
			return;
	}
	for (int v = 0; v < LEAF_VECTORS; v++)
		visit_lanes(search, leaf * LEAF + (uint32) v * FANOUT, lanes_set(&near[v]));
}

/*
 * scan_partial does the same where points lack dimensions.  The sum is for the common ones:
 * times the dimensions of the prefix / common it is the measure.
 */
static inline __attribute__((always_inline)) void
scan_partial(Search *search, uint32 leaf, const bool squared)
{
	const SdcNeartree *tree = search->tree;
	const float *points = tree->leaf + (Size) leaf * LEAF * tree->rows;

	for (int v = 0; v < LEAF_VECTORS; v++, points += FANOUT)
	{
		Vector		sum = {0};
		Vector		common = {0};
		Vector		weight = tree->weight - sum;
		Vector		one = 1.0f - sum;
		Mask		near = {0};
		int			k = 0;

		for (int prefix = 0; prefix < search->prefixes; prefix++)
		{
			for (; k < tree->prefix_rows[prefix]; k++)
			{
				Vector		x = tree->query[k] -
					*(const Vector *) (points + tree->query_row[k] * LEAF);
				Mask		there = x == x;

				if (tree->query_nominal[k])
					x = WHERE(x != 0, weight);
				else
					x = squared ? x * x : MAGNITUDE(x);
				sum += WHERE(there, x);
				common += WHERE(there, one);
			}
			near |= (common > 0) & (sum * (float) (search->task->low + prefix) <=
									common * tree->point_limit[prefix]);
		}
		visit_lanes(search, leaf * LEAF + (uint32) v * FANOUT, lanes_set(&near));
	}
}

/* spend_step counts a step, of which there may be too many. */
static inline void
spend_step(Search *search)
{
	uint32	   *steps = search->task->steps;

	if (search->credit < LEAF)
	{
		search->credit = SDC_INTERRUPT_STEPS;
		SDC_CHECK_INTERRUPTS();
	}
	search->credit -= LEAF;
	if (steps == NULL || *steps == 0)
		return;
	if (--*steps == 0)
		ask_less(search, search->task->fall);
}

/* search_tree takes nodes and leaves from the stack. */
static inline __attribute__((always_inline)) void
search_tree(Search *search, const bool squared, const bool plain)
{
	search->waiting = 0;
	push_children(search, search->tree->levels - 1, 0, squared, plain);
	while (search->waiting > 0)
	{
		Waiting		next = search->stack[--search->waiting];

		if (!still_near(search, &next))
			continue;
		spend_step(search);
		if (search->prefixes == 0)
			return;
		if (next.level >= 0)
			push_children(search, next.level, next.index, squared, plain);
		else if (search->tree->partial)
			scan_partial(search, next.index, squared);
		else
			scan_leaf(search, next.index, squared, plain);
	}
}

/* search_portable is for every processor. */
static void
search_portable(Search *search)
{
	if (search->tree->query_plain)
		search_tree(search, true, true);
	else if (search->tree->squared)
		search_tree(search, true, false);
	else
		search_tree(search, false, false);
}

#if defined(__x86_64__) && defined(__GNUC__)

/* search_avx2 is the same code, translated for processors with 256 bit vectors. */
__attribute__((target("avx2")))
static void
search_avx2(Search *search)
{
	if (search->tree->query_plain)
		search_tree(search, true, true);
	else if (search->tree->squared)
		search_tree(search, true, false);
	else
		search_tree(search, false, false);
}

#endif

/* start_search prepares a search; false if nothing can be found. */
static bool
start_search(Search *search, SdcNeartree *tree, const double *query,
			 const SdcNeartreeTask *task)
{
	SDC_ASSERT(task->low >= 1 && task->low <= task->high && task->high <= tree->total);
	search->tree = tree;
	search->task = task;
	search->prefixes = task->high - task->low + 1;
	search->credit = SDC_INTERRUPT_STEPS;
	search->changes = 0;
	if (!set_query(search, query))
		return false;
	set_limits(search, true);
	return true;
}

/* sdc_neartree_search_portable: see neartree.h. */
int
sdc_neartree_search_portable(SdcNeartree *tree, const double *query,
							 const SdcNeartreeTask *task)
{
	Search		search;

	if (start_search(&search, tree, query, task))
		search_portable(&search);
	return task->low + search.prefixes - 1;
}

/* sdc_neartree_search: see neartree.h. */
int
sdc_neartree_search(SdcNeartree *tree, const double *query, const SdcNeartreeTask *task)
{
#if defined(__x86_64__) && defined(__GNUC__)
	if (__builtin_cpu_supports("avx2"))
	{
		Search		search;

		if (start_search(&search, tree, query, task))
			search_avx2(&search);
		return task->low + search.prefixes - 1;
	}
#endif
	return sdc_neartree_search_portable(tree, query, task);
}
