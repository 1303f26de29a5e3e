/*-------------------------------------------------------------------------
 *
 * test_permutationdistance.c
 *		Permutation distances against a look at all pairs, and their chance against its definition.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <math.h>

#include "kernel/rank/permutationdistance.h"
#include "kernel/rank/permutationsummary.h"

#include "random.h"
#include "reference.h"
#include "tap.h"

#define RECORDS 40
#define COLUMNS 4
#define VALUES 60
#define SEEDS 5

static uint32 original[COLUMNS][RECORDS];
static uint32 released[COLUMNS][RECORDS];
static double value[COLUMNS][VALUES];
static uint32 own[RECORDS];
static SdcPermutationColumn column[COLUMNS];
static SdcPermutationTask task = {0, 0, column, 0, NULL, true};
static SdcPermutationRecord result[RECORDS];

/* gap_between counts the released values between two, if they are not equal. */
static double
gap_between(int j, uint32 x, uint32 y)
{
	uint32		between = 0;

	if (x == y)
		return 0;
	if (x == SDC_CODE_NULL || y == SDC_CODE_NULL)
		return INFINITY;
	for (uint32 i = 0; i < task.records; i++)
		between += released[j][i] != SDC_CODE_NULL &&
			(released[j][i] > x) != (released[j][i] > y) && released[j][i] != x &&
			released[j][i] != y;
	return between + 1;
}

/* gap_of is the gap of two records. */
static double
gap_of(uint32 query, uint32 record)
{
	double		gap = 0;

	for (int j = 0; j < task.attributes; j++)
		gap = fmax(gap, gap_between(j, original[j][query], released[j][record]));
	return gap;
}

/* none_within is the probability that no record of random permutations is within t. */
static double
none_within(uint32 query, double t)
{
	double		share = 1;

	for (int j = 0; j < task.attributes; j++)
	{
		uint32		within = 0;

		for (uint32 i = 0; i < task.records; i++)
			within += gap_between(j, original[j][query], released[j][i]) <= t;
		share *= (double) within / task.records;
	}
	return pow(1 - share, task.records);
}

/* check_record compares what was found for a query. */
static void
check_record(uint32 q, uint32 round)
{
	const SdcPermutationRecord *got = &result[q];
	double		least = INFINITY;
	double		expected = 0;
	uint32		ties = 0;
	double		shift = task.own ? gap_of(q, own[q]) : INFINITY;

	for (uint32 i = 0; i < task.records; i++)
		least = fmin(least, gap_of(q, i));
	for (uint32 i = 0; i < task.records; i++)
		ties += least < INFINITY && gap_of(q, i) == least;
	for (uint32 t = 0; t < task.records; t++)
		expected += none_within(q, t);
	CHECKF(least == (got->distance == SDC_PERMUTATION_INFINITE ? INFINITY : got->distance),
		   "round %u, query %u: %u %g", round, q, got->distance, least);
	CHECKF(got->ties == ties, "round %u, query %u: %u %u", round, q, got->ties, ties);
	CHECK(shift == (got->shift == SDC_PERMUTATION_INFINITE ? INFINITY : got->shift));
	CHECK(got->own == (shift < INFINITY && shift == least));
	CHECKF(fabs(got->expected - expected) <= 1e-10 * expected, "round %u, query %u: %.17g %.17g",
		   round, q, got->expected, expected);
	CHECKF(fabs(got->chance - (least < INFINITY ? 1 - none_within(q, least) : 1)) < 1e-12,
		   "round %u, query %u: %g", round, q, got->chance);
}

/* variance_of is the variance of the numbers of some released values, / n; within: these only. */
static double
variance_of(int j, const bool *within, uint32 *numbers)
{
	double		mean = 0;
	double		sum = 0;

	*numbers = 0;
	for (int pass = 0; pass < 2; pass++)
	{
		for (uint32 i = 0; i < task.records; i++)
		{
			double		x = released[j][i] == SDC_CODE_NULL ? NAN : value[j][released[j][i]];

			if (isnan(x) || (within && !within[i]))
				continue;
			if (pass == 0)
			{
				mean += x;
				(*numbers)++;
			}
			else
				sum += (x - mean) * (x - mean);
		}
		mean /= pass == 0 && *numbers > 0 ? *numbers : 1;
	}
	return *numbers > 0 ? sum / *numbers : NAN;
}

/* check_around compares what is around the queries in a column. */
static void
check_around(int j, uint32 round)
{
	double		variance[RECORDS];
	double		frequency[RECORDS];
	uint32		numbers;
	double		whole = variance_of(j, NULL, &numbers);

	sdc_permutationsummary_around(&task, j, result, variance, frequency);
	for (uint32 q = 0; q < task.queries; q++)
	{
		bool		within[RECORDS];
		uint32		all = 0;
		uint32		most = 0;
		double		want;

		for (uint32 i = 0; i < task.records; i++)
		{
			within[i] = result[q].distance != SDC_PERMUTATION_INFINITE &&
				gap_between(j, original[j][q], released[j][i]) <= result[q].distance;
			all += within[i];
		}
		for (uint32 i = 0; i < task.records; i++)
		{
			uint32		equal = 0;

			for (uint32 r = 0; r < task.records; r++)
				equal += within[i] && within[r] && released[j][r] == released[j][i];
			most = equal > most ? equal : most;
		}
		if (all == 0 || original[j][q] == SDC_CODE_NULL)
		{
			CHECK(isnan(variance[q]) && isnan(frequency[q]));
			continue;
		}
		CHECKF(fabs(frequency[q] - (double) most / all) < 1e-14, "round %u", round);
		want = variance_of(j, within, &numbers) / whole;
		if (column[j].value == NULL || !(whole > 0) || numbers == 0)
			CHECKF(isnan(variance[q]), "round %u, query %u: %g", round, q, variance[q]);
		else
			CHECKF(fabs(variance[q] - want) <= 1e-12 * want, "round %u, query %u: %.17g %.17g",
				   round, q, variance[q], want);
	}
}

/* draw_column fills a column; the released values are permuted within a few places, or anyhow. */
static void
draw_column(int j, uint32 missing)
{
	uint32		codes = 1 + pick(1 + pick(VALUES));

	for (uint32 c = 0; c < VALUES; c++)
		value[j][c] = pick(10) == 0 ? NAN : 1e6 + c + (pick(2) ? c * c : 0);
	for (uint32 i = 0; i < RECORDS; i++)
	{
		original[j][i] = pick(100) < missing ? SDC_CODE_NULL : pick(codes);
		released[j][i] = original[j][pick(3) == 0 ? pick(i + 1) : i];
		if (pick(20) == 0)
			released[j][i] = pick(codes);
		if (pick(100) < missing)
			released[j][i] = SDC_CODE_NULL;
	}
	column[j] = (SdcPermutationColumn) {original[j], released[j], VALUES,
	pick(5) == 0 ? NULL : value[j]};
	for (uint32 c = 0; c < VALUES && column[j].value == NULL; c++)
		value[j][c] = NAN;
}

/* check_summary compares the figures of all queries. */
static void
check_summary(void)
{
	SdcPermutationSummary got;
	double		mean = 0;
	double		shares = 0;
	double		near = 0;
	uint32		finite = 0;
	double		below = 0;

	sdc_permutationsummary_make(result, task.queries, &got);
	for (uint32 q = 0; q < task.queries; q++)
	{
		near += result[q].chance <= 0.05;
		shares += result[q].own ? 1.0 / result[q].ties : 0;
		if (result[q].distance == SDC_PERMUTATION_INFINITE)
			continue;
		finite++;
		mean += result[q].distance;
		below += result[q].distance < got.median ? 1 : result[q].distance == got.median ? 0.5 : 0;
		CHECK(got.minimum <= result[q].distance);
	}
	CHECK(finite == 0 || fabs(got.mean - mean / finite) < 1e-12);
	CHECK(fabs(got.own - shares) < 1e-12 && got.infinite == task.queries - finite);
	CHECK(task.queries == 0 || fabs(got.near_share - near / task.queries) < 1e-14);
	/* no more than half is on either side of the median */
	for (uint32 q = 0; q < task.queries; q++)
		if (result[q].distance != SDC_PERMUTATION_INFINITE && result[q].distance < got.median)
			below -= 1;
	CHECK(below >= 0 && below <= finite / 2.0);
}

/* Small files of all kinds agree with a look at all pairs. */
static void
small_files_agree(void)
{
	for (uint32 round = 0; round < 500; round++)
	{
		uint32		missing;

		random_state = round;
		task.records = 1 + pick(pick(4) == 0 ? RECORDS : 15);
		task.queries = pick(4) == 0 ? pick(task.records + 1) : task.records;
		task.attributes = 1 + (int) pick(COLUMNS);
		task.own = pick(8) == 0 ? NULL : own;
		missing = pick(3) == 0 ? 20 : 0;
		for (uint32 i = 0; i < RECORDS; i++)
			own[i] = task.records - 1 - i % task.records;
		for (int j = 0; j < task.attributes; j++)
			draw_column(j, missing);
		memset(result, 0xFF, sizeof(result));
		sdc_permutationdistance_find(&task, result);
		for (uint32 q = 0; q < task.queries; q++)
			check_record(q, round);
		for (int j = 0; j < task.attributes; j++)
			check_around(j, round);
		check_summary();
	}
}

/* No release, one record, a person alone, and a narrow window far from the mean. */
static void
ends_are_defined(void)
{
	static const double far[] = {1e9, 1e9 + 1e-3, 1e9 + 2e-3, 2e9};
	SdcPermutationSummary summary;
	double		variance[RECORDS];
	double		frequency[RECORDS];

	random_state = 1;
	draw_column(0, 0);
	task.attributes = 1;
	task.records = 0;
	task.queries = 2;
	task.own = NULL;
	sdc_permutationdistance_find(&task, result);
	CHECK(result[0].distance == SDC_PERMUTATION_INFINITE && result[1].ties == 0);
	sdc_permutationsummary_make(result, 2, &summary);
	CHECK(summary.infinite == 2 && summary.minimum == 0 && summary.mean == 0 && summary.median == 0);
	sdc_permutationsummary_make(result, 0, &summary);
	CHECK(summary.expected == 0 && summary.near_share == 0);
	task.records = task.queries = 1;
	original[0][0] = released[0][0] = 3;
	sdc_permutationdistance_find(&task, result);
	CHECK(result[0].distance == 0 && result[0].ties == 1 && result[0].chance == 1);
	CHECK(result[0].expected == 0 && result[0].shift == SDC_PERMUTATION_INFINITE);
	original[0][0] = 0;
	sdc_permutationdistance_find(&task, result);
	CHECK(result[0].distance == 1 && result[0].ties == 1);
	task.records = 4;
	column[0] = (SdcPermutationColumn) {original[0], released[0], 4, far};
	for (uint32 i = 0; i < 4; i++)
		original[0][i] = released[0][i] = i;
	result[0] = (SdcPermutationRecord) {1, 1, 1, true, 1, 1};
	sdc_permutationsummary_around(&task, 0, result, variance, frequency);
	/* (5e-4)^2 over 3/16 (1e9)^2, as exactly as the numbers have these digits */
	CHECKF(fabs(variance[0] / (0.25e-6 / (0.1875 * 1e18)) - 1) < 1e-4, "%.17g", variance[0]);
	CHECK(frequency[0] == 0.5);
}

/* permute permutes codes. */
static void
permute(uint32 *code, uint32 count)
{
	for (uint32 i = count - 1; i > 0; i--)
	{
		uint32		other = pick(i + 1);
		uint32		swap = code[i];

		code[i] = code[other];
		code[other] = swap;
	}
}

#define MANY 12000

/* within counts the released values of a column within t of one of them, from where its tie groups end. */
static uint32
within(const uint32 *below, const uint32 *group, uint32 code, int64 t)
{
	int64		low = (int64) below[code] - t;
	int64		high = (int64) below[code + 1] - 1 + t;
	uint32		first = low <= 0 ? 0 : below[group[low]];
	uint32		last = high >= MANY ? MANY : below[group[high] + 1];

	return last - first;
}

/* expected_of sums over all t, for columns with the codes of a query. */
static double
expected_of(uint32 *const *below, uint32 *const *group, const uint32 *code, int columns)
{
	double		sum = 0;

	for (int64 t = 0; t < MANY; t++)
	{
		double		share = 1;

		for (int j = 0; j < columns; j++)
			share *= (double) within(below[j], group[j], code[j], t) / MANY;
		if (share >= 1)
			break;
		sum += exp(MANY * log1p(-share));
	}
	return sum;
}

/* Many records: the expected gap is near the sum over all gaps, with ties and without. */
static void
many_records_are_near(void)
{
	static uint32 cell[6][MANY];
	static uint32 below[6][MANY + 1];
	static uint32 group[6][MANY];
	static SdcPermutationRecord found[MANY];
	static const uint32 codes[] = {MANY, 700, 20, MANY, MANY, 300};
	SdcPermutationColumn columns[6];
	SdcPermutationTask big = {MANY, 0, columns, 40, NULL, true};
	uint32	   *const all_below[] = {below[0], below[1], below[2], below[3], below[4], below[5]};
	uint32	   *const all_group[] = {group[0], group[1], group[2], group[3], group[4], group[5]};

	random_state = 5;
	for (int j = 0; j < 6; j++)
	{
		for (uint32 i = 0; i < MANY; i++)
			below[j][1 + (cell[j][i] = pick(1 + pick(codes[j])))]++;
		for (uint32 c = 0; c < codes[j]; c++)
			below[j][c + 1] += below[j][c];
		for (uint32 c = 0; c < codes[j]; c++)
			for (uint32 p = below[j][c]; p < below[j][c + 1]; p++)
				group[j][p] = c;
		columns[j] = (SdcPermutationColumn) {cell[j], cell[j], codes[j], NULL};
	}
	for (big.attributes = 1; big.attributes <= 6; big.attributes++)
	{
		double		sum = 0;
		double		all = 0;

		sdc_permutationdistance_find(&big, found);
		for (uint32 q = 0; q < big.queries; q++)
		{
			uint32		code[] = {cell[0][q], cell[1][q], cell[2][q], cell[3][q], cell[4][q], cell[5][q]};
			double		want = expected_of(all_below, all_group, code, big.attributes);

			CHECKF(fabs(found[q].expected - want) <= 1e-3 * fmax(want, 1), "%d columns, %u: %.9g %.9g",
				   big.attributes, q, found[q].expected, want);
			sum += found[q].expected - want;
			all += want;
		}
		CHECKF(fabs(sum) <= 1e-4 * all, "%d columns: %.9g of %.9g", big.attributes, sum, all);
	}
}

/* A file like the census: identity, and random permutations of every column. */
static void
census_agrees(void)
{
	static SdcPermutationColumn all[REFERENCE_COLUMNS];
	Reference	census;
	SdcPermutationTask big = {0, 0, all, 0, NULL, true};
	SdcPermutationRecord *found;
	SdcPermutationSummary summary;
	uint32	   *self;
	double		mean = 0;
	double		near = 0;
	double		right = 0;

	if (!reference_load("census.csv", &census))
		return;
	big.records = big.queries = census.records;
	found = malloc(census.records * sizeof(*found));
	self = malloc(census.records * sizeof(uint32));
	for (uint32 i = 0; i < census.records; i++)
		self[i] = i;
	big.own = self;
	for (int j = 0; j < census.columns; j++)
		if (strcmp(census.name[j], "id") != 0)
			all[big.attributes++] = (SdcPermutationColumn) {census.code[j], census.code[j],
			census.codes[j], NULL};
	CHECKF(big.attributes == 13 && census.records == 1080, "%d", big.attributes);
	sdc_permutationdistance_find(&big, found);
	sdc_permutationsummary_make(found, big.queries, &summary);
	CHECK(summary.mean == 0 && summary.own == 1080 && summary.near_share == 1);
	/* an independent computation has 35.002955 percent */
	CHECKF(fabs(summary.expected / 10.8 - 35.002955) < 1e-6, "%g", summary.expected / 10.8);
	for (int j = 0; j < big.attributes; j++)
		all[j].released = memcpy(malloc(census.records * sizeof(uint32)), all[j].original,
								 census.records * sizeof(uint32));
	for (uint32 seed = 1; seed <= SEEDS; seed++)
	{
		random_state = seed;
		for (int j = 0; j < big.attributes; j++)
			permute((uint32 *) all[j].released, census.records);
		sdc_permutationdistance_find(&big, found);
		sdc_permutationsummary_make(found, big.queries, &summary);
		mean += summary.mean / 10.8 / SEEDS;
		near += 100 * summary.near_share / SEEDS;
		right += summary.own / SEEDS;
	}
	CHECKF(fabs(mean - 34.7) < 0.5, "%g", mean);
	CHECKF(fabs(near - 5.3) < 2 && right < 2, "%g, %g", near, right);
	for (int j = 0; j < big.attributes; j++)
		free((void *) all[j].released);
	free(found);
	free(self);
	reference_free(&census);
}

int
main(void)
{
	RUN(small_files_agree);
	RUN(ends_are_defined);
	RUN(many_records_are_near);
	RUN(census_agrees);
	return tap_done();
}
