/*-------------------------------------------------------------------------
 *
 * estimate.c
 *		Counts, sums and averages of the source, estimated from a published table.
 *
 * A person who has the table knows which columns were randomized, and how: that is published with it, in its accuracy
 * table.  Of a release the catalog knows it, for somebody who may read the source.
 *
 * Where units or strata decided together, and are not known to that person, the law is not known either: then there is
 * an estimate as if each record had been drawn by itself in the whole table, and no interval.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "access/relation.h"
#include "kernel/queries/estimatecells.h"
#include "measure/accuracy/estimate.h"
#include "measure/accuracy/unitestimate.h"
#include "relation/base/memory.h"
#include "relation/base/names.h"
#include "relation/base/progress.h"
#include "relation/base/spi.h"
#include "relation/catalog/actas.h"
#include "relation/catalog/steps.h"
#include "relation/column/celljson.h"
#include "relation/condition/condition.h"
#include "relation/condition/conditiongroups.h"
#include "relation/frame/accuracyrows.h"
#include "relation/read/source.h"
#include "relation/read/unitcolumns.h"
#include "relation/read/weights.h"
#include "relation/rights/trust.h"
#include "utils/lsyscache.h"

/* Why there is no interval. */
#define WHY_STRATA "Values were drawn within strata that are not known here."
#define WHY_UNITS "Records were drawn together, as units that are not known here."
#define WHY_CONTINUED "Units of a continued release were drawn in classes that are not known here."
#define WHY_MEASURE "Records were drawn together, as units, and the measure with them."

/* What is estimated, and how the table was randomized. */
typedef struct Estimating
{
	const SdcEstimateRequest *request;
	bool		weighted;		/* the measure is the weight */
	List	   *qi;
	const double *probability;	/* in the order of qi; NULL: RA 2 */
	int			draws;
	double		retain;			/* PRAM, or 0 */
	List	   *strata;
	List	   *unit;			/* columns that name the units, which several records have; NIL: there are none */
	uint32		class_units;	/* how many units of about one size were drawn in one class at least; 0: all */
	const char *why;			/* the law is not known; else NULL */
	/* columns that have conditions, or in which cells agree, and behind them those of the units */
	SdcConditionColumn column[SDC_ESTIMATE_COLUMNS + INDEX_MAX_KEYS];
	int			columns;
	SdcEstimateColumn described[SDC_ESTIMATE_COLUMNS];	/* the same for the kernel */
	SdcEstimateCellsTask task;
	const SdcConditionGroups *groups;
	SdcCellJson *json;
} Estimating;

/* require_parameters raises the error for parameters that nobody has said. */
static void
require_parameters(void)
{
	ereport(ERROR,
			(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
			 errmsg("argument \"probabilities\", \"draws\" or \"retain\" must be given"),
			 errhint("The publisher of a randomized table states how the columns in \"qi\" were drawn: sdc_publish writes it to the accuracy table, and readers of the source find it in sdc_releases.")));
}

/* step_probabilities reads the probabilities of a step; draws or retain are set instead where it has some. */
static const double *
step_probabilities(const SdcStep *step, const List *columns, int *draws, double *retain)
{
	int			count = list_length(columns);
	double	   *probability = palloc(sizeof(double) * Max(count, 1));
	double		drawn = sdc_parameters_number(step->parameters, SDC_PARAMETER_DRAWS);
	double		retained = sdc_parameters_number(step->parameters, SDC_PARAMETER_RETAIN);

	if (drawn >= 1 && drawn <= count)
		*draws = (int) drawn;
	if (retained > 0 && retained < 1)
		*retain = retained;
	if (*draws > 0 || *retain > 0)
		return NULL;
	for (int i = 0; i < count; i++)
	{
		probability[i] = sdc_parameters_element(step->parameters, SDC_PARAMETER_PROBABILITIES, i);
		if (!(probability[i] >= 0 && probability[i] <= 1))
			ereport(ERROR,
					(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
					 errmsg("the probabilities of the release are not known"),
					 errhint("Name them in argument \"probabilities\", or how many columns were drawn in \"draws\".")));
	}
	return probability;
}

/* check_same_qi insists that columns named in the argument are those that were randomized. */
static void
check_same_qi(const Estimating *estimating, const List *named)
{
	if (sdc_names_without(named, estimating->qi) != NIL || sdc_names_without(estimating->qi, named) != NIL)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("argument \"qi\" does not name the columns that were randomized"),
				 errhint("Leave the argument out for those that the catalog has, or give \"probabilities\", \"draws\" or \"retain\".")));
}

/* require_randomized insists on a table that one random anonymization or PRAM with "retain" has made. */
static void
require_randomized(bool randomized)
{
	if (!randomized)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("the release was not made by one random anonymization"),
				 errhint("Estimates undo sdc_randomize, or sdc_pram with \"retain\"; the other methods need none, or have none.")));
}

/* find_units takes the columns that name units, and the classes in which these were drawn. */
static void
find_units(Estimating *estimating, List *unit, uint32 class_units, bool continued)
{
	Oid			relid = estimating->request->relid;
	ListCell   *cell;

	estimating->unit = unit;
	estimating->class_units = class_units;
	if (continued)
		estimating->why = WHY_CONTINUED;
	foreach(cell, unit)
	{
		AttrNumber	number = get_attnum(relid, lfirst(cell));

		if (number <= 0 || !sdc_source_may_read(relid, number))
			estimating->why = WHY_UNITS;
	}
	if (estimating->why != NULL)
		estimating->unit = NIL;
}

/* take_units takes the units of a release that the caller may know of; its step can be unknown. */
static void
take_units(Estimating *estimating, const SdcReleaseRow *row, const SdcStep *step)
{
	bool		classes = step != NULL && sdc_steps_in_classes(step);

	if (row->unit != NIL && row->units < row->records)
		find_units(estimating, row->unit, classes ? sdc_steps_unit_class(step) : 0, sdc_steps_continued(row));
}

/* take_published_units takes the units of a publication, by what its accuracy table says. */
static void
take_published_units(Estimating *estimating, const SdcAccuracyDrawing *drawing)
{
	static const SdcAccuracyColumn nothing = {.name = NULL};
	const SdcAccuracyColumn *how = drawing->qi == NIL ? NULL : sdc_accuracyrows_column(drawing, linitial(drawing->qi));

	how = how == NULL ? &nothing : how;
	if (drawing->units)
		find_units(estimating, list_make1(SDC_UNIT_COLUMN), (uint32) Min(how->unit_class, PG_INT32_MAX),
				   how->continued);
}

/* take_strata takes the columns in which values were drawn, as far as they are there. */
static void
take_strata(Estimating *estimating, const List *strata, bool hidden)
{
	ListCell   *cell;

	if (estimating->request->strata_given)
		return;
	foreach(cell, strata)
		if (get_attnum(estimating->request->relid, lfirst(cell)) > 0)
			estimating->strata = lappend(estimating->strata, lfirst(cell));
		else
			hidden = true;
	if (hidden)
		estimating->why = WHY_STRATA;
}

/* ask_accuracy takes the parameters from the accuracy table of a publication. */
static void
ask_accuracy(Estimating *estimating)
{
	const SdcEstimateRequest *request = estimating->request;
	SdcAccuracyDrawing drawing;

	if (!sdc_accuracyrows_read(request->catalog_schema, request->relid, &drawing))
		require_parameters();
	require_randomized(drawing.qi != NIL);
	estimating->qi = drawing.qi;
	estimating->probability = drawing.probability;
	estimating->draws = drawing.draws;
	estimating->retain = drawing.retain;
	take_published_units(estimating, &drawing);
	take_strata(estimating, drawing.strata, drawing.hidden_strata);
}

/* ask_catalog takes the parameters from the catalog. */
static void
ask_catalog(Estimating *estimating, const SdcReleaseRow *row)
{
	const SdcStep *step = sdc_steps_randomized(sdc_steps_of(row));

	require_randomized(step != NULL && !sdc_parameters_has(step->parameters, SDC_PARAMETER_MATRICES));
	/* the order of the probabilities */
	estimating->qi = step->qi != NIL ? step->qi : step->columns;
	estimating->probability = step_probabilities(step, estimating->qi, &estimating->draws, &estimating->retain);
	take_units(estimating, row, step);
	take_strata(estimating, row->strata, false);
}

/* ask takes the parameters that were not given from where the caller may know them. */
static void
ask(Estimating *estimating)
{
	const SdcEstimateRequest *request = estimating->request;
	SdcReleaseRow row;

	if (sdc_catalog_get_visible(request->catalog_schema, request->relid, &row))
		ask_catalog(estimating, &row);
	else
		ask_accuracy(estimating);
	if (request->qi != NIL)
		check_same_qi(estimating, request->qi);
}

/* ask_units takes the units, where the caller has given the parameters, and may know them. */
static void
ask_units(Estimating *estimating)
{
	const SdcEstimateRequest *request = estimating->request;
	SdcReleaseRow row;
	SdcAccuracyDrawing drawing;

	if (sdc_catalog_get_visible(request->catalog_schema, request->relid, &row))
		take_units(estimating, &row, sdc_steps_randomized(sdc_steps_of(&row)));
	else if (sdc_accuracyrows_read(request->catalog_schema, request->relid, &drawing))
		take_published_units(estimating, &drawing);
}

/* find_parameters finds out how the table was randomized. */
static void
find_parameters(Estimating *estimating)
{
	const SdcEstimateRequest *request = estimating->request;
	ListCell   *cell;

	estimating->qi = request->qi;
	estimating->probability = request->probability;
	estimating->draws = request->draws;
	estimating->retain = request->retain;
	estimating->strata = request->strata;
	if (request->probability == NULL && request->draws == 0 && request->retain == 0)
		ask(estimating);
	else
		ask_units(estimating);
	foreach(cell, estimating->qi)
		(void) sdc_source_find_column(request->relid, lfirst(cell), "qi");
	foreach(cell, estimating->strata)
	{
		(void) sdc_source_find_column(request->relid, lfirst(cell), "strata");
		if (sdc_names_have(estimating->qi, lfirst(cell)))
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("column \"%s\" cannot be named in both \"qi\" and \"strata\"",
							(char *) lfirst(cell)),
					 errhint("Values were drawn within strata, which stayed as they were.")));
	}
}

/* find_column returns a column that has conditions or in which cells agree; it is added if it is new. */
static SdcConditionColumn *
find_column(Estimating *estimating, const char *name)
{
	for (int j = 0; j < estimating->columns; j++)
		if (strcmp(estimating->column[j].name, name) == 0)
			return &estimating->column[j];
	if (estimating->columns == SDC_ESTIMATE_COLUMNS)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("there can be at most %d columns with conditions, or to group by",
						SDC_ESTIMATE_COLUMNS)));
	estimating->column[estimating->columns].name = name;
	return &estimating->column[estimating->columns++];
}

/* is_fixed tells whether nothing that was drawn decides whether a condition holds; what is missing was not. */
static bool
is_fixed(const Estimating *estimating, const SdcCondition *condition)
{
	ListCell   *cell;

	if (!estimating->request->where)
		return false;
	foreach(cell, condition->columns)
		if (sdc_names_have(estimating->qi, lfirst(cell)) && condition->form.kind != SDC_FORM_MISSING)
			return false;
	return true;
}

/* check_conditions insists on conditions on one column each, and puts those on one column together. */
static void
check_conditions(Estimating *estimating)
{
	const SdcEstimateRequest *request = estimating->request;
	ListCell   *cell;

	foreach(cell, request->conditions)
	{
		SdcCondition condition = {.text = lfirst(cell), .split = request->where};
		SdcConditionColumn *column;

		condition.argument = psprintf("conditions[%d]", foreach_current_index(cell) + 1);
		sdc_condition_check(&condition, &request->relid, 1);
		if (is_fixed(estimating, &condition))
		{
			column = find_column(estimating, "");
			column->missing = true;
			column->conditions = lappend(column->conditions, lfirst(cell));
			continue;
		}
		if (list_length(condition.columns) != 1)
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("argument \"%s\" must be a condition on one column, not on %d",
							condition.argument, list_length(condition.columns)),
					 errhint("Give conditions that all must hold one by one, such as: '{\"age < 30\", \"sex = ''f''\"}'")));
		column = find_column(estimating, linitial(condition.columns));
		column->conditions = lappend(column->conditions, lfirst(cell));
	}
	foreach(cell, request->by)
	{
		(void) sdc_source_find_column(request->relid, lfirst(cell), "by");
		find_column(estimating, lfirst(cell))->by = true;
	}
}

/* describe_columns describes the columns to the kernel, without groups. */
static void
describe_columns(Estimating *estimating)
{
	for (int j = 0; j < estimating->columns; j++)
	{
		SdcEstimateColumn *described = &estimating->described[j];
		int			place = sdc_names_index(estimating->qi, estimating->column[j].name);
		static const uint32 none[1];

		described->drawn = place >= 0;
		if (place >= 0 && estimating->probability != NULL)
			described->probability = estimating->probability[place];
		described->condition = estimating->column[j].conditions != NIL;
		/* as long as there are no groups */
		described->code = estimating->column[j].by ? none : NULL;
		/* whether units have one value */
		estimating->column[j].by |= described->drawn && estimating->unit != NIL;
	}
}

/* describe_task describes what is estimated to the kernel, without groups. */
static void
describe_task(Estimating *estimating)
{
	const SdcEstimateRequest *request = estimating->request;
	SdcEstimateCellsTask *task = &estimating->task;
	int			place = request->measure == NULL ? -1 : sdc_names_index(estimating->qi, request->measure);

	describe_columns(estimating);
	task->statistic = request->statistic;
	task->measure = request->measure == NULL ? SDC_ESTIMATE_NONE :
		place < 0 ? SDC_ESTIMATE_COPIED : SDC_ESTIMATE_RANDOMIZED;
	task->own = -1;
	task->single = estimating->probability != NULL;
	task->attributes = list_length(estimating->qi);
	task->draws = estimating->draws;
	task->retain = estimating->retain;
	task->columns = estimating->columns;
	task->column = estimating->described;
	if (place < 0)
		return;
	task->drawn = true;
	task->probability = task->single ? estimating->probability[place] : 0;
	for (int j = 0; j < estimating->columns; j++)
		if (strcmp(estimating->column[j].name, request->measure) == 0)
			task->own = j;
}

/* check_task insists on something that can be estimated. */
static void
check_task(const SdcEstimateCellsTask *task)
{
	int			conditions = sdc_estimatecells_conditions(task);

	if (conditions > SDC_ESTIMATE_CONDITIONS)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("there are conditions, or columns to group by, on too many randomized columns: %d",
						conditions),
				 errhint("There can be at most %d, columns that are not randomized being one.",
						 SDC_ESTIMATE_CONDITIONS)));
	if (!sdc_estimatecells_identifiable(task))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("the release tells nothing of these columns together"),
				 errdetail("One of them was drawn in every record."),
				 errhint("Ask with conditions, columns to group by and a measure of fewer randomized columns.")));
}

/* take_groups gives the kernel the groups that were read. */
static void
take_groups(Estimating *estimating, const SdcConditionGroups *groups)
{
	SdcEstimateCellsTask *task = &estimating->task;

	estimating->groups = groups;
	for (int j = 0; j < estimating->columns; j++)
	{
		estimating->described[j].state = groups->state[j];
		if (estimating->described[j].code != NULL)
			estimating->described[j].code = groups->code[j];
		estimating->described[j].codes = groups->values[j].coding.codes;
	}
	task->center = groups->center;
	task->groups = groups->groups;
	task->group = groups->group;
	task->strata = groups->strata;
}

/* take_cell emits a cell with its values: SdcEstimateCellsEmit. */
static void
take_cell(void *arg, uint32 group, const SdcEstimate *estimate)
{
	const Estimating *estimating = arg;
	const SdcEstimateRequest *request = estimating->request;
	int			count = list_length(request->by);
	Datum	   *value = palloc(sizeof(Datum) * Max(count, 1));
	bool	   *isnull = palloc(sizeof(bool) * Max(count, 1));
	SdcEstimatedCell cell;
	ListCell   *name;

	foreach(name, request->by)
		for (int j = 0; j < estimating->columns; j++)
			if (strcmp(estimating->column[j].name, lfirst(name)) == 0)
				value[foreach_current_index(name)] =
					sdc_conditiongroups_value(estimating->groups, j, group,
											  &isnull[foreach_current_index(name)]);
	cell.cell = sdc_celljson_build(estimating->json, value, isnull);
	cell.estimate = *estimate;
	cell.why = estimating->why;
	if (cell.why != NULL)
		cell.estimate.standard_error = cell.estimate.low = cell.estimate.high = NAN;
	request->emit(request->arg, &cell);
	sdc_free(value);
	sdc_free(isnull);
}

/*
 * take_weight has the number of records be the sum of their weights, which were not drawn: it is a sum of a copied
 * column.
 */
static void
take_weight(Estimating *estimating, SdcEstimateRequest *weighted)
{
	const SdcEstimateRequest *request = estimating->request;
	SdcReleaseRow row = {.made = false};
	const char *weight;

	*weighted = *request;
	(void) sdc_catalog_get_visible(request->catalog_schema, request->relid, &row);
	weight = request->weight.given || !row.made ?
		sdc_weights_name(request->relid, request->weight.given, request->weight.name) : row.weight;
	if (weight == NULL)
		return;
	sdc_weights_find(request->relid, weight);
	if (request->statistic != SDC_ESTIMATE_COUNT)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("sums and averages of a measure cannot be estimated with weights"),
				 errhint("Estimate counts, or use weight => ''.")));
	weighted->statistic = SDC_ESTIMATE_SUM;
	weighted->measure = weight;
	estimating->weighted = true;
	estimating->request = weighted;
}

/* check_weight insists on weights that were not drawn, and are some. */
static void
check_weight(const Estimating *estimating)
{
	const SdcEstimateRequest *request = estimating->request;
	SdcActAs	before;

	if (!estimating->weighted)
		return;
	if (sdc_names_have(estimating->qi, request->measure))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("column \"%s\" cannot be the weight, it was randomized", request->measure)));
	sdc_actas_begin(&before, sdc_trust_reader(request->relid, false));
	sdc_spi_connect();
	sdc_weights_require(request->relid, request->measure, NIL);
	sdc_spi_finish();
	sdc_actas_end(&before);
}

/* check_request insists on a table that the caller may read, and on everything that can be known before. */
static void
check_request(Estimating *estimating, SdcConditionGroupsRequest *groups)
{
	const SdcEstimateRequest *request = estimating->request;
	ListCell   *cell;

	relation_close(sdc_source_open(request->relid, AccessShareLock), NoLock);
	sdc_source_check_kind(request->relid);
	sdc_source_check_readable(request->relid);
	if (request->measure != NULL)
		(void) sdc_source_find_column(request->relid, request->measure, "measure");
	find_parameters(estimating);
	check_conditions(estimating);
	describe_task(estimating);
	check_task(&estimating->task);
	foreach(cell, estimating->unit)
		estimating->column[estimating->columns + foreach_current_index(cell)] =
			(SdcConditionColumn) {.name = lfirst(cell), .by = true};
	groups->relid = request->relid;
	groups->columns = estimating->columns + list_length(estimating->unit);
	groups->column = estimating->column;
	groups->measure = request->measure;
	groups->strata = estimating->strata;
	sdc_conditiongroups_check(groups);
	check_weight(estimating);
}

/* is_about_drawn tells whether anything that is asked is about a column that was drawn. */
static bool
is_about_drawn(const Estimating *estimating)
{
	bool		drawn = estimating->task.measure == SDC_ESTIMATE_RANDOMIZED;

	for (int j = 0; j < estimating->columns; j++)
		drawn |= estimating->described[j].drawn;
	return drawn;
}

/* run estimates cell after cell, by the law of units where records were drawn together. */
static void
run(Estimating *estimating)
{
	SdcUnitEstimateTask units = {.records = &estimating->task, .groups = estimating->groups,
		.unit = estimating->columns, .units = list_length(estimating->unit), .class_units = estimating->class_units
	};

	if (!is_about_drawn(estimating))
		estimating->why = NULL;
	else if (units.units > 0 && sdc_unitestimate_together(&units))
	{
		if (estimating->task.measure != SDC_ESTIMATE_RANDOMIZED)
		{
			sdc_unitestimate_run(&units, take_cell, estimating);
			return;
		}
		estimating->why = WHY_MEASURE;
	}
	sdc_estimatecells_run(&estimating->task, take_cell, estimating);
}

/* sdc_estimate_measure works in a context of its own. */
const char *
sdc_estimate_measure(const SdcEstimateRequest *request)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "sdc estimate",
												  ALLOCSET_DEFAULT_SIZES);
	MemoryContext before = MemoryContextSwitchTo(context);
	Estimating *estimating = palloc0(sizeof(Estimating));
	SdcConditionGroupsRequest groups = {0};
	SdcEstimateRequest weighted;
	const char *why;

	estimating->request = request;
	take_weight(estimating, &weighted);
	check_request(estimating, &groups);
	estimating->json = sdc_celljson_create(request->by, sdc_celljson_types(request->relid, request->by));
	take_groups(estimating, sdc_conditiongroups_read(&groups));
	sdc_progress_evaluating(estimating->groups->groups, 1);
	run(estimating);
	why = estimating->why;
	sdc_progress_end();
	MemoryContextSwitchTo(before);
	MemoryContextDelete(context);
	return why;
}
