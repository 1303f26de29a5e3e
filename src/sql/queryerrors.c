/*-------------------------------------------------------------------------
 *
 * queryerrors.c
 *		sdc_query_errors, and what is below the view of the same name and below sdc_summary.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"
#include "funcapi.h"
#include "measure/accuracy/queries.h"
#include "relation/catalog/parameters.h"
#include "sql/args.h"
#include "sql/plumbing.h"
#include "sql/qiargs.h"
#include "sql/rows.h"
#include "sql/settings.h"
#include "sql/stored.h"
#include "sql/unitargs.h"
#include "utils/builtins.h"

PG_FUNCTION_INFO_V1(sdc_query_errors);

/* The columns that everybody gets, and those that a report has besides. */
#define COLUMNS 6
#define REPORTED 9

/* measure asks the queries: it is the work of sdc_rows_attempt. */
static void
measure(void *arg)
{
	sdc_queries_measure(arg);
}

/* fill_errors fills in the columns of one number of attributes. */
static void
fill_errors(const SdcWorkloadErrors *errors, Datum *values, bool *nulls)
{
	memset(nulls, errors->queries == 0, sizeof(bool) * REPORTED);
	nulls[0] = nulls[1] = nulls[5] = false;
	values[0] = Int32GetDatum(errors->attributes);
	values[1] = Int32GetDatum((int32) errors->queries);
	values[2] = Float8GetDatum(errors->mean);
	values[3] = Float8GetDatum(errors->median);
	values[4] = Float8GetDatum(errors->p95);
	values[5] = Int64GetDatum((int64) errors->redrawn);
	for (int i = 0; i < REPORTED - COLUMNS; i++)
		values[COLUMNS + i] = Float8GetDatum(errors->other[i]);
}

/* return_errors asks the queries of a workload, and returns a row for every number of attributes. */
static Datum
return_errors(FunctionCallInfo fcinfo, SdcWorkload *workload)
{
	sdc_rows_begin(fcinfo, 0);
	workload->context = CurrentMemoryContext;
	sdc_queries_measure(workload);
	for (int i = 0; i < workload->numbers; i++)
	{
		Datum		values[REPORTED];
		bool		nulls[REPORTED];

		fill_errors(&workload->errors[i], values, nulls);
		sdc_rows_put(fcinfo, values, nulls);
	}
	return (Datum) 0;
}

/*
 * sdc_query_errors(release regclass, queries int, seed "any", qi name[], sensitive name[], weight name)
 *		RETURNS SETOF sdc_query_error_summary
 *
 * sdc_query_errors asks random count queries of a release and of its source.
 */
Datum
sdc_query_errors(PG_FUNCTION_ARGS)
{
	SdcWorkload workload = {0};
	int			queries = PG_ARGISNULL(1) ? sdc_setting_query_workload : PG_GETARG_INT32(1);

	if (queries < 1 || queries > 1000000)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("argument \"queries\" is out of range"),
				 errhint("It is the number of queries for each number of attributes: between 1 and 1000000.")));
	workload.queries = (uint32) queries;
	workload.seed = sdc_args_seed(fcinfo, 2);
	sdc_qiargs_read(fcinfo, 3, 4, &workload.release);
	workload.release.weight = sdc_unitargs_weighted(fcinfo, 5);
	return return_errors(fcinfo, &workload);
}

/* fill_kept fills in the columns of one number of attributes, as they are kept. */
static void
fill_kept(JsonbContainer *row, Datum *values, bool *nulls)
{
	static const char *const name[REPORTED] = {
		"attributes", "queries", "mean_error", "median_error", "p95_error", "redrawn", "p05_error", "p25_error", "p75_error"
	};
	double		number[REPORTED] = {0};

	for (int j = 0; j < REPORTED; j++)
		nulls[j] = !sdc_evaluations_number(row, name[j], &number[j]);
	values[0] = Int32GetDatum((int32) sdc_stored_whole(number[0], PG_INT32_MAX));
	values[1] = Int32GetDatum((int32) sdc_stored_whole(number[1], PG_INT32_MAX));
	for (int j = 2; j < REPORTED; j++)
		values[j] = Float8GetDatum(number[j]);
	values[5] = Int64GetDatum(sdc_stored_whole(number[5], PG_INT64_MAX));
}

/* return_kept returns what is kept, if as many queries were asked. */
static bool
return_kept(FunctionCallInfo fcinfo)
{
	Jsonb	   *kept = sdc_stored_kept(sdc_args_relation(fcinfo, 0, "release"), false);
	JsonbContainer *part = kept == NULL ? NULL : sdc_parameters_child(&kept->root, "query_errors");
	JsonbContainer *row;
	double		queries;

	if (!sdc_evaluations_number(part, "queries", &queries) || queries != sdc_setting_query_workload)
		return false;
	sdc_rows_begin(fcinfo, 0);
	for (int i = 0; (row = sdc_stored_row(part, i)) != NULL; i++)
	{
		Datum		values[REPORTED];
		bool		nulls[REPORTED];

		fill_kept(row, values, nulls);
		sdc_rows_put(fcinfo, values, nulls);
	}
	return true;
}

/*
 * sdc_private.summary_counts(release regclass)
 *		RETURNS TABLE (attributes int, queries int, mean_error float8, median_error float8, p95_error float8,
 *					   redrawn bigint, p05_error float8, p25_error float8, p75_error float8)
 *
 * sdc_private.summary_counts returns the errors of a release by the settings, of always the same queries: those that
 * sdc_evaluate asks, too.
 */
SDC_PLUMBING(summary_counts)
{
	SdcWorkload workload = {0};

	if (return_kept(fcinfo))
		return (Datum) 0;
	workload.queries = (uint32) sdc_setting_query_workload;
	workload.seed = SDC_QUERIES_SEED;
	sdc_qiargs_read(fcinfo, 0, 0, &workload.release);
	workload.release.weight.wanted = true;
	return return_errors(fcinfo, &workload);
}

/* put_stored returns the errors that are kept of a release, or the reason why there are none. */
static void
put_stored(FunctionCallInfo fcinfo, const SdcStored *stored)
{
	JsonbContainer *part = sdc_stored_part(stored, "query_errors");
	char	   *problem = sdc_stored_problem(stored, "query_errors");
	JsonbContainer *row;

	if (sdc_stored_row(part, 0) == NULL && problem != NULL)
		sdc_stored_put_problem(fcinfo, stored, problem, COLUMNS, COLUMNS + 2);
	for (int i = 0; (row = sdc_stored_row(part, i)) != NULL; i++)
	{
		Datum		values[REPORTED];
		bool		nulls[REPORTED];

		fill_kept(row, values, nulls);
		sdc_stored_put_rest(stored, problem, values + COLUMNS, nulls + COLUMNS);
		sdc_rows_put(fcinfo, values, nulls);
	}
}

/* put_now measures the errors of a release by the settings, or says why there are none. */
static void
put_now(FunctionCallInfo fcinfo, const SdcStored *stored)
{
	SdcWorkload workload = {0};
	char	   *problem;

	workload.queries = (uint32) sdc_setting_query_workload;
	workload.seed = SDC_QUERIES_SEED;
	sdc_qiargs_read(fcinfo, 0, 0, &workload.release);
	workload.release.weight.wanted = true;
	workload.release.unnamed = true;
	workload.context = CurrentMemoryContext;
	if (!sdc_rows_attempt(measure, &workload, &problem))
		return;
	if (problem != NULL)
		sdc_stored_put_problem(fcinfo, stored, problem, COLUMNS, COLUMNS + 2);
	for (int i = 0; i < workload.numbers && problem == NULL; i++)
	{
		Datum		values[REPORTED];
		bool		nulls[REPORTED];

		fill_errors(&workload.errors[i], values, nulls);
		sdc_stored_put_rest(stored, NULL, values + COLUMNS, nulls + COLUMNS);
		sdc_rows_put(fcinfo, values, nulls);
	}
}

/*
 * sdc_private.stored_query_errors(release regclass) RETURNS SETOF record
 *
 * It returns the errors of a release, as they are kept or by the settings, or the reason why
 * there are none; no row when the caller may not read the release or its source.
 */
SDC_PLUMBING(stored_query_errors)
{
	SdcStored	stored;

	sdc_rows_begin(fcinfo, 0);
	sdc_stored_check(fcinfo, &stored);
	sdc_stored_setting(&stored, "query_errors", "queries", sdc_setting_query_workload);
	sdc_stored_put_answer(fcinfo, &stored, put_stored, put_now, COLUMNS, COLUMNS + 2);
	return (Datum) 0;
}
