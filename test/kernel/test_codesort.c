/*-------------------------------------------------------------------------
 *
 * test_codesort.c
 *		Elements sorted by several codes are in the order in which comparing all pairs puts them.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/base/codesort.h"

#include "random.h"
#include "tap.h"

#define MOST 200
#define COLUMNS 4

static uint32 code[COLUMNS][MOST];
static uint32 record[MOST];
static SdcCodesort sort[COLUMNS];

/* draw_codes draws so many codes a column; a missing value is the greatest. */
static void
draw_codes(const uint32 *codes, bool by_record)
{
	for (uint32 i = 0; i < MOST; i++)
		record[i] = MOST - 1 - i;
	for (int j = 0; j < COLUMNS; j++)
	{
		sort[j] = (SdcCodesort) {code[j], 1, codes[j], by_record ? record : NULL};
		for (uint32 i = 0; i < MOST; i++)
			code[j][i] = pick(9) == 0 ? UINT32_MAX : pick(codes[j]);
	}
}

/* code_of is the code of an element, those of missing values alike. */
static uint32
code_of(int j, uint32 element)
{
	uint32		c = code[j][sort[j].record != NULL ? sort[j].record[element] : element];

	return c < sort[j].codes ? c : sort[j].codes;
}

/* compare compares two elements by so many columns. */
static int
compare(int columns, uint32 a, uint32 b)
{
	for (int j = 0; j < columns; j++)
		if (code_of(j, a) != code_of(j, b))
			return code_of(j, a) < code_of(j, b) ? -1 : 1;
	return 0;
}

/* check_sort sorts some elements, which are in the order of given[], and compares each with all others. */
static void
check_sort(const uint32 *given, uint32 elements, int columns)
{
	uint32	   *order = sdc_alloc_array(uint32, elements);
	uint32	   *spare = sdc_alloc_array(uint32, elements);
	uint32		credit = SDC_INTERRUPT_STEPS;
	bool		distinct = true;
	bool		told;

	memcpy(order, given, elements * sizeof(uint32));
	told = sdc_codesort_all(sort, columns, &order, &spare, elements, &credit);
	for (uint32 i = 0; i < elements; i++)
	{
		uint32		place = 0;

		for (uint32 k = 0; k < elements; k++)
		{
			int			compared = compare(columns, given[k], given[i]);

			place += compared < 0 || (compared == 0 && k < i);
			distinct = distinct && (k == i || compared != 0);
		}
		CHECKF(order[place] == given[i], "%d columns, place %u", columns, place);
	}
	CHECK(told == distinct);
	sdc_free(order);
	sdc_free(spare);
}

/* sort_drawn sorts elements of codes of several kinds, given in any order. */
static void
sort_drawn(const uint32 *codes)
{
	uint32		given[MOST];

	for (int round = 0; round < 60; round++)
	{
		draw_codes(codes, round % 2 == 0);
		for (uint32 i = 0; i < MOST; i++)
			given[i] = i;
		for (uint32 i = MOST; i-- > 1;)
		{
			uint32		k = pick(i + 1);
			uint32		swap = given[i];

			given[i] = given[k];
			given[k] = swap;
		}
		for (int columns = 1; columns <= COLUMNS; columns++)
			check_sort(given, 1 + pick(MOST), columns);
	}
}

/* Few have the first code in common, and nobody all of them: those are compared. */
static void
few_in_common(void)
{
	sort_drawn((const uint32[]) {1000, 500, 300, 7});
}

/* The same, with many that are equal in all. */
static void
few_and_equal(void)
{
	sort_drawn((const uint32[]) {150, 1, 1, 1});
}

/* Many have the first code in common: a pass for each. */
static void
many_in_common(void)
{
	sort_drawn((const uint32[]) {3, 5, 2, 40});
	sort_drawn((const uint32[]) {1, 1, 1, 1000});
}

int
main(void)
{
	RUN(few_in_common);
	RUN(few_and_equal);
	RUN(many_in_common);
	return tap_done();
}
