/*-------------------------------------------------------------------------
 *
 * nightplan.h
 *		A release that is continued: who stays, is gone, changed and new.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_METHOD_NIGHTPLAN_H
#define SDC_METHOD_NIGHTPLAN_H

#include "method/continued/night.h"

/*
 * sdc_nightplan_find finds who stays, is gone, changed and new, of a source that was read; records that have to wait
 * are taken out of it.
 */
extern void sdc_nightplan_find(SdcNight *night, SdcProtection *protection, SdcSource *source, SdcSpool *spool);

/*
 * sdc_nightplan_departures returns how many cells of so many records of a stratum lose their partner before they get
 * another one.
 */
extern uint32 sdc_nightplan_departures(const SdcMethodStep *step, uint64 records);

/*
 * sdc_nightplan_seal notes what the columns that are copied have, when all steps are done: the release may be the same.
 * The columns of the one before are forgotten.
 */
extern void sdc_nightplan_seal(SdcNight *night, SdcProtection *protection, SdcSource *source);

#endif							/* SDC_METHOD_NIGHTPLAN_H */
