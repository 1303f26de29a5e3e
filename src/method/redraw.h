/*-------------------------------------------------------------------------
 *
 * redraw.h
 *		What a release tells together with those that were drawn from the same records before.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_METHOD_REDRAW_H
#define SDC_METHOD_REDRAW_H

#include "method/step.h"

/*
 * sdc_redraw_count finds which draw a release is, of a source that was read, and counts the draws from it, whatever
 * their names.  It warns of what the release tells together with the one (or InvalidOid) in whose place it is released
 * under some name.
 */
extern void sdc_redraw_count(SdcProtection *protection, SdcSource *source, Oid before, const char *name);

/* sdc_redraw_warn_groups warns of steps of a continued release that are drawn anew, for the draws-th time. */
extern void sdc_redraw_warn_groups(const SdcProtection *protection, const char *release, uint64 draws);

#endif							/* SDC_METHOD_REDRAW_H */
