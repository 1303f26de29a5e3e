/*-------------------------------------------------------------------------
 *
 * unitlinks.c
 *		Which units of a release a person can be, by all rows that an intruder knows of the person.
 *
 * Units of which the same is known are searched for once (unitsearch.h).  The best of what is found are those that cost
 * least (unitcosts.h); only one of them, or of rows without likelihood and distance all of them, need no costs.
 *
 * Memory: that of candidates.h, and 40 bytes a row and 28 more for each column that was swapped whole; and m^2 bits for
 * a unit of m rows.  Determinism: by the inputs.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <math.h>

#include "kernel/base/codesort.h"
#include "kernel/candidates/unitcosts.h"
#include "kernel/candidates/unitlinks.h"
#include "kernel/candidates/unitsearch.h"

/* The attack. */
typedef struct Attack
{
	SdcUnitSearch *search;
	SdcUnitCosts *costs;
	const uint32 *unit;			/* as given */
	uint32		count;
	uint32	   *order;			/* indexes of them, by group */
	SdcUnitCost *cost;			/* by unit: of those that were found, without parts where it is not computed */
	SdcCandidatesLink *link;
	uint32		credit;
} Attack;

/*
 * put_own_first has those of the same group come first among what was found: the right ones are likely to be best.  It
 * returns how many these are.
 */
static uint32
put_own_first(SdcUnitSearch *search, uint32 group)
{
	uint32		first = 0;

	for (uint32 c = 0; c < search->candidates; c++)
	{
		uint32		unit = search->candidate[c];

		if (search->group[unit] != group)
			continue;
		search->candidate[c] = search->candidate[first];
		search->candidate[first++] = unit;
	}
	return first;
}

/*
 * put_nearest_first puts the unit that can cost least behind those of the same group, and notes what each costs at
 * least: the sooner a good one is found, the more of the others are seen to be worse.
 */
static void
put_nearest_first(Attack *attack, uint32 first)
{
	SdcUnitSearch *search = attack->search;
	uint32		nearest = first;

	for (uint32 c = 0; c < search->candidates; c++)
	{
		uint32		unit = search->candidate[c];

		sdc_interrupts_spend(&attack->credit, 1);
		attack->cost[unit].measure = sdc_unitcosts_least(attack->costs, unit);
		if (c >= first && attack->cost[unit].measure < attack->cost[search->candidate[nearest]].measure)
			nearest = c;
	}
	if (nearest > first)
	{
		uint32		unit = search->candidate[nearest];

		search->candidate[nearest] = search->candidate[first];
		search->candidate[first] = unit;
	}
}

/* compute_costs computes what the units cost that were found for a group, but for those that are not the best. */
static void
compute_costs(Attack *attack, uint32 group)
{
	SdcUnitSearch *search = attack->search;
	SdcUnitCost best = {INFINITY, INFINITY, INFINITY};

	sdc_unitcosts_take(attack->costs, search->first[group]);
	put_nearest_first(attack, put_own_first(search, group));
	for (uint32 c = 0; c < search->candidates; c++)
	{
		uint32		unit = search->candidate[c];
		SdcUnitCost *cost = &attack->cost[unit];

		sdc_interrupts_spend(&attack->credit, 1);
		if (!sdc_unitcosts_find(attack->costs, unit, &best, cost))
			*cost = (SdcUnitCost) {INFINITY, INFINITY, INFINITY};
		else if (sdc_unitcosts_compare(cost, &best) < 0)
			best = *cost;
	}
}

/* find_costs finds what the units cost that were found for a group: nothing where all of them are alike. */
static void
find_costs(Attack *attack, uint32 group)
{
	const SdcUnitSearch *search = attack->search;

	if (search->candidates > 1 &&
		(search->conditions->likelihood != NULL || search->conditions->space->dimensions > 0))
	{
		compute_costs(attack, group);
		return;
	}
	for (uint32 c = 0; c < search->candidates; c++)
		attack->cost[search->candidate[c]] = (SdcUnitCost) {0, 0, 0};
}

/* find_best finds the least cost of what was found: the least of each part among those that tie in those before. */
static void
find_best(const Attack *attack, SdcUnitCost *best)
{
	const SdcUnitSearch *search = attack->search;

	*best = (SdcUnitCost) {INFINITY, INFINITY, INFINITY};
	for (uint32 c = 0; c < search->candidates; c++)
		best->unlikely = fmin(best->unlikely, attack->cost[search->candidate[c]].unlikely);
	for (int part = 0; part < 2; part++)
		for (uint32 c = 0; c < search->candidates; c++)
		{
			const SdcUnitCost *cost = &attack->cost[search->candidate[c]];

			if (cost->unlikely > best->unlikely + SDC_LIKELIHOOD_TIE)
				continue;
			if (part == 0)
				best->without = fmin(best->without, cost->without);
			else if (cost->without == best->without)
				best->measure = fmin(best->measure, cost->measure);
		}
}

/* is_best tells whether a unit that was found is one of the best. */
static inline bool
is_best(const Attack *attack, uint32 unit, const SdcUnitCost *best)
{
	return sdc_unitcosts_compare(&attack->cost[unit], best) == 0;
}

/* write_links makes the links of the places [place, end), which are of one group. */
static void
write_links(Attack *attack, uint32 place, uint32 end)
{
	const SdcUnitSearch *search = attack->search;
	SdcLink		link = {.linked = SDC_RECORD_NONE, .candidates = search->candidates};
	SdcUnitCost best;

	find_best(attack, &best);
	for (uint32 c = 0; c < search->candidates; c++)
	{
		uint32		unit = search->candidate[c];

		sdc_interrupts_spend(&attack->credit, 1);
		if (!is_best(attack, unit, &best))
			continue;
		link.ties++;
		link.linked = unit < link.linked ? unit : link.linked;
	}
	if (search->candidates > 0)
		link.distance = sdc_metricspace_distance(search->conditions->space, best.measure);
	for (uint32 i = place; i < end; i++)
	{
		uint32		unit = sdc_record_at(attack->unit, attack->order[i]);
		SdcCandidatesLink *to = &attack->link[attack->order[i]];

		*to = (SdcCandidatesLink) {link, sdc_unitsearch_inside(search, unit)};
		to->link.correct = to->inside && is_best(attack, unit, &best);
	}
}

/* order_units puts units of which the same is known one after the other. */
static void
order_units(Attack *attack)
{
	const SdcUnitSearch *search = attack->search;
	uint32	   *work = sdc_alloc_array(uint32, (uint64) search->groups + 1);

	sdc_codesort_pass(&(SdcCodesort) {search->group, 1, search->groups, attack->unit}, NULL, attack->order,
					  attack->count, work, &attack->credit);
	sdc_free(work);
}

/* sdc_unitlinks_run: see unitlinks.h. */
void
sdc_unitlinks_run(const SdcUnitLinksTask *task, SdcCandidatesAttack attack, const uint32 *unit, uint32 count,
				  SdcCandidatesLink *link)
{
	Attack		state = {.unit = unit, .count = count, .link = link, .credit = SDC_INTERRUPT_STEPS};

	if (count == 0)
		return;
	state.search = sdc_unitsearch_create(task, attack);
	state.costs = sdc_unitcosts_create(state.search);
	state.order = sdc_alloc_array(uint32, count);
	state.cost = sdc_alloc_array(SdcUnitCost, task->units->count);
	order_units(&state);
	for (uint32 place = 0, end; place < count; place = end)
	{
		uint32		group = state.search->group[sdc_record_at(unit, state.order[place])];

		for (end = place + 1; end < count; end++)
			if (state.search->group[sdc_record_at(unit, state.order[end])] != group)
				break;
		SDC_REPORT(place, count);
		sdc_unitsearch_find(state.search, group);
		find_costs(&state, group);
		write_links(&state, place, end);
	}
	sdc_free(state.cost);
	sdc_free(state.order);
	sdc_unitcosts_destroy(state.costs);
	sdc_unitsearch_destroy(state.search);
}
