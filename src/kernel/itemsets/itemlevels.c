/*-------------------------------------------------------------------------
 *
 * itemlevels.c
 *		The levels of a search for itemsets: candidates and their records, in bounded memory.
 *
 * How many records a prefix of d items can have follows from the counts of items: its items are of
 * d attributes, so the d-th highest of their highest counts bounds them.  It bounds the
 * candidates too, each of which has its minimum count, and their records together: a
 * record has at most one item of each attribute.  Nothing is ever allocated beyond these bounds, which
 * are known before the search; and a level is allocated when it is first used, with
 * twice what is needed, within its bound.
 *
 * Determinism: nothing to choose.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/itemsets/itemlevels.h"

/* Arrays of numbers that a level has for its candidates. */
#define CANDIDATE_NUMBERS 5

/* size_sum is a sum, or the highest number if that exceeds it. */
static inline uint64
size_sum(uint64 a, uint64 b)
{
	return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

/* size_product is a product, or the highest number if that exceeds it. */
static inline uint64
size_product(uint64 a, uint64 b)
{
	return a != 0 && b > UINT64_MAX / a ? UINT64_MAX : a * b;
}

/* lesser is the lesser of two sizes. */
static inline uint64
lesser(uint64 a, uint64 b)
{
	return a < b ? a : b;
}

/* greater is the greater of two sizes. */
static inline uint64
greater(uint64 a, uint64 b)
{
	return a > b ? a : b;
}

/* count_column counts the records of each item; work is all 0, before and after. */
static void
count_column(SdcItemColumn *column, uint32 records, uint32 *work)
{
	for (uint32 i = 0; i < records; i++)
	{
		uint32		code = column->code[i];

		sdc_interrupts_step(i);
		SDC_ASSERT(code < column->codes || code == SDC_CODE_NULL);
		if (code != SDC_CODE_NULL)
			work[code]++;
	}
	column->frequent = 0;
	column->most = 0;
	column->total = 0;
	for (uint32 code = 0; code < column->codes; code++)
	{
		uint32		count = work[code];

		sdc_interrupts_step(code);
		work[code] = 0;
		if (count < column->min_count)
			continue;
		column->frequent++;
		column->total += count;
		if (count > column->most)
			column->most = count;
	}
}

/* sdc_itemlevels_codes: see itemlevels.h. */
uint32
sdc_itemlevels_codes(const SdcCodedFile *coded)
{
	uint32		most = 0;

	for (int j = 0; j < coded->attributes; j++)
		if (coded->column[j].codes > most)
			most = coded->column[j].codes;
	return most;
}

/* take_columns takes the columns of attributes that are final, or not, and counts their items. */
static int
take_columns(const SdcItemsearch *task, bool final, SdcItemColumn *column, uint32 *work)
{
	const SdcCodedFile *coded = task->coded;
	int			n = 0;

	for (int j = 0; j < coded->attributes; j++)
	{
		if ((task->final != NULL && task->final[j]) != final)
			continue;
		column[n].code = coded->column[j].code;
		column[n].codes = coded->column[j].codes;
		column[n].attribute = (uint32) j;
		column[n].min_count = sdc_itemlevels_count(final ? task->final_min_count : task->min_count);
		count_column(&column[n], coded->records, work);
		n++;
	}
	return n;
}

/*
 * prefix_bounds writes how many records a prefix of d items can have, for all levels: the
 * d-th highest of the highest counts of attributes.
 */
static void
prefix_bounds(const SdcItemlevels *set, uint32 *bound)
{
	bound[0] = set->records;
	for (int d = 1; d < set->levels; d++)
		bound[d] = 0;
	for (int j = 0; j < set->regular; j++)
	{
		uint32		most = set->column[j].most;

		/* insert it into the descending list, and drop the last one */
		for (int d = 1; d < set->levels; d++)
		{
			if (most > bound[d])
			{
				uint32		other = bound[d];

				bound[d] = most;
				most = other;
			}
		}
	}
}

/*
 * bound_data returns the most bytes that the records of a level's candidates take, in whichever
 * form; total is a bound for all candidates together.
 *
 * Levels of bitmaps have their number of words from a level above, if they are few, or else
 * at most 4/3 of the words that they need.
 */
static uint64
bound_data(const SdcItemlevels *set, int depth, uint64 candidates, uint32 records, uint64 total)
{
	const SdcItemlevel *root = &set->level[0];
	uint64		words = sdc_bitmaps_words(records);
	uint64		bitmaps;
	uint64		lists = size_product(total, sizeof(uint32));

	if (depth == 0)
		return root->words > 0 ? candidates * words * sizeof(uint64) : lists;
	bitmaps = greater(size_product(candidates, words * 4 / 3 + 1),
					  SDC_ITEMLEVELS_FEW * sdc_bitmaps_words(set->records));
	bitmaps = size_product(bitmaps, sizeof(uint64));
	if (root->words > 0)
		return bitmaps;

	/* one word for each candidate, or no more than the lists of the level that turned to bitmaps */
	return greater(lists, lesser(bitmaps, greater(size_product(candidates, sizeof(uint64)),
												  set->level[1].max_bytes)));
}

/*
 * bound_levels computes what each level takes at most; bound[] is of prefix_bounds.  The first
 * level has bitmaps, words > 0, or lists.
 */
static void
bound_levels(const SdcItemlevels *set, const uint32 *bound)
{
	for (int d = 0; d < set->levels; d++)
	{
		SdcItemlevel *level = &set->level[d];
		uint64		candidates = 0;
		uint64		total = 0;
		uint64		columns = 0;

		/* an item of a prefix is of the first column at least, the next one of the second, ... */
		for (int j = d; j < set->columns; j++)
		{
			const SdcItemColumn *column = &set->column[j];

			candidates += lesser(column->frequent, bound[d] / column->min_count);
			total += column->total;
			columns += column->frequent > 0;
		}
		total = lesser(total, size_product(bound[d], columns));
		level->max_candidates = candidates;
		if (d == 0 && sdc_itemlevels_bitmaps_pay(candidates, sdc_bitmaps_words(bound[0]), total))
			level->words = sdc_bitmaps_words(bound[0]);
		level->max_bytes = 0;	/* while bound_data looks at it */
		level->max_bytes = bound_data(set, d, candidates, bound[d], total);
		if (d == 1 && set->level[0].words == 0)
			level->max_bytes = greater(level->max_bytes,
									   greater(size_product(total, sizeof(uint32)),
											   size_product(candidates, sizeof(uint64))));
	}
}

/*
 * sdc_itemlevels_open counts the items of all columns and bounds the levels; nothing is allocated for
 * the levels yet.
 */
void
sdc_itemlevels_open(SdcItemlevels *set, const SdcItemsearch *task)
{
	const SdcCodedFile *coded = task->coded;
	Size		codes = (Size) sdc_itemlevels_codes(coded) + 1;
	uint32	   *bound;

	SDC_ASSERT(task->max_length >= 1 && task->min_count >= 1);
	memset(set, 0, sizeof(SdcItemlevels));
	set->records = coded->records;
	set->work = sdc_alloc_zeros(uint32, codes);
	set->column = sdc_alloc_array(SdcItemColumn, coded->attributes);
	set->regular = take_columns(task, false, set->column, set->work);
	set->columns = set->regular +
		take_columns(task, true, set->column + set->regular, set->work);
	SDC_ASSERT(set->columns == coded->attributes);

	set->levels = set->regular < task->max_length ? set->regular : task->max_length;
	if (task->final != NULL || set->levels == 0)
		set->levels++;
	set->level = sdc_alloc_zeros(SdcItemlevel, set->levels);
	bound = sdc_alloc_array(uint32, set->levels);
	prefix_bounds(set, bound);
	bound_levels(set, bound);
	sdc_free(bound);
}

/* sdc_itemlevels_close frees everything. */
void
sdc_itemlevels_close(SdcItemlevels *set)
{
	for (int d = 0; d < set->levels; d++)
	{
		if (set->level[d].column != NULL)
			sdc_free(set->level[d].column);
		if (set->level[d].data != NULL)
			sdc_free(set->level[d].data);
	}
	sdc_free(set->level);
	sdc_free(set->column);
	sdc_free(set->work);
}

/* sdc_itemlevels_memory: see itemlevels.h. */
uint64
sdc_itemlevels_memory(const SdcItemlevels *set)
{
	uint64		bytes = (uint64) set->columns * sizeof(SdcItemColumn) +
		(uint64) set->levels * (sizeof(SdcItemlevel) + sizeof(uint32));

	for (int d = 0; d < set->levels; d++)
	{
		const SdcItemlevel *level = &set->level[d];

		if (level->max_candidates >= UINT32_MAX)
			return UINT64_MAX;
		bytes = size_sum(bytes, (level->max_candidates + 1) * CANDIDATE_NUMBERS * sizeof(uint32));
		bytes = size_sum(bytes, size_sum(level->max_bytes, sizeof(uint64)));
	}
	return bytes;
}

/* sdc_itemlevels_candidates: see itemlevels.h. */
void
sdc_itemlevels_candidates(SdcItemlevel *level)
{
	Size		n = (Size) level->max_candidates + 1;	/* sdc_bitmaps' intersect writes one more */

	if (level->column != NULL)
		return;
	SDC_ASSERT(level->max_candidates < UINT32_MAX);
	level->column = sdc_alloc_matrix(uint32, CANDIDATE_NUMBERS, n);
	level->code = level->column + n;
	level->count = level->code + n;
	level->next = level->count + n;
	level->kept = level->next + n;
}

/* sdc_itemlevels_reserve: see itemlevels.h.  Twice what is needed saves many a call. */
void
sdc_itemlevels_reserve(SdcItemlevel *level, uint64 bytes)
{
	SDC_ASSERT(bytes <= level->max_bytes);
	if (bytes <= level->bytes)
		return;
	if (level->data != NULL)
		sdc_free(level->data);
	level->data = NULL;
	level->bytes = lesser(2 * bytes, level->max_bytes);

	/* one more word for sdc_bitmaps' squeeze */
	level->data = sdc_alloc(level->bytes + sizeof(uint64));
}
