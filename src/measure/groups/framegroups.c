/*-------------------------------------------------------------------------
 *
 * framegroups.c
 *		The groups of a release that was read with its source, whose units only the source has.
 *
 * The columns that name the units were left out of the release.  Records of both are in the same order, so that the
 * groups of the one and the units of the other are by the same numbers of records.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "kernel/base/codeindex.h"
#include "kernel/base/units.h"
#include "measure/groups/framegroups.h"
#include "measure/groups/kanonymity.h"
#include "relation/base/memory.h"
#include "relation/column/paircodes.h"

/* Columns of records as codes, and the unit of each, which comes last. */
typedef struct Records
{
	SdcCodedFile coded;
	SdcCodedColumn *column;
} Records;

/* Different combinations of the first columns, and in how many records, or other combinations, each is. */
typedef struct Parts
{
	uint32	   *number;			/* by record */
	uint32	   *first;			/* by part: a record of it */
	uint64	   *count;			/* by part */
	uint32		parts;
} Parts;

/* find_attribute finds a column of the release; NULL: it was not read. */
static SdcAttribute *
find_attribute(const SdcFrame *frame, const char *name)
{
	for (int i = 0; i < frame->release->attribute_count; i++)
	{
		SdcAttribute *attribute = &frame->release->attributes[i];

		if (strcmp(NameStr(attribute->name), name) == 0)
			return attribute->column == NULL ? NULL : attribute;
	}
	return NULL;
}

/* sdc_framegroups_have: see framegroups.h. */
bool
sdc_framegroups_have(const SdcFrame *frame, List *columns)
{
	ListCell   *cell;

	if (frame == NULL || frame->held->source->units == NULL)
		return false;
	foreach(cell, columns)
		if (find_attribute(frame, lfirst(cell)) == NULL)
			return false;
	return true;
}

/* records_load codes columns of the release, and puts the units behind them. */
static void
records_load(const SdcFrame *frame, List *columns, Records *records)
{
	const SdcUnits *units = frame->held->source->units;
	int			count = list_length(columns);
	ListCell   *cell;

	records->column = palloc(sizeof(SdcCodedColumn) * (count + 1));
	foreach(cell, columns)
	{
		SdcAttribute *attribute = find_attribute(frame, lfirst(cell));

		records->column[foreach_current_index(cell)] = sdc_paircodes_codes(attribute->column, &attribute->type);
	}
	records->column[count] = (SdcCodedColumn) {units->of, units->count};
	records->coded = (SdcCodedFile) {units->records, count + 1, records->column};
}

/* records_free gives back what that takes. */
static void
records_free(Records *records)
{
	for (int i = 0; i + 1 < records->coded.attributes; i++)
		sdc_free(unconstify(uint32 *, records->column[i].code));
	pfree(records->column);
}

/* find_parts numbers the combinations of some columns from the first one on, and counts the records of each. */
static void
find_parts(const Records *records, int columns, Parts *parts)
{
	SdcCodeIndex index;

	parts->number = sdc_memory_array(records->coded.records, sizeof(uint32));
	sdc_codeindex_create(&index, &records->coded, columns, parts->number);
	parts->parts = index.count;
	parts->first = sdc_memory_array(index.count, sizeof(uint32));
	memcpy(parts->first, index.first, index.count * sizeof(uint32));
	sdc_codeindex_destroy(&index);
	parts->count = sdc_memory_zeros(parts->parts, sizeof(uint64));
	for (uint32 r = 0; r < records->coded.records; r++)
	{
		sdc_interrupts_step(r);
		parts->count[parts->number[r]]++;
	}
}

/* count_within counts for every part how many of finer ones, whose records have more in common, it has. */
static void
count_within(Parts *parts, const Parts *finer)
{
	memset(parts->count, 0, parts->parts * sizeof(uint64));
	for (uint32 i = 0; i < finer->parts; i++)
	{
		sdc_interrupts_step(i);
		parts->count[parts->number[finer->first[i]]]++;
	}
}

/* parts_free gives back what parts take. */
static void
parts_free(Parts *parts)
{
	sdc_free(parts->number);
	sdc_free(parts->first);
	sdc_free(parts->count);
}

/* of_parts returns a number of records for every part: that of its first one. */
static uint32 *
of_parts(const Parts *parts, const uint32 *of_record)
{
	uint32	   *number = sdc_memory_array(parts->parts, sizeof(uint32));

	for (uint32 i = 0; i < parts->parts; i++)
	{
		sdc_interrupts_step(i);
		number[i] = of_record[parts->first[i]];
	}
	return number;
}

/* sdc_framegroups_hide: see framegroups.h. */
void
sdc_framegroups_hide(const SdcFrame *frame, List *qi, SdcUnitGroups *result)
{
	const SdcUnits *units = frame->held->source->units;
	Records		records;

	records_load(frame, qi, &records);
	sdc_kanonymity_of_records(&records.coded, list_length(qi), units->of, units->count, result);
	records_free(&records);
}

/* sdc_framegroups_privacy: see framegroups.h. */
void
sdc_framegroups_privacy(const SdcFrame *frame, List *qi, const char *sensitive, int l, SdcGroupPrivacy *result)
{
	List	   *columns = lappend(list_copy(qi), pstrdup(sensitive));
	SdcGroupPrivacyTask task = {.l = (uint32) l};
	SdcUnitGroups hidden;
	Records		records;
	Parts		groups;
	Parts		cells;
	Parts		pairs;
	uint32	   *group;
	uint32	   *code;

	records_load(frame, columns, &records);
	find_parts(&records, list_length(qi), &groups);
	find_parts(&records, list_length(qi) + 1, &cells);
	find_parts(&records, list_length(qi) + 2, &pairs);
	count_within(&cells, &pairs);
	task.cells = cells.parts;
	task.groups = groups.parts;
	task.group = group = of_parts(&cells, groups.number);
	task.code = code = of_parts(&cells, records.column[list_length(qi)].code);
	task.codes = records.column[list_length(qi)].codes;
	task.count = cells.count;
	sdc_groupprivacy_measure(&task, result);
	sdc_free(group);
	sdc_free(code);
	parts_free(&groups);
	parts_free(&cells);
	parts_free(&pairs);
	records_free(&records);
	sdc_framegroups_hide(frame, qi, &hidden);
	result->k = hidden.k;
}
