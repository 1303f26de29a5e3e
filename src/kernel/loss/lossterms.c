/*-------------------------------------------------------------------------
 *
 * lossterms.c
 *		The measures of information loss that follow from moments.
 *
 * IL1 .. IL5 after J. Domingo-Ferrer and V. Torra, "A quantitative comparison of
 * disclosure control methods for microdata" (in: Confidentiality, Disclosure, and Data
 * Access, 2001), as means of relative changes.  The probabilistic measures after
 * J. M. Mateo-Sanz, J. Domingo-Ferrer and F. Sebe, "Probabilistic information loss
 * measures in confidentiality protection of continuous microdata", Data Mining and
 * Knowledge Discovery 11, 2005: how probable it is that a sampling error would be
 * smaller than the change.  Their variances of statistics are written with standardized
 * moments, so that a covariance of 0 divides nothing.
 *
 * What would divide by 0 is left out and counted.  A mean that should be 0 is, after
 * rounding, some 10^-17 standard deviations, and a change relative to that says
 * nothing.  So a number counts as 0 that is below 10^-13 of its scale: for a mean
 * the standard deviation, for a covariance the product of both, for the variance of a
 * statistic the terms that it is the difference of.  No sample tells such a number from
 * 0: that would take 10^26 records.  A variance is 0 only if all values are
 * equal, which moments show exactly.
 *
 * What is not a finite number, because it or a moment overflowed, is left out and counted
 * too, so that no measure is ever NaN or infinite.  Covariances and correlations
 * are those of the records that have both values in the same file.
 *
 * A value that the original file has and the protected one lacks is lost, and each term is the largest that it can be
 * over all that the lost values can be (lostvalues.c): more lost values never make a smaller one.  A lost cell moves
 * over the whole range of its attribute; IL1 and IL2, which are relative to values, have 0 in that range.  A
 * correlation of which nothing is left changes by 2, the most there is.  Where a term is undefined because of the
 * original file, the share of its values that is lost goes beside the mean of the others, divided by the number of all.
 * A statistic that has no sampling error changes with certainty.
 *
 * O(attributes^2); determined by the table.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/loss/lossterms.h"
#include "kernel/loss/lostvalues.h"

/* Below this part of its scale a number is 0. */
#define NOISE 1e-13

/* IL1 .. IL5 as indexes. */
enum
{
	IL_CELLS,
	IL_MEANS,
	IL_COVARIANCES,
	IL_VARIANCES,
	IL_CORRELATIONS,
	IL_MEASURES
};

/* What a correlation changes by at most. */
#define MOST_CORRELATION 2

/* The means that are being made. */
typedef struct Terms
{
	SdcLossterms il[IL_MEASURES];
	SdcLossterms il1s;
	SdcLossterms pil[SDC_LOSS_PARTS];
} Terms;

/* An attribute in both files, and what is lost of it. */
typedef struct Attribute
{
	const SdcMoments *x;
	const SdcMoments *y;
	const SdcMomentsCells *cells;
	SdcLostRange range;			/* of lost values */
} Attribute;

/* sdc_lossterms_add: see lossterms.h. */
void
sdc_lossterms_add(SdcLossterms *terms, double term, double lost)
{
	bool		defined = fabs(term) <= DBL_MAX;

	if (!defined || lost > 0)
		terms->left_out++;
	if (defined)
	{
		sdc_moments_add(&terms->sum, term);
		terms->terms++;
		return;
	}
	sdc_moments_add(&terms->shares, lost);
	terms->undefined++;
}

/* bounded makes a number of what may have overflowed at last. */
static inline double
bounded(double value)
{
	return fabs(value) <= DBL_MAX ? value : DBL_MAX;
}

/* mean_of is the mean of the terms, 0 if there are none. */
static double
mean_of(const SdcLossterms *terms)
{
	if (terms->terms == 0)
		return 0;
	return bounded(sdc_moments_total(&terms->sum) / terms->terms);
}

/* loss_of is the mean of the terms, and what is lost beside them. */
static double
loss_of(const SdcLossterms *terms)
{
	if (terms->undefined == 0)
		return mean_of(terms);
	return bounded(mean_of(terms) + sdc_moments_total(&terms->shares) /
				   (terms->terms + terms->undefined));
}

/* sdc_lossterms_add_pil: 2 P(0 <= Z <= z) is the error function of z / sqrt(2). */
void
sdc_lossterms_add_pil(SdcLossterms *terms, double standard_errors, double lost)
{
	sdc_lossterms_add(terms, 100 * erf(standard_errors / sqrt(2.0)), lost);
}

/*
 * add_pil_change adds the term of a statistic that changed by a difference, with a
 * sampling variance.  A statistic without one is kept, or lost, or has no term.
 */
static void
add_pil_change(SdcLossterms *terms, double difference, double variance, double scale, double lost)
{
	double		standard_errors = NAN;

	if (variance > 0)
		standard_errors = difference / sqrt(variance);
	else if (variance == 0 && lost > 0 && !isnan(difference))
		standard_errors = INFINITY;
	else if (variance == 0 && difference <= NOISE * fabs(scale))
		standard_errors = 0;
	sdc_lossterms_add_pil(terms, standard_errors, lost);
}

/* above_noise is a difference of sums of a given size, 0 if that is all it tells. */
static inline double
above_noise(double difference, double size)
{
	return difference <= NOISE * size ? 0 : difference;
}

/* one_of is what one of the values counts: 1, or their mean weight. */
static inline double
one_of(const SdcMoments *moments)
{
	return moments->n == 0 ? 1 : moments->mass / (double) moments->n;
}

/* variance_of is the variance of a sample: NaN for less than two values. */
static inline double
variance_of(const SdcMoments *moments)
{
	return moments->n < 2 ? NAN : moments->m2 / (moments->mass - one_of(moments));
}

/* over divides the bounds of a sum by a number: NaN if that is not above 0. */
static inline SdcLostRange
over(SdcLostRange sum, double number)
{
	return number > 0 ? (SdcLostRange) {sum.low / number, sum.high / number} : (SdcLostRange) {NAN, NAN};
}

/* share_of is the share of lost values among so many original ones. */
static inline double
share_of(double lost, double values)
{
	return lost == 0 ? 0 : lost / values;
}

/* size_of is the square root of the product of both sums of squares: it may overflow later. */
static inline double
size_of(const SdcMomentsPair *pair)
{
	return sqrt(pair->x->m2) * sqrt(pair->y->m2);
}

/* relative_change is a difference without sign / |from|, NaN where the latter is 0 on its scale. */
static inline double
relative_change(double from, double difference, double scale)
{
	return fabs(from) > NOISE * scale ? difference / fabs(from) : NAN;
}

/* measure_mean adds the terms of one attribute's mean. */
static void
measure_mean(const Attribute *a, bool with_pil, Terms *terms)
{
	const SdcMoments *x = a->x;
	double		lost = a->cells->lost.mass;
	double		share = share_of(lost, x->mass);
	double		mean = sdc_moments_mean(x).high;
	double		n = x->mass;
	bool		known = x->n > 0 && (a->y->n > 0 || lost > 0);	/* no mean: no term */
	SdcLostRange change = sdc_lostvalues_mean(x, a->y, lost, sdc_lostvalues_from_zero(a->range));

	sdc_lossterms_add(&terms->il[IL_MEANS],
					  relative_change(mean, known ? sdc_lostvalues_farthest(0, change) : NAN, sqrt(x->m2 / n)), share);
	if (!with_pil)
		return;
	change = sdc_lostvalues_mean(x, a->y, lost, a->range);
	add_pil_change(&terms->pil[SDC_LOSS_MEAN], known ? sdc_lostvalues_farthest(0, change) : NAN, x->m2 / n / n, mean,
				   share);
}

/* measure_variance adds the terms of one attribute's variance, the diagonal of IL3 too. */
static void
measure_variance(const Attribute *a, bool with_pil, Terms *terms)
{
	const SdcMoments *x = a->x;
	double		lost = a->cells->lost.mass;
	double		share = share_of(lost, x->mass);
	double		variance = variance_of(x);
	SdcLostRange after = over(sdc_lostvalues_squares(a->y, lost, a->range),
							  a->y->mass + lost - one_of(x));
	double		difference = sdc_lostvalues_farthest(variance, after);
	double		n = x->mass;
	double		square = x->m2 / n * (x->m2 / n);

	sdc_lossterms_add(&terms->il[IL_VARIANCES], relative_change(variance, difference, 0), share);
	sdc_lossterms_add(&terms->il[IL_COVARIANCES], relative_change(variance, difference, 0), share);
	if (with_pil)
		add_pil_change(&terms->pil[SDC_LOSS_VARIANCE], difference,
					   above_noise(x->m4 / n - square, x->m4 / n) / n, variance, share);
}

/* rest_of is the mass of all cells but some of them, exactly 0 without others. */
static inline double
rest_of(const SdcMomentsCount *all, const SdcMomentsCount *some)
{
	return all->n == some->n ? 0 : all->mass - some->mass;
}

/* measure_relative adds the terms of one attribute's cells to IL1. */
static void
measure_relative(const SdcMomentsCells *cells, SdcLostRange range, SdcLossterms *terms)
{
	SdcLostRange whole = sdc_lostvalues_from_zero(range);

	sdc_moments_add(&terms->sum, cells->relative.sum);
	terms->sum.carry += cells->relative.carry;
	if (cells->inverses.n > 0)
		sdc_moments_add(&terms->sum, (whole.high - whole.low) * sdc_moments_total(&cells->inverse));
	terms->terms += cells->relatives.mass + cells->inverses.mass;
	terms->undefined += rest_of(&cells->cells, &cells->relatives) + rest_of(&cells->lost, &cells->inverses);
	terms->left_out += cells->cells.n - cells->relatives.n + cells->lost.n;
	sdc_moments_add(&terms->shares, rest_of(&cells->lost, &cells->inverses));
}

/* measure_scaled adds them to IL1s. */
static void
measure_scaled(const Attribute *a, double deviation, SdcLossterms *terms)
{
	const SdcMomentsCells *cells = a->cells;
	double		unit = sqrt(2.0) * deviation;

	if (!(unit > 0 && unit <= DBL_MAX))
	{
		terms->undefined += cells->cells.mass + cells->lost.mass;
		terms->left_out += cells->cells.n + cells->lost.n;
		sdc_moments_add(&terms->shares, cells->lost.mass);
		return;
	}
	sdc_moments_add(&terms->sum, sdc_moments_total(&cells->absolute) / unit);
	if (cells->lost.n > 0)
		sdc_moments_add(&terms->sum, cells->lost.mass * ((a->range.high - a->range.low) / unit));
	terms->terms += cells->absolutes.mass + cells->lost.mass;
	terms->undefined += rest_of(&cells->cells, &cells->absolutes);
	terms->left_out += cells->cells.n - cells->absolutes.n + cells->lost.n;
}

/*
 * correlation_variance is the variance of the correlation of a sample, times n.  The
 * published form has r^2 before moments divided by m11; here r stands before
 * standardized ones.
 */
static double
correlation_variance(const SdcMomentsPair *x, double r)
{
	const double *c = x->cross;
	double		n = (double) x->x->n;
	double		size = size_of(x);
	double		k22 = n * (c[SDC_MOMENTS_22] / size / size);
	double		k40 = n * (x->x->m4 / x->x->m2 / x->x->m2);
	double		k04 = n * (x->y->m4 / x->y->m2 / x->y->m2);
	double		k31 = n * (c[SDC_MOMENTS_31] / x->x->m2 / size);
	double		k13 = n * (c[SDC_MOMENTS_13] / x->y->m2 / size);
	double		squares = k22 + r * r / 4 * (k40 + k04 + 2 * k22);

	return above_noise(squares - r * (k31 + k13), squares);
}

/* correlation_change is how much a correlation changed, or can have changed; infinite when nothing of it is left. */
static double
correlation_change(double r, const SdcMomentsPair *protected, double lost, SdcLostRange x, SdcLostRange y)
{
	double		change = sdc_lostvalues_farthest(r, sdc_lostvalues_correlation(protected, lost, x, y));

	return lost > 0 && isnan(change) && !isnan(r) ? INFINITY : change;
}

/* measure_pair adds the terms of a pair of attributes: x of the original file, y of the protected one. */
static void
measure_pair(const SdcMomentsPair *x, const SdcMomentsPair *y, double lost, SdcLostRange range_i, SdcLostRange range_j,
			 bool with_pil, Terms *terms)
{
	double		n = x->x->mass;
	double		one = one_of(x->x);
	double		share = share_of(lost, n);
	double		covariance = x->x->n < 2 ? NAN : x->cross[SDC_MOMENTS_11] / (n - one);
	SdcLostRange after = over(sdc_lostvalues_products(y, lost, range_i, range_j),
							  y->x->mass + lost - one);
	double		difference = sdc_lostvalues_farthest(covariance, after);
	double		scale = sqrt(variance_of(x->x)) * sqrt(variance_of(x->y));
	double		r = sdc_lostvalues_correlation(x, 0, range_i, range_j).low;
	double		r_difference = correlation_change(r, y, lost, range_i, range_j);
	double		mu11 = x->cross[SDC_MOMENTS_11] / n;
	double		mu22;

	sdc_lossterms_add(&terms->il[IL_COVARIANCES], relative_change(covariance, difference, scale), share);
	sdc_lossterms_add(&terms->il[IL_CORRELATIONS],
					  r_difference > MOST_CORRELATION ? MOST_CORRELATION : r_difference, share);
	if (!with_pil)
		return;
	mu22 = x->cross[SDC_MOMENTS_22] / n;
	add_pil_change(&terms->pil[SDC_LOSS_COVARIANCE], difference,
				   above_noise(mu22 - mu11 * mu11, mu22) / n, scale, share);
	add_pil_change(&terms->pil[SDC_LOSS_CORRELATION], r_difference,
				   correlation_variance(x, r) / n, 1, share);
}

/* attribute_of is an attribute of the table. */
static Attribute
attribute_of(const SdcMomentsTable *table, int j)
{
	const SdcMoments *x = &table->attribute[SDC_MOMENTS_ORIGINAL][j];
	const SdcMomentsCells *cells = &table->cells[j];

	return (Attribute) {x, &table->attribute[SDC_MOMENTS_PROTECTED][j], cells, sdc_lostvalues_range(cells, x)};
}

/* measure_all goes over attributes and pairs. */
static void
measure_all(const SdcMomentsTable *table, bool with_pil, const double *deviation, Terms *terms)
{
	Size		number = 0;

	for (int i = 0; i < table->attributes; i++)
	{
		Attribute	a = attribute_of(table, i);

		SDC_CHECK_INTERRUPTS();
		measure_relative(a.cells, a.range, &terms->il[IL_CELLS]);
		measure_scaled(&a, deviation != NULL ? deviation[i] : sqrt(variance_of(a.x)), &terms->il1s);
		measure_mean(&a, with_pil, terms);
		measure_variance(&a, with_pil, terms);
		for (int j = i + 1; j < table->attributes; j++, number++)
		{
			SdcMomentsPair original;
			SdcMomentsPair protected;

			sdc_moments_pair(table, SDC_MOMENTS_ORIGINAL, number, i, j, &original);
			sdc_moments_pair(table, SDC_MOMENTS_PROTECTED, number, i, j, &protected);
			measure_pair(&original, &protected, table->lost[number], a.range, attribute_of(table, j).range, with_pil,
						 terms);
		}
	}
}

/* count_lost counts the lost cells. */
static uint64
count_lost(const SdcMomentsTable *table)
{
	uint64		lost = 0;

	for (int j = 0; j < table->attributes; j++)
		lost += table->cells[j].lost.n;
	return lost;
}

/*
 * fill_pil fills the probabilistic measures.  A part without terms is no part: a 0 in its place
 * would say that nothing was lost.
 */
static void
fill_pil(const Terms *terms, SdcLoss *loss)
{
	SdcLossterms parts = {.terms = 0};

	for (int part = 0; part < SDC_LOSS_PARTS; part++)
	{
		loss->pil[part] = mean_of(&terms->pil[part]);
		loss->pil_left_out += terms->pil[part].left_out;
		loss->has_part[part] = terms->pil[part].terms > 0;
		if (loss->has_part[part])
			sdc_lossterms_add(&parts, loss->pil[part], 0);
	}
	loss->pil_total = mean_of(&parts);
}

/* sdc_lossterms_measure: see lossterms.h. */
void
sdc_lossterms_measure(const SdcMomentsTable *table, bool with_pil,
					  const SdcLossterms *quantiles, const double *deviation, SdcLoss *loss)
{
	Terms		terms;
	double		total = 0;

	memset(loss, 0, sizeof(SdcLoss));
	memset(&terms, 0, sizeof(terms));
	loss->records = table->records;
	loss->attributes = table->attributes;
	loss->has_pil = with_pil;
	if (table->records == 0)
		return;

	loss->lost = count_lost(table);
	measure_all(table, with_pil, deviation, &terms);
	for (int i = 0; i < IL_MEASURES; i++)
	{
		loss->il[i] = loss_of(&terms.il[i]);
		loss->has_il[i] = terms.il[i].terms + terms.il[i].undefined > 0 || loss->lost == 0;
		loss->left_out[i] = terms.il[i].left_out;
		total += loss->il[i];
	}
	loss->total = bounded(20 * total);
	loss->il1s = loss_of(&terms.il1s);
	loss->il1s_left_out = terms.il1s.left_out;
	if (!with_pil)
		return;
	if (quantiles != NULL)
		terms.pil[SDC_LOSS_QUANTILE] = *quantiles;
	fill_pil(&terms, loss);
}
