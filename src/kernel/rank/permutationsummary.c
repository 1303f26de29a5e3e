/*-------------------------------------------------------------------------
 *
 * permutationsummary.c
 *		What is around records in a permuted release, and the distances summed up.
 *
 * Values around a query: a tree over the codes with number, mean and sum of squares of each half, merged as
 * by T. Chan, G. Golub and R. LeVeque (1979), so that a narrow window far from the mean keeps its digits.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <math.h>

#include "kernel/base/moments.h"
#include "kernel/base/ordered.h"
#include "kernel/base/wordsort.h"
#include "kernel/rank/permutationsummary.h"
#include "kernel/rank/rankwindow.h"

/* Least chance that a record is not near by accident. */
#define NEAR_CHANCE 0.05

/* Codes first .. first + ... of a tree over the codes: how many values, their mean and squares. */
typedef struct Part
{
	double		n;				/* values that are numbers */
	double		mean;
	double		m2;
	uint32		most;			/* the greatest number of equal values */
} Part;

/* merge_parts joins two parts. */
static Part
merge_parts(const Part *a, const Part *b)
{
	Part		both = *a;
	double		difference = b->mean - a->mean;

	both.n = a->n + b->n;
	both.most = a->most > b->most ? a->most : b->most;
	if (both.n > 0)
	{
		both.mean = a->mean + difference * (b->n / both.n);
		both.m2 = a->m2 + b->m2 + difference * difference * (a->n * b->n / both.n);
	}
	return both;
}

/* create_parts makes a tree over the codes of a column: node k has the parts 2 k and 2 k + 1. */
static Part *
create_parts(const SdcPermutationColumn *column, const SdcPositions *positions, Size *leaves)
{
	Part	   *part;
	double		center = NAN;

	for (*leaves = 1; *leaves < column->codes;)
		*leaves *= 2;
	part = sdc_alloc_matrix(Part, 2, *leaves);
	for (Size c = 0; c < *leaves; c++)
	{
		uint32		count = c < column->codes ? positions->below[c + 1] - positions->below[c] : 0;
		double		value = count > 0 && column->value != NULL ? column->value[c] : NAN;

		sdc_interrupts_step(c);
		if (isnan(center))
			center = value;
		part[*leaves + c] = (Part) {isnan(value) ? 0 : count, isnan(value) ? 0 : value - center, 0,
		count};
	}
	for (Size k = *leaves - 1; k > 0; k--)
	{
		sdc_interrupts_step(k);
		part[k] = merge_parts(&part[2 * k], &part[2 * k + 1]);
	}
	return part;
}

/* part_between merges the parts of the codes first .. last, in their order. */
static Part
part_between(const Part *part, Size leaves, uint32 first, uint32 last)
{
	Part		left = {0, 0, 0, 0};
	Part		right = {0, 0, 0, 0};

	for (Size low = leaves + first, high = leaves + last + 1; low < high; low /= 2, high /= 2)
	{
		if (low & 1)
		{
			left = merge_parts(&left, &part[low]);
			low++;
		}
		if (high & 1)
		{
			high--;
			right = merge_parts(&part[high], &right);
		}
	}
	return merge_parts(&left, &right);
}

/* code_at is the code at a position. */
static uint32
code_at(const SdcPositions *positions, uint32 position)
{
	uint32		low = 0;
	uint32		high = positions->codes - 1;

	SDC_BISECT(low, high, middle, positions->below[middle + 1] <= position);
	return low;
}

/* sdc_permutationsummary_around: see permutationsummary.h. */
void
sdc_permutationsummary_around(const SdcPermutationTask *task, int attribute,
							  const SdcPermutationRecord *result,
							  double *variance, double *frequency)
{
	const SdcPermutationColumn *column = &task->column[attribute];
	SdcPositions positions;
	Size		leaves;
	Part	   *part;

	sdc_positions_create(&positions, column->released, task->records, column->codes);
	part = create_parts(column, &positions, &leaves);
	for (uint32 q = 0; q < task->queries; q++)
	{
		uint32		code = column->original[q];
		int64		low;
		int64		high;
		Part		window;
		uint32		first;
		uint32		last;

		SDC_CHECK_INTERRUPTS();
		variance[q] = frequency[q] = NAN;
		if (code == SDC_CODE_NULL || result[q].distance == SDC_PERMUTATION_INFINITE)
			continue;
		low = (int64) positions.below[code] - result[q].distance;
		high = (int64) positions.below[code + 1] - 1 + result[q].distance;
		/* somebody is within the distance: there are values */
		first = code_at(&positions, low < 0 ? 0 : (uint32) low);
		last = code_at(&positions, high >= positions.count ? positions.count - 1 : (uint32) high);
		window = part_between(part, leaves, first, last);
		frequency[q] = (double) window.most /
			(positions.below[last + 1] - positions.below[first]);
		if (window.n > 0 && part[1].m2 > 0)
			variance[q] = window.m2 / window.n / (part[1].m2 / part[1].n);
	}
	sdc_free(part);
	sdc_positions_destroy(&positions);
}

/* find_median is the median of the distances that are not infinite. */
static double
find_median(const SdcPermutationRecord *result, uint32 queries)
{
	uint64	   *word = sdc_alloc_matrix(uint64, 2, queries);
	uint64	   *sorted;
	uint32		count = 0;
	double		median;

	for (uint32 q = 0; q < queries; q++)
	{
		sdc_interrupts_step(q);
		if (result[q].distance != SDC_PERMUTATION_INFINITE)
			word[count++] = result[q].distance;
	}
	sorted = sdc_wordsort(word, word + queries, count, 0, 32);
	median = count == 0 ? 0 : ((double) sorted[(count - 1) / 2] + (double) sorted[count / 2]) / 2;
	sdc_free(word);
	return median;
}

/* sdc_permutationsummary_make: see permutationsummary.h. */
void
sdc_permutationsummary_make(const SdcPermutationRecord *result, uint32 queries,
							SdcPermutationSummary *summary)
{
	SdcMomentsSum own = {0, 0};
	SdcMomentsSum expected = {0, 0};
	uint64		sum = 0;
	uint64		near = 0;

	memset(summary, 0, sizeof(*summary));
	summary->minimum = UINT32_MAX;
	for (uint32 q = 0; q < queries; q++)
	{
		const SdcPermutationRecord *record = &result[q];

		sdc_interrupts_step(q);
		sdc_moments_add(&expected, record->expected);
		if (record->own)
			sdc_moments_add(&own, 1.0 / record->ties);
		near += record->chance <= NEAR_CHANCE;
		summary->minimum = record->distance < summary->minimum ? record->distance :
			summary->minimum;
		if (record->distance == SDC_PERMUTATION_INFINITE)
			summary->infinite++;
		else
			sum += record->distance;
	}
	if (queries == summary->infinite)
		summary->minimum = 0;
	else
		summary->mean = (double) sum / (queries - summary->infinite);
	summary->median = find_median(result, queries);
	summary->own = sdc_moments_total(&own);
	if (queries > 0)
	{
		summary->near_share = (double) near / queries;
		summary->expected = sdc_moments_total(&expected) / queries;
	}
}
