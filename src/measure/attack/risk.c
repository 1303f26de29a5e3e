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
#include "measure/attack/attackjobs.h"
#include "measure/attack/risk.h"
#include "relation/base/progress.h"

/* make_sums makes sums for 1, 2, ... known attributes. */
static SdcShareSum *
make_sums(const SdcAttackWork *work)
{
	return palloc0(sizeof(SdcShareSum) * work->known_max);
}

/*
 * count_links runs the attacks; of a continued release those by the windows that link more, the method's or sound
 * ones, count.
 */
static void
count_links(SdcAttackWork *work, SdcRisk *risk, const SdcRiskLinks *links)
{
	SdcAttackJob job[2] = {{.kind = SDC_ATTACK_DISTANCES, .ties = {links->distance, links->rankswap},
	.candidates = links->candidates}, {.kind = SDC_ATTACK_AGREEMENTS, .ties = {links->probabilistic}}};
	int			attacks = 2;

	job[0].sum[SDC_ATTACK_OWN] = make_sums(work);
	job[1].sum[SDC_ATTACK_OWN] = make_sums(work);
	if (risk->specific)
	{
		job[0].sum[SDC_ATTACK_METHOD] = make_sums(work);
		attacks++;
	}
	if (risk->specific && sdc_attack_continued(work->reach, work->known, work->known_max))
	{
		job[0].sum[SDC_ATTACK_SOUND] = make_sums(work);
		attacks++;
	}
	work->job = job;
	work->jobs = 2;
	sdc_progress_phase(SDC_PHASE_EVALUATING, (uint64) work->evaluation.count * work->known_max * attacks);
	sdc_attackjobs_run(work);
	for (int c = 0; c < work->known_max; c++)
	{
		risk->distance[c] = sdc_sharesum_value(&job[0].sum[SDC_ATTACK_OWN][c]);
		risk->probabilistic[c] = sdc_sharesum_value(&job[1].sum[SDC_ATTACK_OWN][c]);
		for (int r = SDC_ATTACK_METHOD; r < SDC_ATTACK_RESULTS; r++)
			if (job[0].sum[r] != NULL)
				risk->rankswap[c] = Max(risk->rankswap[c], sdc_sharesum_value(&job[0].sum[r][c]));
	}
}

/* sdc_risk_count counts the correct links of every attack. */
SdcRisk *
sdc_risk_count(const SdcEvaluation *evaluation, double percent, const int *known, int known_max, SdcRiskLinks *links)
{
	static const SdcRiskLinks none = {NULL, NULL, NULL, NULL};
	SdcRisk    *risk = palloc0(sizeof(SdcRisk));
	SdcAttackWork work = {.evaluation = *evaluation, .known = known, .known_max = known_max};

	risk->known_max = known_max;
	work.reach = sdc_attack_reach(evaluation->paired, percent, &risk->specific);
	if (links != NULL && (!risk->specific || sdc_attack_continued(work.reach, known, known_max)))
		links->rankswap = links->candidates = NULL;
	risk->distance = palloc0(sizeof(double) * known_max);
	risk->probabilistic = palloc0(sizeof(double) * known_max);
	risk->rankswap = palloc0(sizeof(double) * known_max);
	if (evaluation->count > 0 && known_max > 0)
		count_links(&work, risk, links != NULL ? links : &none);
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
sdc_risk_rates(const SdcEvaluation *evaluation, double percent, const int *known, int known_max,
			   SdcRiskRate **rates)
{
	SdcRisk    *risk = sdc_risk_count(evaluation, percent, known, known_max, NULL);
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
		/* what is learned is the value of the source */
		sdc_rankwindow_disclosure(&paired->values.column[j], paired->values.records,
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
