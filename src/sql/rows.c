/*-------------------------------------------------------------------------
 *
 * rows.c
 *		The rows that a function returns.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "relation/attempt.h"
#include "sql/rows.h"
#include "utils/builtins.h"
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

/* sdc_rows_or_problem: see rows.h. */
bool
sdc_rows_or_problem(FunctionCallInfo fcinfo, int columns, void (*work) (void *arg), void *arg)
{
	char	   *problem;
	Datum	   *values;
	bool	   *nulls;

	if (!sdc_rows_attempt(work, arg, &problem))
		return false;
	if (problem == NULL)
		return true;
	values = palloc0(sizeof(Datum) * (columns + 1));
	nulls = palloc(sizeof(bool) * (columns + 1));
	memset(nulls, true, sizeof(bool) * columns);
	values[columns] = CStringGetTextDatum(problem);
	nulls[columns] = false;
	sdc_rows_put(fcinfo, values, nulls);
	return false;
}
