/*-------------------------------------------------------------------------
 *
 * itemlevels.h
 *		The levels of a search for itemsets: candidates and their records, in bounded memory.
 *
 * Part of itemsearch.c.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_ITEMLEVELS_H
#define SDC_KERNEL_ITEMLEVELS_H

#include "kernel/itemsets/bitmaps.h"
#include "kernel/itemsets/itemsearch.h"

/* Levels with at most so many candidates may have bitmaps as long as those of a level above. */
#define SDC_ITEMLEVELS_FEW 2

/* An attribute, in the order of the search. */
typedef struct SdcItemColumn
{
	const uint32 *code;
	uint32		codes;
	uint32		attribute;
	uint32		min_count;		/* of itemsets that end in an item of it */
	uint32		frequent;		/* items with min_count, */
	uint32		most;			/* the highest count, */
	uint64		total;			/* and the sum of the counts */
} SdcItemColumn;

/* Candidates that extend a prefix, in ascending order. */
typedef struct SdcItemlevel
{
	/* set once */
	uint64		max_candidates;
	uint64		max_bytes;		/* of data */

	/* changes */
	uint32		n;				/* candidates, */
	uint32		regular;		/* of which so many are not final: the first ones */
	uint32	   *column;			/* of each candidate: SdcItemColumn, */
	uint32	   *code;
	uint32	   *count;			/* records of the prefix that have it, */
	uint32	   *next;			/* and the first candidate of a later column */
	uint32	   *kept;			/* number of the candidate in the level above */
	uint64		bytes;			/* allocated for data: */
	void	   *data;			/* bitmaps or lists */
	Size		words;			/* of a bitmap */
} SdcItemlevel;

/* All levels of a search, and what they are bounded by. */
typedef struct SdcItemlevels
{
	uint32		records;
	int			columns;
	int			regular;		/* columns that are not final: the first ones */
	int			levels;
	SdcItemColumn *column;
	SdcItemlevel *level;
	uint32	   *work;			/* by code of one column; 0 between uses */
} SdcItemlevels;

extern void sdc_itemlevels_open(SdcItemlevels *set, const SdcItemsearch *task);
extern void sdc_itemlevels_close(SdcItemlevels *set);

/* sdc_itemlevels_memory bounds the bytes of all levels; UINT64_MAX: too many items to be numbered. */
extern uint64 sdc_itemlevels_memory(const SdcItemlevels *set);

/* sdc_itemlevels_candidates makes room for the candidates of a level at its first use. */
extern void sdc_itemlevels_candidates(SdcItemlevel *level);

/* sdc_itemlevels_reserve makes room for so many bytes of data, and forgets those that there are. */
extern void sdc_itemlevels_reserve(SdcItemlevel *level, uint64 bytes);

/* sdc_itemlevels_codes returns the highest number of codes of an attribute. */
extern uint32 sdc_itemlevels_codes(const SdcCodedFile *coded);

/* sdc_itemlevels_count fits a minimum count: there are fewer than 2^32 - 1 records. */
static inline uint32
sdc_itemlevels_count(uint64 count)
{
	return count < 1 ? 1 : count < UINT32_MAX ? (uint32) count : UINT32_MAX;
}

/*
 * sdc_itemlevels_bitmaps_pay says whether bitmaps take no more memory than lists with total records,
 * or one word each.
 */
static inline bool
sdc_itemlevels_bitmaps_pay(uint64 candidates, Size words, uint64 total)
{
	return words <= 1 || candidates <= total / (2 * words);
}

/* sdc_itemlevels_bitmap is the bitmap of a candidate. */
static inline uint64 *
sdc_itemlevels_bitmap(const SdcItemlevel *level, uint32 candidate)
{
	return (uint64 *) level->data + (Size) candidate * level->words;
}

#endif							/* SDC_KERNEL_ITEMLEVELS_H */
