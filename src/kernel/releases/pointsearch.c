/*-------------------------------------------------------------------------
 *
 * pointsearch.c
 *		Who is near a person among points, and whose box has him inside.
 *
 * The distance of two records is c / c' times the sum of squares over the c' of the c columns that
 * both have.  What is asked is only whether the own record is among the nearest: its distance is the radius
 * of the search, which ends with the first point that is clearly nearer.
 *
 * Leaves, and the leaves of a bunch, are laid out for vector arithmetic: four are looked at at a time.  There the means
 * are floats, and what could be near is told generously; the distance of what is left is computed from the doubles.
 *
 * Complexity: a question seldom looks at more than a few leaves.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <math.h>

#include "kernel/releases/pointparts.h"

/* Points, or leaves, that are looked at at a time. */
#define LANES 4
#define PARTS (SDC_POINT_LEAF / LANES)

/* Distances are the same up to this, absolutely and as a share. */
#define TIE 1e-9

/* Memory is aligned to 8 bytes. */
typedef float Vector __attribute__((vector_size(16), aligned(8), may_alias));
typedef int32 Mask __attribute__((vector_size(16), aligned(8), may_alias));
typedef uint32 Words __attribute__((vector_size(16), aligned(8), may_alias));

/* A question under way. */
typedef struct Asking
{
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
} Asking;

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

/* nearest_of is what the distance of a point below a node is at least. */
static double
nearest_of(const Asking *asking, uint32 node)
{
	const SdcPointTree *tree = asking->tree;
	const double *low = tree->low + (uint64) node * (uint64) tree->columns;
	const double *high = tree->high + (uint64) node * (uint64) tree->columns;
	double		sum = 0;

	for (int j = 0; j < tree->columns; j++)
	{
		double		value = asking->query->mean[j];
		double		difference = value < low[j] ? low[j] - value : value > high[j] ? value - high[j] : 0;

		if (value >= 0)
			sum += difference * difference;
	}
	return asking->factor * sum;
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
	asking->tree = tree;
	asking->query = query;
	asking->credit = SDC_INTERRUPT_STEPS;
	asking->column = column;
	asking->value = value;
	for (int j = 0; j < tree->columns; j++)
		if (query->mean[j] >= 0)
		{
			column[asking->known] = j;
			value[asking->known++] = (float) query->mean[j];
		}
	asking->factor = asking->known == 0 ? 0 : (double) tree->columns / asking->known;
	set_radius(asking, query->own == SDC_RECORD_NONE ? (double) INFINITY :
			   distance_at(tree, query, tree->place[query->own]));
}

/* lanes_set has bit i set where truth value i is. */
static inline uint32
lanes_set(const Mask *mask)
{
#if defined(__x86_64__) && defined(__GNUC__)
	typedef float Signs __attribute__((vector_size(16)));

	return (uint32) __builtin_ia32_movmskps((Signs) *mask);
#else
	uint32		bits = 0;

	for (int i = 0; i < LANES; i++)
		bits |= (uint32) ((*mask)[i] & 1) << i;
	return bits;
#endif
}

/* near_points has a bit set for each point of a leaf that can be as near as the own record. */
static uint32
near_points(const Asking *asking, uint32 leaf)
{
	const float *point = asking->tree->point + (uint64) leaf * (uint64) asking->tree->columns * SDC_POINT_LEAF;
	uint32		bits = 0;

	for (int h = 0; h < PARTS; h++)
	{
		Vector		sum = {0};
		Mask		near;

		for (int k = 0; k < asking->known; k++)
		{
			Vector		x = *(const Vector *) (point + asking->column[k] * SDC_POINT_LEAF + h * LANES) - asking->value[k];

			/* what is missing counts for nothing */
			x = (Vector) ((x == x) & (Mask) x);
			sum += x * x;
		}
		near = sum <= asking->near;
		bits |= lanes_set(&near) << h * LANES;
	}
	return bits;
}

/* near_leaves has a bit set for each leaf of a bunch that can have such a point. */
static uint32
near_leaves(const Asking *asking, uint32 bunch)
{
	uint64		at = (uint64) bunch * (uint64) asking->tree->columns * SDC_POINT_LEAF;
	const float *center = asking->tree->center + at;
	const float *half = asking->tree->half + at;
	uint32		bits = 0;

	for (int h = 0; h < PARTS; h++)
	{
		Vector		sum = {0};
		Mask		near;

		for (int k = 0; k < asking->known; k++)
		{
			int			lane = asking->column[k] * SDC_POINT_LEAF + h * LANES;
			Vector		x = *(const Vector *) (center + lane) - asking->value[k];

			x = (Vector) ((Mask) x & 0x7FFFFFFF) - *(const Vector *) (half + lane);
			x = (Vector) ((x > 0) & (Mask) x);
			sum += x * x;
		}
		near = sum <= asking->near;
		bits |= lanes_set(&near) << h * LANES;
	}
	return bits;
}

/* lanes_in has a bit set for each of sixteen boxes that have all values inside. */
static uint32
lanes_in(const Asking *asking, const uint32 *first, const uint32 *size)
{
	uint32		bits = 0;

	for (int h = 0; h < PARTS; h++)
	{
		uint32		in = (1 << LANES) - 1;

		for (int j = 0; j < asking->tree->columns && in != 0; j++)
		{
			Words		x = asking->query->code[j] - *(const Words *) (first + j * SDC_POINT_LEAF + h * LANES);
			Mask		inside = x <= *(const Words *) (size + j * SDC_POINT_LEAF + h * LANES);

			in &= lanes_set(&inside);
		}
		bits |= in << h * LANES;
	}
	return bits;
}

/* points_in has a bit set for each point of a leaf whose box has all values inside. */
static uint32
points_in(const Asking *asking, uint32 leaf)
{
	uint64		at = (uint64) leaf * (uint64) asking->tree->columns * SDC_POINT_LEAF;

	return lanes_in(asking, asking->tree->first + at, asking->tree->size + at);
}

/* leaves_in has a bit set for each leaf of a bunch that can have such a point. */
static uint32
leaves_in(const Asking *asking, uint32 bunch)
{
	uint64		at = (uint64) bunch * (uint64) asking->tree->columns * SDC_POINT_LEAF;

	return lanes_in(asking, asking->tree->leaf_first + at, asking->tree->leaf_size + at);
}

/* is_in tells whether a box of a node has all values inside. */
static bool
is_in(const Asking *asking, const SdcInterval *box)
{
	for (int j = 0; j < asking->tree->columns; j++)
		if (asking->query->code[j] < box[j].first || asking->query->code[j] > box[j].last)
			return false;
	return true;
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
	for (leaves = near_leaves(asking, self->bunch); leaves != 0 && !asking->wrong; leaves &= leaves - 1)
	{
		uint32		leaf = self->start / SDC_POINT_LEAF + (uint32) __builtin_ctz(leaves);

		for (uint32 points = near_points(asking, leaf); points != 0 && !asking->wrong; points &= points - 1)
			take_place(asking, leaf * SDC_POINT_LEAF + (uint32) __builtin_ctz(points), 1);
	}
}

/* look_nearest looks for points that are as near as the own record below a node, the nearer half first. */
static void
look_nearest(Asking *asking, uint32 node)
{
	const SdcPointNode *self = &asking->tree->node[node];
	double		left;
	double		right;

	sdc_interrupts_spend(&asking->credit, 1);
	if (self->right == 0 || self->alike)
	{
		look_bunch(asking, self);
		return;
	}
	left = nearest_of(asking, node + 1);
	right = nearest_of(asking, self->right);
	if (right < left && right <= asking->limit)
		look_nearest(asking, self->right);
	if (!asking->wrong && left <= asking->limit)
		look_nearest(asking, node + 1);
	if (!asking->wrong && right >= left && right <= asking->limit)
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
	uint32		leaves = counted ? near_leaves(asking, self->bunch) : leaves_in(asking, self->bunch);

	for (; leaves != 0; leaves &= leaves - 1)
	{
		uint32		leaf = self->start / SDC_POINT_LEAF + (uint32) __builtin_ctz(leaves);
		uint32		points = counted ? near_points(asking, leaf) : points_in(asking, leaf);

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
	uint64		at = (uint64) node * (uint64) tree->columns;
	bool		nearer;

	sdc_interrupts_spend(&asking->credit, 1);
	if (!counted && !is_in(asking, tree->outer + at))
		return;
	nearer = !asking->wrong && !isinf(asking->own) && nearest_of(asking, node) <= asking->limit;
	if (!counted && is_in(asking, tree->inner + at))
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
	found->inside = query->own != SDC_RECORD_NONE && is_inside(&asking, tree->place[query->own]);
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
	uint64		at = (uint64) node * (uint64) tree->columns;
	const uint64 *set = tree->class_set + (uint64) node * (uint64) tree->class_words;
	uint64		more = tree->class_words == 0;
	uint32		leaves;

	sdc_interrupts_spend(&asking->credit, 1);
	for (int w = 0; w < tree->class_words; w++)
		more |= set[w] & ~asking->class_set[w];
	if (more == 0 || (!all && !is_in(asking, tree->outer + at)))
		return;
	all = all || is_in(asking, tree->inner + at);
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
