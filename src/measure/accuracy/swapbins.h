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

/* A column as it was published: values by codes in their order, and what is known of it. */
typedef struct SdcSwapBins
{
	/* given */
	const SdcAccuracyColumn *how;
	uint32		codes;
	uint32	   *count;			/* of the records with each code; behind them of those without a value */
	bool	   *holds;			/* the condition; behind them the same */
	bool		strata;			/* it was swapped within strata, of which nothing else is known */

	/* found by sdc_swapbins_bound */
	uint32		window;			/* positions that a value moves, at most or mostly */
	bool	   *sure;			/* the condition holds for the original of every record with this code, */
	bool	   *possible;		/* or can hold; both as holds */
	uint64		records;		/* for whose originals it holds: as many as in the release */

	/* found by sdc_swapbins_divide */
	uint32		bins;			/* the last one has the records without a value, if there are some */
	uint32	   *bin;			/* of each code, and behind them of no value */
	double	   *margin;
	bool	   *bin_holds;
	double	   *mix;
} SdcSwapBins;

/* sdc_swapbins_bound finds out for which records the condition holds in any case, and for which it can. */
extern void sdc_swapbins_bound(SdcSwapBins *column);

/*
 * sdc_swapbins_divide makes bins: fine ones near values where the condition changes, so many to a window, coarse ones
 * elsewhere.  It finds by drawing, always the same way, how likely values move from each to each other.  false: there
 * would be more bins than most.
 */
extern bool sdc_swapbins_divide(SdcSwapBins *column, double fine, uint32 most);

#endif							/* SDC_MEASURE_SWAPBINS_H */
