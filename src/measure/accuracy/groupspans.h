/*-------------------------------------------------------------------------
 *
 * groupspans.h
 *		How many of a column's values the groups of a generalized release have.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_MEASURE_GROUPSPANS_H
#define SDC_MEASURE_GROUPSPANS_H

#include "kernel/groups/groupspan.h"

/* Called for every generalized column, in the order of the source. */
typedef void (*SdcGroupSpanTake) (void *arg, const char *attribute, SdcGroupSpan span);

/*
 * sdc_groupspans_measure reads a release and its source with the rights of the caller.  A release that has no
 * generalized columns is not read, and nothing is taken.
 */
extern void sdc_groupspans_measure(Oid catalog_schema, Oid release, SdcGroupSpanTake take, void *arg);

#endif							/* SDC_MEASURE_GROUPSPANS_H */
