/*-------------------------------------------------------------------------
 *
 * types.h
 *		What sdc must know of a column's type: order, equality, checksum.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_TYPES_H
#define SDC_RELATION_TYPES_H

#include "fmgr.h"
#include "kernel/base/checksum.h"
#include "kernel/base/sortkey.h"

/* How values of a type are turned into a 64-bit key that keeps their order. */
typedef enum SdcKeyKind
{
	SDC_KEY_NONE,				/* not possible: the type's comparator is used */
	SDC_KEY_INT,				/* integers, dates, timestamps: the value, signed */
	SDC_KEY_UNSIGNED,			/* boolean, oid: the value, unsigned */
	SDC_KEY_FLOAT4,
	SDC_KEY_FLOAT8
} SdcKeyKind;

/* How values of a type enter a checksum. */
typedef enum SdcSumKind
{
	SDC_SUM_WORD,				/* the bits of a pass-by-value number */
	SDC_SUM_BYTES,				/* the bytes, which mean the same in every database */
	SDC_SUM_TEXT				/* the output function's text (enum, array, ...) */
} SdcSumKind;

/* What the values of a type are to a measure. */
typedef enum SdcValueKind
{
	SDC_VALUE_NUMBER,			/* numbers, whose zero means something */
	SDC_VALUE_TIME,				/* dates and times: differences mean something */
	SDC_VALUE_NOMINAL			/* nothing but equality and order */
} SdcValueKind;

/* How the output function writes equal values, under fixed settings and a deterministic collation. */
typedef enum SdcWriting
{
	SDC_WRITTEN_ALIKE,
	SDC_WRITTEN_BY_TYPMOD,		/* alike in a column that has a type modifier */
	SDC_WRITTEN_DIFFERENTLY		/* perhaps */
} SdcWriting;

/*
 * What is known of a type beforehand.  A new type of columns has its line in types.c, and its ranges in rangevalue.c.
 */
typedef struct SdcKnownType
{
	Oid			base;
	SdcKeyKind	key;
	SdcSumKind	sum;
	SdcValueKind kind;
	SdcWriting	writing;
	bool		plain;			/* what the output function writes depends on no setting */
	Oid			range;			/* the ranges that it is generalized to, or invalid */
} SdcKnownType;

typedef struct SdcType
{
	Oid			typid;			/* as declared: may be a domain */
	Oid			base;			/* the type below all domains */
	int16		typlen;
	bool		typbyval;
	SdcKeyKind	key;
	SdcSumKind	sum;
	SdcValueKind kind;
	bool		orderable;		/* has a default btree operator class */
	Oid			less;			/* its < operator */
	Oid			collation;		/* compare under this one */
	FmgrInfo	equal;			/* its equality function */
	FmgrInfo	compare;		/* its comparison function */
	FmgrInfo	output;			/* set for SDC_SUM_TEXT */
} SdcType;

/* sdc_type_known returns what is known of the type below all domains; of one that is not in the table, nothing. */
extern const SdcKnownType *sdc_type_known(Oid base);

extern void sdc_type_lookup(SdcType *type, Oid typid, Oid collation);
extern Oid	sdc_type_order_collation(Oid collation);
extern bool sdc_type_is_numeric(Oid typid);
extern bool sdc_type_is_integer(Oid base);
extern bool sdc_type_is_text(Oid base);

/* sdc_type_text is a value of a type of texts as text: without the blanks that fill up char(n), which mean nothing. */
extern Datum sdc_type_text(Oid base, Datum value);

/* sdc_type_refuse_new insists on a type that takes any value that a method makes: on no domain with constraints. */
extern void sdc_type_refuse_new(Oid typid, const char *column, const char *hint);

/* sdc_type_number returns the number of a value of a type that is not nominal; NaN if it is not finite. */
extern double sdc_type_number(const SdcType *type, Datum value);

/* sdc_type_from_numeric returns a decimal number as a value of a type that has numbers. */
extern Datum sdc_type_from_numeric(const SdcType *type, Datum decimal);

extern bool sdc_type_equal_slow(SdcType *type, Datum a, Datum b);
extern int	sdc_type_compare(SdcType *type, Datum a, Datum b);
/*
 * sdc_type_pin_settings sets what output functions depend on to fixed values until the
 * caller ends the nest level that it returns with AtEOXact_GUC.  Nothing of
 * the caller's may run in between.
 */
extern int	sdc_type_pin_settings(void);

/* sdc_type_pin_names does so for names of types and columns that are kept: how they are quoted is a setting, too. */
extern int	sdc_type_pin_names(void);

extern void sdc_type_checksum_slow(SdcType *type, SdcChecksum *sum, Datum value, bool isnull);

/* sdc_type_word returns the bits of a pass-by-value number, sign-extended. */
static inline int64
sdc_type_word(const SdcType *type, Datum value)
{
	switch (type->typlen)
	{
		case 1:
			return (int64) DatumGetChar(value) & 0xFF;
		case 2:
			return DatumGetInt16(value);
		case 4:
			return DatumGetInt32(value);
		default:
			return DatumGetInt64(value);
	}
}

/* sdc_type_is_binary tells whether the values of a type are binary numbers, which decimal ones only come near. */
static inline bool
sdc_type_is_binary(const SdcType *type)
{
	return type->key == SDC_KEY_FLOAT4 || type->key == SDC_KEY_FLOAT8;
}

/* sdc_type_plain_bytes returns how many bytes a value has that is its word as it lies, 4 or 8; 0: it is not. */
static inline int16
sdc_type_plain_bytes(const SdcType *type)
{
	bool		plain = type->typlen == sizeof(int32) || type->typlen == sizeof(int64);

	return type->sum == SDC_SUM_WORD && plain ? type->typlen : 0;
}

/* sdc_type_checksum adds a value to a checksum; for SDC_SUM_TEXT the settings must be pinned. */
static inline void
sdc_type_checksum(SdcType *type, SdcChecksum *sum, Datum value, bool isnull)
{
	if (type->sum == SDC_SUM_WORD && !isnull)
		sdc_checksum_word(sum, (uint64) sdc_type_word(type, value));
	else
		sdc_type_checksum_slow(type, sum, value, isnull);
}

/* sdc_type_key returns the order-preserving key of a value; not for SDC_KEY_NONE. */
static inline uint64
sdc_type_key(const SdcType *type, Datum value)
{
	switch (type->key)
	{
		case SDC_KEY_FLOAT8:
			return sdc_sortkey_from_float8(DatumGetFloat8(value));
		case SDC_KEY_INT:
			return sdc_sortkey_from_int64(sdc_type_word(type, value));
		case SDC_KEY_FLOAT4:
			return sdc_sortkey_from_float8((double) DatumGetFloat4(value));
		case SDC_KEY_UNSIGNED:
			return type->typlen == 1 ? (uint64) DatumGetBool(value) : DatumGetObjectId(value);
		case SDC_KEY_NONE:
			break;
	}
	Assert(false);
	return 0;
}

/* sdc_type_equal tells whether two values are equal in the type's btree order. */
static inline bool
sdc_type_equal(SdcType *type, Datum a, Datum b)
{
	if (type->key == SDC_KEY_INT)
		return a == b;
	if (type->key != SDC_KEY_NONE)
		return a == b || sdc_type_key(type, a) == sdc_type_key(type, b);
	return sdc_type_equal_slow(type, a, b);
}

#endif							/* SDC_RELATION_TYPES_H */
