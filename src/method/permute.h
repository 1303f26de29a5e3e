/*-------------------------------------------------------------------------
 *
 * permute.h
 *		Permuting the values of a sensitive attribute within groups of records.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_METHOD_PERMUTE_H
#define SDC_METHOD_PERMUTE_H

#include "method/partition.h"

/* SdcProtection's functions; its arguments are an SdcPartitionRequest. */
extern void sdc_permute_check(SdcProtection *protection, SdcSource *source, SdcTarget *target);
extern void sdc_permute_protect(SdcProtection *protection, SdcSource *source, SdcSpool *spool,
								SdcRandom *random);
extern void sdc_permute_finish(const SdcProtection *protection, const SdcSource *source,
							   const SdcTarget *target, Oid release);

#endif							/* SDC_METHOD_PERMUTE_H */
