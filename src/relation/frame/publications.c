/*-------------------------------------------------------------------------
 *
 * publications.c
 *		The catalog of publications.
 *
 * Read and written without any statement, as the catalog of releases is (catalogtable.c).  A row that was restored
 * counts if who did it is a superuser, or has the rights of the owner of the publication.  What such a row says
 * of the release is taken for true only if the role has the rights of its owner too.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "access/xact.h"
#include "catalog/indexing.h"
#include "catalog/pg_class.h"
#include "kernel/base/kernel_env.h"
#include "miscadmin.h"
#include "relation/base/compat.h"
#include "relation/catalog/catalog.h"
#include "relation/catalog/catalogtable.h"
#include "relation/frame/publications.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/timestamp.h"

/* open_catalog opens the table. */
static Relation
open_catalog(Oid schema, LOCKMODE mode)
{
	return sdc_catalogtable_open_publications(schema, mode, SDC_PUBLICATION_COLUMN_COUNT);
}

/* value_of insists on a value. */
static Datum
value_of(HeapTuple row, Relation catalog, SdcPublicationColumn column)
{
	return sdc_catalogtable_value(row, catalog, (SdcCatalogColumn) column);
}

/*
 * lives tells whether the release or the source of a row is still the one that it was: another one has another row
 * type, which is in the column behind it.
 */
static bool
lives(HeapTuple row, Relation catalog, SdcPublicationColumn relation)
{
	Oid			relid = DatumGetObjectId(value_of(row, catalog, relation));
	Oid			type = DatumGetObjectId(value_of(row, catalog, relation + 1));

	return OidIsValid(type) && get_rel_type_id(relid) == type;
}

/* may_say tells whether the writer of a row may have said something about one of its relations. */
static bool
may_say(HeapTuple row, Relation catalog, SdcPublicationColumn relation)
{
	return sdc_catalogtable_may_say(DatumGetObjectId(value_of(row, catalog, SDC_PUBLICATION_WRITTEN_BY)),
									DatumGetObjectId(value_of(row, catalog, relation)));
}

/* counts tells whether a row is what it says. */
static bool
counts(HeapTuple row, Relation catalog)
{
	return sdc_catalogtable_is_live(row, catalog, false) && may_say(row, catalog, SDC_PUBLICATION_TABLE);
}

/* is_accuracy tells whether a row is about an accuracy table. */
static bool
is_accuracy(HeapTuple row, Relation catalog)
{
	return strcmp(TextDatumGetCString(value_of(row, catalog, SDC_PUBLICATION_MODE)), SDC_PUBLICATION_ACCURACY) == 0;
}

/* sdc_publications_has: see publications.h. */
bool
sdc_publications_has(Oid schema, Oid table)
{
	Relation	catalog = open_catalog(schema, AccessShareLock);
	ScanKeyData key;
	SysScanDesc scan = sdc_catalogtable_begin_scan(catalog, table, &key);
	HeapTuple	row = systable_getnext(scan);
	bool		found = HeapTupleIsValid(row) && counts(row, catalog) && !is_accuracy(row, catalog);

	systable_endscan(scan);
	table_close(catalog, NoLock);
	return found;
}

/* sdc_publications_remove: the caller keeps others from changing the row by a lock on the publication. */
bool
sdc_publications_remove(Oid schema, Oid table)
{
	Relation	catalog = open_catalog(schema, RowExclusiveLock);
	ScanKeyData key;
	SysScanDesc scan = sdc_catalogtable_begin_scan(catalog, table, &key);
	HeapTuple	row = systable_getnext(scan);
	bool		found = HeapTupleIsValid(row) && counts(row, catalog);

	if (HeapTupleIsValid(row))
		CatalogTupleDelete(catalog, &row->t_self);
	systable_endscan(scan);
	table_close(catalog, NoLock);
	CommandCounterIncrement();
	return found;
}

/* bytes_datum makes a bytea. */
static Datum
bytes_datum(const void *bytes, int length)
{
	bytea	   *value = palloc(VARHDRSZ + length);

	SET_VARSIZE(value, VARHDRSZ + length);
	if (length > 0)
		memcpy(VARDATA(value), bytes, length);
	return PointerGetDatum(value);
}

/* take_bytes copies a bytea of a certain length, and tells whether it has that. */
static bool
take_bytes(Datum value, void *bytes, int length)
{
	bytea	   *given = DatumGetByteaPP(value);

	if (VARSIZE_ANY_EXHDR(given) != (Size) length)
		return false;
	memcpy(bytes, VARDATA_ANY(given), length);
	return true;
}

/* sdc_publications_put: a temporary release is gone when somebody looks at the row. */
void
sdc_publications_put(Oid schema, const SdcPublicationRow *row)
{
	Datum		values[SDC_PUBLICATION_COLUMN_COUNT + 1];
	bool		nulls[SDC_PUBLICATION_COLUMN_COUNT] = {false};
	char	   *publisher = GetUserNameFromId(GetUserId(), false);
	Oid			release = get_rel_persistence(row->release) == RELPERSISTENCE_TEMP ? InvalidOid : row->release;
	Oid			source = OidIsValid(row->source) && get_rel_persistence(row->source) != RELPERSISTENCE_TEMP ?
		row->source : InvalidOid;
	Relation	catalog;
	HeapTuple	tuple;

	values[SDC_PUBLICATION_TABLE] = ObjectIdGetDatum(row->table);
	values[SDC_PUBLICATION_ROW_TYPE] = ObjectIdGetDatum(get_rel_type_id(row->table));
	values[SDC_PUBLICATION_RELEASE] = ObjectIdGetDatum(release);
	values[SDC_PUBLICATION_RELEASE_ROW_TYPE] = ObjectIdGetDatum(OidIsValid(release) ? get_rel_type_id(release) :
																 InvalidOid);
	values[SDC_PUBLICATION_MODE] = CStringGetTextDatum(row->mode);
	values[SDC_PUBLICATION_COLUMNS] = sdc_catalog_names_datum(row->columns);
	values[SDC_PUBLICATION_KEPT] = sdc_catalog_names_datum(row->kept);
	values[SDC_PUBLICATION_RECORDS] = Int64GetDatum((int64) row->records);
	values[SDC_PUBLICATION_SHA256] = bytes_datum(row->sha256, SDC_CONTENTS_BYTES);
	values[SDC_PUBLICATION_PAGES] = bytes_datum(NULL, 0);
	values[SDC_PUBLICATION_FORCED] = BoolGetDatum(row->forced);
	values[SDC_PUBLICATION_PUBLISHED_BY] = DirectFunctionCall1(namein, CStringGetDatum(publisher));
	values[SDC_PUBLICATION_PUBLISHED_AT] = TimestampTzGetDatum(GetCurrentTransactionStartTimestamp());
	values[SDC_PUBLICATION_WRITTEN_BY] = ObjectIdGetDatum(SDC_CATALOG_WRITTEN_BY_US);
	values[SDC_PUBLICATION_SOURCE] = ObjectIdGetDatum(source);
	values[SDC_PUBLICATION_SOURCE_ROW_TYPE] = ObjectIdGetDatum(OidIsValid(source) ? get_rel_type_id(source) :
																InvalidOid);
	values[SDC_PUBLICATION_DRAW] = Int64GetDatum((int64) row->draw);

	(void) sdc_publications_remove(schema, row->table);
	catalog = open_catalog(schema, RowExclusiveLock);
	sdc_catalogtable_clean(catalog);
	tuple = heap_form_tuple(RelationGetDescr(catalog), values + 1, nulls);
	CatalogTupleInsert(catalog, tuple);
	heap_freetuple(tuple);
	table_close(catalog, NoLock);
	CommandCounterIncrement();
}

/* known returns the release or the source of a row, or InvalidOid where it is gone, or the row need not be true. */
static Oid
known(HeapTuple row, Relation catalog, SdcPublicationColumn relation)
{
	return lives(row, catalog, relation) && may_say(row, catalog, relation) ?
		DatumGetObjectId(value_of(row, catalog, relation)) : InvalidOid;
}

/* known_release returns the release of a row likewise. */
static Oid
known_release(HeapTuple row, Relation catalog)
{
	return known(row, catalog, SDC_PUBLICATION_RELEASE);
}

/* sdc_publications_get: see publications.h. */
bool
sdc_publications_get(Oid schema, Oid table, SdcPublicationRow *row)
{
	Relation	catalog = open_catalog(schema, AccessShareLock);
	ScanKeyData key;
	SysScanDesc scan = sdc_catalogtable_begin_scan(catalog, table, &key);
	HeapTuple	tuple = systable_getnext(scan);
	bool		found = HeapTupleIsValid(tuple) && counts(tuple, catalog);

	memset(row, 0, sizeof(SdcPublicationRow));
	if (found)
	{
		row->table = table;
		row->release = is_accuracy(tuple, catalog) ? InvalidOid : known_release(tuple, catalog);
		row->mode = TextDatumGetCString(value_of(tuple, catalog, SDC_PUBLICATION_MODE));
		row->columns = sdc_catalog_names_list(value_of(tuple, catalog, SDC_PUBLICATION_COLUMNS));
		row->kept = sdc_catalog_names_list(value_of(tuple, catalog, SDC_PUBLICATION_KEPT));
		row->records = (uint64) DatumGetInt64(value_of(tuple, catalog, SDC_PUBLICATION_RECORDS));
		(void) take_bytes(value_of(tuple, catalog, SDC_PUBLICATION_SHA256), row->sha256, SDC_CONTENTS_BYTES);
		row->has_pages = take_bytes(value_of(tuple, catalog, SDC_PUBLICATION_PAGES), &row->pages,
									sizeof(SdcFingerprint));
		row->forced = DatumGetBool(value_of(tuple, catalog, SDC_PUBLICATION_FORCED));
	}
	systable_endscan(scan);
	table_close(catalog, NoLock);
	return found;
}

/* sdc_publications_note: see publications.h. */
void
sdc_publications_note(Oid schema, const SdcPublicationRow *row, const SdcFingerprint *pages)
{
	int			columns[] = {
		SDC_PUBLICATION_COLUMNS, SDC_PUBLICATION_RECORDS, SDC_PUBLICATION_SHA256, SDC_PUBLICATION_PAGES
	};
	Datum		values[] = {
		sdc_catalog_names_datum(row->columns), Int64GetDatum((int64) row->records),
		bytes_datum(row->sha256, SDC_CONTENTS_BYTES),
		bytes_datum(pages, pages == NULL ? 0 : (int) sizeof(SdcFingerprint))
	};
	bool		nulls[lengthof(columns)] = {false};
	Relation	catalog = open_catalog(schema, RowExclusiveLock);
	ScanKeyData key;
	SysScanDesc scan = sdc_catalogtable_begin_scan(catalog, row->table, &key);
	HeapTuple	old = systable_getnext(scan);

	if (HeapTupleIsValid(old))
		CatalogTupleUpdate(catalog, &old->t_self,
						   heap_modify_tuple_by_cols(old, RelationGetDescr(catalog), lengthof(columns), columns, values,
													 nulls));
	systable_endscan(scan);
	table_close(catalog, NoLock);
	CommandCounterIncrement();
}

/* sdc_publications_is_accuracy: see publications.h. */
bool
sdc_publications_is_accuracy(Oid schema, Oid table, Oid *publication)
{
	Relation	catalog = open_catalog(schema, AccessShareLock);
	ScanKeyData key;
	SysScanDesc scan = sdc_catalogtable_begin_scan(catalog, table, &key);
	HeapTuple	row = systable_getnext(scan);
	bool		found = HeapTupleIsValid(row) && counts(row, catalog) && is_accuracy(row, catalog);

	*publication = found ? known_release(row, catalog) : InvalidOid;
	systable_endscan(scan);
	table_close(catalog, NoLock);
	return found;
}

/* sdc_publications_accuracy: see publications.h. */
Oid
sdc_publications_accuracy(Oid schema, Oid publication)
{
	Relation	catalog = open_catalog(schema, AccessShareLock);
	ScanKeyData key;
	SysScanDesc scan = sdc_catalogtable_begin_scan(catalog, InvalidOid, &key);
	Oid			table = InvalidOid;
	HeapTuple	row;

	while (!OidIsValid(table) && HeapTupleIsValid(row = systable_getnext(scan)))
	{
		CHECK_FOR_INTERRUPTS();
		if (counts(row, catalog) && is_accuracy(row, catalog) && known_release(row, catalog) == publication)
			table = DatumGetObjectId(value_of(row, catalog, SDC_PUBLICATION_TABLE));
	}
	systable_endscan(scan);
	table_close(catalog, NoLock);
	return table;
}

/* may_read tells whether the caller may read some column of a table. */
static bool
may_read(Oid table)
{
	return sdc_has_schema_right(get_rel_namespace(table), GetUserId(), ACL_USAGE) &&
		(pg_class_aclcheck(table, GetUserId(), ACL_SELECT) == ACLCHECK_OK ||
		 pg_attribute_aclcheck_all(table, GetUserId(), ACL_SELECT, ACLMASK_ANY) == ACLCHECK_OK);
}

/*
 * show_row shows a row where the caller may know of it; who may only read it is not told of what it is, nor who made
 * it.
 */
static void
show_row(Oid schema, HeapTuple row, Relation catalog, SdcPublicationVisit visit, void *arg)
{
	Datum		values[SDC_PUBLICATION_COLUMN_COUNT];
	bool		nulls[SDC_PUBLICATION_COLUMN_COUNT];
	Oid			table = DatumGetObjectId(value_of(row, catalog, SDC_PUBLICATION_TABLE));
	Oid			release = known_release(row, catalog);
	Oid			source = known(row, catalog, SDC_PUBLICATION_SOURCE);
	bool		reader = false;
	SdcReleaseRow visible;

	if (!sdc_is_relation_owner(table, GetUserId()) &&
		!(OidIsValid(release) && sdc_catalog_get_visible(schema, release, &visible)))
	{
		if (!may_read(table))
			return;
		release = InvalidOid;
		source = InvalidOid;
		reader = true;
	}
	heap_deform_tuple(row, RelationGetDescr(catalog), values, nulls);
	nulls[SDC_PUBLICATION_FORCED - 1] |= reader;
	nulls[SDC_PUBLICATION_PUBLISHED_BY - 1] |= reader;
	values[SDC_PUBLICATION_SOURCE - 1] = ObjectIdGetDatum(source);
	nulls[SDC_PUBLICATION_SOURCE - 1] = !OidIsValid(source);
	values[SDC_PUBLICATION_RELEASE - 1] = ObjectIdGetDatum(release);
	nulls[SDC_PUBLICATION_RELEASE - 1] = !OidIsValid(release);
	visit(arg, values, nulls);
}

/* sdc_publications_visit: see publications.h. */
void
sdc_publications_visit(Oid schema, SdcPublicationVisit visit, void *arg)
{
	Relation	catalog = open_catalog(schema, AccessShareLock);
	ScanKeyData key;
	SysScanDesc scan = sdc_catalogtable_begin_scan(catalog, InvalidOid, &key);
	HeapTuple	row;

	while (HeapTupleIsValid(row = systable_getnext(scan)))
	{
		CHECK_FOR_INTERRUPTS();
		if (counts(row, catalog) && !is_accuracy(row, catalog))
			show_row(schema, row, catalog, visit, arg);
	}
	systable_endscan(scan);
	table_close(catalog, NoLock);
}

/* sdc_publications_restore: a dump has a relation that is gone as a number, which means nothing here. */
HeapTuple
sdc_publications_restore(HeapTuple row, Relation catalog)
{
	static const SdcPublicationColumn relations[] = {SDC_PUBLICATION_RELEASE, SDC_PUBLICATION_SOURCE};
	Datum		values[] = {ObjectIdGetDatum(InvalidOid), ObjectIdGetDatum(InvalidOid)};
	bool		nulls[lengthof(values)] = {false};

	if (!sdc_catalogtable_is_live(row, catalog, false) ||
		get_rel_persistence(DatumGetObjectId(value_of(row, catalog, SDC_PUBLICATION_TABLE))) == RELPERSISTENCE_TEMP)
		return NULL;
	for (int i = 0; i < (int) lengthof(relations); i++)
	{
		int			columns[] = {relations[i], relations[i] + 1};

		if (!lives(row, catalog, relations[i]))
			row = heap_modify_tuple_by_cols(row, RelationGetDescr(catalog), lengthof(columns), columns, values, nulls);
	}
	return row;
}
