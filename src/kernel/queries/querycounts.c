/*-------------------------------------------------------------------------
 *
 * querycounts.c
 *		How many records satisfy each query of a batch.
 *
 * Rows of bits are added as the digits of binary numbers, 64 numbers at a time, by full adders: eight rows become
 * three digits and a carry before anything is added further up (W. Mula, N. Kurz, D. Lemire, "Faster population
 * counts using AVX2 instructions", The Computer Journal 61 (2018), there for a single count).
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/queries/querycounts.h"

/* add_three adds two bits to one, for 64 numbers, and returns what is carried. */
static inline uint64
add_three(uint64 *sum, uint64 a, uint64 b)
{
	uint64		either = a ^ b;
	uint64		carry = (a & b) | (either & *sum);

	*sum ^= either;
	return carry;
}

/* carry_up adds a word of digits to a plane and those above. */
static inline void
carry_up(SdcQueryCounts *counts, uint32 plane, uint32 word, uint64 carry)
{
	while (carry != 0)
	{
		uint64		digits = counts->plane[plane][word];

		SDC_ASSERT(plane < SDC_QUERY_PLANES);
		counts->plane[plane++][word] = digits ^ carry;
		carry &= digits;
	}
}

/* add_word is sdc_querycounts_add for one word of the rows. */
static void
add_word(SdcQueryCounts *counts, const uint64 *rows, uint32 count, uint32 words, uint32 word)
{
	uint64		ones = counts->plane[0][word];
	uint64		twos = counts->plane[1][word];
	uint64		fours = counts->plane[2][word];
	uint32		i = 0;

	for (rows += word; i + 8 <= count; i += 8, rows += (Size) words * 8)
	{
		uint64		two[4];
		uint64		four[2];

		for (uint32 k = 0; k < 4; k++)
			two[k] = add_three(&ones, rows[(Size) words * 2 * k], rows[(Size) words * (2 * k + 1)]);
		four[0] = add_three(&twos, two[0], two[1]);
		four[1] = add_three(&twos, two[2], two[3]);
		carry_up(counts, 3, word, add_three(&fours, four[0], four[1]));
	}
	counts->plane[0][word] = ones;
	counts->plane[1][word] = twos;
	counts->plane[2][word] = fours;
	for (; i < count; i++, rows += words)
		carry_up(counts, 0, word, *rows);
}

/* sdc_querycounts_add: see querycounts.h. */
void
sdc_querycounts_add(SdcQueryCounts *counts, const uint64 *rows, uint32 count, uint32 words)
{
	counts->rows += count;
	for (uint32 w = 0; w < words; w++)
		add_word(counts, rows, count, words, w);
}

/* spread has in the lowest bit of each of eight bytes a bit of eight, the lowest one in the lowest byte. */
static inline uint64
spread(uint64 bits)
{
	/* a copy of all bits in every byte, and there one of its own, which is then moved down */
	bits = (bits * UINT64_C(0x0101010101010101)) & UINT64_C(0x8040201008040201);
	return ((bits + UINT64_C(0x7F7F7F7F7F7F7F7F)) >> 7) & UINT64_C(0x0101010101010101);
}

/* sdc_querycounts_unpack: see querycounts.h. */
void
sdc_querycounts_unpack(const SdcQueryCounts *counts, uint32 word, uint64 wanted, SdcQueryFew *few)
{
	uint32		planes = sdc_querycounts_planes(counts);

	few->valid = planes <= 8;
	for (uint32 k = 0; k < 8 && few->valid; k++, wanted >>= 8)
	{
		uint64		count = 0;

		if ((wanted & 0xFF) == 0)
			continue;
		for (uint32 p = 0; p < planes; p++)
			count |= spread((counts->plane[p][word] >> (k * 8)) & 0xFF) << p;
		few->count[k] = count;
	}
}
