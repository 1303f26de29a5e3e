/*-------------------------------------------------------------------------
 *
 * minimaluniques.c
 *		Minimal sample uniques: the smallest sets of columns that make a record unique.
 *
 * The special uniques of M. Elliot, A. Manning and R. Ford, "A computational algorithm for handling the
 * special uniques problem", 2002; A. Manning, D. Haglin and J. Keane, "A recursive search algorithm for
 * statistical disclosure assessment", Data Mining and Knowledge Discovery 16 (2008).  Score and dis score
 * are those in common use.
 *
 * The search is by levels.  A bitmap of each set of s - 1 columns tells which records are unique in it; one
 * of s columns is minimal for a record that none of its subsets of s - 1 columns makes unique: as a
 * superset of a unique set is unique, these suffice.  Only records that are unique in all columns have a
 * bit.  Several records of one unit are as unique as one: a class is one of one unit, or of more.
 *
 * Within a level the sets are visited in lexicographic order, and the records are split column by column:
 * the classes by the first columns of a set are shared by all sets that begin with them.  A class of one
 * record is dropped: it is unique in every longer set, and minimal in none.  So a set costs one pass over
 * the records that its first s - 1 columns do not tell apart, with a hash of class and value that is exact.
 *
 * Time: O(records) for each set.  Memory: 8 bytes a record for each column of a set, a table of 24 to 48 bytes a
 * record, and the bitmaps of two levels, which for 9 columns are 252 at most.  The result is determined by the input,
 * in whatever order its records are.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <math.h>

#include "kernel/base/bitset.h"
#include "kernel/base/boxes.h"
#include "kernel/base/moments.h"
#include "kernel/groups/minimaluniques.h"

#define MOST SDC_MINIMALUNIQUES_COLUMNS

/* No slot; no bit. */
#define NONE UINT32_MAX

/* Records that some columns do not tell apart. */
typedef struct Split
{
	uint32		count;
	uint32	   *record;
	uint32	   *class;			/* of each of them: any numbers */
} Split;

typedef struct Search
{
	/* set once */
	const SdcMinimalUniquesTask *task;
	uint32	   *size;
	uint64	   *score;
	uint64	   *part;			/* or NULL */
	SdcMinimalUniques *result;
	uint32	   *bit;			/* of each record, or NONE */
	Size		words;			/* of a bitmap */
	uint64		weight[MOST + 1];	/* (m - s)! by s */

	/* the split by the first 0, 1, ... columns of the set */
	Split		split[MOST];

	/* a table of pairs of class and value */
	uint64		slots;			/* a power of 2 */
	uint64	   *key;
	uint32	   *count;			/* 0: the slot is free; 1: all are of one unit */
	uint32	   *owner;			/* the unit of the first one; NULL: each record is a unit */
	uint32	   *slot;			/* of each record that is being split */

	uint64		sets;			/* of all levels, */
	uint64		done;			/* and those visited */

	/* the level */
	int			level;
	uint32		visited;		/* sets so far */
	uint32	   *place;			/* by set, a bitmap of columns: which of the level it is */
	uint64	   *before;			/* bitmaps of the level before; NULL at first */
	uint64	   *bitmap;			/* of this one; NULL: not wanted */
	uint64		with[MOST][MOST + 1];	/* minimal uniques by column and size */
} Search;

/* table_slots is the size of the table for so many records. */
static uint64
table_slots(uint32 records)
{
	uint64		slots = 8;

	while (slots < 2 * (uint64) records)
		slots *= 2;
	return slots;
}

/* number_classes numbers the classes of records that are equal in all columns, and in unit, if it is not NULL. */
static void
number_classes(const SdcCodedFile *coded, const uint32 *unit, uint32 *class)
{
	SdcBoxes   *boxes = sdc_boxes_create(coded->records);

	for (int j = 0; j < coded->attributes + (unit != NULL); j++)
	{
		const uint32 *code = j < coded->attributes ? coded->column[j].code : unit;
		uint64	   *column = sdc_boxes_column(boxes);

		for (uint32 i = 0; i < coded->records; i++)
		{
			sdc_interrupts_step(i);
			column[i] = code[i];
		}
		sdc_boxes_add(boxes, UINT32_MAX);
	}
	sdc_boxes_number(boxes, NULL, 0, class);
	sdc_boxes_destroy(boxes);
}

/* find_first tells which records are the first ones of their classes. */
static void
find_first(const uint32 *class, uint32 records, bool *first)
{
	uint64	   *seen = sdc_alloc_zeros(uint64, sdc_bitset_words(records));

	for (uint32 i = 0; i < records; i++)
	{
		sdc_interrupts_step(i);
		first[i] = !sdc_bitset_contains(seen, class[i]);
		sdc_bitset_add(seen, class[i]);
	}
	sdc_free(seen);
}

/* count_members counts the units of every class; members has room for a word a record. */
static void
count_members(const SdcMinimalUniquesTask *task, const uint32 *class, uint32 *members)
{
	uint32		records = task->coded->records;
	bool	   *counts = NULL;

	if (task->unit != NULL)
	{
		number_classes(task->coded, task->unit, members);
		counts = sdc_alloc_array(bool, records);
		find_first(members, records, counts);
	}
	memset(members, 0, (Size) records * sizeof(uint32));
	for (uint32 i = 0; i < records; i++)
	{
		sdc_interrupts_step(i);
		if (counts == NULL || counts[i])
			members[class[i]]++;
	}
	if (counts != NULL)
		sdc_free(counts);
}

/* number_unique gives a bit to every record that is unique in all columns, and counts classes. */
static void
number_unique(const SdcMinimalUniquesTask *task, uint32 *bit, uint32 *members, bool *first, SdcMinimalUniques *result)
{
	uint32		records = task->coded->records;
	uint32		next = 0;

	number_classes(task->coded, NULL, bit);
	if (first != NULL)
		find_first(bit, records, first);
	count_members(task, bit, members);
	/* there are no more classes than records */
	for (uint32 i = 0; i < records; i++)
	{
		sdc_interrupts_step(i);
		result->pairs += members[i] == 2;
	}
	for (uint32 i = 0; i < records; i++)
	{
		sdc_interrupts_step(i);
		/* bit[i] is needed for this record only */
		bit[i] = members[bit[i]] == 1 ? next++ : NONE;
	}
	result->unique = next;
}

/* slot_of finds a pair of class and value in the table, or makes a place for it. */
static inline uint32
slot_of(Search *search, uint64 mask, uint64 key)
{
	uint64		hash = key * UINT64_C(0x9E3779B97F4A7C15);
	uint64		slot = (hash ^ hash >> 32) & mask;

	while (search->count[slot] > 0 && search->key[slot] != key)
		slot = (slot + 1) & mask;
	search->key[slot] = key;
	return (uint32) slot;
}

/* add_member counts a record in its slot: the first one, and then those that are of another unit. */
static inline void
add_member(Search *search, uint32 slot, uint32 record)
{
	if (search->owner == NULL)
	{
		search->count[slot]++;
		return;
	}
	if (search->count[slot] == 0)
	{
		search->owner[slot] = search->task->unit[record];
		search->count[slot] = 1;
	}
	else if (search->owner[slot] != search->task->unit[record])
		search->count[slot] = 2;
}

/* count_pairs finds the slots of the records of a split by one more column; those without a value have none. */
static void
count_pairs(Search *search, const Split *split, int column)
{
	const uint32 *code = search->task->coded->column[column].code;
	uint64		mask = table_slots(split->count) - 1;

	memset(search->count, 0, (Size) (mask + 1) * sizeof(uint32));
	for (uint32 k = 0; k < split->count; k++)
	{
		uint32		value = code[split->record[k]];

		sdc_interrupts_step(k);
		search->slot[k] = NONE;
		if (value == SDC_CODE_NULL)
			continue;
		search->slot[k] = slot_of(search, mask, (uint64) split->class[k] << 32 | value);
		add_member(search, search->slot[k], split->record[k]);
	}
}

/* keep_together writes the records that one more column does not make unique. */
static void
keep_together(const Search *search, const Split *split, Split *next)
{
	next->count = 0;
	for (uint32 k = 0; k < split->count; k++)
	{
		uint32		slot = search->slot[k];

		sdc_interrupts_step(k);
		if (slot == NONE || search->count[slot] < 2)
			continue;
		next->record[next->count] = split->record[k];
		next->class[next->count++] = slot;
	}
}

/* subset_bitmap is the bitmap of a set of the level before. */
static inline const uint64 *
subset_bitmap(const Search *search, uint32 set)
{
	return search->before + (Size) search->place[set] * search->words;
}

/* is_minimal: whether no set of one column less makes a record unique. */
static bool
is_minimal(const Search *search, uint32 set, uint32 bit)
{
	if (search->before == NULL)
		return true;
	for (uint32 rest = set; rest != 0; rest &= rest - 1)
		if (sdc_bitset_contains(subset_bitmap(search, set & ~(rest & -rest)), bit))
			return false;
	return true;
}

/* add_minimal counts a minimal unique of a record. */
static void
add_minimal(Search *search, uint32 set, uint32 record)
{
	int			size = search->level;

	search->size[(Size) record * (Size) search->task->max_size + (Size) size - 1]++;
	search->result->records += search->score[record] == 0;
	search->score[record] += search->weight[size];
	search->result->sets[size]++;
	for (uint32 rest = set; rest != 0; rest &= rest - 1)
	{
		int			column = __builtin_ctz(rest);

		search->with[column][size]++;
		if (search->part != NULL)
			search->part[(Size) record * (Size) search->task->coded->attributes + (Size) column] +=
				search->weight[size];
	}
}

/* finish_set finds the minimal uniques of a set whose last column has just been counted. */
static void
finish_set(Search *search, const Split *split, uint32 set)
{
	uint64	   *bitmap = NULL;

	if (search->bitmap != NULL)
	{
		bitmap = search->bitmap + (Size) search->visited * search->words;
		memset(bitmap, 0, search->words * sizeof(uint64));
		if (search->before != NULL)
			for (uint32 rest = set; rest != 0; rest &= rest - 1)
				sdc_bitset_unite(bitmap, subset_bitmap(search, set & ~(rest & -rest)),
								 search->words);
	}
	for (uint32 k = 0; k < split->count; k++)
	{
		uint32		record = split->record[k];

		sdc_interrupts_step(k);
		if (search->slot[k] == NONE || search->count[search->slot[k]] > 1)
			continue;
		/* what is unique in some columns is so in all of them */
		SDC_ASSERT(search->bit[record] != NONE);
		if (bitmap != NULL)
			sdc_bitset_add(bitmap, search->bit[record]);
		if (is_minimal(search, set, search->bit[record]))
			add_minimal(search, set, record);
	}
	search->place[set] = search->visited++;
	SDC_REPORT(++search->done, search->sets);
}

/* visit_sets visits the sets of the level that begin with some columns, in lexicographic order. */
static void
visit_sets(Search *search, uint32 set, int columns, int next)
{
	int			last = search->task->coded->attributes - (search->level - columns);

	for (int j = next; j <= last; j++)
	{
		SDC_CHECK_INTERRUPTS();
		count_pairs(search, &search->split[columns], j);
		if (columns + 1 == search->level)
			finish_set(search, &search->split[columns], set | UINT32_C(1) << j);
		else
		{
			keep_together(search, &search->split[columns], &search->split[columns + 1]);
			visit_sets(search, set | UINT32_C(1) << j, columns + 1, j + 1);
		}
	}
}

/* choose is the number of sets of s of m columns. */
static uint64
choose(int m, int s)
{
	uint64		sets = 1;

	for (int i = 1; i <= s; i++)
		sets = sets * (uint64) (m - s + i) / (uint64) i;
	return sets;
}

/* visit_levels visits the sets of 1, 2, ... columns. */
static void
visit_levels(Search *search)
{
	int			attributes = search->task->coded->attributes;

	search->before = NULL;
	for (int s = 1; s <= search->task->max_size; s++)
		search->sets += choose(attributes, s);
	for (int s = 1; s <= search->task->max_size; s++)
	{
		search->level = s;
		search->visited = 0;
		search->bitmap = s == search->task->max_size ? NULL :
			sdc_alloc_matrix(uint64, choose(attributes, s), search->words);
		visit_sets(search, 0, 0, 0);
		if (search->before != NULL)
			sdc_free(search->before);
		search->before = search->bitmap;
	}
}

/* add_up makes the figures of the file from counts. */
static void
add_up(const Search *search, SdcMinimalUniques *result)
{
	for (int s = 1; s <= search->task->max_size; s++)
		result->total += (double) result->sets[s] * (double) search->weight[s];
	for (int j = 0; j < search->task->coded->attributes && result->total > 0; j++)
	{
		double		with = 0;

		for (int s = 1; s <= search->task->max_size; s++)
			with += (double) search->with[j][s] * (double) search->weight[s];
		result->contribution[j] = 100 * with / result->total;
	}
}

/* start_search allocates what the search needs; the first split has all records in one class. */
static void
start_search(Search *search, uint32 records)
{
	int			attributes = search->task->coded->attributes;
	int			splits = search->task->max_size;
	uint32		sets = UINT32_C(1) << attributes;
	uint32	   *memory = sdc_alloc_matrix(uint32, splits, records);

	for (int s = 0; s < splits; s++)
		search->split[s].record = memory + (Size) s * records;
	memory = sdc_alloc_matrix(uint32, splits, records);
	for (int s = 0; s < splits; s++)
		search->split[s].class = memory + (Size) s * records;
	search->split[0].count = records;
	for (uint32 i = 0; i < records; i++)
	{
		sdc_interrupts_step(i);
		search->split[0].record[i] = i;
		search->split[0].class[i] = 0;
	}
	search->slots = table_slots(records);
	search->key = sdc_alloc_array(uint64, search->slots);
	search->count = sdc_alloc_array(uint32, search->slots);
	if (search->task->unit != NULL)
		search->owner = sdc_alloc_array(uint32, search->slots);
	search->place = sdc_alloc_array(uint32, sets);
	search->words = sdc_bitset_words(search->result->unique);
	search->weight[attributes] = 1;
	for (int s = attributes - 1; s >= 0; s--)
		search->weight[s] = search->weight[s + 1] * (uint64) (attributes - s);
}

/* sdc_minimaluniques_find: see minimaluniques.h. */
void
sdc_minimaluniques_find(const SdcMinimalUniquesTask *task, uint32 *size, uint64 *score,
						uint64 *part, bool *first, SdcMinimalUniques *result)
{
	uint32		records = task->coded->records;
	Search		search;

	SDC_ASSERT(task->coded->attributes >= 1 && task->coded->attributes <= MOST);
	SDC_ASSERT(task->max_size >= 1 && task->max_size <= task->coded->attributes);
	memset(&search, 0, sizeof(search));
	memset(result, 0, sizeof(*result));
	memset(size, 0, (Size) records * (Size) task->max_size * sizeof(uint32));
	memset(score, 0, (Size) records * sizeof(uint64));
	search.task = task;
	search.size = size;
	search.score = score;
	search.part = part;
	if (part != NULL)
		memset(part, 0, (Size) records * (Size) task->coded->attributes * sizeof(uint64));
	search.result = result;
	search.bit = sdc_alloc_array(uint32, records);
	search.slot = sdc_alloc_array(uint32, records);
	number_unique(task, search.bit, search.slot, first, result);
	if (result->unique > 0)
	{
		start_search(&search, records);
		visit_levels(&search);
		add_up(&search, result);
		sdc_free(search.place);
		if (search.owner != NULL)
			sdc_free(search.owner);
		sdc_free(search.count);
		sdc_free(search.key);
		sdc_free(search.split[0].class);
		sdc_free(search.split[0].record);
	}
	sdc_free(search.slot);
	sdc_free(search.bit);
}

/*
 * sdc_minimaluniques_dis: with U unique records and dis = U share / (U share + 2 pairs (1 - share)), the
 * right part of a file's matches, U / dis - U is 2 pairs (1 - share) / share.
 */
void
sdc_minimaluniques_dis(const uint64 *score, const bool *first, uint32 records, int attributes, uint64 pairs,
					   double share, double *dis)
{
	double		wrong = 2 * (double) pairs * (1 - share) / share;
	double		power = 1 + (8 - attributes) / 20.0;
	SdcMomentsSum sum = {0, 0};

	for (uint32 i = 0; i < records; i++)
	{
		sdc_interrupts_step(i);
		dis[i] = score[i] > 0 ? pow((double) score[i], power) : 0;
		if (score[i] > 0 && (first == NULL || first[i]))
			sdc_moments_add(&sum, 1 / dis[i]);
	}
	for (uint32 i = 0; i < records; i++)
	{
		sdc_interrupts_step(i);
		if (score[i] > 0)
			dis[i] = 1 / (1 + wrong / (dis[i] * sdc_moments_total(&sum)));
	}
}
