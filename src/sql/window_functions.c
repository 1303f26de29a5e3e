/*-------------------------------------------------------------------------
 *
 * window_functions.c
 *		sdc_rankswap_over, sdc_rankswap_distribution_over,
 *		sdc_rankswap_buckets_over.
 *
 * A window function sees one partition and no key.  Its records are numbered
 * in the order of the partition, which the caller's ORDER BY makes unique (ORDER
 * BY value, id) where the result must be the same again.  The
 * partition is collected once, in order: a random access costs its distance as
 * soon as the partition is spilled.
 *
 * Partitions must not share their draws, and a window function does not know
 * which partition it is in.  So the stream is named by a checksum of the
 * partition's values.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"
#include "sql/args.h"
#include "relation/memory.h"
#include "method/swap.h"
#include "method/rankmethod.h"
#include "utils/builtins.h"
#include "utils/guc.h"
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

/* The budget is looked at, and a cancel, once in this many rows. */
#define CHECK_ROWS 256

/*
 * window_column collects the argument of all rows of the partition.  The server
 * evaluates it in the current context, and leaves there whatever it needed.
 */
static SdcColumn *
window_column(WindowObject window, SdcSpool *spool, SdcType *type)
{
	SdcColumn  *column = sdc_column_create(spool, type->typid);
	MemoryContext scratch = AllocSetContextCreate(CurrentMemoryContext, "sdc window argument",
												  ALLOCSET_DEFAULT_SIZES);
	MemoryContext old = MemoryContextSwitchTo(scratch);
	int64		rows = WinGetPartitionRowCount(window);

	if (rows > PG_INT32_MAX)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("a partition has more than %d rows", PG_INT32_MAX)));
	for (int64 i = 0; i < rows; i++)
	{
		bool		isnull;
		Datum		value = WinGetFuncArgInPartition(window, 0, (int) i, WINDOW_SEEK_HEAD,
													 false, &isnull, NULL);

		if (!isnull && type->typlen == -1)
			value = PointerGetDatum(PG_DETOAST_DATUM_PACKED(value));
		sdc_column_append(column, value, isnull);
		MemoryContextReset(scratch);
		if (i % CHECK_ROWS == 0)
		{
			CHECK_FOR_INTERRUPTS();
			sdc_memory_require(sdc_spool_memory(spool), "a partition of a window function");
		}
	}
	sdc_column_finish(column);
	MemoryContextSwitchTo(old);
	MemoryContextDelete(scratch);
	return column;
}

/* window_checksum returns a checksum of the partition's values. */
static uint64
window_checksum(SdcColumn *column, SdcType *type)
{
	SdcChecksum sum = {SDC_CHECKSUM_INIT};
	SdcColumnReader *reader = sdc_column_open(column);
	int			nest = type->sum == SDC_SUM_TEXT ? sdc_type_pin_settings() : 0;

	for (uint64 r = 0; r < sdc_column_count(column); r++)
	{
		Datum		value;
		bool		valid = sdc_column_next(reader, &value);

		sdc_type_checksum(type, &sum, value, !valid);
	}
	if (type->sum == SDC_SUM_TEXT)
		AtEOXact_GUC(true, nest);
	sdc_column_close(reader);
	return sum.state;
}

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

/* window_method reads the method's parameter from the current row. */
static void
window_method(WindowObject window, SdcRankKind kind, SdcSwapMethod *method,
			  SdcRankParameters *parameters)
{
	bool		isnull;
	Datum		value = WinGetFuncArgCurrent(window, 1, &isnull);

	if (kind == SDC_RANK_BUCKETS)
		parameters->buckets = sdc_rankmethod_check_buckets(value, isnull);
	else
		parameters->percent = sdc_args_check_percent(value, isnull, "p");
	*method = *sdc_rankmethod(kind);
	method->parameters = parameters;
}

/* window_seed reads the seed from the current row; NULL is none. */
static char *
window_seed(WindowObject window)
{
	bool		isnull;
	Datum		value = WinGetFuncArgCurrent(window, 2, &isnull);
	char	   *seed = isnull ? NULL : text_to_cstring(DatumGetTextPP(value));

	sdc_args_check_seed(seed);
	return seed;
}

/* window_compute protects the whole partition. */
static void
window_compute(FunctionCallInfo fcinfo, WindowObject window, SdcRankKind kind,
			   WindowResult *result)
{
	SdcSpool   *spool = sdc_spool_create(UINT64_MAX, 2);
	SdcRankParameters parameters;
	SdcSwapMethod method;
	SdcOrderingTask task = {0};
	SdcArena	arena = {0};
	SdcType		type;
	char		name[32];
	uint64		changed;

	window_type(fcinfo, &type);
	window_method(window, kind, &method, &parameters);
	task.column = window_column(window, spool, &type);
	task.type = &type;
	task.random = sdc_random_create(window_seed(window), method.name);
	snprintf(name, sizeof(name), "window " UINT64_FORMAT,
			 window_checksum(task.column, &type));
	task.attribute = name;
	task.arena = &arena;
	sdc_memory_require(sdc_swap_memory(&task) + 2 * sdc_spool_memory(spool),
					   "a partition of a window function");
	result->reader = sdc_column_open(sdc_swap_in_memory(&task, spool, &method, &changed));
	result->done = true;
	sdc_arena_free(&arena);
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

		window_compute(fcinfo, window, kind, result);
		MemoryContextSwitchTo(old);
	}
	if (!sdc_column_next(result->reader, &value))
		PG_RETURN_NULL();
	PG_RETURN_DATUM(value);
}

/*
 * sdc_rankswap_over(value anyelement, p float8, seed text) RETURNS anyelement
 */
Datum
sdc_rankswap_over(PG_FUNCTION_ARGS)
{
	return window_value(fcinfo, SDC_RANK_STANDARD);
}

/*
 * sdc_rankswap_distribution_over(value anyelement, p float8, seed text)
 *		RETURNS anyelement
 */
Datum
sdc_rankswap_distribution_over(PG_FUNCTION_ARGS)
{
	return window_value(fcinfo, SDC_RANK_DISTRIBUTION);
}

/*
 * sdc_rankswap_buckets_over(value anyelement, buckets int, seed text)
 *		RETURNS anyelement
 */
Datum
sdc_rankswap_buckets_over(PG_FUNCTION_ARGS)
{
	return window_value(fcinfo, SDC_RANK_BUCKETS);
}
