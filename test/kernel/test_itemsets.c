/*-------------------------------------------------------------------------
 *
 * test_itemsets.c
 *		Frequent itemsets against counting each combination record by record.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/itemsets/bitmaps.h"
#include "kernel/itemsets/itemsearch.h"
#include "kernel/itemsets/itemsets.h"

#include "random.h"
#include "tap.h"

#define MAX_ATTRIBUTES 8

/* A file of random records. */
typedef struct Table
{
	SdcCodedFile coded;
	SdcCodedColumn column[MAX_ATTRIBUTES];
	uint32	   *code[MAX_ATTRIBUTES];
} Table;

/* What the search emitted: itemsets one after the other. */
typedef struct Found
{
	SdcItem    *item;			/* MAX_ATTRIBUTES for each itemset */
	int		   *items;
	uint64	   *count;
	uint64	   *prefix_count;
	uint32		n;
	uint32		size;
} Found;

static Found found;
static Found wanted;
static Found whole;				/* of a search that was not done in parts */

/* Searches with parts by second items. */
static int	divided;

/* append appends an itemset. */
static void
append(Found *to, const SdcItem *item, int items, uint64 count, uint64 prefix_count)
{
	if (to->n == to->size)
	{
		to->size = to->size * 2 + 64;
		to->item = realloc(to->item, to->size * MAX_ATTRIBUTES * sizeof(SdcItem));
		to->items = realloc(to->items, to->size * sizeof(int));
		to->count = realloc(to->count, to->size * sizeof(uint64));
		to->prefix_count = realloc(to->prefix_count, to->size * sizeof(uint64));
	}
	memcpy(to->item + (Size) to->n * MAX_ATTRIBUTES, item, (Size) items * sizeof(SdcItem));
	to->items[to->n] = items;
	to->count[to->n] = count;
	to->prefix_count[to->n] = prefix_count;
	to->n++;
}

/* take takes an itemset of sdc_itemsets. */
static void
take(void *arg, const SdcItem *item, int items, uint64 count)
{
	append(arg, item, items, count, 0);
}

/* take_search takes an itemset of sdc_itemsearch_run. */
static bool
take_search(void *arg, const SdcItem *item, int items, uint64 count, uint64 prefix_count)
{
	append(arg, item, items, count, prefix_count);
	return true;
}

/* new_table makes a table whose codes are yet to be filled in. */
static void
new_table(Table *table, uint32 records, int attributes)
{
	table->coded.records = records;
	table->coded.attributes = attributes;
	table->coded.column = table->column;
	for (int j = 0; j < attributes; j++)
	{
		table->code[j] = malloc((Size) records * sizeof(uint32) + 1);
		table->column[j].code = table->code[j];
		table->column[j].codes = 0;
	}
}

/* free_table frees the codes. */
static void
free_table(Table *table)
{
	for (int j = 0; j < table->coded.attributes; j++)
		free(table->code[j]);
}

/* fill_column fills a column: shape says how codes are distributed, nulls how many in 16 are missing. */
static void
fill_column(Table *table, int j, uint32 codes, int shape, uint32 nulls)
{
	uint32		records = table->coded.records;

	table->column[j].codes = codes;
	for (uint32 i = 0; i < records; i++)
	{
		uint32		code = pick(codes);

		if (shape == 1)
			code = pick(code + 1);	/* low codes are frequent */
		else if (shape == 2 && pick(16) != 0)
			code = codes / 2;	/* one code is */
		else if (shape == 3)
			code = table->code[0][i] == SDC_CODE_NULL ? 0 : table->code[0][i] % codes;
		table->code[j][i] = pick(16) < nulls ? SDC_CODE_NULL : code;
	}
}

/* random_table makes a table of any kind. */
static void
random_table(Table *table, uint32 records, int attributes, uint32 codes)
{
	new_table(table, records, attributes);
	for (int j = 0; j < attributes; j++)
	{
		uint32		nulls = pick(3) == 0 ? pick(17) : 0;

		fill_column(table, j, 1 + pick(codes), (int) pick(j == 0 ? 3 : 4), nulls);
	}
}

/* is_final says whether an attribute is final. */
static bool
is_final(const SdcItemsearch *search, int attribute)
{
	return search->final != NULL && search->final[attribute];
}

/*
 * enumerate appends what begins with the items and goes on with attributes from first on; has[] are the
 * n records with the items.
 */
static void
enumerate(const SdcItemsearch *search, SdcItem *item, int items, const uint32 *has, uint32 n,
		  int first)
{
	const SdcCodedFile *coded = search->coded;
	uint32	   *subset = malloc((Size) n * sizeof(uint32) + 1);

	for (int pass = search->final != NULL ? 1 : 0; pass >= 0; pass--)
	{
		for (int j = pass == 1 ? 0 : first; j < coded->attributes; j++)
		{
			if (is_final(search, j) != (pass == 1) ||
				(pass == 1 ? items == 0 : items == search->max_length))
				continue;
			for (uint32 code = 0; code < coded->column[j].codes; code++)
			{
				uint32		count = 0;

				for (uint32 i = 0; i < n; i++)
					if (coded->column[j].code[has[i]] == code)
						subset[count++] = has[i];
				if (count < (pass == 1 ? search->final_min_count : search->min_count) ||
					(pass == 1 && (double) count / n < search->final_min_share))
					continue;
				item[items].attribute = (uint32) j;
				item[items].code = code;
				if (pass == 1 || search->final == NULL)
					append(&wanted, item, items + 1, count, search->final != NULL ? n : 0);
				if (pass == 0)
					enumerate(search, item, items + 1, subset, count, j + 1);
			}
		}
	}
	free(subset);
}

/* expect fills in what is wanted of a search. */
static void
expect(const SdcItemsearch *search)
{
	uint32		records = search->coded->records;
	uint32	   *all = malloc((Size) records * sizeof(uint32) + 1);
	SdcItem		item[MAX_ATTRIBUTES];

	for (uint32 i = 0; i < records; i++)
		all[i] = i;
	wanted.n = 0;
	enumerate(search, item, 0, all, records, 0);
	free(all);
}

/* compare compares what was found with what is wanted, in order. */
static void
compare(const SdcItemsearch *search, const char *what)
{
	CHECKF(found.n == wanted.n, "%s: %u itemsets, not %u; %u records, min %llu", what, found.n,
		   wanted.n, search->coded->records, (unsigned long long) search->min_count);
	for (uint32 i = 0; i < found.n && i < wanted.n; i++)
	{
		bool		same = found.items[i] == wanted.items[i] &&
			found.count[i] == wanted.count[i] && found.prefix_count[i] == wanted.prefix_count[i];

		for (int k = 0; same && k < found.items[i]; k++)
		{
			const SdcItem *a = &found.item[(Size) i * MAX_ATTRIBUTES + (Size) k];
			const SdcItem *b = &wanted.item[(Size) i * MAX_ATTRIBUTES + (Size) k];

			same = a->attribute == b->attribute && a->code == b->code;
		}
		CHECKF(same, "%s: itemset %u of %u, %u records", what, i, found.n, search->coded->records);
	}
}

/* compare_whole compares what was found from an itemset on with what the whole search found. */
static void
compare_whole(const char *what, uint32 start)
{
	for (uint32 i = start; i < found.n && i < whole.n; i++)
		CHECKF(found.items[i] == whole.items[i] && found.count[i] == whole.count[i] &&
			   found.prefix_count[i] == whole.prefix_count[i] &&
			   memcmp(&found.item[(Size) i * MAX_ATTRIBUTES], &whole.item[(Size) i * MAX_ATTRIBUTES],
					  (Size) found.items[i] * sizeof(SdcItem)) == 0, "%s: itemset %u of %u", what, i, whole.n);
}

/* add_steps adds up what is told of how far a search is. */
static void
add_steps(void *arg, uint64 steps)
{
	CHECK(steps > 0);
	*(uint64 *) arg += steps;
}

/* check_steps: all parts together tell of all steps, or a little less. */
static void
check_steps(uint64 told, const SdcItemrun *run, const char *what)
{
	uint64		weight = sdc_itemsearch_weight(run);
	uint64		untold = weight / 4096;

	CHECKF(told <= weight && told + 2 * untold >= weight, "%s: %llu of %llu steps", what,
		   (unsigned long long) told, (unsigned long long) weight);
}

/* try_parts has two searches take the parts of a search, and one once more from the last to the first. */
static void
try_parts(const SdcItemsearch *search)
{
	SdcItemsearch task = *search;
	SdcItemrun *run[2];
	uint32		parts;
	uint32	   *start;
	uint32		firsts = 0;
	uint64		told = 0;

	task.emit = take_search;
	task.advance = add_steps;
	task.advance_arg = &told;
	task.arg = &whole;
	whole.n = 0;
	CHECK(sdc_itemsearch_run(&task));
	task.arg = &found;
	found.n = 0;
	run[0] = sdc_itemsearch_open(&task);
	run[1] = sdc_itemsearch_open(&task);
	parts = sdc_itemsearch_parts(run[0]);
	CHECK(sdc_itemsearch_parts(run[1]) == parts);
	check_steps(told, run[0], "a search");
	told = 0;
	start = malloc(((Size) parts + 1) * sizeof(uint32));
	for (uint32 part = 0; part < parts; part++)
	{
		start[part] = found.n;
		CHECK(sdc_itemsearch_part(run[pick(2)], part));
		if (start[part] < found.n && search->final == NULL)
			firsts += found.items[start[part]] == 1;
	}
	check_steps(told, run[0], "parts");
	divided += search->final == NULL && firsts < parts;
	CHECKF(found.n == whole.n, "%u itemsets in %u parts, not %u", found.n, parts, whole.n);
	compare_whole("parts", 0);
	for (uint32 part = parts; part-- > 0;)
	{
		found.n = start[part];
		CHECK(sdc_itemsearch_part(run[0], part));
		CHECK(found.n == (part + 1 < parts ? start[part + 1] : whole.n));
		compare_whole("parts in reverse", start[part]);
	}
	free(start);
	sdc_itemsearch_close(run[1]);
	sdc_itemsearch_close(run[0]);
}

/* try_itemsets compares sdc_itemsets for one table. */
static void
try_itemsets(const SdcCodedFile *coded, uint64 min_count, int max_length)
{
	SdcItemsetTask task = {.coded = coded, .min_count = min_count, .max_length = max_length, .emit = take,
	.arg = &found};
	SdcItemsearch search = {.coded = coded, .min_count = min_count, .max_length = max_length, .emit = take_search,
	.arg = &found};

	found.n = 0;
	sdc_itemsets(&task);
	expect(&search);
	compare(&search, "itemsets");
	try_parts(&search);
	found.n = wanted.n;
}

/* try_final compares a search with final attributes. */
static void
try_final(const SdcCodedFile *coded, const bool *final, uint64 min_count, uint64 final_min_count,
		  int max_length)
{
	SdcItemsearch search = {.coded = coded, .final = final, .min_count = min_count, .final_min_count = final_min_count,
	.final_min_share = pick(2) == 0 ? 0 : pick(100) / 100.0, .max_length = max_length, .emit = take_search,
	.arg = &found};

	found.n = 0;
	CHECK(sdc_itemsearch_run(&search));
	expect(&search);
	compare(&search, "final");
	try_parts(&search);
}

/* Numbers of records around whole words. */
static const uint32 sizes[] = {0, 1, 2, 3, 63, 64, 65, 127, 128, 129, 191, 192, 193, 256, 257,
320, 321, 500, 640, 1000};

#define SIZES ((int) (sizeof(sizes) / sizeof(sizes[0])))

/* small_tables tries all kinds of tables of all sizes. */
static void
small_tables(void)
{
	for (int seed = 0; seed < 12 * SIZES; seed++)
	{
		uint32		records = sizes[seed % SIZES];
		Table		table;

		random_state = (uint64) seed;
		random_table(&table, records, 1 + (int) pick(5), 1 + pick(8));
		try_itemsets(&table.coded, 1 + pick(records / 8 + 1), 1 + (int) pick(6));
		try_itemsets(&table.coded, 1 + pick(records / 2 + 1), MAX_ATTRIBUTES);
		if (records < 130)
			try_itemsets(&table.coded, 1, MAX_ATTRIBUTES);
		try_itemsets(&table.coded, (uint64) records + 1, 3);
		try_itemsets(&table.coded, UINT64_MAX, 3);
		free_table(&table);
	}
}

/* many_items has far more than 64 items, seldom ones among frequent ones. */
static void
many_items(void)
{
	for (int seed = 0; seed < ROUNDS(40); seed++)
	{
		uint32		records = 100 + pick(900);
		Table		table;

		random_state = (uint64) seed + 1000;
		random_table(&table, records, 2 + (int) pick(4), 20 + pick(seed < 20 ? 60 : 3000));
		try_itemsets(&table.coded, 1 + pick(4), 2 + (int) pick(3));
		try_itemsets(&table.coded, 2 + pick(20), MAX_ATTRIBUTES);
		free_table(&table);
	}
}

/* unique_values has a value of its own for each record, with and without some that are not. */
static void
unique_values(void)
{
	for (int seed = 0; seed < 12; seed++)
	{
		Table		table;
		uint32		records = 600 + 64 * (uint32) seed;

		random_state = (uint64) seed + 2000;
		random_table(&table, records, 4, 5);
		for (uint32 i = 0; i < records; i++)
		{
			table.code[1][i] = i * 2 + 1;	/* and half of the codes never occur */
			table.code[3][i] = i % 3 == 0 ? 0 : i;
		}
		table.column[1].codes = records * 2 + 5;
		table.column[3].codes = records;
		try_itemsets(&table.coded, 1, 3);
		try_itemsets(&table.coded, 2, MAX_ATTRIBUTES);
		try_itemsets(&table.coded, records / 4, MAX_ATTRIBUTES);
		free_table(&table);
	}
}

/* constant_columns makes prefixes of all records, so that nothing ever shrinks. */
static void
constant_columns(void)
{
	for (int s = 0; s < SIZES; s++)
	{
		Table		table;

		random_state = (uint64) s;
		new_table(&table, sizes[s], 6);
		for (int j = 0; j < 6; j++)
			fill_column(&table, j, j == 3 ? 3 : 1, 0, j == 5 ? 16 : 0);
		try_itemsets(&table.coded, 1, MAX_ATTRIBUTES);
		try_itemsets(&table.coded, sizes[s] > 0 ? sizes[s] : 1, MAX_ATTRIBUTES);
		for (uint32 i = 0; i < sizes[s]; i++)
			table.code[4][i] = SDC_CODE_NULL;	/* and of no code at all */
		table.column[4].codes = 0;
		try_itemsets(&table.coded, 1, 2);
		free_table(&table);
	}
}

/* long_bitmaps takes bitmaps through all lengths, from 200 words to one. */
static void
long_bitmaps(void)
{
	Table		table;

	random_state = 5;
	new_table(&table, 12800 + 7, 6);
	fill_column(&table, 0, 6, 1, 0);
	for (int j = 1; j < 6; j++)
		fill_column(&table, j, 2 + pick(4), (int) pick(4), pick(3));
	try_itemsets(&table.coded, 10, MAX_ATTRIBUTES);
	try_itemsets(&table.coded, 300, 4);
	free_table(&table);
}

/* final_attributes tries every kind of final attributes. */
static void
final_attributes(void)
{
	for (int seed = 0; seed < ROUNDS(250); seed++)
	{
		uint32		records = sizes[seed % SIZES];
		bool		final[MAX_ATTRIBUTES];
		Table		table;

		random_state = (uint64) seed + 3000;
		random_table(&table, records, 1 + (int) pick(5), 1 + pick(seed % 5 == 0 ? 200 : 7));
		for (int j = 0; j < MAX_ATTRIBUTES; j++)
			final[j] = pick(3) == 0;
		try_final(&table.coded, final, 1 + pick(records / 8 + 1), 1 + pick(records / 16 + 1),
				  1 + (int) pick(5));
		try_final(&table.coded, final, 1 + pick(records / 4 + 1), 1, MAX_ATTRIBUTES);
		free_table(&table);
	}
}

/* stop_after takes itemsets until there are *arg. */
static bool
stop_after(void *arg, const SdcItem *item, int items, uint64 count, uint64 prefix_count)
{
	append(&found, item, items, count, prefix_count);
	return found.n < *(uint32 *) arg;
}

/* stops stops at itemsets of few values, whose records are bitmaps, and of many: lists; also at final ones. */
static void
stops(void)
{
	static const uint32 codes[2][4] = {{30, 30, 30, 30}, {2, 2, 200, 200}};
	static const bool final[MAX_ATTRIBUTES] = {false, false, true};

	for (int round = 0; round < 4; round++)
	{
		Table		table;
		uint32		all;
		SdcItemsearch search = {.coded = &table.coded, .min_count = round % 2 == 0 ? 3 : 1, .final_min_count = 1,
		.final = round < 2 ? NULL : final, .max_length = MAX_ATTRIBUTES, .emit = take_search, .arg = &found};

		random_state = 77;
		new_table(&table, 300, 4);
		for (int j = 0; j < 4; j++)
			fill_column(&table, j, codes[round % 2][j], 0, 1);
		found.n = 0;
		CHECK(sdc_itemsearch_run(&search));
		all = found.n;
		CHECKF(all > 100, "%u", all);
		search.emit = stop_after;
		for (uint32 n = 1; n <= all; n += 1 + pick(all / 200))
		{
			search.arg = &n;
			found.n = 0;
			CHECK(!sdc_itemsearch_run(&search));
			CHECKF(found.n == n, "%u, not %u", found.n, n);
		}
		free_table(&table);
	}
}

/* parts_divided are some of those of the tests before. */
static void
parts_divided(void)
{
	CHECKF(divided > 100, "%d", divided);
}

/* min_counts are exact where the product is not. */
static void
min_counts(void)
{
	CHECK(sdc_itemsets_min_count(0.08, 30162) == 2413);
	CHECK(sdc_itemsets_min_count(0.01, 30162) == 302);
	CHECK(sdc_itemsets_min_count(0.001, 30162) == 31);
	CHECK(sdc_itemsets_min_count(0.07, 100) == 7);
	CHECK(sdc_itemsets_min_count(0, 100) == 1);
	CHECK(sdc_itemsets_min_count(0, 0) == 1);
	CHECK(sdc_itemsets_min_count(0.5, 0) == 1);
	CHECK(sdc_itemsets_min_count(1, 0) == 1);
	CHECK(sdc_itemsets_min_count(1, 7) == 7);
	CHECK(sdc_itemsets_min_count(1e-300, 7) == 1);
	CHECK(sdc_itemsets_min_count(1, UINT32_MAX) == UINT32_MAX);
	for (uint32 records = 1; records < 700; records++)
	{
		for (uint32 count = 1; count <= records; count += 1 + records / 50)
		{
			double		share = (double) count / records;

			CHECKF(sdc_itemsets_min_count(share, records) == count, "%u / %u", count, records);
			if (count < records)
				CHECK(sdc_itemsets_min_count(nextafter(share, 2), records) == count + 1);
			CHECK(sdc_itemsets_min_count(nextafter(share, 0), records) == count);
		}
		for (int percent = 1; percent <= 100; percent++)
		{
			uint64		count = sdc_itemsets_min_count(percent / 100.0, records);

			CHECKF(count == (percent * records + 99) / 100, "%d %% of %u", percent, records);
		}
	}
}

/* random_bitmap fills in a bitmap of bits, with the words of one of several densities. */
static void
random_bitmap(uint64 *word, uint32 bits)
{
	uint32		kind = pick(5);

	for (uint32 i = 0; i < sdc_bitmaps_words(bits); i++)
	{
		word[i] = random64();
		if (kind == 0)
			word[i] &= random64() & random64() & random64() & random64();
		else if (kind == 1)
			word[i] |= random64() | random64() | random64();
		else if (kind == 2 || (kind == 3 && pick(3) != 0))
			word[i] = 0;
		else if (kind == 4 && pick(2) == 0)
			word[i] = ~UINT64_C(0);
	}
	if (bits % 64 != 0)
		word[bits / 64] &= (UINT64_C(1) << (bits % 64)) - 1;
}

#define OTHERS 9
#define BITMAP_WORDS 50

/* bitmap_meet compares the intersections of an implementation with counting bit by bit. */
static void
bitmap_meet(const SdcBitmaps *bitmaps, const uint64 *bitmap, const uint64 *other, uint32 bits)
{
	Size		words = sdc_bitmaps_words(bits);
	uint32		min_count = pick(bits + 2);
	uint32		kept[OTHERS + 1];
	uint32		count[OTHERS + 1];
	uint32		n;
	uint32		next = 0;

	kept[0] = count[0] = 0;
	n = bitmaps->intersect(bitmap, other, words, OTHERS, min_count, 5, kept, count);
	for (uint32 k = 0; k < OTHERS; k++)
	{
		uint32		common = 0;

		for (uint32 i = 0; i < bits; i++)
			common += (bitmap[i / 64] & other[k * words + i / 64]) >> (i % 64) & 1;
		if (common < min_count)
			continue;
		CHECKF(next < n && kept[next] == 5 + k && count[next] == common, "%u bits", bits);
		next++;
	}
	CHECK(next == n);
}

/* bitmap_squeeze compares a squeezed bitmap with one made bit by bit. */
static void
bitmap_squeeze(const SdcBitmaps *bitmaps, const uint64 *bitmap, const uint64 *other, uint32 bits)
{
	uint32		word[BITMAP_WORDS];
	uint64		kept[BITMAP_WORDS];
	uint64		move[BITMAP_WORDS * SDC_BITMAPS_MOVES];
	uint64		to[BITMAP_WORDS + 1];
	uint64		want[BITMAP_WORDS + 1];
	SdcBitmapsMask mask = {0, word, kept, move};
	uint32		n = 0;

	memset(to, 0x55, sizeof(to));
	memset(want, 0, sizeof(want));
	for (uint32 i = 0; i < bits; i++)
	{
		if ((bitmap[i / 64] >> (i % 64) & 1) == 0)
			continue;
		want[n / 64] |= (other[i / 64] >> (i % 64) & 1) << (n % 64);
		n++;
	}
	if (!bitmaps->moves)
		mask.move = NULL;
	bitmaps->prepare(bitmap, sdc_bitmaps_words(bits), &mask);
	bitmaps->squeeze(&mask, other, to);
	for (uint32 i = 0; i < sdc_bitmaps_words(n); i++)
		CHECKF(to[i] == want[i], "word %u of %u bits of %u", i, n, bits);
	for (uint32 i = (uint32) sdc_bitmaps_words(n) + 1; i < BITMAP_WORDS; i++)
		CHECK(to[i] == UINT64_C(0x5555555555555555));
}

/* bitmap_variants tries all implementations, portable and not, that this machine has. */
static void
bitmap_variants(void)
{
	int			variants = 0;

	for (int variant = 0; variant < SDC_BITMAPS_VARIANTS; variant++)
	{
		const SdcBitmaps *bitmaps = sdc_bitmaps_variant(variant);

		if (bitmaps == NULL)
			continue;
		variants++;
		random_state = 4711;
		for (int round = 0; round < ROUNDS(3000); round++)
		{
			uint32		bits = 1 + pick(round % 2 == 0 ? 330 : BITMAP_WORDS * 64);
			uint64		bitmap[BITMAP_WORDS];
			uint64		other[OTHERS * BITMAP_WORDS];

			random_bitmap(bitmap, bits);
			for (uint32 k = 0; k < OTHERS; k++)
				random_bitmap(other + k * sdc_bitmaps_words(bits), bits);
			bitmap_meet(bitmaps, bitmap, other, bits);
			bitmap_squeeze(bitmaps, bitmap, other, bits);
		}
	}
	printf("# %d implementations of bitmaps\n", variants);
	CHECK(sdc_bitmaps_variant(0) != NULL);
	CHECK(sdc_bitmaps_variant(SDC_BITMAPS_VARIANTS) == NULL);
	CHECK(sdc_bitmaps_fastest() != NULL);
}

/* main runs the tests. */
int
main(void)
{
	RUN(bitmap_variants);
	RUN(min_counts);
	RUN(small_tables);
	RUN(many_items);
	RUN(unique_values);
	RUN(constant_columns);
	RUN(long_bitmaps);
	RUN(final_attributes);
	RUN(parts_divided);
	RUN(stops);
	for (int i = 0; i < 3; i++)
	{
		Found	   *list = i == 0 ? &found : i == 1 ? &wanted : &whole;

		free(list->item);
		free(list->items);
		free(list->count);
		free(list->prefix_count);
	}
	return tap_done();
}
