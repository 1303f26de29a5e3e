/*-------------------------------------------------------------------------
 *
 * linkmodel.c
 *		The model of probabilistic record linkage, estimated by EM.
 *
 * Pairs of an original and a protected record are matched or not; attributes agree with
 * probability m in matched pairs and u in others, independently in each class (I. P.
 * Fellegi and A. B. Sunter, "A theory for record linkage", JASA 64, 1969).  EM estimates
 * the model from the counts of the patterns (M. A. Jaro, "Advances in record-linkage
 * methodology", JASA 84, 1989), or, where patterns are about as many as pairs, from the
 * pairs themselves (pairmodel.c).
 *
 * Likelihood ratios are products over attributes, from tables of eight attributes each.
 * A product of 64 ratios between 1e-6 and 1e6 may leave the range of a double: it becomes
 * 0 or infinite, and the probability that it is for 0 or 1, as it should be.
 *
 * Work: a few steps per round, pattern and attribute.  Deterministic: sums in ascending order of patterns.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/agreement/linkmodel.h"
#include "kernel/agreement/linktables.h"
#include "kernel/agreement/pairmodel.h"
#include "kernel/agreement/patterncounts.h"

/*
 * Patterns are few if there are as many pairs for each of them, on average, and if they are no more than that.  It
 * takes more of them where one number of attributes after the other would go over all pairs.  A caller with more memory
 * finds the same: that decides nothing.
 */
#define PAIRS_EACH 16
#define PAIRS_EACH_OF_MANY 4
#define PATTERNS_FEW (UINT64_C(1) << 22)

/* ------------------------------------------------------------------------
 * Lists of patterns
 * ------------------------------------------------------------------------
 */

/*
 * Patterns whose expectations are computed one after the other, before they are added up: divisions that do not wait.
 */
#define EXPECT_BLOCK 64

/* What EM reads in every round: patterns, tables of factors, and for each pattern of eight attributes its bits. */
typedef struct Expectation
{
	const SdcPatternCount *patterns;
	int			count;
	SdcLinkTable ratio;
	double		bits[SDC_LINKTABLE_SIZE][SDC_LINKTABLE_BITS];
} Expectation;

/* fill_bits makes the table of bits. */
static void
fill_bits(Expectation *expectation)
{
	for (int p = 0; p < SDC_LINKTABLE_SIZE; p++)
		for (int bit = 0; bit < SDC_LINKTABLE_BITS; bit++)
			expectation->bits[p][bit] = (p >> bit) & 1;
}

/*
 * add_expected adds up what is expected of a block.  Where an attribute disagrees, 0 is added: no branch depends on the
 * pattern, and the sums are the same.
 */
static void
add_expected(const SdcPatternCount *patterns, const double *matched, int count, const Expectation *expectation,
			 SdcLinkSums *sums)
{
	for (int i = 0; i < count; i++)
	{
		uint64		rest = patterns[i].pattern;

		sums->matched += matched[i];
		for (int t = 0; t < expectation->ratio.tables; t++)
		{
			const double *bits = expectation->bits[rest % SDC_LINKTABLE_SIZE];
			double	   *agree = sums->matched_agree + t * SDC_LINKTABLE_BITS;

			for (int bit = 0; bit < SDC_LINKTABLE_BITS; bit++)
				agree[bit] += matched[i] * bits[bit];
			rest /= SDC_LINKTABLE_SIZE;
		}
	}
}

/* expect adds up what is expected to be matched, given the model: SdcLinkExpect. */
static void
expect(void *arg, const SdcLinkModel *model, SdcLinkSums *sums)
{
	Expectation *expectation = arg;
	double		agree[SDC_AGREEMENT_ATTRIBUTES];
	double		disagree[SDC_AGREEMENT_ATTRIBUTES];
	double		odds = (1 - model->prior) / model->prior;

	for (int j = 0; j < model->attributes; j++)
	{
		agree[j] = model->m[j] / model->u[j];
		disagree[j] = (1 - model->m[j]) / (1 - model->u[j]);
	}
	memset(sums->matched_agree, 0, sizeof(sums->matched_agree));
	sdc_linktable_factors(&expectation->ratio, agree, disagree, model->attributes);
	sums->matched = 0;
	for (int first = 0; first < expectation->count; first += EXPECT_BLOCK)
	{
		const SdcPatternCount *patterns = expectation->patterns + first;
		int			size = expectation->count - first < EXPECT_BLOCK ? expectation->count - first : EXPECT_BLOCK;
		double		matched[EXPECT_BLOCK];

		sdc_interrupts_step(first / EXPECT_BLOCK);
		for (int i = 0; i < size; i++)
			matched[i] = sdc_linktable_product(&expectation->ratio, patterns[i].pattern);
		for (int i = 0; i < size; i++)
			matched[i] = (double) patterns[i].count / (1 + odds / matched[i]);
		add_expected(patterns, matched, size, expectation, sums);
	}
}

/* sdc_linkmodel_estimate: see linkmodel.h. */
void
sdc_linkmodel_estimate(const SdcPatternCount *patterns, int count, int attributes,
					   uint32 records, SdcLinkModel *model)
{
	Expectation *expectation = sdc_alloc(sizeof(Expectation));
	SdcLinkSums sums;

	expectation->patterns = patterns;
	expectation->count = count;
	fill_bits(expectation);
	memset(&sums, 0, sizeof(sums));
	for (int i = 0; i < count; i++)
	{
		sums.all += (double) patterns[i].count;
		for (uint64 rest = patterns[i].pattern; rest != 0; rest &= rest - 1)
			sums.all_agree[__builtin_ctzll(rest)] += (double) patterns[i].count;
	}
	sdc_linkem_run(model, attributes, records, expect, expectation, &sums);
	model->listed = true;
	sdc_free(expectation);
}

/* ------------------------------------------------------------------------
 * Lists or pairs
 * ------------------------------------------------------------------------
 */

/* goes_over_pairs tells whether EM goes over pairs where there are many patterns. */
static bool
goes_over_pairs(const SdcAgreementRows *rows)
{
	return rows->attributes > SDC_PATTERNCOUNTS_ATTRIBUTES && rows->records <= SDC_LINKMODEL_RECORDS;
}

/*
 * list_patterns lists the patterns of all attributes, if they are few; NULL: they are not, or, where EM does not go
 * over pairs, more than most.  Up to SDC_PATTERNCOUNTS_ATTRIBUTES attributes they always are.
 */
static SdcPatternCount *
list_patterns(SdcAgreement *agreement, SdcTeam *team, uint64 pairs_each, uint64 most, int *count)
{
	SdcAgreementRows rows = sdc_agreement_rows(agreement);
	uint64		few = (uint64) rows.records * rows.records / pairs_each;

	if (goes_over_pairs(&rows))
		most = few < PATTERNS_FEW ? few : PATTERNS_FEW;
	return sdc_agreement_totals(agreement, team, most, count);
}

/*
 * list_prefix lists the patterns of as many of the first attributes, *listed, as have few of them.  Where pairs can be
 * listed, that is all or SDC_PATTERNCOUNTS_ATTRIBUTES.
 */
static SdcPatternCount *
list_prefix(SdcAgreement *agreement, SdcTeam *team, uint64 most, int *listed, int *count)
{
	SdcAgreementRows rows = sdc_agreement_rows(agreement);
	uint64		pairs_each = sdc_pairmodel_lists(rows.records) ? PAIRS_EACH : PAIRS_EACH_OF_MANY;
	SdcPatternCount *totals = list_patterns(agreement, team, pairs_each, most, count);

	*listed = rows.attributes;
	while (totals == NULL && goes_over_pairs(&rows) && *listed > SDC_PATTERNCOUNTS_ATTRIBUTES)
	{
		SdcAgreement *first;

		*listed -= *listed / 8;
		if (*listed < SDC_PATTERNCOUNTS_ATTRIBUTES || sdc_pairmodel_lists(rows.records))
			*listed = SDC_PATTERNCOUNTS_ATTRIBUTES;
		first = sdc_agreement_first(agreement, *listed);
		totals = list_patterns(first, team, pairs_each, most, count);
		sdc_agreement_destroy(first);
	}
	return totals;
}

/* Models that are estimated by the members of a team, each of them some, or by one process alone. */
typedef struct Shared
{
	SdcTeam    *team;
	uint64		mark;
	SdcLinkModel *models;
} Shared;

/* share begins so. */
static Shared
share(SdcTeam *team, SdcLinkModel *models, int count)
{
	Shared		shared = {NULL, 0, models};

	if (team == NULL || !sdc_team_room(team, (uint64) count * sizeof(SdcLinkModel)))
		return shared;
	shared.team = team;
	shared.mark = sdc_team_mark(team);
	shared.models = sdc_team_array(team, SdcLinkModel, count);
	return shared;
}

/* take_shared copies what all of them have estimated. */
static void
take_shared(Shared *shared, SdcLinkModel *models, int count)
{
	sdc_team_barrier(shared->team);
	if (shared->team != NULL)
		memcpy(models, shared->models, (Size) count * sizeof(SdcLinkModel));
	sdc_team_release(shared->team, shared->mark);
}

/* estimate_lists estimates the models of 1 .. listed attributes from the patterns of as many, which are lost. */
static void
estimate_lists(SdcPatternCount *patterns, int count, int listed, uint32 records, Shared *shared)
{
	SdcPatternCount *spare = sdc_alloc_array(SdcPatternCount, count);

	for (int c = listed; c > 0; c--)
	{
		SdcPatternCount *folded = spare;

		if (sdc_team_takes(shared->team, (uint64) c))
			sdc_linkmodel_estimate(patterns, count, c, records, &shared->models[c - 1]);
		count = sdc_agreement_fold(patterns, count, c, folded);
		spare = patterns;
		patterns = folded;
	}
	sdc_free(patterns);
	sdc_free(spare);
}

/* sdc_linkmodel_prefixes: see linkmodel.h. */
bool
sdc_linkmodel_prefixes(SdcAgreement *agreement, SdcTeam *team, uint64 most, SdcLinkModel *models)
{
	SdcAgreementRows rows = sdc_agreement_rows(agreement);
	int			listed;
	int			count;
	SdcPatternCount *totals = list_prefix(agreement, team, most, &listed, &count);
	Shared		shared;

	if (totals == NULL)
		return false;
	shared = share(team, models, rows.attributes);
	estimate_lists(totals, count, listed, rows.records, &shared);
	if (listed < rows.attributes)
	{
		SdcPairModeler *modeler = sdc_pairmodel_create(agreement, sdc_pairmodel_lists(rows.records), NULL);

		for (int c = rows.attributes; c > listed; c--)
			if (sdc_team_takes(shared.team, (uint64) c))
				sdc_pairmodel_estimate(modeler, c, &shared.models[c - 1]);
		sdc_pairmodel_destroy(modeler);
	}
	take_shared(&shared, models, rows.attributes);
	return true;
}

/* sdc_linkmodel_all: see linkmodel.h. */
bool
sdc_linkmodel_all(SdcAgreement *agreement, SdcTeam *team, uint64 most, SdcLinkModel *model)
{
	SdcAgreementRows rows = sdc_agreement_rows(agreement);
	int			count;
	SdcPatternCount *totals = list_patterns(agreement, team, PAIRS_EACH, most, &count);
	SdcPairModeler *modeler;

	if (totals != NULL)
	{
		sdc_linkmodel_estimate(totals, count, rows.attributes, rows.records, model);
		sdc_free(totals);
		return true;
	}
	if (!goes_over_pairs(&rows))
		return false;
	/* one model alone is not worth a list */
	modeler = sdc_pairmodel_create(agreement, false, team);
	sdc_pairmodel_estimate(modeler, rows.attributes, model);
	sdc_pairmodel_destroy(modeler);
	return true;
}
