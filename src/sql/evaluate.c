/*-------------------------------------------------------------------------
 *
 * evaluate.c
 *		sdc_evaluate, and what runs of policies and reports read of it.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "access/xact.h"
#include "fmgr.h"
#include "funcapi.h"
#include "measure/allmeasures.h"
#include "measure/queries.h"
#include "miscadmin.h"
#include "relation/catalogtable.h"
#include "relation/evaluations.h"
#include "sql/args.h"
#include "sql/plumbing.h"
#include "sql/releaseargs.h"
#include "sql/rows.h"
#include "sql/settings.h"
#include "utils/builtins.h"
#include "utils/timestamp.h"

PG_FUNCTION_INFO_V1(sdc_evaluate);

#define COLUMNS 11

/* put_measures returns the row about an evaluation. */
static void
put_measures(FunctionCallInfo fcinfo, Oid release, const SdcAllMeasures *measures)
{
	const double number[] = {
		measures->people_found, measures->people_found_high, measures->certain_percent,
		measures->certain_percent_high, measures->il, measures->dr, measures->score, measures->score_high
	};
	Datum		values[COLUMNS];
	bool		nulls[COLUMNS] = {false};

	values[0] = ObjectIdGetDatum(release);
	values[1] = TimestampTzGetDatum(GetCurrentTransactionStartTimestamp());
	for (int i = 0; i < (int) lengthof(number); i++)
	{
		values[2 + i] = Float8GetDatum(number[i]);
		nulls[2 + i] = isnan(number[i]);
	}
	values[COLUMNS - 1] = JsonbPGetDatum(measures->document);
	sdc_rows_put(fcinfo, values, nulls);
}

/*
 * sdc_evaluate(release regclass, known name[], sample bigint, seed "any")
 *		RETURNS TABLE (release regclass, evaluated_at timestamptz, people_found float8, people_found_high float8,
 *					   certain_percent float8, certain_percent_high float8, il float8, dr float8, score float8,
 *					   score_high float8, measures jsonb)
 *
 * sdc_evaluate measures all that is measured of a release, and keeps it.
 */
Datum
sdc_evaluate(PG_FUNCTION_ARGS)
{
	SdcAllMeasuresRequest request = {0};
	SdcAllMeasures measures;
	SdcEvaluated evaluated;

	request.catalog_schema = sdc_catalogtable_schema();
	request.release = sdc_args_relation(fcinfo, 0, "release");
	request.known_given = sdc_args_names(fcinfo, 1, "known", &request.known);
	sdc_evaluation_args_sample(fcinfo, 2, 3, &request.sample);
	request.queries = (uint32) sdc_setting_query_workload;
	request.query_seed = SDC_QUERIES_SEED;
	request.min_support = sdc_setting_association_min_support;
	request.min_confidence = sdc_setting_association_min_confidence;
	sdc_rows_begin(fcinfo, 0);
	PreventCommandIfReadOnly("sdc_evaluate()");
	sdc_evaluations_begin(request.catalog_schema, request.release, &evaluated);
	sdc_allmeasures_check(&request);
	sdc_allmeasures_take(&request, &measures);
	sdc_evaluations_put(request.catalog_schema, &evaluated, measures.known,
						request.sample.given ? request.sample.count : 0, measures.document);
	put_measures(fcinfo, request.release, &measures);
	return (Datum) 0;
}

/* kept_measures returns what is kept of a release, or NULL where it is no more true. */
static Jsonb *
kept_measures(FunctionCallInfo fcinfo, bool only_release)
{
	Oid			schema = sdc_catalogtable_schema();
	SdcKeptEvaluation kept;
	SdcReleaseRow row;

	if (!sdc_catalog_get_visible(schema, sdc_args_relation(fcinfo, 0, "release"), &row) ||
		!sdc_evaluations_get(schema, row.release, &kept) || !sdc_evaluations_may_read(&row, &kept) ||
		sdc_evaluations_problem(schema, &row, &kept, false, only_release) != NULL)
		return NULL;
	return kept.measures;
}

/*
 * sdc_private.evaluation(release regclass) RETURNS jsonb
 *
 * sdc_private.evaluation returns what is kept of a release, or NULL where nothing is, where source or release have
 * changed since, or where the caller may not read them.
 */
SDC_PLUMBING(evaluation)
{
	Jsonb	   *measures = kept_measures(fcinfo, false);

	if (measures == NULL)
		PG_RETURN_NULL();
	PG_RETURN_JSONB_P(measures);
}

/*
 * sdc_private.evaluation_release(release regclass) RETURNS jsonb
 *
 * sdc_private.evaluation_release does so for a source that may have changed since: it is about the release, and what
 * the source was then.
 */
SDC_PLUMBING(evaluation_release)
{
	Jsonb	   *measures = kept_measures(fcinfo, true);

	if (measures == NULL)
		PG_RETURN_NULL();
	PG_RETURN_JSONB_P(measures);
}

/*
 * sdc_private.evaluation_mark(release regclass) RETURNS text
 */
SDC_PLUMBING(evaluation_mark)
{
	SdcKeptEvaluation kept;

	if (!sdc_evaluations_get(sdc_catalogtable_schema(), sdc_args_relation(fcinfo, 0, "release"), &kept))
		PG_RETURN_NULL();
	PG_RETURN_TEXT_P(cstring_to_text(sdc_evaluations_mark(&kept)));
}
