/*-------------------------------------------------------------------------
 *
 * nightread.h
 *		Reading the release that is continued, and its private state, by a worker if possible.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_METHOD_NIGHTREAD_H
#define SDC_METHOD_NIGHTREAD_H

#include "method/continued/night.h"

/* sdc_nightread_begin has a worker begin, if there can be one, before the session reads the source. */
extern void sdc_nightread_begin(SdcNight *night, const SdcSource *source);

/*
 * sdc_nightread_finish reads the release, or waits for the columns that the worker reads; a spool in memory may keep so
 * many bytes.
 */
extern void sdc_nightread_finish(SdcNight *night, const SdcSource *source, uint64 limit);

/*
 * sdc_nightread_bytes returns so many bytes of the state, if the worker has read them: they are there until they are
 * forgotten.  sdc_nightread_words reads words in any case.
 */
extern const void *sdc_nightread_bytes(const SdcNight *night, int stream, uint64 count);
extern void sdc_nightread_words(const SdcNight *night, int stream, uint32 *words, uint64 count);

/* sdc_nightread_end waits until the worker is done, and sdc_nightread_forget forgets what it has read. */
extern void sdc_nightread_end(SdcNight *night);
extern void sdc_nightread_forget(SdcNight *night);

#endif							/* SDC_METHOD_NIGHTREAD_H */
