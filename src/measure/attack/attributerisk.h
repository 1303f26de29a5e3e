/*-------------------------------------------------------------------------
 *
 * attributerisk.h
 *		What an intruder learns about a value, whoever has it.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_MEASURE_ATTRIBUTERISK_H
#define SDC_MEASURE_ATTRIBUTERISK_H

#include "relation/frame/wholerelease.h"

typedef struct SdcAttributeRisk
{
	bool		known;			/* there are records */
	uint64		matched;		/* records that have candidates */
	double		cap;			/* mean share of the true value, 0 without candidates */
	double		cap_matched;	/* the same of those that have some; NaN: none has */
	double		cap_base;		/* of the whole column */
	double		found;			/* percent: the best guess */
	double		found_without;	/* if the own record is taken out */
	double		baseline;		/* the most frequent value */
	uint64		disclosed;		/* all candidates have the right value, */
	uint64		of_group;		/* and there are several */
	double		tcap;			/* NaN: no record is looked at, or keys cannot be compared */
	double		tcap_all;
} SdcAttributeRisk;

/* sdc_attributerisk_measure reads a release and measures it; tau is that of tcap. */
extern void sdc_attributerisk_measure(const SdcWholeRequest *request, double tau,
									  SdcAttributeRisk *risk);

#endif							/* SDC_MEASURE_ATTRIBUTERISK_H */
