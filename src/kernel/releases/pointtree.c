/*-------------------------------------------------------------------------
 *
 * pointtree.c
 *		The records of a release as points, each with a box.
 *
 * A balanced kd-tree over the means (kdorder.c).  A node knows the bounds of the means below it, for the
 * nearest, and how far the boxes below it reach at most and at least: a value outside the one is in no box, and
 * inside the other in all.  Points that are alike are one leaf, however many.
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

/* Points in a leaf. */
#define LEAF 16

/* Bits of a word of a bitmap of classes, and how many words a node has at most. */
#define WORD_BITS 64
#define MAX_CLASS_WORDS 16

/* Distances are the same up to this, absolutely and as a share. */
#define TIE 1e-9

typedef struct SdcPointNode
{
	uint32		start;			/* places */
	uint32		end;
	uint32		right;			/* the node behind those of the left half; 0: a leaf */
	bool		alike;			/* all points are */
} SdcPointNode;

/* A question under way. */
typedef struct Asking
{
	const SdcPointTree *tree;
	const SdcPointQuery *query;
	double		factor;			/* columns / known values */
	double		own;			/* distance of the own record */
	double		best;
	uint64		found;
	uint64	   *class_set;
	bool		wrong;			/* somebody is nearer than the own record */
	uint32		credit;			/* until the next look for an interrupt */
} Asking;

/* How many nodes a tree of so many points has at most. */
static uint64
most_nodes(uint32 points)
{
	return 2 * ((uint64) points / LEAF + 1);
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
	uint64		node = sizeof(SdcPointNode) + (uint64) class_words(classes) * sizeof(uint64) +
		(uint64) columns * (2 * sizeof(double) + 2 * sizeof(SdcInterval));

	return (uint64) points * 3 * sizeof(uint32) + cells * (sizeof(double) + sizeof(SdcInterval)) +
		most_nodes(points) * node + sdc_kdorder_memory(columns);
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

/* box_of returns the box of a place. */
static const SdcInterval *
box_of(const SdcPointTree *tree, uint32 place)
{
	return tree->box + (uint64) place * (uint64) tree->columns;
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

/* copy_points copies the points in the tree's order. */
static void
copy_points(SdcPointTree *tree, const uint32 *order, const double *mean, const SdcInterval *box,
			const uint32 *class)
{
	Size		columns = (Size) tree->columns;

	tree->place = sdc_alloc_array(uint32, tree->points);
	tree->mean = sdc_alloc_matrix(double, tree->points, columns);
	tree->box = sdc_alloc_matrix(SdcInterval, tree->points, columns);
	tree->class = class == NULL ? NULL : sdc_alloc_array(uint32, tree->points);
	for (uint32 p = 0; p < tree->points; p++)
	{
		sdc_interrupts_step(p);
		tree->place[order[p]] = p;
		memcpy(tree->mean + p * columns, mean + order[p] * columns, sizeof(double) * columns);
		memcpy(tree->box + p * columns, box + order[p] * columns, sizeof(SdcInterval) * columns);
		if (class != NULL)
			tree->class[p] = class[order[p]];
	}
}

/* are_alike tells whether two places have the same means and boxes. */
static bool
are_alike(const SdcPointTree *tree, uint32 a, uint32 b)
{
	Size		columns = (Size) tree->columns;

	return memcmp(mean_of(tree, a), mean_of(tree, b), sizeof(double) * columns) == 0 &&
		memcmp(box_of(tree, a), box_of(tree, b), sizeof(SdcInterval) * columns) == 0;
}

/* widen has the bounds of a node hold others. */
static void
widen(SdcPointTree *tree, uint32 node, const double *low, const double *high,
	  const SdcInterval *outer, const SdcInterval *inner)
{
	uint64		at = (uint64) node * (uint64) tree->columns;

	for (int j = 0; j < tree->columns; j++, at++)
	{
		bool		missing = low[j] == SDC_HISTORY_MISSING;
		double		least = missing ? -(double) INFINITY : low[j];
		double		most = missing ? (double) INFINITY : high[j];

		tree->low[at] = fmin(tree->low[at], least);
		tree->high[at] = fmax(tree->high[at], most);
		if (outer[j].first < tree->outer[at].first)
			tree->outer[at].first = outer[j].first;
		if (outer[j].last > tree->outer[at].last)
			tree->outer[at].last = outer[j].last;
		if (inner[j].first > tree->inner[at].first)
			tree->inner[at].first = inner[j].first;
		if (inner[j].last < tree->inner[at].last)
			tree->inner[at].last = inner[j].last;
	}
}

/* begin_node makes a node that holds nothing. */
static uint32
begin_node(SdcPointTree *tree, uint32 start, uint32 end)
{
	uint32		node = tree->nodes++;
	uint64		at = (uint64) node * (uint64) tree->columns;

	SDC_ASSERT(tree->nodes <= most_nodes(tree->points));
	tree->node[node] = (SdcPointNode) {start, end, 0, true};
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

/* make_leaf puts points into a node. */
static void
make_leaf(SdcPointTree *tree, uint32 node)
{
	SdcPointNode *self = &tree->node[node];
	uint64	   *set = tree->class_set + (uint64) node * (uint64) tree->class_words;

	for (uint32 p = self->start; p < self->end; p++)
	{
		sdc_interrupts_step(p);
		widen(tree, node, mean_of(tree, p), mean_of(tree, p), box_of(tree, p), box_of(tree, p));
		self->alike &= are_alike(tree, self->start, p);
		if (tree->class_words > 0)
			set[tree->class[p] / WORD_BITS] |= UINT64_C(1) << tree->class[p] % WORD_BITS;
	}
}

/* join puts a node into the one above it. */
static void
join(SdcPointTree *tree, uint32 node, uint32 below)
{
	uint64		at = (uint64) below * (uint64) tree->columns;
	SdcPointNode *self = &tree->node[node];

	widen(tree, node, tree->low + at, tree->high + at, tree->outer + at, tree->inner + at);
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

	if (end - start <= LEAF)
	{
		make_leaf(tree, node);
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

	tree->points = points;
	tree->columns = columns;
	tree->classes = classes;
	tree->class_words = class == NULL ? 0 : class_words(classes);
	copy_points(tree, order, mean, box, class);
	sdc_free(order);
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
	sdc_free(tree->box);
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

/* sdc_pointtree_distance: see pointtree.h. */
double
sdc_pointtree_distance(const SdcPointTree *tree, const SdcPointQuery *query, uint32 record)
{
	return distance_at(tree, query, tree->place[record]);
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

/* begin_asking prepares a question. */
static void
begin_asking(Asking *asking, const SdcPointTree *tree, const SdcPointQuery *query)
{
	int			known = 0;

	memset(asking, 0, sizeof(Asking));
	asking->tree = tree;
	asking->query = query;
	asking->credit = SDC_INTERRUPT_STEPS;
	for (int j = 0; j < tree->columns; j++)
		known += query->mean[j] >= 0;
	asking->factor = known == 0 ? 0 : (double) tree->columns / known;
	asking->own = query->own == SDC_RECORD_NONE ? (double) INFINITY :
		distance_at(tree, query, tree->place[query->own]);
	asking->best = asking->own;
}

/* is_in tells whether a box has all values inside. */
static bool
is_in(const SdcPointTree *tree, const SdcPointQuery *query, const SdcInterval *box)
{
	for (int j = 0; j < tree->columns; j++)
		if (query->code[j] < box[j].first || query->code[j] > box[j].last)
			return false;
	return true;
}

/* take_distance looks at a distance for the nearest. */
static void
take_distance(Asking *asking, double distance)
{
	if (distance >= asking->best)
		return;
	asking->best = distance;
	asking->wrong = asking->own > limit_of(distance);
}

/* look_nearest looks for the nearest below a node, until somebody is nearer than the own record. */
static void
look_nearest(Asking *asking, uint32 node)
{
	const SdcPointNode *self = &asking->tree->node[node];
	uint32		first = node + 1;
	uint32		second = self->right;
	double		left;
	double		right;

	sdc_interrupts_spend(&asking->credit, 1);
	if (self->right == 0 || self->alike)
	{
		uint32		end = self->alike ? self->start + 1 : self->end;

		for (uint32 p = self->start; p < end && !asking->wrong; p++)
			take_distance(asking, distance_at(asking->tree, asking->query, p));
		return;
	}
	left = nearest_of(asking, first);
	right = nearest_of(asking, second);
	if (right < left)
	{
		double		other = left;

		first = second;
		second = node + 1;
		left = right;
		right = other;
	}
	if (!asking->wrong && left < asking->best)
		look_nearest(asking, first);
	if (!asking->wrong && right < asking->best)
		look_nearest(asking, second);
}

/* count_ties counts the points below a node that are as near as the nearest; boxed: with all values inside their boxes. */
static void
count_ties(Asking *asking, uint32 node, bool boxed)
{
	const SdcPointTree *tree = asking->tree;
	const SdcPointNode *self = &tree->node[node];
	double		limit = limit_of(asking->best);

	sdc_interrupts_spend(&asking->credit, 1);
	if (nearest_of(asking, node) > limit ||
		(boxed && !is_in(tree, asking->query, tree->outer + (uint64) node * (uint64) tree->columns)))
		return;
	if (self->right != 0 && !self->alike)
	{
		count_ties(asking, node + 1, boxed);
		count_ties(asking, self->right, boxed);
		return;
	}
	for (uint32 p = self->start; p < self->end; p++)
	{
		uint32		same = self->alike ? self->end - self->start : 1;

		if (distance_at(tree, asking->query, p) <= limit &&
			(!boxed || is_in(tree, asking->query, box_of(tree, p))))
			asking->found += same;
		if (self->alike)
			break;
	}
}

/* sdc_pointtree_nearest: see pointtree.h. */
void
sdc_pointtree_nearest(const SdcPointTree *tree, const SdcPointQuery *query, SdcPointFound *found)
{
	Asking		asking;

	memset(found, 0, sizeof(SdcPointFound));
	begin_asking(&asking, tree, query);
	if (isinf(asking.own))
		return;
	look_nearest(&asking, 0);
	if (asking.wrong)
		return;
	count_ties(&asking, 0, false);
	found->share = 1.0 / (double) asking.found;
}

/* look_boxes counts the candidates below a node, and looks for the nearest of them while that matters. */
static void
look_boxes(Asking *asking, uint32 node, bool counted)
{
	const SdcPointTree *tree = asking->tree;
	const SdcPointNode *self = &tree->node[node];
	uint64		at = (uint64) node * (uint64) tree->columns;
	bool		nearer = !asking->wrong && !isinf(asking->own) && nearest_of(asking, node) < asking->best;

	sdc_interrupts_spend(&asking->credit, 1);
	if (!counted && !is_in(tree, asking->query, tree->outer + at))
		return;
	if (!counted && is_in(tree, asking->query, tree->inner + at))
	{
		asking->found += self->end - self->start;
		counted = true;
	}
	if (counted && !nearer)
		return;
	if (self->right != 0)
	{
		look_boxes(asking, node + 1, counted);
		look_boxes(asking, self->right, counted);
		return;
	}
	for (uint32 p = self->start; p < self->end; p++)
	{
		if (!counted && !is_in(tree, asking->query, box_of(tree, p)))
			continue;
		asking->found += !counted;
		if (nearer)
			take_distance(asking, distance_at(tree, asking->query, p));
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

	memset(found, 0, sizeof(SdcPointFound));
	if (tree->points == 0 || !has_all(tree, query))
		return;
	begin_asking(&asking, tree, query);
	found->inside = query->own != SDC_RECORD_NONE &&
		is_in(tree, query, box_of(tree, tree->place[query->own]));
	if (!found->inside)
		asking.own = asking.best = (double) INFINITY;
	look_boxes(&asking, 0, false);
	found->candidates = asking.found;
	if (!found->inside || asking.wrong)
		return;
	asking.found = 0;
	count_ties(&asking, 0, true);
	found->share = 1.0 / (double) asking.found;
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

	sdc_interrupts_spend(&asking->credit, 1);
	for (int w = 0; w < tree->class_words; w++)
		more |= set[w] & ~asking->class_set[w];
	if (more == 0 || (!all && !is_in(tree, asking->query, tree->outer + at)))
		return;
	all = all || is_in(tree, asking->query, tree->inner + at);
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
	for (uint32 p = self->start; p < self->end; p++)
		if (all || is_in(tree, asking->query, box_of(tree, p)))
			asking->class_set[tree->class[p] / WORD_BITS] |= UINT64_C(1) << tree->class[p] % WORD_BITS;
}

/* sdc_pointtree_classes: see pointtree.h. */
void
sdc_pointtree_classes(const SdcPointTree *tree, const SdcPointQuery *query, uint64 *class_set)
{
	Asking		asking;

	if (tree->points == 0 || !has_all(tree, query))
		return;
	begin_asking(&asking, tree, query);
	asking.class_set = class_set;
	add_classes(&asking, 0, false);
}
