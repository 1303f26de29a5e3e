/*-------------------------------------------------------------------------
 *
 * catalog.c
 *		The catalog of releases.
 *
 * A table in the extension's schema, which belongs to the extension's owner.
 * Nobody else can write it, so the statements here run as that owner, in a
 * security-restricted context; the functions that lead here check first what
 * the caller may do.  The seed is nowhere in it.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "relation/catalog.h"
#include "relation/compat.h"
#include "relation/spi.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

#define RELEASE_TABLE "sdc_release_catalog"

/* Who the caller was, while the catalog's owner acts. */
typedef struct CatalogAccess
{
	Oid			user;
	int			context;
	char	   *table;			/* the quoted, qualified name of the table */
} CatalogAccess;

/* catalog_enter connects to SPI as the owner of the catalog. */
static void
catalog_enter(CatalogAccess *access, Oid schema)
{
	Oid			relid = get_relname_relid(RELEASE_TABLE, schema);
	HeapTuple	tuple = SearchSysCache1(RELOID, ObjectIdGetDatum(relid));
	Oid			owner;

	if (!HeapTupleIsValid(tuple))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_TABLE),
				 errmsg("catalog table \"%s\" of extension sdc does not exist", RELEASE_TABLE)));
	owner = ((Form_pg_class) GETSTRUCT(tuple))->relowner;
	ReleaseSysCache(tuple);

	access->table = sdc_spi_relation_name(relid);
	GetUserIdAndSecContext(&access->user, &access->context);
	SetUserIdAndSecContext(owner, access->context | SECURITY_LOCAL_USERID_CHANGE |
						   SECURITY_RESTRICTED_OPERATION | SECURITY_NOFORCE_RLS);
	sdc_spi_connect();
}

/* catalog_leave ends what catalog_enter began; an error does so by itself. */
static void
catalog_leave(CatalogAccess *access)
{
	sdc_spi_finish();
	SetUserIdAndSecContext(access->user, access->context);
}

/* names_datum makes a name[] of a list of char *. */
static Datum
names_datum(List *names)
{
	Datum	   *elements = palloc(sizeof(Datum) * Max(list_length(names), 1));
	int			count = 0;
	ListCell   *cell;

	foreach(cell, names)
		elements[count++] = DirectFunctionCall1(namein, CStringGetDatum(lfirst(cell)));
	return PointerGetDatum(construct_array(elements, count, NAMEOID, NAMEDATALEN, false,
										   TYPALIGN_CHAR));
}

/* sdc_catalog_state tells whether a relation is a release. */
SdcReleaseState
sdc_catalog_state(Oid schema, Oid release, Oid *source)
{
	SdcReleaseState state = SDC_RELEASE_UNKNOWN;
	CatalogAccess access;
	Oid			types[] = {OIDOID, OIDOID};
	Datum		values[] = {ObjectIdGetDatum(release), ObjectIdGetDatum(get_rel_type_id(release))};

	catalog_enter(&access, schema);
	sdc_spi_run_args(psprintf("SELECT made::pg_catalog.bool, source::pg_catalog.oid FROM %s WHERE release OPERATOR(pg_catalog.=) $1 "
							  "AND row_type OPERATOR(pg_catalog.=) $2", access.table),
					 SPI_OK_SELECT, 2, types, values, NULL);
	if (SPI_processed > 0)
	{
		bool		isnull;
		Datum		made = SPI_getbinval(SPI_tuptable->vals[0], SPI_tuptable->tupdesc, 1, &isnull);

		if (source != NULL)
			*source = DatumGetObjectId(SPI_getbinval(SPI_tuptable->vals[0], SPI_tuptable->tupdesc,
													 2, &isnull));
		state = DatumGetBool(made) ? SDC_RELEASE_MADE : SDC_RELEASE_REGISTERED;
	}
	catalog_leave(&access);
	return state;
}

/* names_list makes a list of char * of a name[] in the current memory context. */
static List *
names_list(Datum names)
{
	List	   *list = NIL;
	Datum	   *elements;
	int			count;

	deconstruct_array(DatumGetArrayTypeP(names), NAMEOID, NAMEDATALEN, false, TYPALIGN_CHAR,
					  &elements, NULL, &count);
	for (int i = 0; i < count; i++)
		list = lappend(list, pstrdup(NameStr(*DatumGetName(elements[i]))));
	return list;
}

/*
 * read_row takes a row of the catalog apart; nothing in it can be NULL.  The statement casts
 * every column: the catalog belongs to somebody who can make another of its name.
 */
static void
read_row(HeapTuple tuple, TupleDesc desc, SdcReleaseRow *row)
{
	Datum		values[11];

	for (int i = 0; i < (int) lengthof(values); i++)
	{
		bool		isnull;

		values[i] = SPI_getbinval(tuple, desc, i + 1, &isnull);
		if (isnull)
			elog(ERROR, "catalog table \"%s\" has a null", RELEASE_TABLE);
	}
	row->source = DatumGetObjectId(values[0]);
	row->method = TextDatumGetCString(values[1]);
	row->parameters = TextDatumGetCString(values[2]);
	row->columns = names_list(values[3]);
	row->key = names_list(values[4]);
	row->strata = names_list(values[5]);
	row->qi = names_list(values[6]);
	row->sensitive = names_list(values[7]);
	row->records = (uint64) DatumGetInt64(values[8]);
	row->checksum = (uint64) DatumGetInt64(values[9]);
	row->made = DatumGetBool(values[10]);
}

/* sdc_catalog_get reads what is known of a release, into the current memory context. */
bool
sdc_catalog_get(Oid schema, Oid release, SdcReleaseRow *row)
{
	MemoryContext context = CurrentMemoryContext;
	CatalogAccess access;
	Oid			types[] = {OIDOID, OIDOID};
	Datum		values[] = {ObjectIdGetDatum(release), ObjectIdGetDatum(get_rel_type_id(release))};
	bool		found;

	memset(row, 0, sizeof(SdcReleaseRow));
	row->release = release;
	catalog_enter(&access, schema);
	sdc_spi_run_args(psprintf("SELECT source::pg_catalog.oid, method::pg_catalog.text, "
							  "parameters::pg_catalog.text, columns::pg_catalog.name[], key::pg_catalog.name[], "
							  "strata::pg_catalog.name[], qi::pg_catalog.name[], sensitive::pg_catalog.name[], "
							  "records::pg_catalog.int8, checksum::pg_catalog.int8, made::pg_catalog.bool FROM %s WHERE release OPERATOR(pg_catalog.=) $1 "
							  "AND row_type OPERATOR(pg_catalog.=) $2", access.table),
					 SPI_OK_SELECT, 2, types, values, NULL);
	found = SPI_processed > 0;
	if (found)
	{
		MemoryContext spi = MemoryContextSwitchTo(context);

		read_row(SPI_tuptable->vals[0], SPI_tuptable->tupdesc, row);
		MemoryContextSwitchTo(spi);
	}
	catalog_leave(&access);
	return found;
}

/* sdc_catalog_remove forgets a release, and tells whether it was one. */
bool
sdc_catalog_remove(Oid schema, Oid release)
{
	CatalogAccess access;
	Oid			types[] = {OIDOID};
	Datum		values[] = {ObjectIdGetDatum(release)};
	bool		found;

	catalog_enter(&access, schema);
	sdc_spi_run_args(psprintf("DELETE FROM %s WHERE release OPERATOR(pg_catalog.=) $1",
							  access.table),
					 SPI_OK_DELETE, 1, types, values, NULL);
	found = SPI_processed > 0;
	catalog_leave(&access);
	return found;
}

/*
 * remove_dropped forgets releases whose table is gone.  A later relation with the same
 * OID is told apart by its row type.  Rows that another transaction is about to
 * remove are left to it.
 */
static void
remove_dropped(const char *table)
{
	sdc_spi_run(psprintf("DELETE FROM %s WHERE ctid OPERATOR(pg_catalog.=) ANY (ARRAY("
						 "SELECT c.ctid FROM %s AS c WHERE NOT EXISTS (SELECT FROM pg_catalog.pg_class AS p "
						 "WHERE p.oid OPERATOR(pg_catalog.=) c.release "
						 "AND p.reltype OPERATOR(pg_catalog.=) c.row_type) FOR UPDATE OF c SKIP LOCKED))",
						 table, table),
				SPI_OK_DELETE);
}

/* sdc_catalog_put enters a release, in place of what was known of it. */
void
sdc_catalog_put(Oid schema, const SdcReleaseRow *row)
{
	CatalogAccess access;
	Oid			types[] = {REGCLASSOID, REGCLASSOID, TEXTOID, TEXTOID, NAMEARRAYOID, NAMEARRAYOID,
	NAMEARRAYOID, NAMEARRAYOID, NAMEARRAYOID, NAMEARRAYOID, INT8OID, INT8OID, BOOLOID, BOOLOID,
	NAMEOID, INT4OID, REGTYPEOID};
	Datum		values[lengthof(types)];
	char	   *creator = GetUserNameFromId(GetUserId(), false);

	values[0] = ObjectIdGetDatum(row->release);
	values[1] = ObjectIdGetDatum(row->source);
	values[2] = CStringGetTextDatum(row->method);
	values[3] = CStringGetTextDatum(row->parameters);
	values[4] = names_datum(row->columns);
	values[5] = names_datum(row->key);
	values[6] = names_datum(row->strata);
	values[7] = names_datum(row->omitted);
	values[8] = names_datum(row->qi);
	values[9] = names_datum(row->sensitive);
	values[10] = Int64GetDatum((int64) row->records);
	values[11] = Int64GetDatum((int64) row->checksum);
	values[12] = BoolGetDatum(row->made);
	values[13] = BoolGetDatum(row->seeded);
	values[14] = DirectFunctionCall1(namein, CStringGetDatum(creator));
	values[15] = Int32GetDatum(row->stream_version);
	values[16] = ObjectIdGetDatum(get_rel_type_id(row->release));

	(void) sdc_catalog_remove(schema, row->release);
	catalog_enter(&access, schema);
	remove_dropped(access.table);
	sdc_spi_run_args(psprintf("INSERT INTO %s (release, source, method, parameters, columns, key, strata, "
							  "omitted, qi, sensitive, records, checksum, made, seeded, created_by, stream_version, row_type) "
							  "VALUES ($1, $2, $3, $4::pg_catalog.jsonb, $5, $6, $7, $8, $9, $10, $11, $12, "
							  "$13, $14, $15, $16, $17)", access.table),
					 SPI_OK_INSERT, lengthof(types), types, values, NULL);
	catalog_leave(&access);
}
