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
#include "utils/builtins.h"

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

/* append_names appends names of columns. */
static void
append_names(StringInfo sql, const List *names)
{
	ListCell   *cell;

	foreach(cell, names)
		appendStringInfo(sql, "%ssource.%s", foreach_current_index(cell) == 0 ? "" : ", ", quote_identifier(lfirst(cell)));
}

/* columns_of_units lists the columns that are published in which no unit has two values. */
static List *
columns_of_units(const SdcPublishPlan *plan)
{
	StringInfoData sql;
	List	   *names = NIL;
	ListCell   *cell;

	initStringInfo(&sql);
	appendStringInfoString(&sql, "SELECT ");
	foreach(cell, plan->columns)
		appendStringInfo(&sql, "%spg_catalog.bool_and(u.n%d)", foreach_current_index(cell) == 0 ? "" : ", ",
						 foreach_current_index(cell));
	appendStringInfoString(&sql, " FROM (SELECT ");
	foreach(cell, plan->columns)
	{
		const char *name = quote_identifier(lfirst(cell));

		/* the first value of a unit by its text is the last one as well, and all are there or none */
		appendStringInfo(&sql, "%s(pg_catalog.min(source.%s" TEXT ") OPERATOR(pg_catalog.=) pg_catalog.max(source.%s" TEXT ")) IS NOT FALSE"
						 " AND pg_catalog.count(source.%s) OPERATOR(pg_catalog.=) ANY (ARRAY[0, pg_catalog.count(*)]) AS n%d",
						 foreach_current_index(cell) == 0 ? "" : ", ", name, name, name, foreach_current_index(cell));
	}
	appendStringInfo(&sql, " FROM %s AS source GROUP BY ", sdc_spi_relation_name(plan->release.release));
	append_names(&sql, plan->unit);
	appendStringInfoString(&sql, ") AS u");
	sdc_spi_select(sql.data);
	foreach(cell, plan->columns)
	{
		bool		isnull;
		Datum		same = SPI_getbinval(SPI_tuptable->vals[0], SPI_tuptable->tupdesc,
										 foreach_current_index(cell) + 1, &isnull);

		if (!isnull && DatumGetBool(same))
			names = lappend(names, lfirst(cell));
	}
	pfree(sql.data);
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
	append_names(&sql, plan->unit);
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

/* sdc_unitnumbers_columns: see unitnumbers.h. */
List *
sdc_unitnumbers_columns(const SdcPublishPlan *plan)
{
	MemoryContext context = CurrentMemoryContext;
	SdcActAs	before;
	List	   *names;

	sdc_actas_begin(&before, plan->reader);
	sdc_spi_connect();
	names = columns_of_units(plan);
	/* what is allocated while SPI is connected ends with it */
	MemoryContextSwitchTo(context);
	names = list_copy(names);
	sdc_spi_finish();
	sdc_actas_end(&before);
	return names;
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
	sdc_actas_begin(&before, plan->reader);
	columns = columns_of_units(plan);
	alone = columns == NIL ? 0 : percent_alone(plan, columns);
	sdc_actas_end(&before);
	ereport(WARNING,
			(errcode(ERRCODE_WARNING),
			 errmsg("the records of %.0f %% of the units can be told to belong together although their number is left out", alone),
			 errdetail("These are the only ones that have their values in the columns in which no unit has several."),
			 errhint("Whoever knows a unit finds it as easily as with the number; attacks assume that records can be told to belong together.")));
}
