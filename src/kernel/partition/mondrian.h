/*-------------------------------------------------------------------------
 *
 * mondrian.h
 *		Mondrian: strict multidimensional partitioning into groups.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_MONDRIAN_H
#define SDC_KERNEL_MONDRIAN_H

#include "kernel/base/codedfile.h"

typedef struct SdcMondrianTask
{
	const SdcCodedFile *qi;		/* a missing value comes after all others */
	const SdcCodedColumn *sensitive;	/* a missing value is a value; NULL: no l */
	double		l;				/* entropy at least ln l in every group; 0: no matter */
	uint32		k;				/* at least so many records, or units, in every group; 0: no matter */
	const uint32 *unit;			/* by record: its unit, which k counts then; NULL: k counts records */
	uint32		units;			/* those numbers are below */
	const bool *missing;		/* of each attribute: the column misses values, in whatever records;
								 * NULL: look at those of the task */
	const uint32 *record;		/* the records to group, ascending; NULL: all */
	uint32		records;		/* their number */
} SdcMondrianTask;

/*
 * sdc_mondrian_diversity returns exp(entropy) of the sensitive attribute in the records to
 * group; 1 without any.
 */
extern double sdc_mondrian_diversity(const SdcMondrianTask *task);

/*
 * sdc_mondrian writes the number of its group to group[r] of every record r of the task and
 * returns the number of groups.  Groups are numbered from first on, in the order of a walk
 * through the partitioning that goes to the smaller values first.  All records together must
 * satisfy l and k; 0 groups without records.
 */
extern uint32 sdc_mondrian(const SdcMondrianTask *task, uint32 first, uint32 *group);

#endif							/* SDC_KERNEL_MONDRIAN_H */
