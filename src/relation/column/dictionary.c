/*-------------------------------------------------------------------------
 *
 * dictionary.c
 *		The distinct values of an attribute, numbered, and columns of their numbers.
 *
 * A hash table with open addressing holds the numbers; the values lie beside it in the order
 * of their numbers, those of by-reference types in blocks of their own.  A value
 * costs a hash of its bytes and mostly one comparison; a record four bytes.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "common/hashfn.h"
#include "kernel/base/rankorder.h"
#include "miscadmin.h"
#include "relation/base/compat.h"
#include "relation/base/memory.h"
#include "relation/column/dictionary.h"
#include "utils/typcache.h"

/* Slots at first; a power of two.  At most half of the slots are used. */
#define SLOTS_FIRST 64

/*
 * Values of by-reference types are put together in blocks, each a quarter as large as all before, within these
 * bounds, so that most are in large arrays; larger values have one of their own.
 */
#define BLOCK_FIRST 1024
#define BLOCK_BYTES (8 * 1024 * 1024)

#define LIST_FIRST 512

typedef struct Slot
{
	uint32		hash;
	uint32		number;			/* plus 1; 0: the slot is free */
} Slot;

struct SdcDictionary
{
	SdcType		type;
	MemoryContext context;
	Slot	   *slots;
	uint32		mask;			/* slots - 1 */
	Datum	   *values;			/* by number */
	uint64		space;			/* values there is room for */
	uint32		count;
	char	   *block;			/* where the next form goes */
	Size		room;			/* bytes left there */
	uint64		form_bytes;		/* of all blocks */
};

/* The bytes of a value that tell it from others. */
typedef struct Form
{
	const char *bytes;
	Size		length;
	uint32		hash;
	struct varlena *owned;		/* a copy to free, or NULL */
} Form;

/* sdc_dictionary_create makes an empty dictionary. */
SdcDictionary *
sdc_dictionary_create(const SdcType *type)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "sdc dictionary",
												  ALLOCSET_SMALL_SIZES);
	SdcDictionary *dictionary = MemoryContextAllocZero(context, sizeof(SdcDictionary));

	dictionary->type = *type;
	dictionary->context = context;
	dictionary->mask = SLOTS_FIRST - 1;
	dictionary->slots = MemoryContextAllocZero(context, SLOTS_FIRST * sizeof(Slot));
	dictionary->space = SLOTS_FIRST / 2;
	dictionary->values = MemoryContextAlloc(context, dictionary->space * sizeof(Datum));
	return dictionary;
}

/* sdc_dictionary_destroy frees a dictionary and its values. */
void
sdc_dictionary_destroy(SdcDictionary *dictionary)
{
	MemoryContextDelete(dictionary->context);
}

/* sdc_dictionary_count returns the number of distinct forms. */
uint32
sdc_dictionary_count(const SdcDictionary *dictionary)
{
	return dictionary->count;
}

/* sdc_dictionary_value returns the value with a number. */
Datum
sdc_dictionary_value(const SdcDictionary *dictionary, uint32 number)
{
	Assert(number < dictionary->count);
	return dictionary->values[number];
}

/* sdc_dictionary_alias: see dictionary.h. */
void
sdc_dictionary_alias(SdcDictionary *dictionary, uint32 number, uint32 other)
{
	Assert(number < dictionary->count && other < dictionary->count);
	dictionary->values[number] = dictionary->values[other];
}

/* sdc_dictionary_type returns the type of the values. */
const SdcType *
sdc_dictionary_type(const SdcDictionary *dictionary)
{
	return &dictionary->type;
}

/* sdc_dictionary_memory returns the bytes that the dictionary takes. */
uint64
sdc_dictionary_memory(const SdcDictionary *dictionary)
{
	return ((uint64) dictionary->mask + 1) * sizeof(Slot) +
		dictionary->space * sizeof(Datum) + dictionary->form_bytes;
}

/* reference_form finds the bytes of a value of a by-reference type. */
static void
reference_form(const SdcType *type, Datum value, Form *form)
{
	form->owned = NULL;
	if (type->typlen == -1)
	{
		struct varlena *plain = (struct varlena *) DatumGetPointer(value);

		if (VARATT_IS_EXTERNAL(plain) || VARATT_IS_COMPRESSED(plain))
			plain = form->owned = PG_DETOAST_DATUM_PACKED(value);
		form->bytes = VARDATA_ANY(plain);
		form->length = VARSIZE_ANY_EXHDR(plain);
	}
	else
	{
		form->bytes = DatumGetPointer(value);
		form->length = type->typlen == -2 ? strlen(form->bytes) + 1 : (Size) type->typlen;
	}
	form->hash = hash_bytes((const unsigned char *) form->bytes, (int) form->length);
}

/* same_form tells whether a stored value has the bytes of a form. */
static bool
same_form(const SdcType *type, Datum value, const Form *form)
{
	const char *bytes = DatumGetPointer(value);

	if (type->typlen == -1)
		return VARSIZE_ANY_EXHDR(bytes) == form->length &&
			memcmp(VARDATA_ANY(bytes), form->bytes, form->length) == 0;
	return memcmp(bytes, form->bytes, form->length) == 0;
}

/* store_form keeps the bytes of a value and returns the Datum that points to them. */
static Datum
store_form(SdcDictionary *dictionary, const Form *form)
{
	bool		varying = dictionary->type.typlen == -1;
	Size		size = MAXALIGN(form->length + (varying ? VARHDRSZ : 0));
	char	   *place;

	if (size > dictionary->room)
	{
		Size		block = Max(size, (Size) Min(BLOCK_BYTES, Max(BLOCK_FIRST, dictionary->form_bytes / 4)));

		place = sdc_memory_array_in(dictionary->context, block, 1);
		dictionary->form_bytes += block;
		/* a large value leaves the block at hand as it is */
		if (block == size)
			dictionary->block = dictionary->room > 0 ? dictionary->block : place + size;
		else
		{
			dictionary->block = place + size;
			dictionary->room = block - size;
		}
	}
	else
	{
		place = dictionary->block;
		dictionary->block += size;
		dictionary->room -= size;
	}
	if (varying)
	{
		SET_VARSIZE(place, form->length + VARHDRSZ);
		memcpy(VARDATA(place), form->bytes, form->length);
	}
	else
		memcpy(place, form->bytes, form->length);
	return PointerGetDatum(place);
}

/* grow_slots doubles the hash table. */
static void
grow_slots(SdcDictionary *dictionary)
{
	uint64		slots = ((uint64) dictionary->mask + 1) * 2;
	Slot	   *old = dictionary->slots;
	uint32		mask = (uint32) (slots - 1);

	if (slots > (UINT64CONST(1) << 32))
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("an attribute has too many distinct values")));
	dictionary->slots = sdc_memory_array_in(dictionary->context, slots, sizeof(Slot));
	memset(dictionary->slots, 0, slots * sizeof(Slot));
	for (uint64 i = 0; i <= dictionary->mask; i++)
	{
		uint32		place = old[i].hash & mask;

		if (old[i].number == 0)
			continue;
		while (dictionary->slots[place].number != 0)
			place = (place + 1) & mask;
		dictionary->slots[place] = old[i];
	}
	dictionary->mask = mask;
	sdc_free(old);
}

/* add_value gives a new value its number; slot is the free slot that was found for it. */
static uint32
add_value(SdcDictionary *dictionary, Slot *slot, uint32 hash, Datum value)
{
	uint32		number = dictionary->count++;

	if (number == dictionary->space)
	{
		dictionary->space *= 2;
		dictionary->values = sdc_memory_grow(dictionary->context, dictionary->values, number, dictionary->space,
											 sizeof(Datum));
	}
	dictionary->values[number] = value;
	slot->hash = hash;
	slot->number = number + 1;
	if (dictionary->count > dictionary->mask / 2)
		grow_slots(dictionary);
	return number;
}

/* word_hash mixes the bits of a word. */
static uint32
word_hash(uint64 word)
{
	word = (word ^ (word >> 32)) * UINT64_C(0xD6E8FEB86659FD93);
	return (uint32) (word ^ (word >> 32));
}

/* number_word is sdc_dictionary_number for pass-by-value types. */
static uint32
number_word(SdcDictionary *dictionary, Datum value)
{
	uint32		hash = word_hash((uint64) value);
	uint32		place = hash & dictionary->mask;
	Slot	   *slot;

	for (;; place = (place + 1) & dictionary->mask)
	{
		slot = &dictionary->slots[place];
		if (slot->number == 0)
			return add_value(dictionary, slot, hash, value);
		if (slot->hash == hash && dictionary->values[slot->number - 1] == value)
			return slot->number - 1;
	}
}

/* sdc_dictionary_expect: see dictionary.h. */
void
sdc_dictionary_expect(const SdcDictionary *dictionary, Datum value)
{
	if (dictionary->type.typbyval)
		__builtin_prefetch(&dictionary->slots[word_hash((uint64) value) & dictionary->mask]);
}

/* sdc_dictionary_expect_more: see dictionary.h. */
void
sdc_dictionary_expect_more(const SdcDictionary *dictionary, Datum value)
{
	const Slot *slot;

	if (!dictionary->type.typbyval)
		return;
	slot = &dictionary->slots[word_hash((uint64) value) & dictionary->mask];
	if (slot->number != 0)
		__builtin_prefetch(&dictionary->values[slot->number - 1]);
}

/* sdc_dictionary_number returns the number of a value. */
uint32
sdc_dictionary_number(SdcDictionary *dictionary, Datum value)
{
	Form		form;
	uint32		place;
	uint32		number;
	Slot	   *slot;

	if (dictionary->type.typbyval)
		return number_word(dictionary, value);
	reference_form(&dictionary->type, value, &form);
	for (place = form.hash & dictionary->mask;; place = (place + 1) & dictionary->mask)
	{
		slot = &dictionary->slots[place];
		if (slot->number == 0)
		{
			number = add_value(dictionary, slot, form.hash, store_form(dictionary, &form));
			break;
		}
		if (slot->hash == form.hash &&
			same_form(&dictionary->type, dictionary->values[slot->number - 1], &form))
		{
			number = slot->number - 1;
			break;
		}
	}
	if (form.owned != NULL)
		pfree(form.owned);
	return number;
}

/* A comparison of numbers by their values, for qsort_arg. */
static int
compare_numbers(const void *a, const void *b, void *arg)
{
	SdcDictionary *dictionary = arg;
	uint32		left = *(const uint32 *) a;
	uint32		right = *(const uint32 *) b;
	int			order = sdc_type_compare(&dictionary->type, dictionary->values[left],
										 dictionary->values[right]);

	CHECK_FOR_INTERRUPTS();
	return order != 0 ? order : (left > right) - (left < right);
}

/* sort_by_key sorts numbers by the keys of their values. */
static void
sort_by_key(const SdcDictionary *dictionary, uint32 *number)
{
	uint32		count = dictionary->count;
	uint64	   *key = sdc_memory_array(count, sizeof(uint64));
	uint32	   *tie = sdc_memory_zeros(count, sizeof(uint32));
	void	   *work = sdc_memory_array(sdc_rankorder_memory(count), 1);

	for (uint32 i = 0; i < count; i++)
		key[i] = sdc_type_key(&dictionary->type, dictionary->values[i]);
	sdc_rankorder_sort(key, NULL, count, tie, work, number);
	sdc_free(work);
	sdc_free(tie);
	sdc_free(key);
}

/* sdc_dictionary_codes orders the values. */
void
sdc_dictionary_codes(const SdcDictionary *dictionary, SdcDictionaryCodes *codes)
{
	SdcDictionary *ordered = unconstify(SdcDictionary *, dictionary);	/* for its functions */
	uint32		count = dictionary->count;
	uint32	   *sorted = sdc_memory_array(count, sizeof(uint32));

	codes->codes = codes->values = 0;
	codes->code = sdc_memory_array(count, sizeof(uint32));
	codes->number = sorted;
	if (count == 0)
		return;
	if (dictionary->type.key != SDC_KEY_NONE)
		sort_by_key(dictionary, sorted);
	else
	{
		for (uint32 i = 0; i < count; i++)
			sorted[i] = i;
		qsort_arg(sorted, count, sizeof(uint32), compare_numbers, ordered);
	}
	for (uint32 i = 0; i < count; i++)
	{
		uint32		number = sorted[i];

		/* codes->number overwrites what was looked at already */
		if (codes->codes == 0 ||
			!sdc_type_equal(&ordered->type, dictionary->values[codes->number[codes->codes - 1]],
							dictionary->values[number]))
			codes->number[codes->codes++] = number;
		codes->code[number] = codes->codes - 1;
	}
	codes->values = codes->codes;
}

/* hash_values returns a hash of every value that equal values have in common: 0 where a type has none. */
static uint64 *
hash_values(const SdcDictionary *dictionary)
{
	TypeCacheEntry *entry = lookup_type_cache(dictionary->type.base, TYPECACHE_EQ_OPR |
											  TYPECACHE_HASH_EXTENDED_PROC_FINFO);
	uint64	   *hash = sdc_memory_zeros(dictionary->count, sizeof(uint64));
	MemoryContext scratch;
	MemoryContext before;

	if (!OidIsValid(entry->hash_extended_proc))
		return hash;
	scratch = AllocSetContextCreate(CurrentMemoryContext, "sdc hash", ALLOCSET_DEFAULT_SIZES);
	before = MemoryContextSwitchTo(scratch);
	for (uint32 i = 0; i < dictionary->count; i++)
	{
		hash[i] = DatumGetUInt64(FunctionCall2Coll(&entry->hash_extended_proc_finfo, dictionary->type.collation,
												   dictionary->values[i], Int64GetDatum(0)));
		MemoryContextReset(scratch);
		sdc_interrupts_step(i);
	}
	MemoryContextSwitchTo(before);
	MemoryContextDelete(scratch);
	return hash;
}

/* sort_by_hash sorts numbers by the hashes of their values, and those of one hash by the values. */
static uint32 *
sort_by_hash(SdcDictionary *dictionary, uint64 *hash)
{
	uint32		count = dictionary->count;
	uint32	   *sorted = sdc_memory_array(count, sizeof(uint32));
	void	   *work = sdc_memory_array(sdc_rankorder_memory(count), 1);
	uint32		start = 0;

	sdc_rankorder_sort(hash, NULL, count, NULL, work, sorted);
	sdc_free(work);
	while (start < count)
	{
		uint32		end = start + 1;

		while (end < count && hash[sorted[end]] == hash[sorted[start]])
			end++;
		if (end > start + 1)
			qsort_arg(sorted + start, end - start, sizeof(uint32), compare_numbers, dictionary);
		start = end;
		sdc_interrupts_step(start);
	}
	return sorted;
}

/* sdc_dictionary_classes: see dictionary.h. */
uint32 *
sdc_dictionary_classes(const SdcDictionary *dictionary, uint32 *classes)
{
	SdcDictionary *ordered = unconstify(SdcDictionary *, dictionary);	/* for its functions */
	uint32		count = dictionary->count;
	uint64	   *hash = hash_values(dictionary);
	uint32	   *sorted = sort_by_hash(ordered, hash);
	uint32	   *class = sdc_memory_array(count, sizeof(uint32));

	*classes = 0;
	for (uint32 i = 0; i < count; i++)
	{
		if (i == 0 || hash[sorted[i]] != hash[sorted[i - 1]] ||
			!sdc_type_equal(&ordered->type, dictionary->values[sorted[i - 1]], dictionary->values[sorted[i]]))
			(*classes)++;
		class[sorted[i]] = *classes - 1;
		sdc_interrupts_step(i);
	}
	sdc_free(sorted);
	sdc_free(hash);
	if (*classes < count)
		return class;
	sdc_free(class);
	return NULL;
}

/* sdc_codelist_create makes an empty column of numbers in the current memory context. */
SdcCodeList *
sdc_codelist_create(SdcDictionary *dictionary)
{
	SdcCodeList *list = palloc0(sizeof(SdcCodeList));

	list->dictionary = dictionary;
	list->context = CurrentMemoryContext;
	return list;
}

/* sdc_codelist_reserve makes room for so many records in all. */
void
sdc_codelist_reserve(SdcCodeList *list, uint64 records)
{
	uint64		space = Max(records, 1);

	if (space <= list->space)
		return;
	list->code = sdc_memory_grow(list->context, list->code, list->count, space, sizeof(uint32));
	list->space = space;
}

/* sdc_codelist_grow makes room for more records. */
void
sdc_codelist_grow(SdcCodeList *list)
{
	sdc_codelist_reserve(list, list->space == 0 ? LIST_FIRST : list->space * 2);
}

/* sdc_codelist_rank replaces the numbers by codes. */
void
sdc_codelist_rank(SdcCodeList *list, const SdcDictionaryCodes *codes)
{
	for (uint64 i = 0; i < list->count; i++)
	{
		if (list->code[i] != SDC_CODE_NULL)
			list->code[i] = codes->code[list->code[i]];
		if (i % 65536 == 0)
			CHECK_FOR_INTERRUPTS();
	}
}
