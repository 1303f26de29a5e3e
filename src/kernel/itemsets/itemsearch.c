/*-------------------------------------------------------------------------
 *
 * itemsearch.c
 *		The search for frequent itemsets that itemsets and rules are made of.
 *
 * Depth first, after M. J. Zaki ("Scalable algorithms for association mining", IEEE
 * Transactions on Knowledge and Data Engineering 12, 2000): for the itemset at hand, the
 * prefix, there is a level with its candidates, the items of later attributes that are
 * frequent with it, and with their records among those of the prefix.  A candidate
 * extends the prefix; candidates of the next level are those of later attributes which have
 * enough records in common with it.
 *
 * Records of a prefix are numbered anew, 0, 1, 2, ..., so that deep levels, where
 * most itemsets are, have bitmaps of few words.  The records of candidates are
 *
 *	- bitmaps, of which each is intersected with the later ones.  Those of the next
 *	  level are squeezed down to the records in the extending bitmap, unless that is
 *	  most of them, or the level too small to be worth it: then they are only intersected;
 *	- lists of records, where bitmaps would take more memory: items that few
 *	  records have, as of attributes with very many values.  Then the values of the records are
 *	  counted.  Levels below turn to bitmaps as soon as these are small enough.
 *
 * Final attributes (see itemsearch.h) stand behind the others, and their items extend
 * nothing.  A prefix without a candidate of a final attribute is given up.
 *
 * The itemsets with one first item are found without those with another, from the first level alone: they are
 * a part that another process can search, and what the parts emit, in their order, is the same whoever does.
 *
 * Memory: a level has at most one number per record and attribute, and what a
 * level needs shrinks with the records of a prefix of that length; levels are
 * reused.  Work: of bitmaps, a word for 64 records of a prefix and each pair of its candidates; of
 * lists, a few steps for each value of the records of a prefix.  Deterministic: nothing to choose.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/base/pairs.h"
#include "kernel/itemsets/bitmaps.h"
#include "kernel/itemsets/itemlevels.h"
#include "kernel/itemsets/itemsearch.h"

/* Words that bitmaps are intersected with in one go, between interrupt checks. */
#define MEET_WORDS ((Size) 1 << 18)

/* Words that count as one step for interrupt checks. */
#define STEP_WORDS 16

/* So many times it is told how far the search is, at most. */
#define QUANTA 4096

/* With fewer codes per record all codes are looked at; with more, those that occur are sorted. */
#define SPARSE_CODES 8

/* Sorting more codes than this takes so long that a cancel has to be looked for meanwhile. */
#define MANY_CODES 100000

/* What work has for codes that are no candidates. */
#define NONE 0

struct SdcItemrun
{
	/* set once */
	const SdcItemsearch *task;
	const SdcBitmaps *bitmaps;
	SdcItemlevels set;			/* all levels; what they hold changes */
	bool		lists;			/* the first level has lists */
	uint32		parts;

	/* changes */
	SdcItem    *prefix;
	uint64	   *prefix_count;	/* of its first 0, 1, 2, ... items */

	/* work space */
	uint32	   *touched;		/* codes that occur */
	SdcBitmapsMask mask;
	uint32		credit;

	/* the part at hand */
	uint32		first;			/* candidate of the first level, */
	uint32		first_part;		/* the first of its parts, */
	uint64		first_list;		/* and where its list begins */
	bool		extended;		/* the second level is that of this candidate, */
	bool		second;			/* and worthwhile */

	/* how far it is */
	uint64		quantum;		/* steps that are worth telling */
	uint64		untold;			/* steps that are done */
	uint64		part_weight;	/* steps of the part, */
	uint64		part_done;		/* and those done */
};

/* ------------------------------------------------------------------------
 * Begin, end, memory
 * ------------------------------------------------------------------------
 */

/* search_open prepares a search. */
static SdcItemrun *
search_open(const SdcItemsearch *task)
{
	Size		codes = (Size) sdc_itemlevels_codes(task->coded) / SPARSE_CODES + 1;
	SdcItemrun *search = sdc_alloc_zeros(SdcItemrun, 1);
	Size		words;
	Size		levels;

	search->task = task;
	search->bitmaps = sdc_bitmaps_fastest();
	sdc_itemlevels_open(&search->set, task);
	levels = (Size) search->set.levels;
	words = sdc_bitmaps_words(search->set.records);
	search->prefix = sdc_alloc_array(SdcItem, levels);
	search->prefix_count = sdc_alloc_array(uint64, levels + 1);
	search->prefix_count[0] = search->set.records;
	search->touched = sdc_alloc_array(uint32, codes);
	search->mask.word = sdc_alloc_array(uint32, words);
	search->mask.bits = sdc_alloc_array(uint64, words);
	if (search->bitmaps->moves)
		search->mask.move = sdc_alloc_matrix(uint64, words, SDC_BITMAPS_MOVES);
	return search;
}

/* sdc_itemsearch_close frees everything. */
void
sdc_itemsearch_close(SdcItemrun *search)
{
	if (search->mask.move != NULL)
		sdc_free(search->mask.move);
	sdc_free(search->mask.bits);
	sdc_free(search->mask.word);
	sdc_free(search->touched);
	sdc_free(search->prefix_count);
	sdc_free(search->prefix);
	sdc_itemlevels_close(&search->set);
	sdc_free(search);
}

/* memory_bound bounds the bytes of a search with such levels. */
static uint64
memory_bound(const SdcItemsearch *task, const SdcItemlevels *set)
{
	uint64		codes = (uint64) sdc_itemlevels_codes(task->coded) + 1;
	uint64		word = sizeof(uint32) + sizeof(uint64);
	uint64		bytes = sdc_itemlevels_memory(set);
	uint64		more;

	if (sdc_bitmaps_fastest()->moves)
		word += SDC_BITMAPS_MOVES * sizeof(uint64);
	more = sizeof(SdcItemrun) + codes * sizeof(uint32) + (codes / SPARSE_CODES + 1) * sizeof(uint32) +
		sdc_bitmaps_words(set->records) * word +
		((uint64) set->levels + 1) * (sizeof(SdcItem) + sizeof(uint64));
	return bytes > UINT64_MAX - more ? UINT64_MAX : bytes + more;
}

/* sdc_itemsearch_memory: see itemsearch.h. */
uint64
sdc_itemsearch_memory(const SdcItemsearch *task)
{
	SdcItemlevels set;
	uint64		bytes;

	sdc_itemlevels_open(&set, task);
	bytes = memory_bound(task, &set);
	sdc_itemlevels_close(&set);
	return bytes;
}

/* level_finish fills in what follows from the candidates. */
static void
level_finish(const SdcItemrun *search, SdcItemlevel *level)
{
	level->regular = level->n;
	for (uint32 i = level->n; i-- > 0;)
	{
		level->next[i] = i + 1 < level->n && level->column[i] == level->column[i + 1] ?
			level->next[i + 1] : i + 1;
		if (level->column[i] >= (uint32) search->set.regular)
			level->regular = i;
	}
}

/* ------------------------------------------------------------------------
 * The parts that bitmaps and lists have in common
 * ------------------------------------------------------------------------
 */

/* set_candidate appends a candidate to the prefix. */
static inline void
set_candidate(SdcItemrun *search, int depth, uint32 i)
{
	const SdcItemlevel *level = &search->set.level[depth];

	search->prefix[depth].attribute = search->set.column[level->column[i]].attribute;
	search->prefix[depth].code = level->code[i];
	search->prefix_count[depth + 1] = level->count[i];
}

/* emit_candidate emits the prefix with a candidate, if it is asked for. */
static inline bool
emit_candidate(SdcItemrun *search, int depth, uint32 i)
{
	const SdcItemsearch *task = search->task;
	const SdcItemlevel *level = &search->set.level[depth];

	set_candidate(search, depth, i);
	if (task->final != NULL &&
		(i < level->regular || depth == 0 ||
		 (double) level->count[i] / (double) search->prefix_count[depth] < task->final_min_share))
		return true;
	return task->emit(task->arg, search->prefix, depth + 1, level->count[i],
					  search->prefix_count[depth]);
}

/* emit_final emits the prefix with all candidates of final attributes. */
static bool
emit_final(SdcItemrun *search, int depth)
{
	const SdcItemlevel *level = &search->set.level[depth];

	for (uint32 i = level->regular; i < level->n; i++)
	{
		sdc_interrupts_spend(&search->credit, 1);
		if (!emit_candidate(search, depth, i))
			return false;
	}
	return true;
}

/*
 * first_extension is the first candidate that may follow candidate i: of later columns, and only
 * final ones if the prefix then has its full length.  The number of candidates if there is none.
 */
static inline uint32
first_extension(const SdcItemrun *search, int depth, uint32 i)
{
	const SdcItemlevel *level = &search->set.level[depth];

	if (depth + 1 >= search->set.levels)
		return level->n;
	if (depth + 1 >= search->task->max_length && level->next[i] < level->regular)
		return level->regular;
	return level->next[i];
}

/* worthwhile says whether the candidates of a level can lead to anything that is emitted. */
static inline bool
worthwhile(const SdcItemrun *search, const SdcItemlevel *level)
{
	return level->n > 0 && (search->task->final == NULL || level->regular < level->n);
}

/* extensible says whether some candidate of a level can be extended by another. */
static inline bool
extensible(const SdcItemrun *search, int depth)
{
	const SdcItemlevel *level = &search->set.level[depth];

	return level->regular > 0 && first_extension(search, depth, 0) < level->n;
}

/* ------------------------------------------------------------------------
 * Bitmaps
 * ------------------------------------------------------------------------
 */

/*
 * intersect_candidates appends to the next level those of the candidates start .. end - 1 that have
 * min_count records in common with candidate i.
 */
static void
intersect_candidates(SdcItemrun *search, int depth, uint32 i, uint32 start, uint32 end, uint32 min_count)
{
	const SdcItemlevel *level = &search->set.level[depth];
	SdcItemlevel *next = &search->set.level[depth + 1];
	Size		words = level->words;
	Size		chunk = MEET_WORDS / words + 1;

	while (start < end)
	{
		uint32		n = end - start < chunk ? end - start : (uint32) chunk;

		next->n += search->bitmaps->intersect(sdc_itemlevels_bitmap(level, i), sdc_itemlevels_bitmap(level, start),
										 words, n, min_count, start, next->kept + next->n,
										 next->count + next->n);
		start += n;
		sdc_interrupts_spend(&search->credit, (uint32) (n * words / STEP_WORDS) + n);
	}
}

/* intersect makes the bitmaps of the next level, with the same records. */
static void
intersect(SdcItemrun *search, int depth, uint32 i)
{
	const SdcItemlevel *level = &search->set.level[depth];
	SdcItemlevel *next = &search->set.level[depth + 1];
	const uint64 *bitmap = sdc_itemlevels_bitmap(level, i);
	Size		words = level->words;

	next->words = words;
	sdc_itemlevels_reserve(next, next->n * words * sizeof(uint64));
	for (uint32 k = 0; k < next->n; k++)
	{
		const uint64 *from = sdc_itemlevels_bitmap(level, next->kept[k]);
		uint64	   *to = sdc_itemlevels_bitmap(next, k);

		for (Size w = 0; w < words; w++)
			to[w] = from[w] & bitmap[w];
		sdc_interrupts_spend(&search->credit, (uint32) (words / STEP_WORDS));
	}
}

/* squeeze makes the bitmaps of the next level, with the records of candidate i alone. */
static void
squeeze(SdcItemrun *search, int depth, uint32 i)
{
	const SdcItemlevel *level = &search->set.level[depth];
	SdcItemlevel *next = &search->set.level[depth + 1];

	next->words = sdc_bitmaps_words(level->count[i]);
	sdc_itemlevels_reserve(next, next->n * next->words * sizeof(uint64));
	search->bitmaps->prepare(sdc_itemlevels_bitmap(level, i), level->words, &search->mask);
	for (uint32 k = 0; k < next->n; k++)
	{
		search->bitmaps->squeeze(&search->mask, sdc_itemlevels_bitmap(level, next->kept[k]),
								 sdc_itemlevels_bitmap(next, k));
		sdc_interrupts_spend(&search->credit, search->mask.words);
	}
}

/*
 * extend_bitmaps makes the next level for the prefix with candidate i.  Bitmaps only if they will
 * be looked at.  Returns whether the level is worthwhile.
 */
static bool
extend_bitmaps(SdcItemrun *search, int depth, uint32 i)
{
	const SdcItemlevel *level = &search->set.level[depth];
	SdcItemlevel *next = &search->set.level[depth + 1];
	uint32		start = first_extension(search, depth, i);

	if (start >= level->n)
		return false;
	sdc_itemlevels_candidates(next);
	next->n = 0;
	if (start < level->regular)
	{
		intersect_candidates(search, depth, i, start, level->regular,
						sdc_itemlevels_count(search->task->min_count));
		start = level->regular;
	}
	if (start < level->n)
		intersect_candidates(search, depth, i, start, level->n,
						sdc_itemlevels_count(search->task->final_min_count));
	for (uint32 k = 0; k < next->n; k++)
	{
		next->column[k] = level->column[next->kept[k]];
		next->code[k] = level->code[next->kept[k]];
	}
	level_finish(search, next);
	if (!worthwhile(search, next))
		return false;
	if (extensible(search, depth + 1))
	{
		if (next->n <= SDC_ITEMLEVELS_FEW ||
			4 * sdc_bitmaps_words(level->count[i]) > 3 * level->words)
			intersect(search, depth, i);
		else
			squeeze(search, depth, i);
	}
	return true;
}

/*
 * advance_to counts that so many of the second items of a part are done, of all: the deeper levels are theirs.
 */
static inline void
advance_to(SdcItemrun *search, uint32 items, uint32 all)
{
	uint64		done = (uint64) ((double) search->part_weight * items / all);

	if (search->task->advance == NULL || done <= search->part_done)
		return;
	search->untold += done - search->part_done;
	search->part_done = done;
	if (search->untold < search->quantum)
		return;
	search->task->advance(search->task->advance_arg, search->untold);
	search->untold = 0;
}

/* visit_bitmaps visits all itemsets that begin with the prefix and go on with candidates start .. end - 1. */
static bool
visit_bitmaps(SdcItemrun *search, int depth, uint32 start, uint32 end)
{
	for (uint32 i = start; i < end; i++)
	{
		sdc_interrupts_spend(&search->credit, 1);
		if (!emit_candidate(search, depth, i))
			return false;
		if (extend_bitmaps(search, depth, i) &&
			!(emit_final(search, depth + 1) &&
			  visit_bitmaps(search, depth + 1, 0, search->set.level[depth + 1].regular)))
			return false;
		if (depth == 1)
			advance_to(search, i + 1 - start, end - start);
	}
	return true;
}

/* ------------------------------------------------------------------------
 * Lists
 * ------------------------------------------------------------------------
 */

/* look pays for the next steps of a loop, of which i of n are done, once in a while. */
static inline void
look(SdcItemrun *search, uint32 i, uint32 n)
{
	if (i % SDC_INTERRUPT_STEPS == 0)
		sdc_interrupts_spend(&search->credit,
							 n - i < SDC_INTERRUPT_STEPS ? n - i : SDC_INTERRUPT_STEPS);
}

/* compare_codes orders codes. */
static int
compare_codes(const void *a, const void *b)
{
	uint32		x = *(const uint32 *) a;
	uint32		y = *(const uint32 *) b;

	return (x > y) - (x < y);
}

/* compare_many does so in a sort that takes long. */
static int
compare_many(const void *a, const void *b)
{
	SDC_CHECK_INTERRUPTS();
	return compare_codes(a, b);
}

/* add_candidate appends a candidate to a level if it has the count, and clears the count. */
static inline void
add_candidate(SdcItemrun *search, SdcItemlevel *level, uint32 column, uint32 code)
{
	uint32		count = search->set.work[code];

	search->set.work[code] = 0;
	if (count < search->set.column[column].min_count)
		return;
	level->column[level->n] = column;
	level->code[level->n] = code;
	level->count[level->n] = count;
	level->n++;
}

/* add_candidates appends the items of a column that are frequent among n records. */
static void
add_candidates(SdcItemrun *search, SdcItemlevel *level, uint32 index, const uint32 *record, uint32 n)
{
	const SdcItemColumn *column = &search->set.column[index];
	bool		sparse = n < column->codes / SPARSE_CODES;
	uint32		touched = 0;

	if (column->frequent == 0)
		return;
	for (uint32 i = 0; i < n; i++)
	{
		uint32		code = column->code[sdc_record_at(record, i)];

		look(search, i, n);
		if (code == SDC_CODE_NULL)
			continue;
		if (search->set.work[code]++ == 0 && sparse)
			search->touched[touched++] = code;
	}
	if (sparse)
	{
		qsort(search->touched, touched, sizeof(uint32), touched > MANY_CODES ? compare_many : compare_codes);
		for (uint32 i = 0; i < touched; i++)
			add_candidate(search, level, index, search->touched[i]);
		return;
	}
	for (uint32 code = 0; code < column->codes; code++)
	{
		look(search, code, column->codes);
		add_candidate(search, level, index, code);
	}
}

/*
 * fill_bitmaps makes the bitmaps of a level's candidates from records.  While a column is filled,
 * work has the number of each candidate plus 1.
 */
static void
fill_bitmaps(SdcItemrun *search, SdcItemlevel *level, const uint32 *record, uint32 n)
{
	uint64		bytes;

	level->words = sdc_bitmaps_words(n);
	bytes = (uint64) level->n * level->words * sizeof(uint64);
	sdc_itemlevels_reserve(level, bytes);
	memset(level->data, 0, (Size) bytes);
	for (uint32 first = 0; first < level->n; first = level->next[first])
	{
		const uint32 *column = search->set.column[level->column[first]].code;

		for (uint32 i = first; i < level->next[first]; i++)
			search->set.work[level->code[i]] = i + 1;
		for (uint32 i = 0; i < n; i++)
		{
			uint32		code = column[sdc_record_at(record, i)];
			uint32		place;

			look(search, i, n);
			if (code == SDC_CODE_NULL || (place = search->set.work[code]) == NONE)
				continue;
			sdc_itemlevels_bitmap(level, place - 1)[i / SDC_BITMAPS_WORD] |=
				UINT64_C(1) << (i % SDC_BITMAPS_WORD);
		}
		for (uint32 i = first; i < level->next[first]; i++)
			search->set.work[level->code[i]] = NONE;
	}
}

/*
 * fill_lists makes the lists of a level's candidates, one after the other, except those of the
 * last column, which are never extended.  While a column is filled, work has where
 * the list of each candidate goes on, plus 1.
 */
static void
fill_lists(SdcItemrun *search, SdcItemlevel *level, const uint32 *record, uint32 n)
{
	uint32	   *list;
	uint64		total = 0;

	for (uint32 i = 0; i < level->n && level->next[i] < level->n; i++)
		total += level->count[i];
	sdc_itemlevels_reserve(level, total * sizeof(uint32));
	list = level->data;
	for (uint32 first = 0; level->next[first] < level->n; first = level->next[first])
	{
		const uint32 *column = search->set.column[level->column[first]].code;
		uint32		end = 0;

		for (uint32 i = first; i < level->next[first]; i++)
		{
			search->set.work[level->code[i]] = end + 1;
			end += level->count[i];
		}
		for (uint32 i = 0; i < n; i++)
		{
			uint32		number = sdc_record_at(record, i);
			uint32		code = column[number];

			look(search, i, n);
			if (code != SDC_CODE_NULL && search->set.work[code] != NONE)
				list[search->set.work[code]++ - 1] = number;
		}
		for (uint32 i = first; i < level->next[first]; i++)
			search->set.work[level->code[i]] = NONE;
		list += end;
	}
}

/*
 * extend_lists makes the next level for the prefix with candidate i and its n records.  Returns
 * whether it is worthwhile.
 */
static bool
extend_lists(SdcItemrun *search, int depth, uint32 i, const uint32 *record, uint32 n)
{
	const SdcItemlevel *level = &search->set.level[depth];
	SdcItemlevel *next = &search->set.level[depth + 1];
	uint32		start = first_extension(search, depth, i);

	if (start >= level->n)
		return false;
	sdc_itemlevels_candidates(next);
	next->n = 0;
	for (uint32 first = start; first < level->n; first = level->next[first])
		add_candidates(search, next, level->column[first], record, n);
	level_finish(search, next);
	return worthwhile(search, next);
}

/*
 * fill gives a level bitmaps or lists, if any of its candidates can be extended; record are the n records of
 * the prefix.  Returns whether it has lists.
 */
static bool
fill(SdcItemrun *search, int depth, const uint32 *record, uint32 n)
{
	SdcItemlevel *level = &search->set.level[depth];
	uint64		total = 0;

	if (!extensible(search, depth))
		return false;
	for (uint32 i = 0; i < level->n; i++)
		total += level->count[i];
	if (sdc_itemlevels_bitmaps_pay(level->n, sdc_bitmaps_words(n), total))
	{
		fill_bitmaps(search, level, record, n);
		return false;
	}
	fill_lists(search, level, record, n);
	return true;
}

/* list_length is how long the list of a candidate is that lies there. */
static inline uint32
list_length(const SdcItemlevel *level, uint32 i)
{
	return level->next[i] < level->n ? level->count[i] : 0;
}

static bool visit_lists(SdcItemrun *search, int depth, const uint32 *record, uint32 n);

/* visit_list visits all itemsets that begin with the prefix and go on with candidate i, which has that list. */
static bool
visit_list(SdcItemrun *search, int depth, uint32 i, const uint32 *list)
{
	uint32		n = search->set.level[depth].count[i];

	sdc_interrupts_spend(&search->credit, 1);
	return emit_candidate(search, depth, i) &&
		(!extend_lists(search, depth, i, list, n) || visit_lists(search, depth + 1, list, n));
}

/*
 * visit_lists visits all itemsets that begin with the prefix and have more items; record are
 * the n records of the prefix.
 */
static bool
visit_lists(SdcItemrun *search, int depth, const uint32 *record, uint32 n)
{
	const SdcItemlevel *level = &search->set.level[depth];
	bool		lists = fill(search, depth, record, n);
	const uint32 *list = level->data;

	if (!emit_final(search, depth))
		return false;
	if (!lists)
		return visit_bitmaps(search, depth, 0, level->regular);
	for (uint32 i = 0; i < level->regular; i++)
	{
		if (!visit_list(search, depth, i, list))
			return false;
		if (depth == 1)
			advance_to(search, i + 1, level->regular);
		list += list_length(level, i);
	}
	return true;
}

/* ------------------------------------------------------------------------
 * Parts
 * ------------------------------------------------------------------------
 */

/*
 * parts_of is how many parts the itemsets with a first item have: what begins with one that most records have can be
 * half of all, so its parts are those with the second item of each later column.
 */
static uint32
parts_of(const SdcItemrun *search, uint32 first)
{
	const SdcItemlevel *root = &search->set.level[0];
	uint32		later = (uint32) search->set.regular - 1 - root->column[first];

	if (search->lists || later < 2 || search->set.levels < 3 || root->count[first] <= search->set.records / 2)
		return 1;
	return later;
}

/* first_weight is the weight of what begins with an item: itself, and the items that may follow it. */
static inline uint64
first_weight(const SdcItemrun *search, uint32 first)
{
	return 1 + (search->set.level[0].n - first_extension(search, 0, first));
}

/* sdc_itemsearch_weight: see itemsearch.h. */
uint64
sdc_itemsearch_weight(const SdcItemrun *search)
{
	uint64		weight = 0;

	for (uint32 i = 0; search->parts > 0 && i < search->set.level[0].regular; i++)
		weight += first_weight(search, i);
	return weight;
}

/* sdc_itemsearch_open finds the frequent items. */
SdcItemrun *
sdc_itemsearch_open(const SdcItemsearch *task)
{
	SdcItemrun *search = search_open(task);
	SdcItemlevel *root = &search->set.level[0];

	sdc_itemlevels_candidates(root);
	for (int j = 0; j < search->set.columns; j++)
		add_candidates(search, root, (uint32) j, NULL, search->set.records);
	level_finish(search, root);
	if (!worthwhile(search, root))
		return search;
	search->lists = fill(search, 0, NULL, search->set.records);
	for (uint32 i = 0; i < root->regular; i++)
		search->parts += parts_of(search, i);
	search->quantum = sdc_itemsearch_weight(search) / QUANTA + 1;
	return search;
}

/* sdc_itemsearch_parts: see itemsearch.h. */
uint32
sdc_itemsearch_parts(const SdcItemrun *search)
{
	return search->parts;
}

/* seek goes to the first item of a part. */
static void
seek(SdcItemrun *search, uint32 part)
{
	const SdcItemlevel *root = &search->set.level[0];

	if (part < search->first_part)
	{
		search->first = search->first_part = 0;
		search->first_list = 0;
		search->extended = false;
	}
	for (; part - search->first_part >= parts_of(search, search->first); search->first++)
	{
		search->first_part += parts_of(search, search->first);
		search->first_list += list_length(root, search->first);
		search->extended = false;
	}
}

/* visit_second visits the itemsets with the first item and, of a later column, the second one. */
static bool
visit_second(SdcItemrun *search, uint32 later)
{
	const SdcItemlevel *level = &search->set.level[1];
	uint32		column = search->set.level[0].column[search->first] + 1 + later;
	uint32		start = 0;
	uint32		end;

	set_candidate(search, 0, search->first);
	if (later == 0 && !emit_candidate(search, 0, search->first))
		return false;
	if (!search->extended)
		search->second = extend_bitmaps(search, 0, search->first);
	search->extended = true;
	if (!search->second)
		return true;
	if (later == 0 && !emit_final(search, 1))
		return false;
	while (start < level->regular && level->column[start] < column)
		start = level->next[start];
	end = start < level->regular && level->column[start] == column ? level->next[start] : start;
	return visit_bitmaps(search, 1, start, end);
}

/* visit_part visits the itemsets of one of the parts of the first item at hand. */
static bool
visit_part(SdcItemrun *search, uint32 number)
{
	if (parts_of(search, search->first) > 1)
		return visit_second(search, number);
	search->extended = false;
	if (search->lists)
		return visit_list(search, 0, search->first, (const uint32 *) search->set.level[0].data + search->first_list);
	return visit_bitmaps(search, 0, search->first, search->first + 1);
}

/* sdc_itemsearch_part: see itemsearch.h. */
bool
sdc_itemsearch_part(SdcItemrun *search, uint32 part)
{
	uint64		weight;
	uint32		parts;
	uint32		number;

	SDC_ASSERT(part < search->parts);
	seek(search, part);
	/* the parts of one first item share its weight, to the last step */
	weight = first_weight(search, search->first);
	parts = parts_of(search, search->first);
	number = part - search->first_part;
	search->part_weight = weight * (number + 1) / parts - weight * number / parts;
	search->part_done = 0;
	if (!visit_part(search, number))
		return false;
	advance_to(search, 1, 1);
	return true;
}

/* sdc_itemsearch_run: see itemsearch.h. */
bool
sdc_itemsearch_run(const SdcItemsearch *task)
{
	SdcItemrun *search = sdc_itemsearch_open(task);
	bool		complete = true;

	for (uint32 part = 0; part < search->parts && complete; part++)
		complete = sdc_itemsearch_part(search, part);
	sdc_itemsearch_close(search);
	return complete;
}
