/*-------------------------------------------------------------------------
 *
 * groupcells.c
 *		The cells of a GROUP BY in two files, and what a measure is in them.
 *
 * The records of both files are sorted together by the codes of the columns, one pass for each (codesort.h): so
 * the records of a cell lie together, in their own order, which is that of its sums.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <math.h>

#include "kernel/base/codesort.h"
#include "kernel/base/moments.h"
#include "kernel/loss/clusters.h"
#include "kernel/loss/groupcells.h"

/* Records of both files: those of the protected one have numbers from records on. */
typedef struct Sorting
{
	const SdcGroupCellsTask *task;
	uint32		elements;
	uint32	   *order;
	uint32	   *other;
	uint32	   *code;			/* of a column, in both files */
	uint32	   *start;
	uint32		credit;
	SdcClusters clusters;		/* of the errors of weighted means */
} Sorting;

/* most_codes is the greatest number of codes of a column. */
static uint64
most_codes(const SdcGroupCellsTask *task)
{
	uint64		most = 0;

	for (int j = 0; j < task->columns; j++)
		if (task->column[j]->codes > most)
			most = task->column[j]->codes;
	return most;
}

/* code_of is the code of an element in a column. */
static inline uint32
code_of(const Sorting *sorting, int j, uint32 element)
{
	const SdcPairColumn *column = sorting->task->column[j];
	uint32		records = sorting->task->records;

	return element < records ? column->original[element] : column->protected[element - records];
}

/* sort_elements sorts by all columns. */
static void
sort_elements(Sorting *sorting)
{
	const SdcGroupCellsTask *task = sorting->task;

	for (uint32 e = 0; e < sorting->elements; e++)
		sorting->order[e] = e;
	for (int j = task->columns; j-- > 0;)
	{
		SdcCodesort sort = {sorting->code, 1, task->column[j]->codes, NULL};
		uint32	   *sorted = sorting->other;

		SDC_CHECK_INTERRUPTS();
		memcpy(sorting->code, task->column[j]->original, (Size) task->records * sizeof(uint32));
		memcpy(sorting->code + task->records, task->column[j]->protected,
			   (Size) task->records * sizeof(uint32));
		sdc_codesort_pass(&sort, sorting->order, sorted, sorting->elements, sorting->start,
						  &sorting->credit);
		sorting->other = sorting->order;
		sorting->order = sorted;
	}
}

/* same_cell tells whether two elements agree in all columns. */
static bool
same_cell(const Sorting *sorting, uint32 a, uint32 b)
{
	for (int j = 0; j < sorting->task->columns; j++)
		if (code_of(sorting, j, a) != code_of(sorting, j, b))
			return false;
	return true;
}

/* measure_file adds up the measure of the elements of one file in a cell. */
static void
measure_file(Sorting *sorting, uint32 start, uint32 end, int file, SdcGroupCellFile *result)
{
	uint32		records = sorting->task->records;
	const double *measure = sorting->task->measure[file];
	const double *weight = sorting->task->weight[file];
	SdcMomentsSum count = {0, 0};
	SdcMomentsSum mass = {0, 0};
	SdcMomentsSum sum = {0, 0};
	SdcMomentsSum square = {0, 0};

	memset(result, 0, sizeof(*result));
	result->mean = result->standard_error = NAN;
	for (int pass = 0; pass < 2; pass++)
	{
		for (uint32 i = start; i < end; i++)
		{
			uint32		element = sorting->order[i];
			uint32		record = element - (file ? records : 0);
			double		value;
			double		w;

			sdc_interrupts_step(i);
			if ((element >= records) != file)
				continue;
			w = weight == NULL ? 1 : weight[record];
			if (pass == 0)
				sdc_moments_add(&count, w);
			value = measure == NULL ? NAN : measure[record];
			if (!sdc_moments_present(value))
				continue;
			if (pass == 0)
			{
				result->values++;
				sdc_moments_add(&mass, w);
				sdc_moments_add(&sum, w * value);
			}
			else if (weight != NULL)
				sdc_clusters_add(&sorting->clusters, record, w * (value - result->mean));
			else
				sdc_moments_add(&square, (value - result->mean) * (value - result->mean));
		}
		if (pass == 0 && result->values > 0)
		{
			result->sum = sdc_moments_total(&sum);
			result->mean = result->sum / sdc_moments_total(&mass);
		}
	}
	result->records = sdc_moments_total(&count);
	if (weight != NULL)
		result->standard_error = sdc_clusters_error(&sorting->clusters, sdc_moments_total(&mass));
	else if (result->values > 1)
		result->standard_error = sqrt(sdc_moments_total(&square) / (result->values - 1.0) / result->values);
}

/* emit_cell emits the elements from start to end as a cell. */
static void
emit_cell(Sorting *sorting, uint32 start, uint32 end)
{
	const SdcGroupCellsTask *task = sorting->task;
	uint32		first = sorting->order[start];
	SdcGroupCell		cell;

	cell.protected = first >= task->records;
	cell.record = cell.protected ? first - task->records : first;
	for (int file = 0; file < 2; file++)
		measure_file(sorting, start, end, file, &cell.file[file]);
	task->emit(task->arg, &cell);
}

/* sdc_groupcells_run: see groupcells.h. */
void
sdc_groupcells_run(const SdcGroupCellsTask *task)
{
	Sorting		sorting = {.task = task, .elements = 2 * task->records};
	uint32		start = 0;

	SDC_ASSERT(task->columns > 0);
	sorting.order = sdc_alloc_array(uint32, sorting.elements);
	sorting.other = sdc_alloc_array(uint32, sorting.elements);
	sorting.code = sdc_alloc_array(uint32, sorting.elements);
	sorting.start = sdc_alloc_array(uint32, most_codes(task) + 1);
	sdc_clusters_start(&sorting.clusters, task->unit, task->units);
	sort_elements(&sorting);
	for (uint32 e = 1; e <= sorting.elements; e++)
	{
		sdc_interrupts_step(e);
		if (e < sorting.elements && same_cell(&sorting, sorting.order[start], sorting.order[e]))
			continue;
		emit_cell(&sorting, start, e);
		start = e;
		SDC_REPORT(start, sorting.elements);
	}
	sdc_clusters_end(&sorting.clusters);
	sdc_free(sorting.start);
	sdc_free(sorting.code);
	sdc_free(sorting.other);
	sdc_free(sorting.order);
}
