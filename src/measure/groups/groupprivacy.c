/*-------------------------------------------------------------------------
 *
 * groupprivacy.c
 *		What the groups of a relation keep to themselves about a sensitive column.
 *
 * The server counts the records, or the units, of every group and value; the groups are numbered by the codes of their
 * values, and the kernel does the rest.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "kernel/base/codeindex.h"
#include "measure/groups/groupprivacy.h"
#include "relation/base/memory.h"
#include "relation/base/progress.h"
#include "relation/read/classes.h"
#include "relation/read/groupcount.h"

/* sdc_groupprivacy_of: see groupprivacy.h. */
void
sdc_groupprivacy_of(Oid relid, List *qi, const char *sensitive, List *unit, int l,
					SdcGroupPrivacy *result)
{
	SdcClasses *classes = sdc_classes_plan(relid, qi, sensitive, unit);
	SdcGroupPrivacyTask task = {.l = (uint32) l};
	const SdcCodedColumn *column;
	SdcCodeIndex index;
	SdcGroupSizes sizes;
	uint32	   *group;

	sdc_classes_read(classes);
	sdc_classes_rank(classes);
	task.cells = classes->coded.records;
	group = sdc_memory_array(task.cells, sizeof(uint32));
	sdc_codeindex_create(&index, &classes->coded, list_length(qi), group);
	task.groups = index.count;
	sdc_codeindex_destroy(&index);
	column = &classes->coded.column[list_length(qi)];
	task.group = group;
	task.code = column->code;
	task.codes = column->codes;
	task.count = classes->size;
	sdc_progress_evaluating(task.cells, 1);
	sdc_groupprivacy_measure(&task, result);
	sdc_progress_end();
	if (unit == NIL)
		return;
	/* a unit with two values was counted for both */
	sdc_groupcount_sizes(relid, qi, unit, &sizes);
	result->k = sizes.smallest;
}
