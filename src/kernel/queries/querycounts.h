/*-------------------------------------------------------------------------
 *
 * querycounts.h
 *		How many records satisfy each query of a batch: internal to the kernel queries.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_QUERYCOUNTS_H
#define SDC_KERNEL_QUERYCOUNTS_H

#include "kernel/queries/querytable.h"

#define SDC_QUERY_PLANES 32		/* digits of a count */

/* A number for each query: its binary digits are in one place of every plane. */
typedef struct SdcQueryCounts
{
	uint32		rows;			/* that were added */
	uint64		plane[SDC_QUERY_PLANES][SDC_QUERY_WORDS];
} SdcQueryCounts;

/* sdc_querycounts_planes is the number of planes that can have digits. */
static inline uint32
sdc_querycounts_planes(const SdcQueryCounts *counts)
{
	return counts->rows == 0 ? 0 : 32 - (uint32) __builtin_clz(counts->rows);
}

/* sdc_querycounts_clear makes all counts 0; before the first use the structure must be zeros. */
static inline void
sdc_querycounts_clear(SdcQueryCounts *counts)
{
	memset(counts->plane, 0, sdc_querycounts_planes(counts) * sizeof(counts->plane[0]));
	counts->rows = 0;
}

/* sdc_querycounts_any are the queries of a word that have a count. */
static inline uint64
sdc_querycounts_any(const SdcQueryCounts *counts, uint32 word)
{
	uint64		any = 0;

	for (uint32 p = 0; p < sdc_querycounts_planes(counts); p++)
		any |= counts->plane[p][word];
	return any;
}

/* sdc_querycounts_get is the count of a query. */
static inline uint32
sdc_querycounts_get(const SdcQueryCounts *counts, uint32 query)
{
	uint32		count = 0;

	for (uint32 p = 0; p < sdc_querycounts_planes(counts); p++)
		count |= (uint32) ((counts->plane[p][query / 64] >> (query % 64)) & 1) << p;
	return count;
}

/* The counts of the 64 queries of a word, if they all are below 256: eight in each word. */
typedef struct SdcQueryFew
{
	bool		valid;
	uint64		count[8];
} SdcQueryFew;

/* sdc_querycounts_unpack unpacks the counts of a word for the queries whose bits are set in wanted. */
extern void sdc_querycounts_unpack(const SdcQueryCounts *counts, uint32 word, uint64 wanted, SdcQueryFew *few);

/* sdc_querycounts_unpacked is sdc_querycounts_get for query q of a word that was unpacked. */
static inline uint32
sdc_querycounts_unpacked(const SdcQueryCounts *counts, const SdcQueryFew *few, uint32 word, uint32 q)
{
	if (few->valid)
		return (uint32) (few->count[q / 8] >> (q % 8 * 8)) & 0xFF;
	return sdc_querycounts_get(counts, word * 64 + q);
}

/* sdc_querycounts_add adds some rows of so many words; all together must be below 2^32. */
extern void sdc_querycounts_add(SdcQueryCounts *counts, const uint64 *rows, uint32 count, uint32 words);

#endif							/* SDC_KERNEL_QUERYCOUNTS_H */
