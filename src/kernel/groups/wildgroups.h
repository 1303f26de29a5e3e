/*-------------------------------------------------------------------------
 *
 * wildgroups.h
 *		How many records a record is like when a missing value is like every other one.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_WILDGROUPS_H
#define SDC_KERNEL_WILDGROUPS_H

#include "kernel/base/codedfile.h"

/*
 * sdc_wildgroups_least returns the least number of records, itself included, that a record is like: in every column one
 * of the two has no value, or both have the same.  0 without records.  O(different records x sets of columns that miss
 * values together).
 */
extern uint64 sdc_wildgroups_least(const SdcCodedFile *coded);

#endif							/* SDC_KERNEL_WILDGROUPS_H */
