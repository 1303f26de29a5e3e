/*-------------------------------------------------------------------------
 *
 * itemjobs.h
 *		The search for frequent itemsets, by this process or shared with parallel workers.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_MEASURE_ITEMJOBS_H
#define SDC_MEASURE_ITEMJOBS_H

#include "kernel/itemsets/itemsearch.h"

/* sdc_itemjobs_search is sdc_itemsearch_run, as an SdcItemsearchRunner without an argument. */
extern bool sdc_itemjobs_search(void *arg, const SdcItemsearch *search);

#endif							/* SDC_MEASURE_ITEMJOBS_H */
