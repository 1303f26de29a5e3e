/*-------------------------------------------------------------------------
 *
 * test_coarsemargins.c
 *		Classes of values, margins and correlations that show no record: by their definitions, and by brute force.
 *
 * The brute force replaces one record of the source after the other, by the ends and by any other value, and no figure
 * may move by more than its rounding.  The nights draw many releases of two sources that differ in one record: where
 * the rounded sums of both are the same, no night may tell them apart.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <math.h>

#include "kernel/base/pairs.h"
#include "kernel/loss/coarsecorrelation.h"
#include "kernel/loss/coarsemargins.h"
#include "kernel/loss/valueclasses.h"

#include "random.h"
#include "tap.h"

#define RECORDS 400
#define NIGHTS 100

/* What is told of a column, or of two. */
#define FIGURES 5

/* draw_value draws a value of one of several kinds of columns. */
static double
draw_value(uint32 kind)
{
	switch (kind)
	{
		case 0:					/* ages */
			return 18 + pick(70);
		case 1:					/* incomes with a tail */
			return floor(1000 * exp(4 * uniform()));
		case 2:					/* signed, around 0 */
			return floor(2000 * uniform()) / 10 - 100;
		case 3:					/* rare ones */
			return pick(20) == 0;
		case 4:					/* years, far from 0 */
			return 1950 + pick(60);
		default:				/* some missing */
			return pick(8) == 0 ? NAN : 50 + 10 * uniform();
	}
}

/* ------------------------------------------------------------------------
 * Classes
 * ------------------------------------------------------------------------
 */

/* compare orders numbers. */
static int
compare(const void *a, const void *b)
{
	return (*(const double *) a > *(const double *) b) - (*(const double *) a < *(const double *) b);
}

/* twin_divide divides sorted released whole numbers by the definition, and adds the cuts to a list in their order. */
static void
twin_divide(const double *sorted, uint32 first, uint32 end, uint32 counted, uint32 least, uint32 wanted, double *cut,
			uint32 *cuts)
{
	int64		low = (int64) sorted[first];
	int64		high = (int64) sorted[end - 1];
	int64		round = high;
	uint32		place = first;

	if (end - first + counted <= wanted || low == high)
		return;
	/* the number between them that is divisible by two most often */
	for (int64 x = low + 1; x <= high; x++)
		if (x == 0 || (round != 0 && (x & -x) > (round & -round)))
			round = x;
	while (sorted[place] < (double) round)
		place++;
	if (place - first + counted < least)
		twin_divide(sorted, place, end, 0, least, wanted, cut, cuts);
	else if (end - place < least)
		twin_divide(sorted, first, place, counted, least, wanted, cut, cuts);
	else
	{
		twin_divide(sorted, first, place, counted, least, wanted, cut, cuts);
		cut[(*cuts)++] = (double) round;
		twin_divide(sorted, place, end, 0, least, wanted, cut, cuts);
	}
}

/* Codes of source and release together: the values of both, in order. */
typedef struct Coded
{
	uint32		codes;
	double		value[2 * RECORDS];
	uint32		code[2][RECORDS];
	uint64		count[2 * RECORDS + 1]; /* of the release */
} Coded;

/* encode gives the values of two files common codes. */
static void
encode(const double *original, const double *released, uint32 records, Coded *coded)
{
	const double *file[2] = {original, released};
	double		all[2 * RECORDS];
	uint32		n = 0;

	for (int f = 0; f < 2; f++)
		for (uint32 i = 0; i < records; i++)
			if (!isnan(file[f][i]))
				all[n++] = file[f][i];
	qsort(all, n, sizeof(double), compare);
	coded->codes = 0;
	for (uint32 i = 0; i < n; i++)
		if (i == 0 || all[i] != all[i - 1])
			coded->value[coded->codes++] = all[i];
	memset(coded->count, 0, sizeof(coded->count));
	for (int f = 0; f < 2; f++)
		for (uint32 i = 0; i < records; i++)
		{
			const double *found = bsearch(&file[f][i], coded->value, coded->codes, sizeof(double), compare);
			uint32		c = isnan(file[f][i]) ? coded->codes : (uint32) (found - coded->value);

			coded->code[f][i] = c == coded->codes ? SDC_CODE_NULL : c;
			coded->count[c] += f;
		}
}

/* Classes of numbers are cut where the definition says, whatever the source has, and are not too small. */
static void
numbers_are_divided(void)
{
	static Coded coded;
	double		original[RECORDS];
	double		released[RECORDS];
	double		sorted[RECORDS];
	double		cut[SDC_VALUE_CLASSES];

	for (uint32 turn = 0; turn < 400; turn++)
	{
		SdcValueClasses classes;
		uint32		records;
		uint32		least;
		uint32		wanted_least;
		uint32		cuts = 0;

		random_state = turn;
		records = 1 + pick(RECORDS);
		least = 1 + pick(30);
		for (uint32 i = 0; i < records; i++)
		{
			released[i] = floor(draw_value(turn % 5));
			/* the source has values far away, too */
			original[i] = pick(10) == 0 ? floor(100000 * uniform()) - 50000 : floor(draw_value(turn % 5));
		}
		encode(original, released, records, &coded);
		sdc_valueclasses_make(coded.count, coded.codes, coded.value, least, &classes);
		memcpy(sorted, released, sizeof(double) * records);
		qsort(sorted, records, sizeof(double), compare);
		wanted_least = least > records / 63 ? least : records / 63 + 1;
		twin_divide(sorted, 0, records, 0, wanted_least, records / 16, cut, &cuts);
		CHECKF(classes.values == cuts + 1 && classes.classes == classes.values, "turn %u: %u and %u cuts", turn,
			   classes.values, cuts);
		for (uint32 c = 0; c < coded.codes && classes.values == cuts + 1; c++)
		{
			uint32		wanted = 0;

			while (wanted < cuts && coded.value[c] >= cut[wanted])
				wanted++;
			CHECKF(classes.of[c] == wanted, "turn %u: value %g", turn, coded.value[c]);
		}
		for (uint32 k = 0; k < classes.values; k++)
		{
			uint64		count = 0;

			for (uint32 c = 0; c < coded.codes; c++)
				if (classes.of[c] == k)
					count += coded.count[c];
			CHECK(classes.values == 1 || count >= wanted_least);
		}
		sdc_free(classes.of);
	}
}

/* Other values have a class where they are frequent in the release, and missing ones likewise. */
static void
others_are_divided(void)
{
	/* of a hundred records: 40, 3, 0 (in the source only), 30, 4, and 23 missing ones */
	static const uint64 count[] = {40, 3, 0, 30, 4, 23};
	SdcValueClasses classes;

	sdc_valueclasses_make(count, 5, NULL, 20, &classes);
	CHECK(classes.values == 2 && classes.classes == 3);
	CHECK(classes.of[0] == 0 && classes.of[3] == 1 && classes.of[1] == 1 && classes.of[2] == 1 && classes.of[4] == 1);
	CHECK(classes.of[5] == 2);
	sdc_free(classes.of);
	/* seven rare ones are enough for a class */
	sdc_valueclasses_make(count, 5, NULL, 7, &classes);
	CHECK(classes.values == 3 && classes.of[1] == 2 && classes.of[2] == 2 && classes.of[4] == 2 && classes.of[5] == 3);
	sdc_free(classes.of);
	/* missing ones that are few are in the last class */
	sdc_valueclasses_make(count, 5, NULL, 25, &classes);
	CHECK(classes.values == 2 && classes.classes == 2 && classes.of[5] == 1);
	sdc_free(classes.of);
	sdc_valueclasses_make(count, 5, NULL, 1000, &classes);
	CHECK(classes.values == 1 && classes.classes == 1 && classes.of[0] == 0 && classes.of[5] == 0);
	sdc_free(classes.of);
}

/* ------------------------------------------------------------------------
 * Figures
 * ------------------------------------------------------------------------
 */

/* score is the score of a value (coarsecorrelation.h). */
static int8
score(const SdcValueClasses *classes, uint32 code)
{
	return code == SDC_CODE_NULL ? 0 : (int8) (2 * classes->of[code] - (int) classes->values + 1);
}

/* tell tells all of two columns, x and y, of a source and a release. */
static void
tell(double *const x[2], double *const y[2], uint32 records, uint32 grain, SdcFigure figure[FIGURES])
{
	static Coded coded[2];
	static int8 scores[2][2][RECORDS];
	double	   *const *column[2] = {x, y};
	SdcCoarseScores pair[2];
	double		change;
	double		move;

	for (int j = 0; j < 2; j++)
	{
		SdcValueClasses classes;
		uint32		count[2][SDC_VALUE_CLASSES];

		encode(column[j][0], column[j][1], records, &coded[j]);
		sdc_valueclasses_make(coded[j].count, coded[j].codes, coded[j].value, 4 * grain, &classes);
		for (int f = 0; f < 2; f++)
		{
			sdc_valueclasses_count(&classes, coded[j].code[f], coded[j].codes, records, count[f]);
			for (uint32 i = 0; i < records; i++)
				scores[j][f][i] = score(&classes, coded[j].code[f][i]);
		}
		if (j == 0)
			sdc_coarsemargins_distances(count[0], count[1], classes.classes, records, grain, &figure[2], &figure[3]);
		pair[j] = (SdcCoarseScores) {scores[j][0], scores[j][1], (int) classes.values - 1};
		sdc_free(classes.of);
	}
	sdc_coarsemargins_spread(x[0], x[1], records, grain, &figure[0], &figure[1]);
	figure[4] = (SdcFigure) {NAN, NAN};
	if (pair[0].span == 0 || pair[1].span == 0)
		return;
	sdc_coarsecorrelation_change(&pair[0], &pair[1], records, grain, &change, &move);
	figure[4] = sdc_figure_round(change, move);
}

/* draw_release makes a release of a column: each record keeps its value, or has that of another, or none. */
static void
draw_release(const double *original, uint32 records, uint32 percent, uint32 blank, double *released)
{
	for (uint32 i = 0; i < records; i++)
	{
		released[i] = pick(100) < percent ? original[pick(records)] : original[i];
		if (pick(100) < blank)
			released[i] = NAN;
	}
}

/* No figure moves by more than its rounding when one record is replaced by whatever value. */
static void
records_do_not_show(void)
{
	double		values[2][2][RECORDS];
	double	   *x[2] = {values[0][0], values[0][1]};
	double	   *y[2] = {values[1][0], values[1][1]};
	long		told[FIGURES] = {0};
	long		moved[FIGURES] = {0};

	for (uint32 turn = 0; turn < 36; turn++)
	{
		SdcFigure	before[FIGURES];
		uint32		records;

		random_state = turn;
		records = turn % 3 == 0 ? 20 + pick(60) : 100 + pick(RECORDS - 99);
		for (uint32 i = 0; i < records; i++)
		{
			x[0][i] = draw_value(turn % 6);
			y[0][i] = draw_value(turn / 6 % 6);
		}
		draw_release(x[0], records, pick(101), turn % 4 == 0 ? 10 : 0, x[1]);
		draw_release(y[0], records, pick(101), 0, y[1]);
		tell(x, y, records, 5, before);
		for (uint32 i = 0; i < records; i += 1 + records / 60)
		{
			double		own[2] = {x[0][i], y[0][i]};

			for (int way = 0; way < 6; way++)
			{
				const double by[] = {draw_value(turn % 6), -1e9, 1e9, NAN, x[1][pick(records)], 0};
				SdcFigure	after[FIGURES];

				x[0][i] = by[way];
				y[0][i] = way % 2 == 0 ? y[1][pick(records)] : 1e7;
				tell(x, y, records, 5, after);
				for (int f = 0; f < FIGURES; f++)
				{
					double		coarser = fmax(before[f].rounding, after[f].rounding);

					if (isnan(before[f].value) || isnan(after[f].value))
						continue;
					told[f]++;
					moved[f] += before[f].value != after[f].value;
					CHECKF(fabs(before[f].value - after[f].value) <= coarser + 1e-9,
						   "turn %u, record %u, way %d, figure %d: %g and %g, rounded to %g", turn, i, way, f,
						   before[f].value, after[f].value, coarser);
				}
				x[0][i] = own[0];
				y[0][i] = own[1];
			}
		}
	}
	/* the test sees figures, and figures that move */
	for (int f = 0; f < FIGURES; f++)
		CHECKF(told[f] > 1000 && moved[f] > 0 && moved[f] < told[f] / 2, "figure %d: %ld of %ld moved", f, moved[f], told[f]);
}

/* place is where a value is between the ends of a release, from -1 to 1, by the definition. */
static double
place(double value, double least, double greatest)
{
	double		unit = 1;
	double		low;
	double		high;

	while (unit >= (greatest - least) / 4)
		unit /= 2;
	while (unit < (greatest - least) / 8)
		unit *= 2;
	low = floor(least / unit) * unit;
	high = ceil(greatest / unit) * unit;
	return 2 * (fmin(fmax(value, low), high) - low) / (high - low) - 1;
}

/* same_sums tells whether two sources have the same rounded sums, for releases with these ends. */
static bool
same_sums(const double *a, const double *b, uint32 records, double least, double greatest, uint32 grain)
{
	double		sum[2][3] = {{0}};

	for (uint32 i = 0; i < records; i++)
		for (int s = 0; s < 2; s++)
		{
			double		u = place(s == 0 ? a[i] : b[i], least, greatest);

			sum[s][0] += u;
			sum[s][1] += u * u;
		}
	return floor(sum[0][0] / (2 * grain) + 0.5) == floor(sum[1][0] / (2 * grain) + 0.5) &&
		floor(sum[0][1] / grain + 0.5) == floor(sum[1][1] / grain + 0.5);
}

/*
 * Two sources that differ in one record, and the same releases of both, night after night: they are told apart only by
 * their rounded sums, which mostly are the same.  Figures that are rounded only when they are made tell nearly all
 * apart after some nights.
 */
static void
nights_do_not_add_up(void)
{
	uint32		pairs = 0;
	uint32		apart = 0;
	uint32		naive = 0;

	for (uint32 turn = 0; turn < 150; turn++)
	{
		double		source[2][RECORDS];
		double		released[RECORDS];
		bool		told = false;
		bool		told_naively = false;
		bool		same;

		random_state = turn;
		for (uint32 i = 0; i < RECORDS; i++)
			source[0][i] = 20000 + floor(40000 * uniform());
		memcpy(source[1], source[0], sizeof(source[0]));
		source[1][0] = 20000 + floor(40000 * uniform());
		/* all releases have the ends of the range */
		same = same_sums(source[0], source[1], RECORDS, 20000, 60000, 5);
		for (int night = 0; night < NIGHTS; night++)
		{
			SdcFigure	figure[2][2];
			double		mean[3] = {0, 0, 0};

			draw_release(source[0], RECORDS, 90, 0, released);
			released[1] = 20000;
			released[2] = 60000;
			for (int s = 0; s < 2; s++)
				sdc_coarsemargins_spread(source[s], released, RECORDS, 5, &figure[s][0], &figure[s][1]);
			for (uint32 i = 0; i < RECORDS; i++)
			{
				mean[0] += source[0][i] / RECORDS;
				mean[1] += source[1][i] / RECORDS;
				mean[2] += released[i] / RECORDS;
			}
			told = told || figure[0][0].value != figure[1][0].value || figure[0][1].value != figure[1][1].value;
			told_naively = told_naively || round(fabs(mean[2] / mean[0] - 1) / figure[0][0].rounding) !=
				round(fabs(mean[2] / mean[1] - 1) / figure[0][0].rounding);
			CHECK(isfinite(figure[0][0].value) && isfinite(figure[0][1].value));
		}
		CHECKF(!same || !told, "turn %u", turn);
		pairs++;
		apart += told;
		naive += told_naively;
	}
	CHECKF(apart > 0 && apart < pairs / 4, "%u of %u are told apart", apart, pairs);
	CHECKF(naive > pairs * 2 / 3, "%u of %u naively", naive, pairs);
}

/* What lies beyond the release counts as its end: its size does not show at all. */
static void
outliers_are_cut(void)
{
	double		original[RECORDS];
	double		released[RECORDS];
	SdcFigure	wanted[2];

	random_state = 1;
	for (uint32 i = 0; i < RECORDS; i++)
		original[i] = released[i] = 20000 + floor(40000 * uniform());
	/* the least multiple of 8192 that is not below 60000 */
	original[0] = 65536;
	sdc_coarsemargins_spread(original, released, RECORDS, 5, &wanted[0], &wanted[1]);
	for (int e = 17; e < 300; e++)
	{
		SdcFigure	got[2];

		original[0] = ldexp(1, e);
		sdc_coarsemargins_spread(original, released, RECORDS, 5, &got[0], &got[1]);
		CHECK(got[0].value == wanted[0].value && got[1].value == wanted[1].value);
		CHECK(got[0].rounding == wanted[0].rounding && got[1].rounding == wanted[1].rounding);
	}
	/* with the outlier in the release nothing can be told of the mean */
	original[0] = released[0] = 1e9;
	sdc_coarsemargins_spread(original, released, RECORDS, 5, &wanted[0], &wanted[1]);
	CHECK(isnan(wanted[0].value) && wanted[0].rounding > 0.1);
}

/* Equal distributions have exactly 0, and small examples what was computed by hand. */
static void
figures_by_hand(void)
{
	uint32		count[2][3] = {{200, 100, 100}, {213, 98, 89}};
	uint32		apart[2][30] = {{0}};
	double		original[RECORDS];
	double		released[RECORDS];
	double		term[3];
	SdcFigure	figure[2];

	for (uint32 i = 0; i < RECORDS; i++)
	{
		original[i] = i % 100;
		released[i] = (i * 37 + 11) % 100;
	}
	sdc_coarsemargins_spread(original, released, RECORDS, 5, &figure[0], &figure[1]);
	CHECK(figure[0].value == 0 && figure[1].value == 0);
	sdc_coarsemargins_distances(count[0], count[0], 3, RECORDS, 5, &figure[0], &figure[1]);
	CHECK(figure[0].value == 0 && figure[1].value == 0);
	/* 200, 300, 400 and 215, 310, 400 of 400; 200, 100, 100 and 215, 100, 90 */
	sdc_coarsemargins_distances(count[0], count[1], 3, RECORDS, 5, &figure[0], &figure[1]);
	term[0] = sqrt(0.5) - sqrt(0.5375);
	term[1] = 0;
	term[2] = sqrt(0.25) - sqrt(0.225);
	CHECK(figure[0].rounding == 0.02 && figure[0].value == 0.04);
	CHECK(fabs(figure[1].value - sqrt((term[0] * term[0] + term[2] * term[2]) / 2)) <= figure[1].rounding / 2);
	/* with nothing in common it is 1, also where all counts, 13, are rounded up */
	for (uint32 k = 0; k < 30; k++)
		apart[k / 15][k] = 13;
	sdc_coarsemargins_distances(apart[0], apart[1], 30, 15 * 13, 5, &figure[0], &figure[1]);
	CHECKF(figure[1].value == 1 && figure[1].rounding == 0.05, "%g, rounded to %g", figure[1].value, figure[1].rounding);
	/* one class tells nothing, and neither does a column of one number, or one of none */
	sdc_coarsemargins_distances(count[0], count[1], 1, RECORDS, 5, &figure[0], &figure[1]);
	CHECK(isnan(figure[0].value) && isinf(figure[0].rounding) && isnan(figure[1].value));
	for (uint32 i = 0; i < RECORDS; i++)
		released[i] = 7;
	sdc_coarsemargins_spread(original, released, RECORDS, 5, &figure[0], &figure[1]);
	CHECK(isnan(figure[0].value) && isinf(figure[0].rounding) && isnan(figure[1].value));
	released[0] = INFINITY;
	for (uint32 i = 1; i < RECORDS; i++)
		released[i] = NAN;
	sdc_coarsemargins_spread(original, released, RECORDS, 5, &figure[0], &figure[1]);
	CHECK(isnan(figure[0].value) && isinf(figure[0].rounding));
	/*
	 * 150 ones of 400 in the source, 200 in the release: a mean that is 25 percent less; (150 - 5) / 395 moves it by
	 * 0.0285
	 */
	for (uint32 i = 0; i < RECORDS; i++)
	{
		original[i] = i < 150;
		released[i] = i < 200;
	}
	sdc_coarsemargins_spread(original, released, RECORDS, 5, &figure[0], &figure[1]);
	CHECKF(figure[0].value == 0.25 && figure[0].rounding == 0.05, "%g, rounded to %g", figure[0].value, figure[0].rounding);
	/* and a rare one is withheld: with 5 records more or less, 15 would be 33 percent off */
	for (uint32 i = 0; i < RECORDS; i++)
		original[i] = released[i] = i < 15;
	sdc_coarsemargins_spread(original, released, RECORDS, 5, &figure[0], &figure[1]);
	CHECK(isnan(figure[0].value) && figure[0].rounding > 0.3);
}

/* hellinger is Hellinger's distance of rounded counts by its definition. */
static double
hellinger(const double *original, const double *released, uint32 classes, double records)
{
	double		sum = 0;

	for (uint32 k = 0; k < classes; k++)
		sum += pow(sqrt(fmax(original[k], 0) / records) - sqrt(released[k] / records), 2);
	return sqrt(sum / 2);
}

/* hellinger_moves is how far it moves at most when two counts of the source are one grain higher or lower. */
static double
hellinger_moves(double *original, const double *released, uint32 classes, double records, double grain)
{
	double		distance = hellinger(original, released, classes, records);
	double		most = 0;

	for (uint32 i = 0; i < classes; i++)
		for (uint32 j = 0; j < i; j++)
			for (int way = 0; way < 4; way++)
			{
				double		own[2] = {original[i], original[j]};

				original[i] += way % 2 == 0 ? grain : -grain;
				original[j] += way / 2 == 0 ? grain : -grain;
				most = fmax(most, fabs(hellinger(original, released, classes, records) - distance));
				original[i] = own[0];
				original[j] = own[1];
			}
	return most;
}

/* draw_counts draws what classes have in the source and in the release, and returns the records. */
static uint32
draw_counts(uint32 classes, uint32 most, uint32 moved, uint32 *original, uint32 *released)
{
	uint32		records = 0;

	memset(released, 0, sizeof(uint32) * classes);
	for (uint32 k = 0; k < classes; k++)
	{
		original[k] = pick(3) == 0 ? 0 : 1 + pick(most);
		records += original[k];
		for (uint32 left = original[k], some; left > 0; left -= some)
		{
			some = 1 + pick(left);
			released[pick(100) < moved ? pick(classes) : k] += some;
		}
	}
	return records;
}

/* is_rounded tells whether a figure is a number that was rounded so, or withheld. */
static bool
is_rounded(double figure, double number, double rounding)
{
	return rounding > SDC_FIGURE_COARSEST ? isnan(figure) : fabs(figure - number) <= rounding * 0.501;
}

/* Distances are those of the definitions, and their rounding hides the largest move. */
static void
distances_agree(void)
{
	for (uint32 turn = 0; turn < 1000; turn++)
	{
		const uint32 grain = turn % 3 == 0 ? 1 : 5;
		uint32		classes;
		uint32		count[2][12];
		double		rounded[2][12];
		double		below[2] = {0, 0};
		double		greatest = 0;
		double		distance;
		double		rounding;
		uint32		records;
		uint32		moved;
		uint32		most;
		SdcFigure	figure[2];

		random_state = turn;
		classes = 2 + pick(11);
		/* one after the other, so that they are the same on every machine */
		moved = pick(101);
		most = 3u << pick(20);
		records = draw_counts(classes, most, moved, count[0], count[1]);
		if (records == 0)
			continue;
		for (uint32 k = 0; k < classes; k++)
		{
			for (int f = 0; f < 2; f++)
			{
				rounded[f][k] = floor((double) count[f][k] / grain + 0.5) * grain;
				below[f] += count[f][k];
			}
			greatest = fmax(greatest, fabs(floor(below[0] / grain + 0.5) - floor(below[1] / grain + 0.5)));
		}
		greatest *= (double) grain / records;
		sdc_coarsemargins_distances(count[0], count[1], classes, records, grain, &figure[0], &figure[1]);
		rounding = sdc_grain_ladder(fmax(SDC_FIGURE_FINEST, (double) grain / records));
		CHECKF(figure[0].rounding == rounding, "turn %u: rounded to %g, not %g", turn, figure[0].rounding, rounding);
		CHECKF(is_rounded(figure[0].value, greatest, rounding), "turn %u: %g, not %g", turn, figure[0].value, greatest);
		distance = fmin(hellinger(rounded[0], rounded[1], classes, records), 1);
		rounding = sdc_grain_ladder(fmax(SDC_FIGURE_FINEST,
										 hellinger_moves(rounded[0], rounded[1], classes, records, grain)));
		CHECKF(figure[1].rounding == rounding, "turn %u: rounded to %g, not %g", turn, figure[1].rounding, rounding);
		CHECKF(is_rounded(figure[1].value, distance, rounding), "turn %u: %g, not %g", turn, figure[1].value, distance);
	}
}

/* The correlation is that of the scores: nothing but rounding is between the two. */
static void
correlations_agree(void)
{
	static int8 x[2][200000];
	static int8 y[2][200000];
	const uint32 n = 200000;

	for (uint32 turn = 0; turn < 5; turn++)
	{
		SdcCoarseScores column[2] = {{x[0], x[1], 9}, {y[0], y[1], 4}};
		double		rho[2];
		double		change;
		double		move;

		random_state = turn;
		for (int f = 0; f < 2; f++)
		{
			double		sum[5] = {0};

			for (uint32 i = 0; i < n; i++)
			{
				uint32		a = pick(10);
				uint32		b = pick(4) < turn ? a / 2 : pick(5);

				x[f][i] = (int8) (2 * (int) a - 9);
				y[f][i] = (int8) (2 * (int) (f == 0 ? b : pick(5)) - 4);
				sum[0] += x[f][i];
				sum[1] += y[f][i];
				sum[2] += x[f][i] * x[f][i];
				sum[3] += y[f][i] * y[f][i];
				sum[4] += x[f][i] * y[f][i];
			}
			rho[f] = (sum[4] / n - sum[0] / n * sum[1] / n) /
				sqrt((sum[2] / n - sum[0] / n * sum[0] / n) * (sum[3] / n - sum[1] / n * sum[1] / n));
		}
		sdc_coarsecorrelation_change(&column[0], &column[1], n, 5, &change, &move);
		CHECKF(fabs(change - fabs(rho[0] - rho[1])) < move && move < 0.001, "%g, %g and %g", change, rho[0], rho[1]);
	}
	memset(y[0], 0, sizeof(y[0]));
	{
		SdcCoarseScores column[2] = {{x[0], x[1], 9}, {y[0], y[1], 4}};
		double		change;
		double		move;

		sdc_coarsecorrelation_change(&column[0], &column[1], n, 5, &change, &move);
		CHECK(isnan(change));
	}
}

int
main(void)
{
	RUN(numbers_are_divided);
	RUN(others_are_divided);
	RUN(records_do_not_show);
	RUN(nights_do_not_add_up);
	RUN(outliers_are_cut);
	RUN(figures_by_hand);
	RUN(distances_agree);
	RUN(correlations_agree);
	return tap_done();
}
