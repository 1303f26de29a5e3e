/*-------------------------------------------------------------------------
 *
 * cells.c
 *		In which cells of a bucket the candidates of an original are: groups and bins.
 *
 * The groups that can contain a value of a column are a bitmap (codemaps.h); those of all
 * columns are their intersection.  A bucket of few cells is quicker looked at cell by cell.
 * Within a bucket cells are in the order of the first joint swap's bin, then of the other bins and
 * the group: what is looked for first, bins or groups, is found by binary search, unless there
 * are so many of them that all cells are looked at.
 *
 * Time: for an original O(groups / 64) a column, and what it finds, times a logarithm; or the cells
 * of its bucket.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/base/ordered.h"
#include "kernel/base/wordsort.h"
#include "kernel/candidates/blanks.h"
#include "kernel/candidates/cells.h"

/* Words of a bitmap that take as long as to test one cell. */
#define WORDS_A_CELL 8

/* create_range makes the list of a RANGE column: groups come at the least code, and go after the last. */
static void
create_range(SdcCells *cells, int a)
{
	const SdcCandidatesTask *task = cells->conditions->task;
	const SdcCandidatesColumn *column =
		&task->column[cells->conditions->column[SDC_CANDIDATES_RANGE][a]];
	uint64	   *entry = sdc_alloc_matrix(uint64, 2, task->groups);
	uint64		count = 0;

	cells->whole[a] = sdc_alloc_zeros(uint64, cells->words);
	for (uint32 g = 0; g < task->groups; g++)
	{
		SdcInterval range = column->range[g];

		sdc_interrupts_spend(&cells->credit, 1);
		if (range.first == SDC_CODE_NULL)
			sdc_bitset_add(cells->whole[a], g);
		else if (range.first <= range.last)
		{
			entry[count++] = (uint64) range.first << 32 | g;
			entry[count++] = ((uint64) range.last + 1) << 32 | g;
		}
	}
	sdc_codemap_create(&cells->range[a], entry, count, task->groups);
	sdc_free(entry);
}

/* create_set makes the list of a SET column. */
static void
create_set(SdcCells *cells, int a)
{
	const SdcNumberLists *sets = &cells->conditions->sets[a];
	uint64		count = sets->start[sets->lists];
	uint64	   *entry = sdc_alloc_array(uint64, count);

	cells->anything[a] = cells->conditions->anything[a] ? sdc_alloc_zeros(uint64, cells->words) : NULL;
	for (uint64 e = 0; e < count; e++)
	{
		sdc_interrupts_spend(&cells->credit, 1);
		entry[e] = sets->pair[e] << 32 | sets->pair[e] >> 32;
		if ((uint32) sets->pair[e] == SDC_CANDIDATES_ANYTHING)
			sdc_bitset_add(cells->anything[a], (uint32) (sets->pair[e] >> 32));
	}
	sdc_codemap_create(&cells->set[a], entry, count, sets->lists);
	sdc_free(entry);
}

/* sdc_cells_create: see cells.h. */
SdcCells *
sdc_cells_create(const SdcConditions *conditions)
{
	SdcCells   *cells = sdc_alloc(sizeof(SdcCells));
	int			ranges = conditions->count[SDC_CANDIDATES_RANGE];
	int			sets = conditions->count[SDC_CANDIDATES_SET];
	uint32		most = 1;

	cells->conditions = conditions;
	cells->credit = SDC_INTERRUPT_STEPS;
	cells->words = sdc_bitset_words(conditions->task->groups);
	cells->range = sdc_alloc_array(SdcCodeMap, ranges);
	cells->whole = sdc_alloc_array(uint64 *, ranges);
	cells->set = sdc_alloc_array(SdcCodeMap, sets);
	cells->anything = sdc_alloc_array(uint64 *, sets);
	for (int a = 0; a < ranges; a++)
		create_range(cells, a);
	for (int a = 0; a < sets; a++)
		create_set(cells, a);
	cells->groups = sdc_alloc_array(uint64, cells->words);
	cells->groups_of = SDC_RECORD_NONE;
	for (uint32 b = 0; b < conditions->buckets; b++)
	{
		uint32		count = conditions->bucket_cell[b + 1] - conditions->bucket_cell[b];

		most = count > most && b != conditions->blank_bucket ? count : most;
	}
	cells->cell = sdc_alloc_array(uint32, (uint64) most + sdc_blanks_cells(conditions->blanks));
	return cells;
}

/* sdc_cells_destroy frees it. */
void
sdc_cells_destroy(SdcCells *cells)
{
	sdc_free(cells->cell);
	sdc_free(cells->groups);
	for (int a = 0; a < cells->conditions->count[SDC_CANDIDATES_SET]; a++)
	{
		sdc_codemap_destroy(&cells->set[a]);
		if (cells->anything[a] != NULL)
			sdc_free(cells->anything[a]);
	}
	for (int a = 0; a < cells->conditions->count[SDC_CANDIDATES_RANGE]; a++)
	{
		sdc_codemap_destroy(&cells->range[a]);
		sdc_free(cells->whole[a]);
	}
	sdc_free(cells->anything);
	sdc_free(cells->set);
	sdc_free(cells->whole);
	sdc_free(cells->range);
	sdc_free(cells);
}

/* intersect_range leaves the groups that have a value in their range. */
static void
intersect_range(SdcCells *cells, int a, uint32 code)
{
	const uint64 *whole = cells->whole[a];
	const uint64 *inside;

	if (code == SDC_CODE_NULL)
	{
		sdc_bitset_intersect(cells->groups, whole, cells->words);
		return;
	}
	inside = sdc_codemap_take(&cells->range[a], (SdcInterval) {0, code});
	for (Size w = 0; w < cells->words; w++)
		cells->groups[w] &= inside[w] | whole[w];
}

/* intersect_set leaves the groups that have a value in their set. */
static void
intersect_set(SdcCells *cells, int a, uint32 code)
{
	const uint64 *inside = sdc_codemap_take(&cells->set[a], (SdcInterval) {code, code});
	const uint64 *anything = cells->anything[a];

	if (anything == NULL)
		sdc_bitset_intersect(cells->groups, inside, cells->words);
	else
		for (Size w = 0; w < cells->words; w++)
			cells->groups[w] &= inside[w] | anything[w];
}

/* take_groups finds the groups that an original can be in. */
static void
take_groups(SdcCells *cells, uint32 original)
{
	const SdcConditions *conditions = cells->conditions;
	const SdcCandidatesColumn *column = conditions->task->column;

	if (cells->groups_of == original)
		return;
	cells->groups_of = original;
	memset(cells->groups, 0xFF, cells->words * sizeof(uint64));
	for (int a = 0; a < conditions->count[SDC_CANDIDATES_RANGE]; a++)
		intersect_range(cells, a, column[conditions->column[SDC_CANDIDATES_RANGE][a]].original[original]);
	for (int a = 0; a < conditions->count[SDC_CANDIDATES_SET]; a++)
		intersect_set(cells, a, column[conditions->column[SDC_CANDIDATES_SET][a]].original[original]);
	sdc_interrupts_spend(&cells->credit, cells->words < SDC_INTERRUPT_STEPS ?
						 (uint32) cells->words : SDC_INTERRUPT_STEPS);
}

/* first_of is a record of a cell: in all that makes cells it is like the others. */
static inline uint32
first_of(const SdcConditions *conditions, uint32 cell)
{
	return conditions->order[conditions->cell_start[cell]];
}

/* lead_of is what the cells of a bucket are in the order of. */
static inline uint32
lead_of(const SdcConditions *conditions, uint32 cell)
{
	const SdcCandidatesTask *task = conditions->task;

	return (task->joints > 0 ? task->joint[0].bin : task->group)[first_of(conditions, cell)];
}

/* try_cell adds a cell if an original can be in it; bitmap: its groups are known. */
static void
try_cell(SdcCells *cells, uint32 original, uint32 cell, bool bitmap)
{
	const SdcConditions *conditions = cells->conditions;
	uint32		record = first_of(conditions, cell);

	sdc_interrupts_spend(&cells->credit, 1);
	if (bitmap ? !sdc_bitset_contains(cells->groups, conditions->task->group[record]) :
		!sdc_conditions_group(conditions, original, record))
		return;
	if (sdc_conditions_bins(conditions, original, record))
		cells->cell[cells->found++] = cell;
}

/* try_lead tries the cells of a bucket from first on that have a bin or group, and what follows. */
static uint32
try_lead(SdcCells *cells, uint32 original, uint32 first, uint32 end, uint32 lead, bool bitmap)
{
	uint32		high = end;

	SDC_BISECT(first, high, middle, lead_of(cells->conditions, middle) < lead);
	for (; first < end && lead_of(cells->conditions, first) == lead; first++)
		try_cell(cells, original, first, bitmap);
	return first;
}

/* try_groups tries the cells of the groups in the bitmap. */
static void
try_groups(SdcCells *cells, uint32 original, uint32 first, uint32 end)
{
	for (Size w = 0; w < cells->words; w++)
		for (uint64 rest = cells->groups[w]; rest != 0 && first < end; rest &= rest - 1)
			first = try_lead(cells, original, first, end,
							 (uint32) (w * SDC_BITSET_BITS) + __builtin_ctzll(rest), true);
}

/* find_bucket finds the cells of the bucket of an original. */
static void
find_bucket(SdcCells *cells, uint32 original)
{
	const SdcConditions *conditions = cells->conditions;
	uint32		bucket = conditions->bucket[original];
	uint32		first = conditions->bucket_cell[bucket];
	uint32		end = conditions->bucket_cell[bucket + 1];
	uint64		count = end - first;
	uint64		search = 2 * sdc_wordsort_width(count) + 1;	/* what it takes, in cells */
	bool		grouped = conditions->count[SDC_CANDIDATES_RANGE] +
		conditions->count[SDC_CANDIDATES_SET] > 0;
	bool		bitmap = grouped && count > cells->words / WORDS_A_CELL;

	cells->found = 0;
	if (!conditions->cells)
	{
		if (first < end)
			cells->cell[cells->found++] = first;
		return;
	}
	if (bitmap)
		take_groups(cells, original);
	if (conditions->task->joints > 0)
	{
		const SdcNumberLists *bins = &conditions->bins[0];
		uint32		part = conditions->part[0][original];

		if ((bins->start[part + 1] - bins->start[part]) * search < count)
		{
			for (uint64 b = bins->start[part]; b < bins->start[part + 1]; b++)
				first = try_lead(cells, original, first, end, sdc_numberlists_at(bins, b), bitmap);
			return;
		}
	}
	else if (bitmap && sdc_bitset_count(cells->groups, cells->words) * search < count)
	{
		try_groups(cells, original, first, end);
		return;
	}
	for (; first < end; first++)
		try_cell(cells, original, first, bitmap);
}

/* sdc_cells_find: see cells.h. */
void
sdc_cells_find(SdcCells *cells, uint32 original)
{
	const uint32 *cell;
	uint32		count;

	find_bucket(cells, original);
	if (cells->conditions->blanks == NULL)
		return;
	count = sdc_blanks_find(cells->conditions->blanks, original, &cell);
	memcpy(cells->cell + cells->found, cell, (Size) count * sizeof(uint32));
	cells->found += count;
}
