/*-------------------------------------------------------------------------
 *
 * score.c
 *		sdc_information_loss, sdc_disclosure_risk, sdc_score, sdc_baseline, and what is
 *		below the view sdc_scores.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"
#include "funcapi.h"
#include "measure/accuracy/releaseloss.h"
#include "measure/attack/people.h"
#include "measure/attack/risk.h"
#include "measure/score.h"
#include "relation/catalog/catalogtable.h"
#include "sql/args.h"
#include "sql/lossagg.h"
#include "sql/plumbing.h"
#include "sql/releaseargs.h"
#include "sql/rows.h"
#include "sql/stored.h"
#include "sql/unitargs.h"
#include "utils/builtins.h"
#include "utils/memutils.h"

PG_FUNCTION_INFO_V1(sdc_information_loss);
PG_FUNCTION_INFO_V1(sdc_disclosure_risk);
PG_FUNCTION_INFO_V1(sdc_score);
PG_FUNCTION_INFO_V1(sdc_baseline);

/* The columns of sdc_score, and those of them that the view has too. */
#define SCORE_COLUMNS 19
#define SCORE_MEASURES 11

/*
 * sdc_information_loss(release regclass, weight name)
 *		RETURNS TABLE (il1 float8, ..., il5 float8, il float8, il1s float8, pil float8,
 *					   pil_mean float8, ..., il1_left_out bigint, ..., pil_left_out bigint, lost bigint)
 */
Datum
sdc_information_loss(PG_FUNCTION_ARGS)
{
	SdcEvaluation evaluation;
	SdcLoss		loss;
	Datum		values[SDC_LOSSAGG_MEASURES];
	bool		nulls[SDC_LOSSAGG_MEASURES];

	sdc_rows_begin(fcinfo, 0);
	sdc_evaluation_args_begin_weighted(&evaluation, fcinfo, NULL, sdc_unitargs_weighted(fcinfo, 1));
	sdc_releaseloss_measure(evaluation.paired, true, &loss);
	sdc_lossagg_measures(&loss, values, nulls);
	sdc_rows_put(fcinfo, values, nulls);
	sdc_evaluation_end(&evaluation);
	return (Datum) 0;
}

/* return_rate returns the row of one attack with some attributes known. */
static void
return_rate(FunctionCallInfo fcinfo, const SdcRiskRate *rate)
{
	Datum		values[6];
	bool		nulls[6] = {false};

	values[0] = CStringGetTextDatum(rate->attack);
	values[1] = Int32GetDatum(rate->known);
	values[2] = Float8GetDatum(rate->linked);
	values[3] = Float8GetDatum(rate->percent);
	nulls[3] = !rate->has_percent;
	values[4] = Float8GetDatum(rate->low);
	values[5] = Float8GetDatum(rate->high);
	nulls[4] = nulls[5] = !rate->has_bounds;
	sdc_rows_put(fcinfo, values, nulls);
}

/*
 * sdc_disclosure_risk(release regclass, known name[], known_max int, sample bigint, seed "any", p float8)
 *		RETURNS TABLE (attack text, known int, linked float8, percent float8,
 *					   low float8, high float8)
 */
Datum
sdc_disclosure_risk(PG_FUNCTION_ARGS)
{
	SdcSampleRequest sample;
	SdcEvaluation evaluation;
	SdcRiskRate *rates;
	double		percent = sdc_args_percent(fcinfo, 5);
	int		   *known;
	int			count;

	sdc_evaluation_args_sample(fcinfo, 3, 4, &sample);
	sdc_rows_begin(fcinfo, 0);
	sdc_evaluation_args_begin(&evaluation, fcinfo, &sample, false);
	known = sdc_evaluation_args_order(fcinfo, 1, 2, evaluation.paired, false, &count);
	count = sdc_risk_rates(&evaluation, percent, known, count, &rates);
	for (int i = 0; i < count; i++)
		return_rate(fcinfo, &rates[i]);
	sdc_evaluation_end(&evaluation);
	return (Datum) 0;
}

/* fill_score fills in the measures of a score, in the order of the columns. */
static void
fill_score(const SdcScore *score, Datum *values, bool *nulls)
{
	const double measure[SCORE_MEASURES] = {
		score->people.found, score->people.certain, score->il, score->dld, score->pld, score->rsld,
		score->interval_disclosure, score->dr, score->dr_generic, score->score, score->score_generic
	};
	const bool	known[SCORE_MEASURES] = {
		score->people.known, score->people.known, score->has_loss, score->has_risk, score->has_risk,
		score->has_risk && score->specific,
		score->has_risk, score->has_risk, score->has_risk, score->has_risk && score->has_loss,
		score->has_risk && score->has_loss
	};

	for (int i = 0; i < SCORE_MEASURES; i++)
	{
		values[i] = Float8GetDatum(measure[i]);
		nulls[i] = !known[i];
	}
}

/* return_score returns the row of sdc_score. */
static void
return_score(FunctionCallInfo fcinfo, const SdcScore *score)
{
	const double *const bound[] = {
		score->dr_bound, score->dld_bound, score->pld_bound, score->rsld_bound
	};
	Datum		values[SCORE_COLUMNS];
	bool		nulls[SCORE_COLUMNS];
	int			column = SCORE_MEASURES;

	fill_score(score, values, nulls);
	for (int i = 0; i < (int) lengthof(bound); i++)
		for (int end = 0; end < 2; end++)
		{
			values[column] = Float8GetDatum(bound[i][end]);
			nulls[column++] = !score->sampled || (bound[i] == score->rsld_bound && !score->specific);
		}
	Assert(column == SCORE_COLUMNS);
	sdc_rows_put(fcinfo, values, nulls);
}

/* score_release does the work of sdc_score and sdc_baseline. */
static Datum
score_release(FunctionCallInfo fcinfo, bool baseline)
{
	SdcWholeRequest request = {.copied_only = baseline, .may_be_none = true};
	SdcSampleRequest sample;
	SdcEvaluation evaluation;
	SdcPeopleLinks links = {
		.context = AllocSetContextCreate(CurrentMemoryContext, "sdc links", ALLOCSET_DEFAULT_SIZES)
	};
	SdcScore	score = {.percent = baseline ? 0 : sdc_args_percent(fcinfo, 5)};
	int		   *known;
	int			count;

	sdc_evaluation_args_whole(fcinfo, 1, &request);
	sdc_evaluation_args_sample(fcinfo, 3, 4, &sample);
	sdc_rows_begin(fcinfo, 0);
	sdc_wholerelease_check(&request);
	sdc_evaluation_args_begin_weighted(&evaluation, fcinfo, &sample, (SdcWeightRequest) {.wanted = true});
	known = sdc_evaluation_args_order(fcinfo, 1, 2, evaluation.paired, true, &count);
	/* without a seed every look at a sample sees another one, and people are found by the windows of the release */
	if (!baseline && score.percent == 0 && !(evaluation.sampled && sample.seed == NULL))
		score.links = &links;
	if (baseline)
		sdc_score_baseline(&evaluation, known, count, &score);
	else
		sdc_score_measure(&evaluation, known, count, &score);
	sdc_evaluation_end(&evaluation);
	sdc_people_measure(&request, &sample, &links, &score.people);
	MemoryContextDelete(links.context);
	return_score(fcinfo, &score);
	return (Datum) 0;
}

/*
 * sdc_score(release regclass, known name[], known_max int, sample bigint, seed "any", p float8)
 *		RETURNS TABLE (people_found float8, certain_percent float8, il float8, dld float8,
 *					   pld float8, rsld float8, interval_disclosure float8, dr float8,
 *					   dr_generic float8, score float8, score_generic float8,
 *					   dr_low float8, dr_high float8, dld_low float8, ..., rsld_high float8)
 */
Datum
sdc_score(PG_FUNCTION_ARGS)
{
	return score_release(fcinfo, false);
}

/* sdc_baseline(release regclass, ...): as sdc_score, of a random permutation of the source */
Datum
sdc_baseline(PG_FUNCTION_ARGS)
{
	return score_release(fcinfo, true);
}

/* What a scoring works on. */
typedef struct Scoring
{
	FunctionCallInfo fcinfo;
	SdcScore	score;
} Scoring;

/* count_people reads a release and counts the people that are found. */
static void
count_people(void *arg)
{
	Scoring    *scoring = arg;
	SdcWholeRequest request = {.unnamed = true, .may_be_none = true};

	request.catalog_schema = sdc_catalogtable_schema();
	request.release = sdc_args_relation(scoring->fcinfo, 0, "release");
	sdc_people_measure(&request, NULL, NULL, &scoring->score.people);
}

/* score_reading reads a release and scores it. */
static void
score_reading(void *arg)
{
	Scoring    *scoring = arg;
	SdcEvaluation evaluation;
	int		   *known;
	int			count;

	sdc_evaluation_args_begin_unnamed(&evaluation, scoring->fcinfo);
	known = sdc_pairedrelease_known(evaluation.paired, false, NIL, &count);
	sdc_score_measure(&evaluation, known, count, &scoring->score);
	sdc_evaluation_end(&evaluation);
}

/* fill_stored fills in the measures that are kept of a release, in the order of the columns. */
static void
fill_stored(const SdcStored *stored, Datum *values, bool *nulls)
{
	static const char *const name[SCORE_MEASURES] = {
		"people_found", "certain_percent", "il", "dld", "pld", "rsld", "interval_disclosure", "dr", "dr_generic",
		"score", "score_generic"
	};
	JsonbContainer *score = sdc_stored_part(stored, "score");

	for (int i = 0; i < SCORE_MEASURES; i++)
	{
		double		value = 0;

		nulls[i] = !sdc_evaluations_number(score, name[i], &value);
		values[i] = Float8GetDatum(value);
	}
}

/* score_now scores a release, and returns false where the caller may not read it; problem: what is missing, or NULL. */
static bool
score_now(Scoring *scoring, char **problem)
{
	char	   *other;

	if (!sdc_rows_attempt(score_reading, scoring, problem))
		return false;
	/* who may not read a copied column is told so, and has the rest */
	(void) sdc_rows_attempt(count_people, scoring, &other);
	if (*problem == NULL)
		*problem = other;
	return true;
}

/*
 * sdc_private.stored_score(release regclass) RETURNS SETOF record
 *
 * It returns the score of a release, as it is kept or as it is now, and the reason why people or the
 * rest are missing; no row when the caller may not read the release or its source.
 */
SDC_PLUMBING(stored_score)
{
	Scoring		scoring = {.fcinfo = fcinfo};
	SdcStored	stored;
	Datum		values[SCORE_MEASURES + 2];
	bool		nulls[SCORE_MEASURES + 2];
	char	   *problem;

	sdc_rows_begin(fcinfo, 0);
	sdc_stored_check(fcinfo, &stored);
	problem = stored.problem;
	if (stored.answer == SDC_STORED_NOTHING ||
		(stored.answer == SDC_STORED_MEASURE && !score_now(&scoring, &problem)))
		return (Datum) 0;
	if (stored.answer == SDC_STORED_SHOW)
	{
		fill_stored(&stored, values, nulls);
		problem = sdc_stored_problem(&stored, "score");
		if (problem == NULL)
			problem = sdc_stored_problem(&stored, "people");
	}
	else
		fill_score(&scoring.score, values, nulls);
	sdc_stored_put_rest(&stored, problem, values + SCORE_MEASURES, nulls + SCORE_MEASURES);
	sdc_rows_put(fcinfo, values, nulls);
	return (Datum) 0;
}
