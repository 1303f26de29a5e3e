/*-------------------------------------------------------------------------
 *
 * cellerrors.c
 *		Counts, sums and averages of a release by cells, beside those of its source.
 *
 * Memory: the columns (releasecolumns.h), two numbers a record for the measure, and what the kernel takes.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "kernel/loss/groupcells.h"
#include "kernel/loss/regression.h"
#include "measure/accuracy/cellerrors.h"
#include "relation/base/memory.h"
#include "relation/base/names.h"
#include "relation/column/celljson.h"
#include "relation/frame/releasecolumns.h"

/* Where cells go. */
typedef struct Output
{
	const SdcCellErrorsRequest *request;
	const SdcReleaseColumns *columns;
	int			by;				/* that are the first of the columns */
	SdcCellJson *json;
	Datum	   *value;			/* of the cell at hand */
	bool	   *isnull;
} Output;

/* put_statistic emits a statistic of a cell. */
static void
put_statistic(const Output *output, SdcCellError *error, const char *statistic, double original,
			  double protected)
{
	error->statistic = statistic;
	error->original = original;
	error->protected = protected;
	error->relative_error = original != 0 ? fabs(original - protected) / fabs(original) : NAN;
	output->request->emit(output->request->arg, error);
}

/* take_cell emits the statistics of a cell: SdcGroupCellEmit. */
static void
take_cell(void *arg, const SdcGroupCell *cell)
{
	const Output *output = arg;
	const SdcGroupCellFile *original = &cell->file[0];
	const SdcGroupCellFile *protected = &cell->file[1];
	const SdcRegressionTerm means[2] = {{original->mean, original->standard_error},
	{protected->mean, protected->standard_error}};
	SdcCellError error = {.overlap = NAN};

	for (int i = 0; i < output->by; i++)
		output->value[i] = sdc_releasecolumns_value(&output->columns->column[i], cell->protected,
													cell->record, &output->isnull[i]);
	error.cell = sdc_celljson_build(output->json, output->value, output->isnull);
	error.state = original->records == 0 ? SDC_CELL_ARTIFICIAL :
		protected->records == 0 ? SDC_CELL_LOST : SDC_CELL_BOTH;
	put_statistic(output, &error, "count", original->records, protected->records);
	if (output->request->measure != NULL)
	{
		put_statistic(output, &error, "sum", original->sum, protected->sum);
		error.overlap = sdc_regression_overlap(&means[0], &means[1]);
		put_statistic(output, &error, "avg", original->mean, protected->mean);
	}
}

/* measure_cells runs the kernel on columns that were read. */
static void
measure_cells(const SdcCellErrorsRequest *request, const SdcReleaseColumns *columns)
{
	int			by = list_length(request->by);
	int			measure = request->measure == NULL ? -1 : sdc_names_index(request->by, request->measure);
	const SdcPairColumn **column = palloc(sizeof(SdcPairColumn *) * by);
	SdcGroupCellsTask task = {columns->records, by, column, {NULL, NULL}, take_cell, NULL,
		{columns->weights.of[0], columns->weights.of[1]}, columns->weights.unit, columns->weights.units};
	Output		output = {request, columns, by, NULL,
	palloc(sizeof(Datum) * by), palloc(sizeof(bool) * by)};
	Oid		   *types = palloc(sizeof(Oid) * by);

	task.arg = &output;
	for (int i = 0; i < by; i++)
	{
		column[i] = &columns->column[i].pair;
		types[i] = columns->column[i].type.typid;
	}
	output.json = sdc_celljson_create(request->by, types);
	for (int file = 0; file < 2 && request->measure != NULL; file++)
		task.measure[file] =
			sdc_releasecolumns_values(columns, measure < 0 ? by : measure, file == 1);
	sdc_groupcells_run(&task);
}

/* sdc_cellerrors_measure: see cellerrors.h. */
void
sdc_cellerrors_measure(const SdcCellErrorsRequest *request)
{
	SdcReleaseColumnsRequest wanted = {.catalog_schema = request->catalog_schema,
	.release = request->release, .values = true, .given = true, .names = request->by, .argument = "by",
	.measure = request->measure, .weight = request->weight};
	SdcReleaseColumns *columns = sdc_releasecolumns_open(&wanted);

	measure_cells(request, columns);
	sdc_releasecolumns_close(columns);
}
