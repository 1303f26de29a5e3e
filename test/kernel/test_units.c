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

int
main(void)
{
	RUN(compare_classes);
	return tap_done();
}
