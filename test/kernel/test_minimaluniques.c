/*-------------------------------------------------------------------------
 *
 * test_minimaluniques.c
 *		Minimal sample uniques against a look at all sets and all pairs of records.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <math.h>

#include "kernel/groups/minimaluniques.h"

#include "random.h"
#include "reference.h"
#include "tap.h"

#define RECORDS 24
#define COLUMNS 16

static uint32 cell[COLUMNS][RECORDS];
static SdcCodedColumn column[COLUMNS];
static SdcCodedFile coded = {0, 0, column};
static uint32 size[RECORDS * COLUMNS];
static uint64 score[RECORDS];
static uint64 part[RECORDS * COLUMNS];
static uint32 unit[RECORDS];	/* of each record, if has_units */
static bool has_units;
static bool first[RECORDS];

/* other tells whether two records are about different units. */
static bool
other(uint32 a, uint32 b)
{
	return has_units ? unit[a] != unit[b] : a != b;
}

/* is_unique: whether no other record, or that of another unit, has its values in a set. */
static bool
is_unique(uint32 record, uint32 set)
{
	for (uint32 i = 0; i < coded.records; i++)
	{
		bool		same = true;

		for (int j = 0; j < coded.attributes; j++)
		{
			if (!(set >> j & 1))
				continue;
			if (cell[j][record] == SDC_CODE_NULL)
				return false;
			same = same && cell[j][i] == cell[j][record];
		}
		if (same && other(i, record))
			return false;
	}
	return true;
}

/* is_minimal looks at all proper subsets but the empty one. */
static bool
is_minimal(uint32 record, uint32 set)
{
	if (!is_unique(record, set))
		return false;
	for (uint32 subset = (set - 1) & set; subset != 0; subset = (subset - 1) & set)
		if (is_unique(record, subset))
			return false;
	return true;
}

/* factorial of a small number. */
static uint64
factorial(int n)
{
	return n < 2 ? 1 : (uint64) n * factorial(n - 1);
}

/* compare compares a result with all sets. */
static void
compare(const SdcMinimalUniques *got, int max_size, uint32 round)
{
	uint64		sets[COLUMNS + 1] = {0};
	double		with[COLUMNS] = {0};
	double		total = 0;
	uint64		records = 0;

	for (uint32 i = 0; i < coded.records; i++)
	{
		uint32		own[COLUMNS + 1] = {0};
		uint64		own_part[COLUMNS] = {0};
		uint64		want = 0;

		for (uint32 set = 1; set < UINT32_C(1) << coded.attributes; set++)
		{
			int			s = __builtin_popcount(set);
			uint64		weight = factorial(coded.attributes - s);

			if (s > max_size || !is_minimal(i, set))
				continue;
			own[s]++;
			sets[s]++;
			want += weight;
			total += (double) weight;
			for (int j = 0; j < coded.attributes; j++)
			{
				with[j] += set >> j & 1 ? (double) weight : 0;
				own_part[j] += set >> j & 1 ? weight : 0;
			}
		}
		records += want > 0;
		CHECKF(score[i] == want, "round %u, record %u", round, i);
		CHECK(memcmp(own_part, part + i * (uint32) coded.attributes,
					 (Size) coded.attributes * sizeof(uint64)) == 0);
		CHECK(memcmp(own + 1, size + i * (uint32) max_size, (Size) max_size * sizeof(uint32)) == 0);
	}
	CHECK(memcmp(sets, got->sets, sizeof(sets)) == 0);
	CHECK(got->records == records && got->total == total);
	for (int j = 0; j < coded.attributes; j++)
		CHECK(fabs(got->contribution[j] - (total > 0 ? 100 * with[j] / total : 0)) < 1e-10);
}

/* count_equal counts the units with a record that is equal to one in all columns, missing values too. */
static uint32
count_equal(uint32 record, bool *is_first)
{
	uint32		seen[RECORDS];
	uint32		count = 0;

	*is_first = true;

	for (uint32 i = 0; i < coded.records; i++)
	{
		bool		same = true;

		for (int j = 0; j < coded.attributes; j++)
			same = same && cell[j][i] == cell[j][record];
		if (same && i < record)
			*is_first = false;
		for (uint32 k = 0; k < count; k++)
			same = same && other(seen[k], i);
		if (same)
			seen[count++] = i;
	}
	return count;
}

/* run runs the kernel on the cells. */
static SdcMinimalUniques
run(int max_size)
{
	SdcMinimalUniquesTask task = {&coded, max_size, has_units ? unit : NULL};
	SdcMinimalUniques result;

	memset(size, 0xFF, sizeof(size));
	memset(score, 0xFF, sizeof(score));
	memset(part, 0xFF, sizeof(part));
	memset(&result, 0xFF, sizeof(result));
	for (int j = 0; j < COLUMNS; j++)
		column[j] = (SdcCodedColumn) {cell[j], UINT32_MAX};
	sdc_minimaluniques_find(&task, size, score, part, first, &result);
	return result;
}

/* Small files of all kinds have the minimal uniques that all sets show. */
static void
small_files_agree(void)
{
	for (uint32 round = 0; round < 3000; round++)
	{
		SdcMinimalUniques got;
		uint32		missing;
		uint32		values;
		uint64		unique = 0;
		uint64		pairs = 0;
		bool		stands[RECORDS];

		random_state = round;
		coded.records = pick(RECORDS + 1);
		coded.attributes = 1 + (int) pick(round % 50 == 0 ? 8 : 5);
		missing = pick(3) == 0 ? 25 : 0;
		values = 1 + pick(6);
		for (int j = 0; j < coded.attributes; j++)
			for (uint32 i = 0; i < coded.records; i++)
				cell[j][i] = pick(100) < missing ? SDC_CODE_NULL : pick(1 + pick(values)) * 1000003;
		has_units = round % 2 == 1;
		for (uint32 i = 0; i < coded.records; i++)
			unit[i] = pick(1 + pick(RECORDS)) * 1000003;
		for (uint32 i = 0; i < coded.records; i++)
		{
			uint32		equal = count_equal(i, &stands[i]);

			unique += equal == 1;
			pairs += stands[i] && equal == 2;
		}
		for (int max_size = 1; max_size <= coded.attributes; max_size++)
		{
			got = run(max_size);
			compare(&got, max_size, round);
			CHECK(got.unique == unique && got.pairs == pairs);
			CHECK(memcmp(first, stands, coded.records * sizeof(bool)) == 0);
		}
	}
	has_units = false;
}

/* The example of a widely used package. */
static void
toy_example_agrees(void)
{
	static const uint32 toy[3][3] = {{2, 1, 1}, {0, 3, 0}, {0, 6, 0}};
	SdcMinimalUniques got;

	coded.records = 3;
	coded.attributes = 3;
	for (int i = 0; i < 3; i++)
		for (int j = 0; j < 3; j++)
			cell[j][i] = toy[i][j];
	run(3);
	CHECK(score[0] == 6 && score[1] == 2 && score[2] == 2);
	/* the package has the rows of this as columns */
	for (int i = 0; i < 3; i++)
		for (int j = 0; j < 3; j++)
			cell[i][j] = toy[i][j];
	got = run(3);
	CHECKF(score[0] == 2 && score[1] == 4 && score[2] == 2, "scores %d %d %d", (int) score[0],
		   (int) score[1], (int) score[2]);
	CHECKF(got.contribution[0] == 50 && got.contribution[1] == 37.5 &&
		   got.contribution[2] == 37.5, "%g %g %g", got.contribution[0], got.contribution[1],
		   got.contribution[2]);
}

/* Sixteen columns: every pair of them is a minimal unique, and 0 is one alone. */
static void
many_columns_work(void)
{
	SdcMinimalUniques got;

	coded.records = RECORDS;
	coded.attributes = 16;
	for (uint32 i = 0; i < RECORDS; i++)
		for (uint32 j = 0; j < 16; j++)
			cell[j][i] = i == 0 ? 0 : i < 17 ? i - 1 == j : 1;
	got = run(16);
	/* record 0 differs from each of the records 1 .. 16 in one column only */
	CHECK(got.records == 17 && got.unique == 17 && got.pairs == 0);
	CHECK(got.sets[16] == 1 && score[0] == 1 && size[15] == 1);
	CHECK(got.sets[2] == 16 * 15 && score[1] == 15 * factorial(14));
	got = run(2);
	CHECK(got.records == 16 && score[0] == 0 && score[16] == 15 * factorial(14));
}

/* No record, and missing values only. */
static void
ends_are_defined(void)
{
	SdcMinimalUniques got;
	double		dis[RECORDS];

	coded.records = 0;
	coded.attributes = 3;
	got = run(3);
	CHECK(got.unique == 0 && got.total == 0 && got.records == 0 && got.contribution[0] == 0);
	coded.records = 1;
	for (int j = 0; j < 3; j++)
		cell[j][0] = SDC_CODE_NULL;
	got = run(3);
	CHECK(got.unique == 1 && got.records == 0 && score[0] == 0);
	cell[1][0] = 5;
	got = run(3);
	CHECK(got.records == 1 && score[0] == 2 && got.contribution[1] == 100);
	sdc_minimaluniques_dis(score, NULL, 1, 3, 0, 0.01, dis);
	CHECK(dis[0] == 1);
	score[0] = 0;
	sdc_minimaluniques_dis(score, NULL, 1, 3, 7, 0.01, dis);
	CHECK(dis[0] == 0);
}

/* A unit that has a unique twice has it once: the dis scores are those of one record for each. */
static void
units_count_once(void)
{
	static const uint32 value[] = {7, 7, 8, 9, 9, 9};
	static const uint32 of[] = {1, 1, 2, 3, 4, 3};
	SdcMinimalUniques got;
	double		dis[RECORDS];
	double		alone[2];

	coded.records = 6;
	coded.attributes = 1;
	for (uint32 i = 0; i < 6; i++)
	{
		cell[0][i] = value[i];
		unit[i] = of[i];
	}
	has_units = true;
	got = run(1);
	has_units = false;
	CHECK(got.unique == 3 && got.pairs == 1 && got.sets[1] == 3);
	CHECK(score[0] == 1 && score[1] == 1 && score[2] == 1 && score[3] + score[4] + score[5] == 0);
	sdc_minimaluniques_dis(score, first, 6, 1, got.pairs, 0.1, dis);
	sdc_minimaluniques_dis(score + 1, NULL, 2, 1, got.pairs, 0.1, alone);
	CHECK(dis[0] == alone[0] && dis[1] == alone[0] && dis[2] == alone[1] && dis[3] == 0);
	/* two uniques and a pair */
	CHECK(fabs(dis[2] - 0.1 * 2 / (0.1 * 2 + 2 * 0.9)) < 1e-12);
}

/* Adult: figures of an independent computation. */
static void
adult_agrees(void)
{
	static const char *name[] = {"age", "workclass", "education", "marital_status", "relationship",
	"race", "sex", "native_country", "salary"};
	static const uint64 want[] = {0, 2, 1056, 11301, 17884, 9819, 2175, 241, 17, 1};
	SdcCodedColumn known[9];
	Reference	adult;
	SdcCodedFile file = {0, 9, known};
	SdcMinimalUniquesTask task = {&file, 9, NULL};
	SdcMinimalUniques got;
	uint32	   *sizes;
	uint64	   *scores;
	double	   *dis;
	uint64		small[2] = {0, 0};
	uint32		largest = 0;
	double		sum = 0;

	if (!reference_load("adult.csv", &adult))
		return;
	for (int j = 0; j < 9; j++)
		known[j].code = adult.code[reference_column(&adult, name[j])];
	file.records = adult.records;
	sizes = malloc((size_t) adult.records * 9 * sizeof(uint32));
	scores = malloc(adult.records * sizeof(uint64));
	dis = malloc(adult.records * sizeof(double));
	sdc_minimaluniques_find(&task, sizes, scores, NULL, NULL, &got);
	sdc_minimaluniques_dis(scores, NULL, adult.records, 9, got.pairs, 0.01, dis);
	CHECK(memcmp(got.sets, want, sizeof(want)) == 0);
	CHECK(got.records == 10553 && got.unique == 10553 && got.total == 15934886);
	for (uint32 i = 0; i < adult.records; i++)
	{
		small[0] += sizes[9 * i] + sizes[9 * i + 1] > 0;
		small[1] += sizes[9 * i] + sizes[9 * i + 1] + sizes[9 * i + 2] > 0;
		largest = scores[i] > scores[largest] ? i : largest;
		sum += dis[i];
	}
	CHECKF(small[0] == 855 && small[1] == 4878, "%d %d", (int) small[0], (int) small[1]);
	CHECK(scores[largest] == 40320 && strcmp(adult.cell[0][largest], "18176") == 0);
	CHECKF(fabs(dis[largest] - 0.920951) < 6e-7, "%.7f", dis[largest]);
	/* the mean of those that have one */
	CHECKF(fabs(sum / 10553 - 0.229164) < 6e-7, "%.7f", sum / 10553);
	free(sizes);
	free(scores);
	free(dis);
	reference_free(&adult);
}

int
main(void)
{
	RUN(small_files_agree);
	RUN(toy_example_agrees);
	RUN(many_columns_work);
	RUN(ends_are_defined);
	RUN(units_count_once);
	RUN(adult_agrees);
	return tap_done();
}
