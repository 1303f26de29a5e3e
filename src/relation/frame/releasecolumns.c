/*-------------------------------------------------------------------------
 *
 * releasecolumns.c
 *		Columns of a release and of its source side by side: protected ones, and copied ones.
 *
 * Pairings (pairedrelease.h) are of the protected columns; this is of any that both relations have, for measures of
 * the whole release.
 *
 * Missing codes are values only for measures that ask for the values; they never have numbers.
 *
 * Memory: eight bytes a record and column, eight a distinct number, and the distinct values where they are needed.
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

/* prepare_columns finds the columns in both files; of the other protected ones only the checksum is needed. */
static void
prepare_columns(SdcReleaseColumns *columns, SdcOpenRelease *opened, const SdcReleaseColumnsRequest *request,
				List *names)
{
	ListCell   *cell;

	columns->columns = list_length(names);
	columns->column = palloc0(sizeof(SdcReleaseColumn) * Max(columns->columns, 1));
	foreach(cell, names)
	{
		SdcReleaseColumn *column = &columns->column[foreach_current_index(cell)];

		column->name = lfirst(cell);
		column->original = find_read(opened->source, lfirst(cell));
		column->protected = find_read(opened->release, lfirst(cell));
		column->original->type.collation = sdc_type_order_collation(column->original->type.collation);
		column->type = column->original->type;
		column->kind = column->type.kind;
		check_numbers(request, column);
	}
	for (int i = 0; i < opened->source->attribute_count; i++)
		opened->source->attributes[i].summed = !sdc_names_have(names, NameStr(opened->source->attributes[i].name));
}

/* wants_values tells whether the values behind the codes of a column are needed. */
static bool
wants_values(const SdcReleaseColumnsRequest *request, const SdcReleaseColumn *column)
{
	return request->values ||
		(request->labels && column->kind == SDC_VALUE_NOMINAL && column->original->missing == NULL);
}

/* code_columns gives the values of all columns in both files common codes. */
static void
code_columns(SdcReleaseColumns *columns, SdcOpenRelease *opened, const SdcReleaseColumnsRequest *request)
{
	SdcArena	arena = {0};

	columns->records = (uint32) opened->source->records;
	sdc_progress_coding(columns->columns);
	for (int i = 0; i < columns->columns; i++)
	{
		SdcReleaseColumn *column = &columns->column[i];

		if (wants_values(request, column))
			sdc_openrelease_codes(opened, column->original, column->protected, &arena, &column->pair,
								  &column->values, NULL);
		else
			sdc_openrelease_numbers(opened, column->original, column->protected, &arena, &column->pair);
		sdc_openrelease_check_copied(opened, column->name, column->pair.original, column->pair.protected,
									 columns->records);
		sdc_progress_next();
	}
	sdc_arena_free(&arena);
}

/* load reads a release and its source in the current memory context. */
static SdcReleaseColumns *
load(const SdcReleaseColumnsRequest *request)
{
	MemoryContext context = CurrentMemoryContext;
	MemoryContext work;
	SdcReleaseColumns *columns = palloc0(sizeof(SdcReleaseColumns));
	SdcOpenRelease *opened = request->frame != NULL ? sdc_openrelease_of(request->frame) :
		sdc_openrelease_find(request->catalog_schema, request->release, false);
	List	   *names = resolve_names(request, opened);

	columns->name = opened->name;
	sdc_openrelease_weigh(opened, &request->weight);
	sdc_openrelease_plan(opened, sdc_names_without(names, opened->row.columns), NIL, names);
	prepare_columns(columns, opened, request, names);
	sdc_spi_connect();
	work = AllocSetContextCreate(context, "sdc reading columns", ALLOCSET_DEFAULT_SIZES);
	MemoryContextSwitchTo(work);
	sdc_openrelease_read(opened);
	MemoryContextSwitchTo(context);
	sdc_openrelease_weights(opened, &columns->weights);
	code_columns(columns, opened, request);
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
