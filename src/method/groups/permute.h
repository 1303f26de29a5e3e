/*-------------------------------------------------------------------------
 *
 * permute.h
 *		Permuting the values of a sensitive attribute within groups of records.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_METHOD_PERMUTE_H
#define SDC_METHOD_PERMUTE_H

#include "method/groups/partition.h"

/* sdc_permute_prepare fills in what a protection by permutation is; the request must stay. */
extern void sdc_permute_prepare(SdcMethodStep *step, const SdcPartitionRequest *request);

#endif							/* SDC_METHOD_PERMUTE_H */
