/*-------------------------------------------------------------------------
 *
 * generalize.h
 *		Releasing ranges and sets of values for groups of records.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_METHOD_GENERALIZE_H
#define SDC_METHOD_GENERALIZE_H

#include "method/groups/partition.h"

/* sdc_generalize_prepare fills in what a protection by generalization is; the request must stay. */
extern void sdc_generalize_prepare(SdcMethodStep *step, const SdcPartitionRequest *request);

#endif							/* SDC_METHOD_GENERALIZE_H */
