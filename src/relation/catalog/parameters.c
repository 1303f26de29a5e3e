/*-------------------------------------------------------------------------
 *
 * parameters.c
 *		The parameters of a method, as the catalog has them: a JSON object.
 *
 * Releases may have been registered with any JSON at all, so nothing is taken for granted.
 *
 * The catalog has numbers in full, as measures need them; the views over it show them rounded.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "kernel/base/kernel_env.h"
#include "miscadmin.h"
#include "relation/catalog/parameters.h"
#include "utils/builtins.h"
#include "utils/numeric.h"

/*
 * The significant digits that are shown.  With 7 of them probabilities that sum to 1 still do, to
 * 5e-7: they can be given to a function again, which asks for 1e-6.
 */
#define SHOWN_DIGITS 7

/* sdc_parameters_read: see parameters.h. */
SdcParameters *
sdc_parameters_read(const char *json)
{
	Jsonb	   *root = DatumGetJsonbP(DirectFunctionCall1(jsonb_in, CStringGetDatum(json)));

	return JB_ROOT_IS_OBJECT(root) ? &root->root : NULL;
}

/* sdc_parameters_find: see parameters.h. */
JsonbValue *
sdc_parameters_find(SdcParameters *parameters, const char *name)
{
	JsonbValue	key = {.type = jbvString};

	if (parameters == NULL)
		return NULL;
	key.val.string.val = unconstify(char *, name);
	key.val.string.len = (int) strlen(name);
	return findJsonbValueFromContainer(parameters, JB_FOBJECT, &key);
}

/* number_of returns the number that a value is, NaN if it is none. */
static double
number_of(const JsonbValue *value)
{
	if (value == NULL || value->type != jbvNumeric)
		return NAN;
	return DatumGetFloat8(DirectFunctionCall1(numeric_float8_no_overflow,
											  NumericGetDatum(value->val.numeric)));
}

/* sdc_parameters_count returns how many there are. */
int
sdc_parameters_count(SdcParameters *parameters)
{
	return parameters == NULL ? 0 : (int) JsonContainerSize(parameters);
}

/* sdc_parameters_has tells whether there is one of a name. */
bool
sdc_parameters_has(SdcParameters *parameters, const char *name)
{
	return sdc_parameters_find(parameters, name) != NULL;
}

/* sdc_parameters_number: see parameters.h. */
double
sdc_parameters_number(SdcParameters *parameters, const char *name)
{
	return number_of(sdc_parameters_find(parameters, name));
}

/* sdc_parameters_true: see parameters.h. */
bool
sdc_parameters_true(SdcParameters *parameters, const char *name)
{
	const JsonbValue *value = sdc_parameters_find(parameters, name);

	return value != NULL && value->type == jbvBool && value->val.boolean;
}

/* sdc_parameters_array_of: see parameters.h. */
JsonbContainer *
sdc_parameters_array_of(const JsonbValue *value)
{
	return value == NULL || value->type != jbvBinary || !JsonContainerIsArray(value->val.binary.data) ?
		NULL : value->val.binary.data;
}

/* sdc_parameters_object_of: see parameters.h. */
SdcParameters *
sdc_parameters_object_of(const JsonbValue *value)
{
	return value == NULL || value->type != jbvBinary || !JsonContainerIsObject(value->val.binary.data) ?
		NULL : value->val.binary.data;
}

/* sdc_parameters_child: see parameters.h. */
JsonbContainer *
sdc_parameters_child(SdcParameters *parameters, const char *name)
{
	const JsonbValue *value = sdc_parameters_find(parameters, name);

	return value == NULL || value->type != jbvBinary ? NULL : value->val.binary.data;
}

/* sdc_parameters_text_of: see parameters.h. */
char *
sdc_parameters_text_of(const JsonbValue *value)
{
	return value == NULL || value->type != jbvString ? NULL : pnstrdup(value->val.string.val, value->val.string.len);
}

/* sdc_parameters_next: see parameters.h. */
char *
sdc_parameters_next(SdcParameters *parameters, JsonbIterator **iterator, JsonbValue *value)
{
	JsonbValue	name;

	CHECK_FOR_INTERRUPTS();
	if (*iterator == NULL)
	{
		*iterator = JsonbIteratorInit(parameters);
		(void) JsonbIteratorNext(iterator, &name, true);
	}
	if (JsonbIteratorNext(iterator, &name, true) != WJB_KEY)
		return NULL;
	(void) JsonbIteratorNext(iterator, value, true);
	return sdc_parameters_text_of(&name);
}

/* sdc_parameters_element: see parameters.h. */
double
sdc_parameters_element(SdcParameters *parameters, const char *name, int index)
{
	JsonbContainer *array = sdc_parameters_array_of(sdc_parameters_find(parameters, name));

	return array == NULL ? NAN : number_of(getIthJsonbValueFromContainer(array, (uint32) index));
}

/* sdc_parameters_inner: see parameters.h. */
SdcParameters *
sdc_parameters_inner(SdcParameters *parameters, const char *name)
{
	return sdc_parameters_object_of(sdc_parameters_find(parameters, name));
}

/* sdc_parameters_text: see parameters.h. */
char *
sdc_parameters_text(SdcParameters *parameters, const char *name)
{
	return sdc_parameters_text_of(sdc_parameters_find(parameters, name));
}

/* sdc_parameters_is: see parameters.h. */
bool
sdc_parameters_is(SdcParameters *parameters, const char *name, const char *text)
{
	const char *found = sdc_parameters_text(parameters, name);

	return found != NULL && strcmp(found, text) == 0;
}

/* sdc_parameters_length: see parameters.h. */
int
sdc_parameters_length(SdcParameters *parameters, const char *name)
{
	JsonbContainer *array = sdc_parameters_array_of(sdc_parameters_find(parameters, name));

	return array == NULL ? 0 : (int) JsonContainerSize(array);
}

/* sdc_parameters_object: see parameters.h. */
SdcParameters *
sdc_parameters_object(SdcParameters *parameters, const char *name, int index)
{
	JsonbContainer *array = sdc_parameters_array_of(sdc_parameters_find(parameters, name));

	return array == NULL ? NULL : sdc_parameters_object_of(getIthJsonbValueFromContainer(array, (uint32) index));
}

/* sdc_parameters_names: see parameters.h. */
List *
sdc_parameters_names(SdcParameters *parameters, const char *name)
{
	JsonbContainer *array = sdc_parameters_array_of(sdc_parameters_find(parameters, name));
	List	   *names = NIL;

	for (int i = 0; i < sdc_parameters_length(parameters, name); i++)
	{
		char	   *text = sdc_parameters_text_of(getIthJsonbValueFromContainer(array, (uint32) i));

		if (text != NULL)
			names = lappend(names, text);
	}
	return names;
}

/* shown_decimals returns how many decimals of a number in digits are shown. */
static int
shown_decimals(const char *digits, const char *point)
{
	const char *first = digits + strspn(digits, "-0.");

	/* 0.00123: those up to the first that is not 0, and the significant ones */
	if (first > point)
		return (int) (first - point) - 1 + SHOWN_DIGITS;
	return Max(SHOWN_DIGITS - (int) (point - first), 0);
}

/* shown_number returns a number for somebody to look at. */
static Numeric
shown_number(Numeric number)
{
	Datum		value = NumericGetDatum(number);
	char	   *digits = DatumGetCString(DirectFunctionCall1(numeric_out, value));
	const char *point = strchr(digits, '.');
	int			decimals = point == NULL ? 0 : shown_decimals(digits, point);

	/* the server would cut off what is further behind the point */
	if (point == NULL || (int) strlen(point + 1) <= decimals || decimals > NUMERIC_MAX_RESULT_SCALE)
		return number;
	value = DirectFunctionCall2(numeric_round, value, Int32GetDatum(decimals));
	return DatumGetNumeric(DirectFunctionCall1(numeric_trim_scale, value));
}

/* sdc_parameters_shown: see parameters.h. */
Datum
sdc_parameters_shown(Datum parameters)
{
	JsonbIterator *iterator = JsonbIteratorInit(&DatumGetJsonbP(parameters)->root);
	JsonbParseState *state = NULL;
	JsonbValue *shown = NULL;
	JsonbIteratorToken token;
	JsonbValue	value;

	while ((token = JsonbIteratorNext(&iterator, &value, false)) != WJB_DONE)
	{
		bool		scalar = token == WJB_KEY || token == WJB_VALUE || token == WJB_ELEM;

		CHECK_FOR_INTERRUPTS();
		if (scalar && value.type == jbvNumeric)
			value.val.numeric = shown_number(value.val.numeric);
		/* a JSON that is one scalar is an array that says so */
		if (token == WJB_BEGIN_ARRAY)
			scalar = value.val.array.rawScalar;
		shown = pushJsonbValue(&state, token, scalar ? &value : NULL);
	}
	return JsonbPGetDatum(JsonbValueToJsonb(shown));
}

/* sdc_parameters_scalar: see parameters.h. */
char *
sdc_parameters_scalar(const JsonbValue *value)
{
	switch (value->type)
	{
		case jbvString:
			return sdc_parameters_text_of(value);
		case jbvNumeric:
			return DatumGetCString(DirectFunctionCall1(numeric_out, NumericGetDatum(value->val.numeric)));
		case jbvBool:
			return pstrdup(value->val.boolean ? "true" : "false");
		default:
			return NULL;
	}
}
