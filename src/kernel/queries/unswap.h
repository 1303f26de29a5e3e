/*-------------------------------------------------------------------------
 *
 * unswap.h
 *		Between which numbers a count of the original is, by a release whose columns were swapped one by one.
 *
 * The values of each column are in bins, in which a condition holds for all values or for none.  It is known how
 * likely a value of each bin is to be released in each other one (mix), and how many records each bin has: as many
 * before as after, where values were swapped.
 *
 * Records are in layers, of which they know themselves: whether what was copied satisfies the rest
 * of the condition.
 *
 * Of all tables of counts that the original can have had, those count that explain the released one nearly as well as
 * the best does.  The interval goes from the least to the largest number of records for which all conditions hold in
 * one of them.  No smoothness is assumed.
 *
 *	forward		expected released table of a table H: mix along each column
 *	deviance	2 sum of N ln(N / forward H), N the released table
 *	best		EM: H times (N / forward H), mixed back; then the margins are fitted
 *	ends		the same with a push for the cells that count, up or down, which grows until the deviance is more
 *				than that of the best by threshold
 *	corners		where one condition follows from another, cells are empty that would have been free to fit chance, and
 *				the deviance is likely more than that of the best by the 0.95 quantile of chi-square, with as many
 *				degrees of freedom as is told of these cells: the sum of their chances that two records are released in
 *				the same cell, times 1.7.  An end reaches as far towards the best table of a corner as that allows, if
 *				the corner itself is at most four times beyond it
 *
 * Time O(cells * bins) a step, some hundred steps; memory a few times the cells.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_UNSWAP_H
#define SDC_KERNEL_UNSWAP_H

#include "kernel/base/kernel_env.h"

#define SDC_UNSWAP_COLUMNS 3	/* at most */
#define SDC_UNSWAP_LAYERS 2		/* at most: the last one has the records that can count */

typedef struct SdcUnswapColumn
{
	uint32		bins;
	const double *mix;			/* of bins x bins, symmetric but for rounding of the bins; rows sum to 1 */
	const double *margin;		/* records of each bin */
	const bool *holds;			/* whether the condition holds in it */
	bool		free;			/* the margin is that of the release, and the original can have had another one */
} SdcUnswapColumn;

typedef struct SdcUnswapTask
{
	int			layers;
	int			columns;
	SdcUnswapColumn column[SDC_UNSWAP_COLUMNS];
	const double *count;		/* released records: by layer, then by the bins of each column, the last one fastest */
	double		threshold;		/* of the deviance; above 0 */
	double		dispersion;		/* how many times as much as independent records the counts of single cells vary */
} SdcUnswapTask;

typedef struct SdcUnswapResult
{
	double		estimate;
	double		low;
	double		high;
} SdcUnswapResult;

/* sdc_unswap_cells returns the number of cells of a task. */
extern uint32 sdc_unswap_cells(const SdcUnswapTask *task);

extern void sdc_unswap_run(const SdcUnswapTask *task, SdcUnswapResult *result);

#endif							/* SDC_KERNEL_UNSWAP_H */
