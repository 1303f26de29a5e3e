/*-------------------------------------------------------------------------
 *
 * sweep.c
 *		Many parameter values of a method beside each other: the frontier, and the best under limits.
 *
 * The frontier of risk and loss is that of G. Duncan, S. Keller-McNulty, L. Stokes, "Disclosure risk vs. data
 * utility: the R-U confidentiality map", NISS technical report 121 (2001), with people found as
 * the risk.  The search is ours.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "measure/sweep.h"
#include "relation/base/limits.h"

/* compare_points orders by parameter, for qsort. */
static int
compare_points(const void *a, const void *b)
{
	double		left = ((const SdcSweepPoint *) a)->parameter;
	double		right = ((const SdcSweepPoint *) b)->parameter;

	return left < right ? -1 : left > right;
}

/* is_beaten tells whether another point has less risk and no more loss, or the same risk and less loss. */
static bool
is_beaten(const SdcSweepPoint *point, const SdcSweepPoint *other)
{
	const SdcScore *score = &point->score;
	const SdcScore *others = &other->score;

	if (!other->has_frontier)
		return false;
	return others->people.found < score->people.found ? others->il <= score->il :
		others->people.found == score->people.found && others->il < score->il;
}

/* is_within tells whether a point is within the limits, as far as there are some. */
static bool
is_within(const SdcSweepPoint *point, const SdcSweepLimits *limits)
{
	const SdcPeopleFound *people = &point->score.people;

	return people->known &&
		(isnan(limits->people_found) || sdc_limits_keeps(people->found, limits->people_found, true)) &&
		(isnan(limits->certain) || sdc_limits_keeps(people->certain, limits->certain, true));
}

/*
 * is_better tells whether a point is to be chosen and not another: it has less loss, or as much and
 * finds fewer people.  A loss that is known is better than one that is not.
 */
static bool
is_better(const SdcSweepPoint *point, const SdcSweepPoint *other)
{
	const SdcScore *score = &point->score;
	const SdcScore *others = &other->score;

	if (score->has_loss != others->has_loss)
		return score->has_loss;
	if (!score->has_loss)
		return false;
	return score->il != others->il ? score->il < others->il : score->people.found < others->people.found;
}

/*
 * choose finds the best point within the limits, -1 if there is none.  They are looked at from the one that protects
 * least, which is taken where no loss is known.
 */
static int
choose(const SdcSweepPoint *point, int count, const SdcSweepLimits *limits, const SdcSweepScale *scale)
{
	int			best = -1;

	if (isnan(limits->people_found) && isnan(limits->certain))
		return -1;
	for (int i = 0; i < count; i++)
	{
		int			p = scale->falls ? count - 1 - i : i;

		if (is_within(&point[p], limits) && (best < 0 || is_better(&point[p], &point[best])))
			best = p;
	}
	return best;
}

/* sdc_sweep_judge: see sweep.h. */
void
sdc_sweep_judge(SdcSweepPoint *point, int count, const SdcSweepLimits *limits, const SdcSweepScale *scale)
{
	int			best;

	qsort(point, count, sizeof(SdcSweepPoint), compare_points);
	for (int i = 0; i < count; i++)
		point[i].has_frontier = point[i].score.people.known && point[i].score.has_loss;
	best = choose(point, count, limits, scale);
	for (int i = 0; i < count; i++)
	{
		point[i].chosen = i == best;
		point[i].on_frontier = point[i].has_frontier;
		for (int j = 0; j < count && point[i].on_frontier; j++)
			point[i].on_frontier = !is_beaten(&point[i], &point[j]);
	}
}

/* sdc_sweep_next: see sweep.h. */
bool
sdc_sweep_next(const SdcSweepPoint *point, int count, const SdcSweepLimits *limits,
			   const SdcSweepScale *scale, double *parameter)
{
	int			step = scale->falls ? 1 : -1;
	int			within = choose(point, count, limits, scale);
	int			beyond = within + step;
	double		middle;

	if (!scale->searched || within < 0)
		return false;
	while (beyond >= 0 && beyond < count && is_within(&point[beyond], limits))
	{
		within = beyond;
		beyond += step;
	}
	if (beyond < 0 || beyond >= count)
		return false;
	middle = point[within].parameter + (point[beyond].parameter - point[within].parameter) / 2;
	*parameter = middle;
	return middle != point[within].parameter && middle != point[beyond].parameter;
}
