/*-------------------------------------------------------------------------
 *
 * clusters.h
 *		The standard error of a weighted mean.
 *
 * With the weights w, W of them in all, and the mean m it is sqrt(n / (n - 1) sum of (w (x - m))^2) / W, as if the n
 * values
 * were drawn with replacement: the error by linearization, without the strata of the design.  Of units with several
 * values n are the units, and the squares are of the sums over their values (e. g. C.-E. Sarndal, B. Swensson and
 * J. Wretman, Model Assisted Survey Sampling, 1992, chapter 5).
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_CLUSTERS_H
#define SDC_KERNEL_CLUSTERS_H

#include "kernel/base/kernel_env.h"
#include "kernel/base/moments.h"

typedef struct SdcClusters
{
	const uint32 *of;			/* the unit of every record, or NULL: each record is one */
	double	   *sum;			/* of every unit that was met */
	bool	   *met;			/* all false between two means */
	uint32	   *unit;			/* those that were met */
	uint32		count;			/* how many */
	SdcMomentsSum square;		/* without units */
} SdcClusters;

/* sdc_clusters_start makes room for units of records, none with of NULL; sdc_clusters_end gives it back. */
extern void sdc_clusters_start(SdcClusters *clusters, const uint32 *of, uint32 units);
extern void sdc_clusters_end(SdcClusters *clusters);

/* sdc_clusters_add adds the weighted deviation of a record's value. */
extern void sdc_clusters_add(SdcClusters *clusters, uint32 record, double deviation);

/*
 * sdc_clusters_error is the error of the mean of what was added, and begins another one: NaN for less than two units.
 */
extern double sdc_clusters_error(SdcClusters *clusters, double mass);

#endif							/* SDC_KERNEL_CLUSTERS_H */
