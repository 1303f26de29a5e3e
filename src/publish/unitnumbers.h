/*-------------------------------------------------------------------------
 *
 * unitnumbers.h
 *		The numbers that units have in a publication: random ones, others every time.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_PUBLISH_UNITNUMBERS_H
#define SDC_PUBLISH_UNITNUMBERS_H

#include "executor/tuptable.h"
#include "publish/publishplan.h"

/* sdc_unitnumbers_draw returns the numbers 1 .. units in random order, in the current memory context. */
extern uint32 *sdc_unitnumbers_draw(uint32 units);

/*
 * Units one after the other, in records that are read by units (publishplan.h).  sdc_unitnumbers_walk begins, in the
 * current memory context; sdc_unitnumbers_next tells whether a record is the first one of its unit.
 */
typedef struct SdcUnitWalk SdcUnitWalk;

extern SdcUnitWalk *sdc_unitnumbers_walk(const SdcPublishPlan *plan);
extern bool sdc_unitnumbers_next(SdcUnitWalk *walk, TupleTableSlot *slot);

/*
 * sdc_unitnumbers_columns lists the columns that are published in which no unit has two values, in the current memory
 * context.  It connects to SPI.
 */
extern List *sdc_unitnumbers_columns(const SdcPublishPlan *plan);

/*
 * sdc_unitnumbers_warn tells how many units can be told apart in what is published although it has no number of them:
 * those that are the only ones with their values in the columns in which no unit has two.  Nothing is told of a release
 * without units, or without the columns that name them.
 */
extern void sdc_unitnumbers_warn(const SdcPublishPlan *plan);

#endif							/* SDC_PUBLISH_UNITNUMBERS_H */
