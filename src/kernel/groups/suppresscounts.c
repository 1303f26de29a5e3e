/*-------------------------------------------------------------------------
 *
 * suppresscounts.c
 *		Records whose values are being taken out, and how many of them are alike in some columns.
 *
 * A hash table with open addressing, at most half full, which grows; what records have is compared code by code, so
 * that hashes need not differ.  An entry stays when nobody has it any more.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/groups/suppresscounts.h"

/* Entries that there is room for at first. */
#define FIRST_ROOM 64

/* sdc_suppresscounts_slots: see suppresscounts.h. */
uint64
sdc_suppresscounts_slots(uint64 entries)
{
	uint64		slots = 8;

	while (slots < 2 * entries)
		slots *= 2;
	return slots;
}

/* find_slot finds the slot of what a record has, or the free one that it would get. */
static inline uint32 *
find_slot(const SdcSuppressCounts *counts, const SdcSuppressTable *table, uint32 record, uint64 blank)
{
	uint64		place = sdc_suppresscounts_hash(table, counts->columns, record, blank) & counts->mask;

	while (counts->slot[place] != 0)
	{
		const SdcSuppressEntry *entry = &counts->entry[counts->slot[place] - 1];

		if (sdc_suppresscounts_alike(table, counts->columns, record, blank, entry->record, entry->blank))
			break;
		place = (place + 1) & counts->mask;
	}
	return &counts->slot[place];
}

/* set_room makes room for entries, in a table that has those of before. */
static void
set_room(SdcSuppressCounts *counts, const SdcSuppressTable *table, uint32 room)
{
	SdcSuppressEntry *entry = sdc_alloc_array(SdcSuppressEntry, room);
	uint64		slots = sdc_suppresscounts_slots(room);

	if (counts->entry != NULL)
	{
		memcpy(entry, counts->entry, counts->entries * sizeof(SdcSuppressEntry));
		sdc_free(counts->entry);
		sdc_free(counts->slot);
	}
	counts->entry = entry;
	counts->room = room;
	counts->slot = sdc_alloc_zeros(uint32, slots);
	counts->mask = slots - 1;
	for (uint32 e = 0; e < counts->entries; e++)
	{
		sdc_interrupts_step(e);
		*find_slot(counts, table, entry[e].record, entry[e].blank) = e + 1;
	}
}

/* count_in counts a record as one that has something. */
static void
count_in(SdcSuppressCounts *counts, const SdcSuppressTable *table, uint32 record, uint64 blank)
{
	uint32	   *slot = find_slot(counts, table, record, blank);

	if (*slot == 0)
	{
		if (counts->entries == counts->room)
		{
			set_room(counts, table, counts->room > UINT32_MAX / 2 ? UINT32_MAX : 2 * counts->room);
			slot = find_slot(counts, table, record, blank);
		}
		counts->entry[counts->entries++] = (SdcSuppressEntry) {record, 0, blank};
		*slot = counts->entries;
	}
	counts->entry[*slot - 1].count++;
}

/* sdc_suppresscounts_create: see suppresscounts.h. */
void
sdc_suppresscounts_create(SdcSuppressCounts *counts, const SdcSuppressTable *table, uint64 columns)
{
	*counts = (SdcSuppressCounts) {.columns = columns};
	set_room(counts, table, FIRST_ROOM);
	for (uint32 i = 0; i < table->records; i++)
	{
		sdc_interrupts_step(i);
		count_in(counts, table, i, table->blank[i]);
	}
}

/* sdc_suppresscounts_destroy: see suppresscounts.h. */
void
sdc_suppresscounts_destroy(SdcSuppressCounts *counts)
{
	sdc_free(counts->entry);
	sdc_free(counts->slot);
}

/* sdc_suppresscounts_of: see suppresscounts.h. */
uint32
sdc_suppresscounts_of(const SdcSuppressCounts *counts, const SdcSuppressTable *table, uint32 record, uint64 blank)
{
	uint32		number = *find_slot(counts, table, record, blank);

	return number == 0 ? 0 : counts->entry[number - 1].count;
}

/* sdc_suppresscounts_move: see suppresscounts.h. */
void
sdc_suppresscounts_move(SdcSuppressCounts *counts, const SdcSuppressTable *table, uint32 record, uint64 from, uint64 to)
{
	if ((counts->columns & (from ^ to)) == 0)
		return;
	counts->entry[*find_slot(counts, table, record, from) - 1].count--;
	count_in(counts, table, record, to);
}
