/*-------------------------------------------------------------------------
 *
 * policies.c
 *		The policies by which releases are made and published.
 *
 * They are in a table of the extension, which is read and written as the catalog of releases is
 * (catalogtable.c).  A row that somebody restored counts if he has the rights of the policy's owner.  A policy whose
 * owner does not exist here does not run, and is nobody's: its place is for whoever sets it anew.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/table.h"
#include "access/xact.h"
#include "catalog/indexing.h"
#include "kernel/base/kernel_env.h"
#include "miscadmin.h"
#include "publish/policies.h"
#include "publish/runs.h"
#include "relation/base/compat.h"
#include "relation/catalog/catalogtable.h"
#include "storage/lmgr.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/rel.h"

StaticAssertDecl((int) SDC_POLICY_WRITTEN_BY == SDC_POLICY_COLUMN_COUNT, "policies have the columns that are opened");

/* read_policy reads a row, and tells whether it counts; with owner InvalidOid: the owner does not exist here. */
static bool
read_policy(HeapTuple row, Relation table, SdcPolicy *policy)
{
	TupleDesc	desc = RelationGetDescr(table);
	Datum		values[SDC_POLICY_WRITTEN_BY];
	bool		nulls[SDC_POLICY_WRITTEN_BY];
	Oid			writer;

	heap_deform_tuple(row, desc, values, nulls);
	for (int i = 0; i < SDC_POLICY_WRITTEN_BY; i++)
		if (nulls[i])
			return false;
	policy->name = *DatumGetName(values[SDC_POLICY_NAME - 1]);
	policy->owner = DatumGetObjectId(values[SDC_POLICY_OWNER - 1]);
	policy->definition = DatumGetJsonbP(values[SDC_POLICY_DEFINITION - 1]);
	if (!JB_ROOT_IS_OBJECT(policy->definition))
		return false;
	writer = DatumGetObjectId(values[SDC_POLICY_WRITTEN_BY - 1]);
	if (GetUserNameFromId(policy->owner, true) == NULL)
		policy->owner = InvalidOid;
	if (writer == SDC_CATALOG_WRITTEN_BY_US || superuser_arg(writer))
		return true;
	return OidIsValid(policy->owner) && GetUserNameFromId(writer, true) != NULL &&
		has_privs_of_role(writer, policy->owner);
}

/* begin_scan looks for a policy by its name, or for all without one. */
static SysScanDesc
begin_scan(Relation table, const char *name, NameData *wanted, ScanKey key)
{
	if (name != NULL)
	{
		namestrcpy(wanted, name);
		ScanKeyInit(key, SDC_POLICY_NAME, BTEqualStrategyNumber, F_NAMEEQ, NameGetDatum(wanted));
	}
	list_free(RelationGetIndexList(table)); /* finds the primary key too */
	return systable_beginscan(table, table->rd_pkindex, OidIsValid(table->rd_pkindex), NULL,
							  name != NULL ? 1 : 0, key);
}

/* open_to_change opens the table to set or drop a policy: who does so with another one is not held off. */
static Relation
open_to_change(Oid schema, const char *name)
{
	Relation	table = sdc_catalogtable_open_policies(schema, RowExclusiveLock);

	sdc_runs_lock_name(schema, name);
	return table;
}

/*
 * remove_row removes the row of a name, and tells whether there was one, and the owner of a policy that counts; the
 * caller holds others off.
 */
static bool
remove_row(Relation table, const char *name, Oid *owner)
{
	NameData	wanted;
	ScanKeyData key;
	SysScanDesc scan = begin_scan(table, name, &wanted, &key);
	HeapTuple	row = systable_getnext(scan);
	SdcPolicy	policy;

	if (HeapTupleIsValid(row))
	{
		if (read_policy(row, table, &policy) && OidIsValid(policy.owner))
		{
			if (!has_privs_of_role(GetUserId(), policy.owner))
				ereport(ERROR,
						(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
						 errmsg("policy \"%s\" belongs to another role", name)));
			*owner = policy.owner;
		}
		CatalogTupleDelete(table, &row->t_self);
	}
	systable_endscan(scan);
	CommandCounterIncrement();
	return HeapTupleIsValid(row);
}

/* refuse_unknown says the same where there is no policy and where it is another role's. */
sdc_noreturn static void
refuse_unknown(const char *name)
{
	ereport(ERROR,
			(errcode(ERRCODE_UNDEFINED_OBJECT),
			 errmsg("policy \"%s\" does not exist", name),
			 errhint("View sdc_policies lists the policies of roles whose rights you have.")));
}

/* sdc_policies_put: the runs that the policy has had are its owner's, and so is what it continues. */
void
sdc_policies_put(Oid schema, const char *name, Jsonb *definition)
{
	Relation	table = open_to_change(schema, name);
	Datum		values[SDC_POLICY_WRITTEN_BY];
	bool		nulls[SDC_POLICY_WRITTEN_BY] = {false};
	HeapTuple	tuple;
	Oid			owner = GetUserId();

	if (VARSIZE(definition) > SDC_POLICY_MOST_BYTES)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("the definition of policy \"%s\" takes %zu bytes, and %d are the most", name,
						(size_t) VARSIZE(definition), SDC_POLICY_MOST_BYTES),
				 errhint("Every run keeps it. Name columns in fewer steps, or make several policies.")));
	(void) remove_row(table, name, &owner);
	values[SDC_POLICY_NAME - 1] = DirectFunctionCall1(namein, CStringGetDatum(name));
	values[SDC_POLICY_OWNER - 1] = ObjectIdGetDatum(owner);
	values[SDC_POLICY_DEFINITION - 1] = JsonbPGetDatum(definition);
	values[SDC_POLICY_WRITTEN_BY - 1] = ObjectIdGetDatum(SDC_CATALOG_WRITTEN_BY_US);
	tuple = heap_form_tuple(RelationGetDescr(table), values, nulls);
	CatalogTupleInsert(table, tuple);
	heap_freetuple(tuple);
	table_close(table, NoLock);
	CommandCounterIncrement();
}

/* sdc_policies_drop: see policies.h. */
void
sdc_policies_drop(Oid schema, const char *name)
{
	Relation	table = open_to_change(schema, name);
	Oid			owner;

	if (!remove_row(table, name, &owner))
		refuse_unknown(name);
	table_close(table, NoLock);
}

/* find finds a policy by its name, also one whose owner does not exist here. */
static bool
find(Oid schema, const char *name, SdcPolicy *policy)
{
	Relation	table = sdc_catalogtable_open_policies(schema, AccessShareLock);
	NameData	wanted;
	ScanKeyData key;
	SysScanDesc scan = begin_scan(table, name, &wanted, &key);
	HeapTuple	row = systable_getnext(scan);
	bool		found = HeapTupleIsValid(row) && read_policy(row, table, policy);

	if (found)
		policy->definition = (Jsonb *) PG_DETOAST_DATUM_COPY(PointerGetDatum(policy->definition));
	systable_endscan(scan);
	table_close(table, NoLock);
	return found;
}

/* sdc_policies_find: see policies.h. */
bool
sdc_policies_find(Oid schema, const char *name, SdcPolicy *policy)
{
	return find(schema, name, policy) && OidIsValid(policy->owner);
}

/* sdc_policies_require_owner: see policies.h. */
void
sdc_policies_require_owner(Oid owner)
{
	if (GetUserNameFromId(owner, true) == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_OBJECT),
				 errmsg("the role that owns the policy does not exist"),
				 errhint("Drop the policy, or set it anew.")));
}

/* sdc_policies_get: a superuser has the rights of roles that do not exist, too. */
void
sdc_policies_get(Oid schema, const char *name, SdcPolicy *policy)
{
	if (!find(schema, name, policy) || !has_privs_of_role(GetUserId(), policy->owner))
		refuse_unknown(name);
	sdc_policies_require_owner(policy->owner);
}

/* sdc_policies_visit: see policies.h. */
void
sdc_policies_visit(Oid schema, SdcPolicyVisit visit, void *arg)
{
	Relation	table = sdc_catalogtable_open_policies(schema, AccessShareLock);
	SysScanDesc scan = begin_scan(table, NULL, NULL, NULL);
	HeapTuple	row;

	while (HeapTupleIsValid(row = systable_getnext(scan)))
	{
		SdcPolicy	policy;

		CHECK_FOR_INTERRUPTS();
		if (read_policy(row, table, &policy))
			visit(arg, &policy);
	}
	systable_endscan(scan);
	table_close(table, NoLock);
}
