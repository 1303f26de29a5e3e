/*-------------------------------------------------------------------------
 *
 * rankwindow.h
 *		Positions, tie groups and windows in a sorted column; interval disclosure.
 *
 * The positions of a column are 0 .. m-1 for its m values that are not missing, in
 * ascending order.  A value's tie group is the positions of the values equal to it: [first,
 * last].  A value that the column does not have lies between two positions: its
 * group is empty, last = first - 1.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_RANKWINDOW_H
#define SDC_KERNEL_RANKWINDOW_H

#include "kernel/base/pairs.h"

/* The sorted column: below[c] is the number of values with a code below c, 0 .. codes. */
typedef struct SdcPositions
{
	uint32		count;			/* values */
	uint32		codes;
	uint32	   *below;			/* codes + 1 */
} SdcPositions;

extern void sdc_positions_create(SdcPositions *positions, const uint32 *code, uint32 records,
								 uint32 codes);
extern void sdc_positions_destroy(SdcPositions *positions);

/*
 * The codes inside the window of a value: those that have a position within width
 * positions of its tie group.  first > last: the window is empty.
 */
typedef struct SdcInterval
{
	uint32		first;
	uint32		last;
} SdcInterval;

/* sdc_rankwindow_intervals writes the interval of every code; interval has codes elements. */
extern void sdc_rankwindow_intervals(const SdcPositions *positions, uint32 width,
									 SdcInterval *interval);

/* The distance of the tie groups of two codes in positions: 0 for the same code. */
extern uint32 sdc_rankwindow_distance(const SdcPositions *positions, uint32 a, uint32 b);

/*
 * sdc_rankwindow_disclosure is the interval disclosure of one attribute: the mean over
 * P = 1 .. 10 of the share of records whose original value lies within P m / 100
 * positions (m values; not rounded) of the protected one, in the sorted original
 * column.  cells gets the number of records with both values, hits the sum over P of
 * those inside: the percentage is 100 hits / (10 cells).
 */
extern void sdc_rankwindow_disclosure(const SdcPairColumn *column, uint32 records,
									  uint64 *hits, uint64 *cells);

#endif							/* SDC_KERNEL_RANKWINDOW_H */
