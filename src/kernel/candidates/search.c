/*-------------------------------------------------------------------------
 *
 * search.c
 *		The candidates of one original after the other, bucket by bucket.
 *
 * What asks for equality comes first: buckets, then groups and bins, of which cells are left
 * (cells.h).  In a cell windows and distances are looked for record by record, or in a tree if
 * it is large (celltrees.h); without windows and distances cells are counted as they are.  Where
 * records were randomized, the bucket is searched by agreement instead (agreeing.h).
 *
 * The nearest of several cells is found by passing the least measure on from cell to cell.  What is
 * tied with it is counted when it is known.
 *
 * Cells of records with blanks (blanks.h) come after those of the bucket.  Their records are alike, so that one of them
 * tells of all.
 *
 * Trees are built when they are needed, and live as long as the bucket is at work.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <math.h>

#include "kernel/candidates/search.h"

/* sdc_search_create: see search.h. */
SdcSearch *
sdc_search_create(SdcConditions *conditions, uint32 listed)
{
	SdcSearch  *search = sdc_alloc(sizeof(SdcSearch));
	int			dimensions = conditions->space->dimensions;

	search->conditions = conditions;
	search->cells = sdc_cells_create(conditions);
	search->point = sdc_alloc_array(double, dimensions);
	search->window = sdc_alloc_array(SdcInterval, conditions->trees);
	search->query = (SdcRankQuery) {.window = search->window, .point = search->point,
	.capacity = listed, .list = sdc_alloc_array(uint32, listed)};
	search->point_of = SDC_RECORD_NONE;
	search->bucket = UINT32_MAX;
	search->at = (SdcSearchBucket) {NULL, NULL};
	search->kept = NULL;
	search->credit = SDC_INTERRUPT_STEPS;
	return search;
}

/* free_bucket frees what was prepared for a bucket. */
static void
free_bucket(const SdcSearch *search, uint32 bucket, SdcSearchBucket *prepared)
{
	const uint32 *cell = search->conditions->bucket_cell;

	sdc_agreeing_destroy(prepared->agreeing);
	if (prepared->tree == NULL)
		return;
	for (uint32 c = 0; c < cell[bucket + 1] - cell[bucket]; c++)
		sdc_celltree_destroy(prepared->tree[c]);
	sdc_free(prepared->tree);
}

/* leave_bucket frees what belongs to the bucket at work, or keeps it. */
static void
leave_bucket(SdcSearch *search)
{
	if (search->bucket == UINT32_MAX)
		return;
	if (search->kept != NULL)
		search->kept[search->bucket] = search->at;
	else
		free_bucket(search, search->bucket, &search->at);
	search->at = (SdcSearchBucket) {NULL, NULL};
	search->bucket = UINT32_MAX;
}

/* enter_bucket prepares for the originals of a bucket. */
static void
enter_bucket(SdcSearch *search, uint32 bucket)
{
	if (search->bucket == bucket)
		return;
	leave_bucket(search);
	search->bucket = bucket;
	if (search->kept != NULL)
		search->at = search->kept[bucket];
	if (search->conditions->likelihood != NULL && search->at.agreeing == NULL)
		search->at.agreeing = sdc_agreeing_create(search->conditions, bucket);
}

/* sdc_search_keep: see search.h. */
void
sdc_search_keep(SdcSearch *search)
{
	search->kept = sdc_alloc_zeros(SdcSearchBucket, search->conditions->buckets);
}

/* sdc_search_destroy frees it. */
void
sdc_search_destroy(SdcSearch *search)
{
	leave_bucket(search);
	for (uint32 b = 0; search->kept != NULL && b < search->conditions->buckets; b++)
		free_bucket(search, b, &search->kept[b]);
	if (search->kept != NULL)
		sdc_free(search->kept);
	sdc_free(search->query.list);
	sdc_free(search->window);
	sdc_free(search->point);
	sdc_cells_destroy(search->cells);
	sdc_free(search);
}

/* is_scanned tells whether a cell is looked at record by record. */
static inline bool
is_scanned(const SdcConditions *conditions, uint32 cell)
{
	return conditions->cell_start[cell + 1] - conditions->cell_start[cell] <= SDC_SEARCH_SCAN ||
		conditions->trees > SDC_CELLTREE_COLUMNS || sdc_conditions_alike(conditions, cell);
}

/* tree_of is the tree of a cell of the bucket at work. */
static SdcCellTree *
tree_of(SdcSearch *search, uint32 cell)
{
	SdcConditions *conditions = search->conditions;
	uint32		first = conditions->bucket_cell[search->bucket];
	uint32		cells = conditions->bucket_cell[search->bucket + 1] - first;

	if (search->at.tree == NULL)
		search->at.tree = sdc_alloc_zeros(SdcCellTree *, cells);
	if (search->at.tree[cell - first] == NULL)
		search->at.tree[cell - first] = sdc_celltree_create(conditions, cell);
	return search->at.tree[cell - first];
}

/* ask_tree is the same, with the windows of an original. */
static SdcCellTree *
ask_tree(SdcSearch *search, uint32 cell, uint32 original)
{
	SdcCellTree *tree = tree_of(search, cell);

	sdc_celltree_windows(search->conditions, tree, original, search->window);
	return tree;
}

/* measure_place is the measure of the original at work and the record at a place. */
static inline double
measure_place(SdcSearch *search, uint32 place)
{
	const SdcMetricSpace *space = search->conditions->space;

	return sdc_metricspace_measure(space, search->point, search->conditions->coordinate +
								   (Size) place * space->dimensions);
}

/* scan_cell counts the candidates of a cell, and lowers the measure to the least of theirs. */
static uint32
scan_cell(SdcSearch *search, uint32 cell, uint32 original, SdcCandidatesFound *found)
{
	const SdcConditions *conditions = search->conditions;
	uint32		count = 0;

	if (sdc_conditions_alike(conditions, cell))
	{
		found->measure = fmin(found->measure, measure_place(search, conditions->cell_start[cell]));
		return conditions->cell_start[cell + 1] - conditions->cell_start[cell];
	}
	for (uint32 p = conditions->cell_start[cell]; p < conditions->cell_start[cell + 1]; p++)
	{
		double		measure;

		sdc_interrupts_spend(&search->credit, 1);
		if (!sdc_conditions_inside(conditions, original, conditions->order[p]))
			continue;
		count++;
		measure = measure_place(search, p);
		found->measure = measure < found->measure ? measure : found->measure;
	}
	return count;
}

/* tie_cell counts the candidates of a cell that are tied with the best. */
static void
tie_cell(SdcSearch *search, uint32 cell, uint32 original, SdcCandidatesFound *found)
{
	const SdcConditions *conditions = search->conditions;
	uint32		start = conditions->cell_start[cell];

	if (sdc_conditions_alike(conditions, cell))
	{
		if (!(measure_place(search, start) <= found->measure * SDC_METRICSPACE_TIE))
			return;
		found->ties += conditions->cell_start[cell + 1] - start;
		found->linked = conditions->order[start] < found->linked ? conditions->order[start] : found->linked;
		return;
	}
	for (uint32 p = start; p < conditions->cell_start[cell + 1]; p++)
	{
		uint32		record = conditions->order[p];

		sdc_interrupts_spend(&search->credit, 1);
		if (!sdc_conditions_inside(conditions, original, record) ||
			!(measure_place(search, p) <= found->measure * SDC_METRICSPACE_TIE))
			continue;
		found->ties++;
		found->linked = record < found->linked ? record : found->linked;
	}
}

/* spend_query looks for a cancel after enough searches. */
static void
spend_query(SdcSearch *search)
{
	uint64		steps = 1 + search->query.steps * SDC_RANKSEARCH_CREDIT;

	sdc_interrupts_spend(&search->credit, steps < SDC_INTERRUPT_STEPS ? (uint32) steps :
						 SDC_INTERRUPT_STEPS);
}

/* search_cell does in a tree what scan_cell and tie_cell do, if it is the only cell. */
static uint32
search_cell(SdcSearch *search, uint32 cell, uint32 original, SdcCandidatesFound *found)
{
	SdcCellTree *tree = ask_tree(search, cell, original);
	SdcRankQuery *query = &search->query;

	query->outside = 0;
	sdc_ranksearch_count(tree->tree, query);
	query->best = found->measure;
	sdc_ranksearch_nearest(tree->tree, query);
	spend_query(search);
	if (query->candidates > 0)
	{
		found->measure = query->best;
		found->ties = query->ties;
		found->linked = query->linked == SDC_RECORD_NONE ? SDC_RECORD_NONE :
			search->conditions->order[tree->start + query->linked];
	}
	return query->candidates;
}

/* count_cells is for originals without windows and distances: cells are candidates as a whole. */
static void
count_cells(SdcSearch *search, SdcCandidatesFound *found)
{
	const SdcConditions *conditions = search->conditions;

	found->measure = 0;
	for (uint32 i = 0; i < search->cells->found; i++)
	{
		uint32		cell = search->cells->cell[i];
		uint32		first = conditions->order[conditions->cell_start[cell]];

		sdc_interrupts_spend(&search->credit, 1);
		found->candidates += conditions->cell_start[cell + 1] - conditions->cell_start[cell];
		found->linked = first < found->linked ? first : found->linked;
	}
	found->ties = (uint32) found->candidates;
}

/* tie_cells counts what is tied in all cells, of those that have candidates. */
static void
tie_cells(SdcSearch *search, uint32 original, SdcCandidatesFound *found)
{
	SdcCandidatesFound sum = *found;

	sum.ties = 0;
	sum.linked = SDC_RECORD_NONE;
	for (uint32 i = 0; i < search->cells->found; i++)
	{
		uint32		cell = search->cells->cell[i];

		if (is_scanned(search->conditions, cell))
		{
			tie_cell(search, cell, original, &sum);
			continue;
		}
		found->ties = 0;
		found->linked = SDC_RECORD_NONE;
		search_cell(search, cell, original, found);
		sum.ties += found->ties;
		sum.linked = found->linked < sum.linked ? found->linked : sum.linked;
	}
	*found = sum;
}

/* take_point computes the coordinates of an original, unless they are there. */
static void
take_point(SdcSearch *search, uint32 original)
{
	if (search->point_of != original)
		sdc_metricspace_original(search->conditions->space, original, search->point);
	search->point_of = original;
}

/* take_original prepares for an original: its bucket, coordinates and cells. */
static void
take_original(SdcSearch *search, uint32 original)
{
	enter_bucket(search, search->conditions->bucket[original]);
	take_point(search, original);
	if (search->at.agreeing != NULL)
		sdc_likelihood_take(search->conditions->likelihood, original);
	else
		sdc_cells_find(search->cells, original);
}

/* sdc_search_find: see search.h. */
void
sdc_search_find(SdcSearch *search, uint32 original, SdcCandidatesFound *found)
{
	const SdcConditions *conditions = search->conditions;
	SdcCandidatesFound hint = *found;
	uint32		kept = 0;

	take_original(search, original);
	if (search->at.agreeing != NULL)
	{
		sdc_agreeing_find(search->at.agreeing, original, search->point, hint.likelihood, found);
		return;
	}
	*found = (SdcCandidatesFound) {.measure = hint.measure, .linked = SDC_RECORD_NONE};
	if (conditions->trees == 0)
	{
		count_cells(search, found);
		return;
	}
	for (uint32 i = 0; i < search->cells->found; i++)
	{
		uint32		cell = search->cells->cell[i];
		uint32		count = is_scanned(conditions, cell) ?
			scan_cell(search, cell, original, found) : search_cell(search, cell, original, found);

		found->candidates += count;
		if (count > 0)
			search->cells->cell[kept++] = cell;
	}
	search->cells->found = kept;
	if (kept == 0 || (kept == 1 && !is_scanned(conditions, search->cells->cell[0])))
		return;
	tie_cells(search, original, found);
}

/* sdc_search_tree: see search.h. */
const SdcCellTree *
sdc_search_tree(SdcSearch *search, uint32 bucket)
{
	const SdcConditions *conditions = search->conditions;
	uint32		cell = conditions->bucket_cell[bucket];

	if (conditions->bucket_cell[bucket + 1] - cell != 1 || conditions->likelihood != NULL ||
		conditions->trees == 0 || is_scanned(conditions, cell))
		return NULL;
	enter_bucket(search, bucket);
	return tree_of(search, cell);
}

/* list_cell writes the candidates of a cell. */
static uint32
list_cell(SdcSearch *search, uint32 cell, uint32 original, uint32 *record)
{
	const SdcConditions *conditions = search->conditions;
	uint32		count = 0;

	for (uint32 p = conditions->cell_start[cell]; p < conditions->cell_start[cell + 1]; p++)
	{
		sdc_interrupts_spend(&search->credit, 1);
		if (sdc_conditions_inside(conditions, original, conditions->order[p]))
			record[count++] = conditions->order[p];
	}
	return count;
}

/* list_tree does so with a tree. */
static uint32
list_tree(SdcSearch *search, uint32 cell, uint32 original, uint32 *record)
{
	SdcCellTree *tree = ask_tree(search, cell, original);
	SdcRankQuery *query = &search->query;
	uint32		count = 0;

	query->outside = 0;
	sdc_ranksearch_count(tree->tree, query);
	spend_query(search);
	SDC_ASSERT(query->listed <= query->capacity);
	for (uint32 i = 0; i < query->listed; i++)
		for (uint32 r = sdc_ranktree_start(tree->tree, query->list[i]);
			 r < sdc_ranktree_start(tree->tree, query->list[i] + 1); r++)
		{
			sdc_interrupts_spend(&search->credit, 1);
			record[count++] = search->conditions->order[tree->start + tree->tree->record[r]];
		}
	return count;
}

/* sdc_search_list: see search.h. */
uint32
sdc_search_list(SdcSearch *search, uint32 original, uint32 *record)
{
	uint32		count = 0;

	take_original(search, original);
	if (search->at.agreeing != NULL)
		return sdc_agreeing_list(search->at.agreeing, original, record);
	for (uint32 i = 0; i < search->cells->found; i++)
	{
		uint32		cell = search->cells->cell[i];

		count += search->conditions->windows && !is_scanned(search->conditions, cell) ?
			list_tree(search, cell, original, record + count) :
			list_cell(search, cell, original, record + count);
	}
	return count;
}

/* sdc_search_mask: see search.h. */
const uint64 *
sdc_search_mask(SdcSearch *search, uint32 original)
{
	take_original(search, original);
	SDC_ASSERT(search->at.agreeing != NULL);
	return sdc_agreeing_mask(search->at.agreeing, original);
}

/* sdc_search_own: see search.h. */
double
sdc_search_own(SdcSearch *search, uint32 original, uint32 record)
{
	take_point(search, original);
	return measure_place(search, search->conditions->place[record]);
}
