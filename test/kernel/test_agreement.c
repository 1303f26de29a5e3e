/*-------------------------------------------------------------------------
 *
 * test_agreement.c
 *		Pattern counts against all pairs, one by one.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/agreement/agreement.h"
#include "kernel/agreement/patterncounts.h"

#include "random.h"
#include "tap.h"

#define MAX_ATTRIBUTES 64

/* A file of pairs. */
typedef struct File
{
	SdcPairs	pairs;
	SdcPairColumn column[MAX_ATTRIBUTES];
	uint32	   *code;
	int			known[MAX_ATTRIBUTES];
} File;

/* How values are drawn. */
typedef struct Shape
{
	uint32		values;			/* of an attribute; 0: all different */
	uint32		missing;		/* percent */
	uint32		moved;			/* percent of the protected values that are not the original */
	bool		skewed;
} Shape;

/* draw draws the value of one attribute. */
static uint32
draw(const Shape *shape, uint32 record)
{
	if (pick(100) < shape->missing)
		return SDC_CODE_NULL;
	if (shape->values == 0)
		return record;
	return shape->skewed ? pick(1 + pick(1 + pick(shape->values))) : pick(shape->values);
}

/* make_file makes a file with the shapes in turn; the known attributes go backwards. */
static File *
make_file(uint32 records, int attributes, const Shape *shape, int shapes)
{
	File	   *file = sdc_alloc(sizeof(File));

	file->code = sdc_alloc(2 * (Size) records * (Size) attributes * sizeof(uint32));
	file->pairs = (SdcPairs) {records, attributes, file->column};
	for (int j = 0; j < attributes; j++)
	{
		uint32	   *original = file->code + 2 * (Size) j * records;
		uint32	   *protected = original + records;
		const Shape *s = &shape[j % shapes];

		for (uint32 i = 0; i < records; i++)
			original[i] = draw(s, i);
		for (uint32 i = 0; i < records; i++)
			protected[i] = pick(100) < s->moved ? draw(s, pick(records)) : original[i];
		file->column[j] = (SdcPairColumn) {original, protected,
			(s->values == 0 ? records : s->values) + 5, NULL};
		file->known[j] = attributes - 1 - j;
	}
	return file;
}

/* free_file frees it. */
static void
free_file(File *file)
{
	sdc_free(file->code);
	sdc_free(file);
}

/* naive_pattern compares values. */
static uint64
naive_pattern(const File *file, uint32 x, uint32 y)
{
	uint64		pattern = 0;

	for (int j = 0; j < file->pairs.attributes; j++)
	{
		const SdcPairColumn *column = &file->column[file->known[j]];

		if (column->original[x] != SDC_CODE_NULL && column->original[x] == column->protected[y])
			pattern |= UINT64_C(1) << j;
	}
	return pattern;
}

/* compare_words orders patterns. */
static int
compare_words(const void *a, const void *b)
{
	uint64		x = *(const uint64 *) a;
	uint64		y = *(const uint64 *) b;

	return (x > y) - (x < y);
}

/* check_counts compares counts with a sorted list of the patterns of all pairs. */
static void
check_counts(const char *what, uint64 *pattern, Size pairs, const SdcPatternCount *found,
			 int count)
{
	Size		start = 0;

	qsort(pattern, pairs, sizeof(uint64), compare_words);
	for (int i = 0; i < count; i++)
	{
		Size		end = start;

		while (end < pairs && pattern[end] == pattern[start])
			end++;
		CHECKF(start < pairs && found[i].pattern == pattern[start] &&
			   found[i].count == end - start, "%s: pattern %d", what, i);
		start = end;
	}
	CHECKF(start == pairs, "%s: %d patterns, that is not all", what, count);
}

/* What the visits of check_visit share. */
typedef struct Visits
{
	const File *file;
	const uint32 *record;
	uint8	   *seen;
	uint64	   *pattern;
} Visits;

/* check_record compares the patterns of one original. */
static void
check_record(void *arg, uint32 index, uint32 record, const SdcPatternCount *patterns, int count)
{
	Visits	   *visits = arg;
	uint32		n = visits->file->pairs.records;

	CHECK(record == (visits->record == NULL ? index : visits->record[index]));
	CHECK(visits->seen[index] == 0);
	visits->seen[index] = 1;
	for (uint32 y = 0; y < n; y++)
		visits->pattern[y] = naive_pattern(visits->file, record, y);
	check_counts("visit", visits->pattern, n, patterns, count);
}

/* check_visit visits records and looks whether it was all of them. */
static void
check_visit(const File *file, SdcAgreement *agreement, const uint32 *record, uint32 count)
{
	Visits		visits = {file, record, sdc_alloc(count), NULL};

	visits.pattern = sdc_alloc(file->pairs.records * sizeof(uint64));
	memset(visits.seen, 0, count);
	sdc_agreement_visit(agreement, record, count, check_record, &visits);
	for (uint32 i = 0; i < count; i++)
		CHECKF(visits.seen[i] == 1, "record %u of %u", i, count);
	sdc_free(visits.seen);
	sdc_free(visits.pattern);
}

/* check_grouping forces all attributes through grouping, whatever it costs. */
static void
check_grouping(const File *file, SdcAgreement *agreement)
{
	SdcAgreementRows rows = sdc_agreement_rows(agreement);
	uint32		n = rows.records;
	int			order[SDC_PATTERNCOUNTS_ATTRIBUTES];
	SdcPatternCounts *grouping;
	uint32	   *count;
	uint64	   *total;
	uint32		middle;

	for (int j = 0; j < rows.attributes; j++)
		order[j] = (3 + j) % rows.attributes;
	grouping = sdc_patterncounts_create(&rows, order, rows.attributes, NULL, n);
	count = sdc_alloc((grouping->tuples + 1) * grouping->width * sizeof(uint32));
	total = sdc_alloc(grouping->width * sizeof(uint64));
	sdc_patterncounts_total(grouping, total);
	middle = grouping->tuples / 3;
	sdc_patterncounts_count(grouping, 0, middle, count);
	sdc_patterncounts_count(grouping, middle, grouping->tuples, count + middle * grouping->width);
	for (uint32 t = 0; t < grouping->tuples; t++)
	{
		for (uint32 i = grouping->first[t]; i < grouping->first[t + 1]; i++)
		{
			uint32	   *own = sdc_alloc(grouping->width * sizeof(uint32));

			memcpy(own, count + t * grouping->width, grouping->width * sizeof(uint32));
			for (uint32 y = 0; y < n; y++)
			{
				uint32		cell = sdc_patterncounts_cell(grouping,
														  naive_pattern(file, grouping->member[i],
																				  y));

				own[cell]--;
				total[cell]--;
			}
			for (Size cell = 0; cell < grouping->width; cell++)
				CHECKF(own[cell] == 0, "tuple %u, cell %zu", t, cell);
			sdc_free(own);
		}
	}
	for (Size cell = 0; cell < grouping->width; cell++)
		CHECKF(total[cell] == 0, "total of cell %zu", cell);
	sdc_free(count);
	sdc_free(total);
	sdc_patterncounts_destroy(grouping);
}

/* check_first compares an index of the first attributes with what was found of all. */
static void
check_first(const File *file, const SdcAgreement *agreement, int attributes, const SdcPatternCount *totals, int count)
{
	SdcAgreement *first = sdc_agreement_first(agreement, attributes);
	int			first_count;
	SdcPatternCount *first_totals = sdc_agreement_totals(first, NULL, UINT64_MAX, &first_count);
	uint32		n = file->pairs.records;

	CHECK(first_count == count && memcmp(first_totals, totals, count * sizeof(SdcPatternCount)) == 0);
	for (uint32 x = 0; x < n; x += 1 + n / 8)
		CHECK(sdc_agreement_pattern(first, x, n - 1 - x) ==
			  (naive_pattern(file, x, n - 1 - x) & ~UINT64_C(0) >> (64 - attributes)));
	sdc_free(first_totals);
	sdc_agreement_destroy(first);
}

/* check_file checks all functions on a file. */
static void
check_file(File *file)
{
	uint32		n = file->pairs.records;
	int			attributes = file->pairs.attributes;
	SdcAgreement *agreement = sdc_agreement_create(&file->pairs, file->known, attributes);
	uint64	   *pattern = sdc_alloc((Size) n * n * sizeof(uint64));
	uint32	   *record = sdc_alloc((n + 1) * sizeof(uint32));
	SdcPatternCount *totals;
	int			count;

	for (uint32 x = 0; x < n; x++)
	{
		for (uint32 y = 0; y < n; y++)
		{
			pattern[(Size) x * n + y] = naive_pattern(file, x, y);
			CHECK(sdc_agreement_pattern(agreement, x, y) == pattern[(Size) x * n + y]);
		}
	}
	totals = sdc_agreement_totals(agreement, NULL, UINT64_MAX, &count);
	check_counts("totals", pattern, (Size) n * n, totals, count);
	for (int c = attributes; c > 1; c--)
	{
		SdcPatternCount *folded = sdc_alloc((count + 1) * sizeof(SdcPatternCount));

		count = sdc_agreement_fold(totals, count, c, folded);
		sdc_free(totals);
		totals = folded;
		if ((attributes - c) % (1 + attributes / 5) != 0)
			continue;
		for (Size i = 0; i < (Size) n * n; i++)
			pattern[i] &= ~UINT64_C(0) >> (65 - c);
		check_counts("fold", pattern, (Size) n * n, totals, count);
		check_first(file, agreement, c - 1, totals, count);
	}
	check_visit(file, agreement, NULL, n);
	for (uint32 i = 0; i < n / 4; i++)
		record[i] = pick(n);
	check_visit(file, agreement, record, n / 4);
	check_visit(file, agreement, record, 0);
	if (attributes <= 10)
		check_grouping(file, agreement);
	sdc_free(totals);
	sdc_free(record);
	sdc_free(pattern);
	sdc_agreement_destroy(agreement);
	free_file(file);
}

static const Shape distinct = {0, 0, 60, false};
static const Shape binary = {2, 0, 60, false};
static const Shape constant = {1, 0, 60, false};
static const Shape nothing = {7, 100, 60, false};
static const Shape mixed[] = {{2, 0, 50, false}, {0, 0, 70, false}, {20, 5, 60, true},
	{5, 0, 60, false}, {400, 10, 60, true}, {3, 2, 100, false}, {0, 30, 60, false}};

/* no_records and the smallest files. */
static void
smallest_files(void)
{
	for (uint32 n = 0; n < 4; n++)
	{
		check_file(make_file(n, 1, &binary, 1));
		check_file(make_file(n, 9, mixed, 7));
		check_file(make_file(n, 64, mixed, 7));
	}
	sdc_agreement_destroy(NULL);
}

/* extreme columns: nothing in common, everything, always the same. */
static void
extreme_columns(void)
{
	static const Shape duplicates = {1, 0, 0, false};

	check_file(make_file(150, 5, &constant, 1));
	check_file(make_file(150, 5, &nothing, 1));
	check_file(make_file(150, 5, &distinct, 1));
	check_file(make_file(150, 64, &duplicates, 1));
	check_file(make_file(150, 16, &nothing, 1));
}

/* many ties, where grouping is cheaper. */
static void
tied_files(void)
{
	static const Shape ten = {10, 0, 100, false};

	check_file(make_file(500, 6, &binary, 1));
	check_file(make_file(500, 10, &binary, 1));
	check_file(make_file(600, 4, &ten, 1));
	check_file(make_file(300, 13, &binary, 1));
}

/* mixed files, in which some attributes are sparse and some dense. */
static void
mixed_files(void)
{
	check_file(make_file(600, 7, mixed, 7));
	check_file(make_file(400, 10, mixed, 7));
	check_file(make_file(100, 17, mixed, 7));
	check_file(make_file(60, 64, mixed, 6));
}

/* random_files of all kinds, small. */
static void
random_files(void)
{
	for (int round = 0; round < ROUNDS(60); round++)
	{
		Shape		shape[8];
		int			attributes = 1 + (int) pick(round < 50 ? 9 : 30);

		for (int j = 0; j < 8; j++)
			shape[j] = (Shape) {pick(4) == 0 ? 0 : 1 + pick(1 + pick(30)), pick(3) == 0 ? pick(60) : 0,
				pick(101), pick(2) == 0};
		check_file(make_file(1 + pick(120), attributes, shape, 8));
	}
}

/* What sum_visit adds up. */
typedef struct Summed
{
	uint64		count[1 << 10];
	uint32		visits;
} Summed;

/* sum_visit adds up the patterns of the originals. */
static void
sum_visit(void *arg, uint32 index, uint32 record, const SdcPatternCount *patterns, int count)
{
	Summed	   *summed = arg;

	CHECK(index == record);
	summed->visits++;
	for (int i = 0; i < count; i++)
		summed->count[patterns[i].pattern] += patterns[i].count;
}

/* large_files have several blocks, and counts above 2^32; totals and visits agree. */
static void
large_files(void)
{
	static const Shape tied[] = {{2, 0, 60, false}, {300, 1, 70, true}, {40, 0, 60, true}};
	Summed	   *summed = sdc_alloc(sizeof(Summed));
	File	   *file = make_file(66000, 7, tied, 3);
	SdcAgreement *agreement = sdc_agreement_create(&file->pairs, file->known, 7);
	SdcPatternCount *totals;
	uint64		pairs = 0;
	int			count;

	memset(summed, 0, sizeof(Summed));
	sdc_agreement_visit(agreement, NULL, file->pairs.records, sum_visit, summed);
	CHECK(summed->visits == file->pairs.records);
	totals = sdc_agreement_totals(agreement, NULL, UINT64_MAX, &count);
	for (int i = 0; i < count; i++)
	{
		CHECKF(totals[i].count == summed->count[totals[i].pattern], "pattern %d", i);
		pairs += totals[i].count;
	}
	CHECK(pairs == UINT64_C(66000) * 66000);
	sdc_free(totals);
	sdc_free(summed);
	sdc_agreement_destroy(agreement);
	free_file(file);
}

int
main(void)
{
	RUN(smallest_files);
	RUN(extreme_columns);
	RUN(tied_files);
	RUN(mixed_files);
	RUN(random_files);
	RUN(large_files);
	return tap_done();
}
