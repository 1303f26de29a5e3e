/*-------------------------------------------------------------------------
 *
 * test_groupspan.c
 *		How many of a column's values groups have, against the definition, value by value.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/groups/groupspan.h"

#include "random.h"
#include "tap.h"

#define MOST 40
#define MISSING SDC_CODE_NULL

/* of measures some records. */
static SdcGroupSpan
of(uint32 records, const uint32 *code, uint32 codes, const uint32 *group, uint32 groups, bool ranges)
{
	SdcGroupSpanTask task = {records, code, codes, group, groups, ranges};

	return sdc_groupspan_measure(&task);
}

/* has tells whether the range or set of a group has a value, by its definition; codes is the missing value of a set. */
static bool
has(uint32 records, const uint32 *code, uint32 codes, const uint32 *group, uint32 g, bool ranges, uint32 value)
{
	bool		below = false;
	bool		above = false;

	for (uint32 r = 0; r < records; r++)
	{
		uint32		own = code[r] == MISSING ? codes : code[r];

		if (group[r] != g)
			continue;
		if (own == value || (ranges && own == codes))
			return true;
		below |= own < value;
		above |= own > value;
	}
	return ranges && below && above;
}

/* agree tells whether all records of a group have the same value. */
static bool
agree(uint32 records, const uint32 *code, const uint32 *group, uint32 g)
{
	for (uint32 a = 0; a < records; a++)
		for (uint32 b = 0; b < a; b++)
			if (group[a] == g && group[b] == g && code[a] != code[b])
				return false;
	return true;
}

/* naive adds up the spans record by record. */
static SdcGroupSpan
naive(uint32 records, const uint32 *code, uint32 codes, const uint32 *group, bool ranges)
{
	SdcGroupSpan span = {0, 0};
	uint32		values = codes;
	bool		missing = false;

	for (uint32 r = 0; r < records; r++)
		missing |= code[r] == MISSING;
	values += missing && !ranges;
	if (codes + missing < 2)
		return span;
	for (uint32 r = 0; r < records; r++)
	{
		for (uint32 v = 0; v < values && !agree(records, code, group, group[r]); v++)
			span.sum += has(records, code, codes, group, group[r], ranges, v);
		span.all += values;
	}
	return span;
}

/* by_hand: ages 0 to 6 and two sexes of six people, in groups that are easy to count. */
static void
by_hand(void)
{
	const uint32 age[] = {0, 1, 2, 3, 4, 5};
	const uint32 sex[] = {0, 1, 0, 1, 0, 1};
	const uint32 one[] = {0, 0, 0, 0, 0, 0};
	const uint32 two[] = {0, 0, 0, 1, 1, 1};
	const uint32 three[] = {0, 0, 1, 1, 2, 2};
	const uint32 by_sex[] = {0, 1, 0, 1, 0, 1};

	for (int ranges = 0; ranges < 2; ranges++)
	{
		CHECK(sdc_groupspan_percent(of(6, age, 6, one, 1, ranges)) == 100);
		CHECK(sdc_groupspan_percent(of(6, age, 6, two, 2, ranges)) == 50);
		CHECK(sdc_groupspan_percent(of(6, age, 6, three, 3, ranges)) == 33);
		CHECK(sdc_groupspan_percent(of(6, sex, 2, two, 2, ranges)) == 100);
		/* a group of one value has nothing of the others */
		CHECK(sdc_groupspan_percent(of(6, sex, 2, by_sex, 2, ranges)) == 0);
	}
	/* ages 0, 2, 4 and 1, 3, 5: ranges have five of six values each, sets three */
	CHECK(sdc_groupspan_percent(of(6, age, 6, by_sex, 2, true)) == 83);
	CHECK(sdc_groupspan_percent(of(6, age, 6, by_sex, 2, false)) == 50);
}

/* missing_values: a range with one is missing, and so may be anything; a set has it as a value. */
static void
missing_values(void)
{
	const uint32 code[] = {0, MISSING, 1, 1, 2, 3};
	const uint32 none[] = {MISSING, MISSING, MISSING, 0, 0, 0};
	const uint32 group[] = {0, 0, 1, 1, 2, 2};
	const uint32 two[] = {0, 0, 0, 1, 1, 1};
	SdcGroupSpan span = of(6, code, 4, group, 3, true);

	CHECKF(span.sum == 2 * 4 + 2 * 0 + 2 * 2 && span.all == 6 * 4, "%lu of %lu", span.sum, span.all);
	span = of(6, code, 4, group, 3, false);
	CHECKF(span.sum == 2 * 2 + 2 * 0 + 2 * 2 && span.all == 6 * 5, "%lu of %lu", span.sum, span.all);
	CHECK(sdc_groupspan_percent(of(6, none, 1, two, 2, true)) == 0);
	CHECK(sdc_groupspan_percent(of(6, none, 1, group, 3, true)) == 33);
}

/* nothing_to_tell: columns of one value or none, and no records. */
static void
nothing_to_tell(void)
{
	const uint32 same[] = {0, 0, 0};
	const uint32 none[] = {MISSING, MISSING, MISSING};

	for (int ranges = 0; ranges < 2; ranges++)
	{
		CHECK(of(3, same, 1, same, 1, ranges).all == 0);
		CHECK(of(3, none, 0, same, 1, ranges).all == 0);
		CHECK(of(0, same, 0, same, 0, ranges).all == 0);
		CHECK(sdc_groupspan_percent(of(3, same, 1, same, 1, ranges)) == 0);
	}
}

/* percent is rounded down, but for what is lost in a division. */
static void
percent(void)
{
	for (uint64 all = 1; all <= 200; all++)
		for (uint64 sum = 0; sum <= all; sum++)
			CHECK(sdc_groupspan_percent((SdcGroupSpan) {sum, all}) == (int) (sum * 100 / all));
	CHECK(sdc_groupspan_percent((SdcGroupSpan) {UINT64_MAX - 1, UINT64_MAX}) == 99);
}

/* by_definition: random columns and groups. */
static void
by_definition(void)
{
	for (int round = 0; round < 3000; round++)
	{
		uint32		code[MOST];
		uint32		group[MOST];
		uint32		records = 1 + pick(MOST);
		uint32		codes = 1 + pick(records);
		uint32		groups = 1 + pick(8);
		uint32		gaps = pick(4);
		bool		ranges = round % 2 == 0;
		SdcGroupSpan found;
		SdcGroupSpan right;

		/* all codes occur */
		for (uint32 r = 0; r < records; r++)
		{
			code[r] = r < codes ? r : gaps > 0 && pick(gaps + 1) == 0 ? MISSING : pick(codes);
			group[r] = pick(groups);
		}
		found = of(records, code, codes, group, groups, ranges);
		right = naive(records, code, codes, group, ranges);
		CHECKF(found.sum == right.sum && found.all == right.all, "%lu of %lu instead of %lu of %lu", found.sum,
			   found.all, right.sum, right.all);
	}
}

int
main(void)
{
	RUN(by_hand);
	RUN(missing_values);
	RUN(nothing_to_tell);
	RUN(percent);
	RUN(by_definition);
	return tap_done();
}
