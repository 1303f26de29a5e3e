/*-------------------------------------------------------------------------
 *
 * compare.c
 *		sdc_compare: how far a release is from its source in one count.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "fmgr.h"
#include "funcapi.h"
#include "measure/queries.h"
#include "sql/args.h"
#include "sql/rows.h"
#include "utils/builtins.h"

PG_FUNCTION_INFO_V1(sdc_compare);

/*
 * sdc_compare(release regclass, condition text)
 *		RETURNS TABLE (answer bigint, estimate bigint, relative_error float8)
 */
Datum
sdc_compare(PG_FUNCTION_ARGS)
{
	Oid			catalog_schema = sdc_args_extension_schema(fcinfo);
	Oid			release = sdc_args_relation(fcinfo, 0, "release");
	SdcConditionError error;
	Datum		values[3];
	bool		nulls[3] = {false};

	sdc_rows_begin(fcinfo, 0);
	/* without a condition all records count */
	sdc_queries_count(catalog_schema, release,
					  PG_ARGISNULL(1) ? "true" : text_to_cstring(PG_GETARG_TEXT_PP(1)),
					  "condition", &error);
	values[0] = Int64GetDatum(error.answer);
	values[1] = Int64GetDatum(error.estimate);
	values[2] = Float8GetDatum(error.relative_error);
	nulls[2] = isnan(error.relative_error);
	sdc_rows_put(fcinfo, values, nulls);
	return (Datum) 0;
}
