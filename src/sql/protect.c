/*-------------------------------------------------------------------------
 *
 * protect.c
 *		sdc_protect.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "sql/call.h"
#include "sql/forms.h"
#include "sql/plumbing.h"
#include "sql/stepargs.h"

/* The arguments in front of those that all methods have. */
enum
{
	ARG_STEPS = 1, ARG_COMMON
};

/* read_steps reads what is asked for. */
static void
read_steps(FunctionCallInfo fcinfo, SdcProtection *protection)
{
	sdc_stepargs_read(fcinfo, ARG_STEPS, protection);
}

/*
 * sdc_protect(relation text, steps jsonb, target text, key name[], strata name[], omit name[],
 *			   keep name[], seed "any", replace boolean)
 * sdc_protect(relation regclass, ...)
 *		RETURNS TABLE (release regclass, attribute name, action text, method text,
 *					   records bigint, changed bigint, changed_percent float8,
 *					   bins bigint, single_bins bigint, kept bigint, drawn bigint,
 *					   waiting bigint, widows bigint, beyond float8, largest float8)
 * sdc_protect(row_type anyelement, steps jsonb, key name[], strata name[], omit name[],
 *			   keep name[], seed "any") RETURNS SETOF anyelement
 */
SDC_FORMS_STEPS(sdc_protect, read_steps, ARG_COMMON);


/*
 * sdc_private.plan(source regclass, steps jsonb, key name[], strata name[], omit name[], keep name[])
 *		RETURNS TABLE (attribute name, action text, method text)
 *
 * sdc_private.plan tells what sdc_protect would do, and raises its errors, without reading anything.
 */
SDC_PLUMBING(plan)
{
	return sdc_forms_plan(fcinfo, &sdc_protect_forms);
}

/*
 * sdc_private.protect_again(source regclass, steps jsonb, target text, key name[], strata name[], omit name[],
 *							  keep name[], before regclass, skip boolean)
 *		RETURNS TABLE (release regclass, records bigint, unchanged boolean, before bigint, gone bigint, arrived bigint)
 *
 * sdc_private.protect_again continues the release of an earlier run of a policy.
 */
SDC_PLUMBING(protect_again)
{
	return sdc_forms_continue(fcinfo, &sdc_protect_forms);
}
