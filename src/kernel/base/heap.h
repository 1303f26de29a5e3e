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
	Size		at_ = (hole); \
	\
	for (Size child_; (child_ = 2 * at_ + 1) < (size); at_ = child_) \
	{ \
		if (child_ + 1 < (size) && above((heap)[child_ + 1], (heap)[child_])) \
			child_++; \
		if (!above((heap)[child_], element)) \
			break; \
		(heap)[at_] = (heap)[child_]; \
	} \
	(heap)[at_] = (element); \
} while (0)

#endif							/* SDC_KERNEL_HEAP_H */
