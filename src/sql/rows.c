/*-------------------------------------------------------------------------
 *
 * rows.c
 *		The rows that a function returns.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "relation/base/attempt.h"
#include "sql/rows.h"
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
