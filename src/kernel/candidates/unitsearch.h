/*-------------------------------------------------------------------------
 *
 * unitsearch.h
 *		The units that can be one of those that are known, one after the other.
 *
 * For the files of this room only.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_UNITSEARCH_H
#define SDC_KERNEL_UNITSEARCH_H

#include "kernel/candidates/bipartite.h"
#include "kernel/candidates/search.h"
#include "kernel/candidates/unitlinks.h"

/*
 * The ranks that a value can have among the rows of its unit, by record and file; all of them where it tells none.
 * The protected values of unit u are those of its rows place[start[u]], ... of units, from the smallest.
 */
typedef struct SdcUnitRanks
{
	SdcInterval *original;
	SdcInterval *protected;
	uint32	   *values;			/* by unit: protected ones that have ranks */
	uint32	   *place;
} SdcUnitRanks;

typedef struct SdcUnitSearch
{
	const SdcUnitLinksTask *task;
	const SdcUnits *units;
	SdcCandidatesTask records;	/* with columns of what is known of units: */
	SdcCandidatesColumn *column;
	void	  **helper;			/* their arrays */
	int			helpers;
	int			ranked;			/* columns that were swapped whole, and tell something */
	SdcUnitRanks *ranks;

	SdcConditions *conditions;
	SdcSearch  *search;
	uint32	   *start;			/* by unit: the first of its known rows, and the end */
	uint32	   *known;			/* these, equal ones next to each other */

	/* units of which the same is known are a group */
	uint32		groups;
	uint32	   *group;			/* by unit */
	uint32	   *first;			/* by group: the first unit */

	/* where all rows are known in copied columns only; else NULL */
	uint32	   *same_of;		/* by unit the number of its original rows, */
	uint32	   *same_start;		/* and by number the units that have these rows */
	uint32	   *same;

	uint32	   *count;			/* by query: candidates of a row, SDC_RECORD_NONE if they were not counted */
	uint32	   *row;			/* those of a row */
	uint32	   *seen;			/* by unit: the number of the last search that has looked at it */
	uint32	   *accepted;		/* and of the last one that has found it */
	uint32		searches;
	SdcBipartite *graph;
	uint32	   *candidate;		/* what was found: units */
	uint32		candidates;
	uint32		credit;
} SdcUnitSearch;

extern SdcUnitSearch *sdc_unitsearch_create(const SdcUnitLinksTask *task, SdcCandidatesAttack attack);
extern void sdc_unitsearch_destroy(SdcUnitSearch *search);

/* sdc_unitsearch_find finds the units that those of a group can be, in no order. */
extern void sdc_unitsearch_find(SdcUnitSearch *search, uint32 group);

/* sdc_unitsearch_inside tells whether a unit is among those that were found. */
static inline bool
sdc_unitsearch_inside(const SdcUnitSearch *search, uint32 unit)
{
	return search->accepted[unit] == search->searches;
}

/*
 * sdc_unitsearch_edges has the graph say which rows of a unit those that are known of another one are compatible with;
 * false: one of them with none.
 */
extern bool sdc_unitsearch_edges(SdcUnitSearch *search, uint32 unit, uint32 other);

#endif							/* SDC_KERNEL_UNITSEARCH_H */
