/*-------------------------------------------------------------------------
 *
 * parameters.c
 *		The parameters of a method, as the catalog has them: a JSON object.
 *
 * Releases may have been registered with any JSON at all, so nothing is taken for granted.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "relation/parameters.h"
#include "utils/builtins.h"
#include "utils/numeric.h"

/* sdc_parameters_read: see parameters.h. */
SdcParameters *
sdc_parameters_read(const char *json)
{
	Jsonb	   *root = DatumGetJsonbP(DirectFunctionCall1(jsonb_in, CStringGetDatum(json)));

	return JB_ROOT_IS_OBJECT(root) ? &root->root : NULL;
}

/* find returns the value of a parameter, NULL without. */
static JsonbValue *
find(SdcParameters *parameters, const char *name)
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
	return find(parameters, name) != NULL;
}

/* sdc_parameters_number: see parameters.h. */
double
sdc_parameters_number(SdcParameters *parameters, const char *name)
{
	return number_of(find(parameters, name));
}

/* sdc_parameters_element: see parameters.h. */
double
sdc_parameters_element(SdcParameters *parameters, const char *name, int index)
{
	JsonbValue *value = find(parameters, name);

	if (value == NULL || value->type != jbvBinary ||
		!JsonContainerIsArray(value->val.binary.data))
		return NAN;
	return number_of(getIthJsonbValueFromContainer(value->val.binary.data, (uint32) index));
}

/* sdc_parameters_inner: see parameters.h. */
SdcParameters *
sdc_parameters_inner(SdcParameters *parameters, const char *name)
{
	JsonbValue *value = find(parameters, name);

	if (value == NULL || value->type != jbvBinary ||
		!JsonContainerIsObject(value->val.binary.data))
		return NULL;
	return value->val.binary.data;
}
