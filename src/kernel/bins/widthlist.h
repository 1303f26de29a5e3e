/*-------------------------------------------------------------------------
 *
 * widthlist.h
 *		The list of candidates for widths, and what is added up of them.
 *
 * It is filled from the widest on, by widths.c and widthwalk.c.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_WIDTHLIST_H
#define SDC_KERNEL_WIDTHLIST_H

#include "kernel/bins/widths.h"

/* The candidates found so far, on either grid, and what finding works with. */
typedef struct SdcWidthList
{
	/* set once */
	const SdcWidthTask *task;
	double	   *low;			/* of each attribute */
	double	   *range;
	bool		listing;		/* candidates are wanted */
	uint64		fixed;			/* bytes taken but for the list */
	/* changes */
	SdcWidthCandidate *candidate;
	uint64		count;
	uint64		room;
	uint64	   *seen;			/* bit d: a candidate has depth d */
	double	   *tuple;			/* sum of 1 / N of each record; NULL: not wanted */
	double		minimal;		/* sum of 1 / N* */
	uint64		representatives;
} SdcWidthList;

/* A partitioning at one width. */
typedef struct SdcWidthPartition
{
	uint32	   *bin;			/* of each record */
	uint32	   *size;			/* of each bin */
	uint64		degree;
	uint64		depth;
} SdcWidthPartition;

/* sdc_widthlist_words is how many words have room for the bits 0 .. most. */
static inline uint64
sdc_widthlist_words(uint64 most)
{
	return most / 64 + 1;
}

/* sdc_widthlist_begin makes an empty list without room; fixed is what the rest takes. */
extern void sdc_widthlist_begin(SdcWidthList *list, const SdcWidthTask *task, bool listing);

/* sdc_widthlist_end frees all but the candidates. */
extern void sdc_widthlist_end(SdcWidthList *list);

/* sdc_widthlist_reserve makes room for so many candidates, and tells whether that fits. */
extern bool sdc_widthlist_reserve(SdcWidthList *list, uint64 room);

/*
 * sdc_widthlist_note enters the next width, in descending order.  A width of the continuous grid
 * with the depth of the one before belongs to the same piece.  False: the list has become too
 * long.
 */
extern bool sdc_widthlist_note(SdcWidthList *list, double share,
							   const SdcWidthPartition *partition);

#endif							/* SDC_KERNEL_WIDTHLIST_H */
