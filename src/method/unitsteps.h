/*-------------------------------------------------------------------------
 *
 * unitsteps.h
 *		Protecting the columns of units, and those of their records.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_METHOD_UNITSTEPS_H
#define SDC_METHOD_UNITSTEPS_H

#include "method/step.h"

/*
 * sdc_unitsteps_protect protects the columns of a step of a source with units.  Those in which no unit has two values
 * are protected in the table of units, which has a record for each of them: all records of a unit have the values then
 * that the unit got.  The others are protected record by record, or, by methods that swap by ranks, whole: the values
 * of a unit go together to a unit with as many.
 */
extern void sdc_unitsteps_protect(SdcMethodStep *step, SdcSource *source, SdcSpool *spool, SdcRandom *random);

/*
 * sdc_unitsteps_levels finds the levels of all columns of a source with units, but of those that name records and
 * units.
 */
extern void sdc_unitsteps_levels(SdcSource *source);

/* sdc_unitsteps_describe returns the parameters of a step with those that are about units. */
extern char *sdc_unitsteps_describe(const SdcMethodStep *step, const SdcSource *source);

/* sdc_unitsteps_warn tells of units that were not swapped, and of partners within one unit. */
extern void sdc_unitsteps_warn(const SdcMethodStep *step, const SdcSource *source);

#endif							/* SDC_METHOD_UNITSTEPS_H */
