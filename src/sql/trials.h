/*-------------------------------------------------------------------------
 *
 * trials.h
 *		Releases that are made in memory, on trial, and measured.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_SQL_TRIALS_H
#define SDC_SQL_TRIALS_H

#include "measure/score.h"

/*
 * sdc_trials_measure scores a release that is on trial, as sdc_score does, and finds its people.  Arguments number
 * known and known_max are those of sdc_score.
 */
extern void sdc_trials_measure(FunctionCallInfo fcinfo, int known, int known_max, SdcFrame *release,
							   SdcWholeRequest *whole, const SdcSampleRequest *sample, SdcScore *score);

#endif							/* SDC_SQL_TRIALS_H */
