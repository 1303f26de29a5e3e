/*-------------------------------------------------------------------------
 *
 * matrixlaw.h
 *		What a column that was drawn by a published matrix tells about a condition on it.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_MEASURE_MATRIXLAW_H
#define SDC_MEASURE_MATRIXLAW_H

#include "measure/accuracy/swapbins.h"
#include "relation/condition/conditiongroups.h"
#include "relation/recode/matrix.h"

/*
 * sdc_matrixlaw_find finds for which released values the condition holds for the original in any case, and for which it
 * can, and returns by how much each record counts, with each code and behind them without a value: the sum of these is
 * an unbiased estimate.  NULL: the matrix is singular.
 */
extern double *sdc_matrixlaw_find(Oid relid, const SdcConditionColumn *condition, const SdcConditionValues *values,
								  SdcMatrix *matrix, SdcSwapBins *column);

#endif							/* SDC_MEASURE_MATRIXLAW_H */
