/*-------------------------------------------------------------------------
 *
 * leftout.h
 *		Records that agree with an original in all randomized columns but one.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_LEFTOUT_H
#define SDC_KERNEL_LEFTOUT_H

#include "kernel/candidates/conditions.h"

/* The places of a bucket, from the first on, by what they have in all columns but one. */
typedef struct SdcLeftout
{
	const SdcConditions *conditions;
	uint32		first;			/* place */
	uint32		count;
	int			bits;			/* of a number of a place */
	uint64	  **word;			/* by RANDOMIZED column: hash of the others and place, ascending */
} SdcLeftout;

extern SdcLeftout *sdc_leftout_create(SdcConditions *conditions, uint32 first, uint32 count);
extern void sdc_leftout_destroy(SdcLeftout *leftout);

/* sdc_leftout_hash is the hash of what an original has in all RANDOMIZED columns. */
extern uint64 sdc_leftout_hash(const SdcLeftout *leftout, uint32 original);

/*
 * sdc_leftout_find finds words of a column (its index among the RANDOMIZED ones): the places in
 * [*first, *end) are all that agree with an original in the others, and perhaps a few that do not.
 */
extern void sdc_leftout_find(const SdcLeftout *leftout, int column, uint32 original, uint64 hash,
							 uint32 *first, uint32 *end);

/* The place that a word stands for, counted from the first one. */
static inline uint32
sdc_leftout_place(const SdcLeftout *leftout, int column, uint32 word)
{
	return (uint32) (leftout->word[column][word] & ((UINT64_C(1) << leftout->bits) - 1));
}

#endif							/* SDC_KERNEL_LEFTOUT_H */
