/*-------------------------------------------------------------------------
 *
 * correlation.c
 *		What swapping does to the correlations of numeric columns: measured, and expected.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "kernel/bins/correlationbias.h"
#include "measure/accuracy/correlation.h"
#include "miscadmin.h"
#include "relation/base/memory.h"
#include "relation/base/progress.h"
#include "utils/memutils.h"

/* expect computes what swapping in bins does to correlations in closed form. */
static void
expect(const SdcNumericColumns *numbers, SdcCorrelationBias *bias)
{
	SdcBiasTask task = sdc_numericcolumns_bias(numbers);
	SdcExpectedBias expected;

	sdc_correlationbias_expected(&task, &expected);
	bias->expected = expected.bias;
	bias->deviation = expected.deviation;
	bias->bins = numbers->bins;
	bias->singles = numbers->singles;
}

/* sdc_correlation_measure compares the correlations of a release with those of its source. */
void
sdc_correlation_measure(Oid catalog_schema, Oid release, SdcCorrelationBias *bias)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "sdc swap measure",
												  ALLOCSET_DEFAULT_SIZES);
	MemoryContext old = MemoryContextSwitchTo(context);
	SdcNumericColumns *numbers = sdc_numericcolumns_load_release(catalog_schema, release, true);

	sdc_progress_evaluating(numbers->records, numbers->bin != NULL ? 2 : 1);
	*bias = (SdcCorrelationBias) {.expected = NAN, .deviation = NAN};
	bias->measured = sdc_correlationbias_measured((const double *const *) numbers->original,
												  (const double *const *) numbers->protected,
												  numbers->attributes, (uint32) numbers->records);
	sdc_progress_next_part();
	if (numbers->bin != NULL)
		expect(numbers, bias);
	sdc_progress_end();
	MemoryContextSwitchTo(old);
	MemoryContextDelete(context);
}

/* sdc_correlation_expect tells what swapping will do. */
void
sdc_correlation_expect(const SdcNumericRequest *request, SdcCorrelationBias *bias)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "sdc swap measure",
												  ALLOCSET_DEFAULT_SIZES);
	MemoryContext old = MemoryContextSwitchTo(context);
	SdcNumericColumns *numbers = sdc_numericcolumns_load(request);

	*bias = (SdcCorrelationBias) {.measured = NAN};
	if (request->bins->kind == SDC_BIN_EQUIDEPTH && numbers->records > 0)
		sdc_bins_check_depth(request->bins->depth, numbers->records, "records");
	expect(numbers, bias);
	sdc_progress_end();
	MemoryContextSwitchTo(old);
	MemoryContextDelete(context);
}
