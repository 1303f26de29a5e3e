/*-------------------------------------------------------------------------
 *
 * equidepth.c
 *		Equi-depth partitioning: bins of about k records that are near each other.
 *
 * One attribute: the records in the order of their values, ties by record, are cut into
 * floor(n / k) runs of k; the remainder joins the last one.
 *
 * Several attributes: the maximum distance heuristic of microaggregation (J. Domingo-Ferrer and
 * J. M. Mateo-Sanz, "Practical data-oriented microaggregation for statistical disclosure
 * control", IEEE Transactions on Knowledge and Data Engineering 14, 2002), in which the two
 * most distant records collect their neighbours.  What it leaves open is fixed here.  With
 * the records of the task in the order of their numbers:
 *
 * - z = (x - m) / s; m is the mean and s the population standard deviation, both from
 *   compensated sums in the order of the records (column_scale).  All z of an attribute
 *   whose values are equal are 0;
 * - d2(a, b) is the sum over the attributes, in their order, of (z_a - z_b)^2, in double
 *   precision as it comes out: no tolerance anywhere;
 * - while at least 2 k records remain: of the pairs r < s with the greatest d2 take the one
 *   with the smallest r, then the smallest s; r and its k - 1 nearest of the others but s,
 *   ties by record, are a bin; s and its k - 1 nearest of the rest are the next one;
 * - then k or more that remain are a bin; fewer join, each by itself, the bin with the
 *   nearest centroid, ties by the number of the bin.  The centroid is the mean of z of the
 *   bin's records before any joined: summed in the order of the records, divided by k;
 * - fewer than k records are one bin.
 *
 * Bins are numbered in the order in which they are made.
 *
 * Complexity: one attribute linear or nearly so.  Several: n / (2 k) rounds, in each a search
 * for the most distant pair that remembers what the ones before have found (farpair.c), and
 * two for neighbours in a tree that shrinks (shrinktree.c), instead of the n^3 / (12 k)
 * distances of the definition.  In few dimensions that grows little faster than n; with
 * many it comes to n^2, and more where distances hardly differ.  Leftovers take O(n
 * attributes).  Memory: O(n attributes), see sdc_equidepth_memory.  Determinism: the result
 * is that of the definition, bit by bit.  Limits: fewer than 2^32 - 16 records.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <math.h>

#include "kernel/base/moments.h"
#include "kernel/base/rankorder.h"
#include "kernel/base/sortkey.h"
#include "kernel/bins/equidepth.h"
#include "kernel/bins/farpair.h"
#include "kernel/bins/shrinktree.h"

/* A tree with fewer points is not worth a rebuild. */
#define REBUILD_LEAST 64

typedef struct Partition
{
	/* set once */
	const SdcEquidepthTask *task;
	uint32		n;				/* records, called 0 .. n - 1 in their order here */
	uint32		k;
	int			attributes;
	double	  **z;				/* of each attribute, by record */

	/* changed as bins are made */
	uint32	   *bin;			/* by record: number from 0 on */
	uint32		bins;
	SdcShrinktree *tree;		/* of the records that remain */
	SdcFarpair *search;
	uint32		built;			/* records in it when it was built */
	SdcShrinkPoint *nearest;	/* room for k - 1 neighbours */

	uint32		credit;			/* steps until the next interrupt check */
} Partition;

/* record_of is the number of the i-th record of a task. */
static inline uint32
record_of(const SdcEquidepthTask *task, uint32 i)
{
	return task->record == NULL ? i : task->record[i];
}

/* bins_for is the number of bins of n > 0 records. */
static inline uint32
bins_for(uint32 n, uint32 k)
{
	return n < k ? 1 : n / k;
}

/* sdc_equidepth_memory takes the sum of what any k needs, for one attribute or several. */
uint64
sdc_equidepth_memory(uint32 records, int attributes)
{
	uint64		n = records;

	if (attributes == 1)
		return n * (sizeof(uint64) + 2 * sizeof(uint32)) + sdc_rankorder_memory(records);
	return n * (sizeof(double) * attributes + sizeof(uint32)) + sizeof(double *) * attributes +
		sdc_shrinktree_memory(records, attributes) + sdc_farpair_memory(records) +

	/* neighbours, and when these are gone centroids, at most n / 2 and room for the sums */
		n * (sizeof(SdcShrinkPoint) / 2 + sizeof(double) * attributes / 2);
}

/* partition_values cuts the order of the values of one attribute into runs. */
static uint32
partition_values(const SdcEquidepthTask *task, uint32 first, uint32 *bin)
{
	uint32		n = task->records;
	uint32		bins = bins_for(n, task->k);
	uint64	   *key = sdc_alloc_array(uint64, n);
	uint32	   *tie = sdc_alloc_array(uint32, n);
	uint32	   *order = sdc_alloc_array(uint32, n);
	void	   *work = sdc_alloc(sdc_rankorder_memory(n));
	uint32		credit = 0;

	for (uint32 i = 0; i < n; i++)
	{
		sdc_interrupts_spend(&credit, 1);
		key[i] = sdc_sortkey_from_float8(task->value[0][record_of(task, i)]);
		tie[i] = 0;				/* the record decides */
	}
	sdc_rankorder_sort(key, NULL, n, tie, work, order);
	for (uint32 i = 0; i < n; i++)
	{
		uint32		run = i / task->k;

		sdc_interrupts_spend(&credit, 1);
		bin[record_of(task, order[i])] = first + (run < bins ? run : bins - 1);
	}
	sdc_free(key);
	sdc_free(tie);
	sdc_free(order);
	sdc_free(work);
	return bins;
}

/*
 * column_scale finds mean and standard deviation of a column; the latter is 0 if all values
 * are equal.  The mean is a double, and not quite the mean: the sum of the deviations from it
 * corrects their squares (T. F. Chan, G. H. Golub and R. J. LeVeque, The American Statistician
 * 37, 1983).
 */
static double
column_scale(Partition *partition, const double *x, double *mean)
{
	double		n = partition->n;
	bool		constant = true;
	SdcMomentsSum sum = {0, 0};
	SdcMomentsSum squares = {0, 0};
	double		excess;

	for (uint32 i = 0; i < partition->n; i++)
	{
		sdc_interrupts_spend(&partition->credit, 1);
		constant &= x[i] == x[0];
		sdc_moments_add(&sum, x[i]);
	}
	*mean = sdc_moments_total(&sum) / n;
	if (constant)
		return 0;
	sum.sum = sum.carry = 0;
	for (uint32 i = 0; i < partition->n; i++)
	{
		double		deviation = x[i] - *mean;

		sdc_interrupts_spend(&partition->credit, 1);
		sdc_moments_add(&sum, deviation);
		sdc_moments_add(&squares, deviation * deviation);
	}
	excess = sdc_moments_total(&sum);
	return sqrt((sdc_moments_total(&squares) - excess * excess / n) / n);
}

/*
 * fill_scores computes the z of an attribute.  The values are brought near 1 by a power of two
 * first, which no z depends on, so that nothing overflows or vanishes.
 */
static void
fill_scores(Partition *partition, const double *value, double *z)
{
	double		greatest = 0;
	double		mean;
	double		deviation;
	int			exponent;

	for (uint32 i = 0; i < partition->n; i++)
	{
		sdc_interrupts_spend(&partition->credit, 1);
		z[i] = value[record_of(partition->task, i)];
		greatest = fabs(z[i]) > greatest ? fabs(z[i]) : greatest;
	}
	frexp(greatest, &exponent);
	for (uint32 i = 0; i < partition->n; i++)
	{
		sdc_interrupts_spend(&partition->credit, 1);
		z[i] = ldexp(z[i], -exponent);
	}
	deviation = column_scale(partition, z, &mean);
	for (uint32 i = 0; i < partition->n; i++)
	{
		sdc_interrupts_spend(&partition->credit, 1);
		z[i] = deviation > 0 ? (z[i] - mean) / deviation : 0;
	}
}

/* take moves a record from the tree to the bin that is being made. */
static void
take(Partition *partition, uint32 record)
{
	sdc_interrupts_spend(&partition->credit, SDC_SHRINKTREE_LEAF);
	sdc_shrinktree_remove(partition->tree, record);
	partition->bin[record] = partition->bins;
}

/* make_bin completes a bin with the nearest of a record that has been taken already. */
static void
make_bin(Partition *partition, uint32 record)
{
	partition->bin[record] = partition->bins;
	sdc_shrinktree_nearest(partition->tree, record, partition->k - 1, partition->nearest);
	for (uint32 i = 0; i < partition->k - 1; i++)
		take(partition, partition->nearest[i].point);
	partition->bins++;
}

/* make_pairs_of_bins makes two bins after the other while 2 k records remain. */
static void
make_pairs_of_bins(Partition *partition)
{
	while (sdc_shrinktree_left(partition->tree) / 2 >= partition->k)
	{
		uint32		left = sdc_shrinktree_left(partition->tree);
		uint32		r;
		uint32		s;

		SDC_REPORT(partition->n - left, partition->n);
		if (left < partition->built / 2 && left >= REBUILD_LEAST)
		{
			sdc_shrinktree_rebuild(partition->tree);
			sdc_farpair_rebuilt(partition->search);
			partition->built = left;
		}
		sdc_farpair_find(partition->search, &r, &s);
		take(partition, r);
		take(partition, s);
		make_bin(partition, r);
		make_bin(partition, s);
	}
}

/* fill_centroids computes the centroid of every bin: attributes numbers each. */
static void
fill_centroids(Partition *partition, double *centroid)
{
	int			attributes = partition->attributes;

	for (Size i = 0; i < (Size) partition->bins * attributes; i++)
	{
		sdc_interrupts_spend(&partition->credit, 1);
		centroid[i] = 0;
	}
	for (uint32 i = 0; i < partition->n; i++)
	{
		double	   *sum = centroid + (Size) partition->bin[i] * attributes;

		sdc_interrupts_spend(&partition->credit, attributes);
		if (sdc_shrinktree_has(partition->tree, i))
			continue;
		for (int d = 0; d < attributes; d++)
			sum[d] += partition->z[d][i];
	}
	for (Size i = 0; i < (Size) partition->bins * attributes; i++)
	{
		sdc_interrupts_spend(&partition->credit, 1);
		centroid[i] /= partition->k;
	}
}

/* nearest_bin is the bin with the nearest centroid to a record. */
static uint32
nearest_bin(Partition *partition, const double *centroid, uint32 record)
{
	double		least = INFINITY;
	uint32		nearest = 0;

	for (uint32 bin = 0; bin < partition->bins; bin++)
	{
		double		sum = 0;

		sdc_interrupts_spend(&partition->credit, partition->attributes);
		for (int d = 0; d < partition->attributes; d++)
		{
			double		difference = partition->z[d][record] - *centroid++;

			sum += difference * difference;
		}
		if (sum < least)
		{
			least = sum;
			nearest = bin;
		}
	}
	return nearest;
}

/* place_leftovers makes a last bin of what remains, or spreads it over the bins there are. */
static void
place_leftovers(Partition *partition)
{
	uint32		left = sdc_shrinktree_left(partition->tree);
	bool		enough = left >= partition->k || partition->bins == 0;
	double	   *centroid = NULL;

	if (left == 0)
		return;
	if (!enough)
	{
		centroid = sdc_alloc_matrix(double, partition->bins, partition->attributes);
		fill_centroids(partition, centroid);
	}
	for (uint32 i = 0; i < partition->n; i++)
	{
		sdc_interrupts_spend(&partition->credit, 1);
		if (!sdc_shrinktree_has(partition->tree, i))
			continue;
		partition->bin[i] = enough ? partition->bins : nearest_bin(partition, centroid, i);
	}
	if (enough)
		partition->bins++;
	else
		sdc_free(centroid);
}

/* partition_points does it for several attributes. */
static uint32
partition_points(const SdcEquidepthTask *task, uint32 first, uint32 *bin)
{
	uint32		n = task->records;
	Partition	partition = {.task = task,.n = n,.k = task->k,.attributes = task->attributes};

	partition.bin = sdc_alloc_zeros(uint32, n);
	partition.z = sdc_alloc_array(double *, task->attributes);
	for (int d = 0; d < task->attributes; d++)
	{
		partition.z[d] = sdc_alloc_array(double, n);
		fill_scores(&partition, task->value[d], partition.z[d]);
	}
	partition.tree = sdc_shrinktree_create((const double *const *) partition.z,
										   task->attributes, n);
	partition.built = n;
	if (n / 2 >= task->k)
	{
		partition.search = sdc_farpair_create(partition.tree);
		partition.nearest = sdc_alloc_array(SdcShrinkPoint, task->k);
		make_pairs_of_bins(&partition);
		sdc_farpair_destroy(partition.search);
		sdc_free(partition.nearest);
	}
	place_leftovers(&partition);
	SDC_ASSERT(partition.bins == bins_for(n, task->k));
	for (uint32 i = 0; i < n; i++)
	{
		sdc_interrupts_spend(&partition.credit, 1);
		bin[record_of(task, i)] = first + partition.bin[i];
	}
	sdc_shrinktree_destroy(partition.tree);
	for (int d = 0; d < task->attributes; d++)
		sdc_free(partition.z[d]);
	sdc_free(partition.z);
	sdc_free(partition.bin);
	return partition.bins;
}

/* sdc_equidepth: see equidepth.h. */
uint32
sdc_equidepth(const SdcEquidepthTask *task, uint32 first, uint32 *bin)
{
	SDC_ASSERT(task->attributes >= 1 && task->k >= 2);
	if (task->records == 0)
		return 0;
	return task->attributes == 1 ? partition_values(task, first, bin) :
		partition_points(task, first, bin);
}
