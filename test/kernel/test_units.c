/*-------------------------------------------------------------------------
 *
 * test_units.c
 *		Classes of units of a size, beside a program that is written from their definition.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/base/units.h"

#include "random.h"
#include "tap.h"

#define MOST 60
#define SIZES 12

static uint32 size[MOST];
static uint32 stratum[MOST];
static uint32 class[MOST];
static uint32 expected[MOST];

/* count_size counts the units of a size in a stratum. */
static uint32
count_size(uint32 units, uint32 s, uint32 m)
{
	uint32		count = 0;

	for (uint32 u = 0; u < units; u++)
		count += stratum[u] == s && size[u] == m;
	return count;
}

/* put_size puts the units of a size in a stratum into a class. */
static void
put_size(uint32 units, uint32 s, uint32 m, uint32 number)
{
	for (uint32 u = 0; u < units; u++)
		if (stratum[u] == s && size[u] == m)
			expected[u] = number;
}

/* classify_naively takes the sizes of every stratum from the largest down, and returns the number of classes. */
static uint32
classify_naively(uint32 units, uint32 strata, uint32 least)
{
	uint32		classes = 0;

	for (uint32 s = 0; s < strata; s++)
	{
		uint32		before = classes;
		uint32		members = 0;

		for (uint32 m = SIZES; m-- > 0;)
		{
			put_size(units, s, m, classes);
			members += count_size(units, s, m);
			if (members < least)
				continue;
			classes++;
			members = 0;
		}
		if (members > 0 && classes > before)
		{
			/* the remainder joins the class that was closed last */
			for (uint32 u = 0; u < units; u++)
				if (stratum[u] == s && expected[u] == classes)
					expected[u] = classes - 1;
		}
		else if (members > 0)
			classes++;
	}
	return classes;
}

/* compare_classes compares random units. */
static void
compare_classes(void)
{
	for (uint64 seed = 1; seed <= 3000; seed++)
	{
		uint32		units;
		uint32		strata;
		uint32		least;
		bool		several;

		random_state = seed;
		units = pick(MOST + 1);
		strata = 1 + pick(4);
		least = 1 + pick(1 + pick(20));
		several = strata > 1;
		for (uint32 u = 0; u < units; u++)
		{
			size[u] = pick(1 + pick(SIZES));
			stratum[u] = pick(strata);
		}
		CHECK(sdc_units_classes(units, size, several ? stratum : NULL, strata, least, class) ==
			  classify_naively(units, strata, least));
		for (uint32 u = 0; u < units; u++)
			CHECKF(class[u] == expected[u], "seed %llu, unit %u: %u, not %u", (unsigned long long) seed, u, class[u],
				   expected[u]);
	}
}

/* join_naively finds the least size of the class that a unit joins, of those that units of its stratum are in. */
static uint32
join_naively(uint32 units, const uint32 *was, uint32 unit)
{
	uint32		below = 0;
	uint32		above = 0;

	for (uint32 u = 0; u < units; u++)
	{
		if (was[u] == 0 || stratum[u] != stratum[unit])
			continue;
		if (was[u] <= size[unit] && was[u] > below)
			below = was[u];
		if (above == 0 || was[u] < above)
			above = was[u];
	}
	return below > 0 ? below : above;
}

/* fresh_naively finds the least size of the class that a unit is in by all sizes. */
static uint32
fresh_naively(uint32 units, uint32 unit)
{
	uint32		least = SIZES;

	for (uint32 u = 0; u < units; u++)
		if (expected[u] == expected[unit] && size[u] < least)
			least = size[u];
	return least;
}

/* precedes tells whether a unit's class is numbered before that of another one. */
static bool
precedes(const uint32 *least_of, uint32 a, uint32 b)
{
	return stratum[a] < stratum[b] || (stratum[a] == stratum[b] && least_of[a] > least_of[b]);
}

/* count_before counts the classes before that of a unit. */
static uint32
count_before(uint32 units, const uint32 *least_of, uint32 unit)
{
	uint32		before = 0;

	for (uint32 u = 0; u < units; u++)
	{
		bool		first = precedes(least_of, u, unit);

		for (uint32 other = 0; other < u; other++)
			first &= stratum[other] != stratum[u] || least_of[other] != least_of[u];
		before += first;
	}
	return before;
}

/* check_joined compares the classes of units some of which are in one. */
static void
check_joined(uint32 units, uint32 strata, uint32 least, const uint32 *was, uint64 seed)
{
	static uint32 start[MOST + 1];
	static uint32 least_of[MOST];
	SdcUnits	of = {0, units, NULL, start, NULL};
	uint32		classes = 0;
	uint32		found;

	for (uint32 u = 0; u < units; u++)
		start[u + 1] = start[u] + size[u];
	memcpy(least_of, was, sizeof(least_of));
	(void) classify_naively(units, strata, least);
	found = sdc_units_joined_classes(&of, strata > 1 ? stratum : NULL, strata, least, least_of, class);
	for (uint32 u = 0; u < units; u++)
	{
		uint32		joined = was[u] != 0 ? was[u] : join_naively(units, was, u);
		uint32		right = joined != 0 ? joined : fresh_naively(units, u);

		CHECKF(least_of[u] == right, "seed %llu, unit %u: %u, not %u", (unsigned long long) seed, u, least_of[u], right);
		CHECKF(class[u] == count_before(units, least_of, u), "seed %llu, unit %u: class %u, not %u",
			   (unsigned long long) seed, u, class[u], count_before(units, least_of, u));
		classes = class[u] + 1 > classes ? class[u] + 1 : classes;
	}
	CHECK(found == classes);
}

/* compare_joined: random units, of which none, some or all are in a class, of their stratum or from another one. */
static void
compare_joined(void)
{
	for (uint64 seed = 1; seed <= 2000; seed++)
	{
		uint32		was[MOST] = {0};
		uint32		units;
		uint32		strata;
		uint32		share;

		random_state = seed;
		units = pick(MOST + 1);
		strata = 1 + pick(4);
		share = pick(5);
		for (uint32 u = 0; u < units; u++)
		{
			size[u] = 1 + pick(1 + pick(SIZES - 1));
			stratum[u] = pick(strata);
			was[u] = pick(4) < share && stratum[u] != 3 ? 1 + pick(SIZES) : 0;
		}
		check_joined(units, strata, 1 + pick(8), was, seed);
	}
}

int
main(void)
{
	RUN(compare_classes);
	RUN(compare_joined);
	return tap_done();
}
