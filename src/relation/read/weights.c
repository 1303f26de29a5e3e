/*-------------------------------------------------------------------------
 *
 * weights.c
 *		How many of the population each record stands for.
 *
 * A record of a survey stands for as many people as were sampled with its probability.  Weights enter what is said of
 * the population: means, totals, counts.  They do not enter who is found, as an intruder looks for one record.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <float.h>

#include "catalog/pg_type.h"
#include "relation/base/memory.h"
#include "relation/base/spi.h"
#include "relation/column/paircodes.h"
#include "relation/read/distributed.h"
#include "relation/read/sourceunits.h"
#include "relation/read/weights.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

/* sdc_weights_name: see weights.h. */
const char *
sdc_weights_name(Oid relid, bool given, const char *name)
{
	List	   *names;

	if (given)
		return name;
	names = sdc_label_columns(relid, SDC_ROLE_WEIGHT);
	if (list_length(names) > 1)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("columns \"%s\" and \"%s\" of relation \"%s\" are both classified as weight",
						(char *) linitial(names), (char *) lsecond(names), get_rel_name(relid)),
				 errhint("Name one of them in argument \"weight\"; '' there is none.")));
	return names == NIL ? NULL : linitial(names);
}

/* sdc_weights_require_number: see weights.h. */
void
sdc_weights_require_number(const char *name, const SdcType *type)
{
	if (sdc_type_is_numeric(type->typid))
		return;
	ereport(ERROR,
			(errcode(ERRCODE_DATATYPE_MISMATCH),
			 errmsg("column \"%s\" cannot be the weight", name),
			 errdetail("Its type is %s.", format_type_be(type->typid)),
			 errhint("Name a column of numbers in argument \"weight\".")));
}

/* sdc_weights_find: see weights.h. */
void
sdc_weights_find(Oid relid, const char *name)
{
	AttrNumber	number = sdc_source_find_column(relid, name, "weight");
	SdcType		type;

	sdc_type_lookup(&type, get_atttype(relid, number), InvalidOid);
	sdc_weights_require_number(name, &type);
}

/* sdc_weights_check: see weights.h. */
void
sdc_weights_check(const char *relation, const char *name, uint64 missing, uint64 bad)
{
	if (missing > 0)
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg_plural("column \"%s\" of relation \"%s\" has no weight in " UINT64_FORMAT " record",
							   "column \"%s\" of relation \"%s\" has no weight in " UINT64_FORMAT " records",
							   (unsigned long) missing, name, relation, missing),
				 errhint("Leave such records out with a view, give them a weight, or use weight => ''.")));
	if (bad > 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg_plural("column \"%s\" of relation \"%s\" has a weight that is not above 0 in " UINT64_FORMAT " record",
							   "column \"%s\" of relation \"%s\" has weights that are not above 0 in " UINT64_FORMAT " records",
							   (unsigned long) bad, name, relation, bad),
				 errhint("A weight says how many people a record stands for: a finite number above 0.")));
}

/* refuse_level raises the error about units that have several weights. */
static void
refuse_level(const char *name, uint64 units)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg_plural("column \"%s\" has different weights in " UINT64_FORMAT " unit",
						   "column \"%s\" has different weights in " UINT64_FORMAT " units", (unsigned long) units, name, units),
			 errhint("All records of a unit stand for as many people; argument \"unit\" names other units.")));
}

/* check_level insists on one weight for all records of a unit. */
static void
check_level(const SdcSource *source, SdcAttribute *attribute)
{
	if (source->units != NULL && sdc_sourceunits_level(source->units, attribute) == SDC_LEVEL_ROW)
		refuse_level(NameStr(attribute->name), attribute->units_differing);
}

/* sdc_weights_number: sums of exact numbers do not depend on their order. */
char *
sdc_weights_number(const char *record, const char *name)
{
	return psprintf("%s.%s::pg_catalog.numeric", record, quote_identifier(name));
}

/* count_in returns a count of the statement that was run. */
static uint64
count_in(int column)
{
	bool		isnull;

	return (uint64) DatumGetInt64(SPI_getbinval(SPI_tuptable->vals[0], SPI_tuptable->tupdesc, column, &isnull));
}

/* require_level insists on one weight for all records of a unit. */
static void
require_level(Oid relid, const char *name, const List *unit)
{
	const char *number = sdc_weights_number("source", name);
	StringInfoData sql;

	initStringInfo(&sql);
	appendStringInfo(&sql, "SELECT pg_catalog.count(*) FROM (SELECT FROM %s AS source GROUP BY ", sdc_spi_relation_name(relid));
	sdc_spi_append_columns(&sql, unit, "");
	appendStringInfo(&sql, " HAVING pg_catalog.min(%s) OPERATOR(pg_catalog.<>) pg_catalog.max(%s)) AS units", number, number);
	sdc_spi_select(sql.data);
	if (count_in(1) > 0)
		refuse_level(name, count_in(1));
}

/* sdc_weights_require: see weights.h. */
void
sdc_weights_require(Oid relid, const char *name, const List *unit)
{
	const char *number = sdc_weights_number("source", name);
	int			nest = sdc_distributed_begin(relid, NULL);

	sdc_spi_select(psprintf("SELECT pg_catalog.count(*) OPERATOR(pg_catalog.-) pg_catalog.count(source.%s), "
							"pg_catalog.count(*) FILTER (WHERE NOT (%s OPERATOR(pg_catalog.>) 0::pg_catalog.numeric AND "
							"%s OPERATOR(pg_catalog.<) 'Infinity'::pg_catalog.numeric)) FROM %s AS source",
							quote_identifier(name), number, number, sdc_spi_relation_name(relid)));
	sdc_weights_check(get_rel_name(relid), name, count_in(1), count_in(2));
	if (unit != NIL)
		require_level(relid, name, unit);
	sdc_distributed_end(nest);
}

/* sdc_weights_load: see weights.h. */
double *
sdc_weights_load(const SdcSource *source, SdcAttribute *attribute)
{
	SdcColumnReader *reader = sdc_column_open(attribute->column);
	double	   *weight = sdc_memory_array(source->records, sizeof(double));
	uint64		missing = 0;
	uint64		bad = 0;

	for (uint64 r = 0; r < source->records; r++)
	{
		Datum		value;

		sdc_interrupts_step(r);
		weight[r] = 0;
		if (!sdc_column_next(reader, &value))
			missing++;
		else
		{
			weight[r] = sdc_type_number(&attribute->type, value);
			bad += !(weight[r] > 0 && weight[r] <= DBL_MAX);
		}
	}
	sdc_column_close(reader);
	sdc_weights_check(source->name, NameStr(attribute->name), missing, bad);
	check_level(source, attribute);
	return weight;
}

/* plan_grouped has the mean of several weights released in the place of each; the type must be able to have it. */
static void
plan_grouped(SdcAttribute *attribute)
{
	if (attribute->type.base != FLOAT8OID && !(attribute->type.base == NUMERICOID && attribute->typmod < 0))
		ereport(ERROR,
				(errcode(ERRCODE_DATATYPE_MISMATCH),
				 errmsg("weights in column \"%s\" cannot be grouped", NameStr(attribute->name)),
				 errdetail("Its type %s cannot have their means exactly.",
						   format_type_with_typemod(attribute->type.typid, attribute->typmod)),
				 errhint("Make the column double precision or numeric, or do so in a view.")));
	if (attribute->action != SDC_ACTION_COPIED || attribute->generated)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("weights in column \"%s\" cannot be grouped", NameStr(attribute->name)),
				 errdetail("It is generated, left out, or part of the key.")));
	attribute->action = SDC_ACTION_GROUPED;
}

/* sdc_weights_refuse_unit: see weights.h. */
void
sdc_weights_refuse_unit(const char *name)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("column \"%s\" cannot be the weight, it names the unit of a record", name),
			 errhint("Name the column that says how many people a record stands for.")));
}

/* sdc_weights_plan: see weights.h. */
void
sdc_weights_plan(SdcSource *source, const SdcSourceRequest *request)
{
	const char *name;
	SdcAttribute *attribute;

	if (request->only_needed)
		return;
	name = sdc_weights_name(request->relid, request->weight_given, request->weight);
	if (name == NULL && request->weight_group > 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("argument \"weight_group\" is about a relation with weights"),
				 errhint("Name the column that has them in argument \"weight\".")));
	if (name == NULL)
		return;
	attribute = &source->attributes[sdc_source_find_attribute(source, name, "weight")];
	sdc_weights_require_number(name, &attribute->type);
	if (attribute->of_unit)
		sdc_weights_refuse_unit(name);
	if (attribute->level == SDC_LEVEL_ROW || attribute->action == SDC_ACTION_COMPUTED)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("column \"%s\" cannot be named in argument \"%s\", it is a weight", name,
						attribute->level == SDC_LEVEL_ROW ? "row_level" : "totals")));
	if (request->weight_group > 0)
		plan_grouped(attribute);
	attribute->named = attribute->is_weight = true;
}

/* sdc_source_weight: see source.h. */
SdcAttribute *
sdc_source_weight(const SdcSource *source)
{
	for (int i = 0; i < source->attribute_count; i++)
		if (source->attributes[i].is_weight)
			return &source->attributes[i];
	return NULL;
}
