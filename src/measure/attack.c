/*-------------------------------------------------------------------------
 *
 * attack.c
 *		What the functions that attack and measure a release have in common.
 *
 * The attacks and measures of J. Nin, J. Herranz, V. Torra, "Rethinking rank
 * swapping to decrease disclosure risk", Data & Knowledge Engineering 64 (2008), after
 * J. Domingo-Ferrer, V. Torra, "A quantitative comparison of disclosure control methods
 * for microdata" (2001): each kernel is run on a pairing, with the first c protected
 * attributes known for every c where the risk is averaged over them.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "kernel/distance/nearest.h"
#include "kernel/agreement/problink.h"
#include "kernel/rank/rankswap.h"
#include "kernel/base/sample.h"
#include "relation/memory.h"
#include "relation/progress.h"
#include "measure/attack.h"
#include "measure/releaseloss.h"
#include "utils/builtins.h"
#include "utils/jsonb.h"
#include "utils/numeric.h"

/* sdc_evaluate_distance_memory returns the bytes of linkage by distance. */
uint64
sdc_evaluate_distance_memory(uint64 records, int attributes)
{
	return records * sizeof(SdcLink) + sdc_nearest_memory((uint32) records, attributes);
}

/* sdc_evaluate_probabilistic_memory returns the bytes of probabilistic linkage. */
uint64
sdc_evaluate_probabilistic_memory(uint64 records, int attributes)
{
	return records * sizeof(SdcLink) + sdc_agreement_memory((uint32) records, attributes);
}

/* sdc_evaluate_rankswap_memory returns the bytes of linkage by windows. */
uint64
sdc_evaluate_rankswap_memory(uint64 records, int attributes)
{
	return records * sizeof(SdcRankLink) + attributes * records * sizeof(SdcInterval) +
		sdc_ranklink_memory((uint32) records, attributes);
}

/* sdc_evaluate_memory returns the bytes of all attacks and measures, one after the other. */
uint64
sdc_evaluate_memory(uint64 records, int attributes)
{
	uint64		links = records * (2 * sizeof(SdcLink) + sizeof(SdcRankLink));
	uint64		distance = Max(sdc_nearest_memory((uint32) records, attributes),
							   sdc_nearest_prefixes_memory((uint32) records, attributes));
	uint64		probabilistic = sdc_evaluate_probabilistic_memory(records, attributes);
	uint64		rankswap = sdc_evaluate_rankswap_memory(records, attributes);
	uint64		loss = sdc_releaseloss_memory(records, attributes);

	return links + Max(Max(distance, probabilistic), Max(rankswap, loss));
}

/* parameter_number reads a number above 0 of the parameters, or returns 0. */
static double
parameter_number(const SdcPairing *pairing, const char *name)
{
	Jsonb	   *parameters = DatumGetJsonbP(DirectFunctionCall1(jsonb_in,
																CStringGetDatum(pairing->row.parameters)));
	JsonbValue	space;
	JsonbValue *found;
	double		number;

	if (!JB_ROOT_IS_OBJECT(parameters))
		return 0;
	found = getKeyJsonValueFromContainer(&parameters->root, name, (int) strlen(name), &space);
	if (found == NULL || found->type != jbvNumeric)
		return 0;
	number = DatumGetFloat8(DirectFunctionCall1(numeric_float8_no_overflow,
												NumericGetDatum(found->val.numeric)));
	return number > 0 ? number : 0;
}

/*
 * sdc_evaluate_reach finds the reach of a method: for releases of sdc, and for those registered under
 * the name of a method of sdc with its parameters.
 */
SdcReach
sdc_evaluate_reach(const SdcPairing *pairing)
{
	SdcReach	reach = {0};
	const char *method = pairing->row.method;

	if (strcmp(method, "rankswap") == 0 || strcmp(method, "rankswap_distribution") == 0)
	{
		reach.percent = parameter_number(pairing, "p");
		reach.known = reach.percent > 0 && reach.percent <= 100;
	}
	else if (strcmp(method, "rankswap_buckets") == 0)
	{
		reach.buckets = parameter_number(pairing, "buckets");
		reach.known = reach.buckets >= 1;
	}
	return reach;
}

/* reach_width returns the window of a reach, in positions among some values. */
static uint32
reach_width(const SdcReach *reach, uint32 values)
{
	if (values == 0)
		return 0;
	if (reach->buckets > 0)
		return (uint32) Min((double) values, 2 * ceil(values / reach->buckets));
	return sdc_rankswap_window(reach->percent, values);
}

/* check_known insists on no more known attributes than an attack can use. */
static void
check_known(int count)
{
	if (count > SDC_AGREEMENT_ATTRIBUTES)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("probabilistic and rank swapping record linkage can use at most %d attributes, not %d",
						SDC_AGREEMENT_ATTRIBUTES, count),
				 errhint("Functions with an argument \"known\" or \"known_max\" can use fewer; linkage by distance has no limit.")));
}

/* sdc_evaluate_rank_task prepares rank swapping record linkage. */
SdcRankTask *
sdc_evaluate_rank_task(const SdcPairing *pairing, const SdcReach *reach,
					   const int *known, int count)
{
	SdcRankTask *task = palloc0(sizeof(SdcRankTask));
	const SdcInterval **intervals = palloc(sizeof(SdcInterval *) * count);

	check_known(count);
	for (int i = 0; i < count; i++)
	{
		const SdcPairColumn *column = &pairing->pairs.column[known[i]];
		SdcInterval *interval = sdc_memory_array(column->codes, sizeof(SdcInterval));
		SdcPositions positions;

		sdc_positions_create(&positions, column->masked, pairing->pairs.records, column->codes);
		sdc_window_intervals(&positions, reach_width(reach, positions.count), interval);
		sdc_positions_destroy(&positions);
		intervals[i] = interval;
	}
	task->pairs = &pairing->pairs;
	task->known = known;
	task->count = count;
	task->interval = intervals;
	task->space = sdc_space_create(&pairing->pairs, known, count, SDC_METRIC_EUCLIDEAN);
	return task;
}

/* sdc_evaluate_distance links the records by distance. */
SdcLink *
sdc_evaluate_distance(const SdcEvaluation *evaluation, const int *known, int count,
					  SdcMetric metric)
{
	SdcSpace   *space = sdc_space_create(&evaluation->pairing->pairs, known, count, metric);
	SdcLink    *link = sdc_memory_array(evaluation->count, sizeof(SdcLink));

	for (uint32 i = 0; i < evaluation->count; i++)
		link[i].linked = SDC_RECORD_NONE;
	sdc_nearest_run(space, evaluation->record, evaluation->count, link);
	sdc_space_destroy(space);
	return link;
}

/*
 * count_patterns counts in which attributes pairs of records agree.  How many sets of
 * attributes that will be is not known before.
 */
static SdcPatternCount *
count_patterns(const SdcPairing *pairing, SdcAgreement *agreement, int known, int *count)
{
	uint64		used = pairing->memory + pairing->pairs.records * sizeof(SdcLink) +
		sdc_agreement_memory(pairing->pairs.records, known);
	uint64		left = sdc_memory_budget() > used ? sdc_memory_budget() - used : 0;
	uint64		most = Max(left / SDC_AGREEMENT_PATTERN_BYTES, 4096);
	SdcPatternCount *totals = sdc_agreement_totals(agreement, most, count);

	if (totals == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("the records agree in more than " UINT64_FORMAT " different sets of attributes",
						most),
				 errhint("Use fewer attributes, or increase maintenance_work_mem.")));
	return totals;
}

/* create_agreement indexes the agreement of known attributes. */
static SdcAgreement *
create_agreement(const SdcPairing *pairing, const int *known, int count)
{
	check_known(count);
	return sdc_agreement_create(&pairing->pairs, known, count);
}

/* sdc_evaluate_probabilistic links the records by agreement. */
SdcLink *
sdc_evaluate_probabilistic(const SdcEvaluation *evaluation, const int *known, int count,
						   bool assign, bool names)
{
	const SdcPairing *pairing = evaluation->pairing;
	SdcAgreement *agreement = create_agreement(pairing, known, count);
	SdcLink    *link = sdc_memory_array(evaluation->count, sizeof(SdcLink));
	SdcLinkModel model;
	int			patterns;
	SdcPatternCount *totals = count_patterns(pairing, agreement, count, &patterns);

	sdc_problink_estimate(totals, patterns, count, pairing->pairs.records, &model);
	if (assign)
		sdc_problink_assign(agreement, &model, link);
	else
		sdc_problink_nearest(agreement, &model, evaluation->record, evaluation->count, names, link);
	sdc_agreement_destroy(agreement);
	return link;
}

/* sdc_evaluate_rankswap links the records by the reach of the method. */
SdcRankLink *
sdc_evaluate_rankswap(const SdcEvaluation *evaluation, const SdcReach *reach,
					  const int *known, int count, SdcRankMode mode)
{
	SdcRankTask *task = sdc_evaluate_rank_task(evaluation->pairing, reach, known, count);
	SdcRankLink *link = sdc_memory_array(evaluation->count, sizeof(SdcRankLink));

	sdc_ranklink_run(task, mode, evaluation->record, evaluation->count, link);
	return link;
}

/* report_tried lets other sessions see how far the attacks are. */
static inline void
report_tried(SdcRisk *risk, uint64 records)
{
	uint64		before = risk->tried;

	risk->tried += records;
	if (before / 4096 != risk->tried / 4096)
		sdc_progress_records(risk->tried);
}

/* add_distance is the SdcNearestResult that sums the shares. */
static void
add_distance(void *arg, int known, uint32 index, const SdcLink *link)
{
	(void) index;
	((SdcRisk *) arg)->distance[known - 1] += sdc_link_share(link);
	report_tried(arg, 1);
}

/* risk_distance adds the distance based links for c = 1 .. known_max attributes. */
static void
risk_distance(const SdcEvaluation *evaluation, const int *known, SdcRisk *risk)
{
	const SdcSpace **spaces = palloc(sizeof(SdcSpace *) * risk->known_max);

	for (int c = 1; c <= risk->known_max; c++)
		spaces[c - 1] = sdc_space_create(&evaluation->pairing->pairs, known, c,
										 SDC_METRIC_EUCLIDEAN);
	sdc_nearest_prefixes(spaces, risk->known_max, evaluation->record, evaluation->count,
						 add_distance, risk);
}

/* add_probabilistic is the SdcProbResult that sums the shares. */
static void
add_probabilistic(void *arg, int known, uint32 index, const SdcLink *link)
{
	(void) index;
	((SdcRisk *) arg)->probabilistic[known - 1] += sdc_link_share(link);
	report_tried(arg, 1);
}

/* risk_probabilistic adds the probabilistic links for c = 1 .. known_max attributes. */
static void
risk_probabilistic(const SdcEvaluation *evaluation, const int *known, SdcRisk *risk)
{
	const SdcPairing *pairing = evaluation->pairing;
	SdcAgreement *agreement = create_agreement(pairing, known, risk->known_max);
	SdcLinkModel *models = palloc(sizeof(SdcLinkModel) * risk->known_max);
	int			count;
	SdcPatternCount *totals = count_patterns(pairing, agreement, risk->known_max, &count);

	for (int c = 1; c <= risk->known_max; c++)
	{
		int			prefix_count;
		SdcPatternCount *prefix = sdc_agreement_prefix(totals, count, c, &prefix_count);

		sdc_problink_estimate(prefix, prefix_count, c, pairing->pairs.records, &models[c - 1]);
		sdc_free(prefix);
	}
	sdc_problink_prefixes(agreement, models, evaluation->record, evaluation->count,
						  add_probabilistic, risk);
	sdc_free(totals);
	sdc_agreement_destroy(agreement);
	pfree(models);
}

/* add_rankswap is the SdcRankResult that sums the shares. */
static void
add_rankswap(void *arg, int known, uint32 index, const SdcLink *link)
{
	(void) index;
	((SdcRisk *) arg)->rankswap[known - 1] += sdc_link_share(link);
	report_tried(arg, 1);
}

/* risk_rankswap adds the links by the method's reach for c = 1 .. known_max attributes. */
static void
risk_rankswap(const SdcEvaluation *evaluation, const SdcReach *reach, const int *known,
			  SdcRisk *risk)
{
	const SdcPairs *pairs = &evaluation->pairing->pairs;
	SdcRankTask *task = sdc_evaluate_rank_task(evaluation->pairing, reach, known,
											   risk->known_max);
	const SdcSpace **spaces = palloc(sizeof(SdcSpace *) * risk->known_max);

	for (int c = 1; c <= risk->known_max; c++)
		spaces[c - 1] = sdc_space_create(pairs, known, c, SDC_METRIC_EUCLIDEAN);
	sdc_ranklink_prefixes(task, spaces, evaluation->record, evaluation->count, add_rankswap, risk);
}

/* sdc_evaluate_risk counts the correct links of every attack. */
SdcRisk *
sdc_evaluate_risk(const SdcEvaluation *evaluation, int known_max)
{
	SdcRisk    *risk = palloc0(sizeof(SdcRisk));
	SdcReach	reach = sdc_evaluate_reach(evaluation->pairing);
	int			count;
	int		   *known = sdc_pairing_known(evaluation->pairing, false, NIL, &count);

	risk->known_max = known_max > 0 ? known_max : count;
	risk->specific = reach.known;
	risk->distance = palloc0(sizeof(double) * risk->known_max);
	risk->probabilistic = palloc0(sizeof(double) * risk->known_max);
	risk->rankswap = palloc0(sizeof(double) * risk->known_max);
	if (evaluation->count == 0)
		return risk;
	sdc_progress_phase(SDC_PHASE_EVALUATING,
					   (uint64) evaluation->count * risk->known_max * (risk->specific ? 3 : 2));
	risk_probabilistic(evaluation, known, risk);
	if (risk->specific)
		risk_rankswap(evaluation, &reach, known, risk);
	risk_distance(evaluation, known, risk);
	return risk;
}

/* sdc_evaluate_disclosure returns the interval disclosure of an attribute, or below 0 of all. */
bool
sdc_evaluate_disclosure(const SdcPairing *pairing, int attribute, double *percent)
{
	uint64		hits = 0;
	uint64		cells = 0;

	for (int j = 0; j < pairing->pairs.attributes; j++)
	{
		uint64		column_hits;
		uint64		column_cells;

		if (attribute >= 0 && attribute != j)
			continue;
		sdc_window_disclosure(&pairing->pairs.column[j], pairing->pairs.records,
							  &column_hits, &column_cells);
		hits += column_hits;
		cells += column_cells;
	}
	/* hits are summed over ten percentages */
	*percent = cells == 0 ? 0 : 10.0 * (double) hits / (double) cells;
	return cells > 0;
}

/* mean_percent averages the links of an attack over the numbers of known attributes. */
static double
mean_percent(const double *linked, const SdcRisk *risk, uint32 tried)
{
	double		sum = 0;

	for (int c = 0; c < risk->known_max; c++)
		sum += 100.0 * linked[c] / tried;
	return sum / risk->known_max;
}

/*
 * bound_rate writes the confidence interval, in percent, of a mean share of links of a
 * record in percent.
 */
static void
bound_rate(const SdcEvaluation *evaluation, double percent, double bound[2])
{
	sdc_sample_interval(percent / 100 * evaluation->count, evaluation->count,
						evaluation->pairing->pairs.records, &bound[0], &bound[1]);
	bound[0] *= 100;
	bound[1] *= 100;
}

/* bound_score writes the confidence intervals of what comes from a sample. */
static void
bound_score(const SdcEvaluation *evaluation, SdcScore *score)
{
	/* half of the risk is the mean share of links over all attacks of a record */
	double		mean = score->specific ? (score->dld + score->pld + score->rsld) / 3 :
		(score->dld + score->pld) / 2;

	bound_rate(evaluation, mean, score->dr_bound);
	for (int i = 0; i < 2; i++)
		score->dr_bound[i] = score->dr_bound[i] / 2 + score->id / 2;
	bound_rate(evaluation, score->dld, score->dld_bound);
	bound_rate(evaluation, score->pld, score->pld_bound);
	bound_rate(evaluation, score->rsld, score->rsld_bound);
}

/* sdc_evaluate_score puts risk and loss together. */
void
sdc_evaluate_score(const SdcEvaluation *evaluation, int known_max, SdcScore *score)
{
	const SdcPairing *pairing = evaluation->pairing;
	SdcRisk    *risk;
	SdcLoss		loss;

	memset(score, 0, sizeof(SdcScore));
	if (evaluation->count == 0)
		return;
	sdc_releaseloss_measure(pairing, false, &loss);
	score->has_loss = loss.records > 0 && loss.attributes > 0;
	score->il = loss.total;

	risk = sdc_evaluate_risk(evaluation, known_max);
	score->has_risk = true;
	score->specific = risk->specific;
	score->dld = mean_percent(risk->distance, risk, evaluation->count);
	score->pld = mean_percent(risk->probabilistic, risk, evaluation->count);
	score->rsld = mean_percent(risk->rankswap, risk, evaluation->count);
	/* without a value there is nothing to disclose */
	(void) sdc_evaluate_disclosure(pairing, -1, &score->id);
	score->dr_generic = score->dld / 4 + score->pld / 4 + score->id / 2;
	score->dr = score->specific ? (score->rsld + score->dld + score->pld) / 6 + score->id / 2 :
		score->dr_generic;
	score->score = (score->il + score->dr) / 2;
	score->score_generic = (score->il + score->dr_generic) / 2;
	score->sampled = evaluation->sampled;
	if (score->sampled)
		bound_score(evaluation, score);
}
