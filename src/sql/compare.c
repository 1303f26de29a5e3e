/*-------------------------------------------------------------------------
 *
 * compare.c
 *		sdc_compare: how far a release is from its source in a query of one's own.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "fmgr.h"
#include "funcapi.h"
#include "measure/accuracy/ownquery.h"
#include "relation/catalog/catalogtable.h"
#include "sql/args.h"
#include "sql/rows.h"
#include "sql/unitargs.h"
#include "utils/builtins.h"

PG_FUNCTION_INFO_V1(sdc_compare);

/* put_cell returns a cell; arg is that of the function. */
static void
put_cell(void *arg, const SdcOwnQueryCell *cell)
{
	Datum		values[4];
	bool		nulls[4] = {false};

	values[0] = cell->cell;
	values[1] = Float8GetDatum(cell->answer);
	values[2] = Float8GetDatum(cell->estimate);
	values[3] = Float8GetDatum(cell->relative_error);
	nulls[1] = isnan(cell->answer);
	nulls[2] = isnan(cell->estimate);
	nulls[3] = isnan(cell->relative_error);
	sdc_rows_put(arg, values, nulls);
}

/*
 * sdc_compare(release regclass, aggregate text, condition text, by name[], weight name)
 *		RETURNS TABLE (cell jsonb, answer float8, estimate float8, relative_error float8)
 */
Datum
sdc_compare(PG_FUNCTION_ARGS)
{
	SdcOwnQuery query = {0};

	query.catalog_schema = sdc_catalogtable_schema();
	query.release = sdc_args_relation(fcinfo, 0, "release");
	sdc_args_require(fcinfo, 1, "aggregate");
	query.aggregate = text_to_cstring(PG_GETARG_TEXT_PP(1));
	/* without a condition all records count */
	if (!PG_ARGISNULL(2))
		query.condition = text_to_cstring(PG_GETARG_TEXT_PP(2));
	(void) sdc_args_names(fcinfo, 3, "by", &query.by);
	query.weight = sdc_unitargs_weighted(fcinfo, 4);
	query.emit = put_cell;
	query.arg = fcinfo;
	sdc_rows_begin(fcinfo, 0);
	sdc_ownquery_measure(&query);
	return (Datum) 0;
}
