/*-------------------------------------------------------------------------
 *
 * pairbounds.h
 *		Which pairs of an original can have a high sum of weights?
 *
 * A pair has one weight for each attribute, another where it agrees than where not.  The sums of an original with all
 * protected records are bounded from above, in bytes, many at a time: what has a low bound needs no further look.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_PAIRBOUNDS_H
#define SDC_KERNEL_PAIRBOUNDS_H

#include "kernel/agreement/agreement.h"

typedef struct SdcPairBounds SdcPairBounds;

/* sdc_pairbounds_create makes bounds for the pairs of an index of agreement, which must stay. */
extern SdcPairBounds *sdc_pairbounds_create(const SdcAgreement *agreement);
extern void sdc_pairbounds_destroy(SdcPairBounds *bounds);

/* sdc_pairbounds_set says what the weights of the first attributes are; they are finite. */
extern void sdc_pairbounds_set(SdcPairBounds *bounds, const double *agree, const double *disagree, int attributes);

/* sdc_pairbounds_prepare bounds the sums of an original, for the two functions below. */
extern void sdc_pairbounds_prepare(SdcPairBounds *bounds, uint32 original);

/* sdc_pairbounds_highest is the first protected record of the highest bound. */
extern uint32 sdc_pairbounds_highest(const SdcPairBounds *bounds);

/*
 * sdc_pairbounds_find lists the protected records whose sums may be least or more, ascending, in found, which has room
 * for all, and returns their number.
 */
extern uint32 sdc_pairbounds_find(const SdcPairBounds *bounds, double least, uint32 *found);

#endif							/* SDC_KERNEL_PAIRBOUNDS_H */
