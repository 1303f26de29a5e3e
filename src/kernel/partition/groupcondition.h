/*-------------------------------------------------------------------------
 *
 * groupcondition.h
 *		What a group of records must satisfy: size, diversity, closeness to the source.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_GROUPCONDITION_H
#define SDC_KERNEL_GROUPCONDITION_H

#include "kernel/base/codedfile.h"

typedef struct SdcGroupCondition
{
	const SdcCodedColumn *sensitive;	/* a missing value has a code of its own; NULL: neither l nor t */
	double		l;				/* entropy at least ln l; 0: no matter */
	double		t;				/* distance to the source at most; negative: no matter */
	bool		ordered;		/* that distance is by the order of the codes */
	const uint64 *total;		/* records of the source by code, for t */
} SdcGroupCondition;

/* sdc_groupcondition_holds tells whether records with so many of each sensitive value satisfy l and t. */
extern bool sdc_groupcondition_holds(const SdcGroupCondition *condition, const uint64 *count, uint64 records);

/* sdc_groupcondition_least is how many records a group has at least that satisfies l; at most so many are looked at. */
extern uint32 sdc_groupcondition_least(const SdcGroupCondition *condition, uint32 least, uint32 most);

#endif							/* SDC_KERNEL_GROUPCONDITION_H */
