/*-------------------------------------------------------------------------
 *
 * pointtree.c
 *		The records of a release as points, each with a box.
 *
 * A balanced kd-tree over the means (kdorder.c).  A node knows the bounds of the means below it, for the
 * nearest, and how far the boxes below it reach at most and at least: a value outside the one is in no box, and
 * inside the other in all.  Points that are alike are looked at once, however many.
 *
 * At its lower end are leaves of sixteen points, and bunches of up to sixteen leaves.  Both are laid out for vector
 * arithmetic: four are looked at a time.  There the means are floats, and what could be near is told generously;
 * the distance of what is left is computed from the doubles.
 *
 * The distance of two records is c / c' times the sum of squares over the c' of the c columns that
 * both have.  What is asked is only whether the own record is among the nearest: its distance is the radius
 * of the search, which ends with the first point that is clearly nearer.
 *
 * Complexity: O(points log points columns) to make; a question seldom looks at more than a few leaves.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <math.h>

#include "kernel/base/kdorder.h"
#include "kernel/releases/pointtree.h"

/* Points in a leaf, and leaves in a bunch; four at a time are looked at. */
#define LEAF 16
#define LANES 4
#define PARTS (LEAF / LANES)
#define BUNCH (LEAF * LEAF)

/* Bits of a word of a bitmap of classes, and how many words a node has at most. */
#define WORD_BITS 64
#define MAX_CLASS_WORDS 16

/* Distances are the same up to this, absolutely and as a share. */
#define TIE 1e-9

/* A percentage as a float is this near to what it stands for. */
#define ROUNDING 1e-5

/* Memory is aligned to 8 bytes. */
typedef float Vector __attribute__((vector_size(16), aligned(8), may_alias));
typedef int32 Mask __attribute__((vector_size(16), aligned(8), may_alias));
typedef uint32 Words __attribute__((vector_size(16), aligned(8), may_alias));

typedef struct SdcPointNode
{
	uint32		start;			/* places */
	uint32		end;
	uint32		right;			/* the node behind those of the left half; 0: a bunch of leaves */
	uint32		bunch;			/* its number */
	bool		alike;			/* all points are */
} SdcPointNode;

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

/* How many leaves, bunches and nodes a tree of so many points has at most. */
static uint64
leaves_of(uint32 points)
{
	return ((uint64) points + LEAF - 1) / LEAF;
}

/* A bunch has more than half of the leaves that it could have, but for the only one. */
static uint64
most_bunches(uint32 points)
{
	return 2 * (leaves_of(points) / LEAF + 1);
}

/* How many nodes there are at most. */
static uint64
most_nodes(uint32 points)
{
	return 2 * most_bunches(points);
}

/* How many words a node has for classes. */
static int
class_words(uint32 classes)
{
	uint64		words = ((uint64) classes + WORD_BITS - 1) / WORD_BITS;

	return words > MAX_CLASS_WORDS ? 0 : (int) words;
}

/* sdc_pointtree_memory: see pointtree.h.  Of the work space either coordinates or the copies are there. */
uint64
sdc_pointtree_memory(uint32 points, int columns, uint32 classes)
{
	uint64		cells = (uint64) points * (uint64) columns;
	uint64		lane = LEAF * (uint64) columns * (sizeof(float) + 2 * sizeof(uint32));
	uint64		node = sizeof(SdcPointNode) + (uint64) class_words(classes) * sizeof(uint64) +
		(uint64) columns * (2 * sizeof(double) + 2 * sizeof(SdcInterval));

	return (uint64) points * 3 * sizeof(uint32) + cells * sizeof(double) + leaves_of(points) * lane +
		most_bunches(points) * (lane + LEAF * (uint64) columns * sizeof(float)) + most_nodes(points) * node +
		sdc_kdorder_memory(columns);
}

/* limit_of is up to where distances are the same. */
static double
limit_of(double distance)
{
	return distance * (1 + TIE) + TIE;
}

/* mean_of returns the means of a place. */
static const double *
mean_of(const SdcPointTree *tree, uint32 place)
{
	return tree->mean + (uint64) place * (uint64) tree->columns;
}

/* lane_of returns where a column of a place is, in leaves. */
static uint64
lane_of(const SdcPointTree *tree, uint32 place, int column)
{
	return ((uint64) (place / LEAF) * (uint64) tree->columns + (uint64) column) * LEAF + place % LEAF;
}

/* box_of returns the box of a place in a column. */
static SdcInterval
box_of(const SdcPointTree *tree, uint32 place, int column)
{
	uint64		at = lane_of(tree, place, column);

	if (tree->first[at] == UINT32_MAX)
		return (SdcInterval) {1, 0};
	return (SdcInterval) {tree->first[at], tree->first[at] + tree->size[at]};
}

/* order_points orders the points as a kd-tree. */
static uint32 *
order_points(uint32 points, int columns, const double *mean)
{
	uint32	   *order = sdc_alloc_array(uint32, points);
	double	   *values = sdc_alloc_matrix(double, points, (uint64) columns);
	const double **coordinate = sdc_alloc_array(const double *, (uint64) columns);

	for (int j = 0; j < columns; j++)
	{
		double	   *column = values + (uint64) j * points;

		for (uint32 i = 0; i < points; i++)
		{
			double		value = mean[(uint64) i * (uint64) columns + (uint64) j];

			sdc_interrupts_step(i);
			column[i] = value < 0 ? (double) NAN : value;
		}
		coordinate[j] = column;
	}
	for (uint32 i = 0; i < points; i++)
		order[i] = i;
	sdc_kdorder_build(coordinate, columns, order, points, LEAF);
	sdc_free(coordinate);
	sdc_free(values);
	return order;
}

/* put_box puts a box where a lane is; one that holds nothing begins behind all codes. */
static void
put_box(uint32 *first, uint32 *size, SdcInterval box)
{
	bool		empty = box.first > box.last;

	*first = empty ? UINT32_MAX : box.first;
	*size = empty ? 0 : box.last - box.first;
}

/* fill_leaves fills the leaves with points that are nowhere. */
static void
fill_leaves(SdcPointTree *tree)
{
	uint64		lanes = leaves_of(tree->points) * (uint64) tree->columns * LEAF;

	for (uint64 i = 0; i < lanes; i++)
	{
		tree->point[i] = INFINITY;
		put_box(&tree->first[i], &tree->size[i], (SdcInterval) {1, 0});
	}
}

/* copy_points copies the points in the tree's order. */
static void
copy_points(SdcPointTree *tree, const uint32 *order, const double *mean, const SdcInterval *box,
			const uint32 *class)
{
	Size		columns = (Size) tree->columns;

	fill_leaves(tree);
	for (uint32 p = 0; p < tree->points; p++)
	{
		sdc_interrupts_step(p);
		tree->place[order[p]] = p;
		memcpy(tree->mean + p * columns, mean + order[p] * columns, sizeof(double) * columns);
		for (int j = 0; j < tree->columns; j++)
		{
			uint64		at = lane_of(tree, p, j);
			double		value = mean[order[p] * columns + (Size) j];

			tree->point[at] = value < 0 ? NAN : (float) value;
			put_box(&tree->first[at], &tree->size[at], box[order[p] * columns + (Size) j]);
		}
		if (class != NULL)
			tree->class[p] = class[order[p]];
	}
}

/* are_alike tells whether two places have the same means and boxes. */
static bool
are_alike(const SdcPointTree *tree, uint32 a, uint32 b)
{
	Size		columns = (Size) tree->columns;

	if (memcmp(mean_of(tree, a), mean_of(tree, b), sizeof(double) * columns) != 0)
		return false;
	for (int j = 0; j < tree->columns; j++)
	{
		uint64		at = lane_of(tree, a, j);
		uint64		other = lane_of(tree, b, j);

		if (tree->first[at] != tree->first[other] || tree->size[at] != tree->size[other])
			return false;
	}
	return true;
}

/* add_box has the bounds of boxes hold others. */
static void
add_box(SdcInterval *outer, SdcInterval *inner, const SdcInterval *more_outer, const SdcInterval *more_inner)
{
	if (more_outer->first < outer->first)
		outer->first = more_outer->first;
	if (more_outer->last > outer->last)
		outer->last = more_outer->last;
	if (more_inner->first > inner->first)
		inner->first = more_inner->first;
	if (more_inner->last < inner->last)
		inner->last = more_inner->last;
}

/* begin_node makes a node that holds nothing. */
static uint32
begin_node(SdcPointTree *tree, uint32 start, uint32 end)
{
	uint32		node = tree->nodes++;
	uint64		at = (uint64) node * (uint64) tree->columns;

	SDC_ASSERT(tree->nodes <= most_nodes(tree->points));
	tree->node[node] = (SdcPointNode) {start, end, 0, 0, true};
	for (int j = 0; j < tree->columns; j++, at++)
	{
		tree->low[at] = (double) INFINITY;
		tree->high[at] = -(double) INFINITY;
		tree->outer[at] = (SdcInterval) {UINT32_MAX, 0};
		tree->inner[at] = (SdcInterval) {0, UINT32_MAX};
	}
	if (tree->class_words > 0)
		memset(tree->class_set + (uint64) node * (uint64) tree->class_words, 0,
			   sizeof(uint64) * (Size) tree->class_words);
	return node;
}

/* take_point widens the bounds of a node by a point. */
static void
take_point(SdcPointTree *tree, uint32 node, uint32 place)
{
	uint64		at = (uint64) node * (uint64) tree->columns;
	const double *mean = mean_of(tree, place);

	for (int j = 0; j < tree->columns; j++, at++)
	{
		SdcInterval box = box_of(tree, place, j);
		bool		missing = mean[j] < 0;

		tree->low[at] = fmin(tree->low[at], missing ? -(double) INFINITY : mean[j]);
		tree->high[at] = fmax(tree->high[at], missing ? (double) INFINITY : mean[j]);
		add_box(&tree->outer[at], &tree->inner[at], &box, &box);
	}
}

/* make_lane makes the bounds of a leaf of a bunch, in one column. */
static void
make_lane(SdcPointTree *tree, uint32 start, uint32 end, int column, uint64 at)
{
	double		low = (double) INFINITY;
	double		high = -(double) INFINITY;
	bool		missing = false;
	SdcInterval outer = {UINT32_MAX, 0};

	for (uint32 p = start; p < end; p++)
	{
		double		mean = mean_of(tree, p)[column];
		SdcInterval box = box_of(tree, p, column);

		missing |= mean < 0;
		low = fmin(low, mean);
		high = fmax(high, mean);
		if (box.first <= box.last && box.first < outer.first)
			outer.first = box.first;
		if (box.first <= box.last && box.last > outer.last)
			outer.last = box.last;
	}
	tree->center[at] = missing ? 0 : start == end ? INFINITY : (float) ((low + high) / 2);
	tree->half[at] = missing ? INFINITY : start == end ? 0 : (float) ((high - low) / 2 + 2 * ROUNDING);
	put_box(&tree->leaf_first[at], &tree->leaf_size[at], outer);
}

/* make_bunch puts the points of leaves into a node. */
static void
make_bunch(SdcPointTree *tree, uint32 node)
{
	SdcPointNode *self = &tree->node[node];
	uint64	   *set = tree->class_set + (uint64) node * (uint64) tree->class_words;

	SDC_ASSERT(self->start % LEAF == 0 && tree->bunches < most_bunches(tree->points));
	self->bunch = tree->bunches++;
	for (uint32 p = self->start; p < self->end; p++)
	{
		sdc_interrupts_step(p);
		take_point(tree, node, p);
		self->alike &= are_alike(tree, self->start, p);
		if (tree->class_words > 0)
			set[tree->class[p] / WORD_BITS] |= UINT64_C(1) << tree->class[p] % WORD_BITS;
	}
	for (uint32 l = 0; l < LEAF; l++)
	{
		uint32		start = self->end - self->start > l * LEAF ? self->start + l * LEAF : self->end;
		uint32		end = self->end - start > LEAF ? start + LEAF : self->end;

		for (int j = 0; j < tree->columns; j++)
			make_lane(tree, start, end, j,
					  ((uint64) self->bunch * (uint64) tree->columns + (uint64) j) * LEAF + l);
	}
}

/* join puts a node into the one above it. */
static void
join(SdcPointTree *tree, uint32 node, uint32 below)
{
	uint64		from = (uint64) below * (uint64) tree->columns;
	uint64		to = (uint64) node * (uint64) tree->columns;
	SdcPointNode *self = &tree->node[node];

	for (int j = 0; j < tree->columns; j++, from++, to++)
	{
		tree->low[to] = fmin(tree->low[to], tree->low[from]);
		tree->high[to] = fmax(tree->high[to], tree->high[from]);
		add_box(&tree->outer[to], &tree->inner[to], &tree->outer[from], &tree->inner[from]);
	}
	self->alike &= tree->node[below].alike && are_alike(tree, self->start, tree->node[below].start);
	for (int w = 0; w < tree->class_words; w++)
		tree->class_set[(uint64) node * (uint64) tree->class_words + (uint64) w] |=
			tree->class_set[(uint64) below * (uint64) tree->class_words + (uint64) w];
}

/* make_node makes a node and those below it. */
static uint32
make_node(SdcPointTree *tree, uint32 start, uint32 end)
{
	uint32		node = begin_node(tree, start, end);
	uint32		left;

	if (end - start <= BUNCH)
	{
		make_bunch(tree, node);
		return node;
	}
	left = make_node(tree, start, sdc_kdorder_middle(start, end, LEAF));
	tree->node[node].right = make_node(tree, tree->node[left].end, end);
	join(tree, node, left);
	join(tree, node, tree->node[node].right);
	return node;
}

/* sdc_pointtree_create: see pointtree.h. */
SdcPointTree *
sdc_pointtree_create(uint32 points, int columns, const double *mean, const SdcInterval *box,
					 const uint32 *class, uint32 classes)
{
	SdcPointTree *tree = sdc_alloc_zeros(SdcPointTree, 1);
	uint32	   *order = order_points(points, columns, mean);
	uint64		nodes = most_nodes(points);
	uint64		lanes = leaves_of(points) * LEAF;
	uint64		bunch_lanes = most_bunches(points) * LEAF;

	tree->points = points;
	tree->columns = columns;
	tree->classes = classes;
	tree->class_words = class == NULL ? 0 : class_words(classes);
	tree->place = sdc_alloc_array(uint32, points);
	tree->mean = sdc_alloc_matrix(double, points, (uint64) columns);
	tree->point = sdc_alloc_matrix(float, lanes, (uint64) columns);
	tree->first = sdc_alloc_matrix(uint32, lanes, (uint64) columns);
	tree->size = sdc_alloc_matrix(uint32, lanes, (uint64) columns);
	tree->class = class == NULL ? NULL : sdc_alloc_array(uint32, points);
	copy_points(tree, order, mean, box, class);
	sdc_free(order);
	tree->column = sdc_alloc_array(int, (uint64) columns);
	tree->value = sdc_alloc_array(float, (uint64) columns);
	tree->center = sdc_alloc_matrix(float, bunch_lanes, (uint64) columns);
	tree->half = sdc_alloc_matrix(float, bunch_lanes, (uint64) columns);
	tree->leaf_first = sdc_alloc_matrix(uint32, bunch_lanes, (uint64) columns);
	tree->leaf_size = sdc_alloc_matrix(uint32, bunch_lanes, (uint64) columns);
	tree->node = sdc_alloc_array(SdcPointNode, nodes);
	tree->low = sdc_alloc_matrix(double, nodes, (uint64) columns);
	tree->high = sdc_alloc_matrix(double, nodes, (uint64) columns);
	tree->outer = sdc_alloc_matrix(SdcInterval, nodes, (uint64) columns);
	tree->inner = sdc_alloc_matrix(SdcInterval, nodes, (uint64) columns);
	tree->class_set = sdc_alloc_matrix(uint64, nodes, (uint64) tree->class_words);
	if (points > 0)
		(void) make_node(tree, 0, points);
	return tree;
}

/* sdc_pointtree_destroy: see pointtree.h. */
void
sdc_pointtree_destroy(SdcPointTree *tree)
{
	sdc_free(tree->place);
	sdc_free(tree->mean);
	sdc_free(tree->column);
	sdc_free(tree->value);
	sdc_free(tree->point);
	sdc_free(tree->first);
	sdc_free(tree->size);
	sdc_free(tree->center);
	sdc_free(tree->half);
	sdc_free(tree->leaf_first);
	sdc_free(tree->leaf_size);
	if (tree->class != NULL)
		sdc_free(tree->class);
	sdc_free(tree->node);
	sdc_free(tree->low);
	sdc_free(tree->high);
	sdc_free(tree->outer);
	sdc_free(tree->inner);
	sdc_free(tree->class_set);
	sdc_free(tree);
}

/* distance_at returns the squared distance of a place from who asks, infinite without a common column. */
static double
distance_at(const SdcPointTree *tree, const SdcPointQuery *query, uint32 place)
{
	const double *mean = mean_of(tree, place);
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
	radius = asking->factor > 0 ? sqrt(asking->limit / asking->factor) + asking->tree->columns * ROUNDING : 0;
	asking->near = (float) (radius * radius * (1 + ROUNDING)) + (float) ROUNDING;
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
	const float *point = asking->tree->point + (uint64) leaf * (uint64) asking->tree->columns * LEAF;
	uint32		bits = 0;

	for (int h = 0; h < PARTS; h++)
	{
		Vector		sum = {0};
		Mask		near;

		for (int k = 0; k < asking->known; k++)
		{
			Vector		x = *(const Vector *) (point + asking->column[k] * LEAF + h * LANES) - asking->value[k];

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
	uint64		at = (uint64) bunch * (uint64) asking->tree->columns * LEAF;
	const float *center = asking->tree->center + at;
	const float *half = asking->tree->half + at;
	uint32		bits = 0;

	for (int h = 0; h < PARTS; h++)
	{
		Vector		sum = {0};
		Mask		near;

		for (int k = 0; k < asking->known; k++)
		{
			int			lane = asking->column[k] * LEAF + h * LANES;
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
			Words		x = asking->query->code[j] - *(const Words *) (first + j * LEAF + h * LANES);
			Mask		inside = x <= *(const Words *) (size + j * LEAF + h * LANES);

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
	uint64		at = (uint64) leaf * (uint64) asking->tree->columns * LEAF;

	return lanes_in(asking, asking->tree->first + at, asking->tree->size + at);
}

/* leaves_in has a bit set for each leaf of a bunch that can have such a point. */
static uint32
leaves_in(const Asking *asking, uint32 bunch)
{
	uint64		at = (uint64) bunch * (uint64) asking->tree->columns * LEAF;

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
		SdcInterval box = box_of(asking->tree, place, j);

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
		uint32		leaf = self->start / LEAF + (uint32) __builtin_ctz(leaves);

		for (uint32 points = near_points(asking, leaf); points != 0 && !asking->wrong; points &= points - 1)
			take_place(asking, leaf * LEAF + (uint32) __builtin_ctz(points), 1);
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
		uint32		leaf = self->start / LEAF + (uint32) __builtin_ctz(leaves);
		uint32		points = counted ? near_points(asking, leaf) : points_in(asking, leaf);

		if (!counted)
			asking->found += (uint64) __builtin_popcount(points);
		for (; points != 0 && nearer && !asking->wrong; points &= points - 1)
			take_place(asking, leaf * LEAF + (uint32) __builtin_ctz(points), 1);
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
		uint32		leaf = self->start / LEAF + (uint32) __builtin_ctz(leaves);

		for (uint32 points = points_in(asking, leaf); points != 0; points &= points - 1)
		{
			uint32		class = tree->class[leaf * LEAF + (uint32) __builtin_ctz(points)];

			asking->class_set[class / WORD_BITS] |= UINT64_C(1) << class % WORD_BITS;
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
