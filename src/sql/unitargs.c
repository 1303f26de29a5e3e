/*-------------------------------------------------------------------------
 *
 * unitargs.c
 *		The arguments that say what the records of a relation are about.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "relation/catalog/methods.h"
#include "relation/catalog/parameters.h"
#include "relation/read/unitcolumns.h"
#include "sql/args.h"
#include "sql/unitargs.h"
#include "utils/builtins.h"
#include "utils/jsonb.h"

/* The arguments, from the first one on. */
enum
{
	ARG_UNIT, ARG_TOTALS, ARG_TOTALS_FORCE, ARG_ROW_LEVEL, ARGS_OF_UNITS,
	ARG_UNIT_SIZE = ARGS_OF_UNITS, ARG_UNIT_ROWS, ARGS_OF_METHOD
};

/* The words, in the order of SdcUnitSize, and of SdcUnitRows behind the default. */
static const char *const sizes[] = {"equal", "any", NULL};
static const char *const rows[] = {"whole", "each", NULL};

/* sdc_unitargs_member: see unitargs.h. */
bool
sdc_unitargs_member(SdcMethodStep *step, const char *name, const char *text)
{
	if (strcmp(name, SDC_PARAMETER_UNIT_SIZE) == 0)
		step->unit_size = (SdcUnitSize) sdc_args_find_word(text, name, sizes);
	else if (strcmp(name, SDC_PARAMETER_UNIT_ROWS) == 0)
		step->unit_rows = (SdcUnitRows) (SDC_UNIT_ROWS_WHOLE + sdc_args_find_word(text, name, rows));
	else
		return false;
	return true;
}

/* sdc_unitargs_finish: see unitargs.h. */
void
sdc_unitargs_finish(SdcMethodStep *step)
{
	bool		ranks = step->method->reach != SDC_REACH_NONE;

	if (step->unit_rows == SDC_UNIT_ROWS_WHOLE && !ranks)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("method \"%s\" does not keep the values of a unit together", step->method->name),
				 errhint("Rank swapping has unit_rows => 'whole'; other methods protect the records of a unit one by one, which is 'each'.")));
	if (step->unit_rows == SDC_UNIT_ROWS_WHOLE && step->continuing != NULL)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("a continued release cannot keep the values of a unit together"),
				 errdetail("A new record of a unit would change the whole set of its values."),
				 errhint("Use unit_rows => 'each'.")));
	if (step->unit_rows == SDC_UNIT_ROWS_DEFAULT)
		step->unit_rows = ranks && step->continuing == NULL ? SDC_UNIT_ROWS_WHOLE : SDC_UNIT_ROWS_EACH;
}

/* read_totals reads which column is the total of which. */
static void
read_totals(Jsonb *totals, SdcSourceRequest *request)
{
	JsonbIterator *iterator = NULL;
	JsonbValue	value;
	char	   *total;
	bool		object = JB_ROOT_IS_OBJECT(totals);

	while (object && (total = sdc_parameters_next(&totals->root, &iterator, &value)) != NULL)
	{
		object = value.type == jbvString;
		request->totals = lappend(request->totals, total);
		request->parts = lappend(request->parts, sdc_parameters_text_of(&value));
	}
	if (!object)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("argument \"totals\" must be an object of names of columns"),
				 errhint("Such as: {\"household_income\": \"income\"}, where the first is the sum of the second over the records of a unit.")));
}

/* read_group reads how many units get the mean of their weights; 0: none do. */
static int
read_group(FunctionCallInfo fcinfo, int number)
{
	if (PG_ARGISNULL(number))
		return 0;
	if (PG_GETARG_INT32(number) < 2)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("argument \"weight_group\" is out of range"),
				 errhint("It is how many units are released with the mean of their weights, at least 2; without it weights stay.")));
	return PG_GETARG_INT32(number);
}

/* sdc_unitargs_weight: see unitargs.h. */
bool
sdc_unitargs_weight(FunctionCallInfo fcinfo, int number, const char **weight)
{
	*weight = NULL;
	if (PG_ARGISNULL(number))
		return false;
	if (NameStr(*PG_GETARG_NAME(number))[0] != '\0')
		*weight = pstrdup(NameStr(*PG_GETARG_NAME(number)));
	return true;
}

/* sdc_unitargs_missing: see unitargs.h. */
const char *
sdc_unitargs_missing(FunctionCallInfo fcinfo, int number)
{
	Jsonb	   *missing;

	if (PG_ARGISNULL(number))
		return NULL;
	missing = PG_GETARG_JSONB_P(number);
	return JB_ROOT_IS_OBJECT(missing) && JB_ROOT_COUNT(missing) == 0 ? NULL :
		JsonbToCString(NULL, &missing->root, VARSIZE(missing));
}

/* sdc_unitargs_read: see unitargs.h. */
void
sdc_unitargs_read(FunctionCallInfo fcinfo, SdcProtection *protection, int some, int end)
{
	bool		of_method = (some & SDC_UNITARGS_METHOD) != 0;
	bool		weight = (some & SDC_UNITARGS_WEIGHT) != 0;
	bool		group = (some & SDC_UNITARGS_GROUP) != 0;
	int			more = (weight ? 1 : 0) + (group ? 1 : 0) + 1;
	int			first = end - (of_method ? ARGS_OF_METHOD : ARGS_OF_UNITS) - more;
	SdcSourceRequest *request = &protection->request;

	request->unit_given = sdc_args_names(fcinfo, first + ARG_UNIT, "unit", &request->unit);
	if (!PG_ARGISNULL(first + ARG_TOTALS))
		read_totals(PG_GETARG_JSONB_P(first + ARG_TOTALS), request);
	sdc_args_require(fcinfo, first + ARG_TOTALS_FORCE, "totals_force");
	request->totals_force = PG_GETARG_BOOL(first + ARG_TOTALS_FORCE);
	(void) sdc_args_names(fcinfo, first + ARG_ROW_LEVEL, "row_level", &request->row_level);
	if (weight)
		request->weight_given = sdc_unitargs_weight(fcinfo, end - more, &request->weight);
	if (group)
		request->weight_group = read_group(fcinfo, end - 2);
	request->missing = sdc_unitargs_missing(fcinfo, end - 1);
	if (!of_method)
		return;
	sdc_args_require(fcinfo, first + ARG_UNIT_SIZE, SDC_PARAMETER_UNIT_SIZE);
	(void) sdc_unitargs_member(protection->steps, SDC_PARAMETER_UNIT_SIZE,
							   text_to_cstring(PG_GETARG_TEXT_PP(first + ARG_UNIT_SIZE)));
	if (!PG_ARGISNULL(first + ARG_UNIT_ROWS))
		(void) sdc_unitargs_member(protection->steps, SDC_PARAMETER_UNIT_ROWS,
								   text_to_cstring(PG_GETARG_TEXT_PP(first + ARG_UNIT_ROWS)));
	sdc_unitargs_finish(protection->steps);
}

/* sdc_unitargs_weighted: see unitargs.h. */
SdcWeightRequest
sdc_unitargs_weighted(FunctionCallInfo fcinfo, int number)
{
	SdcWeightRequest request = {.wanted = true};

	/* a view has no arguments */
	request.given = PG_NARGS() > number && sdc_unitargs_weight(fcinfo, number, &request.name);
	return request;
}

/* sdc_unitargs_counted: see unitargs.h. */
List *
sdc_unitargs_counted(FunctionCallInfo fcinfo, int number, Oid relid, List *qi, const char *argument,
					 const char *sensitive)
{
	SdcUnitRequest request = {.qi = qi, .qi_argument = argument, .sensitive = sensitive};

	request.given = sdc_args_names(fcinfo, number, "unit", &request.names);
	return sdc_unitcolumns_find(relid, &request);
}
