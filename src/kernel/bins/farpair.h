/*-------------------------------------------------------------------------
 *
 * farpair.h
 *		The most distant pair of points that only leave, again and again.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_FARPAIR_H
#define SDC_KERNEL_FARPAIR_H

#include "kernel/bins/shrinktree.h"

typedef struct SdcFarpair SdcFarpair;

extern uint64 sdc_farpair_memory(uint32 points);

/*
 * sdc_farpair_create keeps the tree, which stays the caller's.  After the tree is rebuilt
 * sdc_farpair_rebuilt must be called before the next search.
 */
extern SdcFarpair *sdc_farpair_create(SdcShrinktree *tree);
extern void sdc_farpair_rebuilt(SdcFarpair *search);
extern void sdc_farpair_destroy(SdcFarpair *search);

/*
 * sdc_farpair_find finds, of the points that are left in the tree, at least two, the pair first <
 * second with the greatest d2 (shrinktree.h), of equals the one with the smallest first
 * and then the smallest second.
 */
extern void sdc_farpair_find(SdcFarpair *search, uint32 *first, uint32 *second);

#endif							/* SDC_KERNEL_FARPAIR_H */
