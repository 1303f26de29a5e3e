/*-------------------------------------------------------------------------
 *
 * buckets.h
 *		The order of the records that follows from what an attack asks of a pair.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_BUCKETS_H
#define SDC_KERNEL_BUCKETS_H

#include "kernel/candidates/conditions.h"

/* sdc_buckets_create makes the conditions of an attack, with the records in the order of their buckets and cells. */
extern SdcConditions *sdc_buckets_create(const SdcCandidatesTask *task, SdcCandidatesAttack attack);
extern void sdc_buckets_destroy(SdcConditions *conditions);

/* sdc_buckets_compatible tells whether a record is compatible, but for randomization. */
extern bool sdc_buckets_compatible(const SdcConditions *conditions, uint32 original, uint32 record);

#endif							/* SDC_KERNEL_BUCKETS_H */
