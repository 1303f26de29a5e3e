/*-------------------------------------------------------------------------
 *
 * stepargs.c
 *		The argument that says what several methods are to do in one release.
 *
 * A step is read by the function that reads the arguments of its method: its members become arguments, so that
 * ranges, words and hints are the same in both.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_type.h"
#include "method/recode.h"
#include "relation/base/names.h"
#include "relation/catalog/methods.h"
#include "relation/catalog/parameters.h"
#include "sql/args.h"
#include "sql/continuingargs.h"
#include "sql/stepargs.h"
#include "sql/unitargs.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/numeric.h"
#include "utils/timestamp.h"

/* What a member of a step is. */
typedef enum MemberType
{
	MEMBER_FLOAT,
	MEMBER_INT,
	MEMBER_BOOL,
	MEMBER_TEXT,
	MEMBER_INTERVAL,
	MEMBER_NAMES,
	MEMBER_FLOATS,
	MEMBER_OBJECT,
	MEMBER_JSON
} MemberType;

typedef struct Member
{
	const char *name;			/* NULL: behind the last */
	MemberType	type;
	const char *fallback;		/* text, boolean or whole number without which it is NULL */
} Member;

#define MEMBERS 11

/* The members of a step that is continued. */
#define CONTINUED {SDC_PARAMETER_CONTINUED, MEMBER_BOOL, "false"}
#define CONTINUED_IN_LOTS CONTINUED, {SDC_PARAMETER_MIN_CHANGES, MEMBER_INT, NULL}, \
	{SDC_PARAMETER_MIN_DEPARTURES, MEMBER_INT, NULL}, {SDC_PARAMETER_ERASE_WITHIN, MEMBER_INTERVAL, NULL}

/* What a sweep tries of percentages, and of sizes of groups. */
#define PERCENTAGES {1, 2, 3, 5, 7, 10, 15, 20, 30, 50}
#define SIZES {2, 3, 5, 7, 10, 15, 20, 30, 50, 100}

/* The steps that there can be, with the members besides "method", in the order of the arguments. */
static const struct Kind
{
	const char *method;
	void		(*read) (FunctionCallInfo fcinfo, SdcMethodStep *step);
	int			continued;		/* the argument that says whether it is continued; 0: there is none */
	SdcGrid		grid;
	Member		members[MEMBERS + 1];
}			kinds[] =
{
	{SDC_METHOD_RANKSWAP, sdc_rankswap_read, 3,
		{SDC_PARAMETER_P, {false, true}, SDC_GRID_OPEN, PERCENTAGES},
		{{SDC_PARAMETER_P, MEMBER_FLOAT, NULL}, {SDC_MEMBER_COLUMNS, MEMBER_NAMES, NULL},
			CONTINUED_IN_LOTS}},
	{SDC_METHOD_RANKSWAP_DISTRIBUTION, sdc_rankswap_distribution_read, 3,
		{SDC_PARAMETER_P, {false, true}, SDC_GRID_OPEN, PERCENTAGES},
		{{SDC_PARAMETER_P, MEMBER_FLOAT, NULL}, {SDC_MEMBER_COLUMNS, MEMBER_NAMES, NULL},
			CONTINUED_IN_LOTS}},
	{SDC_METHOD_RANKSWAP_BUCKETS, sdc_rankswap_buckets_read, 3,
		{SDC_PARAMETER_BUCKETS, {true, false}, SDC_GRID_RECORDS, SIZES},
		{{SDC_PARAMETER_BUCKETS, MEMBER_INT, NULL}, {SDC_MEMBER_COLUMNS, MEMBER_NAMES, NULL},
			CONTINUED_IN_LOTS}},
	{SDC_METHOD_EQUIDEPTH, sdc_equidepth_swap_read, 0,
		{SDC_PARAMETER_DEPTH, {false, false}, SDC_GRID_RECORDS, SIZES},
		{{SDC_PARAMETER_DEPTH, MEMBER_INT, NULL}, {SDC_PARAMETER_COMPLEMENT, MEMBER_TEXT, "copy"},
			{SDC_MEMBER_COLUMNS, MEMBER_NAMES, NULL}}},
	{SDC_METHOD_EQUIWIDTH, sdc_equiwidth_swap_read, 0,
		{SDC_PARAMETER_INTERVALS, {true, false}, SDC_GRID_OPEN, {1, 2, 3, 4, 5, 7, 10, 15, 20, 30}},
		{{SDC_PARAMETER_INTERVALS, MEMBER_INT, NULL}, {SDC_PARAMETER_WIDTHS, MEMBER_FLOATS, NULL},
			{SDC_PARAMETER_COMPLEMENT, MEMBER_TEXT, "copy"}, {SDC_MEMBER_COLUMNS, MEMBER_NAMES, NULL}}},
	{SDC_METHOD_RANDOMIZE, sdc_randomize_read, 4,
		{SDC_PARAMETER_DRAWS, {false, false}, SDC_GRID_COLUMNS, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}},
		{{SDC_MEMBER_QI, MEMBER_NAMES, NULL}, {SDC_PARAMETER_DRAWS, MEMBER_INT, NULL},
			{SDC_PARAMETER_PROBABILITIES, MEMBER_FLOATS, NULL}, CONTINUED}},
	{SDC_METHOD_GENERALIZE, sdc_generalize_read, 0,
		{SDC_PARAMETER_K, {false, false}, SDC_GRID_STRATUM, SIZES},
		{{SDC_MEMBER_QI, MEMBER_NAMES, NULL}, {SDC_MEMBER_SENSITIVE, MEMBER_NAMES, NULL},
			{SDC_PARAMETER_L, MEMBER_FLOAT, NULL},
			{SDC_PARAMETER_K, MEMBER_INT, NULL}, {SDC_PARAMETER_HIERARCHIES, MEMBER_OBJECT, NULL},
			{SDC_PARAMETER_SCHEME, MEMBER_TEXT, NULL}, {SDC_PARAMETER_SUPPRESS_PERCENT, MEMBER_FLOAT, "0"},
			{SDC_PARAMETER_T, MEMBER_FLOAT, NULL}, {SDC_PARAMETER_T_DISTANCE, MEMBER_TEXT, "equal"},
			{SDC_PARAMETER_COMBINATIONS, MEMBER_JSON, NULL}, {SDC_PARAMETER_IMPORTANCE, MEMBER_FLOATS, NULL}}},
	{SDC_METHOD_PERMUTE, sdc_permute_read, 0,
		{SDC_PARAMETER_L, {false, false}, SDC_GRID_OPEN, {0}},
		{{SDC_MEMBER_QI, MEMBER_NAMES, NULL}, {SDC_MEMBER_SENSITIVE, MEMBER_NAMES, NULL},
			{SDC_PARAMETER_L, MEMBER_FLOAT, NULL},
			{SDC_PARAMETER_GROUPING_METHOD, MEMBER_TEXT, "anatomy"}, {SDC_PARAMETER_FORCE, MEMBER_BOOL, "false"}}},
	{SDC_METHOD_RECORD_SWAP, sdc_record_swap_read, 0,
		{SDC_PARAMETER_RATE, {false, false}, SDC_GRID_OPEN, PERCENTAGES},
		{{SDC_PARAMETER_AREAS, MEMBER_NAMES, NULL}, {SDC_PARAMETER_RISK, MEMBER_NAMES, NULL},
			{SDC_PARAMETER_K, MEMBER_INT, NULL}, {SDC_PARAMETER_RATE, MEMBER_FLOAT, NULL},
			{SDC_PARAMETER_SIMILAR, MEMBER_NAMES, NULL}, {SDC_PARAMETER_RELAX, MEMBER_INT, "0"},
			{SDC_PARAMETER_CARRY, MEMBER_NAMES, NULL}, {SDC_PARAMETER_ANY_SIZE, MEMBER_BOOL, "false"}}},
	{SDC_METHOD_PERMUTATION_SWAP, sdc_permutation_swap_read, 0,
		{SDC_PARAMETER_RATE, {false, false}, SDC_GRID_OPEN, PERCENTAGES},
		{{SDC_MEMBER_COLUMNS, MEMBER_NAMES, NULL}, {SDC_PARAMETER_RATE, MEMBER_FLOAT, NULL},
			{SDC_PARAMETER_ANY_SIZE, MEMBER_BOOL, "false"}}},
	{SDC_METHOD_RECODE, sdc_recode_read, 2,
		{.parameter = NULL},
		{{SDC_PARAMETER_RECODES, MEMBER_OBJECT, NULL}, CONTINUED}},
	{SDC_METHOD_SUPPRESS, sdc_suppress_read, 0,
		{SDC_PARAMETER_K, {false, false}, SDC_GRID_STRATUM, SIZES},
		{{SDC_MEMBER_QI, MEMBER_NAMES, NULL}, {SDC_PARAMETER_K, MEMBER_INT, NULL},
			{SDC_PARAMETER_IMPORTANCE, MEMBER_FLOATS, NULL}, {SDC_PARAMETER_COMBINATIONS, MEMBER_JSON, NULL}}},
	{SDC_METHOD_MICROAGGREGATE, sdc_microaggregate_read, 0,
		{SDC_PARAMETER_K, {false, false}, SDC_GRID_STRATUM, SIZES},
		{{SDC_PARAMETER_K, MEMBER_INT, NULL}, {SDC_MEMBER_COLUMNS, MEMBER_NAMES, NULL},
			{SDC_PARAMETER_SCHEME, MEMBER_TEXT, "joint"}, {SDC_PARAMETER_CENTRE, MEMBER_TEXT, "mean"},
			{SDC_PARAMETER_SMALL, MEMBER_TEXT, NULL}}},
	{SDC_METHOD_PRAM, sdc_pram_read, 4,
		{SDC_PARAMETER_RETAIN, {true, true}, SDC_GRID_OPEN,
		{0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9}},
		{{SDC_MEMBER_COLUMNS, MEMBER_NAMES, NULL}, {SDC_PARAMETER_RETAIN, MEMBER_FLOAT, NULL},
			{SDC_PARAMETER_MATRICES, MEMBER_OBJECT, NULL}, CONTINUED}},
	{SDC_METHOD_NOISE, sdc_noise_read, 5,
		{SDC_PARAMETER_AMOUNT, {false, true}, SDC_GRID_OPEN, {0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 0.7, 1, 1.5, 2}},
		{{SDC_PARAMETER_AMOUNT, MEMBER_FLOAT, NULL}, {SDC_PARAMETER_SCHEME, MEMBER_TEXT, "additive"},
			{SDC_MEMBER_COLUMNS, MEMBER_NAMES, NULL}, {SDC_PARAMETER_BOUNDS, MEMBER_OBJECT, NULL}, CONTINUED}}
};

#define KINDS ((int) lengthof(kinds))

/* kind_of returns the kind of step with a method; NULL: there is none. */
static const struct Kind *
kind_of(const char *method)
{
	for (int i = 0; i < KINDS; i++)
		if (strcmp(kinds[i].method, method) == 0)
			return &kinds[i];
	return NULL;
}

/* sdc_stepargs_swept: see stepargs.h. */
const char *
sdc_stepargs_swept(FunctionCallInfo fcinfo, int number, const SdcGrid **grid)
{
	const char *names[KINDS + 1] = {NULL};
	const char *method;
	int			count = 0;

	for (int i = 0; i < KINDS; i++)
		if (kinds[i].grid.parameter != NULL)
			names[count++] = kinds[i].method;
	method = names[sdc_args_word(fcinfo, number, "method", names)];
	*grid = &kind_of(method)->grid;
	return method;
}

/* How the types are called, and what one looks like. */
static const struct
{
	const char *name;
	const char *example;
}			types[] = {
	[MEMBER_FLOAT] = {"a number", "10"},
	[MEMBER_INT] = {"a whole number", "10"},
	[MEMBER_BOOL] = {"true or false", "true"},
	[MEMBER_TEXT] = {"a text", "\"...\""},
	[MEMBER_INTERVAL] = {"the text of an interval", "\"7 days\""},
	[MEMBER_NAMES] = {"an array of names of columns", "[\"age\", \"income\"]"},
	[MEMBER_FLOATS] = {"an array of numbers", "[0.5, 0.5]"},
	[MEMBER_OBJECT] = {"an object", "{\"age\": ...}"},
	[MEMBER_JSON] = {"a value", "..."}
};

/* method_list lists the methods that a step can have. */
static char *
method_list(void)
{
	StringInfoData list;

	initStringInfo(&list);
	for (int i = 0; i < KINDS; i++)
		appendStringInfo(&list, "%s%s", i == 0 ? "" : i == KINDS - 1 ? " or " : ", ", kinds[i].method);
	return list.data;
}

/* member_list lists the members of a kind of step. */
static char *
member_list(const struct Kind *kind)
{
	StringInfoData list;
	bool		swaps = sdc_methods_swaps_units(sdc_methods_find(kind->method));

	initStringInfo(&list);
	appendStringInfoString(&list, SDC_MEMBER_METHOD);
	for (int i = 0; kind->members[i].name != NULL; i++)
		appendStringInfo(&list, "%s%s", !swaps && kind->members[i + 1].name == NULL ? " and " : ", ",
						 kind->members[i].name);
	if (swaps)
		appendStringInfoString(&list, ", " SDC_PARAMETER_UNIT_SIZE " and " SDC_PARAMETER_UNIT_ROWS);
	return list.data;
}

/* scalar_datum turns a value of JSON of a type, or of any, into an argument; false: it is of another type. */
static bool
scalar_datum(const JsonbValue *value, MemberType type, Datum *datum)
{
	if (type == MEMBER_BOOL && value->type == jbvBool)
		*datum = BoolGetDatum(value->val.boolean);
	else if (type == MEMBER_JSON)
		*datum = JsonbPGetDatum(JsonbValueToJsonb(unconstify(JsonbValue *, value)));
	else if (type == MEMBER_OBJECT && value->type == jbvBinary && JsonContainerIsObject(value->val.binary.data))
		*datum = JsonbPGetDatum(JsonbValueToJsonb(unconstify(JsonbValue *, value)));
	else if (type == MEMBER_TEXT && value->type == jbvString)
		*datum = CStringGetTextDatum(sdc_parameters_text_of(value));
	else if (type == MEMBER_INTERVAL && value->type == jbvString)
		*datum = DirectFunctionCall3(interval_in, CStringGetDatum(sdc_parameters_text_of(value)),
									 ObjectIdGetDatum(InvalidOid), Int32GetDatum(-1));
	else if (type == MEMBER_NAMES && value->type == jbvString)
		*datum = DirectFunctionCall1(namein, CStringGetDatum(sdc_parameters_text_of(value)));
	else if ((type == MEMBER_FLOAT || type == MEMBER_FLOATS) && value->type == jbvNumeric)
		*datum = DirectFunctionCall1(numeric_float8_no_overflow, NumericGetDatum(value->val.numeric));
	else if (type == MEMBER_INT && value->type == jbvNumeric)
	{
		double		number = DatumGetFloat8(DirectFunctionCall1(numeric_float8_no_overflow,
																NumericGetDatum(value->val.numeric)));

		/* what is no int is out of every range, and 0 is as well */
		if (number != rint(number))
			return false;
		*datum = Int32GetDatum(number < PG_INT32_MIN || number > PG_INT32_MAX ? 0 : (int32) number);
	}
	else
		return false;
	return true;
}

/* array_datum turns an array of JSON into an argument; false: it is of another type. */
static bool
array_datum(const JsonbValue *value, MemberType type, Datum *datum)
{
	Oid			element = type == MEMBER_NAMES ? NAMEOID : FLOAT8OID;
	JsonbContainer *array;
	Datum	   *elements;
	int			count;

	if (value->type != jbvBinary || !JsonContainerIsArray(value->val.binary.data) ||
		JsonContainerIsScalar(value->val.binary.data))
		return false;
	array = value->val.binary.data;
	count = (int) JsonContainerSize(array);
	elements = palloc(sizeof(Datum) * Max(count, 1));
	for (int i = 0; i < count; i++)
		if (!scalar_datum(getIthJsonbValueFromContainer(array, (uint32) i), type, &elements[i]))
			return false;
	*datum = PointerGetDatum(type == MEMBER_NAMES ?
							 construct_array(elements, count, element, NAMEDATALEN, false, TYPALIGN_CHAR) :
							 construct_array(elements, count, element, sizeof(float8), FLOAT8PASSBYVAL,
											 TYPALIGN_DOUBLE));
	return true;
}

/* put_argument makes a member an argument. */
static void
put_argument(const struct Kind *kind, const char *name, const JsonbValue *value, FunctionCallInfo arguments)
{
	int			m = 0;
	MemberType	type;
	NullableDatum *argument;

	while (kind->members[m].name != NULL && strcmp(kind->members[m].name, name) != 0)
		m++;
	if (kind->members[m].name == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("unknown member \"%s\"", name),
				 errhint("A step of this method has %s.", member_list(kind))));
	type = kind->members[m].type;
	argument = &arguments->args[m + 1];
	argument->isnull = value->type == jbvNull;
	if (argument->isnull)
		return;
	if (!(type == MEMBER_NAMES || type == MEMBER_FLOATS ? array_datum(value, type, &argument->value) :
		  scalar_datum(value, type, &argument->value)))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("member \"%s\" is not %s", name, types[type].name),
				 errhint("Such as: \"%s\": %s", name, types[type].example)));
}

/* find_kind finds the kind of a step. */
static const struct Kind *
find_kind(const JsonbValue *element)
{
	SdcParameters *object = sdc_parameters_object_of(element);
	char	   *method = sdc_parameters_text(object, SDC_MEMBER_METHOD);

	if (object == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("a step must be an object"),
				 errhint("Such as: {\"method\": \"rankswap\", \"columns\": [\"income\"], \"p\": 10}")));
	if (method == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("member \"method\" must be given, a text"),
				 errhint("It is %s.", method_list())));
	if (kind_of(method) == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("unknown method \"%s\"", method),
				 errhint("It is %s.", method_list())));
	return kind_of(method);
}

/* What is read. */
typedef struct Reading
{
	const JsonbValue *element;
	SdcMethodStep *step;
} Reading;

/* members_of is how many members a kind of step has. */
static int
members_of(const struct Kind *kind)
{
	int			members = 0;

	while (kind->members[members].name != NULL)
		members++;
	return members;
}

/* fallback_datum is the argument that a member is where it is not given. */
static Datum
fallback_datum(const Member *member)
{
	if (member->type == MEMBER_BOOL)
		return BoolGetDatum(false);
	if (member->type == MEMBER_FLOAT)
		return Float8GetDatum(pg_strtoint32(member->fallback));
	if (member->type == MEMBER_INT)
		return Int32GetDatum(pg_strtoint32(member->fallback));
	return CStringGetTextDatum(member->fallback);
}

/* read_step reads one step. */
static void
read_step(void *arg)
{
	const Reading *reading = arg;
	const struct Kind *kind = find_kind(reading->element);
	JsonbIterator *iterator = NULL;
	JsonbValue	value;
	char	   *name;

	LOCAL_FCINFO(arguments, MEMBERS + 1);
	InitFunctionCallInfoData(*arguments, NULL, (short) (members_of(kind) + 1), InvalidOid, NULL, NULL);
	for (int m = 0; m <= MEMBERS; m++)
		arguments->args[m].isnull = true;
	for (int m = 0; kind->members[m].name != NULL; m++)
		if (kind->members[m].fallback != NULL)
		{
			arguments->args[m + 1].isnull = false;
			arguments->args[m + 1].value = fallback_datum(&kind->members[m]);
		}
	while ((name = sdc_parameters_next(reading->element->val.binary.data, &iterator, &value)) != NULL)
		if (strcmp(name, SDC_MEMBER_METHOD) != 0 &&
			!(value.type == jbvString && sdc_methods_swaps_units(sdc_methods_find(kind->method)) &&
			  sdc_unitargs_member(reading->step, name, sdc_parameters_text_of(&value))))
			put_argument(kind, name, &value, arguments);
	kind->read(arguments, reading->step);
	if (kind->continued != 0)
		sdc_continuingargs_read(arguments, kind->continued, reading->step->default_lot > 0, reading->step);
	sdc_unitargs_finish(reading->step);
}

/* taken_by returns the last step before some step that names a column too, or -1. */
static int
taken_by(const SdcProtection *protection, int number, const char *name)
{
	for (int i = number - 1; i >= 0; i--)
	{
		const SdcMethodStep *step = &protection->steps[i];

		if (sdc_names_have(step->columns, name) || sdc_names_have(step->read_besides, name))
			return i;
	}
	return -1;
}

/* check_apart insists that no column is in two steps, but for one that recodes it and one that comes then. */
static void
check_apart(const SdcProtection *protection)
{
	for (int i = 0; i < protection->step_count; i++)
	{
		const SdcMethodStep *step = &protection->steps[i];
		List	   *names = list_concat_copy(step->columns, step->read_besides);
		ListCell   *cell;

		foreach(cell, names)
		{
			int			other = taken_by(protection, i, lfirst(cell));

			if (other < 0 || (sdc_recode_is(&protection->steps[other]) && !sdc_recode_is(step)))
				continue;
			ereport(ERROR,
					(errcode(ERRCODE_DUPLICATE_COLUMN),
					 errmsg("column \"%s\" is in steps[%d] and in steps[%d]", (char *) lfirst(cell), other, i),
					 sdc_recode_is(step) && !sdc_recode_is(&protection->steps[other]) ?
					 errhint("Name the step that recodes the column first: the other one sees what its values have become.") :
					 errhint("A column can be in one step only, and in one that recodes it before.")));
		}
	}
}

/* check_together insists on steps that can be taken in one release. */
static void
check_together(const SdcProtection *protection)
{
	int			grouping = -1;
	int			rest = -1;

	check_apart(protection);
	for (int i = 0; i < protection->step_count; i++)
	{
		const SdcMethodStep *step = &protection->steps[i];
		bool		takes_rest = !step->columns_given || step->complement;
		bool		groups = step->groups || step->method->groups != SDC_GROUPS_NONE;

		if (groups && grouping >= 0)
			ereport(ERROR,
					(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
					 errmsg("steps[%d] and steps[%d] both make groups", grouping, i),
					 errhint("A release has the groups of one step of permute, generalize or microaggregate at most; with \"scheme\": \"each\" the last makes none.")));
		if (takes_rest && rest >= 0)
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("steps[%d] and steps[%d] both protect all columns that no step names", rest, i),
					 errhint("Name columns in all steps but one.")));
		if (groups)
			grouping = i;
		if (takes_rest)
			rest = i;
		if (protection->request.keeps_row_type && step->relabelled != NIL)
			ereport(ERROR,
					(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
					 errmsg("steps[%d] changes the types of columns", i),
					 errhint("The rows of a relation keep its row type; write a release with sdc_protect('...', ...).")));
	}
}

/* sdc_stepargs_read_object: see stepargs.h. */
void
sdc_stepargs_read_object(Jsonb *object, SdcMethodStep *step)
{
	JsonbValue	element = {.type = jbvBinary};
	Reading		reading = {&element, step};

	element.val.binary.data = &object->root;
	element.val.binary.len = VARSIZE(object) - VARHDRSZ;
	sdc_step_within(step->place, read_step, &reading);
}

/* sdc_stepargs_read_array: see stepargs.h. */
void
sdc_stepargs_read_array(Jsonb *steps, SdcProtection *protection)
{
	JsonbContainer *array = &steps->root;

	if (!JsonContainerIsArray(array) || JsonContainerIsScalar(array) || JsonContainerSize(array) == 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("argument \"steps\" must be an array of at least one step"),
				 errhint("Such as: [{\"method\": \"rankswap\", \"columns\": [\"income\"], \"p\": 10}]")));
	if (JsonContainerSize(array) > MaxHeapAttributeNumber)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("argument \"steps\" has more than %d steps", MaxHeapAttributeNumber)));
	protection->method = SDC_METHOD_PROTECT;
	protection->step_count = (int) JsonContainerSize(array);
	protection->steps = palloc0(sizeof(SdcMethodStep) * protection->step_count);
	for (int i = 0; i < protection->step_count; i++)
	{
		Reading		reading = {getIthJsonbValueFromContainer(array, (uint32) i), &protection->steps[i]};

		protection->steps[i].place = psprintf("steps[%d].", i);
		sdc_step_within(protection->steps[i].place, read_step, &reading);
	}
	check_together(protection);
}

/* sdc_stepargs_read: see stepargs.h. */
void
sdc_stepargs_read(FunctionCallInfo fcinfo, int number, SdcProtection *protection)
{
	sdc_args_require(fcinfo, number, SDC_MEMBER_STEPS);
	sdc_stepargs_read_array(PG_GETARG_JSONB_P(number), protection);
}
