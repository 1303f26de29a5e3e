/*-------------------------------------------------------------------------
 *
 * itemstore.c
 *		Itemsets with their counts, found by their items.
 *
 * A hash table with open addressing, at most two thirds full.  An itemset takes 16
 * bytes whatever its length, as the items before the last are those of another
 * itemset: with each itemset all its prefixes must be stored.  Its places take 6 to 12 bytes.
 *
 * The hash has no key and no random part: itemsets of the caller's data can at worst
 * make the caller's query slow, and it looks for a cancel.
 *
 * Time: O(1) for an itemset of a known prefix.  Determinism: the order of entries is that of
 * their addition; the hash decides nothing but places.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/itemsets/itemstore.h"

/* places_for is the number of places for n itemsets. */
static uint64
places_for(uint64 n)
{
	uint64		places = 16;

	while (places / 3 * 2 < n)
		places *= 2;
	return places;
}

/* sdc_itemstore_memory: see itemstore.h.  More itemsets than numbers for them have no bound. */
uint64
sdc_itemstore_memory(uint64 n)
{
	if (n >= SDC_ITEMSTORE_EMPTY)
		return UINT64_MAX;
	return sizeof(SdcItemstore) + n * sizeof(SdcItemstoreEntry) + places_for(n) * sizeof(uint32);
}

/* sdc_itemstore_create: see itemstore.h. */
SdcItemstore *
sdc_itemstore_create(uint32 n)
{
	SdcItemstore *store = sdc_alloc(sizeof(SdcItemstore));

	store->n = 0;
	store->capacity = n;
	store->entry = sdc_alloc_array(SdcItemstoreEntry, n);
	store->places = places_for(n);
	store->place = sdc_alloc_array(uint32, store->places);
	memset(store->place, 0xFF, (Size) store->places * sizeof(uint32));	/* EMPTY */
	return store;
}

/* sdc_itemstore_destroy accepts NULL. */
void
sdc_itemstore_destroy(SdcItemstore *store)
{
	if (store == NULL)
		return;
	sdc_free(store->place);
	sdc_free(store->entry);
	sdc_free(store);
}

/* hash mixes a prefix and an item; the last steps are of S. Vigna's splitmix64. */
static inline uint64
hash(uint32 prefix, SdcItem item)
{
	uint64		z = ((uint64) item.attribute << 32 | item.code) * UINT64_C(0x9E3779B97F4A7C15);

	z = (z ^ (z >> 32) ^ prefix) * UINT64_C(0xBF58476D1CE4E5B9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
	return z ^ (z >> 31);
}

/* is_itemset says whether an entry is the itemset of a prefix and an item. */
static inline bool
is_itemset(const SdcItemstoreEntry *entry, uint32 prefix, SdcItem item)
{
	return entry->prefix == prefix && entry->item.attribute == item.attribute &&
		entry->item.code == item.code;
}

#ifdef SDC_CHECKS

/* sdc_itemstore_check: every itemset is found, in a place of its own, and its prefix came before. */
bool
sdc_itemstore_check(const SdcItemstore *store)
{
	uint64		used = 0;

	if (store->n > store->capacity || store->places < store->capacity ||
		(store->places & (store->places - 1)) != 0)
		return false;
	for (uint32 number = 0; number < store->n; number++)
	{
		const SdcItemstoreEntry *entry = &store->entry[number];
		uint64		place = hash(entry->prefix, entry->item) & (store->places - 1);
		uint64		left = store->places;

		if (entry->prefix != SDC_ITEMSTORE_EMPTY && entry->prefix >= number)
			return false;
		for (; store->place[place] != number; place = (place + 1) & (store->places - 1))
			if (left-- == 0 || store->place[place] >= store->n ||
				is_itemset(&store->entry[store->place[place]], entry->prefix, entry->item))
				return false;
	}
	for (uint64 place = 0; place < store->places; place++)
		used += store->place[place] != SDC_ITEMSTORE_EMPTY;
	return used == store->n;
}

#endif							/* SDC_CHECKS */

/* sdc_itemstore_add: see itemstore.h. */
uint32
sdc_itemstore_add(SdcItemstore *store, uint32 prefix, SdcItem item, uint32 count)
{
	uint64		place = hash(prefix, item) & (store->places - 1);
	uint32		number = store->n++;

	SDC_ASSERT(number < store->capacity);
	while (store->place[place] != SDC_ITEMSTORE_EMPTY)
		place = (place + 1) & (store->places - 1);
	store->place[place] = number;
	store->entry[number].prefix = prefix;
	store->entry[number].count = count;
	store->entry[number].item = item;
	SDC_ASSERT(!sdc_check_due(store->n) || sdc_itemstore_check(store));
	return number;
}

/* sdc_itemstore_find: see itemstore.h. */
uint32
sdc_itemstore_find(const SdcItemstore *store, uint32 prefix, SdcItem item)
{
	uint64		place = hash(prefix, item) & (store->places - 1);

	for (;;)
	{
		uint32		number = store->place[place];

		SDC_ASSERT(number != SDC_ITEMSTORE_EMPTY);
		if (is_itemset(&store->entry[number], prefix, item))
			return number;
		place = (place + 1) & (store->places - 1);
	}
}
