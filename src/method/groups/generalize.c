/*-------------------------------------------------------------------------
 *
 * generalize.c
 *		Releasing ranges and sets of values for groups of records.
 *
 * A group's value of an attribute whose type has a range type is the range from its smallest to
 * its largest value, both included; of any other attribute it is the array of its distinct
 * values, in ascending order (text in collation "C").
 *
 * A missing value in a group is an element of the array.  A range cannot have it, so a group with
 * missing values has no range: giving one to the others only would tell who has a value.
 *
 * A column whose groups have half of its values on average, or more, is warned of: that is what two groups leave, and
 * what a column has that is never cut.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "kernel/groups/groupspan.h"
#include "method/groups/fulldomain.h"
#include "method/groups/generalize.h"
#include "miscadmin.h"
#include "relation/base/compat.h"
#include "relation/base/memory.h"
#include "relation/base/progress.h"
#include "relation/base/spi.h"
#include "relation/catalog/methods.h"
#include "relation/column/grouprecords.h"
#include "relation/column/rangevalue.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/rangetypes.h"
#include "utils/typcache.h"

/* A column is warned of if a group has so many percent of its values on average. */
#define WIDE_PERCENT 50

/* The groups with their records, and one attribute at work. */
typedef struct Generalization
{
	const SdcPartition *partition;
	SdcGroupRecords members;	/* the records of every group */
	const SdcPartitionColumn *column;
	const SdcAttribute *attribute;
	TypeCacheEntry *range;		/* NULL: arrays */
	char		align;
	uint32	   *seen;			/* by code: group + 1 in which it was seen last */
	uint32	   *found;			/* codes of the group at hand */
	SdcKept		kept;			/* the values of all groups */
	StringInfoData wide;		/* columns that little is left of, */
	int			wide_count;		/* and how many */
} Generalization;

/* check_plan decides which types the release has. */
static void
check_plan(SdcMethodStep *step, SdcSource *source, Oid catalog_schema, SdcTarget *target)
{
	const SdcPartitionRequest *request = step->arguments;

	(void) catalog_schema;
	(void) target;
	if (request->domain != NULL)
		sdc_fulldomain_plan(request, source);
	for (int i = 0; i < source->attribute_count; i++)
	{
		SdcAttribute *attribute = &source->attributes[i];

		/* along a hierarchy they are known */
		if (!sdc_step_is_of(step, attribute) || OidIsValid(attribute->release_type))
			continue;
		attribute->release_type = sdc_type_known(attribute->type.base)->range;
		if (!OidIsValid(attribute->release_type))
			attribute->release_type = type_is_array(attribute->type.base) ? InvalidOid :
				get_array_type(attribute->type.typid);
		if (!OidIsValid(attribute->release_type))
			ereport(ERROR,
					(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
					 errmsg("column \"%s\" cannot be generalized", NameStr(attribute->name)),
					 errdetail("There are no arrays of type %s.",
							   format_type_be(attribute->type.typid))));
	}
	sdc_partition_check(request, source);
}

/* code_value returns the value with a code of the attribute at work. */
static Datum
code_value(const Generalization *g, uint32 code)
{
	return sdc_dictionary_value(g->column->list->dictionary, g->column->coding.number[code]);
}

/* group_range returns the range of a group with the given codes at its ends. */
static Datum
group_range(const Generalization *g, uint32 smallest, uint32 largest)
{
	return RangeTypePGetDatum(sdc_rangevalue_range(g->range, g->attribute->type.base, code_value(g, smallest),
												   code_value(g, largest)));
}

/* compare_codes is for qsort. */
static int
compare_codes(const void *a, const void *b)
{
	uint32		left = *(const uint32 *) a;
	uint32		right = *(const uint32 *) b;

	return left < right ? -1 : left > right;
}

/* group_array returns the array of the count codes in g->found, and a NULL behind them. */
static Datum
group_array(const Generalization *g, uint32 count, bool has_null)
{
	uint32		elements = count + (has_null ? 1 : 0);
	Datum	   *value = palloc0(sizeof(Datum) * elements);
	bool	   *null = palloc0(sizeof(bool) * elements);
	int			lower = 1;
	int			dimension = (int) elements;

	qsort(g->found, count, sizeof(uint32), compare_codes);
	for (uint32 i = 0; i < count; i++)
		value[i] = code_value(g, g->found[i]);
	if (has_null)
		null[count] = true;
	return PointerGetDatum(construct_md_array(value, null, 1, &dimension, &lower,
											  g->attribute->type.typid, g->attribute->type.typlen,
											  g->attribute->type.typbyval, g->align));
}

/*
 * group_value returns what a group has of the attribute at work.  single tells whether
 * all its records have the same value.
 */
static Datum
group_value(Generalization *g, uint32 group, bool *isnull, bool *single)
{
	uint32		count = 0;
	bool		has_null = false;
	uint32		smallest = SDC_CODE_NULL;
	uint32		largest = 0;

	for (uint32 i = 0; i < sdc_grouprecords_count(&g->members, group); i++)
	{
		uint32		code = g->column->list->code[sdc_grouprecords_of(&g->members, group)[i]];

		if (code == SDC_CODE_NULL)
		{
			has_null = true;
			continue;
		}
		if (g->seen[code] == group + 1)
			continue;
		g->seen[code] = group + 1;
		g->found[count++] = code;
		smallest = Min(smallest, code);
		largest = Max(largest, code);
	}
	*single = count + (has_null ? 1 : 0) == 1;
	/* nobody is between a value and a missing one, or two of these */
	*isnull = g->range != NULL && (has_null || (!*single && largest >= g->column->coding.values));
	if (*isnull)
		return (Datum) 0;
	if (g->range != NULL)
		return group_range(g, smallest, largest);
	return group_array(g, count, has_null);
}

/*
 * generalize_column writes the new column of one attribute.  The values of all groups are
 * made first; they are about as large as the groups' ranges and arrays.
 */
static SdcColumn *
generalize_column(Generalization *g, SdcSpool *spool, uint64 *changed)
{
	const SdcPartition *partition = g->partition;
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "sdc generalization",
												  ALLOCSET_DEFAULT_SIZES);
	MemoryContext one = AllocSetContextCreate(context, "sdc group", ALLOCSET_DEFAULT_SIZES);
	MemoryContext old = MemoryContextSwitchTo(context);
	Datum	   *value = sdc_memory_array(partition->groups, sizeof(Datum));
	bool	   *null = sdc_memory_array(partition->groups, sizeof(bool));
	SdcColumn  *result = sdc_column_create(spool, g->attribute->release_type);

	g->found = sdc_memory_array(g->column->coding.codes, sizeof(uint32));
	g->seen = sdc_memory_zeros(g->column->coding.codes, sizeof(uint32));
	g->kept = (SdcKept) {0};
	*changed = 0;
	for (uint32 i = 0; i < partition->groups; i++)
	{
		bool		single;

		MemoryContextSwitchTo(one);
		value[i] = group_value(g, i, &null[i], &single);
		MemoryContextSwitchTo(context);
		if (!null[i])
			value[i] = PointerGetDatum(sdc_memory_keep(&g->kept, DatumGetPointer(value[i]),
													   VARSIZE_ANY(DatumGetPointer(value[i]))));
		MemoryContextReset(one);
		if (!single)
			*changed += sdc_grouprecords_count(&g->members, i);
		/* a group's array can be large */
		CHECK_FOR_INTERRUPTS();
	}
	for (uint32 r = 0; r < partition->records; r++)
	{
		sdc_column_append(result, value[partition->group[r]], null[partition->group[r]]);
		CHECK_FOR_INTERRUPTS();
		if (r % 4096 == 0)
			sdc_progress_records(r);
	}
	sdc_column_finish(result);
	MemoryContextSwitchTo(old);
	MemoryContextDelete(context);
	return result;
}

/* look_at_spans notes that groups have many values of the attribute at work. */
static void
look_at_spans(Generalization *g)
{
	SdcGroupSpanTask task = {g->partition->records, g->column->list->code, g->column->coding.codes, g->partition->group,
	g->partition->groups, g->range != NULL};
	int			percent;

	percent = sdc_groupspan_percent(sdc_groupspan_measure(&task));
	if (percent < WIDE_PERCENT)
		return;
	sdc_spi_append_name(&g->wide, NameStr(g->attribute->name), g->wide_count++ == 0);
	appendStringInfo(&g->wide, " (%d %%)", percent);
}

/* warn_wide names the columns that were noted. */
static void
warn_wide(const Generalization *g)
{
	if (g->wide_count > 0)
		ereport(WARNING,
				(errcode(ERRCODE_WARNING),
				 errmsg_plural("on average, a group has half of the values of a generalized column or more: %s",
							   "on average, a group has half of the values of generalized columns or more: %s",
							   g->wide_count, g->wide.data),
				 errdetail_plural("All records are in %u group.", "The records are in %u groups.",
								  g->partition->groups, g->partition->groups),
				 errhint("Use a smaller \"k\" or \"l\", or leave columns out of \"qi\": the fewer there are, the narrower each becomes.")));
}

/* protect generalizes attribute by attribute. */
static void
protect(SdcMethodStep *step, SdcSource *source, SdcSpool *spool, SdcRandom *random)
{
	const SdcPartitionRequest *request = step->arguments;
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "sdc generalize",
												  ALLOCSET_DEFAULT_SIZES);
	MemoryContext old = MemoryContextSwitchTo(context);
	Generalization g = {0};
	SdcPartition *partition = sdc_partition_make(request, source, spool, random);
	ListCell   *cell;

	g.partition = partition;
	initStringInfo(&g.wide);
	sdc_grouprecords_list(partition->group, partition->records, partition->groups, &g.members);
	foreach(cell, request->qi)
	{
		int			i = sdc_source_find_attribute(source, lfirst(cell), "qi");
		SdcAttribute *attribute = &source->attributes[i];
		SdcColumn  *result;
		int16		length;
		bool		byval;

		g.attribute = attribute;
		g.column = partition->qi == NULL ? NULL : &partition->qi[foreach_current_index(cell)];
		g.range = sdc_rule_find(request->domain == NULL ? NIL : request->domain->hierarchies, lfirst(cell)) != NULL ||
			(request->domain != NULL && !request->domain->cuts) || type_is_array(attribute->release_type) ? NULL :
			lookup_type_cache(attribute->release_type, TYPECACHE_RANGE_INFO);
		get_typlenbyvalalign(attribute->type.typid, &length, &byval, &g.align);
		if (partition->groups == 0)
		{
			/* no records, no codes */
			result = sdc_column_create(spool, attribute->release_type);
			sdc_column_finish(result);
		}
		else if (sdc_fulldomain_has(partition, foreach_current_index(cell)))
			result = sdc_fulldomain_column(partition, foreach_current_index(cell), source, attribute, spool);
		else
		{
			result = generalize_column(&g, spool, &attribute->changed);
			look_at_spans(&g);
		}
		sdc_column_destroy(attribute->column);
		attribute->column = result;
		sdc_progress_next();
	}
	if (!step->quiet)
		warn_wide(&g);
	source->group = sdc_partition_column(partition, spool);
	MemoryContextSwitchTo(old);
	if (partition->domain != NULL)
		step->parameters = sdc_partition_describe(request, NULL, partition);
	MemoryContextDelete(context);
}

/* sdc_generalize_prepare fills in a step. */
void
sdc_generalize_prepare(SdcMethodStep *step, const SdcPartitionRequest *request)
{
	step->method = sdc_methods_find(SDC_METHOD_GENERALIZE);
	step->arguments = request;
	step->parameters = sdc_partition_describe(request, NULL, NULL);
	step->qi = request->qi;
	if (request->sensitive != NULL)
		step->sensitive = list_make1(unconstify(char *, request->sensitive));
	step->changes = SDC_CHANGES_ANY;
	step->check_plan = check_plan;
	step->protect = protect;
	step->columns_given = true;
	step->columns = step->relabelled = request->qi;
	step->read_besides = step->sensitive;
	step->columns_argument = "qi";
	step->class_units = request->k;
	step->together = true;
}
