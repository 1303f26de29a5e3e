/*-------------------------------------------------------------------------
 *
 * wordsort.c
 *		Sort 64-bit words by some of their bits.
 *
 * By radix from the least significant digit up (D. E. Knuth, The Art of Computer Programming
 * 3, 5.2.5).  A digit has 11 bits: its counts stay in the first-level cache.  Digits in which all
 * words agree are skipped; few words are sorted by insertion.
 *
 * Linear time.  Memory: the counts of a digit, on the stack.  The order is stable: the result is
 * determined by the input.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/base/wordsort.h"

#define DIGIT_BITS 11
#define DIGIT_VALUES (1 << DIGIT_BITS)

/* Words that are sorted by insertion: clearing the counts costs as much. */
#define INSERTION_MAXIMUM 40

/* insertion_sort sorts few words by the bits of a mask. */
static void
insertion_sort(uint64 *word, uint64 count, uint64 mask)
{
	for (uint64 i = 1; i < count; i++)
	{
		uint64		moving = word[i];
		uint64		hole = i;

		for (; hole > 0 && (word[hole - 1] & mask) > (moving & mask); hole--)
			word[hole] = word[hole - 1];
		word[hole] = moving;
	}
}

/* count_digit counts the values of a digit, and returns false if there is only one of them. */
static bool
count_digit(const uint64 *word, uint64 count, int shift, uint64 mask, uint64 *place)
{
	memset(place, 0, DIGIT_VALUES * sizeof(uint64));
	for (uint64 i = 0; i < count; i++)
	{
		sdc_interrupts_step(i);
		place[(word[i] >> shift) & mask]++;
	}
	return place[(word[0] >> shift) & mask] < count;
}

/* distribute moves the words to their places by a digit, from the counts of its values. */
static void
distribute(const uint64 *from, uint64 *to, uint64 count, int shift, uint64 mask, uint64 *place)
{
	uint64		sum = 0;

	for (uint32 value = 0; value <= mask; value++)
	{
		uint64		here = place[value];

		place[value] = sum;
		sum += here;
	}
	for (uint64 i = 0; i < count; i++)
	{
		sdc_interrupts_step(i);
		to[place[(from[i] >> shift) & mask]++] = from[i];
	}
}

/* sdc_wordsort: see wordsort.h. */
uint64 *
sdc_wordsort(uint64 *word, uint64 *spare, uint64 count, int from, int bits)
{
	uint64		place[DIGIT_VALUES];

	SDC_ASSERT(from >= 0 && bits >= 0 && from + bits <= 64);
	if (count < 2 || bits == 0)
		return word;
	if (count <= INSERTION_MAXIMUM)
	{
		insertion_sort(word, count, (~UINT64_C(0) >> (64 - bits)) << from);
		return word;
	}
	for (int done = 0; done < bits; done += DIGIT_BITS)
	{
		int			digit = bits - done < DIGIT_BITS ? bits - done : DIGIT_BITS;
		uint64		mask = (UINT64_C(1) << digit) - 1;
		uint64	   *sorted = spare;

		if (!count_digit(word, count, from + done, mask, place))
			continue;
		distribute(word, sorted, count, from + done, mask, place);
		spare = word;
		word = sorted;
	}
	return word;
}
