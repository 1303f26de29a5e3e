/*-------------------------------------------------------------------------
 *
 * margins.c
 *		How far the distributions of one column in two files are apart, and what describes one.
 *
 * Hellinger's distance is half the sum of the squares of sqrt(p) - sqrt(p'), which is 1 - sum of sqrt(p p')
 * and is exactly 0 for equal shares.
 *
 * A record with a weight is that many records.
 *
 * Linear time; memory: a number a value and file.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <math.h>

#include "kernel/base/moments.h"
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

/* sdc_margins_end: see margins.h. */
void
sdc_margins_end(SdcMarginsFile *file)
{
	if (file->count != NULL)
		sdc_free(file->count);
	file->count = NULL;
	file->room = 0;
}

/* sdc_margins_count: see margins.h. */
void
sdc_margins_count(SdcMarginsFile *file, uint32 codes)
{
	SdcMomentsSum mass = {0, 0};
	uint64		values = (uint64) codes + 1;	/* a missing one too */

	if (file->room < values)
	{
		sdc_margins_end(file);
		file->count = sdc_alloc_array(double, values);
		file->room = values;
	}
	memset(file->count, 0, values * sizeof(double));
	for (uint32 i = 0; i < file->records; i++)
	{
		double		one = weight_of(file->weight, i);

		sdc_interrupts_step(i);
		file->count[file->code[i] == SDC_CODE_NULL ? codes : file->code[i]] += one;
		sdc_moments_add(&mass, one);
	}
	file->mass = sdc_moments_total(&mass);
}

/* sdc_margins_compare: see margins.h. */
void
sdc_margins_compare(const SdcMarginsFile *original, const SdcMarginsFile *released, uint32 codes, SdcMargins *result)
{
	double		below[2] = {0, 0};
	SdcMomentsSum sum = {0, 0};

	result->kolmogorov = result->hellinger = NAN;
	if (original->records == 0 || released->records == 0)
		return;
	result->kolmogorov = 0;
	for (Size c = 0; c <= codes; c++)
	{
		double		difference = sqrt(original->count[c] / original->mass) - sqrt(released->count[c] / released->mass);

		sdc_interrupts_step(c);
		sdc_moments_add(&sum, difference * difference);
		below[0] += original->count[c];
		below[1] += released->count[c];
		result->kolmogorov = fmax(result->kolmogorov, fabs(below[0] / original->mass - below[1] / released->mass));
	}
	result->hellinger = sqrt(fmin(sdc_moments_total(&sum) / 2, 1));
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

/* plain_quantiles writes the quantiles of a file without weights: between two neighbours in proportion. */
static void
plain_quantiles(const SdcMarginsFile *file, const double *value, uint32 codes, const double *share, int shares,
				double *quantile)
{
	double		values = 0;
	double		passed = 0;
	double		last = NAN;
	int			q = 0;

	for (uint32 c = 0; c < codes; c++)
		if (sdc_moments_present(value[c]))
			values += file->count[c];
	for (uint32 c = 0; c < codes && q < shares; c++)
	{
		sdc_interrupts_step(c);
		if (file->count[c] == 0 || !sdc_moments_present(value[c]))
			continue;
		for (; q < shares; q++)
		{
			double		place = share[q] * (values - 1);
			double		low = floor(place);
			double		part = place - low;

			/* where both neighbours are known */
			if (low + (part > 0) >= passed + file->count[c])
				break;
			quantile[q] = low < passed ? last : value[c];
			if (part > 0)
				quantile[q] += part * (value[c] - quantile[q]);
		}
		passed += file->count[c];
		last = value[c];
	}
}

/* weighted_quantiles writes those of a file with weights. */
static void
weighted_quantiles(const SdcMarginsFile *file, const double *value, uint32 codes, const double *share, int shares,
				   double *quantile)
{
	SdcMomentsSum all = {0, 0};
	SdcMomentsSum below = {0, 0};
	int			q = 0;

	for (uint32 c = 0; c < codes; c++)
		if (sdc_moments_present(value[c]))
			sdc_moments_add(&all, file->count[c]);
	for (uint32 c = 0; c < codes; c++)
	{
		sdc_interrupts_step(c);
		if (file->count[c] == 0 || !sdc_moments_present(value[c]))
			continue;
		sdc_moments_add(&below, file->count[c]);
		while (q < shares && sdc_moments_total(&below) >= share[q] * sdc_moments_total(&all) * (1 - QUANTILE_EQUAL))
			quantile[q++] = value[c];
	}
}

/* sdc_margins_quantiles: see margins.h. */
void
sdc_margins_quantiles(const SdcMarginsFile *file, const double *value, uint32 codes, const double *share, int shares,
					  double *quantile)
{
	for (int q = 0; q < shares; q++)
		quantile[q] = NAN;
	(file->weight == NULL ? plain_quantiles : weighted_quantiles) (file, value, codes, share, shares, quantile);
}
