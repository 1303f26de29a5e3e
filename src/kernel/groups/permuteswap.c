/*-------------------------------------------------------------------------
 *
 * permuteswap.c
 *		Permutation swapping: some units of every stratum exchange values, by a derangement; and its epsilon.
 *
 * J. Bailie, R. Gong, X.-L. Meng, "A refreshment stirred, not shaken" II and III (arXiv 2501.08449, 2504.15246).  In a
 * stratum of two units and more each is selected with the same probability p; if exactly one is, all are drawn anew.
 * The selected ones exchange their values by a derangement, all being equally likely.
 *
 * So a permutation that moves m of b units has a probability in proportion to p^m (1 - p)^(b - m) / D(m), where D(m) is
 * the number of derangements.  Of two files with the same invariants one is the other with d units permuted, and
 * permutations correspond to each other whose m differ by d at most.  With o = p / (1 - p), the ratio is at most
 * o^-i D(m + i) / D(m) or o^i D(m - i) / D(m), i <= d, and D(m) <= D(m + i) <= (b + 1)^i D(m): that is epsilon.  Equal
 * values sum up numerators and denominators, and other strata cancel.
 *
 * A derangement is a shuffle from the top that begins again as soon as an element keeps its place; one in e succeeds,
 * and the others end early.  S. Sattolo's shuffle is none of this: its permutations have one cycle, so that two
 * exchanges never come together, and the ratio has no bound.
 *
 * Determinism: what is drawn from the stream, in which order, is described at each function and is part of
 * SDC_STREAM_VERSION.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <math.h>

#include "kernel/base/codesort.h"
#include "kernel/groups/permuteswap.h"

/* The fewest units of which the worst case is known, where no more than half of them are selected. */
#define ATTAINED_UNITS 4

/* Behind so many terms a series of inverse factorials changes no more. */
#define TERMS 20

/*
 * sdc_permuteswap_derange: see permuteswap.h.
 *
 * Draws: below(i + 1) for i from count - 1 down to 1, until an element keeps its place; then again from the top.
 */
void
sdc_permuteswap_derange(SdcStream *stream, uint32 count, uint32 *donor)
{
	uint32		left = count;
	uint32		credit = 0;

	SDC_ASSERT(count != 1);
	for (uint32 i = 0; i < count; i++)
		donor[i] = i;
	while (left > 0)
	{
		uint32		top = left - 1;
		uint32		drawn = top > 0 ? sdc_stream_below(stream, left) : 0;
		uint32		element = donor[drawn];

		sdc_interrupts_spend(&credit, 1);
		donor[drawn] = donor[top];
		donor[top] = element;
		left = top;
		if (element != top)
			continue;
		for (uint32 i = 0; i < count; i++)
		{
			sdc_interrupts_spend(&credit, 1);
			donor[i] = i;
		}
		left = count;
	}
}

/*
 * select_units selects some units of a stratum, never exactly one, and returns how many.
 *
 * Draws: uniform for every unit, again and again as long as one is selected.
 */
static uint32
select_units(SdcStream *stream, double share, const uint32 *unit, uint32 units, uint32 *selected)
{
	uint32		count;

	do
	{
		SDC_CHECK_INTERRUPTS();
		count = 0;
		for (uint32 i = 0; i < units; i++)
		{
			sdc_interrupts_step(i);
			if (sdc_stream_uniform(stream) < share)
				selected[count++] = unit[i];
		}
	} while (count == 1);
	return count;
}

/* has_two_values tells whether the units of a stratum have two different values. */
static bool
has_two_values(const uint32 *value, const uint32 *unit, uint32 units)
{
	for (uint32 i = 1; i < units; i++)
	{
		sdc_interrupts_step(i);
		if (value[unit[i]] != value[unit[0]])
			return true;
	}
	return false;
}

/*
 * swap_stratum draws the donors of a stratum.
 *
 * Draws: those of select_units, then those of sdc_permuteswap_derange.  None with one unit.
 */
static void
swap_stratum(const SdcPermuteSwapTask *task, SdcStream *stream, const uint32 *unit, uint32 units, uint32 *selected,
			 uint32 *place, uint32 *donor, SdcPermuteSwapResult *result)
{
	uint32		count;

	result->strata++;
	result->single += units == 1;
	if (units == 1)
		return;
	if (units > result->largest && has_two_values(task->value, unit, units))
		result->largest = units;
	result->expected += units * sdc_permuteswap_selected(units, task->share);
	count = select_units(stream, task->share, unit, units, selected);
	sdc_permuteswap_derange(stream, count, place);
	for (uint32 i = 0; i < count; i++)
	{
		sdc_interrupts_step(i);
		donor[selected[i]] = selected[place[i]];
		result->moved += task->value[selected[i]] != task->value[selected[place[i]]];
	}
	result->selected += count;
}

/*
 * sdc_permuteswap_donors: see permuteswap.h.
 *
 * Draws: those of swap_stratum for every stratum, in order; units are in their order.
 */
void
sdc_permuteswap_donors(const SdcPermuteSwapTask *task, SdcStream *stream, uint32 *donor, SdcPermuteSwapResult *result)
{
	SdcCodesort by_stratum = {.code = task->stratum, .stride = 1, .codes = task->strata};
	uint32	   *unit = sdc_alloc_array(uint32, task->units);
	uint32	   *end = sdc_alloc_array(uint32, (uint64) task->strata + 1);
	uint32	   *selected = sdc_alloc_array(uint32, task->units);
	uint32	   *place = sdc_alloc_array(uint32, task->units);
	uint32		credit = 0;

	SDC_ASSERT(task->share > 0 && task->share < 1);
	memset(result, 0, sizeof(SdcPermuteSwapResult));
	for (uint32 u = 0; u < task->units; u++)
	{
		sdc_interrupts_spend(&credit, 1);
		donor[u] = u;
	}
	sdc_codesort_pass(&by_stratum, NULL, unit, task->units, end, &credit);
	for (uint32 g = 0, first = 0; g < task->strata; first = end[g++])
	{
		sdc_interrupts_spend(&credit, 1);
		if (end[g] > first)
			swap_stratum(task, stream, unit + first, end[g] - first, selected, place, donor, result);
	}
	sdc_free(place);
	sdc_free(selected);
	sdc_free(end);
	sdc_free(unit);
}

/* sdc_permuteswap_selected: see permuteswap.h. */
double
sdc_permuteswap_selected(uint32 units, double share)
{
	double		one = units * share * pow(1 - share, (double) units - 1);

	return units < 2 ? 0 : (units * share - one) / (1 - one) / units;
}

/* log_odds is the logarithm of the odds of being selected. */
static double
log_odds(double share)
{
	return log(share) - log1p(-share);
}

/* sdc_permuteswap_epsilon: see permuteswap.h. */
double
sdc_permuteswap_epsilon(uint32 largest, double share)
{
	double		odds = log_odds(share);
	double		small = log((double) largest + 1) - odds;

	if (largest < 2)
		return 0;
	return share <= 0.5 ? small : fmax(odds, small);
}

/* deranged is the share of the permutations of some elements that are derangements. */
static double
deranged(uint32 elements)
{
	double		term = 1;
	double		sum = 1;

	for (uint32 i = 1; i <= elements && i <= TERMS; i++)
	{
		term = -term / i;
		sum += term;
	}
	return sum;
}

/*
 * sdc_permuteswap_attained: see permuteswap.h.  Two units that are exchanged are the worst case: they move in one file
 * alone, or all units move in one file, and two fewer in the other one; of three, which cannot be one, one fewer.
 */
double
sdc_permuteswap_attained(uint32 largest, double share)
{
	double		odds = log_odds(share);
	double		pair;

	if (largest < 2)
		return 0;
	if (largest < ATTAINED_UNITS)
		return share <= 0.5 ? NAN : largest == 2 ? odds : fmax(odds, (M_LN2 - odds) / 2);
	pair = log((double) largest) + log((double) largest - 1) + log(deranged(largest)) - log(deranged(largest - 2));
	return fmax(odds, pair / 2 - odds);
}
