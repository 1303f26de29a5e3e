/*-------------------------------------------------------------------------
 *
 * unpram.c
 *		Counts of the original, estimated from those of a release whose categories were drawn by matrices.
 *
 * With rows R_u of the matrix, counts t of the original and T of the release, E T = R' t; so A T with A = R'^-1 is
 * unbiased, and of several columns, drawn independently, A is the Kronecker product of theirs.  The variance of a cell
 * v is sum over u of t_u (sum over w of A_vw^2 R_uw - (sum over w of A_vw R_uw)^2).  The second sum is 1 for u = v, and
 * 0 otherwise, and the first one with the estimate in the place of t is what T itself has: sum over w of A_vw^2 T_w
 * less the estimate.  This is unbiased too.
 *
 * A. Gouweleeuw, P. Kooiman, L. Willenborg, P.-P. de Wolf, "Post randomisation for statistical disclosure control:
 * theory and implementation", Journal of Official Statistics 14 (1998).
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <math.h>

#include "kernel/queries/unpram.h"

/* Where nothing larger is left to divide by, a matrix is singular. */
#define LEAST_PIVOT 1e-10

/* swap_rows exchanges two rows. */
static void
swap_rows(double *matrix, uint32 count, uint32 a, uint32 b)
{
	for (uint32 j = 0; j < count && a != b; j++)
	{
		double		kept = matrix[(uint64) a * count + j];

		matrix[(uint64) a * count + j] = matrix[(uint64) b * count + j];
		matrix[(uint64) b * count + j] = kept;
	}
}

/* take_row subtracts a multiple of a row from another one. */
static void
take_row(double *matrix, uint32 count, uint32 from, uint32 row, double times)
{
	for (uint32 j = 0; j < count; j++)
		matrix[(uint64) from * count + j] -= times * matrix[(uint64) row * count + j];
}

/* largest_row returns the row from a place on that has the largest value in the column of that number. */
static uint32
largest_row(const double *matrix, uint32 count, uint32 place)
{
	uint32		largest = place;

	for (uint32 i = place + 1; i < count; i++)
		if (fabs(matrix[(uint64) i * count + place]) > fabs(matrix[(uint64) largest * count + place]))
			largest = i;
	return largest;
}

/* condition_of is the largest sum of the absolute values of a column. */
static double
condition_of(const double *inverse, uint32 count)
{
	double		largest = 0;

	for (uint32 j = 0; j < count; j++)
	{
		double		sum = 0;

		for (uint32 i = 0; i < count; i++)
			sum += fabs(inverse[(uint64) i * count + j]);
		largest = fmax(largest, sum);
	}
	return largest;
}

/* sdc_unpram_invert: see unpram.h. */
double
sdc_unpram_invert(const double *matrix, uint32 count, double *inverse)
{
	double	   *left = sdc_alloc_matrix(double, count, count);
	bool		singular = false;

	for (uint32 i = 0; i < count; i++)
		for (uint32 j = 0; j < count; j++)
		{
			left[(uint64) i * count + j] = matrix[(uint64) j * count + i];
			inverse[(uint64) i * count + j] = i == j;
		}
	for (uint32 c = 0; c < count && !singular; c++)
	{
		uint32		row = largest_row(left, count, c);
		double		pivot = left[(uint64) row * count + c];

		singular = fabs(pivot) < LEAST_PIVOT;
		if (singular)
			break;
		swap_rows(left, count, c, row);
		swap_rows(inverse, count, c, row);
		for (uint32 j = 0; j < count; j++)
		{
			left[(uint64) c * count + j] /= pivot;
			inverse[(uint64) c * count + j] /= pivot;
		}
		for (uint32 i = 0; i < count; i++)
		{
			double		times = left[(uint64) i * count + c];

			if (i == c || times == 0)
				continue;
			take_row(left, count, i, c, times);
			take_row(inverse, count, i, c, times);
			SDC_CHECK_INTERRUPTS();
		}
	}
	sdc_free(left);
	return singular ? INFINITY : condition_of(inverse, count);
}

/* multiply replaces the cells along one axis by those of the inverse times them, or of its squares. */
static void
multiply(const SdcUnpramAxis *axis, uint64 stride, uint64 cells, bool squared, double *value, double *line)
{
	uint64		block = stride * axis->codes;

	for (uint64 start = 0; start < cells; start++)
	{
		if (start % block >= stride)
			continue;
		for (uint32 v = 0; v < axis->drawn; v++)
		{
			double		sum = 0;

			for (uint32 w = 0; w < axis->drawn; w++)
			{
				double		times = axis->inverse[(uint64) v * axis->drawn + w];

				sum += (squared ? times * times : times) * value[start + w * stride];
			}
			line[v] = sum;
		}
		for (uint32 v = 0; v < axis->drawn; v++)
			value[start + v * stride] = line[v];
		SDC_CHECK_INTERRUPTS();
	}
}

/* sdc_unpram_cells: see unpram.h. */
void
sdc_unpram_cells(const SdcUnpramAxis *axis, int axes, const uint64 *records, double *estimate, double *error)
{
	uint64		cells = 1;
	uint64		stride = 1;

	for (int a = 0; a < axes; a++)
		cells *= axis[a].codes;
	for (uint64 c = 0; c < cells; c++)
		estimate[c] = error[c] = (double) records[c];
	for (int a = axes - 1; a >= 0; a--)
	{
		double	   *line = sdc_alloc_array(double, (uint64) axis[a].drawn + 1);

		multiply(&axis[a], stride, cells, false, estimate, line);
		multiply(&axis[a], stride, cells, true, error, line);
		stride *= axis[a].codes;
		sdc_free(line);
	}
	for (uint64 c = 0; c < cells; c++)
		error[c] = sqrt(fmax(error[c] - estimate[c], 0));
}
