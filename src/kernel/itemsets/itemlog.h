/*-------------------------------------------------------------------------
 *
 * itemlog.h
 *		Itemsets with their counts, one after the other, in little memory.
 *
 * A log is bytes, in pieces that its user has: it is written once, in the order in which a search emits
 * itemsets, and read in that order, by whoever is given the same pieces.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_ITEMLOG_H
#define SDC_KERNEL_ITEMLOG_H

#include "kernel/base/codedfile.h"

typedef struct SdcItemlog SdcItemlog;

/* Sets at and end to the next piece, which has a byte or more; false: there is none. */
typedef bool (*SdcItemlogPiece) (void *arg, uint8 **at, uint8 **end);

struct SdcItemlog
{
	uint8	   *at;				/* where it goes on, */
	uint8	   *end;			/* and the end of this piece; the same at first */
	SdcItemlogPiece piece;
	void	   *arg;
	int			max_items;

	/* the last itemset */
	SdcItem    *item;
	int			items;
	uint64	   *count;			/* the last that was told of so many items, or 0 */
};

/* Itemsets have at most so many items. */
extern SdcItemlog *sdc_itemlog_create(int max_items, SdcItemlogPiece piece, void *arg);
extern void sdc_itemlog_destroy(SdcItemlog *log);

/* sdc_itemlog_begin begins a log at such a place; nothing is known of those before. */
extern void sdc_itemlog_begin(SdcItemlog *log, uint8 *at, uint8 *end);

/* sdc_itemlog_write writes an itemset; false: there is no piece for it. */
extern bool sdc_itemlog_write(SdcItemlog *log, const SdcItem *item, int items, uint64 count, uint64 prefix_count);

/* sdc_itemlog_read reads the next itemset, and makes it the last one; false: there is no piece. */
extern bool sdc_itemlog_read(SdcItemlog *log, uint64 *count, uint64 *prefix_count);

/* sdc_itemlog_put and sdc_itemlog_get do so with one more number, for what there is beside. */
extern bool sdc_itemlog_put(SdcItemlog *log, uint64 number);
extern bool sdc_itemlog_get(SdcItemlog *log, uint64 *number);

#endif							/* SDC_KERNEL_ITEMLOG_H */
