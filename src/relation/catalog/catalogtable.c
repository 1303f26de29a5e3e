/*-------------------------------------------------------------------------
 *
 * catalogtable.c
 *		The tables of the extension.
 *
 * They belong to a superuser, and to be sure that nobody's code can hide in them, they are read and
 * written without any SQL statement, as the server does with its system catalogs: nothing is
 * planned, no trigger, rule or policy has a say, and the user stays who he is.  The functions
 * that lead here check what the caller may do.
 *
 * Two roles besides can add rows, but with COPY or INSERT only: the owners of the extension and of the
 * database, so that they can restore a dump.  A trigger notes who did (sql/releases.c).  Such a row
 * counts if who wrote it could have registered the release himself.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "access/tableam.h"
#include "access/xact.h"
#include "catalog/namespace.h"
#include "catalog/pg_class.h"
#include "catalog/pg_namespace.h"
#include "catalog/pg_type.h"
#include "kernel/base/kernel_env.h"
#include "miscadmin.h"
#include "relation/base/api.h"
#include "relation/base/compat.h"
#include "relation/catalog/catalog.h"
#include "relation/catalog/catalogtable.h"
#include "relation/catalog/seal.h"
#include "relation/rights/trust.h"
#include "storage/lmgr.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/rls.h"
#include "utils/snapmgr.h"
#include "utils/syscache.h"

#define TEMPORARY_TABLE "sdc_temporary_catalog"
#define TEMPORARY_EVALUATION_TABLE "sdc_temporary_evaluations"
#define SECRET_TABLE "sdc_secret"

/* is_superusers tells whether a schema is a superuser's: a role that has dropped the extension can make another one. */
static bool
is_superusers(Oid schema)
{
	HeapTuple	tuple = SearchSysCache1(NAMESPACEOID, ObjectIdGetDatum(schema));
	bool		found = HeapTupleIsValid(tuple) && superuser_arg(((Form_pg_namespace) GETSTRUCT(tuple))->nspowner);

	if (HeapTupleIsValid(tuple))
		ReleaseSysCache(tuple);
	return found;
}

/* sdc_catalogtable_schema: see catalogtable.h. */
Oid
sdc_catalogtable_schema(void)
{
	Oid			schema = get_namespace_oid(SDC_PRIVATE_SCHEMA, true);

	if (!OidIsValid(schema) || !is_superusers(schema))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_SCHEMA),
				 errmsg("schema \"%s\" of extension sdc does not exist", SDC_PRIVATE_SCHEMA),
				 errhint("The extension was dropped, or a superuser has renamed the schema.")));
	return schema;
}

/* sdc_catalogtable_require_schema: see catalogtable.h. */
void
sdc_catalogtable_require_schema(Oid schema)
{
	if (sdc_catalogtable_schema() != schema)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_IN_USE),
				 errmsg("extension sdc was dropped while a function of it was at work")));
}

/* sdc_catalogtable_hold_schema: see catalogtable.h. */
Oid
sdc_catalogtable_hold_schema(void)
{
	Oid			schema = sdc_catalogtable_schema();

	LockDatabaseObject(NamespaceRelationId, schema, 0, AccessShareLock);
	sdc_catalogtable_require_schema(schema);
	return schema;
}

/* The types of the columns of the tables, as in the install script; that of roles is of the extension itself. */
#define ROLE_NAME InvalidOid
#define ROLE_TYPE "role_name"
static const Oid release_types[] = {
	REGCLASSOID, REGTYPEOID, REGCLASSOID, REGTYPEOID, TEXTOID, JSONBOID, NAMEARRAYOID, NAMEARRAYOID, NAMEARRAYOID,
	NAMEARRAYOID, NAMEARRAYOID, NAMEARRAYOID, INT8OID, BYTEAOID, BOOLOID, BOOLOID, INT4OID, INT4OID, BYTEAOID, NAMEOID,
	TIMESTAMPTZOID, ROLE_NAME, INT8OID, NAMEARRAYOID, NAMEARRAYOID, INT8OID, NAMEOID, JSONBOID
};
static const Oid publication_types[] = {
	REGCLASSOID, REGTYPEOID, REGCLASSOID, REGTYPEOID, TEXTOID, NAMEARRAYOID, NAMEARRAYOID, INT8OID, BYTEAOID, BYTEAOID,
	BOOLOID, NAMEOID, TIMESTAMPTZOID, ROLE_NAME, REGCLASSOID, REGTYPEOID, INT8OID
};
static const Oid evaluation_types[] = {
	REGCLASSOID, REGTYPEOID, TIMESTAMPTZOID, NAMEOID, TEXTOID, NAMEARRAYOID, INT8OID, NAMEARRAYOID, NAMEARRAYOID,
	BYTEAOID, BYTEAOID, BYTEAOID, BYTEAOID, JSONBOID, ROLE_NAME
};
static const Oid state_types[] = {REGCLASSOID, REGTYPEOID, INT4OID, INT4OID, BYTEAOID, ROLE_NAME};
static const Oid secret_types[] = {BYTEAOID};
static const Oid policy_types[] = {NAMEOID, ROLE_NAME, JSONBOID, ROLE_NAME};
static const Oid run_types[] = {
	INT8OID, NAMEOID, NAMEOID, NAMEOID, TIMESTAMPTZOID, TIMESTAMPTZOID, TEXTOID, TEXTOID, NAMEARRAYOID, JSONBOID,
	ROLE_NAME
};

StaticAssertDecl(lengthof(release_types) == SDC_CATALOG_COLUMN_COUNT, "every column of a release has a type");
StaticAssertDecl(lengthof(policy_types) == SDC_POLICY_COLUMN_COUNT, "every column of a policy has a type");
StaticAssertDecl(lengthof(run_types) == SDC_RUN_COLUMN_COUNT, "every column of a run has a type");

typedef struct Shape
{
	const char *name;
	const Oid  *types;
	int			columns;
} Shape;

static const Shape shapes[] = {
	{SDC_TABLE_RELEASES, release_types, lengthof(release_types)},
	{TEMPORARY_TABLE, release_types, lengthof(release_types)},
	{SDC_TABLE_PUBLICATIONS, publication_types, lengthof(publication_types)},
	{SDC_TABLE_EVALUATIONS, evaluation_types, lengthof(evaluation_types)},
	{TEMPORARY_EVALUATION_TABLE, evaluation_types, lengthof(evaluation_types)},
	{SDC_TABLE_STATES, state_types, lengthof(state_types)},
	{SDC_TABLE_TEMPORARY_STATES, state_types, lengthof(state_types)},
	{SDC_TABLE_STATE_DUMP, state_types, lengthof(state_types)},
	{SECRET_TABLE, secret_types, lengthof(secret_types)},
	{SDC_TABLE_POLICIES, policy_types, lengthof(policy_types)},
	{SDC_TABLE_RUNS, run_types, lengthof(run_types)},
};

/* require_type insists on the type of a column; one that was dropped has none. */
static void
require_type(Relation table, int column, Oid type)
{
	if (type == ROLE_NAME)
		type = GetSysCacheOid2(TYPENAMENSP, Anum_pg_type_oid, CStringGetDatum(ROLE_TYPE),
							   ObjectIdGetDatum(RelationGetNamespace(table)));
	if (!OidIsValid(type) || TupleDescAttr(RelationGetDescr(table), column)->atttypid != type)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("column %d of catalog table \"%s\" of extension sdc is not of type %s any more", column + 1,
						RelationGetRelationName(table), OidIsValid(type) ? format_type_be(type) : ROLE_TYPE),
				 errhint("A superuser has altered the table, which no update of the extension does. "
						 "ALTER the type back, or restore a dump of before.")));
}

/* shape_of finds the shape of a table. */
static const Shape *
shape_of(const char *name)
{
	for (int i = 0; i < (int) lengthof(shapes); i++)
		if (strcmp(shapes[i].name, name) == 0)
			return &shapes[i];
	elog(ERROR, "table \"%s\" is not of extension sdc", name);
}

/* sdc_catalogtable_require_types: see catalogtable.h. */
void
sdc_catalogtable_require_types(Relation table)
{
	const Shape *shape = shape_of(RelationGetRelationName(table));

	for (int i = 0; i < Min(shape->columns, RelationGetNumberOfAttributes(table)); i++)
		require_type(table, i, shape->types[i]);
}

/* open_any opens a table of the extension, which belongs to a superuser, with the types that the library knows. */
static Relation
open_any(const char *name, Oid schema, LOCKMODE mode)
{
	Oid			relid = get_relname_relid(name, schema);
	Relation	rel = OidIsValid(relid) ? try_table_open(relid, mode) : NULL;

	if (rel == NULL || rel->rd_rel->relkind != RELKIND_RELATION || !superuser_arg(rel->rd_rel->relowner))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_TABLE),
				 errmsg("catalog table \"%s\" of extension sdc does not exist", name),
				 errhint("The extension was dropped, or its objects were moved.")));
	sdc_catalogtable_require_types(rel);
	return rel;
}

/* refuse_columns raises the error about a table that has other columns than the library knows. */
sdc_noreturn static void
refuse_columns(Relation table, int columns)
{
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("catalog table \"%s\" of extension sdc has %d columns, and the library of this session knows %d",
					RelationGetRelationName(table), RelationGetNumberOfAttributes(table), columns),
			 sdc_api_explain()));
}

/*
 * open_table opens a table whose rows are formed and deformed in arrays of so many columns: another session may have
 * updated the extension, and this one has the library of before.
 */
static Relation
open_table(const char *name, Oid schema, LOCKMODE mode, int columns)
{
	Relation	table = open_any(name, schema, mode);

	/* who adds a column says its type, too */
	Assert(shape_of(name)->columns == columns);
	if (RelationGetNumberOfAttributes(table) != columns)
		refuse_columns(table, columns);
	return table;
}

/* sdc_catalogtable_open_subjects: see catalogtable.h. */
Relation
sdc_catalogtable_open_subjects(Oid schema, const char *name, LOCKMODE mode)
{
	Relation	table = open_any(name, schema, mode);

	if (RelationGetNumberOfAttributes(table) < SDC_CATALOG_ROW_TYPE)
		refuse_columns(table, shape_of(name)->columns);
	return table;
}

/* sdc_catalogtable_open opens one of the two. */
Relation
sdc_catalogtable_open(Oid schema, bool temporary, LOCKMODE mode)
{
	return open_table(temporary ? TEMPORARY_TABLE : SDC_TABLE_RELEASES, schema, mode,
					  SDC_CATALOG_COLUMN_COUNT);
}

/* sdc_catalogtable_open_policies: see catalogtable.h. */
Relation
sdc_catalogtable_open_policies(Oid schema, LOCKMODE mode)
{
	return open_table(SDC_TABLE_POLICIES, schema, mode, SDC_POLICY_COLUMN_COUNT);
}

/* sdc_catalogtable_open_runs: see catalogtable.h. */
Relation
sdc_catalogtable_open_runs(Oid schema, LOCKMODE mode)
{
	return open_table(SDC_TABLE_RUNS, schema, mode, SDC_RUN_COLUMN_COUNT);
}

/* sdc_catalogtable_open_publications opens the catalog of publications. */
Relation
sdc_catalogtable_open_publications(Oid schema, LOCKMODE mode, int columns)
{
	return open_table(SDC_TABLE_PUBLICATIONS, schema, mode, columns);
}

/* sdc_catalogtable_open_evaluations opens one of the two tables of evaluations. */
Relation
sdc_catalogtable_open_evaluations(Oid schema, bool temporary, LOCKMODE mode, int columns)
{
	return open_table(temporary ? TEMPORARY_EVALUATION_TABLE : SDC_TABLE_EVALUATIONS, schema, mode, columns);
}

/* sdc_catalogtable_open_states opens one of the two tables of private states. */
Relation
sdc_catalogtable_open_states(Oid schema, bool temporary, LOCKMODE mode, int columns)
{
	return open_table(temporary ? SDC_TABLE_TEMPORARY_STATES : SDC_TABLE_STATES, schema, mode, columns);
}

/* sdc_catalogtable_value insists on a value. */
Datum
sdc_catalogtable_value(HeapTuple row, Relation catalog, SdcCatalogColumn column)
{
	bool		isnull;
	Datum		value = heap_getattr(row, column, RelationGetDescr(catalog), &isnull);

	if (isnull)
		ereport(ERROR,
				(errcode(ERRCODE_DATA_CORRUPTED),
				 errmsg("catalog table \"%s\" has a null", RelationGetRelationName(catalog))));
	return value;
}

/* sdc_catalogtable_is_live: another relation with the same OID has another row type. */
bool
sdc_catalogtable_is_live(HeapTuple row, Relation catalog, bool source)
{
	Oid			relid = DatumGetObjectId(sdc_catalogtable_value(row, catalog, source ?
																 SDC_CATALOG_SOURCE : SDC_CATALOG_RELEASE));
	Oid			type = DatumGetObjectId(sdc_catalogtable_value(row, catalog, source ?
																SDC_CATALOG_SOURCE_ROW_TYPE : SDC_CATALOG_ROW_TYPE));

	return OidIsValid(type) && get_rel_type_id(relid) == type;
}

/* may_read tells whether a role may read those of some columns that a relation has. */
static bool
may_read(Oid role, Oid relid, Datum names)
{
	ListCell   *cell;

	foreach(cell, sdc_catalog_names_list(names))
	{
		AttrNumber	number = get_attnum(relid, lfirst(cell));

		if (number != InvalidAttrNumber &&
			pg_attribute_aclcheck(relid, number, role, ACL_SELECT) != ACLCHECK_OK)
			return false;
	}
	return true;
}

/* could_register tells whether a role may read key and protected columns of the source of a row. */
static bool
could_register(Oid role, HeapTuple row, Relation catalog)
{
	Oid			source = DatumGetObjectId(sdc_catalogtable_value(row, catalog, SDC_CATALOG_SOURCE));

	return pg_class_aclcheck(source, role, ACL_SELECT) == ACLCHECK_OK ||
		(pg_attribute_aclcheck_all(source, role, ACL_SELECT, ACLMASK_ANY) == ACLCHECK_OK &&
		 may_read(role, source, sdc_catalogtable_value(row, catalog, SDC_CATALOG_KEY)) &&
		 may_read(role, source, sdc_catalogtable_value(row, catalog, SDC_CATALOG_COLUMNS)));
}

/*
 * counts tells whether a row is what it says: we have written it, or somebody who could have
 * registered the release.  A forged row misleads nobody but its writer.
 */
static bool
counts(HeapTuple row, Relation catalog)
{
	Oid			writer = DatumGetObjectId(sdc_catalogtable_value(row, catalog, SDC_CATALOG_WRITTEN_BY));
	Oid			owner;

	if (!sdc_catalogtable_is_live(row, catalog, false))
		return false;
	if (writer == SDC_CATALOG_WRITTEN_BY_US || superuser_arg(writer))
		return true;
	if (GetUserNameFromId(writer, true) == NULL || !sdc_catalogtable_is_live(row, catalog, true))
		return false;
	owner = sdc_trust_owner(DatumGetObjectId(sdc_catalogtable_value(row, catalog, SDC_CATALOG_RELEASE)));
	return OidIsValid(owner) && has_privs_of_role(writer, owner) &&
		could_register(writer, row, catalog);
}

/* sdc_catalogtable_may_say: see catalogtable.h. */
bool
sdc_catalogtable_may_say(Oid writer, Oid relid)
{
	return writer == SDC_CATALOG_WRITTEN_BY_US ||
		(GetUserNameFromId(writer, true) != NULL && sdc_is_relation_owner(relid, writer));
}

/* begin_scan looks for the rows about a relation, or for all, in a snapshot; NULL: what is committed by now. */
static SysScanDesc
begin_scan(Relation table, Oid relid, Snapshot snapshot, ScanKey key)
{
	ScanKeyInit(key, SDC_CATALOG_RELEASE, BTEqualStrategyNumber, F_OIDEQ, ObjectIdGetDatum(relid));
	list_free(RelationGetIndexList(table)); /* finds the primary key too */
	return systable_beginscan(table, table->rd_pkindex, OidIsValid(table->rd_pkindex), snapshot,
							  OidIsValid(relid) ? 1 : 0, key);
}

/* sdc_catalogtable_begin_scan: what is committed by now counts. */
SysScanDesc
sdc_catalogtable_begin_scan(Relation table, Oid relid, ScanKey key)
{
	return begin_scan(table, relid, NULL, key);
}

/* is_newest tells whether a row about a relation is the last one that is committed by now. */
static bool
is_newest(Relation table, HeapTuple row, Oid relid, Snapshot latest)
{
	ScanKeyData key;
	SysScanDesc scan = begin_scan(table, relid, latest, &key);
	HeapTuple	last = systable_getnext(scan);
	bool		newest = !HeapTupleIsValid(last) || ItemPointerEquals(&last->t_self, &row->t_self);

	systable_endscan(scan);
	return newest;
}

/* sdc_catalogtable_refuse_newer: see catalogtable.h. */
void
sdc_catalogtable_refuse_newer(Relation table)
{
	Snapshot	latest = RegisterSnapshot(GetLatestSnapshot());
	ScanKeyData key;
	SysScanDesc scan = begin_scan(table, InvalidOid, GetActiveSnapshot(), &key);
	HeapTuple	row;

	while (HeapTupleIsValid(row = systable_getnext(scan)))
	{
		Oid			relid = DatumGetObjectId(sdc_catalogtable_value(row, table, SDC_CATALOG_RELEASE));

		CHECK_FOR_INTERRUPTS();
		if (!is_newest(table, row, relid, latest))
			ereport(ERROR,
					(errcode(ERRCODE_T_R_SERIALIZATION_FAILURE),
					 errmsg("table \"%s\" was made anew after the snapshot of this dump", get_rel_name(relid)),
					 errdetail("The dump would have its new contents beside what was written about those of before."),
					 errhint("Dump again.")));
	}
	systable_endscan(scan);
	UnregisterSnapshot(latest);
}

/* sdc_catalogtable_find returns a copy. */
HeapTuple
sdc_catalogtable_find(Relation catalog, Oid release)
{
	ScanKeyData key;
	SysScanDesc scan = sdc_catalogtable_begin_scan(catalog, release, &key);
	HeapTuple	row = systable_getnext(scan);

	if (HeapTupleIsValid(row))
		row = counts(row, catalog) ? heap_copytuple(row) : NULL;
	systable_endscan(scan);
	return row;
}

/* sdc_catalogtable_visit goes through all rows. */
void
sdc_catalogtable_visit(Relation catalog, SdcCatalogVisit visit, void *arg)
{
	ScanKeyData key;
	SysScanDesc scan = sdc_catalogtable_begin_scan(catalog, InvalidOid, &key);
	HeapTuple	row;

	while (HeapTupleIsValid(row = systable_getnext(scan)))
	{
		CHECK_FOR_INTERRUPTS();
		if (counts(row, catalog))
			visit(arg, row, catalog);
	}
	systable_endscan(scan);
}

/* delete_row deletes a row, and tells whether nobody else has: without wait, or is about to. */
static bool
delete_row(Relation catalog, HeapTuple row, bool wait)
{
	TM_FailureData failure;

	return table_tuple_delete(catalog, &row->t_self, GetCurrentCommandId(true), InvalidSnapshot,
							  InvalidSnapshot, wait, &failure, false) == TM_Ok;
}

/*
 * is_newer tells whether a row is newer than the snapshot of a transaction that keeps its first one: what was
 * read from the source under it must not take the place of something newer.
 */
static bool
is_newer(HeapTuple row)
{
	TransactionId writer = HeapTupleHeaderGetXmin(row->t_data);

	return IsolationUsesXactSnapshot() && !TransactionIdIsCurrentTransactionId(writer) &&
		XidInMVCCSnapshot(writer, GetTransactionSnapshot());
}

/* sdc_catalogtable_delete: see catalogtable.h. */
bool
sdc_catalogtable_delete(Relation table, HeapTuple row)
{
	return !is_newer(row) && delete_row(table, row, true);
}

/* sdc_catalogtable_remove: the caller keeps others from changing the row by a lock on the release. */
bool
sdc_catalogtable_remove(Relation catalog, Oid release)
{
	ScanKeyData key;
	SysScanDesc scan = sdc_catalogtable_begin_scan(catalog, release, &key);
	HeapTuple	row = systable_getnext(scan);
	bool		found = HeapTupleIsValid(row) && counts(row, catalog);

	if (HeapTupleIsValid(row) && !sdc_catalogtable_delete(catalog, row))
		ereport(ERROR,
				(errcode(ERRCODE_T_R_SERIALIZATION_FAILURE),
				 errmsg("the records about release \"%s\" were changed by another session",
						get_rel_name(release))));
	systable_endscan(scan);
	CommandCounterIncrement();
	return found;
}

/* sdc_catalogtable_clean never waits. */
void
sdc_catalogtable_clean(Relation catalog)
{
	ScanKeyData key;
	SysScanDesc scan = sdc_catalogtable_begin_scan(catalog, InvalidOid, &key);
	HeapTuple	row;

	while (HeapTupleIsValid(row = systable_getnext(scan)))
	{
		CHECK_FOR_INTERRUPTS();
		if (!sdc_catalogtable_is_live(row, catalog, false))
			(void) delete_row(catalog, row, false);
	}
	systable_endscan(scan);
	CommandCounterIncrement();
}

/* sdc_catalogtable_secret: nobody has a right on the table. */
void
sdc_catalogtable_secret(Oid schema, uint8 *secret)
{
	Relation	rel = open_table(SECRET_TABLE, schema, AccessShareLock, 1);
	SysScanDesc scan = systable_beginscan(rel, InvalidOid, false, NULL, 0, NULL);
	HeapTuple	row = systable_getnext(scan);
	bool		isnull = true;
	bytea	   *value = HeapTupleIsValid(row) ?
		DatumGetByteaPP(heap_getattr(row, 1, RelationGetDescr(rel), &isnull)) : NULL;

	if (isnull || VARSIZE_ANY_EXHDR(value) != SDC_SEAL_SECRET_BYTES)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("extension sdc has lost the secret of its checksums"),
				 errhint("A superuser makes a new one: INSERT INTO sdc_private.sdc_secret SELECT decode(replace(concat(gen_random_uuid(), gen_random_uuid()), '-', ''), 'hex'). Then sdc_confirm_source tells each release that its source is the same.")));
	memcpy(secret, VARDATA_ANY(value), SDC_SEAL_SECRET_BYTES);
	systable_endscan(scan);
	table_close(rel, NoLock);
}

/*
 * sdc_catalogtable_may_see tells whether the caller may know of a release: who may read the source, or
 * some of its columns.  Whom row security shows only some rows of it sees the releases that he made himself: others
 * tell how many rows there are.
 */
bool
sdc_catalogtable_may_see(HeapTuple row, Relation catalog)
{
	Oid			source = DatumGetObjectId(sdc_catalogtable_value(row, catalog, SDC_CATALOG_SOURCE));
	Name		creator = DatumGetName(sdc_catalogtable_value(row, catalog, SDC_CATALOG_CREATED_BY));

	if (!sdc_catalogtable_is_live(row, catalog, true) ||
		(pg_class_aclcheck(source, GetUserId(), ACL_SELECT) != ACLCHECK_OK &&
		 pg_attribute_aclcheck_all(source, GetUserId(), ACL_SELECT, ACLMASK_ANY) != ACLCHECK_OK))
		return false;
	return check_enable_rls(source, InvalidOid, true) != RLS_ENABLED ||
		strcmp(NameStr(*creator), GetUserNameFromId(GetUserId(), false)) == 0;
}
