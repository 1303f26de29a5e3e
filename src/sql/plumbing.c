/*-------------------------------------------------------------------------
 *
 * plumbing.c
 *		Functions of the interface that are written in PL/pgSQL, and what these call.
 *
 * What is written in PL/pgSQL finds functions by their names when it runs.  So it is in the schema of the extension,
 * and names nothing but this and pg_catalog: nobody but the bootstrap superuser can rename these, or put anything into
 * them.  A function of the interface leads there by the OID of the function with its name and arguments.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/pg_proc.h"
#include "miscadmin.h"
#include "relation/base/spi.h"
#include "relation/catalog/actas.h"
#include "relation/catalog/catalogtable.h"
#include "sql/args.h"
#include "sql/plumbing.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/syscache.h"

PG_FUNCTION_INFO_V1(sdc_enter);

#define PREFIX "sdc_"

/* How the name of a function of the schema of the extension begins in a CONTEXT line. */
#define BODY SDC_PRIVATE_SCHEMA "."

/* A call of a function. */
typedef struct Call
{
	FunctionCallInfo fcinfo;
	FmgrInfo   *body;			/* of the function of the interface that is called */
	PGFunction	function;		/* or what is called */
	Datum		result;
} Call;

/* call_function calls it: the work of sdc_actas_caller. */
static void
call_function(void *arg)
{
	Call	   *call = arg;

	call->result = call->function(call->fcinfo);
}

/* sdc_plumbing_call: see plumbing.h. */
Datum
sdc_plumbing_call(PGFunction function, FunctionCallInfo fcinfo)
{
	Call		call = {.fcinfo = fcinfo, .function = function};

	sdc_actas_caller(call_function, &call);
	return call.result;
}

/* find_body finds the function of the schema of the extension that has the name and the arguments of another one. */
static Oid
find_body(Oid function)
{
	HeapTuple	tuple = SearchSysCache1(PROCOID, ObjectIdGetDatum(function));
	Form_pg_proc form;
	Oid			body;
	HeapTuple	found;

	if (!HeapTupleIsValid(tuple))
		elog(ERROR, "cache lookup failed for function %u", function);
	form = (Form_pg_proc) GETSTRUCT(tuple);
	found = SearchSysCache3(PROCNAMEARGSNSP, CStringGetDatum(NameStr(form->proname) + strlen(PREFIX)),
							PointerGetDatum(&form->proargtypes), ObjectIdGetDatum(sdc_catalogtable_schema()));
	if (strncmp(NameStr(form->proname), PREFIX, strlen(PREFIX)) != 0 || !HeapTupleIsValid(found) ||
		!superuser_arg(((Form_pg_proc) GETSTRUCT(found))->proowner))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_FUNCTION),
				 errmsg("the body of function \"%s\" is not in schema \"%s\"", NameStr(form->proname), SDC_PRIVATE_SCHEMA),
				 sdc_api_explain()));
	body = ((Form_pg_proc) GETSTRUCT(found))->oid;
	ReleaseSysCache(found);
	ReleaseSysCache(tuple);
	return body;
}

/* run_body calls it with the arguments of the function of the interface: the work of sdc_actas_plumbing. */
static void
run_body(void *arg)
{
	Call	   *call = arg;
	FunctionCallInfo outer = call->fcinfo;
	LOCAL_FCINFO(fcinfo, FUNC_MAX_ARGS);

	InitFunctionCallInfoData(*fcinfo, call->body, outer->nargs, outer->fncollation, outer->context, outer->resultinfo);
	memcpy(fcinfo->args, outer->args, sizeof(NullableDatum) * outer->nargs);
	call->result = FunctionCallInvoke(fcinfo);
	outer->isnull = fcinfo->isnull;
}

/*
 * hide_body throws the error in hand again.  Where the function in PL/pgSQL raised it, the lines that say where in its
 * body are of no use to the caller; those of the caller's own functions stay, and so do all of an internal error.
 */
static void
hide_body(MemoryContext context)
{
	ErrorData  *error;

	MemoryContextSwitchTo(context);
	error = CopyErrorData();
	if (error->sqlerrcode == ERRCODE_INTERNAL_ERROR || error->context == NULL ||
		memmem(error->context, strcspn(error->context, "\n"), BODY, strlen(BODY)) == NULL)
		PG_RE_THROW();
	FlushErrorState();
	error->context = GetErrorContextStack();	/* of the callers */
	ReThrowError(error);
}

/*
 * sdc_enter is what functions of the interface are whose work is done by one in PL/pgSQL.
 */
Datum
sdc_enter(PG_FUNCTION_ARGS)
{
	Call		call = {.fcinfo = fcinfo, .body = fcinfo->flinfo->fn_extra};
	MemoryContext context = CurrentMemoryContext;

	if (call.body == NULL)
	{
		call.body = MemoryContextAllocZero(fcinfo->flinfo->fn_mcxt, sizeof(FmgrInfo));
		fmgr_info_cxt(find_body(fcinfo->flinfo->fn_oid), call.body, fcinfo->flinfo->fn_mcxt);
		fcinfo->flinfo->fn_extra = call.body;
	}
	PG_TRY();
	{
		sdc_actas_plumbing(run_body, &call);
	}
	PG_CATCH();
	{
		hide_body(context);
	}
	PG_END_TRY();
	return call.result;
}

/* SAME makes a function of the interface one of the schema of the extension too, under a name that nobody can take. */
#define SAME(name) \
extern Datum sdc_##name(PG_FUNCTION_ARGS); \
SDC_PLUMBING(name) \
{ \
	return sdc_##name(fcinfo); \
} \
extern Datum sdc_##name(PG_FUNCTION_ARGS)

SAME(people_found);
SAME(disclosure_risk);
SAME(attribute_risk);
SAME(kanonymity);
SAME(interval_disclosure);
SAME(information_loss);
SAME(score);
SAME(distinguishability);
SAME(regression_errors);
SAME(association_recall);
SAME(evaluate);
SAME(unit_columns);
SAME(version);

/*
 * sdc_private.caller() RETURNS name
 */
SDC_PLUMBING(caller)
{
	Name		name = palloc(NAMEDATALEN);

	(void) fcinfo;
	namestrcpy(name, GetUserNameFromId(GetUserId(), false));
	PG_RETURN_NAME(name);
}

/*
 * sdc_private.drop_release(release regclass) RETURNS void
 */
SDC_PLUMBING(drop_release)
{
	Oid			release = sdc_args_relation(fcinfo, 0, "release");

	sdc_spi_connect();
	sdc_spi_run(psprintf("DROP TABLE %s", sdc_spi_relation_name(release)), SPI_OK_UTILITY);
	sdc_spi_finish();
	PG_RETURN_VOID();
}
