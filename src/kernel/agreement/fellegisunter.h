/*-------------------------------------------------------------------------
 *
 * fellegisunter.h
 *		Probabilistic record linkage: EM, weights and nearest links.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_FELLEGISUNTER_H
#define SDC_KERNEL_FELLEGISUNTER_H

#include "kernel/agreement/agreement.h"

/* The estimated model of two classes with conditional independence. */
typedef struct SdcLinkModel
{
	int			attributes;
	double		m[SDC_AGREEMENT_ATTRIBUTES];	/* P(agree | matched) */
	double		u[SDC_AGREEMENT_ATTRIBUTES];	/* P(agree | unmatched) */
	double		prior;			/* P(matched) */
	int			rounds;			/* of EM */
} SdcLinkModel;

/*
 * sdc_fellegisunter_estimate runs EM on pattern counts: start m = 0.9, u = 0.1, prior 1 / records;
 * m and u clipped to [1e-6, 1 - 1e-6], the prior only kept above 0 and below 1; ends when
 * nothing changed by more than 1e-10, or after 2,000 rounds.
 */
extern void sdc_fellegisunter_estimate(const SdcPatternCount *patterns, int count, int attributes,
									   uint32 records, SdcLinkModel *model);

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
