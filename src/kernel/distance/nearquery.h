/*-------------------------------------------------------------------------
 *
 * nearquery.h
 *		The nearest points of one query, by several prefixes of its dimensions.
 *
 * Prefix c is the first c dimensions of the space.  The measures that decide are those of
 * sdc_metricspace_measure for a space that has these dimensions only.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_NEARQUERY_H
#define SDC_KERNEL_NEARQUERY_H

#include "kernel/distance/nearpoints.h"

typedef struct SdcNearquery SdcNearquery;


/* A query in a forest; it can be used for one set of coordinates after another. */
extern SdcNearquery *sdc_nearquery_create(const SdcNearforest *forest);
extern void sdc_nearquery_destroy(SdcNearquery *query);

/* sdc_nearquery_start begins with coordinates, which are not copied, and prefixes low .. high. */
extern void sdc_nearquery_start(SdcNearquery *query, const double *coordinate, int low, int high);

/* sdc_nearquery_try lets the search begin from a point (its place), or from none. */
extern void sdc_nearquery_try(SdcNearquery *query, uint32 place);

/*
 * sdc_nearquery_search searches.  After so many steps (NULL: any number;
 * on return those that are left) or visits (0: any number), it gives up
 * prefixes beyond fall, and after as many visits again all of them.  It returns the greatest prefix
 * that it is through with, or less than low.
 */
extern int	sdc_nearquery_search(SdcNearquery *query, int fall, uint32 *steps, uint32 visits);

/* sdc_nearquery_nearest is one of the nearest points by a prefix, or NONE. */
extern uint32 sdc_nearquery_nearest(const SdcNearquery *query, int prefix);

/*
 * sdc_nearquery_link writes what was found by a prefix; correct is false.  The distance is
 * that of the space of the prefix.
 */
extern void sdc_nearquery_link(const SdcNearquery *query, int prefix, const SdcMetricSpace *space,
							   SdcLink *link);

/*
 * sdc_nearquery_correct writes for each prefix from low to high whether a point is among the
 * nearest: correct[c - low].
 */
extern void sdc_nearquery_correct(SdcNearquery *query, uint32 place, int high, bool *correct);

#endif							/* SDC_KERNEL_NEARQUERY_H */
