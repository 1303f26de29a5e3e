/*-------------------------------------------------------------------------
 *
 * codesort.h
 *		Elements sorted by a code, one pass for each attribute.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_CODESORT_H
#define SDC_KERNEL_CODESORT_H

#include "kernel/base/kernel_env.h"

/* Where the code of an element is: code[r * stride] of its record r = record[element]. */
typedef struct SdcCodesort
{
	const uint32 *code;
	Size		stride;			/* 1 for a column */
	uint32		codes;			/* greater ones, as that of a missing value, are one code, the last */
	const uint32 *record;		/* NULL: elements are records */
} SdcCodesort;

/*
 * sdc_codesort_pass writes elements in the order of their codes, and where these are equal in the
 * order that they had: so that passes from the last attribute to the first sort by all of them.  Without from they are
 * 0 .. elements - 1.
 * start has codes + 1 words, and is where the elements of each code end afterwards; credit is that
 * of sdc_interrupts_spend.  O(elements + codes).
 */
extern void sdc_codesort_pass(const SdcCodesort *sort, const uint32 *from, uint32 *to,
							  uint32 elements, uint32 *start, uint32 *credit);

/*
 * sdc_codesort_all sorts elements by several codes, the first one first, and where all are equal leaves them in the
 * order that they had.  It changes *order and *spare, of as many elements, for each other, and tells whether no two
 * elements are equal.  O(elements + codes) where few have the first code in common, else that for each of the codes.
 */
extern bool sdc_codesort_all(const SdcCodesort *sort, int count, uint32 **order, uint32 **spare, uint32 elements,
							 uint32 *credit);

/*
 * sdc_codesort_two returns elements 0 .. elements - 1 in the order of a first code, those with the same one in the
 * order of a second, and otherwise as they are; to be given back by sdc_free.
 */
extern uint32 *sdc_codesort_two(const SdcCodesort *first, const SdcCodesort *second, uint32 elements);

/* sdc_codesort_distinct tells whether all elements 0 .. elements - 1 have different codes. */
extern bool sdc_codesort_distinct(const SdcCodesort *sort, uint32 elements, uint32 *credit);

/* sdc_codesort_starts makes of the counts of codes the places where the elements of each start. */
extern void sdc_codesort_starts(uint32 *count, uint64 codes, uint32 *credit);

#endif							/* SDC_KERNEL_CODESORT_H */
