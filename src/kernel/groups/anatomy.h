/*-------------------------------------------------------------------------
 *
 * anatomy.h
 *		Anatomy: groups whose sensitive values are different, and permutation in groups.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_ANATOMY_H
#define SDC_KERNEL_ANATOMY_H

#include "kernel/base/codedfile.h"
#include "kernel/base/stream.h"

typedef struct SdcAnatomyTask
{
	const SdcCodedColumn *sensitive;	/* a missing value is a value */
	const uint32 *record;		/* the records to group, ascending; NULL: all */
	uint32		records;		/* their number */
	uint32		l;				/* at least 1 */
} SdcAnatomyTask;

/*
 * sdc_anatomy_feasible returns the largest feasible l: records over the count of the most
 * frequent value.  Without records all l are feasible: UINT32_MAX.
 */
extern uint32 sdc_anatomy_feasible(const SdcAnatomyTask *task);

/*
 * sdc_anatomy writes the number of its group, from first on, to group[r] of every record r of
 * the task and returns the number of groups.  With l feasible, every group has l different
 * values or more, all different.  Otherwise (forced) a record that no group lacks the value of
 * goes to any group, and all records are one group when there are fewer than l values.
 */
extern uint32 sdc_anatomy(const SdcAnatomyTask *task, SdcStream *stream, uint32 first,
						  uint32 *group);

/*
 * sdc_anatomy_donors draws a uniform permutation within each of the groups 0 .. groups - 1:
 * donor[r] of every record r, all in the same group.  One stream, records in ascending order.
 */
extern void sdc_anatomy_donors(SdcStream *stream, const uint32 *group, uint32 groups,
							   uint32 records, uint32 *donor);

#endif							/* SDC_KERNEL_ANATOMY_H */
