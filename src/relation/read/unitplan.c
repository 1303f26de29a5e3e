/*-------------------------------------------------------------------------
 *
 * unitplan.c
 *		What a request says of units: which columns name them, and which are of records or computed.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "relation/read/unitplan.h"

/*
 * plan_unit decides what names the unit of a record.  A column that is classified as unit stays as it is, also
 * where each record is to be one.
 */
static void
plan_unit(SdcSource *source, const SdcSourceRequest *request)
{
	List	   *names = request->unit_given ? request->unit : NIL;
	ListCell   *cell;

	source->unit = palloc(sizeof(int) * Max(source->attribute_count, 1));
	/* who reads some columns only, and says nothing of units, counts records */
	if (request->only_needed && !request->unit_given)
		return;
	for (int i = 0; i < source->attribute_count; i++)
	{
		SdcAttribute *attribute = &source->attributes[i];

		if (attribute->role != SDC_ROLE_UNIT)
			continue;
		if (!request->unit_given)
			names = lappend(names, NameStr(attribute->name));
		if (attribute->action == SDC_ACTION_COPIED)
			attribute->action = SDC_ACTION_UNIT;
	}
	foreach(cell, names)
	{
		int			i = sdc_source_find_attribute(source, lfirst(cell), "unit");
		SdcAttribute *attribute = &source->attributes[i];

		if (attribute->kept)
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("column \"%s\" cannot be kept, it names the unit of a record", NameStr(attribute->name)),
					 errhint("Leave it out of argument \"keep\": a protected table always has the columns of the unit, unless they are left out.")));
		sdc_source_require_order(source, attribute, "used to name a unit");
		if (attribute->action != SDC_ACTION_KEY)
			attribute->type.collation = sdc_type_order_collation(attribute->type.collation);
		if (attribute->action == SDC_ACTION_COPIED)
			attribute->action = SDC_ACTION_UNIT;
		attribute->named = attribute->of_unit = true;
		source->unit[source->unit_count++] = i;
	}
}

/* require_units insists on units for an argument that is about them. */
static void
require_units(const SdcSource *source, const char *argument)
{
	if (source->unit_count == 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("argument \"%s\" is about a relation with units", argument),
				 errhint("Name the columns that tell whom a record is about in argument \"unit\".")));
}

/* plan_row_level marks the columns that are protected record by record whatever units have of them. */
static void
plan_row_level(SdcSource *source, const SdcSourceRequest *request)
{
	ListCell   *cell;

	foreach(cell, request->row_level)
	{
		SdcAttribute *attribute = &source->attributes[sdc_source_find_attribute(source, lfirst(cell), "row_level")];

		require_units(source, "row_level");
		attribute->level = SDC_LEVEL_ROW;
	}
}

/* plan_totals marks the columns that are computed, which no other argument can name. */
static void
plan_totals(SdcSource *source, const SdcSourceRequest *request)
{
	int			count = list_length(request->totals);

	source->total = palloc(sizeof(int) * Max(count, 1));
	source->part = palloc(sizeof(int) * Max(count, 1));
	for (int i = 0; i < count; i++)
	{
		int			total = sdc_source_find_attribute(source, list_nth(request->totals, i), "totals");
		int			part = sdc_source_find_attribute(source, list_nth(request->parts, i), "totals");
		SdcAttribute *attribute = &source->attributes[total];

		require_units(source, "totals");
		if (!sdc_type_is_numeric(attribute->type.typid) || !sdc_type_is_numeric(source->attributes[part].type.typid))
			ereport(ERROR,
					(errcode(ERRCODE_DATATYPE_MISMATCH),
					 errmsg("column \"%s\" cannot be the total of column \"%s\"", NameStr(attribute->name),
							NameStr(source->attributes[part].name)),
					 errdetail("Both must be numbers.")));
		if (attribute->action != SDC_ACTION_COPIED || attribute->kept || attribute->generated ||
			source->attributes[part].action != SDC_ACTION_COPIED)
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("column \"%s\" cannot be computed", NameStr(attribute->name)),
					 errdetail("It, or column \"%s\" of which it is the total, is named in another argument, generated, or left out.",
							   NameStr(source->attributes[part].name))));
		attribute->action = SDC_ACTION_COMPUTED;
		attribute->named = true;
		source->total[source->total_count] = total;
		source->part[source->total_count++] = part;
	}
}

/* sdc_unitplan_make: see unitplan.h. */
void
sdc_unitplan_make(SdcSource *source, const SdcSourceRequest *request)
{
	plan_unit(source, request);
	plan_row_level(source, request);
	plan_totals(source, request);
}
