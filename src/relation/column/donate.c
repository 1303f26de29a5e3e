/*-------------------------------------------------------------------------
 *
 * donate.c
 *		Giving every record of a column the value of another record.
 *
 * In memory a column is its values, eight bytes a record, where these are passed by value; otherwise, and where there
 * is no room for that, its dictionary and four bytes a record, whatever its type.  A column for which both is beyond
 * the budget goes through temporary files (gather.c).
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "kernel/base/bitset.h"
#include "miscadmin.h"
#include "relation/base/memory.h"
#include "relation/base/progress.h"
#include "relation/column/dictionary.h"
#include "relation/column/donate.h"
#include "relation/column/gather.h"
#include "relation/column/paircodes.h"

#define PREFETCH_RECORDS 24

/* look_around looks for a cancel, as a value can be large, and reports progress once in a while. */
static inline void
look_around(uint64 record)
{
	CHECK_FOR_INTERRUPTS();
	if (record % 4096 == 0)
		sdc_progress_records(record);
}

/*
 * number_values numbers the values of a column.  It returns NULL when the dictionary
 * outgrows a limit.
 */
static SdcCodeList *
number_values(SdcColumn *column, const SdcType *type, uint64 limit)
{
	SdcDictionary *dictionary = sdc_dictionary_create(type);
	SdcCodeList *list = sdc_codelist_create(dictionary);

	sdc_paircodes_append(column, list, limit);
	if (sdc_dictionary_memory(dictionary) <= limit)
		return list;
	sdc_dictionary_destroy(dictionary);
	sdc_free(list->code);
	sdc_free(list);
	return NULL;
}

/* donate_numbers writes the new column by the numbers of the values. */
static SdcColumn *
donate_numbers(const SdcCodeList *list, SdcColumn *column, SdcType *type, const uint32 *donor, SdcSpool *spool,
			   uint64 *changed)
{
	SdcColumn  *result = sdc_column_successor(column, spool, sdc_column_type(column));
	uint64		count = 0;

	for (uint64 r = 0; r < list->count; r++)
	{
		uint32		own = list->code[r];
		uint32		number = list->code[donor[r]];
		Datum		value = (Datum) 0;

		if (r + PREFETCH_RECORDS < list->count)
			__builtin_prefetch(&list->code[donor[r + PREFETCH_RECORDS]]);
		if (number != SDC_CODE_NULL)
			value = sdc_dictionary_value(list->dictionary, number);
		if (number != own &&
			(number == SDC_CODE_NULL || own == SDC_CODE_NULL ||
			 !sdc_type_equal(type, value, sdc_dictionary_value(list->dictionary, own))))
			count++;
		sdc_column_append(result, value, number == SDC_CODE_NULL);
		look_around(r);
	}
	sdc_column_finish(result);
	*changed = count;
	return result;
}

/* load_nulls finds which values of a column are missing; NULL: none is. */
static uint64 *
load_nulls(SdcColumn *column)
{
	uint64		records = sdc_column_count(column);
	SdcColumnReader *reader;
	uint64	   *missing;

	if (sdc_column_null_count(column) == 0)
		return NULL;
	missing = sdc_memory_zeros(sdc_bitset_words(records), sizeof(uint64));
	reader = sdc_column_open(column);
	for (uint64 r = 0; r < records; r++)
	{
		Datum		value;

		if (!sdc_column_next(reader, &value))
			sdc_bitset_add(missing, (uint32) r);
		if (r % 65536 == 0)
			CHECK_FOR_INTERRUPTS();
	}
	sdc_column_close(reader);
	return missing;
}

/* values_memory returns the bytes that donate_values takes. */
static uint64
values_memory(const SdcColumn *column)
{
	return sdc_column_loaded_size(column) +
		(sdc_column_null_count(column) > 0 ? sdc_bitset_bytes(sdc_column_count(column)) : 0);
}

/* donate_values does the work with all values in memory, for a type whose values are passed by value. */
static SdcColumn *
donate_values(SdcColumn *column, SdcType *type, const uint32 *donor, SdcSpool *spool, uint64 *changed)
{
	uint64		records = sdc_column_count(column);
	uint64	   *missing = load_nulls(column);
	Datum	   *values = sdc_column_load(column, sdc_memory_array(sdc_column_loaded_size(column), 1));
	SdcColumn  *result = sdc_column_successor(column, spool, sdc_column_type(column));
	uint64		count = 0;

	for (uint64 r = 0; r < records; r++)
	{
		Datum		value = values[donor[r]];
		bool		was_null = missing != NULL && sdc_bitset_contains(missing, (uint32) r);
		bool		is_null = missing != NULL && sdc_bitset_contains(missing, donor[r]);

		if (r + PREFETCH_RECORDS < records)
			__builtin_prefetch(&values[donor[r + PREFETCH_RECORDS]]);
		if (was_null || is_null)
			count += was_null != is_null;
		else if (donor[r] != r && !sdc_type_equal(type, values[r], value))
			count++;
		sdc_column_append(result, value, is_null);
		look_around(r);
	}
	sdc_column_finish(result);
	*changed = count;
	return result;
}

/* request_donors has every record request the value of its donor, through temporary files, in so much memory. */
static SdcGather *
request_donors(SdcColumn *column, const uint32 *donor, uint64 memory)
{
	SdcGather  *gather = sdc_gather_begin(column, memory);
	uint64		records = sdc_column_count(column);

	for (uint64 r = 0; r < records; r++)
	{
		if (donor[r] != r)
			sdc_gather_put(gather, donor[r], (uint32) r);
		if (r % 65536 == 0)
			CHECK_FOR_INTERRUPTS();
	}
	return gather;
}

/* sdc_donate_column gives every record the value of its donor. */
SdcColumn *
sdc_donate_column(SdcColumn *column, SdcType *type, const uint32 *donor, SdcSpool *spool,
				  uint64 used, uint64 *changed)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "sdc donate",
												  ALLOCSET_DEFAULT_SIZES);
	MemoryContext old = MemoryContextSwitchTo(context);
	uint64		left = sdc_memory_left(used);
	uint64		rest = sdc_memory_left(used + sdc_column_count(column) * sizeof(uint32));
	bool		load = type->typbyval && values_memory(column) <= left - left / 3;
	SdcCodeList *list = NULL;
	SdcColumn  *result;

	/* of what is left, the columns keep a third in memory */
	sdc_spool_set_limit(spool, load ? left / 3 : rest / 3);
	if (!load && rest > 0)
		list = number_values(column, type, rest - rest / 3);
	if (load)
		result = donate_values(column, type, donor, spool, changed);
	else if (list != NULL)
		result = donate_numbers(list, column, type, donor, spool, changed);
	else
		result = sdc_gather_end(request_donors(column, donor, rest - rest / 3), column, type, spool, changed);
	MemoryContextSwitchTo(old);
	MemoryContextDelete(context);
	return result;
}

/* load_numbers reads a column of numbers. */
static uint32 *
load_numbers(SdcColumn *column)
{
	uint64		records = sdc_column_count(column);
	uint32	   *number = sdc_memory_array(records, sizeof(uint32));
	SdcColumnReader *reader = sdc_column_open(column);

	for (uint64 r = 0; r < records; r++)
	{
		Datum		value;

		number[r] = sdc_column_next(reader, &value) ? (uint32) DatumGetInt32(value) : SDC_CODE_NULL;
		if (r % 65536 == 0)
			CHECK_FOR_INTERRUPTS();
	}
	sdc_column_close(reader);
	return number;
}

/* is_change tells whether two numbers of a dictionary stand for different values. */
static bool
is_change(const SdcDictionary *dictionary, SdcType *type, uint32 own, uint32 received)
{
	if (received == own)
		return false;
	return received == SDC_CODE_NULL || own == SDC_CODE_NULL ||
		!sdc_type_equal(type, sdc_dictionary_value(dictionary, received),
						sdc_dictionary_value(dictionary, own));
}

/* donate_loaded does the work with the numbers in memory. */
static SdcColumn *
donate_loaded(SdcColumn *column, SdcDictionary *dictionary, SdcType *type, const uint32 *donor,
			  SdcSpool *spool, uint64 *changed)
{
	uint64		records = sdc_column_count(column);
	uint32	   *number = load_numbers(column);
	SdcColumn  *result = sdc_column_create(spool, INT4OID);

	*changed = 0;
	for (uint64 r = 0; r < records; r++)
	{
		uint32		received = number[donor[r]];

		if (r + PREFETCH_RECORDS < records)
			__builtin_prefetch(&number[donor[r + PREFETCH_RECORDS]]);
		*changed += is_change(dictionary, type, number[r], received);
		sdc_column_append(result, Int32GetDatum((int32) received), received == SDC_CODE_NULL);
		look_around(r);
	}
	sdc_column_finish(result);
	sdc_free(number);
	return result;
}

/* next_number reads the next of a column of numbers. */
static uint32
next_number(SdcColumnReader *reader)
{
	Datum		number;

	return sdc_column_next(reader, &number) ? (uint32) DatumGetInt32(number) : SDC_CODE_NULL;
}

/* count_changes counts the records whose numbers in two columns stand for different values. */
static uint64
count_changes(SdcColumn *before, SdcColumn *after, SdcDictionary *dictionary, SdcType *type)
{
	SdcColumnReader *own = sdc_column_open(before);
	SdcColumnReader *received = sdc_column_open(after);
	uint64		count = 0;

	for (uint64 r = 0; r < sdc_column_count(before); r++)
	{
		uint32		number = next_number(own);

		count += is_change(dictionary, type, number, next_number(received));
		if (r % 65536 == 0)
			CHECK_FOR_INTERRUPTS();
	}
	sdc_column_close(own);
	sdc_column_close(received);
	return count;
}

/* sdc_donate_gathered: see donate.h. */
SdcColumn *
sdc_donate_gathered(SdcGather *gather, SdcColumn *column, SdcDictionary *dictionary, SdcType *type, SdcSpool *spool,
					uint64 *changed)
{
	SdcColumn  *result;
	SdcType		numbers;

	if (dictionary == NULL)
		return sdc_gather_end(gather, column, type, spool, changed);
	sdc_type_lookup(&numbers, INT4OID, InvalidOid);
	result = sdc_gather_end(gather, column, &numbers, spool, changed);
	*changed = count_changes(column, result, dictionary, type);
	return result;
}

/* sdc_donate_numbers gives every record the number of its donor. */
SdcColumn *
sdc_donate_numbers(SdcColumn *column, SdcDictionary *dictionary, SdcType *type,
				   const uint32 *donor, SdcSpool *spool, uint64 used, uint64 *changed)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "sdc donate",
												  ALLOCSET_DEFAULT_SIZES);
	MemoryContext old = MemoryContextSwitchTo(context);
	uint64		needed = used + sdc_column_count(column) * sizeof(uint32);
	SdcColumn  *result;

	sdc_spool_set_limit(spool, sdc_memory_left(needed) / 2);
	if (needed <= sdc_memory_budget())
		result = donate_loaded(column, dictionary, type, donor, spool, changed);
	else
		result = sdc_donate_gathered(request_donors(column, donor, sdc_memory_left(used) / 2), column, dictionary, type,
									 spool, changed);
	MemoryContextSwitchTo(old);
	MemoryContextDelete(context);
	return result;
}
