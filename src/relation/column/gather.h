/*-------------------------------------------------------------------------
 *
 * gather.h
 *		Giving every record the value of a position, through temporary files.
 *
 * Two times what belongs together is put into the same file: which values of a range of positions are wanted, by
 * whom, and which values the records of a range get.  Each range fits in memory, so that nothing is sorted and no file
 * is read at random.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_GATHER_H
#define SDC_RELATION_GATHER_H

#include "relation/column/column.h"
#include "relation/column/types.h"

/* Wishes: for records the positions of their values. */
typedef struct SdcGather
{
	SdcColumn  *values;			/* by position */
	uint64		memory;			/* bytes that it may take, with its own spool */
	SdcSpool   *spool;			/* of all that is below */
	int			shift;			/* 2^shift positions are a range */
	uint32		ranges;
	SdcColumn **requests;			/* of every range: position and record, in one int8 */
} SdcGather;

/* Two 32-bit numbers in one int8. */
static inline Datum
sdc_pair_datum(uint32 first, uint32 second)
{
	return Int64GetDatum((int64) (((uint64) first << 32) | second));
}

static inline uint32
sdc_pair_first(Datum datum)
{
	return (uint32) ((uint64) DatumGetInt64(datum) >> 32);
}

static inline uint32
sdc_pair_second(Datum datum)
{
	return (uint32) ((uint64) DatumGetInt64(datum) & 0xFFFFFFFF);
}

/* sdc_gather_begin begins in the current memory context; the values stay with the caller. */
extern SdcGather *sdc_gather_begin(SdcColumn *values, uint64 memory);

/* sdc_gather_put has a record get the value of a position; once for a record, in any order. */
static inline void
sdc_gather_put(SdcGather *gather, uint32 position, uint32 record)
{
	sdc_column_append(gather->requests[position >> gather->shift], sdc_pair_datum(position, record), false);
}

/*
 * sdc_gather_end returns the column of what all records get: a record for which nothing was put keeps what it has in
 * own.  changed is how many of them have another value than before.
 */
extern SdcColumn *sdc_gather_end(SdcGather *gather, SdcColumn *own, SdcType *type, SdcSpool *spool, uint64 *changed);

/* sdc_gather_shift returns the shift of ranges of count elements that take size bytes each, and memory together. */
extern int	sdc_gather_shift(uint64 count, uint64 size, uint64 memory);

#endif							/* SDC_RELATION_GATHER_H */
