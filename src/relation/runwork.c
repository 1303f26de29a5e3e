/*-------------------------------------------------------------------------
 *
 * runwork.c
 *		The work of a run, with the rights of its policy's owner.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "relation/actas.h"
#include "relation/runwork.h"
#include "relation/spi.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

/* run_at_work runs a statement; what it publishes is no publication by hand. */
static void
run_at_work(const char *sql, Oid *types, Datum *values)
{
	PG_TRY();
	{
		sdc_runs_at_work = true;
		sdc_spi_run_args(sql, SPI_OK_SELECT, 3, types, values, NULL);
	}
	PG_FINALLY();
	{
		sdc_runs_at_work = false;
	}
	PG_END_TRY();
}

/* sdc_runwork_do: see runwork.h. */
Jsonb *
sdc_runwork_do(Oid schema, const char *function, Oid owner, const SdcRun *run, Jsonb *known)
{
	MemoryContext caller = CurrentMemoryContext;
	Oid			types[3] = {NAMEOID, INT8OID, JSONBOID};
	Datum		values[3];
	SdcActAs	before;
	Datum		answer;
	bool		isnull;
	Jsonb	   *copy;

	values[0] = DirectFunctionCall1(namein, CStringGetDatum(run->policy));
	values[1] = Int64GetDatum(run->number);
	values[2] = JsonbPGetDatum(known);
	sdc_actas_begin(&before, owner);
	sdc_spi_connect();
	run_at_work(psprintf("SELECT %s($1, $2, $3)", sdc_spi_qualified_name(get_namespace_name(schema), function)),
				types, values);
	answer = SPI_getbinval(SPI_tuptable->vals[0], SPI_tuptable->tupdesc, 1, &isnull);
	if (isnull)
		elog(ERROR, "function \"%s\" has returned null", function);
	MemoryContextSwitchTo(caller);
	copy = (Jsonb *) PG_DETOAST_DATUM_COPY(answer);
	sdc_spi_finish();
	sdc_actas_end(&before);
	return copy;
}
