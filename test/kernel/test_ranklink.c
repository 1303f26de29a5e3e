/*-------------------------------------------------------------------------
 *
 * test_ranklink.c
 *		Both attacks on rank swapping against a comparison of all pairs.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/distance/nearest.h"
#include "kernel/rank/ranklink.h"
#include "kernel/rank/rankprefix.h"
#include "kernel/rank/ranksearch.h"

#include "random.h"
#include "tap.h"

#define MAX_KNOWN 64

/* One set of data, with all that a task needs. */
typedef struct Data
{
	SdcPairs	pairs;
	SdcPairColumn column[MAX_KNOWN];
	uint32	   *original[MAX_KNOWN];
	uint32	   *protected[MAX_KNOWN];
	double	   *value[MAX_KNOWN];
	int			known[MAX_KNOWN];
	SdcInterval *interval[MAX_KNOWN];
	SdcMetricSpace *space[MAX_KNOWN];	/* of the first attributes, from one on */
} Data;

/* What is tied, written down here: the kernel's own constant would follow a mistake in it. */
#define TIE (1 + 1e-9)

/* How columns are made. */
typedef struct Shape
{
	uint32		records;
	int			attributes;
	uint32		codes;			/* of a column, about */
	uint32		move;			/* codes that a value moves at most; UINT32_MAX: to anywhere */
	uint32		width;			/* of the windows, in positions */
	uint32		missing;		/* one value in so many; 0: none */
	uint32		endless;		/* one code in so many is no number; 0: none */
	bool		whole;			/* that is of originals only: the release has a number everywhere */
	int			nominal;		/* one attribute in so many; 0: none */
	bool		close;			/* distances differ by about as much as tied ones may */
} Shape;

/* make_column draws the values of an attribute. */
static void
make_column(Data *data, const Shape *shape, int a)
{
	uint32		codes = a % 5 == 4 ? 1 + shape->codes / 20 : shape->codes;
	uint32	   *original = sdc_alloc(shape->records * sizeof(uint32));
	uint32	   *protected = sdc_alloc(shape->records * sizeof(uint32));
	double	   *value = sdc_alloc(codes * sizeof(double));

	for (uint32 i = 0; i < shape->records; i++)
	{
		int64		moved;

		original[i] = pick(a % 3 == 2 ? 1 + pick(codes) : codes);
		moved = (int64) original[i] - shape->move + pick(2 * shape->move + 1);
		moved = moved < 0 ? 0 : moved >= codes ? codes - 1 : moved;
		protected[i] = shape->move == UINT32_MAX ? pick(codes) : (uint32) moved;
		if (shape->missing > 0 && pick(shape->missing) == 0)
			original[i] = SDC_CODE_NULL;
		if (shape->missing > 0 && pick(shape->missing) == 0 && !shape->whole)
			protected[i] = SDC_CODE_NULL;
		if (shape->whole && (protected[i] + 1) % shape->endless == 0)
			protected[i]--;
	}
	/* skewed, and with equal distances */
	for (uint32 c = 0; c < codes; c++)
	{
		value[c] = a % 2 == 0 ? c : exp(20.0 * c / codes);
		if (shape->close)
			value[c] = c < codes / 2 ? 0 : 1e6 + 2e-5 * c;
		if (shape->endless > 0 && (c + 1) % shape->endless == 0)
			value[c] = NAN;
	}
	data->original[a] = original;
	data->protected[a] = protected;
	data->value[a] = value;
	data->column[a].original = original;
	data->column[a].protected = protected;
	data->column[a].codes = codes;
	data->column[a].value = shape->nominal > 0 && a % shape->nominal == 0 ? NULL : value;
}

/* make_data draws a set of data. */
static void
make_data(Data *data, const Shape *shape)
{
	data->pairs.records = shape->records;
	data->pairs.attributes = shape->attributes;
	data->pairs.column = data->column;
	for (int a = 0; a < shape->attributes; a++)
	{
		SdcPositions positions;

		make_column(data, shape, a);
		sdc_positions_create(&positions, data->protected[a], shape->records, data->column[a].codes);
		data->interval[a] = sdc_alloc(data->column[a].codes * sizeof(SdcInterval));
		sdc_rankwindow_intervals(&positions, shape->width, data->interval[a]);
		sdc_positions_destroy(&positions);
	}
	/* known attributes need not come in the order of the columns */
	for (int k = 0; k < shape->attributes; k++)
		data->known[k] = (k + 1) % shape->attributes;
	for (int k = 0; k < shape->attributes; k++)
		data->space[k] = sdc_metricspace_create(&data->pairs, data->known, k + 1,
												SDC_METRIC_EUCLIDEAN);
}

/* free_data frees it. */
static void
free_data(Data *data)
{
	for (int a = 0; a < data->pairs.attributes; a++)
	{
		sdc_metricspace_destroy(data->space[a]);
		sdc_free(data->interval[a]);
		sdc_free(data->value[a]);
		sdc_free(data->protected[a]);
		sdc_free(data->original[a]);
	}
}

/* make_task is the task of the first known attributes; interval is for its pointers. */
static SdcRankTask
make_task(const Data *data, int known, const SdcInterval **interval)
{
	SdcRankTask task = {.pairs = &data->pairs, .known = data->known, .count = known,
	.interval = interval, .space = data->space[known - 1]};

	for (int k = 0; k < known; k++)
		interval[k] = data->interval[data->known[k]];
	return task;
}

/* windows_of counts the windows of an original that a protected record is in. */
static int
windows_of(const Data *data, int known, uint32 original, uint32 protected)
{
	int			inside = 0;

	for (int k = 0; k < known; k++)
	{
		int			a = data->known[k];
		uint32		x = data->original[a][original];
		uint32		y = data->protected[a][protected];

		if (x != SDC_CODE_NULL && y != SDC_CODE_NULL)
			inside += y >= data->interval[a][x].first && y <= data->interval[a][x].last;
	}
	return inside;
}

/* model_link compares an original with all protected records. */
static SdcRankLink
model_link(const Data *data, int known, SdcRankMode mode, uint32 original)
{
	const SdcMetricSpace *space = data->space[known - 1];
	uint32		records = data->pairs.records;
	SdcRankLink found = {.link.linked = SDC_RECORD_NONE};
	double		point[MAX_KNOWN];
	double		other[MAX_KNOWN];
	double		best = INFINITY;
	int			most = mode == SDC_RANK_UNION ? 1 : known;
	double	   *measure = sdc_alloc(records * sizeof(double));
	int		   *inside = sdc_alloc(records * sizeof(int));

	sdc_metricspace_original(space, original, point);
	for (uint32 i = 0; i < records; i++)
	{
		inside[i] = windows_of(data, known, original, i);
		most = inside[i] > most ? inside[i] : most;
	}
	for (uint32 i = 0; i < records; i++)
	{
		measure[i] = INFINITY;
		if (inside[i] != most)
			continue;
		sdc_metricspace_protected(space, i, other);
		measure[i] = sdc_metricspace_measure(space, point, other);
	}
	for (uint32 i = 0; i < records; i++)
		if (inside[i] == most && measure[i] < best)
			best = measure[i];
	for (uint32 i = 0; i < records; i++)
	{
		if (inside[i] != most)
			continue;
		found.inside = most;
		found.link.candidates++;
		if (!(measure[i] <= best * TIE))
			continue;
		if (found.link.ties++ == 0)
			found.link.linked = i;
		found.link.correct = found.link.correct || i == original;
	}
	if (found.link.ties > 0 && best < INFINITY)
		found.link.distance = sdc_metricspace_distance(space, best);
	sdc_free(measure);
	sdc_free(inside);
	return found;
}

/* same_link compares bit by bit. */
static bool
same_link(const SdcLink *a, const SdcLink *b)
{
	return memcmp(&a->distance, &b->distance, sizeof(double)) == 0 && a->linked == b->linked &&
		a->ties == b->ties && a->candidates == b->candidates && a->correct == b->correct;
}

/* check_link explains a difference. */
static void
check_link(const char *what, const Shape *shape, int known, uint32 record, const SdcLink *got,
		   const SdcLink *want)
{
	CHECKF(same_link(got, want), "%s, %u x %d codes %u: %d known, record %u: "
		   "distance %g %g linked %u %u ties %u %u candidates %u %u correct %d %d", what,
		   shape->records, shape->attributes, shape->codes, known, record, got->distance,
		   want->distance, got->linked, want->linked, got->ties, want->ties, got->candidates,
		   want->candidates, got->correct, want->correct);
}

/* What sdc_rankprefix_take and sdc_rankprefix_finish report. */
typedef struct Reports
{
	uint32	   *ties;			/* by index and number of attributes */
	int		   *times;
	int			attributes;
} Reports;

/* report takes one result. */
static void
report(void *arg, int known, uint32 index, uint32 ties)
{
	Reports    *reports = arg;

	reports->ties[index * reports->attributes + known - 1] = ties;
	reports->times[index * reports->attributes + known - 1]++;
}

/* compare_run compares one number of known attributes. */
static void
compare_run(const Data *data, const Shape *shape, int known, const uint32 *record, uint32 count)
{
	const SdcInterval *interval[MAX_KNOWN];
	SdcRankTask task = make_task(data, known, interval);
	SdcRankLink *link = sdc_alloc(count * sizeof(SdcRankLink));
	SdcRankLink *want = sdc_alloc(count * sizeof(SdcRankLink));

	for (int mode = SDC_RANK_INTERSECTION; mode <= SDC_RANK_UNION; mode++)
	{
		const char *what = mode == SDC_RANK_UNION ? "union" : "intersection";

		for (uint32 i = 0; i < count; i++)
			want[i] = model_link(data, known, mode, record != NULL ? record[i] : i);
		/* none, one, a few, and as many as there can be */
		for (int groups = 0; groups <= (mode == SDC_RANK_UNION ? 64 : 0); groups = 4 * groups + (groups == 0))
		{
			task.groups = groups;
			sdc_ranklink_run(&task, mode, record, count, link);
			for (uint32 i = 0; i < count; i++)
			{
				uint32		original = record != NULL ? record[i] : i;

				check_link(what, shape, known, original, &link[i].link, &want[i].link);
				CHECKF(link[i].inside == want[i].inside, "%s, %d groups, record %u: %u, not %u", what, groups, original,
					   link[i].inside, want[i].inside);
			}
		}
	}
	sdc_free(want);
	sdc_free(link);
}

/* take_nearest tells the links by distance of all numbers of attributes; backwards is another order. */
static void
take_nearest(const Data *data, SdcRankPrefix *prefix, int attributes, const uint32 *record, uint32 count,
			 bool backwards)
{
	SdcLink    *link = sdc_alloc(count * sizeof(SdcLink));

	for (int k = 0; k < attributes; k++)
	{
		int			known = backwards ? attributes - k : k + 1;

		for (uint32 i = 0; i < count; i++)
			link[i].linked = SDC_RECORD_NONE;
		sdc_nearest_run(data->space[known - 1], record, count, NULL, link);
		for (uint32 i = 0; i < count; i++)
		{
			uint32		index = backwards ? count - 1 - i : i;

			sdc_rankprefix_take(prefix, known, index, &link[index]);
		}
	}
	sdc_free(link);
}

/* compare_prefixes compares all numbers of known attributes. */
static void
compare_prefixes(const Data *data, const Shape *shape, const uint32 *record, uint32 count)
{
	int			attributes = shape->attributes;
	const SdcInterval *interval[MAX_KNOWN];
	SdcRankTask task = make_task(data, attributes, interval);
	Reports		reports = {.attributes = attributes};
	uint32	   *candidates = sdc_alloc(count * sizeof(uint32));
	uint32		width[MAX_KNOWN];

	for (int k = 0; k < attributes; k++)
		width[k] = shape->width;
	task.width = width;
	reports.ties = sdc_alloc(count * attributes * sizeof(uint32));
	reports.times = sdc_alloc(count * attributes * sizeof(int));
	for (int round = 0; round < 2; round++)
	{
		SdcRankPrefix *prefix = sdc_rankprefix_create(&task, (const SdcMetricSpace *const *) data->space, record,
													  count, report, &reports);

		memset(reports.times, 0, count * attributes * sizeof(int));
		take_nearest(data, prefix, attributes, record, count, round == 1);
		sdc_rankprefix_finish(prefix, NULL, round == 0 ? candidates : NULL);
		sdc_rankprefix_destroy(prefix);
		for (uint32 i = 0; i < count; i++)
			for (int c = 1; c <= attributes; c++)
			{
				uint32		original = record != NULL ? record[i] : i;
				SdcLink		want = model_link(data, c, SDC_RANK_INTERSECTION, original).link;
				uint32		ties = reports.ties[i * attributes + c - 1];
				uint32		inside = windows_of(data, c, original, original) == c ? want.candidates : 0;

				CHECKF(reports.times[i * attributes + c - 1] == 1, "record %u, %d known", original, c);
				CHECKF(ties == (want.correct ? want.ties : 0), "%u x %d codes %u: %d known, record %u: ties %u, not %u",
					   shape->records, attributes, shape->codes, c, original, ties, want.correct ? want.ties : 0);
				CHECKF(c < attributes || candidates[i] == inside, "record %u: %u candidates, not %u", original,
					   candidates[i], inside);
			}
	}
	sdc_free(reports.times);
	sdc_free(reports.ties);
	sdc_free(candidates);
}

/* compare_shape compares everything for data of a shape, and for count of its records. */
static void
compare_shape(const Shape *shape, uint32 count)
{
	Data	   *data = sdc_alloc(sizeof(Data));
	uint32	   *record = sdc_alloc(count * sizeof(uint32));
	bool		all = count == shape->records;

	make_data(data, shape);
	for (uint32 i = 0; i < count; i++)
		record[i] = (uint32) ((uint64) i * shape->records / count);
	compare_run(data, shape, shape->attributes, all ? NULL : record, count);
	compare_run(data, shape, (shape->attributes + 1) / 2, all ? NULL : record, count);
	compare_prefixes(data, shape, all ? NULL : record, count);
	free_data(data);
	sdc_free(record);
	sdc_free(data);
}

/* small_data has every combination of what can be special, again and again. */
static void
small_data(void)
{
	static const uint32 sizes[] = {0, 1, 2, 3, 31, 32, 33, 60, 100};
	static const uint32 codes[] = {1, 2, 5, 30, 1000};

	random_state = 3;
	for (int round = 0; round < ROUNDS(135); round++)
	{
		Shape		shape = {.records = sizes[round % 9], .attributes = 1 + pick(6)};

		shape.codes = codes[pick(5)];
		shape.move = pick(4) == 0 ? UINT32_MAX : pick(1 + shape.codes / 5);
		shape.width = pick(3) == 0 ? pick(3) : pick(1 + shape.records / 3);
		shape.missing = pick(3) == 0 ? 1 + pick(6) : 0;
		shape.endless = pick(4) == 0 ? 1 + pick(5) : 0;
		shape.nominal = pick(3) == 0 ? 1 + (int) pick(3) : 0;
		shape.whole = shape.endless > 1 && pick(2) == 0;
		compare_shape(&shape, shape.records);
	}
}

/* middle_data fills several levels of a tree. */
static void
middle_data(void)
{
	static const Shape shapes[] = {
		{.records = 2500, .attributes = 6, .codes = 100000, .move = 5000, .width = 125},
		{.records = 2500, .attributes = 6, .codes = 100000, .move = 8000, .width = 125},
		{.records = 2500, .attributes = 5, .codes = 100000, .move = UINT32_MAX, .width = 60},
		{.records = 2500, .attributes = 4, .codes = 20, .move = 3, .width = 200},
		{.records = 2500, .attributes = 4, .codes = 2000, .move = 200, .width = 500,
		.missing = 10},
		{.records = 2500, .attributes = 4, .codes = 300, .move = 50, .width = 700, .nominal = 1},
		{.records = 2500, .attributes = 4, .codes = 300, .move = 50, .width = 700, .nominal = 2,
		.endless = 3},
		{.records = 2500, .attributes = 3, .codes = 3000, .move = 50, .width = 700, .endless = 1},
	};

	random_state = 4;
	for (int s = 0; s < (int) (sizeof(shapes) / sizeof(shapes[0])); s++)
		compare_shape(&shapes[s], 12);
}

/* large_data has originals with many candidates. */
static void
large_data(void)
{
	static const Shape shapes[] = {
		{.records = 12000, .attributes = 4, .codes = 300000, .move = 30000, .width = 1500},
		{.records = 12000, .attributes = 3, .codes = 20, .move = 2, .width = 3000},
		{.records = 12000, .attributes = 3, .codes = 16000, .move = 3000, .width = 4000,
		.nominal = 1, .missing = 7},
	};

	random_state = 5;
	for (int s = 0; s < 3; s++)
		compare_shape(&shapes[s], 3);
}

/* many_attributes goes up to the limit, over more than one word of windows. */
static void
many_attributes(void)
{
	static const int numbers[] = {32, 33, 64};

	random_state = 6;
	for (int s = 0; s < 3; s++)
	{
		Shape		shape = {.records = 600, .attributes = numbers[s], .codes = 3000,
		.move = 200, .width = 60, .missing = 40};

		compare_shape(&shape, 3);
	}
}

/*
 * group_data has originals of all levels: from windows that own records are in as good as always
 * to those that they are in by chance.
 */
static void
group_data(void)
{
	static const Shape shapes[] = {
		{.records = 2500, .attributes = 10, .codes = 100000, .move = 6000, .width = 125},
		{.records = 2500, .attributes = 10, .codes = 100000, .move = UINT32_MAX, .width = 30},
		{.records = 2500, .attributes = 10, .codes = 100000, .move = UINT32_MAX, .width = 250},
		{.records = 2500, .attributes = 9, .codes = 100000, .move = 9000, .width = 125,
		.missing = 9},
		{.records = 2500, .attributes = 8, .codes = 700, .move = 60, .width = 100, .nominal = 3,
		.endless = 5},
		{.records = 1500, .attributes = 8, .codes = 6, .move = 1, .width = 20},
		{.records = 1500, .attributes = 5, .codes = 100, .move = 90, .width = 1300, .close = true},
		{.records = 1500, .attributes = 4, .codes = 100, .move = 90, .width = 300, .close = true},
	};

	random_state = 10;
	for (int s = 0; s < (int) (sizeof(shapes) / sizeof(shapes[0])); s++)
	{
		Data	   *data = sdc_alloc(sizeof(Data));
		uint32		record[20];

		make_data(data, &shapes[s]);
		for (uint32 i = 0; i < 20; i++)
			record[i] = i * (shapes[s].records / 20);
		compare_run(data, &shapes[s], shapes[s].attributes, record, 20);
		compare_run(data, &shapes[s], (shapes[s].attributes + 1) / 2, record, 20);
		free_data(data);
		sdc_free(data);
	}
}

/* near_origins: the nearest comes after others that it unties, or some of them. */
static void
near_origins(void)
{
	Shape		shape = {.records = 150, .attributes = 2, .codes = 100, .move = 99, .width = 150,
	.close = true};

	random_state = 11;
	for (int round = 0; round < 3; round++)
		compare_shape(&shape, 150);
}

/* plans_are_irrelevant: whatever groups are planned, all originals have the same links as with others. */
static void
plans_are_irrelevant(void)
{
	static const Shape shapes[] = {
		{.records = 1200, .attributes = 10, .codes = 40000, .move = 2400, .width = 50},
		{.records = 1200, .attributes = 10, .codes = 40000, .move = UINT32_MAX, .width = 12},
		{.records = 1200, .attributes = 9, .codes = 40, .move = 4, .width = 60, .missing = 9},
	};
	static const int groups[] = {0, 1, 3, 64};
	SdcRankLink *link[4];

	random_state = 12;
	for (int s = 0; s < (int) (sizeof(shapes) / sizeof(shapes[0])); s++)
	{
		const Shape *shape = &shapes[s];
		Data	   *data = sdc_alloc(sizeof(Data));
		const SdcInterval *interval[MAX_KNOWN];
		SdcRankTask task;

		make_data(data, shape);
		task = make_task(data, shape->attributes, interval);
		for (int g = 0; g < 4; g++)
		{
			link[g] = sdc_alloc(shape->records * sizeof(SdcRankLink));
			task.groups = groups[g];
			sdc_ranklink_run(&task, SDC_RANK_UNION, NULL, shape->records, link[g]);
		}
		for (uint32 i = 0; i < shape->records; i++)
			for (int g = 1; g < 4; g++)
			{
				check_link("groups", shape, shape->attributes, i, &link[g][i].link, &link[0][i].link);
				CHECK(link[g][i].inside == link[0][i].inside);
			}
		for (int g = 0; g < 4; g++)
			sdc_free(link[g]);
		free_data(data);
		sdc_free(data);
	}
}

/* group_units compares the vector unit with what every machine has, in a group. */
static void
group_units(void)
{
	Shape		shape = {.records = 3000, .attributes = 40, .codes = 2000, .move = 300,
	.width = 200, .missing = 30};
	Data	   *data = sdc_alloc(sizeof(Data));
	SdcRankTree *tree;
	SdcRankBins *bins;
	uint64		found = 0;

	random_state = 13;
	make_data(data, &shape);
	tree = sdc_ranktree_create(&data->pairs, data->known, 40, data->space[39], NULL);
	bins = sdc_rankgroup_bins(tree, &data->pairs, data->known);
	for (int round = 0; round < 3; round++)
	{
		static const uint64 members[] = {UINT64_C(0), UINT64_C(0x11), UINT64_C(0x8000000105)};
		SdcRankGroup *group = sdc_rankgroup_create(tree, bins, &data->pairs, data->known,
												 members[round]);

		for (uint32 record = 0; record < 70; record++)
		{
			SdcInterval window[MAX_KNOWN];
			SdcRankRange range[MAX_KNOWN];
			double		point[MAX_KNOWN];
			SdcRankStand stand[2];
			uint64		steps[2];

			sdc_metricspace_original(data->space[39], record, point);
			for (int k = 0; k < 40; k++)
			{
				uint32		code = data->original[data->known[k]][record];
				SdcInterval empty = {1, 0};

				window[k] = code == SDC_CODE_NULL ? empty : data->interval[data->known[k]][code];
				range[k] = sdc_ranksearch_range(bins->of_code[k], &window[k]);
			}
			for (int i = 0; i < 2; i++)
			{
				SdcRankQuery ask = {.window = window, .point = point};
				SdcRankStand start = {.best = INFINITY, .linked = SDC_RECORD_NONE};

				tree->vectors = i == 1;
				sdc_ranksearch_group(tree, group, &members[1], round == 2, 8, range, &ask, &start);
				stand[i] = start;
				steps[i] = ask.steps;
			}
			CHECK(steps[0] == steps[1] && stand[0].inside == stand[1].inside);
			CHECK(stand[0].candidates == stand[1].candidates && stand[0].ties == stand[1].ties);
			CHECK(stand[0].linked == stand[1].linked && stand[0].best == stand[1].best);
			found += stand[0].candidates;
		}
		sdc_rankgroup_destroy(group);
	}
	CHECKF(found > 30, "%llu", (unsigned long long) found);
	sdc_rankgroup_unbin(bins);
	sdc_ranktree_destroy(tree);
	free_data(data);
	sdc_free(data);
}

/* both_units compares the vector unit of the machine with what every machine has. */
static void
both_units(void)
{
	Shape		shape = {.records = 3000, .attributes = 40, .codes = 2000, .move = 300,
	.width = 200, .missing = 30};
	Data	   *data = sdc_alloc(sizeof(Data));
	SdcRankTree *tree;
	SdcInterval window[MAX_KNOWN];
	double		point[MAX_KNOWN];
	uint32		list[2][100];

	random_state = 7;
	make_data(data, &shape);
	tree = sdc_ranktree_create(&data->pairs, data->known, 40, data->space[39], NULL);
	for (uint32 record = 0; record < 300; record++)
	{
		SdcRankQuery query[2];

		sdc_metricspace_original(data->space[39], record, point);
		for (int k = 0; k < 40; k++)
		{
			uint32		code = data->original[data->known[k]][record];
			SdcInterval empty = {1, 0};

			window[k] = code == SDC_CODE_NULL ? empty : data->interval[data->known[k]][code];
		}
		for (int i = 0; i < 2; i++)
		{
			SdcRankQuery ask = {.window = window, .point = point, .capacity = 100,
			.list = list[i], .outside = 39, .best = INFINITY};

			tree->vectors = i == 1;
			sdc_ranksearch_count(tree, &ask);
			sdc_ranksearch_nearest(tree, &ask);
			query[i] = ask;
		}
		CHECK(query[0].outside == query[1].outside && query[0].steps == query[1].steps);
		CHECK(query[0].candidates == query[1].candidates && query[0].listed == query[1].listed);
		CHECK(memcmp(list[0], list[1], query[0].listed * sizeof(uint32)) == 0);
		CHECK(query[0].best == query[1].best && query[0].linked == query[1].linked);
		CHECK(query[0].ties == query[1].ties);
	}
	sdc_ranktree_destroy(tree);
	sdc_ranktree_destroy(NULL);
	free_data(data);
	sdc_free(data);
}

/* lists_are_complete: a list has all candidates, or says that it has not. */
static void
lists_are_complete(void)
{
	Shape		shape = {.records = 3000, .attributes = 1, .codes = 1000000, .move = 9};
	Data	   *data = sdc_alloc(sizeof(Data));
	SdcRankTree *tree;
	uint32		list[200];

	random_state = 9;
	make_data(data, &shape);
	tree = sdc_ranktree_create(&data->pairs, data->known, 1, data->space[0], NULL);
	for (uint32 round = 0; round < ROUNDS(3000); round++)
	{
		SdcInterval window = {pick(1000000), 0};
		SdcRankQuery query = {.window = &window, .capacity = pick(200), .list = list};
		uint32		records = 0;
		uint32		complete = 0;

		window.last = window.first + pick(70000);
		for (uint32 i = 0; i < 3000; i++)
			records += data->protected[0][i] >= window.first && data->protected[0][i] <= window.last;
		sdc_ranksearch_count(tree, &query);
		CHECKF(query.candidates == records, "%u, not %u", query.candidates, records);
		if (query.listed > query.capacity)
			continue;
		for (uint32 i = 0; i < query.listed; i++)
			complete += sdc_ranktree_start(tree, list[i] + 1) - sdc_ranktree_start(tree, list[i]);
		CHECKF(complete == records, "%u of %u listed", complete, records);
	}
	sdc_ranktree_destroy(tree);
	free_data(data);
	sdc_free(data);
}

/* order_is_irrelevant: records in another order have the same links, under other names. */
static void
order_is_irrelevant(void)
{
	Shape		shape = {.records = 700, .attributes = 4, .codes = 90, .move = 9, .width = 40};
	Data	   *data = sdc_alloc(sizeof(Data));
	const SdcInterval *interval[MAX_KNOWN];
	SdcRankTask task;
	SdcRankLink link[2][700];

	random_state = 8;
	make_data(data, &shape);
	task = make_task(data, 4, interval);
	for (int mode = SDC_RANK_INTERSECTION; mode <= SDC_RANK_UNION; mode++)
	{
		for (int i = 0; i < 2; i++)
		{
			sdc_ranklink_run(&task, mode, NULL, 700, link[i]);
			for (int a = 0; a < 4; a++)
				for (uint32 r = 0; r < 350; r++)
				{
					uint32		swap[2] = {data->original[a][r], data->protected[a][r]};

					data->original[a][r] = data->original[a][699 - r];
					data->protected[a][r] = data->protected[a][699 - r];
					data->original[a][699 - r] = swap[0];
					data->protected[a][699 - r] = swap[1];
				}
		}
		for (uint32 r = 0; r < 700; r++)
		{
			const SdcRankLink *other = &link[1][699 - r];

			CHECK(link[0][r].inside == other->inside);
			CHECK(link[0][r].link.distance == other->link.distance);
			CHECK(link[0][r].link.ties == other->link.ties);
			CHECK(link[0][r].link.candidates == other->link.candidates);
			CHECK(link[0][r].link.correct == other->link.correct);
		}
	}
	free_data(data);
	sdc_free(data);
}

/* main runs the tests. */
int
main(void)
{
	RUN(small_data);
	RUN(middle_data);
	RUN(large_data);
	RUN(many_attributes);
	RUN(group_data);
	RUN(near_origins);
	RUN(plans_are_irrelevant);
	RUN(group_units);
	RUN(both_units);
	RUN(lists_are_complete);
	RUN(order_is_irrelevant);
	return tap_done();
}
