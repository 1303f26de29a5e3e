/*-------------------------------------------------------------------------
 *
 * lossreference.h
 *		The measures of information loss from their definitions.
 *
 * The reference knows nothing of blocks, merges and deviations that are kept: it goes
 * over all records for every number, in long double, and adds the kernel of every
 * record to a density.  It has the same rules of what is left out.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_TEST_LOSSREFERENCE_H
#define SDC_TEST_LOSSREFERENCE_H

#include <float.h>
#include <math.h>

#include "kernel/loss/loss.h"

#define MAX_N 3000
#define MAX_K 6
#define QUANTILES 19
#define NOISE 1e-13L

typedef long double Real;

/* The files of a test. */
static double original[MAX_K][MAX_N];
static double protected[MAX_K][MAX_N];
static uint32 records;
static int	attributes;

/* What the reference subtracts from all values: around 10^9 its means would lack digits. */
static double origin;

/* A statistic of the values in records that have those of two columns. */
typedef struct Stat
{
	uint32		n;
	Real		mean[2];		/* above the origin */
	Real		mu[5][5];		/* central moments */
} Stat;

/* stat_of computes all moments of a pair of columns. */
static Stat
stat_of(const double *x, const double *y)
{
	Stat		s;

	memset(&s, 0, sizeof(s));
	for (uint32 i = 0; i < records; i++)
	{
		if (!isfinite(x[i]) || !isfinite(y[i]))
			continue;
		s.n++;
		s.mean[0] += (Real) x[i] - origin;
		s.mean[1] += (Real) y[i] - origin;
	}
	s.mean[0] /= s.n > 0 ? s.n : 1;
	s.mean[1] /= s.n > 0 ? s.n : 1;
	for (uint32 i = 0; i < records; i++)
	{
		Real		dx = x[i] - (Real) origin - s.mean[0];
		Real		dy = y[i] - (Real) origin - s.mean[1];
		Real		px = 1;

		if (!isfinite(x[i]) || !isfinite(y[i]))
			continue;
		for (int r = 0; r <= 4; r++, px *= dx)
		{
			Real		py = 1;

			for (int t = 0; r + t <= 4; t++, py *= dy)
				s.mu[r][t] += px * py / s.n;
		}
	}
	return s;
}

/* constant tells whether a column does not vary in the records of a pair. */
static bool
constant(const double *x, const double *y)
{
	const double *first = NULL;

	for (uint32 i = 0; i < records; i++)
	{
		if (!isfinite(x[i]) || !isfinite(y[i]))
			continue;
		if (first != NULL && x[i] != *first)
			return false;
		first = &x[i];
	}
	return true;
}

/* Means that are being made: IL1 .. IL5, IL1s, the five parts. */
typedef struct Mean
{
	Real		sum;
	uint64		terms;
	uint64		left_out;
} Mean;

/*
 * What rounding does to the probabilistic measures: the variance of a correlation near
 * 1 is a difference of moments that are nearly equal.
 */
static double rounding;

static Mean mean[5];
static Mean mean_1s;
static Mean mean_pil[SDC_LOSS_PARTS];

/* term adds a term to a mean, or counts it as left out. */
static void
term(Mean *m, bool there, Real value)
{
	if (there)
	{
		m->sum += value;
		m->terms++;
	}
	else
		m->left_out++;
}

/* value_of is a mean. */
static double
value_of(const Mean *m)
{
	return m->terms > 0 ? (double) (m->sum / m->terms) : 0;
}

/* change adds a term of the probabilistic measure. */
static void
change(int part, bool there, Real difference, Real variance, Real scale)
{
	if (there && variance <= 0 && fabsl(difference) > NOISE * fabsl(scale))
		there = false;
	term(&mean_pil[part], there,
		 variance > 0 ? 100 * erfl(fabsl(difference) / sqrtl(2 * variance)) : 0);
}

/* compare_doubles is for qsort. */
static int
compare_doubles(const void *a, const void *b)
{
	double		x = *(const double *) a;
	double		y = *(const double *) b;

	return (x > y) - (x < y);
}

/* sorted_of copies the values of a column, sorted, and returns how many there are. */
static uint32
sorted_of(const double *x, double *sorted)
{
	uint32		n = 0;

	for (uint32 i = 0; i < records; i++)
		if (isfinite(x[i]))
			sorted[n++] = x[i];
	qsort(sorted, n, sizeof(double), compare_doubles);
	return n;
}

/* quantile_of interpolates. */
static Real
quantile_of(const double *sorted, uint32 n, Real share)
{
	Real		place = (n - 1) * share;
	uint32		below = (uint32) floorl(place + 1e-9L);

	if (below + 1 >= n)
		return sorted[n - 1];
	return sorted[below] + (place - below) * ((Real) sorted[below + 1] - sorted[below]);
}

/* width_of is the width of the kernel: bw.nrd0 of R, of a column that varies. */
static Real
width_of(const double *sorted, uint32 n, Real deviation)
{
	Real		iqr = quantile_of(sorted, n, 0.75L) - quantile_of(sorted, n, 0.25L);
	Real		low = fminl(deviation, iqr / 1.34L);

	if (low == 0)
		low = deviation;
	return 0.9L * low * powl(n, -0.2L);
}

/* reference_quantiles adds the terms of one attribute's quantiles. */
static void
reference_quantiles(int j, const Stat *x, const Stat *y)
{
	static double before[MAX_N];
	static double after[MAX_N];
	uint32		n = sorted_of(original[j], before);
	uint32		m = sorted_of(protected[j], after);
	Real		deviation = constant(original[j], original[j]) ? 0 : sqrtl(x->mu[2][0] * n / (n - 1));

	for (int q = 1; q <= QUANTILES; q++)
	{
		Real		share = q / 20.0L;
		Real		width;
		Real		from;
		Real		density = 0;

		if (x->n < 1 || y->n < 1)
		{
			term(&mean_pil[SDC_LOSS_QUANTILE], false, 0);
			continue;
		}
		from = quantile_of(before, n, share);
		if (n == 1 || deviation == 0)
		{
			/* no variance: there is a term only for what was kept */
			term(&mean_pil[SDC_LOSS_QUANTILE], quantile_of(after, m, share) == from, 0);
			continue;
		}
		width = width_of(before, n, deviation);
		for (uint32 i = 0; i < n; i++)
			density += expl(-(before[i] - from) * (before[i] - from) / (2 * width * width));
		density /= n * width * sqrtl(2 * M_PI);
		change(SDC_LOSS_QUANTILE, true, (quantile_of(after, m, share) - from) * density * sqrtl(n),
			   share * (1 - share), 0);
	}
}

/* reference_cells adds the terms of one attribute's cells. */
static void
reference_cells(int j, const Stat *x)
{
	bool		varies = x->n >= 2 && !constant(original[j], original[j]);
	Real		deviation = varies ? sqrtl(x->mu[2][0] * x->n / (x->n - 1)) : 0;

	for (uint32 i = 0; i < records; i++)
	{
		Real		difference = fabsl((Real) original[j][i] - protected[j][i]);

		if (!isfinite(original[j][i]) || !isfinite(protected[j][i]))
			continue;
		term(&mean[0], original[j][i] != 0, difference / fabsl((Real) original[j][i]));
		term(&mean_1s, varies, varies ? difference / (sqrtl(2) * deviation) : 0);
	}
}

/* reference_attribute adds the terms of one attribute. */
static void
reference_attribute(int j)
{
	Stat		x = stat_of(original[j], original[j]);
	Stat		y = stat_of(protected[j], protected[j]);
	bool		there = x.n >= 2 && y.n >= 2;
	bool		varies = !constant(original[j], original[j]);
	Real		before = varies ? x.mu[2][0] * x.n / (x.n - 1) : 0;
	Real		after = there && !constant(protected[j],
										   protected[j]) ? y.mu[2][0] * y.n / (y.n - 1) : 0;
	Real		level = fabsl(x.mean[0] + origin);
	Real		variance;

	reference_cells(j, &x);
	term(&mean[1], x.n > 0 && y.n > 0 && level > NOISE * sqrtl(x.mu[2][0]),
		 fabsl(y.mean[0] - x.mean[0]) / level);
	term(&mean[3], there && varies, fabsl(after - before) / before);
	term(&mean[2], there && varies, fabsl(after - before) / before);

	change(SDC_LOSS_MEAN, x.n > 0 && y.n > 0, y.mean[0] - x.mean[0],
		   varies ? x.mu[2][0] / x.n : 0, level);
	variance = x.mu[4][0] - x.mu[2][0] * x.mu[2][0];
	if (!varies || variance <= NOISE * x.mu[4][0])
		variance = 0;
	change(SDC_LOSS_VARIANCE, there, after - before, variance / x.n, before);
	reference_quantiles(j, &x, &y);
}

/* correlation_of is a correlation where there is one. */
static Real
correlation_of(const Stat *s)
{
	return s->mu[1][1] / sqrtl(s->mu[2][0] * s->mu[0][2]);
}

/* reference_pair adds the terms of one pair: the published formulas, which divide by m11. */
static void
reference_pair(int i, int j)
{
	Stat		x = stat_of(original[i], original[j]);
	Stat		y = stat_of(protected[i], protected[j]);
	bool		there = x.n >= 2 && y.n >= 2;
	bool		vary = there && !constant(original[i], original[j]) && !constant(original[j], original[i]);
	bool		both = vary && !constant(protected[i], protected[j]) && !constant(protected[j],
																				  protected[i]);
	Real		before = vary ? x.mu[1][1] * x.n / (x.n - 1) : 0;
	Real		after = both || there ? y.mu[1][1] * y.n / (y.n - 1) : 0;
	Real		scale = sqrtl(x.mu[2][0]) * sqrtl(x.mu[0][2]) * x.n / (x.n - 1.0L);
	Real		r = both ? correlation_of(&x) : 0;
	Real		change_r = both ? correlation_of(&y) - r : 0;
	Real		variance;

	term(&mean[2], vary && fabsl(before) > NOISE * scale, fabsl(after - before) / fabsl(before));
	term(&mean[4], both, fabsl(change_r));

	variance = x.mu[2][2] - x.mu[1][1] * x.mu[1][1];
	change(SDC_LOSS_COVARIANCE, there, after - before,
		   vary && variance > NOISE * x.mu[2][2] ? variance / x.n : 0, vary ? scale : 0);
	if (both && fabsl(r) > 1e-6L)
		variance = r * r * (x.mu[2][2] / x.mu[1][1] / x.mu[1][1] +
							(x.mu[4][0] / x.mu[2][0] / x.mu[2][0] +
							 x.mu[0][4] / x.mu[0][2] / x.mu[0][2] +
							 2 * x.mu[2][2] / (x.mu[2][0] * x.mu[0][2])) / 4 -
							x.mu[3][1] / (x.mu[1][1] * x.mu[2][0]) -
							x.mu[1][3] / (x.mu[1][1] * x.mu[0][2]));
	else if (both)
		variance = x.mu[2][2] / (x.mu[2][0] * x.mu[0][2]);	/* the limit */
	if (both && variance > 0)
		rounding = fmax(rounding, 1e-15 / (double) variance);
	change(SDC_LOSS_CORRELATION, both, change_r, variance > 4 * NOISE ? variance / x.n : 0, 1);
}

/* reference_measure computes everything from the definitions. */
static void
reference_measure(bool with_quantiles, SdcLoss *loss)
{
	int			parts = 0;

	rounding = 0;
	memset(loss, 0, sizeof(*loss));
	memset(mean, 0, sizeof(mean));
	memset(&mean_1s, 0, sizeof(mean_1s));
	memset(mean_pil, 0, sizeof(mean_pil));
	loss->records = records;
	loss->attributes = attributes;
	for (int i = 0; records > 0 && i < attributes; i++)
	{
		reference_attribute(i);
		for (int j = i + 1; j < attributes; j++)
			reference_pair(i, j);
	}
	if (!with_quantiles)
		memset(&mean_pil[SDC_LOSS_QUANTILE], 0, sizeof(Mean));
	for (int m = 0; m < 5; m++)
	{
		loss->il[m] = value_of(&mean[m]);
		loss->left_out[m] = mean[m].left_out;
		loss->total += 20 * loss->il[m];
	}
	loss->il1s = value_of(&mean_1s);
	loss->il1s_left_out = mean_1s.left_out;
	for (int p = 0; p < SDC_LOSS_PARTS; p++)
	{
		loss->pil[p] = value_of(&mean_pil[p]);
		loss->pil_left_out += mean_pil[p].left_out;
		loss->pil_total += loss->pil[p];
		loss->has_part[p] = mean_pil[p].terms > 0;
		parts += loss->has_part[p];
	}
	loss->pil_total /= parts > 0 ? parts : 1;
}

#endif							/* SDC_TEST_LOSSREFERENCE_H */
