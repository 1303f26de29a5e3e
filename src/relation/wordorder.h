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

#include "relation/externalorder.h"

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

/*
 * sdc_wordorder_rank returns a column that has for every record the rank of its word from 0, or, where first is true,
 * the number of the first record that has the same, and NULL where words has; ranks is how many words differ.
 */
extern SdcColumn *sdc_wordorder_rank(SdcColumn *words, bool first, uint64 memory, SdcSpool *spool, uint64 *ranks);

/* Vectors of whole numbers as words: kernel/base/boxes.h through temporary files. */
typedef struct SdcWordBoxes
{
	SdcColumn  *word;			/* int8, of every record */
	uint64		span;			/* words are below */
	uint64		memory;			/* that adding takes, beside the spool */
	SdcSpool   *spool;
} SdcWordBoxes;

/* sdc_wordboxes_add appends a component to the vectors, at most most, which is below 2^64 - 1; it takes the column. */
extern void sdc_wordboxes_add(SdcWordBoxes *boxes, SdcColumn *component, uint64 most);

/*
 * sdc_wordorder_codes gives the values of a column codes as a dictionary does (sdc_dictionary_codes): codes has
 * the code of every record (int4, NULL where it has no value), and values the first value of each code.
 */
extern void sdc_wordorder_codes(SdcColumn *column, SdcType *type, uint64 memory, SdcSpool *spool, SdcColumn **codes,
								SdcColumn **values);

#endif							/* SDC_RELATION_WORDORDER_H */
