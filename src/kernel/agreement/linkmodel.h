/*-------------------------------------------------------------------------
 *
 * linkmodel.h
 *		The model of probabilistic record linkage, estimated by EM.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_LINKMODEL_H
#define SDC_KERNEL_LINKMODEL_H

#include "kernel/agreement/linkem.h"

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

#endif							/* SDC_KERNEL_LINKMODEL_H */
