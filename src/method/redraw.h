/*-------------------------------------------------------------------------
 *
 * redraw.h
 *		What a release tells together with those that were drawn from the same records before.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_METHOD_REDRAW_H
#define SDC_METHOD_REDRAW_H

#include "method/pipeline.h"

/*
 * sdc_redraw_warn counts the draws from mostly the same records, of a source that was read and the release (or
 * InvalidOid) in whose place it is released, under some name, and warns of what they tell together.  It returns their
 * number.
 */
extern int	sdc_redraw_warn(SdcProtection *protection, const SdcSource *source, Oid before, const char *name);

/* sdc_redraw_warn_groups warns of steps of a continued release that are drawn anew, for the draws-th time. */
extern void sdc_redraw_warn_groups(const SdcProtection *protection, const char *release, uint64 draws);

#endif							/* SDC_METHOD_REDRAW_H */
