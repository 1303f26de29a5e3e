/*-------------------------------------------------------------------------
 *
 * test_pointtree.c
 *		Questions to a tree of points and boxes, against looking at all of them.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <math.h>

#include "kernel/releases/pointtree.h"

#include "random.h"
#include "tap.h"

#define POINTS 3000
#define COLUMNS 6
#define CODES 200
#define CLASSES 150

static uint32 points;
static int	columns;
static double mean[POINTS * COLUMNS];
static SdcInterval box[POINTS * COLUMNS];
static uint32 class[POINTS];

/* What is asked. */
static double asked[COLUMNS];
static uint32 code[COLUMNS];

/* mean_of draws a mean: few or many different ones, or none. */
static double
draw_mean(uint32 kind)
{
	if (kind == 2 && pick(6) == 0)
		return SDC_HISTORY_MISSING;
	return kind == 1 ? 5.0 + 10 * pick(3) : 100.0 * pick(1000000) / 1000000;
}

/* draw_points draws points that are far from each other, or the same, with narrow or wide boxes. */
static void
draw_points(uint32 seed)
{
	uint32		kind = seed % 3;

	random_state = seed;
	points = seed % 7 == 6 ? pick(40) : 1 + pick(POINTS);
	columns = 1 + (int) pick(COLUMNS);
	for (uint32 i = 0; i < points; i++)
	{
		class[i] = pick(CLASSES);
		for (int j = 0; j < columns; j++)
		{
			uint32		at = i * (uint32) columns + (uint32) j;
			uint32		from = pick(CODES);

			mean[at] = draw_mean(kind);
			box[at] = (SdcInterval) {from, from + pick(seed % 2 == 0 ? 20 : CODES)};
			if (pick(30) == 0)
				box[at] = (SdcInterval) {1, 0};
			if (kind == 1)
				box[at] = (SdcInterval) {30, 60};
		}
	}
}

/* is_inside tells whether the box of a point has all values inside. */
static bool
is_inside(uint32 i)
{
	for (int j = 0; j < columns; j++)
	{
		const SdcInterval *at = &box[i * (uint32) columns + (uint32) j];

		if (code[j] == SDC_CODE_NULL || code[j] < at->first || code[j] > at->last)
			return false;
	}
	return true;
}

/* distance_of is the squared distance of a point. */
static double
distance_of(uint32 i)
{
	double		sum = 0;
	int			common = 0;

	for (int j = 0; j < columns; j++)
	{
		double		value = mean[i * (uint32) columns + (uint32) j];

		if (value < 0 || asked[j] < 0)
			continue;
		sum += (value - asked[j]) * (value - asked[j]);
		common++;
	}
	return common == 0 ? (double) INFINITY : sum * columns / common;
}

/* expect looks at all points; boxed: those that have all values inside. */
static SdcPointFound
expect(uint32 own, bool boxed)
{
	SdcPointFound found = {0, own != SDC_RECORD_NONE && is_inside(own), 0};
	double		best = (double) INFINITY;
	int			ties = 0;

	for (uint32 i = 0; i < points; i++)
	{
		found.candidates += is_inside(i);
		if (!boxed || is_inside(i))
			best = fmin(best, distance_of(i));
	}
	for (uint32 i = 0; i < points; i++)
		ties += (!boxed || is_inside(i)) && distance_of(i) <= best * (1 + 1e-9) + 1e-9;
	if (own != SDC_RECORD_NONE && (!boxed || found.inside) && !isinf(distance_of(own)) &&
		distance_of(own) <= best * (1 + 1e-9) + 1e-9)
		found.share = 1.0 / ties;
	return found;
}

/* draw_question draws who asks: near his own record or far away, or without one. */
static uint32
draw_question(void)
{
	uint32		own = points == 0 || pick(8) == 0 ? SDC_RECORD_NONE : pick(points);
	double		error = pick(4) == 0 ? 0 : 0.01 * pick(2000);

	for (int j = 0; j < columns; j++)
	{
		double		value = own == SDC_RECORD_NONE ? 50 : mean[own * (uint32) columns + (uint32) j];

		asked[j] = fmin(100, fabs(value + error * ((double) pick(201) - 100) / 100));
		code[j] = pick(CODES + 20);
		if (own != SDC_RECORD_NONE && pick(10) != 0)
			code[j] = box[own * (uint32) columns + (uint32) j].first + pick(5);
		if (pick(40) == 0)
		{
			asked[j] = SDC_HISTORY_MISSING;
			code[j] = SDC_CODE_NULL;
		}
	}
	return own;
}

/* check_classes compares the classes of the candidates. */
static void
check_classes(const SdcPointTree *tree, const SdcPointQuery *query)
{
	uint64		got[CLASSES / 64 + 1] = {0};
	uint64		expected[CLASSES / 64 + 1] = {0};

	sdc_pointtree_classes(tree, query, got);
	for (uint32 i = 0; i < points; i++)
		if (is_inside(i))
			expected[class[i] / 64] |= UINT64_C(1) << class[i] % 64;
	CHECK(memcmp(got, expected, sizeof(got)) == 0);
}

/* The nearest, the candidates, the nearest of them and their classes are those of all points. */
static void
questions_agree(void)
{
	for (uint32 seed = 1; seed <= 90; seed++)
	{
		SdcPointTree *tree;

		draw_points(seed);
		tree = sdc_pointtree_create(points, columns, mean, box, class, CLASSES);
		for (int question = 0; question < 60; question++)
		{
			uint32		own = draw_question();
			SdcPointQuery query = {asked, code, own == SDC_RECORD_NONE ? own : tree->place[own], false};
			SdcPointFound nearest;
			SdcPointFound boxed;
			SdcPointFound expected = expect(own, false);

			/* on every processor and on this one */
			tree->plain = question % 2 == 0;
			sdc_pointtree_nearest(tree, &query, &nearest);
			CHECK(nearest.share == expected.share);
			expected = expect(own, true);
			sdc_pointtree_boxes(tree, &query, &boxed);
			CHECK(boxed.candidates == expected.candidates && boxed.inside == expected.inside);
			CHECK(boxed.share == expected.share);
			query.alone = nearest.share == 1;
			sdc_pointtree_boxes(tree, &query, &boxed);
			CHECK(boxed.candidates == expected.candidates && boxed.share == expected.share);
			check_classes(tree, &query);
		}
		sdc_pointtree_destroy(tree);
	}
}

int
main(void)
{
	RUN(questions_agree);
	return tap_done();
}
