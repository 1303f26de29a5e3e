/*-------------------------------------------------------------------------
 *
 * heapwriter.c
 *		Writing records to a heap.
 *
 * By multi-inserts, which nobody can see before the transaction commits.  No statement is run, so no trigger, rule or
 * policy of the table has a say.  Where all columns are passed by value, a row without NULLs is laid out like the
 * one before: only its values are written.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/heapam.h"
#include "access/table.h"
#include "access/tableam.h"
#include "access/tupmacs.h"
#include "access/xact.h"
#include "catalog/index.h"
#include "relation/base/compat.h"
#include "relation/write/heapwriter.h"
#include "utils/memutils.h"
#include "utils/rel.h"

/* A multi-insert takes this many rows, or bytes, at a time, as COPY does. */
#define BATCH_ROWS 1000
#define BATCH_BYTES 65536

struct SdcHeapWriter
{
	Relation	rel;
	int			index_count;	/* indexes that get entries */
	Relation   *index;
	IndexInfo **info;
	BulkInsertState bulk;
	CommandId	command;
	int			options;		/* of the table access method */
	TupleTableSlot *slots[BATCH_ROWS];
	int			made;			/* slots that exist */
	int			used;			/* slots that are filled */
	Size		bytes;			/* in them */
	HeapTuple	pattern;		/* a row without NULLs of columns that are passed by value; NULL: others are there */
	uint32	   *offset;			/* of its values, by column */
	MemoryContext scratch;		/* what the table access method leaves behind */
};

/* make_pattern makes the pattern of rows, if there is one. */
static void
make_pattern(SdcHeapWriter *writer)
{
	TupleDesc	desc = RelationGetDescr(writer->rel);
	Datum	   *values = palloc0(sizeof(Datum) * Max(desc->natts, 1));
	bool	   *nulls = palloc0(sizeof(bool) * Max(desc->natts, 1));
	uint32		offset = 0;

	if (writer->rel->rd_tableam != GetHeapamTableAmRoutine())
		return;
	writer->offset = palloc(sizeof(uint32) * Max(desc->natts, 1));
	for (int i = 0; i < desc->natts; i++)
	{
		Form_pg_attribute column = TupleDescAttr(desc, i);

		if (!column->attbyval || column->attisdropped)
			return;
		offset = (uint32) att_align_nominal(offset, column->attalign);
		writer->offset[i] = offset;
		offset += (uint32) column->attlen;
	}
	writer->pattern = heap_form_tuple(desc, values, nulls);
	Assert(writer->pattern->t_len == writer->pattern->t_data->t_hoff + offset);
}

/* writer_create opens a heap. */
static SdcHeapWriter *
writer_create(Oid relid, int options)
{
	SdcHeapWriter *writer = palloc0(sizeof(SdcHeapWriter));

	writer->rel = table_open(relid, RowExclusiveLock);
	writer->bulk = GetBulkInsertState();
	writer->scratch = AllocSetContextCreate(CurrentMemoryContext, "sdc writer",
											ALLOCSET_DEFAULT_SIZES);
	writer->command = GetCurrentCommandId(true);
	writer->options = options;
	make_pattern(writer);
	return writer;
}

/*
 * sdc_heapwriter_begin: the rows are frozen.  When the heap takes the place of another, a transaction with an
 * older snapshot must not find the table empty.  Every page with rows is all-visible.  (From PostgreSQL 16 on
 * the server makes pages ahead of need, and leaves empty ones behind them, as COPY FREEZE does.)
 */
SdcHeapWriter *
sdc_heapwriter_begin(Oid relid, Oid toast)
{
	SdcHeapWriter *writer = writer_create(relid, TABLE_INSERT_SKIP_FSM | TABLE_INSERT_FROZEN);

	writer->rel->rd_toastoid = toast;
	return writer;
}

/* sdc_heapwriter_begin_rows opens the indexes too. */
SdcHeapWriter *
sdc_heapwriter_begin_rows(Oid relid)
{
	SdcHeapWriter *writer = writer_create(relid, 0);
	List	   *indexes = RelationGetIndexList(writer->rel);
	ListCell   *cell;

	writer->index = palloc(sizeof(Relation) * Max(list_length(indexes), 1));
	writer->info = palloc(sizeof(IndexInfo *) * Max(list_length(indexes), 1));
	foreach(cell, indexes)
	{
		Relation	index = index_open(lfirst_oid(cell), RowExclusiveLock);

		writer->info[writer->index_count] = BuildIndexInfo(index);
		writer->index[writer->index_count++] = index;
	}
	return writer;
}

/* enter_row adds a row that was inserted to the indexes. */
static void
enter_row(SdcHeapWriter *writer, TupleTableSlot *slot)
{
	Datum		values[INDEX_MAX_KEYS];
	bool		nulls[INDEX_MAX_KEYS];

	for (int i = 0; i < writer->index_count; i++)
	{
		/* no expressions: no executor is needed */
		FormIndexDatum(writer->info[i], slot, NULL, values, nulls);
		(void) index_insert(writer->index[i], values, nulls, &slot->tts_tid, writer->rel,
							UNIQUE_CHECK_NO, false, writer->info[i]);
	}
}

/* writer_flush inserts the rows that are in the slots. */
static void
writer_flush(SdcHeapWriter *writer)
{
	MemoryContext old;

	if (writer->used == 0)
		return;
	/* toasted rows and the tuples' array are left to the caller's context */
	old = MemoryContextSwitchTo(writer->scratch);
	table_multi_insert(writer->rel, writer->slots, writer->used, writer->command,
					   writer->options, writer->bulk);
	if (writer->index_count > 0)
		for (int i = 0; i < writer->used; i++)
			enter_row(writer, writer->slots[i]);
	MemoryContextSwitchTo(old);
	MemoryContextReset(writer->scratch);
	for (int i = 0; i < writer->used; i++)
		ExecClearTuple(writer->slots[i]);
	writer->used = 0;
	writer->bytes = 0;
}

/* sdc_heapwriter_slot returns an empty slot to fill. */
TupleTableSlot *
sdc_heapwriter_slot(SdcHeapWriter *writer)
{
	if (writer->used == BATCH_ROWS || writer->bytes >= BATCH_BYTES)
		writer_flush(writer);
	if (writer->used == writer->made)
		writer->slots[writer->made++] = writer->pattern == NULL ? table_slot_create(writer->rel, NULL) :
			MakeSingleTupleTableSlot(RelationGetDescr(writer->rel), &TTSOpsHeapTuple);
	return writer->slots[writer->used];
}

/* has_nulls tells whether a row that has a pattern has NULLs. */
static bool
has_nulls(const TupleTableSlot *slot)
{
	bool		found = false;

	for (int i = 0; i < slot->tts_tupleDescriptor->natts; i++)
		found |= slot->tts_isnull[i];
	return found;
}

/* like_pattern returns a row like the pattern, with its own values. */
static HeapTuple
like_pattern(const SdcHeapWriter *writer, const TupleTableSlot *slot)
{
	TupleDesc	desc = slot->tts_tupleDescriptor;
	HeapTuple	tuple = palloc(HEAPTUPLESIZE + writer->pattern->t_len);
	char	   *place;

	*tuple = *writer->pattern;
	tuple->t_data = (HeapTupleHeader) ((char *) tuple + HEAPTUPLESIZE);
	memcpy(tuple->t_data, writer->pattern->t_data, writer->pattern->t_len);
	place = (char *) tuple->t_data + tuple->t_data->t_hoff;
	for (int i = 0; i < desc->natts; i++)
		store_att_byval(place + writer->offset[i], slot->tts_values[i], TupleDescAttr(desc, i)->attlen);
	return tuple;
}

/* sdc_heapwriter_put forms the tuple now: its values are valid for one record only. */
void
sdc_heapwriter_put(SdcHeapWriter *writer)
{
	TupleTableSlot *slot = writer->slots[writer->used];

	if (writer->pattern != NULL && !has_nulls(slot))
		ExecStoreHeapTuple(like_pattern(writer, slot), slot, true);
	else
	{
		ExecStoreVirtualTuple(slot);
		ExecMaterializeSlot(slot);
	}
	writer->bytes += ((HeapTupleTableSlot *) slot)->tuple->t_len;
	writer->used++;
}

/* sdc_heapwriter_put_tuple: see heapwriter.h. */
void
sdc_heapwriter_put_tuple(SdcHeapWriter *writer, HeapTuple tuple)
{
	TupleTableSlot *slot = sdc_heapwriter_slot(writer);

	/* what stores a tuple in such a slot by force does not copy it */
	if (TTS_IS_HEAPTUPLE(slot))
		ExecStoreHeapTuple(heap_copytuple(tuple), slot, true);
	else
		ExecForceStoreHeapTuple(tuple, slot, false);
	writer->bytes += tuple->t_len;
	writer->used++;
}

/* sdc_heapwriter_end: the locks stay until the transaction ends. */
void
sdc_heapwriter_end(SdcHeapWriter *writer)
{
	writer_flush(writer);
	for (int i = 0; i < writer->made; i++)
		ExecDropSingleTupleTableSlot(writer->slots[i]);
	FreeBulkInsertState(writer->bulk);
	MemoryContextDelete(writer->scratch);
	table_finish_bulk_insert(writer->rel, writer->options);
	for (int i = 0; i < writer->index_count; i++)
	{
		sdc_index_insert_cleanup(writer->index[i], writer->info[i]);
		index_close(writer->index[i], NoLock);
	}
	writer->rel->rd_toastoid = InvalidOid;
	table_close(writer->rel, NoLock);
	pfree(writer);
}
