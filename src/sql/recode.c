/*-------------------------------------------------------------------------
 *
 * recode.c
 *		sdc_recode, sdc_hierarchy_check.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"
#include "measure/groups/hierarchycheck.h"
#include "method/recode.h"
#include "sql/args.h"
#include "sql/forms.h"
#include "sql/rows.h"
#include "sql/stepargs.h"
#include "utils/builtins.h"
#include "utils/jsonb.h"

PG_FUNCTION_INFO_V1(sdc_hierarchy_check);

/* The arguments in front of those that all methods have. */
enum
{
	ARG_RECODES = 1, ARG_COMMON
};

/* Columns of sdc_hierarchy_check. */
#define CHECK_COLUMNS 9

/* sdc_recode_read reads what is asked for. */
void
sdc_recode_read(FunctionCallInfo fcinfo, SdcMethodStep *step)
{
	SdcRecoding *recoding = palloc0(sizeof(SdcRecoding));
	Jsonb	   *recodes;

	sdc_args_choose(PG_ARGISNULL(ARG_RECODES), "recodes",
					"It says by column how its values become coarser, such as: {\"age\": {\"width\": 5}, \"income\": {\"top_percent\": 1, \"replace\": \"mean\"}}");
	recodes = PG_GETARG_JSONB_P(ARG_RECODES);
	recoding->rules = sdc_rule_read(&recodes->root, false, "recodes");
	recoding->argument = JsonbToCString(NULL, &recodes->root, -1);
	sdc_recode_prepare(step, recoding);
}

/*
 * sdc_recode(relation text, recodes jsonb, target text, key name[], omit name[], keep name[], replace boolean, ...,
 *			  continued boolean)
 * sdc_recode(relation regclass, ...)
 *		RETURNS TABLE (release regclass, attribute name, action text, method text,
 *					   records bigint, changed bigint, changed_percent float8, ...)
 * sdc_recode(row_type anyelement, recodes jsonb, key name[], omit name[], keep name[], ...) RETURNS SETOF anyelement
 */
SDC_FORMS_TABLE(sdc_recode, sdc_recode_read, ARG_COMMON, false, true);
SDC_FORMS_RETURN(sdc_recode);

/* put_level adds to the result what there is to say of a level. */
static void
put_level(void *arg, const char *column, int number, const SdcRuleLevel *level)
{
	FunctionCallInfo fcinfo = arg;
	Datum		values[CHECK_COLUMNS];
	bool		nulls[CHECK_COLUMNS] = {false};
	NameData	name;

	namestrcpy(&name, column);
	values[0] = NameGetDatum(&name);
	values[1] = Int32GetDatum(number);
	values[2] = Int64GetDatum((int64) level->labels);
	values[3] = Int64GetDatum((int64) level->values_without);
	values[4] = Int64GetDatum((int64) level->records_without);
	values[5] = Int64GetDatum((int64) level->twice);
	values[6] = Int64GetDatum((int64) level->nulls);
	values[7] = Int64GetDatum((int64) level->parents);
	values[8] = Int64GetDatum((int64) level->ambiguous);
	sdc_rows_put(fcinfo, values, nulls);
}

/*
 * sdc_hierarchy_check(relation regclass, hierarchies jsonb)
 *		RETURNS TABLE (attribute name, level int, labels bigint, values_without bigint, records_without bigint,
 *					   twice bigint, nulls bigint, parents bigint, ambiguous bigint)
 */
Datum
sdc_hierarchy_check(PG_FUNCTION_ARGS)
{
	Oid			relid = sdc_args_relation(fcinfo, 0, "relation");

	sdc_args_require(fcinfo, 1, "hierarchies");
	sdc_rows_begin(fcinfo, 0);
	sdc_hierarchycheck_of(relid, sdc_rule_read(&PG_GETARG_JSONB_P(1)->root, true, "hierarchies"), put_level, fcinfo);
	return (Datum) 0;
}
