/*-------------------------------------------------------------------------
 *
 * test_estimate.c
 *		Estimates from randomized data, against the transition matrix, and against what is true.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <math.h>

#include "kernel/queries/estimate.h"

#include "random.h"
#include "tap.h"

#define RECORDS 400
#define DIMENSIONS 4
#define VALUES 3				/* of a measure */
#define CELLS 24
#define STRATA 2
#define MISSING -1

/*
 * A release: a dimension is the column of a condition, or a randomized measure.  Cells are the truth of the condition,
 * or the number of a value.
 */
static uint32 records;
static uint32 strata;
static uint32 stratum_of[RECORDS];
static int	cell[DIMENSIONS][RECORDS];
static double copied[RECORDS];
static int	dimensions;
static int	conditions;
static SdcEstimateMeasure measure;
static int	own;				/* the dimension of the measure, if it has a condition */
static double number[VALUES];
static bool holds_for[VALUES];	/* the condition on the measure */
static double probability[DIMENSIONS];
static bool drawn[DIMENSIONS];
static bool single;				/* RA 1 */
static double retain;			/* PRAM, or 0 */
static int	attributes;
static int	draws;
static double center;

/* measured_at is the dimension of a randomized measure. */
static int
measured_at(void)
{
	return measure != SDC_ESTIMATE_RANDOMIZED ? -1 : own >= 0 ? own : conditions;
}

/* cells_of is the number of cells of a dimension. */
static int
cells_of(int j)
{
	return j == measured_at() ? VALUES : 2;
}

/* truth is whether the condition of a dimension holds in a cell. */
static bool
truth(int j, int c)
{
	return j == measured_at() ? j >= conditions || holds_for[c] : c == 1;
}

/* choose is a binomial coefficient. */
static double
choose(int n, int k)
{
	double		c = 1;

	if (k < 0 || k > n)
		return 0;
	for (int i = 1; i <= k; i++)
		c = c * (n - k + i) / i;
	return c;
}

/* set_probability is the probability that of the dimensions just those of a set are drawn. */
static double
set_probability(int set)
{
	double		p = single || retain > 0 ? 1 : 0;
	int			in_qi = 0;
	int			members = 0;

	for (int j = 0; j < dimensions; j++)
	{
		bool		in = set >> j & 1;

		members += in;
		in_qi += drawn[j];
		if (in && (single ? probability[j] == 0 : !drawn[j]))
			return 0;
		if (single)
			p -= probability[j];
		if (retain > 0 && drawn[j])
			p *= in ? 1 - retain : retain;
	}
	if (retain > 0)
		return p;
	if (!single)
		return choose(attributes - in_qi, draws - members) / choose(attributes, draws);
	if (members > 1)
		return 0;
	for (int j = 0; j < dimensions; j++)
		if (set >> j & 1)
			p = probability[j];
	return p;
}

/* cell_at is the cell of a dimension in a combination of them. */
static int
cell_at(int state, int j)
{
	for (int i = 0; i < j; i++)
		state /= cells_of(i);
	return state % cells_of(j);
}

/* states is the number of combinations. */
static int
states(void)
{
	int			count = 1;

	for (int j = 0; j < dimensions; j++)
		count *= cells_of(j);
	return count;
}

/* state_of is the combination of a record, or MISSING. */
static int
state_of(uint32 i)
{
	int			state = 0;

	for (int j = dimensions - 1; j >= 0; j--)
	{
		if (cell[j][i] == MISSING)
			return MISSING;
		state = state * cells_of(j) + cell[j][i];
	}
	return measure == SDC_ESTIMATE_COPIED && isnan(copied[i]) ? MISSING : state;
}

/* transition fills the matrix: from rows to columns. */
static void
transition(double share[DIMENSIONS][VALUES], double matrix[CELLS][CELLS])
{
	int			n = states();

	for (int from = 0; from < n; from++)
	{
		for (int to = 0; to < n; to++)
		{
			matrix[from][to] = 0;
			for (int set = 0; set < 1 << dimensions; set++)
			{
				double		p = set_probability(set);

				for (int j = 0; j < dimensions; j++)
					p *= set >> j & 1 ? share[j][cell_at(to, j)] :
						cell_at(from, j) == cell_at(to, j);
				matrix[from][to] += p;
			}
		}
	}
}

/* invert inverts a matrix by Gauss and Jordan. */
static void
invert(double matrix[CELLS][CELLS], int n, double inverse[CELLS][CELLS])
{
	double		work[CELLS][2 * CELLS];

	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++)
		{
			work[i][j] = matrix[i][j];
			work[i][n + j] = i == j;
		}
	for (int k = 0; k < n; k++)
	{
		int			pivot = k;

		for (int i = k + 1; i < n; i++)
			pivot = fabs(work[i][k]) > fabs(work[pivot][k]) ? i : pivot;
		for (int j = 0; j < 2 * n; j++)
		{
			double		swap = work[k][j];

			work[k][j] = work[pivot][j];
			work[pivot][j] = swap;
		}
		for (int j = 2 * n - 1; j >= k; j--)
			work[k][j] /= work[k][k];
		for (int i = 0; i < n; i++)
			for (int j = 2 * n - 1; j >= k && i != k; j--)
				work[i][j] -= work[i][k] * work[k][j];
	}
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++)
			inverse[i][j] = work[i][n + j];
}

/* apply multiplies a matrix with a function. */
static void
apply(double matrix[CELLS][CELLS], int n, const double *f, double *result)
{
	for (int i = 0; i < n; i++)
	{
		result[i] = 0;
		for (int j = 0; j < n; j++)
			result[i] += matrix[i][j] * f[j];
	}
}

/* wanted is g: all conditions hold, times the randomized measure less from unless records are counted. */
static double
wanted(int state, bool count, double from)
{
	double		g = 1;

	for (int j = 0; j < dimensions; j++)
	{
		g *= truth(j, cell_at(state, j));
		if (j == measured_at() && !count)
			g *= number[cell_at(state, j)] - from;
	}
	return g;
}

/* weight is what a record counts. */
static double
weight(uint32 i, bool count, double from)
{
	return measure == SDC_ESTIMATE_COPIED && !count ? copied[i] - from : 1;
}

/* total is the estimate for a stratum with given shares, and ghat. */
static double
total(uint32 stratum, double share[DIMENSIONS][VALUES], bool count, double from, double *ghat)
{
	double		matrix[CELLS][CELLS];
	double		inverse[CELLS][CELLS];
	double		g[CELLS];
	double		sum = 0;
	int			n = states();

	transition(share, matrix);
	invert(matrix, n, inverse);
	for (int s = 0; s < n; s++)
		g[s] = wanted(s, count, from);
	apply(inverse, n, g, ghat);
	for (uint32 i = 0; i < records; i++)
		if (stratum_of[i] == stratum && state_of(i) != MISSING)
			sum += weight(i, count, from) * ghat[state_of(i)];
	return sum;
}

/* variance_at is phi^2 less what is expected of the original, for one record. */
static double
variance_at(double matrix[CELLS][CELLS], double inverse[CELLS][CELLS], int n, const double *phi,
			int state)
{
	double		psi[CELLS];
	double		back[CELLS];

	apply(matrix, n, phi, psi);
	for (int s = 0; s < n; s++)
		psi[s] *= psi[s];
	apply(inverse, n, psi, back);
	return phi[state] * phi[state] - back[state];
}

/* alone is the matrix of one dimension. */
static void
alone(int j, const double *share, double matrix[CELLS][CELLS])
{
	double		keep = single ? 1 - probability[j] : drawn[j] && retain > 0 ? retain :
	drawn[j] ? 1 - (double) draws / attributes : 1;

	for (int a = 0; a < cells_of(j); a++)
		for (int b = 0; b < cells_of(j); b++)
			matrix[a][b] = (1 - keep) * share[b] + keep * (a == b);
}

/* find_shares fills the shares of the cells of a stratum and how many records have one. */
static void
find_shares(uint32 stratum, double share[DIMENSIONS][VALUES], double *present)
{
	for (int j = 0; j < dimensions; j++)
	{
		memset(share[j], 0, VALUES * sizeof(double));
		present[j] = 0;
		for (uint32 i = 0; i < records; i++)
		{
			if (stratum_of[i] != stratum || cell[j][i] == MISSING)
				continue;
			share[j][cell[j][i]]++;
			present[j]++;
		}
		for (int c = 0; c < VALUES; c++)
			share[j][c] /= present[j] > 0 ? present[j] : 1;
		if (present[j] == 0)
			share[j][0] = 1;
	}
}

/* twin adds the estimate and variance of a stratum, by matrices, record by record. */
static void
twin(uint32 stratum, bool count, double from, double *estimate, double *variance)
{
	double		share[DIMENSIONS][VALUES];
	double		other[DIMENSIONS][VALUES];
	double		present[DIMENSIONS];
	double		influence[DIMENSIONS][VALUES];	/* of a record in a cell, through the margin */
	double		ghat[CELLS];
	double		scratch[CELLS];
	double		matrix[CELLS][CELLS];
	double		inverse[CELLS][CELLS];
	double		value;
	int			n = states();

	find_shares(stratum, share, present);
	value = total(stratum, share, count, from, ghat);
	*estimate += value;
	for (int j = 0; j < dimensions; j++)
	{
		for (int c = 0; c < cells_of(j); c++)
		{
			/* the estimate is linear in the shares of a column */
			memcpy(other, share, sizeof(other));
			for (int k = 0; k < cells_of(j); k++)
				other[j][k] = k == c;
			influence[j][c] = present[j] == 0 ? 0 :
				(total(stratum, other, count, from, scratch) - value) / present[j];
		}
	}
	transition(share, matrix);
	invert(matrix, n, inverse);
	for (uint32 i = 0; i < records; i++)
	{
		double		phi[CELLS];

		if (stratum_of[i] != stratum)
			continue;
		for (int s = 0; s < n; s++)
		{
			phi[s] = weight(i, count, from) * ghat[s];
			for (int j = 0; j < dimensions; j++)
				phi[s] += influence[j][cell_at(s, j)];
		}
		if (state_of(i) != MISSING)
			*variance += variance_at(matrix, inverse, n, phi, state_of(i));
		for (int j = 0; j < dimensions && state_of(i) == MISSING; j++)
		{
			double		one[CELLS][CELLS];
			double		back[CELLS][CELLS];

			if (cell[j][i] == MISSING)
				continue;
			alone(j, share[j], one);
			invert(one, cells_of(j), back);
			*variance += variance_at(one, back, cells_of(j), influence[j], cell[j][i]);
		}
	}
}

/* What the kernel gets. */
static uint64 pattern_records[STRATA][16];
static double pattern_sum[STRATA][16];
static double pattern_square[STRATA][16];
static uint64 present_in[STRATA][DIMENSIONS];
static uint64 holds_in[STRATA][DIMENSIONS];
static SdcEstimateStratum stratum_data[STRATA];

/* load_record adds a record to its stratum. */
static void
load_record(uint32 i)
{
	uint32		s = stratum_of[i];
	int			at = measured_at();
	uint32		pattern = 0;
	double		x = measure == SDC_ESTIMATE_COPIED ? copied[i] - center : 0;

	for (int j = 0; j < conditions; j++)
	{
		if (cell[j][i] == MISSING)
			continue;
		present_in[s][j]++;
		holds_in[s][j] += truth(j, cell[j][i]);
		pattern |= (uint32) truth(j, cell[j][i]) << j;
	}
	if (at >= 0 && cell[at][i] != MISSING)
	{
		x = number[cell[at][i]] - center;
		if (truth(at, cell[at][i]))
		{
			stratum_data[s].measured++;
			stratum_data[s].measured_sum += x;
			stratum_data[s].measured_square += x * x;
		}
	}
	if (state_of(i) == MISSING)
		return;
	pattern_records[s][pattern]++;
	pattern_sum[s][pattern] += x;
	pattern_square[s][pattern] += x * x;
}

/* run runs the kernel on the release. */
static SdcEstimate
run(SdcEstimateStatistic statistic)
{
	SdcEstimateTask task = {statistic, conditions, measure, own, center,
	single ? probability : NULL, drawn, attributes, draws, retain, stratum_data, strata};
	SdcEstimate result;

	memset(pattern_records, 0, sizeof(pattern_records));
	memset(pattern_sum, 0, sizeof(pattern_sum));
	memset(pattern_square, 0, sizeof(pattern_square));
	memset(present_in, 0, sizeof(present_in));
	memset(holds_in, 0, sizeof(holds_in));
	for (uint32 s = 0; s < strata; s++)
		stratum_data[s] = (SdcEstimateStratum) {pattern_records[s],
		measure == SDC_ESTIMATE_NONE ? NULL : pattern_sum[s],
		measure == SDC_ESTIMATE_NONE ? NULL : pattern_square[s], present_in[s], holds_in[s], 0, 0, 0};
	for (uint32 i = 0; i < records; i++)
		load_record(i);
	CHECK(sdc_estimate_identifiable(&task));
	sdc_estimate_run(&task, &result);
	return result;
}

/* draw_design draws conditions, a measure and a randomization. */
static void
draw_design(void)
{
	double		left = 0.9;

	measure = (SdcEstimateMeasure) pick(3);
	conditions = 1 + (int) pick(3);
	own = measure == SDC_ESTIMATE_RANDOMIZED && pick(2) ? (int) pick((uint32) conditions) : -1;
	if (measure == SDC_ESTIMATE_RANDOMIZED && own < 0)
		conditions = conditions > 2 ? 2 : conditions;
	dimensions = conditions + (measure == SDC_ESTIMATE_RANDOMIZED && own < 0);
	single = pick(2);
	retain = !single && pick(2) == 0 ? (3 + pick(6)) / 10.0 : 0;
	attributes = dimensions + 1 + (int) pick(3);
	draws = 1 + (int) pick((uint32) (attributes - dimensions));
	center = pick(2) ? 0 : 40.5;
	for (int v = 0; v < VALUES; v++)
	{
		number[v] = 30 + pick(20);
		holds_for[v] = pick(2);
	}
	for (int j = 0; j < dimensions; j++)
	{
		/* a measure that is not copied is randomized */
		drawn[j] = pick(4) != 0 || j == measured_at();
		probability[j] = drawn[j] ? left / 2 * (1 + pick(100)) / 100 : 0;
		left -= probability[j];
	}
}

/* draw_records draws a file; missing of 100 values are. */
static void
draw_records(uint32 missing)
{
	uint32		bias = 1 + pick(9);

	for (uint32 i = 0; i < records; i++)
	{
		uint32		kind = pick(10);

		stratum_of[i] = pick(strata);
		copied[i] = pick(100) < missing ? NAN : 20 + pick(50) + (kind > 5 ? 10 : 0);
		for (int j = 0; j < dimensions; j++)
		{
			cell[j][i] = j == measured_at() ? (int) (pick(3) ? kind % VALUES : pick(VALUES)) :
				pick(10) < (kind > 5 ? bias : 5);
			if (pick(100) < missing)
				cell[j][i] = MISSING;
		}
	}
}

/* same compares with a tolerance relative to what is added up. */
static bool
same(double a, double b, double scale)
{
	return fabs(a - b) <= 1e-9 * (fabs(b) + scale);
}

/* Small releases: the estimate solves the transition matrix, and the variance is that of matrices. */
static void
matrices_agree(void)
{
	for (uint32 round = 0; round < 1500; round++)
	{
		double		value[2] = {0, 0};
		double		variance[2] = {0, 0};
		double		average[2] = {0, 0};
		SdcEstimate got;

		random_state = round;
		draw_design();
		records = 1 + pick(24);
		strata = 1 + pick(STRATA);
		draw_records(pick(3) == 0 ? 20 : 0);
		for (uint32 s = 0; s < strata; s++)
		{
			twin(s, true, 0, &value[0], &variance[0]);
			twin(s, false, 0, &value[1], &variance[1]);
		}
		got = run(SDC_ESTIMATE_COUNT);
		CHECKF(same(got.estimate, value[0], 1), "round %u: %.12g %.12g", round, got.estimate, value[0]);
		CHECKF(same(got.standard_error * got.standard_error, fmax(variance[0], 0), 1), "round %u: %.12g %.12g",
			   round, got.standard_error * got.standard_error, variance[0]);
		CHECK(fabs(got.high - got.low - 2 * 1.959964 * got.standard_error) < 1e-9 * (1 + fabs(got.high)));
		if (measure == SDC_ESTIMATE_NONE)
			continue;
		got = run(SDC_ESTIMATE_SUM);
		CHECKF(same(got.estimate, value[1], 100), "round %u: %.12g %.12g", round, got.estimate,
			   value[1]);
		CHECKF(same(got.standard_error * got.standard_error, fmax(variance[1], 0), 1e4), "round %u: %.12g %.12g",
			   round, got.standard_error * got.standard_error, variance[1]);
		got = run(SDC_ESTIMATE_AVG);
		if (fabs(value[0]) < 0.1)
			continue;
		for (uint32 s = 0; s < strata; s++)
			twin(s, false, value[1] / value[0], &average[0], &average[1]);
		CHECKF(same(got.estimate, value[1] / value[0], 100 / fabs(value[0])), "round %u: %g %g",
			   round, got.estimate, value[1] / value[0]);
		CHECKF(same(pow(got.standard_error * value[0], 2), fmax(average[1], 0), 1e4),
			   "round %u: %g %g", round, pow(got.standard_error * value[0], 2), average[1]);
	}
}

static int	source[DIMENSIONS][RECORDS];

/* is_drawn fills which columns are drawn for a record. */
static void
draw_columns(bool *now)
{
	double		at = uniform();
	int			left = draws;
	int			of = attributes;

	for (int j = 0; j < dimensions; j++)
	{
		if (single)
		{
			now[j] = at >= 0 && at < probability[j];
			at -= probability[j];
		}
		else if (retain > 0)
			now[j] = drawn[j] && uniform() >= retain;
		else
		{
			now[j] = drawn[j] && (int) pick((uint32) of) < left;
			left -= now[j];
			of -= drawn[j];
		}
	}
}

/* randomize_records makes a release of the source: what is drawn comes from a record of the stratum with a value. */
static void
randomize_records(void)
{
	for (uint32 i = 0; i < records; i++)
	{
		bool		now[DIMENSIONS];

		draw_columns(now);
		for (int j = 0; j < dimensions; j++)
		{
			uint32		donor = i;

			while (now[j] && source[j][i] != MISSING)
			{
				donor = pick(records);
				if (source[j][donor] != MISSING && stratum_of[donor] == stratum_of[i])
					break;
			}
			cell[j][i] = source[j][donor];
		}
	}
}

/* Over many releases the mean of the estimates is the truth, and that of the variances their variance. */
static void
estimates_are_unbiased(void)
{
	const uint32 runs = 1500;

	for (uint32 design = 0; design < 12; design++)
	{
		SdcEstimateStatistic statistic;
		double		sum = 0;
		double		square = 0;
		double		errors = 0;
		double		true_value;
		double		deviation;

		random_state = 1000 + design;
		do
			draw_design();
		while (!drawn[0] || holds_for[0] + holds_for[1] + holds_for[2] < 2 || number[0] == number[1] ||
			   number[1] == number[2] || number[0] == number[2]);
		for (int j = 0; j < dimensions && single; j++)
			probability[j] /= 2;
		records = RECORDS;
		strata = 1 + design % 2;
		draw_records(design % 3 == 0 ? 15 : 0);
		memcpy(source, cell, sizeof(source));
		statistic = measure == SDC_ESTIMATE_NONE ? SDC_ESTIMATE_COUNT :
			design % 4 < 2 ? SDC_ESTIMATE_SUM : SDC_ESTIMATE_AVG;
		true_value = run(statistic).raw;
		for (uint32 r = 0; r < runs; r++)
		{
			SdcEstimate got;

			randomize_records();
			got = run(statistic);
			sum += got.estimate - true_value;
			square += (got.estimate - true_value) * (got.estimate - true_value);
			errors += got.standard_error * got.standard_error;
		}
		deviation = sqrt(square / runs - sum / runs * (sum / runs));
		CHECKF(fabs(sum / runs) < 4.5 * deviation / sqrt(runs) + 0.02 * deviation,
			   "design %u: true %g, bias %g, deviation %g", design, true_value, sum / runs, deviation);
		CHECKF(fabs(errors / runs / (deviation * deviation) - 1) < 0.2,
			   "design %u: statistic %d, measure %d: standard error %g, deviation %g", design,
			   (int) statistic, (int) measure, sqrt(errors / runs), deviation);
	}
}

/* Nothing drawn: the estimate is the raw figure, without error.  Certainly drawn: nothing can be told. */
static void
ends_are_defined(void)
{
	SdcEstimateTask task = {SDC_ESTIMATE_COUNT, 2, SDC_ESTIMATE_NONE, -1, 0, probability, drawn, 5, 3,
	0, NULL, 0};
	SdcEstimate got;

	random_state = 3;
	measure = SDC_ESTIMATE_COPIED;
	conditions = dimensions = 3;
	own = -1;
	strata = 2;
	records = 30;
	center = 7;
	single = true;
	retain = 0;
	probability[0] = probability[1] = probability[2] = 0;
	draw_records(20);
	got = run(SDC_ESTIMATE_SUM);
	CHECK(fabs(got.estimate - got.raw) < 1e-9 && got.standard_error == 0 && got.low == got.high);
	/* nobody satisfies all three, somebody the first */
	CHECK(got.estimate == 0 && got.raw == 0);
	got = run(SDC_ESTIMATE_AVG);
	CHECK(isnan(got.estimate) && isnan(got.raw) && isnan(got.standard_error));
	conditions = dimensions = 1;
	got = run(SDC_ESTIMATE_AVG);
	CHECKF(got.raw > 20 && fabs(got.estimate - got.raw) < 1e-12 && got.standard_error == 0, "%g %g %g",
		   got.raw, got.estimate - got.raw, got.standard_error);
	conditions = dimensions = 3;
	records = 0;
	got = run(SDC_ESTIMATE_COUNT);
	CHECK(got.estimate == 0 && got.standard_error == 0);
	got = run(SDC_ESTIMATE_AVG);
	CHECK(isnan(got.estimate) && isnan(got.raw));
	probability[0] = 0.3;
	probability[1] = 0.7;
	CHECK(!sdc_estimate_identifiable(&task));
	probability[1] = 0.6;
	CHECK(sdc_estimate_identifiable(&task));
	task.probability = NULL;
	drawn[0] = drawn[1] = true;
	CHECK(sdc_estimate_identifiable(&task));
	task.draws = 4;
	CHECK(!sdc_estimate_identifiable(&task));
	drawn[1] = false;
	CHECK(sdc_estimate_identifiable(&task));
	/* a randomized measure is one more column */
	task.measure = SDC_ESTIMATE_RANDOMIZED;
	task.statistic = SDC_ESTIMATE_SUM;
	drawn[2] = true;
	CHECK(!sdc_estimate_identifiable(&task));
}

int
main(void)
{
	RUN(matrices_agree);
	RUN(estimates_are_unbiased);
	RUN(ends_are_defined);
	return tap_done();
}
