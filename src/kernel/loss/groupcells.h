/*-------------------------------------------------------------------------
 *
 * groupcells.h
 *		The cells of a GROUP BY in two files, and what a measure is in them.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_GROUPCELLS_H
#define SDC_KERNEL_GROUPCELLS_H

#include "kernel/base/pairs.h"

/* A cell in one of the files. */
typedef struct SdcGroupCellFile
{
	double		records;		/* the sum of their weights where they have some */
	uint32		values;			/* records with a value of the measure */
	double		sum;			/* 0 without; weighted, as the mean is */
	double		mean;			/* NaN without */
	double		standard_error; /* of the mean; NaN with less than two */
} SdcGroupCellFile;

typedef struct SdcGroupCell
{
	uint32		record;			/* one of the cell's */
	bool		protected;		/* it is one of the protected file */
	SdcGroupCellFile file[2];		/* original, protected */
} SdcGroupCell;

typedef void (*SdcGroupCellEmit) (void *arg, const SdcGroupCell *cell);

typedef struct SdcGroupCellsTask
{
	uint32		records;		/* of each file, below 2^31 */
	int			columns;		/* at least 1 */
	const SdcPairColumn *const *column; /* in which the records of a cell agree; missing values are equal */
	const double *measure[2];	/* by record, what is not finite is missing; both NULL: there is none */
	SdcGroupCellEmit emit;
	void	   *arg;
	const double *weight[2];	/* by record; both NULL: there are none */
	const uint32 *unit;			/* of a record, for the errors of weighted means; or NULL: each is one */
	uint32		units;
} SdcGroupCellsTask;

/*
 * sdc_groupcells_run emits the cells that either file has, in the order of their values, missing ones last.
 * O(records columns).
 */
extern void sdc_groupcells_run(const SdcGroupCellsTask *task);

#endif							/* SDC_KERNEL_GROUPCELLS_H */
