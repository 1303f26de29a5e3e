/*-------------------------------------------------------------------------
 *
 * median.c
 *		The median of some whole numbers, and how many are less.
 *
 * The high bits of the numbers are counted, which tells those of the median; the numbers that
 * have them are kept, without them, and the next bits counted, until all bits are known.  With
 * few bits at the beginning that is one reading.  A few numbers with many bits are sorted by
 * insertion.
 *
 * O(n): at most one reading for every eight bits.  Memory: the spare of the caller, and counters
 * on the stack.  Determinism: nothing to choose.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/base/wordsort.h"
#include "kernel/partition/median.h"

/* Bits that are counted at once: counters of many numbers fill a quarter of a small cache. */
#define WIDE_DIGIT 11
#define NARROW_DIGIT 8
#define WIDE_MINIMUM 2048

/* Up to so many numbers are sorted by insertion, if there are more possible values for each. */
#define INSERTION_MAXIMUM 32
#define INSERTION_SPREAD 4

/* sort_values writes a few numbers in ascending order. */
static void
sort_values(const uint32 *value, uint32 n, uint32 *sorted)
{
	for (uint32 i = 0; i < n; i++)
	{
		uint32		moving = value[i];
		uint32		hole = i;

		for (; hole > 0 && sorted[hole - 1] > moving; hole--)
			sorted[hole] = sorted[hole - 1];
		sorted[hole] = moving;
	}
}

/* count_digits counts numbers by their bits from shift on. */
static void
count_digits(const uint32 *value, uint32 n, int shift, uint32 *count, uint32 *credit)
{
	for (uint32 start = 0, end; start < n; start = end)
	{
		end = sdc_interrupts_piece(start, n);
		sdc_interrupts_spend(credit, end - start);
		for (uint32 i = start; i < end; i++)
			count[value[i] >> shift]++;
	}
}

/* keep_digit keeps the numbers with a digit from shift on, without it; kept may be value. */
static void
keep_digit(const uint32 *value, uint32 n, int shift, uint32 digit, uint32 *kept, uint32 *credit)
{
	uint32		number = 0;

	for (uint32 start = 0, end; start < n; start = end)
	{
		end = sdc_interrupts_piece(start, n);
		sdc_interrupts_spend(credit, end - start);
		for (uint32 i = start; i < end; i++)
		{
			uint32		each = value[i];

			kept[number] = each - (digit << shift);
			number += each >> shift == digit;
		}
	}
}

/* sdc_median_find: see median.h. */
void
sdc_median_find(const uint32 *value, uint32 n, uint32 span, uint32 *spare, uint32 *credit,
				SdcMedian *median)
{
	uint32		count[1 << WIDE_DIGIT];
	uint32		rank = (n - 1) / 2; /* of the median among the numbers that are left */
	uint32		first;
	uint32		end;

	median->value = median->less = 0;	/* what the numbers that are left have lost */
	while (n > INSERTION_MAXIMUM || span / INSERTION_SPREAD < n)
	{
		int			shift = sdc_wordsort_width(span) - (n < WIDE_MINIMUM ? NARROW_DIGIT : WIDE_DIGIT);
		uint32		digit = 0;

		shift = shift > 0 ? shift : 0;
		memset(count, 0, ((span >> shift) + 1) * sizeof(uint32));
		count_digits(value, n, shift, count, credit);
		for (; rank >= count[digit]; digit++)
		{
			rank -= count[digit];
			median->less += count[digit];
		}
		median->value += digit << shift;
		median->equal = count[digit];
		if (shift == 0)
			return;
		keep_digit(value, n, shift, digit, spare, credit);
		value = spare;
		n = count[digit];
		span = (UINT32_C(1) << shift) - 1;
	}

	sort_values(value, n, spare);
	for (first = rank; first > 0 && spare[first - 1] == spare[rank];)
		first--;
	for (end = rank + 1; end < n && spare[end] == spare[rank];)
		end++;
	median->value += spare[rank];
	median->less += first;
	median->equal = end - first;
}
