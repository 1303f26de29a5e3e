/*-------------------------------------------------------------------------
 *
 * codemaps.c
 *		The bitmap of all that have a code in an interval.
 *
 * Entries are in the order of their codes, so that those of an interval come one after the other.
 * Up to a step of them are turned in an empty bitmap.  For more, bitmaps of what comes before
 * every so many entries are kept: the interval is the difference of those of its two ends, of
 * which only the entries between an end and the nearest one that is kept are left to turn.
 * Not more than SDC_CODEMAP_KEPT bitmaps are kept, which are as large as that many bits an
 * entry, and a step is not less than the words of a bitmap: an answer takes O(words) then, but for
 * long lists of few positions.
 *
 * Time: O(entries) to build, O(words + entries / SDC_CODEMAP_KEPT) to answer.  Memory: 24 bytes an
 * entry, and the bitmaps.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/base/ordered.h"
#include "kernel/base/wordsort.h"
#include "kernel/candidates/codemaps.h"

/* Bitmaps that are kept, about. */
#define SDC_CODEMAP_KEPT 64

/* step_of is how many entries there are between bitmaps. */
static inline uint64
step_of(uint64 count, Size words)
{
	uint64		step = count / SDC_CODEMAP_KEPT + 1;

	return step < words ? words : step;
}

/* turn turns a bit. */
static inline void
turn(uint64 *bits, uint32 position)
{
	bits[position / SDC_BITSET_BITS] ^= UINT64_C(1) << (position % SDC_BITSET_BITS);
}

/* turn_entries turns the bits of some entries. */
static void
turn_entries(const SdcCodeMap *list, uint64 first, uint64 end, uint64 *bits)
{
	for (uint64 i = first; i < end; i++)
		turn(bits, list->position[i]);
}

/* keep_bitmaps makes the bitmaps that are kept. */
static void
keep_bitmaps(SdcCodeMap *list)
{
	uint64		kept = list->count / list->step + 1;
	Size		bytes = list->words * sizeof(uint64);

	list->kept = sdc_alloc_matrix(uint64, kept, list->words);
	memset(list->kept, 0, bytes);
	for (uint64 b = 1; b < kept; b++)
	{
		uint64	   *bits = list->kept + b * list->words;

		SDC_CHECK_INTERRUPTS();
		memcpy(bits, bits - list->words, bytes);
		turn_entries(list, (b - 1) * list->step, b * list->step, bits);
	}
}

/* sdc_codemap_create: see codemaps.h. */
void
sdc_codemap_create(SdcCodeMap *list, uint64 *entry, uint64 count, uint32 positions)
{
	uint64	   *spare = sdc_alloc_array(uint64, count);
	uint64	   *sorted;
	uint64		most = 0;

	for (uint64 i = 0; i < count; i++)
		most |= entry[i];
	sorted = sdc_wordsort(entry, spare, count, 0, sdc_wordsort_width(most));
	list->count = count;
	list->words = sdc_bitset_words(positions);
	list->step = step_of(count, list->words);
	list->code = sdc_alloc_array(uint32, count);
	list->position = sdc_alloc_array(uint32, count);
	for (uint64 i = 0; i < count; i++)
	{
		if (i % SDC_INTERRUPT_STEPS == 0)
			SDC_CHECK_INTERRUPTS();
		list->code[i] = (uint32) (sorted[i] >> 32);
		list->position[i] = (uint32) sorted[i];
	}
	sdc_free(spare);
	keep_bitmaps(list);
	list->asked = false;
	list->answer = sdc_alloc_array(uint64, list->words);
}

/* sdc_codemap_destroy frees what sdc_codemap_create allocated. */
void
sdc_codemap_destroy(SdcCodeMap *list)
{
	sdc_free(list->answer);
	sdc_free(list->kept);
	sdc_free(list->position);
	sdc_free(list->code);
}

/* entries_below is the number of entries with a code below one. */
static uint64
entries_below(const SdcCodeMap *list, uint32 code)
{
	uint64		low = 0;
	uint64		high = list->count;

	SDC_BISECT(low, high, middle, list->code[middle] < code);
	return low;
}

/* turn_before turns the bits of all entries before one. */
static void
turn_before(const SdcCodeMap *list, uint64 end, uint64 *bits)
{
	uint64		nearest = (end + list->step / 2) / list->step;
	const uint64 *kept;

	if (nearest > list->count / list->step)
		nearest--;
	kept = list->kept + nearest * list->words;
	for (Size w = 0; w < list->words; w++)
		bits[w] ^= kept[w];
	if (nearest * list->step < end)
		turn_entries(list, nearest * list->step, end, bits);
	else
		turn_entries(list, end, nearest * list->step, bits);
}

/* sdc_codemap_take: see codemaps.h. */
const uint64 *
sdc_codemap_take(SdcCodeMap *list, SdcInterval interval)
{
	uint64		first;
	uint64		end;

	if (list->asked && list->interval.first == interval.first &&
		list->interval.last == interval.last)
		return list->answer;
	list->asked = true;
	list->interval = interval;
	memset(list->answer, 0, list->words * sizeof(uint64));
	if (interval.first > interval.last)
		return list->answer;
	first = entries_below(list, interval.first);
	end = interval.last == UINT32_MAX ? list->count : entries_below(list, interval.last + 1);
	if (end - first <= list->step)
		turn_entries(list, first, end, list->answer);
	else
	{
		turn_before(list, end, list->answer);
		turn_before(list, first, list->answer);
	}
	return list->answer;
}
