/*-------------------------------------------------------------------------
 *
 * test_estimatecells.c
 *		Estimates of all cells, against that of each cell by itself, counted from the groups.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <math.h>

#include "kernel/queries/estimatecells.h"

#include "random.h"
#include "tap.h"

#define GROUPS 80
#define COLUMNS 5
#define CODES 3
#define STRATA 3

static uint8 state[COLUMNS][GROUPS];
static uint32 code[COLUMNS][GROUPS];
static SdcEstimateColumn column[COLUMNS];
static SdcEstimateGroup group[GROUPS];
static SdcEstimateCellsTask task;

/* What was emitted. */
static uint32 emitted;
static uint32 cell_of[GROUPS + 1];
static SdcEstimate estimate_of[GROUPS + 1];

/* take_cell is the SdcEstimateCellsEmit. */
static void
take_cell(void *arg, uint32 number, const SdcEstimate *estimate)
{
	(void) arg;
	cell_of[emitted] = number;
	estimate_of[emitted++] = *estimate;
}

/* make_columns draws what is asked for. */
static void
make_columns(void)
{
	double		left = 1;

	memset(&task, 0, sizeof(task));
	task.single = pick(2) == 0;
	task.columns = (int) pick(COLUMNS + 1);
	task.attributes = COLUMNS + 2;
	task.draws = 1 + (int) pick(2);
	task.column = column;
	task.own = -1;
	for (int j = 0; j < task.columns; j++)
	{
		memset(&column[j], 0, sizeof(column[j]));
		column[j].drawn = pick(3) > 0;
		column[j].probability = column[j].drawn ? left * 0.05 * (1 + pick(8)) : 0;
		left -= column[j].probability;
		column[j].state = state[j];
		column[j].codes = CODES;
		if (pick(2) == 0)
			column[j].code = code[j];
		column[j].condition = column[j].code == NULL || pick(3) == 0;
	}
	task.measure = (SdcEstimateMeasure) pick(3);
	task.statistic = task.measure == SDC_ESTIMATE_NONE ? SDC_ESTIMATE_COUNT :
		(SdcEstimateStatistic) pick(3);
	task.center = 3;
	if (task.measure == SDC_ESTIMATE_RANDOMIZED)
	{
		if (task.columns > 0 && column[0].drawn && pick(2) == 0)
			task.own = 0;
		else
		{
			task.drawn = true;
			task.probability = left * 0.2;
		}
	}
}

/* make_groups draws the groups; the measure's own column is its value. */
static void
make_groups(void)
{
	task.groups = pick(GROUPS + 1);
	task.strata = 1 + pick(STRATA);
	task.group = group;
	for (uint32 g = 0; g < task.groups; g++)
	{
		double		n;

		group[g].records = 1 + pick(40);
		group[g].stratum = pick(task.strata);
		group[g].measured = task.measure == SDC_ESTIMATE_NONE || pick(8) > 0;
		n = (double) group[g].records;
		group[g].sum = task.measure == SDC_ESTIMATE_NONE ? 0 : n * (pick(9) - 4.0);
		group[g].square = group[g].sum * group[g].sum / n + n * pick(3);
		for (int j = 0; j < task.columns; j++)
		{
			bool		missing = j == task.own ? !group[g].measured : pick(9) == 0;

			code[j][g] = missing ? SDC_CODE_NULL : pick(CODES);
			state[j][g] = missing ? SDC_ESTIMATE_MISSING : !column[j].condition || pick(2) == 0 ?
				SDC_ESTIMATE_TRUE : SDC_ESTIMATE_FALSE;
		}
		if (!group[g].measured)
			group[g].sum = group[g].square = 0;
	}
}

/* asked_missing tells whether a cell is of records without a value in a column. */
static bool
asked_missing(uint32 cell, int j)
{
	return column[j].code != NULL && code[j][cell] == SDC_CODE_NULL;
}

/* holds tells whether the records of a group fulfil the condition of a cell on a column. */
static bool
holds(uint32 g, uint32 cell, int j)
{
	if (asked_missing(cell, j))
		return code[j][g] == SDC_CODE_NULL;
	return state[j][g] == SDC_ESTIMATE_TRUE && (column[j].code == NULL || code[j][g] == code[j][cell]);
}

/* counts_in tells whether they have all values that the cell asks for. */
static bool
counts_in(uint32 g, uint32 cell)
{
	for (int j = 0; j < task.columns; j++)
		if (!asked_missing(cell, j) && state[j][g] == SDC_ESTIMATE_MISSING)
			return false;
	return group[g].measured;
}

/* What a stratum has by pattern, and by condition. */
static uint64 pattern_records[STRATA][1 << COLUMNS];
static double pattern_sum[STRATA][1 << COLUMNS];
static double pattern_square[STRATA][1 << COLUMNS];
static uint64 present[STRATA][COLUMNS];
static uint64 fulfil[STRATA][COLUMNS];
static SdcEstimateStratum stratum[STRATA];

/* count_group adds a group to its stratum as a cell sees it, with a condition for every column. */
static void
count_group(uint32 g, uint32 cell)
{
	uint32		s = group[g].stratum;
	uint32		pattern = 0;

	for (int j = 0; j < task.columns; j++)
	{
		pattern |= (uint32) holds(g, cell, j) << j;
		if (asked_missing(cell, j) || state[j][g] != SDC_ESTIMATE_MISSING)
			present[s][j] += group[g].records;
		if (holds(g, cell, j))
			fulfil[s][j] += group[g].records;
	}
	if (counts_in(g, cell))
	{
		pattern_records[s][pattern] += group[g].records;
		pattern_sum[s][pattern] += group[g].sum;
		pattern_square[s][pattern] += group[g].square;
	}
	if (group[g].measured && (task.own < 0 || holds(g, cell, task.own)))
	{
		stratum[s].measured += group[g].records;
		stratum[s].measured_sum += group[g].sum;
		stratum[s].measured_square += group[g].square;
	}
}

/* estimate_alone estimates a cell from all groups. */
static void
estimate_alone(uint32 cell, SdcEstimate *result)
{
	double		probability[COLUMNS + 1] = {0};
	bool		drawn[COLUMNS + 1] = {false};
	SdcEstimateTask alone = {task.statistic, task.columns, task.measure, task.own, task.center,
	task.single ? probability : NULL, drawn, task.attributes, task.draws, 0, stratum, task.strata};

	memset(pattern_records, 0, sizeof(pattern_records));
	memset(pattern_sum, 0, sizeof(pattern_sum));
	memset(pattern_square, 0, sizeof(pattern_square));
	memset(present, 0, sizeof(present));
	memset(fulfil, 0, sizeof(fulfil));
	memset(stratum, 0, sizeof(stratum));
	for (uint32 g = 0; g < task.groups; g++)
		count_group(g, cell);
	for (uint32 s = 0; s < task.strata; s++)
	{
		stratum[s].records = pattern_records[s];
		stratum[s].sum = pattern_sum[s];
		stratum[s].square = pattern_square[s];
		stratum[s].present = present[s];
		stratum[s].holds = fulfil[s];
	}
	for (int j = 0; j < task.columns; j++)
		if (column[j].drawn && !asked_missing(cell, j))
		{
			probability[j] = column[j].probability;
			drawn[j] = true;
		}
	probability[task.columns] = task.probability;
	drawn[task.columns] = task.drawn;
	sdc_estimate_run(&alone, result);
}

/* near tells whether two numbers are equal but for rounding of numbers of a size. */
static bool
near(double a, double b, double size)
{
	return isnan(a) ? isnan(b) : fabs(a - b) <= 1e-9 * size;
}

/* is_nobody tells whether a condition on a missing value is asked of a cell. */
static bool
is_nobody(uint32 cell)
{
	for (int j = 0; j < task.columns; j++)
		if (asked_missing(cell, j) && (column[j].condition || j == task.own))
			return true;
	return false;
}

/* check_cell compares what was emitted with the cell by itself. */
static void
check_cell(uint32 cell, const SdcEstimate *found)
{
	SdcEstimate alone = {0, 0, 0, 0, 0};
	double		size = 1;

	if (is_nobody(cell))
	{
		if (task.statistic == SDC_ESTIMATE_AVG)
			alone.estimate = alone.standard_error = alone.raw = NAN;
	}
	else
		estimate_alone(cell, &alone);
	/* an average divides by a count that may be near 0 */
	for (uint32 g = 0; g < task.groups; g++)
		size += task.statistic == SDC_ESTIMATE_COUNT ? (double) group[g].records :
			fabs(group[g].sum) + group[g].square + 3.0 * (double) group[g].records;
	if (task.statistic == SDC_ESTIMATE_AVG)
		size *= fmax(1, fabs(alone.estimate)) * 100;
	CHECKF(near(alone.estimate, found->estimate, size), "%.17g, not %.17g", found->estimate, alone.estimate);
	CHECKF(near(alone.standard_error, found->standard_error, size), "%.17g, not %.17g",
		   found->standard_error, alone.standard_error);
	CHECKF(near(alone.raw, found->raw, size), "%.17g, not %.17g", found->raw, alone.raw);
}

/* before_or_same tells whether a cell is not behind another one: missing values are last. */
static bool
before_or_same(uint32 a, uint32 b, bool *same)
{
	*same = true;
	for (int j = 0; j < task.columns; j++)
	{
		if (column[j].code == NULL || code[j][a] == code[j][b])
			continue;
		*same = false;
		return code[j][a] < code[j][b];
	}
	return true;
}

/* check_order looks whether the cells are those of the groups, each once, in their order. */
static void
check_order(bool agree)
{
	bool		same;

	if (!agree)
	{
		CHECK(emitted == 1);
		return;
	}
	for (uint32 c = 1; c < emitted; c++)
		CHECK(before_or_same(cell_of[c - 1], cell_of[c], &same) && !same);
	for (uint32 g = 0; g < task.groups; g++)
	{
		bool		found = false;

		for (uint32 c = 0; c < emitted && !found; c++)
		{
			(void) before_or_same(g, cell_of[c], &same);
			found = same;
		}
		CHECK(found);
	}
}

/* cells_agree looks at random tasks. */
static void
cells_agree(void)
{
	int			looked = 0;

	random_state = 20;
	while (looked < 1000)
	{
		bool		agree = false;

		make_columns();
		make_groups();
		if (!sdc_estimatecells_identifiable(&task))
			continue;
		looked++;
		for (int j = 0; j < task.columns; j++)
			agree |= column[j].code != NULL;
		emitted = 0;
		sdc_estimatecells_run(&task, take_cell, NULL);
		check_order(agree);
		/* without a column there is no condition to be counted by itself: one that always holds */
		for (uint32 c = 0; c < emitted && task.columns > 0; c++)
			if (cell_of[c] != SDC_RECORD_NONE)
				check_cell(cell_of[c], &estimate_of[c]);
	}
}

/* all_records is without conditions and cells: the statistic of the release, without an error. */
static void
all_records(void)
{
	SdcEstimateGroup two[2] = {{3, 0, true, 6, 20, }, {2, 0, false, 0, 0}};

	memset(&task, 0, sizeof(task));
	task.own = -1;
	task.single = true;
	task.statistic = SDC_ESTIMATE_SUM;
	task.measure = SDC_ESTIMATE_COPIED;
	task.center = 10;
	task.groups = 2;
	task.group = two;
	task.strata = 1;
	emitted = 0;
	sdc_estimatecells_run(&task, take_cell, NULL);
	CHECK(emitted == 1 && estimate_of[0].estimate == 36 && estimate_of[0].raw == 36);
	CHECK(estimate_of[0].standard_error == 0);
	task.groups = 0;
	task.strata = 0;
	emitted = 0;
	sdc_estimatecells_run(&task, take_cell, NULL);
	CHECK(emitted == 1 && cell_of[0] == SDC_RECORD_NONE && estimate_of[0].estimate == 0);
}

/* limits are about what is refused before. */
static void
limits(void)
{
	memset(column, 0, sizeof(column));
	memset(&task, 0, sizeof(task));
	task.own = -1;
	task.single = true;
	task.column = column;
	task.columns = 3;
	CHECK(sdc_estimatecells_conditions(&task) == 1);
	column[0].drawn = column[1].drawn = true;
	column[0].probability = 0.25;
	column[1].probability = 0.75;
	CHECK(sdc_estimatecells_conditions(&task) == 3);
	CHECK(!sdc_estimatecells_identifiable(&task));
	column[1].drawn = false;
	CHECK(sdc_estimatecells_identifiable(&task));
	task.columns = 0;
	CHECK(sdc_estimatecells_conditions(&task) == 1);
	task.single = false;
	task.columns = 2;
	column[1].drawn = true;
	task.attributes = 4;
	task.draws = 3;
	CHECK(!sdc_estimatecells_identifiable(&task));
	task.draws = 2;
	CHECK(sdc_estimatecells_identifiable(&task));
}

int
main(void)
{
	RUN(cells_agree);
	RUN(all_records);
	RUN(limits);
	return tap_done();
}
