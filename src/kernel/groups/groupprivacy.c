/*-------------------------------------------------------------------------
 *
 * groupprivacy.c
 *		What groups of records keep to themselves about a sensitive value: the worst group counts.
 *
 * t: N. Li, T. Li and S. Venkatasubramanian, "t-closeness", ICDE 2007, by the equal and by the ordered
 * distance.  beta: J. Cao and P. Karras, "Publishing microdata with a robust privacy guarantee", PVLDB 5
 * (2012).  delta: J. Brickell and V. Shmatikov, "The cost of privacy", KDD 2008, in natural logarithms.
 * alpha: R. Wong, J. Li, A. Fu and K. Wang, "(alpha, k)-anonymity", KDD 2006.  c: recursive (c,
 * l)-diversity of A. Machanavajjhala and others, "l-diversity", ICDE 2006; it holds for every c above this
 * one.
 *
 * A group of size g has r records with a value that has R in the file of n: q - P = (r n - R g) / (g n), a
 * whole number below 2^64 over another.  t is the sum of those that are above 0, exact until the division:
 * values that the group lacks need no look, and one group has exactly 0.
 *
 * The ordered distance adds |r(s) n - R(s) g| over the values s but the last, r(s) and R(s) being counts up
 * to s. Between two values of the group r(s) stays and R(s) rises: it is below for some values, then above,
 * bisection finds where, and sums of R(s) tell the rest.  So a group costs O(its values log values) here
 * too.
 *
 * Records are sorted by radix, by value to number the values, and by group and value.  Time O(records log
 * values).  Memory: 72 bytes a record.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <math.h>

#include "kernel/base/moments.h"
#include "kernel/base/wordsort.h"
#include "kernel/groups/entropy.h"
#include "kernel/groups/groupprivacy.h"

/* The file. */
typedef struct Margin
{
	uint64		records;
	uint32		values;
	uint32	   *total;			/* records with each value */
	uint64	   *below;			/* below[s]: records with values before s; values + 1 */
	uint64	   *sum;			/* sum[s]: of below[1 .. s]; values + 1 */
	uint64	   *sorted;			/* work space for the counts of a group, and as much again */
} Margin;

/* One group: words of its values, ascending, equal ones together. */
typedef struct Group
{
	const uint64 *word;
	uint64		size;
} Group;

/* sdc_groupprivacy_memory: words and their copy, sums, counts, and a sort of the counts. */
uint64
sdc_groupprivacy_memory(uint32 records)
{
	/* entropy sorts a copy of the counts of one group */
	return ((uint64) records + 1) * (8 * sizeof(uint64) + 2 * sizeof(uint32));
}

/* number_values writes the number of each record's value, counts the values and adds them up. */
static void
number_values(const uint32 *code, uint32 records, uint64 *word, uint64 *spare, uint32 *number,
			  Margin *margin)
{
	uint64	   *sorted;

	for (uint32 i = 0; i < records; i++)
	{
		sdc_interrupts_step(i);
		word[i] = (uint64) code[i] << 32 | i;
	}
	sorted = sdc_wordsort(word, spare, records, 32, 32);
	margin->records = records;
	margin->values = 0;
	for (uint32 i = 0; i < records; i++)
	{
		sdc_interrupts_step(i);
		if (i == 0 || sorted[i] >> 32 != sorted[i - 1] >> 32)
			margin->total[margin->values++] = 0;
		margin->total[margin->values - 1]++;
		number[(uint32) sorted[i]] = margin->values - 1;
	}
	margin->below[0] = 0;
	margin->sum[0] = 0;
	for (uint32 s = 0; s < margin->values; s++)
	{
		sdc_interrupts_step(s);
		margin->below[s + 1] = margin->below[s] + margin->total[s];
		margin->sum[s + 1] = margin->sum[s] + margin->below[s + 1];
	}
}

/* run_length is the length of the run of equal words that begins a group's part. */
static inline uint64
run_length(const Group *group, uint64 start)
{
	uint64		end = start;

	do
	{
		sdc_interrupts_step(end);
		end++;
	} while (end < group->size && group->word[end] == group->word[start]);
	return end - start;
}

/*
 * add_between adds |count n - R(s) g| over the values first .. last - 1 of the file, the group having count
 * records up to each of them.
 */
static void
add_between(const Margin *margin, uint64 size, uint64 count, uint32 first, uint32 last,
			SdcMomentsSum *sum)
{
	uint64		level = count * margin->records;
	uint32		low = first;
	uint32		high = last;

	if (first >= last)
		return;
	/* the first value for which R(s) g is above */
	while (low < high)
	{
		uint32		middle = low + (high - low) / 2;

		if (margin->below[middle + 1] * size <= level)
			low = middle + 1;
		else
			high = middle;
	}
	if (last - first == 1)
	{
		uint64		product = margin->below[last] * size;

		sdc_moments_add(sum, (double) (level > product ? level - product : product - level));
		return;
	}
	/* each product is rounded once: it is far from cancelling, and compensated */
	sdc_moments_add(sum, (double) level * (low - first));
	sdc_moments_add(sum, -(double) size * (double) (margin->sum[low] - margin->sum[first]));
	sdc_moments_add(sum, (double) size * (double) (margin->sum[last] - margin->sum[low]));
	sdc_moments_add(sum, -(double) level * (last - low));
}

/* ordered_distance is the distance of a group by the order of the values. */
static double
ordered_distance(const Margin *margin, const Group *group)
{
	SdcMomentsSum sum = {0, 0};
	uint32		next = 0;		/* the first value that is not added yet */
	uint64		count = 0;

	if (margin->values < 2)
		return 0;
	for (uint64 i = 0, length; i < group->size; i += length)
	{
		uint32		value = (uint32) group->word[i];

		length = run_length(group, i);
		add_between(margin, group->size, count, next, value, &sum);
		next = value;
		count += length;
	}
	add_between(margin, group->size, count, next, margin->values - 1, &sum);
	return sdc_moments_total(&sum) / ((double) group->size * (double) margin->records) /
		(margin->values - 1);
}

/* compare_values compares the shares of the values of a group with those in the file. */
static void
compare_values(const Margin *margin, const Group *group, uint64 *count, uint64 *values,
			   SdcGroupPrivacy *result)
{
	uint64		above = 0;		/* never more than size records */

	*values = 0;
	for (uint64 i = 0, length; i < group->size; i += length)
	{
		uint64		total = margin->total[(uint32) group->word[i]];
		uint64		expected = total * group->size;
		uint64		observed;

		length = run_length(group, i);
		observed = length * margin->records;
		count[(*values)++] = length;
		result->delta = fmax(result->delta, fabs(log((double) observed / (double) expected)));
		result->alpha = fmax(result->alpha, (double) length / (double) group->size);
		if (observed > expected)
		{
			double		gain = (double) (observed - expected) / (double) expected;

			above += observed - expected;
			result->beta = fmax(result->beta, gain);
			if (gain > -log((double) total / (double) margin->records))
				result->enhanced = false;
		}
	}
	result->t = fmax(result->t, (double) above / (double) (group->size * margin->records));
}

/* recursive_ratio is r_1 / (r_l + ... + r_m) of a group that has l values. */
static double
recursive_ratio(uint64 *count, uint64 *spare, uint64 values, uint64 size, uint32 l)
{
	const uint64 *sorted = sdc_wordsort(count, spare, values, 0, sdc_wordsort_width(size));
	uint64		rest = size;

	for (uint32 i = 1; i < l; i++)
	{
		sdc_interrupts_step(i);
		rest -= sorted[values - i];
	}
	return (double) sorted[values - 1] / (double) rest;
}

/* measure_group lets a group be the worst. */
static void
measure_group(const Margin *margin, const Group *group, uint32 l, SdcGroupPrivacy *result)
{
	uint64	   *count = margin->sorted;
	uint64		values;
	double		entropy;

	compare_values(margin, group, count, &values, result);
	entropy = exp(sdc_entropy_of_counts(count, values));
	if (result->groups == 0 || group->size < result->k)
		result->k = (uint32) group->size;
	if (result->groups == 0 || values < result->distinct_l)
		result->distinct_l = (uint32) values;
	if (result->groups == 0 || entropy < result->entropy_l)
		result->entropy_l = entropy;
	result->t_ordered = fmax(result->t_ordered, ordered_distance(margin, group));
	result->absent += values < margin->values;
	if (values < l)
		result->has_c = false;
	else
		result->c = fmax(result->c, recursive_ratio(count, count + margin->records, values,
													group->size, l));
	result->groups++;
}

/* measure_groups goes through the groups, whose words are sorted by group and value. */
static void
measure_groups(uint64 *word, const Margin *margin, uint32 l, SdcGroupPrivacy *result)
{
	for (uint64 start = 0, end; start < margin->records; start = end)
	{
		uint64		number = word[start] >> 32;
		Group		group;

		for (end = start; end < margin->records && word[end] >> 32 == number; end++)
		{
			sdc_interrupts_step(end);
			word[end] = (uint32) word[end];
		}
		group.word = word + start;
		group.size = end - start;
		measure_group(margin, &group, l, result);
	}
}

/* sdc_groupprivacy_measure: see groupprivacy.h. */
void
sdc_groupprivacy_measure(const uint32 *group, const uint32 *code, uint32 records, uint32 l,
						 SdcGroupPrivacy *result)
{
	uint64	   *word = sdc_alloc_matrix(uint64, 2, records);
	uint64	   *spare = word + records;
	uint32	   *number = sdc_alloc_array(uint32, records);
	uint64	   *sorted;
	Margin		margin;

	SDC_ASSERT(l > 0);
	memset(result, 0, sizeof(*result));
	result->enhanced = true;
	result->has_c = records > 0;
	margin.total = sdc_alloc_array(uint32, records);
	margin.below = sdc_alloc_matrix(uint64, 2, (uint64) records + 1);
	margin.sum = margin.below + records + 1;
	margin.sorted = sdc_alloc_matrix(uint64, 2, records);
	number_values(code, records, word, spare, number, &margin);
	result->values = margin.values;
	for (uint32 i = 0; i < records; i++)
	{
		sdc_interrupts_step(i);
		word[i] = (uint64) group[i] << 32 | number[i];
	}
	sorted = sdc_wordsort(word, spare, records, 0, sdc_wordsort_width(margin.values));
	sorted = sdc_wordsort(sorted, sorted == word ? spare : word, records, 32, 32);
	measure_groups(sorted, &margin, l, result);
	if (!result->has_c)
		result->c = 0;
	sdc_free(margin.sorted);
	sdc_free(margin.below);
	sdc_free(margin.total);
	sdc_free(number);
	sdc_free(word);
}
