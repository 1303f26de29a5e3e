/*-------------------------------------------------------------------------
 *
 * rows.c
 *		The rows that a function returns.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "commands/trigger.h"
#include "miscadmin.h"
#include "relation/attempt.h"
#include "sql/rows.h"
#include "utils/rel.h"
#include "utils/syscache.h"

/* sdc_rows_begin: DROP EXTENSION waits for nobody who is about to call its functions. */
void
sdc_rows_begin(FunctionCallInfo fcinfo, bits32 flags)
{
	if (!SearchSysCacheExists1(PROCOID, ObjectIdGetDatum(fcinfo->flinfo->fn_oid)))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_FUNCTION),
				 errmsg("function with OID %u does not exist", fcinfo->flinfo->fn_oid)));
	InitMaterializedSRF(fcinfo, flags);
}

/* sdc_rows_attempt: see rows.h. */
bool
sdc_rows_attempt(void (*work) (void *arg), void *arg, char **problem)
{
	ErrorData  *error = sdc_attempt(work, arg);

	*problem = error == NULL ? NULL : error->message;
	return error == NULL || error->sqlerrcode != ERRCODE_INSUFFICIENT_PRIVILEGE;
}

/* sdc_rows_entered: see rows.h. */
Datum
sdc_rows_entered(FunctionCallInfo fcinfo, Oid table, int column, const char *function)
{
	TriggerData *trigger = (TriggerData *) fcinfo->context;
	Datum		writer = ObjectIdGetDatum(GetUserId());
	bool		isnull = false;

	if (!CALLED_AS_TRIGGER(fcinfo) || !TRIGGER_FIRED_BEFORE(trigger->tg_event) ||
		!TRIGGER_FIRED_FOR_ROW(trigger->tg_event) || !TRIGGER_FIRED_BY_INSERT(trigger->tg_event) ||
		RelationGetRelid(trigger->tg_relation) != table)
		ereport(ERROR,
				(errcode(ERRCODE_E_R_I_E_TRIGGER_PROTOCOL_VIOLATED),
				 errmsg("function \"%s\" must be called by its own trigger", function)));
	return PointerGetDatum(heap_modify_tuple_by_cols(trigger->tg_trigtuple, RelationGetDescr(trigger->tg_relation), 1,
													 &column, &writer, &isnull));
}
