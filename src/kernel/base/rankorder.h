/*-------------------------------------------------------------------------
 *
 * rankorder.h
 *		Order records by a 64-bit key, ties by a random word.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_RANKORDER_H
#define SDC_KERNEL_RANKORDER_H

#include "kernel/base/kernel_env.h"

/* Bytes of work space that sdc_rankorder_sort needs for n records. */
extern Size sdc_rankorder_memory(uint32 n);

/*
 * sdc_rankorder_sort writes to order[0 .. n-1] the records in ascending order
 * of (key, tie, record).
 *
 *	key		key[i] belongs to record[i]; both have n elements and are not changed
 *	record	record numbers, ascending; NULL stands for 0 .. n-1
 *	tie		tie[r] is the tie word of record number r (indexed by the record
 *			number, not by i); NULL stands for one word for all
 *	work	sdc_rankorder_memory(n) bytes, aligned for uint64; contents are lost
 *	order	the result; must not overlap the inputs
 *
 * Linear time for keys spread like data; O(n log n) at worst.  The result is
 * determined by the inputs alone.
 */
extern void sdc_rankorder_sort(const uint64 *key, const uint32 *record,
							   uint32 n, const uint32 *tie,
							   void *work, uint32 *order);

/* sdc_rankorder_ties also tells of each of the n places whether the record there has the key of the one before it. */
extern void sdc_rankorder_ties(const uint64 *key, const uint32 *record,
							   uint32 n, const uint32 *tie,
							   void *work, uint32 *order, bool *tied);

#endif							/* SDC_KERNEL_RANKORDER_H */
