/*-------------------------------------------------------------------------
 *
 * rankprefix.h
 *		Whom the intersection of windows links, with the first 1, 2, ... attributes known.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_RANKPREFIX_H
#define SDC_KERNEL_RANKPREFIX_H

#include "kernel/base/team.h"
#include "kernel/rank/ranklink.h"

/* Bytes of memory that all members of a team see, at most. */
extern uint64 sdc_rankprefix_team_memory(uint32 records, int count);

/*
 * Called for record[index] with so many known attributes: how many records are the best of the intersection
 * (ranklink.h), if its own protected record is one of them, and 0 otherwise.
 */
typedef void (*SdcRankPrefixResult) (void *arg, int known, uint32 index, uint32 ties);

typedef struct SdcRankPrefix SdcRankPrefix;

/*
 * sdc_rankprefix_create begins: windows come from the widths of the task, spaces[c - 1] is the space of the first c
 * attributes, record and count as ever.
 */
extern SdcRankPrefix *sdc_rankprefix_create(const SdcRankTask *task, const SdcMetricSpace *const *spaces,
											const uint32 *record, uint32 count,
											SdcRankPrefixResult result, void *arg);
extern void sdc_rankprefix_destroy(SdcRankPrefix *prefix);

/*
 * sdc_rankprefix_take takes the link of record[index] by distance alone, of so many attributes, as nearprefix.h has
 * it: once for every index and number of attributes, in any order.  Mostly the result follows from it.
 */
extern void sdc_rankprefix_take(SdcRankPrefix *prefix, int known, uint32 index, const SdcLink *nearest);

/*
 * sdc_rankprefix_finish searches for what did not.  candidates[index], if there is such an array, becomes the number of
 * protected records inside the windows of all attributes, if the own one is inside, and 0 otherwise.  The members of
 * a team, which have records of their own, or none, search in the same trees.
 */
extern void sdc_rankprefix_finish(SdcRankPrefix *prefix, SdcTeam *team, uint32 *candidates);

#endif							/* SDC_KERNEL_RANKPREFIX_H */
