/*-------------------------------------------------------------------------
 *
 * nearprefix.h
 *		Distance based record linkage with the first 1, 2, ... attributes known.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_NEARPREFIX_H
#define SDC_KERNEL_NEARPREFIX_H

#include "kernel/distance/nearest.h"

/* Called with the link of record[index] for so many known attributes. */
typedef void (*SdcNearprefixResult) (void *arg, int known, uint32 index, const SdcLink *link);

/*
 * sdc_nearprefix_run runs sdc_nearest_run for the first 1, 2, ... count known attributes:
 * result(arg, c, i, link) is called once for every c and every record[i], in an order that the
 * input determines, and the link is the same.  spaces[c - 1] is the space of the first c.
 * All numbers together cost little more than the most expensive one.  A team makes trees together: each of its
 * members has records of its own, or none.
 */
extern void sdc_nearprefix_run(const SdcMetricSpace *const *spaces, int count,
							   const uint32 *record, uint32 records, SdcTeam *team,
							   SdcNearprefixResult result, void *arg);

/* Bytes of memory that all members of a team see, at most. */
extern uint64 sdc_nearprefix_team_memory(uint32 records, int dimensions);

#endif							/* SDC_KERNEL_NEARPREFIX_H */
