/*-------------------------------------------------------------------------
 *
 * lottwin.h
 *		Swapping a lot, from its definition: lists of candidates and nothing else.
 *
 * The draws are those that rankswap.c describes: what is drawn by rejection there is so here.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_TEST_LOTTWIN_H
#define SDC_TEST_LOTTWIN_H

#include <math.h>

#include "kernel/rank/rankswap.h"

#define LOT_NOBODY UINT32_MAX

typedef enum LotMethod
{
	LOT_STANDARD, LOT_DISTRIBUTION, LOT_BUCKETS
} LotMethod;

typedef struct LotSetting
{
	LotMethod	method;
	double		percent;		/* standard and p-distribution */
	uint32		buckets;
} LotSetting;

/* lot_window is w of a setting and a column: beyond it a pair is far. */
static inline uint32
lot_window(const LotSetting *s, uint32 positions)
{
	double		w = floor(s->percent * positions / 100 + 0.5);

	if (s->method == LOT_BUCKETS)
		return 2 * (positions / s->buckets + (positions % s->buckets != 0));
	return w < 1 ? 1 : (w > positions ? positions : (uint32) w);
}

/* lot_run runs the kernel of a setting, on a lot or on a whole column. */
static inline void
lot_run(const LotSetting *s, const SdcSwapRun *run, const SdcSwapLot *lot)
{
	uint32		positions = lot ? lot->positions : run->n;
	double		mu = 0.5 * s->percent * positions / 100;
	uint32		buckets = s->buckets < positions ? s->buckets : positions;

	if (s->method == LOT_STANDARD && lot)
		sdc_rankswap_lot_by_window(run, lot, lot_window(s, positions));
	else if (s->method == LOT_STANDARD)
		sdc_rankswap_by_window(run, lot_window(s, positions));
	else if (s->method == LOT_DISTRIBUTION && lot)
		sdc_rankswap_lot_by_distribution(run, lot, mu, mu);
	else if (s->method == LOT_DISTRIBUTION)
		sdc_rankswap_by_distribution(run, mu, mu);
	else if (lot)
		sdc_rankswap_lot_by_buckets(run, lot, buckets, &sdc_rankswap_halving);
	else
		sdc_rankswap_by_buckets(run, buckets, &sdc_rankswap_halving);
}

/* lot_normal_below is the distribution function, in long double. */
static inline long double
lot_normal_below(long double z)
{
	return 0.5L * erfcl(-z / sqrtl(2.0L));
}

/* lot_distance draws r = round(N(mu, mu)) given 1 <= r <= most, by bisection. */
static inline uint32
lot_distance(SdcStream *stream, double mu, uint32 most)
{
	long double low = lot_normal_below((0.5L - mu) / mu);
	long double high = lot_normal_below((most + 0.5L - mu) / mu);
	long double p = low + (high - low) * sdc_stream_uniform(stream);
	long double from = -40;
	long double to = 40;
	long double r;

	for (int i = 0; i < 80; i++)
	{
		long double middle = (from + to) / 2;

		if (lot_normal_below(middle) < p)
			from = middle;
		else
			to = middle;
	}
	r = floorl(mu + mu * from + 0.5L);
	return r < 1 ? 1 : (r > most ? most : (uint32) r);
}

/* lot_between draws uniformly among the elements [from, to) that have no mate. */
static inline uint32
lot_between(SdcStream *stream, const uint32 *mate, uint32 from, uint32 to)
{
	uint32		candidates = 0;
	uint32		k;

	for (int trial = 0; trial < 32 && to - from > 64; trial++)
	{
		uint32		j = from + sdc_stream_below(stream, to - from);

		if (mate[j] == LOT_NOBODY)
			return j;
	}
	for (uint32 j = from; j < to; j++)
		candidates += mate[j] == LOT_NOBODY;
	if (candidates == 0)
		return LOT_NOBODY;
	k = sdc_stream_below(stream, candidates);
	for (uint32 j = from; j < to; j++)
	{
		if (mate[j] == LOT_NOBODY && k-- == 0)
			return j;
	}
	abort();
}

/* lot_standard: in the window; with stretch the nearest above if there is nobody. */
static inline uint32
lot_standard(const LotSetting *s, SdcStream *stream, const uint32 *position, uint32 n,
			 uint32 positions, const uint32 *mate, uint32 i, bool stretch)
{
	uint32		end = i + 1;
	uint32		partner;

	while (end < n && position[end] - position[i] <= lot_window(s, positions))
		end++;
	partner = lot_between(stream, mate, i + 1, end);
	for (uint32 j = i + 1; stretch && partner == LOT_NOBODY && j < n; j++)
	{
		if (mate[j] == LOT_NOBODY)
			partner = j;
	}
	return partner;
}

/* lot_distribution: nearest to a drawn distance, of two the lower. */
static inline uint32
lot_distribution(const LotSetting *s, SdcStream *stream, const uint32 *position, uint32 n,
				 uint32 positions, const uint32 *mate, uint32 i)
{
	uint32		r = lot_distance(stream, 0.5 * s->percent * positions / 100,
								 positions - 1 - position[i]);
	int64		target = (int64) position[i] + r;
	uint32		best = LOT_NOBODY;

	for (uint32 j = i + 1; j < n; j++)
	{
		if (mate[j] == LOT_NOBODY &&
			(best == LOT_NOBODY || llabs((long long) (position[j] - target)) <
			 llabs((long long) (position[best] - target))))
			best = j;
	}
	return best;
}

/* lot_pick draws a distance below reach with the halving weights, among the eligible ones. */
static inline uint32
lot_pick(SdcStream *stream, const bool *eligible, uint32 reach)
{
	double		sum = 0;
	double		x;
	uint32		last = 0;

	for (uint32 d = 0; d < reach; d++)
		sum += eligible == NULL || eligible[d] ? ldexp(1, -(int) d - 1) : 0;
	x = sdc_stream_uniform(stream) * sum;
	sum = 0;
	for (uint32 d = 0; d < reach; d++)
	{
		if (eligible != NULL && !eligible[d])
			continue;
		sum += ldexp(1, -(int) d - 1);
		last = d;
		if (x < sum)
			break;
	}
	return last;
}

/* lot_buckets: a bucket that has an unswapped element, then one of these. */
static inline uint32
lot_buckets(const LotSetting *s, SdcStream *stream, const uint32 *position, uint32 n,
			uint32 positions, const uint32 *mate, uint32 i)
{
	uint32		count = s->buckets < positions ? s->buckets : positions;
	uint32		own = (uint32) ((uint64) position[i] * count / positions);
	uint32		reach = count - own < 63 ? count - own : 63;
	bool	   *eligible = calloc(count + 1, sizeof(bool));
	uint32		nearest = 0;
	uint32		d = 0;
	uint32		from = LOT_NOBODY;
	uint32		to = 0;
	bool		found = false;

	for (uint32 j = i + 1; j < n; j++)
	{
		if (mate[j] == LOT_NOBODY)
			eligible[(uint64) position[j] * count / positions - own] = true;
	}
	while (!eligible[nearest])
		nearest++;
	for (int trial = 0; trial < 8 && !found; trial++)
	{
		d = lot_pick(stream, NULL, reach);
		found = eligible[d];
	}
	if (!found)
		d = nearest >= reach ? nearest : lot_pick(stream, eligible, reach);
	for (uint32 j = i + 1; j < n; j++)
	{
		if ((uint64) position[j] * count / positions != own + d)
			continue;
		from = from == LOT_NOBODY ? j : from;
		to = j + 1;
	}
	free(eligible);
	return lot_between(stream, mate, from, to);
}

/*
 * lot_twin swaps n elements at ascending positions of a column; mate gets the number of each
 * one's partner, or LOT_NOBODY.
 */
static inline void
lot_twin(const LotSetting *s, SdcStream *stream, const uint32 *position, uint32 n,
		 uint32 positions, bool stretch, uint32 *mate)
{
	for (uint32 i = 0; i < n; i++)
		mate[i] = LOT_NOBODY;
	for (uint32 i = 0; i < n; i++)
	{
		uint32		free_above = 0;
		uint32		partner;

		for (uint32 j = i + 1; j < n; j++)
			free_above += mate[j] == LOT_NOBODY;
		if (mate[i] != LOT_NOBODY || free_above == 0)
			continue;
		if (s->method == LOT_STANDARD)
			partner = lot_standard(s, stream, position, n, positions, mate, i, stretch);
		else if (s->method == LOT_DISTRIBUTION)
			partner = lot_distribution(s, stream, position, n, positions, mate, i);
		else
			partner = lot_buckets(s, stream, position, n, positions, mate, i);
		if (partner == LOT_NOBODY)
			continue;
		mate[i] = partner;
		mate[partner] = i;
	}
}

#endif							/* SDC_TEST_LOTTWIN_H */
