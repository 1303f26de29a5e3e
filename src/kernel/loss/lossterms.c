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
 * O(attributes^2); determined by the table.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/loss/lossterms.h"

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

/* The means that are being made. */
typedef struct Terms
{
	SdcLossterms il[IL_MEASURES];
	SdcLossterms il1s;
	SdcLossterms pil[SDC_LOSS_PARTS];
} Terms;

/* sdc_lossterms_add: see lossterms.h. */
void
sdc_lossterms_add(SdcLossterms *terms, double term)
{
	if (!(fabs(term) <= DBL_MAX))
	{
		terms->left_out++;
		return;
	}
	sdc_moments_add(&terms->sum, term);
	terms->terms++;
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
	return bounded(sdc_moments_total(&terms->sum) / (double) terms->terms);
}

/* sdc_lossterms_add_pil: 2 P(0 <= Z <= z) is the error function of z / sqrt(2). */
void
sdc_lossterms_add_pil(SdcLossterms *terms, double standard_errors)
{
	sdc_lossterms_add(terms, 100 * erf(standard_errors / sqrt(2.0)));
}

/*
 * add_pil_change adds the term of a statistic that changed by a difference, with a
 * sampling variance.  A statistic without one is either kept, or has no term.
 */
static void
add_pil_change(SdcLossterms *terms, double difference, double variance, double scale)
{
	if (!sdc_moments_present(variance))
		terms->left_out++;
	else if (variance > 0)
		sdc_lossterms_add_pil(terms, fabs(difference) / sqrt(variance));
	else if (fabs(difference) <= NOISE * fabs(scale))
		sdc_lossterms_add_pil(terms, 0);
	else
		terms->left_out++;
}

/* above_noise is a difference of sums of a given size, 0 if that is all it tells. */
static inline double
above_noise(double difference, double size)
{
	return difference <= NOISE * size ? 0 : difference;
}

/* variance_of is the variance of a sample: NaN for less than two values. */
static inline double
variance_of(const SdcMoments *moments)
{
	return moments->n < 2 ? NAN : moments->m2 / (double) (moments->n - 1);
}

/* covariance_of is the covariance of a pair, as above. */
static inline double
covariance_of(const SdcMomentsPair *pair)
{
	return pair->x->n < 2 ? NAN : pair->cross[SDC_MOMENTS_11] / (double) (pair->x->n - 1);
}

/* size_of is the square root of the product of both sums of squares: it may overflow later. */
static inline double
size_of(const SdcMomentsPair *pair)
{
	return sqrt(pair->x->m2) * sqrt(pair->y->m2);
}

/* correlation_of is the correlation of a pair: NaN if one of them does not vary. */
static double
correlation_of(const SdcMomentsPair *pair)
{
	double		correlation = pair->cross[SDC_MOMENTS_11] / size_of(pair);

	if (!(pair->x->m2 > 0 && pair->x->m2 <= DBL_MAX) ||
		!(pair->y->m2 > 0 && pair->y->m2 <= DBL_MAX))
		return NAN;
	return correlation > 1 ? 1 : correlation < -1 ? -1 : correlation;
}

/* relative_change is |to - from| / |from|, NaN where the latter is 0 on its scale. */
static inline double
relative_change(double from, double difference, double scale)
{
	return fabs(from) > NOISE * scale ? fabs(difference) / fabs(from) : NAN;
}

/* measure_mean adds the terms of one attribute's mean. */
static void
measure_mean(const SdcMoments *x, const SdcMoments *y, bool with_pil, Terms *terms)
{
	double		mean = sdc_moments_mean(x).high;
	double		difference = sdc_moments_distance(x, y);
	double		n = (double) x->n;

	if (x->n == 0 || y->n == 0)
		difference = NAN;		/* no mean: no term */
	sdc_lossterms_add(&terms->il[IL_MEANS],
					  relative_change(mean, difference, sqrt(x->m2 / n)));
	if (with_pil)
		add_pil_change(&terms->pil[SDC_LOSS_MEAN], difference, x->m2 / n / n, mean);
}

/* measure_variance adds the terms of one attribute's variance, the diagonal of IL3 too. */
static void
measure_variance(const SdcMoments *x, const SdcMoments *y, bool with_pil, Terms *terms)
{
	double		variance = variance_of(x);
	double		difference = variance_of(y) - variance;
	double		n = (double) x->n;
	double		square = x->m2 / n * (x->m2 / n);

	sdc_lossterms_add(&terms->il[IL_VARIANCES], relative_change(variance, difference, 0));
	sdc_lossterms_add(&terms->il[IL_COVARIANCES], relative_change(variance, difference, 0));
	if (with_pil)
		add_pil_change(&terms->pil[SDC_LOSS_VARIANCE], difference,
					   above_noise(x->m4 / n - square, x->m4 / n) / n, variance);
}

/* measure_cells adds the terms of one attribute's cells. */
static void
measure_cells(const SdcMomentsCells *cells, const SdcMoments *x, Terms *terms)
{
	SdcLossterms *relative = &terms->il[IL_CELLS];
	double		deviation = sqrt(variance_of(x));

	sdc_moments_add(&relative->sum, cells->relative.sum);
	relative->sum.carry += cells->relative.carry;
	relative->terms += cells->relatives;
	relative->left_out += cells->cells - cells->relatives;

	if (deviation > 0 && deviation <= DBL_MAX)
	{
		sdc_moments_add(&terms->il1s.sum,
						sdc_moments_total(&cells->absolute) / (sqrt(2.0) * deviation));
		terms->il1s.terms += cells->absolutes;
		terms->il1s.left_out += cells->cells - cells->absolutes;
	}
	else
		terms->il1s.left_out += cells->cells;
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

/* measure_pair adds the terms of a pair: x of the original file, y of the protected one. */
static void
measure_pair(const SdcMomentsPair *x, const SdcMomentsPair *y, bool with_pil, Terms *terms)
{
	double		n = (double) x->x->n;
	double		covariance = covariance_of(x);
	double		difference = covariance_of(y) - covariance;
	double		scale = sqrt(variance_of(x->x)) * sqrt(variance_of(x->y));
	double		r = correlation_of(x);
	double		r_difference = correlation_of(y) - r;
	double		mu11 = x->cross[SDC_MOMENTS_11] / n;
	double		mu22;

	sdc_lossterms_add(&terms->il[IL_COVARIANCES], relative_change(covariance, difference, scale));
	sdc_lossterms_add(&terms->il[IL_CORRELATIONS], fabs(r_difference));
	if (!with_pil)
		return;
	mu22 = x->cross[SDC_MOMENTS_22] / n;
	add_pil_change(&terms->pil[SDC_LOSS_COVARIANCE], difference,
				   above_noise(mu22 - mu11 * mu11, mu22) / n, scale);
	add_pil_change(&terms->pil[SDC_LOSS_CORRELATION], r_difference,
				   correlation_variance(x, r) / n, 1);
}

/* measure_all goes over attributes and pairs. */
static void
measure_all(const SdcMomentsTable *table, bool with_pil, Terms *terms)
{
	Size		number = 0;

	for (int i = 0; i < table->attributes; i++)
	{
		const SdcMoments *x = &table->attribute[SDC_MOMENTS_ORIGINAL][i];
		const SdcMoments *y = &table->attribute[SDC_MOMENTS_PROTECTED][i];

		SDC_CHECK_INTERRUPTS();
		measure_cells(&table->cells[i], x, terms);
		measure_mean(x, y, with_pil, terms);
		measure_variance(x, y, with_pil, terms);
		for (int j = i + 1; j < table->attributes; j++, number++)
		{
			SdcMomentsPair original;
			SdcMomentsPair protected;

			sdc_moments_pair(table, SDC_MOMENTS_ORIGINAL, number, i, j, &original);
			sdc_moments_pair(table, SDC_MOMENTS_PROTECTED, number, i, j, &protected);
			measure_pair(&original, &protected, with_pil, terms);
		}
	}
}

/*
 * fill_pil fills the probabilistic measures.  A part without terms is no part: a 0 in its place
 * would say that nothing was lost.
 */
static void
fill_pil(const Terms *terms, SdcLoss *loss)
{
	SdcLossterms parts = {{0, 0}, 0, 0};

	for (int part = 0; part < SDC_LOSS_PARTS; part++)
	{
		loss->pil[part] = mean_of(&terms->pil[part]);
		loss->pil_left_out += terms->pil[part].left_out;
		loss->has_part[part] = terms->pil[part].terms > 0;
		if (loss->has_part[part])
			sdc_lossterms_add(&parts, loss->pil[part]);
	}
	loss->pil_total = mean_of(&parts);
}

/* sdc_lossterms_measure: see lossterms.h. */
void
sdc_lossterms_measure(const SdcMomentsTable *table, bool with_pil,
					  const SdcLossterms *quantiles, SdcLoss *loss)
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

	measure_all(table, with_pil, &terms);
	for (int i = 0; i < IL_MEASURES; i++)
	{
		loss->il[i] = mean_of(&terms.il[i]);
		loss->left_out[i] = terms.il[i].left_out;
		total += loss->il[i];
	}
	loss->total = bounded(20 * total);
	loss->il1s = mean_of(&terms.il1s);
	loss->il1s_left_out = terms.il1s.left_out;
	if (!with_pil)
		return;
	if (quantiles != NULL)
		terms.pil[SDC_LOSS_QUANTILE] = *quantiles;
	fill_pil(&terms, loss);
}
