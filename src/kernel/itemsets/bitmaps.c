/*-------------------------------------------------------------------------
 *
 * bitmaps.c
 *		Bitmaps that are intersected, counted and squeezed, many at a time.
 *
 * Three implementations: portable; with the instruction that counts bits; and also with the
 * instruction that extracts bits, where it is fast (some processors have it in
 * microcode, at the price of the portable way or worse).  All work on integers and give
 * the same results.
 *
 * Without instructions, bits are counted by adding up ever larger groups of them, and
 * extracted by moves of 1, 2, 4 .. 32 places that depend on the mask alone and are
 * computed once for all bitmaps (H. S. Warren, Hacker's Delight, 2nd edition 2013,
 * sections 5-1 and 7-4).
 *
 * Bitmaps of few words have loops of a fixed length: in a search for itemsets most
 * bitmaps are that short.
 *
 * No interrupt checks: the caller limits the words of a call.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#if defined(__x86_64__) && defined(__SSE2__) && defined(__GNUC__)
#define HAVE_INSTRUCTIONS
#include <immintrin.h>
#endif

#include "kernel/base/bitset.h"
#include "kernel/itemsets/bitmaps.h"

#define ALWAYS_INLINE inline __attribute__((always_inline))

/* count_common counts the bits that two bitmaps have in common. */
static ALWAYS_INLINE uint32
count_common(const uint64 *a, const uint64 *b, Size words, bool instruction)
{
	uint32		count0 = 0;
	uint32		count1 = 0;
	Size		i = 0;

	for (; i + 2 <= words; i += 2)
	{
		count0 += sdc_bitset_popcount(a[i] & b[i], instruction);
		count1 += sdc_bitset_popcount(a[i + 1] & b[i + 1], instruction);
	}
	if (i < words)
		count0 += sdc_bitset_popcount(a[i] & b[i], instruction);
	return count0 + count1;
}

/* intersect_words is meet; where words is a constant, so are its loops. */
static ALWAYS_INLINE uint32
intersect_words(const uint64 *bitmap, const uint64 *other, Size words, uint32 others,
		   uint32 min_count, uint32 first, uint32 *kept, uint32 *count, bool instruction)
{
	uint32		n = 0;

	for (uint32 i = 0; i < others; i++, other += words)
	{
		uint32		common = count_common(bitmap, other, words, instruction);

		/* without a branch, which nothing could predict */
		kept[n] = first + i;
		count[n] = common;
		n += common >= min_count;
	}
	return n;
}

/* intersect_any is meet, with special cases for a few words. */
static ALWAYS_INLINE uint32
intersect_any(const uint64 *bitmap, const uint64 *other, Size words, uint32 others,
		 uint32 min_count, uint32 first, uint32 *kept, uint32 *count, bool instruction)
{
	switch (words)
	{
		case 1:
			return intersect_words(bitmap, other, 1, others, min_count, first, kept, count, instruction);
		case 2:
			return intersect_words(bitmap, other, 2, others, min_count, first, kept, count, instruction);
		case 3:
			return intersect_words(bitmap, other, 3, others, min_count, first, kept, count, instruction);
		case 4:
			return intersect_words(bitmap, other, 4, others, min_count, first, kept, count, instruction);
		default:
			return intersect_words(bitmap, other, words, others, min_count, first, kept, count,
							  instruction);
	}
}

/*
 * append_bits adds the count lowest bits in bits to what was written so far: place bits, of which those
 * of the last word are in *last.  Returns the new place.  The last word is always written, as
 * that costs less than a branch.
 */
static ALWAYS_INLINE uint32
append_bits(uint64 *to, uint32 place, uint64 bits, uint32 count, uint64 *last)
{
	uint32		shift = place % SDC_BITMAPS_WORD;
	uint64		word = *last | (bits << shift);
	uint64		rest = (bits >> 1) >> (SDC_BITMAPS_WORD - 1 - shift);

	to[place / SDC_BITMAPS_WORD] = word;
	*last = shift + count >= SDC_BITMAPS_WORD ? rest : word;
	return place + count;
}

/* ------------------------------------------------------------------------
 * Portable
 * ------------------------------------------------------------------------
 */

/* intersect_portable: see bitmaps.h. */
static uint32
intersect_portable(const uint64 *bitmap, const uint64 *other, Size words, uint32 others,
			  uint32 min_count, uint32 first, uint32 *kept, uint32 *count)
{
	return intersect_any(bitmap, other, words, others, min_count, first, kept, count, false);
}

/*
 * prepare_moves computes the moves of a mask: bit by bit of the binary notation of how far
 * each kept bit has to go, which is how many bits below it are not kept.
 */
static void
prepare_moves(uint64 mask, uint64 *move)
{
	uint64		gaps = ~mask << 1;

	for (int i = 0; i < SDC_BITMAPS_MOVES; i++)
	{
		uint64		odd = gaps;	/* becomes: places with an odd number of gaps below */

		for (int shift = 1; shift < SDC_BITMAPS_WORD; shift *= 2)
			odd ^= odd << shift;
		move[i] = odd & mask;
		mask = (mask ^ move[i]) | (move[i] >> (1 << i));
		gaps &= ~odd;
	}
}

/* prepare_portable: see bitmaps.h. */
static void
prepare_portable(const uint64 *bitmap, Size words, SdcBitmapsMask *mask)
{
	uint32		n = 0;

	for (Size i = 0; i < words; i++)
	{
		if (bitmap[i] == 0)
			continue;
		mask->word[n] = (uint32) i;
		mask->bits[n] = bitmap[i];
		prepare_moves(bitmap[i], mask->move + (Size) n * SDC_BITMAPS_MOVES);
		n++;
	}
	mask->words = n;
}

/* squeeze_moves is squeeze with moves. */
static ALWAYS_INLINE void
squeeze_moves(const SdcBitmapsMask *mask, const uint64 *bitmap, uint64 *to, bool instruction)
{
	const uint64 *move = mask->move;
	uint64		last = 0;
	uint32		place = 0;

	for (uint32 i = 0; i < mask->words; i++, move += SDC_BITMAPS_MOVES)
	{
		uint64		bits = bitmap[mask->word[i]] & mask->bits[i];

		for (int j = 0; j < SDC_BITMAPS_MOVES; j++)
		{
			uint64		moved = bits & move[j];

			bits = (bits ^ moved) | (moved >> (1 << j));
		}
		place = append_bits(to, place, bits, sdc_bitset_popcount(mask->bits[i], instruction), &last);
	}
	to[place / SDC_BITMAPS_WORD] = last;
}

/* squeeze_portable: see bitmaps.h. */
static void
squeeze_portable(const SdcBitmapsMask *mask, const uint64 *bitmap, uint64 *to)
{
	squeeze_moves(mask, bitmap, to, false);
}

static const SdcBitmaps portable = {intersect_portable, prepare_portable, squeeze_portable, true};

/* ------------------------------------------------------------------------
 * With instructions
 * ------------------------------------------------------------------------
 */

#ifdef HAVE_INSTRUCTIONS

/* intersect_popcnt: see bitmaps.h. */
__attribute__((target("popcnt")))
static uint32
intersect_popcnt(const uint64 *bitmap, const uint64 *other, Size words, uint32 others,
			uint32 min_count, uint32 first, uint32 *kept, uint32 *count)
{
	return intersect_any(bitmap, other, words, others, min_count, first, kept, count, true);
}

/* squeeze_popcnt: see bitmaps.h. */
__attribute__((target("popcnt")))
static void
squeeze_popcnt(const SdcBitmapsMask *mask, const uint64 *bitmap, uint64 *to)
{
	squeeze_moves(mask, bitmap, to, true);
}

/* prepare_bmi2: see bitmaps.h; move[] is not needed. */
static void
prepare_bmi2(const uint64 *bitmap, Size words, SdcBitmapsMask *mask)
{
	uint32		n = 0;

	for (Size i = 0; i < words; i++)
	{
		mask->word[n] = (uint32) i;
		mask->bits[n] = bitmap[i];
		n += bitmap[i] != 0;
	}
	mask->words = n;
}

/* squeeze_bmi2: see bitmaps.h. */
__attribute__((target("popcnt,bmi2")))
static void
squeeze_bmi2(const SdcBitmapsMask *mask, const uint64 *bitmap, uint64 *to)
{
	uint64		last = 0;
	uint32		place = 0;

	for (uint32 i = 0; i < mask->words; i++)
	{
		uint64		bits = _pext_u64(bitmap[mask->word[i]], mask->bits[i]);

		place = append_bits(to, place, bits, sdc_bitset_popcount(mask->bits[i], true), &last);
	}
	to[place / SDC_BITMAPS_WORD] = last;
}

static const SdcBitmaps with_popcnt = {intersect_popcnt, prepare_portable, squeeze_popcnt, true};
static const SdcBitmaps with_bmi2 = {intersect_popcnt, prepare_bmi2, squeeze_bmi2, false};

/* extracts_fast: these have the instruction, but slower than the portable way. */
static bool
extracts_fast(void)
{
	return !__builtin_cpu_is("amdfam15h") && !__builtin_cpu_is("znver1") &&
		!__builtin_cpu_is("znver2");
}

#endif							/* HAVE_INSTRUCTIONS */

/* sdc_bitmaps_variant: see bitmaps.h. */
const SdcBitmaps *
sdc_bitmaps_variant(int variant)
{
#ifdef HAVE_INSTRUCTIONS
	if (variant == 1 && __builtin_cpu_supports("popcnt"))
		return &with_popcnt;
	if (variant == 2 && __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("bmi2"))
		return &with_bmi2;
#endif
	return variant == 0 ? &portable : NULL;
}

/* sdc_bitmaps_fastest: see bitmaps.h. */
const SdcBitmaps *
sdc_bitmaps_fastest(void)
{
	const SdcBitmaps *best = NULL;

#ifdef HAVE_INSTRUCTIONS
	if (sdc_bitmaps_variant(2) != NULL && extracts_fast())
		best = sdc_bitmaps_variant(2);
	else
		best = sdc_bitmaps_variant(1);
#endif
	return best != NULL ? best : &portable;
}
