/*-------------------------------------------------------------------------
 *
 * nightread.c
 *		Reading the release that is continued, and its private state, by a worker if possible.
 *
 * A night reads two relations of about the same size.  Neither has to do with the other, so a worker reads the release
 * while the session reads the source.  Its columns come into the file of the session's spool, which has them as if it
 * had read them itself; it gets to know where they are, and the checksum.  Then, while the session plans the night, the
 * worker reads the words and bytes of the state into the memory that both share, as the session sees that.
 *
 * While there is a worker nobody may write.  So this is for sources that are ordinary tables, whose values nobody
 * else's code compares and of which no expression is prepared to plan, as functions of the owner are called for that;
 * and for releases with columns of types that are passed by value.  Where no worker can be had the session reads one
 * after the other.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/table.h"
#include "catalog/pg_am.h"
#include "catalog/pg_class.h"
#include "catalog/pg_index.h"
#include "catalog/pg_inherits.h"
#include "catalog/pg_statistic_ext.h"
#include "method/columnjobs.h"
#include "method/continued/nightread.h"
#include "miscadmin.h"
#include "optimizer/cost.h"
#include "relation/base/largearray.h"
#include "relation/base/memory.h"
#include "relation/base/spi.h"
#include "relation/base/workers.h"
#include "relation/read/reader.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/rls.h"
#include "utils/snapmgr.h"
#include "utils/syscache.h"

/* A column in the memory that processes share. */
typedef struct PackedColumn
{
	uint64		places;			/* offset, 0: it is not read */
	Size		bytes;			/* room there is */
} PackedColumn;

/* A stream of the state there. */
typedef struct PackedStream
{
	SdcPrivateRaw raw;
	uint64		contents;		/* offset */
	pg_atomic_uint32 read;
} PackedStream;

/* Names there. */
typedef struct PackedNames
{
	int			count;
	uint64		name;			/* offset of NameData */
} PackedNames;

/* What the worker is told, and what it leaves. */
typedef struct Packed
{
	Oid			relid;
	PackedNames columns;
	PackedNames key;
	SdcSpoolFile file;
	uint64		expected;		/* records: if there are others, only their number counts */
	int			attributes;
	uint64		attribute;		/* offset of PackedColumn, by attribute of the release */
	Oid			schema;			/* of the table of states, */
	uint64		snapshot;		/* by which it is read */
	int			streams;
	uint64		stream;

	pg_atomic_uint32 read;		/* the columns are */
	uint64		records;
	uint64		checksum;
} Packed;

PGDLLEXPORT void sdc_nightread_worker(dsm_segment *segment, shm_toc *toc);

/* request_of is what is read of the release: its key and the columns that are continued. */
static SdcSourceRequest
request_of(Oid release, List *columns, List *key)
{
	SdcSourceRequest request = {0};

	request.relid = release;
	request.columns_given = true;
	request.columns = columns;
	request.key_given = true;
	request.key = key;
	request.only_needed = true;
	request.as_registered = true;
	return request;
}

/* continued_names lists the columns that are continued. */
static List *
continued_names(const SdcNight *night, const SdcSource *source)
{
	List	   *names = NIL;

	for (int i = 0; i < source->attribute_count; i++)
		if (night->column[i].name != NULL)
			names = lappend(names, night->column[i].name);
	return names;
}

/* plan_released plans the reading. */
static void
plan_released(SdcNight *night, const SdcSource *source)
{
	SdcSourceRequest request = request_of(night->before, continued_names(night, source), night->row.key);

	night->released = sdc_source_plan(&request);
	night->released_spool = sdc_spool_create(sdc_memory_budget() / 16, night->released->attribute_count + 2);
}

/* has_expressions tells whether indexes or statistics have expressions, which the server prepares for a plan. */
static bool
has_expressions(Relation rel)
{
	bool		found = false;
	ListCell   *cell;

	foreach(cell, RelationGetIndexList(rel))
	{
		HeapTuple	row = SearchSysCache1(INDEXRELID, ObjectIdGetDatum(lfirst_oid(cell)));

		if (!HeapTupleIsValid(row))
			return true;
		found |= !heap_attisnull(row, Anum_pg_index_indexprs, NULL) ||
			!heap_attisnull(row, Anum_pg_index_indpred, NULL);
		ReleaseSysCache(row);
	}
	foreach(cell, RelationGetStatExtList(rel))
	{
		HeapTuple	row = SearchSysCache1(STATEXTOID, ObjectIdGetDatum(lfirst_oid(cell)));

		if (!HeapTupleIsValid(row))
			return true;
		found |= !heap_attisnull(row, Anum_pg_statistic_ext_stxexprs, NULL);
		ReleaseSysCache(row);
	}
	return found;
}

/* is_plain tells whether a relation is a table of the server's own kind that is read without code of its owner. */
static bool
is_plain(Oid relid)
{
	Relation	rel = table_open(relid, AccessShareLock);
	bool		plain = rel->rd_rel->relkind == RELKIND_RELATION && rel->rd_rel->relam == HEAP_TABLE_AM_OID &&
		rel->rd_rel->relpersistence != RELPERSISTENCE_TEMP && !has_expressions(rel);

	table_close(rel, NoLock);
	/* with that setting constraints are prepared, too */
	return plain && constraint_exclusion != CONSTRAINT_EXCLUSION_ON && !has_subclass(relid) &&
		check_enable_rls(relid, InvalidOid, true) != RLS_ENABLED;
}

/* own_code_only tells whether nobody else's code is needed to read a relation. */
static bool
own_code_only(const SdcSource *source)
{
	for (int i = 0; i < source->attribute_count; i++)
		if (source->attributes[i].read && !sdc_columnjobs_is_own_code(&source->attributes[i].type))
			return false;
	return true;
}

/* can_hand_over tells whether the columns of the release can come from another process. */
static bool
can_hand_over(const SdcNight *night)
{
	const SdcSource *released = night->released;

	for (int i = 0; i < released->attribute_count; i++)
	{
		const SdcAttribute *attribute = &released->attributes[i];
		SdcColumn  *column;
		bool		can_share;

		if (!attribute->read)
			continue;
		column = sdc_column_create(night->released_spool, attribute->type.typid);
		can_share = !attribute->numbered && sdc_columnjobs_can_share(&attribute->type, column);
		sdc_column_destroy(column);
		if (!can_share)
			return false;
	}
	return true;
}

/* raw_bytes is how many bytes a stream takes; 0: more than any state has, so that it is not read here. */
static uint64
raw_bytes(const SdcNight *night, const SdcPrivateRaw *raw)
{
	if (raw->count > (uint64) night->members * sizeof(uint64))
		return 0;
	return raw->count * (raw->words ? sizeof(uint32) : 1);
}

/* state_bytes is how many bytes the streams take that are read. */
static uint64
state_bytes(const SdcNight *night)
{
	uint64		bytes = 0;
	int			place = 0;
	SdcPrivateRaw raw;

	while (sdc_privatestate_next_raw(night->state, &place, &raw))
		bytes += raw_bytes(night, &raw);
	return bytes;
}

/* is_worth_worker tells whether there is enough to read for a worker, and a file has room for it. */
static bool
is_worth_worker(const SdcNight *night)
{
	uint64		values = (uint64) night->members * night->released->attribute_count;

	return sdc_workers_wanted(values / SDC_COLUMNJOBS_VALUES_OF_STEP) > 0 &&
		sdc_largearray_spares(2 * values * sizeof(Datum) + state_bytes(night));
}

/* pack_names packs names. */
static PackedNames
pack_names(SdcWorkers *workers, const List *names)
{
	PackedNames packed = {.count = list_length(names)};
	NameData   *name = palloc0(sizeof(NameData) * Max(packed.count, 1));

	for (int i = 0; i < packed.count; i++)
		namestrcpy(&name[i], list_nth(names, i));
	packed.name = sdc_workers_put(workers, name, sizeof(NameData) * packed.count);
	pfree(name);
	return packed;
}

/* pack_snapshot packs the snapshot of the state. */
static uint64
pack_snapshot(SdcWorkers *workers, const SdcNight *night)
{
	Snapshot	snapshot = sdc_privatestate_snapshot(night->state);
	Size		bytes = EstimateSnapshotSpace(snapshot);
	char	   *packed = palloc(bytes);
	uint64		place;

	SerializeSnapshot(snapshot, packed);
	place = sdc_workers_put(workers, packed, bytes);
	pfree(packed);
	return place;
}

/* pack_state packs which streams of the state are read, and makes room for them. */
static void
pack_state(SdcWorkers *workers, const SdcNight *night, Packed *packed)
{
	PackedStream *stream;
	SdcPrivateRaw raw;
	int			place = 0;
	int			count = 0;

	packed->schema = night->catalog_schema;
	packed->snapshot = pack_snapshot(workers, night);
	while (sdc_privatestate_next_raw(night->state, &place, &raw))
		count++;
	stream = palloc0(sizeof(PackedStream) * Max(count, 1));
	place = 0;
	while (sdc_privatestate_next_raw(night->state, &place, &raw))
	{
		uint64		bytes = raw_bytes(night, &raw);

		if (bytes == 0)
			continue;
		stream[packed->streams].raw = raw;
		stream[packed->streams].contents = sdc_workers_put(workers, NULL, bytes);
		pg_atomic_init_u32(&stream[packed->streams++].read, 0);
	}
	packed->stream = sdc_workers_put(workers, stream, sizeof(PackedStream) * packed->streams);
	pfree(stream);
}

/* What is packed. */
typedef struct Packing
{
	const SdcNight *night;
	const SdcSource *source;
} Packing;

/* pack packs the work, and room for what is found: SdcWorkersPack. */
static uint64
pack(SdcWorkers *workers, const void *arg)
{
	const Packing *packing = arg;
	const SdcNight *night = packing->night;
	const SdcSource *released = night->released;
	PackedColumn *column = palloc0(sizeof(PackedColumn) * released->attribute_count);
	Packed		packed = {.relid = night->before, .expected = night->members, .attributes = released->attribute_count};

	packed.columns = pack_names(workers, continued_names(night, packing->source));
	packed.key = pack_names(workers, night->row.key);
	sdc_spool_file(night->released_spool, &packed.file);
	for (int i = 0; i < released->attribute_count; i++)
	{
		if (!released->attributes[i].read)
			continue;
		column[i].bytes = sdc_spool_places_bytes(night->released_spool, released->attributes[i].type.typid,
												 night->members);
		column[i].places = sdc_workers_put(workers, NULL, column[i].bytes);
	}
	packed.attribute = sdc_workers_put(workers, column, sizeof(PackedColumn) * released->attribute_count);
	pfree(column);
	pack_state(workers, night, &packed);
	pg_atomic_init_u32(&packed.read, 0);
	return sdc_workers_put(workers, &packed, sizeof(Packed));
}

/* sdc_nightread_begin: see nightread.h. */
void
sdc_nightread_begin(SdcNight *night, const SdcSource *source)
{
	Packing		packing = {night, source};

	if (night->first || source->strata_count > 0 || !is_plain(source->relid) || !is_plain(night->before) ||
		!own_code_only(source))
		return;
	plan_released(night, source);
	if (own_code_only(night->released) && can_hand_over(night) && is_worth_worker(night))
		night->reading = sdc_workers_start("sdc_nightread_worker", 1, pack, &packing);
}

/* names_at lists names. */
static List *
names_at(const SdcWorkers *workers, const PackedNames *packed)
{
	NameData   *name = sdc_workers_at(workers, packed->name);
	List	   *names = NIL;

	for (int i = 0; i < packed->count; i++)
		names = lappend(names, pstrdup(NameStr(name[i])));
	return names;
}

/* leave_columns leaves where the columns are. */
static void
leave_columns(const SdcWorkers *workers, const Packed *packed, const SdcSource *released)
{
	const PackedColumn *room = sdc_workers_at(workers, packed->attribute);

	if (released->attribute_count != packed->attributes)
		elog(ERROR, "release \"%s\" has other columns", released->name);
	for (int i = 0; i < released->attribute_count; i++)
	{
		SdcColumnPlaces *places;
		Size		bytes;

		if (!released->attributes[i].read)
			continue;
		sdc_column_spill(released->attributes[i].column);
		places = sdc_column_places(released->attributes[i].column, &bytes);
		if (room[i].places == 0 || bytes > room[i].bytes)
			elog(ERROR, "column \"%s\" is larger than it can be", NameStr(released->attributes[i].name));
		memcpy(sdc_workers_at(workers, room[i].places), places, bytes);
	}
}

/* tell_read tells the session that something was read. */
static void
tell_read(pg_atomic_uint32 *flag)
{
	pg_write_barrier();
	pg_atomic_write_u32(flag, 1);
}

/* read_columns reads the columns of the release. */
static void
read_columns(const SdcWorkers *workers, Packed *packed)
{
	SdcSourceRequest request;
	SdcSource  *released;
	SdcSpool   *spool;

	sdc_spi_connect();
	request = request_of(packed->relid, names_at(workers, &packed->columns), names_at(workers, &packed->key));
	released = sdc_source_plan(&request);
	spool = sdc_spool_append(&packed->file, sdc_memory_budget() / 4);
	sdc_reader_read(released, spool);
	packed->records = released->records;
	packed->checksum = released->checksum;
	if (released->records == packed->expected)
		leave_columns(workers, packed, released);
	sdc_spool_destroy(spool);
	sdc_spi_finish();
	tell_read(&packed->read);
}

/* read_state reads the streams of the state. */
static void
read_state(const SdcWorkers *workers, const Packed *packed)
{
	Snapshot	snapshot = RestoreSnapshot(sdc_workers_at(workers, packed->snapshot));
	SdcPrivateState *state = sdc_privatestate_open_again(packed->schema, packed->relid, snapshot);
	PackedStream *stream = sdc_workers_at(workers, packed->stream);

	for (int i = 0; i < packed->streams; i++)
	{
		void	   *contents = sdc_workers_at(workers, stream[i].contents);

		if (stream[i].raw.words)
			sdc_privatestate_words(state, stream[i].raw.stream, contents, stream[i].raw.count);
		else
			sdc_privatestate_bytes(state, stream[i].raw.stream, contents, stream[i].raw.count);
		tell_read(&stream[i].read);
	}
	sdc_privatestate_close(state);
}

/* sdc_nightread_worker is what the worker does. */
void
sdc_nightread_worker(dsm_segment *segment pg_attribute_unused(), shm_toc *toc)
{
	SdcWorkers *workers = sdc_workers_attach(toc);
	Packed	   *packed = sdc_workers_at(workers, workers->shared->root);

	read_columns(workers, packed);
	read_state(workers, packed);
}

/* take_columns takes the columns when the worker has read them, and tells whether it has. */
static bool
take_columns(SdcNight *night)
{
	Packed	   *packed = sdc_workers_at(night->reading, night->reading->shared->root);
	const PackedColumn *column = sdc_workers_at(night->reading, packed->attribute);
	SdcSource  *released = night->released;

	if (!sdc_workers_wait(night->reading, &packed->read))
		return false;
	released->records = packed->records;
	released->checksum = packed->checksum;
	for (int i = 0; i < released->attribute_count && packed->records == packed->expected; i++)
		if (column[i].places != 0)
			released->attributes[i].column = sdc_column_adopt(night->released_spool,
															   sdc_workers_at(night->reading, column[i].places));
	return true;
}

/* sdc_nightread_finish: see nightread.h. */
void
sdc_nightread_finish(SdcNight *night, const SdcSource *source, uint64 limit)
{
	if (night->released == NULL)
		plan_released(night, source);
	sdc_spool_set_limit(night->released_spool, limit);
	if (night->reading != NULL && take_columns(night))
		return;
	sdc_nightread_end(night);
	sdc_nightread_forget(night);
	sdc_reader_read(night->released, night->released_spool);
}

/* find_read returns what the worker has read of a stream, or NULL: it is another one, or there is no worker. */
static const void *
find_read(const SdcNight *night, SdcPrivateRaw raw)
{
	const Packed *packed;
	PackedStream *stream;

	if (night->reading == NULL)
		return NULL;
	packed = sdc_workers_at(night->reading, night->reading->shared->root);
	stream = sdc_workers_at(night->reading, packed->stream);
	for (int i = 0; i < packed->streams; i++)
		if (stream[i].raw.stream == raw.stream && stream[i].raw.words == raw.words &&
			stream[i].raw.count == raw.count && sdc_workers_wait(night->reading, &stream[i].read))
			return sdc_workers_at(night->reading, stream[i].contents);
	return NULL;
}

/* sdc_nightread_bytes: see nightread.h. */
const void *
sdc_nightread_bytes(const SdcNight *night, int stream, uint64 count)
{
	return find_read(night, (SdcPrivateRaw) {stream, false, count});
}

/* sdc_nightread_words: see nightread.h. */
void
sdc_nightread_words(const SdcNight *night, int stream, uint32 *words, uint64 count)
{
	const uint32 *read = find_read(night, (SdcPrivateRaw) {stream, true, count});

	if (read != NULL)
		sdc_workers_copy(words, read, count * sizeof(uint32));
	else
		sdc_privatestate_words(night->state, stream, words, count);
}

/* sdc_nightread_end: see nightread.h. */
void
sdc_nightread_end(SdcNight *night)
{
	if (night->reading != NULL)
		sdc_workers_finish(night->reading);
}

/* sdc_nightread_forget: see nightread.h. */
void
sdc_nightread_forget(SdcNight *night)
{
	if (night->reading != NULL)
		sdc_workers_destroy(night->reading);
	night->reading = NULL;
}
