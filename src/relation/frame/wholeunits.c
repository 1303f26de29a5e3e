/*-------------------------------------------------------------------------
 *
 * wholeunits.c
 *		What the methods of a release tell about the units of its records.
 *
 * A column in which no unit has two values, in the source and in the release, was protected in the table of units: its
 * windows and positions are those of units.  Units of about the same size are a class, if they were swapped with such
 * only, and everybody knows of what class a unit is, as of strata; of a release that is continued it is that in which
 * the unit has joined.  Of a column that was swapped whole the windows are those of the sums, among units with equally
 * many values.
 *
 * What was protected without units was protected record by record, whoever looks for units.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_type.h"
#include "kernel/base/boxes.h"
#include "kernel/base/codesort.h"
#include "kernel/base/ordered.h"
#include "kernel/base/sortkey.h"
#include "kernel/base/wordsort.h"
#include "relation/base/memory.h"
#include "relation/base/names.h"
#include "relation/column/grouprecords.h"
#include "relation/frame/joinedclasses.h"
#include "relation/frame/wholeunits.h"
#include "relation/read/sourceunits.h"

/* copy_numbers copies an array to the current memory context. */
static uint32 *
copy_numbers(const uint32 *number, uint64 count)
{
	uint32	   *copy = sdc_memory_array(count, sizeof(uint32));

	memcpy(copy, number, count * sizeof(uint32));
	return copy;
}

/* copy_units copies units to the current memory context. */
static const SdcUnits *
copy_units(const SdcUnits *units)
{
	SdcUnits   *copy;

	if (units == NULL)
		return NULL;
	copy = palloc(sizeof(SdcUnits));
	*copy = (SdcUnits) {units->records, units->count, copy_numbers(units->of, units->records),
	copy_numbers(units->start, (uint64) units->count + 1), copy_numbers(units->member, units->records)};
	return copy;
}

/* number_others numbers units that other columns name: what is returned has these. */
static SdcSource *
number_others(SdcWholeLoading *loading)
{
	SdcSource  *source = sdc_source_copy(loading->opened->source, 0);
	ListCell   *cell;

	source->unit_count = 0;
	source->unit = palloc(sizeof(int) * list_length(loading->unit));
	foreach(cell, loading->unit)
		source->unit[source->unit_count++] = sdc_source_find_attribute(source, lfirst(cell), "unit");
	sdc_sourceunits_find(source);
	return source;
}

/* keeps_classes tells whether units stay in the class in which they joined, by a step. */
static bool
keeps_classes(const SdcStep *step)
{
	return sdc_parameters_true(step->parameters, SDC_PARAMETER_CONTINUED) &&
		sdc_steps_in_classes(step);
}

/* joined_classes finds in which classes units have joined; NULL: nothing says so, or no step cares. */
static const uint32 *
joined_classes(const SdcWholeLoading *loading)
{
	const SdcOpenRelease *opened = loading->opened;
	ListCell   *cell;

	foreach(cell, loading->steps)
		if (loading->made != NULL && keeps_classes(lfirst(cell)))
			return sdc_joinedclasses_read(&opened->row, loading->request->unnamed, opened->source);
	return NULL;
}

/* sdc_wholeunits_take: see wholeunits.h. */
void
sdc_wholeunits_take(SdcWholeLoading *loading, bool keys)
{
	SdcSource  *source = loading->opened->source;

	loading->made = copy_units(source->units);
	loading->joined = joined_classes(loading);
	if (loading->unit == NIL)
		return;
	if (loading->other)
		source = number_others(loading);
	loading->whole->units = loading->other ? source->units : loading->made;
	if (keys && loading->whole->by_units)
		sdc_recordkeys_load_units(&loading->whole->paired->keys, source);
}

/* is_by_units tells whether a step knew of the units of the release. */
static bool
is_by_units(const SdcWholeLoading *loading, const SdcStep *step)
{
	return loading->made != NULL && step != NULL &&
		sdc_parameters_has(step->parameters, SDC_PARAMETER_UNIT_SIZE);
}

/* class_units numbers the classes of units that a step has swapped within; NULL: there is one. */
static uint32 *
class_units(const SdcWholeLoading *loading, const SdcStep *step, uint32 *stratum, uint32 strata, uint32 *classes)
{
	const SdcUnits *units = loading->made;
	uint32	   *class;

	*classes = strata;
	if (!sdc_steps_in_classes(step))
		return stratum;
	class = sdc_memory_array(units->count, sizeof(uint32));
	if (loading->joined != NULL && keeps_classes(step))
		*classes = sdc_units_joined_classes(units, stratum, strata, sdc_steps_unit_class(step),
											copy_numbers(loading->joined, units->count), class);
	else
		*classes = sdc_units_size_classes(units, stratum, strata, sdc_steps_unit_class(step), class);
	return class;
}

/* ------------------------------------------------------------------------
 * Bins in the table of units
 * ------------------------------------------------------------------------
 */

/* sdc_wholeunits_table: see wholeunits.h. */
SdcSource *
sdc_wholeunits_table(SdcWholeLoading *loading, const SdcStep *step, const int *attribute, int count, SdcSpool **spool)
{
	SdcSource  *source = loading->opened->source;
	const SdcUnits *units = loading->made;
	SdcSource  *table;
	uint32		classes;
	uint32	   *class;

	if (!is_by_units(loading, step))
		return NULL;
	for (int i = 0; i < count; i++)
		if (sdc_sourceunits_level(units, &source->attributes[attribute[i]]) != SDC_LEVEL_UNIT)
			return NULL;
	*spool = sdc_spool_create(sdc_memory_budget() / 8, count + 1);
	table = sdc_source_copy(source, 0);
	table->records = units->count;
	table->units = NULL;
	class = class_units(loading, step, sdc_sourceunits_strata(source), (uint32) source->strata_found, &classes);
	table->stratum = class == NULL ? NULL : sdc_grouprecords_column(class, units->count, 0, *spool);
	table->strata_found = classes;
	for (int i = 0; i < count; i++)
		table->attributes[attribute[i]].column =
			sdc_sourceunits_first(units, source->attributes[attribute[i]].column, *spool);
	return table;
}

/* ------------------------------------------------------------------------
 * Levels
 * ------------------------------------------------------------------------
 */

/* is_of_units tells whether no unit has two codes; missing ones are one, or with blanks none. */
static bool
is_of_units(const SdcUnits *units, const uint32 *code, bool blanks)
{
	for (uint32 u = 0; u < units->count; u++)
	{
		uint32		first = code[units->member[units->start[u]]];

		for (uint32 i = units->start[u] + 1; i < units->start[u + 1]; i++)
		{
			uint32		other = code[units->member[i]];

			sdc_interrupts_step(i);
			if (blanks && first == SDC_CODE_NULL)
				first = other;
			if (other != first && !(blanks && other == SDC_CODE_NULL))
				return false;
		}
	}
	return true;
}

/* sdc_wholeunits_levels: see wholeunits.h. */
void
sdc_wholeunits_levels(SdcWholeLoading *loading)
{
	const SdcUnits *units = loading->made;

	for (int j = 0; j < loading->count; j++)
	{
		SdcKnownColumn *known = &loading->known[j];
		SdcCandidatesColumn *column = &loading->column[j];

		if (!is_by_units(loading, known->step) ||
			(known->kind != SDC_CANDIDATES_WINDOW && known->kind != SDC_CANDIDATES_RANDOMIZED))
			continue;
		if (!sdc_names_have(sdc_parameters_names(known->step->parameters, SDC_PARAMETER_ROW_LEVEL), known->name) &&
			is_of_units(units, column->original, false) && is_of_units(units, column->protected, column->blanks))
			known->swapped = SDC_SWAPPED_UNITS;
		else if (known->kind == SDC_CANDIDATES_WINDOW &&
				 sdc_parameters_is(known->step->parameters, SDC_PARAMETER_UNIT_ROWS, "whole"))
		{
			known->swapped = SDC_SWAPPED_WHOLE;
			known->blanks = column->blanks;
			known->kind = column->kind = SDC_CANDIDATES_UNKNOWN;
			column->blanks = false;
		}
	}
}

/* ------------------------------------------------------------------------
 * Columns by unit
 * ------------------------------------------------------------------------
 */

/* unit_strata is the stratum of every unit; NULL without strata. */
static uint32 *
unit_strata(const SdcWholeLoading *loading)
{
	const SdcUnits *units = loading->made;
	uint32	   *stratum;

	if (loading->whole->task.stratum == NULL)
		return NULL;
	stratum = sdc_memory_array(units->count, sizeof(uint32));
	for (uint32 u = 0; u < units->count; u++)
		stratum[u] = loading->whole->task.stratum[units->member[units->start[u]]];
	return stratum;
}

/* unit_codes is the code that every unit has, in all of its records that are not blanks. */
static uint32 *
unit_codes(const SdcUnits *units, const uint32 *code)
{
	uint32	   *of_unit = sdc_memory_array(units->count, sizeof(uint32));

	for (uint32 u = 0; u < units->count; u++)
	{
		uint32		i = units->start[u];

		sdc_interrupts_step(u);
		while (i + 1 < units->start[u + 1] && code[units->member[i]] == SDC_CODE_NULL)
			i++;
		of_unit[u] = code[units->member[i]];
	}
	return of_unit;
}

/*
 * number_codes gives every code of a column the number that it was summed by.  Where that is not there, or not finite,
 * it is the rank among the values of the source.
 */
static double *
number_codes(const SdcUnits *units, const SdcCandidatesColumn *column)
{
	double	   *number = sdc_memory_array(column->codes, sizeof(double));
	bool	   *occurs = sdc_memory_zeros(column->codes, sizeof(bool));
	bool		finite = column->value != NULL;
	double		rank = 0;

	for (uint32 i = 0; i < units->records; i++)
	{
		sdc_interrupts_step(i);
		if (column->original[i] != SDC_CODE_NULL)
			occurs[column->original[i]] = true;
	}
	for (uint32 c = 0; c < column->codes && finite; c++)
		finite = !occurs[c] || !isnan(column->value[c]);
	for (uint32 c = 0; c < column->codes; c++)
	{
		rank += occurs[c];
		number[c] = finite ? column->value[c] : rank;
		/* what another tool has put there has no place among sums */
		if (isnan(number[c]))
			number[c] = 0;
	}
	sdc_free(occurs);
	return number;
}

/* count_values counts the values that units have. */
static uint32 *
count_values(const SdcUnits *units, const uint32 *code)
{
	uint32	   *values = sdc_memory_zeros(units->count, sizeof(uint32));

	for (uint32 i = 0; i < units->records; i++)
	{
		sdc_interrupts_step(i);
		values[units->of[i]] += code[i] != SDC_CODE_NULL;
	}
	return values;
}

/* sum_units writes the sums of the values of units, as keys that have their order. */
static void
sum_units(const SdcUnits *units, const SdcCandidatesColumn *column, const uint32 *code, const double *number,
		  uint64 *key)
{
	uint32	   *by_code = sdc_memory_array(units->records, sizeof(uint32));
	uint32	   *start = sdc_memory_array((uint64) column->codes + 1, sizeof(uint32));
	double	   *sum = sdc_memory_zeros(units->count, sizeof(double));
	uint32		credit = 0;

	/* from the smallest, so that equal values have equal sums */
	sdc_codesort_pass(&(SdcCodesort) {code, 1, column->codes, NULL}, NULL, by_code, units->records, start, &credit);
	for (uint32 i = 0; i < units->records; i++)
		if (code[by_code[i]] != SDC_CODE_NULL)
			sum[units->of[by_code[i]]] += number[code[by_code[i]]];
	for (uint32 u = 0; u < units->count; u++)
		key[u] = sdc_sortkey_from_float8(sum[u]);
	sdc_free(sum);
	sdc_free(start);
	sdc_free(by_code);
}

/* rank_sums gives keys codes in their order, and returns how many there are. */
static uint32
rank_sums(const uint64 *key, uint32 count, uint32 *code)
{
	uint64	   *word = sdc_memory_array(count, sizeof(uint64));
	uint64	   *spare = sdc_memory_array(count, sizeof(uint64));
	uint64	   *sorted;
	uint32		sums = 0;

	memcpy(word, key, count * sizeof(uint64));
	sorted = sdc_wordsort(word, spare, count, 0, 64);
	for (uint32 i = 0; i < count; i++)
		if (i == 0 || sorted[i] != sorted[i - 1])
			sorted[sums++] = sorted[i];
	for (uint32 i = 0; i < count; i++)
	{
		uint32		low = 0;
		uint32		high = sums;

		sdc_interrupts_step(i);
		SDC_BISECT(low, high, middle, sorted[middle] < key[i]);
		code[i] = low;
	}
	sdc_free(word);
	sdc_free(spare);
	return sums;
}

/* sum_column makes the column of the sums of one that was swapped whole, in classes of as many values. */
static void
sum_column(const SdcWholeLoading *loading, int number, SdcUnitColumn *made, uint32 *stratum)
{
	const SdcUnits *units = loading->made;
	const SdcCandidatesColumn *column = &loading->column[number];
	uint32		count = units->count;
	uint64	   *key = sdc_memory_array(2 * (uint64) count, sizeof(uint64));
	uint32	   *sum = sdc_memory_array(2 * (uint64) count, sizeof(uint32));
	uint32	   *class = sdc_memory_array(count, sizeof(uint32));
	double	   *of_code = number_codes(units, column);
	uint32	   *had = count_values(units, column->original);
	uint32	   *has = count_values(units, column->protected);

	sum_units(units, column, column->original, of_code, key);
	sum_units(units, column, column->protected, of_code, key + count);
	made->column.codes = rank_sums(key, 2 * count, sum);
	for (uint32 u = 0; u < count; u++)
	{
		if (had[u] == 0)
			sum[u] = SDC_CODE_NULL;
		if (has[u] == 0 || (loading->known[number].blanks && has[u] < sdc_units_size(units, u)))
			sum[count + u] = SDC_CODE_NULL;
	}
	made->column.original = sum;
	made->column.protected = sum + count;
	made->task.strata = sdc_units_classes(count, had, stratum, Max(loading->whole->task.strata, 1), 1, class);
	made->task.stratum = class;
	sdc_free(has);
	sdc_free(had);
	sdc_free(of_code);
	sdc_free(key);
}

/* sdc_wholeunits_column: see wholeunits.h. */
SdcUnitColumn *
sdc_wholeunits_column(SdcWholeLoading *loading, int number)
{
	const SdcKnownColumn *known = &loading->known[number];
	const SdcCandidatesColumn *column = &loading->column[number];
	const SdcUnits *units = loading->made;
	SdcUnitColumn *made;
	uint32	   *stratum;

	if (known->swapped == SDC_SWAPPED_RECORDS)
		return NULL;
	made = palloc0(sizeof(SdcUnitColumn));
	made->column.kind = SDC_CANDIDATES_WINDOW;
	made->task.records = units->count;
	made->task.strata = Max(loading->whole->task.strata, 1);
	stratum = unit_strata(loading);
	if (known->swapped == SDC_SWAPPED_WHOLE)
	{
		sum_column(loading, number, made, stratum);
		return made;
	}
	made->column.original = unit_codes(units, column->original);
	made->column.protected = unit_codes(units, column->protected);
	made->column.codes = column->codes;
	made->task.stratum = class_units(loading, known->step, stratum, made->task.strata, &made->task.strata);
	if (made->task.stratum != NULL)
		loading->classes = lappend(loading->classes, made);
	return made;
}

/* sdc_wholeunits_classes: see wholeunits.h.  Each class is part of a stratum. */
void
sdc_wholeunits_classes(SdcWholeLoading *loading)
{
	SdcCandidatesTask *task = &loading->whole->task;
	const SdcUnits *units = loading->made;
	SdcBoxes   *boxes;
	uint32	   *number;
	ListCell   *cell;

	if (loading->classes == NIL || task->records == 0)
		return;
	boxes = sdc_boxes_create(task->records);
	for (uint32 i = 0; task->stratum != NULL && i < task->records; i++)
		sdc_boxes_column(boxes)[i] = task->stratum[i];
	if (task->stratum != NULL)
		sdc_boxes_add(boxes, task->strata);
	foreach(cell, loading->classes)
	{
		const SdcUnitColumn *column = lfirst(cell);
		uint64	   *word = sdc_boxes_column(boxes);

		for (uint32 i = 0; i < task->records; i++)
			word[i] = column->task.stratum[units->of[i]];
		sdc_boxes_add(boxes, column->task.strata);
	}
	number = sdc_memory_array(task->records, sizeof(uint32));
	task->strata = sdc_boxes_number(boxes, NULL, 0, number);
	task->stratum = number;
	sdc_boxes_destroy(boxes);
}
