/*-------------------------------------------------------------------------
 *
 * contingency.h
 *		How much two attributes tell of each other: chi-square of their contingency table.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_CONTINGENCY_H
#define SDC_KERNEL_CONTINGENCY_H

#include "kernel/base/codedfile.h"

typedef struct SdcContingency
{
	uint64		records;		/* that have both values */
	uint32		rows;			/* distinct values of either attribute in these */
	uint32		columns;
	double		chi_square;
} SdcContingency;

extern void sdc_contingency(const SdcCodedColumn *a, const SdcCodedColumn *b, uint32 records,
							SdcContingency *result);

#endif							/* SDC_KERNEL_CONTINGENCY_H */
