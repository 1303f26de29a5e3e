/*-------------------------------------------------------------------------
 *
 * rankorder.c
 *		Order records by a 64-bit key, ties by a random word.
 *
 * A column of a million records is sorted once per release and attribute, so
 * this is a large part of a run.  A comparison sort of (key, tie, record)
 * moves 16-byte elements about 20 times; here 8-byte elements are moved three
 * times, in three steps of which the last two mostly see little:
 *
 *	1. The high bits of the key, as seen from the smallest key, 32 of them at
 *	   most, are packed with the index into one word and sorted by radix.
 *	2. Runs that agree in these bits differ by less than 2^32 in the key: the
 *	   rest of the key fits into 32 bits again and is sorted the same way.
 *	3. Runs of equal keys are sorted by tie word, packed with the record.
 *
 * A sort by radix goes from the least significant digit up (D. E. Knuth, The
 * Art of Computer Programming 3, 5.2.5), skips digits in which all elements
 * agree, and is stable; short runs are sorted by insertion.  Digits have 11
 * bits for long runs (a histogram of 8 kB stays in the first-level cache), 8
 * bits for runs that would not pay for clearing that.
 *
 * Linear time for any keys: at most three sorts of three passes see a record.
 * Memory: two words a record and the histograms.  The result is determined by
 * the inputs: it is the only order of distinct triples.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/base/pairs.h"
#include "kernel/base/rankorder.h"
#include "kernel/base/wordsort.h"

#define WIDE_DIGIT 11			/* bits of a digit in a long run */
#define NARROW_DIGIT 8			/* and in one below WIDE_MINIMUM */
#define WIDE_MINIMUM 4096
#define INSERTION_MAXIMUM 40	/* longest run sorted by insertion */

#define MAX_DIGITS 4			/* 32 bits in digits of 8 */
#define HISTOGRAM_WORDS (3 * (1 << WIDE_DIGIT))

/* What the steps share. */
typedef struct Sorter
{
	const uint64 *key;			/* the inputs of sdc_rankorder_sort */
	const uint32 *record;
	const uint32 *tie;
	uint64	   *element;		/* packed (32 bits of key, index) */
	uint64	   *spare;			/* the same size, for the passes */
	uint32	   *histogram;		/* HISTOGRAM_WORDS */
	const uint32 *order;		/* the result, from its beginning */
	bool	   *tied;			/* or NULL */
	uint32		credit;			/* elements until the next interrupt check */
} Sorter;

/* sdc_rankorder_memory: two arrays of words and the histograms. */
Size
sdc_rankorder_memory(uint32 n)
{
	return 2 * sizeof(uint64) * (Size) n + sizeof(uint32) * HISTOGRAM_WORDS;
}

/* insertion_sort sorts whole words. */
static inline void
insertion_sort(uint64 *element, uint32 n)
{
	for (uint32 i = 1; i < n; i++)
	{
		uint64		moving = element[i];
		uint32		hole = i;

		for (; hole > 0 && element[hole - 1] > moving; hole--)
			element[hole] = element[hole - 1];
		element[hole] = moving;
	}
}

/* count_digits makes the histograms of all digits in one reading. */
static void
count_digits(const uint64 *element, uint32 n, int bits, int digits,
			 uint32 *histogram)
{
	uint32		mask = (UINT32_C(1) << bits) - 1;

	memset(histogram, 0, ((Size) digits << bits) * sizeof(uint32));
	for (uint32 start = 0, end; start < n; start = end)
	{
		end = sdc_interrupts_block(start, n);
		for (uint32 i = start; i < end; i++)
		{
			uint32		value = (uint32) (element[i] >> 32);

			for (int digit = 0; digit < digits; digit++)
			{
				histogram[((uint32) digit << bits) + (value & mask)]++;
				value >>= bits;
			}
		}
	}
}

/* distribute moves the elements to their places by one digit, stably. */
static void
distribute(const uint64 *from, uint64 *to, uint32 n, int bits, int shift,
		   uint32 *place)
{
	uint32		mask = (UINT32_C(1) << bits) - 1;
	uint32		sum = 0;

	for (uint32 value = 0; value <= mask; value++)
	{
		uint32		count = place[value];

		place[value] = sum;
		sum += count;
	}
	for (uint32 start = 0, end; start < n; start = end)
	{
		end = sdc_interrupts_block(start, n);
		for (uint32 i = start; i < end; i++)
			to[place[(from[i] >> shift) & mask]++] = from[i];
	}
}

/*
 * sort_words sorts by the high 32 bits of each word, of which only the lower
 * key_bits can differ.  Words that agree there keep their order, which in all
 * uses is that of their low halves.  Returns where the result is: element or
 * spare.
 */
static uint64 *
sort_words(Sorter *sorter, uint64 *element, uint64 *spare, uint32 n,
		   int key_bits)
{
	int			bits = n < WIDE_MINIMUM ? NARROW_DIGIT : WIDE_DIGIT;
	int			digits = (key_bits + bits - 1) / bits;

	if (n <= INSERTION_MAXIMUM)
	{
		insertion_sort(element, n);
		return element;
	}

	SDC_ASSERT(digits <= MAX_DIGITS &&
			   ((Size) digits << bits) <= HISTOGRAM_WORDS);
	count_digits(element, n, bits, digits, sorter->histogram);
	for (int digit = 0; digit < digits; digit++)
	{
		uint32	   *place = sorter->histogram + ((uint32) digit << bits);
		int			shift = 32 + digit * bits;
		uint64	   *swap = spare;
		uint32		first;

		first = (uint32) (element[0] >> shift) & ((UINT32_C(1) << bits) - 1);
		if (place[first] == n)
			continue;			/* all agree */
		distribute(element, spare, n, bits, shift, place);
		spare = element;
		element = swap;
	}
	return element;
}

/*
 * order_ties writes the records of a run of equal keys, which starts at a
 * given place of the result, by tie word and record.
 */
static void
order_ties(Sorter *sorter, uint64 *element, uint64 *spare, uint32 n,
		   uint32 *order)
{
	const uint64 *sorted;

	for (uint32 start = 0, end; start < n; start = end)
	{
		end = sdc_interrupts_piece(start, n);
		sdc_interrupts_spend(&sorter->credit, end - start);
		for (uint32 i = start; i < end; i++)
		{
			uint32		record = sdc_record_at(sorter->record, (uint32) element[i]);

			element[i] = (sorter->tie != NULL ? (uint64) sorter->tie[record] << 32 : 0) | record;
		}
	}
	sorted = sort_words(sorter, element, spare, n, 32);
	for (uint32 start = 0, end; start < n; start = end)
	{
		end = sdc_interrupts_piece(start, n);
		sdc_interrupts_spend(&sorter->credit, end - start);
		for (uint32 i = start; i < end; i++)
			order[i] = (uint32) sorted[i];
	}
	if (sorter->tied != NULL)
		memset(sorter->tied + (order - sorter->order) + 1, true, n - 1);
}

/* run_length is the length of the run of equal high halves at element[0]. */
static inline uint32
run_length(const uint64 *element, uint32 n)
{
	uint32		high = (uint32) (element[0] >> 32);
	uint32		length = 1;

	while (length < n && (uint32) (element[length] >> 32) == high)
		length++;
	return length;
}

/*
 * pack_run packs the keys of a run, as differences to the least, and returns
 * how many bits of them can differ.
 */
static int
pack_run(Sorter *sorter, uint64 *element, uint32 n)
{
	const uint64 *key = sorter->key;
	uint64		least = key[(uint32) element[0]];
	uint64		most = least;

	for (uint32 start = 0, end; start < n; start = end)
	{
		end = sdc_interrupts_piece(start, n);
		sdc_interrupts_spend(&sorter->credit, end - start);
		for (uint32 i = start; i < end; i++)
		{
			uint64		value = key[(uint32) element[i]];

			least = value < least ? value : least;
			most = value > most ? value : most;
		}
	}
	if (least == most)
		return 0;

	SDC_ASSERT(sdc_wordsort_width(most - least) <= 32);
	for (uint32 start = 0, end; start < n; start = end)
	{
		end = sdc_interrupts_piece(start, n);
		sdc_interrupts_spend(&sorter->credit, end - start);
		for (uint32 i = start; i < end; i++)
		{
			uint32		index = (uint32) element[i];

			element[i] = (key[index] - least) << 32 | index;
		}
	}
	return sdc_wordsort_width(most - least);
}

/*
 * order_runs writes the records of sorted elements, given the whole of their
 * keys, run by run of equal ones.
 */
static void
order_runs(Sorter *sorter, uint64 *element, uint64 *spare, uint32 n,
		   uint32 *order)
{
	for (uint32 i = 0, length; i < n; i += length)
	{
		length = run_length(element + i, n - i);
		if (length > 1)
		{
			order_ties(sorter, element + i, spare + i, length, order + i);
			continue;
		}
		sdc_interrupts_spend(&sorter->credit, 1);
		order[i] = sdc_record_at(sorter->record, (uint32) element[i]);
	}
}

/*
 * order_rest orders a run of elements that agree in the high bits of the key.
 * The differences to the smallest key of the run fit into 32 bits.
 */
static void
order_rest(Sorter *sorter, uint64 *element, uint64 *spare, uint32 n,
		   uint32 *order)
{
	int			bits = pack_run(sorter, element, n);
	uint64	   *sorted;

	if (bits == 0)
	{
		order_ties(sorter, element, spare, n, order);
		return;
	}
	sorted = sort_words(sorter, element, spare, n, bits);
	order_runs(sorter, sorted, sorted == element ? spare : element, n, order);
}

/*
 * pack_keys fills sorter->element and returns the number of key bits in it.
 * *exact says whether these are all that can differ.
 */
static int
pack_keys(Sorter *sorter, uint32 n, bool *exact)
{
	const uint64 *key = sorter->key;
	uint64		least = key[0];
	uint64		most = key[0];
	int			bits;
	int			shift;

	for (uint32 start = 0, end; start < n; start = end)
	{
		end = sdc_interrupts_block(start, n);
		for (uint32 i = start; i < end; i++)
		{
			least = key[i] < least ? key[i] : least;
			most = key[i] > most ? key[i] : most;
		}
	}
	bits = sdc_wordsort_width(most - least);
	shift = bits > 32 ? bits - 32 : 0;
	for (uint32 start = 0, end; start < n; start = end)
	{
		end = sdc_interrupts_block(start, n);
		for (uint32 i = start; i < end; i++)
			sorter->element[i] = ((key[i] - least) >> shift) << 32 | i;
	}
	*exact = (shift == 0);
	return bits - shift;
}

/* sdc_rankorder_ties: see rankorder.h. */
void
sdc_rankorder_ties(const uint64 *key, const uint32 *record, uint32 n,
				   const uint32 *tie, void *work, uint32 *order, bool *tied)
{
	Sorter		sorter = {.key = key, .record = record, .tie = tie,
		.order = order, .tied = tied,
	.credit = SDC_INTERRUPT_STEPS};
	uint64	   *element;
	uint64	   *spare;
	bool		exact;
	int			bits;

	if (n == 0)
		return;
	if (tied != NULL)
		memset(tied, false, n);
	sorter.element = work;
	sorter.spare = sorter.element + n;
	sorter.histogram = (uint32 *) (sorter.spare + n);

	bits = pack_keys(&sorter, n, &exact);
	element = sort_words(&sorter, sorter.element, sorter.spare, n, bits);
	spare = element == sorter.element ? sorter.spare : sorter.element;
	if (exact)
	{
		order_runs(&sorter, element, spare, n, order);
		return;
	}
	for (uint32 i = 0, length; i < n; i += length)
	{
		length = run_length(element + i, n - i);
		if (length > 1)
		{
			order_rest(&sorter, element + i, spare + i, length, order + i);
			continue;
		}
		sdc_interrupts_spend(&sorter.credit, 1);
		order[i] = sdc_record_at(sorter.record, (uint32) element[i]);
	}
}

/* sdc_rankorder_sort: see rankorder.h. */
void
sdc_rankorder_sort(const uint64 *key, const uint32 *record, uint32 n,
				   const uint32 *tie, void *work, uint32 *order)
{
	sdc_rankorder_ties(key, record, n, tie, work, order, NULL);
}
