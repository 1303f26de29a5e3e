/*-------------------------------------------------------------------------
 *
 * shrinktree.c
 *		A kd-tree over points that only leave it: farthest and nearest ones.
 *
 * The points are brought into kd order (kdorder.h) and cut into leaves.  When a point leaves,
 * the last one of its leaf takes its slot, and counts, smallest points and boxes are
 * corrected upwards as far as they change: boxes are always tight.  The tree keeps its
 * shape; who removes many points rebuilds it when half of them are gone.
 *
 * Searches go depth first (J. H. Friedman, J. L. Bentley and R. A. Finkel, ACM
 * Transactions on Mathematical Software 3, 1977), the more promising child first, and leave
 * out a node when the bound of its box, together with its smallest point, comes behind
 * what is already found: many equal points cost nothing extra.
 *
 * Complexity: a removal takes O(dimensions log n).  Searches are logarithmic in
 * few dimensions and degrade towards O(n) in many.  Memory: see sdc_shrinktree_memory.
 * Determinism: results are defined by d2 and the numbers of points alone.  Limits: d2 must not
 * overflow.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <math.h>

#include "kernel/base/doublelanes.h"
#include "kernel/base/kdorder.h"
#include "kernel/base/ordered.h"
#include "kernel/bins/shrinktree.h"

#define LEAF SDC_SHRINKTREE_LEAF
#define NONE SDC_SHRINKTREE_NONE
#define ROOT SDC_SHRINKTREE_ROOT

/* A search leaves one sibling behind per level: 2^32 points have at most 29 above leaves. */
#define MAX_STACK 40

/* Which lanes something holds of: all bits are set, or none. */
typedef int64 LaneMask __attribute__((vector_size(SDC_DOUBLELANES * sizeof(int64))));

/* A node that waits, and the bound it waits with. */
typedef struct Waiting
{
	double		bound;
	uint32		node;
} Waiting;

/* leaves_of is the number of leaves for so many points. */
static inline uint32
leaves_of(uint32 points)
{
	return (uint32) (((uint64) points + LEAF - 1) / LEAF);
}

/* node_box is the box of a node. */
static inline double *
node_box(const SdcShrinktree *tree, uint32 node)
{
	return tree->box + (Size) node * 2 * tree->dimensions;
}

/* leaf_places is the coordinates of a leaf: LEAF of each dimension. */
static inline double *
leaf_places(const SdcShrinktree *tree, const SdcShrinkNode *leaf)
{
	return tree->place + (Size) leaf->slot * tree->dimensions;
}

/* sdc_shrinktree_memory adds everything up. */
uint64
sdc_shrinktree_memory(uint32 points, int dimensions)
{
	uint64		leaves = leaves_of(points);

	return sizeof(SdcShrinktree) + sdc_kdorder_memory(dimensions) +
		2 * leaves * (sizeof(SdcShrinkNode) + 2 * sizeof(double) * dimensions) +
		leaves * (sizeof(uint32) + LEAF * sizeof(double) * dimensions) +
		(uint64) points * 2 * sizeof(uint32) + sizeof(double) * dimensions;
}

/* shape_node makes the tree below a node for slots [start, end); next is the first free node. */
static void
shape_node(SdcShrinktree *tree, uint32 node, uint32 start, uint32 end, uint32 *next)
{
	SdcShrinkNode *shape = &tree->node[node];

	shape->count = end - start;
	shape->slot = start;
	shape->child = 0;
	if (end - start > LEAF)
	{
		uint32		middle = sdc_kdorder_middle(start, end, LEAF);

		shape->child = *next;
		*next += 2;
		tree->node[shape->child].parent = node;
		tree->node[shape->child + 1].parent = node;
		shape_node(tree, shape->child, start, middle, next);
		shape_node(tree, shape->child + 1, middle, end, next);
	}
	else
		tree->leaf_node[start / LEAF] = node;
}

/* summarize_leaf finds the box of a leaf, and its smallest point, from its points. */
static void
summarize_leaf(SdcShrinktree *tree, uint32 node)
{
	SdcShrinkNode *leaf = &tree->node[node];
	const double *place = leaf_places(tree, leaf);
	double	   *box = node_box(tree, node);

	leaf->first = NONE;
	for (uint32 i = 0; i < leaf->count; i++)
		if (tree->point[leaf->slot + i] < leaf->first)
			leaf->first = tree->point[leaf->slot + i];
	for (int d = 0; d < tree->dimensions; d++)
	{
		double		low = INFINITY;
		double		high = -INFINITY;

		for (uint32 i = 0; i < leaf->count; i++)
		{
			double		x = place[(Size) d * LEAF + i];

			low = x < low ? x : low;
			high = x > high ? x : high;
		}
		box[d] = low;
		box[tree->dimensions + d] = high;
	}
}

/*
 * summarize_children does the same for an inner node from its children, and returns whether
 * anything has changed.  The box of an empty child is the neutral one.
 */
static bool
summarize_children(SdcShrinktree *tree, uint32 node)
{
	SdcShrinkNode *parent = &tree->node[node];
	const SdcShrinkNode *child = &tree->node[parent->child];
	int			dimensions = tree->dimensions;
	double	   *box = node_box(tree, node);
	const double *left = node_box(tree, parent->child);
	const double *right = left + 2 * dimensions;
	uint32		first = child[0].first < child[1].first ? child[0].first : child[1].first;
	bool		changed = first != parent->first;

	parent->first = first;
	for (int d = 0; d < dimensions; d++)
	{
		double		low = left[d] < right[d] ? left[d] : right[d];
		double		high = left[dimensions + d] > right[dimensions + d] ?
			left[dimensions + d] : right[dimensions + d];

		changed |= low != box[d] || high != box[dimensions + d];
		box[d] = low;
		box[dimensions + d] = high;
	}
	return changed;
}

#ifdef SDC_CHECKS

/* check_leaf: the points of a leaf are where they are said to be, and its box is tight. */
static bool
check_leaf(const SdcShrinktree *tree, uint32 node)
{
	const SdcShrinkNode *leaf = &tree->node[node];
	const double *box = node_box(tree, node);
	uint32		first = NONE;

	if (leaf->count > LEAF || leaf->slot % LEAF != 0 || tree->leaf_node[leaf->slot / LEAF] != node)
		return false;
	for (uint32 slot = leaf->slot; slot < leaf->slot + leaf->count; slot++)
	{
		if (tree->point[slot] >= tree->capacity || tree->slot[tree->point[slot]] != slot)
			return false;
		first = tree->point[slot] < first ? tree->point[slot] : first;
	}
	for (int d = 0; d < tree->dimensions; d++)
	{
		const double *place = leaf_places(tree, leaf) + (Size) d * LEAF;
		double		low = INFINITY;
		double		high = -INFINITY;

		for (uint32 i = 0; i < leaf->count; i++)
		{
			if (place[i] != tree->coordinate[d][tree->point[leaf->slot + i]])
				return false;
			low = place[i] < low ? place[i] : low;
			high = place[i] > high ? place[i] : high;
		}
		if (box[d] != low || box[tree->dimensions + d] != high)
			return false;
	}
	return leaf->first == first;
}

/* check_parent: a node has the points of its children, and no larger box. */
static bool
check_parent(const SdcShrinktree *tree, uint32 node)
{
	const SdcShrinkNode *parent = &tree->node[node];
	const SdcShrinkNode *child = &tree->node[parent->child];
	const double *box = node_box(tree, node);
	const double *left = node_box(tree, parent->child);
	const double *right = node_box(tree, parent->child + 1);

	if (parent->child <= node || parent->child + 1 >= tree->nodes ||
		child[0].parent != node || child[1].parent != node ||
		parent->count != child[0].count + child[1].count ||
		parent->first != (child[0].first < child[1].first ? child[0].first : child[1].first))
		return false;
	for (int d = 0; d < tree->dimensions; d++)
	{
		int			up = tree->dimensions + d;

		if (box[d] != (left[d] < right[d] ? left[d] : right[d]) ||
			box[up] != (left[up] > right[up] ? left[up] : right[up]))
			return false;
	}
	return true;
}

/* sdc_shrinktree_check: the tree has the points that have not left, and everything is tight. */
bool
sdc_shrinktree_check(const SdcShrinktree *tree)
{
	uint32		left = 0;

	for (uint32 point = 0; point < tree->capacity; point++)
		left += sdc_shrinktree_has(tree, point);
	if (left != sdc_shrinktree_left(tree) || tree->node[ROOT].parent != NONE)
		return false;
	for (uint32 node = 0; node < tree->nodes; node++)
		if (!(tree->node[node].child == 0 ? check_leaf(tree, node) : check_parent(tree, node)))
			return false;
	return true;
}

#endif							/* SDC_CHECKS */

/* build makes the tree of the points in point[0 .. count-1]. */
static void
build(SdcShrinktree *tree, uint32 count)
{
	int			dimensions = tree->dimensions;

	sdc_kdorder_build(tree->coordinate, dimensions, tree->point, count, LEAF);
	for (uint32 slot = 0; slot < count; slot++)
	{
		uint32		point = tree->point[slot];
		double	   *place = tree->place + (Size) (slot / LEAF) * LEAF * dimensions;

		sdc_interrupts_spend(&tree->credit, 1);
		tree->slot[point] = slot;
		for (int d = 0; d < dimensions; d++)
			place[(Size) d * LEAF + slot % LEAF] = tree->coordinate[d][point];
	}
	tree->nodes = 1;
	tree->node[ROOT].parent = NONE;
	shape_node(tree, ROOT, 0, count, &tree->nodes);

	/* children have greater numbers than their parents */
	for (uint32 node = tree->nodes; node-- > 0;)
	{
		sdc_interrupts_spend(&tree->credit, LEAF);
		if (tree->node[node].child == 0)
			summarize_leaf(tree, node);
		else
			summarize_children(tree, node);
	}
	SDC_ASSERT(sdc_shrinktree_check(tree));
}

/* sdc_shrinktree_create: see shrinktree.h. */
SdcShrinktree *
sdc_shrinktree_create(const double *const *coordinate, int dimensions, uint32 points)
{
	SdcShrinktree *tree = sdc_alloc(sizeof(SdcShrinktree));
	Size		nodes = 2 * leaves_of(points);
	Size		leaves = leaves_of(points);
	Size		corners = 2 * (Size) dimensions;
	Size		values = LEAF * (Size) dimensions;

	SDC_ASSERT(points > 0 && dimensions > 0);
	tree->dimensions = dimensions;
	tree->capacity = points;
	tree->coordinate = coordinate;
	tree->credit = 0;
	tree->node = sdc_alloc_array(SdcShrinkNode, nodes);
	tree->box = sdc_alloc_matrix(double, nodes, corners);
	tree->leaf_node = sdc_alloc_array(uint32, leaves);
	tree->place = sdc_alloc_matrix(double, leaves, values);
	tree->point = sdc_alloc_array(uint32, points);
	tree->slot = sdc_alloc_array(uint32, points);
	tree->query = sdc_alloc_array(double, dimensions);

	/* leaves are looked at as a whole: what is behind their points must be numbers */
	memset(tree->place, 0, leaves * values * sizeof(double));
	/* nodes are compared with what they were before */
	memset(tree->node, 0, nodes * sizeof(SdcShrinkNode));
	memset(tree->box, 0, nodes * corners * sizeof(double));
	for (uint32 point = 0; point < points; point++)
	{
		sdc_interrupts_spend(&tree->credit, 1);
		tree->point[point] = point;
	}
	build(tree, points);
	return tree;
}

/* sdc_shrinktree_destroy accepts NULL. */
void
sdc_shrinktree_destroy(SdcShrinktree *tree)
{
	if (tree == NULL)
		return;
	sdc_free(tree->node);
	sdc_free(tree->box);
	sdc_free(tree->leaf_node);
	sdc_free(tree->place);
	sdc_free(tree->point);
	sdc_free(tree->slot);
	sdc_free(tree->query);
	sdc_free(tree);
}

/* sdc_shrinktree_rebuild gathers the points in their order, so that the past leaves no trace. */
void
sdc_shrinktree_rebuild(SdcShrinktree *tree)
{
	uint32		count = 0;

	for (uint32 point = 0; point < tree->capacity; point++)
	{
		sdc_interrupts_spend(&tree->credit, 1);
		if (sdc_shrinktree_has(tree, point))
			tree->point[count++] = point;
	}
	SDC_ASSERT(count > 0 && count == sdc_shrinktree_left(tree));
	build(tree, count);
}

/* sdc_shrinktree_remove: see shrinktree.h. */
void
sdc_shrinktree_remove(SdcShrinktree *tree, uint32 point)
{
	uint32		slot = tree->slot[point];
	uint32		node = tree->leaf_node[slot / LEAF];
	SdcShrinkNode *leaf = &tree->node[node];
	double	   *place = leaf_places(tree, leaf);
	uint32		last = leaf->count - 1;
	bool		changed = true;

	SDC_ASSERT(sdc_shrinktree_has(tree, point));
	for (int d = 0; d < tree->dimensions; d++)
		place[(Size) d * LEAF + slot % LEAF] = place[(Size) d * LEAF + last];
	tree->point[slot] = tree->point[leaf->slot + last];
	tree->slot[tree->point[slot]] = slot;
	tree->slot[point] = NONE;
	leaf->count = last;
	summarize_leaf(tree, node);
	while (node != ROOT)
	{
		node = tree->node[node].parent;
		tree->node[node].count--;
		if (changed)
			changed = summarize_children(tree, node);
	}
	SDC_ASSERT(!sdc_check_due(sdc_shrinktree_left(tree)) || sdc_shrinktree_check(tree));
}

/* load_query takes the coordinates of a point for a search. */
static void
load_query(SdcShrinktree *tree, uint32 point)
{
	for (int d = 0; d < tree->dimensions; d++)
		tree->query[d] = tree->coordinate[d][point];
}

/* square_from computes the squares of the distances of lanes of an array from a value. */
static inline SdcDoubleLanes
square_from(const double *place, SdcDoubleLanes value)
{
	SdcDoubleLanes distance = sdc_doublelanes_read(place) - value;

	return distance * distance;
}

/* leaf_distances computes d2 of the query to all slots of a leaf, used or not. */
static inline void
leaf_distances(const SdcShrinktree *tree, const SdcShrinkNode *leaf, double *distance)
{
	for (int i = 0; i < LEAF; i += 4 * SDC_DOUBLELANES)
	{
		const double *place = leaf_places(tree, leaf) + i;
		SdcDoubleLanes a = {0, 0};
		SdcDoubleLanes b = {0, 0};
		SdcDoubleLanes c = {0, 0};
		SdcDoubleLanes e = {0, 0};

		for (int d = 0; d < tree->dimensions; d++, place += LEAF)
		{
			SdcDoubleLanes q = {tree->query[d], tree->query[d]};

			a += square_from(place, q);
			b += square_from(place + SDC_DOUBLELANES, q);
			c += square_from(place + 2 * SDC_DOUBLELANES, q);
			e += square_from(place + 3 * SDC_DOUBLELANES, q);
		}
		sdc_doublelanes_write(distance + i, a);
		sdc_doublelanes_write(distance + i + SDC_DOUBLELANES, b);
		sdc_doublelanes_write(distance + i + 2 * SDC_DOUBLELANES, c);
		sdc_doublelanes_write(distance + i + 3 * SDC_DOUBLELANES, e);
	}
}

/* most_distant bounds d2 of the query to the points of a node that is not empty from above. */
static inline double
most_distant(const SdcShrinktree *tree, uint32 node)
{
	int			dimensions = tree->dimensions;
	const double *box = node_box(tree, node);
	double		sum = 0;

	for (int d = 0; d < dimensions; d++)
	{
		double		down = tree->query[d] - box[d];
		double		up = box[dimensions + d] - tree->query[d];
		double		most = down > up ? down : up;

		sum += most * most;
	}
	return sum;
}

/* least_distant bounds it from below. */
static inline double
least_distant(const SdcShrinktree *tree, uint32 node)
{
	int			dimensions = tree->dimensions;
	const double *box = node_box(tree, node);
	double		sum = 0;

	for (int d = 0; d < dimensions; d++)
	{
		double		up = box[d] - tree->query[d];
		double		down = tree->query[d] - box[dimensions + d];
		double		least = down > up ? down : up;

		least = least > 0 ? least : 0;
		sum += least * least;
	}
	return sum;
}

/* reach_of_boxes bounds d2 between points of two nodes that are not empty. */
static inline double
reach_of_boxes(const SdcShrinktree *tree, uint32 a, uint32 b)
{
	int			dimensions = tree->dimensions;
	const double *of = node_box(tree, a);
	const double *to = node_box(tree, b);
	double		sum = 0;

	for (int d = 0; d < dimensions; d++)
	{
		double		down = of[dimensions + d] - to[d];
		double		up = to[dimensions + d] - of[d];
		double		most = down > up ? down : up;

		sum += most * most;
	}
	return sum;
}

/* greater_lanes takes the greater number lane by lane. */
static inline SdcDoubleLanes
greater_lanes(SdcDoubleLanes a, SdcDoubleLanes b)
{
	LaneMask	above = a > b;

	return (SdcDoubleLanes) (((LaneMask) a & above) | ((LaneMask) b & ~above));
}

/* farther tells whether (measure, point) comes before best among the farthest. */
static inline bool
farther(double measure, uint32 point, SdcShrinkPoint best)
{
	return measure > best.measure || (measure == best.measure && point < best.point);
}

/* nearer tells whether (measure, point) comes before best among the nearest. */
static inline bool
nearer(double measure, uint32 point, SdcShrinkPoint best)
{
	return measure < best.measure || (measure == best.measure && point < best.point);
}

/* push_children puts both children of a node on a stack, the more promising one on top. */
static inline int
push_children(const SdcShrinktree *tree, Waiting *stack, int waiting, uint32 child,
			  double left, double right, bool left_first)
{
	const SdcShrinkNode *node = &tree->node[child];
	int			near = left_first ? 0 : 1;

	if (node[1 - near].count > 0)
	{
		stack[waiting].bound = left_first ? right : left;
		stack[waiting++].node = child + 1 - near;
	}
	if (node[near].count > 0)
	{
		stack[waiting].bound = left_first ? left : right;
		stack[waiting++].node = child + near;
	}
	SDC_ASSERT(waiting <= MAX_STACK);
	return waiting;
}

/* sdc_shrinktree_farthest: see shrinktree.h. */
SdcShrinkPoint
sdc_shrinktree_farthest(SdcShrinktree *tree, uint32 of)
{
	SdcShrinkPoint best = {-1, NONE};
	Waiting		stack[MAX_STACK];
	int			waiting = 1;

	load_query(tree, of);
	stack[0].node = ROOT;
	stack[0].bound = INFINITY;
	while (waiting > 0)
	{
		Waiting		next = stack[--waiting];
		const SdcShrinkNode *node = &tree->node[next.node];
		double		distance[LEAF];

		if (!farther(next.bound, node->first, best))
			continue;
		sdc_interrupts_spend(&tree->credit, LEAF);
		if (node->child != 0)
		{
			double		left = most_distant(tree, node->child);
			double		right = most_distant(tree, node->child + 1);
			SdcShrinkPoint other = {right, tree->node[node->child + 1].first};

			waiting = push_children(tree, stack, waiting, node->child, left, right,
									farther(left, tree->node[node->child].first, other));
			continue;
		}
		leaf_distances(tree, node, distance);
		for (uint32 i = 0; i < node->count; i++)
		{
			uint32		point = tree->point[node->slot + i];

			if (farther(distance[i], point, best) && point != of)
			{
				best.measure = distance[i];
				best.point = point;
			}
		}
	}
	SDC_ASSERT(best.point != NONE);
	return best;
}

/* is_farther is the order of a heap that has the farthest point on top. */
static inline bool
is_farther(SdcShrinkPoint a, SdcShrinkPoint b)
{
	return nearer(b.measure, b.point, a);
}

/*
 * sdc_shrinktree_nearest keeps the nearest so far in a heap.  It begins with places that no
 * point has, and that any point comes before.
 */
void
sdc_shrinktree_nearest(SdcShrinktree *tree, uint32 to, uint32 count, SdcShrinkPoint *nearest)
{
	const SdcShrinkPoint no_point = {INFINITY, NONE};
	Waiting		stack[MAX_STACK];
	int			waiting = 1;

	SDC_ASSERT(count > 0 && count <= sdc_shrinktree_left(tree));
	load_query(tree, to);
	for (uint32 i = 0; i < count; i++)
	{
		sdc_interrupts_spend(&tree->credit, 1);
		nearest[i] = no_point;
	}
	stack[0].node = ROOT;
	stack[0].bound = 0;
	while (waiting > 0)
	{
		Waiting		next = stack[--waiting];
		const SdcShrinkNode *node = &tree->node[next.node];
		double		distance[LEAF];

		if (!nearer(next.bound, node->first, nearest[0]))
			continue;
		sdc_interrupts_spend(&tree->credit, LEAF);
		if (node->child != 0)
		{
			double		left = least_distant(tree, node->child);
			double		right = least_distant(tree, node->child + 1);
			SdcShrinkPoint other = {right, tree->node[node->child + 1].first};

			waiting = push_children(tree, stack, waiting, node->child, left, right,
									nearer(left, tree->node[node->child].first, other));
			continue;
		}
		leaf_distances(tree, node, distance);
		for (uint32 i = 0; i < node->count; i++)
		{
			SdcShrinkPoint candidate = {distance[i], tree->point[node->slot + i]};

			if (nearer(candidate.measure, candidate.point, nearest[0]))
				SDC_HEAP_SIFT(nearest, count, 0, candidate, is_farther);
		}
	}
	SDC_ASSERT(nearest[0].point != NONE);
}

/* leaf_reaches computes how far a box is from all slots of a leaf at most, used or not. */
static inline void
leaf_reaches(const SdcShrinktree *tree, const SdcShrinkNode *leaf, const double *box,
			 double *reach)
{
	for (int i = 0; i < LEAF; i += 2 * SDC_DOUBLELANES)
	{
		const double *place = leaf_places(tree, leaf) + i;
		SdcDoubleLanes a = {0, 0};
		SdcDoubleLanes b = {0, 0};

		for (int d = 0; d < tree->dimensions; d++, place += LEAF)
		{
			SdcDoubleLanes x = sdc_doublelanes_read(place);
			SdcDoubleLanes y = sdc_doublelanes_read(place + SDC_DOUBLELANES);
			SdcDoubleLanes low = {box[d], box[d]};
			SdcDoubleLanes high = {box[tree->dimensions + d], box[tree->dimensions + d]};
			SdcDoubleLanes most_a = greater_lanes(high - x, x - low);
			SdcDoubleLanes most_b = greater_lanes(high - y, y - low);

			a += most_a * most_a;
			b += most_b * most_b;
		}
		sdc_doublelanes_write(reach + i, a);
		sdc_doublelanes_write(reach + i + SDC_DOUBLELANES, b);
	}
}

/* sdc_shrinktree_bound: see shrinktree.h. */
double
sdc_shrinktree_bound(SdcShrinktree *tree, uint32 of, double enough, uint32 *witness)
{
	const double *box = node_box(tree, of);
	Waiting		stack[MAX_STACK];
	int			waiting = 1;
	double		best = -1;

	SDC_ASSERT(tree->node[of].count > 0);
	stack[0].node = ROOT;
	stack[0].bound = INFINITY;
	while (waiting > 0 && best < enough)
	{
		Waiting		next = stack[--waiting];
		const SdcShrinkNode *node = &tree->node[next.node];
		double		reach[LEAF];

		if (next.bound <= best)
			continue;
		sdc_interrupts_spend(&tree->credit, LEAF);
		if (node->child != 0)
		{
			double		left = reach_of_boxes(tree, of, node->child);
			double		right = reach_of_boxes(tree, of, node->child + 1);

			waiting = push_children(tree, stack, waiting, node->child, left, right,
									left >= right);
			continue;
		}
		leaf_reaches(tree, node, box, reach);
		for (uint32 i = 0; i < node->count; i++)
			if (reach[i] > best)
			{
				best = reach[i];
				*witness = tree->point[node->slot + i];
			}
	}
	return best;
}

/* sdc_shrinktree_reach: see shrinktree.h. */
double
sdc_shrinktree_reach(const SdcShrinktree *tree, uint32 of, uint32 point)
{
	const double *box = node_box(tree, of);
	double		sum = 0;

	for (int d = 0; d < tree->dimensions; d++)
	{
		double		x = tree->coordinate[d][point];
		double		down = x - box[d];
		double		up = box[tree->dimensions + d] - x;
		double		most = down > up ? down : up;

		sum += most * most;
	}
	return sum;
}
