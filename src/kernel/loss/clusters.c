/*-------------------------------------------------------------------------
 *
 * clusters.c
 *		The standard error of a weighted mean.
 *
 * Constant time for each value; memory: 13 bytes a unit.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <math.h>

#include "kernel/loss/clusters.h"

/* sdc_clusters_start: see clusters.h. */
void
sdc_clusters_start(SdcClusters *clusters, const uint32 *of, uint32 units)
{
	memset(clusters, 0, sizeof(*clusters));
	clusters->of = of;
	if (of == NULL)
		return;
	clusters->sum = sdc_alloc_array(double, units);
	clusters->met = sdc_alloc_zeros(bool, units);
	clusters->unit = sdc_alloc_array(uint32, units);
}

/* sdc_clusters_end: see clusters.h. */
void
sdc_clusters_end(SdcClusters *clusters)
{
	if (clusters->of == NULL)
		return;
	sdc_free(clusters->unit);
	sdc_free(clusters->met);
	sdc_free(clusters->sum);
}

/* sdc_clusters_add: see clusters.h. */
void
sdc_clusters_add(SdcClusters *clusters, uint32 record, double deviation)
{
	uint32		unit;

	if (clusters->of == NULL)
	{
		clusters->count++;
		sdc_moments_add(&clusters->square, deviation * deviation);
		return;
	}
	unit = clusters->of[record];
	if (!clusters->met[unit])
	{
		clusters->met[unit] = true;
		clusters->sum[unit] = 0;
		clusters->unit[clusters->count++] = unit;
	}
	clusters->sum[unit] += deviation;
}

/* sdc_clusters_error: see clusters.h. */
double
sdc_clusters_error(SdcClusters *clusters, double mass)
{
	double		n = clusters->count;
	double		square;

	for (uint32 i = 0; clusters->of != NULL && i < clusters->count; i++)
	{
		double		sum = clusters->sum[clusters->unit[i]];

		sdc_moments_add(&clusters->square, sum * sum);
		clusters->met[clusters->unit[i]] = false;
		sdc_interrupts_step(i);
	}
	square = sdc_moments_total(&clusters->square);
	clusters->square = (SdcMomentsSum) {0, 0};
	clusters->count = 0;
	return n < 2 ? NAN : sqrt(n / (n - 1) * square) / mass;
}
