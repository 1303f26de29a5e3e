/*-------------------------------------------------------------------------
 *
 * totals.h
 *		Columns of units that are the sum of a column of their records.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_METHOD_TOTALS_H
#define SDC_METHOD_TOTALS_H

#include "relation/read/source.h"

/* sdc_totals_check raises an error for units whose total is another one in the source, unless that is allowed. */
extern void sdc_totals_check(const SdcSource *source, bool force);

/* sdc_totals_compute computes the totals of what the columns have by now. */
extern void sdc_totals_compute(SdcSource *source, SdcSpool *spool);

#endif							/* SDC_METHOD_TOTALS_H */
