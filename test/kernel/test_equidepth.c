/*-------------------------------------------------------------------------
 *
 * test_equidepth.c
 *		Equi-depth partitioning against its definition, carried out word by word.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <float.h>
#include <math.h>

#include "kernel/bins/equidepth.h"
#include "kernel/bins/farpair.h"
#include "kernel/bins/shrinktree.h"

#include "random.h"
#include "tap.h"

#define MAX_ATTRIBUTES 12
#define UNTOUCHED UINT32_MAX

/* How values are made. */
enum
{
	NORMAL,						/* no ties */
	GRID,						/* integers 0 .. 3: ties of all kinds */
	BINARY,						/* 0 and 1 */
	EQUAL,						/* all records are the same */
	OUTLIER,					/* a grid, and one record far away */
	CONSTANT,					/* some attributes are constant, the others a grid */
	COLLINEAR,					/* all attributes are the same integers */
	CLUSTERS,					/* a few places with something around them */
	PLACES,						/* a few places, in records again and again */
	SKEWED,						/* magnitudes differ widely */
	CIRCLE,						/* nearly the same eccentricity everywhere */
	OFFSET,						/* small differences of large numbers */
	SHAPES
};

/* A case: values by record number, and a task for all or some of them. */
typedef struct Case
{
	uint32		total;
	uint32		n;
	int			attributes;
	uint32		k;
	double	   *value[MAX_ATTRIBUTES];
	const double *column[MAX_ATTRIBUTES];
	uint32	   *record;
	SdcEquidepthTask task;
} Case;

/* unit draws between 0 and 1. */
static double
unit(void)
{
	return ((double) (random64() >> 11) + 0.5) * 0x1p-53;
}

/* normal draws from the normal distribution. */
static double
normal(void)
{
	return sqrt(-2 * log(unit())) * cos(6.283185307179586 * unit());
}

/* draw makes a value of an attribute of a record; common is the same for all of a record. */
static double
draw(int shape, uint32 record, int d, uint64 common)
{
	switch (shape)
	{
		case GRID:
			return pick(4);
		case BINARY:
			return pick(2);
		case EQUAL:
			return 7.25;
		case OUTLIER:
			return record == 5 ? 1e6 + d : pick(5);
		case CONSTANT:
			return d % 2 == 0 ? 0.1 : pick(6);
		case COLLINEAR:
			return (double) (common % 50) * (d + 1);
		case CLUSTERS:
			return (double) ((common >> (2 * d)) % 4) * 10 + normal();
		case PLACES:
			return (double) ((common % 7) * (uint64) (d + 3) % 5);
		case SKEWED:
			return exp(6 * normal()) - 1;
		case CIRCLE:
			return d == 0 ? cos((double) (common % 360) / 57.29577951308232) :
				sin((double) (common % 360) / 57.29577951308232 * d);
		case OFFSET:
			return 1e9 + pick(3) * 0x1p-20;
		default:
			return normal();
	}
}

/* make_case draws the values; with skipped, some records do not belong to the task. */
static void
make_case(Case *test, int shape, uint32 n, int attributes, uint32 k, bool skipped)
{
	test->n = n;
	test->attributes = attributes;
	test->k = k;
	test->record = malloc((n + 1) * sizeof(uint32));
	test->total = 0;
	for (uint32 i = 0; i < n; i++)
	{
		test->total += skipped ? pick(3) : 0;
		test->record[i] = test->total++;
	}
	test->total += skipped;
	for (int d = 0; d < attributes; d++)
	{
		test->column[d] = test->value[d] = malloc((test->total + 1) * sizeof(double));
		for (uint32 r = 0; r < test->total; r++)
			test->value[d][r] = NAN;
	}
	for (uint32 i = 0; i < n; i++)
	{
		uint64		common = random64() >> 8;

		for (int d = 0; d < attributes; d++)
			test->value[d][test->record[i]] = draw(shape, i, d, common);
	}
	test->task = (SdcEquidepthTask) {test->column, attributes,
		skipped ? test->record : NULL, n, k};
}

/* free_case frees what make_case allocates. */
static void
free_case(Case *test)
{
	for (int d = 0; d < test->attributes; d++)
		free(test->value[d]);
	free(test->record);
}

/* add adds with compensation. */
static void
add(double *sum, double *carry, double value)
{
	double		total = *sum + value;

	*carry += fabs(*sum) >= fabs(value) ? (*sum - total) + value : (value - total) + *sum;
	*sum = total;
}

/* naive_scores computes the z of one attribute. */
static double *
naive_scores(const Case *test, int d)
{
	const double *x = test->value[d];
	const uint32 *record = test->record;
	double	   *z = malloc(test->n * sizeof(double));
	double		sum[3] = {0, 0, 0};
	double		carry[3] = {0, 0, 0};
	bool		constant = true;
	double		mean;
	double		deviation;

	for (uint32 i = 0; i < test->n; i++)
	{
		add(&sum[0], &carry[0], x[record[i]]);
		constant &= x[record[i]] == x[record[0]];
	}
	mean = (sum[0] + carry[0]) / test->n;
	for (uint32 i = 0; i < test->n; i++)
	{
		double		off = x[record[i]] - mean;

		add(&sum[1], &carry[1], off);
		add(&sum[2], &carry[2], off * off);
	}
	deviation = sqrt((sum[2] + carry[2] - (sum[1] + carry[1]) * (sum[1] + carry[1]) / test->n) /
					 test->n);
	for (uint32 i = 0; i < test->n; i++)
		z[i] = constant ? 0 : (x[record[i]] - mean) / deviation;
	return z;
}

/* What the naive versions work on: z by place in the task. */
static double *score[MAX_ATTRIBUTES];
static int	scores;

/* naive_distance is d2. */
static double
naive_distance(uint32 a, uint32 b)
{
	double		sum = 0;

	for (int d = 0; d < scores; d++)
		sum += (score[d][a] - score[d][b]) * (score[d][a] - score[d][b]);
	return sum;
}

/* naive_pair finds the most distant pair of those that are without a bin. */
static void
naive_pair(const uint32 *bin, uint32 n, uint32 *first, uint32 *second)
{
	double		most = -1;

	for (uint32 r = 0; r < n; r++)
		for (uint32 s = r + 1; s < n && bin[r] == UNTOUCHED; s++)
		{
			double		distance = bin[s] == UNTOUCHED ? naive_distance(r, s) : -1;

			if (distance > most)
			{
				most = distance;
				*first = r;
				*second = s;
			}
		}
}

/* naive_bin gives a number to a record and to its count nearest ones. */
static void
naive_bin(uint32 *bin, uint32 n, uint32 record, uint32 number, uint32 count)
{
	double	   *distance = malloc(n * sizeof(double));

	bin[record] = number;
	for (uint32 i = 0; i < n; i++)
		distance[i] = naive_distance(record, i);
	for (; count > 0; count--)
	{
		uint32		nearest = UNTOUCHED;

		for (uint32 i = 0; i < n; i++)
			if (bin[i] == UNTOUCHED &&
				(nearest == UNTOUCHED || distance[i] < distance[nearest]))
				nearest = i;
		bin[nearest] = number;
	}
	free(distance);
}

/* naive_leftovers spreads the last few over the bins. */
static void
naive_leftovers(uint32 *bin, uint32 n, uint32 bins)
{
	uint32	   *before = malloc(n * sizeof(uint32));

	memcpy(before, bin, n * sizeof(uint32));
	for (uint32 i = 0; i < n; i++)
	{
		double		least = INFINITY;

		for (uint32 b = 0; b < bins && before[i] == UNTOUCHED; b++)
		{
			double		sum = 0;

			for (int d = 0; d < scores; d++)
			{
				double		mean = 0;
				uint32		count = 0;

				for (uint32 j = 0; j < n; j++)
					if (before[j] == b)
					{
						mean += score[d][j];
						count++;
					}
				mean /= count;
				sum += (score[d][i] - mean) * (score[d][i] - mean);
			}
			if (sum < least)
			{
				least = sum;
				bin[i] = b;
			}
		}
	}
	free(before);
}

/* naive_points partitions by several attributes; the result is by place in the task. */
static uint32
naive_points(const Case *test, uint32 *bin)
{
	uint32		n = test->n;
	uint32		k = test->k;
	uint32		bins = 0;
	uint32		left = n;

	scores = test->attributes;
	for (int d = 0; d < scores; d++)
		score[d] = naive_scores(test, d);
	for (uint32 i = 0; i < n; i++)
		bin[i] = UNTOUCHED;
	for (; left >= 2 * k; left -= 2 * k)
	{
		uint32		r = 0;
		uint32		s = 0;

		naive_pair(bin, n, &r, &s);
		bin[s] = bins + 1;		/* not for r */
		naive_bin(bin, n, r, bins++, k - 1);
		naive_bin(bin, n, s, bins++, k - 1);
	}
	if (left >= k || bins == 0)
	{
		for (uint32 i = 0; i < n; i++)
			bin[i] = bin[i] == UNTOUCHED ? bins : bin[i];
		bins += left > 0;
	}
	else
		naive_leftovers(bin, n, bins);
	for (int d = 0; d < scores; d++)
		free(score[d]);
	return bins;
}

/* naive_values partitions by one attribute: the rank of each record gives its run. */
static uint32
naive_values(const Case *test, uint32 *bin)
{
	const double *x = test->value[0];
	uint32		bins = test->n < test->k ? 1 : test->n / test->k;

	for (uint32 i = 0; i < test->n; i++)
	{
		uint32		rank = 0;

		for (uint32 j = 0; j < test->n; j++)
		{
			double		a = x[test->record[i]];
			double		b = x[test->record[j]];

			rank += b < a || (b == a && j < i);
		}
		bin[i] = rank / test->k < bins ? rank / test->k : bins - 1;
	}
	return test->n == 0 ? 0 : bins;
}

/* check_invariants looks at the number and the sizes of bins, and at what must stay untouched. */
static void
check_invariants(const Case *test, const uint32 *bin, uint32 first, uint32 bins)
{
	uint32		least = test->n < test->k ? test->n : test->k;
	uint32	   *size = calloc((Size) bins + 1, sizeof(uint32));
	uint32		members = 0;

	CHECKF(bins == (test->n == 0 ? 0 : test->n < test->k ? 1 : test->n / test->k),
		   "%u bins of %u records, k %u", bins, test->n, test->k);
	for (uint32 r = 0; r < test->total; r++)
	{
		if (bin[r] == UNTOUCHED)
			continue;
		CHECK(bin[r] >= first && bin[r] - first < bins);
		if (bin[r] >= first && bin[r] - first < bins)
			size[bin[r] - first]++;
		members++;
	}
	CHECK(members == test->n);
	for (uint32 i = 0; i < test->n; i++)
		CHECK(bin[test->record[i]] != UNTOUCHED);
	for (uint32 b = 0; b < bins; b++)
		CHECKF(size[b] >= least && size[b] <= 2 * test->k - 1, "bin of %u, k %u", size[b],
			   test->k);
	free(size);
}

/* run_case compares one case with the definition, or looks at the invariants only. */
static void
run_case(Case *test, int shape, bool compare)
{
	uint32		first = pick(3) * 1000;
	uint32	   *bin = malloc((test->total + 1) * sizeof(uint32));
	uint32	   *expected = malloc((test->n + 1) * sizeof(uint32));
	uint32		bins;

	for (uint32 r = 0; r < test->total; r++)
		bin[r] = UNTOUCHED;
	bins = sdc_equidepth(&test->task, first, bin);
	check_invariants(test, bin, first, bins);
	if (compare)
	{
		uint32		wrong = 0;
		uint32		naive = test->attributes == 1 ? naive_values(test, expected) :
			naive_points(test, expected);

		CHECKF(bins == naive, "shape %d", shape);
		for (uint32 i = 0; i < test->n; i++)
			wrong += bin[test->record[i]] != first + expected[i];
		CHECKF(wrong == 0, "%u records wrong: shape %d, n %u, %d attributes, k %u", wrong, shape,
			   test->n, test->attributes, test->k);
	}
	free(bin);
	free(expected);
}

/* try_case makes, runs and frees a case. */
static void
try_case(int shape, uint32 n, int attributes, uint32 k, bool skipped, bool compare)
{
	Case		test;

	make_case(&test, shape, n, attributes, k, skipped);
	run_case(&test, shape, compare);
	free_case(&test);
}

/* Small cases of all shapes, with k from 2 to more records than there are. */
static void
test_small(void)
{
	for (int round = 0; round < ROUNDS(500); round++)
		for (int shape = 0; shape < SHAPES; shape++)
		{
			uint32		n = round < 20 ? (uint32) round : 1 + pick(60);
			uint32		k = round % 2 == 0 ? 2 + pick(4) : 2 + pick(n);

			try_case(shape, n, 1 + (int) pick(6), k, pick(2) == 0, true);
		}
}

/* Every k for a few n. */
static void
test_every_k(void)
{
	for (uint32 n = 1; n <= 24; n++)
		for (uint32 k = 2; k <= n + 1; k++)
			for (int shape = 0; shape < SHAPES; shape++)
				try_case(shape, n, 2, k, false, true);
}

/* Trees of several levels, that are rebuilt. */
static void
test_medium(void)
{
	for (int shape = 0; shape < SHAPES; shape++)
	{
		try_case(shape, 250, 2, 3, false, true);
		try_case(shape, 250 + pick(100), 3, 7, true, true);
		try_case(shape, 200, 7, 5, true, true);
		try_case(shape, 400, 1 + (int) pick(4), 60 + pick(120), false, true);
	}
}

/* A few of about 2,000 records. */
static void
test_large(void)
{
	try_case(NORMAL, 2000, 2, 70, false, true);
	try_case(GRID, 1800, 3, 90, true, true);
	try_case(SKEWED, 2011, 3, 120, false, true);
	try_case(CLUSTERS, 1500, 4, 60, false, true);
}

/* Many records: invariants, and that it ends. */
static void
test_invariants(void)
{
	for (int shape = 0; shape < SHAPES; shape++)
	{
		try_case(shape, 2500, 2, 10, true, false);
		try_case(shape, 500, 12, 4, false, false);
	}
}

/* Numbers near the ends of their range do no harm, and scales do not matter. */
static void
test_extremes(void)
{
	static const double scales[] = {1, 0x1p1000, 0x1p-900, DBL_MAX / 4};

	for (int i = 0; i < 4; i++)
	{
		Case		test;
		uint32		bin[60];
		uint32		again[60];
		uint32		bins;

		make_case(&test, GRID, 60, 3, 4, false);
		bins = sdc_equidepth(&test.task, 0, bin);
		for (uint32 r = 0; r < 60; r++)
			test.value[1][r] *= scales[i] / (i == 3 ? 1.5 : 1);
		CHECK(sdc_equidepth(&test.task, 0, again) == bins);
		check_invariants(&test, again, 0, bins);
		CHECKF(i == 3 || memcmp(bin, again, sizeof(bin)) == 0, "scale %g", scales[i]);
		for (uint32 r = 0; r < 60; r++)
			test.value[2][r] = r % 2 == 0 ? DBL_MAX : -DBL_MAX;
		bins = sdc_equidepth(&test.task, 0, again);
		check_invariants(&test, again, 0, bins);
		free_case(&test);
	}
}

/* A worked example: two far ends, their neighbours, and a leftover between them. */
static void
test_example(void)
{
	static const double x[] = {0, 10, 1, 9, 11, 0, 6};
	static const double y[] = {0, 0, 0, 0, 0, 0, 0};
	static const uint32 expected[] = {0, 1, 0, 1, 1, 0, 1};
	const double *column[] = {x, y};
	SdcEquidepthTask task = {column, 2, NULL, 7, 3};
	uint32		bin[7];

	CHECK(sdc_equidepth(&task, 0, bin) == 2);
	CHECK(memcmp(bin, expected, sizeof(bin)) == 0);
	task.records = 0;
	bin[0] = 99;
	CHECK(sdc_equidepth(&task, 5, bin) == 0);
	CHECK(bin[0] == 99);
	task.records = 1;
	CHECK(sdc_equidepth(&task, 5, bin) == 1);
	CHECK(bin[0] == 5);
}

/* check_node compares what a node says of its points with the points of its leaves. */
static void
check_node(const SdcShrinktree *tree, uint32 node, uint32 n)
{
	const SdcShrinkNode *shape = &tree->node[node];
	const double *box = tree->box + (Size) node * 2 * scores;
	double		low[MAX_ATTRIBUTES];
	double		high[MAX_ATTRIBUTES];
	uint32		count = 0;
	uint32		first = SDC_SHRINKTREE_NONE;

	for (int d = 0; d < scores; d++)
	{
		low[d] = INFINITY;
		high[d] = -INFINITY;
	}
	for (uint32 i = 0; i < n; i++)
	{
		uint32		above;

		if (!sdc_shrinktree_has(tree, i))
			continue;
		CHECK(tree->point[tree->slot[i]] == i);
		above = tree->leaf_node[tree->slot[i] / SDC_SHRINKTREE_LEAF];
		while (above != node && above != SDC_SHRINKTREE_NONE)
			above = tree->node[above].parent;
		if (above != node)
			continue;
		first = count++ == 0 ? i : first;
		for (int d = 0; d < scores; d++)
		{
			low[d] = fmin(low[d], score[d][i]);
			high[d] = fmax(high[d], score[d][i]);
		}
	}
	CHECK(shape->count == count && shape->first == first);
	for (int d = 0; d < scores; d++)
		CHECK(box[d] == low[d] && box[scores + d] == high[d]);
}

/* check_tree compares all searches of a tree with what can be seen at once. */
static void
check_tree(SdcShrinktree *tree, uint32 n)
{
	uint32		left = sdc_shrinktree_left(tree);

	for (uint32 of = 0; of < n; of++)
	{
		SdcShrinkPoint best = {-1, UNTOUCHED};
		SdcShrinkPoint found;

		for (uint32 i = 0; i < n; i++)
			if (i != of && sdc_shrinktree_has(tree, i) && naive_distance(of, i) > best.measure)
			{
				best.measure = naive_distance(of, i);
				best.point = i;
			}
		if (left - sdc_shrinktree_has(tree, of) == 0)
			continue;
		found = sdc_shrinktree_farthest(tree, of);
		CHECKF(found.measure == best.measure && found.point == best.point,
			   "farthest of %u is %u, not %u", of, found.point, best.point);
	}
	for (uint32 node = 0; node < tree->nodes; node++)
	{
		double		most = -1;
		uint32		witness = 0;

		check_node(tree, node, n);
		if (tree->node[node].count == 0)
			continue;
		for (uint32 i = 0; i < n; i++)
			if (sdc_shrinktree_has(tree, i))
				most = fmax(most, sdc_shrinktree_reach(tree, node, i));
		CHECK(sdc_shrinktree_bound(tree, node, INFINITY, &witness) == most);
		CHECK(sdc_shrinktree_has(tree, witness));
		CHECK(sdc_shrinktree_reach(tree, node, witness) == most);
	}
}

/* The tree and the pairs alone, as points leave one by one in any order. */
static void
test_removals(void)
{
	for (int shape = 0; shape < SHAPES; shape++)
	{
		Case		test;
		uint32		n = 90 + pick(60);
		uint32	   *gone = malloc(n * sizeof(uint32));
		SdcShrinktree *tree;
		SdcFarpair *search;

		make_case(&test, shape, n, 1 + (int) pick(4), 2, false);
		scores = test.attributes;
		for (int d = 0; d < scores; d++)
			score[d] = naive_scores(&test, d);
		for (uint32 i = 0; i < n; i++)
			gone[i] = UNTOUCHED;
		tree = sdc_shrinktree_create((const double *const *) score, scores, n);
		search = sdc_farpair_create(tree);
		for (uint32 left = n; left >= 2; left--)
		{
			uint32		expected[2] = {0, 0};
			uint32		found[2];
			uint32		leaves;

			naive_pair(gone, n, &expected[0], &expected[1]);
			sdc_farpair_find(search, &found[0], &found[1]);
			CHECKF(found[0] == expected[0] && found[1] == expected[1],
				   "shape %d: %u %u, not %u %u", shape, found[0], found[1], expected[0],
				   expected[1]);
			if (left % 16 == 0)
				check_tree(tree, n);
			do
				leaves = pick(3) == 0 ? expected[pick(2)] : pick(n);
			while (gone[leaves] != UNTOUCHED);
			gone[leaves] = 0;
			sdc_shrinktree_remove(tree, leaves);
			if (left % 50 == 0)
			{
				sdc_shrinktree_rebuild(tree);
				sdc_farpair_rebuilt(search);
			}
		}
		sdc_farpair_destroy(search);
		sdc_shrinktree_destroy(tree);
		for (int d = 0; d < scores; d++)
			free(score[d]);
		free_case(&test);
		free(gone);
	}
}

/* The memory that is announced grows with records and attributes. */
static void
test_memory(void)
{
	CHECK(sdc_equidepth_memory(0, 1) < 1000000);
	CHECK(sdc_equidepth_memory(1000000, 3) >= UINT64_C(1000000) * (2 * 3 * 8 + 4 * 4));
	CHECK(sdc_equidepth_memory(1000000, 3) < UINT64_C(1000000) * 200);
	CHECK(sdc_equidepth_memory(UINT32_MAX - 64, 100) > sdc_equidepth_memory(UINT32_MAX / 2, 100));
}

int
main(void)
{
	RUN(test_example);
	RUN(test_small);
	RUN(test_every_k);
	RUN(test_medium);
	RUN(test_large);
	RUN(test_invariants);
	RUN(test_extremes);
	RUN(test_removals);
	RUN(test_memory);
	return tap_done();
}
