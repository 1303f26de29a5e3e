/*-------------------------------------------------------------------------
 *
 * positionset.c
 *		A set of positions that only shrinks, with draws and neighbours.
 *
 * A bitmap with summaries: bit w of level 1 says that word w of the bitmap is
 * not empty, bit w of level 2 the same of level 1, up to a level of one word.
 * They find neighbours in one climb and one descent.
 *
 * Elements of an interval are counted, and found by number, by adding up the words
 * of the interval.  That is linear in its length, and meant for short intervals
 * and for the seldom case that a draw by rejection fails: a set that keeps counts
 * for it in a tree makes every removal several times as expensive.
 *
 * Within a word, select adds the bits of all bytes at once (S. Vigna, "Broadword
 * implementation of rank/select queries", WEA 2008).
 *
 * Determinism: plain data structure, nothing to choose.  No interrupt checks:
 * every operation takes well under a millisecond for 10^8 positions.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/base/bitset.h"
#include "kernel/rank/positionset.h"

#define WORD_BITS 64

/* Levels of 64 for 2^32 positions: 6, the bitmap among them. */
#define MAX_LEVELS 6

#define BYTE_ONES UINT64_C(0x0101010101010101)
#define BYTE_HIGHS UINT64_C(0x8080808080808080)

struct SdcPositionSet
{
	/* set once */
	uint32		capacity;
	uint64	   *level[MAX_LEVELS];	/* the bitmap, then its summaries */

	/* set by fill */
	uint32		n;				/* it was {0, ..., n-1} */
	uint32		levels;			/* levels in use */
};

/* words_at is the number of words of a level for n positions, at least 1. */
static Size
words_at(uint32 n, int level)
{
	Size		words = n;

	for (int i = 0; i <= level; i++)
		words = (words + WORD_BITS - 1) / WORD_BITS;
	return words > 0 ? words : 1;
}

/* sdc_positionset_memory: the structure and all levels. */
Size
sdc_positionset_memory(uint32 n)
{
	Size		size = sizeof(SdcPositionSet);

	for (int level = 0; level < MAX_LEVELS; level++)
		size += words_at(n, level) * sizeof(uint64);
	return size;
}

/* sdc_positionset_create makes one piece of memory of everything. */
SdcPositionSet *
sdc_positionset_create(uint32 capacity)
{
	SdcPositionSet *set = sdc_alloc(sdc_positionset_memory(capacity));
	uint64	   *place = (uint64 *) (set + 1);

	for (int level = 0; level < MAX_LEVELS; level++)
	{
		set->level[level] = place;
		place += words_at(capacity, level);
	}
	set->capacity = capacity;
	sdc_positionset_fill(set, 0);
	return set;
}

/* sdc_positionset_destroy accepts NULL. */
void
sdc_positionset_destroy(SdcPositionSet *set)
{
	if (set != NULL)
		sdc_free(set);
}

/* fill_bits sets bits 0 .. bits-1 of an array of words and clears the rest. */
static void
fill_bits(uint64 *word, Size words, Size bits)
{
	Size		full = bits / WORD_BITS;

	memset(word, 0xFF, full * sizeof(uint64));
	memset(word + full, 0, (words - full) * sizeof(uint64));
	if (bits % WORD_BITS != 0)
		word[full] = (UINT64_C(1) << (bits % WORD_BITS)) - 1;
}

#ifdef SDC_CHECKS

/*
 * sdc_positionset_check: no bit is set that stands for nothing, and summaries have a bit for the
 * words of the level below that are not empty, for these and no others.
 */
bool
sdc_positionset_check(const SdcPositionSet *set)
{
	Size		bits = set->n;

	if (set->n > set->capacity || set->levels < 1 || set->levels > MAX_LEVELS)
		return false;
	for (uint32 level = 0; level < set->levels; level++)
	{
		Size		words = words_at(set->n, (int) level);

		if (bits < words * WORD_BITS && set->level[level][words - 1] >> (bits % WORD_BITS) != 0)
			return false;
		for (Size bit = 0; level > 0 && bit < bits; bit++)
			if (((set->level[level][bit / WORD_BITS] >> (bit % WORD_BITS)) & 1) !=
				(set->level[level - 1][bit] != 0))
				return false;
		bits = words;
	}
	return bits == 1;
}

/* check_due: a position leaves once, and that of four in a set is one at which all is looked at. */
static inline bool
check_due(const SdcPositionSet *set, uint32 position)
{
	return position % (set->n / 4 + 1) == 0;
}

#endif							/* SDC_CHECKS */

/* sdc_positionset_fill: see positionset.h. */
void
sdc_positionset_fill(SdcPositionSet *set, uint32 n)
{
	Size		bits = n;

	SDC_ASSERT(n <= set->capacity);
	set->n = n;
	set->levels = 0;
	do
	{
		fill_bits(set->level[set->levels], words_at(n, (int) set->levels), bits);
		bits = (bits + WORD_BITS - 1) / WORD_BITS;
		set->levels++;
	} while (bits > 1);
	SDC_ASSERT(sdc_positionset_check(set));
}

/* sdc_positionset_contains: see positionset.h. */
bool
sdc_positionset_contains(const SdcPositionSet *set, uint32 position)
{
	SDC_ASSERT(position < set->n);
	return (set->level[0][position / WORD_BITS] >> (position % WORD_BITS)) & 1;
}

/*
 * sdc_positionset_remove takes a position out of the bitmap, and a word that became
 * empty out of the summaries.
 */
void
sdc_positionset_remove(SdcPositionSet *set, uint32 position)
{
	uint32		bit = position;

	SDC_ASSERT(sdc_positionset_contains(set, position));
	for (uint32 level = 0; level < set->levels; level++)
	{
		uint64	   *word = &set->level[level][bit / WORD_BITS];

		*word &= ~(UINT64_C(1) << (bit % WORD_BITS));
		if (*word != 0)
			break;
		bit /= WORD_BITS;
	}
	SDC_ASSERT(!check_due(set, position) || sdc_positionset_check(set));
}

/* byte_counts has in each byte the number of bits set in that byte of word. */
static inline uint64
byte_counts(uint64 word)
{
	word -= (word >> 1) & UINT64_C(0x5555555555555555);
	word = (word & UINT64_C(0x3333333333333333)) +
		((word >> 2) & UINT64_C(0x3333333333333333));
	return (word + (word >> 4)) & UINT64_C(0x0F0F0F0F0F0F0F0F);
}

/* bytes_at_most counts the bytes of sums (each <= 127) that are <= k <= 127. */
static inline uint32
bytes_at_most(uint64 sums, uint32 k)
{
	uint64		high = ((k * BYTE_ONES | BYTE_HIGHS) - sums) & BYTE_HIGHS;

	return (uint32) (((high >> 7) * BYTE_ONES) >> 56);
}

/* select_in_word is the place of the bit of word with k bits set below it. */
static inline uint32
select_in_word(uint64 word, uint32 k)
{
	uint64		sums = byte_counts(word) * BYTE_ONES;	/* of bytes 0 .. j */
	uint32		shift = 8 * bytes_at_most(sums, k);
	uint64		bits;

	k -= (uint32) ((sums << 8) >> shift) & 0xFF;

	/* the same one level down: bit j of the byte becomes byte j, 0 or 1 */
	bits = ((word >> shift) & 0xFF) * BYTE_ONES & UINT64_C(0x8040201008040201);
	bits = ((bits + UINT64_C(0x7F7F7F7F7F7F7F7F)) | bits) & BYTE_HIGHS;
	return shift + bytes_at_most((bits >> 7) * BYTE_ONES, k);
}

/* word_between is a word of the bitmap without what is outside of [start, end). */
static inline uint64
word_between(const SdcPositionSet *set, uint32 word, uint32 start, uint32 end)
{
	uint64		bits = set->level[0][word];

	if (start / WORD_BITS == word)
		bits &= ~UINT64_C(0) << (start % WORD_BITS);
	if (end / WORD_BITS == word)
		bits &= (UINT64_C(1) << (end % WORD_BITS)) - 1;
	return bits;
}

/* sdc_positionset_count_between: see positionset.h. */
uint32
sdc_positionset_count_between(const SdcPositionSet *set, uint32 start, uint32 end)
{
	uint32		count = 0;

	SDC_ASSERT(end <= set->n);
	if (start >= end)
		return 0;
	for (uint32 word = start / WORD_BITS; word <= (end - 1) / WORD_BITS; word++)
		count += sdc_bitset_popcount(word_between(set, word, start, end), false);
	return count;
}

/* sdc_positionset_select_between: see positionset.h. */
uint32
sdc_positionset_select_between(const SdcPositionSet *set, uint32 start, uint32 end, uint32 k)
{
	for (uint32 word = start / WORD_BITS; word <= (end - 1) / WORD_BITS; word++)
	{
		uint64		bits = word_between(set, word, start, end);
		uint32		count = sdc_bitset_popcount(bits, false);

		if (k < count)
			return word * WORD_BITS + select_in_word(bits, k);
		k -= count;
	}
	SDC_ASSERT(false);
	return SDC_POSITIONSET_NONE;
}

/*
 * sdc_positionset_next climbs until a word has a bit at or above the place, and
 * then descends along the lowest bits.  Above the bitmap the word that the
 * climb comes from is known to be empty from there on: strictly above.
 */
uint32
sdc_positionset_next(const SdcPositionSet *set, uint32 position)
{
	uint32		bit = position;
	uint32		level = 0;
	uint64		word;

	if (position >= set->n)
		return SDC_POSITIONSET_NONE;
	word = set->level[0][bit / WORD_BITS] & (~UINT64_C(0) << (bit % WORD_BITS));
	while (word == 0)
	{
		bit /= WORD_BITS;
		if (++level == set->levels)
			return SDC_POSITIONSET_NONE;
		word = set->level[level][bit / WORD_BITS] &
			(~UINT64_C(0) << (bit % WORD_BITS) << 1);
	}
	for (;;)
	{
		bit = bit / WORD_BITS * WORD_BITS + (uint32) __builtin_ctzll(word);
		if (level == 0)
			return bit;
		word = set->level[--level][bit];
		bit *= WORD_BITS;
	}
}

/* sdc_positionset_prev is the mirror image of sdc_positionset_next. */
uint32
sdc_positionset_prev(const SdcPositionSet *set, uint32 position)
{
	uint32		bit = position;
	uint32		level = 0;
	uint64		word;

	if (set->n == 0)
		return SDC_POSITIONSET_NONE;
	if (bit >= set->n)
		bit = set->n - 1;
	word = set->level[0][bit / WORD_BITS] &
		(~UINT64_C(0) >> (WORD_BITS - 1 - bit % WORD_BITS));
	while (word == 0)
	{
		bit /= WORD_BITS;
		if (++level == set->levels)
			return SDC_POSITIONSET_NONE;
		word = set->level[level][bit / WORD_BITS] &
			((UINT64_C(1) << (bit % WORD_BITS)) - 1);
	}
	for (;;)
	{
		bit = bit / WORD_BITS * WORD_BITS + 63 - (uint32) __builtin_clzll(word);
		if (level == 0)
			return bit;
		word = set->level[--level][bit];
		bit *= WORD_BITS;
	}
}
