/*-------------------------------------------------------------------------
 *
 * externalorder.h
 *		The sorted order of one attribute's values, through temporary files.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_EXTERNALORDER_H
#define SDC_RELATION_EXTERNALORDER_H

#include "relation/column/ordering.h"

/* The records and values of a column by sorted position, as sdc_ordering_build has them. */
typedef struct SdcSortedColumn
{
	SdcColumn  *record;			/* int4 */
	SdcColumn  *value;
	SdcColumn  *length;			/* int8: positions of each stratum that has any */
	SdcColumn  *stratum;		/* int4: its number */
	uint64		count;
	uint64		longest;		/* positions of the largest stratum */
} SdcSortedColumn;

/*
 * sdc_externalorder_build sorts the values of a task into columns of a spool.  It takes memory bytes, with a spool of
 * its own and the task's arena, and may take more for a single value that is larger.
 */
extern void sdc_externalorder_build(const SdcOrderingTask *task, uint64 memory, SdcSpool *spool,
									SdcSortedColumn *sorted);

extern void sdc_externalorder_destroy(SdcSortedColumn *sorted);

#endif							/* SDC_RELATION_EXTERNALORDER_H */
