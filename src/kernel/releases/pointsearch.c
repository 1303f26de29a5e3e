/*-------------------------------------------------------------------------
 *
 * pointsearch.c
 *		Who is near a person among points, and whose box has him inside.
 *
 * The distance of two records is c / c' times the sum of squares over the c' of the c columns that
 * both have.  What is asked is only whether the own record is among the nearest: its distance is the radius
 * of the search, which ends with the first point that is clearly nearer.
 *
 * Leaves, and the leaves of a bunch, are laid out for vector arithmetic: eight are looked at at a time.  There, and
 * in the bounds of nodes, the means are floats, and what could be near is told generously; the distance of what is
 * left is computed from the doubles.  The same code is translated twice where processors have vectors of 256 bits:
 * it is comparisons, sums and products in one order, so that both find the same.
 *
 * Complexity: a question seldom looks at more than a few leaves.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <math.h>

#include "kernel/releases/pointparts.h"

/* Points, or leaves, that are looked at at a time. */
#define LANES SDC_POINT_LANES
#define PARTS (SDC_POINT_LEAF / LANES)

/* Columns that are summed up before somebody looks whether anything can still be near. */
#define GLANCE 4
#define BOX_GLANCE 2

/* What is translated twice has to be in line. */
#define IN_LINE static inline __attribute__((always_inline))

/* Distances are the same up to this, absolutely and as a share. */
#define TIE 1e-9

/* Memory is aligned to 8 bytes. */
typedef float Vector __attribute__((vector_size(32), aligned(8), may_alias));
typedef int32 Mask __attribute__((vector_size(32), aligned(8), may_alias));
typedef uint32 Words __attribute__((vector_size(32), aligned(8), may_alias));

typedef struct Asking Asking;

/* What is asked of a node, a leaf, or a bunch of leaves. */
typedef struct Tests
{
	float		(*nearest_of) (const Asking *asking, uint32 node);
	uint32		(*near_points) (const Asking *asking, uint32 leaf);
	uint32		(*near_leaves) (const Asking *asking, uint32 bunch);
	uint32		(*lanes_in) (const Asking *asking, const uint32 *first, const uint32 *size);
	bool		(*node_in) (const Asking *asking, uint32 node, int part);
} Tests;

/* A question under way. */
struct Asking
{
	const Tests *tests;
	const SdcPointTree *tree;
	const SdcPointQuery *query;
	int			known;			/* values */
	int		   *column;			/* of each */
	float	   *value;
	double		factor;			/* columns / known values */
	double		own;			/* distance of the own record */
	double		limit;			/* up to which others are as near, */
	float		near;			/* and generously, without the factor */
	double		best;
	uint64		found;			/* points that are as near, or candidates */
	uint64		ties;			/* candidates that are as near */
	uint64	   *class_set;
	bool		wrong;			/* somebody is nearer than the own record */
	uint32		credit;			/* until the next look for an interrupt */
};

/* limit_of is up to where distances are the same. */
static double
limit_of(double distance)
{
	return distance * (1 + TIE) + TIE;
}

/* distance_at returns the squared distance of a place from who asks, infinite without a common column. */
static double
distance_at(const SdcPointTree *tree, const SdcPointQuery *query, uint32 place)
{
	const double *mean = sdc_pointparts_mean(tree, place);
	double		sum = 0;
	int			common = 0;

	for (int j = 0; j < tree->columns; j++)
	{
		double		difference = mean[j] - query->mean[j];

		if (mean[j] < 0 || query->mean[j] < 0)
			continue;
		sum += difference * difference;
		common++;
	}
	return common == 0 ? (double) INFINITY : (double) tree->columns / common * sum;
}

/* lanes_set has bit i set where truth value i is. */
IN_LINE uint32
lanes_set(const Mask *mask)
{
#if defined(__x86_64__) && defined(__GNUC__)
	typedef float Signs __attribute__((vector_size(16)));
	Signs		half[2];

	memcpy(half, mask, sizeof(half));
	return (uint32) __builtin_ia32_movmskps(half[0]) | (uint32) __builtin_ia32_movmskps(half[1]) << LANES / 2;
#else
	uint32		bits = 0;

	for (int i = 0; i < LANES; i++)
		bits |= (uint32) ((*mask)[i] & 1) << i;
	return bits;
#endif
}

/* nearest_lanes is what the squares of a point below a node sum up to at least. */
IN_LINE float
nearest_lanes(const Asking *asking, uint32 node)
{
	const SdcPointTree *tree = asking->tree;
	const float *low = tree->low + (uint64) node * (uint64) tree->width;
	const float *high = tree->high + (uint64) node * (uint64) tree->width;
	Vector		sum = {0};
	float		all = 0;

	for (int j = 0; j < tree->width; j += LANES)
	{
		Vector		value = *(const Vector *) (tree->padded + j);
		Vector		below = *(const Vector *) (low + j) - value;
		Vector		above = value - *(const Vector *) (high + j);

		/* one of them is not above 0, and neither where the value is missing */
		below = (Vector) ((below > 0) & (Mask) below);
		above = (Vector) ((above > 0) & (Mask) above);
		sum += below * below + above * above;
	}
	for (int i = 0; i < LANES; i++)
		all += sum[i];
	return all;
}

/* near_lanes has a bit set for each lane whose sum is not too much. */
IN_LINE uint32
near_lanes(const Asking *asking, const Vector *sum)
{
	uint32		bits = 0;

	for (int h = 0; h < PARTS; h++)
	{
		Mask		near = sum[h] <= asking->near;

		bits |= lanes_set(&near) << h * LANES;
	}
	return bits;
}

/* point_lanes has a bit set for each point of a leaf that can be as near as the own record. */
IN_LINE uint32
point_lanes(const Asking *asking, uint32 leaf)
{
	const float *point = asking->tree->point + (uint64) leaf * (uint64) asking->tree->columns * SDC_POINT_LEAF;
	Vector		sum[PARTS] = {{0}};

	for (int k = 0; k < asking->known; k++)
	{
		const float *column = point + asking->column[k] * SDC_POINT_LEAF;

		if (k == GLANCE && near_lanes(asking, sum) == 0)
			return 0;
		for (int h = 0; h < PARTS; h++)
		{
			Vector		x = *(const Vector *) (column + h * LANES) - asking->value[k];

			/* what is missing counts for nothing */
			x = (Vector) ((x == x) & (Mask) x);
			sum[h] += x * x;
		}
	}
	return near_lanes(asking, sum);
}

/* leaf_lanes has a bit set for each leaf of a bunch that can have such a point. */
IN_LINE uint32
leaf_lanes(const Asking *asking, uint32 bunch)
{
	uint64		at = (uint64) bunch * (uint64) asking->tree->columns * SDC_POINT_LEAF;
	const float *center = asking->tree->center + at;
	const float *half = asking->tree->half + at;
	Vector		sum[PARTS] = {{0}};

	for (int k = 0; k < asking->known; k++)
	{
		int			column = asking->column[k] * SDC_POINT_LEAF;

		if (k == GLANCE && near_lanes(asking, sum) == 0)
			return 0;
		for (int h = 0; h < PARTS; h++)
		{
			int			lane = column + h * LANES;
			Vector		x = *(const Vector *) (center + lane) - asking->value[k];

			x = (Vector) ((Mask) x & 0x7FFFFFFF) - *(const Vector *) (half + lane);
			x = (Vector) ((x > 0) & (Mask) x);
			sum[h] += x * x;
		}
	}
	return near_lanes(asking, sum);
}

/* box_lanes has a bit set for each of sixteen boxes that have all values inside. */
IN_LINE uint32
box_lanes(const Asking *asking, const uint32 *first, const uint32 *size)
{
	Mask		in[PARTS];
	uint32		bits = 0;

	memset(in, 0xFF, sizeof(in));
	for (int j = 0; j < asking->tree->columns; j++)
	{
		Mask		some = {0};

		for (int h = 0; h < PARTS; h++)
		{
			Words		x = asking->query->code[j] - *(const Words *) (first + j * SDC_POINT_LEAF + h * LANES);

			in[h] &= x <= *(const Words *) (size + j * SDC_POINT_LEAF + h * LANES);
			some |= in[h];
		}
		if (j % BOX_GLANCE == BOX_GLANCE - 1 && lanes_set(&some) == 0)
			return 0;
	}
	for (int h = 0; h < PARTS; h++)
		bits |= lanes_set(&in[h]) << h * LANES;
	return bits;
}

/* reach_in tells whether all values are inside a part of the reach of a node. */
IN_LINE bool
reach_in(const Asking *asking, uint32 node, int part)
{
	const SdcPointTree *tree = asking->tree;
	const uint32 *first = tree->reach + ((uint64) node * SDC_POINT_REACH + (uint64) part) * (uint64) tree->width;
	const uint32 *size = first + tree->width;
	Mask		in;

	memset(&in, 0xFF, sizeof(in));
	for (int j = 0; j < tree->width; j += LANES)
	{
		Words		x = *(const Words *) (tree->codes + j) - *(const Words *) (first + j);

		in &= x <= *(const Words *) (size + j);
	}
	return lanes_set(&in) == (1 << LANES) - 1;
}

/* TESTS makes the functions of a processor. */
#define TESTS(suffix, attributes) \
	attributes static float nearest_of_##suffix(const Asking *asking, uint32 node) \
	{ \
		return nearest_lanes(asking, node); \
	} \
	attributes static uint32 near_points_##suffix(const Asking *asking, uint32 leaf) \
	{ \
		return point_lanes(asking, leaf); \
	} \
	attributes static uint32 near_leaves_##suffix(const Asking *asking, uint32 bunch) \
	{ \
		return leaf_lanes(asking, bunch); \
	} \
	attributes static uint32 lanes_in_##suffix(const Asking *asking, const uint32 *first, const uint32 *size) \
	{ \
		return box_lanes(asking, first, size); \
	} \
	attributes static bool node_in_##suffix(const Asking *asking, uint32 node, int part) \
	{ \
		return reach_in(asking, node, part); \
	} \
	static const Tests tests_##suffix = {nearest_of_##suffix, near_points_##suffix, near_leaves_##suffix, \
										 lanes_in_##suffix, node_in_##suffix}

TESTS(portable, );
#if defined(__x86_64__) && defined(__GNUC__)
TESTS(avx2, __attribute__((target("avx2"))));
#endif

/* best_tests chooses those of the processor. */
static const Tests *
best_tests(void)
{
#if defined(__x86_64__) && defined(__GNUC__)
	if (__builtin_cpu_supports("avx2"))
		return &tests_avx2;
#endif
	return &tests_portable;
}

/* set_radius says from where on points are too far. */
static void
set_radius(Asking *asking, double own)
{
	double		radius;

	asking->own = asking->best = own;
	asking->limit = limit_of(own);
	radius = asking->factor > 0 ? sqrt(asking->limit / asking->factor) + asking->tree->columns * SDC_POINT_ROUNDING : 0;
	asking->near = (float) (radius * radius * (1 + SDC_POINT_ROUNDING)) + (float) SDC_POINT_ROUNDING;
}

/* begin_asking prepares a question; column and value have room for all columns. */
static void
begin_asking(Asking *asking, const SdcPointTree *tree, const SdcPointQuery *query, int *column,
			 float *value)
{
	memset(asking, 0, sizeof(Asking));
	asking->tests = tree->plain ? &tests_portable : best_tests();
	asking->tree = tree;
	asking->query = query;
	asking->credit = SDC_INTERRUPT_STEPS;
	asking->column = column;
	asking->value = value;
	for (int j = 0; j < tree->columns; j++)
	{
		tree->padded[j] = NAN;
		tree->codes[j] = query->code[j];
		if (query->mean[j] < 0)
			continue;
		column[asking->known] = j;
		value[asking->known++] = tree->padded[j] = (float) query->mean[j];
	}
	asking->factor = asking->known == 0 ? 0 : (double) tree->columns / asking->known;
	set_radius(asking, query->own == SDC_RECORD_NONE ? (double) INFINITY :
			   distance_at(tree, query, query->own));
}

/* points_in has a bit set for each point of a leaf whose box has all values inside. */
static uint32
points_in(const Asking *asking, uint32 leaf)
{
	uint64		at = (uint64) leaf * (uint64) asking->tree->columns * SDC_POINT_LEAF;

	return asking->tests->lanes_in(asking, asking->tree->first + at, asking->tree->size + at);
}

/* leaves_in has a bit set for each leaf of a bunch that can have such a point. */
static uint32
leaves_in(const Asking *asking, uint32 bunch)
{
	uint64		at = (uint64) bunch * (uint64) asking->tree->columns * SDC_POINT_LEAF;

	return asking->tests->lanes_in(asking, asking->tree->leaf_first + at, asking->tree->leaf_size + at);
}

/* is_inside tells whether that of a place has. */
static bool
is_inside(const Asking *asking, uint32 place)
{
	for (int j = 0; j < asking->tree->columns; j++)
	{
		SdcInterval box = sdc_pointparts_box(asking->tree, place, j);

		if (asking->query->code[j] < box.first || asking->query->code[j] > box.last)
			return false;
	}
	return true;
}

/*
 * take_place looks at a place, and others that are the same, for the nearest, and counts who is as near as the own
 * record.
 */
static void
take_place(Asking *asking, uint32 place, uint32 same)
{
	double		distance = distance_at(asking->tree, asking->query, place);

	if (!(distance <= asking->limit))
		return;
	asking->ties += same;
	asking->best = fmin(asking->best, distance);
	asking->wrong |= asking->own > limit_of(distance);
}

/* look_bunch looks at the points of a bunch of leaves, until somebody is nearer than the own record. */
static void
look_bunch(Asking *asking, const SdcPointNode *self)
{
	uint32		leaves;

	if (self->alike)
	{
		take_place(asking, self->start, self->end - self->start);
		return;
	}
	for (leaves = asking->tests->near_leaves(asking, self->bunch); leaves != 0 && !asking->wrong; leaves &= leaves - 1)
	{
		uint32		leaf = self->start / SDC_POINT_LEAF + (uint32) __builtin_ctz(leaves);
		uint32		points = asking->tests->near_points(asking, leaf);

		for (; points != 0 && !asking->wrong; points &= points - 1)
			take_place(asking, leaf * SDC_POINT_LEAF + (uint32) __builtin_ctz(points), 1);
	}
}

/* look_nearest looks for points that are as near as the own record below a node, the nearer half first. */
static void
look_nearest(Asking *asking, uint32 node)
{
	const SdcPointNode *self = &asking->tree->node[node];
	float		left;
	float		right;

	sdc_interrupts_spend(&asking->credit, 1);
	if (self->right == 0 || self->alike)
	{
		look_bunch(asking, self);
		return;
	}
	left = asking->tests->nearest_of(asking, node + 1);
	right = asking->tests->nearest_of(asking, self->right);
	if (right < left && right <= asking->near)
		look_nearest(asking, self->right);
	if (!asking->wrong && left <= asking->near)
		look_nearest(asking, node + 1);
	if (!asking->wrong && right >= left && right <= asking->near)
		look_nearest(asking, self->right);
}

/* sdc_pointtree_nearest: see pointtree.h. */
void
sdc_pointtree_nearest(const SdcPointTree *tree, const SdcPointQuery *query, SdcPointFound *found)
{
	Asking		asking;

	memset(found, 0, sizeof(SdcPointFound));
	begin_asking(&asking, tree, query, tree->column, tree->value);
	if (isinf(asking.own))
		return;
	look_nearest(&asking, 0);
	/* somebody is a very little nearer: then those count who are as near as he */
	if (!asking.wrong && asking.best < asking.own)
	{
		set_radius(&asking, asking.best);
		asking.ties = 0;
		look_nearest(&asking, 0);
	}
	found->share = asking.wrong ? 0 : 1.0 / (double) asking.ties;
}

/*
 * look_candidates looks at the points of a bunch; counted: all are candidates, and counted; nearer: their distances
 * matter.
 */
static void
look_candidates(Asking *asking, const SdcPointNode *self, bool counted, bool nearer)
{
	uint32		leaves = counted ? asking->tests->near_leaves(asking, self->bunch) : leaves_in(asking, self->bunch);

	for (; leaves != 0; leaves &= leaves - 1)
	{
		uint32		leaf = self->start / SDC_POINT_LEAF + (uint32) __builtin_ctz(leaves);
		uint32		points = counted ? asking->tests->near_points(asking, leaf) : points_in(asking, leaf);

		if (!counted)
			asking->found += (uint64) __builtin_popcount(points);
		for (; points != 0 && nearer && !asking->wrong; points &= points - 1)
			take_place(asking, leaf * SDC_POINT_LEAF + (uint32) __builtin_ctz(points), 1);
	}
}

/* look_boxes counts the candidates below a node, and looks for the nearest of them while that matters. */
static void
look_boxes(Asking *asking, uint32 node, bool counted)
{
	const SdcPointTree *tree = asking->tree;
	const SdcPointNode *self = &tree->node[node];
	bool		nearer;

	sdc_interrupts_spend(&asking->credit, 1);
	if (!counted && !asking->tests->node_in(asking, node, SDC_POINT_OUTER))
		return;
	nearer = !asking->wrong && !isinf(asking->own) && asking->tests->nearest_of(asking, node) <= asking->near;
	if (!counted && asking->tests->node_in(asking, node, SDC_POINT_INNER))
	{
		asking->found += self->end - self->start;
		counted = true;
	}
	if (counted && !nearer)
		return;
	if (counted && self->alike)
		take_place(asking, self->start, self->end - self->start);
	else if (self->right == 0)
		look_candidates(asking, self, counted, nearer);
	else
	{
		look_boxes(asking, node + 1, counted);
		look_boxes(asking, self->right, counted);
	}
}

/* has_all tells whether all values of who asks are known. */
static bool
has_all(const SdcPointTree *tree, const SdcPointQuery *query)
{
	for (int j = 0; j < tree->columns; j++)
		if (query->code[j] == SDC_CODE_NULL)
			return false;
	return true;
}

/* sdc_pointtree_boxes: see pointtree.h. */
void
sdc_pointtree_boxes(const SdcPointTree *tree, const SdcPointQuery *query, SdcPointFound *found)
{
	Asking		asking;
	bool		chosen;			/* the own record can be the nearest */

	memset(found, 0, sizeof(SdcPointFound));
	if (tree->points == 0 || !has_all(tree, query))
		return;
	begin_asking(&asking, tree, query, tree->column, tree->value);
	found->inside = query->own != SDC_RECORD_NONE && is_inside(&asking, query->own);
	chosen = found->inside && !isinf(asking.own);
	if (!found->inside || query->alone)
		set_radius(&asking, (double) INFINITY);
	look_boxes(&asking, 0, false);
	found->candidates = asking.found;
	if (!chosen || asking.wrong)
		return;
	if (asking.best < asking.own)
	{
		set_radius(&asking, asking.best);
		asking.ties = 0;
		look_boxes(&asking, 0, false);
	}
	found->share = query->alone ? 1 : 1.0 / (double) asking.ties;
}

/* add_classes adds the classes of the candidates below a node. */
static void
add_classes(Asking *asking, uint32 node, bool all)
{
	const SdcPointTree *tree = asking->tree;
	const SdcPointNode *self = &tree->node[node];
	const uint64 *set = tree->class_set + (uint64) node * (uint64) tree->class_words;
	uint64		more = tree->class_words == 0;
	uint32		leaves;

	sdc_interrupts_spend(&asking->credit, 1);
	for (int w = 0; w < tree->class_words; w++)
		more |= set[w] & ~asking->class_set[w];
	if (more == 0 || (!all && !asking->tests->node_in(asking, node, SDC_POINT_OUTER)))
		return;
	all = all || asking->tests->node_in(asking, node, SDC_POINT_INNER);
	if (all && tree->class_words > 0)
	{
		for (int w = 0; w < tree->class_words; w++)
			asking->class_set[w] |= set[w];
		return;
	}
	if (self->right != 0)
	{
		add_classes(asking, node + 1, all);
		add_classes(asking, self->right, all);
		return;
	}
	for (leaves = leaves_in(asking, self->bunch); leaves != 0; leaves &= leaves - 1)
	{
		uint32		leaf = self->start / SDC_POINT_LEAF + (uint32) __builtin_ctz(leaves);

		for (uint32 points = points_in(asking, leaf); points != 0; points &= points - 1)
		{
			uint32		class = tree->class[leaf * SDC_POINT_LEAF + (uint32) __builtin_ctz(points)];

			asking->class_set[class / SDC_POINT_WORD_BITS] |= UINT64_C(1) << class % SDC_POINT_WORD_BITS;
		}
	}
}

/* sdc_pointtree_classes: see pointtree.h. */
void
sdc_pointtree_classes(const SdcPointTree *tree, const SdcPointQuery *query, uint64 *class_set)
{
	Asking		asking;

	if (tree->points == 0 || !has_all(tree, query))
		return;
	begin_asking(&asking, tree, query, tree->column, tree->value);
	asking.class_set = class_set;
	add_classes(&asking, 0, false);
}
