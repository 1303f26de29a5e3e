/*-------------------------------------------------------------------------
 *
 * swapbins.c
 *		What a rank swapped column of a publication tells about a condition on it.
 *
 * The values of the column are those of the source, so ranks are too.  In the standard method a value is within a
 * window of positions of that which it took the place of: a record whose value is further from every change of the
 * condition has an original for which the condition holds as well, or does not.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "kernel/rank/rankswap.h"
#include "measure/accuracy/swapbins.h"
#include "miscadmin.h"
#include "relation/base/memory.h"
#include "relation/base/random.h"
#include "relation/catalog/methods.h"
#include "relation/catalog/noiseparameters.h"

/* Bins are fine within so many windows of a change; a coarse one has a share of the records, or a window. */
#define FINE_WINDOWS 2.0
#define COARSE_SHARE 10

/* Positions that are swapped to find out how likely values move. */
#define MIX_POSITIONS 200000

/* The mean distance of the p-distribution is never less. */
#define LEAST_MEAN 1e-300

/* is tells whether a column was protected by a method. */
static bool
is(const SdcSwapBins *column, const char *method)
{
	return strcmp(column->how->method, method) == 0;
}

/* valued returns how many records have a value. */
static uint32
valued(const SdcSwapBins *column)
{
	uint32		sum = 0;

	for (uint32 c = 0; c < column->codes; c++)
		sum += column->count[c];
	return sum;
}

/* find_window returns how many positions a value moves. */
static uint32
find_window(const SdcSwapBins *column, uint32 records)
{
	if (is(column, SDC_METHOD_RANKSWAP_BUCKETS))
		return Max((uint32) ceil(records / column->how->reach), 1);
	return sdc_rankswap_window(Min(column->how->reach, 100), records);
}

/*
 * mark_near marks the codes within whose window the condition holds for some value, or does not hold; start has the
 * first position of each code.
 */
static void
mark_near(const SdcSwapBins *column, const uint64 *start, bool holds, bool *near)
{
	uint32		low = 0;
	uint32		high = 0;
	uint64		inside = 0;		/* codes of [low, high) for which it is so */

	for (uint32 c = 0; c < column->codes; c++)
	{
		CHECK_FOR_INTERRUPTS();
		while (high < column->codes && start[high] < start[c + 1] + column->window)
			inside += column->holds[high++] == holds;
		while (start[low + 1] + column->window <= start[c])
			inside -= column->holds[low++] == holds;
		near[c] = inside > 0;
	}
}

/* sdc_swapbins_bound: see swapbins.h. */
void
sdc_swapbins_bound(SdcSwapBins *column)
{
	uint64	   *start = sdc_memory_array((uint64) column->codes + 1, sizeof(uint64));

	start[0] = 0;
	for (uint32 c = 0; c < column->codes; c++)
		start[c + 1] = start[c] + column->count[c];
	column->window = find_window(column, valued(column));
	if (is(column, SDC_METHOD_RANKSWAP))
	{
		mark_near(column, start, true, column->possible);
		mark_near(column, start, false, column->sure);
		for (uint32 c = 0; c < column->codes; c++)
			column->sure[c] = !column->sure[c];
	}
	/* no value stays where it is */
	column->sure[column->codes] = column->possible[column->codes] = column->holds[column->codes];
	sdc_free(start);
}

/* next_change returns the first code from some code on that has another truth than the one before it. */
static uint32
next_change(const SdcSwapBins *column, uint32 code)
{
	while (code < column->codes && column->holds[code] == column->holds[code - 1])
		code++;
	return code;
}

/* number_bins gives every code the number of its bin. */
static void
number_bins(SdcSwapBins *column, double fine, uint32 records)
{
	double		coarse = Max((double) column->window, (double) records / COARSE_SHARE);
	double		last = -INFINITY;	/* the last change of the condition, and the next one */
	double		next = INFINITY;
	uint32		change = 0;
	double		start = 0;
	double		size = 0;

	for (uint32 c = 0; c < column->codes; c++)
	{
		double		middle = start + column->count[c] / 2.0;
		double		target;

		CHECK_FOR_INTERRUPTS();
		if (c == change)
		{
			double		position = start;

			last = c == 0 ? last : start;
			change = next_change(column, c + 1);
			for (uint32 i = c; i < change && change < column->codes; i++)
				position += column->count[i];
			next = change < column->codes ? position : INFINITY;
		}
		target = Min(middle - last, next - middle) <= FINE_WINDOWS * column->window ?
			Max(column->window / fine, 1) : coarse;
		if (c > 0 && (column->holds[c] != column->holds[c - 1] || size >= target || column->count[c] >= target))
		{
			column->bins++;
			size = 0;
		}
		column->bin[c] = column->bins;
		size += column->count[c];
		start += column->count[c];
	}
	column->bins += column->codes > 0;
	column->bin[column->codes] = column->bins;
	column->bins += column->count[column->codes] > 0;
}

/* Where swaps are counted. */
typedef struct Mixing
{
	SdcSwapBins *column;
	uint32	   *end;			/* positions up to the end of each bin */
	double	   *stays;			/* positions of each bin that are not swapped */
} Mixing;

/* bin_at returns the bin of a position. */
static uint32
bin_at(const Mixing *mixing, uint32 position)
{
	uint32		low = 0;
	uint32		high = mixing->column->bins - 1;

	while (low < high)
	{
		uint32		middle = (low + high) / 2;

		if (position < mixing->end[middle])
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

/* take_swap counts a swap: SdcSwapEmit. */
static void
take_swap(void *arg, uint32 a, uint32 b)
{
	Mixing	   *mixing = arg;
	uint32		from = bin_at(mixing, a);
	uint32		to = bin_at(mixing, b);

	mixing->column->mix[from * mixing->column->bins + to]++;
	mixing->column->mix[to * mixing->column->bins + from]++;
	mixing->stays[from]--;
	mixing->stays[to]--;
}

/* swap swaps positions as the column was swapped. */
static void
swap(const SdcSwapBins *column, const SdcSwapRun *run)
{
	double		mean = Max(0.5 * Min(column->how->reach, 100) * run->n / 100.0, LEAST_MEAN);

	if (is(column, SDC_METHOD_RANKSWAP))
		sdc_rankswap_by_window(run, column->window);
	else if (is(column, SDC_METHOD_RANKSWAP_BUCKETS))
		sdc_rankswap_by_buckets(run, (uint32) Max(Min(column->how->reach, run->n), 1), &sdc_rankswap_halving);
	else
		sdc_rankswap_by_distribution(run, mean, mean);
}

/* mix_ranks counts how values move. */
static void
mix_ranks(SdcSwapBins *column, uint32 records)
{
	SdcRandom  *random = sdc_random_create("unswap", column->how->method);
	Mixing		mixing = {.column = column, .end = palloc0(sizeof(uint32) * Max(column->bins, 1)),
	.stays = palloc0(sizeof(double) * Max(column->bins, 1))};
	SdcSwapRun	run = {.n = records, .emit = take_swap, .arg = &mixing};
	uint32		runs = MIX_POSITIONS / Max(records, 1) + 1;

	run.unswapped = sdc_positionset_create(records);
	for (uint32 b = 0, end = 0; b < column->bins; b++)
	{
		mixing.end[b] = end += (uint32) column->margin[b];
		mixing.stays[b] = runs * column->margin[b];
	}
	for (uint32 i = 0; i < runs && records > 0; i++)
	{
		run.stream = sdc_random_start(random, "", "mix", i);
		swap(column, &run);
	}
	sdc_random_verify(random);
	sdc_positionset_destroy(run.unswapped);
	for (uint32 b = 0; b < column->bins; b++)
	{
		column->mix[b * column->bins + b] += mixing.stays[b];
		for (uint32 other = 0; other < column->bins; other++)
			column->mix[b * column->bins + other] /= runs * column->margin[b];
	}
}

/* ------------------------------------------------------------------------
 * Noise
 * ------------------------------------------------------------------------
 */

/* find_law finds the law of the noise by the released numbers; false: they are not finite, or all the same. */
static bool
find_law(const SdcSwapBins *column, SdcNoiseLaw *law)
{
	SdcNoiseColumn about = {.low = -INFINITY, .high = INFINITY};
	double		amount = column->how->amount;
	double		records = valued(column);
	double		square = 0;

	if (column->value == NULL || column->how->bounded)
		return false;
	for (uint32 c = 0; c < column->codes; c++)
		about.mean += column->value[c] / records * column->count[c];
	for (uint32 c = 0; c < column->codes; c++)
		square += (column->value[c] - about.mean) * (column->value[c] - about.mean) / records * column->count[c];
	about.sd = sqrt(square);
	/* noise has made it that much larger */
	if (column->how->scheme == SDC_SCHEME_ADDITIVE || column->how->scheme == SDC_SCHEME_CORRELATED)
		about.sd /= sqrt(1 + amount * amount);
	return isfinite(about.sd) && sdc_noiseparameters_law(column->how->scheme, amount, &about, law);
}

/* noise_window returns how many records are within a deviation of the noise on a side of a change of the condition. */
static uint32
noise_window(const SdcSwapBins *column, const SdcNoiseLaw *law)
{
	double		near = 0;
	uint32		changes = 0;

	for (uint32 c = 1; c < column->codes; c++)
	{
		double		reach = law->scale * (law->kind == SDC_NOISE_SCALED ? fabs(column->value[c]) : 1);

		CHECK_FOR_INTERRUPTS();
		if (column->holds[c] == column->holds[c - 1])
			continue;
		changes++;
		for (uint32 i = 0; i < column->codes; i++)
			if (fabs(column->value[i] - column->value[c]) <= reach)
				near += column->count[i] / 2.0;
	}
	return changes == 0 ? 1 : (uint32) Max(near / changes, 1);
}

/* mix_noise finds how likely numbers of each bin are released in each other one; bins end between released numbers. */
static void
mix_noise(SdcSwapBins *column, const SdcNoiseLaw *law)
{
	uint32		bins = column->bins - (column->count[column->codes] > 0);
	double	   *end = palloc(sizeof(double) * Max(bins, 1));

	for (uint32 b = 0; b < bins; b++)
		end[b] = INFINITY;
	for (uint32 c = 1; c < column->codes; c++)
		if (column->bin[c] != column->bin[c - 1])
			end[column->bin[c - 1]] = column->value[c - 1] + (column->value[c] - column->value[c - 1]) / 2;
	for (uint32 c = 0; c < column->codes; c++)
	{
		double	   *row = &column->mix[column->bin[c] * column->bins];
		double		share = column->count[c] / column->margin[column->bin[c]];
		double		before = 0;

		CHECK_FOR_INTERRUPTS();
		for (uint32 b = 0; b < bins; b++)
		{
			double		below = isinf(end[b]) ? 1 : sdc_noiselaw_below(law, column->value[c], end[b]);

			row[b] += share * (below - before);
			before = below;
		}
	}
	if (bins < column->bins)
		column->mix[bins * column->bins + bins] = 1;
}

/* sdc_swapbins_divide: see swapbins.h. */
bool
sdc_swapbins_divide(SdcSwapBins *column, double fine, uint32 most)
{
	uint32		records = valued(column);
	SdcNoiseLaw law;

	if (column->mixed == SDC_MIX_UNKNOWN || (column->mixed == SDC_MIX_NOISE && !find_law(column, &law)))
		return false;
	column->window = column->mixed == SDC_MIX_NOISE ? noise_window(column, &law) : find_window(column, records);
	column->bin = sdc_memory_array((uint64) column->codes + 1, sizeof(uint32));
	number_bins(column, fine, records);
	if (column->bins > most)
		return false;
	column->margin = palloc0(sizeof(double) * Max(column->bins, 1));
	column->bin_holds = palloc0(sizeof(bool) * Max(column->bins, 1));
	column->mix = palloc0(sizeof(double) * Max(column->bins * column->bins, 1));
	for (uint32 c = 0; c <= column->codes; c++)
		if (column->count[c] > 0)
		{
			column->margin[column->bin[c]] += column->count[c];
			column->bin_holds[column->bin[c]] = column->holds[c];
		}
	if (column->mixed == SDC_MIX_NOISE)
		mix_noise(column, &law);
	else
		mix_ranks(column, records);
	return true;
}
