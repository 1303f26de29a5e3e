/*-------------------------------------------------------------------------
 *
 * pairlinks.h
 *		Probabilistic record linkage pair by pair.
 *
 * Part of fellegisunter.c: for attributes of which nearly all pairs have a pattern of their own.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_PAIRLINKS_H
#define SDC_KERNEL_PAIRLINKS_H

#include "kernel/agreement/fellegisunter.h"

/*
 * sdc_pairlinks_find links every original of record[] (NULL: all) by each of some models of the first attributes;
 * names, and result, as in fellegisunter.h.
 */
extern void sdc_pairlinks_find(const SdcAgreement *agreement, const SdcLinkModel *model, int models,
							   const uint32 *record, uint32 count, bool names,
							   SdcFellegiSunterResult result, void *arg);

#endif							/* SDC_KERNEL_PAIRLINKS_H */
