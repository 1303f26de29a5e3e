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

#include "kernel/base/codedfile.h"

#include <math.h>

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

/* sdc_units_largest returns how many members the largest of some lists has: i has start[i] .. start[i + 1] - 1. */
static inline uint32
sdc_units_largest(const uint32 *start, uint32 count)
{
	uint32		largest = 0;

	for (uint32 i = 0; i < count; i++)
		if (start[i + 1] - start[i] > largest)
			largest = start[i + 1] - start[i];
	return largest;
}

/* sdc_units_least is how many units a class needs, so that a window of so many percent of them reaches another one. */
static inline uint32
sdc_units_least(double percent)
{
	double		least = ceil(100.0 / percent);

	return least < UINT32_MAX / 2 ? (uint32) least : UINT32_MAX / 2;
}

/*
 * sdc_units_number numbers the units that some columns name, in the order of their codes; a missing value is one more,
 * the last: of, by record.  It returns how many there are.  O(records columns).
 */
extern uint32 sdc_units_number(const SdcCodedFile *naming, uint32 *of);

/*
 * sdc_units_classes puts units of about the same size into classes, in which units are swapped: in each stratum the
 * sizes from the largest down are one class until it has least units; a remainder joins the class before.  They are
 * numbered stratum by stratum, in each from the largest sizes.  size and stratum (NULL: there is one) are by unit, and
 * so is class, the result; the number of classes is returned.  With least 1 every size is a class.  O(units + largest
 * size + strata).
 */
extern uint32 sdc_units_classes(uint32 count, const uint32 *size, const uint32 *stratum, uint32 strata,
								uint32 least, uint32 *class);

/* sdc_units_size_classes does so by the numbers of records of the units. */
extern uint32 sdc_units_size_classes(const SdcUnits *units, const uint32 *stratum, uint32 strata, uint32 least,
									 uint32 *class);

/*
 * sdc_units_joined_classes finds the classes of units some of which are in one already: it is named by the least size
 * that it had when it was made, which least_of has for each of these, and 0 for others.  These join the class of their
 * stratum with the greatest least size up to their own, or the one with the least of all; where a stratum has no class
 * its units make classes as above.  least_of then has that of every unit.  Classes are numbered as above, by these.
 */
extern uint32 sdc_units_joined_classes(const SdcUnits *units, const uint32 *stratum, uint32 strata, uint32 least,
									   uint32 *least_of, uint32 *class);

#endif							/* SDC_KERNEL_UNITS_H */
