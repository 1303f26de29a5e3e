/*-------------------------------------------------------------------------
 *
 * wholeswap.c
 *		Rank swapping of columns of which units have several values.
 *
 * Whole, all the values that a unit has of a column move together. Whatever the values of a unit are, after it they
 * are those of one unit of the source, so sums, means and what lies
 * between the records of a unit stay what they were, of somebody else.
 *
 * Memory: 28 bytes a record, and the values.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_type.h"
#include "kernel/base/codesort.h"
#include "method/swap.h"
#include "method/wholeswap.h"
#include "relation/base/memory.h"
#include "relation/base/progress.h"
#include "relation/column/grouprecords.h"
#include "relation/column/paircodes.h"
#include "relation/read/sourceunits.h"

/* A column at work. */
typedef struct WholeSwap
{
	const SdcUnits *units;
	SdcAttribute *attribute;
	SdcSpool   *spool;
	uint32	   *code;			/* of every record, in the order of the values; SDC_CODE_NULL */
	uint32		codes;
	double	   *number;			/* of every code */
	uint32	   *order;			/* the records of every unit, from the smallest value, those without one last */
	uint32	   *class;			/* of every unit: those with as many values */
	uint32		classes;
} WholeSwap;

/* number_codes gives every code its number: what the values of a unit are summed by. */
static void
number_codes(WholeSwap *swap, SdcDictionary *dictionary, SdcDictionaryCodes *coding)
{
	const SdcType *type = &swap->attribute->type;
	SdcCodedValues values = {dictionary, coding->number};
	bool		finite = type->kind != SDC_VALUE_NOMINAL;

	if (finite)
		swap->number = sdc_paircodes_numbers(type, &values, swap->codes);
	else
		swap->number = sdc_memory_array(swap->codes, sizeof(double));
	for (uint32 c = 0; c < swap->codes && finite; c++)
		finite = !isnan(swap->number[c]);
	/* what has no sum is summed by its rank among the different values */
	for (uint32 c = 0; c < swap->codes && !finite; c++)
		swap->number[c] = c + 1.0;
}

/* code_values gives the values of the column codes. */
static void
code_values(WholeSwap *swap)
{
	SdcAttribute *attribute = swap->attribute;
	SdcDictionary *dictionary = sdc_dictionary_create(&attribute->type);
	SdcDictionaryCodes coding;

	swap->code = sdc_paircodes_rank(attribute->column, dictionary, &coding)->code;
	swap->codes = coding.codes;
	number_codes(swap, dictionary, &coding);
	sdc_free(coding.code);
	sdc_free(coding.number);
	sdc_dictionary_destroy(dictionary);
}

/* order_values lists the records of every unit from the smallest value to the largest, equal ones in their order. */
static void
order_values(WholeSwap *swap)
{
	const SdcCodesort by_unit = {swap->units->of, 1, swap->units->count, NULL};
	/* a missing value is the last one of its unit */
	const SdcCodesort by_code = {swap->code, 1, swap->codes, NULL};

	swap->order = sdc_codesort_two(&by_unit, &by_code, swap->units->records);
}

/* count_values counts the values of a unit. */
static uint32
count_values(const WholeSwap *swap, uint32 unit)
{
	uint32		first = swap->units->start[unit];
	uint32		end = swap->units->start[unit + 1];

	while (end > first && swap->code[swap->order[end - 1]] == SDC_CODE_NULL)
		end--;
	return end - first;
}

/* class_values puts units with as many values into a class, in each stratum. */
static void
class_values(WholeSwap *swap, const SdcSource *source)
{
	uint32	   *stratum = sdc_sourceunits_strata(source);
	uint32	   *values = sdc_memory_array(swap->units->count, sizeof(uint32));

	for (uint32 u = 0; u < swap->units->count; u++)
		values[u] = count_values(swap, u);
	swap->class = sdc_memory_array(swap->units->count, sizeof(uint32));
	swap->classes = sdc_units_classes(swap->units->count, values, stratum, (uint32) source->strata_found, 1,
									  swap->class);
	sdc_free(values);
	if (stratum != NULL)
		sdc_free(stratum);
}

/* count_alone counts the units with values that are the only ones of their class. */
static uint64
count_alone(const WholeSwap *swap)
{
	uint32	   *members = sdc_memory_zeros(swap->classes, sizeof(uint32));
	uint64		alone = 0;

	for (uint32 u = 0; u < swap->units->count; u++)
		members[swap->class[u]]++;
	for (uint32 u = 0; u < swap->units->count; u++)
		alone += members[swap->class[u]] == 1 && count_values(swap, u) > 0;
	sdc_free(members);
	return alone;
}

/* sums_column has the sum of the values of every unit, and nothing for units without. */
static SdcColumn *
sums_column(const WholeSwap *swap)
{
	SdcColumn  *column = sdc_column_create(swap->spool, FLOAT8OID);

	for (uint32 u = 0; u < swap->units->count; u++)
	{
		uint32		values = count_values(swap, u);
		double		sum = 0;

		/* from the smallest, so that equal values have equal sums */
		for (uint32 i = 0; i < values; i++)
			sum += swap->number[swap->code[swap->order[swap->units->start[u] + i]]];
		sdc_column_append(column, Float8GetDatum(sum), values == 0);
		sdc_interrupts_step(u);
	}
	sdc_column_finish(column);
	return column;
}

/* donate_values has every record get the value of that one of the partner that comes as far from the smallest. */
static void
donate_values(WholeSwap *swap, const uint32 *partner)
{
	SdcAttribute *attribute = swap->attribute;
	SdcColumn  *after = sdc_column_create(swap->spool, sdc_column_type(attribute->column));
	Datum	   *value = sdc_column_load(attribute->column,
										sdc_memory_array(sdc_column_loaded_size(attribute->column), 1));
	uint32	   *donor = sdc_memory_array(swap->units->records, sizeof(uint32));

	for (uint32 u = 0; u < swap->units->count; u++)
		for (uint32 i = 0; i < sdc_units_size(swap->units, u); i++)
		{
			uint32		record = swap->order[swap->units->start[u] + i];

			/* a missing value stays where it is */
			donor[record] = swap->code[record] == SDC_CODE_NULL ? record :
				swap->order[swap->units->start[partner[u]] + i];
		}
	attribute->changed = 0;
	for (uint32 r = 0; r < swap->units->records; r++)
	{
		sdc_interrupts_step(r);
		attribute->changed += swap->code[r] != swap->code[donor[r]];
		sdc_column_append(after, value[donor[r]], swap->code[r] == SDC_CODE_NULL);
	}
	sdc_column_finish(after);
	sdc_free(donor);
	sdc_free(value);
	sdc_column_destroy(attribute->column);
	attribute->column = after;
}

/* swap_units swaps units by the sums of their values, and their values. */
static void
swap_units(WholeSwap *swap, const SdcSwapMethod *method, SdcRandom *random)
{
	SdcArena	arena = {0};
	SdcOrdering *ordering;
	SdcType		type;
	SdcOrderingTask task = {.type = &type, .random = random, .attribute = NameStr(swap->attribute->name),
	.strata = swap->classes, .arena = &arena};

	sdc_type_lookup(&type, FLOAT8OID, InvalidOid);
	task.column = sums_column(swap);
	task.stratum = sdc_grouprecords_column(swap->class, swap->units->count, 0, swap->spool);
	sdc_arena_reserve(&arena, sdc_swap_donors_memory(&task));
	donate_values(swap, sdc_swap_donors(&task, NULL, method, &ordering));
	sdc_arena_free(&arena);
	sdc_column_destroy(task.column);
	sdc_column_destroy(task.stratum);
}

/* swap_attribute swaps a column whole. */
static void
swap_attribute(const SdcMethodStep *step, SdcSource *source, SdcAttribute *attribute, SdcSpool *spool,
			   SdcRandom *random)
{
	WholeSwap	swap = {.units = source->units, .attribute = attribute, .spool = spool};

	code_values(&swap);
	order_values(&swap);
	class_values(&swap, source);
	attribute->alone = count_alone(&swap);
	swap_units(&swap, step->arguments, random);
}

/* swap_each swaps a column record by record. */
static void
swap_each(const SdcMethodStep *step, SdcSource *source, SdcAttribute *attribute, SdcSpool *spool, SdcRandom *random)
{
	SdcArena	arena = {0};
	SdcOrderingTask task = {.column = attribute->column, .type = &attribute->type, .stratum = source->stratum,
	.strata = source->strata_found, .random = random, .attribute = NameStr(attribute->name), .arena = &arena};
	SdcColumn  *after = sdc_swap_by_units(&task, spool, step->arguments, source->units->of, &attribute->changed,
										  &attribute->within_unit);

	attribute->counted_within = true;
	sdc_arena_free(&arena);
	sdc_column_destroy(attribute->column);
	attribute->column = after;
}

/* sdc_wholeswap_protect: see wholeswap.h. */
void
sdc_wholeswap_protect(SdcMethodStep *step, SdcSource *source, SdcSpool *spool, SdcRandom *random)
{
	for (int i = 0; i < source->attribute_count; i++)
	{
		SdcAttribute *attribute = &source->attributes[i];
		MemoryContext context;
		MemoryContext old;

		if (!sdc_step_is_of(step, attribute) || attribute->level != SDC_LEVEL_ROW)
			continue;
		context = AllocSetContextCreate(CurrentMemoryContext, "sdc whole swap", ALLOCSET_DEFAULT_SIZES);
		old = MemoryContextSwitchTo(context);
		if (step->unit_rows == SDC_UNIT_ROWS_WHOLE)
			swap_attribute(step, source, attribute, spool, random);
		else
			swap_each(step, source, attribute, spool, random);
		MemoryContextSwitchTo(old);
		MemoryContextDelete(context);
		sdc_progress_next();
	}
}
