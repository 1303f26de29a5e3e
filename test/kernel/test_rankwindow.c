/*-------------------------------------------------------------------------
 *
 * test_rankwindow.c
 *		Windows and interval disclosure against their definitions.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/rank/narrowwindows.h"

#include "random.h"
#include "tap.h"

#define MAX_RECORDS 400

/* A column and its sorted copy, the model. */
static uint32 column[MAX_RECORDS];
static uint32 sorted[MAX_RECORDS];
static uint32 values;			/* that are not missing */

/* compare_codes orders codes. */
static int
compare_codes(const void *a, const void *b)
{
	uint32		x = *(const uint32 *) a;
	uint32		y = *(const uint32 *) b;

	return x < y ? -1 : x > y;
}

/* draw_column fills a column: some codes never, some values missing. */
static void
draw_column(uint32 *to, uint32 records, uint32 codes, uint32 missing)
{
	for (uint32 i = 0; i < records; i++)
	{
		to[i] = pick(3) == 0 ? pick(codes) : pick(codes) / 3 * 3 % codes;
		if (missing > 0 && pick(missing) == 0)
			to[i] = SDC_CODE_NULL;
	}
}

/* sort_column makes the model. */
static void
sort_column(uint32 records)
{
	values = 0;
	for (uint32 i = 0; i < records; i++)
		if (column[i] != SDC_CODE_NULL)
			sorted[values++] = column[i];
	qsort(sorted, values, sizeof(uint32), compare_codes);
}

/* tie_group finds the positions of a code, or where it would be. */
static void
tie_group(uint32 code, int64 *first, int64 *last)
{
	*first = 0;
	while (*first < values && sorted[*first] < code)
		(*first)++;
	*last = *first - 1;
	while (*last + 1 < values && sorted[*last + 1] == code)
		(*last)++;
}

/* compare_windows compares the intervals of all codes at one width. */
static void
compare_windows(const SdcPositions *positions, uint32 width, SdcInterval *interval)
{
	sdc_rankwindow_intervals(positions, width, interval);
	for (uint32 c = 0; c < positions->codes; c++)
	{
		int64		first;
		int64		last;

		tie_group(c, &first, &last);
		first = first - width < 0 ? 0 : first - width;
		last = last + width > (int64) values - 1 ? (int64) values - 1 : last + width;
		if (first > last)
			CHECKF(interval[c].first > interval[c].last, "width %u, code %u", width, c);
		else
			CHECKF(interval[c].first == sorted[first] && interval[c].last == sorted[last],
				   "width %u, code %u: [%u, %u]", width, c, interval[c].first, interval[c].last);
	}
}

/* compare_narrow compares narrow windows of a column with its intervals at one width. */
static void
compare_narrow(uint32 records, uint32 codes, uint32 width, const SdcInterval *interval)
{
	SdcNarrowWindows windows;

	sdc_narrowwindows_create(&windows, column, records, codes, width);
	CHECK(windows.count == values);
	for (uint32 c = 0; c < codes; c++)
	{
		SdcInterval got = sdc_narrowwindows_interval(&windows, c);

		CHECKF((got.first > got.last && interval[c].first > interval[c].last) ||
			   (got.first == interval[c].first && got.last == interval[c].last),
			   "width %u, code %u: [%u, %u]", width, c, got.first, got.last);
		for (uint32 i = 0; i < values && codes <= 60; i++)
			CHECKF(sdc_narrowwindows_inside(&windows, c, sorted[i]) ==
				   (sorted[i] >= interval[c].first && sorted[i] <= interval[c].last), "width %u, codes %u and %u", width, c,
				   sorted[i]);
	}
	sdc_narrowwindows_destroy(&windows);
}

/* compare_distances compares the distances of all pairs of codes. */
static void
compare_distances(const SdcPositions *positions)
{
	for (uint32 a = 0; a < positions->codes; a++)
		for (uint32 b = 0; b < positions->codes; b++)
		{
			int64		first[2];
			int64		last[2];
			int64		distance = 0;

			tie_group(a, &first[0], &last[0]);
			tie_group(b, &first[1], &last[1]);
			if (a != b)
			{
				distance = first[1] - last[0] > distance ? first[1] - last[0] : distance;
				distance = first[0] - last[1] > distance ? first[0] - last[1] : distance;
			}
			CHECKF(sdc_rankwindow_distance(positions, a, b) == distance, "%u and %u", a, b);
		}
}

/* compare_column compares all answers for one column. */
static void
compare_column(uint32 records, uint32 codes)
{
	static const uint32 widths[] = {0, 1, 2, 5, 17, 100, 399, 400, 100000, UINT32_MAX};
	SdcInterval *interval = sdc_alloc(codes * sizeof(SdcInterval));
	SdcPositions positions;

	sort_column(records);
	sdc_positions_create(&positions, column, records, codes);
	CHECK(positions.count == values);
	CHECK(positions.codes == codes);
	for (int w = 0; w < 10; w++)
	{
		compare_windows(&positions, widths[w], interval);
		compare_narrow(records, codes, widths[w], interval);
	}
	if (codes <= 60)
		compare_distances(&positions);
	sdc_positions_destroy(&positions);
	sdc_free(interval);
}

/* random_columns have all kinds of ties. */
static void
random_columns(void)
{
	random_state = 1;
	for (int round = 0; round < 300; round++)
	{
		uint32		records = round < 30 ? pick(4) : pick(MAX_RECORDS + 1);
		uint32		codes = 1 + pick(round % 3 == 0 ? 900 : 40);

		draw_column(column, records, codes, round % 4 == 0 ? 1 + pick(5) : 0);
		compare_column(records, codes);
	}
}

/* special_columns are those without values, without different ones, and without equal ones. */
static void
special_columns(void)
{
	compare_column(0, 3);
	for (uint32 i = 0; i < MAX_RECORDS; i++)
		column[i] = SDC_CODE_NULL;
	compare_column(MAX_RECORDS, 5);
	for (uint32 i = 0; i < MAX_RECORDS; i++)
		column[i] = 2;
	compare_column(MAX_RECORDS, 5);
	for (uint32 i = 0; i < MAX_RECORDS; i++)
		column[i] = i * 7 % MAX_RECORDS;
	compare_column(MAX_RECORDS, MAX_RECORDS);
	for (uint32 i = 0; i < MAX_RECORDS; i++)
		column[i] = 2 * (i * 7 % MAX_RECORDS) + 1;
	compare_column(MAX_RECORDS, 2 * MAX_RECORDS + 1);
}

/* no_codes is a column with nothing in it. */
static void
no_codes(void)
{
	SdcPositions positions;

	sdc_positions_create(&positions, column, 0, 0);
	CHECK(positions.count == 0);
	sdc_rankwindow_intervals(&positions, 3, NULL);
	sdc_positions_destroy(&positions);
}

/* paper_example: ten values, two positions, of 7 those between 5 and 9. */
static void
paper_example(void)
{
	SdcPositions positions;
	SdcInterval interval[10];

	for (uint32 i = 0; i < 10; i++)
		column[i] = i * 3 % 10;
	sdc_positions_create(&positions, column, 10, 10);
	sdc_rankwindow_intervals(&positions, 2, interval);
	CHECK(interval[6].first == 4 && interval[6].last == 8);
	CHECK(interval[0].first == 0 && interval[0].last == 2);
	CHECK(interval[9].first == 7 && interval[9].last == 9);
	sdc_positions_destroy(&positions);
}

/* wide_ties: a window takes all of the groups at its ends. */
static void
wide_ties(void)
{
	SdcPositions positions;
	SdcInterval interval[5];

	/* 0 0 0 0 2 2 4 4 4 */
	for (uint32 i = 0; i < 9; i++)
		column[i] = i < 4 ? 0 : i < 6 ? 2 : 4;
	sdc_positions_create(&positions, column, 9, 5);
	sdc_rankwindow_intervals(&positions, 1, interval);
	CHECK(interval[0].first == 0 && interval[0].last == 2);
	CHECK(interval[1].first == 0 && interval[1].last == 2);
	CHECK(interval[2].first == 0 && interval[2].last == 4);
	CHECK(interval[3].first == 2 && interval[3].last == 4);
	CHECK(interval[4].first == 2 && interval[4].last == 4);
	sdc_rankwindow_intervals(&positions, 0, interval);
	CHECK(interval[1].first > interval[1].last);
	CHECK(interval[2].first == 2 && interval[2].last == 2);
	CHECK(sdc_rankwindow_distance(&positions, 0, 4) == 3);
	CHECK(sdc_rankwindow_distance(&positions, 4, 2) == 1);
	CHECK(sdc_rankwindow_distance(&positions, 1, 0) == 1);
	CHECK(sdc_rankwindow_distance(&positions, 1, 1) == 0);
	sdc_positions_destroy(&positions);
}

/* compare_disclosure counts all cells and percentages one by one. */
static void
compare_disclosure(const uint32 *original, const uint32 *protected, uint32 records, uint32 codes)
{
	SdcPairColumn pair = {.original = original, .protected = protected, .codes = codes};
	SdcPositions positions;
	uint64		expected_hits = 0;
	uint64		expected_cells = 0;
	uint64		hits;
	uint64		cells;

	sdc_positions_create(&positions, original, records, codes);
	for (uint32 i = 0; i < records; i++)
	{
		if (original[i] == SDC_CODE_NULL || protected[i] == SDC_CODE_NULL)
			continue;
		expected_cells++;
		for (uint64 percent = 1; percent <= 10; percent++)
			expected_hits += UINT64_C(100) *
				sdc_rankwindow_distance(&positions, original[i], protected[i]) <=
				percent * positions.count;
	}
	sdc_rankwindow_disclosure(&pair, records, &hits, &cells);
	CHECKF(hits == expected_hits && cells == expected_cells, "%u records, %u codes",
		   records, codes);
	sdc_positions_destroy(&positions);
}

/* disclosure compares on columns of all sizes, and where the answer is known. */
static void
disclosure(void)
{
	static uint32 protected[MAX_RECORDS];
	SdcPairColumn pair = {.original = column, .protected = protected, .codes = MAX_RECORDS};
	uint64		hits;
	uint64		cells;

	random_state = 2;
	for (int round = 0; round < 500; round++)
	{
		uint32		records = pick(MAX_RECORDS + 1);
		uint32		codes = 1 + pick(round % 2 == 0 ? 500 : 30);

		draw_column(column, records, codes, round % 3 == 0 ? 1 + pick(6) : 0);
		draw_column(protected, records, codes, round % 5 == 0 ? 1 + pick(6) : 0);
		for (uint32 i = 0; i < records; i++)
			if (pick(2) == 0 && column[i] != SDC_CODE_NULL)
				protected[i] = column[i] + 1 < codes ? column[i] + pick(2) : column[i];
		compare_disclosure(column, protected, records, codes);
	}

	/* moved by 20 of 400 positions: inside from 5 percent on */
	for (uint32 i = 0; i < MAX_RECORDS; i++)
	{
		column[i] = i;
		protected[i] = i / 40 * 40 + (i + 20) % 40;
	}
	sdc_rankwindow_disclosure(&pair, MAX_RECORDS, &hits, &cells);
	CHECK(hits == 6 * MAX_RECORDS && cells == MAX_RECORDS);
	sdc_rankwindow_disclosure(&pair, 0, &hits, &cells);
	CHECK(hits == 0 && cells == 0);
}

/* narrow_widths: a code in 2, 8, 16 or 32 bits, where no, few, many or very many records have the same one. */
static void
narrow_widths(void)
{
	static const uint32 same[] = {0, 0, 300, 70000};
	static const uint32 codes[] = {4998, 5003, 5003, 5003};
	static const int bits[] = {2, 8, 16, 32};
	static uint32 many[80000];
	static SdcInterval interval[5003];

	for (int w = 0; w < 4; w++)
	{
		uint32		records = same[w] + 5000;
		SdcPositions positions;
		SdcNarrowWindows windows;

		for (uint32 i = 0; i < records; i++)
			many[i] = i < same[w] ? 1000 : (i - same[w]) * 7919 % codes[w];
		sdc_positions_create(&positions, many, records, codes[w]);
		sdc_rankwindow_intervals(&positions, 70, interval);
		sdc_narrowwindows_create(&windows, many, records, codes[w], 70);
		CHECKF(windows.bits == bits[w], "%u the same: %d bits", same[w], windows.bits);
		for (uint32 c = 0; c < codes[w]; c++)
		{
			SdcInterval got = sdc_narrowwindows_interval(&windows, c);

			CHECKF(got.first == interval[c].first && got.last == interval[c].last, "code %u: [%u, %u]", c, got.first,
				   got.last);
		}
		sdc_narrowwindows_destroy(&windows);
		sdc_positions_destroy(&positions);
	}
}

/* main runs the tests. */
int
main(void)
{
	RUN(random_columns);
	RUN(special_columns);
	RUN(no_codes);
	RUN(paper_example);
	RUN(wide_ties);
	RUN(narrow_widths);
	RUN(disclosure);
	return tap_done();
}
