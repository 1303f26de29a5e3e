/*-------------------------------------------------------------------------
 *
 * grain.h
 *		How coarse the figures about a source are, so that no record of it shows.
 *
 * A figure that leaves the house is computed from sums and counts of the source that were rounded before.  The grain
 * of a file is a number of records: a sum is rounded to a multiple of what so many records can change in it.  So the
 * replacement of one record moves a rounded sum by one step at most, and mostly not at all; and a reader of figures
 * of many releases of one source learns its rounded sums, and nothing else.
 *
 * The figure itself is a multiple of its rounding, which is at least the largest move of the figure when each rounded
 * sum moves by one step.  A figure whose rounding would be too coarse is withheld.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_GRAIN_H
#define SDC_KERNEL_GRAIN_H

#include "kernel/base/kernel_env.h"

#include <math.h>

/* The least grain, in records; and a file of more than so many times as many records has a larger one. */
#define SDC_GRAIN_LEAST 5
#define SDC_GRAIN_SHARE 10000

/* The finest rounding of a figure, and the coarsest one: what needs more is withheld. */
#define SDC_FIGURE_FINEST 0.001
#define SDC_FIGURE_COARSEST 0.1

/* Sums at most that a figure is made of. */
#define SDC_FIGURE_SUMS 5

/*
 * A figure as it is published.  value is NaN where it is withheld or not defined; rounding is NaN where it is not
 * defined, above SDC_FIGURE_COARSEST where it is withheld, and infinite where nothing can be told at all.
 */
typedef struct SdcFigure
{
	double		value;
	double		rounding;
} SdcFigure;

/* A figure as a function of sums of the source; NaN where it has no value. */
typedef double (*SdcFigureFunction) (const double *sum, const void *arg);

/* sdc_grain_ladder returns the smallest of 1, 2 and 5 times a power of ten that is at least a number above 0. */
extern double sdc_grain_ladder(double least);

/* sdc_grain_of returns the grain of a file: one of 5, 10, 20, 50, ... records. */
extern uint32 sdc_grain_of(uint32 records);

/* sdc_grain_count returns the nearest multiple of the grain, the higher one of two. */
static inline uint64
sdc_grain_count(uint64 count, uint32 grain)
{
	return (count + grain / 2) / grain * grain;
}

/* sdc_grain_sum does so for a sum and any step above 0. */
static inline double
sdc_grain_sum(double sum, double step)
{
	return step * floor(sum / step + 0.5);
}

/*
 * sdc_figure_moves writes the value of a figure for some rounded sums, and the largest distance to its value when
 * each of them is as it is, or one step higher or lower: infinite if it has no value then.
 */
extern void sdc_figure_moves(SdcFigureFunction function, const void *arg, const double *sum, const double *step,
							 int sums, double *value, double *move);

/* sdc_figure_round rounds a figure that one record moves by so much at most. */
extern SdcFigure sdc_figure_round(double value, double move);

/* sdc_figure_withheld is a figure of which nothing can be told. */
static inline SdcFigure
sdc_figure_withheld(void)
{
	return (SdcFigure) {NAN, INFINITY};
}

#endif							/* SDC_KERNEL_GRAIN_H */
