/*-------------------------------------------------------------------------
 *
 * rankunion.h
 *		The annotated union by groups of attributes.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_RANKUNION_H
#define SDC_KERNEL_RANKUNION_H

#include "kernel/rank/rankcandidates.h"

/*
 * sdc_rankunion_link links the originals by groups of attributes, as far as that is quicker; false if
 * it is not for any.
 */
extern bool sdc_rankunion_link(SdcRankCandidates *finder, const SdcRankTree *tree,
							   SdcRankLink *link);

#endif							/* SDC_KERNEL_RANKUNION_H */
