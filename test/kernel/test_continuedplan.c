/*-------------------------------------------------------------------------
 *
 * test_continuedplan.c
 *		Plans of nights, against counting every unit and every source by itself.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/rank/continuedplan.h"

#include "random.h"
#include "tap.h"

#define MOST 40

/* A pairing, and the memory that it points to. */
typedef struct Night
{
	SdcContinuedPairing pairing;
	uint32		source[MOST];
	bool		changed[MOST];
	uint32		stratum[MOST];
	SdcUnits	units;
	uint32		of[MOST];
	uint32		start[MOST + 1];
	uint32		member[MOST];
	bool		shown[MOST];
	uint32		member_of[MOST];	/* of each source */
} Night;

/* draw_units puts the sources into units, some of which are not shown. */
static void
draw_units(Night *night, uint32 sources)
{
	uint32		units = 1 + pick(MOST - 1);
	uint32		listed = 0;

	for (uint32 s = 0; s < sources; s++)
		night->of[s] = pick(units);
	for (uint32 u = 0; u < units; u++)
	{
		night->start[u] = listed;
		night->shown[u] = pick(3) > 0;
		for (uint32 s = 0; s < sources; s++)
			if (night->of[s] == u)
				night->member[listed++] = s;
	}
	night->start[units] = listed;
	night->units = (SdcUnits) {sources, units, night->of, night->start, night->member};
	night->pairing.units = &night->units;
	night->pairing.shown = pick(2) == 0 ? night->shown : NULL;
}

/* draw_night draws who stays, changes and comes. */
static void
draw_night(Night *night)
{
	SdcContinuedPairing *pairing = &night->pairing;
	uint32		staying = pick(11);
	uint32		changing = pick(2) * pick(11);
	uint32		going = pick(2) * pick(5);

	memset(night, 0, sizeof(*night));
	pairing->sources = pick(MOST + 1);
	pairing->strata = 1 + pick(4);
	pairing->stratum = pick(3) == 0 ? NULL : night->stratum;
	pairing->least = pick(6);
	if (pick(2) == 0)
		draw_units(night, pairing->sources);
	for (uint32 s = 0; s < pairing->sources; s++)
	{
		night->stratum[s] = pick(pairing->strata);
		night->member_of[s] = SDC_CONTINUED_NOBODY;
		if (pick(10) < staying && pairing->members < MOST && (pairing->shown == NULL || night->shown[night->of[s]]))
		{
			night->member_of[s] = pairing->members;
			night->changed[pairing->members] = pick(10) < changing;
			night->source[pairing->members++] = s;
		}
		if (pick(10) < going && pairing->members < MOST)
			night->source[pairing->members++] = SDC_CONTINUED_NOBODY;
	}
	pairing->source = night->source;
	pairing->changed = night->changed;
}

/* unit_of is the unit of a source; without units each source is one. */
static uint32
unit_of(const Night *night, uint32 source)
{
	return night->pairing.units == NULL ? source : night->of[source];
}

/* counts_in tells whether a source has changed, or arrived, in a stratum. */
static bool
counts_in(const Night *night, uint32 source, uint32 stratum, bool arrived)
{
	const SdcContinuedPairing *pairing = &night->pairing;
	uint32		member = night->member_of[source];

	if ((pairing->stratum == NULL ? 0 : night->stratum[source]) != stratum)
		return false;
	if (!arrived)
		return member != SDC_CONTINUED_NOBODY && night->changed[member];
	return member == SDC_CONTINUED_NOBODY && (pairing->shown == NULL || night->shown[night->of[source]]);
}

/* count_units counts the units of which a source counts. */
static uint32
count_units(const Night *night, uint32 stratum, bool arrived)
{
	uint32		count = 0;

	for (uint32 u = 0; u < MOST; u++)
	{
		bool		any = false;

		for (uint32 s = 0; s < night->pairing.sources; s++)
			any = any || (unit_of(night, s) == u && counts_in(night, s, stratum, arrived));
		count += any;
	}
	return count;
}

/* check_records goes through the sources as they become tonight's records, and returns how many do not. */
static uint32
check_records(const Night *night, const SdcContinuedPlan *plan)
{
	uint32		records = 0;

	for (uint32 s = 0; s < night->pairing.sources; s++)
	{
		uint32		member = night->member_of[s];
		uint32		g = night->pairing.stratum == NULL ? 0 : night->stratum[s];

		if (member == SDC_CONTINUED_NOBODY && !(plan->stratum[g].join && counts_in(night, s, g, true)))
			continue;
		CHECK(plan->source[records] == s && plan->member[records] == member);
		CHECK(member == SDC_CONTINUED_NOBODY || plan->number[member] == records);
		records++;
	}
	CHECK(plan->records == records);
	return night->pairing.sources - records;
}

/* random_nights compares plans. */
static void
random_nights(void)
{
	uint32		quiet = 0;

	random_state = 1;
	for (int round = 0; round < ROUNDS(20000); round++)
	{
		static Night night;
		SdcContinuedPlan plan;
		uint32		departed = 0;
		bool		busy = false;

		draw_night(&night);
		sdc_continuedplan_make(&night.pairing, &plan);
		for (uint32 g = 0; g < night.pairing.strata; g++)
		{
			const SdcContinuedStratum *stratum = &plan.stratum[g];

			CHECK(stratum->changed == count_units(&night, g, false));
			CHECK(stratum->arrived == count_units(&night, g, true));
			CHECK(stratum->settle == (stratum->changed > 0 && stratum->changed >= night.pairing.least));
			CHECK(stratum->join == (stratum->arrived > 0 && stratum->arrived >= night.pairing.least));
			busy = busy || stratum->settle || stratum->join;
		}
		for (uint32 m = 0; m < night.pairing.members; m++)
			if (night.source[m] == SDC_CONTINUED_NOBODY)
			{
				departed++;
				CHECK(plan.number[m] == SDC_CONTINUED_NOBODY);
			}
		CHECK(plan.departed == departed && plan.waiting == check_records(&night, &plan));
		CHECK(sdc_continuedplan_is_quiet(&night.pairing, &plan) == (departed == 0 && !busy));
		quiet += departed == 0 && !busy;
		sdc_continuedplan_destroy(&plan);
	}
	CHECKF(quiet > 100, "%u", quiet);
}

int
main(void)
{
	RUN(random_nights);
	return tap_done();
}
