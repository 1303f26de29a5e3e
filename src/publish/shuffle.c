/*-------------------------------------------------------------------------
 *
 * shuffle.c
 *		Records in random order, as many as there are.
 *
 * What fits into memory is permuted there (R. A. Fisher and F. Yates, 1938).  When there is more, every record goes
 * to one of some files, drawn for it alone; then file after file is read and permuted, and one that is still too
 * large is dealt out once more.  That is sorting by random digits, of which as many are drawn as are needed: all
 * orders are as likely.
 *
 * The draws come from the server's strong generator and there is no seed: nobody is to repeat the order.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "kernel/base/kernel_env.h"
#include "publish/shuffle.h"
#include "relation/base/random.h"
#include "storage/buffile.h"
#include "utils/memutils.h"

/* Records lie in blocks of so many bytes, or one in a block of its own. */
#define BLOCK_BYTES (256 * 1024)

/* A file takes a buffer of a page and a little more; all of them an eighth of the memory. */
#define FILE_BYTES (BLCKSZ + 512)
#define FILES_LEAST 4
#define FILES_MOST 256

/* A record is fetched from memory so many records before it is needed. */
#define FETCHED_AHEAD 8

struct SdcShuffle
{
	MemoryContext context;
	MemoryContext blocks;		/* of the records in memory */
	SdcRandom  *random;
	SdcStream  *stream;
	uint64		memory;			/* that may be used */

	/* records in memory */
	MinimalTuple *record;
	uint32		count;
	uint32		capacity;
	uint64		bytes;			/* in blocks */
	char	   *block;			/* what is left of the last one */
	Size		block_left;
	Size		block_bytes;	/* of a new one */

	/* records in files: those of one deal lie side by side, and the last file is read first */
	BufFile   **file;
	int			file_count;
	int			file_capacity;
	int			files_dealt;	/* how many a deal makes, a power of two */
	bool		dealing;		/* what is added goes to the last deal */

	bool		given;			/* records were permuted and are given back, from the end */
};

/* forget_records empties the memory. */
static void
forget_records(SdcShuffle *shuffle)
{
	MemoryContextReset(shuffle->blocks);
	shuffle->count = 0;
	shuffle->bytes = 0;
	shuffle->block_left = 0;
}

/* sdc_shuffle_create: see shuffle.h. */
SdcShuffle *
sdc_shuffle_create(uint64 memory)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "sdc shuffle", ALLOCSET_DEFAULT_SIZES);
	MemoryContext before = MemoryContextSwitchTo(context);
	SdcShuffle *shuffle = palloc0(sizeof(SdcShuffle));

	shuffle->context = context;
	shuffle->blocks = AllocSetContextCreate(context, "sdc shuffle records", ALLOCSET_DEFAULT_SIZES);
	shuffle->random = sdc_random_create(NULL, "publish");
	shuffle->stream = sdc_random_start(shuffle->random, "", "order", 0);
	shuffle->files_dealt = FILES_LEAST;
	while (shuffle->files_dealt < FILES_MOST && (uint64) shuffle->files_dealt * 2 * FILE_BYTES <= memory / 8)
		shuffle->files_dealt *= 2;
	shuffle->memory = memory - Min(memory, (uint64) shuffle->files_dealt * FILE_BYTES);
	shuffle->block_bytes = Min(BLOCK_BYTES, shuffle->memory / 8);
	shuffle->capacity = 1024;
	shuffle->record = palloc(sizeof(MinimalTuple) * shuffle->capacity);
	MemoryContextSwitchTo(before);
	return shuffle;
}

/* record_size returns what a record takes in memory: before it is room to make a heap tuple of it. */
static inline Size
record_size(Size length)
{
	return MAXALIGN(MINIMAL_TUPLE_OFFSET + length);
}

/* fits tells whether there is memory for one more record. */
static bool
fits(const SdcShuffle *shuffle, Size length)
{
	uint64		list = sizeof(MinimalTuple) * (uint64) shuffle->capacity;
	uint64		block = shuffle->block_left >= record_size(length) ? 0 :
		Max(record_size(length), shuffle->block_bytes);

	if (shuffle->count == shuffle->capacity)
		list *= 3;				/* while it is copied to a larger one */
	return shuffle->count < PG_INT32_MAX &&
		(shuffle->count == 0 || shuffle->bytes + block + list <= shuffle->memory);
}

/* keep makes room in memory for a record, which the caller fills in. */
static MinimalTuple
keep(SdcShuffle *shuffle, Size length)
{
	Size		size = record_size(length);
	MinimalTuple record;

	if (shuffle->block_left < size)
	{
		Size		block = Max(size, shuffle->block_bytes);

		shuffle->block = MemoryContextAllocHuge(shuffle->blocks, block);
		shuffle->block_left = block;
		shuffle->bytes += block;
	}
	if (shuffle->count == shuffle->capacity)
	{
		shuffle->capacity *= 2;
		shuffle->record = repalloc_huge(shuffle->record, sizeof(MinimalTuple) * shuffle->capacity);
	}
	record = (MinimalTuple) (shuffle->block + MINIMAL_TUPLE_OFFSET);
	shuffle->block += size;
	shuffle->block_left -= size;
	shuffle->record[shuffle->count++] = record;
	return record;
}

/* deal_record writes a record to a file of the last deal. */
static void
deal_record(SdcShuffle *shuffle, MinimalTuple record)
{
	uint32		file = sdc_stream_next32(shuffle->stream) & (uint32) (shuffle->files_dealt - 1);

	BufFileWrite(shuffle->file[shuffle->file_count - 1 - (int) file], record, record->t_len);
}

/* begin_deal makes files, and deals out what is in memory. */
static void
begin_deal(SdcShuffle *shuffle)
{
	MemoryContext before = MemoryContextSwitchTo(shuffle->context);

	while (shuffle->file_count + shuffle->files_dealt > shuffle->file_capacity)
	{
		shuffle->file_capacity = Max(FILES_MOST, shuffle->file_capacity * 2);
		shuffle->file = shuffle->file == NULL ? palloc(sizeof(BufFile *) * shuffle->file_capacity) :
			repalloc(shuffle->file, sizeof(BufFile *) * shuffle->file_capacity);
	}
	for (int i = 0; i < shuffle->files_dealt; i++)
	{
		shuffle->file[shuffle->file_count] = BufFileCreateTemp(false);
		shuffle->file_count++;
	}
	MemoryContextSwitchTo(before);
	for (uint32 i = 0; i < shuffle->count; i++)
	{
		deal_record(shuffle, shuffle->record[i]);
		sdc_interrupts_step(i);
	}
	forget_records(shuffle);
}

/* sdc_shuffle_add: see shuffle.h. */
void
sdc_shuffle_add(SdcShuffle *shuffle, MinimalTuple record)
{
	Assert(!shuffle->given);
	if (!shuffle->dealing && !fits(shuffle, record->t_len))
	{
		begin_deal(shuffle);
		shuffle->dealing = true;
	}
	if (shuffle->dealing)
		deal_record(shuffle, record);
	else
		memcpy(keep(shuffle, record->t_len), record, record->t_len);
}

/* read_bytes reads from a file, which must have so many. */
static void
read_bytes(BufFile *file, void *bytes, Size count)
{
	if (BufFileRead(file, bytes, count) != count)
		ereport(ERROR,
				(errcode_for_file_access(),
				 errmsg("could not read from a temporary file of records")));
}

/* load_last reads the last file into memory, or deals it out when it is too large for that. */
static void
load_last(SdcShuffle *shuffle)
{
	BufFile    *file = shuffle->file[--shuffle->file_count];
	MinimalTuple passing = NULL;
	bool		dealt = false;
	uint32		length;
	uint64		done = 0;

	if (BufFileSeek(file, 0, 0, SEEK_SET) != 0)
		ereport(ERROR,
				(errcode_for_file_access(),
				 errmsg("could not rewind a temporary file of records")));
	while (BufFileRead(file, &length, sizeof(length)) == sizeof(length))
	{
		MinimalTuple record;

		if (!dealt && !fits(shuffle, length))
		{
			begin_deal(shuffle);
			dealt = true;
		}
		record = dealt ? (passing = MemoryContextAllocHuge(shuffle->blocks, length)) : keep(shuffle, length);
		record->t_len = length;
		read_bytes(file, (char *) record + sizeof(length), length - sizeof(length));
		if (dealt)
		{
			deal_record(shuffle, record);
			pfree(passing);
		}
		sdc_interrupts_step(done++);
	}
	BufFileClose(file);
}

/* permute puts the records in memory into random order. */
static void
permute(SdcShuffle *shuffle)
{
	for (uint32 i = shuffle->count; i > 1; i--)
	{
		uint32		other = sdc_stream_below(shuffle->stream, i);
		MinimalTuple held = shuffle->record[i - 1];

		shuffle->record[i - 1] = shuffle->record[other];
		shuffle->record[other] = held;
		sdc_interrupts_step(i);
	}
	sdc_random_verify(shuffle->random);
}

/* sdc_shuffle_next gives the records in memory back from the last on, then reads more. */
MinimalTuple
sdc_shuffle_next(SdcShuffle *shuffle)
{
	shuffle->dealing = false;
	if (!shuffle->given)
		permute(shuffle);
	shuffle->given = true;
	while (shuffle->count == 0)
	{
		if (shuffle->file_count == 0)
			return NULL;
		forget_records(shuffle);
		load_last(shuffle);
		permute(shuffle);
	}
	/* they lie anywhere in memory: the processor fetches what is needed soon */
	if (shuffle->count > FETCHED_AHEAD)
		__builtin_prefetch(shuffle->record[shuffle->count - FETCHED_AHEAD]);
	return shuffle->record[--shuffle->count];
}

/* sdc_shuffle_destroy closes files that were not read. */
void
sdc_shuffle_destroy(SdcShuffle *shuffle)
{
	while (shuffle->file_count > 0)
		BufFileClose(shuffle->file[--shuffle->file_count]);
	MemoryContextDelete(shuffle->context);
}
