/*-------------------------------------------------------------------------
 *
 * framegroups.h
 *		The groups of a release that was read with its source, whose units only the source has.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_MEASURE_FRAMEGROUPS_H
#define SDC_MEASURE_FRAMEGROUPS_H

#include "kernel/groups/groupprivacy.h"
#include "kernel/groups/unitgroups.h"
#include "relation/frame/frame.h"

/* sdc_framegroups_have tells whether these are all columns (char *) of a release that was read, and it has units. */
extern bool sdc_framegroups_have(const SdcFrame *frame, List *columns);

/*
 * sdc_framegroups_hide is sdc_kanonymity_measure (kanonymity.h) of the release, by the units of the source, and
 * sdc_framegroups_privacy is sdc_groupprivacy_of (groupprivacy.h).
 */
extern void sdc_framegroups_hide(const SdcFrame *frame, List *qi, SdcUnitGroups *result);
extern void sdc_framegroups_privacy(const SdcFrame *frame, List *qi, const char *sensitive, int l,
									SdcGroupPrivacy *result);

#endif							/* SDC_MEASURE_FRAMEGROUPS_H */
