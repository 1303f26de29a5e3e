/*-------------------------------------------------------------------------
 *
 * groupspans.c
 *		How many of a column's values the groups of a generalized release have.
 *
 * The groups are those of the release, and the values those of its source: what sdc_generalize has warned of, for who
 * has the release alone.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "measure/accuracy/groupspans.h"
#include "relation/base/memory.h"
#include "relation/catalog/catalog.h"
#include "relation/base/names.h"
#include "relation/catalog/steps.h"
#include "relation/frame/codedrelease.h"
#include "utils/lsyscache.h"

/* generalized_columns lists the columns of a release that have ranges and sets of groups. */
static List *
generalized_columns(Oid catalog_schema, Oid release)
{
	SdcReleaseRow row;
	const SdcStep *step;

	if (!sdc_catalog_get(catalog_schema, release, &row))
		sdc_catalog_refuse_unknown(release);
	step = row.made ? sdc_steps_with_groups(sdc_steps_of(&row)) : NULL;
	return step == NULL || step->method->groups != SDC_GROUPS_GENERALIZED ||
		sdc_parameters_has(step->parameters, SDC_PARAMETER_HIERARCHIES) ? NIL :
		sdc_names_without(step->columns, step->relabelled);
}

/* measure_column measures one column. */
static SdcGroupSpan
measure_column(const SdcCodedRelease *coded, const SdcComparedColumn *column)
{
	Oid			release = coded->row.release;
	SdcGroupSpanTask task = {coded->records, column->pair.original, column->pair.codes, coded->group,
	coded->groups, !type_is_array(get_atttype(release, get_attnum(release, column->name)))};

	return sdc_groupspan_measure(&task);
}

/* sdc_groupspans_measure: see groupspans.h. */
void
sdc_groupspans_measure(Oid catalog_schema, Oid release, SdcGroupSpanTake take, void *arg)
{
	SdcCodedReleaseRequest request = {.catalog_schema = catalog_schema, .release = release, .qi_given = true,
	.qi = generalized_columns(catalog_schema, release), .sensitive_given = true};
	SdcCodedRelease *coded;

	if (request.qi == NIL)
		return;
	coded = sdc_codedrelease_open(&request);
	for (int i = 0; i < coded->qi_count; i++)
		take(arg, coded->qi[i].name, measure_column(coded, &coded->qi[i]));
	sdc_codedrelease_close(coded);
}
