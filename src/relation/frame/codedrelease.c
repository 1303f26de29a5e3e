/*-------------------------------------------------------------------------
 *
 * codedrelease.c
 *		A release and its source by quasi-identifiers and sensitive attributes, as codes.
 *
 * Memory: eight bytes a record and attribute, eight a distinct number, the distinct values where they are needed, and
 * what ranges and sets contain (codedforms.h).
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/relation.h"
#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "nodes/bitmapset.h"
#include "relation/base/memory.h"
#include "relation/base/names.h"
#include "relation/base/progress.h"
#include "relation/base/spi.h"
#include "relation/catalog/steps.h"
#include "relation/column/forms.h"
#include "relation/column/grouprecords.h"
#include "relation/frame/codedforms.h"
#include "relation/frame/codedrelease.h"
#include "relation/read/missing.h"
#include "relation/read/reader.h"
#include "relation/rights/label.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"

/* A comparison while its relations are read. */
typedef struct Loading
{
	SdcCodedRelease *coded;
	SdcOpenRelease *opened;
	List	   *generalized;	/* columns of which the release has ranges or sets, char * */
} Loading;

/*
 * relabelled_columns lists the columns that were recoded to ranges or labels, or have those of hierarchies: no group
 * shows the values of its records.
 */
static List *
relabelled_columns(const SdcReleaseRow *row)
{
	List	   *steps = sdc_steps_of(row);
	List	   *columns = NIL;
	ListCell   *cell;

	foreach(cell, row->columns)
	{
		const SdcStep *step = sdc_steps_find(steps, lfirst(cell));

		if ((step->method->tells == SDC_TELLS_FUNCTION ||
			 sdc_parameters_has(step->parameters, SDC_PARAMETER_HIERARCHIES)) &&
			!sdc_steps_keeps(step, lfirst(cell)))
			columns = lappend(columns, lfirst(cell));
	}
	return columns;
}

/* check_roles insists that named columns are in the source, have values that are counted, and play one part only. */
static void
check_roles(const SdcOpenRelease *opened, const List *names, const char *argument)
{
	const SdcReleaseRow *row = &opened->row;
	List	   *relabelled = relabelled_columns(row);
	ListCell   *cell;

	foreach(cell, names)
	{
		const char *name = lfirst(cell);

		(void) sdc_source_find_column(row->source, name, argument);
		if (sdc_names_have(row->key, name))
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("column \"%s\" cannot be named in argument \"%s\", it is part of the key",
							name, argument)));
		if (get_attnum(row->release, name) <= 0)
			ereport(ERROR,
					(errcode(ERRCODE_UNDEFINED_COLUMN),
					 errmsg("column \"%s\" of relation \"%s\" does not exist", name, opened->name),
					 errdetail("It is named in argument \"%s\".", argument)));
		if (sdc_names_have(relabelled, name))
			ereport(ERROR,
					(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
					 errmsg("column \"%s\" of release \"%s\" cannot be named in argument \"%s\"", name, opened->name,
							argument),
					 errdetail("It was recoded, and has ranges or labels in the place of values."),
					 errhint("Count them in the release itself.")));
	}
}

/*
 * copied_columns lists the columns that the release has as the source, and that form no group: those
 * that are classified as sensitive, or else those that are not classified.
 */
static List *
copied_columns(const SdcOpenRelease *opened, const List *qi)
{
	const SdcReleaseRow *row = &opened->row;
	Relation	rel = sdc_source_open(row->source, AccessShareLock);
	TupleDesc	desc = RelationGetDescr(rel);
	SdcRole    *roles = sdc_label_roles(row->source, NULL);
	List	   *sensitive = NIL;
	List	   *others = NIL;

	for (int i = 0; i < desc->natts; i++)
	{
		Form_pg_attribute att = TupleDescAttr(desc, i);
		char	   *name = NameStr(att->attname);
		AttrNumber	number;
		SdcType		type;

		if (att->attisdropped || sdc_names_have(row->key, name) || sdc_names_have(row->columns, name) ||
			sdc_names_have(row->strata, name) || sdc_names_have(row->unit, name) || sdc_names_have(qi, name))
			continue;
		number = get_attnum(row->release, name);
		if (number <= 0 || get_atttype(row->release, number) != att->atttypid)
			continue;
		sdc_type_lookup(&type, att->atttypid, att->attcollation);
		if (type.orderable && roles[i] == SDC_ROLE_SENSITIVE)
			sensitive = lappend(sensitive, pstrdup(name));
		else if (type.orderable && roles[i] == SDC_ROLE_NONE)
			others = lappend(others, pstrdup(name));
	}
	relation_close(rel, NoLock);
	return sensitive != NIL ? sensitive : others;
}

/* in_column_order returns names in the order of the columns of a relation. */
static List *
in_column_order(Oid relid, const List *names)
{
	List	   *ordered = NIL;
	ListCell   *cell;
	Bitmapset  *numbers = NULL;
	int			number = -1;

	foreach(cell, names)
		numbers = bms_add_member(numbers, get_attnum(relid, lfirst(cell)));
	while ((number = bms_next_member(numbers, number)) >= 0)
		ordered = lappend(ordered, get_attname(relid, (AttrNumber) number, false));
	return ordered;
}

/* resolve_roles decides which columns are quasi-identifiers and which are sensitive. */
static void
resolve_roles(const SdcCodedReleaseRequest *request, const SdcOpenRelease *opened, List **qi,
			  List **sensitive)
{
	const SdcReleaseRow *row = &opened->row;

	*sensitive = request->sensitive_given ? request->sensitive :
		sdc_names_without(sdc_names_without(row->sensitive, request->qi), relabelled_columns(row));
	if (request->qi_given)
		*qi = request->qi;
	else
		*qi = sdc_names_without(sdc_names_without(row->qi != NIL ? row->qi : row->columns, *sensitive),
								relabelled_columns(row));
	if (*sensitive == NIL && !request->sensitive_given)
		*sensitive = copied_columns(opened, *qi);
	check_roles(opened, *qi, "qi");
	check_roles(opened, *sensitive, "sensitive");
	/* however they are named: the same queries are asked of all releases of a source */
	*qi = in_column_order(row->source, *qi);
	*sensitive = in_column_order(row->source, *sensitive);
	sdc_names_check_roles(*qi, *sensitive);
	if (*qi == NIL)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("release \"%s\" has no quasi-identifier", opened->name),
				 errhint("Name columns in argument \"qi\".")));
}

/* any_name tells whether two lists have a name in common. */
static bool
any_name(const List *names, const List *others)
{
	return list_length(sdc_names_without(names, others)) < list_length(names);
}

/*
 * comparison_kind tells how counts are estimated from a release: by its groups only where an
 * attribute that is asked for was generalized or permuted in them.
 */
static SdcQueryKind
comparison_kind(const SdcOpenRelease *opened, const List *qi, const List *sensitive, List **generalized)
{
	const SdcReleaseRow *row = &opened->row;
	const SdcStep *step = row->made ? sdc_steps_with_groups(sdc_steps_of(row)) : NULL;
	ListCell   *cell;

	*generalized = NIL;
	if (step == NULL)
		return SDC_QUERY_PLAIN;
	if (step->method->groups == SDC_GROUPS_PERMUTED)
		return any_name(sensitive, step->columns) ? SDC_QUERY_PERMUTED : SDC_QUERY_PLAIN;
	foreach(cell, sensitive)
		if (sdc_names_have(step->columns, lfirst(cell)))
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("column \"%s\" cannot be sensitive, it is generalized in release \"%s\"",
							(char *) lfirst(cell), opened->name)));
	if (!any_name(qi, step->columns))
		return SDC_QUERY_PLAIN;
	*generalized = step->columns;
	return SDC_QUERY_GENERALIZED;
}

/* find_read returns an attribute of a planned relation by name. */
static SdcAttribute *
find_read(SdcSource *source, const char *name)
{
	return &source->attributes[sdc_source_find_attribute(source, name, "columns")];
}

/* prepare_column finds a column in both files; with generalized not set its values must have one type. */
static void
prepare_column(Loading *loading, const char *name, bool generalized, SdcComparedColumn *column)
{
	SdcOpenRelease *opened = loading->opened;
	SdcAttribute *original = find_read(opened->source, name);
	SdcAttribute *protected = find_read(opened->release, name);

	original->type.collation = sdc_type_order_collation(original->type.collation);
	sdc_source_require_order(opened->source, original, "compared");
	column->name = name;
	column->type = original->type;
	column->kind = original->type.kind;
	column->generalized = generalized;
	column->original = original;
	column->protected = protected;
	if (generalized ? sdc_forms_kind(original->type.typid, protected->type.typid) == SDC_FORM_OTHER :
		protected->type.typid != original->type.typid)
		sdc_openrelease_refuse_type(opened);
}

/* prepare_columns does so for all; of the protected columns that are not compared only the checksum is needed. */
static void
prepare_columns(Loading *loading, List *qi, List *sensitive)
{
	SdcCodedRelease *coded = loading->coded;
	SdcSource  *source = loading->opened->source;
	ListCell   *cell;

	foreach(cell, qi)
		prepare_column(loading, lfirst(cell), sdc_names_have(loading->generalized, lfirst(cell)),
					   &coded->qi[foreach_current_index(cell)]);
	foreach(cell, sensitive)
		prepare_column(loading, lfirst(cell), false,
					   &coded->sensitive[foreach_current_index(cell)]);
	for (int i = 0; i < source->attribute_count; i++)
		source->attributes[i].summed = !sdc_names_have(qi, NameStr(source->attributes[i].name)) &&
			!sdc_names_have(sensitive, NameStr(source->attributes[i].name));
}

/* The columns of a coded release one after the other. */
static SdcComparedColumn *
nth_column(const SdcCodedRelease *coded, int i)
{
	return i < coded->qi_count ? &coded->qi[i] :
		&coded->sensitive[i - coded->qi_count];
}

/* give_back gives back the column of an attribute that was read. */
static void
give_back(SdcAttribute *attribute)
{
	sdc_column_destroy(attribute->column);
	attribute->column = NULL;
}

/* code_generalized numbers the values of a generalized column of the source, and what the release has instead. */
static void
code_generalized(SdcComparedColumn *column)
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
	give_back(column->original);
	give_back(column->protected);
}

/* code_column gives the values of a column in both files common codes. */
static void
code_column(Loading *loading, SdcArena *arena, bool values, SdcComparedColumn *column)
{
	SdcCodedRelease *coded = loading->coded;

	if (column->generalized)
	{
		code_generalized(column);
		return;
	}
	sdc_openrelease_codes(loading->opened, column->original, column->protected, arena,
						  &column->pair, values ? &column->values : NULL, NULL);
	sdc_openrelease_check_copied(loading->opened, column->name, column->pair.original, column->pair.protected,
								 coded->records);
}

/* read_groups numbers the groups of a release in the order of its records. */
static void
read_groups(Loading *loading)
{
	SdcCodedRelease *coded = loading->coded;
	SdcAttribute *attribute = find_read(loading->opened->release, SDC_GROUP_COLUMN);
	SdcDictionary *dictionary = sdc_dictionary_create(&attribute->type);
	SdcCodeList *list = sdc_paircodes_number(attribute->column, dictionary);

	for (uint32 r = 0; r < coded->records; r++)
		if (list->code[r] == SDC_CODE_NULL)
			sdc_openrelease_refuse(psprintf("a record of release \"%s\" has no group", coded->name));
	coded->group = list->code;
	coded->groups = sdc_dictionary_count(dictionary);
	sdc_dictionary_destroy(dictionary);
	give_back(attribute);
}

/* code_columns finds the codes of all columns. */
static void
code_columns(Loading *loading, bool values)
{
	SdcCodedRelease *coded = loading->coded;
	int			columns = coded->qi_count + coded->sensitive_count;
	SdcArena	arena = {0};

	coded->records = (uint32) loading->opened->source->records;
	sdc_progress_coding(columns);
	for (int i = 0; i < columns; i++)
	{
		code_column(loading, &arena, values, nth_column(coded, i));
		sdc_progress_next();
	}
	sdc_arena_free(&arena);
	if (coded->kind != SDC_QUERY_PLAIN)
		read_groups(loading);
	if (coded->kind == SDC_QUERY_GENERALIZED)
		sdc_codedforms_sets(coded);
}

/* check_group_column insists that a release with groups still has their column. */
static void
check_group_column(const SdcOpenRelease *opened)
{
	AttrNumber	number = get_attnum(opened->row.release, SDC_GROUP_COLUMN);

	if (number <= 0 || get_atttype(opened->row.release, number) != INT4OID)
		sdc_openrelease_refuse(psprintf("release \"%s\" has lost columns that it was made with",
										opened->name));
}

/* comparison_create finds the release and what is compared. */
static SdcCodedRelease *
comparison_create(const SdcCodedReleaseRequest *request, Loading *loading, List **qi,
				  List **sensitive)
{
	SdcCodedRelease *coded = palloc0(sizeof(SdcCodedRelease));
	SdcOpenRelease *opened = request->frame != NULL ? sdc_openrelease_of(request->frame) :
		sdc_openrelease_find(request->catalog_schema, request->release, request->unnamed);

	loading->coded = coded;
	loading->opened = opened;
	coded->row = opened->row;
	coded->name = opened->name;
	sdc_openrelease_weigh(opened, &request->weight);
	resolve_roles(request, opened, qi, sensitive);
	coded->kind = comparison_kind(opened, *qi, *sensitive, &loading->generalized);
	if (coded->kind != SDC_QUERY_PLAIN)
		check_group_column(opened);
	coded->qi_count = list_length(*qi);
	coded->qi = palloc0(sizeof(SdcComparedColumn) * Max(coded->qi_count, 1));
	coded->sensitive_count = list_length(*sensitive);
	coded->sensitive = palloc0(sizeof(SdcComparedColumn) * Max(coded->sensitive_count, 1));
	return coded;
}

/* keep_units returns units in the current memory context: what was read is gone when they are asked for. */
static const SdcUnits *
keep_units(const SdcUnits *read)
{
	SdcUnits   *units;
	SdcGroupRecords members;
	uint32	   *of;

	if (read == NULL || read->count == read->records)
		return NULL;
	units = palloc(sizeof(SdcUnits));
	*units = *read;
	units->of = of = sdc_memory_array(read->records, sizeof(uint32));
	memcpy(of, read->of, sizeof(uint32) * read->records);
	sdc_grouprecords_list(of, read->records, read->count, &members);
	units->start = members.start;
	units->member = members.member;
	return units;
}

/* load reads a release and its source in the current memory context. */
static SdcCodedRelease *
load(const SdcCodedReleaseRequest *request)
{
	MemoryContext context = CurrentMemoryContext;
	MemoryContext work;
	Loading		loading = {0};
	List	   *qi;
	List	   *sensitive;
	List	   *both;
	SdcCodedRelease *coded = comparison_create(request, &loading, &qi, &sensitive);
	SdcOpenRelease *opened = loading.opened;

	both = list_concat_copy(qi, sensitive);
	sdc_openrelease_plan(opened, sdc_names_without(both, opened->row.columns), NIL,
						 coded->kind == SDC_QUERY_PLAIN ? both : lappend(list_copy(both), SDC_GROUP_COLUMN));
	prepare_columns(&loading, qi, sensitive);
	sdc_spi_connect();
	work = AllocSetContextCreate(context, "sdc coded", ALLOCSET_DEFAULT_SIZES);
	MemoryContextSwitchTo(work);
	sdc_openrelease_read(opened);
	MemoryContextSwitchTo(context);
	sdc_openrelease_weights(opened, &coded->weights);
	coded->units = request->units ? keep_units(opened->source->units) : NULL;
	code_columns(&loading, request->values);
	sdc_openrelease_close(opened);
	MemoryContextDelete(work);
	sdc_spi_finish();
	return coded;
}

/* sdc_codedrelease_open reads a release and its source. */
SdcCodedRelease *
sdc_codedrelease_open(const SdcCodedReleaseRequest *request)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "sdc compare",
												  ALLOCSET_DEFAULT_SIZES);
	MemoryContext before = MemoryContextSwitchTo(context);
	SdcCodedRelease *coded = load(request);

	coded->context = context;
	coded->before = before;
	sdc_progress_evaluating(coded->records, 1);
	return coded;
}

/* sdc_codedrelease_close frees everything. */
void
sdc_codedrelease_close(SdcCodedRelease *coded)
{
	MemoryContext context = coded->context;

	sdc_progress_end();
	MemoryContextSwitchTo(coded->before);
	MemoryContextDelete(context);
}

/* sdc_codedrelease_certain returns what a generalized release says for certain. */
uint32 *
sdc_codedrelease_certain(const SdcCodedRelease *coded, const SdcComparedColumn *column)
{
	uint32	   *result = sdc_memory_array(coded->records, sizeof(uint32));

	for (uint32 r = 0; r < coded->records; r++)
	{
		const SdcQuerySet *set = &column->set[coded->group[r]];

		result[r] = set->count == 1 ? column->element[set->first] : SDC_CODE_NULL;
	}
	return result;
}
