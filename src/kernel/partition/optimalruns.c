/*-------------------------------------------------------------------------
 *
 * optimalruns.c
 *		Sorted numbers cut into runs that differ least within.
 *
 * Groups of at least k numbers that differ least are runs of k to 2 k - 1 of the sorted numbers, so the best ones are a
 * shortest path over the places where runs can end (S. L. Hansen, S. Mukherjee, "A polynomial algorithm for optimal
 * univariate microaggregation", IEEE Transactions on Knowledge and Data Engineering 15, 2003).
 *
 * The squares within a run are summed over the distances from its last number, and the costs of many runs with what
 * their additions lose: so neither large numbers nor many of them make equal costs differ.
 *
 * Complexity: O(n k) time, 20 bytes a number.  Determinism: by the inputs.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/partition/optimalruns.h"

#include "kernel/base/moments.h"

/* The cheapest way to cut the numbers in front of every place, and how long its last run is. */
typedef struct Path
{
	const double *value;
	uint32		k;
	double		tie;
	SdcMomentsSum *cost;
	uint32	   *last;
	uint32		credit;
} Path;

/* squares_of returns the sum of the squares of the distances from the mean. */
static double
squares_of(const double *value, uint32 n)
{
	SdcMomentsSum sum = {0, 0};
	SdcMomentsSum squares = {0, 0};
	double		mean;

	for (uint32 i = 0; i < n; i++)
	{
		sdc_interrupts_step(i);
		sdc_moments_add(&sum, value[i]);
	}
	mean = sdc_moments_total(&sum) / n;
	for (uint32 i = 0; i < n; i++)
	{
		sdc_interrupts_step(i);
		sdc_moments_add(&squares, (value[i] - mean) * (value[i] - mean));
	}
	return n > 0 && value[0] < value[n - 1] ? sdc_moments_total(&squares) : 0;
}

/* less tells whether a cost is less than another one by more than a tie. */
static inline bool
less(const SdcMomentsSum *cost, const SdcMomentsSum *other, double tie)
{
	return (other->sum - cost->sum) + (other->carry - cost->carry) > tie;
}

/* find_last finds the last run in front of a place, the shortest one of equally good ones. */
static void
find_last(Path *path, uint32 end)
{
	uint32		longest = 2 * (uint64) path->k - 1 < end ? 2 * path->k - 1 : end;
	double		from = path->value[end - 1];
	double		sum = 0;
	double		squares = 0;
	bool		found = false;

	for (uint32 length = 1; length <= longest; length++)
	{
		uint32		start = end - length;
		double		distance = path->value[start] - from;
		double		within;
		SdcMomentsSum cost;

		sdc_interrupts_spend(&path->credit, 1);
		sum += distance;
		squares += distance * distance;
		if (length < path->k || (start > 0 && start < path->k))
			continue;
		cost = path->cost[start];
		within = squares - sum * sum / length;
		sdc_moments_add(&cost, within > 0 ? within : 0);
		if (found && !less(&cost, &path->cost[end], path->tie))
			continue;
		path->cost[end] = cost;
		path->last[end] = length;
		found = true;
	}
	SDC_ASSERT(found);
}

/* number_runs numbers the runs from the last to the first, and returns how many there are. */
static uint32
number_runs(const uint32 *last, uint32 n, uint32 *run)
{
	uint32		runs = 0;
	uint32		number;

	for (uint32 end = n; end > 0; end -= last[end])
		runs++;
	number = runs;
	for (uint32 end = n; end > 0; end -= last[end])
	{
		number--;
		for (uint32 i = end - last[end]; i < end; i++)
			run[i] = number;
	}
	return runs;
}

/* sdc_optimalruns: see optimalruns.h. */
uint32
sdc_optimalruns(const double *value, uint32 n, uint32 k, uint32 *run, double *within, double *squares)
{
	Path		path = {.value = value, .k = k};
	uint32		runs;

	SDC_ASSERT(k >= 1 && n >= k);
	*squares = squares_of(value, n);
	path.tie = SDC_OPTIMALRUNS_TIE * *squares;
	path.cost = sdc_alloc_array(SdcMomentsSum, (uint64) n + 1);
	path.last = sdc_alloc_array(uint32, (uint64) n + 1);
	path.cost[0] = (SdcMomentsSum) {0, 0};
	for (uint32 end = k; end <= n && end >= k; end++)
		find_last(&path, end);
	runs = number_runs(path.last, n, run);
	*within = sdc_moments_total(&path.cost[n]);
	sdc_free(path.last);
	sdc_free(path.cost);
	return runs;
}
