/*-------------------------------------------------------------------------
 *
 * lossreference.h
 *		The measures of information loss from their definitions.
 *
 * The reference knows nothing of blocks, merges and deviations that are kept: it goes
 * over all records for every number, in long double, and adds the kernel of every
 * record to a density.  It has the same rules of what is left out.  Bounds of lost
 * values have no closed form here: their places are tried, at either end of a range.
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

/* lost_of counts the records that have the values of two columns in the original file alone. */
static uint32
lost_of(int i, int j)
{
	uint32		lost = 0;

	for (uint32 r = 0; r < records; r++)
		lost += isfinite(original[i][r]) && isfinite(original[j][r]) &&
			!(isfinite(protected[i][r]) && isfinite(protected[j][r]));
	return lost;
}

/* all_lost counts the lost cells. */
static uint32
all_lost(void)
{
	uint32		lost = 0;

	for (int j = 0; j < attributes; j++)
		lost += lost_of(j, j);
	return lost;
}

/* What lost values of a column can be, above the origin. */
typedef struct Range
{
	Real		low;
	Real		high;
} Range;

/* The ranges of the columns. */
static Range range_of[MAX_K];

/* find_range is that of the original values, outwards to one of 32 steps, and a standard deviation more. */
static Range
find_range(int j)
{
	double		least = INFINITY;
	double		most = -INFINITY;
	Stat		x = stat_of(original[j], original[j]);
	Real		deviation = x.n < 2 ? 0 : sqrtl(x.mu[2][0] * x.n / (x.n - 1));
	double		unit = ldexp(1, -60);

	for (uint32 i = 0; all_lost() > 0 && i < records; i++)
		if (isfinite(original[j][i]))
		{
			least = fmin(least, original[j][i]);
			most = fmax(most, original[j][i]);
		}
	if (!(least <= most))
		return (Range) {0, 0};
	if (least == most)
		return (Range) {(Real) least - origin, (Real) least - origin};
	while (ceil(most / unit) - floor(least / unit) > 32)
		unit *= 2;
	return (Range) {floor(least / unit) * (Real) unit - origin - deviation,
		ceil(most / unit) * (Real) unit - origin + deviation};
}

/* with_zero is a range with 0. */
static Range
with_zero(Range range)
{
	return (Range) {fminl(range.low, -(Real) origin), fmaxl(range.high, -(Real) origin)};
}

/* farthest is the largest distance from a number to one in a range. */
static Real
farthest(Real from, Range range)
{
	return fmaxl(fabsl(range.low - from), fabsl(range.high - from));
}

/* means_of are the means of n values with a mean, and of so many lost ones. */
static Range
means_of(Real there, uint32 n, uint32 lost, Range range)
{
	Real		all = n > 0 ? there * n : 0;

	return (Range) {(all + lost * range.low) / (n + lost), (all + lost * range.high) / (n + lost)};
}

/*
 * placed is the sum of products of deviations of a pair with lost values at an end of their ranges: a of the first
 * column at the upper one, b of the second, and so many of both.
 */
static Real
placed(const Stat *y, Real lost, Range first, Range second, Real a, Real b, Real both)
{
	Real		there = y->n * (y->mu[1][1] + y->mean[0] * y->mean[1]);
	Real		sum = there + both * first.high * second.high + (a - both) * first.high * second.low +
	(b - both) * first.low * second.high + (lost - a - b + both) * first.low * second.low;
	Real		sum_first = y->n * y->mean[0] + a * first.high + (lost - a) * first.low;
	Real		sum_second = y->n * y->mean[1] + b * second.high + (lost - b) * second.low;

	return sum - sum_first * sum_second / (y->n + lost);
}

/* products_of are the sums of products of deviations of a pair, with all places of the lost values. */
static Range
products_of(const Stat *y, uint32 lost, Range first, Range second)
{
	Range		result = {INFINITY, -INFINITY};

	if (first.low == first.high || second.low == second.high)
		return (Range) {y->n * y->mu[1][1], y->n * y->mu[1][1]};
	for (uint32 a = 0; a <= lost; a++)
	{
		/* of many lost values only the places that are best of few */
		result.low = fminl(result.low, placed(y, lost, first, second, a, lost - a, 0));
		result.high = fmaxl(result.high, placed(y, lost, first, second, a, a, a));
		for (uint32 b = 0; b <= lost && lost <= 40; b++)
		{
			result.low = fminl(result.low, placed(y, lost, first, second, a, b, a + b > lost ? a + b - lost : 0));
			result.high = fmaxl(result.high, placed(y, lost, first, second, a, b, a < b ? a : b));
		}
	}
	return result;
}

/* squares_of are the sums of squares of a column of a pair: the least one has the lost values in its middle. */
static Range
squares_of(const Stat *y, int side, uint32 lost, Range range)
{
	Stat		own = *y;

	own.mean[0] = own.mean[1] = y->mean[side];
	own.mu[1][1] = side == 0 ? y->mu[2][0] : y->mu[0][2];
	return (Range) {own.n * own.mu[1][1], fmaxl(own.n * own.mu[1][1], products_of(&own, lost, range, range).high)};
}

/* Means that are being made: IL1 .. IL5, IL1s, the five parts. */
typedef struct Mean
{
	Real		sum;
	uint64		terms;
	uint64		undefined;
	uint64		left_out;
	Real		shares;			/* of lost values, of what is undefined */
} Mean;

/*
 * What rounding does to the probabilistic measures: the variance of a correlation near
 * 1 is a difference of moments that are nearly equal.
 */
static double rounding;

static Mean mean[5];
static Mean mean_1s;
static Mean mean_pil[SDC_LOSS_PARTS];

/* term adds a term to a mean, or counts it as undefined; share: of its values that are lost. */
static void
term(Mean *m, bool there, Real value, Real share)
{
	if (!there || share > 0)
		m->left_out++;
	if (there)
	{
		m->sum += value;
		m->terms++;
		return;
	}
	m->undefined++;
	m->shares += share;
}

/* value_of is a mean. */
static double
value_of(const Mean *m)
{
	return m->terms > 0 ? (double) (m->sum / m->terms) : 0;
}

/* loss_of is a mean, and the shares of what is undefined. */
static double
loss_of(const Mean *m)
{
	return value_of(m) + (m->undefined > 0 ? (double) (m->shares / (m->terms + m->undefined)) : 0);
}

/* change adds a term of the probabilistic measure; there: both files have the statistic, lost values included. */
static void
change(int part, bool there, Real difference, Real variance, Real scale, Real share)
{
	if (there && variance <= 0 && share > 0)
		difference = INFINITY;
	else if (there && variance <= 0 && fabsl(difference) > NOISE * fabsl(scale))
		there = false;
	term(&mean_pil[part], there,
		 isinf(difference) ? 100 : variance > 0 ? 100 * erfl(fabsl(difference) / sqrtl(2 * variance)) : 0, share);
}

/* share_of is a share of lost values. */
static Real
share_of(uint32 lost, uint32 n)
{
	return lost == 0 ? 0 : (Real) lost / n;
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

/* quantile_change is how far a quantile is, or can be when lost values are at either end. */
static Real
quantile_change(int j, Real from, Real share, uint32 lost, Range range)
{
	static double after[2 * MAX_N];
	Real		most = 0;

	for (int end = 0; end < 2; end++)
	{
		uint32		m = sorted_of(protected[j], after);

		for (uint32 i = 0; i < lost; i++)
			after[m++] = (double) (origin + (end == 0 ? range.low : range.high));
		qsort(after, m, sizeof(double), compare_doubles);
		most = fmaxl(most, fabsl(quantile_of(after, m, share) - from));
	}
	return most;
}

/* reference_quantiles adds the terms of one attribute's quantiles. */
static void
reference_quantiles(int j, const Stat *x, const Stat *y)
{
	static double before[MAX_N];
	uint32		n = sorted_of(original[j], before);
	uint32		lost = lost_of(j, j);
	Real		deviation = constant(original[j], original[j]) ? 0 : sqrtl(x->mu[2][0] * n / (n - 1));

	for (int q = 1; q <= QUANTILES; q++)
	{
		Real		share = q / 20.0L;
		Real		width;
		Real		from;
		Real		density = 0;

		if (x->n < 1 || y->n + lost < 1)
		{
			term(&mean_pil[SDC_LOSS_QUANTILE], false, 0, 0);
			continue;
		}
		from = quantile_of(before, n, share);
		if (n == 1 || deviation == 0)
		{
			/* no variance: there is a term only for what was kept, or lost */
			term(&mean_pil[SDC_LOSS_QUANTILE], lost > 0 || quantile_change(j, from, share, 0, (Range) {0, 0}) == 0,
				 lost > 0 ? 100 : 0, share_of(lost, n));
			continue;
		}
		width = width_of(before, n, deviation);
		for (uint32 i = 0; i < n; i++)
			density += expl(-(before[i] - from) * (before[i] - from) / (2 * width * width));
		density /= n * width * sqrtl(2 * M_PI);
		change(SDC_LOSS_QUANTILE, true, quantile_change(j, from, share, lost, range_of[j]) * density * sqrtl(n),
			   share * (1 - share), 0, share_of(lost, n));
	}
}

/* reference_cells adds the terms of one attribute's cells. */
static void
reference_cells(int j, const Stat *x)
{
	bool		varies = x->n >= 2 && !constant(original[j], original[j]);
	Real		deviation = varies ? sqrtl(x->mu[2][0] * x->n / (x->n - 1)) : 0;
	Range		range = range_of[j];
	Range		whole = with_zero(range);

	for (uint32 i = 0; i < records; i++)
	{
		Real		size = fabsl((Real) original[j][i]);
		bool		lost = !isfinite(protected[j][i]);
		Real		difference = fabsl((Real) original[j][i] - protected[j][i]);

		if (!isfinite(original[j][i]))
			continue;
		term(&mean[0], size != 0, (lost ? whole.high - whole.low : difference) / size, lost);
		term(&mean_1s, varies, varies ? (lost ? range.high - range.low : difference) / (sqrtl(2) * deviation) : 0,
			 lost);
	}
}

/* reference_attribute adds the terms of one attribute. */
static void
reference_attribute(int j)
{
	Stat		x = stat_of(original[j], original[j]);
	Stat		y = stat_of(protected[j], protected[j]);
	uint32		lost = lost_of(j, j);
	Real		share = share_of(lost, x.n);
	uint32		n = y.n + lost;
	Range		range = range_of[j];
	bool		there = x.n >= 2 && n >= 2;
	bool		varies = !constant(original[j], original[j]);
	Real		before = varies ? x.mu[2][0] * x.n / (x.n - 1) : 0;
	Range		squares = squares_of(&y, 0, lost, range);
	Real		level = fabsl(x.mean[0] + origin);
	Real		variance;
	Real		difference;

	if (n == y.n && constant(protected[j], protected[j]))
		squares = (Range) {0, 0};
	reference_cells(j, &x);
	term(&mean[1], x.n > 0 && n > 0 && level > NOISE * sqrtl(x.mu[2][0]),
		 farthest(x.mean[0], means_of(y.mean[0], y.n, lost, with_zero(range))) / level, share);
	difference = farthest(before * (n - 1), squares) / (n - 1.0L);
	term(&mean[3], there && varies, difference / before, share);
	term(&mean[2], there && varies, difference / before, share);

	change(SDC_LOSS_MEAN, x.n > 0 && n > 0, farthest(x.mean[0], means_of(y.mean[0], y.n, lost, range)),
		   varies ? x.mu[2][0] / x.n : 0, level, share);
	variance = x.mu[4][0] - x.mu[2][0] * x.mu[2][0];
	if (!varies || variance <= NOISE * x.mu[4][0])
		variance = 0;
	change(SDC_LOSS_VARIANCE, there, difference, variance / x.n, before, share);
	reference_quantiles(j, &x, &y);
}

/* correlation_of is a correlation where there is one. */
static Real
correlation_of(const Stat *s)
{
	return s->mu[1][1] / sqrtl(s->mu[2][0] * s->mu[0][2]);
}

/* correlations_of are the correlations between the bounds of its sums, infinite when nothing is left. */
static Range
correlations_of(bool varies, Range products, Range first, Range second)
{
	Range		result = {INFINITY, -INFINITY};

	if (!varies)
		return (Range) {-INFINITY, INFINITY};
	for (int side = 0; side < 8; side++)
	{
		Real		product = side & 1 ? products.low : products.high;
		Real		r = product / sqrtl((side & 2 ? first.low : first.high) * (side & 4 ? second.low : second.high));

		result.low = fminl(result.low, fmaxl(-1, r));
		result.high = fmaxl(result.high, fminl(1, r));
	}
	return result;
}

/* reference_pair adds the terms of one pair: the published formulas, which divide by m11. */
static void
reference_pair(int i, int j)
{
	Stat		x = stat_of(original[i], original[j]);
	Stat		y = stat_of(protected[i], protected[j]);
	uint32		lost = lost_of(i, j);
	Real		share = share_of(lost, x.n);
	uint32		n = y.n + lost;
	bool		there = x.n >= 2 && n >= 2;
	bool		vary = there && !constant(original[i], original[j]) && !constant(original[j], original[i]);
	bool		left = y.n >= 2 && !constant(protected[i], protected[j]) && !constant(protected[j], protected[i]);
	bool		both = vary && (left || lost > 0);
	Range		products = products_of(&y, lost, range_of[i], range_of[j]);
	Real		before = vary ? x.mu[1][1] * x.n / (x.n - 1) : 0;
	Real		difference = farthest(before * (n - 1), products) / (n - 1.0L);
	Real		scale = sqrtl(x.mu[2][0]) * sqrtl(x.mu[0][2]) * x.n / (x.n - 1.0L);
	Real		r = both ? correlation_of(&x) : 0;
	Real		change_r = both ? farthest(r, correlations_of(left, products, squares_of(&y, 0, lost, range_of[i]),
															  squares_of(&y, 1, lost, range_of[j]))) : 0;
	Real		variance;

	term(&mean[2], vary && fabsl(before) > NOISE * scale, difference / fabsl(before), share);
	term(&mean[4], both, fminl(change_r, 2), share);

	variance = x.mu[2][2] - x.mu[1][1] * x.mu[1][1];
	change(SDC_LOSS_COVARIANCE, there, difference,
		   vary && variance > NOISE * x.mu[2][2] ? variance / x.n : 0, vary ? scale : 0, share);
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
	change(SDC_LOSS_CORRELATION, both, change_r, variance > 4 * NOISE ? variance / x.n : 0, 1, share);
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
	loss->lost = all_lost();
	loss->attributes = attributes;
	for (int j = 0; j < attributes; j++)
		range_of[j] = find_range(j);
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
		loss->il[m] = loss_of(&mean[m]);
		loss->has_il[m] = records > 0 && (mean[m].terms + mean[m].undefined > 0 || loss->lost == 0);
		loss->left_out[m] = mean[m].left_out;
		loss->total += 20 * loss->il[m];
	}
	loss->il1s = loss_of(&mean_1s);
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
