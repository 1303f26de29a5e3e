/*-------------------------------------------------------------------------
 *
 * narrowwindows.c
 *		The windows of a column (rankwindow.h) in a byte or two for each code, or less.
 *
 * An interval of two codes for each code is as much as the values themselves.  But both of its ends follow from how
 * many values are below a code, and from the code at a position, which is the inverse.  The first rises with the
 * code, by little where values are different; so what it has risen since every 64th code is a small number, and
 * where most codes are one value each it is only little more than the number of codes.  The second is found between
 * two codes that are known for every 64th position.
 *
 * Complexity: O(records + codes) to make them; an interval takes O(log codes), mostly two searches among 64 codes.
 * Memory: 4 bytes a code.  Determinism: integers.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/rank/narrowwindows.h"

#define BITS SDC_NARROWWINDOWS_BITS
#define BLOCK (UINT32_C(1) << BITS)

/* choose_bits is how wide what is added to the base of a block must be. */
static int
choose_bits(const SdcPositions *positions)
{
	uint32		most = 0;
	bool		each = true;

	for (uint32 c = 0; c <= positions->codes; c++)
	{
		uint32		more = positions->below[c] - positions->below[c & ~(BLOCK - 1)];

		sdc_interrupts_step(c);
		most = more > most ? more : most;
		each = each && more >= c % BLOCK && more - c % BLOCK <= 3;
	}
	return each ? 2 : most <= UINT8_MAX ? 8 : most <= UINT16_MAX ? 16 : 32;
}

/* fill_codes writes what is below each code. */
static void
fill_codes(SdcNarrowWindows *windows, const SdcPositions *positions)
{
	for (uint32 c = 0; c <= windows->codes; c++)
	{
		uint32		more;

		sdc_interrupts_step(c);
		if (c % BLOCK == 0)
			windows->base[c >> BITS] = positions->below[c];
		more = positions->below[c] - windows->base[c >> BITS];
		if (windows->bits == 2)
			windows->more.some[c / 4] |= (uint8) ((more - c % BLOCK) << c % 4 * 2);
		else if (windows->bits == 8)
			windows->more.one[c] = (uint8) more;
		else if (windows->bits == 16)
			windows->more.two[c] = (uint16) more;
		else
			windows->more.four[c] = more;
	}
}

/* fill_positions writes in which block the code at every 64th position is. */
static void
fill_positions(SdcNarrowWindows *windows)
{
	uint32		block = 0;
	uint32		marks = windows->count >> BITS;

	for (uint32 mark = 0; mark <= marks; mark++)
	{
		sdc_interrupts_step(mark);
		while (block + 1 < windows->blocks && windows->base[block + 1] <= mark << BITS)
			block++;
		windows->block_at[mark] = block;
	}
	windows->block_at[marks + 1] = windows->blocks - 1;
}

/* sdc_narrowwindows_create: see narrowwindows.h. */
void
sdc_narrowwindows_create(SdcNarrowWindows *windows, const uint32 *code, uint32 records, uint32 codes, uint32 width)
{
	SdcPositions positions;

	sdc_positions_create(&positions, code, records, codes);
	windows->width = width;
	windows->count = positions.count;
	windows->codes = codes;
	windows->blocks = (codes >> BITS) + 1;
	windows->bits = choose_bits(&positions);
	windows->base = sdc_alloc_array(uint32, windows->blocks);
	windows->more.any = windows->bits == 2 ? sdc_alloc_zeros(uint8, (Size) codes / 4 + 1) :
		sdc_alloc_items((Size) windows->bits / 8, 1, (Size) codes + 1);
	windows->block_at = sdc_alloc_array(uint32, (Size) (windows->count >> BITS) + 2);
	fill_codes(windows, &positions);
	fill_positions(windows);
	sdc_positions_destroy(&positions);
}

/* sdc_narrowwindows_destroy frees what sdc_narrowwindows_create allocated. */
void
sdc_narrowwindows_destroy(SdcNarrowWindows *windows)
{
	sdc_free(windows->block_at);
	sdc_free(windows->more.any);
	sdc_free(windows->base);
}

/* last_block is the last block that begins at or below a position. */
static inline uint32
last_block(const SdcNarrowWindows *windows, uint32 position)
{
	uint32		low = windows->block_at[position >> BITS];
	uint32		high = windows->block_at[(position >> BITS) + 1];

	/* mostly there are two, of which no processor could foresee which it is */
	while (high - low > 1)
	{
		uint32		middle = low + (high - low + 1) / 2;

		if (windows->base[middle] <= position)
			low = middle;
		else
			high = middle - 1;
	}
	return low + (high - low) * (windows->base[high] <= position);
}

/*
 * code_at is the code at a position: the last one that has no more than it below.  Where values are different it is as
 * far from the beginning of its block as the position is, or next to that.
 */
static inline uint32
code_at(const SdcNarrowWindows *windows, uint32 position)
{
	uint32		block = last_block(windows, position);
	uint32		low = block << BITS;
	uint32		high = windows->codes - low < BLOCK ? windows->codes - 1 : low + BLOCK - 1;
	uint32		more = position - windows->base[block];
	uint32		guess = more < high - low ? low + more : high;

	if (sdc_narrowwindows_below(windows, guess) <= position)
	{
		if (guess == high || sdc_narrowwindows_below(windows, guess + 1) > position)
			return guess;
		low = guess + 1;
	}
	else
	{
		high = guess - 1;
		if (sdc_narrowwindows_below(windows, high) <= position)
			return high;
	}
	while (low < high)
	{
		uint32		middle = low + (high - low + 1) / 2;

		if (sdc_narrowwindows_below(windows, middle) <= position)
			low = middle;
		else
			high = middle - 1;
	}
	return low;
}

/* sdc_narrowwindows_interval: see narrowwindows.h. */
SdcInterval
sdc_narrowwindows_interval(const SdcNarrowWindows *windows, uint32 code)
{
	static const SdcInterval empty = {1, 0};
	uint32		start;
	uint32		end;

	if (!sdc_narrowwindows_ends(windows, code, &start, &end))
		return empty;
	return (SdcInterval) {code_at(windows, start), code_at(windows, end)};
}
