/*-------------------------------------------------------------------------
 *
 * buckets.c
 *		The order of the records that follows from what an attack asks of a pair.
 *
 * Queries, buckets and cells are numbers of distinct vectors of codes (boxes.h); what belongs together is put together
 * by counting.  Nothing is hashed.
 *
 * Time: linear in records times columns, but for the sorting of worths.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/base/boxes.h"
#include "kernel/base/codesort.h"
#include "kernel/base/rankorder.h"
#include "kernel/base/sortkey.h"
#include "kernel/candidates/blanks.h"
#include "kernel/candidates/buckets.h"

/* The bits of what no law changes of a value, and how many columns are one component of a vector. */
#define KEPT_BITS 3
#define KEPT_COLUMNS 16

/* Places whose coordinates are computed at a time, dimension by dimension. */
#define PLACES 256

/* list_columns finds the columns of each kind. */
static void
list_columns(SdcConditions *conditions)
{
	const SdcCandidatesTask *task = conditions->task;

	for (int kind = 0; kind < SDC_CANDIDATES_KINDS; kind++)
	{
		conditions->count[kind] = 0;
		conditions->column[kind] = sdc_alloc_array(int, task->count);
		for (int j = 0; j < task->count; j++)
			if (task->column[j].kind == (SdcCandidatesKind) kind)
				conditions->column[kind][conditions->count[kind]++] = j;
	}
	conditions->windows = conditions->attack != SDC_CANDIDATES_DISTANCE &&
		conditions->count[SDC_CANDIDATES_WINDOW] > 0;
	conditions->strata = task->stratum != NULL && (task->in_strata || conditions->count[SDC_CANDIDATES_WINDOW] > 0);
}

/* create_space makes the space of the columns with numbers, and lists those that trees need. */
static void
create_space(SdcConditions *conditions)
{
	const SdcCandidatesTask *task = conditions->task;
	int		   *known = sdc_alloc_array(int, task->count);
	int			numbers = 0;

	conditions->paired = sdc_alloc_array(int, task->count);
	conditions->tree = sdc_alloc_array(int, task->count);
	conditions->pair = sdc_alloc_array(SdcPairColumn, task->count);
	conditions->pairs = (SdcPairs) {.records = task->records, .column = conditions->pair};
	for (int j = 0; j < task->count; j++)
	{
		const SdcCandidatesColumn *column = &task->column[j];
		int			p = conditions->pairs.attributes;

		if (column->kind != SDC_CANDIDATES_WINDOW && column->kind != SDC_CANDIDATES_UNKNOWN)
			continue;
		conditions->paired[p] = j;
		conditions->pair[p] = (SdcPairColumn) {column->original, column->protected, column->codes,
		column->value};
		if (column->value != NULL)
			known[numbers++] = p;
		conditions->pairs.attributes++;
	}
	conditions->space = sdc_metricspace_create(&conditions->pairs, known, numbers,
											   SDC_METRIC_EUCLIDEAN);
	conditions->trees = 0;
	for (int p = 0; p < conditions->pairs.attributes; p++)
	{
		bool		needed = conditions->windows &&
			task->column[conditions->paired[p]].kind == SDC_CANDIDATES_WINDOW;

		for (int d = 0; d < conditions->space->dimensions; d++)
			needed = needed || conditions->space->attribute[d] == p;
		if (needed)
			conditions->tree[conditions->trees++] = p;
	}
	sdc_free(known);
}

/* number_queries numbers the originals by all that is known of them. */
static void
number_queries(SdcConditions *conditions)
{
	const SdcCandidatesTask *task = conditions->task;
	SdcBoxes   *boxes = sdc_boxes_create(task->records);

	for (int j = 0; j <= task->count; j++)
	{
		uint64	   *word = sdc_boxes_column(boxes);
		const uint32 *code = j < task->count ? task->column[j].original : task->stratum;
		uint64		most = j < task->count ? task->column[j].codes : task->strata;

		if (code == NULL)
			continue;
		for (uint32 i = 0; i < task->records; i++)
		{
			sdc_interrupts_spend(&conditions->credit, 1);
			word[i] = code[i] == SDC_CODE_NULL ? most : code[i];
		}
		sdc_boxes_add(boxes, most);
	}
	conditions->query = sdc_alloc_array(uint32, task->records);
	conditions->queries = sdc_boxes_number(boxes, NULL, 0, conditions->query);
	sdc_boxes_destroy(boxes);
}

/* kept_of is what is the same of a value and of all that a law makes of it: 0 is missing. */
static inline uint64
kept_of(const SdcCandidatesColumn *column, uint32 code)
{
	if (code == SDC_CODE_NULL)
		return 0;
	return column->noise.kind == SDC_NOISE_NONE ? 1 : (uint64) sdc_noiselaw_class(&column->noise, column->value[code]);
}

/* add_kept adds missing values in the columns of a kind, and signs that noise keeps, to the vectors of both files. */
static void
add_kept(SdcConditions *conditions, SdcBoxes *boxes, SdcCandidatesKind kind)
{
	uint32		records = conditions->task->records;
	int			count = conditions->count[kind];

	for (int first = 0; first < count; first += KEPT_COLUMNS)
	{
		uint64	   *word = sdc_boxes_column(boxes);

		memset(word, 0, 2 * (Size) records * sizeof(uint64));
		for (int a = first; a < count && a < first + KEPT_COLUMNS; a++)
		{
			const SdcCandidatesColumn *column =
				&conditions->task->column[conditions->column[kind][a]];
			int			shift = KEPT_BITS * (a - first);

			if (column->protected == NULL)
				continue;
			for (uint32 i = 0; i < records; i++)
			{
				sdc_interrupts_spend(&conditions->credit, 1);
				word[i] |= kept_of(column, column->original[i]) << shift;
				word[records + i] |= kept_of(column, column->protected[i]) << shift;
			}
		}
		sdc_boxes_add(boxes, (UINT64_C(1) << (KEPT_BITS * KEPT_COLUMNS)) - 1);
	}
}

/* add_codes adds the codes of both files. */
static void
add_codes(SdcConditions *conditions, SdcBoxes *boxes, const uint32 *original,
		  const uint32 *protected, uint32 codes)
{
	uint64	   *word = sdc_boxes_column(boxes);
	uint32		records = conditions->task->records;

	for (uint32 i = 0; i < records; i++)
	{
		sdc_interrupts_spend(&conditions->credit, 1);
		word[i] = original[i] == SDC_CODE_NULL ? codes : original[i];
		word[records + i] = protected[i] == SDC_CODE_NULL ? codes : protected[i];
	}
	sdc_boxes_add(boxes, codes);
}

/* number_buckets numbers the buckets of both files: the number of a protected record is returned. */
static uint32 *
number_buckets(SdcConditions *conditions)
{
	const SdcCandidatesTask *task = conditions->task;
	uint32		records = task->records;
	SdcBoxes   *boxes = sdc_boxes_create(2 * records);
	uint32	   *number = sdc_alloc_matrix(uint32, 2, records);

	for (int a = 0; a < conditions->count[SDC_CANDIDATES_EXACT]; a++)
	{
		const SdcCandidatesColumn *column =
			&task->column[conditions->column[SDC_CANDIDATES_EXACT][a]];

		add_codes(conditions, boxes, column->original, column->protected, column->codes);
	}
	if (conditions->strata)
		add_codes(conditions, boxes, task->stratum, task->stratum, task->strata);
	add_kept(conditions, boxes, SDC_CANDIDATES_WINDOW);
	add_kept(conditions, boxes, SDC_CANDIDATES_RANDOMIZED);
	add_kept(conditions, boxes, SDC_CANDIDATES_JOINT);
	conditions->buckets = sdc_boxes_number(boxes, NULL, 0, number);
	sdc_boxes_destroy(boxes);
	conditions->bucket = sdc_alloc_array(uint32, records);
	memcpy(conditions->bucket, number, (Size) records * sizeof(uint32));
	memmove(number, number + records, (Size) records * sizeof(uint32));
	return number;
}

/*
 * set_aside gives records with blanks the number of a bucket that no original has.  Where a blank hides the stratum
 * the record is one of them too, if strata are conditions.
 */
static void
set_aside(SdcConditions *conditions, uint32 *number)
{
	const SdcCandidatesTask *task = conditions->task;
	const bool *astray = conditions->strata ? task->astray : NULL;
	uint32		bucket = conditions->buckets;
	bool		any = false;

	for (int j = -1; j < task->count; j++)
	{
		if (j < 0 ? astray == NULL : !task->column[j].blanks)
			continue;
		for (uint32 i = 0; i < task->records; i++)
		{
			sdc_interrupts_spend(&conditions->credit, 1);
			if (j < 0 ? astray[i] : task->column[j].protected[i] == SDC_CODE_NULL)
			{
				number[i] = bucket;
				any = true;
			}
		}
	}
	conditions->blank_bucket = any ? bucket : UINT32_MAX;
	conditions->buckets += any;
}

/* number_cells numbers the cells of the protected records, by the first bin and the group. */
static uint32
number_cells(SdcConditions *conditions, uint32 *number)
{
	const SdcCandidatesTask *task = conditions->task;
	SdcBoxes   *boxes = sdc_boxes_create(task->records);
	const uint32 *group = conditions->count[SDC_CANDIDATES_RANGE] +
		conditions->count[SDC_CANDIDATES_SET] > 0 ? task->group : NULL;
	uint32		cells;

	for (int s = 0; s <= task->joints; s++)
	{
		const uint32 *part = s < task->joints ? task->joint[s].bin : group;
		uint64	   *word = sdc_boxes_column(boxes);

		if (part == NULL)
			continue;
		for (uint32 i = 0; i < task->records; i++)
		{
			sdc_interrupts_spend(&conditions->credit, 1);
			word[i] = part[i];
		}
		sdc_boxes_add(boxes, s < task->joints ? task->joint[s].bins : task->groups);
	}
	cells = sdc_boxes_number(boxes, NULL, 0, number);
	sdc_boxes_destroy(boxes);
	return cells;
}

/* order_by_worth writes the records in the order of their worth, the greatest first, and then of their cells. */
static void
order_by_worth(SdcConditions *conditions, const uint32 *cell, uint32 *order)
{
	uint32		records = conditions->task->records;
	uint64	   *key = sdc_alloc_array(uint64, records);
	void	   *work = sdc_alloc(sdc_rankorder_memory(records));

	for (uint32 i = 0; i < records; i++)
	{
		sdc_interrupts_spend(&conditions->credit, 1);
		key[i] = ~sdc_sortkey_from_float8(sdc_likelihood_worth(conditions->likelihood, i));
	}
	sdc_rankorder_sort(key, NULL, records, cell, work, order);
	sdc_free(work);
	sdc_free(key);
}

/* order_records puts the protected records in their places. */
static void
order_records(SdcConditions *conditions, const uint32 *number, const uint32 *cell, uint32 cells)
{
	uint32		records = conditions->task->records;
	uint32	   *from = sdc_alloc_array(uint32, records);

	conditions->order = sdc_alloc_array(uint32, records);
	conditions->place = sdc_alloc_array(uint32, records);
	if (conditions->likelihood != NULL)
		order_by_worth(conditions, cell, from);
	else
		sdc_conditions_sort(cell, cells, NULL, records, from, &conditions->credit);
	sdc_conditions_sort(number, conditions->buckets, from, records, conditions->order,
						&conditions->credit);
	for (uint32 p = 0; p < records; p++)
	{
		sdc_interrupts_spend(&conditions->credit, 1);
		conditions->place[conditions->order[p]] = p;
	}
	sdc_free(from);
}

/* mark_starts finds where buckets and cells begin. */
static void
mark_starts(SdcConditions *conditions, const uint32 *number, const uint32 *cell)
{
	uint32		records = conditions->task->records;
	uint32		cells = 0;
	uint32		place = 0;

	conditions->bucket_start = sdc_alloc_array(uint32, (uint64) conditions->buckets + 1);
	conditions->bucket_cell = sdc_alloc_array(uint32, (uint64) conditions->buckets + 1);
	conditions->cell_start = sdc_alloc_array(uint32, (uint64) records + 1);
	for (uint32 b = 0; b < conditions->buckets; b++)
	{
		bool		many = conditions->cells || b == conditions->blank_bucket;

		conditions->bucket_start[b] = place;
		conditions->bucket_cell[b] = cells;
		for (uint32 first = place; place < records && number[conditions->order[place]] == b; place++)
		{
			const uint32 *order = conditions->order + place;

			sdc_interrupts_spend(&conditions->credit, 1);
			if (place == first || (many && cell[order[0]] != cell[order[-1]]))
				conditions->cell_start[cells++] = place;
		}
	}
	conditions->bucket_start[conditions->buckets] = records;
	conditions->bucket_cell[conditions->buckets] = cells;
	conditions->cell_start[cells] = records;
}

/* create_sets lists the codes of the groups in a SET column. */
static void
create_sets(SdcConditions *conditions, int a)
{
	const SdcCandidatesTask *task = conditions->task;
	const SdcCandidatesColumn *column =
		&task->column[conditions->column[SDC_CANDIDATES_SET][a]];
	uint64		elements = column->start[task->groups];
	uint64	   *pair = sdc_alloc_array(uint64, elements);

	for (uint32 g = 0; g < task->groups; g++)
	{
		sdc_interrupts_spend(&conditions->credit, 1);
		for (uint64 e = column->start[g]; e < column->start[g + 1]; e++)
		{
			sdc_interrupts_spend(&conditions->credit, 1);
			pair[e] = (uint64) g << 32 | column->element[e];
			conditions->anything[a] = conditions->anything[a] || column->element[e] == SDC_CANDIDATES_ANYTHING;
		}
	}
	sdc_numberlists_create(&conditions->sets[a], task->groups, pair, elements);
}

/* create_lists makes all lists of bins and codes. */
static void
create_lists(SdcConditions *conditions)
{
	const SdcCandidatesTask *task = conditions->task;
	int			sets = conditions->count[SDC_CANDIDATES_SET];

	conditions->part = sdc_alloc_array(uint32 *, task->joints);
	conditions->bins = sdc_alloc_array(SdcNumberLists, task->joints);
	for (int s = 0; s < task->joints; s++)
		sdc_conditions_part(conditions, s, SDC_RECORD_NONE, &conditions->part[s], &conditions->bins[s]);
	conditions->sets = sdc_alloc_array(SdcNumberLists, sets);
	conditions->anything = sdc_alloc_zeros(bool, sets);
	for (int a = 0; a < sets; a++)
		create_sets(conditions, a);
}

/* fill_coordinates writes the coordinates of places, some at a time. */
static void
fill_coordinates(SdcConditions *conditions)
{
	uint32		records = conditions->task->records;
	int			dimensions = conditions->space->dimensions;
	double	   *block = sdc_alloc_matrix(double, dimensions, PLACES);
	double	  **column = sdc_alloc_array(double *, dimensions);

	conditions->coordinate = sdc_alloc_matrix(double, records, dimensions);
	for (int d = 0; d < dimensions; d++)
		column[d] = block + (Size) d * PLACES;
	for (uint32 first = 0, count; first < records && dimensions > 0; first += count)
	{
		count = records - first < PLACES ? records - first : PLACES;
		sdc_metricspace_columns(conditions->space, false, conditions->order + first, count, column);
		for (uint32 p = 0; p < count; p++)
			for (int d = 0; d < dimensions; d++)
				conditions->coordinate[(Size) (first + p) * dimensions + d] = column[d][p];
	}
	sdc_free(column);
	sdc_free(block);
}

/* fill_places writes what belongs to places: coordinates and worth. */
static void
fill_places(SdcConditions *conditions)
{
	uint32		records = conditions->task->records;

	fill_coordinates(conditions);
	conditions->worth = NULL;
	if (conditions->likelihood == NULL)
		return;
	conditions->worth = sdc_alloc_array(double, records);
	for (uint32 p = 0; p < records; p++)
	{
		sdc_interrupts_spend(&conditions->credit, 1);
		conditions->worth[p] = sdc_likelihood_worth(conditions->likelihood, conditions->order[p]);
	}
}

/* sdc_buckets_create: see buckets.h. */
SdcConditions *
sdc_buckets_create(const SdcCandidatesTask *task, SdcCandidatesAttack attack)
{
	SdcConditions *conditions = sdc_alloc(sizeof(SdcConditions));
	uint32	   *number;
	uint32	   *cell = NULL;
	uint32		cells = 0;

	conditions->task = task;
	conditions->attack = attack;
	conditions->credit = SDC_INTERRUPT_STEPS;
	list_columns(conditions);
	create_space(conditions);
	number_queries(conditions);
	conditions->likelihood = conditions->count[SDC_CANDIDATES_RANDOMIZED] > 0 ?
		sdc_likelihood_create(task) : NULL;
	conditions->cells = conditions->likelihood == NULL &&
		conditions->count[SDC_CANDIDATES_JOINT] + conditions->count[SDC_CANDIDATES_RANGE] +
		conditions->count[SDC_CANDIDATES_SET] > 0;
	number = number_buckets(conditions);
	set_aside(conditions, number);
	cell = sdc_alloc_zeros(uint32, task->records);
	if (conditions->cells)
		cells = number_cells(conditions, cell);
	if (conditions->blank_bucket != UINT32_MAX)
	{
		uint32		alike = sdc_blanks_number(conditions, number, cell);

		cells = alike > cells ? alike : cells;
	}
	order_records(conditions, number, cell, cells > 0 ? cells : 1);
	mark_starts(conditions, number, cell);
	sdc_free(cell);
	sdc_free(number);
	create_lists(conditions);
	fill_places(conditions);
	conditions->blanks = conditions->blank_bucket != UINT32_MAX ? sdc_blanks_create(conditions) : NULL;
	return conditions;
}

/* sdc_buckets_destroy frees it. */
void
sdc_buckets_destroy(SdcConditions *conditions)
{
	sdc_blanks_destroy(conditions->blanks);
	if (conditions->worth != NULL)
		sdc_free(conditions->worth);
	sdc_free(conditions->coordinate);
	for (int a = 0; a < conditions->count[SDC_CANDIDATES_SET]; a++)
		sdc_numberlists_destroy(&conditions->sets[a]);
	sdc_free(conditions->sets);
	sdc_free(conditions->anything);
	for (int s = 0; s < conditions->task->joints; s++)
	{
		sdc_numberlists_destroy(&conditions->bins[s]);
		sdc_free(conditions->part[s]);
	}
	sdc_free(conditions->bins);
	sdc_free(conditions->part);
	sdc_free(conditions->cell_start);
	sdc_free(conditions->bucket_cell);
	sdc_free(conditions->bucket_start);
	sdc_free(conditions->place);
	sdc_free(conditions->order);
	sdc_free(conditions->bucket);
	sdc_free(conditions->query);
	if (conditions->likelihood != NULL)
		sdc_likelihood_destroy(conditions->likelihood);
	sdc_metricspace_destroy(conditions->space);
	sdc_free(conditions->pair);
	sdc_free(conditions->tree);
	sdc_free(conditions->paired);
	for (int kind = 0; kind < SDC_CANDIDATES_KINDS; kind++)
		sdc_free(conditions->column[kind]);
	sdc_free(conditions);
}

/* sdc_buckets_compatible: see buckets.h.  Places of a bucket are those of one number. */
bool
sdc_buckets_compatible(const SdcConditions *conditions, uint32 original, uint32 record)
{
	uint32		bucket = conditions->bucket[original];
	uint32		place = conditions->place[record];

	if (conditions->blanks != NULL && place >= conditions->bucket_start[conditions->blank_bucket])
		return sdc_blanks_fit(conditions->blanks, original, record);
	return place >= conditions->bucket_start[bucket] &&
		place < conditions->bucket_start[bucket + 1] &&
		sdc_conditions_inside(conditions, original, record) &&
		sdc_conditions_group(conditions, original, record) &&
		sdc_conditions_bins(conditions, original, record);
}
