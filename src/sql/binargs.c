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
#include "relation/catalog/methods.h"
#include "sql/args.h"
#include "sql/binargs.h"
#include "utils/array.h"
#include "utils/builtins.h"

/* What a box is cut by has no default. */
#define BOXES_HINT "It is into how many intervals the range of every column is cut: at least 1; usual are 5 to 50.  Or give \"widths\", one for each column, in its unit.  Fewer intervals and larger widths protect more."

static const char *const methods[] = {
	[SDC_BIN_EQUIDEPTH] = SDC_METHOD_EQUIDEPTH,
	[SDC_BIN_EQUIWIDTH] = SDC_METHOD_EQUIWIDTH,
	NULL
};

/* sdc_binargs_method reads which kind of bins is meant. */
SdcBinKind
sdc_binargs_method(FunctionCallInfo fcinfo, int number)
{
	return (SdcBinKind) sdc_args_word(fcinfo, number, "method", methods);
}

/* sdc_binargs_depth reads how many records a bin has at least. */
uint32
sdc_binargs_depth(FunctionCallInfo fcinfo, int number)
{
	sdc_args_choose(PG_ARGISNULL(number), "depth",
					"It is how many records a bin has at least: at least 2.  Usual are 5 to 50; a larger depth protects more.");
	if (PG_GETARG_INT32(number) < 2)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("argument \"depth\" is out of range"),
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

/* read_widths reads one width for each named column. */
static void
read_widths(FunctionCallInfo fcinfo, int number, SdcBinRequest *request)
{
	ArrayType  *array = PG_GETARG_ARRAYTYPE_P(number);
	int			count = ArrayGetNItems(ARR_NDIM(array), ARR_DIMS(array));
	Datum	   *elements;
	bool	   *nulls;
	double	   *widths;

	if (request->columns == NIL || ARR_NDIM(array) > 1 || count != list_length(request->columns))
		ereport(ERROR,
				(errcode(ERRCODE_ARRAY_SUBSCRIPT_ERROR),
				 errmsg("argument \"widths\" has the wrong length"),
				 errhint("It has one width for each column that argument \"columns\" names: %d.",
						 list_length(request->columns))));
	deconstruct_array(array, FLOAT8OID, sizeof(float8), FLOAT8PASSBYVAL, TYPALIGN_DOUBLE,
					  &elements, &nulls, &count);
	widths = palloc(sizeof(double) * count);
	for (int i = 0; i < count; i++)
	{
		widths[i] = nulls[i] ? NAN : DatumGetFloat8(elements[i]);
		if (isnan(widths[i]) || isinf(widths[i]) || widths[i] <= 0)
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("element %d of argument \"widths\" is out of range", i + 1),
					 errhint("A width is above 0 and finite, in the unit of its column; days for dates, seconds for times.")));
	}
	request->width_count = count;
	request->widths = widths;
}

/* sdc_binargs_boxes reads how the boxes of a grid are cut. */
void
sdc_binargs_boxes(FunctionCallInfo fcinfo, int intervals, bool unnamed, SdcBinRequest *request)
{
	bool		has_widths = !PG_ARGISNULL(intervals + 1);

	if (has_widths)
		read_widths(fcinfo, intervals + 1, request);
	if (has_widths && !unnamed)
	{
		if (!PG_ARGISNULL(intervals))
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("arguments \"intervals\" and \"widths\" cannot be used together"),
					 errhint("All columns that are swapped have a width.")));
		return;
	}
	sdc_args_choose(PG_ARGISNULL(intervals), "intervals",
					has_widths ? "With complement => 'swap' it is for the columns that have no width: at least 1; fewer intervals protect more." :
					BOXES_HINT);
	request->intervals = sdc_binargs_intervals(fcinfo, intervals);
}
