/*-------------------------------------------------------------------------
 *
 * grain.c
 *		How coarse the figures about a source are, so that no record of it shows.
 *
 * The definition is ours (doc/methods-accuracy.md).  Steps are those of the ladder 1, 2, 5, 10, ...: a source that
 * grows and shrinks a little keeps its grain, so that different nights are rounded alike.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/base/grain.h"

/* What is computed can be off by so much of itself. */
#define OFF 1e-9

/* The finest rounding is one over so many. */
#define UNITS 1000.0

/* sdc_grain_ladder: see grain.h. */
double
sdc_grain_ladder(double least)
{
	double		power = pow(10, floor(log10(least)));

	/* the logarithm can be too large by an error of rounding */
	if (power > least)
		power /= 10;
	for (int rung = 1; rung <= 5; rung += rung == 1 ? 1 : 3)
		if (rung * power * (1 + OFF) >= least)
			return rung * power;
	return 10 * power;
}

/* sdc_grain_of: see grain.h. */
uint32
sdc_grain_of(uint32 records)
{
	uint32		share = records / SDC_GRAIN_SHARE;

	return (uint32) sdc_grain_ladder(share > SDC_GRAIN_LEAST ? share : SDC_GRAIN_LEAST);
}

/* sdc_figure_moves: all combinations of moves, in base 3. */
void
sdc_figure_moves(SdcFigureFunction function, const void *arg, const double *sum, const double *step, int sums,
				 double *value, double *move)
{
	double		moved[SDC_FIGURE_SUMS];
	int			combinations = 1;

	SDC_ASSERT(sums <= SDC_FIGURE_SUMS);
	for (int i = 0; i < sums; i++)
		combinations *= 3;
	*value = function(sum, arg);
	*move = 0;
	for (int c = 0; c < combinations; c++)
	{
		double		distance;

		for (int i = 0, rest = c; i < sums; i++, rest /= 3)
			moved[i] = sum[i] + (rest % 3 - 1) * step[i];
		distance = fabs(function(moved, arg) - *value);
		*move = isnan(distance) ? INFINITY : fmax(*move, distance);
	}
}

/* sdc_figure_round: the value is a decimal number of few digits, and the nearest double to it. */
SdcFigure
sdc_figure_round(double value, double move)
{
	SdcFigure	figure = {NAN, NAN};
	double		units;

	if (!isfinite(value))
		return figure;
	figure.rounding = isfinite(move) ? sdc_grain_ladder(fmax(move, SDC_FIGURE_FINEST)) : INFINITY;
	units = round(figure.rounding * UNITS);
	if (units <= SDC_FIGURE_COARSEST * UNITS)
		figure.value = floor(value * UNITS / units + 0.5) * units / UNITS;
	return figure;
}
