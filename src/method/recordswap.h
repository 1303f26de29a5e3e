/*-------------------------------------------------------------------------
 *
 * recordswap.h
 *		Targeted record swapping of a relation.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_METHOD_RECORDSWAP_H
#define SDC_METHOD_RECORDSWAP_H

#include "method/step.h"

/* What is asked for; lists are of char *. */
typedef struct SdcRecordSwapRequest
{
	List	   *areas;			/* from the largest to the smallest */
	List	   *risk;
	List	   *similar;
	List	   *carry;			/* what moves along with the areas */
	uint32		k;
	double		rate;
	int			relax;
	bool		any_size;
} SdcRecordSwapRequest;

/* What there is to report of the areas of a level: numbers of units, but for pairs. */
typedef struct SdcAreaReport
{
	uint64		at_risk;
	uint64		swapped;
	uint64		partial;
	uint64		at_risk_after;
	uint64	   *pairs;			/* by profile */
	int			profiles;
	bool		last;			/* it is the level with the smallest areas, which has the rest */
	uint64		target;
	uint64		unmatched;
	uint64		lacking;
} SdcAreaReport;

/* sdc_recordswap_prepare fills in what a protection by record swapping is; the request must stay. */
extern void sdc_recordswap_prepare(SdcMethodStep *step, const SdcRecordSwapRequest *request);

#endif							/* SDC_METHOD_RECORDSWAP_H */
