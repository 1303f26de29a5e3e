/*-------------------------------------------------------------------------
 *
 * test_margins.c
 *		Distances of margins and quantiles, against their definitions.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <math.h>

#include "kernel/loss/margins.h"

#include "random.h"
#include "tap.h"

#define RECORDS 50
#define CODES 8

static uint32 code[2][RECORDS];
static double value[RECORDS];

/* share_of is the share of a file's records with a code below a bound, or with just this code. */
static double
share_of(int file, uint32 records, uint32 wanted, bool below)
{
	uint32		count = 0;

	for (uint32 i = 0; i < records; i++)
	{
		uint32		own = code[file][i] == SDC_CODE_NULL ? CODES : code[file][i];

		count += own == wanted || (below && own < wanted);
	}
	return (double) count / records;
}

/* compare_files compares the first records of both files. */
static void
compare_files(uint32 originals, uint32 releases, uint32 codes, SdcMargins *got)
{
	SdcMarginsFile original = {.code = code[0], .records = originals};
	SdcMarginsFile released = {.code = code[1], .records = releases};

	sdc_margins_count(&original, codes);
	sdc_margins_count(&released, codes);
	sdc_margins_compare(&original, &released, codes, got);
	sdc_margins_end(&original);
	sdc_margins_end(&released);
}

/* spread_of describes the first values. */
static void
spread_of(uint32 records, SdcMarginsSpread *spread)
{
	SdcMarginsRecords of = {.records = records};

	sdc_margins_spread(value, NULL, &of, spread);
}

/* Small files agree with the definitions; the same values in another order are at distance 0. */
static void
margins_agree(void)
{
	for (uint32 round = 0; round < 5000; round++)
	{
		SdcMargins	got;
		uint32		records[2];
		double		kolmogorov = 0;
		double		common = 0;

		random_state = round;
		for (int file = 0; file < 2; file++)
		{
			records[file] = 1 + pick(RECORDS);
			for (uint32 i = 0; i < records[file]; i++)
				code[file][i] = pick(8) == 0 ? SDC_CODE_NULL : pick(1 + pick(CODES));
		}
		compare_files(records[0], records[1], CODES, &got);
		for (uint32 c = 0; c <= CODES; c++)
		{
			kolmogorov = fmax(kolmogorov, fabs(share_of(0, records[0], c, true) -
											   share_of(1, records[1], c, true)));
			common += sqrt(share_of(0, records[0], c, false) * share_of(1, records[1], c, false));
		}
		CHECKF(fabs(got.kolmogorov - kolmogorov) < 1e-14, "round %u", round);
		CHECKF(fabs(got.hellinger * got.hellinger - (1 - common)) < 1e-14, "round %u", round);
		for (uint32 i = 0; i < records[0]; i++)
			code[1][i] = code[0][records[0] - 1 - i];
		compare_files(records[0], records[0], CODES, &got);
		CHECK(got.kolmogorov == 0 && got.hellinger == 0);
	}
}

/* compare orders numbers. */
static int
compare(const void *a, const void *b)
{
	return (*(const double *) a > *(const double *) b) - (*(const double *) a < *(const double *) b);
}

/* Quantiles are those of sorted values, between two neighbours in proportion. */
static void
quantiles_agree(void)
{
	static const double share[] = {0, 0.05, 0.25, 0.5, 0.75, 1};

	for (uint32 round = 0; round < 3000; round++)
	{
		double		number[CODES];
		double		sorted[RECORDS];
		double		quantile[6];
		SdcMarginsFile file = {.code = code[0], .records = 1 + round % RECORDS};
		uint32		n = 0;

		random_state = round;
		for (uint32 c = 0; c < CODES; c++)
			number[c] = c == 0 && pick(2) ? -INFINITY : c + 1 == CODES && pick(2) ? NAN : c * 3.0 - 15;
		for (uint32 i = 0; i < file.records; i++)
		{
			code[0][i] = pick(9) == 0 ? SDC_CODE_NULL : pick(CODES);
			if (code[0][i] != SDC_CODE_NULL && isfinite(number[code[0][i]]))
				sorted[n++] = number[code[0][i]];
		}
		qsort(sorted, n, sizeof(double), compare);
		sdc_margins_count(&file, CODES);
		sdc_margins_quantiles(&file, number, CODES, share, 6, quantile);
		sdc_margins_end(&file);
		for (int q = 0; q < 6; q++)
		{
			double		place = share[q] * (n - 1.0);
			uint32		low = n > 0 ? (uint32) place : 0;

			if (n == 0)
				CHECK(isnan(quantile[q]));
			else
				CHECKF(fabs(quantile[q] - (low + 1 < n ? (1 - (place - low)) * sorted[low] +
										   (place - low) * sorted[low + 1] : sorted[n - 1])) < 1e-12,
					   "round %u", round);
		}
	}
}

/* spreads_agree compares with sums in long double, near 0 and far from it. */
static void
spreads_agree(void)
{
	for (uint32 round = 0; round < 1000; round++)
	{
		SdcMarginsSpread spread;
		double		origin;
		uint32		records;
		uint32		n = 0;
		long double sum = 0;
		long double square = 0;

		random_state = round;
		origin = pick(2) ? 0 : 1e9;
		records = pick(RECORDS + 1);
		for (uint32 i = 0; i < records; i++)
		{
			value[i] = pick(9) == 0 ? (pick(2) ? NAN : INFINITY) : origin + pick(30) - 15;
			if (!isfinite(value[i]))
				continue;
			n++;
			sum += value[i] - origin;
			square += (value[i] - origin) * (value[i] - origin);
		}
		spread_of(records, &spread);
		CHECK(spread.values == n);
		if (n == 0)
			CHECK(isnan(spread.mean));
		else
			CHECK(fabsl(spread.mean - (origin + sum / n)) <= 1e-15 * origin + 1e-12);
		if (n < 2)
			CHECK(isnan(spread.deviation));
		else
			CHECK(fabsl(spread.deviation - sqrtl((square - sum * sum / n) / (n - 1))) < 1e-9);
	}
}

/* spreads_scale: squares and sums of numbers that are very large or very small are neither infinite nor nothing. */
static void
spreads_scale(void)
{
	static const int exponent[] = {-1060, -600, -500, 0, 500, 600, 1019};
	SdcMarginsSpread expected;
	SdcMarginsSpread spread;

	for (int e = 0; e < (int) (sizeof(exponent) / sizeof(exponent[0])); e++)
	{
		for (int scaled = 0; scaled < 2; scaled++)
		{
			for (uint32 i = 0; i < RECORDS; i++)
				value[i] = i == 25 ? INFINITY : ldexp((double) (i % 7) * 4 - 8, scaled ? exponent[e] : 0);
			spread_of(RECORDS, scaled ? &spread : &expected);
		}
		CHECK(spread.values == RECORDS - 1);
		CHECK(fabs(ldexp(spread.mean, -exponent[e]) - expected.mean) < (exponent[e] < -1000 ? 1e-3 : 1e-14));
		CHECK(fabs(ldexp(spread.deviation, -exponent[e]) - expected.deviation) < (exponent[e] < -1000 ? 1e-3 : 1e-13));
	}
}

/* Nothing has no distance. */
static void
ends_are_defined(void)
{
	SdcMargins	got;
	SdcMarginsFile nothing = {.code = code[0]};
	double		half = 0.5;
	double		quantile;

	code[0][0] = code[1][0] = SDC_CODE_NULL;
	compare_files(0, 1, CODES, &got);
	CHECK(isnan(got.kolmogorov) && isnan(got.hellinger));
	compare_files(1, 1, 0, &got);
	CHECK(got.kolmogorov == 0 && got.hellinger == 0);
	code[1][0] = 0;
	compare_files(1, 1, 1, &got);
	CHECK(got.kolmogorov == 1 && got.hellinger == 1);
	sdc_margins_count(&nothing, 3);
	sdc_margins_count(&nothing, 0);
	sdc_margins_quantiles(&nothing, value, 0, &half, 1, &quantile);
	sdc_margins_end(&nothing);
	CHECK(isnan(quantile));
}

/* Weighted means, deviations, errors and quantiles are those of their definitions, of records and of units. */
static void
weights_agree(void)
{
	static const double share[] = {0.05, 0.25, 0.5, 0.75, 0.95};

	for (uint32 round = 0; round < 2000; round++)
	{
		double		weight[RECORDS];
		uint32		unit[RECORDS];
		double		number[CODES];
		double		quantile[5];
		double		of_unit[RECORDS] = {0};
		bool		met[RECORDS] = {false};
		uint32		records;
		uint32		n = 0;
		long double mass = 0;
		long double sum = 0;
		long double square = 0;
		long double clusters = 0;
		SdcMarginsSpread spread;
		SdcMarginsRecords of;
		SdcMarginsFile file;

		random_state = round;
		records = 1 + pick(RECORDS);
		for (uint32 c = 0; c < CODES; c++)
			number[c] = c * 2.5 - 4;
		for (uint32 i = 0; i < records; i++)
		{
			weight[i] = 0.25 * (1 + pick(9));
			unit[i] = round % 2 == 0 ? i : pick(RECORDS / 4);
			code[0][i] = pick(9) == 0 ? SDC_CODE_NULL : pick(CODES);
			value[i] = code[0][i] == SDC_CODE_NULL ? NAN : number[code[0][i]];
			if (code[0][i] == SDC_CODE_NULL)
				continue;
			mass += weight[i];
			sum += weight[i] * value[i];
		}
		for (uint32 i = 0; i < records; i++)
		{
			double		deviation = value[i] - (double) (sum / mass);

			if (isnan(value[i]))
				continue;
			square += weight[i] * deviation * deviation;
			n += !met[unit[i]];
			met[unit[i]] = true;
			of_unit[unit[i]] += weight[i] * deviation;
		}
		for (uint32 u = 0; u < RECORDS; u++)
			clusters += of_unit[u] * of_unit[u];
		of = (SdcMarginsRecords) {records, round % 2 == 0 ? NULL : unit, RECORDS};
		file = (SdcMarginsFile) {.code = code[0], .weight = weight, .records = records};
		sdc_margins_spread(value, weight, &of, &spread);
		sdc_margins_count(&file, CODES);
		sdc_margins_quantiles(&file, number, CODES, share, 5, quantile);
		sdc_margins_end(&file);
		if (n == 0)
		{
			CHECK(isnan(spread.mean) && isnan(quantile[0]));
			continue;
		}
		CHECK(fabsl(spread.mean - sum / mass) < 1e-12);
		CHECK(fabsl(spread.deviation - sqrtl(square / mass)) < 1e-12);
		CHECK(n < 2 ? isnan(spread.error) : fabsl(spread.error - sqrtl(n / (n - 1.0L) * clusters) / mass) < 1e-12);
		for (int q = 0; q < 5; q++)
		{
			double		least = INFINITY;

			for (uint32 i = 0; i < records; i++)
			{
				double		upto = 0;

				for (uint32 k = 0; k < records; k++)
					upto += !isnan(value[k]) && value[k] <= value[i] ? weight[k] : 0;
				if (!isnan(value[i]) && upto >= share[q] * (double) mass * (1 - 1e-12))
					least = fmin(least, value[i]);
			}
			CHECKF(quantile[q] == least, "round %u", round);
		}
	}
}

int
main(void)
{
	RUN(margins_agree);
	RUN(quantiles_agree);
	RUN(spreads_agree);
	RUN(spreads_scale);
	RUN(weights_agree);
	RUN(ends_are_defined);
	return tap_done();
}
