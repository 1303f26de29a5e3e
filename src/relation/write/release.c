/*-------------------------------------------------------------------------
 *
 * release.c
 *		Writing the protected records: to a table, or to a result set.
 *
 * A new table is created through SPI, so that permissions, default privileges
 * and event triggers are the server's business, and filled by multi-inserts,
 * which nobody can see before the transaction commits.  When a release is
 * replaced by one with the same columns, its table keeps its identity and gets a new
 * heap, as a materialized view does when it is refreshed: grants, comments,
 * indexes and dependent views stay, and readers wait for the exchange only.
 * Otherwise it is dropped and created.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/htup_details.h"
#include "access/multixact.h"
#include "access/table.h"
#include "access/tableam.h"
#include "access/xact.h"
#include "catalog/namespace.h"
#include "catalog/objectaddress.h"
#include "catalog/pg_am.h"
#include "catalog/pg_type.h"
#include "commands/cluster.h"
#include "commands/defrem.h"
#include "commands/tablecmds.h"
#include "executor/tuptable.h"
#include "nodes/makefuncs.h"
#include "pgstat.h"
#include "relation/base/compat.h"
#include "relation/base/memory.h"
#include "relation/base/progress.h"
#include "relation/base/spi.h"
#include "relation/catalog/catalog.h"
#include "relation/column/dictionary.h"
#include "relation/column/distinct.h"
#include "relation/column/plainvalue.h"
#include "relation/write/dependents.h"
#include "relation/write/heapwriter.h"
#include "relation/write/release.h"
#include "relation/write/replaceable.h"
#include "storage/lmgr.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/snapmgr.h"
#include "utils/varlena.h"

/* Progress is reported, and a cancel looked for, once in this many records. */
#define REPORT_RECORDS 1024

/* Puts the records of a release together from its columns. */
typedef struct Assembly
{
	int			width;			/* columns of the result */
	int			count;			/* of them, those that come from a column */
	SdcColumnReader **readers;
	SdcDictionary **dictionaries;	/* whose numbers a column has, or NULL */
	SdcDistinct **distinct;		/* the counts of different values, or NULL */
	SdcAttribute **attributes;	/* that they are of */
	int		   *places;			/* index in the result of each */
	int			row_place;		/* index of sdc_row, or -1 */
	SdcPlainRecord *plain;		/* how its values become plain, or NULL */
	MemoryContext scratch;		/* what plain values of a record take */
	uint64		done;			/* records assembled */
} Assembly;

/*
 * index_holds_key tells whether an index has all columns of the release's key, under
 * collations that tell all keys apart.
 */
static bool
index_holds_key(const SdcSource *source, Oid existing, Relation index)
{
	int			found = 0;
	int			wanted = source->key_count > 0 ? source->key_count : 1;

	for (int i = 0; i < wanted; i++)
	{
		const char *name = source->key_count > 0 ?
			NameStr(source->attributes[source->key[i]].name) : SDC_ROW_COLUMN;
		AttrNumber	number = get_attnum(existing, name);

		for (int k = 0; k < index->rd_index->indnkeyatts; k++)
			if (index->rd_index->indkey.values[k] == number &&
				(!OidIsValid(index->rd_indcollation[k]) ||
				 get_collation_isdeterministic(index->rd_indcollation[k])))
			{
				found++;
				break;
			}
	}
	return found == wanted;
}

/*
 * check_indexes insists that the indexes of a table to be replaced can be built for any
 * release: the server's error for a duplicate, or for an expression that fails,
 * tells a value.
 */
static void
check_indexes(const SdcTarget *target, const SdcSource *source, Oid existing)
{
	Relation	rel = table_open(existing, NoLock);
	ListCell   *cell;

	foreach(cell, RelationGetIndexList(rel))
	{
		Relation	index = index_open(lfirst_oid(cell), AccessShareLock);

		sdc_replaceable_check_index("release", target->name, index, false);
		if (index->rd_index->indisunique && !index_holds_key(source, existing, index))
			ereport(ERROR,
					(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
					 errmsg("release \"%s\" has unique index \"%s\", which does not include the key",
							target->name, RelationGetRelationName(index)),
					 errdetail("Only the key is unique in every release."),
					 errhint("Drop the index, or name another target.")));
		index_close(index, NoLock);
	}
	table_close(rel, NoLock);
}

/* was_released tells whether a release has an attribute of the source, and was not made without it. */
static bool
was_released(Oid release, List *omitted, const SdcAttribute *attribute)
{
	ListCell   *cell;

	foreach(cell, omitted)
		if (strcmp(lfirst(cell), NameStr(attribute->name)) == 0)
			return false;
	return get_attnum(release, NameStr(attribute->name)) > 0;
}

/*
 * check_columns insists that a replacement brings no column into the release as it is, unless an argument
 * names it: one that the source did not have, or that was left out.  Columns are known by
 * their names.
 */
static void
check_columns(const SdcTarget *target, const SdcSource *source, Oid catalog_schema, Oid existing)
{
	SdcReleaseRow before;
	StringInfoData list;
	int			count = 0;

	(void) sdc_catalog_get(catalog_schema, existing, &before);
	initStringInfo(&list);
	for (int i = 0; i < source->attribute_count; i++)
	{
		const SdcAttribute *attribute = &source->attributes[i];

		if ((attribute->action == SDC_ACTION_COPIED ||
			 (attribute->action == SDC_ACTION_KEY && !target->continued)) &&
			!attribute->named && !was_released(existing, before.omitted, attribute))
			sdc_spi_append_name(&list, NameStr(attribute->name), count++ == 0);
	}
	if (count > 0)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg_plural("column %s would be copied, which release \"%s\" does not have",
							   "columns %s would be copied, which release \"%s\" does not have",
							   count, list.data, target->name),
				 errdetail("A column that is new in the source, or was left out before, comes into a release on purpose only."),
				 errhint("Name such columns in argument \"columns\", \"keep\", \"omit\" or \"key\".")));
	pfree(list.data);
}

/* check_existing decides what to do about a relation that has the target's name. */
static void
check_existing(const SdcTarget *target, const SdcSource *source, Oid catalog_schema,
			   Oid existing, bool named, bool replace)
{
	Oid			source_before = InvalidOid;
	SdcReleaseState state = sdc_catalog_state(catalog_schema, existing, &source_before);

	if (!replace)
		ereport(ERROR,
				(errcode(ERRCODE_DUPLICATE_TABLE),
				 errmsg("relation \"%s\" already exists", target->name),
				 state == SDC_RELEASE_MADE ?
				 errhint("Use replace => true to replace this release, or name another target.") :
				 errhint("Name another target.")));
	if (existing == source->relid)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("relation \"%s\" cannot be replaced by its own release", target->name)));
	if (state != SDC_RELEASE_MADE || get_rel_relkind(existing) != RELKIND_RELATION)
		ereport(ERROR,
				(errcode(ERRCODE_WRONG_OBJECT_TYPE),
				 errmsg("relation \"%s\" is not a release made by sdc", target->name),
				 errdetail("Only a release can be replaced."),
				 errhint("Name another target, or drop the relation.")));
	if (!named && source_before != source->relid)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("relation \"%s\" is a release of another source", target->name),
				 errhint("Name the target to replace it nevertheless.")));
	check_columns(target, source, catalog_schema, existing);
	sdc_replaceable_check_table("release", target->name, existing);
	check_indexes(target, source, existing);
}

/* sdc_target_resolve finds out where the release goes. */
void
sdc_target_resolve(SdcTarget *target, const SdcSource *source, Oid catalog_schema,
				   const char *name, const char *method, bool replace)
{
	RangeVar   *range;
	Oid			existing = InvalidOid;

	if (name != NULL)
		range = makeRangeVarFromNameList(textToQualifiedNameList(cstring_to_text(name)));
	else
		range = makeRangeVar(source->schema, makeObjectName(source->name, method, NULL), -1);

	/* the lock keeps two replacements of one release apart, and lets readers read */
	target->views = NIL;
	target->views_go = false;
	target->schema = get_namespace_name(sdc_replaceable_schema("release", range, replace ? ExclusiveLock : NoLock,
															   &existing));
	target->name = range->relname;
	target->replaced = existing;
	if (OidIsValid(existing))
		check_existing(target, source, catalog_schema, existing, name != NULL, replace);
}

/*
 * is_counted tells whether the different values of an attribute are counted: it is copied, and no more is known.
 * What the method takes is its business.
 */
static bool
is_counted(const SdcAttribute *attribute)
{
	return attribute->action == SDC_ACTION_COPIED && !attribute->of_method && !attribute->unique;
}

/* count_memory returns how much memory the count of an attribute may take. */
static uint64
count_memory(const SdcSource *source)
{
	int			counted = 0;

	for (int i = 0; i < source->attribute_count; i++)
		if (is_counted(&source->attributes[i]))
			counted++;
	return sdc_memory_budget() / 16 / Max(counted, 1);
}

/* assembly_create opens the columns of a release. */
static Assembly *
assembly_create(SdcSource *source)
{
	Assembly   *assembly = palloc0(sizeof(Assembly));
	uint64		memory = count_memory(source);

	assembly->readers = palloc(sizeof(SdcColumnReader *) * (source->attribute_count + 1));
	assembly->places = palloc(sizeof(int) * (source->attribute_count + 1));
	assembly->dictionaries = palloc0(sizeof(SdcDictionary *) * (source->attribute_count + 1));
	assembly->distinct = palloc0(sizeof(SdcDistinct *) * (source->attribute_count + 1));
	assembly->attributes = palloc0(sizeof(SdcAttribute *) * (source->attribute_count + 1));
	assembly->row_place = -1;
	for (int i = 0; i < source->attribute_count; i++)
	{
		SdcAttribute *attribute = &source->attributes[i];

		if (attribute->action == SDC_ACTION_OMITTED)
			continue;
		assembly->places[assembly->count] = source->keeps_row_type ?
			attribute->attnum - 1 : assembly->width;
		assembly->dictionaries[assembly->count] = attribute->dictionary;
		if (is_counted(attribute))
			assembly->distinct[assembly->count] = sdc_distinct_begin(attribute->column, memory);
		assembly->attributes[assembly->count] = attribute;
		assembly->readers[assembly->count++] = sdc_column_open(attribute->column);
		assembly->width++;
	}
	if (sdc_source_has_group_column(source))
	{
		assembly->places[assembly->count] = assembly->width++;
		assembly->readers[assembly->count++] = sdc_column_open(source->group);
	}
	if (sdc_source_has_row_column(source))
		assembly->row_place = assembly->width++;
	return assembly;
}

/* assembly_take_shape is told what the records of the result are like. */
static void
assembly_take_shape(Assembly *assembly, TupleDesc desc)
{
	assembly->plain = sdc_plainrecord_create(desc);
	assembly->scratch = AllocSetContextCreate(CurrentMemoryContext, "sdc record", ALLOCSET_DEFAULT_SIZES);
}

/* assembly_make_plain makes the values of a record plain, which are valid until the next one. */
static void
assembly_make_plain(Assembly *assembly, Datum *values, const bool *nulls)
{
	MemoryContext before;

	if (assembly->plain == NULL)
		return;
	MemoryContextReset(assembly->scratch);
	before = MemoryContextSwitchTo(assembly->scratch);
	(void) sdc_plainrecord_make(assembly->plain, values, nulls);
	MemoryContextSwitchTo(before);
}

/* assembly_next fills in the next record. */
static void
assembly_next(Assembly *assembly, Datum *values, bool *nulls)
{
	for (int i = 0; i < assembly->count; i++)
	{
		Datum	   *value = &values[assembly->places[i]];
		bool		valid = sdc_column_next(assembly->readers[i], value);

		if (valid && assembly->dictionaries[i] != NULL)
			*value = sdc_dictionary_value(assembly->dictionaries[i],
										  (uint32) DatumGetInt32(*value));
		if (valid && assembly->distinct[i] != NULL && !sdc_distinct_add(assembly->distinct[i], *value))
		{
			sdc_distinct_destroy(assembly->distinct[i]);
			assembly->distinct[i] = NULL;
		}
		nulls[assembly->places[i]] = !valid;
	}
	assembly->done++;
	if (assembly->row_place >= 0)
	{
		values[assembly->row_place] = Int64GetDatum((int64) assembly->done);
		nulls[assembly->row_place] = false;
	}
	assembly_make_plain(assembly, values, nulls);
	/* a value can be large */
	CHECK_FOR_INTERRUPTS();
	if (assembly->done % REPORT_RECORDS == 0)
		sdc_progress_records(assembly->done);
}

/* assembly_destroy closes the columns, and enters what was counted. */
static void
assembly_destroy(Assembly *assembly)
{
	for (int i = 0; i < assembly->count; i++)
	{
		sdc_column_close(assembly->readers[i]);
		if (assembly->distinct[i] == NULL)
			continue;
		assembly->attributes[i]->distinct = sdc_distinct_percent(assembly->distinct[i]);
		sdc_distinct_destroy(assembly->distinct[i]);
	}
	if (assembly->scratch != NULL)
		MemoryContextDelete(assembly->scratch);
	pfree(assembly->distinct);
	pfree(assembly->attributes);
	pfree(assembly->readers);
	pfree(assembly->places);
	pfree(assembly->dictionaries);
	pfree(assembly);
}

/* write_heap fills a heap that nobody else can see. */
static void
write_heap(SdcSource *source, Oid relid)
{
	SdcHeapWriter *writer = sdc_heapwriter_begin(relid, InvalidOid);
	Assembly   *assembly = assembly_create(source);

	for (uint64 r = 0; r < source->records; r++)
	{
		TupleTableSlot *slot = sdc_heapwriter_slot(writer);

		if (r == 0 && slot->tts_tupleDescriptor->natts != assembly->width)
			elog(ERROR, "table has %d columns instead of %d",
				 slot->tts_tupleDescriptor->natts, assembly->width);
		if (r == 0)
			assembly_take_shape(assembly, slot->tts_tupleDescriptor);
		assembly_next(assembly, slot->tts_values, slot->tts_isnull);
		sdc_heapwriter_put(writer);
	}
	sdc_heapwriter_end(writer);
	assembly_destroy(assembly);
}

/* has_own_elements tells whether the release has sets of values of the source in a column, not of what these became. */
static bool
has_own_elements(const SdcAttribute *attribute)
{
	return type_is_array(attribute->release_type) && !OidIsValid(attribute->passed_type.typid);
}

/* append_released appends a column of the release to a SELECT list. */
static void
append_released(StringInfo sql, const SdcAttribute *attribute, bool first)
{
	const char *name = quote_identifier(NameStr(attribute->name));

	if (!OidIsValid(attribute->release_type))
		sdc_spi_append_name(sql, NameStr(attribute->name), first);
	else if (has_own_elements(attribute))
		/* keeps the collation of the elements */
		appendStringInfo(sql, "%sARRAY[source.%s] AS %s", first ? "" : ", ", name, name);
	else
		appendStringInfo(sql, "%sNULL::%s AS %s", first ? "" : ", ",
						 format_type_be_qualified(attribute->release_type), name);
}

/* create_statement builds the statement that creates the release's table. */
static char *
create_statement(const SdcSource *source, const SdcTarget *target)
{
	StringInfoData sql;
	int			count = 0;

	initStringInfo(&sql);
	appendStringInfo(&sql, "CREATE TABLE %s USING heap AS SELECT ",
					 sdc_spi_qualified_name(target->schema, target->name));
	for (int i = 0; i < source->attribute_count; i++)
		if (source->attributes[i].action != SDC_ACTION_OMITTED)
			append_released(&sql, &source->attributes[i], count++ == 0);
	if (sdc_source_has_group_column(source))
		appendStringInfo(&sql, "%s0::pg_catalog.int4 AS %s", count++ == 0 ? "" : ", ",
						 quote_identifier(SDC_GROUP_COLUMN));
	if (sdc_source_has_row_column(source))
		appendStringInfo(&sql, "%s0::pg_catalog.int8 AS %s", count == 0 ? "" : ", ",
						 quote_identifier(SDC_ROW_COLUMN));
	appendStringInfo(&sql, " FROM %s AS source WITH NO DATA",
					 sdc_spi_relation_name(source->relid));
	return sql.data;
}

/* create_table creates the release's table and returns its OID. */
static Oid
create_table(const SdcSource *source, const SdcTarget *target)
{
	return sdc_spi_create(create_statement(source, target), target->schema, target->name);
}

/* same_column tells whether a column of a table has the name of an attribute, and a type. */
static bool
same_column(Form_pg_attribute att, const SdcAttribute *attribute, Oid type, int32 typmod,
			Oid collation)
{
	return !att->attisdropped && att->attgenerated == '\0' &&
		strcmp(NameStr(att->attname), NameStr(attribute->name)) == 0 &&
		att->atttypid == type && att->atttypmod == typmod && att->attcollation == collation;
}

/* same_added tells whether a column of a table is one that sdc adds to a release. */
static bool
same_added(TupleDesc desc, int place, const char *name, Oid type)
{
	return place < desc->natts &&
		strcmp(NameStr(TupleDescAttr(desc, place)->attname), name) == 0 &&
		TupleDescAttr(desc, place)->atttypid == type;
}

/* same_attribute tells whether a column of a table is what the release has of an attribute. */
static bool
same_attribute(const SdcSource *source, const SdcAttribute *attribute, TupleDesc desc, int place)
{
	Oid			type;
	int32		typmod;
	Oid			collation;

	if (place >= desc->natts)
		return false;
	/* key and strata are compared under another collation than the column's */
	get_atttypetypmodcoll(source->relid, attribute->attnum, &type, &typmod, &collation);
	if (OidIsValid(attribute->release_type))
	{
		if (!has_own_elements(attribute))
			collation = get_typcollation(attribute->release_type);
		return same_column(TupleDescAttr(desc, place), attribute, attribute->release_type,
						   TupleDescAttr(desc, place)->atttypmod, collation);
	}
	return same_column(TupleDescAttr(desc, place), attribute, type, typmod, collation);
}

/* same_layout tells whether a table has the columns that the release will have. */
static bool
same_layout(const SdcSource *source, Relation rel)
{
	TupleDesc	desc = RelationGetDescr(rel);
	int			place = 0;

	if (rel->rd_rel->relam != HEAP_TABLE_AM_OID)
		return false;
	for (int i = 0; i < source->attribute_count; i++)
		if (source->attributes[i].action != SDC_ACTION_OMITTED &&
			!same_attribute(source, &source->attributes[i], desc, place++))
			return false;
	if (sdc_source_has_group_column(source) &&
		!same_added(desc, place++, SDC_GROUP_COLUMN, INT4OID))
		return false;
	if (sdc_source_has_row_column(source) && !same_added(desc, place++, SDC_ROW_COLUMN, INT8OID))
		return false;
	return place == desc->natts;
}

/*
 * check_not_null insists that no column of an existing table that must not be null
 * gets nulls; columns are in the order that same_layout has checked.
 */
static void
check_not_null(const SdcSource *source, Relation rel)
{
	int			place = 0;

	for (int i = 0; i < source->attribute_count; i++)
	{
		const SdcAttribute *attribute = &source->attributes[i];

		if (attribute->action == SDC_ACTION_OMITTED)
			continue;
		if (TupleDescAttr(RelationGetDescr(rel), place++)->attnotnull &&
			sdc_column_null_count(attribute->column) > 0)
			ereport(ERROR,
					(errcode(ERRCODE_NOT_NULL_VIOLATION),
					 errmsg("column \"%s\" of release \"%s\" must not be null, and its source has nulls",
							NameStr(attribute->name), RelationGetRelationName(rel)),
					 errhint("Drop the constraint, or name another target.")));
	}
}

/*
 * replace_heap writes the records to a new heap of an existing table.  The old
 * one can be read until the exchange.
 */
static void
replace_heap(SdcSource *source, Oid relid)
{
	Relation	rel = table_open(relid, NoLock);
	char		persistence = rel->rd_rel->relpersistence;
	Oid			tablespace = rel->rd_rel->reltablespace;
	Oid			method = rel->rd_rel->relam;
	Oid			heap;

	CheckTableNotInUse(rel, "replace release");
	check_not_null(source, rel);
	table_close(rel, NoLock);
	heap = make_new_heap(relid, tablespace, method, persistence, ExclusiveLock);
	CommandCounterIncrement();
	write_heap(source, heap);

	LockRelationOid(relid, AccessExclusiveLock);
	finish_heap_swap(relid, heap, false, false, true, true,
					 RecentXmin, ReadNextMultiXactId(), persistence);
	rel = table_open(relid, NoLock);
	pgstat_count_truncate(rel);
	pgstat_count_heap_insert(rel, source->records);
	table_close(rel, NoLock);
	CommandCounterIncrement();
}

/* sdc_target_check looks at what a replacement has to drop. */
void
sdc_target_check(const SdcTarget *target, const SdcSource *source)
{
	List	   *going = NIL;
	Relation	rel;

	if (!OidIsValid(target->replaced))
		return;
	rel = table_open(target->replaced, NoLock);
	if (!same_layout(source, rel))
		going = lappend_oid(list_copy(target->views), target->replaced);
	else if (target->views_go)
		going = target->views;
	table_close(rel, NoLock);
	if (going != NIL)
		sdc_dependents_check(target->name, going);
}

/* sdc_release_write_table writes the records to a new or replaced table. */
Oid
sdc_release_write_table(SdcSource *source, const SdcTarget *target)
{
	Oid			relid;

	if (OidIsValid(target->replaced))
	{
		Relation	rel = try_table_open(target->replaced, NoLock);
		ListCell   *cell;
		bool		same;

		/* nobody else could drop it, but a function in the source may */
		if (rel == NULL)
			ereport(ERROR,
					(errcode(ERRCODE_UNDEFINED_TABLE),
					 errmsg("release \"%s\" was dropped meanwhile", target->name)));
		same = same_layout(source, rel);
		table_close(rel, NoLock);
		if (same)
		{
			replace_heap(source, target->replaced);
			return target->replaced;
		}
		foreach(cell, target->views)
			if (get_rel_name(lfirst_oid(cell)) != NULL)
				sdc_dependents_drop(target->name, lfirst_oid(cell));
		sdc_dependents_drop(target->name, target->replaced);
	}
	relid = create_table(source, target);
	write_heap(source, relid);
	CommandCounterIncrement();
	return relid;
}

/* sdc_release_write_store adds the records to a result set. */
void
sdc_release_write_store(SdcSource *source, Tuplestorestate *store, TupleDesc desc)
{
	Assembly   *assembly = assembly_create(source);
	Datum	   *values = palloc0(sizeof(Datum) * Max(desc->natts, 1));
	bool	   *nulls = palloc(sizeof(bool) * Max(desc->natts, 1));

	memset(nulls, true, sizeof(bool) * desc->natts);
	assembly_take_shape(assembly, desc);
	for (uint64 r = 0; r < source->records; r++)
	{
		assembly_next(assembly, values, nulls);
		tuplestore_putvalues(store, desc, values, nulls);
	}
	assembly_destroy(assembly);
	pfree(values);
	pfree(nulls);
}
