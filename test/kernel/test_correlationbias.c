/*-------------------------------------------------------------------------
 *
 * test_correlationbias.c
 *		The correlation bias, measured and expected.
 *
 * Measured values are compared with plain formulas in long doubles, expected ones with the mean and
 * the standard deviation of many runs of swapping.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <float.h>

#include "kernel/bins/correlationbias.h"
#include "kernel/bins/equiwidth.h"
#include "random.h"
#include "tap.h"

#define MAX_RECORDS 400
#define MAX_ATTRIBUTES 6

/* Two files. */
static double original[MAX_ATTRIBUTES][MAX_RECORDS];
static double protected[MAX_ATTRIBUTES][MAX_RECORDS];
static const double *original_column[MAX_ATTRIBUTES];
static const double *protected_column[MAX_ATTRIBUTES];
static uint32 bin[MAX_RECORDS];
static bool swapped[MAX_ATTRIBUTES];

/* normal draws about a standard normal. */
static double
normal(void)
{
	double		sum = -6;

	for (int i = 0; i < 12; i++)
		sum += uniform();
	return sum;
}

/* point sets the columns. */
static void
point(void)
{
	for (int a = 0; a < MAX_ATTRIBUTES; a++)
	{
		original_column[a] = original[a];
		protected_column[a] = protected[a];
	}
}

/* measured is the measured bias of the files. */
static double
measured(int attributes, uint32 records)
{
	return sdc_correlationbias_measured(original_column, protected_column, attributes, records);
}

/* naive_rho correlates two columns over the records with all of four, NAN if one is constant. */
static long double
naive_rho(const double *x, const double *y, const double *with_x, const double *with_y,
		  uint32 records)
{
	long double sum_x = 0;
	long double sum_y = 0;
	long double xx = 0;
	long double yy = 0;
	long double xy = 0;
	bool		varies_x = false;
	bool		varies_y = false;
	uint32		first = UINT32_MAX;
	uint32		n = 0;

	for (int pass = 0; pass < 2; pass++)
		for (uint32 r = 0; r < records; r++)
		{
			if (isnan(x[r] + y[r] + with_x[r] + with_y[r]))
				continue;
			if (first == UINT32_MAX)
				first = r;
			varies_x = varies_x || x[r] != x[first];
			varies_y = varies_y || y[r] != y[first];
			if (pass == 0)
			{
				sum_x += x[r];
				sum_y += y[r];
				n++;
			}
			else
			{
				xx += (x[r] - sum_x / n) * (x[r] - sum_x / n);
				yy += (y[r] - sum_y / n) * (y[r] - sum_y / n);
				xy += (x[r] - sum_x / n) * (y[r] - sum_y / n);
			}
		}
	return varies_x && varies_y ? xy / sqrtl(xx) / sqrtl(yy) : NAN;
}

/* naive_measured is the measured bias by the book. */
static double
naive_measured(int attributes, uint32 records)
{
	long double sum = 0;
	int			pairs = 0;

	for (int i = 0; i < attributes; i++)
		for (int j = i + 1; j < attributes; j++)
		{
			long double before = naive_rho(original[i], original[j], protected[i], protected[j],
										   records);
			long double after = naive_rho(protected[i], protected[j], original[i], original[j],
										  records);

			if (isnan(before) || isnan(after))
				continue;
			sum += fabsl(before - after);
			pairs++;
		}
	return pairs > 0 ? (double) (sum / pairs) : NAN;
}

/* same tells whether two results are equal, to a relative tolerance, or both NAN. */
static bool
same(double a, double b, double tolerance)
{
	return (isnan(a) && isnan(b)) || fabs(a - b) <= tolerance * fmax(fabs(a), fabs(b)) + 1e-15;
}

/* wrong_pair is the place of a correlation that is not as by the book, -1 if there is none. */
static int
wrong_pair(int attributes, uint32 records)
{
	static double before[MAX_ATTRIBUTES * (MAX_ATTRIBUTES + 1) / 2];
	static double after[MAX_ATTRIBUTES * (MAX_ATTRIBUTES + 1) / 2];

	(void) sdc_correlationbias_pairs(original_column, protected_column, attributes, records,
									 (double *const[2]) {before, after});
	for (int i = 0; i < attributes; i++)
		for (int j = 0; j < i; j++)
		{
			int			place = i * (i + 1) / 2 + j;
			double		rho[2];

			rho[0] = (double) naive_rho(original[i], original[j], protected[i], protected[j], records);
			rho[1] = (double) naive_rho(protected[i], protected[j], original[i], original[j], records);
			if (isnan(rho[0]) || isnan(rho[1]))
				rho[0] = rho[1] = NAN;
			if (isnan(before[place]) != isnan(rho[0]) || isnan(after[place]) != isnan(rho[0]) ||
				fabs(before[place] - rho[0]) > 1e-9 || fabs(after[place] - rho[1]) > 1e-9)
				return place;
		}
	return -1;
}

/* measured_at_random compares with the book, with and without missing values. */
static void
measured_at_random(void)
{
	point();
	for (int seed = 0; seed < 400; seed++)
	{
		uint32		records = pick(3) == 0 ? pick(6) : pick(MAX_RECORDS);
		int			attributes = (int) pick(MAX_ATTRIBUTES + 1);
		double		bias;

		random_state = (uint64) seed + 1;
		for (int a = 0; a < attributes; a++)
		{
			int			kind = (int) pick(6);
			double		missing = pick(2) == 0 ? 0 : pick(2) == 0 ? 0.1 : 0.9;

			for (uint32 r = 0; r < records; r++)
			{
				double		x = kind == 0 ? 7 : kind == 1 ? pick(3) : kind == 2 ? 1e9 + normal() : normal();

				original[a][r] = x + (a > 0 && kind > 2 ? original[a - 1][r] : 0);
				protected[a][r] = kind == 5 ? original[a][r] : kind == 0 ? 7 : original[a][r] + normal();
				if (uniform() < missing)
					original[a][r] = NAN;
				if (uniform() < missing)
					protected[a][r] = NAN;
			}
		}
		bias = measured(attributes, records);
		CHECKF(same(bias, naive_measured(attributes, records), 1e-9), "%.17g, not %.17g: seed %d",
			   bias, naive_measured(attributes, records), seed);
		CHECKF(wrong_pair(attributes, records) < 0, "pair %d: seed %d",
			   wrong_pair(attributes, records), seed);
	}
}

/* measured_by_hand: two pairs that are known, and equal files. */
static void
measured_by_hand(void)
{
	point();
	for (uint32 r = 0; r < 4; r++)
	{
		original[0][r] = protected[0][r] = r;
		original[1][r] = r;
		protected[1][r] = 3.0 - r;
		original[2][r] = protected[2][r] = 5;
	}
	CHECK(fabs(measured(2, 4) - 2) < 1e-15);
	CHECK(fabs(measured(3, 4) - 2) < 1e-15);	/* the constant is left out */
	protected[2][2] = 6;
	CHECK(fabs(measured(3, 4) - 2) < 1e-15);	/* if it is one in one file only, too */
	for (uint32 r = 0; r < 4; r++)
	{
		original[2][r] = r * r;
		protected[2][r] = 5;
	}
	CHECK(fabs(measured(3, 4) - 2) < 1e-15);
	CHECK(isnan(measured(1, 4)) && isnan(measured(0, 4)) && isnan(measured(2, 0)) &&
		  isnan(measured(2, 1)));
	for (uint32 r = 0; r < MAX_RECORDS; r++)
		for (int a = 0; a < MAX_ATTRIBUTES; a++)
			original[a][r] = protected[a][r] = normal() + (r % 7 == 0 && a == 1 ? NAN : 0);
	CHECK(measured(MAX_ATTRIBUTES, MAX_RECORDS) == 0);
	/* infinite values are missing */
	protected[3][5] = INFINITY;
	original[2][9] = -INFINITY;
	CHECK(fabs(measured(MAX_ATTRIBUTES, MAX_RECORDS)) < 1e-15);
}

/* measured_numbers: units and where values lie do not matter, however extreme. */
static void
measured_numbers(void)
{
	static const double units[] = {1, 0x1p1015, 0x1p-1060, 0x1p-30, 0x1p1021, 0x1p-500};
	double		expected = 0;

	point();
	random_state = 77;
	for (uint32 u = 0; u < sizeof(units) / sizeof(units[0]); u++)
	{
		random_state = 77;
		for (uint32 r = 0; r < MAX_RECORDS; r++)
		{
			double		x = pick(4096) - 2048.0;
			double		y = x / 2 + pick(512);

			original[0][r] = x / 512 * units[u];
			original[1][r] = protected[1][r] = y;
			protected[0][r] = (x + pick(1024) - 512.0) / 512 * units[u];
		}
		if (u == 0)
			expected = measured(2, MAX_RECORDS);
		CHECK(expected > 0.001);
		CHECKF(same(measured(2, MAX_RECORDS), expected, u == 2 ? 1e-2 : 1e-12), "unit %g: %.17g, not %.17g",
			   units[u], measured(2, MAX_RECORDS), expected);
	}
	random_state = 77;
	for (uint32 r = 0; r < MAX_RECORDS; r++)
	{
		double		x = pick(4096) - 2048.0;
		double		y = x / 2 + pick(512);

		original[0][r] = 1e12 + x / 512;
		original[1][r] = protected[1][r] = 1e9 + y;
		protected[0][r] = 1e12 + (x + pick(1024) - 512.0) / 512;
	}
	CHECKF(same(measured(2, MAX_RECORDS), expected, 1e-11), "%.17g, not %.17g", measured(2, MAX_RECORDS),
		   expected);
}

/* swap_once permutes the swapped attributes within the bins. */
static void
swap_once(int attributes, uint32 records, uint32 bins)
{
	static uint32 member[MAX_RECORDS];
	static uint32 donor[MAX_RECORDS];

	for (uint32 r = 0; r < records; r++)
		donor[r] = r;
	for (uint32 b = 0; b < bins; b++)
	{
		uint32		n = 0;

		for (uint32 r = 0; r < records; r++)
			if (bin[r] == b)
				member[n++] = r;
		for (uint32 i = n; i > 1; i--)
		{
			uint32		other = pick(i);
			uint32		held = donor[member[i - 1]];

			donor[member[i - 1]] = donor[member[other]];
			donor[member[other]] = held;
		}
	}
	for (int a = 0; a < attributes; a++)
		for (uint32 r = 0; r < records; r++)
			protected[a][r] = original[a][swapped[a] ? donor[r] : r];
}

/* Means and standard deviations of many runs. */
typedef struct Runs
{
	double		mean;
	double		deviation;
	double		error;			/* of the mean */
} Runs;

/* run_many swaps and measures again and again. */
static void
run_many(int attributes, uint32 records, uint32 bins, int times, Runs *runs)
{
	double		sum = 0;
	double		squares = 0;

	for (int i = 0; i < times; i++)
	{
		double		bias;

		swap_once(attributes, records, bins);
		bias = measured(attributes, records);
		sum += bias;
		squares += bias * bias;
	}
	runs->mean = sum / times;
	runs->deviation = sqrt(fmax(0, squares / times - runs->mean * runs->mean));
	runs->error = runs->deviation / sqrt(times);
}

/* expect computes the expectation; what is begun once says the same of these bins, after others. */
static void
expect(int attributes, uint32 records, uint32 bins, SdcExpectedBias *expected)
{
	static uint32 together[MAX_RECORDS];
	SdcBiasTask task = {original_column, attributes, records, swapped, bin, bins, false};
	SdcBiasPairs *pairs;
	SdcExpectedBias other;
	SdcExpectedBias again;

	sdc_correlationbias_expected(&task, expected);
	task.bias_only = true;
	pairs = sdc_correlationbias_begin(&task);
	sdc_correlationbias_of(pairs, together, 1, &other);
	sdc_correlationbias_of(pairs, bin, bins, &again);
	sdc_correlationbias_end(pairs);
	CHECK(again.pairs == expected->pairs && isnan(again.deviation));
	CHECK(again.bias == expected->bias || (isnan(again.bias) && isnan(expected->bias)));
}

/*
 * make_correlated fills a file of correlated attributes, and makes bins of the first two with so many
 * intervals.
 */
static uint32
make_correlated(int attributes, uint32 records, uint32 intervals, double correlation)
{
	double		low[2] = {DBL_MAX, DBL_MAX};
	double		range[2] = {-DBL_MAX, -DBL_MAX};
	SdcEquiwidthTask grid = {0};

	point();
	for (uint32 r = 0; r < records; r++)
	{
		double		common = normal();

		for (int a = 0; a < attributes; a++)
			original[a][r] = (correlation * common + sqrt(1 - correlation * correlation) * normal()) *
				(a == 3 ? -1 : 1);
		for (int a = 0; a < 2; a++)
		{
			low[a] = fmin(low[a], original[a][r]);
			range[a] = fmax(range[a], original[a][r]);
		}
	}
	grid.value = original_column;
	grid.attributes = 2;
	grid.records = records;
	grid.low = low;
	grid.range = range;
	grid.intervals = intervals;
	for (int a = 0; a < 2; a++)
		range[a] -= low[a];
	return sdc_equiwidth(&grid, 0, bin);
}

/* swap_first swaps the first attributes. */
static void
swap_first(int count)
{
	for (int a = 0; a < MAX_ATTRIBUTES; a++)
		swapped[a] = a < count;
}

/* expected_against_runs compares means and deviations for grids of several sizes. */
static void
expected_against_runs(void)
{
	static const double correlations[] = {0, 0.5, 0.95};
	static const uint32 intervals[] = {1, 2, 4, 12};
	const int	times = 300;

	random_state = 5;
	for (uint32 c = 0; c < 3; c++)
		for (uint32 m = 0; m < 4; m++)
		{
			uint32		bins = make_correlated(5, 300, intervals[m], correlations[c]);
			SdcExpectedBias expected;
			Runs		runs;

			swap_first(2);
			expect(5, 300, bins, &expected);
			run_many(5, 300, bins, times, &runs);
			CHECK(expected.pairs == 10);
			CHECKF(fabs(runs.mean - expected.bias) < 4 * runs.error + 0.002 * runs.mean,
				   "%g, runs %g +- %g: correlation %g, %u intervals", expected.bias, runs.mean,
				   runs.error, correlations[c], intervals[m]);
			CHECKF(fabs(expected.deviation / runs.deviation - 1) < 0.2,
				   "deviation %g, runs %g: correlation %g, %u intervals", expected.deviation,
				   runs.deviation, correlations[c], intervals[m]);
		}
}

/* expected_around_zero: pairs without correlation that change together. */
static void
expected_around_zero(void)
{
	uint32		bins;
	SdcExpectedBias expected;
	Runs		runs;

	random_state = 9;
	bins = make_correlated(6, 300, 3, 0);
	swap_first(1);
	for (uint32 r = 0; r < 300; r++)
		for (int a = 3; a < 6; a++)
			original[a][r] = (a == 4 ? -1 : 1) * original[2][r] + normal() / 10;
	expect(6, 300, bins, &expected);
	run_many(6, 300, bins, 1000, &runs);
	CHECKF(fabs(runs.mean - expected.bias) < 4 * runs.error + 0.002 * runs.mean, "%g, runs %g +- %g",
		   expected.bias, runs.mean, runs.error);
	CHECKF(fabs(expected.deviation / runs.deviation - 1) < 0.12, "deviation %g, runs %g",
		   expected.deviation, runs.deviation);
}

/* expected_without: a pair with missing values is that of the records that have them. */
static void
expected_without(void)
{
	SdcExpectedBias with;
	SdcExpectedBias without;
	uint32		kept = 0;
	uint32		bins;

	random_state = 10;
	bins = make_correlated(2, 200, 6, 0.7);
	swap_first(1);
	for (uint32 r = 0; r < 200; r++)
		if (pick(4) == 0)
			original[pick(2)][r] = NAN;
	expect(2, 200, bins, &with);
	for (uint32 r = 0; r < 200; r++)
	{
		if (isnan(original[0][r]) || isnan(original[1][r]))
			continue;
		original[0][kept] = original[0][r];
		original[1][kept] = original[1][r];
		bin[kept++] = bin[r];
	}
	expect(2, kept, bins, &without);
	CHECK(with.pairs == 1 && without.pairs == 1 && with.bias > 0);
	CHECKF(same(with.bias, without.bias, 1e-12) && same(with.deviation, without.deviation, 1e-12),
		   "%.17g +- %.17g, not %.17g +- %.17g", with.bias, with.deviation, without.bias,
		   without.deviation);

	/* a single record with both values */
	for (uint32 r = 0; r < kept; r++)
	{
		original[0][r] = r < 5 ? r : NAN;
		original[1][r] = r < 4 ? NAN : r;
	}
	expect(2, kept, bins, &with);
	CHECK(with.pairs == 0 && isnan(with.bias) && isnan(with.deviation));
}

/* expected_with_missing: values are missing in the complement, and a swapped one of whole bins. */
static void
expected_with_missing(void)
{
	uint32		bins;
	SdcExpectedBias expected;
	Runs		runs;

	random_state = 6;
	bins = make_correlated(4, 400, 4, 0.8);
	swap_first(2);
	for (uint32 r = 0; r < 400; r++)
	{
		if (bin[r] % 5 == 0)
			original[1][r] = NAN;
		if (pick(20) == 0)
			original[2][r] = NAN;
	}
	expect(4, 400, bins, &expected);
	run_many(4, 400, bins, 300, &runs);
	CHECK(expected.pairs == 6);
	CHECKF(fabs(runs.mean - expected.bias) < 4 * runs.error + 0.03 * runs.mean, "%g, runs %g +- %g",
		   expected.bias, runs.mean, runs.error);

	/* missing in a swapped attribute only: exact */
	random_state = 7;
	bins = make_correlated(3, 400, 4, 0.8);
	swap_first(1);
	for (uint32 r = 0; r < 400; r++)
		if (bin[r] % 3 == 0)
			original[0][r] = NAN;
	expect(3, 400, bins, &expected);
	run_many(3, 400, bins, 300, &runs);
	CHECKF(fabs(runs.mean - expected.bias) < 4 * runs.error + 0.002 * runs.mean, "%g, runs %g +- %g",
		   expected.bias, runs.mean, runs.error);
}

/* expected_exactly compares with the mean over all permutations of a small file. */
static void
expected_exactly(void)
{
	SdcExpectedBias expected;

	point();
	swap_first(1);
	/* one bin of two: rho' is rho or -rho, so m = -rho and s = |rho| */
	for (uint32 r = 0; r < 2; r++)
	{
		original[0][r] = r;
		original[1][r] = 10 - 3.0 * r;
		bin[r] = 0;
	}
	expect(2, 2, 1, &expected);
	CHECK(expected.pairs == 1);
	CHECKF(fabs(expected.bias - (sqrt(2 / M_PI) * exp(-0.5) + erf(M_SQRT1_2))) < 1e-12, "%.17g",
		   expected.bias);
	CHECKF(fabs(expected.deviation - sqrt(2 - expected.bias * expected.bias)) < 1e-12, "%.17g",
		   expected.deviation);

	/* y is constant in the bins: nothing but the mean, which is 0 */
	for (uint32 r = 0; r < 6; r++)
	{
		original[0][r] = r * r;
		original[1][r] = r / 2;
		bin[r] = r / 2;
	}
	expect(2, 6, 3, &expected);
	CHECK(expected.bias == 0 && expected.deviation == 0 && expected.pairs == 1);

	/* records that stay, bins of one record, and empty bins change nothing */
	for (uint32 r = 0; r < 6; r++)
	{
		original[1][r] = normal();
		bin[r] = r < 3 ? UINT32_MAX : 2 * r;
	}
	expect(2, 6, 20, &expected);
	CHECK(expected.bias == 0 && expected.deviation == 0 && expected.pairs == 1);
}

/* expected_edges: pairs that are left out, or do not change; numbers of any size. */
static void
expected_edges(void)
{
	SdcExpectedBias expected;
	SdcExpectedBias other;
	uint32		bins;

	random_state = 8;
	bins = make_correlated(4, 200, 3, 0.5);
	swap_first(0);
	expect(4, 200, bins, &expected);
	CHECK(expected.bias == 0 && expected.deviation == 0 && expected.pairs == 6);
	swap_first(4);
	expect(4, 200, bins, &expected);
	CHECK(expected.bias == 0 && expected.deviation == 0 && expected.pairs == 6);
	swap_first(2);
	expect(0, 200, bins, &expected);
	CHECK(isnan(expected.bias) && isnan(expected.deviation) && expected.pairs == 0);
	expect(4, 0, bins, &expected);
	CHECK(isnan(expected.bias) && isnan(expected.deviation) && expected.pairs == 0);
	expect(4, 1, bins, &expected);
	CHECK(isnan(expected.bias) && expected.pairs == 0);

	/* pairs inside and outside the set count */
	expect(3, 200, bins, &expected);
	for (uint32 r = 0; r < 200; r++)
		original[3][r] = 5;
	expect(4, 200, bins, &other);
	CHECK(other.pairs == 3 && other.bias == expected.bias && other.deviation == expected.deviation);

	/* units and places */
	for (uint32 r = 0; r < 200; r++)
	{
		original[0][r] *= 0x1p1020;
		original[1][r] *= 0x1p-1000;
		original[2][r] = 0x1p20 + floor(original[2][r] * 0x1p30) * 0x1p-30;
	}
	expect(3, 200, bins, &other);
	CHECKF(same(other.bias, expected.bias, 1e-7) && same(other.deviation, expected.deviation, 1e-7),
		   "%.17g +- %.17g, not %.17g +- %.17g", other.bias, other.deviation, expected.bias,
		   expected.deviation);

	/* where only one value is left, there is no correlation */
	for (uint32 r = 0; r < 200; r++)
		original[2][r] = r == 7 ? 1 : NAN;
	expect(3, 200, bins, &other);
	CHECK(other.pairs == 1 && other.bias == 0);
}

/* main runs the tests. */
int
main(void)
{
	RUN(measured_by_hand);
	RUN(measured_at_random);
	RUN(measured_numbers);
	RUN(expected_exactly);
	RUN(expected_against_runs);
	RUN(expected_around_zero);
	RUN(expected_without);
	RUN(expected_with_missing);
	RUN(expected_edges);
	return tap_done();
}
