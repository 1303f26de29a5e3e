/*-------------------------------------------------------------------------
 *
 * bitset.h
 *		Plain bitmaps: sets of positions that are met, united and counted.
 *
 * A bitmap is an array of words; bit p is bit p % 64 of word p / 64.  Its number of words
 * is rounded up to whole blocks, so that the loops over it have no remainder; the bits
 * beyond the last position are always clear.
 *
 * Bits are counted by the processor's instruction where it has one: SDC_BITSET_COUNTS marks
 * functions that are compiled for it, and only sdc_bitset_hardware tells whether they may be
 * called.  The portable way counts the same.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_BITSET_H
#define SDC_KERNEL_BITSET_H

#include "kernel/base/kernel_env.h"

#define SDC_BITSET_BITS 64		/* of a word */
#define SDC_BITSET_BLOCK 8		/* words */

#define SDC_BITSET_INLINE static inline __attribute__((always_inline))

#if defined(__x86_64__) && defined(__GNUC__)
#define SDC_BITSET_COUNTS __attribute__((target("popcnt")))
#else
#define SDC_BITSET_COUNTS
#endif

/* Half a block; memory is aligned to words only. */
typedef uint64 SdcBitsetLanes __attribute__((vector_size(32), aligned(8), may_alias));

#define SDC_BITSET_LANES 4

/* sdc_bitset_words is the number of words of a bitmap of so many positions, whole blocks. */
static inline Size
sdc_bitset_words(uint64 positions)
{
	const uint64 bits = SDC_BITSET_BITS * SDC_BITSET_BLOCK;

	return (Size) ((positions / bits + (positions % bits != 0)) * SDC_BITSET_BLOCK);
}

/* sdc_bitset_bytes is the memory of a bitmap of so many positions. */
static inline Size
sdc_bitset_bytes(uint64 positions)
{
	return sdc_bitset_words(positions) * sizeof(uint64);
}

/* sdc_bitset_contains tells whether a bit is set. */
static inline bool
sdc_bitset_contains(const uint64 *bits, uint32 position)
{
	return (bits[position / SDC_BITSET_BITS] >> (position % SDC_BITSET_BITS)) & 1;
}

/* sdc_bitset_add sets a bit. */
static inline void
sdc_bitset_add(uint64 *bits, uint32 position)
{
	bits[position / SDC_BITSET_BITS] |= UINT64_C(1) << (position % SDC_BITSET_BITS);
}

/* sdc_bitset_remove clears a bit. */
static inline void
sdc_bitset_remove(uint64 *bits, uint32 position)
{
	bits[position / SDC_BITSET_BITS] &= ~(UINT64_C(1) << (position % SDC_BITSET_BITS));
}

/* sdc_bitset_unite adds to a bitmap, or a part of it of whole blocks, what is in another. */
static inline void
sdc_bitset_unite(uint64 *bits, const uint64 *other, Size words)
{
	for (Size w = 0; w < words; w += SDC_BITSET_LANES)
		*(SdcBitsetLanes *) (bits + w) |= *(const SdcBitsetLanes *) (other + w);
}

/* sdc_bitset_intersect removes what is not in another. */
static inline void
sdc_bitset_intersect(uint64 *bits, const uint64 *other, Size words)
{
	for (Size w = 0; w < words; w += SDC_BITSET_LANES)
		*(SdcBitsetLanes *) (bits + w) &= *(const SdcBitsetLanes *) (other + w);
}

/* sdc_bitset_subtract writes what is in one bitmap and not in another; it may be either. */
static inline void
sdc_bitset_subtract(uint64 *bits, const uint64 *from, const uint64 *other, Size words)
{
	for (Size w = 0; w < words; w += SDC_BITSET_LANES)
		*(SdcBitsetLanes *) (bits + w) = *(const SdcBitsetLanes *) (from + w) &
			~*(const SdcBitsetLanes *) (other + w);
}

/* sdc_bitset_hardware tells whether functions marked SDC_BITSET_COUNTS can run. */
static inline bool
sdc_bitset_hardware(void)
{
#if defined(__x86_64__) && defined(__GNUC__)
	return __builtin_cpu_supports("popcnt");
#else
	return true;
#endif
}

/*
 * sdc_bitset_popcount counts the bits of a word.  hardware is a constant, true only in
 * functions marked SDC_BITSET_COUNTS and what is inlined into them: elsewhere the compiler
 * would call a function of its library, right but slow.
 */
SDC_BITSET_INLINE uint32
sdc_bitset_popcount(uint64 word, bool hardware)
{
	if (hardware)
		return (uint32) __builtin_popcountll(word);
	word -= (word >> 1) & UINT64_C(0x5555555555555555);
	word = (word & UINT64_C(0x3333333333333333)) +
		((word >> 2) & UINT64_C(0x3333333333333333));
	word = (word + (word >> 4)) & UINT64_C(0x0F0F0F0F0F0F0F0F);
	return (uint32) ((word * UINT64_C(0x0101010101010101)) >> 56);
}

/* sdc_bitset_count_by counts the bits of a bitmap; hardware as for sdc_bitset_popcount. */
SDC_BITSET_INLINE uint64
sdc_bitset_count_by(const uint64 *bits, Size words, bool hardware)
{
	uint64		count = 0;

	for (Size w = 0; w < words; w++)
		count += sdc_bitset_popcount(bits[w], hardware);
	return count;
}

/* sdc_bitset_count_hardware is sdc_bitset_count where the processor counts. */
SDC_BITSET_COUNTS static inline uint64
sdc_bitset_count_hardware(const uint64 *bits, Size words)
{
	return sdc_bitset_count_by(bits, words, true);
}

/* sdc_bitset_count counts the bits of a bitmap. */
static inline uint64
sdc_bitset_count(const uint64 *bits, Size words)
{
	return sdc_bitset_hardware() ? sdc_bitset_count_hardware(bits, words) :
		sdc_bitset_count_by(bits, words, false);
}

#endif							/* SDC_KERNEL_BITSET_H */
