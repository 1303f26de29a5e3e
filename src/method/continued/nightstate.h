/*-------------------------------------------------------------------------
 *
 * nightstate.h
 *		What the private state of a continued release says of itself.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_METHOD_NIGHTSTATE_H
#define SDC_METHOD_NIGHTSTATE_H

#include "method/continued/night.h"

/*
 * sdc_nightstate_open finds the state of a release to continue (InvalidOid: this is the first night), and insists that
 * it is of this source, key and steps, before anything is read.  NULL: nothing is to be continued.
 */
extern SdcNight *sdc_nightstate_open(SdcProtection *protection, SdcSource *source, Oid before);

/* sdc_nightstate_end writes the state of a release: a new one, or the one before, which is as it was. */
extern void sdc_nightstate_end(SdcNight *night, SdcProtection *protection, SdcSource *source, Oid release);

/* Called for what waits: kind, the column or NULL, how many, and since when (0: nothing does). */
typedef void (*SdcNightWaits) (void *arg, const char *kind, const char *column, uint64 records, TimestampTz since);

/* sdc_nightstate_pending tells what waits in the state of a release, as its last night has left it. */
extern void sdc_nightstate_pending(Oid catalog_schema, Oid release, SdcNightWaits waits, void *arg);

#endif							/* SDC_METHOD_NIGHTSTATE_H */
