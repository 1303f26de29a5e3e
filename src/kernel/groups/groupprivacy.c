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
 * Cells are sorted by counting, by value and then by group.  Time O(groups + codes + cells log codes).
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <math.h>

#include "kernel/base/codesort.h"
#include "kernel/base/moments.h"
#include "kernel/base/ordered.h"
#include "kernel/base/wordsort.h"
#include "kernel/groups/entropy.h"
#include "kernel/groups/groupprivacy.h"

/* The file. */
typedef struct Margin
{
	const SdcGroupPrivacyTask *task;
	uint64		records;
	uint32		values;
	uint32	   *number;			/* of the value of each code, the missing one being the last */
	uint64	   *total;			/* records with each value */
	uint64	   *below;			/* below[s]: records with values before s; values + 1 */
	uint64	   *sum;			/* sum[s]: of below[1 .. s]; values + 1 */
	uint64	   *count;			/* work space for the counts of a group, */
	uint64	   *spare;			/* and as much again */
	uint32		credit;			/* until the next look for a cancel */
} Margin;

/* One group: its cells, by ascending values. */
typedef struct Group
{
	const uint32 *cell;
	uint32		cells;
	uint64		size;			/* records */
} Group;

/* most_values is how many values a group has at most. */
static inline uint64
most_values(uint32 cells, uint32 codes)
{
	return cells <= codes ? cells : (uint64) codes + 1;
}

/* records_of is the number of records of a cell. */
static inline uint64
records_of(const SdcGroupPrivacyTask *task, uint32 cell)
{
	return task->count != NULL ? task->count[cell] : 1;
}

/* value_of is the number of the value of a cell. */
static inline uint32
value_of(const Margin *margin, uint32 cell)
{
	uint32		code = margin->task->code[cell];

	return margin->number[code == SDC_CODE_NULL ? margin->task->codes : code];
}

/* count_values counts and numbers the values, and adds them up. */
static void
count_values(const SdcGroupPrivacyTask *task, Margin *margin)
{
	uint64	   *count = margin->below;	/* by code */

	memset(count, 0, ((Size) task->codes + 2) * sizeof(uint64));
	for (uint32 i = 0; i < task->cells; i++)
	{
		uint32		code = task->code[i];

		sdc_interrupts_step(i);
		count[code == SDC_CODE_NULL ? task->codes : code] += records_of(task, i);
	}
	margin->records = 0;
	margin->values = 0;
	for (uint64 code = 0; code <= task->codes; code++)
	{
		sdc_interrupts_step(code);
		margin->number[code] = margin->values;
		margin->total[margin->values] = count[code];
		margin->records += count[code];
		margin->values += count[code] > 0;
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

/* order_cells sorts the cells by group, and those of a group by value; it returns where they are. */
static uint32 *
order_cells(const SdcGroupPrivacyTask *task, uint32 *order, uint32 *spare, uint32 *credit)
{
	uint32		most = task->groups > task->codes ? task->groups : task->codes;
	uint32	   *start = sdc_alloc_array(uint32, (uint64) most + 1);
	SdcCodesort by_code = {task->code, 1, task->codes, NULL};
	SdcCodesort by_group = {task->group, 1, task->groups, NULL};

	sdc_codesort_pass(&by_code, NULL, spare, task->cells, start, credit);
	sdc_codesort_pass(&by_group, spare, order, task->cells, start, credit);
	sdc_free(start);
	return order;
}

/* next_value is the number of records of the cells from start on that have the same value; *end is behind them. */
static inline uint64
next_value(Margin *margin, const Group *group, uint32 start, uint32 *end)
{
	uint32		value = value_of(margin, group->cell[start]);
	uint64		records = 0;
	uint32		i = start;

	do
	{
		sdc_interrupts_spend(&margin->credit, 1);
		records += records_of(margin->task, group->cell[i++]);
	} while (i < group->cells && value_of(margin, group->cell[i]) == value);
	*end = i;
	return records;
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
	SDC_BISECT(low, high, middle, margin->below[middle + 1] * size <= level);
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
ordered_distance(Margin *margin, const Group *group)
{
	SdcMomentsSum sum = {0, 0};
	uint32		next = 0;		/* the first value that is not added yet */
	uint64		count = 0;

	if (margin->values < 2)
		return 0;
	for (uint32 i = 0, end; i < group->cells; i = end)
	{
		uint32		value = value_of(margin, group->cell[i]);
		uint64		records = next_value(margin, group, i, &end);

		add_between(margin, group->size, count, next, value, &sum);
		next = value;
		count += records;
	}
	add_between(margin, group->size, count, next, margin->values - 1, &sum);
	return sdc_moments_total(&sum) / ((double) group->size * (double) margin->records) /
		(margin->values - 1);
}

/* compare_values compares the shares of the values of a group with those in the file, and counts them. */
static uint64
compare_values(Margin *margin, const Group *group, SdcGroupPrivacy *result)
{
	uint64		above = 0;		/* never more than size records */
	uint64		values = 0;

	for (uint32 i = 0, end; i < group->cells; i = end)
	{
		uint64		total = margin->total[value_of(margin, group->cell[i])];
		uint64		records = next_value(margin, group, i, &end);
		uint64		expected = total * group->size;
		uint64		observed = records * margin->records;

		margin->count[values++] = records;
		result->delta = fmax(result->delta, fabs(log((double) observed / (double) expected)));
		result->alpha = fmax(result->alpha, (double) records / (double) group->size);
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
	return values;
}

/* recursive_ratio is r_1 / (r_l + ... + r_m) of a group that has l values. */
static double
recursive_ratio(const Margin *margin, uint64 values, uint64 size)
{
	const uint64 *sorted = sdc_wordsort(margin->count, margin->spare, values, 0,
										sdc_wordsort_width(size));
	uint64		rest = size;

	for (uint32 i = 1; i < margin->task->l; i++)
	{
		sdc_interrupts_step(i);
		rest -= sorted[values - i];
	}
	return (double) sorted[values - 1] / (double) rest;
}

/* measure_group lets a group be the worst. */
static void
measure_group(Margin *margin, const Group *group, SdcGroupPrivacy *result)
{
	uint64		values = compare_values(margin, group, result);
	double		entropy = exp(sdc_entropy_of_counts(margin->count, values));

	if (result->groups == 0 || group->size < result->k)
		result->k = group->size;
	if (result->groups == 0 || values < result->distinct_l)
		result->distinct_l = (uint32) values;
	if (result->groups == 0 || entropy < result->entropy_l)
		result->entropy_l = entropy;
	result->t_ordered = fmax(result->t_ordered, ordered_distance(margin, group));
	result->absent += values < margin->values;
	if (values < margin->task->l)
		result->has_c = false;
	else
		result->c = fmax(result->c, recursive_ratio(margin, values, group->size));
	result->groups++;
}

/* measure_groups goes through the groups. */
static void
measure_groups(Margin *margin, const uint32 *order, SdcGroupPrivacy *result)
{
	const SdcGroupPrivacyTask *task = margin->task;

	for (uint32 start = 0, end; start < task->cells; start = end)
	{
		Group		group = {order + start, 0, 0};

		for (end = start; end < task->cells &&
			 task->group[order[end]] == task->group[order[start]]; end++)
		{
			sdc_interrupts_spend(&margin->credit, 1);
			group.size += records_of(task, order[end]);
		}
		group.cells = end - start;
		SDC_REPORT(start, task->cells);
		measure_group(margin, &group, result);
	}
}

/* sdc_groupprivacy_measure: see groupprivacy.h. */
void
sdc_groupprivacy_measure(const SdcGroupPrivacyTask *task, SdcGroupPrivacy *result)
{
	uint64		codes = (uint64) task->codes + 2;
	uint64		values = most_values(task->cells, task->codes);
	uint32	   *order = sdc_alloc_matrix(uint32, 2, task->cells);
	Margin		margin = {.task = task};

	SDC_ASSERT(task->l > 0);
	memset(result, 0, sizeof(*result));
	result->enhanced = true;
	result->has_c = task->cells > 0;
	margin.number = sdc_alloc_array(uint32, codes);
	margin.total = sdc_alloc_matrix(uint64, 3, codes);
	margin.below = margin.total + codes;
	margin.sum = margin.below + codes;
	count_values(task, &margin);
	result->values = margin.values;
	order = order_cells(task, order, order + task->cells, &margin.credit);
	margin.count = sdc_alloc_matrix(uint64, 2, values);
	margin.spare = margin.count + values;
	measure_groups(&margin, order, result);
	if (!result->has_c)
		result->c = 0;
	sdc_free(margin.count);
	sdc_free(margin.total);
	sdc_free(margin.number);
	sdc_free(order);
}
