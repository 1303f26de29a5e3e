/*-------------------------------------------------------------------------
 *
 * queryeval.h
 *		Estimates counts from the groups of a release: internal to the kernel queries.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_QUERYEVAL_H
#define SDC_KERNEL_QUERYEVAL_H

#include "kernel/queries/querycounts.h"

/* The estimates of the queries of a batch, to which one group after the other is added. */
typedef struct SdcQueryEstimates
{
	uint32		words;			/* of a row */
	uint64		active[SDC_QUERY_WORDS];	/* the queries that there are */
	double		estimate[SDC_QUERIES_AT_ONCE];
} SdcQueryEstimates;

/* What the conditions on a quasi-identifier select of the different values in a group. */
typedef struct SdcQueryShare
{
	SdcQueryCounts selected;	/* values that are asked for */
	const uint64 *asking;		/* the queries that have a condition */
	uint32		distinct;		/* how many different values the group has */
} SdcQueryShare;

/*
 * sdc_queryeval_permuted adds what a group of so many records says by equation (13), and sdc_queryeval_generalized by
 * equation (12).  match and others count its records that satisfy some conditions; sensitive those that satisfy the
 * sensitive one, and is NULL where there is none.  mass is the sum of the weights of those that match and others count,
 * NULL without weights.
 */
extern void sdc_queryeval_permuted(SdcQueryEstimates *estimates, uint32 records, const SdcQueryCounts *match,
								   const double *mass, const SdcQueryCounts *sensitive);
extern void sdc_queryeval_generalized(SdcQueryEstimates *estimates, const SdcQueryCounts *others, const double *mass,
									  uint32 shares, const SdcQueryShare *share);

#endif							/* SDC_KERNEL_QUERYEVAL_H */
