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

#include "relation/base/memory.h"
#include "relation/column/paircodes.h"
#include "relation/read/sourceunits.h"
#include "relation/read/weights.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

/* sdc_weights_name: see weights.h. */
const char *
sdc_weights_name(Oid relid, bool given, const char *name)
{
	SdcRole    *roles;
	int			count;

	if (given)
		return name;
	roles = sdc_label_roles(relid, &count);
	for (int i = 0; i < count; i++)
	{
		char	   *classified = get_attname(relid, (AttrNumber) (i + 1), true);

		if (roles[i] != SDC_ROLE_WEIGHT || classified == NULL)
			continue;
		if (name != NULL)
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("columns \"%s\" and \"%s\" of relation \"%s\" are both classified as weight", name,
							classified, get_rel_name(relid)),
					 errhint("Name one of them in argument \"weight\"; '' there is none.")));
		name = classified;
	}
	return name;
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

/* check_level insists on one weight for all records of a unit. */
static void
check_level(const SdcSource *source, SdcAttribute *attribute)
{
	if (source->units == NULL || sdc_sourceunits_level(source->units, attribute) == SDC_LEVEL_UNIT)
		return;
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg_plural("column \"%s\" has different weights in %u unit", "column \"%s\" has different weights in %u units",
						   attribute->units_differing, NameStr(attribute->name), attribute->units_differing),
			 errhint("All records of a unit stand for as many people; argument \"unit\" names other units.")));
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
			weight[r] = sdc_value_number(&attribute->type, value);
			bad += !(weight[r] > 0 && weight[r] <= DBL_MAX);
		}
	}
	sdc_column_close(reader);
	sdc_weights_check(source->name, NameStr(attribute->name), missing, bad);
	check_level(source, attribute);
	return weight;
}
