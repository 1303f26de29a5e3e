/*-------------------------------------------------------------------------
 *
 * tally.c
 *		Distinct strings of bytes and how often each occurs, in one piece of memory.
 *
 * The memory is a header, the label, a hash table with open addressing and linear probing, and the
 * strings with their counts, one after the other as they came.  The table has the places of the
 * strings; at most three quarters of it are used.
 *
 * Tallies come from outside too, and to look at all of one before every string that is counted would
 * take quadratic time.  So nothing in it is trusted: the header is looked at once a call
 * (sdc_tally_usable), a place when it is used.  Bytes that are no tally give wrong counts at worst.
 *
 * Time: O(length) for each string; packing sorts.  Memory: 16 bytes a string besides its own, which
 * are rounded up to 8, and 5 to 11 in the table; up to twice as much after it has grown.
 * Determined by the strings and their order; packed, by the strings alone.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/base/checksum.h"
#include "kernel/base/tally.h"

/* The first bytes of a tally; another number for another layout. */
#define MAGIC UINT32_C(0x53445431)

#define SLOTS_LEAST 8
#define LABEL_MOST 4096

/* The largest sum of counts, which are bigint in SQL; and far above all sizes. */
#define MOST UINT64_C(0x7FFFFFFFFFFFFFFF)

/* The label follows, filled up with zeros to 8 bytes, then slots (uint32), then entries. */
struct SdcTally
{
	uint32		magic;
	uint32		label_length;
	uint64		slots;			/* of the hash table, a power of 2; 0: packed */
	uint64		room;			/* bytes for entries */
	uint64		used;			/* bytes of entries */
	uint64		values;			/* number of entries */
	uint64		total;			/* sum of their counts */
};

/* What stands before a string, which is filled up with zeros to 8 bytes. */
typedef struct Entry
{
	uint64		count;
	uint32		hash;			/* 0 when packed */
	uint32		length;
} Entry;

/* A string while the strings are put in order. */
typedef struct Sorted
{
	uint64		prefix;			/* its first bytes as a number that has their order */
	const Entry *entry;
} Sorted;

/* align8 rounds up to a multiple of 8. */
static inline uint64
align8(uint64 bytes)
{
	return (bytes + 7) & ~UINT64_C(7);
}

/* entry_size is what a string takes. */
static inline uint64
entry_size(uint64 length)
{
	return sizeof(Entry) + align8(length);
}

/* most_values is how many strings a table of so many slots takes. */
static inline uint64
most_values(uint64 slots)
{
	return slots - slots / 4;
}

/* slots_at is where the hash table begins. */
static inline uint64
slots_at(uint32 label_length)
{
	return sizeof(SdcTally) + align8(label_length);
}

/* tally_slots is the hash table: places of entries in units of 8 bytes plus 1, or 0. */
static inline uint32 *
tally_slots(const SdcTally *tally)
{
	return (uint32 *) ((char *) tally + slots_at(tally->label_length));
}

/* tally_entries is where the entries begin. */
static inline char *
tally_entries(const SdcTally *tally)
{
	return (char *) (tally_slots(tally) + tally->slots);
}

/* entry_bytes is the string of an entry. */
static inline void *
entry_bytes(const Entry *entry)
{
	return (char *) entry + sizeof(Entry);
}

/* entry_at returns the entry at a place, a multiple of 8, or NULL if there can be none. */
static inline Entry *
entry_at(const SdcTally *tally, uint64 place)
{
	Entry	   *entry = (Entry *) (tally_entries(tally) + place);

	if (tally->used < sizeof(Entry) || place > tally->used - sizeof(Entry) ||
		entry_size(entry->length) > tally->used - place)
		return NULL;
	return entry;
}

/*
 * hash_of is the hash of a string.  The last product takes every bit of the sum to the half that
 * stays: the words of numbers often differ in their upper bits only.
 */
static inline uint32
hash_of(const void *bytes, uint32 length)
{
	SdcChecksum sum = {SDC_CHECKSUM_INIT};

	if (length == sizeof(uint64))
	{
		uint64		word;

		memcpy(&word, bytes, sizeof(word));
		sdc_checksum_word(&sum, word ^ (word >> 32));
	}
	else
		sdc_checksum_bytes(&sum, bytes, length);
	return (uint32) ((sum.state * UINT64_C(0xFF51AFD7ED558CCD)) >> 32);
}

/* has_string tells whether an entry has a string. */
static inline bool
has_string(const Entry *entry, const void *bytes, uint32 length)
{
	if (entry->length != length)
		return false;
	if (length == sizeof(uint64))	/* one comparison */
		return memcmp(entry_bytes(entry), bytes, sizeof(uint64)) == 0;
	return memcmp(entry_bytes(entry), bytes, length) == 0;
}

/* make_shape puts a shape for so many strings and bytes of entries together. */
static void
make_shape(uint32 label_length, uint64 values, uint64 room, Size limit, SdcTallyShape *shape)
{
	uint64		size;

	memset(shape, 0, sizeof(SdcTallyShape));
	if (label_length > LABEL_MOST || values > MOST / 16 || room > MOST / 2)
		return;
	shape->slots = SLOTS_LEAST;
	while (most_values(shape->slots) < values)
		shape->slots *= 2;
	shape->room = room;
	size = slots_at(label_length) + shape->slots * sizeof(uint32) + room;
	/* a place has to fit into a slot */
	if (size <= limit && room / 8 < UINT32_MAX)
		shape->size = (Size) size;
}

/* sdc_tally_shape: see tally.h. */
void
sdc_tally_shape(uint32 label_length, uint64 values, uint64 length, Size limit,
				SdcTallyShape *shape)
{
	uint64		each = entry_size(length < MOST / 4 ? length : MOST / 4);

	values = values > 0 ? values : 1;
	make_shape(label_length, values, each > MOST / values ? MOST : each * values, limit, shape);
}

/*
 * sdc_tally_grown makes room for twice the strings, of the average length so far.  Where the limit
 * does not allow it, it takes all that the limit allows: there are few such shapes, so a tally does not
 * grow by a little again and again.
 */
void
sdc_tally_grown(const SdcTally *tally, uint32 length, Size limit, SdcTallyShape *shape)
{
	uint64		values = tally->values < MOST / 32 ? tally->values + 1 : MOST / 32;
	uint64		bytes = tally->used + entry_size(length);

	make_shape(tally->label_length, 2 * values, 2 * bytes, limit, shape);
	for (int more = 8; shape->size == 0; more /= 2)
	{
		make_shape(tally->label_length, values + values * more / 16, bytes, limit, shape);
		if (shape->size > 0)
			make_shape(tally->label_length, values + values * more / 16,
					   bytes + (limit - shape->size) / 8 * 8, limit, shape);
		if (more == 0)
			return;
	}
}

/* sdc_tally_init: see tally.h. */
void
sdc_tally_init(SdcTally *tally, const SdcTallyShape *shape, const void *label,
			   uint32 label_length)
{
	SDC_ASSERT(shape->size > 0 && label_length <= LABEL_MOST);
	tally->magic = MAGIC;
	tally->label_length = label_length;
	tally->slots = shape->slots;
	tally->room = shape->room;
	memcpy(tally + 1, label, label_length);
}

/* sdc_tally_usable insists on parts that lie one after the other and fill the size. */
bool
sdc_tally_usable(const SdcTally *tally, Size size)
{
	uint64		before;

	if (size < sizeof(SdcTally) || tally->magic != MAGIC || tally->label_length > LABEL_MOST ||
		tally->slots > size || (tally->slots & (tally->slots - 1)) != 0)
		return false;
	if (tally->slots > 0 && tally->slots < SLOTS_LEAST)
		return false;
	before = slots_at(tally->label_length) + tally->slots * sizeof(uint32);
	return before <= size && tally->room == size - before && tally->used <= tally->room &&
		tally->used % 8 == 0;
}

/* is_zero tells whether bytes are 0. */
static bool
is_zero(const void *bytes, uint64 length)
{
	const uint8 *byte = bytes;

	for (uint64 i = 0; i < length; i++)
		if (byte[i] != 0)
			return false;
	return true;
}

/* follows tells whether the string of an entry comes after that of another. */
static bool
follows(const Entry *entry, const Entry *other)
{
	uint32		common = entry->length < other->length ? entry->length : other->length;
	int			order = memcmp(entry_bytes(entry), entry_bytes(other), common);

	return order > 0 || (order == 0 && entry->length > other->length);
}

/*
 * sdc_tally_valid looks at what is counted: entries without gaps, their number, no count of 0, their
 * sum; packed, that they are in order, and so that no string is there twice.  In an open tally one
 * may be, and the table may be wrong: that cannot be seen without making it again.
 */
bool
sdc_tally_valid(const SdcTally *tally, Size size)
{
	const Entry *before = NULL;
	uint64		values = 0;
	uint64		total = 0;

	if (!sdc_tally_usable(tally, size) ||
		!is_zero((const char *) (tally + 1) + tally->label_length,
				 align8(tally->label_length) - tally->label_length) ||
		(tally->slots == 0 && tally->used != tally->room))
		return false;
	for (uint64 place = 0; place < tally->used;)
	{
		Entry	   *entry = entry_at(tally, place);

		sdc_interrupts_step(values++);
		if (entry == NULL || entry->count == 0 || entry->count > MOST - total ||
			!is_zero((const char *) entry_bytes(entry) + entry->length,
					 align8(entry->length) - entry->length))
			return false;
		if (tally->slots == 0 &&
			(entry->hash != 0 || (before != NULL && !follows(entry, before))))
			return false;
		total += entry->count;
		place += entry_size(entry->length);
		before = entry;
	}
	return values == tally->values && total == tally->total;
}

#ifdef SDC_CHECKS

/* is_found tells whether an entry, at a place, is the one that a search for its string finds. */
static bool
is_found(const SdcTally *tally, const Entry *entry, uint64 place)
{
	uint32		hash = hash_of(entry_bytes(entry), entry->length);
	uint64		mask = tally->slots - 1;

	for (uint64 step = 0, slot = hash & mask; step <= mask; step++, slot = (slot + 1) & mask)
	{
		uint32		at = tally_slots(tally)[slot];
		const Entry *other = at == 0 ? NULL : entry_at(tally, (uint64) (at - 1) * 8);

		if (other == NULL)
			return false;
		if (other->hash == hash && has_string(other, entry_bytes(entry), entry->length))
			return (uint64) (at - 1) * 8 == place && entry->hash == hash;
	}
	return false;
}

/* sdc_tally_check: valid, and the table leads to every string and nowhere else. */
bool
sdc_tally_check(const SdcTally *tally)
{
	uint64		filled = 0;

	if (!sdc_tally_valid(tally, (Size) (slots_at(tally->label_length) +
										tally->slots * sizeof(uint32) + tally->room)))
		return false;
	if (tally->slots == 0)
		return true;
	for (uint64 place = 0; place < tally->used;)
	{
		const Entry *entry = entry_at(tally, place);

		if (!is_found(tally, entry, place))
			return false;
		place += entry_size(entry->length);
	}
	for (uint64 slot = 0; slot < tally->slots; slot++)
		filled += tally_slots(tally)[slot] != 0;
	return filled == tally->values && tally->values <= most_values(tally->slots);
}

#endif							/* SDC_CHECKS */

/* sdc_tally_is_packed: see tally.h. */
bool
sdc_tally_is_packed(const SdcTally *tally)
{
	return tally->slots == 0;
}

/* sdc_tally_values: see tally.h. */
uint64
sdc_tally_values(const SdcTally *tally)
{
	return tally->values;
}

/* sdc_tally_label: see tally.h. */
const void *
sdc_tally_label(const SdcTally *tally, uint32 *length)
{
	*length = tally->label_length;
	return tally + 1;
}

/* add_entry appends a string that the tally does not have, and returns its place. */
static uint64
add_entry(SdcTally *tally, const void *bytes, uint32 length, uint32 hash, uint64 count)
{
	uint64		place = tally->used;
	Entry	   *entry = (Entry *) (tally_entries(tally) + place);

	entry->count = count;
	entry->hash = hash;
	entry->length = length;
	memcpy(entry_bytes(entry), bytes, length);
	memset((char *) entry_bytes(entry) + length, 0, align8(length) - length);
	tally->used += entry_size(length);
	tally->values++;
	return place;
}

/*
 * put_string puts a string that the tally does not have into a free slot.  What is good stays good;
 * a tally from outside may be anything.
 */
static void
put_string(SdcTally *tally, uint32 *slot, const void *bytes, uint32 length, uint32 hash,
		   uint64 count)
{
#ifdef SDC_CHECKS
	bool		good = sdc_check_due(tally->values + 1) && sdc_tally_check(tally);
#endif

	*slot = (uint32) (add_entry(tally, bytes, length, hash, count) / 8 + 1);
	tally->total += count;
	SDC_ASSERT(!good || sdc_tally_check(tally));
}

/*
 * sdc_tally_add looks for a string in the slots from that of its hash on, and puts it into the first
 * free one if it is not there.
 */
SdcTallyResult
sdc_tally_add(SdcTally *tally, const void *bytes, uint32 length, uint64 count)
{
	uint32	   *slots = tally_slots(tally);
	uint32		hash = hash_of(bytes, length);
	uint64		mask = tally->slots - 1;

	if (tally->slots == 0)
		return SDC_TALLY_FULL;
	if (tally->total > MOST || count > MOST - tally->total)
		return SDC_TALLY_OVERFLOW;
	for (uint64 step = 0, slot = hash & mask; step <= mask; step++, slot = (slot + 1) & mask)
	{
		Entry	   *entry;

		if (slots[slot] == 0)
		{
			if (tally->values >= most_values(tally->slots) ||
				entry_size(length) > tally->room - tally->used)
				return SDC_TALLY_FULL;
			put_string(tally, &slots[slot], bytes, length, hash, count);
			return SDC_TALLY_ADDED;
		}
		entry = entry_at(tally, (uint64) (slots[slot] - 1) * 8);
		if (entry == NULL)
			return SDC_TALLY_BROKEN;
		if (entry->hash != hash || !has_string(entry, bytes, length))
			continue;
		if (entry->count > MOST - count)
			return SDC_TALLY_OVERFLOW;
		entry->count += count;
		tally->total += count;
		return SDC_TALLY_ADDED;
	}
	return SDC_TALLY_BROKEN;	/* a table is never that full */
}

/*
 * sdc_tally_move copies the entries as they are and makes the table again, from the hashes that
 * they have: no string is looked at.
 */
bool
sdc_tally_move(const SdcTally *from, SdcTally *to)
{
	uint32	   *slots = tally_slots(to);
	uint64		mask = to->slots - 1;
	uint64		values = 0;

	if (from->used > to->room || from->values > most_values(to->slots) || to->slots == 0)
		return false;
	memcpy(tally_entries(to), tally_entries(from), from->used);
	to->used = from->used;
	for (uint64 place = 0; place < to->used;)
	{
		Entry	   *entry = entry_at(to, place);
		uint64		slot;

		sdc_interrupts_step(values++);
		if (entry == NULL || values > from->values)
			return false;
		for (slot = entry->hash & mask; slots[slot] != 0;)
			slot = (slot + 1) & mask;
		slots[slot] = (uint32) (place / 8 + 1);
		place += entry_size(entry->length);
	}
	to->values = from->values;
	to->total = from->total;
	SDC_ASSERT(from->slots == 0 || values != from->values || !sdc_tally_check(from) ||
			   sdc_tally_check(to));
	return values == from->values;
}

/* sdc_tally_next: see tally.h. */
bool
sdc_tally_next(const SdcTally *tally, uint64 *place, SdcTallyEntry *next)
{
	Entry	   *entry = entry_at(tally, *place);

	if (*place >= tally->used || entry == NULL)
		return false;
	next->bytes = entry_bytes(entry);
	next->length = entry->length;
	next->count = entry->count;
	*place += entry_size(entry->length);
	return true;
}

/* sdc_tally_packed_size: see tally.h. */
Size
sdc_tally_packed_size(const SdcTally *tally)
{
	return (Size) (slots_at(tally->label_length) + tally->used);
}

/* prefix_of makes a number of the first 8 bytes of an entry's string, with their order. */
static uint64
prefix_of(const Entry *entry)
{
	const uint8 *byte = entry_bytes(entry);
	uint64		prefix = 0;

	for (uint32 i = 0; i < 8; i++)
		prefix = prefix << 8 | (i < entry->length ? byte[i] : 0);
	return prefix;
}

/* compare_sorted is for qsort. */
static int
compare_sorted(const void *a, const void *b)
{
	const Sorted *left = a;
	const Sorted *right = b;

	SDC_CHECK_INTERRUPTS();
	if (left->prefix != right->prefix)
		return left->prefix < right->prefix ? -1 : 1;
	return follows(left->entry, right->entry) ? 1 : follows(right->entry, left->entry) ? -1 : 0;
}

/* sdc_tally_pack: see tally.h. */
void
sdc_tally_pack(const SdcTally *tally, SdcTally *packed)
{
	Sorted	   *sorted = sdc_alloc_array(Sorted, tally->values);
	uint64		count = 0;

	for (uint64 place = 0; place < tally->used && count < tally->values; count++)
	{
		const Entry *entry = entry_at(tally, place);

		if (entry == NULL)
			break;
		sdc_interrupts_step(count);
		sorted[count].prefix = prefix_of(entry);
		sorted[count].entry = entry;
		place += entry_size(entry->length);
	}
	qsort(sorted, (size_t) count, sizeof(Sorted), compare_sorted);

	packed->magic = MAGIC;
	packed->label_length = tally->label_length;
	memcpy(packed + 1, tally + 1, tally->label_length);
	packed->room = tally->used;
	for (uint64 i = 0; i < count; i++)
	{
		const Entry *entry = sorted[i].entry;

		sdc_interrupts_step(i);
		(void) add_entry(packed, entry_bytes(entry), entry->length, 0, entry->count);
		packed->total += entry->count;
	}
	sdc_free(sorted);
	SDC_ASSERT(!sdc_tally_check(tally) || sdc_tally_check(packed));
}
