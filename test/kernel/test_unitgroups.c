/*-------------------------------------------------------------------------
 *
 * test_unitgroups.c
 *		Units in groups of records, against a look at all groups and all pairs of units.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <math.h>

#include "kernel/groups/unitgroups.h"

#include "random.h"
#include "tap.h"

#define GROUPS 12
#define UNITS 20

static uint64 records[GROUPS][UNITS];	/* of a unit in a group */
static uint32 group[GROUPS * UNITS];
static uint32 unit[GROUPS * UNITS];
static uint64 count[GROUPS * UNITS];

/* shuffle puts cells into random order. */
static void
shuffle(uint32 cells)
{
	for (uint32 i = cells; i > 1; i--)
	{
		uint32		j = pick(i);
		uint32		g = group[j];
		uint32		u = unit[j];
		uint64		c = count[j];

		group[j] = group[i - 1];
		unit[j] = unit[i - 1];
		count[j] = count[i - 1];
		group[i - 1] = g;
		unit[i - 1] = u;
		count[i - 1] = c;
	}
}

/* run runs the kernel on the cells with records, in random order. */
static SdcUnitGroups
run(uint32 groups, uint32 units)
{
	SdcUnitGroupsTask task = {0, group, groups, unit, units, count};
	SdcUnitGroups result;

	memset(&result, 0xFF, sizeof(result));
	for (uint32 g = 0; g < groups; g++)
		for (uint32 u = 0; u < units; u++)
			if (records[g][u] > 0)
			{
				group[task.cells] = g;
				unit[task.cells] = u;
				count[task.cells++] = records[g][u];
			}
	shuffle(task.cells);
	sdc_unitgroups_measure(&task, &result);
	return result;
}

/* alike counts the units that have the same records as one, itself with them. */
static uint64
alike(uint32 groups, uint32 units, uint32 one)
{
	uint64		found = 0;

	for (uint32 u = 0; u < units; u++)
	{
		bool		same = true;

		for (uint32 g = 0; g < groups; g++)
			same = same && records[g][u] == records[g][one];
		found += same;
	}
	return found;
}

/* look_at_all is what a look at all groups and units finds. */
static SdcUnitGroups
look_at_all(uint32 groups, uint32 units)
{
	SdcUnitGroups want = {.groups = groups, .k = UINT64_MAX, .k_rows = UINT64_MAX, .k_whole = UINT64_MAX};

	for (uint32 g = 0; g < groups; g++)
	{
		uint64		in = 0;
		uint64		rows = 0;
		uint64		most = 0;

		for (uint32 u = 0; u < units; u++)
		{
			in += records[g][u] > 0;
			rows += records[g][u];
			most = records[g][u] > most ? records[g][u] : most;
		}
		want.k = in < want.k ? in : want.k;
		want.k_rows = rows < want.k_rows ? rows : want.k_rows;
		want.single += in == 1;
		want.share = fmax(want.share, (double) most / (double) rows);
	}
	for (uint32 u = 0; u < units; u++)
	{
		uint64		as = alike(groups, units, u);

		want.k_whole = as < want.k_whole ? as : want.k_whole;
		want.whole_unique += as == 1;
	}
	return want;
}

/* Random files, in which some units are copies of others. */
static void
random_files_agree(void)
{
	for (uint32 round = 0; round < 5000; round++)
	{
		uint32		groups;
		uint32		units;
		uint32		copied;
		uint32		most;
		SdcUnitGroups got;
		SdcUnitGroups want;

		random_state = round;
		groups = 1 + pick(GROUPS);
		units = 1 + pick(UNITS);
		most = 1 + pick(4);
		copied = pick(100);
		memset(records, 0, sizeof(records));
		for (uint32 u = 0; u < units; u++)
			for (uint32 g = 0; g < groups; g++)
				records[g][u] = pick(3) > 0 ? 0 : pick(most + 1);
		for (uint32 u = 1; u < units; u++)
			if (pick(100) < copied)
				for (uint32 g = 0; g < groups; g++)
					records[g][u] = records[g][u - 1];
		/* each group and each unit has a record */
		for (uint32 u = 0; u < units; u++)
			records[0][u] += 1;
		for (uint32 g = 0; g < groups; g++)
			records[g][0] += 1;
		got = run(groups, units);
		want = look_at_all(groups, units);
		CHECKF(got.groups == want.groups && got.k == want.k && got.single == want.single && got.k_rows == want.k_rows &&
			   got.share == want.share, "round %u", round);
		CHECKF(got.k_whole == want.k_whole && got.whole_unique == want.whole_unique, "round %u", round);
	}
}

/* Groups 1 1 1 2 2 2, units A A B A B C. */
static void
toy_agrees(void)
{
	static const uint64 toy[2][3] = {{2, 1, 0}, {1, 1, 1}};
	SdcUnitGroups got;

	for (int g = 0; g < 2; g++)
		for (int u = 0; u < 3; u++)
			records[g][u] = toy[g][u];
	got = run(2, 3);
	CHECK(got.groups == 2 && got.k == 2 && got.k_rows == 3 && got.single == 0 && got.share == 2.0 / 3);
	CHECK(got.k_whole == 1 && got.whole_unique == 3);
}

/* No record. */
static void
nothing_is_defined(void)
{
	SdcUnitGroups got = run(0, 0);

	CHECK(got.groups == 0 && got.k == 0 && got.k_rows == 0 && got.k_whole == 0 && got.share == 0);
}

int
main(void)
{
	RUN(random_files_agree);
	RUN(toy_agrees);
	RUN(nothing_is_defined);
	return tap_done();
}
