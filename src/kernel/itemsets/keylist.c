/*-------------------------------------------------------------------------
 *
 * keylist.c
 *		An ascending list of keys in little memory.
 *
 * Front coding: of each key how many of its first numbers are those of the key
 * before, how many others it has, and these others; all as bytes of 7 bits with a bit that says
 * whether more follow.  Itemsets and rules in the order of their search differ from
 * their predecessor mostly in the last item, and then take three or four bytes.
 *
 * The bytes are in chunks that are never moved, so that growth takes no second copy.
 *
 * Time: O(length) for a key.  Determinism: plain data structure, nothing to choose.  No interrupt
 * checks: the caller has them between keys.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/itemsets/keylist.h"

/* Bytes of a chunk: as many as all before, within these limits. */
#define MIN_CHUNK 4096
#define MAX_CHUNK ((uint64) 1 << 20)

/* The most bytes of a number. */
#define NUMBER_BYTES 10

typedef struct Chunk
{
	struct Chunk *next;
	uint64		used;			/* bytes, which follow */
} Chunk;

struct SdcKeylist
{
	/* set once */
	uint32		max_length;

	/* changes */
	uint64		used;			/* bytes of the list and its chunks */
	uint64		room;			/* bytes left in the last chunk */
	uint64		offset;			/* where reading goes on in the chunk read */
	Chunk	   *first;
	Chunk	   *last;
	Chunk	   *reading;
	uint32		length;
	uint64	   *key;			/* the last one that was written or read */
};

/* sdc_keylist_memory: see keylist.h. */
uint64
sdc_keylist_memory(uint32 max_length)
{
	return sizeof(SdcKeylist) + (uint64) max_length * sizeof(uint64);
}

/* sdc_keylist_used: see keylist.h. */
uint64
sdc_keylist_used(const SdcKeylist *list)
{
	return list->used;
}

/* sdc_keylist_create: see keylist.h; the list and its key are one piece of memory. */
SdcKeylist *
sdc_keylist_create(uint32 max_length)
{
	uint64		bytes = sdc_keylist_memory(max_length);
	SdcKeylist *list = sdc_alloc(bytes);

	memset(list, 0, sizeof(SdcKeylist));
	list->max_length = max_length;
	list->used = bytes;
	list->key = (uint64 *) (list + 1);
	return list;
}

/* sdc_keylist_destroy accepts NULL. */
void
sdc_keylist_destroy(SdcKeylist *list)
{
	if (list == NULL)
		return;
	while (list->first != NULL)
	{
		Chunk	   *chunk = list->first;

		list->first = chunk->next;
		sdc_free(chunk);
	}
	sdc_free(list);
}

/* add_chunk makes room for at least bytes in a new chunk, if there is so much left of memory. */
static SdcStatus
add_chunk(SdcKeylist *list, uint64 bytes, uint64 memory)
{
	uint64		left = memory > list->used ? memory - list->used : 0;
	uint64		size = list->used;
	Chunk	   *chunk;

	if (size < MIN_CHUNK)
		size = MIN_CHUNK;
	if (size > MAX_CHUNK)
		size = MAX_CHUNK;
	if (size > left)
		size = left;
	if (size < sizeof(Chunk) + bytes)
		size = sizeof(Chunk) + bytes;
	if (size > left)
		return SDC_ERROR_MEMORY;
	chunk = sdc_alloc(size);
	chunk->next = NULL;
	chunk->used = 0;
	if (list->last != NULL)
		list->last->next = chunk;
	else
		list->first = chunk;
	list->last = chunk;
	list->room = size - sizeof(Chunk);
	list->used += size;
	return SDC_OK;
}

/* put_number writes a number and returns the place behind it. */
static inline uint8 *
put_number(uint8 *place, uint64 number)
{
	for (; number >= 0x80; number >>= 7)
		*place++ = (uint8) (number | 0x80);
	*place++ = (uint8) number;
	return place;
}

/* get_number reads a number and returns the place behind it. */
static inline const uint8 *
get_number(const uint8 *place, uint64 *number)
{
	uint64		bits = 0;
	int			shift = 0;

	for (; *place >= 0x80; shift += 7)
		bits |= (uint64) (*place++ & 0x7F) << shift;
	*number = bits | (uint64) *place++ << shift;
	return place;
}

/* sdc_keylist_append: see keylist.h. */
SdcStatus
sdc_keylist_append(SdcKeylist *list, const uint64 *key, uint32 length, uint64 memory)
{
	uint32		common = 0;
	uint64		bytes;
	uint8	   *start;
	uint8	   *place;

	SDC_ASSERT(length > 0 && length <= list->max_length);
	SDC_ASSERT(list->length == 0 ||
			   sdc_keylist_compare(list->key, list->length, key, length) < 0);
	while (common < length && common < list->length && key[common] == list->key[common])
		common++;
	bytes = (uint64) (length - common + 2) * NUMBER_BYTES;
	if (list->last == NULL || list->room < bytes)
	{
		SdcStatus	status = add_chunk(list, bytes, memory);

		if (status != SDC_OK)
			return status;
	}
	start = (uint8 *) (list->last + 1) + list->last->used;
	place = put_number(start, common);
	place = put_number(place, length - common);
	for (uint32 i = common; i < length; i++)
	{
		place = put_number(place, key[i]);
		list->key[i] = key[i];
	}
	list->length = length;
	list->last->used += (uint64) (place - start);
	list->room -= (uint64) (place - start);
	return SDC_OK;
}

#ifdef SDC_CHECKS

/*
 * check_chunk reads the keys of a chunk into next, keeps the one before in key, and tells whether
 * they ascend and end where the chunk does.
 */
static bool
check_chunk(const SdcKeylist *list, const Chunk *chunk, uint64 *key, uint32 *length, uint64 *next)
{
	const uint8 *place = (const uint8 *) (chunk + 1);
	const uint8 *end = place + chunk->used;

	while (place < end)
	{
		uint64		common;
		uint64		others;

		place = get_number(place, &common);
		place = get_number(place, &others);
		if (common > *length || others == 0 || others > list->max_length - common)
			return false;
		memcpy(next, key, common * sizeof(uint64));
		for (uint64 i = 0; i < others; i++)
			place = get_number(place, &next[common + i]);
		if (*length > 0 &&
			sdc_keylist_compare(key, *length, next, (uint32) (common + others)) >= 0)
			return false;
		*length = (uint32) (common + others);
		memcpy(key, next, *length * sizeof(uint64));
	}
	return place == end;
}

/* sdc_keylist_check: all keys ascend, the last one is that which was written last. */
bool
sdc_keylist_check(const SdcKeylist *list)
{
	uint64	   *key = sdc_alloc_array(uint64, list->max_length);
	uint64	   *next = sdc_alloc_array(uint64, list->max_length);
	uint64		bytes = sdc_keylist_memory(list->max_length);
	uint32		length = 0;
	bool		good = true;

	for (const Chunk *chunk = list->first; good && chunk != NULL; chunk = chunk->next)
	{
		good = chunk->used > 0 && (chunk->next != NULL || chunk == list->last) &&
			check_chunk(list, chunk, key, &length, next);
		bytes += sizeof(Chunk) + chunk->used + (chunk == list->last ? list->room : 0);
	}
	good = good && bytes <= list->used && length == list->length &&
		memcmp(key, list->key, length * sizeof(uint64)) == 0;
	sdc_free(next);
	sdc_free(key);
	return good;
}

#endif							/* SDC_CHECKS */

/* sdc_keylist_rewind: see keylist.h. */
void
sdc_keylist_rewind(SdcKeylist *list)
{
	SDC_ASSERT(list->reading != NULL || sdc_keylist_check(list));
	list->reading = list->first;
	list->offset = 0;
	list->length = 0;
}

/* sdc_keylist_next: see keylist.h.  A key never crosses chunks, and no chunk is empty. */
const uint64 *
sdc_keylist_next(SdcKeylist *list, uint32 *length)
{
	const uint8 *start;
	const uint8 *place;
	uint64		common;
	uint64		others;

	if (list->reading != NULL && list->offset == list->reading->used)
	{
		list->reading = list->reading->next;
		list->offset = 0;
	}
	if (list->reading == NULL)
		return NULL;
	start = (const uint8 *) (list->reading + 1) + list->offset;
	place = get_number(start, &common);
	place = get_number(place, &others);
	for (uint64 i = 0; i < others; i++)
		place = get_number(place, &list->key[common + i]);
	list->offset += (uint64) (place - start);
	list->length = (uint32) (common + others);
	*length = list->length;
	return list->key;
}

/* sdc_keylist_compare: see keylist.h. */
int
sdc_keylist_compare(const uint64 *a, uint32 a_length, const uint64 *b, uint32 b_length)
{
	uint32		length = a_length < b_length ? a_length : b_length;

	for (uint32 i = 0; i < length; i++)
	{
		if (a[i] != b[i])
			return a[i] < b[i] ? -1 : 1;
	}
	return (a_length > b_length) - (a_length < b_length);
}
