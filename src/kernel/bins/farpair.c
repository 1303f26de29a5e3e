/*-------------------------------------------------------------------------
 *
 * farpair.c
 *		The most distant pair of points that only leave, again and again.
 *
 * The eccentricity of a point is the greatest d2 from it to a point that is left.  It only
 * falls as points leave, so that a value once computed remains a bound.  With every point
 * there is such a bound, and the partner it comes from: while that is left, the bound is the
 * eccentricity.  With every node of the tree there is a key, a bound for its points together
 * with the smallest point that may attain it.  A search follows the best key from the root
 * down, as in a tournament, and corrects what it meets:
 *
 * - a key that is better than those of both children becomes the better one of theirs;
 * - a key of a child never is better than that of its parent;
 * - the key of a node is also bounded by how far its box is from any point (shrinktree.h).  The
 *   point that gave that bound is the node's witness; only when that has left, or is no longer far
 *   enough from a box that has shrunk, another one is looked for.  Where an outlier left that
 *   was the partner of all, this corrects most points at once;
 * - the bound of a point whose partner has left is computed anew.
 *
 * After a correction that lowers a key the keys above follow, and the search goes on from
 * where they do not change.  It ends at a point whose bound is exact and whose key is
 * that of the root: no other point has a greater eccentricity, nor a smaller one the same.
 * As d2 is symmetric, its partner, the smallest there is, comes behind it.
 *
 * Complexity: in few dimensions O(log n) per correction.  A point is corrected
 * a few times between the first search and its removal; not before its
 * bound is the greatest.  Memory: see sdc_farpair_memory.  Determinism: the result is defined by d2
 * and the numbers of points alone.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <math.h>

#include "kernel/bins/farpair.h"

#define NONE SDC_SHRINKTREE_NONE
#define ROOT SDC_SHRINKTREE_ROOT

/* A key: measure bounds the eccentricity. */
typedef SdcShrinkPoint Key;

struct SdcFarpair
{
	SdcShrinktree *tree;

	/* by point */
	double	   *bound;			/* of the eccentricity */
	uint32	   *partner;		/* a point that it was attained with, or NONE */

	/* by node */
	Key		   *key;
	uint32	   *witness;		/* a point, or NONE */

	uint32		credit;			/* steps until the next interrupt check */
};

/* better tells whether key a comes before key b. */
static inline bool
better(Key a, Key b)
{
	return a.measure > b.measure || (a.measure == b.measure && a.point < b.point);
}

/* max_nodes is how many nodes a tree has at most. */
static inline Size
max_nodes(uint32 points)
{
	return 2 * (((Size) points + SDC_SHRINKTREE_LEAF - 1) / SDC_SHRINKTREE_LEAF);
}

/* sdc_farpair_memory adds everything up. */
uint64
sdc_farpair_memory(uint32 points)
{
	return sizeof(SdcFarpair) + (uint64) points * (sizeof(double) + sizeof(uint32)) +
		max_nodes(points) * (sizeof(Key) + sizeof(uint32));
}

/* sdc_farpair_create starts without bounds. */
SdcFarpair *
sdc_farpair_create(SdcShrinktree *tree)
{
	SdcFarpair *search = sdc_alloc(sizeof(SdcFarpair));
	uint32		points = tree->capacity;

	search->tree = tree;
	search->credit = 0;
	search->bound = sdc_alloc_array(double, points);
	search->partner = sdc_alloc_array(uint32, points);
	search->key = sdc_alloc_array(Key, max_nodes(points));
	search->witness = sdc_alloc_array(uint32, max_nodes(points));
	for (uint32 point = 0; point < points; point++)
	{
		sdc_interrupts_spend(&search->credit, 1);
		search->bound[point] = INFINITY;
		search->partner[point] = NONE;
	}
	sdc_farpair_rebuilt(search);
	return search;
}

/* sdc_farpair_destroy accepts NULL. */
void
sdc_farpair_destroy(SdcFarpair *search)
{
	if (search == NULL)
		return;
	sdc_free(search->bound);
	sdc_free(search->partner);
	sdc_free(search->key);
	sdc_free(search->witness);
	sdc_free(search);
}

/* best_of_points is the best key of the points of a leaf, of none the worst one there is. */
static Key
best_of_points(const SdcFarpair *search, const SdcShrinkNode *leaf)
{
	Key			best = {-INFINITY, NONE};

	for (uint32 i = 0; i < leaf->count; i++)
	{
		uint32		point = search->tree->point[leaf->slot + i];
		Key			key = {search->bound[point], point};

		if (better(key, best))
			best = key;
	}
	return best;
}

/* best_of_children is the better key of those of a node's children. */
static inline Key
best_of_children(const SdcFarpair *search, const SdcShrinkNode *node)
{
	const Key  *key = &search->key[node->child];

	return better(key[1], key[0]) ? key[1] : key[0];
}

/* sdc_farpair_rebuilt gives the nodes keys from what is known of their points. */
void
sdc_farpair_rebuilt(SdcFarpair *search)
{
	const SdcShrinktree *tree = search->tree;

	for (uint32 node = tree->nodes; node-- > 0;)
	{
		const SdcShrinkNode *shape = &tree->node[node];

		sdc_interrupts_spend(&search->credit, SDC_SHRINKTREE_LEAF);
		search->witness[node] = NONE;
		search->key[node] = shape->child == 0 ? best_of_points(search, shape) :
			best_of_children(search, shape);
	}
}

/*
 * correct_by_box lowers the key of a node to what its box allows, and to points that are left.
 * While the witness attains the key's bound, another one can only be farther.
 */
static void
correct_by_box(SdcFarpair *search, uint32 node)
{
	SdcShrinktree *tree = search->tree;
	const SdcShrinkNode *shape = &tree->node[node];
	Key		   *key = &search->key[node];
	uint32		witness = search->witness[node];

	if (key->point < shape->first)
		key->point = shape->first;
	if (witness == NONE || !sdc_shrinktree_has(tree, witness) ||
		sdc_shrinktree_reach(tree, node, witness) < key->measure)
	{
		double		bound = sdc_shrinktree_bound(tree, node, key->measure,
												 &search->witness[node]);

		if (bound < key->measure)
		{
			key->measure = bound;
			key->point = shape->first;
		}
	}
}

/* correct_by_parent makes keys of children as bad as that of the parent. */
static inline void
correct_by_parent(SdcFarpair *search, uint32 parent, uint32 child)
{
	Key		   *key = &search->key[child];
	uint32		first = search->tree->node[child].first;

	if (key->measure > search->key[parent].measure)
	{
		key->measure = search->key[parent].measure;
		key->point = first;
	}
	else if (key->point < first)
		key->point = first;
}

/*
 * choose_point finds the point of a leaf with the best key, after the leaf's bound is applied
 * to its points, and makes that exact; the key of the leaf becomes the best of its points then.
 * It returns the point if its bound was exact before, NONE if it was not.
 */
static uint32
choose_point(SdcFarpair *search, uint32 node)
{
	SdcShrinktree *tree = search->tree;
	const SdcShrinkNode *leaf = &tree->node[node];
	double		most = search->key[node].measure;
	Key			best;

	for (uint32 i = 0; i < leaf->count; i++)
	{
		double	   *bound = &search->bound[tree->point[leaf->slot + i]];

		if (*bound > most)
			*bound = most;
	}
	best = best_of_points(search, leaf);
	if (!better(search->key[node], best))
	{
		uint32		partner = search->partner[best.point];
		SdcShrinkPoint farthest;

		if (partner != NONE && sdc_shrinktree_has(tree, partner))
			return best.point;
		farthest = sdc_shrinktree_farthest(tree, best.point);
		SDC_ASSERT(farthest.measure <= best.measure);
		search->bound[best.point] = farthest.measure;
		search->partner[best.point] = farthest.point;
		best = best_of_points(search, leaf);
	}
	search->key[node] = best;
	return NONE;
}

/* climb lowers the keys above a node as far as they change, and returns where they do not. */
static uint32
climb(SdcFarpair *search, uint32 node)
{
	while (node != ROOT)
	{
		uint32		parent = search->tree->node[node].parent;
		Key			best = best_of_children(search, &search->tree->node[parent]);

		if (!better(search->key[parent], best))
			return parent;
		search->key[parent] = best;
		node = parent;
	}
	return ROOT;
}

/* sdc_farpair_find goes down with the best key, and up after every correction. */
void
sdc_farpair_find(SdcFarpair *search, uint32 *first, uint32 *second)
{
	const SdcShrinktree *tree = search->tree;
	uint32		node = ROOT;

	SDC_ASSERT(sdc_shrinktree_left(tree) >= 2);
	for (;;)
	{
		const SdcShrinkNode *shape = &tree->node[node];
		Key			before = search->key[node];

		sdc_interrupts_spend(&search->credit, SDC_SHRINKTREE_LEAF);
		if (shape->count == 0)
		{
			search->key[node].measure = -INFINITY;
			search->key[node].point = NONE;
		}
		else
			correct_by_box(search, node);
		if (!better(before, search->key[node]))
		{
			if (shape->child == 0)
			{
				uint32		point = choose_point(search, node);

				if (point != NONE)
				{
					*first = point;
					*second = search->partner[point];
					SDC_ASSERT(*first < *second);
					return;
				}
			}
			else
			{
				Key			best;

				correct_by_parent(search, node, shape->child);
				correct_by_parent(search, node, shape->child + 1);
				best = best_of_children(search, shape);
				if (!better(before, best))
				{
					node = better(search->key[shape->child + 1], search->key[shape->child]) ?
						shape->child + 1 : shape->child;
					continue;
				}
				search->key[node] = best;
			}
		}
		node = climb(search, node);
	}
}
