/*-------------------------------------------------------------------------
 *
 * privatestate.c
 *		The private state of a continued release: streams of values, words or bytes, and a header.
 *
 * Every stream is kept in parts, each in a row of the table (privatetable.c), and what all of them are in one row more:
 *
 *	signature, version (4 bytes)
 *	the name of the encoding of strings
 *	how many streams there are, and for each its number, its kind, the name of its type, how many values, words or
 *	bytes it has, how many parts, and the SHA-256 of every part
 *	the caller's header
 *	the SHA-256 of all this
 *
 * Numbers have their lowest byte first; a text has its length before it.  Words have as many bits as the largest needs,
 * which is told by the name of their type, and lie one after the other in a part from the lowest bit of its first byte
 * on.  The digests find damage, and rows that were lost, added or mixed up.  They are no seal: a role that may write
 * the table can make a state anew, and these are superusers, and a role that restores a dump with the rights of the
 * release's owner.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/table.h"
#include "access/xact.h"
#include "catalog/pg_type.h"
#include "kernel/base/kernel_env.h"
#include "lib/stringinfo.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "relation/base/compat.h"
#include "relation/base/digest.h"
#include "relation/base/memory.h"
#include "relation/catalog/privatestate.h"
#include "relation/catalog/privatetable.h"
#include "relation/catalog/privatevalues.h"
#include "storage/lmgr.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/snapmgr.h"

#define SIGNATURE "sdcstate"
#define SIGNATURE_BYTES 8
#define VERSION 5

/* The first version that is still read: that of 1.0. */
#define FIRST_VERSION 5

/* The row of the directory. */
#define DIRECTORY_STREAM 0
#define DIRECTORY_PART 0

/* A stream takes at least so many bytes of it. */
#define STREAM_BYTES 21

#define DAMAGED_HINT "Restore it from a dump, or make the release anew with continued => false, which counts as another draw."

/* The digest of a part. */
typedef struct PartSum
{
	uint8		byte[SHA256_DIGEST_LENGTH];
} PartSum;

/* What is known of a stream. */
typedef struct Stream
{
	int32		number;
	SdcPrivateKind kind;
	char	   *type;			/* as in SdcPrivateType; of words and bytes: which */
	uint64		count;			/* values, words or bytes */
	uint32		parts;
	uint32		space;			/* parts that there is room for */
	PartSum    *sum;
} Stream;

struct SdcPrivateState
{
	MemoryContext context;		/* of everything here */
	Oid			schema;
	int			stream_count;
	int			stream_space;
	Stream	   *streams;

	/* a state that is read */
	Oid			release;
	Relation	table;
	Snapshot	snapshot;
	int			encoding;
	char	   *header;

	/* one that is made: the parts of all streams */
	SdcColumn  *parts;
};

/* The types of words, before the number of their bits, and of bytes. */
#define WORDS "words"
#define BYTES "bytes"

/* So many of the last words of 32 bits are the last ones of fewer bits, too. */
#define LAST_WORDS 4
#define WORD_BITS 32

/* Parts are read with so many bytes behind them, that a word and what is before it in its first byte lie in. */
#define SPARE_BYTES 8

/* sum_part computes the SHA-256 of bytes. */
static void
sum_part(const void *bytes, Size length, PartSum *sum)
{
	SdcDigest	digest;

	sdc_digest_begin(&digest, NULL);
	sdc_digest_add(&digest, bytes, length);
	sdc_digest_end(&digest, sum->byte);
}

/* damaged raises the error about a state that is not what was written. */
sdc_noreturn static void
damaged(const SdcPrivateState *state, const char *detail)
{
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("the private state of release \"%s\" is damaged", get_rel_name(state->release)),
			 errdetail_internal("%s", detail),
			 errhint(DAMAGED_HINT)));
}

/* make_state makes an empty one, in memory of its own. */
static SdcPrivateState *
make_state(Oid schema)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "sdc private state", ALLOCSET_DEFAULT_SIZES);
	SdcPrivateState *state = MemoryContextAllocZero(context, sizeof(SdcPrivateState));

	state->context = context;
	state->schema = schema;
	return state;
}

/*
 * Writing
 */

/* append_number appends a number of so many bytes, the lowest first. */
static void
append_number(StringInfo buffer, uint64 number, int bytes)
{
	for (int i = 0; i < bytes; i++)
		appendStringInfoChar(buffer, (char) (uint8) (number >> (8 * i)));
}

/* append_text appends a text, with its length before it. */
static void
append_text(StringInfo buffer, const char *text)
{
	append_number(buffer, strlen(text), 4);
	appendStringInfoString(buffer, text);
}

/* sdc_privatestate_create: see privatestate.h. */
SdcPrivateState *
sdc_privatestate_create(Oid schema, SdcSpool *spool)
{
	SdcPrivateState *state = make_state(schema);

	state->encoding = GetDatabaseEncoding();
	state->parts = sdc_column_create(spool, BYTEAOID);
	return state;
}

/* add_stream adds a stream without parts. */
static Stream *
add_stream(SdcPrivateState *state, int number, SdcPrivateKind kind, const char *type, uint64 count)
{
	Stream	   *stream;

	Assert(state->parts != NULL && number > 0);
	for (int i = 0; i < state->stream_count; i++)
		if (state->streams[i].number == number)
			elog(ERROR, "stream %d is put twice", number);
	if (state->stream_count == state->stream_space)
	{
		state->stream_space = Max(16, 2 * state->stream_space);
		state->streams = state->streams == NULL ?
			MemoryContextAlloc(state->context, state->stream_space * sizeof(Stream)) :
			repalloc(state->streams, state->stream_space * sizeof(Stream));
	}
	stream = &state->streams[state->stream_count++];
	memset(stream, 0, sizeof(Stream));
	stream->number = number;
	stream->kind = kind;
	stream->type = MemoryContextStrdup(state->context, type);
	stream->count = count;
	return stream;
}

/* put_part adds a part to the stream that is being put: SdcPrivatePut. */
static void
put_part(void *arg, const void *bytes, Size length)
{
	SdcPrivateState *state = arg;
	Stream	   *stream = &state->streams[state->stream_count - 1];
	bytea	   *contents = palloc(VARHDRSZ + length);

	CHECK_FOR_INTERRUPTS();
	if (stream->parts == stream->space)
	{
		uint32		space = Max(16, 2 * stream->space);

		stream->sum = sdc_memory_grow(state->context, stream->sum, stream->parts, space, sizeof(PartSum));
		stream->space = space;
	}
	sum_part(bytes, length, &stream->sum[stream->parts++]);
	SET_VARSIZE(contents, VARHDRSZ + length);
	memcpy(VARDATA(contents), bytes, length);
	sdc_column_append(state->parts, PointerGetDatum(contents), false);
	pfree(contents);
}

/* sdc_privatestate_put_column: see privatestate.h. */
void
sdc_privatestate_put_column(SdcPrivateState *state, int stream, SdcColumn *column)
{
	SdcPrivateType type;

	sdc_privatevalues_type(&type, sdc_column_type(column), false);
	(void) add_stream(state, stream, type.kind, type.name, sdc_column_count(column));
	sdc_privatevalues_write(&type, column, put_part, state);
}

/* bits_of returns how many bits words take that are numbers up to one, or the last ones. */
static int
bits_of(uint32 most)
{
	int			bits = 1;

	while (bits < WORD_BITS && UINT64_C(1) << bits < (uint64) most + 1 + LAST_WORDS)
		bits++;
	return bits;
}

/* mask_of is the largest word of so many bits. */
static inline uint32
mask_of(int bits)
{
	return UINT32_MAX >> (WORD_BITS - bits);
}

/* words_of_part is how many words of so many bits a part has. */
static inline uint64
words_of_part(int bits)
{
	return SDC_PRIVATE_PART_BYTES * 8 / bits;
}

/* bytes_of_words is how many bytes so many words take. */
static inline Size
bytes_of_words(uint64 count, int bits)
{
	return (count * bits + 7) / 8;
}

/* pack_words makes a part of words; it writes up to eight bytes more than they take. */
static void
pack_words(uint8 *part, const uint32 *words, uint64 count, int bits)
{
	uint32		mask = mask_of(bits);
	uint64		rest = 0;
	int			filled = 0;		/* bits of it */

	for (uint64 i = 0; i < count; i++)
	{
		uint64		bytes;

		rest |= (uint64) (words[i] & mask) << filled;
		bytes = sdc_lowest_first(rest);
		memcpy(part, &bytes, sizeof(bytes));
		filled += bits;
		part += filled / 8;
		rest >>= filled & ~7;
		filled &= 7;
	}
}

/* sdc_privatestate_put_words: see privatestate.h. */
void
sdc_privatestate_put_words(SdcPrivateState *state, int stream, const uint32 *words, uint64 count, uint32 most)
{
	int			bits = bits_of(most);
	uint64		capacity = words_of_part(bits);
	uint8	   *part = palloc(SDC_PRIVATE_PART_BYTES + SPARE_BYTES);

	(void) add_stream(state, stream, SDC_PRIVATE_RAW, psprintf("%s%d", WORDS, bits), count);
	for (uint64 from = 0; from < count; from += capacity)
	{
		uint64		number = Min(capacity, count - from);

		pack_words(part, words + from, number, bits);
		put_part(state, part, bytes_of_words(number, bits));
	}
	pfree(part);
}

/* sdc_privatestate_put_bytes: see privatestate.h. */
void
sdc_privatestate_put_bytes(SdcPrivateState *state, int stream, const uint8 *bytes, uint64 count)
{
	(void) add_stream(state, stream, SDC_PRIVATE_RAW, BYTES, count);
	for (uint64 from = 0; from < count; from += SDC_PRIVATE_PART_BYTES)
		put_part(state, bytes + from, Min(SDC_PRIVATE_PART_BYTES, count - from));
}

/* sdc_privatestate_abandon: see privatestate.h. */
void
sdc_privatestate_abandon(SdcPrivateState *state)
{
	sdc_column_destroy(state->parts);
	MemoryContextDelete(state->context);
}

/* make_directory makes the contents of the row that tells what there is. */
static bytea *
make_directory(const SdcPrivateState *state, const char *header)
{
	StringInfoData buffer;
	PartSum		sum;
	bytea	   *contents;

	initStringInfo(&buffer);
	appendBinaryStringInfo(&buffer, SIGNATURE, SIGNATURE_BYTES);
	append_number(&buffer, VERSION, 4);
	append_text(&buffer, pg_encoding_to_char(state->encoding));
	append_number(&buffer, state->stream_count, 4);
	for (int i = 0; i < state->stream_count; i++)
	{
		const Stream *stream = &state->streams[i];

		append_number(&buffer, stream->number, 4);
		append_number(&buffer, stream->kind, 1);
		append_text(&buffer, stream->type);
		append_number(&buffer, stream->count, 8);
		append_number(&buffer, stream->parts, 4);
		for (uint32 part = 0; part < stream->parts; part++)
			appendBinaryStringInfo(&buffer, (char *) stream->sum[part].byte, sizeof(PartSum));
	}
	append_text(&buffer, header);
	sum_part(buffer.data, buffer.len, &sum);
	appendBinaryStringInfo(&buffer, (char *) sum.byte, sizeof(PartSum));
	contents = (bytea *) cstring_to_text_with_len(buffer.data, buffer.len);
	pfree(buffer.data);
	return contents;
}

/* copy_parts copies the parts of a stream, which come next, to the table. */
static void
copy_parts(const Stream *stream, SdcColumnReader *parts, SdcPrivateWriter *writer)
{
	for (uint32 part = 0; part < stream->parts; part++)
	{
		Datum		contents;

		CHECK_FOR_INTERRUPTS();
		(void) sdc_column_next(parts, &contents);
		sdc_privatetable_put(writer, stream->number, (int32) part, DatumGetByteaPP(contents));
	}
}

/* compare_streams orders streams by their numbers. */
static int
compare_streams(const void *a, const void *b)
{
	return ((const Stream *) a)->number - ((const Stream *) b)->number;
}

/* sdc_privatestate_finish: see privatestate.h.  The directory does not tell in which order the streams were put. */
void
sdc_privatestate_finish(SdcPrivateState *state, Oid release, const char *header)
{
	Relation	table;
	SdcPrivateWriter writer;
	SdcColumnReader *parts;

	sdc_column_finish(state->parts);
	LockRelationOid(release, ShareUpdateExclusiveLock);
	(void) sdc_privatestate_remove(state->schema, release);
	table = sdc_privatetable_open(state->schema, release, RowExclusiveLock);
	parts = sdc_column_open(state->parts);
	sdc_privatetable_begin(&writer, table, release);
	for (int i = 0; i < state->stream_count; i++)
		copy_parts(&state->streams[i], parts, &writer);
	sdc_column_close(parts);
	qsort(state->streams, state->stream_count, sizeof(Stream), compare_streams);
	sdc_privatetable_put(&writer, DIRECTORY_STREAM, DIRECTORY_PART, make_directory(state, header));
	sdc_privatetable_end(&writer);
	table_close(table, NoLock);
	CommandCounterIncrement();
	sdc_column_destroy(state->parts);
	MemoryContextDelete(state->context);
}

/* sdc_privatestate_set_header: see privatestate.h. */
void
sdc_privatestate_set_header(SdcPrivateState *state, const char *header)
{
	Relation	table;

	LockRelationOid(state->release, ShareUpdateExclusiveLock);
	table = sdc_privatetable_open(state->schema, state->release, RowExclusiveLock);
	if (state->encoding != GetDatabaseEncoding())
		header = pg_server_to_any(header, (int) strlen(header), state->encoding);
	sdc_privatetable_replace(table, state->release, DIRECTORY_STREAM, DIRECTORY_PART, make_directory(state, header));
	table_close(table, NoLock);
	CommandCounterIncrement();
}

/* sdc_privatestate_remove: see privatestate.h. */
bool
sdc_privatestate_remove(Oid schema, Oid release)
{
	Relation	table = sdc_privatetable_open(schema, release, RowExclusiveLock);
	bool		found = sdc_privatetable_remove(table, release);

	table_close(table, NoLock);
	sdc_privatetable_clean(schema);
	return found;
}

/*
 * Reading
 */

/* What is left of the directory to be read. */
typedef struct Cursor
{
	const SdcPrivateState *state;
	const uint8 *at;
	const uint8 *end;
} Cursor;

/* take returns so many bytes of the directory. */
static const uint8 *
take(Cursor *cursor, uint64 bytes)
{
	const uint8 *at = cursor->at;

	if (bytes > (uint64) (cursor->end - cursor->at))
		damaged(cursor->state, "Its directory is too short.");
	cursor->at += bytes;
	return at;
}

/* take_number reads a number. */
static uint64
take_number(Cursor *cursor, int bytes)
{
	const uint8 *from = take(cursor, bytes);
	uint64		number = 0;

	for (int i = 0; i < bytes; i++)
		number |= (uint64) from[i] << (8 * i);
	return number;
}

/* take_text reads a text. */
static char *
take_text(Cursor *cursor)
{
	uint64		length = take_number(cursor, 4);

	return pnstrdup((const char *) take(cursor, length), length);
}

/* take_stream reads what the directory says of a stream. */
static void
take_stream(Cursor *cursor, Stream *stream)
{
	memset(stream, 0, sizeof(Stream));
	stream->number = (int32) take_number(cursor, 4);
	stream->kind = (SdcPrivateKind) take_number(cursor, 1);
	stream->type = take_text(cursor);
	stream->count = take_number(cursor, 8);
	stream->parts = (uint32) take_number(cursor, 4);
	stream->sum = (PartSum *) take(cursor, (uint64) stream->parts * sizeof(PartSum));
}

/* check_signature insists on a directory that is what was written, in a version that is read. */
static void
check_signature(const SdcPrivateState *state, Cursor *cursor)
{
	PartSum		sum;
	uint32		version;

	if (cursor->end - cursor->at < SIGNATURE_BYTES + (int) sizeof(PartSum) ||
		memcmp(cursor->at, SIGNATURE, SIGNATURE_BYTES) != 0)
		damaged(state, "Its directory is none.");
	cursor->end -= sizeof(PartSum);
	sum_part(cursor->at, cursor->end - cursor->at, &sum);
	if (memcmp(&sum, cursor->end, sizeof(PartSum)) != 0)
		damaged(state, "Its directory is not what was written.");
	(void) take(cursor, SIGNATURE_BYTES);
	version = (uint32) take_number(cursor, 4);
	if (version < FIRST_VERSION || version > VERSION)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("the private state of release \"%s\" is of version %u, and this version of sdc reads versions from %u to %u",
						get_rel_name(state->release), version, FIRST_VERSION, VERSION),
				 errhint("Use the version of sdc that has written it, or make the release anew with continued => false, which counts as another draw.")));
}

/* read_directory reads what there is, and returns how many rows that makes. */
static uint64
read_directory(SdcPrivateState *state, const bytea *contents)
{
	Cursor		cursor = {state, (const uint8 *) VARDATA_ANY(contents), NULL};
	uint64		rows = 1;
	uint32		streams;
	char	   *header;

	cursor.end = cursor.at + VARSIZE_ANY_EXHDR(contents);
	check_signature(state, &cursor);
	state->encoding = pg_char_to_encoding(take_text(&cursor));
	streams = (uint32) take_number(&cursor, 4);
	if (state->encoding < 0 || streams > (uint64) (cursor.end - cursor.at) / STREAM_BYTES)
		damaged(state, "Its directory is none.");
	state->streams = palloc0(Max(streams, 1) * sizeof(Stream));
	for (uint32 i = 0; i < streams; i++)
	{
		take_stream(&cursor, &state->streams[state->stream_count++]);
		rows += state->streams[i].parts;
	}
	header = take_text(&cursor);
	if (cursor.at != cursor.end)
		damaged(state, "Its directory is too long.");
	state->header = pg_any_to_server(header, strlen(header), state->encoding);
	return rows;
}

/* open_rows makes a state of the rows that a snapshot sees; one that nobody has opened. */
static SdcPrivateState *
open_rows(Oid schema, Oid release, Snapshot snapshot)
{
	SdcPrivateState *state = make_state(schema);

	state->release = release;
	state->table = sdc_privatetable_open(schema, release, AccessShareLock);
	state->snapshot = RegisterSnapshot(snapshot);
	return state;
}

/* open_directory reads the directory, and returns how many rows that makes. */
static uint64
open_directory(SdcPrivateState *state)
{
	MemoryContext old = MemoryContextSwitchTo(state->context);
	bytea	   *directory = sdc_privatetable_get(state->table, state->snapshot, state->release, DIRECTORY_STREAM,
												 DIRECTORY_PART);
	uint64		rows;

	if (directory == NULL)
		damaged(state, "Its directory is missing.");
	rows = read_directory(state, directory);
	MemoryContextSwitchTo(old);
	return rows;
}

/* sdc_privatestate_open: see privatestate.h. */
SdcPrivateState *
sdc_privatestate_open(Oid schema, Oid release)
{
	SdcPrivateState *state = open_rows(schema, release, GetLatestSnapshot());
	uint64		rows = sdc_privatetable_count(state->table, state->snapshot, release);

	if (rows == 0)
	{
		sdc_privatestate_close(state);
		return NULL;
	}
	if (open_directory(state) != rows)
		damaged(state, "Parts are missing, or there are too many.");
	return state;
}

/* sdc_privatestate_snapshot: see privatestate.h. */
Snapshot
sdc_privatestate_snapshot(const SdcPrivateState *state)
{
	return state->snapshot;
}

/* sdc_privatestate_reopen: see privatestate.h.  The session has counted the rows. */
SdcPrivateState *
sdc_privatestate_reopen(Oid schema, Oid release, Snapshot snapshot)
{
	SdcPrivateState *state = open_rows(schema, release, snapshot);

	(void) open_directory(state);
	return state;
}

/* sdc_privatestate_close: see privatestate.h. */
void
sdc_privatestate_close(SdcPrivateState *state)
{
	UnregisterSnapshot(state->snapshot);
	table_close(state->table, NoLock);
	MemoryContextDelete(state->context);
}

/* sdc_privatestate_header: see privatestate.h. */
const char *
sdc_privatestate_header(const SdcPrivateState *state)
{
	return state->header;
}

/* sdc_privatestate_same_encoding: see privatestate.h. */
bool
sdc_privatestate_same_encoding(const SdcPrivateState *state)
{
	return state->encoding == GetDatabaseEncoding();
}

/* find_stream finds a stream that must be there. */
static const Stream *
find_stream(const SdcPrivateState *state, int number)
{
	for (int i = 0; i < state->stream_count; i++)
		if (state->streams[i].number == number)
			return &state->streams[i];
	damaged(state, psprintf("Stream %d is missing.", number));
}

/* find_typed finds one of a kind and type. */
static const Stream *
find_typed(const SdcPrivateState *state, int number, SdcPrivateKind kind, const char *type)
{
	const Stream *stream = find_stream(state, number);

	if (stream->kind != kind || strcmp(stream->type, type) != 0)
		damaged(state, psprintf("Stream %d is of another type.", number));
	return stream;
}

/* sdc_privatestate_count: see privatestate.h. */
uint64
sdc_privatestate_count(const SdcPrivateState *state, int stream)
{
	return find_stream(state, stream)->count;
}

/* sdc_privatestate_next_raw: see privatestate.h. */
bool
sdc_privatestate_next_raw(const SdcPrivateState *state, int *place, SdcPrivateRaw *raw)
{
	while (*place < state->stream_count)
	{
		const Stream *stream = &state->streams[(*place)++];

		if (stream->kind != SDC_PRIVATE_RAW)
			continue;
		*raw = (SdcPrivateRaw) {stream->number, strcmp(stream->type, BYTES) != 0, stream->count};
		return true;
	}
	return false;
}

/* get_part reads a part, which must be what was written. */
static bytea *
get_part(const SdcPrivateState *state, const Stream *stream, uint32 part)
{
	bytea	   *contents = sdc_privatetable_get(state->table, state->snapshot, state->release, stream->number,
												(int32) part);
	PartSum		sum;

	CHECK_FOR_INTERRUPTS();
	if (contents == NULL)
		damaged(state, psprintf("Part %u of stream %d is missing.", part, stream->number));
	sum_part(VARDATA_ANY(contents), VARSIZE_ANY_EXHDR(contents), &sum);
	if (memcmp(&sum, &stream->sum[part], sizeof(PartSum)) != 0)
		damaged(state, psprintf("Part %u of stream %d is not what was written.", part, stream->number));
	return contents;
}

/* wrong_length raises the error about a stream that has more or less than it should. */
sdc_noreturn static void
wrong_length(const SdcPrivateState *state, const Stream *stream)
{
	damaged(state, psprintf("Stream %d is not as long as it should be.", stream->number));
}

/* sdc_privatestate_column: see privatestate.h. */
SdcColumn *
sdc_privatestate_column(SdcPrivateState *state, int stream, Oid typid, SdcSpool *spool)
{
	SdcColumn  *column = sdc_column_create(spool, typid);
	const Stream *found;
	SdcPrivateType type;
	uint64		count = 0;

	sdc_privatevalues_type(&type, typid, true);
	found = find_typed(state, stream, type.kind, type.name);
	for (uint32 part = 0; part < found->parts; part++)
	{
		bytea	   *contents = get_part(state, found, part);
		int64		values = sdc_privatevalues_read(&type, state->encoding, contents, column);

		if (values < 0)
			damaged(state, psprintf("Part %u of stream %d has no values of its type.", part, stream));
		count += (uint64) values;
		pfree(contents);
	}
	if (count != found->count)
		wrong_length(state, found);
	sdc_column_finish(column);
	return column;
}

/* find_words finds a stream of so many words, and how many bits these have. */
static const Stream *
find_words(const SdcPrivateState *state, int number, uint64 count, int *bits)
{
	const Stream *stream = find_stream(state, number);

	*bits = strncmp(stream->type, WORDS, strlen(WORDS)) == 0 ? atoi(stream->type + strlen(WORDS)) : 0;
	if (stream->kind != SDC_PRIVATE_RAW || *bits < 1 || *bits > WORD_BITS)
		damaged(state, psprintf("Stream %d is of another type.", number));
	if (stream->count != count)
		wrong_length(state, stream);
	return stream;
}

/* unpack_words reads the words of a part, behind which some bytes are. */
static void
unpack_words(const uint8 *part, uint32 *words, uint64 count, int bits)
{
	uint32		mask = mask_of(bits);

	for (uint64 i = 0; i < count; i++)
	{
		uint64		bytes;
		uint32		word;

		memcpy(&bytes, part + i * bits / 8, sizeof(bytes));
		word = (uint32) (sdc_lowest_first(bytes) >> (i * bits % 8)) & mask;
		words[i] = word > mask - LAST_WORDS ? word | ~mask : word;
	}
}

/* sdc_privatestate_words: see privatestate.h. */
void
sdc_privatestate_words(SdcPrivateState *state, int number, uint32 *words, uint64 count)
{
	uint8	   *bytes = palloc0(SDC_PRIVATE_PART_BYTES + SPARE_BYTES);
	int			bits;
	const Stream *stream = find_words(state, number, count, &bits);
	uint64		capacity = words_of_part(bits);
	uint64		from = 0;

	for (uint32 part = 0; part < stream->parts; part++)
	{
		bytea	   *contents = get_part(state, stream, part);
		uint64		here = Min(capacity, count - from);

		if (here == 0 || VARSIZE_ANY_EXHDR(contents) != bytes_of_words(here, bits))
			wrong_length(state, stream);
		memcpy(bytes, VARDATA_ANY(contents), VARSIZE_ANY_EXHDR(contents));
		unpack_words(bytes, words + from, here, bits);
		from += here;
		pfree(contents);
	}
	if (from != count)
		wrong_length(state, stream);
	pfree(bytes);
}

/* sdc_privatestate_bytes: see privatestate.h. */
void
sdc_privatestate_bytes(SdcPrivateState *state, int number, uint8 *bytes, uint64 count)
{
	const Stream *stream = find_typed(state, number, SDC_PRIVATE_RAW, BYTES);
	uint64		left = count;

	if (stream->count != count)
		wrong_length(state, stream);
	for (uint32 part = 0; part < stream->parts; part++)
	{
		bytea	   *contents = get_part(state, stream, part);
		Size		length = VARSIZE_ANY_EXHDR(contents);

		if (length > left)
			wrong_length(state, stream);
		memcpy(bytes, VARDATA_ANY(contents), length);
		bytes += length;
		left -= length;
		pfree(contents);
	}
	if (left != 0)
		wrong_length(state, stream);
}
