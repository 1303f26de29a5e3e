/*-------------------------------------------------------------------------
 *
 * howaccurate.c
 *		sdc_how_accurate: between which numbers a count of the source is, by what was published.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "fmgr.h"
#include "measure/accuracy/howaccurate.h"
#include "relation/catalog/catalogtable.h"
#include "sql/args.h"
#include "sql/rows.h"
#include "utils/builtins.h"

PG_FUNCTION_INFO_V1(sdc_how_accurate);

/* What can be asked for. */
static const char *const statistics[] = {
	[SDC_ESTIMATE_COUNT] = "count",
	[SDC_ESTIMATE_SUM] = "sum",
	[SDC_ESTIMATE_AVG] = "avg",
	NULL
};

/* put_cell returns a cell; arg is that of the function. */
static void
put_cell(void *arg, const SdcAccurateCell *cell)
{
	const double number[] = {cell->released, cell->estimate, cell->low, cell->high};
	Datum		values[lengthof(number) + 3];
	bool		nulls[lengthof(number) + 3] = {false};

	values[0] = cell->cell;
	for (int i = 0; i < (int) lengthof(number); i++)
	{
		values[i + 1] = Float8GetDatum(number[i]);
		nulls[i + 1] = isnan(number[i]);
	}
	values[lengthof(number) + 1] = CStringGetTextDatum(cell->kind);
	nulls[lengthof(number) + 2] = cell->why == NULL;
	values[lengthof(number) + 2] = cell->why == NULL ? (Datum) 0 : CStringGetTextDatum(cell->why);
	sdc_rows_put(arg, values, nulls);
}

/* read_confidence reads the argument. */
static double
read_confidence(FunctionCallInfo fcinfo, int number)
{
	double		confidence;

	sdc_args_require(fcinfo, number, "confidence");
	confidence = PG_GETARG_FLOAT8(number);
	if (!(confidence > 0 && confidence < 1))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("argument \"confidence\" must be above 0 and below 1"),
				 errhint("It is a probability, such as 0.95.")));
	return confidence;
}

/*
 * sdc_how_accurate(publication regclass, condition text, by name[], statistic text, measure name, confidence float8)
 *		RETURNS TABLE (cell jsonb, released float8, estimate float8, low float8, high float8, kind text, why text)
 */
Datum
sdc_how_accurate(PG_FUNCTION_ARGS)
{
	SdcAccurateRequest request = {.condition = "true", .emit = put_cell, .arg = fcinfo};

	request.catalog_schema = sdc_catalogtable_schema();
	request.relid = sdc_args_relation(fcinfo, 0, "publication");
	if (!PG_ARGISNULL(1))
		request.condition = text_to_cstring(PG_GETARG_TEXT_PP(1));
	(void) sdc_args_names(fcinfo, 2, "by", &request.by);
	request.statistic = (SdcStatisticKind) sdc_args_word(fcinfo, 3, "statistic", statistics);
	if (!PG_ARGISNULL(4))
		request.measure = pstrdup(NameStr(*PG_GETARG_NAME(4)));
	if ((request.statistic == SDC_ESTIMATE_COUNT) != (request.measure == NULL))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("argument \"measure\" must be given for a sum or an average, and not for a count")));
	request.confidence = read_confidence(fcinfo, 5);
	sdc_rows_begin(fcinfo, 0);
	sdc_howaccurate_measure(&request);
	return (Datum) 0;
}
