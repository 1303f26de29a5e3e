/*-------------------------------------------------------------------------
 *
 * test_querydraw.c
 *		The distribution of random queries.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/queries/querydraw.h"

#include "random.h"
#include "tap.h"

static SdcStream *test_stream;

/* start_stream starts the stream of a test. */
static void
start_stream(uint64 seed, int number)
{
	static const uint8 master[SDC_MASTER_KEY_BYTES] = {5, 4, 3};

	CHECK(sdc_stream_start(test_stream, master, "queries", "", "test",
						   seed * 100 + (uint64) number) == SDC_OK);
}

/* chi_square compares counts with equal frequencies. */
static void
chi_square(const uint32 *count, uint32 cells, const char *what)
{
	double		total = 0;
	double		sum = 0;

	for (uint32 k = 0; k < cells; k++)
		total += count[k];
	for (uint32 k = 0; k < cells; k++)
	{
		double		difference = count[k] - total / cells;

		sum += difference * difference / (total / cells);
	}
	CHECKF(total > 20 * cells, "%s: %g", what, total);
	CHECKF(sum < tap_chi_square_limit((int) cells - 1), "%s: %g of %u cells", what, sum, cells);
	CHECKF(sum > 0, "%s", what);
}

/* attributes_are_uniform looks at pairs of five attributes, and at three sensitive ones. */
static void
attributes_are_uniform(void)
{
	SdcQueryDomain qi[5] = {{3, true}, {3, true}, {3, false}, {1, true}, {0, false}};
	SdcQueryDomain sensitive[3] = {{2, true}, {5, false}, {7, true}};
	SdcQueryDraw *draw = sdc_querydraw_create(5, qi, 3, sensitive);
	uint32		pairs[25] = {0};
	uint32		pair[10];
	uint32		chosen[3] = {0};
	uint32		cells = 0;

	start_stream(21, 1);
	for (int round = 0; round < 5000; round++)
	{
		sdc_querydraw_next(draw, test_stream, 2);
		CHECK(draw->conditions == 3);
		CHECK(draw->condition[0].attribute < draw->condition[1].attribute);
		pairs[draw->condition[0].attribute * 5 + draw->condition[1].attribute]++;
		chosen[draw->condition[2].attribute]++;
		CHECK(draw->condition[2].values == sensitive[draw->condition[2].attribute].values);
	}
	for (int a = 0; a < 5; a++)
		for (int b = a + 1; b < 5; b++)
			pair[cells++] = pairs[a * 5 + b];
	chi_square(pair, 10, "pairs");
	chi_square(chosen, 3, "sensitive");
	sdc_querydraw_next(draw, test_stream, 5);
	for (uint32 a = 0; a < 5; a++)
		CHECK(draw->condition[a].attribute == a);
	CHECK(draw->condition[4].count == 0);
	sdc_querydraw_destroy(draw);
}

/* ranges_are_uniform: the lengths, and the starts for each length. */
static void
ranges_are_uniform(void)
{
	SdcQueryDomain qi = {9, true};
	SdcQueryDraw *draw = sdc_querydraw_create(1, &qi, 0, NULL);
	uint32		length[10] = {0};
	uint32		start[10][9] = {{0}};

	start_stream(22, 1);
	for (int round = 0; round < 20000; round++)
	{
		sdc_querydraw_next(draw, test_stream, 1);
		CHECK(draw->conditions == 1 && draw->condition[0].member == NULL);
		CHECK(draw->condition[0].first + draw->condition[0].count <= 9);
		length[draw->condition[0].count]++;
		start[draw->condition[0].count][draw->condition[0].first]++;
	}
	CHECK(length[0] == 0);
	chi_square(length + 1, 9, "lengths");
	for (uint32 l = 1; l < 9; l++)
		chi_square(start[l], 10 - l, "starts");
	sdc_querydraw_destroy(draw);
}

/* small_sets_are_uniform looks at all sets of five values. */
static void
small_sets_are_uniform(void)
{
	SdcQueryDomain qi = {5, false};
	SdcQueryDraw *draw = sdc_querydraw_create(1, &qi, 0, NULL);
	uint32		sets[32] = {0};

	start_stream(23, 1);
	for (int round = 0; round < 20000; round++)
	{
		sdc_querydraw_next(draw, test_stream, 1);
		CHECK(draw->condition[0].member[0] < 32);
		CHECK((uint32) __builtin_popcountll(draw->condition[0].member[0]) ==
			  draw->condition[0].count);
		sets[draw->condition[0].member[0]]++;
	}
	for (uint32 size = 1; size < 5; size++)
	{
		uint32		count[10];
		uint32		cells = 0;

		for (uint32 set = 0; set < 32; set++)
			if ((uint32) __builtin_popcount(set) == size)
				count[cells++] = sets[set];
		chi_square(count, cells, "sets of one size");
	}
	sdc_querydraw_destroy(draw);
}

/* nth_member finds a member of a set. */
static uint32
nth_member(const SdcQueryCondition *condition, uint32 number)
{
	uint32		rank = 0;

	for (;; rank++)
		if (sdc_bitset_contains(condition->member, rank) && number-- == 0)
			return rank;
}

/* large_sets_are_uniform: sizes, members, and distances of two, in small and large sets. */
static void
large_sets_are_uniform(void)
{
	enum {VALUES = 150};
	SdcQueryDomain qi = {VALUES, false};
	SdcQueryDraw *draw = sdc_querydraw_create(1, &qi, 0, NULL);
	uint32		size[VALUES + 1] = {0};
	uint32		member[3][VALUES] = {{0}};
	uint32		distance[3][VALUES] = {{0}};

	random_state = 24;
	start_stream(24, 1);
	for (int round = 0; round < 30000; round++)
	{
		SdcQueryCondition *condition = &draw->condition[0];
		uint32		first;
		uint32		second;
		uint32		third;

		sdc_querydraw_next(draw, test_stream, 1);
		CHECK(sdc_bitset_count(condition->member, sdc_bitset_words(VALUES)) == condition->count);
		CHECK(condition->member[2] < UINT64_C(1) << (VALUES - 128));
		size[condition->count]++;
		if (condition->count < 2)
			continue;
		third = (condition->count - 1) * 3 / VALUES;
		first = pick(condition->count);
		second = (first + 1 + pick(condition->count - 1)) % condition->count;
		first = nth_member(condition, first);
		second = nth_member(condition, second);
		member[third][first]++;
		distance[third][(first + VALUES - second) % VALUES]++;
	}
	CHECK(size[0] == 0);
	chi_square(size + 1, VALUES, "sizes");
	for (int third = 0; third < 3; third++)
	{
		chi_square(member[third], VALUES, "members");
		chi_square(distance[third] + 1, VALUES - 1, "distances");
	}
	sdc_querydraw_destroy(draw);
}

/* one_value is always asked for. */
static void
one_value(void)
{
	SdcQueryDomain qi[2] = {{1, false}, {1, true}};
	SdcQueryDraw *draw = sdc_querydraw_create(2, qi, 0, NULL);

	start_stream(24, 1);
	for (int round = 0; round < 100; round++)
	{
		sdc_querydraw_next(draw, test_stream, 2);
		CHECK(draw->condition[0].count == 1 && draw->condition[0].member[0] == 1);
		CHECK(draw->condition[1].count == 1 && draw->condition[1].first == 0);
	}
	sdc_querydraw_destroy(draw);
}

/* drawn_queries_are_pinned: SDC_STREAM_VERSION would have to change with these. */
static void
drawn_queries_are_pinned(void)
{
	SdcQueryDomain qi[4] = {{72, true}, {16, false}, {1000, false}, {41, false}};
	SdcQueryDomain sensitive[2] = {{14, false}, {5, true}};
	SdcQueryDraw *draw = sdc_querydraw_create(4, qi, 2, sensitive);
	uint64		sum = UINT64_C(14695981039346656037);

	for (int number = 1; number <= 4; number++)
	{
		start_stream(25, number);
		for (int round = 0; round < 50; round++)
		{
			sdc_querydraw_next(draw, test_stream, (uint32) number);
			for (uint32 c = 0; c < draw->conditions; c++)
			{
				const SdcQueryCondition *condition = &draw->condition[c];

				sum = (sum ^ condition->attribute) * UINT64_C(1099511628211);
				sum = (sum ^ condition->count) * UINT64_C(1099511628211);
				sum = (sum ^ condition->first) * UINT64_C(1099511628211);
				for (uint32 v = 0; v < condition->values && condition->member != NULL; v++)
					if (sdc_bitset_contains(condition->member, v))
						sum = (sum ^ v) * UINT64_C(1099511628211);
			}
		}
	}
	CHECKF(sum == UINT64_C(13505326874951518894), "%llu", (unsigned long long) sum);
	sdc_querydraw_destroy(draw);
}

/* main runs the tests. */
int
main(void)
{
	if (sdc_stream_create(&test_stream) != SDC_OK)
		return 1;
	RUN(attributes_are_uniform);
	RUN(ranges_are_uniform);
	RUN(small_sets_are_uniform);
	RUN(large_sets_are_uniform);
	RUN(one_value);
	RUN(drawn_queries_are_pinned);
	sdc_stream_destroy(test_stream);
	return tap_done();
}
