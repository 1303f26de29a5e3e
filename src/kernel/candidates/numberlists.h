/*-------------------------------------------------------------------------
 *
 * numberlists.h
 *		Distinct numbers, in lists that are numbered too.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_NUMBERLISTS_H
#define SDC_KERNEL_NUMBERLISTS_H

#include "kernel/base/kernel_env.h"

typedef struct SdcNumberLists
{
	uint32		lists;
	uint64	   *start;			/* by list: the first of its pairs, and the end */
	uint64	   *pair;			/* list << 32 | number, distinct and ascending */
} SdcNumberLists;

/* sdc_numberlists_create takes over pairs list << 32 | number, in any order and not distinct. */
extern void sdc_numberlists_create(SdcNumberLists *lists, uint32 count, uint64 *pair,
								   uint64 pairs);
extern void sdc_numberlists_destroy(SdcNumberLists *lists);

/* The number of a pair. */
static inline uint32
sdc_numberlists_at(const SdcNumberLists *lists, uint64 place)
{
	return (uint32) lists->pair[place];
}

/* sdc_numberlists_contains tells whether a number is in a list. */
extern bool sdc_numberlists_contains(const SdcNumberLists *lists, uint32 list, uint32 number);

#endif							/* SDC_KERNEL_NUMBERLISTS_H */
