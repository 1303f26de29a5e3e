/*-------------------------------------------------------------------------
 *
 * linkem.c
 *		EM for the model of probabilistic record linkage.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <float.h>
#include <math.h>

#include "kernel/agreement/linkem.h"

#define CLIP 1e-6
#define PRIOR_CLIP 1e-300		/* only so that there always is a class to learn from */
#define CHANGE 1e-10			/* what EM no longer cares for */
#define MAX_ROUNDS 2000

/* clip keeps a probability away from 0 and 1. */
static double
clip(double probability)
{
	if (!(probability > CLIP))
		return CLIP;
	return probability < 1 - CLIP ? probability : 1 - CLIP;
}

/*
 * clip_prior keeps the prior inside of (0, 1).  It is not clipped like m and u: among
 * 10^12 pairs of a million records fewer than 1e-6 may well be matched.
 */
static double
clip_prior(double prior)
{
	if (!(prior > PRIOR_CLIP))
		return PRIOR_CLIP;
	return prior < 1 - DBL_EPSILON ? prior : 1 - DBL_EPSILON;
}

/* update sets a parameter and returns whether it changed. */
static bool
update(double *parameter, double value)
{
	double		old = *parameter;

	*parameter = value;
	return fabs(value - old) > CHANGE;
}

/* maximize sets the model to the most likely one, and returns whether it changed. */
static bool
maximize(const SdcLinkSums *sums, SdcLinkModel *model)
{
	double		unmatched = sums->all - sums->matched;
	bool		changed = update(&model->prior, clip_prior(sums->matched / sums->all));

	for (int j = 0; j < model->attributes; j++)
	{
		double		agree = sums->all_agree[j] - sums->matched_agree[j];

		changed |= update(&model->m[j], clip(sums->matched_agree[j] / sums->matched));
		changed |= update(&model->u[j], clip(agree / unmatched));
	}
	return changed;
}

/* sdc_linkem_run: see linkem.h.  Without pairs the model stays as it begins. */
void
sdc_linkem_run(SdcLinkModel *model, int attributes, uint32 records, SdcLinkExpect expect, void *arg,
				  SdcLinkSums *sums)
{
	bool		changed = sums->all > 0;

	SDC_ASSERT(attributes >= 1 && attributes <= SDC_AGREEMENT_ATTRIBUTES);
	memset(model, 0, sizeof(*model));
	model->attributes = attributes;
	model->prior = clip_prior(1.0 / (records > 0 ? records : 1));
	for (int j = 0; j < attributes; j++)
	{
		model->m[j] = 0.9;
		model->u[j] = 0.1;
	}
	while (changed && model->rounds < MAX_ROUNDS)
	{
		expect(arg, model, sums);
		changed = maximize(sums, model);
		model->rounds++;
	}
}
