/*-------------------------------------------------------------------------
 *
 * exchange.c
 *		Giving a table that others read new contents.
 *
 * The new heap is a table of its own, which nobody else sees.  It gets the indexes of the table, and is analyzed, while
 * readers read the old one.  Then the files of the two change places, table by table: heap, long values,
 * their index, and every index; and the new table is dropped with what was old.  That is what CLUSTER does, but
 * for the indexes, which the server would build while readers wait.
 *
 * Who waits for the lock on a table is in the way of all who come later.  So it is asked for in short attempts, with
 * pauses in which others go ahead.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/heapam.h"
#include "access/multixact.h"
#include "access/table.h"
#include "access/tableam.h"
#include "access/toast_internals.h"
#include "access/xact.h"
#include "access/xlog.h"
#include "catalog/dependency.h"
#include "catalog/heap.h"
#include "catalog/index.h"
#include "catalog/indexing.h"
#include "commands/cluster.h"
#include "commands/defrem.h"
#include "commands/tablecmds.h"
#include "kernel/base/kernel_env.h"
#include "miscadmin.h"
#include "pgstat.h"
#include "portability/instr_time.h"
#include "publish/exchange.h"
#include "relation/base/compat.h"
#include "relation/base/progress.h"
#include "relation/base/spi.h"
#include "storage/latch.h"
#include "storage/lmgr.h"
#include "storage/predicate.h"
#include "storage/proc.h"
#include "utils/guc.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/resowner.h"
#include "utils/snapmgr.h"
#include "utils/syscache.h"

/* An attempt to get the lock lasts so long, and the pauses after it grow; all in milliseconds. */
#define ATTEMPT 40
#define PAUSE_FIRST 10
#define PAUSE_MOST 1000

/* All attempts together, without lock_timeout. */
#define PATIENCE 60000

/* toast_of returns the table of the long values of a table, or InvalidOid. */
static Oid
toast_of(Oid relid)
{
	Relation	rel = table_open(relid, NoLock);
	Oid			toast = rel->rd_rel->reltoastrelid;

	table_close(rel, NoLock);
	return toast;
}

/* sdc_exchange_begin: see exchange.h. */
SdcExchange *
sdc_exchange_begin(Oid relid)
{
	Relation	rel = table_open(relid, NoLock);
	SdcExchange *exchange = palloc0(sizeof(SdcExchange));

	exchange->relid = relid;
	exchange->toast = rel->rd_rel->reltoastrelid;
	/* nobody shall vacuum it meanwhile: short attempts would not stop that */
	if (OidIsValid(exchange->toast))
		LockRelationOid(exchange->toast, ShareUpdateExclusiveLock);
	exchange->heap = make_new_heap(relid, rel->rd_rel->reltablespace, rel->rd_rel->relam, rel->rd_rel->relpersistence,
								   ExclusiveLock);
	table_close(rel, NoLock);
	CommandCounterIncrement();
	if (OidIsValid(toast_of(exchange->heap)) != OidIsValid(exchange->toast))
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("table \"%s\" keeps long values in another way than a new one would", get_rel_name(relid)),
				 errhint("Set the storage of its columns back, or name another target.")));
	return exchange;
}

/* build_index makes an index of the new heap like one of the table. */
static Oid
build_index(Relation heap, Oid original)
{
	Relation	model = index_open(original, AccessShareLock);
	Oid			tablespace = model->rd_rel->reltablespace;
	Relation	index;
	Oid			made;

	index_close(model, NoLock);
	made = index_concurrently_create_copy(heap, original, tablespace, psprintf("pg_temp_%u", original));
	CommandCounterIncrement();
	index = index_open(made, AccessExclusiveLock);
	index_build(heap, index, BuildIndexInfo(index), false, true);
	index_close(index, NoLock);
	CommandCounterIncrement();
	return made;
}

/* build_indexes makes all indexes, in the order of those of the table. */
static void
build_indexes(SdcExchange *exchange)
{
	Relation	rel = table_open(exchange->heap, AccessExclusiveLock);
	ListCell   *cell;

	foreach(cell, exchange->originals)
	{
		CHECK_FOR_INTERRUPTS();
		exchange->made = lappend_oid(exchange->made, build_index(rel, lfirst_oid(cell)));
	}
	table_close(rel, NoLock);
}

/* index_list returns the indexes of a table. */
static List *
index_list(Oid relid)
{
	Relation	rel = table_open(relid, NoLock);
	List	   *list = RelationGetIndexList(rel);

	table_close(rel, NoLock);
	return list;
}

/* locked_with lists what is locked with a table: its long values and its indexes, which nobody adds to meanwhile. */
static List *
locked_with(Oid relid)
{
	Oid			toast = toast_of(relid);
	List	   *list = lcons_oid(relid, list_copy(index_list(relid)));

	return OidIsValid(toast) ? lappend_oid(list, toast) : list;
}

/* try_lock waits for the locks for one attempt; another session can have one of them for long. */
static bool
try_lock(List *relids, int milliseconds)
{
	MemoryContext context = CurrentMemoryContext;
	ResourceOwner owner = CurrentResourceOwner;
	volatile bool locked = true;
	ListCell   *cell;

	BeginInternalSubTransaction(NULL);
	MemoryContextSwitchTo(context);
	PG_TRY();
	{
		int			nest = NewGUCNestLevel();

		sdc_spi_set_for_now("lock_timeout", psprintf("%d", milliseconds));
		foreach(cell, relids)
			LockRelationOid(lfirst_oid(cell), AccessExclusiveLock);
		AtEOXact_GUC(false, nest);
		ReleaseCurrentSubTransaction();
	}
	PG_CATCH();
	{
		ErrorData  *error;

		MemoryContextSwitchTo(context);
		error = CopyErrorData();
		FlushErrorState();
		RollbackAndReleaseCurrentSubTransaction();
		MemoryContextSwitchTo(context);
		CurrentResourceOwner = owner;
		if (error->sqlerrcode != ERRCODE_LOCK_NOT_AVAILABLE)
			ReThrowError(error);
		FreeErrorData(error);
		locked = false;
	}
	PG_END_TRY();
	MemoryContextSwitchTo(context);
	CurrentResourceOwner = owner;
	return locked;
}

/* rest pauses, and can be cancelled. */
static void
rest(int milliseconds)
{
	(void) WaitLatch(MyLatch, WL_LATCH_SET | WL_TIMEOUT | WL_EXIT_ON_PM_DEATH, milliseconds, PG_WAIT_EXTENSION);
	ResetLatch(MyLatch);
	CHECK_FOR_INTERRUPTS();
}

/* elapsed returns the milliseconds since a start. */
static double
elapsed(instr_time start)
{
	instr_time	now;

	INSTR_TIME_SET_CURRENT(now);
	INSTR_TIME_SUBTRACT(now, start);
	return INSTR_TIME_GET_MILLISEC(now);
}

/* sdc_exchange_lock: see exchange.h. */
void
sdc_exchange_lock(List *tables)
{
	int			patience = LockTimeout > 0 ? LockTimeout : PATIENCE;
	int			pause = PAUSE_FIRST;
	List	   *relids = NIL;
	instr_time	start;
	ListCell   *cell;

	foreach(cell, tables)
		relids = list_concat(relids, locked_with(lfirst_oid(cell)));
	INSTR_TIME_SET_CURRENT(start);
	while (!try_lock(relids, Max(1, Min(ATTEMPT, patience - (int) elapsed(start)))))
	{
		if (elapsed(start) >= patience)
			ereport(ERROR,
					(errcode(ERRCODE_LOCK_NOT_AVAILABLE),
					 errmsg("publication \"%s\" was in use all the time, for %d ms", get_rel_name(linitial_oid(tables)),
							patience),
					 errdetail("Nothing has changed."),
					 errhint("End the transactions that read it, or SET lock_timeout to wait longer.")));
		rest(Max(1, Min(pause, patience - (int) elapsed(start))));
		pause = Min(pause * 2, PAUSE_MOST);
	}
}

/* class_row returns a copy of what the server's catalog says of a relation. */
static HeapTuple
class_row(Oid relid)
{
	HeapTuple	row = SearchSysCacheCopy1(RELOID, ObjectIdGetDatum(relid));

	if (!HeapTupleIsValid(row))
		elog(ERROR, "cache lookup failed for relation %u", relid);
	return row;
}

#define EXCHANGE(type, a, b) \
	do { type held = (a); (a) = (b); (b) = held; } while (0)

/* exchange_rows has two rows of the server's catalog change places as far as files are concerned. */
static void
exchange_rows(Form_pg_class a, Form_pg_class b)
{
	EXCHANGE(Oid, a->relfilenode, b->relfilenode);
	EXCHANGE(Oid, a->reltablespace, b->reltablespace);
	EXCHANGE(TransactionId, a->relfrozenxid, b->relfrozenxid);
	EXCHANGE(TransactionId, a->relminmxid, b->relminmxid);
	EXCHANGE(int32, a->relpages, b->relpages);
	EXCHANGE(float4, a->reltuples, b->reltuples);
	EXCHANGE(int32, a->relallvisible, b->relallvisible);
	sdc_exchange_more(a, b);
}

/* exchange_files has the files of two relations change places; that of the second is a new one. */
static void
exchange_files(Oid relid, Oid fresh)
{
	Relation	catalog = table_open(RelationRelationId, RowExclusiveLock);
	HeapTuple	row = class_row(relid);
	HeapTuple	fresh_row = class_row(fresh);
	CatalogIndexState indexes;
	Relation	rel = relation_open(relid, NoLock);
	Relation	fresh_rel = relation_open(fresh, NoLock);

	if (!OidIsValid(((Form_pg_class) GETSTRUCT(row))->relfilenode))
		elog(ERROR, "relation %u has no file of its own", relid);
	exchange_rows((Form_pg_class) GETSTRUCT(row), (Form_pg_class) GETSTRUCT(fresh_row));
	/* what the server remembers of files that are new in this transaction */
	fresh_rel->rd_createSubid = rel->rd_createSubid;
	sdc_inherit_file_state(fresh_rel, rel);
	sdc_assume_new_file(rel);
	relation_close(rel, NoLock);
	relation_close(fresh_rel, NoLock);

	indexes = CatalogOpenIndexes(catalog);
	CatalogTupleUpdateWithInfo(catalog, &row->t_self, row, indexes);
	CatalogTupleUpdateWithInfo(catalog, &fresh_row->t_self, fresh_row, indexes);
	CatalogCloseIndexes(indexes);
	heap_freetuple(row);
	heap_freetuple(fresh_row);
	table_close(catalog, RowExclusiveLock);
	sdc_close_files(relid);
	sdc_close_files(fresh);
}

/* exchange_all exchanges the files of the heap and of all that belongs to it. */
static void
exchange_all(const SdcExchange *exchange)
{
	ListCell   *original;
	ListCell   *index;

	exchange_files(exchange->relid, exchange->heap);
	if (OidIsValid(exchange->toast))
	{
		Oid			fresh = toast_of(exchange->heap);

		exchange_files(exchange->toast, fresh);
		exchange_files(toast_get_valid_index(exchange->toast, AccessExclusiveLock),
					   toast_get_valid_index(fresh, AccessExclusiveLock));
	}
	forboth(original, exchange->originals, index, exchange->made)
		exchange_files(lfirst_oid(original), lfirst_oid(index));
	CommandCounterIncrement();
}

/* copy_statistics has a table take the statistics of another; what was counted of several columns is forgotten. */
static void
copy_statistics(Oid from, Relation to)
{
	ListCell   *cell;

	RemoveStatistics(RelationGetRelid(to), 0);
	CopyStatistics(from, RelationGetRelid(to));
	foreach(cell, RelationGetStatExtList(to))
		RemoveStatisticsDataById(lfirst_oid(cell), false);
}

/* sdc_exchange_analyze: see exchange.h. */
void
sdc_exchange_analyze(Oid table)
{
	SdcProgress saved;

	sdc_progress_save(&saved);
	sdc_spi_run(psprintf("ANALYZE %s", sdc_spi_relation_name(table)), SPI_OK_UTILITY);
	sdc_progress_restore(&saved);
}

/* sdc_exchange_prepare: see exchange.h. */
void
sdc_exchange_prepare(SdcExchange *exchange, uint64 rows)
{
	exchange->rows = rows;
	exchange->originals = index_list(exchange->relid);
	build_indexes(exchange);
	sdc_exchange_analyze(exchange->heap);
	CommandCounterIncrement();
	/* what was written is on disk before readers wait, or the commit would see to it */
	if (XactLastRecEnd != InvalidXLogRecPtr)
		XLogFlush(XactLastRecEnd);
}

/* put_in_place has the new heap of a table take the place of the old one, which is dropped. */
static void
put_in_place(const SdcExchange *exchange)
{
	ObjectAddress object = {RelationRelationId, exchange->heap, 0};
	Relation	rel = table_open(exchange->relid, NoLock);

	/* a serializable transaction that has read it read a table that is gone now */
	CheckTableForSerializableConflictIn(rel);
	table_close(rel, NoLock);
	exchange_all(exchange);
	rel = table_open(exchange->relid, NoLock);
	copy_statistics(exchange->heap, rel);
	performDeletion(&object, DROP_RESTRICT, PERFORM_DELETION_INTERNAL);
	RelationClearMissing(rel);
	pgstat_count_truncate(rel);
	pgstat_count_heap_insert(rel, exchange->rows);
	table_close(rel, NoLock);
	CommandCounterIncrement();
}

/* sdc_exchange_end: see exchange.h. */
double
sdc_exchange_end(const List *exchanges)
{
	List	   *tables = NIL;
	instr_time	start;
	ListCell   *cell;

	foreach(cell, exchanges)
		tables = lappend_oid(tables, ((const SdcExchange *) lfirst(cell))->relid);
	sdc_exchange_lock(tables);
	INSTR_TIME_SET_CURRENT(start);
	foreach(cell, exchanges)
		put_in_place(lfirst(cell));
	return elapsed(start);
}

/*
 * sdc_exchange_delete_rows goes through all rows that there are, also those newer than the caller's snapshot, or hidden
 * from him by policies: it is his table, and nothing of them is read but where they are.
 */
uint64
sdc_exchange_delete_rows(Oid relid)
{
	Relation	rel = table_open(relid, RowExclusiveLock);
	Snapshot	snapshot = RegisterSnapshot(GetLatestSnapshot());
	SysScanDesc scan = systable_beginscan(rel, InvalidOid, false, snapshot, 0, NULL);
	CommandId	command = GetCurrentCommandId(true);
	uint64		count = 0;
	HeapTuple	row;

	while (HeapTupleIsValid(row = systable_getnext(scan)))
	{
		TM_FailureData failure;

		if (table_tuple_delete(rel, &row->t_self, command, snapshot, InvalidSnapshot, true, &failure,
							   false) != TM_Ok)
			ereport(ERROR,
					(errcode(ERRCODE_T_R_SERIALIZATION_FAILURE),
					 errmsg("rows of publication \"%s\" were changed meanwhile", RelationGetRelationName(rel))));
		sdc_interrupts_step(count++);
	}
	systable_endscan(scan);
	UnregisterSnapshot(snapshot);
	table_close(rel, NoLock);
	CommandCounterIncrement();
	return count;
}
