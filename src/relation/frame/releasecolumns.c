/*-------------------------------------------------------------------------
 *
 * releasecolumns.c
 *		Columns of a release and of its source side by side: protected ones, and copied ones.
 *
 * Pairings (pairedrelease.h) are of the protected columns; this is of any that both relations have, for measures of
 * the whole release.
 *
 * Memory: eight bytes a record and column, and the distinct values of both files, with their numbers.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "access/relation.h"
#include "relation/frame/releasecolumns.h"
#include "miscadmin.h"
#include "relation/base/memory.h"
#include "relation/base/names.h"
#include "relation/base/progress.h"
#include "relation/base/spi.h"
#include "relation/catalog/steps.h"
#include "relation/read/reader.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"

#define USE "evaluating a release"

/* Columns while their relations are read. */
typedef struct Loading
{
	SdcReleaseColumns *columns;
	SdcOpenRelease *opened;
} Loading;

/* has_values tells whether a release has values of the source's type in a column, and these have an order. */
static bool
has_values(const SdcOpenRelease *opened, const List *value_columns, const char *name)
{
	const SdcReleaseRow *row = &opened->row;
	AttrNumber	number = get_attnum(row->source, name);
	AttrNumber	other = get_attnum(row->release, name);
	SdcType		type;
	Oid			typid;
	int32		typmod;
	Oid			collation;

	if (other <= 0 || (sdc_names_have(row->columns, name) && !sdc_names_have(value_columns, name)))
		return false;
	get_atttypetypmodcoll(row->source, number, &typid, &typmod, &collation);
	sdc_type_lookup(&type, typid, collation);
	return type.orderable && get_atttype(row->release, other) == typid;
}

/* all_columns lists the columns of the source that the release has with values, but the key. */
static List *
all_columns(const SdcOpenRelease *opened, const List *value_columns)
{
	Relation	rel = sdc_source_open(opened->row.source, AccessShareLock);
	TupleDesc	desc = RelationGetDescr(rel);
	List	   *names = NIL;

	for (int i = 0; i < desc->natts; i++)
	{
		Form_pg_attribute att = TupleDescAttr(desc, i);
		char	   *name = NameStr(att->attname);

		if (!att->attisdropped && !sdc_names_have(opened->row.key, name) &&
			has_values(opened, value_columns, name))
			names = lappend(names, pstrdup(name));
	}
	relation_close(rel, NoLock);
	return names;
}

/* check_named insists on a column that a release and its source have alike. */
static void
check_named(const SdcOpenRelease *opened, const List *value_columns, const char *name,
			const char *argument)
{
	(void) sdc_source_find_column(opened->row.source, name, argument);
	if (sdc_names_have(opened->row.key, name))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("column \"%s\" cannot be named in argument \"%s\", it is part of the key",
						name, argument)));
	(void) sdc_source_find_column(opened->row.release, name, argument);
	if (!has_values(opened, value_columns, name))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("column \"%s\" of release \"%s\" cannot be named in argument \"%s\"",
						name, opened->name, argument),
				 errdetail("It does not have the values of its source, or these have no order.")));
}

/* resolve_names decides which columns are read. */
static List *
resolve_names(const SdcReleaseColumnsRequest *request, const SdcOpenRelease *opened)
{
	List	   *value_columns = sdc_steps_value_columns(&opened->row);
	ListCell   *cell;

	if (!request->given)
		return all_columns(opened, value_columns);
	foreach(cell, request->names)
		check_named(opened, value_columns, lfirst(cell), request->first != NULL &&
					foreach_current_index(cell) == 0 ? request->first : request->argument);
	if (request->measure == NULL || sdc_names_have(request->names, request->measure))
		return request->names;
	check_named(opened, value_columns, request->measure, "measure");
	return lappend(list_copy(request->names), unconstify(char *, request->measure));
}

/* check_numbers insists on numbers where they are asked for; times have differences, but no sum. */
static void
check_numbers(const SdcReleaseColumnsRequest *request, const SdcReleaseColumn *column)
{
	bool		measure = request->measure != NULL && strcmp(request->measure, column->name) == 0;

	if (measure ? column->kind == SDC_VALUE_NUMBER : !request->numbers || column->kind != SDC_VALUE_NOMINAL)
		return;
	ereport(ERROR,
			(errcode(ERRCODE_DATATYPE_MISMATCH),
			 errmsg("column \"%s\" has no numbers", column->name),
			 errdetail("Its type is %s.", format_type_be(column->type.typid)),
			 measure ? errhint("Name a column of numbers in argument \"measure\".") :
			 errhint("Name columns of numbers, dates or times.")));
}

/* find_read returns an attribute of a planned relation by name. */
static SdcAttribute *
find_read(SdcSource *source, const char *name)
{
	return &source->attributes[sdc_source_find_attribute(source, name, "columns")];
}

/* prepare_columns says where the values of the columns go in both files. */
static void
prepare_columns(Loading *loading, const SdcReleaseColumnsRequest *request, List *names)
{
	SdcReleaseColumns *columns = loading->columns;
	SdcSource  *source = loading->opened->source;
	ListCell   *cell;

	columns->columns = list_length(names);
	columns->column = palloc0(sizeof(SdcReleaseColumn) * Max(columns->columns, 1));
	foreach(cell, names)
	{
		SdcReleaseColumn *column = &columns->column[foreach_current_index(cell)];
		SdcAttribute *original = find_read(source, lfirst(cell));
		SdcAttribute *protected = find_read(loading->opened->release, lfirst(cell));

		column->name = lfirst(cell);
		original->type.collation = sdc_type_order_collation(original->type.collation);
		column->type = original->type;
		column->kind = sdc_value_kind(&column->type);
		check_numbers(request, column);
		column->dictionary = sdc_dictionary_create(&column->type);
		column->original = original->codes = sdc_codelist_create(column->dictionary);
		column->protected = protected->codes = sdc_codelist_create(column->dictionary);
	}
	for (int i = 0; i < source->attribute_count; i++)
		source->attributes[i].summed = source->attributes[i].codes == NULL;
}

/* loading_memory returns the bytes that are taken by so many records. */
static uint64
loading_memory(const Loading *loading, uint64 records)
{
	const SdcReleaseColumns *columns = loading->columns;
	uint64		bytes = 0;

	for (int i = 0; i < columns->columns; i++)
	{
		const SdcReleaseColumn *column = &columns->column[i];

		/* and codes, numbers, and the number behind each */
		bytes += 2 * records * sizeof(uint32) + sdc_dictionary_memory(column->dictionary) +
			sdc_dictionary_count(column->dictionary) * (2 * sizeof(uint32) + sizeof(double));
	}
	return bytes;
}

/* require_memory is asked before anything is read. */
static void
require_memory(void *arg, const SdcReleaseRow *row)
{
	Loading    *loading = arg;

	sdc_memory_expect(loading_memory(loading, row->records), USE);
	for (int i = 0; i < loading->columns->columns; i++)
	{
		sdc_codelist_reserve(loading->columns->column[i].original, row->records);
		sdc_codelist_reserve(loading->columns->column[i].protected, row->records);
	}
}

/*
 * watch_memory raises an error when the distinct values use the budget up.  How many there will be is not known, but
 * that there are many: so it asks for more than there are by now.
 */
static void
watch_memory(void *arg)
{
	Loading    *loading = arg;
	uint64		records = loading->opened->row.records;
	uint64		fixed = 2 * records * sizeof(uint32) * (uint64) loading->columns->columns;
	uint64		bytes = loading_memory(loading, records);

	if (bytes > sdc_memory_budget())
		sdc_memory_expect(fixed + 2 * (bytes - fixed), USE);
}

/* rank_column replaces numbers by codes, and finds the number behind each. */
static void
rank_column(const Loading *loading, SdcReleaseColumn *column)
{
	double	   *value = NULL;

	sdc_dictionary_codes(column->dictionary, &column->coding);
	sdc_codelist_rank(column->original, &column->coding);
	sdc_codelist_rank(column->protected, &column->coding);
	sdc_openrelease_check_copied(loading->opened, column->name, column->original->code, column->protected->code,
								 column->original->count);
	if (column->kind != SDC_VALUE_NOMINAL)
	{
		value = sdc_memory_array(column->coding.codes, sizeof(double));
		for (uint32 code = 0; code < column->coding.codes; code++)
		{
			CHECK_FOR_INTERRUPTS();
			value[code] = sdc_value_number(&column->type,
										   sdc_dictionary_value(column->dictionary,
																column->coding.number[code]));
		}
	}
	column->pair.original = column->original->code;
	column->pair.protected = column->protected->code;
	column->pair.codes = column->coding.codes;
	column->pair.value = value;
}

/* load reads a release and its source in the current memory context. */
static SdcReleaseColumns *
load(const SdcReleaseColumnsRequest *request)
{
	MemoryContext context = CurrentMemoryContext;
	MemoryContext work;
	SdcReleaseColumns *columns = palloc0(sizeof(SdcReleaseColumns));
	SdcOpenRelease *opened = sdc_openrelease_find(request->catalog_schema, request->release, false);
	Loading		loading = {columns, opened};
	List	   *names = resolve_names(request, opened);

	columns->name = opened->name;
	sdc_openrelease_plan(opened, sdc_names_without(names, opened->row.columns), NIL, names);
	prepare_columns(&loading, request, names);
	opened->source->watch = opened->release->watch = watch_memory;
	opened->source->watch_arg = opened->release->watch_arg = &loading;
	sdc_spi_connect();
	work = AllocSetContextCreate(context, "sdc reading columns", ALLOCSET_DEFAULT_SIZES);
	MemoryContextSwitchTo(work);
	sdc_openrelease_read(opened, require_memory, &loading);
	MemoryContextSwitchTo(context);
	columns->records = (uint32) opened->source->records;
	sdc_progress_coding(columns->columns);
	for (int i = 0; i < columns->columns; i++)
	{
		rank_column(&loading, &columns->column[i]);
		sdc_progress_next();
	}
	columns->memory = loading_memory(&loading, columns->records);
	sdc_openrelease_close(opened);
	MemoryContextDelete(work);
	sdc_spi_finish();
	return columns;
}

/* sdc_releasecolumns_open reads a release and its source. */
SdcReleaseColumns *
sdc_releasecolumns_open(const SdcReleaseColumnsRequest *request)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "sdc columns",
												  ALLOCSET_DEFAULT_SIZES);
	MemoryContext before = MemoryContextSwitchTo(context);
	SdcReleaseColumns *columns = load(request);

	columns->context = context;
	columns->before = before;
	sdc_progress_evaluating(columns->records, 1);
	return columns;
}

/* sdc_releasecolumns_close frees everything. */
void
sdc_releasecolumns_close(SdcReleaseColumns *columns)
{
	MemoryContext context = columns->context;

	sdc_progress_end();
	MemoryContextSwitchTo(columns->before);
	MemoryContextDelete(context);
}

/* sdc_releasecolumns_values: see releasecolumns.h. */
double *
sdc_releasecolumns_values(const SdcReleaseColumns *columns, int number, bool protected)
{
	const SdcPairColumn *pair = &columns->column[number].pair;
	const uint32 *code = protected ? pair->protected : pair->original;
	double	   *value = sdc_memory_array(columns->records, sizeof(double));

	for (uint32 r = 0; r < columns->records; r++)
	{
		sdc_interrupts_step(r);
		value[r] = sdc_pairs_value(pair, code[r]);
	}
	return value;
}
