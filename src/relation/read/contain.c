/*-------------------------------------------------------------------------
 *
 * contain.c
 *		Which values of one column the ranges and sets of another one contain.
 *
 * The values of the elements of arrays are added to the dictionary of the column whose values they are; the
 * ends of ranges are looked for among its values, which have the order of the ranges.
 *
 * A float column is generalized to ranges of numeric: its values are compared by their shortest text, as
 * they are when the ranges are made.  (A cast to numeric keeps 15 digits.)
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "relation/base/memory.h"
#include "relation/column/rangevalue.h"
#include "relation/read/contain.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/rangetypes.h"
#include "utils/typcache.h"

/* Types whose values can be compared, from the narrowest on: all before the common one are read as that. */
#define WIDENINGS 5
static const Oid widening[WIDENINGS][4] = {
	{INT2OID, INT4OID, INT8OID, NUMERICOID},
	{INT2OID, INT4OID, FLOAT8OID},
	{FLOAT4OID, FLOAT8OID},
	{VARCHAROID, BPCHAROID, TEXTOID},
	{DATEOID, TIMESTAMPOID}
};

/* refuse raises the error about types that cannot be compared. */
static void
refuse(const SdcClasses *outer, const SdcClasses *inner, int number)
{
	ereport(ERROR,
			(errcode(ERRCODE_DATATYPE_MISMATCH),
			 errmsg("column \"%s\" of relation \"%s\" cannot be compared with that of relation \"%s\"",
					outer->column[number].table.name, get_rel_name(outer->relid),
					get_rel_name(inner->relid)),
			 errdetail("Their types are %s and %s.", format_type_be(outer->column[number].table.type.typid),
					   format_type_be(inner->column[number].table.type.typid)),
			 errhint("The types must be the same, or the first one a range or an array of the second one.  Cast a column in a view.")));
}

/* common_type returns the type as which two types can be compared, or invalid. */
static Oid
common_type(Oid a, Oid b)
{
	if (a == b)
		return a;
	for (int i = 0; i < WIDENINGS; i++)
	{
		Oid			wider = InvalidOid;
		int			found = 0;

		for (int k = 0; k < (int) lengthof(widening[i]); k++)
			if (widening[i][k] == a || widening[i][k] == b)
			{
				wider = widening[i][k];
				found++;
			}
		if (found == 2)
			return wider == BPCHAROID ? TEXTOID : wider;
	}
	return InvalidOid;
}

/* read_as has a column read as a type. */
static void
read_as(SdcClasses *classes, int number, Oid typid)
{
	if (classes->column[number].table.type.base != typid)
		sdc_classes_cast(classes, number, typid);
}

/* plan_range plans ranges: whether the values are those of the range, in its order. */
static bool
plan_range(SdcContain *contain)
{
	TypeCacheEntry *range = lookup_type_cache(contain->outer->table.type.base, TYPECACHE_RANGE_INFO);
	SdcType    *type = &contain->inner->table.type;
	Oid			subtype;

	if (range->rngelemtype == NULL)
		return false;
	subtype = range->rngelemtype->type_id;
	if (!sdc_rangevalue_fits(type->base, subtype))
		return false;
	/* the values are sorted by the default order of their type */
	if (lookup_type_cache(getBaseType(subtype), TYPECACHE_CMP_PROC)->cmp_proc !=
		range->rng_cmp_proc_finfo.fn_oid)
		return false;
	if (OidIsValid(type->collation))
		type->collation = range->rng_collation;
	contain->kind = SDC_CONTAIN_RANGE;
	return true;
}

/* sdc_contain_plan: see contain.h. */
void
sdc_contain_plan(SdcContain *contain, SdcClasses *outer, SdcClasses *inner, int number)
{
	SdcType    *outer_type = &outer->column[number].table.type;
	SdcType    *inner_type = &inner->column[number].table.type;
	Oid			common = common_type(outer_type->base, inner_type->base);
	Oid			element = get_base_element_type(outer_type->base);

	memset(contain, 0, sizeof(SdcContain));
	contain->outer = &outer->column[number];
	contain->inner = &inner->column[number];
	if (OidIsValid(common))
	{
		read_as(outer, number, common);
		read_as(inner, number, common);
		if (outer_type->collation != inner_type->collation)
			ereport(ERROR,
					(errcode(ERRCODE_COLLATION_MISMATCH),
					 errmsg("column \"%s\" has different collations in relations \"%s\" and \"%s\"",
							outer->column[number].table.name, get_rel_name(outer->relid),
							get_rel_name(inner->relid)),
					 errhint("Give it one collation in a view.")));
		sdc_classes_share(inner, number, outer, number);
		return;
	}
	if (plan_range(contain))
		return;
	if (!OidIsValid(element) ||
		common_type(getBaseType(element), inner_type->base) != getBaseType(element))
		refuse(outer, inner, number);
	read_as(inner, number, getBaseType(element));
	contain->kind = SDC_CONTAIN_SET;
}

/* add_elements appends the elements of an array, as numbers in the dictionary of the values. */
static void
add_elements(Datum value, SdcCodeList *elements)
{
	ArrayType  *array = DatumGetArrayTypeP(value);
	int16		length;
	bool		byval;
	char		align;
	Datum	   *element;
	bool	   *null;
	int			count;

	get_typlenbyvalalign(ARR_ELEMTYPE(array), &length, &byval, &align);
	deconstruct_array(array, ARR_ELEMTYPE(array), length, byval, align, &element, &null, &count);
	for (int i = 0; i < count; i++)
		sdc_codelist_append(elements, element[i], null[i]);
}

/* sdc_contain_elements: see contain.h. */
void
sdc_contain_elements(SdcContain *contain)
{
	const SdcDictionary *arrays = contain->outer->table.dictionary;
	uint32		count = sdc_dictionary_count(arrays);
	SdcCodeList *elements;
	MemoryContext scratch;
	MemoryContext old;

	if (contain->kind != SDC_CONTAIN_SET)
		return;
	elements = sdc_codelist_create(contain->inner->table.dictionary);
	contain->start = sdc_memory_array((uint64) count + 1, sizeof(uint32));
	scratch = AllocSetContextCreate(CurrentMemoryContext, "sdc array", ALLOCSET_DEFAULT_SIZES);
	old = MemoryContextSwitchTo(scratch);
	for (uint32 i = 0; i < count; i++)
	{
		contain->start[i] = (uint32) elements->count;
		add_elements(sdc_dictionary_value(arrays, i), elements);
		MemoryContextReset(scratch);
		CHECK_FOR_INTERRUPTS();
		if (elements->count >= SDC_CODE_NULL)
			ereport(ERROR,
					(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
					 errmsg("column \"%s\" has arrays with too many elements", contain->outer->table.name)));
	}
	contain->start[count] = (uint32) elements->count;
	MemoryContextSwitchTo(old);
	MemoryContextDelete(scratch);
	contain->element = elements->code;
}

/* rank_elements makes codes of the numbers of elements. */
static void
rank_elements(SdcContain *contain)
{
	uint32		elements = contain->start[sdc_dictionary_count(contain->outer->table.dictionary)];

	for (uint32 i = 0; i < elements; i++)
	{
		if (contain->element[i] != SDC_CODE_NULL)
			contain->element[i] = contain->inner->table.coding.code[contain->element[i]];
		if (i % 65536 == 0)
			CHECK_FOR_INTERRUPTS();
	}
}

/*
 * first_code returns the first code whose value is not below a bound, for a lower one, or above it, for an
 * upper one.
 */
static uint32
first_code(const SdcContain *contain, TypeCacheEntry *range, const RangeBound *bound)
{
	const SdcCodedTableColumn *inner = &contain->inner->table;
	uint32		low = 0;
	uint32		high = inner->coding.codes;

	if (bound->infinite)
		return bound->lower ? 0 : inner->coding.codes;
	while (low < high)
	{
		uint32		middle = low + (high - low) / 2;
		Datum		value = sdc_rangevalue_of(inner->type.base,
											  sdc_dictionary_value(inner->dictionary, inner->coding.number[middle]),
											  range->rngelemtype->type_id);
		int			order = DatumGetInt32(FunctionCall2Coll(&range->rng_cmp_proc_finfo,
															range->rng_collation, value, bound->val));

		if (order < 0 || (order == 0 && bound->lower != bound->inclusive))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* find_range finds the codes that a range contains. */
static void
find_range(SdcContain *contain, TypeCacheEntry *range, uint32 code)
{
	const SdcCodedTableColumn *outer = &contain->outer->table;
	RangeType  *value = DatumGetRangeTypeP(sdc_dictionary_value(outer->dictionary,
																outer->coding.number[code]));
	RangeBound	lower;
	RangeBound	upper;
	bool		empty;
	uint32		behind;

	range_deserialize(range, value, &lower, &upper, &empty);
	if (empty)
	{
		contain->low[code] = contain->high[code] = SDC_CODE_NULL;
		return;
	}
	contain->low[code] = first_code(contain, range, &lower);
	behind = first_code(contain, range, &upper);
	/* nothing: a last code below the first one, which is not 0 then */
	contain->high[code] = behind == 0 ? 0 : behind - 1;
	if (behind <= contain->low[code])
	{
		contain->low[code] = 1;
		contain->high[code] = 0;
	}
}

/* number_sets finds the numbers of the arrays. */
static void
number_sets(SdcContain *contain)
{
	const SdcDictionaryCodes *coding = &contain->outer->table.coding;

	for (uint32 code = 0; code < coding->codes; code++)
	{
		uint32		set = coding->number[code];

		contain->low[code] = contain->start[set] == contain->start[set + 1] ? SDC_CODE_NULL : set;
	}
}

/* sdc_contain_codes: see contain.h. */
void
sdc_contain_codes(SdcContain *contain)
{
	uint32		codes = contain->outer->table.coding.codes;
	TypeCacheEntry *range;
	MemoryContext scratch;
	MemoryContext old;

	if (contain->kind == SDC_CONTAIN_EQUAL)
		return;
	contain->low = sdc_memory_array(codes, sizeof(uint32));
	if (contain->kind == SDC_CONTAIN_SET)
	{
		rank_elements(contain);
		number_sets(contain);
		return;
	}
	range = lookup_type_cache(contain->outer->table.type.base, TYPECACHE_RANGE_INFO);
	contain->high = sdc_memory_array(codes, sizeof(uint32));
	scratch = AllocSetContextCreate(CurrentMemoryContext, "sdc range", ALLOCSET_DEFAULT_SIZES);
	old = MemoryContextSwitchTo(scratch);
	for (uint32 code = 0; code < codes; code++)
	{
		find_range(contain, range, code);
		MemoryContextReset(scratch);
		CHECK_FOR_INTERRUPTS();
	}
	MemoryContextSwitchTo(old);
	MemoryContextDelete(scratch);
}
