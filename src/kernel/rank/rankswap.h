/*-------------------------------------------------------------------------
 *
 * rankswap.h
 *		Rank swapping: standard, p-distribution and p-buckets.
 *
 * The kernels see sorted positions 0 .. n-1 of one attribute in one stratum and
 * a stream; they never see a value.  Each reports its swaps as pairs a < b, a
 * ascending, every position in at most one pair: what is not reported stays.
 *
 * Time O(n log n) with a very small factor (one set operation a draw), memory
 * sdc_rankswap_memory(n), independent of the window.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_RANKSWAP_H
#define SDC_KERNEL_RANKSWAP_H

#include "kernel/base/kernel_env.h"
#include "kernel/base/stream.h"
#include "kernel/rank/positionset.h"

/* Called once for every swapped pair, a < b. */
typedef void (*SdcSwapEmit) (void *arg, uint32 a, uint32 b);

/* Where the swaps of one run go, and what the run draws from. */
typedef struct SdcSwapRun
{
	uint32		n;				/* positions */
	SdcStream  *stream;			/* started for this attribute and stratum */
	SdcPositionSet *unswapped;	/* capacity >= n; filled and consumed by the run */
	SdcSwapEmit emit;
	void	   *arg;			/* passed to emit */
} SdcSwapRun;

/* Bytes that the kernels need for n positions (the set of unswapped ones). */
extern Size sdc_rankswap_memory(uint32 n);

/* The window of a percentage: p n / 100 rounded half up, at least 1, at most n. */
extern uint32 sdc_rankswap_window(double percent, uint32 n);

/*
 * sdc_rankswap_by_window: for i ascending, an unswapped i swaps with a position
 * drawn uniformly among the unswapped of (i, i + window].  window >= 1.
 */
extern void sdc_rankswap_by_window(const SdcSwapRun *run, uint32 window);

/*
 * sdc_rankswap_by_distribution: for i ascending, an unswapped i draws a distance
 * r = round(N(mu, sigma)) given 1 <= r and i + r <= n - 1, and swaps with the
 * unswapped position above i that is nearest to i + r (of two, the smaller).
 * mu, sigma > 0.
 */
extern void sdc_rankswap_by_distribution(const SdcSwapRun *run, double mu, double sigma);

/*
 * The distribution of the bucket distance: weight[d] > 0 is proportional to the
 * probability of a partner d buckets further, d = 0 .. count-1, and beyond that
 * 0.  Only buckets that still have a candidate take part; when none within
 * reach has, the nearest bucket that has one is taken.
 */
typedef struct SdcBucketWeights
{
	const double *weight;
	int			count;
} SdcBucketWeights;

/* weight[d] = 2^-(d+1), d = 0 .. 62: the reconstruction of the paper's formula. */
extern const SdcBucketWeights sdc_rankswap_halving;

/*
 * sdc_rankswap_by_buckets: position i lies in bucket floor(i buckets / n).  For i
 * ascending, an unswapped i in bucket r draws a bucket s >= r by the weights
 * and swaps with a position drawn uniformly among the unswapped ones of s
 * (above i when s = r).  1 <= buckets <= n unless n = 0.
 */
extern void sdc_rankswap_by_buckets(const SdcSwapRun *run, uint32 buckets,
									const SdcBucketWeights *weights);

/*
 * A lot: some positions of a column that are swapped among themselves only, while all others keep
 * their partners.  Windows, distances and buckets are those of the whole column, as if all
 * others were swapped already: not of ranks within the lot, which would pair values that are far
 * from each other.  The run's n is the number of elements, and emit gets their numbers.
 *
 * Every element gets a partner, but for one if their number is odd: in the standard method one that
 * finds nobody in its window takes the nearest unswapped element above, however far.
 */
typedef struct SdcSwapLot
{
	const uint32 *position;		/* of every element, ascending */
	uint32		positions;		/* of the column; 1 <= buckets <= positions */
} SdcSwapLot;

extern void sdc_rankswap_lot_by_window(const SdcSwapRun *run, const SdcSwapLot *lot, uint32 window);
extern void sdc_rankswap_lot_by_distribution(const SdcSwapRun *run, const SdcSwapLot *lot,
											 double mu, double sigma);
extern void sdc_rankswap_lot_by_buckets(const SdcSwapRun *run, const SdcSwapLot *lot,
										uint32 buckets, const SdcBucketWeights *weights);

#endif							/* SDC_KERNEL_RANKSWAP_H */
