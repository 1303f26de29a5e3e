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
 * arithmetic (pointsearch.c).
 *
 * Complexity: O(points log points columns).
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <math.h>

#include "kernel/base/kdorder.h"
#include "kernel/releases/pointparts.h"

/* How many words of a bitmap of classes a node has at most. */
#define MAX_CLASS_WORDS 16

/* How many leaves, bunches and nodes a tree of so many points has at most. */
static uint64
leaves_of(uint32 points)
{
	return ((uint64) points + SDC_POINT_LEAF - 1) / SDC_POINT_LEAF;
}

/* A bunch has more than half of the leaves that it could have, but for the only one. */
static uint64
most_bunches(uint32 points)
{
	return 2 * (leaves_of(points) / SDC_POINT_LEAF + 1);
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
	uint64		words = ((uint64) classes + SDC_POINT_WORD_BITS - 1) / SDC_POINT_WORD_BITS;

	return words > MAX_CLASS_WORDS ? 0 : (int) words;
}

/* width_of returns the columns of the bounds of a node: as many as vectors have. */
static int
width_of(int columns)
{
	return (columns + SDC_POINT_LANES - 1) / SDC_POINT_LANES * SDC_POINT_LANES;
}

/* sdc_pointtree_memory: see pointtree.h.  Of the work space either coordinates or the copies are there. */
uint64
sdc_pointtree_memory(uint32 points, int columns, uint32 classes)
{
	uint64		cells = (uint64) points * (uint64) columns;
	uint64		lane = SDC_POINT_LEAF * (uint64) columns * (sizeof(float) + 2 * sizeof(uint32));
	uint64		node = sizeof(SdcPointNode) + (uint64) class_words(classes) * sizeof(uint64) +
		(uint64) columns * 2 * sizeof(SdcInterval) + (uint64) width_of(columns) * 2 * sizeof(float) +
		(uint64) width_of(columns) * SDC_POINT_REACH * sizeof(uint32);

	return (uint64) points * 3 * sizeof(uint32) + cells * sizeof(double) + leaves_of(points) * lane +
		most_bunches(points) * (lane + SDC_POINT_LEAF * (uint64) columns * sizeof(float)) +
		most_nodes(points) * node + sdc_kdorder_memory(columns);
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
	sdc_kdorder_build(coordinate, columns, order, points, SDC_POINT_LEAF);
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

/* Where all codes are. */
static const SdcInterval all_codes = {0, UINT32_MAX};

/* fill_leaves fills the leaves with points that are nowhere. */
static void
fill_leaves(SdcPointTree *tree)
{
	uint64		lanes = leaves_of(tree->points) * (uint64) tree->columns * SDC_POINT_LEAF;

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
			uint64		at = sdc_pointparts_lane(tree, p, j);
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

	if (memcmp(sdc_pointparts_mean(tree, a), sdc_pointparts_mean(tree, b), sizeof(double) * columns) != 0)
		return false;
	for (int j = 0; j < tree->columns; j++)
	{
		uint64		at = sdc_pointparts_lane(tree, a, j);
		uint64		other = sdc_pointparts_lane(tree, b, j);

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
	for (int j = 0; j < tree->width; j++)
	{
		tree->low[(uint64) node * (uint64) tree->width + (uint64) j] = INFINITY;
		tree->high[(uint64) node * (uint64) tree->width + (uint64) j] = -INFINITY;
	}
	for (int j = 0; j < tree->columns; j++, at++)
	{
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
	const double *mean = sdc_pointparts_mean(tree, place);
	float	   *low = tree->low + (uint64) node * (uint64) tree->width;
	float	   *high = tree->high + (uint64) node * (uint64) tree->width;

	for (int j = 0; j < tree->columns; j++, at++)
	{
		SdcInterval box = sdc_pointparts_box(tree, place, j);
		bool		missing = mean[j] < 0;

		low[j] = fminf(low[j], missing ? -INFINITY : (float) mean[j]);
		high[j] = fmaxf(high[j], missing ? INFINITY : (float) mean[j]);
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
		double		mean = sdc_pointparts_mean(tree, p)[column];
		SdcInterval box = sdc_pointparts_box(tree, p, column);

		missing |= mean < 0;
		low = fmin(low, mean);
		high = fmax(high, mean);
		if (box.first <= box.last && box.first < outer.first)
			outer.first = box.first;
		if (box.first <= box.last && box.last > outer.last)
			outer.last = box.last;
	}
	tree->center[at] = missing ? 0 : start == end ? INFINITY : (float) ((low + high) / 2);
	tree->half[at] = missing ? INFINITY : start == end ? 0 : (float) ((high - low) / 2 + 2 * SDC_POINT_ROUNDING);
	put_box(&tree->leaf_first[at], &tree->leaf_size[at], outer);
}

/* make_bunch puts the points of leaves into a node. */
static void
make_bunch(SdcPointTree *tree, uint32 node)
{
	SdcPointNode *self = &tree->node[node];
	uint64	   *set = tree->class_set + (uint64) node * (uint64) tree->class_words;

	SDC_ASSERT(self->start % SDC_POINT_LEAF == 0 && tree->bunches < most_bunches(tree->points));
	self->bunch = tree->bunches++;
	for (uint32 p = self->start; p < self->end; p++)
	{
		sdc_interrupts_step(p);
		take_point(tree, node, p);
		self->alike &= are_alike(tree, self->start, p);
		if (tree->class_words > 0)
			set[tree->class[p] / SDC_POINT_WORD_BITS] |= UINT64_C(1) << tree->class[p] % SDC_POINT_WORD_BITS;
	}
	for (uint32 l = 0; l < SDC_POINT_LEAF; l++)
	{
		uint32		start = self->end - self->start > l * SDC_POINT_LEAF ? self->start + l * SDC_POINT_LEAF : self->end;
		uint32		end = self->end - start > SDC_POINT_LEAF ? start + SDC_POINT_LEAF : self->end;

		for (int j = 0; j < tree->columns; j++)
			make_lane(tree, start, end, j,
					  ((uint64) self->bunch * (uint64) tree->columns + (uint64) j) * SDC_POINT_LEAF + l);
	}
}

/* join puts a node into the one above it. */
static void
join(SdcPointTree *tree, uint32 node, uint32 below)
{
	uint64		from = (uint64) below * (uint64) tree->columns;
	uint64		to = (uint64) node * (uint64) tree->columns;
	uint64		from_width = (uint64) below * (uint64) tree->width;
	uint64		to_width = (uint64) node * (uint64) tree->width;
	SdcPointNode *self = &tree->node[node];

	for (int j = 0; j < tree->columns; j++, from++, to++, from_width++, to_width++)
	{
		tree->low[to_width] = fminf(tree->low[to_width], tree->low[from_width]);
		tree->high[to_width] = fmaxf(tree->high[to_width], tree->high[from_width]);
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

	if (end - start <= SDC_POINT_BUNCH)
	{
		make_bunch(tree, node);
		return node;
	}
	left = make_node(tree, start, sdc_kdorder_middle(start, end, SDC_POINT_LEAF));
	tree->node[node].right = make_node(tree, tree->node[left].end, end);
	join(tree, node, left);
	join(tree, node, tree->node[node].right);
	return node;
}

/* lay_reach lays how far the boxes of nodes reach as vectors need it. */
static void
lay_reach(SdcPointTree *tree)
{
	for (uint32 node = 0; node < tree->nodes; node++)
	{
		uint32	   *outer = tree->reach + (uint64) node * SDC_POINT_REACH * (uint64) tree->width;
		uint32	   *inner = outer + SDC_POINT_INNER * tree->width;
		uint64		at = (uint64) node * (uint64) tree->columns;

		sdc_interrupts_step(node);
		for (int j = 0; j < tree->width; j++)
		{
			bool		asked = j < tree->columns;

			put_box(&outer[j], &outer[tree->width + j], asked ? tree->outer[at + (uint64) j] : all_codes);
			put_box(&inner[j], &inner[tree->width + j], asked ? tree->inner[at + (uint64) j] : all_codes);
		}
	}
	sdc_free(tree->outer);
	sdc_free(tree->inner);
	tree->outer = tree->inner = NULL;
}

/* sdc_pointtree_create: see pointtree.h. */
SdcPointTree *
sdc_pointtree_create(uint32 points, int columns, const double *mean, const SdcInterval *box,
					 const uint32 *class, uint32 classes)
{
	SdcPointTree *tree = sdc_alloc_zeros(SdcPointTree, 1);
	uint32	   *order = order_points(points, columns, mean);
	uint64		nodes = most_nodes(points);
	uint64		reaches = nodes * SDC_POINT_REACH;
	uint64		lanes = leaves_of(points) * SDC_POINT_LEAF;
	uint64		bunch_lanes = most_bunches(points) * SDC_POINT_LEAF;

	tree->points = points;
	tree->columns = columns;
	tree->width = width_of(columns);
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
	tree->padded = sdc_alloc_array(float, (uint64) tree->width);
	tree->codes = sdc_alloc_zeros(uint32, (uint64) tree->width);
	for (int j = 0; j < tree->width; j++)
		tree->padded[j] = NAN;
	tree->center = sdc_alloc_matrix(float, bunch_lanes, (uint64) columns);
	tree->half = sdc_alloc_matrix(float, bunch_lanes, (uint64) columns);
	tree->leaf_first = sdc_alloc_matrix(uint32, bunch_lanes, (uint64) columns);
	tree->leaf_size = sdc_alloc_matrix(uint32, bunch_lanes, (uint64) columns);
	tree->node = sdc_alloc_array(SdcPointNode, nodes);
	tree->low = sdc_alloc_matrix(float, nodes, (uint64) tree->width);
	tree->high = sdc_alloc_matrix(float, nodes, (uint64) tree->width);
	tree->outer = sdc_alloc_matrix(SdcInterval, nodes, (uint64) columns);
	tree->inner = sdc_alloc_matrix(SdcInterval, nodes, (uint64) columns);
	tree->class_set = sdc_alloc_matrix(uint64, nodes, (uint64) tree->class_words);
	if (points > 0)
		(void) make_node(tree, 0, points);
	tree->reach = sdc_alloc_matrix(uint32, reaches, (uint64) tree->width);
	lay_reach(tree);
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
	sdc_free(tree->padded);
	sdc_free(tree->codes);
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
	sdc_free(tree->reach);
	sdc_free(tree->class_set);
	sdc_free(tree);
}
