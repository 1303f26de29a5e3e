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
#include "relation/base/memory.h"
#include "relation/base/names.h"
#include "relation/catalog/steps.h"
#include "relation/column/grouprecords.h"
#include "relation/frame/codedforms.h"
#include "relation/frame/codedrelease.h"
#include "relation/rights/label.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"

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

		if (sdc_names_have(step->relabelled, lfirst(cell)) ||
			(sdc_parameters_has(step->parameters, SDC_PARAMETER_HIERARCHIES) && !sdc_steps_keeps(step, lfirst(cell))))
			columns = lappend(columns, lfirst(cell));
	}
	return columns;
}

/* check_roles insists that named columns are in the source, have values that are counted, and play one part only. */
static void
check_roles(const SdcOpenRelease *opened, const List *names, const char *argument)
{
	List	   *relabelled = opened->recoded ? NIL : relabelled_columns(&opened->row);
	ListCell   *cell;

	foreach(cell, names)
	{
		const char *name = lfirst(cell);

		(void) sdc_openrelease_find_named(opened, name, argument);
		if (!OidIsValid(sdc_openrelease_type(opened, name)))
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
		SdcType		type;

		if (att->attisdropped || sdc_names_have(row->key, name) || sdc_names_have(row->columns, name) ||
			sdc_names_have(row->strata, name) || sdc_names_have(row->unit, name) || sdc_names_have(qi, name))
			continue;
		if (sdc_openrelease_type(opened, name) != att->atttypid)
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
	*qi = sdc_openrelease_in_order(opened, *qi);
	*sensitive = sdc_openrelease_in_order(opened, *sensitive);
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

/* read_groups numbers the groups of a release in the order of its records. */
static void
read_groups(SdcCodedRelease *coded)
{
	SdcAttribute *attribute = sdc_openrelease_attribute(coded->opened->release, SDC_GROUP_COLUMN);
	SdcDictionary *dictionary = sdc_dictionary_create(&attribute->type);
	SdcCodeList *list = sdc_paircodes_number(attribute->column, dictionary);

	for (uint32 r = 0; r < coded->records; r++)
		if (list->code[r] == SDC_CODE_NULL)
			sdc_openrelease_refuse(psprintf("a record of release \"%s\" has no group", coded->name));
	coded->group = list->code;
	coded->groups = sdc_dictionary_count(dictionary);
	sdc_dictionary_destroy(dictionary);
	sdc_column_destroy(attribute->column);
	attribute->column = NULL;
}

/* check_group_column insists that a release with groups still has their column. */
static void
check_group_column(const SdcOpenRelease *opened)
{
	if (sdc_openrelease_type(opened, SDC_GROUP_COLUMN) != INT4OID)
		sdc_openrelease_refuse(psprintf("release \"%s\" has lost columns that it was made with",
										opened->name));
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

/* sdc_codedrelease_open reads a release and its source. */
SdcCodedRelease *
sdc_codedrelease_open(const SdcCodedReleaseRequest *request)
{
	SdcCodedRelease *coded = sdc_releasecolumns_begin(request->catalog_schema, request->release, request->frame,
													  request->unnamed, &request->weight);
	List	   *qi;
	List	   *sensitive;
	List	   *generalized;
	bool		grouped;

	coded->opened->recoded = request->recoded;
	resolve_roles(request, coded->opened, &qi, &sensitive);
	if (request->needs_sensitive && sensitive == NIL)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("release \"%s\" has no sensitive column", coded->name),
				 errhint("Name columns in argument \"sensitive\", or classify one before the release is made.")));
	coded->kind = comparison_kind(coded->opened, qi, sensitive, &generalized);
	grouped = coded->kind != SDC_QUERY_PLAIN;
	if (grouped)
		check_group_column(coded->opened);
	sdc_releasecolumns_plan(coded, list_concat_copy(qi, sensitive), generalized,
							grouped ? list_make1(SDC_GROUP_COLUMN) : NIL);
	coded->qi_count = list_length(qi);
	coded->qi = coded->column;
	coded->sensitive_count = list_length(sensitive);
	coded->sensitive = coded->column + coded->qi_count;
	for (int i = 0; i < coded->columns; i++)
	{
		if (request->values && coded->column[i].facet == SDC_FACET_CODES)
			coded->column[i].facet = SDC_FACET_VALUES;
		coded->column[i].relabelled = request->recoded &&
			sdc_names_have(relabelled_columns(&coded->opened->row), coded->column[i].name);
	}
	sdc_releasecolumns_read(coded);
	coded->units = request->units ? keep_units(coded->opened->source->units) : NULL;
	if (grouped)
		read_groups(coded);
	if (coded->kind == SDC_QUERY_GENERALIZED)
		sdc_codedforms_sets(coded);
	return sdc_releasecolumns_end(coded);
}

/* sdc_codedrelease_close frees everything. */
void
sdc_codedrelease_close(SdcCodedRelease *coded)
{
	sdc_releasecolumns_close(coded);
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
