/*-------------------------------------------------------------------------
 *
 * column.h
 *		One column of a relation, in memory or in a temporary file.
 *
 * A column is written once, from its first record to its last, and then read
 * in the same order any number of times.  It is kept as a sequence of blocks.
 * All columns of one call share a spool: what does not fit its limit goes to one
 * temporary file, and what reads the columns does not notice.
 *
 *-------------------------------------------------------------------------
 */
#ifndef SDC_RELATION_COLUMN_H
#define SDC_RELATION_COLUMN_H

#include "access/tupmacs.h"
#include "storage/buffile.h"

/* The file and the limit that all columns of one call share. */
typedef struct SdcSpool SdcSpool;

typedef struct SdcColumn SdcColumn;

/*
 * A place in a column.  The first fields are for the usual case, a value of a
 * pass-by-value type in a block without NULLs, and the rest for column.c.
 */
typedef struct SdcColumnReader
{
	const char *next;			/* where the next value starts */
	uint32		plain;			/* values from here on of the usual case */
	int16		typlen;

	uint32		index;			/* number of the next value in the block */
	SdcColumn  *column;
	uint64		next_block;		/* index of the block after the one at hand */
	struct BlockHeader *block;	/* block at hand */
	struct BlockPlace *pinned;	/* its place, when it lies in memory */
	struct BlockHeader *buffer; /* own memory for blocks from the file */
	Size		buffer_space;
} SdcColumnReader;

/*
 * sdc_spool_create makes a spool in the current memory context.  The columns
 * may together keep limit bytes in memory; columns is about how many there
 * will be, which sets the size of a block.
 */
extern SdcSpool *sdc_spool_create(uint64 limit, int columns);
extern void sdc_spool_set_limit(SdcSpool *spool, uint64 limit);
extern uint64 sdc_spool_memory(const SdcSpool *spool);
extern void sdc_spool_destroy(SdcSpool *spool);

/* sdc_column_create makes an empty column for values of a type. */
extern SdcColumn *sdc_column_create(SdcSpool *spool, Oid typid);
extern void sdc_column_append(SdcColumn *column, Datum value, bool isnull);
extern void sdc_column_finish(SdcColumn *column);
extern void sdc_column_destroy(SdcColumn *column);

extern uint64 sdc_column_count(const SdcColumn *column);
extern uint64 sdc_column_null_count(const SdcColumn *column);
extern Oid	sdc_column_type(const SdcColumn *column);

/* Bytes that all values of the column take as Datums and what they point to. */
extern uint64 sdc_column_loaded_size(const SdcColumn *column);

/*
 * sdc_column_load writes all values to space of sdc_column_loaded_size bytes: an
 * array of one Datum a record, and behind it the values of by-reference types.
 * A NULL is 0.
 */
extern Datum *sdc_column_load(SdcColumn *column, void *space);

extern SdcColumnReader *sdc_column_open(SdcColumn *column);
extern bool sdc_column_next_slow(SdcColumnReader *reader, Datum *value);
extern void sdc_column_close(SdcColumnReader *reader);

/*
 * sdc_column_next fetches the value of the next record; false means NULL.
 * A by-reference value stays valid until the next call.
 */
static inline bool
sdc_column_next(SdcColumnReader *reader, Datum *value)
{
	if (reader->plain == 0)
		return sdc_column_next_slow(reader, value);
	reader->plain--;
	reader->index++;
	*value = fetch_att(reader->next, true, reader->typlen);
	reader->next += reader->typlen;
	return true;
}

#endif							/* SDC_RELATION_COLUMN_H */
