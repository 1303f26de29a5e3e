/*-------------------------------------------------------------------------
 *
 * windowfunctions.c
 *		sdc_rankswap_over, sdc_rankswap_distribution_over,
 *		sdc_rankswap_buckets_over.
 *
 * A window function sees one partition and no key.  Its records are numbered
 * in the order of the partition, which the caller's ORDER BY makes unique (ORDER
 * BY value, id) where the result must be the same again.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"
#include "method/swaptable.h"
#include "method/windowswap.h"
#include "sql/args.h"
#include "utils/builtins.h"
#include "utils/memutils.h"
#include "windowapi.h"

PG_FUNCTION_INFO_V1(sdc_rankswap_over);
PG_FUNCTION_INFO_V1(sdc_rankswap_distribution_over);
PG_FUNCTION_INFO_V1(sdc_rankswap_buckets_over);

/* The result for one partition. */
typedef struct WindowResult
{
	bool		done;
	SdcColumnReader *reader;	/* at the current row */
} WindowResult;

/* window_type looks up the type of the first argument. */
static void
window_type(FunctionCallInfo fcinfo, SdcType *type)
{
	Oid			typid = get_fn_expr_argtype(fcinfo->flinfo, 0);

	sdc_type_lookup(type, typid, PG_GET_COLLATION());
	if (!type->orderable)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("values of type %s cannot be rank swapped", format_type_be(typid)),
				 errdetail("The type has no btree ordering.")));
}

/* window_parameters reads the method's parameter from the current row. */
static void
window_parameters(WindowObject window, SdcRankKind kind, SdcRankParameters *parameters)
{
	bool		isnull;
	Datum		value = WinGetFuncArgCurrent(window, 1, &isnull);

	if (kind == SDC_RANK_BUCKETS)
		parameters->buckets = sdc_args_check_buckets(value, isnull);
	else
		parameters->percent = sdc_args_check_percent(value, isnull);
}

/* window_row reads the value of a row of the partition; arg is the call. */
static Datum
window_row(void *arg, int row, bool *isnull)
{
	FunctionCallInfo fcinfo = arg;

	return WinGetFuncArgInPartition(PG_WINDOW_OBJECT(), 0, row, WINDOW_SEEK_HEAD, false, isnull, NULL);
}

/* window_seed reads the seed from the current row; NULL is none.  arg is the call. */
static char *
window_seed(void *arg)
{
	FunctionCallInfo fcinfo = arg;
	bool		isnull;
	Datum		value = WinGetFuncArgCurrent(PG_WINDOW_OBJECT(), 2, &isnull);

	return sdc_args_seed_value(fcinfo, 2, value, isnull);
}

/* window_open protects the whole partition. */
static SdcColumnReader *
window_open(FunctionCallInfo fcinfo, WindowObject window, SdcRankKind kind)
{
	SdcWindowSwap swap = {.kind = kind, .value = window_row, .seed = window_seed, .arg = fcinfo};
	SdcType		type;

	window_type(fcinfo, &type);
	swap.type = &type;
	window_parameters(window, kind, &swap.parameters);
	swap.rows = WinGetPartitionRowCount(window);
	return sdc_windowswap_open(&swap);
}

/*
 * window_value returns the protected value of the current row.  Everything of a
 * partition is allocated where its local memory is, so that it goes with it.
 */
static Datum
window_value(FunctionCallInfo fcinfo, SdcRankKind kind)
{
	WindowObject window = PG_WINDOW_OBJECT();
	WindowResult *result = WinGetPartitionLocalMemory(window, sizeof(WindowResult));
	Datum		value;

	if (!result->done)
	{
		MemoryContext old = MemoryContextSwitchTo(GetMemoryChunkContext(result));

		result->reader = window_open(fcinfo, window, kind);
		result->done = true;
		MemoryContextSwitchTo(old);
	}
	if (!sdc_column_next(result->reader, &value))
		PG_RETURN_NULL();
	PG_RETURN_DATUM(value);
}

/*
 * sdc_rankswap_over(value anyelement, p float8, seed "any") RETURNS anyelement
 */
Datum
sdc_rankswap_over(PG_FUNCTION_ARGS)
{
	return window_value(fcinfo, SDC_RANK_STANDARD);
}

/*
 * sdc_rankswap_distribution_over(value anyelement, p float8, seed "any")
 *		RETURNS anyelement
 */
Datum
sdc_rankswap_distribution_over(PG_FUNCTION_ARGS)
{
	return window_value(fcinfo, SDC_RANK_DISTRIBUTION);
}

/*
 * sdc_rankswap_buckets_over(value anyelement, buckets int, seed "any")
 *		RETURNS anyelement
 */
Datum
sdc_rankswap_buckets_over(PG_FUNCTION_ARGS)
{
	return window_value(fcinfo, SDC_RANK_BUCKETS);
}
