/*-------------------------------------------------------------------------
 *
 * wordorder.h
 *		Records in the order of whole numbers that they have, through temporary files.
 *
 * What records are to be ordered by - a stratum, the intervals of a grid, a group - is put together in one word.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_WORDORDER_H
#define SDC_RELATION_WORDORDER_H

#include "relation/column/externalorder.h"

#define SDC_WORD_SIGN UINT64CONST(0x8000000000000000)

/* A word as an int8, whose order is that of the words. */
static inline Datum
sdc_word_datum(uint64 word)
{
	return Int64GetDatum((int64) (word ^ SDC_WORD_SIGN));
}

static inline uint64
sdc_word_of(Datum datum)
{
	return (uint64) DatumGetInt64(datum) ^ SDC_WORD_SIGN;
}

/* sdc_wordorder_sort sorts words, those that are equal in the order of their records; NULLs have no position. */
extern void sdc_wordorder_sort(SdcColumn *words, uint64 memory, SdcSpool *spool, SdcSortedColumn *sorted);

#endif							/* SDC_RELATION_WORDORDER_H */
