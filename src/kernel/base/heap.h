/*-------------------------------------------------------------------------
 *
 * heap.h
 *		Arrays as heaps.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_HEAP_H
#define SDC_KERNEL_HEAP_H

#include "kernel/base/kernel_env.h"

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

#endif							/* SDC_KERNEL_HEAP_H */
