/*-------------------------------------------------------------------------
 *
 * test_metricspace.c
 *		Coordinates and measures against their definitions.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <float.h>
#include <math.h>

#include "kernel/distance/metricspace.h"

#include "random.h"
#include "tap.h"

#define MAX_RECORDS 400
#define MAX_ATTRIBUTES 6

/* One table at a time, with values for codes. */
static uint32 original[MAX_ATTRIBUTES][MAX_RECORDS];
static uint32 protected[MAX_ATTRIBUTES][MAX_RECORDS];
static double value[MAX_ATTRIBUTES][MAX_RECORDS];
static SdcPairColumn column[MAX_ATTRIBUTES];
static SdcPairs pairs = {.column = column};
static const int known[MAX_ATTRIBUTES] = {0, 1, 2, 3, 4, 5};

/* near compares with a relative tolerance. */
static bool
near(double a, double b, double tolerance)
{
	return a == b || fabs(a - b) <= tolerance * fmax(fabs(a), fabs(b));
}

/* fill_table draws a table; missing is how many of 100 cells lack. */
static void
fill_table(uint32 records, int attributes, uint32 codes, uint32 missing)
{
	pairs.records = records;
	pairs.attributes = attributes;
	for (int a = 0; a < attributes; a++)
	{
		SdcPairColumn data = {original[a], protected[a], codes, value[a]};

		column[a] = data;
		for (uint32 c = 0; c < codes; c++)
			value[a][c] = (c > 0 ? value[a][c - 1] : -20.0 * a) + pick(1000) / 100.0;
		for (uint32 i = 0; i < records; i++)
		{
			original[a][i] = pick(100) < missing ? SDC_CODE_NULL : pick(codes);
			protected[a][i] = pick(100) < missing ? SDC_CODE_NULL : pick(codes);
		}
	}
}

/* number is a value of a record, NaN if missing. */
static double
number(int a, uint32 code)
{
	return sdc_pairs_value(&column[a], code);
}

/* naive_deviation is the standard deviation of an attribute, in long double. */
static double
naive_deviation(int a)
{
	long double sum = 0;
	long double squares = 0;
	int			count = 0;

	for (uint32 i = 0; i < pairs.records; i++)
		if (!isnan(number(a, original[a][i])))
		{
			sum += number(a, original[a][i]);
			count++;
		}
	for (uint32 i = 0; i < pairs.records; i++)
		if (!isnan(number(a, original[a][i])))
		{
			long double d = number(a, original[a][i]) - sum / count;

			squares += d * d;
		}
	return (double) sqrtl(squares / (count - 1));
}

/* naive_range is the range of the original values of an attribute. */
static double
naive_range(int a)
{
	double		low = INFINITY;
	double		high = -INFINITY;

	for (uint32 i = 0; i < pairs.records; i++)
	{
		low = fmin(low, number(a, original[a][i]));
		high = fmax(high, number(a, original[a][i]));
	}
	return high - low;
}

/* naive_measure is the measure of a pair, scale by scale. */
static double
naive_measure(SdcMetric metric, const double *scale, uint32 i, uint32 j)
{
	double		sum = 0;
	int			common = 0;

	for (int a = 0; a < pairs.attributes; a++)
	{
		double		d;

		if (original[a][i] == SDC_CODE_NULL || protected[a][j] == SDC_CODE_NULL)
			continue;
		common++;
		if (column[a].value == NULL)
		{
			sum += original[a][i] != protected[a][j];
			continue;
		}
		d = (number(a, original[a][i]) - number(a, protected[a][j])) / scale[a];
		sum += metric == SDC_METRIC_EUCLIDEAN ? d * d : fabs(d);
	}
	return common == 0 ? INFINITY : sum * pairs.attributes / common;
}

/* compare_pairs compares the measure of all pairs, and the columns with the points. */
static void
compare_pairs(SdcMetric metric)
{
	SdcMetricSpace *space = sdc_metricspace_create(&pairs, known, pairs.attributes, metric);
	double		scale[MAX_ATTRIBUTES];
	double		a[MAX_ATTRIBUTES];
	double		b[MAX_ATTRIBUTES];

	CHECK(space->dimensions == pairs.attributes);
	for (int k = 0; k < pairs.attributes; k++)
	{
		scale[k] = column[k].value == NULL ? 1 :
			metric == SDC_METRIC_GOWER ? naive_range(k) : naive_deviation(k);
		CHECKF(near(space->scale[k], scale[k], 1e-15), "%g %g", space->scale[k], scale[k]);
	}
	for (uint32 i = 0; i < pairs.records; i++)
	{
		sdc_metricspace_original(space, i, a);
		for (uint32 j = 0; j < pairs.records; j++)
		{
			double		expected = naive_measure(metric, scale, i, j);

			sdc_metricspace_protected(space, j, b);
			CHECKF(fabs(sdc_metricspace_measure(space, a, b) - expected) < 1e-9 ||
				   sdc_metricspace_measure(space, a, b) == expected,
				   "metric %d, pair %u %u: %g, not %g", metric, i, j,
				   sdc_metricspace_measure(space, a, b), expected);
			CHECK(sdc_metricspace_measure(space, a, b) == sdc_metricspace_measure(space, b, a));
		}
	}
	sdc_metricspace_destroy(space);
}

/* measures_of_pairs compares all metrics without covariances. */
static void
measures_of_pairs(void)
{
	static const SdcMetric metrics[] = {SDC_METRIC_EUCLIDEAN, SDC_METRIC_MANHATTAN,
	SDC_METRIC_GOWER};

	random_state = 1;
	for (int m = 0; m < 3; m++)
		for (int round = 0; round < 8; round++)
		{
			fill_table(40, 1 + round % MAX_ATTRIBUTES, 30, round % 2 * 30);
			if (round >= 4)
				column[0].value = NULL;
			compare_pairs(metrics[m]);
		}
}

/* same_bits compares doubles, NaN included. */
static bool
same_bits(double a, double b)
{
	return memcmp(&a, &b, sizeof(a)) == 0 || (isnan(a) && isnan(b));
}

/* columns_are_points compares the two ways to coordinates, for all metrics. */
static void
columns_are_points(void)
{
	static const uint32 record[] = {3, 4, 17, 99};
	double	   *coordinate[MAX_ATTRIBUTES];
	double		point[MAX_ATTRIBUTES];

	random_state = 2;
	for (int a = 0; a < MAX_ATTRIBUTES; a++)
		coordinate[a] = sdc_alloc(MAX_RECORDS * sizeof(double));
	for (int metric = SDC_METRIC_EUCLIDEAN; metric <= SDC_METRIC_GOWER; metric++)
		for (int side = 0; side < 4; side++)
		{
			SdcMetricSpace *space;
			uint32		count = side < 2 ? 100 : 4;

			fill_table(100, 4, 50, 10);
			space = sdc_metricspace_create(&pairs, known, 4, (SdcMetric) metric);
			sdc_metricspace_columns(space, side % 2 == 0, side < 2 ? NULL : record, count,
									coordinate);
			for (uint32 i = 0; i < count; i++)
			{
				if (side % 2 == 0)
					sdc_metricspace_original(space, side < 2 ? i : record[i], point);
				else
					sdc_metricspace_protected(space, side < 2 ? i : record[i], point);
				for (int d = 0; d < 4; d++)
					CHECKF(same_bits(point[d], coordinate[d][i]), "%d %d %u", metric, side, i);
			}
			sdc_metricspace_destroy(space);
		}
	for (int a = 0; a < MAX_ATTRIBUTES; a++)
		sdc_free(coordinate[a]);
}

/* naive_covariances of the complete originals. */
static void
naive_covariances(int n, long double covariance[][MAX_ATTRIBUTES])
{
	long double mean[MAX_ATTRIBUTES] = {0};
	int			count = 0;

	memset(covariance, 0, n * sizeof(covariance[0]));
	for (int pass = 0; pass < 2; pass++)
		for (uint32 i = 0; i < pairs.records; i++)
		{
			bool		complete = true;

			for (int a = 0; a < n; a++)
				complete = complete && !isnan(number(a, original[a][i]));
			if (!complete)
				continue;
			count += pass == 0;
			for (int a = 0; a < n; a++)
			{
				if (pass == 0)
					mean[a] += number(a, original[a][i]);
				for (int b = 0; b < n && pass == 1; b++)
					covariance[a][b] += (number(a, original[a][i]) - mean[a] / count) *
						(number(b, original[b][i]) - mean[b] / count) / (count - 1);
			}
		}
}

/* quadratic_form is x' C^-1 x, by elimination with pivots. */
static double
quadratic_form(int n, long double covariance[][MAX_ATTRIBUTES], const double *x)
{
	long double m[MAX_ATTRIBUTES][MAX_ATTRIBUTES + 1];
	long double result = 0;

	for (int a = 0; a < n; a++)
	{
		for (int b = 0; b < n; b++)
			m[a][b] = covariance[a][b];
		m[a][n] = x[a];
	}
	for (int a = 0; a < n; a++)
		for (int b = 0; b < n; b++)
		{
			long double times = m[b][a] / m[a][a];

			for (int c = 0; c <= n && b != a; c++)
				m[b][c] -= times * m[a][c];
		}
	for (int a = 0; a < n; a++)
		result += x[a] * m[a][n] / m[a][a];
	return (double) result;
}

/* correlate_table makes each attribute depend on the one before. */
static void
correlate_table(int attributes)
{
	for (int a = 1; a < attributes; a++)
		for (uint32 i = 0; i < pairs.records; i++)
			if (original[a - 1][i] != SDC_CODE_NULL && pick(3) > 0)
				original[a][i] = original[a - 1][i];
}

/* mahalanobis_distances compares with the quadratic form. */
static void
mahalanobis_distances(void)
{
	long double covariance[MAX_ATTRIBUTES][MAX_ATTRIBUTES];

	random_state = 3;
	for (int round = 0; round < 6; round++)
	{
		int			n = 1 + round % 5;
		SdcMetricSpace *space;
		double		a[MAX_ATTRIBUTES];
		double		b[MAX_ATTRIBUTES];
		double		x[MAX_ATTRIBUTES];

		fill_table(60, n, 60, round / 3 * 10);
		correlate_table(n);
		/* far from 0, in another unit */
		for (uint32 c = 0; c < 60; c++)
			value[0][c] = value[0][c] * 1000 + 1e9;
		space = sdc_metricspace_create(&pairs, known, n, SDC_METRIC_MAHALANOBIS);
		naive_covariances(n, covariance);
		CHECK(space->dimensions == n);
		for (uint32 i = 0; i < 60; i++)
			for (uint32 j = 0; j < 60; j++)
			{
				bool		complete = true;
				double		measure;

				sdc_metricspace_original(space, i, a);
				sdc_metricspace_protected(space, j, b);
				measure = sdc_metricspace_measure(space, a, b);
				for (int d = 0; d < n; d++)
				{
					x[d] = number(d, original[d][i]) - number(d, protected[d][j]);
					complete = complete && !isnan(x[d]);
				}
				CHECKF(complete ? fabs(measure - quadratic_form(n, covariance, x)) <
					   1e-9 * (1 + measure) : isinf(measure), "%d: %u %u", round, i, j);
			}
		sdc_metricspace_destroy(space);
	}
}

/* dependent_attributes are left out of a covariance matrix, and of it alone. */
static void
dependent_attributes(void)
{
	SdcMetricSpace *space;

	random_state = 4;
	fill_table(100, 5, 90, 0);
	for (uint32 i = 0; i < 100; i++)
	{
		original[1][i] = original[0][i];
		original[3][i] = 7;
	}
	for (uint32 c = 0; c < 90; c++)
		value[1][c] = 5 - 3 * value[0][c];
	space = sdc_metricspace_create(&pairs, known, 5, SDC_METRIC_MAHALANOBIS);
	CHECK(space->dimensions == 3);
	CHECK(space->attribute[0] == 0 && space->attribute[1] == 2 && space->attribute[2] == 4);
	sdc_metricspace_destroy(space);
	space = sdc_metricspace_create(&pairs, known, 5, SDC_METRIC_EUCLIDEAN);
	CHECK(space->dimensions == 4);
	sdc_metricspace_destroy(space);
	sdc_metricspace_destroy(NULL);
}

/* constant_attributes are left out, however it comes that they are. */
static void
constant_attributes(void)
{
	random_state = 5;
	for (int metric = SDC_METRIC_EUCLIDEAN; metric <= SDC_METRIC_GOWER; metric++)
	{
		SdcMetricSpace *space;
		double		point[1];

		fill_table(10, 4, 5, 0);
		for (uint32 i = 0; i < 10; i++)
		{
			original[0][i] = 3;
			original[1][i] = i == 4 ? 2 : SDC_CODE_NULL;
			original[2][i] = SDC_CODE_NULL;
			original[3][i] = i % 2;
		}
		value[3][0] = value[3][1] = 8;	/* two codes of one number */
		if (metric == SDC_METRIC_GOWER)
			column[0].value = NULL;
		space = sdc_metricspace_create(&pairs, known, 4, (SdcMetric) metric);
		CHECKF(space->dimensions == 0, "%d", metric);
		sdc_metricspace_original(space, 0, point);
		CHECK(sdc_metricspace_measure(space, point, point) == 0);
		CHECK(sdc_metricspace_distance(space, 0) == 0);
		sdc_metricspace_destroy(space);
		pairs.records = 0;
		space = sdc_metricspace_create(&pairs, known, 4, SDC_METRIC_EUCLIDEAN);
		CHECK(space->dimensions == 0);
		sdc_metricspace_destroy(space);
	}
}

/* extreme_values neither overflow nor vanish. */
static void
extreme_values(void)
{
	static const double factors[] = {1e300, 1e-300, 1e-310, 1, 1.7e308 / 50};

	for (int f = 0; f < 5; f++)
		for (int metric = SDC_METRIC_EUCLIDEAN; metric <= SDC_METRIC_GOWER; metric++)
		{
			SdcMetricSpace *space;
			double		a[2];
			double		b[2];
			double		measure;

			random_state = 6;
			fill_table(50, 2, 50, 0);
			for (uint32 c = 0; c < 50; c++)
				value[0][c] = c * factors[f];
			value[1][3] = NAN;	/* not finite: missing */
			value[1][49] = DBL_MAX;
			original[1][7] = 3;
			for (uint32 i = 0; i < 50; i++)
				original[1][i] = original[1][i] == 49 ? 0 : original[1][i];
			space = sdc_metricspace_create(&pairs, known, 2, (SdcMetric) metric);
			CHECKF(space->dimensions == 2, "%d %d", f, metric);
			sdc_metricspace_original(space, 7, a);
			CHECK(isnan(a[1]));
			for (uint32 i = 0; i < 50; i++)
			{
				protected[1][i] = 49;
				sdc_metricspace_original(space, i, a);
				sdc_metricspace_protected(space, i, b);
				measure = sdc_metricspace_measure(space, a, b);
				CHECKF(measure >= 0 && (measure < INFINITY || i == 7 ||
										metric == SDC_METRIC_MAHALANOBIS),
					   "%d %d: %g", f, metric, measure);
			}
			sdc_metricspace_destroy(space);
		}
}

/* distances of measures. */
static void
distances(void)
{
	SdcMetricSpace *space;

	random_state = 7;
	fill_table(30, 4, 20, 0);
	space = sdc_metricspace_create(&pairs, known, 4, SDC_METRIC_EUCLIDEAN);
	CHECK(sdc_metricspace_distance(space, 9) == 3);
	sdc_metricspace_destroy(space);
	space = sdc_metricspace_create(&pairs, known, 4, SDC_METRIC_MAHALANOBIS);
	CHECK(sdc_metricspace_distance(space, 16) == 4);
	sdc_metricspace_destroy(space);
	space = sdc_metricspace_create(&pairs, known, 4, SDC_METRIC_MANHATTAN);
	CHECK(sdc_metricspace_distance(space, 9) == 9);
	sdc_metricspace_destroy(space);
	space = sdc_metricspace_create(&pairs, known, 4, SDC_METRIC_GOWER);
	CHECK(sdc_metricspace_distance(space, 2) == 0.5);
	sdc_metricspace_destroy(space);
}

/* main runs the tests. */
int
main(void)
{
	RUN(measures_of_pairs);
	RUN(columns_are_points);
	RUN(mahalanobis_distances);
	RUN(dependent_attributes);
	RUN(constant_attributes);
	RUN(extreme_values);
	RUN(distances);
	return tap_done();
}
