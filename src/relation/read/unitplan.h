/*-------------------------------------------------------------------------
 *
 * unitplan.h
 *		What a request says of units: which columns name them, and which are of records or computed.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_UNITPLAN_H
#define SDC_RELATION_UNITPLAN_H

#include "relation/read/source.h"

/*
 * sdc_unitplan_make marks the columns of a source; those of the key, and what is left out or kept, are marked
 * already.
 */
extern void sdc_unitplan_make(SdcSource *source, const SdcSourceRequest *request);

#endif							/* SDC_RELATION_UNITPLAN_H */
