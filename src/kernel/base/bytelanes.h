/*-------------------------------------------------------------------------
 *
 * bytelanes.h
 *		Some bytes compared at once, on vector units where there are.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_BYTELANES_H
#define SDC_KERNEL_BYTELANES_H

#include "kernel/base/kernel_env.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* Bytes that are compared at once. */
#define SDC_BYTELANES 16

/* sdc_bytelanes_equal has bit i set if a[i] = b[i], for SDC_BYTELANES bytes. */
static inline uint32
sdc_bytelanes_equal(const uint8 *a, const uint8 *b)
{
#ifdef __SSE2__
	__m128i		x = _mm_loadu_si128((const __m128i *) a);
	__m128i		y = _mm_loadu_si128((const __m128i *) b);

	return (uint32) _mm_movemask_epi8(_mm_cmpeq_epi8(x, y));
#else
	uint32		equal = 0;

	for (int i = 0; i < SDC_BYTELANES; i++)
		equal |= (uint32) (a[i] == b[i]) << i;
	return equal;
#endif
}

#endif							/* SDC_KERNEL_BYTELANES_H */
