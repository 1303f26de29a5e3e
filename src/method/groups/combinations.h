/*-------------------------------------------------------------------------
 *
 * combinations.h
 *		Which sets of quasi-identifiers must have how many records alike.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_METHOD_COMBINATIONS_H
#define SDC_METHOD_COMBINATIONS_H

#include "kernel/groups/suppress.h"
#include "nodes/pg_list.h"
#include "utils/jsonb.h"

/* The sets, each with its k. */
typedef struct SdcCombinations
{
	SdcSuppressDemand *demand;	/* bits are of the quasi-identifiers in their order */
	int			count;
} SdcCombinations;

/*
 * sdc_combinations_read reads an argument "combinations": a size, an object with a size or with columns, perhaps with a k
 * of its own, or an array of these.  NULL: all quasi-identifiers, char *, together.  A set has widest columns at most.
 */
extern void sdc_combinations_read(Jsonb *argument, List *qi, uint32 k, int widest, SdcCombinations *combinations);

/* sdc_combinations_largest_k returns the largest number of records that are demanded to be alike. */
extern uint32 sdc_combinations_largest_k(const SdcCombinations *combinations);

#endif							/* SDC_METHOD_COMBINATIONS_H */
