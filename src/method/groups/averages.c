/*-------------------------------------------------------------------------
 *
 * averages.c
 *		A column whose values become those of groups: means, or medians.
 *
 * Memory: a value, 4 bytes of its state and 8 of its number for each record, and a value for each group.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_type.h"
#include "kernel/base/moments.h"
#include "kernel/base/units.h"
#include "method/groups/averages.h"
#include "relation/base/memory.h"
#include "relation/base/progress.h"
#include "relation/column/meanvalue.h"
#include "relation/column/paircodes.h"
#include "relation/read/missing.h"
#include "utils/builtins.h"
#include "utils/date.h"
#include "utils/datum.h"
#include "utils/lsyscache.h"
#include "utils/numeric.h"
#include "utils/timestamp.h"

/* Numbers beyond these are scaled: their squares would leave the range of doubles. */
#define LARGEST 1e120
#define SMALLEST 1e-120

/* is_enum tells whether the values of a type have nothing but an order. */
static bool
is_enum(const SdcType *type)
{
	return get_typtype(type->base) == TYPTYPE_ENUM;
}

/* sdc_averages_is_for: see averages.h. */
bool
sdc_averages_is_for(const SdcType *type)
{
	return (sdc_meanvalue_is_for(type) && type->base != TIMEOID) || is_enum(type);
}

/* ------------------------------------------------------------------------
 * Loading
 * ------------------------------------------------------------------------
 */

/* float_state tells what a binary number is. */
static SdcAverageState
float_state(double number)
{
	return isnan(number) ? SDC_AVERAGE_NAN : !isinf(number) ? SDC_AVERAGE_VALUE :
		number > 0 ? SDC_AVERAGE_ABOVE : SDC_AVERAGE_BELOW;
}

/* decimal_state tells what a decimal number is; one that no binary number comes near has no place. */
static SdcAverageState
decimal_state(const SdcAttribute *attribute, Datum value)
{
	double		number = DatumGetFloat8(DirectFunctionCall1(numeric_float8_no_overflow, value));

	if (isinf(number) && !numeric_is_inf(DatumGetNumeric(value)))
		ereport(ERROR,
				(errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
				 errmsg("column \"%s\" has a number that is out of the range of double precision",
						NameStr(attribute->name)),
				 errhint("Leave the column out, or take such numbers out in a view.")));
	return float_state(number);
}

/* value_state tells what a value is. */
static SdcAverageState
value_state(const SdcAttribute *attribute, Datum value)
{
	switch (attribute->type.base)
	{
		case FLOAT4OID:
			return float_state(DatumGetFloat4(value));
		case FLOAT8OID:
			return float_state(DatumGetFloat8(value));
		case NUMERICOID:
			return decimal_state(attribute, value);
		case DATEOID:
			return DATE_IS_NOEND(DatumGetDateADT(value)) ? SDC_AVERAGE_ABOVE :
				DATE_IS_NOBEGIN(DatumGetDateADT(value)) ? SDC_AVERAGE_BELOW : SDC_AVERAGE_VALUE;
		case TIMESTAMPOID:
		case TIMESTAMPTZOID:
			return TIMESTAMP_IS_NOEND(DatumGetTimestamp(value)) ? SDC_AVERAGE_ABOVE :
				TIMESTAMP_IS_NOBEGIN(DatumGetTimestamp(value)) ? SDC_AVERAGE_BELOW : SDC_AVERAGE_VALUE;
		default:
			return SDC_AVERAGE_VALUE;
	}
}

/* find_states finds what every record has. */
static void
find_states(SdcAverageColumn *column, uint64 records)
{
	SdcAttribute *attribute = column->attribute;
	SdcColumnReader *codes = attribute->coded == NULL ? NULL : sdc_column_open(attribute->coded);

	column->states = SDC_AVERAGE_CODE + (attribute->missing == NULL ? 0 : (uint32) attribute->missing->count);
	column->complete = true;
	column->state = sdc_memory_array(records, sizeof(uint32));
	for (uint64 r = 0; r < records; r++)
	{
		Datum		code;
		bool		coded = codes != NULL && sdc_column_next(codes, &code);

		sdc_interrupts_step(r);
		column->state[r] = coded ? SDC_AVERAGE_CODE + (uint32) sdc_missing_which(attribute, code) :
			!sdc_loadedvalues_valid(&column->values, (uint32) r) ? SDC_AVERAGE_NULL :
			value_state(attribute, column->values.value[r]);
		column->complete &= column->state[r] == SDC_AVERAGE_VALUE;
	}
	if (codes != NULL)
		sdc_column_close(codes);
}

/* number_ranks has the numbers be the places of values among those that the column has. */
static void
number_ranks(SdcAverageColumn *column, uint64 records)
{
	SdcDictionary *dictionary = sdc_dictionary_create(&column->attribute->type);
	SdcDictionaryCodes coding;
	SdcCodeList *list = sdc_paircodes_rank(column->attribute->column, dictionary, &coding);

	for (uint64 r = 0; r < records; r++)
	{
		sdc_interrupts_step(r);
		if (column->state[r] == SDC_AVERAGE_VALUE)
			column->number[r] = list->code[r];
	}
	sdc_free(coding.code);
	sdc_free(coding.number);
	sdc_free(list->code);
	sdc_dictionary_destroy(dictionary);
}

/*
 * number_values finds the numbers of values.  Whole numbers, dates and times are counted from the first one, which
 * doubles have exactly where they are less than 2^53 apart.
 */
static void
number_values(SdcAverageColumn *column, uint64 records)
{
	const SdcType *type = &column->attribute->type;
	bool		whole = type->key == SDC_KEY_INT;
	int64		first = 0;
	bool		found = false;

	for (uint64 r = 0; r < records; r++)
	{
		Datum		value = column->values.value[r];

		sdc_interrupts_step(r);
		if (column->state[r] != SDC_AVERAGE_VALUE)
			continue;
		if (whole && !found)
			first = sdc_type_word(type, value);
		found = true;
		column->number[r] = whole ? (double) ((int128) sdc_type_word(type, value) - first) :
			sdc_type_number(type, value);
	}
}

/* scale_numbers scales numbers by a power of two whose squares would overflow or vanish. */
static void
scale_numbers(SdcAverageColumn *column, uint64 records)
{
	double		largest = 0;
	int			exponent;

	for (uint64 r = 0; r < records; r++)
	{
		sdc_interrupts_step(r);
		if (column->state[r] == SDC_AVERAGE_VALUE)
			largest = fmax(largest, fabs(column->number[r]));
	}
	if (largest == 0 || (largest < LARGEST && largest > SMALLEST))
		return;
	(void) frexp(largest, &exponent);
	for (uint64 r = 0; r < records; r++)
	{
		sdc_interrupts_step(r);
		if (column->state[r] == SDC_AVERAGE_VALUE)
			column->number[r] = ldexp(column->number[r], -exponent);
	}
}

/* sdc_averages_load: see averages.h. */
void
sdc_averages_load(SdcAttribute *attribute, SdcAverageColumn *column)
{
	uint64		records = sdc_column_count(attribute->column);

	column->attribute = attribute;
	column->values = sdc_loadedvalues_load(attribute->column);
	find_states(column, records);
	column->number = sdc_memory_zeros(records, sizeof(double));
	if (is_enum(&attribute->type))
		number_ranks(column, records);
	else
		number_values(column, records);
	scale_numbers(column, records);
}

/* sdc_averages_free: see averages.h. */
void
sdc_averages_free(SdcAverageColumn *column)
{
	sdc_loadedvalues_free(&column->values);
	sdc_free(column->state);
	sdc_free(column->number);
}

/* ------------------------------------------------------------------------
 * Replacing
 * ------------------------------------------------------------------------
 */

/* The values of the groups of a column. */
typedef struct Centres
{
	SdcAverageColumn *column;
	SdcGroupRecords members;	/* the records of every group */
	bool		median;
	int32		typmod;			/* of the type below all domains */
	Datum	   *value;			/* by group; nothing where its records have no values */
	Datum	   *sorted;			/* room for those of a group */
	SdcKept		kept;			/* what values point to */
} Centres;

/* compare_values is for qsort_arg. */
static int
compare_values(const void *a, const void *b, void *type)
{
	return sdc_type_compare(type, *(const Datum *) a, *(const Datum *) b);
}

/* median_of returns the lower median of a group. */
static Datum
median_of(const Centres *centres, uint32 group)
{
	const uint32 *member = sdc_grouprecords_of(&centres->members, group);
	uint32		count = sdc_grouprecords_count(&centres->members, group);

	for (uint32 i = 0; i < count; i++)
		centres->sorted[i] = centres->column->values.value[member[i]];
	qsort_arg(centres->sorted, count, sizeof(Datum), compare_values, &centres->column->attribute->type);
	return centres->sorted[(count - 1) / 2];
}

/* mean_of returns the mean of a group. */
static Datum
mean_of(const Centres *centres, uint32 group)
{
	const SdcAttribute *attribute = centres->column->attribute;
	const uint32 *member = sdc_grouprecords_of(&centres->members, group);
	uint32		count = sdc_grouprecords_count(&centres->members, group);
	SdcMeanValue mean;
	Datum		value;

	sdc_meanvalue_begin(&mean, &attribute->type, centres->typmod);
	for (uint32 i = 0; i < count; i++)
	{
		sdc_interrupts_step(i);
		sdc_meanvalue_add(&mean, centres->column->values.value[member[i]], 1);
	}
	if (!sdc_meanvalue_end(&mean, &value))
		ereport(ERROR,
				(errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
				 errmsg("column \"%s\": the sum of the values of a group is out of range", NameStr(attribute->name)),
				 errhint("Use centre => 'median'.")));
	return value;
}

/* find_centres finds the values of all groups. */
static void
find_centres(Centres *centres)
{
	const SdcAverageColumn *column = centres->column;
	MemoryContext scratch = AllocSetContextCreate(CurrentMemoryContext, "sdc average", ALLOCSET_DEFAULT_SIZES);
	bool		byval = column->attribute->type.typbyval;

	centres->value = sdc_memory_array(centres->members.groups, sizeof(Datum));
	if (centres->median)
		centres->sorted = sdc_memory_array(sdc_units_largest(centres->members.start, centres->members.groups),
										   sizeof(Datum));
	for (uint32 g = 0; g < centres->members.groups; g++)
	{
		MemoryContext old;
		Datum		value;

		CHECK_FOR_INTERRUPTS();
		/* what a group's records have in a column is all of one kind */
		if (column->state[*sdc_grouprecords_of(&centres->members, g)] != SDC_AVERAGE_VALUE)
			continue;
		old = MemoryContextSwitchTo(scratch);
		value = centres->median ? median_of(centres, g) : mean_of(centres, g);
		MemoryContextSwitchTo(old);
		if (!byval)
			value = PointerGetDatum(sdc_memory_keep(&centres->kept, DatumGetPointer(value),
													datumGetSize(value, false, column->attribute->type.typlen)));
		centres->value[g] = value;
		MemoryContextReset(scratch);
	}
	if (centres->sorted != NULL)
		sdc_free(centres->sorted);
	MemoryContextDelete(scratch);
}

/* lose_codes takes the missing codes away from records that lose what they have. */
static void
lose_codes(SdcAttribute *attribute, const bool *lost, SdcSpool *spool)
{
	SdcColumnReader *reader = sdc_column_open(attribute->coded);
	SdcColumn  *left = sdc_column_create(spool, sdc_column_type(attribute->coded));
	uint64		records = sdc_column_count(attribute->coded);

	for (uint64 r = 0; r < records; r++)
	{
		Datum		code;
		bool		coded = sdc_column_next(reader, &code);

		sdc_interrupts_step(r);
		sdc_column_append(left, code, !coded || lost[r]);
	}
	sdc_column_close(reader);
	sdc_column_finish(left);
	sdc_column_destroy(attribute->coded);
	attribute->coded = left;
}

/* change_of returns by how much a value has become larger. */
static double
change_of(const SdcType *type, Datum before, Datum after)
{
	if (sdc_type_is_integer(type->base))
		return (double) ((int128) sdc_type_word(type, after) - sdc_type_word(type, before));
	return sdc_type_number(type, after) - sdc_type_number(type, before);
}

/* write_column makes the new column. */
static SdcColumn *
write_column(const Centres *centres, const SdcAverageGroups *groups, SdcSpool *spool)
{
	const SdcAverageColumn *column = centres->column;
	SdcAttribute *attribute = column->attribute;
	SdcColumn  *result = sdc_column_create(spool, sdc_column_type(attribute->column));
	uint64		records = sdc_column_count(attribute->column);
	bool		numbers = attribute->type.kind == SDC_VALUE_NUMBER;
	SdcMomentsSum change = {0, 0};

	attribute->changed = 0;
	for (uint64 r = 0; r < records; r++)
	{
		bool		lost = groups->lost != NULL && groups->lost[r];
		bool		valid = sdc_loadedvalues_valid(&column->values, (uint32) r) && !lost;
		Datum		value = column->values.value[r];

		if (valid && column->state[r] == SDC_AVERAGE_VALUE)
		{
			value = centres->value[groups->group[r]];
			if (numbers)
				sdc_moments_add(&change, change_of(&attribute->type, column->values.value[r], value));
		}
		attribute->changed += lost ? column->state[r] != SDC_AVERAGE_NULL :
			valid && !sdc_type_equal(&attribute->type, value, column->values.value[r]);
		sdc_column_append(result, value, !valid);
		if (r % 4096 == 0)
		{
			CHECK_FOR_INTERRUPTS();
			sdc_progress_records(r);
		}
	}
	sdc_column_finish(result);
	attribute->averages.total_change = numbers ? sdc_moments_total(&change) : NAN;
	return result;
}

/* sdc_averages_replace: see averages.h. */
void
sdc_averages_replace(SdcAverageColumn *column, const SdcAverageGroups *groups, bool median, SdcSpool *spool)
{
	SdcAttribute *attribute = column->attribute;
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "sdc averages", ALLOCSET_DEFAULT_SIZES);
	MemoryContext old = MemoryContextSwitchTo(context);
	Centres		centres = {.column = column, .median = median || is_enum(&attribute->type),
	.typmod = attribute->typmod};
	SdcColumn  *result;

	if (attribute->type.typid != attribute->type.base)
		(void) getBaseTypeAndTypmod(attribute->type.typid, &centres.typmod);
	sdc_grouprecords_list(groups->group, sdc_column_count(attribute->column), groups->groups, &centres.members);
	find_centres(&centres);
	MemoryContextSwitchTo(old);
	result = write_column(&centres, groups, spool);
	MemoryContextDelete(context);
	sdc_column_destroy(attribute->column);
	attribute->column = result;
	if (groups->lost != NULL && attribute->coded != NULL)
		lose_codes(attribute, groups->lost, spool);
}
