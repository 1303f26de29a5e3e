/*-------------------------------------------------------------------------
 *
 * catalog.c
 *		The catalog of releases and of what columns are classified as.
 *
 * Two tables in the extension's schema, which belong to the extension's owner.
 * Nobody else can write them, so the statements here run as that owner, in a
 * security-restricted context; the functions that lead here check first what
 * the caller may do.  The seed is nowhere in them.
 *
 * A column is known by name and number: the name survives a dump and restore, the
 * number a rename.  The name counts as long as a column has it.
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
#define ATTRIBUTE_TABLE "sdc_attribute_catalog"

/* Who the caller was, while the catalog's owner acts. */
typedef struct CatalogAccess
{
	Oid			user;
	int			context;
	char	   *table;			/* the quoted, qualified name of the table */
} CatalogAccess;

/* catalog_enter connects to SPI as the owner of a catalog table. */
static void
catalog_enter(CatalogAccess *access, Oid schema, const char *table)
{
	Oid			relid = get_relname_relid(table, schema);
	HeapTuple	tuple = SearchSysCache1(RELOID, ObjectIdGetDatum(relid));
	Oid			owner;

	if (!HeapTupleIsValid(tuple))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_TABLE),
				 errmsg("catalog table \"%s\" of extension sdc does not exist", table)));
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
	Oid			types[] = {OIDOID};
	Datum		values[] = {ObjectIdGetDatum(release)};

	catalog_enter(&access, schema, RELEASE_TABLE);
	sdc_spi_run_args(psprintf("SELECT made, source FROM %s WHERE release OPERATOR(pg_catalog.=) $1",
							  access.table),
					 SPI_OK_SELECT, 1, types, values, NULL);
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

/* sdc_catalog_remove forgets a release, and tells whether it was one. */
bool
sdc_catalog_remove(Oid schema, Oid release)
{
	CatalogAccess access;
	Oid			types[] = {OIDOID};
	Datum		values[] = {ObjectIdGetDatum(release)};
	bool		found;

	catalog_enter(&access, schema, RELEASE_TABLE);
	sdc_spi_run_args(psprintf("DELETE FROM %s WHERE release OPERATOR(pg_catalog.=) $1",
							  access.table),
					 SPI_OK_DELETE, 1, types, values, NULL);
	found = SPI_processed > 0;
	catalog_leave(&access);
	return found;
}

/*
 * remove_dropped forgets releases and classifications whose relation is gone, so that a
 * later relation with the same OID is not taken for it.  Rows that another
 * transaction is about to remove are left to it.
 */
static void
remove_dropped(const char *table, const char *column)
{
	sdc_spi_run(psprintf("DELETE FROM %s WHERE ctid OPERATOR(pg_catalog.=) ANY (ARRAY("
						 "SELECT c.ctid FROM %s AS c WHERE NOT EXISTS (SELECT FROM pg_catalog.pg_class AS p "
						 "WHERE p.oid OPERATOR(pg_catalog.=) c.%s) FOR UPDATE OF c SKIP LOCKED))",
						 table, table, column),
				SPI_OK_DELETE);
}

/* sdc_catalog_put enters a release, in place of what was known of it. */
void
sdc_catalog_put(Oid schema, const SdcReleaseRow *row)
{
	CatalogAccess access;
	Oid			types[] = {REGCLASSOID, REGCLASSOID, TEXTOID, TEXTOID, NAMEARRAYOID, NAMEARRAYOID,
	NAMEARRAYOID, NAMEARRAYOID, NAMEARRAYOID, NAMEARRAYOID, INT8OID, INT8OID, BOOLOID, BOOLOID,
	NAMEOID, INT4OID};
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

	(void) sdc_catalog_remove(schema, row->release);
	catalog_enter(&access, schema, RELEASE_TABLE);
	remove_dropped(access.table, "release");
	sdc_spi_run_args(psprintf("INSERT INTO %s (release, source, method, parameters, columns, key, strata, "
							  "omitted, qi, sensitive, records, checksum, made, seeded, created_by, stream_version) "
							  "VALUES ($1, $2, $3, $4::pg_catalog.jsonb, $5, $6, $7, $8, $9, $10, $11, $12, "
							  "$13, $14, $15, $16)", access.table),
					 SPI_OK_INSERT, lengthof(types), types, values, NULL);
	catalog_leave(&access);
}

/* role_column returns the attribute number that a classification applies to, or 0. */
static AttrNumber
role_column(Oid relid, const char *name, AttrNumber number)
{
	AttrNumber	by_name = get_attnum(relid, name);
	char	   *by_number;

	if (by_name > 0)
		return by_name;
	by_number = get_attname(relid, number, true);
	return by_number == NULL ? InvalidAttrNumber : number;
}

/* sdc_catalog_roles returns the role of each column of a relation. */
char *
sdc_catalog_roles(Oid schema, Oid relid, int attributes)
{
	char	   *roles = palloc0(attributes + 1);
	CatalogAccess access;
	Oid			types[] = {OIDOID};
	Datum		values[] = {ObjectIdGetDatum(relid)};

	catalog_enter(&access, schema, ATTRIBUTE_TABLE);
	sdc_spi_run_args(psprintf("SELECT attribute, number, role FROM %s "
							  "WHERE relation OPERATOR(pg_catalog.=) $1", access.table),
					 SPI_OK_SELECT, 1, types, values, NULL);
	for (uint64 i = 0; i < SPI_processed; i++)
	{
		HeapTuple	tuple = SPI_tuptable->vals[i];
		bool		isnull;
		Datum		number = SPI_getbinval(tuple, SPI_tuptable->tupdesc, 2, &isnull);
		AttrNumber	column = role_column(relid, SPI_getvalue(tuple, SPI_tuptable->tupdesc, 1),
										 DatumGetInt16(number));

		if (column > 0 && column <= attributes)
			roles[column] = SPI_getvalue(tuple, SPI_tuptable->tupdesc, 3)[0];
	}
	catalog_leave(&access);
	return roles;
}

/* sdc_catalog_classify sets or removes the role of a column. */
void
sdc_catalog_classify(Oid schema, Oid relid, AttrNumber number, const char *role)
{
	CatalogAccess access;
	Oid			types[] = {REGCLASSOID, INT2OID, NAMEOID, TEXTOID};
	Datum		values[lengthof(types)];

	values[0] = ObjectIdGetDatum(relid);
	values[1] = Int16GetDatum(number);
	values[2] = DirectFunctionCall1(namein, CStringGetDatum(get_attname(relid, number, false)));
	values[3] = role == NULL ? (Datum) 0 : CStringGetTextDatum(role);

	catalog_enter(&access, schema, ATTRIBUTE_TABLE);
	remove_dropped(access.table, "relation");
	sdc_spi_run_args(psprintf("DELETE FROM %s WHERE relation OPERATOR(pg_catalog.=) $1 "
							  "AND (attribute OPERATOR(pg_catalog.=) $3 OR number OPERATOR(pg_catalog.=) $2)",
							  access.table),
					 SPI_OK_DELETE, 3, types, values, NULL);
	if (role != NULL)
		sdc_spi_run_args(psprintf("INSERT INTO %s (relation, number, attribute, role) "
								  "VALUES ($1, $2, $3, $4)", access.table),
						 SPI_OK_INSERT, 4, types, values, NULL);
	catalog_leave(&access);
}
