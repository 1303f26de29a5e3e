/*-------------------------------------------------------------------------
 *
 * rankswap.c
 *		Rank swapping: standard, p-distribution and p-buckets.
 *
 * Sources: standard rank swapping after R. A. Moore, "Controlled data-swapping
 * techniques for masking public use microdata sets", U.S. Bureau of the
 * Census, 1996; the other two after J. Nin, J. Herranz, V. Torra, "Rethinking
 * rank swapping to decrease disclosure risk", Data & Knowledge Engineering 64,
 * 2008.
 *
 * All three walk up the sorted positions, and a position that meets its turn
 * unswapped draws a partner above it.  So whatever is below the walk does not
 * matter any more, and stays in the set: only partners are taken out.
 *
 * A partner from an interval is drawn by rejection: a position of the interval,
 * again until it is an unswapped one.  Ahead of the walk an interval is about as
 * likely to have an unswapped position at a place as the walk is to meet one, so
 * that all trials together are about n, whatever the window, the deviation or the
 * number of buckets.  After DRAW_TRIALS failures, and in short intervals, the
 * candidates are counted and one of them drawn by number.
 *
 * A lot is walked in the same way, by the numbers of its elements; windows, distances and buckets are
 * those of the positions that these have in the column, found by bisection.  Where the lot is
 * the whole column both agree draw by draw.
 *
 * Memory: the set.
 *
 * Determinism: what is drawn from the stream, in which order, is described at
 * each kernel and is part of SDC_STREAM_VERSION.  The p-distribution needs exp,
 * log and erfc of the C library, which may differ in the last bit between
 * libraries; a draw notices that with a probability of about 10^-13.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <math.h>

#include "kernel/base/normal.h"
#include "kernel/base/ordered.h"
#include "kernel/rank/rankswap.h"

/* Failed draws of a bucket before all buckets within reach are looked at. */
#define BUCKET_DRAWS 8

/* Failed draws of a position before the candidates of its interval are counted. */
#define DRAW_TRIALS 32

/* Intervals up to here lie in two words: counting is as fast as a trial. */
#define SHORT_INTERVAL 64

/*
 * Cumulative weights up to here are kept on the stack: enough for the halving
 * ones, so that a small stratum allocates nothing.
 */
#define STACK_WEIGHTS 64

/* 2^-(d+1); beyond 2^-63 a weight could no longer be drawn. */
static const double halving_weight[] = {
	0x1p-1, 0x1p-2, 0x1p-3, 0x1p-4, 0x1p-5, 0x1p-6, 0x1p-7,
	0x1p-8, 0x1p-9, 0x1p-10, 0x1p-11, 0x1p-12, 0x1p-13, 0x1p-14,
	0x1p-15, 0x1p-16, 0x1p-17, 0x1p-18, 0x1p-19, 0x1p-20, 0x1p-21,
	0x1p-22, 0x1p-23, 0x1p-24, 0x1p-25, 0x1p-26, 0x1p-27, 0x1p-28,
	0x1p-29, 0x1p-30, 0x1p-31, 0x1p-32, 0x1p-33, 0x1p-34, 0x1p-35,
	0x1p-36, 0x1p-37, 0x1p-38, 0x1p-39, 0x1p-40, 0x1p-41, 0x1p-42,
	0x1p-43, 0x1p-44, 0x1p-45, 0x1p-46, 0x1p-47, 0x1p-48, 0x1p-49,
	0x1p-50, 0x1p-51, 0x1p-52, 0x1p-53, 0x1p-54, 0x1p-55, 0x1p-56,
	0x1p-57, 0x1p-58, 0x1p-59, 0x1p-60, 0x1p-61, 0x1p-62, 0x1p-63
};

const SdcBucketWeights sdc_rankswap_halving = {
	halving_weight, sizeof(halving_weight) / sizeof(halving_weight[0])
};

/* sdc_rankswap_memory: the set. */
Size
sdc_rankswap_memory(uint32 n)
{
	return sdc_positionset_memory(n);
}

/* sdc_rankswap_window: see rankswap.h; of 0 positions the window is 1. */
uint32
sdc_rankswap_window(double percent, uint32 n)
{
	double		window = floor(percent * n / 100.0 + 0.5);

	if (!(window > 1.0))		/* also if not a number */
		return 1;
	return window < n ? (uint32) window : n;
}

/*
 * draw_between draws uniformly among the unswapped positions of [start, end), or
 * returns NONE if there is none.
 *
 * Draws: in an interval longer than SHORT_INTERVAL up to DRAW_TRIALS times
 * below(end - start), until one is unswapped; failing that, one below(candidates):
 * the number of the partner among them, ascending.
 */
static inline uint32
draw_between(const SdcSwapRun *run, uint32 start, uint32 end)
{
	const SdcPositionSet *set = run->unswapped;
	uint32		candidates;

	for (int trial = 0; trial < DRAW_TRIALS && end - start > SHORT_INTERVAL; trial++)
	{
		uint32		position = start + sdc_stream_below(run->stream, end - start);

		if (sdc_positionset_contains(set, position))
			return position;
	}
	candidates = sdc_positionset_count_between(set, start, end);
	if (candidates == 0)
		return SDC_POSITIONSET_NONE;
	return sdc_positionset_select_between(set, start, end,
										  sdc_stream_below(run->stream, candidates));
}

/*
 * element_from is the first element of a lot at or above a position, or the number of
 * elements if there is none; without a lot elements are positions.
 */
static inline uint32
element_from(const SdcSwapRun *run, const SdcSwapLot *lot, uint32 position)
{
	uint32		low = 0;
	uint32		high = run->n;

	if (lot == NULL)
		return position;
	SDC_BISECT(low, high, middle, lot->position[middle] < position);
	return low;
}

/* position_of is the position of an element. */
static inline uint32
position_of(const SdcSwapLot *lot, uint32 element)
{
	return lot == NULL ? element : lot->position[element];
}

/*
 * window_end is the end of the elements within a window above element i.
 */
static inline uint32
window_end(const SdcSwapRun *run, const SdcSwapLot *lot, uint32 i, uint32 window)
{
	uint32		positions = lot == NULL ? run->n : lot->positions;
	uint32		position = position_of(lot, i);

	return window < positions - position ? element_from(run, lot, position + window + 1) : run->n;
}

/*
 * swap_in_windows is the walk of the standard method.  In a lot a record that finds nobody in the
 * window takes the nearest above: nobody of a lot may stay as it was.
 */
static inline void
swap_in_windows(const SdcSwapRun *run, const SdcSwapLot *lot, uint32 window)
{
	SdcPositionSet *set = run->unswapped;
	uint32		n = run->n;
	uint32		steps = 0;

	SDC_ASSERT(window >= 1);
	sdc_positionset_fill(set, n);
	for (uint32 i = 0; i < n; i = sdc_positionset_next(set, i + 1))
	{
		uint32		end = window_end(run, lot, i, window);
		uint32		partner;

		sdc_interrupts_step(steps++);
		if (i + 1 == n)
			break;
		partner = draw_between(run, i + 1, end);
		if (partner == SDC_POSITIONSET_NONE && lot != NULL)
			partner = sdc_positionset_next(set, i + 1);
		if (partner == SDC_POSITIONSET_NONE)
			continue;
		sdc_positionset_remove(set, partner);
		run->emit(run->arg, i, partner);
	}
}

/*
 * sdc_rankswap_by_window draws for each unswapped i, one draw_between of its window.
 */
void
sdc_rankswap_by_window(const SdcSwapRun *run, uint32 window)
{
	swap_in_windows(run, NULL, window);
}

/* sdc_rankswap_lot_by_window does the same in a lot. */
void
sdc_rankswap_lot_by_window(const SdcSwapRun *run, const SdcSwapLot *lot, uint32 window)
{
	swap_in_windows(run, lot, window);
}

/*
 * Beyond this many deviations the probabilities of an interval lose their
 * digits; there the normal is drawn as an exponential that is thinned out.
 */
#define TAIL_DEVIATIONS 8.0

/*
 * draw_tail draws a standard normal given low < z < high, low >= 8.  With z =
 * low + t the density is exp(-low t) exp(-t^2 / 2): t is drawn from the first
 * factor by inversion and kept with the second as probability, which is seldom
 * below 0.9 (C. P. Robert, "Simulation of truncated normal variables",
 * Statistics and Computing 5, 1995).
 */
static double
draw_tail(SdcStream *stream, double low, double high)
{
	double		mass = expm1(-low * (high - low));
	double		t;

	do
		t = -log1p(mass * sdc_stream_uniform(stream)) / low;
	while (sdc_stream_uniform(stream) >= exp(-0.5 * t * t));
	return low + t;
}

/* A normal distribution that is cut off below, always at the same place. */
typedef struct CutNormal
{
	double		mu;
	double		sigma;
	double		low;			/* standardised least value */
	double		low_mass;		/* probability outside of it, on its side of 0 */
} CutNormal;

/*
 * draw_normal draws a standard normal given cut->low < z < high: the z at which
 * the probability is a uniform part of the way from that below low to that
 * below high.  Above 0 it looks from the other side, where probabilities have
 * more digits.
 *
 * Draws: one uniform; in the far tail two for each trial.
 */
static double
draw_normal(const CutNormal *cut, double high, SdcStream *stream)
{
	double		u;

	if (high < -TAIL_DEVIATIONS)
		return -draw_tail(stream, -high, -cut->low);
	if (cut->low > TAIL_DEVIATIONS)
		return draw_tail(stream, cut->low, high);

	u = sdc_stream_uniform(stream);
	if (cut->low > 0)
		return -sdc_normal_quantile(cut->low_mass +
								(sdc_normal_below(-high) - cut->low_mass) * u);
	u = cut->low_mass + (sdc_normal_below(high) - cut->low_mass) * u;
	if (u >= 1.0)
		u = 1.0 - 0x1p-53;		/* rounded up from just below */
	return sdc_normal_quantile(u);
}

/*
 * draw_distance draws round(N(mu, sigma)) given that it is one of 1 ..
 * furthest.  The clamps are for the last bit, and for parameters so far out
 * that the standardised interval is a point.
 */
static uint32
draw_distance(const CutNormal *cut, uint32 furthest, SdcStream *stream)
{
	double		high = (furthest + 0.5 - cut->mu) / cut->sigma;
	double		distance;

	distance = cut->mu + cut->sigma * draw_normal(cut, high, stream) + 0.5;
	if (!(distance >= 1.0))
		return 1;
	return distance < furthest ? (uint32) distance : furthest;
}

/*
 * nearest_above is the unswapped element above i that is nearest to a position (of two, the
 * smaller), or NONE; i itself is unswapped and below the position.
 */
static inline uint32
nearest_above(const SdcSwapRun *run, const SdcSwapLot *lot, uint32 i, uint32 target)
{
	const SdcPositionSet *set = run->unswapped;
	uint32		from = element_from(run, lot, target);
	uint32		up = sdc_positionset_next(set, from);
	uint32		down;

	if (up != SDC_POSITIONSET_NONE && position_of(lot, up) == target)
		return up;
	down = sdc_positionset_prev(set, from - 1);
	if (down <= i)
		return up;
	if (up == SDC_POSITIONSET_NONE ||
		target - position_of(lot, down) <= position_of(lot, up) - target)
		return down;
	return up;
}

/*
 * swap_at_distances draws r from the normal of which the parts that round to less than 1 or lead
 * out of the column are cut off.  That is the distribution of drawing again until r
 * fits, but takes one trial also at the end, where next to nothing fits.
 *
 * Draws: for each unswapped i that has an unswapped position above it, those
 * of one draw_normal.
 */
static inline void
swap_at_distances(const SdcSwapRun *run, const SdcSwapLot *lot, double mu, double sigma)
{
	SdcPositionSet *set = run->unswapped;
	uint32		last = (lot == NULL ? run->n : lot->positions) - 1;
	CutNormal	cut = {.mu = mu, .sigma = sigma, .low = (0.5 - mu) / sigma};
	uint32		i = 0;

	SDC_ASSERT(mu > 0 && sigma > 0);
	cut.low_mass = sdc_normal_below(cut.low > 0 ? -cut.low : cut.low);
	sdc_positionset_fill(set, run->n);
	for (uint32 left = run->n; left > 1; left -= 2) /* unswapped ones from i on */
	{
		uint32		position = position_of(lot, i);
		uint32		partner;

		sdc_interrupts_step(left / 2);
		partner = nearest_above(run, lot, i, position + draw_distance(&cut, last - position,
																	  run->stream));
		SDC_ASSERT(partner != SDC_POSITIONSET_NONE);
		sdc_positionset_remove(set, partner);
		run->emit(run->arg, i, partner);
		i = sdc_positionset_next(set, i + 1);
	}
}

/* sdc_rankswap_by_distribution swaps at normal distances. */
void
sdc_rankswap_by_distribution(const SdcSwapRun *run, double mu, double sigma)
{
	swap_at_distances(run, NULL, mu, sigma);
}

/* sdc_rankswap_lot_by_distribution does the same in a lot. */
void
sdc_rankswap_lot_by_distribution(const SdcSwapRun *run, const SdcSwapLot *lot, double mu,
								 double sigma)
{
	swap_at_distances(run, lot, mu, sigma);
}

/* What the draws of one p-buckets run share. */
typedef struct Buckets
{
	const SdcSwapRun *run;
	const SdcSwapLot *lot;		/* or NULL */
	uint32		positions;		/* of the column */
	uint32		buckets;
	const double *weight;
	const double *cumulative;	/* weight[0] + ... + weight[d] */
	uint32		count;			/* of both; at most buckets */
} Buckets;

/* bucket_start is the first element whose position i has floor(i buckets / positions) >= bucket. */
static inline uint32
bucket_start(const Buckets *b, uint32 bucket)
{
	uint64		product = (uint64) bucket * b->positions;
	uint32		first = (uint32) (product / b->buckets + (product % b->buckets != 0));

	return element_from(b->run, b->lot, first);
}

/* bucket_of is floor(position buckets / positions) of an element's position. */
static inline uint32
bucket_of(const Buckets *b, uint32 element)
{
	return (uint32) ((uint64) position_of(b->lot, element) * b->buckets / b->positions);
}

/*
 * draw_step draws d < reach with probability proportional to weight[d], by
 * inversion of the cumulative weights.  The search doubles its step from 0 on,
 * for small distances are the likely ones.
 */
static uint32
draw_step(const Buckets *b, uint32 reach)
{
	double		x = sdc_stream_uniform(b->run->stream) * b->cumulative[reach - 1];
	uint32		low = 0;		/* everything below is too small */
	uint32		step = 1;

	while (step <= reach - 1 - low && b->cumulative[low + step - 1] <= x)
	{
		low += step;
		step *= 2;
	}
	for (step /= 2; step > 0; step /= 2)
	{
		if (step <= reach - 1 - low && b->cumulative[low + step - 1] <= x)
			low += step;
	}
	return low;
}

/*
 * draw_present draws among the buckets within reach that have a candidate,
 * by looking at all of them, once for the sum of their weights and once for
 * the one drawn.  The walk goes from element to element, so that empty buckets
 * cost nothing.  Returns NONE if there is no candidate above i at all, and the
 * nearest bucket with one if all are out of reach.
 */
static uint32
draw_present(const Buckets *b, uint32 i, uint32 own, uint32 reach)
{
	const SdcPositionSet *set = b->run->unswapped;
	uint32		first = sdc_positionset_next(set, i + 1);
	uint32		bucket = SDC_POSITIONSET_NONE;
	double		sum = 0;
	double		x;

	if (first == SDC_POSITIONSET_NONE)
		return SDC_POSITIONSET_NONE;
	if (bucket_of(b, first) - own >= reach)
		return bucket_of(b, first);

	for (uint32 next = first; next != SDC_POSITIONSET_NONE;
		 next = sdc_positionset_next(set, bucket_start(b, bucket + 1)))
	{
		bucket = bucket_of(b, next);
		if (bucket - own >= reach)
			break;
		sum += b->weight[bucket - own];
	}

	x = sdc_stream_uniform(b->run->stream) * sum;
	sum = 0;
	for (uint32 next = first; next != SDC_POSITIONSET_NONE;
		 next = sdc_positionset_next(set, bucket_start(b, bucket + 1)))
	{
		if (bucket_of(b, next) - own >= reach)
			break;
		bucket = bucket_of(b, next);
		sum += b->weight[bucket - own];
		if (x < sum)
			break;
	}
	return bucket;
}

/*
 * draw_bucket draws the bucket of a partner for i, of which there must be one,
 * and returns where its positions above i begin; *end is behind its last.  A
 * bucket without a candidate is rejected; that is the distribution given that
 * there is one.  After BUCKET_DRAWS rejections the remaining distribution is
 * drawn exactly.
 *
 * Draws: one uniform a trial, and one if draw_present has a choice.
 */
static uint32
draw_bucket(const Buckets *b, uint32 i, uint32 own, uint32 own_end, uint32 *end)
{
	const SdcPositionSet *set = b->run->unswapped;
	uint32		reach = b->buckets - own;
	uint32		bucket;

	if (reach > b->count)
		reach = b->count;
	for (int trial = 0; trial < BUCKET_DRAWS; trial++)
	{
		uint32		step = draw_step(b, reach);
		uint32		start = step == 0 ? i + 1 : bucket_start(b, own + step);

		*end = step == 0 ? own_end : bucket_start(b, own + step + 1);
		if (sdc_positionset_next(set, start) < *end)
			return start;
	}
	bucket = draw_present(b, i, own, reach);
	SDC_ASSERT(bucket != SDC_POSITIONSET_NONE);
	*end = bucket_start(b, bucket + 1);
	return bucket == own ? i + 1 : bucket_start(b, bucket);
}

/* swap_in_buckets is the walk of sdc_rankswap_by_buckets. */
static void
swap_in_buckets(const Buckets *b)
{
	const SdcSwapRun *run = b->run;
	SdcPositionSet *set = run->unswapped;
	uint32		i = 0;
	uint32		own = bucket_of(b, 0);	/* bucket of i */
	uint32		own_end = bucket_start(b, own + 1);

	for (uint32 left = run->n; left > 1; left -= 2) /* unswapped ones from i on */
	{
		uint32		start;
		uint32		end;
		uint32		partner;

		sdc_interrupts_step(left / 2);
		if (i >= own_end)
		{
			own = bucket_of(b, i);
			own_end = bucket_start(b, own + 1);
		}
		start = draw_bucket(b, i, own, own_end, &end);
		partner = draw_between(run, start, end);
		SDC_ASSERT(partner != SDC_POSITIONSET_NONE);
		sdc_positionset_remove(set, partner);
		run->emit(run->arg, i, partner);
		i = sdc_positionset_next(set, i + 1);
	}
}

/*
 * swap_by_buckets adds up the weights and runs.
 *
 * Draws: for each unswapped i that has an unswapped position above it, those
 * of draw_bucket, then those of one draw_between of its positions.
 */
static void
swap_by_buckets(Buckets *b, int weights)
{
	double		stack[STACK_WEIGHTS];
	double	   *cumulative = stack;
	double		sum = 0;

	sdc_positionset_fill(b->run->unswapped, b->run->n);
	if (b->run->n < 2)
		return;

	SDC_ASSERT(b->buckets >= 1 && b->buckets <= b->positions && weights >= 1);
	b->count = (uint32) weights < b->buckets ? (uint32) weights : b->buckets;
	if (b->count > STACK_WEIGHTS)
		cumulative = sdc_alloc_array(double, b->count);
	for (uint32 d = 0; d < b->count; d++)
	{
		SDC_ASSERT(b->weight[d] > 0);
		sum += b->weight[d];
		cumulative[d] = sum;
	}
	b->cumulative = cumulative;

	swap_in_buckets(b);

	b->cumulative = NULL;
	if (cumulative != stack)
		sdc_free(cumulative);
}

/* sdc_rankswap_by_buckets swaps among buckets. */
void
sdc_rankswap_by_buckets(const SdcSwapRun *run, uint32 buckets, const SdcBucketWeights *weights)
{
	Buckets		b = {.run = run, .positions = run->n, .buckets = buckets,
	.weight = weights->weight};

	swap_by_buckets(&b, weights->count);
}

/* sdc_rankswap_lot_by_buckets does the same in a lot. */
void
sdc_rankswap_lot_by_buckets(const SdcSwapRun *run, const SdcSwapLot *lot, uint32 buckets,
							const SdcBucketWeights *weights)
{
	Buckets		b = {.run = run, .lot = lot, .positions = lot->positions, .buckets = buckets,
	.weight = weights->weight};

	swap_by_buckets(&b, weights->count);
}
