/*-------------------------------------------------------------------------
 *
 * openrelease.c
 *		A release and its source, opened for an evaluation.
 *
 * Both relations are read in the order of the key, by whom trust.c decides.
 * The source must be what it was when the release was made: as many records, the same
 * checksum over key and protected columns.  The release must have the same keys.  Then
 * record i of one is record i of the other.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/relation.h"
#include "miscadmin.h"
#include "relation/memory.h"
#include "relation/openrelease.h"
#include "relation/progress.h"
#include "relation/reader.h"
#include "relation/spi.h"
#include "relation/trust.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/rls.h"

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
 * check_origin insists on a checksum that was taken here.  One that came out of a dump, or belongs to other
 * relations, tells nothing about the source: it is keyed, so that nobody can confirm guesses with it.
 */
static void
check_origin(const SdcOpening *opening)
{
	if (sdc_catalog_is_own(opening->catalog_schema, &opening->row))
		return;
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("release \"%s\" came out of a dump: the checksum of its source \"%s\" must be taken again",
					opening->name, get_rel_name(opening->row.source)),
			 errhint("If the source is what the release was made from, its owner can say so with sdc_confirm_source.")));
}

/* plan_relation plans the reading of key, protected and other columns. */
static SdcSource *
plan_relation(const SdcOpening *opening, Oid relid, List *columns, List *key, List *strata,
			  List *also)
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
	request.unnamed = opening->unnamed;
	return sdc_source_plan(&request);
}

/* check_source insists that the source is what the release was made from. */
static void
check_source(SdcOpening *opening)
{
	const SdcReleaseRow *row = &opening->row;
	const SdcSource *source = opening->source;

	if (source->records != row->records ||
		(!opening->confirming &&
		 sdc_catalog_check(opening->catalog_schema, row, source->records,
						   source->checksum) != SDC_SEAL_INTACT))
		sdc_opening_refuse(psprintf("source \"%s\" has changed since release \"%s\" was made",
									source->name, opening->name));
}

/* same_keys tells whether record by record both relations have the same column of the key. */
static bool
same_keys(const SdcSource *source, const SdcSource *release, int number)
{
	SdcAttribute *other = &release->attributes[release->key[number]];
	SdcAttribute *attribute = NULL;
	SdcColumnReader *theirs = sdc_column_open(other->column);
	SdcColumnReader *ours = NULL;
	bool		same = true;

	if (source->key_count > 0)
	{
		attribute = &source->attributes[source->key[number]];
		ours = sdc_column_open(attribute->column);
	}
	for (uint64 r = 0; r < source->records && same; r++)
	{
		Datum		mine = Int64GetDatum((int64) r + 1);	/* what sdc_row has */
		Datum		value;

		if (ours != NULL)
			(void) sdc_column_next(ours, &mine);
		(void) sdc_column_next(theirs, &value);
		same = ours == NULL ? sdc_type_word(&other->type, value) == (int64) r + 1 :
			sdc_type_equal(&attribute->type, mine, value);
		if (r % 4096 == 0)
			CHECK_FOR_INTERRUPTS();
	}
	sdc_column_close(theirs);
	if (ours != NULL)
		sdc_column_close(ours);
	return same;
}

/* sdc_opening_same_keys compares column by column. */
bool
sdc_opening_same_keys(const SdcSource *source, const SdcSource *release)
{
	bool		same = release->records == source->records;

	for (int i = 0; i < release->key_count && same; i++)
		same = same_keys(source, release, i);
	return same;
}

/* check_keys insists that the release has the records of the source. */
static void
check_keys(SdcOpening *opening)
{
	if (!sdc_opening_same_keys(opening->source, opening->release))
		sdc_opening_refuse(psprintf("release \"%s\" does not have the records of its source \"%s\" any more",
									opening->name, opening->source->name));
}

/* find_release reads the catalog's row of a release, which stays as long as the transaction. */
static SdcOpening *
find_release(Oid catalog_schema, Oid release)
{
	SdcOpening *opening = palloc0(sizeof(SdcOpening));

	relation_close(sdc_source_open(release, AccessShareLock), NoLock);
	opening->catalog_schema = catalog_schema;
	opening->name = get_rel_name(release);
	if (!sdc_catalog_get(catalog_schema, release, &opening->row))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_OBJECT),
				 errmsg("relation \"%s\" is not a release", opening->name),
				 errhint("View sdc_releases lists the releases; sdc_register makes a table that another tool protected one.")));
	check_relations(opening);
	return opening;
}

/* sdc_opening_find finds a release and insists that it can be evaluated by the caller. */
SdcOpening *
sdc_opening_find(Oid catalog_schema, Oid release, bool unnamed)
{
	SdcOpening *opening = find_release(catalog_schema, release);

	opening->unnamed = unnamed;
	if (unnamed)
	{
		(void) sdc_trust_reader(opening->row.source, true);
		(void) sdc_trust_reader(opening->row.release, true);
	}
	check_origin(opening);
	return opening;
}

/* sdc_opening_find_restored is for who has checked that the caller owns the release. */
SdcOpening *
sdc_opening_find_restored(Oid catalog_schema, Oid release)
{
	SdcOpening *opening = find_release(catalog_schema, release);

	opening->confirming = true;
	return opening;
}

/* sdc_opening_check_values insists on a release whose values are of the kind of the original ones. */
void
sdc_opening_check_values(const SdcOpening *opening)
{
	if (!sdc_methods_find(opening->row.method)->keeps_types)
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

	opening->source = plan_relation(opening, row->source, row->columns, row->key,
									opening->with_strata ? row->strata : NIL, source_also);
	opening->release = plan_relation(opening, row->release, release_columns, release_key(row), NIL,
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

/* require_nothing is the SdcOpeningRequire of a reading that keeps nothing. */
static void
require_nothing(void *arg, const SdcReleaseRow *row)
{
	(void) arg;
	(void) row;
}

/* sum_everything has a relation read for its checksum and keys only. */
static void
sum_everything(SdcSource *source)
{
	for (int i = 0; i < source->attribute_count; i++)
		source->attributes[i].summed = true;
}

/* sdc_opening_check_unchanged keeps keys only, and those not for long. */
void
sdc_opening_check_unchanged(SdcOpening *opening)
{
	MemoryContext work;
	MemoryContext before;

	/* what a release has in place of values need not have an order */
	sdc_opening_plan(opening, NIL, NIL, opening->row.columns);
	sum_everything(opening->source);
	sum_everything(opening->release);
	sdc_spi_connect();
	work = AllocSetContextCreate(CurrentMemoryContext, "sdc checking", ALLOCSET_DEFAULT_SIZES);
	before = MemoryContextSwitchTo(work);
	sdc_opening_read(opening, require_nothing, NULL);
	sdc_opening_close(opening);
	MemoryContextSwitchTo(before);
	MemoryContextDelete(work);
	sdc_spi_finish();
	sdc_progress_end();
}
