/*-------------------------------------------------------------------------
 *
 * keylist.h
 *		An ascending list of keys in little memory.
 *
 * A key is a sequence of numbers.  Keys are ordered by their first difference; no key begins
 * with another one.  A list is written once, in ascending order, and then read in that order.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_KEYLIST_H
#define SDC_KERNEL_KEYLIST_H

#include "kernel/base/kernel_env.h"

typedef struct SdcKeylist SdcKeylist;

/* What an empty list takes, for keys of at most max_length numbers. */
extern uint64 sdc_keylist_memory(uint32 max_length);

/* What a list takes. */
extern uint64 sdc_keylist_used(const SdcKeylist *list);

extern SdcKeylist *sdc_keylist_create(uint32 max_length);
extern void sdc_keylist_destroy(SdcKeylist *list);

/* sdc_keylist_append appends a key.  SDC_ERROR_MEMORY: the list would take more than memory bytes. */
extern SdcStatus sdc_keylist_append(SdcKeylist *list, const uint64 *key, uint32 length,
									uint64 memory);

/* sdc_keylist_rewind goes to the first key; nothing can be appended any more. */
extern void sdc_keylist_rewind(SdcKeylist *list);

/* sdc_keylist_next returns the next key, which stays until the next call, or NULL at the end. */
extern const uint64 *sdc_keylist_next(SdcKeylist *list, uint32 *length);

/* sdc_keylist_compare orders keys: negative, 0 or positive. */
extern int	sdc_keylist_compare(const uint64 *a, uint32 a_length, const uint64 *b, uint32 b_length);

#ifdef SDC_CHECKS
/* Of a list that is not yet read. */
extern bool sdc_keylist_check(const SdcKeylist *list);
#endif

#endif							/* SDC_KERNEL_KEYLIST_H */
