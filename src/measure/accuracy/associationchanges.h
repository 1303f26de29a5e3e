/*-------------------------------------------------------------------------
 *
 * associationchanges.h
 *		The associations that a release keeps, loses and makes up.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_MEASURE_ASSOCIATIONCHANGES_H
#define SDC_MEASURE_ASSOCIATIONCHANGES_H

#include "measure/accuracy/associations.h"

typedef enum SdcAssociationFate
{
	SDC_ASSOCIATION_KEPT,		/* both have it */
	SDC_ASSOCIATION_LOST,		/* the source only */
	SDC_ASSOCIATION_NEW			/* the release only */
} SdcAssociationFate;

/* An association; the jsonb live until the next one.  What a file does not have is NaN. */
typedef struct SdcAssociationChange
{
	SdcAssociationFate fate;
	Datum		antecedent;		/* jsonb {attribute: value, ...} */
	Datum		consequent;
	int			length;			/* as that of SdcAssociation */
	double		support[2];		/* in the source, in the release */
	double		confidence[2];
} SdcAssociationChange;

/*
 * sdc_associationchanges_list reads a release and its source and emits the associations of either, those of one
 * length after the other, in a fixed order.
 */
typedef void (*SdcAssociationChangeEmit) (void *arg, const SdcAssociationChange *change);

extern void sdc_associationchanges_list(const SdcRecallRequest *request, SdcAssociationChangeEmit emit,
										void *arg);

#endif							/* SDC_MEASURE_ASSOCIATIONCHANGES_H */
