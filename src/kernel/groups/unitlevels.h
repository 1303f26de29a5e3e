/*-------------------------------------------------------------------------
 *
 * unitlevels.h
 *		Whether the records of a unit agree in a column, and how much they do.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_UNITLEVELS_H
#define SDC_KERNEL_UNITLEVELS_H

#include "kernel/base/codedfile.h"

/* A column of the records of units. */
typedef struct SdcUnitLevelTask
{
	uint32		records;
	const uint32 *unit;			/* of each record, 0 .. units - 1 */
	uint32		units;			/* each has a record */
	SdcCodedColumn column;		/* a missing value is a value, but none of the shares of variance */
	const double *number;		/* of each code; NULL: the column has no numbers.  NaN leaves the icc undefined */
} SdcUnitLevelTask;

typedef struct SdcUnitLevel
{
	uint32		differing;		/* units that have two values */
	uint32		alone;			/* without such units: units whose value no other one has */
	double		icc;			/* share of the variance between units, one-way; NaN: it is not defined */
} SdcUnitLevel;

/*
 * sdc_unitlevels_measure looks at all units; O(records + units + codes).  The result does not depend on the order of
 * the records.
 *
 * icc is that of the g units with two values and more, n_i each, n in all:
 *
 *		MSB = sum n_i (mean_i - mean)^2 / (g - 1)		MSW = sum (x - mean_i)^2 / (n - g)
 *		m0 = (n - sum n_i^2 / n) / (g - 1)				icc = (MSB - MSW) / (MSB + (m0 - 1) MSW)
 */
extern void sdc_unitlevels_measure(const SdcUnitLevelTask *task, SdcUnitLevel *result);

#endif							/* SDC_KERNEL_UNITLEVELS_H */
