/*-------------------------------------------------------------------------
 *
 * releasecolumns.c
 *		Columns of a release and of its source side by side: protected ones, and copied ones.
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
#include "relation/catalog/steps.h"
#include "relation/column/forms.h"
#include "relation/read/missing.h"
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
	(void) sdc_openrelease_find_named(opened, name, argument);
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

/* sdc_releasecolumns_begin: see releasecolumns.h. */
SdcReleaseColumns *
sdc_releasecolumns_begin(Oid catalog_schema, Oid release, SdcFrame *frame, bool unnamed,
						 const SdcWeightRequest *weight)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "sdc columns", ALLOCSET_DEFAULT_SIZES);
	MemoryContext before = MemoryContextSwitchTo(context);
	SdcReleaseColumns *columns = palloc0(sizeof(SdcReleaseColumns));

	columns->context = context;
	columns->before = before;
	columns->opened = sdc_openrelease_get(catalog_schema, release, frame, unnamed);
	columns->row = columns->opened->row;
	columns->name = columns->opened->name;
	sdc_openrelease_weigh(columns->opened, weight);
	return columns;
}

/*
 * check_type insists on the source's type, or on ranges or sets of it; numbers of a trial can be averages.  What values
 * are recoded to is compared when they are.
 */
static void
check_type(const SdcOpenRelease *opened, const SdcReleaseColumn *column)
{
	if (column->relabelled)
		return;
	if (column->facet == SDC_FACET_FORMS ?
		sdc_forms_kind(column->type.typid, column->protected->type.typid) == SDC_FORM_OTHER :
		column->protected->type.typid != column->type.typid &&
		!(column->facet == SDC_FACET_NUMBERS && column->protected->averaged))
		sdc_openrelease_refuse_type(opened);
}

/* sdc_releasecolumns_plan: of the protected columns that are not asked for only the checksum is needed. */
void
sdc_releasecolumns_plan(SdcReleaseColumns *columns, List *names, List *forms, List *release_also)
{
	SdcOpenRelease *opened = columns->opened;
	ListCell   *cell;

	sdc_openrelease_plan(opened, sdc_names_without(names, opened->row.columns), list_concat_copy(names, release_also));
	columns->columns = list_length(names);
	columns->column = palloc0(sizeof(SdcReleaseColumn) * Max(columns->columns, 1));
	foreach(cell, names)
	{
		SdcReleaseColumn *column = &columns->column[foreach_current_index(cell)];

		column->name = lfirst(cell);
		column->facet = sdc_names_have(forms, lfirst(cell)) ? SDC_FACET_FORMS : SDC_FACET_CODES;
		column->original = sdc_openrelease_attribute(opened->source, lfirst(cell));
		column->protected = sdc_openrelease_attribute(opened->release, lfirst(cell));
		column->original->type.collation = sdc_type_order_collation(column->original->type.collation);
		sdc_source_require_order(opened->source, column->original, "compared");
		column->type = column->original->type;
		column->kind = column->type.kind;
	}
	for (int i = 0; i < opened->source->attribute_count; i++)
		opened->source->attributes[i].summed = !sdc_names_have(names, NameStr(opened->source->attributes[i].name));
}

/* code_forms numbers the values of a column of the source, and what the release has instead. */
static void
code_forms(SdcReleaseColumn *column)
{
	SdcDictionary *forms = sdc_dictionary_create(&column->protected->type);
	SdcDictionaryCodes coding;
	SdcCodeList *list;

	column->values.dictionary = sdc_dictionary_create(&column->type);
	list = sdc_paircodes_rank(column->original->column, column->values.dictionary, &coding);
	column->form = sdc_paircodes_number(column->protected->column, forms);
	column->values.number = coding.number;
	column->pair = (SdcPairColumn) {list->code, NULL, coding.codes, NULL};
	if (column->kind != SDC_VALUE_NOMINAL)
		column->pair.value = sdc_paircodes_numbers(&column->type, &column->values, coding.codes);
	if (sdc_forms_kind(column->type.typid, column->protected->type.typid) == SDC_FORM_RANGE)
		column->coded = sdc_missing_flags(column->original, column->values.dictionary, &coding);
	sdc_free(coding.code);
	sdc_column_destroy(column->original->column);
	sdc_column_destroy(column->protected->column);
	column->original->column = column->protected->column = NULL;
}

/* code_numbers gives a column codes: as it was read, and if it was recoded also with the values that the source has. */
static void
code_numbers(SdcOpenRelease *opened, SdcReleaseColumn *column, SdcArena *arena)
{
	SdcType    *type = &column->original->type;

	column->recoded = column->original->rule != NULL;
	if (column->relabelled && type->typid != column->protected->type.typid)
		sdc_openrelease_refuse_type(opened);
	if (column->relabelled)
		type->collation = sdc_type_order_collation(type->collation);
	else if (column->recoded)
		sdc_column_keep(column->protected->column);
	sdc_openrelease_numbers(opened, column->original, column->protected, arena, &column->pair);
	if (!column->recoded || column->relabelled)
		return;
	sdc_openrelease_unrecode(column->original);
	sdc_openrelease_numbers(opened, column->original, column->protected, arena, &column->before);
}

/* code_column gives the values of a column in both files common codes. */
static void
code_column(const SdcReleaseColumns *columns, SdcReleaseColumn *column, SdcArena *arena)
{
	SdcOpenRelease *opened = columns->opened;

	if (column->facet == SDC_FACET_FORMS)
	{
		code_forms(column);
		return;
	}
	if (column->facet == SDC_FACET_NUMBERS)
		code_numbers(opened, column, arena);
	else
		sdc_openrelease_codes(opened, column->original, column->protected, arena, &column->pair,
							  column->facet == SDC_FACET_VALUES ? &column->values : NULL, NULL);
	sdc_openrelease_check_copied(opened, column->name, column->pair.original, column->pair.protected,
								 columns->records);
}

/* sdc_releasecolumns_read: see releasecolumns.h. */
void
sdc_releasecolumns_read(SdcReleaseColumns *columns)
{
	SdcArena	arena = {0};

	for (int i = 0; i < columns->columns; i++)
		check_type(columns->opened, &columns->column[i]);
	sdc_openrelease_load(columns->opened);
	sdc_openrelease_weights(columns->opened, &columns->weights);
	columns->records = (uint32) columns->opened->source->records;
	sdc_progress_coding(columns->columns);
	for (int i = 0; i < columns->columns; i++)
	{
		code_column(columns, &columns->column[i], &arena);
		sdc_progress_next();
	}
	sdc_arena_free(&arena);
}

/* sdc_releasecolumns_end: see releasecolumns.h. */
SdcReleaseColumns *
sdc_releasecolumns_end(SdcReleaseColumns *columns)
{
	sdc_openrelease_end(columns->opened);
	columns->opened = NULL;
	sdc_progress_evaluating(columns->records, 1);
	return columns;
}

/* sdc_releasecolumns_open reads a release and its source. */
SdcReleaseColumns *
sdc_releasecolumns_open(const SdcReleaseColumnsRequest *request)
{
	SdcReleaseColumns *columns = sdc_releasecolumns_begin(request->catalog_schema, request->release, request->frame,
														  false, &request->weight);

	sdc_releasecolumns_plan(columns, resolve_names(request, columns->opened), NIL, NIL);
	for (int i = 0; i < columns->columns; i++)
	{
		SdcReleaseColumn *column = &columns->column[i];
		bool		label = column->kind == SDC_VALUE_NOMINAL && column->original->missing == NULL;

		check_numbers(request, column);
		column->facet = request->values || (request->labels && label) ? SDC_FACET_VALUES : SDC_FACET_NUMBERS;
	}
	sdc_releasecolumns_read(columns);
	return sdc_releasecolumns_end(columns);
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
