/*-------------------------------------------------------------------------
 *
 * columnfacts.c
 *		What the columns of a relation have: values, rare ones, long ones, such as look like missing codes, what could
 *		be made coarser, and what follows from what.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "mb/pg_wchar.h"
#include "measure/columnfacts.h"
#include "miscadmin.h"
#include "relation/base/compat.h"
#include "relation/base/memory.h"
#include "relation/base/progress.h"
#include "relation/read/codedtable.h"
#include "utils/builtins.h"

/* One column follows from another by more than chance: groups of that have so many records in the mean, */
#define GROUP_RECORDS 4
/* and so many records at least, and such a part of all, have not the most frequent value of this. */
#define OTHER_RECORDS 10
#define OTHER_PART 50

/* A code stands apart where so many records have it, at least. */
#define CODE_RECORDS 2

/* Values are many from so few records a value on, also of few records, and where such a part have one that is alone. */
#define VALUE_RECORDS 10
#define VALUE_RECORDS_OF_FEW 2
#define FEW_RECORDS 10
#define SINGLE_PART 20

/*
 * Codes such as those of areas and diagnoses have so many characters, nearly all of them, and the first ones name a
 * class.  What is different in nearly all records is a number.
 */
#define CODE_PART 0.95
#define CODE_LENGTH_LEAST 3
#define CODE_LENGTH_MOST 12
#define CODE_CHARACTERS "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ.-"

/* A relation that was read, with the records of each code of each column; behind the last one those of NULL. */
typedef struct Facts
{
	SdcCodedTable *table;
	uint64	  **records;
	SdcColumnFacts *facts;
} Facts;

/* place is where the code of a record is counted. */
static inline uint32
place(const SdcCodedColumn *column, uint32 record)
{
	return column->code[record] == SDC_CODE_NULL ? column->codes : column->code[record];
}

/* is_many tells whether values, of which a record has one alone, are so many that they identify people. */
static bool
is_many(uint64 different, uint64 single, uint64 records)
{
	return different > 1 &&
		(different * (records > FEW_RECORDS ? VALUE_RECORDS : VALUE_RECORDS_OF_FEW) > records ||
		 single * SINGLE_PART > records);
}

/* count_values counts the records of each value of a column. */
static void
count_values(Facts *facts, int number)
{
	const SdcCodedColumn *column = &facts->table->coded.column[number];
	SdcColumnFacts *result = &facts->facts[number];
	uint64	   *records = sdc_memory_array((uint64) column->codes + 1, sizeof(uint64));

	memset(records, 0, sizeof(uint64) * ((uint64) column->codes + 1));
	for (uint32 r = 0; r < facts->table->coded.records; r++)
	{
		sdc_interrupts_step(r);
		records[place(column, r)]++;
	}
	result->records = facts->table->coded.records;
	for (uint32 c = 0; c <= column->codes; c++)
	{
		result->different += records[c] > 0;
		result->single += records[c] == 1;
	}
	result->many = is_many(result->different, result->single, result->records);
	facts->records[number] = records;
}

/* A text, without the blanks that fill it up, and the records that have it. */
typedef struct Code
{
	const char *text;
	int			bytes;
	uint64		records;
} Code;

/* by_text compares texts by their bytes, for qsort. */
static int
by_text(const void *a, const void *b)
{
	return strcmp(((const Code *) a)->text, ((const Code *) b)->text);
}

/* text_of returns a value of a column of texts, without the blanks that fill it up. */
static text *
text_of(const Facts *facts, int number, uint32 code)
{
	return DatumGetTextPP(sdc_type_text(facts->table->column[number].type.base,
										sdc_codedtable_value(facts->table, (uint32) number, code)));
}

/* list_codes lists the values of a column in the order of their bytes. */
static Code *
list_codes(const Facts *facts, int number)
{
	uint32		count = facts->table->coded.column[number].codes;
	Code	   *codes = sdc_memory_array(count, sizeof(Code));

	for (uint32 c = 0; c < count; c++)
	{
		CHECK_FOR_INTERRUPTS();
		codes[c].text = text_to_cstring(text_of(facts, number, c));
		codes[c].bytes = (int) strlen(codes[c].text);
		codes[c].records = facts->records[number][c];
	}
	qsort(codes, count, sizeof(Code), by_text);
	return codes;
}

/* is_code tells whether a text can be a code by its length and its characters. */
static bool
is_code(const text *value)
{
	const char *data = VARDATA_ANY(value);
	int			bytes = (int) VARSIZE_ANY_EXHDR(value);

	if (bytes < CODE_LENGTH_LEAST || bytes > CODE_LENGTH_MOST)
		return false;
	for (int i = 0; i < bytes; i++)
		if (data[i] == '\0' || strchr(CODE_CHARACTERS, data[i]) == NULL)
			return false;
	return true;
}

/* code_length is how long the codes of a column are, of which nearly all records have one; 0: they are no codes. */
static int
code_length(const Facts *facts, int number)
{
	uint64		records[CODE_LENGTH_MOST + 1] = {0};
	uint64		all = 0;
	int			best = CODE_LENGTH_LEAST;

	for (uint32 c = 0; c < facts->table->coded.column[number].codes; c++)
	{
		const text *value = text_of(facts, number, c);

		CHECK_FOR_INTERRUPTS();
		all += facts->records[number][c];
		if (is_code(value))
			records[VARSIZE_ANY_EXHDR(value)] += facts->records[number][c];
	}
	for (int bytes = CODE_LENGTH_LEAST; bytes <= CODE_LENGTH_MOST; bytes++)
		if (records[bytes] > records[best])
			best = bytes;
	return (double) records[best] >= CODE_PART * (double) all ? best : 0;
}

/* is_alike tells whether two texts are the same when they are cut behind some characters: a shorter one stays. */
static bool
is_alike(const Code *one, const Code *other, int characters)
{
	int			kept = pg_mbcharcliplen(one->text, one->bytes, characters);

	return kept == pg_mbcharcliplen(other->text, other->bytes, characters) &&
		(kept == one->bytes) == (kept == other->bytes) && memcmp(one->text, other->text, (Size) kept) == 0;
}

/* count_prefixes counts the first characters of texts, and those that one record has alone; NULL is one more. */
static void
count_prefixes(const Code *codes, uint32 count, int characters, uint64 missing, uint64 *different, uint64 *single)
{
	*different = missing > 0;
	*single = missing == 1;
	for (uint32 c = 0; c < count;)
	{
		const Code *first = &codes[c];
		uint64		records = 0;

		for (; c < count && is_alike(first, &codes[c], characters); c++)
		{
			sdc_interrupts_step(c);
			records += codes[c].records;
		}
		*different += 1;
		*single += records == 1;
	}
}

/* find_prefix finds how many characters of codes have not too many values, of a column with many. */
static void
find_prefix(const Facts *facts, int number)
{
	SdcColumnFacts *result = &facts->facts[number];
	uint32		count = facts->table->coded.column[number].codes;
	int			length;
	Code	   *codes;
	uint64		different;
	uint64		single;

	if (!result->many || count == 0 || (double) result->different >= CODE_PART * (double) result->records ||
		!sdc_type_is_text(facts->table->column[number].type.base))
		return;
	length = code_length(facts, number);
	if (length == 0)
		return;
	codes = list_codes(facts, number);
	for (int characters = 1; characters < length; characters++)
	{
		count_prefixes(codes, count, characters, facts->records[number][count], &different, &single);
		if (is_many(different, single, result->records))
			break;
		result->prefix = different > 1 ? characters : 0;
		result->prefixes = different;
	}
	sdc_free(codes);
}

/* mean_length returns the mean length of a column's texts. */
static double
mean_length(const Facts *facts, int number)
{
	const SdcCodedTableColumn *column = &facts->table->column[number];
	uint64		count = 0;
	double		sum = 0;

	if (!sdc_type_is_text(column->type.base))
		return NAN;
	for (uint32 c = 0; c < facts->table->coded.column[number].codes; c++)
	{
		text	   *value = DatumGetTextPP(sdc_codedtable_value(facts->table, (uint32) number, c));

		CHECK_FOR_INTERRUPTS();
		sum += (double) facts->records[number][c] * pg_mbstrlen_with_len(VARDATA_ANY(value), VARSIZE_ANY_EXHDR(value));
		count += facts->records[number][c];
	}
	return count == 0 ? NAN : sum / (double) count;
}

/*
 * far tells whether a number at an end is far from the others: from the next one farther than these are among each
 * other, or alone below zero.
 */
static bool
far(double end, double next, double last)
{
	return fabs(end - next) > fabs(next - last) || (end < 0 && next >= 0 && last >= 0);
}

/* count_apart counts the records of numbers that look like missing codes. */
static uint64
count_apart(const Facts *facts, int number)
{
	const SdcCodedTableColumn *column = &facts->table->column[number];
	const uint64 *records = facts->records[number];
	uint32		codes = facts->table->coded.column[number].codes;
	double		value[4];
	uint64		apart = 0;

	/* with few values there is no telling */
	if (column->type.kind != SDC_VALUE_NUMBER || codes < 5)
		return 0;
	for (int i = 0; i < 4; i++)
	{
		const uint32 code[] = {0, 1, codes - 2, codes - 1};

		value[i] = sdc_type_number(&column->type, sdc_codedtable_value(facts->table, (uint32) number, code[i]));
	}
	if (records[0] >= CODE_RECORDS && far(value[0], value[1], value[2]))
		apart += records[0];
	if (records[codes - 1] >= CODE_RECORDS && far(value[3], value[2], value[1]))
		apart += records[codes - 1];
	return apart;
}

/* tells tells whether the records that agree in one column do so in another. */
static bool
tells(const Facts *facts, int one, int other)
{
	const SdcCodedFile *coded = &facts->table->coded;
	const SdcCodedColumn *from = &coded->column[one];
	uint32	   *value = sdc_memory_array((uint64) from->codes + 1, sizeof(uint32));
	bool		holds = true;

	/* no place: there are as many as codes, and NULL */
	memset(value, 0xFF, sizeof(uint32) * ((uint64) from->codes + 1));
	for (uint32 r = 0; r < coded->records && holds; r++)
	{
		uint32	   *first = &value[place(from, r)];
		uint32		found = place(&coded->column[other], r);

		sdc_interrupts_step(r);
		if (*first == PG_UINT32_MAX)
			*first = found;
		holds = *first == found;
	}
	sdc_free(value);
	return holds;
}

/* find_follows finds what tells the values of a column. */
static int
find_follows(const Facts *facts, int number)
{
	const SdcColumnFacts *own = &facts->facts[number];
	uint64		most = 0;
	int			best = -1;

	for (uint32 c = 0; c <= facts->table->coded.column[number].codes; c++)
		most = Max(most, facts->records[number][c]);
	if (own->records - most < Max(OTHER_RECORDS, own->records / OTHER_PART))
		return -1;
	for (int i = 0; i < facts->table->coded.attributes; i++)
	{
		const SdcColumnFacts *other = &facts->facts[i];

		CHECK_FOR_INTERRUPTS();
		if (i == number || other->different < own->different || other->different * GROUP_RECORDS > other->records ||
			(other->different == own->different && i > number) ||
			(best >= 0 && other->different >= facts->facts[best].different))
			continue;
		if (tells(facts, i, number))
			best = i;
	}
	return best;
}

/* sdc_columnfacts_find: see columnfacts.h. */
SdcColumnFacts *
sdc_columnfacts_find(Oid relid, List *names)
{
	int			count = list_length(names);
	Facts		facts = {0};

	facts.records = palloc0(sizeof(uint64 *) * Max(count, 1));
	facts.facts = palloc0(sizeof(SdcColumnFacts) * Max(count, 1));
	if (count == 0)
		return facts.facts;
	facts.table = sdc_codedtable_load(relid, names);
	for (int i = 0; i < count; i++)
	{
		count_values(&facts, i);
		facts.facts[i].length = mean_length(&facts, i);
		facts.facts[i].apart = count_apart(&facts, i);
		find_prefix(&facts, i);
	}
	for (int i = 0; i < count; i++)
		facts.facts[i].follows = find_follows(&facts, i);
	for (int i = 0; i < count; i++)
		sdc_free(facts.records[i]);
	sdc_progress_end();
	return facts.facts;
}
