/*-------------------------------------------------------------------------
 *
 * nightunits.c
 *		A release that is continued, of records that are of units: the night of the table of units.
 *
 * Columns in which no unit has two values are continued in the table of units, which has a record for each.  It is a
 * source of its own, and so is that of the release, so that its night goes as that of any table: its members are units,
 * and so are its lots.  The others are continued record by record (nightplan.c), in lots of so many units.
 *
 *	1. a unit stays if a record of it that was released stays; where new records need not wait, if it has any
 *	2. a unit that is new waits until a lot of its class is full, and so do all its records
 *	3. of the units that are shown, records that are new wait until records of a lot of units do
 *
 * Units are swapped within classes of about the same size.  A unit stays in that in which it joined, which the state
 * has by its least size; a new one goes by the classes that there are (kernel/base/units.h).
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "method/continued/nightunits.h"
#include "relation/base/memory.h"
#include "relation/column/grouprecords.h"
#include "relation/read/keycursor.h"
#include "utils/lsyscache.h"

/* sdc_nightunits_check: see nightunits.h. */
void
sdc_nightunits_check(const SdcSource *source)
{
	for (int i = 0; i < source->unit_count; i++)
	{
		const SdcAttribute *attribute = &source->attributes[source->unit[i]];

		if (attribute->action == SDC_ACTION_OMITTED)
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("column \"%s\" names the unit of a record, and a continued release must have it",
							NameStr(attribute->name)),
					 errhint("Do not leave it out, nor classify it as identifier: sdc_publish leaves it out.")));
	}
}

/* refuse_level raises the error about a column that was the same in all records of a unit, and is not any more. */
sdc_noreturn static void
refuse_level(const SdcNight *night, const SdcAttribute *attribute)
{
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg_plural("column \"%s\" has different values in %u unit", "column \"%s\" has different values in %u units",
						   attribute->units_differing, NameStr(attribute->name), attribute->units_differing),
			 errdetail("In release \"%s\" it is continued as a column of which every unit has one value.",
					   get_rel_name(night->before)),
			 errhint("Mend the source, or name the column in argument \"row_level\": it is drawn anew then, and goes on record by record.")));
}

/* check_levels keeps the levels of the columns, and tells whether any is continued at the level of units. */
static bool
check_levels(SdcNight *night, SdcSource *source)
{
	bool		of_units = false;

	for (int i = 0; i < source->attribute_count; i++)
	{
		SdcAttribute *attribute = &source->attributes[i];
		SdcNightColumn *column = &night->column[i];

		if (column->name == NULL)
			continue;
		if (column->was_level == SDC_LEVEL_UNIT && !column->begins && attribute->level == SDC_LEVEL_ROW)
			refuse_level(night, attribute);
		/* also where the data do not show it any more */
		if (column->was_level == SDC_LEVEL_ROW)
			attribute->level = SDC_LEVEL_ROW;
		column->of_units = attribute->level == SDC_LEVEL_UNIT;
		of_units |= column->of_units;
		night->differs |= column->begins;
	}
	return of_units;
}

/* refuse_sizes raises the error about steps that would have units join in different classes. */
sdc_noreturn static void
refuse_sizes(void)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("steps have different \"" SDC_PARAMETER_UNIT_SIZE "\", and the release is continued"),
			 errdetail("A unit joins in one class, for all columns of which it has one value."),
			 errhint("Have all steps with such columns have \"" SDC_PARAMETER_UNIT_SIZE "\": \"equal\", or \"any\".")));
}

/*
 * find_class_units finds with how many units a class is made, the most that any step wants; 0: sizes make no classes.
 */
static uint32
find_class_units(const SdcNight *night, const SdcProtection *protection, const SdcSource *source)
{
	const SdcMethodStep *first = NULL;
	uint32		least = 2;

	for (int i = 0; i < source->attribute_count; i++)
	{
		const SdcMethodStep *step;

		if (night->column[i].name == NULL || !night->column[i].of_units)
			continue;
		step = &protection->steps[source->attributes[i].step];
		first = first == NULL ? step : first;
		if (step->unit_size != first->unit_size)
			refuse_sizes();
		least = Max(least, step->class_units);
	}
	return first == NULL || first->unit_size == SDC_UNIT_SIZE_ANY ? 0 : least;
}

/* sdc_nightunits_levels: see nightunits.h.  What the state says of the night of units it has already. */
void
sdc_nightunits_levels(SdcNight *night, const SdcProtection *protection, SdcSource *source)
{
	SdcNight   *units = night->of_units;

	if (source->units == NULL)
		return;
	night->level = SDC_LEVEL_ROW;
	if (!check_levels(night, source))
	{
		night->of_units = NULL;
		return;
	}
	/* refuses steps that want different sizes, before anything is made */
	(void) find_class_units(night, protection, source);
	if (units == NULL)
		units = night->of_units = palloc0(sizeof(SdcNight));
	units->level = SDC_LEVEL_UNIT;
	units->catalog_schema = night->catalog_schema;
	units->first = night->first;
	units->before = night->before;
	units->row = night->row;
	units->state = night->state;
	units->publication = night->publication;
	units->now = night->now;
	units->column = night->column;
	units->salt = night->salt;
	units->next = night->next;
}

/* column_names lists the columns of a level: of the source, or as they were. */
static List *
column_names(const SdcNight *units, const SdcSource *source, bool before)
{
	List	   *names = NIL;

	for (int i = 0; i < source->attribute_count; i++)
		if (sdc_night_continues(units, source, i))
			names = lappend(names, before ? units->column[i].name : (char *) NameStr(source->attributes[i].name));
	return names;
}

/* read_sizes reads the classes of the units that stay; it is known which unit of the table each member is. */
static void
read_sizes(SdcNight *units, const uint32 *of_unit)
{
	uint32	   *was = sdc_memory_array(units->members, sizeof(uint32));

	sdc_privatestate_words(units->state, SDC_NIGHT_STREAM_UNIT_SIZES, was, units->members);
	for (uint32 u = 0; u < units->members; u++)
	{
		sdc_interrupts_step(u);
		if (of_unit[u] != SDC_CONTINUED_NOBODY)
			units->least_size[of_unit[u]] = was[u];
	}
	sdc_free(was);
}

/*
 * class_units finds the classes of the units of a source, which are the strata of their table, and their least sizes.
 * Members, of which it is known which unit each is, stay in what the state says; NULL: there are none.
 */
static void
class_units(SdcNight *units, const SdcProtection *protection, const SdcSource *source, const uint32 *of_unit,
			SdcSpool *spool)
{
	SdcSource  *table = units->table;
	uint32	   *stratum = sdc_sourceunits_strata(source);
	uint32		class_units = find_class_units(units, protection, source);
	uint32	   *class = stratum;

	table->strata_found = source->strata_found;
	if (class_units > 0)
	{
		class = sdc_memory_array(table->records, sizeof(uint32));
		units->least_size = sdc_memory_zeros(table->records, sizeof(uint32));
		if (of_unit != NULL)
			read_sizes(units, of_unit);
		table->strata_found = sdc_units_joined_classes(source->units, stratum, (uint32) source->strata_found,
													   class_units, units->least_size, class);
		if (stratum != NULL)
			sdc_free(stratum);
	}
	if (class != NULL)
	{
		table->stratum = sdc_grouprecords_column(class, (uint32) table->records, 0, spool);
		sdc_free(class);
	}
}

/* sdc_nightunits_keep: see nightunits.h. */
void
sdc_nightunits_keep(SdcNight *units, uint64 count)
{
	SdcSource  *table = units->table;

	if (units->least_size != NULL)
	{
		sdc_privatestate_put_words(units->next, SDC_NIGHT_STREAM_UNIT_SIZES, units->least_size, count,
								   SDC_CONTINUED_MOST);
		sdc_free(units->least_size);
		units->least_size = NULL;
	}
	for (int i = 0; i < table->attribute_count; i++)
	{
		if (table->attributes[i].column != NULL)
			sdc_column_destroy(table->attributes[i].column);
		table->attributes[i].column = NULL;
	}
}

/* sdc_nightunits_table: see nightunits.h. */
void
sdc_nightunits_table(SdcNight *night, const SdcProtection *protection, const SdcSource *source, SdcSpool *spool)
{
	SdcNight   *units = night->of_units;

	units->table = sdc_sourceunits_table(source, column_names(units, source, false), spool);
	class_units(units, protection, source, NULL, spool);
}

/*
 * leave_units has units be gone none of whose records that were released stays.  Nobody is where there is no record of
 * the source.
 */
static void
leave_units(const SdcNight *night, const SdcSource *source, const uint32 *of_member, uint32 *of_unit)
{
	bool	   *stays = sdc_memory_zeros(source->units->count, sizeof(bool));

	for (uint32 m = 0; m < night->members; m++)
	{
		sdc_interrupts_step(m);
		if (of_member[m] != SDC_CONTINUED_NOBODY)
			stays[source->units->of[of_member[m]]] = true;
	}
	for (uint32 u = 0; u < night->of_units->members; u++)
		if (of_unit[u] != SDC_CONTINUED_NOBODY && !stays[of_unit[u]])
			of_unit[u] = SDC_CONTINUED_NOBODY;
	sdc_free(stays);
}

/* read_tables makes the tables of units of the source and of the release. */
static void
read_tables(const SdcNight *night, const SdcSource *source, SdcSpool *spool)
{
	SdcNight   *units = night->of_units;

	if (night->released->units->count != units->members)
		sdc_night_refuse(night, psprintf("It has %u units, and the state is of %u.", night->released->units->count,
										 units->members));
	units->released_spool = night->released_spool;
	units->released = sdc_sourceunits_table(night->released, column_names(units, source, true), units->released_spool);
	units->table = sdc_sourceunits_table(source, column_names(units, source, false), spool);
}

/* show_units notes which units of the source are shown, and has members be nobody whose unit is not. */
static bool *
show_units(const SdcNight *night, const SdcSource *source, uint32 *of_member)
{
	const SdcContinuedPlan *plan = &night->of_units->plan;
	bool	   *shown = sdc_memory_zeros(source->units->count, sizeof(bool));

	for (uint32 u = 0; u < plan->records; u++)
		shown[plan->source[u]] = true;
	for (uint32 m = 0; m < night->members; m++)
	{
		sdc_interrupts_step(m);
		if (of_member[m] != SDC_CONTINUED_NOBODY && !shown[source->units->of[of_member[m]]])
			of_member[m] = SDC_CONTINUED_NOBODY;
	}
	return shown;
}

/* sdc_nightunits_pair: see nightunits.h. */
uint32 *
sdc_nightunits_pair(SdcNight *night, const SdcProtection *protection, const SdcSource *source,
					const uint32 *of_member, bool lots, SdcSpool *spool)
{
	SdcNight   *units = night->of_units;
	uint32	   *of_unit;

	read_tables(night, source, spool);
	of_unit = sdc_memory_array(units->members, sizeof(uint32));
	sdc_keycursor_pair(units->released, units->table, of_unit);
	if (lots)
		leave_units(night, source, of_member, of_unit);
	class_units(units, protection, source, of_unit, spool);
	return of_unit;
}

/* sdc_nightunits_show: see nightunits.h. */
bool *
sdc_nightunits_show(SdcNight *night, const SdcSource *source, uint32 *of_member)
{
	SdcNight   *units = night->of_units;
	bool	   *shown = show_units(night, source, of_member);

	for (uint32 u = 0; units->least_size != NULL && u < units->plan.records; u++)
		units->least_size[u] = units->least_size[units->plan.source[u]];
	sdc_nightunits_keep(units, units->plan.records);
	sdc_free(units->plan.source);
	units->plan.source = NULL;
	return shown;
}
