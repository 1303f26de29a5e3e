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

/* sdc_nightplan_lot returns how many have to change, or to arrive, before any of it is shown in a night's columns. */
extern uint32 sdc_nightplan_lot(const SdcNight *night, const SdcProtection *protection, const SdcSource *source);

/* sdc_nightplan_begin plans the first night of the columns of a night. */
extern void sdc_nightplan_begin(SdcNight *night, SdcProtection *protection, SdcSource *source);

/*
 * sdc_nightplan_settle decides what happens to whom in the columns of a night, where the record of every member is
 * known; shown: units that are, or NULL.  Records that have to wait are taken out of the source.  The plan still has
 * what numbers the others had.
 */
extern void sdc_nightplan_settle(SdcNight *night, SdcProtection *protection, SdcSource *source,
								 const uint32 *of_member, const bool *shown, SdcSpool *spool);

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
