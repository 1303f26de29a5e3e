/*-------------------------------------------------------------------------
 *
 * suppress.c
 *		Local suppression: values of quasi-identifiers become NULL until every record has others like it.
 *
 * Which values is decided by kernel/groups/suppress.c, for each stratum by itself.  A column can be one that a recoding
 * has made: then it is looked at as the release has it.  Of records that are about units the units are looked at, which
 * have one value of each column.  Missing codes are values like others.
 *
 * Memory: eight bytes a record and column, some 40 a record, and the distinct values.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "kernel/base/units.h"
#include "method/groups/suppress.h"
#include "miscadmin.h"
#include "relation/base/compat.h"
#include "relation/base/memory.h"
#include "relation/base/progress.h"
#include "relation/base/shortest.h"
#include "relation/catalog/methods.h"
#include "relation/column/grouprecords.h"
#include "relation/column/paircodes.h"
#include "relation/read/sourceunits.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/typcache.h"

/* attribute_of returns the attribute of a quasi-identifier. */
static SdcAttribute *
attribute_of(SdcSource *source, const char *name)
{
	return &source->attributes[sdc_source_find_attribute(source, name, "qi")];
}

/* codes_of gives what the records, or units, have in a column its codes. */
static SdcCodedColumn
codes_of(const SdcSource *source, const SdcAttribute *attribute)
{
	SdcCodedColumn records = sdc_paircodes_codes(attribute->column, &attribute->type);
	const SdcUnits *units = source->units;
	uint32	   *code;

	if (units == NULL)
		return records;
	code = sdc_memory_array(units->count, sizeof(uint32));
	for (uint32 u = 0; u < units->count; u++)
	{
		code[u] = records.code[units->member[units->start[u]]];
		sdc_interrupts_step(u);
	}
	sdc_free(unconstify(uint32 *, records.code));
	return (SdcCodedColumn) {code, records.codes};
}

/* check_levels insists on columns of which units have one value. */
static void
check_levels(const SdcSuppressionRequest *request, SdcSource *source)
{
	const SdcAttribute *of_units = NULL;
	const SdcAttribute *of_rows = NULL;
	ListCell   *cell;

	foreach(cell, request->qi)
	{
		const SdcAttribute *attribute = attribute_of(source, lfirst(cell));

		if (attribute->level == SDC_LEVEL_ROW)
			of_rows = attribute;
		else
			of_units = attribute;
	}
	if (of_rows != NULL && of_units != NULL)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("columns \"%s\" and \"%s\" cannot be protected together", NameStr(of_units->name),
						NameStr(of_rows->name)),
				 errdetail("All records of a unit have the same value of the first, and some units have several values of the second."),
				 errhint("Protect them in two steps of sdc_protect.")));
	if (of_rows != NULL)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("values of column \"%s\" cannot be suppressed by units", NameStr(of_rows->name)),
				 errdetail("Units have several values of it, and \"k\" counts units."),
				 errhint("Name columns that have one value in each unit, or count records with unit => '{}'.")));
}

/* refuse_k raises the error for a k that is too large. */
sdc_noreturn static void
refuse_k(const SdcSource *source, bool strata, uint32 smallest)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("a \"k\" is larger than the number of %s%s", source->units != NULL ? "units" : "records",
					strata ? " of a stratum" : ""),
			 errhint("It must be between 1 and %u.", smallest)));
}

/* The records, or units, of the strata; without a member there is one stratum. */
typedef struct Strata
{
	uint32		count;
	uint32		records;
	SdcGroupRecords members;
} Strata;

/*
 * number_strata returns the stratum of every record, or unit: units of about as many records are a stratum, as how many
 * there are shows.  NULL: there is one.
 */
static uint32 *
number_strata(const SdcSource *source, uint32 k, uint32 *count)
{
	uint32	   *stratum;
	uint32	   *class;

	*count = (uint32) Max(source->strata_found, 1);
	if (source->units == NULL)
		return source->stratum == NULL ? NULL : sdc_grouprecords_strata(source->stratum, source->records);
	stratum = sdc_sourceunits_strata(source);
	class = sdc_memory_array(source->units->count, sizeof(uint32));
	*count = sdc_units_size_classes(source->units, stratum, *count, Max(k, 2), class);
	if (stratum != NULL)
		sdc_free(stratum);
	return class;
}

/* find_strata lists them, and insists on as many in each as are demanded. */
static void
find_strata(const SdcSuppressionRequest *request, const SdcSource *source, Strata *strata)
{
	uint32		k = sdc_combinations_largest_k(&request->combinations);
	uint32		smallest;
	uint32	   *stratum;

	*strata = (Strata) {1, source->units != NULL ? source->units->count : (uint32) source->records, {0}};
	smallest = strata->records;
	stratum = number_strata(source, k, &strata->count);
	if (stratum != NULL)
	{
		sdc_grouprecords_list(stratum, strata->records, strata->count, &strata->members);
		sdc_free(stratum);
		for (uint32 s = 0; s < strata->count; s++)
		{
			uint32		records = sdc_grouprecords_count(&strata->members, s);

			smallest = Min(smallest, records);
		}
	}
	if (k > smallest)
		refuse_k(source, source->stratum != NULL, smallest);
}

/* decide decides which values become NULL: bits by record, or unit. */
static uint64 *
decide(const SdcSuppressionRequest *request, const Strata *strata, const SdcCodedColumn *column)
{
	int			columns = list_length(request->qi);
	uint64	   *blank = sdc_memory_zeros(strata->records, sizeof(uint64));
	SdcCodedFile coded = {strata->records, columns, column};
	double	   *cost = palloc(sizeof(double) * columns);
	SdcSuppressTask task = {&coded, NULL, strata->records, cost, request->combinations.demand,
	request->combinations.count};

	for (int j = 0; j < columns; j++)
		cost[j] = request->importance == NULL ? 1 : request->importance[j];
	for (uint32 s = 0; s < strata->count; s++)
	{
		SdcReportScope before = SDC_REPORT_WITHIN(s, s + 1, strata->count);

		if (strata->members.member != NULL)
		{
			task.record = sdc_grouprecords_of(&strata->members, s);
			task.records = sdc_grouprecords_count(&strata->members, s);
		}
		sdc_suppress(&task, blank);
		SDC_REPORT_BACK(before);
		CHECK_FOR_INTERRUPTS();
	}
	return blank;
}

/* blank_column puts NULL in the place of values of a column, and counts the records whose value was taken out. */
static SdcColumn *
blank_column(const SdcSource *source, SdcAttribute *attribute, const uint64 *blank, int bit, SdcSpool *spool)
{
	SdcColumnReader *reader = sdc_column_open(attribute->column);
	SdcColumn  *result = sdc_column_create(spool, sdc_column_type(attribute->column));

	for (uint64 r = 0; r < source->records; r++)
	{
		uint64		bits = blank[source->units == NULL ? r : source->units->of[r]];
		Datum		value;
		bool		has = sdc_column_next(reader, &value);
		bool		out = has && (bits >> bit & 1) != 0;

		sdc_interrupts_step(r);
		if (r % 4096 == 0)
			sdc_progress_records(r);
		attribute->suppressed += out;
		sdc_column_append(result, value, !has || out);
	}
	attribute->changed = attribute->suppressed;
	sdc_column_close(reader);
	sdc_column_finish(result);
	return result;
}

/* protect suppresses values. */
static void
protect(SdcMethodStep *step, SdcSource *source, SdcSpool *spool, SdcRandom *random)
{
	const SdcSuppressionRequest *request = step->arguments;
	SdcCodedColumn *column = palloc0(sizeof(SdcCodedColumn) * list_length(request->qi));
	Strata		strata;
	uint64	   *blank;
	ListCell   *cell;

	(void) random;
	if (source->units != NULL)
		check_levels(request, source);
	if (source->records == 0)
		return;
	find_strata(request, source, &strata);
	foreach(cell, request->qi)
		column[foreach_current_index(cell)] = codes_of(source, attribute_of(source, lfirst(cell)));
	blank = decide(request, &strata, column);
	foreach(cell, request->qi)
	{
		SdcAttribute *attribute = attribute_of(source, lfirst(cell));
		SdcColumn  *result = blank_column(source, attribute, blank, foreach_current_index(cell), spool);

		sdc_free(unconstify(uint32 *, column[foreach_current_index(cell)].code));
		sdc_column_destroy(attribute->column);
		attribute->column = result;
		if (sdc_step_is_of(step, attribute))
			sdc_progress_next();
	}
	sdc_free(blank);
	if (strata.members.member != NULL)
		sdc_grouprecords_free(&strata.members);
}

/* check_plan insists on columns that can have NULL. */
static void
check_plan(SdcMethodStep *step, SdcSource *source, Oid catalog_schema, SdcTarget *target)
{
	const SdcSuppressionRequest *request = step->arguments;
	ListCell   *cell;

	(void) catalog_schema;
	(void) target;
	foreach(cell, request->qi)
	{
		SdcAttribute *attribute = attribute_of(source, lfirst(cell));

		attribute->type.collation = sdc_type_order_collation(attribute->type.collation);
		attribute->suppressible = true;
		if (DomainHasConstraints(attribute->type.typid))
			ereport(ERROR,
					(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
					 errmsg("values of column \"%s\" cannot be suppressed", NameStr(attribute->name)),
					 errdetail("Its type %s is a domain with constraints, which NULL could violate.",
							   format_type_be(attribute->type.typid)),
					 errhint("Cast it to its base type in a view.")));
	}
}

/* describe writes the parameters for the catalog. */
static char *
describe(const SdcSuppressionRequest *request)
{
	StringInfoData json;

	initStringInfo(&json);
	appendStringInfo(&json, "{\"" SDC_PARAMETER_K "\": %u", request->k);
	for (int j = 0; j < list_length(request->qi) && request->importance != NULL; j++)
		appendStringInfo(&json, "%s%s%s", j == 0 ? ", \"" SDC_PARAMETER_IMPORTANCE "\": [" : ", ",
						 sdc_shortest_text(request->importance[j]), j == list_length(request->qi) - 1 ? "]" : "");
	if (request->sets != NULL)
		appendStringInfo(&json, ", \"" SDC_PARAMETER_COMBINATIONS "\": %s",
						 JsonbToCString(NULL, &request->sets->root, -1));
	appendStringInfoChar(&json, '}');
	return json.data;
}

/* sdc_suppress_prepare: see suppress.h. */
void
sdc_suppress_prepare(SdcMethodStep *step, SdcSuppressionRequest *request)
{
	sdc_combinations_read(request->sets, request->qi, request->k, SDC_SUPPRESS_SET, &request->combinations);
	step->method = sdc_methods_find(SDC_METHOD_SUPPRESS);
	step->arguments = request;
	step->parameters = describe(request);
	step->qi = request->qi;
	step->changes = SDC_CHANGES_ANY;
	step->check_plan = check_plan;
	step->protect = protect;
	step->columns_given = true;
	step->columns = request->qi;
	step->columns_argument = "qi";
}
