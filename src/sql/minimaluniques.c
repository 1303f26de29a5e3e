/*-------------------------------------------------------------------------
 *
 * minimaluniques.c
 *		sdc_minimal_uniques: for every record the smallest sets of columns that make it unique.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_type.h"
#include "fmgr.h"
#include "funcapi.h"
#include "measure/groups/minimaluniques.h"
#include "sql/args.h"
#include "sql/rows.h"
#include "sql/unitargs.h"
#include "utils/array.h"
#include "utils/builtins.h"

PG_FUNCTION_INFO_V1(sdc_minimal_uniques);

/* A row, and where it goes. */
typedef struct Rows
{
	FunctionCallInfo fcinfo;
	bool		with_dis;
} Rows;

/* put_record returns (record, sizes, score, dis_score, column_scores). */
static void
put_record(void *arg, const SdcUniquesRecord *record)
{
	const Rows *rows = arg;
	Datum	   *element = palloc(sizeof(Datum) * (Size) Max(record->sizes, record->columns));
	Datum		values[5];
	bool		nulls[5] = {false};

	values[0] = CStringGetTextDatum(record->record);
	for (int s = 0; s < record->sizes; s++)
		element[s] = Int32GetDatum((int32) record->size[s]);
	values[1] = PointerGetDatum(construct_array(element, record->sizes, INT4OID, sizeof(int32), true,
												TYPALIGN_INT));
	values[2] = Int64GetDatum((int64) record->score);
	values[3] = Float8GetDatum(record->dis);
	nulls[3] = !rows->with_dis;
	for (int j = 0; j < record->columns; j++)
		element[j] = Int64GetDatum((int64) record->part[j]);
	values[4] = PointerGetDatum(construct_array(element, record->columns, INT8OID, sizeof(int64),
												FLOAT8PASSBYVAL, TYPALIGN_DOUBLE));
	sdc_rows_put(rows->fcinfo, values, nulls);
}

/* read_max_size reads the argument max_size. */
static int
read_max_size(FunctionCallInfo fcinfo, int number)
{
	sdc_args_require(fcinfo, number, "max_size");
	if (PG_GETARG_INT32(number) < 1)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("argument \"max_size\" is out of range"),
				 errhint("It is how many columns a set has at most: at least 1.")));
	return PG_GETARG_INT32(number);
}

/* read_request reads the arguments. */
static void
read_request(FunctionCallInfo fcinfo, SdcUniquesRequest *request)
{
	request->relid = sdc_args_relation(fcinfo, 0, "relation");
	sdc_args_require(fcinfo, 1, "columns");
	(void) sdc_args_names(fcinfo, 1, "columns", &request->columns);
	if (request->columns == NIL)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("argument \"columns\" must name at least one column")));
	request->max_size = read_max_size(fcinfo, 2);
	request->fraction = PG_ARGISNULL(3) ? 0 : sdc_args_fraction(fcinfo, 3);
	request->key_given = sdc_args_names(fcinfo, 4, "key", &request->key);
	sdc_uniques_check(request);
	request->unit = sdc_unitargs_counted(fcinfo, 5, request->relid, request->columns, "columns", NULL);
}

/*
 * sdc_minimal_uniques(relation regclass, columns name[], max_size int, fraction float8, key name[], unit name[])
 *		RETURNS TABLE (record text, sizes int[], score bigint, dis_score float8, column_scores bigint[])
 */
Datum
sdc_minimal_uniques(PG_FUNCTION_ARGS)
{
	SdcUniquesRequest request = {0};
	Rows		rows;

	read_request(fcinfo, &request);
	sdc_rows_begin(fcinfo, 0);
	rows.fcinfo = fcinfo;
	rows.with_dis = request.fraction > 0;
	sdc_uniques_find(&request, put_record, &rows);
	return (Datum) 0;
}
