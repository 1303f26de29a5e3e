/*-------------------------------------------------------------------------
 *
 * runs.c
 *		sdc_run, sdc_approve, sdc_reject, sdc_report, and what is below the view sdc_runs.
 *
 * A run works with the rights of its policy's owner, whoever has called it, and the log says what was done: a run's
 * status is written by what does its work, in the same transaction, so that one is not rolled back without the other.
 *
 * sdc_run ends transactions, as a procedure may: first the run is entered, then its work is done in a transaction of
 * its own, and at last what earlier runs have left is removed.  Nothing of a run outlives the call: the lock of the
 * policy is given back on every way out, and what is known of the run is on the stack.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/xact.h"
#include "catalog/namespace.h"
#include "fmgr.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "nodes/parsenodes.h"
#include "publish/messages.h"
#include "publish/policies.h"
#include "publish/runs.h"
#include "publish/runwork.h"
#include "relation/base/attempt.h"
#include "relation/base/compat.h"
#include "relation/base/limits.h"
#include "relation/base/spi.h"
#include "relation/catalog/actas.h"
#include "relation/catalog/catalogtable.h"
#include "relation/catalog/parameters.h"
#include "relation/read/repeated.h"
#include "sql/args.h"
#include "sql/plumbing.h"
#include "sql/rows.h"
#include "storage/proc.h"
#include "tcop/pquery.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/guc.h"
#include "utils/jsonb.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/timestamp.h"
#include "utils/varlena.h"

PG_FUNCTION_INFO_V1(sdc_run);
PG_FUNCTION_INFO_V1(sdc_approve);
PG_FUNCTION_INFO_V1(sdc_reject);
PG_FUNCTION_INFO_V1(sdc_report_page);

#define DIED "the session or the server ended before the run did"

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

/* with_texts returns an object with a list of texts as one member more, if there are any. */
static Jsonb *
with_texts(Jsonb *object, const char *name, const List *texts)
{
	JsonbParseState *state = NULL;
	JsonbValue	one = {.type = jbvString};
	ListCell   *cell;

	if (texts == NIL)
		return object;
	(void) pushJsonbValue(&state, WJB_BEGIN_ARRAY, NULL);
	foreach(cell, texts)
	{
		one.val.string.val = lfirst(cell);
		one.val.string.len = (int) strlen(lfirst(cell));
		(void) pushJsonbValue(&state, WJB_ELEM, &one);
	}
	return with(object, name, JsonbValueToJsonb(pushJsonbValue(&state, WJB_END_ARRAY, NULL)), NULL);
}

/* with_error returns an object with what is known of an error. */
static Jsonb *
with_error(Jsonb *object, const ErrorData *error)
{
	object = with(object, "sqlstate", NULL, unpack_sql_state(error->sqlerrcode));
	if (error->detail != NULL)
		object = with(object, "detail", NULL, error->detail);
	if (error->hint != NULL)
		object = with(object, "hint", NULL, error->hint);
	return sdc_messages_is_ours(error) ? with(object, "ours", NULL, "true") : object;
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
	const char *owner;			/* of the policy: a row that another role restored is about a policy of its own */
	int64		waiting;		/* 0: none */
	List	   *running;		/* SdcRun *: nobody has ended them */
} Earlier;

/* note_earlier collects it: SdcRunVisit. */
static void
note_earlier(void *arg, const SdcRun *run)
{
	Earlier    *earlier = arg;

	if (strcmp(run->owner, earlier->owner) != 0)
		return;
	if (strcmp(run->status, SDC_RUN_WAITING) == 0)
		earlier->waiting = run->number;
	else if (strcmp(run->status, SDC_RUN_RUNNING) == 0)
	{
		SdcRun	   *copy = palloc(sizeof(SdcRun));

		*copy = *run;
		copy->detail = sdc_runs_detail(run);
		earlier->running = lappend(earlier->running, copy);
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
	run->approvers = sdc_parameters_names(&policy->definition->root, "approvers");
	sdc_runs_add(schema, run);
}

/* A run that is at work. */
typedef struct Running
{
	const char *policy;
	Oid			schema;
	Oid			owner;
	int64		number;			/* with a minus if it has failed as it began */
	SdcMessages messages;		/* what its work has warned of */
} Running;

/*
 * begin_run takes the lock of the policy and enters the run; those that died, for nobody has the lock, are said to have
 * failed.  Where another session has it, or a release waits, the run has failed as it begins, and the log says why.
 */
static void
begin_run(Running *running)
{
	Earlier		earlier = {0};
	SdcPolicy	policy;
	SdcRun		run = {0};
	ListCell   *cell;

	sdc_policies_get(running->schema, running->policy, &policy);
	running->owner = policy.owner;
	earlier.owner = GetUserNameFromId(policy.owner, false);
	if (!sdc_runs_lock(running->schema, running->policy, policy.owner, true))
	{
		const SdcRun *other;

		sdc_runs_visit(running->schema, running->policy, note_earlier, &earlier);
		other = earlier.running == NIL ? NULL : linitial(earlier.running);
		enter(running->schema, &run, &policy, SDC_RUN_FAILED, other == NULL ? "another run of the policy was at work" :
			  psprintf("run " INT64_FORMAT " of the policy was at work", other->number));
		running->number = -run.number;
		return;
	}
	sdc_runs_visit(running->schema, running->policy, note_earlier, &earlier);
	foreach(cell, earlier.running)
	{
		SdcRun	   *died = lfirst(cell);

		finish(running->schema, died, SDC_RUN_FAILED, DIED,
			   with(died->detail, "hint", NULL, "What was published is as it was: run the policy again."));
	}
	if (earlier.waiting != 0)
	{
		enter(running->schema, &run, &policy, SDC_RUN_FAILED,
			  psprintf("run " INT64_FORMAT " waits to be approved or rejected", earlier.waiting));
		running->number = -run.number;
		return;
	}
	enter(running->schema, &run, &policy, SDC_RUN_RUNNING, NULL);
	running->number = run.number;
}

/* find_run finds the row of the run: the work can call functions of the policy's owner, which cannot end the run. */
static void
find_run(const Running *running, SdcRun *run)
{
	if (!sdc_runs_find(running->schema, running->number, run))
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("run " INT64_FORMAT " is not in the log any more", running->number)));
}

/* lacks_source tells whether nothing has the name that the definition of a run gives to its source. */
static bool
lacks_source(const Running *running)
{
	SdcRun		run;
	SdcParameters *definition;
	const char *source;
	List	   *name;

	find_run(running, &run);
	definition = sdc_parameters_inner(&run.detail->root, "definition");
	source = definition == NULL ? NULL : sdc_parameters_text(definition, "source");
	if (source == NULL)
		return false;
	name = textToQualifiedNameList(cstring_to_text(source));
	return !OidIsValid(RangeVarGetRelid(makeRangeVarFromNameList(name), NoLock, true));
}

/*
 * advise adds to an error of the server, which knows nothing of policies, what can be done about it.  The text lives as
 * long as the error.
 */
static void
advise(const Running *running, ErrorData *error)
{
	MemoryContext old = MemoryContextSwitchTo(GetMemoryChunkContext(error));
	const char *owner = GetUserNameFromId(running->owner, true);

	switch (error->hint == NULL ? error->sqlerrcode : 0)
	{
		case ERRCODE_INSUFFICIENT_PRIVILEGE:
			if (owner != NULL)
				error->hint = psprintf("The policy runs with the rights of its owner, role \"%s\": GRANT what is missing, or give it what it replaces.",
									   owner);
			break;
		case ERRCODE_UNDEFINED_TABLE:
		case ERRCODE_UNDEFINED_SCHEMA:
			error->hint = psprintf(lacks_source(running) ?
								   "If the source has another name now: SELECT sdc_policy_alter(%s, source => ...)." :
								   "If a table that a step names has another name now: SELECT sdc_policy_alter(%s, steps => ...).",
								   quote_literal_cstr(running->policy));
			break;
		case ERRCODE_LOCK_NOT_AVAILABLE:
			error->hint = pstrdup("Another session held a lock for longer than lock_timeout allows: run the policy again.");
			break;
		case ERRCODE_QUERY_CANCELED:
			if (StatementTimeout > 0)
				error->hint = pstrdup("If the run takes longer than setting statement_timeout allows, raise it for the role that runs policies.");
			break;
		case ERRCODE_T_R_SERIALIZATION_FAILURE:
		case ERRCODE_T_R_DEADLOCK_DETECTED:
			error->hint = pstrdup("Other sessions wrote at the same time: run the policy again.");
			break;
	}
	MemoryContextSwitchTo(old);
}

/* do_work does the work of a run, and enters what has become of it: if the work is rolled back, so is this. */
static void
do_work(Running *running)
{
	Jsonb	   *outcome;
	SdcRun		run;

	find_run(running, &run);
	outcome = sdc_runwork_do("run_work", running->owner, &run, run.detail);
	finish(running->schema, &run, sdc_parameters_text(&outcome->root, "status"),
		   sdc_parameters_text(&outcome->root, "reason"),
		   with_texts(without(without(outcome, "status"), "reason"), "warnings", running->messages.texts));
}

/* work_heard does the work, and keeps its messages. */
static void
work_heard(void *arg)
{
	Running    *running = arg;

	sdc_messages_begin(&running->messages);
	do_work(running);
	sdc_messages_end(&running->messages);
}

/* end_run enters that a run has failed, if its work has entered nothing, and returns whether it was rejected. */
static bool
end_run(const Running *running, const ErrorData *error, SdcRun *run)
{
	find_run(running, run);
	if (strcmp(run->status, SDC_RUN_RUNNING) == 0)
		finish(running->schema, run, SDC_RUN_FAILED, error == NULL ? "the run has done nothing" : error->message,
			   with_texts(error == NULL ? run->detail : with_error(run->detail, error), "warnings",
						  running->messages.texts));
	return strcmp(run->status, SDC_RUN_REJECTED) == 0;
}

/* raise_rejected raises the error of a run that was rejected: before it was measured, if there is a hint of its own. */
static void
raise_rejected(const Running *running, const SdcRun *run)
{
	const char *hint = sdc_parameters_text(&run->detail->root, "hint");

	ereport(ERROR,
			(errcode(SDC_ERRCODE_LIMIT),
			 errmsg("run " INT64_FORMAT " of policy \"%s\" was rejected: %s", running->number, running->policy, run->reason),
			 hint != NULL ? errhint("%s", hint) :
			 errhint("Nothing was published. sdc_release_record tells all that was measured.")));
}

/* drop_earlier drops releases of earlier runs of the policy, and keeps what is warned of. */
static void
drop_earlier(void *arg)
{
	Running    *running = arg;
	SdcRun		run;

	sdc_messages_begin(&running->messages);
	find_run(running, &run);
	(void) sdc_runwork_do("run_clean_up", running->owner, &run, run.detail);
	sdc_messages_end(&running->messages);
}

/* log_texts adds to the row of the run what the removal has warned of. */
static void
log_texts(void *arg)
{
	Running    *running = arg;
	SdcRun		run;

	find_run(running, &run);
	finish(running->schema, &run, run.status, run.reason,
		   with_texts(run.detail, "warnings",
					  list_concat(sdc_parameters_names(&run.detail->root, "warnings"), running->messages.texts)));
}

/*
 * clean_up removes what earlier runs of the policy have left.  If it fails, the run still ends as it has ended; its row
 * tells what stays, unless an update of the extension has come in between, after which this session reads no row.
 */
static void
clean_up(Running *running)
{
	ErrorData  *error = sdc_attempt_within(drop_earlier, running, true);

	if (error != NULL)
	{
		char	   *text = psprintf("releases of earlier runs of policy \"%s\" stay", running->policy);

		ereport(WARNING,
				(errcode(error->sqlerrcode),
				 errmsg("%s", text),
				 errdetail("%s", error->message),
				 errhint("The next run removes them.")));
		running->messages.texts = lappend(running->messages.texts, psprintf("%s: %s", text, error->message));
	}
	if (running->messages.texts == NIL)
		return;
	error = sdc_attempt_within(log_texts, running, true);
	if (error != NULL)
		ereport(WARNING,
				(errcode(error->sqlerrcode),
				 errmsg("the log does not say that of run " INT64_FORMAT, running->number),
				 errdetail("%s", error->message)));
}

/* raise_again raises the error that a run has ended with. */
static void
raise_again(const ErrorData *error)
{
	ereport(ERROR,
			(errcode(error->sqlerrcode),
			 errmsg("%s", error->message),
			 error->detail != NULL ? errdetail("%s", error->detail) : 0,
			 error->hint != NULL ? errhint("%s", error->hint) : 0));
}

/* run_policy runs a policy, from its entry in the log to the error that it has ended with. */
static void
run_policy(Running *running)
{
	ErrorData  *error;
	SdcRun		run;
	bool		rejected;

	sdc_repeated_forget();
	begin_run(running);
	sdc_spi_commit();
	if (running->number < 0)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_IN_USE),
				 errmsg("policy \"%s\" has another run", running->policy),
				 errhint("Run " INT64_FORMAT " in view sdc_runs tells which.", -running->number)));
	/* what is measured is what was protected */
	(void) set_config_option("transaction_isolation", "repeatable read", PGC_USERSET, PGC_S_SESSION, GUC_ACTION_LOCAL,
							 true, 0, false);
	EnsurePortalSnapshotExists();
	error = sdc_attempt_within(work_heard, running, true);
	if (error != NULL)
		advise(running, error);
	rejected = end_run(running, error, &run);
	sdc_spi_commit();
	EnsurePortalSnapshotExists();
	clean_up(running);
	sdc_spi_commit();
	if (error != NULL)
		raise_again(error);
	if (rejected)
		raise_rejected(running, &run);
}

/*
 * sdc_run(policy name)
 */
Datum
sdc_run(PG_FUNCTION_ARGS)
{
	Running		running = {0};

	sdc_args_require(fcinfo, 0, "policy");
	PreventCommandIfReadOnly("sdc_run");
	sdc_runs_require_own_hand("sdc_run");
	if (fcinfo->context == NULL || !IsA(fcinfo->context, CallContext) ||
		castNode(CallContext, fcinfo->context)->atomic || IsSubTransaction())
		ereport(ERROR,
				(errcode(ERRCODE_ACTIVE_SQL_TRANSACTION),
				 errmsg("sdc_run cannot run in a transaction block"),
				 errdetail("The log of a run that fails must stay."),
				 errhint("Call it alone: CALL sdc_run('...').")));
	running.schema = sdc_catalogtable_schema();
	sdc_spi_connect_procedure();
	running.policy = pstrdup(NameStr(*PG_GETARG_NAME(0)));
	PG_TRY();
	{
		run_policy(&running);
	}
	PG_FINALLY();
	{
		sdc_runs_unlock();
	}
	PG_END_TRY();
	sdc_spi_finish();
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
	if (run->policy != NULL && !sdc_runs_lock(schema, run->policy, get_role_oid(run->owner, true), false))
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_IN_USE),
				 errmsg("a run of policy \"%s\" is at work", run->policy)));
	if (!sdc_runs_find(schema, PG_GETARG_INT64(0), run) || strcmp(run->status, SDC_RUN_WAITING) != 0)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("run " INT64_FORMAT " does not wait: it is %s", run->number, run->status)));
}

/* refuse_approval refuses to approve a run, and says what to do. */
sdc_noreturn static void
refuse_approval(const SdcRun *run, int code, const char *problem)
{
	ereport(ERROR,
			(errcode(code),
			 errmsg("run " INT64_FORMAT " is not approved: %s", run->number, problem),
			 errhint("Reject it, and run the policy again: SELECT sdc_reject(" INT64_FORMAT ", ...).", run->number)));
}

/*
 * check_approval insists that another person approves what the policy still is.  What was restored is the word of
 * whoever did that, and not what a run has measured here.
 */
static void
check_approval(Oid schema, const SdcRun *run, const char *approver)
{
	SdcPolicy	policy;
	JsonbContainer *definition = sdc_parameters_inner(&run->detail->root, "definition");

	if (strcmp(approver, run->started_by) == 0)
		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				 errmsg("run " INT64_FORMAT " was started by the same role", run->number),
				 errhint("Another role has to approve it.")));
	if (OidIsValid(run->written_by))
		refuse_approval(run, ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE, "it was restored, and not measured here");
	/* whoever it was can have another name now */
	if (!OidIsValid(get_role_oid(run->started_by, true)))
		refuse_approval(run, ERRCODE_INSUFFICIENT_PRIVILEGE, "it was started by a role that does not exist any more");
	if (run->policy == NULL || !sdc_policies_find(schema, run->policy, &policy) ||
		policy.owner != get_role_oid(run->owner, true))
		refuse_approval(run, ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE, "its policy was dropped");
	if (definition == NULL || compareJsonbContainers(definition, &policy.definition->root) != 0)
		refuse_approval(run, ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE, "its policy has changed since");
}

/*
 * sdc_approve(run bigint) RETURNS void
 *
 * sdc_approve publishes what a run has left waiting, as it was measured.
 */
Datum
sdc_approve(PG_FUNCTION_ARGS)
{
	Oid			schema = sdc_catalogtable_schema();
	const char *approver = GetUserNameFromId(GetSessionUserId(), false);
	SdcMessages messages;
	SdcRun		run;
	Jsonb	   *outcome;

	PreventCommandIfReadOnly("sdc_approve");
	sdc_runs_require_own_hand("sdc_approve");
	waiting_run(fcinfo, schema, &run);
	check_approval(schema, &run, approver);
	sdc_messages_begin(&messages);
	outcome = sdc_runwork_do("run_publish", get_role_oid(run.owner, false), &run,
							 with(run.detail, "approver", NULL, approver));
	sdc_messages_end(&messages);
	finish(schema, &run, SDC_RUN_PUBLISHED, NULL, with_texts(outcome, "approval_warnings", messages.texts));
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
	Oid			schema = sdc_catalogtable_schema();
	SdcRun		run;
	const char *why;

	PreventCommandIfReadOnly("sdc_reject");
	why = sdc_args_text(fcinfo, 1, "why");
	sdc_runs_require_own_hand("sdc_reject");
	waiting_run(fcinfo, schema, &run);
	finish(schema, &run, SDC_RUN_REJECTED, why,
		   sdc_runwork_do("run_drop", get_role_oid(run.owner, false), &run,
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
	Datum		values[10];
	bool		nulls[10] = {false};

	if (!sdc_runs_may_see(run))
		return;
	died = died && !sdc_runs_is_locked(shown->schema, run->policy, get_role_oid(run->owner, true));
	values[0] = Int64GetDatum(run->number);
	put_name(run->policy, &values[1], &nulls[1]);
	put_name(run->owner, &values[2], &nulls[2]);
	put_name(run->started_by, &values[3], &nulls[3]);
	values[4] = TimestampTzGetDatum(run->started_at);
	values[5] = TimestampTzGetDatum(run->finished_at);
	nulls[5] = run->finished_at == 0;
	put_text(died ? SDC_RUN_FAILED : run->status, &values[6], &nulls[6]);
	put_text(died ? DIED : run->reason, &values[7], &nulls[7]);
	values[8] = run->kept;
	values[9] = BoolGetDatum(sdc_runs_is_own(run));
	sdc_rows_put(shown->fcinfo, values, nulls);
}

/*
 * sdc_private.runs(policy name, run bigint) RETURNS SETOF record
 *
 * sdc_private.runs returns the runs that the caller may know of: all, those of a policy, or one.
 */
SDC_PLUMBING(runs)
{
	Shown		shown = {fcinfo, sdc_catalogtable_schema()};
	SdcRun		run;

	sdc_rows_begin(fcinfo, 0);
	if (PG_ARGISNULL(1))
		sdc_runs_visit(shown.schema, PG_ARGISNULL(0) ? NULL : NameStr(*PG_GETARG_NAME(0)), put_run, &shown);
	else if (sdc_runs_find(shown.schema, PG_GETARG_INT64(1), &run))
		put_run(&shown, &run);
	return (Datum) 0;
}

/*
 * sdc_private.run_remove(run bigint) RETURNS boolean
 */
SDC_PLUMBING(run_remove)
{
	SdcRun		run;
	Oid			schema = sdc_catalogtable_schema();

	sdc_args_require(fcinfo, 0, "run");
	PreventCommandIfReadOnly("sdc_log_prune");
	if (!sdc_runs_find(schema, PG_GETARG_INT64(0), &run) || !sdc_runs_is_own(&run))
		PG_RETURN_BOOL(false);
	sdc_runs_remove(schema, run.number);
	PG_RETURN_BOOL(true);
}

/* approved_owner returns the owner of a run that the caller may approve without his rights, or InvalidOid. */
static Oid
approved_owner(int64 number)
{
	SdcRun		run;

	if (!sdc_runs_find(sdc_catalogtable_schema(), number, &run) || !sdc_runs_may_see(&run) || sdc_runs_is_own(&run))
		return InvalidOid;
	return get_role_oid(run.owner, true);
}

/*
 * sdc_report(release regclass, audience text, run bigint) RETURNS text
 *
 * sdc_report makes the page.  Who may approve a run may see that of its release, which is made with the rights of the
 * owner, as what he approves is published.
 */
Datum
sdc_report_page(PG_FUNCTION_ARGS)
{
	Oid			owner = PG_ARGISNULL(0) && !PG_ARGISNULL(2) ? approved_owner(PG_GETARG_INT64(2)) : InvalidOid;
	SdcActAs	before;
	Datum		page;

	if (!OidIsValid(owner))
		return sdc_enter(fcinfo);
	sdc_actas_begin(&before, owner);
	page = sdc_enter(fcinfo);
	sdc_actas_end(&before);
	return page;
}
