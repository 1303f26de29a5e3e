/*-------------------------------------------------------------------------
 *
 * guarantee.c
 *		What the methods of a release promise of two sources with the same invariants.
 *
 * Permutation swapping: kernel/groups/permuteswap.c.  Where the values of bins or groups are permuted at random, all
 * releases of such sources are equally likely: epsilon is 0, given the bins and all other columns.  Of sets of columns
 * that were swapped apart, the epsilons are added up.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "kernel/groups/permuteswap.h"
#include "lib/stringinfo.h"
#include "measure/guarantee.h"
#include "relation/base/names.h"
#include "relation/base/spi.h"
#include "relation/catalog/catalog.h"
#include "relation/catalog/steps.h"

/* list_text lists names of columns, behind some words. */
static char *
list_text(const char *words, const List *names, const char *last)
{
	StringInfoData text;
	ListCell   *cell;

	initStringInfo(&text);
	appendStringInfo(&text, "%s (", words);
	foreach(cell, names)
		sdc_spi_append_name(&text, lfirst(cell), foreach_current_index(cell) == 0);
	if (last != NULL)
		appendStringInfo(&text, "%s%s", names == NIL ? "" : ", ", last);
	appendStringInfoChar(&text, ')');
	return text.data;
}

/* figure returns a number of what was found that is at least 0 and not too large for one; NaN without. */
static double
figure(const SdcStep *step, const char *name)
{
	double		number = sdc_parameters_number(step->parameters, name);

	return number >= 0 && number <= PG_UINT32_MAX ? number : NAN;
}

/* add_ratio adds what permutation swapping promises. */
static void
add_ratio(const SdcReleaseRow *row, const SdcStep *step, SdcGuarantee *guarantee)
{
	double		share = sdc_parameters_number(step->parameters, SDC_PARAMETER_RATE) / 100;
	double		largest = figure(step, SDC_PARAMETER_LARGEST_STRATUM);
	bool		sizes = row->unit != NIL && !sdc_parameters_true(step->parameters, SDC_PARAMETER_ANY_SIZE);

	if (!(share > 0 && share < 1 && largest >= 0))
	{
		guarantee->epsilon = guarantee->attained = NAN;
		return;
	}
	guarantee->epsilon += sdc_permuteswap_epsilon((uint32) largest, share);
	guarantee->attained += sdc_permuteswap_attained((uint32) largest, share);
	guarantee->largest_stratum = largest;
	guarantee->strata = figure(step, SDC_PARAMETER_STRATA_FOUND);
	guarantee->single_strata = figure(step, SDC_PARAMETER_SINGLE_STRATA);
	guarantee->selected_percent = figure(step, SDC_PARAMETER_SELECTED_PERCENT);
	guarantee->moved_percent = figure(step, SDC_PARAMETER_MOVED_PERCENT);
	guarantee->invariants = lappend(guarantee->invariants,
									list_text("counts by", list_concat_copy(row->strata, step->columns),
											  sizes ? "number of records of the unit" : NULL));
}

/* add_alike adds what permutations in bins or groups promise: of columns that were swapped together, and of others. */
static void
add_alike(const SdcStep *step, SdcGuarantee *guarantee)
{
	const char *place = step->method->groups == SDC_GROUPS_PERMUTED ? "group" : "bin";
	List	   *together = sdc_names_without(step->columns, step->alone);
	ListCell   *cell;

	if (together != NIL)
		guarantee->invariants = lappend(guarantee->invariants, list_text("counts by", together, place));
	foreach(cell, step->alone)
		guarantee->invariants = lappend(guarantee->invariants, list_text("counts by", list_make1(lfirst(cell)), place));
}

/* add_step adds what a step promises. */
static void
add_step(const SdcReleaseRow *row, const SdcStep *step, SdcGuarantee *guarantee)
{
	switch (step->method->promise)
	{
		case SDC_PROMISES_NOTHING:
			guarantee->epsilon = guarantee->attained = NAN;
			break;
		case SDC_PROMISES_ALIKE:
			add_alike(step, guarantee);
			break;
		case SDC_PROMISES_RATIO:
			add_ratio(row, step, guarantee);
			break;
	}
}

/* forget_figures forgets the figures of one step. */
static void
forget_figures(SdcGuarantee *guarantee)
{
	guarantee->largest_stratum = guarantee->strata = guarantee->single_strata = NAN;
	guarantee->selected_percent = guarantee->moved_percent = NAN;
}

/* sdc_guarantee_find: see guarantee.h. */
void
sdc_guarantee_find(Oid catalog_schema, Oid release, SdcGuarantee *guarantee)
{
	SdcReleaseRow row;
	ListCell   *cell;
	int			ratios = 0;

	if (!sdc_catalog_get_visible(catalog_schema, release, &row))
		sdc_catalog_refuse_unknown(release);
	memset(guarantee, 0, sizeof(SdcGuarantee));
	forget_figures(guarantee);
	foreach(cell, sdc_steps_of(&row))
	{
		const SdcStep *step = lfirst(cell);

		add_step(&row, step, guarantee);
		ratios += step->method->promise == SDC_PROMISES_RATIO;
	}
	guarantee->invariants = lappend(guarantee->invariants,
									list_text("counts by all columns but", row.columns, NULL));
	if (ratios <= 1)
		return;
	/* the worst cases of several steps need not come together */
	guarantee->attained = NAN;
	forget_figures(guarantee);
}
