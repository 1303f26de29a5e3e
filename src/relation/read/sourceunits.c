/*-------------------------------------------------------------------------
 *
 * sourceunits.c
 *		The units that the records of a relation are about.
 *
 * The values of the columns that name a unit become codes in their order, and units are numbered by these.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "miscadmin.h"
#include "relation/base/memory.h"
#include "relation/base/names.h"
#include "relation/base/spi.h"
#include "relation/column/grouprecords.h"
#include "relation/column/loadedvalues.h"
#include "relation/column/paircodes.h"
#include "relation/read/sourceunits.h"

/* sdc_sourceunits_refuse_null: see sourceunits.h. */
void
sdc_sourceunits_refuse_null(const char *relation, const char *name, uint64 missing)
{
	ereport(ERROR,
			(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
			 errmsg_plural("column \"%s\" of relation \"%s\" names the unit of a record, and " UINT64_FORMAT " record has no value",
						   "column \"%s\" of relation \"%s\" names the unit of a record, and " UINT64_FORMAT " records have no value",
						   (unsigned long) missing, name, relation, missing),
			 errhint("Leave such records out in a view, or name other columns in argument \"unit\".")));
}

/* check_named insists on a value in each column that names a unit. */
static void
check_named(const SdcSource *source)
{
	for (int i = 0; i < source->unit_count; i++)
	{
		const SdcAttribute *attribute = &source->attributes[source->unit[i]];
		uint64		missing = sdc_column_null_count(attribute->column);

		if (missing > 0)
			sdc_sourceunits_refuse_null(source->name, NameStr(attribute->name), missing);
	}
}

/* next_unit takes the next value of every column that names a unit, and compares them with those before them. */
static int
next_unit(const SdcSource *source, SdcColumnReader **reader, uint64 *key)
{
	int			compared = 0;

	for (int i = 0; i < source->unit_count; i++)
	{
		uint64		before = key[i];
		Datum		value;

		(void) sdc_column_next(reader[i], &value);
		key[i] = sdc_type_key(&source->attributes[source->unit[i]].type, value);
		if (compared == 0)
			compared = (key[i] > before) - (key[i] < before);
	}
	return compared;
}

/*
 * number_ordered numbers the units where the records are in the order of what names them, as they are where the key
 * begins with it; 0: they are not, or their order is not that of keys.
 */
static uint32
number_ordered(const SdcSource *source, uint32 *of)
{
	SdcColumnReader **reader;
	uint64	   *key;
	uint32		units = 1;

	for (int i = 0; i < source->unit_count; i++)
		if (source->attributes[source->unit[i]].type.key == SDC_KEY_NONE)
			return 0;
	reader = palloc(sizeof(SdcColumnReader *) * source->unit_count);
	key = palloc0(sizeof(uint64) * source->unit_count);
	for (int i = 0; i < source->unit_count; i++)
		reader[i] = sdc_column_open(source->attributes[source->unit[i]].column);
	for (uint64 r = 0; r < source->records && units > 0; r++)
	{
		int			compared = next_unit(source, reader, key);

		sdc_interrupts_step(r);
		if (r > 0 && compared < 0)
			units = 0;
		else
			of[r] = (units += r > 0 && compared > 0) - 1;
	}
	for (int i = 0; i < source->unit_count; i++)
		sdc_column_close(reader[i]);
	pfree(reader);
	pfree(key);
	return units;
}

/* number_coded numbers them in any order. */
static uint32
number_coded(const SdcSource *source, uint32 *of)
{
	SdcCodedColumn *column = palloc(sizeof(SdcCodedColumn) * source->unit_count);
	SdcCodedFile naming = {(uint32) source->records, source->unit_count, column};
	uint32		units;

	for (int i = 0; i < source->unit_count; i++)
	{
		SdcAttribute *attribute = &source->attributes[source->unit[i]];

		column[i] = sdc_paircodes_codes(attribute->column, &attribute->type);
	}
	units = sdc_units_number(&naming, of);
	for (int i = 0; i < source->unit_count; i++)
		sdc_free(unconstify(uint32 *, column[i].code));
	pfree(column);
	return units;
}

/* set_units lists the records of units, where these are numbered. */
static void
set_units(SdcSource *source, const uint32 *of, uint32 count)
{
	SdcUnits   *units = palloc(sizeof(SdcUnits));
	SdcGroupRecords members;

	sdc_grouprecords_list(of, source->records, count, &members);
	*units = (SdcUnits) {(uint32) source->records, count, of, members.start, members.member};
	source->units = units;
	source->units_found = count;
}

/* number_units numbers the units of the records, and returns how many there are. */
static uint32
number_units(const SdcSource *source, uint32 *of)
{
	uint32		units;

	check_named(source);
	if (source->records == 0)
		return 0;
	units = number_ordered(source, of);
	return units > 0 ? units : number_coded(source, of);
}

/* sdc_sourceunits_find: see sourceunits.h. */
void
sdc_sourceunits_find(SdcSource *source)
{
	uint32	   *of;

	if (source->unit_count == 0)
		return;
	of = sdc_memory_array(source->records, sizeof(uint32));
	set_units(source, of, number_units(source, of));
	for (int i = 0; i < source->unit_count; i++)
	{
		SdcAttribute *attribute = &source->attributes[source->unit[i]];

		if (attribute->action != SDC_ACTION_OMITTED)
			continue;
		sdc_column_destroy(attribute->column);
		attribute->column = NULL;
	}
}

/* differ tells whether two records have different values; numbers of distinct values are equal where these are. */
static bool
differ(const SdcLoadedValues *values, SdcAttribute *attribute, uint32 a, uint32 b)
{
	if (sdc_loadedvalues_valid(values, a) != sdc_loadedvalues_valid(values, b))
		return true;
	if (!sdc_loadedvalues_valid(values, a) || values->value[a] == values->value[b])
		return false;
	if (attribute->dictionary != NULL)
		return !sdc_type_equal(&attribute->type,
							   sdc_dictionary_value(attribute->dictionary, (uint32) DatumGetInt32(values->value[a])),
							   sdc_dictionary_value(attribute->dictionary, (uint32) DatumGetInt32(values->value[b])));
	return !sdc_type_equal(&attribute->type, values->value[a], values->value[b]);
}

/* sdc_sourceunits_level: see sourceunits.h. */
SdcLevel
sdc_sourceunits_level(const SdcUnits *units, SdcAttribute *attribute)
{
	SdcLoadedValues values;

	if (attribute->level != SDC_LEVEL_UNKNOWN)
		return attribute->level;
	values = sdc_loadedvalues_load(attribute->column);
	attribute->units_differing = 0;
	for (uint32 u = 0; u < units->count; u++)
	{
		uint32		first = units->member[units->start[u]];
		bool		different = false;

		for (uint32 i = units->start[u] + 1; i < units->start[u + 1] && !different; i++)
		{
			sdc_interrupts_step(i);
			different = differ(&values, attribute, first, units->member[i]);
		}
		attribute->units_differing += different;
	}
	sdc_loadedvalues_free(&values);
	attribute->level = attribute->units_differing > 0 ? SDC_LEVEL_ROW : SDC_LEVEL_UNIT;
	return attribute->level;
}

/* sdc_sourceunits_first: see sourceunits.h. */
SdcColumn *
sdc_sourceunits_first(const SdcUnits *units, SdcColumn *column, SdcSpool *spool)
{
	SdcLoadedValues values = sdc_loadedvalues_load(column);
	SdcColumn  *first = sdc_column_create(spool, sdc_column_type(column));

	for (uint32 u = 0; u < units->count; u++)
	{
		uint32		record = units->member[units->start[u]];

		sdc_interrupts_step(u);
		sdc_column_append(first, values.value[record], !sdc_loadedvalues_valid(&values, record));
	}
	sdc_column_finish(first);
	sdc_loadedvalues_free(&values);
	return first;
}

/* sdc_sourceunits_spread: see sourceunits.h. */
SdcColumn *
sdc_sourceunits_spread(const SdcUnits *units, SdcColumn *column, SdcSpool *spool)
{
	SdcLoadedValues values = sdc_loadedvalues_load(column);
	SdcColumn  *spread = sdc_column_create(spool, sdc_column_type(column));

	for (uint32 r = 0; r < units->records; r++)
	{
		sdc_interrupts_step(r);
		sdc_column_append(spread, values.value[units->of[r]], !sdc_loadedvalues_valid(&values, units->of[r]));
	}
	sdc_column_finish(spread);
	sdc_loadedvalues_free(&values);
	return spread;
}

/* sdc_sourceunits_table: see sourceunits.h. */
SdcSource *
sdc_sourceunits_table(const SdcSource *source, const List *columns, SdcSpool *spool)
{
	SdcSource  *table = sdc_source_copy(source, 0);

	table->records = source->units->count;
	table->units = NULL;
	table->key = source->unit;
	table->key_count = source->unit_count;
	table->stratum = table->group = NULL;
	table->strata_found = 0;
	for (int i = 0; i < table->attribute_count; i++)
	{
		SdcAttribute *attribute = &table->attributes[i];

		attribute->order = NULL;
		attribute->coded = attribute->before = NULL;
		attribute->column = attribute->of_unit || sdc_names_have(columns, NameStr(attribute->name)) ?
			sdc_sourceunits_first(source->units, attribute->column, spool) : NULL;
	}
	return table;
}

/* sdc_sourceunits_keep: see sourceunits.h. */
void
sdc_sourceunits_keep(SdcSource *source, const uint32 *records)
{
	const SdcUnits *units = source->units;
	uint32	   *of;
	uint32	   *number;
	uint32		count = 0;

	if (units == NULL || units->records == source->records)
		return;
	of = sdc_memory_array(source->records, sizeof(uint32));
	number = sdc_memory_zeros(units->count, sizeof(uint32));
	for (uint64 r = 0; r < source->records; r++)
	{
		sdc_interrupts_step(r);
		number[units->of[records[r]]] = 1;
	}
	for (uint32 u = 0; u < units->count; u++)
	{
		bool		stays = number[u] != 0;

		number[u] = count;
		count += stays;
	}
	for (uint64 r = 0; r < source->records; r++)
	{
		sdc_interrupts_step(r);
		of[r] = number[units->of[records[r]]];
	}
	sdc_free(number);
	sdc_free(unconstify(uint32 *, units->of));
	sdc_free(unconstify(uint32 *, units->start));
	sdc_free(unconstify(uint32 *, units->member));
	set_units(source, of, count);
}

/* sdc_sourceunits_strata: see sourceunits.h. */
uint32 *
sdc_sourceunits_strata(const SdcSource *source)
{
	const SdcUnits *units = source->units;
	uint32	   *of_record;
	uint32	   *of_unit;
	uint32		differing = 0;

	if (source->stratum == NULL)
		return NULL;
	of_record = sdc_grouprecords_strata(source->stratum, source->records);
	of_unit = sdc_memory_array(units->count, sizeof(uint32));
	for (uint32 u = 0; u < units->count; u++)
	{
		bool		different = false;

		of_unit[u] = of_record[units->member[units->start[u]]];
		for (uint32 i = units->start[u] + 1; i < units->start[u + 1] && !different; i++)
			different = of_record[units->member[i]] != of_unit[u];
		differing += different;
	}
	sdc_free(of_record);
	if (differing > 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg_plural("the strata of relation \"%s\" divide %u unit", "the strata of relation \"%s\" divide %u units",
							   differing, source->name, differing),
				 errhint("Name columns in argument \"strata\" that no unit has two values of; rows are swapped within other strata with unit_rows => 'each'.")));
	return of_unit;
}
