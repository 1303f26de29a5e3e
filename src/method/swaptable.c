/*-------------------------------------------------------------------------
 *
 * swaptable.c
 *		The table of the methods that swap by ranks.
 *
 * J. Nin, J. Herranz, V. Torra, "Rethinking rank swapping to decrease disclosure
 * risk", Data & Knowledge Engineering 64 (2008).  The windows are taken of the
 * records that have a value in the stratum.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "kernel/rank/rankswap.h"
#include "method/swaptable.h"
#include "relation/catalog/methods.h"

/* A mean that is not 0, as that of a tiny percentage would become; as small as any, it swaps neighbours. */
#define LEAST_MEAN 1e-300

/* run_standard runs standard rank swapping. */
static void
run_standard(const SdcSwapRun *run, const void *parameters)
{
	double		percent = ((const SdcRankParameters *) parameters)->percent;

	sdc_rankswap_by_window(run, sdc_rankswap_window(percent, run->n));
}

/* run_distribution runs rank swapping p-distribution: mu = sigma = 0.5 p n / 100. */
static void
run_distribution(const SdcSwapRun *run, const void *parameters)
{
	double		percent = ((const SdcRankParameters *) parameters)->percent;
	double		mu = Max(0.5 * percent * run->n / 100.0, LEAST_MEAN);

	sdc_rankswap_by_distribution(run, mu, mu);
}

/* run_buckets runs rank swapping p-buckets, with at most a bucket a position. */
static void
run_buckets(const SdcSwapRun *run, const void *parameters)
{
	uint32		buckets = ((const SdcRankParameters *) parameters)->buckets;

	sdc_rankswap_by_buckets(run, Min(buckets, run->n), &sdc_rankswap_halving);
}

/* lot_standard does so for a lot. */
static void
lot_standard(const SdcSwapRun *run, const SdcSwapLot *lot, const void *parameters)
{
	double		percent = ((const SdcRankParameters *) parameters)->percent;

	sdc_rankswap_lot_by_window(run, lot, sdc_rankswap_window(percent, lot->positions));
}

/* lot_distribution does so for a lot. */
static void
lot_distribution(const SdcSwapRun *run, const SdcSwapLot *lot, const void *parameters)
{
	double		percent = ((const SdcRankParameters *) parameters)->percent;
	double		mu = Max(0.5 * percent * lot->positions / 100.0, LEAST_MEAN);

	sdc_rankswap_lot_by_distribution(run, lot, mu, mu);
}

/* lot_buckets does so for a lot. */
static void
lot_buckets(const SdcSwapRun *run, const SdcSwapLot *lot, const void *parameters)
{
	uint32		buckets = ((const SdcRankParameters *) parameters)->buckets;

	sdc_rankswap_lot_by_buckets(run, lot, Min(buckets, lot->positions), &sdc_rankswap_halving);
}

/* window_percent is the window of the methods that have a percentage. */
static uint32
window_percent(uint32 positions, const void *parameters)
{
	return sdc_rankswap_window(((const SdcRankParameters *) parameters)->percent, positions);
}

/* window_buckets is two buckets. */
static uint32
window_buckets(uint32 positions, const void *parameters)
{
	uint32		buckets = Min(((const SdcRankParameters *) parameters)->buckets, positions);

	return 2 * ((positions + buckets - 1) / buckets);
}

/* sdc_swaptable_get returns a method. */
SdcSwapMethod
sdc_swaptable_get(SdcRankKind kind, const SdcRankParameters *parameters)
{
	static const SdcSwapMethod methods[] = {
		{SDC_METHOD_RANKSWAP, run_standard, lot_standard, window_percent, 0, NULL},
		{SDC_METHOD_RANKSWAP_DISTRIBUTION, run_distribution, lot_distribution, window_percent, 0, NULL},
		{SDC_METHOD_RANKSWAP_BUCKETS, run_buckets, lot_buckets, window_buckets, 0, NULL}
	};
	SdcSwapMethod method = methods[kind];

	method.percent = kind == SDC_RANK_BUCKETS ? 100.0 / parameters->buckets : parameters->percent;
	method.parameters = parameters;
	return method;
}

/* sdc_swaptable_find: see swaptable.h. */
SdcSwapMethod
sdc_swaptable_find(const char *name, const SdcRankParameters *parameters)
{
	SdcSwapMethod method;

	for (SdcRankKind kind = SDC_RANK_STANDARD; kind <= SDC_RANK_BUCKETS; kind++)
	{
		method = sdc_swaptable_get(kind, parameters);
		if (strcmp(method.name, name) == 0)
			return method;
	}
	elog(ERROR, "method \"%s\" does not swap by ranks", name);
}
