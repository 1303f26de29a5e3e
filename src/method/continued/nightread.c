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
 * While there is a worker nobody may write.  So this is for sources that are ordinary tables, without strata and units,
 * whose values nobody else's code compares and of which no expression is prepared to plan, as functions of the owner
 * are called for that; and for releases with columns of types that are passed by value.  Where no worker can be had the
 * session reads one after the other.
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
#include "method/continued/nightread.h"
#include "miscadmin.h"
#include "optimizer/cost.h"
#include "relation/base/jobs.h"
#include "relation/base/largearray.h"
#include "relation/base/memory.h"
#include "relation/base/spi.h"
#include "relation/read/columnjobs.h"
#include "relation/read/missing.h"
#include "relation/read/reader.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/rls.h"
#include "utils/snapmgr.h"
#include "utils/syscache.h"

/* Room for where a column is. */
typedef struct Room
{
	SdcColumnPlaces *places;	/* NULL: it is not read */
	Size		bytes;
} Room;

/* A stream of the state. */
typedef struct Stream
{
	SdcPrivateRaw raw;
	void	   *contents;
	pg_atomic_uint32 *read;		/* it is */
} Stream;

/* Some names. */
typedef struct Names
{
	int			count;
	NameData   *name;
} Names;

/* What is found of the columns; zeros at first. */
typedef struct Found
{
	pg_atomic_uint32 read;		/* they are */
	uint64		records;
	uint64		checksum;
} Found;

/* What the worker is told, and what it leaves. */
typedef struct Work
{
	Oid			relid;
	Names		columns;
	Names		key;
	SdcSpoolFile file;
	uint64		expected;		/* records: if there are others, only their number counts */
	int			attributes;
	Room	   *room;			/* by attribute of the release */
	Found	   *found;
	Oid			schema;			/* of the table of states, */
	char	   *snapshot;		/* by which it is read */
	Size		snapshot_bytes;
	int			streams;
	Stream	   *stream;
} Work;

PGDLLEXPORT void sdc_nightread_process(SdcJobs *jobs, void *arg);

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

/* plan_released plans the reading, in which the units of the records are found, too. */
static void
plan_released(SdcNight *night, const SdcSource *source)
{
	SdcSourceRequest request = request_of(night->before, continued_names(night, source), night->row.key);

	request.unit_given = source->unit_count > 0;
	request.unit = night->row.unit;
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

/* names_of makes names of a list. */
static Names
names_of(const List *names)
{
	Names		made = {list_length(names), palloc0(sizeof(NameData) * Max(list_length(names), 1))};

	for (int i = 0; i < made.count; i++)
		namestrcpy(&made.name[i], list_nth(names, i));
	return made;
}

/* fill_state tells which streams of the state are read. */
static void
fill_state(const SdcNight *night, Work *work)
{
	Snapshot	snapshot = sdc_privatestate_snapshot(night->state);
	SdcPrivateRaw raw;
	int			place = 0;
	int			count = 0;

	work->schema = night->catalog_schema;
	work->snapshot_bytes = EstimateSnapshotSpace(snapshot);
	work->snapshot = palloc(work->snapshot_bytes);
	SerializeSnapshot(snapshot, work->snapshot);
	while (sdc_privatestate_next_raw(night->state, &place, &raw))
		count++;
	work->stream = palloc0(sizeof(Stream) * Max(count, 1));
	place = 0;
	while (sdc_privatestate_next_raw(night->state, &place, &raw))
		if (raw_bytes(night, &raw) > 0)
			work->stream[work->streams++].raw = raw;
}

/* fill_work tells what is read, and how much there will be. */
static void
fill_work(const SdcNight *night, const SdcSource *source, Work *work)
{
	const SdcSource *released = night->released;

	work->relid = night->before;
	work->columns = names_of(continued_names(night, source));
	work->key = names_of(night->row.key);
	sdc_spool_file(night->released_spool, &work->file);
	work->expected = night->members;
	work->attributes = released->attribute_count;
	work->room = palloc0(sizeof(Room) * work->attributes);
	for (int i = 0; i < work->attributes; i++)
		if (released->attributes[i].read)
			work->room[i].bytes = sdc_spool_places_bytes(night->released_spool, released->attributes[i].type.typid,
														 night->members);
	fill_state(night, work);
}

/* share says what there is: SdcJobsKind. */
static void
share(SdcJobs *jobs, void *arg)
{
	Work	   *work = arg;
	Room	   *room = sdc_jobs_copy(jobs, &work->room, (uint64) work->attributes, sizeof(Room));
	Stream	   *stream = sdc_jobs_copy(jobs, &work->stream, (uint64) work->streams, sizeof(Stream));

	(void) sdc_jobs_copy(jobs, &work->columns.name, (uint64) work->columns.count, sizeof(NameData));
	(void) sdc_jobs_copy(jobs, &work->key.name, (uint64) work->key.count, sizeof(NameData));
	(void) sdc_jobs_copy(jobs, &work->snapshot, work->snapshot_bytes, 1);
	sdc_jobs_room(jobs, &work->found, 1, sizeof(Found));
	for (int i = 0; i < work->attributes; i++)
		if (room[i].bytes > 0)
			sdc_jobs_room(jobs, &room[i].places, room[i].bytes, 1);
	for (int i = 0; i < work->streams; i++)
	{
		sdc_jobs_room(jobs, &stream[i].contents, stream[i].raw.count, stream[i].raw.words ? sizeof(uint32) : 1);
		sdc_jobs_room(jobs, &stream[i].read, 1, sizeof(pg_atomic_uint32));
	}
}

/* sdc_nightread_begin: see nightread.h. */
void
sdc_nightread_begin(SdcNight *night, const SdcSource *source)
{
	static const SdcJobsKind kind = {.process = sdc_nightread_process, .name = "sdc_nightread_process", .share = share,
	.size = sizeof(Work)};
	Work		work = {.relid = InvalidOid};

	if (night->first || source->strata_count > 0 || source->unit_count > 0 || !is_plain(source->relid) ||
		!is_plain(night->before) || !own_code_only(source))
		return;
	plan_released(night, source);
	if (!own_code_only(night->released) || !can_hand_over(night) || !is_worth_worker(night))
		return;
	fill_work(night, source, &work);
	night->reading = sdc_jobs_begin(&kind, &work, 1, NULL, 0);
	if (!sdc_jobs_shared(night->reading))
		sdc_nightread_forget(night);
}

/* names_at lists names. */
static List *
names_at(const Names *names)
{
	List	   *list = NIL;

	for (int i = 0; i < names->count; i++)
		list = lappend(list, pstrdup(NameStr(names->name[i])));
	return list;
}

/* leave_columns leaves where the columns are. */
static void
leave_columns(const Work *work, const SdcSource *released)
{
	if (released->attribute_count != work->attributes)
		elog(ERROR, "release \"%s\" has other columns", released->name);
	for (int i = 0; i < released->attribute_count; i++)
	{
		SdcColumnPlaces *places;
		Size		bytes;

		if (!released->attributes[i].read)
			continue;
		sdc_column_spill(released->attributes[i].column);
		places = sdc_column_places(released->attributes[i].column, &bytes);
		if (bytes > work->room[i].bytes)
			elog(ERROR, "column \"%s\" is larger than it can be", NameStr(released->attributes[i].name));
		memcpy(work->room[i].places, places, bytes);
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
read_columns(const Work *work)
{
	SdcSourceRequest request;
	SdcSource  *released;
	SdcSpool   *spool;

	sdc_spi_connect();
	request = request_of(work->relid, names_at(&work->columns), names_at(&work->key));
	released = sdc_source_plan(&request);
	spool = sdc_spool_append(&work->file, sdc_memory_budget() / 4);
	sdc_reader_read(released, spool);
	work->found->records = released->records;
	work->found->checksum = released->checksum;
	if (released->records == work->expected)
		leave_columns(work, released);
	sdc_spool_destroy(spool);
	sdc_spi_finish();
	tell_read(&work->found->read);
}

/* read_state reads the streams of the state. */
static void
read_state(const Work *work)
{
	SdcPrivateState *state = sdc_privatestate_reopen(work->schema, work->relid, RestoreSnapshot(work->snapshot));

	for (int i = 0; i < work->streams; i++)
	{
		const Stream *stream = &work->stream[i];

		if (stream->raw.words)
			sdc_privatestate_words(state, stream->raw.stream, stream->contents, stream->raw.count);
		else
			sdc_privatestate_bytes(state, stream->raw.stream, stream->contents, stream->raw.count);
		tell_read(stream->read);
	}
	sdc_privatestate_close(state);
}

/* sdc_nightread_process is what the worker does, and not the session: SdcJobsKind. */
void
sdc_nightread_process(SdcJobs *jobs pg_attribute_unused(), void *arg)
{
	const Work *work = arg;

	if (!IsParallelWorker())
		return;
	read_columns(work);
	read_state(work);
}

/* take_columns takes the columns when the worker has read them, and tells whether it has. */
static bool
take_columns(SdcNight *night)
{
	const Work *work = night->reading->work;
	SdcSource  *released = night->released;

	if (!sdc_workers_wait(night->reading->workers, &work->found->read))
		return false;
	released->records = work->found->records;
	released->checksum = work->found->checksum;
	for (int i = 0; i < released->attribute_count && released->records == work->expected; i++)
		if (work->room[i].places != NULL)
			released->attributes[i].column = sdc_column_adopt(night->released_spool, work->room[i].places);
	return true;
}

/* take_codes_apart has NULL stand in the place of the missing codes of the release, as in the source. */
static void
take_codes_apart(const SdcNight *night, const SdcSource *source)
{
	for (int i = 0; i < source->attribute_count; i++)
	{
		SdcAttribute *released;
		SdcColumn  *column;

		if (night->column[i].name == NULL || source->attributes[i].coded == NULL)
			continue;
		released = sdc_night_released(night, &night->column[i]);
		column = released->column;
		released->missing = source->attributes[i].missing;
		released->column = sdc_missing_blank(released, column, night->released_spool, NULL);
		sdc_column_destroy(column);
	}
}

/* read_released reads the release that is continued, unless a worker has. */
static void
read_released(SdcNight *night)
{
	if (night->reading != NULL && take_columns(night))
		return;
	sdc_nightread_end(night);
	sdc_nightread_forget(night);
	sdc_reader_read(night->released, night->released_spool);
}

/* sdc_nightread_finish: see nightread.h. */
void
sdc_nightread_finish(SdcNight *night, const SdcSource *source, uint64 limit)
{
	if (night->released == NULL)
		plan_released(night, source);
	sdc_spool_set_limit(night->released_spool, limit);
	read_released(night);
	take_codes_apart(night, source);
}

/* find_read returns what the worker has read of a stream, or NULL: it is another one, or there is no worker. */
static const void *
find_read(const SdcNight *night, SdcPrivateRaw raw)
{
	const Work *work = night->reading == NULL ? NULL : night->reading->work;

	for (int i = 0; work != NULL && i < work->streams; i++)
	{
		const Stream *stream = &work->stream[i];

		if (stream->raw.stream == raw.stream && stream->raw.words == raw.words && stream->raw.count == raw.count &&
			sdc_workers_wait(night->reading->workers, stream->read))
			return stream->contents;
	}
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
		sdc_jobs_end(night->reading);
}

/* sdc_nightread_forget: see nightread.h. */
void
sdc_nightread_forget(SdcNight *night)
{
	if (night->reading != NULL)
		sdc_jobs_finish(night->reading);
	night->reading = NULL;
}
