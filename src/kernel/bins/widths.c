/*-------------------------------------------------------------------------
 *
 * widths.c
 *		The admissible widths of equi-width swapping, and its privacy.
 *
 * The pruning scheme: candidates are widths up to a utility bound, as shares of the range that are the
 * same for all attributes; N* is the number of records in the smallest bin.  Those with N* < 2 are not
 * admissible, and of all with the same N* the widest is the representative.  With q representatives the
 * probability of a record is the mean of 1 / N(its bin) over them.
 *
 * Intervals: one partitioning for each number.  Continuous: a walk down the widths at which the bins
 * change (widthwalk.c).
 *
 * Privacy: tuple <= minimal_depth holds in doubles too, as both are sums of as many terms in the
 * same order, the terms of the one are not larger, and rounding is monotone.  The depths of
 * representatives are different and at least 2, so minimal_depth <= (H_{q+1} - 1) / q, which is
 * below closed = H_q / q by 1 / 2q or more: far above rounding.  (H_q = ln q + c with c from 1
 * down to Euler's constant, the published form.)  For equi-depth swapping with k = 2 .. q + 1
 * every bin has k records at least, 2k - 1 at most: (H_{q+1} - 1) / q bounds both.  The published
 * lemma adds 0.2 to c, which exceeds 1 at q = 1 and is not needed for the inequality; closed is
 * H_q / q here too.
 *
 * Time: intervals O(intervals_most records attributes).  Memory: 40 bytes a record.  It is computed
 * before it is taken.  Determined by the values alone.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <math.h>

#include "kernel/bins/equiwidth.h"
#include "kernel/bins/widthlist.h"
#include "kernel/bins/widths.h"
#include "kernel/bins/widthwalk.h"

/* count_bins finds the sizes of the bins, and the smallest. */
static void
count_bins(SdcWidthPartition *partition, uint32 records)
{
	memset(partition->size, 0, (Size) partition->degree * sizeof(uint32));
	for (uint32 start = 0, end; start < records; start = end)
	{
		end = sdc_interrupts_block(start, records);
		for (uint32 r = start; r < end; r++)
			partition->size[partition->bin[r]]++;
	}
	partition->depth = partition->degree > 0 ? partition->size[0] : 0;
	for (uint64 b = 1; b < partition->degree; b++)
	{
		sdc_interrupts_step(b);
		if (partition->size[b] < partition->depth)
			partition->depth = partition->size[b];
	}
}

/* first_intervals is the least m with 1 / m <= share, of doubles; above most if that has more. */
static uint64
first_intervals(double share, uint32 most)
{
	uint64		m;

	SDC_ASSERT(share > 0);
	if (1.0 / share > (double) most + 1)
		return (uint64) most + 1;
	m = (uint64) (1.0 / share);
	m = m > 1 ? m - 1 : 1;
	while (1.0 / (double) m > share)
		m++;
	return m;
}

/* find_intervals tries all numbers of intervals. */
static SdcStatus
find_intervals(SdcWidthList *list)
{
	const SdcWidthTask *task = list->task;
	uint64		first = first_intervals(task->share_most, task->intervals_most);
	uint64		room = first <= task->intervals_most ? task->intervals_most - first + 1 : 1;
	SdcEquiwidthTask grid = {0};
	SdcWidthPartition	partition;

	list->fixed += 2 * task->records * sizeof(uint32) +
		sdc_equiwidth_memory(task->records, task->attributes);
	if (list->fixed > task->memory || (list->listing && !sdc_widthlist_reserve(list, room)))
		return SDC_ERROR_MEMORY;
	partition.bin = sdc_alloc_array(uint32, task->records);
	partition.size = sdc_alloc_array(uint32, task->records);
	grid.value = task->value;
	grid.attributes = task->attributes;
	grid.records = task->records;
	grid.low = list->low;
	grid.range = list->range;
	for (uint64 m = first; m <= task->intervals_most; m++)
	{
		SDC_CHECK_INTERRUPTS();
		SDC_REPORT(m - first, task->intervals_most - first + 1);
		grid.intervals = (uint32) m;
		partition.degree = sdc_equiwidth(&grid, 0, partition.bin);
		count_bins(&partition, task->records);
		(void) sdc_widthlist_note(list, 1.0 / (double) m, &partition);
	}
	sdc_free(partition.size);
	sdc_free(partition.bin);
	return SDC_OK;
}

/* find_on_grid finds on the grid of the task. */
static SdcStatus
find_on_grid(SdcWidthList *list)
{
	return list->task->grid == SDC_WIDTH_INTERVALS ? find_intervals(list) :
		sdc_widthwalk_run(list);
}

/* sdc_widths_find: see widths.h. */
SdcStatus
sdc_widths_find(const SdcWidthTask *task, SdcWidthCandidate **candidate, uint64 *count)
{
	SdcWidthList list;
	SdcStatus	status;

	*candidate = NULL;
	*count = 0;
	sdc_widthlist_begin(&list, task, true);
	status = find_on_grid(&list);
	sdc_widthlist_end(&list);
	if (status == SDC_OK)
	{
		*candidate = list.candidate;
		*count = list.count;
	}
	else if (list.candidate != NULL)
		sdc_free(list.candidate);
	return status;
}

/* ---- privacy ---- */

/* Up to here harmonic numbers are summed. */
#define HARMONIC_SUMMED 65536

/* harmonic is H_n; beyond the sum L. Euler's expansion, whose next term is below 10^-30. */
static double
harmonic(double n)
{
	const double euler = 0.57721566490153286061;
	double		sum = 0;

	if (n > HARMONIC_SUMMED)
		return log(n) + euler + 1 / (2 * n) - 1 / (12 * n * n);
	for (double i = n; i >= 1; i--)
		sum += 1 / i;
	return sum;
}

/* sdc_widths_privacy: see widths.h and the top of this file. */
SdcStatus
sdc_widths_privacy(const SdcWidthTask *task, SdcSwapPrivacy *result)
{
	SdcWidthList list;
	SdcStatus	status;
	double		q = 0;
	double		most = 0;

	*result = (SdcSwapPrivacy) {0, 1, 1, 1};
	sdc_widthlist_begin(&list, task, false);
	status = find_on_grid(&list);
	for (uint32 r = 0; r < task->records; r++)
	{
		sdc_interrupts_step(r);
		most = fmax(most, list.tuple[r]);
	}
	q = (double) list.representatives;
	if (status == SDC_OK && list.representatives > 0)
		*result = (SdcSwapPrivacy) {list.representatives, most / q, list.minimal / q,
		harmonic(q) / q};
	sdc_widthlist_end(&list);
	return status;
}

/* sdc_widths_privacy_depths: see widths.h and the top of this file. */
void
sdc_widths_privacy_depths(uint32 most, SdcSwapPrivacy *result)
{
	double		q = most >= 2 ? most - 1.0 : 0;

	*result = (SdcSwapPrivacy) {0, 1, 1, 1};
	if (q == 0)
		return;
	result->candidates = most - 1;
	result->tuple = result->minimal_depth = (harmonic(q + 1) - 1) / q;
	result->closed = harmonic(q) / q;
}
