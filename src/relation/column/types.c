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

#include "catalog/pg_collation.h"
#include "catalog/pg_type.h"
#include "relation/base/compat.h"
#include "relation/base/spi.h"
#include "relation/column/types.h"
#include "utils/builtins.h"
#include "utils/guc.h"
#include "utils/lsyscache.h"
#include "utils/typcache.h"

/* type_key_kind returns how values of a base type become 64-bit keys. */
static SdcKeyKind
type_key_kind(Oid base)
{
	switch (base)
	{
		case INT2OID:
		case INT4OID:
		case INT8OID:
		case DATEOID:
		case TIMEOID:
		case TIMESTAMPOID:
		case TIMESTAMPTZOID:
		case CASHOID:
			return SDC_KEY_INT;
		case BOOLOID:
		case OIDOID:
			return SDC_KEY_UNSIGNED;
		case FLOAT4OID:
			return SDC_KEY_FLOAT4;
		case FLOAT8OID:
			return SDC_KEY_FLOAT8;
		default:
			return SDC_KEY_NONE;
	}
}

/*
 * type_sum_kind returns how values of a base type enter a checksum.  Bytes are taken
 * only where they are the same after a dump and restore into another database:
 * an enum is stored as an OID, an array contains its element type's OID.
 */
static SdcSumKind
type_sum_kind(Oid base)
{
	switch (base)
	{
		case TEXTOID:
		case VARCHAROID:
		case BPCHAROID:
		case BYTEAOID:
		case NUMERICOID:
		case UUIDOID:
		case INTERVALOID:
		case TIMETZOID:
			return SDC_SUM_BYTES;
		case OIDOID:
			return SDC_SUM_WORD;
		default:
			return type_key_kind(base) == SDC_KEY_NONE ? SDC_SUM_TEXT : SDC_SUM_WORD;
	}
}

/*
 * sdc_type_lookup fills in what is known of a type.  A type without a btree
 * order is marked as such; what cannot be done with it is the caller's error.
 */
void
sdc_type_lookup(SdcType *type, Oid typid, Oid collation)
{
	TypeCacheEntry *entry;

	memset(type, 0, sizeof(SdcType));
	type->typid = typid;
	type->base = getBaseType(typid);
	type->collation = collation;
	get_typlenbyval(typid, &type->typlen, &type->typbyval);
	type->key = type_key_kind(type->base);
	type->sum = type_sum_kind(type->base);

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
	switch (getBaseType(typid))
	{
		case INT2OID:
		case INT4OID:
		case INT8OID:
		case FLOAT4OID:
		case FLOAT8OID:
		case NUMERICOID:
		case CASHOID:
			return true;
		default:
			return false;
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
