/*-------------------------------------------------------------------------
 *
 * score.c
 *		The score of a release: its disclosure risk and its information loss together.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "kernel/base/sample.h"
#include "kernel/distance/nearprefix.h"
#include "kernel/rank/rankprefix.h"
#include "measure/accuracy/releaseloss.h"
#include "measure/attack/attack.h"
#include "measure/attack/risk.h"
#include "measure/score.h"
#include "relation/base/memory.h"
#include "relation/base/random.h"

#define BASELINE_METHOD "baseline"
#define BASELINE_PURPOSE "permutation"

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
						evaluation->paired->pairs.records, &bound[0], &bound[1]);
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
		score->dr_bound[i] = score->dr_bound[i] / 2 + score->interval_disclosure / 2;
	bound_rate(evaluation, score->dld, score->dld_bound);
	bound_rate(evaluation, score->pld, score->pld_bound);
	bound_rate(evaluation, score->rsld, score->rsld_bound);
}

/* note_links makes room for the links, and notes which columns they are of. */
static void
note_links(const SdcEvaluation *evaluation, const int *known, int known_max, SdcPeopleLinks *links)
{
	MemoryContext old = MemoryContextSwitchTo(links->context);
	const SdcPairedRelease *paired = evaluation->paired;

	links->known = known_max;
	links->name = palloc(sizeof(char *) * known_max);
	links->records = evaluation->count;
	links->all = paired->pairs.records;
	links->complete = true;
	for (int i = 0; i < known_max; i++)
	{
		links->name[i] = pstrdup(paired->attribute[known[i]]);
		links->complete = links->complete && sdc_pairs_complete(&paired->pairs.column[known[i]], links->all);
	}
	links->links.distance = sdc_memory_array(evaluation->count, sizeof(uint32));
	links->links.probabilistic = sdc_memory_array(evaluation->count, sizeof(uint32));
	links->links.rankswap = sdc_memory_array(evaluation->count, sizeof(uint32));
	links->links.candidates = sdc_memory_array(evaluation->count, sizeof(uint32));
	MemoryContextSwitchTo(old);
}

/* sdc_score_measure puts risk and loss together. */
void
sdc_score_measure(const SdcEvaluation *evaluation, const int *known, int known_max,
				  SdcScore *score)
{
	const SdcPairedRelease *paired = evaluation->paired;
	SdcRisk    *risk;
	SdcLoss		loss;

	if (evaluation->count == 0)
		return;
	sdc_releaseloss_measure(paired, false, &loss);
	score->has_loss = loss.records > 0 && loss.attributes > 0;
	score->il = loss.total;
	score->lost = loss.lost;

	if (known_max == 0)
		return;
	if (score->links != NULL)
		note_links(evaluation, known, known_max, score->links);
	risk = sdc_risk_count(evaluation, score->percent, known, known_max,
						  score->links == NULL ? NULL : &score->links->links);
	score->has_risk = true;
	score->specific = risk->specific;
	score->dld = mean_percent(risk->distance, risk, evaluation->count);
	score->pld = mean_percent(risk->probabilistic, risk, evaluation->count);
	score->rsld = mean_percent(risk->rankswap, risk, evaluation->count);
	/* without a value there is nothing to disclose */
	(void) sdc_risk_disclosure(paired, -1, &score->interval_disclosure);
	score->dr_generic = score->dld / 4 + score->pld / 4 + score->interval_disclosure / 2;
	score->dr = score->specific ? (score->rsld + score->dld + score->pld) / 6 + score->interval_disclosure / 2 :
		score->dr_generic;
	score->score = (score->il + score->dr) / 2;
	score->score_generic = (score->il + score->dr_generic) / 2;
	score->sampled = evaluation->sampled;
	if (score->sampled)
		bound_score(evaluation, score);
}

/*
 * permute_protected replaces the protected values by a random permutation of the original ones:
 * attribute by attribute, among the records that have a value.
 */
static void
permute_protected(const SdcEvaluation *evaluation)
{
	SdcPairedRelease *paired = evaluation->paired;
	uint32		records = paired->pairs.records;
	SdcPairColumn *columns = unconstify(SdcPairColumn *, paired->pairs.column);
	SdcRandom  *random = sdc_random_create(evaluation->request.seed, BASELINE_METHOD);
	uint32	   *held = sdc_memory_array(records, sizeof(uint32));

	for (int j = 0; j < paired->pairs.attributes; j++)
	{
		const uint32 *original = columns[j].original;
		uint32	   *protected = unconstify(uint32 *, columns[j].protected);
		uint32		count = 0;

		for (uint32 i = 0; i < records; i++)
			if (original[i] != SDC_CODE_NULL)
				held[count++] = original[i];
		sdc_sample_shuffle(sdc_random_start(random, paired->attribute[j], BASELINE_PURPOSE, 0),
						   held, count);
		sdc_random_verify(random);
		count = 0;
		for (uint32 i = 0; i < records; i++)
			protected[i] = original[i] == SDC_CODE_NULL ? SDC_CODE_NULL : held[count++];
		CHECK_FOR_INTERRUPTS();
	}
	sdc_free(held);
}

/* take_values has nothing be recoded where it would have the type of the source. */
static void
take_values(SdcPairedRelease *paired)
{
	SdcPairColumn *columns = unconstify(SdcPairColumn *, paired->pairs.column);

	for (int j = 0; j < paired->pairs.attributes; j++)
		if (paired->values.column[j].codes > 0)
			columns[j] = paired->values.column[j];
}

/* sdc_score_baseline scores a random permutation of the source. */
void
sdc_score_baseline(const SdcEvaluation *evaluation, const int *known, int known_max,
				   SdcScore *score)
{
	take_values(evaluation->paired);
	permute_protected(evaluation);
	sdc_score_measure(evaluation, known, known_max, score);
}
