/*-------------------------------------------------------------------------
 *
 * weighting.h
 *		What a protection does to the weights of records, and to weighted totals.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_METHOD_WEIGHTING_H
#define SDC_METHOD_WEIGHTING_H

#include "relation/read/source.h"

/* What is kept of the source until its columns are protected. */
typedef struct SdcWeighting
{
	double	   *weight;			/* of every record; NULL: there are none */
	double	   *total;			/* of every attribute, NaN where it has none */
} SdcWeighting;

/* sdc_weighting_begin insists on weights, where a column is said to have them, and takes the weighted totals. */
extern void sdc_weighting_begin(const SdcSource *source, SdcWeighting *weighting);

/*
 * sdc_weighting_group gives units, in runs of so many by their weight within the strata, the mean weight of the run:
 * their
 * sum stays.  What is left joins the last run.
 */
extern void sdc_weighting_group(SdcSource *source, uint32 size, SdcSpool *spool);

/*
 * sdc_weighting_end finds how much the totals have changed, warns of many weights that tell one unit from all others,
 * and frees what was kept.
 */
extern void sdc_weighting_end(SdcSource *source, SdcWeighting *weighting);

#endif							/* SDC_METHOD_WEIGHTING_H */
