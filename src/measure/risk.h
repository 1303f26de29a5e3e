/*-------------------------------------------------------------------------
 *
 * risk.h
 *		The disclosure risk of a release.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_MEASURE_RISK_H
#define SDC_MEASURE_RISK_H

#include "measure/evaluation.h"

/* The correct links of every attack: sums of shares, for c = 1 .. known_max attributes. */
typedef struct SdcRisk
{
	int			known_max;
	bool		specific;		/* there is an attack on the method */
	double	   *distance;
	double	   *probabilistic;
	double	   *rankswap;
	uint64		tried;			/* records so far, over all attacks and numbers */
} SdcRisk;

/* sdc_risk_count counts the correct links of every attack; known_max 0: all attributes. */
extern SdcRisk *sdc_risk_count(const SdcEvaluation *evaluation, int known_max);

/*
 * sdc_risk_disclosure returns the interval disclosure of an attribute in percent, or below 0 of
 * all of them together; false where no record has a value in both files.
 */
extern bool sdc_risk_disclosure(const SdcPairing *pairing, int attribute, double *percent);

#endif							/* SDC_MEASURE_RISK_H */
