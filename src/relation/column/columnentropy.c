/*-------------------------------------------------------------------------
 *
 * columnentropy.c
 *		The entropy of the values of a column.
 *
 * They are counted by a dictionary, by keys or by a sort, whichever fits the memory.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "executor/tuptable.h"
#include "kernel/base/ordered.h"
#include "kernel/base/wordsort.h"
#include "kernel/groups/entropy.h"
#include "miscadmin.h"
#include "relation/base/compat.h"
#include "relation/base/memory.h"
#include "relation/column/columnentropy.h"
#include "utils/datum.h"
#include "utils/tuplesort.h"

/*
 * count_dictionary counts the distinct values of a column.  It returns NULL when there are too many
 * for the budget, else counts by code.
 */
static uint64 *
count_dictionary(SdcColumn *column, const SdcType *type, uint32 *codes)
{
	SdcDictionary *dictionary = sdc_dictionary_create(type);
	SdcColumnReader *reader = sdc_column_open(column);
	uint64		records = sdc_column_count(column);
	uint64		space = 1024;
	uint64	   *count = sdc_memory_zeros(space, sizeof(uint64));
	uint64	   *result;
	SdcDictionaryCodes coding;

	for (uint64 r = 0; r < records; r++)
	{
		Datum		value;
		uint32		number;

		CHECK_FOR_INTERRUPTS();
		if (sdc_dictionary_memory(dictionary) + 2 * space * sizeof(uint64) >
			sdc_memory_budget() / 2)
		{
			sdc_column_close(reader);
			return NULL;
		}
		if (!sdc_column_next(reader, &value))
			continue;
		number = sdc_dictionary_number(dictionary, value);
		if (number >= space)
		{
			count = sdc_memory_grow(CurrentMemoryContext, count, space, 2 * space, sizeof(uint64));
			memset(count + space, 0, space * sizeof(uint64));
			space *= 2;
		}
		count[number]++;
	}
	sdc_column_close(reader);
	sdc_dictionary_codes(dictionary, &coding);
	result = sdc_memory_zeros(coding.codes, sizeof(uint64));
	for (uint32 i = 0; i < sdc_dictionary_count(dictionary); i++)
		result[coding.code[i]] += count[i];
	*codes = coding.codes;
	return result;
}

/* How many values occur how often, for values that are counted one by one. */
typedef struct Tally
{
	uint64	   *count;			/* ascending as far as they are merged */
	uint64	   *values;			/* that occur so often */
	uint64		kept;
	uint64		space;
} Tally;

/* tally_add counts a value that occurs so often. */
static void
tally_add(Tally *tally, uint64 count)
{
	uint64		low = 0;
	uint64		high = tally->kept;

	SDC_BISECT(low, high, middle, tally->count[middle] < count);
	if (low < tally->kept && tally->count[low] == count)
	{
		tally->values[low]++;
		return;
	}
	if (tally->kept == tally->space)
	{
		tally->space *= 2;
		tally->count = repalloc_huge(tally->count, tally->space * sizeof(uint64));
		tally->values = repalloc_huge(tally->values, tally->space * sizeof(uint64));
	}
	memmove(&tally->count[low + 1], &tally->count[low], (tally->kept - low) * sizeof(uint64));
	memmove(&tally->values[low + 1], &tally->values[low], (tally->kept - low) * sizeof(uint64));
	tally->count[low] = count;
	tally->values[low] = 1;
	tally->kept++;
}

/* tally_sorted counts the values that come out of a sort, each as often as there are equal ones. */
static void
tally_sorted(Tuplesortstate *sort, SdcType *type, Tally *tally)
{
	MemoryContext scratch = AllocSetContextCreate(CurrentMemoryContext, "sdc counting", ALLOCSET_DEFAULT_SIZES);
	Datum		last = (Datum) 0;
	uint64		count = 0;
	Datum		value;
	bool		isnull;

	for (uint64 i = 0; sdc_tuplesort_getdatum(sort, &value, &isnull); i++)
	{
		if (count > 0 && sdc_type_equal(type, last, value))
			count++;
		else
		{
			MemoryContext old = MemoryContextSwitchTo(scratch);

			if (count > 0)
				tally_add(tally, count);
			count = 1;
			/* the sort frees what it handed out before */
			MemoryContextReset(scratch);
			last = datumCopy(value, type->typbyval, type->typlen);
			MemoryContextSwitchTo(old);
		}
		if (!type->typbyval)
			pfree(DatumGetPointer(value));
		if (i % 4096 == 0)
			CHECK_FOR_INTERRUPTS();
	}
	if (count > 0)
		tally_add(tally, count);
}

/*
 * sorted_entropy finds the entropy of a column by a sort, through temporary files.  Kept is how many values occur how
 * often: of these numbers there are at most as many as the square root of twice the records.
 */
static double
sorted_entropy(SdcColumn *column, SdcType *type)
{
	Tuplesortstate *sort = tuplesort_begin_datum(type->typid, type->less, type->collation, false,
												 sdc_memory_sort_share(4), NULL, TUPLESORT_NONE);
	SdcColumnReader *reader = sdc_column_open(column);
	Tally		tally = {.space = 64};

	tally.count = palloc(tally.space * sizeof(uint64));
	tally.values = palloc(tally.space * sizeof(uint64));
	for (uint64 r = 0; r < sdc_column_count(column); r++)
	{
		Datum		value;

		if (sdc_column_next(reader, &value))
			tuplesort_putdatum(sort, value, false);
		if (r % 4096 == 0)
			CHECK_FOR_INTERRUPTS();
	}
	sdc_column_close(reader);
	tuplesort_performsort(sort);
	tally_sorted(sort, type, &tally);
	tuplesort_end(sort);
	return sdc_entropy_of_tally(tally.count, tally.values, tally.kept);
}

/* tally_keys counts the values of a column whose order is that of keys; keys has room for twice the records. */
static void
tally_keys(SdcColumn *column, const SdcType *type, uint64 *keys, Tally *tally)
{
	SdcColumnReader *reader = sdc_column_open(column);
	uint64		records = sdc_column_count(column);
	uint64		count = 0;
	uint64		first = 0;
	const uint64 *sorted;

	for (uint64 r = 0; r < records; r++)
	{
		Datum		value;

		if (sdc_column_next(reader, &value))
			keys[count++] = sdc_type_key(type, value);
		if (r % 65536 == 0)
			CHECK_FOR_INTERRUPTS();
	}
	sdc_column_close(reader);
	sorted = sdc_wordsort(keys, keys + records, count, 0, 64);
	for (uint64 i = 1; i <= count; i++)
	{
		if (i % 65536 == 0)
			CHECK_FOR_INTERRUPTS();
		if (i < count && sorted[i] == sorted[first])
			continue;
		tally_add(tally, i - first);
		first = i;
	}
}

/* keys_memory returns the bytes that keys_entropy takes. */
static uint64
keys_memory(const SdcColumn *column)
{
	return 2 * sizeof(uint64) * sdc_column_count(column);
}

/* keys_entropy finds the entropy of a column whose order is that of keys, in memory. */
static double
keys_entropy(SdcColumn *column, const SdcType *type)
{
	uint64	   *keys = sdc_memory_array(Max(keys_memory(column), 1), 1);
	Tally		tally = {.space = 64};

	tally.count = palloc(tally.space * sizeof(uint64));
	tally.values = palloc(tally.space * sizeof(uint64));
	tally_keys(column, type, keys, &tally);
	return sdc_entropy_of_tally(tally.count, tally.values, tally.kept);
}

/* count_numbers counts the values of a column of numbers, by code. */
static uint64 *
count_numbers(SdcColumn *column, const SdcDictionary *dictionary, uint32 *codes)
{
	SdcColumnReader *reader = sdc_column_open(column);
	uint64	   *count = palloc0(sizeof(uint64) * Max(sdc_dictionary_count(dictionary), 1));
	uint64	   *result;
	SdcDictionaryCodes coding;

	for (uint64 r = 0; r < sdc_column_count(column); r++)
	{
		Datum		number;

		if (sdc_column_next(reader, &number))
			count[(uint32) DatumGetInt32(number)]++;
		if (r % 65536 == 0)
			CHECK_FOR_INTERRUPTS();
	}
	sdc_column_close(reader);
	sdc_dictionary_codes(dictionary, &coding);
	result = palloc0(sizeof(uint64) * Max(coding.codes, 1));
	for (uint32 i = 0; i < sdc_dictionary_count(dictionary); i++)
		result[coding.code[i]] += count[i];
	*codes = coding.codes;
	return result;
}

/* sdc_columnentropy_of: see columnentropy.h. */
double
sdc_columnentropy_of(SdcColumn *column, const SdcType *type, const SdcDictionary *numbers)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "sdc entropy",
												  ALLOCSET_DEFAULT_SIZES);
	MemoryContext old = MemoryContextSwitchTo(context);
	SdcType		own = *type;
	bool		keys = numbers == NULL && type->key != SDC_KEY_NONE &&
		keys_memory(column) <= sdc_memory_budget() / 2;
	uint32		codes = 0;
	uint64	   *count = NULL;
	double		entropy;

	if (numbers != NULL)
		count = count_numbers(column, numbers, &codes);
	else if (!keys)
		count = count_dictionary(column, type, &codes);
	if (count != NULL)
		entropy = sdc_entropy_of_counts(count, codes);
	else if (keys)
		entropy = keys_entropy(column, type);
	else
	{
		MemoryContextReset(context);
		entropy = sorted_entropy(column, &own);
	}
	MemoryContextSwitchTo(old);
	MemoryContextDelete(context);
	return entropy;
}
