/*-------------------------------------------------------------------------
 *
 * nearest.h
 *		Distance based record linkage: for original records the nearest protected ones.
 *
 * Exact.  The nearest among all protected records in the measure of a space
 * (metricspace.h); records within a relative 1e-9 of the least measure are tied.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_NEAREST_H
#define SDC_KERNEL_NEAREST_H

#include "kernel/base/team.h"
#include "kernel/distance/metricspace.h"

/*
 * sdc_nearest_run links originals.
 *
 *	record	the original records to link, ascending; NULL stands for all of them
 *	count	their number
 *	team	makes the trees; each member has originals of its own, or none
 *	link	count results, link[i] for record[i].  On entry link[i].linked may name a
 *			protected record that is probably near (the link found with one
 *			attribute less), or be SDC_RECORD_NONE: it changes the time, never the result.
 *
 * distance is sdc_metricspace_distance of the least measure; candidates = ties; a record
 * without a distance to any other has ties 0 and linked SDC_RECORD_NONE.
 * The result does not depend on the order of anything.
 */
extern void sdc_nearest_run(const SdcMetricSpace *space, const uint32 *record, uint32 count,
							SdcTeam *team, SdcLink *link);

/* The same in less memory and more time: without the columns of points (nearpoints.h). */
extern void sdc_nearest_run_lean(const SdcMetricSpace *space, const uint32 *record, uint32 count,
								 SdcTeam *team, SdcLink *link);

#endif							/* SDC_KERNEL_NEAREST_H */
