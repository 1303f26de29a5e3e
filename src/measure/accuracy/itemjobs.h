/*-------------------------------------------------------------------------
 *
 * itemjobs.h
 *		Frequent itemsets and associations, found by this process or shared with parallel workers.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_MEASURE_ITEMJOBS_H
#define SDC_MEASURE_ITEMJOBS_H

#include "kernel/itemsets/itemsearch.h"
#include "kernel/itemsets/itemsplits.h"

/* sdc_itemjobs_search is sdc_itemsearch_run, and sdc_itemjobs_split is sdc_itemsplits_run of all itemsets. */
extern bool sdc_itemjobs_search(const SdcItemsearch *search);
extern bool sdc_itemjobs_split(const SdcItemsplits *splits);

#endif							/* SDC_MEASURE_ITEMJOBS_H */
