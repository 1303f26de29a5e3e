/*-------------------------------------------------------------------------
 *
 * people.c
 *		sdc_people_found, sdc_link_release, sdc_attribute_risk: whom an intruder finds by all that leaves,
 *		and what is learned of somebody.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "fmgr.h"
#include "funcapi.h"
#include "measure/attack/attributerisk.h"
#include "measure/attack/linkage.h"
#include "measure/attack/people.h"
#include "sql/args.h"
#include "sql/plumbing.h"
#include "sql/releaseargs.h"
#include "sql/rows.h"
#include "utils/builtins.h"

PG_FUNCTION_INFO_V1(sdc_people_found);
PG_FUNCTION_INFO_V1(sdc_link_release);
PG_FUNCTION_INFO_V1(sdc_attribute_risk);

/* put_rate returns (attack, found, percent, low, high, single, certain). */
static void
put_rate(FunctionCallInfo fcinfo, const SdcPeopleRate *rate)
{
	Datum		values[7];
	bool		nulls[7] = {false};

	values[0] = CStringGetTextDatum(rate->attack);
	values[1] = Float8GetDatum(rate->found);
	values[2] = Float8GetDatum(rate->percent);
	nulls[2] = !rate->has_percent;
	values[3] = Float8GetDatum(rate->low);
	values[4] = Float8GetDatum(rate->high);
	nulls[3] = nulls[4] = !rate->has_bounds;
	values[5] = Int64GetDatum((int64) rate->single);
	values[6] = Int64GetDatum((int64) rate->certain);
	nulls[5] = nulls[6] = !rate->has_candidates;
	sdc_rows_put(fcinfo, values, nulls);
}

/*
 * sdc_people_found(release regclass, known name[], everybody boolean, sample bigint, seed "any", unit name[],
 *				 known_rows int, linked boolean)
 *		RETURNS TABLE (attack text, found float8, percent float8, low float8, high float8,
 *					   single bigint, certain bigint)
 */
Datum
sdc_people_found(PG_FUNCTION_ARGS)
{
	SdcWholeRequest request = {0};
	SdcEvaluation evaluation;
	SdcWholeRelease *whole;
	SdcPeople	people;
	SdcPeopleRate rate[SDC_PEOPLE_RATES];
	int			count;

	sdc_args_require(fcinfo, 2, "everybody");
	whole = sdc_evaluation_args_begin_whole(&evaluation, fcinfo, 3, &request);
	sdc_people_attack(&evaluation, whole, PG_GETARG_BOOL(2), NULL, &people);
	count = sdc_people_rates(&evaluation, &people, rate);
	for (int i = 0; i < count; i++)
		put_rate(fcinfo, &rate[i]);
	sdc_evaluation_end(&evaluation);
	return (Datum) 0;
}

/* put_link returns (record, candidates, linked, ties, correct, certain). */
static void
put_link(void *arg, const SdcLinkageRow *row)
{
	Datum		values[6];
	bool		nulls[6] = {false};

	values[0] = CStringGetTextDatum(row->record);
	values[1] = Int64GetDatum((int64) row->link->candidates);
	nulls[2] = row->linked == NULL;
	values[2] = nulls[2] ? (Datum) 0 : CStringGetTextDatum(row->linked);
	values[3] = Int64GetDatum((int64) row->link->ties);
	values[4] = BoolGetDatum(row->link->correct);
	/* one candidate is the best one */
	values[5] = BoolGetDatum(row->link->candidates == 1 && row->link->correct);
	sdc_rows_put(arg, values, nulls);
}

/*
 * sdc_link_release(release regclass, known name[], everybody boolean, sample bigint, seed "any", unit name[],
 *				 known_rows int, linked boolean)
 *		RETURNS TABLE (record text, candidates bigint, linked text, ties bigint,
 *					   correct boolean, certain boolean)
 */
Datum
sdc_link_release(PG_FUNCTION_ARGS)
{
	SdcWholeRequest request = {.keys = true};
	SdcEvaluation evaluation;
	SdcWholeRelease *whole;

	sdc_args_require(fcinfo, 2, "everybody");
	whole = sdc_evaluation_args_begin_whole(&evaluation, fcinfo, 3, &request);
	sdc_linkage_release(&evaluation, sdc_people_nearest(&evaluation, whole, PG_GETARG_BOOL(2)),
						put_link, fcinfo);
	sdc_evaluation_end(&evaluation);
	return (Datum) 0;
}

/* put_risk returns the row of sdc_attribute_risk. */
static void
put_risk(FunctionCallInfo fcinfo, const SdcAttributeRisk *risk)
{
	const double number[] = {
		risk->cap, risk->cap_matched, risk->cap_base, risk->found, risk->found_without, risk->baseline
	};
	Datum		values[11];
	bool		nulls[11];

	memset(nulls, !risk->known, sizeof(nulls));
	values[0] = Int64GetDatum((int64) risk->matched);
	for (int i = 0; i < (int) lengthof(number); i++)
	{
		values[1 + i] = Float8GetDatum(number[i]);
		nulls[1 + i] |= isnan(number[i]);
	}
	values[7] = Int64GetDatum((int64) risk->disclosed);
	values[8] = Int64GetDatum((int64) risk->of_group);
	values[9] = Float8GetDatum(risk->tcap);
	nulls[9] |= isnan(risk->tcap);
	values[10] = Float8GetDatum(risk->tcap_all);
	nulls[10] |= isnan(risk->tcap_all);
	sdc_rows_put(fcinfo, values, nulls);
}

/*
 * sdc_attribute_risk(release regclass, known name[], sensitive name[], tau float8)
 *		RETURNS TABLE (matched bigint, cap float8, cap_matched float8, cap_base float8,
 *					   found_percent float8, found_without_percent float8,
 *					   baseline_percent float8, disclosed bigint, of_group bigint,
 *					   tcap float8, tcap_all float8)
 */
Datum
sdc_attribute_risk(PG_FUNCTION_ARGS)
{
	SdcWholeRequest request = {.wants = true};
	SdcAttributeRisk risk;
	double		tau;

	sdc_evaluation_args_whole(fcinfo, 1, &request);
	request.target = sdc_args_sensitive(fcinfo, 2);
	sdc_args_require(fcinfo, 3, "tau");
	tau = sdc_args_share(fcinfo, 3, "tau", 1);
	sdc_rows_begin(fcinfo, 0);
	sdc_attributerisk_measure(&request, tau, &risk);
	put_risk(fcinfo, &risk);
	return (Datum) 0;
}
