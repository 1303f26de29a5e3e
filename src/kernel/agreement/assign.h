/*-------------------------------------------------------------------------
 *
 * assign.h
 *		Probabilistic record linkage one to one.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_ASSIGN_H
#define SDC_KERNEL_ASSIGN_H

#include "kernel/agreement/fellegisunter.h"

/* At most so many records can be assigned one to one, which takes less than 4 MB. */
#define SDC_ASSIGN_RECORDS 10000

/*
 * sdc_assign_links links all originals one to one so that the sum of the weights is
 * the highest possible.  The optimum is not unique; which one is found is determined by
 * the order of the keys, but does not favour the own record.  correct: linked to it.
 * O(records^3) at worst, O(records) memory.
 */
extern void sdc_assign_links(SdcAgreement *agreement, const SdcLinkModel *model, SdcLink *link);

#endif							/* SDC_KERNEL_ASSIGN_H */
