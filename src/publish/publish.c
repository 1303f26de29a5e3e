/*-------------------------------------------------------------------------
 *
 * publish.c
 *		Publishing a release, and withdrawing what was published.
 *
 * Read the release, which can run code of its owner; then look at the target again, write the records in random order,
 * and take their SHA-256 as they are written.  All is done in the caller's transaction, so that an error or a crash
 * leaves what was there.
 *
 * Values are written as the release's reader sees them, and are not copied as they lie (plainvalue.h): how an original
 * value was compressed can tell when it was stored.  Equal values are written alike (spelling.h).
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/table.h"
#include "access/xact.h"
#include "catalog/pg_class.h"
#include "executor/tuptable.h"
#include "kernel/base/kernel_env.h"
#include "miscadmin.h"
#include "publish/accuracytable.h"
#include "publish/comments.h"
#include "publish/exchange.h"
#include "publish/intact.h"
#include "publish/messages.h"
#include "publish/otherdraws.h"
#include "publish/publish.h"
#include "publish/publishgate.h"
#include "publish/publishlog.h"
#include "publish/publishplan.h"
#include "publish/publishtarget.h"
#include "publish/shuffle.h"
#include "publish/unitnumbers.h"
#include "relation/base/compat.h"
#include "relation/base/memory.h"
#include "relation/base/names.h"
#include "relation/base/progress.h"
#include "relation/base/spi.h"
#include "relation/catalog/catalogtable.h"
#include "relation/column/plainvalue.h"
#include "relation/column/types.h"
#include "relation/frame/publications.h"
#include "relation/read/repeated.h"
#include "relation/read/source.h"
#include "relation/read/spelling.h"
#include "relation/write/dependents.h"
#include "relation/write/heapwriter.h"
#include "storage/lmgr.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/guc.h"
#include "utils/lsyscache.h"

/* Progress is reported once in this many records. */
#define REPORT_RECORDS 1024

const char *const sdc_publish_modes[] = {"exchange", "rows", NULL};

/* What of a release goes to a table. */
typedef enum Part
{
	PART_ALL,
	PART_UNITS,					/* columns in which no unit has two values, one record for each unit */
	PART_RECORDS				/* the other columns, without records that have no value in them */
} Part;

/* One publishing. */
typedef struct Run
{
	Part		part;
	const SdcPublishRequest *request;
	SdcPublishPlan plan;
	SdcPublishTarget target;
	SdcAccuracyTable accuracy;
	List	   *columns;		/* of the table: names */
	SdcShuffle *shuffle;
	uint64		records;
	bool	   *has_nulls;		/* by column */
	List	   *other_draws;	/* draws.h */
	SdcSpelling **spelling;		/* of each column whose equal values may be written in several ways; or NULL */
	SdcUnitWalk *walk;			/* where units get numbers, */
	const uint32 *number;		/* that of each, */
	uint64		units;			/* and how many there are */
	SdcExchange *exchange;		/* of the table that is there, if its files are exchanged */
	bool		checked;		/* the columns that are read are those that were planned */
} Run;

/* check_columns insists on the types that were planned: code of the owner may have changed the release. */
static void
check_columns(Run *run, TupleDesc desc)
{
	int			before = desc->natts - run->plan.desc->natts;	/* the number of a unit is none of them */

	run->checked = true;
	for (int i = run->plan.numbered ? 1 : 0; i < run->plan.desc->natts; i++)
		if (TupleDescAttr(desc, before + i)->atttypid != TupleDescAttr(run->plan.desc, i)->atttypid)
			sdc_source_refuse_changed(run->plan.release.release);
}

/* take_record takes a record that is published, whose values are in the scratch of the row. */
static void
take_record(Run *run, MinimalTuple record, const Datum *values, const bool *nulls)
{
	for (int i = 0; i < run->plan.desc->natts; i++)
		if (nulls[i])
			run->has_nulls[i] = true;
		else if (run->spelling[i] != NULL)
			(void) sdc_spelling_add(run->spelling[i], values[i], 1);
	sdc_shuffle_add(run->shuffle, record);
	if (++run->records % REPORT_RECORDS == 0)
		sdc_progress_records(run->records);
}

/* take_row is given every record of the release: SdcSpiRow. */
static void
take_row(void *arg, TupleTableSlot *slot)
{
	Run		   *run = arg;
	MinimalTuple record;
	bool		copied;

	if (!run->checked)
		check_columns(run, slot->tts_tupleDescriptor);
	slot_getallattrs(slot);
	record = ExecFetchSlotMinimalTuple(slot, &copied);
	take_record(run, record, slot->tts_values, slot->tts_isnull);
	if (copied)
		pfree(record);
}

/* has_value tells whether one of some values is there. */
static bool
has_value(const bool *nulls, int count)
{
	for (int i = 0; i < count; i++)
		if (!nulls[i])
			return true;
	return false;
}

/* take_of_unit is given every record of a release whose units get numbers, unit by unit: SdcSpiRow. */
static void
take_of_unit(void *arg, TupleTableSlot *slot)
{
	Run		   *run = arg;
	TupleDesc	desc = run->plan.desc;
	int			named = list_length(run->plan.unit);
	bool		first = sdc_unitnumbers_next(run->walk, slot);
	Datum	   *values;
	bool	   *nulls;

	if (!run->checked)
		check_columns(run, slot->tts_tupleDescriptor);
	run->units += first;
	if (run->part == PART_UNITS && !first)
		return;
	slot_getallattrs(slot);
	if (run->part == PART_RECORDS && !has_value(slot->tts_isnull + named, desc->natts - 1))
		return;
	values = palloc(sizeof(Datum) * desc->natts);
	nulls = palloc(sizeof(bool) * desc->natts);
	values[0] = Int64GetDatum((int64) run->units);
	nulls[0] = false;
	memcpy(values + 1, slot->tts_values + named, sizeof(Datum) * (desc->natts - 1));
	memcpy(nulls + 1, slot->tts_isnull + named, sizeof(bool) * (desc->natts - 1));
	take_record(run, sdc_form_minimal_tuple(desc, values, nulls), values, nulls);
}

/* begin_spellings prepares to collect the spellings of the columns. */
static void
begin_spellings(Run *run)
{
	TupleDesc	desc = run->plan.desc;

	run->spelling = palloc(sizeof(SdcSpelling *) * desc->natts);
	for (int i = 0; i < desc->natts; i++)
		run->spelling[i] = sdc_spelling_begin(TupleDescAttr(desc, i)->atttypid, TupleDescAttr(desc, i)->atttypmod,
											  TupleDescAttr(desc, i)->attcollation);
}

/* choose_spellings leaves those of the columns in which equal values are written in several ways. */
static void
choose_spellings(Run *run)
{
	for (int i = 0; i < run->plan.desc->natts; i++)
		if (run->spelling[i] != NULL && !sdc_spelling_choose(run->spelling[i]))
		{
			sdc_spelling_end(run->spelling[i]);
			run->spelling[i] = NULL;
		}
}

/* read_release reads all records. */
static void
read_release(Run *run)
{
	sdc_progress_phase(SDC_PHASE_READING, run->plan.release.records);
	if (run->plan.numbered)
		run->walk = sdc_unitnumbers_walk(&run->plan);
	sdc_publishplan_read(&run->plan, run->plan.numbered, run->plan.numbered ? take_of_unit : take_row, run);
}

/*
 * make_values makes the values of a record those that are published, in the current memory context.  It returns
 * whether the record can be written as it is.
 */
static bool
make_values(const Run *run, const SdcPlainRecord *plain, HeapTuple tuple, Datum *values, bool *nulls)
{
	TupleDesc	desc = run->plan.desc;
	/* a record that is older than a column has fewer values, which would show */
	bool		as_new = HeapTupleHeaderGetNatts(tuple->t_data) == desc->natts;

	heap_deform_tuple(tuple, desc, values, nulls);
	if (run->number != NULL)
	{
		values[0] = Int64GetDatum((int64) run->number[DatumGetInt64(values[0]) - 1]);
		as_new = false;
	}
	for (int i = 0; i < desc->natts; i++)
		if (run->spelling[i] != NULL && !nulls[i])
		{
			values[i] = sdc_spelling_value(run->spelling[i], values[i]);
			as_new = false;
		}
	if (plain != NULL)
		as_new &= sdc_plainrecord_make(plain, values, nulls);
	return as_new;
}

/* put_values writes a record whose values are plain. */
static void
put_values(SdcHeapWriter *writer, TupleDesc desc, const Datum *values, const bool *nulls)
{
	TupleTableSlot *slot = sdc_heapwriter_slot(writer);

	memcpy(slot->tts_values, values, sizeof(Datum) * desc->natts);
	memcpy(slot->tts_isnull, nulls, sizeof(bool) * desc->natts);
	sdc_heapwriter_put(writer);
}

/* write_records writes the records in random order, and takes their SHA-256. */
static void
write_records(Run *run, SdcHeapWriter *writer, uint8 *sha256)
{
	SdcContents *contents = sdc_contents_begin(run->plan.desc, run->records, sdc_memory_budget() / 2);
	MemoryContext scratch = AllocSetContextCreate(CurrentMemoryContext, "sdc publish record", ALLOCSET_DEFAULT_SIZES);
	int			nest = sdc_type_pin_settings();
	TupleDesc	desc = run->plan.desc;
	SdcPlainRecord *plain = sdc_plainrecord_create(desc);
	Datum	   *values = palloc(sizeof(Datum) * desc->natts);
	bool	   *nulls = palloc(sizeof(bool) * desc->natts);
	MinimalTuple record;
	uint64		done = 0;

	sdc_progress_phase(SDC_PHASE_WRITING, run->records);
	while ((record = sdc_shuffle_next(run->shuffle)) != NULL)
	{
		MemoryContext before = MemoryContextSwitchTo(scratch);
		HeapTupleData tuple = {0};
		bool		as_new;

		tuple.t_len = record->t_len + MINIMAL_TUPLE_OFFSET;
		tuple.t_data = (HeapTupleHeader) ((char *) record - MINIMAL_TUPLE_OFFSET);
		memset(tuple.t_data, 0, MINIMAL_TUPLE_OFFSET);
		as_new = make_values(run, plain, &tuple, values, nulls);
		sdc_contents_add(contents, values, nulls);
		MemoryContextSwitchTo(before);
		if (as_new)
			sdc_heapwriter_put_tuple(writer, &tuple);
		else
			put_values(writer, desc, values, nulls);
		MemoryContextReset(scratch);
		sdc_interrupts_step(done++);
		if (done % REPORT_RECORDS == 0)
			sdc_progress_records(done);
	}
	sdc_heapwriter_end(writer);
	sdc_contents_end(contents, sha256);
	AtEOXact_GUC(true, nest);
	MemoryContextDelete(scratch);
	sdc_shuffle_destroy(run->shuffle);
	CommandCounterIncrement();
}

/* grant lets some roles read the publication. */
static void
grant(const SdcPublishRequest *request, Oid table)
{
	ListCell   *cell;

	foreach(cell, request->grant_to)
		sdc_spi_run(psprintf("GRANT SELECT ON %s TO %s", sdc_spi_relation_name(table), quote_identifier(lfirst(cell))),
					SPI_OK_UTILITY);
}

/*
 * enter notes what is published and how exact it is, and lets roles read it: what is to be done before readers have to
 * wait.
 */
static void
enter(const Run *run, const SdcPublished *published)
{
	SdcPublicationRow row = {0};
	Oid			accuracy;

	row.table = published->target;
	row.release = run->plan.release.release;
	row.mode = sdc_publish_modes[run->request->mode];
	row.columns = published->columns;
	row.kept = run->plan.kept;
	row.records = run->records;
	memcpy(row.sha256, published->sha256, SDC_CONTENTS_BYTES);
	row.forced = run->request->force;
	row.source = run->plan.release.source;
	row.draw = run->plan.release.draw;
	sdc_publications_put(run->request->catalog_schema, &row);
	grant(run->request, published->target);
	accuracy = sdc_accuracytable_write(&run->accuracy, published->target, run->records);
	sdc_intact_note_accuracy(run->request->catalog_schema, accuracy);
	grant(run->request, accuracy);
	sdc_comments_write(&run->plan, published->columns, published->target, accuracy);
	CommandCounterIncrement();
	sdc_otherdraws_warn(run->other_draws, &run->plan.release, published->target);
}

/* write_new writes the records to a new table. */
static void
write_new(Run *run, SdcPublished *published)
{
	published->target = sdc_publishtarget_create(&run->target, run->plan.release.release, run->plan.desc);
	write_records(run, sdc_heapwriter_begin(published->target, InvalidOid), published->sha256);
	sdc_exchange_analyze(published->target);
	enter(run, published);
}

/* write_rows replaces the rows of a table. */
static void
write_rows(Run *run, SdcPublished *published)
{
	(void) sdc_exchange_delete_rows(published->target);
	write_records(run, sdc_heapwriter_begin_rows(published->target), published->sha256);
	sdc_exchange_analyze(published->target);
	enter(run, published);
}

/* write_heap writes the records to a new heap, which takes the place of that of the table later. */
static void
write_heap(Run *run, SdcPublished *published)
{
	run->exchange = sdc_exchange_begin(published->target);
	write_records(run, sdc_heapwriter_begin(run->exchange->heap, run->exchange->toast), published->sha256);
	enter(run, published);
	sdc_exchange_prepare(run->exchange, run->records);
}

/* check_roles insists that the roles that may read are there. */
static void
check_roles(const SdcPublishRequest *request)
{
	ListCell   *cell;

	foreach(cell, request->grant_to)
		if (strcmp(lfirst(cell), "public") != 0)
			(void) get_role_oid(lfirst(cell), false);
}

/* aim finds out where the records go, and whether they can. */
static void
aim(Run *run, const char *target)
{
	const SdcPublishRequest *request = run->request;

	sdc_publishtarget_resolve(&run->target, request->catalog_schema, target, request->release,
							  run->plan.release.source, request->replace);
	sdc_publishtarget_check(&run->target, run->plan.desc, request->mode == SDC_PUBLISH_ROWS);
	sdc_accuracytable_resolve(&run->accuracy, request->catalog_schema, &run->target);
	run->has_nulls = palloc0(sizeof(bool) * run->plan.desc->natts);
	/* the caller looks at them when what was allocated while SPI is connected is gone */
	run->columns = run->plan.columns;
	if (run->plan.numbered)
		run->columns = lcons(pstrdup(SDC_UNIT_COLUMN), list_copy(run->plan.columns));
}

/* split divides what is published into a table of units and one of their records. */
static void
split(Run *run, Run *units)
{
	List	   *of_units;
	List	   *of_records;

	if (!run->plan.numbered)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("release \"%s\" cannot be published as two tables", run->plan.name),
				 errdetail("It takes units with several records, the columns that name them in the release, and keep_units."),
				 errhint("Make the release with argument \"unit\".")));
	of_units = sdc_unitnumbers_columns(&run->plan);
	of_records = sdc_names_without(run->plan.columns, of_units);
	if (of_units == NIL || of_records == NIL)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("release \"%s\" has no column of which units have %s", run->plan.name,
						of_units == NIL ? "one value" : "several values"),
				 errhint("Leave out argument \"units_as\": one table has it all.")));
	*units = *run;
	run->part = PART_RECORDS;
	units->part = PART_UNITS;
	sdc_publishplan_take(&run->plan, of_records);
	sdc_publishplan_take(&units->plan, of_units);
}

/* is_same tells whether two tables are the same one, or would be. */
static bool
is_same(const SdcPublishTarget *a, const SdcPublishTarget *b)
{
	return strcmp(a->name, b->name) == 0 && strcmp(a->schema, b->schema) == 0;
}

/* prepare checks all that can be checked before a record is read. */
static void
prepare(Run *run, Run *units, SdcPublished *published)
{
	const SdcPublishRequest *request = run->request;

	PreventCommandIfReadOnly("sdc_publish()");
	check_roles(request);
	sdc_publishplan_make(&run->plan, request->catalog_schema, request->release, request->keep,
						 request->keep_units);
	if (request->units_as == NULL)
		aim(run, request->target);
	sdc_publishgate_pass(request, &run->plan, published);
	if (run->plan.release.unit == NIL && OidIsValid(run->plan.release.source))
	{
		sdc_repeated_warn(run->plan.release.source, true);
		sdc_progress_start(request->release, 0);
	}
	if (request->units_as == NULL)
		return;
	split(run, units);
	aim(run, request->target);
	aim(units, request->units_as);
	if (is_same(&run->target, &units->target) || is_same(&run->accuracy.table, &units->target) ||
		is_same(&run->target, &units->accuracy.table) || is_same(&run->accuracy.table, &units->accuracy.table))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("arguments \"target\" and \"units_as\" name one table, or have one accuracy table"),
				 errhint("Their names must differ, also where those of their accuracy tables are cut.")));
}

/* read_records reads what is published, and gives the units numbers: those of another table, if there is one. */
static void
read_records(Run *run, const Run *units)
{
	const SdcPublishRequest *request = run->request;

	sdc_progress_start(request->release, 0);
	sdc_accuracytable_measure(&run->accuracy, &run->plan);
	sdc_progress_start(request->release, 0);
	run->shuffle = sdc_shuffle_create(sdc_memory_budget() / 2);
	begin_spellings(run);
	read_release(run);
	choose_spellings(run);
	if (units == NULL)
		run->number = run->plan.numbered ? sdc_unitnumbers_draw((uint32) run->units) : NULL;
	else if (run->units <= units->units)
		run->number = units->number;
	else
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("release \"%s\" has other units every time that it is read", run->plan.name),
				 errhint("Publish a table, or a view that returns the same records every time.")));
	sdc_unitnumbers_warn(&run->plan);
	sdc_publishtarget_check(&run->target, run->plan.desc, request->mode == SDC_PUBLISH_ROWS);
	sdc_accuracytable_check(&run->accuracy);
	sdc_publishtarget_check_nulls(&run->target, run->has_nulls);
}

/* write_table writes what was read. */
static void
write_table(Run *run, SdcPublished *published)
{
	published->target = run->target.existing;
	published->records = run->records;
	published->columns = run->columns;
	if (!OidIsValid(run->target.existing))
		write_new(run, published);
	else if (run->request->mode == SDC_PUBLISH_ROWS)
		write_rows(run, published);
	else
		write_heap(run, published);
}

/* exchange_tables has new heaps take the places of old ones, when all is written. */
static void
exchange_tables(Run *const *runs, SdcPublished *const *published)
{
	List	   *exchanges = NIL;
	double		locked;

	for (int i = 0; i < 2; i++)
		if (runs[i]->exchange != NULL)
			exchanges = lappend(exchanges, runs[i]->exchange);
	if (exchanges == NIL)
		return;
	locked = sdc_exchange_end(exchanges);
	for (int i = 0; i < 2; i++)
		if (runs[i]->exchange != NULL)
			published[i]->locked = locked;
}

/* sdc_publish_release: see publish.h. */
void
sdc_publish_release(const SdcPublishRequest *request, SdcPublished *published, SdcPublished *of_units)
{
	Run			run = {.request = request};
	Run			units = {0};
	SdcMessages messages;

	memset(published, 0, sizeof(SdcPublished));
	sdc_messages_begin(&messages);
	sdc_progress_start(request->release, 0);
	prepare(&run, &units, published);
	*of_units = *published;
	run.other_draws = sdc_otherdraws_find(request->catalog_schema, &run.plan.release, run.target.existing);
	sdc_spi_connect();
	if (request->units_as != NULL)
		read_records(&units, NULL);
	read_records(&run, request->units_as != NULL ? &units : NULL);
	if (request->units_as != NULL)
		write_table(&units, of_units);
	write_table(&run, published);
	exchange_tables((Run *[]) {&run, &units}, (SdcPublished *[]) {published, of_units});
	sdc_messages_end(&messages);
	sdc_publishlog_published(request, published, messages.texts);
	if (request->units_as != NULL)
		sdc_publishlog_published(request, of_units, NIL);
	sdc_progress_end();
	sdc_spi_finish();
}

/* require_publication insists on a publication. */
static void
require_publication(Oid catalog_schema, Oid target, const char *name)
{
	Oid			of;

	if (sdc_publications_has(catalog_schema, target))
		return;
	if (sdc_publications_is_accuracy(catalog_schema, target, &of) && OidIsValid(of))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_OBJECT),
				 errmsg("relation \"%s\" is the accuracy table of publication \"%s\"", name, get_rel_name(of)),
				 errhint("Withdraw the publication.")));
	ereport(ERROR,
			(errcode(ERRCODE_UNDEFINED_OBJECT),
			 errmsg("relation \"%s\" is not a publication", name),
			 errhint("View sdc_publications lists the publications.")));
}

/* drop forgets and drops a publication or its accuracy table. */
static void
drop(Oid catalog_schema, Oid table)
{
	(void) sdc_publications_remove(catalog_schema, table);
	sdc_spi_connect();
	sdc_spi_run(psprintf("DROP TABLE %s", sdc_spi_relation_name(table)), SPI_OK_UTILITY);
	sdc_spi_finish();
}

/* sdc_publish_withdraw: what depends on the tables is named before a lock is asked for. */
void
sdc_publish_withdraw(Oid catalog_schema, Oid target, const char *why)
{
	char	   *name = get_rel_name(target);
	Oid			accuracy;

	PreventCommandIfReadOnly("sdc_withdraw()");
	if (!sdc_is_relation_owner(target, GetUserId()))
		aclcheck_error(ACLCHECK_NOT_OWNER, get_relkind_objtype(get_rel_relkind(target)), name);
	LockRelationOid(target, ShareUpdateExclusiveLock);
	require_publication(catalog_schema, target, name);
	accuracy = sdc_publications_accuracy(catalog_schema, target);
	sdc_dependents_check_withdrawn(name, target);
	if (OidIsValid(accuracy))
	{
		LockRelationOid(accuracy, ShareUpdateExclusiveLock);
		sdc_dependents_check_withdrawn(get_rel_name(accuracy), accuracy);
	}
	sdc_exchange_lock(OidIsValid(accuracy) ? list_make2_oid(target, accuracy) : list_make1_oid(target));
	if (OidIsValid(accuracy))
		drop(catalog_schema, accuracy);
	drop(catalog_schema, target);
	ereport(LOG,
			(errmsg("publication \"%s\" was withdrawn: %s", name, why)));
}
