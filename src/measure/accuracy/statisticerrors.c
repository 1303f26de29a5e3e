/*-------------------------------------------------------------------------
 *
 * statisticerrors.c
 *		Statistics of the columns of a release, beside those of its source.
 *
 * Memory: the columns (releasecolumns.h), the numbers of one of them in a file, and two more for each of its values.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "measure/accuracy/statisticerrors.h"
#include "relation/base/memory.h"
#include "relation/base/progress.h"

/* The quantiles, and their names. */
static const double shares[] = {0.05, 0.25, 0.5, 0.75, 0.95};
static const char *const share_names[] = {"p05", "p25", "median", "p75", "p95"};

/* Where the statistics of a column go. */
typedef struct Output
{
	SdcStatisticErrorEmit emit;
	void	   *arg;
	const SdcReleaseColumn *column;
} Output;

/* put_pair emits a statistic of both files; with scale set its zero means something. */
static void
put_pair(const Output *output, const char *statistic, double original, double protected, bool scale,
		 double standard_error)
{
	SdcStatisticError error = {output->column->name, statistic, original, protected, NAN,
	standard_error};

	if (scale && original != 0)
		error.relative_error = fabs(original - protected) / fabs(original);
	output->emit(output->arg, &error);
}

/* design_effect is by how much weights increase the variance of a mean, after L. Kish. */
static double
design_effect(const SdcMarginsSpread *spread)
{
	return spread->values == 0 ? NAN : spread->values * spread->squares / (spread->mass * spread->mass);
}

/* put_numbers emits what describes a column of numbers. */
static void
put_numbers(const Output *output, const SdcReleaseColumns *columns, const SdcStatisticFile *file)
{
	const SdcPairColumn *pair = &output->column->pair;
	SdcMarginsRecords of = {columns->records, columns->weights.unit, columns->weights.units};
	bool		scale = output->column->kind == SDC_VALUE_NUMBER;
	bool		weighted = columns->weights.of[0] != NULL;
	SdcMarginsSpread spread[2];
	double		quantile[2][lengthof(shares)];

	for (int f = 0; f < 2; f++)
	{
		sdc_margins_spread(file[f].value, file[f].margins.weight, &of, &spread[f]);
		sdc_margins_quantiles(&file[f].margins, pair->value, pair->codes, shares, lengthof(shares), quantile[f]);
	}
	put_pair(output, "mean", spread[0].mean, spread[1].mean, scale, spread[0].error);
	/* dates have no sum */
	if (weighted && scale)
		put_pair(output, "total", spread[0].mass * spread[0].mean, spread[1].mass * spread[1].mean, true,
				 spread[0].mass * spread[0].error);
	put_pair(output, "sd", spread[0].deviation, spread[1].deviation, true, NAN);
	if (weighted)
		put_pair(output, "deff", design_effect(&spread[0]), design_effect(&spread[1]), true, NAN);
	for (int q = 0; q < (int) lengthof(shares); q++)
		put_pair(output, share_names[q], quantile[0][q], quantile[1][q], scale, NAN);
}

/* put_margins emits how far the distributions are apart. */
static void
put_margins(const Output *output, const SdcStatisticFile *file)
{
	SdcMargins	margins;

	sdc_margins_compare(&file[0].margins, &file[1].margins, output->column->pair.codes, &margins);
	/* the source is not apart from itself */
	put_pair(output, "ks", file[0].margins.records > 0 ? 0 : NAN, margins.kolmogorov, false, NAN);
	put_pair(output, "hellinger", file[0].margins.records > 0 ? 0 : NAN, margins.hellinger, false, NAN);
}

/* sdc_statisticerrors_load: see statisticerrors.h. */
void
sdc_statisticerrors_load(const SdcReleaseColumns *columns, int number, int file, SdcStatisticFile *loaded)
{
	const SdcReleaseColumn *column = &columns->column[number];

	loaded->margins.code = file == 1 ? column->pair.protected : column->pair.original;
	loaded->margins.weight = columns->weights.of[file];
	loaded->margins.records = columns->records;
	sdc_margins_count(&loaded->margins, column->pair.codes);
	loaded->value = column->kind == SDC_VALUE_NOMINAL ? NULL : sdc_releasecolumns_values(columns, number, file == 1);
}

/* sdc_statisticerrors_of: see statisticerrors.h. */
void
sdc_statisticerrors_of(const SdcReleaseColumns *columns, int number, const SdcStatisticFile *file,
					   SdcStatisticErrorEmit emit, void *arg)
{
	Output		output = {emit, arg, &columns->column[number]};

	if (file[0].value != NULL)
		put_numbers(&output, columns, file);
	put_margins(&output, file);
}

/* sdc_statisticerrors_measure: see statisticerrors.h. */
void
sdc_statisticerrors_measure(Oid catalog_schema, Oid release, const SdcWeightRequest *weight,
							SdcStatisticErrorEmit emit, void *arg)
{
	SdcReleaseColumnsRequest request = {.catalog_schema = catalog_schema, .release = release, .weight = *weight};
	SdcReleaseColumns *columns = sdc_releasecolumns_open(&request);
	SdcStatisticFile file[2] = {0};

	sdc_progress_evaluating(columns->records, Max(columns->columns, 1));
	for (int i = 0; i < columns->columns; i++)
	{
		CHECK_FOR_INTERRUPTS();
		for (int f = 0; f < 2; f++)
			sdc_statisticerrors_load(columns, i, f, &file[f]);
		sdc_statisticerrors_of(columns, i, file, emit, arg);
		for (int f = 0; f < 2; f++)
			if (file[f].value != NULL)
				sdc_free(file[f].value);
		sdc_progress_next_part();
	}
	for (int f = 0; f < 2; f++)
		sdc_margins_end(&file[f].margins);
	sdc_releasecolumns_close(columns);
}
