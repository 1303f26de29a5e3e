/*-------------------------------------------------------------------------
 *
 * nightwarnings.h
 *		What is to be said of a release that is continued.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_METHOD_NIGHTWARNINGS_H
#define SDC_METHOD_NIGHTWARNINGS_H

#include "method/continued/night.h"

/* sdc_nightwarnings_begin warns of lots that are smaller than they should be, of a source that was read. */
extern void sdc_nightwarnings_begin(const SdcProtection *protection, const SdcSource *source);

/* sdc_nightwarnings_end warns of what a night has come to. */
extern void sdc_nightwarnings_end(const SdcNight *night, const SdcProtection *protection, const SdcSource *source,
								  const char *release);

#endif							/* SDC_METHOD_NIGHTWARNINGS_H */
