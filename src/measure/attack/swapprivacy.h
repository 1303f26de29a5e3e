/*-------------------------------------------------------------------------
 *
 * swapprivacy.h
 *		The candidates for the bins of a swapping, and the privacy that they leave.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_MEASURE_SWAPPRIVACY_H
#define SDC_MEASURE_SWAPPRIVACY_H

#include "kernel/bins/widths.h"
#include "nodes/pg_list.h"

/* The widths that are tried on a swapping set. */
typedef struct SdcSwapWidths
{
	Oid			relid;
	List	   *columns;		/* the swapping set */
	SdcWidthGrid grid;
	double		share_least;	/* shares of the ranges */
	double		share_most;
} SdcSwapWidths;

/*
 * Receives the candidates, in descending order of their widths, with the correlation bias that is expected of each:
 * NaN without a pair of columns of numbers, or where the caller may not read them all.
 */
typedef void (*SdcSwapCandidateEmit) (void *arg, const SdcWidthCandidate *candidate, double bias);

/* All read with the rights of the caller. */
extern void sdc_swapprivacy_candidates(const SdcSwapWidths *widths, SdcSwapCandidateEmit emit,
									   void *arg);

/* sdc_swapprivacy_widths measures the privacy of equi-width swapping, and says when there is no candidate. */
extern void sdc_swapprivacy_widths(const SdcSwapWidths *widths, SdcSwapPrivacy *privacy);

/* sdc_swapprivacy_depths does so for equi-depth swapping with depth = 2 .. most. */
extern void sdc_swapprivacy_depths(Oid relid, List *columns, uint32 most, SdcSwapPrivacy *privacy);

#endif							/* SDC_MEASURE_SWAPPRIVACY_H */
