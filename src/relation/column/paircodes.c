/*-------------------------------------------------------------------------
 *
 * paircodes.c
 *		Codes for the values of one attribute in two files.
 *
 * Each file's values are ordered (ordering.c), then both orders are merged: the
 * k-th distinct value of the union gets code k.  Values without a sort key are
 * numbered by a dictionary, and only the distinct ones are ordered.  What follows never sees a
 * value again but through the number that belongs to its code.
 *
 * Dates count days and times count seconds, since 2000 or midnight: differences are
 * what matters.  Values that are not finite (NaN, infinity) have codes, so that
 * they take part in equality and ranks, and no number.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "kernel/base/rankorder.h"
#include "miscadmin.h"
#include "relation/column/ordering.h"
#include "relation/column/paircodes.h"

/* So many values are fetched ahead. */
#define AHEAD 16

/* One file's column in the course of the encoding. */
typedef struct CodedFile
{
	SdcColumn  *column;
	Datum	   *values;			/* by record */
	SdcOrdering *ordering;
	uint32		next;			/* the position that is looked at */
	uint32	   *code;			/* the result, by record */
} CodedFile;

/* ordering_task describes the ordering of a column as it stands. */
static SdcOrderingTask
ordering_task(SdcColumn *column, SdcType *type, SdcArena *arena)
{
	SdcOrderingTask task = {0};

	task.column = column;
	task.type = type;
	task.strata = 1;
	task.ties = true;
	task.arena = arena;
	return task;
}

/* sdc_paircodes_memory returns the bytes of work space. */
uint64
sdc_paircodes_memory(SdcColumn *original, SdcColumn *protected, SdcType *type)
{
	SdcOrderingTask first = ordering_task(original, type, NULL);
	SdcOrderingTask second = ordering_task(protected, type, NULL);

	/* the first order stays while the second is built */
	return sdc_arena_bytes(sdc_column_loaded_size(original), 1) +
		sdc_arena_bytes(sdc_column_loaded_size(protected), 1) +
		sdc_ordering_memory(&first) + sdc_ordering_memory(&second);
}

/* file_open loads and orders the values of one file. */
static void
file_open(CodedFile *file, SdcColumn *column, SdcType *type, SdcArena *arena)
{
	SdcOrderingTask task = ordering_task(column, type, arena);
	uint64		records = sdc_column_count(column);

	file->column = column;
	file->values = sdc_column_load(column, sdc_arena_take(arena, sdc_column_loaded_size(column), 1));
	file->ordering = sdc_ordering_build(&task, file->values);
	file->code = sdc_memory_array(records, sizeof(uint32));
	if (file->ordering->count < records)
		memset(file->code, 0xFF, records * sizeof(uint32));	/* SDC_CODE_NULL */
}

/* file_value returns the value that is looked at. */
static Datum
file_value(const CodedFile *file)
{
	return file->values[file->ordering->order[file->next]];
}

/* file_left tells whether there is still a value to look at. */
static bool
file_left(const CodedFile *file)
{
	return file->next < file->ordering->count;
}

/* prefetch_next has a value and its code fetched that will be needed soon: records lie anywhere by their values. */
static inline void
prefetch_next(const CodedFile *file)
{
	uint32		record;

	if ((uint64) file->next + AHEAD >= file->ordering->count)
		return;
	record = file->ordering->order[file->next + AHEAD];
	__builtin_prefetch(&file->values[record]);
	__builtin_prefetch(&file->code[record], 1);
}

/* file_take gives a code to the value that is looked at and all that are equal to it. */
static void
file_take(CodedFile *file, uint32 code)
{
	do
	{
		prefetch_next(file);
		file->code[file->ordering->order[file->next++]] = code;
		if (file->next % 65536 == 0)
			CHECK_FOR_INTERRUPTS();
	} while (file_left(file) && file->ordering->tied[file->next]);
}

/* compare_files tells which file's value is the next one, 0: both. */
static int
compare_files(const CodedFile *a, const CodedFile *b, SdcType *type)
{
	if (!file_left(a))
		return 1;
	return file_left(b) ? sdc_type_compare(type, file_value(a), file_value(b)) : -1;
}

/*
 * merge_files numbers the distinct values of both files in ascending order, and with
 * number not NULL writes what number each of them is.
 */
static uint32
merge_files(CodedFile *a, CodedFile *b, SdcType *type, double *number)
{
	MemoryContext scratch = AllocSetContextCreate(CurrentMemoryContext, "sdc numbers",
												  ALLOCSET_SMALL_SIZES);
	MemoryContext old = MemoryContextSwitchTo(scratch);
	uint32		code;

	for (code = 0; file_left(a) || file_left(b); code++)
	{
		int			compared = compare_files(a, b, type);

		if (number != NULL)
			number[code] = sdc_type_number(type, file_value(compared <= 0 ? a : b));
		if (compared <= 0)
			file_take(a, code);
		if (compared >= 0)
			file_take(b, code);
		if (code % 1024 == 0)
		{
			MemoryContextReset(scratch);
			CHECK_FOR_INTERRUPTS();
		}
	}
	MemoryContextSwitchTo(old);
	MemoryContextDelete(scratch);
	return code;
}

/* sdc_paircodes_append: see paircodes.h. */
void
sdc_paircodes_append(SdcColumn *column, SdcCodeList *list, uint64 limit)
{
	SdcColumnReader *reader = sdc_column_open(column);
	uint64		records = sdc_column_count(column);

	sdc_codelist_reserve(list, records);
	for (uint64 r = 0; r < records && sdc_dictionary_memory(list->dictionary) <= limit; r++)
	{
		Datum		value;
		bool		valid = sdc_column_next(reader, &value);

		/* with a limit a value can be large */
		if (limit < PG_UINT64_MAX || r % 4096 == 0)
			CHECK_FOR_INTERRUPTS();
		sdc_codelist_append(list, value, !valid);
	}
	sdc_column_close(reader);
}

/* sdc_paircodes_rank: see paircodes.h. */
SdcCodeList *
sdc_paircodes_rank(SdcColumn *column, SdcDictionary *dictionary, SdcDictionaryCodes *coding)
{
	SdcCodeList *list = sdc_paircodes_number(column, dictionary);

	sdc_dictionary_codes(dictionary, coding);
	sdc_codelist_rank(list, coding);
	return list;
}

/* sdc_paircodes_codes: see paircodes.h. */
SdcCodedColumn
sdc_paircodes_codes(SdcColumn *column, const SdcType *type)
{
	SdcDictionary *dictionary = sdc_dictionary_create(type);
	SdcDictionaryCodes coding;
	SdcCodeList *list = sdc_paircodes_rank(column, dictionary, &coding);

	sdc_free(coding.code);
	sdc_free(coding.number);
	sdc_dictionary_destroy(dictionary);
	return (SdcCodedColumn) {list->code, coding.codes};
}

/* take_values puts the values of a column whose codes have none yet into a dictionary. */
static void
take_values(SdcColumn *column, const uint32 *code, SdcCodedValues *values)
{
	SdcColumnReader *reader = sdc_column_open(column);
	uint64		records = sdc_column_count(column);

	for (uint64 r = 0; r < records; r++)
	{
		Datum		value;

		if (sdc_column_next(reader, &value) && values->number[code[r]] == SDC_CODE_NULL)
			values->number[code[r]] = sdc_dictionary_number(values->dictionary, value);
		if (r % 4096 == 0)
			CHECK_FOR_INTERRUPTS();
	}
	sdc_column_close(reader);
}

/* sdc_paircodes_values: see paircodes.h. */
void
sdc_paircodes_values(SdcColumn *column, const uint32 *code, SdcColumn *other, const uint32 *other_code,
					 const SdcType *type, uint32 codes, SdcCodedValues *values)
{
	values->dictionary = sdc_dictionary_create(type);
	values->number = sdc_memory_array(codes, sizeof(uint32));
	memset(values->number, 0xFF, codes * sizeof(uint32));	/* SDC_CODE_NULL */
	take_values(column, code, values);
	take_values(other, other_code, values);
}

/* sdc_paircodes_numbers: see paircodes.h. */
double *
sdc_paircodes_numbers(const SdcType *type, const SdcCodedValues *values, uint32 codes)
{
	double	   *number = sdc_memory_array(codes, sizeof(double));

	for (uint32 code = 0; code < codes; code++)
	{
		CHECK_FOR_INTERRUPTS();
		number[code] = sdc_type_number(type, sdc_dictionary_value(values->dictionary, values->number[code]));
	}
	return number;
}

/*
 * encode_distinct does the work for types that have no sort key: only distinct values are
 * compared, which are usually few, and records are not sorted.
 */
static void
encode_distinct(SdcColumn *original, SdcColumn *protected, SdcType *type, SdcPairColumn *result)
{
	SdcDictionary *dictionary = sdc_dictionary_create(type);
	SdcCodeList *a = sdc_paircodes_number(original, dictionary);
	SdcCodeList *b = sdc_paircodes_number(protected, dictionary);
	SdcDictionaryCodes coding;
	SdcCodedValues values;

	sdc_dictionary_codes(dictionary, &coding);
	sdc_codelist_rank(a, &coding);
	sdc_codelist_rank(b, &coding);
	values = (SdcCodedValues) {dictionary, coding.number};
	*result = (SdcPairColumn) {a->code, b->code, coding.codes, NULL};
	if (type->kind != SDC_VALUE_NOMINAL)
		result->value = sdc_paircodes_numbers(type, &values, coding.codes);
	sdc_free(a);
	sdc_free(b);
	sdc_free(coding.code);
	sdc_free(coding.number);
	sdc_dictionary_destroy(dictionary);
}

/* sdc_paircodes_columns gives the values of two columns common codes. */
void
sdc_paircodes_columns(SdcColumn *original, SdcColumn *protected, SdcType *type,
					  SdcArena *arena, SdcPairColumn *result)
{
	bool		nominal = type->kind == SDC_VALUE_NOMINAL;
	CodedFile	a = {0};
	CodedFile	b = {0};
	double	   *number = NULL;

	if (type->key == SDC_KEY_NONE)
	{
		encode_distinct(original, protected, type, result);
		return;
	}
	sdc_arena_reserve(arena, sdc_paircodes_memory(original, protected, type));
	file_open(&a, original, type, arena);
	file_open(&b, protected, type, arena);
	if (!nominal)
	{
		/* as many as there can be, given back as soon as they are counted */
		uint64		most = Max((uint64) a.ordering->count + b.ordering->count, 1);

		number = sdc_memory_array(most, sizeof(double));
		result->codes = merge_files(&a, &b, type, number);
		number = sdc_memory_grow(CurrentMemoryContext, number, result->codes, Max(result->codes, 1), sizeof(double));
	}
	else
		result->codes = merge_files(&a, &b, type, NULL);
	result->original = a.code;
	result->protected = b.code;
	result->value = number;
}
