/*-------------------------------------------------------------------------
 *
 * test_querytable.c
 *		Rows of queries against conditions one by one, and their counts against counting.
 *
 * What is drawn is the business of test_querydraw, what follows from the counts of test_queries.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/queries/querycounts.h"
#include "kernel/queries/querytable.h"

#include "random.h"
#include "tap.h"

#define MOST_QUERIES SDC_QUERIES_AT_ONCE
#define MOST_CODES 400
#define RECORDS 300

/* A table, and the conditions that it was filled with. */
typedef struct World
{
	SdcQueryTable table;
	uint64		present[MOST_CODES / 64 + 8];
	uint32		rank[MOST_CODES];	/* of each code; undefined where it is not present */
	uint32		code_of_rank[MOST_CODES];
	SdcQueryCondition condition[MOST_QUERIES];
	uint64		member[MOST_QUERIES][MOST_CODES / 64 + 8];
	bool		has[MOST_QUERIES];	/* a condition */
} World;

/* make_codes decides which codes occur in the original file. */
static void
make_codes(World *world, uint32 codes, bool gaps)
{
	SdcQueryTable *table = &world->table;

	memset(world, 0, sizeof(World));
	table->codes = codes;
	table->present = world->present;
	for (uint32 code = 0; code < codes; code++)
	{
		if (gaps && pick(3) == 0)
			continue;
		sdc_bitset_add(world->present, code);
		world->code_of_rank[table->values] = code;
		world->rank[code] = table->values++;
	}
}

/* make_conditions draws conditions, in the simplest way; one query in four has none. */
static void
make_conditions(World *world)
{
	uint32		values = world->table.values;

	for (int q = 0; q < MOST_QUERIES; q++)
	{
		SdcQueryCondition *condition = &world->condition[q];

		world->has[q] = pick(4) > 0;
		condition->values = values;
		condition->member = world->table.range ? NULL : world->member[q];
		if (values == 0)
			continue;
		condition->count = 1 + pick(values);
		condition->first = pick(values - condition->count + 1);
		for (uint32 r = 0; r < values && !world->table.range; r++)
			if (pick(2) == 0)
				sdc_bitset_add(world->member[q], r);
	}
}

/* is_satisfied looks whether a query has no condition, or one that a code satisfies. */
static bool
is_satisfied(const World *world, int q, uint32 code)
{
	const SdcQueryCondition *condition = &world->condition[q];

	if (!world->has[q])
		return true;
	if (code == SDC_CODE_NULL || world->table.values == 0)
		return false;
	if (world->table.range)
		return code >= world->code_of_rank[condition->first] &&
			code <= world->code_of_rank[condition->first + condition->count - 1];
	return sdc_bitset_contains(world->present, code) &&
		sdc_bitset_contains(condition->member, world->rank[code]);
}

/* fill_table fills all lanes; filling again leaves nothing behind. */
static void
fill_table(World *world, uint32 width)
{
	uint32		lane = sdc_querytable_lane(width);

	world->table.width = width;
	world->table.row = sdc_alloc(sdc_querytable_bytes(world->table.codes, width));
	for (int round = 0; round < 2; round++)
	{
		for (uint32 first = 0; first < width * 8; first += lane)
		{
			const SdcQueryCondition *condition[SDC_QUERY_LANE] = {NULL};

			for (uint32 q = 0; q < lane; q++)
				if (world->has[first + q] == (round == 1))
					condition[q] = &world->condition[first + q];
			sdc_querytable_fill(&world->table, first / SDC_QUERY_LANE, condition);
		}
	}
}

/* check_rows meets rows of records with the table, and looks at every bit. */
static void
check_rows(const World *world, const uint32 *code, const uint32 *order, uint32 first, uint32 count)
{
	uint32		width = world->table.width;
	uint32		words = sdc_querytable_words(width);
	uint64	   *rows = sdc_alloc((uint64) count * words * sizeof(uint64));
	int			wrong = 0;

	memset(rows, 0xFF, count * words * sizeof(uint64));
	/* a query that was left before stays left */
	rows[0] &= ~UINT64_C(2);
	sdc_querytable_intersect(&world->table, code, order, first, count, rows);
	for (uint32 i = 0; i < count; i++)
		for (uint32 q = 0; q < width * 8; q++)
		{
			bool		want = is_satisfied(world, (int) q, code[order == NULL ? first + i : order[first + i]]);

			if (i == 0 && q == 1)
				want = false;
			wrong += ((rows[i * words + q / 64] >> (q % 64)) & 1) != want;
		}
	CHECKF(wrong == 0, "width %u, codes %u, range %d: %d wrong", width, world->table.codes,
		   world->table.range, wrong);
	for (uint32 q = 0; q < width * 8; q++)
		CHECK(((world->table.asking[q / 64] >> (q % 64)) & 1) == world->has[q]);
	sdc_free(rows);
}

/* rows_are_right: whatever the width, the order, and the kind of conditions. */
static void
rows_are_right(void)
{
	static const uint32 widths[] = {1, 2, 4, 8, SDC_QUERY_WIDTH};
	static const uint32 codes[] = {0, 1, 5, 63, 64, 65, MOST_CODES};
	static World world;
	uint32		code[RECORDS];
	uint32		order[RECORDS];

	random_state = 21;
	for (int round = 0; round < 280; round++)
	{
		uint32		first = pick(RECORDS);

		make_codes(&world, codes[round % 7], round % 3 == 0);
		world.table.range = round / 7 % 2 == 0;
		make_conditions(&world);
		for (uint32 i = 0; i < RECORDS; i++)
		{
			code[i] = world.table.codes == 0 || pick(10) == 0 ? SDC_CODE_NULL : pick(world.table.codes);
			order[i] = pick(RECORDS);
		}
		fill_table(&world, widths[round / 14 % 5]);
		check_rows(&world, code, round % 2 == 0 ? NULL : order, first, RECORDS - first);
		sdc_free(world.table.row);
	}
}

/* counts_are_right: of few rows and of many, added in pieces of any size. */
static void
counts_are_right(void)
{
	static SdcQueryCounts counts;
	uint64		rows[200 * SDC_QUERY_WORDS];

	random_state = 22;
	for (int round = 0; round < 120; round++)
	{
		uint32		words = round % 2 == 0 ? 1 : SDC_QUERY_WORDS;
		uint32		want[MOST_QUERIES] = {0};
		uint32		dense = pick(3);
		uint32		wrong = 0;

		sdc_querycounts_clear(&counts);
		for (uint32 pieces = pick(round % 4 == 0 ? 60 : 4); pieces > 0; pieces--)
		{
			uint32		count = pick(round % 3 == 0 ? 4 : 200);

			for (uint32 i = 0; i < count * words; i++)
			{
				rows[i] = dense == 2 ? ~UINT64_C(0) : dense == 1 ? random64() : random64() & random64() & random64();
				for (uint32 b = 0; b < 64; b++)
					want[i % words * 64 + b] += (rows[i] >> b) & 1;
			}
			sdc_querycounts_add(&counts, rows, count, words);
		}
		for (uint32 w = 0; w < words; w++)
		{
			uint64		any = sdc_querycounts_any(&counts, w);
			uint64		wanted = random64();
			SdcQueryFew few;

			sdc_querycounts_unpack(&counts, w, wanted, &few);
			for (uint32 b = 0; b < 64; b++)
			{
				uint32		number = want[w * 64 + b];

				wrong += sdc_querycounts_get(&counts, w * 64 + b) != number;
				wrong += ((any >> b) & 1) != (number > 0);
				if ((wanted >> b) & 1)
					wrong += sdc_querycounts_unpacked(&counts, &few, w, b) != number;
			}
		}
		CHECKF(wrong == 0, "round %d: %u wrong", round, wrong);
	}
}

/* main runs the tests. */
int
main(void)
{
	RUN(rows_are_right);
	RUN(counts_are_right);
	return tap_done();
}
