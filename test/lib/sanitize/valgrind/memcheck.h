/*-------------------------------------------------------------------------
 *
 * memcheck.h
 *		What the server tells valgrind about its memory, told to AddressSanitizer.
 *
 * A server built with USE_VALGRIND marks the unused parts of its memory contexts
 * and the buffers that it has not pinned.  With this header in the place of
 * valgrind's own, AddressSanitizer learns of them: bytes past a palloc'ed chunk,
 * freed chunks and pages without a pin count as errors, which malloc'ed blocks
 * alone would not show.  It knows accessible bytes only, not defined ones.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_SANITIZE_MEMCHECK_H
#define SDC_SANITIZE_MEMCHECK_H

#include <sanitizer/asan_interface.h>

/* Memory becomes accessible, or not. */
#define VALGRIND_MAKE_MEM_DEFINED(addr, size) \
	__asan_unpoison_memory_region((const void *) (addr), size)
#define VALGRIND_MAKE_MEM_UNDEFINED(addr, size) \
	__asan_unpoison_memory_region((const void *) (addr), size)
#define VALGRIND_MAKE_MEM_NOACCESS(addr, size) \
	__asan_poison_memory_region((const void *) (addr), size)

/* Chunks of a context.  What a free takes away, wipe_mem has marked before. */
#define VALGRIND_MEMPOOL_ALLOC(context, addr, size) \
	__asan_unpoison_memory_region((const void *) (addr), size)
#define VALGRIND_MEMPOOL_CHANGE(context, optr, nptr, size) \
	__asan_unpoison_memory_region((const void *) (nptr), size)
#define VALGRIND_MEMPOOL_FREE(context, addr) ((void) 0)

/* Nothing to tell. */
#define VALGRIND_CREATE_MEMPOOL(context, redzones, zeroed) ((void) 0)
#define VALGRIND_DESTROY_MEMPOOL(context) ((void) 0)
#define VALGRIND_CHECK_MEM_IS_DEFINED(addr, size) ((void) 0)

/* The server asks how many errors there were after each statement: it would not be here. */
#define VALGRIND_COUNT_ERRORS 0
#define VALGRIND_PRINTF(...) ((void) 0)
#define RUNNING_ON_VALGRIND 0

#endif							/* SDC_SANITIZE_MEMCHECK_H */
