/*-------------------------------------------------------------------------
 *
 * coarsecorrelation.c
 *		How much a release changes the correlations of columns, and no record's value.
 *
 * Correlations are those of the numbers of classes (valueclasses.h), which are nearly those of ranks: of the values
 * themselves one record that is large enough decides the correlation alone.  With u and v from -1 to 1 a correlation
 * comes from the sums of u, v, u^2, v^2 and u v over all records, rounded alike in both files (grain.h).
 *
 * Linear time, no memory.  Sums are of whole numbers: exact.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/loss/coarsecorrelation.h"

/* The sums over a file. */
enum
{
	SUM_X,
	SUM_Y,
	SUM_XX,
	SUM_YY,
	SUM_XY,
	SUMS
};

/* What the correlation of the source is compared with. */
typedef struct Compared
{
	double		records;
	double		correlation;	/* of the release */
} Compared;

/* add_up makes the rounded sums over a file. */
static void
add_up(const int8 *x, int x_span, const int8 *y, int y_span, uint32 records, const double *step, double sum[SUMS])
{
	int64		total[SUMS] = {0};
	const double unit[SUMS] = {
		[SUM_X] = x_span, [SUM_Y] = y_span, [SUM_XX] = x_span * x_span, [SUM_YY] = y_span * y_span,
		[SUM_XY] = x_span * y_span
	};

	for (uint32 start = 0, end; start < records; start = end)
	{
		int32		part[SUMS] = {0};	/* of so few records that it cannot overflow */

		end = sdc_interrupts_block(start, records);
		for (uint32 i = start; i < end; i++)
		{
			part[SUM_X] += x[i];
			part[SUM_Y] += y[i];
			part[SUM_XX] += x[i] * x[i];
			part[SUM_YY] += y[i] * y[i];
			part[SUM_XY] += x[i] * y[i];
		}
		for (int k = 0; k < SUMS; k++)
			total[k] += part[k];
	}
	for (int k = 0; k < SUMS; k++)
		sum[k] = sdc_grain_sum((double) total[k] / unit[k], step[k]);
}

/* correlation_of is the correlation by some sums, NaN where one of the columns has one value only. */
static double
correlation_of(const double *sum, double records)
{
	double		xx = sum[SUM_XX] - sum[SUM_X] * sum[SUM_X] / records;
	double		yy = sum[SUM_YY] - sum[SUM_Y] * sum[SUM_Y] / records;

	if (xx <= 0 || yy <= 0)
		return NAN;
	return fmax(fmin((sum[SUM_XY] - sum[SUM_X] * sum[SUM_Y] / records) / sqrt(xx * yy), 1), -1);
}

/* change_of is an SdcFigureFunction. */
static double
change_of(const double *sum, const void *arg)
{
	const Compared *compared = arg;

	return fabs(correlation_of(sum, compared->records) - compared->correlation);
}

/* sdc_coarsecorrelation_change: see coarsecorrelation.h. */
void
sdc_coarsecorrelation_change(const SdcCoarseScores *x, const SdcCoarseScores *y, uint32 records, uint32 grain,
							 double *change, double *move)
{
	/* one record moves the sums of squares by 1, the others by 2 */
	const double step[SUMS] = {
		[SUM_X] = 2.0 * grain, [SUM_Y] = 2.0 * grain, [SUM_XX] = grain, [SUM_YY] = grain, [SUM_XY] = 2.0 * grain
	};
	Compared	compared = {.records = records};
	double		sum[SUMS];

	add_up(x->released, x->span, y->released, y->span, records, step, sum);
	compared.correlation = correlation_of(sum, records);
	add_up(x->original, x->span, y->original, y->span, records, step, sum);
	sdc_figure_moves(change_of, &compared, sum, step, SUMS, change, move);
}
