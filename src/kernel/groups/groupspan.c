/*-------------------------------------------------------------------------
 *
 * groupspan.c
 *		How many of a column's values the ranges and sets of its groups have.
 *
 * A range has the values from the smallest to the largest one of its group, also those that only other groups have.
 * For sets the records are looked at group by group, and every value notes the last group that it was seen in.
 *
 *-------------------------------------------------------------------------
 */
#include "kernel/base/kernel_env.h"

#include "kernel/groups/groupspan.h"

/* What is known of a group. */
typedef struct Group
{
	uint32		records;
	uint32		missing;		/* of them, those without a value */
	uint32		low;			/* the smallest and the largest code; low is behind high without any */
	uint32		high;
	uint32		place;			/* sets: behind its last record in the list of records by groups */
} Group;

/* look_at_groups counts the records of all groups, and returns how many have no value. */
static uint32
look_at_groups(const SdcGroupSpanTask *task, Group *group)
{
	uint32		missing = 0;

	for (uint32 g = 0; g < task->groups; g++)
	{
		group[g] = (Group) {.low = UINT32_MAX};
		sdc_interrupts_step(g);
	}
	for (uint32 r = 0; r < task->records; r++)
	{
		Group	   *own = &group[task->group[r]];
		uint32		code = task->code[r];

		sdc_interrupts_step(r);
		own->records++;
		if (code == SDC_CODE_NULL)
		{
			own->missing++;
			missing++;
			continue;
		}
		own->low = code < own->low ? code : own->low;
		own->high = code > own->high ? code : own->high;
	}
	return missing;
}

/* is_single tells whether all records of a group have the same value, or none has one. */
static bool
is_single(const Group *group)
{
	return group->missing == group->records || (group->missing == 0 && group->low == group->high);
}

/* add_ranges adds up the spans of ranges. */
static uint64
add_ranges(const SdcGroupSpanTask *task, const Group *group)
{
	uint64		sum = 0;

	for (uint32 g = 0; g < task->groups; g++)
	{
		if (!is_single(&group[g]))
			sum += (uint64) group[g].records *
				(group[g].missing > 0 ? task->codes : (uint64) group[g].high - group[g].low + 1);
		sdc_interrupts_step(g);
	}
	return sum;
}

/* list_records lists the records group by group. */
static uint32 *
list_records(const SdcGroupSpanTask *task, Group *group)
{
	uint32	   *record = sdc_alloc_array(uint32, task->records);
	uint32		place = 0;

	for (uint32 g = 0; g < task->groups; g++)
	{
		group[g].place = place;
		place += group[g].records;
		sdc_interrupts_step(g);
	}
	for (uint32 r = 0; r < task->records; r++)
	{
		sdc_interrupts_step(r);
		record[group[task->group[r]].place++] = r;
	}
	return record;
}

/* add_sets adds up the spans of sets. */
static uint64
add_sets(const SdcGroupSpanTask *task, Group *group)
{
	uint32	   *record = list_records(task, group);
	uint32	   *seen = sdc_alloc_array(uint32, task->codes);
	uint64		sum = 0;

	memset(seen, 0xFF, (Size) task->codes * sizeof(uint32));
	for (uint32 g = 0; g < task->groups; g++)
	{
		uint64		span = group[g].missing > 0;

		for (uint32 i = group[g].place - group[g].records; i < group[g].place; i++)
		{
			uint32		code = task->code[record[i]];

			sdc_interrupts_step(i);
			if (code == SDC_CODE_NULL || seen[code] == g)
				continue;
			seen[code] = g;
			span++;
		}
		if (span > 1)
			sum += span * group[g].records;
	}
	sdc_free(seen);
	sdc_free(record);
	return sum;
}

/* sdc_groupspan_measure: see groupspan.h. */
SdcGroupSpan
sdc_groupspan_measure(const SdcGroupSpanTask *task)
{
	Group	   *group = sdc_alloc_array(Group, task->groups);
	uint32		missing = look_at_groups(task, group);
	uint64		values = (uint64) task->codes + (!task->ranges && missing > 0);
	SdcGroupSpan span = {0, 0};

	if (task->codes + (uint64) (missing > 0) > 1)
		span = (SdcGroupSpan) {
		task->ranges ? add_ranges(task, group) : add_sets(task, group), values * task->records
	};
	sdc_free(group);
	return span;
}
