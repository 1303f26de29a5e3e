/*-------------------------------------------------------------------------
 *
 * units.h
 *		The units of a file's records: the person or the household that each of them is about.
 *
 * A unit is what is protected.  Its records agree in the columns that name it, and units are numbered in the order of
 * these columns.  Where every record is a unit, both have the same numbers.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_UNITS_H
#define SDC_KERNEL_UNITS_H

#include "kernel/base/kernel_env.h"

typedef struct SdcUnits
{
	uint32		records;
	uint32		count;			/* units */
	const uint32 *of;			/* by record: its unit, 0 .. count - 1 */
	const uint32 *start;		/* unit u has members start[u] .. start[u + 1] - 1 */
	const uint32 *member;		/* records, ascending in each unit: in the order of the key */
} SdcUnits;

/* sdc_units_size returns the number of records of a unit. */
static inline uint32
sdc_units_size(const SdcUnits *units, uint32 unit)
{
	return units->start[unit + 1] - units->start[unit];
}

#endif							/* SDC_KERNEL_UNITS_H */
