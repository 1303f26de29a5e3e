/*-------------------------------------------------------------------------
 *
 * valueclasses.h
 *		A few classes of the values of a column, made from its release alone.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_VALUECLASSES_H
#define SDC_KERNEL_VALUECLASSES_H

#include "kernel/base/kernel_env.h"

/* Classes at most; and about so many of a column of numbers with many values. */
#define SDC_VALUE_CLASSES 63
#define SDC_VALUE_CLASSES_WANTED 16

typedef struct SdcValueClasses
{
	uint32		values;			/* classes of values: of numbers in their order */
	uint32		classes;		/* and one of missing values, if these are many */
	uint8	   *of;				/* the class of each code; [codes]: of missing values */
} SdcValueClasses;

/*
 * sdc_valueclasses_make divides the values of a column.  count[c] is how many records of the release have code c, and
 * count[codes] how many have no value; value[c] is the number of a code, in ascending order of the codes, and NaN is as
 * if it were missing; value is NULL where the values are no numbers.  Each class has at least so many records, and a
 * 63rd of all, but where there is one class only; what is too rare for a class of its own is in the last one.
 *
 * Which class a value is in depends on the release alone, though source and release have the codes in common.
 * O(codes).  The caller frees of.
 */
extern void sdc_valueclasses_make(const uint64 *count, uint32 codes, const double *value, uint64 least,
								  SdcValueClasses *result);

/* sdc_valueclasses_count counts the records of a file in each class. */
extern void sdc_valueclasses_count(const SdcValueClasses *classes, const uint32 *code, uint32 codes, uint32 records,
								   uint32 count[SDC_VALUE_CLASSES]);

#endif							/* SDC_KERNEL_VALUECLASSES_H */
