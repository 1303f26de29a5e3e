/*-------------------------------------------------------------------------
 *
 * entropy.c
 *		Entropy of attributes, and the probabilistic anonymity that follows from it.
 *
 * W. Yang and S. Qiao, "A novel anonymization algorithm: privacy protection and knowledge
 * preservation", Expert Systems with Applications 37 (2010): probabilistic anonymity is equation
 * (1), the probabilities that make it largest are proposition 7.  Natural logarithms.
 *
 * The terms -P ln P are added in the order of the counts, with compensation, and equal counts
 * together: the sum does not depend on the order that the counts came in.  A count of more than half
 * of all has its logarithm from ln(1 + x): ln P near P = 1 would keep little of the difference.
 *
 * One record of n moves an entropy by (1 + ln n) / n at most, as it moves two counts by one, and c ln c by 1 + ln
 * n.  So the logarithm of p / (1 - p) moves by twice that.  Records other than the first one of a value move it by much
 * less.
 *
 * Time: linear, by radix; one logarithm for each distinct count.  Memory: two words a value.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <math.h>

#include "kernel/base/grain.h"
#include "kernel/base/moments.h"
#include "kernel/base/wordsort.h"
#include "kernel/groups/entropy.h"

/* entropy_term is -P ln P of a count of at least 1. */
static double
entropy_term(uint64 count, uint64 total)
{
	double		share = (double) count / (double) total;

	if (count > total / 2)
		return -share * log1p(-((double) (total - count) / (double) total));
	return -share * log(share);
}

/* add_terms adds the terms of sorted counts. */
static double
add_terms(const uint64 *count, uint64 values, uint64 total)
{
	SdcMomentsSum sum = {0, 0};

	for (uint64 i = 0, end; i < values; i = end)
	{
		uint32		steps = 0;

		for (end = i + 1; end < values && count[end] == count[i]; end++)
			sdc_interrupts_step(++steps);
		sdc_interrupts_step(i);
		sdc_moments_add(&sum, (double) (end - i) * entropy_term(count[i], total));
	}
	return sdc_moments_total(&sum);
}

/* sdc_entropy_of_counts: see entropy.h. */
double
sdc_entropy_of_counts(const uint64 *count, uint64 values)
{
	uint64	   *copy;
	uint64		kept = 0;
	uint64		total = 0;
	uint64		any = 0;
	double		entropy = 0;

	if (values < 2)
		return 0;
	copy = sdc_alloc_matrix(uint64, 2, values);
	for (uint64 i = 0; i < values; i++)
	{
		sdc_interrupts_step(i);
		if (count[i] == 0)
			continue;
		copy[kept++] = count[i];
		total += count[i];
		any |= count[i];
	}
	if (kept > 1)
		entropy = add_terms(sdc_wordsort(copy, copy + values, kept, 0, sdc_wordsort_width(any)),
							kept, total);
	sdc_free(copy);
	return entropy;
}

/* sdc_entropy_of_tally: see entropy.h. */
double
sdc_entropy_of_tally(const uint64 *count, const uint64 *values, uint64 counts)
{
	SdcMomentsSum sum = {0, 0};
	uint64		total = 0;

	if (counts == 0 || (counts == 1 && values[0] == 1))
		return 0;
	for (uint64 i = 0; i < counts; i++)
	{
		sdc_interrupts_step(i);
		SDC_ASSERT(i == 0 || count[i - 1] < count[i]);
		total += count[i] * values[i];
	}
	for (uint64 i = 0; i < counts; i++)
	{
		sdc_interrupts_step(i);
		sdc_moments_add(&sum, (double) values[i] * entropy_term(count[i], total));
	}
	return sdc_moments_total(&sum);
}

/* sdc_entropy_optimal takes the largest entropy out of the exponents, so that none overflows. */
void
sdc_entropy_optimal(const double *entropy, int attributes, double *probability)
{
	SdcMomentsSum sum = {0, 0};
	double		largest = 0;

	for (int i = 0; i < attributes; i++)
		largest = fmax(largest, entropy[i]);
	for (int i = 0; i < attributes; i++)
	{
		probability[i] = exp(entropy[i] - largest);
		sdc_moments_add(&sum, probability[i]);
	}
	for (int i = 0; i < attributes; i++)
		probability[i] /= sdc_moments_total(&sum);
}

/* sdc_entropy_coarse: what rounding down has taken goes to those that have lost most. */
double
sdc_entropy_coarse(const double *probability, int attributes, uint64 records, double *coarse)
{
	double		move = records == 0 ? INFINITY : expm1(2 * (1 + log((double) records)) / (double) records);
	double		greatest = 0;
	double		step;
	double		units;
	double		left;

	for (int i = 0; i < attributes; i++)
		greatest = fmax(greatest, probability[i] * (1 - probability[i]));
	if (greatest * move > SDC_FIGURE_COARSEST)
		return INFINITY;
	step = sdc_grain_ladder(fmax(greatest * move, SDC_FIGURE_FINEST));
	left = units = round(1 / step);
	for (int i = 0; i < attributes; i++)
	{
		coarse[i] = floor(probability[i] * units);
		left -= coarse[i];
	}
	for (; left > 0.5; left--)
	{
		int			most = 0;

		for (int i = 1; i < attributes; i++)
			if (probability[i] * units - coarse[i] > probability[most] * units - coarse[most])
				most = i;
		coarse[most]++;
	}
	for (int i = 0; i < attributes; i++)
		coarse[i] /= units;
	return step;
}

/* sdc_entropy_anonymity: see entropy.h. */
double
sdc_entropy_anonymity(const double *entropy, const double *probability, int attributes)
{
	SdcMomentsSum sum = {0, 0};

	for (int i = 0; i < attributes; i++)
		if (probability[i] > 0)
			sdc_moments_add(&sum, probability[i] * (entropy[i] - log(probability[i])));
	return exp(sdc_moments_total(&sum));
}

/* sdc_entropy_anonymity_drawn: see entropy.h. */
double
sdc_entropy_anonymity_drawn(const double *entropy, int attributes, int draws)
{
	SdcMomentsSum sum = {0, 0};

	for (int i = 0; i < attributes; i++)
		sdc_moments_add(&sum, entropy[i] * draws / attributes);
	for (int i = 0; i < draws; i++)
		sdc_moments_add(&sum, log((double) (attributes - i) / (i + 1)));
	return exp(sdc_moments_total(&sum));
}
