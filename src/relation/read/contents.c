/*-------------------------------------------------------------------------
 *
 * contents.c
 *		The SHA-256 of what a table has, in whatever order.
 *
 * The numbers of the records are sorted: in memory, or through the server's sort when there are too many.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_operator_d.h"
#include "catalog/pg_type.h"
#include "kernel/base/kernel_env.h"
#include "mb/pg_wchar.h"
#include "port/pg_bswap.h"
#include "relation/base/compat.h"
#include "relation/base/digest.h"
#include "relation/base/memory.h"
#include "relation/read/contents.h"
#include "utils/builtins.h"
#include "utils/date.h"
#include "utils/datetime.h"
#include "utils/lsyscache.h"

/* A number or a length as text is not longer, and has less than a hundred digits. */
#define SHORT_TEXT 64
#define SHORT_LENGTH 3

/* The days from 0001-01-01 to 9999-12-31, counted from 2000-01-01 on. */
#define FIRST_DAY (-730119)
#define LAST_DAY 2921939

/* The digest of a record, as numbers whose order is that of its bytes. */
typedef struct RecordSum
{
	uint64		word[SDC_CONTENTS_BYTES / sizeof(uint64)];
} RecordSum;

/* How values of a column become text. */
typedef struct ColumnText
{
	Oid			base;
	FmgrInfo	output;
} ColumnText;

struct SdcContents
{
	MemoryContext context;
	MemoryContext scratch;		/* what output functions allocate for a record */
	SdcDigest	digest;
	int			width;
	ColumnText *column;
	bool		converts;		/* texts are not in UTF-8 */
	uint8		names[SDC_CONTENTS_BYTES];

	RecordSum  *sum;			/* of the records, where they fit into memory */
	uint64		count;
	uint64		records;		/* that there will be */
	Tuplesortstate *sort;		/* or they are here */
};

#define ST_SORT sort_sums
#define ST_ELEMENT_TYPE RecordSum
#define ST_COMPARE(a, b) compare_sums(a, b)
#define ST_SCOPE static
#define ST_DECLARE
#define ST_CHECK_FOR_INTERRUPTS
#define ST_DEFINE

/* compare_sums compares two digests in the order of their bytes. */
static inline int
compare_sums(const RecordSum *a, const RecordSum *b)
{
	for (int i = 0; i < (int) lengthof(a->word); i++)
		if (a->word[i] != b->word[i])
			return a->word[i] < b->word[i] ? -1 : 1;
	return 0;
}

#include "lib/sort_template.h"

/* add_text adds the text of a value, with its length. */
static void
add_text(SdcContents *contents, const char *text, Size length)
{
	char		number[SHORT_TEXT];
	int			digits = pg_ulltoa_n(length, number);

	number[digits++] = ':';
	sdc_digest_add(&contents->digest, number, digits);
	sdc_digest_add(&contents->digest, text, length);
}

/* add_server_text does so with text in the encoding of the database. */
static void
add_server_text(SdcContents *contents, const char *text, Size length)
{
	char	   *converted;

	if (!contents->converts)
	{
		add_text(contents, text, length);
		return;
	}
	converted = pg_server_to_any(text, (int) length, PG_UTF8);
	add_text(contents, converted, converted == text ? length : strlen(converted));
}

/* add_short_text does so with the text of a number, in a buffer that has room before it. */
static void
add_short_text(SdcContents *contents, char *number, int length)
{
	char	   *start = number;

	*--start = ':';
	*--start = (char) ('0' + length % 10);
	if (length >= 10)
		*--start = (char) ('0' + length / 10);
	sdc_digest_add(&contents->digest, start, (Size) (length + (number - start)));
}

/* add_float8 adds the eight bytes of a number, the first one first; all that are none have the same. */
static void
add_float8(SdcContents *contents, float8 number)
{
	char		bytes[2 + sizeof(uint64)] = "8:";
	uint64		bits = UINT64CONST(0x7ff8000000000000);

	if (!isnan(number))
		memcpy(&bits, &number, sizeof(bits));
	bits = pg_hton64(bits);
	memcpy(bytes + 2, &bits, sizeof(bits));
	sdc_digest_add(&contents->digest, bytes, sizeof(bytes));
}

/* put_digits writes a number with so many digits, and returns where it ends. */
static inline char *
put_digits(char *text, int64 number, int digits)
{
	for (int i = digits - 1; i >= 0; i--)
	{
		text[i] = (char) ('0' + number % 10);
		number /= 10;
	}
	return text + digits;
}

/* put_day writes a day, which is counted from 2000-01-01 on; NULL: its year has not four digits. */
static char *
put_day(char *text, int64 day)
{
	int			year;
	int			month;
	int			number;

	if (day < FIRST_DAY || day > LAST_DAY)
		return NULL;
	j2date((int) day + POSTGRES_EPOCH_JDATE, &year, &month, &number);
	text = put_digits(text, year, 4);
	*text++ = '-';
	text = put_digits(text, month, 2);
	*text++ = '-';
	return put_digits(text, number, 2);
}

/* put_moment writes a day and a time; NULL: as for a day. */
static char *
put_moment(char *text, Timestamp moment)
{
	int64		day = moment / USECS_PER_DAY;
	int64		time = moment % USECS_PER_DAY;
	int			rest;

	if (time < 0)
	{
		time += USECS_PER_DAY;
		day--;
	}
	text = put_day(text, day);
	if (text == NULL)
		return NULL;
	*text++ = ' ';
	text = put_digits(text, time / USECS_PER_HOUR, 2);
	*text++ = ':';
	text = put_digits(text, time / USECS_PER_MINUTE % MINS_PER_HOUR, 2);
	*text++ = ':';
	text = put_digits(text, time / USECS_PER_SEC % SECS_PER_MINUTE, 2);
	rest = (int) (time % USECS_PER_SEC);
	if (rest != 0)
	{
		*text++ = '.';
		text = put_digits(text, rest, 6);
		while (text[-1] == '0')
			text--;
	}
	return text;
}

/*
 * quick_text writes the text of a value without its output function, and returns its length; 0: it takes that.  Days
 * and moments are as under the settings of sdc_type_pin_settings.
 */
static int
quick_text(Oid type, Datum value, char *text)
{
	char	   *end = NULL;

	switch (type)
	{
		case INT2OID:
			return pg_ltoa(DatumGetInt16(value), text);
		case INT4OID:
			return pg_ltoa(DatumGetInt32(value), text);
		case INT8OID:
			return pg_lltoa(DatumGetInt64(value), text);
		case BOOLOID:
			text[0] = DatumGetBool(value) ? 't' : 'f';
			return 1;
		case DATEOID:
			end = put_day(text, DatumGetDateADT(value));
			break;
		case TIMESTAMPOID:
			end = put_moment(text, DatumGetTimestamp(value));
			break;
		case TIMESTAMPTZOID:
			end = put_moment(text, DatumGetTimestampTz(value));
			if (end != NULL)
				end = (char *) memcpy(end, "+00", 3) + 3;
			break;
		default:
			break;
	}
	return end == NULL ? 0 : (int) (end - text);
}

/* add_value adds a value; what is frequent does without its output function. */
static void
add_value(SdcContents *contents, ColumnText *column, Datum value)
{
	char		room[SHORT_TEXT];
	char	   *number = room + SHORT_LENGTH;
	char	   *text;
	int			length;

	switch (column->base)
	{
		case FLOAT8OID:
			add_float8(contents, DatumGetFloat8(value));
			return;
		case TEXTOID:
		case VARCHAROID:
		case BPCHAROID:
			text = DatumGetPointer(value);
			add_server_text(contents, VARDATA_ANY(text), VARSIZE_ANY_EXHDR(text));
			return;
		default:
			break;
	}
	length = quick_text(column->base, value, number);
	if (length > 0)
		add_short_text(contents, number, length);
	else
	{
		text = OutputFunctionCall(&column->output, value);
		add_server_text(contents, text, strlen(text));
	}
}

/* look_up_columns finds out how values become text, and takes the digest of the names. */
static void
look_up_columns(SdcContents *contents, TupleDesc desc)
{
	contents->width = desc->natts;
	contents->column = palloc0(sizeof(ColumnText) * Max(desc->natts, 1));
	contents->converts = GetDatabaseEncoding() != PG_UTF8 && GetDatabaseEncoding() != PG_SQL_ASCII;
	sdc_digest_begin(&contents->digest, NULL);
	for (int i = 0; i < desc->natts; i++)
	{
		Form_pg_attribute att = TupleDescAttr(desc, i);
		Oid			output;
		bool		varlena;

		contents->column[i].base = getBaseType(att->atttypid);
		getTypeOutputInfo(att->atttypid, &output, &varlena);
		fmgr_info(output, &contents->column[i].output);
		add_server_text(contents, NameStr(att->attname), strlen(NameStr(att->attname)));
	}
	sdc_digest_end(&contents->digest, contents->names);
}

/* sdc_contents_begin: see contents.h. */
SdcContents *
sdc_contents_begin(TupleDesc desc, uint64 records, uint64 memory)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "sdc contents", ALLOCSET_DEFAULT_SIZES);
	MemoryContext before = MemoryContextSwitchTo(context);
	SdcContents *contents = palloc0(sizeof(SdcContents));

	contents->context = context;
	contents->scratch = AllocSetContextCreate(context, "sdc contents record", ALLOCSET_DEFAULT_SIZES);
	contents->records = records;
	if (records <= memory / sizeof(RecordSum))
		contents->sum = sdc_memory_array(records, sizeof(RecordSum));
	else
		contents->sort = tuplesort_begin_datum(BYTEAOID, ByteaLessOperator, InvalidOid, false,
											   (int) Max(64, memory / 1024), NULL, TUPLESORT_NONE);
	look_up_columns(contents, desc);
	MemoryContextSwitchTo(before);
	return contents;
}

/* sort_sum gives a digest to the server's sort. */
static void
sort_sum(SdcContents *contents, const RecordSum *sum)
{
	struct
	{
		char		header[VARHDRSZ];
		uint8		bytes[SDC_CONTENTS_BYTES];
	}			value;

	SET_VARSIZE(&value, VARHDRSZ + SDC_CONTENTS_BYTES);
	for (int i = 0; i < (int) lengthof(sum->word); i++)
	{
		uint64		word = pg_hton64(sum->word[i]);

		memcpy(value.bytes + i * sizeof(word), &word, sizeof(word));
	}
	tuplesort_putdatum(contents->sort, PointerGetDatum(&value), false);
}

/* sdc_contents_add: see contents.h. */
void
sdc_contents_add(SdcContents *contents, const Datum *values, const bool *nulls)
{
	MemoryContext before = MemoryContextSwitchTo(contents->scratch);
	uint8		result[SDC_CONTENTS_BYTES];
	RecordSum	sum;

	sdc_digest_begin(&contents->digest, NULL);
	for (int i = 0; i < contents->width; i++)
	{
		if (nulls[i])
			sdc_digest_add(&contents->digest, "-", 1);
		else
			add_value(contents, &contents->column[i], values[i]);
	}
	sdc_digest_end(&contents->digest, result);
	memcpy(&sum, result, sizeof(sum));
	for (int i = 0; i < (int) lengthof(sum.word); i++)
		sum.word[i] = pg_ntoh64(sum.word[i]);
	MemoryContextSwitchTo(contents->context);
	if (contents->count == contents->records)
		elog(ERROR, "there are more than " UINT64_FORMAT " records", contents->records);
	if (contents->sort != NULL)
		sort_sum(contents, &sum);
	else
		contents->sum[contents->count] = sum;
	contents->count++;
	MemoryContextSwitchTo(before);
	MemoryContextReset(contents->scratch);
}

/* add_sorted adds the digests of the server's sort. */
static void
add_sorted(SdcContents *contents)
{
	Datum		value;
	bool		isnull;
	uint64		step = 0;

	tuplesort_performsort(contents->sort);
	while (sdc_tuplesort_getdatum(contents->sort, &value, &isnull))
	{
		bytea	   *bytes = DatumGetByteaPP(value);

		sdc_digest_add(&contents->digest, VARDATA_ANY(bytes), VARSIZE_ANY_EXHDR(bytes));
		if ((Pointer) bytes != DatumGetPointer(value))
			pfree(bytes);
		pfree(DatumGetPointer(value));
		sdc_interrupts_step(step++);
	}
	tuplesort_end(contents->sort);
}

/*
 * sort_all sorts the digests: first by their first byte, in place (P. M. McIlroy, K. Bostic, M. D. McIlroy,
 * "Engineering radix sort", 1993), which leaves parts that fit into the cache.
 */
static void
sort_all(SdcContents *contents)
{
	uint64		end[256] = {0};
	uint64		next[256];
	RecordSum  *sum = contents->sum;
	uint64		start = 0;

#define FIRST_BYTE(s) ((s).word[0] >> 56)
	for (uint64 i = 0; i < contents->count; i++)
		end[FIRST_BYTE(sum[i])]++;
	for (int b = 0; b < 256; b++)
	{
		next[b] = start;
		start += end[b];
		end[b] = start;
	}
	start = 0;
	for (int b = 0; b < 256; b++)
	{
		CHECK_FOR_INTERRUPTS();
		while (next[b] < end[b])
		{
			RecordSum	held = sum[next[b]];
			uint64		byte = FIRST_BYTE(held);

			if (byte != (uint64) b)
			{
				sum[next[b]] = sum[next[byte]];
				sum[next[byte]++] = held;
			}
			else
				next[b]++;
		}
	}
	for (int b = 0; b < 256; b++)
	{
		sort_sums(sum + start, end[b] - start);
		start = end[b];
	}
#undef FIRST_BYTE
}

/* sdc_contents_end: see contents.h. */
void
sdc_contents_end(SdcContents *contents, uint8 *result)
{
	MemoryContext before = MemoryContextSwitchTo(contents->context);

	sdc_digest_begin(&contents->digest, NULL);
	sdc_digest_add(&contents->digest, contents->names, SDC_CONTENTS_BYTES);
	if (contents->sort != NULL)
		add_sorted(contents);
	else
	{
		sort_all(contents);
		for (uint64 i = 0; i < contents->count; i++)
		{
			RecordSum	sum = contents->sum[i];

			for (int k = 0; k < (int) lengthof(sum.word); k++)
				sum.word[k] = pg_hton64(sum.word[k]);
			sdc_digest_add(&contents->digest, &sum, sizeof(sum));
			sdc_interrupts_step(i);
		}
	}
	sdc_digest_end(&contents->digest, result);
	MemoryContextSwitchTo(before);
	MemoryContextDelete(contents->context);
}
