/*-------------------------------------------------------------------------
 *
 * opening.c
 *		A release and its source, opened for an evaluation.
 *
 * Both relations are read in the order of the key, with the rights of the caller.
 * The source must be what it was when the release was made: as many records, the same
 * checksum over key and protected columns.  The release must have the same keys.  Then
 * record i of one is record i of the other.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/pg_class.h"
#include "miscadmin.h"
#include "relation/memory.h"
#include "relation/opening.h"
#include "relation/progress.h"
#include "relation/reader.h"
#include "utils/acl.h"
#include "utils/lsyscache.h"
#include "utils/rls.h"
#include "utils/syscache.h"

/* sdc_opening_refuse raises an error about what has changed. */
void
sdc_opening_refuse(const char *message)
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
check_relations(const SdcOpening *opening)
{
	const SdcReleaseRow *row = &opening->row;
	char	   *source = get_rel_name(row->source);

	sdc_source_check_readable(row->release);
	if (source == NULL)
		sdc_opening_refuse(psprintf("the source of release \"%s\" does not exist any more", opening->name));
	sdc_source_check_readable(row->source);
	if (!names_exist(row->source, row->columns) || !names_exist(row->source, row->key))
		sdc_opening_refuse(psprintf("source \"%s\" of release \"%s\" has lost columns that the release was made from",
						source, opening->name));
	if (!names_exist(row->release, row->columns) || !names_exist(row->release, release_key(row)))
		sdc_opening_refuse(psprintf("release \"%s\" has lost columns that it was made with", opening->name));
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

/* plan_relation plans the reading of key, protected and other columns. */
static SdcSource *
plan_relation(Oid relid, List *columns, List *key, List *strata, List *also)
{
	SdcSourceRequest request = {0};

	request.relid = relid;
	request.columns_given = true;
	request.columns = columns;
	request.key_given = key != NIL;
	request.key = key;
	request.strata = strata;
	request.also = also;
	request.only_needed = true;
	request.as_registered = true;
	return sdc_source_plan(&request);
}

/* check_source insists that the source is what the release was made from. */
static void
check_source(SdcOpening *opening)
{
	SdcReleaseRow *row = &opening->row;

	if (opening->source->records != row->records || opening->source->checksum != row->checksum)
		sdc_opening_refuse(psprintf("source \"%s\" has changed since release \"%s\" was made",
						opening->source->name, opening->name));
}

/* same_keys tells whether record by record both relations have the same key. */
static bool
same_keys(SdcOpening *opening, int number)
{
	SdcAttribute *release = &opening->release->attributes[opening->release->key[number]];
	SdcAttribute *source = NULL;
	SdcColumnReader *theirs = sdc_column_open(release->column);
	SdcColumnReader *ours = NULL;
	bool		same = true;

	if (opening->source->key_count > 0)
	{
		source = &opening->source->attributes[opening->source->key[number]];
		ours = sdc_column_open(source->column);
	}
	for (uint64 r = 0; r < opening->source->records && same; r++)
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
check_keys(SdcOpening *opening)
{
	bool		same = opening->release->records == opening->source->records;

	for (int i = 0; i < opening->release->key_count && same; i++)
		same = same_keys(opening, i);
	if (!same)
		sdc_opening_refuse(psprintf("release \"%s\" does not have the records of its source \"%s\" any more",
						opening->name, opening->source->name));
}

/* find_release reads the catalog's row of a release. */
static void
find_release(Oid catalog_schema, Oid release, SdcOpening *opening)
{
	opening->name = get_rel_name(release);
	if (!sdc_catalog_get(catalog_schema, release, &opening->row))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_OBJECT),
				 errmsg("relation \"%s\" is not a release", opening->name),
				 errhint("View sdc_releases lists the releases; sdc_register makes a table that another tool protected one.")));
}

/* sdc_opening_find finds a release and insists that it can be evaluated by the caller. */
SdcOpening *
sdc_opening_find(Oid catalog_schema, Oid release, bool unnamed)
{
	SdcOpening *opening = palloc0(sizeof(SdcOpening));

	find_release(catalog_schema, release, opening);
	check_relations(opening);
	if (unnamed)
	{
		check_trusted(opening->row.source);
		check_trusted(opening->row.release);
	}
	return opening;
}

/* sdc_opening_check_values insists on a release whose values are of the kind of the original ones. */
void
sdc_opening_check_values(const SdcOpening *opening)
{
	if (strcmp(opening->row.method, SDC_METHOD_GENERALIZE) == 0)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("release \"%s\" has ranges and sets in the place of values",
						opening->name),
				 errdetail("Linkage and losses are of single values."),
				 errhint("sdc_kanonymity, sdc_ldiversity and sdc_query_errors measure generalized releases.")));
}

/* sdc_opening_plan plans the reading of both relations. */
void
sdc_opening_plan(SdcOpening *opening, List *source_also, List *release_columns,
				 List *release_also)
{
	const SdcReleaseRow *row = &opening->row;

	opening->source = plan_relation(row->source, row->columns, row->key,
									opening->with_strata ? row->strata : NIL, source_also);
	opening->release = plan_relation(row->release, release_columns, release_key(row), NIL,
									 release_also);
}

/*
 * sdc_opening_read reads both relations and insists that they fit.  How much memory it takes
 * tells how many records there are: require is asked before anything is read, or
 * after reading where the caller may not see all records.
 */
void
sdc_opening_read(SdcOpening *opening, SdcOpeningRequire require, void *arg)
{
	const SdcReleaseRow *row = &opening->row;
	bool		tells_number = !has_row_security(row->source) && !has_row_security(row->release);
	int			columns = opening->source->attribute_count + 2;

	if (row->records > PG_UINT32_MAX / 2)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("a release of more than %u records cannot be evaluated", PG_UINT32_MAX / 2),
				 errhint("Release and evaluate it in parts.")));
	if (tells_number)
		require(arg, row);
	for (int i = 0; i < 2; i++)
		opening->spools[i] = sdc_spool_create(sdc_memory_budget() / 8, columns);
	sdc_progress_start(row->source, list_length(row->columns));
	sdc_reader_read(opening->source, opening->spools[0]);
	check_source(opening);
	if (!tells_number)
		require(arg, row);
	sdc_reader_read(opening->release, opening->spools[1]);
	check_keys(opening);
}

/* sdc_opening_close gives back what the reading took. */
void
sdc_opening_close(SdcOpening *opening)
{
	for (int i = 0; i < 2; i++)
		sdc_spool_destroy(opening->spools[i]);
}
