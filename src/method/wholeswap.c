/*-------------------------------------------------------------------------
 *
 * wholeswap.c
 *		Rank swapping of columns of which units have several values.
 *
 * Whole, all the values that a unit has of a column move together.  Afterwards the values of a unit are those of one
 * unit of the source, so sums, means and the distances between the records of a unit are those of another one.
 *
 * Memory: at most 21 bytes a record, 56 a unit, 28 for each record of the largest unit, and the values.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_type.h"
#include "kernel/base/rankorder.h"
#include "method/swap.h"
#include "method/wholeswap.h"
#include "relation/base/memory.h"
#include "relation/base/progress.h"
#include "relation/column/grouprecords.h"
#include "relation/column/loadedvalues.h"
#include "relation/column/paircodes.h"
#include "relation/read/sourceunits.h"

/* What lies at random places is fetched this many units, or records, ahead of its use. */
#define PREFETCH_UNITS 8
#define PREFETCH_RECORDS 24

/* A column at work. */
typedef struct WholeSwap
{
	const SdcUnits *units;
	SdcAttribute *attribute;
	SdcSpool   *spool;
	SdcLoadedValues values;
	uint32	   *code;			/* of every record, in the order of the values; NULL: they have keys and numbers */
	double	   *number;			/* of every code */
	uint32	   *order;			/* of every unit the records that have a value, from the smallest, */
	uint32	   *having;			/* and how many these are */
	uint32	   *class;			/* of every unit: those with as many values */
	uint32		classes;
} WholeSwap;

/* has_numbers tells whether the values have keys that order them, and numbers that have a sum. */
static bool
has_numbers(const WholeSwap *swap)
{
	const SdcType *type = &swap->attribute->type;

	if (type->key == SDC_KEY_NONE || type->kind == SDC_VALUE_NOMINAL)
		return false;
	for (uint32 r = 0; r < swap->units->records; r++)
	{
		sdc_interrupts_step(r);
		if (sdc_loadedvalues_valid(&swap->values, r) && isnan(sdc_type_number(type, swap->values.value[r])))
			return false;
	}
	return true;
}

/* number_codes gives every code its number: what the values of a unit are summed by. */
static void
number_codes(WholeSwap *swap, SdcDictionary *dictionary, SdcDictionaryCodes *coding)
{
	const SdcType *type = &swap->attribute->type;
	SdcCodedValues values = {dictionary, coding->number};
	bool		finite = type->kind != SDC_VALUE_NOMINAL;

	if (finite)
		swap->number = sdc_paircodes_numbers(type, &values, coding->codes);
	else
		swap->number = sdc_memory_array(coding->codes, sizeof(double));
	for (uint32 c = 0; c < coding->codes && finite; c++)
		finite = !isnan(swap->number[c]);
	/* what has no sum is summed by its rank among the different values */
	for (uint32 c = 0; c < coding->codes && !finite; c++)
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
	number_codes(swap, dictionary, &coding);
	sdc_free(coding.code);
	sdc_free(coding.number);
	sdc_dictionary_destroy(dictionary);
}

/* key_of returns what the value of a record is ordered by. */
static uint64
key_of(const WholeSwap *swap, uint32 record)
{
	if (swap->code != NULL)
		return swap->code[record];
	return sdc_type_key(&swap->attribute->type, swap->values.value[record]);
}

/* number_of returns what the value of a record is summed by. */
static double
number_of(const WholeSwap *swap, uint32 record)
{
	if (swap->code != NULL)
		return swap->number[swap->code[record]];
	return sdc_type_number(&swap->attribute->type, swap->values.value[record]);
}

/* order_values lists the records of every unit from the smallest value to the largest, equal ones in their order. */
static void
order_values(WholeSwap *swap)
{
	const SdcUnits *units = swap->units;
	uint32		longest = sdc_units_largest(units->start, units->count);
	uint64	   *key = sdc_memory_array(longest, sizeof(uint64));
	uint32	   *record = sdc_memory_array(longest, sizeof(uint32));
	void	   *work = sdc_memory_array(sdc_rankorder_memory(longest), 1);

	swap->order = sdc_memory_array(units->records, sizeof(uint32));
	swap->having = sdc_memory_array(units->count, sizeof(uint32));
	for (uint32 u = 0; u < units->count; u++)
	{
		uint32		having = 0;

		for (uint32 i = units->start[u]; i < units->start[u + 1]; i++)
		{
			sdc_interrupts_step(i);
			if (!sdc_loadedvalues_valid(&swap->values, units->member[i]))
				continue;
			record[having] = units->member[i];
			key[having++] = key_of(swap, units->member[i]);
		}
		sdc_rankorder_sort(key, record, having, NULL, work, swap->order + units->start[u]);
		swap->having[u] = having;
	}
	sdc_free(key);
	sdc_free(record);
	sdc_free(work);
}

/* class_values puts units with as many values into a class, in each stratum. */
static void
class_values(WholeSwap *swap, const SdcSource *source)
{
	uint32	   *stratum = sdc_sourceunits_strata(source);

	swap->class = sdc_memory_array(swap->units->count, sizeof(uint32));
	swap->classes = sdc_units_classes(swap->units->count, swap->having, stratum, (uint32) source->strata_found, 1,
									  swap->class);
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
		alone += members[swap->class[u]] == 1 && swap->having[u] > 0;
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
		double		sum = 0;

		/* from the smallest, so that equal values have equal sums */
		for (uint32 i = 0; i < swap->having[u]; i++)
			sum += number_of(swap, swap->order[swap->units->start[u] + i]);
		sdc_column_append(column, Float8GetDatum(sum), swap->having[u] == 0);
		sdc_interrupts_step(u);
	}
	sdc_column_finish(column);
	return column;
}

/* find_donors finds the record whose value every record gets, the partner's that comes as far from the smallest. */
static uint32 *
find_donors(const WholeSwap *swap, const uint32 *partner)
{
	const SdcUnits *units = swap->units;
	uint32	   *donor = sdc_memory_array(units->records, sizeof(uint32));

	/* a missing value stays where it is */
	for (uint32 r = 0; r < units->records; r++)
		donor[r] = r;
	for (uint32 u = 0; u < units->count; u++)
	{
		sdc_interrupts_step(u);
		if (u + PREFETCH_UNITS < units->count)
			__builtin_prefetch(&swap->order[units->start[partner[u + PREFETCH_UNITS]]]);
		for (uint32 i = 0; i < swap->having[u]; i++)
			donor[swap->order[units->start[u] + i]] = swap->order[units->start[partner[u]] + i];
	}
	return donor;
}

/* differ tells whether two records have different values. */
static bool
differ(const WholeSwap *swap, uint32 a, uint32 b)
{
	if (swap->code != NULL)
		return swap->code[a] != swap->code[b];
	return !sdc_type_equal(&swap->attribute->type, swap->values.value[a], swap->values.value[b]);
}

/* donate_values has every record get the value of its donor. */
static void
donate_values(WholeSwap *swap, const uint32 *partner)
{
	SdcAttribute *attribute = swap->attribute;
	SdcColumn  *after = sdc_column_create(swap->spool, sdc_column_type(attribute->column));
	uint32	   *donor = find_donors(swap, partner);

	attribute->changed = 0;
	for (uint32 r = 0; r < swap->units->records; r++)
	{
		bool		valid = sdc_loadedvalues_valid(&swap->values, r);

		sdc_interrupts_step(r);
		if (r + PREFETCH_RECORDS < swap->units->records)
			__builtin_prefetch(&swap->values.value[donor[r + PREFETCH_RECORDS]]);
		attribute->changed += valid && differ(swap, r, donor[r]);
		sdc_column_append(after, swap->values.value[donor[r]], !valid);
	}
	sdc_column_finish(after);
	sdc_free(donor);
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

	swap.values = sdc_loadedvalues_load(attribute->column);
	if (!has_numbers(&swap))
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
