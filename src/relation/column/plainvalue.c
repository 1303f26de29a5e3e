/*-------------------------------------------------------------------------
 *
 * plainvalue.c
 *		Values without what shows of how they were stored.
 *
 * Scalar values are detoasted.  A composite value, range or multirange that has something inside with more than one
 * form is taken to pieces, and put together from plain ones; so is an array of such.  Elements of other arrays and the
 * ends of other ranges have one form already: the server sees to that.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/pg_type.h"
#include "funcapi.h"
#include "kernel/base/kernel_env.h"
#include "miscadmin.h"
#include "relation/base/compat.h"
#include "relation/column/plainvalue.h"
#include "utils/array.h"
#include "utils/lsyscache.h"
#include "utils/multirangetypes.h"
#include "utils/rangetypes.h"
#include "utils/typcache.h"

/* What a value is made of. */
typedef enum Shape
{
	SHAPE_BYTES,				/* nothing that the server knows of, or what has one form */
	SHAPE_ARRAY,
	SHAPE_RANGE,
	SHAPE_MULTIRANGE,
	SHAPE_RECORD
} Shape;

struct SdcPlainType
{
	Shape		shape;
	Oid			typid;			/* below all domains */
	SdcPlainType *inner;		/* of elements, ends or ranges; NULL: they have one form */
	Oid			element;		/* ARRAY: their type, */
	int16		length;			/* and what the server knows of it */
	bool		byval;
	char		align;
	TypeCacheEntry *range;		/* RANGE and MULTIRANGE: the type of the ranges */
	SdcPlainRecord *record;		/* RECORD */
};

struct SdcPlainRecord
{
	TupleDesc	desc;
	SdcPlainType *column[FLEXIBLE_ARRAY_MEMBER];	/* NULL: plain, or dropped */
};

static SdcPlainRecord *record_of(TupleDesc desc);

/* inner_type looks at a type inside another one; NULL: its values have one form there. */
static SdcPlainType *
inner_type(Oid typid)
{
	SdcPlainType *type = sdc_plainvalue_type(typid);

	return type == NULL || type->shape == SHAPE_BYTES ? NULL : type;
}

/* look_at_array notes the elements of an array type. */
static void
look_at_array(SdcPlainType *type, Oid element)
{
	type->shape = SHAPE_ARRAY;
	type->element = element;
	type->inner = inner_type(element);
	get_typlenbyvalalign(element, &type->length, &type->byval, &type->align);
}

/* look_at_range notes the ends of a range type, or the ranges of a multirange type. */
static void
look_at_range(SdcPlainType *type, Shape shape)
{
	Oid			range = shape == SHAPE_RANGE ? type->typid : get_multirange_range(type->typid);

	type->range = lookup_type_cache(range, TYPECACHE_RANGE_INFO);
	type->inner = inner_type(shape == SHAPE_RANGE ? type->range->rngelemtype->type_id : range);
	if (type->inner != NULL)
		type->shape = shape;
}

/* sdc_plainvalue_type: see plainvalue.h. */
SdcPlainType *
sdc_plainvalue_type(Oid typid)
{
	Oid			base = getBaseType(typid);
	SdcPlainType *type;

	check_stack_depth();
	if (get_typlen(base) != -1)
		return NULL;
	type = palloc0(sizeof(SdcPlainType));
	type->typid = base;
	type->shape = SHAPE_BYTES;
	if (OidIsValid(get_element_type(base)))
		look_at_array(type, get_element_type(base));
	else if (get_typtype(base) == TYPTYPE_RANGE)
		look_at_range(type, SHAPE_RANGE);
	else if (get_typtype(base) == TYPTYPE_MULTIRANGE)
		look_at_range(type, SHAPE_MULTIRANGE);
	else if (get_typtype(base) == TYPTYPE_COMPOSITE)
	{
		type->shape = SHAPE_RECORD;
		type->record = record_of(lookup_rowtype_tupdesc_copy(base, -1));
	}
	return type;
}

/* record_of looks at the columns of a record. */
static SdcPlainRecord *
record_of(TupleDesc desc)
{
	SdcPlainRecord *record = palloc0(offsetof(SdcPlainRecord, column) + sizeof(SdcPlainType *) * desc->natts);

	record->desc = desc;
	for (int i = 0; i < desc->natts; i++)
		if (!TupleDescAttr(desc, i)->attisdropped)
			record->column[i] = sdc_plainvalue_type(TupleDescAttr(desc, i)->atttypid);
	return record;
}

/* has_idle_list tells whether an array, which is not compressed, has a list of NULLs without a NULL. */
static bool
has_idle_list(const struct varlena *array)
{
	int32		offset;

	/* its header may be short, and the rest not aligned */
	memcpy(&offset, VARDATA_ANY(array) + offsetof(ArrayType, dataoffset) - VARHDRSZ, sizeof(offset));
	return offset != 0 && !array_contains_nulls(DatumGetArrayTypeP(PointerGetDatum(array)));
}

/* make_array puts an array together anew. */
static Datum
make_array(const SdcPlainType *type, Datum value)
{
	ArrayType  *array = DatumGetArrayTypeP(value);
	Datum	   *element;
	bool	   *null;
	int			count;

	deconstruct_array(array, type->element, type->length, type->byval, type->align, &element, &null, &count);
	for (int i = 0; i < count && type->inner != NULL; i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (!null[i])
			element[i] = sdc_plainvalue_make(type->inner, TYPSTORAGE_PLAIN, element[i]);
	}
	if (count == 0)
		return PointerGetDatum(construct_empty_array(type->element));
	return PointerGetDatum(construct_md_array(element, null, ARR_NDIM(array), ARR_DIMS(array), ARR_LBOUND(array),
											  type->element, type->length, type->byval, type->align));
}

/* make_bound makes the value at an end of a range plain, if there is one. */
static void
make_bound(const SdcPlainType *type, RangeBound *bound)
{
	if (!bound->infinite)
		bound->val = sdc_plainvalue_make(type->inner, TYPSTORAGE_EXTENDED, bound->val);
}

/* make_range_plain puts a range together anew. */
static Datum
make_range_plain(const SdcPlainType *type, Datum value)
{
	RangeBound	lower;
	RangeBound	upper;
	bool		empty;

	range_deserialize(type->range, DatumGetRangeTypeP(value), &lower, &upper, &empty);
	if (!empty)
	{
		make_bound(type, &lower);
		make_bound(type, &upper);
	}
	return RangeTypePGetDatum(sdc_range_serialize(type->range, &lower, &upper, empty));
}

/* make_multirange_plain puts a multirange together anew. */
static Datum
make_multirange_plain(const SdcPlainType *type, Datum value)
{
	RangeType **range;
	int32		count;

	multirange_deserialize(type->range, DatumGetMultirangeTypeP(value), &count, &range);
	for (int32 i = 0; i < count; i++)
		range[i] = DatumGetRangeTypeP(make_range_plain(type->inner, RangeTypePGetDatum(range[i])));
	return MultirangeTypePGetDatum(make_multirange(type->typid, type->range, count, range));
}

/* make_record puts a composite value together anew, with all attributes that its type has by now. */
static Datum
make_record(const SdcPlainType *type, Datum value)
{
	TupleDesc	desc = type->record->desc;
	HeapTupleHeader header = DatumGetHeapTupleHeader(value);
	HeapTupleData tuple = {.t_len = HeapTupleHeaderGetDatumLength(header), .t_data = header};
	Datum	   *values = palloc(sizeof(Datum) * Max(desc->natts, 1));
	bool	   *nulls = palloc(sizeof(bool) * Max(desc->natts, 1));

	if (HeapTupleHeaderGetTypeId(header) != type->typid)
		elog(ERROR, "composite value has type %u instead of %u", HeapTupleHeaderGetTypeId(header), type->typid);
	heap_deform_tuple(&tuple, desc, values, nulls);
	for (int i = 0; i < desc->natts; i++)
		nulls[i] |= TupleDescAttr(desc, i)->attisdropped;
	(void) sdc_plainrecord_make(type->record, values, nulls);
	return HeapTupleGetDatum(heap_form_tuple(desc, values, nulls));
}

/* make_bytes detoasts a value. */
static Datum
make_bytes(char storage, Datum value)
{
	return PointerGetDatum(storage == TYPSTORAGE_PLAIN ? PG_DETOAST_DATUM(value) : PG_DETOAST_DATUM_PACKED(value));
}

/* sdc_plainvalue_make: see plainvalue.h. */
Datum
sdc_plainvalue_make(const SdcPlainType *type, char storage, Datum value)
{
	check_stack_depth();
	switch (type->shape)
	{
		case SHAPE_BYTES:
			break;
		case SHAPE_ARRAY:
			value = PointerGetDatum(PG_DETOAST_DATUM_PACKED(value));
			if (type->inner != NULL || has_idle_list((struct varlena *) DatumGetPointer(value)))
				return make_array(type, value);
			break;
		case SHAPE_RANGE:
			return make_range_plain(type, value);
		case SHAPE_MULTIRANGE:
			return make_multirange_plain(type, value);
		case SHAPE_RECORD:
			return make_record(type, value);
	}
	return make_bytes(storage, value);
}

/* sdc_plainrecord_create: see plainvalue.h. */
SdcPlainRecord *
sdc_plainrecord_create(TupleDesc desc)
{
	SdcPlainRecord *record = record_of(desc);

	for (int i = 0; i < desc->natts; i++)
		if (record->column[i] != NULL)
			return record;
	pfree(record);
	return NULL;
}

/*
 * is_as_new tells whether a value lies in its record as it would in a new one: neither toasted, nor under another
 * header, which pg_column_size would show.
 */
static inline bool
is_as_new(char storage, const char *value)
{
	if (VARATT_IS_EXTERNAL(value) || VARATT_IS_COMPRESSED(value))
		return false;
	return storage == TYPSTORAGE_PLAIN ? !VARATT_IS_SHORT(value) : !VARATT_CAN_MAKE_SHORT(value);
}

/* sdc_plainrecord_make: see plainvalue.h. */
bool
sdc_plainrecord_make(const SdcPlainRecord *record, Datum *values, const bool *nulls)
{
	bool		as_new = true;

	for (int i = 0; i < record->desc->natts; i++)
	{
		char		storage = TupleDescAttr(record->desc, i)->attstorage;
		Datum		value = values[i];

		if (record->column[i] == NULL || nulls[i] ||
			(record->column[i]->shape == SHAPE_BYTES && is_as_new(storage, DatumGetPointer(value))))
			continue;
		values[i] = sdc_plainvalue_make(record->column[i], storage, value);
		as_new &= values[i] == value && is_as_new(storage, DatumGetPointer(value));
	}
	return as_new;
}
