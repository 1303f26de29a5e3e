/*-------------------------------------------------------------------------
 *
 * test_positionset.c
 *		The shrinking set against an array of booleans.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/rank/positionset.h"

#include "random.h"
#include "tap.h"

/* The model: the same set, in the simplest way. */
static bool *present;
static uint32 model_n;
static uint32 model_count;

/* fill_both fills the set and the model. */
static void
fill_both(SdcPositionSet *set, uint32 n)
{
	sdc_positionset_fill(set, n);
	model_n = n;
	model_count = n;
	for (uint32 i = 0; i < n; i++)
		present[i] = true;
}

/* model_remove removes from the model. */
static void
model_remove(uint32 position)
{
	present[position] = false;
	model_count--;
}

/* compare_interval compares counts and numbered elements of one interval. */
static void
compare_interval(const SdcPositionSet *set, uint32 start, uint32 end)
{
	uint32		count = 0;

	for (uint32 i = start; i < end; i++)
	{
		if (!present[i])
			continue;
		CHECKF(sdc_positionset_select_between(set, start, end, count) == i,
			   "n %u, [%u, %u) number %u", model_n, start, end, count);
		count++;
	}
	CHECKF(sdc_positionset_count_between(set, start, end) == count, "n %u, [%u, %u)",
		   model_n, start, end);
}

/* compare_intervals looks at short intervals everywhere, and at some long ones. */
static void
compare_intervals(const SdcPositionSet *set)
{
	static const uint32 lengths[] = {0, 1, 2, 63, 64, 65, 128, 200};

	for (uint32 start = 0; start < model_n; start += 1 + model_n / 37)
	{
		for (int k = 0; k < 8; k++)
			if (lengths[k] <= model_n - start)
				compare_interval(set, start, start + lengths[k]);
	}
	if (model_n <= 1100)
		compare_interval(set, 0, model_n);
	CHECK(sdc_positionset_count_between(set, model_n, model_n) == 0);
}

/* compare_all compares every answer at every position. */
static void
compare_all(SdcPositionSet *set)
{
	uint32		prev = SDC_POSITIONSET_NONE;
	uint32		next = SDC_POSITIONSET_NONE;

	CHECKF(sdc_positionset_count_between(set, 0, model_n) == model_count, "n %u", model_n);
	for (uint32 i = 0; i < model_n; i++)
	{
		CHECKF(sdc_positionset_contains(set, i) == present[i], "n %u, %u", model_n, i);
		if (present[i])
			prev = i;
		CHECKF(sdc_positionset_prev(set, i) == prev, "n %u, %u", model_n, i);
	}
	compare_intervals(set);
	CHECKF(sdc_positionset_prev(set, model_n) == prev, "n %u", model_n);
	CHECKF(sdc_positionset_prev(set, UINT32_MAX) == prev, "n %u", model_n);
	CHECKF(sdc_positionset_next(set, model_n) == SDC_POSITIONSET_NONE, "n %u", model_n);
	CHECK(sdc_positionset_next(set, UINT32_MAX) == SDC_POSITIONSET_NONE);
	for (uint32 i = model_n; i-- > 0;)
	{
		if (present[i])
			next = i;
		CHECKF(sdc_positionset_next(set, i) == next, "n %u, %u", model_n, i);
	}
}

/* sizes tells where the levels of the set begin. */
static const uint32 sizes[] = {0, 1, 2, 3, 62, 63, 64, 65, 127, 128, 129, 511,
	512, 513, 1023, 1024, 1025, 4095, 4096, 4097, 8191, 8192, 8193, 20000,
	100000, 131072, 131073, 262145};

#define SIZES ((int) (sizeof(sizes) / sizeof(sizes[0])))

/* full_sets compares the set as it begins. */
static void
full_sets(void)
{
	for (int s = 0; s < SIZES; s++)
	{
		SdcPositionSet *set = sdc_positionset_create(sizes[s]);

		fill_both(set, sizes[s]);
		compare_all(set);
		sdc_positionset_destroy(set);
	}
}

/* random_removals removes in random order, down to nothing. */
static void
random_removals(void)
{
	for (int s = 0; s < SIZES; s++)
	{
		uint32		n = sizes[s];
		SdcPositionSet *set = sdc_positionset_create(n);
		uint32		looks = n < 2000 ? 7 : n / 3;

		random_state = n;
		fill_both(set, n);
		while (model_count > 0)
		{
			uint32		number = pick(model_count);
			uint32		position = sdc_positionset_select_between(set, 0, n, number);

			CHECKF(position < n && present[position], "n %u, number %u", n, number);
			sdc_positionset_remove(set, position);
			model_remove(position);
			if (model_count % looks == 0 || model_count == 1)
				compare_all(set);
		}
		CHECK(sdc_positionset_count_between(set, 0, n) == 0);
		CHECK(sdc_positionset_next(set, 0) == SDC_POSITIONSET_NONE);
		sdc_positionset_destroy(set);
	}
}

/* orderly_removals removes from either end and in stripes. */
static void
orderly_removals(void)
{
	for (int s = 0; s < SIZES; s++)
	{
		uint32		n = sizes[s];
		SdcPositionSet *set = sdc_positionset_create(n);

		fill_both(set, n);
		for (uint32 i = 0; i < n / 2; i++)
		{
			CHECK(sdc_positionset_next(set, 0) == i);
			sdc_positionset_remove(set, i);
			model_remove(i);
		}
		compare_all(set);
		while (model_count > 0)
		{
			uint32		last = n / 2 + model_count - 1;

			CHECK(sdc_positionset_prev(set, n) == last);
			sdc_positionset_remove(set, last);
			model_remove(last);
		}
		compare_all(set);

		fill_both(set, n);
		for (uint32 i = 0; i < n; i++)
		{
			if (i / 700 % 3 == 1 || (i / 700 % 3 == 2 && i % 5 != 0))
			{
				sdc_positionset_remove(set, i);
				model_remove(i);
			}
		}
		compare_all(set);
		sdc_positionset_destroy(set);
	}
}

/* sparse_sets keeps one element at each of some places. */
static void
sparse_sets(void)
{
	SdcPositionSet *set = sdc_positionset_create(300000);
	static const uint32 keep[] = {0, 1, 63, 64, 511, 512, 4095, 4096, 131071,
		131072, 262143, 262144, 299999};

	for (int k = 0; k < (int) (sizeof(keep) / sizeof(keep[0])); k++)
	{
		fill_both(set, 300000);
		for (uint32 i = 0; i < 300000; i++)
		{
			if (i != keep[k])
			{
				sdc_positionset_remove(set, i);
				model_remove(i);
			}
		}
		compare_all(set);
	}
	sdc_positionset_destroy(set);
}

/* refilling reuses a set for other sizes after it was used up or not. */
static void
refilling(void)
{
	SdcPositionSet *set = sdc_positionset_create(20000);

	CHECK(sdc_positionset_next(set, 0) == SDC_POSITIONSET_NONE);
	random_state = 1;
	for (int round = 0; round < ROUNDS(30); round++)
	{
		uint32		n = round % 3 == 0 ? pick(20001) : pick(1100);
		uint32		removals;

		fill_both(set, n);
		removals = pick(n + 1);
		for (uint32 i = 0; i < removals; i++)
		{
			uint32		position = sdc_positionset_select_between(set, 0, n, pick(model_count));

			sdc_positionset_remove(set, position);
			model_remove(position);
		}
		compare_all(set);
	}
	sdc_positionset_destroy(set);
	sdc_positionset_destroy(NULL);
}

/* memory_is_small is the promise of the header. */
static void
memory_is_small(void)
{
	CHECK(sdc_positionset_memory(1000000) < 1000000 / 7 + 1024);
	CHECK(sdc_positionset_memory(0) < 1024);
	CHECK(sdc_positionset_memory(UINT32_MAX) < (Size) UINT32_MAX / 7 + 1024);
	CHECK(sdc_positionset_memory(UINT32_MAX) > (Size) UINT32_MAX / 8);
}

/* main runs the tests. */
int
main(void)
{
	present = sdc_alloc(300000 * sizeof(bool));
	RUN(full_sets);
	RUN(random_removals);
	RUN(orderly_removals);
	RUN(sparse_sets);
	RUN(refilling);
	RUN(memory_is_small);
	sdc_free(present);
	return tap_done();
}
