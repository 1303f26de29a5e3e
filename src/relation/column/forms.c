/*-------------------------------------------------------------------------
 *
 * forms.c
 *		Which values of a column the ranges and sets contain that it was generalized to.
 *
 * Ranges and sets are taken as they are, whoever made or changed them: a range contains the values of the source
 * between its bounds, and a set those that are its elements.
 *
 * Memory: the value of each code as an end of a range.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "kernel/base/ordered.h"
#include "miscadmin.h"
#include "relation/base/compat.h"
#include "relation/base/memory.h"
#include "relation/column/forms.h"
#include "relation/column/rangevalue.h"
#include "utils/array.h"
#include "utils/datum.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/rangetypes.h"

/* sdc_forms_kind: see forms.h. */
SdcFormKind
sdc_forms_kind(Oid source_type, Oid release_type)
{
	Oid			source = getBaseType(source_type);
	Oid			element = get_element_type(release_type);

	if (OidIsValid(sdc_type_known(source)->range) && release_type == sdc_type_known(source)->range)
		return SDC_FORM_RANGE;
	return OidIsValid(element) && getBaseType(element) == source ? SDC_FORM_SET : SDC_FORM_OTHER;
}

/* code_value returns the original value with a code. */
static Datum
code_value(const SdcForms *forms, uint32 code)
{
	return sdc_dictionary_value(forms->dictionary, forms->coding->number[code]);
}

/*
 * list_bounds lists the values of all codes as ends of ranges.  There may be as many as records, and those of numeric
 * are not small.
 */
static Datum *
list_bounds(const SdcForms *forms)
{
	Oid			base = forms->type->base;
	uint32		codes = forms->coding->codes;
	Datum	   *bound = sdc_memory_array(codes, sizeof(Datum));
	MemoryContext one = AllocSetContextCreate(CurrentMemoryContext, "sdc range", ALLOCSET_SMALL_SIZES);
	SdcKept		kept = {0};
	int16		length;
	bool		byval;

	get_typlenbyval(get_range_subtype(sdc_type_known(base)->range), &length, &byval);
	for (uint32 c = 0; c < codes; c++)
	{
		MemoryContext old = MemoryContextSwitchTo(one);
		Datum		value = code_value(forms, c);

		bound[c] = sdc_rangevalue_own(base, value);
		MemoryContextSwitchTo(old);
		/* one that stays as it is lies in the dictionary */
		if (!byval && bound[c] != value)
			bound[c] = PointerGetDatum(sdc_memory_keep(&kept, DatumGetPointer(bound[c]),
													   datumGetSize(bound[c], byval, length)));
		MemoryContextReset(one);
		if (c % 4096 == 0)
			CHECK_FOR_INTERRUPTS();
	}
	return bound;
}

/* sdc_forms_begin: see forms.h. */
void
sdc_forms_begin(SdcForms *forms, SdcType *type, const SdcDictionary *dictionary,
				const SdcDictionaryCodes *coding, Oid release_type)
{
	forms->type = type;
	forms->dictionary = dictionary;
	forms->coding = coding;
	forms->range = NULL;
	forms->bound = NULL;
	forms->alone = NULL;
	if (sdc_forms_kind(type->typid, release_type) != SDC_FORM_RANGE)
		return;
	forms->range = lookup_type_cache(release_type, TYPECACHE_RANGE_INFO);
	forms->bound = list_bounds(forms);
	forms->alone = palloc(sizeof(RangeType *) * (coding->codes - coding->values + 1));
	for (uint32 c = coding->values; c < coding->codes; c++)
		forms->alone[c - coding->values] = sdc_rangevalue_range(forms->range, type->base, code_value(forms, c),
																code_value(forms, c));
}

/* sdc_forms_is_empty: see forms.h. */
bool
sdc_forms_is_empty(Oid release_type, Datum form)
{
	ArrayType  *array;

	if (!OidIsValid(get_element_type(release_type)))
		return RangeIsEmpty(DatumGetRangeTypeP(form));
	array = DatumGetArrayTypeP(form);
	return ArrayGetNItems(ARR_NDIM(array), ARR_DIMS(array)) == 0;
}

/* count_below counts the codes whose values are below a bound of a range, or with equal set not above it. */
static uint32
count_below(const SdcForms *forms, Datum limit, bool equal)
{
	uint32		low = 0;
	uint32		high = forms->coding->values;

	SDC_BISECT(low, high, middle, sdc_rangevalue_compare(forms->type->base, forms->bound[middle], limit) <
			   (equal ? 1 : 0));
	return low;
}

/* sdc_forms_range: see forms.h. */
SdcInterval
sdc_forms_range(const SdcForms *forms, Datum range)
{
	RangeBound	lower;
	RangeBound	upper;
	bool		empty;
	uint32		first;
	uint32		end;

	/* a missing code is in no range but its own */
	for (uint32 c = forms->coding->values; c < forms->coding->codes; c++)
		if (range_eq_internal(forms->range, DatumGetRangeTypeP(range), forms->alone[c - forms->coding->values]))
			return (SdcInterval) {c, c};
	range_deserialize(forms->range, DatumGetRangeTypeP(range), &lower, &upper, &empty);
	if (empty)
		return (SdcInterval) {1, 0};
	first = lower.infinite ? 0 : count_below(forms, lower.val, !lower.inclusive);
	end = upper.infinite ? forms->coding->values : count_below(forms, upper.val, upper.inclusive);
	return first < end ? (SdcInterval) {first, end - 1} : (SdcInterval) {1, 0};
}

/* find_code returns the code of a value, SDC_CODE_NULL if no original record has it. */
static uint32
find_code(const SdcForms *forms, Datum value)
{
	uint32		low = 0;
	uint32		high = forms->coding->values;

	for (uint32 c = high; c < forms->coding->codes; c++)
		if (sdc_type_equal(forms->type, code_value(forms, c), value))
			return c;
	SDC_BISECT(low, high, middle, sdc_type_compare(forms->type, code_value(forms, middle), value) < 0);
	return low < forms->coding->values && sdc_type_compare(forms->type, code_value(forms, low), value) == 0 ?
		low : SDC_CODE_NULL;
}

/* sdc_forms_set: see forms.h. */
int
sdc_forms_set(const SdcForms *forms, Datum set, uint32 **code, bool **null)
{
	ArrayType  *array = DatumGetArrayTypeP(set);
	Datum	   *value;
	int			count;
	int16		length;
	bool		byval;
	char		align;

	get_typlenbyvalalign(ARR_ELEMTYPE(array), &length, &byval, &align);
	deconstruct_array(array, ARR_ELEMTYPE(array), length, byval, align, &value, null, &count);
	*code = sdc_memory_array(Max(count, 1), sizeof(uint32));
	for (int i = 0; i < count; i++)
	{
		(*code)[i] = (*null)[i] ? SDC_CODE_NULL : find_code(forms, value[i]);
		CHECK_FOR_INTERRUPTS();
	}
	sdc_free(value);
	return count;
}
