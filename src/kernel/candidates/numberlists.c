/*-------------------------------------------------------------------------
 *
 * numberlists.c
 *		Distinct numbers, in lists that are numbered too.
 *
 * Pairs of list and number are sorted by radix.  Time: linear to make them, a binary search to ask.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/base/ordered.h"
#include "kernel/base/wordsort.h"
#include "kernel/candidates/numberlists.h"

/* sdc_numberlists_create: see numberlists.h. */
void
sdc_numberlists_create(SdcNumberLists *lists, uint32 count, uint64 *pair, uint64 pairs)
{
	uint64	   *spare = sdc_alloc_array(uint64, pairs);
	uint64	   *sorted = sdc_wordsort(pair, spare, pairs, 0, 32 + sdc_wordsort_width(count));
	uint64		distinct = 0;
	uint64		list = 0;

	lists->lists = count;
	lists->start = sdc_alloc_array(uint64, (uint64) count + 1);
	for (uint64 i = 0; i < pairs; i++)
	{
		uint64		here = sorted[i];

		if (i % SDC_INTERRUPT_STEPS == 0)
			SDC_CHECK_INTERRUPTS();
		if (distinct > 0 && sorted[distinct - 1] == here)
			continue;
		for (; list <= here >> 32; list++)
			lists->start[list] = distinct;
		sorted[distinct++] = here;
	}
	for (; list <= count; list++)
		lists->start[list] = distinct;
	lists->pair = sorted;
	sdc_free(sorted == pair ? spare : pair);
}

/* sdc_numberlists_destroy frees what sdc_numberlists_create allocated or took over. */
void
sdc_numberlists_destroy(SdcNumberLists *lists)
{
	sdc_free(lists->pair);
	sdc_free(lists->start);
}

/* sdc_numberlists_contains: see numberlists.h. */
bool
sdc_numberlists_contains(const SdcNumberLists *lists, uint32 list, uint32 number)
{
	uint64		pair = (uint64) list << 32 | number;
	uint64		low = lists->start[list];
	uint64		high = lists->start[list + 1];

	SDC_BISECT(low, high, middle, lists->pair[middle] < pair);
	return low < lists->start[list + 1] && lists->pair[low] == pair;
}
