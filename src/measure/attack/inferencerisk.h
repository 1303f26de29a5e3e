/*-------------------------------------------------------------------------
 *
 * inferencerisk.h
 *		The inference risk of a release that was made by random anonymization.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_MEASURE_INFERENCERISK_H
#define SDC_MEASURE_INFERENCERISK_H

#include "kernel/groups/inference.h"
#include "relation/frame/pairedrelease.h"

/*
 * sdc_inferencerisk_measure raises an error for a release whose inference risk is not defined, or made
 * with probabilities that are not known.
 */
extern void sdc_inferencerisk_measure(const SdcPairedRelease *paired, SdcInference *risk);

#endif							/* SDC_MEASURE_INFERENCERISK_H */
