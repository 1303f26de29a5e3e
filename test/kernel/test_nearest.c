/*-------------------------------------------------------------------------
 *
 * test_nearest.c
 *		Nearest records, the tree and the order below them, against all pairs.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <math.h>

#include "kernel/base/kdorder.h"
#include "kernel/distance/nearest.h"
#include "kernel/distance/neartree.h"

#include "random.h"
#include "tap.h"

#define MAX_RECORDS 6000
#define MAX_ATTRIBUTES 12
#define MAX_CODES 6000

/* What is tied, written down here: the kernel's own constant would follow a mistake in it. */
#define TIE (1 + 1e-9)

static uint32 original[MAX_ATTRIBUTES][MAX_RECORDS];
static uint32 protected[MAX_ATTRIBUTES][MAX_RECORDS];
static double value[MAX_ATTRIBUTES][MAX_CODES];
static SdcPairColumn column[MAX_ATTRIBUTES];
static SdcPairs pairs = {.column = column};
static int	known[MAX_ATTRIBUTES];
static SdcLink found[MAX_RECORDS];

/* What a table looks like. */
typedef struct Shape
{
	uint32		records;
	int			attributes;
	uint32		codes;			/* per attribute; 0: as many as records */
	uint32		reach;			/* how far a protected code is from the original one */
	uint32		missing;		/* of 100 cells */
	uint32		nominal;		/* the first attributes are nominal */
	double		skew;			/* values are exp(skew code / codes) */
	uint32		equal;			/* every record is there so many times */
} Shape;

/* move_code draws a code near another. */
static uint32
move_code(uint32 code, uint32 codes, uint32 reach)
{
	uint32		low = code > reach ? code - reach : 0;
	uint32		high = codes - 1 - code > reach ? code + reach : codes - 1;

	return low + pick(high - low + 1);
}

/* fill_table draws a table. */
static void
fill_table(const Shape *shape)
{
	uint32		codes = shape->codes > 0 ? shape->codes : shape->records + 1;
	uint32		equal = shape->equal > 0 ? shape->equal : 1;

	pairs.records = shape->records;
	pairs.attributes = shape->attributes;
	for (int a = 0; a < shape->attributes; a++)
	{
		SdcPairColumn data = {original[a], protected[a], codes,
		(uint32) a < shape->nominal ? NULL : value[a]};

		known[a] = a;
		column[a] = data;
		for (uint32 c = 0; c < codes; c++)
			value[a][c] = shape->skew > 0 ? exp(shape->skew * c / codes) : c;
		for (uint32 i = 0; i < shape->records; i++)
		{
			uint32		code = pick(codes);

			original[a][i] = pick(100) < shape->missing ? SDC_CODE_NULL : code;
			protected[a][i] = pick(100) < shape->missing ? SDC_CODE_NULL :
				move_code(code, codes, shape->reach);
			if (i % equal != 0)
			{
				original[a][i] = original[a][i - 1];
				protected[a][i] = protected[a][i - 1];
			}
		}
	}
}

/* naive_link finds the link of a record among all protected points. */
static SdcLink
naive_link(const SdcMetricSpace *space, const double *points, uint32 record)
{
	SdcLink		link = {0, SDC_RECORD_NONE, 0, 0, false};
	double		query[MAX_ATTRIBUTES];
	double		least = INFINITY;

	sdc_metricspace_original(space, record, query);
	for (uint32 j = 0; j < pairs.records; j++)
		least = fmin(least, sdc_metricspace_measure(space, query, points + j * MAX_ATTRIBUTES));
	if (least == INFINITY)
		return link;
	for (uint32 j = 0; j < pairs.records; j++)
	{
		if (sdc_metricspace_measure(space, query, points + j * MAX_ATTRIBUTES) >
			least * TIE)
			continue;
		if (link.ties++ == 0)
			link.linked = j;
		if (j == record)
			link.correct = true;
	}
	link.candidates = link.ties;
	link.distance = sdc_metricspace_distance(space, least);
	return link;
}

/* same_link compares links. */
static bool
same_link(const SdcLink *a, const SdcLink *b)
{
	return a->distance == b->distance && a->linked == b->linked && a->ties == b->ties &&
		a->candidates == b->candidates && a->correct == b->correct;
}

/* compare_links compares the links of the table's first attributes for every step-th record. */
static void
compare_links(int attributes, SdcMetric metric, uint32 step)
{
	SdcMetricSpace *space = sdc_metricspace_create(&pairs, known, attributes, metric);
	double	   *points = sdc_alloc((Size) pairs.records * MAX_ATTRIBUTES * sizeof(double));
	uint32	   *record = sdc_alloc(pairs.records * sizeof(uint32));
	uint32		count = 0;

	for (uint32 i = 0; i < pairs.records; i++)
	{
		sdc_metricspace_protected(space, i, points + i * MAX_ATTRIBUTES);
		if (i % step == 0)
			record[count++] = i;
	}
	for (uint32 i = 0; i < count; i++)
		found[i].linked = i % 3 == 0 ? SDC_RECORD_NONE : pick(pairs.records);
	sdc_nearest_run(space, step == 1 ? NULL : record, count, NULL, found);
	for (uint32 i = 0; i < count; i++)
	{
		SdcLink		expected = naive_link(space, points, record[i]);

		CHECKF(same_link(&found[i], &expected),
			   "n %u, %d attributes, metric %d, record %u: %.17g %u %u %d, not %.17g %u %u %d",
			   pairs.records, attributes, metric, record[i], found[i].distance,
			   found[i].linked, found[i].ties, found[i].correct, expected.distance,
			   expected.linked, expected.ties, expected.correct);
	}
	sdc_free(record);
	sdc_free(points);
	sdc_metricspace_destroy(space);
}

/* compare_shape compares a table in all metrics that it is fit for. */
static void
compare_shape(const Shape *shape, uint32 step)
{
	random_state = shape->records + shape->codes;
	fill_table(shape);
	for (int metric = SDC_METRIC_EUCLIDEAN; metric <= SDC_METRIC_GOWER; metric++)
		if (metric != SDC_METRIC_MAHALANOBIS || shape->nominal == 0)
			compare_links(shape->attributes, (SdcMetric) metric, step);
}

/* continuous_data has no ties. */
static void
continuous_data(void)
{
	for (uint32 n = 0; n <= 300; n = n < 20 ? n + 1 : n * 2 - 3)
		for (int d = 1; d <= 10; d += 3)
		{
			Shape		shape = {.records = n, .attributes = d, .reach = n / 10};

			compare_shape(&shape, 1);
			shape.reach = n;
			compare_shape(&shape, 1);
			shape.skew = 20;
			compare_shape(&shape, 1);
		}
}

/* large_tables have several levels of nodes. */
static void
large_tables(void)
{
	static const Shape shapes[] = {
		{.records = 5003,.attributes = 4,.reach = 100},
		{.records = 5003,.attributes = 7,.reach = 5003,.skew = 8},
		{.records = 5003,.attributes = 3,.codes = 60,.reach = 5},
		{.records = 5003,.attributes = 6,.codes = 40,.reach = 9,.missing = 10,.nominal = 2},
		{.records = 5003,.attributes = 2,.reach = 5003,.nominal = 1},
	};

	for (int s = 0; s < 5; s++)
		compare_shape(&shapes[s], 97);
}

/* tied_data has few codes: points are equal, and different points equally far. */
static void
tied_data(void)
{
	for (uint32 codes = 1; codes <= 20; codes = codes * 2 + 1)
		for (int d = 1; d <= 5; d += 2)
		{
			Shape		shape = {.records = 400, .attributes = d, .codes = codes, .reach = 2};

			compare_shape(&shape, 1);
			shape.nominal = 1 + d / 2;
			compare_shape(&shape, 1);
			shape.reach = codes;
			shape.nominal = d;
			compare_shape(&shape, 1);
		}
}

/* repeated_records are there several times. */
static void
repeated_records(void)
{
	for (uint32 equal = 2; equal <= 200; equal *= 3)
	{
		Shape		shape = {.records = 600, .attributes = 3, .reach = 40, .equal = equal};

		compare_shape(&shape, 1);
	}
}

/* missing_values in all amounts, up to whole records and columns. */
static void
missing_values(void)
{
	static const uint32 missing[] = {1, 10, 30, 60, 90, 100};

	for (int m = 0; m < 6; m++)
		for (int d = 1; d <= 10; d += 3)
		{
			Shape		shape = {.records = 500, .attributes = d, .reach = 50,
			.missing = missing[m]};

			compare_shape(&shape, 5);
			shape.codes = 6;
			shape.reach = 2;
			compare_shape(&shape, 5);
			shape.nominal = 1;
			compare_shape(&shape, 5);
		}
}

/* far_outliers leave single precision little to tell the others apart. */
static void
far_outliers(void)
{
	static const double outliers[] = {1e3, 1e9, 1e18, 1e150, 1e300};

	for (int k = 0; k < 5; k++)
		for (int who = 0; who < 3; who++)
		{
			Shape		shape = {.records = 300, .attributes = 4, .reach = 15,
			.missing = k % 2 * 30};

			random_state = 10 + k;
			fill_table(&shape);
			value[1][300] = outliers[k];
			for (uint32 i = 0; i < 300; i++)
			{
				original[1][i] -= original[1][i] == 300;
				protected[1][i] -= protected[1][i] == 300;
			}
			if (who != 1)
				protected[1][77] = 300;
			if (who != 0)
				original[1][78] = 300;
			for (int metric = SDC_METRIC_EUCLIDEAN; metric <= SDC_METRIC_GOWER; metric++)
				compare_links(4, (SdcMetric) metric, 1);
		}
}

/* near_measures differ by about as much as ties may, in values far from 0. */
static void
near_measures(void)
{
	for (int k = 0; k < 6; k++)
	{
		Shape		shape = {.records = 300, .attributes = 2, .codes = 300, .reach = 300};

		random_state = 20 + k;
		fill_table(&shape);
		for (uint32 c = 0; c < 300; c++)
		{
			value[0][c] = 1000 + (c % 2 == 0 ? 1 : -1) * (1 + c * pow(10, -8 - k));
			value[1][c] = c % 3;
		}
		value[0][0] = 1000;
		for (uint32 i = 0; i < 300; i += 2)
			original[0][i] = 0;
		compare_links(2, SDC_METRIC_EUCLIDEAN, 1);
		compare_links(1, SDC_METRIC_MANHATTAN, 1);
	}
}

/*
 * check_tie looks for the nearest of two records, one at 1 and one a little further on the other
 * side, among others that are far.
 */
static void
check_tie(uint32 records, int attributes, SdcMetric metric, double further, uint32 ties)
{
	Shape		shape = {.records = records, .attributes = attributes, .codes = 4, .reach = 0};

	random_state = 40;
	fill_table(&shape);
	memcpy(value[0], (double[]) {-1 - further, 0, 1, 1000}, 4 * sizeof(double));
	for (uint32 i = 0; i < records; i++)
	{
		for (int a = 1; a < attributes; a++)
			original[a][i] = protected[a][i] = i > 1;
		original[0][i] = i == 0 ? 1 : 3;
		protected[0][i] = i == 0 ? 2 : i == 1 ? 0 : 3;
	}
	compare_links(attributes, metric, 1);
	CHECKF(found[0].ties == ties && found[0].linked == 0 && found[0].correct,
		   "%u records, %d attributes, metric %d, further by %g: %u ties, not %u", records,
		   attributes, metric, further, found[0].ties, ties);
}

/* tie_limits: squares up to a relative 1e-9 apart are tied, and no others; without squares, measures. */
static void
tie_limits(void)
{
	static const uint32 sizes[] = {2, 30, 1000};

	for (int s = 0; s < 3; s++)
		for (int attributes = 1; attributes <= 3; attributes++)
		{
			check_tie(sizes[s], attributes, SDC_METRIC_EUCLIDEAN, 0.4e-9, 2);
			check_tie(sizes[s], attributes, SDC_METRIC_EUCLIDEAN, 0.6e-9, 1);
			check_tie(sizes[s], attributes, SDC_METRIC_MANHATTAN, 0.8e-9, 2);
			check_tie(sizes[s], attributes, SDC_METRIC_MANHATTAN, 1.2e-9, 1);
			check_tie(sizes[s], attributes, SDC_METRIC_GOWER, 0.8e-9, 2);
			check_tie(sizes[s], attributes, SDC_METRIC_GOWER, 1.2e-9, 1);
		}
}

/* no_dimension at all: everything is as near as anything. */
static void
no_dimension(void)
{
	Shape		shape = {.records = 10, .attributes = 2, .codes = 4, .reach = 4};

	random_state = 30;
	fill_table(&shape);
	for (uint32 i = 0; i < 10; i++)
		original[0][i] = original[1][i] = 1;
	compare_links(2, SDC_METRIC_EUCLIDEAN, 1);
	compare_links(0, SDC_METRIC_EUCLIDEAN, 3);
	compare_links(2, SDC_METRIC_MAHALANOBIS, 1);
	CHECK(found[3].ties == 10 && found[3].linked == 0 && found[3].correct);
}

/* many_tied is quick although every record is tied with a thousandth of all pairs. */
static void
many_tied(void)
{
	Shape		shape = {.records = MAX_RECORDS, .attributes = 1, .codes = 10, .reach = 1};
	SdcMetricSpace *space;
	uint32		count[10] = {0};

	random_state = 40;
	fill_table(&shape);
	for (uint32 i = 0; i < MAX_RECORDS; i++)
	{
		found[i].linked = SDC_RECORD_NONE;
		count[protected[0][i]]++;
	}
	space = sdc_metricspace_create(&pairs, known, 1, SDC_METRIC_EUCLIDEAN);
	sdc_nearest_run(space, NULL, MAX_RECORDS, NULL, found);
	for (uint32 i = 0; i < MAX_RECORDS; i++)
	{
		CHECK(found[i].ties == count[original[0][i]]);
		CHECK(found[i].correct == (original[0][i] == protected[0][i]));
	}
	sdc_metricspace_destroy(space);
}

/* What a search visited. */
typedef struct Visits
{
	uint32		count;
	uint32		point[MAX_RECORDS];
	double		limit;			/* after each visit it is made smaller by this factor */
	double		factor;
} Visits;

/* note_visit is called by the tree. */
static int
note_visit(void *arg, uint32 point)
{
	Visits	   *visits = arg;

	visits->point[visits->count++] = point;
	visits->limit *= visits->factor;
	return 5;
}

/* instruction_sets visit the same points in the same order. */
static void
instruction_sets(void)
{
	static Visits fast;
	static Visits portable;
	static const int dimension[] = {0, 1, 2, 3, 4};

	for (int round = 0; round < 8; round++)
	{
		Shape		shape = {.records = 2000, .attributes = 5, .reach = 2000,
		.missing = round / 4 * 20, .nominal = round % 2 * 2};
		SdcMetricSpace *space;
		SdcNeartree *tree;
		double	   *points;

		random_state = 50 + round;
		fill_table(&shape);
		space = sdc_metricspace_create(&pairs, known, 5, round / 2 % 2 == 0 ?
									   SDC_METRIC_EUCLIDEAN : SDC_METRIC_MANHATTAN);
		points = sdc_alloc((Size) 2000 * 5 * sizeof(double));
		for (uint32 i = 0; i < 2000; i++)
			sdc_metricspace_protected(space, i, points + i * 5);
		tree = sdc_neartree_create(space, points, dimension, 5, 100, 1900, round >= 4, NULL);
		for (uint32 i = 0; i < 2000; i += 10)
		{
			double		query[5];
			double		limit = i % 20 == 0 ? 1.5 : INFINITY;
			SdcNeartreeTask task = {.low = 5, .high = 5, .limit = &fast.limit,
			.visit = note_visit, .arg = &fast};
			SdcNeartreeTask other = {.low = 5, .high = 5, .limit = &portable.limit,
			.visit = note_visit, .arg = &portable};

			sdc_metricspace_original(space, i, query);
			fast.count = portable.count = 0;
			fast.factor = portable.factor = i % 20 == 0 ? 0.97 : 1;
			fast.limit = portable.limit = limit;
			CHECK(sdc_neartree_search(tree, query, &task) == 5);
			CHECK(sdc_neartree_search_portable(tree, query, &other) == 5);
			CHECK(fast.count == portable.count);
			CHECK(memcmp(fast.point, portable.point, fast.count * sizeof(uint32)) == 0);
			CHECKF(limit < INFINITY || round >= 4 || fast.count == 1900, "%u", fast.count);
			for (uint32 v = 0; v < fast.count; v++)
				CHECK(fast.point[v] >= 100 && fast.point[v] < 2000);
		}
		sdc_neartree_destroy(tree);
		sdc_free(points);
		sdc_metricspace_destroy(space);
	}
	sdc_neartree_destroy(NULL);
}

/* below tells whether a coordinate is below another; NaN is below all numbers. */
static bool
below(double a, double b)
{
	return isnan(a) ? !isnan(b) : a < b;
}

/* check_splits checks that every range is split in some dimension. */
static void
check_splits(const double *const *coordinate, int dimensions, const uint32 *order,
			 uint32 start, uint32 end, uint32 leaf)
{
	uint32		middle = sdc_kdorder_middle(start, end, leaf);
	bool		split = false;

	if (end - start <= leaf)
		return;
	CHECK(middle > start && middle < end && (middle - start) % leaf == 0);
	for (int d = 0; d < dimensions && !split; d++)
	{
		double		most = coordinate[d][order[start]];
		double		least = coordinate[d][order[middle]];

		for (uint32 i = start; i < middle; i++)
			most = below(most, coordinate[d][order[i]]) ? coordinate[d][order[i]] : most;
		for (uint32 i = middle; i < end; i++)
			least = below(coordinate[d][order[i]], least) ? coordinate[d][order[i]] : least;
		split = !below(least, most);
	}
	CHECKF(split, "[%u, %u)", start, end);
	check_splits(coordinate, dimensions, order, start, middle, leaf);
	check_splits(coordinate, dimensions, order, middle, end, leaf);
}

/* draw_coordinate draws one of several kinds of numbers. */
static double
draw_coordinate(int kind, uint32 i)
{
	switch (kind)
	{
		case 0:
			return pick(1000000) - 500000.0;
		case 1:
			return pick(3);
		case 2:
			return pick(4) == 0 ? NAN : pick(100);
		case 3:
			return i;
		case 4:
			/* each pivot that is guessed is bad: most distances are tiny ones */
			return ldexp(1, (int) (i % 2000) - 1000);
		case 5:
			return pick(10) > 0 ? 5 : -(double) pick(1000);
		case 6:
			return NAN;
		default:
			return pick(2) == 0 ? NAN : 7;
	}
}

/* orders of points of all kinds. */
static void
orders(void)
{
	static const uint32 sizes[] = {0, 1, 5, 16, 17, 100, 1023, 1024, 1025, 3000, 6000};
	double	   *coordinate[3];
	uint32	   *order = sdc_alloc(MAX_RECORDS * sizeof(uint32));
	bool	   *seen = sdc_alloc(MAX_RECORDS * sizeof(bool));

	for (int d = 0; d < 3; d++)
		coordinate[d] = sdc_alloc(MAX_RECORDS * sizeof(double));
	random_state = 60;
	for (int kind = 0; kind < 64; kind++)
		for (int s = 0; s < 11; s++)
		{
			uint32		n = sizes[s];
			uint32		leaf = kind % 3 == 0 ? 16 : kind % 3 == 1 ? 1 : 300;
			int			dimensions = 1 + s % 3;

			for (uint32 i = 0; i < n; i++)
			{
				order[i] = i;
				seen[i] = false;
				coordinate[0][i] = draw_coordinate(kind % 8, i);
				coordinate[1][i] = draw_coordinate(kind / 8, i);
				coordinate[2][i] = draw_coordinate((kind + s) % 8, i);
			}
			sdc_kdorder_build((const double *const *) coordinate, dimensions, order, n, leaf);
			for (uint32 i = 0; i < n; i++)
			{
				CHECK(order[i] < n && !seen[order[i]]);
				seen[order[i]] = true;
			}
			if (n > 0)
				check_splits((const double *const *) coordinate, dimensions, order, 0, n, leaf);
		}
	for (int d = 0; d < 3; d++)
		sdc_free(coordinate[d]);
	sdc_free(seen);
	sdc_free(order);
}

/* main runs the tests. */
int
main(void)
{
	RUN(orders);
	RUN(instruction_sets);
	RUN(continuous_data);
	RUN(large_tables);
	RUN(tied_data);
	RUN(repeated_records);
	RUN(missing_values);
	RUN(far_outliers);
	RUN(near_measures);
	RUN(tie_limits);
	RUN(no_dimension);
	RUN(many_tied);
	return tap_done();
}
