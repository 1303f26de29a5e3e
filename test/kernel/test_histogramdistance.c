/*-------------------------------------------------------------------------
 *
 * test_histogramdistance.c
 *		The total variation of joint histograms against a comparison of all boxes.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/bins/histogramdistance.h"
#include "random.h"
#include "tap.h"

#define MAX_RECORDS 25
#define MAX_ATTRIBUTES 3

/* Two files. */
static double original[MAX_ATTRIBUTES][MAX_RECORDS];
static double protected[MAX_ATTRIBUTES][MAX_RECORDS];
static const double *original_column[MAX_ATTRIBUTES];
static const double *protected_column[MAX_ATTRIBUTES];

/* normal draws about a standard normal. */
static double
normal(void)
{
	double		sum = -6;

	for (int i = 0; i < 12; i++)
		sum += uniform();
	return sum;
}

/* naive_variation compares all boxes of all records. */
static double
naive_variation(int attributes, uint32 records, uint32 intervals)
{
	double		sum = 0;

	for (uint32 i = 0; i < 2 * records; i++)
	{
		int			in[2] = {0, 0};

		for (uint32 k = 0; k < 2 * records; k++)
		{
			bool		equal = true;

			for (int a = 0; a < attributes; a++)
			{
				double		low = INFINITY;
				double		high = -INFINITY;
				double		at[2];

				for (uint32 r = 0; r < records; r++)
				{
					low = fmin(low, original[a][r]);
					high = fmax(high, original[a][r]);
				}
				at[0] = i < records ? original[a][i] : protected[a][i - records];
				at[1] = k < records ? original[a][k] : protected[a][k - records];
				for (int x = 0; x < 2; x++)
					if (isnan(at[x]))
						at[x] = -1;
					else
						at[x] = high > low ? fmax(0, fmin(intervals - 1.0, floor((at[x] - low) * intervals /
																			   (high - low)))) : 0;
				equal = equal && at[0] == at[1];
			}
			if (equal)
				in[k >= records]++;
		}
		sum += fabs((double) in[0] - in[1]) / (in[0] + in[1]);
	}
	return sum / 2 / records;
}

/* variation compares with that. */
static void
variation(void)
{
	for (int a = 0; a < MAX_ATTRIBUTES; a++)
	{
		original_column[a] = original[a];
		protected_column[a] = protected[a];
	}
	for (int seed = 0; seed < 60; seed++)
	{
		uint32		records;
		int			attributes;
		uint32		intervals;
		double		got;

		random_state = (uint64) seed + 1;
		records = 1 + pick(25);
		attributes = 1 + (int) pick(3);
		intervals = 1 + pick(6);
		for (int a = 0; a < attributes; a++)
		{
			int			kind = (int) pick(5);

			for (uint32 r = 0; r < records; r++)
			{
				original[a][r] = kind == 0 ? 3 : kind == 1 ? NAN : normal();
				protected[a][r] = kind == 2 ? original[a][r] : 2 * normal();
				if (kind == 3 && pick(3) == 0)
					original[a][r] = NAN;
				if (kind == 3 && pick(3) == 0)
					protected[a][r] = NAN;
			}
		}
		got = sdc_histogramdistance_variation(original_column, protected_column, attributes, records,
											  intervals);
		CHECKF(fabs(got - naive_variation(attributes, records, intervals)) < 1e-12, "%g, not %g: seed %d",
			   got, naive_variation(attributes, records, intervals), seed);
		CHECK(got >= 0 && got <= 1);
		CHECK(sdc_histogramdistance_variation(original_column, original_column, attributes, records,
											  intervals) == 0);
	}
	CHECK(sdc_histogramdistance_variation(original_column, protected_column, 2, 0, 3) == 0);
	for (uint32 r = 0; r < 8; r++)
	{
		original[0][r] = r;
		protected[0][r] = r < 2 ? 1e308 : r;
	}
	CHECK(sdc_histogramdistance_variation(original_column, protected_column, 1, 8, 4) == 0.25);
	CHECK(sdc_histogramdistance_variation(original_column, protected_column, 1, 8, 1) == 0);
}

/* main runs the test. */
int
main(void)
{
	RUN(variation);
	return tap_done();
}
