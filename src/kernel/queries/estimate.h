/*-------------------------------------------------------------------------
 *
 * estimate.h
 *		Counts, sums and averages of the original, estimated from a randomized release.
 *
 * For somebody who has the release, its qi, and the probabilities of RA 1 or the number of draws of RA 2.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_ESTIMATE_H
#define SDC_KERNEL_ESTIMATE_H

#include "kernel/base/kernel_env.h"

/* More conditions have too many patterns. */
#define SDC_ESTIMATE_CONDITIONS 16

typedef enum SdcEstimateStatistic
{
	SDC_ESTIMATE_COUNT,
	SDC_ESTIMATE_SUM,
	SDC_ESTIMATE_AVG
} SdcEstimateStatistic;

/* The column that is summed. */
typedef enum SdcEstimateMeasure
{
	SDC_ESTIMATE_NONE,			/* count only */
	SDC_ESTIMATE_COPIED,		/* its values are the original ones */
	SDC_ESTIMATE_RANDOMIZED		/* it is in qi */
} SdcEstimateMeasure;

/*
 * One stratum.  Patterns are numbered 0 .. 2^conditions - 1: bit j is set if condition j holds.  The records of
 * a pattern have a value in the columns of all conditions, and in the measure if there is one: others satisfy nothing.
 * Sums are of d = x - center, and of d^2, center being whatever is near the mean of x.
 */
typedef struct SdcEstimateStratum
{
	const uint64 *records;		/* by pattern */
	const double *sum;			/* by pattern, of d; NULL without a measure */
	const double *square;		/* of d^2 */

	/* All records of the release, also those that lack a value elsewhere. */
	const uint64 *present;		/* by condition: with a value in its column */
	const uint64 *holds;		/* those for which it holds */

	/* A randomized measure: records with a value in it; if it has a condition, those for which it holds. */
	uint64		measured;
	double		measured_sum;	/* of d over these */
	double		measured_square;
} SdcEstimateStratum;

typedef struct SdcEstimateTask
{
	SdcEstimateStatistic statistic;
	int			conditions;		/* 1 .. SDC_ESTIMATE_CONDITIONS, each on a column of its own */
	SdcEstimateMeasure measure;
	int			own;			/* the condition on a randomized measure, or -1 */
	double		center;

	/*
	 * How columns were drawn: element j is for the column of condition j, and the element after the last for a
	 * randomized measure without a condition.
	 */
	const double *probability;	/* RA 1: p of the column, 0 if it is copied; NULL: RA 2 */
	const bool *drawn;			/* RA 2, PRAM: the column is in qi */
	int			attributes;		/* RA 2: columns of qi, m */
	int			draws;			/* RA 2: k of them are drawn */
	double		retain;			/* PRAM: each column that is in qi keeps its value with this probability; 0: not so */

	const SdcEstimateStratum *stratum;
	uint32		strata;			/* without strata 1 */
} SdcEstimateTask;

typedef struct SdcEstimate
{
	double		estimate;		/* NaN: an average of nobody */
	double		standard_error;
	double		low;			/* the interval of 95 percent */
	double		high;
	double		raw;			/* the same statistic of the release as it is */
} SdcEstimate;

/*
 * sdc_estimate_identifiable: whether the release tells anything of the combination of conditions.  It
 * does not if one of its columns is certainly drawn.
 */
extern bool sdc_estimate_identifiable(const SdcEstimateTask *task);

/* sdc_estimate_run estimates what is identifiable; O(strata conditions 2^conditions). */
extern void sdc_estimate_run(const SdcEstimateTask *task, SdcEstimate *result);

#endif							/* SDC_KERNEL_ESTIMATE_H */
