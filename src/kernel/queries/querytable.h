/*-------------------------------------------------------------------------
 *
 * querytable.h
 *		Which of many queries a value satisfies: internal to the kernel queries.
 *
 * Queries are evaluated in batches.  A query of a batch is a bit of a row, and those that are drawn together are
 * a lane of it: a word, or all of a row that is less.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_QUERYTABLE_H
#define SDC_KERNEL_QUERYTABLE_H

#include "kernel/base/pairs.h"
#include "kernel/queries/queries.h"
#include "kernel/queries/querydraw.h"

#define SDC_QUERY_LANE 64		/* queries at most */
#define SDC_QUERY_WIDTH (SDC_QUERIES_AT_ONCE / 8)	/* bytes of the widest row */
#define SDC_QUERY_WORDS (SDC_QUERY_WIDTH / 8)

/* A row for each code of an attribute. */
typedef struct SdcQueryTable
{
	/* set once, by the caller */
	uint32		codes;			/* as in pairs.h */
	const uint64 *present;		/* bitmap of those that occur in the original file */
	uint32		values;			/* how many those are */
	bool		range;			/* conditions are ranges of values, not sets */
	uint32		width;			/* bytes of a row: 1, 2, 4, 8 or SDC_QUERY_WIDTH */
	uint8	   *row;			/* sdc_querytable_bytes */
	/* set anew with every batch */
	uint64		asking[SDC_QUERY_WORDS];	/* the queries that have a condition on the attribute */
} SdcQueryTable;

/* sdc_querytable_lane is the number of queries of a lane. */
static inline uint32
sdc_querytable_lane(uint32 width)
{
	return width < 8 ? width * 8 : SDC_QUERY_LANE;
}

/* sdc_querytable_words is the number of words in which the rows of records are kept. */
static inline uint32
sdc_querytable_words(uint32 width)
{
	return width < 8 ? 1 : width / 8;
}

/* sdc_querytable_bytes is the size of all rows: one more is for missing values. */
static inline uint64
sdc_querytable_bytes(uint32 codes, uint32 width)
{
	return ((uint64) codes + 1) * width;
}

/* sdc_querytable_fill fills in a lane: the conditions of its queries, NULL where there is none, and beyond them. */
extern void sdc_querytable_fill(SdcQueryTable *table, uint32 lane,
								const SdcQueryCondition *const condition[SDC_QUERY_LANE]);

/*
 * sdc_querytable_intersect takes from the rows of some records, sdc_querytable_words words each, the queries that they
 * do not satisfy.  The records are those at first and behind it of order, or of the file if order is NULL.
 */
extern void sdc_querytable_intersect(const SdcQueryTable *table, const uint32 *code, const uint32 *order, uint32 first,
								uint32 count, uint64 *rows);

#endif							/* SDC_KERNEL_QUERYTABLE_H */
