/*-------------------------------------------------------------------------
 *
 * lawtree.c
 *		The records of a bucket in a tree that knows how likely an original can have become them.
 *
 * A kd-tree (kdorder.h) over the columns that have laws, and over windows.  Every node has the interval of the codes of
 * each column.  The likelihood of a record is a product of what its columns say, so that of all records of a node is at
 * most the product of their bounds (likelihood.h): branch and bound, as J. H. Friedman, J. L. Bentley and R. A. Finkel
 * look for neighbours (1977), with a likelihood in the place of a distance.  Where all values of a node are possible in
 * every column its records are counted at once.
 *
 * Groups and bins are asked record by record.
 *
 * Time: building O(columns n log n); a search about O(log n) for few columns, at most O(columns n).  Memory: 4 bytes a
 * record, and a byte more for each column.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <math.h>

#include "kernel/base/kdorder.h"
#include "kernel/candidates/lawtree.h"

/* Records of a leaf. */
#define LEAF 16

/* What rounding can do to a bound, and more. */
#define BOUND_SLACK 1e-6

struct SdcLawTree
{
	SdcConditions *conditions;
	uint32	   *record;			/* in the order of the tree */
	uint32		count;
	int			dimensions;
	int		   *column;			/* by dimension: index in task->column */
	SdcInterval *box;			/* by node and dimension: the least and the greatest code */
	bool		single;			/* groups and bins are asked record by record */
	uint32		credit;

	/* of the search at work */
	uint32		original;
	const double *best;
	SdcLawTreeFound found;
	void	   *arg;
};

/* A node: its number, and its records. */
typedef struct LawNode
{
	uint64		number;			/* those below are 2 number + 1 and 2 number + 2 */
	uint32		start;
	uint32		end;
} LawNode;

/* sdc_lawtree_fits: see lawtree.h. */
bool
sdc_lawtree_fits(const SdcConditions *conditions)
{
	for (int s = 0; s < conditions->likelihood->draws; s++)
		if (!conditions->likelihood->draw[s].laws)
			return false;
	return true;
}

/* is_leaf tells whether there are no nodes below. */
static inline bool
is_leaf(LawNode node)
{
	return node.end - node.start <= LEAF;
}

/* left_of and right_of are the nodes below one. */
static inline LawNode
left_of(LawNode node)
{
	return (LawNode) {2 * node.number + 1, node.start, sdc_kdorder_middle(node.start, node.end, LEAF)};
}

static inline LawNode
right_of(LawNode node)
{
	return (LawNode) {2 * node.number + 2, sdc_kdorder_middle(node.start, node.end, LEAF), node.end};
}

/* nodes_of is more than the greatest number that a node has. */
static uint64
nodes_of(uint32 count)
{
	uint64		nodes = 1;

	for (uint64 leaves = 1; leaves * LEAF < count; leaves *= 2)
		nodes = 2 * nodes + 1;
	return nodes;
}

/* fill_boxes writes the intervals of a node and of those below. */
static void
fill_boxes(SdcLawTree *tree, LawNode node)
{
	SdcInterval *box = tree->box + node.number * tree->dimensions;

	if (!is_leaf(node))
	{
		const SdcInterval *left = tree->box + left_of(node).number * tree->dimensions;
		const SdcInterval *right = tree->box + right_of(node).number * tree->dimensions;

		fill_boxes(tree, left_of(node));
		fill_boxes(tree, right_of(node));
		for (int d = 0; d < tree->dimensions; d++)
			box[d] = (SdcInterval) {
				left[d].first < right[d].first ? left[d].first : right[d].first,
					left[d].last > right[d].last ? left[d].last : right[d].last
			};
		return;
	}
	sdc_interrupts_spend(&tree->credit, LEAF);
	for (int d = 0; d < tree->dimensions; d++)
	{
		const uint32 *code = tree->conditions->task->column[tree->column[d]].protected;

		box[d] = (SdcInterval) {SDC_CODE_NULL, 0};
		for (uint32 i = node.start; i < node.end; i++)
		{
			uint32		own = code[tree->record[i]];

			box[d].first = own < box[d].first ? own : box[d].first;
			box[d].last = own > box[d].last ? own : box[d].last;
		}
	}
}

/* order_records puts the records in the order of the tree: codes, which are ranks, are the coordinates. */
static void
order_records(SdcLawTree *tree, uint32 first)
{
	const SdcConditions *conditions = tree->conditions;
	double	  **coordinate = sdc_alloc_array(double *, tree->dimensions);

	for (int d = 0; d < tree->dimensions; d++)
	{
		const SdcCandidatesColumn *column = &conditions->task->column[tree->column[d]];

		coordinate[d] = sdc_alloc_array(double, tree->count);
		for (uint32 i = 0; i < tree->count; i++)
		{
			sdc_interrupts_spend(&tree->credit, 1);
			coordinate[d][i] = (double) column->protected[conditions->order[first + i]] / column->codes;
		}
	}
	for (uint32 i = 0; i < tree->count; i++)
		tree->record[i] = i;
	sdc_kdorder_build((const double *const *) coordinate, tree->dimensions, tree->record, tree->count, LEAF);
	for (uint32 i = 0; i < tree->count; i++)
		tree->record[i] = conditions->order[first + tree->record[i]];
	for (int d = 0; d < tree->dimensions; d++)
		sdc_free(coordinate[d]);
	sdc_free(coordinate);
}

/* sdc_lawtree_create: see lawtree.h. */
SdcLawTree *
sdc_lawtree_create(SdcConditions *conditions, uint32 first, uint32 count)
{
	SdcLawTree *tree = sdc_alloc(sizeof(SdcLawTree));
	int			windows = conditions->windows ? conditions->count[SDC_CANDIDATES_WINDOW] : 0;

	tree->conditions = conditions;
	tree->count = count;
	tree->credit = SDC_INTERRUPT_STEPS;
	tree->single = conditions->task->joints > 0 ||
		conditions->count[SDC_CANDIDATES_RANGE] + conditions->count[SDC_CANDIDATES_SET] > 0;
	tree->column = sdc_alloc_array(int, (uint64) windows + conditions->count[SDC_CANDIDATES_RANDOMIZED]);
	tree->dimensions = 0;
	for (int a = 0; a < conditions->count[SDC_CANDIDATES_RANDOMIZED]; a++)
		tree->column[tree->dimensions++] = conditions->column[SDC_CANDIDATES_RANDOMIZED][a];
	for (int a = 0; a < windows; a++)
		tree->column[tree->dimensions++] = conditions->column[SDC_CANDIDATES_WINDOW][a];
	tree->record = sdc_alloc_array(uint32, count);
	order_records(tree, first);
	tree->box = sdc_alloc_matrix(SdcInterval, tree->dimensions, nodes_of(count));
	fill_boxes(tree, (LawNode) {0, 0, count});
	return tree;
}

/* sdc_lawtree_destroy accepts NULL. */
void
sdc_lawtree_destroy(SdcLawTree *tree)
{
	if (tree == NULL)
		return;
	sdc_free(tree->box);
	sdc_free(tree->record);
	sdc_free(tree->column);
	sdc_free(tree);
}

/*
 * bound_node is what a record of a node is likely at most.  What is missing in the original is so in the whole bucket,
 * and says nothing.
 */
static double
bound_node(const SdcLawTree *tree, LawNode node)
{
	const SdcConditions *conditions = tree->conditions;
	const SdcInterval *box = tree->box + node.number * tree->dimensions;
	double		sum = 0;

	for (int d = 0; d < tree->dimensions && sum > -INFINITY; d++)
	{
		int			j = tree->column[d];
		const SdcCandidatesColumn *column = &conditions->task->column[j];
		uint32		own = column->original[tree->original];
		SdcInterval window;

		if (own == SDC_CODE_NULL)
			continue;
		if (column->kind != SDC_CANDIDATES_WINDOW)
		{
			sum += sdc_likelihood_bound(conditions->likelihood, j, own, box[d]);
			continue;
		}
		window = sdc_conditions_window(conditions, j, tree->original);
		if (window.first > window.last || box[d].first > window.last || box[d].last < window.first)
			return -INFINITY;
	}
	return sum;
}

/* is_whole tells that all records of a node are candidates; false: perhaps. */
static bool
is_whole(const SdcLawTree *tree, LawNode node)
{
	const SdcConditions *conditions = tree->conditions;
	const SdcInterval *box = tree->box + node.number * tree->dimensions;
	bool		whole = !tree->single;

	for (int d = 0; d < tree->dimensions && whole; d++)
	{
		int			j = tree->column[d];
		const SdcCandidatesColumn *column = &conditions->task->column[j];
		uint32		own = column->original[tree->original];

		if (own != SDC_CODE_NULL && column->kind == SDC_CANDIDATES_WINDOW)
		{
			SdcInterval window = sdc_conditions_window(conditions, j, tree->original);

			whole = box[d].first >= window.first && box[d].last <= window.last;
		}
		else if (own != SDC_CODE_NULL)
			whole = sdc_likelihood_sure(conditions->likelihood, j, own, box[d]);
	}
	return whole;
}

/* count_node counts the candidates of a node. */
static uint32
count_node(SdcLawTree *tree, LawNode node)
{
	uint32		count = 0;

	sdc_interrupts_spend(&tree->credit, 1);
	if (is_whole(tree, node))
		return node.end - node.start;
	if (bound_node(tree, node) == -INFINITY)
		return 0;
	if (!is_leaf(node))
		return count_node(tree, left_of(node)) + count_node(tree, right_of(node));
	for (uint32 i = node.start; i < node.end; i++)
		count += sdc_conditions_log(tree->conditions, tree->original, tree->record[i]) > -INFINITY;
	return count;
}

/* sdc_lawtree_count: see lawtree.h. */
uint32
sdc_lawtree_count(SdcLawTree *tree, uint32 original)
{
	tree->original = original;
	return count_node(tree, (LawNode) {0, 0, tree->count});
}

/* search_node looks for likely records of a node, first where they can be the most likely. */
static void
search_node(SdcLawTree *tree, LawNode node, double bound)
{
	double		left;
	double		right;

	if (!(bound > -INFINITY) || bound < *tree->best - BOUND_SLACK)
		return;
	sdc_interrupts_spend(&tree->credit, 1);
	if (is_leaf(node))
	{
		for (uint32 i = node.start; i < node.end; i++)
		{
			double		likelihood = sdc_conditions_log(tree->conditions, tree->original, tree->record[i]);

			if (likelihood > -INFINITY)
				tree->found(tree->arg, tree->record[i], likelihood);
		}
		return;
	}
	left = bound_node(tree, left_of(node));
	right = bound_node(tree, right_of(node));
	if (left >= right)
		search_node(tree, left_of(node), left);
	search_node(tree, right_of(node), right);
	if (!(left >= right))
		search_node(tree, left_of(node), left);
}

/* sdc_lawtree_search: see lawtree.h. */
void
sdc_lawtree_search(SdcLawTree *tree, uint32 original, const double *best, SdcLawTreeFound found, void *arg)
{
	LawNode		root = {0, 0, tree->count};

	tree->original = original;
	tree->best = best;
	tree->found = found;
	tree->arg = arg;
	search_node(tree, root, bound_node(tree, root));
}
