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
#include "utils/resowner.h"

/* The file and the limit that all columns of one call share. */
typedef struct SdcSpool SdcSpool;

/*
 * A column.  The first fields are for the usual case, appending a value of a
 * pass-by-value type that is not NULL, and the rest for column.c.
 */
typedef struct SdcColumn
{
	char	   *place;			/* where the next value goes */
	uint32		room;			/* values of the usual case that fit behind it */
	int16		typlen;

	bool		typbyval;
	Oid			typid;
	SdcSpool   *spool;
	uint64		slot;			/* index in the spool's list */
	Size		width;			/* bytes a value takes, 0 for varying length */
	uint32		capacity;		/* values a block can have */
	Size		values_start;	/* offset of the values in a block */
	struct BlockPlace *blocks;	/* finished blocks */
	uint64		block_count;
	uint64		block_space;
	struct BlockHeader *current;	/* block under construction, or NULL */
	Size		current_space;	/* bytes allocated for it */
	uint64		count;			/* values in finished blocks */
	uint64		nulls;
	uint64		value_bytes;	/* sum of the bytes of varying-length values */
	uint64		spilled;		/* blocks at the front that were moved to the file, or passed over */
	bool		kept;			/* until its spool is destroyed */
	bool		attached;		/* its blocks are in the file of another process */
	struct SdcColumn *over;		/* whose blocks are replaced, or NULL */
} SdcColumn;

/* What another process must know of the file of a spool, */
typedef struct SdcSpoolFile
{
	Size		block_bytes;
	char		path[MAXPGPATH];
} SdcSpoolFile;

/* and of a column that lies there. */
typedef struct SdcColumnPlaces
{
	Oid			typid;
	uint64		count;
	uint64		nulls;
	uint64		block_count;
	off_t		place[FLEXIBLE_ARRAY_MEMBER];	/* of every block */
} SdcColumnPlaces;

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

/* sdc_spool_own has its file last as long as another owner than the one that it was created for. */
extern void sdc_spool_own(SdcSpool *spool, ResourceOwner owner);
extern uint64 sdc_spool_memory(const SdcSpool *spool);
extern void sdc_spool_destroy(SdcSpool *spool);

/* sdc_spool_rewind uses the file from its beginning again; no column may be left. */
extern void sdc_spool_rewind(SdcSpool *spool);

/* sdc_spool_file tells of its file, and sdc_spool_attach makes a spool with which another process gets at that. */
extern void sdc_spool_file(SdcSpool *spool, SdcSpoolFile *file);
extern SdcSpool *sdc_spool_attach(const SdcSpoolFile *file, uint64 limit);

/*
 * sdc_spool_append makes a spool whose columns come into that file, which has nothing yet and nobody else writes to.
 * The other process gets them by sdc_column_adopt; sdc_spool_places_bytes is how large the places of a column of so
 * many values are.
 */
extern SdcSpool *sdc_spool_append(const SdcSpoolFile *file, uint64 limit);
extern Size sdc_spool_places_bytes(SdcSpool *spool, Oid typid, uint64 values);
extern SdcColumn *sdc_column_adopt(SdcSpool *spool, const SdcColumnPlaces *places);

/* sdc_column_create makes an empty column for values of a type. */
extern SdcColumn *sdc_column_create(SdcSpool *spool, Oid typid);
extern void sdc_column_append_slow(SdcColumn *column, Datum value, bool isnull);
extern void sdc_column_finish(SdcColumn *column);

/* sdc_column_destroy frees a column, unless it is kept: sdc_column_keep leaves it to its spool. */
extern void sdc_column_destroy(SdcColumn *column);
extern void sdc_column_keep(SdcColumn *column);

/*
 * A column that another process reads, and may replace: sdc_column_can_share tells whether that is possible (of a
 * pass-by-value type, not kept as it is), sdc_column_spill moves it to the file, sdc_column_places says where it is (in
 * *bytes bytes), and sdc_column_attach makes it a column of the other process.
 */
extern bool sdc_column_can_share(const SdcColumn *column);
extern void sdc_column_spill(SdcColumn *column);
extern SdcColumnPlaces *sdc_column_places(const SdcColumn *column, Size *bytes);
extern SdcColumn *sdc_column_attach(SdcSpool *spool, const SdcColumnPlaces *places);

/* sdc_column_replaced notes that another process has replaced all values of a column, by so many that are NULL. */
extern void sdc_column_replaced(SdcColumn *column, uint64 nulls);

/*
 * sdc_column_successor makes an empty column for the values that the same records get.  Where the one before is
 * attached, it takes its place block by block, and both can be used together as long as no record is read that was
 * written before.
 */
extern SdcColumn *sdc_column_successor(SdcColumn *column, SdcSpool *spool, Oid typid);

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

/* sdc_column_append adds the value of the next record. */
static inline void
sdc_column_append(SdcColumn *column, Datum value, bool isnull)
{
	if (isnull || column->room == 0)
	{
		sdc_column_append_slow(column, value, isnull);
		return;
	}
	store_att_byval(column->place, value, column->typlen);
	column->place += column->typlen;
	column->room--;
}

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

/*
 * Many values of the usual case at once: the next plain values of a reader lie at its place, and room values fit at
 * that of a column.  sdc_column_read_plain goes on behind so many of them, sdc_column_wrote_plain notes that so many
 * were stored.
 */
static inline void
sdc_column_read_plain(SdcColumnReader *reader, uint32 count)
{
	Assert(count <= reader->plain);
	reader->plain -= count;
	reader->index += count;
	reader->next += (Size) count * reader->typlen;
}

static inline void
sdc_column_wrote_plain(SdcColumn *column, uint32 count)
{
	Assert(count <= column->room);
	column->room -= count;
	column->place += (Size) count * column->typlen;
}

#endif							/* SDC_RELATION_COLUMN_H */
