/*-------------------------------------------------------------------------
 *
 * policies.c
 *		What is below sdc_policy_set, sdc_policy_drop, the view sdc_policies, reports, and limits.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "publish/policies.h"
#include "publish/runs.h"
#include "relation/base/limits.h"
#include "relation/catalog/catalogtable.h"
#include "relation/catalog/methods.h"
#include "sql/args.h"
#include "sql/plumbing.h"
#include "sql/rows.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/jsonb.h"


/*
 * sdc_private.policy_put(policy name, definition jsonb) RETURNS void
 *
 * sdc_private.policy_put enters a policy that sdc_policy_set has checked.  A run checks all of it again: who calls
 * this with something else misleads himself.
 */
SDC_PLUMBING(policy_put)
{
	sdc_args_require(fcinfo, 0, "policy");
	sdc_args_require(fcinfo, 1, "definition");
	PreventCommandIfReadOnly("sdc_policy_set");
	if (!JB_ROOT_IS_OBJECT(PG_GETARG_JSONB_P(1)))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("argument \"%s\" must be an object", "definition")));
	sdc_policies_put(sdc_catalogtable_schema(), NameStr(*PG_GETARG_NAME(0)), PG_GETARG_JSONB_P(1));
	PG_RETURN_VOID();
}

/*
 * sdc_private.policy_remove(policy name) RETURNS void
 *
 * A run that is at work would publish all the same, and leave its release.
 */
SDC_PLUMBING(policy_remove)
{
	Oid			schema = sdc_catalogtable_schema();
	const char *name;
	SdcPolicy	policy;
	bool		found;

	sdc_args_require(fcinfo, 0, "policy");
	PreventCommandIfReadOnly("sdc_policy_drop");
	name = NameStr(*PG_GETARG_NAME(0));
	found = sdc_policies_find(schema, name, &policy);
	sdc_policies_drop(schema, name);
	if (found && !sdc_runs_lock(schema, name, policy.owner, false))
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_IN_USE),
				 errmsg("a run of policy \"%s\" is at work", name),
				 errhint("Wait until it has ended, or cancel it; view sdc_runs tells.")));
	PG_RETURN_VOID();
}

/* put_policy adds a policy to the result: SdcPolicyVisit. */
static void
put_policy(void *arg, const SdcPolicy *policy)
{
	Datum		values[3];
	bool		nulls[3] = {false};

	if (!has_privs_of_role(GetUserId(), policy->owner))
		return;
	values[0] = NameGetDatum(&policy->name);
	values[1] = ObjectIdGetDatum(policy->owner);
	values[2] = JsonbPGetDatum(policy->definition);
	sdc_rows_put(arg, values, nulls);
}

/*
 * sdc_private.policies() RETURNS SETOF record
 *
 * sdc_private.policies returns the policies of roles whose rights the caller has.
 */
SDC_PLUMBING(policies)
{
	sdc_rows_begin(fcinfo, 0);
	sdc_policies_visit(sdc_catalogtable_schema(), put_policy, fcinfo);
	return (Datum) 0;
}

/*
 * sdc_private.methods() RETURNS TABLE (method text, windows boolean)
 *
 * sdc_private.methods returns the methods in the order of their table, and whether values stay within windows.
 */
SDC_PLUMBING(methods)
{
	const SdcMethod *method = NULL;

	sdc_rows_begin(fcinfo, 0);
	while ((method = sdc_methods_next(method)) != NULL)
	{
		Datum		values[2] = {CStringGetTextDatum(method->name), BoolGetDatum(method->reach != SDC_REACH_NONE)};
		bool		nulls[2] = {false};

		sdc_rows_put(fcinfo, values, nulls);
	}
	return (Datum) 0;
}

/*
 * sdc_private.keeps(value float8, bound float8, at_most boolean) RETURNS boolean
 *
 * sdc_private.keeps tells whether a measure keeps its limit; one that is NULL does not.
 */
SDC_PLUMBING(keeps)
{
	if (PG_ARGISNULL(0) || PG_ARGISNULL(1) || PG_ARGISNULL(2))
		PG_RETURN_BOOL(false);
	PG_RETURN_BOOL(sdc_limits_keeps(PG_GETARG_FLOAT8(0), PG_GETARG_FLOAT8(1), PG_GETARG_BOOL(2)));
}

/*
 * sdc_private.told_apart(value float8, bound float8, digits int) RETURNS text
 */
SDC_PLUMBING(told_apart)
{
	if (PG_ARGISNULL(0) || PG_ARGISNULL(1) || PG_ARGISNULL(2))
		PG_RETURN_NULL();
	PG_RETURN_TEXT_P(cstring_to_text(sdc_limits_told_apart(PG_GETARG_FLOAT8(0), PG_GETARG_FLOAT8(1),
														   PG_GETARG_INT32(2))));
}
