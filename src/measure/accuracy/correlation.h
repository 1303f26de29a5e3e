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

/* A pair of columns, for an SdcCorrelationEmit: its correlation in the source and in the release. */
typedef struct SdcCorrelationPair
{
	const char *x;
	const char *y;
	double		original;
	double		protected;
} SdcCorrelationPair;

typedef void (*SdcCorrelationEmit) (void *arg, const SdcCorrelationPair *pair);

/* sdc_correlation_pairs calls emit for every pair of columns that has a correlation in both. */
extern void sdc_correlation_pairs(Oid catalog_schema, Oid release, SdcCorrelationEmit emit,
								  void *arg);

/* sdc_correlation_expect tells what swapping in the bins of a request will do; nothing is measured. */
extern void sdc_correlation_expect(const SdcNumericRequest *request, SdcCorrelationBias *bias);

#endif							/* SDC_MEASURE_CORRELATION_H */
