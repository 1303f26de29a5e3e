/*-------------------------------------------------------------------------
 *
 * itemstore.h
 *		Itemsets with their counts, found by their items.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_ITEMSTORE_H
#define SDC_KERNEL_ITEMSTORE_H

#include "kernel/base/codedfile.h"

/* An itemset: its last item, and the itemset of the items before. */
typedef struct SdcItemstoreEntry
{
	uint32		prefix;			/* or SDC_ITEMSTORE_EMPTY */
	uint32		count;
	SdcItem		item;
} SdcItemstoreEntry;

/* The number of the itemset without items, which is not stored. */
#define SDC_ITEMSTORE_EMPTY UINT32_MAX

typedef struct SdcItemstore
{
	uint32		n;				/* itemsets in the store, */
	uint32		capacity;		/* and for how many there is room */
	SdcItemstoreEntry *entry;
	uint64		places;			/* a power of two */
	uint32	   *place;			/* by hash: number of an itemset, or EMPTY */
} SdcItemstore;

/* What a store for n itemsets takes. */
extern uint64 sdc_itemstore_memory(uint64 n);

extern SdcItemstore *sdc_itemstore_create(uint32 n);
extern void sdc_itemstore_destroy(SdcItemstore *store);

/* sdc_itemstore_add adds the itemset of a stored prefix and an item, which is not there yet. */
extern uint32 sdc_itemstore_add(SdcItemstore *store, uint32 prefix, SdcItem item, uint32 count);

/* sdc_itemstore_find returns the number of the itemset of a prefix and an item, which is there. */
extern uint32 sdc_itemstore_find(const SdcItemstore *store, uint32 prefix, SdcItem item);

#ifdef SDC_CHECKS
extern bool sdc_itemstore_check(const SdcItemstore *store);
#endif

#endif							/* SDC_KERNEL_ITEMSTORE_H */
