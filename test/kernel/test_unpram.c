/*-------------------------------------------------------------------------
 *
 * test_unpram.c
 *		Counts of the original, estimated from those of a release whose categories were drawn by matrices.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <math.h>

#include "kernel/queries/unpram.h"

#include "random.h"
#include "tap.h"

#define MOST 12

/* draw_matrix draws a matrix whose values mostly stay. */
static void
draw_matrix(uint32 count, double *matrix)
{
	for (uint32 i = 0; i < count; i++)
	{
		double		sum = 0;

		for (uint32 j = 0; j < count; j++)
			sum += matrix[i * count + j] = uniform() + (i == j ? 0.8 * count : 0);
		for (uint32 j = 0; j < count; j++)
			matrix[i * count + j] /= sum;
	}
}

/* of two values the inverse is known: of [a, 1 - a; 1 - b, b] transposed it is [b, b - 1; a - 1, a] / (a + b - 1). */
static void
two_values(void)
{
	double		matrix[] = {0.9, 0.1, 0.3, 0.7};
	double		singular[] = {0.4, 0.6, 0.4, 0.6};
	double		inverse[4];
	double		expected[] = {0.7 / 0.6, -0.3 / 0.6, -0.1 / 0.6, 0.9 / 0.6};
	double		condition = sdc_unpram_invert(matrix, 2, inverse);

	for (int i = 0; i < 4; i++)
		CHECK(fabs(inverse[i] - expected[i]) < 1e-14);
	CHECK(fabs(condition - 1.2 / 0.6) < 1e-14);
	CHECK(isinf(sdc_unpram_invert(singular, 2, inverse)));
}

/* a matrix times its inverse is that of nothing done, of whatever size; a permutation has no variance. */
static void
inverses(void)
{
	double		matrix[MOST * MOST];
	double		inverse[MOST * MOST];

	for (int round = 0; round < 300; round++)
	{
		uint32		count = 1 + (uint32) pick(MOST);
		double		farthest = 0;

		draw_matrix(count, matrix);
		CHECK(sdc_unpram_invert(matrix, count, inverse) >= 1);
		for (uint32 i = 0; i < count; i++)
			for (uint32 j = 0; j < count; j++)
			{
				double		sum = 0;

				for (uint32 k = 0; k < count; k++)
					sum += inverse[i * count + k] * matrix[j * count + k];
				farthest = fmax(farthest, fabs(sum - (i == j)));
			}
		CHECK(farthest < 1e-12);
	}
}

/* permutations are undone exactly, and values that are not drawn stay. */
static void
permutations(void)
{
	double		matrix[] = {0, 1, 0, 0, 0, 1, 1, 0, 0};
	double		inverse[9];
	uint64		records[] = {5, 6, 7, 8};
	double		expected[] = {6, 7, 5, 8};
	double		estimate[4];
	double		error[4];
	SdcUnpramAxis axis = {4, 3, inverse};

	CHECK(sdc_unpram_invert(matrix, 3, inverse) == 1);
	sdc_unpram_cells(&axis, 1, records, estimate, error);
	for (int i = 0; i < 4; i++)
		CHECK(estimate[i] == expected[i] && error[i] == 0);
}

/* by_definition is the square of the error of a cell, with all matrices written out; what is below 0 is 0. */
static double
by_definition(const double *r, const double *a, const double *estimate, int cell)
{
	double		variance = 0;

	for (int u = 0; u < 6; u++)
	{
		double		square = 0;
		double		mean = 0;

		for (int w = 0; w < 6; w++)
		{
			square += a[cell * 6 + w] * a[cell * 6 + w] * r[u * 6 + w];
			mean += a[cell * 6 + w] * r[u * 6 + w];
		}
		variance += estimate[u] * (square - mean * mean);
	}
	return fmax(variance, 0);
}

/* kronecker makes the matrix of two columns together. */
static void
kronecker(const double *first, const double *second, double *both)
{
	for (int i = 0; i < 6; i++)
		for (int j = 0; j < 6; j++)
			both[i * 6 + j] = first[i / 3 * 2 + j / 3] * second[i % 3 * 3 + j % 3];
}

/*
 * all releases of three records with columns of two and three values, with their probabilities: the estimate is right
 * on average, and its error is that of the definition.
 */
static void
two_columns(void)
{
	double		first[] = {0.8, 0.2, 0.3, 0.7};
	double		second[] = {0.6, 0.3, 0.1, 0.1, 0.9, 0, 0.2, 0.1, 0.7};
	int			source[3] = {0 * 3 + 1, 1 * 3 + 2, 0 * 3 + 1};
	double		inverse[4];
	double		other[9];
	double		r[36];
	double		a[36];
	double		mean[6] = {0};
	SdcUnpramAxis axis[] = {{2, 2, inverse}, {3, 3, other}};

	(void) sdc_unpram_invert(first, 2, inverse);
	(void) sdc_unpram_invert(second, 3, other);
	kronecker(first, second, r);
	kronecker(inverse, other, a);
	for (int outcome = 0; outcome < 6 * 6 * 6; outcome++)
	{
		int			become[3] = {outcome % 6, outcome / 6 % 6, outcome / 36};
		uint64		records[6] = {0};
		double		estimate[6];
		double		error[6];
		double		p = 1;

		for (int i = 0; i < 3; i++)
		{
			p *= r[source[i] * 6 + become[i]];
			records[become[i]]++;
		}
		sdc_unpram_cells(axis, 2, records, estimate, error);
		for (int c = 0; c < 6; c++)
		{
			mean[c] += p * estimate[c];
			CHECK(fabs(error[c] * error[c] - by_definition(r, a, estimate, c)) < 1e-12);
		}
	}
	for (int c = 0; c < 6; c++)
		CHECK(fabs(mean[c] - (source[0] == c) - (source[1] == c) - (source[2] == c)) < 1e-12);
}

/* of a value that stays, or is drawn from shares, the square of the error is right on average too. */
static void
one_column(void)
{
	double		share[] = {0.5, 0.3, 0.2};
	double		matrix[9];
	double		inverse[9];
	double		mean[3] = {0};
	double		square[3] = {0};
	double		variance[3] = {0};
	SdcUnpramAxis axis = {3, 3, inverse};

	for (int i = 0; i < 9; i++)
		matrix[i] = 0.4 * share[i % 3] + (i / 3 == i % 3 ? 0.6 : 0);
	(void) sdc_unpram_invert(matrix, 3, inverse);
	for (int outcome = 0; outcome < 81; outcome++)
	{
		int			become[4] = {outcome % 3, outcome / 3 % 3, outcome / 9 % 3, outcome / 27};
		static const int source[4] = {0, 0, 1, 2};
		uint64		records[3] = {0};
		double		estimate[3];
		double		error[3];
		double		p = 1;

		for (int i = 0; i < 4; i++)
		{
			p *= matrix[source[i] * 3 + become[i]];
			records[become[i]]++;
		}
		sdc_unpram_cells(&axis, 1, records, estimate, error);
		for (int c = 0; c < 3; c++)
		{
			mean[c] += p * estimate[c];
			square[c] += p * estimate[c] * estimate[c];
			variance[c] += p * error[c] * error[c];
		}
	}
	for (int c = 0; c < 3; c++)
	{
		CHECK(fabs(mean[c] - (c == 0 ? 2 : 1)) < 1e-12);
		CHECK(fabs(square[c] - mean[c] * mean[c] - variance[c]) < 1e-12);
	}
}

int
main(void)
{
	RUN(two_values);
	RUN(inverses);
	RUN(permutations);
	RUN(one_column);
	RUN(two_columns);
	return tap_done();
}
