/*-------------------------------------------------------------------------
 *
 * margins.c
 *		How far the distributions of one column in two files are apart, and what describes one.
 *
 * Hellinger's distance is half the sum of the squares of sqrt(p) - sqrt(p'), which is 1 - sum of sqrt(p p')
 * and is exactly 0 for equal shares.  Values are sorted by radix for quantiles.
 *
 * Linear time; memory: two counts a value, or two words a record.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <math.h>

#include "kernel/base/moments.h"
#include "kernel/base/sortkey.h"
#include "kernel/base/wordsort.h"
#include "kernel/loss/margins.h"

/* count_values adds the records with each value to the counts, missing ones last. */
static void
count_values(const uint32 *code, uint32 records, uint32 codes, uint32 *count)
{
	for (uint32 i = 0; i < records; i++)
	{
		sdc_interrupts_step(i);
		count[code[i] == SDC_CODE_NULL ? codes : code[i]]++;
	}
}

/* sdc_margins_compare: see margins.h. */
void
sdc_margins_compare(const uint32 *original, uint32 originals, const uint32 *released,
					uint32 releases, uint32 codes, SdcMargins *result)
{
	uint32	   *count[2];
	uint64		values = (uint64) codes + 1;	/* a missing one too */
	uint64		below[2] = {0, 0};
	SdcMomentsSum sum = {0, 0};

	result->kolmogorov = result->hellinger = NAN;
	if (originals == 0 || releases == 0)
		return;
	count[0] = sdc_alloc_zeros(uint32, values + values);
	count[1] = count[0] + values;
	count_values(original, originals, codes, count[0]);
	count_values(released, releases, codes, count[1]);
	result->kolmogorov = 0;
	for (Size c = 0; c <= codes; c++)
	{
		double		difference = sqrt((double) count[0][c] / originals) -
			sqrt((double) count[1][c] / releases);

		sdc_interrupts_step(c);
		sdc_moments_add(&sum, difference * difference);
		below[0] += count[0][c];
		below[1] += count[1][c];
		result->kolmogorov = fmax(result->kolmogorov, fabs((double) below[0] / originals -
														   (double) below[1] / releases));
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

/* sdc_margins_spread: deviations are from a rounded mean, which is made good by their sum. */
void
sdc_margins_spread(const double *value, uint32 records, SdcMarginsSpread *spread)
{
	SdcMomentsSum sum = {0, 0};
	SdcMomentsSum square = {0, 0};
	SdcMomentsSum rest = {0, 0};
	int			exponent = scale_of(value, records);
	double		unit = ldexp(1, -exponent);
	double		mean;

	*spread = (SdcMarginsSpread) {0, NAN, NAN};
	for (uint32 i = 0; i < records; i++)
	{
		sdc_interrupts_step(i);
		if (!sdc_moments_present(value[i]))
			continue;
		spread->values++;
		sdc_moments_add(&sum, value[i] * unit);
	}
	if (spread->values == 0)
		return;
	mean = sdc_moments_total(&sum) / spread->values;
	spread->mean = ldexp(mean, exponent);
	for (uint32 i = 0; i < records; i++)
	{
		double		deviation = value[i] * unit - mean;

		sdc_interrupts_step(i);
		if (!sdc_moments_present(value[i]))
			continue;
		sdc_moments_add(&square, deviation * deviation);
		sdc_moments_add(&rest, deviation);
	}
	if (spread->values > 1)
		spread->deviation = ldexp(sqrt(fmax(sdc_moments_total(&square) - sdc_moments_total(&rest) *
											sdc_moments_total(&rest) / spread->values, 0) /
									   (spread->values - 1.0)), exponent);
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
