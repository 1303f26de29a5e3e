/*-------------------------------------------------------------------------
 *
 * unitlevels.c
 *		Which columns of a relation belong to its units, and which to their records.
 *
 * The relation is read once, as codes; the kernel looks at the columns one by one.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/relation.h"
#include "catalog/pg_class.h"
#include "kernel/base/units.h"
#include "measure/unitlevels.h"
#include "miscadmin.h"
#include "relation/base/memory.h"
#include "relation/base/names.h"
#include "relation/base/progress.h"
#include "relation/column/paircodes.h"
#include "relation/read/codedtable.h"
#include "relation/read/source.h"
#include "relation/rights/trust.h"
#include "utils/acl.h"
#include "utils/rel.h"

/* The work on a relation. */
typedef struct Levels
{
	List	   *names;			/* of all columns but those of the unit */
	List	   *read;			/* those of them that are read, and behind them those of the unit */
	SdcCodedTable *table;
	uint32	   *unit;			/* of each record */
	uint32		units;
} Levels;

/* can_compare tells whether the caller can read a column, and the server compare its values with his rights. */
static bool
can_compare(Oid relid, Form_pg_attribute attribute)
{
	SdcType		type;

	if (pg_class_aclcheck(relid, GetUserId(), ACL_SELECT) != ACLCHECK_OK &&
		pg_attribute_aclcheck(relid, attribute->attnum, GetUserId(), ACL_SELECT) != ACLCHECK_OK)
		return false;
	sdc_type_lookup(&type, attribute->atttypid, sdc_type_order_collation(attribute->attcollation));
	return type.orderable && sdc_trust_has_order(attribute->atttypid);
}

/* plan_columns lists the columns, and those of them that are read. */
static void
plan_columns(Levels *levels, Oid relid, List *unit)
{
	Relation	rel = sdc_source_open(relid, AccessShareLock);
	TupleDesc	desc = RelationGetDescr(rel);

	sdc_source_check_kind(relid);
	sdc_source_check_readable(relid);
	for (int i = 0; i < desc->natts; i++)
	{
		Form_pg_attribute attribute = TupleDescAttr(desc, i);
		char	   *name;

		if (attribute->attisdropped || sdc_names_have(unit, NameStr(attribute->attname)))
			continue;
		name = pstrdup(NameStr(attribute->attname));
		levels->names = lappend(levels->names, name);
		if (can_compare(relid, attribute))
			levels->read = lappend(levels->read, name);
	}
	levels->read = list_concat_copy(levels->read, unit);
	relation_close(rel, NoLock);
}

/* number_units numbers the units, which the last columns that were read name. */
static void
number_units(Levels *levels, int columns)
{
	SdcCodedFile naming = levels->table->coded;

	levels->unit = sdc_memory_array(naming.records, sizeof(uint32));
	naming.column += naming.attributes - columns;
	naming.attributes = columns;
	if (columns > 0)
	{
		levels->units = sdc_units_number(&naming, levels->unit);
		return;
	}
	levels->units = naming.records;
	for (uint32 r = 0; r < naming.records; r++)
	{
		sdc_interrupts_step(r);
		levels->unit[r] = r;
	}
}

/* measure_column looks at a column that was read. */
static void
measure_column(const Levels *levels, int number, SdcUnitLevel *found)
{
	const SdcCodedTable *table = levels->table;
	const SdcCodedTableColumn *column = &table->column[number];
	SdcCodedValues values = {column->dictionary, column->coding.number};
	SdcUnitLevelTask task = {table->coded.records, levels->unit, levels->units, table->coded.column[number], NULL};
	double	   *numbers = NULL;

	if (column->type.kind == SDC_VALUE_NUMBER)
		task.number = numbers = sdc_paircodes_numbers(&column->type, &values, task.column.codes);
	sdc_unitlevels_measure(&task, found);
	if (numbers != NULL)
		sdc_free(numbers);
}

/* sdc_unitlevels_of: see unitlevels.h. */
void
sdc_unitlevels_of(Oid relid, List *unit, SdcColumnLevelTake take, void *arg)
{
	Levels		levels = {0};
	int			number = 0;
	ListCell   *cell;

	plan_columns(&levels, relid, unit);
	if (levels.read != NIL)
	{
		levels.table = sdc_codedtable_load(relid, levels.read);
		number_units(&levels, list_length(unit));
		sdc_progress_evaluating(levels.table->coded.records, list_length(levels.read));
	}
	foreach(cell, levels.names)
	{
		SdcColumnLevel level = {.name = lfirst(cell), .units = levels.units};

		level.known = sdc_names_have(levels.read, level.name);
		if (level.known)
		{
			measure_column(&levels, number++, &level.found);
			sdc_progress_next_part();
		}
		take(arg, &level);
	}
	sdc_progress_end();
}
