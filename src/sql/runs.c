/*-------------------------------------------------------------------------
 *
 * runs.c
 *		sdc_approve, sdc_reject, and what is below sdc_run and the view sdc_runs.
 *
 * sdc_run is a procedure of the install script, for it ends transactions.  What is here makes sure that a run works
 * with the rights of its policy's owner, whoever has called it, and that the log says what was done: a run's status is
 * written by what does its work, in the same transaction, so that one is not rolled back without the other.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/xact.h"
#include "fmgr.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "relation/policies.h"
#include "relation/runs.h"
#include "relation/runwork.h"
#include "sql/args.h"
#include "sql/rows.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/jsonb.h"
#include "utils/lsyscache.h"
#include "utils/timestamp.h"

PG_FUNCTION_INFO_V1(sdc_run_begin_internal);
PG_FUNCTION_INFO_V1(sdc_run_execute_internal);
PG_FUNCTION_INFO_V1(sdc_run_end_internal);
PG_FUNCTION_INFO_V1(sdc_run_clean_internal);
PG_FUNCTION_INFO_V1(sdc_run_raise_internal);
PG_FUNCTION_INFO_V1(sdc_approve);
PG_FUNCTION_INFO_V1(sdc_reject);
PG_FUNCTION_INFO_V1(sdc_runs_internal);

#define DIED "the session or the server ended before the run did"

/* The run of this session, as long as it has the lock of the policy. */
static struct
{
	int64		number;			/* 0: none */
	Oid			owner;
}			current;

/* member returns a member of an object as text, or NULL. */
static char *
member(Jsonb *object, const char *name)
{
	JsonbValue	value;

	if (!JB_ROOT_IS_OBJECT(object) ||
		getKeyJsonValueFromContainer(&object->root, name, (int) strlen(name), &value) == NULL ||
		value.type != jbvString)
		return NULL;
	return pnstrdup(value.val.string.val, value.val.string.len);
}

/* with returns an object with one member more: an object, or a text. */
static Jsonb *
with(Jsonb *object, const char *name, Jsonb *value, const char *text)
{
	JsonbParseState *state = NULL;
	JsonbValue	key = {.type = jbvString};
	JsonbValue	body = {.type = jbvString};
	Jsonb	   *one;

	key.val.string.val = unconstify(char *, name);
	key.val.string.len = (int) strlen(name);
	if (value != NULL)
		JsonbToJsonbValue(value, &body);
	else
	{
		body.val.string.val = unconstify(char *, text);
		body.val.string.len = (int) strlen(text);
	}
	(void) pushJsonbValue(&state, WJB_BEGIN_OBJECT, NULL);
	(void) pushJsonbValue(&state, WJB_KEY, &key);
	(void) pushJsonbValue(&state, WJB_VALUE, &body);
	one = JsonbValueToJsonb(pushJsonbValue(&state, WJB_END_OBJECT, NULL));
	return object == NULL ? one :
		DatumGetJsonbP(DirectFunctionCall2(jsonb_concat, JsonbPGetDatum(object), JsonbPGetDatum(one)));
}

/* without returns an object without a member. */
static Jsonb *
without(Jsonb *object, const char *name)
{
	return DatumGetJsonbP(DirectFunctionCall2(jsonb_delete, JsonbPGetDatum(object), CStringGetTextDatum(name)));
}

/* finish writes what has become of a run. */
static void
finish(Oid schema, SdcRun *run, const char *status, const char *reason, Jsonb *detail)
{
	run->status = status;
	run->reason = reason;
	run->finished_at = GetCurrentTimestamp();
	if (detail != NULL)
		run->detail = detail;
	sdc_runs_change(schema, run);
}

/* What is to be known of the runs of a policy before another one begins. */
typedef struct Earlier
{
	const char *policy;
	const char *owner;			/* of the policy: a row that another role restored is about a policy of its own */
	int64		waiting;		/* 0: none */
	List	   *dead;			/* SdcRun *: they run no more */
} Earlier;

/* note_earlier collects it: SdcRunVisit. */
static void
note_earlier(void *arg, const SdcRun *run)
{
	Earlier    *earlier = arg;

	if (run->policy == NULL || strcmp(run->policy, earlier->policy) != 0 || strcmp(run->owner, earlier->owner) != 0)
		return;
	if (strcmp(run->status, SDC_RUN_WAITING) == 0)
		earlier->waiting = run->number;
	else if (strcmp(run->status, SDC_RUN_RUNNING) == 0)
	{
		SdcRun	   *copy = palloc(sizeof(SdcRun));

		*copy = *run;
		earlier->dead = lappend(earlier->dead, copy);
	}
}

/* enter adds a run to the log. */
static void
enter(Oid schema, SdcRun *run, const SdcPolicy *policy, const char *status, const char *reason)
{
	run->policy = pstrdup(NameStr(policy->name));
	run->owner = GetUserNameFromId(policy->owner, false);
	run->started_by = GetUserNameFromId(GetSessionUserId(), false);
	run->started_at = GetCurrentTimestamp();
	run->finished_at = strcmp(status, SDC_RUN_RUNNING) == 0 ? 0 : run->started_at;
	run->status = status;
	run->reason = reason;
	run->detail = with(NULL, "definition", policy->definition, NULL);
	sdc_runs_add(schema, run);
}

/*
 * sdc_run_begin_internal(policy name) RETURNS bigint
 *
 * sdc_run_begin_internal takes the lock of the policy and enters the run; those that died, for nobody has the lock,
 * are said to have failed.  Where another session has it, or a release waits, the run has failed as it begins: the
 * number is returned with a minus, and the log says why.
 */
Datum
sdc_run_begin_internal(PG_FUNCTION_ARGS)
{
	Oid			schema = sdc_args_extension_schema(fcinfo);
	Earlier		earlier = {0};
	SdcPolicy	policy;
	SdcRun		run = {0};
	ListCell   *cell;

	sdc_args_require(fcinfo, 0, "policy");
	PreventCommandIfReadOnly("sdc_run");
	if (IsTransactionBlock())
		ereport(ERROR,
				(errcode(ERRCODE_ACTIVE_SQL_TRANSACTION),
				 errmsg("sdc_run cannot run in a transaction block"),
				 errdetail("The log of a run that fails must stay."),
				 errhint("Call it alone: CALL sdc_run('...').")));
	sdc_policies_get(schema, NameStr(*PG_GETARG_NAME(0)), &policy);
	if (!sdc_runs_lock(schema, NameStr(policy.name), true))
	{
		enter(schema, &run, &policy, SDC_RUN_FAILED, "another run of the policy was at work");
		PG_RETURN_INT64(-run.number);
	}
	current.number = 0;
	earlier.policy = NameStr(policy.name);
	earlier.owner = GetUserNameFromId(policy.owner, false);
	sdc_runs_visit(schema, note_earlier, &earlier);
	foreach(cell, earlier.dead)
		finish(schema, lfirst(cell), SDC_RUN_FAILED, DIED, NULL);
	if (earlier.waiting != 0)
	{
		enter(schema, &run, &policy, SDC_RUN_FAILED,
			  psprintf("run " INT64_FORMAT " waits to be approved or rejected", earlier.waiting));
		sdc_runs_unlock();
		PG_RETURN_INT64(-run.number);
	}
	enter(schema, &run, &policy, SDC_RUN_RUNNING, NULL);
	current.number = run.number;
	current.owner = policy.owner;
	PG_RETURN_INT64(run.number);
}

/* current_run finds the run that this session has begun, and has the lock for: an error that nobody catches ends it. */
static void
current_run(FunctionCallInfo fcinfo, Oid schema, SdcRun *run)
{
	sdc_args_require(fcinfo, 0, "run");
	if (current.number == 0 || PG_GETARG_INT64(0) != current.number || !sdc_runs_has_lock() ||
		!sdc_runs_find(schema, current.number, run))
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("this session has not begun run " INT64_FORMAT, PG_GETARG_INT64(0)),
				 errhint("Runs are made by: CALL sdc_run(policy).")));
}

/* unfinished_run finds it where nothing has come of it yet. */
static void
unfinished_run(FunctionCallInfo fcinfo, Oid schema, SdcRun *run)
{
	current_run(fcinfo, schema, run);
	if (strcmp(run->status, SDC_RUN_RUNNING) != 0)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("run " INT64_FORMAT " has ended: it is %s", run->number, run->status),
				 errhint("Runs are made by: CALL sdc_run(policy).")));
}

/*
 * sdc_run_execute_internal(run bigint) RETURNS void
 *
 * sdc_run_execute_internal does the work of a run, and enters what has become of it: if the work is rolled back, so is
 * this.  The work can call functions of the policy's owner, which must not have ended the run.
 */
Datum
sdc_run_execute_internal(PG_FUNCTION_ARGS)
{
	Oid			schema = sdc_args_extension_schema(fcinfo);
	Jsonb	   *outcome;
	SdcRun		run;

	unfinished_run(fcinfo, schema, &run);
	outcome = sdc_runwork_do(schema, "sdc_run_work_internal", current.owner, &run, run.detail);
	unfinished_run(fcinfo, schema, &run);
	finish(schema, &run, member(outcome, "status"), member(outcome, "reason"),
		   without(without(outcome, "status"), "reason"));
	PG_RETURN_VOID();
}

/*
 * sdc_run_end_internal(run bigint, problem text) RETURNS text
 *
 * sdc_run_end_internal enters that a run has failed, if its work has not entered anything, and says why it was
 * rejected.  The problem is the error that the work has ended with.
 */
Datum
sdc_run_end_internal(PG_FUNCTION_ARGS)
{
	Oid			schema = sdc_args_extension_schema(fcinfo);
	SdcRun		run;

	current_run(fcinfo, schema, &run);
	if (strcmp(run.status, SDC_RUN_RUNNING) == 0)
		finish(schema, &run, SDC_RUN_FAILED,
			   PG_ARGISNULL(1) ? "the run has done nothing" : text_to_cstring(PG_GETARG_TEXT_PP(1)), NULL);
	if (strcmp(run.status, SDC_RUN_REJECTED) != 0 || run.reason == NULL)
		PG_RETURN_NULL();
	PG_RETURN_TEXT_P(cstring_to_text(run.reason));
}

/*
 * sdc_run_clean_internal(run bigint) RETURNS void
 *
 * sdc_run_clean_internal removes what earlier runs of the policy have left, and ends the run: what it has done is
 * committed, so that another one may begin.
 */
Datum
sdc_run_clean_internal(PG_FUNCTION_ARGS)
{
	Oid			schema = sdc_args_extension_schema(fcinfo);
	SdcRun		run;

	current_run(fcinfo, schema, &run);
	(void) sdc_runwork_do(schema, "sdc_run_clean_up_internal", current.owner, &run, run.detail);
	current.number = 0;
	sdc_runs_unlock();
	PG_RETURN_VOID();
}

/* text_or_null returns a text argument, or NULL where it is null or empty. */
static char *
text_or_null(FunctionCallInfo fcinfo, int number)
{
	char	   *given = PG_ARGISNULL(number) ? NULL : text_to_cstring(PG_GETARG_TEXT_PP(number));

	return given == NULL || given[0] == '\0' ? NULL : given;
}

/*
 * sdc_run_raise_internal(sqlstate text, problem text, detail text, hint text) RETURNS void
 *
 * sdc_run_raise_internal raises the error that a run has ended with; RAISE cannot leave out a detail that there is not.
 */
Datum
sdc_run_raise_internal(PG_FUNCTION_ARGS)
{
	char	   *state = text_or_null(fcinfo, 0);
	char	   *problem = text_or_null(fcinfo, 1);
	char	   *detail = text_or_null(fcinfo, 2);
	char	   *hint = text_or_null(fcinfo, 3);

	if (state == NULL || strlen(state) != 5 || problem == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("argument \"%s\" must be an error", "sqlstate")));
	ereport(ERROR,
			(errcode(MAKE_SQLSTATE(state[0], state[1], state[2], state[3], state[4])),
			 errmsg("%s", problem),
			 detail != NULL ? errdetail("%s", detail) : 0,
			 hint != NULL ? errhint("%s", hint) : 0));
	PG_RETURN_VOID();
}

/*
 * waiting_run finds the run that an approver speaks of, and takes the lock of its policy until the transaction ends:
 * with it the run is looked at again.
 */
static void
waiting_run(FunctionCallInfo fcinfo, Oid schema, SdcRun *run)
{
	sdc_args_require(fcinfo, 0, "run");
	if (!sdc_runs_find(schema, PG_GETARG_INT64(0), run) || !sdc_runs_may_see(run))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_OBJECT),
				 errmsg("run " INT64_FORMAT " does not exist", PG_GETARG_INT64(0)),
				 errhint("View sdc_runs lists the runs.")));
	if (run->policy != NULL && !sdc_runs_lock(schema, run->policy, false))
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_IN_USE),
				 errmsg("a run of policy \"%s\" is at work", run->policy)));
	if (!sdc_runs_find(schema, PG_GETARG_INT64(0), run) || strcmp(run->status, SDC_RUN_WAITING) != 0)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("run " INT64_FORMAT " does not wait: it is %s", run->number, run->status)));
}

/*
 * sdc_approve(run bigint) RETURNS void
 *
 * sdc_approve publishes what a run has left waiting, as it was measured.
 */
Datum
sdc_approve(PG_FUNCTION_ARGS)
{
	Oid			schema = sdc_args_extension_schema(fcinfo);
	const char *approver = GetUserNameFromId(GetSessionUserId(), false);
	SdcRun		run;

	PreventCommandIfReadOnly("sdc_approve");
	waiting_run(fcinfo, schema, &run);
	if (strcmp(approver, run.started_by) == 0)
		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				 errmsg("run " INT64_FORMAT " was started by the same role", run.number),
				 errhint("Another role has to approve it.")));
	/* whoever it was can have another name now */
	if (!OidIsValid(get_role_oid(run.started_by, true)))
		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				 errmsg("run " INT64_FORMAT " was started by a role that does not exist any more", run.number),
				 errhint("Reject it, and run the policy again.")));
	finish(schema, &run, SDC_RUN_PUBLISHED, NULL,
		   sdc_runwork_do(schema, "sdc_run_publish_internal", get_role_oid(run.owner, false), &run,
				with(run.detail, "approver", NULL, approver)));
	PG_RETURN_VOID();
}

/*
 * sdc_reject(run bigint, why text) RETURNS void
 *
 * sdc_reject ends a run that waits: its release is dropped, and nothing is published.
 */
Datum
sdc_reject(PG_FUNCTION_ARGS)
{
	Oid			schema = sdc_args_extension_schema(fcinfo);
	SdcRun		run;

	PreventCommandIfReadOnly("sdc_reject");
	sdc_args_require(fcinfo, 1, "why");
	waiting_run(fcinfo, schema, &run);
	finish(schema, &run, SDC_RUN_REJECTED, text_to_cstring(PG_GETARG_TEXT_PP(1)),
		   sdc_runwork_do(schema, "sdc_run_drop_internal", get_role_oid(run.owner, false), &run,
				with(run.detail, "approver", NULL, GetUserNameFromId(GetSessionUserId(), false))));
	PG_RETURN_VOID();
}

/* What the view shows. */
typedef struct Shown
{
	FunctionCallInfo fcinfo;
	Oid			schema;
} Shown;

/* put_text sets a column to a text, or to NULL. */
static void
put_text(const char *text, Datum *value, bool *isnull)
{
	*isnull = text == NULL;
	*value = text == NULL ? (Datum) 0 : CStringGetTextDatum(text);
}

/* put_name sets a column to a name, or to NULL. */
static void
put_name(const char *name, Datum *value, bool *isnull)
{
	*isnull = name == NULL;
	*value = name == NULL ? (Datum) 0 : DirectFunctionCall1(namein, CStringGetDatum(name));
}

/* put_run adds a run to the result: SdcRunVisit.  One that is said to run and has no lock has died. */
static void
put_run(void *arg, const SdcRun *run)
{
	Shown	   *shown = arg;
	bool		died = strcmp(run->status, SDC_RUN_RUNNING) == 0 && run->policy != NULL;
	Datum		values[9];
	bool		nulls[9] = {false};

	if (!sdc_runs_may_see(run))
		return;
	died = died && !sdc_runs_is_locked(shown->schema, run->policy);
	values[0] = Int64GetDatum(run->number);
	put_name(run->policy, &values[1], &nulls[1]);
	put_name(run->owner, &values[2], &nulls[2]);
	put_name(run->started_by, &values[3], &nulls[3]);
	values[4] = TimestampTzGetDatum(run->started_at);
	values[5] = TimestampTzGetDatum(run->finished_at);
	nulls[5] = run->finished_at == 0;
	put_text(died ? SDC_RUN_FAILED : run->status, &values[6], &nulls[6]);
	put_text(died ? DIED : run->reason, &values[7], &nulls[7]);
	values[8] = JsonbPGetDatum(run->detail);
	sdc_rows_put(shown->fcinfo, values, nulls);
}

/*
 * sdc_runs_internal() RETURNS SETOF record
 *
 * sdc_runs_internal returns the runs that the caller may know of.
 */
Datum
sdc_runs_internal(PG_FUNCTION_ARGS)
{
	Shown		shown = {fcinfo, sdc_args_extension_schema(fcinfo)};

	sdc_rows_begin(fcinfo, 0);
	sdc_runs_visit(shown.schema, put_run, &shown);
	return (Datum) 0;
}
