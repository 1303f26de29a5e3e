/*-------------------------------------------------------------------------
 *
 * evaluate.c
 *		sdc_evaluate, and what runs of policies, reports and accuracy tables read of it.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "access/xact.h"
#include "catalog/pg_type.h"
#include "fmgr.h"
#include "funcapi.h"
#include "measure/accuracy/coarseaccuracy.h"
#include "measure/accuracy/queries.h"
#include "measure/allmeasures.h"
#include "miscadmin.h"
#include "publish/accuracytable.h"
#include "relation/base/names.h"
#include "relation/base/spi.h"
#include "relation/catalog/catalogtable.h"
#include "relation/catalog/parameters.h"
#include "relation/frame/evaluations.h"
#include "sql/args.h"
#include "sql/plumbing.h"
#include "sql/releaseargs.h"
#include "sql/rows.h"
#include "sql/settings.h"
#include "sql/stored.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/timestamp.h"

PG_FUNCTION_INFO_V1(sdc_evaluate);

#define COLUMNS 11
#define ACCURACY_COLUMNS 4

/* put_measures returns the row about an evaluation. */
static void
put_measures(FunctionCallInfo fcinfo, Oid release, TimestampTz at, const SdcAllMeasures *measures)
{
	const double number[] = {
		measures->people_found, measures->people_found_high, measures->certain_percent,
		measures->certain_percent_high, measures->il, measures->dr, measures->score, measures->score_high
	};
	Datum		values[COLUMNS];
	bool		nulls[COLUMNS] = {false};

	values[0] = ObjectIdGetDatum(release);
	values[1] = TimestampTzGetDatum(at);
	for (int i = 0; i < (int) lengthof(number); i++)
	{
		values[2 + i] = Float8GetDatum(number[i]);
		nulls[2 + i] = isnan(number[i]);
	}
	values[COLUMNS - 1] = JsonbPGetDatum(measures->document);
	sdc_rows_put(fcinfo, values, nulls);
}

/* is_kept finds out whether all is kept, of a release and a source that have not changed, and fills in the measures. */
static bool
is_kept(const SdcAllMeasuresRequest *request, const SdcEvaluated *evaluated, TimestampTz *at, SdcAllMeasures *measures)
{
	SdcKeptEvaluation kept;

	if (!sdc_evaluations_get(request->catalog_schema, request->release, &kept) ||
		!sdc_allmeasures_kept(request, kept.measures, measures) ||
		!sdc_evaluations_unchanged(request->catalog_schema, evaluated, &kept))
		return false;
	*at = kept.at;
	return true;
}

/*
 * sdc_evaluate(release regclass, known name[], sample bigint, seed "any", force boolean)
 *		RETURNS TABLE (release regclass, evaluated_at timestamptz, people_found float8, people_found_high float8,
 *					   certain_percent float8, certain_percent_high float8, il float8, dr float8, score float8,
 *					   score_high float8, measures jsonb)
 *
 * sdc_evaluate measures all that is measured of a release, and keeps it.  What is kept and would be the same again is
 * returned, but by force.
 */
Datum
sdc_evaluate(PG_FUNCTION_ARGS)
{
	SdcAllMeasuresRequest request = {0};
	SdcAllMeasures measures;
	SdcEvaluated evaluated;
	TimestampTz at = GetCurrentTransactionStartTimestamp();

	request.catalog_schema = sdc_catalogtable_schema();
	request.release = sdc_args_relation(fcinfo, 0, "release");
	request.known_given = sdc_args_names(fcinfo, 1, "known", &request.known);
	sdc_evaluation_args_sample(fcinfo, 2, 3, &request.sample);
	request.queries = (uint32) sdc_setting_query_workload;
	request.query_seed = SDC_QUERIES_SEED;
	request.min_support = sdc_setting_association_min_support;
	request.min_confidence = sdc_setting_association_min_confidence;
	sdc_args_require(fcinfo, 4, "force");
	sdc_rows_begin(fcinfo, 0);
	PreventCommandIfReadOnly("sdc_evaluate()");
	sdc_evaluations_begin(request.catalog_schema, request.release, &evaluated);
	sdc_allmeasures_check(&request);
	if (PG_GETARG_BOOL(4) || !is_kept(&request, &evaluated, &at, &measures))
	{
		sdc_allmeasures_take(&request, &measures);
		sdc_evaluations_put(request.catalog_schema, &evaluated, measures.known,
							request.sample.given ? request.sample.count : 0, measures.document);
	}
	put_measures(fcinfo, request.release, at, &measures);
	return (Datum) 0;
}

/*
 * sdc_private.evaluation(release regclass) RETURNS jsonb
 *
 * sdc_private.evaluation returns what is kept of a release, or NULL where nothing is, where source or release have
 * changed since, or where the caller may not read them.
 */
SDC_PLUMBING(evaluation)
{
	Jsonb	   *measures = sdc_stored_kept(sdc_args_relation(fcinfo, 0, "release"), false);

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
	Jsonb	   *measures = sdc_stored_kept(sdc_args_relation(fcinfo, 0, "release"), true);

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

/* The call of sdc_private.accuracy. */
typedef struct AccuracyCall
{
	FunctionCallInfo fcinfo;
	bool		given;			/* the columns that rows may be about; otherwise all */
	List	   *columns;
} AccuracyCall;

/* put_accuracy returns a row; arguments that are NULL are missing in it. */
static void
put_accuracy(const AccuracyCall *call, const char *part, const char *attribute, const char *measure, double value)
{
	Datum		values[ACCURACY_COLUMNS] = {0};
	bool		nulls[ACCURACY_COLUMNS] = {part == NULL, attribute == NULL, measure == NULL, isnan(value)};
	NameData	name;

	if (attribute != NULL)
	{
		if (call->given && !sdc_names_have(call->columns, attribute))
			return;
		namestrcpy(&name, attribute);
		values[1] = NameGetDatum(&name);
	}
	if (part != NULL)
		values[0] = CStringGetTextDatum(part);
	if (measure != NULL)
		values[2] = CStringGetTextDatum(measure);
	values[3] = Float8GetDatum(value);
	sdc_rows_put(call->fcinfo, values, nulls);
}

/* put_kept returns what is kept of the accuracy of a release; false: that is nothing. */
static bool
put_kept(const AccuracyCall *call, Jsonb *measures)
{
	SdcStored	stored = {.measures = measures};
	JsonbContainer *part = sdc_stored_part(&stored, "accuracy");
	JsonbContainer *row;

	for (int i = 0; (row = sdc_stored_row(part, i)) != NULL; i++)
	{
		double		value = NAN;

		(void) sdc_evaluations_number(row, "value", &value);
		put_accuracy(call, sdc_parameters_text(row, "part"), sdc_parameters_text(row, "attribute"),
					 sdc_parameters_text(row, "measure"), value);
	}
	return part != NULL;
}

/*
 * is_silent tells whether an error says only that a part is not defined for a release.  That another one cannot be
 * measured is no reason not to publish; of what is no release nothing is.
 */
static bool
is_silent(ErrorData *error)
{
	if (error->sqlerrcode == ERRCODE_UNDEFINED_OBJECT)
		ReThrowError(error);
	return error->sqlerrcode == ERRCODE_FEATURE_NOT_SUPPORTED ||
		error->sqlerrcode == ERRCODE_NULL_VALUE_NOT_ALLOWED ||
		error->sqlerrcode == ERRCODE_INVALID_PARAMETER_VALUE;
}

/* put_measured measures the accuracy of a release now. */
static void
put_measured(const AccuracyCall *call, Oid release)
{
	SdcAccuracyRequest request = {sdc_catalogtable_schema(), release,
	sdc_setting_association_min_support, sdc_setting_association_min_confidence, NULL};
	const char *problem[SDC_ACCURACY_PARTS] = {NULL};

	for (int part = 0; part < SDC_ACCURACY_PARTS; part++)
	{
		ErrorData  *error;
		ListCell   *cell;

		foreach(cell, sdc_coarseaccuracy_measure(&request, part, &error))
		{
			const SdcAccuracyRow *row = lfirst(cell);

			put_accuracy(call, row->part, row->attribute, row->measure, row->value);
		}
		if (error != NULL && !is_silent(error))
			problem[part] = error->message;
	}
	for (int part = 0; part < SDC_ACCURACY_PARTS; part++)
	{
		StringInfoData about;

		if (problem[part] == NULL)
			continue;
		initStringInfo(&about);
		appendStringInfoString(&about, sdc_coarseaccuracy_name(part));
		for (int other = part + 1; other < SDC_ACCURACY_PARTS; other++)
		{
			if (problem[other] == NULL || strcmp(problem[other], problem[part]) != 0)
				continue;
			appendStringInfo(&about, ", %s", sdc_coarseaccuracy_name(other));
			problem[other] = NULL;
		}
		ereport(NOTICE,
				(errmsg("the accuracy of \"%s\" is not measured: %s", sdc_spi_relation_name(release), problem[part]),
				 errdetail("This is about %s.", about.data)));
	}
}

/*
 * sdc_private.accuracy(release regclass, columns name[], records bigint, most bigint)
 *		RETURNS TABLE (part text, attribute name, measure text, value float8)
 *
 * sdc_private.accuracy returns what the table beside a publication says of its exactness: what is kept of the release,
 * or, if it has no more than so many records, what is measured now.
 */
SDC_PLUMBING(accuracy)
{
	Oid			release = sdc_args_relation(fcinfo, 0, "release");
	int64		records = PG_ARGISNULL(2) ? 0 : PG_GETARG_INT64(2);
	int64		most = PG_ARGISNULL(3) ? PG_INT64_MAX : PG_GETARG_INT64(3);
	AccuracyCall call = {.fcinfo = fcinfo};
	Jsonb	   *kept = sdc_stored_kept(release, true);

	call.given = sdc_args_names(fcinfo, 1, "columns", &call.columns);
	sdc_rows_begin(fcinfo, 0);
	if ((kept != NULL && put_kept(&call, kept)) || most == 0)
		return (Datum) 0;
	if (records <= most)
		put_measured(&call, release);
	else
		ereport(NOTICE,
				(errmsg("the accuracy of \"%s\" is not measured: it was not evaluated as it is, and has more than "
						INT64_FORMAT " records", sdc_spi_relation_name(release), most),
				 errhint("Evaluate it before, or SET sdc.accuracy_records.")));
	return (Datum) 0;
}

/*
 * sdc_private.accuracy_drawn(release regclass, step int) RETURNS float8[]
 *
 * sdc_private.accuracy_drawn returns the probabilities of a step of a release, from 1 on, as they may be
 * published; NULL where they may not, or there are none.
 */
SDC_PLUMBING(accuracy_drawn)
{
	Oid			release = sdc_args_relation(fcinfo, 0, "release");
	int			number = PG_ARGISNULL(1) ? 0 : PG_GETARG_INT32(1);
	SdcReleaseRow row;
	List	   *steps;
	const SdcStep *step;
	double	   *probability;
	double		rounding;
	Datum	   *element;
	int			count;

	if (!sdc_catalog_get_visible(sdc_catalogtable_schema(), release, &row))
		PG_RETURN_NULL();
	steps = sdc_steps_of(&row);
	if (number < 1 || number > list_length(steps))
		PG_RETURN_NULL();
	step = list_nth(steps, number - 1);
	count = sdc_parameters_length(step->parameters, SDC_PARAMETER_PROBABILITIES);
	probability = sdc_accuracytable_probabilities(step, row.records, &rounding);
	if (count == 0 || probability == NULL)
		PG_RETURN_NULL();
	element = palloc(sizeof(Datum) * count);
	for (int i = 0; i < count; i++)
		element[i] = Float8GetDatum(probability[i]);
	PG_RETURN_ARRAYTYPE_P(construct_array(element, count, FLOAT8OID, sizeof(float8), FLOAT8PASSBYVAL,
										  TYPALIGN_DOUBLE));
}
