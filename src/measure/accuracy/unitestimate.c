/*-------------------------------------------------------------------------
 *
 * unitestimate.c
 *		Estimates from a randomized table whose records were drawn together, as units.
 *
 * All records of a unit have got the values of one other unit, of the same stratum and class of sizes.  So the law is
 * that of a table of units, whose strata these classes are.  A unit counts there with its records that satisfy all
 * conditions on columns that were not drawn, or with the sum of a measure over these: a count of records is the sum of
 * a copied column of that table, whose estimate and standard error the kernel knows.  An average is a quotient of two
 * such sums, with the standard error of the sum of what the measure is above it.
 *
 * The classes are those of the published units: their sizes are what they were.
 *
 * Time: O(groups) for each cell, and that of the kernel.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "kernel/base/boxes.h"
#include "kernel/base/normal.h"
#include "kernel/base/units.h"
#include "measure/accuracy/unitestimate.h"
#include "relation/base/memory.h"
#include "relation/base/progress.h"

/* The work on one table. */
typedef struct Work
{
	const SdcUnitEstimateTask *task;
	uint32	   *unit;			/* of each group */
	uint32		units;
	uint32	   *class;			/* of each unit */
	uint32		classes;
	uint32		cell;			/* a group of the cell at hand */
	double	   *records;		/* of each unit, that satisfy what was not drawn, */
	double	   *sum;			/* and the sum of their measure */
	SdcEstimateGroup *group;	/* each unit as the kernel sees it */
	uint8	   *state[SDC_ESTIMATE_COLUMNS];	/* of each unit in each column that is drawn */
	SdcEstimateColumn column[SDC_ESTIMATE_COLUMNS];
	SdcEstimate *result;
} Work;

/* add_codes adds the codes of a column of the groups to vectors. */
static void
add_codes(SdcBoxes *boxes, const SdcConditionGroups *groups, int column)
{
	uint64	   *word = sdc_boxes_column(boxes);
	uint32		codes = groups->values[column].coding.codes;

	for (uint32 g = 0; g < groups->groups; g++)
	{
		sdc_interrupts_step(g);
		word[g] = Min(groups->code[column][g], codes);
	}
	sdc_boxes_add(boxes, codes);
}

/* number_groups numbers groups that have equal codes, and returns how many numbers there are. */
static uint32
number_groups(SdcBoxes *boxes, const SdcConditionGroups *groups, uint32 **number)
{
	uint32		numbers;

	*number = sdc_memory_zeros(Max(groups->groups, 1), sizeof(uint32));
	numbers = groups->groups == 0 ? 0 : sdc_boxes_number(boxes, NULL, 0, *number);
	sdc_boxes_destroy(boxes);
	return numbers;
}

/* create_work prepares the work. */
static Work *
create_work(const SdcUnitEstimateTask *task)
{
	Work	   *work = palloc0(sizeof(Work));
	SdcBoxes   *boxes = sdc_boxes_create(task->groups->groups);

	work->task = task;
	for (int i = 0; i < task->units; i++)
		add_codes(boxes, task->groups, task->unit + i);
	work->units = number_groups(boxes, task->groups, &work->unit);
	return work;
}

/* sdc_unitestimate_together: see unitestimate.h. */
bool
sdc_unitestimate_together(const SdcUnitEstimateTask *task)
{
	Work	   *work = create_work(task);
	uint32	   *first = sdc_memory_array(Max(work->units, 1), sizeof(uint32));
	bool		together = true;

	for (int j = 0; j < task->records->columns && together; j++)
	{
		const uint32 *code = task->groups->code[j];

		if (!task->records->column[j].drawn)
			continue;
		for (uint32 u = 0; u < work->units; u++)
			first[u] = SDC_CODE_NULL - 1;
		for (uint32 g = 0; g < task->groups->groups && together; g++)
		{
			uint32	   *known = &first[work->unit[g]];

			sdc_interrupts_step(g);
			together = *known == SDC_CODE_NULL - 1 || *known == code[g];
			*known = code[g];
		}
	}
	sdc_free(first);
	return together;
}

/* find_classes puts the units into the classes that they were drawn in. */
static void
find_classes(Work *work)
{
	const SdcConditionGroups *groups = work->task->groups;
	uint32	   *size = sdc_memory_zeros(Max(work->units, 1), sizeof(uint32));
	uint32	   *stratum = sdc_memory_zeros(Max(work->units, 1), sizeof(uint32));

	work->class = stratum;
	work->classes = Max(groups->strata, 1);
	for (uint32 g = 0; g < groups->groups; g++)
	{
		sdc_interrupts_step(g);
		size[work->unit[g]] += (uint32) groups->group[g].records;
		stratum[work->unit[g]] = groups->group[g].stratum;
	}
	if (work->task->class_units > 0)
	{
		work->class = sdc_memory_zeros(Max(work->units, 1), sizeof(uint32));
		work->classes = sdc_units_classes(work->units, size, stratum, work->classes, work->task->class_units,
										  work->class);
		sdc_free(stratum);
	}
	sdc_free(size);
}

/* is_cell tells whether cells agree in a column. */
static bool
is_cell(const Work *work, int j)
{
	return work->task->records->column[j].code != NULL;
}

/* is_exact tells whether what is asked of a column is as it was: a missing value stays where it is. */
static bool
is_exact(const Work *work, int j)
{
	return !work->task->records->column[j].drawn ||
		(is_cell(work, j) && work->task->groups->code[j][work->cell] == SDC_CODE_NULL);
}

/* state_in returns the state of a group in a column: whether all that is asked of it holds. */
static uint8
state_in(const Work *work, int j, uint32 g)
{
	const SdcConditionGroups *groups = work->task->groups;
	bool		agrees = !is_cell(work, j) || groups->code[j][g] == groups->code[j][work->cell];

	if (work->task->records->column[j].condition && groups->state[j][g] != SDC_ESTIMATE_TRUE)
		return groups->state[j][g];
	if (!is_exact(work, j) && groups->code[j][g] == SDC_CODE_NULL)
		return SDC_ESTIMATE_MISSING;
	return agrees ? SDC_ESTIMATE_TRUE : SDC_ESTIMATE_FALSE;
}

/* load_cell counts the records of each unit that satisfy what was not drawn, and takes the states of the others. */
static int
load_cell(Work *work)
{
	const SdcUnitEstimateTask *task = work->task;
	const SdcConditionGroups *groups = task->groups;
	int			columns = 0;

	for (int j = 0; j < task->records->columns; j++)
		if (!is_exact(work, j))
		{
			work->column[columns] = task->records->column[j];
			work->column[columns].condition = true;
			work->column[columns].code = NULL;
			work->column[columns].state = work->state[columns];
			columns++;
		}
	memset(work->records, 0, sizeof(double) * work->units);
	memset(work->sum, 0, sizeof(double) * work->units);
	for (uint32 g = 0; g < groups->groups; g++)
	{
		const SdcEstimateGroup *group = &groups->group[g];
		bool		counts = group->measured;

		sdc_interrupts_step(g);
		for (int j = 0, k = 0; j < task->records->columns; j++)
			if (is_exact(work, j))
				counts = counts && state_in(work, j, g) == SDC_ESTIMATE_TRUE;
			else
				work->state[k++][work->unit[g]] = state_in(work, j, g);
		if (!counts)
			continue;
		work->records[work->unit[g]] += (double) group->records;
		work->sum[work->unit[g]] += group->sum + groups->center * (double) group->records;
	}
	return columns;
}

/* take_result takes the estimate of the only cell: SdcEstimateCellsEmit. */
static void
take_result(void *arg, uint32 group, const SdcEstimate *estimate)
{
	Work	   *work = arg;

	(void) group;
	*work->result = *estimate;
}

/* estimate_sum estimates the sum of a number of each unit: so many times its records, and so many times its measure. */
static void
estimate_sum(Work *work, int columns, double of_records, double of_sum)
{
	SdcEstimateCellsTask task = *work->task->records;

	for (uint32 u = 0; u < work->units; u++)
	{
		double		number = of_records * work->records[u] + of_sum * work->sum[u];

		sdc_interrupts_step(u);
		work->group[u] = (SdcEstimateGroup) {1, work->class[u], true, number, number * number};
	}
	task.statistic = SDC_ESTIMATE_SUM;
	task.measure = SDC_ESTIMATE_COPIED;
	task.own = -1;
	task.center = 0;
	task.columns = columns;
	task.column = work->column;
	task.groups = work->units;
	task.group = work->group;
	task.strata = work->classes;
	sdc_estimatecells_run(&task, take_result, work);
}

/* estimate_cell estimates what is asked of the cell at hand. */
static void
estimate_cell(Work *work, SdcEstimate *result)
{
	int			columns = load_cell(work);
	SdcEstimate sum;
	SdcEstimate count;

	work->result = result;
	if (work->task->records->statistic != SDC_ESTIMATE_AVG)
	{
		estimate_sum(work, columns, work->task->records->statistic == SDC_ESTIMATE_COUNT,
					 work->task->records->statistic == SDC_ESTIMATE_SUM);
		return;
	}
	work->result = &count;
	estimate_sum(work, columns, 1, 0);
	work->result = &sum;
	estimate_sum(work, columns, 0, 1);
	work->result = result;
	estimate_sum(work, columns, count.estimate == 0 ? 0 : -sum.estimate / count.estimate, 1);
	result->estimate = count.estimate == 0 ? NAN : sum.estimate / count.estimate;
	result->standard_error = count.estimate == 0 ? NAN : result->standard_error / fabs(count.estimate);
	result->low = result->estimate - SDC_NORMAL_975 * result->standard_error;
	result->high = result->estimate + SDC_NORMAL_975 * result->standard_error;
	result->raw = count.raw > 0 ? sum.raw / count.raw : NAN;
}

/* find_cells lists a group of each cell, in the order of their codes, and returns how many there are. */
static uint32
find_cells(Work *work, uint32 **of)
{
	const SdcConditionGroups *groups = work->task->groups;
	SdcBoxes   *boxes = sdc_boxes_create(groups->groups);
	uint32	   *number;
	uint32		cells;
	bool		one = true;

	for (int j = 0; j < work->task->records->columns; j++)
		if (is_cell(work, j))
		{
			add_codes(boxes, groups, j);
			one = false;
		}
	cells = number_groups(boxes, groups, &number);
	*of = sdc_memory_array(Max(cells, 1), sizeof(uint32));
	for (uint32 g = groups->groups; g-- > 0;)
		(*of)[number[g]] = g;
	sdc_free(number);
	if (cells > SDC_UNITESTIMATE_CELLS)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("there can be at most %d cells where records were drawn together, as units",
						SDC_UNITESTIMATE_CELLS),
				 errhint("Name fewer columns in argument \"by\", or put a part of the cells into the conditions.")));
	if (groups->groups == 0 && one)
	{
		/* nobody is counted, once */
		(*of)[0] = SDC_RECORD_NONE;
		return 1;
	}
	return cells;
}

/* sdc_unitestimate_run: see unitestimate.h. */
void
sdc_unitestimate_run(const SdcUnitEstimateTask *task, SdcEstimateCellsEmit emit, void *arg)
{
	Work	   *work = create_work(task);
	uint32	   *of;
	uint32		cells = find_cells(work, &of);

	find_classes(work);
	work->records = sdc_memory_array(Max(work->units, 1), sizeof(double));
	work->sum = sdc_memory_array(Max(work->units, 1), sizeof(double));
	work->group = sdc_memory_array(Max(work->units, 1), sizeof(SdcEstimateGroup));
	for (int j = 0; j < task->records->columns; j++)
		work->state[j] = sdc_memory_zeros(Max(work->units, 1), sizeof(uint8));
	for (uint32 i = 0; i < cells; i++)
	{
		SdcEstimate result;

		work->cell = of[i];
		estimate_cell(work, &result);
		emit(arg, of[i], &result);
	}
	sdc_free(of);
}
