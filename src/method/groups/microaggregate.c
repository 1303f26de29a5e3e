/*-------------------------------------------------------------------------
 *
 * microaggregate.c
 *		Microaggregation: groups of near records have the mean of their values.
 *
 * Records are near others only that have values where these have some, and miss the same where these miss some: a value
 * that is missing, one of the missing codes, infinity, and what is not a number.  So a stratum falls into classes, and
 * every class is grouped by itself on the columns in which it has values.  A class with fewer than k records would show
 * who is in it, whatever else is done.
 *
 * Memory: that of the columns (averages.h), all of them where they have the same groups, and what the kernels take.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "kernel/base/codeindex.h"
#include "kernel/base/units.h"
#include "kernel/partition/mdav.h"
#include "kernel/partition/optimalruns.h"
#include "lib/stringinfo.h"
#include "method/groups/averages.h"
#include "method/groups/microaggregate.h"
#include "miscadmin.h"
#include "relation/base/memory.h"
#include "relation/base/progress.h"
#include "relation/base/shortest.h"
#include "relation/base/spi.h"
#include "relation/catalog/methods.h"
#include "relation/column/ordering.h"
#include "utils/builtins.h"
#include "utils/json.h"

/* Columns that are grouped together. */
typedef struct Grouping
{
	const SdcMicroaggregation *request;
	bool		each;			/* it is one column, whose groups are the best runs */
	const SdcSource *source;
	uint32		records;
	uint32	   *stratum;		/* of each record */
	SdcAverageColumn *column;
	int			columns;
	uint32	   *class;			/* of each record */
	SdcGroupRecords members;	/* the records of every class */
	SdcAverageGroups groups;
	double		within;			/* measured in standard deviations: the squares within groups, */
	double		squares;		/* and all */
} Grouping;

/* ------------------------------------------------------------------------
 * Classes
 * ------------------------------------------------------------------------
 */

/* find_classes finds the records that have values in the same columns, and miss the same in all others. */
static void
find_classes(Grouping *grouping)
{
	SdcCodedColumn *coded = palloc(sizeof(SdcCodedColumn) * (grouping->columns + 1));
	SdcCodedFile file = {grouping->records, 0, coded};
	SdcCodeIndex index = {.count = 1};

	/* what is the same in all records tells none apart */
	if (grouping->source->stratum != NULL)
		coded[file.attributes++] = (SdcCodedColumn) {grouping->stratum, (uint32) grouping->source->strata_found};
	for (int j = 0; j < grouping->columns; j++)
		if (!grouping->column[j].complete)
			coded[file.attributes++] = (SdcCodedColumn) {grouping->column[j].state, grouping->column[j].states};
	grouping->class = sdc_memory_zeros(grouping->records, sizeof(uint32));
	if (file.attributes > 0)
	{
		sdc_codeindex_create(&index, &file, file.attributes, grouping->class);
		sdc_codeindex_destroy(&index);
	}
	sdc_grouprecords_list(grouping->class, grouping->records, index.count, &grouping->members);
	pfree(coded);
}

/* has_values tells whether the records of a class have any values. */
static bool
has_values(const Grouping *grouping, uint32 class)
{
	uint32		first = *sdc_grouprecords_of(&grouping->members, class);

	for (int j = 0; j < grouping->columns; j++)
		if (grouping->column[j].state[first] == SDC_AVERAGE_VALUE)
			return true;
	return false;
}

/* has_nothing tells whether the records of a class have nothing that they could lose. */
static bool
has_nothing(const Grouping *grouping, uint32 class)
{
	uint32		first = *sdc_grouprecords_of(&grouping->members, class);

	for (int j = 0; j < grouping->columns; j++)
		if (grouping->column[j].state[first] != SDC_AVERAGE_NULL)
			return false;
	return true;
}

/* place_of names the columns in front of a message, where each has groups of its own. */
static const char *
place_of(const Grouping *grouping)
{
	return grouping->columns > 1 ? "" :
		psprintf("column \"%s\": ", NameStr(grouping->column->attribute->name));
}

/* refuse_small raises the error about classes with too few records, or units. */
static void
refuse_small(const Grouping *grouping, uint32 classes, uint64 records)
{
	bool		of_units = grouping->column->attribute->level == SDC_LEVEL_UNIT;
	const char *of = of_units ? "units" : "records";

	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg_plural("%s%u class of %s that miss the same values has fewer than %u",
						   "%s%u classes of %s that miss the same values have fewer than %u",
						   classes, place_of(grouping), classes, of, grouping->request->k),
			 errdetail("Together they have " UINT64_FORMAT " %s; what they miss would tell who they are.",
					   records, records > 1 ? of : of_units ? "unit" : "record"),
			 errhint("Use a smaller \"k\", or small => 'suppress': such %s lose their values.", of)));
}

/* check_sizes insists on classes of k records or more. */
static void
check_sizes(const Grouping *grouping)
{
	uint32		classes = 0;
	uint64		records = 0;

	for (uint32 c = 0; c < grouping->members.groups; c++)
	{
		uint32		count = sdc_grouprecords_count(&grouping->members, c);

		sdc_interrupts_step(c);
		if (count >= grouping->request->k)
			continue;
		classes++;
		records += count;
	}
	if (classes > 0)
		refuse_small(grouping, classes, records);
}

/* lose_class has the records of a class lose all that they have. */
static void
lose_class(Grouping *grouping, uint32 class)
{
	const uint32 *member = sdc_grouprecords_of(&grouping->members, class);
	uint32		count = sdc_grouprecords_count(&grouping->members, class);

	for (uint32 i = 0; i < count; i++)
		grouping->groups.lost[member[i]] = true;
}

/* The records of a stratum that have nothing, or lose it, and the smallest class of all others. */
typedef struct Losses
{
	uint64		records;
	uint32		smallest;
} Losses;

#define NO_CLASS PG_UINT32_MAX

/*
 * lose_small has the records of small classes lose all that they have.  Where so few of a stratum have nothing that
 * this shows them, the smallest other class, which has k records or more, joins them.
 */
static void
lose_small(Grouping *grouping)
{
	uint32		strata = (uint32) Max(grouping->source->strata_found, 1);
	Losses	   *losses = sdc_memory_zeros(strata, sizeof(Losses));
	uint32		k = grouping->request->k;

	grouping->groups.lost = sdc_memory_zeros(grouping->records, sizeof(bool));
	for (uint32 s = 0; s < strata; s++)
		losses[s].smallest = NO_CLASS;
	for (uint32 c = 0; c < grouping->members.groups; c++)
	{
		uint32		count = sdc_grouprecords_count(&grouping->members, c);
		Losses	   *of = &losses[grouping->stratum[*sdc_grouprecords_of(&grouping->members, c)]];

		sdc_interrupts_step(c);
		if (count < k || has_nothing(grouping, c))
		{
			of->records += count;
			lose_class(grouping, c);
		}
		else if (of->smallest == NO_CLASS || count < sdc_grouprecords_count(&grouping->members, of->smallest))
			of->smallest = c;
	}
	for (uint32 s = 0; s < strata; s++)
	{
		sdc_interrupts_step(s);
		if (losses[s].records == 0 || losses[s].records >= k)
			continue;
		if (losses[s].smallest == NO_CLASS)
			refuse_small(grouping, 1, losses[s].records);
		lose_class(grouping, losses[s].smallest);
	}
	sdc_free(losses);
}

/* ------------------------------------------------------------------------
 * Groups
 * ------------------------------------------------------------------------
 */

/* is_lost tells whether a record loses what it has. */
static inline bool
is_lost(const Grouping *grouping, uint32 record)
{
	return grouping->groups.lost != NULL && grouping->groups.lost[record];
}

/* add_groups puts some records into the groups that a kernel has numbered. */
static void
add_groups(Grouping *grouping, const uint32 *record, uint32 count, const uint32 *number, uint32 groups)
{
	for (uint32 i = 0; i < count; i++)
	{
		sdc_interrupts_step(i);
		grouping->groups.group[record[i]] = grouping->groups.groups + number[i];
	}
	grouping->groups.groups += groups;
}

/* group_run groups the sorted values of a stratum. */
static void
group_run(Grouping *grouping, const uint32 *order, uint32 count)
{
	const SdcAverageColumn *column = grouping->column;
	uint32	   *record = sdc_memory_array(count, sizeof(uint32));
	double	   *value = sdc_memory_array(count, sizeof(double));
	uint32	   *run = sdc_memory_array(count, sizeof(uint32));
	uint32		values = 0;

	for (uint32 i = 0; i < count; i++)
	{
		sdc_interrupts_step(i);
		if (column->state[order[i]] != SDC_AVERAGE_VALUE || is_lost(grouping, order[i]))
			continue;
		record[values] = order[i];
		value[values++] = column->number[order[i]];
	}
	if (values > 0)
	{
		double		within;
		double		squares;

		add_groups(grouping, record, values, run,
				   sdc_optimalruns(value, values, grouping->request->k, run, &within, &squares));
		if (squares > 0)
		{
			grouping->within += within / squares * (values - 1);
			grouping->squares += values - 1;
		}
	}
	sdc_free(run);
	sdc_free(value);
	sdc_free(record);
}

/* group_runs groups the values of one column, by stratum. */
static void
group_runs(Grouping *grouping)
{
	SdcAttribute *attribute = grouping->column->attribute;
	SdcArena	arena = {0};
	SdcOrderingTask task = {.column = attribute->column, .type = &attribute->type, .stratum = grouping->source->stratum,
	.strata = grouping->source->strata_found, .attribute = NameStr(attribute->name), .kept = attribute->order,
	.arena = &arena};
	SdcOrdering *ordering;

	sdc_arena_reserve(&arena, sdc_ordering_memory(&task));
	ordering = sdc_ordering_build(&task, grouping->column->values.value);
	for (uint32 s = 0; s < ordering->strata; s++)
		group_run(grouping, ordering->order + ordering->start[s], ordering->start[s + 1] - ordering->start[s]);
	sdc_arena_free(&arena);
}

/* group_class groups the records of a class by all columns in which they have values. */
static void
group_class(Grouping *grouping, uint32 class)
{
	const uint32 *member = sdc_grouprecords_of(&grouping->members, class);
	uint32		count = sdc_grouprecords_count(&grouping->members, class);
	double	  **number = palloc(sizeof(double *) * grouping->columns);
	uint32	   *group = sdc_memory_array(count, sizeof(uint32));
	SdcMdavTask task = {count, 0, (const double *const *) number, grouping->request->k};
	double		within;
	double		squares;

	for (int j = 0; j < grouping->columns; j++)
	{
		const SdcAverageColumn *column = &grouping->column[j];

		if (column->state[*member] != SDC_AVERAGE_VALUE)
			continue;
		number[task.attributes] = sdc_memory_array(count, sizeof(double));
		for (uint32 i = 0; i < count; i++)
		{
			sdc_interrupts_step(i);
			number[task.attributes][i] = column->number[member[i]];
		}
		task.attributes++;
	}
	add_groups(grouping, member, count, group, sdc_mdav(&task, group, &within, &squares));
	grouping->within += within;
	grouping->squares += squares;
	for (int j = 0; j < task.attributes; j++)
		sdc_free(number[j]);
	sdc_free(group);
	pfree(number);
}

/* make_groups makes the groups of columns that are loaded. */
static void
make_groups(Grouping *grouping)
{
	find_classes(grouping);
	if (grouping->request->suppress)
		lose_small(grouping);
	else
		check_sizes(grouping);
	grouping->groups.group = sdc_memory_array(grouping->records, sizeof(uint32));
	for (uint32 i = 0; i < grouping->records; i++)
		grouping->groups.group[i] = SDC_CODE_NULL;
	if (grouping->each)
	{
		group_runs(grouping);
		return;
	}
	for (uint32 c = 0; c < grouping->members.groups; c++)
	{
		CHECK_FOR_INTERRUPTS();
		if (has_values(grouping, c) && !is_lost(grouping, *sdc_grouprecords_of(&grouping->members, c)))
			group_class(grouping, c);
	}
}

/* count_lost counts the records that lose something in a column. */
static uint64
count_lost(const Grouping *grouping, const SdcAverageColumn *column)
{
	uint64		lost = 0;

	for (uint32 i = 0; i < grouping->records && grouping->groups.lost != NULL; i++)
	{
		sdc_interrupts_step(i);
		lost += grouping->groups.lost[i] && column->state[i] != SDC_AVERAGE_NULL;
	}
	return lost;
}

/*
 * warn_units warns of groups whose records are of few units: where units have several values, k counts records.
 */
static void
warn_units(const Grouping *grouping)
{
	const SdcUnits *units = grouping->source->units;
	SdcGroupRecords members;
	uint32	   *seen;
	uint32		few = 0;

	if (units == NULL)
		return;
	seen = sdc_memory_zeros(units->count, sizeof(uint32));
	sdc_grouprecords_list(grouping->groups.group, grouping->records, grouping->groups.groups, &members);
	for (uint32 g = 0; g < members.groups; g++)
	{
		uint32		count = 0;

		for (uint32 i = members.start[g]; i < members.start[g + 1]; i++)
		{
			uint32		unit = units->of[members.member[i]];

			sdc_interrupts_step(i);
			count += seen[unit] != g + 1;
			seen[unit] = g + 1;
		}
		few += count < grouping->request->k;
	}
	if (few > 0)
		ereport(WARNING,
				(errcode(ERRCODE_WARNING),
				 errmsg_plural("%s%u of %u groups has records of fewer than %u units",
							   "%s%u of %u groups have records of fewer than %u units",
							   few, place_of(grouping), few, members.groups, grouping->request->k),
				 errdetail("Units have several values, so that groups are made of records."),
				 errhint("Use a larger \"k\", or release one record of each unit.")));
	sdc_grouprecords_free(&members);
	sdc_free(seen);
}

/* ------------------------------------------------------------------------
 * Columns
 * ------------------------------------------------------------------------
 */

/* describe returns the parameters for the catalog. */
static char *
describe(const SdcMicroaggregation *request)
{
	return psprintf("{\"" SDC_PARAMETER_K "\": %u, \"" SDC_PARAMETER_SCHEME "\": \"%s\", \"" SDC_PARAMETER_CENTRE "\": \"%s\"%s%s%s%s}",
					request->k, request->each ? "each" : "joint", request->median ? "median" : "mean",
					request->suppress ? ", \"" SDC_PARAMETER_SMALL "\": \"suppress\"" : "",
					request->found->len > 0 ? ", \"" SDC_PARAMETER_FOUND "\": {" : "", request->found->data,
					request->found->len > 0 ? "}" : "");
}

/* report notes what was done to a column. */
static void
report(const Grouping *grouping, const SdcAverageColumn *column)
{
	SdcAverages *result = &column->attribute->averages;
	StringInfo	found = grouping->request->found;

	result->groups = grouping->groups.groups;
	result->sse_percent = grouping->squares > 0 ? 100 * grouping->within / grouping->squares : NAN;
	result->suppressed = count_lost(grouping, column);
	column->attribute->averaged = true;
	if (found->len > 0)
		appendStringInfoString(found, ", ");
	escape_json(found, NameStr(column->attribute->name));
	appendStringInfo(found, ": {\"groups\": " UINT64_FORMAT ", \"sse_percent\": %s, \"suppressed\": " UINT64_FORMAT "}",
					 result->groups, isnan(result->sse_percent) ? "null" : sdc_shortest_text(result->sse_percent),
					 result->suppressed);
}

/* aggregate groups columns together, and replaces their values. */
static void
aggregate(Grouping *grouping, SdcMethodStep *step, SdcSpool *spool)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "sdc microaggregate", ALLOCSET_DEFAULT_SIZES);
	MemoryContext old = MemoryContextSwitchTo(context);

	for (int j = 0; j < grouping->columns; j++)
		sdc_averages_load(grouping->column[j].attribute, &grouping->column[j]);
	make_groups(grouping);
	if (!step->quiet)
		warn_units(grouping);
	MemoryContextSwitchTo(old);
	for (int j = 0; j < grouping->columns; j++)
	{
		report(grouping, &grouping->column[j]);
		sdc_averages_replace(&grouping->column[j], &grouping->groups, grouping->request->median, spool);
		sdc_progress_next();
	}
	MemoryContextDelete(context);
}

/* list_columns lists the columns that a step protects here, in the order in which they are named. */
static int
list_columns(const SdcMethodStep *step, SdcSource *source, SdcAverageColumn *column)
{
	int			count = 0;
	ListCell   *cell;

	foreach(cell, step->columns)
	{
		SdcAttribute *attribute =
			&source->attributes[sdc_source_find_attribute(source, lfirst(cell), SDC_MEMBER_COLUMNS)];

		if (sdc_step_is_of(step, attribute))
			column[count++].attribute = attribute;
	}
	return count;
}

/* protect groups all columns together, or column by column. */
static void
protect(SdcMethodStep *step, SdcSource *source, SdcSpool *spool, SdcRandom *random)
{
	const SdcMicroaggregation *request = step->arguments;
	SdcAverageColumn *column = palloc0(sizeof(SdcAverageColumn) * list_length(step->columns));
	int			count = list_columns(step, source, column);
	bool		each = request->each || count == 1;
	int			together = each ? 1 : count;
	Grouping	all = {.request = request, .each = each, .source = source, .records = (uint32) source->records};

	(void) random;
	if (source->records == 0)
		return;
	all.stratum = sdc_grouprecords_strata(source->stratum, source->records);
	for (int j = 0; j < count; j += together)
	{
		Grouping	grouping = all;

		grouping.column = column + j;
		grouping.columns = together;
		aggregate(&grouping, step, spool);
	}
	sdc_free(all.stratum);
	step->parameters = describe(request);
}

/* check_records insists on a group at least. */
static void
check_records(const SdcMethodStep *step, uint64 records, const char *of)
{
	const SdcMicroaggregation *request = step->arguments;

	if (request->k > records)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("argument \"k\" is larger than the number of %s", of),
				 errhint("It must be at most " UINT64_FORMAT ".", records)));
}

/* check_plan insists on columns whose values have means, or medians at least, and no codes where there are units. */
static void
check_plan(SdcMethodStep *step, SdcSource *source, Oid catalog_schema, SdcTarget *target)
{
	const SdcMicroaggregation *request = step->arguments;

	(void) catalog_schema;
	(void) target;
	for (int i = 0; i < source->attribute_count; i++)
	{
		const SdcAttribute *attribute = &source->attributes[i];

		if (!sdc_step_is_of(step, attribute))
			continue;
		if (!sdc_averages_is_for(&attribute->type))
			ereport(ERROR,
					(errcode(ERRCODE_DATATYPE_MISMATCH),
					 errmsg("column \"%s\" cannot be microaggregated", NameStr(attribute->name)),
					 errdetail("Its type is %s.", format_type_be(attribute->type.typid)),
					 errhint("Numbers, dates, timestamps and enums can be; for other types use sdc_generalize.")));
		if (!request->median || request->suppress)
			sdc_type_refuse_new(attribute->type.typid, NameStr(attribute->name),
								"Use centre => 'median', or cast it to its base type in a view.");
		if (attribute->missing != NULL && source->unit_count > 0)
			ereport(ERROR,
					(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
					 errmsg("column \"%s\" has missing codes, and cannot be microaggregated by units",
							NameStr(attribute->name)),
					 errdetail("A unit can have several codes."),
					 errhint("Put NULL in the place of the codes in a view, or protect records with unit => '{}'.")));
	}
	if (request->each && step->protected_count > 1)
		ereport(WARNING,
				(errcode(ERRCODE_WARNING),
				 errmsg("%d columns are microaggregated each by itself", step->protected_count),
				 errdetail("Groups of \"k\" records protect one column; who knows several finds records by all of them together."),
				 errhint("Use scheme => 'joint', or look at sdc_people_found.")));
}

/* sdc_microaggregate_prepare: see microaggregate.h. */
void
sdc_microaggregate_prepare(SdcMethodStep *step, SdcMicroaggregation *request)
{
	request->found = makeStringInfo();
	step->method = sdc_methods_find(SDC_METHOD_MICROAGGREGATE);
	step->arguments = request;
	step->parameters = describe(request);
	step->changes = SDC_CHANGES_ANY;
	step->check_records = check_records;
	step->check_plan = check_plan;
	step->protect = protect;
	step->unit_size = SDC_UNIT_SIZE_ANY;
	step->unit_rows = SDC_UNIT_ROWS_EACH;
	step->together = !request->each;
	step->groups = !request->each && list_length(step->columns) != 1;
}
