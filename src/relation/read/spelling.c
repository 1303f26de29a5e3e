/*-------------------------------------------------------------------------
 *
 * spelling.c
 *		One way to write equal values.
 *
 * The different forms of a column's values are numbered (dictionary.h), as plain values, and counted; the type
 * then says which are equal.  Types whose equal values have one form are left out, among them numeric and
 * character with a length, which give all values the same scale or the same number of blanks.  Of a float only zeros
 * and what is not a number have several: they are written without a sign, and nothing has to be collected.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_type.h"
#include "kernel/base/kernel_env.h"
#include "miscadmin.h"
#include "relation/base/memory.h"
#include "relation/column/dictionary.h"
#include "relation/column/plainvalue.h"
#include "relation/column/types.h"
#include "relation/read/spelling.h"
#include "relation/rights/trust.h"
#include "utils/float.h"
#include "utils/fmgrprotos.h"
#include "utils/guc.h"
#include "utils/lsyscache.h"
#include "utils/numeric.h"
#include "utils/typcache.h"

/* The bits of a float: its sign, and what is infinite; beyond that it is not a number. */
#define FLOAT8_SIGN UINT64CONST(0x8000000000000000)
#define FLOAT8_INFINITY UINT64CONST(0x7FF0000000000000)

/* Forms that there is room for at first. */
#define FORMS_FIRST 64

struct SdcSpelling
{
	SdcType		type;
	MemoryContext context;		/* of all this */
	MemoryContext scratch;		/* of one value */
	FmgrInfo	output;
	SdcPlainType *plain;		/* how a value becomes plain, or NULL */
	SdcDictionary *dictionary;	/* the forms; NULL: of a float */
	uint32	   *records;		/* that have each, */
	uint64		space;			/* and for how many there is room */
	uint32	   *chosen;			/* the number of the form in whose place each is written, when that is known */
	bool		several;		/* a float is not written as it is to be */
};

/* have_one_form tells whether that holds of all columns of a row type. */
static bool
have_one_form(Oid row)
{
	TupleDesc	desc = lookup_rowtype_tupdesc(row, -1);
	bool		all = true;

	for (int i = 0; i < desc->natts && all; i++)
	{
		Form_pg_attribute att = TupleDescAttr(desc, i);

		all = att->attisdropped || sdc_spelling_is_one(att->atttypid, att->atttypmod, att->attcollation);
	}
	ReleaseTupleDesc(desc);
	return all;
}

/* sdc_spelling_is_one: see spelling.h. */
bool
sdc_spelling_is_one(Oid typid, int32 typmod, Oid collation)
{
	Oid			base = getBaseTypeAndTypmod(typid, &typmod);
	TypeCacheEntry *range;
	SdcWriting	writing;

	check_stack_depth();
	if (OidIsValid(collation) && !get_collation_isdeterministic(collation))
		return false;
	if (OidIsValid(get_element_type(base)))
		return sdc_spelling_is_one(get_element_type(base), typmod, collation);
	switch (get_typtype(base))
	{
		case TYPTYPE_RANGE:
			range = lookup_type_cache(base, TYPECACHE_RANGE_INFO);
			return sdc_spelling_is_one(range->rngelemtype->type_id, -1, range->rng_collation);
		case TYPTYPE_MULTIRANGE:
			return sdc_spelling_is_one(get_multirange_range(base), -1, InvalidOid);
		case TYPTYPE_COMPOSITE:
			return have_one_form(base);
		default:
			writing = sdc_type_known(base)->writing;
			return writing == SDC_WRITTEN_ALIKE || (writing == SDC_WRITTEN_BY_TYPMOD && typmod >= 0);
	}
}

/* is_compared tells whether values of a type must be compared to find equal ones; type is filled in. */
static bool
is_compared(SdcType *type, Oid typid, int32 typmod, Oid collation)
{
	sdc_type_lookup(type, typid, sdc_type_order_collation(collation));
	return type->orderable && get_typtype(type->base) != TYPTYPE_PSEUDO &&
		!sdc_spelling_is_one(typid, typmod, collation);
}

/* is_float tells whether values of a type are floats. */
static inline bool
is_float(const SdcType *type)
{
	return type->key == SDC_KEY_FLOAT4 || type->key == SDC_KEY_FLOAT8;
}

/* sdc_spelling_begin: see spelling.h. */
SdcSpelling *
sdc_spelling_begin(Oid typid, int32 typmod, Oid collation)
{
	SdcType		type;
	MemoryContext context;
	MemoryContext before;
	SdcSpelling *spelling;
	Oid			output;
	bool		varlena;

	if (!is_compared(&type, typid, typmod, collation))
		return NULL;
	context = AllocSetContextCreate(CurrentMemoryContext, "sdc spelling", ALLOCSET_SMALL_SIZES);
	before = MemoryContextSwitchTo(context);
	spelling = palloc0(sizeof(SdcSpelling));
	spelling->type = type;
	spelling->context = context;
	if (!is_float(&type))
	{
		spelling->scratch = AllocSetContextCreate(context, "sdc spelling value", ALLOCSET_DEFAULT_SIZES);
		spelling->plain = sdc_plainvalue_type(typid);
		spelling->dictionary = sdc_dictionary_create(&spelling->type);
		spelling->space = FORMS_FIRST;
		spelling->records = sdc_memory_array(spelling->space, sizeof(uint32));
		getTypeOutputInfo(type.base, &output, &varlena);
		fmgr_info(output, &spelling->output);
	}
	MemoryContextSwitchTo(before);
	return spelling;
}

/* sdc_spelling_end: see spelling.h. */
void
sdc_spelling_end(SdcSpelling *spelling)
{
	MemoryContextDelete(spelling->context);
}

/* plain_float returns a float as it is to be written: zero has no sign, and all that are not a number the same bits. */
static Datum
plain_float(const SdcSpelling *spelling, Datum value)
{
	double		number = spelling->type.key == SDC_KEY_FLOAT4 ? DatumGetFloat4(value) : DatumGetFloat8(value);

	if (likely(number != 0.0 && !isnan(number)))
		return value;
	number = isnan(number) ? get_float8_nan() : 0.0;
	return spelling->type.key == SDC_KEY_FLOAT4 ? Float4GetDatum((float4) number) : Float8GetDatum(number);
}

/* number_of returns the number of the form of a value, which is added if it is new. */
static uint32
number_of(SdcSpelling *spelling, Datum value)
{
	MemoryContext before;
	uint32		number;

	if (spelling->plain == NULL)
		return sdc_dictionary_number(spelling->dictionary, value);
	before = MemoryContextSwitchTo(spelling->scratch);
	number = sdc_dictionary_number(spelling->dictionary,
								   sdc_plainvalue_make(spelling->plain, TYPSTORAGE_EXTENDED, value));
	MemoryContextSwitchTo(before);
	MemoryContextReset(spelling->scratch);
	return number;
}

/* sdc_spelling_add: see spelling.h. */
uint32
sdc_spelling_add(SdcSpelling *spelling, Datum value, uint32 records)
{
	uint32		before;
	uint32		number;

	if (spelling->dictionary == NULL)
	{
		spelling->several |= plain_float(spelling, value) != value;
		return 0;
	}
	before = sdc_dictionary_count(spelling->dictionary);
	number = number_of(spelling, value);
	if (number == spelling->space)
	{
		spelling->space *= 2;
		spelling->records = sdc_memory_grow(spelling->context, spelling->records, number, spelling->space,
											sizeof(uint32));
	}
	if (number == before)
		spelling->records[number] = 0;
	spelling->records[number] += records;
	return number;
}

/* form_of returns the bytes of a form. */
static const char *
form_of(const SdcSpelling *spelling, uint32 number, Size *length)
{
	Datum		value = sdc_dictionary_value(spelling->dictionary, number);
	const SdcType *type = &spelling->type;

	if (type->typlen == -1)
	{
		*length = VARSIZE_ANY_EXHDR(DatumGetPointer(value));
		return VARDATA_ANY(DatumGetPointer(value));
	}
	*length = type->typlen == -2 ? strlen(DatumGetCString(value)) : (Size) type->typlen;
	return DatumGetPointer(value);
}

/* compare_forms orders two equal values: by the length of their text, by that, and by their bytes. */
static int
compare_forms(SdcSpelling *spelling, uint32 a, uint32 b)
{
	MemoryContext before = MemoryContextSwitchTo(spelling->scratch);
	const char *left = OutputFunctionCall(&spelling->output, sdc_dictionary_value(spelling->dictionary, a));
	const char *right = OutputFunctionCall(&spelling->output, sdc_dictionary_value(spelling->dictionary, b));
	Size		left_length = strlen(left);
	Size		right_length = strlen(right);
	int			order = left_length != right_length ? (left_length < right_length ? -1 : 1) : strcmp(left, right);

	if (order == 0 && !spelling->type.typbyval)
	{
		left = form_of(spelling, a, &left_length);
		right = form_of(spelling, b, &right_length);
		order = memcmp(left, right, Min(left_length, right_length));
		if (order == 0)
			order = left_length < right_length ? -1 : left_length > right_length;
	}
	MemoryContextSwitchTo(before);
	MemoryContextReset(spelling->scratch);
	return order;
}

/* is_better tells whether a form is chosen rather than another one of equal values. */
static bool
is_better(SdcSpelling *spelling, uint32 number, uint32 than)
{
	if (spelling->records[number] != spelling->records[than])
		return spelling->records[number] > spelling->records[than];
	return compare_forms(spelling, number, than) < 0;
}

/* choose chooses a form for each class of equal ones. */
static void
choose(SdcSpelling *spelling, const uint32 *class, uint32 classes)
{
	uint32		count = sdc_dictionary_count(spelling->dictionary);
	uint32	   *best = sdc_memory_array(classes, sizeof(uint32));
	int			nest = sdc_type_pin_settings();

	memset(best, 0xFF, (Size) classes * sizeof(uint32));
	for (uint32 n = 0; n < count; n++)
	{
		uint32	   *of = &best[class[n]];

		sdc_interrupts_step(n);
		if (*of == UINT32_MAX || is_better(spelling, n, *of))
			*of = n;
	}
	AtEOXact_GUC(true, nest);
	spelling->chosen = sdc_memory_array_in(spelling->context, count, sizeof(uint32));
	for (uint32 n = 0; n < count; n++)
	{
		sdc_interrupts_step(n);
		spelling->chosen[n] = best[class[n]];
	}
	sdc_free(best);
}

/* sdc_spelling_choose: see spelling.h. */
bool
sdc_spelling_choose(SdcSpelling *spelling)
{
	uint32	   *class;
	uint32		classes;

	if (spelling->dictionary == NULL)
		return spelling->several;
	class = sdc_dictionary_classes(spelling->dictionary, &classes);
	if (class == NULL)
		return false;
	choose(spelling, class, classes);
	sdc_free(class);
	return true;
}

/* sdc_spelling_value: see spelling.h. */
Datum
sdc_spelling_value(SdcSpelling *spelling, Datum value)
{
	if (spelling->dictionary == NULL)
		return plain_float(spelling, value);
	return sdc_dictionary_value(spelling->dictionary, spelling->chosen[number_of(spelling, value)]);
}

/* unify_numbers does so for a column of the numbers of values. */
static bool
unify_numbers(SdcAttribute *attribute, SdcSpelling *spelling)
{
	uint32		count = sdc_dictionary_count(attribute->dictionary);
	uint32	   *records = sdc_memory_zeros(count, sizeof(uint32));
	uint32	   *own = sdc_memory_array(count, sizeof(uint32));	/* numbers of spellings */
	uint32	   *first = sdc_memory_array(count, sizeof(uint32));	/* a number of each spelling */
	SdcColumnReader *reader = sdc_column_open(attribute->column);
	Datum		value;
	bool		several;

	for (uint64 r = 0; r < sdc_column_count(attribute->column); r++)
	{
		if (sdc_column_next(reader, &value))
			records[DatumGetInt32(value)]++;
		sdc_interrupts_step(r);
	}
	sdc_column_close(reader);
	for (uint32 n = 0; n < count; n++)
	{
		sdc_interrupts_step(n);
		own[n] = sdc_spelling_add(spelling, sdc_dictionary_value(attribute->dictionary, n), records[n]);
		first[own[n]] = n;
	}
	several = sdc_spelling_choose(spelling);
	for (uint32 n = 0; n < count && several; n++)
		sdc_dictionary_alias(attribute->dictionary, n, first[spelling->chosen[own[n]]]);
	sdc_free(first);
	sdc_free(own);
	sdc_free(records);
	return several;
}

/* respell replaces a column by one with the chosen spellings. */
static void
respell(SdcAttribute *attribute, SdcSpelling *spelling, SdcSpool *spool)
{
	SdcColumn  *result = sdc_column_create(spool, sdc_column_type(attribute->column));
	SdcColumnReader *reader = sdc_column_open(attribute->column);
	Datum		value;

	for (uint64 r = 0; r < sdc_column_count(attribute->column); r++)
	{
		bool		valid = sdc_column_next(reader, &value);

		sdc_column_append(result, valid ? sdc_spelling_value(spelling, value) : (Datum) 0, !valid);
		sdc_interrupts_step(r);
	}
	sdc_column_close(reader);
	sdc_column_finish(result);
	sdc_column_destroy(attribute->column);
	attribute->column = result;
}

/* add_floats notes the values of a reader that lie at hand, and returns how many, if they are floats of eight bytes. */
static uint32
add_floats(SdcSpelling *spelling, SdcColumnReader *reader)
{
	const char *values = reader->next;
	uint32		count = reader->plain;
	uint64		nan;
	uint64		odd = 0;

	if (spelling->type.key != SDC_KEY_FLOAT8 || count == 0)
		return 0;
	nan = (uint64) Float8GetDatum(get_float8_nan());
	for (uint32 i = 0; i < count; i++)
	{
		uint64		bits;

		memcpy(&bits, values + i * sizeof(bits), sizeof(bits));
		odd |= (bits == FLOAT8_SIGN) | (((bits & ~FLOAT8_SIGN) > FLOAT8_INFINITY) & (bits != nan));
	}
	spelling->several |= odd != 0;
	sdc_column_read_plain(reader, count);
	return count;
}

/* scale_of returns the decimals of a numeric, or -1 if it is not finite; equal ones with as many are written alike. */
static int32
scale_of(Datum value)
{
	LOCAL_FCINFO(call, 1);
	Numeric		number = DatumGetNumeric(value);
	int32		scale;

	InitFunctionCallInfoData(*call, NULL, 1, InvalidOid, NULL, NULL);
	call->args[0].value = NumericGetDatum(number);
	call->args[0].isnull = false;
	scale = DatumGetInt32(numeric_scale(call));
	if ((Pointer) number != DatumGetPointer(value))
		pfree(number);
	return call->isnull ? -1 : scale;
}

/* has_one_scale tells whether the finite values of a numeric column all have the same number of decimals. */
static bool
has_one_scale(const SdcAttribute *attribute)
{
	SdcColumnReader *reader = sdc_column_open(attribute->column);
	uint64		count = sdc_column_count(attribute->column);
	int32		scale = -1;
	bool		one = true;
	Datum		value;

	for (uint64 r = 0; r < count && one; r++)
	{
		int32		of = sdc_column_next(reader, &value) ? scale_of(value) : -1;

		one = of < 0 || scale < 0 || of == scale;
		scale = Max(scale, of);
		sdc_interrupts_step(r);
	}
	sdc_column_close(reader);
	return one;
}

/* unify_values does so for a column of values. */
static bool
unify_values(SdcAttribute *attribute, SdcSpelling *spelling, SdcSpool *spool)
{
	SdcColumnReader *reader;
	uint64		count = sdc_column_count(attribute->column);
	Datum		value;
	bool		several;

	if (spelling->type.base == NUMERICOID && has_one_scale(attribute))
		return false;
	reader = sdc_column_open(attribute->column);
	for (uint64 r = 0; r < count; r++)
	{
		uint32		many = add_floats(spelling, reader);

		if (many > 0)
			CHECK_FOR_INTERRUPTS();
		r += many;
		if (r == count)
			break;
		if (sdc_column_next(reader, &value))
			(void) sdc_spelling_add(spelling, value, 1);
		sdc_interrupts_step(r);
	}
	sdc_column_close(reader);
	several = sdc_spelling_choose(spelling);
	if (several)
		respell(attribute, spelling, spool);
	return several;
}

/* is_written tells whether an attribute is in a release, and not its key, in which no values are equal. */
static bool
is_written(const SdcAttribute *attribute)
{
	return attribute->action == SDC_ACTION_COPIED || attribute->action == SDC_ACTION_PROTECTED;
}

/* sdc_spelling_unify: see spelling.h. */
void
sdc_spelling_unify(SdcSource *source, SdcSpool *spool)
{
	for (int i = 0; i < source->attribute_count; i++)
	{
		SdcAttribute *attribute = &source->attributes[i];
		bool		same_type = !OidIsValid(attribute->release_type);
		SdcSpelling *spelling = !is_written(attribute) ? NULL :
			sdc_spelling_begin(same_type ? attribute->type.typid : attribute->release_type,
							   same_type ? attribute->typmod : -1, attribute->type.collation);

		if (spelling == NULL)
			continue;
		attribute->respelled = attribute->dictionary != NULL ? unify_numbers(attribute, spelling) :
			unify_values(attribute, spelling, spool);
		sdc_spelling_end(spelling);
	}
}

/* sdc_spelling_require_order: see spelling.h. */
void
sdc_spelling_require_order(const SdcSource *source)
{
	for (int i = 0; i < source->attribute_count; i++)
	{
		const SdcAttribute *attribute = &source->attributes[i];
		SdcType		type;

		if (is_written(attribute) &&
			is_compared(&type, attribute->type.typid, attribute->typmod, attribute->type.collation))
			sdc_trust_require_order(attribute->type.typid);
	}
}
