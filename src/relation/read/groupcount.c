/*-------------------------------------------------------------------------
 *
 * groupcount.c
 *		The groups of records of a relation that agree in some columns.
 *
 * One statement with GROUP BY each, run by the server: so large relations use temporary files or
 * parallel workers, and privileges, row security, views and partitions are its business.
 * Values are those that the type's equality tells apart, and NULLs are one value.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "access/relation.h"
#include "relation/base/compat.h"
#include "relation/base/names.h"
#include "relation/base/progress.h"
#include "relation/base/spi.h"
#include "relation/catalog/actas.h"
#include "relation/read/distributed.h"
#include "relation/read/groupcount.h"
#include "relation/read/source.h"
#include "relation/read/weights.h"
#include "relation/rights/trust.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/typcache.h"

/* With more columns than this, planning is what takes time. */
#define MANY_COLUMNS 64

/* Where the rows of a statement go: for every group an array of counts. */
typedef struct GroupOutput
{
	SdcGroupValues group;
	void	   *arg;
} GroupOutput;

/* sdc_groupcount_check_column: see groupcount.h. */
void
sdc_groupcount_check_column(Oid relid, const char *name, const char *argument)
{
	AttrNumber	number = sdc_source_find_column(relid, name, argument);
	Oid			typid = get_atttype(relid, number);

	sdc_source_require_right(relid, number);
	if (!OidIsValid(lookup_type_cache(typid, TYPECACHE_EQ_OPR)->eq_opr))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("column \"%s\" of relation \"%s\" cannot be grouped by",
						name, get_rel_name(relid)),
				 errdetail("Its type %s has no equality.", format_type_be(typid)),
				 errhint("Leave the column out of the call, or cast it to another type in a view.")));
	sdc_trust_require_order(typid);
}

/* sdc_groupcount_check: the columns stay as they are until the end of the transaction. */
Oid
sdc_groupcount_check(Oid relid, List *names, const char *column)
{
	Relation	rel = sdc_source_open(relid, AccessShareLock);
	ListCell   *cell;

	sdc_source_check_kind(relid);
	sdc_source_check_readable(relid);
	foreach(cell, names)
		sdc_groupcount_check_column(relid, lfirst(cell), "qi");
	if (column != NULL)
		sdc_groupcount_check_column(relid, column, "sensitive");
	relation_close(rel, NoLock);
	return sdc_trust_reader(relid, false);
}

/* count_in is column number of a row that SPI has. */
static uint64
count_in(uint64 row, int number)
{
	bool		isnull;
	Datum		value = SPI_getbinval(SPI_tuptable->vals[row], SPI_tuptable->tupdesc, number, &isnull);

	return isnull ? 0 : (uint64) DatumGetInt64(value);
}

/* select_groups runs a statement on a relation whose rows SPI keeps. */
static void
select_groups(Oid relid, List *names, const char *sql)
{
	int			nest = sdc_distributed_begin(relid, NULL);

	sdc_progress_start(relid, list_length(names));
	sdc_spi_select(sql);
	sdc_progress_end();
	sdc_distributed_end(nest);
}

/* sdc_groupcount_sizes counts the records, or units, of every group. */
void
sdc_groupcount_sizes(Oid relid, List *names, List *unit, SdcGroupSizes *sizes)
{
	StringInfoData sql;
	SdcActAs	before;
	const char *count;
	char	   *from;
	ListCell   *cell;

	sdc_actas_begin(&before, sdc_groupcount_check(relid, names, NULL));
	sdc_spi_connect();
	initStringInfo(&sql);
	from = sdc_distributed_counted(relid, names, unit, &count);
	appendStringInfo(&sql, "SELECT pg_catalog.count(*), pg_catalog.min(g.records), "
					 "pg_catalog.count(*) FILTER (WHERE g.records OPERATOR(pg_catalog.=) 1), "
					 "pg_catalog.count(*) FILTER (WHERE g.missing) FROM (SELECT %s AS records, ", count);
	foreach(cell, names)
		appendStringInfo(&sql, "%s%s IS NULL", foreach_current_index(cell) == 0 ? "" : " OR ",
						 quote_identifier(lfirst(cell)));
	appendStringInfo(&sql, " AS missing FROM %s GROUP BY ", from);
	sdc_spi_append_columns(&sql, names, "");
	appendStringInfoString(&sql, ") AS g");
	select_groups(relid, names, sql.data);
	sizes->groups = count_in(0, 1);
	sizes->smallest = count_in(0, 2);
	sizes->single = count_in(0, 3);
	sizes->missing = count_in(0, 4) > 0;
	sdc_spi_finish();
	sdc_actas_end(&before);
}

/*
 * sdc_groupcount_histogram: there are few different sizes, as they are sizes of different groups: less than the
 * root of twice the records.
 */
void
sdc_groupcount_histogram(Oid relid, List *names, List *unit, SdcGroupHistogram *histogram)
{
	MemoryContext context = CurrentMemoryContext;
	StringInfoData sql;
	SdcActAs	before;
	const char *count;
	char	   *from;

	sdc_actas_begin(&before, sdc_groupcount_check(relid, names, NULL));
	sdc_spi_connect();
	initStringInfo(&sql);
	from = sdc_distributed_counted(relid, names, unit, &count);
	appendStringInfo(&sql, "SELECT g.records, pg_catalog.count(*) FROM (SELECT %s AS records FROM %s GROUP BY ",
					 count, from);
	sdc_spi_append_columns(&sql, names, "");
	appendStringInfoString(&sql, ") AS g GROUP BY g.records ORDER BY g.records");
	select_groups(relid, names, sql.data);
	histogram->sizes = (uint32) sdc_spi_rows();
	histogram->size = MemoryContextAllocHuge(context, (histogram->sizes + 1) * sizeof(uint64));
	histogram->groups = MemoryContextAllocHuge(context, (histogram->sizes + 1) * sizeof(uint64));
	histogram->records = 0;
	for (uint32 i = 0; i < histogram->sizes; i++)
	{
		histogram->size[i] = count_in(i, 1);
		histogram->groups[i] = count_in(i, 2);
		histogram->records += histogram->size[i] * histogram->groups[i];
	}
	sdc_spi_finish();
	sdc_actas_end(&before);
}

/* append_weighted appends the records, or the units in each group, with their weights, under a name that it returns. */
static const char *
append_weighted(StringInfo sql, Oid relid, List *names, List *unit, const char *weight)
{
	char	   *mass = pstrdup("mass");
	const char *number = sdc_weights_number("source", weight);

	while (sdc_names_have(names, mass))
		mass = psprintf("%s_", mass);
	appendStringInfoString(sql, "(SELECT ");
	sdc_spi_append_columns(sql, names, "");
	/* a unit has one weight */
	appendStringInfo(sql, unit != NIL ? ", pg_catalog.max(%s) AS %s FROM %s AS source GROUP BY " :
					 ", %s AS %s FROM %s AS source", number, mass, sdc_spi_relation_name(relid));
	if (unit != NIL)
		sdc_spi_append_columns(sql, list_concat_copy(names, unit), "");
	appendStringInfoString(sql, ") AS source");
	return mass;
}

/* float_in returns a number of the statement that was run, NaN for NULL. */
static double
float_in(int column)
{
	bool		isnull;
	Datum		value = SPI_getbinval(SPI_tuptable->vals[0], SPI_tuptable->tupdesc, column, &isnull);

	return isnull ? NAN : DatumGetFloat8(value);
}

/* sdc_groupcount_masses: see groupcount.h. */
void
sdc_groupcount_masses(Oid relid, List *names, List *unit, const char *weight, SdcGroupMasses *masses)
{
	StringInfoData sql;
	StringInfoData from;
	SdcActAs	before;
	const char *mass;

	sdc_actas_begin(&before, sdc_groupcount_check(relid, names, weight));
	sdc_spi_connect();
	sdc_weights_require(relid, weight, unit);
	initStringInfo(&from);
	mass = append_weighted(&from, relid, names, unit, weight);
	initStringInfo(&sql);
	appendStringInfo(&sql, "SELECT pg_catalog.count(*) FILTER (WHERE g.records OPERATOR(pg_catalog.=) 1), "
					 "pg_catalog.count(*) FILTER (WHERE g.records OPERATOR(pg_catalog.=) 2), "
					 "pg_catalog.sum(g.mass OPERATOR(pg_catalog.-) 2::pg_catalog.numeric) "
					 "FILTER (WHERE g.records OPERATOR(pg_catalog.=) 2)::pg_catalog.float8, "
					 "pg_catalog.min(g.mass)::pg_catalog.float8 "
					 "FROM (SELECT pg_catalog.count(*) AS records, pg_catalog.sum(source.%s) AS mass FROM %s GROUP BY ",
					 mass, from.data);
	sdc_spi_append_columns(&sql, names, "");
	appendStringInfoString(&sql, ") AS g");
	select_groups(relid, names, sql.data);
	masses->uniques = count_in(0, 1);
	masses->pairs = count_in(0, 2);
	masses->others = masses->pairs == 0 ? 0 : float_in(3);
	masses->least = float_in(4);
	sdc_spi_finish();
	sdc_actas_end(&before);
}

/* receive_group passes the counts of a group on: SdcSpiRow. */
static void
receive_group(void *arg, TupleTableSlot *slot)
{
	const GroupOutput *output = arg;
	SdcGroupCounts counts = {0};
	ArrayType  *array;
	bool		isnull;
	Datum		value = slot_getattr(slot, 1, &isnull);

	if (isnull)
		elog(ERROR, "a group has no records");
	array = DatumGetArrayTypeP(value);
	counts.count = (const uint64 *) ARR_DATA_PTR(array);
	counts.values = (uint64) ArrayGetNItems(ARR_NDIM(array), ARR_DIMS(array));
	value = slot_getattr(slot, 2, &isnull);
	if (!isnull)
		counts.size = (uint64) DatumGetInt64(value);
	for (uint64 i = 0; isnull && i < counts.values; i++)
		counts.size += counts.count[i];
	output->group(output->arg, &counts);
}

/* append_counted appends a SELECT of the groups' columns as c0, c1, ..., with the counts and sizes given for them. */
static void
append_counted(StringInfo sql, Oid relid, List *names, List *by, List *unit, const char *more)
{
	const char *count;
	char	   *from = sdc_distributed_counted(relid, by, unit, &count);
	ListCell   *cell;

	appendStringInfoString(sql, "SELECT ");
	foreach(cell, names)
		appendStringInfo(sql, "source.%s AS c%d, ", quote_identifier(lfirst(cell)), foreach_current_index(cell));
	appendStringInfo(sql, more, count);
	appendStringInfo(sql, " FROM %s GROUP BY ", from);
	sdc_spi_append_columns(sql, by, "");
}

/*
 * values_statement builds the SELECT: of the groups of all columns, those that agree in the first
 * ones are put together, so that the server sorts or hashes numbers the second time.  With many columns
 * the groups are a table of their own: of a subquery the planner looks for the use of its order, in a time
 * that grows with the third power of the columns.
 *
 * A unit can have several values, and then is one of several counts: how many a group has is counted besides.
 */
static char *
values_statement(Oid relid, List *names, const char *column, List *unit)
{
	List	   *columns = lappend(list_copy(names), pstrdup(column));
	const char *aggregates = unit == NIL ? "pg_catalog.array_agg(g.records), NULL::pg_catalog.int8" :
		"pg_catalog.array_agg(g.records) FILTER (WHERE g.size IS NULL), pg_catalog.max(g.size)";
	bool		many = list_length(names) > MANY_COLUMNS;
	StringInfoData sql;

	initStringInfo(&sql);
	if (many)
		appendStringInfoString(&sql, "WITH g AS MATERIALIZED (");
	else
		appendStringInfo(&sql, "SELECT %s FROM (", aggregates);
	append_counted(&sql, relid, names, columns, unit,
				   unit == NIL ? "%s AS records" : "%s AS records, NULL::pg_catalog.int8 AS size");
	if (unit != NIL)
	{
		appendStringInfoString(&sql, " UNION ALL ");
		append_counted(&sql, relid, names, names, unit, "NULL, %s");
	}
	if (many)
		appendStringInfo(&sql, ") SELECT %s FROM g GROUP BY ", aggregates);
	else
		appendStringInfoString(&sql, ") AS g GROUP BY ");
	for (int i = 0; i < list_length(names); i++)
		appendStringInfo(&sql, "%sg.c%d", i == 0 ? "" : ", ", i);
	return sql.data;
}

/* sdc_groupcount_values calls a function for every group. */
void
sdc_groupcount_values(Oid relid, List *names, const char *column, List *unit, SdcGroupValues group, void *arg)
{
	GroupOutput output = {group, arg};
	SdcActAs	before;
	int			nest;

	sdc_actas_begin(&before, sdc_groupcount_check(relid, names, column));
	sdc_spi_connect();
	nest = sdc_distributed_begin(relid, NULL);
	sdc_progress_start(relid, list_length(names));
	sdc_spi_select_rows(values_statement(relid, names, column, unit), receive_group, &output);
	sdc_progress_end();
	sdc_distributed_end(nest);
	sdc_spi_finish();
	sdc_actas_end(&before);
}
