/*-------------------------------------------------------------------------
 *
 * unitsteps.c
 *		Protecting the columns of units, and those of their records.
 *
 * The table of units is a source of its own, made from the first record of each unit, with size classes as its strata.
 * So every method protects it as it is, and draws what it would draw for a table of the units with these strata.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "method/continued/night.h"
#include "method/unitsteps.h"
#include "method/wholeswap.h"
#include "relation/base/memory.h"
#include "relation/base/names.h"
#include "relation/catalog/methods.h"
#include "relation/column/dictionary.h"
#include "relation/column/grouprecords.h"
#include "relation/read/sourceunits.h"
#include "utils/json.h"

/* Units that were not swapped, and partners within a unit, are warned of above so many percent. */
#define ALONE_PERCENT 1
#define WITHIN_PERCENT 5

/* count_level counts the columns of a step that have a level. */
static int
count_level(const SdcMethodStep *step, SdcSource *source, SdcLevel level)
{
	int			count = 0;

	for (int i = 0; i < source->attribute_count; i++)
		if (sdc_step_is_of(step, &source->attributes[i]) &&
			sdc_sourceunits_level(source->units, &source->attributes[i]) == level)
			count++;
	return count;
}

/* first_of returns the name of the first column of a step that has a level. */
static const char *
first_of(const SdcMethodStep *step, const SdcSource *source, SdcLevel level)
{
	for (int i = 0; i < source->attribute_count; i++)
		if (sdc_step_is_of(step, &source->attributes[i]) && source->attributes[i].level == level)
			return NameStr(source->attributes[i].name);
	return NULL;
}

/* check_together insists on columns of one level where they are drawn together. */
static void
check_together(const SdcMethodStep *step, const SdcSource *source, int of_units, int of_rows)
{
	if (!step->together || of_units == 0 || of_rows == 0)
		return;
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("columns \"%s\" and \"%s\" cannot be protected together", first_of(step, source, SDC_LEVEL_UNIT),
					first_of(step, source, SDC_LEVEL_ROW)),
			 errdetail("All records of a unit have the same value of the first, and some units have several values of the second."),
			 errhint("Protect them in two steps of sdc_protect.")));
}

/* check_besides insists on units that have one value of each column that is read besides. */
static void
check_besides(const SdcMethodStep *step, SdcSource *source)
{
	ListCell   *cell;

	foreach(cell, step->read_besides)
	{
		SdcAttribute *attribute = &source->attributes[sdc_source_find_attribute(source, lfirst(cell), "qi")];

		if (sdc_sourceunits_level(source->units, attribute) == SDC_LEVEL_ROW)
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg_plural("column \"%s\" has different values in %u unit", "column \"%s\" has different values in %u units",
								   attribute->units_differing, NameStr(attribute->name), attribute->units_differing),
					 errdetail("Column \"%s\" is protected by units, which have one value of it.",
							   first_of(step, source, SDC_LEVEL_UNIT)),
					 errhint("Name columns that have one value in each unit, or protect records with unit => '{}'.")));
	}
}

/* class_units puts units into the classes that they are swapped in, as a column; NULL: there is one. */
static SdcColumn *
class_units(const SdcMethodStep *step, const SdcSource *source, SdcSpool *spool, uint64 *classes)
{
	const SdcUnits *units = source->units;
	uint32	   *stratum = sdc_sourceunits_strata(source);
	uint32	   *class = stratum;
	SdcColumn  *column;

	*classes = source->strata_found;
	if (step->unit_size == SDC_UNIT_SIZE_EQUAL)
	{
		class = sdc_memory_array(units->count, sizeof(uint32));
		*classes = sdc_units_size_classes(units, stratum, (uint32) source->strata_found, Max(step->class_units, 2),
										  class);
		if (stratum != NULL)
			sdc_free(stratum);
	}
	if (class == NULL)
		return NULL;
	column = sdc_grouprecords_column(class, units->count, 0, spool);
	sdc_free(class);
	return column;
}

/* take_subset takes a copy of a source in which a step protects only its columns of a level. */
static SdcSource *
take_subset(const SdcMethodStep *step, const SdcSource *source, SdcLevel level)
{
	SdcSource  *subset = sdc_source_copy(source, 0);

	subset->units = NULL;
	subset->protected_count = 0;
	for (int i = 0; i < subset->attribute_count; i++)
	{
		SdcAttribute *attribute = &subset->attributes[i];

		if (sdc_step_is_of(step, attribute) && attribute->level != level)
			attribute->action = SDC_ACTION_COPIED;
		subset->protected_count += attribute->action == SDC_ACTION_PROTECTED;
	}
	return subset;
}

/* run_subset has a step protect a subset of its columns, those that a night continues where it is continued. */
static void
run_subset(SdcMethodStep *step, SdcSource *subset, int count, SdcNight *night, SdcSpool *spool, SdcRandom *random)
{
	int			all = step->protected_count;
	SdcNight   *whole = step->night;

	step->protected_count = count;
	step->night = night;
	step->protect(step, subset, spool, random);
	step->night = whole;
	step->protected_count = all;
}

/* count_changed counts the records whose value is not what it was. */
static uint64
count_changed(SdcAttribute *attribute, SdcColumn *after)
{
	SdcColumnReader *old = sdc_column_open(attribute->column);
	SdcColumnReader *new = sdc_column_open(after);
	uint64		records = sdc_column_count(after);
	uint64		changed = 0;

	for (uint64 r = 0; r < records; r++)
	{
		Datum		a;
		Datum		b;
		bool		had = sdc_column_next(old, &a);
		bool		has = sdc_column_next(new, &b);

		sdc_interrupts_step(r);
		if (had && has && attribute->dictionary != NULL)
		{
			/* the same number is the same value */
			if (a == b)
				continue;
			a = sdc_dictionary_value(attribute->dictionary, (uint32) DatumGetInt32(a));
			b = sdc_dictionary_value(attribute->dictionary, (uint32) DatumGetInt32(b));
		}
		changed += had != has || (had && !sdc_type_equal(&attribute->type, a, b));
	}
	sdc_column_close(old);
	sdc_column_close(new);
	return changed;
}

/* spread_attribute gives the records of all units the values that these got. */
static void
spread_attribute(const SdcUnits *units, SdcAttribute *attribute, const SdcAttribute *of_units, SdcSpool *spool)
{
	SdcColumn  *spread = sdc_sourceunits_spread(units, of_units->column, spool);
	bool		same_type = sdc_column_type(spread) == sdc_column_type(attribute->column);

	attribute->changed = same_type ? count_changed(attribute, spread) : units->records;
	sdc_column_destroy(attribute->column);
	attribute->column = spread;
	attribute->dictionary = of_units->dictionary;
	attribute->leveled = of_units->leveled;
	attribute->bins = of_units->bins;
	attribute->single_bins = of_units->single_bins;
	attribute->continued = of_units->continued;
	attribute->continuation = of_units->continuation;
	attribute->largest_move = of_units->largest_move;
	attribute->averaged = of_units->averaged;
	attribute->averages = of_units->averages;
}

/* first_values takes the columns that a step reads from the first record of every unit. */
static void
first_values(const SdcMethodStep *step, const SdcSource *source, SdcSource *of_units, SdcSpool *spool)
{
	for (int i = 0; i < of_units->attribute_count; i++)
	{
		SdcAttribute *attribute = &of_units->attributes[i];

		attribute->order = NULL;
		if (sdc_step_is_of(step, attribute) || sdc_names_have(step->read_besides, NameStr(attribute->name)))
			attribute->column = sdc_sourceunits_first(source->units, source->attributes[i].column, spool);
		else
			attribute->column = NULL;
	}
}

/* protect_units protects the columns of a step in which no unit has two values. */
static void
protect_units(SdcMethodStep *step, SdcSource *source, int count, SdcSpool *spool, SdcRandom *random)
{
	SdcSource  *of_units = take_subset(step, source, SDC_LEVEL_UNIT);
	SdcNight   *night = step->continuing == NULL ? NULL : step->night->of_units;
	SdcColumn  *classes = NULL;

	check_besides(step, source);
	of_units->records = source->units->count;
	if (night != NULL)
	{
		of_units->stratum = night->table->stratum;
		of_units->strata_found = night->table->strata_found;
	}
	else
		of_units->stratum = classes = class_units(step, source, spool, &of_units->strata_found);
	of_units->group = NULL;
	first_values(step, source, of_units, spool);
	run_subset(step, of_units, count, night, spool, random);
	for (int i = 0; i < source->attribute_count; i++)
	{
		if (sdc_step_is_of(step, &of_units->attributes[i]))
			spread_attribute(source->units, &source->attributes[i], &of_units->attributes[i], spool);
		if (of_units->attributes[i].column != NULL)
			sdc_column_destroy(of_units->attributes[i].column);
	}
	if (of_units->group != NULL)
		source->group = sdc_sourceunits_spread(source->units, of_units->group, spool);
	if (classes != NULL)
		sdc_column_destroy(classes);
}

/* protect_rows protects the columns of a step in which units have several values, record by record. */
static void
protect_rows(SdcMethodStep *step, SdcSource *source, int count, SdcSpool *spool, SdcRandom *random)
{
	SdcSource  *rows = take_subset(step, source, SDC_LEVEL_ROW);

	/* its k is of units, or they are counted */
	if (step->method->groups == SDC_GROUPS_GENERALIZED || step->method->tells == SDC_TELLS_AVERAGE)
		rows->units = source->units;
	run_subset(step, rows, count, step->night, spool, random);
	for (int i = 0; i < source->attribute_count; i++)
		if (sdc_step_is_of(step, &rows->attributes[i]))
			source->attributes[i] = rows->attributes[i];
	if (rows->group != NULL)
		source->group = rows->group;
}

/* sdc_unitsteps_protect: see unitsteps.h. */
void
sdc_unitsteps_protect(SdcMethodStep *step, SdcSource *source, SdcSpool *spool, SdcRandom *random)
{
	int			of_units = count_level(step, source, SDC_LEVEL_UNIT);
	int			of_rows = count_level(step, source, SDC_LEVEL_ROW);

	check_together(step, source, of_units, of_rows);
	if (of_units > 0)
		protect_units(step, source, of_units, spool, random);
	if (of_rows > 0 && step->continuing == NULL && step->method->reach != SDC_REACH_NONE)
		sdc_wholeswap_protect(step, source, spool, random);
	else if (of_rows > 0)
		protect_rows(step, source, of_rows, spool, random);
}

/* sdc_unitsteps_levels: see unitsteps.h. */
void
sdc_unitsteps_levels(SdcSource *source)
{
	for (int i = 0; i < source->attribute_count; i++)
	{
		SdcAttribute *attribute = &source->attributes[i];

		if (attribute->column != NULL && !attribute->of_unit && attribute->action != SDC_ACTION_KEY)
			(void) sdc_sourceunits_level(source->units, attribute);
	}
}

/* sdc_unitsteps_describe: see unitsteps.h. */
char *
sdc_unitsteps_describe(const SdcMethodStep *step, const SdcSource *source)
{
	StringInfoData json;
	int			forced = 0;

	initStringInfo(&json);
	appendStringInfo(&json, "{\"" SDC_PARAMETER_UNIT_SIZE "\": \"%s\", \"" SDC_PARAMETER_UNIT_ROWS "\": \"%s\"",
					 sdc_unitsize_name(step->unit_size),
					 step->unit_rows == SDC_UNIT_ROWS_WHOLE ? "whole" : "each");
	/* what the data do not show: nobody has counted the units that have several values */
	for (int i = 0; i < source->attribute_count; i++)
	{
		const SdcAttribute *attribute = &source->attributes[i];

		if (!sdc_step_is_of(step, attribute) || attribute->level != SDC_LEVEL_ROW || attribute->units_differing > 0)
			continue;
		appendStringInfoString(&json, forced++ == 0 ? ", \"" SDC_PARAMETER_ROW_LEVEL "\": [" : ", ");
		escape_json(&json, NameStr(attribute->name));
	}
	appendStringInfo(&json, "%s%s%s", forced > 0 ? "]" : "", strcmp(step->parameters, "{}") == 0 ? "" : ", ",
					 step->parameters + 1);
	return json.data;
}

/* warn_alone names the columns in which many units had none to swap with. */
static void
warn_alone(const SdcMethodStep *step, const SdcSource *source)
{
	for (int i = 0; i < source->attribute_count; i++)
	{
		const SdcAttribute *attribute = &source->attributes[i];

		if (sdc_step_is_of(step, attribute) && attribute->alone * 100 > (uint64) source->units->count * ALONE_PERCENT)
			ereport(WARNING,
					(errcode(ERRCODE_WARNING),
					 errmsg_plural("column \"%s\": " UINT64_FORMAT " of %u units keeps its values",
								   "column \"%s\": " UINT64_FORMAT " of %u units keep their values",
								   (unsigned long) attribute->alone, NameStr(attribute->name), attribute->alone,
								   source->units->count),
					 errdetail("Values of a unit go together to a unit with as many, and there is no other one."),
					 errhint("Use unit_rows => 'each', or larger strata.")));
	}
}

/* warn_within names the columns in which many records have a value of their own unit. */
static void
warn_within(const SdcMethodStep *step, const SdcSource *source)
{
	for (int i = 0; i < source->attribute_count; i++)
	{
		const SdcAttribute *attribute = &source->attributes[i];

		if (sdc_step_is_of(step, attribute) && attribute->within_unit * 100 > source->records * WITHIN_PERCENT)
			ereport(WARNING,
					(errcode(ERRCODE_WARNING),
					 errmsg("column \"%s\": " UINT64_FORMAT " of " UINT64_FORMAT " records have a value of another record of their unit",
							NameStr(attribute->name), attribute->within_unit, source->records),
					 errhint("Use a larger window, or unit_rows => 'whole'.")));
	}
}

/* sdc_unitsteps_warn: see unitsteps.h. */
void
sdc_unitsteps_warn(const SdcMethodStep *step, const SdcSource *source)
{
	warn_alone(step, source);
	warn_within(step, source);
}
