/*-------------------------------------------------------------------------
 *
 * distributed.c
 *		Tables whose rows are on other servers, or lie in no order that lasts.
 *
 * Citus leaves of a distributed table, or of one that every server has a copy of, a table without rows behind, and
 * plans every statement on it anew.  So SELECT finds the rows, and a reader of the table's file finds none: what
 * is written there nobody reads.  Which tables these are is in its table pg_dist_partition, which only a superuser can
 * have put among the server's own.  It is found by its name, so that nothing here needs Citus.
 *
 * Rows that come from several servers come as they are ready; and what another storage than a heap calls the place of
 * a row is its own business.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "catalog/pg_am.h"
#include "catalog/pg_class.h"
#include "catalog/pg_inherits.h"
#include "catalog/pg_namespace.h"
#include "catalog/pg_partitioned_table.h"
#include "catalog/pg_type.h"
#include "commands/defrem.h"
#include "relation/base/names.h"
#include "relation/base/spi.h"
#include "relation/read/distributed.h"
#include "relation/read/source.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/guc.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/syscache.h"

#define CITUS_TABLE "pg_dist_partition"
#define CITUS_COLUMN "logicalrelid"

/* open_citus opens the table of Citus, and finds the column of its tables; NULL: there is none. */
static Relation
open_citus(AttrNumber *column)
{
	Oid			relid = get_relname_relid(CITUS_TABLE, PG_CATALOG_NAMESPACE);
	Relation	rel = NULL;
	Oid			type;

	if (!OidIsValid(relid) || get_rel_relkind(relid) != RELKIND_RELATION)
		return NULL;
	*column = get_attnum(relid, CITUS_COLUMN);
	type = *column > 0 ? get_atttype(relid, *column) : InvalidOid;
	if (type == REGCLASSOID || type == OIDOID)
		rel = try_table_open(relid, AccessShareLock);
	return rel;
}

/* sdc_distributed_is: see distributed.h. */
bool
sdc_distributed_is(Oid relid)
{
	AttrNumber	column;
	Relation	rel = open_citus(&column);
	ScanKeyData key;
	SysScanDesc scan;
	bool		found;

	if (rel == NULL)
		return false;
	ScanKeyInit(&key, column, BTEqualStrategyNumber, F_OIDEQ, ObjectIdGetDatum(relid));
	scan = systable_beginscan(rel, InvalidOid, false, NULL, 1, &key);
	found = HeapTupleIsValid(systable_getnext(scan));
	systable_endscan(scan);
	table_close(rel, AccessShareLock);
	return found;
}

/* other_storage returns the access method of a table that is no heap; InvalidOid: it is one, or has no storage. */
static Oid
other_storage(Oid relid, char relkind)
{
	HeapTuple	row;
	Oid			method = InvalidOid;

	if (relkind != RELKIND_RELATION && relkind != RELKIND_MATVIEW)
		return InvalidOid;
	row = SearchSysCache1(RELOID, ObjectIdGetDatum(relid));
	if (HeapTupleIsValid(row))
	{
		method = ((Form_pg_class) GETSTRUCT(row))->relam;
		ReleaseSysCache(row);
	}
	return method == HEAP_TABLE_AM_OID ? InvalidOid : method;
}

/* no_order_of returns why the records of one table have no order, or NULL. */
static char *
no_order_of(Oid relid)
{
	char		relkind = get_rel_relkind(relid);
	Oid			method = other_storage(relid, relkind);

	if (relkind == RELKIND_FOREIGN_TABLE)
		return psprintf("The records of foreign table \"%s\" have no physical order.", get_rel_name(relid));
	if (OidIsValid(method))
		return psprintf("The records of table \"%s\" are stored by access method \"%s\", in an order of its own.",
						get_rel_name(relid), get_am_name(method));
	if (sdc_distributed_is(relid))
		return psprintf("The records of distributed table \"%s\" have no physical order.", get_rel_name(relid));
	return NULL;
}

/* sdc_distributed_no_order looks at the whole tree. */
char *
sdc_distributed_no_order(Oid relid)
{
	ListCell   *cell;

	foreach(cell, find_all_inheritors(relid, NoLock, NULL))
	{
		char	   *reason = no_order_of(lfirst_oid(cell));

		if (reason != NULL)
			return reason;
	}
	return NULL;
}

/* foreign_parts counts the tables of a tree that have records, if some of them are on other servers; else it is 0. */
static int
foreign_parts(Oid relid)
{
	List	   *tree = find_all_inheritors(relid, NoLock, NULL);
	bool		foreign = false;
	int			parts = 0;
	ListCell   *cell;

	foreach(cell, tree)
	{
		char		relkind = get_rel_relkind(lfirst_oid(cell));

		foreign |= relkind == RELKIND_FOREIGN_TABLE;
		parts += relkind != RELKIND_PARTITIONED_TABLE;
	}
	return foreign && list_length(tree) > 1 ? parts : 0;
}

/*
 * sdc_distributed_begin leaves everything as it is where all partitions are here: there is little to win, and a hash
 * table for each could take more memory.
 */
int
sdc_distributed_begin(Oid relid, int *parts)
{
	int			nest = NewGUCNestLevel();
	int			found = foreign_parts(relid);

	if (found > 0)
		sdc_spi_set_for_now("enable_partitionwise_aggregate", "on");
	if (parts != NULL)
		*parts = Max(found, 1);
	return nest;
}

/* sdc_distributed_end: see distributed.h. */
void
sdc_distributed_end(int nest)
{
	AtEOXact_GUC(true, nest);
}

/*
 * list_column returns the column by whose values a relation is divided among servers, one list of them each: then there
 * are few.  NULL: it is divided otherwise, not at all, or the caller may not read the column.
 */
static char *
list_column(Oid relid)
{
	AttrNumber	number = InvalidAttrNumber;
	HeapTuple	row = SearchSysCache1(PARTRELID, ObjectIdGetDatum(relid));

	/* the row itself tells: the server would compute constant parts of expressions to make the key of it */
	if (HeapTupleIsValid(row))
	{
		Form_pg_partitioned_table key = (Form_pg_partitioned_table) GETSTRUCT(row);

		if (key->partstrat == PARTITION_STRATEGY_LIST)
			number = key->partattrs.values[0];	/* 0: an expression */
		ReleaseSysCache(row);
	}
	if (number == InvalidAttrNumber || foreign_parts(relid) == 0 ||
		!sdc_source_may_read(relid, number))
		return NULL;
	return get_attname(relid, number, false);
}

/* list_columns lists columns for a statement, each once and with a comma behind it. */
static char *
list_columns(List *names)
{
	StringInfoData columns;
	ListCell   *cell;

	initStringInfo(&columns);
	foreach(cell, names)
		if (sdc_names_index(names, lfirst(cell)) == foreach_current_index(cell))
			appendStringInfo(&columns, "source.%s, ", quote_identifier(lfirst(cell)));
	return columns.data;
}

/* counted_once returns the units of every group, one row each. */
static char *
counted_once(const char *name, List *names, List *unit)
{
	char	   *columns = list_columns(names);
	char	   *of_unit = list_columns(unit);

	/* without the last comma */
	columns[strlen(columns) - 2] = '\0';
	of_unit[strlen(of_unit) - 2] = '\0';
	return psprintf("(SELECT %s FROM %s AS source GROUP BY %s, %s) AS source", columns, name, columns, of_unit);
}

/*
 * sdc_distributed_counted: a group can have records on several servers, which count their own when the column that
 * divides them is one of the groups'; the counts are added up here.
 */
char *
sdc_distributed_counted(Oid relid, List *names, List *unit, const char **count)
{
	char	   *name = sdc_spi_relation_name(relid);
	char	   *column = get_rel_relkind(relid) == RELKIND_PARTITIONED_TABLE ? list_column(relid) : NULL;
	char	   *counted = pstrdup("counted");
	char	   *columns;

	*count = "pg_catalog.count(*)";
	if (unit != NIL)
		return counted_once(name, names, unit);
	if (column == NULL || sdc_names_have(names, column))
		return psprintf("%s AS source", name);
	while (sdc_names_have(names, counted))
		counted = psprintf("%s_", counted);
	columns = list_columns(names);
	*count = psprintf("CAST(pg_catalog.sum(source.%s) AS pg_catalog.int8)", counted);
	return psprintf("(SELECT %spg_catalog.count(*) AS %s FROM %s AS source GROUP BY %ssource.%s) AS source", columns,
					counted, name, columns, quote_identifier(column));
}
