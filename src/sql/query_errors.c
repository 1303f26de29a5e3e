/*-------------------------------------------------------------------------
 *
 * query_errors.c
 *		sdc_query_errors, and what is below the view of the same name.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"
#include "funcapi.h"
#include "sql/args.h"
#include "sql/comparisonargs.h"
#include "relation/memory.h"
#include "relation/random.h"
#include "relation/attempt.h"
#include "sql/settings.h"
#include "utils/builtins.h"

PG_FUNCTION_INFO_V1(sdc_query_errors);
PG_FUNCTION_INFO_V1(sdc_query_errors_internal);

#define METHOD "query_errors"
#define PURPOSE "workload"

/* The view asks the same queries of all releases of a source, every time. */
#define VIEW_SEED "sdc_query_errors"

#define COLUMNS 6

/* A workload on a release. */
typedef struct Workload
{
	FunctionCallInfo fcinfo;
	SdcComparisonRequest request;
	uint32		queries;
	char	   *seed;
	MemoryContext context;		/* of the results */
	SdcRandom  *random;
	int			numbers;		/* of attributes: so many results */
	SdcQueryErrors *result;
} Workload;

/* workload_stream starts the stream of the queries with so many attributes. */
static SdcStream *
workload_stream(void *arg, int attributes)
{
	Workload   *workload = arg;

	return sdc_random_start(workload->random, "", PURPOSE, (uint64) attributes);
}

/* query_attributes describes columns to the kernel. */
static SdcQueryAttribute *
query_attributes(const SdcComparedColumn *column, int count)
{
	SdcQueryAttribute *attribute = palloc0(sizeof(SdcQueryAttribute) * Max(count, 1));

	for (int i = 0; i < count; i++)
	{
		attribute[i].original = column[i].original->code;
		attribute[i].masked = column[i].masked == NULL ? NULL : column[i].masked->code;
		attribute[i].codes = column[i].codes;
		attribute[i].range = column[i].kind != SDC_VALUE_NOMINAL;
	}
	return attribute;
}

/* run_workload reads the release and asks the queries; the results are in workload->context. */
static void
run_workload(void *arg)
{
	Workload   *workload = arg;
	SdcComparison *comparison = sdc_comparison_open(&workload->request);
	SdcQueryTask task = {0};

	workload->random = sdc_random_create(workload->seed, METHOD);
	task.records = comparison->records;
	task.kind = comparison->kind;
	task.attributes = comparison->qi_count;
	task.qi = query_attributes(comparison->qi, comparison->qi_count);
	task.sensitives = comparison->sensitive_count;
	task.sensitive = query_attributes(comparison->sensitive, comparison->sensitive_count);
	task.group = comparison->group;
	task.groups = comparison->groups;
	task.queries = workload->queries;
	task.stream = workload_stream;
	task.arg = workload;
	task.memory = sdc_comparison_rest(comparison);
	sdc_memory_require(comparison->memory + sdc_queries_memory(&task), "measuring query errors");
	workload->numbers = sdc_queries_numbers(&task);
	workload->result = MemoryContextAlloc(workload->context,
										  sizeof(SdcQueryErrors) * workload->numbers);
	sdc_queries_run(&task, workload->result);
	sdc_random_verify(workload->random);
	sdc_comparison_close(comparison);
}

/* fill_result fills in the columns of one number of attributes. */
static void
fill_result(const SdcQueryErrors *result, Datum *values, bool *nulls)
{
	memset(nulls, false, sizeof(bool) * COLUMNS);
	values[0] = Int32GetDatum(result->attributes);
	values[1] = Int32GetDatum((int32) result->queries);
	values[2] = Float8GetDatum(result->mean);
	values[3] = Float8GetDatum(result->median);
	values[4] = Float8GetDatum(result->p95);
	values[5] = Int64GetDatum((int64) result->redrawn);
	nulls[2] = nulls[3] = nulls[4] = result->queries == 0;
}

/*
 * sdc_query_errors(release regclass, queries int, seed "any", qi name[], sensitive name[])
 *		RETURNS SETOF sdc_query_error_summary
 *
 * sdc_query_errors asks random count queries of a release and of its source.
 */
Datum
sdc_query_errors(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *result = (ReturnSetInfo *) fcinfo->resultinfo;
	Workload	workload = {0};
	int			queries = PG_ARGISNULL(1) ? sdc_setting_query_workload : PG_GETARG_INT32(1);

	if (queries < 1 || queries > 1000000)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("argument \"queries\" is out of range"),
				 errhint("It is the number of queries for each number of attributes: between 1 and 1000000.")));
	workload.queries = (uint32) queries;
	workload.seed = sdc_args_seed(fcinfo, 2);
	sdc_comparisonargs_read(fcinfo, 3, 4, &workload.request);
	sdc_args_result(fcinfo, 0);
	workload.context = CurrentMemoryContext;
	run_workload(&workload);
	for (int i = 0; i < workload.numbers; i++)
	{
		Datum		values[COLUMNS];
		bool		nulls[COLUMNS];

		fill_result(&workload.result[i], values, nulls);
		tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
	}
	return (Datum) 0;
}

/*
 * sdc_query_errors_internal(release regclass) RETURNS SETOF record
 *
 * sdc_query_errors_internal returns the errors of a release by the settings, or the reason why there
 * are none; no row when the caller may not read the release or its source.
 */
Datum
sdc_query_errors_internal(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *result = (ReturnSetInfo *) fcinfo->resultinfo;
	Workload	workload = {0};
	Datum		values[COLUMNS + 1] = {0};
	bool		nulls[COLUMNS + 1];
	ErrorData  *error;

	workload.queries = (uint32) sdc_setting_query_workload;
	workload.seed = pstrdup(VIEW_SEED);
	sdc_comparisonargs_read(fcinfo, 0, 0, &workload.request);
	workload.request.unnamed = true;
	sdc_args_result(fcinfo, 0);
	workload.context = CurrentMemoryContext;
	error = sdc_attempt(run_workload, &workload);
	if (error != NULL && error->sqlerrcode == ERRCODE_INSUFFICIENT_PRIVILEGE)
		return (Datum) 0;
	nulls[COLUMNS] = error == NULL;
	if (error != NULL)
	{
		memset(nulls, true, sizeof(bool) * COLUMNS);
		values[COLUMNS] = CStringGetTextDatum(error->message);
		tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
		return (Datum) 0;
	}
	for (int i = 0; i < workload.numbers; i++)
	{
		fill_result(&workload.result[i], values, nulls);
		tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
	}
	return (Datum) 0;
}
