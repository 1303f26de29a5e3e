/*-------------------------------------------------------------------------
 *
 * pairing.c
 *		A release and its source, read and paired by key.
 *
 * Both relations are read in the order of the key, with the rights of the caller.
 * The source must be what it was when the release was made: as many records, the same
 * checksum over key and protected columns.  The release must have the same keys.  Then
 * record i of one is record i of the other.
 *
 * Memory: the codes and numbers of all attributes (encode.c), 16 bytes a value and up to 24
 * where the release has values that the source does not have, and whatever the
 * caller's kernels need; all is asked of the budget before a row is read.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/pg_class.h"
#include "miscadmin.h"
#include "relation/memory.h"
#include "relation/pairing.h"
#include "relation/progress.h"
#include "relation/reader.h"
#include "relation/spi.h"
#include "utils/builtins.h"
#include "utils/acl.h"
#include "utils/lsyscache.h"
#include "utils/rls.h"
#include "utils/syscache.h"

/* The two relations while they are read. */
typedef struct Reading
{
	SdcPairing *pairing;
	SdcSource  *source;
	SdcSource  *release;
	SdcSpool   *spools[2];		/* one for each: a reading that begins again empties its own */
} Reading;

/* refuse raises an error about what has changed. */
static void
refuse(const char *message)
{
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg_internal("%s", message),
			 errhint("Make the release again, or register it again with sdc_register.")));
}

/* names_exist tells whether a relation has all named columns. */
static bool
names_exist(Oid relid, List *names)
{
	ListCell   *cell;

	foreach(cell, names)
		if (get_attnum(relid, lfirst(cell)) <= 0)
			return false;
	return true;
}

/* release_key returns the names of the key in the release. */
static List *
release_key(const SdcReleaseRow *row)
{
	if (row->key == NIL && row->made)
		return list_make1(SDC_ROW_COLUMN);
	return row->key;
}

/*
 * check_relations insists that the caller may read source and release, which comes first, and that
 * both still have their columns.
 */
static void
check_relations(const SdcPairing *pairing)
{
	const SdcReleaseRow *row = &pairing->row;
	char	   *source = get_rel_name(row->source);

	sdc_source_check_readable(row->release);
	if (source == NULL)
		refuse(psprintf("the source of release \"%s\" does not exist any more", pairing->name));
	sdc_source_check_readable(row->source);
	if (!names_exist(row->source, row->columns) || !names_exist(row->source, row->key))
		refuse(psprintf("source \"%s\" of release \"%s\" has lost columns that the release was made from",
						source, pairing->name));
	if (!names_exist(row->release, row->columns) || !names_exist(row->release, release_key(row)))
		refuse(psprintf("release \"%s\" has lost columns that it was made with", pairing->name));
}

/* has_row_security tells whether policies decide which rows of a relation the caller sees. */
static bool
has_row_security(Oid relid)
{
	return check_enable_rls(relid, InvalidOid, true) == RLS_ENABLED;
}

/*
 * check_trusted insists that reading a relation runs no functions of somebody who could not act as
 * the caller anyway: those in a view and in policies run with the caller's rights, and a
 * query of all releases reads relations that the caller has never heard of.
 */
static void
check_trusted(Oid relid)
{
	char		kind = get_rel_relkind(relid);
	HeapTuple	tuple;
	Oid			owner;

	if (kind != RELKIND_VIEW && kind != RELKIND_FOREIGN_TABLE && !has_row_security(relid))
		return;
	tuple = SearchSysCache1(RELOID, ObjectIdGetDatum(relid));
	if (!HeapTupleIsValid(tuple))
		elog(ERROR, "cache lookup failed for relation %u", relid);
	owner = ((Form_pg_class) GETSTRUCT(tuple))->relowner;
	ReleaseSysCache(tuple);
	if (!has_privs_of_role(owner, GetUserId()))
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("reading relation \"%s\" may run functions of its owner", get_rel_name(relid)),
				 errhint("Score its release alone with sdc_score, if you trust the owner.")));
}

/* plan_relation plans the reading of key and protected columns. */
static SdcSource *
plan_relation(Oid relid, List *columns, List *key)
{
	SdcSourceRequest request = {0};

	request.relid = relid;
	request.columns_given = true;
	request.columns = columns;
	request.key_given = key != NIL;
	request.key = key;
	request.only_needed = true;
	request.as_registered = true;
	return sdc_source_plan(&request);
}

/* find_protected returns the protected attribute of a relation with a name. */
static SdcAttribute *
find_protected(SdcSource *source, const char *name)
{
	for (int i = 0; i < source->attribute_count; i++)
		if (source->attributes[i].action == SDC_ACTION_PROTECTED &&
			strcmp(NameStr(source->attributes[i].name), name) == 0)
			return &source->attributes[i];
	return NULL;
}

/* check_types insists that both relations have the attributes, with the same types. */
static void
check_types(Reading *reading)
{
	bool		same = true;

	/* without a key the release numbers the records, if sdc made it */
	Assert(reading->release->key_count ==
		   Max(reading->source->key_count, reading->pairing->row.made ? 1 : 0));
	for (int i = 0; i < reading->source->attribute_count && same; i++)
	{
		SdcAttribute *attribute = &reading->source->attributes[i];
		SdcAttribute *other = find_protected(reading->release, NameStr(attribute->name));

		if (attribute->action == SDC_ACTION_PROTECTED)
			same = other != NULL && other->type.typid == attribute->type.typid;
	}
	for (int i = 0; i < reading->source->key_count && same; i++)
		same = reading->source->attributes[reading->source->key[i]].type.base ==
			reading->release->attributes[reading->release->key[i]].type.base;
	if (!same)
		refuse(psprintf("a column of release \"%s\" does not have the type that it has in its source",
						reading->pairing->name));
}

/* check_source insists that the source is what the release was made from. */
static void
check_source(Reading *reading)
{
	SdcReleaseRow *row = &reading->pairing->row;

	if (reading->source->records != row->records || reading->source->checksum != row->checksum)
		refuse(psprintf("source \"%s\" has changed since release \"%s\" was made",
						reading->source->name, reading->pairing->name));
}

/* same_keys tells whether record by record both relations have the same key. */
static bool
same_keys(Reading *reading, int number)
{
	SdcAttribute *release = &reading->release->attributes[reading->release->key[number]];
	SdcAttribute *source = NULL;
	SdcColumnReader *theirs = sdc_column_open(release->column);
	SdcColumnReader *ours = NULL;
	bool		same = true;

	if (reading->source->key_count > 0)
	{
		source = &reading->source->attributes[reading->source->key[number]];
		ours = sdc_column_open(source->column);
	}
	for (uint64 r = 0; r < reading->source->records && same; r++)
	{
		Datum		mine = Int64GetDatum((int64) r + 1);	/* what sdc_row has */
		Datum		other;

		if (ours != NULL)
			(void) sdc_column_next(ours, &mine);
		(void) sdc_column_next(theirs, &other);
		same = ours == NULL ? sdc_type_word(&release->type, other) == (int64) r + 1 :
			sdc_type_equal(&source->type, mine, other);
		if (r % 4096 == 0)
			CHECK_FOR_INTERRUPTS();
	}
	sdc_column_close(theirs);
	if (ours != NULL)
		sdc_column_close(ours);
	return same;
}

/* check_keys insists that the release has the records of the source. */
static void
check_keys(Reading *reading)
{
	bool		same = reading->release->records == reading->source->records;

	for (int i = 0; i < reading->release->key_count && same; i++)
		same = same_keys(reading, i);
	if (!same)
		refuse(psprintf("release \"%s\" does not have the records of its source \"%s\" any more",
						reading->pairing->name, reading->source->name));
}

/* encode_attributes gives the protected attributes their codes. */
static void
encode_attributes(Reading *reading)
{
	SdcPairing *pairing = reading->pairing;
	SdcPairColumn *columns = palloc0(sizeof(SdcPairColumn) * reading->source->protected_count);
	SdcArena	arena = {0};
	int			count = 0;

	pairing->attribute = palloc(sizeof(char *) * reading->source->protected_count);
	pairing->kind = palloc(sizeof(SdcValueKind) * reading->source->protected_count);
	for (int i = 0; i < reading->source->attribute_count; i++)
	{
		SdcAttribute *attribute = &reading->source->attributes[i];
		SdcAttribute *other;

		if (attribute->action != SDC_ACTION_PROTECTED)
			continue;
		other = find_protected(reading->release, NameStr(attribute->name));
		sdc_memory_require(pairing->memory +
						   sdc_encode_memory(attribute->column, other->column, &attribute->type),
						   "evaluating a release");
		sdc_encode_columns(attribute->column, other->column, &attribute->type, &arena,
						   &columns[count]);
		pairing->memory += (uint64) columns[count].codes *
			(columns[count].value == NULL ? 0 : sizeof(double)) +
			2 * reading->source->records * sizeof(uint32);
		pairing->attribute[count] = pstrdup(NameStr(attribute->name));
		pairing->kind[count++] = sdc_encode_kind(&attribute->type);
		sdc_column_destroy(attribute->column);
		sdc_column_destroy(other->column);
		sdc_progress_attributes(count);
	}
	sdc_arena_free(&arena);
	pairing->pairs.records = (uint32) reading->source->records;
	pairing->pairs.attributes = count;
	pairing->pairs.column = columns;
}

/* keep_keys loads the keys of the source, for their text. */
static void
keep_keys(Reading *reading)
{
	SdcPairing *pairing = reading->pairing;
	SdcSource  *source = reading->source;
	uint64		bytes = 0;

	for (int i = 0; i < source->key_count; i++)
		bytes += sdc_column_loaded_size(source->attributes[source->key[i]].column);
	pairing->memory += bytes;
	sdc_memory_require(pairing->memory, "evaluating a release");
	pairing->key_count = source->key_count;
	pairing->key = palloc(sizeof(Datum *) * Max(source->key_count, 1));
	pairing->key_output = palloc(sizeof(FmgrInfo) * Max(source->key_count, 1));
	for (int i = 0; i < source->key_count; i++)
	{
		SdcAttribute *attribute = &source->attributes[source->key[i]];
		Oid			output;
		bool		varlena;

		getTypeOutputInfo(attribute->type.typid, &output, &varlena);
		fmgr_info(output, &pairing->key_output[i]);
		pairing->key[i] = sdc_column_load(attribute->column,
										  sdc_memory_array(sdc_column_loaded_size(attribute->column), 1));
	}
}

/*
 * require_memory asks the budget for what the catalog's number of records will take: a
 * column's number of distinct values is not known yet, and all values distinct is the
 * usual case.
 */
static void
require_memory(const SdcPairingRequest *request, const SdcReleaseRow *row)
{
	int			attributes = list_length(row->columns);
	uint64		needed = row->records * attributes * (2 * sizeof(uint32) + sizeof(double));
	uint64		extra = 0;

	if (row->records > PG_UINT32_MAX / 2)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("a release of more than %u records cannot be evaluated", PG_UINT32_MAX / 2),
				 errhint("Release and evaluate it in parts.")));
	if (request->keys)
		needed += row->records * sizeof(Datum) * Max(list_length(row->key), 1);
	if (request->extra != NULL)
		extra = request->extra(row->records, attributes);
	sdc_memory_require(needed + Max(extra, sdc_encode_expected_memory(row->records)),
					   "evaluating a release");
}

/* read_relations reads both relations and insists that they fit. */
static void
read_relations(Reading *reading, const SdcPairingRequest *request)
{
	SdcReleaseRow *row = &reading->pairing->row;
	bool		tells_number = !has_row_security(row->source) && !has_row_security(row->release);

	reading->source = plan_relation(row->source, row->columns, row->key);
	reading->release = plan_relation(row->release, row->columns, release_key(row));
	check_types(reading);
	/* how much memory it takes tells how many records there are */
	if (tells_number)
		require_memory(request, row);
	for (int i = 0; i < 2; i++)
		reading->spools[i] = sdc_spool_create(sdc_memory_budget() / 8,
											  list_length(row->columns) + list_length(row->key) + 2);
	sdc_progress_start(row->source, list_length(row->columns));
	sdc_reader_read(reading->source, reading->spools[0]);
	check_source(reading);
	if (!tells_number)
		require_memory(request, row);
	sdc_reader_read(reading->release, reading->spools[1]);
	check_keys(reading);
}

/* find_release reads the catalog's row of a release. */
static void
find_release(Oid catalog_schema, Oid release, SdcPairing *pairing)
{
	pairing->name = get_rel_name(release);
	if (!sdc_catalog_get(catalog_schema, release, &pairing->row))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_OBJECT),
				 errmsg("relation \"%s\" is not a release", pairing->name),
				 errhint("View sdc_releases lists the releases; sdc_register makes a table that another tool protected one.")));
}

/* sdc_pairing_load reads and pairs a release and its source. */
SdcPairing *
sdc_pairing_load(const SdcPairingRequest *request)
{
	MemoryContext context = CurrentMemoryContext;
	MemoryContext work;
	Reading		reading = {0};

	reading.pairing = palloc0(sizeof(SdcPairing));
	find_release(request->catalog_schema, request->release, reading.pairing);
	check_relations(reading.pairing);
	if (request->unnamed)
	{
		check_trusted(reading.pairing->row.source);
		check_trusted(reading.pairing->row.release);
	}

	sdc_spi_connect();
	work = AllocSetContextCreate(context, "sdc pairing", ALLOCSET_DEFAULT_SIZES);
	MemoryContextSwitchTo(work);
	read_relations(&reading, request);
	MemoryContextSwitchTo(context);
	if (request->keys)
		keep_keys(&reading);
	encode_attributes(&reading);
	for (int i = 0; i < 2; i++)
		sdc_spool_destroy(reading.spools[i]);
	MemoryContextDelete(work);
	sdc_spi_finish();
	return reading.pairing;
}

/* append_quoted appends one column of a key as in the text of a row. */
static void
append_quoted(StringInfo text, const char *value)
{
	bool		quote = value[0] == '\0' || strpbrk(value, "\"\\(), \t\n\r\v\f") != NULL;

	if (quote)
		appendStringInfoChar(text, '"');
	for (const char *c = value; *c != '\0'; c++)
	{
		if (*c == '"' || *c == '\\')
			appendStringInfoChar(text, *c);
		appendStringInfoChar(text, *c);
	}
	if (quote)
		appendStringInfoChar(text, '"');
}

/*
 * sdc_pairing_key returns the key of a record as text: that of the column, of a row
 * of several columns, or the number of the record.
 */
char *
sdc_pairing_key(SdcPairing *pairing, uint32 record)
{
	StringInfoData text;

	if (pairing->key_count == 0)
		return psprintf("%u", record + 1);
	if (pairing->key_count == 1)
		return OutputFunctionCall(&pairing->key_output[0], pairing->key[0][record]);
	initStringInfo(&text);
	for (int i = 0; i < pairing->key_count; i++)
	{
		appendStringInfoChar(&text, i == 0 ? '(' : ',');
		append_quoted(&text, OutputFunctionCall(&pairing->key_output[i], pairing->key[i][record]));
	}
	appendStringInfoChar(&text, ')');
	return text.data;
}

/* find_known returns the index of a named protected attribute. */
static int
find_known(const SdcPairing *pairing, const char *name)
{
	StringInfoData list;

	for (int i = 0; i < pairing->pairs.attributes; i++)
		if (strcmp(pairing->attribute[i], name) == 0)
			return i;
	initStringInfo(&list);
	for (int i = 0; i < pairing->pairs.attributes; i++)
		sdc_spi_append_name(&list, pairing->attribute[i], i == 0);
	ereport(ERROR,
			(errcode(ERRCODE_UNDEFINED_COLUMN),
			 errmsg("column \"%s\" is not a protected column of release \"%s\"", name, pairing->name),
			 errdetail("It is named in argument \"known\"."),
			 errhint("The protected columns are %s.", list.data)));
	return -1;					/* not reached */
}

/* compare_ints is for qsort. */
static int
compare_ints(const void *a, const void *b)
{
	return *(const int *) a - *(const int *) b;
}

/*
 * sdc_pairing_known returns the indexes of the attributes that the intruder knows, ascending: in
 * which order he names them must not matter, not even to the last bit.
 */
int *
sdc_pairing_known(const SdcPairing *pairing, bool given, List *names, int *count)
{
	int		   *known = palloc(sizeof(int) * Max(pairing->pairs.attributes, 1));
	ListCell   *cell;

	*count = 0;
	if (!given)
	{
		while (*count < pairing->pairs.attributes)
		{
			known[*count] = *count;
			(*count)++;
		}
		return known;
	}
	if (names == NIL)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("argument \"known\" must name at least one column"),
				 errhint("Leave the argument out for all protected columns.")));
	foreach(cell, names)
		known[(*count)++] = find_known(pairing, lfirst(cell));
	qsort(known, *count, sizeof(int), compare_ints);
	return known;
}
