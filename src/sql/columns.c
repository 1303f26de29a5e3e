/*-------------------------------------------------------------------------
 *
 * columns.c
 *		sdc_unit_columns, and what is below sdc_propose: what the columns of a relation are.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "fmgr.h"
#include "measure/columnfacts.h"
#include "measure/unitlevels.h"
#include "sql/args.h"
#include "sql/plumbing.h"
#include "sql/rows.h"
#include "sql/unitargs.h"
#include "utils/builtins.h"

PG_FUNCTION_INFO_V1(sdc_unit_columns);

/* put_level adds the row of a column: SdcColumnLevelTake. */
static void
put_level(void *arg, const SdcColumnLevel *level)
{
	const SdcUnitLevel *found = &level->found;
	bool		of_unit = found->differing == 0;
	NameData	name;
	Datum		values[5] = {0};
	bool		nulls[5] = {false};

	namestrcpy(&name, level->name);
	values[0] = NameGetDatum(&name);
	if (level->known)
		values[1] = CStringGetTextDatum(of_unit ? "unit" : "row");
	values[2] = Int64GetDatum((int64) found->differing);
	values[3] = Float8GetDatum(found->icc);
	if (level->units > 0)
		values[4] = Float8GetDatum(100.0 * found->alone / level->units);
	nulls[1] = nulls[2] = !level->known;
	nulls[3] = !level->known || !isfinite(found->icc);
	nulls[4] = !level->known || !of_unit || level->units == 0;
	sdc_rows_put(arg, values, nulls);
}

/*
 * sdc_unit_columns(relation regclass, unit name[])
 *		RETURNS TABLE (attribute name, level text, units_differing bigint, icc float8, alone_percent float8)
 */
Datum
sdc_unit_columns(PG_FUNCTION_ARGS)
{
	Oid			relid = sdc_args_relation(fcinfo, 0, "relation");
	List	   *unit = sdc_unitargs_counted(fcinfo, 1, relid, NIL, NULL, NULL);

	sdc_rows_begin(fcinfo, 0);
	sdc_unitlevels_of(relid, unit, put_level, fcinfo);
	return (Datum) 0;
}

/*
 * sdc_private.column_facts(relation regclass, columns name[])
 *		RETURNS TABLE (attribute name, records bigint, different bigint, single bigint, many boolean, prefix int,
 *					   prefixes bigint, length float8, apart bigint, follows name)
 */
SDC_PLUMBING(column_facts)
{
	Oid			relid = sdc_args_relation(fcinfo, 0, "relation");
	List	   *names = NIL;
	SdcColumnFacts *facts;

	(void) sdc_args_names(fcinfo, 1, "columns", &names);
	sdc_rows_begin(fcinfo, 0);
	facts = sdc_columnfacts_find(relid, names);
	for (int i = 0; i < list_length(names); i++)
	{
		Datum		values[10];
		bool		nulls[10] = {false};
		NameData	name;
		NameData	follows;

		namestrcpy(&name, list_nth(names, i));
		values[0] = NameGetDatum(&name);
		values[1] = Int64GetDatum((int64) facts[i].records);
		values[2] = Int64GetDatum((int64) facts[i].different);
		values[3] = Int64GetDatum((int64) facts[i].single);
		values[4] = BoolGetDatum(facts[i].many);
		values[5] = Int32GetDatum(facts[i].prefix);
		values[6] = Int64GetDatum((int64) facts[i].prefixes);
		nulls[5] = nulls[6] = facts[i].prefix == 0;
		values[7] = Float8GetDatum(facts[i].length);
		nulls[7] = isnan(facts[i].length);
		values[8] = Int64GetDatum((int64) facts[i].apart);
		nulls[9] = facts[i].follows < 0;
		if (!nulls[9])
			namestrcpy(&follows, list_nth(names, facts[i].follows));
		values[9] = NameGetDatum(&follows);
		sdc_rows_put(fcinfo, values, nulls);
	}
	return (Datum) 0;
}
