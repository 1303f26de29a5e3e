/*-------------------------------------------------------------------------
 *
 * margins.c
 *		How far the distributions of one column in two files are apart, and what describes one.
 *
 * Hellinger's distance is half the sum of the squares of sqrt(p) - sqrt(p'), which is 1 - sum of sqrt(p p')
 * and is exactly 0 for equal shares.  Values are sorted by radix for quantiles.
 *
 * A record with a weight is that many records.
 *
 * Linear time; memory: two numbers a value, or two words a record.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <math.h>

#include "kernel/base/moments.h"
#include "kernel/base/sortkey.h"
#include "kernel/base/wordsort.h"
#include "kernel/loss/clusters.h"
#include "kernel/loss/margins.h"

/* Weights reach a share of all up to this, relatively. */
#define QUANTILE_EQUAL 1e-12

/* weight_of is the weight of a record. */
static inline double
weight_of(const double *weight, uint32 record)
{
	return weight == NULL ? 1 : weight[record];
}

/* count_values adds the records with each value to the counts, missing ones last, and returns how many there are. */
static double
count_values(const uint32 *code, const double *weight, uint32 records, uint32 codes, double *count)
{
	SdcMomentsSum all = {0, 0};

	for (uint32 i = 0; i < records; i++)
	{
		sdc_interrupts_step(i);
		count[code[i] == SDC_CODE_NULL ? codes : code[i]] += weight_of(weight, i);
		sdc_moments_add(&all, weight_of(weight, i));
	}
	return sdc_moments_total(&all);
}

/* sdc_margins_compare: see margins.h. */
void
sdc_margins_compare(const SdcMarginsFile *original, const SdcMarginsFile *released, uint32 codes, SdcMargins *result)
{
	double	   *count[2];
	double		all[2];
	uint64		values = (uint64) codes + 1;	/* a missing one too */
	double		below[2] = {0, 0};
	SdcMomentsSum sum = {0, 0};

	result->kolmogorov = result->hellinger = NAN;
	if (original->records == 0 || released->records == 0)
		return;
	count[0] = sdc_alloc_zeros(double, values + values);
	count[1] = count[0] + values;
	all[0] = count_values(original->code, original->weight, original->records, codes, count[0]);
	all[1] = count_values(released->code, released->weight, released->records, codes, count[1]);
	result->kolmogorov = 0;
	for (Size c = 0; c <= codes; c++)
	{
		double		difference = sqrt(count[0][c] / all[0]) - sqrt(count[1][c] / all[1]);

		sdc_interrupts_step(c);
		sdc_moments_add(&sum, difference * difference);
		below[0] += count[0][c];
		below[1] += count[1][c];
		result->kolmogorov = fmax(result->kolmogorov, fabs(below[0] / all[0] - below[1] / all[1]));
	}
	result->hellinger = sqrt(fmin(sdc_moments_total(&sum) / 2, 1));
	sdc_free(count[0]);
}

/* scale_of returns the exponent of the power of two about which values are, so that no square overflows or vanishes. */
static int
scale_of(const double *value, uint32 records)
{
	double		greatest = 0;
	int			exponent;

	for (uint32 i = 0; i < records; i++)
	{
		sdc_interrupts_step(i);
		if (sdc_moments_present(value[i]))
			greatest = fmax(greatest, fabs(value[i]));
	}
	(void) frexp(greatest, &exponent);
	/* 2^1000 and 2^-1000 are numbers; what is beyond them is near enough to 1 then */
	if (exponent > 1000)
		return 1000;
	return exponent < -1000 ? -1000 : exponent;
}

/* spread_error fills the standard error of the mean; scale: what deviations were divided by. */
static void
spread_error(const double *value, const double *weight, const SdcMarginsRecords *of, double unit, double mean,
			 SdcMarginsSpread *spread)
{
	SdcClusters clusters;

	sdc_clusters_start(&clusters, of->unit, of->units);
	for (uint32 i = 0; i < of->records; i++)
	{
		sdc_interrupts_step(i);
		if (sdc_moments_present(value[i]))
			sdc_clusters_add(&clusters, i, weight[i] * (value[i] * unit - mean));
	}
	spread->error = sdc_clusters_error(&clusters, spread->mass) / unit;
	sdc_clusters_end(&clusters);
}

/* sdc_margins_spread: deviations are from a rounded mean, which is made good by their sum. */
void
sdc_margins_spread(const double *value, const double *weight, const SdcMarginsRecords *of, SdcMarginsSpread *spread)
{
	SdcMomentsSum sum = {0, 0};
	SdcMomentsSum mass = {0, 0};
	SdcMomentsSum square = {0, 0};
	SdcMomentsSum rest = {0, 0};
	int			exponent = scale_of(value, of->records);
	double		unit = ldexp(1, -exponent);
	double		mean;
	double		squares;

	*spread = (SdcMarginsSpread) {0, 0, 0, NAN, NAN, NAN};
	for (uint32 i = 0; i < of->records; i++)
	{
		double		w = weight_of(weight, i);

		sdc_interrupts_step(i);
		if (!sdc_moments_present(value[i]))
			continue;
		spread->values++;
		spread->squares += w * w;
		sdc_moments_add(&mass, w);
		sdc_moments_add(&sum, w * (value[i] * unit));
	}
	if (spread->values == 0)
		return;
	spread->mass = sdc_moments_total(&mass);
	mean = sdc_moments_total(&sum) / spread->mass;
	spread->mean = ldexp(mean, exponent);
	for (uint32 i = 0; i < of->records; i++)
	{
		double		deviation = value[i] * unit - mean;

		sdc_interrupts_step(i);
		if (!sdc_moments_present(value[i]))
			continue;
		sdc_moments_add(&square, weight_of(weight, i) * deviation * deviation);
		sdc_moments_add(&rest, weight_of(weight, i) * deviation);
	}
	squares = fmax(sdc_moments_total(&square) -
				   sdc_moments_total(&rest) * sdc_moments_total(&rest) / spread->mass, 0);
	if (weight != NULL)
	{
		spread->deviation = ldexp(sqrt(squares / spread->mass), exponent);
		spread_error(value, weight, of, unit, mean, spread);
	}
	else if (spread->values > 1)
	{
		spread->deviation = ldexp(sqrt(squares / (spread->values - 1.0)), exponent);
		spread->error = spread->deviation / sqrt(spread->values);
	}
}

/* value_of is the number of a sort key. */
static inline double
value_of(uint64 key)
{
	uint64		bits = (key & SDC_SORTKEY_SIGN) ? key ^ SDC_SORTKEY_SIGN : ~key;
	double		value;

	memcpy(&value, &bits, sizeof(value));
	return value;
}

/* sdc_margins_quantiles: see margins.h. */
void
sdc_margins_quantiles(const double *value, uint32 records, const double *share, int shares,
					  double *quantile)
{
	uint64	   *key = sdc_alloc_matrix(uint64, records, 2);
	uint64	   *sorted;
	uint32		n = 0;

	for (uint32 i = 0; i < records; i++)
	{
		sdc_interrupts_step(i);
		if (sdc_moments_present(value[i]))
			key[n++] = sdc_sortkey_from_float8(value[i]);
	}
	sorted = sdc_wordsort(key, key + records, n, 0, 64);
	for (int q = 0; q < shares; q++)
	{
		double		place = n > 0 ? share[q] * (n - 1) : 0;
		uint32		low = (uint32) place;
		double		part = place - low;

		quantile[q] = n == 0 ? NAN : value_of(sorted[low]);
		if (n > 0 && part > 0)
			quantile[q] += part * (value_of(sorted[low + 1]) - value_of(sorted[low]));
	}
	sdc_free(key);
}

/* sdc_margins_weighted_quantiles: see margins.h. */
void
sdc_margins_weighted_quantiles(const SdcMarginsFile *file, const double *value, uint32 codes, const double *share,
							   int shares, double *quantile)
{
	double	   *count = sdc_alloc_zeros(double, (uint64) codes + 1);
	SdcMomentsSum all = {0, 0};
	SdcMomentsSum below = {0, 0};
	int			q = 0;

	(void) count_values(file->code, file->weight, file->records, codes, count);
	for (uint32 c = 0; c < codes; c++)
		if (sdc_moments_present(value[c]))
			sdc_moments_add(&all, count[c]);
	for (int i = 0; i < shares; i++)
		quantile[i] = NAN;
	for (uint32 c = 0; c < codes; c++)
	{
		sdc_interrupts_step(c);
		if (count[c] == 0 || !sdc_moments_present(value[c]))
			continue;
		sdc_moments_add(&below, count[c]);
		while (q < shares && sdc_moments_total(&below) >= share[q] * sdc_moments_total(&all) * (1 - QUANTILE_EQUAL))
			quantile[q++] = value[c];
	}
	sdc_free(count);
}
