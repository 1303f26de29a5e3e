/*-------------------------------------------------------------------------
 *
 * test_tally.c
 *		Tallies against a list, their packed form, and bytes that are no tally.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/base/tally.h"
#include "random.h"
#include "tap.h"

#define LIMIT ((Size) 1 << 30)
#define LONGEST 40

/* What a tally must count: the naive way. */
typedef struct Item
{
	uint8		bytes[LONGEST];
	uint32		length;
	uint64		count;
} Item;

/* A tally and its size. */
typedef struct Box
{
	SdcTally   *tally;
	Size		size;
} Box;

/* zeros allocates memory that is all 0. */
static void *
zeros(Size size)
{
	return memset(sdc_alloc(size), 0, size);
}

/* box_create makes an empty tally of some shape. */
static Box
box_create(const SdcTallyShape *shape, const char *label)
{
	Box			box = {zeros(shape->size), shape->size};

	sdc_tally_init(box.tally, shape, label, (uint32) strlen(label));
	return box;
}

/* box_small makes a tally for one string of 8 bytes. */
static Box
box_small(const char *label)
{
	SdcTallyShape shape;

	sdc_tally_shape((uint32) strlen(label), 1, 8, LIMIT, &shape);
	CHECK(shape.size > 0);
	return box_create(&shape, label);
}

/* box_grow replaces a tally by a larger one. */
static void
box_grow(Box *box, uint32 length)
{
	SdcTallyShape shape;
	uint32		label_length;
	const void *label = sdc_tally_label(box->tally, &label_length);
	Box			grown;

	sdc_tally_grown(box->tally, length, LIMIT, &shape);
	CHECK(shape.size > box->size);
	grown.size = shape.size;
	grown.tally = zeros(shape.size);
	sdc_tally_init(grown.tally, &shape, label, label_length);
	CHECK(sdc_tally_move(box->tally, grown.tally));
	sdc_free(box->tally);
	*box = grown;
}

/* box_add counts a string, in a larger tally if need be. */
static void
box_add(Box *box, const void *bytes, uint32 length, uint64 count)
{
	SdcTallyResult result = sdc_tally_add(box->tally, bytes, length, count);

	if (result == SDC_TALLY_FULL)
	{
		box_grow(box, length);
		result = sdc_tally_add(box->tally, bytes, length, count);
	}
	CHECK(result == SDC_TALLY_ADDED);
	CHECK(sdc_tally_usable(box->tally, box->size));
}

/* box_pack makes the packed form. */
static Box
box_pack(const Box *box)
{
	Box			packed;

	packed.size = sdc_tally_packed_size(box->tally);
	packed.tally = zeros(packed.size);
	sdc_tally_pack(box->tally, packed.tally);
	CHECK(sdc_tally_valid(packed.tally, packed.size));
	CHECK(sdc_tally_is_packed(packed.tally));
	return packed;
}

/* draw_item draws a string: few different ones, many that begin alike. */
static void
draw_item(Item *item, uint32 most, uint32 letters)
{
	memset(item, 0, sizeof(Item));
	item->length = most == 8 ? 8 : pick(most + 1);
	for (uint32 i = 0; i < item->length; i++)
		item->bytes[i] = (uint8) pick(letters);
}

/* find_item looks for a string in a list. */
static Item *
find_item(Item *list, uint32 count, const void *bytes, uint32 length)
{
	for (uint32 i = 0; i < count; i++)
		if (list[i].length == length && memcmp(list[i].bytes, bytes, length) == 0)
			return &list[i];
	return NULL;
}

/* note_item counts a string in a list. */
static void
note_item(Item *list, uint32 *count, const Item *item, uint64 times)
{
	Item	   *known = find_item(list, *count, item->bytes, item->length);

	if (known == NULL)
	{
		known = &list[(*count)++];
		*known = *item;
	}
	known->count += times;
}

/* check_same compares a tally with a list. */
static void
check_same(const SdcTally *tally, Item *list, uint32 count)
{
	SdcTallyEntry entry;
	uint64		place = 0;
	uint32		seen = 0;

	CHECK(sdc_tally_values(tally) == count);
	for (; sdc_tally_next(tally, &place, &entry); seen++)
	{
		Item	   *item = find_item(list, count, entry.bytes, entry.length);

		CHECK(item != NULL && item->count == entry.count);
		CHECK(((uintptr_t) entry.bytes & 7) == 0);
	}
	CHECK(seen == count);
}

/* counts_are_right counts random strings of several kinds. */
static void
counts_are_right(void)
{
	static Item list[3000];
	static const uint32 kinds[][2] = {{8, 2}, {8, 256}, {0, 1}, {1, 3}, {LONGEST, 2}, {9, 256}};

	for (uint32 round = 0; round < 60; round++)
	{
		const uint32 *kind = kinds[round % 6];
		Box			box = box_small("label");
		Box			packed;
		uint32		count = 0;
		uint32		records = pick(3000);

		for (uint32 i = 0; i < records; i++)
		{
			uint64		times = 1 + pick(3);
			Item		item;

			draw_item(&item, kind[0], kind[1]);
			box_add(&box, item.bytes, item.length, times);
			note_item(list, &count, &item, times);
		}
		CHECK(sdc_tally_valid(box.tally, box.size));
		CHECK(!sdc_tally_is_packed(box.tally));
		check_same(box.tally, list, count);
		packed = box_pack(&box);
		check_same(packed.tally, list, count);
		sdc_free(packed.tally);
		sdc_free(box.tally);
	}
}

/* add_packed adds the strings of a tally to another. */
static void
add_packed(Box *box, const SdcTally *from)
{
	SdcTallyEntry entry;
	uint64		place = 0;

	while (sdc_tally_next(from, &place, &entry))
		box_add(box, entry.bytes, entry.length, entry.count);
}

/* packed_is_determined packs the same strings that came in other orders and through other tallies. */
static void
packed_is_determined(void)
{
	for (uint32 round = 0; round < 100; round++)
	{
		Box			whole = box_small("one label");
		Box			part[3] = {box_small("one label"), box_small("one label"), box_small("one label")};
		Box			merged = box_small("one label");
		Box			packed;
		Box			other;
		uint32		records = pick(400);

		for (uint32 i = 0; i < records; i++)
		{
			Item		item;

			draw_item(&item, round % 2 == 0 ? 8 : 12, 3);
			box_add(&whole, item.bytes, item.length, 1);
			box_add(&part[pick(3)], item.bytes, item.length, 1);
		}
		for (int i = 2; i >= 0; i--)
		{
			Box			piece = box_pack(&part[i]);

			add_packed(&merged, i == 1 ? part[i].tally : piece.tally);
			sdc_free(piece.tally);
			sdc_free(part[i].tally);
		}
		packed = box_pack(&whole);
		other = box_pack(&merged);
		CHECK(packed.size == other.size && memcmp(packed.tally, other.tally, packed.size) == 0);
		CHECK(sdc_tally_add(packed.tally, "x", 1, 1) == SDC_TALLY_FULL);
		sdc_free(packed.tally);
		sdc_free(other.tally);
		sdc_free(whole.tally);
		sdc_free(merged.tally);
	}
}

/* labels_stay takes labels of all lengths through growing and packing. */
static void
labels_stay(void)
{
	char		label[64] = "";

	for (uint32 length = 0; length < 60; length++)
	{
		Box			box = box_small(label);
		Box			packed;
		uint32		found_length;
		const void *found;

		for (uint64 i = 0; i < 50; i++)
			box_add(&box, &i, sizeof(i), i + 1);
		found = sdc_tally_label(box.tally, &found_length);
		CHECK(found_length == length && memcmp(found, label, length) == 0);
		packed = box_pack(&box);
		found = sdc_tally_label(packed.tally, &found_length);
		CHECK(found_length == length && memcmp(found, label, length) == 0);
		sdc_free(packed.tally);
		sdc_free(box.tally);
		label[length] = (char) ('a' + length % 26);
		label[length + 1] = '\0';
	}
}

/* box_fill adds numbers to a tally of at most limit bytes until no more fit, and counts how often it grows. */
static uint32
box_fill(Box *box, Size limit, uint64 *values)
{
	uint32		grown = 0;

	for (*values = 0;; (*values)++)
	{
		uint8		bytes[LONGEST] = {0};
		uint32		length = 8 + (uint32) (*values / 20000) % 32;
		SdcTallyShape shape;

		memcpy(bytes, values, sizeof(uint64));
		while (sdc_tally_add(box->tally, bytes, length, 1) == SDC_TALLY_FULL)
		{
			Box			next;

			sdc_tally_grown(box->tally, length, limit, &shape);
			CHECK(shape.size <= limit);
			if (shape.size == 0)
				return grown;
			next = box_create(&shape, "x");
			CHECK(sdc_tally_move(box->tally, next.tally));
			sdc_free(box->tally);
			*box = next;
			if (++grown > 1000)
				return grown;
		}
	}
}

/* growth_is_bounded lets tallies grow to a limit: seldom, and up to it. */
static void
growth_is_bounded(void)
{
	SdcTallyShape shape;

	for (Size limit = 300; limit < 20000000; limit = limit * 5 + 8)
	{
		Box			box = box_small("x");
		uint64		values;
		uint32		grown = box_fill(&box, limit, &values);

		CHECKF(grown < 50, "%u times to %zu bytes", grown, limit);
		CHECKF(values >= limit / 80, "%zu bytes hold %zu strings", limit, (size_t) values);
		CHECK(sdc_tally_valid(box.tally, box.size));
		CHECK(box.size > limit - limit / 4 - 100);
		sdc_tally_grown(box.tally, UINT32_MAX, LIMIT, &shape);
		CHECK(shape.size == 0);
		sdc_free(box.tally);
	}
	sdc_tally_shape(10, 1, UINT64_MAX, LIMIT, &shape);
	CHECK(shape.size == 0);
	sdc_tally_shape(10, UINT64_MAX, 8, SIZE_MAX, &shape);
	CHECK(shape.size == 0);
	sdc_tally_shape(UINT32_MAX, 1, 8, LIMIT, &shape);
	CHECK(shape.size == 0);
}

/* counts_do_not_overflow counts up to 2^63 - 1 and no further. */
static void
counts_do_not_overflow(void)
{
	const uint64 most = (uint64) INT64_MAX;
	Box			box = box_small("x");

	CHECK(sdc_tally_add(box.tally, "a", 1, most + 1) == SDC_TALLY_OVERFLOW);
	CHECK(sdc_tally_values(box.tally) == 0);
	CHECK(sdc_tally_add(box.tally, "a", 1, most - 2) == SDC_TALLY_ADDED);
	box_add(&box, "b", 1, 1);
	CHECK(sdc_tally_add(box.tally, "a", 1, 2) == SDC_TALLY_OVERFLOW);
	CHECK(sdc_tally_add(box.tally, "c", 1, 2) == SDC_TALLY_OVERFLOW);
	CHECK(sdc_tally_add(box.tally, "a", 1, UINT64_MAX) == SDC_TALLY_OVERFLOW);
	CHECK(sdc_tally_add(box.tally, "a", 1, 1) == SDC_TALLY_ADDED);
	CHECK(sdc_tally_valid(box.tally, box.size));
	CHECK(sdc_tally_add(box.tally, "a", 1, 1) == SDC_TALLY_OVERFLOW);
	CHECK(sdc_tally_values(box.tally) == 2);
	sdc_free(box.tally);
}

/* use_tally does everything that can be done with usable bytes; the sanitizers watch. */
static void
use_tally(const Box *from)
{
	Box			box = {zeros(from->size), from->size};
	SdcTallyEntry entry;
	SdcTallyShape shape;
	uint64		place = 0;
	uint32		label_length;
	const void *label;

	memcpy(box.tally, from->tally, from->size);
	for (uint32 i = 0; sdc_tally_next(box.tally, &place, &entry) && i < 10000; i++)
		CHECK((const char *) entry.bytes + entry.length <= (const char *) box.tally + box.size);
	label = sdc_tally_label(box.tally, &label_length);
	for (uint64 i = 0; i < 40; i++)
	{
		(void) sdc_tally_add(box.tally, &i, sizeof(i), i % 2 == 0 ? 1 : random64());
		CHECK(sdc_tally_usable(box.tally, box.size));
	}
	sdc_tally_grown(box.tally, 8, 100000, &shape);
	if (shape.size > 0)
	{
		SdcTally   *grown = zeros(shape.size);

		sdc_tally_init(grown, &shape, label, label_length);
		(void) sdc_tally_move(box.tally, grown);
		CHECK(sdc_tally_usable(grown, shape.size));
		sdc_free(grown);
	}
	/* a string that is there twice in an open tally is so in the packed one, which is then none */
	if (sdc_tally_valid(box.tally, box.size))
	{
		Box			packed = {zeros(sdc_tally_packed_size(box.tally)), sdc_tally_packed_size(box.tally)};

		sdc_tally_pack(box.tally, packed.tally);
		CHECK(sdc_tally_usable(packed.tally, packed.size));
		sdc_free(packed.tally);
	}
	sdc_free(box.tally);
}

/* flips_are_found flips every bit of a packed tally, and cuts it everywhere. */
static void
flips_are_found(void)
{
	Box			box = box_small("label");
	Box			packed;
	uint32		missed = 0;

	for (uint64 i = 0; i < 20; i++)
		box_add(&box, &i, i < 10 ? 8 : (uint32) i % 8, i * i + 1);
	packed = box_pack(&box);
	for (Size bit = 0; bit < 8 * packed.size; bit++)
	{
		uint8	   *bytes = (uint8 *) packed.tally;

		bytes[bit / 8] ^= (uint8) (1 << (bit % 8));
		if (sdc_tally_usable(packed.tally, packed.size))
			use_tally(&packed);
		missed += sdc_tally_valid(packed.tally, packed.size);
		bytes[bit / 8] ^= (uint8) (1 << (bit % 8));
	}
	/* another label, or another string in the same place, cannot be told */
	CHECKF(missed < 40 + 20 * 64, "%u of %zu bits", missed, 8 * packed.size);
	for (Size size = 0; size < packed.size; size++)
	{
		Box			cut = {zeros(size), size};

		memcpy(cut.tally, packed.tally, size);
		CHECKF(!sdc_tally_usable(cut.tally, size), "%zu bytes", size);
		sdc_free(cut.tally);
	}
	sdc_free(packed.tally);
	sdc_free(box.tally);
}

/* mistakes_are_found looks at packed tallies that are wrong in one way. */
static void
mistakes_are_found(void)
{
	Box			box = box_small("x");
	Box			packed;
	uint64	   *words;

	box_add(&box, "aaaaaaaa", 8, 1);
	box_add(&box, "bbbbbbbb", 8, 1);
	packed = box_pack(&box);
	words = (uint64 *) packed.tally;
	/* header 6 words, label 1, entries of 3: count, hash and length, string */
	CHECK(packed.size == 13 * sizeof(uint64) && words[7] == 1 && words[10] == 1);
	words[7] = 0, words[10] = 2;
	CHECK(!sdc_tally_valid(packed.tally, packed.size));
	words[7] = 2, words[10] = 0;
	CHECK(!sdc_tally_valid(packed.tally, packed.size));
	words[7] = UINT64_MAX, words[10] = 3;
	CHECK(!sdc_tally_valid(packed.tally, packed.size));
	words[7] = words[10] = 1;
	CHECK(sdc_tally_valid(packed.tally, packed.size));
	memcpy(&words[12], "aaaaaaaa", 8);	/* twice the same */
	CHECK(!sdc_tally_valid(packed.tally, packed.size));
	memcpy(&words[12], "aaaaaaa9", 8);	/* in another order */
	CHECK(!sdc_tally_valid(packed.tally, packed.size));
	memcpy(&words[12], "aaaaaaab", 8);
	CHECK(sdc_tally_valid(packed.tally, packed.size));
	((uint32 *) &words[11])[1] = 7;	/* what fills up is not 0 */
	CHECK(!sdc_tally_valid(packed.tally, packed.size));
	sdc_free(packed.tally);
	sdc_free(box.tally);
}

/* anything_is_safe works with tallies in which many bytes have been changed. */
static void
anything_is_safe(void)
{
	uint32		usable = 0;

	for (uint32 round = 0; round < 30000; round++)
	{
		Box			box = box_small("label");
		uint32		changes = 1 + pick(4);
		uint32		values = pick(30);

		for (uint64 i = 0; i < values; i++)
			box_add(&box, &i, 1 + pick(8), 1);
		for (uint32 i = 0; i < changes; i++)
		{
			Size		at = pick(2) ? pick((uint32) box.size) : 4 + pick(108);
			uint64		word = pick(2) ? random64() : pick(64);

			memcpy((char *) box.tally + at % (box.size - 8), &word, 1 + pick(8));
		}
		if (sdc_tally_usable(box.tally, box.size))
		{
			usable++;
			use_tally(&box);
		}
		sdc_free(box.tally);
	}
	CHECKF(usable > 5000, "%u", usable);
}

/* main runs the tests. */
int
main(void)
{
	RUN(counts_are_right);
	RUN(packed_is_determined);
	RUN(labels_stay);
	RUN(growth_is_bounded);
	RUN(counts_do_not_overflow);
	RUN(flips_are_found);
	RUN(mistakes_are_found);
	RUN(anything_is_safe);
	return tap_done();
}
