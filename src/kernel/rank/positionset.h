/*-------------------------------------------------------------------------
 *
 * positionset.h
 *		A set of positions that only shrinks, with draws and neighbours.
 *
 * Starts as {0, ..., n-1}.  A bitmap and summary levels of it (one bit per
 * non-empty word): about n/8 + n/512 bytes, so that a million positions stay in a
 * processor's second-level cache.
 *
 *	contains			O(1)
 *	remove, next, prev	O(log n) base 64, never a walk over removed positions
 *	count_between, select_between	a 64th of the interval's length
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_POSITIONSET_H
#define SDC_KERNEL_POSITIONSET_H

#include "kernel/base/kernel_env.h"

#define SDC_POSITIONSET_NONE UINT32_MAX

typedef struct SdcPositionSet SdcPositionSet;

/* Bytes that a set of capacity n takes. */
extern Size sdc_positionset_memory(uint32 n);

/* sdc_positionset_create allocates a set for up to capacity positions, empty. */
extern SdcPositionSet *sdc_positionset_create(uint32 capacity);
extern void sdc_positionset_destroy(SdcPositionSet *set);

/* sdc_positionset_fill makes the set {0, ..., n-1}; n <= capacity; O(n / 64). */
extern void sdc_positionset_fill(SdcPositionSet *set, uint32 n);

extern bool sdc_positionset_contains(const SdcPositionSet *set, uint32 position);

/* The position must be in the set. */
extern void sdc_positionset_remove(SdcPositionSet *set, uint32 position);

/* The number of elements in [start, end); end <= n. */
extern uint32 sdc_positionset_count_between(const SdcPositionSet *set, uint32 start, uint32 end);

/* The element of [start, end) with k smaller ones in it; k < count_between. */
extern uint32 sdc_positionset_select_between(const SdcPositionSet *set, uint32 start, uint32 end,
											 uint32 k);

/* The smallest element >= position, the largest <= position, or NONE. */
extern uint32 sdc_positionset_next(const SdcPositionSet *set, uint32 position);
extern uint32 sdc_positionset_prev(const SdcPositionSet *set, uint32 position);

#ifdef SDC_CHECKS
extern bool sdc_positionset_check(const SdcPositionSet *set);
#endif

#endif							/* SDC_KERNEL_POSITIONSET_H */
