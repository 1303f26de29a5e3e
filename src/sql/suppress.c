/*-------------------------------------------------------------------------
 *
 * suppress.c
 *		sdc_suppress.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_type.h"
#include "fmgr.h"
#include "method/groups/suppress.h"
#include "sql/args.h"
#include "sql/forms.h"
#include "sql/stepargs.h"
#include "utils/array.h"

/* The arguments in front of those that all methods have. */
enum
{
	ARG_QI = 1, ARG_K, ARG_IMPORTANCE, ARG_COMBINATIONS, ARG_COMMON
};

/* read_importance reads what a value of each column costs; NULL: 1. */
static double *
read_importance(FunctionCallInfo fcinfo, int columns)
{
	ArrayType  *array;
	Datum	   *elements;
	bool	   *nulls;
	int			count;
	double	   *importance;

	if (PG_ARGISNULL(ARG_IMPORTANCE))
		return NULL;
	array = PG_GETARG_ARRAYTYPE_P(ARG_IMPORTANCE);
	count = ArrayGetNItems(ARR_NDIM(array), ARR_DIMS(array));
	if (ARR_NDIM(array) > 1 || count != columns)
		ereport(ERROR,
				(errcode(ERRCODE_ARRAY_SUBSCRIPT_ERROR),
				 errmsg("argument \"importance\" has the wrong length"),
				 errhint("It has one number for each quasi-identifier: %d.", columns)));
	deconstruct_array(array, FLOAT8OID, sizeof(float8), FLOAT8PASSBYVAL, TYPALIGN_DOUBLE, &elements, &nulls, &count);
	importance = palloc(sizeof(double) * count);
	for (int i = 0; i < count; i++)
	{
		importance[i] = nulls[i] ? NAN : DatumGetFloat8(elements[i]);
		if (!(importance[i] > 0 && importance[i] <= 1e9))
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("element %d of argument \"importance\" is out of range", i + 1),
					 errhint("It is what a value of the column costs, above 0 and at most 1e9: a high number keeps the column.")));
	}
	return importance;
}

/* sdc_suppress_read reads what is asked for. */
void
sdc_suppress_read(FunctionCallInfo fcinfo, SdcMethodStep *step)
{
	SdcSuppressionRequest *request = palloc0(sizeof(SdcSuppressionRequest));

	request->qi = sdc_args_qi(fcinfo, ARG_QI);
	sdc_args_choose(PG_ARGISNULL(ARG_K), "k",
					"It is how many records are alike at least, each one included: at least 1; usual are 3 to 20.  A larger k protects more.");
	if (PG_GETARG_INT32(ARG_K) < 1)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("argument \"k\" is out of range"),
				 errhint("It is how many records are alike at least: at least 1.")));
	request->k = (uint32) PG_GETARG_INT32(ARG_K);
	request->importance = read_importance(fcinfo, list_length(request->qi));
	if (!PG_ARGISNULL(ARG_COMBINATIONS))
		request->sets = PG_GETARG_JSONB_P(ARG_COMBINATIONS);
	sdc_suppress_prepare(step, request);
}

/*
 * sdc_suppress(relation text, qi name[], k int, importance float8[], combinations jsonb, target text, key name[],
 *				strata name[], omit name[], keep name[], replace boolean, ...)
 * sdc_suppress(relation regclass, ...)
 *		RETURNS TABLE (release regclass, attribute name, action text, method text,
 *					   records bigint, changed bigint, changed_percent float8, ...)
 * sdc_suppress(row_type anyelement, qi name[], k int, importance float8[], combinations jsonb, key name[],
 *				strata name[], omit name[], keep name[], ...) RETURNS SETOF anyelement
 */
SDC_FORMS_TABLE(sdc_suppress, sdc_suppress_read, ARG_COMMON, false);
SDC_FORMS_RETURN(sdc_suppress);
