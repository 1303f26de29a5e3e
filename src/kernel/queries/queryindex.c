/*-------------------------------------------------------------------------
 *
 * queryindex.c
 *		Which records satisfy a condition of a query.
 *
 * A condition names ranks, of the values of the original file; the answer is a bitmap of
 * records.  Both files have the same ranks: a protected value that is none of the original's is in
 * no set, but in a range if it lies between the ends.  A missing value is in none.
 *
 * Five ways to answer, for n records and J values:
 *
 *	values		sets: a bitmap for each value, united for the values asked for, or for the others,
 *				whichever are fewer; J / 4 passes over n / 64 words for a random condition
 *	cuts		ranges of few values: the bitmaps of the first records in the order of values, up
 *				to each possible end of a range; a range is the difference of two: n / 64
 *	positions	ranges of many values: the same with cuts at equal distances; the records between
 *				an end and the cut next to it are put right from the sorted positions
 *	copy		all values are looked at, n, in a copy that has them in the order of the
 *				places, for sets as ranks
 *	scan		the same without a copy: records found are taken to their places one by one, and
 *				the ranks of a set, J, must first become codes
 *
 * All give the same bits: the memory that is allowed decides on the time alone.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#endif

#include "kernel/queries/queryindex.h"

/* More bitmaps than this take as long as looking at all values. */
#define MOST_BITMAPS 256

/* Cuts at equal distances: n / 64 records at most are put right at either end on average. */
#define MOST_CUTS 64
#define LEAST_CUTS 2

/* Words of a bitmap that are united over all values at a time, so that they stay in the cache. */
#define UNITE_WORDS 512

typedef enum QueryForm
{
	QUERY_SCAN,
	QUERY_COPY,
	QUERY_VALUES,				/* sets only */
	QUERY_CUTS,					/* ranges only */
	QUERY_POSITIONS				/* ranges only */
} QueryForm;

struct SdcQueryIndex
{
	SdcQueryColumn column;
	QueryForm	form;
	Size		words;			/* of a bitmap of records */
	uint64		memory;			/* of all arrays below, which a form may have or not */
	uint32	   *copy;			/* codes or ranks; beyond all of them where there is none */
	uint32		bitmaps;
	uint64	   *bitmap;			/* of each value or cut */
	uint64	   *valid;			/* sets: records whose value is one of the original's */
	uint32	   *cut;			/* how many records, in the order of values, a cut has below */
	uint32	   *bound;			/* records below a value, and up to it, for each value */
	uint32	   *position;		/* places of the records with a value, in the order of values */
};

/* sdc_queryindex_least: without memory, codes are scanned. */
Size
sdc_queryindex_least(void)
{
	return sizeof(SdcQueryIndex);
}

/* sdc_queryindex_scratch: a word for each code. */
Size
sdc_queryindex_scratch(uint32 codes)
{
	return (Size) codes;
}

/* sdc_queryindex_memory: see queryindex.h. */
uint64
sdc_queryindex_memory(const SdcQueryIndex *index)
{
	return index->memory;
}

/* place_of is the place of a record. */
static inline uint32
place_of(const SdcQueryColumn *column, uint32 record)
{
	return column->place == NULL ? record : column->place[record];
}

/* count_codes counts the records of each code, and returns how many have one. */
static uint32
count_codes(const SdcQueryColumn *column, uint32 *count)
{
	uint32		valid = 0;

	memset(count, 0, (Size) column->codes * sizeof(uint32));
	for (uint32 i = 0; i < column->records; i++)
	{
		uint32		code = column->code[i];

		sdc_interrupts_step(i);
		if (code == SDC_CODE_NULL)
			continue;
		SDC_ASSERT(code < column->codes);
		count[code]++;
		valid++;
	}
	return valid;
}

/*
 * write_bounds writes to each array that is not NULL: the bounds of the values, and the places of
 * cuts, the different ones of those bounds.  Returns the number of cuts.
 */
static uint32
write_bounds(const SdcQueryColumn *column, const uint32 *count, uint32 *bound, uint32 *cut)
{
	uint32		below = 0;
	uint32		cuts = 0;
	uint32		last = 0;
	Size		bounds = 0;

	for (uint32 code = 0; code < column->codes; code++)
	{
		uint32		ends[2] = {below, below + count[code]};

		below = ends[1];
		sdc_interrupts_step(code);
		if (!sdc_bitset_contains(column->present, code))
			continue;
		for (int e = 0; e < 2; e++)
		{
			if (bound != NULL)
				bound[bounds++] = ends[e];
			if (cuts > 0 && ends[e] == last)
				continue;
			last = ends[e];
			if (cut != NULL)
				cut[cuts] = last;
			cuts++;
		}
	}
	return cuts;
}

/* allocate returns memory for an array, and enters it. */
static void *
allocate(SdcQueryIndex *index, uint64 elements, Size size)
{
	index->memory += elements * size;
	return sdc_alloc_items(size, 1, elements);
}

/* fill_bitmaps puts each record into the bitmap of its code, if it has one. */
static void
fill_bitmaps(SdcQueryIndex *index, const uint32 *bitmap_of_code)
{
	const SdcQueryColumn *column = &index->column;

	memset(index->bitmap, 0, index->bitmaps * index->words * sizeof(uint64));
	for (uint32 i = 0; i < column->records; i++)
	{
		uint32		code = column->code[i];

		sdc_interrupts_step(i);
		if (code != SDC_CODE_NULL && bitmap_of_code[code] < index->bitmaps)
			sdc_bitset_add(index->bitmap + bitmap_of_code[code] * index->words,
						   place_of(column, i));
	}
}

/* build_values makes a bitmap of each value. */
static void
build_values(SdcQueryIndex *index, uint32 *scratch)
{
	const SdcQueryColumn *column = &index->column;
	uint32		values = 0;

	for (uint32 code = 0; code < column->codes; code++)
		scratch[code] = sdc_bitset_contains(column->present, code) ? values++ : UINT32_MAX;
	index->bitmaps = column->values;
	index->bitmap = allocate(index, index->bitmaps * index->words, sizeof(uint64));
	fill_bitmaps(index, scratch);

	index->valid = allocate(index, index->words, sizeof(uint64));
	memset(index->valid, 0, index->words * sizeof(uint64));
	for (uint32 v = 0; v < index->bitmaps; v++)
		sdc_bitset_unite(index->valid, index->bitmap + v * index->words, index->words);
}

/* build_cuts makes a cut at each end that a range can have; scratch has counts of codes. */
static void
build_cuts(SdcQueryIndex *index, uint32 cuts, uint32 *scratch)
{
	const SdcQueryColumn *column = &index->column;
	uint32		upto = 0;
	uint32		c = 0;

	index->bitmaps = cuts;
	index->cut = allocate(index, cuts, sizeof(uint32));
	index->bound = allocate(index, (uint64) column->values * 2, sizeof(uint32));
	write_bounds(column, scratch, index->bound, index->cut);

	/* first what lies between each cut and the one before */
	for (uint32 code = 0; code < column->codes; code++)
	{
		upto += scratch[code];
		while (c < cuts && index->cut[c] < upto)
			c++;
		scratch[code] = c;
	}
	index->bitmap = allocate(index, cuts * index->words, sizeof(uint64));
	fill_bitmaps(index, scratch);
	for (c = 1; c < cuts; c++)
		sdc_bitset_unite(index->bitmap + c * index->words,
						 index->bitmap + (c - 1) * index->words, index->words);
}

/* build_positions sorts the records by their codes; scratch has counts of them. */
static void
build_positions(SdcQueryIndex *index, uint32 valid, uint32 *scratch)
{
	const SdcQueryColumn *column = &index->column;
	uint32		below = 0;

	index->bound = allocate(index, (uint64) column->values * 2, sizeof(uint32));
	write_bounds(column, scratch, index->bound, NULL);
	for (uint32 code = 0; code < column->codes; code++)
	{
		uint32		count = scratch[code];

		scratch[code] = below;
		below += count;
	}
	index->position = allocate(index, valid, sizeof(uint32));
	for (uint32 i = 0; i < column->records; i++)
	{
		uint32		code = column->code[i];

		sdc_interrupts_step(i);
		if (code != SDC_CODE_NULL)
			index->position[scratch[code]++] = place_of(column, i);
	}
}

/* add_places sets the bits of a run of the sorted positions. */
static inline void
add_places(const SdcQueryIndex *index, uint32 from, uint32 to, uint64 *bits)
{
	for (uint32 k = from; k < to; k++)
	{
		sdc_bitset_add(bits, index->position[k]);
		sdc_interrupts_step(k);
	}
}

/* remove_places clears the bits of a run of the sorted positions. */
static inline void
remove_places(const SdcQueryIndex *index, uint32 from, uint32 to, uint64 *bits)
{
	for (uint32 k = from; k < to; k++)
	{
		sdc_bitset_remove(bits, index->position[k]);
		sdc_interrupts_step(k);
	}
}

/* build_even_cuts makes cuts at equal distances, after build_positions. */
static void
build_even_cuts(SdcQueryIndex *index, uint32 valid, uint32 cuts)
{
	index->bitmaps = cuts;
	index->cut = allocate(index, cuts, sizeof(uint32));
	index->bitmap = allocate(index, cuts * index->words, sizeof(uint64));
	for (uint32 c = 0; c < cuts; c++)
	{
		uint64	   *bits = index->bitmap + c * index->words;

		index->cut[c] = (uint32) ((uint64) valid * c / (cuts - 1));
		if (c == 0)
			memset(bits, 0, index->words * sizeof(uint64));
		else
		{
			memcpy(bits, bits - index->words, index->words * sizeof(uint64));
			add_places(index, index->cut[c - 1], index->cut[c], bits);
		}
	}
}

/* build_copy puts codes, or the ranks of a set, into the order of the places. */
static void
build_copy(SdcQueryIndex *index, uint32 *scratch)
{
	const SdcQueryColumn *column = &index->column;
	uint32		rank = 0;

	for (uint32 code = 0; code < column->codes; code++)
	{
		if (column->range)
			scratch[code] = code;
		else
			scratch[code] = sdc_bitset_contains(column->present, code) ? rank++ : UINT32_MAX;
	}
	index->copy = allocate(index, column->records, sizeof(uint32));
	for (uint32 i = 0; i < column->records; i++)
	{
		uint32		code = column->code[i];

		index->copy[place_of(column, i)] = code == SDC_CODE_NULL ? UINT32_MAX : scratch[code];
		sdc_interrupts_step(i);
	}
}

/* copy_helps: codes as they are can be looked up if they are ranks, and compared anyway. */
static bool
copy_helps(const SdcQueryColumn *column)
{
	return column->place != NULL || (!column->range && column->values < column->codes);
}

/* build_sets makes bitmaps of the values if there are few and they fit. */
static void
build_sets(SdcQueryIndex *index, uint64 memory, uint32 *scratch)
{
	uint64		values = index->column.values;

	if (values > MOST_BITMAPS || (values + 1) * index->words * sizeof(uint64) > memory)
		return;
	index->form = QUERY_VALUES;
	build_values(index, scratch);
}

/* build_ranges makes cuts, at all ends of ranges or at equal distances, if they fit. */
static void
build_ranges(SdcQueryIndex *index, uint64 memory, uint32 *scratch)
{
	uint32		valid = count_codes(&index->column, scratch);
	uint32		cuts = write_bounds(&index->column, scratch, NULL, NULL);
	uint64		cut = index->words * sizeof(uint64) + sizeof(uint32);
	uint64		bounds = (uint64) index->column.values * 2 * sizeof(uint32);
	uint64		positions = bounds + (uint64) valid * sizeof(uint32);

	if (cuts <= MOST_BITMAPS && cuts * cut + bounds <= memory)
	{
		index->form = QUERY_CUTS;
		build_cuts(index, cuts, scratch);
	}
	else if (positions + LEAST_CUTS * cut <= memory)
	{
		uint64		most = (memory - positions) / cut;

		index->form = QUERY_POSITIONS;
		build_positions(index, valid, scratch);
		build_even_cuts(index, valid, most < MOST_CUTS ? (uint32) most : MOST_CUTS);
	}
}

/* sdc_queryindex_create: see queryindex.h. */
SdcQueryIndex *
sdc_queryindex_create(const SdcQueryColumn *column, uint64 memory, uint32 *scratch)
{
	SdcQueryIndex *index = sdc_alloc(sizeof(SdcQueryIndex));

	memset(index, 0, sizeof(SdcQueryIndex));
	index->column = *column;
	index->form = QUERY_SCAN;
	index->words = sdc_queryindex_words(column->records);
	if (column->values == 0)
		return index;			/* no condition has values to look for */
	if (column->range)
		build_ranges(index, memory, scratch);
	else
		build_sets(index, memory, scratch);
	if (index->form == QUERY_SCAN && copy_helps(column) &&
		(uint64) column->records * sizeof(uint32) <= memory)
	{
		index->form = QUERY_COPY;
		build_copy(index, scratch);
	}
	SDC_ASSERT(index->memory <= memory);
	return index;
}

/* destroy_array accepts NULL. */
static void
destroy_array(void *array)
{
	if (array != NULL)
		sdc_free(array);
}

/* sdc_queryindex_destroy accepts NULL. */
void
sdc_queryindex_destroy(SdcQueryIndex *index)
{
	if (index == NULL)
		return;
	destroy_array(index->copy);
	destroy_array(index->bitmap);
	destroy_array(index->valid);
	destroy_array(index->cut);
	destroy_array(index->bound);
	destroy_array(index->position);
	sdc_free(index);
}

/*
 * chosen_word is a word of the bitmap of the values asked for, or of the others if that is what
 * is wanted.
 */
static inline uint64
chosen_word(const SdcQueryCondition *condition, Size word, bool others)
{
	uint64		first = (uint64) word * SDC_BITSET_BITS;
	uint64		bits = condition->member[word];

	if (!others)
		return bits;
	bits = ~bits;
	if (condition->values - first < SDC_BITSET_BITS)
		bits &= (UINT64_C(1) << (condition->values - first)) - 1;
	return bits;
}

/* words_of is the number of words that the values of a condition fill. */
static inline Size
words_of(const SdcQueryCondition *condition)
{
	return ((Size) condition->values + SDC_BITSET_BITS - 1) / SDC_BITSET_BITS;
}

/* match_values unites the bitmaps of the values asked for, or takes those of the others away. */
static void
match_values(const SdcQueryIndex *index, const SdcQueryCondition *condition, uint64 *match)
{
	bool		others = condition->count > condition->values - condition->count;
	const uint64 *chosen[MOST_BITMAPS];
	uint32		count = 0;

	for (Size w = 0; w < words_of(condition); w++)
	{
		for (uint64 bits = chosen_word(condition, w, others); bits != 0; bits &= bits - 1)
			chosen[count++] = index->bitmap +
				(w * SDC_BITSET_BITS + (Size) __builtin_ctzll(bits)) * index->words;
	}
	for (Size start = 0; start < index->words; start += UNITE_WORDS)
	{
		Size		words = index->words - start;

		words = words < UNITE_WORDS ? words : UNITE_WORDS;
		memset(match + start, 0, words * sizeof(uint64));
		for (uint32 v = 0; v < count; v++)
			sdc_bitset_unite(match + start, chosen[v] + start, words);
		if (others)
			sdc_bitset_subtract(match + start, index->valid + start, match + start, words);
		SDC_CHECK_INTERRUPTS();
	}
}

/* nearest_cut finds the cut whose number of records is nearest, of two the lower one. */
static uint32
nearest_cut(const SdcQueryIndex *index, uint32 records)
{
	uint32		low = 0;
	uint32		high = index->bitmaps - 1;

	/* the first cut that has at least so many, or the last one */
	while (low < high)
	{
		uint32		middle = low + (high - low) / 2;

		if (index->cut[middle] < records)
			low = middle + 1;
		else
			high = middle;
	}
	if (low > 0 && index->cut[low] > records &&
		records - index->cut[low - 1] <= index->cut[low] - records)
		low--;
	return low;
}

/*
 * match_cuts subtracts the cut nearest to the lower end from the one nearest to the upper end, and
 * puts the records between ends and cuts right.  All additions come before all removals: then
 * it does not matter on which sides of both ends the cuts lie.  A cut at the end needs neither.
 */
static void
match_cuts(const SdcQueryIndex *index, const SdcQueryCondition *condition, uint64 *match)
{
	uint32		from = index->bound[(Size) condition->first * 2];
	uint32		to = index->bound[((Size) condition->first + condition->count) * 2 - 1];
	uint32		low = nearest_cut(index, from);
	uint32		high = nearest_cut(index, to);

	SDC_ASSERT(low <= high);
	sdc_bitset_subtract(match, index->bitmap + high * index->words,
						index->bitmap + low * index->words, index->words);
	SDC_CHECK_INTERRUPTS();
	add_places(index, from, index->cut[low], match);
	add_places(index, index->cut[high], to, match);
	remove_places(index, index->cut[low], from, match);
	remove_places(index, to, index->cut[high], match);
}

/* nth_code finds the code of a rank. */
static uint32
nth_code(const uint64 *present, uint32 rank)
{
	Size		word = 0;
	uint64		bits;

	for (;;)
	{
		uint32		count = sdc_bitset_popcount(present[word], false);

		if (rank < count)
			break;
		rank -= count;
		word++;
	}
	bits = present[word];
	while (rank-- > 0)
		bits &= bits - 1;
	return (uint32) (word * SDC_BITSET_BITS) + (uint32) __builtin_ctzll(bits);
}

/* member_codes writes the bitmap of the codes whose ranks are asked for. */
static void
member_codes(const SdcQueryColumn *column, const uint64 *member, uint64 *codes)
{
	Size		words = sdc_bitset_words((uint64) column->codes + 1);
	uint32		rank = 0;
	uint32		credit = 0;

	memset(codes, 0, words * sizeof(uint64));
	for (Size w = 0; w < sdc_bitset_words(column->codes); w++)
	{
		for (uint64 bits = column->present[w]; bits != 0; bits &= bits - 1)
		{
			if (sdc_bitset_contains(member, rank++))
				codes[w] |= bits & (0 - bits);
		}
		sdc_interrupts_spend(&credit, SDC_BITSET_BITS);
	}
}

/* What is looked for in the values of all records. */
typedef struct Search
{
	const uint32 *value;
	const uint64 *member;		/* bitmap of the values looked for, or NULL: a range of them */
	uint32		beyond;			/* above all values; in no set */
	uint32		low;			/* the ends of the range */
	uint32		high;
} Search;

/*
 * search_some looks at up to 64 records from first on.  No branch depends on a value: a missing
 * one is looked up beyond all values, and is outside of any range.
 */
static inline __attribute__((always_inline)) uint64
search_some(const Search *search, uint32 first, uint32 count, bool range)
{
	uint64		bits = 0;

	for (uint32 b = 0; b < count; b++)
	{
		uint32		value = search->value[first + b];
		uint64		found;

		if (range)
			found = value - search->low <= search->high - search->low;
		else
			found = sdc_bitset_contains(search->member,
										value < search->beyond ? value : search->beyond);
		bits |= found << b;
	}
	return bits;
}

/* search_portable looks at 64 records. */
static uint64
search_portable(const Search *search, uint32 first)
{
	if (search->member == NULL)
		return search_some(search, first, SDC_BITSET_BITS, true);
	return search_some(search, first, SDC_BITSET_BITS, false);
}

#if defined(__x86_64__) && defined(__GNUC__)

/* search_avx2 is search_portable with eight records at a time. */
__attribute__((target("avx2"))) static uint64
search_avx2(const Search *search, uint32 first)
{
	const __m256i low = _mm256_set1_epi32((int) search->low);
	const __m256i span = _mm256_set1_epi32((int) (search->high - search->low));
	const __m256i beyond = _mm256_set1_epi32((int) search->beyond);
	const __m256i last_bit = _mm256_set1_epi32(31);
	uint64		bits = 0;

	for (int b = 0; b < SDC_BITSET_BITS; b += 8)
	{
		__m256i		value = _mm256_loadu_si256((const __m256i *) (search->value + first + b));
		__m256i		found;		/* in the sign of each number */

		if (search->member == NULL)
		{
			value = _mm256_sub_epi32(value, low);
			found = _mm256_cmpeq_epi32(value, _mm256_min_epu32(value, span));
		}
		else
		{
			/* halves of words, least significant first; indexes are below 2^27 */
			value = _mm256_min_epu32(value, beyond);
			found = _mm256_i32gather_epi32((const int *) search->member,
										   _mm256_srli_epi32(value, 5), 4);
			found = _mm256_sllv_epi32(found, _mm256_andnot_si256(value, last_bit));
		}
		bits |= (uint64) (uint32) _mm256_movemask_ps(_mm256_castsi256_ps(found)) << b;
	}
	return bits;
}

#endif

/* search_all looks at all records and marks the places of those found. */
static void
search_all(const SdcQueryColumn *column, const uint32 *place, const Search *search, uint64 *match)
{
	uint64		(*search_word) (const Search *, uint32) = search_portable;

#if defined(__x86_64__) && defined(__GNUC__)
	if (!column->portable && __builtin_cpu_supports("avx2"))
		search_word = search_avx2;
#endif
	for (uint32 first = 0; first < column->records;)
	{
		uint32		left = column->records - first;
		uint32		count = left < SDC_BITSET_BITS ? left : SDC_BITSET_BITS;
		uint64		bits = count == SDC_BITSET_BITS ? search_word(search, first) :
			search_some(search, first, count, search->member == NULL);

		if (place == NULL)
			match[first / SDC_BITSET_BITS] = bits;
		else
		{
			for (; bits != 0; bits &= bits - 1)
				sdc_bitset_add(match, place[first + (uint32) __builtin_ctzll(bits)]);
		}
		sdc_interrupts_step(first);
		if (left <= SDC_BITSET_BITS)
			break;
		first += SDC_BITSET_BITS;
	}
}

/* match_scan looks at all records, in the copy if there is one. */
static void
match_scan(const SdcQueryIndex *index, const SdcQueryCondition *condition, uint64 *scratch,
		   uint64 *match)
{
	const SdcQueryColumn *column = &index->column;
	bool		copied = index->form == QUERY_COPY;
	Search		search = {copied ? index->copy : column->code, NULL, 0, 0, 0};

	memset(match, 0, index->words * sizeof(uint64));
	if (column->range)
	{
		search.low = nth_code(column->present, condition->first);
		search.high = nth_code(column->present, condition->first + condition->count - 1);
	}
	else if (copied || column->values == column->codes)
	{
		search.member = condition->member;
		search.beyond = column->values;
	}
	else
	{
		member_codes(column, condition->member, scratch);
		search.member = scratch;
		search.beyond = column->codes;
	}
	search_all(column, copied ? NULL : column->place, &search, match);
}

/* sdc_queryindex_match: see queryindex.h. */
void
sdc_queryindex_match(const SdcQueryIndex *index, const SdcQueryCondition *condition,
					 uint64 *scratch, uint64 *match)
{
	SDC_ASSERT(condition->values == index->column.values);
	SDC_ASSERT((condition->member == NULL) == index->column.range);
	if (condition->count == 0)
	{
		memset(match, 0, index->words * sizeof(uint64));
		return;
	}
	switch (index->form)
	{
		case QUERY_SCAN:
		case QUERY_COPY:
			match_scan(index, condition, scratch, match);
			break;
		case QUERY_VALUES:
			match_values(index, condition, match);
			break;
		case QUERY_CUTS:
		case QUERY_POSITIONS:
			match_cuts(index, condition, match);
			break;
	}
}
