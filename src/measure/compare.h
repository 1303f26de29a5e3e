/*-------------------------------------------------------------------------
 *
 * compare.h
 *		What the functions that compare a release and its source have in common.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_MEASURE_COMPARE_H
#define SDC_MEASURE_COMPARE_H

#include "fmgr.h"
#include "measure/comparison.h"

/* A comparison with the memory it lives in. */
typedef struct SdcCompare
{
	MemoryContext context;
	MemoryContext before;
	SdcComparison *comparison;
} SdcCompare;

/* sdc_compare_request reads the release, argument 0, and the arguments that name roles; 0: none. */
extern void sdc_compare_request(FunctionCallInfo fcinfo, int qi, int sensitive,
								SdcComparisonRequest *request);

/* sdc_compare_begin loads a comparison in a context that sdc_compare_end deletes. */
extern void sdc_compare_begin(SdcCompare *compare, const SdcComparisonRequest *request);
extern void sdc_compare_end(SdcCompare *compare);

/* sdc_compare_rest returns the bytes that the comparison leaves of the budget. */
extern uint64 sdc_compare_rest(const SdcCompare *compare);

#endif							/* SDC_MEASURE_COMPARE_H */
