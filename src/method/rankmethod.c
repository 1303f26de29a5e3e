/*-------------------------------------------------------------------------
 *
 * rankmethod.c
 *		The three rank swapping methods as the protection layer sees them.
 *
 * J. Nin, J. Herranz, V. Torra, "Rethinking rank swapping to decrease disclosure
 * risk", Data & Knowledge Engineering 64 (2008).  The windows are taken of the
 * records that have a value in the stratum.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "kernel/rank/rankswap.h"
#include "method/rankmethod.h"

/* A mean that is not 0, as that of a tiny percentage would become; as small as any, it swaps neighbours. */
#define LEAST_MEAN 1e-300

/* run_standard runs standard rank swapping. */
static void
run_standard(const SdcSwapRun *run, const void *parameters)
{
	double		percent = ((const SdcRankParameters *) parameters)->percent;

	sdc_rankswap_standard(run, sdc_rankswap_window(percent, run->n));
}

/* run_distribution runs rank swapping p-distribution: mu = sigma = 0.5 p n / 100. */
static void
run_distribution(const SdcSwapRun *run, const void *parameters)
{
	double		percent = ((const SdcRankParameters *) parameters)->percent;
	double		mu = Max(0.5 * percent * run->n / 100.0, LEAST_MEAN);

	sdc_rankswap_distribution(run, mu, mu);
}

/* run_buckets runs rank swapping p-buckets, with at most a bucket a position. */
static void
run_buckets(const SdcSwapRun *run, const void *parameters)
{
	uint32		buckets = ((const SdcRankParameters *) parameters)->buckets;

	sdc_rankswap_buckets(run, Min(buckets, run->n), &sdc_rankswap_halving);
}

/* sdc_rankmethod returns a method without parameters. */
const SdcSwapMethod *
sdc_rankmethod(SdcRankKind kind)
{
	static const SdcSwapMethod methods[] = {
		{"rankswap", run_standard, NULL},
		{"rankswap_distribution", run_distribution, NULL},
		{"rankswap_buckets", run_buckets, NULL}
	};

	return &methods[kind];
}

/* sdc_rankmethod_check_buckets checks a number of buckets. */
uint32
sdc_rankmethod_check_buckets(Datum value, bool isnull)
{
	if (isnull)
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("argument \"buckets\" must not be null")));
	if (DatumGetInt32(value) < 1)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("argument \"buckets\" is out of range"),
				 errhint("It must be at least 1.")));
	return (uint32) DatumGetInt32(value);
}
