/*-------------------------------------------------------------------------
 *
 * releaseloss.h
 *		The information loss of a release.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_MEASURE_RELEASELOSS_H
#define SDC_MEASURE_RELEASELOSS_H

#include "kernel/loss/loss.h"
#include "relation/frame/pairedrelease.h"

/*
 * sdc_releaseloss_measure measures the loss of the numeric attributes; with_pil: the probabilistic one too, but of
 * weights.
 */
extern void sdc_releaseloss_measure(const SdcPairedRelease *paired, bool with_pil, SdcLoss *loss);

#endif							/* SDC_MEASURE_RELEASELOSS_H */
