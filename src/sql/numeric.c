/*-------------------------------------------------------------------------
 *
 * numeric.c
 *		sdc_numeric: a value as the ranges of a generalized column have it.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "relation/base/shortest.h"
#include "sql/call.h"

PG_FUNCTION_INFO_V1(sdc_numeric_float4);
PG_FUNCTION_INFO_V1(sdc_numeric_float8);
PG_FUNCTION_INFO_V1(sdc_numeric_same);

/*
 * sdc_numeric(value real) RETURNS numeric
 *
 * sdc_numeric_float4 returns the shortest decimal number that stands for a value.
 */
Datum
sdc_numeric_float4(PG_FUNCTION_ARGS)
{
	PG_RETURN_NUMERIC(sdc_shortest_float4(PG_GETARG_FLOAT4(0)));
}

/*
 * sdc_numeric(value double precision) RETURNS numeric
 *
 * sdc_numeric_float8 does the same.
 */
Datum
sdc_numeric_float8(PG_FUNCTION_ARGS)
{
	PG_RETURN_NUMERIC(sdc_shortest_float8(PG_GETARG_FLOAT8(0)));
}

/*
 * sdc_numeric(value numeric) RETURNS numeric
 *
 * sdc_numeric_same returns its argument: without this form a decimal number would be made a binary
 * one first.
 */
Datum
sdc_numeric_same(PG_FUNCTION_ARGS)
{
	PG_RETURN_NUMERIC(PG_GETARG_NUMERIC(0));
}
