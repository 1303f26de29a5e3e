/*-------------------------------------------------------------------------
 *
 * conditions.h
 *		What an attack asks of a pair, and the order of the records that follows from it.
 *
 * For the files of this room only.
 *
 * A bucket are the originals and the protected records with the same values in all EXACT columns,
 * missing ones at the same places, and in the same stratum if columns have windows: only these
 * can be compatible.  A query are originals that are equal in all that is known.
 * A cell of a bucket are the protected records in the same group and the same bins.  Where there is
 * randomization buckets have one cell, in the order of the worth of the records.
 *
 * Protected records with blanks can be compatible with originals of many buckets.  They are in a bucket of their
 * own, the last one, which no original has.  Its cells are records that are alike in everything (blanks.h).
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_CONDITIONS_H
#define SDC_KERNEL_CONDITIONS_H

#include "kernel/candidates/candidates.h"
#include "kernel/candidates/likelihood.h"
#include "kernel/candidates/numberlists.h"
#include "kernel/distance/metricspace.h"

typedef struct SdcBlanks SdcBlanks;

typedef struct SdcConditions
{
	const SdcCandidatesTask *task;
	SdcCandidatesAttack attack;
	bool		windows;		/* they are conditions */
	bool		strata;			/* and strata are, without windows as well */
	bool		cells;			/* buckets have more than one */
	uint32		credit;

	/* columns of a kind: index in task->column */
	int			count[SDC_CANDIDATES_KINDS];
	int		   *column[SDC_CANDIDATES_KINDS];

	/*
	 * Columns for trees: windows that are conditions, and those with a dimension.  Pair number p of
	 * the space is column paired[p].
	 */
	int			trees;
	int		   *tree;			/* indexes of pairs */
	int		   *paired;
	SdcPairs	pairs;
	SdcPairColumn *pair;
	SdcMetricSpace *space;
	double	   *coordinate;		/* by place and dimension: of the protected record there */

	SdcLikelihood *likelihood;	/* NULL: nothing is randomized */
	double	   *worth;			/* by place; NULL: nothing is randomized */

	/* by joint swap: the number of each original's known values, and the bins of each number */
	uint32	  **part;
	SdcNumberLists *bins;
	SdcNumberLists *sets;		/* by SET column: the codes of each group */
	bool	   *anything;		/* by SET column: some set contains everything */

	/* originals */
	uint32		queries;
	uint32	   *query;			/* of each original */
	uint32	   *bucket;			/* of each original */

	/* protected records: a place is an index of order */
	uint32		buckets;
	uint32	   *order;			/* by bucket, cell or worth, and number */
	uint32	   *place;			/* of each record */
	uint32	   *bucket_start;	/* the first place, and the end */
	uint32	   *bucket_cell;	/* the first cell, and the end */
	uint32	   *cell_start;

	/* records with blanks: NULL without any */
	SdcBlanks  *blanks;
	uint32		blank_bucket;	/* or none: UINT32_MAX */
} SdcConditions;

/* sdc_conditions_blank tells whether a protected record has a blank in a column. */
static inline bool
sdc_conditions_blank(const SdcCandidatesColumn *column, uint32 record)
{
	return column->blanks && column->protected[record] == SDC_CODE_NULL;
}

/* sdc_conditions_alike tells whether a cell has records with blanks: these are alike in everything. */
static inline bool
sdc_conditions_alike(const SdcConditions *conditions, uint32 cell)
{
	return conditions->blanks != NULL && cell >= conditions->bucket_cell[conditions->blank_bucket];
}

/*
 * sdc_conditions_part numbers the known values of the originals in the columns of a joint swap, without those in
 * which a record has blanks, and lists the bins of each number; SDC_RECORD_NONE: in all of them.
 */
extern void sdc_conditions_part(SdcConditions *conditions, int joint, uint32 like, uint32 **part,
								SdcNumberLists *bins);

/* sdc_conditions_window is the window of an original in a WINDOW column. */
extern SdcInterval sdc_conditions_window(const SdcConditions *conditions, int column,
										 uint32 original);

/* sdc_conditions_inside tells whether a record of the same bucket, or with blanks, is in all windows. */
extern bool sdc_conditions_inside(const SdcConditions *conditions, uint32 original, uint32 record);

/* sdc_conditions_group tells whether the group of a record can be that of an original. */
extern bool sdc_conditions_group(const SdcConditions *conditions, uint32 original, uint32 record);

/* sdc_conditions_bins tells whether the bins of a record can be those of an original. */
extern bool sdc_conditions_bins(const SdcConditions *conditions, uint32 original, uint32 record);

/*
 * sdc_conditions_log is the likelihood of a record of the same bucket if it is a candidate, and -INFINITY if it is
 * none.  The likelihood has taken the original.
 */
extern double sdc_conditions_log(const SdcConditions *conditions, uint32 original, uint32 record);

/* sdc_conditions_sort writes records, or 0 .. count - 1, in the order of their numbers, stably. */
extern void sdc_conditions_sort(const uint32 *number, uint32 numbers, const uint32 *from,
								uint32 count, uint32 *to, uint32 *credit);

/*
 * sdc_conditions_order puts equal originals, and those of a bucket, one after the other: order[] is 0 .. count - 1,
 * which stand for record[], or for themselves.
 */
extern void sdc_conditions_order(const SdcConditions *conditions, const uint32 *record, uint32 count, uint32 *order,
								 uint32 *credit);

#endif							/* SDC_KERNEL_CONDITIONS_H */
