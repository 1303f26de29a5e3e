/*-------------------------------------------------------------------------
 *
 * test_inference.c
 *		Inference from random anonymization against its definition, combination by combination.
 *
 * The reference knows nothing of groups, nor of symmetric polynomials: for every record of the release and every
 * distinct original it adds up the probability that the one became the other, over the sets of attributes that can have
 * been drawn; on tiny files also over all donors, one by one.
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
static uint32 stratum[MAX_RECORDS];
static SdcInferenceTask task = {.pairs = &pairs, .draws = 1, .probability = probability};

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
	int			draws;
	uint32		strata;			/* 0: none */
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

/* set_chance is the probability that just these attributes, a set of bits, are drawn of a record. */
static double
set_chance(uint32 set)
{
	double		choices = 1;

	if (__builtin_popcount(set) != task.draws)
		return 0;
	if (task.draws == 1)
		return probability[__builtin_ctz(set)];
	for (int j = 0; j < task.draws; j++)
		choices = choices * (pairs.attributes - j) / (j + 1);
	return 1 / choices;
}

/* same_stratum tells whether two records can donate to each other. */
static bool
same_stratum(uint32 x, uint32 y)
{
	return task.stratum == NULL || stratum[x] == stratum[y];
}

/* donate copies the value of a record that has one to another one. */
static uint32
donate(int attribute, uint32 record)
{
	uint32		donor;

	do
		donor = pick(pairs.records);
	while (original[attribute][donor] == SDC_CODE_NULL || !same_stratum(donor, record));
	return original[attribute][donor];
}

/* randomize draws attributes of a record, and values for them. */
static void
randomize(uint32 record)
{
	double		u = uniform();
	uint32		set = 0;

	for (uint32 other = 1; other < UINT32_C(1) << pairs.attributes && u >= 0; other++)
	{
		if (set_chance(other) > 0)
			set = other;
		u -= set_chance(other);
	}
	for (int j = 0; j < pairs.attributes; j++)
		if (set >> j & 1 && original[j][record] != SDC_CODE_NULL)
			protected[j][record] = donate(j, record);
}

/* make_file draws originals and a release. */
static void
make_file(const Shape *shape)
{
	pairs.records = shape->records;
	pairs.attributes = shape->attributes;
	task.draws = shape->draws;
	task.strata = shape->strata;
	task.stratum = shape->strata > 0 ? stratum : NULL;
	draw_probabilities(shape);
	for (uint32 i = 0; i < shape->records && shape->strata > 0; i++)
		stratum[i] = pick(shape->strata);
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
		randomize(i);
}

/* differing is the set of attributes in which two records differ. */
static uint32
differing(uint32 (*a)[MAX_RECORDS], uint32 x, uint32 (*b)[MAX_RECORDS], uint32 y)
{
	uint32		set = 0;

	for (int j = 0; j < pairs.attributes; j++)
		set |= (uint32) (a[j][x] != b[j][y]) << j;
	return set;
}

/* marginal is the share of a value among the originals that have one and can donate to a record. */
static double
marginal(int attribute, uint32 code, uint32 record)
{
	uint32		same = 0;
	uint32		present = 0;

	for (uint32 i = 0; i < pairs.records; i++)
	{
		same += same_stratum(i, record) && original[attribute][i] == code;
		present += same_stratum(i, record) && original[attribute][i] != SDC_CODE_NULL;
	}
	return present > 0 ? (double) same / present : 0;
}

/* is_candidate tells whether an original x lacks the same values as record y of the release. */
static bool
is_candidate(uint32 x, uint32 y)
{
	for (int j = 0; j < pairs.attributes; j++)
		if ((original[j][x] == SDC_CODE_NULL) != (protected[j][y] == SDC_CODE_NULL))
			return false;
	return same_stratum(x, y);
}

/* value_chance is f of a set for a record of the release. */
static double
value_chance(uint32 set, uint32 y)
{
	double		chance = set_chance(set);

	for (int j = 0; j < pairs.attributes && chance > 0; j++)
		if (set >> j & 1 && protected[j][y] != SDC_CODE_NULL)
			chance *= marginal(j, protected[j][y], y);
	return chance;
}

/* chance_of is the probability that an original x becomes the record y of the release. */
static double
chance_of(uint32 x, uint32 y)
{
	uint32		differ = differing(original, x, protected, y);
	double		chance = 0;

	for (uint32 set = 1; set < UINT32_C(1) << pairs.attributes && is_candidate(x, y); set++)
		if ((differ & ~set) == 0)
			chance += value_chance(set, y);
	return chance;
}

/* donated_chance is the same of the attributes from j on, if a set has been drawn, donor by donor. */
static double
donated_chance(uint32 x, uint32 y, uint32 set, int j)
{
	uint32		donors = 0;
	double		sum = 0;

	if (j == pairs.attributes)
		return 1;
	if (!(set >> j & 1) || original[j][x] == SDC_CODE_NULL)
		return original[j][x] == protected[j][y] ? donated_chance(x, y, set, j + 1) : 0;
	for (uint32 donor = 0; donor < pairs.records; donor++)
	{
		if (!same_stratum(donor, x) || original[j][donor] == SDC_CODE_NULL)
			continue;
		donors++;
		if (original[j][donor] == protected[j][y])
			sum += donated_chance(x, y, set, j + 1);
	}
	return sum / donors;
}

/* drawn_chance is the same over all draws and donors. */
static double
drawn_chance(uint32 x, uint32 y)
{
	double		chance = 0;

	for (uint32 set = 1; set < UINT32_C(1) << pairs.attributes && same_stratum(x, y); set++)
		if (set_chance(set) > 0)
			chance += set_chance(set) * donated_chance(x, y, set, 0);
	return chance;
}

/* first_of tells whether original x is the first that equals it, support how many do. */
static bool
first_of(uint32 x, uint32 *support)
{
	bool		first = true;

	*support = 0;
	for (uint32 i = 0; i < pairs.records; i++)
	{
		if (differing(original, i, original, x) != 0 || !same_stratum(i, x))
			continue;
		first = first && i >= x;
		(*support)++;
	}
	return first;
}

/* agreeing counts the originals that can differ from a record of the release in a set only; most: M. */
static uint32
agreeing(uint32 set, uint32 y, const uint32 *support, uint32 *most)
{
	uint32		count = 0;

	*most = 0;
	for (uint32 i = 0; i < pairs.records; i++)
	{
		if (!is_candidate(i, y) || (differing(original, i, protected, y) & ~set) != 0)
			continue;
		count++;
		*most = support[i] > *most ? support[i] : *most;
	}
	return count;
}

/* bound_of computes the corrected bound by its definition: the maximum over A of M(A) / min of n(T), T contains A. */
static double
bound_of(uint32 y, const uint32 *support)
{
	double		bound = 0;

	for (uint32 set = 0; set < UINT32_C(1) << pairs.attributes; set++)
	{
		double		least = HUGE_VAL;
		uint32		most;
		uint32		other;

		if (__builtin_popcount(set) > task.draws || agreeing(set, y, support, &most) == 0)
			continue;
		for (uint32 drawn = 1; drawn < UINT32_C(1) << pairs.attributes; drawn++)
			if ((set & ~drawn) == 0 && value_chance(drawn, y) > 0)
				least = fmin(least, agreeing(drawn, y, support, &other));
		bound = fmax(bound, most / least);
	}
	return bound;
}

/* What the intruder thinks of one record of the release. */
typedef struct Guess
{
	double		weight[MAX_RECORDS];	/* of the originals, each with all that equal it */
	double		sum;
	double		heaviest;
	double		lightest;
	double		largest;		/* chance */
	double		smallest;
	int			ties;
} Guess;

/* think weighs all originals. */
static void
think(uint32 y, const uint32 *support, const bool *first, double (*chance) (uint32, uint32), Guess *guess)
{
	*guess = (Guess) {.lightest = HUGE_VAL, .smallest = HUGE_VAL};
	for (uint32 x = 0; x < pairs.records; x++)
	{
		double		here = chance(x, y);

		guess->weight[x] = support[x] * here;
		if (!first[x] || here == 0)
			continue;
		guess->sum += guess->weight[x];
		guess->heaviest = fmax(guess->heaviest, guess->weight[x]);
		guess->lightest = fmin(guess->lightest, guess->weight[x]);
		guess->largest = fmax(guess->largest, here);
		guess->smallest = fmin(guess->smallest, here);
	}
	for (uint32 x = 0; x < pairs.records; x++)
		guess->ties += first[x] && guess->weight[x] >= guess->heaviest * (1 - 1e-12);
}

/* add_guess adds the record of the release that a guess is of. */
static void
add_guess(uint32 y, const Guess *guess, double bound, SdcInference *result)
{
	double		amplification = task.draws > 1 ? 0 : guess->heaviest / guess->lightest;
	double		right = guess->weight[y] / guess->sum;

	if (guess->weight[y] >= guess->heaviest * (1 - 1e-12))
		result->hits += 1.0 / guess->ties;
	CHECKF(bound >= guess->heaviest / guess->sum - 1e-12, "bound %g of %g", bound, guess->heaviest / guess->sum);
	result->mean += guess->heaviest / guess->sum;
	result->bound_mean += bound;
	result->amplification_mean += amplification;
	result->true_mean += right;
	result->anonymity += log(right);
	result->gamma_mean += guess->largest / guess->smallest;
	result->maximum = fmax(result->maximum, guess->heaviest / guess->sum);
	result->bound_maximum = fmax(result->bound_maximum, bound);
	result->amplification_maximum = fmax(result->amplification_maximum, amplification);
	result->gamma_maximum = fmax(result->gamma_maximum, guess->largest / guess->smallest);
}

/* reference computes everything in the simplest way. */
static void
reference(double (*chance) (uint32, uint32), SdcInference *result)
{
	static uint32 support[MAX_RECORDS];
	static bool first[MAX_RECORDS];
	static Guess guess;
	uint32		possible = 0;

	memset(result, 0, sizeof(*result));
	for (uint32 i = 0; i < pairs.records; i++)
		first[i] = first_of(i, &support[i]);
	for (uint32 y = 0; y < pairs.records; y++)
	{
		think(y, support, first, chance, &guess);
		result->unchanged += differing(original, y, protected, y) == 0;
		result->impossible += guess.sum == 0;
		if (guess.sum == 0)
			continue;
		possible++;
		add_guess(y, &guess, bound_of(y, support), result);
	}
	if (possible == 0)
		return;
	result->mean /= possible;
	result->bound_mean /= possible;
	result->amplification_mean /= possible;
	result->true_mean /= possible;
	result->gamma_mean /= possible;
	result->anonymity = exp(-result->anonymity / possible);
}

/* near compares with a relative tolerance. */
static bool
near(double a, double b)
{
	return a == b || fabs(a - b) <= 1e-11 * fmax(fabs(a), fabs(b));
}

/* compare_with runs the kernel and the reference on the file. */
static void
compare_with(const char *name, double (*chance) (uint32, uint32))
{
	SdcInference got;
	SdcInference want;

	sdc_inference_measure(&task, &got);
	reference(chance, &want);
#define SAME_NUMBER(member) \
	CHECKF(near(got.member, want.member), "%s: " #member " %.17g %.17g", name, got.member, want.member)
	SAME_NUMBER(mean);
	SAME_NUMBER(maximum);
	SAME_NUMBER(bound_mean);
	SAME_NUMBER(bound_maximum);
	SAME_NUMBER(hits);
	SAME_NUMBER(true_mean);
	SAME_NUMBER(anonymity);
	SAME_NUMBER(gamma_mean);
	SAME_NUMBER(gamma_maximum);
	if (task.draws == 1 || got.impossible == pairs.records)
	{
		SAME_NUMBER(amplification_mean);
		SAME_NUMBER(amplification_maximum);
	}
	else
		CHECKF(isnan(got.amplification_mean) && isnan(got.amplification_maximum), "%s", name);
	CHECKF(got.unchanged == want.unchanged, "%s: %u %u", name,
		   (unsigned) got.unchanged, (unsigned) want.unchanged);
	CHECKF(got.impossible == want.impossible, "%s: %u %u", name,
		   (unsigned) got.impossible, (unsigned) want.impossible);
}

/* compare does so by the definition. */
static void
compare(const char *name)
{
	compare_with(name, chance_of);
}

/* Files of many shapes agree with the reference. */
static void
shapes_agree(void)
{
	static const Shape shape[] = {
		{1, 1, 1, 0, false, RELEASED, -1, 1, 0},
		{2, 1, 2, 0, false, RELEASED, -1, 1, 0},
		{60, 1, 8, 20, true, RELEASED, -1, 1, 0},
		{90, 2, 3, 0, true, RELEASED, -1, 1, 0},
		{90, 3, 3, 0, false, RELEASED, -1, 1, 0},
		{120, 3, 4, 15, true, RELEASED, -1, 1, 0},
		{120, 4, 2, 30, false, RELEASED, 1, 1, 0},
		{150, 5, 3, 0, true, RELEASED, 4, 1, 0},
		{80, 6, 2, 10, true, RELEASED, 0, 1, 0},
		{80, 3, 1, 0, false, RELEASED, -1, 1, 0},
		{60, 3, 100, 0, false, RELEASED, -1, 1, 0},
		{60, 3, 3, 95, false, FOREIGN, -1, 1, 0},
		{60, 3, 3, 100, false, SAME, -1, 1, 0},
		{90, 3, 3, 10, true, FOREIGN, -1, 1, 0},
		{90, 4, 6, 10, false, FOREIGN, 2, 1, 0},
		{90, 3, 3, 10, true, SAME, -1, 1, 0},
		{60, 2, 3, 10, true, RELEASED, -1, 1, 3},
		{60, 3, 3, 0, true, RELEASED, -1, 2, 0},
		{60, 3, 3, 15, true, RELEASED, -1, 3, 0},
		{60, 4, 2, 10, true, RELEASED, -1, 2, 2},
		{60, 4, 3, 0, true, RELEASED, -1, 3, 4},
		{30, 5, 3, 10, true, RELEASED, -1, 3, 0},
		{30, 5, 2, 0, false, RELEASED, -1, 4, 3},
		{24, 6, 2, 5, true, RELEASED, -1, 3, 0},
		{24, 6, 2, 0, true, RELEASED, -1, 5, 2},
		{24, 6, 2, 20, true, RELEASED, -1, 6, 2},
		{50, 4, 1, 10, false, RELEASED, -1, 2, 0},
		{60, 4, 3, 10, true, FOREIGN, -1, 2, 0},
		{60, 4, 9, 0, false, FOREIGN, -1, 3, 2},
		{40, 3, 20, 30, false, FOREIGN, -1, 2, 0},
		{40, 3, 4, 60, true, FOREIGN, -1, 3, 5},
		{40, 4, 2, 10, true, SAME, -1, 2, 40},
		{280, 3, 9, 5, true, RELEASED, -1, 2, 0},
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

/* Tiny files agree with what all draws and donors give. */
static void
draws_agree(void)
{
	for (uint32 seed = 0; seed < 200; seed++)
	{
		Shape		shape = {.records = 2 + pick(6), .codes = 1 + pick(3), .missing = pick(2) ? 15 : 0, .never = -1};
		char		name[60];

		random_state = 9000 + seed;
		shape.attributes = 1 + (int) pick(4);
		shape.draws = 1 + (int) pick((uint32) shape.attributes);
		shape.strata = pick(3);
		shape.skewed = pick(2);
		shape.release = pick(4) == 0 ? FOREIGN : RELEASED;
		make_file(&shape);
		snprintf(name, sizeof(name), "tiny, seed %u, %d of %d drawn", seed, shape.draws, shape.attributes);
		compare_with(name, drawn_chance);
	}
}

/* Where all attributes are drawn, nothing is learned: the guess is the most frequent combination. */
static void
all_drawn_tells_nothing(void)
{
	const Shape shape = {100, 5, 3, 0, true, RELEASED, -1, 5, 0};
	SdcInference result;
	uint32		support;
	uint32		most = 0;
	double		squares = 0;

	random_state = 5;
	make_file(&shape);
	for (uint32 i = 0; i < shape.records; i++)
	{
		(void) first_of(i, &support);
		most = support > most ? support : most;
		squares += support;
	}
	sdc_inference_measure(&task, &result);
	CHECK(near(result.mean, most / 100.0) && near(result.maximum, most / 100.0));
	CHECK(near(result.true_mean, squares / 10000) && result.gamma_mean == 1 && result.gamma_maximum == 1);
}

/* The sets of attributes are counted: C(m, 0) + .. + C(m, k), 1 where all are drawn, and not above a limit. */
static void
groupings_are_counted(void)
{
	CHECK(sdc_inference_groupings(9, 5) == 382 && sdc_inference_groupings(9, 8) == 511);
	CHECK(sdc_inference_groupings(9, 9) == 1 && sdc_inference_groupings(1, 1) == 2);
	CHECK(sdc_inference_groupings(1600, 1) == 1601 && sdc_inference_groupings(1600, 1600) == 1);
	CHECK(sdc_inference_groupings(15, 7) == 16384 && sdc_inference_groupings(15, 8) == 16385);
	CHECK(sdc_inference_groupings(14, 13) == 16383 && sdc_inference_groupings(1600, 800) == 16385);
	CHECK(sdc_inference_groupings(180, 2) == 16291 && sdc_inference_groupings(181, 2) == 16385);
}

/* Two records without a value in common, and as many draws as there may be. */
static void
many_sets_are_possible(void)
{
	static uint32 before[14][2];
	static uint32 after[14][2];
	SdcPairColumn wide[14];
	const SdcPairs few = {2, 14, wide};
	const SdcInferenceTask wide_task = {.pairs = &few, .draws = 13};
	SdcInference result;

	for (int j = 0; j < 14; j++)
	{
		wide[j] = (SdcPairColumn) {before[j], after[j], 2, NULL};
		before[j][0] = after[j][0] = 0;
		before[j][1] = after[j][1] = 1;
	}
	/* the first record keeps one value of 14, as if 13 were drawn; the second all but one */
	for (int j = 0; j < 13; j++)
		after[j][0] = 1;
	after[0][1] = 0;
	sdc_inference_measure(&wide_task, &result);
	/* of the 14 sets, a change in 13 attributes is in one, a change in one attribute in 13 */
	CHECK(near(result.mean, 13 / 14.0) && near(result.true_mean, (1 + 13) / 28.0));
	CHECK(near(result.gamma_mean, 13) && near(result.hits, 1) && result.impossible == 0);
}

/* Without records all is 0; without attributes that can be drawn nothing can have been made. */
static void
ends_are_defined(void)
{
	const Shape shape = {30, 2, 3, 0, false, SAME, -1, 1, 0};
	SdcInference result;

	memset(&result, 0xFF, sizeof(result));
	make_file(&shape);
	pairs.records = 0;
	sdc_inference_measure(&task, &result);
	CHECK(result.mean == 0 && result.maximum == 0 && result.hits == 0);
	CHECK(result.bound_mean == 0 && result.amplification_mean == 0 && result.impossible == 0);
	pairs.records = shape.records;
	probability[0] = probability[1] = 0;
	sdc_inference_measure(&task, &result);
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

	task.draws = 1;
	task.stratum = NULL;
	pairs.records = 4;
	pairs.attributes = 1;
	probability[0] = 1;
	column[0] = (SdcPairColumn) {before, after, 2, NULL};
	sdc_inference_measure(&task, &result);
	CHECK(near(result.mean, 0.75) && near(result.maximum, 0.75));
	CHECK(near(result.bound_mean, 0.75) && near(result.bound_maximum, 0.75));
	CHECK(near(result.amplification_mean, 3) && near(result.amplification_maximum, 3));
	CHECK(near(result.hits, 3) && result.unchanged == 3 && result.impossible == 0);
	/* the posteriors are 3/4 three times and 1/4; who becomes what is as likely for all */
	CHECK(near(result.true_mean, 10 / 16.0) && near(result.anonymity, pow(0.75 * 0.75 * 0.75 * 0.25, -0.25)));
	CHECK(near(result.gamma_mean, 1) && near(result.gamma_maximum, 1));
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
	sdc_inference_measure(&task, &result);
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
	for (uint32 seed = 0; seed < 10; seed++)
	{
		const Shape shape = {400, 4, 4, 10, true, RELEASED, -1, 1 + (int) seed % 4, 0};
		SdcInference before;
		SdcInference after;

		random_state = 7000 + seed;
		make_file(&shape);
		sdc_inference_measure(&task, &before);
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
		sdc_inference_measure(&task, &after);
		CHECK(memcmp(&before, &after, sizeof(before)) == 0);
	}
}

int
main(void)
{
	RUN(shapes_agree);
	RUN(draws_agree);
	RUN(all_drawn_tells_nothing);
	RUN(groupings_are_counted);
	RUN(many_sets_are_possible);
	RUN(ends_are_defined);
	RUN(small_file_by_hand);
	RUN(tie_limits);
	RUN(order_does_not_matter);
	return tap_done();
}
