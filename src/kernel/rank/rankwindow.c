/*-------------------------------------------------------------------------
 *
 * rankwindow.c
 *		Positions, tie groups and windows in a sorted column; interval disclosure.
 *
 * An intruder who knows how a column was rank swapped knows how far a value can have
 * moved: width positions in the sorted column, to either side (J. Nin,
 * J. Herranz, V. Torra, "Rethinking rank swapping to decrease disclosure risk",
 * Data & Knowledge Engineering 64, 2008).  With ties, no position of an equal
 * value is better than another.  So a window begins width positions below the
 * first value equal to the original one, ends width positions above the last,
 * and contains every value equal to the one at either end.
 *
 * Interval disclosure is that of J. Domingo-Ferrer and V. Torra, "A quantitative
 * comparison of disclosure control methods for microdata", 2001, by ranks.
 *
 * As codes have the order of the values, the sorted column is its histogram,
 * summed up: there is nothing to sort.  All windows of a column take one pass
 * with two ends that only move up.
 *
 * Time O(records + codes), memory one word a code.  All comparisons are between
 * integers: nothing is rounded.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/rank/rankwindow.h"

/* The interval of nothing: first > last. */
static const SdcInterval empty_interval = {1, 0};

/* Interval disclosure asks for 1 .. DISCLOSURE_PERCENT percent of the positions. */
#define DISCLOSURE_PERCENT 10

/* sdc_positions_create counts the codes and adds up the counts. */
void
sdc_positions_create(SdcPositions *positions, const uint32 *code, uint32 records,
					 uint32 codes)
{
	uint32	   *below = sdc_alloc_zeros(uint32, (Size) codes + 1);
	for (uint32 i = 0; i < records; i++)
	{
		sdc_interrupts_step(i);
		if (code[i] == SDC_CODE_NULL)
			continue;
		SDC_ASSERT(code[i] < codes);
		below[code[i] + 1]++;
	}
	for (uint32 c = 0; c < codes; c++)
	{
		sdc_interrupts_step(c);
		below[c + 1] += below[c];
	}
	positions->count = below[codes];
	positions->codes = codes;
	positions->below = below;
}

/* sdc_positions_destroy frees what sdc_positions_create allocated. */
void
sdc_positions_destroy(SdcPositions *positions)
{
	sdc_free(positions->below);
	positions->below = NULL;
}

/*
 * sdc_rankwindow_intervals: the ends of the windows rise with the code, so the codes
 * at the ends do too, and are found by moving on from those of the code before.
 */
void
sdc_rankwindow_intervals(const SdcPositions *positions, uint32 width, SdcInterval *interval)
{
	const uint32 *below = positions->below;
	int64		top = (int64) positions->count - 1;
	uint32		first = 0;		/* code at the lower end */
	uint32		last = 0;		/* code at the upper end */

	for (uint32 c = 0, steps = 0; c < positions->codes; c++)
	{
		int64		start = (int64) below[c] - width;
		int64		end = (int64) below[c + 1] - 1 + width;

		sdc_interrupts_step(c);
		start = start < 0 ? 0 : start;
		end = end > top ? top : end;
		if (start > end)
		{
			interval[c] = empty_interval;
			continue;
		}
		/* the code at a position is the one that has no more than it below */
		for (; below[first + 1] <= start; first++)
			sdc_interrupts_step(steps++);
		for (; below[last + 1] <= end; last++)
			sdc_interrupts_step(steps++);
		interval[c].first = first;
		interval[c].last = last;
	}
}

/*
 * sdc_rankwindow_distance: from the end of the lower tie group to the start of the
 * upper one.  An empty group ends one position before its start, so that a value
 * that the column does not have is at distance 1 from both of its neighbours.
 */
uint32
sdc_rankwindow_distance(const SdcPositions *positions, uint32 a, uint32 b)
{
	uint32		lower = a < b ? a : b;
	uint32		upper = a < b ? b : a;

	SDC_ASSERT(upper < positions->codes);
	if (lower == upper)
		return 0;
	return positions->below[upper] + 1 - positions->below[lower + 1];
}

/*
 * percents_inside is how many of the percentages P = 1 .. DISCLOSURE_PERCENT have
 * a distance within P count / 100 positions: those from the least one on.
 */
static inline uint32
percents_inside(uint32 distance, uint32 count)
{
	uint64		least = ((uint64) distance * 100 + count - 1) / count;

	if (least == 0)
		least = 1;
	return least > DISCLOSURE_PERCENT ? 0 : (uint32) (DISCLOSURE_PERCENT + 1 - least);
}

/* sdc_rankwindow_disclosure: see window.h. */
void
sdc_rankwindow_disclosure(const SdcPairColumn *column, uint32 records,
						  uint64 *hits, uint64 *cells)
{
	SdcPositions positions;

	sdc_positions_create(&positions, column->original, records, column->codes);
	*hits = 0;
	*cells = 0;
	for (uint32 i = 0; i < records; i++)
	{
		uint32		original = column->original[i];
		uint32		protected = column->protected[i];

		sdc_interrupts_step(i);
		if (original == SDC_CODE_NULL || protected == SDC_CODE_NULL)
			continue;
		*hits += percents_inside(sdc_rankwindow_distance(&positions, original, protected),
								 positions.count);
		(*cells)++;
	}
	sdc_positions_destroy(&positions);
}
