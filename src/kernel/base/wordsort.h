/*-------------------------------------------------------------------------
 *
 * wordsort.h
 *		Sort 64-bit words by some of their bits.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_WORDSORT_H
#define SDC_KERNEL_WORDSORT_H

#include "kernel/base/kernel_env.h"

/* sdc_wordsort_width is the number of bits that a value needs: 0 for 0. */
static inline int
sdc_wordsort_width(uint64 value)
{
	return value == 0 ? 0 : 64 - __builtin_clzll(value);
}

/*
 * sdc_wordsort sorts words by their bits from .. from + bits - 1, ascending and stably, and returns
 * where the result is: word or spare, which is as large.  The other one's contents are lost.
 * Linear time.
 */
extern uint64 *sdc_wordsort(uint64 *word, uint64 *spare, uint64 count, int from, int bits);

#endif							/* SDC_KERNEL_WORDSORT_H */
