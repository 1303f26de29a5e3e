/*-------------------------------------------------------------------------
 *
 * search.h
 *		The candidates of one original after the other, bucket by bucket.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_SEARCH_H
#define SDC_KERNEL_SEARCH_H

#include "kernel/candidates/agreeing.h"
#include "kernel/candidates/cells.h"
#include "kernel/candidates/celltrees.h"

/* Cells up to this are looked at record by record. */
#define SDC_SEARCH_SCAN 64

/* What was prepared for a bucket. */
typedef struct SdcSearchBucket
{
	SdcAgreeing *agreeing;		/* where records were randomized */
	SdcCellTree **tree;			/* by cell of the bucket; NULL: none so far */
} SdcSearchBucket;

typedef struct SdcSearch
{
	SdcConditions *conditions;
	SdcCells   *cells;
	double	   *point;			/* of the original at work */
	uint32		point_of;		/* that one, or none */

	uint32		bucket;			/* at work, or none */
	SdcSearchBucket at;			/* of that one */
	SdcSearchBucket *kept;		/* by bucket: what was prepared for it; NULL: nothing is kept */

	SdcRankQuery query;
	SdcInterval *window;
	uint32		credit;
} SdcSearch;


/* sdc_search_create prepares searches that list up to so many points of a tree. */
extern SdcSearch *sdc_search_create(SdcConditions *conditions, uint32 listed);
extern void sdc_search_destroy(SdcSearch *search);

/* sdc_search_keep keeps what is prepared for buckets: originals of one need not follow each other any more. */
extern void sdc_search_keep(SdcSearch *search);

/*
 * sdc_search_find finds the candidates of an original.  found->measure is that of one of
 * them, or infinite, and found->likelihood the likelihood of one, or -INFINITY: where the search begins.
 * Originals of a bucket should follow each other.
 */
extern void sdc_search_find(SdcSearch *search, uint32 original, SdcCandidatesFound *found);

/*
 * sdc_search_tree is the tree of a bucket that is one cell, and searched by a tree; else NULL.  Its
 * order of the records is a good one for their originals.
 */
extern const SdcCellTree *sdc_search_tree(SdcSearch *search, uint32 bucket);

/*
 * sdc_search_list writes the candidates of an original, at most as many as protected records, and
 * returns how many there are.  The search was created to list as many points.
 */
extern uint32 sdc_search_list(SdcSearch *search, uint32 original, uint32 *record);

/*
 * sdc_search_mask is the bitmap of the candidates of an original by place in its bucket, until the next
 * question, where records were randomized; NULL: the bucket is small.
 */
extern const uint64 *sdc_search_mask(SdcSearch *search, uint32 original);

/* sdc_search_own is the measure of an original and a protected record. */
extern double sdc_search_own(SdcSearch *search, uint32 original, uint32 record);

#endif							/* SDC_KERNEL_SEARCH_H */
