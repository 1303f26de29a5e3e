/*-------------------------------------------------------------------------
 *
 * risk.c
 *		The disclosure risk of a release.
 *
 * That of J. Nin, J. Herranz, V. Torra, "Rethinking rank swapping to decrease disclosure
 * risk", Data & Knowledge Engineering 64 (2008), after J. Domingo-Ferrer, V. Torra, "A
 * quantitative comparison of disclosure control methods for microdata" (2001): every attack is
 * run with the first c protected attributes known, for every c.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "kernel/base/sample.h"
#include "kernel/distance/nearprefix.h"
#include "measure/attack.h"
#include "measure/risk.h"
#include "relation/progress.h"

/* report_tried lets other sessions see how far the attacks are. */
static inline void
report_tried(SdcRisk *risk, uint64 records)
{
	uint64		before = risk->tried;

	risk->tried += records;
	if (before / 4096 != risk->tried / 4096)
		sdc_progress_records(risk->tried);
}

/* add_link adds the share of a link with so many attributes known, and keeps it if these are all. */
static inline void
add_link(SdcRisk *risk, double *shares, SdcLink *last, int known, uint32 index, const SdcLink *link)
{
	shares[known - 1] += sdc_link_share(link);
	if (last != NULL && known == risk->known_max)
		last[index] = *link;
	report_tried(risk, 1);
}

/* add_distance is the SdcNearprefixResult that sums the shares. */
static void
add_distance(void *arg, int known, uint32 index, const SdcLink *link)
{
	SdcRisk    *risk = arg;

	add_link(risk, risk->distance, risk->links.distance, known, index, link);
}

/* make_spaces makes the spaces of the first c = 1 .. known_max attributes. */
static const SdcMetricSpace **
make_spaces(const SdcEvaluation *evaluation, const int *known, int known_max)
{
	const SdcMetricSpace **spaces = palloc(sizeof(SdcMetricSpace *) * known_max);

	for (int c = 1; c <= known_max; c++)
		spaces[c - 1] = sdc_metricspace_create(&evaluation->paired->pairs, known, c, SDC_METRIC_EUCLIDEAN);
	return spaces;
}

/* risk_distance adds the distance based links for c = 1 .. known_max attributes. */
static void
risk_distance(const SdcEvaluation *evaluation, const SdcMetricSpace *const *spaces, SdcRisk *risk)
{
	sdc_nearprefix_run(spaces, risk->known_max, evaluation->record, evaluation->count,
						 add_distance, risk);
}

/* add_probabilistic is the SdcFellegiSunterResult that sums the shares. */
static void
add_probabilistic(void *arg, int known, uint32 index, const SdcLink *link)
{
	SdcRisk    *risk = arg;

	add_link(risk, risk->probabilistic, risk->links.probabilistic, known, index, link);
}

/* risk_probabilistic adds the probabilistic links for c = 1 .. known_max attributes. */
static void
risk_probabilistic(const SdcEvaluation *evaluation, const int *known, SdcRisk *risk)
{
	const SdcPairedRelease *paired = evaluation->paired;
	SdcAgreement *agreement = sdc_attack_agreement(paired, known, risk->known_max);
	SdcLinkModel *models = palloc(sizeof(SdcLinkModel) * risk->known_max);
	int			count;
	SdcPatternCount *totals = sdc_attack_patterns(agreement, &count);

	for (int c = 1; c <= risk->known_max; c++)
	{
		int			prefix_count;
		SdcPatternCount *prefix = sdc_agreement_prefix(totals, count, c, &prefix_count);

		sdc_fellegisunter_estimate(prefix, prefix_count, c, paired->pairs.records, &models[c - 1]);
		sdc_free(prefix);
	}
	sdc_fellegisunter_prefixes(agreement, models, evaluation->record, evaluation->count,
							   add_probabilistic, risk);
	sdc_free(totals);
	sdc_agreement_destroy(agreement);
	sdc_free(models);
}

/* add_rankswap is the SdcRankResult that sums the shares. */
static void
add_rankswap(void *arg, int known, uint32 index, const SdcLink *link)
{
	SdcRisk    *risk = arg;

	add_link(risk, risk->rankswap, risk->links.rankswap, known, index, link);
}

/*
 * risk_rankswap adds the links by the method's reach for c = 1 .. known_max attributes; of a continued release those of
 * the windows that link more, the method's or sound ones.
 */
static void
risk_rankswap(const SdcEvaluation *evaluation, const SdcAttackReach *reach, const int *known,
			  const SdcMetricSpace *const *spaces, SdcRisk *risk)
{
	SdcRankTask *task = sdc_attack_rank_task(evaluation->paired, reach, known, risk->known_max, false);
	SdcRisk		sound = {.known_max = risk->known_max};

	sdc_ranklink_prefixes(task, spaces, evaluation->record, evaluation->count, add_rankswap, risk);
	if (!sdc_attack_continued(reach, known, risk->known_max))
		return;
	sound.rankswap = palloc0(sizeof(double) * risk->known_max);
	task = sdc_attack_rank_task(evaluation->paired, reach, known, risk->known_max, true);
	sdc_ranklink_prefixes(task, spaces, evaluation->record, evaluation->count, add_rankswap, &sound);
	for (int c = 0; c < risk->known_max; c++)
		risk->rankswap[c] = Max(risk->rankswap[c], sound.rankswap[c]);
}

/* sdc_risk_count counts the correct links of every attack. */
SdcRisk *
sdc_risk_count(const SdcEvaluation *evaluation, const int *known, int known_max, SdcRiskLinks *links)
{
	SdcRisk    *risk = palloc0(sizeof(SdcRisk));
	SdcAttackReach *reach;
	const SdcMetricSpace **spaces;

	risk->known_max = known_max;
	reach = sdc_attack_reach(evaluation->paired, &risk->specific);
	if (links != NULL && !risk->specific)
		links->rankswap = NULL;
	if (links != NULL)
		risk->links = *links;
	risk->distance = palloc0(sizeof(double) * risk->known_max);
	risk->probabilistic = palloc0(sizeof(double) * risk->known_max);
	risk->rankswap = palloc0(sizeof(double) * risk->known_max);
	if (evaluation->count == 0 || known_max == 0)
		return risk;
	sdc_progress_phase(SDC_PHASE_EVALUATING,
					   (uint64) evaluation->count * risk->known_max * (risk->specific ? 3 : 2));
	risk_probabilistic(evaluation, known, risk);
	spaces = make_spaces(evaluation, known, known_max);
	if (risk->specific)
		risk_rankswap(evaluation, reach, known, spaces, risk);
	risk_distance(evaluation, spaces, risk);
	return risk;
}

/* add_rates adds the rates of one attack, for c = 1 .. known_max attributes. */
static SdcRiskRate *
add_rates(const SdcEvaluation *evaluation, const char *attack, const double *linked,
		  int known_max, SdcRiskRate *rate)
{
	for (int c = 1; c <= known_max; c++, rate++)
	{
		rate->attack = attack;
		rate->known = c;
		rate->linked = linked[c - 1];
		rate->has_percent = evaluation->count > 0;
		rate->percent = 100.0 * linked[c - 1] / Max(evaluation->count, 1);
		rate->has_bounds = evaluation->sampled;
		sdc_sample_interval(linked[c - 1], evaluation->count, evaluation->paired->pairs.records,
							&rate->low, &rate->high);
		rate->low *= 100;
		rate->high *= 100;
	}
	return rate;
}

/* sdc_risk_rates returns the rates of every attack. */
int
sdc_risk_rates(const SdcEvaluation *evaluation, const int *known, int known_max,
			   SdcRiskRate **rates)
{
	SdcRisk    *risk = sdc_risk_count(evaluation, known, known_max, NULL);
	SdcRiskRate *end;

	*rates = palloc(sizeof(SdcRiskRate) * 3 * risk->known_max);
	end = add_rates(evaluation, "distance", risk->distance, risk->known_max, *rates);
	end = add_rates(evaluation, "probabilistic", risk->probabilistic, risk->known_max, end);
	if (risk->specific)
		end = add_rates(evaluation, "rankswap", risk->rankswap, risk->known_max, end);
	return (int) (end - *rates);
}

/* sdc_risk_disclosure returns the interval disclosure of an attribute, or below 0 of all. */
bool
sdc_risk_disclosure(const SdcPairedRelease *paired, int attribute, double *percent)
{
	uint64		hits = 0;
	uint64		cells = 0;

	for (int j = 0; j < paired->pairs.attributes; j++)
	{
		uint64		column_hits;
		uint64		column_cells;

		if (attribute >= 0 && attribute != j)
			continue;
		sdc_rankwindow_disclosure(&paired->pairs.column[j], paired->pairs.records,
								  &column_hits, &column_cells);
		hits += column_hits;
		cells += column_cells;
	}
	/* hits are summed over ten percentages */
	*percent = cells == 0 ? 0 : 10.0 * (double) hits / (double) cells;
	return cells > 0;
}

/* sdc_risk_disclosures returns the interval disclosure of every attribute. */
SdcDisclosure *
sdc_risk_disclosures(const SdcPairedRelease *paired)
{
	SdcDisclosure *disclosure = palloc(sizeof(SdcDisclosure) * Max(paired->pairs.attributes, 1));

	for (int j = 0; j < paired->pairs.attributes; j++)
	{
		disclosure[j].attribute = paired->attribute[j];
		disclosure[j].known = sdc_risk_disclosure(paired, j, &disclosure[j].percent);
	}
	return disclosure;
}
