/*-------------------------------------------------------------------------
 *
 * types.c
 *		What sdc must know of a column's type: order, equality, checksum.
 *
 * Order and equality are those of the type's default btree operator class, or
 * those of the base type of a domain.  For the types with an order-preserving
 * 64-bit key both give the same order.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_collation.h"
#include "catalog/pg_type.h"
#include "relation/base/compat.h"
#include "relation/base/spi.h"
#include "relation/column/types.h"
#include "utils/builtins.h"
#include "utils/cash.h"
#include "utils/date.h"
#include "utils/guc.h"
#include "utils/lsyscache.h"
#include "utils/numeric.h"
#include "utils/timestamp.h"
#include "utils/typcache.h"

#define NONE SDC_KEY_NONE, SDC_SUM_TEXT, SDC_VALUE_NOMINAL
#define BYTES SDC_KEY_NONE, SDC_SUM_BYTES, SDC_VALUE_NOMINAL
#define WORD(key, kind) SDC_KEY_##key, SDC_SUM_WORD, SDC_VALUE_##kind

/* All that differs by type.  Bytes are taken for a checksum only where they are the same in every database. */
static const SdcKnownType known_types[] = {
	/* type, its key, checksum and kind, how equal values are written, whatever the settings, ranges */
	{INT2OID, WORD(INT, NUMBER), SDC_WRITTEN_ALIKE, true, INT4RANGEOID},
	{INT4OID, WORD(INT, NUMBER), SDC_WRITTEN_ALIKE, true, INT4RANGEOID},
	{INT8OID, WORD(INT, NUMBER), SDC_WRITTEN_ALIKE, true, INT8RANGEOID},
	{FLOAT4OID, WORD(FLOAT4, NUMBER), SDC_WRITTEN_DIFFERENTLY, false, NUMRANGEOID},
	{FLOAT8OID, WORD(FLOAT8, NUMBER), SDC_WRITTEN_DIFFERENTLY, false, NUMRANGEOID},
	{NUMERICOID, SDC_KEY_NONE, SDC_SUM_BYTES, SDC_VALUE_NUMBER, SDC_WRITTEN_BY_TYPMOD, true, NUMRANGEOID},
	{CASHOID, WORD(INT, NUMBER), SDC_WRITTEN_ALIKE, false, NUMRANGEOID},
	{DATEOID, WORD(INT, TIME), SDC_WRITTEN_ALIKE, false, DATERANGEOID},
	{TIMEOID, WORD(INT, TIME), SDC_WRITTEN_ALIKE, false, InvalidOid},
	{TIMESTAMPOID, WORD(INT, TIME), SDC_WRITTEN_ALIKE, false, TSRANGEOID},
	{TIMESTAMPTZOID, WORD(INT, TIME), SDC_WRITTEN_ALIKE, false, TSTZRANGEOID},
	{TIMETZOID, BYTES, SDC_WRITTEN_ALIKE, false, InvalidOid},
	{INTERVALOID, BYTES, SDC_WRITTEN_DIFFERENTLY, false, InvalidOid},
	{BOOLOID, WORD(UNSIGNED, NOMINAL), SDC_WRITTEN_ALIKE, true, InvalidOid},
	{OIDOID, WORD(UNSIGNED, NOMINAL), SDC_WRITTEN_ALIKE, true, InvalidOid},
	{TEXTOID, BYTES, SDC_WRITTEN_ALIKE, true, InvalidOid},
	{VARCHAROID, BYTES, SDC_WRITTEN_ALIKE, true, InvalidOid},
	{BPCHAROID, BYTES, SDC_WRITTEN_BY_TYPMOD, true, InvalidOid},
	{NAMEOID, NONE, SDC_WRITTEN_ALIKE, true, InvalidOid},
	{CHAROID, NONE, SDC_WRITTEN_ALIKE, true, InvalidOid},
	{BYTEAOID, BYTES, SDC_WRITTEN_ALIKE, false, InvalidOid},
	{UUIDOID, BYTES, SDC_WRITTEN_ALIKE, true, InvalidOid},
	{JSONOID, NONE, SDC_WRITTEN_DIFFERENTLY, true, InvalidOid},
	{JSONBOID, NONE, SDC_WRITTEN_DIFFERENTLY, true, InvalidOid},
	{INETOID, NONE, SDC_WRITTEN_ALIKE, true, InvalidOid},
	{CIDROID, NONE, SDC_WRITTEN_ALIKE, true, InvalidOid},
	{MACADDROID, NONE, SDC_WRITTEN_ALIKE, true, InvalidOid},
	{MACADDR8OID, NONE, SDC_WRITTEN_ALIKE, true, InvalidOid},
	{BITOID, NONE, SDC_WRITTEN_ALIKE, true, InvalidOid},
	{VARBITOID, NONE, SDC_WRITTEN_ALIKE, true, InvalidOid},
	{XIDOID, NONE, SDC_WRITTEN_DIFFERENTLY, true, InvalidOid},
	{CIDOID, NONE, SDC_WRITTEN_DIFFERENTLY, true, InvalidOid},
	{TIDOID, NONE, SDC_WRITTEN_DIFFERENTLY, true, InvalidOid}
};

/* sdc_type_known: see types.h. */
const SdcKnownType *
sdc_type_known(Oid base)
{
	static const SdcKnownType enumeration = {InvalidOid, NONE, SDC_WRITTEN_ALIKE, true, InvalidOid};
	static const SdcKnownType other = {InvalidOid, NONE, SDC_WRITTEN_DIFFERENTLY, false, InvalidOid};

	for (int i = 0; i < (int) lengthof(known_types); i++)
		if (known_types[i].base == base)
			return &known_types[i];
	return get_typtype(base) == TYPTYPE_ENUM ? &enumeration : &other;
}

/*
 * sdc_type_lookup fills in what is known of a type.  A type without a btree
 * order is marked as such; what cannot be done with it is the caller's error.
 */
void
sdc_type_lookup(SdcType *type, Oid typid, Oid collation)
{
	TypeCacheEntry *entry;
	const SdcKnownType *known;

	memset(type, 0, sizeof(SdcType));
	type->typid = typid;
	type->base = getBaseType(typid);
	type->collation = collation;
	get_typlenbyval(typid, &type->typlen, &type->typbyval);
	known = sdc_type_known(type->base);
	type->key = known->key;
	type->sum = known->sum;
	type->kind = known->kind;

	entry = lookup_type_cache(type->base, TYPECACHE_LT_OPR | TYPECACHE_CMP_PROC | TYPECACHE_EQ_OPR);
	type->orderable = OidIsValid(entry->lt_opr) && OidIsValid(entry->cmp_proc) &&
		OidIsValid(entry->eq_opr);
	type->less = entry->lt_opr;
	if (type->orderable)
	{
		fmgr_info(get_opcode(entry->eq_opr), &type->equal);
		fmgr_info(entry->cmp_proc, &type->compare);
	}
	if (type->sum == SDC_SUM_TEXT)
	{
		Oid			output;
		bool		varlena;

		getTypeOutputInfo(typid, &output, &varlena);
		fmgr_info(output, &type->output);
	}
}

/*
 * sdc_type_order_collation returns the collation under which sdc orders a column where the order
 * must not depend on the locale: a deterministic collation gives way to "C", which has the same
 * equality.
 */
Oid
sdc_type_order_collation(Oid collation)
{
	if (!OidIsValid(collation) || !get_collation_isdeterministic(collation))
		return collation;
	return C_COLLATION_OID;
}

/* sdc_type_is_numeric tells whether a column of the type is protected by default. */
bool
sdc_type_is_numeric(Oid typid)
{
	return sdc_type_known(getBaseType(typid))->kind == SDC_VALUE_NUMBER;
}

/* sdc_type_is_integer tells whether a type is one of whole numbers. */
bool
sdc_type_is_integer(Oid base)
{
	return base == INT2OID || base == INT4OID || base == INT8OID;
}

/* sdc_type_refuse_new: see types.h. */
void
sdc_type_refuse_new(Oid typid, const char *column, const char *hint)
{
	if (DomainHasConstraints(typid))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("column \"%s\" cannot have new values", column),
				 errdetail("Its type %s is a domain with constraints, which they could violate.", format_type_be(typid)),
				 errhint("%s", hint)));
}

/* sdc_type_is_text tells whether a type is one of texts. */
bool
sdc_type_is_text(Oid base)
{
	return base == TEXTOID || base == VARCHAROID || base == BPCHAROID;
}

/* sdc_type_text: see types.h. */
Datum
sdc_type_text(Oid base, Datum value)
{
	return base == BPCHAROID ? DirectFunctionCall1(rtrim1, value) : value;
}

/* time_number returns the seconds of a timestamp, NaN for infinity. */
static double
time_number(Timestamp value)
{
	return TIMESTAMP_NOT_FINITE(value) ? NAN : (double) value / USECS_PER_SEC;
}

/* sdc_type_number returns the number of a value of a type that is not nominal. */
double
sdc_type_number(const SdcType *type, Datum value)
{
	double		number;

	switch (type->base)
	{
		case FLOAT8OID:
			number = DatumGetFloat8(value);
			break;
		case FLOAT4OID:
			number = (double) DatumGetFloat4(value);
			break;
		case NUMERICOID:
			number = DatumGetFloat8(DirectFunctionCall1(numeric_float8_no_overflow, value));
			break;
		case DATEOID:
			return DATE_NOT_FINITE(DatumGetDateADT(value)) ? NAN : (double) DatumGetDateADT(value);
		case TIMEOID:
			return (double) DatumGetTimeADT(value) / USECS_PER_SEC;
		case TIMESTAMPOID:
		case TIMESTAMPTZOID:
			return time_number(DatumGetTimestamp(value));
		default:
			return (double) sdc_type_word(type, value);
	}
	return isfinite(number) ? number : NAN;
}

/* sdc_type_from_numeric: see types.h. */
Datum
sdc_type_from_numeric(const SdcType *type, Datum decimal)
{
	switch (type->base)
	{
		case INT2OID:
			return DirectFunctionCall1(numeric_int2, decimal);
		case INT4OID:
			return DirectFunctionCall1(numeric_int4, decimal);
		case INT8OID:
			return DirectFunctionCall1(numeric_int8, decimal);
		case CASHOID:
			return DirectFunctionCall1(numeric_cash, decimal);
		case FLOAT4OID:
			return DirectFunctionCall1(numeric_float4, decimal);
		case FLOAT8OID:
			return DirectFunctionCall1(numeric_float8, decimal);
		default:
			return decimal;
	}
}

/* sdc_type_equal_slow asks the type's equality function. */
bool
sdc_type_equal_slow(SdcType *type, Datum a, Datum b)
{
	return DatumGetBool(FunctionCall2Coll(&type->equal, type->collation, a, b));
}

/* sdc_type_compare returns how two values compare in the type's btree order. */
int
sdc_type_compare(SdcType *type, Datum a, Datum b)
{
	if (type->key != SDC_KEY_NONE)
	{
		uint64		left = sdc_type_key(type, a);
		uint64		right = sdc_type_key(type, b);

		return left < right ? -1 : left > right;
	}
	return DatumGetInt32(FunctionCall2Coll(&type->compare, type->collation, a, b));
}

/* sdc_type_pin_settings sets what output functions depend on to fixed values. */
int
sdc_type_pin_settings(void)
{
	static const char *const settings[][2] = {
		{"extra_float_digits", "1"},
		{"datestyle", "ISO, YMD"},
		{"intervalstyle", "postgres"},
		{"timezone", "UTC"},
		{"bytea_output", "hex"},
		{"xmlbinary", "base64"},
		{"lc_monetary", "C"},
		{"search_path", "pg_catalog"},
		{"quote_all_identifiers", "off"}
	};
	int			nest = NewGUCNestLevel();

	for (int i = 0; i < (int) lengthof(settings); i++)
		sdc_spi_set_for_now(settings[i][0], settings[i][1]);
	return nest;
}

/* sdc_type_pin_names has names quoted only where they need it, as those that are kept are. */
int
sdc_type_pin_names(void)
{
	int			nest = NewGUCNestLevel();

	sdc_spi_set_for_now("quote_all_identifiers", "off");
	return nest;
}

/* sdc_type_checksum_slow is sdc_type_checksum of all that is not a number. */
void
sdc_type_checksum_slow(SdcType *type, SdcChecksum *sum, Datum value, bool isnull)
{
	/* a word of its own for NULL, and a different path through the mixing */
	if (isnull)
	{
		sdc_checksum_word(sum, UINT64_C(0x4E554C4C4E554C4C));
		sdc_checksum_word(sum, UINT64_C(0x6E756C6C6E756C6C));
		return;
	}
	switch (type->sum)
	{
		case SDC_SUM_WORD:
			sdc_checksum_word(sum, (uint64) sdc_type_word(type, value));
			break;
		case SDC_SUM_BYTES:
			if (type->typlen == -1)
			{
				struct varlena *plain = PG_DETOAST_DATUM_PACKED(value);

				sdc_checksum_bytes(sum, VARDATA_ANY(plain), VARSIZE_ANY_EXHDR(plain));
				if ((Pointer) plain != DatumGetPointer(value))
					pfree(plain);
			}
			else
				sdc_checksum_bytes(sum, DatumGetPointer(value), type->typlen);
			break;
		case SDC_SUM_TEXT:
			{
				char	   *text = OutputFunctionCall(&type->output, value);

				sdc_checksum_bytes(sum, text, strlen(text));
				pfree(text);
				break;
			}
	}
}
