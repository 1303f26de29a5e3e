/*-------------------------------------------------------------------------
 *
 * regression.c
 *		Least squares with an intercept, and how far two intervals overlap.
 *
 * Columns are centered and made orthogonal one after the other, y last (modified Gram and Schmidt; A.
 * Bjorck, "Solving linear least squares problems by Gram-Schmidt orthogonalization", BIT 7, 1967): no
 * products of columns are formed, which would square the condition of the problem.  A column of which a
 * part of 1e-12 of its sum of squares is left, or less, depends on those before; a constant one has none.
 *
 * Overlap: A. Karr, C. Kohnen, A. Oganian, J. Reiter and A. Sanil, "A framework for evaluating the utility
 * of data altered to protect confidentiality", The American Statistician 60 (2006).
 *
 * Time O(records columns^2).  Memory: a copy of the columns.  Sums are compensated, in the order of the
 * records.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <math.h>

#include "kernel/base/moments.h"
#include "kernel/base/normal.h"
#include "kernel/loss/regression.h"

/* The part of its squares that a column must have left. */
#define LEFT_LEAST 1e-12

/* The columns that are in the model, y being the last one. */
typedef struct Model
{
	uint32		records;		/* that count */
	int			columns;		/* of x */
	int			kept;
	int		   *place;			/* of column j of x among the kept ones, or -1 */
	double	   *mean;			/* of each column of x, and of y */
	double	   *q;				/* orthonormal columns one after the other, kept ones first; then y */
	double	   *r;				/* columns are sums of them: r[j (columns + 1) + k] of the kept ones */
} Model;

/* is_complete: whether a record has all values. */
static bool
is_complete(const double *y, const double *const *x, int columns, uint32 record)
{
	for (int j = 0; j < columns; j++)
		if (!sdc_moments_present(x[j][record]))
			return false;
	return sdc_moments_present(y[record]);
}

/* column_of is an orthonormal column, or the place for the next one. */
static inline double *
column_of(const Model *model, int k)
{
	return model->q + (Size) k * model->records;
}

/* dot is the product of two columns. */
static double
dot(const double *a, const double *b, uint32 records)
{
	SdcMomentsSum sum = {0, 0};

	for (uint32 i = 0; i < records; i++)
	{
		sdc_interrupts_step(i);
		sdc_moments_add(&sum, a[i] * b[i]);
	}
	return sdc_moments_total(&sum);
}

/* load_column writes the values of the records that count less their mean: exactly 0 if they are all equal. */
static void
load_column(const double *from, const uint32 *record, uint32 records, double *to, double *mean)
{
	SdcMomentsSum sum = {0, 0};

	for (uint32 i = 0; i < records; i++)
	{
		sdc_interrupts_step(i);
		to[i] = from[record[i]];
		sdc_moments_add(&sum, to[i] - to[0]);
	}
	/* from the first value: a mean far from 0 keeps its digits */
	*mean = sdc_moments_total(&sum) / records;
	for (uint32 i = 0; i < records; i++)
	{
		sdc_interrupts_step(i);
		to[i] = (to[i] - from[record[0]]) - *mean;
	}
	*mean += from[record[0]];
}

/* orthogonalize takes the kept columns out of a column; r gets its parts. */
static void
orthogonalize(const Model *model, double *column, double *r)
{
	for (int k = 0; k < model->kept; k++)
	{
		const double *kept = column_of(model, k);

		r[k] = dot(kept, column, model->records);
		for (uint32 i = 0; i < model->records; i++)
		{
			sdc_interrupts_step(i);
			column[i] -= r[k] * kept[i];
		}
	}
}

/* add_column takes a column of x into the model, unless it depends on those before. */
static void
add_column(Model *model, int j, const double *from, const uint32 *record)
{
	double	   *column = column_of(model, model->kept);
	double	   *r = model->r + (Size) j * (Size) (model->columns + 1);
	double		square;
	double		left;

	load_column(from, record, model->records, column, &model->mean[j]);
	square = dot(column, column, model->records);
	model->place[j] = -1;
	orthogonalize(model, column, r);
	left = dot(column, column, model->records);
	if (!(left > LEFT_LEAST * square))
		return;
	r[model->kept] = sqrt(left);
	for (uint32 i = 0; i < model->records; i++)
	{
		sdc_interrupts_step(i);
		column[i] /= r[model->kept];
	}
	model->place[j] = model->kept++;
}

/* solve replaces b by the solution of R' b = b (transposed) or R b = b. */
static void
solve(const Model *model, const int *column, double *b, bool transposed)
{
	Size		width = (Size) model->columns + 1;

	for (int step = 0; step < model->kept; step++)
	{
		int			k = transposed ? step : model->kept - 1 - step;

		for (int other = 0; other < model->kept; other++)
		{
			if (transposed ? other < k : other > k)
				b[k] -= b[other] * model->r[(Size) column[transposed ? k : other] * width +
											(Size) (transposed ? other : k)];
		}
		b[k] /= model->r[(Size) column[k] * width + (Size) k];
	}
}

/* estimate_terms fills the terms; work has room for kept numbers twice, column tells which column each kept one is. */
static void
estimate_terms(const Model *model, double *work, int *column, SdcRegressionTerm *term)
{
	double	   *coefficient = model->r + (Size) model->columns * (Size) (model->columns + 1);
	double	   *rest = column_of(model, model->kept);
	double		degrees = (double) model->records - model->kept - 1;
	double		variance;
	double		sum = 1.0 / model->records;

	for (int j = 0; j < model->columns; j++)
		if (model->place[j] >= 0)
			column[model->place[j]] = j;
	orthogonalize(model, rest, coefficient);
	variance = degrees > 0 ? dot(rest, rest, model->records) / degrees : NAN;
	solve(model, column, coefficient, false);
	term[0].estimate = model->mean[model->columns];
	for (int k = 0; k < model->kept; k++)
	{
		double		square = 0;

		/* row k of the inverse of R: what R' of it is the unit vector */
		for (int other = 0; other < model->kept; other++)
			work[other] = other == k;
		solve(model, column, work, true);
		for (int other = k; other < model->kept; other++)
			square += work[other] * work[other];
		term[column[k] + 1].estimate = coefficient[k];
		term[column[k] + 1].standard_error = sqrt(variance * square);
		term[0].estimate -= coefficient[k] * model->mean[column[k]];
	}
	for (int k = 0; k < model->kept; k++)
		work[k] = model->mean[column[k]];
	solve(model, column, work, true);
	for (int k = 0; k < model->kept; k++)
		sum += work[k] * work[k];
	term[0].standard_error = sqrt(variance * sum);
}

/* fit_records fits what the records that count say. */
static void
fit_records(const double *y, const double *const *x, int columns, const uint32 *record,
			uint32 records, SdcRegressionTerm *term)
{
	Size		width = (Size) columns + 2;
	double	   *numbers = sdc_alloc_matrix(double, width + 2, width);
	double	   *values = sdc_alloc_matrix(double, width, records);
	int		   *place = sdc_alloc_matrix(int, width, 2);
	Model		model = {records, columns, 0, place, numbers, values, numbers + 2 * width};

	for (int j = 0; j < columns; j++)
	{
		add_column(&model, j, x[j], record);
		/* each is made orthogonal to all before */
		SDC_REPORT((uint64) (j + 1) * (uint64) (j + 1), (uint64) (columns + 1) * (uint64) (columns + 1));
	}
	load_column(y, record, records, column_of(&model, model.kept), &model.mean[columns]);
	estimate_terms(&model, numbers + width, place + width, term);
	sdc_free(place);
	sdc_free(values);
	sdc_free(numbers);
}

/* sdc_regression_fit: see regression.h. */
uint32
sdc_regression_fit(const double *y, const double *const *x, int columns, uint32 records,
				   SdcRegressionTerm *term)
{
	uint32	   *record = sdc_alloc_array(uint32, records);
	uint32		complete = 0;

	for (uint32 i = 0; i < records; i++)
	{
		sdc_interrupts_step(i);
		if (is_complete(y, x, columns, i))
			record[complete++] = i;
	}
	for (int j = 0; j <= columns; j++)
		term[j] = (SdcRegressionTerm) {NAN, NAN};
	if (complete > 0)
		fit_records(y, x, columns, record, complete, term);
	sdc_free(record);
	return complete;
}

/* sdc_regression_overlap: see regression.h. */
double
sdc_regression_overlap(const SdcRegressionTerm *a, const SdcRegressionTerm *b)
{
	double		width_a = 2 * SDC_NORMAL_975 * a->standard_error;
	double		width_b = 2 * SDC_NORMAL_975 * b->standard_error;
	double		common;

	if (isnan(a->estimate) || isnan(b->estimate) || isnan(width_a) || isnan(width_b))
		return NAN;
	if (width_a == 0 || width_b == 0)
		return width_a == width_b && a->estimate == b->estimate ? 1 : NAN;
	if (a->estimate == b->estimate && width_a == width_b)
		return 1;
	common = fmin(a->estimate + width_a / 2, b->estimate + width_b / 2) -
		fmax(a->estimate - width_a / 2, b->estimate - width_b / 2);
	return (common / width_a + common / width_b) / 2;
}
