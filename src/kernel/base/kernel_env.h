/*-------------------------------------------------------------------------
 *
 * kernel_env.h
 *		What a kernel may know of its surroundings.
 *
 * A kernel is plain C on arrays.  This header gives it fixed-width types,
 * allocation, assertions, the interrupt check and a way to tell how far it is, and
 * nothing else.  In the server they map to PostgreSQL's; with SDC_KERNEL_STANDALONE they map to the
 * C library, so that the kernels build and run under sanitizers and fuzzers
 * without a server.
 *
 * Allocation never returns NULL: the server raises an error, the stand-alone
 * build aborts.  In the server a kernel may be left at any allocation or
 * interrupt check by an error, so it must own nothing but allocated memory.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_KERNEL_ENV_H
#define SDC_KERNEL_KERNEL_ENV_H

/* Which share of the work of all what a kernel tells of itself is (SDC_REPORT_WITHIN). */
typedef struct SdcReportScope
{
	double		start;
	double		share;
} SdcReportScope;

#ifdef SDC_KERNEL_STANDALONE

#include <assert.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int8_t int8;
typedef int16_t int16;
typedef int32_t int32;
typedef int64_t int64;
typedef uint8_t uint8;
typedef uint16_t uint16;
typedef uint32_t uint32;
typedef uint64_t uint64;
typedef float float4;
typedef double float8;
typedef size_t Size;

#define SDC_ASSERT(condition) assert(condition)
#define SDC_CHECK_INTERRUPTS() ((void) 0)
#define SDC_REPORT(done, total) ((void) (done), (void) (total))
#define SDC_REPORT_WITHIN(start, end, total) ((void) (start), (void) (end), (void) (total), (SdcReportScope) {0, 1})
#define SDC_REPORT_BACK(before) ((void) (before))

/* As in the server, memory is aligned to 8 bytes, and deliberately to no more. */
#define SDC_ALLOC_SHIFT 8

/* Of new memory so many bytes are filled. */
#define SDC_ALLOC_SOILED 65536

/* sdc_alloc_soil fills new memory with other bytes every time, so that tests notice who reads it before writing it. */
static inline void
sdc_alloc_soil(void *memory, uint64 size)
{
#ifndef NDEBUG
	static const uint8 soil[] = {0x00, 0x01, 0x7F, 0xFF};
	static uint32 turn = 0;

	/* in no order that a loop could have, too */
	turn += UINT32_C(0x9E3779B9);
	memset(memory, soil[turn >> 30], size < SDC_ALLOC_SOILED ? size : SDC_ALLOC_SOILED);
#else
	(void) memory, (void) size;
#endif
}

/* sdc_alloc allocates bytes. */
static inline void *
sdc_alloc(uint64 size)
{
	char	   *memory = size <= PTRDIFF_MAX - SDC_ALLOC_SHIFT ? malloc(size + SDC_ALLOC_SHIFT) : NULL;

	if (memory == NULL)
		abort();
	sdc_alloc_soil(memory + SDC_ALLOC_SHIFT, size);
	return memory + SDC_ALLOC_SHIFT;
}

/* sdc_free frees what sdc_alloc and its like returned. */
static inline void
sdc_free(void *memory)
{
	free((char *) memory - SDC_ALLOC_SHIFT);
}

#else							/* in the server */

#include "postgres.h"

#include "miscadmin.h"
#include "utils/memutils.h"

#ifdef SDC_TEST_POINTS

/* For tests, every look for an interrupt of ours is a point to stop at (relation/base/testpoint.h). */
extern void sdc_test_point(void);

#undef CHECK_FOR_INTERRUPTS
#define CHECK_FOR_INTERRUPTS() \
do { \
	sdc_test_point(); \
	if (INTERRUPTS_PENDING_CONDITION()) \
		ProcessInterrupts(); \
} while (0)

#endif							/* SDC_TEST_POINTS */

#define SDC_ASSERT(condition) Assert(condition)
#define SDC_CHECK_INTERRUPTS() CHECK_FOR_INTERRUPTS()

/*
 * A kernel that may take long tells how much of its work is done, in whatever unit, now and then: other sessions see it
 * where the server's side has asked for it (relation/base/progress.h).
 */
extern void sdc_report(uint64 done, uint64 total);
#define SDC_REPORT(done, total) sdc_report(done, total)

/* What calls another kernel for a part of its work says so before and behind it. */
extern SdcReportScope sdc_report_within(uint64 start, uint64 end, uint64 total);
extern void sdc_report_back(SdcReportScope before);
#define SDC_REPORT_WITHIN(start, end, total) sdc_report_within(start, end, total)
#define SDC_REPORT_BACK(before) sdc_report_back(before)

/*
 * What is large comes from the server's side (relation/base/largearray.h), which keeps it in a file when memory does
 * not last.  With assertions little is large already, so that the tests see more of it.
 */
#ifdef USE_ASSERT_CHECKING
#define SDC_LARGE 1024
#else
#define SDC_LARGE 65536
#endif

extern uint32 sdc_large_arrays;	/* how many there are */
extern void *sdc_large_alloc(uint64 size);
extern bool sdc_large_free(void *start);

/* sdc_alloc allocates bytes; more than the server gives to anyone is its error. */
static inline void *
sdc_alloc(uint64 size)
{
	if (size >= SDC_LARGE)
		return sdc_large_alloc(size);
	return MemoryContextAlloc(CurrentMemoryContext, size > 0 ? (Size) size : 1);
}

/* sdc_free frees what sdc_alloc and its like returned. */
static inline void
sdc_free(void *memory)
{
	if (sdc_large_arrays == 0 || !sdc_large_free(memory))
		pfree(memory);
}

#endif							/* SDC_KERNEL_STANDALONE */

/*
 * With assertions, structures that live long have a function sdc_..._check that looks at all of
 * one, and tells whether it is what its header says.  It is asserted after a structure was made,
 * and after so few of its changes that they do not take much longer.
 */
#if defined(SDC_KERNEL_STANDALONE) ? !defined(NDEBUG) : defined(USE_ASSERT_CHECKING)
#define SDC_CHECKS

/* sdc_check_due tells whether a number of elements is one at which all of them are looked at. */
static inline bool
sdc_check_due(uint64 elements)
{
	return (elements & (elements - 1)) == 0;
}
#endif

/*
 * Arrays are allocated by these only, so that no product of a count and a size is too large for
 * its type unnoticed: such an array is as much too large as one that memory does not hold.
 */
#define sdc_alloc_array(type, count) \
	((type *) sdc_alloc_items(sizeof(type), 1, count))
#define sdc_alloc_matrix(type, rows, columns) \
	((type *) sdc_alloc_items(sizeof(type), rows, columns))
#define sdc_alloc_zeros(type, count) \
	((type *) sdc_alloc_zero_items(sizeof(type), count))

/* sdc_alloc_items allocates rows of columns of items; one of them may be 0. */
static inline void *
sdc_alloc_items(Size size, uint64 rows, uint64 columns)
{
	uint64		items;
	uint64		bytes;

	if (__builtin_mul_overflow(rows, columns, &items) || __builtin_mul_overflow(items, size, &bytes))
		bytes = UINT64_MAX;
	return sdc_alloc(bytes);
}

/* sdc_alloc_zero_items allocates items of zero bytes. */
static inline void *
sdc_alloc_zero_items(Size size, uint64 count)
{
	void	   *memory = sdc_alloc_items(size, 1, count);

	memset(memory, 0, size * (Size) count);
	return memory;
}

/*
 * sdc_alloc_room returns memory for items that nothing is in so far: the memory given, or, where its room is too
 * little, or none is there, other memory in its place.
 */
static inline void *
sdc_alloc_room(void *memory, uint32 *room, uint32 items, Size size)
{
	if (memory != NULL && items <= *room)
		return memory;
	if (memory != NULL)
		sdc_free(memory);
	*room = items;
	return sdc_alloc_items(size, 1, items);
}

/* Loops over records look for a cancel once in this many steps. */
#define SDC_INTERRUPT_STEPS 4096

/* sdc_interrupts_step looks for a cancel once in SDC_INTERRUPT_STEPS steps, that are numbered. */
static inline void
sdc_interrupts_step(uint64 step)
{
	if (step % SDC_INTERRUPT_STEPS == 0)
		SDC_CHECK_INTERRUPTS();
}

/* sdc_interrupts_piece ends a piece of a loop to n that needs no look for a cancel. */
static inline uint32
sdc_interrupts_piece(uint32 start, uint32 n)
{
	return n - start > SDC_INTERRUPT_STEPS ? start + SDC_INTERRUPT_STEPS : n;
}

/* sdc_interrupts_block does so after a look for a cancel. */
static inline uint32
sdc_interrupts_block(uint32 start, uint32 n)
{
	SDC_CHECK_INTERRUPTS();
	return sdc_interrupts_piece(start, n);
}

/*
 * sdc_interrupts_spend looks for a cancel once in SDC_INTERRUPT_STEPS steps, however they are
 * spread over the loops of a kernel; credit is what is left until then, 0 at first.
 */
static inline void
sdc_interrupts_spend(uint32 *credit, uint32 steps)
{
	if (steps < *credit)
		*credit -= steps;
	else
	{
		SDC_CHECK_INTERRUPTS();
		*credit = SDC_INTERRUPT_STEPS;
	}
}

/* How a kernel ends.  The SQL-callable layer words the error. */
typedef enum SdcStatus
{
	SDC_OK = 0,
	SDC_ERROR_CRYPTO,			/* libcrypto refused an operation */
	SDC_ERROR_MEMORY			/* more memory is needed than was allowed */
} SdcStatus;

#endif							/* SDC_KERNEL_KERNEL_ENV_H */
