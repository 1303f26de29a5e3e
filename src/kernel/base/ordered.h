/*-------------------------------------------------------------------------
 *
 * ordered.h
 *		Arrays in order: a place found by halves, and heaps.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_ORDERED_H
#define SDC_KERNEL_ORDERED_H

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

/*
 * SDC_HEAP_SIFT puts an element into a heap of so many elements that has a hole, or below: where it belongs.
 * above(a, b), a macro or a function, tells whether a belongs above b, and not if they are equal.
 */
#define SDC_HEAP_SIFT(heap, size, hole, element, above) \
do { \
	__typeof__(&(heap)[0]) heap_ = (heap); \
	__typeof__((heap)[0]) element_ = (element); \
	Size		size_ = (size); \
	Size		at_ = (hole); \
	\
	for (Size child_; (child_ = 2 * at_ + 1) < size_; at_ = child_) \
	{ \
		child_ += child_ + 1 < size_ && above(heap_[child_ + 1], heap_[child_]); \
		if (!above(heap_[child_], element_)) \
			break; \
		heap_[at_] = heap_[child_]; \
	} \
	heap_[at_] = element_; \
} while (0)

#endif							/* SDC_KERNEL_ORDERED_H */
