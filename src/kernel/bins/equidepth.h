/*-------------------------------------------------------------------------
 *
 * equidepth.h
 *		Equi-depth partitioning: bins of about k records that are near each other.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_EQUIDEPTH_H
#define SDC_KERNEL_EQUIDEPTH_H

#include "kernel/base/kernel_env.h"

typedef struct SdcEquidepthTask
{
	const double *const *value; /* of each attribute, by record number; finite in the task */
	int			attributes;		/* at least 1; 1: univariate */
	const uint32 *record;		/* the records to partition, ascending; NULL: all */
	uint32		records;		/* their number */
	uint32		k;				/* at least 2 */
} SdcEquidepthTask;

/* Bytes that sdc_equidepth takes at most, whatever k is. */
extern uint64 sdc_equidepth_memory(uint32 records, int attributes);

/*
 * sdc_equidepth writes the number of its bin, from first on, to bin[r] of every record r of the
 * task and returns the number of bins: max(1, floor(records / k)), each of k .. 2k - 1 records
 * unless there are fewer than k; 0 without records.
 */
extern uint32 sdc_equidepth(const SdcEquidepthTask *task, uint32 first, uint32 *bin);

#endif							/* SDC_KERNEL_EQUIDEPTH_H */
