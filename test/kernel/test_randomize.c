/*-------------------------------------------------------------------------
 *
 * test_randomize.c
 *		What random anonymization draws: frequencies, sets, donors.
 *
 * Chi-square tests have fixed seeds, and limits that sound draws exceed once in 10,000 tests.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <math.h>

#include "kernel/groups/randomize.h"

#include "random.h"
#include "tap.h"

#define RECORDS 40000

static SdcStream *stream;
static uint8 master[SDC_MASTER_KEY_BYTES];

/* start begins a stream of the test's own. */
static void
start(const char *purpose, uint64 seed)
{
	CHECK(sdc_stream_start(stream, master, "test", "", purpose, seed) == SDC_OK);
}

/* bits_of counts the attributes of a record, and checks that there are none beyond the last. */
static int
bits_of(const SdcChoice *choice, uint32 record)
{
	int			bits = 0;
	int			all = 0;

	for (int j = 0; j < choice->attributes; j++)
		bits += sdc_choice_has(choice, record, j);
	for (Size byte = 0; byte < choice->width; byte++)
		all += __builtin_popcount(choice->bits[record * choice->width + byte]);
	CHECKF(all == bits, "%d bits of %d", bits, all);
	return bits;
}

/* attribute_of is the only attribute of a record. */
static int
attribute_of(const SdcChoice *choice, uint32 record)
{
	int			found = -1;

	CHECK(bits_of(choice, record) == 1);
	for (int j = 0; j < choice->attributes; j++)
		if (sdc_choice_has(choice, record, j))
			found = j;
	return found;
}

/* check_single draws one attribute a record and compares frequencies. */
static void
check_single(const double *probability, int attributes, uint64 seed)
{
	uint32	   *seen = calloc((size_t) attributes, sizeof(uint32));
	double		chi_square = 0;
	int			degrees = -1;
	SdcChoice  *choice;

	start("single", seed);
	choice = sdc_choice_single(stream, RECORDS, probability, attributes);
	CHECK(choice->records == RECORDS && choice->attributes == attributes);
	CHECK(sdc_choice_memory(RECORDS, attributes) == sizeof(SdcChoice) + RECORDS * choice->width);
	for (uint32 r = 0; r < RECORDS; r++)
		seen[attribute_of(choice, r)]++;
	for (int j = 0; j < attributes; j++)
	{
		double		expected = RECORDS * probability[j];

		if (probability[j] == 0)
		{
			CHECKF(seen[j] == 0, "attribute %d of probability 0", j);
			continue;
		}
		chi_square += (seen[j] - expected) * (seen[j] - expected) / expected;
		degrees++;
	}
	if (degrees > 0)
		CHECKF(chi_square < tap_chi_square_limit(degrees), "%d attributes, seed %u: %g", attributes,
			   (unsigned) seed, chi_square);
	sdc_choice_destroy(choice);
	free(seen);
}

/* One attribute is drawn as often as it should be, and never one of probability 0. */
static void
single_has_its_probabilities(void)
{
	static const double nine[] = {.1001, .0227, .0249, .0353, .0469, .6646, .0585, .0236, .0234};
	static const double zeros[] = {0, 0, .25, 0, .5, 0, 0, .25, 0, 0};
	static const double ends[] = {.5, 0, 0, .5};
	static const double one[] = {0, 1, 0};
	static const double only[] = {1};
	double		many[700];

	check_single(nine, 9, 1);
	check_single(zeros, 10, 2);
	check_single(ends, 4, 3);
	check_single(one, 3, 4);
	check_single(only, 1, 5);
	for (int j = 0; j < 700; j++)
		many[j] = 1.0 / 700;
	check_single(many, 700, 6);
	for (int j = 0; j < 700; j++)
		many[j] = j % 7 == 3 ? 0.01 : 0;
	check_single(many, 700, 7);
}

/* The attribute is the first whose cumulative probability is above the number drawn. */
static void
single_is_inversion(void)
{
	double		probability[40];
	double		sum = 0;
	SdcChoice  *choice;

	random_state = 1;
	for (int j = 0; j < 40; j++)
	{
		probability[j] = pick(3) == 0 ? 0 : 1 + pick(50);
		sum += probability[j];
	}
	for (int j = 0; j < 40; j++)
		probability[j] /= sum;
	start("inversion", 0);
	choice = sdc_choice_single(stream, RECORDS, probability, 40);
	start("inversion", 0);
	for (uint32 r = 0; r < RECORDS; r++)
	{
		double		u = sdc_stream_uniform(stream);
		double		bound = probability[0];
		int			j = 0;

		while (u >= bound)
			bound += probability[++j];
		CHECKF(attribute_of(choice, r) == j, "record %u: %d", r, j);
	}
	sdc_choice_destroy(choice);
}

/* What rounding leaves goes to the last attribute that has a probability: here nearly everything. */
static void
rest_goes_to_the_last(void)
{
	static const double little[] = {0, 1e-3, 1e-3, 0, 0};
	uint32		seen[5] = {0};
	SdcChoice  *choice;

	start("rest", 0);
	choice = sdc_choice_single(stream, RECORDS, little, 5);
	for (uint32 r = 0; r < RECORDS; r++)
		seen[attribute_of(choice, r)]++;
	CHECK(seen[0] == 0 && seen[3] == 0 && seen[4] == 0);
	CHECK(seen[1] > 10 && seen[1] < 90 && seen[2] == RECORDS - seen[1]);
	sdc_choice_destroy(choice);
}

/* binomial is n over k, for small n. */
static double
binomial(int n, int k)
{
	double		result = 1;

	for (int i = 0; i < k; i++)
		result = result * (n - i) / (i + 1);
	return result;
}

/* Every set of k attributes comes as often as every other. */
static void
subsets_are_uniform(void)
{
	for (int m = 1; m <= 9; m += 2)
	{
		for (int k = 1; k <= m; k++)
		{
			static uint32 seen[512];
			double		expected = RECORDS / binomial(m, k);
			double		chi_square = 0;
			int			sets = 0;
			SdcChoice  *choice;

			memset(seen, 0, sizeof(seen));
			start("subset", (uint64) (10 * m + k));
			choice = sdc_choice_subset(stream, RECORDS, m, k);
			for (uint32 r = 0; r < RECORDS; r++)
			{
				int			set = 0;

				CHECKF(bits_of(choice, r) == k, "%d of %d", k, m);
				for (int j = 0; j < m; j++)
					set |= sdc_choice_has(choice, r, j) << j;
				seen[set]++;
			}
			for (int set = 0; set < 1 << m; set++)
			{
				if (seen[set] == 0)
					continue;
				sets++;
				chi_square += (seen[set] - expected) * (seen[set] - expected) / expected;
			}
			CHECK(sets == (int) binomial(m, k));
			if (sets > 1)
				CHECKF(chi_square < tap_chi_square_limit(sets - 1), "%d of %d: %g", k, m, chi_square);
			sdc_choice_destroy(choice);
		}
	}
}

/* Wide sets have as many attributes as asked for, each as often as any other, in pairs too. */
static void
wide_subsets_are_uniform(void)
{
	static const int wide[][2] = {{8, 4}, {16, 3}, {64, 20}, {65, 60}, {200, 7}, {200, 200}};

	for (int w = 0; w < 6; w++)
	{
		int			m = wide[w][0];
		int			k = wide[w][1];
		uint32		seen[200] = {0};
		uint32		with_first = 0;
		double		expected = 5000.0 * k / m;
		double		chi_square = 0;
		SdcChoice  *choice;

		start("wide", (uint64) w);
		choice = sdc_choice_subset(stream, 5000, m, k);
		for (uint32 r = 0; r < 5000; r++)
		{
			CHECKF(bits_of(choice, r) == k, "%d of %d", k, m);
			for (int j = 0; j < m; j++)
				seen[j] += sdc_choice_has(choice, r, j);
			with_first += sdc_choice_has(choice, r, 0) && sdc_choice_has(choice, r, m - 1);
		}
		for (int j = 0; j < m; j++)
			chi_square += (seen[j] - expected) * (seen[j] - expected) / expected;
		/* the variance of a count is 1 - k / m of that of a Poisson variable, about */
		CHECKF(chi_square <= tap_chi_square_limit(m - 1) * (1 - (double) k / m) * m / (m - 1.0),
			   "%d of %d: %g", k, m, chi_square);
		CHECK(fabs(with_first - expected * (k - 1) / (m - 1)) <= 4 * sqrt(expected));
		sdc_choice_destroy(choice);
	}
}

/* Donors are uniform among the members, others donate to themselves, no one else is touched. */
static void
donors_are_uniform(void)
{
	enum
	{
		MEMBERS = 25
	};
	static const double half[] = {0.5, 0.5};
	uint32		member[MEMBERS];
	uint32		seen[100] = {0};
	uint32		draws = 0;
	double		chi_square = 0;

	for (uint32 i = 0; i < MEMBERS; i++)
		member[i] = 4 * i + 1;
	for (uint32 round = 0; round < 2000; round++)
	{
		uint32		donor[100];
		SdcChoice  *choice;

		start("choose", round);
		choice = sdc_choice_single(stream, 100, half, 2);
		for (uint32 i = 0; i < 100; i++)
			donor[i] = 12345;
		start("donors", round);
		sdc_randomize_donors(stream, choice, 1, member, MEMBERS, donor);
		for (uint32 i = 0; i < 100; i++)
		{
			if (i % 4 != 1)
				CHECK(donor[i] == 12345);
			else if (!sdc_choice_has(choice, i, 1))
				CHECK(donor[i] == i);
			else
			{
				CHECKF(donor[i] < 100 && donor[i] % 4 == 1, "donor %u", donor[i]);
				seen[donor[i] % 100]++;
				draws++;
			}
		}
		sdc_choice_destroy(choice);
	}
	CHECK(draws > 24000 && draws < 26000);
	for (uint32 i = 0; i < MEMBERS; i++)
	{
		double		expected = (double) draws / MEMBERS;

		chi_square += (seen[member[i]] - expected) * (seen[member[i]] - expected) / expected;
	}
	CHECKF(chi_square < tap_chi_square_limit(MEMBERS - 1), "%g", chi_square);
}

/* A donor is the next draw below the number of members, for those that were chosen, in order. */
static void
donors_follow_the_stream(void)
{
	enum
	{
		COUNT = 10007
	};
	static uint32 member[COUNT];
	static uint32 donor[2 * COUNT];
	static uint32 all[2 * COUNT];
	SdcChoice  *choice;

	for (uint32 i = 0; i < COUNT; i++)
		member[i] = 2 * i;
	start("choose", 0);
	choice = sdc_choice_subset(stream, 2 * COUNT, 11, 4);
	for (int pass = 0; pass < 2; pass++)
	{
		uint32		count = pass == 0 ? COUNT : 2 * COUNT;

		start("draw", 1);
		sdc_randomize_donors(stream, choice, 10, pass == 0 ? member : NULL, count,
							 pass == 0 ? donor : all);
		start("draw", 1);
		for (uint32 i = 0; i < count; i++)
		{
			uint32		record = pass == 0 ? member[i] : i;
			uint32		drawn = sdc_choice_has(choice, record, 10) ?
				sdc_stream_below(stream, count) : i;

			CHECKF((pass == 0 ? donor[record] : all[record]) == (pass == 0 ? member[drawn] : drawn),
				   "record %u", record);
		}
	}
	sdc_choice_destroy(choice);
}

/* The same stream gives the same choice and donors; no records and no members are no trouble. */
static void
draws_are_repeatable(void)
{
	static const double third[] = {1 / 3.0, 1 / 3.0, 1 / 3.0};
	uint32		nobody = 77;
	SdcChoice  *a;
	SdcChoice  *b;

	start("repeat", 0);
	a = sdc_choice_single(stream, 3000, third, 3);
	start("repeat", 0);
	b = sdc_choice_single(stream, 3000, third, 3);
	CHECK(memcmp(a->bits, b->bits, 3000 * a->width) == 0);
	sdc_choice_destroy(b);
	start("repeat", 1);
	b = sdc_choice_single(stream, 3000, third, 3);
	CHECK(memcmp(a->bits, b->bits, 3000 * a->width) != 0);
	sdc_choice_destroy(b);
	sdc_randomize_donors(stream, a, 0, NULL, 0, &nobody);
	CHECK(nobody == 77);
	sdc_choice_destroy(a);
	sdc_choice_destroy(sdc_choice_single(stream, 0, third, 3));
	sdc_choice_destroy(sdc_choice_subset(stream, 0, 3, 2));
	sdc_choice_destroy(NULL);
	a = sdc_choice_subset(stream, 1, 1, 1);
	sdc_randomize_donors(stream, a, 0, NULL, 1, &nobody);
	CHECK(nobody == 0);
	sdc_choice_destroy(a);
}

/* Each attribute by itself: u < p of its own stream, the other bits stay; together they are independent. */
static void
each_is_by_itself(void)
{
	SdcChoice  *choice = sdc_choice_create(RECORDS, 10);
	static const double p[2] = {0.3, 0.05};
	double		square = 0;
	uint32		count[4] = {0};

	memset(choice->bits, 0xFF, RECORDS * choice->width);
	start("each", 1);
	sdc_choice_each(stream, choice, 2, p[0]);
	start("each", 2);
	sdc_choice_each(stream, choice, 9, p[1]);
	start("each", 2);
	for (uint32 r = 0; r < RECORDS; r++)
	{
		CHECK(sdc_choice_has(choice, r, 9) == (sdc_stream_uniform(stream) < p[1]));
		for (int j = 0; j < 10; j++)
			CHECK(j == 2 || j == 9 || sdc_choice_has(choice, r, j));
		count[sdc_choice_has(choice, r, 2) * 2 + sdc_choice_has(choice, r, 9)]++;
	}
	for (int i = 0; i < 4; i++)
	{
		double		expected = RECORDS * (i / 2 ? p[0] : 1 - p[0]) * (i % 2 ? p[1] : 1 - p[1]);

		square += (count[i] - expected) * (count[i] - expected) / expected;
	}
	/* 3 degrees of freedom, once in 10,000 */
	CHECKF(square < 21.11, "chi-square %g", square);
	sdc_choice_destroy(choice);
}

int
main(void)
{
	if (sdc_stream_create(&stream) != SDC_OK ||
		sdc_stream_master_from_seed("randomize", 9, master) != SDC_OK)
		return 1;
	RUN(single_has_its_probabilities);
	RUN(single_is_inversion);
	RUN(rest_goes_to_the_last);
	RUN(subsets_are_uniform);
	RUN(wide_subsets_are_uniform);
	RUN(each_is_by_itself);
	RUN(donors_are_uniform);
	RUN(donors_follow_the_stream);
	RUN(draws_are_repeatable);
	sdc_stream_destroy(stream);
	return tap_done();
}
