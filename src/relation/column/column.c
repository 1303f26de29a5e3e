/*-------------------------------------------------------------------------
 *
 * column.c
 *		One column of a relation, in memory or in a temporary file.
 *
 * A block has a header, a bitmap of NULLs, and the values:
 *
 *	fixed length	values of the type's length, one after the other; pass-by-
 *					reference types padded to MAXALIGN.  A NULL keeps its place.
 *	varying length	for each value that is not NULL its length as 8 bytes and its
 *					bytes, padded to MAXALIGN, so that a Datum can point into the
 *					block.
 *
 * The block under construction is always in memory.  Finished blocks stay
 * there as far as the spool's limit allows; the others go to the spool's temporary
 * file.  A single value that is larger than a block gets
 * a block of its own size.
 *
 * Values are stored without external or expanded forms: what is in a column
 * does not depend on the relation that it was read from.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/detoast.h"
#include "commands/tablespace.h"
#include "fmgr.h"
#include "kernel/base/kernel_env.h"
#include "relation/base/compat.h"
#include "relation/base/memory.h"
#include "relation/column/column.h"
#include "utils/datum.h"
#include "storage/buffile.h"
#include "storage/fd.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/wait_event.h"

/*
 * A block of 32 kB keeps the seeks in the shared file few; at least 1 kB, so that
 * 1,600 columns still fit the smallest maintenance_work_mem.
 */
#define BLOCK_BYTES_MAX (32 * 1024)
#define BLOCK_BYTES_MIN 1024

/*
 * Smaller blocks are read and written through the buffer of a BufFile, which takes neighbours together; larger ones as
 * they are, which other processes can do too.
 */
#define BLOCK_BYTES_PLAIN BLCKSZ

/* No file. */
#define NO_FILE ((File) -1)

/* A place in the file. */
typedef struct FilePlace
{
	int			fileno;			/* of a BufFile, otherwise 0 */
	off_t		offset;
} FilePlace;

/* A block that could not be moved when it was its turn. */
typedef struct PassedBlock
{
	uint64		slot;			/* of its column */
	uint64		block;
} PassedBlock;

struct SdcSpool
{
	MemoryContext context;		/* of everything below */
	ResourceOwner owner;		/* of the file */
	uint64		limit;			/* bytes that finished blocks may take in memory */
	uint64		in_memory;		/* bytes that they take */
	Size		block_bytes;	/* target size of a block */
	SdcColumn **columns;		/* all living columns; NULL where destroyed */
	uint64		column_count;
	uint64		column_space;
	File		file;			/* NO_FILE until something was spilled, */
	BufFile    *buffered;		/* or this, for small blocks */
	FilePlace	end;			/* of the file */
	File		attached;		/* that of another process, or NO_FILE */
	FilePlace  *holes;			/* places of ordinary blocks that are free again */
	uint64		hole_count;
	uint64		hole_space;
	PassedBlock *passed;		/* blocks that readers were at, which are moved when they are not */
	uint64		passed_count;
	uint64		passed_space;
};

/* What is in front of the values of a block. */
typedef struct BlockHeader
{
	uint32		count;			/* values in the block, NULLs included */
	uint32		nulls;			/* NULLs among them */
	Size		bytes;			/* size of the whole block */
	/* null bitmap (capacity bits), then MAXALIGNed values */
} BlockHeader;

typedef struct BlockPlace
{
	BlockHeader *memory;		/* NULL when it lies in the file */
	uint32		pins;			/* readers that are at it: it must not move */
	Size		bytes;			/* its size */
	Size		space;			/* bytes allocated for it; ordinary: block_bytes */
	FilePlace	place;
} BlockPlace;

static inline uint8 *
block_nulls(BlockHeader *block)
{
	return (uint8 *) block + MAXALIGN(sizeof(BlockHeader));
}

/*
 * sdc_spool_create makes a spool whose columns may keep limit bytes in memory.
 */
SdcSpool *
sdc_spool_create(uint64 limit, int columns)
{
	SdcSpool   *spool = palloc0(sizeof(SdcSpool));
	uint64		share = limit / (2 * (uint64) Max(columns, 1));

	spool->context = AllocSetContextCreate(CurrentMemoryContext, "sdc spool",
										   ALLOCSET_DEFAULT_SIZES);
	spool->owner = CurrentResourceOwner;
	spool->limit = limit;
	spool->block_bytes = Max(BLOCK_BYTES_MIN, Min(share, BLOCK_BYTES_MAX));
	spool->file = spool->attached = NO_FILE;
	return spool;
}

/* open_spool makes a spool for the file of another process, which it opens. */
static SdcSpool *
open_spool(const SdcSpoolFile *file, uint64 limit, File *opened)
{
	SdcSpool   *spool = sdc_spool_create(limit, 1);

	spool->block_bytes = file->block_bytes;
	*opened = PathNameOpenFile(file->path, O_RDWR | PG_BINARY);
	if (*opened == NO_FILE)
		ereport(ERROR,
				(errcode_for_file_access(),
				 errmsg("could not open file \"%s\": %m", file->path)));
	return spool;
}

/* sdc_spool_attach: see column.h. */
SdcSpool *
sdc_spool_attach(const SdcSpoolFile *file, uint64 limit)
{
	File		opened;
	SdcSpool   *spool = open_spool(file, limit, &opened);

	spool->attached = opened;
	return spool;
}

/* sdc_spool_append: see column.h. */
SdcSpool *
sdc_spool_append(const SdcSpoolFile *file, uint64 limit)
{
	File		opened;
	SdcSpool   *spool = open_spool(file, limit, &opened);

	spool->file = opened;
	return spool;
}

/* grow_array makes room for more elements, in memory of the spool. */
static void *
grow_array(SdcSpool *spool, void *array, uint64 *space, Size size)
{
	*space = Max(16, *space * 2);
	if (array == NULL)
		return MemoryContextAllocHuge(spool->context, *space * size);
	return repalloc_huge(array, *space * size);
}

/* sdc_spool_destroy frees all columns of the spool and its file. */
void
sdc_spool_destroy(SdcSpool *spool)
{
	if (spool->file != NO_FILE)
		FileClose(spool->file);
	if (spool->buffered != NULL)
		BufFileClose(spool->buffered);
	if (spool->attached != NO_FILE)
		FileClose(spool->attached);
	MemoryContextDelete(spool->context);
	pfree(spool);
}

/* sdc_spool_rewind uses the file from its beginning again. */
void
sdc_spool_rewind(SdcSpool *spool)
{
	for (uint64 i = 0; i < spool->column_count; i++)
		if (spool->columns[i] != NULL)
			elog(ERROR, "spool has columns");
	spool->column_count = 0;
	spool->end = (FilePlace) {0, 0};
	spool->hole_count = 0;
	spool->passed_count = 0;
}

/* sdc_spool_own: see column.h. */
void
sdc_spool_own(SdcSpool *spool, ResourceOwner owner)
{
	spool->owner = owner;
}

/* sdc_spool_memory returns the bytes that finished blocks take in memory. */
uint64
sdc_spool_memory(const SdcSpool *spool)
{
	return spool->in_memory;
}

/* write_file writes to a file at a place. */
static void
write_file(File file, void *bytes, Size count, off_t place)
{
	if (FileWrite(file, bytes, (int) count, place, WAIT_EVENT_BUFFILE_WRITE) != (int) count)
		ereport(ERROR,
				(errcode_for_file_access(),
				 errmsg("could not write to temporary file: %m")));
}

/* spool_write writes to the spool's file at a place, and sets the place behind it unless that is NULL. */
static void
spool_write(SdcSpool *spool, void *bytes, Size count, FilePlace place, FilePlace *end)
{
	if (spool->buffered == NULL)
		write_file(spool->file, bytes, count, place.offset);
	else
	{
		if (BufFileSeek(spool->buffered, place.fileno, place.offset, SEEK_SET) != 0)
			ereport(ERROR,
					(errcode_for_file_access(),
					 errmsg("could not seek in temporary file: %m")));
		BufFileWrite(spool->buffered, bytes, count);
	}
	if (end == NULL)
		return;
	if (spool->buffered == NULL)
		end->offset = place.offset + (off_t) count;
	else
		BufFileTell(spool->buffered, &end->fileno, &end->offset);
}

/* column_read reads a block of a column that is in a file. */
static void
column_read(const SdcColumn *column, void *bytes, Size count, FilePlace place)
{
	SdcSpool   *spool = column->spool;
	bool		read;

	if (spool->buffered != NULL && !column->attached)
		read = BufFileSeek(spool->buffered, place.fileno, place.offset, SEEK_SET) == 0 &&
			BufFileRead(spool->buffered, bytes, count) == count;
	else
		read = FileRead(column->attached ? spool->attached : spool->file, bytes, (int) count, place.offset,
						WAIT_EVENT_BUFFILE_READ) == (int) count;
	if (!read)
		ereport(ERROR,
				(errcode_for_file_access(),
				 errmsg("could not read from temporary file: %m")));
}

/*
 * spool_write_block moves one finished block to the file.  Ordinary blocks all take the
 * same room there, so that they can take each other's place.
 */
static void
spool_write_block(SdcSpool *spool, BlockPlace *block)
{
	bool		ordinary = block->space == spool->block_bytes;
	bool		fill = ordinary && spool->hole_count > 0;
	Size		bytes = ordinary ? block->space : block->bytes;

	block->place = fill ? spool->holes[--spool->hole_count] : spool->end;
	if (ordinary)
		memset((char *) block->memory + block->bytes, 0, block->space - block->bytes);
	spool_write(spool, block->memory, bytes, block->place, fill ? NULL : &spool->end);
	pfree(block->memory);
	block->memory = NULL;
	spool->in_memory -= block->bytes;
}

/* spool_free_place lets other blocks have the place of a block in the file. */
static void
spool_free_place(SdcSpool *spool, const BlockPlace *block)
{
	if (block->space != spool->block_bytes)
		return;
	if (spool->hole_count == spool->hole_space)
		spool->holes = grow_array(spool, spool->holes, &spool->hole_space, sizeof(FilePlace));
	spool->holes[spool->hole_count++] = block->place;
}

/* spool_open_file creates the file when it is needed for the first time. */
static void
spool_open_file(SdcSpool *spool)
{
	MemoryContext old;
	ResourceOwner owner = CurrentResourceOwner;

	if (spool->file != NO_FILE || spool->buffered != NULL)
		return;
	old = MemoryContextSwitchTo(spool->context);
	CurrentResourceOwner = spool->owner;
	if (spool->block_bytes < BLOCK_BYTES_PLAIN)
		spool->buffered = BufFileCreateTemp(false);
	else
	{
		PrepareTempTablespaces();
		spool->file = OpenTemporaryFile(false);
	}
	CurrentResourceOwner = owner;
	MemoryContextSwitchTo(old);
}

/* spool_spill_passed moves blocks that were passed over, and that nobody is at any more. */
static void
spool_spill_passed(SdcSpool *spool)
{
	uint64		count = 0;

	for (uint64 i = 0; i < spool->passed_count; i++)
	{
		PassedBlock passed = spool->passed[i];
		SdcColumn  *column = spool->columns[passed.slot];
		BlockPlace *block = column == NULL ? NULL : &column->blocks[passed.block];

		if (block == NULL || block->memory == NULL)
			continue;
		if (block->pins > 0 || spool->in_memory <= spool->limit)
			spool->passed[count++] = passed;
		else
			spool_write_block(spool, block);
	}
	spool->passed_count = count;
}

/* spool_pass remembers a block that a reader is at. */
static void
spool_pass(SdcSpool *spool, uint64 slot, uint64 block)
{
	if (spool->passed_count == spool->passed_space)
		spool->passed = grow_array(spool, spool->passed, &spool->passed_space, sizeof(PassedBlock));
	spool->passed[spool->passed_count++] = (PassedBlock) {slot, block};
}

/*
 * spool_spill moves finished blocks to the file until what stays is within the limit.  No block is looked at twice, but
 * for the few that readers are at.
 */
static void
spool_spill(SdcSpool *spool)
{
	spool_open_file(spool);
	spool_spill_passed(spool);
	for (uint64 i = 0; i < spool->column_count; i++)
	{
		SdcColumn  *column = spool->columns[i];

		if (column == NULL)
			continue;
		while (column->spilled < column->block_count && spool->in_memory > spool->limit)
		{
			BlockPlace *block = &column->blocks[column->spilled++];

			if (block->memory == NULL)
				continue;
			CHECK_FOR_INTERRUPTS();
			if (block->pins > 0)
				spool_pass(spool, i, column->spilled - 1);
			else
				spool_write_block(spool, block);
		}
	}
}

/* sdc_spool_file: see column.h. */
void
sdc_spool_file(SdcSpool *spool, SdcSpoolFile *file)
{
	spool_open_file(spool);
	file->block_bytes = spool->block_bytes;
	snprintf(file->path, sizeof(file->path), "%s", FilePathName(spool->file));
}

/* sdc_column_can_share: see column.h. */
bool
sdc_column_can_share(const SdcColumn *column)
{
	return column->typbyval && !column->kept && column->spool->block_bytes >= BLOCK_BYTES_PLAIN;
}

/* sdc_column_spill: see column.h. */
void
sdc_column_spill(SdcColumn *column)
{
	spool_open_file(column->spool);
	for (uint64 b = 0; b < column->block_count; b++)
		if (column->blocks[b].memory != NULL)
		{
			Assert(column->blocks[b].pins == 0);
			CHECK_FOR_INTERRUPTS();
			spool_write_block(column->spool, &column->blocks[b]);
		}
}

/* sdc_spool_set_limit changes the limit, and spills at once if that is due. */
void
sdc_spool_set_limit(SdcSpool *spool, uint64 limit)
{
	spool->limit = limit;
	if (spool->in_memory > limit)
		spool_spill(spool);
}

/* spool_add_column remembers a column, so that it can be spilled. */
static void
spool_add_column(SdcSpool *spool, SdcColumn *column)
{
	if (spool->column_count == spool->column_space)
		spool->columns = grow_array(spool, spool->columns, &spool->column_space,
									sizeof(SdcColumn *));
	column->slot = spool->column_count;
	spool->columns[spool->column_count++] = column;
}

/* sdc_column_create makes an empty column for values of the type. */
SdcColumn *
sdc_column_create(SdcSpool *spool, Oid typid)
{
	MemoryContext old = MemoryContextSwitchTo(spool->context);
	SdcColumn  *column = palloc0(sizeof(SdcColumn));
	Size		room;

	column->spool = spool;
	column->typid = typid;
	get_typlenbyval(typid, &column->typlen, &column->typbyval);
	if (column->typbyval)
		column->width = column->typlen;
	else if (column->typlen > 0)
		column->width = MAXALIGN(column->typlen);

	room = spool->block_bytes - MAXALIGN(sizeof(BlockHeader)) - 2 * MAXIMUM_ALIGNOF;
	if (column->width > 0)
		column->capacity = Max(1, room * 8 / (column->width * 8 + 1));
	else
		column->capacity = Max(1, room * 8 / (2 * MAXIMUM_ALIGNOF * 8 + 1));
	column->values_start = MAXALIGN(MAXALIGN(sizeof(BlockHeader)) + (column->capacity + 7) / 8);

	spool_add_column(spool, column);
	MemoryContextSwitchTo(old);
	return column;
}

/* sdc_column_places: see column.h. */
SdcColumnPlaces *
sdc_column_places(const SdcColumn *column, Size *bytes)
{
	SdcColumnPlaces *places;

	*bytes = offsetof(SdcColumnPlaces, place) + sizeof(off_t) * column->block_count;
	places = MemoryContextAllocHuge(CurrentMemoryContext, *bytes);
	places->typid = column->typid;
	places->count = column->count;
	places->nulls = column->nulls;
	places->block_count = column->block_count;
	for (uint64 b = 0; b < column->block_count; b++)
	{
		Assert(column->typbyval && column->blocks[b].memory == NULL);
		places->place[b] = column->blocks[b].place.offset;
	}
	return places;
}

/* sdc_column_attach: see column.h. */
SdcColumn *
sdc_column_attach(SdcSpool *spool, const SdcColumnPlaces *places)
{
	SdcColumn  *column = sdc_column_create(spool, places->typid);

	column->attached = true;
	column->count = places->count;
	column->nulls = places->nulls;
	column->block_count = column->block_space = places->block_count;
	column->blocks = MemoryContextAllocHuge(spool->context, sizeof(BlockPlace) * Max(places->block_count, 1));
	for (uint64 b = 0; b < places->block_count; b++)
	{
		uint64		count = Min(column->capacity, places->count - b * column->capacity);

		column->blocks[b] = (BlockPlace) {.bytes = column->values_start + count * column->width,
		.space = spool->block_bytes, .place.offset = places->place[b]};
	}
	return column;
}

/* sdc_spool_places_bytes: see column.h. */
Size
sdc_spool_places_bytes(SdcSpool *spool, Oid typid, uint64 values)
{
	SdcColumn  *column = sdc_column_create(spool, typid);
	uint64		blocks = values / column->capacity + 1;

	sdc_column_destroy(column);
	return offsetof(SdcColumnPlaces, place) + sizeof(off_t) * blocks;
}

/* sdc_column_adopt: see column.h. */
SdcColumn *
sdc_column_adopt(SdcSpool *spool, const SdcColumnPlaces *places)
{
	SdcColumn  *column = sdc_column_attach(spool, places);

	column->attached = false;
	for (uint64 b = 0; b < places->block_count; b++)
		spool->end.offset = Max(spool->end.offset, places->place[b] + (off_t) spool->block_bytes);
	return column;
}

/* sdc_column_replaced: see column.h. */
void
sdc_column_replaced(SdcColumn *column, uint64 nulls)
{
	column->nulls = nulls;
}

/* sdc_column_successor: see column.h. */
SdcColumn *
sdc_column_successor(SdcColumn *column, SdcSpool *spool, Oid typid)
{
	SdcColumn  *successor = sdc_column_create(spool, typid);

	if (!column->attached)
		return successor;
	Assert(column->spool == spool && column->typid == typid);
	successor->over = column;
	successor->attached = true;
	return successor;
}

/* column_start_block begins a block with room for at least one value of extra bytes. */
static void
column_start_block(SdcColumn *column, Size extra)
{
	Size		space = column->values_start +
		(column->width > 0 ? column->width * column->capacity : 0);

	space = Max(space, column->spool->block_bytes);
	space = Max(space, column->values_start + extra);
	column->current = MemoryContextAllocHuge(column->spool->context, space);
	column->current_space = space;
	memset(column->current, 0, column->values_start);
	column->current->bytes = column->values_start;
	column->place = (char *) column->current + column->values_start;
	column->room = column->typbyval ? column->capacity : 0;
}

/* column_count_plain enters what was appended in the usual way in the block's header. */
static void
column_count_plain(SdcColumn *column)
{
	BlockHeader *block = column->current;

	if (block == NULL || !column->typbyval)
		return;
	block->count = column->capacity - column->room;
	block->bytes = column->values_start + block->count * column->width;
}

/*
 * column_replace_block writes a block in the place of that of the column before.  Who reads that one is at this block
 * or behind it, and has it in memory.
 */
static void
column_replace_block(SdcColumn *column, BlockPlace *block)
{
	const BlockPlace *before = &column->over->blocks[column->block_count - 1];

	if (column->block_count > column->over->block_count || block->bytes != before->bytes)
		elog(ERROR, "column has other blocks than the one before");
	block->place = before->place;
	write_file(column->spool->attached, block->memory, block->bytes, block->place.offset);
	pfree(block->memory);
	block->memory = NULL;
	column->spool->in_memory -= block->bytes;
}

/* column_end_block closes the block under construction. */
static void
column_end_block(SdcColumn *column)
{
	SdcSpool   *spool = column->spool;
	BlockPlace *place;

	column_count_plain(column);
	if (column->current == NULL || column->current->count == 0)
		return;
	column->count += column->current->count;
	column->room = 0;
	if (column->block_count == column->block_space)
		column->blocks = grow_array(spool, column->blocks, &column->block_space,
									sizeof(BlockPlace));
	place = &column->blocks[column->block_count++];
	place->memory = column->current;
	place->pins = 0;
	place->bytes = column->current->bytes;
	place->space = column->current_space;
	column->current = NULL;
	spool->in_memory += place->bytes;
	if (column->over != NULL)
	{
		column_replace_block(column, place);
		return;
	}
	if (spool->in_memory > spool->limit)
	{
		/* what comes last goes to the file: the earlier blocks stay */
		spool_open_file(spool);
		spool_write_block(spool, place);
	}
}

/* column_append_varying stores a value of varying length. */
static void
column_append_varying(SdcColumn *column, Datum value)
{
	Pointer		pointer = DatumGetPointer(value);
	uint64		length;
	Size		needed;
	char	   *place;

	if (column->typlen == -1 && VARATT_IS_EXTERNAL(pointer))
		pointer = (Pointer) PG_DETOAST_DATUM_PACKED(value);
	length = datumGetSize(PointerGetDatum(pointer), false, column->typlen);
	needed = sizeof(uint64) + MAXALIGN(length);

	if (column->current != NULL && column->current->bytes + needed > column->current_space)
		column_end_block(column);
	if (column->current == NULL)
		column_start_block(column, needed);

	place = (char *) column->current + column->current->bytes;
	*(uint64 *) place = length;
	memcpy(place + sizeof(uint64), pointer, length);
	memset(place + sizeof(uint64) + length, 0, MAXALIGN(length) - length);
	column->current->bytes += needed;
	column->value_bytes += MAXALIGN(length);
	if (pointer != DatumGetPointer(value))
		pfree(pointer);
}

/*
 * sdc_column_append_slow is sdc_column_append where a block begins or ends, for NULLs and
 * for by-reference types.
 */
void
sdc_column_append_slow(SdcColumn *column, Datum value, bool isnull)
{
	BlockHeader *block;

	column_count_plain(column);
	if (column->current != NULL && column->current->count == column->capacity)
		column_end_block(column);
	if (!isnull && column->width == 0)
		column_append_varying(column, value);
	else if (column->current == NULL)
		column_start_block(column, 0);
	block = column->current;

	if (column->width > 0)
	{
		char	   *place = (char *) block + block->bytes;

		memset(place, 0, column->width);
		if (!isnull && column->typbyval)
			store_att_byval(place, value, column->typlen);
		else if (!isnull)
			memcpy(place, DatumGetPointer(value), column->typlen);
		block->bytes += column->width;
	}
	if (isnull)
	{
		block_nulls(block)[block->count / 8] |= 1 << (block->count % 8);
		block->nulls++;
		column->nulls++;
	}
	block->count++;
	if (column->typbyval)
	{
		column->place = (char *) block + block->bytes;
		column->room = column->capacity - block->count;
	}
}

/* sdc_column_finish ends writing. */
void
sdc_column_finish(SdcColumn *column)
{
	column_end_block(column);
}

/* sdc_column_keep: see column.h. */
void
sdc_column_keep(SdcColumn *column)
{
	column->kept = true;
}

/* sdc_column_destroy frees a column that is not kept. */
void
sdc_column_destroy(SdcColumn *column)
{
	if (column->kept)
		return;
	for (uint64 b = 0; b < column->block_count; b++)
		if (column->blocks[b].memory != NULL)
		{
			column->spool->in_memory -= column->blocks[b].bytes;
			pfree(column->blocks[b].memory);
		}
		else if (!column->attached)
			spool_free_place(column->spool, &column->blocks[b]);
	if (column->blocks != NULL)
		pfree(column->blocks);
	if (column->current != NULL)
		pfree(column->current);
	column->spool->columns[column->slot] = NULL;
	pfree(column);
}

uint64
sdc_column_count(const SdcColumn *column)
{
	return column->count;
}

uint64
sdc_column_null_count(const SdcColumn *column)
{
	return column->nulls;
}

Oid
sdc_column_type(const SdcColumn *column)
{
	return column->typid;
}

/* sdc_column_loaded_size returns the bytes that sdc_column_load needs. */
uint64
sdc_column_loaded_size(const SdcColumn *column)
{
	uint64		size = column->count * sizeof(Datum);

	if (column->width == 0)
		size += column->value_bytes;
	else if (!column->typbyval)
		size += column->count * column->width;
	return size;
}

/* sdc_column_load writes all values as one array to space. */
Datum *
sdc_column_load(SdcColumn *column, void *space)
{
	Datum	   *values = space;
	char	   *place = (char *) (values + column->count);
	SdcColumnReader *reader = sdc_column_open(column);
	Datum		value;

	for (uint64 i = 0; i < column->count; i++)
	{
		if (!sdc_column_next(reader, &value))
			values[i] = (Datum) 0;
		else if (column->typbyval)
			values[i] = value;
		else
		{
			Size		length = datumGetSize(value, false, column->typlen);

			memcpy(place, DatumGetPointer(value), length);
			values[i] = PointerGetDatum(place);
			place += MAXALIGN(length);
		}
	}
	sdc_column_close(reader);
	return values;
}

/* sdc_column_open starts reading at the first record of a finished column. */
SdcColumnReader *
sdc_column_open(SdcColumn *column)
{
	SdcColumnReader *reader = palloc0(sizeof(SdcColumnReader));

	Assert(column->current == NULL);
	reader->column = column;
	reader->typlen = column->typlen;
	return reader;
}

/* reader_unpin lets the block at hand move again. */
static void
reader_unpin(SdcColumnReader *reader)
{
	if (reader->pinned != NULL)
		reader->pinned->pins--;
	reader->pinned = NULL;
}

/* reader_next_block brings the next block to hand. */
static void
reader_next_block(SdcColumnReader *reader)
{
	SdcColumn  *column = reader->column;
	BlockPlace *place;

	CHECK_FOR_INTERRUPTS();
	if (reader->next_block >= column->block_count)
		elog(ERROR, "read beyond the end of a column");
	reader_unpin(reader);
	place = &column->blocks[reader->next_block++];
	if (place->memory != NULL)
	{
		reader->block = place->memory;
		reader->pinned = place;
		place->pins++;
	}
	else
	{
		if (place->bytes > reader->buffer_space)
		{
			if (reader->buffer != NULL)
				pfree(reader->buffer);
			/* which may live longer than what is current */
			reader->buffer = MemoryContextAllocHuge(GetMemoryChunkContext(reader), place->bytes);
			reader->buffer_space = place->bytes;
		}
		column_read(column, reader->buffer, place->bytes, place->place);
		reader->block = reader->buffer;
	}
	reader->index = 0;
	reader->next = (char *) reader->block + column->values_start;
	reader->plain = column->typbyval && reader->block->nulls == 0 ? reader->block->count : 0;
}

/* sdc_column_next_slow is sdc_column_next at the start of a block, and in all other cases. */
bool
sdc_column_next_slow(SdcColumnReader *reader, Datum *value)
{
	SdcColumn  *column = reader->column;
	bool		isnull;

	if (reader->block == NULL || reader->index == reader->block->count)
	{
		reader_next_block(reader);
		if (reader->plain > 0)
			return sdc_column_next(reader, value);
	}
	isnull = reader->block->nulls > 0 &&
		(block_nulls(reader->block)[reader->index / 8] & (1 << (reader->index % 8))) != 0;
	reader->index++;

	if (column->width > 0)
	{
		*value = isnull ? (Datum) 0 : fetch_att(reader->next, column->typbyval, column->typlen);
		reader->next += column->width;
	}
	else if (isnull)
		*value = (Datum) 0;
	else
	{
		uint64		length = *(const uint64 *) reader->next;

		*value = PointerGetDatum(reader->next + sizeof(uint64));
		reader->next += sizeof(uint64) + MAXALIGN(length);
	}
	return !isnull;
}

/* sdc_column_close ends reading. */
void
sdc_column_close(SdcColumnReader *reader)
{
	reader_unpin(reader);
	if (reader->buffer != NULL)
		pfree(reader->buffer);
	pfree(reader);
}
