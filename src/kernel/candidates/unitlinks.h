/*-------------------------------------------------------------------------
 *
 * unitlinks.h
 *		Which units of a release a person can be, by all rows that an intruder knows of the person.
 *
 * A unit has several records, here rows; record i of both files is a row of the same unit.  The intruder knows the
 * rows A(u) of a unit u in the known columns, all of them and so how many there are, or the first ones in the order of
 * the key and not how many.  A row a of u and a protected row l are compatible as in candidates.h.
 *
 *	B(u) are the units v for which there is an injective f from A(u) to the rows of v, with a compatible with f(a)
 *	for every a; if all rows are known v has as many as u.
 *
 * That every known row has a compatible one in v is not enough: two of them may have the same one only.
 *
 * A column may have been swapped whole: the values of u went to a unit with equally many values, the r-th smallest of
 * u becoming the r-th smallest there.  If all rows are known v then has as many values of it as u, their sum
 * is in the window of u, and in a pair of rows missing is compatible with missing only, and the ranks that a can have
 * among the rows of u (an interval, where values are equal) overlap those of f(a) among the rows of v.
 * Otherwise such a column tells nothing but distances.
 *
 * Best in B(u) are those with the highest likelihood (where columns were randomized) and then the least distance, by
 * the sums over A(u), for the best f.  A pair of rows without a distance is worse than any with one.
 *
 * Where every unit has one row the results are those of candidates.h.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_UNITLINKS_H
#define SDC_KERNEL_UNITLINKS_H

#include "kernel/base/units.h"
#include "kernel/candidates/candidates.h"

/* A column that was swapped whole.  In records.column[column] it is UNKNOWN, and has the codes of its values. */
typedef struct SdcUnitWhole
{
	int			column;
	bool		blanks;			/* missing protected values are blanks: of a unit with one nothing is known here */
	const uint32 *original;		/* by unit: the code of the sum of its original values, or SDC_CODE_NULL without any */
	const uint32 *protected;	/* and of its protected ones */
	uint32		sums;			/* codes of sums */

	/*
	 * By unit: the codes of sums in its window, among the protected units with equally many values; units with the same
	 * sum of equally many values, in the same stratum, have the same window.
	 */
	const SdcInterval *window;
	const SdcInterval *wide;	/* for the attack WIDE; NULL: the same */
} SdcUnitWhole;

typedef struct SdcUnitLinksTask
{
	SdcCandidatesTask records;	/* what is known of rows, and of units once in every row */
	const SdcUnits *units;
	uint32		known_rows;		/* the first so many of each unit; 0: all */
	int			wholes;
	const SdcUnitWhole *whole;
} SdcUnitLinksTask;

/*
 * sdc_unitlinks_run attacks units: unit[] as for sdc_nearest_run, link[i] for unit[i], in which linked, ties and
 * candidates are units.  attack is NEAREST or WIDE.
 *
 * Time: that of listing the candidates of the rarest row of all different units, and for each unit that these
 * candidates belong to m^2 for the rows of both, and O(m^2.5) at worst to match them; where there is a likelihood or a
 * distance besides O(m^3) at worst for each unit in B that can be the best.  Where all rows are known in nothing but
 * copied columns: O(records).
 */
extern void sdc_unitlinks_run(const SdcUnitLinksTask *task, SdcCandidatesAttack attack, const uint32 *unit,
							  uint32 count, SdcCandidatesLink *link);

/*
 * sdc_unitlinks_everybody is for an intruder who knows all units: component[u] gets a number below the number of units,
 * and the units of B(u) with the same number are left: those that some matching of all units uses.  It does not
 * look at whether rows match across units: what is left is a bit too much, so that risks are a lower bound.
 * A column EXACT of the numbers of both files has sdc_unitlinks_run look at these units only.
 */
extern SdcCandidatesStatus sdc_unitlinks_everybody(const SdcUnitLinksTask *task, uint32 *component);

#endif							/* SDC_KERNEL_UNITLINKS_H */
