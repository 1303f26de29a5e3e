/*-------------------------------------------------------------------------
 *
 * groupprivacy.h
 *		What groups of records keep to themselves about a sensitive value: the worst group counts.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_GROUPPRIVACY_H
#define SDC_KERNEL_GROUPPRIVACY_H

#include "kernel/base/codedfile.h"

/*
 * In a group the value s has the share q, in the file P.  Everything is the worst over the groups; without
 * records all is 0, and enhanced true.
 */
typedef struct SdcGroupPrivacy
{
	uint32		groups;
	uint32		values;			/* different sensitive values in the file; a missing one is a value */
	uint64		k;				/* records of the smallest group */
	uint32		distinct_l;		/* least number of different values */
	double		entropy_l;		/* least exp(entropy) */
	double		alpha;			/* greatest q */
	double		t;				/* greatest distance of q and P, all values equally far apart */
	double		t_ordered;		/* the same in the order of the values; 0 with one value */
	double		beta;			/* greatest (q - P) / P */
	double		delta;			/* greatest |ln(q / P)| where q is not 0 */
	double		c;				/* greatest r_1 / (r_l + ... + r_m), counts r descending, if has_c */
	bool		has_c;			/* every group has l values, and there is a group */
	bool		enhanced;		/* (q - P) / P <= -ln P everywhere */
	uint32		absent;			/* groups that lack a value: their delta is infinite */
} SdcGroupPrivacy;

/* The file, as cells: the records of a group that have one value.  They sum up to less than 2^32. */
typedef struct SdcGroupPrivacyTask
{
	uint32		cells;
	const uint32 *group;		/* of each cell, 0 .. groups - 1 */
	uint32		groups;			/* some may have no cell */
	const uint32 *code;			/* of each cell: codes have the order of the values, and SDC_CODE_NULL is a
								 * value that comes last */
	uint32		codes;			/* codes are 0 .. codes - 1; some may occur in no cell */
	const uint64 *count;		/* its records, not 0; NULL: one */
	uint32		l;				/* of c, at least 1 */
} SdcGroupPrivacyTask;

/*
 * sdc_groupprivacy_measure looks at every group once.  O(groups + codes + cells log codes); the result does
 * not depend on the order of the cells, on how groups are numbered, nor on whether a cell is one or several.
 */
extern void sdc_groupprivacy_measure(const SdcGroupPrivacyTask *task, SdcGroupPrivacy *result);

#endif							/* SDC_KERNEL_GROUPPRIVACY_H */
