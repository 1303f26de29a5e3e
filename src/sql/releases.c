/*-------------------------------------------------------------------------
 *
 * releases.c
 *		What is below the view sdc_releases, and the trigger of the tables of the extension.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/table.h"
#include "catalog/pg_authid.h"
#include "catalog/pg_class.h"
#include "catalog/pg_type.h"
#include "commands/trigger.h"
#include "fmgr.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "publish/policies.h"
#include "publish/runs.h"
#include "relation/catalog/catalog.h"
#include "relation/catalog/catalogtable.h"
#include "relation/catalog/parameters.h"
#include "relation/frame/evaluations.h"
#include "relation/frame/publications.h"
#include "sql/args.h"
#include "sql/plumbing.h"
#include "sql/rows.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"

PG_FUNCTION_INFO_V1(sdc_catalog_entered);

/* The columns of the view, in its order. */
static const SdcCatalogColumn shown[] = {
	SDC_CATALOG_RELEASE, SDC_CATALOG_SOURCE, SDC_CATALOG_METHOD, SDC_CATALOG_PARAMETERS,
	SDC_CATALOG_COLUMNS, SDC_CATALOG_KEY, SDC_CATALOG_STRATA, SDC_CATALOG_OMITTED, SDC_CATALOG_QI,
	SDC_CATALOG_SENSITIVE, SDC_CATALOG_RECORDS, SDC_CATALOG_SEEDED, SDC_CATALOG_CREATED_BY,
	SDC_CATALOG_CREATED_AT, SDC_CATALOG_STREAM_VERSION, SDC_CATALOG_UNIT, SDC_CATALOG_UNITS, SDC_CATALOG_WEIGHT,
	SDC_CATALOG_MISSING
};

/* show_row adds a row to the result: SdcCatalogVisit. */
static void
show_row(void *arg, HeapTuple row, Relation catalog)
{
	Datum		values[lengthof(shown)];
	bool		nulls[lengthof(shown)] = {false};

	if (!sdc_catalogtable_may_see(row, catalog))
		return;
	for (int i = 0; i < (int) lengthof(shown); i++)
	{
		values[i] = sdc_catalogtable_value(row, catalog, shown[i]);
		if (shown[i] == SDC_CATALOG_PARAMETERS)
			values[i] = sdc_parameters_shown(values[i]);
		/* there are none where each record is one */
		nulls[i] = shown[i] == SDC_CATALOG_UNITS && DatumGetInt64(values[i]) == 0;
	}
	sdc_rows_put(arg, values, nulls);
}

/*
 * sdc_private.releases() RETURNS SETOF record
 *
 * sdc_private.releases returns what is known of the releases that the caller may know of.
 */
SDC_PLUMBING(releases)
{
	sdc_rows_begin(fcinfo, 0);
	for (int temporary = 0; temporary < 2; temporary++)
	{
		Relation	catalog = sdc_catalogtable_open(sdc_catalogtable_schema(), temporary == 1,
													AccessShareLock);

		sdc_catalogtable_visit(catalog, show_row, fcinfo);
		table_close(catalog, NoLock);
	}
	return (Datum) 0;
}

/* has_columns tells whether a relation has the columns that the release of a row was made with. */
static bool
has_columns(Oid release, HeapTuple row, Relation catalog)
{
	ListCell   *cell;

	foreach(cell, sdc_catalog_names_list(sdc_catalogtable_value(row, catalog, SDC_CATALOG_NAMED)))
		if (((const char *) lfirst(cell))[0] != '\0' && get_attnum(release, lfirst(cell)) == InvalidAttrNumber)
			return false;
	return true;
}

/*
 * restore_release returns a row that somebody adds, or NULL where it is not about relations that exist and stay: a
 * number in the dump can be that of another relation here, which has other columns.  A dump leaves out columns that
 * were dropped, which changes the numbers of others: names by number mean nothing here.
 */
static HeapTuple
restore_release(HeapTuple row, Relation catalog)
{
	int			column = SDC_CATALOG_NAMED;
	Datum		names = sdc_catalog_names_datum(NIL);
	bool		isnull = false;

	for (int source = 0; source < 2; source++)
	{
		Oid			relid;

		if (!sdc_catalogtable_is_live(row, catalog, source == 1))
			return NULL;
		relid = DatumGetObjectId(sdc_catalogtable_value(row, catalog, source == 1 ?
														SDC_CATALOG_SOURCE : SDC_CATALOG_RELEASE));
		if (get_rel_persistence(relid) == RELPERSISTENCE_TEMP || (source == 0 && !has_columns(relid, row, catalog)))
			return NULL;
	}
	return heap_modify_tuple_by_cols(row, RelationGetDescr(catalog), 1, &column, &names, &isnull);
}

/* has_sound_names tells whether the columns that a row names are named as a function would take them. */
static bool
has_sound_names(HeapTuple row, TupleDesc desc)
{
	for (int i = 0; i < desc->natts; i++)
	{
		bool		isnull;
		Datum		names;

		if (TupleDescAttr(desc, i)->atttypid != NAMEARRAYOID)
			continue;
		names = heap_getattr(row, i + 1, desc, &isnull);
		if (!isnull && !sdc_catalog_names_sound(names))
			return false;
	}
	return true;
}

/* The tables that a dump has. */
static const struct
{
	const char *name;
	int			written_by;		/* the column of the role, their last */
	HeapTuple	(*restore) (HeapTuple row, Relation table);	/* what a row becomes, NULL: left out; NULL: all stay */
}			restored[] = {
	{SDC_TABLE_RELEASES, SDC_CATALOG_WRITTEN_BY, restore_release},
	{SDC_TABLE_PUBLICATIONS, SDC_PUBLICATION_WRITTEN_BY, sdc_publications_restore},
	{SDC_TABLE_EVALUATIONS, SDC_EVALUATION_WRITTEN_BY, sdc_evaluations_restore},
	{SDC_TABLE_POLICIES, SDC_POLICY_WRITTEN_BY, NULL},
	{SDC_TABLE_RUNS, SDC_RUN_WRITTEN_BY, NULL},
};

/* find_restored tells which of them a relation is, -1: none. */
static int
find_restored(Oid schema, Relation table)
{
	for (int i = 0; i < (int) lengthof(restored); i++)
		if (RelationGetNamespace(table) == schema &&
			strcmp(RelationGetRelationName(table), restored[i].name) == 0 &&
			superuser_arg(table->rd_rel->relowner) && RelationGetNumberOfAttributes(table) >= restored[i].written_by)
			return i;
	return -1;
}

/*
 * writer_of returns for whom a row that is entered speaks.  A superuser speaks for what the extension, or another one,
 * has written; of a row that somebody else had entered before it was dumped he knows nothing: it still speaks for that
 * role.
 */
static Oid
writer_of(HeapTuple row, TupleDesc desc, int column)
{
	bool		isnull;
	Oid			said = DatumGetObjectId(heap_getattr(row, column, desc, &isnull));

	if (!superuser())
		return GetUserId();
	return isnull || !OidIsValid(said) ? BOOTSTRAP_SUPERUSERID : said;
}

/*
 * sdc_catalog_entered() RETURNS trigger
 *
 * sdc_catalog_entered notes who adds a row to a table of the extension, which is how a dump is restored, and leaves
 * out rows about relations that were gone when it was made: they are in the dump as numbers, which mean nothing here.
 * Nor does it take a row that names a column twice, which no dump has but one that was changed.
 */
Datum
sdc_catalog_entered(PG_FUNCTION_ARGS)
{
	TriggerData *trigger = (TriggerData *) fcinfo->context;
	bool		isnull = false;
	Datum		writer;
	int			number = -1;
	int			column;
	HeapTuple	row;

	if (CALLED_AS_TRIGGER(fcinfo) && TRIGGER_FIRED_BEFORE(trigger->tg_event) &&
		TRIGGER_FIRED_FOR_ROW(trigger->tg_event) && TRIGGER_FIRED_BY_INSERT(trigger->tg_event))
		number = find_restored(sdc_catalogtable_schema(), trigger->tg_relation);
	if (number < 0)
		ereport(ERROR,
				(errcode(ERRCODE_E_R_I_E_TRIGGER_PROTOCOL_VIOLATED),
				 errmsg("function \"%s\" must be called by its own trigger", "sdc_catalog_entered")));
	sdc_catalogtable_require_types(trigger->tg_relation);
	column = restored[number].written_by;
	row = trigger->tg_trigtuple;
	if (restored[number].restore != NULL)
	{
		row = restored[number].restore(row, trigger->tg_relation);
		if (row != NULL && !has_sound_names(row, RelationGetDescr(trigger->tg_relation)))
			row = NULL;
	}
	if (row == NULL)
		return PointerGetDatum(NULL);
	writer = ObjectIdGetDatum(writer_of(row, RelationGetDescr(trigger->tg_relation), column));
	return PointerGetDatum(heap_modify_tuple_by_cols(row, RelationGetDescr(trigger->tg_relation), 1,
													 &column, &writer, &isnull));
}
