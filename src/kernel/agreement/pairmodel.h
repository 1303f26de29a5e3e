/*-------------------------------------------------------------------------
 *
 * pairmodel.h
 *		The model of probabilistic record linkage, by EM over all pairs of records.
 *
 * Part of linkmodel.c: for attributes of which nearly all pairs have a pattern of their own.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_PAIRMODEL_H
#define SDC_KERNEL_PAIRMODEL_H

#include "kernel/agreement/linkem.h"

typedef struct SdcPairModeler SdcPairModeler;

/* sdc_pairmodel_lists tells whether so many records are few enough that the patterns of all pairs are listed. */
extern bool sdc_pairmodel_lists(uint32 records);

/*
 * sdc_pairmodel_create prepares the estimates below, of an index of agreement, which must stay, with a list or without;
 * without, the members of a team make each of them together, and destroy what they have prepared together.
 */
extern SdcPairModeler *sdc_pairmodel_create(const SdcAgreement *agreement, bool listed, SdcTeam *team);
extern void sdc_pairmodel_destroy(SdcPairModeler *modeler);

/* sdc_pairmodel_estimate estimates the model of the first attributes, of no more than the time before. */
extern void sdc_pairmodel_estimate(SdcPairModeler *modeler, int attributes, SdcLinkModel *model);

#endif							/* SDC_KERNEL_PAIRMODEL_H */
