/*-------------------------------------------------------------------------
 *
 * changes.h
 *		What a caller is told of the columns of a release: few changes, and values that are nearly all different.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_METHOD_CHANGES_H
#define SDC_METHOD_CHANGES_H

#include "method/step.h"

/*
 * sdc_changes_tell names the attributes protected by a step that have fewer than half of their values changed, as it
 * is with small strata or many ties.  A missing value is none.
 */
extern void sdc_changes_tell(const SdcSource *source, const SdcMethodStep *step);

/*
 * sdc_changes_warn_distinct names the copied attributes whose values are nearly all different, as it was counted
 * while the release was written: they identify records as a key does.
 */
extern void sdc_changes_warn_distinct(const SdcSource *source);

#endif							/* SDC_METHOD_CHANGES_H */
