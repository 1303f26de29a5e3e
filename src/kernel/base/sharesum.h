/*-------------------------------------------------------------------------
 *
 * sharesum.h
 *		Sums of shares of correct links, the same in any order.
 *
 * A share is 1 / ties. Sums are kept as whole numbers and fractions of 2^64, to which every share is rounded
 * by itself: so parts of a file may be attacked in any order, by several processes, and the sum is the same to the
 * bit. Of n shares it is off by less than n / 2^64.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_SHARESUM_H
#define SDC_KERNEL_SHARESUM_H

#include "kernel/base/kernel_env.h"

typedef struct SdcShareSum
{
	uint64		whole;
	uint64		fraction;		/* of 2^64 */
} SdcShareSum;

/* sdc_sharesum_merge adds a sum to another one. */
static inline void
sdc_sharesum_merge(SdcShareSum *sum, const SdcShareSum *other)
{
	sum->whole += other->whole;
	sum->whole += __builtin_add_overflow(sum->fraction, other->fraction, &sum->fraction);
}

/* sdc_sharesum_add adds the share of a link: ties are the best records, if the right one is among them, else 0. */
static inline void
sdc_sharesum_add(SdcShareSum *sum, uint32 ties)
{
	SdcShareSum share = {1, 0};

	if (ties == 0)
		return;
	if (ties > 1)
	{
		/* 2^64 / ties, to the nearest; ties that are a power of 2 are exact */
		uint64		quotient = UINT64_MAX / ties;
		uint64		rest = UINT64_MAX % ties + 1;

		share.whole = 0;
		share.fraction = quotient + (rest >= ties - rest);
	}
	sdc_sharesum_merge(sum, &share);
}

/* sdc_sharesum_value returns a sum as a number. */
static inline double
sdc_sharesum_value(const SdcShareSum *sum)
{
	return (double) sum->whole + (double) sum->fraction / 18446744073709551616.0;
}

#endif							/* SDC_KERNEL_SHARESUM_H */
