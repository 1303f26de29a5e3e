/*-------------------------------------------------------------------------
 *
 * canonical.c
 *		Values as strings of bytes that mean the same on every server.
 *
 * The form of a number, date or timestamp is its order-preserving key; that of a string, its bytes
 * without the blanks that character(n) does not count; that of a numeric, its digits without zeros at
 * the end; that of an interval, the time that it stands for.  For all these types equal values have
 * equal forms.  Every other type is written by its output function, under fixed settings.  Its
 * values may be equal and written differently (citext, jsonb, arrays of numeric), as may
 * strings under a nondeterministic collation: such forms are turned into values again and compared.
 *
 * Of a type without a btree order, and of rows without a named type, values are taken for equal
 * when they are written alike.
 *
 * Output functions are slow, and fixing their settings slower: the last forms are remembered.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/pg_collation.h"
#include "catalog/pg_type.h"
#include "kernel/base/checksum.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "relation/base/compat.h"
#include "relation/column/canonical.h"
#include "relation/rights/trust.h"
#include "utils/builtins.h"
#include "utils/fmgrprotos.h"
#include "utils/guc.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"
#include "utils/timestamp.h"

/* Forms of so many different values are remembered, if value and form have so many bytes. */
#define REMEMBERED_BITS 12
#define REMEMBERED (1 << REMEMBERED_BITS)
#define REMEMBERED_BYTES 256

/* How values become forms. */
typedef enum ImageKind
{
	IMAGE_WORD = 'w',
	IMAGE_BYTES = 'b',
	IMAGE_TEXT = 't'			/* the output function's */
} ImageKind;

/* What a label begins with; the names of type and collation follow, each ended by a 0. */
typedef struct LabelHead
{
	uint8		kind;
	uint8		exact;			/* equal values have equal forms */
	uint8		unused[2];		/* 0 */
	int32		encoding;		/* of the forms; -1: in none */
} LabelHead;

/* A remembered form: the bytes of the value, then its text. */
typedef struct Remembered
{
	char	   *bytes;
	uint32		value_length;
	uint32		text_length;
} Remembered;

struct SdcCanonicalType
{
	SdcType		type;
	ImageKind	kind;
	bool		exact;
	bool		cstring;		/* values are C strings, and those of text */
	bool		pinned;			/* the output depends on settings */
	char	   *label;
	uint32		label_length;
	Remembered *remembered;		/* NULL until needed */
	MemoryContext context;		/* of all this */
};

/* known_element returns what is known of a type, and of an array what is known of its elements. */
static const SdcKnownType *
known_element(Oid base)
{
	Oid			element = get_element_type(base);

	return OidIsValid(element) ? known_element(getBaseType(element)) : sdc_type_known(base);
}

/* type_is_exact tells whether equal values have equal forms. */
static bool
type_is_exact(const SdcCanonicalType *type, bool nondeterministic)
{
	if (type->kind == IMAGE_WORD || (type->kind == IMAGE_BYTES && !nondeterministic))
		return true;
	if (type->kind == IMAGE_BYTES)
		return false;
	/* what cannot be compared, or read again, is only ever compared by form */
	if (!type->type.orderable || get_typtype(type->type.base) == TYPTYPE_PSEUDO)
		return true;
	return !nondeterministic && known_element(type->type.base)->writing == SDC_WRITTEN_ALIKE;
}

/* collation_name is the quoted, qualified name of a collation. */
static char *
collation_name(Oid collation)
{
	HeapTuple	tuple = SearchSysCache1(COLLOID, ObjectIdGetDatum(collation));
	Form_pg_collation form;
	char	   *name;

	if (!HeapTupleIsValid(tuple))
		elog(ERROR, "cache lookup failed for collation %u", collation);
	form = (Form_pg_collation) GETSTRUCT(tuple);
	name = quote_qualified_identifier(get_namespace_name(form->collnamespace),
									  NameStr(form->collname));
	ReleaseSysCache(tuple);
	return name;
}

/* make_label writes the label of a type; collation is one that matters, or invalid. */
static void
make_label(SdcCanonicalType *type, Oid collation)
{
	Oid			base = type->type.base;
	int			nest = sdc_type_pin_names();
	const char *name = format_type_extended(base, -1, FORMAT_TYPE_FORCE_QUALIFY);
	const char *collate = OidIsValid(collation) ? collation_name(collation) : "";
	LabelHead	head = {0};

	AtEOXact_GUC(true, nest);
	head.kind = (uint8) type->kind;
	head.exact = type->exact;
	head.encoding = type->kind == IMAGE_TEXT || type_is_collatable(base) ? GetDatabaseEncoding() : -1;
	type->label_length = (uint32) (sizeof(head) + strlen(name) + 1 + strlen(collate) + 1);
	type->label = palloc(type->label_length);
	memcpy(type->label, &head, sizeof(head));
	strcpy(type->label + sizeof(head), name);
	strcpy(type->label + sizeof(head) + strlen(name) + 1, collate);
}

/* sdc_canonical_type looks up how values of a type are written. */
SdcCanonicalType *
sdc_canonical_type(Oid typid, Oid collation)
{
	SdcCanonicalType *type = palloc0(sizeof(SdcCanonicalType));
	Oid			base = getBaseType(typid);
	bool		nondeterministic;

	type->context = CurrentMemoryContext;
	type->cstring = base == UNKNOWNOID || base == CSTRINGOID;
	if (type->cstring)
		base = TEXTOID;
	nondeterministic = type_is_collatable(base) && OidIsValid(collation) &&
		!get_collation_isdeterministic(collation);
	sdc_type_lookup(&type->type, base, nondeterministic ? collation :
					type_is_collatable(base) ? C_COLLATION_OID : InvalidOid);
	type->kind = type->type.key != SDC_KEY_NONE ? IMAGE_WORD :
		type->type.sum == SDC_SUM_BYTES ? IMAGE_BYTES : IMAGE_TEXT;
	type->exact = type_is_exact(type, nondeterministic);
	type->pinned = type->kind == IMAGE_TEXT && !known_element(base)->plain;
	make_label(type, nondeterministic ? collation : InvalidOid);
	return type;
}

/* sdc_canonical_label: see canonical.h. */
const void *
sdc_canonical_label(const SdcCanonicalType *type, uint32 *length)
{
	*length = type->label_length;
	return type->label;
}

/* interval_form takes an interval as days and microseconds of a day, as its comparison does. */
static void
interval_form(const Interval *interval, SdcCanonical *form)
{
	int64		days = interval->time / USECS_PER_DAY;
	int64		rest = interval->time % USECS_PER_DAY;

	if (rest < 0)
	{
		rest += USECS_PER_DAY;
		days--;
	}
	days += (int64) interval->month * DAYS_PER_MONTH + interval->day;
	form->words[0] = (uint64) days;
	form->words[1] = (uint64) rest;
	form->bytes = form->words;
	form->length = sizeof(form->words);
}

/* raw_bytes finds the bytes of a value as the server keeps it. */
static void
raw_bytes(const SdcType *type, Datum value, SdcCanonical *form)
{
	if (type->typbyval)
	{
		form->words[0] = (uint64) value;
		form->bytes = form->words;
		form->length = sizeof(form->words[0]);
	}
	else if (type->typlen == -1)
	{
		struct varlena *plain = PG_DETOAST_DATUM_PACKED(value);

		form->bytes = VARDATA_ANY(plain);
		form->length = (uint32) VARSIZE_ANY_EXHDR(plain);
	}
	else
	{
		form->bytes = DatumGetPointer(value);
		form->length = type->typlen > 0 ? (uint32) type->typlen :
			(uint32) strlen(DatumGetCString(value));
	}
}

/* bytes_form makes the form of a type whose bytes are known. */
static void
bytes_form(const SdcType *type, Datum value, SdcCanonical *form)
{
	switch (type->base)
	{
		case NUMERICOID:
			raw_bytes(type, DirectFunctionCall1(numeric_trim_scale, value), form);
			break;
		case INTERVALOID:
			interval_form(DatumGetIntervalP(value), form);
			break;
		case BPCHAROID:
			raw_bytes(type, value, form);
			form->length = (uint32) bpchartruelen((char *) form->bytes, (int) form->length);
			break;
		default:
			raw_bytes(type, value, form);
	}
}

/* output_text calls the output function. */
static char *
output_text(SdcCanonicalType *type, Datum value)
{
	char	   *text;
	int			nest;

	if (!type->pinned)
		return OutputFunctionCall(&type->type.output, value);
	nest = sdc_type_pin_settings();
	text = OutputFunctionCall(&type->type.output, value);
	AtEOXact_GUC(true, nest);
	return text;
}

/*
 * recall finds the remembered form of the value with some bytes: at one of two places, or else the
 * place that the form may take.
 */
static Remembered *
recall(SdcCanonicalType *type, const SdcCanonical *raw, bool *found)
{
	SdcChecksum sum = {SDC_CHECKSUM_INIT};
	Remembered *place = NULL;
	uint64		slot;

	if (type->remembered == NULL)
		type->remembered = MemoryContextAllocZero(type->context, REMEMBERED * sizeof(Remembered));
	sdc_checksum_bytes(&sum, raw->bytes, raw->length);
	/* the upper bits of a product depend on all bits of the sum */
	slot = (sum.state * UINT64CONST(0xFF51AFD7ED558CCD)) >> (64 - REMEMBERED_BITS);
	for (int i = 0; i < 2; i++)
	{
		Remembered *at = &type->remembered[slot ^ i];

		*found = at->bytes != NULL && at->value_length == raw->length &&
			memcmp(at->bytes, raw->bytes, raw->length) == 0;
		if (*found)
			return at;
		if (place == NULL || at->bytes == NULL)
			place = at;
	}
	return place;
}

/* remember keeps a form for the next value with these bytes. */
static void
remember(SdcCanonicalType *type, Remembered *place, const SdcCanonical *raw, const char *text)
{
	uint32		length = (uint32) strlen(text);

	if (raw->length + length > REMEMBERED_BYTES)
		return;
	if (place->bytes != NULL)
		pfree(place->bytes);
	place->bytes = MemoryContextAlloc(type->context, raw->length + length + 1);
	memcpy(place->bytes, raw->bytes, raw->length);
	memcpy(place->bytes + raw->length, text, length);
	place->value_length = raw->length;
	place->text_length = length;
}

/* text_form makes the form of any other type. */
static void
text_form(SdcCanonicalType *type, Datum value, SdcCanonical *form)
{
	Remembered *place;
	bool		found;

	raw_bytes(&type->type, value, form);
	place = recall(type, form, &found);
	if (found)
	{
		form->bytes = place->bytes + place->value_length;
		form->length = place->text_length;
	}
	else
	{
		char	   *text = output_text(type, value);

		remember(type, place, form, text);
		form->bytes = text;
		form->length = (uint32) strlen(text);
	}
}

/* sdc_canonical_make: see canonical.h. */
void
sdc_canonical_make(SdcCanonicalType *type, Datum value, SdcCanonical *form)
{
	if (type->kind == IMAGE_WORD)
	{
		form->words[0] = sdc_type_key(&type->type, value);
		form->bytes = form->words;
		form->length = sizeof(form->words[0]);
	}
	else if (type->cstring)
	{
		form->bytes = DatumGetCString(value);
		form->length = (uint32) strlen(DatumGetCString(value));
	}
	else if (type->kind == IMAGE_BYTES)
		bytes_form(&type->type, value, form);
	else
		text_form(type, value, form);
}

/* label_collation is the name of the collation in a valid label, or empty. */
static const char *
label_collation(const void *label)
{
	const char *name = (const char *) label + sizeof(LabelHead);

	return name + strlen(name) + 1;
}

/*
 * sdc_canonical_label_valid tells whether bytes are the label of forms that this server can
 * have.
 */
bool
sdc_canonical_label_valid(const void *label, uint32 length)
{
	const char *name = (const char *) label + sizeof(LabelHead);
	const char *end = (const char *) label + length;
	LabelHead	head;
	const char *collation;

	if (length < sizeof(LabelHead) + 2 || end[-1] != '\0')
		return false;
	memcpy(&head, label, sizeof(head));
	if ((head.kind != IMAGE_WORD && head.kind != IMAGE_BYTES && head.kind != IMAGE_TEXT) ||
		head.exact > 1 || (!head.exact && head.kind == IMAGE_WORD) ||
		head.unused[0] != 0 || head.unused[1] != 0)
		return false;
	collation = name + strlen(name) + 1;
	return collation < end && collation + strlen(collation) + 1 == end &&
		pg_verifymbstr(name, (int) strlen(name), true) &&
		pg_verifymbstr(collation, (int) strlen(collation), true);
}

/*
 * sdc_canonical_label_exact tells whether values with this label are equal only if their forms
 * are.
 */
bool
sdc_canonical_label_exact(const void *label)
{
	return ((const uint8 *) label)[offsetof(LabelHead, exact)] != 0;
}

/* sdc_canonical_label_text returns type, collation and encoding for a message. */
const char *
sdc_canonical_label_text(const void *label)
{
	LabelHead	head;
	StringInfoData text;

	memcpy(&head, label, sizeof(head));
	initStringInfo(&text);
	appendStringInfoString(&text, (const char *) label + sizeof(LabelHead));
	if (label_collation(label)[0] != '\0')
		appendStringInfo(&text, " COLLATE %s", label_collation(label));
	if (head.encoding >= 0 && head.encoding != GetDatabaseEncoding())
		appendStringInfo(&text, " (%s)", pg_encoding_to_char(head.encoding));
	return text.data;
}

/* sdc_canonical_type_of_label: see canonical.h. */
SdcCanonicalType *
sdc_canonical_type_of_label(const void *label, uint32 length)
{
	const char *name = (const char *) label + sizeof(LabelHead);
	const char *collation = label_collation(label);
	Oid			typid = DatumGetObjectId(DirectFunctionCall1(regtypein, CStringGetDatum(name)));
	Oid			collid = InvalidOid;
	SdcCanonicalType *type = NULL;

	if (collation[0] != '\0')
		collid = DatumGetObjectId(DirectFunctionCall1(regcollationin, CStringGetDatum(collation)));
	if (SearchSysCacheExists1(TYPEOID, ObjectIdGetDatum(typid)) &&
		(!OidIsValid(collid) || SearchSysCacheExists1(COLLOID, ObjectIdGetDatum(collid))))
		type = sdc_canonical_type(typid, collid);
	if (type == NULL || type->label_length != length || memcmp(type->label, label, length) != 0)
		ereport(ERROR,
				(errcode(ERRCODE_DATATYPE_MISMATCH),
				 errmsg("values of type %s cannot be read in this database",
						sdc_canonical_label_text(label)),
				 errdetail("The type, its collation or its encoding is another one.")));
	return type;
}

/*
 * sdc_canonical_values turns forms into values.  Of a form that somebody has made up, a string is
 * checked here, and the input function takes nothing that is no value of its type.
 */
void
sdc_canonical_values(SdcCanonicalType *type, const SdcTallyEntry *entries, uint64 count,
					 Datum *values)
{
	FmgrInfo	input;
	Oid			function;
	Oid			parameter;
	int			nest;

	Assert(!type->exact);
	sdc_trust_require_input(type->type.base);
	getTypeInputInfo(type->type.base, &function, &parameter);
	fmgr_info(function, &input);
	nest = sdc_type_pin_settings();
	for (uint64 i = 0; i < count; i++)
	{
		const char *bytes = entries[i].bytes;
		int			length = (int) entries[i].length;

		if (i % 1024 == 0)
			CHECK_FOR_INTERRUPTS();
		if (!pg_verifymbstr(bytes, length, true))
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_BINARY_REPRESENTATION),
					 errmsg("a value of type %s is not valid in the encoding of the database",
							sdc_canonical_label_text(type->label))));
		if (type->kind == IMAGE_BYTES)
			values[i] = PointerGetDatum(cstring_to_text_with_len(bytes, length));
		else
			values[i] = InputFunctionCall(&input, pnstrdup(bytes, (Size) length), parameter, -1);
	}
	AtEOXact_GUC(true, nest);
}

/* sdc_canonical_compare compares values in the order of the type. */
int
sdc_canonical_compare(SdcCanonicalType *type, Datum a, Datum b)
{
	return sdc_type_compare(&type->type, a, b);
}
