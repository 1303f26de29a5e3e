/*-------------------------------------------------------------------------
 *
 * test_regression.c
 *		Least squares against normal equations in higher precision, and published figures.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <math.h>

#include "kernel/loss/regression.h"

#include "random.h"
#include "reference.h"
#include "tap.h"

#define RECORDS 40
#define COLUMNS 5
#define SIZE (COLUMNS + 1)

static double y[RECORDS];
static double x[COLUMNS][RECORDS];
static const double *column[COLUMNS] = {x[0], x[1], x[2], x[3], x[4]};

/* value_at is the value of a record in a column, 0 being the intercept. */
static long double
value_at(int j, uint32 i)
{
	return j == 0 ? 1 : x[j - 1][i];
}

/* complete: whether a record counts. */
static bool
complete(uint32 i, int columns)
{
	for (int j = 0; j < columns; j++)
		if (!isfinite(x[j][i]))
			return false;
	return isfinite(y[i]);
}

/* invert inverts the products of some columns; false: they depend on each other. */
static bool
invert(const int *in, int count, uint32 records, int columns, long double inverse[SIZE][SIZE])
{
	long double work[SIZE][2 * SIZE];

	for (int a = 0; a < count; a++)
	{
		for (int b = 0; b < count; b++)
		{
			work[a][b] = 0;
			work[a][count + b] = a == b;
			for (uint32 i = 0; i < records; i++)
				work[a][b] += complete(i, columns) ? value_at(in[a], i) * value_at(in[b], i) : 0;
		}
	}
	for (int k = 0; k < count; k++)
	{
		long double own = 0;

		for (uint32 i = 0; i < records; i++)
			own += complete(i, columns) ? value_at(in[k], i) * value_at(in[k], i) : 0;
		if (!(work[k][k] > 1e-9L * own))
			return false;
		for (int b = 2 * count - 1; b >= k; b--)
			work[k][b] /= work[k][k];
		for (int a = 0; a < count; a++)
			for (int b = 2 * count - 1; b >= k && a != k; b--)
				work[a][b] -= work[a][k] * work[k][b];
	}
	for (int a = 0; a < count; a++)
		for (int b = 0; b < count; b++)
			inverse[a][b] = work[a][count + b];
	return true;
}

/* twin fits the columns that do not depend on those before. */
static void
twin(uint32 records, int columns, SdcRegressionTerm *term)
{
	long double inverse[SIZE][SIZE];
	long double coefficient[SIZE];
	long double rest = 0;
	int			in[SIZE];
	int			count = 0;
	uint32		n = 0;

	for (int j = 0; j <= columns; j++)
	{
		term[j] = (SdcRegressionTerm) {NAN, NAN};
		in[count] = j;
		count += invert(in, count + 1, records, columns, inverse);
	}
	if (count == 0)
		return;
	invert(in, count, records, columns, inverse);
	for (int a = 0; a < count; a++)
	{
		coefficient[a] = 0;
		for (int b = 0; b < count; b++)
			for (uint32 i = 0; i < records; i++)
				coefficient[a] += complete(i, columns) ? inverse[a][b] * value_at(in[b], i) * y[i] : 0;
	}
	for (uint32 i = 0; i < records; i++)
	{
		long double left = y[i];

		if (!complete(i, columns))
			continue;
		n++;
		for (int a = 0; a < count; a++)
			left -= coefficient[a] * value_at(in[a], i);
		rest += left * left;
	}
	for (int a = 0; a < count; a++)
		term[in[a]] = (SdcRegressionTerm) {(double) coefficient[a],
		(int) n > count ? (double) sqrtl(rest / (n - (uint32) count) * inverse[a][a]) : NAN};
}

/* same compares two numbers. */
static bool
same(double a, double b, double scale)
{
	return isnan(b) ? isnan(a) : fabs(a - b) <= 1e-9 * (fabs(b) + scale);
}

/* Small files, with columns that depend on others, agree with the normal equations. */
static void
small_files_agree(void)
{
	for (uint32 round = 0; round < 5000; round++)
	{
		SdcRegressionTerm got[SIZE];
		SdcRegressionTerm want[SIZE];
		uint32		records;
		uint32		counted = 0;
		int			columns;
		uint32		missing;

		random_state = round;
		records = pick(RECORDS + 1);
		columns = (int) pick(COLUMNS + 1);
		missing = pick(3) == 0 ? 10 : 0;
		for (int j = 0; j < columns; j++)
		{
			uint32		kind = pick(8);

			for (uint32 i = 0; i < records; i++)
			{
				x[j][i] = kind == 0 ? 7 : kind == 1 && j > 0 ? 3 * x[j - 1][i] + 2 :
					kind == 2 && j > 1 ? x[j - 1][i] - x[j - 2][i] : (double) pick(100) - 20;
				if (pick(100) < missing)
					x[j][i] = pick(2) ? NAN : INFINITY;
			}
		}
		for (uint32 i = 0; i < records; i++)
		{
			y[i] = pick(100) < missing ? NAN : pick(50) + (columns > 0 && isfinite(x[0][i]) ? x[0][i] : 0);
			counted += complete(i, columns);
		}
		CHECK(sdc_regression_fit(y, column, columns, records, got) == counted);
		twin(records, columns, want);
		for (int j = 0; j <= columns; j++)
			CHECKF(same(got[j].estimate, want[j].estimate, 1) &&
				   same(got[j].standard_error, want[j].standard_error, 1),
				   "round %u, term %d of %d, %u records: %.12g %.12g, %.12g %.12g", round, j, columns,
				   counted, got[j].estimate, want[j].estimate, got[j].standard_error,
				   want[j].standard_error);
	}
}

/* Intervals overlap as the definition says. */
static void
overlaps_are_defined(void)
{
	SdcRegressionTerm a = {1, 2};
	SdcRegressionTerm b = {1, 2};
	SdcRegressionTerm none = {NAN, NAN};

	CHECK(sdc_regression_overlap(&a, &b) == 1);
	b.estimate = 1 + 2 * 1.959964;
	CHECK(fabs(sdc_regression_overlap(&a, &b) - 0.5) < 1e-12);
	b.estimate = 1 + 8 * 1.959964;
	CHECK(fabs(sdc_regression_overlap(&a, &b) + 1) < 1e-12);
	/* one inside of the other: all of the one, a quarter of the other */
	b = (SdcRegressionTerm) {1, 0.5};
	CHECK(fabs(sdc_regression_overlap(&a, &b) - 0.625) < 1e-12);
	CHECK(isnan(sdc_regression_overlap(&a, &none)) && isnan(sdc_regression_overlap(&none, &a)));
	b.standard_error = 0;
	CHECK(isnan(sdc_regression_overlap(&a, &b)) && isnan(sdc_regression_overlap(&b, &a)));
	a.standard_error = 0;
	CHECK(sdc_regression_overlap(&a, &b) == 1);
	a.estimate = 2;
	CHECK(isnan(sdc_regression_overlap(&a, &b)));
}

/* Numbers far from 0 keep their digits. */
static void
shifts_do_not_matter(void)
{
	SdcRegressionTerm near[2];
	SdcRegressionTerm far[2];

	random_state = 1;
	for (uint32 i = 0; i < RECORDS; i++)
	{
		x[0][i] = pick(1000);
		y[i] = 3 * x[0][i] + pick(100);
	}
	sdc_regression_fit(y, column, 1, RECORDS, near);
	for (uint32 i = 0; i < RECORDS; i++)
		x[0][i] += 1e12;
	sdc_regression_fit(y, column, 1, RECORDS, far);
	CHECK(fabs(near[1].estimate - far[1].estimate) < 1e-13 &&
		  fabs(near[1].standard_error - far[1].standard_error) < 1e-13);
}

/* The census: figures of an independent computation. */
static void
census_agrees(void)
{
	static const char *name[] = {"agi", "emcontrb", "statetax", "intval"};
	static const double want[] = {-2364.01295, 0.176185191, -0.275692764, 0.282750868, 0.100960440};
	static const double error[] = {125.788687, 0.00321436912, 0.0373198265, 0.0393667543,
	0.0122874316};
	const double *from[4];
	SdcRegressionTerm got[5];
	Reference	census;

	if (!reference_load("census.csv", &census))
		return;
	for (int j = 0; j < 4; j++)
		from[j] = census.value[reference_column(&census, name[j])];
	CHECK(sdc_regression_fit(census.value[reference_column(&census, "fedtax")], from, 4,
							 census.records, got) == 1080);
	for (int j = 0; j < 5; j++)
		CHECKF(fabs(got[j].estimate / want[j] - 1) < 6e-9 &&
			   fabs(got[j].standard_error / error[j] - 1) < 6e-9, "%.12g %.12g, %.12g %.12g",
			   got[j].estimate, want[j], got[j].standard_error, error[j]);
	reference_free(&census);
}

int
main(void)
{
	RUN(small_files_agree);
	RUN(overlaps_are_defined);
	RUN(shifts_do_not_matter);
	RUN(census_agrees);
	return tap_done();
}
