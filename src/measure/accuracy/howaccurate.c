/*-------------------------------------------------------------------------
 *
 * howaccurate.c
 *		Between which numbers a count of the source is, by what was published.
 *
 * The accuracy table says how each column was protected.  What is certain of a column is in columnbounds.c; of several
 * the bounds follow.  Where it is known how probably values have become others there are intervals:
 *	ranks, noise	of up to three columns the joint distribution of the source is sought (kernel/queries/unswap.h)
 *	matrices		an unbiased estimate and its standard error (matrixlaw.c)
 *	randomized		as sdc_estimate does
 *
 * Where records were protected together, as units, a count varies as much more as a count by units does.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <math.h>

#include "access/relation.h"
#include "kernel/base/normal.h"
#include "kernel/queries/unswap.h"
#include "measure/accuracy/columnbounds.h"
#include "measure/accuracy/howaccurate.h"
#include "measure/accuracy/matrixlaw.h"
#include "relation/base/memory.h"
#include "relation/base/names.h"
#include "relation/base/progress.h"
#include "relation/column/celljson.h"
#include "relation/condition/condition.h"
#include "relation/condition/conditiongroups.h"
#include "relation/frame/accuracyrows.h"
#include "relation/read/groupcount.h"
#include "relation/read/source.h"
#include "relation/read/unitcolumns.h"
#include "utils/lsyscache.h"

/* Kinds of what is said. */
#define KIND_EXACT "exact"
#define KIND_INTERVAL "interval"
#define KIND_BOUNDS "bounds"
#define KIND_UNKNOWN "unknown"

/* A count below is never said exactly. */
#define SMALL_COUNT 10

/* Cells that have intervals of swapped columns, at most. */
#define CELLS_MOST 1000

/*
 * The deviance of a table of counts that explains a release badly is so many times the square of what the normal
 * distribution has: less than once, as the margins and the other columns of all records are given.  Measured over
 * seeds (test/coverage).
 */
#define DEVIANCE_SCALE 0.3

/* Nothing is given of the margins of a column with noise. */
#define NOISE_SCALE 0.07

/* By how many columns were swapped: bins to a window near a change of the condition, and bins at most. */
static const struct
{
	double		fine;
	uint32		bins;
}			resolutions[SDC_UNSWAP_COLUMNS + 1] = {{0, 0}, {8, 128}, {4, 48}, {2, 24}};

/* What was done to a column. */
typedef enum Law
{
	LAW_COPIED,
	LAW_PROTECTED,				/* what is known is in SdcAccuracyColumn */
	LAW_DRAWN					/* by random anonymization, or PRAM that retains */
} Law;

/* The conditions on a protected column. */
typedef struct Protected
{
	const SdcAccuracyColumn *how;
	List	   *forms;			/* SdcConditionForm * */
	int			meets;			/* the column of what ranges and sets meet; 0: they are none */
	int			asked;			/* and that of the conditions as they were asked */
	SdcSwapBins bins;
	bool	   *unit_holds;		/* NULL: not by units, or they have several values */
	bool		several;		/* units have several values, or each record is one */
	SdcMatrix  *matrix;
	double	   *weight;			/* matrixlaw.h */
} Protected;

/* The columns of the groups that are read: what copied columns must satisfy, protected ones, and those to group by. */
typedef struct Asking
{
	const SdcAccurateRequest *request;
	SdcAccuracyDrawing drawing;
	List	   *conjuncts;
	SdcConditionColumn column[1 + SDC_ESTIMATE_COLUMNS];
	Protected	on[SDC_ESTIMATE_COLUMNS / 2];
	int			protected;		/* columns from number 1 on */
	int			columns;
	bool		drawn;			/* some column was randomized, */
	bool		recoded;		/* after it was recoded */
	const char *why;			/* nothing is known of the condition, or NULL */
	SdcBoundUnits units;
	uint32	   *unit;			/* the unit of each group; NULL: records are units */
	double		records;
	const SdcConditionGroups *groups;
	SdcCellJson *json;
	bool		divided;
	uint32	   *place;			/* of each group in a table of counts, */
	double	   *all;			/* which has all groups, */
	double	   *count;			/* and those of the cell at hand behind the others */
	uint32		cells;			/* of the table, of one layer */
	double		deviation;		/* of the normal distribution */
} Asking;

/* law_of finds out what was done to a column. */
static Law
law_of(const Asking *asking, const char *name)
{
	const SdcAccuracyColumn *how = sdc_accuracyrows_column(&asking->drawing, name);

	if (how == NULL && asking->drawing.units && strcmp(name, SDC_UNIT_COLUMN) == 0)
		return LAW_COPIED;
	if (how == NULL)
		return LAW_PROTECTED;
	if (strcmp(how->method, SDC_MEASURE_COPIED) == 0)
		return LAW_COPIED;
	return sdc_names_have(asking->drawing.qi, name) && !how->suppressed ? LAW_DRAWN : LAW_PROTECTED;
}

/* protected_column returns the number of a protected column among those of the groups; it is added if it is new. */
static int
protected_column(Asking *asking, const char *name)
{
	static const SdcAccuracyColumn nothing = {.method = SDC_METHOD_OTHER};
	const SdcAccuracyColumn *how = sdc_accuracyrows_column(&asking->drawing, name);
	SdcAccuracyColumn *unsaid;

	for (int j = 0; j < asking->protected; j++)
		if (strcmp(asking->column[1 + j].name, name) == 0)
			return j;
	if (asking->protected == lengthof(asking->on) - 1)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("there can be at most %d protected columns in a condition", (int) lengthof(asking->on) - 1)));
	if (how == NULL)
	{
		unsaid = palloc(sizeof(SdcAccuracyColumn));
		*unsaid = nothing;
		unsaid->name = name;
		how = unsaid;
	}
	asking->on[asking->protected].how = how;
	asking->on[asking->protected].matrix = how->suppressed ? NULL : sdc_matrix_find(asking->drawing.matrices, name);
	asking->column[1 + asking->protected] = (SdcConditionColumn) {.name = name, .by = true, .missing = true};
	return asking->protected++;
}

/* why_not says why nothing is known of a condition, or returns NULL. */
static const char *
why_not(Asking *asking, const SdcCondition *condition, Law law)
{
	const SdcAccuracyColumn *column;

	if (law != LAW_DRAWN || condition->form.written)
		return condition->form.written ? "The condition depends on how values are written: equal ones are written alike." : NULL;
	column = sdc_accuracyrows_column(&asking->drawing, linitial(condition->columns));
	asking->recoded |= column->recoded;
	return sdc_columnbounds_why_drawn(asking->request->relid, column, &condition->form);
}

/* take_conjunct takes one of the conditions that AND joins. */
static void
take_conjunct(Asking *asking, char *text)
{
	SdcCondition condition = {.text = text, .argument = "condition", .split = true};
	SdcConditionForm *form = palloc(sizeof(SdcConditionForm));
	SdcConditionColumn *column = &asking->column[0];
	Law			law = LAW_COPIED;
	ListCell   *cell;

	sdc_condition_check(&condition, &asking->request->relid, 1);
	foreach(cell, condition.columns)
		law = Max(law, law_of(asking, lfirst(cell)));
	/* draws leave missing values where they are */
	if (law == LAW_DRAWN && condition.form.kind == SDC_FORM_MISSING)
		law = LAW_COPIED;
	asking->drawn |= law == LAW_DRAWN;
	if (list_length(condition.columns) > 1 && law != LAW_COPIED)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("argument \"condition\" compares a protected column with other columns"),
				 errhint("Join conditions on one such column each by AND.")));
	if (asking->why == NULL)
		asking->why = why_not(asking, &condition, law);
	if (law == LAW_PROTECTED)
	{
		int			number = protected_column(asking, linitial(condition.columns));

		*form = condition.form;
		column = &asking->column[1 + number];
		asking->on[number].forms = lappend(asking->on[number].forms, form);
	}
	column->conditions = lappend(column->conditions, text);
}

/* take_by takes the columns to group by. */
static void
take_by(Asking *asking)
{
	ListCell   *cell;

	foreach(cell, asking->request->by)
	{
		Law			law;

		(void) sdc_source_find_column(asking->request->relid, lfirst(cell), "by");
		sdc_groupcount_check_column(asking->request->relid, lfirst(cell), "by");
		law = law_of(asking, lfirst(cell));
		if (law == LAW_PROTECTED)
			ereport(ERROR,
					(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
					 errmsg("column \"%s\" cannot be named in argument \"by\", it was protected", (char *) lfirst(cell)),
					 errhint("Ask for one value or range of its values after the other in the condition.")));
		asking->drawn |= law == LAW_DRAWN;
	}
}

/* begin reads what the accuracy table says, and the condition. */
static void
begin(Asking *asking)
{
	const SdcAccurateRequest *request = asking->request;
	SdcCondition condition = {.text = request->condition, .argument = "condition", .split = true};
	ListCell   *cell;

	relation_close(sdc_source_open(request->relid, AccessShareLock), NoLock);
	sdc_source_check_kind(request->relid);
	sdc_source_check_readable(request->relid);
	(void) sdc_accuracyrows_read(request->catalog_schema, request->relid, &asking->drawing);
	if (asking->drawing.columns == NIL)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("relation \"%s\" has no accuracy table that you may read", get_rel_name(request->relid)),
				 errhint("Name a table that sdc_publish has made, and ask its owner for SELECT on the accuracy table beside it.")));
	asking->column[0] = (SdcConditionColumn) {.name = "", .missing = true};
	sdc_condition_check(&condition, &request->relid, 1);
	asking->conjuncts = condition.conjuncts;
	foreach(cell, asking->conjuncts)
		take_conjunct(asking, lfirst(cell));
	take_by(asking);
}

/* add_column adds a column to those of the groups. */
static int
add_column(Asking *asking, SdcConditionColumn column)
{
	if (asking->columns == (int) lengthof(asking->column))
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("there can be at most %d columns to group by", SDC_ESTIMATE_COLUMNS / 2)));
	asking->column[asking->columns] = column;
	return asking->columns++;
}

/* add_meeting adds what ranges and sets can have a part of, and insists on the whole of them in place of that. */
static void
add_meeting(Asking *asking, int number)
{
	Protected  *on = &asking->on[number];
	SdcConditionColumn meeting = {.name = asking->column[1 + number].name, .missing = true};
	List	   *inside = NIL;
	ListCell   *cell;

	foreach(cell, on->forms)
	{
		SdcConditionForm *form = lfirst(cell);
		SdcCondition text[] = {{.text = form->inside, .argument = "condition"}, {.text = form->meets, .argument = "condition"}};

		if (form->kind != SDC_FORM_SET)
			return;
		for (int i = 0; i < (int) lengthof(text); i++)
			sdc_condition_check(&text[i], &asking->request->relid, 1);
		inside = lappend(inside, form->inside);
		meeting.conditions = lappend(meeting.conditions, form->meets);
	}
	on->meets = add_column(asking, meeting);
	meeting.conditions = asking->column[1 + number].conditions;
	on->asked = add_column(asking, meeting);
	asking->column[1 + number].conditions = inside;
}

/* add_units adds the numbers of units, where these matter; it returns the number of the column, or 0. */
static int
add_units(Asking *asking)
{
	Oid			relid = asking->request->relid;
	AttrNumber	number = get_attnum(relid, SDC_UNIT_COLUMN);

	asking->units.design = 1;
	if (!asking->drawing.units)
		return 0;
	asking->units.hidden = number <= 0 || !sdc_source_may_read(relid, number);
	return asking->units.hidden ? 0 : add_column(asking, (SdcConditionColumn) {.name = SDC_UNIT_COLUMN, .by = true});
}

/* take_units takes the units of the groups: how many records each has. */
static void
take_units(Asking *asking, int column)
{
	const SdcConditionGroups *groups = asking->groups;
	SdcBoundUnits *units = &asking->units;
	double		square = 0;

	units->count = groups->values[column].coding.codes;
	units->size = sdc_memory_zeros(Max(units->count, 1), sizeof(uint32));
	asking->unit = groups->code[column];
	for (uint32 g = 0; g < groups->groups; g++)
	{
		sdc_interrupts_step(g);
		/* no publication has a record without one */
		if (asking->unit[g] == SDC_CODE_NULL)
		{
			units->hidden = true;
			asking->unit = NULL;
			return;
		}
		units->size[asking->unit[g]] += (uint32) groups->group[g].records;
	}
	for (uint32 u = 0; u < units->count; u++)
	{
		sdc_interrupts_step(u);
		square += (double) units->size[u] * units->size[u];
	}
	units->design = asking->records > 0 ? square / asking->records : 1;
}

/* read_groups reads the groups; cells are strata. */
static void
read_groups(Asking *asking)
{
	const SdcAccurateRequest *request = asking->request;
	SdcConditionGroupsRequest groups = {.relid = request->relid, .column = asking->column, .strata = request->by};
	int			units;
	ListCell   *cell;

	asking->columns = 1 + asking->protected;
	for (int j = 0; j < asking->protected; j++)
		add_meeting(asking, j);
	units = asking->protected > 0 ? add_units(asking) : 0;
	foreach(cell, request->by)
		(void) add_column(asking, (SdcConditionColumn) {.name = lfirst(cell), .by = true});
	groups.columns = asking->columns;
	sdc_conditiongroups_check(&groups);
	asking->groups = sdc_conditiongroups_read(&groups);
	for (uint32 g = 0; g < asking->groups->groups; g++)
		asking->records += (double) asking->groups->group[g].records;
	if (units > 0)
		take_units(asking, units);
	asking->json = sdc_celljson_create(request->by, sdc_celljson_types(request->relid, request->by));
}

/* holds tells whether a condition holds in a group. */
static bool
holds(const Asking *asking, int column, uint32 group)
{
	return asking->groups->state[column][group] == SDC_ESTIMATE_TRUE;
}

/* hand_over emits a cell; a small count is not told. */
static void
hand_over(const Asking *asking, SdcAccurateCell *cell)
{
	if (asking->request->statistic == SDC_ESTIMATE_COUNT && cell->low == cell->high && cell->low < SMALL_COUNT)
	{
		cell->low = 0;
		cell->high = SMALL_COUNT;
		cell->estimate = NAN;
		cell->kind = strcmp(cell->kind, KIND_EXACT) == 0 ? KIND_BOUNDS : cell->kind;
	}
	asking->request->emit(asking->request->arg, cell);
}

/* emit emits a cell by one of its groups. */
static void
emit(const Asking *asking, uint32 group, SdcAccurateCell *cell)
{
	int			count = list_length(asking->request->by);
	Datum	   *value = palloc(sizeof(Datum) * Max(count, 1));
	bool	   *isnull = palloc(sizeof(bool) * Max(count, 1));

	/* the columns to group by are the last ones */
	for (int i = 0; i < count; i++)
		value[i] = sdc_conditiongroups_value(asking->groups, asking->columns - count + i, group, &isnull[i]);
	cell->cell = sdc_celljson_build(asking->json, value, isnull);
	hand_over(asking, cell);
	pfree(value);
	pfree(isnull);
}

/* tell_nothing says why nothing is known of a cell. */
static void
tell_nothing(SdcAccurateCell *cell, const char *why)
{
	cell->estimate = cell->low = cell->high = NAN;
	cell->kind = KIND_UNKNOWN;
	cell->why = why;
}

/* How many records of a cell satisfy the condition as they were released, and what bounds the number of originals. */
typedef struct Counted
{
	uint32		group;			/* one of the cell */
	uint64		records;		/* whose copied columns satisfy it */
	uint64		released;
	uint64		sure;
	uint64		possible;
} Counted;

/* count_cells counts the groups of each cell. */
static Counted *
count_cells(const Asking *asking)
{
	const SdcConditionGroups *groups = asking->groups;
	Counted    *counted = sdc_memory_zeros(Max(groups->strata, 1), sizeof(Counted));

	for (uint32 g = 0; g < groups->groups; g++)
	{
		Counted    *cell = &counted[groups->group[g].stratum];
		uint64		records = groups->group[g].records;
		bool		released = holds(asking, 0, g);
		bool		sure = released;
		bool		possible = released;

		sdc_interrupts_step(g);
		cell->group = g;
		cell->records += released ? records : 0;
		for (int j = 0; j < asking->protected; j++)
		{
			const SdcSwapBins *column = &asking->on[j].bins;
			uint32		code = Min(groups->code[1 + j][g], column->codes);

			released &= asking->on[j].asked > 0 ? holds(asking, asking->on[j].asked, g) : column->holds[code];
			sure &= column->sure[code];
			possible &= column->possible[code];
		}
		cell->released += released ? records : 0;
		cell->sure += sure ? records : 0;
		cell->possible += possible ? records : 0;
	}
	return counted;
}

/* take_forms takes what the conditions on a column have in common. */
static void
take_forms(const Protected *on, SdcColumnBoundsTask *task, SdcSwapBins *column)
{
	ListCell   *cell;

	column->convex = true;
	foreach(cell, on->forms)
	{
		SdcConditionKind kind = ((const SdcConditionForm *) lfirst(cell))->kind;

		task->kind = foreach_current_index(cell) == 0 || task->kind == kind ? kind : SDC_FORM_OTHER;
		column->from |= kind == SDC_FORM_FROM;
		column->upto |= kind == SDC_FORM_UPTO;
		column->convex &= kind == SDC_FORM_FROM || kind == SDC_FORM_UPTO;
	}
}

/* take_values takes the numbers of a column, and whether it has texts, ranges or sets in the place of values. */
static void
take_values(const Asking *asking, int number, SdcColumnBoundsTask *task, SdcSwapBins *column)
{
	SdcConditionValues *values = &asking->groups->values[1 + number];

	task->labels = values->type.kind == SDC_VALUE_NOMINAL;
	if (values->type.kind == SDC_VALUE_NOMINAL)
		return;
	column->value = sdc_memory_array(Max(column->codes, 1), sizeof(double));
	for (uint32 c = 0; c < column->codes; c++)
	{
		sdc_interrupts_step(c);
		column->value[c] = sdc_type_number(&values->type,
										   sdc_dictionary_value(values->dictionary, values->coding.number[c]));
	}
}

/* count_codes counts the records with each code of a column, and finds out for which the condition holds. */
static void
count_codes(const Asking *asking, int number, SdcSwapBins *column)
{
	const SdcConditionGroups *groups = asking->groups;
	uint64		size = (uint64) groups->values[1 + number].coding.codes + 1;
	int			meets = asking->on[number].meets;

	column->codes = (uint32) size - 1;
	column->count = sdc_memory_zeros(size, sizeof(uint32));
	column->holds = sdc_memory_zeros(size, sizeof(bool));
	column->sure = sdc_memory_zeros(size, sizeof(bool));
	column->possible = sdc_memory_array(size, sizeof(bool));
	memset(column->possible, true, size);
	if (meets > 0)
		column->meets = sdc_memory_zeros(size, sizeof(bool));
	for (uint32 g = 0; g < groups->groups; g++)
	{
		uint32		code = Min(groups->code[1 + number][g], column->codes);

		sdc_interrupts_step(g);
		column->count[code] += (uint32) groups->group[g].records;
		column->holds[code] = holds(asking, 1 + number, g);
		if (meets > 0)
			column->meets[code] = holds(asking, meets, g);
	}
}

/* take_unit_values finds out for which units the condition holds, where each has one value. */
static void
take_unit_values(Asking *asking, int number)
{
	Protected  *on = &asking->on[number];
	const uint32 *code = asking->groups->code[1 + number];
	uint32	   *first;

	on->several = asking->unit == NULL;
	if (on->several)
		return;
	first = sdc_memory_zeros(Max(asking->units.count, 1), sizeof(uint32));
	on->unit_holds = sdc_memory_zeros(Max(asking->units.count, 1), sizeof(bool));
	for (uint32 g = 0; g < asking->groups->groups && !on->several; g++)
	{
		uint32		unit = asking->unit[g];
		uint32		mark = Min(code[g], on->bins.codes) + 1;

		sdc_interrupts_step(g);
		on->several = first[unit] != 0 && first[unit] != mark;
		first[unit] = mark;
		on->unit_holds[unit] = on->bins.holds[mark - 1];
	}
	sdc_free(first);
	if (on->several)
		on->unit_holds = NULL;
}

/* mixed tells whether it is known how probably the values of a column have become others. */
static SdcSwapMix
mixed(const Asking *asking, const Protected *on, const SdcSwapBins *column)
{
	const SdcAccuracyColumn *how = on->how;

	if (how->suppressed || how->codes || asking->units.hidden || asking->drawing.strata != NIL ||
		asking->drawing.hidden_strata)
		return SDC_MIX_UNKNOWN;
	if (how->reach > 0 && !(how->whole && on->several))
		return SDC_MIX_RANKS;
	return how->amount > 0 && column->convex && column->value != NULL ? SDC_MIX_NOISE : SDC_MIX_UNKNOWN;
}

/* read_column takes what the groups say of a protected column. */
static void
read_column(Asking *asking, int number)
{
	Protected  *on = &asking->on[number];
	SdcSwapBins *column = &on->bins;
	SdcColumnBoundsTask task = {.drawing = &asking->drawing, .units = &asking->units,
		.records = (uint32) asking->records
	};

	column->how = on->how;
	count_codes(asking, number, column);
	take_forms(on, &task, column);
	take_values(asking, number, &task, column);
	take_unit_values(asking, number);
	task.unit_holds = on->unit_holds;
	column->mixed = mixed(asking, on, column);
	if (on->matrix != NULL)
		on->weight = sdc_matrixlaw_find(asking->request->relid, &asking->column[1 + number],
										&asking->groups->values[1 + number], on->matrix, column);
	sdc_columnbounds_find(&task, column);
}

/* divide makes bins of all columns, and a table of all groups. */
static void
divide(Asking *asking)
{
	const SdcConditionGroups *groups = asking->groups;

	asking->divided = asking->protected <= SDC_UNSWAP_COLUMNS && groups->groups > 0;
	asking->cells = 1;
	for (int j = 0; j < asking->protected && asking->divided; j++)
	{
		asking->divided = sdc_swapbins_divide(&asking->on[j].bins, resolutions[asking->protected].fine,
											  resolutions[asking->protected].bins);
		asking->cells *= asking->on[j].bins.bins;
	}
	if (!asking->divided)
		return;
	asking->place = sdc_memory_zeros(groups->groups, sizeof(uint32));
	asking->all = sdc_memory_zeros(asking->cells, sizeof(double));
	asking->count = sdc_memory_array(2 * (uint64) asking->cells, sizeof(double));
	for (uint32 g = 0; g < groups->groups; g++)
	{
		sdc_interrupts_step(g);
		for (int j = 0; j < asking->protected; j++)
		{
			const SdcSwapBins *column = &asking->on[j].bins;

			asking->place[g] = asking->place[g] * column->bins +
				column->bin[Min(groups->code[1 + j][g], column->codes)];
		}
		asking->all[asking->place[g]] += (double) groups->group[g].records;
	}
}

/* design_of returns how many times as much a count varies as one of records that were protected one by one. */
static double
design_of(const Asking *asking)
{
	for (int j = 0; j < asking->protected; j++)
		if (!asking->on[j].several)
			return asking->units.design;
	return 1;
}

/* is_alone tells whether all records are asked for by protected columns, and by nothing else. */
static bool
is_alone(const Asking *asking)
{
	return asking->column[0].conditions == NIL && asking->request->by == NIL;
}

/* unswap finds the interval of a cell. */
static void
unswap(const Asking *asking, uint32 number, SdcUnswapResult *result)
{
	const SdcConditionGroups *groups = asking->groups;
	bool		alone = is_alone(asking);
	SdcUnswapTask task = {.layers = alone ? 1 : 2, .columns = asking->protected};
	double		scale = DEVIANCE_SCALE;
	double	   *inside = asking->count + (alone ? 0 : asking->cells);

	memcpy(asking->count, asking->all, sizeof(double) * asking->cells);
	for (uint32 i = 0; i < asking->cells && !alone; i++)
		inside[i] = 0;
	for (uint32 g = 0; g < groups->groups && !alone; g++)
	{
		sdc_interrupts_step(g);
		if (groups->group[g].stratum != number || !holds(asking, 0, g))
			continue;
		asking->count[asking->place[g]] -= (double) groups->group[g].records;
		inside[asking->place[g]] += (double) groups->group[g].records;
	}
	for (int j = 0; j < asking->protected; j++)
	{
		const SdcSwapBins *column = &asking->on[j].bins;
		bool		noise = column->mixed == SDC_MIX_NOISE;

		task.column[j] = (SdcUnswapColumn) {column->bins, column->mix, column->margin, column->bin_holds, noise};
		scale = noise ? NOISE_SCALE : scale;
	}
	task.dispersion = design_of(asking);
	task.threshold = scale * asking->deviation * asking->deviation * task.dispersion;
	task.count = asking->count;
	sdc_unswap_run(&task, result);
}

/* bound fills in the bounds of a cell: those of its records, and those of all records by each column. */
static void
bound(const Asking *asking, const Counted *counted, SdcAccurateCell *cell)
{
	double		low = (double) counted->records;
	double		high = (double) counted->possible;

	for (int j = 0; j < asking->protected; j++)
	{
		low += asking->on[j].bins.low - asking->records;
		high = Min(high, asking->on[j].bins.high);
	}
	*cell = (SdcAccurateCell) {.released = (double) counted->released, .estimate = NAN, .kind = KIND_BOUNDS};
	cell->low = Max(low, (double) counted->sure);
	cell->high = Max(high, cell->low);
	/* that it is one of the records that were published says nothing */
	if (cell->low > 0 || cell->high < (double) counted->records || asking->column[0].conditions != NIL)
		return;
	for (int j = 0; j < asking->protected && cell->why == NULL; j++)
		cell->why = asking->on[j].bins.why;
}

/* unmatrix finds the interval of a cell whose columns were drawn by matrices; false: one of them is singular. */
static bool
unmatrix(const Asking *asking, uint32 number, SdcUnswapResult *result)
{
	const SdcConditionGroups *groups = asking->groups;
	double		estimate = 0;
	double		variance = 0;

	for (int j = 0; j < asking->protected; j++)
		if (asking->on[j].weight == NULL || asking->units.hidden)
			return false;
	for (uint32 g = 0; g < groups->groups; g++)
	{
		double		weight = (double) groups->group[g].records;
		double		times = 1;

		sdc_interrupts_step(g);
		if (groups->group[g].stratum != number || !holds(asking, 0, g))
			continue;
		for (int j = 0; j < asking->protected; j++)
			times *= asking->on[j].weight[Min(groups->code[1 + j][g], asking->on[j].bins.codes)];
		estimate += weight * times;
		variance += weight * (times * times - times);
	}
	variance = sqrt(Max(variance * design_of(asking), 0)) * asking->deviation;
	*result = (SdcUnswapResult) {.estimate = estimate, .low = estimate - variance, .high = estimate + variance};
	return true;
}

/* turnover returns by how many records columns can differ from those of the source; NaN: it is not said. */
static double
turnover(const Asking *asking)
{
	double		sum = 0;
	double		spread = 0;

	for (int j = 0; j < asking->protected; j++)
	{
		sum += sdc_columnbounds_turnover(&asking->on[j].bins, asking->records);
		spread += asking->on[j].bins.spread;
	}
	return sum + asking->deviation * sqrt(spread);
}

/* find_interval finds the interval of a cell; false: there is none. */
static bool
find_interval(const Asking *asking, uint32 number, SdcUnswapResult *result)
{
	bool		alone = asking->protected == 1 && is_alone(asking);
	double		moved = turnover(asking);

	if (unmatrix(asking, number, result))
		return true;
	/* of one swapped column nothing is to be found but its margin */
	if (!asking->divided || isnan(moved) || (alone && asking->on[0].bins.mixed == SDC_MIX_RANKS))
		return false;
	unswap(asking, number, result);
	result->low -= moved;
	result->high += moved;
	return true;
}

/* conclude makes what is known of a cell an answer. */
static void
conclude(const Asking *asking, uint32 number, SdcAccurateCell *cell)
{
	SdcUnswapResult result;

	if (cell->low >= cell->high)
	{
		cell->estimate = cell->low;
		cell->kind = KIND_EXACT;
	}
	else if (find_interval(asking, number, &result))
	{
		cell->low = Max(cell->low, Min(floor(result.low), cell->high));
		cell->high = Min(cell->high, Max(ceil(result.high), cell->low));
		cell->estimate = Min(Max(rint(result.estimate), cell->low), cell->high);
		cell->kind = KIND_INTERVAL;
	}
	else if (cell->why != NULL)
		tell_nothing(cell, cell->why);
	cell->why = strcmp(cell->kind, KIND_UNKNOWN) == 0 ? cell->why : NULL;
}

/* answer_protected emits the cells where columns were protected. */
static void
answer_protected(Asking *asking)
{
	uint32		strata;
	Counted    *counted;

	read_groups(asking);
	strata = asking->groups->strata;
	if (strata > CELLS_MOST)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("there can be at most %d cells, not %u", CELLS_MOST, strata),
				 errhint("Name fewer columns in argument \"by\", or put a part of the cells into the condition.")));
	for (int j = 0; j < asking->protected; j++)
		read_column(asking, j);
	counted = count_cells(asking);
	divide(asking);
	sdc_progress_evaluating(asking->groups->groups, Max(strata, 1));
	for (uint32 i = 0; i < (asking->request->by == NIL ? 1 : strata); i++)
	{
		SdcAccurateCell cell;

		bound(asking, &counted[i], &cell);
		conclude(asking, i, &cell);
		emit(asking, counted[i].group, &cell);
		sdc_progress_next_part();
	}
}

/* answer_plain emits the cells where the count is that of the source, or nothing is known. */
static void
answer_plain(Asking *asking)
{
	Counted    *counted;

	asking->column[0].conditions = asking->conjuncts;
	asking->protected = 0;
	read_groups(asking);
	counted = count_cells(asking);
	for (uint32 i = 0; i < (asking->request->by == NIL ? 1 : asking->groups->strata); i++)
	{
		double		released = (double) counted[i].released;
		SdcAccurateCell cell = {0, released, released, released, released, KIND_EXACT, NULL};

		sdc_interrupts_step(i);
		if (asking->why != NULL)
			tell_nothing(&cell, asking->why);
		emit(asking, counted[i].group, &cell);
	}
}

/* take_estimate emits a cell of sdc_estimate. */
static void
take_estimate(void *arg, const SdcEstimatedCell *estimated)
{
	const Asking *asking = arg;
	double		reach = asking->deviation * estimated->estimate.standard_error;
	SdcAccurateCell cell = {.cell = estimated->cell, .released = estimated->estimate.raw,
		.estimate = estimated->estimate.estimate, .low = estimated->estimate.estimate - reach,
		.high = estimated->estimate.estimate + reach, .kind = KIND_INTERVAL
	};

	if (estimated->why != NULL)
	{
		cell.estimate = NAN;
		cell.kind = KIND_UNKNOWN;
		cell.why = estimated->why;
	}
	else if (asking->request->statistic == SDC_ESTIMATE_COUNT)
	{
		cell.low = Max(floor(cell.low), 0);
		cell.high = Max(ceil(cell.high), cell.low);
	}
	if (asking->recoded && cell.released == 0)
		tell_nothing(&cell, "No record satisfies the condition: ask for ranges or labels that the publication has.");
	hand_over(asking, &cell);
}

/* answer_drawn emits the cells where columns were randomized. */
static void
answer_drawn(Asking *asking)
{
	const SdcAccurateRequest *request = asking->request;
	SdcEstimateRequest estimate = {.catalog_schema = request->catalog_schema, .relid = request->relid,
		.conditions = asking->conjuncts, .where = true, .measure = request->measure, .statistic = request->statistic,
		.by = request->by, .emit = take_estimate, .arg = asking
	};

	(void) sdc_estimate_measure(&estimate);
}

/* sdc_howaccurate_measure works in a context of its own. */
void
sdc_howaccurate_measure(const SdcAccurateRequest *request)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "sdc how accurate", ALLOCSET_DEFAULT_SIZES);
	MemoryContext before = MemoryContextSwitchTo(context);
	Asking	   *asking = palloc0(sizeof(Asking));

	asking->request = request;
	/* so many standard deviations around the mean have that share of the normal distribution */
	asking->deviation = -sdc_normal_quantile((1 - request->confidence) / 2);
	begin(asking);
	if (asking->why == NULL && asking->drawn && asking->protected > 0)
		asking->why = "Only copied columns can stand beside randomized ones in a condition.";
	if (request->statistic != SDC_ESTIMATE_COUNT &&
		(asking->why != NULL || asking->protected > 0 || asking->drawing.qi == NIL))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("sums and averages are known of randomized publications only"),
				 asking->why == NULL ? 0 : errdetail_internal("%s", asking->why),
				 errhint("Ask for counts.")));
	if (request->statistic != SDC_ESTIMATE_COUNT || (asking->drawn && asking->why == NULL))
		answer_drawn(asking);
	else if (asking->why != NULL || asking->protected == 0)
		answer_plain(asking);
	else
		answer_protected(asking);
	sdc_progress_end();
	MemoryContextSwitchTo(before);
	MemoryContextDelete(context);
}
