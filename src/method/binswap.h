/*-------------------------------------------------------------------------
 *
 * binswap.h
 *		Equi-depth and equi-width swapping of a relation.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_METHOD_BINSWAP_H
#define SDC_METHOD_BINSWAP_H

#include "method/pipeline.h"
#include "relation/bins.h"

/* SdcProtection's check_plan and protect; its arguments are an SdcBinRequest. */
extern void sdc_binswap_check(SdcProtection *protection, SdcSource *source, SdcTarget *target);
extern void sdc_binswap_protect(SdcProtection *protection, SdcSource *source, SdcSpool *spool,
								SdcRandom *random);

#endif							/* SDC_METHOD_BINSWAP_H */
