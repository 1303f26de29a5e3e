/*-------------------------------------------------------------------------
 *
 * lattice.c
 *		Full-domain generalization: the best node of a lattice of levels.
 *
 * K. LeFevre, D. J. DeWitt, R. Ramakrishnan, "Incognito: efficient full-domain k-anonymity", SIGMOD 2005; F. Kohlmayer,
 * F. Prasser and others, "Flash: efficient, stable and optimal k-anonymity", PASSAT 2012.  A node gives every column a
 * level.  The loss of a cell counts the values that are not told apart from its own: after V. Iyengar, "Transforming
 * data to satisfy privacy constraints", KDD 2002.
 *
 * The search is exact.  Nodes are looked at by ascending loss without suppression, which is a lower bound, as long as
 * it is not above the best; upwards it only grows.  Records in groups below k only get fewer upwards, so below a
 * node with more of them than may be suppressed nothing is feasible: such nodes are found by bisection on paths that go
 * upwards.  For l and t that holds only where nobody may be suppressed, as groups merged from good ones are good; so
 * otherwise they do not prune.
 *
 * Losses are equal within 1e-12 of them; then the node with the fewest suppressed records is taken, the least sum of
 * levels, the first one.
 *
 * Time O(nodes looked at times different combinations); memory: 13 bytes a node, and what latticenode.c has.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <math.h>

#include "kernel/base/wordsort.h"
#include "kernel/partition/latticenode.h"

/* Losses that differ by less, relatively, are equal. */
#define EQUAL_LOSS 1e-12

/* What is known of a node. */
typedef enum Tag
{
	TAG_UNKNOWN,
	TAG_FAILS,					/* it is not feasible, and nothing below it is */
	TAG_PASSES					/* it may be, and so may all above it */
} Tag;

/* The search. */
typedef struct Search
{
	const SdcLatticeTask *task;
	SdcLattice *lattice;
	uint32		nodes;
	uint32	   *weight;			/* of each column: what one level more adds to the number of a node */
	double	   *bound;			/* of each node */
	uint8	   *tag;
	uint32	   *stack;
	uint32	   *level;			/* of the node at hand */
	double	   *column_loss;	/* and what its columns lose */
	/* the best */
	bool		found;
	uint32		node;
	double		loss;
	uint32		suppressed;
	uint32		sum;			/* of its levels */
} Search;

/* sdc_lattice_nodes: see lattice.h. */
uint32
sdc_lattice_nodes(const SdcLatticeColumn *column, int columns)
{
	uint64		nodes = 1;

	for (int c = 0; c < columns && nodes <= SDC_LATTICE_NODES; c++)
		nodes *= (uint64) column[c].levels + 1;
	return nodes <= SDC_LATTICE_NODES ? (uint32) nodes : SDC_LATTICE_NODES + 1;
}

/* levels_of takes a node apart; it returns the sum of its levels. */
static uint32
levels_of(const Search *search, uint32 node, uint32 *level)
{
	uint32		sum = 0;

	for (int c = 0; c < search->task->columns; c++)
	{
		level[c] = node / search->weight[c] % (search->task->column[c].levels + 1);
		sum += level[c];
	}
	return sum;
}

/* find_bounds finds what every node loses at least. */
static void
find_bounds(Search *search)
{
	for (uint32 v = 0; v < search->nodes; v++)
	{
		sdc_interrupts_step(v);
		(void) levels_of(search, v, search->level);
		for (int c = 0; c < search->task->columns; c++)
			search->column_loss[c] = sdc_latticenode_column_loss(search->lattice, c, search->level[c]);
		search->bound[v] = sdc_latticenode_mean(search->lattice, search->column_loss);
	}
}

/* order_nodes sorts the nodes by their bounds, about: nothing but the time depends on their order. */
static uint32 *
order_nodes(const Search *search)
{
	uint64	   *word = sdc_alloc_matrix(uint64, 2, search->nodes);
	uint32	   *order = sdc_alloc_array(uint32, search->nodes);
	double		largest = 0;
	const uint64 *sorted;

	for (uint32 v = 0; v < search->nodes; v++)
		largest = fmax(largest, search->bound[v]);
	for (uint32 v = 0; v < search->nodes; v++)
		word[v] = (uint64) (largest > 0 ? search->bound[v] / largest * 0x1p40 : 0) << 20 | v;
	sorted = sdc_wordsort(word, word + search->nodes, search->nodes, 0, 64);
	for (uint32 i = 0; i < search->nodes; i++)
		order[i] = sorted[i] & 0xFFFFF;
	sdc_free(word);
	return order;
}

/* spread_tag tags a node, and all below or above it that are not yet. */
static void
spread_tag(Search *search, uint32 node, Tag tag)
{
	uint32		depth = 0;

	if (search->tag[node] != TAG_UNKNOWN)
		return;
	search->tag[node] = tag;
	search->stack[depth++] = node;
	while (depth > 0)
	{
		uint32		v = search->stack[--depth];

		sdc_interrupts_step(depth);
		for (int c = 0; c < search->task->columns; c++)
		{
			uint32		level = v / search->weight[c] % (search->task->column[c].levels + 1);
			uint32		next = tag == TAG_FAILS ? v - search->weight[c] : v + search->weight[c];

			if (level == (tag == TAG_FAILS ? 0 : search->task->column[c].levels) || search->tag[next] != TAG_UNKNOWN)
				continue;
			search->tag[next] = tag;
			search->stack[depth++] = next;
		}
	}
}

/* next_up is the node of least bound above another one of which nothing is known; nodes: there is none. */
static uint32
next_up(const Search *search, uint32 node)
{
	uint32		best = search->nodes;

	for (int c = 0; c < search->task->columns; c++)
	{
		uint32		next = node + search->weight[c];

		if (node / search->weight[c] % (search->task->column[c].levels + 1) == search->task->column[c].levels ||
			search->tag[next] != TAG_UNKNOWN)
			continue;
		if (best == search->nodes || search->bound[next] < search->bound[best])
			best = next;
	}
	return best;
}

/* climb finds on a path upwards from a node where nodes begin to pass. */
static void
climb(Search *search, uint32 node)
{
	uint32		longest = 1;
	uint32	   *path;
	uint32		length = 0;
	uint32		low = 0;
	uint32		high;

	for (int c = 0; c < search->task->columns; c++)
		longest += search->task->column[c].levels;
	path = sdc_alloc_array(uint32, longest);
	for (uint32 v = node; v != search->nodes; v = next_up(search, v))
		path[length++] = v;
	high = length;
	while (low < high)
	{
		uint32		middle = low + (high - low) / 2;

		(void) levels_of(search, path[middle], search->level);
		if (sdc_latticenode_passes(search->lattice, search->level))
		{
			spread_tag(search, path[middle], TAG_PASSES);
			high = middle;
		}
		else
		{
			spread_tag(search, path[middle], TAG_FAILS);
			low = middle + 1;
		}
	}
	sdc_free(path);
}

/* is_better tells whether a node is better than the best by now. */
static bool
is_better(const Search *search, uint32 node, double loss, uint32 suppressed, uint32 sum)
{
	double		equal = EQUAL_LOSS * fmax(loss, search->loss);

	if (!search->found || fabs(loss - search->loss) > equal)
		return !search->found || loss < search->loss;
	if (suppressed != search->suppressed)
		return suppressed < search->suppressed;
	return sum != search->sum ? sum < search->sum : node < search->node;
}

/* look_at looks at a node that may be feasible. */
static void
look_at(Search *search, uint32 node)
{
	uint32		sum = levels_of(search, node, search->level);
	const SdcLatticeTable *table = sdc_latticenode_judge(search->lattice, search->level);
	double		loss;

	if (table == NULL)
		return;
	sdc_latticenode_losses(search->lattice, table, search->column_loss);
	loss = sdc_latticenode_mean(search->lattice, search->column_loss);
	if (!is_better(search, node, loss, search->lattice->suppressed, sum))
		return;
	search->found = true;
	search->node = node;
	search->loss = loss;
	search->suppressed = search->lattice->suppressed;
	search->sum = sum;
}

/* walk looks at all nodes that can be the best. */
static void
walk(Search *search)
{
	uint32	   *order = order_nodes(search);

	for (uint32 i = 0; i < search->nodes; i++)
	{
		uint32		v = order[i];

		SDC_CHECK_INTERRUPTS();
		SDC_REPORT(i, search->nodes);
		if (search->found && search->bound[v] > search->loss * (1 + 2 * EQUAL_LOSS))
			continue;
		if (search->tag[v] == TAG_UNKNOWN)
			climb(search, v);
		if (search->tag[v] == TAG_PASSES)
			look_at(search, v);
	}
	sdc_free(order);
}

/* name_groups writes the groups of the best node to their records; the suppressed ones are one. */
static void
name_groups(Search *search, uint32 first, uint32 *group, SdcLatticeResult *result)
{
	const SdcLatticeTask *task = search->task;
	SdcLattice *lattice = search->lattice;
	const SdcLatticeTable *table;
	const uint32 *of;
	uint32	   *number;

	(void) levels_of(search, search->node, result->level);
	table = sdc_latticenode_judge(lattice, result->level);
	sdc_latticenode_losses(lattice, table, result->column_loss);
	number = sdc_alloc_array(uint32, table->groups);
	result->groups = 0;
	result->suppressed_group = UINT32_MAX;
	for (uint32 g = 0; g < table->groups; g++)
	{
		if (!lattice->fails[g])
			number[g] = first + result->groups++;
		else if (result->suppressed_group == UINT32_MAX)
			number[g] = result->suppressed_group = first + result->groups++;
		else
			number[g] = result->suppressed_group;
	}
	of = sdc_latticenode_groups(lattice, table);
	for (uint32 i = 0; i < task->records; i++)
	{
		sdc_interrupts_step(i);
		group[task->record == NULL ? i : task->record[i]] = number[of[lattice->of[i]]];
	}
	sdc_free(number);
	result->loss = search->loss;
	result->suppressed = search->suppressed;
}

/* sdc_lattice: see lattice.h. */
bool
sdc_lattice(const SdcLatticeTask *task, uint32 first, uint32 *group, SdcLatticeResult *result)
{
	Search		search = {.task = task, .nodes = sdc_lattice_nodes(task->column, task->columns)};

	SDC_ASSERT(search.nodes <= SDC_LATTICE_NODES && task->records > 0);
	search.lattice = sdc_latticenode_create(task);
	search.weight = sdc_alloc_array(uint32, task->columns);
	for (int c = task->columns - 1; c >= 0; c--)
		search.weight[c] = c == task->columns - 1 ? 1 : search.weight[c + 1] * (task->column[c + 1].levels + 1);
	search.bound = sdc_alloc_array(double, search.nodes);
	search.tag = sdc_alloc_zeros(uint8, search.nodes);
	search.stack = sdc_alloc_array(uint32, search.nodes);
	search.level = sdc_alloc_array(uint32, task->columns);
	search.column_loss = sdc_alloc_array(double, task->columns);
	find_bounds(&search);
	walk(&search);
	if (search.found)
		name_groups(&search, first, group, result);
	sdc_latticenode_destroy(search.lattice);
	sdc_free(search.weight);
	sdc_free(search.bound);
	sdc_free(search.tag);
	sdc_free(search.stack);
	sdc_free(search.level);
	sdc_free(search.column_loss);
	return search.found;
}
