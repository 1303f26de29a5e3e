/*-------------------------------------------------------------------------
 *
 * celltrees.c
 *		The search tree of rank swapping linkage, over the records of a cell.
 *
 * A tree (ranktree.h) counts records and codes from 0.  So the codes that occur in the cell are
 * numbered anew, in their order, with what is missing as one more code: what is missing
 * in a window is so for the whole bucket, and where nothing is known of how a column was
 * protected it may be anywhere.
 *
 * Time: that of a tree, O(columns n log n).
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <math.h>

#include "kernel/base/ordered.h"
#include "kernel/base/wordsort.h"
#include "kernel/candidates/celltrees.h"

/* Codes for a record of the cell, up to which there is a table of them. */
#define TABLE_CODES 4

/* number_codes numbers the codes of a column in the cell, and writes those of the records. */
static void
number_codes(SdcConditions *conditions, SdcCellTree *tree, int a, uint64 *word, uint64 *spare)
{
	const SdcPairColumn *column = &conditions->pair[conditions->tree[a]];
	const uint32 *order = conditions->order + tree->start;
	uint32	   *protected = sdc_alloc_array(uint32, tree->count);
	uint32		codes = 0;
	uint64	   *sorted;
	double	   *value;

	for (uint32 i = 0; i < tree->count; i++)
	{
		sdc_interrupts_spend(&conditions->credit, 1);
		word[i] = (uint64) column->protected[order[i]] << 32 | i;
	}
	sorted = sdc_wordsort(word, spare, tree->count, 32, 32);
	tree->code[a] = sdc_alloc_array(uint32, tree->count);
	for (uint32 i = 0; i < tree->count; i++)
	{
		uint32		code = (uint32) (sorted[i] >> 32);

		sdc_interrupts_spend(&conditions->credit, 1);
		if (codes == 0 || tree->code[a][codes - 1] != code)
			tree->code[a][codes++] = code;
		protected[(uint32) sorted[i]] = codes - 1;
	}
	value = sdc_alloc_array(double, codes);
	for (uint32 c = 0; c < codes; c++)
		value[c] = column->value == NULL ? NAN : sdc_pairs_value(column, tree->code[a][c]);
	tree->codes[a] = codes;
	tree->column[a] = (SdcPairColumn) {protected, protected, codes, value};
}

/* table_codes makes the table of how many codes of the cell are below each. */
static void
table_codes(SdcConditions *conditions, SdcCellTree *tree, int a)
{
	uint32		codes = conditions->pair[conditions->tree[a]].codes;
	uint32		place = 0;

	tree->below[a] = NULL;
	if (codes / TABLE_CODES >= tree->count)
		return;
	tree->below[a] = sdc_alloc_array(uint32, (uint64) codes + 1);
	for (uint32 c = 0; c <= codes; c++)
	{
		sdc_interrupts_spend(&conditions->credit, 1);
		while (place < tree->codes[a] && tree->code[a][place] < c)
			place++;
		tree->below[a][c] = place;
	}
}

/* fit_space makes the space of the cell from that of the conditions. */
static void
fit_space(const SdcConditions *conditions, SdcCellTree *tree)
{
	tree->space = *conditions->space;
	tree->space.pairs = &tree->pairs;
	tree->space.attribute = sdc_alloc_array(int, tree->columns);
	for (int d = 0; d < tree->space.dimensions; d++)
		for (int a = 0; a < tree->columns; a++)
			if (conditions->tree[a] == conditions->space->attribute[d])
				tree->space.attribute[d] = a;
}

/* sdc_celltree_create: see celltrees.h. */
SdcCellTree *
sdc_celltree_create(SdcConditions *conditions, uint32 cell)
{
	SdcCellTree *tree = sdc_alloc(sizeof(SdcCellTree));
	int			known[SDC_CELLTREE_COLUMNS];
	uint64	   *word;
	uint64	   *spare;

	SDC_ASSERT(conditions->trees > 0 && conditions->trees <= SDC_CELLTREE_COLUMNS);
	tree->start = conditions->cell_start[cell];
	tree->count = conditions->cell_start[cell + 1] - tree->start;
	tree->columns = conditions->trees;
	tree->code = sdc_alloc_array(uint32 *, tree->columns);
	tree->codes = sdc_alloc_array(uint32, tree->columns);
	tree->below = sdc_alloc_array(uint32 *, tree->columns);
	tree->column = sdc_alloc_array(SdcPairColumn, tree->columns);
	tree->pairs = (SdcPairs) {tree->count, tree->columns, tree->column};
	word = sdc_alloc_array(uint64, tree->count);
	spare = sdc_alloc_array(uint64, tree->count);
	for (int a = 0; a < tree->columns; a++)
	{
		known[a] = a;
		number_codes(conditions, tree, a, word, spare);
		table_codes(conditions, tree, a);
	}
	sdc_free(spare);
	sdc_free(word);
	fit_space(conditions, tree);
	tree->tree = sdc_ranktree_create(&tree->pairs, known, tree->columns, &tree->space, NULL);
	return tree;
}

/* sdc_celltree_destroy accepts NULL. */
void
sdc_celltree_destroy(SdcCellTree *tree)
{
	if (tree == NULL)
		return;
	sdc_ranktree_destroy(tree->tree);
	for (int a = 0; a < tree->columns; a++)
	{
		sdc_free((void *) tree->column[a].value);
		sdc_free((void *) tree->column[a].protected);
		sdc_free(tree->code[a]);
		if (tree->below[a] != NULL)
			sdc_free(tree->below[a]);
	}
	sdc_free(tree->space.attribute);
	sdc_free(tree->column);
	sdc_free(tree->below);
	sdc_free(tree->codes);
	sdc_free(tree->code);
	sdc_free(tree);
}

/* codes_below is the number of codes of a column that are below one, which is up to their number. */
static inline uint32
codes_below(const SdcCellTree *tree, int a, uint32 code)
{
	uint32		low = 0;
	uint32		high = tree->codes[a];

	if (tree->below[a] != NULL)
		return tree->below[a][code];
	SDC_BISECT(low, high, middle, tree->code[a][middle] < code);
	return low;
}

/* sdc_celltree_windows: see celltrees.h. */
void
sdc_celltree_windows(const SdcConditions *conditions, const SdcCellTree *tree, uint32 original,
					 SdcInterval *window)
{
	for (int a = 0; a < tree->columns; a++)
	{
		int			j = conditions->paired[conditions->tree[a]];
		SdcInterval of_column;
		uint32		first;
		uint32		end;

		window[a] = (SdcInterval) {0, tree->codes[a] - 1};
		if (!conditions->windows ||
			conditions->task->column[j].kind != SDC_CANDIDATES_WINDOW ||
			conditions->task->column[j].original[original] == SDC_CODE_NULL)
			continue;
		of_column = sdc_conditions_window(conditions, j, original);
		window[a] = (SdcInterval) {1, 0};
		if (of_column.first > of_column.last)
			continue;
		first = codes_below(tree, a, of_column.first);
		end = codes_below(tree, a, of_column.last + 1);
		if (first < end)
			window[a] = (SdcInterval) {first, end - 1};
	}
}
