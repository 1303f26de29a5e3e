/*-------------------------------------------------------------------------
 *
 * privatestate.c
 *		sdc_forget, what a dump has of the private states of releases, and their end with these.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/table.h"
#include "catalog/namespace.h"
#include "commands/event_trigger.h"
#include "commands/trigger.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "relation/catalog/catalogtable.h"
#include "relation/catalog/privatetable.h"
#include "relation/frame/register.h"
#include "sql/args.h"
#include "sql/plumbing.h"
#include "sql/rows.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"

PG_FUNCTION_INFO_V1(sdc_forget);
PG_FUNCTION_INFO_V1(sdc_state_entered);
SDC_ANY_VERSION(sdc_state_dropped); /* which runs when anything is dropped */

/*
 * sdc_forget(release regclass) RETURNS void
 *
 * sdc_forget deletes the private state of a release, which stays one.
 */
Datum
sdc_forget(PG_FUNCTION_ARGS)
{
	sdc_register_forget_state(sdc_catalogtable_schema(), sdc_args_relation(fcinfo, 0, "release"));
	PG_RETURN_VOID();
}

/* dump_row adds a row to the result where the caller may read it: SdcPrivateVisit. */
static void
dump_row(void *arg, HeapTuple row, Relation table)
{
	Datum		values[SDC_PRIVATE_COLUMN_COUNT];
	bool		nulls[SDC_PRIVATE_COLUMN_COUNT];

	heap_deform_tuple(row, RelationGetDescr(table), values, nulls);
	if (sdc_privatetable_may_dump(DatumGetObjectId(values[SDC_PRIVATE_RELEASE - 1])))
		sdc_rows_put(arg, values, nulls);
}

/* refuse_newer refuses to dump relations, named in a table, that were made anew after the snapshot. */
static void
refuse_newer(Oid schema, const char *name)
{
	Relation	table = sdc_catalogtable_open_subjects(schema, name, AccessShareLock);

	sdc_catalogtable_refuse_newer(table);
	table_close(table, NoLock);
}

/*
 * sdc_private.state_dump() RETURNS TABLE (release regclass, row_type regtype, stream int, part int, contents bytea,
 *											written_by sdc_private.role_name)
 *
 * sdc_private.state_dump returns the private states that the caller may read: what pg_dump finds in the table that it
 * dumps.
 */
SDC_PLUMBING(state_dump)
{
	Oid			schema = sdc_catalogtable_schema();

	sdc_rows_begin(fcinfo, 0);
	refuse_newer(schema, SDC_TABLE_RELEASES);
	refuse_newer(schema, SDC_TABLE_PUBLICATIONS);
	sdc_privatetable_visit(schema, dump_row, fcinfo);
	return (Datum) 0;
}

/* is_own tells whether a trigger is that of the table that is dumped. */
static bool
is_own(const TriggerData *trigger)
{
	Relation	table = trigger->tg_relation;

	return TRIGGER_FIRED_BEFORE(trigger->tg_event) && TRIGGER_FIRED_FOR_ROW(trigger->tg_event) &&
		TRIGGER_FIRED_BY_INSERT(trigger->tg_event) &&
		strcmp(RelationGetRelationName(table), SDC_TABLE_STATE_DUMP) == 0 &&
		RelationGetNamespace(table) == get_namespace_oid(SDC_PRIVATE_SCHEMA, true) &&
		superuser_arg(table->rd_rel->relowner) && RelationGetNumberOfAttributes(table) == SDC_PRIVATE_COLUMN_COUNT;
}

/*
 * sdc_state_entered() RETURNS trigger
 *
 * sdc_state_entered has a row that is restored from a dump go where private states are kept; the table that was dumped
 * stays empty.
 */
Datum
sdc_state_entered(PG_FUNCTION_ARGS)
{
	TriggerData *trigger = (TriggerData *) fcinfo->context;

	if (!CALLED_AS_TRIGGER(fcinfo) || !is_own(trigger))
		ereport(ERROR,
				(errcode(ERRCODE_E_R_I_E_TRIGGER_PROTOCOL_VIOLATED),
				 errmsg("function \"%s\" must be called by its own trigger", "sdc_state_entered")));
	sdc_catalogtable_require_types(trigger->tg_relation);
	sdc_privatetable_restore(sdc_catalogtable_schema(), trigger->tg_trigtuple, trigger->tg_relation);
	return PointerGetDatum(NULL);
}

/*
 * sdc_state_dropped() RETURNS event_trigger
 *
 * sdc_state_dropped has private states go with the releases that were dropped.
 */
Datum
sdc_state_dropped(PG_FUNCTION_ARGS)
{
	if (!CALLED_AS_EVENT_TRIGGER(fcinfo))
		ereport(ERROR,
				(errcode(ERRCODE_E_R_I_E_EVENT_TRIGGER_PROTOCOL_VIOLATED),
				 errmsg("function \"%s\" must be called by an event trigger", "sdc_state_dropped")));
	sdc_privatetable_clean(sdc_catalogtable_schema());
	return (Datum) 0;
}
