/*-------------------------------------------------------------------------
 *
 * memory.h
 *		The bytes that kernels allocate, as AddressSanitizer counts them; without it nothing is measured.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_TEST_MEMORY_H
#define SDC_TEST_MEMORY_H

#include "tap.h"

extern int	__sanitizer_install_malloc_and_free_hooks(void (*) (const volatile void *, size_t),
													  void (*) (const volatile void *)) __attribute__((weak));
extern size_t __sanitizer_get_allocated_size(const volatile void *) __attribute__((weak));

/* Bytes since memory_begin: now, and at most. */
static int64 memory_now;
static int64 memory_most;

/* memory_size is what a kernel asked for (sdc_alloc). */
static inline int64
memory_size(size_t size)
{
	return size > SDC_ALLOC_SHIFT ? (int64) size - SDC_ALLOC_SHIFT : 0;
}

/* memory_taken counts what is allocated. */
static void
memory_taken(const volatile void *memory, size_t size)
{
	(void) memory;
	memory_now += memory_size(size);
	memory_most = memory_now > memory_most ? memory_now : memory_most;
}

/* memory_given counts what is freed. */
static void
memory_given(const volatile void *memory)
{
	if (memory != NULL)
		memory_now -= memory_size(__sanitizer_get_allocated_size(memory));
}

/* memory_begin begins to count; false: nothing is counted. */
static inline bool
memory_begin(void)
{
	static bool counted = false;

	if (!counted && __sanitizer_install_malloc_and_free_hooks != NULL)
		counted = __sanitizer_install_malloc_and_free_hooks(memory_taken, memory_given) != 0;
	memory_now = memory_most = 0;
	return counted;
}

#endif							/* SDC_TEST_MEMORY_H */
