/*-------------------------------------------------------------------------
 *
 * gather.c
 *		Giving every record the value of a position, through temporary files.
 *
 *	1. sdc_gather_put: (position, record) to the range of the position
 *	2. range by range: the values are loaded, and (record, value) goes to the range of the record
 *	3. range by range: the values are put to their records, and written in their order
 *
 * Ranges are equal in their number of elements.  Where the values of one take more memory than there is, they are
 * loaded part by part.
 *
 * Time O(n), three times through memory and files; 12 bytes a record and its value in temporary files.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "relation/base/memory.h"
#include "relation/base/progress.h"
#include "relation/column/gather.h"
#include "utils/datum.h"

/* More ranges have blocks that are too small, and larger ones do not fit the processor's caches. */
#define RANGES_MOST 1024
#define RANGES_ENOUGH 96
#define RANGE_BYTES (1024 * 1024)

/* It takes at least this part of the budget: with next to nothing all requests of a range are read for each value. */
#define LEAST_PART 8

/* Elements that are read before the first of them is used, so that what they need can be fetched from memory. */
#define AHEAD 32

/* What the records of a range get. */
typedef struct Gifts
{
	SdcColumn  *record;			/* int4 */
	SdcColumn  *value;
} Gifts;

/* The records, in ranges. */
typedef struct Receivers
{
	int			shift;
	uint32		ranges;
	Gifts	   *gifts;			/* of every range */
} Receivers;

/* What a record has got, a byte each. */
enum
{
	GOT_NOTHING,				/* it keeps what it has */
	GOT_VALUE,
	GOT_NULL
};

/* The result, as it is written. */
typedef struct Result
{
	SdcType    *type;
	SdcColumn  *column;
	SdcColumnReader *own;
	uint64		changed;
	uint64		memory;			/* of the values of a part */
} Result;

/* sdc_gather_shift: see gather.h. */
int
sdc_gather_shift(uint64 count, uint64 size, uint64 memory)
{
	int			shift = 10;

	for (; shift < 32; shift++)
	{
		uint64		next = (UINT64CONST(2) << shift) * size;

		if ((next > memory || (next > RANGE_BYTES && (count >> shift) < RANGES_ENOUGH)) &&
			(count >> shift) < RANGES_MOST)
			break;
	}
	return shift;
}

/* count_ranges returns how many ranges there are. */
static uint32
count_ranges(uint64 count, int shift)
{
	return (uint32) (count >> shift) + 1;
}

/* mean_size returns the bytes that a value of a column takes in memory, with the state of its record. */
static uint64
mean_size(const SdcColumn *column)
{
	return sdc_column_loaded_size(column) / Max(sdc_column_count(column), 1) + 1 + sizeof(uint8);
}

/* sdc_gather_begin: see gather.h. */
SdcGather *
sdc_gather_begin(SdcColumn *values, uint64 memory)
{
	SdcGather  *gather = palloc0(sizeof(SdcGather));
	uint64		count = sdc_column_count(values);

	gather->values = values;
	gather->memory = Max(memory, sdc_memory_budget() / LEAST_PART);
	gather->shift = sdc_gather_shift(count, mean_size(values), gather->memory / 2);
	gather->ranges = count_ranges(count, gather->shift);
	/* requests of one range, and gifts of others */
	gather->spool = sdc_spool_create(gather->memory / 4, 3 * (int) gather->ranges);
	gather->requests = palloc(sizeof(SdcColumn *) * gather->ranges);
	for (uint32 i = 0; i < gather->ranges; i++)
		gather->requests[i] = sdc_column_create(gather->spool, INT8OID);
	return gather;
}

/*
 * load_part reads values until there are as many as asked for, or until the memory is taken, and returns how many there
 * are, at least one.  What varying values take is in context.
 */
static uint32
load_part(SdcColumnReader *reader, uint32 count, uint64 memory, MemoryContext context, Datum *value, bool *missing)
{
	SdcColumn  *column = reader->column;
	MemoryContext before = MemoryContextSwitchTo(context);
	uint64		taken = 0;
	uint32		i;

	for (i = 0; i < count && (taken < memory || i == 0); i++)
	{
		missing[i] = !sdc_column_next(reader, &value[i]);
		if (column->typbyval || missing[i])
			continue;
		value[i] = datumCopy(value[i], false, column->typlen);
		taken += GetMemoryChunkSpace(DatumGetPointer(value[i]));
	}
	MemoryContextSwitchTo(before);
	return i;
}

/* give_part gives the values of some positions to those of a range that request them. */
static void
give_part(SdcColumn *requests, const Receivers *receivers, uint32 first, uint32 count, const Datum *value,
		  const bool *missing)
{
	SdcColumnReader *reader = sdc_column_open(requests);
	uint64		left = sdc_column_count(requests);

	while (left > 0)
	{
		Datum		request[AHEAD];
		int			ahead = (int) Min(left, AHEAD);

		for (int i = 0; i < ahead; i++)
		{
			(void) sdc_column_next(reader, &request[i]);
			if (sdc_pair_first(request[i]) - first < count)
				__builtin_prefetch(&value[sdc_pair_first(request[i]) - first]);
		}
		for (int i = 0; i < ahead; i++)
		{
			/* of another part are those from count on; one before this one is a large number */
			uint32		place = sdc_pair_first(request[i]) - first;
			Gifts	   *gifts = &receivers->gifts[sdc_pair_second(request[i]) >> receivers->shift];

			if (place >= count)
				continue;
			sdc_column_append(gifts->record, Int32GetDatum((int32) sdc_pair_second(request[i])), false);
			sdc_column_append(gifts->value, value[place], missing[place]);
		}
		left -= (uint64) ahead;
	}
	sdc_column_close(reader);
}

/* give_range gives the values of a range of positions. */
static void
give_range(const SdcGather *gather, const Receivers *receivers, uint32 range, SdcColumnReader *reader,
		   Datum *value, bool *missing)
{
	uint64		first = (uint64) range << gather->shift;
	uint64		end = Min(first + (UINT64CONST(1) << gather->shift), sdc_column_count(gather->values));
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "sdc gather", ALLOCSET_DEFAULT_SIZES);

	while (first < end)
	{
		uint32		count = load_part(reader, (uint32) (end - first), gather->memory / 2, context, value, missing);

		give_part(gather->requests[range], receivers, (uint32) first, count, value, missing);
		MemoryContextReset(context);
		first += count;
	}
	MemoryContextDelete(context);
	sdc_column_finish(gather->requests[range]);
	sdc_column_destroy(gather->requests[range]);
}

/* give_all gives the values of all positions. */
static void
give_all(const SdcGather *gather, const Receivers *receivers)
{
	uint64		length = Min(UINT64CONST(1) << gather->shift, sdc_column_count(gather->values));
	Datum	   *value = sdc_memory_array(length, sizeof(Datum));
	bool	   *missing = sdc_memory_array(length, sizeof(bool));
	SdcColumnReader *reader = sdc_column_open(gather->values);

	for (uint32 range = 0; range < gather->ranges; range++)
	{
		sdc_column_finish(gather->requests[range]);
		give_range(gather, receivers, range, reader, value, missing);
	}
	sdc_column_close(reader);
	sdc_free(value);
	sdc_free(missing);
}

/* make_receivers makes the ranges of the records. */
static Receivers
make_receivers(const SdcGather *gather, uint64 records)
{
	Receivers	receivers;

	receivers.shift = sdc_gather_shift(records, mean_size(gather->values), gather->memory / 2);
	receivers.ranges = count_ranges(records, receivers.shift);
	receivers.gifts = palloc(sizeof(Gifts) * receivers.ranges);
	for (uint32 i = 0; i < receivers.ranges; i++)
	{
		receivers.gifts[i].record = sdc_column_create(gather->spool, INT4OID);
		receivers.gifts[i].value = sdc_column_create(gather->spool, sdc_column_type(gather->values));
	}
	return receivers;
}

/* write_records writes the values of some records, in their order. */
static void
write_records(Result *result, uint32 count, const uint8 *got, const Datum *value)
{
	for (uint32 i = 0; i < count; i++)
	{
		Datum		own;
		bool		own_valid = sdc_column_next(result->own, &own);
		bool		valid = got[i] == GOT_NOTHING ? own_valid : got[i] == GOT_VALUE;

		if (got[i] != GOT_NOTHING)
			result->changed += valid != own_valid || (valid && !sdc_type_equal(result->type, own, value[i]));
		sdc_column_append(result->column, got[i] == GOT_NOTHING ? own : value[i], !valid);
	}
}

/*
 * receive puts to their records those gifts of a range that are for count of them from first on.  It gives up, and
 * returns false, when they take more than the memory and can be received part by part.
 */
static bool
receive(const Result *result, const Gifts *gifts, uint64 first, uint64 count, uint8 *got, Datum *value)
{
	SdcColumnReader *records = sdc_column_open(gifts->record);
	SdcColumnReader *values = sdc_column_open(gifts->value);
	uint64		number = sdc_column_count(gifts->record);
	uint64		taken = 0;
	bool		fits = true;

	memset(got, GOT_NOTHING, sizeof(uint8) * count);
	for (uint64 i = 0; i < number && fits; i++)
	{
		Datum		record;
		Datum		given;
		bool		valid = sdc_column_next(values, &given);
		uint64		place;

		(void) sdc_column_next(records, &record);
		place = (uint64) (uint32) DatumGetInt32(record) - first;
		if (place >= count)
			continue;
		got[place] = valid ? GOT_VALUE : GOT_NULL;
		value[place] = given;
		if (!valid || result->type->typbyval)
			continue;
		value[place] = datumCopy(given, false, result->type->typlen);
		taken += GetMemoryChunkSpace(DatumGetPointer(value[place]));
		fits = count == 1 || taken <= result->memory;
	}
	sdc_column_close(records);
	sdc_column_close(values);
	return fits;
}

/* receive_range writes the values of some records of a range: at once, or in two parts. */
static void
receive_range(Result *result, const Gifts *gifts, uint64 first, uint64 count, uint8 *got, Datum *value)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "sdc receive", ALLOCSET_DEFAULT_SIZES);
	MemoryContext before = MemoryContextSwitchTo(context);
	bool		fits = receive(result, gifts, first, count, got, value);

	MemoryContextSwitchTo(before);
	if (fits)
		write_records(result, (uint32) count, got, value);
	MemoryContextDelete(context);
	if (fits)
		return;
	receive_range(result, gifts, first, count / 2, got, value);
	receive_range(result, gifts, first + count / 2, count - count / 2, got, value);
}

/* receive_all writes the values of all records. */
static void
receive_all(Result *result, const Receivers *receivers, uint64 records)
{
	uint64		length = Min(UINT64CONST(1) << receivers->shift, records);
	uint8	   *got = sdc_memory_array(length, sizeof(uint8));
	Datum	   *value = sdc_memory_array(length, sizeof(Datum));

	for (uint32 range = 0; range < receivers->ranges; range++)
	{
		Gifts	   *gifts = &receivers->gifts[range];
		uint64		first = (uint64) range << receivers->shift;

		sdc_column_finish(gifts->record);
		sdc_column_finish(gifts->value);
		if (first < records)
			receive_range(result, gifts, first, Min(length, records - first), got, value);
		sdc_column_destroy(gifts->record);
		sdc_column_destroy(gifts->value);
		sdc_progress_records(Min(first + length, records));
	}
	sdc_free(got);
	sdc_free(value);
}

/* sdc_gather_end: see gather.h. */
SdcColumn *
sdc_gather_end(SdcGather *gather, SdcColumn *own, SdcType *type, SdcSpool *spool, uint64 *changed)
{
	uint64		records = sdc_column_count(own);
	Receivers	receivers = make_receivers(gather, records);
	Result		result = {.type = type, .memory = gather->memory / 2};

	give_all(gather, &receivers);
	result.column = sdc_column_successor(own, spool, sdc_column_type(gather->values));
	result.own = sdc_column_open(own);
	receive_all(&result, &receivers, records);
	sdc_column_finish(result.column);
	sdc_column_close(result.own);
	sdc_spool_destroy(gather->spool);
	pfree(receivers.gifts);
	sdc_free(gather->requests);
	pfree(gather);
	*changed = result.changed;
	return result.column;
}
