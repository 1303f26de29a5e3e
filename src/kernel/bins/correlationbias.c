/*-------------------------------------------------------------------------
 *
 * correlationbias.c
 *		The correlation bias of swapping within bins: measured, and expected before it is done.
 *
 * Expected: the values of a swapped attribute x are permuted within each bin, uniformly, those of
 * an attribute y of the complement stay.  Sums and squares of neither change, and the sum of
 * their products within a bin of N records has the mean 0 (of deviations from the means of the
 * bin) and the variance SS_x SS_y / (N - 1).  So rho' - rho has the mean m = -(sum of products
 * within bins) / (n sd_x sd_y), which is E[rho'] = between-bin covariance / (sd_x sd_y) without
 * the cancellation, and the variance
 *
 *		s^2 = sum over bins SS_x SS_y / (N - 1) / (n sd_x sd_y)^2.
 *
 * It is a sum over many bins, or over many records of one, and so nearly normal; the mean of its
 * absolute value is that of the folded normal distribution, s sqrt(2 / pi) exp(-h^2 / 2) + |m|
 * erf(h / sqrt 2) with h = |m| / s, and |m| for s = 0.  Correlations within the set, and outside
 * it, do not change.
 *
 * Deviation: that of the mean over all pairs.  The variance of each pair is m^2 + s^2 - mean^2.
 * For two pairs (x, y) and (u, v) the permutation is the same, and so Cov[rho'_xy, rho'_uv] = sum
 * over bins S_xu S_yv / (N - 1) / norms, with the sums of products S of the deviations in the
 * bin.  The covariance of the absolute values follows from its expansion by Hermite polynomials
 * (F. G. Mehler): the first term is exact for pairs that do not change their sign, and instead of
 * the second stands the one that makes the sum exact for pairs around 0, (2 / pi) s s' (sqrt(1 -
 * r^2) + r asin r - 1).  Neglected are the other terms, what is not normal, the covariances of
 * pairs with missing values, and all covariances beyond PAIRS_MAX pairs.
 *
 * Missing values: a pair has the records in which both its values are there, as if only they were
 * swapped among each other.  That is exact where values are missing in the swapped attributes, if
 * records with the same missing ones share bins, and an approximation elsewhere.
 *
 * Values are measured as in scale.h.  Means come before products, and sums are compensated.
 *
 * Time: O(records attributes^2), and for covariances O(bins pairs^2).  Memory: a word a record
 * and attribute for the largest bin, half a word a record, and the covariances.  The order of all
 * sums is fixed by the input; exp, erf and asin are those of the C library.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <math.h>

#include "kernel/base/moments.h"
#include "kernel/base/scale.h"
#include "kernel/bins/correlationbias.h"

/* Swapped times other attributes for which covariances are computed: 8 MB of them. */
#define PAIRS_MAX 1024

/* Records of a chunk: deviations of all attributes stay in the cache. */
#define CHUNK 256

/* long_product is sdc_scale_product of any number of records. */
static double
long_product(const double *x, const double *y, uint32 n)
{
	SdcMomentsSum sum = {0, 0};

	for (uint32 start = 0, end; start < n; start = end)
	{
		end = sdc_interrupts_block(start, n);
		sdc_moments_add(&sum, sdc_scale_product(x + start, y + start, end - start));
	}
	return sdc_moments_total(&sum);
}

/* find_mean is the mean of a complete attribute on its scale. */
static double
find_mean(const SdcScale *scale, const double *value, uint32 records)
{
	SdcMomentsSum sum = {0, 0};

	for (uint32 start = 0, end; start < records; start = end)
	{
		end = sdc_interrupts_block(start, records);
		for (uint32 i = start; i < end; i++)
			sdc_moments_add(&sum, sdc_scale_value(scale, value[i]));
	}
	return records > 0 ? sdc_moments_total(&sum) / records : 0;
}

/* find_squares is the sum of the squares of its deviations. */
static double
find_squares(const SdcScale *scale, const double *value, uint32 records)
{
	double		mean = find_mean(scale, value, records);
	SdcMomentsSum sum = {0, 0};

	for (uint32 start = 0, end; start < records; start = end)
	{
		end = sdc_interrupts_block(start, records);
		for (uint32 i = start; i < end; i++)
		{
			double		deviation = sdc_scale_value(scale, value[i]) - mean;

			sdc_moments_add(&sum, deviation * deviation);
		}
	}
	return sdc_moments_total(&sum);
}

/* What correlates two columns: their sums over the records that count. */
typedef struct Products
{
	double		xx;
	double		yy;
	double		xy;
	uint32		count;			/* of those records */
	bool		constant;		/* x or y is */
} Products;

/* One column of a pair of two files, while records with missing values are left out. */
typedef struct Column
{
	const double *value;
	SdcScale	scale;
	double		first;			/* of the values that count, */
	bool		varies;			/* and whether another is different */
	SdcMomentsSum sum;
	double		mean;
} Column;

/* all_present tells whether a record has all values of some columns. */
static inline bool
all_present(const Column *column, int columns, uint32 record)
{
	for (int c = 0; c < columns; c++)
		if (!sdc_moments_present(column[c].value[record]))
			return false;
	return true;
}

/* find_means finds the means over the records that have the values of all columns, and counts these. */
static uint32
find_means(Column *column, int columns, uint32 records)
{
	uint32		count = 0;

	for (int c = 0; c < columns; c++)
	{
		column[c].varies = false;
		column[c].sum = (SdcMomentsSum) {0, 0};
	}
	for (uint32 i = 0; i < records; i++)
	{
		sdc_interrupts_step(i);
		if (!all_present(column, columns, i))
			continue;
		for (int c = 0; c < columns; c++)
		{
			double		value = sdc_scale_value(&column[c].scale, column[c].value[i]);

			if (count == 0)
				column[c].first = value;
			column[c].varies = column[c].varies || value != column[c].first;
			sdc_moments_add(&column[c].sum, value);
		}
		count++;
	}
	for (int c = 0; c < columns; c++)
		column[c].mean = count > 0 ? sdc_moments_total(&column[c].sum) / count : 0;
	return count;
}

/* find_products finds the products of columns 0 and 1, and if there are four of 2 and 3, as above. */
static void
find_products(Column *column, int columns, uint32 records, Products *products)
{
	SdcMomentsSum sum[2][3] = {{{0, 0}, {0, 0}, {0, 0}}, {{0, 0}, {0, 0}, {0, 0}}};
	uint32		count = find_means(column, columns, records);

	for (uint32 i = 0; i < records; i++)
	{
		sdc_interrupts_step(i);
		if (!all_present(column, columns, i))
			continue;
		for (int c = 0; c < columns; c += 2)
		{
			double		x = sdc_scale_value(&column[c].scale, column[c].value[i]) - column[c].mean;
			double		y = sdc_scale_value(&column[c + 1].scale, column[c + 1].value[i]) -
				column[c + 1].mean;

			sdc_moments_add(&sum[c / 2][0], x * x);
			sdc_moments_add(&sum[c / 2][1], y * y);
			sdc_moments_add(&sum[c / 2][2], x * y);
		}
	}
	for (int c = 0; c < columns; c += 2)
	{
		products[c / 2].xx = sdc_moments_total(&sum[c / 2][0]);
		products[c / 2].yy = sdc_moments_total(&sum[c / 2][1]);
		products[c / 2].xy = sdc_moments_total(&sum[c / 2][2]);
		products[c / 2].count = count;
		products[c / 2].constant = !column[c].varies || !column[c + 1].varies;
	}
}

/* correlation is that of products, not beyond 1. */
static double
correlation(double xy, double xx, double yy)
{
	return fmax(-1, fmin(1, xy / (sqrt(xx) * sqrt(yy))));
}

/* ---- measured ---- */

#define FILES 2

/* Two files. */
typedef struct Measuring
{
	const double *const *value[FILES];
	int			attributes;
	uint32		records;
	SdcScale   *scale[FILES];
	double	   *mean[FILES];
	SdcMomentsSum *cross;		/* of one file: products of each pair i >= j of complete attributes */
	double	   *rho[FILES];		/* of each pair; NaN: it has none */
	double	   *deviation;		/* CHUNK of each attribute */
} Measuring;

/* pair_place numbers the pairs i >= j. */
static inline uint64
pair_place(int i, int j)
{
	return (uint64) i * (uint64) (i + 1) / 2 + (uint64) j;
}

/* is_complete tells whether an attribute has all values in both files. */
static inline bool
is_complete(const Measuring *m, int attribute)
{
	return !m->scale[0][attribute].missing && !m->scale[1][attribute].missing;
}

/* is_constant tells whether an attribute is left out. */
static inline bool
is_constant(const Measuring *m, int attribute)
{
	return m->scale[0][attribute].constant || m->scale[1][attribute].constant;
}

/* sum_products sums the products of all pairs of complete attributes in one file. */
static void
sum_products(const Measuring *m, int file)
{
	memset(m->cross, 0, (Size) pair_place(m->attributes, 0) * sizeof(SdcMomentsSum));
	for (uint32 start = 0; start < m->records;)
	{
		uint32		length = m->records - start < CHUNK ? m->records - start : CHUNK;

		for (int i = 0; i < m->attributes; i++)
		{
			double	   *deviation = m->deviation + (Size) i * CHUNK;

			SDC_CHECK_INTERRUPTS();
			if (!is_complete(m, i) || is_constant(m, i))
				continue;
			for (uint32 r = 0; r < length; r++)
				deviation[r] = sdc_scale_value(&m->scale[file][i], m->value[file][i][start + r]) -
					m->mean[file][i];
			for (int j = 0; j <= i; j++)
				if (is_complete(m, j) && !is_constant(m, j))
					sdc_moments_add(&m->cross[pair_place(i, j)],
									sdc_scale_product(deviation, m->deviation + (Size) j * CHUNK, length));
		}
		start += length;
		SDC_REPORT((uint64) file * m->records + start, FILES * (uint64) m->records);
	}
}

/*
 * pair_change is |rho - rho'| of a pair i < j with missing values, NaN if one of the columns is
 * constant; it notes both.
 */
static double
pair_change(const Measuring *m, int i, int j)
{
	uint64		place = pair_place(j, i);
	Column		column[2 * FILES];
	Products	products[FILES];

	for (int file = 0; file < FILES; file++)
	{
		column[2 * file].value = m->value[file][i];
		column[2 * file].scale = m->scale[file][i];
		column[2 * file + 1].value = m->value[file][j];
		column[2 * file + 1].scale = m->scale[file][j];
	}
	find_products(column, 2 * FILES, m->records, products);
	if (products[0].constant || products[1].constant)
		return NAN;
	for (int file = 0; file < FILES; file++)
		m->rho[file][place] = correlation(products[file].xy, products[file].xx, products[file].yy);
	return fabs(m->rho[0][place] - m->rho[1][place]);
}

/* mean_change is the mean of |rho - rho'| over the pairs. */
static double
mean_change(const Measuring *m)
{
	SdcMomentsSum sum = {0, 0};
	uint64		pairs = 0;

	for (int file = 0; file < FILES; file++)
	{
		sum_products(m, file);
		for (int i = 0; i < m->attributes; i++)
			for (int j = 0; j < i; j++)
			{
				double		change;

				if (is_constant(m, i) || is_constant(m, j))
					continue;
				if (!is_complete(m, i) || !is_complete(m, j))
					change = file == 0 ? NAN : pair_change(m, j, i);
				else
				{
					double		rho = correlation(sdc_moments_total(&m->cross[pair_place(i, j)]),
												  sdc_moments_total(&m->cross[pair_place(i, i)]),
												  sdc_moments_total(&m->cross[pair_place(j, j)]));

					m->rho[file][pair_place(i, j)] = rho;
					change = file == 0 ? NAN : fabs(m->rho[0][pair_place(i, j)] - rho);
				}
				if (isnan(change))
					continue;
				sdc_moments_add(&sum, change);
				pairs++;
			}
	}
	return pairs > 0 ? sdc_moments_total(&sum) / (double) pairs : NAN;
}

/* sdc_correlationbias_pairs: see correlationbias.h. */
double
sdc_correlationbias_pairs(const double *const *original, const double *const *protected,
						  int attributes, uint32 records, double *const rho[FILES])
{
	Size		places = (Size) pair_place(attributes, 0);
	Measuring	m = {{original, protected}, attributes, records, {NULL}, {NULL}, NULL,
	{rho[0], rho[1]}, NULL};
	double		bias;

	for (int file = 0; file < FILES; file++)
	{
		for (Size i = 0; i < places; i++)
			rho[file][i] = NAN;
		m.scale[file] = sdc_alloc_array(SdcScale, attributes);
		m.mean[file] = sdc_alloc_array(double, attributes);
		for (int a = 0; a < attributes; a++)
		{
			sdc_scale_find(m.value[file][a], records, &m.scale[file][a]);
			m.mean[file][a] = m.scale[file][a].missing ? 0 :
				find_mean(&m.scale[file][a], m.value[file][a], records);
		}
	}
	m.cross = sdc_alloc_array(SdcMomentsSum, places);
	m.deviation = sdc_alloc_matrix(double, attributes, CHUNK);
	bias = mean_change(&m);
	sdc_free(m.deviation);
	sdc_free(m.cross);
	for (int file = 0; file < FILES; file++)
	{
		sdc_free(m.mean[file]);
		sdc_free(m.scale[file]);
	}
	return bias;
}

/* sdc_correlationbias_measured: see correlationbias.h. */
double
sdc_correlationbias_measured(const double *const *original, const double *const *protected,
							 int attributes, uint32 records)
{
	Size		places = (Size) pair_place(attributes, 0);
	double	   *rho[FILES];
	double		bias;

	for (int file = 0; file < FILES; file++)
		rho[file] = sdc_alloc_array(double, places);
	bias = sdc_correlationbias_pairs(original, protected, attributes, records, rho);
	for (int file = 0; file < FILES; file++)
		sdc_free(rho[file]);
	return bias;
}

/* ---- expected ---- */

/* A pair of a swapped attribute, x, and another. */
typedef struct Pair
{
	int			x;
	int			y;
	bool		complete;		/* no values are missing */
	double		norm;			/* n sd_x sd_y */
	SdcMomentsSum within;		/* sum of products within bins */
	SdcMomentsSum variance;		/* sum over bins of SS_x SS_y / (N - 1) */
	double		m;				/* mean of rho' - rho */
	double		s;				/* and standard deviation */
	double		slope;			/* first coefficient of |rho' - rho| in Hermite polynomials, over s */
	double		bend;			/* second one, over s sqrt(2 / pi) */
} Pair;

/* What is needed for the expectation. */
struct SdcBiasPairs
{
	SdcBiasTask task;
	SdcScale   *scale;
	double	   *squares;		/* of a complete attribute: n variance */
	uint32	   *order;			/* records by bin */
	uint32	   *start;			/* of each bin in the order */
	double	   *value;			/* [attribute][record of a bin] */
	double	   *product;		/* [attribute][attribute]: sums of products in a bin */
	uint64		counted;		/* pairs of attributes, with those that cannot change */
	Pair	   *pair;
	int			pairs;
	double	   *covariance;		/* [pair][pair above it]: sum over bins; NULL: too many */
};

/*
 * sort_by_bin puts the records that are in bins in the order of the bins, and returns the largest
 * size.
 */
static uint32
sort_by_bin(SdcBiasPairs *e)
{
	const SdcBiasTask *task = &e->task;
	uint32	   *start = e->start;
	uint32		largest = 0;

	/* start[b + 1] is the end of bin b first, then where the next record of b + 1 goes */
	memset(start, 0, ((Size) task->bins + 2) * sizeof(uint32));
	for (uint32 r = 0; r < task->records; r++)
	{
		sdc_interrupts_step(r);
		SDC_ASSERT(task->bin[r] == UINT32_MAX || task->bin[r] < task->bins);
		if (task->bin[r] != UINT32_MAX)
			start[(uint64) task->bin[r] + 2]++;
	}
	for (uint64 b = 0; b < task->bins; b++)
	{
		sdc_interrupts_step(b);
		largest = start[b + 2] > largest ? start[b + 2] : largest;
		start[b + 2] += start[b + 1];
	}
	for (uint32 r = 0; r < task->records; r++)
	{
		sdc_interrupts_step(r);
		if (task->bin[r] != UINT32_MAX)
			e->order[start[(uint64) task->bin[r] + 1]++] = r;
	}
	return largest;
}

/*
 * add_pair counts a pair unless one of its attributes is constant where both are there, and keeps
 * it if its correlation can change.
 */
static void
add_pair(SdcBiasPairs *e, int i, int j)
{
	const SdcBiasTask *task = &e->task;
	bool		complete = !e->scale[i].missing && !e->scale[j].missing;
	double		norm = sqrt(e->squares[i]) * sqrt(e->squares[j]);
	Pair	   *pair;

	if (e->scale[i].constant || e->scale[j].constant)
		return;
	if (!complete)
	{
		Column		column[2] = {{.value = task->value[i], .scale = e->scale[i]},
		{.value = task->value[j], .scale = e->scale[j]}};
		Products	products;

		find_products(column, 2, task->records, &products);
		if (products.constant)
			return;
		norm = sqrt(products.xx) * sqrt(products.yy);
	}
	e->counted++;
	if (task->swapped[i] == task->swapped[j])
		return;
	pair = &e->pair[e->pairs++];
	memset(pair, 0, sizeof(Pair));
	pair->x = task->swapped[i] ? i : j;
	pair->y = task->swapped[i] ? j : i;
	pair->complete = complete;
	pair->norm = norm;
}

/* find_pairs lists the pairs. */
static void
find_pairs(SdcBiasPairs *e)
{
	const SdcBiasTask *task = &e->task;

	for (int a = 0; a < task->attributes; a++)
	{
		sdc_scale_find(task->value[a], task->records, &e->scale[a]);
		e->squares[a] = e->scale[a].missing ? 0 :
			find_squares(&e->scale[a], task->value[a], task->records);
	}
	for (int i = 0; i < task->attributes; i++)
		for (int j = i + 1; j < task->attributes; j++)
		{
			SDC_CHECK_INTERRUPTS();
			add_pair(e, i, j);
		}
}

/* center subtracts the mean of n values. */
static void
center(double *value, uint32 n)
{
	SdcMomentsSum sum = {0, 0};
	double		mean;

	for (uint32 start = 0, end; start < n; start = end)
	{
		end = sdc_interrupts_block(start, n);
		for (uint32 i = start; i < end; i++)
			sdc_moments_add(&sum, value[i]);
	}
	mean = sdc_moments_total(&sum) / n;
	for (uint32 start = 0, end; start < n; start = end)
	{
		end = sdc_interrupts_block(start, n);
		for (uint32 i = start; i < end; i++)
			value[i] -= mean;
	}
}

/* fill_bin gathers the values of a bin, and centers those of complete attributes. */
static void
fill_bin(const SdcBiasPairs *e, const uint32 *record, uint32 n)
{
	const SdcBiasTask *task = &e->task;

	for (int a = 0; a < task->attributes; a++)
	{
		double	   *value = e->value + (Size) a * n;

		if (e->scale[a].constant)
			continue;
		for (uint32 start = 0, end; start < n; start = end)
		{
			end = sdc_interrupts_block(start, n);
			for (uint32 i = start; i < end; i++)
				value[i] = sdc_scale_value(&e->scale[a], task->value[a][record[i]]);
		}
		if (!e->scale[a].missing)
			center(value, n);
	}
}

/* is_needed tells whether a sum of products is: covariances need all. */
static inline bool
is_needed(const SdcBiasPairs *e, int i, int j)
{
	return i == j || e->covariance != NULL || e->task.swapped[i] != e->task.swapped[j];
}

/* multiply_bin finds the sums of products in a bin, of complete attributes. */
static void
multiply_bin(const SdcBiasPairs *e, uint32 n)
{
	int			k = e->task.attributes;

	for (int i = 0; i < k; i++)
	{
		if (e->scale[i].missing || e->scale[i].constant)
			continue;
		for (int j = 0; j <= i; j++)
		{
			double		sum;

			if (e->scale[j].missing || e->scale[j].constant || !is_needed(e, i, j))
				continue;
			sum = long_product(e->value + (Size) i * n, e->value + (Size) j * n, n);
			e->product[(Size) i * k + j] = e->product[(Size) j * k + i] = sum;
		}
	}
}

/* add_incomplete adds a bin to a pair with missing values. */
static void
add_incomplete(const SdcBiasPairs *e, Pair *pair, uint32 n)
{
	Column		column[2] = {{.value = e->value + (Size) pair->x * n, .scale = {.half = 1, .unit = 1}},
	{.value = e->value + (Size) pair->y * n, .scale = {.half = 1, .unit = 1}}};
	Products	products;

	find_products(column, 2, n, &products);
	if (products.count < 2)
		return;
	sdc_moments_add(&pair->within, products.xy);
	sdc_moments_add(&pair->variance, products.xx * products.yy / (products.count - 1.0));
}

/* add_covariances adds a bin of complete attributes to the covariances. */
static void
add_covariances(const SdcBiasPairs *e, uint32 n)
{
	Size		k = (Size) e->task.attributes;
	double		weight = 1 / (n - 1.0);

	for (int i = 0; i < e->pairs; i++)
	{
		const Pair *p = &e->pair[i];
		double	   *covariance = e->covariance + (Size) i * e->pairs;

		SDC_CHECK_INTERRUPTS();
		if (!p->complete)
			continue;
		for (int j = i + 1; j < e->pairs; j++)
		{
			const Pair *q = &e->pair[j];

			if (q->complete)
				covariance[j] += e->product[p->x * k + q->x] * e->product[p->y * k + q->y] * weight;
		}
	}
}

/* add_bin adds a bin of at least two records. */
static void
add_bin(SdcBiasPairs *e, const uint32 *record, uint32 n)
{
	Size		k = (Size) e->task.attributes;

	fill_bin(e, record, n);
	multiply_bin(e, n);
	for (int i = 0; i < e->pairs; i++)
	{
		Pair	   *p = &e->pair[i];

		SDC_CHECK_INTERRUPTS();
		if (!p->complete)
		{
			add_incomplete(e, p, n);
			continue;
		}
		sdc_moments_add(&p->within, e->product[p->x * k + p->y]);
		sdc_moments_add(&p->variance, e->product[p->x * k + p->x] *
						e->product[p->y * k + p->y] / (n - 1.0));
	}
	if (e->covariance != NULL)
		add_covariances(e, n);
}

/*
 * fold_pair finishes a pair: it returns the mean of |rho' - rho|, and writes its variance, s^2 -
 * (mean - |m|) (mean + |m|) where mean - |m| comes without cancellation.
 */
static double
fold_pair(Pair *pair, double *variance)
{
	double		m;
	double		h;
	double		excess;

	pair->m = -sdc_moments_total(&pair->within) / pair->norm;
	pair->s = sqrt(sdc_moments_total(&pair->variance)) / pair->norm;
	m = fabs(pair->m);
	*variance = 0;
	if (!(pair->s > 0))
		return m;
	h = m / pair->s;
	pair->slope = copysign(erf(h * M_SQRT1_2), pair->m);
	pair->bend = exp(-0.5 * h * h);
	excess = fmax(0, pair->s * sqrt(M_2_PI) * pair->bend - m * erfc(h * M_SQRT1_2));
	*variance = fmax(0, pair->s * pair->s - excess * (excess + 2 * m));
	return m + excess;
}

/* fold_covariance is the covariance of the absolute values of two pairs, from that of the pairs. */
static double
fold_covariance(const Pair *p, const Pair *q, double covariance)
{
	double		scale = p->s * q->s;
	double		r;

	if (!(scale > 0))
		return 0;
	r = fmax(-1, fmin(1, covariance / scale));
	return scale * (p->slope * q->slope * r +
					M_2_PI * p->bend * q->bend * (sqrt(1 - r * r) + r * asin(r) - 1));
}

/* finish_expectation adds up the pairs. */
static void
finish_expectation(SdcBiasPairs *e, SdcExpectedBias *result)
{
	SdcMomentsSum bias = {0, 0};
	SdcMomentsSum variance = {0, 0};

	for (int i = 0; i < e->pairs; i++)
	{
		double		own;

		sdc_moments_add(&bias, fold_pair(&e->pair[i], &own));
		sdc_moments_add(&variance, own);
	}
	for (int i = 0; e->covariance != NULL && i < e->pairs; i++)
	{
		SDC_CHECK_INTERRUPTS();
		for (int j = i + 1; j < e->pairs; j++)
		{
			const Pair *p = &e->pair[i];
			const Pair *q = &e->pair[j];
			double		covariance = e->covariance[(Size) i * e->pairs + j] / p->norm / q->norm;

			sdc_moments_add(&variance, 2 * fold_covariance(p, q, covariance));
		}
	}
	result->pairs = (int) e->counted;
	result->bias = result->deviation = NAN;
	if (e->counted == 0)
		return;
	result->bias = sdc_moments_total(&bias) / (double) e->counted;
	if (!e->task.bias_only)
		result->deviation = sqrt(fmax(0, sdc_moments_total(&variance))) / (double) e->counted;
}

/* sdc_correlationbias_begin: see correlationbias.h. */
SdcBiasPairs *
sdc_correlationbias_begin(const SdcBiasTask *task)
{
	Size		k = (Size) task->attributes;
	Size		pairs = k * k / 4;
	SdcBiasPairs *e = sdc_alloc(sizeof(SdcBiasPairs));

	memset(e, 0, sizeof(SdcBiasPairs));
	e->task = *task;
	e->scale = sdc_alloc_array(SdcScale, k);
	e->squares = sdc_alloc_array(double, k);
	e->order = sdc_alloc_array(uint32, task->records);
	e->product = sdc_alloc_matrix(double, k, k);
	e->pair = sdc_alloc_array(Pair, pairs);
	find_pairs(e);
	return e;
}

/* sdc_correlationbias_of: see correlationbias.h. */
void
sdc_correlationbias_of(SdcBiasPairs *e, const uint32 *bin, uint32 bins, SdcExpectedBias *result)
{
	Size		covariances = (Size) e->pairs * (Size) e->pairs;
	uint32		largest;

	e->task.bin = bin;
	e->task.bins = bins;
	e->start = sdc_alloc_array(uint32, (Size) bins + 2);
	largest = sort_by_bin(e);
	e->value = sdc_alloc_matrix(double, largest, (Size) e->task.attributes);
	if (e->pairs <= PAIRS_MAX && !e->task.bias_only)
		e->covariance = sdc_alloc_zeros(double, covariances);
	for (int i = 0; i < e->pairs; i++)
		e->pair[i].within = e->pair[i].variance = (SdcMomentsSum) {0, 0};
	for (uint32 b = 0; b < bins; b++)
	{
		uint32		n = e->start[(Size) b + 1] - e->start[b];

		if (n >= 2 && e->pairs > 0)
			add_bin(e, e->order + e->start[b], n);
		SDC_REPORT(e->start[(Size) b + 1], e->task.records);
	}
	finish_expectation(e, result);
	if (e->covariance != NULL)
		sdc_free(e->covariance);
	e->covariance = NULL;
	sdc_free(e->value);
	sdc_free(e->start);
}

/* sdc_correlationbias_end: see correlationbias.h. */
void
sdc_correlationbias_end(SdcBiasPairs *e)
{
	sdc_free(e->pair);
	sdc_free(e->product);
	sdc_free(e->order);
	sdc_free(e->squares);
	sdc_free(e->scale);
	sdc_free(e);
}

/* sdc_correlationbias_expected: see correlationbias.h and the top of this file. */
void
sdc_correlationbias_expected(const SdcBiasTask *task, SdcExpectedBias *result)
{
	SdcBiasPairs *pairs = sdc_correlationbias_begin(task);

	sdc_correlationbias_of(pairs, task->bin, task->bins, result);
	sdc_correlationbias_end(pairs);
}
