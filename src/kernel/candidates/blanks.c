/*-------------------------------------------------------------------------
 *
 * blanks.c
 *		Which protected records with blanks can be those of an original.
 *
 * A blank is compatible with everything, so that a record with blanks can belong to originals of many buckets.
 * Records that are alike in everything, blanks included, are one cell: a thousand records without a value are
 * one.  Every column that asks for something has two bitmaps of cells: those with a blank, and those with a code in
 * the interval that the original asks for (codemaps.h).  They are united, and met over the columns.  In how many
 * randomized columns a cell differs is counted for all cells at once.  Groups and bins are looked up for the cells
 * that are left.
 *
 * Of columns that were swapped together only those count in which a record has no blank.  Every set of them that
 * occurs has its own numbers of known values, and bins of these.
 *
 * Time: for an original O(cells / 64) a column, and what it finds.  Memory: bitmaps of all columns, O(records) for
 * every set of blanks in columns that were swapped together.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/base/boxes.h"
#include "kernel/candidates/blanks.h"
#include "kernel/candidates/codemaps.h"

/* What a column asks of a record that has a code there. */
typedef enum Demand
{
	DEMAND_EQUAL,				/* the code of the original */
	DEMAND_WINDOW,				/* one in the window of the original */
	DEMAND_MISSING				/* that it is missing where the original's is */
} Demand;

/* A column that asks for something. */
typedef struct Asking
{
	Demand		demand;
	int			column;			/* index in task->column; the strata: -1 */
	const uint32 *original;
	const uint32 *protected;
	SdcCodeMap	codes;			/* cells by their codes, but for blanks */
	uint64	   *blank;			/* cells with a blank */
	uint64	   *missing;		/* cells without a value that have no blank */
} Asking;

/* What records with the same blanks know of a joint swap. */
typedef struct Variant
{
	int			joint;
	uint32		like;			/* one of these records; SDC_RECORD_NONE: no blanks */
	uint32	   *part;			/* as in SdcConditions, */
	SdcNumberLists bins;		/* and the bins of each part */
} Variant;

struct SdcBlanks
{
	SdcConditions *conditions;
	uint32		first;			/* cell */
	uint32		count;			/* cells */
	Size		words;			/* of a bitmap */
	uint32	   *cell;			/* by place in the bucket, from the first cell on */
	uint32	   *stratum;		/* by record: SDC_CODE_NULL where it can be any; NULL: strata are not asked for */
	Asking	   *asking;
	int			askings;
	Asking	  **randomized;		/* by index in task->column */
	Variant    *variant;		/* the first ones are those of all joint swaps, without blanks */
	int			variants;
	int		   *variant_of;		/* by cell and joint swap */
	uint64	   *mask;
	uint64	   *more;			/* by number: cells that differ in more columns than that */
	uint32	   *found;
	uint32		credit;
};

/* most_differences is the greatest number of columns that a record can differ in and still be compatible. */
static int
most_differences(const SdcCandidatesTask *task)
{
	int			most = 1;

	for (int s = 0; s < task->draws; s++)
		most = task->draw[s].k > most ? task->draw[s].k : most;
	return most;
}

/* ------------------------------------------------------------------------
 * Records that are alike
 * ------------------------------------------------------------------------
 */

/* stratum_of is the stratum of a protected record, SDC_CODE_NULL where it can be any. */
static uint32
stratum_of(const SdcConditions *conditions, uint32 record)
{
	const SdcCandidatesTask *task = conditions->task;
	bool		known = task->astray == NULL || !task->astray[record];
	bool		shown = task->in_strata;

	for (int a = 0; a < conditions->count[SDC_CANDIDATES_WINDOW] && !shown; a++)
		shown = !sdc_conditions_blank(&task->column[conditions->column[SDC_CANDIDATES_WINDOW][a]], record);
	return known && shown ? task->stratum[record] : SDC_CODE_NULL;
}

/* is_asked tells whether anything asks for the code of a record in a column. */
static bool
is_asked(const SdcCandidatesColumn *column)
{
	switch (column->kind)
	{
		case SDC_CANDIDATES_RANGE:
		case SDC_CANDIDATES_SET:
			return false;
		case SDC_CANDIDATES_UNKNOWN:
			return column->value != NULL;
		default:
			return column->protected != NULL;
	}
}

/* add_component adds a component to the vectors of some records; code NULL: their strata. */
static void
add_component(SdcConditions *conditions, SdcBoxes *boxes, const uint32 *record, uint32 count, const uint32 *code,
			  uint32 most)
{
	uint64	   *word = sdc_boxes_column(boxes);

	for (uint32 i = 0; i < count; i++)
	{
		uint32		number = code != NULL ? code[record[i]] : stratum_of(conditions, record[i]);

		sdc_interrupts_spend(&conditions->credit, 1);
		word[i] = number == SDC_CODE_NULL ? most : number;
	}
	sdc_boxes_add(boxes, most);
}

/* sdc_blanks_number: see blanks.h. */
uint32
sdc_blanks_number(SdcConditions *conditions, const uint32 *bucket, uint32 *number)
{
	const SdcCandidatesTask *task = conditions->task;
	uint32	   *record = sdc_alloc_array(uint32, task->records);
	uint32		count = 0;
	uint32		numbers;
	SdcBoxes   *boxes;

	for (uint32 i = 0; i < task->records; i++)
	{
		sdc_interrupts_spend(&conditions->credit, 1);
		if (bucket[i] == conditions->blank_bucket)
			record[count++] = i;
	}
	boxes = sdc_boxes_create(count);
	for (int j = 0; j < task->count; j++)
		if (is_asked(&task->column[j]))
			add_component(conditions, boxes, record, count, task->column[j].protected, task->column[j].codes);
	if (conditions->count[SDC_CANDIDATES_RANGE] + conditions->count[SDC_CANDIDATES_SET] > 0)
		add_component(conditions, boxes, record, count, task->group, task->groups);
	for (int s = 0; s < task->joints; s++)
		add_component(conditions, boxes, record, count, task->joint[s].bin, task->joint[s].bins);
	if (conditions->strata)
		add_component(conditions, boxes, record, count, NULL, task->strata);
	numbers = sdc_boxes_number(boxes, record, 0, number);
	sdc_boxes_destroy(boxes);
	sdc_free(record);
	return numbers;
}

/* ------------------------------------------------------------------------
 * Bitmaps
 * ------------------------------------------------------------------------
 */

/* first_of is a record of a cell, counted from the first one: it is like the others. */
static inline uint32
first_of(const SdcBlanks *blanks, uint32 cell)
{
	return blanks->conditions->order[blanks->conditions->cell_start[blanks->first + cell]];
}

/* is_blank tells whether a record has a blank in a column, or whether its stratum can be any. */
static inline bool
is_blank(const SdcBlanks *blanks, const Asking *asking, uint32 record)
{
	return asking->column < 0 ? asking->protected[record] == SDC_CODE_NULL :
		sdc_conditions_blank(&blanks->conditions->task->column[asking->column], record);
}

/* add_asking adds a column, or the strata, with the bitmaps of its cells. */
static void
add_asking(SdcBlanks *blanks, Demand demand, int column, const uint32 *original, const uint32 *protected)
{
	Asking	   *asking = &blanks->asking[blanks->askings++];
	uint64	   *entry = sdc_alloc_array(uint64, blanks->count);
	uint64		entries = 0;

	*asking = (Asking) {.demand = demand, .column = column, .original = original, .protected = protected};
	asking->blank = sdc_alloc_zeros(uint64, blanks->words);
	asking->missing = sdc_alloc_zeros(uint64, blanks->words);
	for (uint32 c = 0; c < blanks->count; c++)
	{
		uint32		record = first_of(blanks, c);

		sdc_interrupts_spend(&blanks->credit, 1);
		if (is_blank(blanks, asking, record))
			sdc_bitset_add(asking->blank, c);
		else if (protected[record] == SDC_CODE_NULL)
			sdc_bitset_add(asking->missing, c);
		else
			entry[entries++] = (uint64) protected[record] << 32 | c;
	}
	sdc_codemap_create(&asking->codes, entry, entries, blanks->count);
	sdc_free(entry);
}

/* add_askings adds all columns. */
static void
add_askings(SdcBlanks *blanks)
{
	const SdcConditions *conditions = blanks->conditions;
	const SdcCandidatesTask *task = conditions->task;

	blanks->asking = sdc_alloc_array(Asking, (uint64) task->count + 1);
	blanks->randomized = sdc_alloc_zeros(Asking *, task->count);
	for (int j = 0; j < task->count; j++)
	{
		const SdcCandidatesColumn *column = &task->column[j];
		Demand		demand = DEMAND_MISSING;

		if (!is_asked(column) || column->kind == SDC_CANDIDATES_UNKNOWN)
			continue;
		if (column->kind == SDC_CANDIDATES_EXACT)
			demand = DEMAND_EQUAL;
		else if (column->kind == SDC_CANDIDATES_WINDOW && conditions->windows)
			demand = DEMAND_WINDOW;
		else if (column->kind == SDC_CANDIDATES_RANDOMIZED)
			blanks->randomized[j] = &blanks->asking[blanks->askings];
		add_asking(blanks, demand, j, column->original, column->protected);
	}
	if (blanks->stratum != NULL)
		add_asking(blanks, DEMAND_EQUAL, -1, task->stratum, blanks->stratum);
}

/* take_strata finds the strata of the protected records, if they are asked for. */
static void
take_strata(SdcBlanks *blanks)
{
	SdcConditions *conditions = blanks->conditions;
	const SdcCandidatesTask *task = conditions->task;

	blanks->stratum = NULL;
	if (!conditions->strata)
		return;
	blanks->stratum = sdc_alloc_array(uint32, task->records);
	for (uint32 i = 0; i < task->records; i++)
	{
		sdc_interrupts_spend(&blanks->credit, 1);
		blanks->stratum[i] = stratum_of(conditions, i);
	}
}

/* ------------------------------------------------------------------------
 * Joint swaps
 * ------------------------------------------------------------------------
 */

/* same_blanks tells whether two records have the same blanks in the columns of a joint swap; NONE has none. */
static bool
same_blanks(const SdcConditions *conditions, int joint, uint32 like, uint32 record)
{
	for (int a = 0; a < conditions->count[SDC_CANDIDATES_JOINT]; a++)
	{
		const SdcCandidatesColumn *column =
			&conditions->task->column[conditions->column[SDC_CANDIDATES_JOINT][a]];

		if (column->set == joint &&
			sdc_conditions_blank(column, record) != (like != SDC_RECORD_NONE && sdc_conditions_blank(column, like)))
			return false;
	}
	return true;
}

/* number_variant returns the number of the variant of a joint swap for a record, which is added if it is new. */
static int
number_variant(SdcBlanks *blanks, int joint, uint32 record, int *space)
{
	Variant    *variant;

	for (int v = 0; v < blanks->variants; v++)
	{
		sdc_interrupts_spend(&blanks->credit, 1);
		if (blanks->variant[v].joint == joint &&
			same_blanks(blanks->conditions, joint, blanks->variant[v].like, record))
			return v;
	}
	if (blanks->variants == *space)
	{
		*space *= 2;
		variant = sdc_alloc_array(Variant, *space);
		memcpy(variant, blanks->variant, blanks->variants * sizeof(Variant));
		sdc_free(blanks->variant);
		blanks->variant = variant;
	}
	variant = &blanks->variant[blanks->variants];
	*variant = (Variant) {.joint = joint, .like = record};
	sdc_conditions_part(blanks->conditions, joint, record, &variant->part, &variant->bins);
	return blanks->variants++;
}

/* add_variants finds the variants of all cells. */
static void
add_variants(SdcBlanks *blanks)
{
	const SdcConditions *conditions = blanks->conditions;
	int			joints = conditions->task->joints;
	int			space = joints > 0 ? joints : 1;

	blanks->variant = sdc_alloc_array(Variant, space);
	blanks->variants = joints;
	for (int s = 0; s < joints; s++)
		blanks->variant[s] = (Variant) {s, SDC_RECORD_NONE, conditions->part[s], conditions->bins[s]};
	blanks->variant_of = sdc_alloc_matrix(int, blanks->count, joints);
	for (uint32 c = 0; c < blanks->count; c++)
		for (int s = 0; s < joints; s++)
			blanks->variant_of[(Size) c * joints + s] = number_variant(blanks, s, first_of(blanks, c), &space);
}

/* fits_bins tells whether the bins of a cell can be those of an original. */
static bool
fits_bins(const SdcBlanks *blanks, uint32 original, uint32 cell)
{
	const SdcCandidatesTask *task = blanks->conditions->task;

	for (int s = 0; s < task->joints; s++)
	{
		const Variant *variant = &blanks->variant[blanks->variant_of[(Size) cell * task->joints + s]];

		if (!sdc_numberlists_contains(&variant->bins, variant->part[original],
									  task->joint[s].bin[first_of(blanks, cell)]))
			return false;
	}
	return true;
}

/* ------------------------------------------------------------------------
 * All together
 * ------------------------------------------------------------------------
 */

/* sdc_blanks_create: see blanks.h. */
SdcBlanks *
sdc_blanks_create(SdcConditions *conditions)
{
	SdcBlanks  *blanks = sdc_alloc(sizeof(SdcBlanks));
	uint32		bucket = conditions->blank_bucket;
	uint32		start = conditions->bucket_start[bucket];

	blanks->conditions = conditions;
	blanks->credit = SDC_INTERRUPT_STEPS;
	blanks->first = conditions->bucket_cell[bucket];
	blanks->count = conditions->bucket_cell[bucket + 1] - blanks->first;
	blanks->words = sdc_bitset_words(blanks->count);
	blanks->cell = sdc_alloc_array(uint32, conditions->bucket_start[bucket + 1] - start);
	for (uint32 c = 0; c < blanks->count; c++)
	{
		const uint32 *place = conditions->cell_start + blanks->first + c;

		sdc_interrupts_spend(&blanks->credit, 1);
		for (uint32 p = place[0]; p < place[1]; p++)
			blanks->cell[p - start] = c;
	}
	blanks->askings = 0;
	take_strata(blanks);
	add_askings(blanks);
	add_variants(blanks);
	blanks->mask = sdc_alloc_array(uint64, blanks->words);
	blanks->more = sdc_alloc_matrix(uint64, (uint64) most_differences(conditions->task) + 1, blanks->words);
	blanks->found = sdc_alloc_array(uint32, blanks->count);
	return blanks;
}

/* sdc_blanks_destroy accepts NULL. */
void
sdc_blanks_destroy(SdcBlanks *blanks)
{
	if (blanks == NULL)
		return;
	for (int a = 0; a < blanks->askings; a++)
	{
		sdc_codemap_destroy(&blanks->asking[a].codes);
		sdc_free(blanks->asking[a].missing);
		sdc_free(blanks->asking[a].blank);
	}
	for (int v = blanks->conditions->task->joints; v < blanks->variants; v++)
	{
		sdc_numberlists_destroy(&blanks->variant[v].bins);
		sdc_free(blanks->variant[v].part);
	}
	if (blanks->stratum != NULL)
		sdc_free(blanks->stratum);
	sdc_free(blanks->found);
	sdc_free(blanks->more);
	sdc_free(blanks->mask);
	sdc_free(blanks->variant_of);
	sdc_free(blanks->variant);
	sdc_free(blanks->randomized);
	sdc_free(blanks->asking);
	sdc_free(blanks->cell);
	sdc_free(blanks);
}

/* sdc_blanks_cells: see blanks.h. */
uint32
sdc_blanks_cells(const SdcBlanks *blanks)
{
	return blanks == NULL ? 0 : blanks->count;
}

/* fits_code tells whether a record has a code that a column asks for, or a blank. */
static bool
fits_code(const SdcBlanks *blanks, const Asking *asking, uint32 original, uint32 record)
{
	uint32		wanted = asking->original[original];
	uint32		code = asking->protected[record];
	SdcInterval window;

	if (is_blank(blanks, asking, record))
		return true;
	if (wanted == SDC_CODE_NULL || asking->demand == DEMAND_EQUAL)
		return code == wanted;
	if (code == SDC_CODE_NULL || asking->demand == DEMAND_MISSING)
		return code != SDC_CODE_NULL;
	window = sdc_conditions_window(blanks->conditions, asking->column, original);
	return code >= window.first && code <= window.last;
}

/* sdc_blanks_fit: see blanks.h. */
bool
sdc_blanks_fit(const SdcBlanks *blanks, uint32 original, uint32 record)
{
	const SdcConditions *conditions = blanks->conditions;
	uint32		place = conditions->place[record] - conditions->bucket_start[conditions->blank_bucket];

	for (int a = 0; a < blanks->askings; a++)
		if (!fits_code(blanks, &blanks->asking[a], original, record))
			return false;
	return sdc_conditions_group(conditions, original, record) &&
		fits_bins(blanks, original, blanks->cell[place]);
}

/* spend_words looks for a cancel after enough words. */
static inline void
spend_words(SdcBlanks *blanks)
{
	uint64		steps = blanks->words / SDC_BITSET_BLOCK + 1;

	sdc_interrupts_spend(&blanks->credit, steps < SDC_INTERRUPT_STEPS ? (uint32) steps : SDC_INTERRUPT_STEPS);
}

/* intersect_column leaves the cells that have what a column asks for, or a blank. */
static void
intersect_column(SdcBlanks *blanks, Asking *asking, uint32 original)
{
	uint32		code = asking->original[original];
	const uint64 *inside = asking->missing;
	SdcInterval interval = {code, code};

	spend_words(blanks);
	if (code != SDC_CODE_NULL && asking->demand == DEMAND_MISSING)
	{
		sdc_bitset_subtract(blanks->mask, blanks->mask, asking->missing, blanks->words);
		return;
	}
	if (code != SDC_CODE_NULL)
	{
		if (asking->demand == DEMAND_WINDOW)
			interval = sdc_conditions_window(blanks->conditions, asking->column, original);
		inside = sdc_codemap_take(&asking->codes, interval);
	}
	for (Size w = 0; w < blanks->words; w++)
		blanks->mask[w] &= inside[w] | asking->blank[w];
}

/* intersect_differences leaves the cells that differ from the original taken in at most k columns of a draw. */
static void
intersect_differences(SdcBlanks *blanks, const SdcLikelihoodDraw *draw, uint32 original)
{
	Size		words = blanks->words;

	memset(blanks->more, 0, ((Size) draw->k + 1) * words * sizeof(uint64));
	for (int a = 0; a < draw->active; a++)
	{
		Asking	   *asking = blanks->randomized[draw->column[draw->at[a]]];
		uint32		code = asking->original[original];
		const uint64 *agree = sdc_codemap_take(&asking->codes, (SdcInterval) {code, code});

		for (Size w = 0; w < words; w++)
		{
			uint64		differs = ~(agree[w] | asking->blank[w]);

			for (int d = draw->k; d > 0; d--)
				blanks->more[d * words + w] |= blanks->more[(d - 1) * words + w] & differs;
			blanks->more[w] |= differs;
		}
		for (int d = 0; d <= draw->k; d++)
			spend_words(blanks);
	}
	sdc_bitset_subtract(blanks->mask, blanks->mask, blanks->more + draw->k * words, words);
}

/* take_mask finds the cells that are compatible, but for groups and bins. */
static void
take_mask(SdcBlanks *blanks, uint32 original)
{
	const SdcLikelihood *likelihood = blanks->conditions->likelihood;

	memset(blanks->mask, 0, blanks->words * sizeof(uint64));
	memset(blanks->mask, 0xFF, blanks->count / SDC_BITSET_BITS * sizeof(uint64));
	if (blanks->count % SDC_BITSET_BITS != 0)
		blanks->mask[blanks->count / SDC_BITSET_BITS] =
			(UINT64_C(1) << (blanks->count % SDC_BITSET_BITS)) - 1;
	for (int a = 0; a < blanks->askings; a++)
		intersect_column(blanks, &blanks->asking[a], original);
	for (int s = 0; likelihood != NULL && s < likelihood->draws; s++)
		if (!likelihood->draw[s].laws)
			intersect_differences(blanks, &likelihood->draw[s], original);
}

/* sdc_blanks_find: see blanks.h. */
uint32
sdc_blanks_find(SdcBlanks *blanks, uint32 original, const uint32 **cell)
{
	uint32		count = 0;

	*cell = NULL;
	if (blanks == NULL)
		return 0;
	if (blanks->conditions->likelihood != NULL)
		sdc_likelihood_take(blanks->conditions->likelihood, original);
	take_mask(blanks, original);
	for (Size w = 0; w < blanks->words; w++)
		for (uint64 rest = blanks->mask[w]; rest != 0; rest &= rest - 1)
		{
			uint32		found = (uint32) (w * SDC_BITSET_BITS) + __builtin_ctzll(rest);

			sdc_interrupts_spend(&blanks->credit, 1);
			if (sdc_conditions_group(blanks->conditions, original, first_of(blanks, found)) &&
				fits_bins(blanks, original, found))
				blanks->found[count++] = blanks->first + found;
		}
	*cell = blanks->found;
	return count;
}
