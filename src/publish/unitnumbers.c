/*-------------------------------------------------------------------------
 *
 * unitnumbers.c
 *		The numbers that units have in a publication: random ones, others every time.
 *
 * They tell which records belong together, and nothing else.  Without them records can often be put together all the
 * same, by the columns that are the same in all records of a unit.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "executor/spi.h"
#include "lib/stringinfo.h"
#include "publish/unitnumbers.h"
#include "relation/base/memory.h"
#include "relation/base/random.h"
#include "relation/base/spi.h"
#include "relation/catalog/actas.h"
#include "relation/column/types.h"
#include "utils/builtins.h"
#include "utils/datum.h"
#include "utils/guc.h"
#include "utils/lsyscache.h"

/* A value as a text that is equal to no other. */
#define TEXT "::pg_catalog.text COLLATE pg_catalog.\"C\""

/* sdc_unitnumbers_draw: see unitnumbers.h. */
uint32 *
sdc_unitnumbers_draw(uint32 units)
{
	SdcRandom  *random = sdc_random_create(NULL, "publish");
	SdcStream  *stream = sdc_random_start(random, "", "units", 0);
	uint32	   *number = sdc_memory_array(units, sizeof(uint32));

	for (uint32 u = 0; u < units; u++)
	{
		uint32		place = sdc_stream_below(stream, u + 1);

		sdc_interrupts_step(u);
		number[u] = number[place];
		number[place] = u + 1;
	}
	sdc_random_verify(random);
	return number;
}

struct SdcUnitWalk
{
	int			columns;		/* that name a unit */
	SdcType    *type;			/* of each; NULL: no record was seen */
	Datum	   *value;			/* of the unit at hand, */
	bool	   *missing;		/* or it has none */
	MemoryContext context;		/* of the walk, */
	MemoryContext of_unit;		/* and of these values */
};

/* sdc_unitnumbers_walk: see unitnumbers.h. */
SdcUnitWalk *
sdc_unitnumbers_walk(const SdcPublishPlan *plan)
{
	SdcUnitWalk *walk = palloc0(sizeof(SdcUnitWalk));

	walk->columns = list_length(plan->unit);
	walk->value = palloc(sizeof(Datum) * walk->columns);
	walk->missing = palloc(sizeof(bool) * walk->columns);
	walk->context = CurrentMemoryContext;
	walk->of_unit = AllocSetContextCreate(walk->context, "sdc unit", ALLOCSET_SMALL_SIZES);
	return walk;
}

/* look_up finds out how the values that name a unit compare, as they were sorted. */
static void
look_up(SdcUnitWalk *walk, TupleDesc desc)
{
	MemoryContext before = MemoryContextSwitchTo(walk->context);

	walk->type = palloc(sizeof(SdcType) * walk->columns);
	for (int i = 0; i < walk->columns; i++)
		sdc_type_lookup(&walk->type[i], TupleDescAttr(desc, i)->atttypid, TupleDescAttr(desc, i)->attcollation);
	MemoryContextSwitchTo(before);
}

/* is_of_unit tells whether a record is one of the unit at hand; a release that was changed can lack values of it. */
static bool
is_of_unit(SdcUnitWalk *walk, const TupleTableSlot *slot)
{
	for (int i = 0; i < walk->columns; i++)
		if (walk->missing[i] != slot->tts_isnull[i] ||
			(!walk->missing[i] && !sdc_type_equal(&walk->type[i], walk->value[i], slot->tts_values[i])))
			return false;
	return true;
}

/* sdc_unitnumbers_next: see unitnumbers.h. */
bool
sdc_unitnumbers_next(SdcUnitWalk *walk, TupleTableSlot *slot)
{
	MemoryContext before;

	slot_getsomeattrs(slot, walk->columns);
	if (walk->type == NULL)
		look_up(walk, slot->tts_tupleDescriptor);
	else if (is_of_unit(walk, slot))
		return false;
	MemoryContextReset(walk->of_unit);
	before = MemoryContextSwitchTo(walk->of_unit);
	for (int i = 0; i < walk->columns; i++)
	{
		walk->missing[i] = slot->tts_isnull[i];
		if (!walk->missing[i])
			walk->value[i] = datumCopy(slot->tts_values[i], walk->type[i].typbyval, walk->type[i].typlen);
	}
	MemoryContextSwitchTo(before);
	return true;
}

/* What is found out about the columns that are published. */
typedef struct Levels
{
	SdcUnitWalk *walk;
	int			columns;
	bool	   *several;		/* of each: a unit has several values; nothing more is asked of it */
	Datum	   *value;			/* of each: what the unit at hand has, */
	bool	   *missing;		/* or it has none */
	MemoryContext of_unit;		/* of these values */
} Levels;

/* have_one_text tells whether two values are one text, which no other value has. */
static bool
have_one_text(Form_pg_attribute column, Datum a, Datum b)
{
	char	   *text[2];
	Oid			output;
	bool		varlena;
	bool		same;
	int			nest;

	if (datum_image_eq(a, b, column->attbyval, column->attlen))
		return true;
	if (column->attbyval)
		return false;
	getTypeOutputInfo(column->atttypid, &output, &varlena);
	nest = sdc_type_pin_settings();
	text[0] = OidOutputFunctionCall(output, a);
	text[1] = OidOutputFunctionCall(output, b);
	AtEOXact_GUC(true, nest);
	same = strcmp(text[0], text[1]) == 0;
	pfree(text[0]);
	pfree(text[1]);
	return same;
}

/* keep_value keeps what the first record of a unit has in a column. */
static void
keep_value(Levels *levels, int number, Form_pg_attribute column, Datum value, bool missing)
{
	MemoryContext before = MemoryContextSwitchTo(levels->of_unit);

	levels->missing[number] = missing;
	if (!missing)
		levels->value[number] = datumCopy(value, column->attbyval, column->attlen);
	MemoryContextSwitchTo(before);
}

/*
 * compare_record compares the values of a record with those of its unit: SdcSpiRow.  What that takes is gone with the
 * record.
 */
static void
compare_record(void *arg, TupleTableSlot *slot)
{
	Levels	   *levels = arg;
	bool		first = sdc_unitnumbers_next(levels->walk, slot);
	int			named = slot->tts_tupleDescriptor->natts - levels->columns;

	slot_getallattrs(slot);
	if (first)
		MemoryContextReset(levels->of_unit);
	for (int i = 0; i < levels->columns; i++)
	{
		Form_pg_attribute column = TupleDescAttr(slot->tts_tupleDescriptor, named + i);
		Datum		value = slot->tts_values[named + i];
		bool		missing = slot->tts_isnull[named + i];

		if (levels->several[i])
			continue;
		if (!first)
			levels->several[i] = missing != levels->missing[i] ||
				(!missing && !have_one_text(column, levels->value[i], value));
		else
			keep_value(levels, i, column, value, missing);
	}
}

/* sdc_unitnumbers_columns: see unitnumbers.h. */
List *
sdc_unitnumbers_columns(const SdcPublishPlan *plan)
{
	Levels		levels = {.walk = sdc_unitnumbers_walk(plan), .columns = list_length(plan->columns)};
	List	   *names = NIL;
	ListCell   *cell;

	levels.several = palloc0(sizeof(bool) * levels.columns);
	levels.missing = palloc(sizeof(bool) * levels.columns);
	levels.value = palloc(sizeof(Datum) * levels.columns);
	levels.of_unit = AllocSetContextCreate(CurrentMemoryContext, "sdc unit values", ALLOCSET_SMALL_SIZES);
	sdc_spi_connect();
	sdc_publishplan_read(plan, true, compare_record, &levels);
	sdc_spi_finish();
	foreach(cell, plan->columns)
		if (!levels.several[foreach_current_index(cell)])
			names = lappend(names, lfirst(cell));
	return names;
}

/* percent_alone returns how many percent of the units have values of some columns that no other one has. */
static double
percent_alone(const SdcPublishPlan *plan, const List *columns)
{
	StringInfoData sql;
	bool		isnull;
	Datum		percent;
	ListCell   *cell;

	initStringInfo(&sql);
	appendStringInfoString(&sql, "SELECT 100.0::pg_catalog.float8 OPERATOR(pg_catalog.*)"
						   " (pg_catalog.count(*) FILTER (WHERE g.units OPERATOR(pg_catalog.=) 1))::pg_catalog.float8"
						   " OPERATOR(pg_catalog./) pg_catalog.sum(g.units)::pg_catalog.float8"
						   " FROM (SELECT pg_catalog.count(*) AS units FROM (SELECT DISTINCT ");
	sdc_spi_append_columns(&sql, plan->unit, "");
	appendStringInfoString(&sql, ", ");
	foreach(cell, columns)
		appendStringInfo(&sql, "%ssource.%s" TEXT " AS c%d", foreach_current_index(cell) == 0 ? "" : ", ",
						 quote_identifier(lfirst(cell)), foreach_current_index(cell) + 1);
	appendStringInfo(&sql, " FROM %s AS source) AS u GROUP BY ", sdc_spi_relation_name(plan->release.release));
	for (int i = 1; i <= list_length(columns); i++)
		appendStringInfo(&sql, "%su.c%d", i == 1 ? "" : ", ", i);
	appendStringInfoString(&sql, ") AS g");
	sdc_spi_select(sql.data);
	percent = SPI_getbinval(SPI_tuptable->vals[0], SPI_tuptable->tupdesc, 1, &isnull);
	pfree(sql.data);
	return isnull ? 0 : DatumGetFloat8(percent);
}

/* sdc_unitnumbers_warn: see unitnumbers.h. */
void
sdc_unitnumbers_warn(const SdcPublishPlan *plan)
{
	SdcActAs	before;
	List	   *columns;
	double		alone;

	if (plan->unit == NIL || plan->numbered)
		return;
	columns = sdc_unitnumbers_columns(plan);
	sdc_actas_begin(&before, plan->reader);
	alone = columns == NIL ? 0 : percent_alone(plan, columns);
	sdc_actas_end(&before);
	ereport(WARNING,
			(errcode(ERRCODE_WARNING),
			 errmsg("the records of %.0f %% of the units can be told to belong together although their number is left out", alone),
			 errdetail("These are the only ones that have their values in the columns in which no unit has several."),
			 errhint("An intruder who knows a unit finds it as easily as with the number; attacks assume that the records of a unit are seen to belong together.")));
}
