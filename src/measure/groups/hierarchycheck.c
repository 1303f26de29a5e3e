/*-------------------------------------------------------------------------
 *
 * hierarchycheck.c
 *		Whether hierarchies are some, for the columns of a relation.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "measure/groups/hierarchycheck.h"
#include "relation/base/progress.h"
#include "relation/read/codedtable.h"
#include "relation/read/source.h"
#include "relation/recode/labeltable.h"
#include "utils/lsyscache.h"

/* bind_all insists on hierarchies that are for the types of their columns, and on tables that can be read. */
static void
bind_all(Oid relid, List *hierarchies)
{
	ListCell   *cell;

	foreach(cell, hierarchies)
	{
		SdcRule    *rule = lfirst(cell);
		Oid			typid;
		int32		typmod;
		Oid			collation;

		get_atttypetypmodcoll(relid, sdc_source_find_column(relid, rule->column, "hierarchies"), &typid, &typmod,
							  &collation);
		sdc_rule_bind(rule, typid, typmod, collation);
		if (rule->kind == SDC_RULE_TABLE)
			sdc_labeltable_plan(rule);
	}
}

/* sdc_hierarchycheck_of: see hierarchycheck.h. */
void
sdc_hierarchycheck_of(Oid relid, List *hierarchies, SdcHierarchyLevel found, void *arg)
{
	SdcCodedTable *table;
	ListCell   *cell;

	sdc_source_check_kind(relid);
	sdc_source_check_readable(relid);
	bind_all(relid, hierarchies);
	foreach(cell, hierarchies)
		if (((SdcRule *) lfirst(cell))->kind == SDC_RULE_TABLE)
			sdc_labeltable_read(lfirst(cell));
	table = sdc_codedtable_load(relid, sdc_rule_columns(hierarchies, false));
	foreach(cell, hierarchies)
	{
		const SdcRule *rule = lfirst(cell);
		int			i = foreach_current_index(cell);
		SdcRuleValues values = sdc_rulecheck_values(table->column[i].dictionary, &table->column[i].coding,
													table->coded.column[i].code, table->coded.records);
		SdcRuleLevel *level;

		sdc_rulecheck_stars(rule, &values);
		level = sdc_rulecheck_levels(rule, &values);
		for (int h = 0; h < rule->levels; h++)
			found(arg, rule->column, h + 1, &level[h]);
	}
	sdc_progress_end();
}
