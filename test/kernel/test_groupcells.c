/*-------------------------------------------------------------------------
 *
 * test_groupcells.c
 *		The cells of two files, against a look at all records for each of them.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include <math.h>

#include "kernel/loss/groupcells.h"

#include "random.h"
#include "tap.h"

#define RECORDS 60
#define COLUMNS 3
#define CODES 4

static uint32 code[2][COLUMNS][RECORDS];
static double value[2][RECORDS];
static SdcPairColumn column[COLUMNS];
static const SdcPairColumn *of_column[COLUMNS];
static SdcGroupCellsTask task;
static SdcGroupCell found[2 * RECORDS];
static uint32 cells;

/* take_cell is the SdcGroupCellEmit. */
static void
take_cell(void *arg, const SdcGroupCell *cell)
{
	(void) arg;
	found[cells++] = *cell;
}

/* make_files draws two files. */
static void
make_files(void)
{
	memset(&task, 0, sizeof(task));
	task.records = pick(RECORDS + 1);
	task.columns = 1 + (int) pick(COLUMNS);
	task.column = of_column;
	task.emit = take_cell;
	for (int file = 0; file < 2; file++)
	{
		for (int j = 0; j < COLUMNS; j++)
			for (uint32 i = 0; i < RECORDS; i++)
				code[file][j][i] = pick(8) == 0 ? SDC_CODE_NULL : pick(CODES);
		for (uint32 i = 0; i < RECORDS; i++)
			value[file][i] = pick(6) == 0 ? NAN : 1e6 + pick(5);
		if (pick(4) > 0)
			task.measure[file] = value[file];
	}
	if (task.measure[0] == NULL || task.measure[1] == NULL)
		task.measure[0] = task.measure[1] = NULL;
	for (int j = 0; j < COLUMNS; j++)
	{
		column[j] = (SdcPairColumn) {code[0][j], code[1][j], CODES, NULL};
		of_column[j] = &column[j];
	}
}

/* is_of tells whether a record is of the cell of another one. */
static bool
is_of(int file, uint32 record, int cell_file, uint32 cell)
{
	for (int j = 0; j < task.columns; j++)
		if (code[file][j][record] != code[cell_file][j][cell])
			return false;
	return true;
}

/* check_file counts a cell in one file. */
static void
check_file(const SdcGroupCell *cell, int file)
{
	uint32		records = 0;
	uint32		values = 0;
	long double sum = 0;
	long double square = 0;

	for (uint32 i = 0; i < task.records; i++)
	{
		if (!is_of(file, i, cell->protected, cell->record))
			continue;
		records++;
		if (task.measure[file] == NULL || isnan(value[file][i]))
			continue;
		values++;
		sum += value[file][i];
		square += (long double) value[file][i] * value[file][i];
	}
	CHECK(cell->file[file].records == records && cell->file[file].values == values);
	CHECK(cell->file[file].sum == (double) sum);
	if (values == 0)
		CHECK(isnan(cell->file[file].mean));
	else
		CHECK(fabsl(cell->file[file].mean - sum / values) < 1e-9L);
	if (values < 2)
		CHECK(isnan(cell->file[file].standard_error));
	else
		CHECK(fabsl(cell->file[file].standard_error -
					sqrtl((square - sum * sum / values) / (values - 1) / values)) < 1e-6L);
}

/* cells_agree looks at random files. */
static void
cells_agree(void)
{
	random_state = 5;
	for (int run = 0; run < 2000; run++)
	{
		uint32		records[2] = {0, 0};

		make_files();
		cells = 0;
		sdc_groupcells_run(&task);
		for (uint32 c = 0; c < cells; c++)
		{
			for (int file = 0; file < 2; file++)
			{
				check_file(&found[c], file);
				records[file] += found[c].file[file].records;
			}
			/* in the order of the values: so no cell comes twice */
			for (int j = 0; c > 0 && j < task.columns; j++)
			{
				uint32		before = code[found[c - 1].protected][j][found[c - 1].record];
				uint32		here = code[found[c].protected][j][found[c].record];

				CHECK(before <= here || j > 0);
				if (before < here)
					break;
				CHECK(j < task.columns - 1);
			}
		}
		CHECK(records[0] == task.records && records[1] == task.records);
	}
}

int
main(void)
{
	RUN(cells_agree);
	return tap_done();
}
