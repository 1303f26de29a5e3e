/*-------------------------------------------------------------------------
 *
 * test_inference.c
 *		Inference from random anonymization against its definition, combination by combination.
 *
 * The reference knows nothing of sums over groups: for every record of the release and every
 * distinct original it adds up the probability that the one became the other, attribute by
 * attribute.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <math.h>

#include "kernel/groups/inference.h"

#include "random.h"
#include "tap.h"

#define MAX_RECORDS 400
#define MAX_ATTRIBUTES 6

/* One file at a time. */
static uint32 original[MAX_ATTRIBUTES][MAX_RECORDS];
static uint32 protected[MAX_ATTRIBUTES][MAX_RECORDS];
static SdcPairColumn column[MAX_ATTRIBUTES];
static SdcPairs pairs = {.column = column};
static double probability[MAX_ATTRIBUTES];

/* How a file is made. */
typedef struct Shape
{
	uint32		records;
	int			attributes;
	uint32		codes;			/* the last attribute has twice as many */
	uint32		missing;		/* percent */
	bool		skewed;
	enum
	{
		RELEASED,				/* by RA 1 */
		FOREIGN,				/* any other release */
		SAME					/* unchanged */
	}			release;
	int			never;			/* an attribute with probability 0, or -1 */
} Shape;

/* draw_code draws a value. */
static uint32
draw_code(const Shape *shape, uint32 codes)
{
	if (pick(100) < shape->missing)
		return SDC_CODE_NULL;
	return shape->skewed ? pick(1 + pick(1 + pick(codes))) : pick(codes);
}

/* draw_probabilities draws shares that sum to 1. */
static void
draw_probabilities(const Shape *shape)
{
	double		sum = 0;

	for (int j = 0; j < shape->attributes; j++)
	{
		probability[j] = j == shape->never ? 0 : 1 + pick(9);
		sum += probability[j];
	}
	for (int j = 0; j < shape->attributes; j++)
		probability[j] /= sum;
}

/* donate copies the value of a record that has one. */
static uint32
donate(int attribute)
{
	uint32		code;

	do
		code = original[attribute][pick(pairs.records)];
	while (code == SDC_CODE_NULL);
	return code;
}

/* make_file draws originals and a release. */
static void
make_file(const Shape *shape)
{
	pairs.records = shape->records;
	pairs.attributes = shape->attributes;
	draw_probabilities(shape);
	for (int j = 0; j < shape->attributes; j++)
	{
		uint32		codes = shape->codes << (j == shape->attributes - 1);

		column[j] = (SdcPairColumn) {original[j], protected[j], codes, NULL};
		for (uint32 i = 0; i < shape->records; i++)
		{
			original[j][i] = draw_code(shape, codes);
			protected[j][i] = shape->release == FOREIGN && pick(2) ? draw_code(shape, codes) :
				original[j][i];
		}
	}
	for (uint32 i = 0; i < shape->records && shape->release == RELEASED; i++)
	{
		double		u = uniform();
		int			j = 0;

		while (j < shape->attributes - 1 && (u >= probability[j] || probability[j] == 0))
			u -= probability[j++];
		if (probability[j] > 0 && original[j][i] != SDC_CODE_NULL)
			protected[j][i] = donate(j);
	}
}

/* differing counts the attributes in which two records differ; where: one of them. */
static int
differing(uint32 (*a)[MAX_RECORDS], uint32 x, uint32 (*b)[MAX_RECORDS], uint32 y, int *where)
{
	int			differ = 0;

	for (int j = 0; j < pairs.attributes; j++)
	{
		if (a[j][x] == b[j][y])
			continue;
		differ++;
		*where = j;
	}
	return differ;
}

/* marginal is the share of a value among the originals that have one. */
static double
marginal(int attribute, uint32 code)
{
	uint32		same = 0;
	uint32		present = 0;

	for (uint32 i = 0; i < pairs.records; i++)
	{
		same += original[attribute][i] == code;
		present += original[attribute][i] != SDC_CODE_NULL;
	}
	return present > 0 ? (double) same / present : 0;
}

/* chance_of is the probability that an original x becomes the record y of the release. */
static double
chance_of(uint32 x, uint32 y, const double *share)
{
	double		chance = 0;

	for (int j = 0; j < pairs.attributes; j++)
	{
		int			where = j;
		int			differ = differing(original, x, protected, y, &where);

		/* attribute j was drawn: all others are as they were */
		if (differ > 1 || where != j)
			continue;
		if (original[j][x] == SDC_CODE_NULL)
			chance += differ == 0 ? probability[j] : 0;
		else if (protected[j][y] != SDC_CODE_NULL)
			chance += probability[j] * share[j];
	}
	return chance;
}

/* first_of is the first original that equals original x, support how many do. */
static bool
first_of(uint32 x, uint32 *support)
{
	int			where;
	bool		first = true;

	*support = 0;
	for (uint32 i = 0; i < pairs.records; i++)
	{
		if (differing(original, i, original, x, &where) > 0)
			continue;
		first = first && i >= x;
		(*support)++;
	}
	return first;
}

/* bound_of computes the corrected bound from the counts that define it. */
static double
bound_of(uint32 y, const double *share, const uint32 *support)
{
	double		bound = 0;
	double		least = HUGE_VAL;
	uint32		self = 0;

	for (int j = 0; j < pairs.attributes; j++)
	{
		uint32		count = 0;
		uint32		most = 0;

		if (probability[j] == 0 || (share[j] == 0 && protected[j][y] != SDC_CODE_NULL))
			continue;
		for (uint32 i = 0; i < pairs.records; i++)
		{
			int			where = j;
			int			differ = differing(original, i, protected, y, &where);

			if (differ == 0)
				self = support[i];
			if (differ > 1 || where != j)
				continue;
			if (differ == 1 &&
				(original[j][i] == SDC_CODE_NULL || protected[j][y] == SDC_CODE_NULL))
				continue;
			count++;
			most = support[i] > most ? support[i] : most;
		}
		if (count == 0)
			continue;
		least = fmin(least, count);
		bound = fmax(bound, (double) most / count);
	}
	return self > 0 ? fmax(bound, self / least) : bound;
}

/* reference computes everything in the simplest way. */
static void
reference(SdcInference *result)
{
	static uint32 support[MAX_RECORDS];
	static bool first[MAX_RECORDS];
	uint32		possible = 0;

	memset(result, 0, sizeof(*result));
	for (uint32 i = 0; i < pairs.records; i++)
		first[i] = first_of(i, &support[i]);
	for (uint32 y = 0; y < pairs.records; y++)
	{
		double		share[MAX_ATTRIBUTES];
		double		weight[MAX_RECORDS];
		double		sum = 0;
		double		heaviest = 0;
		double		lightest = HUGE_VAL;
		double		bound;
		int			ties = 0;
		int			where;

		for (int j = 0; j < pairs.attributes; j++)
			share[j] = marginal(j, protected[j][y]);
		for (uint32 x = 0; x < pairs.records; x++)
		{
			weight[x] = support[x] * chance_of(x, y, share);
			if (!first[x] || weight[x] == 0)
				continue;
			sum += weight[x];
			heaviest = fmax(heaviest, weight[x]);
			lightest = fmin(lightest, weight[x]);
		}
		result->unchanged += differing(original, y, protected, y, &where) == 0;
		if (sum == 0)
		{
			result->impossible++;
			continue;
		}
		for (uint32 x = 0; x < pairs.records; x++)
			ties += first[x] && weight[x] >= heaviest * (1 - 1e-12);
		if (weight[y] >= heaviest * (1 - 1e-12))
			result->hits += 1.0 / ties;
		bound = bound_of(y, share, support);
		CHECKF(bound >= heaviest / sum - 1e-12, "bound %g of %g", bound, heaviest / sum);
		possible++;
		result->mean += heaviest / sum;
		result->bound_mean += bound;
		result->amplification_mean += heaviest / lightest;
		result->maximum = fmax(result->maximum, heaviest / sum);
		result->bound_maximum = fmax(result->bound_maximum, bound);
		result->amplification_maximum = fmax(result->amplification_maximum, heaviest / lightest);
	}
	if (possible == 0)
		return;
	result->mean /= possible;
	result->bound_mean /= possible;
	result->amplification_mean /= possible;
}

/* near compares with a relative tolerance. */
static bool
near(double a, double b)
{
	return fabs(a - b) <= 1e-11 * fmax(fabs(a), fabs(b));
}

/* compare runs the kernel and the reference on the file. */
static void
compare(const char *name)
{
	SdcInference got;
	SdcInference want;

	sdc_inference_measure(&pairs, probability, &got);
	reference(&want);
	CHECKF(near(got.mean, want.mean), "%s: %.17g %.17g", name, got.mean, want.mean);
	CHECKF(near(got.maximum, want.maximum), "%s: %.17g %.17g", name, got.maximum, want.maximum);
	CHECKF(near(got.bound_mean, want.bound_mean), "%s: %.17g %.17g", name,
		   got.bound_mean, want.bound_mean);
	CHECKF(near(got.bound_maximum, want.bound_maximum), "%s: %.17g %.17g", name,
		   got.bound_maximum, want.bound_maximum);
	CHECKF(near(got.amplification_mean, want.amplification_mean), "%s: %.17g %.17g", name,
		   got.amplification_mean, want.amplification_mean);
	CHECKF(near(got.amplification_maximum, want.amplification_maximum), "%s: %.17g %.17g", name,
		   got.amplification_maximum, want.amplification_maximum);
	CHECKF(near(got.hits, want.hits), "%s: %.17g %.17g", name, got.hits, want.hits);
	CHECKF(got.unchanged == want.unchanged, "%s: %u %u", name,
		   (unsigned) got.unchanged, (unsigned) want.unchanged);
	CHECKF(got.impossible == want.impossible, "%s: %u %u", name,
		   (unsigned) got.impossible, (unsigned) want.impossible);
}

/* Files of many shapes agree with the reference. */
static void
shapes_agree(void)
{
	static const Shape shape[] = {
		{1, 1, 1, 0, false, RELEASED, -1},
		{2, 1, 2, 0, false, RELEASED, -1},
		{60, 1, 8, 20, true, RELEASED, -1},
		{90, 2, 3, 0, true, RELEASED, -1},
		{90, 3, 3, 0, false, RELEASED, -1},
		{120, 3, 4, 15, true, RELEASED, -1},
		{120, 4, 2, 30, false, RELEASED, 1},
		{150, 5, 3, 0, true, RELEASED, 4},
		{80, 6, 2, 10, true, RELEASED, 0},
		{80, 3, 1, 0, false, RELEASED, -1},
		{60, 3, 100, 0, false, RELEASED, -1},
		{60, 3, 3, 95, false, FOREIGN, -1},
		{60, 3, 3, 100, false, SAME, -1},
		{90, 3, 3, 10, true, FOREIGN, -1},
		{90, 4, 6, 10, false, FOREIGN, 2},
		{90, 3, 3, 10, true, SAME, -1},
	};

	for (uint32 s = 0; s < sizeof(shape) / sizeof(shape[0]); s++)
	{
		for (uint32 seed = 0; seed < 6; seed++)
		{
			char		name[40];

			random_state = 100 * s + seed;
			make_file(&shape[s]);
			snprintf(name, sizeof(name), "shape %u, seed %u", s, seed);
			compare(name);
		}
	}
}

/* Without records all is 0; without attributes that can be drawn nothing can have been made. */
static void
ends_are_defined(void)
{
	const Shape shape = {30, 2, 3, 0, false, SAME, -1};
	SdcInference result;

	memset(&result, 0xFF, sizeof(result));
	make_file(&shape);
	pairs.records = 0;
	sdc_inference_measure(&pairs, probability, &result);
	CHECK(result.mean == 0 && result.maximum == 0 && result.hits == 0);
	CHECK(result.bound_mean == 0 && result.amplification_mean == 0 && result.impossible == 0);
	pairs.records = shape.records;
	probability[0] = probability[1] = 0;
	sdc_inference_measure(&pairs, probability, &result);
	CHECK(result.impossible == shape.records && result.mean == 0 && result.hits == 0);
	CHECK(result.unchanged == shape.records);
}

/*
 * Two values, 3 and 1 records: from a release with 2 and 2 records.  Weights for the first value
 * are 3 * 3/4 and 1 * 3/4, for the other 3 * 1/4 and 1 * 1/4: the best guess is always the first
 * value.
 */
static void
small_file_by_hand(void)
{
	static const uint32 before[] = {0, 0, 0, 1};
	static const uint32 after[] = {0, 0, 1, 1};
	SdcInference result;

	pairs.records = 4;
	pairs.attributes = 1;
	probability[0] = 1;
	column[0] = (SdcPairColumn) {before, after, 2, NULL};
	sdc_inference_measure(&pairs, probability, &result);
	CHECK(near(result.mean, 0.75) && near(result.maximum, 0.75));
	CHECK(near(result.bound_mean, 0.75) && near(result.bound_maximum, 0.75));
	CHECK(near(result.amplification_mean, 3) && near(result.amplification_maximum, 3));
	CHECK(near(result.hits, 3) && result.unchanged == 3 && result.impossible == 0);
}

/*
 * A record (0, 0) that became (1, 0), where (1, 1) would have become it with a probability that
 * differs by a relative 2 shift.  The other record stays as it is.
 */
static void
check_tie(double shift, double hits)
{
	static const uint32 before[2][2] = {{0, 1}, {0, 1}};
	static const uint32 after[2][2] = {{1, 1}, {0, 1}};
	SdcInference result;

	pairs.records = 2;
	pairs.attributes = 2;
	for (int j = 0; j < 2; j++)
	{
		column[j] = (SdcPairColumn) {before[j], after[j], 2, NULL};
		memcpy(original[j], before[j], sizeof(before[j]));
		memcpy(protected[j], after[j], sizeof(after[j]));
	}
	probability[0] = 0.5 + shift / 2;
	probability[1] = 0.5 - shift / 2;
	sdc_inference_measure(&pairs, probability, &result);
	CHECKF(near(result.hits, hits), "%g: %g hits, not %g", shift, result.hits, hits);
	compare("ties");
}

/* Candidates are tied up to a relative 1e-12. */
static void
tie_limits(void)
{
	check_tie(0, 1.5);
	check_tie(0.4e-12, 1.5);
	check_tie(-0.4e-12, 1.5);
	check_tie(0.6e-12, 2);
	check_tie(-0.6e-12, 1);
}

/* The order of the records makes no difference, to the last bit. */
static void
order_does_not_matter(void)
{
	const Shape shape = {400, 4, 4, 10, true, RELEASED, -1};

	for (uint32 seed = 0; seed < 10; seed++)
	{
		SdcInference before;
		SdcInference after;

		random_state = 7000 + seed;
		make_file(&shape);
		sdc_inference_measure(&pairs, probability, &before);
		for (uint32 i = shape.records - 1; i > 0; i--)
		{
			uint32		other = pick(i + 1);

			for (int j = 0; j < shape.attributes; j++)
			{
				uint32		x = original[j][i];
				uint32		y = protected[j][i];

				original[j][i] = original[j][other];
				protected[j][i] = protected[j][other];
				original[j][other] = x;
				protected[j][other] = y;
			}
		}
		sdc_inference_measure(&pairs, probability, &after);
		CHECK(memcmp(&before, &after, sizeof(before)) == 0);
	}
}

int
main(void)
{
	RUN(shapes_agree);
	RUN(ends_are_defined);
	RUN(small_file_by_hand);
	RUN(tie_limits);
	RUN(order_does_not_matter);
	return tap_done();
}
