/*-------------------------------------------------------------------------
 *
 * widths.h
 *		The admissible widths of equi-width swapping, and its privacy.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_WIDTHS_H
#define SDC_KERNEL_WIDTHS_H

#include "kernel/base/kernel_env.h"

typedef enum SdcWidthGrid
{
	SDC_WIDTH_INTERVALS,		/* range / m for whole numbers m of intervals */
	SDC_WIDTH_CONTINUOUS		/* every real width between the bounds */
} SdcWidthGrid;

typedef struct SdcWidthTask
{
	const double *const *value; /* of each attribute, by record, finite */
	int			attributes;
	uint32		records;
	SdcWidthGrid grid;
	double		share_least;	/* widths as shares of the range: at least this (continuous; above 0), */
	double		share_most;		/* and at most this: the utility bound, above 0 and at most 1 */
	uint32		intervals_most; /* the largest m that is tried (intervals) */
	uint64		memory;			/* bytes that may be used */
} SdcWidthTask;

/* A candidate; on the continuous grid a maximal piece with the same minimal depth. */
typedef struct SdcWidthCandidate
{
	double		share;			/* the width as a share of the range, the largest of a piece */
	uint64		degree;			/* non-empty bins at that width */
	uint64		depth;			/* records of the smallest one */
	bool		representative;	/* the largest width of those with this depth, which is at least 2 */
} SdcWidthCandidate;

typedef struct SdcSwapPrivacy
{
	uint64		candidates;		/* q */
	double		tuple;			/* 1 with q = 0 */
	double		minimal_depth;
	double		closed;
} SdcSwapPrivacy;

/*
 * sdc_widths_find lists the candidates in descending order of their widths, in memory from
 * sdc_alloc (also without any).  count is their number.  SDC_ERROR_MEMORY: too many, or smaller
 * widths than 2^-31.
 *
 * Intervals: every m with 1 / m <= share_most, up to intervals_most.  Continuous: share_most, and
 * every width at which the minimal depth changes; sdc_equiwidth has this degree and depth with
 * widths that are the share times the range.
 */
extern SdcStatus sdc_widths_find(const SdcWidthTask *task, SdcWidthCandidate **candidate,
								 uint64 *count);

/*
 * sdc_widths_privacy measures the privacy that the representatives leave: tuple <= minimal_depth
 * <= closed.
 */
extern SdcStatus sdc_widths_privacy(const SdcWidthTask *task, SdcSwapPrivacy *result);

/*
 * sdc_widths_privacy_depths does so for equi-depth swapping with k = 2 .. most.  tuple and
 * minimal_depth are bounds, since bins have k records or more.
 */
extern void sdc_widths_privacy_depths(uint32 most, SdcSwapPrivacy *result);

#endif							/* SDC_KERNEL_WIDTHS_H */
