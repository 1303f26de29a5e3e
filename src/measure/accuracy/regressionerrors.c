/*-------------------------------------------------------------------------
 *
 * regressionerrors.c
 *		A linear regression on a release, beside that on its source.
 *
 * Memory: the columns (releasecolumns.h), those of one file as numbers, and what the kernel takes.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "kernel/loss/regression.h"
#include "measure/accuracy/regressionerrors.h"
#include "relation/base/memory.h"
#include "relation/base/progress.h"
#include "relation/frame/releasecolumns.h"

/* fit_file fits one of the files; the first column is explained by the others. */
static void
fit_file(const SdcReleaseColumns *columns, bool protected, SdcRegressionTerm *term)
{
	const double **value = palloc(sizeof(double *) * columns->columns);

	for (int i = 0; i < columns->columns; i++)
		value[i] = sdc_releasecolumns_values(columns, i, protected);
	(void) sdc_regression_fit(value[0], value + 1, columns->columns - 1, columns->records, term);
	for (int i = 0; i < columns->columns; i++)
		sdc_free(unconstify(double *, value[i]));
	sdc_free(value);
}

/* put_terms emits the coefficients. */
static void
put_terms(const SdcRegressionErrorsRequest *request, const SdcRegressionTerm *original,
		  const SdcRegressionTerm *protected)
{
	for (int i = 0; i <= list_length(request->x); i++)
	{
		SdcRegressionError error = {i == 0 ? NULL : list_nth(request->x, i - 1),
		original[i].estimate, original[i].standard_error,
		protected[i].estimate, protected[i].standard_error, NAN,
		sdc_regression_overlap(&original[i], &protected[i])};

		if (original[i].estimate != 0)
			error.relative_error = fabs(original[i].estimate - protected[i].estimate) /
				fabs(original[i].estimate);
		request->emit(request->arg, &error);
	}
}

/* sdc_regressionerrors_measure: see regressionerrors.h. */
void
sdc_regressionerrors_measure(const SdcRegressionErrorsRequest *request)
{
	SdcReleaseColumnsRequest wanted = {.catalog_schema = request->catalog_schema,
	.release = request->release, .given = true, .argument = "x", .first = "y", .numbers = true};
	SdcReleaseColumns *columns;
	SdcRegressionTerm *term[2];

	wanted.names = lcons(request->y, list_copy(request->x));
	columns = sdc_releasecolumns_open(&wanted);
	sdc_progress_evaluating(columns->records, 2);
	for (int file = 0; file < 2; file++)
	{
		term[file] = palloc(sizeof(SdcRegressionTerm) * columns->columns);
		fit_file(columns, file == 1, term[file]);
		sdc_progress_next_part();
	}
	put_terms(request, term[0], term[1]);
	sdc_releasecolumns_close(columns);
}
