/*-------------------------------------------------------------------------
 *
 * histogram.h
 *		How far the joint histogram of a release is from that of its source.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_MEASURE_HISTOGRAM_H
#define SDC_MEASURE_HISTOGRAM_H

#include "nodes/pg_list.h"

/*
 * sdc_histogram_variation returns the total variation between the histograms of some columns, or with
 * given not set of all numeric ones, whose ranges are cut into intervals.
 */
extern double sdc_histogram_variation(Oid catalog_schema, Oid release, bool given,
									  const List *columns, uint32 intervals);

#endif							/* SDC_MEASURE_HISTOGRAM_H */
