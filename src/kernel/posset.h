/*-------------------------------------------------------------------------
 *
 * posset.h
 *		A set of positions that only shrinks, with rank, select and neighbours.
 *
 * Starts as {0, ..., n-1}.  A bitmap, a tree of counts over it, and summary
 * levels of the bitmap (one bit per non-empty word): about n/8 + n/24 bytes, so
 * that a million positions stay in a processor's second-level cache.
 *
 *	remove, select, rank	O(log n) to the base 16
 *	next, prev				O(log n) to the base 64, never a walk over what is gone
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_POSSET_H
#define SDC_KERNEL_POSSET_H

#include "kernel/kernel_env.h"

#define SDC_POSSET_NONE UINT32_MAX

typedef struct SdcPosset SdcPosset;

/* Bytes that a set of capacity n takes. */
extern Size sdc_posset_memory(uint32 n);

/* sdc_posset_create allocates a set for up to capacity positions, empty. */
extern SdcPosset *sdc_posset_create(uint32 capacity);
extern void sdc_posset_destroy(SdcPosset *set);

/* sdc_posset_fill makes the set {0, ..., n-1}; n <= capacity; O(n / 64). */
extern void sdc_posset_fill(SdcPosset *set, uint32 n);

extern uint32 sdc_posset_count(const SdcPosset *set);
extern bool sdc_posset_contains(const SdcPosset *set, uint32 position);

/* The position must be in the set. */
extern void sdc_posset_remove(SdcPosset *set, uint32 position);

/* The element with k smaller elements; k < count. */
extern uint32 sdc_posset_select(const SdcPosset *set, uint32 k);

/* sdc_posset_take removes the element that select(k) returns, in one go. */
extern uint32 sdc_posset_take(SdcPosset *set, uint32 k);

/* The number of elements smaller than position; position <= n. */
extern uint32 sdc_posset_rank(const SdcPosset *set, uint32 position);

/* The smallest element >= position, the largest <= position, or NONE. */
extern uint32 sdc_posset_next(const SdcPosset *set, uint32 position);
extern uint32 sdc_posset_prev(const SdcPosset *set, uint32 position);

#endif							/* SDC_KERNEL_POSSET_H */
