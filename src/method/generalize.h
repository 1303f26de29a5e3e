/*-------------------------------------------------------------------------
 *
 * generalize.h
 *		Releasing ranges and sets of values for groups of records.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_METHOD_GENERALIZE_H
#define SDC_METHOD_GENERALIZE_H

#include "method/partition.h"

/* SdcProtection's check_plan and protect; its arguments are an SdcPartitionRequest. */
extern void sdc_generalize_check(SdcProtection *protection, SdcSource *source, SdcTarget *target);
extern void sdc_generalize_protect(SdcProtection *protection, SdcSource *source, SdcSpool *spool,
								   SdcRandom *random);

#endif							/* SDC_METHOD_GENERALIZE_H */
