/*-------------------------------------------------------------------------
 *
 * link.c
 *		sdc_link_distance, sdc_link_probabilistic, sdc_link_rankswap,
 *		sdc_interval_disclosure.
 *
 * Each returns one row per original record, or per attribute.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"
#include "funcapi.h"
#include "measure/attack/linkage.h"
#include "measure/attack/risk.h"
#include "sql/args.h"
#include "sql/releaseargs.h"
#include "sql/rows.h"
#include "utils/builtins.h"

PG_FUNCTION_INFO_V1(sdc_link_distance);
PG_FUNCTION_INFO_V1(sdc_link_probabilistic);
PG_FUNCTION_INFO_V1(sdc_link_rankswap);
PG_FUNCTION_INFO_V1(sdc_interval_disclosure);

/* The words that arguments can be. */
static const char *const metrics[] = {
	[SDC_METRIC_EUCLIDEAN] = "euclidean",
	[SDC_METRIC_MAHALANOBIS] = "mahalanobis",
	[SDC_METRIC_MANHATTAN] = "manhattan",
	[SDC_METRIC_GOWER] = "gower",
	NULL
};
static const char *const modes[] = {
	[SDC_RANK_INTERSECTION] = "intersection",
	[SDC_RANK_UNION] = "union",
	NULL
};
static const char *const assignments[] = {"nearest", "one-to-one", NULL};

/* key_datum returns a record's key as a text datum, or sets its null flag. */
static Datum
key_datum(const char *key, bool *isnull)
{
	*isnull = key == NULL;
	return *isnull ? (Datum) 0 : CStringGetTextDatum(key);
}

/* fill_link fills in (record, linked, correct, ties). */
static void
fill_link(const SdcLinkageRow *row, Datum *values, bool *nulls)
{
	values[0] = key_datum(row->record, &nulls[0]);
	values[1] = key_datum(row->linked, &nulls[1]);
	values[2] = BoolGetDatum(row->link->correct);
	values[3] = Int64GetDatum((int64) row->link->ties);
}

/* begin_link reads the arguments sample, seed and known, and begins the result set and the evaluation. */
static int *
begin_link(FunctionCallInfo fcinfo, int known, int sample, SdcEvaluation *evaluation, int *count)
{
	SdcSampleRequest request;

	sdc_evaluation_args_sample(fcinfo, sample, sample + 1, &request);
	sdc_rows_begin(fcinfo, 0);
	sdc_evaluation_args_begin(evaluation, fcinfo, &request, true);
	return sdc_evaluation_args_known(fcinfo, known, evaluation->paired, count);
}

/* put_distance returns (record, linked, correct, ties, distance). */
static void
put_distance(void *arg, const SdcLinkageRow *row)
{
	Datum		values[5];
	bool		nulls[5] = {false};

	fill_link(row, values, nulls);
	values[4] = Float8GetDatum(row->link->distance);
	nulls[4] = row->link->ties == 0;
	sdc_rows_put(arg, values, nulls);
}

/*
 * sdc_link_distance(release regclass, known name[], metric text, sample bigint, seed "any")
 *		RETURNS TABLE (record text, linked text, correct boolean, ties bigint, distance float8)
 */
Datum
sdc_link_distance(PG_FUNCTION_ARGS)
{
	SdcMetric	metric = (SdcMetric) sdc_args_word(fcinfo, 2, "metric", metrics);
	SdcEvaluation evaluation;
	int		   *known;
	int			count;

	known = begin_link(fcinfo, 1, 3, &evaluation, &count);
	sdc_linkage_distance(&evaluation, known, count, metric, put_distance, fcinfo);
	sdc_evaluation_end(&evaluation);
	return (Datum) 0;
}

/* put_probabilistic returns (record, linked, correct, ties, weight). */
static void
put_probabilistic(void *arg, const SdcLinkageRow *row)
{
	Datum		values[5];
	bool		nulls[5] = {false};

	fill_link(row, values, nulls);
	values[4] = Float8GetDatum(row->link->distance);
	sdc_rows_put(arg, values, nulls);
}

/*
 * sdc_link_probabilistic(release regclass, known name[], assignment text, sample bigint,
 *						  seed "any")
 *		RETURNS TABLE (record text, linked text, correct boolean, ties bigint, weight float8)
 */
Datum
sdc_link_probabilistic(PG_FUNCTION_ARGS)
{
	bool		assign = sdc_args_word(fcinfo, 2, "assignment", assignments) == 1;
	SdcEvaluation evaluation;
	int		   *known;
	int			count;

	known = begin_link(fcinfo, 1, 3, &evaluation, &count);
	sdc_linkage_probabilistic(&evaluation, known, count, assign, put_probabilistic, fcinfo);
	sdc_evaluation_end(&evaluation);
	return (Datum) 0;
}

/* put_rankswap returns (record, linked, correct, ties, candidates, distance, windows). */
static void
put_rankswap(void *arg, const SdcLinkageRow *row)
{
	Datum		values[7];
	bool		nulls[7] = {false};

	fill_link(row, values, nulls);
	values[4] = Int64GetDatum((int64) row->link->candidates);
	values[5] = Float8GetDatum(row->link->distance);
	nulls[5] = row->link->ties == 0;
	values[6] = Int32GetDatum((int32) row->inside);
	sdc_rows_put(arg, values, nulls);
}

/*
 * sdc_link_rankswap(release regclass, p float8, known name[], mode text, sample bigint,
 *					 seed "any")
 *		RETURNS TABLE (record text, linked text, correct boolean, ties bigint,
 *					   candidates bigint, distance float8, windows int)
 */
Datum
sdc_link_rankswap(PG_FUNCTION_ARGS)
{
	SdcRankMode mode = (SdcRankMode) sdc_args_word(fcinfo, 3, "mode", modes);
	SdcSampleRequest sample;
	SdcEvaluation evaluation;
	SdcStepReach *reach;
	double		percent = sdc_args_percent(fcinfo, 1);
	int		   *known;
	int			count;

	sdc_evaluation_args_sample(fcinfo, 4, 5, &sample);
	sdc_rows_begin(fcinfo, 0);
	sdc_evaluation_args_begin(&evaluation, fcinfo, &sample, true);
	reach = sdc_linkage_reach(evaluation.paired, percent);
	known = sdc_evaluation_args_known(fcinfo, 2, evaluation.paired, &count);
	sdc_linkage_rankswap(&evaluation, reach, known, count, mode, put_rankswap, fcinfo);
	sdc_evaluation_end(&evaluation);
	return (Datum) 0;
}

/*
 * sdc_interval_disclosure(release regclass)
 *		RETURNS TABLE (attribute name, percent float8)
 */
Datum
sdc_interval_disclosure(PG_FUNCTION_ARGS)
{
	SdcEvaluation evaluation;
	SdcDisclosure *disclosure;

	sdc_rows_begin(fcinfo, 0);
	sdc_evaluation_args_begin(&evaluation, fcinfo, NULL, false);
	disclosure = sdc_risk_disclosures(evaluation.paired);
	for (int j = 0; j < evaluation.paired->pairs.attributes; j++)
	{
		Datum		values[2];
		bool		nulls[2] = {false};

		values[0] = DirectFunctionCall1(namein, CStringGetDatum(disclosure[j].attribute));
		values[1] = Float8GetDatum(disclosure[j].percent);
		nulls[1] = !disclosure[j].known;
		sdc_rows_put(fcinfo, values, nulls);
	}
	sdc_evaluation_end(&evaluation);
	return (Datum) 0;
}
