/*-------------------------------------------------------------------------
 *
 * swapbins.h
 *		What a rank swapped column of a publication tells about a condition on it.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_MEASURE_SWAPBINS_H
#define SDC_MEASURE_SWAPBINS_H

#include "kernel/base/kernel_env.h"
#include "relation/frame/accuracyrows.h"

/* How released values have come from those of the source, as far as it is known how probably. */
typedef enum SdcSwapMix
{
	SDC_MIX_UNKNOWN,
	SDC_MIX_RANKS,				/* by swaps of ranks: the values are those of the source */
	SDC_MIX_NOISE				/* by noise */
} SdcSwapMix;

/* A column as it was published: values by codes in their order, and what is known of it. */
typedef struct SdcSwapBins
{
	/* given */
	const SdcAccuracyColumn *how;
	SdcSwapMix	mixed;
	uint32		codes;
	uint32	   *count;			/* of the records with each code; behind them of those without a value */
	double	   *value;			/* the numbers of codes, NaN: not finite; NULL: the column has no numbers */
	bool	   *holds;			/* the condition; behind them the same */
	bool	   *meets;			/* whether it holds for a part of a range or set; NULL: they are none */
	bool		convex;			/* the condition holds for what is between two values for which it does, */
	bool		from;			/* and not for what is far below, */
	bool		upto;			/* or far above */

	/* found by sdc_columnbounds_find */
	uint32		window;			/* positions that a value moves, at most or mostly */
	bool	   *sure;			/* the condition holds for the original of every record with this code, */
	bool	   *possible;		/* or can hold; both as holds */
	double		low;			/* for so many originals of all it holds at least, */
	double		high;			/* and at most */
	double		spread;			/* the variance of that number, where as many units of unlike sizes satisfy it */
	const char *why;			/* nothing is known; NULL: something is */

	/* found by sdc_swapbins_divide */
	uint32		bins;			/* the last one has the records without a value, if there are some */
	uint32	   *bin;			/* of each code, and behind them of no value */
	double	   *margin;			/* released records */
	bool	   *bin_holds;
	double	   *mix;
} SdcSwapBins;

/* sdc_swapbins_bound finds by the window for which records the condition holds in any case, and for which it can. */
extern void sdc_swapbins_bound(SdcSwapBins *column);

/*
 * sdc_swapbins_divide makes bins: fine ones near values where the condition changes, so many to a window, coarse ones
 * elsewhere.  It finds how likely values move from each to each other: for ranks by drawing, always the same way.
 * false: there would be more bins than most, or it is not known.
 */
extern bool sdc_swapbins_divide(SdcSwapBins *column, double fine, uint32 most);

#endif							/* SDC_MEASURE_SWAPBINS_H */
