/*-------------------------------------------------------------------------
 *
 * test_forecasts.c
 *		Forecasts of memory against what is allocated: never less, and not much more.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/base/boxes.h"
#include "kernel/base/kdorder.h"
#include "kernel/base/moments.h"
#include "kernel/bins/equidepth.h"
#include "kernel/bins/farpair.h"
#include "kernel/distance/nearpoints.h"
#include "kernel/itemsets/itemsearch.h"
#include "kernel/itemsets/itemstore.h"
#include "kernel/rank/continuedplan.h"
#include "kernel/rank/ranktree.h"
#include "kernel/releases/historylinks.h"
#include "kernel/releases/pointtree.h"

#include "memory.h"
#include "random.h"
#include "tap.h"

#define MOST 3000
#define COLUMNS 6
#define RELEASES 3

/* Files of several sizes. */
static const uint32 sizes[] = {1, 2, 17, 300, MOST};

#define SIZES (sizeof(sizes) / sizeof(sizes[0]))

/* Codes and coordinates of random records. */
static uint32 code[RELEASES][COLUMNS][MOST];
static double number[COLUMNS][MOST];
static const double *coordinate[COLUMNS];
static uint32 index_of[MOST];

/* draw_file draws codes, some missing, and coordinates. */
static void
draw_file(uint32 records, uint32 codes, uint32 missing)
{
	for (int j = 0; j < COLUMNS; j++)
	{
		coordinate[j] = number[j];
		for (uint32 i = 0; i < records; i++)
		{
			for (int t = 0; t < RELEASES; t++)
				code[t][j][i] = pick(100) < missing ? SDC_CODE_NULL : pick(codes);
			number[j][i] = uniform();
			index_of[i] = i;
		}
	}
}

/* check_forecast compares a forecast with what was taken: most times as much is too much, beyond some bytes. */
static void
check_forecast(const char *what, uint64 forecast, double most, uint64 beyond)
{
	CHECKF(memory_most <= (int64) forecast, "%s: %lld bytes, forecast were %llu", what, (long long) memory_most,
		   (unsigned long long) forecast);
	CHECKF((double) forecast <= most * (double) memory_most + (double) beyond, "%s: only %lld bytes, forecast were %llu",
		   what, (long long) memory_most, (unsigned long long) forecast);
}

/* orders_and_boxes: orders of points, and numbers of boxes. */
static void
orders_and_boxes(void)
{
	for (uint32 k = 0; k < SIZES; k++)
	{
		uint32		records = sizes[k];
		uint32		number_of[MOST];
		SdcBoxes   *boxes;

		random_state = k;
		draw_file(records, 40, 0);
		if (!memory_begin())
			return;
		sdc_kdorder_build(coordinate, COLUMNS, index_of, records, 8);
		/* buffers are for any number of points */
		check_forecast("order", sdc_kdorder_memory(COLUMNS), 1, records > 8 ? 0 : UINT32_MAX);

		memory_begin();
		boxes = sdc_boxes_create(records);
		for (int j = 0; j < 2; j++)
		{
			for (uint32 i = 0; i < records; i++)
				sdc_boxes_column(boxes)[i] = code[0][j][i];
			sdc_boxes_add(boxes, 39);
		}
		(void) sdc_boxes_number(boxes, NULL, 0, number_of);
		check_forecast("boxes", sdc_boxes_memory(records), 1, 0);
		sdc_boxes_destroy(boxes);
	}
}

/* bins: one attribute and several, and what they are made of. */
static void
bins(void)
{
	for (uint32 k = 0; k < SIZES; k++)
	{
		uint32		records = sizes[k];
		uint32		bin[MOST];
		SdcShrinktree *tree;
		SdcFarpair *pair;

		random_state = k;
		draw_file(records, 40, 0);
		for (int attributes = 1; attributes <= COLUMNS; attributes += 2)
		{
			SdcEquidepthTask task = {.value = coordinate, .attributes = attributes, .records = records, .k = 3};

			if (!memory_begin())
				return;
			(void) sdc_equidepth(&task, 0, bin);
			check_forecast("bins", sdc_equidepth_memory(records, attributes), attributes == 1 ? 1 : 1.22,
						   attributes == 1 || records > 16 ? 0 : 60000);
		}

		memory_begin();
		tree = sdc_shrinktree_create(coordinate, COLUMNS, records);
		check_forecast("tree that shrinks", sdc_shrinktree_memory(records, COLUMNS), 1, records > 16 ? 0 : 60000);
		memory_begin();
		pair = sdc_farpair_create(tree);
		check_forecast("pair", sdc_farpair_memory(records), 1, 0);
		sdc_farpair_destroy(pair);
		sdc_shrinktree_destroy(tree);
	}
}

/* moments: those of a file, in pieces. */
static void
moments(void)
{
	static const int words[] = {SDC_MOMENTS_SECOND, SDC_MOMENTS_FOURTH};

	for (uint32 k = 0; k < SIZES; k++)
		for (int w = 0; w < 2; w++)
		{
			void	   *space = sdc_alloc_zeros(uint8, sdc_moments_table_size(COLUMNS));
			SdcMomentsTable table;

			draw_file(sizes[k], 40, 0);
			sdc_moments_table_map(space, COLUMNS, &table);
			table.records = sizes[k];
			if (memory_begin())
			{
				sdc_moments_file(coordinate, NULL, 0, words[w], &table);
				check_forecast("moments", sdc_moments_file_memory(sizes[k], COLUMNS), 1, 0);
			}
			sdc_free(space);
		}
}

/* points_of_records: trees of records for distances, and for windows. */
static void
points_of_records(void)
{
	for (uint32 k = 0; k < 2 * SIZES; k++)
	{
		uint32		records = sizes[k / 2];
		uint32		codes = k % 2 == 0 ? 1000 : 2;
		SdcPairColumn column[COLUMNS];
		SdcPairs	pairs = {records, COLUMNS, column};
		int			known[COLUMNS];
		double		value[1000];
		uint32		place_of[MOST];
		SdcMetricSpace *space;
		SdcNearpoints points;
		SdcNearforest *forest;
		SdcRankTree *tree;

		random_state = k;
		draw_file(records, codes, 10);
		for (uint32 c = 0; c < 1000; c++)
			value[c] = c;
		for (int j = 0; j < COLUMNS; j++)
		{
			column[j] = (SdcPairColumn) {code[0][j], code[1][j], codes, value};
			known[j] = j;
		}
		space = sdc_metricspace_create(&pairs, known, COLUMNS, SDC_METRIC_EUCLIDEAN);
		if (memory_begin())
		{
			tree = sdc_ranktree_create(&pairs, known, COLUMNS, space, NULL);
			/* equal records are one point */
			check_forecast("tree of ranks", sdc_ranktree_memory(records, COLUMNS), 1.32, codes == 2 ? 200000 : 60000);
			sdc_ranktree_destroy(tree);
			sdc_nearpoints_collect(space, false, NULL, records, false, &points, place_of);
			memory_begin();
			sdc_nearpoints_order(&points, space->dimensions, index_of, points.count);
			check_forecast("order of points", sdc_nearpoints_order_memory(records, space->dimensions), 1,
						   codes == 2 ? 130000 : records > 16 ? 0 : 60000);
			memory_begin();
			forest = sdc_nearforest_create(&points, space->dimensions, NULL);
			check_forecast("forest", sdc_nearforest_memory(records, space->dimensions), 1.41,
						   codes == 2 ? 300000 : 25000);
			sdc_nearforest_destroy(forest);
			sdc_nearpoints_free(&points);
		}
		sdc_metricspace_destroy(space);
	}
}

/* continued_releases: plan, column, and what a night works with. */
static void
continued_releases(void)
{
	for (uint32 k = 0; k < SIZES; k++)
		for (uint32 strata = 1; strata < 300; strata += 290)
		{
			uint32		records = sizes[k];
			static bool changed[MOST];
			static uint32 stratum[MOST];
			SdcContinuedPairing pairing = {.members = records, .sources = records, .source = index_of,
			.changed = changed, .stratum = stratum, .strata = strata, .least = 2};
			SdcContinuedPlan plan;
			SdcContinued column;
			SdcContinuedWork *work;
			SdcContinuedPacked packed = {.members = records};

			draw_file(records, 40, 0);
			if (!memory_begin())
				return;
			sdc_continuedplan_make(&pairing, &plan);
			check_forecast("plan", sdc_continuedplan_memory(records, records, strata), 1, 0);
			sdc_continuedplan_destroy(&plan);

			memory_begin();
			sdc_continued_create(&column, records);
			check_forecast("column", sdc_continued_memory(records), 1, 0);
			memory_begin();
			work = sdc_continued_work_create(records);
			check_forecast("work", sdc_continued_work_memory(records), 1, 0);
			sdc_continued_work_destroy(work);

			/* the words are there: those of all, who are alone */
			memory_begin();
			packed.count = sdc_continued_pack(column.mate, records);
			packed.word = memcpy(sdc_alloc_array(uint32, records), column.mate, sizeof(uint32) * packed.count);
			CHECK(packed.count == records && sdc_continued_unpack(&packed, NULL, &column));
			check_forecast("packed", sdc_continued_unpack_memory(records), 1, 0);
			sdc_free((void *) packed.word);
			sdc_continued_destroy(&column);
		}
}

/* A history of the same people in all releases. */
typedef struct Past
{
	const uint32 *column[RELEASES][COLUMNS];
	uint32		codes[COLUMNS];
	uint32		width[COLUMNS];
	const uint32 *widths[RELEASES];
	const uint32 *class[RELEASES];
	SdcHistoryFile file[RELEASES];
	SdcHistory	history;
} Past;

/* make_past makes it of the random codes. */
static void
make_past(Past *past, uint32 records, uint32 codes)
{
	draw_file(records, codes, 5);
	for (int t = 0; t < RELEASES; t++)
	{
		for (int j = 0; j < COLUMNS; j++)
		{
			past->column[t][j] = code[t][j];
			past->codes[j] = codes;
			past->width[j] = 1 + records / 20;
		}
		past->widths[t] = past->width;
		past->class[t] = index_of;
		past->file[t] = (SdcHistoryFile) {records, index_of, past->column[t]};
	}
	past->history = (SdcHistory) {records, COLUMNS, past->codes, RELEASES, past->file, past->widths};
}

/* columns_of_releases: what is kept of a column, and what attacks on it take. */
static void
columns_of_releases(void)
{
	for (uint32 k = 0; k < 2 * SIZES; k++)
	{
		uint32		records = sizes[k / 2];
		uint32		codes = k % 2 == 0 ? 1 + records / 3 : 900;
		static Past past;
		static double mean[MOST];
		static SdcInterval box[MOST];
		SdcHistorySpan all = {0, RELEASES};
		SdcHistoryColumn column = {1, mean, box, false, NULL};
		SdcHistoryKept kept = {0};
		SdcMovement moving = {0};
		SdcMovement windows = {0};

		random_state = k;
		make_past(&past, records, codes);
		if (!memory_begin())
			return;
		CHECK(sdc_history_keep(&past.history, 1, 2, &kept));
		/* what it works with is gone */
		memory_most = memory_now;
		check_forecast("kept", sdc_history_kept_memory(codes), 1, sizeof(SdcInterval) + sizeof(double));
		sdc_history_kept_destroy(&kept);
		memory_begin();
		sdc_history_column(&past.history, all, 2, index_of, &column);
		check_forecast("column", sdc_history_memory(records, codes), 1.21, 20);
		memory_begin();
		sdc_movement_column(&past.history, all, 2, &past.file[RELEASES - 1], &moving, &windows, (SdcMovementCells) {0});
		check_forecast("movement", sdc_movement_memory(records, records, codes, RELEASES), 1.23, 60000);
		CHECK(moving.cells > 0 || records < 10);
	}
}

/* links_of_releases: a tree of points, and what a process that links people takes. */
static void
links_of_releases(void)
{
	for (uint32 k = 0; k < 2 * SIZES; k++)
	{
		uint32		records = sizes[k / 2];
		uint32		codes = k % 2 == 0 ? 1 + records / 3 : 900;
		static Past past;
		static double mean[MOST * COLUMNS];
		static SdcInterval box[MOST * COLUMNS];
		SdcHistoryTask task = {.history = &past.history, .truth = past.file, .classes = records,
		.released = past.class, .secret = past.class};
		SdcHistoryLinks links = {0};
		SdcMovement moving = {0};
		SdcMovement windows = {0};
		SdcHistoryLinking *linking;
		SdcPointTree *tree;

		random_state = k;
		make_past(&past, records, codes);
		for (uint32 c = 0; c < records * COLUMNS; c++)
		{
			mean[c] = 100 * uniform();
			box[c] = (SdcInterval) {pick(codes), codes - 1};
		}
		if (!memory_begin())
			return;
		tree = sdc_pointtree_create(records, COLUMNS, mean, box, index_of, records);
		check_forecast("tree of points", sdc_pointtree_memory(records, COLUMNS, records), 1.17, 60000);
		sdc_pointtree_destroy(tree);

		memory_begin();
		linking = sdc_history_linking_create(&task);
		for (int t = 0; t < RELEASES; t++)
			sdc_history_link_release(linking, t, NULL, &links, &moving, &windows);
		sdc_history_link_together(linking, &links);
		sdc_history_linking_destroy(linking);
		check_forecast("links", sdc_history_link_memory(records, records, COLUMNS, past.codes, records), 1.13, 60000);
	}
}

/* take_none is a callback that goes on. */
static bool
take_none(void *arg, const SdcItem *item, int items, uint64 count, uint64 prefix_count)
{
	(void) arg, (void) item, (void) items, (void) count, (void) prefix_count;
	return true;
}

/* itemsets: a search among few values, whose levels are bitmaps, and among many, whose levels are lists. */
static void
itemsets(void)
{
	static const uint32 codes[] = {2, 5, 100, 2500};

	for (uint32 k = 0; k < 4 * SIZES; k++)
	{
		uint32		records = sizes[k / 4];
		SdcCodedColumn column[COLUMNS];
		SdcCodedFile coded = {records, COLUMNS, column};
		SdcItemsearch search = {.coded = &coded, .min_count = 1 + records / 50, .final_min_count = 1,
		.max_length = COLUMNS, .emit = take_none};

		random_state = k;
		draw_file(records, codes[k % 4], 5);
		for (int j = 0; j < COLUMNS; j++)
			column[j] = (SdcCodedColumn) {code[0][j], codes[k % 4]};
		if (!memory_begin())
			return;
		CHECK(sdc_itemsearch_run(&search));
		/* of all files with such counts, most take much less */
		check_forecast("itemsets", sdc_itemsearch_memory(&search), 1, UINT32_MAX);
	}
}

int
main(void)
{
	RUN(orders_and_boxes);
	RUN(bins);
	RUN(moments);
	RUN(points_of_records);
	RUN(continued_releases);
	RUN(columns_of_releases);
	RUN(links_of_releases);
	RUN(itemsets);
	return tap_done();
}
