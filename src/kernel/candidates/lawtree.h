/*-------------------------------------------------------------------------
 *
 * lawtree.h
 *		The records of a bucket in a tree that knows how likely an original can have become them.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_LAWTREE_H
#define SDC_KERNEL_LAWTREE_H

#include "kernel/candidates/conditions.h"

typedef struct SdcLawTree SdcLawTree;

/* sdc_lawtree_fits tells whether every draw has laws: column by column. */
extern bool sdc_lawtree_fits(const SdcConditions *conditions);

/* sdc_lawtree_create makes a tree of the records of some places, which are in one bucket. */
extern SdcLawTree *sdc_lawtree_create(SdcConditions *conditions, uint32 first, uint32 count);
extern void sdc_lawtree_destroy(SdcLawTree *tree);

/* The likelihood of the conditions has taken the original for these. */

/* sdc_lawtree_count counts the candidates of an original. */
extern uint32 sdc_lawtree_count(SdcLawTree *tree, uint32 original);

/* sdc_lawtree_search calls back for all candidates that are as likely as *best, which the callback raises, or tied. */
typedef void (*SdcLawTreeFound) (void *arg, uint32 record, double likelihood);

extern void sdc_lawtree_search(SdcLawTree *tree, uint32 original, const double *best, SdcLawTreeFound found, void *arg);

#endif							/* SDC_KERNEL_LAWTREE_H */
