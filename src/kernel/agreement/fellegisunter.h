/*-------------------------------------------------------------------------
 *
 * fellegisunter.h
 *		Probabilistic record linkage: weights and nearest links.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_FELLEGISUNTER_H
#define SDC_KERNEL_FELLEGISUNTER_H

#include "kernel/agreement/linkmodel.h"

/* The weight of a pattern: log2 of the likelihood ratio. */
extern double sdc_fellegisunter_weight(const SdcLinkModel *model, uint64 pattern);

/*
 * sdc_fellegisunter_nearest links every original of record[] (NULL: all) to the protected records
 * of the highest weight; weights that differ by less than a relative or absolute 1e-9 are ties.
 * link[i].distance is the weight.  names: fill in linked too (the first in key order), which
 * takes longer; otherwise linked stays SDC_RECORD_NONE.
 */
extern void sdc_fellegisunter_nearest(SdcAgreement *agreement, const SdcLinkModel *model,
									  const uint32 *record, uint32 count, bool names, SdcLink *link);

/*
 * sdc_fellegisunter_prefixes does the same for the first 1, 2, ... attributes at once, with
 * models[c - 1], without names: result(arg, c, i, link) for every c and record[i].
 */
typedef void (*SdcFellegiSunterResult) (void *arg, int known, uint32 index, const SdcLink *link);
extern void sdc_fellegisunter_prefixes(SdcAgreement *agreement, const SdcLinkModel *models,
									   const uint32 *record, uint32 count,
									   SdcFellegiSunterResult result, void *arg);

#endif							/* SDC_KERNEL_FELLEGISUNTER_H */
