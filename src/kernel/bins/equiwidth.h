/*-------------------------------------------------------------------------
 *
 * equiwidth.h
 *		Equi-width partitioning: the non-empty boxes of a grid.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_EQUIWIDTH_H
#define SDC_KERNEL_EQUIWIDTH_H

#include "kernel/base/kernel_env.h"

typedef struct SdcEquiwidthTask
{
	const double *const *value; /* of each attribute, by record number; finite in all records of the task */
	int			attributes;
	const uint32 *record;		/* the records to partition, ascending; NULL: all */
	uint32		records;		/* their number */
	const double *low;			/* of each attribute: where the grid begins (the observed minimum), */
	const double *range;		/* and how far it reaches (the observed range, 0: constant; infinite: to the
								 * largest double) */
	uint32		intervals;		/* of every attribute, or 0: widths are given */
	const double *width;		/* of each attribute, in its unit; above 0 */
} SdcEquiwidthTask;

extern uint64 sdc_equiwidth_memory(uint32 records, int attributes);

/*
 * sdc_equiwidth_index returns the interval of a value of an attribute, from 0.  A value outside
 * the grid has the first or the last one.  Where intervals are so narrow that values are further
 * apart than they are wide (from the 2^53rd on), each value has a number of its own instead, in
 * the order of the values.
 */
extern uint64 sdc_equiwidth_index(const SdcEquiwidthTask *task, int attribute, double value);

/*
 * sdc_equiwidth_indices writes the interval of every record of the task, in their order, and
 * returns the largest number that there can be.  Here values may be missing (NaN): they have an
 * interval of their own, after the last one.
 */
extern uint64 sdc_equiwidth_indices(const SdcEquiwidthTask *task, int attribute, uint64 *index);

/*
 * sdc_equiwidth writes the number of its bin, from first on, to bin[r] of every record r of the task
 * and returns the number of bins.  Bins are numbered in lexicographic order of their intervals.
 */
extern uint32 sdc_equiwidth(const SdcEquiwidthTask *task, uint32 first, uint32 *bin);

#endif							/* SDC_KERNEL_EQUIWIDTH_H */
