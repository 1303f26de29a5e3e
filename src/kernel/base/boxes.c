/*-------------------------------------------------------------------------
 *
 * boxes.c
 *		Number the distinct vectors of whole numbers that records have.
 *
 * A vector is kept as one word, its components being the digits of a number: the order of the
 * words is the lexicographic order of the vectors.  When the next digit would not fit, the words
 * are replaced by their ranks, of which there are not more than records; if it still does not,
 * the new component is too. The product of two ranks always fits.
 *
 * Ranks come from a table with a place for every possible word, where that takes about the room
 * of the records, and from sorting by radix elsewhere.  Nothing is hashed: there are no
 * collisions, and the time does not depend on the values.
 *
 * Time: linear in records times components; in the table two look-ups, in sorting a pass for every 11
 * bits of the words.  Memory: 32 bytes a record.  Determined by the vectors alone.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/base/boxes.h"
#include "kernel/base/wordsort.h"

/* Words of work space beyond two a record, so that few records have a table too. */
#define WORK_LEAST 512

struct SdcBoxes
{
	uint32		records;
	uint64		span;			/* words are below this */
	uint64	   *word;			/* the vector of each record */
	uint64	   *column;			/* the component that is being added */
	uint64	   *work;			/* 2 records + WORK_LEAST words */
};

/* work_words is the size of the work space. */
static inline uint64
work_words(uint32 records)
{
	return 2 * (uint64) records + WORK_LEAST;
}

/* sdc_boxes_memory: see SdcBoxes. */
uint64
sdc_boxes_memory(uint32 records)
{
	return sizeof(SdcBoxes) + (2 * (uint64) records + work_words(records)) * sizeof(uint64);
}

/* sdc_boxes_create: the empty vector is the word 0. */
SdcBoxes *
sdc_boxes_create(uint32 records)
{
	SdcBoxes   *boxes = sdc_alloc(sizeof(SdcBoxes));

	boxes->records = records;
	boxes->span = 1;
	boxes->word = sdc_alloc_zeros(uint64, records);
	boxes->column = sdc_alloc_array(uint64, records);
	boxes->work = sdc_alloc_array(uint64, work_words(records));
	return boxes;
}

/* sdc_boxes_destroy: see boxes.h. */
void
sdc_boxes_destroy(SdcBoxes *boxes)
{
	sdc_free(boxes->word);
	sdc_free(boxes->column);
	sdc_free(boxes->work);
	sdc_free(boxes);
}

/* sdc_boxes_column: see boxes.h. */
uint64 *
sdc_boxes_column(SdcBoxes *boxes)
{
	return boxes->column;
}

/* rank_by_table replaces words by their ranks, with a table of all words below span. */
static uint32
rank_by_table(uint64 *word, uint32 records, uint64 span, uint32 *table)
{
	uint32		ranks = 0;

	memset(table, 0, span * sizeof(uint32));
	for (uint32 start = 0, end; start < records; start = end)
	{
		end = sdc_interrupts_block(start, records);
		for (uint32 i = start; i < end; i++)
			table[word[i]] = 1;
	}
	for (uint64 w = 0; w < span; w++)
	{
		uint32		present = table[w];

		sdc_interrupts_step(w);
		table[w] = ranks;
		ranks += present;
	}
	for (uint32 start = 0, end; start < records; start = end)
	{
		end = sdc_interrupts_block(start, records);
		for (uint32 i = start; i < end; i++)
			word[i] = table[word[i]];
	}
	return ranks;
}

/*
 * fill_sorting writes the records, in the order of their numbers or of from (which may not be to),
 * with bits of their words above them: those from shift on that are in the mask.
 */
static void
fill_sorting(const uint64 *word, uint32 records, int shift, uint64 mask, int record_bits,
			 const uint64 *from, uint64 *to)
{
	for (uint32 start = 0, end; start < records; start = end)
	{
		end = sdc_interrupts_block(start, records);
		for (uint32 i = start; i < end; i++)
		{
			uint64		record = from == NULL ? i : from[i] & UINT32_MAX;

			to[i] = ((word[record] >> shift) & mask) << record_bits | record;
		}
	}
}

/*
 * sort_records returns the records in the order of their words, in the lowest record_bits of each
 * element.  Where word and record do not fit together, the lower halves of the words are sorted
 * first and then, stably, the upper ones.
 */
static uint64 *
sort_records(const uint64 *word, uint32 records, int word_bits, uint64 *work, int *record_bits)
{
	uint64	   *spare = work + records;
	uint64	   *sorted;

	*record_bits = sdc_wordsort_width(records - 1);
	if (word_bits + *record_bits <= 64)
	{
		fill_sorting(word, records, 0, ~UINT64_C(0), *record_bits, NULL, work);
		return sdc_wordsort(work, spare, records, *record_bits, word_bits);
	}
	*record_bits = 32;
	fill_sorting(word, records, 0, UINT32_MAX, 32, NULL, work);
	sorted = sdc_wordsort(work, spare, records, 32, 32);
	spare = sorted == work ? spare : work;
	fill_sorting(word, records, 32, UINT32_MAX, 32, sorted, spare);
	return sdc_wordsort(spare, sorted, records, 32, 32);
}

/* rank_by_sorting replaces words below span by their ranks. */
static uint32
rank_by_sorting(uint64 *word, uint32 records, uint64 span, uint64 *work)
{
	int			record_bits;
	const uint64 *sorted = sort_records(word, records, sdc_wordsort_width(span - 1), work,
										&record_bits);
	uint64		mask = (UINT64_C(1) << record_bits) - 1;
	uint64		before = 0;
	uint32		ranks = 0;

	for (uint32 start = 0, end; start < records; start = end)
	{
		end = sdc_interrupts_block(start, records);
		for (uint32 i = start; i < end; i++)
		{
			uint64	   *here = &word[sorted[i] & mask];

			if (i == 0 || *here != before)
				ranks++;
			before = *here;
			*here = ranks - 1;
		}
	}
	return ranks;
}

/* rank_words replaces words below span by their ranks from 0, and returns how many differ. */
static uint32
rank_words(const SdcBoxes *boxes, uint64 *word, uint64 span)
{
	if (boxes->records == 0)
		return 0;
	if (span <= 2 * work_words(boxes->records))
		return rank_by_table(word, boxes->records, span, (uint32 *) boxes->work);
	return rank_by_sorting(word, boxes->records, span, boxes->work);
}

/* sdc_boxes_add: see boxes.h. */
void
sdc_boxes_add(SdcBoxes *boxes, uint64 most)
{
	uint64	   *word = boxes->word;
	uint64	   *column = boxes->column;
	uint64		digits = most + 1;

	SDC_ASSERT(most < UINT64_MAX);
	if (boxes->records == 0)
		return;
	if (boxes->span > UINT64_MAX / digits)
		boxes->span = rank_words(boxes, word, boxes->span);
	if (boxes->span > UINT64_MAX / digits)
		digits = rank_words(boxes, column, digits);
	for (uint32 start = 0, end; start < boxes->records; start = end)
	{
		end = sdc_interrupts_block(start, boxes->records);
		for (uint32 i = start; i < end; i++)
			word[i] = word[i] * digits + column[i];
	}
	boxes->span *= digits;
}

/* sdc_boxes_number: see boxes.h. */
uint32
sdc_boxes_number(SdcBoxes *boxes, const uint32 *record, uint32 first, uint32 *number)
{
	uint32		ranks = rank_words(boxes, boxes->word, boxes->span);

	SDC_ASSERT(ranks <= UINT32_MAX - first);
	boxes->span = ranks > 0 ? ranks : 1;
	for (uint32 start = 0, end; start < boxes->records; start = end)
	{
		end = sdc_interrupts_block(start, boxes->records);
		for (uint32 i = start; i < end; i++)
			number[record == NULL ? i : record[i]] = first + (uint32) boxes->word[i];
	}
	return ranks;
}
