/*-------------------------------------------------------------------------
 *
 * test_guesses.c
 *		What candidates tell of a value, against a count of all pairs.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "candidatetwin.h"
#include "tap.h"

#define RECORDS 300
#define VALUES 300

/* What is wanted of a file. */
typedef struct Wanted
{
	uint32		original[RECORDS];
	uint32		protected[RECORDS];
	SdcCandidatesTarget target;
} Wanted;

/* make_wanted draws values, some of them missing; uneven: the first ones are more frequent. */
static void
make_wanted(Wanted *wanted, uint32 records, uint32 codes, bool uneven)
{
	for (uint32 i = 0; i < records; i++)
	{
		wanted->original[i] = pick(7) == 0 ? SDC_CODE_NULL : pick(uneven ? 1 + pick(codes) : codes);
		wanted->protected[i] = pick(3) == 0 ? pick(codes) : wanted->original[i];
	}
	wanted->target = (SdcCandidatesTarget) {wanted->original, wanted->protected, codes, false};
}

/* blank_wanted takes some of the released values out. */
static void
blank_wanted(Wanted *wanted, uint32 records, uint32 blank)
{
	wanted->target.blanks = true;
	for (uint32 i = 0; i < records; i++)
		if (pick(blank) == 0)
			wanted->protected[i] = SDC_CODE_NULL;
}

/* place_of numbers a value. */
static uint32
place_of(const Wanted *wanted, uint32 code)
{
	return code == SDC_CODE_NULL ? wanted->target.codes : code;
}

/* heaviest is the share of a value among the heaviest, NaN without weights. */
static double
heaviest(const double *weight, uint32 values, uint32 truth)
{
	double		most = 0;
	int			ties = 0;

	for (uint32 v = 0; v < values; v++)
		most = fmax(most, weight[v]);
	for (uint32 v = 0; v < values; v++)
		ties += most > 0 && weight[v] >= most * (1 - TIE);
	return most == 0 ? NAN : weight[truth] >= most * (1 - TIE) ? 1.0 / ties : 0;
}

/* twin_guess guesses the value of a record by a walk over all protected ones. */
static SdcCandidatesGuess
twin_guess(const File *file, const Wanted *wanted, uint32 i)
{
	SdcCandidatesGuess guess = {0};
	double		weight[VALUES + 1] = {0};
	double		without[VALUES + 1] = {0};
	uint32		truth = place_of(wanted, wanted->original[i]);
	uint32		values = wanted->target.codes + 1;
	double		sum = 0;
	int			different = 0;
	bool		hidden = false;

	for (uint32 l = 0; l < file->task.records; l++)
	{
		double		likely = twin_likelihood(file, SDC_CANDIDATES_NEAREST, i, l);
		uint32		value = place_of(wanted, wanted->protected[l]);

		if (!(likely > 0))
			continue;
		guess.candidates++;
		sum += likely;
		/* a blank is nobody's value */
		hidden = hidden || (wanted->target.blanks && wanted->protected[l] == SDC_CODE_NULL);
		if (wanted->target.blanks && wanted->protected[l] == SDC_CODE_NULL)
			continue;
		weight[value] += likely;
		if (l != i)
			without[value] += likely;
	}
	for (uint32 v = 0; v < values; v++)
		different += weight[v] > 0;
	guess.share = guess.candidates == 0 ? 0 : weight[truth] / sum;
	guess.found = heaviest(weight, values, truth);
	guess.without = heaviest(without, values, truth);
	guess.same = different == 1 && weight[truth] > 0 && !hidden;
	return guess;
}

/* same_number compares numbers that may be none. */
static bool
same_number(double a, double b)
{
	return isnan(a) ? isnan(b) : fabs(a - b) <= 1e-9;
}

/* try_values compares the guesses of a file, of all records or every so many, for so many values. */
static void
try_values(const Shape *shape, uint64 seed, uint32 step, uint32 codes)
{
	static Wanted wanted;
	static SdcCandidatesGuess guess[RECORDS];
	uint32		record[RECORDS];
	uint32		count = 0;
	File		file;

	random_state = seed;
	make_file(&file, shape);
	make_wanted(&wanted, shape->records, codes > 0 ? codes : 1 + pick(pick(2) == 0 ? 3 : 40),
				seed % 2 == 0);
	if (shape->blank > 0 && pick(2) == 0)
		blank_wanted(&wanted, shape->records, shape->blank);
	for (uint32 i = 0; i < shape->records; i += step)
		record[count++] = i;
	sdc_candidates_guess(&file.task, &wanted.target, step == 1 ? NULL : record, count, guess);
	for (uint32 c = 0; c < count; c++)
	{
		SdcCandidatesGuess twin = twin_guess(&file, &wanted, record[c]);

		CHECKF(guess[c].candidates == twin.candidates && same_number(guess[c].share, twin.share) &&
			   same_number(guess[c].found, twin.found) && same_number(guess[c].without, twin.without) &&
			   guess[c].same == twin.same,
			   "seed %d, record %u: %u candidates (%u), share %g (%g), found %g (%g), without %g (%g), same %d (%d)",
			   (int) seed, record[c], guess[c].candidates, twin.candidates, guess[c].share, twin.share,
			   guess[c].found, twin.found, guess[c].without, twin.without, guess[c].same, twin.same);
	}
	free_file(&file);
}

/* try_shape does so for a few values. */
static void
try_shape(const Shape *shape, uint64 seed, uint32 step)
{
	try_values(shape, seed, step, 0);
}

/* draw_shape draws a small shape. */
static Shape
draw_shape(uint64 seed)
{
	Shape		shape = {0};

	random_state = seed * 1000033;
	shape.records = 1 + pick(pick(3) == 0 ? 4 : 40);
	shape.columns = 1 + (int) pick(5);
	shape.codes = 1 + pick(pick(2) == 0 ? 3 : 12);
	shape.missing = pick(2) == 0 ? 0 : 2 + pick(8);
	shape.strata = pick(3) == 0 ? 3 : 1;
	shape.groups = 1 + pick(6);
	shape.bins = 1 + pick(6);
	shape.width = pick(8);
	shape.wild = pick(4) == 0;
	return shape;
}

/* Each kind alone, and all together. */
static void
test_kinds(void)
{
	for (uint64 seed = 1; seed <= ROUNDS(2000); seed++)
	{
		Shape		shape = draw_shape(seed);

		if (seed % 3 != 0)
			shape.kinds = UINT32_C(1) << seed % SDC_CANDIDATES_KINDS;
		try_shape(&shape, seed, seed % 5 == 0 ? 3 : 1);
	}
}

/* Blanks in what is known, in what is wanted, or in both. */
static void
test_blanks(void)
{
	for (uint64 seed = 1; seed <= ROUNDS(3000); seed++)
	{
		Shape		shape = draw_shape(seed + 555);

		shape.blank = 1 + (uint32) seed % 6;
		if (seed % 3 != 0)
			shape.kinds = UINT32_C(1) << seed % SDC_CANDIDATES_KINDS;
		try_shape(&shape, seed, seed % 5 == 0 ? 3 : 1);
	}
}

/* Enough records for trees and bitmaps. */
static void
test_large(void)
{
	for (uint64 seed = 1; seed <= 14; seed++)
	{
		Shape		shape = draw_shape(seed);

		shape.records = RECORDS;
		shape.columns = 3;
		shape.codes = 30;
		shape.groups = 20;
		shape.bins = 20;
		shape.width = 40;
		shape.kinds = UINT32_C(1) << seed % SDC_CANDIDATES_KINDS;
		try_shape(&shape, seed, 1);
		shape.blank = 8;
		try_shape(&shape, seed, 1);
	}
}

/*
 * Windows in one column and in several, wide and narrow, with nothing else known or with a copied
 * column or strata; from two values to as many as there are records.
 */
static void
test_windows(void)
{
	static const uint32 codes[] = {1, 2, 5, 20, VALUES};

	for (uint64 seed = 1; seed <= ROUNDS(1000); seed++)
	{
		Shape		shape = draw_shape(seed);

		shape.records = 17 + pick(24);
		shape.columns = 1 + (int) pick(3);
		shape.codes = 1 + pick(60);
		shape.missing = pick(3) == 0 ? 8 : 0;
		shape.strata = pick(8) == 0 ? 2 : 1;
		shape.width = pick(2) == 0 ? 30 : 8;
		shape.kinds = UINT32_C(1) << SDC_CANDIDATES_WINDOW;
		if (pick(3) == 0)
		{
			shape.kinds |= UINT32_C(1) << SDC_CANDIDATES_EXACT | UINT32_C(1) << SDC_CANDIDATES_UNKNOWN;
			shape.codes = 1 + pick(3);
		}
		try_values(&shape, seed, seed % 5 == 0 ? 3 : 1, codes[seed % 5]);
	}
	for (uint64 seed = 1; seed <= 6; seed++)
	{
		Shape		shape = {.records = RECORDS, .columns = 1 + (int) (seed % 3), .codes = 200,
		.strata = 1, .groups = 1, .bins = 1, .width = 150,
		.kinds = UINT32_C(1) << SDC_CANDIDATES_WINDOW};

		try_values(&shape, seed, 1, codes[seed % 5]);
	}
}

/* By hand: five records that cannot be told apart, with values a a b b b, and one by itself. */
static void
test_hand(void)
{
	static const uint32 key[] = {0, 0, 0, 0, 0, 1};
	static const uint32 value[] = {0, 0, 1, 1, 1, SDC_CODE_NULL};
	SdcCandidatesColumn column = {.kind = SDC_CANDIDATES_EXACT, .original = key, .protected = key,
	.codes = 2};
	SdcCandidatesTask task = {.records = 6, .count = 1, .column = &column};
	static const uint32 shown[] = {0, 0, SDC_CODE_NULL, SDC_CODE_NULL, 1, SDC_CODE_NULL};
	SdcCandidatesTarget target = {value, value, 2, false};
	SdcCandidatesGuess guess[6];

	sdc_candidates_guess(&task, &target, NULL, 6, guess);
	CHECK(guess[0].candidates == 5 && guess[0].share == .4 && guess[0].found == 0 && guess[0].without == 0);
	/* without one b there are two of each */
	CHECK(guess[2].share == .6 && guess[2].found == 1 && guess[2].without == .5 && !guess[2].same);
	CHECK(guess[5].candidates == 1 && guess[5].same && guess[5].found == 1 && isnan(guess[5].without));
	sdc_candidates_guess(&task, &target, NULL, 0, guess);
	/* two of the three b are blanks: a is guessed; nothing is shown for the one by itself */
	target.protected = shown;
	target.blanks = true;
	sdc_candidates_guess(&task, &target, NULL, 6, guess);
	CHECK(guess[0].candidates == 5 && guess[0].share == .4 && guess[0].found == 1 && guess[0].without == .5);
	CHECK(guess[2].share == .2 && guess[2].found == 0 && guess[2].without == 0 && !guess[2].same);
	CHECK(guess[5].candidates == 1 && guess[5].share == 0 && isnan(guess[5].found) && isnan(guess[5].without) &&
		  !guess[5].same);
}

int
main(void)
{
	RUN(test_kinds);
	RUN(test_blanks);
	RUN(test_large);
	RUN(test_windows);
	RUN(test_hand);
	return tap_done();
}
