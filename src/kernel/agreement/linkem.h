/*-------------------------------------------------------------------------
 *
 * linkem.h
 *		EM for the model of probabilistic record linkage.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_LINKEM_H
#define SDC_KERNEL_LINKEM_H

#include "kernel/agreement/agreement.h"

/* The estimated model of two classes with conditional independence. */
typedef struct SdcLinkModel
{
	int			attributes;
	bool		listed;			/* their patterns are few: links are looked for in lists of them, not pair by pair */
	double		m[SDC_AGREEMENT_ATTRIBUTES];	/* P(agree | matched) */
	double		u[SDC_AGREEMENT_ATTRIBUTES];	/* P(agree | unmatched) */
	double		prior;			/* P(matched) */
	int			rounds;			/* of EM */
} SdcLinkModel;

/* What EM adds up in a round: of matched pairs and of all, their number and agreements. */
typedef struct SdcLinkSums
{
	double		matched;
	double		all;
	double		matched_agree[SDC_AGREEMENT_ATTRIBUTES];
	double		all_agree[SDC_AGREEMENT_ATTRIBUTES];
} SdcLinkSums;

/*
 * sdc_linkem_run runs EM for so many attributes, in which expect adds up what is expected to be matched, given a
 * model; what is added up of all pairs is there already.
 */
typedef void (*SdcLinkExpect) (void *arg, const SdcLinkModel *model, SdcLinkSums *sums);
extern void sdc_linkem_run(SdcLinkModel *model, int attributes, uint32 records, SdcLinkExpect expect, void *arg,
							  SdcLinkSums *sums);

#endif							/* SDC_KERNEL_LINKEM_H */
