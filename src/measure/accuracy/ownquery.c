/*-------------------------------------------------------------------------
 *
 * ownquery.c
 *		How far a query of an analyst's own on a release is from that on its source.
 *
 * The relative error is that of W. Yang, S. Qiao, "A novel anonymization algorithm: privacy protection
 * and knowledge preservation", Expert Systems with Applications 37 (2010), there of counts.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "measure/accuracy/ownquery.h"
#include "relation/base/names.h"
#include "relation/base/progress.h"
#include "relation/base/spi.h"
#include "relation/catalog/steps.h"
#include "relation/condition/querycells.h"
#include "relation/frame/openrelease.h"
#include "relation/read/groupcount.h"
#include "relation/read/weights.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

/* What a query asks for that says nothing; it means the server's function, whatever the search path has before it. */
#define COUNT "count(*)"

/* check_by insists on columns that source and release have alike, and that records can agree in. */
static void
check_by(const SdcOwnQuery *query, const SdcOpenRelease *opened, const List *without_values)
{
	Oid			source = opened->row.source;
	ListCell   *cell;

	foreach(cell, query->by)
	{
		const char *name = lfirst(cell);

		sdc_groupcount_check_column(source, name, "by");
		sdc_groupcount_check_column(query->release, name, "by");
		if (!sdc_names_have(without_values, name) &&
			get_atttype(source, get_attnum(source, name)) ==
			get_atttype(query->release, get_attnum(query->release, name)))
			continue;
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("column \"%s\" of release \"%s\" cannot be named in argument \"by\"",
						name, opened->name),
				 errdetail("It does not have the values of its source.")));
	}
}

/* relative_error is NaN where there is nothing to compare, or to divide by. */
static double
relative_error(double answer, double estimate)
{
	if (answer == estimate)
		return 0;
	return answer == 0 ? NAN : fabs(answer - estimate) / fabs(answer);
}

/* take_cell passes a cell on: SdcQueryCellsEmit. */
static void
take_cell(void *arg, Datum cell, const double value[2])
{
	const SdcOwnQuery *query = arg;
	SdcOwnQueryCell result = {cell, value[0], value[1], relative_error(value[0], value[1])};

	query->emit(query->arg, &result);
}

/* read_aggregate checks what is asked; where that is the number of records, it is the sum of their weights. */
static void
read_aggregate(const SdcOwnQuery *query, SdcOpenRelease *opened, const Oid *relids, SdcCondition *aggregate)
{
	bool		count = strcmp(query->aggregate, COUNT) == 0;

	sdc_openrelease_weigh(opened, &query->weight);
	aggregate->text = count ? "pg_catalog." COUNT : query->aggregate;
	if (count && opened->weight != NULL)
	{
		aggregate->argument = "weight";
		aggregate->text = psprintf("COALESCE(pg_catalog.sum(%s), 0::pg_catalog.numeric)",
								   sdc_weights_number(SDC_CONDITION_ALIAS, opened->weight));
		for (int i = 0; i < 2; i++)
			sdc_weights_find(relids[i], opened->weight);
	}
	sdc_condition_check(aggregate, relids, 2);
	aggregate->counts = aggregate->counts || count;
}

/* require_weights insists on weights in both relations, which were checked, where these are what is summed. */
static void
require_weights(const SdcOpenRelease *opened, const SdcQueryCells *cells)
{
	bool		before;

	if (strcmp(cells->aggregate->argument, "weight") != 0)
		return;
	before = sdc_condition_begin();
	sdc_spi_connect();
	for (int i = 0; i < 2; i++)
		sdc_weights_require(cells->relids[i], opened->weight, NIL);
	sdc_spi_finish();
	sdc_condition_end(before);
}

/* sdc_ownquery_measure: see ownquery.h. */
void
sdc_ownquery_measure(const SdcOwnQuery *query)
{
	SdcOpenRelease *opened = sdc_openrelease_find(query->catalog_schema, query->release, false);
	List	   *without_values = sdc_names_without(opened->row.columns,
												   sdc_steps_value_columns(&opened->row));
	SdcCondition aggregate = {.argument = "aggregate", .aggregate = true,
	.by = query->by, .without_values = without_values};
	SdcCondition condition = {.text = query->condition, .argument = "condition",
	.without_values = without_values};
	SdcQueryCells cells = {{opened->row.source, query->release}, &aggregate, NULL, query->by};

	check_by(query, opened, without_values);
	read_aggregate(query, opened, cells.relids, &aggregate);
	if (query->condition != NULL)
	{
		sdc_condition_check(&condition, cells.relids, 2);
		cells.condition = &condition;
	}
	sdc_progress_start(opened->row.source, list_length(query->by));
	require_weights(opened, &cells);
	sdc_querycells_run(&cells, take_cell, unconstify(SdcOwnQuery *, query));
	sdc_openrelease_check_unchanged(opened);
}
