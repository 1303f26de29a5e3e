/*-------------------------------------------------------------------------
 *
 * unitcolumns.c
 *		The columns that name the units of a relation whose records are counted.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/relation.h"
#include "relation/base/names.h"
#include "relation/base/spi.h"
#include "relation/catalog/actas.h"
#include "relation/catalog/catalog.h"
#include "relation/catalog/catalogtable.h"
#include "relation/read/distributed.h"
#include "relation/read/groupcount.h"
#include "relation/read/repeated.h"
#include "relation/read/source.h"
#include "relation/read/sourceunits.h"
#include "relation/read/unitcolumns.h"
#include "relation/rights/label.h"
#include "relation/rights/trust.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

/* refuse_left_out raises the error about a release without a column that names its units. */
static void
refuse_left_out(Oid relid, const char *name)
{
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("release \"%s\" has no column \"%s\", which names the unit of a record", get_rel_name(relid), name),
			 errhint("Name columns of the release in argument \"unit\", or count records with unit => '{}'.")));
}

/* known_of returns the columns that are known to name the units of a relation. */
static List *
known_of(Oid relid)
{
	SdcReleaseRow row;
	List	   *names = NIL;
	ListCell   *cell;

	if (sdc_catalog_get_visible(sdc_catalogtable_schema(), relid, &row))
		names = row.unit;
	foreach(cell, names)
		if (get_attnum(relid, lfirst(cell)) <= 0)
			refuse_left_out(relid, lfirst(cell));
	if (names == NIL)
		names = sdc_label_columns(relid, SDC_ROLE_UNIT);
	if (names == NIL && get_attnum(relid, SDC_UNIT_COLUMN) > 0)
		names = list_make1(pstrdup(SDC_UNIT_COLUMN));
	return names;
}

/* refuse_used raises the error about a column that names units and is used otherwise. */
static void
refuse_used(const char *name, const char *argument)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("column \"%s\" names the unit of a record, and cannot be in argument \"%s\"", name, argument),
			 errhint("Leave it out of the argument, or count records with unit => '{}'.")));
}

/* check_values insists on a unit for each record: it counts the missing values of the columns. */
static void
check_values(Oid relid, List *names)
{
	StringInfoData sql;
	ListCell   *cell;
	int			nest;

	initStringInfo(&sql);
	foreach(cell, names)
		appendStringInfo(&sql, "%s pg_catalog.count(*) OPERATOR(pg_catalog.-) pg_catalog.count(source.%s)",
						 foreach_current_index(cell) == 0 ? "SELECT" : ",", quote_identifier(lfirst(cell)));
	appendStringInfo(&sql, " FROM %s AS source", sdc_spi_relation_name(relid));
	sdc_spi_connect();
	nest = sdc_distributed_begin(relid, NULL);
	sdc_spi_select(sql.data);
	foreach(cell, names)
	{
		bool		isnull;
		int64		missing = DatumGetInt64(SPI_getbinval(SPI_tuptable->vals[0], SPI_tuptable->tupdesc,
														  foreach_current_index(cell) + 1, &isnull));

		if (missing > 0)
			sdc_sourceunits_refuse_null(get_rel_name(relid), lfirst(cell), (uint64) missing);
	}
	sdc_distributed_end(nest);
	sdc_spi_finish();
}

/*
 * warn_records warns where records are counted that are not each about somebody else; a release has them of its
 * source.
 */
static void
warn_records(Oid relid)
{
	SdcReleaseRow row;

	if (!sdc_catalog_get_visible(sdc_catalogtable_schema(), relid, &row))
		sdc_repeated_warn(relid, false);
	else if (OidIsValid(row.source))
		sdc_repeated_warn(row.source, true);
}

/* sdc_unitcolumns_find: see unitcolumns.h. */
List *
sdc_unitcolumns_find(Oid relid, const SdcUnitRequest *request)
{
	Relation	rel = sdc_source_open(relid, AccessShareLock);
	List	   *names = request->given ? request->names : known_of(relid);
	SdcActAs	before;
	ListCell   *cell;

	if (names != NIL)
		sdc_source_check_kind(relid);
	foreach(cell, names)
	{
		if (sdc_names_have(request->qi, lfirst(cell)))
			refuse_used(lfirst(cell), request->qi_argument);
		if (request->sensitive != NULL && strcmp(request->sensitive, lfirst(cell)) == 0)
			refuse_used(lfirst(cell), "sensitive");
		sdc_groupcount_check_column(relid, lfirst(cell), "unit");
	}
	if (names == NIL)
		warn_records(relid);
	else
	{
		sdc_actas_begin(&before, sdc_trust_reader(relid, false));
		check_values(relid, names);
		sdc_actas_end(&before);
	}
	relation_close(rel, NoLock);
	return names;
}
