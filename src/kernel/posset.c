/*-------------------------------------------------------------------------
 *
 * posset.c
 *		A set of positions that only shrinks, with rank, select and neighbours.
 *
 * Three views of the same set:
 *
 *	- a bitmap, in blocks of 512 positions, each one line of the cache;
 *	- counts, for rank and select: for the 8 words of a block, and for the 16
 *	  children of every node of a tree above the blocks, the number of elements
 *	  in those before it.  A node is one line of the cache, and all its counts
 *	  are compared or lowered at once by the vector instructions that every
 *	  64-bit processor has; a binary tree takes four dependent steps for it;
 *	- summaries: bit w of level 1 says that word w of the bitmap is not empty,
 *	  bit w of level 2 the same of level 1, up to a level of one word.  They
 *	  find neighbours in one climb and one descent.
 *
 * The child that holds the element of rank k is the last whose count is <= k,
 * and those behind it, with a count > k, are the ones that a removal lowers:
 * so sdc_posset_take selects and removes in one descent.  Within a word, select
 * adds the bits of all bytes at once (S. Vigna, "Broadword implementation of
 * rank/select queries", WEA 2008).  Loops over a node have a fixed length and
 * no branch, so that the compiler makes vector code of them.
 *
 * Determinism: plain data structure, nothing to choose.  No interrupt checks:
 * every operation but fill takes well under a microsecond.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/kernel_env.h"

#include "kernel/posset.h"

#define WORD_BITS 64
#define BLOCK_BITS 512
#define BLOCK_WORDS (BLOCK_BITS / WORD_BITS)

/* Levels of 64 for 2^32 positions: 6, the bitmap among them. */
#define MAX_LEVELS 6

/* Children of a node: counts of one line of the cache. */
#define CHILDREN 16

/* Levels of nodes above 2^23 blocks: 6. */
#define MAX_HEIGHT 6

/* Where a processor's cache lines begin. */
#define LINE_BYTES 64

#define BYTE_ONES UINT64_C(0x0101010101010101)
#define BYTE_HIGHS UINT64_C(0x8080808080808080)

/* The elements in the children of a node before each. */
typedef struct CountNode
{
	uint32		before[CHILDREN];
} CountNode;

/* The elements in the words of a block before each. */
typedef struct CountBlock
{
	int16		before[BLOCK_WORDS];
} CountBlock;

struct SdcPosset
{
	/* set once */
	uint32		capacity;
	uint64	   *level[MAX_LEVELS];	/* the bitmap, then its summaries */
	CountBlock *block;
	CountNode  *node[MAX_HEIGHT];	/* level 0 is above the blocks */

	/* set by fill */
	uint32		n;				/* it was {0, ..., n-1} */
	uint32		levels;			/* levels of the bitmap in use */
	uint32		height;			/* levels of nodes in use */

	/* changes */
	uint32		count;			/* elements */
};

/* words_at is the number of words of a level for n positions, at least 1. */
static Size
words_at(uint32 n, int level)
{
	Size		words = n;

	for (int i = 0; i <= level; i++)
		words = (words + WORD_BITS - 1) / WORD_BITS;
	if (level == 0)				/* whole blocks */
		words = (words + BLOCK_WORDS - 1) / BLOCK_WORDS * BLOCK_WORDS;
	return words > 0 ? words : 1;
}

/* blocks_in is the number of blocks for n positions, at least 1. */
static Size
blocks_in(uint32 n)
{
	return words_at(n, 0) / BLOCK_WORDS;
}

/* nodes_at is the number of nodes of a level for n positions, at least 1. */
static Size
nodes_at(uint32 n, int level)
{
	Size		nodes = blocks_in(n);

	for (int i = 0; i <= level; i++)
		nodes = (nodes + CHILDREN - 1) / CHILDREN;
	return nodes;
}

/* sdc_posset_memory: the structure, room to align, and all levels. */
Size
sdc_posset_memory(uint32 n)
{
	Size		size = sizeof(SdcPosset) + LINE_BYTES;

	for (int level = 0; level < MAX_LEVELS; level++)
		size += words_at(n, level) * sizeof(uint64);
	for (int level = 0; level < MAX_HEIGHT; level++)
		size += nodes_at(n, level) * sizeof(CountNode);
	return size + blocks_in(n) * sizeof(CountBlock);
}

/*
 * sdc_posset_create makes one piece of memory of everything, in an order in
 * which each array is aligned: lines, half lines, words.
 */
SdcPosset *
sdc_posset_create(uint32 capacity)
{
	SdcPosset  *set = sdc_alloc(sdc_posset_memory(capacity));
	uintptr_t	place = (uintptr_t) (set + 1);

	place = (place + LINE_BYTES - 1) / LINE_BYTES * LINE_BYTES;
	set->level[0] = (uint64 *) place;
	place += words_at(capacity, 0) * sizeof(uint64);
	for (int level = 0; level < MAX_HEIGHT; level++)
	{
		set->node[level] = (CountNode *) place;
		place += nodes_at(capacity, level) * sizeof(CountNode);
	}
	set->block = (CountBlock *) place;
	place += blocks_in(capacity) * sizeof(CountBlock);
	for (int level = 1; level < MAX_LEVELS; level++)
	{
		set->level[level] = (uint64 *) place;
		place += words_at(capacity, level) * sizeof(uint64);
	}
	set->capacity = capacity;
	sdc_posset_fill(set, 0);
	return set;
}

/* sdc_posset_destroy accepts NULL. */
void
sdc_posset_destroy(SdcPosset *set)
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

/* full_before is the number of positions in [start, place), below n. */
static inline uint32
full_before(uint64 start, uint64 place, uint32 n)
{
	return (uint32) ((place < n ? place : n) - (start < n ? start : n));
}

/* fill_counts makes the counts of the full set. */
static void
fill_counts(SdcPosset *set, uint32 n)
{
	uint64		span = BLOCK_BITS;	/* positions below a child */

	for (Size i = 0; i < blocks_in(n); i++)
	{
		uint64		start = i * BLOCK_BITS;

		for (int word = 0; word < BLOCK_WORDS; word++)
			set->block[i].before[word] = (int16)
				full_before(start, start + (uint64) word * WORD_BITS, n);
	}
	set->height = 0;
	while (span < n)
	{
		CountNode  *node = set->node[set->height];

		for (Size i = 0; i < nodes_at(n, (int) set->height); i++)
		{
			uint64		start = i * CHILDREN * span;

			for (int child = 0; child < CHILDREN; child++)
				node[i].before[child] =
					full_before(start, start + (uint64) child * span, n);
		}
		set->height++;
		span *= CHILDREN;
	}
}

/* sdc_posset_fill: see posset.h. */
void
sdc_posset_fill(SdcPosset *set, uint32 n)
{
	Size		bits = n;

	SDC_ASSERT(n <= set->capacity);
	set->n = n;
	set->count = n;
	set->levels = 0;
	do
	{
		fill_bits(set->level[set->levels], words_at(n, (int) set->levels), bits);
		bits = (bits + WORD_BITS - 1) / WORD_BITS;
		set->levels++;
	} while (bits > 1);
	fill_counts(set, n);
}

/* sdc_posset_count: see posset.h. */
uint32
sdc_posset_count(const SdcPosset *set)
{
	return set->count;
}

/* sdc_posset_contains: see posset.h. */
bool
sdc_posset_contains(const SdcPosset *set, uint32 position)
{
	SDC_ASSERT(position < set->n);
	return (set->level[0][position / WORD_BITS] >> (position % WORD_BITS)) & 1;
}

/*
 * clear_bit takes a position out of the bitmap, and a word that became empty
 * out of the summaries.
 */
static inline void
clear_bit(SdcPosset *set, uint32 position)
{
	uint32		bit = position;

	for (uint32 level = 0; level < set->levels; level++)
	{
		uint64	   *word = &set->level[level][bit / WORD_BITS];

		*word &= ~(UINT64_C(1) << (bit % WORD_BITS));
		if (*word != 0)
			break;
		bit /= WORD_BITS;
	}
	set->count--;
}

/* sdc_posset_remove: see posset.h. */
void
sdc_posset_remove(SdcPosset *set, uint32 position)
{
	uint32		child = position / BLOCK_BITS;
	int16	   *word = set->block[child].before;
	int16		place = (int16) (position / WORD_BITS % BLOCK_WORDS);

	SDC_ASSERT(sdc_posset_contains(set, position));
	for (int16 i = 0; i < BLOCK_WORDS; i++)
		word[i] -= i > place;
	for (uint32 level = 0; level < set->height; level++)
	{
		uint32	   *before = set->node[level][child / CHILDREN].before;
		int32		at = (int32) (child % CHILDREN);

		for (int32 i = 0; i < CHILDREN; i++)
			before[i] -= i > at;
		child /= CHILDREN;
	}
	clear_bit(set, position);
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

/* popcount is the number of bits set in word. */
static inline uint32
popcount(uint64 word)
{
	return (uint32) ((byte_counts(word) * BYTE_ONES) >> 56);
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

/*
 * descend finds the element with k smaller ones, and removes it if it should.
 * It is expanded into its two callers, each with a constant in place of remove.
 */
static inline __attribute__((always_inline)) uint32
descend(uint64 *bitmap, CountBlock *block, CountNode *const *node, uint32 height,
		uint32 k, bool remove)
{
	uint32		at = 0;			/* node, then block, then word */
	int16	   *word;
	int16		rest;
	int16		found = 0;

	while (height-- > 0)
	{
		uint32	   *before = node[height][at].before;
		uint32		child = 0;
		uint32		smaller;

		for (int i = 0; i < CHILDREN; i++)
			child += before[i] <= k;
		smaller = before[child - 1];
		if (remove)
		{
			for (int i = 0; i < CHILDREN; i++)
				before[i] -= before[i] > k;
		}
		at = at * CHILDREN + child - 1;
		k -= smaller;
	}

	word = block[at].before;
	rest = (int16) k;
	for (int i = 0; i < BLOCK_WORDS; i++)
		found += word[i] <= rest;
	k -= (uint32) word[found - 1];
	if (remove)
	{
		for (int i = 0; i < BLOCK_WORDS; i++)
			word[i] -= word[i] > rest;
	}
	at = at * BLOCK_WORDS + (uint32) found - 1;
	return at * WORD_BITS + select_in_word(bitmap[at], k);
}

/* sdc_posset_select: see posset.h. */
uint32
sdc_posset_select(const SdcPosset *set, uint32 k)
{
	SDC_ASSERT(k < set->count);
	return descend(set->level[0], set->block, set->node, set->height, k, false);
}

/* sdc_posset_take: see posset.h. */
uint32
sdc_posset_take(SdcPosset *set, uint32 k)
{
	uint32		position;

	SDC_ASSERT(k < set->count);
	position = descend(set->level[0], set->block, set->node, set->height, k,
					   true);
	clear_bit(set, position);
	return position;
}

/* sdc_posset_rank: see posset.h. */
uint32
sdc_posset_rank(const SdcPosset *set, uint32 position)
{
	uint32		child = position / BLOCK_BITS;
	uint32		last = position / WORD_BITS;
	uint32		rank;

	SDC_ASSERT(position <= set->n);
	if (position >= set->n)
		return set->count;
	rank = (uint32) set->block[child].before[last % BLOCK_WORDS];
	for (uint32 level = 0; level < set->height; level++)
	{
		rank += set->node[level][child / CHILDREN].before[child % CHILDREN];
		child /= CHILDREN;
	}
	return rank + popcount(set->level[0][last] &
						   ((UINT64_C(1) << (position % WORD_BITS)) - 1));
}

/*
 * sdc_posset_next climbs until a word has a bit at or above the place, and
 * then descends along the lowest bits.  Above the bitmap the word that the
 * climb comes from is known to be empty from there on: strictly above.
 */
uint32
sdc_posset_next(const SdcPosset *set, uint32 position)
{
	uint32		bit = position;
	uint32		level = 0;
	uint64		word;

	if (position >= set->n)
		return SDC_POSSET_NONE;
	word = set->level[0][bit / WORD_BITS] & (~UINT64_C(0) << (bit % WORD_BITS));
	while (word == 0)
	{
		bit /= WORD_BITS;
		if (++level == set->levels)
			return SDC_POSSET_NONE;
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

/* sdc_posset_prev is the mirror image of sdc_posset_next. */
uint32
sdc_posset_prev(const SdcPosset *set, uint32 position)
{
	uint32		bit = position;
	uint32		level = 0;
	uint64		word;

	if (set->n == 0)
		return SDC_POSSET_NONE;
	if (bit >= set->n)
		bit = set->n - 1;
	word = set->level[0][bit / WORD_BITS] &
		(~UINT64_C(0) >> (WORD_BITS - 1 - bit % WORD_BITS));
	while (word == 0)
	{
		bit /= WORD_BITS;
		if (++level == set->levels)
			return SDC_POSSET_NONE;
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
