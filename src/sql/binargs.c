/*-------------------------------------------------------------------------
 *
 * binargs.c
 *		The arguments that say how records are partitioned into bins.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_type.h"
#include "sql/args.h"
#include "sql/binargs.h"
#include "utils/array.h"
#include "utils/builtins.h"

/* sdc_binargs_method reads which kind of bins is meant. */
SdcBinKind
sdc_binargs_method(FunctionCallInfo fcinfo, int number)
{
	char	   *method;

	sdc_args_require(fcinfo, number, "method");
	method = text_to_cstring(PG_GETARG_TEXT_PP(number));
	if (strcmp(method, "equidepth") == 0)
		return SDC_BIN_EQUIDEPTH;
	if (strcmp(method, "equiwidth") == 0)
		return SDC_BIN_EQUIWIDTH;
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("argument \"method\" is not known"),
			 errhint("It is equidepth or equiwidth.")));
	return SDC_BIN_EQUIDEPTH;	/* not reached */
}

/* sdc_binargs_k reads how many records a bin has at least. */
uint32
sdc_binargs_k(FunctionCallInfo fcinfo, int number)
{
	sdc_args_require(fcinfo, number, "k");
	if (PG_GETARG_INT32(number) < 2)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("argument \"k\" is out of range"),
				 errhint("It is how many records a bin has at least: at least 2.")));
	return (uint32) PG_GETARG_INT32(number);
}

/* sdc_binargs_intervals reads into how many intervals a range is cut. */
uint32
sdc_binargs_intervals(FunctionCallInfo fcinfo, int number)
{
	sdc_args_require(fcinfo, number, "intervals");
	if (PG_GETARG_INT32(number) < 1)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("argument \"intervals\" is out of range"),
				 errhint("It is into how many intervals the range of every column is cut: at least 1.")));
	return (uint32) PG_GETARG_INT32(number);
}

/* sdc_binargs_widths reads one width for each named column. */
void
sdc_binargs_widths(FunctionCallInfo fcinfo, int number, SdcBinRequest *request)
{
	ArrayType  *array = PG_GETARG_ARRAYTYPE_P(number);
	int			count = ArrayGetNItems(ARR_NDIM(array), ARR_DIMS(array));
	Datum	   *elements;
	bool	   *nulls;
	double	   *width;

	if (request->columns == NIL || ARR_NDIM(array) > 1 || count != list_length(request->columns))
		ereport(ERROR,
				(errcode(ERRCODE_ARRAY_SUBSCRIPT_ERROR),
				 errmsg("argument \"width\" has the wrong length"),
				 errhint("It has one width for each column that argument \"columns\" names: %d.",
						 list_length(request->columns))));
	deconstruct_array(array, FLOAT8OID, sizeof(float8), FLOAT8PASSBYVAL, TYPALIGN_DOUBLE,
					  &elements, &nulls, &count);
	width = palloc(sizeof(double) * count);
	for (int i = 0; i < count; i++)
	{
		width[i] = nulls[i] ? NAN : DatumGetFloat8(elements[i]);
		if (isnan(width[i]) || isinf(width[i]) || width[i] <= 0)
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("element %d of argument \"width\" is out of range", i + 1),
					 errhint("A width is above 0 and finite, in the unit of its column; days for dates, seconds for times.")));
	}
	request->widths = count;
	request->width = width;
}
