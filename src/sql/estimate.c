/*-------------------------------------------------------------------------
 *
 * estimate.c
 *		sdc_estimate: what the source is, estimated from a published table.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_type.h"
#include "fmgr.h"
#include "funcapi.h"
#include "measure/accuracy/estimate.h"
#include "relation/catalog/catalogtable.h"
#include "sql/args.h"
#include "sql/rows.h"
#include "sql/unitargs.h"
#include "utils/builtins.h"

PG_FUNCTION_INFO_V1(sdc_estimate_relation);
PG_FUNCTION_INFO_V1(sdc_estimate_name);

/* What is estimated. */
static const char *const statistics[] = {
	[SDC_ESTIMATE_COUNT] = "count",
	[SDC_ESTIMATE_SUM] = "sum",
	[SDC_ESTIMATE_AVG] = "avg",
	NULL
};

/* read_statistic reads what is estimated: a sum of a measure, where nothing is said. */
static SdcStatisticKind
read_statistic(FunctionCallInfo fcinfo, int number, bool measured)
{
	SdcStatisticKind statistic;

	if (PG_ARGISNULL(number))
		return measured ? SDC_ESTIMATE_SUM : SDC_ESTIMATE_COUNT;
	statistic = (SdcStatisticKind) sdc_args_word(fcinfo, number, "statistic", statistics);
	if (statistic != SDC_ESTIMATE_COUNT && !measured)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("argument \"measure\" must be given"),
				 errhint("It names the column of numbers of which there is a sum or an average.")));
	return statistic;
}

/* read_drawing reads how the columns in qi were drawn, as far as it is said. */
static void
read_drawing(FunctionCallInfo fcinfo, SdcEstimateRequest *request)
{
	bool		given = !PG_ARGISNULL(5) || !PG_ARGISNULL(6) || !PG_ARGISNULL(10);

	if (given || !PG_ARGISNULL(1))
		request->qi = sdc_args_qi(fcinfo, 1);
	request->probability = sdc_args_probabilities(fcinfo, 5, list_length(request->qi));
	request->draws = sdc_args_draws(fcinfo, 6, list_length(request->qi));
	request->retain = PG_ARGISNULL(10) ? 0 : sdc_args_retain(fcinfo, 10);
	if ((request->draws > 0) + (request->probability != NULL) + (request->retain > 0) > 1)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("arguments \"%s\" and \"%s\" cannot be used together",
						request->draws > 0 ? "draws" : "retain",
						request->probability != NULL ? "probabilities" : "retain")));
	request->strata_given = sdc_args_names(fcinfo, 8, "strata", &request->strata);
}

/* put_cell returns a cell; arg is that of the function. */
static void
put_cell(void *arg, const SdcEstimatedCell *cell)
{
	const double number[] = {cell->estimate.estimate, cell->estimate.standard_error,
	cell->estimate.low, cell->estimate.high, cell->estimate.raw};
	Datum		values[lengthof(number) + 1];
	bool		nulls[lengthof(number) + 1] = {false};

	values[0] = cell->cell;
	for (int i = 0; i < (int) lengthof(number); i++)
	{
		values[i + 1] = Float8GetDatum(number[i]);
		nulls[i + 1] = isnan(number[i]);
	}
	sdc_rows_put(arg, values, nulls);
}

/* estimate reads the arguments but the relation, and returns the rows. */
static Datum
estimate(FunctionCallInfo fcinfo, Oid relid)
{
	SdcEstimateRequest request = {0};
	const char *why;

	request.catalog_schema = sdc_catalogtable_schema();
	request.relid = relid;
	request.conditions = sdc_args_texts(fcinfo, 2, "conditions");
	if (!PG_ARGISNULL(3))
		request.measure = pstrdup(NameStr(*PG_GETARG_NAME(3)));
	request.statistic = read_statistic(fcinfo, 4, request.measure != NULL);
	read_drawing(fcinfo, &request);
	(void) sdc_args_names(fcinfo, 7, "by", &request.by);
	request.weight = sdc_unitargs_weighted(fcinfo, 9);
	request.emit = put_cell;
	request.arg = fcinfo;
	sdc_rows_begin(fcinfo, 0);
	why = sdc_estimate_measure(&request);
	if (why != NULL)
		ereport(WARNING,
				(errcode(ERRCODE_WARNING),
				 errmsg("the standard error of the estimate is not known"),
				 errdetail("%s", why)));
	return (Datum) 0;
}

/*
 * sdc_estimate(relation regclass, qi name[], conditions text[], measure name, statistic text,
 *				probabilities float8[], draws int, by name[], strata name[], weight name, retain float8)
 *		RETURNS TABLE (cell jsonb, estimate float8, standard_error float8, low float8, high float8,
 *					   raw float8)
 */
Datum
sdc_estimate_relation(PG_FUNCTION_ARGS)
{
	return estimate(fcinfo, sdc_args_relation(fcinfo, 0, "relation"));
}

/* sdc_estimate(relation text, ...): the same for a relation that is named. */
Datum
sdc_estimate_name(PG_FUNCTION_ARGS)
{
	return estimate(fcinfo, sdc_args_relation_text(fcinfo, 0));
}
