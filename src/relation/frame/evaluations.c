/*-------------------------------------------------------------------------
 *
 * evaluations.c
 *		The evaluations of releases that are kept.
 *
 * One for every release, in a table of the extension, which is read and written without any statement, as the catalog
 * of releases is (catalogtable.c).  What source and release were is kept as seals (seal.c): who sees the table, or a
 * dump of it, cannot confirm guesses with them.
 *
 * A row that was restored counts if who did it is a superuser or has the rights of the release's owner.  It is shown,
 * and never taken for what the release is now: its seals say nothing here, and if they did, what stands beside them
 * could be another's.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "access/xact.h"
#include "catalog/indexing.h"
#include "catalog/pg_class.h"
#include "miscadmin.h"
#include "relation/base/compat.h"
#include "relation/base/names.h"
#include "relation/base/progress.h"
#include "relation/catalog/catalogtable.h"
#include "relation/catalog/parameters.h"
#include "relation/frame/evaluations.h"
#include "relation/frame/openrelease.h"
#include "storage/lmgr.h"
#include "utils/builtins.h"
#include "utils/fmgrprotos.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/timestamp.h"

/* open_table opens one of the two tables. */
static Relation
open_table(Oid schema, bool temporary, LOCKMODE mode)
{
	return sdc_catalogtable_open_evaluations(schema, temporary, mode, SDC_EVALUATION_COLUMN_COUNT);
}

/* is_temporary tells in which of the two the row of a release is. */
static bool
is_temporary(Oid release)
{
	return get_rel_persistence(release) == RELPERSISTENCE_TEMP;
}

/* value_of insists on a value. */
static Datum
value_of(HeapTuple row, Relation table, SdcEvaluationColumn column)
{
	return sdc_catalogtable_value(row, table, (SdcCatalogColumn) column);
}

/* counts tells whether a row is what it says. */
static bool
counts(HeapTuple row, Relation table)
{
	return sdc_catalogtable_is_live(row, table, false) &&
		sdc_catalogtable_may_say(DatumGetObjectId(value_of(row, table, SDC_EVALUATION_WRITTEN_BY)),
								 DatumGetObjectId(value_of(row, table, SDC_EVALUATION_RELEASE)));
}

/* read_row copies what a row says. */
static void
read_row(HeapTuple row, Relation table, SdcKeptEvaluation *kept)
{
	kept->at = DatumGetTimestampTz(value_of(row, table, SDC_EVALUATION_AT));
	kept->version = TextDatumGetCString(value_of(row, table, SDC_EVALUATION_VERSION));
	kept->measures = DatumGetJsonbPCopy(value_of(row, table, SDC_EVALUATION_MEASURES));
	kept->ours = DatumGetObjectId(value_of(row, table, SDC_EVALUATION_WRITTEN_BY)) == SDC_CATALOG_WRITTEN_BY_US;
	kept->known = sdc_catalog_names_list(value_of(row, table, SDC_EVALUATION_KNOWN));
	kept->known_given = sdc_parameters_child(sdc_parameters_child(&kept->measures->root, "arguments"), "known") != NULL;
	kept->columns[0] = sdc_catalog_names_list(value_of(row, table, SDC_EVALUATION_SOURCE_COLUMNS));
	kept->columns[1] = sdc_catalog_names_list(value_of(row, table, SDC_EVALUATION_RELEASE_COLUMNS));
	sdc_seal_read(value_of(row, table, SDC_EVALUATION_SOURCE_STATE), kept->seal[0]);
	sdc_seal_read(value_of(row, table, SDC_EVALUATION_RELEASE_STATE), kept->seal[1]);
	sdc_seal_read(value_of(row, table, SDC_EVALUATION_SOURCE_PAGES), kept->pages[0]);
	sdc_seal_read(value_of(row, table, SDC_EVALUATION_RELEASE_PAGES), kept->pages[1]);
}

/* sdc_evaluations_get: see evaluations.h. */
bool
sdc_evaluations_get(Oid schema, Oid release, SdcKeptEvaluation *kept)
{
	Relation	table = open_table(schema, is_temporary(release), AccessShareLock);
	ScanKeyData key;
	SysScanDesc scan = sdc_catalogtable_begin_scan(table, release, &key);
	HeapTuple	row = systable_getnext(scan);
	bool		found = HeapTupleIsValid(row) && counts(row, table);

	if (found)
		read_row(row, table, kept);
	systable_endscan(scan);
	table_close(table, NoLock);
	return found;
}

/* sdc_evaluations_mark: see evaluations.h. */
char *
sdc_evaluations_mark(const SdcKeptEvaluation *kept)
{
	char	   *mark = palloc(2 * SDC_SEAL_BYTES + 1);

	mark[hex_encode((const char *) kept->seal[1], SDC_SEAL_BYTES, mark)] = '\0';
	return mark;
}

/* sdc_evaluations_number: see evaluations.h.  A restored row may have anything. */
bool
sdc_evaluations_number(JsonbContainer *object, const char *name, double *value)
{
	double		found = sdc_parameters_number(object, name);

	if (isnan(found))
		return false;
	*value = found;
	return true;
}

/* sdc_evaluations_judged: see evaluations.h. */
double
sdc_evaluations_judged(const SdcKeptEvaluation *kept, const char *measure)
{
	double		value = NAN;

	(void) sdc_evaluations_number(sdc_parameters_child(&kept->measures->root, "judged"), measure, &value);
	return value;
}

/* relation_of returns the source of a release, or the release. */
static Oid
relation_of(const SdcReleaseRow *row, int which)
{
	return which == 0 ? row->source : row->release;
}

/* sdc_evaluations_begin: see evaluations.h. */
void
sdc_evaluations_begin(Oid schema, Oid release, SdcEvaluated *evaluated)
{
	SdcOpenRelease *opened = sdc_openrelease_find(schema, release, false);

	memset(evaluated, 0, sizeof(SdcEvaluated));
	evaluated->row = opened->row;
	if (!sdc_is_relation_owner(release, GetUserId()))
		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				 errmsg("must be owner of release \"%s\"", opened->name),
				 errdetail("The results are kept for everybody who may read the release and its source."),
				 errhint("sdc_score, sdc_people_found, sdc_query_errors and sdc_association_recall find the same, and keep nothing.")));
	for (int i = 0; i < 2; i++)
	{
		evaluated->columns[i] = sdc_fingerprint_columns(relation_of(&evaluated->row, i));
		sdc_fingerprint_shape(schema, relation_of(&evaluated->row, i), evaluated->columns[i],
						i == 0 ? NULL : &evaluated->row, &evaluated->shape[i]);
	}
}

/* remove_row removes the row of a release; the caller keeps others from changing it by a lock on the release. */
static void
remove_row(Relation table, Oid release)
{
	ScanKeyData key;
	SysScanDesc scan = sdc_catalogtable_begin_scan(table, release, &key);
	HeapTuple	row = systable_getnext(scan);

	if (HeapTupleIsValid(row))
		CatalogTupleDelete(table, &row->t_self);
	systable_endscan(scan);
	CommandCounterIncrement();
}

/* seal_of makes the seal of a state; it is empty where there is none. */
static Datum
seal_of(Oid schema, const SdcReleaseRow *row, bool there, const SdcFingerprint *state)
{
	const SdcSealed sealed = {row->release, row->source, state->word[0], state->word[1]};
	uint8		secret[SDC_SEAL_SECRET_BYTES];
	bytea	   *value = palloc(VARHDRSZ + SDC_SEAL_BYTES);

	SET_VARSIZE(value, there ? VARHDRSZ + SDC_SEAL_BYTES : VARHDRSZ);
	if (!there)
		return PointerGetDatum(value);
	sdc_catalogtable_secret(schema, secret);
	sdc_seal_take(secret, &sealed, (uint8 *) VARDATA(value));
	explicit_bzero(secret, sizeof(secret));
	return PointerGetDatum(value);
}

/* is_sealed tells whether a state is that of a seal. */
static bool
is_sealed(Oid schema, const SdcReleaseRow *row, const SdcFingerprint *state, const uint8 *seal)
{
	const SdcSealed sealed = {row->release, row->source, state->word[0], state->word[1]};
	uint8		secret[SDC_SEAL_SECRET_BYTES];
	SdcSealState found;

	sdc_catalogtable_secret(schema, secret);
	found = sdc_seal_check(secret, &sealed, seal);
	explicit_bzero(secret, sizeof(secret));
	return found == SDC_SEAL_INTACT;
}

/* take_states takes what source and release are, and insists on what they were when the evaluation began. */
static void
take_states(Oid schema, SdcEvaluated *evaluated)
{
	SdcReleaseRow row;

	if (!sdc_catalog_get(schema, evaluated->row.release, &row))
		row.source = InvalidOid;
	for (int i = 0; i < 2; i++)
	{
		SdcFingerprint	shape = {{0, 0}};

		if (row.source == evaluated->row.source)
			sdc_fingerprint_shape(schema, relation_of(&row, i), evaluated->columns[i], i == 0 ? NULL : &row, &shape);
		if (memcmp(&shape, &evaluated->shape[i], sizeof(SdcFingerprint)) != 0)
			ereport(ERROR,
					(errcode(ERRCODE_OBJECT_IN_USE),
					 errmsg("release \"%s\" or its source was changed by another session while it was evaluated",
							get_rel_name(evaluated->row.release)),
					 errhint("Evaluate it again.")));
		sdc_fingerprint_take(schema, relation_of(&row, i), evaluated->columns[i], i == 0 ? NULL : &row, false,
					   &evaluated->state[i]);
		evaluated->has_pages[i] = sdc_fingerprint_pages(schema, relation_of(&row, i), evaluated->columns[i],
												  i == 0 ? NULL : &row, &evaluated->pages[i]);
	}
}

/* sdc_evaluations_put: see evaluations.h. */
void
sdc_evaluations_put(Oid schema, SdcEvaluated *evaluated, List *known, int64 sample, Jsonb *measures)
{
	const SdcReleaseRow *release = &evaluated->row;
	Datum		values[SDC_EVALUATION_COLUMN_COUNT + 1];
	bool		nulls[SDC_EVALUATION_COLUMN_COUNT] = {false};
	char	   *evaluator = GetUserNameFromId(GetUserId(), false);
	Relation	table;
	HeapTuple	tuple;

	LockRelationOid(release->release, ShareUpdateExclusiveLock);
	take_states(schema, evaluated);
	sdc_progress_start(release->release, 0);
	sdc_progress_phase(SDC_PHASE_WRITING, 1);
	values[SDC_EVALUATION_RELEASE] = ObjectIdGetDatum(release->release);
	values[SDC_EVALUATION_ROW_TYPE] = ObjectIdGetDatum(get_rel_type_id(release->release));
	values[SDC_EVALUATION_AT] = TimestampTzGetDatum(GetCurrentTransactionStartTimestamp());
	values[SDC_EVALUATION_BY] = DirectFunctionCall1(namein, CStringGetDatum(evaluator));
	values[SDC_EVALUATION_VERSION] = CStringGetTextDatum(SDC_EVALUATIONS_VERSION);
	values[SDC_EVALUATION_KNOWN] = sdc_catalog_names_datum(known);
	values[SDC_EVALUATION_SAMPLE] = Int64GetDatum(sample);
	values[SDC_EVALUATION_SOURCE_COLUMNS] = sdc_catalog_names_datum(evaluated->columns[0]);
	values[SDC_EVALUATION_RELEASE_COLUMNS] = sdc_catalog_names_datum(evaluated->columns[1]);
	for (int i = 0; i < 2; i++)
	{
		values[SDC_EVALUATION_SOURCE_STATE + i] = seal_of(schema, release, true, &evaluated->state[i]);
		values[SDC_EVALUATION_SOURCE_PAGES + i] = seal_of(schema, release, evaluated->has_pages[i],
														  &evaluated->pages[i]);
	}
	values[SDC_EVALUATION_MEASURES] = JsonbPGetDatum(measures);
	values[SDC_EVALUATION_WRITTEN_BY] = ObjectIdGetDatum(SDC_CATALOG_WRITTEN_BY_US);

	table = open_table(schema, is_temporary(release->release), RowExclusiveLock);
	remove_row(table, release->release);
	sdc_catalogtable_clean(table);
	tuple = heap_form_tuple(RelationGetDescr(table), values + 1, nulls);
	CatalogTupleInsert(table, tuple);
	heap_freetuple(tuple);
	table_close(table, NoLock);
	CommandCounterIncrement();
	sdc_progress_end();
}

/* sdc_evaluations_may_read: see evaluations.h. */
bool
sdc_evaluations_may_read(const SdcReleaseRow *row, const SdcKeptEvaluation *kept)
{
	for (int i = 0; i < 2; i++)
		if (!OidIsValid(relation_of(row, i)) || !sdc_fingerprint_may_read(relation_of(row, i), kept->columns[i]))
			return false;
	return true;
}

/* is_same tells whether source or release are what they were: by their pages, or by all of their records. */
static bool
is_same(Oid schema, const SdcReleaseRow *row, const SdcKeptEvaluation *kept, int which, bool unnamed)
{
	Oid			relid = relation_of(row, which);
	const SdcReleaseRow *release = which == 0 ? NULL : row;
	SdcFingerprint	state;

	if (sdc_fingerprint_pages(schema, relid, kept->columns[which], release, &state) &&
		is_sealed(schema, row, &state, kept->pages[which]))
		return true;
	sdc_fingerprint_take(schema, relid, kept->columns[which], release, unnamed, &state);
	return is_sealed(schema, row, &state, kept->seal[which]);
}

/* sdc_evaluations_problem: see evaluations.h. */
char *
sdc_evaluations_problem(Oid schema, const SdcReleaseRow *row, const SdcKeptEvaluation *kept, bool unnamed,
						bool only_release)
{
	if (!kept->ours)
		return pstrdup("the evaluation came out of a dump");
	if (strcmp(kept->version, SDC_EVALUATIONS_VERSION) != 0)
		return pstrdup("it was evaluated by definitions of another version");
	if (!is_same(schema, row, kept, 1, unnamed))
		return pstrdup("the release has changed since it was evaluated");
	if (!only_release && !is_same(schema, row, kept, 0, unnamed))
		return pstrdup("the source has changed since the release was evaluated");
	return NULL;
}

/* sdc_evaluations_unchanged: what the caller may read can be more or less than what the evaluator could. */
bool
sdc_evaluations_unchanged(Oid schema, const SdcEvaluated *evaluated, const SdcKeptEvaluation *kept)
{
	for (int i = 0; i < 2; i++)
		if (!sdc_names_equal(evaluated->columns[i], kept->columns[i]))
			return false;
	return sdc_evaluations_may_read(&evaluated->row, kept) &&
		sdc_evaluations_problem(schema, &evaluated->row, kept, false, false) == NULL;
}

/* sdc_evaluations_restore: see evaluations.h. */
HeapTuple
sdc_evaluations_restore(HeapTuple row, Relation table)
{
	return sdc_catalogtable_is_live(row, table, false) &&
		!is_temporary(DatumGetObjectId(value_of(row, table, SDC_EVALUATION_RELEASE))) ? row : NULL;
}
