/*-------------------------------------------------------------------------
 *
 * sweep.h
 *		Many parameter values of a method beside each other: the frontier, and the best under limits.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_MEASURE_SWEEP_H
#define SDC_MEASURE_SWEEP_H

#include "measure/score.h"

/* What is found with one value of the parameter. */
typedef struct SdcSweepPoint
{
	double		parameter;
	SdcScore	score;
	/* set by sdc_sweep_judge */
	bool		has_frontier;	/* people found and loss are known */
	bool		on_frontier;
	bool		chosen;
} SdcSweepPoint;

/* What a release may have at most, in percent; NAN: no limit. */
typedef struct SdcSweepLimits
{
	double		people_found;
	double		certain;
} SdcSweepLimits;

/* How a method has its parameter. */
typedef struct SdcSweepScale
{
	bool		falls;			/* a smaller value protects more */
	bool		searched;		/* any number, and people found fall as it protects more: values between two can
								 * be searched */
} SdcSweepScale;

/*
 * sdc_sweep_judge sorts the points by parameter and tells which are on the frontier, as the view sdc_ru_map does,
 * and which has the least loss within the limits: none without a limit.
 */
extern void sdc_sweep_judge(SdcSweepPoint *point, int count, const SdcSweepLimits *limits,
							const SdcSweepScale *scale);

/*
 * sdc_sweep_next finds the next value to try, of points that were judged: from the chosen one on, towards less
 * protection, in the middle between the last one within the limits and the first one beyond them.
 * False: there is none.
 */
extern bool sdc_sweep_next(const SdcSweepPoint *point, int count, const SdcSweepLimits *limits,
						   const SdcSweepScale *scale, double *parameter);

#endif							/* SDC_MEASURE_SWEEP_H */
