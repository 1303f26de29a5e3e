/*-------------------------------------------------------------------------
 *
 * historyjobs.h
 *		Attacks over several releases, run by this process or shared with parallel workers.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_MEASURE_HISTORYJOBS_H
#define SDC_MEASURE_HISTORYJOBS_H

#include "kernel/releases/historylinks.h"
#include "relation/frame/releasehistory.h"

/* What is found in one release, or in all together. */
typedef struct SdcHistoryFound
{
	SdcHistoryLinks links;
	SdcMovement moving;
	SdcMovement windows;		/* values, by windows alone */
} SdcHistoryFound;

/*
 * sdc_historyjobs_run attacks each release alone and all of them together; found has an element for each release, and
 * one for all.  Where windows of the methods find more than sound ones, that counts.  The codes of the history may be
 * gone afterwards.  relid: the relation of which sdc_progress tells how far it is.
 */
extern void sdc_historyjobs_run(SdcReleaseHistory *all, Oid relid, SdcHistoryFound *found);

#endif							/* SDC_MEASURE_HISTORYJOBS_H */
