/*-------------------------------------------------------------------------
 *
 * suppresscounts.h
 *		Records whose values are being taken out, and how many of them are alike in some columns.
 *
 * For suppress.c.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_KERNEL_SUPPRESSCOUNTS_H
#define SDC_KERNEL_SUPPRESSCOUNTS_H

#include "kernel/groups/suppress.h"

/* Bit of a column. */
#define SDC_SUPPRESS_BIT(column) (UINT64_C(1) << (column))

/* The records of a task. */
typedef struct SdcSuppressTable
{
	uint32		records;
	int			columns;
	uint32	   *code;			/* record by record */
	uint64	   *valued;			/* by record: its columns with a value in the source */
	uint64	   *blank;			/* by record: those that have been taken out of these */
} SdcSuppressTable;

/* What records have in some columns: the codes of a record without those that some bits stand for. */
typedef struct SdcSuppressEntry
{
	uint32		record;
	uint32		count;			/* records that have this now */
	uint64		blank;
} SdcSuppressEntry;

/* All that they have, or have had, in these columns. */
typedef struct SdcSuppressCounts
{
	uint64		columns;
	uint32		entries;
	uint32		room;
	SdcSuppressEntry *entry;
	uint32	   *slot;			/* a hash table of numbers plus 1; 0: free */
	uint64		mask;			/* slots - 1 */
} SdcSuppressCounts;

/* sdc_suppresscounts_first returns the first column of a set, which is not empty. */
static inline int
sdc_suppresscounts_first(uint64 columns)
{
	return __builtin_ctzll(columns);
}

/* sdc_suppresscounts_has returns the columns of a record that have a value where some are taken out. */
static inline uint64
sdc_suppresscounts_has(const SdcSuppressTable *table, uint32 record, uint64 blank)
{
	return table->valued[record] & ~blank;
}

/* sdc_suppresscounts_alike tells whether two records are alike in some columns, each without what it lacks. */
static inline bool
sdc_suppresscounts_alike(const SdcSuppressTable *table, uint64 columns, uint32 a, uint64 a_blank, uint32 b,
						 uint64 b_blank)
{
	const uint32 *code = table->code + (Size) a * table->columns;
	const uint32 *other = table->code + (Size) b * table->columns;
	uint64		has = sdc_suppresscounts_has(table, a, a_blank) & columns;

	if (has != (sdc_suppresscounts_has(table, b, b_blank) & columns))
		return false;
	for (; has != 0; has &= has - 1)
		if (code[sdc_suppresscounts_first(has)] != other[sdc_suppresscounts_first(has)])
			return false;
	return true;
}

/* sdc_suppresscounts_hash mixes what a record has in some columns. */
static inline uint64
sdc_suppresscounts_hash(const SdcSuppressTable *table, uint64 columns, uint32 record, uint64 blank)
{
	const uint32 *code = table->code + (Size) record * table->columns;
	uint64		has = sdc_suppresscounts_has(table, record, blank) & columns;
	uint64		hash = has;

	for (; has != 0; has &= has - 1)
	{
		hash = (hash ^ code[sdc_suppresscounts_first(has)]) * UINT64_C(0x9E3779B97F4A7C15);
		hash ^= hash >> 32;
	}
	return hash;
}

/* sdc_suppresscounts_slots is the size of a hash table for so many entries: twice as many, a power of 2. */
extern uint64 sdc_suppresscounts_slots(uint64 entries);

/* sdc_suppresscounts_create counts what the records have in some columns. */
extern void sdc_suppresscounts_create(SdcSuppressCounts *counts, const SdcSuppressTable *table, uint64 columns);
extern void sdc_suppresscounts_destroy(SdcSuppressCounts *counts);

/* sdc_suppresscounts_of returns how many records have now what a record has without what is taken out of it. */
extern uint32 sdc_suppresscounts_of(const SdcSuppressCounts *counts, const SdcSuppressTable *table, uint32 record,
									uint64 blank);

/* sdc_suppresscounts_move notes that a record has become one with other columns taken out. */
extern void sdc_suppresscounts_move(SdcSuppressCounts *counts, const SdcSuppressTable *table, uint32 record,
									uint64 from, uint64 to);

#endif							/* SDC_KERNEL_SUPPRESSCOUNTS_H */
