/*-------------------------------------------------------------------------
 *
 * test_grain.c
 *		Steps, rounded sums and rounded figures, against values by hand and their definitions.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <math.h>

#include "kernel/base/grain.h"

#include "random.h"
#include "tap.h"

/* Steps are 1, 2 and 5 times a power of ten, the least that will do. */
static void
steps_by_hand(void)
{
	static const double wanted[][2] = {
		{1, 1}, {1.5, 2}, {2, 2}, {2.1, 5}, {5, 5}, {5.1, 10}, {0.05, 0.05}, {0.0201, 0.05}, {0.005, 0.005},
		{0.3, 0.5}, {999, 1000}, {1e-7, 1e-7}, {3e12, 5e12}
	};
	static const uint32 grains[][2] = {
		{0, 5}, {1, 5}, {1000, 5}, {50000, 5}, {59999, 5}, {60000, 10}, {100000, 10}, {110000, 20}, {1000000, 100},
		{UINT32_MAX, 500000}
	};

	for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++)
		CHECKF(fabs(sdc_grain_ladder(wanted[i][0]) / wanted[i][1] - 1) < 1e-12, "%g: %g", wanted[i][0],
			   sdc_grain_ladder(wanted[i][0]));
	for (size_t i = 0; i < sizeof(grains) / sizeof(grains[0]); i++)
		CHECKF(sdc_grain_of(grains[i][0]) == grains[i][1], "%u: %u", grains[i][0], sdc_grain_of(grains[i][0]));
}

/*
 * A rounded count is the nearest multiple, so the exact one is never told, and one more moves it by one step at most.
 */
static void
counts_are_multiples(void)
{
	static const uint32 grains[] = {5, 10, 20, 50};

	for (int g = 0; g < 4; g++)
		for (uint64 count = 0; count < 500; count++)
		{
			uint64		rounded = sdc_grain_count(count, grains[g]);

			CHECK(rounded % grains[g] == 0 && fabs((double) rounded - (double) count) <= grains[g] / 2.0);
			CHECK(sdc_grain_count(count + 1, grains[g]) - rounded <= grains[g]);
			CHECK(grains[g] % 2 == 0 || (double) rounded == sdc_grain_sum((double) count, grains[g]));
		}
	CHECK(sdc_grain_count(2, 5) == 0 && sdc_grain_count(3, 5) == 5 && sdc_grain_sum(-13, 10) == -10);
}

/* weighted is a figure that is linear in its sums: its largest move is the sum of the steps with their weights. */
static double
weighted(const double *sum, const void *arg)
{
	const double *weight = arg;

	return weight[0] * sum[0] + weight[1] * sum[1] + weight[2] * sum[2];
}

/* The largest move of all combinations. */
static void
moves_are_largest(void)
{
	for (uint32 turn = 0; turn < 500; turn++)
	{
		double		weight[3];
		double		sum[3];
		double		step[3];
		double		wanted = 0;
		double		value;
		double		move;

		random_state = turn;
		for (int i = 0; i < 3; i++)
		{
			weight[i] = (double) pick(2001) / 100 - 10;
			sum[i] = pick(1000);
			step[i] = 1 + pick(20);
			wanted += fabs(weight[i]) * step[i];
		}
		sdc_figure_moves(weighted, weight, sum, step, 3, &value, &move);
		CHECK(fabs(move - wanted) < 1e-9 * (1 + wanted) && value == weighted(sum, weight));
	}
}

/* A figure is a multiple of its rounding, which is not below its move; two that are no further apart stay so. */
static void
figures_are_rounded(void)
{
	SdcFigure	figure = sdc_figure_round(0.0349, 0.0066);

	CHECK(figure.value == 0.03 && figure.rounding == 0.01);
	figure = sdc_figure_round(0.12345, 1e-9);
	CHECK(figure.value == 0.123 && figure.rounding == 0.001);
	figure = sdc_figure_round(66.2, 0.05);
	CHECK(figure.value == 66.2 && figure.rounding == 0.05);
	figure = sdc_figure_round(0.5, 0.11);
	CHECK(isnan(figure.value) && fabs(figure.rounding - 0.2) < 1e-12);
	figure = sdc_figure_round(0.5, INFINITY);
	CHECK(isnan(figure.value) && isinf(figure.rounding));
	figure = sdc_figure_round(NAN, 0.01);
	CHECK(isnan(figure.value) && isnan(figure.rounding));
	for (uint32 turn = 0; turn < 20000; turn++)
	{
		double		value;
		double		move;
		double		other;
		SdcFigure	two[2];
		double		coarser;

		random_state = turn;
		value = (double) pick(1000000) / 1e6;
		move = (double) (1 + pick(99999)) / 1e6;
		/* a figure one record away has a move that is not below their distance, which may be another one */
		other = value + move * ((double) pick(2001) / 1000 - 1);
		two[0] = sdc_figure_round(value, move);
		two[1] = sdc_figure_round(other, move * (1 + (double) pick(3000) / 1000));
		coarser = fmax(two[0].rounding, two[1].rounding);
		CHECK(two[0].rounding >= move * (1 - 1e-8) && two[0].rounding < move * 2.5001 + 0.001);
		if (!isfinite(two[0].value) || !isfinite(two[1].value))
			continue;
		CHECK(fabs(two[0].value / two[0].rounding - round(two[0].value / two[0].rounding)) < 1e-6);
		CHECK(fabs(two[0].value - value) <= two[0].rounding / 2 + 1e-12);
		CHECKF(fabs(two[0].value - two[1].value) <= coarser + 1e-9, "%g and %g, moves of %g", value, other, move);
	}
}

int
main(void)
{
	RUN(steps_by_hand);
	RUN(counts_are_multiples);
	RUN(moves_are_largest);
	RUN(figures_are_rounded);
	return tap_done();
}
