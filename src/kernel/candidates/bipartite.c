/*-------------------------------------------------------------------------
 *
 * bipartite.c
 *		Whether every row on the left can have a row on the right of its own.
 *
 * J. E. Hopcroft, R. M. Karp, "An n^(5/2) algorithm for maximum matchings in bipartite graphs", SIAM Journal on
 * Computing 2, 1973.  Each row gets the first one that is free.  Then in phases: rows on the left are put into levels,
 * by the shortest path from one that has none, and along such paths rows are passed on.  A row on the right is
 * looked at once in a phase.
 *
 * Memory: the bitmaps, and O(rows).
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/candidates/bipartite.h"

/* sdc_bipartite_create: see bipartite.h. */
SdcBipartite *
sdc_bipartite_create(void)
{
	SdcBipartite *graph = sdc_alloc_zeros(SdcBipartite, 1);

	graph->credit = SDC_INTERRUPT_STEPS;
	return graph;
}

/* free_work frees what belongs to rows. */
static void
free_work(SdcBipartite *graph)
{
	if (graph->rows == 0)
		return;
	sdc_free(graph->fresh);
	sdc_free(graph->at);
	sdc_free(graph->taken);
	sdc_free(graph->list);
	sdc_free(graph->level);
	sdc_free(graph->owner);
	sdc_free(graph->match);
	graph->rows = 0;
}

/* sdc_bipartite_destroy frees it. */
void
sdc_bipartite_destroy(SdcBipartite *graph)
{
	free_work(graph);
	if (graph->edge != NULL)
		sdc_free(graph->edge);
	sdc_free(graph);
}

/* need_work has room for so many rows on a side. */
static void
need_work(SdcBipartite *graph, uint32 rows)
{
	if (rows <= graph->rows)
		return;
	free_work(graph);
	graph->match = sdc_alloc_array(uint32, rows);
	graph->owner = sdc_alloc_array(uint32, rows);
	graph->level = sdc_alloc_array(uint32, rows);
	graph->list = sdc_alloc_array(uint32, rows);
	graph->taken = sdc_alloc_array(uint32, rows);
	graph->at = sdc_alloc_array(Size, rows);
	graph->fresh = sdc_alloc_array(uint64, (uint64) rows / SDC_BITSET_BITS + 1);
	graph->rows = rows;
}

/* sdc_bipartite_begin: see bipartite.h. */
void
sdc_bipartite_begin(SdcBipartite *graph, uint32 left, uint32 right)
{
	Size		words = (Size) right / SDC_BITSET_BITS + 1;
	uint64		needed = (uint64) left * words;

	need_work(graph, left > right ? left : right);
	if (needed > graph->room)
	{
		if (graph->edge != NULL)
			sdc_free(graph->edge);
		graph->edge = sdc_alloc_matrix(uint64, left, words);
		graph->room = needed;
	}
	graph->left = left;
	graph->right = right;
	graph->words = words;
	for (uint32 row = 0; row < left; row++)
	{
		sdc_interrupts_spend(&graph->credit, (uint32) words);
		memset(sdc_bipartite_edges(graph, row), 0, words * sizeof(uint64));
	}
}

/* all_fresh has all rows on the right be looked at again. */
static void
all_fresh(SdcBipartite *graph)
{
	memset(graph->fresh, 0xFF, graph->words * sizeof(uint64));
}

/* give_first gives each row the first one that is free, and returns how many have none. */
static uint32
give_first(SdcBipartite *graph)
{
	uint32		without = 0;

	all_fresh(graph);
	for (uint32 r = 0; r < graph->right; r++)
		graph->owner[r] = SDC_BIPARTITE_NONE;
	for (uint32 row = 0; row < graph->left; row++)
	{
		const uint64 *edge = sdc_bipartite_edges(graph, row);
		Size		w = 0;

		sdc_interrupts_spend(&graph->credit, (uint32) graph->words);
		graph->match[row] = SDC_BIPARTITE_NONE;
		while (w < graph->words && (edge[w] & graph->fresh[w]) == 0)
			w++;
		if (w == graph->words)
		{
			without++;
			continue;
		}
		graph->match[row] = (uint32) (w * SDC_BITSET_BITS) + (uint32) __builtin_ctzll(edge[w] & graph->fresh[w]);
		graph->owner[graph->match[row]] = row;
		sdc_bitset_remove(graph->fresh, graph->match[row]);
	}
	return without;
}

/* put_levels puts rows on the left into levels; false: no path leads to a free row on the right. */
static bool
put_levels(SdcBipartite *graph)
{
	uint32		count = 0;
	bool		reached = false;

	all_fresh(graph);
	for (uint32 row = 0; row < graph->left; row++)
	{
		bool		first = graph->match[row] == SDC_BIPARTITE_NONE;

		graph->level[row] = first ? 0 : SDC_BIPARTITE_NONE;
		graph->at[row] = 0;
		if (first)
			graph->list[count++] = row;
	}
	for (uint32 next = 0; next < count; next++)
	{
		uint32		row = graph->list[next];
		const uint64 *edge = sdc_bipartite_edges(graph, row);

		sdc_interrupts_spend(&graph->credit, (uint32) graph->words);
		for (Size w = 0; w < graph->words; w++)
		{
			uint64		found = edge[w] & graph->fresh[w];

			graph->fresh[w] &= ~found;
			for (; found != 0; found &= found - 1)
			{
				uint32		owner = graph->owner[w * SDC_BITSET_BITS + (Size) __builtin_ctzll(found)];

				reached = reached || owner == SDC_BIPARTITE_NONE;
				if (owner == SDC_BIPARTITE_NONE)
					continue;
				graph->level[owner] = graph->level[row] + 1;
				graph->list[count++] = owner;
			}
		}
	}
	return reached;
}

/* next_right is the next row on the right that a path can go to from a row on the left, or none. */
static uint32
next_right(SdcBipartite *graph, uint32 row)
{
	const uint64 *edge = sdc_bipartite_edges(graph, row);

	for (; graph->at[row] < graph->words; graph->at[row]++)
	{
		Size		w = graph->at[row];

		sdc_interrupts_spend(&graph->credit, 1);
		for (uint64 found = edge[w] & graph->fresh[w]; found != 0; found &= found - 1)
		{
			uint32		right = (uint32) (w * SDC_BITSET_BITS) + (uint32) __builtin_ctzll(found);
			uint32		owner = graph->owner[right];

			if (owner == SDC_BIPARTITE_NONE || graph->level[owner] == graph->level[row] + 1)
				return right;
		}
	}
	return SDC_BIPARTITE_NONE;
}

/* pass_on looks for a path from a row without one to a free row, and passes rows on along it; false: there is none. */
static bool
pass_on(SdcBipartite *graph, uint32 row)
{
	uint32		depth = 0;

	graph->list[0] = row;
	for (;;)
	{
		uint32		right = next_right(graph, graph->list[depth]);

		if (right == SDC_BIPARTITE_NONE)
		{
			if (depth-- == 0)
				return false;
			continue;
		}
		sdc_bitset_remove(graph->fresh, right);
		graph->taken[depth] = right;
		if (graph->owner[right] == SDC_BIPARTITE_NONE)
			break;
		graph->list[++depth] = graph->owner[right];
	}
	for (uint32 d = 0; d <= depth; d++)
	{
		graph->match[graph->list[d]] = graph->taken[d];
		graph->owner[graph->taken[d]] = graph->list[d];
	}
	return true;
}

/* sdc_bipartite_matches: see bipartite.h. */
bool
sdc_bipartite_matches(SdcBipartite *graph)
{
	uint32		without = graph->left > graph->right ? graph->left : give_first(graph);

	while (without > 0)
	{
		if (graph->left > graph->right || !put_levels(graph))
			return false;
		all_fresh(graph);
		for (uint32 row = 0; row < graph->left; row++)
			if (graph->match[row] == SDC_BIPARTITE_NONE)
				without -= pass_on(graph, row);
	}
	return true;
}
