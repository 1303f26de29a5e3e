/*-------------------------------------------------------------------------
 *
 * runs.c
 *		The log of runs: what was published, rejected, withdrawn, by whom and why.
 *
 * It is in a table of the extension, which is read and written as the catalog of releases is (catalogtable.c): who
 * has made a release cannot change what the log says of it.  A row that somebody restored counts if he has the rights
 * of the policy's owner.
 *
 * The lock of a policy is kept by the session over the end of transactions, for a run commits what it has begun
 * before it works.  It is none that a statement could ask for.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "access/xact.h"
#include "access/xlog.h"
#include "catalog/indexing.h"
#include "catalog/namespace.h"
#include "commands/sequence.h"
#include "kernel/base/kernel_env.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "publish/runs.h"
#include "relation/catalog/actas.h"
#include "relation/catalog/catalog.h"
#include "relation/catalog/catalogtable.h"
#include "relation/catalog/parameters.h"
#include "relation/catalog/seal.h"
#include "relation/rights/trust.h"
#include "storage/ipc.h"
#include "storage/lock.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/datum.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"

#define RUN_SEQUENCE "sdc_run_number"
#define POLICY_INDEX "sdc_run_log_policy"

/* So many bytes of a reason are kept: it can be the message of somebody's function. */
#define MOST_REASON 8000

StaticAssertDecl((int) SDC_RUN_WRITTEN_BY == SDC_RUN_COLUMN_COUNT, "the log has the columns that are opened");

bool		sdc_runs_at_work;

/* The lock that this session has. */
static struct
{
	bool		held;
	LOCKTAG		tag;
}			own_lock;

/* text_of returns a column of text, or NULL. */
static const char *
text_of(Datum *values, bool *nulls, int column)
{
	return nulls[column - 1] ? NULL : TextDatumGetCString(values[column - 1]);
}

/* name_of returns a column of names, or NULL. */
static const char *
name_of(Datum *values, bool *nulls, int column)
{
	return nulls[column - 1] ? NULL : pstrdup(NameStr(*DatumGetName(values[column - 1])));
}

/* release_of returns the release that a run has left, if it is there still: it has the number that the log has. */
static Oid
release_of(const SdcRun *run)
{
	const char *number = sdc_parameters_text(&sdc_runs_detail(run)->root, "release_oid");

	return number == NULL ? InvalidOid : (Oid) strtoul(number, NULL, 10);
}

/*
 * owner_now returns the name of the role that a run belongs to.  A role that was renamed is not known by the name that
 * the log has: then it is the owner of the release that the run has left.  That is not found by its name, which
 * somebody else could give a release of his to see what a role that is gone has done.
 */
static const char *
owner_now(const SdcRun *run, Oid schema)
{
	Oid			release = release_of(run);
	SdcReleaseRow row;
	const char *owner;

	if (!OidIsValid(release) || !sdc_catalog_get(schema, release, &row) || !row.made)
		return run->owner;
	owner = GetUserNameFromId(sdc_trust_owner(release), true);
	return owner != NULL ? owner : run->owner;
}

/* names_of returns the members of a column of names, as char *. */
static List *
names_of(Datum *values, bool *nulls, int column)
{
	return nulls[column - 1] ? NIL : sdc_catalog_names_list(values[column - 1]);
}

/* sdc_runs_detail: see runs.h. */
Jsonb *
sdc_runs_detail(const SdcRun *run)
{
	return DatumGetJsonbPCopy(run->kept);
}

/* read_run reads a row but for what it has measured, and tells whether it counts. */
static bool
read_run(HeapTuple row, Relation table, SdcRun *run)
{
	Datum		values[SDC_RUN_WRITTEN_BY];
	bool		nulls[SDC_RUN_WRITTEN_BY];
	Oid			writer;
	Oid			owner;

	heap_deform_tuple(row, RelationGetDescr(table), values, nulls);
	if (nulls[SDC_RUN_NUMBER - 1] || nulls[SDC_RUN_OWNER - 1] || nulls[SDC_RUN_STARTED_BY - 1] ||
		nulls[SDC_RUN_STARTED_AT - 1] || nulls[SDC_RUN_STATUS - 1] || nulls[SDC_RUN_DETAIL - 1] ||
		nulls[SDC_RUN_WRITTEN_BY - 1])
		return false;
	run->detail = NULL;
	run->kept = datumCopy(values[SDC_RUN_DETAIL - 1], false, -1);
	run->number = DatumGetInt64(values[SDC_RUN_NUMBER - 1]);
	run->policy = name_of(values, nulls, SDC_RUN_POLICY);
	run->owner = name_of(values, nulls, SDC_RUN_OWNER);
	run->started_by = name_of(values, nulls, SDC_RUN_STARTED_BY);
	run->started_at = DatumGetTimestampTz(values[SDC_RUN_STARTED_AT - 1]);
	run->finished_at = nulls[SDC_RUN_FINISHED_AT - 1] ? 0 : DatumGetTimestampTz(values[SDC_RUN_FINISHED_AT - 1]);
	run->status = text_of(values, nulls, SDC_RUN_STATUS);
	run->reason = text_of(values, nulls, SDC_RUN_REASON);
	run->approvers = names_of(values, nulls, SDC_RUN_APPROVERS);
	writer = run->written_by = DatumGetObjectId(values[SDC_RUN_WRITTEN_BY - 1]);
	owner = get_role_oid(run->owner, true);
	if (!OidIsValid(owner) && (writer == SDC_CATALOG_WRITTEN_BY_US || superuser_arg(writer)))
		run->owner = owner_now(run, RelationGetNamespace(table));
	return writer == SDC_CATALOG_WRITTEN_BY_US || superuser_arg(writer) ||
		(OidIsValid(owner) && GetUserNameFromId(writer, true) != NULL && has_privs_of_role(writer, owner));
}

/* form_row makes the row of a run. */
static HeapTuple
form_row(Relation table, const SdcRun *run)
{
	Datum		values[SDC_RUN_WRITTEN_BY] = {0};
	bool		nulls[SDC_RUN_WRITTEN_BY] = {false};

	values[SDC_RUN_NUMBER - 1] = Int64GetDatum(run->number);
	nulls[SDC_RUN_POLICY - 1] = run->policy == NULL;
	if (run->policy != NULL)
		values[SDC_RUN_POLICY - 1] = DirectFunctionCall1(namein, CStringGetDatum(run->policy));
	values[SDC_RUN_OWNER - 1] = DirectFunctionCall1(namein, CStringGetDatum(run->owner));
	values[SDC_RUN_STARTED_BY - 1] = DirectFunctionCall1(namein, CStringGetDatum(run->started_by));
	values[SDC_RUN_STARTED_AT - 1] = TimestampTzGetDatum(run->started_at);
	nulls[SDC_RUN_FINISHED_AT - 1] = run->finished_at == 0;
	values[SDC_RUN_FINISHED_AT - 1] = TimestampTzGetDatum(run->finished_at);
	values[SDC_RUN_STATUS - 1] = CStringGetTextDatum(run->status);
	nulls[SDC_RUN_REASON - 1] = run->reason == NULL;
	if (run->reason != NULL)
		values[SDC_RUN_REASON - 1] = PointerGetDatum(
			cstring_to_text_with_len(run->reason, pg_mbcliplen(run->reason, (int) strlen(run->reason), MOST_REASON)));
	values[SDC_RUN_DETAIL - 1] = JsonbPGetDatum(run->detail);
	nulls[SDC_RUN_APPROVERS - 1] = run->approvers == NIL;
	if (run->approvers != NIL)
		values[SDC_RUN_APPROVERS - 1] = sdc_catalog_names_datum(run->approvers);
	values[SDC_RUN_WRITTEN_BY - 1] = ObjectIdGetDatum(run->written_by);
	return heap_form_tuple(RelationGetDescr(table), values, nulls);
}

/* begin_scan looks for a run by its number. */
static SysScanDesc
begin_scan(Relation table, int64 number, ScanKey key)
{
	ScanKeyInit(key, SDC_RUN_NUMBER, BTEqualStrategyNumber, F_INT8EQ, Int64GetDatum(number));
	list_free(RelationGetIndexList(table)); /* finds the primary key too */
	return systable_beginscan(table, table->rd_pkindex, OidIsValid(table->rd_pkindex), NULL, 1, key);
}

/* begin_policy_scan looks for the runs of a policy, or for all without one. */
static SysScanDesc
begin_policy_scan(Relation table, const char *policy, NameData *wanted, ScanKey key)
{
	Oid			index = get_relname_relid(POLICY_INDEX, RelationGetNamespace(table));

	if (policy == NULL)
		return systable_beginscan(table, InvalidOid, false, NULL, 0, NULL);
	namestrcpy(wanted, policy);
	ScanKeyInit(key, SDC_RUN_POLICY, BTEqualStrategyNumber, F_NAMEEQ, NameGetDatum(wanted));
	return systable_beginscan(table, index, OidIsValid(index), NULL, 1, key);
}

/* has_number tells whether a number is taken, whoever wrote it. */
static bool
has_number(Relation table, int64 number)
{
	ScanKeyData key;
	SysScanDesc scan = begin_scan(table, number, &key);
	bool		found = HeapTupleIsValid(systable_getnext(scan));

	systable_endscan(scan);
	return found;
}

/* next_number draws a number; those of restored rows are passed by, for the sequence itself is not in a dump. */
static int64
next_number(Oid schema, Relation table)
{
	Oid			sequence = get_relname_relid(RUN_SEQUENCE, schema);
	int64		number;

	if (!OidIsValid(sequence) || get_rel_relkind(sequence) != RELKIND_SEQUENCE)
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_TABLE),
				 errmsg("sequence \"%s\" of extension sdc does not exist", RUN_SEQUENCE),
				 errhint("The extension was dropped, or its objects were moved.")));
	do
	{
		CHECK_FOR_INTERRUPTS();
		number = nextval_internal(sequence, false);
	} while (has_number(table, number));
	return number;
}

/* sdc_runs_add: see runs.h. */
void
sdc_runs_add(Oid schema, SdcRun *run)
{
	Relation	table = sdc_catalogtable_open_runs(schema, RowExclusiveLock);
	HeapTuple	row;

	run->number = next_number(schema, table);
	row = form_row(table, run);
	CatalogTupleInsert(table, row);
	heap_freetuple(row);
	table_close(table, NoLock);
	CommandCounterIncrement();
}

/* sdc_runs_find: see runs.h. */
bool
sdc_runs_find(Oid schema, int64 number, SdcRun *run)
{
	Relation	table = sdc_catalogtable_open_runs(schema, AccessShareLock);
	ScanKeyData key;
	SysScanDesc scan = begin_scan(table, number, &key);
	HeapTuple	row = systable_getnext(scan);
	bool		found = HeapTupleIsValid(row) && read_run(row, table, run);

	if (found)
		run->detail = sdc_runs_detail(run);
	found = found && JB_ROOT_IS_OBJECT(run->detail);
	systable_endscan(scan);
	table_close(table, NoLock);
	return found;
}

/* sdc_runs_change: see runs.h. */
void
sdc_runs_change(Oid schema, const SdcRun *run)
{
	Relation	table = sdc_catalogtable_open_runs(schema, RowExclusiveLock);
	ScanKeyData key;
	SysScanDesc scan = begin_scan(table, run->number, &key);
	HeapTuple	old = systable_getnext(scan);
	HeapTuple	row = form_row(table, run);

	if (!HeapTupleIsValid(old))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_OBJECT),
				 errmsg("run " INT64_FORMAT " is not in the log any more", run->number)));
	CatalogTupleUpdate(table, &old->t_self, row);
	systable_endscan(scan);
	heap_freetuple(row);
	table_close(table, NoLock);
	CommandCounterIncrement();
}

/* sdc_runs_remove: see runs.h. */
void
sdc_runs_remove(Oid schema, int64 number)
{
	Relation	table = sdc_catalogtable_open_runs(schema, RowExclusiveLock);
	ScanKeyData key;
	SysScanDesc scan = begin_scan(table, number, &key);
	HeapTuple	old = systable_getnext(scan);

	if (HeapTupleIsValid(old))
		CatalogTupleDelete(table, &old->t_self);
	systable_endscan(scan);
	table_close(table, NoLock);
	CommandCounterIncrement();
}

/* sdc_runs_visit: see runs.h. */
void
sdc_runs_visit(Oid schema, const char *policy, SdcRunVisit visit, void *arg)
{
	Relation	table = sdc_catalogtable_open_runs(schema, AccessShareLock);
	NameData	wanted;
	ScanKeyData key;
	SysScanDesc scan = begin_policy_scan(table, policy, &wanted, &key);
	HeapTuple	row;

	while (HeapTupleIsValid(row = systable_getnext(scan)))
	{
		SdcRun		run;

		CHECK_FOR_INTERRUPTS();
		if (read_run(row, table, &run))
			visit(arg, &run);
	}
	systable_endscan(scan);
	table_close(table, NoLock);
}

/* has_role tells whether the caller has the rights of the role that has a name now. */
static bool
has_role(const char *name)
{
	Oid			role = get_role_oid(name, true);

	return OidIsValid(role) && has_privs_of_role(GetUserId(), role);
}

/* sdc_runs_is_own: see runs.h. */
bool
sdc_runs_is_own(const SdcRun *run)
{
	return superuser() || has_role(run->owner);
}

/* sdc_runs_may_see: see runs.h. */
bool
sdc_runs_may_see(const SdcRun *run)
{
	ListCell   *cell;

	if (sdc_runs_is_own(run))
		return true;
	foreach(cell, run->approvers)
		if (has_role(lfirst(cell)))
			return true;
	return false;
}

/*
 * set_tag names the lock of a policy by the first bits of a digest of its name and owner that only the server can make:
 * nobody finds a name that another policy's lock has too.
 */
static void
set_tag(LOCKTAG *tag, Oid schema, const char *policy, Oid owner)
{
	Relation	table = sdc_catalogtable_open_runs(schema, AccessShareLock);
	uint8		secret[SDC_SEAL_SECRET_BYTES];
	uint64		bits;

	sdc_catalogtable_secret(schema, secret);
	bits = sdc_seal_word(secret, psprintf("policy %u %s", owner, policy));
	explicit_bzero(secret, sizeof(secret));
	SET_LOCKTAG_OBJECT(*tag, MyDatabaseId, RelationGetRelid(table), (uint32) bits, (uint16) (bits >> 32));
	table_close(table, NoLock);
}

/* sdc_runs_lock_name: no policy has such a lock, for every one has an owner. */
void
sdc_runs_lock_name(Oid schema, const char *policy)
{
	LOCKTAG		tag;

	set_tag(&tag, schema, policy, InvalidOid);
	(void) LockAcquire(&tag, ExclusiveLock, false, false);
}

/* leave gives the lock back when the session is ended: the server does not, for such a lock. */
static void
leave(int code, Datum arg)
{
	(void) code;
	(void) arg;
	sdc_runs_unlock();
}

/* sdc_runs_lock: see runs.h. */
bool
sdc_runs_lock(Oid schema, const char *policy, Oid owner, bool run)
{
	static bool registered;
	LOCKTAG		tag;

	set_tag(&tag, schema, policy, owner);
	if (!run)
		return LockAcquire(&tag, ExclusiveLock, false, true) != LOCKACQUIRE_NOT_AVAIL;
	if (own_lock.held)
		elog(ERROR, "the session has a run already");
	if (!registered)
	{
		before_shmem_exit(leave, (Datum) 0);
		registered = true;
	}
	if (LockAcquire(&tag, ExclusiveLock, true, true) == LOCKACQUIRE_NOT_AVAIL)
		return false;
	own_lock.tag = tag;
	own_lock.held = true;
	return true;
}

/* sdc_runs_unlock does nothing where there is no lock. */
void
sdc_runs_unlock(void)
{
	if (!own_lock.held)
		return;
	own_lock.held = false;
	(void) LockRelease(&own_lock.tag, ExclusiveLock, true);
}

/* sdc_runs_is_locked tries to have it; a standby cannot know. */
bool
sdc_runs_is_locked(Oid schema, const char *policy, Oid owner)
{
	LOCKTAG		tag;

	if (RecoveryInProgress())
		return true;
	set_tag(&tag, schema, policy, owner);
	if ((own_lock.held && memcmp(&tag, &own_lock.tag, sizeof(LOCKTAG)) == 0) ||
		LockAcquire(&tag, ShareLock, false, true) == LOCKACQUIRE_NOT_AVAIL)
		return true;
	(void) LockRelease(&tag, ShareLock, false);
	return false;
}

/* sdc_runs_require_own_hand: see runs.h. */
void
sdc_runs_require_own_hand(const char *function)
{
	if (!sdc_runs_at_work && !sdc_actas_in_other_hands())
		return;
	ereport(ERROR,
			(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
			 errmsg("%s is not for code that a run, or another role's session, has called", function),
			 errdetail("The log names the role that is logged in."),
			 errhint("Call it in a statement of its own: not in a function with SECURITY DEFINER, nor in code that a view, an index, "
					 "a trigger or the source of a policy runs.")));
}
