/*-------------------------------------------------------------------------
 *
 * anonymity.c
 *		sdc_probabilistic_anonymity, sdc_support_bias, sdc_chi_square, sdc_inference_risk.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "fmgr.h"
#include "funcapi.h"
#include "measure/accuracy/chisquare.h"
#include "measure/attack/anonymity.h"
#include "measure/attack/inferencerisk.h"
#include "measure/supports.h"
#include "relation/base/memory.h"
#include "relation/base/names.h"
#include "relation/read/codedtable.h"
#include "relation/read/source.h"
#include "sql/args.h"
#include "sql/releaseargs.h"
#include "sql/rows.h"
#include "utils/builtins.h"
#include "utils/jsonb.h"
#include "utils/numeric.h"

PG_FUNCTION_INFO_V1(sdc_probabilistic_anonymity);
PG_FUNCTION_INFO_V1(sdc_support_bias_relation);
PG_FUNCTION_INFO_V1(sdc_chi_square);
PG_FUNCTION_INFO_V1(sdc_inference_risk_release);

/* check_columns insists that named columns are in a relation that the caller may read. */
static void
check_columns(Oid relid, const List *names, const char *argument)
{
	ListCell   *cell;

	sdc_source_check_kind(relid);
	sdc_source_check_readable(relid);
	foreach(cell, names)
		(void) sdc_source_find_column(relid, lfirst(cell), argument);
}

/* read_strata reads the columns within whose values donors are drawn: which are no quasi-identifiers. */
static List *
read_strata(FunctionCallInfo fcinfo, int number, Oid relid, const List *qi)
{
	List	   *strata;
	ListCell   *cell;

	(void) sdc_args_names(fcinfo, number, "strata", &strata);
	check_columns(relid, strata, "strata");
	foreach(cell, strata)
		if (sdc_names_have(qi, lfirst(cell)))
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("column \"%s\" cannot be named in both \"qi\" and \"strata\"", (char *) lfirst(cell)),
					 errhint("Values are drawn within strata, which stay as they are.")));
	return strata;
}

/* read_draws reads how many columns are drawn, in the place of their probabilities. */
static int
read_draws(FunctionCallInfo fcinfo, int number, int columns, const double *probability)
{
	int			draws = sdc_args_draws(fcinfo, number, columns);

	if (draws > 0 && probability != NULL)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("arguments \"draws\" and \"probabilities\" cannot be used together")));
	return draws;
}

/*
 * sdc_probabilistic_anonymity(relation regclass, qi name[], probabilities float8[], draws int, strata name[])
 *		RETURNS float8
 */
Datum
sdc_probabilistic_anonymity(PG_FUNCTION_ARGS)
{
	SdcAnonymityRequest request = {0};
	double		anonymity;

	request.relid = sdc_args_relation(fcinfo, 0, "relation");
	request.qi = sdc_args_qi(fcinfo, 1);
	request.probability = sdc_args_probabilities(fcinfo, 2, list_length(request.qi));
	request.draws = read_draws(fcinfo, 3, list_length(request.qi), request.probability);
	check_columns(request.relid, request.qi, "qi");
	request.strata = read_strata(fcinfo, 4, request.relid, request.qi);
	if (!sdc_anonymity_measure(&request, &anonymity))
		PG_RETURN_NULL();
	PG_RETURN_FLOAT8(anonymity);
}

/* lift_json returns the lifts by column. */
static Datum
lift_json(const char *const *column, int items, const double *lift)
{
	JsonbParseState *state = NULL;
	JsonbValue *object;

	pushJsonbValue(&state, WJB_BEGIN_OBJECT, NULL);
	for (int i = 0; i < items; i++)
	{
		JsonbValue	key;
		JsonbValue	value;

		key.type = jbvString;
		key.val.string.val = unconstify(char *, column[i]);
		key.val.string.len = (int) strlen(key.val.string.val);
		value.type = jbvNull;
		if (!isnan(lift[i]))
		{
			value.type = jbvNumeric;
			value.val.numeric = DatumGetNumeric(DirectFunctionCall1(float8_numeric,
																	Float8GetDatum(lift[i])));
		}
		pushJsonbValue(&state, WJB_KEY, &key);
		pushJsonbValue(&state, WJB_VALUE, &value);
	}
	object = pushJsonbValue(&state, WJB_END_OBJECT, NULL);
	return JsonbPGetDatum(JsonbValueToJsonb(object));
}

/* return_support is the SdcSupportsEmit that returns the row of sdc_support_bias. */
static void
return_support(void *arg, const SdcSupport *support, const char *const *column, int items)
{
	Datum		values[8];
	bool		nulls[8] = {false};

	values[0] = Int64GetDatum((int64) support->records);
	values[1] = Float8GetDatum(support->support);
	values[2] = Float8GetDatum(support->expected);
	values[3] = Float8GetDatum(support->bias);
	nulls[3] = isnan(support->bias);
	values[4] = Float8GetDatum(support->variance);
	values[5] = lift_json(column, items, support->lift);
	values[6] = Float8GetDatum(support->own);
	values[7] = Float8GetDatum(support->others);
	sdc_rows_put(arg, values, nulls);
}

/*
 * sdc_support_bias(relation regclass, qi name[], combination jsonb, probabilities float8[], draws int, strata name[])
 *		RETURNS TABLE (records bigint, support float8, expected_support float8,
 *					   relative_bias float8, variance float8, lift jsonb, expected_own float8,
 *					   expected_others float8)
 */
Datum
sdc_support_bias_relation(PG_FUNCTION_ARGS)
{
	SdcSupportsRequest request = {0};

	request.relid = sdc_args_relation(fcinfo, 0, "relation");
	request.qi = sdc_args_qi(fcinfo, 1);
	sdc_args_require(fcinfo, 2, "combination");
	request.combination = PG_GETARG_DATUM(2);
	request.probability = sdc_args_probabilities(fcinfo, 3, list_length(request.qi));
	request.draws = read_draws(fcinfo, 4, list_length(request.qi), request.probability);
	check_columns(request.relid, request.qi, "qi");
	request.strata = read_strata(fcinfo, 5, request.relid, request.qi);
	sdc_rows_begin(fcinfo, 0);
	sdc_supports_measure(&request, return_support, fcinfo);
	return (Datum) 0;
}

/* return_chi_square is the SdcChiSquareEmit that returns a row of sdc_chi_square. */
static void
return_chi_square(void *arg, const SdcChiSquare *pair)
{
	NameData	first;
	NameData	second;
	Datum		values[6];
	bool		nulls[6] = {false};

	namestrcpy(&first, pair->first);
	namestrcpy(&second, pair->second);
	values[0] = NameGetDatum(&first);
	values[1] = NameGetDatum(&second);
	values[2] = Int64GetDatum((int64) pair->records);
	values[3] = Float8GetDatum(pair->chi_square);
	values[4] = Float8GetDatum(pair->chi_square_n);
	values[5] = Float8GetDatum(pair->cramers_v);
	nulls[3] = nulls[4] = pair->records == 0;
	nulls[5] = !pair->varied;
	sdc_rows_put(arg, values, nulls);
}

/*
 * sdc_chi_square(relation regclass, columns name[])
 *		RETURNS TABLE (first_attribute name, second_attribute name, records bigint,
 *					   chi_square float8, chi_square_n float8, cramers_v float8)
 */
Datum
sdc_chi_square(PG_FUNCTION_ARGS)
{
	Oid			relid = sdc_args_relation(fcinfo, 0, "relation");
	List	   *names;

	sdc_args_require(fcinfo, 1, "columns");
	(void) sdc_args_names(fcinfo, 1, "columns", &names);
	if (list_length(names) < 2)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("argument \"columns\" must name at least two columns")));
	check_columns(relid, names, "columns");
	sdc_rows_begin(fcinfo, 0);
	sdc_chisquare_measure(relid, names, return_chi_square, fcinfo);
	return (Datum) 0;
}

/* return_inference returns the row of sdc_inference_risk. */
static void
return_inference(FunctionCallInfo fcinfo, const SdcInference *risk, uint32 records)
{
	Datum		values[13];
	bool		nulls[13] = {false};

	values[0] = Float8GetDatum(risk->mean);
	values[1] = Float8GetDatum(risk->maximum);
	values[2] = Float8GetDatum(risk->bound_maximum);
	values[3] = Float8GetDatum(100.0 * risk->hits / Max(records, 1));
	values[4] = Float8GetDatum(100.0 * risk->unchanged / Max(records, 1));
	values[5] = Float8GetDatum(risk->bound_mean);
	values[6] = Float8GetDatum(risk->amplification_mean);
	values[7] = Float8GetDatum(risk->amplification_maximum);
	values[8] = Int64GetDatum((int64) risk->impossible);
	values[9] = Float8GetDatum(risk->true_mean);
	values[10] = Float8GetDatum(risk->anonymity);
	values[11] = Float8GetDatum(risk->gamma_mean);
	values[12] = Float8GetDatum(risk->gamma_maximum);
	nulls[6] = nulls[7] = isnan(risk->amplification_mean);
	/* where no record can be by random anonymization there is nothing to take a mean of */
	if (risk->impossible == records)
	{
		memset(nulls, true, sizeof(nulls));
		nulls[3] = nulls[4] = nulls[8] = records == 0;
	}
	sdc_rows_put(fcinfo, values, nulls);
}

/*
 * sdc_inference_risk(release regclass)
 *		RETURNS TABLE (mean float8, maximum float8, bound float8, hit_percent float8,
 *					   unchanged_percent float8, bound_mean float8, amplification_mean float8,
 *					   amplification_maximum float8, impossible bigint, true_mean float8,
 *					   anonymity float8, gamma_mean float8, gamma_maximum float8)
 */
Datum
sdc_inference_risk_release(PG_FUNCTION_ARGS)
{
	SdcEvaluation evaluation;
	SdcInference risk;

	sdc_rows_begin(fcinfo, 0);
	sdc_evaluation_args_begin_strata(&evaluation, fcinfo);
	sdc_inferencerisk_measure(evaluation.paired, &risk);
	return_inference(fcinfo, &risk, evaluation.paired->pairs.records);
	sdc_evaluation_end(&evaluation);
	return (Datum) 0;
}
