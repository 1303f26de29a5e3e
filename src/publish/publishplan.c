/*-------------------------------------------------------------------------
 *
 * publishplan.c
 *		Which columns of a release are published.
 *
 * Never its key or the columns of the unit, nor what the method has added: the number of a record and that of its
 * group.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/relation.h"
#include "catalog/pg_class.h"
#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "publish/publishplan.h"
#include "relation/base/compat.h"
#include "relation/base/memory.h"
#include "relation/base/names.h"
#include "relation/catalog/actas.h"
#include "relation/catalog/methods.h"
#include "relation/catalog/steps.h"
#include "relation/read/source.h"
#include "relation/rights/trust.h"
#include "utils/builtins.h"
#include "utils/guc.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/rls.h"

/* groups_of tells what kind of groups a release has. */
static SdcMethodGroups
groups_of(const SdcReleaseRow *release)
{
	const SdcStep *step = sdc_steps_with_groups(sdc_steps_of(release));

	return step == NULL ? SDC_GROUPS_NONE : step->method->groups;
}

/* is_added tells whether a column that is not protected was added by the method, or may have been. */
static bool
is_added(const SdcReleaseRow *release, const char *name)
{
	if (strcmp(name, SDC_ROW_COLUMN) == 0)
		return !release->made || release->key == NIL;
	return strcmp(name, SDC_GROUP_COLUMN) == 0 &&
		(!release->made || groups_of(release) != SDC_GROUPS_NONE);
}

/* check_keep insists that what keep names can leave. */
static void
check_keep(const SdcPublishPlan *plan, Relation rel, List *keep)
{
	ListCell   *cell;

	foreach(cell, keep)
	{
		const char *name = lfirst(cell);
		bool		of_key = sdc_names_have(plan->release.key, name);
		bool		of_unit = sdc_names_have(plan->release.unit, name);

		if (get_attnum(RelationGetRelid(rel), name) <= 0)
			ereport(ERROR,
					(errcode(ERRCODE_UNDEFINED_COLUMN),
					 errmsg("column \"%s\" of argument \"keep\" does not exist in release \"%s\"", name, plan->name)));
		if (of_key || of_unit || (!sdc_names_have(plan->release.columns, name) && is_added(&plan->release, name)))
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("column \"%s\" of argument \"keep\" %s, it is never published", name,
							of_key ? "is the key" : of_unit ? "names the unit" : "tells records or groups apart"),
					 errhint("Name columns that the release has copied.")));
	}
}

/* refuse_unnamed raises the error about copied columns that keep does not name. */
static void
refuse_unnamed(const SdcPublishPlan *plan, List *names)
{
	StringInfoData list;
	ListCell   *cell;

	initStringInfo(&list);
	foreach(cell, names)
		sdc_spi_append_name(&list, lfirst(cell), foreach_current_index(cell) == 0);
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg_plural("release \"%s\" has copied column %s, which argument \"keep\" does not name",
						   "release \"%s\" has copied columns %s, which argument \"keep\" does not name",
						   list_length(names), plan->name, list.data),
			 errdetail("A copied column has the original values, and is published on purpose only."),
			 errhint("Name in \"keep\" the columns that may leave unchanged, or make the release without them (argument \"omit\").")));
}

/* plan_units decides whether the units get numbers: those of several records do. */
static void
plan_units(SdcPublishPlan *plan, Relation rel, bool keep_units)
{
	ListCell   *cell;

	if (plan->release.units == plan->release.records)
		return;
	foreach(cell, plan->release.unit)
		if (get_attnum(RelationGetRelid(rel), lfirst(cell)) <= 0)
			return;
	plan->unit = plan->release.unit;
	plan->numbered = keep_units && plan->unit != NIL;
	if (plan->numbered && get_attnum(RelationGetRelid(rel), SDC_UNIT_COLUMN) > 0 &&
		!sdc_names_have(plan->unit, SDC_UNIT_COLUMN))
		ereport(ERROR,
				(errcode(ERRCODE_DUPLICATE_COLUMN),
				 errmsg("release \"%s\" has a column \"%s\"", plan->name, SDC_UNIT_COLUMN),
				 errdetail("The publication gets a column of this name."),
				 errhint("Leave it out of the release with argument \"omit\", or rename it in a view.")));
}

/* plan_columns lists what is published. */
static void
plan_columns(SdcPublishPlan *plan, Relation rel, List *keep)
{
	TupleDesc	desc = RelationGetDescr(rel);
	int		   *number = palloc(sizeof(int) * Max(desc->natts, 1));
	List	   *unnamed = NIL;

	for (int i = 0; i < desc->natts; i++)
	{
		char	   *name = NameStr(TupleDescAttr(desc, i)->attname);
		bool		is_protected = sdc_names_have(plan->release.columns, name);

		if (TupleDescAttr(desc, i)->attisdropped || sdc_names_have(plan->release.key, name) ||
			sdc_names_have(plan->release.unit, name) || (!is_protected && is_added(&plan->release, name)))
			continue;
		name = pstrdup(name);
		if (!is_protected && !sdc_names_have(keep, name))
			unnamed = lappend(unnamed, name);
		else if (!is_protected)
			plan->kept = lappend(plan->kept, name);
		number[list_length(plan->columns)] = i + 1;
		plan->columns = lappend(plan->columns, name);
	}
	if (unnamed != NIL)
		refuse_unnamed(plan, unnamed);
	if (plan->columns == NIL)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("release \"%s\" has no column that can be published", plan->name)));
	plan->desc = CreateTemplateTupleDesc(list_length(plan->columns) + plan->numbered);
	if (plan->numbered)
		TupleDescInitEntry(plan->desc, 1, SDC_UNIT_COLUMN, INT8OID, -1, 0);
	for (int i = 0; i < list_length(plan->columns); i++)
		TupleDescCopyEntry(plan->desc, (AttrNumber) (i + 1 + plan->numbered), desc, (AttrNumber) number[i]);
	pfree(number);
}

/* check_release insists on a release that can be published by the caller. */
static void
check_release(const SdcPublishPlan *plan, Oid relid)
{
	if (check_enable_rls(relid, InvalidOid, true) == RLS_ENABLED)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("release \"%s\" is under row security, you would publish a part of it", plan->name),
				 errhint("Use a role that sees all rows.")));
	if (groups_of(&plan->release) == SDC_GROUPS_PERMUTED)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("release \"%s\" has permuted values, it is not published as one table", plan->name),
				 errdetail("In one table every record would show a sensitive value as if it were its own."),
				 errhint("Publish the two views that sdc_permute has made.")));
	if (list_length(plan->release.columns) == 0)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("release \"%s\" has no protected column", plan->name)));
}

/* sdc_publishplan_make: see publishplan.h. */
void
sdc_publishplan_make(SdcPublishPlan *plan, Oid catalog_schema, Oid release, List *keep, bool keep_units)
{
	Relation	rel;

	memset(plan, 0, sizeof(SdcPublishPlan));
	if (!sdc_is_relation_owner(release, GetUserId()))
		aclcheck_error(ACLCHECK_NOT_OWNER, get_relkind_objtype(get_rel_relkind(release)), get_rel_name(release));
	/* evaluation and copy see the same, and nothing is replaced meanwhile */
	rel = sdc_source_open(release, ShareLock);
	plan->name = pstrdup(RelationGetRelationName(rel));
	if (!sdc_catalog_get(catalog_schema, release, &plan->release))
		sdc_catalog_refuse_unknown(release);
	check_release(plan, release);
	check_keep(plan, rel, keep);
	plan_units(plan, rel, keep_units);
	plan_columns(plan, rel, keep);
	relation_close(rel, NoLock);
	for (int i = 0; i < plan->desc->natts; i++)
		sdc_trust_require_column(TupleDescAttr(plan->desc, i)->atttypid);
	plan->reader = sdc_trust_reader(release, false);
}

/* sdc_publishplan_take: see publishplan.h. */
void
sdc_publishplan_take(SdcPublishPlan *plan, List *columns)
{
	TupleDesc	desc = CreateTemplateTupleDesc(list_length(columns) + plan->numbered);
	ListCell   *cell;

	if (plan->numbered)
		TupleDescCopyEntry(desc, 1, plan->desc, 1);
	foreach(cell, columns)
		TupleDescCopyEntry(desc, (AttrNumber) (foreach_current_index(cell) + 1 + plan->numbered), plan->desc,
						   (AttrNumber) (sdc_names_index(plan->columns, lfirst(cell)) + 1 + plan->numbered));
	plan->kept = sdc_names_without(plan->kept, sdc_names_without(plan->columns, columns));
	plan->columns = columns;
	plan->desc = desc;
}

/* sdc_publishplan_read: see publishplan.h. */
void
sdc_publishplan_read(const SdcPublishPlan *plan, bool by_units, SdcSpiRow row, void *arg)
{
	const List *unit = by_units ? plan->unit : NIL;
	StringInfoData sql;
	SdcActAs	before;
	char		memory[32];
	int			nest;

	initStringInfo(&sql);
	sdc_spi_append_columns(&sql, unit, "SELECT ");
	sdc_spi_append_columns(&sql, plan->columns, unit == NIL ? "SELECT " : ", ");
	appendStringInfo(&sql, " FROM %s AS source", sdc_spi_relation_name(plan->release.release));
	sdc_spi_append_columns(&sql, unit, " ORDER BY ");
	sdc_actas_begin(&before, plan->reader);
	nest = NewGUCNestLevel();
	/* half of the budget is for what becomes of the records */
	snprintf(memory, sizeof(memory), "%d", Max(work_mem, sdc_memory_sort_share(2)));
	sdc_spi_set_for_now("work_mem", memory);
	sdc_spi_set_for_now("jit", "off");	/* there is next to nothing to compile */
	sdc_spi_select_rows(sql.data, row, arg);
	AtEOXact_GUC(true, nest);
	sdc_actas_end(&before);
	pfree(sql.data);
}
