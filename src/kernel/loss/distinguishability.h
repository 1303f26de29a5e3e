/*-------------------------------------------------------------------------
 *
 * distinguishability.h
 *		How well a linear model tells released records from original ones.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_DISTINGUISHABILITY_H
#define SDC_KERNEL_DISTINGUISHABILITY_H

#include "kernel/base/kernel_env.h"
#include "kernel/base/pairs.h"

/* A column of both files: numbers, or codes that are common to both and have the order of the values. */
typedef struct SdcDistinguishColumn
{
	const double *original_value;	/* what is not finite is missing; NULL: the column has codes */
	const double *protected_value;
	const uint32 *original_code;	/* or SDC_CODE_NULL, which is the last value */
	const uint32 *protected_code;
	uint32		codes;
} SdcDistinguishColumn;

typedef struct SdcDistinguishTask
{
	uint32		originals;		/* records of the source */
	uint32		releases;		/* records of the release */
	int			columns;
	const SdcDistinguishColumn *column;
	bool		pairs;			/* also products of the features of two columns */
} SdcDistinguishTask;

/* Without records in either file all is 0. */
typedef struct SdcDistinguishability
{
	double		r2;				/* share of the variance of "is released" that is explained */
	double		pmse;			/* propensity mean squared error */
	double		chance;			/* r2 to be expected with labels at random */
	uint32		rank;			/* features that do not depend on others */
} SdcDistinguishability;

/*
 * sdc_distinguishability_features is the number of features: the caller compares it with the largest that it allows.
 * O(records columns).
 */
extern uint64 sdc_distinguishability_features(const SdcDistinguishTask *task);

/*
 * sdc_distinguishability_measure: O(records columns^2), with pairs O(records columns^4), and O(features^3).
 */
extern void sdc_distinguishability_measure(const SdcDistinguishTask *task,
										   SdcDistinguishability *result);

#endif							/* SDC_KERNEL_DISTINGUISHABILITY_H */
