/*-------------------------------------------------------------------------
 *
 * nearunit.h
 *		The unit in which the tree of neartree.c has its coordinates.  For that file only.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_NEARUNIT_H
#define SDC_KERNEL_NEARUNIT_H

#include "kernel/distance/nearboxes.h"

/*
 * sdc_nearunit_choose finds the middle of each row, how far it reaches, and the unit.  point is where the points of the
 * tree begin; a team measures them together.
 */
extern void sdc_nearunit_choose(SdcNeartree *tree, const double *point);

#endif							/* SDC_KERNEL_NEARUNIT_H */
