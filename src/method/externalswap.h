/*-------------------------------------------------------------------------
 *
 * externalswap.h
 *		Protecting a column that does not fit the memory budget.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_METHOD_EXTERNALSWAP_H
#define SDC_METHOD_EXTERNALSWAP_H

#include "method/swap.h"

/* sdc_externalswap_column is sdc_swap_column through tuplesort and temporary files. */
extern SdcColumn *sdc_externalswap_column(const SdcOrderingTask *task, SdcSpool *spool,
										   const SdcSwapMethod *method, uint64 *changed);

#endif							/* SDC_METHOD_EXTERNALSWAP_H */
