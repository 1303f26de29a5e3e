/*-------------------------------------------------------------------------
 *
 * coarsemargins.c
 *		How far the distribution of a column is from that of its source, and no record's value.
 *
 * Both files are rounded alike (grain.h): so equal ones have exactly 0, and what is told of the source depends on its
 * rounded sums alone.
 *
 * Mean and deviation come from the sums of u, u^2 and 1 over the records that have a number, u being its place
 * between the ends, from -1 to 1.  The ends are the multiples, around all numbers of the release, of the power of two
 * that is between an eighth and a quarter of their range: so they tell nothing of the source, and those of other
 * releases of it are nearly always the same.  A number beyond them counts as the end: otherwise one record of any size
 * could move the mean by any amount, and the rounding that hides it would tell its size.
 *
 * Distances come from counts of classes.  A record that is replaced changes two of these by one, and a rounded one by
 * the grain: the largest moves of Hellinger's distance are those of the two classes that move its terms most.
 *
 * Linear time, no memory.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/base/moments.h"
#include "kernel/loss/coarsemargins.h"

/* The ends of a release are multiples of a power of two: at least this part of its range, and less than twice. */
#define END_PARTS 8

/* The sums over a file. */
enum
{
	SUM_PLACE,					/* u */
	SUM_NUMBERS,				/* 1 */
	SUM_SQUARE,					/* u^2 */
	SUMS
};

/* A release that sources are compared with, in units of half the distance of its ends. */
typedef struct Spread
{
	double		low;			/* the ends */
	double		high;
	double		middle;			/* between them, in these units */
	double		step[SUMS];
	double		sum[SUMS];		/* rounded ones of the release */
	double		mean;			/* of the release, as it is */
	double		deviation;
} Spread;

/* find_ends finds the ends; false: there are no two different numbers, or none in reach. */
static bool
find_ends(const double *released, uint32 records, Spread *spread)
{
	double		least = INFINITY;
	double		greatest = -INFINITY;
	double		unit;
	int			exponent;

	for (uint32 i = 0; i < records; i++)
	{
		sdc_interrupts_step(i);
		if (!sdc_moments_present(released[i]))
			continue;
		least = fmin(least, released[i]);
		greatest = fmax(greatest, released[i]);
	}
	if (!(greatest > least) || !isfinite(greatest - least))
		return false;
	(void) frexp((greatest - least) / END_PARTS, &exponent);
	unit = ldexp(1, exponent);
	spread->low = unit * floor(least / unit);
	spread->high = unit * ceil(greatest / unit);
	spread->middle = (spread->low + spread->high) / (spread->high - spread->low);
	return unit > 0 && isfinite(spread->high - spread->low) && isfinite(spread->middle);
}

/* add_up makes the sums over a file. */
static void
add_up(const Spread *spread, const double *value, uint32 records, double sum[SUMS])
{
	SdcMomentsSum place = {0, 0};
	SdcMomentsSum square = {0, 0};
	uint32		numbers = 0;

	for (uint32 i = 0; i < records; i++)
	{
		double		u;

		sdc_interrupts_step(i);
		if (!sdc_moments_present(value[i]))
			continue;
		u = fmin(fmax(value[i], spread->low), spread->high);
		u = 2 * ((u - spread->low) / (spread->high - spread->low)) - 1;
		sdc_moments_add(&place, u);
		sdc_moments_add(&square, u * u);
		numbers++;
	}
	sum[SUM_PLACE] = sdc_moments_total(&place);
	sum[SUM_SQUARE] = sdc_moments_total(&square);
	sum[SUM_NUMBERS] = numbers;
}

/* mean_of is the mean by some sums, NaN without numbers. */
static double
mean_of(const double *sum)
{
	return sum[SUM_NUMBERS] > 0 ? sum[SUM_PLACE] / sum[SUM_NUMBERS] : NAN;
}

/* deviation_of is the standard deviation. */
static double
deviation_of(const double *sum)
{
	double		mean = mean_of(sum);

	return sqrt(fmax(sum[SUM_SQUARE] / sum[SUM_NUMBERS] - mean * mean, 0));
}

/* mean_error is an SdcFigureFunction of the first two sums. */
static double
mean_error(const double *sum, const void *arg)
{
	const Spread *spread = arg;

	return fabs(mean_of(sum) - mean_of(spread->sum)) / fabs(spread->middle + spread->mean);
}

/* deviation_error is one of all sums. */
static double
deviation_error(const double *sum, const void *arg)
{
	const Spread *spread = arg;

	return fabs(deviation_of(sum) - deviation_of(spread->sum)) / spread->deviation;
}

/* round_sums rounds the sums of a file. */
static void
round_sums(const Spread *spread, double sum[SUMS])
{
	for (int i = 0; i < SUMS; i++)
		sum[i] = sdc_grain_sum(sum[i], spread->step[i]);
}

/* tell computes a figure; what the release has no scale for is withheld. */
static SdcFigure
tell(const Spread *spread, SdcFigureFunction function, const double *sum, int sums)
{
	double		value;
	double		move;

	sdc_figure_moves(function, spread, sum, spread->step, sums, &value, &move);
	return isfinite(value) ? sdc_figure_round(value, move) : sdc_figure_withheld();
}

/* sdc_coarsemargins_spread: see coarsemargins.h. */
void
sdc_coarsemargins_spread(const double *original, const double *released, uint32 records, uint32 grain,
						 SdcFigure *mean, SdcFigure *deviation)
{
	/* one record moves the sum of what is in [-1, 1] by 2, the others by 1 */
	Spread		spread = {.step = {[SUM_PLACE] = 2.0 * grain, [SUM_NUMBERS] = grain, [SUM_SQUARE] = grain}};
	double		sum[SUMS];

	*mean = *deviation = sdc_figure_withheld();
	if (!find_ends(released, records, &spread))
		return;
	add_up(&spread, released, records, spread.sum);
	spread.mean = mean_of(spread.sum);
	spread.deviation = deviation_of(spread.sum);
	round_sums(&spread, spread.sum);
	add_up(&spread, original, records, sum);
	round_sums(&spread, sum);
	*mean = tell(&spread, mean_error, sum, SUM_SQUARE);
	*deviation = tell(&spread, deviation_error, sum, SUMS);
}

/* term_of is what a class adds to the square of Hellinger's distance. */
static double
term_of(double original, double released, uint32 records)
{
	double		difference = sqrt(fmax(original, 0) / records) - sqrt(released / records);

	return difference * difference / 2;
}

/* keep_two puts a number among the two greatest. */
static void
keep_two(double greatest[2], double number)
{
	if (number > greatest[0])
	{
		greatest[1] = greatest[0];
		greatest[0] = number;
	}
	else
		greatest[1] = fmax(greatest[1], number);
}

/* tell_hellinger computes Hellinger's distance. */
static SdcFigure
tell_hellinger(const uint32 *original, const uint32 *released, uint32 classes, uint32 records, uint32 grain)
{
	SdcMomentsSum sum = {0, 0};
	double		more[2] = {0, 0};	/* how much at most a class can add to the square, or take from it */
	double		less[2] = {0, 0};
	double		square;
	double		value;

	for (uint32 k = 0; k < classes; k++)
	{
		double		count = (double) sdc_grain_count(original[k], grain);
		double		other = (double) sdc_grain_count(released[k], grain);
		double		term = term_of(count, other, records);
		double		higher = term_of(count + grain, other, records) - term;
		double		lower = term_of(count - grain, other, records) - term;

		sdc_moments_add(&sum, term);
		keep_two(more, fmax(higher, lower));
		keep_two(less, -fmin(higher, lower));
	}
	square = sdc_moments_total(&sum);
	value = sqrt(square);
	return sdc_figure_round(fmin(value, 1), fmax(sqrt(square + more[0] + more[1]) - value,
												 value - sqrt(fmax(square - less[0] - less[1], 0))));
}

/* sdc_coarsemargins_distances: see coarsemargins.h. */
void
sdc_coarsemargins_distances(const uint32 *original, const uint32 *released, uint32 classes, uint32 records,
							uint32 grain, SdcFigure *kolmogorov, SdcFigure *hellinger)
{
	uint64		below[2] = {0, 0};
	double		greatest = 0;

	*kolmogorov = *hellinger = sdc_figure_withheld();
	if (classes < 2)
		return;
	for (uint32 k = 0; k < classes; k++)
	{
		below[0] += original[k];
		below[1] += released[k];
		greatest = fmax(greatest, fabs((double) sdc_grain_count(below[0], grain) -
									   (double) sdc_grain_count(below[1], grain)));
	}
	*kolmogorov = sdc_figure_round(greatest / records, (double) grain / records);
	*hellinger = tell_hellinger(original, released, classes, records, grain);
}
