/*-------------------------------------------------------------------------
 *
 * runwork.c
 *		The work of a run, with the rights of its policy's owner.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "publish/runwork.h"
#include "relation/base/spi.h"
#include "relation/catalog/actas.h"
#include "relation/catalog/catalogtable.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

/* A call of a function of the schema of the extension. */
typedef struct Call
{
	const char *function;
	Datum		arguments[3];
} Call;

/* call_function calls it: the work of sdc_actas_plumbing. */
static void
call_function(void *arg)
{
	Call	   *call = arg;
	Oid			types[lengthof(call->arguments)] = {NAMEOID, INT8OID, JSONBOID};

	sdc_spi_run_args(psprintf("SELECT %s.%s($1, $2, $3)", SDC_PRIVATE_SCHEMA, call->function), SPI_OK_SELECT,
					 lengthof(types), types, call->arguments, NULL);
}

/* run_at_work does so for a run; what that publishes is no publication by hand. */
static void
run_at_work(Call *call)
{
	PG_TRY();
	{
		sdc_runs_at_work = true;
		sdc_actas_plumbing(call_function, call);
	}
	PG_FINALLY();
	{
		sdc_runs_at_work = false;
	}
	PG_END_TRY();
}

/* sdc_runwork_do: see runwork.h. */
Jsonb *
sdc_runwork_do(const char *function, Oid owner, const SdcRun *run, Jsonb *known)
{
	MemoryContext caller = CurrentMemoryContext;
	Call		call = {.function = function};
	SdcActAs	before;
	Datum		answer;
	bool		isnull;
	Jsonb	   *copy;

	call.arguments[0] = DirectFunctionCall1(namein, CStringGetDatum(run->policy));
	call.arguments[1] = Int64GetDatum(run->number);
	call.arguments[2] = JsonbPGetDatum(known);
	sdc_actas_begin(&before, owner);
	sdc_spi_connect();
	run_at_work(&call);
	answer = SPI_getbinval(SPI_tuptable->vals[0], SPI_tuptable->tupdesc, 1, &isnull);
	if (isnull)
		elog(ERROR, "function \"%s\" has returned null", function);
	MemoryContextSwitchTo(caller);
	copy = (Jsonb *) PG_DETOAST_DATUM_COPY(answer);
	sdc_spi_finish();
	sdc_actas_end(&before);
	return copy;
}
