/*-------------------------------------------------------------------------
 *
 * ranksearch.c
 *		Who is inside the most windows, and who is nearest of these.
 *
 * Windows make a box in the space of codes.  The search is branch and bound on a
 * tree (ranktree.c):
 *
 *	- A node knows the least and the greatest code of each attribute.  To a window
 *	  all its points are inside, or all outside, or it is open which.  What is decided at
 *	  a node is decided below it.
 *	- The decided attributes bound the windows that a point of the node can
 *	  be in.  A node that cannot reach what another point has is left out; one
 *	  without open attributes is counted as a whole.
 *	- Nodes have 32 children, which are tested at once, attribute by attribute:
 *	  so many tests of a vector unit take less time than one branch guessed wrongly.
 *	  For the same reason points are tested like nodes.
 *
 * The least distance bounds the search for the nearest in the same way (J. H.
 * Friedman, J. L. Bentley, R. A. Finkel, 1977), by the box of coordinates of a node.
 * A bound adds what is at most the contribution of each dimension, in the order of
 * the dimensions; rounding is monotone, so that it never exceeds the measure that it bounds.
 *
 * In a group (rankunion.h) a candidate is inside all windows of the nodes.  Points are tested by
 * bins, a byte each, and those that pass by their codes.
 *
 * Complexity: a search takes what its box asks for: all nodes that the border of the box
 * crosses, in two attributes a square root of n, in more of them more.  For records
 * that have nothing to do with each other the union asks for nearly all points, if it does not
 * use groups.  Memory: none but the stack.  Determinism: all counts are exact, and the result does not depend on
 * the order of points or of the search, nor on the vector unit.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <math.h>

#include "kernel/rank/ranksearch.h"

#define BITS SDC_RANKLEVEL_BITS
#define FAN SDC_RANKLEVEL_FAN

/* Candidates at the least distance that are remembered before they are only counted. */
#define TIES_KEPT 32

/* Listed points up to which the nearest is looked for among them, not in the tree. */
#define LIST_NEAREST 128

typedef struct Search
{
	/* set once */
	const SdcRankTree *tree;
	SdcRankQuery *query;
	const SdcMetricSpace *space;	/* of the attributes that are asked for */
	SdcRankTests tests;
	bool		complete;		/* tree and query have all coordinates */
	SdcRankTest test[64];

	/* nearest: candidates that were the nearest so far */
	double		limit;			/* the greatest measure that is tied with the best */
	uint32		kept;			/* more than TIES_KEPT: not all of them are here */
	uint32		point[TIES_KEPT];
	double		measure[TIES_KEPT];

	uint32		credit;			/* steps until the next interrupt check */
} Search;

/* The children of a node, on the way down. */
typedef struct Visit
{
	int			level;			/* of the children */
	uint32		block;
	int			outside;		/* what is known of the node: see SdcRankBlock */
	uint64		open;
} Visit;

/* attributes_asked is how many attributes of a tree a query asks for. */
static inline int
attributes_asked(const SdcRankTree *tree, const SdcRankQuery *query)
{
	return query->space != NULL ? query->attributes : tree->attributes;
}

/* start_search prepares the windows. */
static void
start_search(Search *search, const SdcRankTree *tree, SdcRankQuery *query)
{
	int			attributes = attributes_asked(tree, query);

	search->tree = tree;
	search->query = query;
	search->space = query->space != NULL ? query->space : tree->space;
	search->credit = SDC_INTERRUPT_STEPS;
	search->tests = sdc_ranklanes_choose(tree->vectors);
	for (int a = 0; a < attributes; a++)
	{
		const SdcInterval *window = &query->window[a];
		bool		empty = window->first > window->last;

		search->test[a].first = empty ? INT32_MAX : sdc_ranklevel_signed(window->first);
		search->test[a].last = empty ? INT32_MIN : sdc_ranklevel_signed(window->last);
	}
}

/* start_root is the visit of the uppermost block. */
static inline Visit
start_root(const SdcRankTree *tree, const SdcRankQuery *query)
{
	Visit		root = {.level = tree->levels - 1};

	root.open = ~UINT64_C(0) >> (64 - attributes_asked(tree, query));
	return root;
}

/* block_bits are the places of a block where there is a child. */
static inline uint32
block_bits(const SdcRankTree *tree, const Visit *visit)
{
	uint32		children = tree->level[visit->level].count - visit->block * FAN;

	return children >= FAN ? ~UINT32_C(0) : (UINT32_C(1) << children) - 1;
}

/* test_children tests all children of a node: bits of those that may have candidates. */
static inline uint32
test_children(Search *search, const Visit *visit, SdcRankBlock *block)
{
	const SdcRankTree *tree = search->tree;
	const SdcRankLevel *level = &tree->level[visit->level];
	Size		place = (Size) visit->block * tree->attributes * FAN;
	int32		allowed = search->query->outside;
	uint32		bits;

	search->query->steps++;
	sdc_interrupts_spend(&search->credit, SDC_RANKSEARCH_CREDIT);
	for (int k = 0; k < FAN; k++)
		block->outside[k] = visit->outside;
	if (visit->level > 0)
		bits = search->tests.block(level->low + place, level->high + place, search->test,
								  visit->open, allowed, block);
	else
		bits = search->tests.points(level->low + place, search->test, visit->open, allowed,
								   block->outside);
	return bits & block_bits(tree, visit);
}

/* visit_child is the visit of the children of one child. */
static inline Visit
visit_child(const Visit *visit, const SdcRankBlock *block, int k)
{
	Visit		child;

	child.level = visit->level - 1;
	child.block = visit->block * FAN + k;
	child.outside = block->outside[k];
	child.open = block->open[0][k] | (uint64) block->open[1][k] << 32;
	return child;
}

/* points_of are the points [*first, *end) of child k of a node. */
static inline void
points_of(const SdcRankTree *tree, const Visit *visit, int k, uint32 *first, uint32 *end)
{
	uint64		child = (uint64) visit->block * FAN + k;
	uint64		next = (child + 1) << visit->level * BITS;

	*first = (uint32) (child << visit->level * BITS);
	*end = next < tree->level[0].count ? (uint32) next : tree->level[0].count;
}

/* raise_candidates makes those the candidates that are in more windows than all before. */
static inline void
raise_candidates(SdcRankQuery *query, int outside)
{
	SDC_ASSERT(outside <= query->outside);
	if (outside == query->outside)
		return;
	query->outside = outside;
	query->candidates = 0;
	query->listed = 0;
}

/* list_fits tells whether the list has place for more points, or notes that it has not. */
static inline bool
list_fits(SdcRankQuery *query, uint32 points)
{
	if (query->listed + (uint64) points <= query->capacity)
		return true;
	query->listed = query->capacity + 1;
	return false;
}

/* count_points counts candidates that come one after the other. */
static inline void
count_points(Search *search, uint32 first, uint32 end, int outside)
{
	SdcRankQuery *query = search->query;

	raise_candidates(query, outside);
	query->candidates += sdc_ranktree_start(search->tree, end) - sdc_ranktree_start(search->tree, first);
	if (list_fits(query, end - first))
		for (uint32 p = first; p < end; p++)
			query->list[query->listed++] = p;
}

/* count_leaf counts the candidates among some points of a block. */
static void
count_leaf(Search *search, const Visit *visit, const SdcRankBlock *block, uint32 bits)
{
	SdcRankQuery *query = search->query;
	const SdcRankTree *tree = search->tree;
	uint32		first = visit->block * FAN;
	int			least = query->outside;
	uint32		best = bits;

	if (bits == 0)
		return;
	if (visit->outside < query->outside)
	{
		for (uint32 rest = bits; rest != 0; rest &= rest - 1)
			if (block->outside[__builtin_ctz(rest)] < least)
				least = block->outside[__builtin_ctz(rest)];
		for (uint32 rest = bits; rest != 0; rest &= rest - 1)
			if (block->outside[__builtin_ctz(rest)] > least)
				best &= ~(rest & -rest);
	}
	raise_candidates(query, least);
	if (tree->distinct)
		query->candidates += (uint32) __builtin_popcount(best);
	else
		for (uint32 rest = best; rest != 0; rest &= rest - 1)
		{
			const uint32 *start = tree->start + first + __builtin_ctz(rest);

			query->candidates += start[1] - start[0];
		}
	if (list_fits(query, (uint32) __builtin_popcount(best)))
		for (uint32 rest = best; rest != 0; rest &= rest - 1)
			query->list[query->listed++] = first + __builtin_ctz(rest);
}

/*
 * count_block counts the candidates of a node.  Children that may be in more windows
 * come first: they may raise what a candidate must have.
 */
static void
count_block(Search *search, const Visit *visit)
{
	SdcRankBlock block;
	uint32		bits = test_children(search, visit, &block);

	if (visit->level == 0)
	{
		count_leaf(search, visit, &block, bits);
		return;
	}
	for (int outside = visit->outside; outside <= search->query->outside && bits != 0; outside++)
	{
		for (uint32 rest = bits; rest != 0; rest &= rest - 1)
		{
			int			k = __builtin_ctz(rest);
			uint32		first;
			uint32		end;
			Visit		child;

			if (block.outside[k] != outside)
				continue;
			bits &= ~(UINT32_C(1) << k);
			child = visit_child(visit, &block, k);
			if (child.open != 0)
			{
				if (outside <= search->query->outside)
					count_block(search, &child);
				continue;
			}
			points_of(search->tree, visit, k, &first, &end);
			if (outside <= search->query->outside)
				count_points(search, first, end, outside);
		}
	}
}

/* sdc_ranksearch_count: see ranksearch.h. */
void
sdc_ranksearch_count(const SdcRankTree *tree, SdcRankQuery *query)
{
	Search		search;
	Visit		root = start_root(tree, query);

	query->candidates = 0;
	query->listed = 0;
	query->steps = 0;
	start_search(&search, tree, query);
	count_block(&search, &root);
}

/* is_complete tells whether all points and the query have all coordinates. */
static bool
is_complete(const SdcRankTree *tree, const SdcMetricSpace *space, const SdcRankQuery *query)
{
	bool		complete = tree->plain;

	for (int d = 0; d < space->dimensions; d++)
		complete = complete && query->point[d] == query->point[d];
	return complete;
}

/* measure_point is the measure of the query and a point, bit by bit that of the space. */
static inline double
measure_point(const Search *search, uint32 point)
{
	const SdcMetricSpace *space = search->space;
	const double *a = search->query->point;
	const double *b = search->tree->coordinate + (Size) point * search->tree->space->dimensions;
	double		sum = 0;

	if (!search->complete)
		return sdc_metricspace_measure(space, a, b);
	for (int d = 0; d < space->dimensions; d++)
	{
		double		difference = a[d] - b[d];

		sum += difference * difference;
	}
	return sum;
}

/* corner_of is where the corners of child k of a node are. */
static inline const double *
corner_of(const Search *search, const Visit *visit, int k)
{
	Size		child = (Size) visit->block * FAN + k;

	return search->tree->level[visit->level].corner +
		child * search->tree->space->dimensions * 2;
}

/* bound_measure is a measure that no point between corners is below. */
static inline double
bound_measure(const Search *search, const double *corner)
{
	const SdcMetricSpace *space = search->space;
	const double *point = search->query->point;
	double		sum = 0;

	for (int d = 0; d < space->dimensions; d++)
	{
		double		below = corner[2 * d] - point[d];
		double		above = point[d] - corner[2 * d + 1];
		double		gap = below > above ? below : above;

		if (!(gap > 0))			/* inside, or the query's is missing */
			continue;
		if (space->nominal[d])
			sum += 1;
		else
			sum += space->squared ? gap * gap : gap;
	}
	return sum;
}

/* reach_measure is a measure that no point between corners is above. */
static double
reach_measure(const Search *search, const double *corner)
{
	const SdcMetricSpace *space = search->space;
	const double *point = search->query->point;
	double		sum = 0;

	for (int d = 0; d < space->dimensions; d++)
	{
		double		below = fabs(point[d] - corner[2 * d]);
		double		above = fabs(point[d] - corner[2 * d + 1]);
		double		gap = below > above ? below : above;

		if (gap != gap || gap == INFINITY)	/* common dimensions differ: no bound */
			return INFINITY;
		if (space->nominal[d])
			sum += gap != 0;
		else
			sum += space->squared ? gap * gap : gap;
	}
	return sum;
}

/*
 * near_point compares a candidate with the best.  If it is clearly better, all
 * that were kept are worse than tied with it, also those that there was no place for.
 */
static inline void
near_point(Search *search, uint32 point)
{
	double		measure = measure_point(search, point);

	if (!(measure <= search->limit))
		return;
	if (measure < search->query->best)
	{
		double		limit = measure * SDC_METRICSPACE_TIE;

		if (search->query->best > limit)
			search->kept = 0;
		search->query->best = measure;
		search->limit = limit;
	}
	if (search->kept < TIES_KEPT)
	{
		search->point[search->kept] = point;
		search->measure[search->kept] = measure;
	}
	if (search->kept <= TIES_KEPT)
		search->kept++;
}

/*
 * out_of_reach tells whether no point of a node matters any more.  Where ties are only
 * counted later, points as far as the best do not.
 */
static inline bool
out_of_reach(const Search *search, double bound)
{
	if (search->kept > TIES_KEPT)
		return bound >= search->query->best;
	return bound > search->limit;
}

/* has_enough tells whether a candidate is as near as is asked for. */
static inline bool
has_enough(const Search *search)
{
	return search->limit < search->query->enough;
}

/*
 * candidate_children tests all children of a node, when it is known what candidates are: bits of
 * those that have some, or may have.
 */
static inline uint32
candidate_children(Search *search, const Visit *visit, SdcRankBlock *block)
{
	uint32		bits = test_children(search, visit, block);
	bool		leaf = visit->level == 0;

	/* children are outside of what the node is outside of, at least */
	if (visit->outside == search->query->outside)
		return bits;
	for (uint32 rest = bits; rest != 0; rest &= rest - 1)
	{
		int			k = __builtin_ctz(rest);

		/* without open windows all or none of the points are candidates */
		if (block->outside[k] != search->query->outside &&
			(leaf || visit_child(visit, block, k).open == 0))
			bits &= ~(UINT32_C(1) << k);
	}
	return bits;
}

/* order_children sorts the children in bits by their bounds, and returns how many there are. */
static int
order_children(const Search *search, const Visit *visit, uint32 bits, int *order, double *bound)
{
	int			count = 0;

	for (; bits != 0; bits &= bits - 1)
	{
		int			k = __builtin_ctz(bits);
		double		of_child = bound_measure(search, corner_of(search, visit, k));
		int			hole = count;

		if (out_of_reach(search, of_child))
			continue;
		for (; hole > 0 && bound[hole - 1] > of_child; hole--)
		{
			bound[hole] = bound[hole - 1];
			order[hole] = order[hole - 1];
		}
		bound[hole] = of_child;
		order[hole] = k;
		count++;
	}
	return count;
}

/* near_block looks for the nearest candidate, in the nearest child first. */
static void
near_block(Search *search, const Visit *visit)
{
	SdcRankBlock block;
	uint32		bits = candidate_children(search, visit, &block);
	int			order[FAN];
	double		bound[FAN];
	int			count;

	if (visit->level == 0)
	{
		for (; bits != 0; bits &= bits - 1)
			near_point(search, visit->block * FAN + __builtin_ctz(bits));
		return;
	}
	count = order_children(search, visit, bits, order, bound);
	for (int i = 0; i < count && !out_of_reach(search, bound[i]) && !has_enough(search); i++)
	{
		Visit		child = visit_child(visit, &block, order[i]);

		near_block(search, &child);
	}
}

/* add_tied counts the records of points as tied. */
static inline void
add_tied(Search *search, uint32 first, uint32 end, uint32 least)
{
	search->query->ties += sdc_ranktree_start(search->tree, end) - sdc_ranktree_start(search->tree, first);
	if (least < search->query->linked)
		search->query->linked = least;
}

/* tie_point counts a candidate if it is tied with the best. */
static inline void
tie_point(Search *search, uint32 point)
{
	const SdcRankTree *tree = search->tree;

	if (measure_point(search, point) <= search->limit)
		add_tied(search, point, point + 1, sdc_ranktree_first(tree, point));
}

/* tie_block counts the candidates of a node that are tied with the best. */
static void
tie_block(Search *search, const Visit *visit)
{
	const SdcRankTree *tree = search->tree;
	SdcRankBlock block;
	uint32		bits = candidate_children(search, visit, &block);

	for (; bits != 0; bits &= bits - 1)
	{
		int			k = __builtin_ctz(bits);
		uint32		node = visit->block * FAN + k;
		const double *corner;
		Visit		child;
		uint32		first;
		uint32		end;

		if (visit->level == 0)
		{
			tie_point(search, node);
			continue;
		}
		corner = corner_of(search, visit, k);
		if (bound_measure(search, corner) > search->limit)
			continue;
		child = visit_child(visit, &block, k);
		if (child.open != 0 || reach_measure(search, corner) > search->limit)
		{
			tie_block(search, &child);
			continue;
		}
		points_of(tree, visit, k, &first, &end);
		add_tied(search, first, end, tree->level[visit->level].least[node]);
	}
}

/* no_distance tells whether the query has no coordinate, so that all are as far. */
static bool
no_distance(const Search *search)
{
	int			dimensions = search->space->dimensions;

	for (int d = 0; d < dimensions; d++)
		if (search->query->point[d] == search->query->point[d])
			return false;
	return dimensions > 0;
}

/* find_nearest looks for the least measure, among listed points or in the tree. */
static void
find_nearest(Search *search, const Visit *root)
{
	SdcRankQuery *query = search->query;

	if (query->listed <= query->capacity && query->listed <= LIST_NEAREST)
	{
		for (uint32 i = 0; i < query->listed; i++)
			near_point(search, query->list[i]);
	}
	else if (no_distance(search))
		search->kept = TIES_KEPT + 1;	/* nothing is better than the infinite best */
	else
		near_block(search, root);
}

/* sdc_ranksearch_nearest: see ranksearch.h. */
void
sdc_ranksearch_nearest(const SdcRankTree *tree, SdcRankQuery *query)
{
	Search		search;
	Visit		root = start_root(tree, query);

	query->ties = 0;
	query->linked = SDC_RECORD_NONE;
	if (query->candidates == 0)
		return;
	start_search(&search, tree, query);
	search.complete = is_complete(tree, search.space, query);
	search.limit = query->best * SDC_METRICSPACE_TIE;
	search.kept = 0;
	find_nearest(&search, &root);
	if (has_enough(&search))
		return;
	if (search.kept > TIES_KEPT)
	{
		tie_block(&search, &root);
		return;
	}
	for (uint32 i = 0; i < search.kept; i++)
		if (search.measure[i] <= search.limit)
			add_tied(&search, search.point[i], search.point[i] + 1,
					 sdc_ranktree_first(tree, search.point[i]));
}

/* sdc_ranksearch_inside: see ranksearch.h. */
void
sdc_ranksearch_inside(const SdcRankTree *tree, SdcRankQuery *query)
{
	/* candidates may be any number, and are in no list */
	query->outside = 0;
	query->candidates = 1;
	query->listed = query->capacity + 1;
	query->steps = 0;
	sdc_ranksearch_nearest(tree, query);
}

/* A search in a group. */
typedef struct GroupSearch
{
	Search		search;			/* the tree, the query, and its tests in the group's order */
	const SdcRankGroup *group;
	const uint64 *before;
	int			sets;
	SdcRankStand *stand;
	SdcRankRange range[64];		/* by place in a block */
	uint64		open;			/* places that are not of the group's attributes, but windows */
	int			most;			/* windows that a point can be in */
	int			least;			/* that it must be in */
} GroupSearch;

/* sdc_ranksearch_range: see ranksearch.h.  Of an empty window there is none. */
SdcRankRange
sdc_ranksearch_range(const uint8 *bin, const SdcInterval *window)
{
	SdcRankRange range = {0, 0};

	if (window->first > window->last)
		return range;
	/* what is not below the first bin then begins with the least signed number */
	range.shift = (uint8) (128 - bin[window->first]);
	range.span = (int8_t) (bin[window->last] - bin[window->first] - 128);
	return range;
}

/* start_group prepares the windows; false if the group's are not all there. */
static bool
start_group(GroupSearch *probe, const SdcRankRange *range)
{
	const SdcRankQuery *query = probe->search.query;
	const SdcRankGroup *group = probe->group;

	probe->open = 0;
	probe->most = group->stored;
	for (int a = 0; a < group->stored; a++)
	{
		const SdcInterval *window = &query->window[group->attribute[a]];

		probe->range[a] = range[group->attribute[a]];
		if (window->first > window->last)
		{
			if (a < group->attributes)
				return false;
			probe->most--;
		}
		else if (a < group->attributes)
		{
			probe->search.test[a].first = sdc_ranklevel_signed(window->first);
			probe->search.test[a].last = sdc_ranklevel_signed(window->last);
		}
		else
			probe->open |= UINT64_C(1) << a;
	}
	probe->search.tests = sdc_ranklanes_choose(probe->search.tree->vectors);
	return true;
}

/* add_point adds a candidate to the stand. */
static void
add_point(GroupSearch *probe, uint32 point, int inside)
{
	const SdcRankTree *tree = probe->search.tree;
	SdcRankStand *stand = probe->stand;
	uint32		records = sdc_ranktree_start(tree, point + 1) - sdc_ranktree_start(tree, point);
	double		measure = measure_point(&probe->search, point);

	if (stand->candidates == 0 || inside > stand->inside)
	{
		stand->inside = inside;
		stand->candidates = 0;
		stand->best = INFINITY;
		stand->ties = 0;
	}
	stand->candidates += records;
	if (!(measure <= stand->best * SDC_METRICSPACE_TIE))
		return;
	if (stand->ties == 0 || stand->best > measure * SDC_METRICSPACE_TIE)
	{
		/* none of those before is tied */
		stand->ties = 0;
		stand->linked = SDC_RECORD_NONE;
		stand->tied = measure;
		stand->vague = false;
	}
	else if (stand->tied > measure * SDC_METRICSPACE_TIE)
		stand->vague = true;
	stand->best = measure < stand->best ? measure : stand->best;
	stand->tied = measure > stand->tied ? measure : stand->tied;
	stand->ties += records;
	if (sdc_ranktree_first(tree, point) < stand->linked)
		stand->linked = sdc_ranktree_first(tree, point);
}

/* check_point adds a point to the stand if it is a candidate by its codes too. */
static void
check_point(GroupSearch *probe, uint32 point)
{
	const SdcRankTree *tree = probe->search.tree;
	const SdcInterval *window = probe->search.query->window;
	const int32 *code = tree->level[0].low + (Size) (point / FAN) * tree->attributes * FAN +
		point % FAN;
	uint64		member = 0;
	int			inside;

	for (int a = 0; a < tree->attributes; a++)
	{
		int32		first = sdc_ranklevel_signed(window[a].first);
		int32		last = sdc_ranklevel_signed(window[a].last);

		member |= (uint64) ((code[a * FAN] >= first) & (code[a * FAN] <= last)) << a;
	}
	inside = __builtin_popcountll(member);
	if (inside < probe->least || (probe->group->member & ~member) != 0)
		return;
	for (int i = 0; i < probe->sets; i++)
		if ((probe->before[i] & ~member) == 0)
			return;
	probe->least = inside;
	add_point(probe, point, inside);
}

/* group_leaf adds the candidates of a block of points. */
static void
group_leaf(GroupSearch *probe, uint32 block)
{
	const SdcRankGroup *group = probe->group;
	uint32		bits;

	probe->search.query->steps++;
	sdc_interrupts_spend(&probe->search.credit, SDC_RANKSEARCH_CREDIT);
	bits = probe->search.tests.members(group->bin + (Size) block * group->stored * FAN, probe->range,
							   group->attributes, probe->open, probe->most - probe->least);
	for (; bits != 0; bits &= bits - 1)
	{
		uint32		place = block * FAN + __builtin_ctz(bits);

		/* without attributes even places without a point are members */
		if (place < group->level[0].count)
			check_point(probe, group->point[place]);
	}
}

/* group_block looks into the nodes of a block that the windows reach into. */
static void
group_block(GroupSearch *probe, int level, uint32 block)
{
	const SdcRankGroup *group = probe->group;
	const SdcRankLevel *nodes = &group->level[level];
	Size		place = (Size) block * group->attributes * FAN;
	uint32		bits;

	probe->search.query->steps++;
	sdc_interrupts_spend(&probe->search.credit, SDC_RANKSEARCH_CREDIT);
	bits = probe->search.tests.overlap(nodes->low + place, nodes->high + place, probe->search.test,
							   group->attributes);
	for (; bits != 0; bits &= bits - 1)
	{
		uint32		child = block * FAN + __builtin_ctz(bits);

		if (child >= nodes->count)
			return;
		if (level > 1)
			group_block(probe, level - 1, child);
		else
			group_leaf(probe, child);
	}
}

/* sdc_ranksearch_group: see ranksearch.h. */
void
sdc_ranksearch_group(const SdcRankTree *tree, const SdcRankGroup *group, const uint64 *before,
					 int sets, int least, const SdcRankRange *range, SdcRankQuery *query,
					 SdcRankStand *stand)
{
	GroupSearch probe;

	query->steps = 0;
	probe.search.tree = tree;
	probe.search.space = tree->space;
	probe.search.query = query;
	probe.search.credit = SDC_INTERRUPT_STEPS;
	probe.group = group;
	probe.before = before;
	probe.sets = sets;
	probe.stand = stand;
	probe.least = least;
	if (!start_group(&probe, range) || probe.most < least)
		return;
	probe.search.complete = is_complete(tree, tree->space, query);
	if (group->levels > 1)
		group_block(&probe, group->levels - 1, 0);
	else
		group_leaf(&probe, 0);
}
