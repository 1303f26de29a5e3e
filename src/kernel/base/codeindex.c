/*-------------------------------------------------------------------------
 *
 * codeindex.c
 *		The different combinations of codes in columns of a coded file, numbered and found again.
 *
 * A hash table with open addressing, at most half full; combinations are compared code by code, so that
 * hashes need not differ.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/base/codeindex.h"

/* slots_for is the size of the table. */
static uint64
slots_for(uint64 records)
{
	uint64		slots = 8;

	while (slots < 2 * records)
		slots *= 2;
	return slots;
}

/* hash_of mixes the codes of a record. */
static inline uint64
hash_of(const SdcCodedFile *coded, int columns, uint32 record)
{
	uint64		hash = 0;

	for (int j = 0; j < columns; j++)
	{
		hash = (hash ^ coded->column[j].code[record]) * UINT64_C(0x9E3779B97F4A7C15);
		hash ^= hash >> 32;
	}
	return hash;
}

/* same_codes tells whether two records agree. */
static inline bool
same_codes(const SdcCodeIndex *index, uint32 of, const SdcCodedFile *other, uint32 record)
{
	for (int j = 0; j < index->columns; j++)
		if (index->coded->column[j].code[of] != other->column[j].code[record])
			return false;
	return true;
}

/* find_slot finds the slot of a combination, or the free one that it would get. */
static inline uint32 *
find_slot(const SdcCodeIndex *index, const SdcCodedFile *other, uint32 record)
{
	uint64		place = hash_of(other, index->columns, record) & index->mask;

	while (index->slot[place] != 0 &&
		   !same_codes(index, index->first[index->slot[place] - 1], other, record))
		place = (place + 1) & index->mask;
	return &index->slot[place];
}

/* sdc_codeindex_create: see codeindex.h. */
void
sdc_codeindex_create(SdcCodeIndex *index, const SdcCodedFile *coded, int columns, uint32 *number)
{
	uint64		slots = slots_for(coded->records);

	index->coded = coded;
	index->columns = columns;
	index->count = 0;
	index->first = sdc_alloc_array(uint32, coded->records);
	index->slot = sdc_alloc_zeros(uint32, slots);
	index->mask = slots - 1;
	for (uint32 i = 0; i < coded->records; i++)
	{
		uint32	   *slot = find_slot(index, coded, i);

		sdc_interrupts_step(i);
		if (*slot == 0)
		{
			index->first[index->count++] = i;
			*slot = index->count;
		}
		if (number != NULL)
			number[i] = *slot - 1;
	}
}

/* sdc_codeindex_destroy: see codeindex.h. */
void
sdc_codeindex_destroy(SdcCodeIndex *index)
{
	sdc_free(index->slot);
	sdc_free(index->first);
}

/* sdc_codeindex_find: see codeindex.h. */
uint32
sdc_codeindex_find(const SdcCodeIndex *index, const SdcCodedFile *other, uint32 record)
{
	return *find_slot(index, other, record) - 1;
}
