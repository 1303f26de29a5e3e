/*-------------------------------------------------------------------------
 *
 * bisect.h
 *		The place where a condition ends, by halves.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_BISECT_H
#define SDC_KERNEL_BISECT_H

#include "kernel/base/kernel_env.h"

/*
 * SDC_BISECT sets low to the first place from low on that a condition does not hold for, or to high if it holds for
 * all before high.  It names the place as middle, and must not hold again behind a place that it does not hold for.
 */
#define SDC_BISECT(low, high, middle, condition) \
do { \
	while ((low) < (high)) \
	{ \
		__typeof__(low) middle = (low) + ((high) - (low)) / 2; \
		\
		if (condition) \
			(low) = middle + 1; \
		else \
			(high) = middle; \
	} \
} while (0)

#endif							/* SDC_KERNEL_BISECT_H */
