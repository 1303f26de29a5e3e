/*-------------------------------------------------------------------------
 *
 * query_error.c
 *		sdc_query_error: how far a release is from its source in one count.
 *
 * The relative error of W. Yang, S. Qiao, "A novel anonymization algorithm: privacy protection and
 * knowledge preservation", Expert Systems with Applications 37 (2010), for methods that keep the
 * schema of the source: there the count on the release is the estimate.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "fmgr.h"
#include "funcapi.h"
#include "sql/args.h"
#include "measure/condition.h"
#include "relation/opening.h"
#include "utils/builtins.h"

PG_FUNCTION_INFO_V1(sdc_query_error);

/* find_release finds a release on which a condition can be counted. */
static SdcOpening *
find_release(FunctionCallInfo fcinfo, Oid release)
{
	SdcOpening *opening = sdc_opening_find(sdc_args_extension_schema(fcinfo), release, false);

	if (strcmp(opening->row.method, SDC_METHOD_GENERALIZE) == 0)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("a condition cannot be counted on release \"%s\"", opening->name),
				 errdetail("Its method leaves ranges and sets in place of values."),
				 errhint("Use sdc_query_errors, which estimates counts from ranges and sets.")));
	return opening;
}

/*
 * sdc_query_error(release regclass, where_clause text)
 *		RETURNS TABLE (answer bigint, estimate bigint, relative_error float8)
 */
Datum
sdc_query_error(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *result = (ReturnSetInfo *) fcinfo->resultinfo;
	SdcOpening *opening;
	Oid			relids[2];
	int64		counts[2];
	Datum		values[3];
	bool		nulls[3] = {false};

	relids[1] = sdc_args_relation(fcinfo, 0, "release");
	sdc_args_require(fcinfo, 1, "where_clause");
	opening = find_release(fcinfo, relids[1]);
	relids[0] = opening->row.source;
	sdc_args_result(fcinfo, 0);
	sdc_condition_counts(text_to_cstring(PG_GETARG_TEXT_PP(1)), "where_clause", relids, counts);
	sdc_opening_check_unchanged(opening);
	values[0] = Int64GetDatum(counts[0]);
	values[1] = Int64GetDatum(counts[1]);
	values[2] = Float8GetDatum(counts[0] == counts[1] ? 0 :
							   fabs((double) (counts[0] - counts[1])) / (double) counts[0]);
	nulls[2] = counts[0] == 0 && counts[1] != 0;
	tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
	return (Datum) 0;
}
