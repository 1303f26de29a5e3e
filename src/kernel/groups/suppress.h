/*-------------------------------------------------------------------------
 *
 * suppress.h
 *		Local suppression: single values are taken out until every record has others like it.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_SUPPRESS_H
#define SDC_KERNEL_SUPPRESS_H

#include "kernel/base/codedfile.h"

/* Columns that there can be, and those of one demand: the time doubles with each of them. */
#define SDC_SUPPRESS_COLUMNS 64
#define SDC_SUPPRESS_SET 12

/*
 * What is demanded of some columns: every record has what at least k records have, itself included.  A missing value is
 * one like others, whether it was taken out or not.
 */
typedef struct SdcSuppressDemand
{
	uint64		columns;		/* bit j: column j; at most SDC_SUPPRESS_SET bits, one at least */
	uint32		k;				/* at most the number of records */
} SdcSuppressDemand;

typedef struct SdcSuppressTask
{
	const SdcCodedFile *coded;	/* at most SDC_SUPPRESS_COLUMNS columns */
	const uint32 *record;		/* the records to work on, ascending, which are all that there is; NULL: all */
	uint32		records;		/* their number */
	const double *cost;			/* of a value of each column, positive */
	const SdcSuppressDemand *demand;
	int			demands;
} SdcSuppressTask;

/*
 * sdc_suppress decides which values are taken out: blank[r] of every record r of the task has the bit of each column
 * that loses its value, which was there.  All demands hold then.  It is minimal: of no records that are equal
 * afterwards and had one value in a column can that value be given back, whichever of them, with all demands kept.  The
 * cost is near the least one, which nobody can find in reasonable time.  What it does depends on which values are
 * equal, and on the order of the records; nothing is drawn.
 *
 * A round looks at the violating records once for every subset of a demand's columns.
 */
extern void sdc_suppress(const SdcSuppressTask *task, uint64 *blank);

#endif							/* SDC_KERNEL_SUPPRESS_H */
