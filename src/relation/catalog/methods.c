/*-------------------------------------------------------------------------
 *
 * methods.c
 *		The methods that make releases, as the catalog knows them.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "relation/catalog/methods.h"

/* of a rank swapping step that is continued */
#define CONTINUED SDC_PARAMETER_CONTINUED, SDC_PARAMETER_MIN_CHANGES, SDC_PARAMETER_MIN_DEPARTURES, \
	SDC_PARAMETER_ERASE_WITHIN, SDC_PARAMETER_LARGEST

static const SdcMethod methods[] = {
	{SDC_METHOD_RANKSWAP, {SDC_PARAMETER_P, CONTINUED},
	SDC_REACH_PERCENT, SDC_TELLS_WINDOW, SDC_GROUPS_NONE, true, false, SDC_MEMBER_COLUMNS},
	{SDC_METHOD_RANKSWAP_DISTRIBUTION, {SDC_PARAMETER_P, CONTINUED},
	SDC_REACH_PERCENT, SDC_TELLS_WINDOW_MOSTLY, SDC_GROUPS_NONE, true, false, SDC_MEMBER_COLUMNS},
	{SDC_METHOD_RANKSWAP_BUCKETS, {SDC_PARAMETER_BUCKETS, CONTINUED},
	SDC_REACH_BUCKETS, SDC_TELLS_WINDOW_MOSTLY, SDC_GROUPS_NONE, true, false, SDC_MEMBER_COLUMNS},
	{SDC_METHOD_EQUIDEPTH, {SDC_PARAMETER_DEPTH, SDC_PARAMETER_COMPLEMENT, SDC_PARAMETER_COMPLEMENT_COLUMNS},
	SDC_REACH_NONE, SDC_TELLS_EQUIDEPTH, SDC_GROUPS_NONE, true, true, SDC_MEMBER_COLUMNS},
	{SDC_METHOD_EQUIWIDTH, {SDC_PARAMETER_INTERVALS, SDC_PARAMETER_WIDTHS, SDC_PARAMETER_COMPLEMENT,
	SDC_PARAMETER_COMPLEMENT_COLUMNS},
	SDC_REACH_NONE, SDC_TELLS_EQUIWIDTH, SDC_GROUPS_NONE, true, true, SDC_MEMBER_COLUMNS},
	{SDC_METHOD_RANDOMIZE, {SDC_PARAMETER_DRAWS, SDC_PARAMETER_PROBABILITIES, SDC_PARAMETER_CONTINUED},
	SDC_REACH_NONE, SDC_TELLS_LIKELIHOOD, SDC_GROUPS_NONE, true, false, SDC_MEMBER_QI},
	{SDC_METHOD_GENERALIZE, {SDC_PARAMETER_L, SDC_PARAMETER_K},
	SDC_REACH_NONE, SDC_TELLS_MEMBERSHIP, SDC_GROUPS_GENERALIZED, false, false, SDC_MEMBER_QI},
	{SDC_METHOD_PERMUTE, {SDC_PARAMETER_L, SDC_PARAMETER_GROUPING_METHOD, SDC_PARAMETER_FORCE},
	SDC_REACH_NONE, SDC_TELLS_PERMUTATION, SDC_GROUPS_PERMUTED, true, false, SDC_MEMBER_SENSITIVE},
	/* of other tools; the last */
	{NULL, {NULL}, SDC_REACH_NONE, SDC_TELLS_NOTHING, SDC_GROUPS_NONE, true, false, SDC_MEMBER_COLUMNS}
};

/* sdc_methods_find returns the method of a name. */
const SdcMethod *
sdc_methods_find(const char *name)
{
	const SdcMethod *method = methods;

	while (method->name != NULL && strcmp(method->name, name) != 0)
		method++;
	return method;
}

/* sdc_methods_next: see methods.h. */
const SdcMethod *
sdc_methods_next(const SdcMethod *method)
{
	method = method == NULL ? methods : method + 1;
	return method->name == NULL ? NULL : method;
}
