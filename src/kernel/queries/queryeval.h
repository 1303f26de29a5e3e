/*-------------------------------------------------------------------------
 *
 * queryeval.h
 *		Estimates a count from the groups of a release: internal to the kernel queries.
 *
 * Places are those of the records in the order of their groups.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_QUERYEVAL_H
#define SDC_KERNEL_QUERYEVAL_H

#include "kernel/base/bitset.h"

/* A bitmap of places, with a word at least for the place behind the last record. */
typedef struct SdcQueryBits
{
	uint64	   *bits;
	uint32	   *below;			/* how many bits are set below each word */
} SdcQueryBits;

typedef struct SdcQueryGroups
{
	uint32		groups;
	const uint32 *start;		/* the first place of each, and the place behind the last one */
} SdcQueryGroups;

/* What a condition on a quasi-identifier selects of the values in the groups. */
typedef struct SdcQueryShare
{
	SdcQueryBits selected;		/* a bit for each different value of a group that is asked for */
	const uint32 *distinct;		/* how many different values each group has */
} SdcQueryShare;

/* sdc_queryeval_below computes the counts of a bitmap. */
extern void sdc_queryeval_below(SdcQueryBits *bits, Size words);

/*
 * sdc_queryeval_permuted estimates by equation (13) how many records satisfy a query, and
 * sdc_queryeval_generalized by equation (12).  sensitive is NULL where no sensitive value is
 * asked for.  hardware: bits are counted by the processor, if sdc_bitset_hardware allows; the
 * result is the same.
 */
extern double sdc_queryeval_permuted(const SdcQueryGroups *groups, const SdcQueryBits *match,
									 const SdcQueryBits *sensitive, bool hardware);
extern double sdc_queryeval_generalized(const SdcQueryGroups *groups, uint32 shares,
										const SdcQueryShare *share,
										const SdcQueryBits *sensitive, bool hardware);

#endif							/* SDC_KERNEL_QUERYEVAL_H */
