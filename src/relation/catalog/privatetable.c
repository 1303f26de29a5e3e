/*-------------------------------------------------------------------------
 *
 * privatetable.c
 *		The rows that private states of releases are kept in.
 *
 * Read and written without any statement, as the catalog of releases is (catalogtable.c), and by nobody else: nobody
 * has a right on the table.  A row that was restored counts if who did it is a superuser or has the rights of the
 * release's owner; other rows are as if they were not there.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "access/xact.h"
#include "catalog/indexing.h"
#include "catalog/pg_authid.h"
#include "catalog/pg_class.h"
#include "kernel/base/kernel_env.h"
#include "miscadmin.h"
#include "relation/base/compat.h"
#include "relation/catalog/catalogtable.h"
#include "relation/catalog/privatetable.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/snapmgr.h"

/* value_of insists on a value. */
static Datum
value_of(HeapTuple row, Relation table, SdcPrivateColumn column)
{
	return sdc_catalogtable_value(row, table, (SdcCatalogColumn) column);
}

/* counts tells whether a row is what it says. */
static bool
counts(HeapTuple row, Relation table)
{
	return sdc_catalogtable_is_live(row, table, false) &&
		sdc_catalogtable_may_say(DatumGetObjectId(value_of(row, table, SDC_PRIVATE_WRITTEN_BY)),
								 DatumGetObjectId(value_of(row, table, SDC_PRIVATE_RELEASE)));
}

/* begin_scan looks for the rows of a release, for one of its rows with three keys, or for all without any. */
static SysScanDesc
begin_scan(Relation table, Snapshot snapshot, int keys, ScanKey key)
{
	list_free(RelationGetIndexList(table)); /* finds the primary key too */
	return systable_beginscan(table, table->rd_pkindex, OidIsValid(table->rd_pkindex) && keys > 0, snapshot, keys,
							  key);
}

/* want_release makes the key of all rows of a release. */
static void
want_release(ScanKey key, Oid release)
{
	ScanKeyInit(key, SDC_PRIVATE_RELEASE, BTEqualStrategyNumber, F_OIDEQ, ObjectIdGetDatum(release));
}

/* sdc_privatetable_open: see privatetable.h. */
Relation
sdc_privatetable_open(Oid schema, Oid release, LOCKMODE mode)
{
	return sdc_catalogtable_open_states(schema, get_rel_persistence(release) == RELPERSISTENCE_TEMP, mode,
										SDC_PRIVATE_COLUMN_COUNT);
}

/* sdc_privatetable_count: see privatetable.h. */
uint64
sdc_privatetable_count(Relation table, Snapshot snapshot, Oid release)
{
	ScanKeyData key;
	SysScanDesc scan;
	HeapTuple	row;
	uint64		count = 0;

	want_release(&key, release);
	scan = begin_scan(table, snapshot, 1, &key);
	while (HeapTupleIsValid(row = systable_getnext(scan)))
	{
		CHECK_FOR_INTERRUPTS();
		if (counts(row, table))
			count++;
	}
	systable_endscan(scan);
	return count;
}

/* begin_part looks for one row. */
static SysScanDesc
begin_part(Relation table, Snapshot snapshot, Oid release, int32 stream, int32 part, ScanKeyData key[3])
{
	want_release(&key[0], release);
	ScanKeyInit(&key[1], SDC_PRIVATE_STREAM, BTEqualStrategyNumber, F_INT4EQ, Int32GetDatum(stream));
	ScanKeyInit(&key[2], SDC_PRIVATE_PART, BTEqualStrategyNumber, F_INT4EQ, Int32GetDatum(part));
	return begin_scan(table, snapshot, 3, key);
}

/* sdc_privatetable_get: see privatetable.h. */
bytea *
sdc_privatetable_get(Relation table, Snapshot snapshot, Oid release, int32 stream, int32 part)
{
	ScanKeyData key[3];
	SysScanDesc scan = begin_part(table, snapshot, release, stream, part, key);
	HeapTuple	row = systable_getnext(scan);
	bytea	   *contents = NULL;

	if (HeapTupleIsValid(row) && counts(row, table))
		contents = DatumGetByteaPCopy(value_of(row, table, SDC_PRIVATE_CONTENTS));
	systable_endscan(scan);
	return contents;
}

/* put_row adds a row that somebody has written. */
static void
put_row(Relation table, CatalogIndexState indexes, Oid release, Datum stream, Datum part, Datum contents, Oid writer)
{
	Datum		values[SDC_PRIVATE_COLUMN_COUNT + 1];
	bool		nulls[SDC_PRIVATE_COLUMN_COUNT] = {false};
	HeapTuple	tuple;

	values[SDC_PRIVATE_RELEASE] = ObjectIdGetDatum(release);
	values[SDC_PRIVATE_ROW_TYPE] = ObjectIdGetDatum(get_rel_type_id(release));
	values[SDC_PRIVATE_STREAM] = stream;
	values[SDC_PRIVATE_PART] = part;
	values[SDC_PRIVATE_CONTENTS] = contents;
	values[SDC_PRIVATE_WRITTEN_BY] = ObjectIdGetDatum(writer);
	tuple = heap_form_tuple(RelationGetDescr(table), values + 1, nulls);
	CatalogTupleInsertWithInfo(table, tuple, indexes);
	heap_freetuple(tuple);
}

/* put_one adds a single row. */
static void
put_one(Relation table, Oid release, Datum stream, Datum part, Datum contents, Oid writer)
{
	CatalogIndexState indexes = CatalogOpenIndexes(table);

	put_row(table, indexes, release, stream, part, contents, writer);
	CatalogCloseIndexes(indexes);
}

/* sdc_privatetable_begin: see privatetable.h. */
void
sdc_privatetable_begin(SdcPrivateWriter *writer, Relation table, Oid release)
{
	writer->table = table;
	writer->release = release;
	writer->indexes = CatalogOpenIndexes(table);
}

/* sdc_privatetable_put: see privatetable.h. */
void
sdc_privatetable_put(SdcPrivateWriter *writer, int32 stream, int32 part, bytea *contents)
{
	put_row(writer->table, writer->indexes, writer->release, Int32GetDatum(stream), Int32GetDatum(part),
			PointerGetDatum(contents), SDC_CATALOG_WRITTEN_BY_US);
}

/* sdc_privatetable_end: see privatetable.h. */
void
sdc_privatetable_end(SdcPrivateWriter *writer)
{
	CatalogCloseIndexes(writer->indexes);
}

/* refuse_concurrent raises the error about rows that another session has changed. */
sdc_noreturn static void
refuse_concurrent(Oid release)
{
	ereport(ERROR,
			(errcode(ERRCODE_T_R_SERIALIZATION_FAILURE),
			 errmsg("the private state of release \"%s\" was changed by another session", get_rel_name(release))));
}

/* sdc_privatetable_remove: see privatetable.h. */
bool
sdc_privatetable_remove(Relation table, Oid release)
{
	ScanKeyData key;
	SysScanDesc scan;
	HeapTuple	row;
	bool		found = false;

	scan = sdc_catalogtable_begin_scan(table, release, &key);
	while (HeapTupleIsValid(row = systable_getnext(scan)))
	{
		CHECK_FOR_INTERRUPTS();
		found |= counts(row, table);
		if (!sdc_catalogtable_delete(table, row))
			refuse_concurrent(release);
	}
	systable_endscan(scan);
	CommandCounterIncrement();
	return found;
}

/* sdc_privatetable_replace: see privatetable.h. */
void
sdc_privatetable_replace(Relation table, Oid release, int32 stream, int32 part, bytea *contents)
{
	ScanKeyData key[3];
	SysScanDesc scan = begin_part(table, NULL, release, stream, part, key);
	HeapTuple	row = systable_getnext(scan);

	if (HeapTupleIsValid(row) && !sdc_catalogtable_delete(table, row))
		refuse_concurrent(release);
	systable_endscan(scan);
	CommandCounterIncrement();
	put_one(table, release, Int32GetDatum(stream), Int32GetDatum(part), PointerGetDatum(contents),
			SDC_CATALOG_WRITTEN_BY_US);
}

/* next_release finds the next release that the table has rows of, and whether it is gone; InvalidOid: there is none. */
static Oid
next_release(Relation table, Oid before, bool *gone)
{
	ScanKeyData key;
	SysScanDesc scan;
	HeapTuple	row;
	Oid			release = InvalidOid;

	ScanKeyInit(&key, SDC_PRIVATE_RELEASE, BTGreaterStrategyNumber, F_OIDGT, ObjectIdGetDatum(before));
	scan = begin_scan(table, NULL, 1, &key);
	row = systable_getnext(scan);
	if (HeapTupleIsValid(row))
	{
		release = DatumGetObjectId(value_of(row, table, SDC_PRIVATE_RELEASE));
		*gone = !sdc_catalogtable_is_live(row, table, false);
	}
	systable_endscan(scan);
	return release;
}

/*
 * has_gone tells whether a table has rows of a release that is gone.  It looks at one row of each release, in the order
 * of the index: a state has many.  Without the index it may be so.
 */
static bool
has_gone(Relation table)
{
	Oid			release = InvalidOid;
	bool		gone = false;

	list_free(RelationGetIndexList(table)); /* finds the primary key too */
	if (!OidIsValid(table->rd_pkindex) || IgnoreSystemIndexes)
		return true;
	while (!gone && OidIsValid(release = next_release(table, release, &gone)))
		CHECK_FOR_INTERRUPTS();
	return gone;
}

/* sdc_privatetable_clean: see privatetable.h. */
void
sdc_privatetable_clean(Oid schema)
{
	static const char *const tables[] = {SDC_TABLE_STATES, SDC_TABLE_TEMPORARY_STATES};

	for (int i = 0; i < (int) lengthof(tables); i++)
	{
		Relation	table = sdc_catalogtable_open_subjects(schema, tables[i], RowExclusiveLock);

		if (has_gone(table))
			sdc_catalogtable_clean(table);
		table_close(table, NoLock);
	}
}

/* sdc_privatetable_visit: see privatetable.h. */
void
sdc_privatetable_visit(Oid schema, SdcPrivateVisit visit, void *arg)
{
	Relation	table = sdc_catalogtable_open_states(schema, false, AccessShareLock, SDC_PRIVATE_COLUMN_COUNT);
	SysScanDesc scan = begin_scan(table, GetActiveSnapshot(), 0, NULL);
	HeapTuple	row;

	while (HeapTupleIsValid(row = systable_getnext(scan)))
	{
		CHECK_FOR_INTERRUPTS();
		if (counts(row, table))
			visit(arg, row, table);
	}
	systable_endscan(scan);
	table_close(table, NoLock);
}

/* sdc_privatetable_may_dump: who may read all tables could read these rows where they are kept. */
bool
sdc_privatetable_may_dump(Oid release)
{
	return sdc_is_relation_owner(release, GetUserId()) || has_privs_of_role(GetUserId(), ROLE_PG_READ_ALL_DATA);
}

/* make_room removes a row that counts as nothing, where another one is to be; one that counts is not overwritten. */
static void
make_room(Relation table, Oid release, int32 stream, int32 part)
{
	ScanKeyData key[3];
	SysScanDesc scan = begin_part(table, NULL, release, stream, part, key);
	HeapTuple	row = systable_getnext(scan);

	if (HeapTupleIsValid(row) && counts(row, table))
		ereport(ERROR,
				(errcode(ERRCODE_UNIQUE_VIOLATION),
				 errmsg("release \"%s\" has a private state already", get_rel_name(release)),
				 errhint("Call sdc_forget first to restore another one.")));
	if (HeapTupleIsValid(row) && !sdc_catalogtable_delete(table, row))
		refuse_concurrent(release);
	systable_endscan(scan);
	CommandCounterIncrement();
}

/* sdc_privatetable_restore: see privatetable.h. */
void
sdc_privatetable_restore(Oid schema, HeapTuple row, Relation dump)
{
	Oid			release = DatumGetObjectId(value_of(row, dump, SDC_PRIVATE_RELEASE));
	Datum		stream = value_of(row, dump, SDC_PRIVATE_STREAM);
	Datum		part = value_of(row, dump, SDC_PRIVATE_PART);
	Relation	table;

	if (!sdc_catalogtable_is_live(row, dump, false) || get_rel_persistence(release) == RELPERSISTENCE_TEMP)
		return;
	table = sdc_privatetable_open(schema, release, RowExclusiveLock);
	make_room(table, release, DatumGetInt32(stream), DatumGetInt32(part));
	put_one(table, release, stream, part, value_of(row, dump, SDC_PRIVATE_CONTENTS), GetUserId());
	table_close(table, NoLock);
}
