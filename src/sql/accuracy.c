/*-------------------------------------------------------------------------
 *
 * accuracy.c
 *		sdc_statistic_errors, sdc_cell_errors, sdc_regression_errors, sdc_distinguishability.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "fmgr.h"
#include "funcapi.h"
#include "measure/accuracy/cellerrors.h"
#include "measure/accuracy/distinguish.h"
#include "measure/accuracy/regressionerrors.h"
#include "measure/accuracy/statisticerrors.h"
#include "relation/base/names.h"
#include "relation/catalog/catalogtable.h"
#include "sql/args.h"
#include "sql/rows.h"
#include "sql/unitargs.h"
#include "utils/builtins.h"

PG_FUNCTION_INFO_V1(sdc_statistic_errors);
PG_FUNCTION_INFO_V1(sdc_cell_errors);
PG_FUNCTION_INFO_V1(sdc_regression_errors);
PG_FUNCTION_INFO_V1(sdc_distinguishability);

/* Names of SdcCellState. */
static const char *const cell_states[] = {
	[SDC_CELL_BOTH] = "both",
	[SDC_CELL_LOST] = "lost",
	[SDC_CELL_ARTIFICIAL] = "artificial"
};

/* set_numbers sets columns of a row to numbers, NaN being NULL. */
static void
set_numbers(Datum *values, bool *nulls, const double *number, int count)
{
	for (int i = 0; i < count; i++)
	{
		values[i] = Float8GetDatum(number[i]);
		nulls[i] = isnan(number[i]);
	}
}

/* put_statistic returns a statistic; arg is the call. */
static void
put_statistic(void *arg, const SdcStatisticError *error)
{
	const double number[] = {error->original, error->protected, error->relative_error,
	error->standard_error};
	NameData	name;
	Datum		values[6];
	bool		nulls[6] = {false};

	namestrcpy(&name, error->column);
	values[0] = NameGetDatum(&name);
	values[1] = CStringGetTextDatum(error->statistic);
	set_numbers(values + 2, nulls + 2, number, lengthof(number));
	sdc_rows_put(arg, values, nulls);
}

/*
 * sdc_statistic_errors(release regclass, weight name)
 *		RETURNS TABLE (attribute name, statistic text, original float8, protected float8,
 *					   relative_error float8, standard_error float8)
 */
Datum
sdc_statistic_errors(PG_FUNCTION_ARGS)
{
	Oid			release = sdc_args_relation(fcinfo, 0, "release");

	SdcWeightRequest weight = sdc_unitargs_weighted(fcinfo, 1);

	sdc_rows_begin(fcinfo, 0);
	sdc_statisticerrors_measure(sdc_catalogtable_schema(), release, &weight, put_statistic, fcinfo);
	return (Datum) 0;
}

/* put_cell returns a statistic of a cell; arg is the call. */
static void
put_cell(void *arg, const SdcCellError *error)
{
	const double number[] = {error->original, error->protected, error->relative_error,
	error->overlap};
	Datum		values[7];
	bool		nulls[7] = {false};

	values[0] = error->cell;
	values[1] = CStringGetTextDatum(error->statistic);
	set_numbers(values + 2, nulls + 2, number, lengthof(number));
	values[6] = CStringGetTextDatum(cell_states[error->state]);
	sdc_rows_put(arg, values, nulls);
	/* there may be as many cells as records */
	pfree(DatumGetPointer(values[1]));
	pfree(DatumGetPointer(values[6]));
}

/* read_columns reads an argument that names columns: at least one. */
static List *
read_columns(FunctionCallInfo fcinfo, int number, const char *name)
{
	List	   *columns;

	sdc_args_require(fcinfo, number, name);
	(void) sdc_args_names(fcinfo, number, name, &columns);
	if (columns == NIL)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("argument \"%s\" must name at least one column", name)));
	return columns;
}

/*
 * sdc_cell_errors(release regclass, by name[], measure name, weight name)
 *		RETURNS TABLE (cell jsonb, statistic text, original float8, protected float8,
 *					   relative_error float8, overlap float8, state text)
 */
Datum
sdc_cell_errors(PG_FUNCTION_ARGS)
{
	SdcCellErrorsRequest request = {0};

	request.catalog_schema = sdc_catalogtable_schema();
	request.release = sdc_args_relation(fcinfo, 0, "release");
	request.by = read_columns(fcinfo, 1, "by");
	if (!PG_ARGISNULL(2))
		request.measure = pstrdup(NameStr(*PG_GETARG_NAME(2)));
	request.weight = sdc_unitargs_weighted(fcinfo, 3);
	request.emit = put_cell;
	request.arg = fcinfo;
	sdc_rows_begin(fcinfo, 0);
	sdc_cellerrors_measure(&request);
	return (Datum) 0;
}

/* put_term returns a coefficient; arg is the call. */
static void
put_term(void *arg, const SdcRegressionError *error)
{
	const double number[] = {error->original, error->original_error, error->protected,
	error->protected_error, error->relative_error, error->overlap};
	Datum		values[7];
	bool		nulls[7] = {false};

	values[0] = CStringGetTextDatum(error->term == NULL ? "(intercept)" : error->term);
	set_numbers(values + 1, nulls + 1, number, lengthof(number));
	sdc_rows_put(arg, values, nulls);
}

/*
 * sdc_regression_errors(release regclass, y name, x name[])
 *		RETURNS TABLE (term text, original float8, original_error float8, protected float8,
 *					   protected_error float8, relative_error float8, overlap float8)
 */
Datum
sdc_regression_errors(PG_FUNCTION_ARGS)
{
	SdcRegressionErrorsRequest request = {0};

	request.catalog_schema = sdc_catalogtable_schema();
	request.release = sdc_args_relation(fcinfo, 0, "release");
	sdc_args_require(fcinfo, 1, "y");
	request.y = pstrdup(NameStr(*PG_GETARG_NAME(1)));
	request.x = read_columns(fcinfo, 2, "x");
	if (sdc_names_have(request.x, request.y))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("column \"%s\" cannot be named in both \"y\" and \"x\"", request.y)));
	request.emit = put_term;
	request.arg = fcinfo;
	sdc_rows_begin(fcinfo, 0);
	sdc_regressionerrors_measure(&request);
	return (Datum) 0;
}

/*
 * sdc_distinguishability(release regclass, columns name[], pairs boolean)
 *		RETURNS TABLE (r2 float8, pmse float8, rank int, chance float8)
 */
Datum
sdc_distinguishability(PG_FUNCTION_ARGS)
{
	SdcDistinguishRequest request = {0};
	SdcDistinguished result;
	Datum		values[4] = {0};
	bool		nulls[4] = {false};

	request.catalog_schema = sdc_catalogtable_schema();
	request.release = sdc_args_relation(fcinfo, 0, "release");
	request.given = !PG_ARGISNULL(1);
	if (request.given)
		request.columns = read_columns(fcinfo, 1, "columns");
	sdc_args_require(fcinfo, 2, "pairs");
	request.pairs = PG_GETARG_BOOL(2);
	sdc_rows_begin(fcinfo, 0);
	if (sdc_distinguish_measure(&request, &result))
	{
		values[0] = Float8GetDatum(result.r2);
		values[1] = Float8GetDatum(result.pmse);
		values[2] = Int32GetDatum((int32) result.rank);
		values[3] = Float8GetDatum(result.chance);
	}
	else
		memset(nulls, true, sizeof(nulls));
	sdc_rows_put(fcinfo, values, nulls);
	return (Datum) 0;
}
