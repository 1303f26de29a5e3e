/*-------------------------------------------------------------------------
 *
 * externalshuffle.c
 *		Shuffling sets of records of any size.
 *
 * sdc_sample_shuffle goes from the last place down, and swaps what is there with what is at a place drawn from
 * those that are left.  So elements move to lower places only, and what comes to a place once it was passed stays.
 * A set that does not fit the memory is cut into ranges of places, and these are worked on from the last one down:
 * a swap with a place of a lower range is noted there, with the element that comes to it, and made when that range
 * is in memory. The swaps of a range are noted in the order in which the whole set would see them.
 *
 * Time O(n).  A set that does not fit takes 20 bytes an element in temporary files.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "kernel/base/sample.h"
#include "miscadmin.h"
#include "relation/externalshuffle.h"
#include "relation/gather.h"
#include "relation/memory.h"

/* Ranges that the blocks of a spool are for, and places of the smallest. */
#define RANGES_USUAL 128
#define PLACES_LEAST 1024

/* A range of places that is not in memory. */
typedef struct Range
{
	SdcColumn  *element;		/* int4 */
	SdcColumn  *swap;			/* int8: place in the range, and the element that comes to it */
	SdcColumn  *taker;			/* int8: place, and its element, that gets what was there */
} Range;

struct SdcExternalShuffle
{
	SdcShuffled shuffled;
	void	   *arg;
	uint64		memory;
	uint32		places;			/* of a range */
	uint32	   *element;		/* of the range at hand, as they were, */
	uint32	   *now;			/* and as they are */
	uint32		count;			/* elements of it */
	uint64		total;			/* of the set */
	SdcSpool   *spool;			/* NULL: the set is in memory */
	Range	   *ranges;			/* before the one at hand */
	uint32		range_count;
	uint32		range_space;
};

/* sdc_externalshuffle_create: see externalshuffle.h. */
SdcExternalShuffle *
sdc_externalshuffle_create(uint64 memory, SdcShuffled shuffled, void *arg)
{
	SdcExternalShuffle *shuffle = palloc0(sizeof(SdcExternalShuffle));

	shuffle->shuffled = shuffled;
	shuffle->arg = arg;
	shuffle->memory = memory;
	shuffle->places = (uint32) Max(PLACES_LEAST, Min(memory / 2 / (2 * sizeof(uint32)), PG_INT32_MAX));
	shuffle->element = sdc_memory_array(shuffle->places, sizeof(uint32));
	shuffle->now = sdc_memory_array(shuffle->places, sizeof(uint32));
	return shuffle;
}

/* sdc_externalshuffle_destroy frees everything. */
void
sdc_externalshuffle_destroy(SdcExternalShuffle *shuffle)
{
	pfree(shuffle->element);
	pfree(shuffle->now);
	if (shuffle->ranges != NULL)
		pfree(shuffle->ranges);
	pfree(shuffle);
}

/* put_away writes the elements of the range at hand to a file. */
static void
put_away(SdcExternalShuffle *shuffle)
{
	Range	   *range;

	if (shuffle->spool == NULL)
		shuffle->spool = sdc_spool_create(shuffle->memory / 4, 3 * RANGES_USUAL);
	if (shuffle->range_count == shuffle->range_space)
	{
		shuffle->range_space = Max(16, shuffle->range_space * 2);
		shuffle->ranges = shuffle->ranges == NULL ? palloc(sizeof(Range) * shuffle->range_space) :
			repalloc_huge(shuffle->ranges, sizeof(Range) * shuffle->range_space);
	}
	range = &shuffle->ranges[shuffle->range_count++];
	range->element = sdc_column_create(shuffle->spool, INT4OID);
	range->swap = sdc_column_create(shuffle->spool, INT8OID);
	range->taker = sdc_column_create(shuffle->spool, INT8OID);
	for (uint32 i = 0; i < shuffle->count; i++)
		sdc_column_append(range->element, Int32GetDatum((int32) shuffle->element[i]), false);
	sdc_column_finish(range->element);
	shuffle->count = 0;
}

/* sdc_externalshuffle_put: see externalshuffle.h. */
void
sdc_externalshuffle_put(SdcExternalShuffle *shuffle, uint32 element)
{
	if (shuffle->count == shuffle->places)
		put_away(shuffle);
	shuffle->element[shuffle->count++] = element;
	shuffle->total++;
}

/* shuffle_memory shuffles a set that is in memory. */
static void
shuffle_memory(SdcExternalShuffle *shuffle, SdcStream *stream)
{
	memcpy(shuffle->now, shuffle->element, shuffle->count * sizeof(uint32));
	sdc_sample_shuffle(stream, shuffle->now, shuffle->count);
	for (uint32 i = 0; i < shuffle->count; i++)
		shuffle->shuffled(shuffle->arg, i, shuffle->element[i], shuffle->now[i]);
}

/* take_back reads the elements of a range, and makes the swaps that are noted there. */
static void
take_back(SdcExternalShuffle *shuffle, Range *range)
{
	SdcColumnReader *reader = sdc_column_open(range->element);
	SdcColumnReader *takers;
	Datum		datum;

	shuffle->count = (uint32) sdc_column_count(range->element);
	for (uint32 i = 0; i < shuffle->count; i++)
	{
		(void) sdc_column_next(reader, &datum);
		shuffle->element[i] = shuffle->now[i] = (uint32) DatumGetInt32(datum);
	}
	sdc_column_close(reader);
	sdc_column_finish(range->swap);
	sdc_column_finish(range->taker);
	reader = sdc_column_open(range->swap);
	takers = sdc_column_open(range->taker);
	for (uint64 i = 0; i < sdc_column_count(range->swap); i++)
	{
		Datum		taker;
		uint32	   *here;

		(void) sdc_column_next(reader, &datum);
		(void) sdc_column_next(takers, &taker);
		here = &shuffle->now[sdc_pair_first(datum)];
		shuffle->shuffled(shuffle->arg, sdc_pair_first(taker), sdc_pair_second(taker), *here);
		*here = sdc_pair_second(datum);
	}
	sdc_column_close(reader);
	sdc_column_close(takers);
	sdc_column_destroy(range->element);
	sdc_column_destroy(range->swap);
	sdc_column_destroy(range->taker);
}

/* draw_range draws for the places of the range at hand, the first of which has this number, from the last one down. */
static void
draw_range(SdcExternalShuffle *shuffle, uint64 first, SdcStream *stream)
{
	for (uint32 i = shuffle->count; i > 0; i--)
	{
		uint32		place = (uint32) (first + i - 1);
		uint32		other = place > 0 ? sdc_stream_below(stream, place + 1) : 0;

		if (i % 4096 == 0)
			CHECK_FOR_INTERRUPTS();
		if (other >= first)
		{
			uint32		given = shuffle->now[other - first];

			shuffle->now[other - first] = shuffle->now[i - 1];
			shuffle->shuffled(shuffle->arg, place, shuffle->element[i - 1], given);
		}
		else
		{
			Range	   *range = &shuffle->ranges[other / shuffle->places];

			sdc_column_append(range->swap, sdc_pair_datum(other % shuffle->places, shuffle->now[i - 1]), false);
			sdc_column_append(range->taker, sdc_pair_datum(place, shuffle->element[i - 1]), false);
		}
	}
}

/* shuffle_files shuffles a set of several ranges. */
static void
shuffle_files(SdcExternalShuffle *shuffle, SdcStream *stream)
{
	memcpy(shuffle->now, shuffle->element, shuffle->count * sizeof(uint32));
	draw_range(shuffle, shuffle->total - shuffle->count, stream);
	while (shuffle->range_count > 0)
	{
		shuffle->range_count--;
		take_back(shuffle, &shuffle->ranges[shuffle->range_count]);
		draw_range(shuffle, (uint64) shuffle->range_count * shuffle->places, stream);
	}
	sdc_spool_destroy(shuffle->spool);
	shuffle->spool = NULL;
}

/* sdc_externalshuffle_end: see externalshuffle.h. */
void
sdc_externalshuffle_end(SdcExternalShuffle *shuffle, SdcStream *stream)
{
	if (shuffle->spool == NULL)
		shuffle_memory(shuffle, stream);
	else
		shuffle_files(shuffle, stream);
	shuffle->count = 0;
	shuffle->total = 0;
}
