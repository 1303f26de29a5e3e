/*-------------------------------------------------------------------------
 *
 * pairlist.h
 *		The patterns of all pairs of records, with their counts.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_PAIRLIST_H
#define SDC_KERNEL_PAIRLIST_H

#include "kernel/agreement/agreement.h"

/* In the order of the agreement in the first attribute, then in the second one, ... */
typedef struct SdcPairList
{
	int			attributes;
	uint64		patterns;
	uint64	   *pattern;
	uint32	   *count;
} SdcPairList;

/* sdc_pairlist_make lists the patterns of an index of agreement. */
extern void sdc_pairlist_make(SdcPairList *list, const SdcAgreementRows *rows);
extern void sdc_pairlist_free(SdcPairList *list);

/* sdc_pairlist_fold makes it the list of the first attributes only. */
extern void sdc_pairlist_fold(SdcPairList *list, int attributes);

#endif							/* SDC_KERNEL_PAIRLIST_H */
