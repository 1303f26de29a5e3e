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

/* The bytes that it takes, if all attributes are numeric: SdcPairedReleaseExtra. */
extern uint64 sdc_releaseloss_memory(uint64 records, int attributes);

/* sdc_releaseloss_measure measures the loss of the numeric attributes. */
extern void sdc_releaseloss_measure(const SdcPairedRelease *paired, bool with_pil, SdcLoss *loss);

#endif							/* SDC_MEASURE_RELEASELOSS_H */
