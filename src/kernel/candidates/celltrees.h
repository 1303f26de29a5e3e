/*-------------------------------------------------------------------------
 *
 * celltrees.h
 *		The search tree of rank swapping linkage, over the records of a cell.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_CELLTREES_H
#define SDC_KERNEL_CELLTREES_H

#include "kernel/candidates/conditions.h"
#include "kernel/rank/ranksearch.h"

/* Columns that a tree can have. */
#define SDC_CELLTREE_COLUMNS 64

typedef struct SdcCellTree
{
	SdcRankTree *tree;			/* records are counted from the first place of the cell */
	uint32		start;			/* that place */
	uint32		count;			/* records */
	int			columns;
	uint32	  **code;			/* by column: the codes that occur, ascending; missing is the last */
	uint32	   *codes;			/* their numbers */
	uint32	  **below;			/* by column, for codes of the task: how many of these are below; NULL:
								 * there are too many codes for the cell */
	SdcPairs	pairs;
	SdcPairColumn *column;
	SdcMetricSpace space;		/* that of the conditions, for the cell */
} SdcCellTree;

extern SdcCellTree *sdc_celltree_create(SdcConditions *conditions, uint32 cell);
extern void sdc_celltree_destroy(SdcCellTree *tree);

/* sdc_celltree_windows writes the windows of an original, in the codes of the tree. */
extern void sdc_celltree_windows(const SdcConditions *conditions, const SdcCellTree *tree,
								 uint32 original, SdcInterval *window);

#endif							/* SDC_KERNEL_CELLTREES_H */
