/*-------------------------------------------------------------------------
 *
 * nightchanges.h
 *		Whose values are not what they were last published as.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_METHOD_NIGHTCHANGES_H
#define SDC_METHOD_NIGHTCHANGES_H

#include "method/continued/night.h"

/* What has become of the value of a member: SdcContinuedChange, or this. */
#define SDC_NIGHT_OTHER_BYTES 3 /* it is equal, and written in another way, as 1.0 and 1.00 are: it stays as it was */

/* An element of SdcNightColumn's changes. */
static inline Datum
sdc_nightchange_make(uint32 member, int change)
{
	return Int64GetDatum((int64) change << 32 | member);
}

static inline uint32
sdc_nightchange_member(Datum element)
{
	return (uint32) DatumGetInt64(element);
}

static inline int
sdc_nightchange_kind(Datum element)
{
	return (int) (DatumGetInt64(element) >> 32);
}

/* sdc_nightchanges_memory returns the bytes that finding changes takes, beside what a step needs to recall values. */
extern uint64 sdc_nightchanges_memory(const SdcNight *night, const SdcSource *source);

/*
 * sdc_nightchanges_find marks the members, whose records in the source are given, that have another value in a
 * continued column, and fills in what SdcNightColumn knows of original values.
 */
extern void sdc_nightchanges_find(SdcNight *night, SdcProtection *protection, SdcSource *source,
								  const uint32 *of_member, bool *changed, SdcSpool *spool);

/*
 * sdc_nightchanges_publish writes to the new state what will be published as it is by the plan of the night, and
 * sdc_nightchanges_begin does on the first night.
 */
extern void sdc_nightchanges_publish(SdcNight *night, const bool *changed);
extern void sdc_nightchanges_begin(SdcNight *night, SdcProtection *protection, SdcSource *source);

#endif							/* SDC_METHOD_NIGHTCHANGES_H */
