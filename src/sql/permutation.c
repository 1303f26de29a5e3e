/*-------------------------------------------------------------------------
 *
 * permutation.c
 *		sdc_permutation_distance, sdc_permuted_privacy, sdc_verify_record.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "fmgr.h"
#include "funcapi.h"
#include "measure/attack/permutation.h"
#include "measure/attack/verifyrecord.h"
#include "sql/args.h"
#include "sql/releaseargs.h"
#include "sql/rows.h"
#include "utils/builtins.h"

PG_FUNCTION_INFO_V1(sdc_permutation_distance);
PG_FUNCTION_INFO_V1(sdc_permuted_privacy);
PG_FUNCTION_INFO_V1(sdc_verify_record);

/* put_distance is the SdcPermutationEmit that returns (record, distance, shift, ties). */
static void
put_distance(void *arg, const char *record, uint32 distance, uint32 shift, uint32 ties)
{
	Datum		values[4];
	bool		nulls[4] = {false};

	values[0] = CStringGetTextDatum(record);
	values[1] = Int64GetDatum(distance);
	nulls[1] = distance == SDC_PERMUTATION_INFINITE;
	values[2] = Int64GetDatum(shift);
	nulls[2] = shift == SDC_PERMUTATION_INFINITE;
	values[3] = Int64GetDatum(ties);
	sdc_rows_put(arg, values, nulls);
}

/*
 * sdc_permutation_distance(release regclass)
 *		RETURNS TABLE (record text, distance bigint, shift bigint, ties bigint)
 */
Datum
sdc_permutation_distance(PG_FUNCTION_ARGS)
{
	SdcEvaluation evaluation;

	sdc_rows_begin(fcinfo, 0);
	sdc_evaluation_args_begin(&evaluation, fcinfo, NULL, true);
	sdc_permutation_distances(&evaluation, put_distance, fcinfo);
	sdc_evaluation_end(&evaluation);
	return (Datum) 0;
}

/*
 * sdc_permuted_privacy(release regclass)
 *		RETURNS TABLE (minimum bigint, median float8, mean float8, null_distance float8, near_percent float8,
 *					   own float8, records bigint, infinite bigint)
 */
Datum
sdc_permuted_privacy(PG_FUNCTION_ARGS)
{
	SdcEvaluation evaluation;
	SdcPermutationSummary summary;
	uint32		records;
	Datum		values[8];
	bool		nulls[8] = {false};

	sdc_rows_begin(fcinfo, 0);
	sdc_evaluation_args_begin(&evaluation, fcinfo, NULL, false);
	sdc_permutation_summary(&evaluation, &summary);
	records = evaluation.paired->pairs.records;
	values[0] = Int64GetDatum(summary.minimum);
	values[1] = Float8GetDatum(summary.median);
	values[2] = Float8GetDatum(summary.mean);
	values[3] = Float8GetDatum(summary.expected);
	values[4] = Float8GetDatum(100 * summary.near_share);
	values[5] = Float8GetDatum(summary.own);
	values[6] = Int64GetDatum(records);
	values[7] = Int64GetDatum(summary.infinite);
	nulls[0] = nulls[1] = nulls[2] = records == summary.infinite;
	nulls[3] = nulls[4] = nulls[5] = records == 0;
	sdc_rows_put(fcinfo, values, nulls);
	sdc_evaluation_end(&evaluation);
	return (Datum) 0;
}

/* put_verified is the SdcVerifyEmit that returns (attribute, distance, variance, frequency). */
static void
put_verified(void *arg, const SdcVerifiedColumn *column)
{
	NameData	name;
	Datum		values[4];
	bool		nulls[4] = {false};

	namestrcpy(&name, column->attribute);
	values[0] = NameGetDatum(&name);
	values[1] = Int64GetDatum(column->distance);
	nulls[1] = column->distance == SDC_PERMUTATION_INFINITE;
	values[2] = Float8GetDatum(column->variance);
	nulls[2] = isnan(column->variance);
	values[3] = Float8GetDatum(column->frequency);
	nulls[3] = isnan(column->frequency);
	sdc_rows_put(arg, values, nulls);
}

/*
 * sdc_verify_record(relation regclass, record jsonb)
 *		RETURNS TABLE (attribute name, distance bigint, variance float8, frequency float8)
 */
Datum
sdc_verify_record(PG_FUNCTION_ARGS)
{
	Oid			relid = sdc_args_relation(fcinfo, 0, "relation");

	sdc_args_require(fcinfo, 1, "record");
	sdc_rows_begin(fcinfo, 0);
	sdc_verifyrecord_find(relid, PG_GETARG_DATUM(1), put_verified, fcinfo);
	return (Datum) 0;
}
