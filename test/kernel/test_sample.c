/*-------------------------------------------------------------------------
 *
 * test_sample.c
 *		Samples and permutations are uniform, intervals cover.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/base/sample.h"

#include "tap.h"

static SdcStream *stream;

/* start begins a stream of the test's own. */
static void
start(const char *purpose)
{
	uint8		master[SDC_MASTER_KEY_BYTES];

	CHECK(sdc_stream_master_from_seed("sample", 6, master) == SDC_OK);
	CHECK(sdc_stream_start(stream, master, "test", "", purpose, 0) == SDC_OK);
}

/* Every subset of 3 of 6 records comes as often: 20 subsets. */
static void
samples_are_uniform(void)
{
	enum
	{
		DRAWS = 40000
	};
	int			seen[64] = {0};
	double		chi_square = 0;
	int			subsets = 0;

	start("subsets");
	for (int i = 0; i < DRAWS; i++)
	{
		uint32		record[3];

		sdc_sample_draw(stream, 6, 3, record);
		CHECK(record[0] < record[1] && record[1] < record[2] && record[2] < 6);
		seen[1 << record[0] | 1 << record[1] | 1 << record[2]]++;
	}
	for (int s = 0; s < 64; s++)
	{
		double		expected = DRAWS / 20.0;

		if (seen[s] == 0)
			continue;
		subsets++;
		chi_square += (seen[s] - expected) * (seen[s] - expected) / expected;
	}
	CHECK(subsets == 20);
	CHECKF(chi_square < tap_chi_square_limit(19), "chi square %g", chi_square);
}

/* Nothing, everything and one of one are samples too. */
static void
samples_have_ends(void)
{
	uint32		record[100];

	start("ends");
	sdc_sample_draw(stream, 100, 0, record);
	sdc_sample_draw(stream, 0, 0, record);
	sdc_sample_draw(stream, 100, 100, record);
	for (uint32 i = 0; i < 100; i++)
		CHECK(record[i] == i);
	sdc_sample_draw(stream, 1, 1, record);
	CHECK(record[0] == 0);
}

/* Every permutation of 4 comes as often: 24 permutations. */
static void
permutations_are_uniform(void)
{
	enum
	{
		DRAWS = 48000
	};
	int			seen[256] = {0};
	double		chi_square = 0;
	int			found = 0;

	start("permutations");
	for (int i = 0; i < DRAWS; i++)
	{
		uint32		element[4] = {0, 1, 2, 3};

		sdc_sample_shuffle(stream, element, 4);
		seen[element[0] | element[1] << 2 | element[2] << 4 | element[3] << 6]++;
	}
	for (int s = 0; s < 256; s++)
	{
		double		expected = DRAWS / 24.0;

		if (seen[s] == 0)
			continue;
		found++;
		chi_square += (seen[s] - expected) * (seen[s] - expected) / expected;
	}
	CHECK(found == 24);
	CHECKF(chi_square < tap_chi_square_limit(23), "chi square %g", chi_square);
	sdc_sample_shuffle(stream, NULL, 0);
}

/* The interval of 15 in 50 of very many, computed by hand from Wilson's formula. */
static void
interval_is_wilsons(void)
{
	double		low;
	double		high;

	sdc_sample_interval(15, 50, UINT64_C(1000000000000), &low, &high);
	/* with 1.959964, as all intervals of 95 percent: its other digits would be seen */
	CHECKF(fabs(low - 0.19103553430306) < 1e-10, "low %.14f", low);
	CHECKF(fabs(high - 0.43750350576839) < 1e-10, "high %.14f", high);
}

/* A sample of everything is certain, no sample tells nothing, ends stay inside. */
static void
interval_has_ends(void)
{
	double		low;
	double		high;

	sdc_sample_interval(3, 10, 10, &low, &high);
	CHECK(low == 0.3 && high == 0.3);
	sdc_sample_interval(0, 0, 10, &low, &high);
	CHECK(low == 0 && high == 1);
	sdc_sample_interval(0, 20, 1000, &low, &high);
	CHECK(low == 0 && high > 0.1 && high < 0.2);
	sdc_sample_interval(20, 20, 1000, &low, &high);
	CHECK(high == 1 && low < 0.9 && low > 0.8);
	sdc_sample_interval(1, 1, 2, &low, &high);
	CHECK(low >= 0 && low <= 1 && high == 1);
}

/* Of 1,000 samples of a quarter of a population about 95 % cover its rate. */
static void
interval_covers(void)
{
	enum
	{
		RECORDS = 400, COUNT = 100, DRAWS = 2000
	};
	int			covered = 0;

	start("coverage");
	for (int i = 0; i < DRAWS; i++)
	{
		uint32		record[COUNT];
		double		hits = 0;
		double		low;
		double		high;

		sdc_sample_draw(stream, RECORDS, COUNT, record);
		for (int r = 0; r < COUNT; r++)
			hits += record[r] < RECORDS * 0.3;
		sdc_sample_interval(hits, COUNT, RECORDS, &low, &high);
		covered += low <= 0.3 && 0.3 <= high;
	}
	/* without the correction for the finite population it would be above 97.5 % */
	CHECKF(covered > 0.935 * DRAWS && covered < 0.97 * DRAWS, "%d of %d", covered, DRAWS);
}

int
main(void)
{
	if (sdc_stream_create(&stream) != SDC_OK)
		return 1;
	RUN(samples_are_uniform);
	RUN(samples_have_ends);
	RUN(permutations_are_uniform);
	RUN(interval_is_wilsons);
	RUN(interval_has_ends);
	RUN(interval_covers);
	sdc_stream_destroy(stream);
	return tap_done();
}
