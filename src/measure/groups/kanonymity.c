/*-------------------------------------------------------------------------
 *
 * kanonymity.c
 *		The k-anonymity of the groups of a relation, and of its units as a whole.
 *
 * As in L. Sweeney, "k-anonymity: a model for protecting privacy" (2002), in units: the server counts the records that
 * every unit has in every group, groups and units are numbered by the codes of their values, and the kernel does the
 * rest.  Where each record is a unit, the sizes of the groups tell all of it.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "kernel/base/codeindex.h"
#include "measure/groups/kanonymity.h"
#include "relation/base/memory.h"
#include "relation/base/progress.h"
#include "relation/read/classes.h"
#include "relation/read/groupcount.h"

/* measure_records fills in what the sizes of the groups tell. */
static void
measure_records(Oid relid, List *qi, SdcUnitGroups *result)
{
	SdcGroupSizes sizes;

	sdc_groupcount_sizes(relid, qi, NIL, &sizes);
	result->groups = sizes.groups;
	result->k = result->k_rows = result->k_whole = sizes.smallest;
	result->single = result->whole_unique = sizes.single;
	result->share = sizes.groups == 0 ? 0 : 1 / (double) sizes.smallest;
}

/* number_cells numbers the different values that cells have in some columns, and returns how many there are. */
static uint32
number_cells(const SdcCodedFile *cells, int first, int columns, uint32 **number)
{
	SdcCodedFile part = *cells;
	SdcCodeIndex index;

	part.column += first;
	*number = sdc_memory_array(cells->records, sizeof(uint32));
	sdc_codeindex_create(&index, &part, columns, *number);
	sdc_codeindex_destroy(&index);
	return index.count;
}

/* measure_units counts units. */
static void
measure_units(Oid relid, List *qi, List *unit, SdcUnitGroups *result)
{
	SdcClasses *classes = sdc_classes_plan(relid, list_concat_copy(qi, unit), NULL, NIL);
	SdcUnitGroupsTask task = {0};
	uint32	   *group;
	uint32	   *of_unit;

	sdc_classes_read(classes);
	sdc_classes_rank(classes);
	task.cells = classes->coded.records;
	sdc_progress_evaluating(task.cells, 1);
	task.groups = number_cells(&classes->coded, 0, list_length(qi), &group);
	task.units = number_cells(&classes->coded, list_length(qi), list_length(unit), &of_unit);
	task.group = group;
	task.unit = of_unit;
	task.count = classes->size;
	sdc_unitgroups_measure(&task, result);
	sdc_progress_end();
}

/* sdc_kanonymity_measure: see kanonymity.h. */
void
sdc_kanonymity_measure(Oid relid, List *qi, List *unit, SdcUnitGroups *result)
{
	if (unit == NIL)
		measure_records(relid, qi, result);
	else
		measure_units(relid, qi, unit, result);
}
