/*-------------------------------------------------------------------------
 *
 * cells.h
 *		In which cells of a bucket the candidates of an original are: groups and bins.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_CELLS_H
#define SDC_KERNEL_CELLS_H

#include "kernel/candidates/codemaps.h"
#include "kernel/candidates/conditions.h"

typedef struct SdcCells
{
	const SdcConditions *conditions;
	Size		words;			/* of a bitmap of groups */
	SdcCodeMap *range;			/* by RANGE column: groups come and go with the codes */
	uint64	  **whole;			/* and those whose range is missing */
	SdcCodeMap *set;			/* by SET column: groups by the codes of their sets */
	uint64	  **anything;		/* and those whose set contains everything; NULL: none */
	uint64	   *groups;			/* those that an original can be in */
	uint32		groups_of;		/* which original, or none */
	uint32	   *cell;			/* the cells found */
	uint32		found;
	uint32		credit;
} SdcCells;

extern SdcCells *sdc_cells_create(const SdcConditions *conditions);
extern void sdc_cells_destroy(SdcCells *cells);

/*
 * sdc_cells_find writes to cells->cell[] the cells of its bucket that an original can be in, and after them those
 * of records with blanks.
 */
extern void sdc_cells_find(SdcCells *cells, uint32 original);

#endif							/* SDC_KERNEL_CELLS_H */
