/*-------------------------------------------------------------------------
 *
 * populationrisk.c
 *		sdc_attacker_risk, sdc_sample_risk: what a population tells of the records of a relation.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "fmgr.h"
#include "funcapi.h"
#include "measure/groups/attackerrisk.h"
#include "measure/groups/samplerisk.h"
#include "relation/read/weights.h"
#include "sql/args.h"
#include "sql/rows.h"
#include "sql/unitargs.h"
#include "utils/lsyscache.h"

PG_FUNCTION_INFO_V1(sdc_attacker_risk);
PG_FUNCTION_INFO_V1(sdc_sample_risk);

/* Columns of sdc_attacker_risk. */
#define ATTACKER_COLUMNS 14

/* return_risks returns the row of sdc_attacker_risk. */
static void
return_risks(FunctionCallInfo fcinfo, const SdcPopulationRisk *result)
{
	const SdcAttackerRisk *risk = &result->risk;
	Datum		values[ATTACKER_COLUMNS];
	bool		nulls[ATTACKER_COLUMNS] = {false};

	values[0] = Int64GetDatum((int64) risk->records);
	values[1] = Int64GetDatum((int64) risk->classes);
	values[2] = Float8GetDatum(risk->prosecutor_max);
	values[3] = Float8GetDatum(risk->prosecutor_mean);
	values[4] = Float8GetDatum(risk->prosecutor_at_risk);
	values[5] = Float8GetDatum(risk->journalist_max);
	values[6] = Float8GetDatum(risk->journalist_at_risk);
	values[7] = Int64GetDatum((int64) risk->k_map);
	values[8] = Float8GetDatum(risk->marketer);
	values[9] = Float8GetDatum(result->presence.least);
	values[10] = Float8GetDatum(result->presence.greatest);
	values[11] = Int64GetDatum((int64) risk->population_uniques);
	values[12] = Int64GetDatum((int64) risk->absent);
	values[13] = Int64GetDatum((int64) risk->inconsistent);
	/* shares of no records, the least and the greatest of nobody's */
	nulls[2] = nulls[3] = nulls[4] = nulls[6] = nulls[8] = risk->records == 0;
	nulls[5] = nulls[7] = risk->k_map == 0;
	nulls[9] = nulls[10] = result->people == 0;
	sdc_rows_put(fcinfo, values, nulls);
}

/*
 * sdc_attacker_risk(relation regclass, qi name[], population regclass, threshold float8, unit name[])
 *		RETURNS TABLE (records bigint, classes bigint, prosecutor_max float8, prosecutor_mean float8,
 *					   prosecutor_at_risk float8, journalist_max float8, journalist_at_risk float8,
 *					   k_map bigint, marketer float8, delta_min float8, delta_max float8,
 *					   population_uniques bigint, absent bigint, inconsistent bigint)
 */
Datum
sdc_attacker_risk(PG_FUNCTION_ARGS)
{
	SdcAttackerRequest request = {0};
	SdcPopulationRisk result;

	request.relid = sdc_args_relation(fcinfo, 0, "relation");
	request.qi = sdc_args_qi(fcinfo, 1);
	request.population = sdc_args_relation(fcinfo, 2, "population");
	sdc_args_require(fcinfo, 3, "threshold");
	request.threshold = sdc_args_share(fcinfo, 3, "threshold", 0);
	request.unit = sdc_unitargs_counted(fcinfo, 4, request.relid, request.qi, "qi", NULL);
	request.population_unit = sdc_unitargs_counted(fcinfo, 4, request.population, request.qi, "qi", NULL);
	sdc_rows_begin(fcinfo, 0);
	sdc_attackerrisk_of(&request, &result);
	return_risks(fcinfo, &result);
	return (Datum) 0;
}

/*
 * read_drawing reads with which probability the sample was drawn: fraction is that of all, or NaN, and the result the
 * column of the weights, or NULL.
 */
static const char *
read_drawing(FunctionCallInfo fcinfo, Oid relid, double *fraction)
{
	const char *weight;
	bool		given = sdc_unitargs_weight(fcinfo, 4, &weight);

	*fraction = NAN;
	if (!PG_ARGISNULL(2) && given && weight != NULL)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("arguments \"fraction\" and \"weight\" cannot be used together"),
				 errhint("Weights say how much of the population the sample has, record by record.")));
	if (PG_ARGISNULL(2))
		weight = sdc_weights_name(relid, given, weight);
	sdc_args_choose(PG_ARGISNULL(2) && weight == NULL, "fraction",
					"It is the share of the population that the sample has: above 0 and at most 1, such as 0.01 for one in a hundred.");
	if (!PG_ARGISNULL(2))
		*fraction = sdc_args_fraction(fcinfo, 2);
	else
		sdc_weights_find(relid, weight);
	return isnan(*fraction) ? weight : NULL;
}

/*
 * sdc_sample_risk(relation regclass, qi name[], fraction float8, unit name[], weight name)
 *		RETURNS TABLE (uniques bigint, pairs bigint, match float8, population_uniques float8, population_k float8)
 */
Datum
sdc_sample_risk(PG_FUNCTION_ARGS)
{
	Oid			relid = sdc_args_relation(fcinfo, 0, "relation");
	List	   *qi = sdc_args_qi(fcinfo, 1);
	double		fraction;
	const char *weight = read_drawing(fcinfo, relid, &fraction);
	List	   *unit = sdc_unitargs_counted(fcinfo, 3, relid, qi, "qi", NULL);
	SdcSampleRisk risk;
	Datum		values[5];
	bool		nulls[5] = {false};

	sdc_rows_begin(fcinfo, 0);
	if (weight != NULL)
		sdc_samplerisk_weighted(relid, qi, unit, weight, &risk);
	else
		sdc_samplerisk_of(relid, qi, unit, fraction, &risk);
	if (risk.uniques > 0 && risk.pairs == 0 && !(fraction >= 1))
		ereport(NOTICE,
				(unit == NIL ? errmsg("no class of relation \"%s\" has two records: match says little", get_rel_name(relid)) :
				 errmsg("no class of relation \"%s\" has two people: match says little", get_rel_name(relid))));
	values[0] = Int64GetDatum((int64) risk.uniques);
	values[1] = Int64GetDatum((int64) risk.pairs);
	values[2] = Float8GetDatum(risk.match);
	values[3] = Float8GetDatum(risk.population);
	values[4] = Float8GetDatum(risk.population_k);
	nulls[2] = isnan(risk.match);
	nulls[3] = isnan(risk.population);
	nulls[4] = isnan(risk.population_k);
	sdc_rows_put(fcinfo, values, nulls);
	return (Datum) 0;
}
