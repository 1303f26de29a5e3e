/*-------------------------------------------------------------------------
 *
 * correlation.h
 *		What swapping does to the correlations of numeric columns: measured, and expected.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_MEASURE_CORRELATION_H
#define SDC_MEASURE_CORRELATION_H

#include "relation/frame/numericcolumns.h"

/* All are NaN without a pair of columns. */
typedef struct SdcCorrelationBias
{
	double		measured;		/* of a release */
	double		expected;		/* NaN too where the release was not swapped in bins */
	double		deviation;		/* of what is expected */
	uint32		bins;
	uint64		singles;		/* bins of one record */
} SdcCorrelationBias;

/* sdc_correlation_measure compares a release with its source, and with what was to be expected. */
extern void sdc_correlation_measure(Oid catalog_schema, Oid release, SdcCorrelationBias *bias);

/* sdc_correlation_expect tells what swapping in the bins of a request will do; nothing is measured. */
extern void sdc_correlation_expect(const SdcNumericRequest *request, SdcCorrelationBias *bias);

#endif							/* SDC_MEASURE_CORRELATION_H */
