/*-------------------------------------------------------------------------
 *
 * continuedplan.c
 *		Whose night it is: who of a continued release stays, is gone, changed, and new.
 *
 * A pass over members and three over sources; memory for a few words of each.  Determinism: nothing
 * is drawn.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/rank/continuedplan.h"

/* sdc_continuedplan_memory: the arrays of a plan, and what it works with. */
uint64
sdc_continuedplan_memory(uint32 members, uint32 sources, uint32 strata)
{
	return ((uint64) members + 3 * (uint64) sources) * sizeof(uint32) +
		(uint64) strata * (sizeof(SdcContinuedStratum) + 2 * sizeof(uint32));
}

/* stratum_of is the stratum of a source. */
static inline uint32
stratum_of(const SdcContinuedPairing *pairing, uint32 source)
{
	uint32		stratum = pairing->stratum == NULL ? 0 : pairing->stratum[source];

	SDC_ASSERT(stratum < pairing->strata);
	return stratum;
}

/* pair_sources notes the member of each source, and counts who is gone. */
static void
pair_sources(const SdcContinuedPairing *pairing, SdcContinuedPlan *plan, uint32 *member_of)
{
	for (uint32 s = 0; s < pairing->sources; s++)
	{
		sdc_interrupts_step(s);
		member_of[s] = SDC_CONTINUED_NOBODY;
	}
	for (uint32 m = 0; m < pairing->members; m++)
	{
		uint32		source = pairing->source[m];

		sdc_interrupts_step(m);
		plan->number[m] = SDC_CONTINUED_NOBODY;
		if (source == SDC_CONTINUED_NOBODY)
		{
			plan->departed++;
			continue;
		}
		SDC_ASSERT(source < pairing->sources && member_of[source] == SDC_CONTINUED_NOBODY);
		member_of[source] = m;
	}
}

/* is_hidden tells whether the unit of a source is not shown. */
static inline bool
is_hidden(const SdcContinuedPairing *pairing, uint32 source)
{
	return pairing->shown != NULL && !pairing->shown[pairing->units->of[source]];
}

/* The unit that was counted last in a stratum. */
typedef struct Counted
{
	uint32		changed;
	uint32		arrived;
} Counted;

/* count_strata counts in every stratum who has changed, and who is new: every unit once. */
static void
count_strata(const SdcContinuedPairing *pairing, SdcContinuedPlan *plan, const uint32 *member_of)
{
	Counted    *counted = sdc_alloc_array(Counted, pairing->strata);

	for (uint32 g = 0; g < pairing->strata; g++)
		counted[g] = (Counted) {SDC_CONTINUED_NOBODY, SDC_CONTINUED_NOBODY};
	for (uint32 i = 0; i < pairing->sources; i++)
	{
		uint32		source = pairing->units == NULL ? i : pairing->units->member[i];
		uint32		unit = pairing->units == NULL ? i : pairing->units->of[source];
		uint32		member = member_of[source];
		uint32		g = stratum_of(pairing, source);

		sdc_interrupts_step(i);
		if (member == SDC_CONTINUED_NOBODY && !is_hidden(pairing, source) && counted[g].arrived != unit)
		{
			counted[g].arrived = unit;
			plan->stratum[g].arrived++;
		}
		if (member != SDC_CONTINUED_NOBODY && pairing->changed[member] && counted[g].changed != unit)
		{
			counted[g].changed = unit;
			plan->stratum[g].changed++;
		}
	}
	sdc_free(counted);
}

/* decide_strata decides which strata have a lot of changed members, and of new sources. */
static void
decide_strata(const SdcContinuedPairing *pairing, SdcContinuedPlan *plan)
{
	for (uint32 g = 0; g < pairing->strata; g++)
	{
		SdcContinuedStratum *stratum = &plan->stratum[g];

		sdc_interrupts_step(g);
		stratum->settle = stratum->changed > 0 && stratum->changed >= pairing->least;
		stratum->join = stratum->arrived > 0 && stratum->arrived >= pairing->least;
	}
}

/* sdc_continuedplan_make: see continuedplan.h. */
void
sdc_continuedplan_make(const SdcContinuedPairing *pairing, SdcContinuedPlan *plan)
{
	uint32	   *member_of = sdc_alloc_array(uint32, pairing->sources);

	memset(plan, 0, sizeof(*plan));
	plan->number = sdc_alloc_array(uint32, pairing->members);
	plan->source = sdc_alloc_array(uint32, pairing->sources);
	plan->member = sdc_alloc_array(uint32, pairing->sources);
	plan->stratum = sdc_alloc_zeros(SdcContinuedStratum, pairing->strata);
	pair_sources(pairing, plan, member_of);
	count_strata(pairing, plan, member_of);
	decide_strata(pairing, plan);
	for (uint32 s = 0; s < pairing->sources; s++)
	{
		uint32		member = member_of[s];

		sdc_interrupts_step(s);
		if (member == SDC_CONTINUED_NOBODY &&
			(is_hidden(pairing, s) || !plan->stratum[stratum_of(pairing, s)].join))
		{
			plan->waiting++;
			continue;
		}
		if (member != SDC_CONTINUED_NOBODY)
			plan->number[member] = plan->records;
		plan->source[plan->records] = s;
		plan->member[plan->records++] = member;
	}
	sdc_free(member_of);
}

/* sdc_continuedplan_destroy: see continuedplan.h. */
void
sdc_continuedplan_destroy(SdcContinuedPlan *plan)
{
	sdc_free(plan->number);
	sdc_free(plan->source);
	sdc_free(plan->member);
	sdc_free(plan->stratum);
}

/* sdc_continuedplan_is_quiet: see continuedplan.h. */
bool
sdc_continuedplan_is_quiet(const SdcContinuedPairing *pairing, const SdcContinuedPlan *plan)
{
	for (uint32 g = 0; g < pairing->strata; g++)
	{
		sdc_interrupts_step(g);
		if (plan->stratum[g].settle || plan->stratum[g].join)
			return false;
	}
	return plan->departed == 0;
}
