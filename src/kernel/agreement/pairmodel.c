/*-------------------------------------------------------------------------
 *
 * pairmodel.c
 *		The model of probabilistic record linkage, by EM over all pairs of records.
 *
 * In every round the probability to be matched is added up over the pairs, and for each attribute over those that
 * agree in it.  What is added up of each attribute comes from sums by the patterns of eight attributes, so that a
 * pair is added once for eight of them.
 *
 * Most pairs have next to no probability.  Those of which all together are less than a share NEGLIGIBLE of the sum are
 * left out.
 *
 * Of few records the patterns of all pairs are listed (pairlist.c), each with its count.  Of many records pairs are
 * looked at again in every round, and most are left out by bounds of their weights (pairbounds.c).  So a round costs
 * little more than the bounds, unless matched pairs can hardly be told from others.
 * Originals are divided into parts by their number alone, and sums of parts are added in the order of these: the
 * members of a team find the same as one process.
 *
 * Work: a round takes a few steps for each pattern, or n^2 bounds and a few steps for each pair that counts.
 * Deterministic: sums in the order of the list, or of the pairs.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <float.h>
#include <math.h>

#include "kernel/agreement/linktables.h"
#include "kernel/agreement/pairbounds.h"
#include "kernel/agreement/pairlist.h"
#include "kernel/agreement/pairmodel.h"

/* Records whose pairs are listed, at most. */
#define LISTED_RECORDS 4096

/* What is left out of a sum, at most. */
#define NEGLIGIBLE 1e-13

/* A sum that is smaller than expected by more than this is made again, so that no more is left out. */
#define SMALLER 0.01

/* Parts: one for so many pairs, but no more than that. */
#define PART_PAIRS (UINT64_C(1) << 20)
#define PARTS_MOST 64

/* Pairs whose probabilities are computed one after the other, before they are added up: divisions that do not wait. */
#define PAIR_BLOCK 64

/* What is added up of the originals of a part. */
typedef struct Part
{
	double		matched;
	double		agree[SDC_AGREEMENT_ATTRIBUTES];
} Part;

/* Sums by pattern of eight attributes. */
typedef double Tables[SDC_LINKTABLES][SDC_LINKTABLE_SIZE];

struct SdcPairModeler
{
	/* set once */
	SdcAgreementRows rows;
	SdcTeam    *team;
	uint64		mark;			/* where the team's memory begins */
	uint32		parts;			/* one of a list */
	Part	   *part;			/* of the team */
	SdcPairBounds *bounds;		/* NULL: there is a list */
	uint32	   *found;

	/* the list, of the attributes of the last estimate */
	SdcPairList list;

	/* set in a round */
	SdcLinkTable ratio;
	double		odds;			/* against a match */
	double		least;			/* ratio of the pairs that count; 0: all of them do */
	Tables		sum;			/* of probabilities */
};

/* parts_of is the number of parts of so many records. */
static uint32
parts_of(uint32 records)
{
	uint64		parts = (uint64) records * records / PART_PAIRS + 1;

	return parts < PARTS_MOST ? (uint32) parts : PARTS_MOST;
}

/* sdc_pairmodel_lists: see pairmodel.h. */
bool
sdc_pairmodel_lists(uint32 records)
{
	return records <= LISTED_RECORDS;
}

/* sdc_pairmodel_create: see pairmodel.h. */
SdcPairModeler *
sdc_pairmodel_create(const SdcAgreement *agreement, bool listed, SdcTeam *team)
{
	SdcPairModeler *modeler = sdc_alloc(sizeof(SdcPairModeler));

	memset(modeler, 0, sizeof(SdcPairModeler));
	modeler->rows = sdc_agreement_rows(agreement);
	modeler->parts = listed ? 1 : parts_of(modeler->rows.records);
	modeler->team = !listed && sdc_team_room(team, modeler->parts * sizeof(Part)) ? team : NULL;
	modeler->mark = sdc_team_mark(modeler->team);
	modeler->part = sdc_team_array(modeler->team, Part, modeler->parts);
	if (listed)
		sdc_pairlist_make(&modeler->list, &modeler->rows);
	else
	{
		modeler->bounds = sdc_pairbounds_create(agreement);
		modeler->found = sdc_alloc_array(uint32, modeler->rows.records);
	}
	return modeler;
}

/* sdc_pairmodel_destroy: see pairmodel.h. */
void
sdc_pairmodel_destroy(SdcPairModeler *modeler)
{
	sdc_team_free(modeler->team, modeler->part);
	sdc_team_release(modeler->team, modeler->mark);
	if (modeler->bounds == NULL)
		sdc_pairlist_free(&modeler->list);
	else
	{
		sdc_pairbounds_destroy(modeler->bounds);
		sdc_free(modeler->found);
	}
	sdc_free(modeler);
}

/* ------------------------------------------------------------------------
 * Sums
 * ------------------------------------------------------------------------
 */

/*
 * add_tables adds up the probabilities of those of some patterns that count, at most PAIR_BLOCK of them.  Always
 * inline, with a number of tables that is known where it is called: so there is no loop over them.
 */
static inline __attribute__((always_inline)) void
add_tables(SdcPairModeler *modeler, int tables, const uint64 *pattern, const uint32 *count, uint32 size)
{
	const SdcLinkTable *ratio = &modeler->ratio;
	double		matched[PAIR_BLOCK];
	uint32		place[PAIR_BLOCK];
	uint32		left = 0;

	for (uint32 i = 0; i < size; i++)
	{
		matched[left] = ratio->of[0][pattern[i] % SDC_LINKTABLE_SIZE];
#pragma GCC unroll 8
		for (int t = 1; t < tables; t++)
			matched[left] *= ratio->of[t][pattern[i] >> t * SDC_LINKTABLE_BITS & (SDC_LINKTABLE_SIZE - 1)];
		place[left] = i;
		left += matched[left] >= modeler->least;
	}
	for (uint32 i = 0; i < left; i++)
	{
		/* a ratio that is infinite is one that is large */
		double		finite = matched[i] < DBL_MAX ? matched[i] : DBL_MAX;

		matched[i] = finite / (finite + modeler->odds) * count[place[i]];
	}
	for (uint32 i = 0; i < left; i++)
	{
		uint64		rest = pattern[place[i]];

#pragma GCC unroll 8
		for (int t = 0; t < tables; t++)
			modeler->sum[t][rest >> t * SDC_LINKTABLE_BITS & (SDC_LINKTABLE_SIZE - 1)] += matched[i];
	}
}

/* add_block adds up the probabilities of some patterns with their counts; there are more than two tables. */
static void
add_block(SdcPairModeler *modeler, const uint64 *pattern, const uint32 *count, uint32 size)
{
	switch (modeler->ratio.tables)
	{
		case 3:
			add_tables(modeler, 3, pattern, count, size);
			break;
		case 4:
			add_tables(modeler, 4, pattern, count, size);
			break;
		case 5:
			add_tables(modeler, 5, pattern, count, size);
			break;
		case 6:
			add_tables(modeler, 6, pattern, count, size);
			break;
		case 7:
			add_tables(modeler, 7, pattern, count, size);
			break;
		default:
			add_tables(modeler, 8, pattern, count, size);
			break;
	}
}

/* take_sums makes sums by attribute of those by patterns, which are lost. */
static void
take_sums(SdcPairModeler *modeler, int attributes, Part *part)
{
	for (int t = 0; t < modeler->ratio.tables; t++)
	{
		double	   *sum = modeler->sum[t];

		/* the last bit first: those with it are added up, and then to those without */
		for (int bit = SDC_LINKTABLE_BITS - 1; bit >= 0; bit--)
		{
			int			half = 1 << bit;
			double		agree = 0;

			for (int p = 0; p < half; p++)
			{
				agree += sum[half + p];
				sum[p] += sum[half + p];
			}
			if (t * SDC_LINKTABLE_BITS + bit < attributes)
				part->agree[t * SDC_LINKTABLE_BITS + bit] = agree;
		}
		if (t == 0)
			part->matched = sum[0];
	}
	memset(modeler->sum, 0, sizeof(modeler->sum));
}

/* take_model sets the ratios of a model, and returns the sum of the lower of the logarithms of each attribute. */
static double
take_model(SdcPairModeler *modeler, const SdcLinkModel *model, double *agree, double *disagree)
{
	double		lowest = 0;

	for (int j = 0; j < model->attributes; j++)
	{
		agree[j] = model->m[j] / model->u[j];
		disagree[j] = (1 - model->m[j]) / (1 - model->u[j]);
	}
	modeler->odds = (1 - model->prior) / model->prior;
	sdc_linktable_factors(&modeler->ratio, agree, disagree, model->attributes);
	for (int j = 0; j < model->attributes; j++)
	{
		agree[j] = log(agree[j]);
		disagree[j] = log(disagree[j]);
		lowest += fmin(agree[j], disagree[j]);
	}
	return lowest;
}

/* ------------------------------------------------------------------------
 * Rounds
 * ------------------------------------------------------------------------
 */

/* add_list adds up the probabilities of a list. */
static void
add_list(SdcPairModeler *modeler)
{
	const SdcPairList *list = &modeler->list;

	for (uint64 i = 0; i < list->patterns; i += PAIR_BLOCK)
	{
		sdc_interrupts_step(i / PAIR_BLOCK);
		add_block(modeler, list->pattern + i, list->count + i,
				  list->patterns - i < PAIR_BLOCK ? (uint32) (list->patterns - i) : PAIR_BLOCK);
	}
}

/* add_original adds up the probabilities of the pairs of an original that count. */
static void
add_original(SdcPairModeler *modeler, int attributes, uint32 original, uint32 *credit)
{
	const SdcAgreementRows *rows = &modeler->rows;
	uint32		count;
	uint64		pattern[PAIR_BLOCK];
	uint32		ones[PAIR_BLOCK];

	if (modeler->least > 0)
		sdc_pairbounds_prepare(modeler->bounds, original);
	count = sdc_pairbounds_find(modeler->bounds, log(modeler->least), modeler->found);
	for (uint32 i = 0; i < PAIR_BLOCK; i++)
		ones[i] = 1;
	for (uint32 i = 0; i < count; i += PAIR_BLOCK)
	{
		uint32		size = count - i < PAIR_BLOCK ? count - i : PAIR_BLOCK;

		sdc_interrupts_spend(credit, PAIR_BLOCK);
		for (uint32 k = 0; k < size; k++)
			pattern[k] = sdc_agreement_compare(rows, attributes, original, modeler->found[i + k], 0);
		add_block(modeler, pattern, ones, size);
	}
}

/* add_parts adds up the parts that this process takes. */
static void
add_parts(SdcPairModeler *modeler, int attributes)
{
	uint32		records = modeler->rows.records;
	uint32		credit = 0;

	for (uint32 p = 0; p < modeler->parts; p++)
	{
		uint32		start = (uint32) ((uint64) records * p / modeler->parts);
		uint32		end = (uint32) ((uint64) records * (p + 1) / modeler->parts);

		if (!sdc_team_takes(modeler->team, p))
			continue;
		if (modeler->bounds == NULL)
			add_list(modeler);
		else
		{
			for (uint32 original = start; original < end; original++)
				add_original(modeler, attributes, original, &credit);
		}
		take_sums(modeler, attributes, &modeler->part[p]);
	}
}

/* begin_round sets what depends on the model; what is left out is a share of the sum of smaller. */
static void
begin_round(SdcPairModeler *modeler, const SdcLinkModel *model, double smaller)
{
	double		agree[SDC_AGREEMENT_ATTRIBUTES];
	double		disagree[SDC_AGREEMENT_ATTRIBUTES];
	double		lowest = take_model(modeler, model, agree, disagree);

	modeler->least = NEGLIGIBLE * smaller * modeler->odds;
	if (!(log(modeler->least) > lowest))
		modeler->least = 0;
	if (modeler->bounds != NULL)
		sdc_pairbounds_set(modeler->bounds, agree, disagree, model->attributes);
}

/*
 * expect adds up what is expected to be matched, given the model: SdcLinkExpect.  What is left out must be a
 * small share of the matched pairs and of those that are not.  How many these are is known only afterwards: it is taken
 * to be what it was in the round before, and where it is less the round is made again.
 */
static void
expect(void *arg, const SdcLinkModel *model, SdcLinkSums *sums)
{
	SdcPairModeler *modeler = arg;
	double		smaller = fmin(model->prior, 1 - model->prior);

	for (;;)
	{
		double		found;

		begin_round(modeler, model, smaller);
		add_parts(modeler, model->attributes);
		sdc_team_barrier(modeler->team);
		sums->matched = 0;
		memset(sums->matched_agree, 0, sizeof(sums->matched_agree));
		for (uint32 p = 0; p < modeler->parts; p++)
		{
			sums->matched += modeler->part[p].matched;
			for (int j = 0; j < model->attributes; j++)
				sums->matched_agree[j] += modeler->part[p].agree[j];
		}
		/* before the next round changes the parts */
		sdc_team_barrier(modeler->team);
		found = fmin(sums->matched, sums->all - sums->matched) / sums->all;
		if (modeler->least == 0 || found >= SMALLER * smaller)
			return;
		smaller = fmax(found, 0);
	}
}

/* sdc_pairmodel_estimate: see pairmodel.h. */
void
sdc_pairmodel_estimate(SdcPairModeler *modeler, int attributes, SdcLinkModel *model)
{
	uint32		records = modeler->rows.records;
	SdcLinkSums sums;

	SDC_ASSERT(sdc_linktable_count(attributes) > 2);
	memset(&sums, 0, sizeof(sums));
	sums.all = (double) records * records;
	for (int j = 0; j < attributes; j++)
		sums.all_agree[j] = (double) modeler->rows.agreeing[j];
	if (modeler->bounds == NULL)
		sdc_pairlist_fold(&modeler->list, attributes);
	sdc_linkem_run(model, attributes, records, expect, modeler, &sums);
}
