/*-------------------------------------------------------------------------
 *
 * reader.c
 *		Reading a relation in the order of its key.
 *
 * The rows come through an SPI cursor on a quoted, qualified SELECT, so that
 * privileges, row security, views, partitions and foreign tables are the
 * server's business.  Whose rights it has is decided in trust.c.  The statement orders by the key: record number r of a
 * call is the record with r smaller keys, under any plan, physical order or
 * memory setting.  Ties and draws are keyed by that number.
 *
 * A table often lies in the order of its key already.  So it is read as it lies at
 * first, and every key compared with the one before; if one is smaller, all
 * is read again with a sort.  A view, or a table under row security, is read with a sort
 * from the beginning: reading it twice could do something twice.
 *
 * Rows go from the executor straight to the columns.  Where a checksum needs an output function they are kept for a
 * while first: this function must find other settings than the statement does.
 *
 * A relation without a key is read in physical order.
 *
 * The strata are numbered by the statement too, in the order of their values; units are numbered afterwards.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/pg_class.h"
#include "catalog/pg_collation.h"
#include "catalog/pg_inherits.h"
#include "catalog/pg_type.h"
#include "relation/base/memory.h"
#include "relation/base/progress.h"
#include "relation/base/spi.h"
#include "relation/catalog/actas.h"
#include "relation/column/dictionary.h"
#include "relation/read/reader.h"
#include "relation/read/sourceunits.h"
#include "utils/builtins.h"
#include "utils/datum.h"
#include "utils/guc.h"
#include "utils/lsyscache.h"
#include "utils/resowner.h"
#include "utils/rls.h"

/* A fetch takes so many rows that they are about this large together. */
#define FETCH_BYTES (512 * 1024)
#define FETCH_ROWS_FIRST 8
#define FETCH_ROWS_MAX 2000

/* The state of one reading. */
typedef struct Reading
{
	SdcSource  *source;
	int			read_count;		/* columns of the statement without the stratum */
	SdcAttribute **read;		/* their attributes */
	SdcColumn **plain;			/* where numbers go that are stored as they are; NULL: more is to be done */
	int		   *rest;			/* of a record: the columns of which more is to be done */
	SdcChecksum *sums;			/* checksum of each, where it takes part */
	bool		sums_text;		/* some checksum needs the output function */
	bool		toasted;		/* some column can be */
	Datum	   *values;			/* of a record */
	uint64		bytes;			/* of the records of a fetch */
	int		   *key;			/* columns of the statement that form the key */
	Datum	   *last_key;		/* the key of the record before */
	bool		have_last;
	bool		disorder;		/* a key was smaller than the one before */
	bool		again;			/* that was so, and all is read once more */
	uint64		all;			/* records so far, with those that are not kept */
	SdcColumnReader **wanted;	/* the columns of the key of the records to keep, or NULL, */
	uint64		wanted_left;	/* how many of them are left, */
	Datum	   *wanted_key;		/* and the key of the next one */
	MemoryContext context;		/* what is read lives as long, */
	ResourceOwner owner;		/* and its files */
	MemoryContext scratch;		/* reset after every record */
} Reading;

/* is_summed tells whether the values of a column enter the checksum of the source. */
static inline bool
is_summed(const SdcAttribute *attribute)
{
	return attribute->action == SDC_ACTION_KEY || attribute->action == SDC_ACTION_PROTECTED ||
		attribute->action == SDC_ACTION_COMPUTED || attribute->action == SDC_ACTION_GROUPED || attribute->of_unit;
}

/* is_taken tells whether the values of a column are kept: others are read for the strata only. */
static inline bool
is_taken(const SdcAttribute *attribute)
{
	return attribute->action != SDC_ACTION_OMITTED || attribute->of_unit || attribute->is_weight;
}

/* append_column appends a column, qualified so that it is never a name of the result. */
static void
append_column(StringInfo sql, const SdcAttribute *attribute, bool first)
{
	appendStringInfo(sql, "%ssource.%s", first ? "" : ", ",
					 quote_identifier(NameStr(attribute->name)));
}

/* append_order appends one column to an ORDER BY list. */
static void
append_order(StringInfo sql, const SdcAttribute *attribute, bool first)
{
	append_column(sql, attribute, first);
	if (attribute->type.collation == C_COLLATION_OID)
		appendStringInfoString(sql, " COLLATE pg_catalog.\"C\"");
}

/* append_physical_order appends the order of a relation without a key. */
static void
append_physical_order(StringInfo sql, const SdcSource *source)
{
	/* children of one parent repeat each other's ctids */
	if (source->relkind == RELKIND_PARTITIONED_TABLE || has_subclass(source->relid))
		appendStringInfoString(sql, "source.tableoid, ");
	appendStringInfoString(sql, "source.ctid");
}

/* append_sort appends the ORDER BY clause. */
static void
append_sort(StringInfo sql, const SdcSource *source)
{
	appendStringInfoString(sql, " ORDER BY ");
	for (int i = 0; i < source->key_count; i++)
		append_order(sql, &source->attributes[source->key[i]], i == 0);
	if (source->key_count == 0)
		append_physical_order(sql, source);
}

/* reading_statement builds the SELECT. */
static char *
reading_statement(const SdcSource *source, bool sorted)
{
	StringInfoData sql;
	bool		first = true;

	initStringInfo(&sql);
	appendStringInfoString(&sql, "SELECT ");
	for (int i = 0; i < source->attribute_count; i++)
		if (source->attributes[i].read)
		{
			append_column(&sql, &source->attributes[i], first);
			first = false;
		}
	if (source->strata_count > 0)
	{
		appendStringInfoString(&sql, ", pg_catalog.dense_rank() OVER (ORDER BY ");
		for (int i = 0; i < source->strata_count; i++)
			append_order(&sql, &source->attributes[source->strata[i]], i == 0);
		appendStringInfoString(&sql, ")");
	}
	appendStringInfo(&sql, " FROM %s AS source", sdc_spi_relation_name(source->relid));
	if (sorted && !source->unordered)
		append_sort(&sql, source);
	return sql.data;
}

/* next_wanted fetches the key of the next record to keep. */
static void
next_wanted(Reading *reading)
{
	if (reading->wanted_left > 0)
		for (int k = 0; k < reading->source->key_count; k++)
			(void) sdc_column_next(reading->wanted[k], &reading->wanted_key[k]);
}

/* wanted_begin begins with the keys of the records to keep, which come in the order of the key as well. */
static void
wanted_begin(Reading *reading)
{
	const SdcSource *like = reading->source->like;

	if (like == NULL)
		return;
	Assert(like->key_count == reading->source->key_count);
	reading->wanted = palloc(sizeof(SdcColumnReader *) * like->key_count);
	reading->wanted_key = palloc(sizeof(Datum) * like->key_count);
	for (int k = 0; k < like->key_count; k++)
		reading->wanted[k] = sdc_column_open(like->attributes[like->key[k]].column);
	reading->wanted_left = like->records;
	next_wanted(reading);
}

/* reading_create prepares the columns that the records go to. */
static Reading *
reading_create(SdcSource *source, SdcSpool *spool)
{
	Reading    *reading = palloc0(sizeof(Reading));
	int			count = Max(source->attribute_count, 1);

	reading->source = source;
	reading->context = CurrentMemoryContext;
	reading->owner = CurrentResourceOwner;
	reading->read = palloc0(sizeof(SdcAttribute *) * count);
	reading->plain = palloc0(sizeof(SdcColumn *) * count);
	reading->rest = palloc0(sizeof(int) * count);
	reading->values = palloc0(sizeof(Datum) * (count + 1));
	reading->sums = palloc0(sizeof(SdcChecksum) * count);
	reading->key = palloc0(sizeof(int) * Max(source->key_count, 1));
	reading->last_key = palloc0(sizeof(Datum) * Max(source->key_count, 1));
	reading->scratch = AllocSetContextCreate(CurrentMemoryContext, "sdc reading",
											 ALLOCSET_DEFAULT_SIZES);
	for (int i = 0; i < source->attribute_count; i++)
	{
		SdcAttribute *attribute = &source->attributes[i];

		if (!attribute->read)
			continue;
		for (int k = 0; k < source->key_count; k++)
			if (source->key[k] == i)
				reading->key[k] = reading->read_count;
		if (is_summed(attribute))
			reading->sums_text |= attribute->type.sum == SDC_SUM_TEXT;
		reading->toasted |= attribute->type.typlen == -1;
		reading->sums[reading->read_count].state = SDC_CHECKSUM_INIT;
		reading->read[reading->read_count++] = attribute;
		if (attribute->action == SDC_ACTION_KEY || attribute->of_unit ||
			(is_taken(attribute) && attribute->codes == NULL && !attribute->summed))
		{
			if (attribute->numbered)
				attribute->dictionary = sdc_dictionary_create(&attribute->type);
			attribute->column = sdc_column_create(spool, attribute->numbered ? INT4OID :
												  attribute->type.typid);
			if (source->like == NULL && !attribute->numbered && attribute->codes == NULL &&
				sdc_type_plain_bytes(&attribute->type) > 0)
				reading->plain[reading->read_count - 1] = attribute->column;
		}
	}
	if (source->strata_count > 0)
		source->stratum = sdc_column_create(spool, INT4OID);
	wanted_begin(reading);
	return reading;
}

/* wanted_end closes their columns. */
static void
wanted_end(Reading *reading)
{
	for (int k = 0; reading->wanted != NULL && k < reading->source->key_count; k++)
		sdc_column_close(reading->wanted[k]);
}

/* is_wanted tells whether a record is to be kept. */
static bool
is_wanted(Reading *reading, const Datum *values, const bool *nulls)
{
	MemoryContext old;
	bool		same = reading->wanted_left > 0;

	if (reading->wanted == NULL)
		return true;
	old = MemoryContextSwitchTo(reading->scratch);
	for (int k = 0; k < reading->source->key_count && same; k++)
		same = !nulls[reading->key[k]] &&
			sdc_type_equal(&reading->read[reading->key[k]]->type, values[reading->key[k]], reading->wanted_key[k]);
	MemoryContextSwitchTo(old);
	if (same)
	{
		reading->wanted_left--;
		next_wanted(reading);
	}
	return same;
}

/* key_error raises the error for a key that does not identify the records. */
static void
key_error(const SdcSource *source, bool null)
{
	StringInfoData list;

	initStringInfo(&list);
	for (int i = 0; i < source->key_count; i++)
		sdc_spi_append_name(&list, NameStr(source->attributes[source->key[i]].name), i == 0);
	ereport(ERROR,
			(errcode(source->as_registered ? ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE :
					 null ? ERRCODE_NOT_NULL_VIOLATION : ERRCODE_UNIQUE_VIOLATION),
			 errmsg(null ? "the key (%s) of relation \"%s\" contains nulls" :
					"the key (%s) of relation \"%s\" is not unique", list.data, source->name),
			 source->as_registered ?
			 errhint("It identified every record when the release was made.  Make the release again, or register it again with sdc_register.") :
			 errhint("Name columns in argument \"key\" that identify every record.")));
}

/* compare_key compares the key of a record, which must have no NULL, with that of the record before. */
static int
compare_key(const Reading *reading, const Datum *values, const bool *nulls)
{
	const SdcSource *source = reading->source;
	int			result = reading->have_last ? 0 : 1;

	for (int i = 0; i < source->key_count; i++)
	{
		int			column = reading->key[i];

		if (nulls[column])
			key_error(source, true);
		if (result == 0)
			result = sdc_type_compare(&reading->read[column]->type, values[column],
									  reading->last_key[i]);
	}
	return result;
}

/*
 * check_key insists that the key has no NULL and compares it with that of the record
 * before: in key order a key that is not unique shows itself.
 */
static void
check_key(Reading *reading, const Datum *values, const bool *nulls)
{
	SdcSource  *source = reading->source;
	MemoryContext old = MemoryContextSwitchTo(reading->scratch);
	int			result = compare_key(reading, values, nulls);

	if (result == 0)
		key_error(source, false);
	if (result < 0)
		reading->disorder = true;
	MemoryContextSwitchTo(old);
	for (int i = 0; i < source->key_count; i++)
	{
		SdcType    *type = &reading->read[reading->key[i]]->type;
		Datum		value = values[reading->key[i]];

		if (reading->have_last && !type->typbyval)
			pfree(DatumGetPointer(reading->last_key[i]));
		reading->last_key[i] = type->typbyval ? value : datumCopy(value, false, type->typlen);
	}
	reading->have_last = true;
}

/*
 * detoast makes a value plain in the scratch context, so that comparing it does not
 * decompress it every time.
 */
static Datum
detoast(Reading *reading, SdcAttribute *attribute, Datum value)
{
	MemoryContext old;

	if (attribute->type.typlen != -1 || !VARATT_IS_EXTENDED(DatumGetPointer(value)))
		return value;
	old = MemoryContextSwitchTo(reading->scratch);
	value = PointerGetDatum(PG_DETOAST_DATUM_PACKED(value));
	MemoryContextSwitchTo(old);
	return value;
}

/* take_value stores one value of a record. */
static void
take_value(SdcAttribute *attribute, Datum value, bool isnull)
{
	if (attribute->codes != NULL)
		sdc_codelist_append(attribute->codes, value, isnull);
	if (attribute->dictionary != NULL)
		sdc_column_append(attribute->column, isnull ? (Datum) 0 :
						  Int32GetDatum((int32) sdc_dictionary_number(attribute->dictionary, value)), isnull);
	else if (attribute->column != NULL)
		sdc_column_append(attribute->column, value, isnull);
}

/* take_stratum stores the stratum of a record, and how many strata there are. */
static void
take_stratum(SdcSource *source, int64 number, bool wanted)
{
	source->strata_found = Max(source->strata_found, (uint64) number);
	if (number > PG_INT32_MAX)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("there can be at most %d strata", PG_INT32_MAX)));
	if (wanted)
		sdc_column_append(source->stratum, Int32GetDatum((int32) number - 1), false);
}

/* take_plain stores a number as it is, if there is no more to do. */
static inline bool
take_plain(Reading *reading, int i, Datum value, bool isnull)
{
	SdcColumn  *column = reading->plain[i];

	if (column == NULL || isnull || column->room == 0)
		return false;
	sdc_checksum_word(&reading->sums[i],
					  column->typlen == sizeof(int64) ? (uint64) value : (uint64) (int64) DatumGetInt32(value));
	if (column->typlen == sizeof(int64))
		*(int64 *) column->place = DatumGetInt64(value);
	else
		*(int32 *) column->place = DatumGetInt32(value);
	sdc_column_wrote_plain(column, 1);
	return true;
}

/* detoast_record makes the values of a record plain, in an array of our own. */
static const Datum *
detoast_record(Reading *reading, const Datum *values, const bool *nulls)
{
	for (int i = 0; i < reading->read_count; i++)
	{
		SdcAttribute *attribute = reading->read[i];

		reading->values[i] = values[i];
		if (nulls[i] || attribute->type.typlen != -1)
			continue;
		if (is_summed(attribute))
			reading->values[i] = detoast(reading, attribute, values[i]);
		reading->bytes += VARSIZE_ANY(DatumGetPointer(reading->values[i]));
	}
	if (reading->source->stratum != NULL)
		reading->values[reading->read_count] = values[reading->read_count];
	return reading->values;
}

/* expect_values has what the dictionaries need for a record on its way before any of them waits for it. */
static void
expect_values(const Reading *reading, const Datum *values, const bool *nulls)
{
	for (int i = 0; i < reading->read_count; i++)
		if (reading->read[i]->codes != NULL && !nulls[i])
			sdc_dictionary_expect(reading->read[i]->codes->dictionary, values[i]);
	for (int i = 0; i < reading->read_count; i++)
		if (reading->read[i]->codes != NULL && !nulls[i])
			sdc_dictionary_expect_more(reading->read[i]->codes->dictionary, values[i]);
}

/* take_rest checks and stores the values of a record that are more than numbers; rest: their columns. */
static bool
take_rest(Reading *reading, const Datum *values, const bool *nulls, int count)
{
	bool		wanted;

	for (int k = 0; k < count; k++)
	{
		int			i = reading->rest[k];
		SdcAttribute *attribute = reading->read[i];

		if (is_summed(attribute))
			sdc_type_checksum(&attribute->type, &reading->sums[i], values[i], nulls[i]);
	}
	wanted = is_wanted(reading, values, nulls);
	if (wanted)
		expect_values(reading, values, nulls);
	for (int k = 0; k < count && wanted; k++)
	{
		int			i = reading->rest[k];

		if (is_taken(reading->read[i]))
			take_value(reading->read[i], values[i], nulls[i]);
	}
	return wanted;
}

/* take_record checks one record of the statement, and stores it if it is wanted. */
static void
take_record(Reading *reading, const Datum *values, const bool *nulls)
{
	SdcSource  *source = reading->source;
	int			rest = 0;
	bool		wanted;

	if (reading->toasted)
		values = detoast_record(reading, values, nulls);
	for (int i = 0; i < reading->read_count; i++)
		if (!take_plain(reading, i, values[i], nulls[i]))
			reading->rest[rest++] = i;
	wanted = take_rest(reading, values, nulls, rest);
	if (source->key_count > 0)
		check_key(reading, values, nulls);
	if (source->stratum != NULL)
		take_stratum(source, DatumGetInt64(values[reading->read_count]), wanted);
	source->records += wanted;
	reading->all++;
	reading->bytes += sizeof(Datum) * (uint64) reading->read_count;
	MemoryContextReset(reading->scratch);
}

/* take_slot takes a record that the executor has at hand: SdcSpiFetched. */
static bool
take_slot(void *arg, TupleTableSlot *slot)
{
	Reading    *reading = arg;
	MemoryContext old;
	ResourceOwner owner = CurrentResourceOwner;

	slot_getallattrs(slot);
	old = MemoryContextSwitchTo(reading->context);
	CurrentResourceOwner = reading->owner;
	take_record(reading, slot->tts_values, slot->tts_isnull);
	CurrentResourceOwner = owner;
	MemoryContextSwitchTo(old);
	return !reading->disorder;
}

/* take_tuples takes records that were kept, with settings of our own. */
static void
take_tuples(Reading *reading, SPITupleTable *table, uint64 count)
{
	Datum	   *values = palloc(sizeof(Datum) * (reading->read_count + 1));
	bool	   *nulls = palloc(sizeof(bool) * (reading->read_count + 1));
	int			nest = sdc_type_pin_settings();

	for (uint64 i = 0; i < count && !reading->disorder; i++)
	{
		heap_deform_tuple(table->vals[i], table->tupdesc, values, nulls);
		take_record(reading, values, nulls);
	}
	AtEOXact_GUC(true, nest);
	pfree(values);
	pfree(nulls);
}

/* fetch takes the next records, and returns how many there were. */
static uint64
fetch(Reading *reading, Portal portal, long rows)
{
	uint64		count;
	SPITupleTable *table;

	reading->bytes = 0;
	if (!reading->sums_text)
		return sdc_spi_fetch_rows(portal, rows, take_slot, reading);
	SPI_cursor_fetch(portal, true, rows);
	count = SPI_processed;
	table = SPI_tuptable;
	MemoryContextSwitchTo(reading->context);
	take_tuples(reading, table, count);
	SPI_freetuptable(table);
	return count;
}

/* unnumber replaces the numbers of a column by their values, when there are too many of these. */
static void
unnumber(SdcAttribute *attribute, SdcSpool *spool)
{
	SdcColumn  *numbers = attribute->column;
	SdcColumnReader *reader;

	sdc_column_finish(numbers);
	reader = sdc_column_open(numbers);
	attribute->column = sdc_column_create(spool, attribute->type.typid);
	for (uint64 r = 0; r < sdc_column_count(numbers); r++)
	{
		Datum		number;
		bool		valid = sdc_column_next(reader, &number);

		sdc_column_append(attribute->column, valid ?
						  sdc_dictionary_value(attribute->dictionary,
											   (uint32) DatumGetInt32(number)) : (Datum) 0, !valid);
		CHECK_FOR_INTERRUPTS();
	}
	sdc_column_close(reader);
	sdc_column_destroy(numbers);
	sdc_dictionary_destroy(attribute->dictionary);
	attribute->dictionary = NULL;
}

/* check_dictionaries sees that the distinct values take little of the budget. */
static void
check_dictionaries(Reading *reading, SdcSpool *spool)
{
	uint64		limit = sdc_memory_budget() / 8 / Max(reading->source->protected_count, 1);

	for (int i = 0; i < reading->read_count; i++)
		if (reading->read[i]->dictionary != NULL &&
			sdc_dictionary_memory(reading->read[i]->dictionary) > limit)
			unnumber(reading->read[i], spool);
}

/* add_column adds a column's name and checksum: two columns that change places are a change. */
static void
add_column(SdcChecksum *sum, const SdcAttribute *attribute, const SdcChecksum *values)
{
	sdc_checksum_bytes(sum, NameStr(attribute->name), strlen(NameStr(attribute->name)));
	sdc_checksum_word(sum, values->state);
}

/* reading_finish closes the columns and puts the checksums together. */
static void
reading_finish(Reading *reading)
{
	SdcSource  *source = reading->source;
	SdcChecksum sum = {SDC_CHECKSUM_INIT};

	sdc_checksum_word(&sum, reading->all);
	for (int k = 0; k < source->key_count; k++)
		add_column(&sum, reading->read[reading->key[k]], &reading->sums[reading->key[k]]);
	for (int i = 0; i < reading->read_count; i++)
	{
		SdcAttribute *attribute = reading->read[i];

		if (is_summed(attribute) && attribute->action != SDC_ACTION_KEY)
			add_column(&sum, attribute, &reading->sums[i]);
		if (attribute->column != NULL)
			sdc_column_finish(attribute->column);
	}
	source->checksum = sum.state;
	if (source->stratum != NULL)
		sdc_column_finish(source->stratum);
	wanted_end(reading);
	MemoryContextDelete(reading->scratch);
}

/* reading_abandon throws away what was read. */
static void
reading_abandon(Reading *reading, SdcSpool *spool)
{
	SdcSource  *source = reading->source;

	for (int i = 0; i < reading->read_count; i++)
	{
		if (reading->read[i]->column != NULL)
			sdc_column_destroy(reading->read[i]->column);
		reading->read[i]->column = NULL;
		if (reading->read[i]->dictionary != NULL)
			sdc_dictionary_destroy(reading->read[i]->dictionary);
		reading->read[i]->dictionary = NULL;
		if (reading->read[i]->codes != NULL)
			reading->read[i]->codes->count = 0;
	}
	sdc_spool_rewind(spool);
	source->records = 0;
	wanted_end(reading);
	MemoryContextDelete(reading->scratch);
}

/*
 * check_types insists on the types that the columns had when the reading was planned.  Code of an owner may have
 * run since, of the relation that was read before, and given the names of columns to others.
 */
static void
check_types(const Reading *reading, TupleDesc desc)
{
	for (int i = 0; i < reading->read_count; i++)
		if (TupleDescAttr(desc, i)->atttypid != reading->read[i]->type.typid)
			sdc_source_refuse_changed(reading->source->relid);
}

/*
 * open_cursor opens the cursor.  The statement is read to its end, so it is planned
 * for that; its sort may take half of the budget, a setting that is looked at when the
 * first row is fetched.  So it fetches the first rows too, and says how many there were.  The sorts in the
 * statement share that half.
 */
static Portal
open_cursor(Reading *reading, bool sorted, uint64 *count)
{
	const SdcSource *source = reading->source;
	int			sorts = source->strata_count > 0 ? 2 : 1;
	int			nest = NewGUCNestLevel();
	SPIPlanPtr	plan;
	Portal		portal;
	char		memory[32];

	snprintf(memory, sizeof(memory), "%d", Max(work_mem, sdc_memory_sort_share(sorts * 2)));
	sdc_spi_set_for_now("work_mem", memory);
	sdc_spi_set_for_now("cursor_tuple_fraction", "1.0");
	sdc_spi_set_for_now("synchronize_seqscans", "off");	/* begin at the beginning */
	sdc_spi_set_for_now("jit", "off");	/* there is next to nothing to compile */
	plan = SPI_prepare_cursor(reading_statement(source, sorted), 0, NULL, CURSOR_OPT_NO_SCROLL);
	if (plan == NULL)
		elog(ERROR, "statement could not be prepared: %s", SPI_result_code_string(SPI_result));
	portal = SPI_cursor_open(NULL, plan, NULL, NULL, true);
	check_types(reading, portal->tupDesc);
	sdc_progress_reading(PortalGetPrimaryStmt(portal)->planTree->plan_rows, reading->again);
	*count = fetch(reading, portal, FETCH_ROWS_FIRST);
	AtEOXact_GUC(true, nest);
	return portal;
}

/* read_all takes all records, or those before the first that is not in order. */
static void
read_all(Reading *reading, SdcSpool *spool, bool sorted)
{
	SdcSource  *source = reading->source;
	uint64		count;
	Portal		portal = open_cursor(reading, sorted, &count);

	while (count > 0 && !reading->disorder)
	{
		long		rows = Max(1, Min(FETCH_ROWS_MAX, FETCH_BYTES * count / Max(reading->bytes, 1)));

		MemoryContextSwitchTo(reading->context);
		if (reading->all > SDC_MAX_RECORDS)
			ereport(ERROR,
					(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
					 errmsg("relation \"%s\" has more than " UINT64_FORMAT " records",
							source->name, SDC_MAX_RECORDS)));
		sdc_progress_read(reading->all);
		check_dictionaries(reading, spool);
		CHECK_FOR_INTERRUPTS();
		count = fetch(reading, portal, rows);
	}
	SPI_cursor_close(portal);
	MemoryContextSwitchTo(reading->context);
}

/*
 * read_in_order reads all records, with a sort or as they lie, for the first time or again.  It returns false when they
 * do not lie in the order of the key.
 */
static bool
read_in_order(SdcSource *source, SdcSpool *spool, bool sorted, bool again)
{
	Reading    *reading = reading_create(source, spool);

	reading->again = again;
	read_all(reading, spool, sorted);
	if (reading->disorder)
	{
		if (sorted)
			ereport(ERROR,
					(errcode(ERRCODE_INDEX_CORRUPTED),
					 errmsg("the records of relation \"%s\" did not come in the order of the key",
							source->name),
					 errhint("An index or a remote server may sort by another version of a collation.")));
		reading_abandon(reading, spool);
		return false;
	}
	reading_finish(reading);
	return true;
}

/* sdc_reader_read reads all records of the source in key order, with the rights of its reader. */
void
sdc_reader_read(SdcSource *source, SdcSpool *spool)
{
	SdcActAs	before;
	bool		may_lie_in_order;

	sdc_actas_begin(&before, source->reader);
	may_lie_in_order = source->key_count > 0 && source->strata_count == 0 &&
		(source->relkind == RELKIND_RELATION || source->relkind == RELKIND_MATVIEW) &&
		!has_subclass(source->relid) &&
		check_enable_rls(source->relid, InvalidOid, true) != RLS_ENABLED;

	if (!may_lie_in_order || !read_in_order(source, spool, false, false))
		(void) read_in_order(source, spool, true, may_lie_in_order);
	sdc_actas_end(&before);
	sdc_sourceunits_find(source);
}

/* sdc_reader_sum: see reader.h. */
void
sdc_reader_sum(SdcAttribute *attribute, SdcChecksum *sum)
{
	SdcColumnReader *reader = sdc_column_open(attribute->column);
	uint64		count = sdc_column_count(attribute->column);

	for (uint64 r = 0; r < count; r++)
	{
		Datum		value;
		bool		valid = sdc_column_next(reader, &value);

		if (r % 4096 == 0)
			CHECK_FOR_INTERRUPTS();
		if (valid && attribute->dictionary != NULL)
			value = sdc_dictionary_value(attribute->dictionary, (uint32) DatumGetInt32(value));
		sdc_type_checksum(&attribute->type, sum, valid ? value : (Datum) 0, !valid);
	}
	sdc_column_close(reader);
}

/* keep_values replaces a column by one with some of its values. */
static void
keep_values(SdcColumn **column, SdcSpool *spool, const uint32 *records, uint32 count)
{
	SdcColumn  *kept;
	SdcColumnReader *reader;
	Datum		value;
	uint32		next = 0;

	if (*column == NULL)
		return;
	kept = sdc_column_create(spool, sdc_column_type(*column));
	reader = sdc_column_open(*column);
	for (uint32 r = 0; next < count; r++)
	{
		bool		valid = sdc_column_next(reader, &value);

		if (r % 4096 == 0)
			CHECK_FOR_INTERRUPTS();
		if (records[next] != r)
			continue;
		sdc_column_append(kept, value, !valid);
		next++;
	}
	sdc_column_finish(kept);
	sdc_column_close(reader);
	sdc_column_destroy(*column);
	*column = kept;
}

/* sdc_reader_keep: see reader.h. */
void
sdc_reader_keep(SdcSource *source, SdcSpool *spool, const uint32 *records, uint32 count)
{
	if (count == source->records)
		return;
	for (int i = 0; i < source->attribute_count; i++)
	{
		keep_values(&source->attributes[i].column, spool, records, count);
		keep_values(&source->attributes[i].coded, spool, records, count);
		keep_values(&source->attributes[i].before, spool, records, count);
	}
	keep_values(&source->stratum, spool, records, count);
	source->records = count;
}
