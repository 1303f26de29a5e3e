/*-------------------------------------------------------------------------
 *
 * catalog.c
 *		The catalog of releases.
 *
 * What is known of a release, as a row.  The seed is nowhere in it, and of the source's
 * checksum only a seal.  Rows about temporary tables are in a table of their own, which is not
 * dumped: a restore would not find them.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/table.h"
#include "access/xact.h"
#include "catalog/indexing.h"
#include "catalog/pg_type.h"
#include "kernel/base/checksum.h"
#include "miscadmin.h"
#include "relation/base/names.h"
#include "relation/catalog/catalog.h"
#include "relation/catalog/catalogtable.h"
#include "relation/catalog/privatestate.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/jsonb.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/timestamp.h"

/* sdc_catalog_names_datum makes a name[] of a list of char *. */
Datum
sdc_catalog_names_datum(List *names)
{
	Datum	   *elements = palloc(sizeof(Datum) * Max(list_length(names), 1));
	int			count = 0;
	ListCell   *cell;

	foreach(cell, names)
		elements[count++] = DirectFunctionCall1(namein, CStringGetDatum(lfirst(cell)));
	return PointerGetDatum(construct_array(elements, count, NAMEOID, NAMEDATALEN, false,
										   TYPALIGN_CHAR));
}

/* list_names makes a list of char * of a name[], each name once; by number: with "" where there is none. */
static List *
list_names(Datum names, bool by_number)
{
	List	   *list = NIL;
	Datum	   *elements;
	bool	   *nulls;
	int			count;

	deconstruct_array(DatumGetArrayTypeP(names), NAMEOID, NAMEDATALEN, false, TYPALIGN_CHAR,
					  &elements, &nulls, &count);
	for (int i = 0; i < Min(count, MaxHeapAttributeNumber); i++)
	{
		if (!nulls[i])
			list = sdc_names_add(list, NameStr(*DatumGetName(elements[i])));
		if (by_number && list_length(list) == i)
			list = lappend(list, pstrdup(""));
	}
	return list;
}

/* sdc_catalog_names_list: see catalog.h.  A restored dump may have anything: there is room for each column once. */
List *
sdc_catalog_names_list(Datum names)
{
	return list_names(names, false);
}

/* sdc_catalog_names_sound: see catalog.h. */
bool
sdc_catalog_names_sound(Datum names)
{
	ArrayType  *array = DatumGetArrayTypeP(names);

	return ARR_NDIM(array) <= 1 &&
		list_length(sdc_catalog_names_list(names)) == ArrayGetNItems(ARR_NDIM(array), ARR_DIMS(array));
}

/* is_temporary tells in which of the two tables a row about two relations is. */
static bool
is_temporary(Oid release, Oid source)
{
	return get_rel_persistence(release) == RELPERSISTENCE_TEMP ||
		(OidIsValid(source) && get_rel_persistence(source) == RELPERSISTENCE_TEMP);
}

/*
 * find_row finds the row of a release, and opens the table that it is in.  The row of a permanent
 * release can be among the temporary ones because of its source.
 */
static HeapTuple
find_row(Oid schema, Oid release, LOCKMODE mode, Relation *catalog)
{
	HeapTuple	row;

	for (int temporary = 0; temporary < 2; temporary++)
	{
		*catalog = sdc_catalogtable_open(schema, temporary == 1, mode);
		row = sdc_catalogtable_find(*catalog, release);
		if (row != NULL)
			return row;
		table_close(*catalog, NoLock);
	}
	return NULL;
}

/* row_source returns the source of a row, InvalidOid when it is gone. */
static Oid
row_source(HeapTuple row, Relation catalog)
{
	return sdc_catalogtable_is_live(row, catalog, true) ?
		DatumGetObjectId(sdc_catalogtable_value(row, catalog, SDC_CATALOG_SOURCE)) : InvalidOid;
}

/* sdc_catalog_state tells whether a relation is a release. */
SdcReleaseState
sdc_catalog_state(Oid schema, Oid release, Oid *source)
{
	SdcReleaseState state = SDC_RELEASE_UNKNOWN;
	Relation	catalog;
	HeapTuple	row = find_row(schema, release, AccessShareLock, &catalog);

	if (row == NULL)
		return state;
	if (source != NULL)
		*source = row_source(row, catalog);
	state = DatumGetBool(sdc_catalogtable_value(row, catalog, SDC_CATALOG_MADE)) ?
		SDC_RELEASE_MADE : SDC_RELEASE_REGISTERED;
	table_close(catalog, NoLock);
	return state;
}

/* json_text returns a jsonb as text. */
static char *
json_text(Datum value)
{
	Jsonb	   *json = DatumGetJsonbP(value);

	return JsonbToCString(NULL, &json->root, -1);
}

/* read_name copies a name, NULL for the empty one. */
static const char *
read_name(Datum value)
{
	const char *name = NameStr(*DatumGetName(value));

	return name[0] == '\0' ? NULL : pstrdup(name);
}

/* read_row reads what a row says of a release, into the current memory context. */
static void
read_row(HeapTuple found, Relation catalog, SdcReleaseRow *row)
{
	row->source = row_source(found, catalog);
	row->method = TextDatumGetCString(sdc_catalogtable_value(found, catalog, SDC_CATALOG_METHOD));
	row->parameters = json_text(sdc_catalogtable_value(found, catalog, SDC_CATALOG_PARAMETERS));
	row->columns = sdc_catalog_names_list(sdc_catalogtable_value(found, catalog, SDC_CATALOG_COLUMNS));
	row->key = sdc_catalog_names_list(sdc_catalogtable_value(found, catalog, SDC_CATALOG_KEY));
	row->strata = sdc_catalog_names_list(sdc_catalogtable_value(found, catalog, SDC_CATALOG_STRATA));
	row->omitted = sdc_catalog_names_list(sdc_catalogtable_value(found, catalog, SDC_CATALOG_OMITTED));
	row->qi = sdc_catalog_names_list(sdc_catalogtable_value(found, catalog, SDC_CATALOG_QI));
	row->sensitive = sdc_catalog_names_list(sdc_catalogtable_value(found, catalog, SDC_CATALOG_SENSITIVE));
	row->records = (uint64) DatumGetInt64(sdc_catalogtable_value(found, catalog, SDC_CATALOG_RECORDS));
	sdc_seal_read(sdc_catalogtable_value(found, catalog, SDC_CATALOG_CHECKSUM), row->seal);
	sdc_seal_read(sdc_catalogtable_value(found, catalog, SDC_CATALOG_SEED), row->drawn_seal);
	row->draws = Max(1, DatumGetInt32(sdc_catalogtable_value(found, catalog, SDC_CATALOG_DRAWS)));
	row->draw = (uint64) DatumGetInt64(sdc_catalogtable_value(found, catalog, SDC_CATALOG_DRAW));
	row->made = DatumGetBool(sdc_catalogtable_value(found, catalog, SDC_CATALOG_MADE));
	row->named = list_names(sdc_catalogtable_value(found, catalog, SDC_CATALOG_NAMED), true);
	row->unit = sdc_catalog_names_list(sdc_catalogtable_value(found, catalog, SDC_CATALOG_UNIT));
	row->units = (uint64) DatumGetInt64(sdc_catalogtable_value(found, catalog, SDC_CATALOG_UNITS));
	row->weight = read_name(sdc_catalogtable_value(found, catalog, SDC_CATALOG_WEIGHT));
	row->missing = json_text(sdc_catalogtable_value(found, catalog, SDC_CATALOG_MISSING));
	if (strcmp(row->missing, "{}") == 0)
		row->missing = NULL;
}

/* get_row reads the row of a release; with visible set only if the caller may know of it. */
static bool
get_row(Oid schema, Oid release, bool visible, SdcReleaseRow *row)
{
	Relation	catalog;
	HeapTuple	found = find_row(schema, release, AccessShareLock, &catalog);
	bool		may_see;

	memset(row, 0, sizeof(SdcReleaseRow));
	row->release = release;
	if (found == NULL)
		return false;
	may_see = !visible || sdc_catalogtable_may_see(found, catalog);
	if (may_see)
		read_row(found, catalog, row);
	table_close(catalog, NoLock);
	heap_freetuple(found);
	return may_see;
}

/* sdc_catalog_get reads what is known of a release, into the current memory context. */
bool
sdc_catalog_get(Oid schema, Oid release, SdcReleaseRow *row)
{
	return get_row(schema, release, false, row);
}

/* sdc_catalog_refuse_unknown: see catalog.h. */
void
sdc_catalog_refuse_unknown(Oid relid)
{
	ereport(ERROR,
			(errcode(ERRCODE_UNDEFINED_OBJECT),
			 errmsg("relation \"%s\" is not a release", get_rel_name(relid)),
			 errhint("View sdc_releases lists the releases.")));
}

/* sdc_catalog_get_visible does so for the caller. */
bool
sdc_catalog_get_visible(Oid schema, Oid release, SdcReleaseRow *row)
{
	return get_row(schema, release, true, row);
}

/* Releases that are looked for. */
typedef struct Finding
{
	Oid			source;
	List	   *rows;			/* SdcReleaseRow * */
} Finding;

/* find_of_source takes a row about a release of a source: SdcCatalogVisit. */
static void
find_of_source(void *arg, HeapTuple found, Relation catalog)
{
	Finding    *finding = arg;
	SdcReleaseRow *row;

	if (DatumGetObjectId(sdc_catalogtable_value(found, catalog, SDC_CATALOG_SOURCE)) != finding->source ||
		!DatumGetBool(sdc_catalogtable_value(found, catalog, SDC_CATALOG_MADE)) ||
		!sdc_catalogtable_may_see(found, catalog))
		return;
	row = palloc0(sizeof(SdcReleaseRow));
	row->release = DatumGetObjectId(sdc_catalogtable_value(found, catalog, SDC_CATALOG_RELEASE));
	read_row(found, catalog, row);
	finding->rows = lappend(finding->rows, row);
}

/* compare_draws orders rows by the draws that were known, and then by the releases. */
static int
compare_draws(const ListCell *a, const ListCell *b)
{
	const SdcReleaseRow *left = lfirst(a);
	const SdcReleaseRow *right = lfirst(b);

	if (left->draws != right->draws)
		return left->draws > right->draws ? -1 : 1;
	return left->release < right->release ? -1 : left->release > right->release;
}

/* sdc_catalog_of_source: see catalog.h. */
List *
sdc_catalog_of_source(Oid schema, Oid source)
{
	Finding		finding = {source, NIL};

	for (int temporary = 0; temporary < 2; temporary++)
	{
		Relation	catalog = sdc_catalogtable_open(schema, temporary == 1, AccessShareLock);

		sdc_catalogtable_visit(catalog, find_of_source, &finding);
		table_close(catalog, NoLock);
	}
	list_sort(finding.rows, compare_draws);
	return finding.rows;
}

/* sdc_catalog_remove forgets a release and its private state, and tells whether it was one. */
bool
sdc_catalog_remove(Oid schema, Oid release)
{
	bool		found = false;

	for (int temporary = 0; temporary < 2; temporary++)
	{
		Relation	catalog = sdc_catalogtable_open(schema, temporary == 1, RowExclusiveLock);

		found |= sdc_catalogtable_remove(catalog, release);
		table_close(catalog, NoLock);
	}
	(void) sdc_privatestate_remove(schema, release);
	return found;
}

/* seal_source says what is sealed of a source. */
static SdcSealed
seal_source(const SdcReleaseRow *row)
{
	return (SdcSealed) {row->release, row->source, row->records, row->checksum};
}

/* seal_draw says what is sealed of what decides a draw. */
static SdcSealed
seal_draw(const SdcReleaseRow *row, const char *drawn_from)
{
	SdcSealed	sealed = {row->release, row->source, 0, 0};
	SdcChecksum sum = {SDC_CHECKSUM_INIT};

	sdc_checksum_bytes(&sum, drawn_from, strlen(drawn_from));
	sealed.checksum = sum.state;
	return sealed;
}

/* take_seal returns a seal as a value of the catalog. */
static Datum
take_seal(Oid schema, SdcSealed sealed)
{
	uint8		secret[SDC_SEAL_SECRET_BYTES];
	bytea	   *value = palloc(VARHDRSZ + SDC_SEAL_BYTES);

	SET_VARSIZE(value, VARHDRSZ + SDC_SEAL_BYTES);
	sdc_catalogtable_secret(schema, secret);
	sdc_seal_take(secret, &sealed, (uint8 *) VARDATA(value));
	explicit_bzero(secret, sizeof(secret));
	return PointerGetDatum(value);
}

/* sdc_catalog_check compares the source of a release with what it was. */
SdcSealState
sdc_catalog_check(Oid schema, const SdcReleaseRow *row, uint64 records, uint64 checksum)
{
	const SdcSealed sealed = {row->release, row->source, records, checksum};
	uint8		secret[SDC_SEAL_SECRET_BYTES];
	SdcSealState state;

	sdc_catalogtable_secret(schema, secret);
	state = sdc_seal_check(secret, &sealed, row->seal);
	explicit_bzero(secret, sizeof(secret));
	return state;
}

/* sdc_catalog_same_draw: see catalog.h. */
bool
sdc_catalog_same_draw(Oid schema, const SdcReleaseRow *row, const char *drawn_from)
{
	const SdcSealed sealed = seal_draw(row, drawn_from);
	uint8		secret[SDC_SEAL_SECRET_BYTES];
	SdcSealState state;

	sdc_catalogtable_secret(schema, secret);
	state = sdc_seal_check(secret, &sealed, row->drawn_seal);
	explicit_bzero(secret, sizeof(secret));
	return state == SDC_SEAL_INTACT;
}

/* sdc_catalog_number: see catalog.h. */
AttrNumber
sdc_catalog_number(const SdcReleaseRow *row, const char *name)
{
	/* InvalidAttrNumber behind none */
	return (AttrNumber) (sdc_names_index(row->named, name) + 1);
}

/* sdc_catalog_name: see catalog.h. */
const char *
sdc_catalog_name(const SdcReleaseRow *row, AttrNumber number)
{
	const char *name = number <= 0 || number > list_length(row->named) ? "" : list_nth(row->named, number - 1);

	return name[0] == '\0' ? NULL : name;
}

/* sdc_catalog_is_own tells whether the checksum of a release was taken here. */
bool
sdc_catalog_is_own(Oid schema, const SdcReleaseRow *row)
{
	uint8		secret[SDC_SEAL_SECRET_BYTES];
	bool		own;

	sdc_catalogtable_secret(schema, secret);
	own = sdc_seal_is_own(secret, row->release, row->source, row->seal);
	explicit_bzero(secret, sizeof(secret));
	return own;
}

/* clean forgets releases whose table is gone, in both tables. */
static void
clean(Oid schema)
{
	for (int temporary = 0; temporary < 2; temporary++)
	{
		Relation	catalog = sdc_catalogtable_open(schema, temporary == 1, RowExclusiveLock);

		sdc_catalogtable_clean(catalog);
		table_close(catalog, NoLock);
	}
}

/* name_columns lists the names that the columns of a source have in its release, which has been made of it just now. */
static List *
name_columns(Oid release, Oid source)
{
	List	   *names = NIL;
	char	   *name;

	/* what was dropped has a name as well, which no column has */
	for (AttrNumber number = 1; (name = get_attname(source, number, true)) != NULL; number++)
		names = lappend(names, get_attnum(release, name) > 0 ? name : pstrdup(""));
	return names;
}

/* sdc_catalog_put enters a release, in place of what was known of it. */
void
sdc_catalog_put(Oid schema, const SdcReleaseRow *row)
{
	Datum		values[SDC_CATALOG_COLUMN_COUNT + 1];
	bool		nulls[SDC_CATALOG_COLUMN_COUNT] = {false};
	char	   *creator = GetUserNameFromId(GetUserId(), false);
	Relation	catalog;
	HeapTuple	tuple;

	values[SDC_CATALOG_RELEASE] = ObjectIdGetDatum(row->release);
	values[SDC_CATALOG_ROW_TYPE] = ObjectIdGetDatum(get_rel_type_id(row->release));
	values[SDC_CATALOG_SOURCE] = ObjectIdGetDatum(row->source);
	values[SDC_CATALOG_SOURCE_ROW_TYPE] = ObjectIdGetDatum(get_rel_type_id(row->source));
	values[SDC_CATALOG_METHOD] = CStringGetTextDatum(row->method);
	values[SDC_CATALOG_PARAMETERS] = DirectFunctionCall1(jsonb_in, CStringGetDatum(row->parameters));
	values[SDC_CATALOG_COLUMNS] = sdc_catalog_names_datum(row->columns);
	values[SDC_CATALOG_KEY] = sdc_catalog_names_datum(row->key);
	values[SDC_CATALOG_STRATA] = sdc_catalog_names_datum(row->strata);
	values[SDC_CATALOG_OMITTED] = sdc_catalog_names_datum(row->omitted);
	values[SDC_CATALOG_QI] = sdc_catalog_names_datum(row->qi);
	values[SDC_CATALOG_SENSITIVE] = sdc_catalog_names_datum(row->sensitive);
	values[SDC_CATALOG_RECORDS] = Int64GetDatum((int64) row->records);
	values[SDC_CATALOG_CHECKSUM] = take_seal(schema, seal_source(row));
	values[SDC_CATALOG_MADE] = BoolGetDatum(row->made);
	values[SDC_CATALOG_SEEDED] = BoolGetDatum(row->seeded);
	values[SDC_CATALOG_STREAM_VERSION] = Int32GetDatum(row->stream_version);
	values[SDC_CATALOG_DRAWS] = Int32GetDatum(Max(1, row->draws));
	values[SDC_CATALOG_NAMED] = sdc_catalog_names_datum(name_columns(row->release, row->source));
	values[SDC_CATALOG_DRAW] = Int64GetDatum((int64) row->draw);
	values[SDC_CATALOG_UNIT] = sdc_catalog_names_datum(row->unit);
	values[SDC_CATALOG_UNITS] = Int64GetDatum((int64) row->units);
	values[SDC_CATALOG_WEIGHT] = DirectFunctionCall1(namein, CStringGetDatum(row->weight == NULL ? "" : row->weight));
	values[SDC_CATALOG_MISSING] = DirectFunctionCall1(jsonb_in,
													  CStringGetDatum(row->missing == NULL ? "{}" : row->missing));
	values[SDC_CATALOG_SEED] = row->drawn_from == NULL ? PointerGetDatum(cstring_to_text("")) :
		take_seal(schema, seal_draw(row, row->drawn_from));
	values[SDC_CATALOG_CREATED_BY] = DirectFunctionCall1(namein, CStringGetDatum(creator));
	values[SDC_CATALOG_CREATED_AT] = TimestampTzGetDatum(GetCurrentTransactionStartTimestamp());
	values[SDC_CATALOG_WRITTEN_BY] = ObjectIdGetDatum(SDC_CATALOG_WRITTEN_BY_US);

	(void) sdc_catalog_remove(schema, row->release);
	clean(schema);
	catalog = sdc_catalogtable_open(schema, is_temporary(row->release, row->source), RowExclusiveLock);
	tuple = heap_form_tuple(RelationGetDescr(catalog), values + 1, nulls);
	CatalogTupleInsert(catalog, tuple);
	heap_freetuple(tuple);
	table_close(catalog, NoLock);
	CommandCounterIncrement();
}

/* sdc_catalog_confirm seals what the source of a release is now; who made the release, and when, stays. */
void
sdc_catalog_confirm(Oid schema, const SdcReleaseRow *row)
{
	int			columns[] = {SDC_CATALOG_RECORDS, SDC_CATALOG_CHECKSUM, SDC_CATALOG_WRITTEN_BY};
	Datum		values[] = {Int64GetDatum((int64) row->records), take_seal(schema, seal_source(row)),
	ObjectIdGetDatum(SDC_CATALOG_WRITTEN_BY_US)};
	bool		nulls[lengthof(columns)] = {false};
	Relation	catalog;
	HeapTuple	found = find_row(schema, row->release, RowExclusiveLock, &catalog);
	HeapTuple	changed;

	if (found == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("relation \"%s\" is not a release any more", get_rel_name(row->release))));
	changed = heap_modify_tuple_by_cols(found, RelationGetDescr(catalog), lengthof(columns), columns,
										values, nulls);
	CatalogTupleUpdate(catalog, &found->t_self, changed);
	table_close(catalog, NoLock);
	CommandCounterIncrement();
}
