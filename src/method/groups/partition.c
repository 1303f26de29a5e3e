/*-------------------------------------------------------------------------
 *
 * partition.c
 *		The groups of a relation's records that generalization and permutation make.
 *
 * Mondrian with entropy l-diversity after K. LeFevre, D. DeWitt, R. Ramakrishnan, "Mondrian
 * multidimensional k-anonymity" (ICDE 2006); Anatomy after X. Xiao, Y. Tao, "Anatomy: simple and
 * effective privacy preservation" (VLDB 2006).
 *
 * Memory: four bytes a record and attribute, the distinct values, and what the kernel takes.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_type.h"
#include "kernel/base/units.h"
#include "kernel/groups/anatomy.h"
#include "kernel/partition/mondrian.h"
#include "lib/stringinfo.h"
#include "method/groups/fulldomain.h"
#include "miscadmin.h"
#include "relation/base/memory.h"
#include "relation/base/shortest.h"
#include "relation/catalog/methods.h"
#include "relation/column/grouprecords.h"
#include "relation/column/paircodes.h"
#include "relation/read/missing.h"

#define PURPOSE_GROUPS "groups"
/* The records of the strata, and what is grouped. */
typedef struct Partitioning
{
	const SdcPartitionRequest *request;
	SdcSource  *source;
	SdcRandom  *random;
	SdcPartition  *groups;
	SdcCodedColumn *qi;			/* for the kernel */
	bool	   *missing;		/* of each of them: it misses values */
	SdcCodedFile coded;
	SdcPartitionColumn values;	/* of the sensitive column */
	SdcCodedColumn sensitive;
	bool		has_sensitive;
	uint32		strata;
	SdcGroupRecords members;	/* of the strata; without a member: there is one stratum */
} Partitioning;

/* check_named insists that an attribute can take part in the grouping. */
static void
check_named(SdcSource *source, const char *name, const char *argument)
{
	SdcAttribute *attribute =
		&source->attributes[sdc_source_find_attribute(source, name, argument)];

	if (attribute->action == SDC_ACTION_OMITTED)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("column \"%s\" cannot be both left out and named in argument \"%s\"",
						name, argument),
				 attribute->role == SDC_ROLE_IDENTIFIER ?
				 errdetail("It is classified as identifier.") : 0));
	if (attribute->action == SDC_ACTION_KEY)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("column \"%s\" cannot be named in argument \"%s\", it is part of the key",
						name, argument),
				 errhint("Leave it out, or name another key.")));
	sdc_source_require_order(source, attribute, "used for groups");
	attribute->type.collation = sdc_type_order_collation(attribute->type.collation);
}

/* sdc_partition_check checks a request against the plan. */
void
sdc_partition_check(const SdcPartitionRequest *request, SdcSource *source)
{
	ListCell   *cell;

	foreach(cell, request->qi)
	{
		check_named(source, lfirst(cell), "qi");
		if (request->sensitive != NULL && strcmp(lfirst(cell), request->sensitive) == 0)
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("column \"%s\" cannot be both quasi-identifier and sensitive",
							request->sensitive)));
	}
	if (request->sensitive != NULL)
		check_named(source, request->sensitive, "sensitive");
	for (int i = 0; i < source->attribute_count && !source->keeps_row_type; i++)
		if (source->attributes[i].action != SDC_ACTION_OMITTED &&
			strcmp(NameStr(source->attributes[i].name), SDC_GROUP_COLUMN) == 0)
			ereport(ERROR,
					(errcode(ERRCODE_DUPLICATE_COLUMN),
					 errmsg("relation \"%s\" has a column \"%s\"", source->name, SDC_GROUP_COLUMN),
					 errdetail("The release gets a column of this name."),
					 errhint("Leave it out with argument \"omit\", or rename it in a view.")));
}

/* encode_column gives a column its codes: those of missing codes come behind all values. */
static void
encode_column(SdcSource *source, const char *name, SdcPartitionColumn *result)
{
	int			i = sdc_source_find_attribute(source, name, "qi");
	SdcAttribute *attribute = &source->attributes[i];

	result->list = sdc_paircodes_number(attribute->column, sdc_dictionary_create(&attribute->type));
	sdc_dictionary_codes(result->list->dictionary, &result->coding);
	sdc_missing_last(attribute, result->list->dictionary, &result->coding);
	sdc_codelist_rank(result->list, &result->coding);
}

/* coded_column is a column as the kernels see it. */
static SdcCodedColumn
coded_column(const SdcPartitionColumn *column)
{
	SdcCodedColumn coded = {column->list->code, column->coding.codes};

	return coded;
}

/* find_members lists the records by stratum. */
static void
find_members(Partitioning *p)
{
	uint64		records = p->source->records;
	uint32	   *stratum;

	p->strata = (uint32) Max(p->source->strata_found, 1);
	if (p->source->stratum == NULL)
		return;
	stratum = sdc_grouprecords_strata(p->source->stratum, records);
	sdc_grouprecords_list(stratum, records, p->strata, &p->members);
	sdc_free(stratum);
}

/* stratum_records returns the records of a stratum, NULL for all, and their number. */
static const uint32 *
stratum_records(const Partitioning *p, uint32 stratum, uint32 *count)
{
	if (p->members.member == NULL)
	{
		*count = p->groups->records;
		return NULL;
	}
	*count = sdc_grouprecords_count(&p->members, stratum);
	return sdc_grouprecords_of(&p->members, stratum);
}

/* refuse_l raises the error for an l that is too large. */
static void
refuse_l(const Partitioning *p, const char *feasible)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("argument \"l\" is not feasible"),
			 p->request->kind == SDC_PARTITION_ANATOMY ?
			 errdetail("The most frequent value of column \"%s\" would be in a group more than once.",
					   p->request->sensitive) :
			 errdetail("All records together do not have that diversity of column \"%s\".",
					   p->request->sensitive),
			 errhint("The largest feasible l is %s%s.%s", feasible,
					 p->strata > 1 ? ", that of the least diverse stratum" : "",
					 p->request->kind == SDC_PARTITION_ANATOMY ?
					 "  With force => true the groups are made as far as possible." : "")));
}

/* refuse_k raises the error for a k that is too large. */
static void
refuse_k(const Partitioning *p, uint32 records)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("argument \"k\" is larger than the number of %s%s",
					p->source->units != NULL ? "units" : "records", p->strata > 1 ? " of a stratum" : ""),
			 errhint("It must be between 1 and %u.", records)));
}

/* The largest six-digit decimal that is not above a feasible l. */
static char *
feasible_text(double diversity)
{
	return psprintf("%g", floor(diversity * 1e4) / 1e4);
}

/* count_units counts the units of some records; seen is by unit, and has the stratum in which each was seen last. */
static uint32
count_units(const SdcMondrianTask *task, uint32 stratum, uint32 *seen)
{
	uint32		units = 0;

	for (uint32 i = 0; i < task->records; i++)
	{
		uint32		unit = task->unit[task->record == NULL ? i : task->record[i]];

		units += seen[unit] != stratum + 1;
		seen[unit] = stratum + 1;
	}
	return units;
}

/* fewest_units returns how many units the stratum has that has fewest. */
static uint32
fewest_units(const Partitioning *p, SdcMondrianTask *task)
{
	uint32	   *seen = sdc_memory_zeros(task->units, sizeof(uint32));
	uint32		fewest = task->units;

	for (uint32 s = 0; s < p->strata; s++)
	{
		uint32		units;

		task->record = stratum_records(p, s, &task->records);
		units = count_units(task, s, seen);
		fewest = Min(fewest, units);
	}
	sdc_free(seen);
	return fewest;
}

/* take_units has k count units, where there are some. */
static void
take_units(const Partitioning *p, SdcMondrianTask *task)
{
	const SdcUnits *units = p->source->units;

	if (units == NULL)
		return;
	if (task->l > 0)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("argument \"l\" is not for columns of which units have several values"),
				 errdetail("The diversity of a group would be that of its records, of fewer units."),
				 errhint("Generalize columns that have one value in each unit, or count records with unit => '{}'.")));
	task->unit = units->of;
	task->units = units->count;
}

/* partition_mondrian groups each stratum by Mondrian. */
static void
partition_mondrian(Partitioning *p)
{
	SdcMondrianTask task = {0};
	double		diversity = INFINITY;
	uint32		smallest = p->groups->records;

	task.qi = &p->coded;
	task.missing = p->missing;
	task.sensitive = p->has_sensitive ? &p->sensitive : NULL;
	task.l = p->request->l;
	task.k = p->request->k;
	task.records = p->groups->records;
	take_units(p, &task);
	for (uint32 s = 0; s < p->strata; s++)
	{
		task.record = stratum_records(p, s, &task.records);
		smallest = Min(smallest, task.records);
		if (task.l > 0)
			diversity = Min(diversity, sdc_mondrian_diversity(&task));
	}
	if (task.unit != NULL)
		smallest = fewest_units(p, &task);
	if (p->request->k > smallest)
		refuse_k(p, smallest);
	if (task.l > 0 && log(diversity) < log(task.l) - 1e-12 && !p->request->force)
		refuse_l(p, feasible_text(diversity));
	for (uint32 s = 0; s < p->strata; s++)
	{
		SdcReportScope before = SDC_REPORT_WITHIN(s, s + 1, p->strata);

		task.record = stratum_records(p, s, &task.records);
		/* forced: what is not diverse enough as a whole is one group */
		if (task.l > 0 && log(sdc_mondrian_diversity(&task)) < log(task.l) - 1e-12)
		{
			for (uint32 i = 0; i < task.records; i++)
				p->groups->group[task.record == NULL ? i : task.record[i]] = p->groups->groups;
			p->groups->groups++;
		}
		else
			p->groups->groups += sdc_mondrian(&task, p->groups->groups, p->groups->group);
		SDC_REPORT_BACK(before);
		CHECK_FOR_INTERRUPTS();
	}
}

/* refuse_t raises the error for records that do not satisfy what is asked for, all together. */
static void
refuse_t(const Partitioning *p)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("argument \"t\" is not feasible"),
			 errdetail("All records%s together are not so close to the source in column \"%s\".",
					   p->strata > 1 ? " of a stratum" : "", p->request->sensitive),
			 errhint("Use a larger t, or fewer strata.")));
}

/* partition_fulldomain groups each stratum along hierarchies. */
static void
partition_fulldomain(Partitioning *p)
{
	const SdcPartitionRequest *request = p->request;
	double		diversity = INFINITY;
	uint32		smallest = p->groups->records;
	uint32		k = request->domain->sets == NULL ? request->k :
		sdc_combinations_largest_k(&request->domain->combinations);

	if (p->source->units != NULL)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("hierarchies are not for columns of which units have several values"),
				 errhint("Generalize columns that have one value in each unit, or count records with unit => '{}'.")));
	p->groups->domain = sdc_fulldomain_begin(request, p->source, p->groups, p->strata);
	for (uint32 s = 0; s < p->strata; s++)
	{
		SdcMondrianTask task = {.qi = &p->coded, .sensitive = p->has_sensitive ? &p->sensitive : NULL};

		task.record = stratum_records(p, s, &task.records);
		smallest = Min(smallest, task.records);
		if (request->l > 0)
			diversity = Min(diversity, sdc_mondrian_diversity(&task));
	}
	if (k > smallest)
		refuse_k(p, smallest);
	if (request->l > 0 && log(diversity) < log(request->l) - 1e-12)
		refuse_l(p, feasible_text(diversity));
	for (uint32 s = 0; s < p->strata; s++)
	{
		SdcReportScope before = SDC_REPORT_WITHIN(s, s + 1, p->strata);
		uint32		records;
		const uint32 *record = stratum_records(p, s, &records);
		uint32		groups = sdc_fulldomain_group(p->groups->domain, request, p->groups,
												  p->has_sensitive ? &p->values : NULL, s, record, records);

		if (groups == 0)
			refuse_t(p);
		p->groups->groups += groups;
		SDC_REPORT_BACK(before);
	}
}

/* partition_anatomy groups each stratum by Anatomy. */
static void
partition_anatomy(Partitioning *p)
{
	SdcAnatomyTask task = {0};
	uint32		feasible = UINT32_MAX;

	task.sensitive = &p->sensitive;
	task.l = (uint32) Min(p->request->l, (double) PG_INT32_MAX);
	for (uint32 s = 0; s < p->strata; s++)
	{
		task.record = stratum_records(p, s, &task.records);
		feasible = Min(feasible, sdc_anatomy_feasible(&task));
	}
	if (task.l > feasible && !p->request->force)
		refuse_l(p, psprintf("%u", feasible));
	for (uint32 s = 0; s < p->strata; s++)
	{
		SdcStream  *stream = sdc_random_start(p->random, p->request->sensitive, PURPOSE_GROUPS, s);

		task.record = stratum_records(p, s, &task.records);
		p->groups->groups += sdc_anatomy(&task, stream, p->groups->groups, p->groups->group);
		sdc_random_verify(p->random);
		CHECK_FOR_INTERRUPTS();
	}
}

/* encode gives the attributes that are looked at their codes. */
static void
encode(Partitioning *p)
{
	const SdcPartitionRequest *request = p->request;
	SdcPartition  *groups = p->groups;
	ListCell   *cell;

	if (request->kind == SDC_PARTITION_MONDRIAN)
	{
		groups->attributes = list_length(request->qi);
		groups->qi = palloc(sizeof(SdcPartitionColumn) * groups->attributes);
		p->qi = palloc(sizeof(SdcCodedColumn) * groups->attributes);
		p->missing = palloc(sizeof(bool) * groups->attributes);
		foreach(cell, request->qi)
		{
			SdcPartitionColumn *column = &groups->qi[foreach_current_index(cell)];

			encode_column(p->source, lfirst(cell), column);
			p->qi[foreach_current_index(cell)] = coded_column(column);
			p->missing[foreach_current_index(cell)] = sdc_column_null_count(
				p->source->attributes[sdc_source_find_attribute(p->source, lfirst(cell), "qi")].column) > 0;
		}
	}
	p->coded.records = groups->records;
	p->coded.attributes = groups->attributes;
	p->coded.column = p->qi;
	p->has_sensitive = request->sensitive != NULL &&
		(request->l > 0 || (request->domain != NULL && request->domain->t >= 0));
	if (!p->has_sensitive)
		return;
	encode_column(p->source, request->sensitive, &p->values);
	p->sensitive = coded_column(&p->values);
}

/*
 * number_by_records numbers the groups anew, in the order of their first records: the order in which
 * they were made can tell more of their values than is released.
 */
static void
number_by_records(SdcPartition *groups)
{
	uint32	   *number = sdc_memory_array(groups->groups, sizeof(uint32));
	uint32		count = 0;

	memset(number, 0xFF, groups->groups * sizeof(uint32));
	for (uint32 r = 0; r < groups->records; r++)
	{
		uint32		group = groups->group[r];

		if (number[group] == UINT32_MAX)
			number[group] = count++;
		groups->group[r] = number[group];
	}
	Assert(count == groups->groups);
	sdc_free(number);
}

/* sdc_partition_make groups the records of a source. */
SdcPartition *
sdc_partition_make(const SdcPartitionRequest *request, SdcSource *source, SdcSpool *spool,
				  SdcRandom *random)
{
	Partitioning p = {0};

	p.request = request;
	p.source = source;
	p.random = random;
	p.groups = palloc0(sizeof(SdcPartition));
	p.groups->records = (uint32) source->records;
	sdc_spool_set_limit(spool, 0);
	p.groups->group = sdc_memory_array(source->records, sizeof(uint32));
	if (source->records == 0)
		return p.groups;
	find_members(&p);
	encode(&p);
	if (request->domain != NULL)
		partition_fulldomain(&p);
	else if (request->kind == SDC_PARTITION_MONDRIAN)
		partition_mondrian(&p);
	else
		partition_anatomy(&p);
	number_by_records(p.groups);
	if (p.groups->domain != NULL)
		sdc_fulldomain_levels(p.groups);
	return p.groups;
}

/* sdc_partition_column returns the groups as a column. */
SdcColumn *
sdc_partition_column(const SdcPartition *groups, SdcSpool *spool)
{
	return sdc_grouprecords_column(groups->group, groups->records, 1, spool);
}

/* sdc_partition_describe writes the parameters for the catalog. */
char *
sdc_partition_describe(const SdcPartitionRequest *request, const char *grouping_method, const SdcPartition *groups)
{
	StringInfoData json;
	const char *comma = "";

	initStringInfo(&json);
	appendStringInfoChar(&json, '{');
	if (request->l > 0)
	{
		appendStringInfo(&json, "\"" SDC_PARAMETER_L "\": %s", sdc_shortest_text(request->l));
		comma = ", ";
	}
	if (request->k > 0)
	{
		appendStringInfo(&json, "%s\"" SDC_PARAMETER_K "\": %u", comma, request->k);
		comma = ", ";
	}
	if (grouping_method != NULL)
		appendStringInfo(&json, "%s\"" SDC_PARAMETER_GROUPING_METHOD "\": \"%s\"", comma, grouping_method);
	if (request->domain != NULL)
		sdc_fulldomain_describe(&json, comma, request, groups == NULL ? NULL : groups->domain);
	if (request->force)
		appendStringInfoString(&json, ", \"" SDC_PARAMETER_FORCE "\": true");
	appendStringInfoChar(&json, '}');
	return json.data;
}
