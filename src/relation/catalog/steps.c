/*-------------------------------------------------------------------------
 *
 * steps.c
 *		The steps that a release was made in.
 *
 * A release of several methods has the method "protect", and in its parameters the array of its steps: objects
 * with the name of a method, its parameters, and the columns as they are named when it is called.  Whoever
 * registers or restores a release may have written any JSON, so nothing is taken for granted: what names no
 * method, or a column that is not protected, is passed over, and columns of no step are another tool's.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "access/htup_details.h"
#include "kernel/base/units.h"
#include "kernel/rank/rankswap.h"
#include "relation/base/api.h"
#include "relation/base/names.h"
#include "relation/catalog/steps.h"
#include "utils/lsyscache.h"

/* How much wider the windows of a continued release are at least: next to no pair is further apart. */
#define CONTINUED_WIDER 1.5

/* names_once returns the texts of an array, each once, of as many as a table can have columns. */
static List *
names_once(SdcParameters *parameters, const char *name)
{
	List	   *names = NIL;
	ListCell   *cell;

	foreach(cell, sdc_parameters_names(parameters, name))
	{
		if (foreach_current_index(cell) == MaxHeapAttributeNumber)
			break;
		names = sdc_names_add(names, lfirst(cell));
	}
	return names;
}

/* make_step returns a step of a method without columns. */
static SdcStep *
make_step(const char *method_name, SdcParameters *parameters)
{
	SdcStep    *step = palloc0(sizeof(SdcStep));

	step->method_name = method_name;
	step->method = sdc_methods_find(method_name);
	step->parameters = parameters;
	step->alone = sdc_parameters_names(parameters, SDC_PARAMETER_COMPLEMENT_COLUMNS);
	step->relabelled = sdc_parameters_names(parameters, SDC_PARAMETER_RELABELLED);
	return step;
}

/* is_none tells whether a step is of columns that no method protects: they were computed, or are weights. */
static bool
is_none(const SdcStep *step)
{
	return strcmp(step->method_name, SDC_METHOD_TOTALS) == 0 || strcmp(step->method_name, SDC_METHOD_WEIGHT_GROUP) == 0;
}

/*
 * require_known refuses a release that a later version has made in a way that is not known here: it would be read as
 * one that tells an intruder less.
 */
static void
require_known(const SdcReleaseRow *row, const SdcStep *step)
{
	const char *needs = sdc_parameters_text(step->parameters, SDC_PARAMETER_NEEDS);
	const char *name;

	if (!row->made || ((step->method->name != NULL || is_none(step)) && (needs == NULL || sdc_api_knows(needs))))
		return;
	name = get_rel_name(row->release);
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("release \"%s\" was made in a way that this version of sdc does not know", name == NULL ? "" : name),
			 sdc_api_later()));
}

/* find_recoding returns the recoding that a column has had so far, and no other step; NULL without. */
static SdcStep *
find_recoding(List *steps, const char *name)
{
	ListCell   *cell;

	foreach(cell, steps)
	{
		SdcStep    *step = lfirst(cell);

		if (step->method->tells == SDC_TELLS_FUNCTION && sdc_names_have(step->columns, name))
			return step;
	}
	return NULL;
}

/* take_recoded gives a step a column that was recoded before, with the type that it has become; false: it was not. */
static bool
take_recoded(SdcStep *step, List *steps, char *name)
{
	SdcStep    *before = step->method->tells == SDC_TELLS_SUPPRESSED || step->method->tells == SDC_TELLS_FUNCTION ?
		NULL : find_recoding(steps, name);

	if (before == NULL)
		return false;
	before->columns = sdc_names_without(before->columns, list_make1(name));
	before->recoded = lappend(before->recoded, name);
	if (sdc_names_have(before->relabelled, name))
		step->relabelled = lappend(step->relabelled, name);
	return true;
}

/* take_columns gives a step those of some columns that no step has taken yet, or a recoding alone. */
static void
take_columns(SdcStep *step, List *steps, List *names, List **left)
{
	ListCell   *cell;

	foreach(cell, names)
	{
		if (sdc_names_have(*left, lfirst(cell)))
			*left = sdc_names_without(*left, list_make1(lfirst(cell)));
		else if (!take_recoded(step, steps, lfirst(cell)))
			continue;
		step->columns = lappend(step->columns, lfirst(cell));
	}
}

/*
 * read_step reads one step of a release behind others, and gives it its columns of those that are left of all; NULL if
 * it is none.
 */
static SdcStep *
read_step(const SdcReleaseRow *row, SdcParameters *object, List *steps, List **left)
{
	char	   *name = sdc_parameters_text(object, SDC_MEMBER_METHOD);
	SdcStep    *step;

	if (name == NULL)
		return NULL;
	step = make_step(name, object);
	require_known(row, step);
	step->qi = names_once(object, SDC_MEMBER_QI);
	step->sensitive = names_once(object, SDC_MEMBER_SENSITIVE);
	if (step->method->tells == SDC_TELLS_SUPPRESSED)
		step->again = sdc_names_without(step->qi, sdc_names_without(step->qi, sdc_names_without(row->columns, *left)));
	take_columns(step, steps, sdc_parameters_names(object, step->method->protects), left);
	take_columns(step, steps, step->alone, left);
	take_columns(step, steps, sdc_parameters_names(object, SDC_PARAMETER_CARRY), left);
	return step->columns == NIL && step->again == NIL ? NULL : step;
}

/* sdc_steps_of: see steps.h. */
List *
sdc_steps_of(const SdcReleaseRow *row)
{
	SdcParameters *parameters = sdc_parameters_read(row->parameters);
	List	   *left = list_copy(row->columns);
	List	   *steps = NIL;
	SdcStep    *other;

	if (strcmp(row->method, SDC_METHOD_PROTECT) != 0)
	{
		other = make_step(row->method, parameters);
		require_known(row, other);
		other->columns = row->columns;
		other->qi = row->qi;
		other->sensitive = row->sensitive;
		return list_make1(other);
	}
	for (int i = 0; i < sdc_parameters_length(parameters, SDC_MEMBER_STEPS); i++)
	{
		SdcStep    *step = read_step(row, sdc_parameters_object(parameters, SDC_MEMBER_STEPS, i), steps, &left);

		if (step != NULL)
			steps = lappend(steps, step);
	}
	if (left != NIL || steps == NIL)
	{
		other = make_step("", NULL);
		other->columns = left;
		steps = lappend(steps, other);
	}
	return steps;
}

/* sdc_steps_continued: see steps.h. */
bool
sdc_steps_continued(const SdcReleaseRow *row)
{
	ListCell   *cell;

	foreach(cell, sdc_steps_of(row))
		if (sdc_parameters_true(((const SdcStep *) lfirst(cell))->parameters, SDC_PARAMETER_CONTINUED))
			return true;
	return false;
}

/* sdc_steps_find: see steps.h. */
const SdcStep *
sdc_steps_find(List *steps, const char *column)
{
	ListCell   *cell;

	foreach(cell, steps)
	{
		const SdcStep *step = lfirst(cell);

		if (sdc_names_have(step->columns, column))
			return step;
	}
	return NULL;
}

/* sdc_steps_recoding: see steps.h. */
const SdcStep *
sdc_steps_recoding(List *steps, const char *column)
{
	ListCell   *cell;

	foreach(cell, steps)
	{
		const SdcStep *step = lfirst(cell);

		if (step->method->tells == SDC_TELLS_FUNCTION &&
			(sdc_names_have(step->columns, column) || sdc_names_have(step->recoded, column)))
			return step;
	}
	return NULL;
}

/* sdc_steps_with_groups: see steps.h. */
const SdcStep *
sdc_steps_with_groups(List *steps)
{
	ListCell   *cell;

	foreach(cell, steps)
	{
		const SdcStep *step = lfirst(cell);

		if (step->method->groups != SDC_GROUPS_NONE)
			return step;
	}
	return NULL;
}

/* find_only returns the only step of a method, or for NULL of those that tell something; NULL: none, or several. */
static const SdcStep *
find_only(List *steps, const char *method_name, SdcMethodTells tells)
{
	const SdcStep *found = NULL;
	ListCell   *cell;

	foreach(cell, steps)
	{
		const SdcStep *step = lfirst(cell);

		if (method_name != NULL ? strcmp(step->method_name, method_name) != 0 : step->method->tells != tells)
			continue;
		if (found != NULL)
			return NULL;
		found = step;
	}
	return found;
}

/* sdc_steps_only: see steps.h. */
const SdcStep *
sdc_steps_only(List *steps, const char *method_name)
{
	return find_only(steps, method_name, SDC_TELLS_NOTHING);
}

/* sdc_steps_randomized: see steps.h. */
const SdcStep *
sdc_steps_randomized(List *steps)
{
	return find_only(steps, NULL, SDC_TELLS_LIKELIHOOD);
}

/* sdc_steps_suppressed: see steps.h. */
bool
sdc_steps_suppressed(List *steps, const char *column)
{
	ListCell   *cell;

	foreach(cell, steps)
	{
		const SdcStep *step = lfirst(cell);

		if (step->method->tells == SDC_TELLS_SUPPRESSED &&
			(sdc_names_have(step->columns, column) || sdc_names_have(step->again, column)))
			return true;
	}
	return false;
}

/* sdc_steps_unit_class: see steps.h. */
uint32
sdc_steps_unit_class(const SdcStep *step)
{
	const SdcMethod *method = step->method;
	double		units = sdc_parameters_number(step->parameters, SDC_PARAMETER_DEPTH);
	double		reach = method->reach == SDC_REACH_NONE ? NAN :
		sdc_parameters_number(step->parameters, method->parameters[0]);

	if (method->reach == SDC_REACH_PERCENT && reach > 0 && reach <= 100)
		units = sdc_units_least(reach);
	else if (method->reach == SDC_REACH_BUCKETS && reach >= 1)
		units = reach;
	return units > 2 ? (uint32) Min(units, PG_UINT32_MAX / 2) : 2;
}

/* sdc_steps_in_classes: see steps.h. */
bool
sdc_steps_in_classes(const SdcStep *step)
{
	return sdc_parameters_is(step->parameters, SDC_PARAMETER_UNIT_SIZE, "equal");
}

/* sdc_steps_in_runs: see steps.h. */
bool
sdc_steps_in_runs(const SdcStep *step)
{
	return list_length(step->columns) == 1 || sdc_parameters_is(step->parameters, SDC_PARAMETER_SCHEME, "each");
}

/* sdc_steps_reach: see steps.h. */
SdcStepReach
sdc_steps_reach(const SdcStep *step)
{
	SdcStepReach reach = {0};
	const SdcMethod *method = step->method;

	if (method->reach == SDC_REACH_PERCENT)
	{
		reach.percent = sdc_parameters_number(step->parameters, method->parameters[0]);
		reach.known = reach.percent > 0 && reach.percent <= 100;
	}
	else if (method->reach == SDC_REACH_BUCKETS)
	{
		reach.buckets = sdc_parameters_number(step->parameters, method->parameters[0]);
		reach.known = reach.buckets >= 1;
	}
	if (reach.known && sdc_parameters_true(step->parameters, SDC_PARAMETER_CONTINUED))
	{
		double		largest = sdc_parameters_number(step->parameters, SDC_PARAMETER_LARGEST);

		reach.continued = true;
		reach.largest = largest > 0 ? Min(largest, 100) : 0;
	}
	return reach;
}

/* window_of returns the window of a percentage or a number of buckets. */
static uint32
window_of(double percent, double buckets, uint32 values)
{
	if (buckets > 0)
		return (uint32) Min((double) values, 2 * ceil(values / buckets));
	return sdc_rankswap_window(percent, values);
}

/* sdc_steps_window: see steps.h. */
uint32
sdc_steps_window(const SdcStepReach *reach, bool sound, uint32 values)
{
	uint32		wider;
	double		most;

	if (values == 0 || !reach->known)
		return values;
	if (!sound || !reach->continued)
		return window_of(reach->percent, reach->buckets, values);
	wider = window_of(Min(CONTINUED_WIDER * reach->percent, 100), reach->buckets / CONTINUED_WIDER, values);
	/* a percentage that was computed may be a little below the number of ranks that it stands for */
	most = ceil(reach->largest * values / 100 - 1e-6);
	return Min(Max(wider, (uint32) Max(most, 0)), values);
}

/* sdc_steps_keeps: see steps.h. */
bool
sdc_steps_keeps(const SdcStep *step, const char *column)
{
	return step == NULL || (step->method->keeps_types && !sdc_names_have(step->relabelled, column));
}

/* is_linked tells whether a step has protected a column as what it was recoded to. */
static bool
is_linked(List *steps, const char *column)
{
	const SdcStep *step = sdc_steps_find(steps, column);
	const SdcStep *recoding = sdc_steps_recoding(steps, column);

	return step != NULL && recoding != NULL && step != recoding && step->method->keeps_types;
}

/* value_columns lists the columns with values of the source's types; linked: and those that can be linked besides. */
static List *
value_columns(const SdcReleaseRow *row, bool linked)
{
	List	   *steps = sdc_steps_of(row);
	List	   *columns = NIL;
	ListCell   *cell;

	foreach(cell, row->columns)
		if (sdc_steps_keeps(sdc_steps_find(steps, lfirst(cell)), lfirst(cell)) ||
			(linked && is_linked(steps, lfirst(cell))))
			columns = lappend(columns, lfirst(cell));
	return columns;
}

/* sdc_steps_value_columns: see steps.h. */
List *
sdc_steps_value_columns(const SdcReleaseRow *row)
{
	return value_columns(row, false);
}

/* sdc_steps_linked_columns: see steps.h.  How a registered release was made is not known. */
List *
sdc_steps_linked_columns(const SdcReleaseRow *row)
{
	return value_columns(row, row->made);
}
