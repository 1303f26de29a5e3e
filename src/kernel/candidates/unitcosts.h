/*-------------------------------------------------------------------------
 *
 * unitcosts.h
 *		How badly the rows that are known of a unit fit those of another one, paired as well as possible.
 *
 * For the files of this room only.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_UNITCOSTS_H
#define SDC_KERNEL_UNITCOSTS_H

#include "kernel/candidates/unitsearch.h"

/* What pairs cost.  Of two costs that one is less that has less of the first of these in which they differ. */
typedef struct SdcUnitCost
{
	double		unlikely;		/* the negative logarithm of the likelihood; 0 without randomization */
	double		without;		/* pairs without a distance */
	double		measure;		/* the squared distances of the others */
} SdcUnitCost;

typedef struct SdcUnitCosts SdcUnitCosts;

extern SdcUnitCosts *sdc_unitcosts_create(SdcUnitSearch *search);
extern void sdc_unitcosts_destroy(SdcUnitCosts *costs);

/* sdc_unitcosts_take prepares for the known rows of a unit. */
extern void sdc_unitcosts_take(SdcUnitCosts *costs, uint32 unit);

/* sdc_unitcosts_least is what the measure of another unit is at least, as far as it is soon told. */
extern double sdc_unitcosts_least(const SdcUnitCosts *costs, uint32 other);

/*
 * sdc_unitcosts_find computes the least cost of another unit, which is a candidate of the one that was taken; false: it
 * is not computed, as it is more than best, and no tie.  *cost comes with the measure that it has at least.
 */
extern bool sdc_unitcosts_find(SdcUnitCosts *costs, uint32 other, const SdcUnitCost *best, SdcUnitCost *cost);

/* sdc_unitcosts_compare tells whether a cost is less (-1) or more (1) than another one, or tied with it. */
extern int	sdc_unitcosts_compare(const SdcUnitCost *a, const SdcUnitCost *b);

#endif							/* SDC_KERNEL_UNITCOSTS_H */
