/*-------------------------------------------------------------------------
 *
 * pairsort.h
 *		Sorts of pairs of record numbers, and of values by record, through temporary files.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_PAIRSORT_H
#define SDC_RELATION_PAIRSORT_H

#include "relation/compat.h"
#include "relation/types.h"
#include "utils/tuplesort.h"

/* At most two sorts are alive at a time, and the spool has a quarter. */
#define SDC_SORT_SHARE 4

/* Two 32-bit numbers in one int8 that sorts by the first, then the second. */
static inline Datum
sdc_pair_datum(uint32 first, uint32 second)
{
	uint64		pair = ((uint64) first << 32) | second;

	return Int64GetDatum((int64) (pair ^ UINT64CONST(0x8000000000000000)));
}

static inline uint32
sdc_pair_first(Datum datum)
{
	return (uint32) (((uint64) DatumGetInt64(datum) ^ UINT64CONST(0x8000000000000000)) >> 32);
}

static inline uint32
sdc_pair_second(Datum datum)
{
	return (uint32) ((uint64) DatumGetInt64(datum) & 0xFFFFFFFF);
}

/* sdc_pairsort_begin starts a sort of pairs. */
extern Tuplesortstate *sdc_pairsort_begin(void);

/*
 * sdc_rowsort_begin starts a sort of (stratum, value, pair) rows by all columns, or with type
 * NULL one of (record, value) rows by the record.
 */
extern Tuplesortstate *sdc_rowsort_begin(TupleDesc desc, const SdcType *type);

/* sdc_rowsort_desc describes the rows of a sort; the second column is the value. */
extern TupleDesc sdc_rowsort_desc(int count, const Oid *types, Oid collation);

#endif							/* SDC_RELATION_PAIRSORT_H */
