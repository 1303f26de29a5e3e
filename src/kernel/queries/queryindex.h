/*-------------------------------------------------------------------------
 *
 * queryindex.h
 *		Which records satisfy a condition of a query: internal to the kernel queries.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_QUERYINDEX_H
#define SDC_KERNEL_QUERYINDEX_H

#include "kernel/base/pairs.h"
#include "kernel/queries/querydraw.h"

/* The values of an attribute in one file, and the places where its records are wanted. */
typedef struct SdcQueryColumn
{
	uint32		records;
	const uint32 *code;			/* of each record, as in pairs.h */
	uint32		codes;
	const uint32 *place;		/* of each record; NULL: as they are */
	const uint64 *present;		/* bitmap of the codes that occur in the original file */
	uint32		values;			/* how many those are */
	bool		range;			/* conditions are ranges of values, not sets */
	bool		portable;		/* do without special instructions; the result is the same */
} SdcQueryColumn;

typedef struct SdcQueryIndex SdcQueryIndex;

/*
 * sdc_queryindex_words is the number of words of a bitmap of places: the place behind the last
 * record has a word too.
 */
static inline Size
sdc_queryindex_words(uint32 records)
{
	return sdc_bitset_words((uint64) records + 1);
}

/* Bytes that the least index takes, and words of the scratch that its creation needs. */
extern Size sdc_queryindex_least(void);
extern Size sdc_queryindex_scratch(uint32 codes);

/*
 * sdc_queryindex_create makes the fastest index that takes at most so much memory beyond the
 * least.  The arrays of the column must outlive it; scratch is free again afterwards.
 */
extern SdcQueryIndex *sdc_queryindex_create(const SdcQueryColumn *column, uint64 memory,
											uint32 *scratch);
extern void sdc_queryindex_destroy(SdcQueryIndex *index);

/* The memory beyond the least that an index takes. */
extern uint64 sdc_queryindex_memory(const SdcQueryIndex *index);

/*
 * sdc_queryindex_match writes the bitmap of the places of the records that satisfy a condition.
 * scratch is room for a bitmap of the codes and one more place.
 */
extern void sdc_queryindex_match(const SdcQueryIndex *index, const SdcQueryCondition *condition,
								 uint64 *scratch, uint64 *match);

#endif							/* SDC_KERNEL_QUERYINDEX_H */
