/*-------------------------------------------------------------------------
 *
 * kanonymity.c
 *		The k-anonymity of the groups of a relation, and of its units as a whole.
 *
 * As in L. Sweeney, "k-anonymity: a model for protecting privacy" (2002), in units: the records are read as codes, by
 * which groups and units are numbered, and the kernel does the rest.  (There are about as many pairs of a group and a
 * unit
 * as records: to have the server find them takes longer.)  Where each record is a unit, the sizes of the groups,
 * which the
 * server counts, tell all of it.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "kernel/base/codeindex.h"
#include "kernel/base/units.h"
#include "kernel/groups/wildgroups.h"
#include "measure/groups/kanonymity.h"
#include "relation/base/memory.h"
#include "relation/base/progress.h"
#include "relation/read/codedtable.h"
#include "relation/read/groupcount.h"
#include "utils/lsyscache.h"

/* measure_wild reads the records to find how many one is like when NULL is like every value; 0: some have no order. */
static uint64
measure_wild(Oid relid, List *qi)
{
	MemoryContext context;
	MemoryContext before;
	uint64		least;
	ListCell   *cell;

	foreach(cell, qi)
	{
		SdcType		type;
		Oid			typid;
		int32		typmod;
		Oid			collation;

		get_atttypetypmodcoll(relid, get_attnum(relid, lfirst(cell)), &typid, &typmod, &collation);
		sdc_type_lookup(&type, typid, collation);
		if (!type.orderable)
			return 0;
	}
	context = AllocSetContextCreate(CurrentMemoryContext, "sdc wild groups", ALLOCSET_DEFAULT_SIZES);
	before = MemoryContextSwitchTo(context);
	least = sdc_wildgroups_least(&sdc_codedtable_load(relid, qi)->coded);
	sdc_progress_end();
	MemoryContextSwitchTo(before);
	MemoryContextDelete(context);
	return least;
}

/* measure_records fills in what the sizes of the groups tell. */
static void
measure_records(Oid relid, List *qi, SdcUnitGroups *result, uint64 *wild)
{
	SdcGroupSizes sizes;

	sdc_groupcount_sizes(relid, qi, NIL, &sizes);
	result->groups = sizes.groups;
	result->k = result->k_rows = result->k_whole = sizes.smallest;
	result->single = result->whole_unique = sizes.single;
	result->share = sizes.groups == 0 ? 0 : 1 / (double) sizes.smallest;
	if (wild != NULL)
		*wild = sizes.missing ? measure_wild(relid, qi) : sizes.smallest;
}

/* find_cells makes cells of records: those that agree in group and unit. */
static void
find_cells(const SdcCodedFile *records, SdcUnitGroupsTask *task)
{
	SdcCodeIndex index;
	uint32	   *cell = sdc_memory_array(records->records, sizeof(uint32));
	uint32	   *group;
	uint32	   *unit;
	uint64	   *count;

	sdc_codeindex_create(&index, records, records->attributes, cell);
	task->cells = index.count;
	task->group = group = sdc_memory_array(index.count, sizeof(uint32));
	task->unit = unit = sdc_memory_array(index.count, sizeof(uint32));
	task->count = count = sdc_memory_zeros(index.count, sizeof(uint64));
	for (uint32 i = 0; i < index.count; i++)
	{
		sdc_interrupts_step(i);
		group[i] = records->column[0].code[index.first[i]];
		unit[i] = records->column[1].code[index.first[i]];
	}
	sdc_codeindex_destroy(&index);
	for (uint32 r = 0; r < records->records; r++)
	{
		sdc_interrupts_step(r);
		count[cell[r]]++;
	}
	sdc_free(cell);
}

/* sdc_kanonymity_of_records: see kanonymity.h. */
void
sdc_kanonymity_of_records(const SdcCodedFile *coded, int columns, const uint32 *unit, uint32 units,
						  SdcUnitGroups *result)
{
	uint32	   *group = sdc_memory_array(coded->records, sizeof(uint32));
	SdcUnitGroupsTask task = {.units = units};
	SdcCodeIndex index;
	SdcCodedColumn both[2];
	SdcCodedFile records = {coded->records, 2, both};

	sdc_codeindex_create(&index, coded, columns, group);
	task.groups = index.count;
	sdc_codeindex_destroy(&index);
	both[0] = (SdcCodedColumn) {group, task.groups};
	both[1] = (SdcCodedColumn) {unit, units};
	find_cells(&records, &task);
	sdc_free(group);
	sdc_unitgroups_measure(&task, result);
	sdc_free(unconstify(uint32 *, task.group));
	sdc_free(unconstify(uint32 *, task.unit));
	sdc_free(unconstify(uint64 *, task.count));
}

/* measure_units counts units. */
static void
measure_units(Oid relid, List *qi, List *unit, SdcUnitGroups *result)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "sdc units", ALLOCSET_DEFAULT_SIZES);
	MemoryContext before = MemoryContextSwitchTo(context);
	SdcCodedTable *table = sdc_codedtable_load(relid, list_concat_copy(qi, unit));
	SdcCodedFile naming = table->coded;
	uint32	   *of = sdc_memory_array(naming.records, sizeof(uint32));
	uint32		units;

	naming.column += list_length(qi);
	naming.attributes = list_length(unit);
	units = sdc_units_number(&naming, of);
	sdc_kanonymity_of_records(&table->coded, list_length(qi), of, units, result);
	sdc_progress_end();
	MemoryContextSwitchTo(before);
	MemoryContextDelete(context);
}

/* sdc_kanonymity_measure: see kanonymity.h. */
void
sdc_kanonymity_measure(Oid relid, List *qi, List *unit, SdcUnitGroups *result, uint64 *wild)
{
	if (wild != NULL)
		*wild = 0;
	if (unit == NIL)
		measure_records(relid, qi, result, wild);
	else
		measure_units(relid, qi, unit, result);
}
