/*-------------------------------------------------------------------------
 *
 * nightread.h
 *		Reading the release that is continued, by a worker if possible.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_METHOD_NIGHTREAD_H
#define SDC_METHOD_NIGHTREAD_H

#include "method/night.h"

/* sdc_nightread_begin has a worker begin, if there can be one, before the session reads the source. */
extern void sdc_nightread_begin(SdcNight *night, const SdcSource *source);

/* sdc_nightread_finish reads the release, or waits for the worker; a spool in memory may keep so many bytes. */
extern void sdc_nightread_finish(SdcNight *night, const SdcSource *source, uint64 limit);

#endif							/* SDC_METHOD_NIGHTREAD_H */
