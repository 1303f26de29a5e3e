/*-------------------------------------------------------------------------
 *
 * estimatecells.c
 *		Estimates from a randomized release for every cell of a GROUP BY.
 *
 * A cell is one more condition on each of its columns.  Those on columns that are not drawn are exact, and count
 * as one condition; so does that a value is missing, as missing values stay where they are.
 *
 * What sdc_estimate_run asks for is how many records there are of each pattern of conditions.  These numbers are
 * found for all cells at once: every group is added to an entry for each set of the cell's conditions, of the
 * records that fulfil at least these.  The records that fulfil just these follow by inclusion and exclusion.  So no
 * cell is compared with all groups.
 *
 * Cells with missing values in the same columns go together: the records that count are the same.
 *
 * Time: O(groups 2^r) for r columns of a cell that are drawn, once for each set of columns that are missing
 * together, and for each cell and stratum that of the estimate.
 * Memory: 28 bytes a group, and the cells.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/base/codesort.h"
#include "kernel/base/moments.h"
#include "kernel/queries/estimatecells.h"

/* In a key: whatever value. */
#define ANY UINT32_MAX

/* In place of a pattern: entries of a column by itself, for its margin. */
#define MARGIN 0x10000

/* Words of a key: stratum, the exact part, pattern, and the codes of columns that are drawn. */
#define KEY_FIXED 3
#define KEY_WORDS (KEY_FIXED + SDC_ESTIMATE_CONDITIONS)

/* Records, and sums of the measure. */
typedef struct Total
{
	uint64		records;
	SdcMomentsSum sum;
	SdcMomentsSum square;
} Total;

/* Totals by key. */
typedef struct Table
{
	int			words;			/* of a key */
	uint32		entries;
	uint32		space;
	uint32	   *key;			/* of each entry */
	Total	   *total;
	uint32	   *slot;			/* entry + 1; twice as many as space at least */
	uint32		mask;
} Table;

/* The conditions of cells that have missing values in the same columns. */
typedef struct Layout
{
	uint32		missing;		/* these columns */
	bool		nobody;			/* a condition holds for no missing value */
	int			plain;			/* columns that are drawn and have a condition only, */
	int			plain_column[SDC_ESTIMATE_CONDITIONS];
	int			named;			/* and those in which cells agree */
	int			named_column[SDC_ESTIMATE_CONDITIONS];
	bool		exact;			/* the last condition is that of all other columns */
	int			bits;
} Layout;

/* The work on cells. */
typedef struct Work
{
	const SdcEstimateCellsTask *task;
	uint32	   *order;			/* groups */
	uint32	   *other;			/* work space of sorts */
	uint32	   *start;
	uint32		credit;

	/* cells */
	uint32		cells;
	uint32	   *first;			/* a group of each */
	uint32	   *missing;		/* columns without a value */
	SdcEstimate *estimate;

	/* of a layout */
	Layout		layout;
	Table		table;
	uint32	   *exact;			/* of each group: which values it has in the columns that are exact */
	uint32		exacts;
	uint32	   *block;			/* where the groups of each of these begin in order */
} Work;

/* is_exact tells whether the condition on a column is one that randomization does not change. */
static bool
is_exact(const SdcEstimateCellsTask *task, int j, uint32 missing)
{
	return !task->column[j].drawn || (missing >> j & 1) != 0;
}

/* make_layout says what the conditions of cells are. */
static void
make_layout(const SdcEstimateCellsTask *task, uint32 missing, Layout *layout)
{
	memset(layout, 0, sizeof(*layout));
	layout->missing = missing;
	for (int j = 0; j < task->columns; j++)
	{
		if ((missing >> j & 1) != 0 && (task->column[j].condition || j == task->own))
			layout->nobody = true;
		if (is_exact(task, j, missing))
			layout->exact = true;
		else if (task->column[j].code == NULL)
			layout->plain_column[layout->plain++] = j;
		else
			layout->named_column[layout->named++] = j;
	}
	if (layout->plain + layout->named == 0)
		layout->exact = true;
	layout->bits = layout->plain + layout->named + layout->exact;
}

/* sdc_estimatecells_conditions: see estimatecells.h. */
int
sdc_estimatecells_conditions(const SdcEstimateCellsTask *task)
{
	int			drawn = 0;

	for (int j = 0; j < task->columns; j++)
		drawn += task->column[j].drawn;
	return drawn < task->columns || drawn == 0 ? drawn + 1 : drawn;
}

/* bit_column is the column that the condition of a bit is on, -1 if it is the exact one. */
static int
bit_column(const Layout *layout, int bit)
{
	if (bit < layout->plain)
		return layout->plain_column[bit];
	return bit < layout->plain + layout->named ? layout->named_column[bit - layout->plain] : -1;
}

/* fill_task describes the conditions of a layout; probability and drawn have room for one more. */
static void
fill_task(const SdcEstimateCellsTask *task, const Layout *layout, double *probability, bool *drawn,
		  SdcEstimateTask *result)
{
	memset(result, 0, sizeof(*result));
	result->statistic = task->statistic;
	result->conditions = layout->bits;
	result->measure = task->measure;
	result->own = -1;
	result->center = task->center;
	result->attributes = task->attributes;
	result->draws = task->draws;
	result->retain = task->retain;
	for (int i = 0; i < layout->bits; i++)
	{
		int			j = bit_column(layout, i);

		probability[i] = j < 0 ? 0 : task->column[j].probability;
		drawn[i] = j >= 0;
		if (j >= 0 && j == task->own)
			result->own = i;
	}
	probability[layout->bits] = task->probability;
	drawn[layout->bits] = task->drawn;
	result->probability = task->single ? probability : NULL;
	result->drawn = drawn;
}

/* sdc_estimatecells_identifiable: without missing values the most columns are drawn. */
bool
sdc_estimatecells_identifiable(const SdcEstimateCellsTask *task)
{
	double		probability[SDC_ESTIMATE_CONDITIONS + 1];
	bool		drawn[SDC_ESTIMATE_CONDITIONS + 1];
	SdcEstimateTask whole;
	Layout		layout;

	make_layout(task, 0, &layout);
	fill_task(task, &layout, probability, drawn, &whole);
	return sdc_estimate_identifiable(&whole);
}

/* create_table makes an empty table. */
static void
create_table(Table *table, int words)
{
	table->words = words;
	table->entries = 0;
	table->space = 32;
	table->mask = 63;
	table->key = sdc_alloc_matrix(uint32, table->space, (uint64) words);
	table->total = sdc_alloc_array(Total, table->space);
	table->slot = sdc_alloc_zeros(uint32, 64);
}

/* destroy_table frees it. */
static void
destroy_table(Table *table)
{
	sdc_free(table->key);
	sdc_free(table->total);
	sdc_free(table->slot);
}

/* find_slot is the slot of a key: that of its entry, or an empty one. */
static uint32
find_slot(const Table *table, const uint32 *key)
{
	uint64		hash = 0;
	uint32		slot;

	for (int i = 0; i < table->words; i++)
	{
		hash = (hash ^ key[i]) * UINT64_C(0x9E3779B97F4A7C15);
		hash ^= hash >> 32;
	}
	for (slot = (uint32) hash & table->mask; table->slot[slot] != 0; slot = (slot + 1) & table->mask)
		if (memcmp(table->key + (Size) (table->slot[slot] - 1) * (Size) table->words, key,
				   (Size) table->words * sizeof(uint32)) == 0)
			break;
	return slot;
}

/* grow_table doubles it. */
static void
grow_table(Table *table)
{
	Table		larger = *table;

	larger.space = table->space * 2;
	larger.mask = table->mask * 2 + 1;
	larger.key = sdc_alloc_matrix(uint32, larger.space, (uint64) table->words);
	larger.total = sdc_alloc_array(Total, larger.space);
	larger.slot = sdc_alloc_zeros(uint32, (uint64) larger.mask + 1);
	memcpy(larger.key, table->key, (Size) table->entries * (Size) table->words * sizeof(uint32));
	memcpy(larger.total, table->total, (Size) table->entries * sizeof(Total));
	for (uint32 e = 0; e < table->entries; e++)
	{
		sdc_interrupts_step(e);
		larger.slot[find_slot(&larger, larger.key + (Size) e * (Size) table->words)] = e + 1;
	}
	destroy_table(table);
	*table = larger;
}

/* add_total adds a group to the entry of a key. */
static void
add_total(Table *table, const uint32 *key, const SdcEstimateGroup *group)
{
	uint32		slot = find_slot(table, key);
	Total	   *total;

	if (table->slot[slot] == 0)
	{
		if (table->entries == table->space)
		{
			grow_table(table);
			slot = find_slot(table, key);
		}
		memcpy(table->key + (Size) table->entries * (Size) table->words, key,
			   (Size) table->words * sizeof(uint32));
		memset(&table->total[table->entries], 0, sizeof(Total));
		table->slot[slot] = ++table->entries;
	}
	total = &table->total[table->slot[slot] - 1];
	total->records += group->records;
	sdc_moments_add(&total->sum, group->sum);
	sdc_moments_add(&total->square, group->square);
}

/* find_total is the entry of a key, NULL if there is none. */
static const Total *
find_total(const Table *table, const uint32 *key)
{
	uint32		slot = find_slot(table, key);

	return table->slot[slot] == 0 ? NULL : &table->total[table->slot[slot] - 1];
}

/* state_of is that of a group in a column. */
static inline uint8
state_of(const Work *work, int j, uint32 group)
{
	return work->task->column[j].state[group];
}

/* counts tells whether the records of a group have all values that cells of the layout ask for. */
static bool
counts(const Work *work, uint32 group)
{
	if (!work->task->group[group].measured)
		return false;
	for (int j = 0; j < work->task->columns; j++)
		if ((work->layout.missing >> j & 1) == 0 && state_of(work, j, group) == SDC_ESTIMATE_MISSING)
			return false;
	return true;
}

/* is_candidate tells whether its conditions on exact columns hold, whatever the cell. */
static bool
is_candidate(const Work *work, uint32 group)
{
	for (int j = 0; j < work->task->columns; j++)
		if (is_exact(work->task, j, work->layout.missing) && work->task->column[j].condition &&
			state_of(work, j, group) != SDC_ESTIMATE_TRUE)
			return false;
	return true;
}

/* add_group adds a group to the entries of all sets of conditions that it fulfils in its own cell. */
static void
add_group(Work *work, uint32 number)
{
	const SdcEstimateGroup *group = &work->task->group[number];
	const Layout *layout = &work->layout;
	uint32		key[KEY_WORDS];
	uint32		holds = 0;
	uint32		sets = (uint32) layout->named + 1;

	key[0] = group->stratum;
	key[2] = 0;
	for (int i = 0; i < layout->plain; i++)
		key[2] |= (uint32) (state_of(work, layout->plain_column[i], number) == SDC_ESTIMATE_TRUE) << i;
	for (int i = 0; i < layout->named; i++)
		holds |= (uint32) (state_of(work, layout->named_column[i], number) == SDC_ESTIMATE_TRUE) << i;
	if (layout->exact && is_candidate(work, number))
		holds |= UINT32_C(1) << layout->named;
	for (uint32 set = 0; set >> sets == 0; set++)
	{
		if ((set & ~holds) != 0)
			continue;
		key[1] = set >> layout->named != 0 ? work->exact[number] : ANY;
		for (int i = 0; i < layout->named; i++)
			key[KEY_FIXED + i] = (set >> i & 1) != 0 ?
				work->task->column[layout->named_column[i]].code[number] : ANY;
		add_total(&work->table, key, group);
	}
}

/*
 * add_margins adds a group to what is known of each column by itself: the records with a value, and those that
 * fulfil the condition.  (Of the measure's own column they are those that have one.)
 */
static void
add_margins(Work *work, uint32 number)
{
	const SdcEstimateGroup *group = &work->task->group[number];
	const Layout *layout = &work->layout;
	uint32		key[KEY_WORDS];

	key[0] = group->stratum;
	for (int i = 0; i < layout->plain + layout->named; i++)
	{
		int			j = bit_column(layout, i);

		if (state_of(work, j, number) == SDC_ESTIMATE_MISSING)
			continue;
		for (int k = 0; k < layout->named; k++)
			key[KEY_FIXED + k] = ANY;
		key[1] = ANY;
		key[2] = MARGIN + (uint32) i;
		add_total(&work->table, key, group);
		if (state_of(work, j, number) != SDC_ESTIMATE_TRUE)
			continue;
		key[1] = 0;
		if (i >= layout->plain)
			key[KEY_FIXED + i - layout->plain] = work->task->column[j].code[number];
		add_total(&work->table, key, group);
	}
	/* and to those with a measure */
	if (!group->measured)
		return;
	for (int k = 0; k < layout->named; k++)
		key[KEY_FIXED + k] = ANY;
	key[1] = ANY;
	key[2] = MARGIN + (uint32) layout->bits;
	add_total(&work->table, key, group);
}

/* sort_groups sorts the groups in order by some codes, which were sorted by others before. */
static void
sort_groups(Work *work, const uint32 *code, Size stride, uint32 codes)
{
	SdcCodesort sort = {code, stride, codes, NULL};
	uint32	   *sorted = work->other;

	sdc_codesort_pass(&sort, work->order, sorted, work->task->groups, work->start, &work->credit);
	work->other = work->order;
	work->order = sorted;
}

/* reset_order puts the groups into their own order. */
static void
reset_order(Work *work)
{
	for (uint32 g = 0; g < work->task->groups; g++)
		work->order[g] = g;
}

/* sort_exact numbers the values of exact columns; the groups of each lie together, by stratum. */
static void
sort_exact(Work *work)
{
	const SdcEstimateCellsTask *task = work->task;
	uint32		groups = task->groups;

	reset_order(work);
	if (groups > 0)
		sort_groups(work, &task->group[0].stratum, sizeof(SdcEstimateGroup) / sizeof(uint32), task->strata);
	for (int j = task->columns; j-- > 0;)
		if (task->column[j].code != NULL && is_exact(task, j, work->layout.missing))
			sort_groups(work, task->column[j].code, 1, task->column[j].codes);
	work->exacts = 0;
	for (uint32 i = 0; i < groups; i++)
	{
		uint32		g = work->order[i];
		bool		same = i > 0;

		sdc_interrupts_step(i);
		for (int j = 0; j < task->columns && same; j++)
			if (task->column[j].code != NULL && is_exact(task, j, work->layout.missing))
				same = task->column[j].code[g] == task->column[j].code[work->order[i - 1]];
		if (!same)
			work->block[work->exacts++] = i;
		work->exact[g] = work->exacts - 1;
	}
	work->block[work->exacts] = groups;
}

/* find_cells sorts the groups by the values of cells, and finds these. */
static void
find_cells(Work *work)
{
	const SdcEstimateCellsTask *task = work->task;
	bool		agree = false;

	reset_order(work);
	for (int j = task->columns; j-- > 0;)
		if (task->column[j].code != NULL)
		{
			sort_groups(work, task->column[j].code, 1, task->column[j].codes);
			agree = true;
		}
	if (!agree)
	{
		work->cells = 1;
		work->first[0] = task->groups == 0 ? SDC_RECORD_NONE : work->order[0];
		work->missing[0] = 0;
		return;
	}
	for (uint32 i = 0; i < task->groups; i++)
	{
		uint32		g = work->order[i];
		uint32		missing = 0;
		bool		same = i > 0;

		sdc_interrupts_step(i);
		for (int j = 0; j < task->columns; j++)
		{
			if (task->column[j].code == NULL)
				continue;
			same = same && task->column[j].code[g] == task->column[j].code[work->order[i - 1]];
			missing |= (uint32) (task->column[j].code[g] == SDC_CODE_NULL) << j;
		}
		if (same)
			continue;
		work->first[work->cells] = g;
		work->missing[work->cells++] = missing;
	}
}

/* load_patterns fills the records and sums by pattern of a cell in a stratum. */
static void
load_patterns(const Work *work, uint32 cell, uint32 stratum, uint64 *records, double *sum, double *square)
{
	const Layout *layout = &work->layout;
	uint32		group = work->first[cell];
	uint32		patterns = UINT32_C(1) << layout->bits;
	uint32		key[KEY_WORDS];

	key[0] = stratum;
	for (uint32 s = 0; s < patterns; s++)
	{
		const Total *total;

		sdc_interrupts_step(s);
		key[2] = s & ((UINT32_C(1) << layout->plain) - 1);
		for (int i = 0; i < layout->named; i++)
			key[KEY_FIXED + i] = (s >> (layout->plain + i) & 1) != 0 ?
				work->task->column[layout->named_column[i]].code[group] : ANY;
		key[1] = layout->exact && (s >> (layout->bits - 1) & 1) != 0 ? work->exact[group] : ANY;
		total = find_total(&work->table, key);
		records[s] = total == NULL ? 0 : total->records;
		sum[s] = total == NULL ? 0 : sdc_moments_total(&total->sum);
		square[s] = total == NULL ? 0 : sdc_moments_total(&total->square);
	}
	/* from those that fulfil at least these conditions to those that fulfil no others */
	for (int i = layout->plain; i < layout->bits; i++)
	{
		for (uint32 s = 0; s < patterns; s++)
		{
			uint32		with = s | UINT32_C(1) << i;

			sdc_interrupts_step(s);
			if (with == s)
				continue;
			records[s] -= records[with];
			sum[s] = records[s] == 0 ? 0 : sum[s] - sum[with];
			square[s] = records[s] == 0 ? 0 : square[s] - square[with];
		}
	}
}

/* load_margins fills what is known of each column of a cell by itself. */
static void
load_margins(const Work *work, uint32 cell, SdcEstimateStratum *stratum, uint32 number, int own,
			 uint64 *present, uint64 *holds)
{
	const Layout *layout = &work->layout;
	uint32		key[KEY_WORDS];
	const Total *measured;

	key[0] = number;
	for (int k = 0; k < layout->named; k++)
		key[KEY_FIXED + k] = ANY;
	key[1] = ANY;
	key[2] = MARGIN + (uint32) layout->bits;
	measured = find_total(&work->table, key);
	for (int i = 0; i < layout->plain + layout->named; i++)
	{
		const Total *total;

		for (int k = 0; k < layout->named; k++)
			key[KEY_FIXED + k] = ANY;
		key[1] = ANY;
		key[2] = MARGIN + (uint32) i;
		total = find_total(&work->table, key);
		present[i] = total == NULL ? 0 : total->records;
		key[1] = 0;
		if (i >= layout->plain)
			key[KEY_FIXED + i - layout->plain] =
				work->task->column[bit_column(layout, i)].code[work->first[cell]];
		total = find_total(&work->table, key);
		holds[i] = total == NULL ? 0 : total->records;
		if (i == own)
			measured = total;
	}
	stratum->present = present;
	stratum->holds = holds;
	if (measured == NULL)
		return;
	stratum->measured = measured->records;
	stratum->measured_sum = sdc_moments_total(&measured->sum);
	stratum->measured_square = sdc_moments_total(&measured->square);
}

/* count_exact fills the margin of the exact condition, on which nothing depends. */
static void
count_exact(const Layout *layout, const uint64 *records, uint64 *present, uint64 *holds)
{
	uint32		patterns = UINT32_C(1) << layout->bits;

	*present = *holds = 0;
	for (uint32 s = 0; s < patterns; s++)
	{
		*present += records[s];
		if ((s >> (layout->bits - 1) & 1) != 0)
			*holds += records[s];
	}
}

/* cell_strata finds the strata that have records in the exact part of a cell; others add nothing. */
static uint32
cell_strata(const Work *work, uint32 exact, uint32 *stratum)
{
	uint32		strata = 0;

	for (uint32 i = work->block[exact]; i < work->block[exact + 1]; i++)
	{
		uint32		g = work->order[i];

		sdc_interrupts_step(i);
		if ((strata == 0 || stratum[strata - 1] != work->task->group[g].stratum) &&
			counts(work, g) && is_candidate(work, g))
			stratum[strata++] = work->task->group[g].stratum;
	}
	return strata;
}

/* estimate_cell estimates one cell; strata are those that have it. */
static void
estimate_cell(Work *work, uint32 cell, const uint32 *number, uint32 strata)
{
	const Layout *layout = &work->layout;
	uint64		patterns = UINT64_C(1) << layout->bits;
	double		probability[SDC_ESTIMATE_CONDITIONS + 1];
	bool		drawn[SDC_ESTIMATE_CONDITIONS + 1];
	SdcEstimateStratum *stratum = sdc_alloc_zeros(SdcEstimateStratum, strata);
	uint64	   *records = sdc_alloc_matrix(uint64, strata, patterns);
	double	   *sum = sdc_alloc_matrix(double, strata, patterns);
	double	   *square = sdc_alloc_matrix(double, strata, patterns);
	uint64	   *margin = sdc_alloc_matrix(uint64, strata, SDC_ESTIMATE_CONDITIONS + SDC_ESTIMATE_CONDITIONS);
	SdcEstimateTask task;

	fill_task(work->task, layout, probability, drawn, &task);
	for (uint32 s = 0; s < strata; s++)
	{
		uint64	   *present = margin + (Size) s * 2 * SDC_ESTIMATE_CONDITIONS;
		uint64	   *holds = present + SDC_ESTIMATE_CONDITIONS;

		SDC_CHECK_INTERRUPTS();
		load_patterns(work, cell, number[s], records + s * patterns, sum + s * patterns,
					  square + s * patterns);
		load_margins(work, cell, &stratum[s], number[s], task.own, present, holds);
		if (layout->exact)
			count_exact(layout, records + s * patterns, &present[layout->bits - 1],
						&holds[layout->bits - 1]);
		stratum[s].records = records + s * patterns;
		stratum[s].sum = sum + s * patterns;
		stratum[s].square = square + s * patterns;
	}
	task.stratum = stratum;
	task.strata = strata;
	sdc_estimate_run(&task, &work->estimate[cell]);
	sdc_free(margin);
	sdc_free(square);
	sdc_free(sum);
	sdc_free(records);
	sdc_free(stratum);
}

/* estimate_layout estimates all cells with missing values in the same columns. */
static void
estimate_layout(Work *work, uint32 missing)
{
	uint32	   *number = sdc_alloc_array(uint32, work->task->strata);

	make_layout(work->task, missing, &work->layout);
	sort_exact(work);
	create_table(&work->table, KEY_FIXED + work->layout.named);
	for (uint32 g = 0; g < work->task->groups; g++)
	{
		SDC_CHECK_INTERRUPTS();
		if (counts(work, g))
			add_group(work, g);
		add_margins(work, g);
	}
	for (uint32 cell = 0; cell < work->cells; cell++)
	{
		uint32		strata = 0;

		sdc_interrupts_step(cell);
		if (work->missing[cell] != missing)
			continue;
		if (work->first[cell] != SDC_RECORD_NONE && !work->layout.nobody)
			strata = cell_strata(work, work->exact[work->first[cell]], number);
		estimate_cell(work, cell, number, strata);
	}
	destroy_table(&work->table);
	sdc_free(number);
}

/* create_work allocates what is needed for groups and cells. */
static void
create_work(const SdcEstimateCellsTask *task, Work *work)
{
	uint64		groups = (uint64) task->groups + 1;
	uint64		codes = task->strata;

	memset(work, 0, sizeof(*work));
	work->task = task;
	for (int j = 0; j < task->columns; j++)
		if (task->column[j].code != NULL && task->column[j].codes > codes)
			codes = task->column[j].codes;
	work->order = sdc_alloc_array(uint32, groups);
	work->other = sdc_alloc_array(uint32, groups);
	work->start = sdc_alloc_array(uint32, codes + 1);
	work->first = sdc_alloc_array(uint32, groups);
	work->missing = sdc_alloc_array(uint32, groups);
	work->exact = sdc_alloc_array(uint32, groups);
	work->block = sdc_alloc_array(uint32, groups);
}

/* destroy_work frees it. */
static void
destroy_work(Work *work)
{
	sdc_free(work->estimate);
	sdc_free(work->block);
	sdc_free(work->exact);
	sdc_free(work->missing);
	sdc_free(work->first);
	sdc_free(work->start);
	sdc_free(work->other);
	sdc_free(work->order);
}

/* is_new tells whether no cell before has missing values in the same columns; seen are those of cells before. */
static bool
is_new(uint32 missing, uint32 *seen, uint32 *count)
{
	for (uint32 i = 0; i < *count; i++)
		if (seen[i] == missing)
			return false;
	seen[(*count)++] = missing;
	return true;
}

/* sdc_estimatecells_run: see estimatecells.h. */
void
sdc_estimatecells_run(const SdcEstimateCellsTask *task, SdcEstimateCellsEmit emit, void *arg)
{
	Work		work;
	uint32	   *seen;
	uint32		count = 0;

	SDC_ASSERT(task->columns <= SDC_ESTIMATE_COLUMNS);
	SDC_ASSERT(sdc_estimatecells_conditions(task) <= SDC_ESTIMATE_CONDITIONS);
	create_work(task, &work);
	find_cells(&work);
	work.estimate = sdc_alloc_array(SdcEstimate, work.cells);
	seen = sdc_alloc_array(uint32, work.cells);
	for (uint32 cell = 0; cell < work.cells; cell++)
	{
		sdc_interrupts_step(cell);
		SDC_REPORT(cell, work.cells);
		if (is_new(work.missing[cell], seen, &count))
			estimate_layout(&work, work.missing[cell]);
	}
	for (uint32 cell = 0; cell < work.cells; cell++)
		emit(arg, work.first[cell], &work.estimate[cell]);
	sdc_free(seen);
	destroy_work(&work);
}
