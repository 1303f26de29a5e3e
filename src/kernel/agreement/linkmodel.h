/*-------------------------------------------------------------------------
 *
 * linkmodel.h
 *		The model of probabilistic record linkage, estimated by EM.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_LINKMODEL_H
#define SDC_KERNEL_LINKMODEL_H

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

/* Records of which all pairs are looked at in every round of EM, at most. */
#define SDC_LINKMODEL_RECORDS 100000

/*
 * sdc_linkmodel_estimate runs EM on pattern counts: start m = 0.9, u = 0.1, prior 1 / records;
 * m and u clipped to [1e-6, 1 - 1e-6], the prior only kept above 0 and below 1; ends when
 * nothing changed by more than 1e-10, or after 2,000 rounds.  Sums are in ascending order of patterns.
 */
extern void sdc_linkmodel_estimate(const SdcPatternCount *patterns, int count, int attributes,
								   uint32 records, SdcLinkModel *model);

/*
 * sdc_linkmodel_prefixes estimates the models of the first 1, 2, ... attributes, models[c - 1], and sdc_linkmodel_all
 * that of all attributes.  With more than SDC_PATTERNCOUNTS_ATTRIBUTES attributes nearly every pair of records can have
 * a pattern of its own: then the model comes from the pairs (pairmodel.h), and is the same but for some 1e-12.  That is
 * not done for more than SDC_LINKMODEL_RECORDS records: false, if there are more than most patterns
 * (sdc_agreement_totals).  The members of a team estimate a part each.
 */
extern bool sdc_linkmodel_prefixes(SdcAgreement *agreement, SdcTeam *team, uint64 most, SdcLinkModel *models);
extern bool sdc_linkmodel_all(SdcAgreement *agreement, SdcTeam *team, uint64 most, SdcLinkModel *model);

/* What EM adds up in a round: of matched pairs and of all, their number and agreements. */
typedef struct SdcLinkSums
{
	double		matched;
	double		all;
	double		matched_agree[SDC_AGREEMENT_ATTRIBUTES];
	double		all_agree[SDC_AGREEMENT_ATTRIBUTES];
} SdcLinkSums;

/*
 * sdc_linkmodel_run runs EM for so many attributes, in which expect adds up what is expected to be matched, given a
 * model; what is added up of all pairs is there already.
 */
typedef void (*SdcLinkExpect) (void *arg, const SdcLinkModel *model, SdcLinkSums *sums);
extern void sdc_linkmodel_run(SdcLinkModel *model, int attributes, uint32 records, SdcLinkExpect expect, void *arg,
							  SdcLinkSums *sums);

#endif							/* SDC_KERNEL_LINKMODEL_H */
