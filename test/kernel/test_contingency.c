/*-------------------------------------------------------------------------
 *
 * test_contingency.c
 *		Chi-square against the sum over all cells of the table.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <math.h>

#include "kernel/groups/contingency.h"

#include "random.h"
#include "tap.h"

#define MAX_RECORDS 20000

static uint32 a[MAX_RECORDS];
static uint32 b[MAX_RECORDS];

/* draw fills both columns; b follows a in follow of 100 records. */
static void
draw(uint32 records, uint32 rows, uint32 columns, uint32 missing, uint32 follow)
{
	for (uint32 i = 0; i < records; i++)
	{
		a[i] = pick(1 + pick(rows));
		b[i] = pick(100) < follow ? a[i] % columns : pick(1 + pick(columns));
		if (pick(100) < missing)
			a[i] = SDC_CODE_NULL;
		if (pick(100) < missing)
			b[i] = SDC_CODE_NULL;
	}
}

/* run runs the kernel; the codes may be more than those that occur. */
static SdcContingency
run(uint32 records, uint32 rows, uint32 columns)
{
	SdcCodedColumn first = {a, rows};
	SdcCodedColumn second = {b, columns};
	SdcContingency result;

	memset(&result, 0xFF, sizeof(result));
	sdc_contingency(&first, &second, records, &result);
	return result;
}

/* reference makes the whole table. */
static SdcContingency
reference(uint32 records, uint32 rows, uint32 columns)
{
	uint32	   *cell = calloc((size_t) rows * columns, sizeof(uint32));
	uint32	   *row = calloc(rows, sizeof(uint32));
	uint32	   *column = calloc(columns, sizeof(uint32));
	SdcContingency result = {0, 0, 0, 0};
	long double sum = 0;

	for (uint32 i = 0; i < records; i++)
	{
		if (a[i] == SDC_CODE_NULL || b[i] == SDC_CODE_NULL)
			continue;
		cell[(size_t) a[i] * columns + b[i]]++;
		result.rows += row[a[i]]++ == 0;
		result.columns += column[b[i]]++ == 0;
		result.records++;
	}
	for (uint32 i = 0; i < rows; i++)
	{
		for (uint32 j = 0; j < columns; j++)
		{
			long double expected = (long double) row[i] * column[j] / result.records;
			long double difference = cell[(size_t) i * columns + j] - expected;

			if (expected > 0)
				sum += difference * difference / expected;
		}
	}
	result.chi_square = (double) sum;
	free(cell);
	free(row);
	free(column);
	return result;
}

/* same compares two results; tolerance is relative. */
static bool
same(const SdcContingency *x, const SdcContingency *y, double tolerance)
{
	return x->records == y->records && x->rows == y->rows && x->columns == y->columns &&
		fabs(x->chi_square - y->chi_square) <= tolerance * fmax(x->chi_square, y->chi_square);
}

/* Tables of all sizes agree with the definition, whether counted in place or sorted. */
static void
tables_agree(void)
{
	static const uint32 shape[][5] = {
		/* records, rows, columns, missing, follow */
		{1, 1, 1, 0, 0}, {2, 2, 2, 0, 0}, {50, 3, 4, 0, 0}, {50, 70, 70, 0, 0},
		{5000, 16, 14, 5, 0}, {5000, 16, 14, 5, 50}, {5000, 700, 3, 20, 10},
		{5000, 3, 1700, 20, 90}, {20000, 100, 200, 0, 0}, {20000, 100, 201, 0, 0},
		{20000, 1000, 900, 0, 3}, {3000, 4000, 4000, 0, 100}, {300, 5, 5, 100, 0},
		{300, 100, 100, 90, 0}, {3000, 1, 50, 0, 0}, {39, 1000, 1000, 0, 0},
	};

	for (uint32 s = 0; s < sizeof(shape) / sizeof(shape[0]); s++)
	{
		const uint32 *of = shape[s];
		SdcContingency got;
		SdcContingency want;

		random_state = s;
		draw(of[0], of[1], of[2], of[3], of[4]);
		got = run(of[0], of[1], of[2]);
		want = reference(of[0], of[1], of[2]);
		CHECKF(same(&got, &want, 1e-13), "shape %u: %u records, %u x %u, %.17g %.17g", s,
			   (unsigned) got.records, got.rows, got.columns, got.chi_square, want.chi_square);
		/* codes that occur nowhere lead to the sort, and to the same bits */
		want = run(of[0], UINT32_MAX - 1, of[2]);
		CHECKF(same(&got, &want, 0), "shape %u: %.17g %.17g", s, got.chi_square, want.chi_square);
		want = run(of[0], of[1], UINT32_MAX - 1);
		CHECKF(same(&got, &want, 0), "shape %u: %.17g %.17g", s, got.chi_square, want.chi_square);
	}
}

/* Independent attributes have exactly 0, equal ones n (J - 1). */
static void
known_values_are_exact(void)
{
	SdcContingency result;

	for (uint32 codes = 7; codes <= 7000; codes += 6993)
	{
		for (uint32 i = 0; i < 77 * 13; i++)
		{
			a[i] = i % 7;
			b[i] = i / 7 % 11;
		}
		result = run(77 * 13, codes, 11);
		CHECK(result.chi_square == 0 && result.rows == 7 && result.columns == 11);
		for (uint32 i = 0; i < MAX_RECORDS; i++)
			a[i] = b[i] = i % 20;
		result = run(MAX_RECORDS, codes + 13, 20);
		CHECKF(fabs(result.chi_square / (19.0 * MAX_RECORDS) - 1) < 1e-14, "%.17g", result.chi_square);
	}
	for (uint32 i = 0; i < MAX_RECORDS; i++)
		a[i] = b[i] = i;
	result = run(MAX_RECORDS, MAX_RECORDS, MAX_RECORDS);
	CHECK(fabs(result.chi_square / ((MAX_RECORDS - 1.0) * MAX_RECORDS) - 1) < 1e-14);
	CHECK(result.rows == MAX_RECORDS && result.columns == MAX_RECORDS);
}

/* Nothing and missing values only give nothing. */
static void
ends_are_defined(void)
{
	SdcContingency result = run(0, 5, 5);

	CHECK(result.records == 0 && result.rows == 0 && result.columns == 0 && result.chi_square == 0);
	a[0] = a[1] = b[0] = b[1] = SDC_CODE_NULL;
	result = run(2, 0, 0);
	CHECK(result.records == 0 && result.rows == 0 && result.chi_square == 0);
	result = run(2, 0, UINT32_MAX - 1);
	CHECK(result.records == 0 && result.chi_square == 0);
	b[0] = 0;
	a[1] = 0;
	result = run(2, 1, 1);
	CHECK(result.records == 0 && result.rows == 0 && result.columns == 0 && result.chi_square == 0);
}

/* Neither the order of the records nor which attribute comes first is seen. */
static void
order_does_not_matter(void)
{
	for (uint32 codes = 30; codes <= 3000; codes *= 10)
	{
		SdcContingency before;
		SdcContingency after;

		random_state = codes;
		draw(MAX_RECORDS, codes, codes, 3, 40);
		before = run(MAX_RECORDS, codes, codes);
		for (uint32 i = MAX_RECORDS - 1; i > 0; i--)
		{
			uint32		other = pick(i + 1);
			uint32		x = a[i];
			uint32		y = b[i];

			a[i] = a[other];
			b[i] = b[other];
			a[other] = x;
			b[other] = y;
		}
		after = run(MAX_RECORDS, codes, codes);
		CHECK(same(&before, &after, 0));
		for (uint32 i = 0; i < MAX_RECORDS; i++)
		{
			uint32		held = a[i];

			a[i] = b[i];
			b[i] = held;
		}
		after = run(MAX_RECORDS, codes, codes);
		CHECK(before.rows == after.columns && before.columns == after.rows);
		CHECK(fabs(before.chi_square / after.chi_square - 1) < 1e-14);
	}
}

int
main(void)
{
	RUN(tables_agree);
	RUN(known_values_are_exact);
	RUN(ends_are_defined);
	RUN(order_does_not_matter);
	return tap_done();
}
