/*-------------------------------------------------------------------------
 *
 * permute.c
 *		Permuting the values of a sensitive attribute within groups of records.
 *
 * X. Xiao, Y. Tao, "Anatomy: simple and effective privacy preservation" (VLDB 2006).  The release
 * has the quasi-identifiers as they are, the number of the group, and the sensitive values in a random
 * order within their group.  So the rows of the table, too, do not tell who has which value.
 * Two views have what is published: quasi-identifiers and group of every record, and how many
 * records of every group have which sensitive value.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/namespace.h"
#include "catalog/pg_class.h"
#include "catalog/pg_type.h"
#include "commands/defrem.h"
#include "kernel/groups/anatomy.h"
#include "method/groups/permute.h"
#include "miscadmin.h"
#include "relation/base/compat.h"
#include "relation/base/memory.h"
#include "relation/base/names.h"
#include "relation/base/progress.h"
#include "relation/base/spi.h"
#include "relation/catalog/catalog.h"
#include "relation/catalog/steps.h"
#include "relation/column/donate.h"
#include "relation/write/dependents.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

#define PURPOSE_PERMUTATION "permutation"

/* The column of the sensitive view that counts; another name where that is taken. */
#define COUNT_COLUMN "records"
#define COUNT_COLUMN_OTHER "count"

/* The two views of a release. */
#define VIEWS 2
static const char *const view_suffix[VIEWS] = {"qi", "sensitive"};

/* view_name returns the unquoted name of a view of a release. */
static char *
view_name(const SdcTarget *target, int view)
{
	return makeObjectName(target->name, NULL, view_suffix[view]);
}

/* is_view_of tells whether a relation is a view that reads a table, and whose owner the caller is. */
static bool
is_view_of(Oid view, Oid table)
{
	Oid			types[2] = {OIDOID, OIDOID};
	Datum		values[2] = {ObjectIdGetDatum(view), ObjectIdGetDatum(table)};
	bool		found;

	if (get_rel_relkind(view) != RELKIND_VIEW || !sdc_is_relation_owner(view, GetUserId()))
		return false;
	sdc_spi_connect();
	sdc_spi_run_args("SELECT FROM pg_catalog.pg_rewrite AS r JOIN pg_catalog.pg_depend AS d"
					 " ON d.classid OPERATOR(pg_catalog.=) 'pg_catalog.pg_rewrite'::pg_catalog.regclass"
					 " AND d.objid OPERATOR(pg_catalog.=) r.oid"
					 " WHERE r.ev_class OPERATOR(pg_catalog.=) $1"
					 " AND d.refobjid OPERATOR(pg_catalog.=) $2",
					 SPI_OK_SELECT, 2, types, values, NULL);
	found = sdc_spi_rows() > 0;
	sdc_spi_finish();
	return found;
}

/*
 * check_views insists that the views can be made: nothing else has their names.  The views of
 * a release that is replaced stay with what they show, or go with its table.
 */
static void
check_views(SdcTarget *target)
{
	Oid			namespace = get_namespace_oid(target->schema, false);

	for (int i = 0; i < VIEWS; i++)
	{
		char	   *name = view_name(target, i);
		Oid			existing = get_relname_relid(name, namespace);

		if (!OidIsValid(existing))
			continue;
		if (!OidIsValid(target->replaced) || !is_view_of(existing, target->replaced))
			ereport(ERROR,
					(errcode(ERRCODE_DUPLICATE_TABLE),
					 errmsg("relation \"%s\" already exists", name),
					 errdetail("A release by sdc_permute has a view of this name."),
					 errhint("Name another target.")));
		target->views = lappend_oid(target->views, existing);
	}
}

/* shows_same tells whether the views of a release that is replaced show the same as the new ones. */
static bool
shows_same(const SdcMethodStep *step, Oid catalog_schema, Oid replaced)
{
	SdcReleaseRow row;
	const SdcStep *before;

	if (!sdc_catalog_get(catalog_schema, replaced, &row))
		return false;
	before = sdc_steps_only(sdc_steps_of(&row), step->method->name);
	return before != NULL && sdc_names_equal(before->qi, step->qi) &&
		sdc_names_equal(before->sensitive, step->sensitive);
}

/* check_plan checks the request against the plan. */
static void
check_plan(SdcMethodStep *step, SdcSource *source, Oid catalog_schema, SdcTarget *target)
{
	sdc_partition_check(step->arguments, source);
	if (target == NULL)
		return;
	check_views(target);
	target->views_go = OidIsValid(target->replaced) &&
		!shows_same(step, catalog_schema, target->replaced);
}

/* protect permutes the sensitive attribute. */
static void
protect(SdcMethodStep *step, SdcSource *source, SdcSpool *spool, SdcRandom *random)
{
	const SdcPartitionRequest *request = step->arguments;
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "sdc permutation",
												  ALLOCSET_DEFAULT_SIZES);
	MemoryContext old = MemoryContextSwitchTo(context);
	SdcAttribute *attribute = &source->attributes[
		sdc_source_find_attribute(source, request->sensitive, "sensitive")];
	SdcPartition *partition = sdc_partition_make(request, source, spool, random);
	uint32	   *donor = sdc_memory_array(partition->records, sizeof(uint32));
	SdcColumn  *result;

	source->group = sdc_partition_column(partition, spool);
	sdc_anatomy_donors(sdc_random_start(random, request->sensitive, PURPOSE_PERMUTATION, 0),
					   partition->group, partition->groups, partition->records, donor);
	sdc_random_verify(random);
	result = sdc_donate_column(attribute->column, &attribute->type, donor, spool,
							   sdc_memory_held(), &attribute->changed);
	sdc_column_destroy(attribute->column);
	attribute->column = result;
	MemoryContextSwitchTo(old);
	MemoryContextDelete(context);
	sdc_progress_next();
}

/* view_statement builds the statement that makes a view. */
static char *
view_statement(const SdcPartitionRequest *request, const SdcTarget *target, int view)
{
	StringInfoData sql;
	const char *group = quote_identifier(SDC_GROUP_COLUMN);
	ListCell   *cell;

	initStringInfo(&sql);
	appendStringInfo(&sql, "CREATE VIEW %s AS SELECT release.%s",
					 sdc_spi_qualified_name(target->schema, view_name(target, view)), group);
	if (view == 0)
		foreach(cell, request->qi)
			appendStringInfo(&sql, ", release.%s", quote_identifier(lfirst(cell)));
	else
	{
		const char *sensitive = quote_identifier(request->sensitive);
		const char *count = strcmp(request->sensitive, COUNT_COLUMN) == 0 ?
			COUNT_COLUMN_OTHER : COUNT_COLUMN;

		appendStringInfo(&sql, ", release.%s, pg_catalog.count(*) AS %s", sensitive, count);
	}
	appendStringInfo(&sql, " FROM %s AS release",
					 sdc_spi_qualified_name(target->schema, target->name));
	if (view == 1)
		appendStringInfo(&sql, " GROUP BY release.%s, release.%s", group,
						 quote_identifier(request->sensitive));
	return sql.data;
}

/*
 * finish makes the views.  A release that is replaced and keeps its columns keeps
 * its views with their grants, if they still show the same.
 */
static void
finish(const SdcMethodStep *step, Oid catalog_schema, const SdcTarget *target, Oid release)
{
	const SdcPartitionRequest *request = step->arguments;
	bool		same = target->replaced == release && shows_same(step, catalog_schema, release);

	for (int i = 0; i < VIEWS; i++)
	{
		Oid			existing = get_relname_relid(view_name(target, i),
												 get_namespace_oid(target->schema, false));

		if (OidIsValid(existing) && same)
			continue;
		if (OidIsValid(existing))
			sdc_dependents_drop(target->name, existing);
		sdc_spi_run(view_statement(request, target, i), SPI_OK_UTILITY);
		CommandCounterIncrement();
	}
}

/* sdc_permute_prepare fills in a step. */
void
sdc_permute_prepare(SdcMethodStep *step, const SdcPartitionRequest *request)
{
	step->method = sdc_methods_find(SDC_METHOD_PERMUTE);
	step->arguments = request;
	step->parameters = sdc_partition_describe(request,
													request->kind == SDC_PARTITION_MONDRIAN ?
													"mondrian" : "anatomy", NULL);
	step->qi = request->qi;
	step->sensitive = list_make1(unconstify(char *, request->sensitive));
	step->check_plan = check_plan;
	step->protect = protect;
	step->changes = SDC_CHANGES_GROUPED;
	step->unchanged_hint = "Use larger strata or a larger l.";
	step->finish = finish;
	step->columns_given = true;
	step->columns = step->sensitive;
	step->read_besides = request->qi;
	step->columns_argument = "sensitive";
	step->breaks_link = true;
}
