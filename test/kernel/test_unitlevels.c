/*-------------------------------------------------------------------------
 *
 * test_unitlevels.c
 *		Columns of units and of their records, against a look at all pairs of records.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <math.h>

#include "kernel/base/units.h"
#include "kernel/groups/unitlevels.h"

#include "random.h"
#include "tap.h"

#define RECORDS 40
#define CODES 6

static uint32 unit[RECORDS];
static uint32 code[RECORDS];
static double number[CODES];

/* run runs the kernel. */
static SdcUnitLevel
run(uint32 records, uint32 units)
{
	SdcUnitLevelTask task = {records, unit, units, {code, CODES}, number};
	SdcUnitLevel result;

	memset(&result, 0xFF, sizeof(result));
	sdc_unitlevels_measure(&task, &result);
	return result;
}

/*
 * shares_value tells whether a record of another unit has the value of a record, or one of the same unit another one.
 */
static bool
shares_value(uint32 records, uint32 record, bool own_unit)
{
	for (uint32 i = 0; i < records; i++)
		if ((unit[i] == unit[record]) == own_unit && (code[i] == code[record]) != own_unit)
			return true;
	return false;
}

/* first_of returns the first record of a unit. */
static uint32
first_of(uint32 one)
{
	uint32		r = 0;

	while (unit[r] != one)
		r++;
	return r;
}

/* icc_of is the share of the variance between units, from sums of squares of pairs: no means are made. */
static double
icc_of(uint32 records, uint32 units)
{
	double		m[RECORDS] = {0};
	double		sum[RECORDS] = {0};
	double		squares[RECORDS] = {0};
	double		g = 0;
	double		n = 0;
	double		n2 = 0;
	double		all = 0;
	double		all_squares = 0;
	double		between = 0;
	double		within = 0;
	double		msb;
	double		msw;

	for (uint32 r = 0; r < records; r++)
	{
		if (code[r] == SDC_CODE_NULL)
			continue;
		m[unit[r]]++;
		sum[unit[r]] += number[code[r]];
		squares[unit[r]] += number[code[r]] * number[code[r]];
	}
	for (uint32 u = 0; u < units; u++)
	{
		if (m[u] < 2)
			continue;
		g++;
		n += m[u];
		n2 += m[u] * m[u];
		all += sum[u];
		between += sum[u] * sum[u] / m[u];
		within += squares[u] - sum[u] * sum[u] / m[u];
		all_squares += squares[u];
	}
	if (g < 2)
		return NAN;
	msb = (between - all * all / n) / (g - 1);
	msw = within / (n - g);
	return (msb - msw) / (msb + ((n - n2 / n) / (g - 1) - 1) * msw);
}

/* Random columns, of few and of many values, of which some are missing. */
static void
random_columns_agree(void)
{
	for (uint32 round = 0; round < 20000; round++)
	{
		uint32		records;
		uint32		units;
		uint32		values;
		uint32		alike;
		uint32		differing = 0;
		uint32		alone = 0;
		double		icc;
		SdcUnitLevel got;

		random_state = round;
		units = 1 + pick(12);
		records = units + pick(RECORDS - units + 1);
		values = 1 + pick(CODES);
		alike = pick(101);
		for (int i = 0; i < CODES; i++)
			number[i] = i * 7.5 - 11;
		for (uint32 r = 0; r < records; r++)
		{
			unit[r] = r < units ? r : pick(units);
			code[r] = pick(8) == 0 ? SDC_CODE_NULL : pick(values);
			if (r >= units && pick(100) < alike)
				code[r] = code[unit[r]];
		}
		for (uint32 u = 0; u < units; u++)
		{
			differing += shares_value(records, first_of(u), true);
			alone += !shares_value(records, first_of(u), false);
		}
		got = run(records, units);
		CHECKF(got.differing == differing, "round %u: %u, not %u", round, got.differing, differing);
		CHECKF(got.alone == (differing > 0 ? 0 : alone), "round %u: %u, not %u", round, got.alone, alone);
		icc = icc_of(records, units);
		if (differing == 0)
			CHECK(isnan(got.icc));
		else if (isfinite(icc) && isfinite(got.icc))
			CHECKF(fabs(got.icc - icc) < 1e-9, "round %u: %.15g, not %.15g", round, got.icc, icc);
		else
			/* without variance it is 0 / 0, of which the other way may leave a rest */
			CHECKF(!isfinite(got.icc), "round %u: %g", round, got.icc);
	}
}

/* The order of the records changes no bit. */
static void
order_does_not_matter(void)
{
	SdcUnitLevel one;
	SdcUnitLevel other;

	random_state = 5;
	for (int i = 0; i < CODES; i++)
		number[i] = i / 3.0 + 1e6;
	for (uint32 r = 0; r < RECORDS; r++)
	{
		unit[r] = r % 7;
		code[r] = pick(CODES);
	}
	one = run(RECORDS, 7);
	for (uint32 i = RECORDS; i > 1; i--)
	{
		uint32		j = pick(i);
		uint32		u = unit[j];
		uint32		c = code[j];

		unit[j] = unit[i - 1];
		code[j] = code[i - 1];
		unit[i - 1] = u;
		code[i - 1] = c;
	}
	other = run(RECORDS, 7);
	CHECK(memcmp(&one, &other, sizeof(one)) == 0 && one.differing == 7 && isfinite(one.icc));
}

/* Units are numbered by all columns that name them, the first one first. */
static void
units_are_numbered(void)
{
	static const uint32 high[] = {1, 0, 1, 1, 0, 1};
	static const uint32 low[] = {0, 2, 2, 0, 1, 2};
	static const uint32 want[] = {2, 1, 3, 2, 0, 3};
	SdcCodedColumn column[] = {{high, 2}, {low, 3}};
	SdcCodedFile naming = {6, 2, column};
	uint32		of[6];

	CHECK(sdc_units_number(&naming, of) == 4 && memcmp(of, want, sizeof(want)) == 0);
	naming.records = 0;
	CHECK(sdc_units_number(&naming, of) == 0);
	naming.records = 6;
	naming.attributes = 1;
	CHECK(sdc_units_number(&naming, of) == 2 && memcmp(of, high, sizeof(high)) == 0);
}

/* No record. */
static void
nothing_is_defined(void)
{
	SdcUnitLevel got = run(0, 0);

	CHECK(got.differing == 0 && got.alone == 0 && isnan(got.icc));
}

int
main(void)
{
	RUN(random_columns_agree);
	RUN(order_does_not_matter);
	RUN(units_are_numbered);
	RUN(nothing_is_defined);
	return tap_done();
}
