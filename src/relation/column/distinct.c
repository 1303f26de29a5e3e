/*-------------------------------------------------------------------------
 *
 * distinct.c
 *		Whether nearly all values of a column are different.
 *
 * Values are told apart by a hash of 64 bits of their bytes, which runs no function of their type; of
 * a long value only the beginning and the length count.  The hashes are kept in a set, and as long
 * as all fit the count is exact.  When the set is full, only the hashes below a bound are kept,
 * which is halved whenever the set is full again, and every kept hash stands for as many as the halvings
 * tell (P. Gibbons, "Distinct sampling for highly-accurate answers to distinct values queries and
 * event reports", VLDB 2001).  At least half of the set is kept: with 32,768 hashes the standard error is
 * below 0.8 percent, with 2,048 about 3 percent.  What is kept does not depend on the order of the records.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/detoast.h"
#include "kernel/base/checksum.h"
#include "miscadmin.h"
#include "relation/base/compat.h"
#include "relation/base/memory.h"
#include "relation/column/distinct.h"

/* Fewer values than these say nothing. */
#define VALUES_LEAST 20

/* So many percent of the values are different where nearly all are. */
#define PERCENT_LEAST 90

/* Percent by which the estimate must be too low before counting ends early. */
#define PERCENT_UNSURE 5

/* A set has as many hashes as the memory allows, in twice as many slots. */
#define HASHES_LEAST 2048
#define HASHES_MOST 32768

/* So many bytes of a value count. */
#define VALUE_BYTES 8192

/* Whether it goes on is looked at once in so many values. */
#define LOOK_VALUES 1024

/* The lowest bit of a slot: the hash, which is without it, came again. */
#define AGAIN UINT64CONST(1)

/* The count of a column: a set of hashes with open addressing. */
struct SdcDistinct
{
	const SdcColumn *column;
	uint64		values;			/* of the column that are not missing */
	uint64		left;			/* of these, not counted yet */
	uint64	   *slot;			/* 0: empty */
	uint64		mask;			/* number of slots - 1 */
	uint64		most;			/* hashes that may be kept */
	uint64		used;			/* hashes that are kept */
	int			halved;			/* how often the bound was halved */
};

/*
 * add_bytes adds bytes and their number, as words of this machine: nobody keeps the hash.  The last word
 * may share bytes with the one before.
 */
static inline void
add_bytes(SdcChecksum *sum, const char *bytes, Size length)
{
	uint64		word = 0;

	sdc_checksum_word(sum, length);
	if (length < sizeof(word))
		for (Size i = 0; i < length; i++)
			word = word << 8 | (uint8) bytes[i];
	else
	{
		for (; length > sizeof(word); length -= sizeof(word), bytes += sizeof(word))
		{
			memcpy(&word, bytes, sizeof(word));
			sdc_checksum_word(sum, word);
		}
		memcpy(&word, bytes + length - sizeof(word), sizeof(word));
	}
	sdc_checksum_word(sum, word);
}

/* add_long adds the beginning of a value of varying length, and its length. */
static void
add_long(SdcChecksum *sum, struct varlena *whole)
{
	bool		plain = !VARATT_IS_COMPRESSED(whole) && !VARATT_IS_EXTERNAL(whole);
	struct varlena *start = plain ? whole : detoast_attr_slice(whole, 0, VALUE_BYTES);
	Size		length = plain ? VARSIZE_ANY_EXHDR(whole) :
		toast_raw_datum_size(PointerGetDatum(whole)) - VARHDRSZ;

	if (length > VALUE_BYTES)
		sdc_checksum_word(sum, length);
	add_bytes(sum, VARDATA_ANY(start), Min(VARSIZE_ANY_EXHDR(start), VALUE_BYTES));
	if (!plain)
		sdc_free(start);
}

/* hash_value hashes a value that is not NULL; the lowest bit is not set, and the hash not 0. */
static uint64
hash_value(const SdcColumn *column, Datum value)
{
	SdcChecksum sum = {SDC_CHECKSUM_INIT};

	if (column->typbyval)
		sdc_checksum_word(&sum, (uint64) value);
	else if (column->typlen > 0)
		add_bytes(&sum, DatumGetPointer(value), column->typlen);
	else if (column->typlen == -2)
		add_bytes(&sum, DatumGetCString(value), strlen(DatumGetCString(value)));
	else
		add_long(&sum, (struct varlena *) DatumGetPointer(value));
	/* once more: the high bits of a word have come no further than the middle */
	sdc_checksum_word(&sum, 0);
	return Max(sum.state & ~AGAIN, AGAIN << 1);
}

/* sdc_distinct_begin begins to count a column. */
SdcDistinct *
sdc_distinct_begin(const SdcColumn *column, uint64 memory)
{
	uint64		values = sdc_column_count(column) - sdc_column_null_count(column);
	SdcDistinct *distinct;
	uint64		slots = 2;

	if (values < VALUES_LEAST)
		return NULL;
	distinct = palloc0(sizeof(SdcDistinct));
	distinct->column = column;
	distinct->values = distinct->left = values;
	distinct->most = HASHES_LEAST;
	while (distinct->most < HASHES_MOST && distinct->most * 4 * sizeof(uint64) <= memory)
		distinct->most *= 2;
	while (slots < 2 * Min(values, distinct->most))
		slots *= 2;
	distinct->mask = slots - 1;
	distinct->slot = sdc_memory_array(slots, sizeof(uint64));
	memset(distinct->slot, 0, slots * sizeof(uint64));
	return distinct;
}

/* sdc_distinct_destroy frees what a count takes. */
void
sdc_distinct_destroy(SdcDistinct *distinct)
{
	sdc_free(distinct->slot);
	pfree(distinct);
}

/* is_kept tells whether a hash is below the bound. */
static inline bool
is_kept(const SdcDistinct *distinct, uint64 hash)
{
	return distinct->halved == 0 || hash >> (64 - distinct->halved) == 0;
}

/* find returns the slot of a hash, or an empty one. */
static inline uint64 *
find(SdcDistinct *distinct, uint64 hash)
{
	uint64		place = (hash >> 1) & distinct->mask;

	while (distinct->slot[place] != 0 && (distinct->slot[place] & ~AGAIN) != hash)
		place = (place + 1) & distinct->mask;
	return &distinct->slot[place];
}

/* halve halves the bound and forgets the hashes that are not below it. */
static void
halve(SdcDistinct *distinct)
{
	uint64	   *before = distinct->slot;

	distinct->slot = sdc_memory_array(distinct->mask + 1, sizeof(uint64));
	memset(distinct->slot, 0, (distinct->mask + 1) * sizeof(uint64));
	distinct->used = 0;
	distinct->halved++;
	for (uint64 i = 0; i <= distinct->mask; i++)
		if (before[i] != 0 && is_kept(distinct, before[i]))
		{
			*find(distinct, before[i] & ~AGAIN) = before[i];
			distinct->used++;
		}
	sdc_free(before);
}

/* found returns how many of the values so far are different, or about that. */
static uint64
found(const SdcDistinct *distinct)
{
	return distinct->used << distinct->halved;
}

/* is_open tells whether nearly all values can still turn out to be different. */
static bool
is_open(const SdcDistinct *distinct)
{
	uint64		least = PERCENT_LEAST - (distinct->halved > 0 ? PERCENT_UNSURE : 0);

	return (found(distinct) + distinct->left) * 100 >= least * distinct->values;
}

/* sdc_distinct_add counts a value. */
bool
sdc_distinct_add(SdcDistinct *distinct, Datum value)
{
	uint64		hash = hash_value(distinct->column, value);

	distinct->left--;
	if (is_kept(distinct, hash))
	{
		uint64	   *slot = find(distinct, hash);

		if (*slot != 0)
			*slot |= AGAIN;
		else
		{
			*slot = hash;
			if (++distinct->used > distinct->most)
				halve(distinct);
		}
	}
	return distinct->left % LOOK_VALUES != 0 || is_open(distinct);
}

/* has_again tells whether some kept hash came more than once. */
static bool
has_again(const SdcDistinct *distinct)
{
	for (uint64 i = 0; i <= distinct->mask; i++)
		if (distinct->slot[i] & AGAIN)
			return true;
	return false;
}

/* sdc_distinct_percent says how many of the values are different. */
int
sdc_distinct_percent(const SdcDistinct *distinct)
{
	uint64		different = Min(found(distinct), distinct->values);
	int			percent;

	/* an estimate says all where none of many came again, and only then */
	if (distinct->halved > 0)
		different = has_again(distinct) ? Min(different, distinct->values - 1) : distinct->values;
	percent = (int) (different * 100 / distinct->values);
	return percent >= PERCENT_LEAST ? percent : 0;
}
