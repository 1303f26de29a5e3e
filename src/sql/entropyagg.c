/*-------------------------------------------------------------------------
 *
 * entropyagg.c
 *		The aggregates sdc_entropy, sdc_diversity, sdc_entropy_state, sdc_entropy_merge,
 *		sdc_diversity_merge.
 *
 * The transition value is a state of entropy (entropystate.c), a bytea: partial aggregation needs no
 * serialization.  In an aggregate it belongs to the aggregate and is changed in place, until it must
 * grow; the executor then takes the larger one in its stead.  Called by hand, the functions change a
 * copy.  What sdc_entropy_state returns is packed: the values alone determine its bytes.
 *
 * Counts are exact and the entropy does not depend on their order, so neither plan, nor
 * number of workers, nor order of rows changes a bit of the result.
 *
 * The aggregates have a form for "any" type, and one for each type that many columns have: Citus has its workers
 * aggregate only what is declared with the very type of the values.  All of them are the same functions.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "access/htup_details.h"
#include "access/transam.h"
#include "catalog/pg_aggregate.h"
#include "measure/accuracy/entropystate.h"
#include "nodes/execnodes.h"
#include "nodes/nodeFuncs.h"
#include "sql/call.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

PG_FUNCTION_INFO_V1(sdc_entropy_trans);
PG_FUNCTION_INFO_V1(sdc_entropy_combine);
PG_FUNCTION_INFO_V1(sdc_entropy_final);
PG_FUNCTION_INFO_V1(sdc_diversity_final);
PG_FUNCTION_INFO_V1(sdc_entropy_state_final);

/* state_argument is the state in argument 0. */
static SdcEntropyState
state_argument(FunctionCallInfo fcinfo)
{
	SdcEntropyState state = {.none = PG_ARGISNULL(0)};

	if (!state.none)
	{
		state.value = PG_GETARG_DATUM(0);
		state.own = AggCheckCallContext(fcinfo, NULL) != 0;
	}
	return state;
}

/* keep_state returns the state in argument 0 when there is nothing to add to it. */
static Datum
keep_state(FunctionCallInfo fcinfo, const SdcEntropyState *state)
{
	if (state->none)
		PG_RETURN_NULL();
	PG_RETURN_BYTEA_P(sdc_entropystate_keep(state));
}

/*
 * own_type returns the type of somebody's that a value had before it was called another one, as text, without a change
 * of its bits: it can have an equality of its own.  Whether a cast was written or not makes no difference, as it makes
 * none for the server: it computes two such aggregates as one.
 */
static Oid
own_type(const Node *value)
{
	while (value != NULL && IsA(value, RelabelType))
	{
		Oid			typid;

		value = (const Node *) ((const RelabelType *) value)->arg;
		typid = exprType(value);
		if (getBaseType(typid) >= FirstNormalObjectId)
			return typid;
	}
	return InvalidOid;
}

/* transition_of returns the transition function of an aggregate, or of a window function: InvalidOid. */
static Oid
transition_of(Oid function)
{
	HeapTuple	row = SearchSysCache1(AGGFNOID, ObjectIdGetDatum(function));
	Oid			transition = InvalidOid;

	if (HeapTupleIsValid(row))
	{
		transition = ((Form_pg_aggregate) GETSTRUCT(row))->aggtransfn;
		ReleaseSysCache(row);
	}
	return transition;
}

/* check_windows insists that no such value is counted in windows, where the server does not tell for whom it calls. */
static void
check_windows(const WindowAggState *windows, Oid transition)
{
	ListCell   *cell;

	foreach(cell, windows->funcs)
	{
		const WindowFunc *function = lfirst_node(WindowFuncExprState, cell)->wfunc;
		Oid			typid = list_length(function->args) == 1 ? own_type(linitial(function->args)) : InvalidOid;

		if (OidIsValid(typid) && transition_of(function->winfnoid) == transition)
			ereport(ERROR,
					(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
					 errmsg("values of type %s cannot be counted in a window", format_type_be(typid)),
					 errhint("Make them values of another type by an expression, such as lower(value::text).")));
	}
}

/* value_type returns the type of the values. */
static Oid
value_type(FunctionCallInfo fcinfo)
{
	Oid			typid = get_fn_expr_argtype(fcinfo->flinfo, 1);
	Aggref	   *aggregate = AggGetAggref(fcinfo);
	Node	   *value;
	Oid			own;

	if (fcinfo->context != NULL && IsA(fcinfo->context, WindowAggState))
		check_windows((WindowAggState *) fcinfo->context, fcinfo->flinfo->fn_oid);
	if (aggregate == NULL || aggregate->args == NIL)
		return typid;
	/* an aggregate that calls others by their names, as those of Citus do, has the values last, and tells no type */
	value = (Node *) llast_node(TargetEntry, aggregate->args)->expr;
	own = own_type(value);
	return OidIsValid(own) ? own : OidIsValid(typid) ? typid : exprType(value);
}

/* argument_type returns how the values of a call are written; it is remembered between calls. */
static SdcCanonicalType *
argument_type(FunctionCallInfo fcinfo)
{
	if (fcinfo->flinfo->fn_extra == NULL)
	{
		Oid			typid = value_type(fcinfo);
		MemoryContext old = MemoryContextSwitchTo(fcinfo->flinfo->fn_mcxt);

		if (!OidIsValid(typid))
			ereport(ERROR,
					(errcode(ERRCODE_INDETERMINATE_DATATYPE),
					 errmsg("could not determine the type of the values")));
		fcinfo->flinfo->fn_extra = sdc_canonical_type(typid, PG_GET_COLLATION());
		MemoryContextSwitchTo(old);
	}
	return fcinfo->flinfo->fn_extra;
}

/*
 * sdc_entropy_trans(state bytea, value "any") RETURNS bytea
 *
 * sdc_entropy_trans adds a value; a NULL is left out.
 */
Datum
sdc_entropy_trans(PG_FUNCTION_ARGS)
{
	SdcEntropyState state = state_argument(fcinfo);

	if (PG_ARGISNULL(1))
		return keep_state(fcinfo, &state);
	/* the executor copies a new state to where the aggregate keeps it */
	PG_RETURN_BYTEA_P(sdc_entropystate_add(&state, argument_type(fcinfo), PG_GETARG_DATUM(1)));
}

/*
 * sdc_entropy_combine(state bytea, other bytea) RETURNS bytea
 *
 * sdc_entropy_combine merges two states; NULL is the state of no values.  It is also the
 * transition of sdc_entropy_merge, whose states anybody can make: whatever they are, the result
 * counts every form once.
 */
Datum
sdc_entropy_combine(PG_FUNCTION_ARGS)
{
	SdcEntropyState state = state_argument(fcinfo);

	if (PG_ARGISNULL(1))
		return keep_state(fcinfo, &state);
	PG_RETURN_BYTEA_P(sdc_entropystate_merge(&state, PG_GETARG_DATUM(1)));
}

/* measure_state returns the entropy of the state in argument 0; false: it has no values. */
static bool
measure_state(FunctionCallInfo fcinfo, double *entropy)
{
	return sdc_entropystate_measure(PG_GETARG_DATUM(0), &fcinfo->flinfo->fn_extra,
									fcinfo->flinfo->fn_mcxt, entropy);
}

/*
 * sdc_entropy_final(state bytea) RETURNS float8
 *
 * sdc_entropy_final returns the entropy of a state.
 */
Datum
sdc_entropy_final(PG_FUNCTION_ARGS)
{
	double		entropy;

	if (!measure_state(fcinfo, &entropy))
		PG_RETURN_NULL();
	PG_RETURN_FLOAT8(entropy);
}

/*
 * sdc_diversity_final(state bytea) RETURNS float8
 *
 * sdc_diversity_final returns the diversity of a state: how many equally frequent values have
 * its entropy.
 */
Datum
sdc_diversity_final(PG_FUNCTION_ARGS)
{
	double		entropy;

	if (!measure_state(fcinfo, &entropy))
		PG_RETURN_NULL();
	PG_RETURN_FLOAT8(exp(entropy));
}

/*
 * sdc_entropy_state_final(state bytea) RETURNS bytea
 *
 * sdc_entropy_state_final returns the packed form of a state.
 */
Datum
sdc_entropy_state_final(PG_FUNCTION_ARGS)
{
	PG_RETURN_BYTEA_P(sdc_entropystate_pack(PG_GETARG_DATUM(0)));
}
