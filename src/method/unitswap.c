/*-------------------------------------------------------------------------
 *
 * unitswap.c
 *		Methods that have whole units exchange the values of some columns.
 *
 * Such a method sees codes: of a column of units the one that their first record has.
 *
 * Memory: four bytes a record and column that is looked at, and what the kernel takes.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "kernel/base/codeindex.h"
#include "method/unitswap.h"
#include "relation/base/memory.h"
#include "relation/base/names.h"
#include "relation/base/progress.h"
#include "relation/column/donate.h"
#include "relation/column/grouprecords.h"
#include "relation/column/paircodes.h"
#include "relation/read/sourceunits.h"
#include "utils/json.h"

/* sdc_unitswap_check: see unitswap.h. */
void
sdc_unitswap_check(SdcSource *source, const List *names, const char *argument)
{
	ListCell   *cell;

	foreach(cell, names)
	{
		SdcAttribute *attribute =
			&source->attributes[sdc_source_find_attribute(source, lfirst(cell), argument)];

		if (attribute->action == SDC_ACTION_OMITTED)
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("column \"%s\" cannot be both left out and named in argument \"%s\"",
							NameStr(attribute->name), argument),
					 attribute->role == SDC_ROLE_IDENTIFIER ?
					 errdetail("It is classified as identifier.") : 0));
		if (attribute->action == SDC_ACTION_KEY || attribute->action == SDC_ACTION_UNIT)
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("column \"%s\" cannot be named in argument \"%s\", it %s", NameStr(attribute->name), argument,
							attribute->action == SDC_ACTION_KEY ? "is part of the key" : "names the unit of a record"),
					 errhint("Leave it out, or name another key or unit.")));
		sdc_source_require_order(source, attribute, "compared between records");
		attribute->type.collation = sdc_type_order_collation(attribute->type.collation);
	}
}

/* single_units makes every record a unit. */
static const SdcUnits *
single_units(uint64 records)
{
	SdcUnits   *units = palloc(sizeof(SdcUnits));
	uint32	   *same = sdc_memory_array(records + 1, sizeof(uint32));

	for (uint32 r = 0; r <= records; r++)
	{
		sdc_interrupts_step(r);
		same[r] = r;
	}
	*units = (SdcUnits) {(uint32) records, (uint32) records, same, same, same};
	return units;
}

/* sdc_unitswap_begin: see unitswap.h. */
void
sdc_unitswap_begin(SdcUnitSwap *swap, SdcSource *source, SdcSpool *spool)
{
	swap->source = source;
	swap->spool = spool;
	sdc_spool_set_limit(spool, 0);
	swap->units = source->units != NULL ? source->units : single_units(source->records);
	swap->strata = (uint32) Max(source->strata_found, 1);
	if (source->stratum == NULL)
		swap->stratum = NULL;
	else if (source->units == NULL)
		swap->stratum = sdc_grouprecords_strata(source->stratum, source->records);
	else
		swap->stratum = sdc_sourceunits_strata(source);
}

/* sdc_unitswap_codes: see unitswap.h. */
SdcCodedColumn *
sdc_unitswap_codes(const SdcUnitSwap *swap, const List *names, const char *argument)
{
	SdcCodedColumn *column = palloc(sizeof(SdcCodedColumn) * Max(list_length(names), 1));
	ListCell   *cell;

	foreach(cell, names)
	{
		SdcAttribute *attribute =
			&swap->source->attributes[sdc_source_find_attribute(swap->source, lfirst(cell), argument)];

		column[foreach_current_index(cell)] = sdc_paircodes_codes(attribute->column, &attribute->type);
	}
	return column;
}

/* refuse_rows raises the error for a column that units have several values of, or that is to be one of records. */
static void
refuse_rows(const char *name, const char *argument, uint32 differing)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 differing == 0 ? errmsg("column \"%s\" cannot be named in argument \"row_level\"", name) :
			 errmsg_plural("column \"%s\" has different values in %u unit", "column \"%s\" has different values in %u units",
						   differing, name, differing),
			 errhint("All records of a unit must agree in the columns of argument \"%s\".", argument)));
}

/* take_first writes the code of the first record of every unit, and returns how many units have another code, too. */
static uint32
take_first(const SdcUnits *units, const uint32 *code, uint32 *first)
{
	uint32		differing = 0;

	for (uint32 u = 0; u < units->count; u++)
	{
		bool		different = false;

		sdc_interrupts_step(u);
		first[u] = code[units->member[units->start[u]]];
		for (uint32 i = units->start[u] + 1; i < units->start[u + 1] && !different; i++)
			different = code[units->member[i]] != first[u];
		differing += different;
	}
	return differing;
}

/* sdc_unitswap_unit_codes: see unitswap.h. */
SdcCodedColumn *
sdc_unitswap_unit_codes(const SdcUnitSwap *swap, const List *names, const char *argument)
{
	SdcCodedColumn *column = palloc(sizeof(SdcCodedColumn) * Max(list_length(names), 1));
	ListCell   *cell;

	foreach(cell, names)
	{
		SdcAttribute *attribute =
			&swap->source->attributes[sdc_source_find_attribute(swap->source, lfirst(cell), argument)];
		SdcCodedColumn by_record = sdc_paircodes_codes(attribute->column, &attribute->type);
		uint32	   *code = sdc_memory_array(swap->units->count, sizeof(uint32));
		uint32		differing = take_first(swap->units, by_record.code, code);

		if (differing > 0 || attribute->level == SDC_LEVEL_ROW)
			refuse_rows(lfirst(cell), argument, differing);
		sdc_free(unconstify(uint32 *, by_record.code));
		column[foreach_current_index(cell)] = (SdcCodedColumn) {code, by_record.codes};
	}
	return column;
}

/* sdc_unitswap_number: see unitswap.h. */
uint32
sdc_unitswap_number(const SdcUnitSwap *swap, const SdcCodedColumn *column, int columns, uint32 *number)
{
	SdcCodedFile file = {swap->units->count, columns, column};
	SdcCodeIndex index;

	sdc_codeindex_create(&index, &file, columns, number);
	sdc_codeindex_destroy(&index);
	return index.count;
}

/* donor_records returns the record whose values each record gets: the first one of another unit, or itself. */
static uint32 *
donor_records(const SdcUnits *units, const uint32 *donor)
{
	uint32	   *record = sdc_memory_array(units->records, sizeof(uint32));

	for (uint32 r = 0; r < units->records; r++)
	{
		uint32		from = donor[units->of[r]];

		sdc_interrupts_step(r);
		record[r] = from == units->of[r] ? r : units->member[units->start[from]];
	}
	return record;
}

/* sdc_unitswap_exchange: see unitswap.h. */
void
sdc_unitswap_exchange(const SdcUnitSwap *swap, const SdcMethodStep *step, const uint32 *donor)
{
	uint32	   *record = donor_records(swap->units, donor);

	for (int i = 0; i < swap->source->attribute_count; i++)
	{
		SdcAttribute *attribute = &swap->source->attributes[i];
		SdcColumn  *result;

		if (!sdc_step_is_of(step, attribute))
			continue;
		result = sdc_donate_column(attribute->column, &attribute->type, record, swap->spool, sdc_memory_held(),
								   &attribute->changed);
		sdc_column_destroy(attribute->column);
		attribute->column = result;
		sdc_progress_next();
	}
	sdc_free(record);
}

/* sdc_unitswap_append_names: see unitswap.h. */
void
sdc_unitswap_append_names(StringInfo json, const char *member, const List *names)
{
	if (names == NIL)
		return;
	appendStringInfo(json, "%s\"%s\": ", json->len > 1 ? ", " : "", member);
	sdc_names_append_json(json, names);
}
