/*-------------------------------------------------------------------------
 *
 * sweep.c
 *		sdc_sweep.
 *
 * The relation is read once.  For every value of the parameter the method makes a release in memory, which is
 * measured there; nothing is stored.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_type.h"
#include "measure/sweep.h"
#include "method/pipeline.h"
#include "miscadmin.h"
#include "relation/base/names.h"
#include "relation/base/shortest.h"
#include "relation/catalog/catalogtable.h"
#include "relation/catalog/methods.h"
#include "relation/catalog/steps.h"
#include "sql/args.h"
#include "sql/releaseargs.h"
#include "sql/rows.h"
#include "sql/stepargs.h"
#include "sql/trials.h"
#include "sql/unitargs.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/fmgrprotos.h"
#include "utils/json.h"

PG_FUNCTION_INFO_V1(sdc_sweep);

enum
{
	ARG_RELATION, ARG_METHOD, ARG_VALUES, ARG_KNOWN, ARG_LIMIT_FOUND, ARG_LIMIT_CERTAIN, ARG_COLUMNS, ARG_QI,
	ARG_SENSITIVE, ARG_PARAMETERS, ARG_KEY, ARG_STRATA, ARG_OMIT, ARG_KEEP, ARG_KNOWN_MAX, ARG_SAMPLE, ARG_SEED,
	ARG_SEARCH
	/* and the last ones of unitargs.h, and behind them recodes */
};
#define ARG_RECODES(fcinfo) ((fcinfo)->nargs - 1)

/* The steps of a trial: what recodes, if anything does, and the method. */
#define STEPS_MAX 2

/* More values than anybody looks at; and more than a search needs to end. */
#define VALUES_MAX 1000
#define SEARCH_MAX 50

/* Of record swapping k is tried where parameters has the rate. */
static const SdcGrid grid_of_k = {
	SDC_PARAMETER_K, {false, false}, SDC_GRID_OPEN, {2, 3, 5, 7, 10, 15, 20, 30, 50, 100}
};

/* A call. */
typedef struct Sweep
{
	FunctionCallInfo fcinfo;
	const char *method;
	const SdcGrid *grid;
	SdcProtection protection;
	SdcSweepLimits limits;
	SdcSampleRequest sample;
	SdcWholeRequest whole;
	SdcMethodStep *recoding;	/* what comes first for all of them; or NULL */
	SdcMethodStep *steps;		/* one for each value */
	SdcSweepPoint *point;
	int			count;
	int			search;			/* values that can be tried besides */
	SdcTrials  *trials;
} Sweep;

/* read_limit reads a limit in percent; NAN for none. */
static double
read_limit(FunctionCallInfo fcinfo, int number, const char *name)
{
	double		limit;

	if (PG_ARGISNULL(number))
		return NAN;
	limit = PG_GETARG_FLOAT8(number);
	if (!(limit >= 0 && limit <= 100))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("argument \"%s\" is out of range", name),
				 errhint("It is a percentage of the records, between 0 and 100; without it there is no such limit.")));
	return limit;
}

/* read_search reads how many more values can be tried. */
static int
read_search(FunctionCallInfo fcinfo)
{
	sdc_args_require(fcinfo, ARG_SEARCH, "search");
	if (PG_GETARG_INT32(ARG_SEARCH) < 0 || PG_GETARG_INT32(ARG_SEARCH) > SEARCH_MAX)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("argument \"search\" is out of range"),
				 errhint("It is how many values are tried between those of the grid: between 0 and %d.", SEARCH_MAX)));
	return PG_GETARG_INT32(ARG_SEARCH);
}

/* of_parameters tells whether the columns of the method have no argument of their own. */
static bool
of_parameters(const Sweep *sweep)
{
	return strcmp(sdc_methods_find(sweep->method)->protects, SDC_PARAMETER_AREAS) == 0;
}

/* append_names appends the member that an argument of names is, if the method has it. */
static void
append_names(StringInfo json, Sweep *sweep, int number, const char *member, bool has)
{
	List	   *names;

	if (!sdc_args_names(sweep->fcinfo, number, member, &names))
		return;
	if (!has)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("method \"%s\" does not take argument \"%s\"", sweep->method, member),
				 errhint("Name the columns that it protects in %s \"%s\".",
						 of_parameters(sweep) ? "argument \"parameters\", member" : "argument",
						 sdc_methods_find(sweep->method)->protects)));
	appendStringInfoString(json, ", ");
	escape_json(json, member);
	appendStringInfoString(json, ": ");
	sdc_names_append_json(json, names);
}

/* check_parameters insists on an object that says nothing that other arguments say. */
static void
check_parameters(const Sweep *sweep, JsonbContainer *object)
{
	const char *const taken[] = {
		SDC_MEMBER_METHOD, SDC_MEMBER_COLUMNS, SDC_MEMBER_QI, SDC_MEMBER_SENSITIVE, sweep->grid->parameter
	};

	if (!JsonContainerIsObject(object))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("argument \"parameters\" must be an object"),
				 errhint("Such as: {\"complement\": \"swap\"}")));
	for (int i = 0; i < (int) lengthof(taken); i++)
		if (sdc_parameters_has(object, taken[i]))
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("argument \"parameters\" cannot have member \"%s\"", taken[i]),
					 errhint("It has the parameters that are the same for all values; the values are in argument \"parameter_values\", columns in arguments of their own.")));
}

/* read_step makes the step of a value, as sdc_protect has it. */
static void
read_step(Sweep *sweep, double value, const char *place, SdcMethodStep *step)
{
	FunctionCallInfo fcinfo = sweep->fcinfo;
	bool		by_qi = strcmp(sdc_methods_find(sweep->method)->protects, SDC_MEMBER_COLUMNS) != 0;
	bool		groups = sdc_methods_find(sweep->method)->groups != SDC_GROUPS_NONE;
	StringInfoData json;
	Datum		object;

	initStringInfo(&json);
	appendStringInfo(&json, "{\"" SDC_MEMBER_METHOD "\": \"%s\", \"%s\": %s", sweep->method, sweep->grid->parameter,
					 sdc_shortest_text(value));
	append_names(&json, sweep, ARG_COLUMNS, SDC_MEMBER_COLUMNS, !by_qi);
	append_names(&json, sweep, ARG_QI, SDC_MEMBER_QI, by_qi && !of_parameters(sweep));
	append_names(&json, sweep, ARG_SENSITIVE, SDC_MEMBER_SENSITIVE, groups);
	appendStringInfoChar(&json, '}');
	object = DirectFunctionCall1(jsonb_in, CStringGetDatum(json.data));
	if (!PG_ARGISNULL(ARG_PARAMETERS))
	{
		check_parameters(sweep, &PG_GETARG_JSONB_P(ARG_PARAMETERS)->root);
		object = DirectFunctionCall2(jsonb_concat, PG_GETARG_DATUM(ARG_PARAMETERS), object);
	}
	step->place = place;
	sdc_stepargs_read_object(DatumGetJsonbP(object), step);
}

/* add_value adds a value, unless it is there. */
static void
add_value(Sweep *sweep, double value, const char *place)
{
	for (int i = 0; i < sweep->count; i++)
		if (sweep->point[i].parameter == value)
			return;
	sweep->point[sweep->count].parameter = value;
	read_step(sweep, value, place, &sweep->steps[sweep->count]);
	sweep->count++;
}

/* allocate makes room for so many values, and those of the search. */
static void
allocate(Sweep *sweep, int values)
{
	sweep->steps = palloc0(sizeof(SdcMethodStep) * (values + sweep->search));
	sweep->point = palloc0(sizeof(SdcSweepPoint) * (values + sweep->search));
}

/* add_grid adds the values of the method's grid. */
static void
add_grid(Sweep *sweep)
{
	if (sweep->grid->value[0] == 0)
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("argument \"parameter_values\" must be given for method \"%s\"", sweep->method),
				 errhint("Which \"%s\" can be had depends on the data; usual are 2 to 10.", sweep->grid->parameter)));
	allocate(sweep, SDC_GRID_VALUES);
	for (int i = 0; i < SDC_GRID_VALUES && sweep->grid->value[i] > 0; i++)
	{
		List	   *qi = NIL;

		if (sweep->grid->end == SDC_GRID_COLUMNS && i > 0)
		{
			(void) sdc_args_names(sweep->fcinfo, ARG_QI, "qi", &qi);
			if (sweep->grid->value[i] > list_length(qi))
				break;
		}
		add_value(sweep, sweep->grid->value[i], "");
	}
}

/* read_values reads the values, and makes the step of each. */
static void
read_values(Sweep *sweep)
{
	FunctionCallInfo fcinfo = sweep->fcinfo;
	ArrayType  *array;
	Datum	   *elements;
	bool	   *nulls;
	int			count;

	if (PG_ARGISNULL(ARG_VALUES))
	{
		add_grid(sweep);
		return;
	}
	array = PG_GETARG_ARRAYTYPE_P(ARG_VALUES);
	count = ArrayGetNItems(ARR_NDIM(array), ARR_DIMS(array));
	if (ARR_NDIM(array) > 1 || count == 0 || count > VALUES_MAX)
		ereport(ERROR,
				(errcode(ERRCODE_ARRAY_SUBSCRIPT_ERROR),
				 errmsg("argument \"parameter_values\" must be a one-dimensional array of 1 to %d values", VALUES_MAX),
				 errhint("Leave it out for the grid of the method.")));
	deconstruct_array(array, FLOAT8OID, sizeof(float8), FLOAT8PASSBYVAL, TYPALIGN_DOUBLE, &elements, &nulls, &count);
	allocate(sweep, count);
	for (int i = 0; i < count; i++)
	{
		double		value = nulls[i] ? NAN : DatumGetFloat8(elements[i]);

		if (!isfinite(value))
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("element %d of argument \"parameter_values\" is not a number", i + 1),
					 errhint("They are values of \"%s\".", sweep->grid->parameter)));
		add_value(sweep, value, psprintf("parameter_values[%d].", i + 1));
	}
}

/* read_recoding reads how columns are recoded first. */
static void
read_recoding(Sweep *sweep)
{
	FunctionCallInfo fcinfo = sweep->fcinfo;
	Datum		object;
	char	   *recodes;

	if (PG_ARGISNULL(ARG_RECODES(fcinfo)))
		return;
	recodes = JsonbToCString(NULL, &PG_GETARG_JSONB_P(ARG_RECODES(fcinfo))->root, -1);
	object = DirectFunctionCall1(jsonb_in, CStringGetDatum(psprintf("{\"" SDC_MEMBER_METHOD "\": \"" SDC_METHOD_RECODE "\", \""
																	SDC_PARAMETER_RECODES "\": %s}", recodes)));
	sweep->recoding = palloc0(sizeof(SdcMethodStep));
	sweep->recoding->place = "";
	sdc_stepargs_read_object(DatumGetJsonbP(object), sweep->recoding);
}

/* list_steps lists copies of the steps of a trial, which the plan and the methods change; it returns their number. */
static int
list_steps(const Sweep *sweep, const SdcMethodStep *step, SdcMethodStep *steps)
{
	int			count = 0;

	if (sweep->recoding != NULL)
		steps[count++] = *sweep->recoding;
	steps[count++] = *step;
	return count;
}

/* read_request reads what is said of the relation. */
static void
read_request(Sweep *sweep)
{
	FunctionCallInfo fcinfo = sweep->fcinfo;
	SdcProtection *protection = &sweep->protection;
	SdcSourceRequest *request = &protection->request;
	ListCell   *cell;

	request->relid = sdc_args_relation(fcinfo, ARG_RELATION, "relation");
	protection->catalog_schema = sdc_catalogtable_schema();
	request->key_given = sdc_args_names(fcinfo, ARG_KEY, "key", &request->key);
	(void) sdc_args_names(fcinfo, ARG_STRATA, "strata", &request->strata);
	(void) sdc_args_names(fcinfo, ARG_OMIT, "omit", &request->omit);
	sdc_unitargs_read(fcinfo, protection, SDC_UNITARGS_WEIGHT, ARG_RECODES(fcinfo));
	request->keep_given = sdc_args_names(fcinfo, ARG_KEEP, "keep", &request->keep);
	sdc_evaluation_args_sample(fcinfo, ARG_SAMPLE, ARG_SEED, &sweep->sample);
	protection->seed = sweep->sample.seed;
	protection->method = sweep->recoding != NULL ? SDC_METHOD_PROTECT : sweep->method;
	protection->steps = palloc(sizeof(SdcMethodStep) * STEPS_MAX);
	protection->step_count = list_steps(sweep, &sweep->steps[0], protection->steps);
	sweep->whole.may_be_none = true;
	sweep->whole.known_given = sdc_args_names(fcinfo, ARG_KNOWN, "known", &sweep->whole.known);
	foreach(cell, sweep->whole.known)
		(void) sdc_source_find_column(request->relid, lfirst(cell), "known");
}

/* read_arguments reads all arguments. */
static void
read_arguments(Sweep *sweep, FunctionCallInfo fcinfo)
{
	sweep->fcinfo = fcinfo;
	sweep->method = sdc_stepargs_swept(fcinfo, ARG_METHOD, &sweep->grid);
	if (of_parameters(sweep) && !PG_ARGISNULL(ARG_PARAMETERS) &&
		JsonContainerIsObject(&PG_GETARG_JSONB_P(ARG_PARAMETERS)->root) &&
		sdc_parameters_has(&PG_GETARG_JSONB_P(ARG_PARAMETERS)->root, SDC_PARAMETER_RATE))
		sweep->grid = &grid_of_k;
	sweep->limits.people_found = read_limit(fcinfo, ARG_LIMIT_FOUND, "limit_people_found");
	sweep->limits.certain = read_limit(fcinfo, ARG_LIMIT_CERTAIN, "limit_certain_percent");
	sweep->search = read_search(fcinfo);
	(void) sdc_args_relation(fcinfo, ARG_RELATION, "relation");
	read_values(sweep);
	read_recoding(sweep);
	read_request(sweep);
}

/* try_value makes the release of a value, and measures it. */
static void
try_value(Sweep *sweep, SdcMethodStep *step, SdcSweepPoint *point)
{
	SdcMethodStep steps[STEPS_MAX];
	SdcFrame *release;

	(void) list_steps(sweep, step, steps);
	release = sdc_pipeline_try(sweep->trials, steps);
	sdc_trials_measure(sweep->fcinfo, ARG_KNOWN, ARG_KNOWN_MAX, release, &sweep->whole, &sweep->sample, &point->score);
	sdc_pipeline_forget(sweep->trials);
}

/* cut_grid leaves out what a grid has beyond its end, which is known when the relation was read. */
static void
cut_grid(Sweep *sweep)
{
	const SdcFrameSource *held = sdc_pipeline_source(sweep->trials);
	double		end;
	int			left = 0;

	if (sweep->grid->end == SDC_GRID_OPEN || sweep->grid->end == SDC_GRID_COLUMNS || held->source->records == 0)
		return;
	end = (double) (sweep->grid->end == SDC_GRID_RECORDS ? held->source->records : sdc_framesource_smallest(held));
	while (left < sweep->count && sweep->point[left].parameter <= end)
		left++;
	sweep->count = left;
}

/* search tries values between those of the grid. */
static void
search(Sweep *sweep)
{
	for (; sweep->search > 0; sweep->search--)
	{
		SdcMethodStep step = {0};
		SdcSweepPoint *point = &sweep->point[sweep->count];
		double		value;

		sdc_sweep_judge(sweep->point, sweep->count, &sweep->limits, &sweep->grid->scale);
		if (!sdc_sweep_next(sweep->point, sweep->count, &sweep->limits, &sweep->grid->scale, &value))
			return;
		memset(point, 0, sizeof(SdcSweepPoint));
		point->parameter = value;
		read_step(sweep, value, "", &step);
		try_value(sweep, &step, point);
		sweep->count++;
	}
}

/* return_point returns the row of a value. */
static void
return_point(FunctionCallInfo fcinfo, const SdcSweepPoint *point)
{
	const SdcScore *score = &point->score;
	Datum		values[7];
	bool		nulls[7] = {false};

	values[0] = Float8GetDatum(point->parameter);
	values[1] = Float8GetDatum(score->people.found);
	values[2] = Float8GetDatum(score->people.certain);
	nulls[1] = nulls[2] = !score->people.known;
	values[3] = Float8GetDatum(score->il);
	nulls[3] = !score->has_loss;
	values[4] = Float8GetDatum(score->score);
	nulls[4] = !score->has_risk || !score->has_loss;
	values[5] = BoolGetDatum(point->on_frontier);
	nulls[5] = !point->has_frontier;
	values[6] = BoolGetDatum(point->chosen);
	sdc_rows_put(fcinfo, values, nulls);
}

/*
 * sdc_sweep(relation regclass, method text, parameter_values float8[], known name[], limit_people_found float8,
 *			 limit_certain_percent float8, columns name[], qi name[], sensitive name[], parameters jsonb,
 *			 key name[], strata name[], omit name[], keep name[], known_max int, sample bigint, seed "any",
 *			 search int, ..., recodes jsonb)
 *		RETURNS TABLE (parameter float8, people_found float8, certain_percent float8, il float8,
 *					   score float8, on_frontier boolean, chosen boolean)
 */
Datum
sdc_sweep(PG_FUNCTION_ARGS)
{
	Sweep		sweep = {0};

	sdc_rows_begin(fcinfo, 0);
	read_arguments(&sweep, fcinfo);
	sweep.trials = sdc_pipeline_read(&sweep.protection);
	if (PG_ARGISNULL(ARG_VALUES))
		cut_grid(&sweep);
	for (int i = 0; i < sweep.count; i++)
		try_value(&sweep, &sweep.steps[i], &sweep.point[i]);
	search(&sweep);
	sdc_sweep_judge(sweep.point, sweep.count, &sweep.limits, &sweep.grid->scale);
	for (int i = 0; i < sweep.count; i++)
		return_point(fcinfo, &sweep.point[i]);
	sdc_pipeline_end(sweep.trials);
	return (Datum) 0;
}
