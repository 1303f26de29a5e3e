/*-------------------------------------------------------------------------
 *
 * nightmarks.c
 *		What cells of a swapped column have besides their mates, in the private state.
 *
 * Few cells have any, so the state lists these: the number of the record, and a word of its flags and of the lots of
 * widows that it has been through.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "method/continued/nightmarks.h"
#include "method/continued/nightoriginals.h"
#include "method/continued/nightread.h"
#include "port/pg_bitutils.h"

/* A mark is two words. */
#define MARK_WORDS 2
#define MARK_FLAGS_SHIFT 8
#define MARK_MOST 0x3FF			/* flags and a byte */

/* sdc_nightmarks_words: see nightmarks.h. */
uint64
sdc_nightmarks_words(const SdcNightColumn *column)
{
	return (uint64) column->marks * MARK_WORDS;
}

/* sdc_nightmarks_read: see nightmarks.h. */
void
sdc_nightmarks_read(const SdcNight *night, const SdcNightColumn *column, uint32 *words)
{
	sdc_nightread_words(night, column->stream + SDC_NIGHTSWAP_MARKS, words, sdc_nightmarks_words(column));
}

/* sdc_nightmarks_take: see nightmarks.h. */
void
sdc_nightmarks_take(const SdcNight *night, const uint32 *words, uint32 count, SdcContinued *cells)
{
	for (uint64 i = 0; i < (uint64) count * MARK_WORDS; i += MARK_WORDS)
	{
		uint32		mark = words[i + 1];
		uint32		record;

		if (words[i] >= night->members)
			sdc_night_refuse(night, "The state marks records that there are not.");
		record = night->plan.number[words[i]];
		if (record != SDC_CONTINUED_NOBODY &&
			!sdc_continued_mark(cells, record, (uint8) (mark >> MARK_FLAGS_SHIFT), (uint8) mark))
			sdc_night_refuse(night, "The state marks records that cannot be marked.");
	}
}

/* marks_of_eight returns what eight records from one on have, a byte for each that is 0 if it is nothing. */
static inline uint64
marks_of_eight(const SdcContinued *cells, uint32 record)
{
	uint64		flags;
	uint64		redrawn;

	memcpy(&flags, &cells->flags[record], sizeof(uint64));
	memcpy(&redrawn, &cells->redrawn[record], sizeof(uint64));
	return flags | redrawn;
}

/* next_mark returns the first record from one on that has marks; the number of records: there is none. */
static inline uint32
next_mark(const SdcContinued *cells, uint32 record)
{
	while (record < cells->records)
	{
		/* most have none: eight at a time */
		if (cells->records - record >= sizeof(uint64) && marks_of_eight(cells, record) == 0)
			record += sizeof(uint64);
		else if (cells->flags[record] == 0 && cells->redrawn[record] == 0)
			record++;
		else
			break;
	}
	return record;
}

/* sdc_nightmarks_count: see nightmarks.h. */
uint32
sdc_nightmarks_count(const SdcContinued *cells)
{
	const uint64 low = UINT64_C(0x7F7F7F7F7F7F7F7F);
	uint32		count = 0;
	uint32		r = 0;

	/* of each of eight the highest bit: it is set, or a sum has set it */
	for (; cells->records - r >= sizeof(uint64); r += sizeof(uint64))
	{
		uint64		marks = marks_of_eight(cells, r);

		count += (uint32) pg_popcount64((((marks & low) + low) | marks) & ~low);
	}
	for (; r < cells->records; r++)
		count += (cells->flags[r] | cells->redrawn[r]) != 0;
	return count;
}

/* sdc_nightmarks_keep: see nightmarks.h. */
void
sdc_nightmarks_keep(SdcNight *night, const SdcNightColumn *column, const SdcContinued *cells, uint32 *words)
{
	uint64		count = 0;

	for (uint32 r = next_mark(cells, 0); r < cells->records; r = next_mark(cells, r + 1))
	{
		words[count++] = r;
		words[count++] = (uint32) cells->flags[r] << MARK_FLAGS_SHIFT | cells->redrawn[r];
	}
	Assert(count == sdc_nightmarks_words(column));
	sdc_privatestate_put_words(night->next, column->stream + SDC_NIGHTSWAP_MARKS, words, count,
							   Max(cells->records, MARK_MOST));
}
