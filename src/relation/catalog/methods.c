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
	SDC_REACH_PERCENT, SDC_TELLS_WINDOW, SDC_GROUPS_NONE, true, false, SDC_MEMBER_COLUMNS, SDC_PROMISES_NOTHING},
	{SDC_METHOD_RANKSWAP_DISTRIBUTION, {SDC_PARAMETER_P, CONTINUED},
	SDC_REACH_PERCENT, SDC_TELLS_WINDOW_MOSTLY, SDC_GROUPS_NONE, true, false, SDC_MEMBER_COLUMNS, SDC_PROMISES_NOTHING},
	{SDC_METHOD_RANKSWAP_BUCKETS, {SDC_PARAMETER_BUCKETS, CONTINUED},
	SDC_REACH_BUCKETS, SDC_TELLS_WINDOW_MOSTLY, SDC_GROUPS_NONE, true, false, SDC_MEMBER_COLUMNS, SDC_PROMISES_NOTHING},
	{SDC_METHOD_EQUIDEPTH, {SDC_PARAMETER_DEPTH, SDC_PARAMETER_COMPLEMENT, SDC_PARAMETER_COMPLEMENT_COLUMNS},
	SDC_REACH_NONE, SDC_TELLS_EQUIDEPTH, SDC_GROUPS_NONE, true, true, SDC_MEMBER_COLUMNS, SDC_PROMISES_ALIKE},
	{SDC_METHOD_EQUIWIDTH, {SDC_PARAMETER_INTERVALS, SDC_PARAMETER_WIDTHS, SDC_PARAMETER_COMPLEMENT,
	SDC_PARAMETER_COMPLEMENT_COLUMNS},
	SDC_REACH_NONE, SDC_TELLS_EQUIWIDTH, SDC_GROUPS_NONE, true, true, SDC_MEMBER_COLUMNS, SDC_PROMISES_ALIKE},
	{SDC_METHOD_RANDOMIZE, {SDC_PARAMETER_DRAWS, SDC_PARAMETER_PROBABILITIES, SDC_PARAMETER_CONTINUED},
	SDC_REACH_NONE, SDC_TELLS_LIKELIHOOD, SDC_GROUPS_NONE, true, false, SDC_MEMBER_QI, SDC_PROMISES_NOTHING},
	{SDC_METHOD_GENERALIZE, {SDC_PARAMETER_L, SDC_PARAMETER_K},
	SDC_REACH_NONE, SDC_TELLS_MEMBERSHIP, SDC_GROUPS_GENERALIZED, false, false, SDC_MEMBER_QI, SDC_PROMISES_NOTHING},
	{SDC_METHOD_PERMUTE, {SDC_PARAMETER_L, SDC_PARAMETER_GROUPING_METHOD, SDC_PARAMETER_FORCE},
	SDC_REACH_NONE, SDC_TELLS_PERMUTATION, SDC_GROUPS_PERMUTED, true, false, SDC_MEMBER_SENSITIVE, SDC_PROMISES_ALIKE},
	{SDC_METHOD_RECORD_SWAP, {SDC_PARAMETER_AREAS, SDC_PARAMETER_RISK, SDC_PARAMETER_K, SDC_PARAMETER_RATE,
	SDC_PARAMETER_SIMILAR, SDC_PARAMETER_RELAX, SDC_PARAMETER_CARRY, SDC_PARAMETER_ANY_SIZE},
	SDC_REACH_NONE, SDC_TELLS_MOVED, SDC_GROUPS_NONE, true, false, SDC_PARAMETER_AREAS, SDC_PROMISES_NOTHING},
	{SDC_METHOD_PERMUTATION_SWAP, {SDC_PARAMETER_RATE, SDC_PARAMETER_ANY_SIZE, SDC_PARAMETER_LARGEST_STRATUM,
	SDC_PARAMETER_STRATA_FOUND, SDC_PARAMETER_SINGLE_STRATA, SDC_PARAMETER_SELECTED_PERCENT,
	SDC_PARAMETER_MOVED_PERCENT},
	SDC_REACH_NONE, SDC_TELLS_MOVED, SDC_GROUPS_NONE, true, false, SDC_MEMBER_COLUMNS, SDC_PROMISES_RATIO},
	{SDC_METHOD_RECODE, {SDC_PARAMETER_RECODES, SDC_PARAMETER_RELABELLED, SDC_PARAMETER_FOUND, SDC_PARAMETER_TABLES},
	SDC_REACH_NONE, SDC_TELLS_FUNCTION, SDC_GROUPS_NONE, true, false, SDC_MEMBER_COLUMNS, SDC_PROMISES_NOTHING},
	{SDC_METHOD_MICROAGGREGATE, {SDC_PARAMETER_K, SDC_PARAMETER_SCHEME, SDC_PARAMETER_CENTRE, SDC_PARAMETER_SMALL,
	SDC_PARAMETER_FOUND},
	SDC_REACH_NONE, SDC_TELLS_AVERAGE, SDC_GROUPS_NONE, true, false, SDC_MEMBER_COLUMNS, SDC_PROMISES_NOTHING},
	/* of other tools; the last */
	{NULL, {NULL}, SDC_REACH_NONE, SDC_TELLS_NOTHING, SDC_GROUPS_NONE, true, false, SDC_MEMBER_COLUMNS,
	SDC_PROMISES_NOTHING}
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

/* sdc_methods_swaps_units: see methods.h. */
bool
sdc_methods_swaps_units(const char *name)
{
	const SdcMethod *method = sdc_methods_find(name);

	return method->tells != SDC_TELLS_MOVED && method->tells != SDC_TELLS_FUNCTION &&
		method->tells != SDC_TELLS_AVERAGE;
}

/* sdc_methods_knows_units: see methods.h. */
bool
sdc_methods_knows_units(const char *name)
{
	return sdc_methods_swaps_units(name) || sdc_methods_find(name)->tells == SDC_TELLS_AVERAGE;
}

/* sdc_methods_draws: see methods.h. */
bool
sdc_methods_draws(const char *name)
{
	const SdcMethod *method = sdc_methods_find(name);

	return method->groups != SDC_GROUPS_GENERALIZED && method->tells != SDC_TELLS_FUNCTION &&
		method->tells != SDC_TELLS_AVERAGE;
}

/* sdc_methods_leaves_codes: see methods.h. */
bool
sdc_methods_leaves_codes(const char *name)
{
	switch (sdc_methods_find(name)->tells)
	{
		case SDC_TELLS_WINDOW:
		case SDC_TELLS_WINDOW_MOSTLY:
		case SDC_TELLS_EQUIDEPTH:
		case SDC_TELLS_EQUIWIDTH:
		case SDC_TELLS_LIKELIHOOD:
		case SDC_TELLS_AVERAGE:
			return true;
		case SDC_TELLS_NOTHING:
		case SDC_TELLS_FUNCTION:
		case SDC_TELLS_MEMBERSHIP:
		case SDC_TELLS_PERMUTATION:
		case SDC_TELLS_MOVED:
			break;
	}
	return false;
}

/* sdc_methods_next: see methods.h. */
const SdcMethod *
sdc_methods_next(const SdcMethod *method)
{
	method = method == NULL ? methods : method + 1;
	return method->name == NULL ? NULL : method;
}
