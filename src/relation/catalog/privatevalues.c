/*-------------------------------------------------------------------------
 *
 * privatevalues.c
 *		Values of a column as bytes that can be read again elsewhere.
 *
 * A part stands for itself:
 *
 *	count (4 bytes), NULLs among them (4 bytes)
 *	a bit for every value, set for a NULL; missing where there is no NULL
 *	the values that are not NULL: numbers one after the other, others each with its length (4 bytes)
 *
 * Numbers have their lowest byte first, on every machine.  Nothing is an OID, and no setting of a session has a say, so
 * that a dump of the bytes means the same wherever it is restored.  What is read may be somebody's forgery: nothing of
 * a part is taken for true.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/transam.h"
#include "access/xact.h"
#include "catalog/pg_type.h"
#include "kernel/base/kernel_env.h"
#include "lib/stringinfo.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "relation/base/compat.h"
#include "relation/catalog/privatevalues.h"
#include "relation/column/types.h"
#include "relation/rights/trust.h"
#include "utils/builtins.h"
#include "utils/guc.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"

/* What is in front of a part, and of a value of varying length. */
#define HEAD_BYTES 8
#define LENGTH_BYTES 4

/* A part has not more values: of so many, even NULLs take a part. */
#define PART_VALUES (8 * SDC_PRIVATE_PART_BYTES)

/* Memory for the functions of a type is used again after so many values. */
#define SCRATCH_VALUES 64

/* A part that is being made. */
typedef struct Making
{
	uint32		count;
	uint32		nulls;
	StringInfoData null;		/* bits */
	StringInfoData value;		/* bytes */
	SdcPrivatePut put;
	void	   *arg;
} Making;

/* A part that is being read. */
typedef struct Reading
{
	const uint8 *at;
	const uint8 *end;
	const uint8 *null;			/* bits, or NULL */
	uint32		count;
} Reading;

/* put_number writes a number of so many bytes, the lowest first. */
static inline void
put_number(uint8 *to, uint64 number, int bytes)
{
	number = sdc_lowest_first(number);
	memcpy(to, &number, bytes);
}

/* get_number reads one. */
static inline uint64
get_number(const uint8 *from, int bytes)
{
	uint64		number = 0;

	memcpy(&number, from, bytes);
	return sdc_lowest_first(number);
}

/* kind_of returns how values of a base type become bytes. */
static SdcPrivateKind
kind_of(const SdcType *type)
{
	if (type->key != SDC_KEY_NONE)
		return SDC_PRIVATE_NUMBER;
	switch (type->base)
	{
		case BYTEAOID:
			return SDC_PRIVATE_BYTES;
		case TEXTOID:
		case VARCHAROID:
		case BPCHAROID:
			return SDC_PRIVATE_STRING;
		case NUMERICOID:
		case UUIDOID:
		case INTERVALOID:
		case TIMETZOID:
			return SDC_PRIVATE_SENT;
		default:
			return SDC_PRIVATE_TEXT;
	}
}

/* sdc_privatevalues_type: see privatevalues.h. */
void
sdc_privatevalues_type(SdcPrivateType *type, Oid typid, bool read)
{
	SdcType		known;
	Oid			function = InvalidOid;
	bool		varlena;
	int			nest = sdc_type_pin_names();

	memset(type, 0, sizeof(SdcPrivateType));
	sdc_type_lookup(&known, typid, InvalidOid);
	type->kind = kind_of(&known);
	type->base = known.base;
	type->typlen = known.typlen;
	type->name = known.base < FirstNormalObjectId ?
		format_type_extended(known.base, -1, FORMAT_TYPE_FORCE_QUALIFY) : pstrdup("");
	AtEOXact_GUC(true, nest);
	if (type->kind == SDC_PRIVATE_SENT && read)
		getTypeBinaryInputInfo(type->base, &function, &type->parameter);
	else if (type->kind == SDC_PRIVATE_SENT)
		getTypeBinaryOutputInfo(type->base, &function, &varlena);
	else if (type->kind == SDC_PRIVATE_TEXT && read)
	{
		sdc_trust_require_input(type->base);
		getTypeInputInfo(type->base, &function, &type->parameter);
	}
	else if (type->kind == SDC_PRIVATE_TEXT)
		getTypeOutputInfo(type->base, &function, &varlena);
	if (OidIsValid(function))
		fmgr_info(function, &type->function);
}

/* end_part has a part put where it belongs, and begins the next one. */
static void
end_part(Making *making)
{
	StringInfoData part;
	uint8		head[HEAD_BYTES];

	if (making->count == 0)
		return;
	CHECK_FOR_INTERRUPTS();
	put_number(head, making->count, 4);
	put_number(head + 4, making->nulls, 4);
	initStringInfo(&part);
	enlargeStringInfo(&part, HEAD_BYTES + making->null.len);
	appendBinaryStringInfo(&part, (char *) head, HEAD_BYTES);
	if (making->nulls > 0)
		appendBinaryStringInfo(&part, making->null.data, making->null.len);
	appendBinaryStringInfo(&part, making->value.data, making->value.len);
	making->put(making->arg, part.data, part.len);
	pfree(part.data);
	making->count = 0;
	making->nulls = 0;
	resetStringInfo(&making->null);
	resetStringInfo(&making->value);
}

/* add_null notes whether the next value is NULL. */
static inline void
add_null(Making *making, bool isnull)
{
	if (making->count % 8 == 0)
		appendStringInfoCharMacro(&making->null, '\0');
	if (isnull)
	{
		making->null.data[making->count / 8] |= (char) (1 << (making->count % 8));
		making->nulls++;
	}
	making->count++;
}

/* add_bytes adds a value of varying length; what does not fit the part begins another one. */
static void
add_bytes(Making *making, const void *bytes, Size length)
{
	uint8		head[LENGTH_BYTES];

	if (making->value.len > 0 && making->value.len + LENGTH_BYTES + length > SDC_PRIVATE_PART_BYTES)
		end_part(making);
	put_number(head, length, LENGTH_BYTES);
	appendBinaryStringInfo(&making->value, (char *) head, LENGTH_BYTES);
	appendBinaryStringInfo(&making->value, bytes, (int) length);
}

/* add_value adds a value that is not NULL. */
static void
add_value(Making *making, SdcPrivateType *type, Datum value)
{
	switch (type->kind)
	{
		case SDC_PRIVATE_BYTES:
		case SDC_PRIVATE_STRING:
			{
				struct varlena *plain = PG_DETOAST_DATUM_PACKED(value);

				add_bytes(making, VARDATA_ANY(plain), VARSIZE_ANY_EXHDR(plain));
				break;
			}
		case SDC_PRIVATE_SENT:
			{
				bytea	   *sent = SendFunctionCall(&type->function, value);

				add_bytes(making, VARDATA(sent), VARSIZE(sent) - VARHDRSZ);
				break;
			}
		default:
			{
				char	   *text = OutputFunctionCall(&type->function, value);

				add_bytes(making, text, strlen(text));
			}
	}
}

/* write_numbers makes parts of a column of numbers. */
static void
write_numbers(Making *making, SdcPrivateType *type, SdcColumnReader *reader, uint64 count)
{
	for (uint64 i = 0; i < count; i++)
	{
		Datum		value;
		bool		isnull;

		if (making->value.len + (int) sizeof(Datum) > SDC_PRIVATE_PART_BYTES || making->count >= PART_VALUES)
			end_part(making);
		isnull = !sdc_column_next(reader, &value);
		add_null(making, isnull);
		if (isnull)
			continue;
		put_number((uint8 *) making->value.data + making->value.len, (uint64) value, type->typlen);
		making->value.len += type->typlen;
	}
}

/* write_values makes parts of any other column.  The settings of the caller have no say in what output functions do. */
static void
write_values(Making *making, SdcPrivateType *type, SdcColumnReader *reader, uint64 count)
{
	MemoryContext scratch = AllocSetContextCreate(CurrentMemoryContext, "sdc private values",
												  ALLOCSET_DEFAULT_SIZES);
	int			nest = type->kind == SDC_PRIVATE_TEXT ? sdc_type_pin_settings() : 0;

	for (uint64 i = 0; i < count; i++)
	{
		Datum		value;
		bool		there = sdc_column_next(reader, &value);

		if (making->count >= PART_VALUES)
			end_part(making);
		if (there)
		{
			MemoryContext old = MemoryContextSwitchTo(scratch);

			add_value(making, type, value);
			MemoryContextSwitchTo(old);
		}
		add_null(making, !there);
		if (i % SCRATCH_VALUES == 0)
			MemoryContextReset(scratch);
		if (i % 4096 == 0)
			CHECK_FOR_INTERRUPTS();
	}
	if (nest != 0)
		AtEOXact_GUC(true, nest);
	MemoryContextDelete(scratch);
}

/* sdc_privatevalues_write: see privatevalues.h. */
void
sdc_privatevalues_write(SdcPrivateType *type, SdcColumn *column, SdcPrivatePut put, void *arg)
{
	SdcColumnReader *reader = sdc_column_open(column);
	uint64		count = sdc_column_count(column);
	Making		making = {0};

	making.put = put;
	making.arg = arg;
	initStringInfo(&making.null);
	initStringInfo(&making.value);
	enlargeStringInfo(&making.value, SDC_PRIVATE_PART_BYTES);
	if (type->kind == SDC_PRIVATE_NUMBER)
		write_numbers(&making, type, reader, count);
	else
		write_values(&making, type, reader, count);
	end_part(&making);
	pfree(making.null.data);
	pfree(making.value.data);
	sdc_column_close(reader);
}

/* begin_reading finds the ends of what a part has. */
static bool
begin_reading(Reading *reading, const bytea *part)
{
	uint32		nulls;
	uint32		bytes;

	reading->at = (const uint8 *) VARDATA_ANY(part);
	reading->end = reading->at + VARSIZE_ANY_EXHDR(part);
	reading->null = NULL;
	if (reading->end - reading->at < HEAD_BYTES)
		return false;
	reading->count = (uint32) get_number(reading->at, 4);
	nulls = (uint32) get_number(reading->at + 4, 4);
	reading->at += HEAD_BYTES;
	if (reading->count == 0 || reading->count > PART_VALUES || nulls > reading->count)
		return false;
	if (nulls == 0)
		return true;
	bytes = (reading->count + 7) / 8;
	if (reading->end - reading->at < (ptrdiff_t) bytes)
		return false;
	reading->null = reading->at;
	reading->at += bytes;
	return true;
}

/* is_null tells whether a value is NULL. */
static inline bool
is_null(const Reading *reading, uint32 i)
{
	return reading->null != NULL && (reading->null[i / 8] & (1 << (i % 8))) != 0;
}

/* number_of makes a number of a type, as if it were read from a table. */
static inline Datum
number_of(const SdcPrivateType *type, const uint8 *from)
{
	uint64		number = get_number(from, type->typlen);

	switch (type->typlen)
	{
		case 1:
			return BoolGetDatum(number != 0);
		case 2:
			return Int16GetDatum((int16) number);
		case 4:
			return Int32GetDatum((int32) number);
		default:
			return Int64GetDatum((int64) number);
	}
}

/* read_numbers appends numbers. */
static bool
read_numbers(Reading *reading, const SdcPrivateType *type, SdcColumn *column)
{
	for (uint32 i = 0; i < reading->count; i++)
	{
		if (is_null(reading, i))
		{
			sdc_column_append(column, (Datum) 0, true);
			continue;
		}
		if (reading->end - reading->at < type->typlen)
			return false;
		sdc_column_append(column, number_of(type, reading->at), false);
		reading->at += type->typlen;
	}
	return true;
}

/* received has a receive function make a value; it must take all bytes. */
static bool
received(SdcPrivateType *type, const uint8 *bytes, int length, Datum *value)
{
	StringInfoData buffer;

	buffer.data = (char *) bytes;
	buffer.len = length;
	buffer.maxlen = length;
	buffer.cursor = 0;
	*value = ReceiveFunctionCall(&type->function, &buffer, type->parameter, -1);
	return buffer.cursor == length;
}

/* value_of makes a value of bytes; there is an error of the server where they are no value. */
static bool
value_of(SdcPrivateType *type, int encoding, const uint8 *bytes, int length, Datum *value)
{
	char	   *text;

	if (type->kind == SDC_PRIVATE_BYTES)
	{
		*value = PointerGetDatum(cstring_to_text_with_len((const char *) bytes, length));
		return true;
	}
	if (type->kind == SDC_PRIVATE_SENT)
		return received(type, bytes, length, value);
	text = pg_any_to_server(pnstrdup((const char *) bytes, length), length, encoding);
	if (type->kind == SDC_PRIVATE_STRING)
		*value = PointerGetDatum(cstring_to_text(text));
	else
		*value = InputFunctionCall(&type->function, text, type->parameter, -1);
	return true;
}

/* read_values appends other values. */
static bool
read_values(Reading *reading, SdcPrivateType *type, int encoding, SdcColumn *column, MemoryContext scratch)
{
	for (uint32 i = 0; i < reading->count; i++)
	{
		Datum		value = (Datum) 0;
		uint32		length;

		if (i % 4096 == 0)
			CHECK_FOR_INTERRUPTS();
		if (i % SCRATCH_VALUES == 0)
			MemoryContextReset(scratch);
		if (is_null(reading, i))
		{
			sdc_column_append(column, value, true);
			continue;
		}
		if (reading->end - reading->at < LENGTH_BYTES)
			return false;
		length = (uint32) get_number(reading->at, LENGTH_BYTES);
		reading->at += LENGTH_BYTES;
		if (length > (uint64) (reading->end - reading->at) ||
			!value_of(type, encoding, reading->at, (int) length, &value))
			return false;
		sdc_column_append(column, value, false);
		reading->at += length;
	}
	return true;
}

/* is_about_values tells whether an error says that bytes are no value of a type: its message may have them. */
static bool
is_about_values(const ErrorData *error)
{
	int			category = ERRCODE_TO_CATEGORY(error->sqlerrcode);

	return error->sqlerrcode == ERRCODE_PROTOCOL_VIOLATION ||
		category == ERRCODE_TO_CATEGORY(ERRCODE_DATA_EXCEPTION) ||
		category == ERRCODE_TO_CATEGORY(ERRCODE_INTEGRITY_CONSTRAINT_VIOLATION) ||
		category == ERRCODE_TO_CATEGORY(ERRCODE_SYNTAX_ERROR_OR_ACCESS_RULE_VIOLATION);
}

/* try_values is read_values where an error about a value is false; then the transaction must fail. */
static bool
try_values(Reading *reading, SdcPrivateType *type, int encoding, SdcColumn *column, MemoryContext scratch)
{
	MemoryContext context = CurrentMemoryContext;
	volatile bool right = false;

	PG_TRY();
	{
		MemoryContextSwitchTo(scratch);
		right = read_values(reading, type, encoding, column, scratch);
	}
	PG_CATCH();
	{
		ErrorData  *error;

		MemoryContextSwitchTo(context);
		error = CopyErrorData();
		if (!is_about_values(error))
			PG_RE_THROW();
		FlushErrorState();
	}
	PG_END_TRY();
	MemoryContextSwitchTo(context);
	return right;
}

/* sdc_privatevalues_read: see privatevalues.h. */
int64
sdc_privatevalues_read(SdcPrivateType *type, int encoding, const bytea *part, SdcColumn *column)
{
	Reading		reading;
	bool		right;

	CHECK_FOR_INTERRUPTS();
	if (!begin_reading(&reading, part))
		return -1;
	if (type->kind == SDC_PRIVATE_NUMBER)
		right = read_numbers(&reading, type, column);
	else
	{
		MemoryContext scratch = AllocSetContextCreate(CurrentMemoryContext, "sdc private values",
													  ALLOCSET_DEFAULT_SIZES);
		int			nest = type->kind == SDC_PRIVATE_TEXT ? sdc_type_pin_settings() : 0;

		right = try_values(&reading, type, encoding, column, scratch);
		if (nest != 0)
			AtEOXact_GUC(true, nest);
		MemoryContextDelete(scratch);
	}
	return right && reading.at == reading.end ? (int64) reading.count : -1;
}
